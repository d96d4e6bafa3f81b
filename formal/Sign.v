(* The rule sign is right: all covers by cycles have the same sign, so that all have an even number of cycles, or all an odd number. *)

From Coq Require Import PArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Checker Rules.
Import ListNotations.

(* ---- whether a list is in order after an odd number of exchanges *)

Fixpoint odd_order (l : list positive) : bool :=
  match l with [] => false | x :: r => xorb (Nat.odd (count (fun y => Pos.ltb y x) r)) (odd_order r) end.

Lemma exchange a x y b : x <> y -> odd_order (a ++ x :: y :: b) = negb (odd_order (a ++ y :: x :: b)).
Proof.
  intros D. induction a as [|z a IH]; cbn [app odd_order].
  - unfold count. cbn [filter].
    destruct (Pos.ltb_spec y x), (Pos.ltb_spec x y); try lia; cbn [length]; rewrite !Nat.odd_succ, <- !Nat.negb_odd;
      destruct (Nat.odd _), (Nat.odd _), (odd_order b); reflexivity.
  - rewrite IH, (count_permutation _ (a ++ x :: y :: b) (a ++ y :: x :: b)) by apply Permutation_app_head, perm_swap.
    symmetry. apply negb_xorb_r.
Qed.

Lemma to_the_end x r b : ~ In x r -> forall a,
  odd_order (a ++ (r ++ [x]) ++ b) = xorb (Nat.odd (length r)) (odd_order (a ++ (x :: r) ++ b)).
Proof.
  induction r as [|y r IH]; intros N a; [symmetry; apply xorb_false_l |]. cbn [In] in N.
  transitivity (odd_order ((a ++ [y]) ++ (r ++ [x]) ++ b)); [now rewrite <- !app_assoc |]. rewrite IH by tauto.
  cbn [length]. rewrite Nat.odd_succ, <- Nat.negb_odd, <- app_assoc. cbn [app]. rewrite (exchange a x y) by intuition.
  now destruct (Nat.odd _), (odd_order _).
Qed.

(* ---- the sign of a cover, given as vertices with their next ones in any order *)

Definition ways_out : Type := list (positive * positive).

Definition odd_cover (l : ways_out) : bool := xorb (odd_order (map fst l)) (odd_order (map snd l)).

Lemma any_order l k : Permutation l k -> NoDup (map fst l) -> NoDup (map snd l) -> odd_cover l = odd_cover k.
Proof.
  unfold odd_cover. induction 1 as [| e l k P IH | e f l | l k m P IH Q IH']; intros N1 N2; [reflexivity | | |].
  - cbn [map odd_order]. apply NoDup_cons_iff in N1 as [_ N1], N2 as [_ N2]. specialize (IH N1 N2).
    rewrite (count_permutation _ _ _ (Permutation_map fst P)), (count_permutation _ _ _ (Permutation_map snd P)).
    destruct (odd_order (map fst l)), (odd_order (map snd l)), (odd_order (map fst k)), (odd_order (map snd k)),
      (Nat.odd _), (Nat.odd _); discriminate || reflexivity.
  - assert (S : forall x y r, NoDup (x :: y :: r) -> odd_order (x :: y :: r) = negb (odd_order (y :: x :: r))).
    { intros x y r N. apply (exchange []). intros ->. apply NoDup_cons_iff in N as [N _]. apply N. now left. }
    cbn [map] in *. rewrite (S _ _ _ N1), (S _ _ _ N2), <- negb_xorb_l, <- negb_xorb_r. apply negb_involutive.
  - rewrite IH by assumption. apply IH'; [apply (Permutation_NoDup (Permutation_map fst P)) |
      apply (Permutation_NoDup (Permutation_map snd P))]; assumption.
Qed.

(* Each vertex gets the next one of the following. *)
Definition other (g : ways_out) : ways_out := map (fun e => (fst (fst e), snd (snd e))) (steps g).

Lemma other_fst g : map fst (other g) = map fst g.
Proof. unfold other. rewrite map_map. cbn [fst]. now rewrite <- (map_map fst fst), steps_from. Qed.

Lemma other_snd g : map snd (other g) = map snd (tl g ++ firstn 1 g).
Proof. unfold other. rewrite map_map. cbn [snd]. now rewrite <- (map_map snd snd), steps_second. Qed.

Lemma other_sign a g b : g <> [] -> NoDup (map snd g) ->
  odd_cover (a ++ other g ++ b) = xorb (Nat.even (length g)) (odd_cover (a ++ g ++ b)).
Proof.
  intros G N. unfold odd_cover. rewrite !map_app, other_fst, other_snd. destruct g as [|e r]; [tauto |].
  cbn [tl firstn]. rewrite map_app. cbn [map]. rewrite to_the_end by (now apply NoDup_cons_iff in N).
  rewrite map_length. cbn [length]. rewrite Nat.even_succ. now destruct (odd_order _), (odd_order _), (Nat.odd _).
Qed.

Lemma nodup_parts {A} (l k : list A) : NoDup (l ++ k) -> NoDup l /\ NoDup k.
Proof.
  induction l as [|x l IH]; cbn; intros N; [split; [constructor | exact N] |].
  apply NoDup_cons_iff in N as [N1 N]. rewrite in_app_iff in N1. destruct (IH N). split; [constructor |]; tauto.
Qed.

(* Other choices in groups of odd length change nothing. *)
Lemma groups_sign (which : ways_out -> bool) gs : forall a, (forall g, In g gs -> Nat.odd (length g) = true) ->
  NoDup (map snd (concat gs)) ->
  odd_cover (a ++ flat_map (fun g => if which g then g else other g) gs) = odd_cover (a ++ concat gs).
Proof.
  induction gs as [|g gs IH]; intros a O N; [reflexivity |]. cbn [flat_map concat] in *. rewrite map_app in N.
  apply nodup_parts in N as [N1 N2]. rewrite app_assoc, IH, <- app_assoc; [| intros h I; apply O; now right | exact N2].
  destruct (which g); [reflexivity |]. assert (Og := O g (or_introl eq_refl)).
  rewrite other_sign; [| intros ->; discriminate | exact N1]. rewrite <- Nat.negb_odd, Og. apply xorb_false_l.
Qed.

Lemma steps_map {A B} (f : A -> B) l : steps (map f l) = map (fun e => (f (fst e), f (snd e))) (steps l).
Proof.
  unfold steps. rewrite firstn_map, <- map_app. induction (l ++ firstn 1 l) as [|x k IH]; [reflexivity |].
  destruct k as [|y k]; [reflexivity |]. cbn [map pairs] in *. f_equal. exact IH.
Qed.

Definition twice (v : positive) : positive * positive := (v, v).

Lemma steps_other c : steps c = other (map twice c).
Proof.
  unfold other. rewrite steps_map, map_map. rewrite <- (map_id (steps c)) at 1. apply map_ext. now intros [a b].
Qed.

(* A cover of n vertices by k cycles is odd if n - k is. *)
Lemma cycles_sign cs : forall a, (forall c, In c cs -> c <> []) -> NoDup (concat cs) ->
  odd_cover (a ++ flat_map steps cs) =
  xorb (xorb (Nat.odd (length (concat cs))) (Nat.odd (length cs))) (odd_cover (a ++ map twice (concat cs))).
Proof.
  induction cs as [|c cs IH]; intros a E N; [symmetry; apply xorb_false_l |]. cbn [flat_map concat] in *.
  apply nodup_parts in N as [N1 N2]. assert (Ec := E c (or_introl eq_refl)).
  rewrite app_assoc, IH, <- app_assoc, steps_other; [| intros d I; apply E; now right | exact N2].
  rewrite other_sign, map_app, map_length.
  - cbn [length]. rewrite app_length, Nat.odd_add, (Nat.odd_succ (length cs)), <- !Nat.negb_odd.
    now destruct (Nat.odd _), (Nat.odd _), (Nat.odd _), (odd_cover _).
  - now destruct c.
  - rewrite map_map. cbn [snd twice]. now rewrite map_id.
Qed.

Lemma loops_sign cs : (forall c, In c cs -> c <> []) -> NoDup (concat cs) ->
  odd_cover (flat_map steps cs) = xorb (Nat.odd (length (concat cs))) (Nat.odd (length cs)).
Proof.
  intros E N. assert (H := cycles_sign cs [] E N). cbn [app] in H. rewrite H. unfold odd_cover at 1.
  rewrite !map_map. cbn [fst snd twice]. rewrite xorb_nilpotent. apply xorb_false_r.
Qed.

Lemma flat_map_steps_fst {A} (cs : list (list A)) : map fst (flat_map steps cs) = concat cs.
Proof. induction cs as [|c cs IH]; [reflexivity |]. cbn. now rewrite map_app, steps_from, IH. Qed.

Lemma flat_map_steps_snd {A} (cs : list (list A)) : Permutation (map snd (flat_map steps cs)) (concat cs).
Proof. induction cs as [|c cs IH]; [reflexivity |]. cbn. rewrite map_app. apply Permutation_app; [apply steps_to | exact IH]. Qed.

Lemma cover_in l a b : M.find a (cover l) = Some b -> In (a, b) l.
Proof.
  induction l as [|[x y] l IH]; cbn [cover fold_right fst snd]; [now rewrite M.gempty |].
  destruct (Pos.eq_dec a x) as [-> | D].
  - rewrite M.gss. intros E. injection E as ->. now left.
  - rewrite M.gso by exact D. intros E. right. now apply IH.
Qed.

(* ---- the rule *)

Section Sign.

Variables (d : demand) (s : state) (t : list positive).
Hypothesis F : fits s t.
Hypothesis W : along d t.

Definition goes (e : positive * positive) : bool :=
  existsb (fun f => Pos.eqb (fst e) (fst f) && Pos.eqb (snd e) (snd f)) (steps t).

Lemma goes_in e : goes e = true <-> In e (steps t).
Proof.
  unfold goes. rewrite existsb_exists. split.
  - intros ([a b] & I & E). rewrite andb_true_iff, !Pos.eqb_eq in E. destruct e. cbn in E. now destruct E as [-> ->].
  - intros I. exists e. now rewrite !Pos.eqb_refl.
Qed.

(* The cycle goes from a vertex of a group to its next one or to the following next one. *)
Lemma two_ways g : closes d s g = true -> (forall v, In v (map fst g) -> In v t) -> forall e f, next g e f ->
  In e (steps t) \/ In (fst e, snd f) (steps t).
Proof.
  intros C V [u h] [w k] N. unfold closes in C. apply andb_true_iff in C as [_ C]. rewrite forallb_forall in C.
  assert (I : In u t) by (apply V, (in_map fst g (u, h)); now apply next_in in N).
  destruct (successor t u I) as [z Z]. apply steps_next in N. apply C in N. cbn [fst snd] in N. rewrite forallb_forall in N.
  assert (K := N z (followers_in d s t [u] u z F W (or_introl eq_refl) Z)). rewrite orb_true_iff, !Pos.eqb_eq in K.
  apply steps_next in Z. cbn [fst snd]. destruct K as [-> | ->]; auto.
Qed.

Lemma one_choice g : closes d s g = true -> (forall v, In v (map fst g) -> In v t) -> NoDup (map fst g) ->
  forall e, In e (if forallb goes g then g else other g) -> In e (steps t).
Proof.
  intros C V N e I. assert (L := proj1 (proj2 F)). destruct (forallb goes g) eqn:A.
  { rewrite forallb_forall in A. now apply goes_in, A. }
  unfold other in I. apply in_map_iff in I as ([p q] & <- & I). cbn [fst snd].
  assert (K : forall x y, next g x y -> goes y = true -> goes x = true).
  { intros x y X Y. destruct (two_ways g C V x y X) as [Z | Z]; [now apply goes_in |].
    apply goes_in in Y. assert (S : NoDup (map snd (steps t))) by (apply (Permutation_NoDup (Permutation_sym (steps_to t))), L).
    assert (E := one_image snd _ _ _ S Z Y eq_refl). destruct (next_in _ _ _ X) as [Ix Iy].
    assert (x = y) by (apply (one_image fst g); auto; now rewrite <- E). subst. now apply goes_in. }
  apply steps_next in I. destruct (two_ways g C V p q I) as [Z | Z]; [exfalso | exact Z].
  apply goes_in in Z.
  assert (H : forallb goes g = true); [|congruence]. apply forallb_forall. intros x Ix. apply in_rev in Ix.
  apply (spread (rev g) (fun x => goes x = true) p); [| exact Z | | exact Ix].
  - apply -> in_rev. now apply next_in in I.
  - intros a b X. apply (K b a). now apply next_rev.
Qed.

Theorem sign_no : sign d s = true -> False.
Proof.
  intros H. unfold sign in H. set (gs := groups d s) in H. set (cs := loops _ _) in H. clearbody gs.
  rewrite !andb_true_iff, !forallb_forall in H. destruct H as [[[[G VL] C] VC] K].
  destruct (everyone_spec s t _ F VL) as [NL PL]. destruct (everyone_spec s t _ F VC) as [NC PC]. clearbody cs.
  set (L := concat gs) in *. set (n := length t).
  assert (NT := proj1 (proj2 F)).
  (* the cover of the checker *)
  assert (CI : forall c, In c cs -> c <> [] /\ forall e, In e (steps c) -> In e L).
  { intros c I. apply C in I. rewrite andb_true_iff, forallb_forall in I. destruct I as [E I]. split; [now intros -> |].
    intros [a b] J. apply I in J. unfold follows in J. cbn [fst snd] in J. apply cover_in.
    destruct (M.find a _); [|discriminate]. apply Pos.eqb_eq in J. now subst. }
  assert (LL : length L = n) by (rewrite <- (map_length fst); exact (Permutation_length PL)).
  assert (P : Permutation (flat_map steps cs) L).
  { apply NoDup_Permutation_bis.
    - apply (NoDup_map_inv fst). now rewrite flat_map_steps_fst.
    - rewrite LL, <- (map_length fst (flat_map _ _)), flat_map_steps_fst, (Permutation_length PC). reflexivity.
    - intros e I. apply in_flat_map in I as (c & I & J). now apply (CI c). }
  assert (NS : NoDup (map snd (flat_map steps cs))).
  { apply (Permutation_NoDup (Permutation_sym (flat_map_steps_snd cs))), NC. }
  assert (NLS : NoDup (map snd L)) by (apply (Permutation_NoDup (Permutation_map snd P)), NS).
  assert (SC : odd_cover L = Nat.odd n).
  { rewrite <- (any_order _ _ P); [| now rewrite flat_map_steps_fst | exact NS].
    rewrite loops_sign; [| intros c I; now apply CI | exact NC].
    rewrite (Permutation_length PC). fold n. rewrite <- (Nat.negb_even (length cs)), K. apply xorb_false_r. }
  (* the cycle *)
  assert (ST : odd_cover (steps t) = negb (Nat.odd n)).
  { assert (X := loops_sign [t]). cbn [flat_map concat length] in X. rewrite !app_nil_r in X. rewrite X.
    - fold n. now destruct (Nat.odd n).
    - intros c [<- | []] ->. destruct F as [LT _]. cbn in LT. lia.
    - exact NT. }
  set (Q := flat_map (fun g => if forallb goes g then g else other g) gs).
  assert (QF : map fst Q = map fst L).
  { unfold Q, L. clear. induction gs as [|g gs IH]; [reflexivity |]. cbn [flat_map concat]. rewrite !map_app, IH.
    f_equal. destruct (forallb goes g); [reflexivity | apply other_fst]. }
  assert (PQ : Permutation Q (steps t)).
  { apply NoDup_Permutation_bis.
    - apply (NoDup_map_inv fst). now rewrite QF.
    - rewrite <- (map_length fst Q), QF, map_length, LL, <- (map_length fst), steps_from. reflexivity.
    - intros e I. apply in_flat_map in I as (g & I & J). apply (one_choice g); [now apply G | | | exact J].
      + intros v Iv. apply (Permutation_in v PL). unfold L. rewrite concat_map. apply in_concat.
        exists (map fst g). split; [now apply in_map | exact Iv].
      + unfold L in NL. clear - NL I. induction gs as [|h gs IH]; [destruct I |]. cbn in NL. rewrite map_app in NL.
        apply nodup_parts in NL as [N1 N2]. destruct I as [-> | I]; auto. }
  assert (X : odd_cover Q = odd_cover L).
  { apply (groups_sign (forallb goes) gs []); [|exact NLS]. intros g I. apply G in I. unfold closes in I. now apply andb_true_iff in I as [I _]. }
  rewrite (any_order _ _ PQ), SC, ST in X.
  - now destruct (Nat.odd n).
  - now rewrite QF.
  - apply (Permutation_NoDup (Permutation_map snd (Permutation_sym PQ))), (Permutation_NoDup (Permutation_sym (steps_to t))), NT.
Qed.

End Sign.

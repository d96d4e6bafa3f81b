(* The rule linear is right: a cycle leaves each set twice or more, and uses every edge at most once. *)

From Coq Require Import PArith ZArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Checker Rules Sweep.
Import ListNotations.
Open Scope Z_scope.

Lemma total_app {A} (f : A -> Z) l k : total f (l ++ k) = total f l + total f k.
Proof. induction l as [|x l IH]; cbn; [reflexivity |]. fold (total f (l ++ k)) (total f l). lia. Qed.

Lemma total_map {A B} (f : B -> Z) (g : A -> B) l : total f (map g l) = total (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; cbn; [reflexivity |]. fold (total f (map g l)) (total (fun x => f (g x)) l). lia. Qed.

Lemma total_permutation {A} (f : A -> Z) l k : Permutation l k -> total f l = total f k.
Proof. unfold total. induction 1; cbn; lia. Qed.

Lemma total_plus {A} (f g : A -> Z) l : total (fun x => f x + g x) l = total f l + total g l.
Proof. unfold total. induction l as [|x l IH]; cbn; lia. Qed.

Lemma total_ext {A} (f g : A -> Z) l : (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof.
  unfold total. induction l as [|x l IH]; intros E; cbn; [reflexivity |]. rewrite (E x (or_introl eq_refl)), IH; [reflexivity |].
  intros y I. apply E. now right.
Qed.

Lemma total_le {A} (f g : A -> Z) l : (forall x, In x l -> f x <= g x) -> total f l <= total g l.
Proof.
  unfold total. induction l as [|x l IH]; intros E; cbn; [lia |]. assert (H := E x (or_introl eq_refl)).
  assert (K := IH (fun y I => E y (or_intror I))). lia.
Qed.

Lemma total_filter {A} (f : A -> Z) (p : A -> bool) l : total (fun x => if p x then f x else 0) l = total f (filter p l).
Proof.
  unfold total. induction l as [|x l IH]; cbn; [reflexivity |]. destruct (p x); cbn; lia.
Qed.

Lemma total_swap {A B} (f : A -> B -> Z) (l : list A) (k : list B) :
  total (fun x => total (f x) k) l = total (fun y => total (fun x => f x y) l) k.
Proof.
  induction l as [|x l IH].
  - unfold total. cbn. induction k as [|y k IHk]; cbn; lia.
  - change (total (fun x => total (f x) k) (x :: l)) with (total (f x) k + total (fun x => total (f x) k) l).
    rewrite IH, <- total_plus. reflexivity.
Qed.

Lemma weight_add m v z x : weight (M.add v (z + weight m v) m) x = weight m x + (if Pos.eqb x v then z else 0).
Proof.
  unfold weight. destruct (Pos.eqb_spec x v) as [-> | D]; [rewrite M.gss | rewrite M.gso by exact D]; lia.
Qed.

Lemma total_one (l : list positive) v z : NoDup l -> In v l -> total (fun x => if Pos.eqb x v then z else 0) l = z.
Proof.
  intros N I. rewrite (total_filter (fun _ => z)). assert (P : Permutation (filter (fun x => Pos.eqb x v) l) [v]).
  { apply NoDup_Permutation; [now apply NoDup_filter | repeat constructor; intros [] |].
    intros x. rewrite filter_In, Pos.eqb_eq. cbn. intuition congruence. }
  rewrite (total_permutation _ _ _ P). cbn. lia.
Qed.

Section Linear.

Variables (s : state) (t : list positive).
Hypothesis F : fits s t.

Lemma weights_total terms : (forall x, In x terms -> forall v, In v (snd x) -> In v t) ->
  total (weight (weights terms)) t = total fst (filter single_term terms).
Proof.
  induction terms as [|[z c] r IH]; intros J.
  - cbn [weights filter]. rewrite (total_ext _ (fun _ => 0) t); [|intros x _; unfold weight; now rewrite M.gempty].
    unfold total. cbn. clear. induction t as [|x l IHl]; cbn; [reflexivity | exact IHl].
  - assert (Jr : forall x, In x r -> forall v, In v (snd x) -> In v t) by (intros x I; apply J; now right).
    destruct c as [|v [|w c]]; [exact (IH Jr) | | exact (IH Jr)].
    cbn [weights filter single_term snd]. rewrite (total_ext _ _ _ (fun x _ => weight_add (weights r) v z x)).
    rewrite total_plus, (IH Jr), total_one; [| apply F | apply (J (z, [v]) (or_introl eq_refl)); now left].
    unfold total. cbn. lia.
Qed.

Lemma crossings c : NoDup c -> (forall v, In v c -> In v t) -> c <> [] -> (length c < length t)%nat ->
  (2 <= count (fun e => xorb (isin (set_of c) (fst e)) (isin (set_of c) (snd e))) (steps t))%nat.
Proof.
  intros D J NE L. destruct (across_spec s c t F) as (A & _ & _). cbv zeta in A. set (gone := set_of c) in *.
  assert (X : count (fun e => xorb (isin gone (fst e)) (isin gone (snd e))) (steps t) = length (across t gone)).
  { unfold across. rewrite app_length, map_length. unfold steps_across, count.
    induction (steps t) as [|e r IH]; cbn; [reflexivity |]. destruct (isin gone (fst e)), (isin gone (snd e)); cbn; lia. }
  rewrite X, A. enough (1 <= length (steps_across t gone))%nat by lia.
  destruct (steps_across t gone) as [|e r] eqn:E; [exfalso | cbn; lia]. destruct c as [|v c]; [tauto |].
  assert (Z : forall x, In x t -> isin gone x = true).
  { apply (spread t (fun x => isin gone x = true) v); [apply J; now left | apply isin_set_of; now left |].
    intros x y H Hx. destruct (isin gone y) eqn:Hy; [reflexivity |].
    assert (I : In (x, y) (steps_across t gone)); [|rewrite E in I; destruct I].
    apply filter_In. split; [now apply steps_next |]. cbn [fst snd]. now rewrite Hx, Hy. }
  assert (Q : (length t <= length (v :: c))%nat); [|lia]. apply NoDup_incl_length; [apply F |].
  intros x I. now apply isin_set_of, Z.
Qed.

Lemma all_edges_in a b : In (a, b) (all_edges s) <-> In a t /\ In b (row (present s) a) /\ (a < b)%positive.
Proof.
  unfold all_edges. rewrite in_flat_map, (fits_in s t a F). split.
  - intros (v & I & H). apply in_map_iff in H as (z & E & H). injection E as -> ->.
    apply (proj1 (proj2 (once_spec _) _)) in H. rewrite filter_In, Pos.ltb_lt in H. tauto.
  - intros (I & R & L). exists a. split; [exact I |]. apply in_map_iff. exists b. split; [reflexivity |].
    apply (proj2 (proj2 (once_spec _) _)), filter_In. now rewrite Pos.ltb_lt.
Qed.

Lemma all_edges_once : NoDup (all_edges s).
Proof.
  apply (flat_map_pairs_nodup (fun v => filter (Pos.ltb v) (row (present s) v))).
  destruct F as (_ & N & V & _). now apply (Permutation_NoDup V).
Qed.

Lemma tour_edges_once : NoDup (map ordered (steps t)).
Proof.
  assert (L := proj1 F). assert (N := proj1 (proj2 F)).
  assert (G : forall a b, next t a b -> next t b a -> False).
  { intros a b P Q. destruct (two_neighbours t a L N (proj1 (next_in _ _ _ P))) as (x & y & D & _ & _ & _ & _ & U & V).
    apply D. now rewrite <- (U _ P), <- (V _ Q). }
  assert (S : forall e, In e (steps t) -> next t (fst e) (snd e)) by (intros [a b] I; now apply steps_next).
  assert (NS := steps_nodup t N). induction (steps t) as [|e r IH]; cbn; constructor.
  - apply NoDup_cons_iff in NS as [NS _]. rewrite in_map_iff. intros ([c d] & E & I).
    assert (P := S e (or_introl eq_refl)). assert (Q := S _ (or_intror I)). destruct e as [a b]. cbn in P, Q.
    unfold ordered in E. cbn [fst snd] in E.
    destruct (Pos.ltb_spec c d), (Pos.ltb_spec a b); injection E as -> ->; try tauto; now apply (G a b).
  - apply NoDup_cons_iff in NS as [_ NS]. apply IH; [|exact NS]. intros f I. apply S. now right.
Qed.

Lemma worth_ordered m sets e : worth m sets (ordered e) = worth m sets e.
Proof.
  unfold ordered. destruct (Pos.ltb (fst e) (snd e)); [reflexivity |]. unfold worth. cbn [fst snd].
  rewrite (Z.add_comm (weight m (snd e))). f_equal. apply total_ext. intros x _. now rewrite xorb_comm.
Qed.

Theorem linear_no terms : linear s terms = true -> False.
Proof.
  intros H. unfold linear in H. set (m := weights terms) in H. set (sets := map _ _) in H.
  apply andb_true_iff in H as [C H]. apply Z.ltb_lt in H. rewrite forallb_forall in C.
  assert (L := proj1 F). assert (N := proj1 (proj2 F)).
  assert (J : forall x, In x terms -> NoDup (snd x) /\ (forall v, In v (snd x) -> In v t) /\ snd x <> [] /\
            (length (snd x) < length t)%nat /\ (single_term x = false -> 0 <= fst x)).
  { intros x I. apply C in I. rewrite !andb_true_iff in I. destruct I as [[[M E] S] P].
    destruct (members_spec s t (snd x) F M) as [D K]. split; [exact D | split; [exact K | split; [| split]]].
    - intros Q. rewrite Q in E. discriminate.
    - unfold shorter in S. apply Nat.ltb_lt in S. destruct F as (_ & _ & V & _). apply Permutation_length in V. lia.
    - intros Q. rewrite Q in P. now apply Z.leb_le. }
  (* what the moves of the cycle are worth, at least *)
  assert (A : 2 * total fst terms <= total (worth m sets) (steps t)).
  { assert (W1 : total (fun e : positive * positive => weight m (fst e)) (steps t) = total (weight m) t).
    { rewrite <- (total_map (weight m) fst). now rewrite steps_from. }
    assert (W2 : total (fun e : positive * positive => weight m (snd e)) (steps t) = total (weight m) t).
    { rewrite <- (total_map (weight m) snd). apply total_permutation, steps_to. }
    unfold worth. rewrite !total_plus, W1, W2.
    assert (WT : total (weight m) t = total fst (filter single_term terms)).
    { apply weights_total. intros x I. now apply J. }
    assert (WS : 2 * total fst (filter (fun x => negb (single_term x)) terms) <=
       total (fun e => total (fun x : Z * set => if xorb (isin (snd x) (fst e)) (isin (snd x) (snd e)) then fst x else 0) sets) (steps t)).
    { rewrite total_swap. unfold sets. rewrite total_map.
      assert (J' : forall x, In x (filter (fun x => negb (single_term x)) terms) -> In x terms /\ single_term x = false).
      { intros x I. apply filter_In in I as [I P]. now apply negb_true_iff in P. }
      clear - J J' F. induction (filter (fun x => negb (single_term x)) terms) as [|x r IH]; [cbn; lia |].
      cbn [total fold_right]. fold (total fst r).
      match goal with |- _ <= _ + ?rest => set (k := rest) end.
      assert (I : 2 * total fst r <= k) by exact (IH (fun y K => J' y (or_intror K))). clearbody k.
      destruct (J' x (or_introl eq_refl)) as [Ix Sx]. destruct (J x Ix) as (D & K & E & B & P). specialize (P Sx).
      assert (Q := crossings (snd x) D K E B). cbn [fst snd].
      rewrite (total_filter (fun _ : positive * positive => fst x)).
      assert (T : total (fun _ : positive * positive => fst x)
        (filter (fun e => xorb (isin (set_of (snd x)) (fst e)) (isin (set_of (snd x)) (snd e))) (steps t)) =
        fst x * Z.of_nat (count (fun e => xorb (isin (set_of (snd x)) (fst e)) (isin (set_of (snd x)) (snd e))) (steps t))).
      { unfold count. generalize (filter (fun e : positive * positive => xorb (isin (set_of (snd x)) (fst e)) (isin (set_of (snd x)) (snd e))) (steps t)) as l.
        induction l as [|e l IHl]; [cbn; lia |]. cbn [length]. change (total (fun _ => fst x) (e :: l)) with (fst x + total (fun _ : positive * positive => fst x) l).
        rewrite IHl, Nat2Z.inj_succ, Z.mul_succ_r. lia. }
      rewrite T. set (n := count _ _) in *. assert (fst x * 2 <= fst x * Z.of_nat n) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
    assert (SP : total fst terms = total fst (filter single_term terms) + total fst (filter (fun x => negb (single_term x)) terms)).
    { clear. unfold total. induction terms as [|x r IH]; cbn; [reflexivity |]. destruct (single_term x); cbn; lia. }
    lia. }
  (* and at most *)
  assert (B : total (worth m sets) (steps t) <=
     total (fun e => if is_forced s e then worth m sets e else Z.max 0 (worth m sets e)) (all_edges s)).
  { set (used := fun e => existsb (fun f => Pos.eqb (fst e) (fst f) && Pos.eqb (snd e) (snd f)) (map ordered (steps t))).
    assert (U : forall e, used e = true <-> In e (map ordered (steps t))).
    { intros e. unfold used. rewrite existsb_exists. split.
      - intros (f & I & Q). rewrite andb_true_iff, !Pos.eqb_eq in Q. destruct e, f. cbn in Q. destruct Q as [-> ->]. exact I.
      - intros I. exists e. rewrite !Pos.eqb_refl. auto. }
    assert (P : Permutation (map ordered (steps t)) (filter used (all_edges s))).
    { apply NoDup_Permutation; [exact tour_edges_once | apply NoDup_filter, all_edges_once |].
      intros e. rewrite filter_In, U. split; [|tauto]. intros I. split; [|exact I].
      apply in_map_iff in I as ([a b] & <- & I). apply steps_next in I. unfold ordered. cbn [fst snd].
      assert (X : edge t a b) by now left. assert (NL := no_loop t a (conj L N)).
      destruct (Pos.ltb_spec a b); apply all_edges_in.
      - split; [now apply next_in in I | split; [now apply F | assumption]].
      - split; [now apply next_in in I | split; [apply F; now apply edge_sym |]].
        destruct (Pos.eq_dec a b) as [-> | D]; [tauto | lia]. }
    rewrite <- (total_ext _ _ (steps t) (fun e _ => worth_ordered m sets e)), <- total_map.
    rewrite (total_permutation _ _ _ P), <- total_filter. apply total_le. intros [a b] I.
    destruct (used (a, b)) eqn:Ue.
    - destruct (is_forced s (a, b)); lia.
    - destruct (is_forced s (a, b)) eqn:Q; [exfalso | lia].
      apply all_edges_in in I as (_ & _ & O). unfold is_forced in Q. cbn [fst snd] in Q.
      rewrite orb_true_iff, !occurs_in in Q.
      assert (X : edge t a b) by (destruct Q as [Q | Q]; apply F in Q; [exact Q | now apply edge_sym]).
      assert (Y : used (a, b) = true); [|congruence]. apply U, in_map_iff.
      destruct X as [X | X]; apply steps_next in X; [exists (a, b) | exists (b, a)]; (split; [|exact X]); unfold ordered; cbn [fst snd].
      + destruct (Pos.ltb_spec a b); [reflexivity | lia].
      + destruct (Pos.ltb_spec b a); [lia | reflexivity]. }
  lia.
Qed.

End Linear.

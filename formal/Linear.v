(* The rule linear is right: a cycle leaves each set an even number of times, twice or more, and uses every edge at most
   once. *)

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

Lemma total_scaled {A} (f : A -> Z) z l : total (fun x => z * f x) l = z * total f l.
Proof. unfold total. induction l as [|x l IH]; cbn; [lia |]. rewrite IH. ring. Qed.

Lemma total_zero {A} (l : list A) : total (fun _ => 0) l = 0.
Proof. unfold total. induction l as [|x l IH]; [reflexivity | exact IH]. Qed.

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

Lemma ordered_twice e : ordered (ordered e) = ordered e.
Proof.
  unfold ordered. destruct (Pos.ltb_spec (fst e) (snd e)) as [L | L]; cbn [fst snd].
  - destruct (Pos.ltb_spec (fst e) (snd e)); [reflexivity | lia].
  - destruct (Pos.ltb_spec (snd e) (fst e)); [reflexivity |]. assert (E : fst e = snd e) by lia. now rewrite E.
Qed.

Lemma ordered_turned a b : ordered (a, b) = ordered (b, a).
Proof.
  unfold ordered. cbn [fst snd]. destruct (Pos.ltb_spec a b), (Pos.ltb_spec b a); [lia | reflexivity | reflexivity |].
  assert (E : a = b) by lia. now rewrite E.
Qed.

Lemma same_edge_spec e f : same_edge e f = true <-> ordered e = ordered f.
Proof.
  unfold same_edge. rewrite andb_true_iff, !Pos.eqb_eq. destruct (ordered e), (ordered f). cbn. split.
  - intros [-> ->]. reflexivity.
  - intros H. injection H as -> ->. auto.
Qed.

Lemma edge_weight_ordered w e : edge_weight w (ordered e) = edge_weight w e.
Proof. unfold edge_weight. now rewrite ordered_twice. Qed.

(* The three kinds of terms. *)
Lemma total_kinds (f : term -> Z) l :
  total f l = total f (filter single_term l) + total f (filter set_term l) + total f (filter of_weight l).
Proof.
  unfold total. induction l as [|x r IH]; [reflexivity |]. cbn [fold_right filter].
  assert (E : single_term x = true /\ set_term x = false /\ of_weight x = false \/
              single_term x = false /\ set_term x = negb (of_weight x)).
  { unfold set_term, single_term, of_weight. destruct (cells x) as [|v [|w c]], (odd_edges x); cbn; auto. }
  destruct E as [(-> & -> & ->) | [-> ->]]; [|destruct (of_weight x)]; cbn [negb fold_right]; lia.
Qed.

(* The weight of a cycle is at most the limit. *)
Definition within (d : demand) (t : list positive) : Prop :=
  match limit d with Some (most, w) => total (edge_weight w) (steps t) <= most | None => True end.

Section Linear.

Variables (s : state) (t : list positive).
Hypothesis F : fits s t.

Lemma weights_total terms : (forall x, In x terms -> forall v, In v (cells x) -> In v t) ->
  total (weight (weights terms)) t = total number (filter single_term terms).
Proof.
  induction terms as [|[z c o] r IH]; intros J.
  - cbn [weights filter]. rewrite (total_ext _ (fun _ => 0) t); [|intros x _; unfold weight; now rewrite M.gempty].
    apply total_zero.
  - assert (Jr : forall x, In x r -> forall v, In v (cells x) -> In v t) by (intros x I; apply J; now right).
    destruct c as [|v [|w c]]; [exact (IH Jr) | destruct o as [|e o]; [|exact (IH Jr)] | exact (IH Jr)].
    cbn [weights filter single_term cells odd_edges number].
    rewrite (total_ext _ _ _ (fun x _ => weight_add (weights r) v z x)).
    rewrite total_plus, (IH Jr), total_one; [| apply F | apply (J _ (or_introl eq_refl)); now left].
    unfold total. cbn. lia.
Qed.

Lemma crossings c : NoDup c -> (forall v, In v c -> In v t) -> c <> [] -> (length c < length t)%nat ->
  exists k, count (crosses (set_of c)) (steps t) = (2 * S k)%nat.
Proof.
  intros D J NE L. destruct (across_spec s c t F) as (A & _ & _). cbv zeta in A. set (gone := set_of c) in *.
  assert (X : count (crosses gone) (steps t) = length (across t gone)).
  { unfold across. rewrite app_length, map_length. unfold steps_across, count, crosses.
    induction (steps t) as [|e r IH]; cbn; [reflexivity |]. destruct (isin gone (fst e)), (isin gone (snd e)); cbn; lia. }
  rewrite X, A. destruct (steps_across t gone) as [|e r] eqn:E; [exfalso | now exists (length r)].
  destruct c as [|v c]; [tauto |].
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

(* At most all odd edges are steps; if these are all, then another step leaves the set, too. *)
Lemma share_least c o : NoDup c -> (forall v, In v c -> In v t) -> c <> [] -> (length c < length t)%nat ->
  odd_or_none c o = true ->
  match o with [] => 2 | l => 1 - Z.of_nat (length l) end <= total (share (1, set_of c, o)) (steps t).
Proof.
  intros D J NE L O. destruct (crossings c D J NE L) as [k X]. set (gone := set_of c) in *.
  assert (T : total (share (1, gone, o)) (steps t) =
    Z.of_nat (count (crosses gone) (steps t)) - 2 * Z.of_nat (count (fun e => crosses gone e && listed o e) (steps t))).
  { clear X. unfold total, count, share. cbn [fst snd]. induction (steps t) as [|e r IH]; cbn [fold_right filter]; [reflexivity |].
    destruct (crosses gone e), (listed o e); cbn [andb length]; lia. }
  assert (Y : (count (fun e => crosses gone e && listed o e) (steps t) <= count (crosses gone) (steps t))%nat).
  { apply count_le. intros e _ H. now apply andb_true_iff in H. }
  assert (K : (count (fun e => crosses gone e && listed o e) (steps t) <= length o)%nat).
  { unfold count. rewrite <- (map_length ordered), <- (map_length ordered o).
    apply NoDup_incl_length; [apply filter_nodup_map, tour_edges_once |].
    intros f I. apply in_map_iff in I as (e & <- & I). apply filter_In in I as [_ I]. apply andb_true_iff in I as [_ I].
    apply existsb_exists in I as (g & I & E). apply same_edge_spec in E. rewrite E. now apply in_map. }
  rewrite T, X in *. destruct o as [|e o]; [cbn [length] in K; lia |].
  unfold odd_or_none in O. rewrite !andb_true_iff, Nat.odd_spec in O. destruct O as [[[j O] _] _]. lia.
Qed.

Lemma share_scaled z c o e : share (z, c, o) e = z * share (1, c, o) e.
Proof. unfold share. cbn [fst snd]. destruct (crosses c e), (listed o e); lia. Qed.

Lemma value_ordered d m sets p e : value d m sets p (ordered e) = value d m sets p e.
Proof.
  unfold value. f_equal.
  - unfold worth. f_equal.
    + unfold ordered. destruct (Pos.ltb (fst e) (snd e)); cbn [fst snd]; lia.
    + apply total_ext. intros x _. unfold share. replace (crosses (snd (fst x)) (ordered e)) with (crosses (snd (fst x)) e).
      * replace (listed (snd x) (ordered e)) with (listed (snd x) e); [reflexivity |].
        unfold listed, same_edge. now rewrite ordered_twice.
      * unfold crosses, ordered. destruct (Pos.ltb (fst e) (snd e)); [reflexivity | apply xorb_comm].
  - destruct (limit d) as [[most w]|]; [now rewrite edge_weight_ordered | reflexivity].
Qed.

Theorem linear_no d terms : within d t -> linear d s terms = true -> False.
Proof.
  intros B H. unfold linear in H. set (m := weights terms) in H. set (sets := map _ _) in H.
  set (p := total number (filter of_weight terms)) in H.
  apply andb_true_iff in H as [C H]. apply Z.ltb_lt in H. rewrite forallb_forall in C.
  assert (L := proj1 F). assert (N := proj1 (proj2 F)).
  assert (J : forall x, In x terms -> of_weight x = false -> NoDup (cells x) /\ (forall v, In v (cells x) -> In v t) /\
            cells x <> [] /\ (length (cells x) < length t)%nat /\ (single_term x = false -> 0 <= number x) /\
            odd_or_none (cells x) (odd_edges x) = true).
  { intros x I NW. apply C in I. unfold term_fits in I. rewrite NW, !andb_true_iff in I. destruct I as [[[M S] P] O].
    destruct (members_spec s t (cells x) F M) as [D K]. split; [exact D | split; [exact K | split; [| split; [| split]]]].
    - intros Q. unfold of_weight in NW. rewrite Q in NW. discriminate.
    - unfold shorter in S. apply Nat.ltb_lt in S. destruct F as (_ & _ & V & _). apply Permutation_length in V. lia.
    - intros Q. rewrite Q in P. now apply Z.leb_le.
    - exact O. }
  (* the values of the edges of the cycle add up to at least the demand *)
  assert (A : total (demanded d) terms <= total (value d m sets p) (steps t)).
  { assert (W1 : total (fun e : positive * positive => weight m (fst e)) (steps t) = total (weight m) t).
    { rewrite <- (total_map (weight m) fst). now rewrite steps_from. }
    assert (W2 : total (fun e : positive * positive => weight m (snd e)) (steps t) = total (weight m) t).
    { rewrite <- (total_map (weight m) snd). apply total_permutation, steps_to. }
    unfold value, worth. rewrite !total_plus, W1, W2.
    assert (WT : total (weight m) t = total number (filter single_term terms)).
    { apply weights_total. intros x I v Iv. apply (J x I); [|exact Iv].
      unfold of_weight. destruct (cells x); [destruct Iv | reflexivity]. }
    assert (WD : total (demanded d) (filter single_term terms) = 2 * total number (filter single_term terms)).
    { rewrite <- total_scaled. apply total_ext. intros x I. apply filter_In in I as [_ I]. unfold single_term in I.
      unfold demanded. destruct (cells x) as [|v [|]]; try discriminate. destruct (odd_edges x); [lia | discriminate]. }
    assert (WS : total (demanded d) (filter set_term terms) <=
       total (fun e => total (fun x => share x e) sets) (steps t)).
    { rewrite total_swap. unfold sets. rewrite total_map. apply total_le. intros x I.
      apply filter_In in I as [I S]. apply andb_true_iff in S as [S1 S2]. apply negb_true_iff in S1, S2.
      destruct (J x I S2) as (D & K & E & B' & P & O). specialize (P S1).
      rewrite (total_ext _ _ _ (fun e _ => share_scaled (number x) (set_of (cells x)) (odd_edges x) e)), total_scaled.
      assert (Q := share_least (cells x) (odd_edges x) D K E B' O). unfold demanded.
      destruct (cells x); [congruence |]. destruct (odd_edges x); now apply Z.mul_le_mono_nonneg_l. }
    assert (WW : total (demanded d) (filter of_weight terms) <=
       total (fun e => match limit d with Some (_, w) => p * edge_weight w e | None => 0 end) (steps t)).
    { assert (T : forall x, In x (filter of_weight terms) -> cells x = [] /\ number x <= 0 /\ limit d <> None).
      { intros x I. apply filter_In in I as [I S]. apply C in I. unfold term_fits in I. rewrite S in I.
        destruct (limit d); [|discriminate]. destruct (odd_edges x); [|discriminate]. apply Z.leb_le in I.
        split; [|split; [exact I | discriminate]]. unfold of_weight in S. destruct (cells x); [reflexivity | discriminate]. }
      unfold within in B. destruct (limit d) as [[most w]|] eqn:Ed.
      - rewrite total_scaled. assert (P : p <= 0).
        { unfold p. rewrite <- (total_zero (filter of_weight terms)). apply total_le. intros x I. now apply T. }
        rewrite (total_ext _ (fun x => most * number x) (filter of_weight terms)).
        + rewrite total_scaled. fold p. rewrite Z.mul_comm. now apply Z.mul_le_mono_nonpos_l.
        + intros x I. unfold demanded. rewrite (proj1 (T x I)), Ed. lia.
      - rewrite total_zero, (total_ext _ (fun _ => 0) (filter of_weight terms)); [rewrite total_zero; lia |].
        intros x I. apply T in I. tauto. }
    rewrite total_kinds. lia. }
  (* and to at most the supply *)
  assert (Q : total (value d m sets p) (steps t) <=
     total (fun e => if is_forced s e then value d m sets p e else Z.max 0 (value d m sets p e)) (all_edges s)).
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
    rewrite <- (total_ext _ _ (steps t) (fun e _ => value_ordered d m sets p e)), <- total_map.
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

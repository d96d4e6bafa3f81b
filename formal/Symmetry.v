(* The rule symmetry is right: a map that keeps the edges of a cycle shifts the cycle along itself, or reverses it. *)

From Coq Require Import PArith ZArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Checker Rules Sweep Linear.
Import ListNotations.

(* A cycle that a map takes to itself. *)
Definition symmetric_under (image : option (M.t positive)) (t : list positive) : Prop :=
  match image with None => True | Some i => forall a b, edge t a b <-> edge t (at_map i a) (at_map i b) end.

Open Scope nat_scope.

Section Symmetry.

Variables (s : state) (t : list positive) (f : positive -> positive).
Hypothesis F : fits s t.
Hypothesis keeps : forall a b, edge t a b <-> edge t (f a) (f b).
Hypothesis one_to_one : NoDup (map f (vertices s)).

Let n := length t.
Let long : (3 <= n)%nat := proj1 F.
Let different : NoDup t := proj1 (proj2 F).

Definition tau (i : nat) : positive := nth (i mod n) t xH.

Lemma tau_in i : In (tau i) t.
Proof. unfold tau. apply nth_In. apply Nat.mod_upper_bound. fold n. lia. Qed.

Lemma tau_more i x : tau (i + n * x) = tau i.
Proof. unfold tau. rewrite Nat.mul_comm, Nat.mod_add by lia. reflexivity. Qed.

Lemma tau_same i j : tau i = tau j -> (i mod n = j mod n)%nat.
Proof.
  unfold tau. intros E. rewrite NoDup_nth in different. apply (different _ _) in E; [exact E | |]; apply Nat.mod_upper_bound; lia.
Qed.

Lemma tau_of v : In v t -> exists i, (i < n)%nat /\ tau i = v.
Proof.
  intros I. apply (In_nth _ _ xH) in I as (i & L & E). exists i. split; [exact L |]. unfold tau. now rewrite Nat.mod_small.
Qed.

Lemma tau_next i : next t (tau i) (tau (S i)).
Proof.
  assert (N0 : n <> 0%nat) by lia. assert (L := Nat.mod_upper_bound i n N0).
  assert (Q : consecutive (t ++ firstn 1 t) (nth (i mod n) t xH) (nth (S i mod n) t xH)); [|exact Q].
  assert (A : nth_error (t ++ firstn 1 t) (i mod n) = Some (nth (i mod n) t xH)).
  { rewrite nth_error_app1 by (fold n; lia). now apply nth_error_nth'. }
  assert (B : nth_error (t ++ firstn 1 t) (S (i mod n)) = Some (nth (S i mod n) t xH)).
  { destruct (Nat.eq_dec (S (i mod n)) n) as [E | E].
    - assert (S i mod n = 0)%nat.
      { rewrite (Nat.div_mod i n N0). replace (S (n * (i / n) + i mod n)) with (0 + (i / n + 1) * n)%nat by lia.
        rewrite Nat.mod_add by exact N0. apply Nat.mod_small. lia. }
      rewrite H, E, nth_error_app2 by (fold n; lia). fold n. rewrite Nat.sub_diag.
      destruct t as [|x r]; [cbn in n; subst n; lia | reflexivity].
    - assert (S i mod n = S (i mod n))%nat.
      { rewrite (Nat.div_mod i n N0) at 1. replace (S (n * (i / n) + i mod n)) with (S (i mod n) + (i / n) * n)%nat by lia.
        rewrite Nat.mod_add by exact N0. apply Nat.mod_small. lia. }
      rewrite H, nth_error_app1 by (fold n; lia). apply nth_error_nth'. fold n. lia. }
  revert A B. generalize (t ++ firstn 1 t) as l. generalize (nth (i mod n) t xH) as a, (nth (S i mod n) t xH) as b.
  generalize (i mod n) as j. clear. intros j a b l. revert j.
  induction l as [|x l IH]; intros [|j] A B; cbn in *; try discriminate.
  - injection A as ->. destruct l as [|y l]; [discriminate |]. cbn in B. injection B as ->. exists [], l. reflexivity.
  - apply consecutive_cons. right. now apply (IH j).
Qed.

Lemma after_one a x y : next t a x -> next t a y -> x = y.
Proof.
  intros X Y. destruct (two_neighbours t a long different (proj1 (next_in _ _ _ X))) as (p & q & _ & _ & _ & _ & _ & U & _).
  now rewrite (U _ X), (U _ Y).
Qed.

Lemma before_one a x y : next t x a -> next t y a -> x = y.
Proof.
  intros X Y. destruct (two_neighbours t a long different (proj2 (next_in _ _ _ X))) as (p & q & _ & _ & _ & _ & _ & _ & U).
  now rewrite (U _ X), (U _ Y).
Qed.

Lemma not_both a b : next t a b -> next t b a -> False.
Proof.
  intros X Y. destruct (two_neighbours t a long different (proj1 (next_in _ _ _ X))) as (p & q & D & _ & _ & _ & _ & U & V).
  apply D. now rewrite <- (U _ X), <- (V _ Y).
Qed.

Lemma f_injective a b : In a t -> In b t -> f a = f b -> a = b.
Proof. intros A B. apply (fits_in s t _ F) in A, B. exact (one_image f (vertices s) a b one_to_one A B). Qed.

Lemma shift_or_reverse : (forall i, next t (f (tau i)) (f (tau (S i)))) \/ (forall i, next t (f (tau (S i))) (f (tau i))).
Proof.
  assert (K : forall i, next t (f (tau i)) (f (tau (S i))) \/ next t (f (tau (S i))) (f (tau i))).
  { intros i. assert (E : edge t (tau i) (tau (S i))) by (left; apply tau_next). now apply keeps in E. }
  assert (D : forall i, tau i <> tau (S (S i))).
  { intros i E. apply (not_both (tau i) (tau (S i))); [apply tau_next |]. rewrite E. apply tau_next. }
  destruct (K 0%nat) as [Z | Z]; [left | right]; induction i as [|i IH]; try exact Z;
    destruct (K (S i)) as [Y | Y]; try exact Y; exfalso; apply (D i), f_injective; try apply tau_in.
  - now apply (before_one (f (tau (S i)))).
  - now apply (after_one (f (tau (S i)))).
Qed.

(* ---- shifts *)

Section Shift.

Hypothesis shifts : forall i, next t (f (tau i)) (f (tau (S i))).

Lemma shifted : exists m, forall i, f (tau i) = tau (i + m).
Proof.
  destruct (tau_of (f (tau 0))) as (m & _ & M0).
  { apply (next_in t (f (tau 0)) (f (tau 1))), shifts. }
  exists m. induction i as [|i IH]; [now symmetry |]. apply (after_one (f (tau i))); [apply shifts |]. rewrite IH. apply tau_next.
Qed.

Lemma back_iff m : (forall i, f (tau i) = tau (i + m)) -> forall k v, In v t -> (back f k v = true <-> (k * m) mod n = 0%nat).
Proof.
  intros H k v I. destruct (tau_of v I) as (i & _ & <-). assert (N0 : n <> 0%nat) by lia.
  assert (P : Nat.iter k f (tau i) = tau (i + k * m)).
  { induction k as [|k IH]; [cbn; now rewrite Nat.add_0_r |].
    change (Nat.iter (S k) f (tau i)) with (f (Nat.iter k f (tau i))). rewrite IH, H. f_equal. lia. }
  unfold back. rewrite P, Pos.eqb_eq. split.
  - intros E. apply tau_same in E. assert (X := Nat.div_mod (i + k * m) n N0). assert (Y := Nat.div_mod i n N0).
    rewrite E in X. apply Nat.mod_divide; [exact N0 |]. exists ((i + k * m) / n - i / n)%nat.
    rewrite Nat.mul_sub_distr_r. nia.
  - intros E. apply Nat.mod_divide in E as [x E]; [|exact N0]. rewrite E, Nat.mul_comm. apply tau_more.
Qed.

Lemma no_shift_no : no_shift s f = true -> False.
Proof.
  intros H. unfold no_shift in H. set (k := fold_right _ _ _) in H. set (d := Nat.div _ k) in H. set (col := colour _) in H.
  apply andb_true_iff in H as [B H]. apply existsb_exists in B as (v & Iv & B). apply (fits_in s t v F) in Iv.
  destruct shifted as [m M]. assert (BI := back_iff m M). apply (BI k v Iv) in B as K. assert (N0 : n <> 0%nat) by lia.
  apply orb_true_iff in H as [H | H].
  - apply existsb_exists in H as (w & Iw & W). apply (fits_in s t w F) in Iw. apply negb_true_iff in W.
    apply (BI k w Iw) in K. congruence.
  - rewrite !andb_true_iff in H. destruct H as [[E C] H]. apply Nat.eqb_eq in E. rewrite forallb_forall in C.
    assert (LV : length (vertices s) = n) by (symmetry; apply Permutation_length; apply F). rewrite LV in *.
    apply Nat.mod_divide in K as [q K]; [|exact N0].
    assert (S1 : (m = d * q)%nat) by nia.
    assert (Co : forall i, col (tau (S i)) = negb (col (tau i))).
    { intros i. assert (I := proj1 (fits_in s t _ F) (tau_in i)). apply C in I. rewrite forallb_forall in I.
      apply eqb_prop, I. apply F. left. apply tau_next. }
    assert (Cm : forall i x, col (tau (i + x)) = xorb (col (tau i)) (Nat.odd x)).
    { intros i x. induction x as [|x IH]; [rewrite Nat.add_0_r; now rewrite xorb_false_r |].
      rewrite Nat.add_succ_r, Co, IH, Nat.odd_succ, <- Nat.negb_odd. now destruct (col (tau i)), (Nat.odd x). }
    assert (Ne : Nat.odd n = false).
    { assert (X := Cm 0%nat n). replace (0 + n)%nat with (0 + n * 1)%nat in X by lia. rewrite tau_more in X.
      now destruct (col (tau 0)), (Nat.odd n). }
    assert (Cf : forall w, In w t -> Bool.eqb (col (f w)) (col w) = negb (Nat.odd m)).
    { intros w I. destruct (tau_of w I) as (i & _ & <-). rewrite M, Cm. now destruct (col (tau i)), (Nat.odd m). }
    assert (On : Nat.odd n = Nat.odd k && Nat.odd d) by (rewrite E; apply Nat.odd_mul).
    assert (Om : Nat.odd m = Nat.odd d && Nat.odd q) by (rewrite S1; apply Nat.odd_mul).
    destruct (Nat.odd d) eqn:Od.
    + apply existsb_exists in H as (w & Iw & H). apply (fits_in s t w F) in Iw. apply andb_true_iff in H as [H1 H2].
      rewrite (Cf w Iw) in H1. apply negb_true_iff in H1, H2.
      assert (Oq : Nat.odd q = false) by (rewrite H1 in Om; now destruct (Nat.odd q)).
      assert (Ok : Nat.odd k = false) by (rewrite Ne in On; now destruct (Nat.odd k)).
      assert (Dq := Nat.div2_odd q). assert (Dk := Nat.div2_odd k). rewrite Oq in Dq. rewrite Ok in Dk. cbn [Nat.b2n] in Dq, Dk.
      assert (Z : back f (Nat.div2 k) w = true); [|congruence]. apply (BI _ w Iw). apply Nat.mod_divide; [exact N0 |].
      exists (Nat.div2 q). nia.
    + apply existsb_exists in H as (w & Iw & H). apply (fits_in s t w F) in Iw.
      rewrite (Cf w Iw), Om in H. discriminate.
Qed.

End Shift.

(* ---- reversals *)

Section Reversal.

Hypothesis reverses : forall i, next t (f (tau (S i))) (f (tau i)).

Lemma reversed : exists c, (c < n)%nat /\ forall i, f (tau i) = tau (c + (n - 1) * i).
Proof.
  destruct (tau_of (f (tau 0))) as (c & L & C).
  { apply (next_in t (f (tau 1)) (f (tau 0))), reverses. }
  exists c. split; [exact L |]. induction i as [|i IH]; [rewrite Nat.mul_0_r, Nat.add_0_r; now symmetry |].
  apply (before_one (f (tau i))); [apply reverses |]. rewrite IH.
  replace (tau (c + (n - 1) * i)) with (tau (S (c + (n - 1) * S i))); [apply tau_next |].
  rewrite <- (tau_more (c + (n - 1) * i) 1). f_equal. nia.
Qed.

Lemma halves m : (m < 2 * n)%nat -> count (fun i => Nat.eqb (2 * i) m) (seq 0 n) = if Nat.odd m then 0%nat else 1%nat.
Proof.
  intros L. assert (D := Nat.div2_odd m). unfold count. destruct (Nat.odd m) eqn:O; cbn [Nat.b2n] in D.
  - destruct (filter _ _) as [|i r] eqn:E; [reflexivity | exfalso].
    assert (I : In i (i :: r)) by now left. rewrite <- E in I. apply filter_In in I as [_ I]. apply Nat.eqb_eq in I. lia.
  - transitivity (length [Nat.div2 m]); [|reflexivity]. apply Permutation_length, NoDup_Permutation.
    + apply NoDup_filter, seq_NoDup.
    + repeat constructor. intros [].
    + intros i. rewrite filter_In, in_seq, Nat.eqb_eq. cbn [In]. lia.
Qed.

Lemma halves_up m : m < 2 * n -> count (fun i => Nat.eqb (2 * S i) (S m)) (seq 0 n) = if Nat.odd m then 1 else 0.
Proof.
  intros L. assert (D := Nat.div2_odd m). unfold count. destruct (Nat.odd m) eqn:O; cbn [Nat.b2n] in D.
  - transitivity (length [Nat.div2 m]); [|reflexivity]. apply Permutation_length, NoDup_Permutation.
    + apply NoDup_filter, seq_NoDup.
    + repeat constructor. intros [].
    + intros i. rewrite filter_In, in_seq, Nat.eqb_eq. cbn [In]. lia.
  - destruct (filter _ _) as [|i r] eqn:E; [reflexivity | exfalso].
    assert (I : In i (i :: r)) by now left. rewrite <- E in I. apply filter_In in I as [_ I]. apply Nat.eqb_eq in I. lia.
Qed.

Lemma count_tau (p : positive -> bool) : count p t = count (fun i => p (tau i)) (seq 0 n).
Proof.
  assert (E : t = map tau (seq 0 n)).
  { apply (nth_ext _ _ xH (tau 0)); [now rewrite map_length, seq_length |]. intros i L. fold n in L.
    rewrite (map_nth tau), seq_nth by exact L. unfold tau. cbn [plus]. now rewrite Nat.mod_small. }
  rewrite E at 1. apply count_map.
Qed.

Lemma no_reversal_no : no_reversal s f = true -> False.
Proof.
  intros H. unfold no_reversal in H. destruct reversed as (c & Lc & C). assert (N0 : n <> 0%nat) by lia.
  assert (LV : length (vertices s) = n) by (symmetry; apply Permutation_length; apply F). rewrite LV in H.
  assert (Tw : forall v, In v t -> f (f v) = v).
  { intros v I. destruct (tau_of v I) as (i & _ & <-). rewrite !C. rewrite <- (tau_more i (c + (n - 2) * i)). f_equal.
    assert (X : n = S (S (n - 2))) by lia. replace (n - 1) with (S (n - 2)) by lia. rewrite X at 3. generalize (n - 2). intros k. ring. }
  assert (Fx : forall i, (i < n)%nat -> Pos.eqb (f (tau i)) (tau i) = Nat.eqb (2 * i) c || Nat.eqb (2 * i) (c + n)).
  { intros i L. apply eq_true_iff_eq. rewrite orb_true_iff, !Nat.eqb_eq, Pos.eqb_eq, C. split.
    - intros E. apply tau_same in E. rewrite (Nat.mod_small i) in E by exact L.
      assert (X := Nat.div_mod (c + (n - 1) * i) n N0). rewrite E in X. set (y := ((c + (n - 1) * i) / n)%nat) in *. clearbody y.
      assert (G : (c + n * i = 2 * i + n * y)%nat) by nia.
      destruct (Nat.lt_trichotomy y i) as [Q | [-> | Q]]; [right | left; lia | exfalso; nia].
      assert (i = S y) by nia. subst i. nia.
    - intros [E | E].
      + rewrite <- (tau_more i i). f_equal. nia.
      + destruct i as [|i]; [lia |]. rewrite <- (tau_more (S i) i). f_equal. nia. }
  assert (CF : length (filter (fun v => Pos.eqb (f v) v) (vertices s)) =
     ((if Nat.odd c then 0 else 1) + (if Nat.odd (c + n) then 0 else 1))%nat).
  { change (count (fun v => Pos.eqb (f v) v) (vertices s) = ((if Nat.odd c then 0 else 1) + (if Nat.odd (c + n) then 0 else 1))%nat).
    rewrite <- (count_permutation _ t (vertices s)) by apply F. rewrite count_tau.
    rewrite (count_ext _ (fun i => Nat.eqb (2 * i) c || Nat.eqb (2 * i) (c + n))) by (intros i I; apply Fx; apply in_seq in I; lia).
    rewrite <- (halves c), <- (halves (c + n)) by lia. unfold count.
    induction (seq 0 n) as [|i r IH]; [reflexivity |]. cbn [filter].
    destruct (Nat.eqb_spec (2 * i) c), (Nat.eqb_spec (2 * i) (c + n)); cbn [orb length]; lia. }
  assert (Oc : Nat.odd (c + n) = xorb (Nat.odd c) (Nat.odd n)) by apply Nat.odd_add.
  set (fixed := length (filter (fun v => Pos.eqb (f v) v) (vertices s))) in *.
  (* edges whose ends change places *)
  set (turned_at := filter (fun i => Nat.eqb (2 * S i) (S c) || Nat.eqb (2 * S i) (S (c + n))) (seq 0 n)).
  assert (FE : (length turned_at <= length (filter (fun e => Pos.eqb (f (fst e)) (snd e)) (all_edges s)))%nat).
  { rewrite <- (map_length (fun i => ordered (tau i, tau (S i)))). apply NoDup_incl_length.
    - assert (W : forall i, In i turned_at -> (i < n)%nat) by (intros i I; apply filter_In in I as [I _]; apply in_seq in I; lia).
      assert (NW : NoDup turned_at) by (apply NoDup_filter, seq_NoDup). revert W NW. generalize turned_at as l.
      induction l as [|i r IH]; intros W NW; cbn [map]; constructor;
        [| apply NoDup_cons_iff in NW as [_ NW]; apply IH; [intros j J; apply W; now right | exact NW]].
      apply NoDup_cons_iff in NW as [NW _]. rewrite in_map_iff. intros (j & E & J).
      assert (P := tau_next i). assert (Q := tau_next j). unfold ordered in E. cbn [fst snd] in E.
      assert (X : tau i = tau j -> False).
      { assert (Wi : i < n) by (apply W; now left). assert (Wj : j < n) by (apply W; now right).
        intros X. apply tau_same in X. rewrite (Nat.mod_small i n Wi), (Nat.mod_small j n Wj) in X. subst. tauto. }
      destruct (Pos.ltb (tau j) (tau (S j))), (Pos.ltb (tau i) (tau (S i))); injection E as E1 E2.
      + apply X. congruence.
      + apply (not_both _ _ P). rewrite <- E1, <- E2. exact Q.
      + apply (not_both _ _ P). rewrite <- E1, <- E2. exact Q.
      + apply X. congruence.
    - intros e I. apply in_map_iff in I as (i & <- & I). apply filter_In in I as [Ii I]. apply in_seq in Ii.
      rewrite orb_true_iff, !Nat.eqb_eq in I.
      assert (T1 : f (tau i) = tau (S i)).
      { rewrite C. destruct I as [I | I].
        - rewrite <- (tau_more (S i) i). f_equal. nia.
        - destruct i as [|i]; [lia |]. rewrite <- (tau_more (S (S i)) i). f_equal. nia. }
      assert (T2 : f (tau (S i)) = tau i) by (rewrite <- T1; apply Tw, tau_in).
      assert (X := tau_next i). assert (NL := no_loop t (tau i) (conj long different)).
      apply filter_In. unfold ordered. cbn [fst snd].
      destruct (Pos.ltb_spec (tau i) (tau (S i))); cbn [fst snd]; rewrite ?T1, ?T2, Pos.eqb_refl; (split; [|reflexivity]);
        apply (all_edges_in s t F); (split; [apply tau_in | split; [apply F; unfold edge; auto |]]); [assumption |].
      destruct (Pos.eq_dec (tau i) (tau (S i))) as [D | D]; [exfalso; apply NL; rewrite D at 2; now left | lia]. }
  assert (LT : length turned_at = ((if Nat.odd c then 1 else 0) + (if Nat.odd (c + n) then 1 else 0))%nat).
  { unfold turned_at.
    rewrite <- (halves_up c), <- (halves_up (c + n)) by lia. clear - N0. unfold count.
    induction (seq 0 n) as [|i r IH]; [reflexivity |]. cbn [filter].
    destruct (Nat.eqb_spec (2 * S i) (S c)), (Nat.eqb_spec (2 * S i) (S (c + n))); cbn [orb length]; lia. }
  rewrite !orb_true_iff in H. destruct H as [[[H | H] | H] | H].
  - apply existsb_exists in H as (v & I & H). apply (fits_in s t v F) in I. rewrite (Tw v I), Pos.eqb_refl in H. discriminate.
  - apply Nat.ltb_lt in H. destruct (Nat.odd c), (Nat.odd (c + n)); lia.
  - rewrite CF, Oc in H. destruct (Nat.odd c), (Nat.odd n); discriminate.
  - apply Nat.ltb_lt in H. rewrite CF in H. destruct (Nat.odd c), (Nat.odd (c + n)); lia.
Qed.

End Reversal.

End Symmetry.

Theorem symmetry_no d s t : symmetry d s = true -> fits s t -> ~ symmetric_under (image d) t.
Proof.
  intros H F K. unfold symmetry in H. destruct (image d) as [i|]; [|discriminate].
  rewrite !andb_true_iff in H. destruct H as [[M A] B]. destruct (members_spec s t _ F M) as [N _].
  destruct (shift_or_reverse s t (at_map i) F K N) as [P | P].
  - eapply no_shift_no; eassumption.
  - eapply no_reversal_no; eassumption.
Qed.

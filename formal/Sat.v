(* A refutation of the clauses of a graph shows that it has no Hamiltonian cycle. *)

From Coq Require Import PArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Checker Rules Symmetry Contraction Soundness Clauses.
Import ListNotations.

(* ---- numbers of edges *)

Lemma number_from_in k edges j e : In (j, e) (number_from k edges) -> In e edges /\ (k <= j)%positive.
Proof.
  revert k. induction edges as [|f r IH]; intros k H; [destruct H |]. destruct H as [H | H].
  - injection H as -> ->. split; [now left | lia].
  - apply IH in H as [H L]. split; [now right | lia].
Qed.

Lemma number_from_has k edges e : In e edges -> exists j, In (j, e) (number_from k edges).
Proof.
  revert k. induction edges as [|f r IH]; intros k []; [exists k; left; congruence |].
  destruct (IH (Pos.succ k) H) as [j J]. exists j. now right.
Qed.

Lemma number_from_below k edges j e : In (j, e) (number_from k edges) -> (j < shift k (length edges))%positive.
Proof.
  assert (L : forall n k, (k <= shift k n)%positive).
  { induction n as [|n IH]; intros i; cbn; [lia |]. specialize (IH (Pos.succ i)). lia. }
  revert k. induction edges as [|f r IH]; intros k H; [destruct H |]. cbn. destruct H as [H | H].
  - injection H as -> _. specialize (L (length r) (Pos.succ j)). lia.
  - now apply IH.
Qed.

Lemma number_from_length k edges : length (number_from k edges) = length edges.
Proof. revert k. induction edges as [|f r IH]; intros k; cbn; [reflexivity | now rewrite IH]. Qed.

Lemma number_from_keys k edges : NoDup (map fst (number_from k edges)).
Proof.
  revert k. induction edges as [|f r IH]; intros k; cbn; constructor; [|apply IH].
  rewrite in_map_iff. intros ([j e] & E & H). cbn in E. subst j. apply number_from_in in H as [_ L]. lia.
Qed.

Lemma key_once (g : numbered) k e f : NoDup (map fst g) -> In (k, e) g -> In (k, f) g -> e = f.
Proof.
  induction g as [|[j d] g IH]; [intros _ []|]. cbn. intros N. apply NoDup_cons_iff in N as [NI N].
  intros [E | E] [F | F].
  - congruence.
  - injection E as -> ->. exfalso. apply NI, in_map_iff. exists (k, f). auto.
  - injection F as -> ->. exfalso. apply NI, in_map_iff. exists (k, e). auto.
  - now apply IH.
Qed.

Lemma edge_once k edges i j e : NoDup edges -> In (i, e) (number_from k edges) -> In (j, e) (number_from k edges) -> i = j.
Proof.
  revert k. induction edges as [|f r IH]; intros k N; [intros []|]. apply NoDup_cons_iff in N as [NI N]. cbn.
  intros [E | E] [F | F].
  - congruence.
  - injection E as -> ->. apply number_from_in in F. tauto.
  - injection F as -> ->. apply number_from_in in E. tauto.
  - now apply (IH (Pos.succ k)).
Qed.

Definition before (e f : positive * positive) : bool :=
  Pos.ltb (fst e) (fst f) || (Pos.eqb (fst e) (fst f) && Pos.ltb (snd e) (snd f)).

Lemma before_spec e f : before e f = true <-> (fst e < fst f)%positive \/ (fst e = fst f /\ (snd e < snd f)%positive).
Proof. unfold before. rewrite orb_true_iff, andb_true_iff, !Pos.ltb_lt, Pos.eqb_eq. tauto. Qed.

Lemma ascending_nodup edges : ascending edges = true -> NoDup edges.
Proof.
  assert (G : forall r e, ascending (e :: r) = true -> NoDup (e :: r) /\ forall f, In f r -> before e f = true).
  { induction r as [|f r IH]; intros e H; [split; [repeat constructor; intros [] | intros f []] |].
    change (before e f && ascending (f :: r) = true) in H. apply andb_true_iff in H as [B H].
    destruct (IH f H) as [N L].
    assert (K : forall h, In h (f :: r) -> before e h = true).
    { intros h [<- | I]; [exact B |]. apply L in I. rewrite before_spec in *. destruct e, f, h. cbn in *. lia. }
    split; [|exact K]. constructor; [|exact N]. intros I. apply K, before_spec in I. lia. }
  destruct edges as [|e r]; [constructor |]. intros H. now apply (G r e).
Qed.

(* ---- values of variables *)

Definition change_one (s : positive -> bool) (k : positive) (b : bool) (j : positive) : bool := if Pos.eqb j k then b else s j.

Fixpoint extend (s : positive -> bool) (k : positive) (bs : list bool) : positive -> bool :=
  match bs with [] => s | b :: r => extend (change_one s k b) (Pos.succ k) r end.

Fixpoint reads (s : positive -> bool) (k : positive) (bs : list bool) : Prop :=
  match bs with [] => True | b :: r => s k = b /\ reads s (Pos.succ k) r end.

Lemma extend_below bs : forall s k j, (j < k)%positive -> extend s k bs j = s j.
Proof.
  induction bs as [|b r IH]; intros s k j L; cbn; [reflexivity |]. rewrite IH by lia. unfold change_one.
  destruct (Pos.eqb_spec j k); [lia | reflexivity].
Qed.

Lemma extend_reads bs : forall s k, reads (extend s k bs) k bs.
Proof.
  induction bs as [|b r IH]; intros s k; cbn; [exact Logic.I |]. split; [|apply IH].
  rewrite extend_below by lia. unfold change_one. now rewrite Pos.eqb_refl.
Qed.

Lemma reads_app s b1 : forall k b2, reads s k (b1 ++ b2) <-> reads s k b1 /\ reads s (shift k (length b1)) b2.
Proof. induction b1 as [|b r IH]; intros k b2; cbn; [tauto |]. rewrite IH. tauto. Qed.

Lemma reads_variables s bs : forall k, reads s k bs -> map s (variables_from k (length bs)) = bs.
Proof. induction bs as [|b r IH]; intros k; cbn; [reflexivity |]. intros [-> R]. f_equal. now apply IH. Qed.

Lemma shift_add k n : forall m, shift k (n + m) = shift (shift k n) m.
Proof. revert k. induction n as [|n IH]; intros k m; cbn; [reflexivity | apply IH]. Qed.

Lemma literal_true s k b c : s k = b -> In (k, b) c -> satisfies s c.
Proof. intros H I. exists (k, b). auto. Qed.

Ltac some_literal := match goal with H : ?s ?k = ?b |- satisfies ?s _ => solve [apply (literal_true s k b _ H); cbn; auto 8] end.

(* ---- sequential counters *)

Section Counter.

Variable s : positive -> bool.

Fixpoint sums (p : nat) (l : list positive) : list nat :=
  match l with [] => [] | e :: r => let p := (p + Nat.b2n (s e))%nat in p :: sums p r end.

Lemma counter_right l : forall one two o w p,
  s one = Nat.leb 1 p -> match two with Some b => s b = Nat.leb 2 p | None => (p <= 1)%nat end ->
  reads s o (map (Nat.leb 1) (removelast (sums p l))) -> reads s w (map (Nat.leb 2) (sums p l)) ->
  (p + count s l = 2)%nat -> forall c, In c (counter one two o w l) -> satisfies s c.
Proof.
  induction l as [|e r IH]; intros one two o w p T1 T2 RO RW C c I.
  - cbn in C. replace p with 2%nat in * by (cbn in C; lia). destruct two as [b|]; [|destruct I].
    destruct I as [<- | []]. cbn in T2. some_literal.
  - cbn [sums] in RO, RW. set (p' := (p + Nat.b2n (s e))%nat) in *. cbn [map reads] in RW. destruct RW as [TW RW].
    assert (C' : (p' + count s r = 2)%nat).
    { unfold p'. unfold count in *. cbn in C. destruct (s e); cbn in *; lia. }
    assert (EP : p' = (p + Nat.b2n (s e))%nat) by reflexivity. clearbody p'.
    cbn [counter] in I. rewrite !in_app_iff in I. destruct I as [I | [I | [I | I]]].
    + destruct r as [|e2 r]; [destruct I |].
      change (reads s o (map (Nat.leb 1) (p' :: removelast (sums p' (e2 :: r))))) in RO. destruct RO as [TO _].
      destruct (s e) eqn:TE; cbn in EP; destruct (Nat.leb_spec 1 p), (Nat.leb_spec 1 p'); try lia;
        repeat destruct I as [<- | I]; try destruct I; some_literal.
    + destruct two as [b|]; [|destruct I].
      destruct (s e) eqn:TE; cbn in EP; destruct (Nat.leb_spec 2 p), (Nat.leb_spec 2 p'); try lia;
        repeat destruct I as [<- | I]; try destruct I; some_literal.
    + destruct two as [b|]; destruct (s e) eqn:TE; cbn in EP;
        destruct (Nat.leb_spec 1 p), (Nat.leb_spec 2 p), (Nat.leb_spec 2 p'); try lia;
        repeat destruct I as [<- | I]; try destruct I; some_literal.
    + destruct r as [|e2 r].
      * cbn in I. destruct I as [<- | []]. unfold count in C'. cbn in C'. replace p' with 2%nat in TW by lia. some_literal.
      * change (reads s o (map (Nat.leb 1) (p' :: removelast (sums p' (e2 :: r))))) in RO. destruct RO as [TO RO].
        now apply (IH o (Some w) (Pos.succ o) (Pos.succ w) p').
Qed.

Definition counter_values (l : list positive) : list bool :=
  if few l then [] else
  match l with
  | e :: r => let k := sums (Nat.b2n (s e)) r in map (Nat.leb 1) (removelast k) ++ map (Nat.leb 2) k
  | [] => []
  end.

Lemma sums_length l : forall p, length (sums p l) = length l.
Proof. induction l as [|e r IH]; intros p; cbn; [reflexivity | now rewrite IH]. Qed.

Lemma removelast_length {A} (l : list A) : length (removelast l) = (length l - 1)%nat.
Proof. induction l as [|x [|y r] IH]; [reflexivity | reflexivity |]. cbn [removelast length] in *. rewrite IH. lia. Qed.

Lemma counter_values_length l : length (counter_values l) = width l.
Proof.
  unfold counter_values, width. destruct (few l) eqn:F; [reflexivity |]. unfold few in F. apply Nat.ltb_ge in F.
  destruct l as [|e r]; [cbn in F; lia |]. rewrite app_length, !map_length, removelast_length, sums_length.
  cbn [length] in *. lia.
Qed.

End Counter.

Lemma sums_ext s u l : (forall e, In e l -> s e = u e) -> forall p, sums s p l = sums u p l.
Proof.
  induction l as [|e r IH]; intros E p; cbn; [reflexivity |]. rewrite (E e (or_introl eq_refl)), IH; [reflexivity |].
  intros f I. apply E. now right.
Qed.

Lemma counter_values_ext s u l : (forall e, In e l -> s e = u e) -> counter_values s l = counter_values u l.
Proof.
  intros E. unfold counter_values. destruct (few l); [reflexivity |]. destruct l as [|e r]; [reflexivity |].
  rewrite (E e (or_introl eq_refl)), (sums_ext s u r); [reflexivity |]. intros f I. apply E. now right.
Qed.

(* ---- two edges *)

(* Two of these variables are true. *)
Definition two_of (s : positive -> bool) (l : list positive) : Prop := NoDup l /\
  exists i j, i <> j /\ In i l /\ In j l /\ forall k, In k l -> (s k = true <-> k = i \/ k = j).

Lemma two_of_count s l : two_of s l -> count s l = 2%nat.
Proof.
  intros (N & i & j & D & Ii & Ij & U). unfold count. change 2%nat with (length [i; j]).
  apply Permutation_length, NoDup_Permutation; [now apply NoDup_filter | |].
  - constructor; [intros [E | []]; congruence | constructor; [intros [] | constructor]].
  - intros k. rewrite filter_In. cbn. split.
    + intros [I T]. apply U in T; [|exact I]. intuition.
    + intros [<- | [<- | []]]; (split; [assumption |]); apply U; auto.
Qed.

Lemma at_least_holds s l c : two_of s l -> In c (at_least l) -> satisfies s c.
Proof.
  intros (N & i & j & D & Ii & Ij & U) I.
  assert (K : exists k, c = map (fun j => (j, true)) (without k l)).
  { unfold at_least in I. destruct l as [|k0 l]; [destruct Ii |]. apply in_map_iff in I as (k & <- & _). eauto. }
  destruct K as [k ->]. destruct (Pos.eq_dec i k) as [-> | Dk].
  - apply (literal_true s j true); [apply U; auto |]. apply in_map_iff. exists j. rewrite without_in. auto.
  - apply (literal_true s i true); [apply U; auto |]. apply in_map_iff. exists i. rewrite without_in. auto.
Qed.

Lemma at_most_shape l c : NoDup l -> In c (at_most l) ->
  exists i j k, c = [(i, false); (j, false); (k, false)] /\ In i l /\ In j l /\ In k l /\ i <> j /\ i <> k /\ j <> k.
Proof.
  induction l as [|i l IH]; intros N I; [destruct I |]. apply NoDup_cons_iff in N as [NI N]. cbn [at_most] in I.
  apply in_app_iff in I as [I | I].
  - assert (G : forall r, NoDup r -> (forall x, In x r -> In x l) -> In c ((fix second (l : list positive) : list clause :=
        match l with [] => [] | b :: r => map (fun c => [(i, false); (b, false); (c, false)]) r ++ second r end) r) ->
        exists j k, c = [(i, false); (j, false); (k, false)] /\ In j l /\ In k l /\ j <> k).
    { induction r as [|j r IHr]; intros Nr Lr H; [destruct H |]. apply NoDup_cons_iff in Nr as [NJ Nr].
      apply in_app_iff in H as [H | H].
      - apply in_map_iff in H as (k & <- & K). exists j, k. split; [reflexivity | split; [|split]].
        + apply Lr. now left.
        + apply Lr. now right.
        + intros ->. auto.
      - apply IHr; auto. intros x X. apply Lr. now right. }
    destruct (G l N (fun x X => X) I) as (j & k & -> & J & K & D). exists i, j, k. cbn.
    repeat split; auto; intros ->; auto.
  - destruct (IH N I) as (a & b & d & -> & A & B & C & D). exists a, b, d. cbn. tauto.
Qed.

Lemma at_most_holds s l c : two_of s l -> In c (at_most l) -> satisfies s c.
Proof.
  intros (N & i & j & _ & _ & _ & U) I.
  destruct (at_most_shape l c N I) as (x & y & z & -> & Ix & Iy & Iz & XY & XZ & YZ).
  destruct (s x) eqn:X; [|some_literal]. destruct (s y) eqn:Y; [|some_literal]. destruct (s z) eqn:Z; [|some_literal].
  apply U in X, Y, Z; try assumption. destruct X, Y, Z; subst; tauto.
Qed.

Lemma two_each_right s rows : (forall l, In l rows -> two_of s l) ->
  forall free, reads s free (flat_map (counter_values s) rows) -> forall c, In c (two_each free rows) -> satisfies s c.
Proof.
  induction rows as [|l r IH]; intros T free R c I; [destruct I |]. cbn [two_each flat_map] in *.
  apply reads_app in R as [R1 R2]. rewrite counter_values_length in R2. assert (Tl := T l (or_introl eq_refl)).
  apply in_app_iff in I as [I | I]; [|apply (IH (fun k K => T k (or_intror K)) _ R2 c I)].
  unfold two_edges in I. unfold counter_values in R1. destruct (few l) eqn:F.
  - apply in_app_iff in I as [I | I]; [now apply (at_least_holds s l) | now apply (at_most_holds s l)].
  - destruct l as [|e l]; [destruct I |]. apply reads_app in R1 as [RO RW].
    rewrite map_length, removelast_length, sums_length in RW.
    assert (C := two_of_count s _ Tl). unfold count in C. cbn in C.
    refine (counter_right s l e None free _ (Nat.b2n (s e)) _ _ RO RW _ c I).
    + now destruct (s e).
    + destruct (s e); cbn; lia.
    + unfold count. destruct (s e); cbn in *; lia.
Qed.

Lemma values_length s rows : length (flat_map (counter_values s) rows) = widths rows.
Proof. induction rows as [|l r IH]; cbn; [reflexivity |]. now rewrite app_length, counter_values_length, IH. Qed.

(* ---- totalizers *)

Definition reached (n : nat) (bs : list bool) : list bool :=
  map (fun i => Nat.leb i (count (fun b => b) bs)) (seq 1 n).

Fixpoint totals (fuel enough : nat) (bs : list bool) : list bool :=
  match fuel, bs with
  | S fuel, _ :: _ :: _ =>
      let half := Nat.div2 (length bs) in
      totals fuel enough (firstn half bs) ++ totals fuel enough (skipn half bs) ++ reached (min (length bs) enough) bs
  | _, _ => []
  end.

Lemma reached_nth s outputs n bs i : map s outputs = reached n bs -> (i < n)%nat ->
  s (nth i outputs xH) = Nat.leb (S i) (count (fun b => b) bs).
Proof.
  intros E L. rewrite <- (map_nth s), E. unfold reached.
  rewrite (nth_indep _ _ (Nat.leb 0 (count (fun b => b) bs))) by (now rewrite map_length, seq_length).
  rewrite (map_nth (fun i => Nat.leb i (count (fun b => b) bs))), seq_nth by exact L. reflexivity.
Qed.

Lemma reached_length n bs : length (reached n bs) = n.
Proof. unfold reached. now rewrite map_length, seq_length. Qed.

Lemma count_app {A} (p : A -> bool) l k : count p (l ++ k) = (count p l + count p k)%nat.
Proof. unfold count. induction l as [|x l IH]; cbn; [reflexivity |]. destruct (p x); cbn; lia. Qed.

Lemma sums_of_right s low high outputs n1 n2 n b1 b2 : (1 <= n)%nat -> (n1 <= length b1)%nat ->
  map s low = reached n1 b1 -> map s high = reached n2 b2 -> map s outputs = reached n (b1 ++ b2) ->
  forall c, In c (sums_of low high outputs) -> satisfies s c.
Proof.
  intros N1 _ L H O c I. unfold sums_of in I. apply in_flat_map in I as (i & Ii & I). apply in_flat_map in I as (j & Ij & I).
  apply in_seq in Ii, Ij. assert (LL := f_equal (@length bool) L). assert (LH := f_equal (@length bool) H).
  assert (LO := f_equal (@length bool) O). rewrite map_length, reached_length in LL, LH, LO.
  destruct (Nat.eqb_spec (i + j) 0) as [Z | Z]; [destruct I |]. destruct I as [<- | []].
  set (m := min (i + j) (length outputs)).
  assert (T : s (nth (m - 1) outputs xH) = Nat.leb m (count (fun b => b) (b1 ++ b2))).
  { rewrite (reached_nth s outputs n (b1 ++ b2)); [f_equal; lia | exact O | lia]. }
  assert (A : (exists k, i = S k /\ s (nth k low xH) = false) \/ (i <= count (fun b => b) b1)%nat).
  { destruct i as [|k]; [right; lia |]. assert (Q := reached_nth s low n1 b1 k L ltac:(lia)).
    destruct (Nat.leb_spec (S k) (count (fun b => b) b1)); [auto | left; eauto]. }
  assert (B : (exists k, j = S k /\ s (nth k high xH) = false) \/ (j <= count (fun b => b) b2)%nat).
  { destruct j as [|k]; [right; lia |]. assert (Q := reached_nth s high n2 b2 k H ltac:(lia)).
    destruct (Nat.leb_spec (S k) (count (fun b => b) b2)); [auto | left; eauto]. }
  destruct A as [(k & -> & A) | A].
  { apply (literal_true s _ _ _ A). now left. }
  destruct B as [(k & -> & B) | B].
  { apply (literal_true s _ _ _ B). rewrite !in_app_iff. right. left. now left. }
  apply (literal_true s (nth (m - 1) outputs xH) true); [|rewrite !in_app_iff; right; right; now left].
  rewrite T. apply Nat.leb_le. rewrite count_app. lia.
Qed.

Lemma totalizer_right s enough : (1 <= enough)%nat -> forall fuel counted free, (length counted <= S fuel)%nat ->
  let '(cs, outputs, next) := totalizer fuel enough free counted in
  let bs := map s counted in
  next = shift free (length (totals fuel enough bs)) /\
  (reads s free (totals fuel enough bs) ->
    (forall c, In c cs -> satisfies s c) /\ map s outputs = reached (min (length counted) enough) bs).
Proof.
  intros E1. induction fuel as [|fuel IH]; intros counted free L.
  - cbn. split; [reflexivity |]. intros _. split; [intros c [] |]. destruct counted as [|x [|y r]]; cbn in *; [reflexivity | | lia].
    destruct enough; [lia |]. unfold reached, count. cbn. now destruct (s x).
  - destruct counted as [|x [|y r]].
    + cbn. repeat split; auto. intros c [].
    + cbn. repeat split; auto; [intros c [] |]. destruct enough; [lia |]. unfold reached, count. cbn. now destruct (s x).
    + cbn [totalizer]. set (counted := x :: y :: r) in *. set (half := Nat.div2 (length counted)).
      assert (LC : (2 <= length counted)%nat) by (cbn; lia).
      assert (HL : (1 <= half /\ half < length counted)%nat).
      { unfold half. assert (D := Nat.div2_odd (length counted)). destruct (Nat.odd (length counted)); cbn [Nat.b2n] in D; lia. }
      assert (L1 : length (firstn half counted) = half) by (apply firstn_length_le; lia).
      assert (L2 : length (skipn half counted) = (length counted - half)%nat) by apply skipn_length.
      assert (I1 := IH (firstn half counted) free ltac:(lia)).
      destruct (totalizer fuel enough free (firstn half counted)) as [[one low] free1].
      assert (I2 := IH (skipn half counted) free1 ltac:(lia)).
      destruct (totalizer fuel enough free1 (skipn half counted)) as [[two high] free2].
      cbn zeta in *. destruct I1 as [-> I1], I2 as [-> I2].
      assert (ET : totals (S fuel) enough (map s counted) =
        totals fuel enough (map s (firstn half counted)) ++ totals fuel enough (map s (skipn half counted)) ++
        reached (min (length counted) enough) (map s counted)).
      { cbn [map totals]. unfold counted in *. rewrite <- firstn_map, <- skipn_map. unfold half. cbn [length map].
        now rewrite map_length. }
      rewrite ET. rewrite !app_length, reached_length, !shift_add. split; [reflexivity |].
      intros R. apply reads_app in R as [R1 R]. apply reads_app in R as [R2 R3].
      destruct (I1 R1) as [C1 O1]. destruct (I2 R2) as [C2 O2].
      assert (O := reads_variables s _ _ R3). rewrite reached_length in O. split; [|exact O].
      intros c I. rewrite !in_app_iff in I. destruct I as [I | [I | I]]; [auto | auto |].
      refine (sums_of_right s low high _ _ _ (min (length counted) enough) (map s (firstn half counted)) (map s (skipn half counted))
        _ _ O1 O2 _ c I); [lia | rewrite map_length; lia |].
      rewrite <- map_app, firstn_skipn. exact O.
Qed.

(* ---- events *)

Definition clause_true (s : positive -> bool) (c : clause) : bool := existsb (fun l => Bool.eqb (s (fst l)) (snd l)) c.
Definition happens (s : positive -> bool) (event : list clause) : bool := negb (forallb (clause_true s) event).

Lemma clause_true_satisfies s c : clause_true s c = true -> satisfies s c.
Proof. intros H. apply existsb_exists in H as (l & I & E). apply eqb_prop in E. exists l. auto. Qed.

Lemma event_clauses_right s u (events : list (list clause)) : (forall e c l, In e events -> In c e -> In l c -> s (fst l) = u (fst l)) ->
  forall free, reads s free (map (happens u) events) -> forall c, In c (event_clauses free events) -> satisfies s c.
Proof.
  induction events as [|e r IH]; intros E free R c I; [destruct I |]. cbn [event_clauses map reads] in *. destruct R as [T R].
  apply in_app_iff in I as [I | I].
  - apply in_map_iff in I as (d & <- & I). destruct (happens u e) eqn:H.
    + apply (literal_true s free true _ T). apply in_app_iff. right. now left.
    + unfold happens in H. apply negb_false_iff in H. rewrite forallb_forall in H. apply H in I as X.
      apply clause_true_satisfies in X as (l & Il & Hl). exists l. split; [apply in_app_iff; now left |].
      unfold holds in *. rewrite (E e d l); auto. now left.
  - apply (IH (fun e' c' l' I1 => E e' c' l' (or_intror I1)) _ R c I).
Qed.

Lemma bound_right s u most (events : list (list clause)) free : (forall e c l, In e events -> In c e -> In l c -> s (fst l) = u (fst l)) ->
  (count (happens u) events <= most)%nat ->
  reads s free (map (happens u) events ++ totals (length events) (S most) (map (happens u) events)) ->
  forall c, In c (bound_clauses free most events) -> satisfies s c.
Proof.
  intros E M R c I. apply reads_app in R as [R1 R2]. rewrite map_length in R2.
  assert (V : map s (variables_from free (length events)) = map (happens u) events).
  { rewrite <- (map_length (happens u) events). now apply reads_variables. }
  assert (LV : length (variables_from free (length events)) = length events).
  { now rewrite <- (map_length s), V, map_length. }
  unfold bound_clauses in I.
  assert (T := totalizer_right s (S most) ltac:(lia) (length events) (variables_from free (length events))
                 (shift free (length events)) ltac:(lia)).
  destruct (totalizer _ _ _ _) as [[cs outputs] next]. cbn zeta in T. rewrite V in T. destruct T as [_ T].
  destruct (T R2) as [C O]. rewrite !in_app_iff in I. destruct I as [I | [I | I]]; [| now apply C |].
  - now apply (event_clauses_right s u events E free R1).
  - apply in_map_iff in I as (k & <- & I). apply (literal_true s k false); [|now left].
    destruct (Nat.lt_ge_cases most (length outputs)) as [L | L].
    + rewrite <- (firstn_skipn most outputs) in O. assert (K : exists r, skipn most outputs = k :: r).
      { destruct (skipn most outputs) as [|x r]; [destruct I |]. cbn in I. destruct I as [-> | []]. eauto. }
      destruct K as [r K]. rewrite (firstn_skipn most outputs) in O.
      assert (N : nth most outputs xH = k).
      { rewrite <- (firstn_skipn most outputs), K, app_nth2; rewrite firstn_length_le; try lia. now rewrite Nat.sub_diag. }
      assert (LO := f_equal (@length bool) O). rewrite map_length, reached_length in LO.
      assert (X : s (nth most outputs xH) = Nat.leb (S most) (count (fun b => b) (map (happens u) events))).
      { apply (reached_nth s outputs _ _ most O). lia. }
      assert (Y : count (fun b => b) (map (happens u) events) = count (happens u) events) by exact (count_map (happens u) (fun b => b) events).
      rewrite <- N, X. apply Nat.leb_gt. rewrite Y. lia.
    + rewrite skipn_all2 in I by exact L. destruct I.
Qed.

(* ---- the clauses of a graph *)

Definition in_cycle (t : list positive) (e : positive * positive) : bool :=
  existsb (fun f => (Pos.eqb (fst e) (fst f) && Pos.eqb (snd e) (snd f)) || (Pos.eqb (fst e) (snd f) && Pos.eqb (snd e) (fst f)))
    (steps t).

Lemma in_cycle_edge t e : in_cycle t e = true <-> edge t (fst e) (snd e).
Proof.
  unfold in_cycle, edge. rewrite existsb_exists, <- !steps_next. split.
  - intros ([x y] & I & H). rewrite orb_true_iff, !andb_true_iff, !Pos.eqb_eq in H. cbn in H.
    destruct e. cbn in *. destruct H as [[-> ->] | [-> ->]]; auto.
  - destruct e as [a b]. cbn. intros [H | H]; eexists; (split; [exact H |]); cbn; rewrite !Pos.eqb_refl; cbn;
      auto using orb_true_r.
Qed.

(* Whether a cycle uses the edge with a number. *)
Definition used (t : list positive) (g : numbered) (k : positive) : bool :=
  existsb (fun ke => Pos.eqb k (fst ke) && in_cycle t (snd ke)) g.

(* A cycle with no more events than a bound allows; edges are numbered from 1. *)
Definition within_bound (most : option bound) (edges : list (positive * positive)) (t : list positive) : Prop :=
  match most with
  | None => True
  | Some (k, events) => (count (happens (used t (number_from xH edges))) events <= k)%nat
  end.

Section Graph.

Variable (vs : list positive) (edges : list (positive * positive)) (about : list positive) (t : list positive).
Let inside := set_of about.
Let some := filter (fun e => isin inside (fst e) || isin inside (snd e)) edges.
Let g := number_from xH some.

Hypothesis once_each : NoDup edges.
Hypothesis ordered_edges : forall a b, In (a, b) edges -> (a < b)%positive.
Hypothesis three : (3 <= length t)%nat.
Hypothesis different : NoDup t.
Hypothesis visits : forall v, In v t <-> In v vs.
Hypothesis moves : forall a b, next t a b -> In (a, b) edges \/ In (b, a) edges.

Variable s : positive -> bool.
Hypothesis reads_edges : forall k e, In (k, e) g -> s k = in_cycle t e.

Lemma some_once : NoDup some.
Proof. now apply NoDup_filter. Qed.

Lemma g_ordered k a b : In (k, (a, b)) g -> (a < b)%positive.
Proof. intros I. apply ordered_edges. apply number_from_in in I as [I _]. now apply filter_In in I. Qed.

(* The number of an edge of the cycle that has an end among those that the proof speaks of. *)
Lemma numbered_edge a b : edge t a b -> isin inside a = true ->
  exists k e, In (k, e) g /\ (e = (a, b) \/ e = (b, a)) /\ s k = true.
Proof.
  intros E A. assert (I : In (a, b) edges \/ In (b, a) edges) by (destruct E as [E | E]; apply moves in E; tauto).
  destruct I as [I | I].
  - assert (F : In (a, b) some) by (apply filter_In; cbn [fst snd]; rewrite A; auto).
    apply (number_from_has xH) in F as [k K]. exists k, (a, b). split; [exact K | split; [auto |]].
    rewrite (reads_edges k _ K). now apply in_cycle_edge.
  - assert (F : In (b, a) some) by (apply filter_In; cbn [fst snd]; rewrite A; rewrite orb_true_r; auto).
    apply (number_from_has xH) in F as [k K]. exists k, (b, a). split; [exact K | split; [auto |]].
    rewrite (reads_edges k _ K). apply in_cycle_edge. now apply edge_sym.
Qed.

Lemma used_at_in k v : In k (used_at g v) <-> exists e, In (k, e) g /\ (v = fst e \/ v = snd e).
Proof.
  unfold used_at. rewrite in_map_iff. split.
  - intros ([j e] & <- & H). apply filter_In in H as [H E]. exists e. unfold has_end in E. cbn in E.
    rewrite orb_true_iff, !Pos.eqb_eq in E. auto.
  - intros (e & H & E). exists (k, e). split; [reflexivity |]. apply filter_In. split; [exact H |].
    unfold has_end. cbn. rewrite orb_true_iff, !Pos.eqb_eq. exact E.
Qed.

Lemma used_at_nodup v : NoDup (used_at g v).
Proof. apply filter_nodup_map, number_from_keys. Qed.

Lemma same_number i j e f v z : In (i, e) g -> In (j, f) g -> e = (v, z) \/ e = (z, v) -> f = (v, z) \/ f = (z, v) -> i = j.
Proof.
  intros Ie If E F. assert (e = f).
  { destruct E as [-> | ->], F as [-> | ->]; try reflexivity; apply g_ordered in Ie, If; lia. }
  subst f. now apply (edge_once xH some i j e some_once).
Qed.

Lemma two_used v : In v about -> In v vs -> two_of s (used_at g v).
Proof.
  intros A V. split; [apply used_at_nodup |]. assert (IA : isin inside v = true) by now apply isin_set_of.
  destruct (neighbours t v three different (proj2 (visits v) V)) as (x & y & D & X & Y & U).
  destruct (numbered_edge v x X IA) as (i & e & Ie & Ee & Ti). destruct (numbered_edge v y Y IA) as (j & f & If & Ef & Tj).
  exists i, j. split; [| split; [| split]].
  - intros ->. assert (E := key_once g j e f (number_from_keys _ _) Ie If). destruct Ee, Ef; subst; congruence.
  - apply used_at_in. exists e. destruct Ee; subst; cbn; auto.
  - apply used_at_in. exists f. destruct Ef; subst; cbn; auto.
  - intros k K. split; [| intros [-> | ->]; assumption]. intros T. apply used_at_in in K as (h & Ih & Hv).
    rewrite (reads_edges k h Ih) in T. apply in_cycle_edge in T. destruct h as [p q]. cbn in *.
    assert (Z : exists z, edge t v z /\ ((p, q) = (v, z) \/ (p, q) = (z, v))).
    { destruct Hv as [-> | ->]; [exists q | exists p]; auto using edge_sym. }
    destruct Z as (z & Z & E). destruct (U z Z) as [-> | ->]; [left; now apply (same_number k i (p, q) e v x) |
      right; now apply (same_number k j (p, q) f v y)].
Qed.

Lemma cut_holds c : c <> [] -> (forall v, In v c -> In v about) -> (forall v, In v about -> In v vs) ->
  (exists v, In v vs /\ ~ In v c) -> satisfies s (cut_clause g c).
Proof.
  intros NE A V (w & W & WC). destruct c as [|v c']; [tauto |]. set (c := v :: c') in *.
  set (q := isin (set_of c)).
  assert (X : exists a b, next t a b /\ q a <> q b).
  { destruct (forallb (fun e => Bool.eqb (q (fst e)) (q (snd e))) (steps t)) eqn:E.
    - exfalso. rewrite forallb_forall in E. assert (K : forall a b, next t a b -> q a = q b).
      { intros a b H. apply steps_next in H. apply E, eqb_prop in H. exact H. }
      assert (Y := constant q t K v w). unfold q in Y. rewrite (proj2 (isin_set_of c v) (or_introl eq_refl)) in Y.
      apply WC, isin_set_of. symmetry. apply Y; apply visits; [apply V, A; now left | exact W].
    - assert (Y : forall r, (forall e, In e r -> In e (steps t)) ->
                   forallb (fun e => Bool.eqb (q (fst e)) (q (snd e))) r = false -> exists a b, next t a b /\ q a <> q b).
      { clear. induction r as [|[a b] r IH]; intros I H; [discriminate |]. cbn in H. apply andb_false_iff in H as [H | H].
        - exists a, b. split; [apply steps_next, I; now left |]. now apply eqb_false_iff.
        - apply IH; [|exact H]. intros e J. apply I. now right. }
      exact (Y (steps t) (fun e J => J) E). }
  destruct X as (a & b & H & D).
  assert (Y : exists x y, edge t x y /\ q x = true /\ q y = false).
  { destruct (q a) eqn:Qa, (q b) eqn:Qb; try congruence; [exists a, b | exists b, a]; unfold edge; auto. }
  destruct Y as (x & y & E & Qx & Qy).
  assert (Ix : isin inside x = true) by (apply isin_set_of, A; now apply isin_set_of).
  destruct (numbered_edge x y E Ix) as (k & e & Ie & Ee & Uk). exists (k, true). split; [|exact Uk].
  unfold cut_clause. apply in_map_iff. exists (k, e). split; [reflexivity |]. apply filter_In. split; [exact Ie |].
  unfold crosses. fold q. destruct Ee as [-> | ->]; cbn [fst snd]; rewrite Qx, Qy; reflexivity.
Qed.

(* A map that keeps the cycle. *)
Lemma kept_right i c : (forall a b, edge t a b <-> edge t (at_map i a) (at_map i b)) -> In c (kept i g) -> satisfies s c.
Proof.
  intros S I. unfold kept in I. apply in_flat_map in I as ([k [a b]] & Ik & I). cbn [fst snd] in I.
  destruct (taken_to i g (a, b)) as [j|] eqn:T; [|destruct I]. destruct (Pos.eqb k j); [destruct I |].
  unfold taken_to in T. destruct (find _ g) as [[j' [x y]]|] eqn:Fd; [|discriminate]. injection T as <-.
  apply find_some in Fd as [Ij E]. cbn [fst snd] in *. unfold same_ends in E. cbn [fst snd] in E.
  rewrite orb_true_iff, !andb_true_iff, !Pos.eqb_eq in E.
  assert (K : s k = s j').
  { rewrite (reads_edges _ _ Ik), (reads_edges _ _ Ij). apply eq_true_iff_eq. rewrite !in_cycle_edge. cbn [fst snd].
    rewrite S. destruct E as [[-> ->] | [-> ->]]; [reflexivity | split; apply edge_sym]. }
  destruct (s k) eqn:Sk; destruct (s j') eqn:Sj; try discriminate;
    destruct I as [<- | [<- | []]]; some_literal.
Qed.

End Graph.

Lemma ordered_ends_spec e : fst (ordered_ends e) <> snd (ordered_ends e) -> (fst (ordered_ends e) < snd (ordered_ends e))%positive.
Proof.
  unfold ordered_ends. destruct (Pos.ltb_spec (fst e) (snd e)); cbn; intros D; lia.
Qed.

Lemma filter_all {A} (p : A -> bool) l : length (filter p l) = length l -> filter p l = l.
Proof.
  assert (G : forall l, (length (filter p l) <= length l)%nat).
  { induction l0 as [|x r IH]; cbn; [lia |]. destruct (p x); cbn; lia. }
  induction l as [|x l IH]; cbn; [reflexivity |]. intros L. assert (Q := G l).
  destruct (p x); cbn in *; [f_equal; apply IH; lia | lia].
Qed.

Theorem refutes_sound : forall one_way vs edges image most about cuts lines,
  refutes vs edges image most about cuts lines = true ->
  forall t, hamiltonian_cycle (fun v => In v vs) (leads one_way edges) t -> symmetric_under image t ->
    ~ within_bound most (map ordered_ends edges) t.
Proof.
  intros one_way vs directed image most about cuts lines H t (L & N & V & E) SY WB.
  unfold refutes in H. set (edges := map ordered_ends directed) in *. set (inside := set_of about) in *.
  set (some := filter _ edges) in *. set (g := number_from xH some) in *.
  rewrite !andb_true_iff in H. destruct H as [[[[[[[D O] A] B] C] K] M] R].
  apply ascending_nodup in A. rewrite forallb_forall in O, B, C.
  assert (O' : forall a b, In (a, b) edges -> (a < b)%positive) by (intros a b I; apply O in I; now apply Pos.ltb_lt).
  assert (B' : forall v, In v about -> In v vs) by (intros v I; apply B in I; now apply isin_set_of).
  assert (E' : forall a b, next t a b -> In (a, b) edges \/ In (b, a) edges).
  { assert (Q : forall a b, In (a, b) directed -> In (a, b) edges \/ In (b, a) edges).
    { intros a b I. apply (in_map ordered_ends) in I. unfold ordered_ends in I at 1. cbn [fst snd] in I.
      destruct (Pos.ltb a b); auto. }
    intros a b X. apply E in X as [X | [_ X]]; apply Q in X; tauto. }
  set (rows := map (used_at g) about) in *. set (free := shift xH (length g)) in *.
  set (u := used t g).
  set (events := match most with Some (_, events) => events | None => [] end).
  set (enough := match most with Some (k, _) => S k | None => 0%nat end).
  set (s := extend u free (flat_map (counter_values u) rows ++
         map (happens u) events ++ totals (length events) enough (map (happens u) events))).
  assert (SU : forall k, (k < free)%positive -> s k = u k) by (intros k X; now apply extend_below).
  assert (GF : forall k e, In (k, e) g -> (k < free)%positive).
  { intros k e I. unfold free, g in *. rewrite number_from_length. now apply (number_from_below _ _ _ e). }
  assert (RE : forall k e, In (k, e) g -> s k = in_cycle t e).
  { intros k e I. rewrite SU by (now apply (GF k e)). unfold u, used. apply eq_true_iff_eq. rewrite existsb_exists. split.
    - intros ([j f] & J & X). cbn in X. apply andb_true_iff in X as [X Y]. apply Pos.eqb_eq in X. subst j.
      now rewrite (key_once g k e f (number_from_keys _ _) I J).
    - intros X. exists (k, e). cbn. rewrite Pos.eqb_refl. auto. }
  assert (RS := extend_reads (flat_map (counter_values u) rows ++
         map (happens u) events ++ totals (length events) enough (map (happens u) events)) u free). fold s in RS.
  apply reads_app in RS as [R1 R2]. rewrite values_length in R2.
  assert (RX : forall l e, In l rows -> In e l -> s e = u e).
  { intros l e Il Ie. apply SU. apply in_map_iff in Il as (v & <- & _). apply in_map_iff in Ie as ([k f] & <- & Ie).
    apply filter_In in Ie as [Ie _]. now apply (GF k f). }
  rewrite (contradicted_right s) in R; [discriminate |]. intros c I. unfold formula in I. fold rows free in I.
  rewrite !in_app_iff in I. destruct I as [I | [I | [I | I]]].
  - apply (two_each_right s rows) with (free := free) (c := c); [| | exact I].
    + intros l Il. apply in_map_iff in Il as (v & <- & Iv).
      apply (two_used vs edges about t A O' L N V E' s RE v); auto.
    + replace (flat_map (counter_values s) rows) with (flat_map (counter_values u) rows); [exact R1 |].
      clearbody s u rows. clear - RX. induction rows as [|l r IH]; [reflexivity |]. cbn. rewrite (counter_values_ext u s l), IH; [reflexivity | |].
      * intros k e Il Ie. apply (RX k e); [now right | exact Ie].
      * intros e Ie. symmetry. apply (RX l e); [now left | exact Ie].
  - destruct image as [i|]; [|destruct I]. now apply (kept_right edges about t s RE i).
  - destruct most as [[k ev]|]; [|destruct I]. apply andb_true_iff in M as [M1 M2]. apply Nat.eqb_eq in M1.
    assert (SE : some = edges) by (apply filter_all; exact M1).
    apply (bound_right s u k ev) with (3 := R2) (4 := I).
    + intros e d l Ie Id Il. apply SU. unfold about_edges in M2. rewrite forallb_forall in M2. apply M2 in Ie.
      rewrite forallb_forall in Ie. apply Ie in Id. rewrite forallb_forall in Id. apply Id in Il. now apply Pos.ltb_lt.
    + cbn in WB. unfold u, g. rewrite SE. exact WB.
  - apply in_map_iff in I as (p & <- & I). apply C in I. rewrite !andb_true_iff in I. destruct I as [[I1 I2] I3].
    apply negb_true_iff, Nat.eqb_neq in I1. rewrite forallb_forall in I2. apply existsb_exists in I3 as (w & Iw & W).
    apply (cut_holds vs edges about t V E' s RE p); auto.
    + intros ->. apply I1. reflexivity.
    + intros v Iv. apply I2 in Iv. now apply isin_set_of.
    + exists w. split; [exact Iw |]. intros J. apply isin_set_of in J. rewrite J in W. discriminate.
Qed.

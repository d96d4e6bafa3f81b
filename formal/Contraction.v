(* The contraction is right: a cycle passes once through vertices that three edges leave, or fewer. *)

From Coq Require Import PArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Rectangles Checker Rules.
Import ListNotations.

Definition graph_edge (edges : list (positive * positive)) (a b : positive) : Prop := In (a, b) edges \/ In (b, a) edges.

Lemma begin_has edges vs a b : graph_edge edges a b -> In b (row (present (begin vs edges)) a).
Proof.
  intros I. cbn [present begin].
  assert (G : forall es m, (In (a, b) es \/ In (b, a) es \/ In b (row m a)) ->
             In b (row (fold_left (fun m e => change with_one (fst e) (snd e) m) es m) a)).
  { clear. induction es as [|[x y] es IH]; intros m H; cbn [fold_left]; [destruct H as [[] | [[] | H]]; exact H |].
    assert (K : forall z, z = b -> In b (row (change with_one x y m) a) \/
                 (~ (x = a /\ y = b) /\ ~ (x = b /\ y = a) /\ (In b (row m a) -> False))).
    { intros z _. unfold change. rewrite !row_add.
      destruct (Pos.eq_dec a y) as [-> | A].
      - destruct (Pos.eq_dec y x) as [-> | B].
        + rewrite !with_one_in. destruct (Pos.eq_dec b x) as [-> | C]; [auto |].
          destruct (in_dec Pos.eq_dec b (row m x)); [auto | right; repeat split; auto; intros [? ?]; congruence].
        + rewrite with_one_in. destruct (Pos.eq_dec b x) as [-> | C]; [auto |].
          destruct (in_dec Pos.eq_dec b (row m y)); [auto | right; repeat split; auto; intros [? ?]; congruence].
      - destruct (Pos.eq_dec a x) as [-> | B].
        + rewrite with_one_in. destruct (Pos.eq_dec b y) as [-> | C]; [auto |].
          destruct (in_dec Pos.eq_dec b (row m x)); [auto | right; repeat split; auto; intros [? ?]; congruence].
        + destruct (in_dec Pos.eq_dec b (row m a)); [auto | right; repeat split; auto; intros [? ?]; congruence]. }
    apply IH. destruct (K b eq_refl) as [K1 | (K1 & K2 & K3)]; [auto |].
    cbn [In] in H. destruct H as [[H | H] | [[H | H] | H]]; auto.
    - injection H as -> ->. tauto.
    - injection H as -> ->. tauto.
    - tauto. }
  apply G. unfold graph_edge in I. tauto.
Qed.

Lemma begin_fits vs edges t : distinct vs = true ->
  hamiltonian_cycle (fun v => In v vs) (graph_edge edges) t -> fits (begin vs edges) t.
Proof.
  intros D (L & N & V & E). apply distinct_spec in D. split; [exact L | split; [exact N | split]].
  - now apply NoDup_Permutation.
  - split.
    + intros a b H. apply begin_has. unfold graph_edge in *. destruct H as [H | H]; apply E in H; tauto.
    + cbn [forced begin]. unfold row. intros a b. rewrite M.gempty. intros [].
Qed.

(* A list that begins outside of a set and steps into it at most once, and never out: first the one, then the other. *)
Lemma two_halves (p : positive -> bool) l : (forall a b, consecutive l a b -> p a = true -> p b = true) ->
  l = filter (fun v => negb (p v)) l ++ filter p l.
Proof.
  intros S. assert (G : forall l, (forall a b, consecutive l a b -> p a = true -> p b = true) ->
    (forall a r, l = a :: r -> p a = true -> forall b, In b l -> p b = true)).
  { clear. induction l as [|x l IH]; intros S a r E Pa b I; [discriminate |]. injection E as -> ->.
    destruct I as [<- | I]; [exact Pa |]. destruct r as [|y r]; [destruct I |].
    apply (IH (fun u v C => S u v (proj2 (consecutive_cons _ _ _ _) (or_intror C))) y r eq_refl); [|exact I].
    apply (S a y); [|exact Pa]. apply consecutive_cons. left. eauto. }
  induction l as [|x l IH]; [reflexivity |]. cbn. destruct (p x) eqn:E; cbn.
  - assert (A := G (x :: l) S x l eq_refl E).
    assert (F : filter (fun v => negb (p v)) l = []).
    { clear - A. assert (B : forall b, In b l -> p b = true) by (intros b I; apply A; now right). clear A.
      induction l as [|y l IH]; [reflexivity |]. cbn. rewrite (B y (or_introl eq_refl)). apply IH. intros b I. apply B. now right. }
    assert (K : filter p l = l).
    { clear - A. assert (B : forall b, In b l -> p b = true) by (intros b I; apply A; now right). clear A.
      induction l as [|y l IH]; [reflexivity |]. cbn. rewrite (B y (or_introl eq_refl)). f_equal. apply IH. intros b I. apply B. now right. }
    now rewrite F, K.
  - f_equal. apply IH. intros a b C. apply S, consecutive_cons. auto.
Qed.

Lemma contract_right vs edges c vs' edges' t : contract vs edges c = Some (vs', edges') ->
  hamiltonian_cycle (fun v => In v vs) (graph_edge edges) t ->
  exists t', hamiltonian_cycle (fun v => In v vs') (graph_edge edges') t'.
Proof.
  intros H T. unfold contract in H. destruct c as [|v0 [|w0 c0]]; try discriminate.
  remember (v0 :: w0 :: c0) as c eqn:Ec. destruct (_ && _) eqn:C; [|discriminate]. injection H as <- <-.
  rewrite !andb_true_iff, Nat.ltb_lt, Nat.leb_le in C. destruct C as [[[D M] L3] L2].
  assert (F := begin_fits vs edges t D T). destruct T as (LT & N & V & E).
  destruct (members_spec _ t c F M) as [Nc Jc]. destruct (across_spec _ c t F) as (A2 & AN & AI). cbv zeta in *.
  set (gone := set_of c) in *. set (p := isin gone). assert (P0 : p v0 = true) by (apply isin_set_of; rewrite Ec; now left).
  assert (LV : length t = length vs).
  { apply Permutation_length, NoDup_Permutation; [exact N | now apply distinct_spec | exact V]. }
  (* one step leads out of the set *)
  assert (A1 : (length (steps_across t gone) <= 1)%nat).
  { assert (Q : (length (across t gone) <= length (leaving (begin vs edges) gone c))%nat).
    { apply NoDup_incl_length; [exact AN |]. intros [x y] I. apply AI in I as (Ix & Gy & X). apply leaving_in.
      split; [exact Ix | split; [now apply F | exact Gy]]. }
    lia. }
  assert (CP : length (filter p t) = length c) by (apply (count_set t c N Nc Jc)).
  assert (CN := count_not p t). unfold count in CN.
  assert (S : exists a b, steps_across t gone = [(a, b)]).
  { destruct (steps_across t gone) as [|[a b] [|e r]] eqn:Es; [exfalso | eauto | cbn in A1; lia].
    assert (Z : forall x, In x t -> p x = true).
    { apply (spread t (fun x => p x = true) v0); [apply Jc; rewrite Ec; now left | exact P0 |].
      intros x y X Px. destruct (p y) eqn:Py; [reflexivity |].
      assert (I : In (x, y) (steps_across t gone)); [|rewrite Es in I; destruct I].
      apply filter_In. split; [now apply steps_next |]. cbn [fst snd]. fold p. now rewrite Px, Py. }
    assert (Y : filter (fun v => negb (p v)) t = []).
    { clear - Z. induction t as [|x r IH]; [reflexivity |]. cbn. rewrite (Z x (or_introl eq_refl)). apply IH.
      intros y I. apply Z. now right. }
    rewrite Y in CN. cbn in CN. lia. }
  destruct S as (a & b & S). assert (AB : In (a, b) (steps_across t gone)) by (rewrite S; now left).
  apply filter_In in AB as [AB G]. apply steps_next in AB. cbn [fst snd] in G. fold p in G.
  apply andb_true_iff in G as [Pa Pb]. apply negb_true_iff in Pb.
  assert (Ib := proj2 (next_in _ _ _ AB)). apply in_split in Ib as (u & v & Et). set (l := b :: v ++ u).
  assert (TL : forall x y, next t x y <-> next l x y) by (intros x y; rewrite Et; apply (next_turned u (b :: v))).
  assert (PL : Permutation t l) by (rewrite Et; unfold l; rewrite app_comm_cons; apply Permutation_app_comm).
  assert (NL := Permutation_NoDup PL N).
  assert (CL : forall x y, consecutive l x y -> next t x y).
  { intros x y (i & j & K). apply TL. exists i, (j ++ [b]). change (l ++ [b] = i ++ x :: y :: j ++ [b]). rewrite K, <- app_assoc. reflexivity. }
  assert (HL := two_halves p l). assert (X : l = filter (fun v => negb (p v)) l ++ filter p l).
  { apply HL. intros x y K Px. destruct (p y) eqn:Py; [reflexivity | exfalso]. assert (K' := CL x y K).
    assert (I : In (x, y) (steps_across t gone)).
    { apply filter_In. split; [now apply steps_next |]. cbn [fst snd]. fold p. now rewrite Px, Py. }
    rewrite S in I. destruct I as [I | []]. injection I as <- <-. destruct K as (i & j & K). unfold l in K, NL.
    destruct i as [|z i]; cbn in K; injection K as K1 K2; [congruence |]. apply NoDup_cons_iff in NL as [NL _].
    apply NL. rewrite K2, in_app_iff. cbn. auto. }
  clear HL. assert (CPl := count_permutation p _ _ PL). assert (CNl := count_permutation (fun v => negb (p v)) _ _ PL). unfold count in *.
  set (o := filter (fun v => negb (p v)) l) in *. set (i := filter p l) in *.
  assert (Io : forall x, In x o <-> In x vs /\ p x = false).
  { intros x. unfold o. rewrite filter_In, negb_true_iff, <- V. split; intros [Q R]; (split; [|exact R]).
    - now apply (Permutation_in _ (Permutation_sym PL)).
    - now apply (Permutation_in _ PL). }
  assert (No : NoDup (o ++ [v0])).
  { apply Rectangles.nodup_app; [now apply NoDup_filter | repeat constructor; intros [] |].
    intros x Ix [<- | []]. apply Io in Ix. destruct Ix. congruence. }
  assert (Bo : exists o', o = b :: o') by (unfold o, l; cbn; rewrite Pb; cbn; eauto).
  destruct Bo as [o' Bo]. destruct i as [|h i'] eqn:Ei; [cbn in CPl; subst c; cbn in *; lia |].
  assert (Ph : p h = true).
  { assert (Ih : In h i) by (rewrite Ei; now left). unfold i in Ih. now apply filter_In in Ih. }
  set (block := fun z => if p z then v0 else z).
  assert (Bk : forall x y, graph_edge edges x y -> block x <> block y ->
     graph_edge (filter (fun e => negb (Pos.eqb (fst e) (snd e))) (map (fun e => (block (fst e), block (snd e))) edges)) (block x) (block y)).
  { intros x y Q R. unfold graph_edge. rewrite !filter_In. cbn [fst snd].
    destruct Q as [Q | Q]; [left | right]; (split; [apply (in_map (fun e => (block (fst e), block (snd e)))) in Q; exact Q |]);
      apply negb_true_iff, Pos.eqb_neq; congruence. }
  assert (Bo' : forall x, p x = false -> block x = x) by (intros x Q; unfold block; now rewrite Q).
  assert (Bi : forall x, p x = true -> block x = v0) by (intros x Q; unfold block; now rewrite Q).
  assert (Mo : map block o = o).
  { assert (R : forall x, In x o -> p x = false) by (intros x Q; now apply Io in Q). clear - R Bo'.
    induction o as [|x o IH]; [reflexivity |]. cbn. rewrite Bo' by (apply R; now left). f_equal. apply IH. intros y I. apply R. now right. }
  exists (o ++ [v0]). split; [| split; [exact No | split]].
  - rewrite app_length. cbn [length]. lia.
  - intros x. rewrite in_app_iff, Io. cbn [In]. rewrite filter_In, negb_true_iff. fold p. split; [|intros [<- | Q]; auto].
    intros [Q | [<- | []]]; auto.
  - intros x y Q.
    assert (Q' : consecutive (o ++ v0 :: [b]) x y).
    { clear - Q Bo. unfold next in Q. rewrite <- app_assoc in Q. rewrite Bo in *. exact Q. }
    clear Q. rename Q' into Q. apply consecutive_app in Q as [Q | Q].
    + assert (NE : x <> y).
      { intros ->. destruct Q as (i1 & j1 & Q). rewrite Q in No. apply NoDup_remove_2 in No. apply No, in_app_iff. right. now left. }
      rewrite <- Mo, <- (Bi h Ph) in Q. change [block h] with (map block [h]) in Q. rewrite <- map_app in Q.
      apply consecutive_map_inv in Q as (x' & y' & -> & -> & Q). apply Bk; [|exact NE].
      apply E, CL. rewrite X. apply consecutive_app. now left.
    + apply consecutive_two in Q as [<- <-]. assert (K := Bk a b (E a b AB)). rewrite (Bi a Pa), (Bo' b Pb) in K.
      apply K. congruence.
Qed.

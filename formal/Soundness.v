(* The checker is right: what it accepts has no Hamiltonian cycle. *)

From Coq Require Import PArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Rectangles Checker Rules Sweep Linear Symmetry Sign Contraction.
Import ListNotations.

(* ---- whole proofs *)

Section Induction.

Variable P : step -> Prop.
Hypothesis all : forall one,
  (match one with Branch _ _ used unused => Forall P used /\ Forall P unused | _ => True end) -> P one.

Fixpoint step_induction (one : step) : P one :=
  let every := fix every (l : list step) : Forall P l :=
    match l with [] => Forall_nil P | x :: r => Forall_cons x (step_induction x) (every r) end in
  all one (match one with Branch _ _ used unused => conj (every used) (every unused) | _ => I end).

End Induction.

Section Demand.

Variables (d : demand) (t : list positive).
Hypothesis W : along d t.
Hypothesis S : symmetric_under (image d) t.

Definition refuted (one : step) : Prop := forall s rest is_last,
  (forall s', rest s' = true -> ~ fits s' t) -> take d s one rest is_last = true -> ~ fits s t.

Lemma take_sound : forall one, refuted one.
Proof.
  apply (step_induction refuted). intros one IH s rest is_last R H F.
  destruct one; cbn [take] in H; apply andb_true_iff in H as [_ H]; try (apply andb_true_iff in H as [H0 H]).
  - destruct (each force_both s l) eqn:E; [|discriminate].
    apply (R _ H). apply (each_fits force_both) with (2 := F) (3 := E). intros. now apply (force_both_fits s1 v).
  - destruct (each saturate s l) eqn:E; [|discriminate].
    apply (R _ H). apply (each_fits saturate) with (2 := F) (3 := E). intros. now apply (saturate_fits s1 v).
  - destruct (subtour s a b) eqn:E; [|discriminate]. apply (R _ H). now apply (subtour_fits s a b).
  - now apply (degree_no s v t).
  - now apply (three_no s v t).
  - now apply (cycle_no s l t).
  - now apply (hall_no d s l t).
  - now apply (cut_no s l t).
  - now apply (reach_no d s a b t).
  - now apply (colours_no s v t).
  - destruct (tight d s l) eqn:E; [|discriminate]. apply (R _ H). now apply (tight_fits d s l).
  - destruct (tight_cut s l) eqn:E; [|discriminate]. apply (R _ H). now apply (tight_cut_fits s l).
  - now apply (parity_no s l t).
  - now apply (factor_no s l t).
  - now apply (sweep_no s t F l).
  - now apply (linear_no s t F terms).
  - now apply (symmetry_no d s t H F).
  - now apply (sign_no d s t F W).
  - discriminate.
  - destruct IH as [IU IW]. apply andb_true_iff in H0 as [_ HU].
    match type of HU with ?f _ _ = true => set (go := f) in HU, H end.
    assert (G : forall l, Forall refuted l -> forall s, go s l = true -> ~ fits s t).
    { clear. induction 1 as [|x r X _ IH]; intros s Hs; [discriminate |]. exact (X _ _ _ IH Hs). }
    destruct (edge_dec t a b) as [E | E].
    + apply (G used IU _ HU). now apply force_fits.
    + apply (G unused IW _ H). now apply rule_out_fits.
  - discriminate.
Qed.

Lemma follow_sound steps : forall s, follow d s steps = true -> ~ fits s t.
Proof.
  induction steps as [|x r IH]; intros s H; [discriminate |]. exact (take_sound x s _ _ IH H).
Qed.

End Demand.

(* ---- graphs *)

(* Where a cycle may go, by edges that lead one way or both ways. *)
Definition leads (one_way : bool) (edges : list (positive * positive)) (a b : positive) : Prop :=
  In (a, b) edges \/ (one_way = false /\ In (b, a) edges).

Lemma ways_of_has edges a b : In (a, b) edges -> In b (row (ways_of edges) a).
Proof.
  intros I. unfold ways_of.
  assert (G : forall (es : list (positive * positive)) (m : table), (In (a, b) es \/ In b (row m a)) ->
    In b (row (fold_left (fun m e => M.add (fst e) (snd e :: row m (fst e)) m) es m) a)).
  { clear. induction es as [|[x y] es IH]; intros m H; cbn [fold_left fst snd]; [cbn in H; tauto |].
    apply IH. rewrite row_add. cbn [In] in H. destruct H as [[H | H] | H]; [| auto |].
    - injection H as -> ->. right. destruct (Pos.eq_dec a a); [now left | tauto].
    - right. destruct (Pos.eq_dec a x) as [-> | D]; [now right | exact H]. }
  apply G. auto.
Qed.

Theorem accepts_sound : forall one_way vs edges image proof, accepts one_way vs edges image proof = true ->
  forall t, hamiltonian_cycle (fun v => In v vs) (leads one_way edges) t -> ~ symmetric_under image t.
Proof.
  assert (G : forall one_way vs edges t, hamiltonian_cycle (fun v => In v vs) (leads one_way edges) t ->
    hamiltonian_cycle (fun v => In v vs) (graph_edge edges) t).
  { intros one_way vs edges t (L & N & V & E). repeat split; auto; try apply V.
    intros a b H. apply E in H. unfold leads in H. unfold graph_edge. tauto. }
  assert (B : forall (one_way : bool) vs edges image proof t,
    distinct vs && follow {| ways := if one_way then Some (ways_of edges) else None; image := image |} (begin vs edges) proof = true ->
    hamiltonian_cycle (fun v => In v vs) (leads one_way edges) t -> ~ symmetric_under image t).
  { intros one_way vs edges image proof t H T Y. apply andb_true_iff in H as [D H].
    set (d := {| ways := _; image := _ |}) in H.
    apply (follow_sound d t) with (3 := H); [|exact Y | now apply begin_fits, (G one_way)].
    intros a b N. unfold onward. cbn [ways d]. destruct one_way; [|reflexivity].
    destruct T as (_ & _ & _ & E). apply E in N. destruct N as [N | [N _]]; [|discriminate].
    now apply occurs_in, ways_of_has. }
  intros one_way vs edges image proof. revert vs edges image.
  induction proof as [|one r IH]; intros vs edges image H t T Y; [now apply (B _ _ _ _ _ _ H T) |].
  destruct one; try now apply (B _ _ _ _ _ _ H T).
  cbn [accepts] in H. apply andb_true_iff in H as [O H]. apply negb_true_iff in O. subst one_way.
  destruct (contract vs edges l) as [[vs' edges']|] eqn:C; [|discriminate].
  destruct (contract_right _ _ _ _ _ t C (G _ _ _ _ T)) as [t' T'].
  apply (IH vs' edges' None H t'); [|exact I]. destruct T' as (L & N & V & E). repeat split; auto; try apply V.
  intros a b X. apply E in X. unfold leads. unfold graph_edge in X. tauto.
Qed.

(* ---- other vertices than positive numbers *)

(* A cycle of other things, numbered: if the numbered graph has no Hamiltonian cycle, then the graph has none. *)
Theorem numbered_sound {A : Type} (V : A -> Prop) (R : A -> A -> Prop) (number : A -> positive) vs edges proof :
  (forall a b, V a -> V b -> number a = number b -> a = b) ->
  (forall v, In v vs <-> exists a, V a /\ number a = v) ->
  (forall a b, V a -> V b -> R a b -> In (number a, number b) edges) ->
  accepts false vs edges None proof = true -> forall t, ~ hamiltonian_cycle V R t.
Proof.
  intros one onto E H t (L & N & I & S). apply (accepts_sound false vs edges None proof H (map number t)); [|exact Logic.I]. repeat split.
  - now rewrite map_length.
  - clear - one N I. assert (J : forall a, In a t -> V a) by apply I. clear I.
    induction N as [|a t NI N IH]; cbn; constructor.
    + rewrite in_map_iff. intros (b & Eb & Ib). apply NI. rewrite (one a b); auto; apply J; [now left | now right].
    + apply IH. intros b Ib. apply J. now right.
  - intros H1. apply in_map_iff in H1 as (b & <- & Ib). apply onto. exists b. split; [now apply I | reflexivity].
  - intros H1. apply onto in H1 as (b & Vb & <-). now apply in_map, I.
  - intros a b H1. unfold next in H1. rewrite firstn_map, <- map_app in H1.
    apply consecutive_map_inv in H1 as (x & y & -> & -> & H1). left.
    apply E; [apply I | apply I | now apply S]; apply next_in in H1; tauto.
Qed.

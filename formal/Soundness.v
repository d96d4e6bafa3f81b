(* The checker is right: what it accepts has no Hamiltonian cycle. *)

From Coq Require Import PArith ZArith Arith List FMapPositive Bool Permutation Lia.
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
Hypothesis B : within d t.

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
  - now apply (linear_no s t F d terms).
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

(* The total weight of a cycle is at most the limit; w is a function that gives each edge its weight. *)
Definition edge_weights (one_way : bool) (edges : list (positive * positive)) (ws : list Z) (w : positive -> positive -> Z) :
    Prop :=
  forall a b z, In (a, b, z) (combine edges ws) -> w a b = z /\ (one_way = false -> w b a = z).

Definition within_limit (one_way : bool) (edges : list (positive * positive)) (limit : option (Z * list Z))
    (t : list positive) : Prop :=
  match limit with
  | None => True
  | Some (most, ws) =>
      exists w, edge_weights one_way edges ws w /\ (total (fun e => w (fst e) (snd e)) (steps t) <= most)%Z
  end.

Lemma combine_has {A B} (l : list A) : forall (k : list B) a, length k = length l -> In a l -> exists b, In (a, b) (combine l k).
Proof.
  induction l as [|x l IH]; intros [|y k] a E I; try discriminate; [destruct I |]. destruct I as [<- | I].
  - exists y. now left.
  - cbn in E. injection E as E. destruct (IH k a E I) as [b J]. exists b. now right.
Qed.

Lemma read_weights_agree one_way edges ws m w a b : weighed edges ws m = true -> edge_weights one_way edges ws w ->
  leads one_way edges a b -> edge_weight m (a, b) = w a b.
Proof.
  intros H E X. apply andb_true_iff in H as [L H]. apply Nat.eqb_eq in L. rewrite forallb_forall in H.
  destruct X as [X | [O X]]; destruct (combine_has edges ws _ L X) as [z I]; assert (Q := H _ I); apply Z.eqb_eq in Q;
    cbn [fst snd] in Q; apply E in I as [P R].
  - now rewrite Q.
  - rewrite (R O), <- Q. unfold edge_weight. now rewrite ordered_turned.
Qed.

(* There is such a function if no edge has two weights. *)
Lemma weighed_has one_way edges ws m : weighed edges ws m = true ->
  edge_weights one_way edges ws (fun a b => edge_weight m (a, b)).
Proof.
  intros H a b z I. apply andb_true_iff in H as [_ H]. rewrite forallb_forall in H. apply H, Z.eqb_eq in I.
  cbn [fst snd] in I. split; [exact I |]. intros _. rewrite <- I. unfold edge_weight. now rewrite ordered_turned.
Qed.

Theorem accepts_sound : forall one_way vs edges image limit proof,
  accepts one_way vs edges image limit proof = true ->
  forall t, hamiltonian_cycle (fun v => In v vs) (leads one_way edges) t -> symmetric_under image t ->
    ~ within_limit one_way edges limit t.
Proof.
  assert (G : forall one_way vs edges t, hamiltonian_cycle (fun v => In v vs) (leads one_way edges) t ->
    hamiltonian_cycle (fun v => In v vs) (graph_edge edges) t).
  { intros one_way vs edges t (L & N & V & E). repeat split; auto; try apply V.
    intros a b H. apply E in H. unfold leads in H. unfold graph_edge. tauto. }
  assert (B : forall (one_way : bool) vs edges image limit proof t,
    (let w := match limit with Some (most, ws) => Some (most, read_weights edges ws) | None => None end in
     let d := {| ways := if one_way then Some (ways_of edges) else None; image := image; limit := w |} in
     distinct vs && match limit, w with Some (_, ws), Some (_, w) => weighed edges ws w | _, _ => true end &&
     follow d (begin vs edges) proof) = true ->
    hamiltonian_cycle (fun v => In v vs) (leads one_way edges) t -> symmetric_under image t ->
    ~ within_limit one_way edges limit t).
  { intros one_way vs edges image limit proof t H T Y X. cbv zeta in H.
    apply andb_true_iff in H as [H HF]. apply andb_true_iff in H as [D HW].
    set (d := {| ways := _; image := _; limit := _ |}) in HF.
    apply (follow_sound d t) with (4 := HF); [|exact Y | | now apply begin_fits, (G one_way)].
    - intros a b N. unfold onward. cbn [ways d]. destruct one_way; [|reflexivity].
      destruct T as (_ & _ & _ & E). apply E in N. destruct N as [N | [N _]]; [|discriminate].
      now apply occurs_in, ways_of_has.
    - unfold within. cbn [Checker.limit d]. destruct limit as [[most ws]|]; [|exact I]. destruct X as (w & E & X).
      rewrite (total_ext _ (fun e => w (fst e) (snd e))); [exact X |]. intros [a b] J. apply steps_next in J.
      apply (read_weights_agree one_way edges ws _ w a b HW E). destruct T as (_ & _ & _ & R). now apply R. }
  intros one_way vs edges image limit proof. revert vs edges image limit.
  induction proof as [|one r IH]; intros vs edges image limit H t T Y; [now apply (B _ _ _ _ _ _ _ H T) |].
  destruct one; try now apply (B _ _ _ _ _ _ _ H T).
  cbn [accepts] in H. apply andb_true_iff in H as [O H]. apply negb_true_iff in O. subst one_way.
  destruct (contract vs edges l) as [[vs' edges']|] eqn:C; [|discriminate].
  destruct (contract_right _ _ _ _ _ t C (G _ _ _ _ T)) as [t' T']. intros _.
  apply (IH vs' edges' None None H t'); [|exact I | exact I]. destruct T' as (L & N & V & E). repeat split; auto; try apply V.
  intros a b X. apply E in X. unfold leads. unfold graph_edge in X. tauto.
Qed.

(* With weights: every Hamiltonian cycle weighs more than the limit. *)
Theorem weights_sound : forall one_way vs edges image most ws proof,
  accepts one_way vs edges image (Some (most, ws)) proof = true ->
  forall w, edge_weights one_way edges ws w ->
  forall t, hamiltonian_cycle (fun v => In v vs) (leads one_way edges) t -> symmetric_under image t ->
    (most < total (fun e => w (fst e) (snd e)) (steps t))%Z.
Proof.
  intros one_way vs edges image most ws proof H w E t T Y. apply Z.nle_gt. intros X.
  apply (accepts_sound _ _ _ _ _ _ H t T Y). exists w. auto.
Qed.

(* ---- other vertices than positive numbers *)

(* A cycle of other things, numbered: if the numbered graph has no Hamiltonian cycle, then the graph has none. *)
Theorem numbered_sound {A : Type} (V : A -> Prop) (R : A -> A -> Prop) (number : A -> positive) vs edges proof :
  (forall a b, V a -> V b -> number a = number b -> a = b) ->
  (forall v, In v vs <-> exists a, V a /\ number a = v) ->
  (forall a b, V a -> V b -> R a b -> In (number a, number b) edges) ->
  accepts false vs edges None None proof = true -> forall t, ~ hamiltonian_cycle V R t.
Proof.
  intros one onto E H t (L & N & I & S). apply (accepts_sound false vs edges None None proof H (map number t)); [|exact Logic.I | exact Logic.I]. repeat split.
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

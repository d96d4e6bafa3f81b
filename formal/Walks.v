(* Vertices at steps: walks that are too short, and the formula of positions.

   A walk is a list of vertices, each joined with the next; a tour is a walk through all vertices, each once. *)

From Coq Require Import PArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Checker Rules Contraction Clauses Sat.
Import ListNotations.

Definition walk_along (edges : list (positive * positive)) (w : list positive) : Prop :=
  forall a b, consecutive w a b -> graph_edge edges a b.

Definition joined_to (edges : list (positive * positive)) : positive -> list positive :=
  let m := present (begin [] edges) in row m.

Lemma joined_to_has edges a b : graph_edge edges a b -> In b (joined_to edges a).
Proof. apply begin_has. Qed.

(* ---- two vertices, and how many moves there are between them *)

Fixpoint after_moves (near : positive -> list positive) (n : nat) (front : list positive) : list positive :=
  match n with O => front | S n => after_moves near n (once (flat_map near front)) end.

Definition too_far (edges : list (positive * positive)) (a b : positive) (n : nat) : bool :=
  let near := joined_to edges in negb (occurs b (after_moves near n [a])).

Theorem too_far_sound : forall edges a b n, too_far edges a b n = true ->
  forall w, walk_along edges w -> nth_error w 0 = Some a -> nth_error w n <> Some b.
Proof.
  intros edges a b n H w W A B. unfold too_far in H. apply negb_true_iff in H.
  assert (G : forall n front w a, In a front -> walk_along edges w -> nth_error w 0 = Some a -> nth_error w n = Some b ->
    In b (after_moves (joined_to edges) n front)).
  { clear. induction n as [|n IH]; intros front w a I W A B; cbn.
    - congruence.
    - destruct w as [|x w]; [discriminate |]. cbn in A, B. injection A as ->. destruct w as [|y w]; [now destruct n |].
      apply (IH _ (y :: w) y); [| | reflexivity | exact B].
      + apply (proj2 (proj2 (once_spec _) _)), in_flat_map. exists a. split; [exact I |]. apply joined_to_has, W.
        apply consecutive_cons. left. eauto.
      + intros p q C. apply W, consecutive_cons. auto. }
  assert (K := G n [a] w a (or_introl eq_refl) W A B). apply occurs_in in K. congruence.
Qed.

(* ---- positions *)

Record places : Type := {
  around : bool;  (* whether the tour is closed *)
  given : list (positive * positive);  (* vertices, and their steps *)
  required : list (positive * positive)  (* moves to make *)
}.

Section Positions.

Variables (n : positive) (edges : list (positive * positive)) (p : places).

(* The variable that says that a vertex is at a step. *)
Definition at_step (v k : positive) : positive := (v * n + k - n)%positive.

Definition every : list positive := variables_from xH (Pos.to_nat n).

Fixpoint pairs_of {A : Type} (l : list A) : list (A * A) :=
  match l with [] => [] | x :: r => map (pair x) r ++ pairs_of r end.

(* On these steps the tour is a move from where it is on another step. *)
Definition goes_on (near : positive -> list positive) (steps : list (positive * positive)) : list clause :=
  flat_map (fun v => map (fun k => (at_step v (fst k), false) :: map (fun w => (at_step w (snd k), true)) (near v)) steps) every.

Definition one_more : list (positive * positive) := map (fun k => (k, Pos.succ k)) (removelast every).
Definition one_less : list (positive * positive) := map (fun k => (k, Pos.pred k)) (tl every).

Definition beside (k : positive) : list positive :=
  (if Pos.eqb k xH then if around p then [n] else [] else [Pos.pred k]) ++
  (if Pos.eqb k n then if around p then [xH] else [] else [Pos.succ k]).

Definition position_clauses (near : positive -> list positive) : list clause :=
  map (fun v => map (fun k => (at_step v k, true)) every) every ++
  map (fun k => map (fun v => (at_step v k, true)) every) every ++
  flat_map (fun v => map (fun k => [(at_step v (fst k), false); (at_step v (snd k), false)]) (pairs_of every)) every ++
  flat_map (fun k => map (fun v => [(at_step (fst v) k, false); (at_step (snd v) k, false)]) (pairs_of every)) every ++
  goes_on near one_more ++ goes_on near one_less ++
  (if around p then goes_on near [(n, xH)] ++ goes_on near [(xH, n)] else []) ++
  map (fun e => [(at_step (fst e) (snd e), true)]) (given p) ++
  flat_map (fun e => map (fun k => (at_step (fst e) k, false) :: map (fun j => (at_step (snd e) j, true)) (beside k)) every)
    (required p).

(* The vertices from 1 to n next to one. *)
Definition near_to : positive -> list positive :=
  let near := joined_to edges in fun v => let l := near v in filter (fun w => occurs w l) every.

Definition refutes_positions (lines : list line) : bool :=
  forallb (fun e => Pos.leb (snd e) n) (given p) && contradicted (position_clauses near_to) lines.

Definition tour_at (w : list positive) : Prop :=
  NoDup w /\ (forall v, In v w <-> (v <= n)%positive) /\
  (forall a b, (if around p then next w a b else consecutive w a b) -> graph_edge edges a b) /\
  (forall v k, In (v, k) (given p) -> nth_error w (Pos.to_nat k - 1) = Some v) /\
  (forall a b, In (a, b) (required p) ->
     if around p then next w a b \/ next w b a else consecutive w a b \/ consecutive w b a).

(* ---- why they hold *)

Lemma variables_in m : forall k v, In v (variables_from k m) <-> (k <= v)%positive /\ (Pos.to_nat v < Pos.to_nat k + m)%nat.
Proof.
  induction m as [|m IH]; intros k v; cbn [variables_from In]; [split; [tauto | lia] |]. rewrite IH. lia.
Qed.

Lemma every_in v : In v every <-> (v <= n)%positive.
Proof. unfold every. rewrite variables_in. lia. Qed.

Lemma variables_once m : forall k, NoDup (variables_from k m).
Proof. induction m as [|m IH]; intros k; cbn; constructor; [|apply IH]. rewrite variables_in. lia. Qed.

Lemma variables_length m : forall k, length (variables_from k m) = m.
Proof. induction m as [|m IH]; intros k; cbn; [reflexivity | now rewrite IH]. Qed.

Section Holds.

Variable w : list positive.
Hypothesis T : tour_at w.

Definition place (v k : positive) : Prop := nth_error w (Pos.to_nat k - 1) = Some v.

Definition truth (j : positive) : bool :=
  existsb (fun k => match nth_error w (Pos.to_nat k - 1) with Some v => Pos.eqb j (at_step v k) | None => false end) every.

Lemma long : length w = Pos.to_nat n.
Proof.
  destruct T as (N & V & _). assert (L : length every = Pos.to_nat n) by apply variables_length.
  rewrite <- L. apply Permutation_length, NoDup_Permutation; [exact N | apply variables_once |].
  intros v. now rewrite V, every_in.
Qed.

Lemma at_step_once v k u j : (k <= n)%positive -> (j <= n)%positive -> at_step v k = at_step u j -> v = u /\ k = j.
Proof.
  intros K J E. unfold at_step in E. assert (Q : (v * n + k = u * n + j)%positive) by nia.
  destruct (Pos.lt_total v u) as [L | [-> | L]]; [exfalso; nia | split; [reflexivity | lia] | exfalso; nia].
Qed.

Lemma place_true v k : (k <= n)%positive -> (truth (at_step v k) = true <-> place v k).
Proof.
  intros K. unfold truth, place. rewrite existsb_exists. split.
  - intros (j & J & E). apply every_in in J. destruct (nth_error w (Pos.to_nat j - 1)) as [u|] eqn:U; [|discriminate].
    apply Pos.eqb_eq in E. apply at_step_once in E as [-> ->]; assumption.
  - intros P. exists k. rewrite every_in, P, Pos.eqb_refl. auto.
Qed.

Lemma place_false v k : (k <= n)%positive -> ~ place v k -> truth (at_step v k) = false.
Proof. intros K P. destruct (truth (at_step v k)) eqn:E; [|reflexivity]. apply place_true in E; tauto. Qed.

Lemma place_dec v k : place v k \/ ~ place v k.
Proof. unfold place. destruct (nth_error w (Pos.to_nat k - 1)) as [u|]; [|right; discriminate]. destruct (Pos.eq_dec u v); [left | right]; congruence. Qed.

Lemma has_place v : (v <= n)%positive -> exists k, (k <= n)%positive /\ place v k.
Proof.
  intros V. apply T in V. apply In_nth_error in V as [i I]. exists (Pos.of_nat (S i)).
  assert (L : (i < length w)%nat) by (apply nth_error_Some; congruence). rewrite long in L.
  unfold place. split; [lia |]. rewrite Nat2Pos.id by lia. now replace (S i - 1)%nat with i by lia.
Qed.

Lemma has_vertex k : (k <= n)%positive -> exists v, (v <= n)%positive /\ place v k.
Proof.
  intros K. unfold place. destruct (nth_error w (Pos.to_nat k - 1)) as [v|] eqn:E.
  - exists v. split; [|reflexivity]. apply T. now apply nth_error_In in E.
  - apply nth_error_None in E. rewrite long in E. lia.
Qed.

Lemma place_once v j k : place v j -> place v k -> j = k.
Proof.
  unfold place. intros J K. destruct T as (N & _). rewrite NoDup_nth_error in N.
  assert (L : (Pos.to_nat j - 1 < length w)%nat) by (apply nth_error_Some; congruence).
  specialize (N (Pos.to_nat j - 1)%nat (Pos.to_nat k - 1)%nat L ltac:(congruence)). lia.
Qed.

Lemma pairs_of_in {A} (l : list A) x y : NoDup l -> In (x, y) (pairs_of l) -> In x l /\ In y l /\ x <> y.
Proof.
  induction l as [|z r IH]; intros N I; [destruct I |]. apply NoDup_cons_iff in N as [NZ N]. cbn in I.
  apply in_app_iff in I as [I | I].
  - apply in_map_iff in I as (u & E & I). injection E as -> ->. cbn. split; [auto | split; [auto |]]. intros ->. tauto.
  - apply IH in I; [|exact N]. cbn. tauto.
Qed.

Lemma nth_consecutive {A} (l : list A) i a b : nth_error l i = Some a -> nth_error l (S i) = Some b -> consecutive l a b.
Proof.
  revert i. induction l as [|x l IH]; intros [|i] A1 B; cbn in *; try discriminate.
  - injection A1 as ->. destruct l as [|y l]; [discriminate |]. cbn in B. injection B as ->. exists [], l. reflexivity.
  - apply consecutive_cons. right. now apply (IH i).
Qed.

Lemma consecutive_nth {A} (l : list A) a b : consecutive l a b -> exists i, nth_error l i = Some a /\ nth_error l (S i) = Some b.
Proof.
  intros (u & v & ->). exists (length u). rewrite !nth_error_app2 by lia.
  rewrite Nat.sub_diag. replace (S (length u) - length u)%nat with 1%nat by lia. auto.
Qed.

Lemma next_of_consecutive (a b : positive) : consecutive w a b -> next w a b.
Proof. intros (u & v & E). unfold next. rewrite E. exists u, (v ++ firstn 1 (u ++ a :: b :: v)). rewrite <- app_assoc. reflexivity. Qed.

Lemma next_of_ends (a b : positive) : place a n -> place b xH -> next w a b.
Proof.
  unfold place. intros A B. assert (L := long). destruct w as [|x r]; [cbn in L; lia |]. cbn in B. injection B as ->.
  unfold next. cbn [firstn]. assert (I : nth_error ((b :: r) ++ [b]) (Pos.to_nat n - 1) = Some a).
  { rewrite nth_error_app1; [exact A | lia]. }
  apply (nth_consecutive _ _ _ _ I). rewrite nth_error_app2 by lia.
  now replace (S (Pos.to_nat n - 1) - length (b :: r))%nat with 0%nat by lia.
Qed.

Lemma next_places a b : next w a b -> exists k j, (k <= n)%positive /\ (j <= n)%positive /\ place a k /\ place b j /\
  ((k <> n /\ j = Pos.succ k) \/ (k = n /\ j = xH)).
Proof.
  intros H. assert (L := long). unfold next in H. apply consecutive_nth in H as (i & A & B).
  assert (Li : (i < length w)%nat).
  { assert (S i < length (w ++ firstn 1 w))%nat by (apply nth_error_Some; congruence).
    destruct w as [|x r]; cbn in *; [lia |]. rewrite app_length in H. cbn in H. lia. }
  rewrite nth_error_app1 in A by exact Li. exists (Pos.of_nat (S i)). unfold place.
  assert (Ei : (Pos.to_nat (Pos.of_nat (S i)) - 1 = i)%nat) by (rewrite Nat2Pos.id; lia).
  destruct (Nat.eq_dec (S i) (length w)) as [E | E].
  - exists xH. rewrite Ei. split; [lia | split; [lia | split; [exact A | split; [|right]]]].
    + rewrite nth_error_app2 in B by lia. replace (S i - length w)%nat with 0%nat in B by lia.
      destruct w as [|x r]; [discriminate | exact B].
    + split; [lia | reflexivity].
  - exists (Pos.succ (Pos.of_nat (S i))). rewrite Ei. split; [lia | split; [lia | split; [exact A | split; [|left]]]].
    + rewrite nth_error_app1 in B by lia. replace (Pos.to_nat (Pos.succ (Pos.of_nat (S i))) - 1)%nat with (S i) by lia. exact B.
    + split; [lia | reflexivity].
Qed.

Lemma beside_has a b k : place a k ->
  (if around p then next w a b \/ next w b a else consecutive w a b \/ consecutive w b a) ->
  exists j, (j <= n)%positive /\ place b j /\ In j (beside k).
Proof.
  intros P R. unfold beside. assert (L := long). destruct (around p).
  - destruct R as [R | R]; apply next_places in R as (i & j & Ki & Kj & Pi & Pj & Y).
    + rewrite (place_once a i k Pi P) in *. exists j. split; [exact Kj | split; [exact Pj |]]. apply in_app_iff. right.
      destruct Y as [[Y ->] | [-> ->]]; [|rewrite Pos.eqb_refl; now left].
      destruct (Pos.eqb_spec k n); [tauto | now left].
    + rewrite (place_once a j k Pj P) in *. exists i. split; [exact Ki | split; [exact Pi |]]. apply in_app_iff. left.
      destruct Y as [[Y ->] | [-> ->]]; [|rewrite Pos.eqb_refl; now left].
      destruct (Pos.eqb_spec (Pos.succ i) xH); [lia |]. left. lia.
  - assert (NN : NoDup w) by apply T. rewrite NoDup_nth_error in NN. unfold place in *.
    destruct R as [R | R]; apply consecutive_nth in R as (m & A & B).
    + assert (E : m = (Pos.to_nat k - 1)%nat) by (apply NN; [apply nth_error_Some; congruence | congruence]).
      assert (S m < length w)%nat by (apply nth_error_Some; congruence).
      exists (Pos.succ k). split; [lia |]. replace (Pos.to_nat (Pos.succ k) - 1)%nat with (S m) by lia. split; [exact B |].
      apply in_app_iff. right. destruct (Pos.eqb_spec k n); [lia | now left].
    + assert (E : S m = (Pos.to_nat k - 1)%nat) by (apply NN; [apply nth_error_Some; congruence | congruence]).
      assert (m < length w)%nat by (apply nth_error_Some; congruence).
      exists (Pos.pred k). split; [lia |]. replace (Pos.to_nat (Pos.pred k) - 1)%nat with m by lia. split; [exact A |].
      apply in_app_iff. left. destruct (Pos.eqb_spec k xH); [lia | now left].
Qed.

Lemma goes_on_holds near steps : (forall a b, graph_edge edges a b -> (b <= n)%positive -> In b (near a)) ->
  (forall k j, In (k, j) steps -> (k <= n)%positive /\ (j <= n)%positive /\ forall a b, place a k -> place b j -> graph_edge edges a b) ->
  forall c, In c (goes_on near steps) -> satisfies truth c.
Proof.
  intros Near S c I. unfold goes_on in I. apply in_flat_map in I as (v & Iv & I). apply in_map_iff in I as ([k j] & <- & I).
  cbn [fst snd]. destruct (S k j I) as (K & J & E). destruct (place_dec v k) as [P | P].
  - destruct (has_vertex j J) as (u & U & Q). apply (literal_true truth (at_step u j) true).
    + now apply place_true.
    + right. apply in_map_iff. exists u. split; [reflexivity |]. apply Near; [now apply E | exact U].
  - apply (literal_true truth (at_step v k) false); [now apply place_false | now left].
Qed.

Lemma position_clauses_hold near : (forall e, In e (given p) -> (snd e <= n)%positive) ->
  (forall a b, graph_edge edges a b -> (b <= n)%positive -> In b (near a)) ->
  forall c, In c (position_clauses near) -> satisfies truth c.
Proof.
  intros GN Near c I. unfold position_clauses in I. rewrite !in_app_iff in I.
  assert (NE : NoDup every) by apply variables_once.
  destruct T as (N & V & M & G & R). assert (L := long).
  assert (MC : forall a b, consecutive w a b -> graph_edge edges a b).
  { intros a b C. apply M. destruct (around p); [now apply next_of_consecutive | exact C]. }
  destruct I as [I | [I | [I | [I | [I | [I | [I | [I | I]]]]]]]].
  - apply in_map_iff in I as (v & <- & I). apply every_in in I. destruct (has_place v I) as (k & K & P).
    apply (literal_true truth (at_step v k) true); [now apply place_true |]. apply in_map_iff. exists k. now rewrite every_in.
  - apply in_map_iff in I as (k & <- & I). apply every_in in I. destruct (has_vertex k I) as (v & K & P).
    apply (literal_true truth (at_step v k) true); [now apply place_true |]. apply in_map_iff. exists v. now rewrite every_in.
  - apply in_flat_map in I as (v & Iv & I). apply in_map_iff in I as ([k j] & <- & I). cbn [fst snd].
    apply pairs_of_in in I as (K & J & D); [|exact NE]. apply every_in in K, J.
    destruct (place_dec v k) as [P | P]; [destruct (place_dec v j) as [Q | Q] |].
    + exfalso. apply D. now apply (place_once v).
    + apply (literal_true truth (at_step v j) false); [now apply place_false | cbn; auto].
    + apply (literal_true truth (at_step v k) false); [now apply place_false | cbn; auto].
  - apply in_flat_map in I as (k & Ik & I). apply in_map_iff in I as ([v u] & <- & I). cbn [fst snd].
    apply pairs_of_in in I as (K & J & D); [|exact NE]. apply every_in in Ik.
    destruct (place_dec v k) as [P | P]; [destruct (place_dec u k) as [Q | Q] |].
    + unfold place in *. congruence.
    + apply (literal_true truth (at_step u k) false); [now apply place_false | cbn; auto].
    + apply (literal_true truth (at_step v k) false); [now apply place_false | cbn; auto].
  - apply (goes_on_holds near one_more Near) with (2 := I). intros k j K. apply in_map_iff in K as (i & E & K). injection E as -> <-.
    assert (Kn : (k < n)%positive).
    { unfold every in K. revert K. clear - k n. assert (G : forall m i, In k (removelast (variables_from i m)) -> (Pos.to_nat k < Pos.to_nat i + m - 1)%nat).
      { induction m as [|[|m] IH]; intros i K; [destruct K | destruct K |].
        change (In k (i :: removelast (variables_from (Pos.succ i) (S m)))) in K. destruct K as [-> | K]; [lia |]. apply IH in K. lia. }
      intros K. apply G in K. lia. }
    split; [lia | split; [lia |]]. intros a b A B. apply MC. apply (nth_consecutive w (Pos.to_nat k - 1)); [exact A |].
    unfold place in B. replace (S (Pos.to_nat k - 1)) with (Pos.to_nat (Pos.succ k) - 1)%nat by lia. exact B.
  - apply (goes_on_holds near one_less Near) with (2 := I). intros k j K. apply in_map_iff in K as (i & E & K). injection E as -> <-.
    assert (Kn : (k <= n)%positive /\ k <> xH).
    { unfold every in K. destruct (Pos.to_nat n) as [|m] eqn:En; [lia |]. cbn in K. apply variables_in in K. lia. }
    split; [lia | split; [lia |]]. intros a b A B. unfold graph_edge. apply or_comm. apply MC.
    apply (nth_consecutive w (Pos.to_nat (Pos.pred k) - 1)); [exact B |]. unfold place in A.
    replace (S (Pos.to_nat (Pos.pred k) - 1)) with (Pos.to_nat k - 1)%nat by lia. exact A.
  - destruct (around p) eqn:O; [|destruct I]. apply in_app_iff in I as [I | I].
    + apply (goes_on_holds near [(n, xH)] Near) with (2 := I). intros k j [K | []]. injection K as <- <-.
      split; [lia | split; [lia |]]. intros a b A B. now apply M, next_of_ends.
    + apply (goes_on_holds near [(xH, n)] Near) with (2 := I). intros k j [K | []]. injection K as <- <-.
      split; [lia | split; [lia |]]. intros a b A B. unfold graph_edge. apply or_comm. now apply M, next_of_ends.
  - apply in_map_iff in I as ([v k] & <- & I). cbn [fst snd]. apply (literal_true truth (at_step v k) true); [|now left].
    apply place_true; [now apply (GN (v, k)) | now apply G].
  - apply in_flat_map in I as ([a b] & Ie & I). apply in_map_iff in I as (k & <- & K). cbn [fst snd]. apply every_in in K.
    destruct (place_dec a k) as [P | P]; [|apply (literal_true truth (at_step a k) false); [now apply place_false | now left]].
    destruct (beside_has a b k P (R a b Ie)) as (j & J & Q & B).
    apply (literal_true truth (at_step b j) true); [now apply place_true |]. right. apply in_map_iff. eauto.
Qed.


End Holds.

End Positions.

Theorem refutes_positions_sound : forall n edges p lines, refutes_positions n edges p lines = true ->
  forall w, ~ tour_at n edges p w.
Proof.
  intros n edges p lines H w T. unfold refutes_positions in H. apply andb_true_iff in H as [G H].
  rewrite forallb_forall in G. rewrite (contradicted_right (truth n w)) in H; [discriminate |].
  apply (position_clauses_hold n edges p w T).
  - intros e I. now apply Pos.leb_le, G.
  - intros a b E B. apply filter_In. split; [now apply every_in | now apply occurs_in, joined_to_has].
Qed.

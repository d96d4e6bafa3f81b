(* Tours of rectangles that grow: the lemmas of docs/proofs/rectangles.md. The tours of the tables are checked by
   computation. *)

From Coq Require Import ZArith List Permutation Lia Bool.
From Cavalcade Require Import Definitions Cycles Finite Rectangles Small RectangleTables Paths.
Import ListNotations.
Open Scope Z_scope.

(* ---- moves, cells further to the right, and seams *)

Lemma knight_sym a b : knight_move a b -> knight_move b a.
Proof. unfold knight_move. lia. Qed.

Lemma moves_apart_move a b : moves_apart a b = true -> knight_move a b.
Proof. unfold moves_apart, knight_move. rewrite orb_true_iff, !andb_true_iff, !Z.eqb_eq. tauto. Qed.

Lemma swap_move a b : knight_move a b -> knight_move (swap a) (swap b).
Proof. unfold knight_move, swap. cbn [fst snd]. tauto. Qed.

Definition right (n : Z) (c : cell) : cell := (fst c, snd c + n).

Lemma right_right n k c : right n (right k c) = right (k + n) c.
Proof. unfold right. cbn [fst snd]. f_equal. lia. Qed.

Lemma right_left n c : right n (right (- n) c) = c.
Proof. rewrite right_right. destruct c. unfold right. cbn [fst snd]. f_equal. lia. Qed.

Lemma left_right n c : right (- n) (right n c) = c.
Proof. rewrite right_right. destruct c. unfold right. cbn [fst snd]. f_equal. lia. Qed.

Lemma right_move n a b : knight_move a b -> knight_move (right n a) (right n b).
Proof. unfold knight_move, right. cbn [fst snd]. lia. Qed.

Definition enter_1 : cell := Eval compute in fst enter.
Definition enter_2 : cell := Eval compute in snd enter.
Definition last_1 : cell := Eval compute in fst leave.
Definition last_2 : cell := Eval compute in snd leave.

(* Two moves lead from the ends of the seam leave, on n columns, to those of the seam enter behind them. *)
Lemma seams_meet n :
  knight_move (right n last_1) (right n enter_1) /\ knight_move (right n last_2) (right n enter_2).
Proof. split; apply right_move, moves_apart_move; vm_compute; reflexivity. Qed.

Ltac distinct := let E1 := fresh "E" in let E2 := fresh "F" in
  intros [E1 E2]; unfold right, swap, last_1, last_2, enter_1, enter_2 in E1, E2; cbn [fst snd] in E1, E2;
  apply pair_equal_spec in E1; apply pair_equal_spec in E2; lia.

(* ---- finite checks *)

Definition is_path (m n : Z) (t : list cell) : bool :=
  (1 <=? length t)%nat && different t && forallb (fun c => occurs c (cells m n)) t &&
  forallb (fun c => occurs c t) (cells m n) && forallb (fun s => moves_apart (fst s) (snd s)) (pairs t).

Lemma is_path_spec m n t : is_path m n t = true -> open_tour (rectangle m n) t.
Proof.
  unfold is_path. rewrite !andb_true_iff, !forallb_forall, Nat.leb_le. intros [[[[L D] I] O] S].
  split; [intros ->; cbn in L; lia |]. split; [now apply different_nodup |]. split.
  - intros c. rewrite <- cells_in, <- !occurs_in. split; intros H; [apply I | apply O]; now apply occurs_in.
  - intros a b H. apply pairs_consecutive in H. apply moves_apart_move, (S (a, b) H).
Qed.

Definition is_closed (m n : Z) (t : list cell) : bool :=
  (3 <=? length t)%nat && is_path m n t && forallb (fun s => moves_apart (fst s) (snd s)) (steps t).

Lemma is_closed_spec m n t : is_closed m n t = true -> closed_tour (rectangle m n) t.
Proof.
  unfold is_closed. rewrite !andb_true_iff, !forallb_forall, Nat.leb_le. intros [[L P] S].
  apply is_path_spec in P as (_ & N & I & _). split; [exact L | split; [exact N | split; [exact I |]]].
  intros a b H. apply steps_next in H. apply moves_apart_move, (S (a, b) H).
Qed.

Definition has_link (t : list cell) (a b : cell) : bool :=
  existsb (fun s => same a (fst s) && same b (snd s) || same b (fst s) && same a (snd s)) (pairs t).

Lemma has_link_link t a b : has_link t a b = true -> link t a b.
Proof.
  unfold has_link. rewrite existsb_exists. intros ([x y] & I & E). cbn in E.
  apply pairs_consecutive in I. rewrite orb_true_iff, !andb_true_iff, !same_eq in E. unfold link.
  destruct E as [[-> ->] | [-> ->]]; auto.
Qed.

(* ---- closed tours of boards with sides from 5 on: six columns are appended *)

Definition good (m n : Z) (t : list cell) : Prop :=
  closed_tour (rectangle m n) t /\ edge t enter_1 enter_2 /\ edge t (swap enter_1) (swap enter_2) /\
  edge t (right n last_1) (right n last_2) /\ edge t (swap (right m last_1)) (swap (right m last_2)).

Definition goodb (m n : Z) (t : list cell) : bool :=
  is_closed m n t && has_edge t enter_1 enter_2 && has_edge t (swap enter_1) (swap enter_2) &&
  has_edge t (right n last_1) (right n last_2) && has_edge t (swap (right m last_1)) (swap (right m last_2)).

Lemma goodb_good m n t : goodb m n t = true -> good m n t.
Proof.
  unfold goodb, good. rewrite !andb_true_iff. intros [[[[C A] B] D] E].
  auto 6 using is_closed_spec, has_edge_edge.
Qed.

Lemma good_swapped m n t : good m n t -> good n m (map swap t).
Proof.
  intros (T & A & B & C & D). split; [now apply tour_swapped |].
  apply (edge_map swap) in A, B, C, D. rewrite !swap_swap in *. auto.
Qed.

Lemma good_wider m n t u : 5 <= m -> 5 <= n -> good m n t -> good m 6 u -> exists v, good m (n + 6) v.
Proof.
  intros M N (T & A & B & C & D) (U & E & _ & F & _).
  apply (cycle_map _ _ (right n) (right (- n)) u (left_right n) (right_left n) (right_move n)) in U.
  apply (edge_map (right n)) in E, F.
  destruct (join_spec same same_eq _ _ knight_move knight_sym (right n last_1) (right n last_2)
              (right n enter_1) (right n enter_2) _ _ T U) as (J & KT & KU);
    [ | discriminate | discriminate | exact C | exact E | apply seams_meet | apply seams_meet |].
  - intros c. unfold rectangle, right. cbn [has fst snd]. lia.
  - eexists. split; [|split; [|split; [|split]]].
    + apply (cycle_ext _ (has (rectangle m (n + 6)))) in J; [exact J |]. intros c. unfold rectangle, right. cbn [has fst snd]. lia.
    + apply KT; [exact A | |]; distinct.
    + apply KT; [exact B | |]; distinct.
    + rewrite !right_right in F. rewrite Z.add_comm. apply KU; [exact F | |]; distinct.
    + apply KT; [exact D | |]; distinct.
Qed.

Lemma good_base m n : 5 <= m <= n -> n <= 10 -> Z.even (m * n) = true -> exists t, good m n t.
Proof.
  intros M N E.
  assert (CM : m = 5 \/ m = 6 \/ m = 7 \/ m = 8 \/ m = 9 \/ m = 10) by lia.
  assert (CN : n = 5 \/ n = 6 \/ n = 7 \/ n = 8 \/ n = 9 \/ n = 10) by lia.
  destruct CM as [-> | [-> | [-> | [-> | [-> | ->]]]]], CN as [-> | [-> | [-> | [-> | [-> | ->]]]]];
    try lia; try discriminate E; clear;
    first [exists closed_5x6; apply goodb_good; vm_compute; reflexivity
          | exists closed_5x8; apply goodb_good; vm_compute; reflexivity
          | exists closed_5x10; apply goodb_good; vm_compute; reflexivity
          | exists closed_6x6; apply goodb_good; vm_compute; reflexivity
          | exists closed_6x7; apply goodb_good; vm_compute; reflexivity
          | exists closed_6x8; apply goodb_good; vm_compute; reflexivity
          | exists closed_6x9; apply goodb_good; vm_compute; reflexivity
          | exists closed_6x10; apply goodb_good; vm_compute; reflexivity
          | exists closed_7x8; apply goodb_good; vm_compute; reflexivity
          | exists closed_7x10; apply goodb_good; vm_compute; reflexivity
          | exists closed_8x8; apply goodb_good; vm_compute; reflexivity
          | exists closed_8x9; apply goodb_good; vm_compute; reflexivity
          | exists closed_8x10; apply goodb_good; vm_compute; reflexivity
          | exists closed_9x10; apply goodb_good; vm_compute; reflexivity
          | exists closed_10x10; apply goodb_good; vm_compute; reflexivity].
Qed.

Lemma good_all m n : 5 <= m -> 5 <= n -> Z.even (m * n) = true -> exists t, good m n t.
Proof.
  assert (K : forall k m n, (Z.to_nat (m + n) <= k)%nat -> 5 <= m -> 5 <= n -> Z.even (m * n) = true ->
                exists t, good m n t).
  { clear. induction k as [|k IH]; intros m n S M N E; [lia |].
    assert (H : forall m n, (Z.to_nat (m + n) <= Datatypes.S k)%nat -> 5 <= m <= n -> Z.even (m * n) = true ->
                  exists t, good m n t).
    { clear m n S M N E. intros m n S M E. destruct (Z_lt_le_dec 10 n) as [L | L]; [|now apply good_base].
      destruct (IH m (n - 6)) as [t T]; [lia | lia | lia | |].
      { rewrite Z.even_mul, Z.even_sub in *. cbn. now destruct (Z.even m), (Z.even n). }
      destruct (IH m 6) as [u U]; [lia | lia | lia | rewrite Z.even_mul; cbn; apply orb_true_r |].
      destruct (good_wider m (n - 6) t u) as [v G]; try lia; auto.
      exists v. now replace n with (n - 6 + 6) by lia. }
    destruct (Z_le_gt_dec m n) as [L | L]; [apply H; auto; lia |].
    destruct (H n m) as [t T]; [lia | lia | now rewrite Z.mul_comm |].
    exists (map swap t). now apply good_swapped. }
  intros M N E. now apply (K (Z.to_nat (m + n))).
Qed.

(* ---- boards with 3 or 4 rows: four columns are added, whose paths replace seams *)

(* A path from the neighbour of one end of the seam to the neighbour of the other, moved to the columns from n on. *)
Lemma path_right n p c m d : p = c :: m ++ [d] ->
  hamiltonian_path (fun x => In x p) knight_move p ->
  map (right n) p = right n c :: map (right n) m ++ [right n d] /\
  hamiltonian_path (fun x => In (right (- n) x) p) knight_move (map (right n) p).
Proof.
  intros -> P. split; [cbn; now rewrite map_app |]. revert P. apply path_map.
  - intros x y E. now rewrite <- (left_right n x), E, left_right.
  - apply right_move.
  - intros y. split; [intros H; exists (right (- n) y); split; [apply right_left | exact H] |].
    intros (x & <- & H). now rewrite left_right.
Qed.

Lemma listed_path p : (negb (length p =? 0)%nat && different p &&
    forallb (fun s => moves_apart (fst s) (snd s)) (pairs p)) = true ->
  hamiltonian_path (fun x => In x p) knight_move p.
Proof.
  rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq, forallb_forall. intros [[L D] S].
  split; [intros ->; now apply L |]. split; [now apply different_nodup | split; [tauto |]].
  intros a b H. apply pairs_consecutive in H. apply moves_apart_move, (S (a, b) H).
Qed.

Definition good_3 (n : Z) (t : list cell) : Prop :=
  open_tour (rectangle 3 n) t /\ link t (right n last_1) (right n last_2).

Definition good_3b (n : Z) (t : list cell) : bool := is_path 3 n t && has_link t (right n last_1) (right n last_2).

Lemma good_3b_good n t : good_3b n t = true -> good_3 n t.
Proof. unfold good_3b, good_3. rewrite andb_true_iff. intros [P L]. auto using is_path_spec, has_link_link. Qed.

Lemma in_strip_3 c : In c strip_3 <-> 0 <= fst c < 3 /\ 0 <= snd c < 4.
Proof.
  rewrite <- (cells_in 3 4 c : _ <-> 0 <= fst c < 3 /\ 0 <= snd c < 4).
  split; intros H; apply occurs_in.
  - assert (E : forallb (fun c => occurs c (cells 3 4)) strip_3 = true) by (vm_compute; reflexivity).
    rewrite forallb_forall in E. now apply E.
  - assert (E : forallb (fun c => occurs c strip_3) (cells 3 4) = true) by (vm_compute; reflexivity).
    rewrite forallb_forall in E. now apply E.
Qed.

Lemma wider_3 n t : 3 <= n -> good_3 n t -> exists u, good_3 (n + 4) u /\ same_ends t u.
Proof.
  intros N (T & L).
  assert (P : hamiltonian_path (fun x => In x strip_3) knight_move strip_3) by (apply listed_path; vm_compute; reflexivity).
  assert (S : link strip_3 (right 4 last_1) (right 4 last_2)) by (apply has_link_link; vm_compute; reflexivity).
  destruct (path_right n strip_3 (hd (0, 0) strip_3) (removelast (tl strip_3)) (last strip_3 (0, 0))) as (F & Q);
    [vm_compute; reflexivity | exact P |].
  rewrite F in Q.
  destruct (insert_spec _ _ knight_move knight_sym t (right n last_1) (right n last_2) _ _ _ T Q)
    as (u & U & E & _ & K); [ | exact L | | |].
  - intros x X. rewrite in_strip_3. revert X. unfold rectangle, right. cbn [has fst snd]. lia.
  - apply right_move, moves_apart_move. vm_compute. reflexivity.
  - apply right_move, moves_apart_move. vm_compute. reflexivity.
  - exists u. split; [split | exact E].
    + apply (path_ext _ (has (rectangle 3 (n + 4)))) in U; [exact U |]. intros x. rewrite in_strip_3. unfold rectangle, right. cbn [has fst snd]. lia.
    + rewrite <- F in K. apply (link_map (right n)) in S. rewrite !right_right in S. rewrite Z.add_comm. now apply K.
Qed.

Lemma longer_3 k n t : 3 <= n -> good_3 n t -> exists u, good_3 (n + 4 * Z.of_nat k) u /\ same_ends t u.
Proof.
  intros N T. induction k as [|k (u & U & E)].
  - exists t. replace (n + 4 * Z.of_nat 0) with n by lia. split; [exact T | split; reflexivity].
  - destruct (wider_3 (n + 4 * Z.of_nat k) u) as (v & V & F); [lia | exact U |].
    exists v. replace (n + 4 * Z.of_nat (S k)) with (n + 4 * Z.of_nat k + 4) by lia.
    split; [exact V | exact (same_ends_trans t u v E F)].
Qed.

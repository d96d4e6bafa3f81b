(* Two rectangles that have no closed tour, by the proved checker. *)

From Coq Require Import ZArith PArith List Bool Lia.
From Cavalcade Require Import Definitions Counting Rectangles Checker Soundness.
Import ListNotations.
Open Scope Z_scope.

(* The cells of m rows and n columns are numbered from 1, row by row. *)
Definition cells (m n : Z) : list cell := list_prod (upto m) (upto n).
Definition cell_number (n : Z) (c : cell) : positive := Z.to_pos (1 + n * fst c + snd c).

Definition moves_apart (a b : cell) : bool :=
  (Z.abs (fst b - fst a) =? 1) && (Z.abs (snd b - snd a) =? 2) ||
  (Z.abs (fst b - fst a) =? 2) && (Z.abs (snd b - snd a) =? 1).

Definition cell_edges (m n : Z) : list (positive * positive) :=
  flat_map (fun a => map (fun b => (cell_number n a, cell_number n b)) (filter (moves_apart a) (cells m n)))
    (cells m n).

Lemma cells_in m n c : In c (cells m n) <-> has (rectangle m n) c.
Proof.
  destruct c as [x y]. unfold cells. cbn. split.
  - intros H. apply in_prod_iff in H. now rewrite !upto_in in H.
  - intros [X Y]. apply in_prod; now apply upto_in.
Qed.

Theorem rectangle_refuted m n proof :
  accepts false (map (cell_number n) (cells m n)) (cell_edges m n) None None proof = true ->
  forall t, ~ closed_tour (rectangle m n) t.
Proof.
  intros H t. apply (numbered_sound _ _ (cell_number n) _ _ proof) with (4 := H).
  - intros [x y] [z w] A B E. cbn in A, B. unfold cell_number in E. cbn [fst snd] in E.
    assert (P := Z.mul_nonneg_nonneg n x). assert (Q := Z.mul_nonneg_nonneg n z).
    apply Z2Pos.inj in E; [| lia | lia].
    destruct (Z.div_mod_unique n x z y w) as [-> ->]; [lia | lia | lia | reflexivity].
  - intros v. rewrite in_map_iff. split; intros (a & P & Q); exists a.
    + rewrite cells_in in Q. auto.
    + rewrite cells_in. auto.
  - intros a b A B M. unfold cell_edges. apply in_flat_map. exists a. split; [now apply cells_in |].
    apply in_map_iff. exists b. split; [reflexivity |]. apply filter_In. split; [now apply cells_in |].
    unfold moves_apart. rewrite orb_true_iff, !andb_true_iff, !Z.eqb_eq. exact M.
Qed.

(* 3 x 6: without the cells (0, 2) and (2, 2) three parts are left. *)
Theorem no_tour_of_3x6 : forall t, ~ closed_tour (rectangle 3 6) t.
Proof. apply (rectangle_refuted 3 6 [Cut [3; 15]%positive]). vm_compute. reflexivity. Qed.

(* 3 x 8: the corners have two moves each. *)
Theorem no_tour_of_3x8 : forall t, ~ closed_tour (rectangle 3 8) t.
Proof.
  apply (rectangle_refuted 3 8 [Forced [1; 8; 17; 24]; Saturated [11; 14]; Cut [3; 6; 19; 22]]%positive).
  vm_compute. reflexivity.
Qed.

(* All that Schwenk's theorem says has no tour. *)
Theorem schwenk_necessity : forall m n t, 1 <= m <= n -> closed_tour (rectangle m n) t ->
  ~ ((Z.odd m = true /\ Z.odd n = true) \/ m = 1 \/ m = 2 \/ m = 4 \/
     (m = 3 /\ (n = 4 \/ n = 6 \/ n = 8))).
Proof.
  intros m n t L T H. assert (N := rectangles_without_tour m n t ltac:(lia) ltac:(lia) T).
  destruct H as [H | [H | [H | [H | [-> [-> | [-> | ->]]]]]]]; try tauto; try lia.
  - now apply (no_tour_of_3x6 t).
  - now apply (no_tour_of_3x8 t).
Qed.

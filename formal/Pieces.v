(* Lemma 4 of docs/proofs/glinski.md: the tours of the tables are tours, and have the edges that the joins need. *)

From Coq Require Import ZArith List Permutation Lia Bool.
From Cavalcade Require Import Definitions Cycles Finite Hexagonal Tables.
Import ListNotations.
Open Scope Z_scope.

(* ---- pieces: the cell [i, j], laid at place 0 of arm 0 *)

Definition flat (c : cell) : cell := (fst c - snd c, snd c).

Definition inner : cell := Eval compute in flat (fst entrance).
Definition outer : cell := Eval compute in flat (snd entrance).
Definition along_1 : cell := Eval compute in flat (fst along).
Definition along_2 : cell := Eval compute in flat (snd along).
Definition inward_1 : cell := Eval compute in flat (fst inward).
Definition inward_2 : cell := Eval compute in flat (snd inward).

(* Where the places of a row are counted from its end: row i of an arm of s cells a side has s + i cells. *)
Definition from_end (s : Z) (c : cell) : cell := flat (fst c, s + fst c + snd c).
Definition corner_1 (s : Z) : cell := from_end s (fst corner).
Definition corner_2 (s : Z) : cell := from_end s (snd corner).

(* The arm of s cells a side, and the rhombus: row i is q + r, place p is r. *)
Definition arm (s : Z) (c : cell) : Prop := 0 <= fst c + snd c <= 4 /\ 0 <= snd c < s + (fst c + snd c).
Definition armb (s : Z) (c : cell) : bool :=
  (0 <=? fst c + snd c) && (fst c + snd c <=? 4) && (0 <=? snd c) && (snd c <? s + (fst c + snd c)).

Lemma armb_arm s c : armb s c = true <-> arm s c.
Proof. unfold armb, arm. rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt. lia. Qed.

Definition five (c : cell) : Prop := 0 <= fst c + snd c <= 4 /\ 0 <= snd c <= 4.
Definition fiveb (c : cell) : bool :=
  (0 <=? fst c + snd c) && (fst c + snd c <=? 4) && (0 <=? snd c) && (snd c <=? 4).

Lemma fiveb_five c : fiveb c = true <-> five c.
Proof. unfold fiveb, five. rewrite !andb_true_iff, !Z.leb_le. lia. Qed.

Definition flat_rhombus : list cell := Eval vm_compute in map flat rhombus.

(* A trapezoid, and its number of cells in row 0: r = 4 + k. *)
Definition trapezoid (k : nat) : list cell :=
  map flat (match k with
            | 0 => trapezoid_4 | 1 => trapezoid_5 | 2 => trapezoid_6 | 3 => trapezoid_7 | _ => trapezoid_8
            end)%nat.

Lemma rhombus_tour :
  tour five flat_rhombus /\ edge flat_rhombus inner outer /\ edge flat_rhombus along_1 along_2 /\
  edge flat_rhombus inward_1 inward_2.
Proof.
  split; [|repeat split; apply has_edge_edge; vm_compute; reflexivity].
  apply (is_tour_spec fiveb hexagonal_moveb five hexagonal_move 8);
    [exact fiveb_five | exact hexagonal_moveb_move | unfold five; cbn; lia | vm_compute; reflexivity].
Qed.

(* What the induction keeps of an arm: a tour with entrance, inward and corner. *)
Definition good_arm (s : Z) (t : list cell) : Prop :=
  tour (arm s) t /\ edge t inner outer /\ edge t inward_1 inward_2 /\ edge t (corner_1 s) (corner_2 s).

Lemma trapezoids k : (k < 5)%nat -> good_arm (4 + Z.of_nat k) (trapezoid k).
Proof.
  intros K. do 5 (destruct k as [|k]; [split;
    [match goal with |- hamiltonian_cycle (arm ?s) _ _ =>
       apply (is_tour_spec (armb s) hexagonal_moveb (arm s) hexagonal_move 13);
         [exact (armb_arm s) | exact hexagonal_moveb_move | intros c; unfold arm; lia | vm_compute; reflexivity]
     end
    |repeat split; apply has_edge_edge; vm_compute; reflexivity] |]).
  lia.
Qed.

(* ---- the boards of side 4 to 8 *)

Definition start (k : nat) : list cell :=
  match k with 0 => board_4 | 1 => board_5 | 2 => board_6 | 3 => board_7 | _ => board_8 end%nat.

Definition hexb (n : Z) (c : cell) : bool :=
  (Z.abs (fst c) <=? n - 1) && (Z.abs (snd c) <=? n - 1) && (Z.abs (- fst c - snd c) <=? n - 1).

Lemma hexb_hex n c : hexb n c = true <-> has (hex n) c.
Proof. unfold hexb, hex. cbn [has]. rewrite !andb_true_iff, !Z.leb_le. lia. Qed.

(* What the induction keeps of a board: a tour with its entrance, five rows further in than that of the band. *)
Definition good_hex (n : Z) (t : list cell) : Prop :=
  tour (has (hex n)) t /\
  edge t (n - 5 + fst inner, snd inner) (n - 5 + fst outer, snd outer).

Lemma starts k : (k < 5)%nat -> good_hex (4 + Z.of_nat k) (start k).
Proof.
  intros K. do 5 (destruct k as [|k]; [split;
    [match goal with |- hamiltonian_cycle (has (hex ?n)) _ _ =>
       apply (is_tour_spec (hexb n) hexagonal_moveb (has (hex n)) hexagonal_move 8);
         [exact (hexb_hex n) | exact hexagonal_moveb_move | intros c; unfold hex; cbn [has]; lia
         | vm_compute; reflexivity]
     end
    |apply has_edge_edge; vm_compute; reflexivity] |]).
  lia.
Qed.

(* What the theorems are about. This page has no proof in it.

   A reader needs this much of Coq: Z is the set of the integers, [list A] are the finite sequences of elements
   of A, [u ++ v] is one sequence after the other, [a :: v] is the sequence v with a put in front, [In a t] says
   that a occurs in t, [NoDup t] that nothing occurs twice in t, [length t] is how many elements t has, and
   [Permutation u v] says that u and v are the same sequence up to the order. *)

From Coq Require Import ZArith List Permutation.
Import ListNotations.
Open Scope Z_scope.

(* In the sequence l the element b is right behind a, somewhere. *)
Definition consecutive {A : Type} (l : list A) (a b : A) : Prop := exists u v, l = u ++ a :: b :: v.

(* The same where l is read as a cycle: behind its last element comes the first once more. *)
Definition next {A : Type} (t : list A) (a b : A) : Prop := consecutive (t ++ firstn 1 t) a b.

(* A cycle through the vertices of a graph, each once: [vertex] says which they are, [adjacent] which are joined. *)
Definition hamiltonian_cycle {A : Type} (vertex : A -> Prop) (adjacent : A -> A -> Prop) (t : list A) : Prop :=
  (3 <= length t)%nat /\
  NoDup t /\
  (forall a, In a t <-> vertex a) /\
  (forall a b, next t a b -> adjacent a b).

(* A path through the vertices of a graph, each once. It may end anywhere. *)
Definition hamiltonian_path {A : Type} (vertex : A -> Prop) (adjacent : A -> A -> Prop) (t : list A) : Prop :=
  t <> [] /\
  NoDup t /\
  (forall a, In a t <-> vertex a) /\
  (forall a b, consecutive t a b -> adjacent a b).

(* A cell is a pair of integers. A board says which cells it has, and which are a move apart. *)
Definition cell : Type := Z * Z.

Record board : Type := { has : cell -> Prop; move : cell -> cell -> Prop }.

Definition closed_tour (B : board) (t : list cell) : Prop := hamiltonian_cycle (has B) (move B) t.
Definition open_tour (B : board) (t : list cell) : Prop := hamiltonian_path (has B) (move B) t.

(* The hexagonal knight changes the coordinates q, r and s = -q - r by 1, 2 and -3 in some order,
   or by -1, -2 and 3 in some order. *)
Definition hexagonal_move (a b : cell) : Prop :=
  let q := fst b - fst a in
  let r := snd b - snd a in
  let s := - q - r in
  Permutation [q; r; s] [1; 2; -3] \/ Permutation [q; r; s] [-1; -2; 3].

(* Gliński's board of side n: all three coordinates lie between -(n - 1) and n - 1. *)
Definition hex (n : Z) : board := {|
  has c := Z.abs (fst c) <= n - 1 /\ Z.abs (snd c) <= n - 1 /\ Z.abs (- fst c - snd c) <= n - 1;
  move := hexagonal_move
|}.

(* The knight of chess changes one coordinate by 1 and the other by 2. *)
Definition knight_move (a b : cell) : Prop :=
  (Z.abs (fst b - fst a) = 1 /\ Z.abs (snd b - snd a) = 2) \/
  (Z.abs (fst b - fst a) = 2 /\ Z.abs (snd b - snd a) = 1).

(* The board of m rows and n columns. *)
Definition rectangle (m n : Z) : board := {|
  has c := 0 <= fst c < m /\ 0 <= snd c < n;
  move := knight_move
|}.

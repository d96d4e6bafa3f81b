(* The knight's moves on hexagonal cells, and the turn by 60 degrees. *)

From Coq Require Import ZArith List Permutation Lia Bool.
From Cavalcade Require Import Definitions Cycles Finite.
Import ListNotations.
Open Scope Z_scope.

(* ---- moves *)

(* The moves one by one, in a form that lia takes. *)
Definition moved (q r : Z) : Prop :=
  (q = 1 /\ (r = 2 \/ r = -3)) \/ (q = 2 /\ (r = 1 \/ r = -3)) \/ (q = -3 /\ (r = 1 \/ r = 2)) \/
  (q = -1 /\ (r = -2 \/ r = 3)) \/ (q = -2 /\ (r = -1 \/ r = 3)) \/ (q = 3 /\ (r = -1 \/ r = -2)).

Lemma permutation_of_three (x y z a b c : Z) :
  a <> b -> a <> c -> b <> c ->
  (Permutation [x; y; z] [a; b; c] <->
   (x = a /\ y = b /\ z = c) \/ (x = a /\ y = c /\ z = b) \/ (x = b /\ y = a /\ z = c) \/
   (x = b /\ y = c /\ z = a) \/ (x = c /\ y = a /\ z = b) \/ (x = c /\ y = b /\ z = a)).
Proof.
  intros AB AC BC. split.
  - intros P. apply Permutation_sym in P.
    assert (A := Permutation_in a P). assert (B := Permutation_in b P). assert (C := Permutation_in c P).
    cbn in A, B, C.
    destruct A as [A | [A | [A | []]]], B as [B | [B | [B | []]]], C as [C | [C | [C | []]]];
      first [exfalso; congruence | subst; intuition auto].
  - intros H. apply NoDup_Permutation.
    + decompose [and or] H; subst; repeat constructor; cbn; intuition congruence.
    + repeat constructor; cbn; intuition congruence.
    + intros d. cbn. decompose [and or] H; subst; tauto.
Qed.

(* One of many cases, by trying them. *)
Ltac pick := lazymatch goal with |- _ \/ _ => first [left; pick | right; pick] | |- _ => lia end.

Lemma hexagonal_moved a b : hexagonal_move a b <-> moved (fst b - fst a) (snd b - snd a).
Proof.
  unfold hexagonal_move, moved. rewrite !permutation_of_three by lia.
  split; intros H; decompose [and or] H; clear H; pick.
Qed.

Lemma hexagonal_sym a b : hexagonal_move a b -> hexagonal_move b a.
Proof. rewrite !hexagonal_moved. unfold moved. intros H. decompose [and or] H; clear H; pick. Qed.

Definition hexagonal_moveb (a b : cell) : bool :=
  let q := fst b - fst a in
  let r := snd b - snd a in
  existsb (same (q, r))
    [(1, 2); (1, -3); (2, 1); (2, -3); (-3, 1); (-3, 2); (-1, -2); (-1, 3); (-2, -1); (-2, 3); (3, -1); (3, -2)].

Lemma hexagonal_moveb_move a b : hexagonal_moveb a b = true -> hexagonal_move a b.
Proof.
  intros H. apply (occurs_in (_, _)) in H. apply hexagonal_moved. unfold moved.
  cbn [In] in H. repeat (destruct H as [H | H]; [injection H; lia |]). destruct H.
Qed.

Notation tour := (fun V t => hamiltonian_cycle V hexagonal_move t).
Notation joined := (join same).

(* ---- the turn by 60 degrees *)

Definition turn (c : cell) : cell := (- snd c, fst c + snd c).
Definition back (c : cell) : cell := (fst c + snd c, - fst c).

Lemma turn_back c : turn (back c) = c.
Proof. destruct c. unfold turn, back. cbn. f_equal; lia. Qed.

Lemma back_turn c : back (turn c) = c.
Proof. destruct c. unfold turn, back. cbn. f_equal; lia. Qed.

Lemma turn_move a b : hexagonal_move a b -> hexagonal_move (turn a) (turn b).
Proof.
  rewrite !hexagonal_moved. unfold moved, turn. cbn [fst snd]. intros H. decompose [and or] H; clear H; pick.
Qed.

Fixpoint turned (k : nat) (c : cell) : cell := match k with O => c | S k => turn (turned k c) end.
Fixpoint backed (k : nat) (c : cell) : cell := match k with O => c | S k => backed k (back c) end.

Lemma turned_backed k c : turned k (backed k c) = c.
Proof. revert c. induction k; intros c; cbn; [reflexivity |]. now rewrite IHk, turn_back. Qed.

Lemma backed_turned k c : backed k (turned k c) = c.
Proof. revert c. induction k; intros c; cbn; [reflexivity |]. now rewrite back_turn. Qed.

Lemma turned_move k a b : hexagonal_move a b -> hexagonal_move (turned k a) (turned k b).
Proof. induction k; cbn; auto using turn_move. Qed.

(* Tours and edges that are given cell by cell are checked by computation. *)

From Coq Require Import ZArith List Permutation Lia Bool.
From Cavalcade Require Import Definitions Cycles.
Import ListNotations.
Open Scope Z_scope.

Definition same (a b : cell) : bool := (fst a =? fst b) && (snd a =? snd b).

Lemma same_eq a b : same a b = true <-> a = b.
Proof.
  destruct a, b. unfold same. cbn. rewrite andb_true_iff, !Z.eqb_eq.
  split; [intros [-> ->]; reflexivity | intros E; injection E; auto].
Qed.

Definition cell_dec (a b : cell) : {a = b} + {a <> b}.
Proof. decide equality; apply Z.eq_dec. Defined.

Definition occurs (a : cell) (l : list cell) : bool := existsb (same a) l.

Lemma occurs_in a l : occurs a l = true <-> In a l.
Proof.
  unfold occurs. rewrite existsb_exists. split.
  - intros (x & I & E). apply same_eq in E. now subst.
  - intros I. exists a. split; [exact I | now apply same_eq].
Qed.

Fixpoint different (l : list cell) : bool :=
  match l with [] => true | a :: r => negb (occurs a r) && different r end.

Lemma different_nodup l : different l = true -> NoDup l.
Proof.
  induction l as [|a l IH]; cbn; [constructor |]. rewrite andb_true_iff, negb_true_iff.
  intros [N D]. constructor; [|auto]. rewrite <- occurs_in, N. discriminate.
Qed.

Fixpoint pairs {A} (l : list A) : list (A * A) :=
  match l with a :: (b :: _) as r => (a, b) :: pairs r | _ => [] end.

Lemma pairs_consecutive {A} (l : list A) a b : In (a, b) (pairs l) <-> consecutive l a b.
Proof.
  induction l as [|x l IH]; [cbn; split; [tauto | apply consecutive_nil] |].
  rewrite consecutive_cons. destruct l as [|y l].
  - cbn. split; [tauto |]. intros [[_ [v E]] | H]; [discriminate | now apply consecutive_nil in H].
  - change (pairs (x :: y :: l)) with ((x, y) :: pairs (y :: l)). cbn [In]. rewrite IH.
    split; (intros [H | H]; [left | auto]).
    + injection H as -> ->. eauto.
    + destruct H as [-> [v E]]. injection E as -> _. reflexivity.
Qed.

Definition steps {A} (t : list A) : list (A * A) := pairs (t ++ firstn 1 t).

Lemma steps_next {A} (t : list A) a b : In (a, b) (steps t) <-> next t a b.
Proof. apply pairs_consecutive. Qed.

Definition has_edge (t : list cell) (a b : cell) : bool :=
  existsb (fun s => same a (fst s) && same b (snd s) || same b (fst s) && same a (snd s)) (steps t).

Lemma has_edge_edge t a b : has_edge t a b = true -> edge t a b.
Proof.
  unfold has_edge. rewrite existsb_exists. intros ([x y] & I & E). cbn in E.
  apply steps_next in I. rewrite orb_true_iff, !andb_true_iff, !same_eq in E. unfold edge.
  destruct E as [[-> ->] | [-> ->]]; auto.
Qed.

(* The integers from -b to b, and the cells with both coordinates among them. *)
Definition span (b : nat) : list Z := map (fun k => Z.of_nat k - Z.of_nat b) (seq 0 (2 * b + 1)).

Lemma span_in b z : - Z.of_nat b <= z <= Z.of_nat b -> In z (span b).
Proof.
  intros H. apply in_map_iff. exists (Z.to_nat (z + Z.of_nat b)). rewrite in_seq. lia.
Qed.

Definition box (b : nat) : list cell := list_prod (span b) (span b).

Definition is_tour (vertex : cell -> bool) (adjacent : cell -> cell -> bool) (b : nat) (t : list cell) : bool :=
  (3 <=? length t)%nat && different t && forallb vertex t &&
  forallb (fun c => implb (vertex c) (occurs c t)) (box b) &&
  forallb (fun s => adjacent (fst s) (snd s)) (steps t).

Lemma is_tour_spec (vertex : cell -> bool) (adjacent : cell -> cell -> bool) (V : cell -> Prop)
    (R : cell -> cell -> Prop) b t :
  (forall c, vertex c = true <-> V c) -> (forall x y, adjacent x y = true -> R x y) ->
  (forall c, V c -> - Z.of_nat b <= fst c <= Z.of_nat b /\ - Z.of_nat b <= snd c <= Z.of_nat b) ->
  is_tour vertex adjacent b t = true -> hamiltonian_cycle V R t.
Proof.
  intros HV HR HB H. unfold is_tour in H. rewrite !andb_true_iff, Nat.leb_le, !forallb_forall in H.
  destruct H as [[[[L D] I] O] S]. repeat split.
  - exact L.
  - now apply different_nodup.
  - intros H. now apply HV, I.
  - intros H. apply occurs_in. assert (H' := H). apply HV in H'. specialize (O a).
    rewrite H' in O. apply O. destruct a as [q r]. apply in_prod; apply span_in; now apply HB in H.
  - intros x y H. apply steps_next in H. apply HR, (S (x, y) H).
Qed.

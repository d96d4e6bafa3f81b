(* Which rectangles have no closed knight's tour: the easy half of Schwenk's theorem, as far as it goes. *)

From Coq Require Import ZArith List Permutation Lia Bool.
From Cavalcade Require Import Definitions Cycles Finite Counting.
Import ListNotations.
Open Scope Z_scope.

(* A board and the board on its side. *)
Definition swap (c : cell) : cell := (snd c, fst c).

Lemma swap_swap c : swap (swap c) = c.
Proof. now destruct c. Qed.

Lemma tour_swapped m n t : closed_tour (rectangle m n) t -> closed_tour (rectangle n m) (map swap t).
Proof.
  intros T. unfold closed_tour in *.
  apply (cycle_map _ _ swap swap t swap_swap swap_swap) in T.
  - revert T. apply cycle_ext. intros [x y]. cbn. tauto.
  - intros [x y] [z w]. cbn. unfold knight_move. cbn. tauto.
Qed.

(* ---- a side of 1 or 2: the corner (0, 0) has one move at most *)

Lemma no_narrow_tour m n t : m <= 2 -> ~ closed_tour (rectangle m n) t.
Proof.
  intros M (L & N & I & S). destruct t as [|c t]; [cbn in L; lia |].
  assert (C : In (0, 0) (c :: t)).
  { apply I. assert (H : has (rectangle m n) c) by (apply I; now left). revert H. cbn. lia. }
  destruct (two_neighbours _ _ L N C) as ([p q] & [r s] & D & _ & _ & X & Y & _).
  assert (BX := proj1 (I _) (proj2 (next_in _ _ _ X))). assert (BY := proj1 (I _) (proj1 (next_in _ _ _ Y))).
  apply S in X. apply S in Y. revert X Y BX BY. cbn. unfold knight_move. cbn [fst snd]. intros X Y BX BY.
  apply D. f_equal; lia.
Qed.

(* ---- colours: every move changes the parity of x + y *)

Definition light (c : cell) : bool := Z.even (fst c + snd c).

Lemma knight_light a b : knight_move a b -> light b = negb (light a).
Proof.
  unfold knight_move, light. intros M.
  assert (E : exists k, fst b + snd b = fst a + snd a + (2 * k + 1)).
  { exists ((fst b + snd b - fst a - snd a - 1) / 2).
    assert (D : (fst b + snd b - fst a - snd a - 1) mod 2 = 0).
    { apply Z.mod_divide; [lia |]. unfold Z.divide.
      assert (K : In (fst b + snd b - fst a - snd a) [3; 1; -1; -3]) by (cbn; lia).
      cbn in K. destruct K as [K | [K | [K | [K | []]]]];
        [exists 1 | exists 0 | exists (-1) | exists (-2)]; lia. }
    assert (X := Z.div_mod (fst b + snd b - fst a - snd a - 1) 2). lia. }
  destruct E as [k E]. rewrite E, Z.even_add, Z.add_1_r, Z.even_succ, Z.odd_mul. cbn.
  now destruct (Z.even _).
Qed.

Definition upto (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).

Lemma upto_in n z : In z (upto n) <-> 0 <= z < n.
Proof.
  unfold upto. rewrite in_map_iff. split.
  - intros (k & <- & H). apply in_seq in H. lia.
  - intros H. exists (Z.to_nat z). rewrite in_seq. lia.
Qed.

Lemma nodup_app {A} (l k : list A) : NoDup l -> NoDup k -> (forall a, In a l -> In a k -> False) -> NoDup (l ++ k).
Proof.
  intros L K. induction L as [|a l N L IH]; intros D; [exact K |]. cbn. constructor.
  - rewrite in_app_iff. intros [H | H]; [auto |]. apply (D a); [now left | exact H].
  - apply IH. intros b I. apply D. now right.
Qed.

Lemma nodup_product {A B} (l : list A) (k : list B) : NoDup l -> NoDup k -> NoDup (list_prod l k).
Proof.
  intros L K. induction L as [|a l N L IH]; cbn; [constructor |]. apply nodup_app; auto.
  - apply FinFun.Injective_map_NoDup; [|exact K]. intros x y E. now injection E.
  - intros [x y] H. apply in_map_iff in H as (z & E & _). injection E as -> ->. rewrite in_prod_iff. tauto.
Qed.

Lemma tour_length m n t : 0 <= m -> 0 <= n -> closed_tour (rectangle m n) t -> Z.of_nat (length t) = m * n.
Proof.
  intros M N (_ & D & I & _).
  assert (U : forall n, NoDup (upto n)).
  { intros k. apply FinFun.Injective_map_NoDup; [intros x y; lia | apply seq_NoDup]. }
  assert (P : Permutation t (list_prod (upto m) (upto n))).
  { apply NoDup_Permutation; [exact D | now apply nodup_product |].
    intros [x y]. split; intros H.
    - apply I in H. apply in_prod; apply upto_in; apply H.
    - apply I. apply in_prod_iff in H. rewrite !upto_in in H. exact H. }
  apply Permutation_length in P. rewrite P. etransitivity; [apply f_equal, prod_length |].
  unfold upto. rewrite !map_length, !seq_length. lia.
Qed.

Lemma no_odd_tour m n t : 0 <= m -> 0 <= n -> Z.odd m = true -> Z.odd n = true -> ~ closed_tour (rectangle m n) t.
Proof.
  intros M N OM ON T. assert (L := tour_length m n t M N T).
  destruct T as (_ & _ & _ & S). assert (A := alternating light t (fun a b H => knight_light a b (S a b H))).
  assert (C := count_not light t). assert (O : Z.odd (m * n) = true) by (rewrite Z.odd_mul, OM, ON; reflexivity).
  rewrite <- L, <- C, <- A in O. replace (Z.of_nat _) with (2 * Z.of_nat (count light t)) in O by lia.
  rewrite Z.odd_mul in O. discriminate.
Qed.

(* ---- four rows: a move from an outer row leads to an inner one, so that the rows take turns as the colours do *)

Definition outside (c : cell) : bool := (fst c =? 0) || (fst c =? 3).
Definition mirror (c : cell) : cell := ((if Z.even (fst c) then fst c + 1 else fst c - 1), snd c).

Lemma four (x : Z) : 0 <= x < 4 -> x = 0 \/ x = 1 \/ x = 2 \/ x = 3.
Proof. lia. Qed.

Lemma no_tour_of_four_rows n t : ~ closed_tour (rectangle 4 n) t.
Proof.
  intros T. assert (W : 2 < n).
  { destruct (Z_lt_le_dec 2 n) as [H | H]; [exact H |]. destruct (no_narrow_tour n 4 _ H (tour_swapped _ _ _ T)). }
  destruct T as (L & N & I & S). cbn [has rectangle] in I.
  assert (R : forall c, In c t -> fst c = 0 \/ fst c = 1 \/ fst c = 2 \/ fst c = 3).
  { intros c H. apply four. now apply I in H. }
  assert (P : Permutation (map mirror t) t).
  { assert (MI : forall c, In c t -> In (mirror c) t /\ mirror (mirror c) = c).
    { intros [x y] H. assert (E := R _ H). apply I in H. cbn [fst snd] in *.
      destruct E as [E | [E | [E | E]]]; subst; (split; [apply I; cbn; lia | reflexivity]). }
    apply NoDup_Permutation; [| exact N |].
    - clear - N MI.
      assert (G : forall l, NoDup l -> (forall c, In c l -> mirror (mirror c) = c) -> NoDup (map mirror l)).
      { induction 1 as [|c l NI D IH]; intros H; cbn; constructor.
        - rewrite in_map_iff. intros (d & E & J). apply NI.
          rewrite <- (H c (or_introl eq_refl)), <- E, (H d (or_intror J)). exact J.
        - apply IH. intros d J. apply H. now right. }
      apply (G t N). intros c H. now apply MI.
    - intros c. rewrite in_map_iff. split.
      + intros (d & <- & H). now apply MI.
      + intros H. exists (mirror c). now apply MI in H as [? ?]. }
  assert (H : count outside t = count (fun c => negb (outside c)) t).
  { rewrite <- (count_permutation outside _ _ P), count_map. apply count_ext. intros [x y] J. apply R in J.
    cbn [fst] in J. destruct J as [J | [J | [J | J]]]; subst; reflexivity. }
  assert (O : forall a b, next t a b -> outside b = negb (outside a)).
  { assert (K : forall s, In s (steps t) -> outside (fst s) = negb (outside (snd s))).
    { apply (count_equal (fun s => outside (fst s)) (fun s => negb (outside (snd s)))).
      - intros [a b] J. apply steps_next in J. assert (Ia := R _ (proj1 (next_in _ _ _ J))).
        assert (Ib := R _ (proj2 (next_in _ _ _ J))). apply S in J. revert J.
        cbn [move rectangle]. unfold knight_move, outside. cbn [fst snd].
        rewrite negb_true_iff, orb_true_iff, orb_false_iff, !Z.eqb_eq, !Z.eqb_neq. lia.
      - rewrite (count_from outside), (count_to (fun c => negb (outside c))). exact H. }
    intros a b J. apply steps_next in J. specialize (K _ J). cbn in K. rewrite K. now rewrite negb_involutive. }
  assert (X : forall a b, next t a b -> xorb (outside a) (light a) = xorb (outside b) (light b)).
  { intros a b J. rewrite (O a b J), (knight_light a b (S a b J)). now destruct (outside a), (light a). }
  assert (Y := constant (fun c => xorb (outside c) (light c)) t X (0, 0) (0, 1)).
  cbv in Y. discriminate Y; apply I; cbn; lia.
Qed.

(* ---- together *)

Theorem rectangles_without_tour : forall m n t, 0 <= m -> 0 <= n -> closed_tour (rectangle m n) t ->
  ~ (Z.odd m = true /\ Z.odd n = true) /\ 2 < m /\ 2 < n /\ m <> 4 /\ n <> 4.
Proof.
  intros m n t M N T. assert (T' := tour_swapped _ _ _ T). repeat split.
  - intros [OM ON]. now apply (no_odd_tour m n t).
  - destruct (Z_lt_le_dec 2 m) as [H | H]; [exact H | destruct (no_narrow_tour _ _ _ H T)].
  - destruct (Z_lt_le_dec 2 n) as [H | H]; [exact H | destruct (no_narrow_tour _ _ _ H T')].
  - intros ->. now apply (no_tour_of_four_rows n t).
  - intros ->. now apply (no_tour_of_four_rows m _ T').
Qed.

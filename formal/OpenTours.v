(* Which rectangles have an open knight's tour: the theorem of Cull and De Curtins and of Chia and Ong. The proof
   is that of docs/proofs/rectangles.md. *)

From Coq Require Import ZArith PArith List Permutation Lia Bool.
From Cavalcade Require Import Checker Soundness Definitions Cycles Finite Rectangles Small RectangleTables Paths
  RectangleTours Schwenk.
Import ListNotations.
Open Scope Z_scope.

(* ---- odd sides from 5 on: closed tours of six columns are appended *)

Definition good_odd (m n : Z) (t : list cell) : Prop :=
  open_tour (rectangle m n) t /\ link t (right n last_1) (right n last_2) /\
  link t (swap (right m last_1)) (swap (right m last_2)).

Definition good_oddb (m n : Z) (t : list cell) : bool :=
  is_path m n t && has_link t (right n last_1) (right n last_2) &&
  has_link t (swap (right m last_1)) (swap (right m last_2)).

Lemma good_oddb_good m n t : good_oddb m n t = true -> good_odd m n t.
Proof.
  unfold good_oddb, good_odd. rewrite !andb_true_iff. intros [[P A] B].
  auto using is_path_spec, has_link_link.
Qed.

Lemma open_swapped m n t : open_tour (rectangle m n) t -> open_tour (rectangle n m) (map swap t).
Proof.
  apply path_map.
  - intros x y E. now rewrite <- (swap_swap x), E, swap_swap.
  - exact swap_move.
  - intros y. split.
    + intros H. exists (swap y). split; [apply swap_swap |]. revert H. unfold rectangle, swap. cbn [has fst snd]. tauto.
    + intros (x & <- & H). revert H. unfold rectangle, swap. cbn [has fst snd]. tauto.
Qed.

Lemma odd_swapped m n t : good_odd m n t -> good_odd n m (map swap t).
Proof.
  intros (T & A & B). split; [now apply open_swapped |].
  apply (link_map swap) in A, B. rewrite !swap_swap in B. auto.
Qed.

Lemma odd_wider m n t u : 5 <= m -> 5 <= n -> good_odd m n t -> good m 6 u -> exists v, good_odd m (n + 6) v.
Proof.
  intros M N (T & A & B) (U & E & _ & F & _).
  apply (cycle_map _ _ (right n) (right (- n)) u (left_right n) (right_left n) (right_move n)) in U.
  apply (edge_map (right n)) in E, F.
  (* The closed tour as a path between the ends of its seam. *)
  assert (SU := fun x y => edge_adjacent knight_move knight_sym _ _ x y U).
  destruct U as (_ & NU & VU & _).
  assert (ND : right n enter_1 <> right n enter_2) by discriminate.
  destruct (path_spec same same_eq (right n enter_1) (right n enter_2) _ NU ND E) as (k & Q & P & S).
  rewrite Q in P, S.
  assert (H : hamiltonian_path (fun x => has (rectangle m 6) (right (- n) x)) knight_move
                (right n enter_1 :: k ++ [right n enter_2])).
  { split; [discriminate |]. split; [exact (Permutation_NoDup (Permutation_sym P) NU) |]. split.
    - intros x. rewrite <- VU. split; apply Permutation_in; auto using Permutation_sym.
    - intros x y C. apply SU, S. left. apply next_path. auto. }
  destruct (insert_spec _ _ knight_move knight_sym t (right n last_1) (right n last_2) _ _ _ T H)
    as (v & V & _ & KT & KU); [ | exact A | apply seams_meet | apply seams_meet |].
  - intros c. unfold rectangle, right. cbn [has fst snd]. lia.
  - exists v. split; [|split].
    + apply (path_ext _ (has (rectangle m (n + 6)))) in V; [exact V |].
      intros c. unfold rectangle, right. cbn [has fst snd]. lia.
    + rewrite !right_right in F. rewrite Z.add_comm. apply KU. apply S in F. unfold edge in F.
      rewrite !next_path in F. destruct F as [[F | F] | [F | F]]; [now left | exfalso | now right | exfalso].
      all: revert F; distinct.
    + apply KT; [exact B | |]; distinct.
Qed.

Lemma odd_base m n : 5 <= m <= n -> n <= 10 -> Z.odd m = true -> Z.odd n = true -> exists t, good_odd m n t.
Proof.
  intros M N OM ON.
  assert (CM : m = 5 \/ m = 6 \/ m = 7 \/ m = 8 \/ m = 9 \/ m = 10) by lia.
  assert (CN : n = 5 \/ n = 6 \/ n = 7 \/ n = 8 \/ n = 9 \/ n = 10) by lia.
  destruct CM as [-> | [-> | [-> | [-> | [-> | ->]]]]]; try discriminate OM;
    destruct CN as [-> | [-> | [-> | [-> | [-> | ->]]]]]; try discriminate ON; try lia; clear;
    first [exists open_5x5; apply good_oddb_good; vm_compute; reflexivity
          | exists open_5x7; apply good_oddb_good; vm_compute; reflexivity
          | exists open_5x9; apply good_oddb_good; vm_compute; reflexivity
          | exists open_7x7; apply good_oddb_good; vm_compute; reflexivity
          | exists open_7x9; apply good_oddb_good; vm_compute; reflexivity
          | exists open_9x9; apply good_oddb_good; vm_compute; reflexivity].
Qed.

Lemma odd_all m n : 5 <= m -> 5 <= n -> Z.odd m = true -> Z.odd n = true -> exists t, good_odd m n t.
Proof.
  assert (K : forall k m n, (Z.to_nat (m + n) <= k)%nat -> 5 <= m -> 5 <= n -> Z.odd m = true -> Z.odd n = true ->
                exists t, good_odd m n t).
  { clear. induction k as [|k IH]; intros m n S M N OM ON; [lia |].
    assert (H : forall m n, (Z.to_nat (m + n) <= Datatypes.S k)%nat -> 5 <= m <= n -> Z.odd m = true ->
                  Z.odd n = true -> exists t, good_odd m n t).
    { clear m n S M N OM ON. intros m n S M OM ON. destruct (Z_lt_le_dec 10 n) as [L | L]; [|now apply odd_base].
      destruct (IH m (n - 6)) as [t T]; [lia | lia | lia | exact OM | rewrite Z.odd_sub, ON; reflexivity |].
      destruct (good_all m 6) as [u U]; [lia | lia | rewrite Z.even_mul; cbn; apply orb_true_r |].
      destruct (odd_wider m (n - 6) t u) as [v G]; try lia; auto.
      exists v. now replace n with (n - 6 + 6) by lia. }
    destruct (Z_le_gt_dec m n) as [L | L]; [apply H; auto; lia |].
    destruct (H n m) as [t T]; [lia | lia | auto | auto |].
    exists (map swap t). now apply odd_swapped. }
  intros M N OM ON. now apply (K (Z.to_nat (m + n))).
Qed.

(* ---- four rows: two paths of the next four columns replace two seams *)

Definition mirrored (c : cell) : cell := (3 - fst c, snd c).

Definition good_4 (n : Z) (t : list cell) : Prop :=
  open_tour (rectangle 4 n) t /\ link t (right n last_1) (right n last_2) /\
  link t (right n (mirrored last_1)) (right n (mirrored last_2)).

Definition good_4b (n : Z) (t : list cell) : bool :=
  is_path 4 n t && has_link t (right n last_1) (right n last_2) &&
  has_link t (right n (mirrored last_1)) (right n (mirrored last_2)).

Lemma good_4b_good n t : good_4b n t = true -> good_4 n t.
Proof.
  unfold good_4b, good_4. rewrite !andb_true_iff. intros [[P A] B].
  auto using is_path_spec, has_link_link.
Qed.

Definition below_4 : list cell := Eval vm_compute in map mirrored strip_4.

Lemma in_strip_4 c : In c strip_4 \/ In c below_4 <-> 0 <= fst c < 4 /\ 0 <= snd c < 4.
Proof.
  rewrite <- (cells_in 4 4 c : _ <-> 0 <= fst c < 4 /\ 0 <= snd c < 4), <- in_app_iff.
  split; intros H; apply occurs_in.
  - assert (E : forallb (fun c => occurs c (cells 4 4)) (strip_4 ++ below_4) = true) by (vm_compute; reflexivity).
    rewrite forallb_forall in E. now apply E.
  - assert (E : forallb (fun c => occurs c (strip_4 ++ below_4)) (cells 4 4) = true) by (vm_compute; reflexivity).
    rewrite forallb_forall in E. now apply E.
Qed.

Lemma strips_apart c : In c strip_4 -> In c below_4 -> False.
Proof.
  intros H I. assert (E : forallb (fun c => negb (occurs c below_4)) strip_4 = true) by (vm_compute; reflexivity).
  rewrite forallb_forall in E. specialize (E c H). apply occurs_in in I. now rewrite I in E.
Qed.

Lemma wider_4 n t : 4 <= n -> good_4 n t -> exists u, good_4 (n + 4) u.
Proof.
  intros N (T & A & B).
  assert (P1 : hamiltonian_path (fun x => In x strip_4) knight_move strip_4) by (apply listed_path; vm_compute; reflexivity).
  assert (P2 : hamiltonian_path (fun x => In x below_4) knight_move below_4) by (apply listed_path; vm_compute; reflexivity).
  assert (S1 : link strip_4 (right 4 last_1) (right 4 last_2)) by (apply has_link_link; vm_compute; reflexivity).
  assert (S2 : link below_4 (right 4 (mirrored last_1)) (right 4 (mirrored last_2)))
    by (apply has_link_link; vm_compute; reflexivity).
  apply (link_map (right n)) in S1, S2. rewrite !right_right in S1, S2.
  destruct (path_right n strip_4 (hd (0, 0) strip_4) (removelast (tl strip_4)) (last strip_4 (0, 0))) as (F1 & Q1);
    [vm_compute; reflexivity | exact P1 |].
  destruct (path_right n below_4 (hd (0, 0) below_4) (removelast (tl below_4)) (last below_4 (0, 0))) as (F2 & Q2);
    [vm_compute; reflexivity | exact P2 |].
  rewrite F1 in Q1, S1. rewrite F2 in Q2, S2.
  assert (I : forall x, In (right (- n) x) strip_4 \/ In (right (- n) x) below_4 <->
                0 <= fst x < 4 /\ n <= snd x < n + 4).
  { intros x. rewrite in_strip_4. unfold right. cbn [fst snd]. lia. }
  destruct (insert_spec _ _ knight_move knight_sym t (right n last_1) (right n last_2) _ _ _ T Q1)
    as (u & U & _ & KT & KU); [ | exact A | | |].
  - intros x X Y. assert (Z := proj1 (I x) (or_introl Y)). revert X Z. unfold rectangle. cbn [has]. lia.
  - apply right_move, moves_apart_move. vm_compute. reflexivity.
  - apply right_move, moves_apart_move. vm_compute. reflexivity.
  - assert (B' : link u (right n (mirrored last_1)) (right n (mirrored last_2))).
    { apply KT; [exact B | |]; unfold mirrored; distinct. }
    destruct (insert_spec _ _ knight_move knight_sym u (right n (mirrored last_1)) (right n (mirrored last_2))
                _ _ _ U Q2)
      as (v & V & _ & LT & LU); [ | exact B' | | |].
    + intros x [X | X] Y; [|exact (strips_apart _ X Y)].
      assert (Z := proj1 (I x) (or_intror Y)). revert X Z. unfold rectangle. cbn [has]. lia.
    + apply right_move, moves_apart_move. vm_compute. reflexivity.
    + apply right_move, moves_apart_move. vm_compute. reflexivity.
    + exists v. split; [|split].
      * apply (path_ext _ (has (rectangle 4 (n + 4)))) in V; [exact V |].
        intros x. rewrite or_assoc, I. unfold rectangle. cbn [has]. lia.
      * rewrite Z.add_comm. apply LT; [now apply KU | |]; unfold mirrored; distinct.
      * rewrite Z.add_comm. now apply LU.
Qed.

Lemma open_of_four_rows n : 5 <= n -> exists t, open_tour (rectangle 4 n) t.
Proof.
  intros N.
  assert (K : forall b, b = 5 \/ b = 6 \/ b = 7 \/ b = 8 -> forall k, exists t, good_4 (b + 4 * Z.of_nat k) t).
  { intros b B k. induction k as [|k (t & T)].
    - replace (b + 4 * Z.of_nat 0) with b by lia. destruct B as [-> | [-> | [-> | ->]]];
        [exists open_4x5 | exists open_4x6 | exists open_4x7 | exists open_4x8];
        apply good_4b_good; vm_compute; reflexivity.
    - destruct (wider_4 (b + 4 * Z.of_nat k) t) as (u & U); [lia | exact T |].
      exists u. now replace (b + 4 * Z.of_nat (S k)) with (b + 4 * Z.of_nat k + 4) by lia. }
  assert (D := Z.div_mod (n - 5) 4). assert (R := Z.mod_pos_bound (n - 5) 4). assert (P := Z.div_pos (n - 5) 4).
  destruct (K (5 + (n - 5) mod 4)) with (k := Z.to_nat ((n - 5) / 4)) as (t & T & _); [lia |].
  exists t. now replace n with (5 + (n - 5) mod 4 + 4 * Z.of_nat (Z.to_nat ((n - 5) / 4))) by lia.
Qed.

(* ---- three rows *)

Lemma open_of_three_rows n : n = 4 \/ 7 <= n -> exists t, open_tour (rectangle 3 n) t.
Proof.
  intros N.
  assert (K : forall b t, good_3b b t = true -> 3 <= b -> forall k, exists u, open_tour (rectangle 3 (b + 4 * Z.of_nat k)) u).
  { intros b t T B k. destruct (longer_3 k b t B (good_3b_good b t T)) as (u & (U & _) & _). eauto. }
  assert (D := Z.div_mod n 4). assert (R := Z.mod_pos_bound n 4). assert (P := Z.div_pos n 4).
  assert (C : exists k, n = 4 + 4 * Z.of_nat k \/ n = 7 + 4 * Z.of_nat k \/ n = 9 + 4 * Z.of_nat k \/
                        n = 10 + 4 * Z.of_nat k).
  { assert (M : n mod 4 = 0 \/ n mod 4 = 1 \/ n mod 4 = 2 \/ n mod 4 = 3) by lia.
    destruct M as [M | [M | [M | M]]]; rewrite M in D; [exists (Z.to_nat (n / 4 - 1)) | exists (Z.to_nat (n / 4 - 2)) |
      exists (Z.to_nat (n / 4 - 2)) | exists (Z.to_nat (n / 4 - 1))]; lia. }
  destruct C as [k [-> | [-> | [-> | ->]]]].
  - apply (K 4 open_3x4); [vm_compute; reflexivity | lia].
  - apply (K 7 open_3x7); [vm_compute; reflexivity | lia].
  - apply (K 9 open_3x9); [vm_compute; reflexivity | lia].
  - apply (K 10 closed_3x10); [vm_compute; reflexivity | lia].
Qed.

(* ---- boards without an open tour *)

Lemma no_narrow_open_tour m n t : 1 <= m <= 2 -> 2 <= n -> ~ open_tour (rectangle m n) t.
Proof.
  intros M N (_ & _ & I & S).
  assert (E : forall a b, consecutive t a b -> Z.even (snd a) = Z.even (snd b)).
  { intros a b H. assert (Ia := proj1 (I a) (proj1 (consecutive_in _ _ _ H))).
    assert (Ib := proj1 (I b) (proj2 (consecutive_in _ _ _ H))). apply S in H. revert H Ia Ib.
    unfold rectangle, knight_move. cbn [has move]. intros H Ia Ib.
    assert (C : snd b = snd a + 2 \/ snd b = snd a - 2) by lia.
    destruct C as [-> | ->]; [rewrite Z.even_add | rewrite Z.even_sub]; cbn; now destruct (Z.even (snd a)). }
  assert (X := path_constant (fun c => Z.even (snd c)) t E (0, 0) (0, 1)).
  cbv in X. discriminate X; apply I; unfold rectangle; cbn [has fst snd]; lia.
Qed.

(* An open tour and one extra vertex, adjacent to all cells, form a cycle. *)
Definition with_extra {A} (V : A -> Prop) (x : option A) : Prop := match x with Some a => V a | None => True end.
Definition adjacent_or_extra {A} (R : A -> A -> Prop) (x y : option A) : Prop :=
  match x, y with Some a, Some b => R a b | None, None => False | _, _ => True end.

Lemma path_with_extra {A} (V : A -> Prop) (R : A -> A -> Prop) t : hamiltonian_path V R t -> (2 <= length t)%nat ->
  hamiltonian_cycle (with_extra V) (adjacent_or_extra R) (None :: map Some t).
Proof.
  intros (_ & N & I & S) L. split; [cbn; rewrite map_length; lia |]. split; [|split].
  - constructor; [rewrite in_map_iff; intros (x & E & _); discriminate E |].
    apply FinFun.Injective_map_NoDup; [intros x y E; now injection E | exact N].
  - intros [a |]; cbn; split; auto.
    + intros [E | H]; [discriminate E |]. apply in_map_iff in H as (x & E & H). injection E as ->. now apply I.
    + intros H. right. apply in_map. now apply I.
  - intros x y H. unfold next in H. cbn [firstn app] in H.
    destruct t as [|a t]; [cbn in L; lia |]. cbn [map app] in H.
    apply consecutive_cons in H as [[<- [v E]] | H]; [injection E as <- _; exact Logic.I |].
    destruct (@exists_last _ (a :: t)) as (l & z & Z); [discriminate |].
    rewrite app_comm_cons in H. change (Some a :: map Some t) with (map Some (a :: t)) in H.
    rewrite Z, map_app, <- app_assoc in H. cbn [map app] in H. apply consecutive_app in H as [H | H].
    + change [Some z] with (map Some [z]) in H. rewrite <- map_app, <- Z in H.
      apply consecutive_map_inv in H as (b & c & -> & -> & H). now apply S.
    + apply consecutive_two in H as [<- <-]. exact Logic.I.
Qed.

Definition extra_number (m n : Z) : positive := Z.to_pos (1 + m * n).
Definition option_number (m n : Z) (x : option cell) : positive :=
  match x with Some c => cell_number n c | None => extra_number m n end.

Definition extra_edges (m n : Z) : list (positive * positive) :=
  flat_map (fun c => [(cell_number n c, extra_number m n); (extra_number m n, cell_number n c)]) (cells m n).

Lemma cell_number_range m n c : has (rectangle m n) c -> 1 <= 1 + n * fst c + snd c <= m * n.
Proof. destruct c as [x y]. unfold rectangle. cbn [has fst snd]. nia. Qed.

Theorem open_rectangle_refuted m n proof : 2 <= m -> 2 <= n ->
  accepts false (extra_number m n :: map (cell_number n) (cells m n)) (extra_edges m n ++ cell_edges m n) None None
    proof = true ->
  forall t, ~ open_tour (rectangle m n) t.
Proof.
  intros M N H t T.
  assert (E : (2 <= length t)%nat).
  { assert (J : incl [(0, 0); (1, 0)] t).
    { intros c C. apply T. cbn [In] in C. unfold rectangle. cbn [has].
      destruct C as [<- | [<- | []]]; cbn [fst snd]; lia. }
    apply (fun D => NoDup_incl_length D J). repeat constructor; cbn [In]; intuition discriminate. }
  apply (numbered_sound (with_extra (has (rectangle m n))) (adjacent_or_extra knight_move) (option_number m n) _ _ proof)
    with (4 := H) (t := None :: map Some t); [ | | | now apply path_with_extra].
  - intros [a |] [b |] A B D; cbn in A, B, D; auto.
    + assert (RA := cell_number_range m n a A). assert (RB := cell_number_range m n b B).
      unfold cell_number in D. apply Z2Pos.inj in D; [| lia | lia]. destruct a as [x y], b as [z w].
      cbn [fst snd] in *. destruct (Z.div_mod_unique n x z y w) as [-> ->]; [lia | lia | lia | reflexivity].
    + assert (RA := cell_number_range m n a A). unfold cell_number, extra_number in D.
      apply Z2Pos.inj in D; lia.
    + assert (RB := cell_number_range m n b B). unfold cell_number, extra_number in D.
      apply Z2Pos.inj in D; lia.
  - intros v. cbn [In]. rewrite in_map_iff. split.
    + intros [<- | (a & <- & I)]; [now exists None |].
      exists (Some a). split; [now apply cells_in | reflexivity].
    + intros ([a |] & V & <-); [right | now left]. exists a. split; [reflexivity | now apply cells_in].
  - intros a b A B D. apply in_app_iff. destruct a as [a |], b as [b |]; cbn in A, B, D |- *; try tauto.
    + right. unfold cell_edges. apply in_flat_map. exists a. split; [now apply cells_in |].
      apply in_map_iff. exists b. split; [reflexivity |]. apply filter_In. split; [now apply cells_in |].
      unfold moves_apart. rewrite orb_true_iff, !andb_true_iff, !Z.eqb_eq. exact D.
    + left. apply in_flat_map. exists a. split; [now apply cells_in | now left].
    + left. apply in_flat_map. exists b. split; [now apply cells_in | right; now left].
Qed.

(* The centre of 3 x 3 has no move. The other boards fall into too many parts without these cells and the extra
   vertex. *)
Lemma no_open_tour_of_3x3 t : ~ open_tour (rectangle 3 3) t.
Proof. apply (open_rectangle_refuted 3 3 [Degree 5%positive]); [lia | lia | vm_compute; reflexivity]. Qed.

Lemma no_open_tour_of_3x5 t : ~ open_tour (rectangle 3 5) t.
Proof.
  apply (open_rectangle_refuted 3 5 [Cut [2; 4; 8; 12; 14; 16]%positive]); [lia | lia | vm_compute; reflexivity].
Qed.

Lemma no_open_tour_of_3x6 t : ~ open_tour (rectangle 3 6) t.
Proof.
  apply (open_rectangle_refuted 3 6 [Cut [3; 4; 9; 10; 15; 16; 19]%positive]); [lia | lia | vm_compute; reflexivity].
Qed.

Lemma no_open_tour_of_4x4 t : ~ open_tour (rectangle 4 4) t.
Proof.
  apply (open_rectangle_refuted 4 4 [Cut [6; 7; 10; 11; 17]%positive]); [lia | lia | vm_compute; reflexivity].
Qed.

(* ---- together *)

Theorem open_tours : forall m n, 1 <= m <= n -> 2 <= n ->
  ((exists t, open_tour (rectangle m n) t) <->
   ~ (m = 1 \/ m = 2 \/ (m = 3 /\ (n = 3 \/ n = 5 \/ n = 6)) \/ (m = 4 /\ n = 4))).
Proof.
  intros m n L N. split.
  - intros [t T] [H | [H | [[-> [-> | [-> | ->]]] | [-> ->]]]].
    + apply (no_narrow_open_tour m n t); [lia | lia | exact T].
    + apply (no_narrow_open_tour m n t); [lia | lia | exact T].
    + exact (no_open_tour_of_3x3 t T).
    + exact (no_open_tour_of_3x5 t T).
    + exact (no_open_tour_of_3x6 t T).
    + exact (no_open_tour_of_4x4 t T).
  - intros H. destruct (Z.eq_dec m 3) as [-> | M]; [apply open_of_three_rows; lia |].
    destruct (Z.eq_dec m 4) as [-> | M']; [apply open_of_four_rows; lia |].
    destruct (Z.odd m) eqn:OM; [destruct (Z.odd n) eqn:ON |].
    + destruct (odd_all m n) as (t & T & _); [lia | lia | exact OM | exact ON |]. now exists t.
    + destruct (proj2 (schwenk m n L)) as [t T]; [rewrite ON; intuition discriminate || lia |].
      exists t. now apply cycle_path.
    + destruct (proj2 (schwenk m n L)) as [t T]; [rewrite OM; intuition discriminate || lia |].
      exists t. now apply cycle_path.
Qed.

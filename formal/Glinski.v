(* Gliński's board of side n has a closed knight's tour exactly if n >= 4: the proof of docs/proofs/glinski.md.

   As all sides of the board are equal, arm k of a band is arm 0 turned k times about the centre. So it is enough
   to build arm 0, whose cells are here relative to its first cell. *)

From Coq Require Import ZArith List Permutation Lia Bool.
From Cavalcade Require Import Definitions Cycles Finite Hexagonal Tables Pieces.
Import ListNotations.
Open Scope Z_scope.

(* ---- an arm: a rhombus, and the rest five places on *)

Definition shift (c : cell) : cell := (fst c - 5, snd c + 5).
Definition unshift (c : cell) : cell := (fst c + 5, snd c - 5).

Fixpoint arm_tour (k m : nat) : list cell :=
  match m with
  | O => trapezoid k
  | S m => joined along_1 along_2 (shift outer) (shift inner) flat_rhombus (map shift (arm_tour k m))
  end.

Ltac distinct := let E := fresh in intros E; injection E; lia.

Lemma shift_unshift c : shift (unshift c) = c.
Proof. destruct c. unfold shift, unshift. cbn. f_equal; lia. Qed.

Lemma unshift_shift c : unshift (shift c) = c.
Proof. destruct c. unfold shift, unshift. cbn. f_equal; lia. Qed.

Lemma shift_move a b : hexagonal_move a b -> hexagonal_move (shift a) (shift b).
Proof.
  rewrite !hexagonal_moved. unfold shift. cbn [fst snd]. intros H.
  now replace (_ - _) with (fst b - fst a) by lia; replace (_ - (_ + 5)) with (snd b - snd a) by lia.
Qed.

(* The three differences of Lemma 3, first part. *)
Lemma along_joins : hexagonal_move along_1 (shift outer) /\ hexagonal_move along_2 (shift inner).
Proof. split; apply hexagonal_moveb_move; vm_compute; reflexivity. Qed.

Lemma arms k m : (k < 5)%nat -> good_arm (4 + Z.of_nat k + 5 * Z.of_nat m) (arm_tour k m).
Proof.
  intros K. induction m as [|m IH].
  - replace (4 + Z.of_nat k + 5 * Z.of_nat 0) with (4 + Z.of_nat k) by lia. now apply trapezoids.
  - set (s := 4 + Z.of_nat k + 5 * Z.of_nat m) in IH.
    replace (4 + Z.of_nat k + 5 * Z.of_nat (S m)) with (s + 5) by (unfold s; lia).
    destruct IH as (T & E & _ & C). destruct rhombus_tour as (TR & ER & AR & IR).
    assert (T' := cycle_map _ _ shift unshift _ unshift_shift shift_unshift shift_move T).
    apply (edge_map shift) in E. apply (edge_map shift) in C. apply edge_sym in E.
    destruct (join_spec same same_eq _ _ hexagonal_move hexagonal_sym along_1 along_2 (shift outer) (shift inner)
                _ _ TR T') as (J & KR & KT); try exact AR; try exact E; try apply along_joins.
    + intros c. unfold five, arm, unshift. cbn [fst snd]. lia.
    + discriminate.
    + discriminate.
    + change (joined _ _ _ _ _ _) with (arm_tour k (S m)) in *. split; [|repeat split].
      * apply (cycle_ext _ (arm (s + 5))) in J; [exact J |].
        intros c; unfold five, arm, unshift; cbn [fst snd]; lia.
      * apply KR; [exact ER | |]; cbv; intros [H _]; discriminate H.
      * apply KR; [exact IR | |]; cbv; intros [H _]; discriminate H.
      * assert (shift_corner : forall c, shift (from_end s c) = from_end (s + 5) c).
        { intros c. unfold shift, from_end, flat. cbn [fst snd]. f_equal; lia. }
        unfold corner_1, corner_2 in *. rewrite !shift_corner in C.
        apply KT; [exact C | |]; unfold from_end, flat, shift, inner, outer, corner; cbn;
          intros [H1 H2]; injection H1; lia.
Qed.

(* ---- a band: six arms around a board *)

(* The cell of arm 0, as above, laid in arm k of the band around the board of side n; and the way back. *)
Definition place (k : nat) (n : Z) (c : cell) : cell := turned k (n + fst c, snd c).
Definition unplace (k : nat) (n : Z) (c : cell) : cell := (fst (backed k c) - n, snd (backed k c)).

Lemma place_unplace k n c : place k n (unplace k n c) = c.
Proof.
  unfold place, unplace. transitivity (turned k (backed k c)); [f_equal | apply turned_backed].
  destruct (backed k c). cbn [fst snd]. f_equal; lia.
Qed.

Lemma unplace_place k n c : unplace k n (place k n c) = c.
Proof. unfold place, unplace. rewrite backed_turned. destruct c. cbn [fst snd]. f_equal; lia. Qed.

Lemma place_move k n a b : hexagonal_move a b -> hexagonal_move (place k n a) (place k n b).
Proof.
  intros H. apply turned_move. rewrite hexagonal_moved in *. cbn [fst snd].
  now replace (n + fst b - (n + fst a)) with (fst b - fst a) by lia.
Qed.

Definition sector (k : nat) (n : Z) (c : cell) : Prop := arm n (unplace k n c).

(* The board, and the first k + 1 arms around it. *)
Fixpoint ring (k : nat) (n : Z) (c : cell) : Prop :=
  match k with
  | O => sector 0 n c \/ has (hex n) c
  | S j => ring j n c \/ sector k n c
  end.

Lemma ring_apart k n c : 4 <= n -> (k < 5)%nat -> ring k n c -> sector (S k) n c -> False.
Proof.
  intros N K. do 5 (destruct k as [|k]; [
    unfold ring, sector, arm, unplace, hex, backed, back; cbn [fst snd has]; lia |]).
  lia.
Qed.

(* Lemma 1: the band fills what is missing. *)
Lemma ring_whole n c : 4 <= n -> (ring 5 n c <-> has (hex (n + 5)) c).
Proof.
  intros N. destruct c as [q r]. unfold ring, sector, arm, unplace, hex, backed, back. cbn [fst snd has].
  rewrite !Z.abs_le. split.
  - intros H. decompose [or] H; clear H; lia.
  - intros H.
    assert (C : (1 <= q /\ 0 <= r) \/ (1 <= q + r /\ q <= 0) \/ (1 <= r /\ q + r <= 0) \/ (q <= -1 /\ r <= 0) \/
                (q + r <= -1 /\ 0 <= q) \/ (r <= -1 /\ 0 <= q + r) \/ (q = 0 /\ r = 0)) by lia.
    destruct C as [C | [C | [C | [C | [C | [C | C]]]]]].
    + destruct (Z_lt_le_dec (q + r) n); [do 5 left; right | do 6 left]; lia.
    + destruct (Z_lt_le_dec r n); [do 5 left; right | do 4 left; right]; lia.
    + destruct (Z_lt_le_dec (- q) n); [do 5 left; right | do 3 left; right]; lia.
    + destruct (Z_lt_le_dec (- q - r) n); [do 5 left; right | do 2 left; right]; lia.
    + destruct (Z_lt_le_dec (- r) n); [do 5 left; right | left; right]; lia.
    + destruct (Z_lt_le_dec q n); [do 5 left; right | right]; lia.
    + do 5 left; right. lia.
Qed.

Fixpoint ring_tour (k : nat) (n : Z) (a t : list cell) : list cell :=
  match k with
  | O => joined (place 0 n inward_1) (place 0 n inward_2) (place 0 (n - 5) outer) (place 0 (n - 5) inner)
           (map (place 0 n) a) t
  | S j => joined (place j n (corner_1 n)) (place j n (corner_2 n)) (place k n outer) (place k n inner)
             (ring_tour j n a t) (map (place k n) a)
  end.

(* Lemma 3, second and third part. *)
Lemma corner_joins k n :
  hexagonal_move (place k n (corner_1 n)) (place (S k) n outer) /\
  hexagonal_move (place k n (corner_2 n)) (place (S k) n inner).
Proof.
  assert (E : forall c, place (S k) n c = turned k (turn (n + fst c, snd c))).
  { intros c. unfold place. cbn [turned]. generalize (n + fst c, snd c). clear.
    induction k as [|k IH]; intros d; cbn [turned]; [reflexivity | now rewrite IH]. }
  rewrite !E. unfold place, corner_1, corner_2, from_end, flat, corner, inner, outer, turn. cbn [fst snd].
  split; apply turned_move, hexagonal_moved; cbn [fst snd]; unfold moved; pick.
Qed.

Lemma inward_joins n :
  hexagonal_move (place 0 n inward_1) (place 0 (n - 5) outer) /\
  hexagonal_move (place 0 n inward_2) (place 0 (n - 5) inner).
Proof.
  unfold place, inward_1, inward_2, inner, outer. cbn [turned fst snd].
  split; apply hexagonal_moved; cbn [fst snd]; unfold moved; pick.
Qed.

Lemma place_differs k n a b : a <> b -> place k n a <> place k n b.
Proof. intros D E. apply D. rewrite <- (unplace_place k n a), <- (unplace_place k n b). now rewrite E. Qed.

Lemma rings k n a t : 4 <= n -> (k <= 5)%nat -> good_arm n a -> good_hex n t ->
  tour (ring k n) (ring_tour k n a t) /\
  edge (ring_tour k n a t) (place 0 n inner) (place 0 n outer) /\
  edge (ring_tour k n a t) (place k n (corner_1 n)) (place k n (corner_2 n)).
Proof.
  intros N K (A & AE & AI & AC) (T & TE).
  assert (L := fun k => cycle_map _ _ (place k n) (unplace k n) a (unplace_place k n) (place_unplace k n)
                          (place_move k n) A).
  assert (M := fun k c d => edge_map (place k n) a c d).
  induction k as [|k IH].
  - destruct (join_spec same same_eq _ _ hexagonal_move hexagonal_sym (place 0 n inward_1) (place 0 n inward_2)
                (place 0 (n - 5) outer) (place 0 (n - 5) inner) _ _ (L O) T) as (J & KA & KT).
    + intros c. unfold arm, unplace, hex, backed. cbn [fst snd has]. lia.
    + apply place_differs. discriminate.
    + apply place_differs. discriminate.
    + now apply M.
    + now apply edge_sym.
    + apply inward_joins.
    + apply inward_joins.
    + split; [exact J | split]; apply KA; try (now apply M).
      all: unfold place, corner_1, corner_2, from_end, flat, corner, inner, outer, inward_1, inward_2;
        cbn [turned fst snd]; intros [E1 E2]; injection E1; injection E2; lia.
  - destruct IH as (I & IE & IC); [lia |].
    destruct (join_spec same same_eq _ _ hexagonal_move hexagonal_sym (place k n (corner_1 n)) (place k n (corner_2 n))
                (place (S k) n outer) (place (S k) n inner) _ _ I (L (S k))) as (J & KT & KA).
    + intros c R S. apply (ring_apart k n c); [exact N | lia | exact R | exact S].
    + apply place_differs. unfold corner_1, corner_2, from_end, flat, corner. cbn [fst snd]. distinct.
    + apply place_differs. discriminate.
    + exact IC.
    + now apply M, edge_sym.
    + apply corner_joins.
    + apply corner_joins.
    + split; [exact J | split].
      * apply KT; [exact IE | |]; clear - N K; intros [E1 E2]; revert E1 E2.
        all: unfold place, corner_1, corner_2, from_end, flat, corner, inner, outer;
          do 5 (destruct k as [|k]; [
            cbn [turned fst snd]; unfold turn; cbn [fst snd]; intros E1 E2; injection E1; injection E2; lia |]);
          lia.
      * apply KA; [now apply M | |]; intros [E1 E2]; apply (f_equal (unplace (S k) n)) in E1;
          rewrite !unplace_place in E1; revert E1;
          unfold corner_1, corner_2, from_end, flat, corner, inner, outer; cbn [fst snd]; distinct.
Qed.

(* ---- the boards *)

(* The tour of the proof for the board of side 4 + k + 5 m. *)
Fixpoint hex_tour (k m : nat) : list cell :=
  match m with
  | O => start k
  | S m => ring_tour 5 (4 + Z.of_nat k + 5 * Z.of_nat m) (arm_tour k m) (hex_tour k m)
  end.

Lemma hexes k m : (k < 5)%nat -> good_hex (4 + Z.of_nat k + 5 * Z.of_nat m) (hex_tour k m).
Proof.
  intros K. induction m as [|m IH].
  - replace (4 + Z.of_nat k + 5 * Z.of_nat 0) with (4 + Z.of_nat k) by lia. now apply starts.
  - assert (A := arms k m K). cbn [hex_tour].
    replace (4 + Z.of_nat k + 5 * Z.of_nat (S m)) with (4 + Z.of_nat k + 5 * Z.of_nat m + 5) by lia.
    assert (N : 4 <= 4 + Z.of_nat k + 5 * Z.of_nat m) by lia.
    revert A IH N. generalize (4 + Z.of_nat k + 5 * Z.of_nat m) as n. intros n A T N.
    destruct (rings 5 n _ _ N (le_n 5) A T) as (R & E & _). split.
    + revert R. apply cycle_ext. intros c. now apply ring_whole.
    + now replace (n + 5 - 5) with n by lia.
Qed.

Definition tour_of_side (n : Z) : list cell :=
  hex_tour (Z.to_nat ((n - 4) mod 5)) (Z.to_nat ((n - 4) / 5)).

Theorem tour_of_side_closed n : 4 <= n -> closed_tour (hex n) (tour_of_side n).
Proof.
  intros N. assert (B := Z.mod_pos_bound (n - 4) 5 eq_refl). assert (D := Z.div_mod (n - 4) 5).
  assert (P := Z.div_pos (n - 4) 5). unfold closed_tour, tour_of_side.
  replace (hex n) with (hex (4 + Z.of_nat (Z.to_nat ((n - 4) mod 5)) + 5 * Z.of_nat (Z.to_nat ((n - 4) / 5)))).
  - apply hexes. lia.
  - f_equal. lia.
Qed.

Theorem glinski : forall n, 4 <= n -> exists t, closed_tour (hex n) t.
Proof. intros n N. exists (tour_of_side n). now apply tour_of_side_closed. Qed.

(* ---- the smaller boards *)

Theorem glinski_small : forall n t, n < 4 -> ~ closed_tour (hex n) t.
Proof.
  intros n t N (L & D & I & S).
  assert (E : exists b, next t (0, 0) b \/ t = []).
  { destruct (in_dec cell_dec (0, 0) t) as [O | O].
    - apply in_split in O as (u & v & ->). destruct v as [|b v].
      + exists (hd (0, 0) u). left. destruct u as [|b u]; [cbn in L; lia |].
        unfold next. exists (b :: u), []. cbn. now rewrite <- app_assoc.
      + exists b. left. unfold next. exists u, (v ++ firstn 1 (u ++ (0, 0) :: b :: v)).
        now rewrite <- app_assoc.
    - exists (0, 0). right. destruct t as [|c t]; [reflexivity |]. exfalso. apply O, I.
      assert (C : has (hex n) c) by (apply I; now left). revert C. unfold hex. cbn [fst snd has]. lia. }
  destruct E as [b [E | ->]]; [|cbn in L; lia].
  assert (B := proj2 (next_in _ _ _ E)). apply I in B. apply S, hexagonal_moved in E.
  revert B E. unfold hex, moved. destruct b as [q r]. cbn [fst snd has]. intros B E.
  decompose [and or] E; clear E; lia.
Qed.

Theorem glinski_exactly : forall n, (exists t, closed_tour (hex n) t) <-> 4 <= n.
Proof.
  intros n. split; [|apply glinski]. intros [t T].
  destruct (Z_lt_le_dec n 4) as [H | H]; [destruct (glinski_small n t H T) | exact H].
Qed.

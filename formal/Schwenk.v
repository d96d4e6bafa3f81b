(* Schwenk's theorem: which rectangles have a closed knight's tour. The proof is that of docs/proofs/rectangles.md. *)

From Coq Require Import ZArith List Permutation Lia Bool.
From Cavalcade Require Import Definitions Cycles Finite Rectangles Small RectangleTables Paths RectangleTours.
Import ListNotations.
Open Scope Z_scope.

Lemma base_3 t n x y : good_3b n t = true -> hd_error t = Some x -> hd_error (rev t) = Some y ->
  moves_apart y x = true -> 3 <= n -> forall k, exists u, closed_tour (rectangle 3 (n + 4 * Z.of_nat k)) u.
Proof.
  intros T X Y M N k. destruct (longer_3 k n t N (good_3b_good n t T)) as (u & (U & _) & E).
  exists u. apply (path_closes _ _ t u x y); auto; [|now apply moves_apart_move].
  (* The three cells of the first column are different. *)
  assert (I : incl [(0, 0); (1, 0); (2, 0)] u).
  { intros c C. apply U. cbn [In] in C. unfold rectangle. cbn [has].
    destruct C as [<- | [<- | [<- | []]]]; cbn [fst snd]; lia. }
  apply (fun D => NoDup_incl_length D I). repeat constructor; cbn [In]; intuition discriminate.
Qed.

Lemma closed_of_three_rows n : 10 <= n -> Z.even n = true -> exists t, closed_tour (rectangle 3 n) t.
Proof.
  intros N E. apply Z.even_spec in E as [h ->].
  assert (C : exists k, 2 * h = 10 + 4 * Z.of_nat k \/ 2 * h = 12 + 4 * Z.of_nat k).
  { exists (Z.to_nat ((h - 5) / 2)). assert (D := Z.div_mod (h - 5) 2). assert (B := Z.mod_pos_bound (h - 5) 2).
    assert (P := Z.div_pos (h - 5) 2). lia. }
  destruct C as [k [-> | ->]].
  - apply (base_3 closed_3x10 10 (hd (0, 0) closed_3x10) (last closed_3x10 (0, 0))); vm_compute; reflexivity || discriminate.
  - apply (base_3 closed_3x12 12 (hd (0, 0) closed_3x12) (last closed_3x12 (0, 0))); vm_compute; reflexivity || discriminate.
Qed.

Theorem schwenk : forall m n, 1 <= m <= n ->
  ((exists t, closed_tour (rectangle m n) t) <->
   ~ ((Z.odd m = true /\ Z.odd n = true) \/ m = 1 \/ m = 2 \/ m = 4 \/
      (m = 3 /\ (n = 4 \/ n = 6 \/ n = 8)))).
Proof.
  intros m n L. split; [intros [t T]; now apply (schwenk_necessity m n t) |]. intros H.
  assert (E : Z.even (m * n) = true).
  { rewrite Z.even_mul, <- !Z.negb_odd. destruct (Z.odd m), (Z.odd n); cbn; tauto. }
  destruct (Z.eq_dec m 3) as [-> | M].
  - assert (F : Z.even n = true) by (rewrite Z.even_mul in E; exact E).
    apply closed_of_three_rows; [|exact F]. apply Z.even_spec in F as [h ->]. lia.
  - destruct (good_all m n) as (t & T & _); [lia | lia | exact E |]. now exists t.
Qed.

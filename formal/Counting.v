(* What is counted along a cycle: neighbours, steps, and elements of a kind. *)

From Coq Require Import ZArith List Permutation Lia Bool.
From Cavalcade Require Import Definitions Cycles Finite.
Import ListNotations.

Section Counting.

Context {A : Type}.
Implicit Types (t : list A).

Lemma successor t a : In a t -> exists b, next t a b.
Proof.
  intros I. apply in_split in I as (u & v & ->). destruct v as [|b v].
  - exists (hd a u). unfold next. destruct u as [|b u]; [exists [], []; reflexivity |].
    exists (b :: u), []. cbn. rewrite <- app_assoc. reflexivity.
  - exists b. unfold next. exists u, (v ++ firstn 1 (u ++ a :: b :: v)). rewrite <- app_assoc. reflexivity.
Qed.

Lemma predecessor t b : In b t -> exists a, next t a b.
Proof.
  intros I. apply in_rev in I. apply successor in I as [a H]. exists a. apply next_rev. exact H.
Qed.

(* A cycle goes on from each of its elements to one, and comes from one, and these are two. *)
Lemma two_neighbours t a : (3 <= length t)%nat -> NoDup t -> In a t ->
  exists x y, x <> y /\ x <> a /\ y <> a /\ next t a x /\ next t y a /\
    (forall z, next t a z -> z = x) /\ (forall z, next t z a -> z = y).
Proof.
  intros L N I. apply in_split in I as (u & v & ->).
  assert (T : forall x y, next (u ++ a :: v) x y <-> next (a :: v ++ u) x y) by (intros; rewrite app_comm_cons; apply next_turned).
  assert (P : Permutation (u ++ a :: v) (a :: v ++ u)) by (rewrite app_comm_cons; apply Permutation_app_comm).
  assert (L' := Permutation_length P). rewrite L' in L. apply (Permutation_NoDup P) in N. clear L' P.
  revert L N T. generalize (v ++ u) as s. intros s L N T.
  destruct s as [|x s]; [cbn in L; lia |].
  destruct (@exists_last _ s) as (m & y & ->); [intros ->; cbn in L; lia |].
  assert (NA : ~ In a (x :: m ++ [y])) by (apply NoDup_cons_iff in N; tauto).
  assert (NX : x <> y).
  { apply NoDup_cons_iff in N as [_ N]. apply NoDup_cons_iff in N as [N _]. intros ->. apply N.
    rewrite in_app_iff. cbn. auto. }
  exists x, y. split; [exact NX | split; [|split]].
  - intros ->. apply NA. now left.
  - intros ->. apply NA. right. rewrite in_app_iff. cbn. auto.
  - assert (E : forall p q, next (a :: x :: m ++ [y]) p q <->
                  (a = p /\ x = q) \/ consecutive (x :: m ++ [y]) p q \/ (y = p /\ a = q)).
    { intros p q. rewrite (next_path a y (x :: m)). cbn [app]. rewrite (consecutive_cons a).
      assert (F : (exists w, x :: m ++ [y] = q :: w) <-> x = q).
      { split; [intros [w F]; now injection F | intros ->; eauto]. }
      rewrite F. tauto. }
    rewrite !T, !E. split; [auto | split; [auto |]]. split; intros z; rewrite T, E.
    + intros [[_ H] | [H | [H _]]]; [auto | |].
      * apply consecutive_in in H. tauto.
      * subst. exfalso. apply NA. right. rewrite in_app_iff. cbn. auto.
    + intros [[_ H] | [H | [H _]]]; [| | auto].
      * subst. exfalso. apply NA. now left.
      * apply consecutive_in in H. tauto.
Qed.

(* ---- steps *)

Lemma steps_from t : map fst (steps t) = t.
Proof.
  assert (E : forall l : list A, map fst (pairs l) = removelast l).
  { induction l as [|x l IH]; [reflexivity |]. destruct l as [|y l]; [reflexivity |].
    change (pairs (x :: y :: l)) with ((x, y) :: pairs (y :: l)). cbn [map fst]. rewrite IH. reflexivity. }
  unfold steps. rewrite E. destruct t as [|x t]; [reflexivity |]. apply removelast_last.
Qed.

Lemma steps_second t : map snd (steps t) = tl t ++ firstn 1 t.
Proof.
  assert (E : forall l : list A, map snd (pairs l) = tl l).
  { induction l as [|x l IH]; [reflexivity |]. destruct l as [|y l]; [reflexivity |].
    change (pairs (x :: y :: l)) with ((x, y) :: pairs (y :: l)). cbn [map snd]. rewrite IH. reflexivity. }
  unfold steps. rewrite E. now destruct t.
Qed.

Lemma steps_to t : Permutation (map snd (steps t)) t.
Proof. rewrite steps_second. destruct t as [|x t]; [reflexivity |]. apply Permutation_sym, Permutation_cons_append. Qed.

Definition count {B} (p : B -> bool) (l : list B) : nat := length (filter p l).

Lemma count_map {B C} (f : B -> C) p l : count p (map f l) = count (fun x => p (f x)) l.
Proof. unfold count. induction l as [|x l IH]; cbn; [reflexivity |]. destruct (p (f x)); cbn; congruence. Qed.

Lemma count_permutation {B} (p : B -> bool) l k : Permutation l k -> count p l = count p k.
Proof.
  unfold count. induction 1; cbn; try congruence.
  - destruct (p x); cbn; congruence.
  - destruct (p x), (p y); reflexivity.
Qed.

Lemma count_from p t : count (fun s => p (fst s)) (steps t) = count p t.
Proof. rewrite <- (count_map fst p), steps_from. reflexivity. Qed.

Lemma count_to p t : count (fun s => p (snd s)) (steps t) = count p t.
Proof. rewrite <- (count_map snd p). apply count_permutation, steps_to. Qed.

Lemma count_ext {B} (p q : B -> bool) l : (forall x, In x l -> p x = q x) -> count p l = count q l.
Proof.
  unfold count. induction l as [|x l IH]; intros E; cbn; [reflexivity |].
  rewrite (E x (or_introl eq_refl)). destruct (q x); cbn; rewrite IH; auto; intros; apply E; now right.
Qed.

Lemma count_not {B} (p : B -> bool) l : (count p l + count (fun x => negb (p x)) l = length l)%nat.
Proof. unfold count. induction l as [|x l IH]; cbn; [reflexivity |]. destruct (p x); cbn; lia. Qed.

Lemma count_le {B} (p q : B -> bool) l :
  (forall x, In x l -> p x = true -> q x = true) -> (count p l <= count q l)%nat.
Proof.
  unfold count. induction l as [|x l IH]; intros E; cbn; [lia |].
  assert (H := E x (or_introl eq_refl)). specialize (IH (fun y I => E y (or_intror I))).
  destruct (p x), (q x); cbn; try lia; discriminate (H eq_refl).
Qed.

Lemma count_equal {B} (p q : B -> bool) l :
  (forall x, In x l -> p x = true -> q x = true) -> count p l = count q l -> forall x, In x l -> p x = q x.
Proof.
  induction l as [|y l IH]; intros E C x I; [destruct I |].
  assert (H := E y (or_introl eq_refl)). assert (L := count_le p q l (fun y I => E y (or_intror I))).
  assert (C' : p y = q y /\ count p l = count q l).
  { unfold count in *. cbn in C. destruct (p y), (q y); cbn in C; try (split; [reflexivity | lia]); try lia.
    all: discriminate (H eq_refl). }
  destruct C' as [P C'], I as [<- | I]; [exact P |]. apply IH; auto. intros z J. apply E. now right.
Qed.

(* A cycle along which two colours take turns has as many elements of either. *)
Lemma alternating p t : (forall a b, next t a b -> p b = negb (p a)) -> count p t = count (fun a => negb (p a)) t.
Proof.
  intros S. rewrite <- count_to, <- (count_from (fun a => negb (p a))). apply count_ext.
  intros [a b] I. apply steps_next in I. now apply S.
Qed.

(* What no step changes is the same everywhere. *)
Lemma constant {B} (f : A -> B) t : (forall a b, next t a b -> f a = f b) -> forall a b, In a t -> In b t -> f a = f b.
Proof.
  intros S. destruct t as [|x t]; [intros a b []|].
  assert (E : forall l, (forall a b, consecutive l a b -> f a = f b) -> forall x a, In a (x :: l) ->
                (forall y m, l = y :: m -> f x = f y) -> f a = f x).
  { clear. induction l as [|y l IH]; intros S x a I F.
    - destruct I as [-> | []]. reflexivity.
    - destruct I as [-> | I]; [reflexivity |]. rewrite (F y l eq_refl). apply IH; [| exact I |].
      + intros p q H. apply S, consecutive_cons. auto.
      + intros z m ->. apply S, consecutive_cons. eauto. }
  assert (F : forall a, In a (x :: t) -> f a = f x).
  { intros a I. apply (E t); [| exact I |].
    - intros p q (u & v & ->). apply S. exists (x :: u), (v ++ [x]). cbn. now rewrite <- app_assoc.
    - intros y m ->. apply S. exists [], (m ++ [x]). reflexivity. }
  intros a b Ia Ib. now rewrite (F a Ia), (F b Ib).
Qed.

End Counting.

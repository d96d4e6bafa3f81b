(* Paths through all cells, and a path inserted into an edge of another one (Lemma 1 of docs/proofs/rectangles.md). *)

From Coq Require Import ZArith List Permutation Lia Bool.
From Cavalcade Require Import Definitions Cycles Finite Rectangles.
Import ListNotations.

(* In the path t the elements a and b are next to each other, in either order. *)
Definition link {A} (t : list A) (a b : A) : Prop := consecutive t a b \/ consecutive t b a.

(* The same first element, and the same last one. *)
Definition same_ends {A} (t u : list A) : Prop := hd_error t = hd_error u /\ hd_error (rev t) = hd_error (rev u).

Lemma same_ends_trans {A} (t u v : list A) : same_ends t u -> same_ends u v -> same_ends t v.
Proof. unfold same_ends. intros [-> ->]. tauto. Qed.

Lemma link_rev {A} (t : list A) a b : link (rev t) a b <-> link t a b.
Proof. unfold link. rewrite !consecutive_rev. tauto. Qed.

Lemma consecutive_middle {A} (u : list A) a b v x y :
  consecutive (u ++ a :: b :: v) x y <->
  consecutive (u ++ [a]) x y \/ (a = x /\ b = y) \/ consecutive (b :: v) x y.
Proof.
  rewrite consecutive_app, (consecutive_cons a).
  assert (E : (exists w, b :: v = y :: w) <-> b = y).
  { split; [intros [w E]; now injection E | intros ->; eauto]. }
  rewrite E. tauto.
Qed.

Section Insert.

Context {A : Type} (V W : A -> Prop) (R : A -> A -> Prop).
Hypothesis symmetric : forall x y, R x y -> R y x.

(* A path from c to d between a and b, which are one behind the other. *)
Lemma insert_between l r a b c m d :
  hamiltonian_path V R (l ++ a :: b :: r) -> hamiltonian_path W R (c :: m ++ [d]) ->
  (forall x, V x -> W x -> False) -> R a c -> R d b ->
  let u := l ++ a :: (c :: m ++ [d]) ++ b :: r in
  hamiltonian_path (fun x => V x \/ W x) R u /\ same_ends (l ++ a :: b :: r) u /\
  (forall x y, consecutive (l ++ a :: b :: r) x y -> ~ (x = a /\ y = b) -> consecutive u x y) /\
  (forall x y, consecutive (c :: m ++ [d]) x y -> consecutive u x y).
Proof.
  intros (_ & N & I & S) (_ & NP & IP & SP) disjoint AC DB u.
  assert (P : Permutation u ((l ++ a :: b :: r) ++ c :: m ++ [d])).
  { transitivity (l ++ a :: (b :: r) ++ (c :: m ++ [d])).
    - apply Permutation_app_head, perm_skip, Permutation_app_comm.
    - rewrite (app_comm_cons (b :: r)), app_assoc. reflexivity. }
  assert (E : forall x y, consecutive u x y <->
     consecutive (l ++ [a]) x y \/ (a = x /\ c = y) \/ consecutive (c :: m ++ [d]) x y \/ (d = x /\ b = y) \/
     consecutive (b :: r) x y).
  { intros x y. unfold u. cbn [app]. rewrite (consecutive_middle l a c), <- app_assoc. cbn [app].
    rewrite (app_comm_cons m), (consecutive_middle (c :: m) d b). cbn [app]. tauto. }
  assert (J : forall x, In x u <-> V x \/ W x).
  { intros x. rewrite <- I, <- IP, <- in_app_iff. split; apply Permutation_in; auto using Permutation_sym. }
  split; [split; [|split; [|split]] | split; [|split]].
  - unfold u. now destruct l.
  - apply (Permutation_NoDup (Permutation_sym P)), nodup_app; [exact N | exact NP |].
    intros x X Y. apply (disjoint x); [now apply I | now apply IP].
  - exact J.
  - intros x y H. apply E in H. destruct H as [H | [[<- <-] | [H | [[<- <-] | H]]]]; auto.
    + apply S. apply consecutive_middle. auto.
    + apply S. apply consecutive_middle. auto.
  - unfold same_ends, u. split; [now destruct l |]. rewrite !rev_app_distr. cbn [rev app].
    rewrite !rev_app_distr. cbn [rev]. rewrite <- !app_assoc. cbn [app]. now destruct (rev r).
  - intros x y H D. apply consecutive_middle in H. apply E. destruct H as [H | [[-> ->] | H]]; tauto.
  - intros x y H. apply E. tauto.
Qed.

Lemma path_rev (U : A -> Prop) p : hamiltonian_path U R p -> hamiltonian_path U R (rev p).
Proof.
  intros (L & N & I & S). split; [|split; [|split]].
  - intros E. apply L. rewrite <- (rev_involutive p), E. reflexivity.
  - now apply NoDup_rev.
  - intros x. now rewrite <- in_rev.
  - intros x y H. rewrite consecutive_rev in H. auto.
Qed.

(* A path from c to d replaces the edge a-b of another one. *)
Lemma insert_spec t a b c m d :
  hamiltonian_path V R t -> hamiltonian_path W R (c :: m ++ [d]) -> (forall x, V x -> W x -> False) ->
  link t a b -> R a c -> R b d ->
  exists u, hamiltonian_path (fun x => V x \/ W x) R u /\ same_ends t u /\
    (forall x y, link t x y -> ~ (x = a /\ y = b) -> ~ (x = b /\ y = a) -> link u x y) /\
    (forall x y, link (c :: m ++ [d]) x y -> link u x y).
Proof.
  intros T P disjoint [(l & r & ->) | (l & r & ->)] AC BD.
  - destruct (insert_between l r a b c m d T P disjoint AC (symmetric _ _ BD)) as (H & E & K & L).
    eexists. split; [exact H |]. split; [exact E |]. split.
    + intros x y [X | X] D1 D2; [left | right]; apply K; try exact X; tauto.
    + intros x y [X | X]; [left | right]; auto.
  - assert (F : rev (c :: m ++ [d]) = d :: rev m ++ [c]) by (cbn; rewrite rev_app_distr; reflexivity).
    assert (P' := path_rev W _ P). rewrite F in P'.
    destruct (insert_between l r b a d (rev m) c T P' disjoint BD (symmetric _ _ AC)) as (H & E & K & L).
    eexists. split; [exact H |]. split; [exact E |]. split.
    + intros x y [X | X] D1 D2; [left | right]; apply K; try exact X; tauto.
    + intros x y X. rewrite <- link_rev, F in X. destruct X as [X | X]; [left | right]; auto.
Qed.

End Insert.

Section Ends.

Context {A : Type} (V : A -> Prop) (R : A -> A -> Prop).

(* A path whose ends are adjacent is a cycle. *)
Lemma path_closes t u x y :
  hamiltonian_path V R u -> (3 <= length u)%nat -> same_ends t u ->
  hd_error t = Some x -> hd_error (rev t) = Some y -> R y x -> hamiltonian_cycle V R u.
Proof.
  intros (L & N & I & S) H (E & F) X Y C. split; [exact H | split; [exact N | split; [exact I |]]].
  rewrite X in E. rewrite Y in F. intros a b. unfold next.
  destruct u as [|x' u]; [discriminate E |]. injection E as <-. cbn [firstn].
  destruct (@exists_last _ (x :: u)) as (l & z & Z); [discriminate |]. rewrite Z in *.
  rewrite rev_app_distr in F. injection F as <-. rewrite <- app_assoc. cbn [app].
  rewrite consecutive_app, consecutive_two. intros [J | [<- <-]]; [apply S | ]; auto.
Qed.

Lemma cycle_path t : hamiltonian_cycle V R t -> hamiltonian_path V R t.
Proof.
  intros (L & N & I & S). split; [destruct t; [cbn in L; lia | discriminate] |]. split; [exact N |]. split; [exact I |].
  intros a b (u & v & E). apply S. exists u, (v ++ firstn 1 t). rewrite E at 1. now rewrite <- app_assoc.
Qed.

(* What no step changes is the same everywhere. *)
Lemma path_constant {B} (f : A -> B) t : (forall a b, consecutive t a b -> f a = f b) ->
  forall a b, In a t -> In b t -> f a = f b.
Proof.
  induction t as [|x t IH]; intros S; [intros a b [] |].
  assert (T : forall a b, consecutive t a b -> f a = f b) by (intros a b H; apply S, consecutive_cons; auto).
  assert (X : forall a, In a t -> f x = f a).
  { intros a I. destruct t as [|y t]; [destruct I |]. transitivity (f y); [|now apply (IH T); [left |]].
    apply S, consecutive_cons. left. eauto. }
  intros a b [<- | Ia] [<- | Ib]; auto. symmetry. auto.
Qed.

End Ends.

(* ---- a path elsewhere *)

Lemma link_map {A B} (f : A -> B) t a b : link t a b -> link (map f t) (f a) (f b).
Proof. intros [H | H]; [left | right]; now apply consecutive_map. Qed.

Lemma path_map {A B} (V : A -> Prop) (R : A -> A -> Prop) (W : B -> Prop) (Q : B -> B -> Prop) (f : A -> B) t :
  (forall x y, f x = f y -> x = y) -> (forall x y, R x y -> Q (f x) (f y)) ->
  (forall y, W y <-> exists x, f x = y /\ V x) ->
  hamiltonian_path V R t -> hamiltonian_path W Q (map f t).
Proof.
  intros J M E (L & N & I & S). split; [now destruct t |]. split; [|split].
  - apply FinFun.Injective_map_NoDup; [exact J | exact N].
  - intros y. rewrite in_map_iff, E. split; intros (x & X & Y); exists x; split; auto; now apply I.
  - intros a b H. apply consecutive_map_inv in H as (x & y & -> & -> & H). auto.
Qed.

Lemma path_ext {A} (V W : A -> Prop) (R : A -> A -> Prop) t :
  (forall x, V x <-> W x) -> hamiltonian_path V R t -> hamiltonian_path W R t.
Proof. intros E (L & N & I & S). split; [exact L | split; [exact N | split; [|exact S]]]. intros x. now rewrite I. Qed.

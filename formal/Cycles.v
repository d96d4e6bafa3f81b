(* Cycles as lists: turned, reversed, and two of them joined into one (Lemma 2 of docs/proofs/glinski.md). *)

From Coq Require Import ZArith List Permutation Lia.
From Cavalcade Require Import Definitions.
Import ListNotations.

(* ---- elements behind one another *)

Lemma consecutive_cons {A} (x : A) l a b :
  consecutive (x :: l) a b <-> (x = a /\ exists v, l = b :: v) \/ consecutive l a b.
Proof.
  split.
  - intros (u & v & E). destruct u as [|y u]; injection E as -> ->.
    + left. eauto.
    + right. exists u, v. reflexivity.
  - intros [[-> [v ->]] | (u & v & ->)].
    + exists [], v. reflexivity.
    + exists (x :: u), v. reflexivity.
Qed.

Lemma consecutive_nil {A} (a b : A) : ~ consecutive [] a b.
Proof. intros (u & v & E). destruct u; discriminate. Qed.

Lemma consecutive_one {A} (x a b : A) : ~ consecutive [x] a b.
Proof. intros (u & v & E). destruct u as [|? [|? ?]]; discriminate. Qed.

Lemma consecutive_two {A} (x y a b : A) : consecutive [x; y] a b <-> x = a /\ y = b.
Proof.
  rewrite consecutive_cons. split.
  - intros [[-> [v E]] | H].
    + injection E as -> _. auto.
    + destruct (consecutive_one _ _ _ H).
  - intros [-> ->]. left. eauto.
Qed.

Lemma consecutive_app {A} (u : list A) x v a b :
  consecutive (u ++ x :: v) a b <-> consecutive (u ++ [x]) a b \/ consecutive (x :: v) a b.
Proof.
  induction u as [|y u IH]; cbn [app].
  - split; [auto | intros [H | H]; auto]. destruct (consecutive_one _ _ _ H).
  - rewrite (consecutive_cons y), (consecutive_cons y), IH.
    assert (E : (exists w, u ++ x :: v = b :: w) <-> (exists w, u ++ [x] = b :: w)).
    { destruct u; cbn; split; intros [w E]; injection E as -> _; eauto. }
    rewrite E. tauto.
Qed.

Lemma consecutive_rev {A} (l : list A) a b : consecutive (rev l) a b <-> consecutive l b a.
Proof.
  assert (one : forall (l : list A) a b, consecutive l b a -> consecutive (rev l) a b).
  { intros k x y (u & v & ->). exists (rev v), (rev u).
    rewrite rev_app_distr. cbn. rewrite <- !app_assoc. reflexivity. }
  split; [|apply one]. intros H. apply one in H. now rewrite rev_involutive in H.
Qed.

Lemma consecutive_in {A} (l : list A) a b : consecutive l a b -> In a l /\ In b l.
Proof. intros (u & v & ->). rewrite !in_app_iff. cbn. auto 6. Qed.

(* ---- cycles *)

Definition edge {A} (t : list A) (a b : A) : Prop := next t a b \/ next t b a.

Lemma next_cons {A} (x : A) l a b : next (x :: l) a b <-> consecutive (x :: l ++ [x]) a b.
Proof. reflexivity. Qed.

Lemma next_turned {A} (u v : list A) a b : next (u ++ v) a b <-> next (v ++ u) a b.
Proof.
  destruct u as [|x u]; [now rewrite app_nil_r |].
  destruct v as [|y v]; [now rewrite app_nil_r |].
  cbn [app]. rewrite !next_cons, <- !app_assoc. cbn [app].
  change (consecutive ((x :: u) ++ y :: (v ++ [x])) a b <-> consecutive ((y :: v) ++ x :: (u ++ [y])) a b).
  rewrite (consecutive_app (x :: u)), (consecutive_app (y :: v)). cbn [app]. tauto.
Qed.

Lemma next_rev {A} (t : list A) a b : next (rev t) a b <-> next t b a.
Proof.
  destruct t as [|x u]; cbn [rev]; [cbn; split; intros H; destruct (consecutive_nil _ _ H) |].
  rewrite next_turned. cbn [app]. rewrite !next_cons, <- consecutive_rev. cbn [rev].
  rewrite rev_app_distr. cbn. now rewrite rev_involutive.
Qed.

Lemma next_in {A} (t : list A) a b : next t a b -> In a t /\ In b t.
Proof.
  intros H. apply consecutive_in in H. rewrite !in_app_iff in H.
  destruct t; cbn in *; tauto.
Qed.

Lemma edge_sym {A} (t : list A) a b : edge t a b -> edge t b a.
Proof. unfold edge. tauto. Qed.

Lemma edge_in {A} (t : list A) a b : edge t a b -> In a t /\ In b t.
Proof. intros [H | H]; apply next_in in H; tauto. Qed.

Lemma edge_turned {A} (u v : list A) a b : edge (u ++ v) a b <-> edge (v ++ u) a b.
Proof. unfold edge. now rewrite (next_turned u v a b), (next_turned u v b a). Qed.

Lemma edge_rev {A} (t : list A) a b : edge (rev t) a b <-> edge t a b.
Proof. unfold edge. rewrite !next_rev. tauto. Qed.

(* A cycle written as a path from a to b has the edges of the path, and the one from b to a. *)
Lemma next_path {A} (a b : A) m x y :
  next (a :: m ++ [b]) x y <-> consecutive (a :: m ++ [b]) x y \/ (b = x /\ a = y).
Proof.
  rewrite next_cons, <- app_assoc. cbn [app]. rewrite app_comm_cons, consecutive_app, consecutive_two.
  reflexivity.
Qed.

Lemma nodup_once {A} (u v u' v' : list A) a :
  NoDup (u ++ a :: v) -> u ++ a :: v = u' ++ a :: v' -> u = u' /\ v = v'.
Proof.
  revert u'. induction u as [|x u IH]; intros [|y u'] N E; cbn in *.
  - injection E as ->. auto.
  - injection E as <- ->. apply NoDup_cons_iff in N. rewrite in_app_iff in N. cbn in N. tauto.
  - injection E as -> <-. apply NoDup_cons_iff in N. rewrite in_app_iff in N. cbn in N. tauto.
  - injection E as -> E. apply NoDup_cons_iff in N. destruct (IH u') as [-> ->]; tauto.
Qed.

(* ---- a cycle written as a path from one end of an edge to the other *)

Section Join.

Context {A : Type} (eqb : A -> A -> bool) (eqb_eq : forall x y, eqb x y = true <-> x = y).

Fixpoint from (a : A) (seen t : list A) : list A :=
  match t with
  | [] => rev_append seen []
  | x :: r => if eqb x a then x :: r ++ rev_append seen [] else from a (x :: seen) r
  end.

Definition path (a b : A) (t : list A) : list A :=
  match from a [] t with
  | x :: y :: r => if eqb y b then x :: rev_append (y :: r) [] else x :: y :: r
  | short => short
  end.

(* Two cycles without the edges a-b and c-d, but with a-c and b-d. *)
Definition join (a b c d : A) (t u : list A) : list A := rev_append (path a b t) (path c d u).

Lemma from_spec a t : forall seen, In a t -> exists u v, t = u ++ a :: v /\ from a seen t = a :: v ++ rev seen ++ u.
Proof.
  induction t as [|x t IH]; intros seen I; [destruct I |]. cbn.
  destruct (eqb x a) eqn:E.
  - apply eqb_eq in E. subst x. exists [], t. now rewrite app_nil_r, <- rev_alt.
  - destruct I as [-> | I]; [now rewrite (proj2 (eqb_eq a a) eq_refl) in E |].
    destruct (IH (x :: seen) I) as (u & v & -> & F). exists (x :: u), v. split; [reflexivity |].
    rewrite F. cbn. now rewrite <- app_assoc.
Qed.

Lemma path_spec a b t : NoDup t -> a <> b -> edge t a b ->
  exists m, path a b t = a :: m ++ [b] /\ Permutation (path a b t) t /\
            (forall x y, edge (path a b t) x y <-> edge t x y).
Proof.
  intros N D E. unfold path. destruct (from_spec a t [] (proj1 (edge_in _ _ _ E))) as (u & v & -> & F).
  cbn in F. rewrite F.
  assert (P : Permutation (a :: v ++ u) (u ++ a :: v)).
  { rewrite app_comm_cons. apply Permutation_app_comm. }
  assert (T : forall x y, edge (a :: v ++ u) x y <-> edge (u ++ a :: v) x y).
  { intros x y. rewrite app_comm_cons. apply edge_turned. }
  assert (N' := Permutation_NoDup (Permutation_sym P) N).
  rewrite <- T in E. clear F. revert P T N' E. generalize (v ++ u) as s. intros s P T N' E.
  apply NoDup_cons_iff in N' as [NI NS].
  assert (H : (exists r, s = b :: r) \/ (exists m, s = m ++ [b])).
  { destruct E as [E | E]; rewrite next_cons in E; destruct E as (p & q & E).
    - left. destruct p as [|z p]; cbn in E; [injection E as E2 | injection E as E1 E2].
      + destruct s as [|y s]; cbn in E2; injection E2 as E3 E4; [congruence | subst; eauto].
      + exfalso. destruct (@exists_last _ (b :: q)) as (w & l & Q); [discriminate |]. rewrite Q in E2.
        rewrite app_comm_cons, app_assoc in E2. apply app_inj_tail in E2 as [-> _].
        apply NI. rewrite in_app_iff. cbn. auto.
    - right. destruct p as [|z p]; cbn in E; injection E as E1 E2; [congruence |].
      destruct q as [|w q].
      + change (s ++ [a] = p ++ [b] ++ [a]) in E2. rewrite app_assoc in E2.
        apply app_inj_tail in E2 as [-> _]. eauto.
      + exfalso. destruct (@exists_last _ (w :: q)) as (v0 & l & Q); [discriminate |]. rewrite Q in E2.
        rewrite !app_comm_cons, app_assoc in E2. apply app_inj_tail in E2 as [-> _].
        apply NI. rewrite in_app_iff. cbn. auto. }
  destruct s as [|y r]; [exfalso; destruct H as [[r H] | [m H]]; [|destruct m]; discriminate |].
  destruct (eqb y b) eqn:Y.
  - apply eqb_eq in Y. subst y. exists (rev r). rewrite <- rev_alt. cbn [rev]. split; [reflexivity |]. split.
    + rewrite <- P. apply perm_skip. rewrite <- Permutation_cons_append. apply perm_skip.
      apply Permutation_sym, Permutation_rev.
    + intros p q. rewrite <- T, <- (edge_rev (a :: b :: r)). cbn [rev]. rewrite (edge_turned (_ ++ _) [a]).
      reflexivity.
  - destruct H as [[r' H] | [m H]].
    + injection H as -> _. now rewrite (proj2 (eqb_eq b b) eq_refl) in Y.
    + exists m. rewrite <- H. auto.
Qed.

Variable (vertex other : A -> Prop) (adjacent : A -> A -> Prop).
Hypothesis symmetric : forall x y, adjacent x y -> adjacent y x.

Lemma edge_adjacent (V : A -> Prop) t a b : hamiltonian_cycle V adjacent t -> edge t a b -> adjacent a b.
Proof. intros (_ & _ & _ & H) [E | E]; auto. Qed.

Lemma join_spec a b c d t u :
  hamiltonian_cycle vertex adjacent t -> hamiltonian_cycle other adjacent u ->
  (forall x, vertex x -> other x -> False) ->
  a <> b -> c <> d -> edge t a b -> edge u c d -> adjacent a c -> adjacent b d ->
  hamiltonian_cycle (fun x => vertex x \/ other x) adjacent (join a b c d t u) /\
  (forall x y, edge t x y -> ~ (x = a /\ y = b) -> ~ (x = b /\ y = a) -> edge (join a b c d t u) x y) /\
  (forall x y, edge u x y -> ~ (x = c /\ y = d) -> ~ (x = d /\ y = c) -> edge (join a b c d t u) x y).
Proof.
  intros HT HU disjoint AB CD ET EU AC BD.
  assert (ST := fun x y => edge_adjacent _ t x y HT). assert (SU := fun x y => edge_adjacent _ u x y HU).
  destruct HT as (LT & NT & VT & _), HU as (LU & NU & VU & _).
  destruct (path_spec a b t NT AB ET) as (m & Et & Pt & Qt).
  destruct (path_spec c d u NU CD EU) as (k & Eu & Pu & Qu).
  unfold join. rewrite rev_append_rev. rewrite Et in Qt, Pt |- *. rewrite Eu in Qu, Pu |- *.
  assert (N : forall x y, next (rev (a :: m ++ [b]) ++ c :: k ++ [d]) x y <->
     consecutive (a :: m ++ [b]) y x \/ consecutive (c :: k ++ [d]) x y \/ (a = x /\ c = y) \/ (d = x /\ b = y)).
  { intros x y. assert (R : rev (a :: m ++ [b]) = (b :: rev m) ++ [a]) by (cbn; now rewrite rev_app_distr).
    rewrite <- consecutive_rev, R. cbn [app]. rewrite next_cons.
    replace (b :: _) with ((b :: rev m) ++ a :: ((c :: k) ++ d :: [b])) at 1
      by (cbn; rewrite <- !app_assoc; cbn; now rewrite <- app_assoc).
    rewrite (consecutive_app (b :: rev m)), (consecutive_cons a), (consecutive_app (c :: k)), consecutive_two.
    assert (E : (exists v, (c :: k) ++ d :: [b] = y :: v) <-> c = y).
    { split; [intros [v E]; now injection E | intros ->; cbn; eauto]. }
    rewrite E. cbn [app]. tauto. }
  assert (PP : Permutation (rev (a :: m ++ [b]) ++ c :: k ++ [d]) (t ++ u)).
  { rewrite <- Permutation_rev. now rewrite Pt, Pu. }
  assert (I : forall x, In x (rev (a :: m ++ [b]) ++ c :: k ++ [d]) <-> vertex x \/ other x).
  { intros x. rewrite <- VT, <- VU, <- in_app_iff. split; apply Permutation_in; auto using Permutation_sym. }
  repeat split.
  - assert (L := Permutation_length PP). rewrite (app_length t u) in L. rewrite L. lia.
  - apply (Permutation_NoDup (Permutation_sym PP)).
    clear - NT NU VT VU disjoint. revert VT. generalize vertex, disjoint. induction t as [|x t' IH]; intros V D VT; [auto |].
    cbn. apply NoDup_cons_iff in NT as [NI NT]. constructor.
    + rewrite in_app_iff. intros [H | H]; [auto |]. apply (D x); [apply VT; now left | now apply VU].
    + apply (IH NT (fun y => In y t')); [|tauto]. intros y I O. apply (D y); [apply VT; now right | exact O].
  - apply I.
  - apply I.
  - intros x y H. apply N in H as [H | [H | [[<- <-] | [<- <-]]]]; auto.
    + apply symmetric, ST, Qt. left. apply next_path. auto.
    + apply SU, Qu. left. apply next_path. auto.
  - intros x y H D1 D2. apply Qt in H. unfold edge in *. rewrite !N. rewrite !next_path in H.
    destruct H as [[H | [-> ->]] | [H | [-> ->]]]; tauto.
  - intros x y H D1 D2. apply Qu in H. unfold edge in *. rewrite !N. rewrite !next_path in H.
    destruct H as [[H | [-> ->]] | [H | [-> ->]]]; tauto.
Qed.

End Join.

(* ---- a cycle elsewhere *)

Lemma consecutive_map {A B} (f : A -> B) l a b : consecutive l a b -> consecutive (map f l) (f a) (f b).
Proof. intros (u & v & ->). exists (map f u), (map f v). now rewrite map_app. Qed.

Lemma next_map {A B} (f : A -> B) t a b : next t a b -> next (map f t) (f a) (f b).
Proof. unfold next. intros H. apply (consecutive_map f) in H. now rewrite map_app, firstn_map in *. Qed.

Lemma edge_map {A B} (f : A -> B) t a b : edge t a b -> edge (map f t) (f a) (f b).
Proof. intros [H | H]; [left | right]; now apply next_map. Qed.

Lemma consecutive_map_inv {A B} (f : A -> B) l x y :
  consecutive (map f l) x y -> exists a b, x = f a /\ y = f b /\ consecutive l a b.
Proof.
  intros (u & v & E). apply map_eq_app in E as (l1 & l2 & -> & <- & E).
  apply map_eq_cons in E as (a & l3 & -> & <- & E). apply map_eq_cons in E as (b & l4 & -> & <- & <-).
  exists a, b. repeat split. exists l1, l4. reflexivity.
Qed.

Lemma cycle_map {A} (V : A -> Prop) (adjacent : A -> A -> Prop) (f g : A -> A) t :
  (forall x, g (f x) = x) -> (forall x, f (g x) = x) ->
  (forall x y, adjacent x y -> adjacent (f x) (f y)) ->
  hamiltonian_cycle V adjacent t -> hamiltonian_cycle (fun x => V (g x)) adjacent (map f t).
Proof.
  intros GF FG M (L & N & I & S). repeat split.
  - now rewrite map_length.
  - apply FinFun.Injective_map_NoDup; [|exact N]. intros x y E. now rewrite <- (GF x), <- (GF y), E.
  - rewrite in_map_iff. intros (x & <- & H). rewrite GF. now apply I.
  - intros H. apply I in H. rewrite <- (FG a). now apply in_map.
  - intros a b H. unfold next in H. rewrite firstn_map, <- map_app in H.
    apply consecutive_map_inv in H as (x & y & -> & -> & H). auto.
Qed.

Lemma cycle_ext {A} (V W : A -> Prop) (adjacent : A -> A -> Prop) t :
  (forall x, V x <-> W x) -> hamiltonian_cycle V adjacent t -> hamiltonian_cycle W adjacent t.
Proof. intros E (L & N & I & S). repeat split; auto; rewrite <- ?E; apply I. Qed.

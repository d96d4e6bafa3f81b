(* The sweep is right: it follows the choices of every cycle. *)

From Coq Require Import PArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Checker Rules.
Import ListNotations.

(* ---- states *)

Lemma compare_ends_eq a b : compare_ends a b = Eq -> a = b.
Proof. destruct a, b; cbn; try discriminate; [|auto]. intros E. apply Pos.compare_eq in E. congruence. Qed.

Lemma compare_states_eq p : forall q, compare_states p q = Eq -> p = q.
Proof.
  induction p as [|[v x] p IH]; intros [|[w y] q]; cbn; try discriminate; [auto |].
  destruct (compare_ends x y) eqn:E; try discriminate. destruct (Pos.compare v w) eqn:K; try discriminate.
  intros H. apply compare_ends_eq in E. apply Pos.compare_eq in K. apply IH in H. congruence.
Qed.

Lemma merge_in x p : forall found q, In x found \/ In x p \/ In x q -> In x (merge found p q).
Proof.
  induction p as [|y p IH]; intros found q H.
  - cbn. rewrite rev_append_rev, in_app_iff, <- in_rev. cbn in H. tauto.
  - revert found H. induction q as [|z q IHq]; intros found H.
    + cbn [merge]. rewrite rev_append_rev, in_app_iff, <- in_rev. cbn [In] in *. tauto.
    + cbn [merge]. destruct (compare_states y z) eqn:E.
      * apply compare_states_eq in E. subst z. apply IH. cbn [In] in *. tauto.
      * apply IH. cbn [In] in *. tauto.
      * apply IHq. cbn [In] in *. tauto.
Qed.

Lemma in_pairs_in (x : mates) n : forall l, (length l <= n)%nat -> In x (concat l) -> In x (concat (in_pairs l)).
Proof.
  induction n as [|n IH]; intros [|p [|q r]] L H; cbn in *; try lia; try exact H.
  rewrite app_assoc, in_app_iff, in_app_iff in H. rewrite in_app_iff. destruct H as [H | H].
  - left. apply merge_in. tauto.
  - right. apply IH; [lia | exact H].
Qed.

Lemma merge_all_in (x : mates) fuel : forall l, In x (concat l) -> In x (merge_all fuel l).
Proof.
  induction fuel as [|f fuel IH]; intros l H; destruct l as [|p [|q r]]; cbn [merge_all];
    try (apply IH; exact H); try exact H.
  - cbn in H. now rewrite app_nil_r in H.
  - cbn in H. now rewrite app_nil_r in H.
  - apply IH. now apply (in_pairs_in x (length (p :: q :: r))).
Qed.

Lemma mapped_in {A B} (f : A -> B) x l : In x l -> In (f x) (mapped f l).
Proof.
  unfold mapped. assert (G : forall k, In x l \/ In (f x) k -> In (f x) (fold_left (fun k y => f y :: k) l k)).
  { induction l as [|y l IH]; intros k H; cbn; [cbn in H; tauto |]. apply IH. cbn in *.
    destruct H as [[-> | H] | H]; auto. }
  intros I. apply G. auto.
Qed.

Lemma each_once_in x l : In x l -> In x (each_once l).
Proof.
  intros I. unfold each_once. apply merge_all_in, in_concat. exists [x]. split; [|now left].
  now apply (mapped_in (fun q => [q])).
Qed.

Lemma taken_out_in v q : mate q v = Some None -> forall l found, In q l \/ In (drop v q) found ->
  In (drop v q) (taken_out v l found).
Proof.
  intros M. induction l as [|p l IH]; intros found H; cbn; [cbn in H; tauto |]. apply IH. cbn in H.
  destruct H as [[-> | H] | H]; [right | left; exact H | right].
  - rewrite M. now left.
  - destruct (mate p v) as [[|]|]; [exact H | now right | exact H].
Qed.

Lemma mate_set v m q : mate q v <> None -> forall w, mate (set_mate v m q) w = if Pos.eqb w v then Some m else mate q w.
Proof.
  intros H w. assert (K : forall q, w <> v -> mate (set_mate v m q) w = mate q w).
  { clear. intros q N. induction q as [|[x y] q IH]; cbn; [reflexivity |].
    destruct (Pos.eqb_spec v x) as [<- | D]; cbn; [destruct (Pos.eqb_spec w v) | destruct (Pos.eqb_spec w x)]; congruence || exact IH. }
  destruct (Pos.eqb_spec w v) as [-> | D]; [|now apply K].
  clear K. induction q as [|[x y] q IH]; cbn in *; [tauto |].
  destruct (Pos.eqb_spec v x); cbn; [now rewrite Pos.eqb_refl |]. destruct (Pos.eqb_spec v x); [congruence |]. now apply IH.
Qed.

Lemma mate_drop v q w : mate (drop v q) w = if Pos.eqb w v then None else mate q w.
Proof.
  induction q as [|[x y] q IH]; cbn; [now destruct (Pos.eqb w v) |].
  destruct (Pos.eqb_spec v x) as [<- | D]; cbn.
  - unfold drop in IH. rewrite IH. now destruct (Pos.eqb w v).
  - destruct (Pos.eqb_spec w x) as [E | E]; [|exact IH]. destruct (Pos.eqb_spec w v); congruence.
Qed.

Lemma mate_in q v m : mate q v = Some m -> In (v, m) q.
Proof.
  induction q as [|[x y] q IH]; cbn; [discriminate |]. destruct (Pos.eqb_spec v x) as [-> | D]; [|auto].
  intros E. injection E as ->. auto.
Qed.

(* ---- paths of edges *)

Section Paths.

Variable t : list positive.
Hypothesis long : (3 <= length t)%nat.
Hypothesis different : NoDup t.

Implicit Types E : positive -> positive -> Prop.

Inductive joined (E : positive -> positive -> Prop) (x : positive) : positive -> Prop :=
| here : joined E x x
| more y z : joined E x y -> E y z -> joined E x z.

Lemma joined_trans E x y z : joined E x y -> joined E y z -> joined E x z.
Proof. intros H. induction 1 as [|u w _ IH K]; [exact H |]. now apply (more E x u). Qed.

Lemma joined_sym E x y : (forall a b, E a b -> E b a) -> joined E x y -> joined E y x.
Proof.
  intros S. induction 1 as [|y z _ IH Eyz]; [constructor |]. apply (joined_trans E z y x); [|exact IH].
  apply (more E z z); [constructor | now apply S].
Qed.

Definition full (E : positive -> positive -> Prop) (x : positive) : Prop := forall y, edge t x y -> E x y.
Definition plus (E : positive -> positive -> Prop) (a b x y : positive) : Prop :=
  E x y \/ (x = a /\ y = b) \/ (x = b /\ y = a).

(* A state of the sweep belongs to some edges of the cycle. *)
Record belongs (E : positive -> positive -> Prop) (f : positive -> option (option positive)) : Prop := {
  both v : f v = Some None -> full E v;
  open v w : f v = Some (Some w) -> exists y, edge t v y /\ ~ E v y;
  pair v w : f v = Some (Some w) -> joined E v w /\ f w = Some (Some v);
  ends v w : f v = Some (Some w) -> forall x, joined E v x -> x = v \/ x = w \/ full E x;
  none v : f v = Some (Some v) -> forall y, ~ E v y;
  one v w : f v = Some (Some w) -> v <> w -> exists y, E v y
}.

Variable E : positive -> positive -> Prop.
Hypothesis symmetric : forall a b, E a b -> E b a.
Hypothesis inside : forall a b, E a b -> edge t a b.

(* With two edges a vertex has all. *)
Lemma two_full v x y (E' : positive -> positive -> Prop) : edge t v x -> edge t v y -> x <> y -> E' v x -> E' v y -> full E' v.
Proof.
  intros X Y D EX EY z Z.
  destruct (neighbours t v long different (proj1 (edge_in _ _ _ X))) as (p & q & _ & _ & _ & U).
  destruct (U _ X), (U _ Y), (U _ Z); subst; tauto.
Qed.

Section Use.

Variables (a b far over : positive) (f : positive -> option (option positive)).
Hypothesis fits : belongs E f.
Hypothesis used : edge t a b.
Hypothesis fresh : ~ E a b.
Hypothesis apart : a <> b.
Hypothesis at_a : f a = Some (Some far).
Hypothesis at_b : f b = Some (Some over).

(* The edge closes a path: then the path is everything. *)
Lemma closes : far = b -> forall v, In v t -> v = a \/ v = b \/ full E v.
Proof.
  intros ->. destruct (pair E f fits a b at_a) as [J Fb]. rewrite at_b in Fb. injection Fb as ->.
  assert (EA : forall y, edge t a y -> y = b \/ E a y).
  { intros y Y. destruct (one E f fits a b at_a apart) as [z Z]. assert (Z' := inside _ _ Z).
    destruct (neighbours t a long different (proj1 (edge_in _ _ _ Y))) as (p & q & _ & _ & _ & U).
    assert (zb : z <> b) by (intros ->; tauto).
    destruct (U _ Y), (U _ Z'), (U _ used); subst; tauto. }
  assert (EB : forall y, edge t b y -> y = a \/ E b y).
  { intros y Y. destruct (one E f fits b a at_b ltac:(auto)) as [z Z]. assert (Z' := inside _ _ Z).
    destruct (neighbours t b long different (proj1 (edge_in _ _ _ Y))) as (p & q & _ & _ & _ & U).
    assert (za : z <> a) by (intros ->; apply symmetric in Z; tauto). assert (used' := edge_sym _ _ _ used).
    destruct (U _ Y), (U _ Z'), (U _ used'); subst; tauto. }
  assert (A : forall v, In v t -> joined E a v).
  { apply (spread t (joined E a) a (proj1 (edge_in _ _ _ used))); [constructor |].
    intros x y N Jx. assert (Y : edge t x y) by now left.
    destruct (ends E f fits a b at_a x Jx) as [-> | [-> | F]].
    - destruct (EA y Y) as [-> | H]; [exact J |]. now apply (more E a a).
    - destruct (EB y Y) as [-> | H]; [constructor |]. now apply (more E a b).
    - apply (more E a x); [exact Jx | now apply F]. }
  intros v I. now apply (ends E f fits a b at_a), A.
Qed.

Definition after (v : positive) : option (option positive) :=
  if Pos.eqb v over then Some (Some far) else if Pos.eqb v far then Some (Some over) else
  if Pos.eqb v b then Some None else if Pos.eqb v a then Some None else f v.

Hypothesis distinct_paths : far <> b.

Lemma joined_plus v x : joined (plus E a b) v x ->
  joined E v x \/ (joined E v a /\ joined E b x) \/ (joined E v b /\ joined E a x).
Proof.
  induction 1 as [|y z H IH [P | [[-> ->] | [-> ->]]]].
  - left. constructor.
  - destruct IH as [IH | [[IH1 IH2] | [IH1 IH2]]]; [left | right; left | right; right];
      (split; [assumption |]) || idtac; now apply (more E _ y).
  - destruct IH as [IH | [[IH1 IH2] | [IH1 IH2]]].
    + right. left. split; [exact IH | constructor].
    + right. left. split; [exact IH1 | constructor].
    + left. exact IH1.
  - destruct IH as [IH | [[IH1 IH2] | [IH1 IH2]]].
    + right. right. split; [exact IH | constructor].
    + left. exact IH1.
    + right. right. split; [exact IH1 | constructor].
Qed.

Lemma joined_more v x : joined E v x -> joined (plus E a b) v x.
Proof. induction 1 as [|y z H IH P]; [constructor |]. apply (more _ _ y); [exact IH | now left]. Qed.

Lemma full_more v : full E v -> full (plus E a b) v.
Proof. intros F y Y. left. now apply F. Qed.

Lemma full_far : a <> far -> full (plus E a b) a.
Proof.
  intros D. destruct (one E f fits a far at_a D) as [y Y].
  apply (two_full a y b); [now apply inside | exact used | intros ->; tauto | now left | right; auto].
Qed.

Lemma full_over : b <> over -> full (plus E a b) b.
Proof.
  intros D. destruct (one E f fits b over at_b D) as [y Y]. assert (Ya : y <> a) by (intros ->; apply symmetric in Y; tauto).
  apply (two_full b y a); [now apply inside | now apply edge_sym | exact Ya | now left | right; auto].
Qed.

Lemma not_full v w : f v = Some (Some w) -> ~ full E v.
Proof. intros H F. destruct (open E f fits v w H) as (y & Y & N). apply N, F, Y. Qed.

Lemma far_over : far <> over.
Proof.
  intros ->. destruct (pair E f fits a over at_a) as [_ P]. destruct (pair E f fits b over at_b) as [_ Q].
  rewrite P in Q. injection Q as Q. tauto.
Qed.

Lemma over_a : over <> a.
Proof.
  intros ->. destruct (pair E f fits b a at_b) as [_ P]. rewrite at_a in P. injection P as P. tauto.
Qed.

Lemma plus_symmetric x y : plus E a b x y -> plus E a b y x.
Proof. unfold plus. intros [H | H]; [left; auto | tauto]. Qed.

Lemma far_from x : joined E far x -> x = far \/ x = a \/ full E x.
Proof. destruct (pair E f fits a far at_a) as [_ P]. apply (ends E f fits far a P). Qed.

Lemma over_from x : joined E over x -> x = over \/ x = b \/ full E x.
Proof. destruct (pair E f fits b over at_b) as [_ P]. apply (ends E f fits over b P). Qed.

Lemma a_from x : joined E a x -> x = a \/ x = far \/ full E x.
Proof. apply (ends E f fits a far at_a). Qed.

Lemma b_from x : joined E b x -> x = b \/ x = over \/ full E x.
Proof. apply (ends E f fits b over at_b). Qed.

(* Whom the new edge joins with the two far ends. *)
Lemma new_ends v : v = far \/ v = over -> forall x, joined (plus E a b) v x -> x = far \/ x = over \/ full (plus E a b) x.
Proof.
  intros Hv x J.
  assert (C : x = far \/ x = over \/ x = a \/ x = b \/ full E x).
  { apply joined_plus in J as [J | [[_ J] | [_ J]]].
    - destruct Hv as [-> | ->]; [apply far_from in J | apply over_from in J]; tauto.
    - apply b_from in J. tauto.
    - apply a_from in J. tauto. }
  destruct C as [C | [C | [-> | [-> | C]]]]; auto.
  - destruct (Pos.eq_dec a far) as [<- | D]; [auto | right; right; now apply full_far].
  - destruct (Pos.eq_dec b over) as [<- | D]; [auto | right; right; now apply full_over].
  - right. right. now apply full_more.
Qed.

Lemma untouched v w : f v = Some (Some w) -> v <> a -> v <> far -> v <> b -> v <> over -> ~ joined E v a /\ ~ joined E v b.
Proof.
  intros H Na Nf Nb No. split; intros J; apply (ends E f fits v w H) in J as [J | [J | F]]; try congruence.
  - subst w. destruct (pair E f fits v a H) as [_ P]. congruence.
  - now apply (not_full a far) in F.
  - subst w. destruct (pair E f fits v b H) as [_ P]. congruence.
  - now apply (not_full b over) in F.
Qed.

Lemma after_belongs : belongs (plus E a b) after.
Proof.
  assert (NF := far_over). assert (NA := over_a).
  destruct (pair E f fits a far at_a) as [Ja Fa]. destruct (pair E f fits b over at_b) as [Jb Fb].
  assert (J : joined (plus E a b) far over).
  { apply (joined_trans _ far a); [apply joined_more, joined_sym; assumption |].
    apply (joined_trans _ a b); [|now apply joined_more]. apply (more _ a a); [constructor | right; auto]. }
  assert (K : joined (plus E a b) over far) by (apply joined_sym; [exact plus_symmetric | exact J]).
  (* every vertex is one of the far ends, another end of the edge, or as before *)
  assert (W : forall v w, after v = Some (Some w) ->
    (v = far /\ w = over) \/ (v = over /\ w = far) \/
    (f v = Some (Some w) /\ v <> a /\ v <> far /\ v <> b /\ v <> over)).
  { intros v w. unfold after. destruct (Pos.eqb_spec v over) as [-> | No]; [intros H; injection H; auto |].
    destruct (Pos.eqb_spec v far) as [-> | Nf]; [intros H; injection H; auto |].
    destruct (Pos.eqb_spec v b) as [-> | Nb]; [discriminate |]. destruct (Pos.eqb_spec v a) as [-> | Na]; [discriminate |].
    auto 8. }
  assert (OF : forall v w, v = far /\ f far = Some (Some w) -> exists y, edge t v y /\ ~ plus E a b v y).
  { intros v w [-> H]. destruct (Pos.eq_dec far a) as [D | D].
    - assert (S : f a = Some (Some a)) by (rewrite <- D at 2; exact at_a). rewrite D.
      destruct (neighbours t a long different (proj1 (edge_in _ _ _ used))) as (p & q & Dpq & P & Q & U).
      assert (Ny : forall y, y <> b -> ~ plus E a b a y).
      { intros y Yb [X | [[_ X] | [X _]]]; [now apply (none E f fits a S y) | auto | auto]. }
      destruct (Pos.eq_dec p b) as [-> | Db]; [exists q | exists p]; split; auto.
    - destruct (open E f fits far w H) as (y & Y & N). exists y. split; [exact Y |].
      intros [X | [[X _] | [X _]]]; auto. }
  assert (OO : exists y, edge t over y /\ ~ plus E a b over y).
  { destruct (Pos.eq_dec over b) as [D | D].
    - assert (S : f b = Some (Some b)) by (rewrite <- D at 2; exact at_b). rewrite D.
      destruct (neighbours t b long different (proj2 (edge_in _ _ _ used))) as (p & q & Dpq & P & Q & U).
      assert (Ny : forall y, y <> a -> ~ plus E a b b y).
      { intros y Ya [X | [[X _] | [_ X]]]; [now apply (none E f fits b S y) | auto | auto]. }
      destruct (Pos.eq_dec p a) as [-> | Da]; [exists q | exists p]; split; auto.
    - destruct (open E f fits over b Fb) as (y & Y & N). exists y. split; [exact Y |].
      intros [X | [[X _] | [X _]]]; auto. }
  split.
  - intros v. unfold after. destruct (Pos.eqb_spec v over) as [-> | No]; [discriminate |].
    destruct (Pos.eqb_spec v far) as [-> | Nf]; [discriminate |].
    destruct (Pos.eqb_spec v b) as [-> | Nb]; [intros _; now apply full_over |].
    destruct (Pos.eqb_spec v a) as [-> | Na]; [intros _; now apply full_far |].
    intros H. now apply full_more, (both E f fits).
  - intros v w H. apply W in H as [[-> ->] | [[-> ->] | (H & Na & Nf & Nb & No)]]; [eauto | exact OO |].
    destruct (open E f fits v w H) as (y & Y & N). exists y. split; [exact Y |].
    intros [X | [[X _] | [X _]]]; auto.
  - intros v w H. apply W in H as [[-> ->] | [[-> ->] | (H & Na & Nf & Nb & No)]].
    + split; [exact J |]. unfold after. now rewrite Pos.eqb_refl.
    + split; [exact K |]. unfold after. destruct (Pos.eqb_spec far over); [congruence |]. now rewrite Pos.eqb_refl.
    + destruct (pair E f fits v w H) as [Jv Fw]. split; [now apply joined_more |].
      unfold after. destruct (Pos.eqb_spec w over) as [-> | Wo]; [congruence |].
      destruct (Pos.eqb_spec w far) as [-> | Wf]; [congruence |].
      destruct (Pos.eqb_spec w b) as [-> | Wb]; [congruence |].
      destruct (Pos.eqb_spec w a) as [-> | Wa]; [congruence |]. exact Fw.
  - intros v w H. apply W in H as [[-> ->] | [[-> ->] | (H & Na & Nf & Nb & No)]].
    + apply new_ends. auto.
    + intros x X. destruct (new_ends over (or_intror eq_refl) x X) as [-> | [-> | F]]; auto.
    + intros x X. destruct (untouched v w H Na Nf Nb No) as [Ua Ub].
      apply joined_plus in X as [X | [[X _] | [X _]]]; [| tauto | tauto].
      apply (ends E f fits v w H) in X as [-> | [-> | F]]; auto. right. right. now apply full_more.
  - intros v H. apply W in H as [[-> ->] | [[-> ->] | (H & Na & Nf & Nb & No)]]; [congruence | congruence |].
    intros y [X | [[X _] | [X _]]]; auto. now apply (none E f fits v H y).
  - intros v w H D. apply W in H as [[-> ->] | [[-> ->] | (H & Na & Nf & Nb & No)]].
    + destruct (Pos.eq_dec far a) as [Df | Df]; [exists b; right; auto |].
      destruct (one E f fits far a Fa Df) as [y Y]. exists y. now left.
    + destruct (Pos.eq_dec over b) as [Df | Df]; [exists a; right; auto |].
      destruct (one E f fits over b Fb Df) as [y Y]. exists y. now left.
    + destruct (one E f fits v w H D) as [y Y]. exists y. now left.
Qed.

End Use.

Lemma belongs_ext E' f g : (forall x y, E x y <-> E' x y) -> (forall v, f v = g v) -> belongs E f -> belongs E' g.
Proof.
  intros HE Hf [B O P N Z W].
  assert (J : forall x y, joined E x y <-> joined E' x y).
  { intros x y. split; induction 1 as [|u v _ IH K]; try constructor; apply (more _ x u); auto; now apply HE. }
  split; intros v; rewrite <- Hf.
  - intros H y Y. now apply HE, (B v H).
  - intros w H. destruct (O v w H) as (y & Y & K). exists y. rewrite <- HE. auto.
  - intros w H. rewrite <- J, <- Hf. now apply P.
  - intros w H x X. rewrite <- J in X. destruct (N v w H x X) as [? | [? | F]]; auto. right. right. intros y Y. now apply HE, F.
  - intros H y. rewrite <- HE. now apply Z.
  - intros w H D. destruct (W v w H D) as [y Y]. exists y. now apply HE.
Qed.

(* A vertex is met. *)
Lemma meet_belongs x f : belongs E f -> In x t -> f x = None -> (forall y, ~ E x y) ->
  belongs E (fun v => if Pos.eqb v x then Some (Some x) else f v).
Proof.
  intros [B O P N Z W] I Fx Nx.
  assert (Jx : forall y, joined E x y -> y = x).
  { induction 1 as [|y z _ IH K]; [reflexivity |]. subst y. now apply Nx in K. }
  split; intros v; destruct (Pos.eqb_spec v x) as [-> | D]; try discriminate; auto.
  - intros w H. destruct (neighbours t x long different I) as (y & _ & _ & Y & _). exists y. split; [exact Y | apply Nx].
  - apply O.
  - intros w H. injection H as <-. split; [constructor |]. now rewrite Pos.eqb_refl.
  - intros w H. destruct (P v w H) as [J F]. split; [exact J |]. destruct (Pos.eqb_spec w x); [congruence | exact F].
  - intros w H. injection H as <-. tauto.
  - apply W.
Qed.

(* A vertex is taken. *)
Lemma drop_belongs x f : belongs E f -> f x = Some None -> belongs E (fun v => if Pos.eqb v x then None else f v).
Proof.
  intros [B O P N Z W] Fx. split; intros v; destruct (Pos.eqb_spec v x) as [-> | D]; try discriminate; auto; [apply O | | apply W].
  intros w H. destruct (P v w H) as [J F]. split; [exact J |]. destruct (Pos.eqb_spec w x); [congruence | exact F].
Qed.

End Paths.

(* ---- the sweep *)

Lemma no_loop (t : list positive) v : (3 <= length t)%nat /\ NoDup t -> ~ edge t v v.
Proof.
  intros [L N] X. destruct (two_neighbours t v L N (proj1 (edge_in _ _ _ X))) as (x & y & _ & P & _ & _ & _ & U & _).
  apply P. symmetry. destruct X; now apply U.
Qed.

Section Sweep.

Variables (s : state) (t : list positive).
Hypothesis F : fits s t.

Let long : (3 <= length t)%nat := proj1 F.
Let different : NoDup t := proj1 (proj2 F).

Definition symmetric (E : positive -> positive -> Prop) : Prop := forall a b, E a b -> E b a.
Definition inside (E : positive -> positive -> Prop) : Prop := forall a b, E a b -> edge t a b.

Lemma use_or_not_in all a b q : forall states found,
  (In q states \/ In q found -> forall l, use_or_not all a b states found = Some l -> In q l) /\
  (forall p more, (In p states /\ use all a b p = Some more /\ In q more) ->
     forall l, use_or_not all a b states found = Some l -> In q l).
Proof.
  induction states as [|p states IH]; intros found; split.
  - intros [[] | I] l E. cbn in E. now injection E as <-.
  - intros p more [[] _].
  - intros I l E. cbn in E. destruct (use all a b p) as [more|]; [|discriminate]. apply (proj1 (IH _)) with (2 := E).
    destruct I as [[-> | I] | I]; [right | left; exact I | right]; apply in_app_iff; cbn; auto.
  - intros r more (I & U & M) l E. cbn in E. destruct (use all a b p) as [others|] eqn:Up; [|discriminate].
    destruct I as [<- | I]; [apply (proj1 (IH _)) with (2 := E) | now apply (proj2 (IH _)) with (2 := E) (1 := conj I (conj U M))].
    right. apply in_app_iff. left. congruence.
Qed.

Lemma use_each_right all a (D : positive -> Prop) : forall l E states found,
  symmetric E -> inside E -> NoDup l -> D a -> (forall v, D v -> In v t) ->
  (forall b, In b l -> D b /\ a <> b /\ ~ E a b) ->
  (all = true \/ exists v, In v t /\ v <> a /\ ~ In v l /\ forall y, ~ E v y) ->
  (exists q, In q states /\ belongs t E (mate q) /\ forall v, mate q v <> None <-> D v) ->
  use_each all a l states = Some found ->
  exists q, In q found /\ (forall v, mate q v <> None <-> D v) /\
    belongs t (fun x y => E x y \/ (edge t x y /\ ((x = a /\ In y l) \/ (y = a /\ In x l)))) (mate q).
Proof.
  induction l as [|b l IH]; intros E states found S I N Da Dt L A (q & Iq & B & Dq) H.
  - cbn in H. injection H as <-. exists q. split; [exact Iq | split; [exact Dq |]].
    apply (belongs_ext t E _ (mate q) (mate q)); auto. intros x y. cbn. tauto.
  - cbn in H. destruct (use_or_not all a b states []) as [next|] eqn:U; [|discriminate].
    apply NoDup_cons_iff in N as [Nb N]. destruct (L b (or_introl eq_refl)) as (Db & ab & Eab).
    destruct (edge_dec t a b) as [X | X].
    + (* the edge is in the cycle *)
      destruct (mate q a) as [[far|]|] eqn:Ma; [| exfalso | now apply Dq in Da].
      2: now apply Eab, (both t E _ B a Ma).
      destruct (mate q b) as [[over|]|] eqn:Mb; [| exfalso | now apply Dq in Db].
      2: now apply Eab, S, (both t E _ B b Mb), edge_sym.
      destruct (pair t E _ B a far Ma) as [_ Mf]. destruct (pair t E _ B b over Mb) as [_ Mo].
      assert (Uq : exists more, use all a b q = Some more).
      { destruct (use all a b q) eqn:Uq; [eauto | exfalso]. clear - U Uq Iq.
        revert U. generalize (@nil mates) as k. induction states as [|p r IH]; intros k U; [destruct Iq |].
        cbn in U. destruct Iq as [<- | Iq]; [now rewrite Uq in U |]. destruct (use all a b p); [|discriminate].
        now apply (IH Iq) in U. }
      destruct Uq as [more Uq]. assert (Uq' := Uq). unfold use in Uq. rewrite Ma, Mb in Uq.
      destruct (Pos.eqb_spec far b) as [C | C].
      { exfalso. assert (K := closes t long different E S I a b far over (mate q) B X Eab ab Ma Mb C).
        destruct (all && alone q a b) eqn:Y; [discriminate |]. clear Uq. apply andb_false_iff in Y as [Y | Y].
        - destruct A as [A | (v & Iv & va & vl & Nv)]; [congruence |].
          destruct (K v Iv) as [-> | [-> | Fv]]; [tauto | apply vl; now left |].
          destruct (neighbours t v long different Iv) as (y & _ & _ & Yv & _). now apply (Nv y), Fv.
        - assert (Z : alone q a b = true); [|congruence]. apply forallb_forall. intros [z m] Iz. cbn [fst].
          destruct (Pos.eqb_spec a z) as [-> | za]; [reflexivity |]. destruct (Pos.eqb_spec b z) as [-> | zb]; [reflexivity |].
          destruct (mate q z) as [[w|]|] eqn:Mz; [exfalso | reflexivity | reflexivity].
          assert (Tz : In z t) by (apply Dt, Dq; congruence).
          destruct (K z Tz) as [-> | [-> | Fz]]; [tauto | tauto |]. destruct (open t E _ B z w Mz) as (y & Y1 & Y2).
          now apply Y2, Fz. }
      injection Uq as <-. set (q' := set_mate over _ _) in Uq'.
      assert (I' : In q' next).
      { refine (proj2 (use_or_not_in all a b q' states []) q [q'] (conj Iq (conj Uq' (or_introl eq_refl))) next U). }
      assert (M' : forall v, mate q' v = after a b far over (mate q) v).
      { assert (G1 : forall v, mate (set_mate a None q) v = if Pos.eqb v a then Some None else mate q v).
        { apply mate_set. congruence. }
        assert (G2 : forall v, mate (set_mate b None (set_mate a None q)) v =
                       if Pos.eqb v b then Some None else if Pos.eqb v a then Some None else mate q v).
        { intros v. rewrite mate_set; [now rewrite G1 |]. rewrite G1. destruct (Pos.eqb b a); congruence. }
        assert (G3 : forall v, mate (set_mate far (Some over) (set_mate b None (set_mate a None q))) v =
                       if Pos.eqb v far then Some (Some over) else
                       if Pos.eqb v b then Some None else if Pos.eqb v a then Some None else mate q v).
        { intros v. rewrite mate_set; [now rewrite G2 |]. rewrite G2. destruct (Pos.eqb far b), (Pos.eqb far a); congruence. }
        intros v. unfold q', after. rewrite mate_set; [now rewrite G3 |]. rewrite G3.
        destruct (Pos.eqb over far), (Pos.eqb over b), (Pos.eqb over a); congruence. }
      destruct (IH (plus E a b) next found) as (p & Ip & Dp & Bp); auto.
      * intros x y. apply plus_symmetric. exact S.
      * intros x y [Y | [[-> ->] | [-> ->]]]; auto using edge_sym.
      * intros c Ic. destruct (L c (or_intror Ic)) as (Dc & ac & Eac). split; [exact Dc | split; [exact ac |]].
        intros [Y | [[_ ->] | [-> _]]]; tauto.
      * destruct A as [A | (v & Iv & va & vl & Nv)]; [auto | right]. exists v. split; [exact Iv | split; [exact va | split]].
        -- intros K. apply vl. now right.
        -- intros y [Y | [[-> _] | [-> _]]]; [now apply (Nv y) | tauto | apply vl; now left].
      * exists q'. split; [exact I' | split].
        -- apply (belongs_ext t (plus E a b) _ (after a b far over (mate q))); [tauto | intros v; now rewrite M' |].
           now apply after_belongs.
        -- intros v. rewrite M', <- Dq. unfold after.
           destruct (Pos.eqb_spec v over) as [-> | ?]; [split; congruence |].
           destruct (Pos.eqb_spec v far) as [-> | ?]; [split; congruence |].
           destruct (Pos.eqb_spec v b) as [-> | ?]; [split; congruence |].
           destruct (Pos.eqb_spec v a) as [-> | ?]; [split; congruence |]. reflexivity.
      * exists p. split; [exact Ip | split; [exact Dp |]]. revert Bp. apply belongs_ext; [|reflexivity].
        assert (X' := edge_sym _ _ _ X). intros x y. unfold plus. cbn [In]. split; intuition (subst; auto).
    + (* it is not *)
      destruct (IH E next found) as (p & Ip & Dp & Bp); auto.
      * intros c Ic. apply L. now right.
      * destruct A as [A | (v & Iv & va & vl & Nv)]; [auto | right]. exists v. split; [exact Iv | split; [exact va | split]]; auto.
        intros K. apply vl. now right.
      * exists q. split; [|auto]. exact (proj1 (use_or_not_in all a b q states []) (or_introl Iq) next U).
      * exists p. split; [exact Ip | split; [exact Dp |]]. revert Bp. apply belongs_ext; [|reflexivity].
        assert (X' : ~ edge t b a) by (intros Y; now apply X, edge_sym).
        intros x y. cbn [In]. split; intuition (subst; try tauto).
Qed.

Definition made (taken : set) (x y : positive) : Prop := edge t x y /\ (isin taken x = true \/ isin taken y = true).

Lemma meet_right E fresh : symmetric E -> forall states q (D : positive -> Prop),
  NoDup fresh -> (forall x, In x fresh -> In x t /\ ~ D x /\ forall y, ~ E x y) ->
  In q states -> belongs t E (mate q) -> (forall v, mate q v <> None <-> D v) ->
  exists p, In p (meet fresh states) /\ belongs t E (mate p) /\ forall v, mate p v <> None <-> D v \/ In v fresh.
Proof.
  intros S. unfold meet. induction fresh as [|x r IH]; intros states q D N H I B M; cbn [fold_left].
  - exists q. split; [exact I | split; [exact B |]]. intros v. rewrite M. cbn. tauto.
  - apply NoDup_cons_iff in N as [Nx N]. destruct (H x (or_introl eq_refl)) as (Tx & Dx & Ex).
    destruct (IH (mapped (cons (x, Some x)) states) ((x, Some x) :: q) (fun v => D v \/ v = x)) as (p & Ip & Bp & Mp); auto.
    + intros y Iy. destruct (H y (or_intror Iy)) as (Ty & Dy & Ey). split; [exact Ty | split; [|exact Ey]].
      intros [K | ->]; auto.
    + now apply mapped_in.
    + cbn [mate]. apply meet_belongs; auto. destruct (mate q x) eqn:Mx; [|reflexivity].
      exfalso. apply Dx, M. congruence.
    + intros v. cbn [mate]. rewrite <- M. destruct (Pos.eqb_spec v x); split; intuition congruence.
    + exists p. split; [exact Ip | split; [exact Bp |]]. intros v. rewrite Mp. cbn. intuition.
Qed.

Lemma sweep_on_no all order : (forall v, isin all v = true <-> In v t) -> forall met taken states,
  sweep_on s all order met taken states = true -> NoDup order ->
  (forall v, isin taken v = true -> isin met v = true) ->
  (forall v, isin met v = true -> In v t) ->
  (forall v, In v order -> In v t /\ isin taken v = false) ->
  (forall v, In v t -> isin taken v = true \/ In v order) ->
  (forall x y, made taken x y -> isin met x = true) ->
  (exists q, In q states /\ belongs t (made taken) (mate q) /\
     forall v, mate q v <> None <-> isin met v = true /\ isin taken v = false) -> False.
Proof.
  intros AT. induction order as [|a r IH]; intros met taken states H N TM MT OT TO EM (q & Iq & B & Dq).
  - cbn in H. destruct states; [destruct Iq | discriminate].
  - cbn [sweep_on] in H. set (ahead := later s all taken a) in H.
    set (fresh := once (filter (fun z => negb (isin met z)) (a :: ahead))) in H.
    set (met' := add_all fresh met) in H.
    assert (M' : forall v, isin met' v = true <-> In v fresh \/ isin met v = true) by (intros v; apply isin_add_all).
    apply NoDup_cons_iff in N as [Na N]. destruct (OT a (or_introl eq_refl)) as [Ta Ka].
    assert (S : symmetric (made taken)).
    { intros x y [X Y]. split; [now apply edge_sym | tauto]. }
    assert (In' : inside (made taken)) by (intros x y [X _]; exact X).
    assert (Ah : forall z, In z ahead <-> In z (row (present s) a) /\ In z t /\ isin taken z = false /\ a <> z).
    { intros z. unfold ahead, later.
      rewrite (proj2 (once_spec _) z), filter_In, !andb_true_iff, !negb_true_iff, Pos.eqb_neq, AT. tauto. }
    assert (Fr : forall z, In z fresh <-> (z = a \/ In z ahead) /\ isin met z = false).
    { intros z. unfold fresh. rewrite (proj2 (once_spec _) z), filter_In, negb_true_iff. cbn [In].
      split; intuition. }
    assert (NK : forall z, isin taken z = false -> forall y, made taken z y -> isin taken y = true).
    { intros z Kz y [_ [Y | Y]]; [congruence | exact Y]. }
    destruct (use_each _ a ahead (meet fresh states)) as [found|] eqn:U; [|discriminate].
    destruct (meet_right (made taken) fresh S states q (fun v => isin met v = true /\ isin taken v = false))
      as (p & Ip & Bp & Mp); auto.
    { apply once_spec. }
    { intros x Ix. apply Fr in Ix as [Ix Mx]. split; [| split].
      - destruct Ix as [-> | Ix]; [exact Ta |]. now apply Ah in Ix.
      - intros [K _]. congruence.
      - intros y Y. apply EM in Y. congruence. }
    set (D := fun v => isin met' v = true /\ isin taken v = false).
    assert (MF : forall v, (isin met v = true /\ isin taken v = false) \/ In v fresh <-> D v).
    { intros v. unfold D. rewrite M'. split; [|tauto]. intros [K | K]; [tauto |]. split; [tauto |].
      apply Fr in K as [[-> | K] _]; [exact Ka |]. apply Ah in K. tauto. }
    assert (MT' : forall v, isin met' v = true -> In v t).
    { intros v V. apply M' in V as [V | V]; [|auto]. apply Fr in V as [[-> | V] _]; [exact Ta |]. now apply Ah in V. }
    assert (DA : forall v, v = a \/ In v ahead -> D v).
    { intros v V. split.
      - apply M'. destruct (isin met v) eqn:E; [auto | left]. apply Fr. auto.
      - destruct V as [-> | V]; [exact Ka |]. now apply Ah in V. }
    destruct (use_each_right (forallb (isin met') r) a D ahead (made taken) (meet fresh states) found) as (p' & Ip' & Dp' & Bp'); auto.
    { apply once_spec. }
    { intros v [V _]. auto. }
    { intros b Ib. split; [auto |]. apply Ah in Ib as (_ & _ & Kb & ab). split; [exact ab |].
      intros [_ [K | K]]; congruence. }
    { destruct (forallb (isin met') r) eqn:E; [auto | right].
      assert (X : exists v, In v r /\ isin met' v = false).
      { clear - E. induction r as [|v r IH]; [discriminate |]. cbn in E. apply andb_false_iff in E as [E | E].
        - exists v. cbn. auto.
        - destruct (IH E) as (w & I & W). exists w. cbn. auto. }
      destruct X as (v & Iv & Mv). exists v. split; [apply OT; now right | split; [| split]].
      - intros ->. tauto.
      - intros K. destruct (DA v (or_intror K)). congruence.
      - intros y Y. apply EM in Y. assert (isin met' v = true) by (apply M'; auto). congruence. }
    { exists p. split; [exact Ip | split; [exact Bp |]]. intros v. now rewrite Mp, MF. }
    set (E' := fun x y => made taken x y \/ _) in Bp'.
    assert (EE : forall x y, E' x y <-> made (M.add a tt taken) x y).
    { intros x y. unfold E', made. rewrite !isin_add. split.
      - intros [[X Y] | [X [[-> _] | [-> _]]]]; tauto.
      - intros [X [[-> | Y] | [-> | Y]]]; [| tauto | | tauto].
        + destruct (isin taken y) eqn:Y; [tauto |]. right. split; [exact X | left; split; [reflexivity |]].
          apply Ah. split; [now apply F | split; [now apply edge_in in X | split; [exact Y |]]].
          intros ->. now apply (no_loop t y (conj long different)) in X.
        + destruct (isin taken x) eqn:Y; [tauto |]. right. split; [exact X | right; split; [reflexivity |]].
          apply edge_sym in X. apply Ah. split; [now apply F | split; [now apply edge_in in X | split; [exact Y |]]].
          intros ->. now apply (no_loop t x (conj long different)) in X. }
    assert (Ma : mate p' a = Some None).
    { destruct (mate p' a) as [[w|]|] eqn:E; [exfalso | reflexivity | exfalso].
      - destruct (open t E' _ Bp' a w E) as (y & Y & K). apply K, EE. split; [exact Y |]. left. apply isin_add. auto.
      - apply (Dp' a); [apply DA; auto | exact E]. }
    apply (IH met' (M.add a tt taken) _ H); auto.
    + intros v V. apply isin_add in V as [-> | V]; apply M'; [| auto].
      destruct (isin met a) eqn:E; [auto | left]. apply Fr. auto.
    + intros v V. destruct (OT v (or_intror V)) as [Tv Kv]. split; [exact Tv |].
      destruct (isin (M.add a tt taken) v) eqn:E; [|reflexivity]. apply isin_add in E as [-> | E]; [tauto | congruence].
    + intros v V. destruct (TO v V) as [K | [<- | K]]; [left | left | auto]; apply isin_add; auto.
    + intros x y X. apply EE in X as [X | [_ [[-> _] | [_ X]]]].
      * apply M'. right. now apply (EM x y).
      * apply (DA a). auto.
      * apply (DA x). auto.
    + exists (drop a p'). split; [| split].
      * apply each_once_in. apply taken_out_in; auto.
      * apply (belongs_ext t E' _ (fun v => if Pos.eqb v a then None else mate p' v)); [exact EE | intros v; now rewrite mate_drop |].
        now apply drop_belongs.
      * intros v. rewrite mate_drop. destruct (Pos.eqb_spec v a) as [-> | D'].
        -- split; [tauto |]. intros [_ K]. assert (isin (M.add a tt taken) a = true) by (apply isin_add; auto). congruence.
        -- rewrite Dp'. unfold D. split; intros [X Y]; (split; [exact X |]).
           ++ destruct (isin (M.add a tt taken) v) eqn:E; [|reflexivity]. apply isin_add in E as [E | E]; congruence.
           ++ destruct (isin taken v) eqn:E; [|reflexivity].
              assert (isin (M.add a tt taken) v = true) by (apply isin_add; auto). congruence.
Qed.

Theorem sweep_no order : sweep s order = true -> False.
Proof.
  intros H. unfold sweep in H. apply andb_true_iff in H as [M H]. destruct (everyone_spec s t order F M) as [N J].
  assert (AT : forall v, isin (set_of (vertices s)) v = true <-> In v t).
  { intros v. rewrite isin_set_of. symmetry. now apply fits_in. }
  assert (NE : forall v, isin (M.empty unit) v = false) by apply isin_empty.
  assert (O : forall v, In v order <-> In v t) by (split; apply Permutation_in; auto using Permutation_sym).
  apply (sweep_on_no _ order AT (M.empty unit) (M.empty unit) [[]] H N); auto.
  - intros v E. now rewrite NE in E.
  - intros v I. split; [now apply O | apply NE].
  - intros v I. right. now apply O.
  - intros x y [_ [E | E]]; now rewrite NE in E.
  - exists []. split; [now left | split].
    + split; intros v; cbn; discriminate.
    + intros v. cbn. rewrite NE. split; [tauto | intros [X _]; discriminate].
Qed.

End Sweep.

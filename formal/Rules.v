(* Every rule of the checker is right, but the sweep and the contraction: what a cycle uses stays, and is not ruled out. *)

From Coq Require Import PArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Rectangles Checker.
Import ListNotations.

(* ---- sets and lists *)

Lemma occurs_in v l : Checker.occurs v l = true <-> In v l.
Proof.
  unfold Checker.occurs. rewrite existsb_exists. split.
  - intros (x & I & E). apply Pos.eqb_eq in E. now subst.
  - intros I. exists v. split; [exact I | apply Pos.eqb_refl].
Qed.

Lemma isin_add w s v : isin (M.add w tt s) v = true <-> v = w \/ isin s v = true.
Proof.
  unfold isin. rewrite !M.mem_find. destruct (Pos.eq_dec v w) as [-> | D].
  - rewrite M.gss. tauto.
  - rewrite M.gso by exact D. tauto.
Qed.

Lemma isin_add_all l s v : isin (add_all l s) v = true <-> In v l \/ isin s v = true.
Proof.
  induction l as [|w l IH]; cbn [add_all fold_right In]; [tauto |]. fold (add_all l s). rewrite isin_add, IH.
  split; intuition.
Qed.

Lemma isin_set_of l v : isin (set_of l) v = true <-> In v l.
Proof.
  unfold set_of. rewrite isin_add_all. split; [|auto]. intros [I | I]; [exact I |].
  unfold isin in I. rewrite M.mem_find, M.gempty in I. discriminate.
Qed.

Lemma distinct_spec l : distinct l = true -> NoDup l.
Proof.
  unfold distinct. assert (G : forall s, distinct_from s l = true -> NoDup l /\ forall v, In v l -> isin s v = false).
  { induction l as [|w l IH]; intros s H; [split; [constructor | intros v []] |].
    cbn in H. apply andb_true_iff in H as [H1 H2]. apply negb_true_iff in H1.
    destruct (IH _ H2) as [N D]. split.
    - constructor; [|exact N]. intros I. apply D in I.
      assert (T : isin (M.add w tt s) w = true) by (apply isin_add; auto). congruence.
    - intros v [<- | I]; [exact H1 |]. apply D in I.
      destruct (isin s v) eqn:E; [|reflexivity].
      assert (T : isin (M.add w tt s) v = true) by (apply isin_add; auto). congruence. }
  intros H. now apply (G _ H).
Qed.

Lemma once_spec l : NoDup (once l) /\ forall v, In v (once l) <-> In v l.
Proof.
  unfold once. assert (G : forall s, NoDup (no_repeats s l) /\
      forall v, In v (no_repeats s l) <-> In v l /\ isin s v = false).
  { induction l as [|w l IH]; intros s; cbn; [split; [constructor | tauto] |].
    destruct (isin s w) eqn:E.
    - destruct (IH s) as [N I]. split; [exact N |]. intros v. rewrite I. split; [tauto |].
      intros [[-> | H] F]; [congruence | auto].
    - destruct (IH (M.add w tt s)) as [N I]. split.
      + constructor; [|exact N]. rewrite I. intros [_ F].
        assert (T : isin (M.add w tt s) w = true) by (apply isin_add; auto). congruence.
      + intros v. cbn. rewrite I. split.
        * intros [<- | [H F]]; [auto |]. split; [auto |].
          destruct (isin s v) eqn:V; [|reflexivity].
          assert (T : isin (M.add w tt s) v = true) by (apply isin_add; auto). congruence.
        * intros [[<- | H] F]; [auto |]. destruct (Pos.eq_dec w v) as [-> | D]; [auto |]. right. split; [exact H |].
          destruct (isin (M.add w tt s) v) eqn:V; [|reflexivity].
          apply isin_add in V as [V | V]; congruence. }
  destruct (G (M.empty unit)) as [N I]. split; [exact N |]. intros v. rewrite I.
  assert (E : isin (M.empty unit) v = false) by (unfold isin; rewrite M.mem_find, M.gempty; reflexivity).
  tauto.
Qed.

Lemma without_in v l z : In z (without v l) <-> In z l /\ z <> v.
Proof.
  unfold without. rewrite filter_In, negb_true_iff, Pos.eqb_neq. split; intros [H D]; auto.
Qed.

Lemma with_one_in v l z : In z (with_one v l) <-> z = v \/ In z l.
Proof.
  unfold with_one. destruct (Checker.occurs v l) eqn:E; cbn.
  - apply occurs_in in E. split; [auto | intros [-> | H]; auto].
  - split; intros [H | H]; auto.
Qed.

Lemma row_add m a l v : row (M.add a l m) v = if Pos.eq_dec v a then l else row m v.
Proof.
  unfold row. destruct (Pos.eq_dec v a) as [-> | D]; [now rewrite M.gss | now rewrite M.gso].
Qed.

(* ---- cycles that fit a state *)

Definition fits (s : state) (t : list positive) : Prop :=
  (3 <= length t)%nat /\ NoDup t /\ Permutation t (vertices s) /\
  (forall a b, edge t a b -> In b (row (present s) a)) /\
  (forall a b, In b (row (forced s) a) -> edge t a b).

Lemma edge_dec (t : list positive) a b : edge t a b \/ ~ edge t a b.
Proof.
  assert (E : edge t a b <-> In (a, b) (steps t) \/ In (b, a) (steps t)) by (now rewrite !steps_next).
  assert (D : forall x y : positive * positive, {x = y} + {x <> y}) by (decide equality; apply Pos.eq_dec).
  rewrite E. destruct (in_dec D (a, b) (steps t)), (in_dec D (b, a) (steps t)); tauto.
Qed.

Lemma rule_out_fits s t a b : fits s t -> ~ edge t a b -> fits (rule_out s a b) t.
Proof.
  intros (L & N & V & P & F) E. split; [exact L | split; [exact N | split; [exact V | split; [|exact F]]]].
  intros x y H. assert (I := P _ _ H). unfold rule_out, change. cbn [present].
  rewrite !row_add. destruct (Pos.eq_dec x b) as [-> | D].
  - destruct (Pos.eq_dec b a) as [-> | D].
    + rewrite !without_in. repeat split; auto; intros ->; auto.
    + apply without_in. split; [exact I |]. intros ->. now apply E, edge_sym.
  - destruct (Pos.eq_dec x a) as [-> | D']; [|exact I].
    apply without_in. split; [exact I |]. intros ->. now apply E.
Qed.

Lemma force_fits s t a b : fits s t -> edge t a b -> fits (force s a b) t.
Proof.
  intros (L & N & V & P & F) E. split; [exact L | split; [exact N | split; [exact V | split; [exact P |]]]].
  intros x y. unfold force, change. cbn [forced]. rewrite !row_add.
  destruct (Pos.eq_dec x b) as [-> | D].
  - destruct (Pos.eq_dec b a) as [-> | D].
    + rewrite !with_one_in. intros [-> | [-> | H]]; auto.
    + rewrite with_one_in. intros [-> | H]; [now apply edge_sym | auto].
  - destruct (Pos.eq_dec x a) as [-> | D']; [|apply F].
    rewrite with_one_in. intros [-> | H]; auto.
Qed.

(* The two neighbours of a vertex. *)
Lemma neighbours (t : list positive) v : (3 <= length t)%nat -> NoDup t -> In v t ->
  exists x y, x <> y /\ edge t v x /\ edge t v y /\ forall z, edge t v z -> z = x \/ z = y.
Proof.
  intros L N I. destruct (two_neighbours t v L N I) as (x & y & D & _ & _ & X & Y & UX & UY).
  exists x, y. unfold edge. split; [exact D | split; [auto | split; [auto |]]]. intros z [Z | Z]; auto.
Qed.

Lemma fits_in s t v : fits s t -> (In v t <-> In v (vertices s)).
Proof. intros (_ & _ & V & _). split; apply Permutation_in; auto using Permutation_sym. Qed.

Lemma force_both_fits s v s' t : fits s t -> force_both s v = Some s' -> fits s' t.
Proof.
  intros F H. unfold force_both in H. destruct (row (present s) v) as [|p [|q [|]]] eqn:R; try discriminate.
  destruct (_ && _) eqn:E; [|discriminate]. injection H as <-. apply andb_true_iff in E as [E O].
  apply negb_true_iff, Pos.eqb_neq in E. apply occurs_in in O.
  assert (F' := F). destruct F' as (L & N & V & P & _).
  destruct (neighbours t v L N (proj2 (fits_in s t v F) O)) as (x & y & D & X & Y & _).
  assert (IX := P _ _ X). assert (IY := P _ _ Y). rewrite R in IX, IY. cbn in IX, IY.
  assert (B : edge t v p /\ edge t v q).
  { destruct IX as [<- | [<- | []]], IY as [<- | [<- | []]]; tauto. }
  apply force_fits; [apply force_fits |]; tauto.
Qed.

Lemma saturate_fits s v s' t : fits s t -> saturate s v = Some s' -> fits s' t.
Proof.
  intros F H. unfold saturate in H. destruct (row (forced s) v) as [|p [|q [|]]] eqn:R; try discriminate.
  destruct (negb (Pos.eqb p q)) eqn:E; [|discriminate]. injection H as <-.
  apply negb_true_iff, Pos.eqb_neq in E.
  assert (U : forall z, edge t v z -> z = p \/ z = q).
  { destruct F as (L & N & V & _ & Q).
    assert (P1 : edge t v p) by (apply Q; rewrite R; now left).
    assert (P2 : edge t v q) by (apply Q; rewrite R; right; now left).
    destruct (neighbours t v L N (proj1 (edge_in _ _ _ P1))) as (x & y & _ & _ & _ & Z).
    intros z H. destruct (Z _ P1), (Z _ P2), (Z _ H); subst; tauto. }
  assert (W : forall z, In z (without p (without q (row (present s) v))) -> ~ edge t v z).
  { intros z I H. rewrite !without_in in I. destruct (U z H); tauto. }
  revert W. generalize (without p (without q (row (present s) v))) as l. clear R. revert s F.
  intros s F l. revert s F. induction l as [|z l IH]; intros s F W; [exact F |]. cbn. apply IH.
  - apply rule_out_fits; [exact F | apply W; now left].
  - intros y I. apply W. now right.
Qed.

Lemma each_fits f : (forall s v s' t, fits s t -> f s v = Some s' -> fits s' t) ->
  forall l s s' t, fits s t -> each f s l = Some s' -> fits s' t.
Proof.
  intros H. induction l as [|v l IH]; intros s s' t F E; cbn in E; [now injection E as <- |].
  destruct (f s v) as [s1|] eqn:E1; [|discriminate]. apply (IH s1); [|exact E]. now apply (H s v).
Qed.

(* A cycle whose edges are all in a Hamiltonian cycle is that cycle. *)
Lemma whole_cycle (t c : list positive) : (3 <= length t)%nat -> NoDup t -> (3 <= length c)%nat -> NoDup c ->
  (forall a b, next c a b -> edge t a b) -> (length t <= length c)%nat.
Proof.
  intros L N LC NC E.
  assert (S : forall a b, edge t a b -> In a c -> In b c).
  { intros a b H I. assert (It := proj1 (edge_in _ _ _ H)).
    destruct (neighbours c a LC NC I) as (x & y & D & X & Y & _).
    destruct (neighbours t a L N It) as (p & q & _ & _ & _ & U).
    assert (EX : edge t a x) by (destruct X as [X | X]; [| apply edge_sym]; now apply E).
    assert (EY : edge t a y) by (destruct Y as [Y | Y]; [| apply edge_sym]; now apply E).
    assert (Ix := proj2 (edge_in _ _ _ X)). assert (Iy := proj2 (edge_in _ _ _ Y)).
    destruct (U _ EX), (U _ EY), (U _ H); subst; tauto. }
  assert (K := constant (fun v => Checker.occurs v c) t).
  apply NoDup_incl_length; [exact N |]. intros v I. apply occurs_in.
  destruct c as [|a c]; [cbn in LC; lia |].
  destruct (neighbours (a :: c) a LC NC (or_introl eq_refl)) as (x & _ & _ & X & _).
  assert (Ia : In a t).
  { destruct X as [X | X]; apply E in X; apply edge_in in X; tauto. }
  rewrite <- (K (fun p q H => ltac:(apply eq_true_iff_eq; rewrite !occurs_in; split; apply S;
                   [left | right]; exact H)) a v Ia I).
  apply occurs_in. now left.
Qed.

Lemma all_forced_spec s t l : fits s t -> all_forced (forced s) l = true -> forall a b, consecutive l a b -> edge t a b.
Proof.
  intros F. induction l as [|x l IH]; intros H a b C; [destruct (consecutive_nil _ _ C) |].
  destruct l as [|y l]; [destruct (consecutive_one _ _ _ C) |].
  change (Checker.occurs y (row (forced s) x) && all_forced (forced s) (y :: l) = true) in H.
  apply andb_true_iff in H as [O H]. apply consecutive_cons in C as [[<- [v E]] | C]; [|now apply IH].
  injection E as <- _. apply occurs_in in O. now apply F.
Qed.

Lemma subtour_fits s a b s' t : fits s t -> subtour s a b = Some s' -> fits s' t.
Proof.
  intros F H. unfold subtour in H. destruct (_ && _) eqn:E; [|discriminate]. injection H as <-.
  rewrite !andb_true_iff in E. destruct E as [[[[[E A] D] L] S] _].
  apply Pos.eqb_eq in E. apply distinct_spec in D. apply Nat.ltb_lt in L, S.
  apply rule_out_fits; [exact F |]. intros X.
  assert (W : exists r, walk (forced s) (vertices s) a a = a :: r).
  { destruct (vertices s); cbn; [eauto |]. destruct (filter _ _) as [|z [|]]; eauto. }
  destruct W as [r W]. rewrite W in *.
  destruct (@exists_last _ r) as (m & z & ->); [intros ->; cbn in L; lia |].
  rewrite app_comm_cons, last_last in E. subst z.
  assert (G := whole_cycle t (a :: m ++ [b])).
  assert (F' := F). destruct F' as (LT & NT & V & _). apply Permutation_length in V.
  assert (Q : (length t <= length (a :: m ++ [b]))%nat); [|lia].
  apply G; try assumption. intros x y N. apply next_path in N as [N | [<- <-]].
  - now apply (all_forced_spec s t _ F A).
  - now apply edge_sym.
Qed.

(* ---- contradictions *)

Lemma degree_no s v t : degree s v = true -> ~ fits s t.
Proof.
  intros H F. unfold degree in H. apply andb_true_iff in H as [O L]. apply occurs_in in O. apply Nat.ltb_lt in L.
  assert (F' := F). destruct F' as (LT & N & V & P & _).
  destruct (neighbours t v LT N (proj2 (fits_in s t v F) O)) as (x & y & D & X & Y & _).
  apply P in X. apply P in Y. destruct (row (present s) v) as [|p [|]]; cbn in *; [tauto | | lia].
  destruct X as [<- | []], Y as [<- | []]. tauto.
Qed.

Lemma three_no s v t : three s v = true -> ~ fits s t.
Proof.
  intros H (L & N & V & _ & Q). unfold three in H.
  destruct (row (forced s) v) as [|p [|q [|r l]]] eqn:R; try discriminate.
  apply distinct_spec in H.
  assert (E1 : edge t v p) by (apply Q; rewrite R; cbn; auto).
  assert (E2 : edge t v q) by (apply Q; rewrite R; cbn; auto).
  assert (E3 : edge t v r) by (apply Q; rewrite R; cbn; auto).
  destruct (neighbours t v L N (proj1 (edge_in _ _ _ E1))) as (x & y & _ & _ & _ & U).
  apply NoDup_cons_iff in H as [H1 H]. apply NoDup_cons_iff in H as [H2 _]. cbn in H1, H2.
  destruct (U _ E1), (U _ E2), (U _ E3); subst; tauto.
Qed.

Lemma cycle_no s c t : cycle s c = true -> ~ fits s t.
Proof.
  intros H F. unfold cycle in H. rewrite !andb_true_iff in H. destruct H as [[[A D] L] S].
  apply distinct_spec in D. apply Nat.ltb_lt in L, S. assert (F' := F). destruct F' as (LT & NT & V & _).
  apply Permutation_length in V.
  assert (Q : (length t <= length c)%nat); [|lia].
  apply whole_cycle; try assumption. intros a b N. now apply (all_forced_spec s t _ F A).
Qed.

Lemma one_image {A B} (f : A -> B) l a b : NoDup (map f l) -> In a l -> In b l -> f a = f b -> a = b.
Proof.
  intros N A1 B1 E. induction l as [|v l IH]; [destruct A1 |]. cbn in N.
  apply NoDup_cons_iff in N as [N1 N2]. destruct A1 as [-> | A1], B1 as [-> | B1]; auto; exfalso; apply N1.
  - rewrite E. now apply in_map.
  - rewrite <- E. now apply in_map.
Qed.

Lemma filter_nodup_map {A B} (f : A -> B) p l : NoDup (map f l) -> NoDup (map f (filter p l)).
Proof.
  induction l as [|x l IH]; cbn; [auto |]. intros N. apply NoDup_cons_iff in N as [N1 N].
  destruct (p x); cbn; [|auto]. constructor; [|auto]. intros I. apply N1.
  apply in_map_iff in I as (y & <- & I). apply filter_In in I as [I _]. now apply in_map.
Qed.

(* How many elements of a cycle are in a set. *)
Lemma count_set t c : NoDup t -> NoDup c -> (forall v, In v c -> In v t) -> count (isin (set_of c)) t = length c.
Proof.
  intros N NC I. unfold count. apply Permutation_length, NoDup_Permutation; [now apply NoDup_filter | exact NC |].
  intros v. rewrite filter_In, isin_set_of. split; [tauto | auto].
Qed.

Lemma members_in s t c : fits s t -> forallb (isin (set_of (vertices s))) c = true -> forall v, In v c -> In v t.
Proof.
  intros F H v I. rewrite forallb_forall in H. apply H, isin_set_of in I. now apply (fits_in s t v F).
Qed.

Lemma apart_spec s gone found t : fits s t -> apart s gone found = true -> forall a b, edge t a b ->
  isin gone a = false -> isin gone b = false -> label found a = label found b.
Proof.
  intros F H a b E A B. unfold apart in H. rewrite forallb_forall in H.
  assert (Ia := proj1 (fits_in s t a F) (proj1 (edge_in _ _ _ E))). apply H in Ia. rewrite A in Ia. cbn in Ia.
  rewrite forallb_forall in Ia. destruct F as (_ & _ & _ & P & _). apply P, Ia in E. rewrite B in E. cbn in E.
  now apply Pos.eqb_eq.
Qed.

Lemma isin_empty v : isin (M.empty unit) v = false.
Proof. unfold isin. now rewrite M.mem_find, M.gempty. Qed.

Lemma one_label s found t : fits s t -> apart s (M.empty unit) found = true ->
  forall a b, In a t -> In b t -> label found a = label found b.
Proof.
  intros F A. apply constant. intros a b E. apply (apart_spec s _ found t F A); [now left | |]; apply isin_empty.
Qed.

(* A label outside of a set that is not empty is entered from the set. *)
Lemma entered s gone found t l : fits s t -> apart s gone found = true ->
  (exists v, In v t /\ isin gone v = true) -> (exists v, In v t /\ isin gone v = false /\ label found v = l) ->
  exists a b, next t a b /\ isin gone a = true /\ isin gone b = false /\ label found b = l.
Proof.
  intros F A (g & Ig & G) (v & Iv & Gv & Lv).
  set (q := fun v => negb (isin gone v) && Pos.eqb (label found v) l).
  destruct (forallb (fun e => implb (q (snd e)) (q (fst e))) (steps t)) eqn:E.
  - exfalso. rewrite forallb_forall in E.
    assert (K : forall e, In e (steps t) -> q (snd e) = q (fst e)).
    { apply (count_equal (fun e => q (snd e)) (fun e => q (fst e))).
      - intros e I H. specialize (E e I). now rewrite H in E.
      - now rewrite (count_to q), (count_from q). }
    assert (C : forall a b, next t a b -> q a = q b).
    { intros a b H. apply steps_next in H. symmetry. apply (K _ H). }
    assert (X := constant q t C v g Iv Ig). unfold q in X. rewrite Gv, G, Lv, Pos.eqb_refl in X. discriminate.
  - assert (X : exists e, In e (steps t) /\ q (snd e) = true /\ q (fst e) = false).
    { clear - E. induction (steps t) as [|e k IH]; [discriminate |]. cbn in E. apply andb_false_iff in E as [E | E].
      - exists e. split; [now left |]. destruct (q (snd e)), (q (fst e)); try discriminate. auto.
      - destruct (IH E) as (d & I & H). exists d. split; [now right | exact H]. }
    destruct X as ([a b] & I & Qb & Qa). apply steps_next in I. cbn in Qa, Qb. unfold q in Qa, Qb.
    apply andb_true_iff in Qb as [Gb Lb]. apply negb_true_iff in Gb. apply Pos.eqb_eq in Lb.
    exists a, b. split; [exact I | split; [|auto]].
    destruct (isin gone a) eqn:Ga; [reflexivity |]. exfalso.
    assert (Y := apart_spec s gone found t F A a b (or_introl I) Ga Gb). cbn in Qa.
    rewrite Y, Lb, Pos.eqb_refl in Qa. discriminate.
Qed.

Lemma inside_in s gone c a b : In (a, b) (inside s gone c) <->
  In a c /\ In b (row (forced s) a) /\ Pos.ltb a b = true /\ isin gone b = true.
Proof.
  unfold inside. rewrite in_flat_map. split.
  - intros (v & I & H). apply in_map_iff in H as (z & E & H). injection E as -> ->.
    apply (proj1 (proj2 (once_spec _) _)) in H. rewrite filter_In, andb_true_iff in H. tauto.
  - intros (I & R & L & G). exists a. split; [exact I |]. apply in_map_iff. exists b. split; [reflexivity |].
    apply (proj2 (once_spec _)), filter_In. rewrite andb_true_iff. auto.
Qed.

Lemma flat_map_pairs_nodup (f : positive -> list positive) c : NoDup c ->
  NoDup (flat_map (fun v => map (pair v) (once (f v))) c).
Proof.
  induction 1 as [|v c N D IH]; cbn; [constructor |].
  set (k := once _). assert (NK : NoDup k) by apply once_spec. clearbody k.
  induction NK as [|z k NZ NK IHk]; cbn; [exact IH |]. constructor; [|exact IHk].
  rewrite in_app_iff. intros [H | H].
  - apply in_map_iff in H as (y & E & H). injection E as ->. tauto.
  - apply in_flat_map in H as (w & I & H). apply in_map_iff in H as (y & E & _). injection E as -> _. tauto.
Qed.

Lemma inside_nodup s gone c : NoDup c -> NoDup (inside s gone c).
Proof. apply flat_map_pairs_nodup. Qed.

Lemma count_split {B} (p q : B -> bool) l :
  (count (fun x => p x && q x) l + count (fun x => p x && negb (q x)) l = count p l)%nat.
Proof. unfold count. induction l as [|x l IH]; cbn; [reflexivity |]. destruct (p x), (q x); cbn; lia. Qed.

(* Parts, and edges inside the set that a cycle uses: together at most as many as the set has vertices. *)
Lemma cut_count s c t used : fits s t -> c <> [] -> NoDup c -> (forall v, In v c -> In v t) ->
  let gone := set_of c in let found := labels s gone in
  apart s gone found = true -> NoDup used ->
  (forall a b, In (a, b) used -> isin gone a = true /\ isin gone b = true /\ Pos.ltb a b = true /\ edge t a b) ->
  (length (parts s gone found) + length used <= length c)%nat.
Proof.
  intros F NE D J gone found A NU U.
  assert (PI : forall l, In l (parts s gone found) -> exists v, In v t /\ isin gone v = false /\ label found v = l).
  { intros l Hl. apply (proj1 (proj2 (once_spec _) _)), in_map_iff in Hl as (v & E & Hv).
    apply filter_In in Hv as [Hv Gv].
    exists v. apply (fits_in s t v F) in Hv. apply negb_true_iff in Gv. auto. }
  assert (G : exists v, In v t /\ isin gone v = true).
  { destruct c as [|g c]; [tauto |]. exists g. split; [apply J; now left |]. apply isin_set_of. now left. }
  assert (C := count_set t c (proj1 (proj2 F)) D J). fold gone in C. rewrite <- count_from in C.
  rewrite <- (count_split _ (fun e => isin gone (snd e))) in C.
  assert (X : (length (parts s gone found) <=
               count (fun e => isin gone (fst e) && negb (isin gone (snd e))) (steps t))%nat).
  { unfold count. rewrite <- (map_length (fun e => label found (snd e))).
    apply NoDup_incl_length; [apply once_spec |]. intros l Hl.
    destruct (entered s gone found t l F A G (PI l Hl)) as (a & b & N & Ga & Gb & Lb).
    apply in_map_iff. exists (a, b). split; [exact Lb |]. apply filter_In. split; [now apply steps_next |].
    cbn [fst snd]. now rewrite Ga, Gb. }
  assert (Y : (length used <= count (fun e => isin gone (fst e) && isin gone (snd e)) (steps t))%nat).
  { unfold count. rewrite <- (map_length ordered (filter _ _)).
    apply NoDup_incl_length; [exact NU |]. intros [a b] Hi. apply U in Hi as (Ga & Gb & L & R).
    destruct R as [R | R].
    - apply in_map_iff. exists (a, b). unfold ordered. cbn [fst snd]. rewrite L. split; [reflexivity |].
      apply filter_In. split; [now apply steps_next |]. cbn [fst snd]. now rewrite Ga, Gb.
    - apply in_map_iff. exists (b, a). unfold ordered. cbn [fst snd]. apply Pos.ltb_lt in L.
      destruct (Pos.ltb_spec b a) as [K | K]; [lia |]. split; [reflexivity |].
      apply filter_In. split; [now apply steps_next |]. cbn [fst snd]. now rewrite Ga, Gb. }
  lia.
Qed.

Lemma inside_used s c t : fits s t -> forall a b, In (a, b) (inside s (set_of c) c) ->
  isin (set_of c) a = true /\ isin (set_of c) b = true /\ Pos.ltb a b = true /\ edge t a b.
Proof.
  intros F a b H. apply inside_in in H as (I & R & L & G). rewrite (proj2 (isin_set_of c a) I).
  destruct F as (_ & _ & _ & _ & Q). auto.
Qed.

Lemma cut_no s c t : cut s c = true -> ~ fits s t.
Proof.
  intros H F. unfold cut in H. rewrite !andb_true_iff in H. destruct H as [[[D I] A] H]. apply distinct_spec in D.
  assert (J := members_in s t c F I). destruct c as [|g c].
  - apply Nat.ltb_lt in H. set (found := labels _ _) in *.
    assert (PN : NoDup (parts s (set_of []) found)) by apply once_spec.
    assert (PI : forall l, In l (parts s (set_of []) found) -> exists v, In v t /\ label found v = l).
    { intros l Hl. apply (proj1 (proj2 (once_spec _) _)), in_map_iff in Hl as (v & E & Hv).
      apply filter_In in Hv as [Hv _]. exists v. apply (fits_in s t v F) in Hv. auto. }
    destruct (parts s (set_of []) found) as [|l [|k r]] eqn:E; cbn in H; try lia.
    destruct (PI l (or_introl eq_refl)) as (v & Iv & Lv).
    destruct (PI k (or_intror (or_introl eq_refl))) as (w & Iw & Lw).
    apply NoDup_cons_iff in PN as [PN _]. apply PN. left. rewrite <- Lv, <- Lw.
    apply (one_label s found t F A); assumption.
  - apply Nat.ltb_lt in H.
    assert (Q := cut_count s (g :: c) t (inside s (set_of (g :: c)) (g :: c)) F ltac:(discriminate) D J A
                   (inside_nodup _ _ _ D) (inside_used s (g :: c) t F)). cbn zeta in Q. lia.
Qed.

Lemma rule_out_all_fits t l : forall s, fits s t -> (forall a b, In (a, b) l -> ~ edge t a b) ->
  fits (rule_out_all s l) t.
Proof.
  unfold rule_out_all. induction l as [|[a b] l IH]; intros s F H; [exact F |]. cbn [fold_left fst snd]. apply IH.
  - apply rule_out_fits; [exact F |]. apply H. now left.
  - intros x y I. apply H. now right.
Qed.

Lemma members_spec s t c : fits s t -> members s c = true -> NoDup c /\ forall v, In v c -> In v t.
Proof.
  intros F H. unfold members in H. apply andb_true_iff in H as [D I].
  split; [now apply distinct_spec | now apply (members_in s)].
Qed.

(* All vertices, each once, in another order than along the cycle. *)
Lemma everyone_spec s t l : fits s t -> everyone s l = true -> NoDup l /\ Permutation l t.
Proof.
  intros F H. unfold everyone in H. apply andb_true_iff in H as [M L]. apply Nat.eqb_eq in L.
  destruct (members_spec s t l F M) as [N J]. split; [exact N |]. apply NoDup_Permutation_bis; [exact N | | exact J].
  rewrite L, (Permutation_length (proj1 (proj2 (proj2 F)))). lia.
Qed.

Lemma tight_cut_fits s c s' t : fits s t -> tight_cut s c = Some s' -> fits s' t.
Proof.
  intros F H. unfold tight_cut in H. assert (NE : c <> []) by (intros ->; discriminate).
  assert (H' : exists l, s' = rule_out_all s l /\
     members s c && apart s (set_of c) (labels s (set_of c)) &&
       Nat.eqb (length c) (length (parts s (set_of c) (labels s (set_of c))) + length (inside s (set_of c) c)) = true /\
     l = flat_map (fun v =>
        map (pair v) (filter (fun z => isin (set_of c) z && negb (Checker.occurs z (row (forced s) v)) &&
                                       negb (Checker.occurs v (row (forced s) z))) (row (present s) v))) c).
  { destruct c; [tauto |]. destruct (_ && _) eqn:E; [|discriminate]. injection H as <-. eauto. }
  clear H. destruct H' as (l & -> & E & El). rewrite !andb_true_iff in E. destruct E as [[M A] L].
  apply Nat.eqb_eq in L. destruct (members_spec s t c F M) as [D J].
  apply rule_out_all_fits; [exact F |]. intros a b I X. subst l.
  apply in_flat_map in I as (v & Iv & I). apply in_map_iff in I as (z & Ez & I). injection Ez as -> ->.
  apply filter_In in I as [_ I]. rewrite !andb_true_iff, !negb_true_iff in I. destruct I as [[Gb N1] N2].
  assert (Ga : isin (set_of c) a = true) by now apply isin_set_of.
  assert (NF : forall x y, Checker.occurs y (row (forced s) x) = false -> ~ In (x, y) (inside s (set_of c) c)).
  { intros x y O K. apply inside_in in K as (_ & K & _). apply occurs_in in K. congruence. }
  assert (AB : a <> b).
  { intros ->. destruct F as (LT & N & _). destruct (neighbours t b LT N (proj1 (edge_in _ _ _ X))) as (x & y & _).
    destruct (two_neighbours t b LT N (proj1 (edge_in _ _ _ X))) as (p & q & _ & P & Q & _ & _ & UP & UQ).
    destruct X as [X | X]; [apply P | apply P]; symmetry; now apply UP. }
  assert (Q : exists e, (e = (a, b) \/ e = (b, a)) /\ Pos.ltb (fst e) (snd e) = true).
  { destruct (Pos.ltb_spec a b) as [K | K]; [exists (a, b) | exists (b, a)]; (split; [auto |]); apply Pos.ltb_lt; cbn; lia. }
  destruct Q as (e & Ee & Le).
  assert (W := cut_count s c t (e :: inside s (set_of c) c) F NE D J A). cbn [length] in W.
  enough (length (parts s (set_of c) (labels s (set_of c))) + S (length (inside s (set_of c) c)) <= length c) by lia.
  apply W.
  - constructor; [| now apply inside_nodup]. destruct Ee as [-> | ->]; now apply NF.
  - intros x y [K | K]; [| now apply (inside_used s c t F)].
    subst e. destruct Ee as [Ee | Ee]; injection Ee as -> ->; cbn in Le; auto using edge_sym.
Qed.

(* The steps of a cycle from a set, and those to it. *)
Lemma steps_out t c : NoDup t -> NoDup c -> (forall v, In v c -> In v t) ->
  let k := filter (fun e => isin (set_of c) (fst e)) (steps t) in
  NoDup (map snd k) /\ length (map snd k) = length c /\
  (forall z, In z (map snd k) <-> exists v, In v c /\ next t v z).
Proof.
  intros N D J k. split; [|split].
  - apply filter_nodup_map, (Permutation_NoDup (Permutation_sym (steps_to t)) N).
  - rewrite map_length. rewrite <- (count_set t c N D J), <- count_from. reflexivity.
  - intros z. rewrite in_map_iff. split.
    + intros ([a b] & <- & I). apply filter_In in I as [I G]. apply isin_set_of in G. apply steps_next in I. eauto.
    + intros (v & I & H). exists (v, z). split; [reflexivity |]. apply filter_In.
      split; [now apply steps_next | now apply isin_set_of].
Qed.

Lemma steps_in t c : NoDup t -> NoDup c -> (forall v, In v c -> In v t) ->
  let k := filter (fun e => isin (set_of c) (snd e)) (steps t) in
  NoDup (map fst k) /\ length (map fst k) = length c /\
  (forall z, In z (map fst k) <-> exists v, In v c /\ next t z v).
Proof.
  intros N D J k. split; [|split].
  - apply filter_nodup_map. rewrite steps_from. exact N.
  - rewrite map_length. rewrite <- (count_set t c N D J), <- count_to. reflexivity.
  - intros z. rewrite in_map_iff. split.
    + intros ([a b] & <- & I). apply filter_In in I as [I G]. apply isin_set_of in G. apply steps_next in I. eauto.
    + intros (v & I & H). exists (z, v). split; [reflexivity |]. apply filter_In.
      split; [now apply steps_next | now apply isin_set_of].
Qed.

Lemma near_in s t c z : fits s t -> (exists v, In v c /\ edge t v z) -> In z (near s c).
Proof.
  intros (_ & _ & _ & P & _) (v & I & E). apply (proj2 (proj2 (once_spec _) _)), in_flat_map. exists v. auto.
Qed.

Lemma leaving_in s gone c a b : In (a, b) (leaving s gone c) <->
  In a c /\ In b (row (present s) a) /\ isin gone b = false.
Proof.
  unfold leaving. rewrite in_flat_map. split.
  - intros (v & I & H). apply in_map_iff in H as (z & E & H). injection E as -> ->.
    apply (proj1 (proj2 (once_spec _) _)) in H. rewrite filter_In, negb_true_iff in H. tauto.
  - intros (I & R & G). exists a. split; [exact I |]. apply in_map_iff. exists b. split; [reflexivity |].
    apply (proj2 (proj2 (once_spec _) _)), filter_In. rewrite negb_true_iff. auto.
Qed.

Lemma steps_nodup (t : list positive) : NoDup t -> NoDup (steps t).
Proof. intros N. apply (NoDup_map_inv fst). now rewrite steps_from. Qed.

(* The steps of a cycle out of a set, and those into it, turned. *)
Definition steps_across (t : list positive) (gone : set) : list (positive * positive) :=
  filter (fun e => isin gone (fst e) && negb (isin gone (snd e))) (steps t).
Definition turned (e : positive * positive) : positive * positive := (snd e, fst e).
Definition across (t : list positive) (gone : set) : list (positive * positive) :=
  steps_across t gone ++ map turned (filter (fun e => isin gone (snd e) && negb (isin gone (fst e))) (steps t)).

Lemma across_spec s c t : fits s t -> let gone := set_of c in
  length (across t gone) = (2 * length (steps_across t gone))%nat /\ NoDup (across t gone) /\
  forall a b, In (a, b) (across t gone) <-> In a c /\ isin gone b = false /\ edge t a b.
Proof.
  intros (LT & N & _) gone. unfold across, steps_across. split; [|split].
  - assert (X := count_split (fun e : positive * positive => isin gone (fst e)) (fun e => isin gone (snd e)) (steps t)).
    assert (Y := count_split (fun e : positive * positive => isin gone (snd e)) (fun e => isin gone (fst e)) (steps t)).
    rewrite (count_from (isin gone)) in X. rewrite (count_to (isin gone)) in Y.
    assert (Z : count (fun e => isin gone (fst e) && isin gone (snd e)) (steps t) =
                count (fun e => isin gone (snd e) && isin gone (fst e)) (steps t)).
    { apply count_ext. intros e _. apply andb_comm. }
    unfold count in *. rewrite app_length, map_length. lia.
  - apply Rectangles.nodup_app.
    + apply NoDup_filter, steps_nodup, N.
    + apply FinFun.Injective_map_NoDup; [|apply NoDup_filter, steps_nodup, N].
      intros [x y] [z w] Hf. now injection Hf as -> ->.
    + intros [a b] Ho Hi. apply filter_In in Ho as [Ho _]. apply in_map_iff in Hi as ([y x] & Hf & Hi).
      injection Hf as -> ->. apply filter_In in Hi as [Hi _]. apply steps_next in Ho, Hi.
      destruct (two_neighbours t a LT N (proj1 (next_in _ _ _ Ho))) as (p & q & DPQ & _ & _ & _ & _ & UP & UQ).
      apply DPQ. now rewrite <- (UP _ Ho), <- (UQ _ Hi).
  - intros a b. rewrite in_app_iff, filter_In, in_map_iff. cbn [fst snd]. unfold gone. rewrite <- (isin_set_of c a). split.
    + intros [[X G] | ([y x] & Hf & X)].
      * apply steps_next in X. rewrite andb_true_iff, negb_true_iff in G. split; [tauto | split; [tauto | now left]].
      * injection Hf as -> ->. apply filter_In in X as [X G]. apply steps_next in X. cbn [fst snd] in G.
        rewrite andb_true_iff, negb_true_iff in G. split; [tauto | split; [tauto | now right]].
    + intros (Ga & Gb & [X | X]); [left | right].
      * split; [now apply steps_next |]. now rewrite Ga, Gb.
      * exists (b, a). split; [reflexivity |]. apply filter_In. split; [now apply steps_next |].
        cbn [fst snd]. now rewrite Ga, Gb.
Qed.

Lemma parity_no s c t : parity s c = true -> ~ fits s t.
Proof.
  intros H F. unfold parity in H. rewrite !andb_true_iff in H. destruct H as [[M A] O].
  destruct (members_spec s t c F M) as [D J]. rewrite forallb_forall in A.
  destruct (across_spec s c t F) as (E & N & I). set (gone := set_of c) in *.
  assert (K : Permutation (leaving s gone c) (across t gone)).
  { apply NoDup_Permutation; [apply (flat_map_pairs_nodup (fun v => filter _ (row (present s) v)) c D) | exact N |].
    intros [a b]. rewrite leaving_in, I. split.
    - intros (Ia & R & G). split; [exact Ia | split; [exact G |]]. apply F, occurs_in. apply (A (a, b)), leaving_in. auto.
    - intros (Ia & G & X). split; [exact Ia | split; [now apply F | exact G]]. }
  apply Permutation_length in K. rewrite K, E in O. rewrite <- Nat.negb_even in O. apply negb_true_iff in O.
  rewrite (proj2 (Nat.even_spec _)) in O; [discriminate |]. exists (length (steps_across t gone)). reflexivity.
Qed.

Lemma single_one s c z v w : single s c z = true -> In v c -> In w c ->
  In z (row (present s) v) -> In z (row (present s) w) -> v = w.
Proof.
  intros H V W RV RW. unfold single in H. apply Nat.ltb_lt in H.
  destruct (Pos.eq_dec v w) as [E | NE]; [exact E |]. exfalso.
  assert (L : (length [v; w] <= length (filter (fun v => Checker.occurs z (row (present s) v)) c))%nat).
  { apply NoDup_incl_length.
    - constructor; [intros [E | []]; now apply NE | constructor; [intros [] | constructor]].
    - intros x [<- | [<- | []]]; apply filter_In; (split; [assumption | now apply occurs_in]). }
  cbn [length] in L. lia.
Qed.

Lemma filter_split {B} (p : B -> bool) l :
  (length (filter p l) + length (filter (fun x => negb (p x)) l) = length l)%nat.
Proof. apply count_not. Qed.

Lemma factor_no s c t : factor s c = true -> ~ fits s t.
Proof.
  intros H F. unfold factor in H. rewrite andb_true_iff in H. destruct H as [M L].
  apply Nat.ltb_lt in L. destruct (members_spec s t c F M) as [D J].
  assert (F' := F). destruct F' as (LT & N & _ & P & _).
  destruct (steps_out t c N D J) as (NO & LO & IO). destruct (steps_in t c N D J) as (NI & LI & II).
  set (outs := map snd _) in NO, LO, IO. set (ins := map fst _) in NI, LI, II. clearbody outs ins.
  assert (NN : NoDup (near s c)) by apply once_spec.
  assert (AO : forall z, In z outs -> In z (near s c)).
  { intros z Z. apply (near_in s t c z F). apply IO in Z as (v & Iv & Z). exists v. split; [exact Iv | now left]. }
  assert (AI : forall z, In z ins -> In z (near s c)).
  { intros z Z. apply (near_in s t c z F). apply II in Z as (v & Iv & Z). exists v. split; [exact Iv | now right]. }
  set (two := fun z => negb (single s c z)) in *.
  assert (T : forall l, NoDup l -> (forall z, In z l -> In z (near s c)) ->
                (length (filter two l) <= length (filter two (near s c)))%nat).
  { intros l Nl Al. apply NoDup_incl_length; [now apply NoDup_filter |].
    intros z Z. apply filter_In in Z as [Z1 Z2]. apply filter_In. auto. }
  assert (S1 : (length (filter (single s c) outs ++ filter (single s c) ins)
                <= length (filter (single s c) (near s c)))%nat).
  { apply NoDup_incl_length.
    - apply Rectangles.nodup_app; [now apply NoDup_filter | now apply NoDup_filter |].
      intros z Zo Zi. apply filter_In in Zo as [Zo S]. apply filter_In in Zi as [Zi _].
      apply IO in Zo as (v & Iv & Zo). apply II in Zi as (w & Iw & Zi).
      destruct (two_neighbours t z LT N (proj2 (next_in _ _ _ Zo))) as (p & q & DPQ & _ & _ & _ & _ & UP & UQ).
      apply DPQ. rewrite <- (UP _ Zi), <- (UQ _ Zo). symmetry. apply (single_one s c z v w S Iv Iw).
      + apply P. now left.
      + apply P. now right.
    - intros z Z. apply in_app_iff in Z as [Z | Z]; apply filter_In in Z as [Z1 Z2]; apply filter_In; auto. }
  rewrite app_length in S1.
  assert (X := filter_split (single s c) outs). assert (Y := filter_split (single s c) ins).
  assert (T1 := T outs NO AO). assert (T2 := T ins NI AI).
  change (fun x => negb (single s c x)) with two in X, Y. lia.
Qed.

Lemma colours_no s v t : colours s v = true -> ~ fits s t.
Proof.
  intros H F. unfold colours in H. set (found := paint _ _ _ _) in H. clearbody found.
  rewrite !andb_true_iff in H. destruct H as [[[O Mv] P] H]. apply occurs_in in O.
  apply negb_true_iff, Nat.eqb_neq in H. unfold painted in P. rewrite forallb_forall in P.
  assert (K : forall a b, edge t a b -> M.mem a found = true ->
                M.mem b found = true /\ colour found b = negb (colour found a)).
  { intros a b E Ha. assert (Ia := proj1 (fits_in s t a F) (proj1 (edge_in _ _ _ E))). apply P in Ia.
    rewrite Ha in Ia. cbn in Ia. rewrite forallb_forall in Ia.
    destruct F as (_ & _ & _ & Q & _). apply Q, Ia, andb_true_iff in E as [E1 E2].
    apply eqb_prop in E2. auto. }
  assert (Q : forall a, In a t -> M.mem a found = true).
  { intros a Ia. rewrite <- Mv. apply (constant (fun x => M.mem x found) t); [| exact Ia | now apply (fits_in s t v F)].
    intros x y N. apply eq_true_iff_eq. split; intros Z;
      [exact (proj1 (K x y (or_introl N) Z)) | exact (proj1 (K y x (or_intror N) Z))]. }
  assert (B : count (colour found) t = count (fun a => negb (colour found a)) t).
  { apply alternating. intros a b N. apply (K a b); [now left |]. apply Q. now apply next_in in N. }
  assert (V := proj1 (proj2 (proj2 F))).
  rewrite (count_permutation _ _ _ V), (count_permutation (fun a => negb (colour found a)) _ _ V) in B.
  apply H. unfold count in B. rewrite B. apply (count_ext _ _ (vertices s)).
  intros x Ix. rewrite Q; [now rewrite andb_true_r |]. now apply (fits_in s t x F).
Qed.

(* ---- rules where moves may go one way *)

(* A cycle that goes where it may. *)
Definition along (d : demand) (t : list positive) : Prop := forall a b, next t a b -> onward d a b = true.

Lemma followers_in d s t c v z : fits s t -> along d t -> In v c -> next t v z -> In z (followers d s c).
Proof.
  intros F A I N. apply (proj2 (proj2 (once_spec _) _)), in_flat_map. exists v. split; [exact I |].
  apply filter_In. destruct F as (_ & _ & _ & P & _). split; [apply P; now left | now apply A].
Qed.

Lemma leaders_in d s t c v z : fits s t -> along d t -> In v c -> next t z v -> In z (leaders d s c).
Proof.
  intros F A I N. apply (proj2 (proj2 (once_spec _) _)), in_flat_map. exists v. split; [exact I |].
  apply filter_In. destruct F as (_ & _ & _ & P & _). split; [apply P; now right | now apply A].
Qed.

Lemma hall_no d s c t : hall d s c = true -> fits s t -> ~ along d t.
Proof.
  intros H F W. unfold hall, shorter in H. apply andb_true_iff in H as [M H]. destruct (members_spec s t c F M) as [D J].
  assert (N : NoDup t) by apply F.
  destruct (steps_out t c N D J) as (NO & LO & IO). destruct (steps_in t c N D J) as (NI & LI & II).
  apply orb_true_iff in H as [H | H]; apply Nat.ltb_lt in H.
  - assert (Q := NoDup_incl_length NO (l' := followers d s c)). rewrite LO in Q.
    enough (length c <= length (followers d s c))%nat by lia. apply Q.
    intros z Z. apply IO in Z as (v & Iv & Z). now apply (followers_in d s t c v z).
  - assert (Q := NoDup_incl_length NI (l' := leaders d s c)). rewrite LI in Q.
    enough (length c <= length (leaders d s c))%nat by lia. apply Q.
    intros z Z. apply II in Z as (v & Iv & Z). now apply (leaders_in d s t c v z).
Qed.

Lemma tight_fits d s c s' t : fits s t -> along d t -> tight d s c = Some s' -> fits s' t.
Proof.
  intros F W H. unfold tight in H. destruct (_ && _) eqn:E; [|discriminate]. injection H as <-.
  apply andb_true_iff in E as [M L]. apply Nat.eqb_eq in L. destruct (members_spec s t c F M) as [D J].
  apply rule_out_all_fits; [exact F |]. intros a b I X. apply filter_In in I as [I B]. cbn [fst snd] in B.
  apply leaving_in in I as (Na & _ & Gb).
  assert (F' := F). destruct F' as (LT & N & _).
  destruct (steps_out t c N D J) as (NO & LO & IO). destruct (steps_in t c N D J) as (NI & LI & II).
  set (outs := map snd _) in NO, LO, IO. set (ins := map fst _) in NI, LI, II.
  destruct (two_neighbours t a LT N (proj1 (edge_in _ _ _ X))) as (x & y & _ & _ & _ & _ & _ & UX & UY).
  assert (O : In a outs).
  { refine (NoDup_length_incl NO _ _ a Na); [lia |].
    intros z Z. apply IO in Z as (v & Iv & Z). now apply (followers_in d s t c v z). }
  apply IO in O as (v & Iv & O).
  assert (NB : ~ In b c) by (intros K; apply isin_set_of in K; congruence). apply NB.
  destruct X as [X | X]; [| rewrite (UY _ X), <- (UY _ O); exact Iv].
  assert (Wab := W a b X). unfold onward in Wab. unfold only_back in B.
  destruct (ways d) as [m|] eqn:E; [rewrite Wab in B; discriminate |].
  assert (P : In a ins).
  { refine (NoDup_length_incl NI _ _ a Na); [lia |].
    intros z Z. apply II in Z as (w & Iw & Z). apply (proj2 (proj2 (once_spec _) _)), in_flat_map.
    exists w. split; [exact Iw |]. apply filter_In. split; [apply F; now right |]. unfold onward. now rewrite E. }
  apply II in P as (w & Iw & P). now rewrite (UX _ X), <- (UX _ P).
Qed.

(* What every step of a cycle leads on, all of it has. *)
Lemma spread {A} (t : list A) (P : A -> Prop) a : In a t -> P a -> (forall x y, next t x y -> P x -> P y) ->
  forall b, In b t -> P b.
Proof.
  intros I H S. apply in_split in I as (u & v & ->).
  assert (T : forall x y, next (a :: v ++ u) x y -> P x -> P y).
  { intros x y N. apply S. rewrite next_turned. exact N. }
  assert (G : forall r x, P x -> (forall y z, consecutive (x :: r) y z -> P y -> P z) -> forall b, In b (x :: r) -> P b).
  { clear. induction r as [|y r IH]; intros x H S b [<- | I]; [exact H | destruct I | exact H |].
    apply (IH y); [| |exact I].
    - apply (S x y); [|exact H]. apply consecutive_cons. left. eauto.
    - intros p q C. apply S. apply consecutive_cons. auto. }
  intros b I. apply (G (v ++ u) a H).
  - intros y z (p & q & E). apply T. change (consecutive ((a :: v ++ u) ++ [a]) y z).
    rewrite E. exists p, (q ++ [a]). now rewrite <- app_assoc.
  - apply in_app_iff in I as [I | [<- | I]]; [right | now left | right]; apply in_app_iff; auto.
Qed.

Lemma reach_no d s a b t : reach d s a b = true -> fits s t -> ~ along d t.
Proof.
  intros H F W. unfold reach in H. set (found := flood _ _ _ _ _ _) in H. clearbody found.
  rewrite !andb_true_iff, !occurs_in in H. destruct H as [[[[Ia Ib] Fa] Fb] C]. rewrite forallb_forall in C.
  apply (fits_in s t _ F) in Ia, Ib. apply negb_true_iff in Fb.
  assert (X := spread t (fun v => M.mem v found = true) a Ia Fa).
  rewrite X in Fb; [discriminate | | exact Ib].
  intros x y N Fx. assert (Ix := proj1 (fits_in s t x F) (proj1 (next_in _ _ _ N))). apply C in Ix.
  rewrite Fx in Ix. cbn in Ix. rewrite forallb_forall in Ix. apply Ix, filter_In.
  split; [apply F; now left | now apply W].
Qed.

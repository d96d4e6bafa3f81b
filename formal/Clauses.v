(* Proofs by SAT: clauses that every Hamiltonian cycle makes true, and others that follow by unit propagation.

   Variable k is true if the cycle uses edge k. The clauses, and their order, are those that answers/certificate.py
   describes. The lines are those of an LRAT proof: with each clause come the numbers of the clauses that show it. *)

From Coq Require Import PArith Arith List FMapPositive Bool Permutation Lia.
From Cavalcade Require Import Definitions Cycles Finite Counting Checker Rules.
Import ListNotations.

(* A literal: a variable, and whether it is to be true. *)
Definition literal : Type := positive * bool.
Definition clause : Type := list literal.
Definition numbered : Type := list (positive * (positive * positive)).

Fixpoint number_from (k : positive) (edges : list (positive * positive)) : numbered :=
  match edges with [] => [] | e :: r => (k, e) :: number_from (Pos.succ k) r end.

Fixpoint shift (k : positive) (by_so_many : nat) : positive :=
  match by_so_many with O => k | S n => shift (Pos.succ k) n end.

(* ---- two edges at every vertex *)

Definition has_end (v : positive) (e : positive * (positive * positive)) : bool :=
  Pos.eqb v (fst (snd e)) || Pos.eqb v (snd (snd e)).

Definition used_at (g : numbered) (v : positive) : list positive := map fst (filter (has_end v) g).

(* Of all but one of the edges of a vertex one is used; of three one is not. *)
Definition at_least (l : list positive) : list clause :=
  match l with
  | [] => [[]]
  | _ => map (fun k => map (fun j => (j, true)) (without k l)) (rev l)
  end.

Fixpoint at_most (l : list positive) : list clause :=
  match l with
  | [] => []
  | a :: r =>
      (fix second (l : list positive) : list clause :=
        match l with [] => [] | b :: r => map (fun c => [(a, false); (b, false); (c, false)]) r ++ second r end) r
      ++ at_most r
  end.

(* A sequential counter: [one] and [two] say that one or two of the edges before are used, o and w are the next
   variables of both kinds. *)
Fixpoint counter (one : positive) (two : option positive) (o w : positive) (l : list positive) : list clause :=
  match l with
  | [] => match two with Some b => [[(b, true)]] | None => [] end
  | e :: r =>
      let before := match two with Some b => [(b, true)] | None => [] end in
      match r with
      | [] => []
      | _ => [[(one, false); (o, true)]; [(e, false); (o, true)]; [(o, false); (one, true); (e, true)]]
      end ++
      match two with Some b => [[(b, false); (w, true)]; [(b, false); (e, false)]] | None => [] end ++
      [[(one, false); (e, false); (w, true)]; (w, false) :: before ++ [(one, true)]; (w, false) :: before ++ [(e, true)]] ++
      counter o (Some w) (Pos.succ o) (Pos.succ w) r
  end.

Definition few (l : list positive) : bool := (length l <? 10)%nat.

(* How many variables a vertex takes. *)
Definition width (l : list positive) : nat := if few l then 0 else 2 * length l - 3.

Definition two_edges (free : positive) (l : list positive) : list clause :=
  if few l then at_least l ++ at_most l
  else match l with e :: r => counter e None free (shift free (length r - 1)) r | [] => [] end.

Fixpoint two_each (free : positive) (rows : list (list positive)) : list clause :=
  match rows with [] => [] | l :: r => two_edges free l ++ two_each (shift free (width l)) r end.

Definition widths (rows : list (list positive)) : nat := fold_right (fun l n => (width l + n)%nat) 0%nat rows.

(* ---- a map of the vertices *)

Definition same_ends (a b : positive) (e : positive * (positive * positive)) : bool :=
  (Pos.eqb a (fst (snd e)) && Pos.eqb b (snd (snd e))) || (Pos.eqb b (fst (snd e)) && Pos.eqb a (snd (snd e))).

Definition taken_to (image : M.t positive) (g : numbered) (e : positive * positive) : option positive :=
  option_map fst (find (same_ends (at_map image (fst e)) (at_map image (snd e))) g).

Definition kept (image : M.t positive) (g : numbered) : list clause :=
  flat_map (fun ke =>
    match taken_to image g (snd ke) with
    | Some k => if Pos.eqb (fst ke) k then [] else [[(fst ke, false); (k, true)]; [(fst ke, true); (k, false)]]
    | None => []
    end) g.

Definition keeps (image : M.t positive) (g : numbered) : bool :=
  forallb (fun ke => match taken_to image g (snd ke) with Some _ => true | None => false end) g.

(* ---- a bound *)

(* An event happens if one of its clauses, about edges, does not hold. *)
Fixpoint event_clauses (free : positive) (events : list (list clause)) : list clause :=
  match events with
  | [] => []
  | e :: r => map (fun c => c ++ [(free, true)]) e ++ event_clauses (Pos.succ free) r
  end.

Fixpoint variables_from (free : positive) (n : nat) : list positive :=
  match n with O => [] | S n => free :: variables_from (Pos.succ free) n end.

(* From i of the first half and j of the second it follows that there are i + j, or as many as are counted. *)
Definition sums_of (low high outputs : list positive) : list clause :=
  flat_map (fun i =>
    flat_map (fun j =>
      if Nat.eqb (i + j) 0 then [] else
      [match i with O => [] | S n => [(nth n low xH, false)] end ++
       match j with O => [] | S n => [(nth n high xH, false)] end ++
       [(nth (min (i + j) (length outputs) - 1) outputs xH, true)]])
      (seq 0 (S (length high)))) (seq 0 (S (length low))).

(* The clauses of a totalizer, its outputs, and the next variable that is free. *)
Fixpoint totalizer (fuel enough : nat) (free : positive) (counted : list positive) :
    list clause * list positive * positive :=
  match fuel, counted with
  | S fuel, _ :: _ :: _ =>
      let half := Nat.div2 (length counted) in
      let '(one, low, free) := totalizer fuel enough free (firstn half counted) in
      let '(two, high, free) := totalizer fuel enough free (skipn half counted) in
      let n := min (length counted) enough in
      let outputs := variables_from free n in
      (one ++ two ++ sums_of low high outputs, outputs, shift free n)
  | _, _ => ([], counted, free)
  end.

Definition bound_clauses (free : positive) (most : nat) (events : list (list clause)) : list clause :=
  let n := length events in
  let '(sums, outputs, _) := totalizer n (S most) (shift free n) (variables_from free n) in
  event_clauses free events ++ sums ++ map (fun k => [(k, false)]) (firstn 1 (skipn most outputs)).

Definition about_edges (free : positive) (events : list (list clause)) : bool :=
  forallb (forallb (forallb (fun l : literal => Pos.ltb (fst l) free))) events.

(* ---- cuts *)

Definition crosses (s : set) (e : positive * (positive * positive)) : bool :=
  xorb (isin s (fst (snd e))) (isin s (snd (snd e))).

Definition cut_clause (g : numbered) (c : list positive) : clause :=
  let s := set_of c in map (fun e => (fst e, true)) (filter (crosses s) g).

(* ---- unit propagation *)

Definition value (m : M.t bool) (l : literal) : option bool :=
  match M.find (fst l) m with Some b => Some (Bool.eqb b (snd l)) | None => None end.

(* What is left of a clause: nothing to do, a literal that is forced, or a contradiction. *)
Inductive state_of : Type := Rests | Forces (l : literal) | Fails.

Fixpoint look (m : M.t bool) (c : clause) (open : option literal) : state_of :=
  match c with
  | [] => match open with Some l => Forces l | None => Fails end
  | l :: r =>
      match value m l with
      | Some true => Rests
      | Some false => look m r open
      | None => match open with None => look m r (Some l) | Some _ => Rests end
      end
  end.

Definition clauses_by_number : Type := M.t clause.

Fixpoint contradict (db : clauses_by_number) (m : M.t bool) (hints : list positive) : bool :=
  match hints with
  | [] => false
  | h :: r =>
      match M.find h db with
      | None => false
      | Some c =>
          match look m c None with
          | Fails => true
          | Forces l => contradict db (M.add (fst l) (snd l) m) r
          | Rests => contradict db m r
          end
      end
  end.

(* The literals of a clause, all false; None if it holds anyhow. *)
Fixpoint denied (c : clause) (m : M.t bool) : option (M.t bool) :=
  match c with
  | [] => Some m
  | l :: r =>
      match value m l with
      | Some true => None
      | _ => denied r (M.add (fst l) (negb (snd l)) m)
      end
  end.

Definition implied (db : clauses_by_number) (c : clause) (hints : list positive) : bool :=
  match denied c (M.empty bool) with Some m => contradict db m hints | None => true end.

(* A line adds a clause that is implied, or takes some away. *)
Inductive line : Type := Add (k : positive) (c : clause) (hints : list positive) | Delete (l : list positive).

Fixpoint replay (db : clauses_by_number) (lines : list line) : bool :=
  match lines with
  | [] => false
  | Add k c hints :: r => implied db c hints && match c with [] => true | _ => replay (M.add k c db) r end
  | Delete l :: r => replay (fold_left (fun db k => M.remove k db) l db) r
  end.

Fixpoint by_number (k : positive) (cs : list clause) (db : clauses_by_number) : clauses_by_number :=
  match cs with [] => db | c :: r => by_number (Pos.succ k) r (M.add k c db) end.

Definition contradicted (cs : list clause) (lines : list line) : bool := replay (by_number xH cs (M.empty clause)) lines.

(* ---- the whole: the vertices that the proof speaks of, its cuts, and its lines *)

Definition ordered_ends (e : positive * positive) : positive * positive :=
  if Pos.ltb (fst e) (snd e) then e else (snd e, fst e).

Fixpoint ascending (edges : list (positive * positive)) : bool :=
  match edges with
  | e :: ((f :: _) as r) =>
      (Pos.ltb (fst e) (fst f) || (Pos.eqb (fst e) (fst f) && Pos.ltb (snd e) (snd f))) && ascending r
  | _ => true
  end.

Definition bound : Type := nat * list (list clause).

Definition formula (g : numbered) (image : option (M.t positive)) (most : option bound) (about : list positive)
    (cuts : list (list positive)) : list clause :=
  let rows := map (used_at g) about in
  let free := shift xH (length g) in
  two_each free rows ++
  match image with Some i => kept i g | None => [] end ++
  match most with Some (k, events) => bound_clauses (shift free (widths rows)) k events | None => [] end ++
  map (cut_clause g) cuts.

Definition refutes (vs : list positive) (directed : list (positive * positive)) (image : option (M.t positive))
    (most : option bound) (about : list positive) (cuts : list (list positive)) (lines : list line) : bool :=
  let edges := map ordered_ends directed in
  let inside := set_of about in
  let some := filter (fun e => isin inside (fst e) || isin inside (snd e)) edges in
  let g := number_from xH some in
  let all := set_of vs in
  distinct vs && forallb (fun e => Pos.ltb (fst e) (snd e)) edges && ascending edges && forallb (isin all) about &&
  forallb (fun c => negb (Nat.eqb (length c) 0) && forallb (isin inside) c &&
                    let s := set_of c in existsb (fun v => negb (isin s v)) vs) cuts &&
  match image with Some i => keeps i g | None => true end &&
  match most with
  | Some (_, events) => Nat.eqb (length some) (length edges) && about_edges (shift xH (length g)) events
  | None => true
  end &&
  contradicted (formula g image most about cuts) lines.

(* ---- why unit propagation is right *)

Definition holds (s : positive -> bool) (l : literal) : Prop := s (fst l) = snd l.
Definition satisfies (s : positive -> bool) (c : clause) : Prop := exists l, In l c /\ holds s l.

Section Propagation.

Variable s : positive -> bool.

Definition agrees (m : M.t bool) : Prop := forall k b, M.find k m = Some b -> s k = b.

Lemma value_true m l : agrees m -> value m l = Some true -> holds s l.
Proof.
  intros A V. unfold value in V. destruct (M.find (fst l) m) as [b|] eqn:E; [|discriminate].
  injection V as V. apply eqb_prop in V. subst b. now apply A in E.
Qed.

Lemma value_false m l : agrees m -> value m l = Some false -> ~ holds s l.
Proof.
  intros A V. unfold value in V. destruct (M.find (fst l) m) as [b|] eqn:E; [|discriminate].
  injection V as V. apply eqb_false_iff in V. apply A in E. unfold holds. congruence.
Qed.

Lemma look_right m : agrees m -> forall c open, satisfies s (match open with Some l => l :: c | None => c end) ->
  match look m c open with Forces l => holds s l | Fails => False | Rests => True end.
Proof.
  intros A. induction c as [|l c IH]; intros open (k & I & H); cbn.
  - destruct open as [l|]; [|destruct I]. destruct I as [<- | []]. exact H.
  - destruct (value m l) as [[|]|] eqn:V; [exact Logic.I | |].
    + apply IH. assert (N := value_false m l A V). destruct open as [o|]; cbn in I.
      * destruct I as [<- | [<- | I]]; [| tauto |]; [exists o | exists k]; cbn; auto.
      * destruct I as [<- | I]; [tauto | exists k; auto].
    + destruct open as [o|]; [exact Logic.I |]. apply IH. exists k. auto.
Qed.

Lemma agrees_add m l : agrees m -> holds s l -> agrees (M.add (fst l) (snd l) m).
Proof.
  intros A H k b. destruct (Pos.eq_dec k (fst l)) as [-> | D].
  - rewrite M.gss. intros E. injection E as <-. exact H.
  - rewrite M.gso by exact D. apply A.
Qed.

Definition true_all (db : clauses_by_number) : Prop := forall k c, M.find k db = Some c -> satisfies s c.

Lemma contradict_right db hints : true_all db -> forall m, agrees m -> contradict db m hints = false.
Proof.
  intros T. induction hints as [|h r IH]; intros m A; cbn; [reflexivity |].
  destruct (M.find h db) as [c|] eqn:E; [|reflexivity].
  assert (L := look_right m A c None (T h c E)). destruct (look m c None) as [|l|]; [now apply IH | | destruct L].
  now apply IH, agrees_add.
Qed.

Lemma denied_right c : (forall l, In l c -> ~ holds s l) -> forall m, agrees m ->
  match denied c m with Some m' => agrees m' | None => False end.
Proof.
  induction c as [|l c IH]; intros N m A; cbn; [exact A |].
  assert (K : agrees (M.add (fst l) (negb (snd l)) m)).
  { apply (agrees_add m (fst l, negb (snd l)) A). assert (Nl := N l (or_introl eq_refl)).
    unfold holds in *. cbn. destruct (s (fst l)), (snd l); cbn in *; congruence. }
  assert (R : forall k, In k c -> ~ holds s k) by (intros k I; apply N; now right).
  destruct (value m l) as [[|]|] eqn:V; [| apply IH; assumption | apply IH; assumption].
  apply (N l (or_introl eq_refl)). now apply (value_true m).
Qed.

Lemma implied_right db c hints : true_all db -> implied db c hints = true -> satisfies s c.
Proof.
  intros T H. assert (D : satisfies s c \/ forall l, In l c -> ~ holds s l).
  { clear H. induction c as [|l c IH]; [right; intros l [] |].
    destruct (Bool.bool_dec (s (fst l)) (snd l)) as [L | L]; [left; exists l; cbn; auto |].
    destruct IH as [(k & I & K) | IH]; [left; exists k; cbn; auto |].
    right. intros k [<- | I]; auto. }
  destruct D as [D | D]; [exact D | exfalso].
  assert (E : agrees (M.empty bool)) by (intros k b X; rewrite M.gempty in X; discriminate).
  assert (R := denied_right c D _ E). unfold implied in H.
  destruct (denied c (M.empty bool)) as [m|]; [|exact R]. rewrite (contradict_right db hints T m R) in H. discriminate.
Qed.

Lemma replay_right lines : forall db, true_all db -> replay db lines = false.
Proof.
  induction lines as [|[k c hints | l] r IH]; intros db T; cbn; [reflexivity | |].
  - destruct (implied db c hints) eqn:E; [cbn | reflexivity]. assert (C := implied_right db c hints T E).
    destruct c as [|l c]; [destruct C as (l & [] & _) |]. apply IH. intros j d. destruct (Pos.eq_dec j k) as [-> | D].
    + rewrite M.gss. intros X. now injection X as <-.
    + rewrite M.gso by exact D. apply T.
  - apply IH. clear IH. revert db T. induction l as [|k l IH]; intros db T; cbn; [exact T |]. apply IH. intros j d.
    destruct (Pos.eq_dec j k) as [-> | D]; [rewrite M.grs; discriminate |]. rewrite M.gro by exact D. apply T.
Qed.

Lemma contradicted_right cs lines : (forall c, In c cs -> satisfies s c) -> contradicted cs lines = false.
Proof.
  intros S. apply replay_right.
  assert (G : forall k db, true_all db -> true_all (by_number k cs db)).
  { induction cs as [|c r IH]; intros k db T; cbn; [exact T |]. apply IH; [intros d I; apply S; now right |].
    intros j d. destruct (Pos.eq_dec j k) as [-> | D].
    - rewrite M.gss. intros X. injection X as <-. apply S. now left.
    - rewrite M.gso by exact D. apply T. }
  apply G. intros k c X. rewrite M.gempty in X. discriminate.
Qed.

End Propagation.

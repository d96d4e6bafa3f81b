(* A checker of proofs that a graph has no Hamiltonian cycle. Soundness.v proves that it is right.

   Vertices are positive numbers. A state knows the present neighbours of every vertex, and those to which the
   edge is forced. The rules are those of src/cavalcade/checking/rules. What a rule needs to know of the graph, such as its parts without a cut,
   is first computed, and then checked; only the check is proved. *)

From Coq Require Import PArith ZArith Arith List FMapPositive Bool.
From Cavalcade Require Finite.
Import ListNotations.

Module M := PositiveMap.

(* ---- sets of vertices *)

Definition set := M.t unit.
Definition add_all (l : list positive) (s : set) : set := fold_right (fun v s => M.add v tt s) s l.
Definition set_of (l : list positive) : set := add_all l (M.empty unit).
Definition isin (s : set) (v : positive) : bool := M.mem v s.

Fixpoint distinct_from (s : set) (l : list positive) : bool :=
  match l with [] => true | v :: r => negb (isin s v) && distinct_from (M.add v tt s) r end.
Definition distinct (l : list positive) : bool := distinct_from (M.empty unit) l.

Fixpoint no_repeats (s : set) (l : list positive) : list positive :=
  match l with [] => [] | v :: r => if isin s v then no_repeats s r else v :: no_repeats (M.add v tt s) r end.
Definition once (l : list positive) : list positive := no_repeats (M.empty unit) l.

(* ---- states *)

Definition table := M.t (list positive).
Definition row (m : table) (v : positive) : list positive := match M.find v m with Some l => l | None => [] end.
Definition without (v : positive) (l : list positive) : list positive := filter (fun z => negb (Pos.eqb v z)) l.
Definition occurs (v : positive) (l : list positive) : bool := existsb (Pos.eqb v) l.
Definition with_one (v : positive) (l : list positive) : list positive := if occurs v l then l else v :: l.

Record state : Type := { vertices : list positive; present : table; forced : table }.

(* Numbers of vertices; 0 if there is none. *)
Definition weight (m : M.t Z) (v : positive) : Z := match M.find v m with Some z => z | None => 0%Z end.

(* An edge from its smaller end. *)
Definition ordered (e : positive * positive) : positive * positive :=
  if Pos.ltb (fst e) (snd e) then e else (snd e, fst e).

(* Weights of edges: for the smaller end of each edge a table of the other ends. *)
Definition weighing : Type := M.t (M.t Z).
Definition edge_weight (w : weighing) (e : positive * positive) : Z :=
  match M.find (fst (ordered e)) w with Some r => weight r (snd (ordered e)) | None => 0%Z end.

(* Further conditions on a cycle: the neighbours to which it may go, if moves go one way; a map of the vertices that
   keeps its edges; and its largest total weight, with the weights of the edges. *)
Record demand : Type := { ways : option table; image : option (M.t positive); limit : option (Z * weighing) }.

Definition onward (d : demand) (a b : positive) : bool :=
  match ways d with None => true | Some m => occurs b (row m a) end.
Definition only_back (d : demand) (a b : positive) : bool :=
  match ways d with None => true | Some m => negb (occurs b (row m a)) end.

Definition change (f : positive -> list positive -> list positive) (a b : positive) (m : table) : table :=
  let m' := M.add a (f b (row m a)) m in M.add b (f a (row m' b)) m'.

Definition rule_out (s : state) (a b : positive) : state :=
  {| vertices := vertices s; present := change without a b (present s); forced := forced s |}.
Definition force (s : state) (a b : positive) : state :=
  {| vertices := vertices s; present := present s; forced := change with_one a b (forced s) |}.

(* ---- rules: deductions *)

Definition force_both (s : state) (v : positive) : option state :=
  match row (present s) v with
  | [p; q] => if negb (Pos.eqb p q) && occurs v (vertices s) then Some (force (force s v p) v q) else None
  | _ => None
  end.

Definition saturate (s : state) (v : positive) : option state :=
  match row (forced s) v with
  | [p; q] =>
      if negb (Pos.eqb p q) then
        Some (fold_left (fun s z => rule_out s v z) (without p (without q (row (present s) v))) s)
      else None
  | _ => None
  end.

Fixpoint each (f : state -> positive -> option state) (s : state) (l : list positive) : option state :=
  match l with [] => Some s | v :: r => match f s v with Some s' => each f s' r | None => None end end.

(* The path of forced edges from a, coming from before. *)
Fixpoint walk (m : table) (fuel : list positive) (before a : positive) : list positive :=
  match fuel with
  | [] => [a]
  | _ :: fuel =>
      match filter (fun z => negb (Pos.eqb before z)) (row m a) with
      | [z] => a :: walk m fuel a z
      | _ => [a]
      end
  end.

Fixpoint all_forced (m : table) (l : list positive) : bool :=
  match l with a :: (b :: _) as r => occurs b (row m a) && all_forced m r | _ => true end.

Definition shorter {A B} (l : list A) (k : list B) : bool := Nat.ltb (length l) (length k).

Definition subtour (s : state) (a b : positive) : option state :=
  let path := walk (forced s) (vertices s) a a in
  if Pos.eqb (last path a) b && all_forced (forced s) path && distinct path && (2 <? length path)%nat &&
     shorter path (vertices s) && occurs b (row (present s) a)
  then Some (rule_out s a b) else None.

Definition rule_out_all (s : state) (l : list (positive * positive)) : state :=
  fold_left (fun s e => rule_out s (fst e) (snd e)) l s.

(* The vertices next to some of these. *)
Definition near (s : state) (c : list positive) : list positive := once (flat_map (row (present s)) c).

Definition members (s : state) (c : list positive) : bool :=
  distinct c && forallb (isin (set_of (vertices s))) c.

(* The present edges that leave a set. *)
Definition leaving (s : state) (gone : set) (c : list positive) : list (positive * positive) :=
  flat_map (fun v => map (pair v) (once (filter (fun z => negb (isin gone z)) (row (present s) v)))) c.

(* Where a cycle may go from some of these, and from where it may come to them. *)
Definition followers (d : demand) (s : state) (c : list positive) : list positive :=
  once (flat_map (fun v => filter (onward d v) (row (present s) v)) c).
Definition leaders (d : demand) (s : state) (c : list positive) : list positive :=
  once (flat_map (fun v => filter (fun z => onward d z v) (row (present s) v)) c).

Definition tight (d : demand) (s : state) (c : list positive) : option state :=
  let around := followers d s c in
  if members s c && Nat.eqb (length around) (length c)
  then Some (rule_out_all s (filter (fun e => only_back d (fst e) (snd e)) (leaving s (set_of c) around)))
  else None.

(* ---- rules: contradictions *)

Definition degree (s : state) (v : positive) : bool :=
  occurs v (vertices s) && (length (row (present s) v) <? 2)%nat.

Definition three (s : state) (v : positive) : bool :=
  match row (forced s) v with
  | p :: q :: r :: _ => distinct [p; q; r]
  | _ => false
  end.

Definition cycle (s : state) (c : list positive) : bool :=
  all_forced (forced s) (c ++ firstn 1 c) && distinct c && (2 <? length c)%nat && shorter c (vertices s).

Definition hall (d : demand) (s : state) (c : list positive) : bool :=
  members s c && (shorter (followers d s c) c || shorter (leaders d s c) c).

(* Labels of the vertices outside of a set: a depth-first search gives the vertices of a part the same label. *)
Fixpoint flood (fuel : nat) (m : positive -> list positive) (gone : set) (label : positive) (stack : list positive)
    (found : M.t positive) : M.t positive :=
  match fuel, stack with
  | S fuel, v :: stack =>
      if isin gone v || M.mem v found then flood fuel m gone label stack found
      else flood fuel m gone label (m v ++ stack) (M.add v label found)
  | _, _ => found
  end.

Definition degrees (s : state) : nat := fold_right (fun v k => length (row (present s) v) + S k) 1 (vertices s).

Definition labels (s : state) (gone : set) : M.t positive :=
  let fuel := degrees s in
  fold_left (fun found v => flood fuel (row (present s)) gone v [v] found) (vertices s) (M.empty positive).

Definition label (found : M.t positive) (v : positive) : positive :=
  match M.find v found with Some l => l | None => xH end.

(* No present edge outside of the set joins two labels. *)
Definition apart (s : state) (gone : set) (found : M.t positive) : bool :=
  forallb (fun v => isin gone v ||
    forallb (fun z => isin gone z || Pos.eqb (label found v) (label found z)) (row (present s) v)) (vertices s).

Definition parts (s : state) (gone : set) (found : M.t positive) : list positive :=
  once (map (label found) (filter (fun v => negb (isin gone v)) (vertices s))).

(* The forced edges inside a set, each from its smaller end. *)
Definition inside (s : state) (gone : set) (c : list positive) : list (positive * positive) :=
  flat_map (fun v => map (pair v) (once (filter (fun z => Pos.ltb v z && isin gone z) (row (forced s) v)))) c.

Definition cut (s : state) (c : list positive) : bool :=
  let gone := set_of c in
  let found := labels s gone in
  distinct c && forallb (isin (set_of (vertices s))) c && apart s gone found &&
  match c with
  | [] => (1 <? length (parts s gone found))%nat
  | _ => (length c <? length (parts s gone found) + length (inside s gone c))%nat
  end.

(* As many parts as there can be: no other edge inside the set is used. *)
Definition tight_cut (s : state) (c : list positive) : option state :=
  let gone := set_of c in
  let found := labels s gone in
  match c with
  | [] => None
  | _ =>
      if members s c && apart s gone found &&
         Nat.eqb (length c) (length (parts s gone found) + length (inside s gone c))
      then Some (rule_out_all s (flat_map (fun v =>
        map (pair v) (filter (fun z => isin gone z && negb (occurs z (row (forced s) v)) &&
                                       negb (occurs v (row (forced s) z))) (row (present s) v))) c))
      else None
  end.

Definition parity (s : state) (c : list positive) : bool :=
  let gone := set_of c in
  let edges := leaving s gone c in
  members s c && forallb (fun e => occurs (snd e) (row (forced s) (fst e))) edges && Nat.odd (length edges).

(* Next to one of these vertices only. *)
Definition single (s : state) (c : list positive) (z : positive) : bool :=
  (length (filter (fun v => occurs z (row (present s) v)) c) <? 2)%nat.

Definition factor (s : state) (c : list positive) : bool :=
  let around := near s c in
  let ones := filter (single s c) around in
  let twos := filter (fun z => negb (single s c z)) around in
  members s c && (length ones + 2 * length twos <? 2 * length c)%nat.

(* No way leads out of what is found from the first vertex, and the second is not there. *)
Definition reach (d : demand) (s : state) (a b : positive) : bool :=
  let after := fun v => filter (onward d v) (row (present s) v) in
  let found := flood (degrees s) after (M.empty unit) xH [a] (M.empty positive) in
  occurs a (vertices s) && occurs b (vertices s) && M.mem a found && negb (M.mem b found) &&
  forallb (fun v => negb (M.mem v found) || forallb (fun z => M.mem z found) (after v)) (vertices s).

(* Two colours of the part of a vertex. *)
Fixpoint paint (fuel : nat) (m : table) (stack : list (positive * bool)) (found : M.t bool) : M.t bool :=
  match fuel, stack with
  | S fuel, (v, c) :: stack =>
      if M.mem v found then paint fuel m stack found
      else paint fuel m (map (fun z => (z, negb c)) (row m v) ++ stack) (M.add v c found)
  | _, _ => found
  end.

Definition colour (found : M.t bool) (v : positive) : bool :=
  match M.find v found with Some true => true | _ => false end.

Definition painted (s : state) (found : M.t bool) : bool :=
  forallb (fun v => negb (M.mem v found) ||
    forallb (fun z => M.mem z found && Bool.eqb (colour found z) (negb (colour found v))) (row (present s) v))
    (vertices s).

Definition colours (s : state) (v : positive) : bool :=
  let found := paint (degrees s) (present s) [(v, true)] (M.empty bool) in
  occurs v (vertices s) && M.mem v found && painted s found &&
  let here := filter (colour found) (vertices s) in
  let there := filter (fun v => negb (colour found v) && M.mem v found) (vertices s) in
  negb (Nat.eqb (length here) (length there)).

(* A number for a set of vertices, perhaps with odd edges: an odd number of the edges that leave the set. The value of
   an edge is the sum of the numbers of the sets that it leaves; the number of a set is subtracted for its odd edges. A
   term without vertices is a number for the weight. *)
Record term : Type := { number : Z; cells : list positive; odd_edges : list (positive * positive) }.

Definition total {A : Type} (f : A -> Z) (l : list A) : Z := fold_right (fun x z => (f x + z)%Z) 0%Z l.

Definition of_weight (t : term) : bool := match cells t with [] => true | _ => false end.
Definition single_term (t : term) : bool := match cells t, odd_edges t with [_], [] => true | _, _ => false end.
Definition set_term (t : term) : bool := negb (single_term t) && negb (of_weight t).

Fixpoint weights (terms : list term) : M.t Z :=
  match terms with
  | [] => M.empty Z
  | t :: r =>
      match cells t, odd_edges t with
      | [v], [] => let m := weights r in M.add v (number t + weight m v)%Z m
      | _, _ => weights r
      end
  end.

Definition crosses (c : set) (e : positive * positive) : bool := xorb (isin c (fst e)) (isin c (snd e)).

Definition same_edge (e f : positive * positive) : bool :=
  Pos.eqb (fst (ordered e)) (fst (ordered f)) && Pos.eqb (snd (ordered e)) (snd (ordered f)).
Definition listed (l : list (positive * positive)) (e : positive * positive) : bool := existsb (same_edge e) l.

(* What a set adds to the value of an edge: its number, its vertices and its odd edges are given. *)
Definition share (x : Z * set * list (positive * positive)) (e : positive * positive) : Z :=
  if crosses (snd (fst x)) e then if listed (snd x) e then (- fst (fst x))%Z else fst (fst x) else 0%Z.

Definition worth (m : M.t Z) (sets : list (Z * set * list (positive * positive))) (e : positive * positive) : Z :=
  (weight m (fst e) + weight m (snd e) + total (fun x => share x e) sets)%Z.

(* The same with the number of the weight. *)
Definition value (d : demand) (m : M.t Z) (sets : list (Z * set * list (positive * positive))) (p : Z)
    (e : positive * positive) : Z :=
  (worth m sets e + match limit d with Some (_, w) => p * edge_weight w e | None => 0 end)%Z.

(* The least value of a cycle on account of a term. *)
Definition demanded (d : demand) (t : term) : Z :=
  match cells t, limit d with
  | [], Some (most, _) => (number t * most)%Z
  | _, _ => (number t * match odd_edges t with [] => 2 | l => 1 - Z.of_nat (length l) end)%Z
  end.

(* The present edges, each from its smaller end. *)
Definition all_edges (s : state) : list (positive * positive) :=
  flat_map (fun v => map (pair v) (once (filter (Pos.ltb v) (row (present s) v)))) (vertices s).

Definition is_forced (s : state) (e : positive * positive) : bool :=
  occurs (snd e) (row (forced s) (fst e)) || occurs (fst e) (row (forced s) (snd e)).

Fixpoint different (l : list (positive * positive)) : bool :=
  match l with [] => true | e :: r => negb (listed r e) && different r end.

(* No odd edges, or an odd number of different edges that leave the set. *)
Definition odd_or_none (c : list positive) (l : list (positive * positive)) : bool :=
  match l with
  | [] => true
  | _ => Nat.odd (length l) && different l && let gone := set_of c in forallb (crosses gone) l
  end.

Definition term_fits (d : demand) (s : state) (t : term) : bool :=
  if of_weight t then
    match limit d, odd_edges t with Some _, [] => Z.leb (number t) 0 | _, _ => false end
  else
    members s (cells t) && shorter (cells t) (vertices s) && (single_term t || Z.leb 0 (number t)) &&
    odd_or_none (cells t) (odd_edges t).

Definition linear (d : demand) (s : state) (terms : list term) : bool :=
  let m := weights terms in
  let sets := map (fun t => (number t, set_of (cells t), odd_edges t)) (filter set_term terms) in
  let p := total number (filter of_weight terms) in
  forallb (term_fits d s) terms &&
  Z.ltb (total (fun e => let z := value d m sets p e in if is_forced s e then z else Z.max 0 z) (all_edges s))
        (total (demanded d) terms).

(* A map of the vertices that keeps the edges of a cycle shifts the cycle along itself, or reverses it. *)
Definition at_map (image : M.t positive) (v : positive) : positive :=
  match M.find v image with Some w => w | None => v end.

Definition back (f : positive -> positive) (k : nat) (v : positive) : bool := Pos.eqb (Nat.iter k f v) v.

Fixpoint orbit (f : positive -> positive) (fuel : nat) (from v : positive) : nat :=
  match fuel with O => 1 | S fuel => if Pos.eqb (f v) from then 1 else S (orbit f fuel from (f v)) end.

Definition both_colours (s : state) : M.t bool :=
  let fuel := degrees s in
  fold_left (fun found v => if M.mem v found then found else paint fuel (present s) [(v, true)] found) (vertices s) (M.empty bool).

(* Not all vertices are back after as many turns; or colours do not change as they would. *)
Definition no_shift (s : state) (f : positive -> positive) : bool :=
  let n := length (vertices s) in
  let k := fold_right (fun v least => Nat.min (orbit f n v v) least) n (vertices s) in
  let d := Nat.div n k in
  let found := both_colours s in
  let stays := fun v => Bool.eqb (colour found (f v)) (colour found v) in
  existsb (back f k) (vertices s) &&
  (existsb (fun v => negb (back f k v)) (vertices s) ||
   (Nat.eqb n (k * d) &&
    forallb (fun v => forallb (fun z => Bool.eqb (colour found z) (negb (colour found v))) (row (present s) v)) (vertices s) &&
    if Nat.odd d then existsb (fun v => stays v && negb (back f (Nat.div2 k) v)) (vertices s)
    else existsb (fun v => negb (stays v)) (vertices s))).

(* Done twice, it does not bring every vertex back; or it keeps too many vertices, or too few vertices and edges. *)
Definition no_reversal (s : state) (f : positive -> positive) : bool :=
  let fixed := length (filter (fun v => Pos.eqb (f v) v) (vertices s)) in
  let flipped := length (filter (fun e => Pos.eqb (f (fst e)) (snd e)) (all_edges s)) in
  existsb (fun v => negb (Pos.eqb (f (f v)) v)) (vertices s) || (2 <? fixed)%nat ||
  negb (Bool.eqb (Nat.eqb fixed 1) (Nat.odd (length (vertices s)))) || (flipped + fixed <? 2)%nat.

Definition symmetry (d : demand) (s : state) : bool :=
  match image d with
  | None => false
  | Some i =>
      let f := at_map i in
      members s (map f (vertices s)) && no_shift s f && no_reversal s f
  end.

(* ---- the sign of the covers by cycles

   A cover gives each vertex a next one, a different one for each. Where there are at most two to choose from, the
   choices fall into groups: lists of vertices with the next ones that a cover gives them. The other choice gives each
   the next one of the following vertex. *)

Definition closes (d : demand) (s : state) (g : list (positive * positive)) : bool :=
  Nat.odd (length g) &&
  forallb (fun e => forallb (fun z => Pos.eqb z (snd (fst e)) || Pos.eqb z (snd (snd e))) (followers d s [fst (fst e)]))
    (Finite.steps g).

Fixpoint group (d : demand) (s : state) (fuel : list positive) (first v next : positive) : list (positive * positive) :=
  match fuel, without next (followers d s [v]) with
  | _ :: fuel, [z] =>
      match without v (leaders d s [z]) with
      | [w] => (v, next) :: if Pos.eqb w first then [] else group d s fuel first w z
      | _ => []
      end
  | _, _ => []
  end.

Definition groups (d : demand) (s : state) : list (list (positive * positive)) :=
  snd (fold_left (fun found v =>
    if isin (fst found) v then found else
    let g := match followers d s [v] with [z] => [(v, z)] | z :: _ => group d s (vertices s) v v z | [] => [] end in
    (add_all (map fst g) (fst found), g :: snd found)) (vertices s) (M.empty unit, [])).

Definition cover (l : list (positive * positive)) : M.t positive :=
  fold_right (fun e m => M.add (fst e) (snd e) m) (M.empty positive) l.

Fixpoint loop_from (m : M.t positive) (fuel : list positive) (first v : positive) : list positive :=
  match fuel, M.find v m with
  | _ :: fuel, Some z => v :: if Pos.eqb z first then [] else loop_from m fuel first z
  | _, _ => []
  end.

Definition loops (m : M.t positive) (l : list positive) : list (list positive) :=
  snd (fold_left (fun found v =>
    if isin (fst found) v then found else
    let c := loop_from m l v v in (add_all c (fst found), c :: snd found)) l (M.empty unit, [])).

Definition follows (m : M.t positive) (e : positive * positive) : bool :=
  match M.find (fst e) m with Some z => Pos.eqb z (snd e) | None => false end.

(* All vertices, each once. *)
Definition everyone (s : state) (l : list positive) : bool := members s l && Nat.eqb (length l) (length (vertices s)).

(* The groups are odd, and one cover has an even number of cycles. *)
Definition sign (d : demand) (s : state) : bool :=
  let gs := groups d s in
  let m := cover (concat gs) in
  let cs := loops m (vertices s) in
  forallb (closes d s) gs && everyone s (map fst (concat gs)) &&
  forallb (fun c => negb (Nat.eqb (length c) 0) && forallb (follows m) (Finite.steps c)) cs && everyone s (concat cs) &&
  Nat.even (length cs).

(* ---- a sweep: all vertices one after the other

   For each vertex that was met and not yet taken, a state of the sweep has the other end of its path, itself if it
   has no edge yet, or None if it has two. *)

Definition mates : Type := list (positive * option positive).

Fixpoint mate (q : mates) (v : positive) : option (option positive) :=
  match q with [] => None | (w, m) :: r => if Pos.eqb v w then Some m else mate r v end.
Definition set_mate (v : positive) (m : option positive) (q : mates) : mates :=
  map (fun e => if Pos.eqb v (fst e) then (v, m) else e) q.
Definition drop (v : positive) (q : mates) : mates := filter (fun e => negb (Pos.eqb v (fst e))) q.

(* All other paths are closed already. *)
Definition alone (q : mates) (a b : positive) : bool :=
  forallb (fun e => Pos.eqb a (fst e) || Pos.eqb b (fst e) ||
    match mate q (fst e) with Some (Some _) => false | _ => true end) q.

(* The edge a-b is used: no state if that cannot be, None if it may close a tour. *)
Definition use (all_met : bool) (a b : positive) (q : mates) : option (list mates) :=
  match mate q a, mate q b with
  | Some (Some far), Some (Some over) =>
      if Pos.eqb far b then if all_met && alone q a b then None else Some []
      else Some [set_mate over (Some far) (set_mate far (Some over) (set_mate b None (set_mate a None q)))]
  | _, _ => Some []
  end.

Fixpoint use_or_not (all_met : bool) (a b : positive) (states found : list mates) : option (list mates) :=
  match states with
  | [] => Some found
  | q :: r =>
      match use all_met a b q with
      | Some more => use_or_not all_met a b r (more ++ q :: found)
      | None => None
      end
  end.

Fixpoint use_each (all_met : bool) (a : positive) (l : list positive) (states : list mates) : option (list mates) :=
  match l with
  | [] => Some states
  | b :: r =>
      match use_or_not all_met a b states [] with
      | Some states => use_each all_met a r states
      | None => None
      end
  end.

(* States in order, each once. *)
Definition compare_ends (a b : option positive) : comparison :=
  match a, b with None, None => Eq | None, _ => Lt | _, None => Gt | Some x, Some y => Pos.compare x y end.

Fixpoint compare_states (p q : mates) : comparison :=
  match p, q with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | (v, x) :: p, (w, y) :: q =>
      match compare_ends x y with
      | Eq => match Pos.compare v w with Eq => compare_states p q | c => c end
      | c => c
      end
  end.

Fixpoint merge (found p : list mates) : list mates -> list mates :=
  match p with
  | [] => fun q => rev_append found q
  | x :: p' =>
      (fix second (found q : list mates) : list mates :=
        match q with
        | [] => rev_append found p
        | y :: q' =>
            match compare_states x y with
            | Lt => merge (x :: found) p' q
            | Eq => merge (x :: found) p' q'
            | Gt => second (y :: found) q'
            end
        end) found
  end.

Fixpoint in_pairs (l : list (list mates)) : list (list mates) :=
  match l with p :: q :: r => merge [] p q :: in_pairs r | _ => l end.

Fixpoint merge_all (fuel : list (list mates)) (l : list (list mates)) : list mates :=
  match fuel, l with
  | _, [p] => p
  | _ :: fuel, _ => merge_all fuel (in_pairs l)
  | [], _ => concat l
  end.

(* Like map, in any order; for long lists. *)
Definition mapped {A B : Type} (f : A -> B) (l : list A) : list B := fold_left (fun k x => f x :: k) l [].

Definition each_once (states : list mates) : list mates :=
  let l := mapped (fun q => [q]) states in merge_all l l.

(* Vertices are met: they have no edge yet. *)
Definition meet (l : list positive) (states : list mates) : list mates :=
  fold_left (fun states v => mapped (cons (v, Some v)) states) l states.

(* Those in which a vertex has two edges, without it. *)
Fixpoint taken_out (v : positive) (states found : list mates) : list mates :=
  match states with
  | [] => found
  | q :: r => taken_out v r (match mate q v with Some None => drop v q :: found | _ => found end)
  end.

Definition later (s : state) (all taken : set) (v : positive) : list positive :=
  once (filter (fun z => isin all z && negb (isin taken z) && negb (Pos.eqb v z)) (row (present s) v)).

Fixpoint sweep_on (s : state) (all : set) (order : list positive) (met taken : set) (states : list mates) : bool :=
  match order with
  | [] => match states with [] => true | _ => false end
  | v :: r =>
      let ahead := later s all taken v in
      let fresh := once (filter (fun z => negb (isin met z)) (v :: ahead)) in
      let met := add_all fresh met in
      match use_each (forallb (isin met) r) v ahead (meet fresh states) with
      | None => false
      | Some states => sweep_on s all r met (M.add v tt taken) (each_once (taken_out v states []))
      end
  end.

Definition sweep (s : state) (order : list positive) : bool :=
  everyone s order && sweep_on s (set_of (vertices s)) order (M.empty unit) (M.empty unit) [[]].

(* ---- proofs *)

Inductive step : Type :=
| Forced (l : list positive)
| Saturated (l : list positive)
| Subtour (a b : positive)
| Degree (v : positive)
| Three (v : positive)
| Cycle (l : list positive)
| Hall (l : list positive)
| Cut (l : list positive)
| Reach (a b : positive)
| Colours (v : positive)
| Tight (l : list positive)
| TightCut (l : list positive)
| Parity (l : list positive)
| Factor (l : list positive)
| Sweep (l : list positive)
| Linear (terms : list term)
| Symmetry
| Sign
| Contract (l : list positive)
| Branch (a b : positive) (used unused : list step)
| Unknown.

(* The vertices that a step names. *)
Definition named (one : step) : list positive :=
  match one with
  | Forced l | Saturated l | Cycle l | Hall l | Cut l | Tight l | TightCut l | Parity l | Factor l | Sweep l
  | Contract l => l
  | Subtour a b | Reach a b | Branch a b _ _ => [a; b]
  | Degree v | Three v | Colours v => [v]
  | Linear _ | Symmetry | Sign | Unknown => []
  end.

Section Demand.

Variable d : demand.

(* Deductions, and a contradiction or a branch at the end. *)
Fixpoint take (s : state) (one : step) (rest : state -> bool) (is_last : bool) {struct one} : bool :=
  let follow := fix follow (s : state) (steps : list step) : bool :=
    match steps with
    | [] => false
    | one :: r => take s one (fun s' => follow s' r) (match r with [] => true | _ => false end)
    end in
  members s (named one) &&
  match one with
  | Forced l => match each force_both s l with Some s' => rest s' | None => false end
  | Saturated l => match each saturate s l with Some s' => rest s' | None => false end
  | Subtour a b => match subtour s a b with Some s' => rest s' | None => false end
  | Degree v => is_last && degree s v
  | Three v => is_last && three s v
  | Cycle l => is_last && cycle s l
  | Hall l => is_last && hall d s l
  | Cut l => is_last && cut s l
  | Reach a b => is_last && reach d s a b
  | Colours v => is_last && colours s v
  | Tight l => match tight d s l with Some s' => rest s' | None => false end
  | TightCut l => match tight_cut s l with Some s' => rest s' | None => false end
  | Parity l => is_last && parity s l
  | Factor l => is_last && factor s l
  | Sweep l => is_last && sweep s l
  | Linear terms => is_last && linear d s terms
  | Symmetry => is_last && symmetry d s
  | Sign => is_last && sign d s
  | Branch a b used unused =>
      is_last && occurs b (row (present s) a) && negb (occurs b (row (forced s) a)) &&
      follow (force s a b) used && follow (rule_out s a b) unused
  | Contract _ | Unknown => false
  end.

Fixpoint follow (s : state) (steps : list step) : bool :=
  match steps with
  | [] => false
  | one :: r => take s one (fun s' => follow s' r) (match r with [] => true | _ => false end)
  end.

End Demand.

(* ---- a graph: its vertices, and its edges, each once *)

Definition begin (vs : list positive) (edges : list (positive * positive)) : state :=
  {| vertices := vs;
     present := fold_left (fun m e => change with_one (fst e) (snd e) m) edges (M.empty (list positive));
     forced := M.empty (list positive) |}.

Definition ways_of (edges : list (positive * positive)) : table :=
  fold_left (fun m e => M.add (fst e) (snd e :: row m (fst e)) m) edges (M.empty (list positive)).

(* The graph in which the first of some vertices stands for all of them, if three edges leave these, or fewer. *)
Definition contract (vs : list positive) (edges : list (positive * positive)) (c : list positive) :
    option (list positive * list (positive * positive)) :=
  let s := begin vs edges in
  let gone := set_of c in
  match c with
  | v :: _ :: _ =>
      if distinct vs && members s c && (length (leaving s gone c) <? 4)%nat && (length c + 2 <=? length vs)%nat then
        let block := fun z => if isin gone z then v else z in
        Some (v :: filter (fun z => negb (isin gone z)) vs,
              filter (fun e => negb (Pos.eqb (fst e) (snd e))) (map (fun e => (block (fst e), block (snd e))) edges))
      else None
  | _ => None
  end.

(* The weights of the edges, in the same order; and whether each edge has its own. *)
Definition read_weights (edges : list (positive * positive)) (ws : list Z) : weighing :=
  fold_left (fun m x =>
    let e := ordered (fst x) in
    let r := match M.find (fst e) m with Some r => r | None => M.empty Z end in
    M.add (fst e) (M.add (snd e) (snd x) r) m) (combine edges ws) (M.empty (M.t Z)).

Definition weighed (edges : list (positive * positive)) (ws : list Z) (w : weighing) : bool :=
  Nat.eqb (length ws) (length edges) && forallb (fun x => Z.eqb (edge_weight w (fst x)) (snd x)) (combine edges ws).

(* Contractions come first, and only where moves go both ways; afterwards there is no map and no limit of the weight. *)
Fixpoint accepts (one_way : bool) (vs : list positive) (edges : list (positive * positive))
    (image : option (M.t positive)) (limit : option (Z * list Z)) (proof : list step) : bool :=
  match proof with
  | Contract c :: r =>
      negb one_way &&
      match contract vs edges c with Some (vs, edges) => accepts one_way vs edges None None r | None => false end
  | _ =>
      let w := match limit with Some (most, ws) => Some (most, read_weights edges ws) | None => None end in
      let d := {| ways := if one_way then Some (ways_of edges) else None; image := image; limit := w |} in
      distinct vs && match limit, w with Some (_, ws), Some (_, w) => weighed edges ws w | _, _ => true end &&
      follow d (begin vs edges) proof
  end.

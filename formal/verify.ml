(* verify FILE: whether the proof in the file shows that the graph in it has no Hamiltonian cycle.

   README.md describes the form of the file.

   This reader is written by hand. All that it passes on is checked by the functions that Soundness.v and
   Sat.v are about.
   It exits with 0 if the proof is accepted, with 1 if it is refused, with 2 if the file is none of these, and
   with 3 if a rule is none of those that are proved. *)

open Checker

exception Wrong of string

let rec built n = if n = 1 then XH else if n land 1 = 1 then XI (built (n / 2)) else XO (built (n / 2))

(* Every number once, to save memory. *)
let known : (int, positive) Hashtbl.t = Hashtbl.create 1000

let positive n =
  match Hashtbl.find_opt known n with
  | Some found -> found
  | None ->
      let found = built n in
      Hashtbl.add known n found;
      found

let integer n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))

let rec natural n = if n = 0 then O else S (natural (n - 1))

(* ---- words *)

type input = { text : string; mutable at : int }

let opened path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  { text; at = 0 }

let is_blank c = c = ' ' || c = '\n' || c = '\r' || c = '\t'

let at_end input =
  while input.at < String.length input.text && is_blank input.text.[input.at] do
    input.at <- input.at + 1
  done;
  input.at = String.length input.text

let word input =
  if at_end input then raise (Wrong "it ends too early");
  let first = input.at in
  while input.at < String.length input.text && not (is_blank input.text.[input.at]) do
    input.at <- input.at + 1
  done;
  String.sub input.text first (input.at - first)

let keyword input expected =
  let found = word input in
  if found <> expected then raise (Wrong (Printf.sprintf "expected %s, not %s" expected found))

(* Whether the next word is this one; if so, it is read. *)
let next_is input expected =
  (not (at_end input))
  &&
  let first = input.at in
  let same = word input = expected in
  if not same then input.at <- first;
  same

let number least input =
  let found = word input in
  match int_of_string_opt found with
  | Some n when n >= least -> n
  | _ -> raise (Wrong (Printf.sprintf "expected a number from %d on, not %s" least found))

(* A number of any sign, as Coq's. *)
let signed input = integer (number (-max_int) input)

(* [make] n times, in this order. *)
let times n make =
  let rec go n found = if n = 0 then List.rev found else go (n - 1) (make () :: found) in
  go n []

let vertices input = times (number 0 input) (fun () -> positive (number 1 input))

let pair input =
  let a = positive (number 1 input) in
  (a, positive (number 1 input))

let unknown = ref ""

let rec proof input =
  keyword input "proof";
  times (number 0 input) (fun () -> step input)

and step input =
  let rule = word input in
  let named = times (number 0 input) (fun () -> positive (number 1 input)) in
  match (rule, named) with
  | "forced", l -> Forced l
  | "saturated", l -> Saturated l
  | "subtour", [ a; b ] -> Subtour (a, b)
  | "degree", [ v ] -> Degree v
  | "three", [ v ] -> Three v
  | "cycle", l -> Cycle l
  | "hall", l -> Hall l
  | "cut", l -> Cut l
  | "tight", l -> Tight l
  | "tight_cut", l -> TightCut l
  | "parity", l -> Parity l
  | "factor", l -> Factor l
  | "sweep", l -> Sweep l
  | "contract", l -> Contract l
  | "symmetry", [] -> Symmetry
  | "sign", [] -> Sign
  | "linear", l ->
      let term () =
        let z = signed input in
        let cells = vertices input in
        let odd_edges = if next_is input "odd" then times (number 0 input) (fun () -> pair input) else [] in
        { number = z; cells; odd_edges }
      in
      let terms = times (number 0 input) term in
      if l = [] then Linear terms else Unknown
  | "reach", [ a; b ] -> Reach (a, b)
  | "colours", [ v ] -> Colours v
  | "branch", l -> (
      let used = proof input in
      let unused = proof input in
      match l with [ a; b ] -> Branch (a, b, used, unused) | _ -> Unknown)
  | ("subtour" | "degree" | "three" | "reach" | "colours" | "symmetry" | "sign"), _ -> Unknown
  | _ ->
      unknown := rule;
      Unknown

let literal_of n = (positive (abs n), n > 0)

let literal input =
  match int_of_string_opt (word input) with
  | Some n when n <> 0 -> literal_of n
  | _ -> raise (Wrong "a literal is not a number other than 0")

(* Numbers up to a 0. *)
let to_zero input make =
  let rec go found = match number min_int input with 0 -> List.rev found | n -> go (make n :: found) in
  go []

let hint n = if n > 0 then positive n else raise (Wrong (Printf.sprintf "the hint %d is not the number of a clause" n))

let lrat input =
  keyword input "lrat";
  let rec go found =
    if at_end input then List.rev found
    else
      let id = number 1 input in
      if next_is input "d" then go (Delete (to_zero input hint) :: found)
      else
        let clause = to_zero input literal_of in
        let hints = to_zero input hint in
        go (Add (positive id, clause, hints) :: found)
  in
  go []

(* At most so many of the events; each has clauses. *)
let bound input =
  if not (next_is input "bound") then None
  else
    let most = natural (number 0 input) in
    let clause () = times (number 0 input) (fun () -> literal input) in
    let event () = times (number 0 input) clause in
    Some (most, times (number 0 input) event)

type found =
  | Steps of step list
  | Between of positive * positive * nat
  | Positions of places * line list
  | Sat of bound option * positive list * positive list list * line list

let refutation input =
  if next_is input "sat" then (
    keyword input "about";
    let about = vertices input in
    let most = bound input in
    keyword input "cuts";
    let cuts = times (number 0 input) (fun () -> vertices input) in
    Sat (most, about, cuts, lrat input))
  else if next_is input "between" then
    let a = positive (number 1 input) in
    let b = positive (number 1 input) in
    Between (a, b, natural (number 0 input))
  else if next_is input "positions" then (
    let around = next_is input "closed" in
    if not around then keyword input "open";
    let pairs () = times (number 0 input) (fun () -> pair input) in
    keyword input "given";
    let given = pairs () in
    keyword input "required";
    let required = pairs () in
    Positions ({ around; given; required }, lrat input))
  else Steps (proof input)

(* The largest total weight and the weight of each edge, if the weight is limited. *)
let weights count input =
  if not (next_is input "weights") then None
  else
    let most = number (-max_int) input in
    Some (most, times count (fun () -> signed input))

(* Where a symmetry takes each vertex, if one is asked for. *)
let map size input =
  if not (next_is input "map") then None
  else
    let images = times size (fun () -> positive (number 1 input)) in
    let add (at, found) image = (at + 1, M.add (positive at) image found) in
    Some (snd (List.fold_left add (1, M.empty) images))

let read path =
  let input = opened path in
  let one_way = word input in
  if one_way <> "graph" && one_way <> "digraph" then
    raise (Wrong (Printf.sprintf "expected graph or digraph, not %s" one_way));
  let size = number 0 input in
  let count = number 0 input in
  let edge () =
    let a = number 1 input in
    let b = number 1 input in
    if a > size || b > size then raise (Wrong "an edge leads to no vertex");
    (positive a, positive b)
  in
  let edges = times count edge in
  let limit = weights count input in
  let image = map size input in
  let found = refutation input in
  (match (limit, found) with
  | Some _, (Between _ | Positions _ | Sat _) -> raise (Wrong "weights require a proof by steps")
  | _ -> ());
  if not (at_end input) then raise (Wrong "more follows than the proof");
  (one_way = "digraph", List.init size (fun i -> positive (i + 1)), edges, image, limit, found)

let () =
  match Array.to_list Sys.argv with
  | [ _; path ] -> (
      match read path with
      | exception Wrong said ->
          Printf.printf "not a graph with a proof: %s\n" said;
          exit 2
      | exception Sys_error said ->
          print_endline said;
          exit 2
      | one_way, vertices, edges, image, limit, found ->
          let right =
            try
              match found with
              | Steps steps ->
                  let limit = Option.map (fun (most, weights) -> (integer most, weights)) limit in
                  accepts one_way vertices edges image limit steps
              | Sat (most, about, cuts, lines) -> refutes vertices edges image most about cuts lines
              | Between (a, b, moves) -> (not one_way) && too_far edges a b moves
              | Positions (places, lines) ->
                  (not one_way) && refutes_positions (positive (List.length vertices)) edges places lines
            with Stack_overflow | Out_of_memory ->
              print_endline "undecided: it takes too much memory";
              exit 3
          in
          let claim =
            match (found, limit) with
            | Steps _, Some (most, _) -> Printf.sprintf "no Hamiltonian cycle of weight at most %d" most
            | (Steps _ | Sat (None, _, _, _)), _ -> "no Hamiltonian cycle"
            | Sat (Some _, _, _, _), _ -> "no Hamiltonian cycle within the bound"
            | Between _, _ -> "no such walk"
            | Positions _, _ -> "no such tour"
          in
          let claim = if image = None then claim else claim ^ " with this symmetry" in
          if right then
            Printf.printf "accepted: the graph of %d vertices and %d edges has %s\n" (List.length vertices)
              (List.length edges) claim
          else if !unknown <> "" then (
            Printf.printf "undecided: the rule %s is none of those that are proved\n" !unknown;
            exit 3)
          else (
            print_endline "refused: a step does not follow, or the last is no contradiction";
            exit 1))
  | _ ->
      print_endline "verify FILE";
      exit 2

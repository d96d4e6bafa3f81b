(* tour SIDE: the closed tour of Gliński's board that the proof builds, as CSV that `cavalcade check` reads.
   Only the conversion of numbers and the printing are written by hand. *)

open Glinski

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))

let rec value = function XH -> 1 | XO p -> 2 * value p | XI p -> 2 * value p + 1

let number = function Z0 -> 0 | Zpos p -> value p | Zneg p -> - value p

let () =
  match Array.to_list Sys.argv with
  | [ _; side ] when (match int_of_string_opt side with Some n -> n >= 4 | None -> false) ->
      Printf.printf "; closed tour of hex:%s, piece knight\nstep,q,r\n" side;
      List.iteri
        (fun i (q, r) -> Printf.printf "%d,%d,%d\n" (i + 1) (number q) (number r))
        (tour_of_side (Zpos (positive (int_of_string side))))
  | _ ->
      prerr_endline "tour SIDE: SIDE is a number from 4 on";
      exit 2

(* The builder of the proof as a program: tour.ml prints what it builds. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Cavalcade Require Import Glinski.

Set Warnings "-extraction-opaque-accessed".
Extraction "glinski.ml" tour_of_side.

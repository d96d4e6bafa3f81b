(* The checker as a program: verify.ml reads a graph and a proof, and asks it. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Cavalcade Require Import Checker Clauses Walks.

Set Warnings "-extraction-opaque-accessed".
Extraction "checker.ml" accepts refutes too_far refutes_positions M.

(* What the theorems rest on: make formal refuses any answer but "Closed under the global context". *)

From Cavalcade Require Import Definitions Glinski Schwenk OpenTours Soundness Sat Walks.

Print Assumptions glinski.
Print Assumptions glinski_exactly.
Print Assumptions tour_of_side_closed.
Print Assumptions schwenk.
Print Assumptions open_tours.
Print Assumptions accepts_sound.
Print Assumptions weights_sound.
Print Assumptions refutes_sound.
Print Assumptions too_far_sound.
Print Assumptions refutes_positions_sound.

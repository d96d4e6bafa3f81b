"""Tours too large to be held: the plan knows where the knight is on any step."""

import cavalcade

plan = cavalcade.construct("30000x30000")
assert isinstance(plan, cavalcade.Construction)
print(f"{plan.title}, {len(plan):,} cells, planned in {plan.seconds:.2g} s")
print("step 450,000,000:", plan.cell_at(450_000_000))
print("c4 is visited on step", f"{plan.step_of('c4'):,}")

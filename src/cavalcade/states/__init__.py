"""Frontier search over a graph: one transition from state to state, one driver, many accumulators."""

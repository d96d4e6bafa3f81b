"""A template of an engine: copy it, and add a line to `ask/engines.py`; tests name what is missing.

The docstring states the method, its source and its cost. This engine is a depth-first search: it goes to any
unvisited neighbour, and back if there is none. It takes exponential time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.verdict import Undecided

if TYPE_CHECKING:
    from cavalcade.ground.budget import Budget
    from cavalcade.question.question import Question


def template(question: Question, budget: Budget, *, seed: int = 0) -> NDArray[np.int32] | Undecided:
    """Search for a tour. An engine in `refute/` may also return a proof that there is none.

    Args:
        question: the question; this engine ignores its steps and its symmetry.
        budget: counted work, here neighbours examined; engines never read the clock.
        seed: unused, because no choice is random.

    Returns:
        The cells of a tour, in order, or why none was found.
    """
    graph = question.as_cycle  # every tour of the question is a Hamiltonian cycle of this graph
    rows = [graph.neighbours(v).tolist() for v in range(graph.size)]
    path, onward, visited = [0], [iter(rows[0])], {0}
    while path and budget.spend(1 + len(rows[path[-1]])):
        v = next((w for w in onward[-1] if w not in visited), None)
        if v is None:
            visited.remove(path.pop())
            onward.pop()
            continue
        path.append(v)
        onward.append(iter(rows[v]))
        visited.add(v)
        if len(path) == graph.size and 0 in rows[v]:
            return question.cut(np.array(path, dtype=np.int32))
    return Undecided("not all paths were tried" if path else "no path closes", "TEMPLATE", seed)

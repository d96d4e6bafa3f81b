"""Minimum cuts between all pairs of vertices of a small weighted graph, as a tree.

D. Gusfield (Very simple methods for all pairs network flow analysis, SIAM Journal on Computing 19, 1990), for
the tree of R. E. Gomory and T. C. Hu (1961): each edge of the tree divides the vertices in two, and one of
the divisions between two vertices is a minimum cut between them. Flows are augmented along shortest paths.

Time: n maximum flows of O(m f) steps, where f is the number of augmenting paths, some ten.
"""

from __future__ import annotations

import numpy as np

from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Ints, Mask, Tier, Vector
from cavalcade.question.parts import rows_from

SLICE = 1_000_000  # steps between two checks of the clock, 0.1 s of interpreted work


def cut_tree(n: int, edges: Ints, capacity: Ints, budget: Budget) -> tuple[Mask, Ints]:
    """Return n - 1 cuts that contain a minimum cut between any two vertices.

    Args:
        n: number of vertices.
        edges: ends of the edges, shape (m, 2); the graph need not be connected.
        capacity: capacity of each edge, positive integers.
        budget: the work that may be done.

    Returns:
        A mask of one side of each cut, shape (n - 1, n), and the value of each cut.

    Raises:
        BudgetOverError: the budget is spent.
        TimeoutError: the time limit is reached.
    """
    m = len(edges)
    tails, heads = np.concatenate([edges, edges[:, ::-1]]).T
    order = np.argsort(tails, kind="stable")
    rows = rows_from(n, tails[order], heads[order])
    position = np.argsort(order, kind="stable")  # in the rows, of half-edge i
    twin = position[(order + m) % max(2 * m, 1)]
    tier = Tier(20 * n * (n + 2 * m))  # a flow takes about 20 searches on xor9 graphs
    parent, value = tier.column(n), tier.column(n)
    columns = (
        tier.words(rows.indptr), tier.words(rows.indices), tier.words(twin),
        tier.words(np.tile(capacity, 2)[order]), tier.column(2 * m), parent, value,
        tier.column(n), tier.column(n),
    )  # fmt: skip
    source = 1
    while source < n:
        source, work = tier(_grow_tree)(*columns, source, SLICE)
        budget.charge(work)
    above, values = np.asarray(parent), np.asarray(value)
    sides = np.eye(n, dtype=np.bool_)
    for vertex in range(n):  # every ancestor has the vertex on its side
        ancestor = vertex
        while ancestor:
            ancestor = int(above[ancestor])
            sides[ancestor, vertex] = True
    return sides[1:], values[1:]


def _grow_tree(
    indptr: Vector,
    heads: Vector,
    twin: Vector,
    capacity: Vector,
    residual: Vector,
    parent: Vector,
    value: Vector,
    via: Vector,
    queue: Vector,
    source: int,
    most: int,
) -> tuple[int, int]:
    """Fill in the tree: the parent of each vertex but 0, and the value of the cut between both.

    Args:
        indptr: offsets of the half-edges of each vertex, shape (n + 1,).
        heads: vertex to which each half-edge leads, shape (2m,).
        twin: index of the opposite half-edge, shape (2m,).
        capacity: capacity of each half-edge.
        residual: scratch space for residual capacities, shape (2m,).
        parent: parent of each vertex, all 0 at first.
        value: value of the cut between each vertex and its parent.
        via: scratch space: half-edge by which a search came to each vertex, -2 at the source, -1 if the
            vertex was not reached.
        queue: scratch space: vertices in the order in which a search reached them.
        source: the vertex whose parent is next.
        most: number of steps after which the call ends.

    Returns:
        The vertex whose parent is next, and the number of steps.
    """
    n = len(indptr) - 1
    work = 0
    while source < n and work < most:
        sink = parent[source]
        for i in range(len(capacity)):
            residual[i] = capacity[i]
        flow = 0
        while True:
            # Breadth-first search along half-edges with residual capacity, up to the sink.
            for v in range(n):
                via[v] = -1
            work += n
            via[source] = -2
            queue[0] = source
            first, last = 0, 1
            while first < last and via[sink] == -1:
                v = queue[first]
                first += 1
                work += indptr[v + 1] - indptr[v]
                for i in range(indptr[v], indptr[v + 1]):
                    if residual[i] > 0 and via[heads[i]] == -1:
                        via[heads[i]] = i
                        queue[last] = heads[i]
                        last += 1
            if via[sink] == -1:
                break
            # Augment the flow by the least residual capacity on the path.
            least = residual[via[sink]]
            v = heads[twin[via[sink]]]
            while v != source:
                least = min(least, residual[via[v]])
                v = heads[twin[via[v]]]
            flow += least
            v = sink
            while v != source:
                residual[via[v]] -= least
                residual[twin[via[v]]] += least
                v = heads[twin[via[v]]]
        # The reached vertices are the side of the source in a minimum cut.
        value[source] = flow
        for v in range(n):
            if v != source and via[v] != -1 and parent[v] == sink:
                parent[v] = source
        # If the parent of the sink is on that side, the source takes the place of the sink in the tree.
        if sink != 0 and via[parent[sink]] != -1:
            parent[source] = parent[sink]
            parent[sink] = source
            value[source] = value[sink]
            value[sink] = flow
        source += 1
    return source, work

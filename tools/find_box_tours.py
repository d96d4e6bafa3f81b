"""Find the tours and joins of `cavalcade/data/boxes.json`, which `cavalcade theorem boxes` checks.

    python tools/find_box_tours.py > src/cavalcade/data/boxes.json

Tours come from `cavalcade.tour` with successive seeds. From every state, each step is tried with the existing
tours of its block in all orientations; a join to a known state is preferred. The check does not rely on this
search. A new list needs its digest in `SHA256SUMS` and new tables in `docs/proofs/box-tours.md`
(`tools/print_tours.py`).

Time: seconds.
"""

from __future__ import annotations

import json
import sys
from itertools import count, pairwise, product
from typing import TYPE_CHECKING

import cavalcade
from cavalcade.theorems.boxes import TURNS, TWINS, BoxTours, added, along, needed, turned, twin_edges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.theorems.boxes import Cell, Join, State, Step

MOVES = [m for m in product(range(-2, 3), repeat=3) if sorted(map(abs, m)) == [0, 1, 2]]


def closed_tour(block: Cell, seed: int) -> list[Cell]:
    """Find a closed tour of a block."""
    board = cavalcade.Board.box(*block)
    return _cells(board, cavalcade.tour(board, seed=seed))


def open_tours(block: Cell) -> Iterator[list[Cell]]:
    """Yield open tours of a block whose ends differ by 2 along one axis."""
    board = cavalcade.Board.box(*block)
    for seed, start, axis in ((s, c, a) for s in count() for c in range(0, board.size, 2) for a in range(3)):
        end = int(board.locate(board.coords[start] + along(axis, 2)))
        if end >= 0:
            verdict = cavalcade.tour(board, open=True, start=start, end=end, seed=seed, time_limit=1)
            if verdict.status == "found":
                yield _cells(board, verdict)


def _cells(board: cavalcade.Board, verdict: cavalcade.Verdict) -> list[Cell]:
    if not isinstance(verdict, cavalcade.Found):
        raise TypeError(f"expected a tour, not {verdict}")
    return [(i, j, k) for i, j, k in board.coords[verdict.tour.cells].tolist()]


def joins(first: list[Cell], second: list[Cell]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of edges of two tours, the second closed, that can be joined."""
    index_of = {cell: v for v, cell in enumerate(second)}
    for u, (a, b) in enumerate(pairwise(first if len(first) % 2 else [*first, first[0]])):
        for move in MOVES:
            v = index_of.get(added(a, move), -1)
            for w, edge in ((v - 1, v - 1), (v + 1, v)):
                end = second[w % len(second)]
                if v >= 0 and tuple(x - y for x, y in zip(end, b, strict=True)) in MOVES:
                    yield u, edge % len(second)


def ways(tours: BoxTours, state: State, step: Step, other_tour: int) -> Iterator[Join]:
    """Yield all joins from a state to a tour for a step."""
    (number, edge), (axis, way, part) = state, step
    block = tours.blocks[number]
    next_block, offset = (
        added(block, along(axis, part - block[axis])),
        along(axis, block[axis] if way == 1 else -part),
    )
    for turn in range(len(TURNS)):
        if turned(tours.blocks[other_tour], turn) == next_block:
            cells = [added(turned(cell, turn), offset) for cell in tours.tours[other_tour]]
            yield from ((u, turn, (other_tour, v)) for u, v in joins(tours.tours[number], cells) if u != edge)


def find_all() -> BoxTours:
    """Find tours and joins for all states that occur."""
    first, steps = needed()
    tours = BoxTours([], [], {})
    seeds: dict[Cell, Iterator[int]] = {block: count() for block in steps}
    states: set[State] = set()
    todo: list[State] = []

    def add(block: Cell, cells: list[Cell]) -> int:
        tours.blocks.append(block)
        tours.tours.append(cells)
        return len(tours.tours) - 1

    def reach(state: State) -> State:
        if state not in states:
            states.add(state)
            todo.append(state)
        return state

    for block in sorted(first):
        if block[0] * block[1] * block[2] % 2 == 0:
            while len(list(twin_edges(cells := closed_tour(block, next(seeds[block]))))) < TWINS:
                pass
            reach((add(block, cells), -1))
    for block in sorted(first):
        if block[0] * block[1] * block[2] % 2:
            reach((add(block, next(open_tours(block))), -1))
    while todo:
        number, edge = todo.pop()
        for step in sorted(steps[tours.blocks[number]]):
            block = tuple(
                sorted(added(tours.blocks[number], along(step[0], step[2] - tours.blocks[number][step[0]])))
            )
            options: list[Join] = []
            for other_tour in (n for n in count() if n >= len(tours.blocks) or tours.blocks[n] == block):
                if other_tour == len(tours.blocks):
                    if options:
                        break
                    add(block, closed_tour(block, next(seeds[block])))
                options += ways(tours, (number, edge), step, other_tour)
                if any(state in states for _, _, state in options):
                    break
            best = min(options, key=lambda join: (join[2] not in states, join))
            reach(best[2])
            tours.joins[(number, edge), step] = best
    return tours


def main() -> None:
    """Print the list as JSON."""
    tours = find_all()
    lines = []
    for (i, j, k), cells in zip(tours.blocks, tours.tours, strict=True):
        lines.append(f"[{[i, j, k]}, {[(x * j + y) * k + z for x, y, z in cells]}]")
    rows = [
        [*state, *step, u, turn, *after] for (state, step), (u, turn, after) in sorted(tours.joins.items())
    ]
    about = "Tours of blocks and their joins, from which boxes of all sizes are made: docs/open-boxes.md."
    sys.stdout.write(f'{{"about": {json.dumps(about)},\n"tours": [\n')
    sys.stdout.write(",\n".join(lines) + '\n],\n"joins": [\n' + ",\n".join(map(str, rows)) + "\n]}\n")


if __name__ == "__main__":
    main()

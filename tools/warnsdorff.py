"""The numbers of docs/warnsdorff.md that no command of the package prints, one line each.

    python tools/warnsdorff.py orders 8x8             all orders of the moves, from every cell
    python tools/warnsdorff.py best 8x8               the orders that tour it from every cell, on larger ones
    python tools/warnsdorff.py search hex:6 hex:7     orders of the moves drawn at random, and the best; those
                                                      that tour one board from every cell go on to the next
    python tools/warnsdorff.py chances 8x8            exact chances of random ties, from every cell
    python tools/warnsdorff.py closing 8x8 4x8x8      when the cells next to the start are visited
    python tools/warnsdorff.py starts 50x50           every tie rule, by how far from the edge a walk starts
    python tools/warnsdorff.py boards 64              stacks of up to 64 chessboards, by the papers' programs
    python tools/warnsdorff.py curves OUT.svg DIR...  a picture of surveys with --verb warnsdorff

With --no-count-start the start takes nothing off its neighbours, as in the papers' programs.
`tools/warnsdorff.c` counts orders and chances again, by another method; it shares no code with this
program or the package.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

import cavalcade
from cavalcade.boards.notation import parse_board
from cavalcade.construction.glue import glue
from cavalcade.draw.charts import GRID, INK
from cavalcade.draw.shapes import Letters, Picture, Polyline
from cavalcade.draw.styles import BLUE, GREEN, ORANGE, PURPLE, SKY, WHITE
from cavalcade.draw.svg import written
from cavalcade.find import warnsdorff
from cavalcade.ground.kernels import next_random
from cavalcade.papers.solution3 import filled
from cavalcade.papers.stacks import closed_tour, solution1
from cavalcade.question.parts import hopeful
from cavalcade.question.symmetry import symmetries_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Order = Sequence[int]  # the numbers of the moves, from 0

numba.extending.register_jitable(next_random)
_walk = numba.njit(warnsdorff._walk)  # noqa: SLF001 - the kernel itself
RANKED = warnsdorff._RANKED  # noqa: SLF001
EQUALS = 5040  # a multiple of every number of equals up to ten, and of most beyond


@numba.njit
def _from_cells(starts: Any, indptr: Any, indices: Any, degrees: Any, ranks: Any, counted: bool) -> Any:  # noqa: FBT001
    """How many walks are tours, and how many of these are closed."""
    n = len(indptr) - 1
    tours = closed = 0
    path, never = np.empty(n, np.int32), np.zeros(0, np.int32)
    for start in starts:
        free, seen = degrees.copy(), np.zeros(n, np.int32)
        path[0], seen[start] = start, 1
        row = indices[indptr[start] : indptr[start + 1]]
        if counted:
            free[row] -= 1
        if _walk(indptr, indices, free, 1, n, RANKED, ranks, never, 1, path, seen)[0] == n:
            tours += 1
            closed += (row == path[n - 1]).any()
    return tours, closed


class Walks:
    """The walks from all cells of a board, by any order of the moves."""

    def __init__(self, spec: str, *, counted: bool) -> None:
        self.board, self.counted = parse_board(spec), counted
        self.graph = cavalcade.move_graph(self.board)
        self.vectors = cavalcade.KNIGHT.vectors(self.board)
        step = self.board.coords[self.graph.indices] - self.board.coords[self.graph.tails]
        self.move = (step[:, None] == self.vectors).all(axis=2).argmax(axis=1)

    def by(self, order: Order, starts: Iterable[int] | None = None) -> tuple[int, int]:
        """How many walks by an order, from all cells or some, are tours, and how many of these are closed."""
        rank = np.empty(len(order), np.int32)
        rank[list(order)] = np.arange(len(order))
        graph = self.graph
        cells = np.array(range(graph.size) if starts is None else list(starts))
        found: tuple[int, int] = _from_cells(
            cells,
            graph.indptr,
            graph.indices,
            graph.degrees.astype(np.int32),
            rank[self.move][None],
            self.counted,
        )
        return found

    def alike(self, orders: Iterable[Order]) -> set[tuple[int, ...]]:
        """One order of each class of orders that the symmetries of a square take to one another."""
        turned = [
            self.vectors @ np.diag(signs) @ swap
            for signs in product((1, -1), repeat=2)
            for swap in (np.eye(2, dtype=int), np.eye(2, dtype=int)[::-1])
        ]
        maps = [(one[:, None] == self.vectors).all(axis=2).argmax(axis=1) for one in turned]
        return {min(tuple(to[list(order)].tolist()) for to in maps) for order in orders}


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def named(order: Order) -> str:
    """An order as --order has it."""
    return ("," if len(order) > 9 else "").join(str(move + 1) for move in order)


def orders(spec: str, *, counted: bool) -> None:
    """All orders of the eight moves on a square."""
    walks = Walks(spec, counted=counted)
    found = {order: walks.by(order) for order in permutations(range(8))}
    having = Counter(tours for tours, _ in found.values())
    for what, many in zip(("tours", "closed tours"), np.sum([*found.values()], axis=0), strict=True):
        say(f"{many:,} {what}, a mean of {many / len(found):.3f} from {walks.graph.size} starts")
    for tours, many in sorted(having.items()):
        say(f"{tours} tours: {many:,} orders")
    best = [order for order, (tours, _) in found.items() if tours == max(having)]
    say(f"best up to symmetry: {len(classes := walks.alike(best)):,}, such as {named(min(classes))}")


def best(spec: str, *, counted: bool, seed: int) -> None:
    """Of the orders that tour a square from every cell, one of each class, the best on larger squares.

    First 40 walks from cells drawn at random on squares of sides 50 to 200; the 20 best of these orders then
    have 100 more walks on sides 300 and 400.
    """
    walks, dice = Walks(spec, counted=counted), random.Random(seed)  # noqa: S311 - a sample
    n = walks.graph.size
    found = dict.fromkeys(
        walks.alike(order for order in permutations(range(8)) if walks.by(order)[0] == n), 0
    )
    say(f"{len(found):,} classes of orders tour {spec} from all {n} cells")
    for sides, many in (((50, 100, 150, 200), 40), ((300, 400), 100)):
        for side in sides:
            there = Walks(f"{side}x{side}", counted=counted)
            starts = dice.sample(range(side * side), many)
            tours = {order: there.by(order, starts)[0] for order in found}
            found = {order: before + tours[order] for order, before in found.items()}
            say(f"{side}x{side}: the mean is {100 * sum(tours.values()) / many / len(found):.1f} %")
        found = dict(sorted(found.items(), key=lambda one: -one[1])[:20])
        walked = many * len(sides)
        say(f"most of {walked} more walks: " + ", ".join(f"{named(order)} {k}" for order, k in found.items()))


def search(specs: Sequence[str], *, counted: bool, tries: int, seed: int) -> None:
    """Orders of the moves drawn at random: from how many cells they tour, board by board while from all."""
    dice = random.Random(seed)  # noqa: S311 - a sample
    moves = len(Walks(specs[0], counted=counted).vectors)
    drawn = [dice.sample(range(moves), moves) for _ in range(tries)]
    for spec in specs:
        walks = Walks(spec, counted=counted)
        found, n = [walks.by(order)[0] for order in drawn], walks.graph.size
        mean, most = 100 * sum(found) / n / len(drawn), max(found)
        say(
            f"{spec}, {len(drawn)} orders: {mean:.2f} % of the walks are tours, {found.count(n)} orders tour "
            f"from all {n} cells; the first with most tours, {most}: {named(drawn[found.index(most)])}"
        )
        drawn = [order for order, tours in zip(drawn, found, strict=True) if tours == n]
        if not drawn:
            return


def chances(spec: str, *, counted: bool) -> None:
    """The tree of all ties from each cell, up to symmetry; equal positions are taken together."""
    question = cavalcade.Question.of(spec)
    board, graph = question.board, question.graph
    maps = [one.cells for one in symmetries_of(board, graph)]
    total = Fraction(0)
    for start in range(graph.size):
        orbit = {int(cells[start]) for cells in maps}
        if start == min(orbit):
            tours, closed, ends, chance, closing = tree(graph, start, counted=counted)
            total += len(orbit) * chance
            walks = f"{tours:,} tours, {closed:,} closed, {ends:,} dead ends"
            near = f"chance {chance} = {float(chance):.6f}, of a closed one {float(closing):.6f}"
            say(f"{board.name(start)}, {len(orbit)} alike: {walks}; {near}")
    say(f"mean over all cells: {float(total / graph.size):.6f}")


def tree(
    graph: cavalcade.MoveGraph, start: int, *, counted: bool = True
) -> tuple[int, int, int, Fraction, Fraction]:
    """How many walks with ties by any choice are tours, closed tours, stuck; the chances of the first two.

    Step by step: for every set of visited cells with the last one, how many walks lead there, and with which
    chance, in units of 1 / EQUALS^steps.
    """
    rows = [graph.neighbours(cell).tolist() for cell in range(graph.size)]
    near = [sum(1 << cell for cell in row) for row in rows]
    layer = {(1 << start, start): (1, 1)}
    free_still = 0 if counted else 1 << start
    dead_ends = 0
    for _ in range(1, graph.size):
        after: dict[tuple[int, int], tuple[int, int]] = {}
        for (seen, at), (walks, chance) in layer.items():
            free = ~seen | free_still
            onward = {cell: (near[cell] & free).bit_count() for cell in rows[at] if not seen >> cell & 1}
            if not onward:
                dead_ends += walks
                continue
            fewest = min(onward.values())
            equals = [cell for cell, many in onward.items() if many == fewest]
            for cell in equals:
                key = seen | 1 << cell, cell
                before = after.get(key, (0, 0))
                after[key] = before[0] + walks, before[1] + chance * (EQUALS // len(equals))
        layer = after
    whole = EQUALS ** (graph.size - 1)
    tours = [(walks, chance, at in rows[start]) for (_, at), (walks, chance) in layer.items()]
    closed = [(walks, chance) for walks, chance, closes in tours if closes]
    return (
        sum(walks for walks, *_ in tours),
        sum(walks for walks, _ in closed),
        dead_ends,
        Fraction(sum(chance for _, chance, _ in tours), whole),
        Fraction(sum(chance for _, chance in closed), whole),
    )


def closing(specs: Sequence[str]) -> None:
    """Of the last cells of the tours by `first`, how many are next to the start, which is counted or not."""
    for spec, counted in product(specs, (True, False)):
        graph = cavalcade.Question.of(spec).graph
        last = [1, 2, 4, 8, 16]
        beside, tours, by_chance = Counter[int](), 0, 0.0
        for path in warnsdorff.walks(graph, range(graph.size), count_start=counted):
            if len(path) == graph.size:
                tours += 1
                close = np.isin(path, graph.neighbours(int(path[0])))
                by_chance += close.sum() / (graph.size - 1)
                beside.update({k: int(close[-k:].sum()) for k in last})
        shares = ", ".join(f"{100 * beside[k] / k / tours:.1f} % of {k}" for k in last)
        how = "" if counted else "not "
        chance = f"{100 * by_chance / tours:.1f} %"
        say(
            f"{spec}, the start {how}counted, {tours} tours: next to it are {shares} last; by chance {chance}"
        )


def starts(spec: str) -> None:
    """By each tie rule, the share of walks that are tours, by how far from the edge they start."""
    question = cavalcade.Question.of(spec)
    board, graph = question.board, question.graph
    begins = hopeful(graph)
    away = np.minimum(board.coords, np.array(board.shape) - 1 - board.coords).min(axis=1)[begins]
    for ties in warnsdorff.TIES:
        preferred = warnsdorff.preference(board, graph, ties)
        found = warnsdorff.walks(graph, begins, ties=ties, preference=preferred)
        good = np.array([len(path) == graph.size for path in found])
        said = []
        for low, high in ((0, 0), (1, 1), (2, 4), (5, 9), (10, graph.size)):
            there = good[(low <= away) & (away <= high)]
            if len(there):
                said.append(f"{100 * there.mean():.1f} % from {low} on")
        say(f"{spec}, {ties}: {good.sum()} of {len(good)} are tours; " + ", ".join(said))


def boards(most: int) -> None:
    """Stacks of 1 to so many chessboards, by each program of the papers."""
    chess = cavalcade.Board.box(8, 8)
    for mend in (False, True):
        chains = {name: solution1(most, name, mend=mend) for name in chess.names}
        endless = [name for name, chain in chains.items() if chain.endless]
        reached = Counter(len(chain) - (not chain.complete) for chain in chains.values() if not chain.endless)
        longest = max(len(chain.begins) for chain in chains.values())
        how = "LE where LT is stuck" if mend else "LT alone"
        say(f"Solution #1, {how}: endless from {len(endless)} of 64 squares, after {longest} boards at most")
        if reached:
            say(
                "    the others tour "
                + ", ".join(f"{k} boards from {many}" for k, many in sorted(reached.items()))
            )
    tour = closed_tour("c1")
    glued = [levels for levels in range(2, most + 1) if cavalcade.check(glue(tour, levels=levels).tour)]
    say(f"Solution #2, the closed tour from c1: tours of {len(glued)} stacks of 2 to {most} boards")
    for levels in range(3, most + 1):
        full, tours = filled(levels)
        say(f"Solution #3, {levels} boards: {full} of {64 * levels} starts fill them, {tours} are tours")


def curves(file: str, directories: Sequence[str]) -> None:
    """The share of walks that are tours by the side of the board, a line for each rule, as SVG."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for directory in directories:
        for row in cavalcade.read_survey(directory).rows():
            one = json.loads(str(row["measures"]))
            lines.setdefault(str(row["by"]), []).append((int(row["n"]), one["tours"] / one["walks"]))
    wide, high, left, top = 560.0, 320.0, 50.0, 46.0
    most = max(n for line in lines.values() for n, _ in line)

    def at(n: float, share: float) -> tuple[float, float]:
        return left + wide * n / most, top + high * (1 - share)

    shapes: list[Any] = [
        Letters("title", left + wide / 2, 20, "Walks by Warnsdorff's rule that are tours", 15, INK)
    ]
    for k in range(6):
        shapes.append(Polyline("grid", [[at(0, k / 5), at(most, k / 5)]], GRID, 1))
        shapes.append(Letters("mark", left - 8, at(0, k / 5)[1], f"{20 * k} %", 11, INK, "end"))
    shapes += [Letters("mark", at(n, 0)[0], top + high + 14, str(n), 11, INK) for n in range(0, most + 1, 50)]
    shapes.append(Letters("name", left + wide / 2, top + high + 34, "side of the square", 13, INK))
    ends = sorted((max(line)[1], rule) for rule, line in lines.items())
    place = 1e9
    for colour, (end, rule) in zip(
        (BLUE, ORANGE, PURPLE, GREEN, SKY, INK, "#c8692d", "#8f3a14"), reversed(ends), strict=False
    ):
        shapes.append(Polyline("curve", [[at(n, share) for n, share in sorted(lines[rule])]], colour, 1.8))
        y = at(most, end)[1]
        place = y if place == 1e9 else max(y, place + 14)
        shapes.append(Letters("key", left + wide + 8, place, rule, 12, colour, "start"))
    said = "; ".join(f"{rule}: {100 * end:.0f} % at side {most}" for end, rule in reversed(ends))
    picture = Picture(
        "Walks by Warnsdorff's rule that are tours", said, left + wide + 110, top + high + 50, shapes, WHITE
    )
    Path(file).write_text(written(picture), encoding="utf-8")


def main() -> None:
    """Read the line, and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "what", choices=("orders", "best", "search", "chances", "closing", "starts", "boards", "curves")
    )
    parser.add_argument("words", nargs="+")
    parser.add_argument("--no-count-start", action="store_true")
    parser.add_argument("--tries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    counted, first = not given.no_count_start, given.words[0]
    match given.what:
        case "orders":
            orders(first, counted=counted)
        case "best":
            best(first, counted=counted, seed=given.seed)
        case "search":
            search(given.words, counted=counted, tries=given.tries, seed=given.seed)
        case "chances":
            chances(first, counted=counted)
        case "closing":
            closing(given.words)
        case "starts":
            starts(first)
        case "boards":
            boards(int(first))
        case "curves":
            curves(first, given.words[1:])


if __name__ == "__main__":
    main()

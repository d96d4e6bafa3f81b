"""Print the numbers of docs/warnsdorff.md that no command of the package prints.

    python tools/warnsdorff.py orders 8x8             all orders of the moves, from every cell
    python tools/warnsdorff.py best 8x8               orders that tour it from every cell, on larger boards
    python tools/warnsdorff.py search hex:6 hex:7     random orders of the moves; orders that tour a board
                                                      from every cell are tried on the next board
    python tools/warnsdorff.py chances 8x8            exact probabilities with random ties, from every cell
    python tools/warnsdorff.py closing 8x8 4x8x8      when the cells next to the start are visited
    python tools/warnsdorff.py starts 50x50           every tie rule, by distance of the start from the edge
    python tools/warnsdorff.py wrong 8x8 9x9          how often the wrong turn of a stuck walk is a tie;
                                                      --list prints every wrong turn, --walks the walks as
                                                      input of `./warnsdorff wrong 8 8 counted -`
    python tools/warnsdorff.py boards 64              stacks of up to 64 chessboards, by the papers' programs
    python tools/warnsdorff.py curves OUT.svg DIR...  a picture of surveys with --verb warnsdorff

With --no-count-start the start does not lower the degrees of its neighbours, as in the papers' programs.
`tools/warnsdorff.c` computes orders and probabilities by another method; it shares no code with this program
or the package.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
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
from cavalcade.question.words import TIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Order = Sequence[int]  # indices of moves

numba.extending.register_jitable(next_random)
_walk = numba.njit(warnsdorff._walk)  # noqa: SLF001 - the kernel itself
RANKED = warnsdorff._RANKED  # noqa: SLF001
RULES = ("first", "random", "pohl", "lookahead", "roth", "best-order")
WRONG = ("walks", "stuck", "ties", "saved", "against", "undecided")  # numbers of a row of `wrong`
EQUALS = 5040  # unit of probability: a multiple of 1 to 10 and of most larger numbers of ties


@numba.njit
def _from_cells(starts: Any, indptr: Any, indices: Any, degrees: Any, ranks: Any, counted: bool) -> Any:  # noqa: FBT001
    """Count the walks that are tours, and the closed tours among them."""
    n = len(indptr) - 1
    tours = closed = 0
    path, no_preference = np.empty(n, np.int32), np.zeros(0, np.int32)
    for start in starts:
        free, visited = degrees.copy(), np.zeros(n, np.int32)
        path[0], visited[start] = start, 1
        row = indices[indptr[start] : indptr[start + 1]]
        if counted:
            free[row] -= 1
        if _walk(indptr, indices, free, 1, n, RANKED, ranks, no_preference, 1, path, visited)[0] == n:
            tours += 1
            closed += (row == path[n - 1]).any()
    return tours, closed


class Walks:
    """Walks from the cells of a board, with ties broken by an order of the moves."""

    def __init__(self, spec: str, *, counted: bool) -> None:
        self.board, self.counted = parse_board(spec), counted
        self.graph = cavalcade.move_graph(self.board)
        self.vectors = cavalcade.KNIGHT.vectors(self.board)
        step = self.board.coords[self.graph.indices] - self.board.coords[self.graph.tails]
        self.move = (step[:, None] == self.vectors).all(axis=2).argmax(axis=1)

    def by(self, order: Order, starts: Iterable[int] | None = None) -> tuple[int, int]:
        """Count the walks by an order that are tours, and the closed ones; starts default to all cells."""
        rank = np.empty(len(order), np.int32)
        rank[list(order)] = np.arange(len(order))
        graph = self.graph
        cells = np.array(range(graph.size) if starts is None else list(starts))
        counts: tuple[int, int] = _from_cells(
            cells,
            graph.indptr,
            graph.indices,
            graph.degrees.astype(np.int32),
            rank[self.move][None],
            self.counted,
        )
        return counts

    def alike(self, orders: Iterable[Order]) -> set[tuple[int, ...]]:
        """Return one order of each class under the symmetries of a square."""
        turned = [
            self.vectors @ np.diag(signs) @ swap
            for signs in product((1, -1), repeat=2)
            for swap in (np.eye(2, dtype=int), np.eye(2, dtype=int)[::-1])
        ]
        maps = [(image[:, None] == self.vectors).all(axis=2).argmax(axis=1) for image in turned]
        return {min(tuple(to[list(order)].tolist()) for to in maps) for order in orders}


def say(line: str) -> None:
    """Print a line and flush."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def named(order: Order) -> str:
    """Return an order in the notation of --order."""
    return ("," if len(order) > 9 else "").join(str(move + 1) for move in order)


def orders(spec: str, *, counted: bool) -> None:
    """Report the numbers of tours of all orders of the eight moves."""
    walks = Walks(spec, counted=counted)
    counts_of = {order: walks.by(order) for order in permutations(range(8))}
    orders_by_tours = Counter(tours for tours, _ in counts_of.values())
    for what, number in zip(("tours", "closed tours"), np.sum([*counts_of.values()], axis=0), strict=True):
        say(f"{number:,} {what}, a mean of {number / len(counts_of):.3f} from {walks.graph.size} starts")
    for tours, number in sorted(orders_by_tours.items()):
        say(f"{tours} tours: {number:,} orders")
    best = [order for order, (tours, _) in counts_of.items() if tours == max(orders_by_tours)]
    say(f"best up to symmetry: {len(classes := walks.alike(best)):,}, such as {named(min(classes))}")


def best(spec: str, *, counted: bool, seed: int) -> None:
    """Rank the orders that tour a square from every cell, one per class, by walks on larger squares.

    Each order gets 40 walks from random cells on each square of side 50 to 200. The best 20 orders then get
    100 walks on each square of side 300 and 400.
    """
    walks, dice = Walks(spec, counted=counted), random.Random(seed)  # noqa: S311 - a sample
    n = walks.graph.size
    scores = dict.fromkeys(
        walks.alike(order for order in permutations(range(8)) if walks.by(order)[0] == n), 0
    )
    say(f"{len(scores):,} classes of orders tour {spec} from all {n} cells")
    for sides, number in (((50, 100, 150, 200), 40), ((300, 400), 100)):
        for side in sides:
            larger = Walks(f"{side}x{side}", counted=counted)
            starts = dice.sample(range(side * side), number)
            tours = {order: larger.by(order, starts)[0] for order in scores}
            scores = {order: before + tours[order] for order, before in scores.items()}
            say(f"{side}x{side}: the mean is {100 * sum(tours.values()) / number / len(scores):.1f} %")
        scores = dict(sorted(scores.items(), key=lambda entry: -entry[1])[:20])
        walked = number * len(sides)
        say(
            f"most of {walked} more walks: " + ", ".join(f"{named(order)} {k}" for order, k in scores.items())
        )


def search(specs: Sequence[str], *, counted: bool, tries: int, seed: int) -> None:
    """Draw random orders; report their tours, and keep orders that tour the board from every cell."""
    dice = random.Random(seed)  # noqa: S311 - a sample
    moves = len(Walks(specs[0], counted=counted).vectors)
    drawn = [dice.sample(range(moves), moves) for _ in range(tries)]
    for spec in specs:
        walks = Walks(spec, counted=counted)
        tours_by_order, n = [walks.by(order)[0] for order in drawn], walks.graph.size
        mean, maximum = 100 * sum(tours_by_order) / n / len(drawn), max(tours_by_order)
        winner = drawn[tours_by_order.index(maximum)]
        say(
            f"{spec}, {len(drawn)} orders: {mean:.2f} % of the walks are tours, "
            f"{tours_by_order.count(n)} orders tour from all {n} cells; "
            f"the first with most tours, {maximum}: {named(winner)}"
        )
        drawn = [order for order, tours in zip(drawn, tours_by_order, strict=True) if tours == n]
        if not drawn:
            return


def chances(spec: str, *, counted: bool) -> None:
    """Report the tree of ties from each cell, up to symmetry; equal positions are merged."""
    question = cavalcade.Question.of(spec)
    board, graph = question.board, question.graph
    maps = [symmetry.cells for symmetry in symmetries_of(board, question.piece)]
    total = Fraction(0)
    for start in range(graph.size):
        orbit = {int(cells[start]) for cells in maps}
        if start == min(orbit):
            tours, closed, ends, chance, closing = tree(graph, start, counted=counted)
            total += len(orbit) * chance
            walks = f"{tours:,} tours, {closed:,} closed, {ends:,} dead ends"
            probabilities = f"chance {chance} = {float(chance):.6f}, of a closed one {float(closing):.6f}"
            say(f"{board.name(start)}, {len(orbit)} alike: {walks}; {probabilities}")
    say(f"mean over all cells: {float(total / graph.size):.6f}")


def tree(
    graph: cavalcade.MoveGraph, start: int, *, counted: bool = True
) -> tuple[int, int, int, Fraction, Fraction]:
    """Count tours, closed tours and dead ends over all choices of ties, with the probabilities of tours.

    A layer maps each state, the set of visited cells and the last cell, to its number of walks and to its
    probability in units of 1 / EQUALS^steps.

    Returns:
        Number of tours, closed tours and dead ends; probability of a tour and of a closed tour.
    """
    rows = [graph.neighbours(cell).tolist() for cell in range(graph.size)]
    neighbours = [sum(1 << cell for cell in row) for row in rows]
    layer = {(1 << start, start): (1, 1)}
    not_counted = 0 if counted else 1 << start
    dead_ends = 0
    for _ in range(1, graph.size):
        after: dict[tuple[int, int], tuple[int, int]] = {}
        for (seen, last), (walks, chance) in layer.items():
            free = ~seen | not_counted
            onward = {
                cell: (neighbours[cell] & free).bit_count() for cell in rows[last] if not seen >> cell & 1
            }
            if not onward:
                dead_ends += walks
                continue
            fewest = min(onward.values())
            fewest_cells = [cell for cell, degree in onward.items() if degree == fewest]
            for cell in fewest_cells:
                key = seen | 1 << cell, cell
                previous = after.get(key, (0, 0))
                after[key] = previous[0] + walks, previous[1] + chance * (EQUALS // len(fewest_cells))
        layer = after
    unit = EQUALS ** (graph.size - 1)
    tours = [(walks, chance, last in rows[start]) for (_, last), (walks, chance) in layer.items()]
    closed = [(walks, chance) for walks, chance, closes in tours if closes]
    return (
        sum(walks for walks, *_ in tours),
        sum(walks for walks, _ in closed),
        dead_ends,
        Fraction(sum(chance for _, chance, _ in tours), unit),
        Fraction(sum(chance for _, chance in closed), unit),
    )


def closing(specs: Sequence[str]) -> None:
    """Report the share of the last cells of tours by `first` that are adjacent to the start."""
    for spec, counted in product(specs, (True, False)):
        graph = cavalcade.Question.of(spec).graph
        last_counts = [1, 2, 4, 8, 16]
        adjacent, tours, by_chance = Counter[int](), 0, 0.0
        for path in warnsdorff.walks(graph, range(graph.size), count_start=counted):
            if len(path) == graph.size:
                tours += 1
                is_adjacent = np.isin(path, graph.neighbours(int(path[0])))
                by_chance += is_adjacent.sum() / (graph.size - 1)
                adjacent.update({k: int(is_adjacent[-k:].sum()) for k in last_counts})
        shares = ", ".join(f"{100 * adjacent[k] / k / tours:.1f} % of {k}" for k in last_counts)
        how = "" if counted else "not "
        chance = f"{100 * by_chance / tours:.1f} %"
        say(
            f"{spec}, the start {how}counted, {tours} tours: next to it are {shares} last; by chance {chance}"
        )


def starts(spec: str) -> None:
    """Report the share of tours by tie rule and by distance of the start from the edge."""
    question = cavalcade.Question.of(spec)
    board, graph = question.board, question.graph
    starting_cells = hopeful(graph)
    away = np.minimum(board.coords, np.array(board.shape) - 1 - board.coords).min(axis=1)[starting_cells]
    for ties in TIES:
        preferred = warnsdorff.preference(board, graph, ties)
        paths = warnsdorff.walks(graph, starting_cells, ties=ties, preference=preferred)
        is_tour = np.array([len(path) == graph.size for path in paths])
        shares = []
        for low, high in ((0, 0), (1, 1), (2, 4), (5, 9), (10, graph.size)):
            selected = is_tour[(low <= away) & (away <= high)]
            if len(selected):
                shares.append(f"{100 * selected.mean():.1f} % from {low} on")
        say(f"{spec}, {ties}: {is_tour.sum()} of {len(is_tour)} are tours; " + ", ".join(shares))


def stuck(spec: str, rule: str, *, counted: bool, seed: int) -> tuple[int, list[cavalcade.Tour]]:
    """Walk from every cell where an open tour may begin; return their number, and the stuck walks."""
    board, graph = parse_board(spec), cavalcade.move_graph(parse_board(spec))
    begins = hopeful(graph).tolist()
    ranks = warnsdorff.preference(board, graph, rule)
    paths = warnsdorff.walks(graph, begins, ties=rule, count_start=counted, seed=seed, preference=ranks)
    walks = [cavalcade.Tour(board, path, closed=False) for path in paths if len(path) < graph.size]
    return len(begins), walks


def wrong(specs: Sequence[str], rules: Sequence[str], *, counted: bool, seed: int, listed: bool) -> None:
    """Print how often the wrong turn is a tie, or with `listed` the wrong turn of every walk.

    A row has the board, the rule, and six numbers: walks from starts with a tour, walks that get stuck, wrong
    turns that are ties, ties at which another tied cell leads to a tour, wrong turns at which only a move
    against the rule does, and undecided walks; then the median and the maximum of the steps after a good one.
    The last rows are the sums of each board, of each rule, and of all.
    """
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for spec, rule in product(specs, rules):
        begins, walks = stuck(spec, rule, counted=counted, seed=seed)
        row: Counter[str] = Counter(walks=begins)
        lengths = []
        for walk in walks:
            turn = cavalcade.wrong_turn(walk, open=True, count_start=counted, time_limit=120)
            if listed:
                kept = f"{turn.continuation.kept}{'' if turn.continuation.greatest else '?'}"
                tied, saving = " ".join(turn.tied), " ".join(turn.saving)
                say(f"{walk.names[0]} {len(walk)} {kept} {turn.cell} tied: {tied} tour: {saving}".rstrip())
            if turn.continuation.verdict.status == "impossible":
                row["walks"] -= 1  # no tour begins at the start
                continue
            decided = turn.continuation.greatest
            saved = not {*turn.tied}.isdisjoint(turn.saving)
            row["stuck"] += 1
            row["undecided"] += not decided
            row["ties"] += decided and turn.is_tie
            row["saved"] += decided and turn.is_tie and saved
            row["against"] += decided and not (turn.is_tie and saved)
            lengths.append(len(walk) - turn.continuation.kept)
        for name in (f"{spec} all", f"all {rule}", "all all"):
            totals[name] += row
        steps = f" {np.median(lengths):.0f} {max(lengths)}" if lengths else ""
        say(" ".join([spec, rule, *(str(row[name]) for name in WRONG)]) + steps)
    for name, total in sorted(totals.items(), key=lambda entry: entry[0].startswith("all")):
        say(" ".join([name, *(str(total[number]) for number in WRONG)]))


def boards(limit: int) -> None:
    """Report tours of stacks of 1 to `limit` chessboards by each program of the papers."""
    chess = cavalcade.Board.box(8, 8)
    for mend in (False, True):
        chains = {name: solution1(limit, name, mend=mend) for name in chess.names}
        endless = [name for name, chain in chains.items() if chain.endless]
        reached = Counter(len(chain) - (not chain.complete) for chain in chains.values() if not chain.endless)
        longest = max(len(chain.begins) for chain in chains.values())
        rule = "LE where LT is stuck" if mend else "LT alone"
        say(f"Solution #1, {rule}: endless from {len(endless)} of 64 squares, after {longest} boards at most")
        if reached:
            say(
                "    the others tour "
                + ", ".join(f"{k} boards from {number}" for k, number in sorted(reached.items()))
            )
    tour = closed_tour("c1")
    glued = [levels for levels in range(2, limit + 1) if cavalcade.check(glue(tour, levels=levels).tour)]
    say(f"Solution #2, the closed tour from c1: tours of {len(glued)} stacks of 2 to {limit} boards")
    for levels in range(3, limit + 1):
        full, tours = filled(levels)
        say(f"Solution #3, {levels} boards: {full} of {64 * levels} starts fill them, {tours} are tours")


def curves(file: str, directories: Sequence[str]) -> None:
    """Draw the share of tours by side of the board, one curve per tie rule, as SVG."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for directory in directories:
        for row in cavalcade.read_survey(directory).rows():
            measures = json.loads(str(row["measures"]))
            lines.setdefault(str(row["by"]), []).append(
                (int(row["n"]), measures["tours"] / measures["walks"])
            )
    plot_width, plot_height, margin_left, margin_top = 560.0, 320.0, 50.0, 46.0
    max_side = max(n for line in lines.values() for n, _ in line)

    def place_of(n: float, share: float) -> tuple[float, float]:
        return margin_left + plot_width * n / max_side, margin_top + plot_height * (1 - share)

    shapes: list[Any] = [
        Letters(
            "title", margin_left + plot_width / 2, 20, "Walks by Warnsdorff's rule that are tours", 15, INK
        )
    ]
    for k in range(6):
        shapes.append(Polyline("grid", [[place_of(0, k / 5), place_of(max_side, k / 5)]], GRID, 1))
        shapes.append(Letters("mark", margin_left - 8, place_of(0, k / 5)[1], f"{20 * k} %", 11, INK, "end"))
    shapes += [
        Letters("mark", place_of(n, 0)[0], margin_top + plot_height + 14, str(n), 11, INK)
        for n in range(0, max_side + 1, 50)
    ]
    shapes.append(
        Letters(
            "name", margin_left + plot_width / 2, margin_top + plot_height + 34, "side of the square", 13, INK
        )
    )
    ends = sorted((max(line)[1], rule) for rule, line in lines.items())
    place = 1e9
    for colour, (end, rule) in zip(
        (BLUE, ORANGE, PURPLE, GREEN, SKY, INK, "#c8692d", "#8f3a14"), reversed(ends), strict=False
    ):
        shapes.append(
            Polyline("curve", [[place_of(n, share) for n, share in sorted(lines[rule])]], colour, 1.8)
        )
        y = place_of(max_side, end)[1]
        place = y if place == 1e9 else max(y, place + 14)
        shapes.append(Letters("key", margin_left + plot_width + 8, place, rule, 12, colour, "start"))
    description = "; ".join(f"{rule}: {100 * end:.0f} % at side {max_side}" for end, rule in reversed(ends))
    picture = Picture(
        "Walks by Warnsdorff's rule that are tours",
        description,
        margin_left + plot_width + 110,
        margin_top + plot_height + 50,
        shapes,
        WHITE,
    )
    Path(file).write_text(written(picture), encoding="utf-8")


def main() -> None:
    """Parse the command line and run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "what",
        choices=("orders", "best", "search", "chances", "closing", "starts", "wrong", "boards", "curves"),
    )
    parser.add_argument("words", nargs="+")
    parser.add_argument("--no-count-start", action="store_true")
    parser.add_argument("--tries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ties", nargs="+", default=RULES)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--walks", action="store_true")
    options = parser.parse_args()
    counted, first = not options.no_count_start, options.words[0]
    match options.what:
        case "orders":
            orders(first, counted=counted)
        case "best":
            best(first, counted=counted, seed=options.seed)
        case "search":
            search(options.words, counted=counted, tries=options.tries, seed=options.seed)
        case "chances":
            chances(first, counted=counted)
        case "closing":
            closing(options.words)
        case "starts":
            starts(first)
        case "wrong" if options.walks:
            for spec, rule in product(options.words, options.ties):
                for walk in stuck(spec, rule, counted=counted, seed=options.seed)[1]:
                    say(" ".join(map(str, walk.cells.tolist())))
        case "wrong":
            wrong(options.words, options.ties, counted=counted, seed=options.seed, listed=options.list)
        case "boards":
            boards(int(first))
        case "curves":
            curves(first, options.words[1:])


if __name__ == "__main__":
    main()

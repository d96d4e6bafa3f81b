"""Mutation test of the finite checks of the theorems: every refusal is needed.

The test removes each `raise` statement of `cavalcade.theorems` in turn. For each statement there is a damaged
list that the full check refuses there, and that the check without the statement accepts. The checks read the
lists alone; they build no tours of whole boards.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from functools import cache
from itertools import count, islice
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from cavalcade.boards.hexagonal import hex_leap
from cavalcade.theorems import boxes as box_check
from cavalcade.theorems import facts

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = Path(facts.__file__).parent
MODULES = ("facts", "glinski", "hexagonal", "boxes")  # in the order of their imports
MODULE_OF = {"glinski": "glinski", "triangles": "hexagonal", "parallelograms": "hexagonal", "boxes": "boxes"}
MODULE_OF["hexagons"] = "hexagonal"
Site: TypeAlias = tuple[str, int]  # module, and line of the statement
Damage: TypeAlias = tuple[
    str, str | None
]  # theorem, and list; None stands for a packaged list with another digest
SOURCES = {name: (HOME / f"{name}.py").read_text(encoding="utf-8") for name in MODULES}
SITES: dict[Site, ast.Raise] = {
    (name, node.lineno): node
    for name, source in SOURCES.items()
    for node in ast.walk(ast.parse(source))
    if isinstance(node, ast.Raise)
}
LISTS = {name: facts.packaged(name) for name in ("glinski", "hexagonal", "boxes")}
HEXAGON, SHAPES, BOXES = map(json.loads, LISTS.values())
NEEDED = box_check.needed()  # does not depend on the list, and refuses nothing
HEX_MOVES = hex_leap(1, 2)


class Without(ast.NodeTransformer):
    """Replace the `raise` statement of a line by `pass`."""

    def __init__(self, line: int) -> None:
        self.line = line

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        """Remove the statement if it is on the line."""
        return ast.copy_location(ast.Pass(), node) if node.lineno == self.line else node


@cache
def compiled(name: str, line: int | None) -> CodeType:
    """Compile a module, without the `raise` statement of a line if one is given."""
    tree = ast.parse(SOURCES[name])
    if line is not None:
        tree = Without(line).visit(tree)
    return compile(tree, str(HOME / f"{name}.py"), "exec")


def refused(damage: Damage, tmp_path: Path, without: Site | None = None) -> Exception | None:
    """Return the exception that a damaged list raises, optionally without one of the refusals, or None."""
    theorem, text = damage
    originals = {name: sys.modules.get(f"cavalcade.theorems.{name}") for name in MODULES}
    try:
        modules = {}
        for name in MODULES:
            module = modules[name] = ModuleType(f"cavalcade.theorems.{name}")
            sys.modules[module.__name__] = module
            line = without[1] if without and without[0] == name else None
            exec(compiled(name, line), vars(module))  # noqa: S102 - our own source
            for built in [key for key in vars(module) if key.startswith("BUILT")]:
                setattr(module, built, [])
        vars(modules["boxes"])["needed"] = lambda: NEEDED
        if text is None:
            modules["facts"].files = lambda _: tmp_path  # type: ignore[attr-defined]
        with modules["facts"].reading():  # exceptions pass through
            list(getattr(modules[MODULE_OF[theorem]], theorem).__wrapped__(text))
    except Exception as error:  # noqa: BLE001 - without a refusal, later code may raise anything
        return error
    finally:
        sys.modules.update(
            {f"cavalcade.theorems.{name}": module for name, module in originals.items() if module}
        )
    return None


def sites(error: BaseException | None) -> Iterator[Site]:
    """Yield the places where an error and its contexts were raised."""
    while error is not None:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        assert trace is not None
        path = Path(trace.tb_frame.f_code.co_filename)
        for (name, line), node in SITES.items():
            if path == HOME / f"{name}.py" and line <= trace.tb_lineno <= (node.end_lineno or line):
                yield name, line
        error = error.__context__


# ---- damaged lists


def damaged(theorem: str, **changes: Any) -> Iterator[Damage]:
    """Yield a list with other values at the given paths, whose keys are joined by `__`."""
    data = json.loads(LISTS[MODULE_OF[theorem]])
    for path, value in changes.items():
        *keys, last = path.split("__")
        target = data
        for key in keys:
            target = target[key]
        target[last] = value
    yield theorem, json.dumps(data)


def hex_damages() -> Iterator[Damage]:
    """Yield damaged lists of boards of hexagonal cells."""
    board = HEXAGON["boards"]["8"]  # the tour begins and ends at the entrance
    yield from damaged("glinski", boards__8=board[:50] + board[48:])
    swapped = [*board[:50], board[51], board[50], *board[52:]]
    yield from damaged("glinski", boards__8=swapped)
    for index, ((q, r), _, (s, t)) in enumerate(zip(board, board[1:], board[2:], strict=False)):
        if (
            0 < index < len(board) - 3 and (s - q, t - r) in HEX_MOVES
        ):  # a cell removed, the others still joined by moves
            yield from damaged("glinski", boards__8=board[: index + 1] + board[index + 2 :])
            break
    yield from damaged("glinski", boards__8=[[-r, q + r] for q, r in board])  # rotated
    yield from damaged("glinski", edges__inward=HEXAGON["edges"]["inward"][::-1])
    yield from damaged("glinski", edges__inward=[[1.0, 1], [0, 3]])
    yield "glinski", "{}"
    yield "triangles", "{}"
    yield "glinski", None
    yield from damaged("parallelograms", centre__left=SHAPES["centre"]["entered"])
    yield from damaged("parallelograms", three__cut=[[2, 3], [1, 3]])
    yield from damaged("parallelograms", three__apart=[[2, 1], [1, 0]])
    yield from damaged("triangles", cuts__7=SHAPES["cuts"]["7"][:1])


def box_damages() -> Iterator[Damage]:
    """Yield damaged lists of boxes, two for each kind of damage that may cause a second fault."""
    rows, tours = BOXES["joins"], BOXES["tours"]
    yield "boxes", "{}"
    yield from damaged("boxes", joins=[*rows, [1, 2, 3]])
    sides, cells = tours[0]
    yield from damaged("boxes", tours=[[sides, [float(cells[0]), *cells[1:]]], *tours[1:]])
    yield from damaged("boxes", joins=rows[1:])
    odd = max(number for number, (_, cells) in enumerate(tours) if len(cells) % 2)
    replaced = [
        *tours[:odd],
        tours[odd - 1],
        *tours[odd + 1 :],
    ]  # no join leads to this block, whose sides are all odd
    yield from damaged("boxes", tours=replaced, joins=[row for row in rows if row[0] != odd])
    yield from few_twins()
    for tour_damage in (back_and_forth, exchanged, outside, another_end):
        for number, cells in islice(tour_damage(), 2):
            changed = [*tours[:number], [tours[number][0], cells], *tours[number + 1 :]]
            yield from damaged("boxes", tours=changed)
    for join_damage in (no_join, no_edge, no_other_edge, another_size, used_edge):
        for index, row in islice(join_damage(), 2):
            yield from damaged("boxes", joins=[*rows[:index], row, *rows[index + 1 :]])


# Damaged tours of blocks: number and cells. The edges that joins use stay.


def free() -> Iterator[tuple[int, list[int], list[int], set[int]]]:
    """Yield the number, sides, cells and unused edges of the tours with an even number of cells."""
    used = {(n, e) for n, m, *_, u, _, k, v in BOXES["joins"] for n, e in [(n, m), (n, u), (k, v)]}
    for number, (sides, cells) in enumerate(BOXES["tours"]):
        if len(cells) % 2 == 0:
            yield number, sides, cells, {u for u in range(len(cells)) if (number, u) not in used}


def back_and_forth() -> Iterator[tuple[int, list[int]]]:
    for number, _, cells, edges in free():
        if len(cells) - 1 in edges:
            yield number, cells + cells[-2:]


def exchanged() -> Iterator[tuple[int, list[int]]]:
    for number, _, cells, edges in free():
        for index in range(1, len(cells) - 2):
            if {index - 1, index, index + 1} <= edges:
                yield number, [*cells[:index], cells[index + 1], cells[index], *cells[index + 2 :]]
                break


def outside() -> Iterator[tuple[int, list[int]]]:
    """Replace a cell by a cell in front of the block, a move from both of its neighbours."""
    for number, sides, cells, edges in free():
        for index in range(1, len(cells) - 1):
            for n in range(-sides[1] * sides[2], 0) if {index - 1, index} <= edges else ():
                if is_move(sides, cells[index - 1], n) and is_move(sides, n, cells[index + 1]):
                    yield number, [*cells[:index], n, *cells[index + 1 :]]


def another_end() -> Iterator[tuple[int, list[int]]]:
    """Close the end of a tour to an earlier cell, and reverse the rest."""
    for number, (sides, cells) in enumerate(BOXES["tours"]):
        used = [row[5] for row in BOXES["joins"] if row[0] == number]
        for index in range(max(used) + 1, len(cells) - 2) if len(cells) % 2 else ():
            if is_move(sides, cells[index], cells[-1]) and gaps(sides, cells[0], cells[index + 1]) != [
                0,
                0,
                2,
            ]:
                yield number, cells[: index + 1] + cells[:index:-1]


# Damaged joins: index of the row, and the row.


def no_join() -> Iterator[tuple[int, list[int]]]:
    for index, row in enumerate(BOXES["joins"]):
        if row[1] != row[5] + 1 < len(BOXES["tours"][row[0]][1]) - 1:
            yield index, [*row[:5], row[5] + 1, *row[6:]]


def no_edge() -> Iterator[tuple[int, list[int]]]:
    """Name the last edge by -1."""
    for index, row in enumerate(BOXES["joins"]):
        if row[5] == len(BOXES["tours"][row[0]][1]) - 1:
            yield index, [*row[:5], -1, *row[6:]]


def no_other_edge() -> Iterator[tuple[int, list[int]]]:
    """Name the last edge of the other tour by -1, so that none of its edges seems used."""
    for index, row in enumerate(BOXES["joins"]):
        if row[8] == len(BOXES["tours"][row[7]][1]) - 1:
            yield index, [*row[:8], -1]


def another_size() -> Iterator[tuple[int, list[int]]]:
    """Append a block with a side of 4 in place of a side of 6."""
    row_of = {tuple(row[:5]): row for row in BOXES["joins"]}
    for index, row in enumerate(BOXES["joins"]):
        if row[3:5] == [1, 6]:
            yield index, [*row[:5], *row_of[(*row[:3], 1, 4)][5:]]


def used_edge() -> Iterator[tuple[int, list[int]]]:
    """Copy the join of another state, by an edge that this state has lost."""
    for index, row in enumerate(BOXES["joins"]):
        for other_row in BOXES["joins"]:
            if [other_row[0], *other_row[2:6]] == [row[0], *row[2:5], row[1]]:
                yield index, [*row[:5], *other_row[5:]]


def gaps(sides: list[int], a: int, b: int) -> list[int]:
    """Return the sorted coordinate differences of two cells."""
    _, j, k = sides
    first, second = ((n // (j * k), n // k % j, n % k) for n in (a, b))
    return sorted(abs(x - y) for x, y in zip(first, second, strict=True))


def is_move(sides: list[int], a: int, b: int) -> bool:
    """Return whether two cells are a knight move apart."""
    return gaps(sides, a, b) == [0, 1, 2]


def few_twins() -> Iterator[Damage]:
    """Add a first tour of a block that has all joins, but too few twins."""
    finder = find_box_tours()
    list_ = box_check.read(json.dumps(BOXES))
    block, new = (2, 3, 4), len(list_.tours)
    states = {join[2] for join in list_.joins.values()}
    steps = box_check.needed()[1][block]
    for seed in count():
        cells = finder.closed_tour(block, seed)
        if len(list(box_check.twin_edges(cells))) >= box_check.TWINS:
            continue
        box_tours = box_check.BoxTours([*list_.blocks, block], [*list_.tours, cells], {})
        ways = [
            [
                way
                for earlier in range(new)
                for way in finder.ways(box_tours, (new, -1), step, earlier)
                if way[2] in states
            ]
            for step in steps
        ]
        if all(ways):
            break
    rows = [
        [0, -1, *step, u, turn, after[0] + 1, after[1]]
        for step, ((u, turn, after), *_) in zip(steps, ways, strict=True)
    ]
    for number, edge, axis, way, part, u, turn, earlier, v in BOXES["joins"]:
        rows.append([number + 1, edge, axis, way, part, u, turn, earlier + 1, v])
    numbers = [(x * 3 + y) * 4 + z for x, y, z in cells]
    yield from damaged("boxes", tours=[[list(block), numbers], *BOXES["tours"]], joins=rows)


def find_box_tours() -> Any:
    path = Path(__file__).parent.parent / "tools" / "find_box_tours.py"
    spec = importlib.util.spec_from_file_location("find_box_tours", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- the test


@pytest.fixture(scope="module")
def other_digest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the packaged lists, one of which ends with an additional line."""
    home = tmp_path_factory.mktemp("packaged")
    (home / "data").mkdir()
    for path in filter(Path.is_file, (HOME.parent / "data").iterdir()):
        text = path.read_text(encoding="utf-8")
        (home / "data" / path.name).write_text(text + "\n" * (path.name == "glinski.json"), encoding="utf-8")
    return home


def test_every_refusal_is_needed(other_digest: Path) -> None:
    alive = set(SITES)
    for damage in [*hex_damages(), *box_damages()]:
        error = refused(damage, other_digest)
        assert type(error).__name__ == "Fault", str(damage[1])[:80]
        for site in set(sites(error)) & alive:
            instead = refused(damage, other_digest, without=site)
            reader = "cannot be read" in ast.dump(
                SITES[site]
            )  # without this refusal other exceptions may follow
            if instead is None or (reader and type(instead).__name__ != "Fault"):
                alive.remove(site)
    assert not alive, sorted(alive)

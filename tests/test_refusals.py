"""The finite checks of the theorems, mutated: every refusal is needed, and is seen to refuse.

Each statement of `cavalcade.theorems` that raises is put out of action, one at a time. For each there is a
damaged list that the true check refuses there, and that the check without it accepts. Whole boards are not
walked for this: what the proofs take from the lists has to do without.
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
MODULES = ("facts", "glinski", "hexagonal", "boxes")  # in the order in which they import one another
MODULE_OF = {"glinski": "glinski", "triangles": "hexagonal", "parallelograms": "hexagonal", "boxes": "boxes"}
MODULE_OF["hexagons"] = "hexagonal"
Site: TypeAlias = tuple[str, int]  # module, and line of the statement
Damage: TypeAlias = tuple[str, str | None]  # theorem, and list; None is the packaged one, with another digest
SOURCES = {name: (HOME / f"{name}.py").read_text(encoding="utf-8") for name in MODULES}
SITES: dict[Site, ast.Raise] = {
    (name, node.lineno): node
    for name, source in SOURCES.items()
    for node in ast.walk(ast.parse(source))
    if isinstance(node, ast.Raise)
}
LISTS = {name: facts.packaged(name) for name in ("glinski", "hexagonal", "boxes")}
HEXAGON, SHAPES, BOXES = map(json.loads, LISTS.values())
NEEDED = box_check.needed()  # is not told what the list holds, and refuses nothing
HEX_MOVES = hex_leap(1, 2)


class Without(ast.NodeTransformer):
    """A module without the statement that raises on this line."""

    def __init__(self, line: int) -> None:
        self.line = line

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        """Ast's name for what is done to such a statement."""
        return ast.copy_location(ast.Pass(), node) if node.lineno == self.line else node


@cache
def code(name: str, line: int | None) -> CodeType:
    """A module, compiled; without the statement that raises on this line."""
    tree = ast.parse(SOURCES[name])
    if line is not None:
        tree = Without(line).visit(tree)
    return compile(tree, str(HOME / f"{name}.py"), "exec")


def refused(damage: Damage, tmp_path: Path, without: Site | None = None) -> Exception | None:
    """What the checks raise on a damaged list, one of their refusals put out of action, or None."""
    theorem, text = damage
    before = {name: sys.modules.get(f"cavalcade.theorems.{name}") for name in MODULES}
    try:
        loaded = {}
        for name in MODULES:
            module = loaded[name] = ModuleType(f"cavalcade.theorems.{name}")
            sys.modules[module.__name__] = module
            line = without[1] if without and without[0] == name else None
            exec(code(name, line), vars(module))  # noqa: S102 - our own source
            for built in (one for one in vars(module) if one.startswith("BUILT")):
                setattr(module, built, [])
        vars(loaded["boxes"])["needed"] = lambda: NEEDED
        if text is None:
            loaded["facts"].files = lambda _: tmp_path  # type: ignore[attr-defined]
        with loaded["facts"].reading():  # the check alone: what is raised comes through
            list(getattr(loaded[MODULE_OF[theorem]], theorem).__wrapped__(text))
    except Exception as error:  # noqa: BLE001 - also what breaks down where a refusal is missing
        return error
    finally:
        sys.modules.update({f"cavalcade.theorems.{name}": one for name, one in before.items() if one})
    return None


def sites(error: BaseException | None) -> Iterator[Site]:
    """Where an error was raised, and those that it was raised for."""
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
    """A list in which what stands at these paths, the keys joined by `__`, is another."""
    data = json.loads(LISTS[MODULE_OF[theorem]])
    for path, value in changes.items():
        *keys, last = path.split("__")
        at = data
        for key in keys:
            at = at[key]
        at[last] = value
    yield theorem, json.dumps(data)


def hex_damages() -> Iterator[Damage]:
    """Of the lists of boards of hexagonal cells."""
    board = HEXAGON["boards"]["8"]  # begins and ends with its entrance
    yield from damaged("glinski", boards__8=board[:50] + board[48:])
    swapped = [*board[:50], board[51], board[50], *board[52:]]
    yield from damaged("glinski", boards__8=swapped)
    for at, ((q, r), _, (s, t)) in enumerate(zip(board, board[1:], board[2:], strict=False)):
        if 0 < at < len(board) - 3 and (s - q, t - r) in HEX_MOVES:  # a cell left out, by moves all the same
            yield from damaged("glinski", boards__8=board[: at + 1] + board[at + 2 :])
            break
    yield from damaged("glinski", boards__8=[[-r, q + r] for q, r in board])  # turned
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
    """Of the list of boxes. Those that may turn out to be damaged in two ways at once are given twice."""
    rows, tours = BOXES["joins"], BOXES["tours"]
    yield "boxes", "{}"
    yield from damaged("boxes", joins=[*rows, [1, 2, 3]])
    sides, cells = tours[0]
    yield from damaged("boxes", tours=[[sides, [float(cells[0]), *cells[1:]]], *tours[1:]])
    yield from damaged("boxes", joins=rows[1:])
    odd = max(number for number, (_, cells) in enumerate(tours) if len(cells) % 2)
    others = [*tours[:odd], tours[odd - 1], *tours[odd + 1 :]]  # nothing leads to this block, all sides odd
    yield from damaged("boxes", tours=others, joins=[row for row in rows if row[0] != odd])
    yield from few_twins()
    for kind in (to_and_fro, exchanged, outside, another_end):
        for number, cells in islice(kind(), 2):
            changed = [*tours[:number], [tours[number][0], cells], *tours[number + 1 :]]
            yield from damaged("boxes", tours=changed)
    for other in (no_join, no_edge, no_other_edge, another_size, used_edge):
        for at, row in islice(other(), 2):
            yield from damaged("boxes", joins=[*rows[:at], row, *rows[at + 1 :]])


# tours of blocks: number, and cells; the edges that joins need are kept


def free() -> Iterator[tuple[int, list[int], list[int], set[int]]]:
    """Tours with an even number of cells, their sides, and the edges that no join uses."""
    used = {(n, e) for n, m, *_, u, _, k, v in BOXES["joins"] for n, e in [(n, m), (n, u), (k, v)]}
    for number, (sides, cells) in enumerate(BOXES["tours"]):
        if len(cells) % 2 == 0:
            yield number, sides, cells, {u for u in range(len(cells)) if (number, u) not in used}


def to_and_fro() -> Iterator[tuple[int, list[int]]]:
    for number, _, cells, edges in free():
        if len(cells) - 1 in edges:
            yield number, cells + cells[-2:]


def exchanged() -> Iterator[tuple[int, list[int]]]:
    for number, _, cells, edges in free():
        for at in range(1, len(cells) - 2):
            if {at - 1, at, at + 1} <= edges:
                yield number, [*cells[:at], cells[at + 1], cells[at], *cells[at + 2 :]]
                break


def outside() -> Iterator[tuple[int, list[int]]]:
    """Another cell between two others, in front of the block."""
    for number, sides, cells, edges in free():
        for at in range(1, len(cells) - 1):
            for n in range(-sides[1] * sides[2], 0) if {at - 1, at} <= edges else ():
                if is_move(sides, cells[at - 1], n) and is_move(sides, n, cells[at + 1]):
                    yield number, [*cells[:at], n, *cells[at + 1 :]]


def another_end() -> Iterator[tuple[int, list[int]]]:
    """From the last cell to an earlier one, and the rest backwards."""
    for number, (sides, cells) in enumerate(BOXES["tours"]):
        used = [row[5] for row in BOXES["joins"] if row[0] == number]
        for at in range(max(used) + 1, len(cells) - 2) if len(cells) % 2 else ():
            if is_move(sides, cells[at], cells[-1]) and gaps(sides, cells[0], cells[at + 1]) != [0, 0, 2]:
                yield number, cells[: at + 1] + cells[:at:-1]


# joins: which row, and the row


def no_join() -> Iterator[tuple[int, list[int]]]:
    for at, row in enumerate(BOXES["joins"]):
        if row[1] != row[5] + 1 < len(BOXES["tours"][row[0]][1]) - 1:
            yield at, [*row[:5], row[5] + 1, *row[6:]]


def no_edge() -> Iterator[tuple[int, list[int]]]:
    """The last edge, counted from behind."""
    for at, row in enumerate(BOXES["joins"]):
        if row[5] == len(BOXES["tours"][row[0]][1]) - 1:
            yield at, [*row[:5], -1, *row[6:]]


def no_other_edge() -> Iterator[tuple[int, list[int]]]:
    """The same of the other tour, so that none seems to be used of it."""
    for at, row in enumerate(BOXES["joins"]):
        if row[8] == len(BOXES["tours"][row[7]][1]) - 1:
            yield at, [*row[:8], -1]


def another_size() -> Iterator[tuple[int, list[int]]]:
    """A block with a side of 4 follows instead of one with a side of 6."""
    found = {tuple(row[:5]): row for row in BOXES["joins"]}
    for at, row in enumerate(BOXES["joins"]):
        if row[3:5] == [1, 6]:
            yield at, [*row[:5], *found[(*row[:3], 1, 4)][5:]]


def used_edge() -> Iterator[tuple[int, list[int]]]:
    """The join of another state, by the edge that this one has lost."""
    for at, row in enumerate(BOXES["joins"]):
        for one in BOXES["joins"]:
            if [one[0], *one[2:6]] == [row[0], *row[2:5], row[1]]:
                yield at, [*row[:5], *one[5:]]


def gaps(sides: list[int], a: int, b: int) -> list[int]:
    """How far the cells with these numbers are apart, in order."""
    _, j, k = sides
    one, other = ((n // (j * k), n // k % j, n % k) for n in (a, b))
    return sorted(abs(x - y) for x, y in zip(one, other, strict=True))


def is_move(sides: list[int], a: int, b: int) -> bool:
    """Whether the cells with these numbers are a move apart."""
    return gaps(sides, a, b) == [0, 1, 2]


def few_twins() -> Iterator[Damage]:
    """A block begins with a tour of its own, which has all joins, but few twins."""
    tool = find_box_tours()
    list_ = box_check.read(json.dumps(BOXES))
    block, new = (2, 3, 4), len(list_.tours)
    known = {join[2] for join in list_.joins.values()}
    steps = box_check.needed()[1][block]
    for seed in count():
        cells = tool.closed_tour(block, seed)
        if len(list(box_check.twin_edges(cells))) >= box_check.TWINS:
            continue
        one = box_check.BoxTours([*list_.blocks, block], [*list_.tours, cells], {})
        ways = [
            [way for other in range(new) for way in tool.ways(one, (new, -1), step, other) if way[2] in known]
            for step in steps
        ]
        if all(ways):
            break
    rows = [
        [0, -1, *step, u, turn, after[0] + 1, after[1]]
        for step, ((u, turn, after), *_) in zip(steps, ways, strict=True)
    ]
    for number, edge, axis, way, part, u, turn, other, v in BOXES["joins"]:
        rows.append([number + 1, edge, axis, way, part, u, turn, other + 1, v])
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
    """The packaged lists, one of them with one more line."""
    home = tmp_path_factory.mktemp("packaged")
    (home / "data").mkdir()
    for path in (HOME.parent / "data").iterdir():
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
            reader = "cannot be read" in ast.dump(SITES[site])  # without it there may be nothing to check
            if instead is None or (reader and type(instead).__name__ != "Fault"):
                alive.remove(site)
    assert not alive, sorted(alive)

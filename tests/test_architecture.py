"""The architecture as rules on imports, including lazy imports and imports for type checkers."""

from __future__ import annotations

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import cavalcade
from cavalcade.ground.above import _homes, above
from quick import STRONG, files

SOURCE = Path(cavalcade.__file__).parent
BOARDS = {"ground", "boards"}
ASKED_FOR = BOARDS | {"question"}
ANSWERS = ASKED_FOR | {"answers"}
SHARED = ANSWERS | {"cycles", "states"}
ENGINES = {"find", "refute", "construction", "counting"}
CHECKED = ANSWERS | {"checking"}
EXPLAINED = CHECKED | {"explaining"}
ASKED = SHARED | ENGINES | EXPLAINED | {"ask"}
DRAWN = ASKED | {"theorems", "draw"}
FACES = DRAWN | {"formats"}
FACE = FACES | {"papers", "puzzles", "surveys", "studio"}

# each room, from the ground up, and the rooms that it may import besides itself
ROOMS: dict[str, set[str]] = {
    "ground": set(),
    "boards": {"ground"},
    "question": BOARDS,
    "answers": ASKED_FOR,
    "checking": ANSWERS,
    "explaining": CHECKED,
    "cycles": {"ground"},
    "states": ASKED_FOR,
    "find": SHARED,
    "construction": SHARED | {"find"},
    "refute": SHARED | {"find"},
    "counting": SHARED | {"find", "checking"},  # of `checking` only `verification`: it counts again
    "ask": ASKED - {"ask"},
    "theorems": CHECKED,
    "draw": DRAWN - {"draw"},
    "formats": DRAWN,
    "papers": FACES,
    "puzzles": ASKED,
    "surveys": FACES,
    "studio": FACES | {"puzzles"},
    "__init__": FACE,
    "cli": FACE | {"__init__"},
    "__main__": {"cli", "ground"},
}
MOST_ROOMS = 25
# functions of `find` that other engines may import
DOORS = {
    ("construction", "join.join"),
    ("refute", "join.join_cycles"),
    ("refute", "join.rejoined"),
    ("refute", "shortening.shorten"),
    ("refute", "two_factor.two_factor"),
    ("refute", "join.stuck_cover"),
    ("counting", "numbered.numbered_tours"),
    ("refute", "cycle_cover.cycle_cover"),
}


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """The imports and the classes of all modules."""
    kinds, paths = (ast.Import, ast.ImportFrom, ast.ClassDef), sorted(SOURCE.rglob("*.py"))
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    return {
        path: [node for node in ast.walk(tree) if isinstance(node, kinds)] for path, tree in trees.items()
    }


@cache
def imports() -> list[tuple[str, str, str]]:
    """All imports within the package: module, imported module (`__init__` for `cavalcade`), name."""
    imported = []
    for path, syntax in nodes().items():
        module = dotted(path)
        for node in syntax:
            if isinstance(node, ast.Import):
                named = [(alias.name, "") for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                named = [(node.module or "", alias.name) for alias in node.names]
            else:
                continue
            for source, name in named:
                package, _, inside = source.partition(".")
                if package == "cavalcade":
                    imported.append((module, *target(inside, name)))
    return imported


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def target(inside: str, name: str) -> tuple[str, str]:
    """The module that an import reads (`__init__` for a package), and the name inside that module."""
    for module, rest in ((f"{inside}.{name}".strip("."), ""), (inside, name)):
        home = SOURCE.joinpath(*module.split("."))
        if home.with_suffix(".py").exists():
            return module, rest
        if home.is_dir():
            return f"{module}.__init__".strip("."), rest
    raise AssertionError(f"no module cavalcade.{inside} for {name}")


def room(module: str) -> str:
    return module.partition(".")[0]


def test_each_room_stands_on_rooms_before_it() -> None:
    rooms = list(ROOMS)
    assert [
        (name, ROOMS[name] - set(rooms[:i])) for i, name in enumerate(rooms) if ROOMS[name] - set(rooms[:i])
    ] == []
    assert {room(dotted(path)) for path in nodes()} <= set(ROOMS)
    assert len(ROOMS) <= MOST_ROOMS


def test_every_room_has_a_strong_test_file() -> None:
    """`make quick` tests every room; see tests/quick.py for what makes a file strong."""
    assert set(STRONG) == set(ROOMS)
    assert [path for path in files() if not Path(path).exists()] == []


def test_rooms_import_what_is_below_them() -> None:
    wrong = [
        f"{module} imports {name} from {source}"
        for module, source, name in imports()
        if room(source) not in ROOMS[room(module)] | {room(module)}
    ]
    assert not wrong, "\n".join(wrong)


def test_engines_share_only_what_is_named() -> None:
    taken = {
        (room(module), f"{source.removeprefix('find.')}.{name}")
        for module, source, name in imports()
        if room(source) == "find" and room(module) in ENGINES - {"find"}
    }
    assert taken == DOORS


def test_counting_asks_the_checker_only_to_verify() -> None:
    """The searches share nothing with the checker; what verifies their numbers is called from outside."""
    taken = {
        source for module, source, _ in imports() if room(module) == "counting" and room(source) == "checking"
    }
    assert taken == {"checking.verification"}


def test_only_the_checker_calls_an_answer_verified() -> None:
    """`Verification.CERTIFIED` and `COUNTED_TWICE` are named where they are defined and in `checking`."""
    pattern = re.compile(
        r"Verification\.(CERTIFIED|COUNTED_TWICE)|(?<!class )Verification\(|\bgetattr\(Verification"
    )
    named = {
        dotted(path) for path in SOURCE.rglob("*.py") if pattern.search(path.read_text(encoding="utf-8"))
    }
    assert named == {"checking.verification"}


def test_imports_have_no_cycle() -> None:
    below: dict[str, set[str]] = {}
    for module, source, _ in imports():
        if module != source:
            below.setdefault(module, set()).add(source)
    try:
        TopologicalSorter(below).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_no_module_is_too_long() -> None:
    lengths = {
        str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCE.rglob("*.py")
    }
    assert {name for name, lines in lengths.items() if lines > 500} == set()


def test_class_names_are_unique() -> None:
    """A class name identifies one class of the package."""
    homes: dict[str, list[str]] = {}
    for path, syntax in nodes().items():
        for node in syntax:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(path.name)
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


@pytest.mark.parametrize("name", sorted(_homes))
def test_names_from_above_exist(name: str) -> None:
    assert callable(above(name))

"""The house, held by its imports: every import counts, also lazy ones and those for type checkers alone."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import cavalcade

SOURCE = Path(cavalcade.__file__).parent
BOARDS = {"ground", "boards"}
ANSWERS = BOARDS | {"question", "answers"}
ENGINES = {"find", "refute", "construction", "counting"}
CHECKED = ANSWERS | {"checking"}
ASKED = CHECKED | ENGINES | {"ask"}
DRAWN = ASKED | {"theorems", "measures", "draw"}
FACES = DRAWN | {"formats"}

# each room, from the ground up, and the rooms that it may import besides itself
ROOMS: dict[str, set[str]] = {
    "ground": set(),
    "boards": {"ground"},
    "question": BOARDS,
    "answers": ANSWERS,
    "measures": ANSWERS,
    "checking": ANSWERS,
    **dict.fromkeys(ENGINES, ANSWERS),
    "ask": ASKED,
    "theorems": CHECKED,
    "draw": DRAWN,
    "formats": DRAWN,
    "papers": FACES,
    "puzzles": ASKED,
    "surveys": FACES,
    "studio": FACES | {"puzzles"},
    "cli": FACES | {"papers", "puzzles", "studio", "surveys"},
    "__main__": {"cli", "ground"},
}
# one engine asks another only through these functions
DOORS = {
    ("construction", "cavalcade.find.join", "join"),
    ("refute", "cavalcade.find.join", "join_cycles"),
    ("refute", "cavalcade.find.join", "stuck_cover"),
    ("counting", "cavalcade.find.numbered", "numbered_tours"),
    ("refute", "cavalcade.find.cycle_cover", "cycle_cover"),
}
# the one exception: what has a picture, a file or measures hands them out itself
HANDED_OUT = {
    ("question", "cavalcade.formats", "read_board"),
    ("answers", "cavalcade.measures.measure", "measure"),
    ("answers", "cavalcade.measures.measure", "Measures"),
    ("boards", "cavalcade.draw.svg", "svg"),
    ("answers", "cavalcade.draw.svg", "svg"),
    ("construction", "cavalcade.formats.npy", "save_construction"),
    ("ground", "cavalcade.draw.html", "html"),
}
# why a module is longer than 500 lines
LONG = {"theorems/literature.py": "statements and citations are data"}


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
    """Who imports what: the module, the other module, the name."""
    found = []
    for path, said in nodes().items():
        module = ".".join(["cavalcade", *path.relative_to(SOURCE).with_suffix("").parts])
        for node in said:
            if isinstance(node, ast.Import):
                found += [(module, alias.name, "") for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                found += [(module, node.module, alias.name) for alias in node.names]
    return [one for one in found if one[1].partition(".")[0] == "cavalcade"]


def room(module: str) -> str:
    """The room of a module; "" for the package itself."""
    return module.partition(".")[2].partition(".")[0]


def test_rooms_import_what_is_below_them() -> None:
    wrong = []
    for module, other, name in imports():
        here, there = room(module), room(other) or name
        if module == "cavalcade.__init__" or name == "__version__" or here == there:
            continue
        if there in ROOMS[here] or (here, other, name) in DOORS | HANDED_OUT:
            continue
        wrong.append(f"{module} imports {name} from {other}")
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_used() -> None:
    used = {(room(module), other, name) for module, other, name in imports()}
    assert used >= DOORS | HANDED_OUT


def test_there_is_no_circle() -> None:
    below: dict[str, set[str]] = {}
    for module, other, name in imports():
        submodule = SOURCE.joinpath(*other.split(".")[1:], f"{name}.py").exists()
        target = f"{other}.{name}" if submodule else other
        home = SOURCE.joinpath(*target.split(".")[1:])
        target = f"{target}.__init__" if home.is_dir() else target
        picture = (room(module), other, name) in HANDED_OUT
        if name != "__version__" and not picture and module != "cavalcade.__init__" and target != module:
            below.setdefault(module, set()).add(target)
    seen: dict[str, int] = {}  # 1 while a module is looked at, then 2

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert seen.get(module) != 1, " -> ".join([*path, module])
        if module in seen:
            return
        seen[module] = 1
        for other in below.get(module, ()):
            visit(other, (*path, module))
        seen[module] = 2

    for module in sorted(below):
        visit(module, ())


def test_no_module_is_too_long() -> None:
    lengths = {
        str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCE.rglob("*.py")
    }
    assert {name for name, lines in lengths.items() if lines > 500} == set(LONG)


def test_class_names_are_unique() -> None:
    """A name that a stranger reads means one thing."""
    homes: dict[str, list[str]] = {}
    for path, said in nodes().items():
        for node in said:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(path.name)
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}

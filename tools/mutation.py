"""The strength of the tests, by rooms: `tools/mutation.py [ROOM ...] [--count N] [--seed S] [--record]`.

A mutant is a copy of the package in which one expression of one line is changed: a comparison, an operation,
a number, a condition. Each of N random mutants of a room meets the room's test file of `make quick`
(`tests/quick.py`). The score is the share that the tests notice. Mutants of the checker are complete, not a
sample: `make mutants`.

The exit code is 1 if the score of a room is below its floor in `tools/mutation.toml`; `--record` raises the
floors to the scores of this run, and never lowers them. Floors are for seed 0 and five mutants of each room,
which took five minutes a room on two cores that were busy with other work: this is a job for the night.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCE, FLOORS = ROOT / "src" / "cavalcade", ROOT / "tools" / "mutation.toml"
sys.path.append(str(ROOT / "tests"))

from quick import SLOW, STRONG  # noqa: E402 - a script

SECONDS = 300  # a test run that takes longer has noticed: the mutant does not end
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub,
    ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.And: ast.Or,
    ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip
IDENTITIES = {"sorted": "list", "min": "max", "max": "min", "any": "all", "all": "any", "reversed": "iter"}


class Mutant(NamedTuple):
    """A change of one expression.

    Attributes:
        path: file, relative to the package.
        line: number of the line, from 1.
        start: offset of the expression in the line, in bytes of UTF-8.
        end: offset of its end.
        text: what replaces it.
    """

    path: Path
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """Return the text of the file with the change."""
        lines = source.splitlines(keepends=True)
        line = lines[self.line - 1].encode()
        lines[self.line - 1] = (line[: self.start] + self.text.encode() + line[self.end :]).decode()
        return "".join(lines)


def changed(node: ast.expr) -> ast.expr | None:
    """Return an expression with one small change, or None if it has none."""
    mutant = copy.deepcopy(node)
    match mutant:
        case ast.Compare(ops=[operator, *_]) if type(operator) in SWAPS:
            mutant.ops[0] = SWAPS[type(operator)]()  # type: ignore[call-overload]  # a comparison for a comparison
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in SWAPS:
            mutant.op = SWAPS[type(operator)]()  # type: ignore[assignment]  # as above
        case ast.UnaryOp(op=ast.Not()):
            return mutant.operand
        case ast.Constant(value=bool(value)):
            return ast.Constant(not value)
        case ast.Constant(value=int(value)):
            return ast.Constant(value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in IDENTITIES:
            mutant.func = ast.Name(IDENTITIES[name])
            mutant.keywords = [word for word in mutant.keywords if IDENTITIES[name] not in {"list", "iter"}]
        case _:
            return None
    return mutant


def mutants(path: Path) -> Iterator[Mutant]:
    """Iterate over the mutants of a file of the package: expressions in functions, on one line."""
    tree = ast.parse((SOURCE / path).read_text("utf-8"))
    annotations = {
        id(inner)
        for node in ast.walk(tree)
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if part is not None
        for inner in ast.walk(part)
    }
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for node in (inner for statement in function.body for inner in ast.walk(statement)):
            if isinstance(node, ast.expr) and node.lineno == node.end_lineno and id(node) not in annotations:
                mutant = changed(node)
                if mutant is not None and node.end_col_offset is not None:
                    text = f"({ast.unparse(mutant)})"
                    yield Mutant(path, node.lineno, node.col_offset, node.end_col_offset, text)


def fails(folder: Path, test: str) -> bool:
    """Whether a test file fails, or does not end, with the package in a folder."""
    skipped = [f"--deselect=tests/{name}" for name in SLOW]
    command = [sys.executable, "-P", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *skipped, test]
    env = os.environ | {"PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def survivors(room: str, count: int, seed: int) -> tuple[int, list[Mutant]]:
    """Return how many mutants of a room were tried, and which were not noticed.

    Raises:
        SystemExit: the tests fail without a mutant.
    """
    alone = SOURCE / f"{room}.py"
    files = [alone] if alone.exists() else sorted((SOURCE / room).rglob("*.py"))
    everything = [mutant for file in files for mutant in mutants(file.relative_to(SOURCE))]
    sample = random.Random(seed).sample(everything, min(count, len(everything)))  # noqa: S311 - no secret
    test = f"tests/test_{STRONG[room]}.py"
    alive = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(SOURCE, folder / "cavalcade")
        if fails(folder, test):
            sys.exit(f"{test} fails without a mutant")
        for mutant in sample:
            file = folder / "cavalcade" / mutant.path
            source = file.read_text("utf-8")
            file.write_text(mutant.applied(source), "utf-8")
            if not fails(folder, test):
                alive.append(mutant)
            file.write_text(source, "utf-8")
    return len(sample), alive


def main() -> int:
    """Print the score of each room and its survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("rooms", nargs="*", default=[room for room in STRONG if not room.startswith("__")])
    parser.add_argument("--count", type=int, default=5, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=0, help="another seed, another sample")
    parser.add_argument("--record", action="store_true", help="raise the floors to the scores of this run")
    options = parser.parse_args()
    floors: dict[str, float] = tomllib.loads(FLOORS.read_text("utf-8"))["floors"]
    below = False
    for room in options.rooms:
        tried, alive = survivors(room, options.count, options.seed)
        score = 1 - len(alive) / max(tried, 1)
        low = score < floors.get(room, 0)
        sys.stdout.write(f"{room:14} {score:4.0%} of {tried}{', below its floor' * low}\n")
        for mutant in alive:
            line = (SOURCE / mutant.path).read_text("utf-8").splitlines()[mutant.line - 1].strip()
            sys.stdout.write(f"  {mutant.path}:{mutant.line}: {line} -> {mutant.text}\n")
        sys.stdout.flush()
        below = below or low
        floors[room] = max(floors.get(room, 0), round(score, 2))
    if options.record:
        head = FLOORS.read_text("utf-8").partition("[floors]")[0]
        rows = "".join(f"{room} = {floor:.2f}\n" for room, floor in sorted(floors.items()))
        FLOORS.write_text(f"{head}[floors]\n{rows}", "utf-8")
    return below


if __name__ == "__main__":
    sys.exit(main())

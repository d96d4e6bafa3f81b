"""Count habits that make code hard to read, and compare the counts with ceilings: a part of `make lint`.

    python tools/style.py              fail if a count is above its ceiling
    python tools/style.py --lower      write ceilings that fell to tools/style.toml; a ceiling never rises
    python tools/style.py --show NAME  print the places of one habit

The counts cover the package: its docstrings and comments, the names of its variables, and the numbers that
its modules bind to a name. A count does not measure quality, but a rising count shows that a habit returns.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
CEILINGS = ROOT / "tools" / "style.toml"

#: Patterns in a line of a docstring or comment.
PHRASES = {
    "genitive before its noun": (
        r"\bof (?:each|every|these|those|both|any)\b[^.,;:]{0,40}\b(?:the|its|their|how|which)\b"
    ),
    "so many, as much": r"\b(?:so|as) (?:many|much|few)\b(?! as\b)",
    "pronoun without a noun": (
        r"\b(?:those (?:that|of|which|with|in)|the ones?|what is left|what remains)\b"
    ),
    "programs as people": r"\b(?:trusts?|believes?|heeds?|knows|wants|asks for|(?:is|are) told)\b",
    "old words": (
        r"\b(?:for ever|to and fro|beforehand|likewise|thereof|hardly any|nobody|at last|mend(?:s|ed)?)\b"
    ),
}
#: Names of variables that do not say what the variable holds.
VAGUE = {
    "one", "some", "every", "each", "found", "left", "said", "known", "near", "here", "at", "still", "both",
    "room", "told", "given", "wanted", "asked", "again", "other", "others", "more", "less", "further",
    "thing", "things", "stuff", "val", "tmp",
}  # fmt: skip
NAMES, NUMBERS = "vague names", "numeric constants"


def prose(source: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the lines of docstrings and comments with their numbers."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            text = ast.get_docstring(node, clean=False) or ""
            yield from enumerate(text.splitlines(), node.body[0].lineno)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def variables(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the names of assigned variables and parameters with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


def numbers(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the names that a module binds to arithmetic on literal numbers."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            target, value = node.target, node.value
        else:
            continue
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        values = value.elts if isinstance(value, ast.Tuple) else [value]
        pairs = (
            zip(targets, values, strict=False) if len(targets) > 1 else ((target, part) for part in values)
        )
        if len(targets) == 1 and len(values) > 3:
            continue  # a table
        for name, part in pairs:
            if isinstance(name, ast.Name) and is_number(part):
                yield node.lineno, name.id


def is_number(value: ast.expr) -> bool:
    """Return whether an expression consists of numbers, names and operators, with at least one number."""
    literals = [node.value for node in ast.walk(value) if isinstance(node, ast.Constant)]
    parts = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.Name, ast.expr_context)
    plain = all(isinstance(node, parts) for node in ast.walk(value))
    return plain and bool(literals) and all(type(literal) in {int, float} for literal in literals)


def places() -> dict[str, list[str]]:
    """Return the places of each habit."""
    result: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "src").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        tree, file = ast.parse(source), path.relative_to(ROOT)
        for line, text in prose(source, tree):
            for habit, pattern in PHRASES.items():
                if re.search(pattern, text, re.IGNORECASE):
                    result[habit].append(f"{file}:{line}: {text.strip()}")
        result[NAMES] += [f"{file}:{line}: {name}" for line, name in variables(tree) if name in VAGUE]
        result[NUMBERS] += [f"{file}:{line}: {name}" for line, name in numbers(tree)]
    return {habit: result[habit] for habit in (*PHRASES, NAMES, NUMBERS)}


def main(arguments: list[str]) -> str:
    """Compare, lower or show; return the text of a failure, or nothing."""
    counted = places()
    if arguments[:1] == ["--show"]:
        sys.stdout.write("\n".join(counted[arguments[1]]) + "\n")
        return ""
    ceilings: dict[str, int] = (
        tomllib.loads(CEILINGS.read_text(encoding="utf-8")) if CEILINGS.exists() else {}
    )
    if arguments == ["--lower"]:
        lower = {habit: min(len(hits), ceilings.get(habit, len(hits))) for habit, hits in counted.items()}
        head = (
            "# Ceilings of the counts of tools/style.py, which only fall: `python tools/style.py --lower`.\n"
        )
        rows = "".join(f'"{habit}" = {ceiling}\n' for habit, ceiling in lower.items())
        CEILINGS.write_text(head + rows, encoding="utf-8")
        return ""
    return "\n".join(
        f"{habit}: {len(hits)}, at most {ceilings[habit]}: python tools/style.py --show '{habit}'"
        for habit, hits in counted.items()
        if len(hits) > ceilings[habit]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or 0)

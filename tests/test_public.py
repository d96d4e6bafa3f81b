"""Each version has lists of its public names, and a public name is deprecated before its removal."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cavalcade

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tools"))

pytest.importorskip("griffe")

import public  # noqa: E402 - a script

LISTED = (public.LISTS / f"{public.VERSION}-python.txt").read_text(encoding="utf-8")


def test_no_public_name_of_any_version_is_missing() -> None:
    assert public.lost() == [], "docs/policy.md says how a name is removed"


def test_the_lists_of_this_version_are_written() -> None:
    kept = {name: (public.LISTS / name).read_text(encoding="utf-8") for name in public.lists()}
    assert kept == public.lists(), "run python tools/reference.py"


@pytest.mark.parametrize(
    ("pattern", "replacement", "expected"),
    [
        (r"^def glue\(.*\n", "", "glue"),
        (r"^class Glued:\n(    .*\n)*", "", "Glued"),
        (r"^    bfile: object\n", "", "Sequence.bfile"),
        (r"^    def reversed\(.*\n", "", "Tour.reversed"),
        (r"^class PieceError.*\n", "", "PieceError"),
        (r"(?<=^def degrees\(board), \*, piece=...", "", r"degrees\(piece\)"),
        (r"(?<=^def degrees\(board, \*, piece)=...", "", r"degrees\(piece\).*required"),
        (r"(?<=^def move_graph\(board, )(?=piece)", "*, ", r"move_graph\(piece\)"),
        (r"(?<=^    def without\(self, )cells", "names", r"Board.without\((cells|names)\)"),
    ],
)
def test_removed_names_are_reported(pattern: str, replacement: str, expected: str) -> None:
    """The report names removed names of all kinds, and removed, required, moved or renamed parameters."""
    current, changed = re.subn(pattern, replacement, LISTED, flags=re.MULTILINE)
    assert changed == 1
    removed = public.gone(LISTED, current)
    assert removed
    assert all(re.search(expected, line) for line in removed), removed


def test_deprecated_names_may_go_and_new_names_may_come() -> None:
    line = next(text for text in LISTED.splitlines() if text.startswith("def glue("))
    warned = LISTED.replace(line, f"@deprecated('Deprecated since 0.2: use chain.')\n{line}")
    assert public.gone(warned, LISTED.replace(f"{line}\n", "")) == []
    assert public.gone(LISTED, f"{LISTED}def neigh(board, *, piece=...): ...\n") == []
    assert public.gone(LISTED, LISTED.replace("def glue(tours, *,", "def glue(tours, *, loud=...,")) == []


def test_a_docstring_says_that_a_function_is_deprecated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cavalcade.glue.__doc__", "Glue.\n\nDeprecated since 0.3: use `chain`.\n")
    assert "@deprecated('Deprecated since 0.3: use `chain`.')\ndef glue(" in public.python()


def test_a_removed_option_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    remaining = [option for option in public.commands() if option != "tour --open"]
    monkeypatch.setattr(public, "commands", lambda: remaining)
    assert public.lost() == ["cavalcade tour --open: removed"]


def test_a_hidden_option_is_a_deprecated_one(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = [f"{option} deprecated" if option == "tour --open" else option for option in public.commands()]
    monkeypatch.setattr(public, "commands", lambda: hidden)
    assert public.lost() == []


# Results that are JSON objects, arrays of a type that the caller chooses, or words of any question.
OPEN_RESULTS = {"dict[str, Any]", "NDArray[Any]"}


def _results() -> Iterator[tuple[str, str]]:
    """Yield the public functions, methods and properties, and their result types as they are written."""
    for name in cavalcade.__all__:
        owner = getattr(cavalcade, name)
        members = vars(owner).items() if inspect.isclass(owner) else [("", owner)]
        for member, value in members:
            if not member.startswith("_"):
                function = getattr(value, "fget", None) or getattr(value, "func", None) or value
                function = inspect.unwrap(getattr(function, "__func__", function))
                if inspect.isfunction(function):
                    yield f"{name}.{member}", str(function.__annotations__.get("return", "Any"))


def test_no_public_result_is_any() -> None:
    results = dict(_results())
    assert results["MoveGraph.to_networkx"] == "nx.Graph"
    assert len(results) > 200
    vague = {name for name, result in results.items() if re.search(r"\bAny\b", result)}
    assert {name for name in vague if results[name] not in OPEN_RESULTS} == set()


@pytest.mark.parametrize(
    ("name", "word"),
    [("tour", "engine"), ("tour", "fewest"), ("prove", "engine"), ("puzzle", "level"), ("solve", "method"),
     ("warnsdorff", "ties"), ("chain", "ties")],
)  # fmt: skip
def test_words_with_few_values_are_literals(name: str, word: str) -> None:
    function = inspect.unwrap(getattr(cavalcade, name))
    written = function.__annotations__[word].removesuffix(" | None")
    assert "Literal[" in str(eval(written, function.__globals__))  # noqa: S307 - of this package

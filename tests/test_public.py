"""What is public is written down for each version, and nothing public goes without having been deprecated."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tools"))

pytest.importorskip("griffe")

import public  # noqa: E402 - a script

LISTED = (public.LISTS / f"{public.VERSION}-python.txt").read_text(encoding="utf-8")


def test_nothing_public_is_gone_since_any_version() -> None:
    assert public.lost() == [], "docs/policy.md says how a name is removed"


def test_the_lists_of_this_version_are_written() -> None:
    kept = {name: (public.LISTS / name).read_text(encoding="utf-8") for name in public.lists()}
    assert kept == public.lists(), "run python tools/reference.py"


@pytest.mark.parametrize(
    ("pattern", "instead", "said"),
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
def test_what_goes_is_named(pattern: str, instead: str, said: str) -> None:
    """Names of all kinds; and parameters that go, are required, lose their place or are renamed."""
    now, changed = re.subn(pattern, instead, LISTED, flags=re.MULTILINE)
    assert changed == 1
    found = public.gone(LISTED, now)
    assert found
    assert all(re.search(said, line) for line in found), found


def test_what_was_deprecated_may_go_and_what_is_new_may_come() -> None:
    line = next(one for one in LISTED.splitlines() if one.startswith("def glue("))
    warned = LISTED.replace(line, f"@deprecated('Deprecated since 0.2: use chain.')\n{line}")
    assert public.gone(warned, LISTED.replace(f"{line}\n", "")) == []
    assert public.gone(LISTED, f"{LISTED}def neigh(board, *, piece=...): ...\n") == []
    assert public.gone(LISTED, LISTED.replace("def glue(tours, *,", "def glue(tours, *, loud=...,")) == []


def test_a_docstring_says_that_a_function_is_deprecated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cavalcade.glue.__doc__", "Glue.\n\nDeprecated since 0.3: use `chain`.\n")
    assert "@deprecated('Deprecated since 0.3: use `chain`.')\ndef glue(" in public.python()


def test_an_option_that_goes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    less = [one for one in public.commands() if one != "tour --open"]
    monkeypatch.setattr(public, "commands", lambda: less)
    assert public.lost() == ["cavalcade tour --open: removed"]


def test_a_hidden_option_is_a_deprecated_one(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = [f"{one} deprecated" if one == "tour --open" else one for one in public.commands()]
    monkeypatch.setattr(public, "commands", lambda: hidden)
    assert public.lost() == []

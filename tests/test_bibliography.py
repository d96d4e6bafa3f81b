"""The literature: what is cited, what was read, the status of each theorem; and counts that are in print."""

from __future__ import annotations

import json
import re
import sys
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from cavalcade.cli.commands import theorem
from cavalcade.construction.lines import STEPS, directions
from cavalcade.counting.total import count
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.question import Question
from cavalcade.theorems import bibliography, proved_here, sequences
from cavalcade.theorems import lines as few_turns
from cavalcade.theorems.facts import packaged
from cavalcade.theorems.literature import citations

DOCS = Path(__file__).parent.parent / "docs"
sys.path.append(str(DOCS.parent / "tools"))

import reference  # noqa: E402 - a script

STATUSES = ("cited", "verified for ", "proved here: ", "proved in Coq: ")
READ = {"text", "first pages", "abstract", "report", "title"}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(theorem.command, arguments, standalone_mode=False)


# ---- the bibliography


def test_every_theorem_has_a_status_and_every_source_says_what_was_read() -> None:
    for entry in bibliography.catalogue().values():
        assert entry.status.startswith(STATUSES), entry
        assert not entry.check or entry.check in proved_here.THEOREMS
        assert (entry.basis in {"proved here", "proved in Coq"}) == bool(entry.check), entry
    for source in bibliography.bibliography().values():
        assert source.read in READ
        assert source.source
        assert not source.citation.endswith(".")


@pytest.mark.parametrize(
    ("spec", "author"),
    [
        ("cylinder:5x6", "Watkins"),
        ("mobius:5x5", "Watkins"),
        ("klein:4x4", "Watkins"),
        ("7x7-d4", "Butler"),
    ],
)
def test_classifications_in_print_are_cited(spec: str, author: str) -> None:
    cited = citations(spec)[0]
    assert author in cited.citation
    assert bibliography.UNPUBLISHED not in cited.citation


def test_theorems_are_found_by_author_name_and_key() -> None:
    assert [entry.key for entry in bibliography.matching("SCHWENK")] == ["schwenk"]
    assert [entry.key for entry in bibliography.matching("boxes")] == ["demaio_mathew", "erde", "open_box"]
    assert "moebius" in {entry.key for entry in bibliography.matching("watkins")}
    for text in ("fermat", "", " "):
        with pytest.raises(CavalcadeError, match=r"no theorem matches .*--list"):
            bibliography.matching(text)


def test_the_command_lists_and_finds() -> None:
    rows = run("--list").stdout.splitlines()
    assert [row.split()[0] for row in rows] == list(bibliography.catalogue())
    listed = json.loads(run("--list", "--json").stdout)["theorems"]
    assert {row["key"]: row["status"] for row in listed} == {
        key: entry.status for key, entry in bibliography.catalogue().items()
    }
    text = run("schwenk").stdout
    assert "status: proved in Coq" in text
    assert "read (report)" in text
    assert run("Rectangles").stdout == run("rectangles").stdout
    assert run("chia and ONG").stdout == run("Chia and Ong").stdout
    assert [entry.key for entry in bibliography.matching("Rectang")][:2] == ["schwenk", "chia_ong"]
    assert run("erde", "--proof").stdout == proved_here.proof("boxes")
    assert json.loads(run("zebra", "--json").stdout)["theorems"][0]["sources"][0]["read"] == "abstract"
    assert "no theorem is named" in str(run().exception)
    assert "lists all: leave 'glinski' out" in str(run("glinski", "--list").exception)
    assert "needs a theorem proved here" in str(run("knuth", "--proof").exception)


def test_the_site_has_the_bibliography() -> None:
    assert "<!-- on the site: publications -->" in (DOCS / "bibliography.md").read_text(encoding="utf-8")
    listed = reference.publications()
    assert run("--bibliography").stdout.strip() == listed
    for source in bibliography.bibliography().values():
        assert f"- {source.citation}. *Read ({source.read}): {source.source}.*" in listed


# ---- counts in print


def test_isomorphism_by_all_permutations() -> None:
    """Random graphs of six vertices: the search agrees with trying every bijection."""
    random = Random(1)
    answers = []
    for _ in range(60):
        graphs: list[list[set[int]]] = []
        for _ in range(2):
            neighbours: list[set[int]] = [set() for _ in range(6)]
            for a, b in random.sample([*combinations(range(6), 2)], 6):
                neighbours[a].add(b)
                neighbours[b].add(a)
            graphs.append(neighbours)
        first, second = graphs
        expected = any(
            all({names[b] for b in first[a]} == second[names[a]] for a in range(6))
            for names in permutations(range(6))
        )
        answers.append(sequences.isomorphic(first, second))
        assert answers[-1] == expected
        names = random.sample(range(6), 6)
        renamed = [{names[b] for b in first[names.index(a)]} for a in range(6)]
        assert sequences.isomorphic(first, renamed)
    assert 0 < sum(answers) < len(answers)


def test_graphs_with_equal_invariants_are_told_apart() -> None:
    """The 4 x 4 rook graph and Shrikhande's have the same degrees and triangles; one is on a torus."""
    shrikhande: list[set[int]] = [set() for _ in range(16)]
    for cell in range(16):
        for down, right in ((0, 1), (1, 0), (1, 1)):
            other = (cell // 4 + down) % 4 * 4 + (cell % 4 + right) % 4
            shrikhande[cell].add(other)
            shrikhande[other].add(cell)
    rook = [
        {other for other in range(16) if other != cell and (other // 4 == cell // 4 or other % 4 == cell % 4)}
        for cell in range(16)
    ]
    assert not sequences.isomorphic(rook, shrikhande)


def test_the_terms_are_the_counts() -> None:
    """The package counts each listed graph that has at most 16 vertices."""
    checked = 0
    for term in sequences.terms():
        question = sequences.question_of(term)
        if question.graph.size <= 16:
            assert count(question).count == term.count, term
            checked += 1
    assert checked >= 40


def test_boards_that_are_known_graphs() -> None:
    known = {
        ("torus:3x3", False): {"A269562(3,3)", "A270273(3,3)"},
        ("torus:3x3", True): {"A269565(3,3)/2"},
        ("torus:4x4", False): {"A270273(4,4)", "A066037(4)"},
        ("torus:5x5", False): {"A269562(5,5)"},
        ("cube:1", False): {"A307923(3)"},
        ("torus:3x4", False): set(),
        ("8x8", False): set(),
    }
    for (spec, is_open), expected in known.items():
        terms = sequences.in_print(Question.of(spec, open=is_open))
        assert {str(term).split()[1].rstrip(",") for term in terms} == expected


def test_no_count_on_the_page_is_called_new_if_it_is_in_print() -> None:
    page = (DOCS / "counts.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"(?m)^\| `(?:cavalcade count )?(\S+?)((?: --open| --piece \S+)*)` \| .*none known \|$",
        page,
    )
    assert len(rows) > 50
    for spec, options in rows:
        piece = re.search(r"--piece (\S+)", options)
        question = Question.of(spec, piece=piece[1] if piece else None, open="--open" in options)
        assert sequences.in_print(question) == [], spec
    assert "found none of them in print" not in page


# ---- tours with few turns and crossings


def test_the_theorem_and_the_builder_have_the_same_pattern() -> None:
    pattern = few_turns.read(packaged("lines"))
    for height, width in ((18, 17), (20, 33), (64, 18)):
        moves = few_turns.board(pattern, height, width).moves
        built = directions(height, width)
        for (x, y), ways in moves.items():
            steps = [STEPS[way] for way in built[height - 1 - y, x]]
            assert {(x + right, y - down) for down, right in steps} == set(ways)


@pytest.mark.parametrize(
    ("part", "row", "column", "cell", "words"),
    [
        ("inside", 0, 0, "05", "no move leads back"),
        ("top_left", 0, 0, "22", "both moves"),
        ("bottom_right", 7, 5, "60", "no move leads back"),
    ],
)
def test_damaged_patterns_are_refused(part: str, row: int, column: int, cell: str, words: str) -> None:
    parts = json.loads(packaged("lines"))
    cells = parts[part][row].split()
    cells[column] = cell
    parts[part][row] = " ".join(cells)
    result = proved_here.theorem("lines", tours=json.dumps(parts))
    assert not result
    assert words in result.fault


def test_short_cycles_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(few_turns, "_cycle_length", lambda _: 10)
    result = proved_here.theorem("lines")
    assert len(result.facts) == 2
    assert "has 10 of 306 cells" in result.fault


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (
            {1: "04 03 04 04 03 46", 3: "34 04 07 15 04 57", 5: "04 74 45 04 34 46"},
            "18 x 17 has 137 turns",
        ),
        (
            {3: "04 04 04 14 04 57", 4: "04 04 04 12 03 47", 5: "04 04 40 04 34 46", 6: "05 05 25 25 05 57"},
            "18 x 17 has 184 crossings",
        ),
    ],
)
def test_patterns_with_other_numbers_are_refused(rows: dict[int, str], fault: str) -> None:
    """Two moves of the corner at the bottom right are exchanged for two others; all moves lead back."""
    parts = json.loads(packaged("lines"))
    for row, cells in rows.items():
        parts["bottom_right"][row] = cells
    assert proved_here.theorem("lines", tours=json.dumps(parts)).fault == fault


def test_runs_of_another_kind_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that reaches into a corner has other ends."""
    monkeypatch.setattr(few_turns, "RUNS", {"bottom to right": (60, 100, 80)})
    assert "slices from bottom to right join their ends differently" in proved_here.theorem("lines").fault

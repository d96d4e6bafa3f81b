"""The Coq proofs in `formal`: tables equal the package's list, no assumptions, damaged tables are refused.

`make formal` checks the proofs themselves; here only the slow tests run Coq.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cavalcade
from cavalcade import MoveGraph
from cavalcade.answers.certificate import Certificate, SatProof, Step, StepProof, Term, flat
from cavalcade.answers.verdict import Impossible
from cavalcade.checking.certificates import verify
from cavalcade.checking.rules import RULES as CHECKED
from cavalcade.formats import plain
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.question import Question
from cavalcade.question.symmetry import symmetries_of
from test_proofs import RULES, any_board, certify, damaged, proofs, step

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
FORMAL = ROOT / "formal"
SOURCES = sorted(FORMAL.glob("*.v"))
BUILDER, VERIFIER = ROOT / "out/formal/tour", ROOT / "out/formal/verify"
PROVED = set(CHECKED) - {"steps", "apart"}  # `steps` has its own form, `apart` has none
ACCEPTED, REFUSED, MALFORMED, UNDECIDED = range(4)  # exit codes of the verifier
ASSUMED = re.compile(r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Declare Module)\b")
SECTION = re.compile(r"^\s*(Section|End)\b", re.MULTILINE)
LOCAL = re.compile(r"^\s*(Variables?|Hypothes[ie]s|Context)\b", re.MULTILINE)
UNSAFE = re.compile(r"bypass_check|Guard Checking|Universe Checking|Positivity Checking|-type-in-type")
NUMBER = re.compile(r"-?\d+")

with_verifier = pytest.mark.skipif(not VERIFIER.exists(), reason="make formal has not built it")
with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not here")


@pytest.mark.parametrize(("name", "file"), [("glinski", "Tables.v"), ("rectangles", "RectangleTables.v")])
def test_the_tables_are_the_list_of_the_package(name: str, file: str) -> None:
    command = [sys.executable, str(ROOT / "tools/formal_tables.py"), name]
    printed = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    wrong = f"run python tools/formal_tables.py {name} > formal/{file}"
    assert (FORMAL / file).read_text(encoding="utf-8") == printed, wrong


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_nothing_is_assumed(source: Path) -> None:
    text = re.sub(r"\(\*.*?\*\)", "", source.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not ASSUMED.search(text)
    assert not UNSAFE.search(text)
    for local in LOCAL.finditer(text):  # assumptions of a section become premises of its lemmas
        opened = [match.group(1) for match in SECTION.finditer(text, 0, local.start())]
        assert opened.count("Section") > opened.count("End")


def test_assumptions_of_each_theorem_of_the_page_are_printed() -> None:
    page = (ROOT / "docs/formal.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\|.*\| `(\w+)` \| `\w+\.v` \|$", page, re.MULTILINE))
    commands = (FORMAL / "Assumptions.v").read_text(encoding="utf-8")
    assert named == set(re.findall(r"^Print Assumptions (\w+)\.$", commands, re.MULTILINE))
    assert "glinski" in named


def test_an_assumption_is_detected(tmp_path: Path) -> None:
    commands, printed = tmp_path / "Asked.v", tmp_path / "printed.txt"
    commands.write_text("Print Assumptions one.\nPrint Assumptions two.\n")
    closed = "Closed under the global context\n"
    for output, code in ((closed * 2, 0), (closed, 1), (closed + "Axioms:\nfalse : False\n", 1), ("", 1)):
        printed.write_text(output)
        command = [FORMAL / "assumptions", commands, printed]
        assert subprocess.run(command, check=False, capture_output=True).returncode == code


@pytest.mark.slow
@with_coq
def test_each_of_a_hundred_damaged_tables_is_refused(tmp_path: Path) -> None:
    before = ["Definitions", "Cycles", "Finite", "Hexagonal"]
    for name in (*before, "Tables", "Pieces", "Glinski"):
        shutil.copy(FORMAL / f"{name}.v", tmp_path)
    assert all(compiles(name, tmp_path) for name in (*before, "Tables", "Pieces"))
    tables = (FORMAL / "Tables.v").read_text(encoding="utf-8")
    begin = tables.index("Definition")
    places = [number for number in NUMBER.finditer(tables, begin) if tables[number.start() - 1] in "( "]
    rng = random.Random(24)
    for number in rng.sample(places, 100):
        changed = str(int(number.group()) + rng.choice([-1, 1]))
        damaged = tables[: number.start()] + changed + tables[number.end() :]
        (tmp_path / "Tables.v").write_text(damaged, encoding="utf-8")
        assert compiles("Tables", tmp_path), changed
        assert not (compiles("Pieces", tmp_path) and compiles("Glinski", tmp_path)), number


@pytest.mark.slow
@with_coq
def test_damaged_tables_of_rectangles_are_refused(tmp_path: Path) -> None:
    """A number of each table is changed by one."""
    for path in SOURCES:
        shutil.copy(path, tmp_path)
    proofs = ["RectangleTours", "Schwenk", "OpenTours"]
    subprocess.run(["make", "-s", "-f", FORMAL / "build.mk", "OpenTours.vo"], check=True, cwd=tmp_path)
    tables = (FORMAL / "RectangleTables.v").read_text(encoding="utf-8")
    rng = random.Random(25)
    for table in tables.split("Definition")[1:]:
        number = rng.choice([*NUMBER.finditer(table, table.index(":="))])
        changed = table[: number.start()] + str(int(number.group()) + 1) + table[number.end() :]
        (tmp_path / "RectangleTables.v").write_text(tables.replace(table, changed), encoding="utf-8")
        assert compiles("RectangleTables", tmp_path)
        assert not all(compiles(name, tmp_path) for name in proofs), table


def compiles(name: str, folder: Path) -> bool:
    """Whether Coq accepts a file."""
    command = ["coqc", "-q", "-Q", ".", "Cavalcade", f"{name}.v"]
    return subprocess.run(command, check=False, cwd=folder, capture_output=True).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not BUILDER.exists(), reason="make formal has not built it")
@pytest.mark.parametrize("side", range(4, 81))
def test_the_tours_of_the_proved_builder(side: int, tmp_path: Path) -> None:
    printed = subprocess.run([BUILDER, str(side)], check=True, capture_output=True, encoding="utf-8").stdout
    rows = [tuple(map(int, row.split(",")[1:])) for row in printed.splitlines()[2:]]
    board = cavalcade.Board.hexagon(side)
    assert len(set(rows)) == len(rows) == board.size
    path = tmp_path / "tour.csv"
    path.write_text(printed)
    command = [sys.executable, "-m", "cavalcade", "check", str(path)]
    output = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    assert output.startswith(f"a closed tour of hex:{side}: {board.size:,} cells")


# ---- the proved checker


def verified(text: str, folder: Path) -> int:
    """The exit code of the proved checker for a graph and a proof."""
    (folder / "proof.txt").write_text(text)
    command = [VERIFIER, folder / "proof.txt"]
    return subprocess.run(command, check=False, capture_output=True).returncode


def agreed(certificate: Certificate, folder: Path) -> bool:
    """The common verdict of both checkers on a certificate; asserts that they agree."""
    try:
        text = plain.write(certificate)
    except FormatError:
        assert not verify(certificate)
        return False
    python, proved = bool(verify(certificate)), verified(text, folder)
    assert proved in {ACCEPTED, REFUSED}
    assert python == (proved == ACCEPTED), certificate.to_json()
    return python


def with_rules_proved(certificates: list[Certificate]) -> Iterator[tuple[Certificate, tuple[Step, ...]]]:
    """The certificates that use only proved rules, with their steps."""
    for certificate in certificates:
        if isinstance(certificate.proof, StepProof):
            steps = certificate.proof.steps
            if {step.rule for step in flat(steps)} <= PROVED:
                yield certificate, steps


def random_proofs(seed: int, count: int) -> list[Certificate]:
    """Proofs about random boards and graphs."""
    rng = random.Random(seed)
    boards = (any_board(rng, 20) for _ in range(count))
    verdicts = (cavalcade.prove(board, open=not closed) for board, _, closed in boards)
    return [
        verdict.certificate for verdict in verdicts if isinstance(verdict, Impossible) and verdict.certificate
    ]


@with_verifier
@pytest.mark.parametrize("count", [100, pytest.param(3_000, marks=pytest.mark.slow)])
def test_the_proved_checker_accepts_what_python_accepts(count: int, tmp_path: Path) -> None:
    rules: Counter[str] = Counter()
    for certificate, steps in with_rules_proved([*proofs(), *random_proofs(count, count)]):
        assert verify(certificate)
        assert verified(plain.write(certificate), tmp_path) == ACCEPTED, certificate.to_json()
        rules.update({step.rule for step in flat(steps)})
    assert rules.total() > count / 4
    assert set(rules) >= {"forced", "saturated", "cut", "colours", "degree", "branch"}


@with_verifier
@pytest.mark.parametrize("count", [4, pytest.param(300, marks=pytest.mark.slow)])
def test_the_proved_checker_refuses_what_python_refuses(count: int, tmp_path: Path) -> None:
    verdicts: Counter[bool] = Counter()
    for certificate, steps in with_rules_proved([*proofs(), *random_proofs(count + 1, count)]):
        for changed in damaged(steps, rule_stride=3):
            if {step.rule for step in flat(changed)} <= PROVED:
                verdicts[agreed(replace(certificate, proof=StepProof(changed)), tmp_path)] += 1
    assert verdicts[False] > 8 * count


@with_verifier
def test_both_checkers_agree_on_each_rule(tmp_path: Path) -> None:
    rules: Counter[str] = Counter()
    for edges, steps, wrong in RULES:
        if "too large" in wrong:  # a limit of the Python checker only
            continue
        proof = StepProof(tuple(step(*line) for line in steps))
        named = {line.rule for line in flat(proof.steps)}
        vertices = {end for edge in edges for end in edge}
        if named <= PROVED and {cell for line in flat(proof.steps) for cell in line.cells} <= vertices:
            assert agreed(certify(MoveGraph.from_edges(edges), proof), tmp_path) == (not wrong)
            rules.update(named)
    assert set(rules) == PROVED - {"reach", "symmetry"}


@with_verifier
@pytest.mark.parametrize("spec", ["3x4", "4x5", "5x5", "6x6", "3x10", "8x8", "hex:3", "2x3x4"])
@pytest.mark.parametrize("kind", ["closed", "open"])
def test_both_checkers_agree_on_symmetries(spec: str, kind: str, tmp_path: Path) -> None:
    board = Question.of(spec)
    for symmetry in symmetries_of(board.board, board.piece):
        try:
            question = Question.of(spec, open=kind == "open", symmetry=symmetry.name)
        except CavalcadeError:  # more than one symmetry has this name
            continue
        agreed(Certificate(question, StepProof((Step("symmetry"),))), tmp_path)


@with_verifier
@pytest.mark.parametrize("count", [60, pytest.param(1_000, marks=pytest.mark.slow)])
def test_both_checkers_agree_on_random_steps(count: int, tmp_path: Path) -> None:
    rng = random.Random(count)
    accepted: Counter[str] = Counter()
    while accepted.total() < count:
        _, graph, _ = any_board(rng, 10)
        n = graph.size
        degree = [len(graph.neighbours(cell)) for cell in range(n)]
        steps = [Step("forced", tuple(cell for cell in range(n) if degree[cell] == 2))]
        if rng.random() < 0.3:
            steps.append(Step("saturated", tuple(rng.sample(range(n), 1))))
        rule = rng.choice(sorted(PROVED - {"branch", "forced"}))
        several = rng.sample(range(n), rng.randint(0, n // 2 + 1))
        sizes = {"degree": 1, "three": 1, "colours": 1, "reach": 2, "subtour": 2, "symmetry": 0, "sign": 0}
        size = sizes.get(rule, len(several))
        if size > n:
            continue
        if rule == "linear":
            terms = [Term(rng.randint(-1, 2), (cell,)) for cell in several]
            if n > 1:
                odd = rng.sample(list(graph.pairs()), min(rng.choice([0, 0, 1, 3]), graph.edge_count))
                terms.insert(0, Term(1, tuple(rng.sample(range(n), 2)), tuple(odd)))
            steps.append(Step(rule, terms=tuple(terms)))
        else:
            steps.append(Step(rule, tuple(rng.sample(range(n), size))))
        if rule in {"tight", "tight_cut", "subtour", "saturated"}:
            steps.append(Step("degree", (rng.randrange(n),)))
        if n > 2 and agreed(certify(graph, StepProof(tuple(steps))), tmp_path):
            accepted[rule] += 1
        elif rng.random() < 0.01:
            accepted["refused"] += 1
    assert len(accepted) > 6


@with_verifier
@pytest.mark.parametrize("spec", ["4x6", "3x8", pytest.param("4x16", marks=pytest.mark.slow)])
def test_both_checkers_agree_on_proofs_by_sat(spec: str, tmp_path: Path) -> None:
    rng = random.Random(spec)
    verdict = cavalcade.prove(spec, engine="sat")
    assert isinstance(verdict, Impossible)
    certificate = verdict.certificate
    assert certificate is not None
    proof = certificate.proof
    assert isinstance(proof, SatProof)
    assert agreed(certificate, tmp_path)
    verdicts: Counter[bool] = Counter()
    for _ in range(60):
        lines, cuts = list(proof.drup), list(proof.cuts)
        k = rng.randrange(len(lines))
        words = lines[k].split()
        if words[0] == "d" or len(words) < 2 or rng.random() < 0.3:
            del lines[k]
        elif rng.random() < 0.2 and cuts:
            cuts.pop(rng.randrange(len(cuts)))
        else:
            j = rng.randrange(len(words) - 1)
            words[j] = str(-int(words[j])) if rng.random() < 0.6 else words[j]
            lines[k] = " ".join(words if rng.random() < 0.6 else [*words[:j], *words[j + 1 :]])
        verdicts[
            agreed(replace(certificate, proof=replace(proof, drup=tuple(lines), cuts=tuple(cuts))), tmp_path)
        ] += 1
    assert verdicts[False] > 0


@with_verifier
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("graph 3 2 1 2 2 3 proof 1 degree 1 1", ACCEPTED),
        ("graph 3 2 1 2 2 3 proof 1 degree 1 2", REFUSED),
        ("graph 3 3 1 2 2 3 3 1 proof 1 cut 0", REFUSED),
        ("graph 3 3 1 2 2 3 3 1 proof 0", REFUSED),
        ("graph 3 3 1 2 2 3 3 1 proof 1 forced 3 1 2 3", REFUSED),
        ("graph 4 3 1 2 2 3 3 1 proof 1 reach 2 1 4", ACCEPTED),
        ("graph 3 3 1 2 2 3 3 1 proof 1 sweep 3 1 2 3", REFUSED),
        ("graph 3 3 1 2 2 3 3 1 proof 1 magic 3 1 2 3", UNDECIDED),
        ("graph 3 3 1 2 2 3 1 3 proof 1 hall 2 1 2", REFUSED),
        ("digraph 3 3 1 2 2 3 1 3 proof 1 hall 2 1 2", ACCEPTED),  # both have arcs from vertex 1 only
        ("digraph 3 3 1 2 3 1 2 3 proof 1 hall 2 1 2", REFUSED),
        ("digraph 3 3 1 2 3 2 1 3 proof 1 reach 2 2 1", ACCEPTED),
        ("graph 3 2 1 2 2 4 proof 1 degree 1 1", MALFORMED),
        ("graph 3 2 1 2 2 3 proof 1 degree 1 1 1", MALFORMED),
        ("graph 3 2 1 2 2", MALFORMED),
        ("", MALFORMED),
        ("graph 3 2 1 2 2 3 sat about 1 1 cuts 0 lrat 5 0 1 0", ACCEPTED),
        ("graph 3 2 1 2 2 3 sat about 1 1 cuts 0 lrat 5 0 2 0", REFUSED),  # there is no clause 2
        ("graph 3 2 1 2 2 3 sat about 1 1 cuts 0 lrat 5 d 1 0 5 0 1 0", REFUSED),
        ("graph 3 3 1 2 1 3 2 3 sat about 3 1 2 3 cuts 0 lrat 9 0 1 2 3 4 5 6 0", REFUSED),
        ("graph 3 2 2 3 1 2 sat about 1 1 cuts 0 lrat 5 0 1 0", REFUSED),  # edges out of order
        ("graph 3 3 1 2 1 3 2 3 sat about 1 1 bound 0 1 1 1 1 cuts 0 lrat 9 0 1 0", REFUSED),
        ("graph 3 2 1 2 2 3 sat about 1 1 cuts 0 lrat 5 0 -1 0", MALFORMED),
        ("graph 3 2 1 2 2 3 sat about 1 1 cuts 0 lrat 5 1 0", MALFORMED),
        ("graph 3 2 1 2 2 3 between 1 3 1", ACCEPTED),
        ("graph 3 2 1 2 2 3 between 1 3 2", REFUSED),
        ("digraph 3 2 1 2 2 3 between 1 3 1", REFUSED),
        ("graph 2 0 positions open given 0 required 0 lrat 1 -1 0 9 5 0 2 -3 0 9 5 0 3 0 1 3 0", REFUSED),
        ("graph 2 0 positions open given 0 required 0 lrat 20 -1 0 9 4 7 0 21 0 20 1 10 8 3 0", ACCEPTED),
        ("graph 2 1 1 2 positions open given 0 required 0 lrat 20 -1 0 9 4 7 0 21 0 20 1 10 8 3 0", REFUSED),
    ],
)
def test_input_of_the_proved_checker(text: str, code: int, tmp_path: Path) -> None:
    assert verified(text, tmp_path) == code

"""The checker of the package and the checker verified in Coq agree on right and damaged proofs of all kinds.

`EXPLAINED` lists the known differences.
"""

from __future__ import annotations

import random
import re
import shlex
import sys
from collections import Counter
from dataclasses import replace
from itertools import count as naturals
from itertools import islice, permutations
from typing import TYPE_CHECKING

import pytest

import cavalcade
from cavalcade.answers.certificate import Certificate, SatProof, Step, StepProof, from_json
from cavalcade.checking.certificates import verify
from cavalcade.checking.rules import RULES
from cavalcade.cli import main
from cavalcade.formats import plain
from cavalcade.ground.budget import SECOND, Budget
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.question import Question
from cavalcade.refute.local import local
from cavalcade.refute.sat import sat_alone
from certified import proved_by
from test_directed import SIGNS, digraph, two_ways
from test_formal import ACCEPTED, REFUSED, ROOT, verified, with_verifier
from verdicts import proof_of

sys.path.insert(0, str(ROOT / "benchmarks"))
from holes import holes

if TYPE_CHECKING:
    from pathlib import Path

PROVED = sorted(set(RULES) - {"apart"})
EXPLAINED = {
    # reasons of Python to refuse what the proved checker accepts
    "does not follow from those before it": "no later line needs this one, and LRAT leaves it out",
    "its numbers are too large": "Python's numbers have 64 bits",
}


@with_verifier
@pytest.mark.parametrize("rule", PROVED)
def test_fifty_proofs_by_each_rule(rule: str, tmp_path: Path) -> None:
    for certificate in islice(proved_by(rule, 24), 50):
        assert verified(plain.write(certificate), tmp_path) == ACCEPTED, certificate.to_json()


def test_the_rule_apart_has_no_plain_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    certificate = next(proved_by("apart", 24))
    (tmp_path / "x.proof").write_text(certificate.to_json(), encoding="utf-8")
    assert main(["check", str(tmp_path / "x.proof"), "--export", str(tmp_path / "x.txt")]) == 2
    assert "the proved checker does not know the rule 'apart'" in capsys.readouterr().err
    assert not (tmp_path / "x.txt").exists()


@with_verifier
def test_both_checkers_agree_on_signs(tmp_path: Path) -> None:
    """Test digraphs with two arcs at a vertex, some with a few more arcs, and published digraphs."""
    rng, exit_codes = random.Random(1948), Counter[int]()
    for k in range(300):
        n, arcs = two_ways(rng)
        arcs |= {(a, b) for a, b in permutations(range(n), 2) if k % 3 == 0 and rng.random() < 0.2 / n}
        certificate = Certificate(Question(digraph(n, arcs), closed=k % 5 > 0), StepProof((Step("sign"),)))
        code = verified(plain.write(certificate), tmp_path)
        assert code == (ACCEPTED if verify(certificate) else REFUSED), arcs
        exit_codes[code] += 1
    assert min(exit_codes[ACCEPTED], exit_codes[REFUSED]) > 30
    for graph, _ in SIGNS:
        assert verified(plain.write(proof_of(graph)), tmp_path) == ACCEPTED


@with_verifier
def test_every_certificate_of_the_documentation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run every `cavalcade prove` of the pages with its options, and verify its certificate."""
    monkeypatch.chdir(tmp_path)
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *ROOT.glob("docs/**/*.md"))]
    lines = {
        line for text in texts for line in re.findall(r"^\$ cavalcade prove ([^;|>\n]+)", text, re.MULTILINE)
    }
    exit_codes: Counter[int] = Counter()
    for line in sorted(lines):
        if "--coils" in line:  # the proved checker refuses them: docs/formal.md
            continue
        words = re.sub(r"(-o|--output) \S+|--json|--verbose|-v", "", line)
        (tmp_path / "x.proof").unlink(missing_ok=True)
        if main(["prove", *shlex.split(words), "-o", "x.proof"]) == 1 and (tmp_path / "x.proof").exists():
            certificate = cavalcade.read_certificate("x.proof")
            code = verified(plain.write(certificate), tmp_path)
            exit_codes[code] += 1
            assert code == ACCEPTED, line
    capsys.readouterr()
    assert exit_codes[ACCEPTED] > 5


@with_verifier
@pytest.mark.parametrize("cells", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_the_proofs_of_the_survey(cells: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """docs/surveys.md: 30 boards without two balanced cells have no tour, and 13,216 without four."""
    kept = tmp_path / "kept"
    command = ["survey", f"8x8 without {cells} balanced cells", "--verb", "prove", "--keep", "-o", str(kept)]
    assert main([*command, "--time-limit", "60"]) == 0
    capsys.readouterr()
    survey, proofs = cavalcade.read_survey(str(kept)), 0
    for number in survey.done:
        for text in survey.kept(number):
            if text.startswith('{"certificate"'):
                assert verified(plain.write(from_json(text)), tmp_path) == ACCEPTED, text
                proofs += 1
    assert proofs == {2: 30, 4: 13_216}[cells]


@with_verifier
@pytest.mark.parametrize("count", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_local_proofs_of_boards_with_random_holes(count: int, tmp_path: Path) -> None:
    """Verify proofs about a set of cells on boards with holes, by the engine `local` and by SAT alone."""
    kinds: Counter[type] = Counter()
    seeds = naturals()
    while kinds[StepProof] < count:
        seed = next(seeds)
        question = Question(holes(60, 0.3, seed), closed=seed % 3 > 0)
        proof = local(question, Budget(SECOND))
        if not isinstance(proof, StepProof | SatProof):
            continue
        proofs: list[StepProof | SatProof | None] = [proof]
        if isinstance(proof, StepProof):
            graph = question.as_cycle
            cells = set(proof.steps[-1].cells).union(
                *(graph.neighbours(a).tolist() for a in proof.steps[-1].cells)
            )
            proofs.append(sat_alone(graph, sorted(set(cells)), Budget(SECOND // 20)))
        for checked_proof in proofs:
            if checked_proof is not None:
                assert verified(plain.write(Certificate(question, checked_proof)), tmp_path) == ACCEPTED
                kinds[type(checked_proof)] += 1
    assert kinds[SatProof] >= count // 25


def about_some_cells() -> Certificate:
    """Return a proof about three vertices with the same two neighbours, and one of these neighbours."""
    edges = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4), (4, 5), (5, 6), (6, 7), (4, 7)]
    graph = cavalcade.MoveGraph.from_edges(edges)
    proof = sat_alone(graph, range(4), Budget())
    assert proof is not None
    return Certificate(Question(graph), proof)


def by_sat() -> dict[str, Certificate]:
    certificates = {
        "4x6": proof_of("4x6", engine="sat"),
        "3x5 open": proof_of("3x5", open=True, engine="sat"),
        "4x4 clockwise": proof_of("4x4", moves="clockwise", engine="sat"),
        "gp:5,2": proof_of("gp:5,2", engine="sat"),
        "gp:29,2": proof_of("gp:29,2", engine="sat"),
        "6x8 giraffe": proof_of("6x8", piece="giraffe", engine="sat"),
        "6x6 symmetric": proof_of("6x6-a1,f6", symmetry="half turn", engine="sat"),
        "some cells": about_some_cells(),
        "at steps": proof_of("3x10", open=True, at={3: "d2", 9: "e1"}, avoid="a1-b3", engine="sat"),
    }
    fewest = cavalcade.tour("5x6", fewest="turns")
    assert fewest.status == "found"
    assert fewest.fewest is not None
    assert fewest.fewest.certificate is not None
    return certificates | {"5x6 turns": fewest.fewest.certificate}


@with_verifier
def test_proofs_by_sat(tmp_path: Path) -> None:
    for name, certificate in by_sat().items():
        assert verified(plain.write(certificate), tmp_path) == ACCEPTED, name


@with_verifier
@pytest.mark.slow
def test_8x8_has_no_tour_with_fewer_than_45_turns(tmp_path: Path) -> None:
    verdict = cavalcade.tour("8x8", fewest="turns", time_limit=600)
    assert verdict.status == "found"
    assert verdict.fewest is not None
    assert verdict.fewest.certificate is not None
    assert str(verdict.fewest) == "45 turns: no tour has fewer, certified"
    assert verified(plain.write(verdict.fewest.certificate), tmp_path) == ACCEPTED


def changed(certificate: Certificate, rng: random.Random) -> Certificate:
    """Return a certificate with a line, a cell, a rule or a cut of its proof changed or removed."""
    proof, cells = certificate.proof, len(certificate.names)
    if isinstance(proof, StepProof):
        return replace(certificate, proof=StepProof(_changed(proof.steps, rng, cells)))
    lines = list(proof.drup)
    k = rng.randrange(len(lines))
    words = lines[k].split()
    if isinstance(proof, SatProof) and proof.cuts and rng.random() < 0.2:
        cuts = list(proof.cuts)
        cuts.pop(rng.randrange(len(cuts)))
        return replace(certificate, proof=replace(proof, cuts=tuple(cuts)))
    if len(words) < 2 or rng.random() < 0.4:
        del lines[k]
    else:
        j = rng.randrange(words[0] == "d", len(words) - 1)
        lines[k] = " ".join([*words[:j], *rng.choice([[str(-int(words[j]))], []]), *words[j + 1 :]])
    return replace(certificate, proof=replace(proof, drup=tuple(lines)))


def _changed(steps: tuple[Step, ...], rng: random.Random, cells: int) -> tuple[Step, ...]:
    k = rng.randrange(len(steps))
    step, kind = steps[k], rng.randrange(5)
    if step.cases and kind < 4:
        cases = list(step.cases)
        j = rng.randrange(2)
        cases[j] = _changed(cases[j], rng, cells)
        new: tuple[Step, ...] = (replace(step, cases=tuple(cases)),)
    elif kind == 0 or not step.cells:
        new = ()
    elif kind == 1:
        new = (replace(step, rule=rng.choice(sorted(set(RULES) - {"branch", "linear", "steps"}))),)
    elif kind == 2:
        new = (replace(step, cells=tuple(rng.sample(step.cells, len(step.cells) - 1))),)
    else:
        j = rng.randrange(len(step.cells))
        new = (replace(step, cells=(*step.cells[:j], rng.randrange(cells), *step.cells[j + 1 :])),)
    return (*steps[:k], *new, *steps[k + 1 :])


@with_verifier
@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_damaged_certificates(count: int, tmp_path: Path) -> None:
    """The checkers agree on damaged certificates, up to the differences in `EXPLAINED`."""
    rng, outcomes = random.Random(count), Counter[str]()
    right = [certificate for rule in PROVED for certificate in islice(proved_by(rule, 1), count // 30)]
    right += list(by_sat().values()) * (1 + count // 200)
    while outcomes.total() < count:
        certificate = changed(rng.choice(right), rng)
        python = verify(certificate)
        try:
            code = verified(plain.write(certificate), tmp_path)
        except CavalcadeError:
            code = REFUSED
        if python.ok == (code == ACCEPTED):
            outcomes["accepted" if python else "refused"] += 1
        else:
            names = [name for name in EXPLAINED if name in python.message]
            assert names, (python.message, code, certificate.to_json())
            assert code == ACCEPTED
            outcomes[names[0]] += 1
    assert outcomes["refused"] > count / 2

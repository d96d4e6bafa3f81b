"""Proofs in public formats, checked by two plain programs that share no code with the package.

The checkers follow the papers of the formats: LRAT (Cruz-Filipe et al. 2017), and two rules of VeriPB, sums
in reverse Polish notation and unit propagation (Gocht & Nordström 2021).
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

import cavalcade
from cavalcade.answers.certificate import SatProof, StepProof
from cavalcade.answers.verdict import Impossible
from cavalcade.formats import opb
from cavalcade.ground.errors import FormatError
from certified import proved_by
from test_proofs import any_board

if TYPE_CHECKING:
    from pathlib import Path

    from cavalcade.answers.certificate import Certificate

# ---- LRAT


def refuted_by(cnf: str, lrat: str) -> bool:
    """Return whether every line follows from its hints in order, and a line is the empty clause."""
    lines = [line.split() for line in cnf.splitlines() if line[0] not in "cp"]
    clauses = {number: set(map(int, line[:-1])) for number, line in enumerate(lines, 1)}
    for line in lrat.splitlines():
        number, *words = line.split()
        if words[0] == "d":
            for removed in words[1:-1]:
                del clauses[int(removed)]
            continue
        end = words.index("0")
        clause, hints = set(map(int, words[:end])), words[end + 1 : -1]
        true = {-literal for literal in clause}
        for hint in hints[:-1]:
            (unit,) = {literal for literal in clauses[int(hint)] if -literal not in true}
            true.add(unit)
        if any(-literal not in true for literal in clauses[int(hints[-1])]):
            return False
        clauses[int(number)] = clause
        if not clause:
            return True
    return False


def no_tour(board: Any, **words: Any) -> Certificate | None:
    """Return the certificate if there is no tour, otherwise None."""
    verdict = cavalcade.prove(board, **words)
    return verdict.certificate if isinstance(verdict, Impossible) else None


SAT = ["4x6", "4x16", "3x5 open", "3x3", "2x3", "cylinder:4x6", "5x5 zebra", "4x4 open at a4"]


@pytest.mark.parametrize("case", SAT)
def test_every_sat_proof_is_exported_with_hints(case: str, tmp_path: Path) -> None:
    spec, *options = case.split()
    words: dict[str, Any] = {"open": "open" in options, "piece": "zebra" if "zebra" in options else None}
    words |= {"start": "a4"} if "at" in options else {}
    certificate = no_tour(spec, engine="sat", **words)
    assert certificate is not None
    path = tmp_path / "x.cnf"
    cavalcade.save(certificate, path)
    cnf, lrat = path.read_text(), path.with_suffix(".lrat").read_text()
    assert refuted_by(cnf, lrat)
    assert not refuted_by(cnf, "\n".join(lrat.splitlines()[:-1]))
    read_back = cavalcade.read_certificate(path)
    assert read_back.question == certificate.question
    assert cavalcade.verify(read_back)


def test_hints_beyond_the_first_capacity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = no_tour("4x16", engine="sat")
    assert certificate is not None
    texts = []
    for hints in (1_000_000, 2):
        monkeypatch.setattr("cavalcade.checking.replay.first_capacity", lambda _, hints=hints: hints)
        cavalcade.save(certificate, tmp_path / f"{hints}.cnf")
        texts.append((tmp_path / f"{hints}.lrat").read_text())
    clauses = len((tmp_path / "2.cnf").read_text().splitlines()) + len(texts[0].splitlines())
    assert texts[0] == texts[1]
    assert sum(len(line.split()) for line in texts[0].splitlines()) > 2 * clauses


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_hints_of_random_graphs(seed: int, tmp_path: Path) -> None:
    rng, done = random.Random(seed), 0
    while done < (20 if seed < 3 else 1_000):
        board, _, closed = any_board(rng, 14)
        certificate = no_tour(board, open=not closed, engine="sat")
        if certificate is not None and isinstance(certificate.proof, SatProof):
            path = tmp_path / "x.cnf"
            cavalcade.save(certificate, path)
            lrat = path.with_suffix(".lrat").read_text()
            assert refuted_by(path.read_text(), lrat)
            done += 1


# ---- pseudo-Boolean proofs

#: Positive factors by literal, and the lower bound of the weighted sum of the true literals.
Inequality: TypeAlias = tuple[dict[str, int], int]


def negated(literal: str) -> str:
    return literal[1:] if literal.startswith("~") else f"~{literal}"


def inequality(words: list[str]) -> Inequality:
    """Parse an inequality such as `2 x1 -1 x2 >= 1` into normal form."""
    factors: dict[str, int] = {}
    bound = int(words[-1])
    for number, literal in zip(words[:-2:2], words[1:-2:2], strict=True):
        factor = int(number)
        factors[literal if factor > 0 else negated(literal)] = abs(factor)
        bound -= min(factor, 0)
    return factors, bound


def added(first: Inequality, second: Inequality) -> Inequality:
    factors, bound = dict(first[0]), first[1] + second[1]
    for literal, factor in second[0].items():
        cancelled = min(factor, factors.get(negated(literal), 0))
        bound -= cancelled
        for name, change in ((negated(literal), -cancelled), (literal, factor - cancelled)):
            factors[name] = factors.get(name, 0) + change
    return {literal: factor for literal, factor in factors.items() if factor}, bound


def total(words: list[str], lines: list[Inequality]) -> Inequality:
    """Evaluate a sum in reverse Polish notation."""
    stack: list[Inequality | int] = []

    def pop() -> Inequality:
        top = stack.pop()
        return lines[top - 1] if isinstance(top, int) else top

    for word in words:
        if word == "+":
            stack.append(added(pop(), pop()))
        elif word in {"*", "d"}:
            factor_of_operation = stack.pop()
            assert isinstance(factor_of_operation, int)
            assert factor_of_operation > 0
            factors, least = pop()
            changed = {
                x: factor * factor_of_operation if word == "*" else -(-factor // factor_of_operation)
                for x, factor in factors.items()
            }
            stack.append(
                (changed, least * factor_of_operation if word == "*" else -(-least // factor_of_operation))
            )
        else:
            stack.append(int(word) if word.isdigit() else ({word: 1}, 0))
    result = pop()
    assert not stack
    return result


def follows(clause: Inequality, lines: list[Inequality]) -> bool:
    """Return whether unit propagation derives a contradiction if all literals of a clause are false."""
    assert clause[1] == 1
    false = set(clause[0])
    while True:
        before = len(false)
        for factors, bound in lines:
            slack = sum(factor for literal, factor in factors.items() if literal not in false) - bound
            if slack < 0:
                return True
            false |= {negated(x) for x, factor in factors.items() if factor > slack and x not in false}
        if len(false) == before:
            return False


def added_up(formula: str, proof: str) -> bool:
    """Return whether all lines follow, and the last is a contradiction."""
    inequalities = [inequality(line.split()[:-1]) for line in formula.splitlines() if line[0] != "*"]
    first, count, *lines, output, conclusion, last = proof.splitlines()
    assert (first, last) == ("pseudo-Boolean proof version 2.0", "end pseudo-Boolean proof")
    assert (count, output) == (f"f {len(inequalities)}", "output NONE")
    for line in lines:
        rule, *words = line.split()
        if rule == "pol":
            inequalities.append(total(words, inequalities))
        else:
            assert (rule, words[-1]) == ("rup", ";")
            clause = inequality(words[:-1])
            if not follows(clause, inequalities):
                return False
            inequalities.append(clause)
    assert conclusion == f"conclusion UNSAT : {len(inequalities)}"
    factors, bound = inequalities[-1]
    return sum(factors.values()) < bound


def exported(certificate: Certificate) -> tuple[str, str] | None:
    """Return the files of a proof by steps, or None if inequalities cannot express it."""
    try:
        return opb.export(certificate)
    except FormatError:
        return None


@pytest.mark.parametrize("rule", sorted(opb.UNIT | opb.SUMS | opb.CUTS | {"branch"}))
def test_inequalities_follow_each_rule(rule: str) -> None:
    files = (
        exported(files_of_proof)
        for files_of_proof in proved_by(rule, 1)
        if not files_of_proof.question.one_way
    )
    for files_of_proof in islice(
        (files_of_proof for files_of_proof in files if files_of_proof is not None),
        1 if rule == "branch" else 10,
    ):
        assert added_up(*files_of_proof)


@pytest.mark.parametrize("count", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_inequalities_follow_random_proofs(count: int) -> None:
    rng, rules = random.Random(count), Counter[str]()
    for _ in range(count):
        board, _, closed = any_board(rng, 14)
        certificate = no_tour(board, open=not closed)
        if certificate is not None and isinstance(certificate.proof, StepProof):
            files = exported(certificate)
            rules[certificate.reason if files else "none"] += 1
            assert files is None or added_up(*files), certificate.to_json()
    assert rules["none"] < rules.total() / 10


def test_damaged_sums_are_refused() -> None:
    rng = random.Random(1)
    certificate = no_tour("3x8")
    assert certificate is not None
    formula, proof = opb.export(certificate)
    lines = proof.splitlines()
    places = [(i, j) for i, line in enumerate(lines) for j, _ in enumerate(line.split()) if line[:3] == "pol"]
    refused = 0
    for i, j in places:
        words = lines[i].split()
        words[j] = str(int(words[j]) + rng.choice([-1, 1])) if words[j].isdigit() else words[j]
        if words[j] != lines[i].split()[j] and words[j] != "0":
            changed = "\n".join([*lines[:i], " ".join(words), *lines[i + 1 :]])
            try:
                refused += not added_up(formula, changed)
            except (IndexError, AssertionError):  # the line does not exist, or is not a sum
                refused += 1
    assert refused > 5

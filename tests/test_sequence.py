"""Sequences: comparison with published terms, with counts board by board, and with their fractions."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.boards.notation import grown, grown_names
from cavalcade.counting import cycles
from cavalcade.counting.families import matrix_of, question_of
from cavalcade.counting.sequence import Fraction, polynomial, sequence
from cavalcade.counting.strips import by_matrix, sizes_of
from cavalcade.counting.total import count
from cavalcade.counting.transfer_matrix import automaton, strip_of
from cavalcade.ground.errors import BoardError, PieceError, TooLargeError
from cavalcade.question.pieces import piece_of
from conftest import one_error

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade.answers.counts import Count
    from cavalcade.counting.sequence import Sequence
    from conftest import Ran

# spec, open, and some terms of the OEIS
PUBLISHED = {
    "A070030": ("3xn", False, {9: 0, 10: 16, 12: 176, 13: 0, 14: 1536, 16: 15424, 18: 147728, 20: 1448416}),
    "A175855": ("5xn", False, {4: 0, 6: 8, 7: 0, 8: 44202, 10: 13311268}),
    "A169696": ("3xn", True, {3: 0, 4: 8, 5: 0, 6: 0, 7: 52, 8: 396, 9: 560, 10: 3048}),
    "A079137": ("4xn", True, {3: 8, 4: 0, 5: 82, 6: 744, 7: 6378, 8: 31088}),
}


@cache
def of_strip(spec: str, piece: str, *, is_open: bool) -> Sequence:
    """Return twenty terms, and the fraction if it takes less than a second; cached for this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cavalcade.counting.sequence.WORK", 30_000_000)
        return sequence(spec, 20, piece=piece, open=is_open)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_sequences(name: str) -> None:
    spec, is_open, expected = PUBLISHED[name]
    terms = of_strip(spec, "knight", is_open=is_open).terms
    assert {n: terms[n - 1] for n in expected} == expected


def by_squaring(spec: str, n: int, p: int, *, is_open: bool) -> int:
    """Return a(n) modulo a small prime, by powers of the matrix of the strip."""
    matrix = automaton(strip_of(spec, joined=is_open))
    forward, ends = matrix.ways.T.toarray().astype(np.int64) % p, matrix.ends.T
    power, exponent = np.eye(len(forward), dtype=np.int64), n - ends.shape[0]
    square = forward
    while exponent:
        power = power @ square % p if exponent & 1 else power
        square, exponent = square @ square % p, exponent >> 1
    state, total = power[:, 0], 0
    for row in reversed(range(ends.shape[0])):
        total += int((ends @ state)[row])
        state = forward @ state % p
    return total % p


@pytest.mark.parametrize(("spec", "is_open"), [("3xn", False), ("3xn", True)])
def test_one_term_of_many(spec: str, is_open: bool) -> None:  # noqa: FBT001 - a parameter
    result = sequence(spec, 40, open=is_open)
    assert result.fraction is not None
    assert result.fraction.proved
    for modulo in (1, 2, 97, 10**20):
        terms = [result.fraction.term(n, modulo) for n in range(1, 41)]
        assert terms == [term % modulo for term in result.terms]
    assert result.fraction.term(1_000) == count("3x1000", open=is_open).count
    for n in (1_000, 10**9):
        assert result.fraction.term(n, 1_000_003) == by_squaring(spec, n, 1_000_003, is_open=is_open)
    for n, wrong in ((0, 5), (5, 0), (10_001, None)):
        with pytest.raises(BoardError, match="expected"):
            result.fraction.term(n, wrong)


@pytest.mark.parametrize(
    ("spec", "piece", "upto"),
    [
        ("3xn", "knight", 12),
        ("nx3", "knight", 8),
        ("4xn", "knight", 6),
        ("2x2xn", "knight", 5),
        ("cylinder:nx3", "knight", 6),
        ("cylinder:nx4", "knight", 5),
        ("1xn", "0,1", 5),
        ("1xn", "0,1+0,2", 9),
        ("2xn", "0,1", 8),
        ("3xn", "0,1+1,1", 6),
        ("4xn", "0,1", 6),
        ("2xn", "camel+0,1", 7),
        ("3xn", "moves:1,1;0,1;1,-2+-", 6),
        ("2x2xn", "0,1", 5),
    ],
)
@pytest.mark.parametrize("is_open", [False, True])
def test_against_counts_board_by_board(spec: str, piece: str, upto: int, is_open: bool) -> None:  # noqa: FBT001
    result = of_strip(spec, piece, is_open=is_open)
    head, sides = spec.rpartition(":")[0], spec.rpartition(":")[2]
    for n in range(1, upto + 1):
        board = head + ":" * bool(head) + sides.replace("n", str(n))
        assert result.terms[n - 1] == count(board, piece=piece, open=is_open).count, board


@pytest.mark.parametrize(
    ("spec", "is_open", "order"),
    [
        ("3xn", False, 42),
        ("3xn", True, 172),
        ("cylinder:nx3", False, 68),
        pytest.param("4xn", True, 240, marks=pytest.mark.slow),
    ],
)
def test_fractions_predict_further_terms(
    spec: str,
    is_open: bool,  # noqa: FBT001
    order: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fraction = sequence(spec, 1, open=is_open).fraction
    assert fraction is not None
    assert fraction.proved
    assert fraction.order == order
    much = fraction.guessed + 200
    monkeypatch.setattr("cavalcade.counting.sequence.MOST_BEFORE", much)  # compute all terms by the matrix
    assert tuple(fraction.terms(much)) == sequence(spec, much, open=is_open).terms


def test_the_fraction_of_elkies_and_knuth() -> None:
    """OEIS A070030 has a recurrence of order 21 in z = x^2 that begins 6, 64, -200, -1000, 3016, 3488."""
    fraction = sequence("3xn", 1).fraction
    assert fraction is not None
    assert fraction.denominator[::2][:7] == (1, -6, -64, 200, 1000, -3016, -3488)
    assert not any(fraction.denominator[1::2])
    assert len(fraction.denominator[::2]) == 22
    assert fraction.numerator[:13] == (0,) * 10 + (16, 0, 80)
    assert sequence("3xn", 60).terms[59] == 83842346389750721268361216


def test_fractions_by_hand() -> None:
    fibonacci = Fraction((0, 1), (1, -1, -1), 4, 9, proved=True)
    assert fibonacci.terms(8) == [1, 1, 2, 3, 5, 8, 13, 21]
    assert (fibonacci.order, fibonacci.valid_from) == (2, 3)
    assert polynomial((1, -1, 0, -4)) == "1 - x - 4x^3"
    assert polynomial((0, -2)) == "-2x"
    assert polynomial(()) == "0"
    dominoes = sequence("2xn", 9, piece="0,1")
    assert dominoes.terms == (0, 1, 1, 1, 1, 1, 1, 1, 1)
    assert dominoes.fraction is not None
    assert dominoes.fraction.describe()[:2] == [
        "sum of a(n) x^n = (x^2) / (1 - x)",
        "a(n) = a(n-1): a recurrence of order 1 from n = 3 on",
    ]


def test_rooks_sequences() -> None:
    """Hamiltonian cycles of grid graphs: 4xn is OEIS A006864, 5x2n A006865."""
    assert sequence("4xn", 8, piece="0,1").terms[1:] == (1, 2, 6, 14, 37, 92, 236)
    assert sequence("5xn", 8, piece="0,1").terms[1::2] == (1, 14, 154, 1696)


def test_directed() -> None:
    once = of_strip("3xn", "knight", is_open=True)
    twice = sequence("3xn", 20, open=True, directed=True)
    assert twice.terms == tuple(2 * term for term in once.terms)
    assert sequence("1xn", 4, piece="0,1", open=True, directed=True).terms == (1, 2, 2, 2)


def test_mirror_images_share_a_state() -> None:
    strip = strip_of("3xn")
    assert strip.mirrored
    skew = strip_of("3xn", sequence("3xn", 1, piece="moves:1,2;2,1+-").piece)
    assert not skew.mirrored
    matrix = automaton(strip)
    assert matrix.states == 75
    assert (
        matrix.ways.sum(axis=1) + matrix.ends.sum(axis=1) > 0
    ).all()  # every state has a successor or an end


def test_invalid_sequences_and_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for spec in ("3x4", "moon:n", "n", ""):
        with pytest.raises(BoardError):
            sequence(spec, 3)
    with pytest.raises(BoardError, match="never leaves"):
        sequence("3xn", 3, piece="moves:1,0+-")
    with pytest.raises(BoardError, match="expected 1 to"):
        sequence("3xn", 0)
    with pytest.raises(PieceError):
        sequence("3xn", 3, piece="moves:1,0,0")
    cut_short = sequence("9xn", 8, memory=1 << 14)
    assert cut_short.terms == (0, 0, 0, 0, 0)  # 9x5 has unequal colours, the tables of 9x6 do not fit
    assert re.search(
        r"9x6: .* the table of .* needs about .*, the memory limit is [0-9.]+ (kB|bytes)", cut_short.reason
    )
    monkeypatch.setattr(cycles, "LARGE", 1)
    monkeypatch.setattr(cycles, "BEGUN", 1 << 12)
    cut_short = sequence("9xn", 8, memory=1 << 20)  # the tables of 9x6 would go to disk
    assert cut_short.terms == (0, 0, 0, 0, 0)
    assert re.search(r"9x6: this count needs about .* the rest goes to", cut_short.reason)
    with pytest.raises(TooLargeError, match="places in the window"):
        sequence("9x9x9xn", 3)


def test_the_command(cli: Callable[..., Ran], tmp_path: Path) -> None:
    file = tmp_path / "b070030.txt"
    assert cli("count", "3xn", "--only", "1000000000", "--modulo", "1000000007")[:2] == (0, "793957932\n")
    assert cli("count", "5xn", "--only", "60")[0] == 3
    code, out, err = cli("count", "3xn", "--upto", "16", "--bfile", str(file))
    lines = out.splitlines()
    assert code == 0
    assert lines[:16] == [f"{n} {term}" for n, term in enumerate(sequence("3xn", 16).terms, 1)]
    assert lines[9] == "10 16"
    assert lines[16].startswith("# sum of a(n) x^n = (16x^10 + 80x^12 - 544x^14")
    assert "75 states between slabs" in err
    assert file.read_text() == "".join(line + "\n" for line in lines[:16])
    numbers = [int(line.split()[0]) for line in file.read_text().splitlines()]
    assert all(b == a + 1 for a, b in pairwise(numbers))
    code, out, err = cli("count", "3xn", "--open", "--json")
    answer = json.loads(out)
    assert (code, answer["offset"], answer["kind"], answer["proved"]) == (0, 1, "open", True)
    assert answer["terms"][3:8] == [8, 0, 0, 52, 396]
    assert cli("count", "9xn", "--memory", "0.03M")[0] == 3
    assert cli("count", "3x4", "--upto", "5")[0] == 2
    assert cli("count", "3x4", "--bfile", str(file))[0] == 2
    assert cli("count", "moon:3xn")[0] == 2


def test_few_terms_of_a_wide_board_are_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    result = sequence("2x3xn", 4)
    assert (result.terms, result.states, result.fraction) == ((0, 0, 0, 12132), 0, None)
    by_matrix = of_strip("cylinder:nx3", "knight", is_open=True).terms[:6]
    monkeypatch.setattr("cavalcade.counting.sequence.WIDE", 0)
    assert sequence("cylinder:nx3", 6, open=True).terms == by_matrix


def test_terms_are_reported_one_by_one(cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms are reported one by one; Ctrl-C during the fourth keeps three."""
    reported: list[tuple[int, int]] = []
    terms = sequence("3xn", 12, found=lambda n, term: reported.append((n, term))).terms
    assert reported == list(enumerate(terms, 1))

    def stopped(question: cavalcade.Question, **options: Any) -> Count:
        if question.board.spec == "2x3x4":
            raise KeyboardInterrupt
        return count(question, **options)

    monkeypatch.setattr("cavalcade.counting.sequence.count", stopped)
    code, out, _ = cli("count", "2x3xn", "--upto", "5")
    assert (code, out) == (130, "1 0\n2 0\n3 0\n")
    code, out, _ = cli("count", "2x3xn", "--upto", "5", "--json")
    assert (code, out) == (130, "")


# ---- constraints relative to the ends of a strip


def test_cells_relative_to_a_side() -> None:
    assert grown("4xn-{n}1,a{n-1},b2", 30) == "4x30-ad1,a29,b2"
    assert grown_names("17={n-1}{n-2},{n}:a3", "nxnxn", 5) == "17=d3,5:a3"
    assert grown_names("{n+9}1", "hex:n", 1) == "k1"  # hexagonal boards have no column j


def test_paths_of_project_euler_237() -> None:
    """T(10) = 2329 is printed in the problem; T(10**12) modulo 10**8 is its published solution."""
    paths = sequence("4xn", 10, piece="wazir", open=True, start="a4", end="a1")
    assert paths.terms[-1] == 2329
    assert paths.fraction is not None
    assert paths.fraction.proved
    assert paths.fraction.term(10**12, 10**8) == 15836928


def test_rook_paths_from_corner_to_corner() -> None:
    """OEIS A001184 has the paths of squares for odd n; those of 3xn are the powers of 2."""
    squares = sequence("nxn", 7, piece="wazir", open=True, start="a1", end="{n}{n}")
    assert squares.terms == (1, 0, 2, 0, 104, 0, 111712)
    assert sequence("3xn", 30, piece="wazir", open=True, start="a1", end="{n}3").terms == (
        1, *(2 ** (n - 2) for n in range(2, 31)),
    )  # fmt: skip


@st.composite
def relative(draw: st.DrawFn) -> tuple[str, str, dict[str, Any]]:
    """A strip with named cells near either end, a piece, and words about them."""
    rows, across = draw(st.integers(1, 4)), draw(st.booleans())

    def cell() -> str:
        k, row, at_end = draw(st.integers(1, 3)), draw(st.integers(1, rows)), draw(st.booleans())
        side = f"{{n-{k - 1}}}" if at_end else "abc"[k - 1] if across else str(k)
        return f"{side}{row}" if across else f"{'abcd'[row - 1]}{side}"

    spec = f"{rows}xn" if across else f"{draw(st.sampled_from(['', 'cylinder:']))}nx{rows}"
    spec += draw(st.sampled_from(["", f"-{cell()}"]))
    words: dict[str, Any] = {"open": draw(st.booleans())}
    for word in ("start", "end") if words["open"] else ():
        if draw(st.booleans()):
            words[word] = cell()
    for word in ("with_", "avoid"):
        if draw(st.booleans()):
            words[word] = [f"{cell()}-{cell()}"]
    return spec, draw(st.sampled_from(["wazir", "0,1+1,1", "knight", "1,1+1,2"])), words


@given(relative())
@settings(max_examples=8)
def test_matrices_with_levels_against_counts_of_each_board(question: tuple[str, str, dict[str, Any]]) -> None:
    spec, piece, words = question
    assume(question_of(spec, words | {"piece": piece}, 9) is not None)
    strip = strip_of(spec.partition("-")[0], piece_of(piece), joined=words["open"])
    boards = (question_of(spec, words | {"piece": piece}, n) for n in range(1, 10))
    counts = [0 if board is None else cavalcade.count(board).count for board in boards]
    matrix = matrix_of(spec, strip, words | {"piece": piece}, lambda last: counts[:last])
    assume(matrix is not None)
    assert matrix is not None
    assert len(matrix.first) < 9
    assert by_matrix(matrix, sizes_of(matrix, 9))[0] == counts


def test_a_closing_cycle_must_have_used_the_moves_of_later_cells() -> None:
    """The second move begins in the last but one column, and a cycle can close before that."""
    words = {"open": True, "with_": ["a1-b3", "{n-1}1-{n}3"]}
    known = [0, 0, 6, 0, 73, 672, 5426]
    matrix = matrix_of("4xn", strip_of("4xn", joined=True), words, lambda last: known[:last])
    assert matrix is not None
    assert by_matrix(matrix, sizes_of(matrix, 7))[0] == known


def test_refused_words_of_families(cli: Callable[..., Ran]) -> None:
    one_error(cli("count", "4xn", "--from", "z99"), "z99")
    one_error(cli("count", "4xn", "--symmetry"), "--symmetry")
    one_error(cli("count", "4xn", "--at", "3", "--open"), "--at 3")
    one_error(cli("count", "4xn", "--by", "slope"), "--by")
    ran = cli("count", "3xn", "--without", "a1", "--piece", "wazir", "--upto", 5, "--json")
    assert json.loads(ran.out)["board"] == "3xn-a1"
    assert json.loads(ran.out)["terms"] == [
        cavalcade.count(f"3x{n}-a1", piece="wazir").count for n in range(1, 6)
    ]

"""Sequences: the number of tours of 3xn for n = 1, 2, 3, …, with recurrence and generating function.

With the transfer matrix of a strip (`transfer_matrix`), each term costs one product of the matrix and a
vector. Products are computed modulo several primes of 31 bits and combined by the Chinese remainder theorem.
The generating function is a rational function (R. P. Stanley, Enumerative Combinatorics 1, section 4.7); N.
D. Elkies and D. E. Knuth found that of 3xn in 1994 (OEIS A070030). Here it is guessed from terms by the
Berlekamp-Massey algorithm (J. L. Massey, 1969), modulo each prime. Its denominator has integer coefficients
and constant term 1 (P. Fatou, 1906). The guess is then verified, with integers, on terms that were not used.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from cavalcade.answers.verification import Verification
from cavalcade.boards.notation import grown, grows, parse_board, spelled
from cavalcade.checking.verification import REPEATED, agreed
from cavalcade.counting.families import asked, matrix_of, question_of
from cavalcade.counting.residues import combined, primes_for
from cavalcade.counting.strips import WIDE, by_matrix, residues_of, sizes_of
from cavalcade.counting.total import count, count_within
from cavalcade.counting.transfer_matrix import Automaton, automaton, strip_of
from cavalcade.ground.above import shown
from cavalcade.ground.budget import assert_time, bounded, memory_limit
from cavalcade.ground.errors import BoardError, TooLargeError, whole
from cavalcade.ground.kernels import Ints
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.pieces import Piece, piece_of
from cavalcade.question.words import ROWS, QuestionWords, validated

FEW = 6  # terms counted board by board first, because the matrix of 6xn takes a minute
MOST_BEFORE = 256  # terms computed before the search for a recurrence, so that users see them early
MAX_ORDER = 60  # greatest order of a recurrence that is printed: three screens; JSON has longer ones
MOST_TERMS = 10_000  # largest n without a modulus
MOST_GUESSED = 6000  # terms from which a recurrence is guessed: Berlekamp-Massey takes quadratic time, 0.4 s
WORK = 2_000_000_000  # multiplications allowed for finding a recurrence, about 10 s
CHECKS = 40  # minimum number of terms that verify a recurrence and were not used to guess it


@dataclass(frozen=True)
class Fraction:
    """A generating function: the sum of a(n) x**n over n >= 1 is numerator / denominator.

    Args:
        numerator: coefficients, constant term first.
        denominator: coefficients, constant term first, which is 1.
        guessed: number of terms from which the fraction was guessed.
        checked: number of later terms on which it was verified.
        proved: whether the verified terms imply all terms: the size of the matrix bounds the degrees, and two
            fractions of bounded degrees are equal if enough of their terms are.
    """

    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    guessed: int
    checked: int
    proved: bool

    @property
    def order(self) -> int:
        """Order of the recurrence: the number of preceding terms that determine a term."""
        return len(self.denominator) - 1

    @property
    def valid_from(self) -> int:
        """The first n for which the recurrence holds: a(n) = - sum of denominator[i] * a(n - i)."""
        return max(len(self.numerator), self.order + 1)

    def terms(self, count: int) -> list[int]:
        """Compute a(1), …, a(count) from the fraction."""
        terms = [0]
        for n in range(1, count + 1):
            head = self.numerator[n] if n < len(self.numerator) else 0
            tail = enumerate(self.denominator[1 : n + 1], 1)
            terms.append(head - sum(d * terms[n - i] for i, d in tail if d))
        return terms[1:]

    def term(self, n: int, modulo: int | None = None) -> int:
        """Compute a(n), or its remainder modulo a number.

        Time: with a modulus, 2 log2(n) products of polynomials whose degree is the order (A. Bostan & R.
            Mori, 2021);
        without one, the time for all terms up to n.

        Raises:
            BoardError: n or the modulus is below 1, or n is above 10,000 without a modulus.

        Examples:
            >>> sequence("3xn", 12).fraction.term(10**9, 1000)
            616
        """
        if whole(n, "n") < 1 or (modulo is not None and whole(modulo, "modulo") < 1):
            raise BoardError(f"n is {n}, the modulus {modulo}: expected numbers from 1 up")
        if modulo is None:
            if n > MOST_TERMS:
                raise BoardError(f"n is {n:,}: expected at most {MOST_TERMS:,}, or a modulus")
            return self.terms(n)[-1]
        # Bostan-Mori: [x^n] p(x) / q(x) = [x^n] p(x) q(-x) / (q(x) q(-x)). The new denominator has even
        # powers only, so the coefficients of the parity of n suffice in the numerator, and n is halved.
        p, q = (np.array(coefficients, dtype=object) for coefficients in (self.numerator, self.denominator))
        while n:
            mirror = q * np.resize([1, -1], len(q))
            p, q = np.convolve(p, mirror)[n & 1 :: 2] % modulo, np.convolve(q, mirror)[::2] % modulo
            n >>= 1
        return int(p[0]) % modulo if len(p) else 0

    def describe(self, longest: int = MAX_ORDER) -> list[str]:
        """Describe the fraction and its recurrence in lines; only the order if it exceeds `longest`."""
        how = "so it is right for all n" if self.proved else "not proved"
        note = f"found from {self.guessed} terms, checked on {self.checked} more: {how}"
        order = f"a recurrence of order {self.order} from n = {self.valid_from} on"
        if self.order > longest:
            return [f"{order}; {note}"]
        recurrence = [(-d, f"a(n-{i})") for i, d in enumerate(self.denominator) if i and d]
        return [
            f"sum of a(n) x^n = ({polynomial(self.numerator)}) / ({polynomial(self.denominator)})",
            f"a(n) = {_sum(recurrence)}: {order}",
            note,
        ]


def polynomial(coefficients: tuple[int, ...]) -> str:
    """Format a polynomial for people: 1 - 6x^2 + x^4."""
    powers = ["", "x", *(f"x^{i}" for i in range(2, len(coefficients)))]
    return _sum([(c, power) for c, power in zip(coefficients, powers, strict=False) if c])


def _sum(parts: list[tuple[int, str]]) -> str:
    """Format a sum of terms with coefficients; coefficients of 1 are omitted."""
    text = ""
    for c, term in parts:
        sign = (" - " if c < 0 else " + ") if text else "-" if c < 0 else ""
        text += f"{sign}{'' if abs(c) == 1 and term else abs(c)}{term}"
    return text or "0"


@dataclass(frozen=True)
class Sequence:
    """The numbers of tours of a board with a side n, for n = 1, 2, 3, ….

    Args:
        spec: spec of the board, with a side n.
        piece: the piece.
        terms: a(1), a(2), …
        conventions: which tours were counted as different.
        states: size of the transfer matrix; 0 without one.
        fraction: generating function, if it was found.
        seconds: wall time.
        reason: the limit that was reached, if any; then terms can be missing.
        counted_twice: the last n up to which all terms were counted twice; 0 if a(1) was not.
        words: the words of the question besides the piece, in which names of cells may be relative to n.

    Examples:
        >>> sequence("3xn", 4).bfile.splitlines()[-1]
        '4 0'
    """

    spec: str
    piece: Piece
    terms: tuple[int, ...]
    conventions: str
    states: int
    fraction: Fraction | None
    seconds: float
    reason: str = ""
    counted_twice: int = 0
    words: Mapping[str, Any] = field(default_factory=dict)

    _repr_html_ = shown

    @property
    def bfile(self) -> str:
        """The terms as an OEIS b-file: one line `n a(n)` for each n from 1."""
        return "".join(f"{n} {term}\n" for n, term in enumerate(self.terms, 1))


@validated
def sequence(
    board: str,
    upto: int = 20,
    *,
    directed: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    found: Callable[[int, int], None] | None = None,
    progress: ProgressCallback | None = None,
    **words: Unpack[QuestionWords],
) -> Sequence:
    """Count the tours of a board with a side n for n = 1, …, upto; find the generating function.

    `cavalcade.count` defines what counts as a tour. If a limit is reached, the result has the terms found so
    far, and its `reason` names the limit.

    In the names of cells, `{n}` and `{n-1}` stand for the last and the last but one column, row or level:
    `{n}1` is the other corner of the row of a1. A board that lacks a cell that is named has no tour; nor does
    one that lacks the symmetry.

    Args:
        board: spec with a side n, such as 3xn, 2x3xn, cylinder:nx5, nxn, hex:n or 4xn-{n}4.
        upto: last n.
        directed: count both directions.
        memory: bytes the matrix may take; by default half of the machine's memory.
        time_limit: seconds; by default none.
        found: callback, called with n and a(n) for each new term.
        progress: called with the fraction of the terms that are found, from 0 to 1, after each one.
        words: the words of the question, see `cavalcade.question.words`.

    Raises:
        CavalcadeError: the spec is invalid or has no side n, or the question makes no sense for any n.

    Time: that of `transfer_matrix.automaton`, then one product of the matrix and a vector for each term. The
        first six terms are counted board by board, because some matrices take a minute (2x3xn, 6xn). If the
        matrix does not fit into memory, or the question has steps, a symmetry or a direction, all terms are
        counted board by board.

    Examples:
        >>> sequence("3xn", 12).terms
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 176)
        >>> sequence("4xn", 6, piece="wazir", open=True, start="a4", end="a1").terms
        (1, 1, 4, 8, 23, 55)
    """
    if not isinstance(board, str):
        raise BoardError(f"{str(board)[:60]!r} is not a strip, expected a spec such as '3xn'")
    if not 1 <= whole(upto, "upto") <= MOST_TERMS:
        raise BoardError(f"n runs from 1 up to {upto}: expected 1 to {MOST_TERMS:,}")
    began, spec, piece = time.perf_counter(), spelled(board), piece_of(words.get("piece"))
    if not grows(spec):
        raise BoardError(f"{board[:60]!r} does not grow, expected a side n, as in 3xn, nxn or hex:n")
    piece.assert_both_ways(parse_board(grown(spec.partition("-")[0], 1)), "sequences of counts")
    stated = {name: value for name, value in words.items() if value or type(value) is int}
    asked(spec, stated, upto)
    family, _, sides = (shape := spec.partition("-")[0]).rpartition(":")
    open = words.get("open", False)
    whole_strip = sides.count("n") == 1 and (not family or (family == "cylinder" and sides[0] == "n"))
    ends_only = stated.keys() <= {"piece", "open", "start", "end", "with_", "avoid", "avoid_cells"}
    strip = strip_of(shape, piece, joined=open) if whole_strip and ends_only else None
    plain = shape == spec and stated.keys() <= {"piece", "open"}
    kind, way, times = "open" if open else "closed", *(("directed", 2) if directed else ("undirected", 1))
    if {"start", "end"} & stated.keys() and open:  # the ends tell a tour from its reverse
        way, times = "directed", 1
    conventions = f"{kind} tours{_clauses(stated)}, {way}, mirror images and rotations counted apart"
    terms: list[int] = []
    states, fraction, reason = 0, None, ""
    counted_twice = 0

    def add(new_terms: Iterable[int]) -> None:
        for term in new_terms:
            terms.append(term)
            if found and len(terms) <= upto:
                found(len(terms), term)
            if progress and len(terms) <= upto:
                progress(len(terms) / upto)

    def by_board(last: int) -> Iterator[int]:
        """Yield the missing terms up to the last one, each counted on its own board."""
        for n in range(len(terms) + 1, last + 1):
            board = grown(spec, n)
            if (question := question_of(spec, stated, n)) is None:
                yield 0
                continue
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", RuntimeWarning)  # refuse tables on the disk
                    term = count(question, directed=directed, memory=memory_limit())
            except RuntimeWarning as error:
                raise TooLargeError(f"{board}: {error}") from None
            except (TimeoutError, TooLargeError) as error:
                raise type(error)(f"{board}: {error}") from None
            yield term.count

    def first_terms(last: int) -> list[int]:
        add(by_board(last))
        return terms[:last]

    try:
        with bounded(time_limit, memory):
            add(by_board(upto if strip is None else min(upto, FEW)))
            if strip is not None and (len(terms) < upto or strip.window < WIDE):
                try:
                    matrix = automaton(strip) if plain else matrix_of(spec, strip, stated, first_terms)
                except TooLargeError:
                    matrix = None
                if matrix is None:
                    add(by_board(upto))
                else:
                    matrix = replace(matrix, ends=times * matrix.ends)
                    states = matrix.states
                    for last in _doubled(min(upto, MOST_BEFORE)):
                        add(by_matrix(matrix, sizes_of(matrix, last))[0][len(terms) :])
                    fraction = _fraction(matrix, len(terms))
                    if fraction is not None and fraction.proved:
                        add(fraction.terms(upto)[len(terms) :])
                    else:
                        add(by_matrix(matrix, sizes_of(matrix, upto))[0][len(terms) :])
            counted_twice = _counted_twice(spec, stated, terms, directed=directed)
    except (TimeoutError, TooLargeError) as error:
        reason = str(error)
    seconds = time.perf_counter() - began
    return Sequence(
        spec, piece, tuple(terms[:upto]), conventions, states, fraction, seconds, reason,
        min(counted_twice, upto), stated,
    )  # fmt: skip


def _clauses(words: Mapping[str, Any]) -> str:
    """The clauses of a statement about the words of a question, with names as they were stated."""
    texts = {
        name: value
        if isinstance(value, str) or not isinstance(value, Iterable)
        else ", ".join(map(str, value))
        for name, value in words.items()
    }
    clauses = [row.clause.format(texts[name]) for name, row in ROWS.items() if name in texts]
    cells = f" of the board without {texts['avoid_cells']}" if "avoid_cells" in texts else ""
    return cells + "".join(clauses)


def _counted_twice(spec: str, words: Mapping[str, Any], terms: list[int], *, directed: bool) -> int:
    """Count the first boards again, each by itself, and return the last n up to which that was little work.

    Raises:
        AssertionError: a term is wrong.
    """
    for n, term in enumerate(terms[: 2 * FEW], 1):
        if (question := question_of(spec, words, n)) is None:
            continue
        total = count_within(question, REPEATED // 40, directed=directed)
        if total is None or total.verification == Verification.UNCHECKED:
            return n - 1
        agreed(term, f"for n = {n}, in the sequence,", total.count, "by a count")
    return min(len(terms), 2 * FEW)


def _doubled(last: int, first: int = 8) -> Iterator[int]:
    """Yield numbers of terms, doubling up to the last: all of them together cost twice the last."""
    while first < last:
        yield first
        first *= 2
    yield last


def _fraction(matrix: Automaton, upto: int) -> Fraction | None:
    """Find the generating function, if enough terms can be computed with at most `WORK` multiplications."""
    entries = matrix.ways.nnz + matrix.ends.size
    bound = matrix.order + len(matrix.first)
    sizes = sizes_of(matrix, max(upto, min(2 * bound + CHECKS, MOST_GUESSED, WORK // (10 * entries))))
    # The order modulo one prime is almost surely the order of the recurrence.
    [prime] = primes_for(0)
    [row] = residues_of(matrix, len(sizes), [prime])
    order = len(_recurrence(row, prime)) - 1
    # Prefer the number of terms that proves the recurrence; else take enough to verify it.
    number = upto
    for sufficient in (max(order + bound, 2 * order + CHECKS), 2 * order + CHECKS):
        last = max(upto, sufficient)
        if len(sizes) >= last and last * entries * len(primes_for(sizes[last - 1])) <= WORK:
            number = last
            break
    if number < 2 * order + CHECKS:
        return None
    terms, residues, moduli = by_matrix(matrix, sizes[:number])
    guesses = [_recurrence(row[: 2 * order], p) for row, p in zip(residues, moduli, strict=True)]
    right = [i for i, guess in enumerate(guesses) if len(guess) == order + 1]
    modulus = math.prod(moduli[i] for i in right)
    denominator = [
        c if 2 * c < modulus else c - modulus
        for c in combined(zip(*(guesses[i].tolist() for i in right), strict=True), [moduli[i] for i in right])
    ]
    # The product of the terms and the denominator is the numerator; its coefficients from x**order on must be
    # 0.
    product = [sum(c * terms[n - i] for i, c in enumerate(denominator[: n + 1]) if c) for n in range(number)]
    if any(product[order:]):
        return None
    return Fraction(
        (0, *np.trim_zeros(product[:order], "b")),
        tuple(np.trim_zeros(denominator, "b")),
        2 * order,
        number - 2 * order,
        number >= order + bound,
    )


def _recurrence(terms: Ints, p: int) -> Ints:
    """Find the shortest recurrence modulo p by the Berlekamp-Massey algorithm.

    Args:
        terms: residues of the terms.
        p: a prime.

    Returns:
        Coefficients c with c[0] = 1 such that the sum of c[i] * terms[n - i] is 0 for all n from the order
        on.

    Time: quadratic, 0.1 s for 3,000 terms.
    """
    # `current` annihilates all terms so far. `previous` failed with the discrepancy `failed`, `since` terms
    # ago, when the order last grew.
    current, previous = np.zeros((2, len(terms) + 1), dtype=np.int64)
    current[0] = previous[0] = 1
    order, since, failed = 0, 1, 1
    for n in range(len(terms)):
        assert_time("a recurrence was looked for")
        discrepancy = int((current[: order + 1] * terms[n - order : n + 1][::-1] % p).sum() % p)
        if not discrepancy:
            since += 1
            continue
        # Subtract a multiple of the shifted previous polynomial, which cancels the discrepancy.
        old = current.copy()
        current[since:] = (current[since:] - discrepancy * pow(failed, -1, p) % p * previous[:-since]) % p
        if 2 * order <= n:
            previous, failed, order, since = old, discrepancy, n + 1 - order, 1
        else:
            since += 1
    return current[: order + 1]

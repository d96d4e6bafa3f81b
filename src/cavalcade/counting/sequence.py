"""Sequences: how many tours 3xn has for n = 1, 2, 3, …, with recurrence and generating function.

Once the matrix of a strip is known (`transfer_matrix`), a term costs one product of it and a vector. Products
are taken modulo as many primes of 31 bits as the numbers need, which are then put together. So the
generating function is a fraction of polynomials (R. P. Stanley, Enumerative Combinatorics 1, section 4.7);
for 3xn N. D. Elkies and D. E. Knuth found it in 1994 (OEIS A070030). Here it is guessed from terms by the
algorithm of Berlekamp and Massey (J. L. Massey, 1969), modulo each prime; its denominator can be taken with
integers and a constant of 1 (P. Fatou, 1906). Then it is checked, with integers, on terms that were not used.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from cavalcade.boards.notation import grown, grows, spelled
from cavalcade.counting.residues import combined, primes_for
from cavalcade.counting.strips import WIDE, by_matrix, residues_of, sizes_of
from cavalcade.counting.total import count
from cavalcade.counting.transfer_matrix import Automaton, automaton, strip_of
from cavalcade.ground.above import shown
from cavalcade.ground.budget import assert_time, bounded, memory_limit
from cavalcade.ground.errors import BoardError, TooLargeError, whole
from cavalcade.ground.kernels import Ints
from cavalcade.question.pieces import Piece, PieceLike, piece_of
from cavalcade.question.words import validated

PRIME = 2**31 - 1
FEW = 6  # terms that are counted board by board before the matrix
MOST_BEFORE = 256  # terms that are computed before a recurrence is looked for
FIRST = 8  # terms that a matrix gives before the next, each time twice as many
MOST_TERMS = 10_000
MOST_GUESSED = 6000  # terms that a recurrence is guessed from
WORK = 2_000_000_000  # products that finding one may take, about 10 s
CHECKS = 40  # terms not used to guess it, at least


@dataclass(frozen=True)
class Fraction:
    """A generating function: the sum of a(n) x**n over n >= 1 is numerator / denominator.

    Args:
        numerator: coefficients, that of x**0 first.
        denominator: likewise; it begins with 1.
        guessed: the terms used to find it.
        checked: the terms after those on which it was checked.
        proved: whether these were enough for all terms: two fractions whose degrees are bounded by the size
            of the matrix are the same if as many terms are.
    """

    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    guessed: int
    checked: int
    proved: bool

    @property
    def order(self) -> int:
        """How many terms before it the recurrence takes to give the next."""
        return len(self.denominator) - 1

    @property
    def valid_from(self) -> int:
        """The first n that the recurrence gives: a(n) = - sum of denominator[i] * a(n - i)."""
        return max(len(self.numerator), self.order + 1)

    def terms(self, count: int) -> list[int]:
        """a(1), …, a(count), from the fraction alone."""
        found = [0]
        for n in range(1, count + 1):
            head = self.numerator[n] if n < len(self.numerator) else 0
            tail = enumerate(self.denominator[1 : n + 1], 1)
            found.append(head - sum(d * found[n - i] for i, d in tail if d))
        return found[1:]

    def term(self, n: int, modulo: int | None = None) -> int:
        """a(n), or what it leaves when divided by a number.

        Time: with a modulus 2 log2(n) products of polynomials of the order's degree (A. Bostan & R. Mori,
        2021); without one, that of all terms up to n.

        Raises:
            BoardError: n or the modulus is below 1, or n is above 10,000 and there is no modulus.

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
        above, below = (np.array(some, dtype=object) for some in (self.numerator, self.denominator))
        while n:  # above / below = above * mirror / (below * mirror), whose denominator has even powers only
            mirror = below * np.resize([1, -1], len(below))
            above, below = np.convolve(above, mirror)[n & 1 :: 2], np.convolve(below, mirror)[::2]
            above, below = above % modulo, below % modulo
            n >>= 1
        return int(above[0]) % modulo if len(above) else 0

    def describe(self, longest: int) -> list[str]:
        """The fraction and its recurrence in lines; of one longer than `longest` the order only."""
        how = "so it is right for all n" if self.proved else "not proved"
        note = f"found from {self.guessed} terms, checked on {self.checked} more: {how}"
        order = f"a recurrence of order {self.order} from n = {self.valid_from} on"
        if self.order > longest:
            return [f"{order}; {note}"]
        back = [(-d, f"a(n-{i})") for i, d in enumerate(self.denominator) if i and d]
        return [
            f"sum of a(n) x^n = ({polynomial(self.numerator)}) / ({polynomial(self.denominator)})",
            f"a(n) = {_sum(back)}: {order}",
            note,
        ]


def polynomial(coefficients: tuple[int, ...]) -> str:
    """For people: 1 - 6x^2 + x^4."""
    powers = ["", "x", *(f"x^{i}" for i in range(2, len(coefficients)))]
    return _sum([(c, power) for c, power in zip(coefficients, powers, strict=False) if c])


def _sum(parts: list[tuple[int, str]]) -> str:
    """Terms with their coefficients, without those of 1."""
    text = ""
    for c, what in parts:
        sign = (" - " if c < 0 else " + ") if text else "-" if c < 0 else ""
        text += f"{sign}{'' if abs(c) == 1 and what else abs(c)}{what}"
    return text or "0"


@dataclass(frozen=True)
class Sequence:
    """The numbers of tours of a growing board.

    Args:
        spec: the board, with a side n.
        terms: a(1), a(2), …
        conventions: what was counted.
        states: the size of the matrix.
        fraction: the generating function, if it was found.
        seconds: the time it took.
        reason: if a limit was reached, which; perhaps there are fewer terms then.

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

    _repr_html_ = shown

    @property
    def bfile(self) -> str:
        """The terms as an OEIS b-file: lines `n a(n)`, from n = 1."""
        return "".join(f"{n} {term}\n" for n, term in enumerate(self.terms, 1))


@validated
def sequence(
    board: str,
    upto: int = 20,
    *,
    piece: PieceLike | None = None,
    open: bool = False,
    directed: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    found: Callable[[int, int], None] | None = None,
) -> Sequence:
    """The numbers of tours of a board with a side n, for n = 1, …, upto, and their generating function.

    `cavalcade.count` defines what counts as a tour. Where a limit is reached, the terms found until then are
    the answer, and its `reason` says so.

    Args:
        board: a spec with a side n, such as 3xn, 2x3xn, cylinder:nx5, nxn or hex:n.
        upto: the last n.
        piece: a piece or its spec; by default the knight.
        open: open tours instead of closed ones.
        directed: count both directions.
        memory: bytes the matrix may take; by default half of the machine's memory.
        time_limit: seconds; by default none.
        found: called with n and a(n) as soon as that is known.

    Raises:
        CavalcadeError: an invalid spec, or a board that does not grow.

    Time: that of `transfer_matrix.automaton`, then a product of the matrix and a vector for each term. The
    first six terms of a strip whose matrix takes a minute, such as 2x3xn or 6xn, are counted board by board,
    and all of them where the matrix does not fit.

    Examples:
        >>> sequence("3xn", 12).terms
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 176)
    """
    if not isinstance(board, str):
        raise BoardError(f"{str(board)[:60]!r} is not a strip, expected a spec such as '3xn'")
    if not 1 <= whole(upto, "upto") <= MOST_TERMS:
        raise BoardError(f"n runs from 1 up to {upto}: expected 1 to {MOST_TERMS:,}")
    began, spec, piece = time.perf_counter(), spelled(board), piece_of(piece)
    if not grows(spec) or "-" in spec:
        raise BoardError(
            f"{board[:60]!r} does not grow, expected a side n and no holes, as in 3xn, nxn or hex:n"
        )
    family, _, sides = spec.rpartition(":")
    whole_strip = sides.count("n") == 1 and (not family or (family == "cylinder" and sides[0] == "n"))
    strip = strip_of(spec, piece, joined=open) if whole_strip else None
    kind, way, times = "open" if open else "closed", *(("directed", 2) if directed else ("undirected", 1))
    conventions = f"{kind} tours, {way}, mirror images and rotations counted apart"
    terms: list[int] = []
    states, fraction, reason = 0, None, ""

    def add(more: Iterable[int]) -> None:
        for term in more:
            terms.append(term)
            if found:
                found(len(terms), term)

    def by_board(last: int) -> Iterator[int]:
        """The missing terms up to this one, each counted on its own board."""
        for n in range(len(terms) + 1, last + 1):
            board = grown(spec, n)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", RuntimeWarning)  # tables that would go to the disk
                    one = count(board, piece=piece, open=open, directed=directed, memory=memory_limit())
            except RuntimeWarning as error:
                raise TooLargeError(f"{board}: {error}") from None
            except (TimeoutError, TooLargeError) as error:
                raise type(error)(f"{board}: {error}") from None
            yield one.count

    try:
        with bounded(time_limit, memory):
            add(by_board(upto if strip is None else min(upto, FEW)))
            if strip is not None and (len(terms) < upto or strip.window < WIDE):
                try:
                    matrix = automaton(strip)
                    matrix = replace(matrix, ends=times * matrix.ends)
                except TooLargeError:
                    add(by_board(upto))
                else:
                    states = matrix.states
                    for some in _doubled(min(upto, MOST_BEFORE)):
                        add(by_matrix(matrix, sizes_of(matrix, some))[0][len(terms) :])
                    fraction = _fraction(matrix, len(terms))
                    if fraction is not None and fraction.proved:
                        add(fraction.terms(upto)[len(terms) :])
                    else:
                        add(by_matrix(matrix, sizes_of(matrix, upto))[0][len(terms) :])
    except (TimeoutError, TooLargeError) as error:
        reason = str(error)
    seconds = time.perf_counter() - began
    return Sequence(spec, piece, tuple(terms), conventions, states, fraction, seconds, reason)


def _doubled(last: int) -> Iterator[int]:
    """Numbers of terms up to this one, each twice the one before: all of them cost two times the last."""
    some = FIRST
    while some < last:
        yield some
        some *= 2
    yield last


def _fraction(matrix: Automaton, upto: int) -> Fraction | None:
    """The generating function, where terms enough can be had."""
    entries = matrix.ways.nnz + matrix.ends.size
    bound = matrix.order + 2 * matrix.one_cell
    sizes = sizes_of(matrix, max(upto, min(2 * bound + CHECKS, MOST_GUESSED, WORK // (10 * entries))))
    row = residues_of(matrix, len(sizes), [PRIME])[0]
    order = len(_recurrence(row, PRIME)) - 1
    known = upto
    for enough in (max(order + bound, 2 * order + CHECKS), 2 * order + CHECKS):
        wanted = max(upto, enough)
        if len(sizes) >= wanted and wanted * entries * len(primes_for(sizes[wanted - 1])) <= WORK:
            known = wanted
            break
    if known < 2 * order + CHECKS:
        return None
    terms, residues, moduli = by_matrix(matrix, sizes[:known])
    guesses = [_recurrence(row[: 2 * order], p) for row, p in zip(residues, moduli, strict=True)]
    right = [i for i, guess in enumerate(guesses) if len(guess) == order + 1]
    modulus = math.prod(moduli[i] for i in right)
    below = [
        c if 2 * c < modulus else c - modulus
        for c in combined(zip(*(guesses[i].tolist() for i in right), strict=True), [moduli[i] for i in right])
    ]
    product = [sum(c * terms[n - i] for i, c in enumerate(below[: n + 1]) if c) for n in range(known)]
    if any(product[order:]):
        return None
    return Fraction(
        (0, *np.trim_zeros(product[:order], "b")),
        tuple(np.trim_zeros(below, "b")),
        2 * order,
        known - 2 * order,
        known >= order + bound,
    )


def _recurrence(terms: Ints, p: int) -> Ints:
    """The shortest recurrence modulo p: c[0] = 1, and from its order on the sum of c[i] terms[n - i] is 0.

    Berlekamp and Massey's algorithm; quadratic time, 0.1 s for 3,000 terms.
    """
    now, before = np.zeros((2, len(terms) + 1), dtype=np.int64)
    now[0] = before[0] = 1
    order, since, last = 0, 1, 1
    for n in range(len(terms)):
        assert_time("a recurrence was looked for")
        off = int((now[: order + 1] * terms[n - order : n + 1][::-1] % p).sum() % p)
        if not off:
            since += 1
            continue
        old = now.copy()
        now[since:] = (now[since:] - off * pow(last, -1, p) % p * before[:-since]) % p
        if 2 * order <= n:
            before, last, order, since = old, off, n + 1 - order, 1
        else:
            since += 1
    return now[: order + 1]

"""Numbers of tours of a strip from its transfer matrix: products of the matrix and a vector, modulo primes.

A long board with few rows is one term: `count 3x1000` takes a thousand products instead of a search of 3,000
cells.
"""

from __future__ import annotations

import math

import numpy as np

from cavalcade.counting.residues import combined, primes_for
from cavalcade.counting.transfer_matrix import Automaton, automaton, strip_of
from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import CavalcadeError
from cavalcade.ground.kernels import Ints
from cavalcade.question.question import Question

LONG = 50  # length from which a board is counted by its matrix; shorter boards are searched faster
WIDE = 18  # places of the window from which the matrix takes a minute or more (6xn has 18)


def along_strip(question: Question) -> tuple[int, int] | None:
    """Count the undirected tours of a long box; return the count and the matrix size, else None."""
    board, piece = question.board, question.piece
    if board.plain or not board.is_box or board.mask is not None or not piece.leaps or board.size == 1:
        return None
    if max(board.shape) < LONG or question.ends or question.constraints or question.one_way:
        return None
    longest = board.shape.index(n := max(board.shape))
    sides = ["n" if axis == longest else str(side) for axis, side in enumerate(board.shape)]
    try:
        strip = strip_of("x".join(sides), piece, joined=not question.closed)
    except CavalcadeError:  # the window is too wide, or the piece never leaves its slab
        return None
    if strip.window >= WIDE:
        return None
    matrix = automaton(strip)
    moduli = primes_for(max(sizes_of(matrix, n)))
    row = residues_of(matrix, n, moduli)[:, -1:]
    return combined(row.T.tolist(), moduli)[0], matrix.states


def by_matrix(matrix: Automaton, sizes: list[float]) -> tuple[list[int], Ints, list[int]]:
    """Return the terms with these sizes in bits, their residues (one row per modulus), and the moduli."""
    moduli = primes_for(max(sizes))
    residues = residues_of(matrix, len(sizes), moduli)
    return combined(residues.T.tolist(), moduli), residues, moduli


def sizes_of(matrix: Automaton, count: int) -> list[float]:
    """Bound the binary logarithms of the first terms from above; all summands are positive."""
    forward, ends = matrix.ways.T.tocsr().astype(float), matrix.ends.T.astype(float)
    state = np.zeros(matrix.states)
    state[0] = 1
    scale = 0.0
    sizes = [0.0] * (count + len(ends))
    for k in range(count):
        assert_time(f"the sizes of {k:,} terms were found")
        for j, cycles in enumerate((ends @ state).tolist()):
            if cycles > 0:
                size = scale + math.log2(cycles)
                sizes[k + j] = 1e-6 + max(size, sizes[k + j]) + 1
        state = forward @ state
        if not (top := float(state.max(initial=0))):
            break
        state /= top
        scale += math.log2(top)
    sizes[: len(matrix.first)] = [term.bit_length() + 1.0 for term in matrix.first]
    return sizes[:count]


def residues_of(matrix: Automaton, count: int, primes: list[int]) -> Ints:
    """Return the first terms modulo primes, one row per prime."""
    from scipy import sparse

    modulus = np.array(primes, dtype=np.int64)
    forward, ends = matrix.ways.T.tocsr(), sparse.csr_array(matrix.ends.T)
    state = np.zeros((matrix.states, len(primes)), dtype=np.int64)
    state[0] = 1
    terms = np.zeros((count + ends.shape[0], len(primes)), dtype=np.int64)
    for k in range(count):
        assert_time(f"the remainders of {k:,} of {count:,} terms were found")
        terms[k : k + ends.shape[0]] += ends @ state % modulus
        state = forward @ state % modulus
    for k, term in enumerate(matrix.first[:count]):
        terms[k] = [term % prime for prime in primes]
    return np.ascontiguousarray((terms[:count] % modulus).T)

"""The encoding of a state in one or two words: the only module that reads and writes these words.

A *state* says for each vertex on the frontier whether it is untouched, done (has both its edges), or the end
of a path, and which ends belong together: each is the *mate* of the other (D. E. Knuth, TAOCP 7.2.2.4,
"mate"). Two partial solutions with the same state have the same completions.

A word has a few bits for each place on the frontier: 0 untouched, 1 done, and from 2 on the number of a path.
Paths are numbered in the order of their first ends, so that every state has one encoding, and the first
places need only two and three bits. Seventeen places fit into the first word. A second word, used only for
wider frontiers, holds fifteen more. On folded boards (see `counting.voltage`) bit 60 of the first word is the
parity of all voltages so far, and the second word holds the voltages of the paths.

In kernels a set of places is an integer, with a bit for each place.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Tier, Vector

PLACES = 17  # places in the first word: 2 + 2 + 4 * 3 + 11 * 4 = 60 bits
WIDEST = PLACES + 15  # places in two words
MOST_PATHS = 14  # paths that four bits can number from 2 on
BITS = [2] * 2 + [3] * 4 + [4] * (WIDEST - 6)  # bits of each place
SHIFTS = [sum(BITS[:i]) if i < PLACES else 4 * (i - PLACES) for i in range(WIDEST)]


class Voltages(NamedTuple):
    """The voltages of the edges from the vertex that is taken, modulo 2 and modulo an odd number.

    Args:
        flips: voltage modulo 2, one for each edge to a later vertex.
        turns: voltage modulo `modulus`, one for each edge to a later vertex.
        modulus: odd modulus; 1 if only voltages modulo 2 matter.
        width: bits for the voltage of a path.
        parity: required sum of the flips of a cycle.
    """

    flips: Vector
    turns: Vector
    modulus: int
    width: int
    parity: int


class Scratch(NamedTuple):
    """The layout of a word, and scratch space for one state.

    Args:
        shift: positions of the bits of the places within their words.
        mask: mask of the bits of each place, before the shift.
        places: number of places in the first word.
        names: limit of path numbers; a path has a number from 2 to `names` - 1.
        mate: other end of the path at each place; an untouched or done vertex is its own mate.
        seen: first end of each path number while a state is read; -1 otherwise.
        name: number of the path that ends at each place, plus `stamp`; smaller values are from older states.
        stamp: one number, increased by `names` for every state that is written.
        turn: voltage of the path from each place to its mate.
    """

    shift: Vector
    mask: Vector
    places: int
    names: int
    mate: Vector
    seen: Vector
    name: Vector
    stamp: Vector
    turn: Vector


def unpack(low: int, high: int, width: int, voltages: Voltages | None, scratch: Scratch) -> tuple[int, int]:
    """Read a state into `scratch.mate`; returns the sets of untouched and of done places."""
    shift, mask, mate, seen = scratch.shift, scratch.mask, scratch.mate, scratch.seen
    places = scratch.places
    untouched, done = 0, 0
    for i in range(width):
        code = ((low if i < places else high) >> shift[i]) & mask[i]
        if voltages is not None:
            scratch.turn[i] = 0
        if code < 2:
            mate[i] = i
            untouched |= (1 - code) << i
            done |= code << i
        elif seen[code] < 0:  # the first end of a path
            seen[code] = i
        else:  # the second: join both, and leave `seen` clean for the next state
            j = seen[code]
            mate[i] = j
            mate[j] = i
            seen[code] = -1
            if voltages is not None and voltages.modulus > 1:
                turn = (high >> ((code - 2) * voltages.width)) & ((1 << voltages.width) - 1)
                scratch.turn[j] = turn
                scratch.turn[i] = (voltages.modulus - turn) % voltages.modulus
    return untouched, done


def pack(
    untouched: int,
    done: int,
    a: int,
    b: int,
    turn: int,
    keep: Vector,
    voltages: Voltages | None,
    scratch: Scratch,
) -> tuple[int, int, int]:
    """Write a state.

    Args:
        untouched: set of untouched places.
        done: set of done places.
        a: a place whose mate is `b`, whatever `scratch.mate` says; -1 if there is none.
        b: the mate of `a`.
        turn: voltage of the path from `a` to `b`.
        keep: the places that stay on the frontier, in their new order.
        voltages: of the step; None without voltages.
        scratch: the mates, and the layout of words.

    Returns:
        Both words, and the first path number that is not in use.
    """
    shift, mate, name = scratch.shift, scratch.mate, scratch.name
    places = scratch.places
    # A new stamp makes all names of older states invalid, so that nothing has to be cleared.
    stamp = scratch.stamp[0] + scratch.names
    scratch.stamp[0] = stamp
    low, high, paths = 0, 0, 2
    for i in range(len(keep)):
        k = keep[i]
        if (untouched >> k) & 1:
            continue
        code = 1
        if not (done >> k) & 1:
            code = name[k] - stamp
            if code < 0:  # the first end of its path: take the next number, and note it at the other end
                code = paths
                paths += 1
                name[b if k == a else (a if k == b else mate[k])] = stamp + code
                if voltages is not None and voltages.modulus > 1:
                    path_turn = turn if k == a else (-turn if k == b else scratch.turn[k])
                    high |= (path_turn % voltages.modulus) << ((code - 2) * voltages.width)
        if i < places:
            low |= code << shift[i]
        else:
            high |= code << shift[i]
    return low, high, paths


def new_scratch(tier: Tier, width: int | None = None) -> Scratch:
    """Scratch space for states in two words, of at most 32 places and 14 paths.

    Args:
        tier: tier of the kernels.
        width: number of places of states in one integer of any length, for interpreted kernels; None for
            states in two words.
    """
    layout: tuple[Vector, Vector, int, int]
    if width is None:
        layout = tier.words(SHIFTS), tier.words([(1 << bits) - 1 for bits in BITS]), PLACES, 2 + MOST_PATHS
    else:
        layout = [16 * k for k in range(width)], [0xFFFF] * width, width, 0xFFFF
    size = max(WIDEST, width or 0)
    sizes = (size, 0), (size, -1), (size, -1), (1, 0), (size, 0)
    return Scratch(*layout, *(tier.column(length, fill) for length, fill in sizes))


def assert_narrow(width: int, widest: int = WIDEST, what: str = "frontier") -> None:
    """Refuse a frontier that does not fit into two words."""
    if width > widest:
        raise TooLargeError(f"the {what} would be {width} vertices wide, and at most {widest} can be handled")

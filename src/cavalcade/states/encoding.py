"""States, and how each is written in one or two words: the one place where words are read and written.

A *state* says of every vertex on the frontier whether it is untouched, done (has both its edges), or the end
of a path, and which two ends belong together: each is the *mate* of the other (D. E. Knuth, TAOCP 7.2.2.4,
"mate"). Two partial solutions with the same state can be completed in the same ways.

A word has a few bits for each place on the frontier: 0 untouched, 1 done, from 2 on the number of its path.
Paths are numbered in the order in which they appear, so that every state is written in one way only, and the
first places need only two and three bits. Seventeen places fit into the first word; a second, used only where
the frontier is wider, holds fifteen more. On folded boards (see `voltage`) bit 60 of the first word is the
parity of all voltages so far, and the second word holds the voltages of the paths.

In kernels, sets of places are the bits of a number.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.ground.kernels import Tier, Vector

PLACES = 17  # that the first word holds: 2 + 2 + 4 * 3 + 11 * 4 = 60 bits
WIDEST = PLACES + 15
BITS = [2] * 2 + [3] * 4 + [4] * (WIDEST - 6)  # of each place
SHIFTS = [sum(BITS[:i]) if i < PLACES else 4 * (i - PLACES) for i in range(WIDEST)]


class Voltages(NamedTuple):
    """The voltages of the edges from the vertex that is taken, modulo 2 and modulo an odd number.

    Args:
        flips: of each edge to a later vertex, modulo 2.
        turns: of each, modulo `modulus`.
        modulus: odd; with 1 there are no turns.
        width: the bits that the voltage of a path takes.
        parity: the required sum of the flips of a cycle.
    """

    flips: Vector
    turns: Vector
    modulus: int
    width: int
    parity: int


class Scratch(NamedTuple):
    """Where a state has its bits, and what it is read into.

    Args:
        shift: of each place, that of its bits within their word.
        mask: of each place, that of its bits.
        places: how many places the first word holds.
        names: the numbers for paths are below this; 0 and 1 are none.
        mate: of each place the other end of its path; an untouched vertex, and one that is done, has itself.
        seen: of each path the end that was read; -1 before and after.
        name: the number of the path that ends at a place, plus `stamp`; anything lower is of an older state.
        stamp: one number, raised for every state that is written.
        turn: of each place the voltage of its path, from there to its mate.
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
    """Read a state: its mates, and returned the sets of places that are untouched and done."""
    shift, mask, mate, seen = scratch.shift, scratch.mask, scratch.mate, scratch.seen
    places = scratch.places
    untouched, done = 0, 0
    for i in range(width):
        x = ((low if i < places else high) >> shift[i]) & mask[i]
        if voltages is not None:
            scratch.turn[i] = 0
        if x < 2:
            mate[i] = i
            untouched |= (1 - x) << i
            done |= x << i
        elif seen[x] < 0:
            seen[x] = i
        else:
            j = seen[x]
            mate[i] = j
            mate[j] = i
            seen[x] = -1
            if voltages is not None and voltages.modulus > 1:
                turn = (high >> ((x - 2) * voltages.width)) & ((1 << voltages.width) - 1)
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
    """Write a state: its two words, and the first number of a path that is still free.

    `keep` are the places that stay, in their new order. a and b are mates now, whatever `scratch` says, or
    -1; `turn` is the voltage from a to b.
    """
    shift, mate, name = scratch.shift, scratch.mate, scratch.name
    places = scratch.places
    stamp = scratch.stamp[0] + scratch.names
    scratch.stamp[0] = stamp
    low, high, paths = 0, 0, 2
    for i in range(len(keep)):
        k = keep[i]
        if (untouched >> k) & 1:
            continue
        x = 1
        if not (done >> k) & 1:
            x = name[k] - stamp
            if x < 0:
                x = paths
                paths += 1
                name[b if k == a else (a if k == b else mate[k])] = stamp + x
                if voltages is not None and voltages.modulus > 1:
                    way = turn if k == a else (-turn if k == b else scratch.turn[k])
                    high |= (way % voltages.modulus) << ((x - 2) * voltages.width)
        if i < places:
            low |= x << shift[i]
        else:
            high |= x << shift[i]
    return low, high, paths


def new_scratch(tier: Tier, width: int | None = None) -> Scratch:
    """For states in two words, of at most 32 places and 14 paths.

    Given a width, for states of so many places in one integer of any length: for interpreted kernels.
    """
    layout: tuple[Vector, Vector, int, int]
    if width is None:
        layout = tier.words(SHIFTS), tier.words([(1 << bits) - 1 for bits in BITS]), PLACES, 16
    else:
        layout = [16 * k for k in range(width)], [0xFFFF] * width, width, 0xFFFF
    size = max(WIDEST, width or 0)
    sizes = (size, 0), (size, -1), (size, -1), (1, 0), (size, 0)
    return Scratch(*layout, *(tier.column(size, fill) for size, fill in sizes))

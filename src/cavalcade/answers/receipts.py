"""Receipts: what a count found on its way, as data with which another program counts again.

A receipt is about Hamiltonian cycles of a graph, which `question` describes (`as_graph` says which vertices
it has). The count takes the vertices in an order. After each one a *state* says what the edges chosen so far,
each with an end that was taken, do to the other vertices: which have two of them (*done*), which have one,
and which of these are the two ends of one path. Every vertex taken has two edges, and no cycle is closed
except one through all vertices. The *frontier* is the vertices next to a vertex taken that are not taken
themselves. A state is dropped if a vertex on the frontier needs more edges than it has neighbours that are
neither taken nor done.

As JSON, one object:

    receipt             1, the version
    statement           what is counted, in canonical words (`question.statement`): `closed tour of 8x8`
    labels, edges, directed
                        of a graph, as in certificates (`answers.certificate`)
    tours               the number of tours
    cycles              the number of Hamiltonian cycles: as many, or half if both directions count
    order               the names of the vertices, in the order in which they are taken
    stages              after each vertex (then after each edge of `inner`) three numbers: how many states
                        there are, their digest, and the sum of the numbers of ways to all of them, the last
                        two modulo 2**31 - 1

With D the done vertices on the frontier of a state, P the pairs of ends of its paths, and n the number of
ways to it, the *digest* of all states is the sum of n r(v, v) … r(v, w) …, with a factor for each v in D and
each {v, w} in P. It does not depend on an order of states. r(v, w) = 1 + h mod (2**31 - 2), where h is the
first 16 hexadecimal digits of the SHA-256 of the text `v w`: two vertices as numbers, the smaller one first.

A count *in halves* takes only some vertices, the side, and has four more keys. The middle is all vertices
that are neither in the side nor images of one in it.

    inner               edges inside the middle, pairs of names. After the vertices the count decides these,
                        one by one; no state is dropped then. Those that are their own image come last
    image               for each vertex in ascending order the name of its image. One part of the edges of the
                        graph has an end in the side or is in `inner`. The other part is the image of the
                        first, without those in `inner` that are their own image. No edge is in both
    cells               some vertices of the middle
    classes             a tour has 0, 1 or 2 edges of the first part at each of `cells`. As the digits of a
                        number to the base of 3, the first cell last, they say to which class it belongs. For
                        each class, from 0 on, how many Hamiltonian cycles belong to it. The sum is `cycles`

There are no other keys, and none occurs twice.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from cavalcade.answers.certificate import (
    GRAPH,
    all_of,
    asked_in,
    begins_with,
    graph_keys,
    read_object,
    typed,
)
from cavalcade.ground.errors import FormatError
from cavalcade.question.question import Question
from cavalcade.question.statement import statement

VERSION = 1
PRIME = 2**31 - 1
KEYS = {"receipt", "statement", "tours", "cycles", "order", "stages", "inner", "image", "cells", "classes"}
HALVED = {"inner", "image", "cells", "classes"}


class StageRow(NamedTuple):
    """What a count had after a stage: states, their digest, the sum of the numbers of ways to them."""

    states: int
    digest: int
    sum: int


@dataclass(frozen=True)
class Receipt:
    """A number of tours, and what the count had on its way.

    Args:
        question: what was counted.
        tours: how many there are.
        cycles: how many Hamiltonian cycles its graph has.
        order: the vertices taken, in order.
        stages: after each of them, and then after each edge of `inner`.
        inner: of a count in halves, the edges of the middle that were decided.
        image: likewise, the image of each vertex.
        cells: likewise, the vertices that make classes.
        classes: likewise, the Hamiltonian cycles of each class.

    Examples:
        >>> count("6x6", receipt="6x6.json").count
        9862
        >>> read_receipt("6x6.json").claim
        '9862 closed tours of 6x6'
    """

    question: Question
    tours: int
    cycles: int
    order: tuple[int, ...]
    stages: tuple[StageRow, ...]
    inner: tuple[tuple[int, int], ...] = ()
    image: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    classes: tuple[int, ...] = ()

    @property
    def claim(self) -> str:
        """What was counted, in full."""
        kind, _, rest = statement(self.question).partition(" tour ")
        return f"{self.tours} {kind} tour{'s' * (self.tours != 1)} {rest}"

    @property
    def names(self) -> list[str]:
        """The names of all vertices."""
        return [*self.question.board.names, *self.question.encoding.extra]

    def to_json(self) -> str:
        """The receipt as one JSON object on one line."""
        names = self.names
        found: dict[str, Any] = {"receipt": VERSION, "statement": statement(self.question)}
        found |= graph_keys(self.question)
        found |= {"tours": self.tours, "cycles": self.cycles, "order": [names[v] for v in self.order]}
        found["stages"] = [list(row) for row in self.stages]
        if self.image:
            found["inner"] = [[names[a], names[b]] for a, b in self.inner]
            found |= {key: [names[v] for v in getattr(self, key)] for key in ("image", "cells")}
            found["classes"] = list(self.classes)
        return json.dumps(found, ensure_ascii=False) + "\n"


@cache
def residue(v: int, w: int) -> int:
    """The factor r(v, w) of digests, for v up to w."""
    from hashlib import sha256  # loads OpenSSL: proofs need the names here, and no digest

    return 1 + int(sha256(f"{v} {w}".encode()).hexdigest()[:16], 16) % (PRIME - 1)


def is_receipt(text: str) -> bool:
    """Whether a text looks like a receipt."""
    return begins_with(text, "receipt")


def from_json(text: str) -> Receipt:
    """The receipt in a text that `to_json` wrote.

    Raises:
        FormatError: there is none in it; the message says what is wrong. Its numbers are checked by
            `checking.counts.check_receipt`.
    """
    return read_object(text, "receipt", VERSION, "count again", _read)


def _read(found: dict[str, Any]) -> Receipt:
    if unknown := sorted(set(found) - KEYS - GRAPH):
        raise FormatError(f"{unknown[0][:40]!r} is not a key of a receipt")
    question, bound = asked_in(found)
    if bound is not None or question.listed or question.symmetry is not None:
        raise FormatError("there are no receipts of tours with a bound, cells at steps, coils or a symmetry")
    known = {name: v for v, name in enumerate([*question.board.names, *question.encoding.extra])}

    def vertices(names: Any, key: str) -> tuple[int, ...]:
        for name in typed(names, key, list):
            if not isinstance(name, str) or name not in known:
                raise FormatError(f"{str(name)[:40]!r} is not a cell of {question.board.title}")
        if len(set(names)) < len(names):
            raise FormatError(f"a cell occurs twice in {key!r}")
        return tuple(known[name] for name in names)

    def numbers(some: Any, key: str, many: int) -> list[int]:
        if len(read := all_of(some, key, int)) != many or any(number < 0 for number in read):
            raise FormatError(f"{key!r} are not {many:,} numbers, 0 or more")
        return read

    tours, cycles = (numbers([found[key]], key, 1)[0] for key in ("tours", "cycles"))
    order = vertices(found["order"], "order")
    inner: list[tuple[int, ...]] = []
    halved = not HALVED.isdisjoint(found)
    if halved:
        inner = [vertices(edge, "inner") for edge in typed(found["inner"], "inner", list)]
        if any(len(edge) != 2 for edge in inner):
            raise FormatError("'inner' are not pairs of cells")
    rows = typed(found["stages"], "stages", list)
    if len(rows) != len(order) + len(inner):
        raise FormatError(f"it has {len(rows):,} stages, expected {len(order) + len(inner):,}")
    stages = tuple(StageRow(*numbers(row, "stages", 3)) for row in rows)
    if not halved:
        return Receipt(question, tours, cycles, order, stages)
    image, cells = (vertices(found[key], key) for key in ("image", "cells"))
    if len(image) != len(known):
        raise FormatError(f"'image' has {len(image):,} cells, expected {len(known):,}")
    if len(cells) > len(known) or 3 ** len(cells) != len(typed(found["classes"], "classes", list)):
        raise FormatError(f"with {len(cells)} cells 'classes' are not 3**{len(cells)} numbers")
    classes = tuple(numbers(found["classes"], "classes", 3 ** len(cells)))
    edges = tuple((edge[0], edge[1]) for edge in inner)
    return Receipt(question, tours, cycles, order, stages, edges, image, cells, classes)

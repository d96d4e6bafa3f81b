"""Receipts: the intermediate results of a count, so that another program can count again.

A receipt is about Hamiltonian cycles of a graph that `question` describes (`as_graph` defines its vertices).
The count takes the vertices in an order. After each vertex, a *state* describes what the chosen edges, each
with an end among the vertices taken, do to the other vertices: which have two of them (*done*), which have
one, and which of the latter are the two ends of one path. Every vertex taken has two edges, and no cycle is
closed except one through all vertices. The *frontier* consists of the vertices that are not taken but
adjacent to one that is. A state is dropped if a vertex on the frontier needs more edges than it has
neighbours that are neither taken nor done.

As JSON it is one object:

    receipt             2, the version; version 1, without `direction` and `seal`, is read too
    statement           what is counted, in canonical words (`question.statement`): `closed tour of 8x8`
    labels, edges, directed
                        only for a graph, as in certificates (`answers.certificate`)
    direction           `undirected`: a tour and its reverse count as one; or `directed`
    tours               the number of tours
    cycles              the number of Hamiltonian cycles; half the number of tours if both directions count
    order               names of the vertices, in the order in which they are taken
    stages              after each vertex (then after each edge of `inner`) three numbers: the number of
    states,
                        their digest, and the total number of ways to reach them, the last two modulo 2**31 -
                        1

    seal                the digest of the other keys, see `ground.container`

Let D be the done vertices on the frontier of a state, P the pairs of ends of its paths, and n the number of
ways to reach it. The *digest* of a set of states is the sum of n r(v, v) … r(v, w) …, with a factor for each
v in D and each {v, w} in P. It does not depend on the order of the states. r(v, w) = 1 + h mod (2**31 - 2),
where h is the first 16 hexadecimal digits of the SHA-256 of the text `v w`: two vertex numbers, the smaller
one first.

A count *in halves* takes only some vertices, the side, and has four more keys. The middle consists of all
vertices that are neither in the side nor an image of a vertex in it.

    inner               edges inside the middle, pairs of names. After the vertices the count decides these
    edges,
                        one by one; no state is dropped then. Edges that are their own image come last
    image               name of the image of each vertex, in ascending order of the vertices. One part of the
                        edges of the graph has an end in the side or is in `inner`. The other part is the
                        image of the first, without the edges of `inner` that are their own image. No edge is
                        in both
    cells               some vertices of the middle
    classes             a tour has 0, 1 or 2 edges of the first part at each vertex of `cells`. As the digits
    of a
                        number to the base of 3, the first cell last, they give the class of the tour. The
                        list has the number of Hamiltonian cycles in each class, from 0 on. The sum is
                        `cycles`

Other keys are not allowed, and no key may occur twice.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from cavalcade.answers.objects import (
    ObjectReader,
    begins_with,
    list_of,
    question_keys,
    read_object,
    vertex_names,
)
from cavalcade.ground.container import RECEIPT
from cavalcade.ground.errors import FormatError
from cavalcade.question.question import Question
from cavalcade.question.statement import statement

PRIME = 2**31 - 1  # modulus of digests and sums: products of two residues fit into 64 bits
HALVED = {"inner", "image", "cells", "classes"}
KEYS = {"receipt", "statement", "direction", "tours", "cycles", "order", "stages", "seal"} | HALVED
DIRECTIONS = ("undirected", "directed")


class StageRow(NamedTuple):
    """The states of a count after a stage.

    Args:
        states: number of states.
        digest: their digest, modulo `PRIME`.
        sum: total number of ways to reach them, modulo `PRIME`.
    """

    states: int
    digest: int
    sum: int


@dataclass(frozen=True)
class Receipt:
    """A number of tours, with the intermediate results of the count.

    Args:
        question: the question that was counted.
        tours: number of tours.
        cycles: number of Hamiltonian cycles of the graph of the question.
        order: vertices in the order in which they are taken.
        stages: results after each vertex of `order`, then after each edge of `inner`.
        directed: whether a tour and its reverse count as two.
        inner: decided edges of the middle, for a count in halves.
        image: image of each vertex, for a count in halves.
        cells: vertices that define the classes, for a count in halves.
        classes: number of Hamiltonian cycles in each class, for a count in halves.

    Examples:
        >>> count("6x6", receipt="6x6.json").count
        9862
        >>> read_receipt("6x6.json").claim
        '9862 closed tours of 6x6, undirected'
    """

    question: Question
    tours: int
    cycles: int
    order: tuple[int, ...]
    stages: tuple[StageRow, ...]
    directed: bool
    inner: tuple[tuple[int, int], ...] = ()
    image: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    classes: tuple[int, ...] = ()

    @property
    def claim(self) -> str:
        """The counted statement in full: `9862 closed tours of 6x6, undirected`."""
        kind, _, rest = statement(self.question).partition(" tour ")
        return f"{self.tours} {kind} tour{'s' * (self.tours != 1)} {rest}, {self.direction}"

    @property
    def direction(self) -> str:
        """Whether a tour and its reverse count as one or as two."""
        return DIRECTIONS[self.directed]

    @property
    def names(self) -> list[str]:
        """Names of all vertices."""
        return vertex_names(self.question)

    def to_json(self) -> str:
        """Return the receipt as one JSON object on one line."""
        names = self.names
        keys: dict[str, Any] = {"receipt": RECEIPT.version, **question_keys(self.question)}
        keys |= {
            "direction": self.direction,
            "tours": self.tours,
            "cycles": self.cycles,
            "order": [names[v] for v in self.order],
        }
        keys["stages"] = [list(row) for row in self.stages]
        if self.image:
            keys["inner"] = [[names[a], names[b]] for a, b in self.inner]
            keys |= {key: [names[v] for v in getattr(self, key)] for key in ("image", "cells")}
            keys["classes"] = list(self.classes)
        return json.dumps(sealed(keys), ensure_ascii=False) + "\n"


def sealed(keys: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of a receipt with their seal."""
    contents = {key: value for key, value in keys.items() if key != "seal"}
    return contents | {"seal": RECEIPT.seal(json.dumps(contents, sort_keys=True))}


@cache
def residue(v: int, w: int) -> int:
    """Return the factor r(v, w) of digests, v <= w."""
    from hashlib import sha256  # loads OpenSSL; certificates import this module but need no digest

    return 1 + int(sha256(f"{v} {w}".encode()).hexdigest()[:16], 16) % (PRIME - 1)


def is_receipt(text: str) -> bool:
    """Tell whether a text looks like a receipt."""
    return begins_with(text, "receipt")


def from_json(text: str) -> Receipt:
    """Read a receipt that `to_json` wrote. `checking.counts.check_receipt` checks its numbers.

    Raises:
        FormatError: the text is not a receipt; the message says why.
    """
    return read_object(text, "receipt", {1, RECEIPT.version}, KEYS, RECEIPT.advice, _build)


def _build(reader: ObjectReader) -> Receipt:
    """Build a receipt from its JSON object."""
    values, question, vertex_count = reader.values, reader.question, len(reader.names)
    if reader.bound is not None or question.listed or question.symmetry is not None:
        raise FormatError("there are no receipts of tours with a bound, cells at steps, coils or a symmetry")

    versioned = {"direction", "seal"} & set(values)
    if values["receipt"] == 1 and versioned:
        raise FormatError(f"{min(versioned)!r} is not a key of version 1")
    if values["receipt"] > 1 and values["seal"] != sealed(values)["seal"]:
        raise FormatError(f"it is damaged or was edited, its seal does not fit: {RECEIPT.advice}")

    def vertices(names: Any, key: str) -> tuple[int, ...]:
        numbers = reader.vertices(names, key)
        if len(set(numbers)) < len(numbers):
            raise FormatError(f"a cell occurs twice in {key!r}")
        return numbers

    def numbers(value: Any, key: str, length: int) -> list[int]:
        row = list_of(value, key, int)
        if len(row) != length or any(number < 0 for number in row):
            raise FormatError(f"{key!r} are not {length:,} numbers, 0 or more")
        return row

    tours, cycles = (numbers([values[key]], key, 1)[0] for key in ("tours", "cycles"))
    # Version 1 does not state the direction. Two directions count each cycle twice.
    direction = DIRECTIONS[tours != cycles] if values["receipt"] == 1 else reader.get("direction", str)
    if direction not in DIRECTIONS:
        raise FormatError(f"{direction[:40]!r} is not a direction, expected {' or '.join(DIRECTIONS)}")
    directed = direction == DIRECTIONS[True]
    order = vertices(values["order"], "order")
    halved = not HALVED.isdisjoint(values)
    inner = []
    for edge in reader.get("inner", list) if halved else ():
        if len(ends := vertices(edge, "inner")) != 2:
            raise FormatError("'inner' are not pairs of cells")
        inner.append((ends[0], ends[1]))
    rows = reader.get("stages", list)
    if len(rows) != len(order) + len(inner):
        raise FormatError(f"it has {len(rows):,} stages, expected {len(order) + len(inner):,}")
    stages = tuple(StageRow(*numbers(row, "stages", 3)) for row in rows)
    if not halved:
        return Receipt(question, tours, cycles, order, stages, directed)
    image, cells = (vertices(values[key], key) for key in ("image", "cells"))
    if len(image) != vertex_count:
        raise FormatError(f"'image' has {len(image):,} cells, expected {vertex_count:,}")
    if len(cells) > vertex_count or 3 ** len(cells) != len(reader.get("classes", list)):
        raise FormatError(f"with {len(cells)} cells 'classes' are not 3**{len(cells)} numbers")
    classes = tuple(numbers(values["classes"], "classes", 3 ** len(cells)))
    return Receipt(question, tours, cycles, order, stages, directed, tuple(inner), image, cells, classes)

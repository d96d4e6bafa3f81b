"""JSON objects about a question: the parts that certificates and receipts share.

Each object has a `statement` in canonical words, and `labels`, `edges` and `directed` if it is about a graph.
Readers validate everything: the version, the types, and that no key occurs twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import BOTH_WAYS
from cavalcade.question.question import Question
from cavalcade.question.statement import Bound, WeightLimit, decimal_text, read_statement, statement

T = TypeVar("T")

DECIMAL = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")
GRAPH = {"labels", "edges", "directed"}
TYPE_NAMES = {str: "text", list: "a list", dict: "an object", bool: "true or false", int: "a whole number"}


def vertex_names(question: Question) -> list[str]:
    """Return the names of the vertices of a question's graph: the cells, then the extra vertices."""
    return [*question.board.names, *question.encoding.extra]


def question_keys(question: Question, bound: Bound | None = None) -> dict[str, Any]:
    """Return the keys that describe a question: its statement, the labels and edges of a graph, weights."""
    keys: dict[str, Any] = {"statement": statement(question, bound)}
    if question.board.plain:
        keys |= {"labels": question.board.names, "edges": question.board.edges().tolist()}
        keys |= {"directed": True} if question.board.directed else {}
    if isinstance(bound, WeightLimit):
        keys["weights"] = list(map(decimal_text, bound.weights))
    return keys


def begins_with(text: str, kind: str) -> bool:
    """Tell whether a text looks like a JSON object whose first key is `kind`."""
    return "".join(text[:200].split()).startswith(f'{{"{kind}":')


def read_object(
    text: str, kind: str, versions: set[int], keys: set[str], advice: str, build: Callable[[ObjectReader], T]
) -> T:
    """Read a JSON object about a question.

    Args:
        text: the text to parse.
        kind: expected kind of object, `certificate` or `receipt`; also the key of the version.
        versions: the supported versions.
        keys: all permitted keys except the keys of a graph.
        advice: what to do with an object of another version, for the error message.
        build: makes the result from the validated object.

    Raises:
        FormatError: the text is not such an object; the message says why.
    """
    try:
        values = json.loads(text, object_pairs_hook=_without_duplicates)
        if not isinstance(values, dict) or type(actual := values.get(kind)) is not int:
            raise FormatError(f"expected an object that begins with {kind!r}")
        if actual not in versions:
            raise FormatError(f"it has version {actual}, expected {max(versions)}: {advice}")
        if unknown := sorted(set(values) - keys - GRAPH):
            raise FormatError(f"{unknown[0][:40]!r} is not a key of a {kind}")
        return build(ObjectReader(values))
    except KeyError as error:
        raise FormatError(f"not a {kind}: {error} is missing") from None
    except RecursionError:
        raise FormatError(f"not a {kind}: it is nested too deeply") from None
    except CavalcadeError as error:
        raise FormatError(f"not a {kind}: {error}") from None
    except ValueError as error:
        raise FormatError(f"not a {kind}: not JSON: {error}") from None


class ObjectReader:
    """Typed access to a JSON object about a question.

    Attributes:
        values: the object.
        question: the question that its statement describes.
        bound: the bound of the statement, if it has one.
        names: names of the vertices of the question.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values
        text = typed(values["statement"], "statement", str)
        graph = None if GRAPH.isdisjoint(values) else graph_of(values)
        weights = _weights(values["weights"]) if "weights" in values else None
        self.question, self.bound = read_statement(text, graph, weights)
        if weights is not None and not isinstance(self.bound, WeightLimit):
            raise FormatError("it has weights, but its statement does not limit the weight")
        canonical = statement(self.question, self.bound)
        old = canonical.replace(BOTH_WAYS, "") if self.question.piece.moves else canonical
        if text not in {canonical, old}:
            raise FormatError(f"its statement is not canonical: {text[:80]!r}, expected {canonical[:80]!r}")
        self.names = vertex_names(self.question)
        self._numbers = {name: vertex for vertex, name in enumerate(self.names)}

    def get(self, key: str, kind: type[T]) -> T:
        """Return the value of a key, which must have the given type."""
        return typed(self.values[key], key, kind)

    def vertices(self, names: Any, key: str) -> tuple[int, ...]:
        """Return the numbers of the vertices in a list of names, the value of a key or a part of it."""
        for name in typed(names, key, list):
            if not isinstance(name, str) or name not in self._numbers:
                raise FormatError(f"{str(name)[:40]!r} is not a cell of {self.question.board.title}")
        return tuple(self._numbers[name] for name in names)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict of key-value pairs, in which no key may occur twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        raise FormatError(f"a key occurs twice among {', '.join(key for key, _ in pairs)[:60]}")
    return values


def graph_of(values: dict[str, Any], name: str = "graph") -> MoveGraph:
    """Read the graph that an object is about.

    Args:
        values: the object, with `labels`, `edges` and perhaps `directed`.
        name: the name of the graph.

    Raises:
        CavalcadeError: they are missing, or make no graph.
    """
    if missing := {"labels", "edges"} - values.keys():
        raise FormatError(f"{missing.pop()!r} is missing")
    labels, pairs = list_of(values["labels"], "labels", str), list_of(values["edges"], "edges", list)
    if not all(len(pair) == 2 and all(type(end) is int for end in pair) for pair in pairs):
        raise FormatError("'edges' are not pairs of numbers")
    directed = typed(values.get("directed", False), "directed", bool)
    return MoveGraph.from_edges([(a, b) for a, b in pairs], len(labels), labels, name, directed=directed)


def _weights(values: Any) -> tuple[Decimal, ...]:
    """Read decimal numbers from a list of texts."""
    texts = list_of(values, "weights", str)
    if wrong := [text for text in texts if not DECIMAL.fullmatch(text)]:
        raise FormatError(f"{wrong[0][:40]!r} is not a weight, expected a decimal number such as '12.5'")
    return tuple(map(Decimal, texts))


def list_of(values: Any, key: str, kind: type[T]) -> list[T]:
    """Return the value of a key, which must be a list of values of the given type."""
    return [typed(value, key, kind) for value in typed(values, key, list)]


def typed(value: Any, key: str, kind: type[T]) -> T:
    """Return the value of a key, which must have the given type."""
    if type(value) is kind:
        return value
    raise FormatError(f"{key!r} is {str(value)[:40]!r}, expected {TYPE_NAMES[kind]}")

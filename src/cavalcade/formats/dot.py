"""DOT files, the language of Graphviz: `graph { a -- b -- c; c -- {a d} }` or `digraph { a -> b }`.

Identifiers name the vertices. The attribute `weight` of edges is read; other attributes, ports, loops and the
names of subgraphs are skipped. A `graph` is undirected, a `digraph` is directed (Gansner, Koutsofios & North,
Drawing graphs with dot, 2015).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise, product
from typing import NamedTuple

from cavalcade.formats.header import assert_writable, graph_name
from cavalcade.formats.tables import weight_of_value, weights_in_order
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

SKIPPED = r"\s+|//[^\n]*|/\*.*?\*/|(?<![^\n])#[^\n]*"
WORD = r'[^\W0-9]\w*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)|"(?:[^"\\]|\\.)*"'
GAP = rf"(?:{SKIPPED})*+"  # possessive: a long gap is matched in one way
FIRST = re.compile(
    rf"{GAP}(?:strict\b{GAP})?(?:di)?graph\b{GAP}(?:{WORD})?{GAP}\{{", re.IGNORECASE | re.DOTALL
)
TOKEN = re.compile(rf"(?P<skipped>{SKIPPED})|(?P<word>{WORD})|--|->|[{{}}\[\];,=:]", re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
KEYWORDS = {"strict", "graph", "digraph", "subgraph", "node", "edge"}
# Levels of nested subgraphs. Each level takes two Python frames, far from the interpreter's limit of 1,000.
MAX_DEPTH = 100


def write(graph: MoveGraph) -> str:
    """Write the graph with its labels."""
    kind, sign = ("digraph", "->") if graph.directed else ("graph", "--")
    assert_writable(graph, lambda name: "\\" not in name, "as DOT: it has a backslash")
    names = ['"' + name.replace('"', '\\"') + '"' for name in graph.names]
    nodes = [f"  {name};" for name in names]
    edges = [f"  {names[a]} {sign} {names[b]};" for a, b in graph.pairs()]
    return "\n".join([f"{kind} {{", *nodes, *edges, "}", ""])


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """Read the graph."""
    reader = _Reader(text)
    directed = reader.read()
    pairs = ((a, b) for a, b, _ in reader.edges)
    return MoveGraph.from_pairs(pairs, reader.nodes, graph_name(name), directed=directed)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the attribute `weight` of the edges of a graph, in the order of `graph.edges()`, or None.

    Raises:
        FormatError: as `tables.weights_in_order`.
    """
    reader = _Reader(text)
    reader.read()
    number = {name: vertex for vertex, name in enumerate(graph.names)}
    edges = ((number[a], number[b], weight_of_value(weight)) for a, b, weight in reader.edges)
    return weights_in_order(graph, edges)


class Token(NamedTuple):
    """A token of the text.

    Args:
        text: the characters of the token, without quotes and escapes.
        is_name: whether the token is an identifier.
        plain: whether the token can be a keyword or a sign, because it is not quoted.
        line: the number of the token's line, from 1.
    """

    text: str
    is_name: bool
    plain: bool
    line: int


class _Reader:
    """A recursive-descent parser of the grammar of DOT.

    Attributes:
        tokens: all tokens of the text.
        position: the index of the next token.
        nodes: the nodes in the order of their first mention.
        edges: pairs of nodes, and the attribute `weight` of each or None.
        sign: the sign between the ends of an edge, `--` or `->`.
        weight: the weight of edges that have no weight of their own, by `edge [weight=2]`, or None.
    """

    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.position = 0
        self.nodes: dict[str, None] = {}
        self.edges: list[tuple[str, str, str | None]] = []
        self.sign = "--"
        self.weight: str | None = None

    def peek(self, offset: int = 0) -> Token:
        """The token at an offset from the next one; an empty token behind the last."""
        if self.position + offset < len(self.tokens):
            return self.tokens[self.position + offset]
        return Token("", is_name=False, plain=False, line=self.tokens[-1].line if self.tokens else 1)

    def error(self, expected: str) -> FormatError:
        """The error about the next token."""
        return FormatError(f"line {self.peek().line}, {self.peek().text[:40]!r}: expected {expected}")

    def take(self, *words: str) -> str:
        """Skip the next token if it is one of these keywords or signs, and return it; else return ""."""
        token = self.peek()
        word = token.text.lower() if token.plain else ""
        self.position += word in words
        return word if word in words else ""

    def require(self, *words: str) -> str:
        """Skip the next token, which must be one of these keywords or signs, and return it."""
        if not (word := self.take(*words)):
            raise self.error(" or ".join(map(repr, words)))
        return word

    def name(self) -> str:
        """Skip the next token, which must be a name, and return it."""
        token = self.peek()
        if not token.is_name or (token.plain and token.text.lower() in KEYWORDS):
            raise self.error("a name")
        self.position += 1
        return token.text

    def read(self) -> bool:
        """Read the whole text; return whether the graph is directed."""
        self.take("strict")
        directed = self.require("graph", "digraph") == "digraph"
        self.sign = "->" if directed else "--"
        if self.peek().is_name:
            self.name()
        self.require("{")
        self.statements(MAX_DEPTH)
        if self.position < len(self.tokens):
            raise self.error("the end, as the graph is closed")
        return directed

    def statements(self, depth: int) -> list[str]:
        """Read the statements up to the end of a graph or subgraph.

        Args:
            depth: the number of levels of subgraphs that may still be opened.

        Returns:
            The nodes of the graph or subgraph, each once.
        """
        members: dict[str, None] = {}
        weight_outside = self.weight  # a subgraph inherits the default, and its own default ends with it
        if not depth:
            raise self.error(f"at most {MAX_DEPTH} subgraphs in one another")
        while not self.take("}"):
            if word := self.take("graph", "node", "edge"):
                weight = self.attributes(required=True)
                self.weight = weight or self.weight if word == "edge" else self.weight
            elif self.peek().is_name and self.peek(1).text == "=":
                self.setting()
            else:
                # A chain such as a -- {b c} -- d joins every node of a member to every node of the next.
                chain = [self.endpoint(depth)]
                while self.peek().plain and self.peek().text in {"--", "->"}:
                    self.require(self.sign)
                    chain.append(self.endpoint(depth))
                members |= dict.fromkeys(node for nodes in chain for node in nodes)
                weight = self.attributes() or self.weight
                for tails, heads in pairwise(chain):
                    self.edges += ((tail, head, weight) for tail, head in product(tails, heads))
            self.take(";")
        self.weight = weight_outside
        return list(members)

    def endpoint(self, depth: int) -> list[str]:
        """Read one end of an edge: a node, or the nodes of a subgraph."""
        if self.take("subgraph"):
            if self.peek().is_name:
                self.name()
            self.require("{")
            return self.statements(depth - 1)
        if self.take("{"):
            return self.statements(depth - 1)
        node = self.name()
        while self.take(":"):
            self.name()
        self.nodes[node] = None
        return [node]

    def attributes(self, *, required: bool = False) -> str | None:
        """Skip lists of attributes; return the value of `weight`."""
        weight = None
        while self.require("[") if required else self.take("["):
            while not self.take("]"):
                name, text = self.setting()
                weight = text if name == "weight" else weight
                self.take(";", ",")
            required = False
        return weight

    def setting(self) -> tuple[str, str]:
        """Skip an attribute and its value, and return both."""
        name = self.name()
        self.require("=")
        return name, self.name()


def _unescaped(escape: re.Match[str]) -> str:
    """The characters that an escape stands for: only a quote and the end of a line can be escaped."""
    return {'"': '"', "\n": ""}.get(escape[1], escape[0])


def _tokens(text: str) -> Iterator[Token]:
    """Split a text into tokens; spaces and comments are skipped.

    Raises:
        FormatError: a character begins no token, or two identifiers touch.
    """
    offset, line, end_of_word = 0, 1, -1
    while offset < len(text):
        match = TOKEN.match(text, offset)
        if match is None:
            shown = text[offset : offset + 40].splitlines()[0]
            raise FormatError(f"line {line}, {shown!r}: expected a name, -- or ->, or one of {{}}[];,=:")
        token, is_name = match[0], match["word"] is not None
        if is_name and offset == end_of_word:
            raise FormatError(f"line {line}, {token[:40]!r}: expected a space before it")
        if match["skipped"] is None:
            quoted = token.startswith('"')
            yield Token(ESCAPED.sub(_unescaped, token[1:-1]) if quoted else token, is_name, not quoted, line)
        line += token.count("\n")
        offset = match.end()
        end_of_word = offset if is_name else end_of_word

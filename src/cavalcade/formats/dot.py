"""DOT files, `graph { a -- b -- c; c -- {a d} }` or `digraph { a -> b }`, the language of Graphviz.

Identifiers name the vertices; attributes, ports and the names of subgraphs are skipped, and so are loops. A
`graph` is undirected, a `digraph` is directed (Gansner, Koutsofios & North, Drawing graphs with dot, 2015).
"""

from __future__ import annotations

import re
from itertools import pairwise, product
from typing import NamedTuple

from cavalcade.formats.header import assert_writable, graph_name
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

SKIPPED = r"\s+|//[^\n]*|/\*.*?\*/|(?<![^\n])#[^\n]*"
WORD = r'[^\W0-9]\w*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)|"(?:[^"\\]|\\.)*"'
GAP = rf"(?:{SKIPPED})*"
FIRST = re.compile(
    rf"{GAP}(?:strict\b{GAP})?(?:di)?graph\b{GAP}(?:{WORD})?{GAP}\{{", re.IGNORECASE | re.DOTALL
)
TOKEN = re.compile(rf"(?P<skipped>{SKIPPED})|(?P<word>{WORD})|--|->|[{{}}\[\];,=:]", re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
KEYWORDS = {"strict", "graph", "digraph", "subgraph", "node", "edge"}
DEEPEST = 100  # subgraphs in subgraphs


def write(graph: MoveGraph) -> str:
    """The graph with its labels."""
    kind, sign = ("digraph", "->") if graph.directed else ("graph", "--")
    assert_writable(graph, lambda name: "\\" not in name, "as DOT: it has a backslash")
    names = ['"' + name.replace('"', '\\"') + '"' for name in graph.names]
    nodes = [f"  {name};" for name in names]
    edges = [f"  {names[a]} {sign} {names[b]};" for a, b in graph.pairs()]
    return "\n".join([f"{kind} {{", *nodes, *edges, "}", ""])


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph in such a file."""
    found = _Reader(text)
    directed = found.read()
    return MoveGraph.from_pairs(found.edges, found.nodes, graph_name(name), directed=directed)


class Token(NamedTuple):
    """A part of the text: what it says, whether that is a name, and whether a keyword could be meant."""

    text: str
    is_name: bool
    plain: bool
    line: int


class _Reader:
    """The grammar of DOT, from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0
        self.nodes: dict[str, None] = {}
        self.edges: list[tuple[str, str]] = []
        self.sign = "--"

    @property
    def now(self) -> Token:
        """The next token, empty at the end."""
        end = Token("", is_name=False, plain=False, line=self.tokens[-1].line if self.tokens else 1)
        return self.tokens[self.at] if self.at < len(self.tokens) else end

    @property
    def then(self) -> str:
        """The text of the token after that."""
        return self.tokens[self.at + 1].text if self.at + 1 < len(self.tokens) else ""

    def error(self, expected: str) -> FormatError:
        """What is wrong at the next token."""
        return FormatError(f"line {self.now.line}, {self.now.text[:40]!r}: expected {expected}")

    def take(self, *words: str) -> str:
        """The next token if it is one of these keywords or signs, which is skipped then; else nothing."""
        one = self.now
        said = one.text.lower() if one.plain else ""
        self.at += said in words
        return said if said in words else ""

    def need(self, *words: str) -> str:
        """The same, which has to be there."""
        if not (said := self.take(*words)):
            raise self.error(" or ".join(map(repr, words)))
        return said

    def name(self) -> str:
        """The next token, a name."""
        if not self.now.is_name or (self.now.plain and self.now.text.lower() in KEYWORDS):
            raise self.error("a name")
        self.at += 1
        return self.tokens[self.at - 1].text

    def read(self) -> bool:
        """Read all; whether it is directed."""
        self.take("strict")
        directed = self.need("graph", "digraph") == "digraph"
        self.sign = "->" if directed else "--"
        if self.now.is_name:
            self.name()
        self.need("{")
        self.statements(DEEPEST)
        if self.at < len(self.tokens):
            raise self.error("the end, as the graph is closed")
        return directed

    def statements(self, depth: int) -> list[str]:
        """Read to the end of a graph or subgraph; its nodes."""
        inside: dict[str, None] = {}
        if not depth:
            raise self.error(f"at most {DEEPEST} subgraphs in one another")
        while not self.take("}"):
            if self.take("graph", "node", "edge"):
                self.attributes(needed=True)
            elif self.now.is_name and self.then == "=":
                self.setting()
            else:
                ends = [self.end(depth)]
                while self.now.plain and self.now.text in {"--", "->"}:
                    self.need(self.sign)
                    ends.append(self.end(depth))
                for some, others in pairwise(ends):
                    self.edges += product(some, others)
                inside |= dict.fromkeys(node for one in ends for node in one)
                self.attributes()
            self.take(";")
        return list(inside)

    def end(self, depth: int) -> list[str]:
        """A node, or the nodes of a subgraph."""
        if self.take("subgraph"):
            if self.now.is_name:
                self.name()
            self.need("{")
            return self.statements(depth - 1)
        if self.take("{"):
            return self.statements(depth - 1)
        node = self.name()
        while self.take(":"):
            self.name()
        self.nodes[node] = None
        return [node]

    def attributes(self, *, needed: bool = False) -> None:
        """Skip lists of attributes."""
        while self.need("[") if needed else self.take("["):
            while not self.take("]"):
                self.setting()
                self.take(";", ",")
            needed = False

    def setting(self) -> None:
        """Skip an attribute and its value."""
        self.name()
        self.need("=")
        self.name()


def _plain(pair: re.Match[str]) -> str:
    """What a backslash and a sign stand for within quotes: only a quote and the end of a line are escaped."""
    return {'"': '"', "\n": ""}.get(pair[1], pair[0])


def _tokens(text: str) -> list[Token]:
    found, at, line, ended = [], 0, 1, -1
    while at < len(text):
        one = TOKEN.match(text, at)
        if one is None:
            near = text[at : at + 40].splitlines()[0]
            raise FormatError(f"line {line}, {near!r}: expected a name, -- or ->, or one of {{}}[];,=:")
        said = one[0]
        if one["word"] is not None and at == ended:
            raise FormatError(f"line {line}, {said[:40]!r}: expected a space before it")
        if one["skipped"] is None:
            quoted = said.startswith('"')
            shown = ESCAPED.sub(_plain, said[1:-1]) if quoted else said
            found.append(Token(shown, one["word"] is not None, not quoted, line))
            ended = one.end() if one["word"] is not None else -1
        line += said.count("\n")
        at = one.end()
    return found

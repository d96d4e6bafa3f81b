"""Damaged files of other tools: each is refused in one line, or read as its tool reads it.

The corpus of `test_foreign.py` is damaged in bytes, lines and tokens. Where NetworkX or SciPy reads a damaged
file too, both must see the same edges.
"""

from __future__ import annotations

import io
import json
import random
import re
import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
import scipy.io

from cavalcade import formats
from cavalcade.ground.errors import CavalcadeError
from test_foreign import EXPECTED, FOLDER, edge_of, edges_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

INSERTED = [
    *(sign.encode() for sign in "\0\",; \n\r<>[]{}-9=&'#%*"), b"\xff", b"nan", b"1e999", b"\xef\xbb\xbf",
]  # fmt: skip
NUMBERS = [
    b"-1",
    b"0",
    b"1",
    b"99999999999",
    b"1.5",
    b"1e9",
    b"-0",
    b"",
    b"00",
    b"2147483648",
    b"nan",
    b"inf",
]
COMPARED: Counter[str] = Counter()  # files that both read, by name
TOKENS = re.compile(rb'([\s,;"<>=\[\]{}:]+)')


def bytes_damaged(data: bytes, rng: random.Random) -> bytes:
    """Flip a bit, or delete, insert, repeat or cut some bytes."""
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.choice([1, 1, 2, 5, 20]))
    return rng.choice([
        data[:start] + bytes([data[start] ^ 1 << rng.randrange(8)]) + data[start + 1 :],
        data[:start] + data[end:],
        data[:start] + rng.choice(INSERTED) + data[start:],
        data[:end] + data[start:],
        data[:start],
    ])  # fmt: skip


def lines_damaged(data: bytes, rng: random.Random) -> bytes:
    """Delete, repeat or exchange lines."""
    lines = data.splitlines(keepends=True)
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(3)
    if kind == 0:
        del lines[i]
    elif kind == 1:
        lines.insert(j, lines[i])
    else:
        lines[i], lines[j] = lines[j], lines[i]
    return b"".join(lines)


def tokens_damaged(data: bytes, rng: random.Random) -> bytes:
    """Delete, repeat or exchange tokens, or replace one by an unusual number."""
    parts = TOKENS.split(data)
    tokens = [k for k in range(0, len(parts), 2) if parts[k]] or [0]
    i, j, kind = rng.choice(tokens), rng.choice(tokens), rng.randrange(4)
    if kind == 0:
        parts[i] = b""
    elif kind == 1:
        parts[i] += b" " + parts[j]
    elif kind == 2:
        parts[i], parts[j] = parts[j], parts[i]
    else:
        parts[i] = rng.choice(NUMBERS)
    return b"".join(parts)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Damage a file once to three times."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        data = rng.choice([bytes_damaged, lines_damaged, tokens_damaged])(data, rng) or b"\0"
    return data


def foreign_reader(name: str) -> Callable[[bytes], Any] | None:
    """Return the reader of the tool that wrote a file, from bytes to a NetworkX graph, if there is one."""
    if name.startswith("scipy-"):
        return matrix_graph
    if not name.startswith("networkx-"):
        return None
    readers: dict[str, Callable[[bytes], Any]] = {
        "-adjacency.json": lambda data: nx.adjacency_graph(json.loads(data)),
        "-cytoscape.json": lambda data: nx.cytoscape_graph(json.loads(data)),
        "-node-link.json": lambda data: nx.node_link_graph(json.loads(data), edges="edges"),
        ".gexf": lambda data: nx.read_gexf(io.BytesIO(data), relabel=True),
        ".gml": lambda data: nx.read_gml(io.BytesIO(data)),
        ".graphml": lambda data: nx.read_graphml(io.BytesIO(data)),
        ".g6": lambda data: nx.from_graph6_bytes(data.strip()),
        ".s6": lambda data: nx.from_sparse6_bytes(data.strip()),
    }
    return next((reader for ending, reader in readers.items() if name.endswith(ending)), None)


def matrix_graph(data: bytes) -> Any:
    """Return the graph of a Matrix Market file, whose vertices are numbers from 1."""
    matrix = scipy.io.mmread(io.BytesIO(data), spmatrix=False).tocoo()
    entries = set(zip((matrix.row + 1).tolist(), (matrix.col + 1).tolist(), strict=True))
    both_ways = all((b, a) in entries for a, b in entries)
    return (nx.Graph if both_ways else nx.DiGraph)(sorted(entries))


def wrong(path: Path, name: str) -> str:
    """Read a damaged file; return what is wrong with the answer, or "" if it is refused or right."""
    options = EXPECTED[name].get("options", {})
    try:
        graph = formats.read_graph(path, **options)
        formats.read_weights(path, graph, options.get("format"), columns=options.get("columns"))
    except CavalcadeError as error:
        message = str(error).replace(str(path), name)
        return f"a message of many lines or {len(message)} characters" * (
            "\n" in message or len(message) > 500
        )
    reader = foreign_reader(name)
    if reader is None:
        return ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = reader(path.read_bytes())
    except Exception:  # noqa: BLE001 - what their reader raises is not our concern
        return ""
    if theirs.is_directed() is not graph.directed:
        return f"directed {graph.directed}, {name} says otherwise"
    expected = {edge_of(graph, [str(a), str(b)]) for a, b in theirs.edges() if a != b}
    COMPARED[name] += 1
    return "" if edges_of(graph) == expected else f"edges {edges_of(graph) ^ expected}"


def judged(number: int, seed: int, folder: Path) -> Counter[str]:
    """Damage files of the corpus in turn; return the numbers of the faults."""
    faults: Counter[str] = Counter()
    names = [name for name in EXPECTED if not name.endswith((".xlsx", ".parquet"))]
    for i in range(number):
        rng = random.Random(f"{seed} {i}")
        name = names[i % len(names)]
        path = folder / name
        path.write_bytes(damaged((FOLDER / name).read_bytes(), rng))
        if fault := wrong(path, name):
            faults[f"{seed} {i} {name}: {fault}"] += 1
    return faults


def test_some_damaged_foreign_files(tmp_path: Path) -> None:
    assert not judged(300, 1, tmp_path)


@pytest.mark.slow
def test_twenty_thousand_damaged_foreign_files(tmp_path: Path) -> None:
    assert not judged(20_000, 2, tmp_path)


# ---- our own files, through the commands

CASES = [
    *(
        ["prove", *words]
        for words in (["3x3"], ["4x4"], ["6x6-a1,f1"], ["hex:3"], ["gp:11,2"], ["kneser:5,2"])
    ),
    *(["prove", *words, "--engine", "sat"] for words in (["4x4"], ["petersen"], ["4x6", "--with", "a1-b3"])),
    ["prove", "3x4", "--piece", "moves:0,1;1,0;-1,0"],
    *(["tour", board, "--open"] for board in ("6x6", "hex:4", "torus:3x4", "petersen", "2x3x4")),
]
DRAWN_NOT_PROVED = {
    "certificate": 2, "statement": "closed tour of 4x4", "method": "steps",
    "steps": [{"rule": "nope", "cells": ["b3", "c2"]}],
}  # fmt: skip


def test_the_certificate_with_an_unknown_rule(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(DRAWN_NOT_PROVED), encoding="utf-8")
    for command, code in (("check", 1), ("draw", 2), ("convert", 2)):
        ran = cli(command, file)
        assert ran.code == code, ran
        assert len((ran.out + ran.err).splitlines()) == 1, ran


@pytest.mark.slow
def test_damaged_certificates_and_tours_have_one_line(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    """Each command ends with a code for bad input or a verdict, never with an internal error."""
    originals = []
    for i, words in enumerate(CASES):
        for ending in (
            ["json"] if words[0] == "prove" else ["json", "csv", "txt", "tour", "npy", "sas", "wide"]
        ):
            originals.append(tmp_path / f"{words[0]}{i}.{ending}")
            cli(*words, "-o", originals[-1])
    originals = [file for file in originals if file.exists()]  # a tour of a graph has no `.npy`
    assert len(originals) > 30
    file_of_picture = tmp_path / "picture.svg"
    for i in range(3_000):
        rng = random.Random(i)
        original = originals[i % len(originals)]
        file = tmp_path / f"damaged{original.suffix}"
        file.write_bytes(damaged(original.read_bytes(), rng))
        for command in (
            ["check", file, "--time-limit", 2],
            ["draw", file, "-o", file_of_picture],
            ["convert", file],
        ):
            ran = cli(*command)
            assert ran.code in {0, 1, 2, 3, 4}, (i, command, ran)
            assert len(ran.err.splitlines()) <= 1, (i, command, ran)

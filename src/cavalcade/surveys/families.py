"""Families of boards, described by one line or by a small TOML file.

    {m}x{n} for m in 3..20, n in m..40          one board for each choice of the numbers
    mxn for m in 3..20, n in m..40              the same
    {2*n+1}x{k} for n in 1..5, k in n..90       arithmetic, in braces and in ranges
    {shape}:5x{n} for shape in torus klein, n in 3..9        words instead of numbers
    {m}x{n} for m in 3..9, n in 3..9 where m*n % 2 == 0      only boards that meet a condition
    8x8 without 4 cells                         every set of 4 cells removed, up to the board's symmetries
    8x8 without 4 balanced cells                equally many light and dark cells
    polyominoes of 7 cells                      up to rotation and reflection
    boards in FOLDER                            every board file (.txt) of a folder

A TOML file has the keys `boards`, `for` and `where`, lists of `pieces` and `kinds`, and other properties of a
question (`start`, `with`, `symmetry`, …). Each value may contain braces:

    boards = "{2*n+1}x{k}"
    for = "n in 1..5, k in n..90"
    pieces = ["{n},{n+1}"]
    kinds = ["closed", "open"]

A count in shards (see `cavalcade.counting.meeting`) is also a family:

    boards = "8x8 for shard in 0..63"
    shard = "{shard}/64"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from cavalcade.boards.notation import filled_names, grows, parse_board
from cavalcade.ground.errors import BoardError, CavalcadeError
from cavalcade.surveys.arithmetic import NUMBER, Value, assert_known, evaluate, names_in
from cavalcade.surveys.polyominoes import FREE, polyominoes
from cavalcade.surveys.removals import removal_count, removals

Boards = Callable[[], Iterator[tuple[dict[str, Value], str]]]

MOST = 100_000_000  # boards in one family; a larger number is taken for a typing error
TRIED = 200_000  # choices that are enumerated to count the boards, so that a typing error is refused at once
KINDS = ("closed", "open")
COLUMNS = (  # columns of every survey, after the names of its family; see `surveys.rows`
    "board", "piece", "kind", "statement", "verdict", "method", "rule", "reason", "certificate", "count",
    "bytes", "seconds", "version", "measures", "seal",
)  # fmt: skip
OF_WALKS = ("ties", "count_start", "walks")  # options of the verb `warnsdorff`
OF_CELLS = ("start", "end", "with", "avoid", "at", "through")
WORDS = (*OF_CELLS, "symmetry", "moves", "coils", "shard", *OF_WALKS)
TEMPLATE = re.compile(r"\{([^{}]*)\}")
SHAPE = re.compile(r"((?:\{[^{}]*\}|[^-])*)(-?)(.*)")  # the sides, which may contain -, and the holes
REMOVAL = re.compile(r"(\S+) without (\d{1,6})( balanced)? cells?")
POLYOMINOES = re.compile(r"polyominoes of (\d{1,6})(?:\.\.(\d{1,6}))? cells?")
RANGE = re.compile(r"([A-Za-z_]\w*)\s+in\s+(.+)")
FOLDER = re.compile(r"boards in (.+)")


class Member(NamedTuple):
    """One question: values of the names of the family, board, piece, kind, and other constraints."""

    values: Mapping[str, Value]
    board: str
    piece: str
    kind: str
    words: Mapping[str, Any]


class QuestionFamily:
    """A family of questions.

    Args:
        keys: description with the keys of a TOML file; pieces, words and lists of words are templates.

    Raises:
        CavalcadeError: the description is invalid, or the family is empty or has more than 100,000,000
            boards.
    """

    def __init__(self, keys: Mapping[str, Any]) -> None:
        self.keys = keys
        self.pieces: Sequence[str] = keys.get("pieces") or ["knight"]
        self.kinds: Sequence[str] = keys.get("kinds") or ["closed"]
        boards = str(keys["boards"]).strip()
        parts = re.fullmatch(r"(.*?)(?:\s+for\s+(.*?))?(?:\s+where\s+(.*))?", boards, re.DOTALL)
        assert parts is not None  # noqa: S101 - every part may be empty
        head, ranges, condition = parts.groups()
        for key, clause in (("for", ranges), ("where", condition)):
            if clause and keys.get(key):
                raise CavalcadeError(f"{boards[:60]!r} already contains {key!r}: drop one of the two")
        ranges, condition = ranges or keys.get("for", ""), condition or keys.get("where", "")
        if len(head) > 1 and head[0] == head[-1] and head[0] in "\"'":
            head = head[1:-1].strip()
        self.names, self.size, self.boards = _boards(head, ranges, condition)
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise CavalcadeError(f"unknown kind {unknown[0][:40]!r}, expected closed or open")
        if self.most > MOST:
            number = "far more than " * (self.size > MOST**2) + f"{min(self.most, MOST**2):,}"
            raise CavalcadeError(f"{boards[:60]!r} has {number} boards, expected at most {MOST:,}")
        if next(self.questions(), None) is None:
            raise CavalcadeError(f"there is no board in {boards[:60]!r}")

    @property
    def title(self) -> str:
        """The boards in one line, without conditions."""
        return " ".join(str(self.keys[key]) for key in ("boards", "for") if self.keys.get(key))

    @property
    def most(self) -> int:
        """Upper bound for the number of questions."""
        return self.size * len(self.pieces) * len(self.kinds)

    def questions(self) -> Iterator[Member]:
        """Yield all questions: piece by piece, closed before open, board by board."""
        for piece, kind in product(self.pieces, self.kinds):
            for values, board in self.boards():
                words = {
                    word: _filled(self.keys[word], values, cells=word in OF_CELLS)
                    for word in WORDS
                    if word in self.keys
                }
                yield Member(values, board, _filled(piece, values), kind, words)


def family(
    text: str,
    *,
    pieces: Sequence[str] = (),
    kinds: Sequence[str] = (),
    words: Mapping[str, Any] | None = None,
) -> QuestionFamily:
    """Parse the description of a family.

    Args:
        text: one line, or the path of a `.toml` file.
        pieces: specs of pieces, which override the file; by default the knight.
        kinds: `closed`, `open` or both, which override the file; by default `closed`.
        words: constraints of all tours, see `cavalcade.question.constraints`; also `start` and `end`.

    Raises:
        CavalcadeError: as `QuestionFamily`.
    """
    keys = _file(text) if text.strip().endswith(".toml") else {"boards": text.strip()}
    keys |= {key: list(value) for key, value in (("pieces", pieces), ("kinds", kinds)) if value}
    return QuestionFamily(keys | dict(words or {}))


def _file(path: str) -> dict[str, Any]:
    """Read the keys of a TOML file.

    Raises:
        CavalcadeError: the file cannot be read, or a key or value is invalid.
    """
    from cavalcade.formats.files import read_file

    try:
        keys = tomllib.loads(read_file(path.strip()))
    except tomllib.TOMLDecodeError as error:
        raise CavalcadeError(f"{path}: not TOML: {error}") from None
    expected: dict[str, type] = {"boards": str, "for": str, "where": str, "pieces": list, "kinds": list}
    for key, value in keys.items():
        if key not in expected and key not in WORDS:
            keys_allowed = ", ".join([*expected, *WORDS])
            raise CavalcadeError(f"{path}: unknown key {key[:40]!r}, expected one of {keys_allowed}")
        if key in expected and not isinstance(value, expected[key]):
            kind = "text" if expected[key] is str else "a list"
            raise CavalcadeError(f"{path}: {key!r} is {str(value)[:40]!r}, expected {kind}")
        if isinstance(value, list) and not all(isinstance(entry, str) for entry in value):
            raise CavalcadeError(f"{path}: {key!r} is not a list of texts")
    if "boards" not in keys:
        raise CavalcadeError(f"{path}: has no 'boards', expected a line like boards = \"8x{{n}}\"")
    return keys


def _boards(head: str, ranges: str, condition: str) -> tuple[tuple[str, ...], int, Boards]:
    """Return the names, the number of boards and the boards of a family."""
    removal, tiles, folder = (rule.fullmatch(head) for rule in (REMOVAL, POLYOMINOES, FOLDER))
    if (removal or tiles or folder) and (ranges or condition):
        raise CavalcadeError(f"{head[:60]!r} cannot be combined with 'for' or 'where'")
    if removal:
        board, number, balanced = parse_board(removal[1]), int(removal[2]), bool(removal[3])
        if number >= board.size:
            raise BoardError(f"{head[:60]!r} leaves no cell of {board.size}")
        size = removal_count(board, number, balanced=balanced)
        return (), size, lambda: (({}, spec) for spec in removals(board, number, balanced=balanced))
    if tiles:
        least, most = int(tiles[1]), int(tiles[2] or tiles[1])
        if not 1 <= least <= most or most >= len(FREE):
            raise CavalcadeError(
                f"{head[:60]!r}: expected 1 to {len(FREE) - 1} cells, the smaller number first"
            )
        sizes = range(least, most + 1)
        number = sum(FREE[n] for n in sizes)
        return ("cells",), number, lambda: (({"cells": n}, spec) for n in sizes for spec in polyominoes(n))
    if folder:
        from cavalcade.formats import read_board

        files = sorted(Path(folder[1]).glob("*.txt"))
        return ("file",), len(files), lambda: (({"file": path.stem}, read_board(path).spec) for path in files)
    return _grid(head, ranges, condition)


def _grid(template: str, ranges: str, condition: str) -> tuple[tuple[str, ...], int, Boards]:
    """Return the family of a template: a board for each choice of values that meets the condition."""
    named: dict[str, str] = {}
    for part in map(str.strip, ranges.split(",") if ranges.strip() else ()):
        match = RANGE.fullmatch(part)
        if not match:
            raise CavalcadeError(f"{part[:60]!r} is not a range, expected one like m in 3..20")
        name, text = match.groups()
        if name in {*COLUMNS, "status"}:  # in JSON every row has a status
            raise CavalcadeError(f"{name!r} is a column of every survey, expected another name")
        if name in named:
            raise CavalcadeError(f"{ranges[:60]!r} has two ranges for one name")
        assert_known(names_in(text) if ".." in text else set(), named, part)
        named[name] = text
    parts = SHAPE.fullmatch(template)
    assert parts is not None  # noqa: S101 - every part may be empty
    shape, dash, holes = parts.groups()
    if "{" not in shape:
        if grows(shape) and "n" not in named:
            raise CavalcadeError(f"{template[:60]!r} has no range: try '{template[:60]} for n in 1..9'")
        shape = _with_braces(shape, named)
    template = shape + dash + holes
    assert_known(names_in(" ".join(TEMPLATE.findall(template))), named, template)
    assert_known(names_in(condition), named, condition)
    texts = list(named.items())

    def boards() -> Iterator[tuple[dict[str, Value], str]]:
        for values in _choices(texts, {}):
            if not condition.strip() or evaluate(condition, values):
                yield values, _filled(shape, values) + dash + _filled(holes, values, cells=True)

    return tuple(named), _count(texts, {}), boards


def _with_braces(shape: str, names: Mapping[str, str]) -> str:
    """The template of a shape with braces around the sides that are names: 3x{n} for 3xn."""
    kind, colon, sides = shape.rpartition(":")
    parts = re.split("([x,])", sides)
    return kind + colon + "".join(f"{{{part}}}" if part in names else part for part in parts)


def _values(text: str, values: Mapping[str, Value]) -> Sequence[Value]:
    """Return the values of a range such as `3..2*n` or `torus klein`, given the values of earlier names."""
    low, dots, high = text.partition("..")
    if not dots:
        return [int(word) if NUMBER.fullmatch(word) else word for word in text.split()]
    first, last = evaluate(low, values), evaluate(high, values)
    if isinstance(first, str) or isinstance(last, str):
        raise CavalcadeError(f"{text[:60]!r} has a word as a limit, expected whole numbers")
    return range(first, last + 1)


def _choices(ranges: Sequence[tuple[str, str]], values: dict[str, Value]) -> Iterator[dict[str, Value]]:
    if not ranges:
        yield values
        return
    (name, text), *rest = ranges
    for value in _values(text, values):
        yield from _choices(rest, values | {name: value})


def _count(ranges: Sequence[tuple[str, str]], values: dict[str, Value]) -> int:
    """Count the choices; return at least `MOST` squared if there are too many to enumerate."""
    if all(".." not in text or names_in(text) <= values.keys() for _, text in ranges):
        return prod(len(_values(text, values)) for _, text in ranges)
    (name, text), *rest = ranges
    total = 0
    for tried, value in enumerate(_values(text, values)):
        if tried > TRIED:
            return MOST**2
        total += _count(rest, values | {name: value})
        if total > MOST**2:
            break
    return total


def _filled(template: Any, values: Mapping[str, Value], *, cells: bool = False) -> Any:
    """Evaluate the braces of a template or of a list of templates; other values are returned unchanged.

    Args:
        template: the template.
        values: the values of the names.
        cells: whether a number in the place of a column is written in letters: `{n}1` is h1 for n = 8.
    """
    if isinstance(template, list):
        return [_filled(entry, values, cells=cells) for entry in template]
    if not isinstance(template, str):
        return template
    if cells:
        return filled_names(TEMPLATE, template, lambda match: evaluate(match[1], values))
    return TEMPLATE.sub(lambda match: str(evaluate(match[1], values)), template)

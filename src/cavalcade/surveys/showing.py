"""The results of a survey: numbers, a table by size, a heat map, exceptions to a rule."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NamedTuple

from cavalcade.boards.notation import parse_board
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.pieces import piece_of
from cavalcade.surveys.arithmetic import evaluate
from cavalcade.surveys.batches import Survey
from cavalcade.surveys.rows import DECIDED, Row
from cavalcade.theorems.literature import theorem

SIGNS = {"found": "+", "impossible": "-", "undecided": "?", "refused": "!"}
LISTED = 10  # boards that are named in a summary
COMPARED = 100_000  # rows that are compared with theorems
WIDEST = 100  # columns of a table in text


class SizeTable(NamedTuple):
    """Rows by two whole numbers, of one piece and kind, the other names of the family fixed.

    Args:
        title: the fixed names and their values.
        names: of the numbers of rows and columns.
        rows: by these two numbers.
    """

    title: str
    names: tuple[str, str]
    rows: dict[tuple[int, int], Row]

    def __str__(self) -> str:
        """One sign per board, `+` with a tour, `-` without, `?` undecided; last digits of columns on top."""
        down, across = (sorted({at[i] for at in self.rows}) for i in (0, 1))
        margin = max(len(str(n)) for n in down) + len(self.names[0]) + 2
        tens = "".join(str(n // 10 % 10) if n % 10 == 0 else " " for n in across)
        lines = [self.title, f"{self.names[1]:>{margin - 1}} {tens}".rstrip(), " " * margin]
        lines[-1] += "".join(str(n % 10) for n in across)
        for m in down:
            signs = "".join(
                SIGNS[str(self.rows[m, n]["verdict"])] if (m, n) in self.rows else " " for n in across
            )
            lines.append(f"{f'{self.names[0]} {m}':>{margin - 1}} {signs}".rstrip())
        return "\n".join(lines) + "\n"


def tables(survey: Survey) -> list[SizeTable]:
    """The rows by the first two names of the family with whole numbers; none if there are fewer than two."""
    found: dict[str, SizeTable] = {}
    for row in survey.rows():
        numbers = [name for name in survey.family.names if isinstance(row[name], int)]
        if len(numbers) < 2:
            return []
        m, n = numbers[:2]
        fixed = [f"{name} {row[name]}" for name in survey.family.names if name not in {m, n}]
        title = ", ".join([str(row["piece"]), str(row["kind"]), *fixed])
        found.setdefault(title, SizeTable(title, (m, n), {})).rows[int(row[m]), int(row[n])] = row
    return list(found.values())


def summary(survey: Survey) -> str:
    """How many boards have a tour, which rules prove that the others have none, and what needs attention."""
    rows = list(survey.rows())
    state = "all answered" if survey.questions is not None else "not finished"
    lines = [f"{survey.asking.verb}, {survey.family.title}: {len(rows):,} boards, {state}"]
    lines += [f"batch {number:06} is lost" for number in survey.missing]
    counted = Counter((str(row["piece"]), str(row["kind"]), str(row["verdict"])) for row in rows)
    for piece, kind in sorted({key[:2] for key in counted}):
        parts = [f"{many:,} {one}" for one in SIGNS if (many := counted[piece, kind, one])]
        lines.append(f"{piece}, {kind}: {', '.join(parts)}")
    lines += _walked(survey, rows)
    rules = Counter(str(row["rule"]) for row in rows if row["rule"])
    if rules:
        lines.append("proofs: " + ", ".join(f"{rule} {many:,}" for rule, many in rules.most_common()))
    lines += _compared(rows) if "shard" not in survey.family.keys else []
    undecided = [row for row in rows if row["verdict"] == "undecided"]
    if undecided:
        undecided.sort(key=lambda row: parse_board(str(row["board"])).size)
        lines.append(f"undecided, the smallest first: {_named(undecided)}")
    refused = [row for row in rows if row["verdict"] == "refused"]
    if refused:
        lines.append(f"refused: {_named(refused)}: {refused[0]['reason']}")
    return "\n".join(lines) + "\n"


def exceptions(survey: Survey, rule: str) -> list[Row]:
    """The rows that contradict a rule: it holds and there is no tour, or it fails and there is one.

    Args:
        survey: the survey.
        rule: a condition with the names of the family, `piece` and `kind`: `m*n % 2 == 0 and m >= 5`.

    Raises:
        CavalcadeError: it is not a condition, or has other names.
    """
    found = []
    for row in survey.rows():
        values: dict[str, Any] = {name: row[name] for name in (*survey.family.names, "piece", "kind")}
        if row["verdict"] in DECIDED and bool(evaluate(rule, values)) != (row["verdict"] == "found"):
            found.append(row)
    return found


def heat_maps(survey: Survey, by: str = "verdict") -> list[str]:
    """A picture of each table, as SVG.

    Args:
        survey: a survey of a family with two whole numbers.
        by: `verdict`, or `seconds`.

    Raises:
        CavalcadeError: the family has no two such names.
    """
    from cavalcade.draw.heat_maps import heat_map
    from cavalcade.draw.svg import written

    found = tables(survey)
    if not found:
        raise CavalcadeError("a heat map needs a family with two whole numbers, like m and n")
    return [
        written(heat_map({at: row[by] for at, row in one.rows.items()}, f"{one.title}: {by}", one.names))
        for one in found
    ]


def _walked(survey: Survey, rows: list[Row]) -> list[str]:
    """How many walks are tours, for each piece and each choice of the family's words."""
    words = [name for name in survey.family.names if any(isinstance(row[name], str) for row in rows)]
    sums: dict[str, Counter[str]] = {}
    for row in rows if survey.asking.verb == "warnsdorff" else ():
        title = ", ".join(str(row[name]) for name in ("piece", "kind", *words))
        sums.setdefault(title, Counter()).update(json.loads(str(row["measures"] or "{}")))
    return [
        f"{title}: {one['tours']:,} of {one['walks']:,} walks are tours, "
        f"{100 * one['tours'] / one['walks']:.2f} %; {one['closed']:,} closed"
        for title, one in sums.items()
        if one["walks"]
    ]


def _compared(rows: list[Row]) -> list[str]:
    """Whether the boards agree with known theorems, and which do not."""
    if len(rows) > COMPARED:
        return [f"not compared with theorems: more than {COMPARED:,} boards"]
    agree: Counter[str] = Counter()
    wrong = []
    for row in rows:
        if row["verdict"] not in DECIDED:
            continue
        known = theorem(parse_board(str(row["board"])), piece_of(str(row["piece"])), row["kind"] == "closed")
        if known is None:
            continue
        if known.exists == (row["verdict"] == "found"):
            agree[known.name] += 1
        else:
            wrong.append(f"{row['board']}, {row['piece']}, {row['kind']}: {known.name} states otherwise")
    return wrong + [f"in agreement with {name}: {many:,} boards" for name, many in agree.most_common()]


def _named(rows: list[Row]) -> str:
    names = [f"{row['board']} {row['piece']} {row['kind']}" for row in rows[:LISTED]]
    return ", ".join(names) + f", … {len(rows):,} in all" * (len(rows) > LISTED)

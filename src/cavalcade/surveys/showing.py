"""Summaries of a survey: numbers, tables by size, heat maps, exceptions to a rule."""

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

SIGNS = {"found": "+", "impossible": "-", "undecided": "?", "refused": "!", "counted": "#"}


class SizeTable(NamedTuple):
    """The rows of one piece and kind as a table of two whole numbers; all other names are fixed.

    Args:
        title: the fixed names and their values.
        names: names of the two numbers, which index the rows and the columns.
        rows: rows of the survey by the two numbers.
    """

    title: str
    names: tuple[str, str]
    rows: dict[tuple[int, int], Row]

    def __str__(self) -> str:
        """Format one sign per board: `+` with a tour, `-` without, `?` undecided; column digits on top."""
        down, across = (sorted({numbers[i] for numbers in self.rows}) for i in (0, 1))
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
    """Tabulate the rows by the first two numeric names of the family; [] if there are fewer than two."""
    tables: dict[str, SizeTable] = {}
    for row in survey.rows():
        numbers = [name for name in survey.family.names if isinstance(row[name], int)]
        if len(numbers) < 2:
            return []
        m, n = numbers[:2]
        fixed = [f"{name} {row[name]}" for name in survey.family.names if name not in {m, n}]
        title = ", ".join([str(row["piece"]), str(row["kind"]), *fixed])
        tables.setdefault(title, SizeTable(title, (m, n), {})).rows[int(row[m]), int(row[n])] = row
    return list(tables.values())


def summary(survey: Survey) -> str:
    """Summarize a survey: boards with a tour, the rules that refute the others, and what needs attention."""
    rows = list(survey.rows())
    state = "all answered" if survey.questions is not None else "not finished"
    lines = [f"{survey.asking.verb}, {survey.family.title}: {len(rows):,} boards, {state}"]
    lines += [f"batch {number:06} is lost" for number in survey.missing]
    counted = Counter((str(row["piece"]), str(row["kind"]), str(row["verdict"])) for row in rows)
    for piece, kind in sorted({key[:2] for key in counted}):
        parts = [f"{number:,} {verdict}" for verdict in SIGNS if (number := counted[piece, kind, verdict])]
        lines.append(f"{piece}, {kind}: {', '.join(parts)}")
    lines += _walked(survey, rows)
    rules = Counter(str(row["rule"]) for row in rows if row["rule"])
    if rules:
        lines.append("proofs: " + ", ".join(f"{rule} {number:,}" for rule, number in rules.most_common()))
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
    """Return the rows that contradict a rule: it holds without a tour, or fails with one.

    Args:
        survey: the survey.
        rule: condition on the names of the family, `piece` and `kind`: `m*n % 2 == 0 and m >= 5`.

    Raises:
        CavalcadeError: the rule is not a condition, or has unknown names.
    """
    contradicting = []
    for row in survey.rows():
        values: dict[str, Any] = {name: row[name] for name in (*survey.family.names, "piece", "kind")}
        has_tour = row["verdict"] == "found"
        if row["verdict"] in {"found", "impossible"} and bool(evaluate(rule, values)) != has_tour:
            contradicting.append(row)
    return contradicting


def heat_maps(survey: Survey, by: str = "verdict") -> list[str]:
    """Draw each table as SVG.

    Args:
        survey: a survey of a family with two numeric names.
        by: `verdict` or `seconds`.

    Raises:
        CavalcadeError: the family does not have two numeric names.
    """
    from cavalcade.draw.charts import heat_map
    from cavalcade.draw.svg import written

    size_tables = tables(survey)
    if not size_tables:
        raise CavalcadeError("a heat map needs a family with two whole numbers, like m and n")
    return [
        written(
            heat_map({m_n: row[by] for m_n, row in table.rows.items()}, f"{table.title}: {by}", table.names)
        )
        for table in size_tables
    ]


def _walked(survey: Survey, rows: list[Row]) -> list[str]:
    """Report how many walks are tours, for each piece and each choice of the words of the family."""
    words = [name for name in survey.family.names if any(isinstance(row[name], str) for row in rows)]
    sums: dict[str, Counter[str]] = {}
    for row in rows if survey.asking.verb == "warnsdorff" else ():
        title = ", ".join(str(row[name]) for name in ("piece", "kind", *words))
        sums.setdefault(title, Counter()).update(json.loads(str(row["measures"] or "{}")))
    return [
        f"{title}: {total['tours']:,} of {total['walks']:,} walks are tours, "
        f"{100 * total['tours'] / total['walks']:.2f} %; {total['closed']:,} closed"
        for title, total in sums.items()
        if total["walks"]
    ]


def _compared(rows: list[Row]) -> list[str]:
    """Compare the boards with known theorems."""
    most = 100_000  # rows, so that a summary stays quick
    if len(rows) > most:
        return [f"not compared with theorems: more than {most:,} boards"]
    agree: Counter[str] = Counter()
    wrong = []
    for row in rows:
        if row["verdict"] not in DECIDED:
            continue
        law = theorem(parse_board(str(row["board"])), piece_of(str(row["piece"])), row["kind"] == "closed")
        if law is None:
            continue
        if law.exists == (row["verdict"] == "found"):
            agree[law.name] += 1
        else:
            wrong.append(f"{row['board']}, {row['piece']}, {row['kind']}: {law.name} states otherwise")
    return wrong + [f"in agreement with {name}: {number:,} boards" for name, number in agree.most_common()]


def _named(rows: list[Row]) -> str:
    most = 10  # boards
    names = [f"{row['board']} {row['piece']} {row['kind']}" for row in rows[:most]]
    return ", ".join(names) + f", … {len(rows):,} in all" * (len(rows) > most)

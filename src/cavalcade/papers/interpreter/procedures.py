"""The procedures: PRINT, REPORT, DATASETS, and OPTGRAPH, OPTNET and OPTNETWORK with TSP."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from cavalcade.papers.interpreter.source import Located, SasError, numbered_range
from cavalcade.papers.interpreter.state import Link, SessionState, dataset_name
from cavalcade.papers.interpreter.values import Row, formatted, missing, number

if TYPE_CHECKING:
    from collections.abc import Callable

_LINKS_VAR = ("from=", "to=", "weight=")
_OPTGRAPH: dict[str, tuple[str, ...] | None] = {
    "proc": ("data_links=", "links="),
    "data_links_var": _LINKS_VAR,
    "links_var": _LINKS_VAR,
    "tsp": ("out=",),
}
#: For each procedure, its statements and their options. An option with a value ends with `=`.
#: None: the procedure reads the statement itself.
SYNTAX: dict[str, dict[str, tuple[str, ...] | None]] = {
    "print": {"proc": ("data=", "noobs"), "var": None},
    "report": {
        "proc": ("data=", "nowindows", "nowd", "headskip"),
        "columns": None,
        "column": None,
        "define": None,
        "break": None,
        "format": None,
    },
    "datasets": {"proc": ("library=", "lib=", "nolist"), "delete": None},
    "optgraph": _OPTGRAPH,
    "optnet": _OPTGRAPH,
    "optnetwork": {"proc": ("links=", "direction="), "linksvar": _LINKS_VAR, "tsp": ("out=",)},
}
#: What to do instead of procedures and options that are not supported.
INSTEAD = {
    "means": "add up in a DATA step, with RETAIN or SUM, and print with PUT",
    "summary": "add up in a DATA step, with RETAIN or SUM, and print with PUT",
    "freq": "count in a DATA step, in an ARRAY",
    "sort": "write the data in order, or define the column as ORDER in PROC REPORT",
    "sql": "use a DATA step with SET",
    "out_links": "OUT= of the statement TSP has the links of the tour",
    "out_nodes": "OUT= of the statement TSP has the links of the tour",
    "loglevel": "leave it out; `cavalcade optgraph` prints the summaries",
    "maxtime": "leave it out; `cavalcade optgraph` takes the limits of TSP",
    "relobjgap": "leave it out; `cavalcade optgraph` takes the limits of TSP",
}
OPTION = re.compile(r"([\w.]+)(?:\s*=\s*([\w.]+))?")


def run_procedure(state: SessionState, statements: list[Located]) -> None:
    """Execute a procedure."""
    name = [*statements[0].split(), ""][1].lower()
    if name not in SYNTAX:
        raise unknown(statements[0])
    for statement in statements:
        options(name, statement)
    PROCEDURES[name](state, statements)


def unknown(statement: Located) -> SasError:
    """Return the refusal of a procedure that is missing or not supported, with advice."""
    name = [*statement.split(), ""][1].lower()
    expected = ", ".join(procedure.upper() for procedure in SYNTAX)
    if not name:
        return SasError(f"PROC has no name, expected one of {expected}", statement)
    advice = f": {INSTEAD[name]}" if name in INSTEAD else f", only {expected}"
    return SasError(f"PROC {name.upper()} is not supported{advice}", statement)


def options(procedure: str, statement: Located) -> dict[str, str]:
    """Return the options of a statement of a procedure, with their values or empty texts.

    Raises:
        SasError: the statement or an option is not supported.
    """
    words = statement.split()
    keyword = words[0].lower()
    if keyword not in SYNTAX[procedure]:
        raise SasError(f"PROC {procedure.upper()} with {keyword.upper()} is not supported", statement)
    supported, settings = SYNTAX[procedure][keyword], dict[str, str]()
    if supported is None:
        return settings
    skip = 2 if keyword == "proc" else 1
    rest = "".join(statement.split(None, skip)[skip:]).strip()
    while rest:
        match = OPTION.match(rest)
        if match is None or match[1].lower() + "=" * (match[2] is not None) not in supported:
            option = (match[1] if match else rest.split()[0]).upper()
            advice = f": {INSTEAD[option.lower()]}" if option.lower() in INSTEAD else ""
            raise SasError(
                f"{' '.join(words[:skip]).upper()} with {option} is not supported{advice}", statement
            )
        settings[match[1].lower()] = match[2] or ""
        rest = rest[match.end() :].strip()
    return settings


def _input(state: SessionState, statement: Located, settings: dict[str, str]) -> tuple[list[Row], list[str]]:
    """Return the rows and variables of DATA=, by default the last data set."""
    if "data" not in settings and not state.data:
        raise SasError("there is no data set", statement)
    name = dataset_name(settings["data"]) if "data" in settings else list(state.data)[-1]
    rows = state.rows(name, statement)
    return rows, list(state.columns_of(name))


def print_rows(state: SessionState, statements: list[Located]) -> None:
    """PROC PRINT: titles of the columns, and a line for each observation, in columns."""
    settings = options("print", statements[0])
    rows, names = _input(state, statements[0], settings)
    for statement in statements[1:]:
        names = [name for word in statement.lower().split()[1:] for name in numbered_range(word)]
        if unknown := next((name for name in names if rows and name not in rows[0]), None):
            raise SasError(f"there is no variable {unknown.upper()}", statement)
    state.new_page()
    table = [[*([] if "noobs" in settings else ["Obs"]), *names]]
    for k, row in enumerate(rows, 1):
        table.append(
            [*([] if "noobs" in settings else [str(k)]), *(formatted(row[name]) or " " for name in names)]
        )
    if not rows:
        state.log.append("NOTE: no observations in the data set")
        return
    texts = {j for j, name in enumerate(table[0]) if isinstance(rows[0].get(name), str)}
    widths = [max(len(line[j]) for line in table) for j in range(len(table[0]))]
    for line in table:
        cells = (
            cell.ljust(width) if j in texts else cell.rjust(width)
            for j, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        state.listing.append(" ".join(cells).rstrip())


DEFINE = re.compile(
    r"define\s+(\w+)\s*/\s*(display|order)\s+width\s*=\s*(\d+)(?:\s*['\"]([^'\"]*)['\"])?", re.IGNORECASE
)
BREAK = re.compile(r"break\s+after\s+(\w+)\s*/\s*skip", re.IGNORECASE)
BEST_FORMAT = re.compile(r"format\s+\S+\s+best\d*\.\d*", re.IGNORECASE)


def report(state: SessionState, statements: list[Located]) -> None:
    """PROC REPORT with DISPLAY and ORDER: a line for each observation, in columns of WIDTH=."""
    settings = options("report", statements[0])
    rows, columns = _input(state, statements[0], settings)
    labels, widths, order, skip_after = dict[str, str](), dict[str, int](), list[str](), ""
    for statement in statements[1:]:
        word = statement.split()[0].lower()
        if word in {"columns", "column"}:
            columns = [name for part in statement.lower().split()[1:] for name in numbered_range(part)]
        elif match := DEFINE.fullmatch(statement):
            name = match[1].lower()
            widths[name] = int(match[3])
            labels[name] = match[1] if match[4] is None else match[4].strip()
            order += [name] * (match[2].lower() == "order")
        elif match := BREAK.fullmatch(statement):
            skip_after = match[1].lower()
        elif not BEST_FORMAT.fullmatch(statement):
            raise SasError(f"PROC REPORT with {word.upper()} is supported in part: {statement}", statement)
    for name in [*columns, *([skip_after] if skip_after else []), *order]:
        if rows and name not in rows[0]:
            raise SasError(f"there is no variable {name.upper()}", statements[0])
    state.new_page()
    gap = "  "
    heads = [labels.get(name, name) for name in columns]
    sizes = [max(widths.get(name, 9), len(head)) for name, head in zip(columns, heads, strict=True)]
    if any(heads):
        line = gap.join(head.rjust(size) for head, size in zip(heads, sizes, strict=True))
        state.listing += [line.rstrip(), *[""] * ("headskip" in settings)]
    rows = sorted(rows, key=lambda row: tuple(number(row[name]) for name in order))
    before: Row = {}
    for key, group in groupby(rows, key=lambda row: formatted(row[skip_after]) if skip_after else ""):
        del key
        for row in group:
            cells = [
                "" if name in order and before.get(name) == row[name] else formatted(row[name])
                for name in columns
            ]
            line = gap.join(cell.rjust(size) for cell, size in zip(cells, sizes, strict=True))
            state.listing.append(line.rstrip())
            before = row
        if skip_after:
            state.listing.append("")


def datasets(state: SessionState, statements: list[Located]) -> None:
    """PROC DATASETS with DELETE."""
    settings = options("datasets", statements[0])
    library = settings.get("library", settings.get("lib", "work")).lower()
    if library != "work":
        raise SasError(f"PROC DATASETS supports the library WORK, not {library.upper()}", statements[0])
    for statement in statements[1:]:
        for name in statement.lower().split()[1:]:
            state.rows(name, statement)
            del state.data[name]


def optgraph(state: SessionState, statements: list[Located]) -> None:
    """OPTGRAPH, OPTNET or OPTNETWORK with TSP: write a closed tour of least weight to a data set of links.

    The data set has no observations if there is no tour. FROM, TO and WEIGHT keep their names; WEIGHT is left
    out if the links have no such variable.
    """
    procedure = statements[0].split()[1].lower()
    settings = options(procedure, statements[0])
    if settings.get("direction", "undirected").lower() != "undirected":
        raise SasError("PROC OPTNETWORK with DIRECTION=DIRECTED is not supported", statements[0])
    source = settings.get("data_links", settings.get("links"))
    clauses = {statement.split()[0].lower(): statement for statement in statements[1:]}
    if source is None or "tsp" not in clauses:
        raise SasError(f"PROC {procedure.upper()} needs a data set of links and TSP", statements[0])
    result = options(procedure, clauses.pop("tsp"))
    titles = {"from": "from", "to": "to", "weight": "weight"}
    for statement in clauses.values():
        titles |= {key: name.lower() for key, name in options(procedure, statement).items()}
    rows = state.rows(dataset_name(source), statements[0])
    columns = state.columns_of(dataset_name(source))
    ends = titles["from"], titles["to"]
    for name in ends:
        if name not in columns:
            raise SasError(f"the data set of links has no variable {name.upper()}", statements[0])
    if state.solver is None:
        raise SasError(f"there is no solver for PROC {procedure.upper()}", statements[0])
    links = list[Link]()
    for row in rows:
        a, b = (formatted(row[name]).strip() for name in ends)
        weight = number(row.get(titles["weight"], 1.0))
        if not a or not b or missing(weight):
            raise SasError(f"the link {a} - {b} has a missing end or weight", statements[0])
        links.append((a, b, weight))
    status, tour = state.solver(links)
    state.log.append(f"Solution Status: {status}")
    if "out" in result:
        name, weighted = dataset_name(result["out"]), titles["weight"] in columns
        weight_of = {frozenset((a, b)): weight for a, b, weight in links}
        variables = (*ends, titles["weight"]) if weighted else ends
        state.columns[name] = {variable: columns[variable] for variable in variables}
        state.data[name] = [
            {end: label if columns[end] else number(label) for end, label in zip(ends, link, strict=True)}
            | ({titles["weight"]: weight_of[frozenset(link)]} if weighted else {})
            for link in tour
        ]


PROCEDURES: dict[str, Callable[[SessionState, list[Located]], None]] = {
    "print": print_rows,
    "report": report,
    "datasets": datasets,
    "optgraph": optgraph,
    "optnet": optgraph,
    "optnetwork": optgraph,
}

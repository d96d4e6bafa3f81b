"""Shared by the commands: reading boards and tours, writing answers, showing progress."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import sys
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.exceptions import Exit

from cavalcade.cli import UNDECIDED
from cavalcade.formats import board_in, format_of
from cavalcade.formats.table import FORMATS
from cavalcade.ground.budget import machine_memory
from cavalcade.ground.errors import BoardError, FormatError, PieceError, TooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cavalcade.answers.counts import Count, Distribution
    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.frontier.search import Progress as Counted
    from cavalcade.ground.threads import ProgressCallback
    from cavalcade.question.constraints import Constraints
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.pieces import Piece
    from cavalcade.question.question import Question

    Command = TypeVar("Command", bound=Callable[..., Any])

TOUR_FORMATS = tuple(one.name for one in FORMATS if "Tour" in one.holds and one.name != "npy")
GRAPH_FORMATS = tuple(
    one.name for one in FORMATS if "MoveGraph" in one.holds and one.name not in {"svg", "png"}
)

ALL = "all"  # what `--symmetry` without a name stands for, in `count`
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def _amount(context: click.Context, parameter: click.Parameter, text: str | None) -> int:
    del context
    if text is None:
        return machine_memory() // 2
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if not match:
        raise click.BadParameter(
            f"{text!r} is not an amount of memory, expected one like 500M or 4G.", param=parameter
        )
    return int(float(match[1]) * UNITS[match[2].upper()])


memory_option = click.option(
    "--memory",
    metavar="M",
    callback=_amount,
    help="Limit of the tables, like 500M or 4G (default: half of the machine's memory).",
)
piece_option = click.option(
    "--piece",
    metavar="P",
    help="knight (the default), camel, zebra, giraffe, antelope, a leaper like 1,4, a union like 1,2+1,3, "
    "or moves:1,2;2,1.",
)
without_option = click.option(
    "--without", metavar="CELLS", help="Take these cells out of the board, like d4,e5."
)


def problem_options(command: Command, *, board: bool = True) -> Command:
    """Add the argument and the options that say which tours are asked for; `board` if it has to be given.

    The command gets those of `cavalcade.question.constraints` as one argument, `constraints`.
    """

    @wraps(command)
    def gathered(**options: Any) -> Any:  # noqa: ANN401 - click's
        words = {word: options.pop(word, None) for word in ("with_", "avoid", "at", "symmetry", "moves")}
        return command(constraints=_constraints(words, options.pop("constraints_file")), **options)

    asked: Any = gathered
    for option in (
        click.option(
            "--constraints",
            "constraints_file",
            metavar="FILE",
            help="Read such constraints from FILE, one a line: with a1-b3, at 17=d5, symmetry half turn, …",
        ),
        click.option(
            "--moves",
            type=click.Choice(("counterclockwise", "clockwise")),
            help="Every move goes this way about the centre of the board.",
        ),
        click.option(
            "--symmetry",
            metavar="NAME",
            is_flag=False,
            flag_value=ALL,
            help="This symmetry of the board keeps the tour: half-turn, quarter-turn, horizontal, vertical, "
            "or another name that `count BOARD --symmetry` prints.",
        ),
        click.option(
            "--at",
            multiple=True,
            metavar="STEP=CELL",
            help="The cell of a step, from 1, like 17=d5. Can be repeated.",
        ),
        click.option("--avoid", multiple=True, metavar="MOVE", help="A move not to make. Can be repeated."),
        click.option(
            "--with",
            "with_",
            multiple=True,
            metavar="MOVE",
            help="A move to make, like a1-b3, in either direction. Can be repeated.",
        ),
        without_option,
        click.option("--to", "end", metavar="CELL", help="The last cell; for open tours only."),
        click.option("--from", "start", metavar="CELL", help="The first cell."),
        click.option("--open", "open_", is_flag=True, help="Open tours instead of closed ones."),
        piece_option,
        click.argument("board", required=board),
    ):
        asked = option(asked)
    return cast("Command", asked)


def _constraints(words: dict[str, Any], file: str | None) -> Constraints:
    """What the options ask for, and a file."""
    found: dict[str, Any] = {word: list(value) if isinstance(value, tuple) else value
                             for word, value in words.items() if value}  # fmt: skip
    if file is not None:
        from cavalcade.formats.constraints import parse_constraints

        for word, value in parse_constraints(read_text(file), called(file)).items():
            if isinstance(value, list):
                found.setdefault(word, []).extend(value)
            elif found.setdefault(word, value) != value:
                raise FormatError(f"{called(file)} asks for {word} {value}, and --{word} for {found[word]}")
    return cast("Constraints", found)


engine_option = click.option(
    "--engine",
    type=click.Choice(("template", "join", "local", "reasons", "sat", "sweep", "contract", "numbered")),
    help="Use one engine only: blocks with known tours, joined cycles, these and what is around those "
    "left, reasons why not, a SAT solver, a sweep over what is narrow, reasons after contraction, or, where "
    "cells are given at steps, every numbering.",
)


def _seconds(context: click.Context, parameter: click.Parameter, seconds: float | None) -> float | None:
    del context
    if seconds is not None and not (0 < seconds < math.inf):
        raise click.BadParameter(f"{seconds} is not a number of seconds above 0.", param=parameter)
    return seconds


def time_limit_option(default: int | str = "none") -> Callable[[Command], Command]:
    """The option that limits a search; `default` is what the engines take without it."""
    return click.option(
        "--time-limit",
        type=float,
        callback=_seconds,
        metavar="S",
        help=f"Give up after S seconds (default: {default}).",
    )


seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    show_default=True,
    help="Seed of the random choices; the same seed gives the same answer.",
)


def _not_standard(context: click.Context, parameter: click.Parameter, output: str | None) -> str | None:
    """The file, None for standard output."""
    del context, parameter
    return None if output == "-" else output


output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    callback=_not_standard,
    help="Write to this file, whole or not at all; its ending sets the format. - is standard output.",
)
beside_option = click.option(
    "--beside", is_flag=True, help="In text, put levels side by side, not one below another."
)


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`."""
    from cavalcade.formats.files import read_file

    if path != "-":
        return read_file(path)
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"standard input is not text: byte {error.start} is not UTF-8") from None
    if "\0" in text:
        raise FormatError("standard input is not text: there are zero bytes in it")
    return text


def typed_besides(kept: set[str]) -> list[str]:
    """The options of this command that were typed and are not among these names of parameters."""
    context = click.get_current_context()
    typed = click.core.ParameterSource.COMMANDLINE
    return [
        max(one.opts, key=len)
        for one in context.command.params
        if one.name and one.name not in kept and context.get_parameter_source(one.name) is typed
    ]


def is_file(text: str) -> bool:
    """Whether a BOARD names a file, or standard input."""
    from cavalcade.question.graph import is_path

    return text == "-" or is_path(text)


def read_board(text: str, without: str | None = None) -> Board | MoveGraph:
    """The board of a spec or a picture, or the graph of a file."""
    from cavalcade.boards.notation import parse_board, split_names
    from cavalcade.question.graph import MoveGraph

    if is_file(text):
        board = board_in(read_text(text), source=called(text), name=Path(text).stem)
    else:
        board = parse_board(text)
    if without is None:
        return board
    if isinstance(board, MoveGraph):
        raise BoardError(f"{board.title} is a graph: --without takes cells out of boards only")
    return board.without(split_names(without))


def read_piece(text: str | None, board: Board | MoveGraph) -> Piece:
    """The piece of a spec; the knight without one."""
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.pieces import KNIGHT, parse_piece

    if text is None:
        return KNIGHT
    if isinstance(board, MoveGraph):
        raise PieceError(f"{board.title} is a graph and has no piece: leave out --piece {text}")
    return parse_piece(text)


def graph_of(board: Board | MoveGraph, piece: Piece) -> MoveGraph:
    """The move graph of a board; a graph is its own."""
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.moves import move_graph

    return board if isinstance(board, MoveGraph) else move_graph(board, piece)


def read_tour(file: str, board: str | None, piece: str | None) -> Tour:
    """The tour in a file of any format; `board` and `piece` are needed if the file does not name them."""
    from cavalcade.formats import npy

    if npy.is_npy(file):
        return npy.read(file, board and read_board(board), piece)
    return parse_tour(read_text(file), file, board, piece)


def parse_tour(text: str, file: str, board: str | None, piece: str | None) -> Tour:
    """The tour in the text of a file."""
    from cavalcade.formats import parse

    return parse(text, board=board and read_board(board), piece=piece, source=called(file))


def called(file: str) -> str:
    """What errors call a file."""
    return "standard input" if file == "-" else file


def writable(output: str | None) -> None:
    """Refuse a file in a directory that does not exist, before the work and not after it."""
    if output is not None and not Path(output).parent.is_dir():
        raise FormatError(f"cannot write {output}: there is no directory {str(Path(output).parent)!r}")


def format_for(given: str | None, output: str | None, formats: tuple[str, ...] = TOUR_FORMATS) -> str:
    """The format asked for, or that of the file's ending, or text."""
    writable(output)
    if given is not None or output is None:
        return given or "text"
    format_ = format_of(output)
    if format_ not in {*formats, "npy"}:
        expected = f"expected {', '.join(formats)}, or --format"
        raise FormatError(f"the ending of {output!r} does not name a format, {expected}")
    return format_


def rendered(tour: Tour, format_: str, *, beside: bool = False, comment: bool = True) -> str | bytes:
    """A tour in a format; `comment` is the sentence about it."""
    options = {"beside": True} if beside and format_ == "text" else {}
    options |= {} if comment else {"header": False}
    from cavalcade.formats import rendered as written

    return written(tour, format_, **options)


def deliver(
    tour: Tour, format_: str, output: str | None, *, beside: bool = False, comment: bool = True
) -> None:
    """Show a tour, or write it to a file, which may be an array."""
    if format_ == "npy" and output is not None:
        from cavalcade.formats import npy

        npy.save(tour, output)
        return
    show(rendered(tour, format_, beside=beside, comment=comment), output)


def show(data: str | bytes, output: str | None = None) -> None:
    """Put an answer into a file, or on standard output."""
    if output is not None:
        from cavalcade.formats.files import write_file

        write_file(output, data)
        return
    if isinstance(data, bytes) and sys.stdout.isatty():
        raise FormatError("this format is not text and cannot be shown on a terminal, expected -o FILE")
    sys.stdout.flush()
    rest = memoryview(data.encode() if isinstance(data, str) else data)
    while rest:  # unbuffered (python -u), a write may stop in the middle
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.buffer.flush()


def log(message: str) -> None:
    """Write a line to standard error, apart from the answer; if that is shut, the answer is what counts."""
    with suppress(OSError):
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


@contextmanager
def progress(what: str) -> Iterator[ProgressCallback | None]:
    """A callback that draws how much is done, from 0 to 1, on standard error; None if not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=1)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def counting() -> Iterator[Callable[[Counted], None] | None]:
    """A callback that draws how far a count has come on standard error; None if not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("counting", total=None)

        def update(now: Counted) -> None:
            text = f"{now.taken} of {now.vertices} steps, {now.states:,} states, {now.bytes / 2**20:,.0f} MiB"
            if now.expected_bytes > 2**30:
                text += f" of about {now.expected_bytes / 2**30:,.1f} GiB"
            bar.update(task, total=now.vertices, completed=now.taken, description=text)

        yield update


@contextmanager
def undecided_if_too_large(instead: str = "") -> Iterator[None]:
    """End the command, undecided, where what it counts or lists gets too large; say what to do instead."""
    try:
        yield
    except TooLargeError as error:
        log(f"undecided: {error}{instead}")
        raise Exit(UNDECIDED) from None


def show_count(question: Question, found: Count | Distribution, **more: object) -> None:
    """Print what was asked and counted as JSON: the fields of the answer, and more."""
    asked = {"board": question.board.spec, "piece": question.piece.spec, "kind": question.kind}
    show(json.dumps({**asked, **dataclasses.asdict(found), **more}) + "\n")


def read_problem(
    board: str,
    piece: str | None,
    without: str | None,
    start: str | None,
    end: str | None,
    constraints: Constraints,
    *,
    open_: bool,
) -> Question:
    """The question that these options describe; the ends are those of open tours, or go with steps."""
    for option, cell in (("--from", start), ("--to", end)):
        if cell is not None and not open_ and not (option == "--from" and constraints.get("at")):
            raise click.UsageError(f"{option} {cell} needs --open: closed tours have no ends.")
    if constraints.get("symmetry") == ALL:
        raise click.UsageError("--symmetry needs a name here, like --symmetry half-turn.")
    from cavalcade.question.question import Question

    place = read_board(board, without)
    return Question.of(place, piece=read_piece(piece, place), open=open_, start=start, end=end, **constraints)

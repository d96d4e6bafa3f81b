"""The options that several commands share: each with its spelling, its type and its help, once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

import cavalcade
from cavalcade import formats
from cavalcade.ask import engines
from cavalcade.cli import completing
from cavalcade.cli.command import Spaced, option, refuse
from cavalcade.formats.files import called
from cavalcade.formats.table import PUZZLES, READ, names_of
from cavalcade.ground.errors import BoardError, FormatError

if TYPE_CHECKING:
    from cavalcade.boards import Board
    from cavalcade.question.constraints import Constraints
    from cavalcade.question.graph import BoardLike, MoveGraph

# find.warnsdorff needs numpy
TIES = ("first", "last", "random", "pohl", "lookahead", "roth", "squirrel-cull", "best-order")
ALL = "all"  # what `--symmetry` without a name means, in `count`


def _writable(context: click.Context, parameter: click.Parameter, file: str | None) -> str | None:
    """A file in a directory that exists, which is refused before the work and not after it."""
    del context, parameter
    if file is not None and not Path(file).parent.is_dir():
        raise FormatError(f"cannot write {file}: there is no directory {str(Path(file).parent)!r}")
    return file


def _file(context: click.Context, parameter: click.Parameter, output: str | None) -> str | None:
    """The file, None for standard output."""
    return _writable(context, parameter, None if output == "-" else output)


Cell = Annotated[str, option(metavar="CELL")]
Move = Annotated[str, option(metavar="MOVE")]
File = Annotated[str, option(metavar="FILE", shell_complete=completing.files)]
NewFile = Annotated[File, option(callback=_writable)]
Directory = Annotated[str, option(metavar="DIR", shell_complete=completing.directories)]
Natural = Annotated[int, option(type=click.IntRange(min=0), metavar="N")]
Positive = Annotated[int, option(type=click.IntRange(min=1), metavar="N")]
BoardSpec = Annotated[str, option(metavar="BOARD", kind=Spaced, shell_complete=completing.boards)]
BoardOf = Annotated[
    str,
    option(
        metavar="BOARD",
        shell_complete=completing.boards,
        help="The board of the tour; needed if the file does not name it.",
    ),
]
PieceSpec = Annotated[
    str,
    option(
        metavar="P",
        shell_complete=completing.pieces,
        help="knight (the default), camel, zebra, giraffe, antelope, a leaper such as 1,4, a union such as "
        "1,2+1,3, or moves:1,2;2,1.",
    ),
]
Open = Annotated[bool, option("--open/--closed", help="Open tours, or closed ones.")]
Without = Annotated[str, option(metavar="CELLS", help="Remove these cells from the board, such as d4,e5.")]
Seed = Annotated[
    Natural, option(help="Seed of the random choices; the same seed gives the same answer on any machine.")
]
Engine = Annotated[str, option(type=click.Choice(engines.NAMES), help="Use this engine only.")]
Ties = Annotated[
    str,
    option(type=click.Choice(TIES), help="Which cell to choose if several have equally few onward moves."),
]
TourFormat = Annotated[
    str,
    option(
        type=click.Choice(names_of("Tour")),
        help="Format of the tour (default: the ending of FILE sets it, otherwise text).",
    ),
]
PuzzleFormat = Annotated[
    str,
    option(
        type=click.Choice(names_of(*PUZZLES)),
        help="Text, a picture, or a page to print with the solution upside down (default: text).",
    ),
]
Output = Annotated[
    File,
    option(
        "-o",
        "--output",
        callback=_file,
        help="Write to FILE, atomically; its ending sets the format. - is standard output.",
    ),
]
Beside = Annotated[bool, option(help="In text, put levels side by side, not one below another.")]
Json = Annotated[bool, option(help="Print JSON: an object, or one per line.")]
OrJson = Annotated[bool, option(help="Print JSON: an object, or one per line. Excludes --format.")]
Verbose = Annotated[bool, option(help="Log to standard error what was tried and how long it took.")]
Pick = Annotated[
    Literal["found", "impossible", "undecided"],
    option(
        help="With a file of one graph per line: print the lines of the graphs with this answer. Excludes "
        "--json."
    ),
]


@dataclass(frozen=True)
class ConstraintOptions:
    """The options that constrain tours.

    Options:
        with_: A move to use, such as a1-b3, in either direction. Can be repeated.
        avoid: A move not to use. Can be repeated.
        at: The cell at a step, counted from 1, such as 17=d5. Can be repeated.
        symmetry: The tour must be symmetric under half-turn, quarter-turn, horizontal, vertical, or another
            name that `symmetries BOARD` prints.
        moves: Every move goes round the centre in this direction.
        coils: Such a closed tour goes round the centre this many times. Only with --moves.
        constraints: Read constraints from FILE, one per line: with a1-b3, at 17=d5, symmetry half
            turn, ...
    """

    with_: tuple[Move, ...] = ()
    avoid: tuple[Move, ...] = ()
    at: Annotated[tuple[str, ...], option(metavar="STEP=CELL")] = ()
    symmetry: Annotated[
        str | None,
        option(metavar="NAME", is_flag=False, flag_value=ALL, shell_complete=completing.symmetries),
    ] = None
    moves: Literal["counterclockwise", "clockwise"] | None = None
    coils: Positive | None = None
    constraints: File | None = None

    @property
    def printed_steps(self) -> list[int]:
        """The steps of `--at` without a cell, whose cells are to be printed."""
        steps = [one.strip() for one in self.at if "=" not in one]
        for step in steps:
            if not re.fullmatch("[0-9]{1,18}", step):
                raise click.UsageError(f"--at {step}: {step!r} is not a step: try 17 or 17=d5")
        return [int(step) for step in steps]

    @property
    def words(self) -> Constraints:
        """The constraints of the options and of the file, as keywords of the public functions."""
        from cavalcade.formats.constraints import parse_constraints

        fixed = [one for one in self.at if "=" in one]
        words: dict[str, Any] = {"with_": list(self.with_), "avoid": list(self.avoid), "at": fixed}
        words |= {"symmetry": None if self.symmetry == ALL else self.symmetry, "moves": self.moves}
        words |= {"coils": self.coils}
        found: dict[str, Any] = {word: value for word, value in words.items() if value}
        if (file := self.constraints) is not None:
            for word, value in parse_constraints(formats.read_file(file), called(file)).items():
                if isinstance(value, list):
                    found.setdefault(word, []).extend(value)
                elif found.setdefault(word, value) != value:
                    raise FormatError(
                        f"{called(file)} asks for {word} {value}, and --{word} for {found[word]}: drop one"
                    )
        return found  # type: ignore[return-value]


@dataclass(frozen=True)
class GraphOptions:
    """The options that say how the file of a graph is read.

    Options:
        input_format: Format of the graph in the file of BOARD (default: the one that it shows).
        directed: The edges of a graph go one way, where its file leaves that open: lists of edges, TGF,
            adjacency lists. What is counted is a tour and its reverse as two.
    """

    input_format: Annotated[str | None, option(type=click.Choice(READ), metavar="FORMAT")] = None
    directed: bool | None = None

    def parsed(self, text: str, file: str) -> Board | MoveGraph:
        """The board or graph in the text of this file."""
        about = {"source": called(file), "name": Path(file).stem}
        return formats.board_in(text, self.input_format, directed=self.directed, **about)

    def board(self, text: str, without: str | None = None, *, counted: bool = False) -> Board | MoveGraph:
        """The board or graph of a spec or a file, without some of its cells.

        Args:
            text: the spec or the file.
            without: the cells.
            counted: whether `--directed` is also about tours that are counted, so that any board may have it.
        """
        from cavalcade.boards.notation import split_names
        from cavalcade.question.graph import assert_directed, board_or_graph, is_path

        if is_path(text):
            board = self.parsed(formats.read_file(text), text)
        else:
            refuse("input_format", why="works only with a file, with a dot or a slash in its name")
            board = board_or_graph(text)
        if not counted:
            assert_directed(board, self.directed)
        if without is None:
            return board
        if board.plain:
            raise BoardError(f"{board.title} is a graph, and --without removes cells of boards: leave it out")
        return board.without(split_names(without))


@dataclass(frozen=True)
class QuestionOptions:
    """The options that make a question: which tours of which board.

    Options:
        from_: The first cell.
        to: The last cell. Only with --open.
    """

    board: BoardSpec
    piece: PieceSpec | None = None
    open_: Open = False
    from_: Cell | None = None
    to: Cell | None = None
    without: Without | None = None
    constrained: ConstraintOptions = ConstraintOptions()
    reading: GraphOptions = GraphOptions()

    def question(self, *, counted: bool = False, begun: bool = False) -> cavalcade.Question:
        """The question itself.

        Args:
            counted: whether tours are counted: `--symmetry` may stand without a name, `--directed` with any
                board.
            begun: whether `--from` may say where to begin a closed tour.
        """
        steps = self.constrained.words.get("at")
        if self.from_ is not None and not (self.open_ or begun or steps):
            raise click.UsageError(f"--from {self.from_} works only with --open: add it")
        if self.constrained.symmetry == ALL and not counted:
            raise click.UsageError("--symmetry expects a name: try --symmetry half-turn")
        if unmet := [one for one in self.constrained.at if "=" not in one and not begun]:
            raise click.UsageError(f"--at {unmet[0]} has no cell: try --at 17=d5")
        return self.of(self.reading.board(self.board, self.without, counted=counted))

    def of(self, place: BoardLike) -> cavalcade.Question:
        """The same question of a board, or a graph."""
        return cavalcade.Question.of(
            place,
            piece=self.piece,
            open=self.open_,
            start=self.from_,
            end=self.to,
            **self.constrained.words,
        )

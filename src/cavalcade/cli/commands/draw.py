"""`cavalcade draw`: a picture of a tour, of an empty board, of a proof, or of a column of measures."""

from __future__ import annotations

import csv
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from cavalcade import formats
from cavalcade.cli.command import option, refuse, refuse_all_but, typed_options, verb
from cavalcade.cli.misplaced import kind_of
from cavalcade.cli.options import BoardOf, BoardSpec, GraphOptions, Json, PieceSpec
from cavalcade.cli.pictures import OF_TOURS, OPTIONS_OF_CLASSES, PICTURES
from cavalcade.cli.writing import Written, log, show, show_json, unclaimed
from cavalcade.formats.files import called
from cavalcade.formats.table import BY_NAME, STILL, format_of
from cavalcade.ground.errors import CavalcadeError, FormatError

OF_HISTOGRAMS = ("histogram", "sample", "output", "format_", "size")
# what is drawn, for --json
NAMES = {"Tour": "tour", "Certificate": "proof", "Puzzle": "puzzle", "Board": "board", "MoveGraph": "board"}


@dataclass(frozen=True)
class DrawOptions(Written):
    """The options that set the format and the file of the picture.

    Options:
        format_: Format of the picture (default: the ending of FILE sets it, otherwise svg).
    """

    format_: Annotated[str | None, option(choices=PICTURES)] = None
    json_: Json = False
    kinds = ("Picture",)
    usual = "svg"
    json_beside = True

    def __post_init__(self) -> None:
        from cavalcade.question.graph import is_path

        what = click.get_current_context().params["what"]
        if not is_path(what) and "://" not in what and "#" not in what:
            typed = typed_options()
            of_boards = {*OPTIONS_OF_CLASSES["Board"][1]} - {"style" if self.looks.style == "lines" else ""}
            for name, parameter in typed.items():
                if name in {*OF_TOURS, "piece"} - of_boards:
                    words = (word.as_typed for key, word in typed.items() if key not in {"output", "quiet"})
                    line = f"cavalcade tour {what} {' '.join(words)} -o {self.output or 'tour.svg'}"
                    what_is = f"{parameter.as_typed} works only with a tour, not with a board"
                    raise click.UsageError(f"{what_is}: try {line}")
        super().__post_init__()

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names of the classes of which a picture may be written."""
        return (*self.kinds, *NAMES)


@verb()
def command(
    what: Annotated[BoardSpec, option(metavar="FILE|BOARD|LINK", help="")],
    *,
    reading: GraphOptions,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    histogram: Annotated[str | None, option(metavar="COLUMN")] = None,
    sample: Annotated[bool, option(needs=["--histogram"])] = False,
    empty: bool = False,
    written: DrawOptions,
) -> None:
    """Draw the tour, the proof or the puzzle in FILE, an empty BOARD, or what a LINK of the studio shows.

    The picture is a file, .svg, .png, .gif, .pdf or .tex, or SVG on standard output, unless that is a
    terminal.

    With --histogram, FILE is a CSV table with titles, as `list --measure` and `sample --measure` write it; on
    a terminal the bars are text.

    Options:
        histogram: Draw how often each value of this column of FILE occurs; FILE is a table of `--measure`.
        empty: Draw the board alone, without the tour or the proof in FILE, and without a remark.
        sample: FILE is a sample, so the bars and the mean have errors.
    """
    from cavalcade.question.graph import is_path

    if histogram is not None:
        refuse_all_but(*OF_HISTOGRAMS, why="cannot be combined with --histogram")
        _histogram(what, histogram, written, sample=sample)
        return
    seen = _seen(what, reading, board, piece)
    if empty:
        seen = getattr(seen, "board", seen)
    output, kind = written.output, written.format
    if output is None and sys.stdout.isatty() and not written.json_:
        stem = Path(what).stem.replace(":", "")
        raise FormatError(f"a picture cannot be shown on a terminal: add -o {stem}.svg")
    name = type(seen).__name__
    if NAMES[name] == "board":
        refuse("board", "piece", why=f"works only with a tour or a proof, and {what} is an empty board")
    written.looks.assert_class(name)
    if name not in BY_NAME[kind].holds:
        raise FormatError(f"only tours move: {what} cannot be drawn as {kind}")
    if not written.json_ or output is not None:
        written.show(seen)
    if name == "Board" and not (empty or is_path(what) or "per_page" in typed_options()):
        log(f"an empty board (--empty); with a tour: cavalcade tour {what} -o {output or 'tour.svg'}")
    if written.json_:
        about = {"what": what, "holds": NAMES[name], "format": kind, "output": output}
        if output is None and isinstance(
            data := formats.rendered(seen, kind, **written.looks.keywords(name, kind)), str
        ):
            about["picture"] = data
        show_json(about)


def _seen(what: str, reading: GraphOptions, board: str | None, piece: str | None) -> formats.Thing:
    """Read the tour in a file, the proof in a file, which must be right, or the board of a spec or a file."""
    from cavalcade.answers.certificate import is_certificate
    from cavalcade.checking.certificates import verify
    from cavalcade.formats import link
    from cavalcade.formats.npy import is_npy
    from cavalcade.formats.recognizing import is_puzzle
    from cavalcade.question.graph import is_path

    if link.is_link(what):
        question, tour = link.read(what)
        return question.board if tour is None else tour
    if not is_path(what):
        return reading.board(what)
    if is_npy(what):
        return unclaimed(formats.read(what, board=board, piece=piece))
    text = formats.read_file(what)
    if is_certificate(text):
        certificate = formats.read_certificate(text, board=board, piece=piece)
        if not (checked := verify(certificate)):  # the picture states the claim
            raise FormatError(f"{what} cannot be drawn: {checked.message}")
        return certificate
    if is_puzzle(text):
        return formats.read_puzzle(what, board=board, piece=piece)
    ending = BY_NAME.get(format_of(what))
    graph = reading != GraphOptions() or (ending is not None and ending.reads == ("MoveGraph",))
    if graph or formats.is_picture(text):
        return reading.board(what, place=reading.parsed(text))
    try:
        return unclaimed(formats.read(text, board=board, piece=piece))
    except FormatError:
        if kind_of(what) == "a puzzle":  # without a header
            return formats.read_puzzle(what, board=board, piece=piece)
        with suppress(CavalcadeError):
            if board is None:
                return reading.parsed(text)
        raise


def _histogram(file: str, column: str, written: DrawOptions, *, sample: bool) -> None:
    """Draw a column of a table with titles; the only option of a picture is its size."""
    from cavalcade.draw.charts import histogram, histogram_picture, text_bars

    source = called(file)
    try:
        titles, *rows = list(csv.reader(formats.read_file(file).splitlines())) or [[]]
    except csv.Error as error:
        raise FormatError(f"{source} cannot be split into values: {error}") from None
    if column not in titles:
        raise FormatError(f"{source} has no column {column!r}, expected one of {', '.join(titles)[:300]}")
    for number, row in enumerate(rows, 2):
        if len(row) != len(titles):
            message = f"{len(row)} values, expected {len(titles)}, one per title"
            raise FormatError(f"{source}, line {number}: {message}")
    values = [_value(row[titles.index(column)]) for row in rows]
    if written.output is None and sys.stdout.isatty():
        show(text_bars(values, column, sample=sample))
    elif written.format == "svg" and written.looks.size is None:
        show(histogram(values, column, sample=sample), written.output)
    elif written.format in STILL:
        written.show(histogram_picture(values, column, sample=sample))
    else:
        raise FormatError(f"histograms do not move: {source} cannot be drawn as {written.format}")


def _value(text: str) -> int | float | str:
    """Convert text to a number if possible."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text

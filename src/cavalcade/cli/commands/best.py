"""`cavalcade best`: what comes closest to a tour."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import NewFile, OptionalCells, QuestionOptions, Seed, free_cells
from cavalcade.cli.writing import TourOptions, fail, log, show, show_json
from cavalcade.formats.table import SHEETS
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from decimal import Decimal

    from cavalcade.ask.best import Wanted


@dataclass(frozen=True)
class What:
    """What is wanted, exactly one of these.

    Options:
        longest: Find the longest walk that visits no cell twice.
        fewest_paths: Find the fewest paths that together visit every cell once.
        fewest_removed: Find the fewest cells to remove, so that the rest of the board has a tour.
        fewest_revisits: Find a walk that visits all cells, with the fewest visits to visited cells.
    """

    longest: bool = False
    fewest_paths: bool = False
    fewest_removed: bool = False
    fewest_revisits: bool = False

    @property
    def wanted(self) -> Wanted:
        """The only option that was typed.

        Raises:
            CavalcadeError: none was, or several were.
        """
        chosen: dict[Wanted, bool] = {
            "longest": self.longest,
            "fewest paths": self.fewest_paths,
            "fewest removed": self.fewest_removed,
            "fewest revisits": self.fewest_revisits,
        }
        typed = [what for what, is_typed in chosen.items() if is_typed]
        if len(typed) != 1:
            names = "--longest, --fewest-paths, --fewest-removed or --fewest-revisits"
            raise click.UsageError(f"{len(typed)} options say what is best: add one of {names}")
        return typed[0]


@verb(time_limit="60")
def command(
    options: QuestionOptions,
    what: What,
    written: TourOptions,
    *,
    weighted: Annotated[bool, option(needs=["--longest"])] = False,
    proof: Annotated[NewFile | None, option("--proof", metavar="FILE")] = None,
    optional: Annotated[OptionalCells | None, option(needs=["--longest", "--fewest-removed"])] = None,
    seed: Seed = 0,
    time_limit: float | None = None,
) -> int:
    """Find what comes closest to a tour of BOARD: a long walk, few paths, few removed cells, few revisits.

    Walks are closed, or open with --open; paths are always open. Standard error gives the number and the
    proven bound. Exit codes: 0 found, 1 there is no such walk, 2 bad input, 3 undecided.

    Options:
        proof: Write the walks and the proof of the bound to FILE, for `cavalcade check`.
        optional: The only cells that may be left out or removed, such as c3,d4 (default: `all`).
        weighted: Measure the walk by the weights in the file of BOARD, instead of by its number of moves.
    """
    if written.output and written.output.lower().endswith(".proof"):
        raise CavalcadeError(f"-o writes the walk: for the proof of its bound try --proof {written.output}")
    weights = None
    if weighted:
        if options.board != "-" and not Path(options.board).exists():
            raise CavalcadeError(f"--weighted reads weights from a file, and {options.board!r} is none")
        place, weights = options.reading.weighted(options.board)
        question = options.of(place, complete=False)
    else:
        question = options.question(complete=False)
    if what.wanted == "fewest paths" and written.format not in {"text", "csv", "json", *SHEETS}:
        raise CavalcadeError(
            f"cannot write several paths as {written.format}. Pictures: .svg .png .pdf. Data: .txt .csv .json"
        )
    best = cavalcade.best(
        question,
        what.wanted,
        weights=weights,
        optional=free_cells(optional),
        seed=seed,
        time_limit=time_limit,
    )
    if not isinstance(best, cavalcade.BestWalks):
        return fail(best.status, best.reason)
    _write(best, question, written)
    if proof is not None:
        from cavalcade.ask import best_files

        show(best_files.write(best), proof)
    log(_sentence(best, question))
    return ExitCode.FOUND


def _write(best: cavalcade.BestWalks, question: cavalcade.Question, written: TourOptions) -> None:
    """Write the walk, or the paths."""
    from cavalcade.ask import best_files

    about: dict[str, Any] = {"status": "found", "what": best.what}
    about |= {"value": _number(best.value), "bound": _number(best.bound), "exact": best.exact}
    about |= {"left_out": best.left_out, "verification": best.verification}
    about["proof"] = best_files.rows_of_cases(best)
    if best.what == "fewest paths" and (written.json_ or written.format == "json"):
        subject = json.loads(cavalcade.write(best.walk, "json"))
        about |= {name: subject[name] for name in ("board", "piece", "kind", "digest") if name in subject}
        show_json(about | {"paths": [path.names for path in best.walks]}, written.output)
    elif best.what == "fewest paths" and written.format == "csv":
        rows = [(i, k, cell) for i, path in enumerate(best.walks, 1) for k, cell in enumerate(path.names, 1)]
        lines = io.StringIO(newline="")
        csv.writer(lines, lineterminator="\n").writerows([("path", "step", "cell"), *rows])
        show(lines.getvalue(), written.output)
    elif best.what == "fewest paths" and written.format == "text":
        show("\n".join(map(cavalcade.write, best.walks)), written.output)
    elif best.what == "fewest revisits" and written.format == "text":
        kind = "closed" if best.walk.closed else "open"
        board, steps = question.board, f"{len(best.walk):,} of {question.board.size:,} cells"
        head = f"; {kind} walk of {board.title}, {steps}, piece {question.piece.spec}\n"
        show(head * (not board.plain) + " ".join(best.walk) + "\n", written.output)
    else:
        written.show([*best.walks] if len(best.walks) > 1 else best.walk, about)


def _number(value: Decimal | int) -> int | str:
    """Return a number for JSON; a weight is text, so that no digit is lost."""
    return value if isinstance(value, int) else str(value)


def _sentence(best: cavalcade.BestWalks, question: cavalcade.Question) -> str:
    """Return the number, and whether it is the best, in words."""
    title, value, bound, how = question.board.title, best.value, best.bound, best.verification
    visited, size = len(best.walk), question.board.size
    plural = "s" * (value != 1)
    if best.what == "longest":
        measure = "moves" if isinstance(value, int) else "weight"
        number = f"{measure} {value}: a walk through {visited:,} of {size:,} cells"
        proved = f"no {best.walk.kind} walk of {title} has more"
        unproved = f"none has more than {bound}"
    elif best.what == "fewest paths":
        number = f"{value:,} path{plural}"
        proved, unproved = f"fewer do not cover {title}", f"every cover of {title} has at least {bound:,}"
    elif best.what == "fewest removed":
        cells = ", ".join(best.left_out) or "none"
        number = f"{value:,} removed cell{plural} ({cells})"
        proved = f"with fewer removed cells {title} has no {best.walk.kind} tour"
        unproved = f"at least {bound:,} must be removed from {title}"
    else:
        number = f"{value:,} revisit{plural}: a walk of {visited - (not best.walk.closed):,} moves"
        proved = f"no {best.walk.kind} walk through all cells of {title} has fewer"
        unproved = f"every walk has at least {bound:,}"
    return f"{number}; {proved if best.exact else f'{unproved}, which need not be the best bound'}, {how}"

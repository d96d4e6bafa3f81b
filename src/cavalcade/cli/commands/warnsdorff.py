"""`cavalcade warnsdorff`: the rule, from one start or from all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import click

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, refuse, refuse_by_format, verb
from cavalcade.cli.options import BoardSpec, Cell, File, GraphOptions, PieceSpec, Seed, Ties, question_of
from cavalcade.cli.writing import TourOptions, log, show, tracked
from cavalcade.formats.table import STILL

SHEETS = ("text", "json", *STILL)
ALTERNATIVE = "save this walk with -o walk.txt, and cavalcade continue walk.txt finds its wrong turn"
STUCK = "--explain finds the wrong turn, --all tries all starts, cavalcade continue completes a saved walk"
PRINTED = "--as-printed walks as the papers' programs do, and gets stuck from other squares"


@verb()
def command(
    board: BoardSpec,
    *,
    piece: PieceSpec | None = None,
    from_: Cell | None = None,
    all_: Annotated[bool, option(excludes=["--from", "--beside"])] = False,
    ties: Ties = "first",
    order: Annotated[str | None, option(metavar="N,N,...")] = None,
    count_start: bool | None = None,
    repair: bool = False,
    degrees: Annotated[File | None, option(metavar="FILE|paper")] = None,
    as_printed: Annotated[bool, option(excludes=["--order", "--count-start"])] = False,
    program: Annotated[
        Literal["solution3"] | None, option(excludes=["--as-printed", "--count-start", "--piece"])
    ] = None,
    fix: Annotated[str | None, option(metavar="N,N,...|all", needs=["--program"])] = None,
    fit: Annotated[
        int | None, option(metavar="N", needs=["--as-printed", "--program"], excludes=["--order"])
    ] = None,
    explain: bool = False,
    seed: Seed = 0,
    reading: GraphOptions,
    written: TourOptions,
) -> int:
    """Walk over BOARD by Warnsdorff's rule: always to the free cell with the fewest free onward moves.

    Prints the walk, whole or partial. With --all it prints how many starts succeed, and where the others got
    stuck; with --all and a format, text or json print every walk, and svg, png, pdf or tikz draw a sheet of
    small boards. Exit codes: 0 the walk is a tour, 2 bad input, 3 it got stuck.

    Options:
        from_: Start here (default: the first cell, a8 on 8x8).
        all_: Start at every cell, and list the starts whose walks get stuck.
        order: Try the moves in this order, such as 87654321 or, from ten moves on, 12,11,10,... (default:
            1, 2, 3, ...). They are numbered by rows, then by columns: on a flat board the knight's move 1
            is two rows up and one column left, 8 two rows down and one column right. With --program: the
            level differences of the jumps, such as 1,-1,2,-2.
        count_start: Whether the start reduces the onward moves of its neighbours, as every later cell
            does (default: it does; in the papers' programs it does not).
        repair: If a walk gets stuck, undo the fewest possible steps and continue with ties by last, or first.
        degrees: Start with these numbers of moves instead of the true numbers: a table as `cavalcade degrees`
            writes it, or the table of the paper of 2019 for at least four boards.
        as_printed: Walk as the papers' programs do: on a flat board with --no-count-start and ties first or
            last, on three levels and more by Solution #3, reconstructed from the printed walks.
        explain: If a walk gets stuck, find the last step from which a tour was possible, whether the next
            step was a tie, and which moves lead to a tour. A picture (svg, png, pdf, tikz) marks them, in a
            gif after the last good step; with --all it shows the walks that got stuck.
        program: Walk over a stack of three boards or more by Solution #3 of the paper of 2019, reconstructed
            from the printed walks. It ends where it is stuck, and its steps need not be knight's moves.
        fix: Fix these mistakes of the program: 1 the stale level, 2 one away for two, 3 nothing on board 4,
            4 one table of degrees for all boards. With all of them fixed it tours four boards of 8x8 from
            every square.
        fit: On a stack: the Nth program that fits the printed walks, of 16 or, on four boards, 2.
    """
    has_format = written.json_ or written.format_ or written.output
    if has_format:  # without a format, --all prints a summary
        refuse_by_format(written.format, {SHEETS: ("all_",)})
    if all_ and written.format in STILL:
        written.looks.assert_class("Picture")
    from cavalcade.find.warnsdorff import preference, walks
    from cavalcade.formats.integers import read_numbers
    from cavalcade.papers.solution3 import reconstructed
    from cavalcade.papers.stacks import paper_degrees
    from cavalcade.question.moves import graph_of

    question = question_of(reading.board(board), piece=piece)
    place, graph = question.board, graph_of(question.board, question.piece, None if program else order)
    starts = list(range(graph.size)) if all_ else [0 if from_ is None else place.cell(from_)]
    of_moves = f", moves in the order {order}" if order else ""
    of_start = ", the start not counted" * (count_start is False)
    numbers, counted = None, count_start is not False and not as_printed
    title = f"ties by {ties}{of_moves}{of_start}{', repaired' if repair else ''}"
    is_stack = not place.plain and place.is_box and place.dimensions == 3 and not place.holes
    if program and not is_stack:
        raise click.UsageError(f"--program solution3 walks over a stack such as 4x8x8, not {place.title}")
    if is_stack and (program or as_printed):
        refuse("ties", "repair", "piece", why="cannot be combined with Solution #3")
        if explain:
            raise click.UsageError(f"--explain works on walks by Warnsdorff's rule: {ALTERNATIVE}")
        if as_printed:
            refuse("degrees", why="cannot be combined with --as-printed on a stack")
        fixes = _fixes(fix)
        title = f"Solution #3{', fixed: ' * bool(fixes)}{', '.join(map(str, sorted(fixes)))}"
        table = read_numbers(degrees, place) if degrees not in {None, "paper"} else None
        if degrees is not None and 4 in fixes:
            raise click.UsageError(
                "--fix 4 corrects the table of degrees: it cannot be combined with --degrees"
            )
        paths, note = reconstructed(place, starts, fit, fixes=fixes, order=_differences(order), degrees=table)
        if as_printed:
            title = "as printed"
        log(note)
    else:
        refuse("fit", why="works only on a stack of boards such as 3x8x8")
        if as_printed:
            _assert_printed(question, ties)
        if degrees is not None:
            numbers = paper_degrees(place) if degrees == "paper" else read_numbers(degrees, place)
        paths = walks(
            graph,
            starts,
            repair=repair,
            preference=preference(place, graph, ties, question.piece),
            ties=ties,
            degrees=numbers,
            count_start=counted,
            seed=seed,
        )
    tours = (
        cavalcade.Tour(
            place,
            path,
            closed=len(path) == graph.size > 2 and path[0] in graph.neighbours(path[-1]),
            piece=question.piece,
        )
        for path in paths
    )

    def explained(walk: cavalcade.Tour) -> cavalcade.WrongTurn:
        return cavalcade.wrong_turn(walk, open=True, degrees=numbers, count_start=counted, seed=seed)

    if all_:
        why = explained if explain else None
        return _all(f"{place.title}, {title}", tours, graph.size, written if has_format else None, why)
    walk = next(tours)
    turn = explained(walk) if explain else None
    checked = cavalcade.check(walk)
    walk = replace(walk, claimed=bool(checked))
    if turn is None:
        written.show(walk)
    elif written.format in {*STILL, "gif"} and turn.choices:
        written.show(turn)
    else:
        written.show(walk, {"wrong_turn": turn.to_dict()})
    if checked:
        if explain:
            printed = "" if as_printed or place.plain or place.dimensions != 2 else f"; {PRINTED}"
            log(f"no step was wrong: the walk is a tour{printed}")
        return ExitCode.FOUND
    where = f"on {place.name(walk.end)} after {len(walk):,} of {place.size:,} cells"
    if is_stack and (program or as_printed):
        stuck = f"is stuck {where}" if len(walk) < place.size else "fills the boards, but it is no tour"
        log(f"the reconstructed program {stuck}: {checked.message}")
    else:
        unrepaired = ", and no repair helps" * repair
        log(f"Warnsdorff's rule, ties by {ties}, is stuck {where}{unrepaired}")
        log(STUCK if turn is None else str(turn))
    return ExitCode.UNDECIDED


def _fixes(fix: str | None) -> frozenset[int]:
    """Return the numbers of the mistakes to fix in Solution #3."""
    from cavalcade.papers.solution3 import MISTAKES, UNFIXED

    if fix is None:
        return UNFIXED
    words = [*map(str, MISTAKES)] if fix == "all" else fix.split(",")
    if unknown := [word for word in words if word not in map(str, MISTAKES)]:
        listed = "; ".join(f"{number} {name}" for number, name in MISTAKES.items())
        raise click.UsageError(f"{unknown[0]!r} is no mistake of the program: they are {listed}")
    return frozenset(map(int, words))


def _differences(order: str | None) -> list[int]:
    """Return the level differences of the jumps in an order such as 1,-1,2,-2; empty for no order."""
    if order is None:
        return []
    try:
        return [int(word) for word in order.split(",")]
    except ValueError:
        raise click.UsageError(
            f"{order!r} is not an order of the jumps of Solution #3: try 1,-1,2,-2"
        ) from None


def _assert_printed(question: cavalcade.Question, ties: str) -> None:
    """Refuse --as-printed if the papers have no such program; else log where the program is printed."""
    board, piece = question.board, question.piece
    flat = not board.plain and board.is_rectangle and not board.holes
    if not flat or piece != cavalcade.KNIGHT or ties not in {"first", "last"}:
        raise click.UsageError(
            "--as-printed is the papers' program for one board: it needs a rectangle such as 8x8, the knight "
            f"and --ties first or last, not {board.title}, {piece.spec} and {ties}; for stacks, try 3x8x8"
        )
    for_ = "" if board.shape == (8, 8) else " for 8x8"
    where = f"Gerlach 2015 (Completing the tour) and 2019 (%ktour){for_}"
    log(f"as printed in {where}, " + ("with LT" if ties == "first" else "with LE for LT"))


def _all(
    title: str,
    walks: Iterator[cavalcade.Tour],
    starts: int,
    written: TourOptions | None,
    explained: Callable[[cavalcade.Tour], cavalcade.WrongTurn] | None,
) -> int:
    """Write every walk, or a summary; after an interrupt or a limit, the finished walks.

    Args:
        title: the board and the rule.
        walks: the walks.
        starts: number of starts, which is the number of cells.
        written: format and file of the walks; None for a summary.
        explained: returns the wrong turn of a walk; None if it is not wanted.
    """
    turns: list[cavalcade.WrongTurn] = []
    done: list[cavalcade.Tour] = []
    failures: list[str] = []
    closed, count, full, stuck, code = 0, 0, 0, 0, ExitCode.FOUND
    try:
        for walk in tracked(walks, "walking", starts):
            checked = cavalcade.check(walk)
            if written:
                done.append(replace(walk, claimed=bool(checked)))
            count += 1
            closed += bool(checked) and walk.closed
            full += len(walk) == starts
            if not checked:
                stuck += 1
                begin, end = walk.board.name(walk.start), walk.board.name(walk.end)
                how = f"gets stuck on {end} after {len(walk):,} of {starts:,} cells"
                if len(walk) == starts:
                    how = f"fills the board, but {checked.message}"
                failures.append(f"{begin} {how}")
                if explained is not None:
                    turns.append(explained(walk))
                    failures.append(f"    {turns[-1]}")
    except (TimeoutError, KeyboardInterrupt) as error:
        code = ExitCode.UNDECIDED if isinstance(error, TimeoutError) else ExitCode.INTERRUPTED
        log(f"{code.name.lower()} after {count:,} of {starts:,} starts")
    good = count - stuck
    rate = f", {100 * good / count:.1f} %" if count else ""
    filled = f"; {full:,} fill the board" if full > good else ""
    head = f"{title}: {good:,} of {count:,} starts succeed{rate}{filled}; {closed:,} of the tours are closed"
    if turns:
        failures.append(_summary(turns))
    if not (written and done):
        show("".join(f"{line}\n" for line in [head, *failures]))
        return code
    log("\n".join([head, *failures] if turns else [head]))
    if turns and written.format in STILL:
        from cavalcade.draw.wrong_turn import wrong_turns_picture

        written.show(wrong_turns_picture(turns))
    elif turns and written.format == "json":
        about = {turn.walk: {"wrong_turn": turn.to_dict()} for turn in turns}
        lines = [json.dumps(json.loads(cavalcade.write(walk, "json")) | about.get(walk, {})) for walk in done]
        show("".join(f"{line}\n" for line in lines), written.output)
    elif written.format in STILL:
        from cavalcade.draw.sheet import walks_picture

        written.show(walks_picture(done))
    else:
        between = "\n" if written.format == "text" else ""
        show(between.join(cavalcade.write(walk, written.format) for walk in done), written.output)
    return code


def _summary(turns: Sequence[cavalcade.WrongTurn]) -> str:
    """Return in words how many wrong turns were ties, and how many other tied cells save a tour."""
    from_start = [turn for turn in turns if turn.choices]
    ties = [turn for turn in from_start if turn.is_tie]
    saved = sum(not {*turn.tied}.isdisjoint(turn.saving) for turn in ties)
    impossible = len(turns) - len(from_start)
    unexplained = f"; {impossible:,} walks have no such step" * (impossible > 0)
    return (
        f"of {len(from_start):,} wrong turns {len(ties):,} are ties, and in {saved:,} of these another tied "
        f"cell leads to a tour{unexplained}"
    )

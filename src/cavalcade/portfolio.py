"""The ladder: which engine is asked, in what order, and for how long.

    template   knights on boards of 5,000 cells or more without holes, unless both ends are given
    join       one quick try, or as many as fit into 20 ms
    reasons    forced moves, tight sets, cuts, and a few cases: a proof that people can read
    sat        SAT with cut sets, for a second: a tour, or a proof that machines can check
    join       with restarts, for a quarter of the time
    sat        again, for half of it
    cases      reasons again, with as many cases as it takes
    join       until the time is up

The first answer counts. `prove` asks for reasons before any search, without any cases. Here a board
becomes a move graph, an open tour a closed one of a larger graph, and an engine's answer, checked, one about
the board again: a tour by `checker`, a proof by `proofs.verify`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import Certificate, SatProof, StepProof
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Effort, Found, Impossible, Undecided, Verdict
from cavalcade.boards import SURFACES
from cavalcade.boards.notation import parse_board
from cavalcade.checking.tours import check
from cavalcade.errors import CellError
from cavalcade.find.join import join
from cavalcade.graph import MoveGraph, move_graph, with_ends
from cavalcade.memory import assert_room
from cavalcade.pieces import KNIGHT, Piece, parse_piece

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cavalcade.answers.certificate import Proof
    from cavalcade.boards import Board
    from cavalcade.checking.tours import Checked

    Answer = Verdict | Proof | NDArray[np.int32] | None  # arrays are the closed tours of a graph with ends

LARGE = 5_000  # cells from which a template is faster than join, its imports included
QUICK = 0.02  # seconds of the first try
SHORT = 1.0  # seconds of the first look of the solver, which settles what is small and odd
SWEPT = 2_000_000  # cells from which a sweep checks faster, its kernels included
BYTES = 30  # for each cell of a large tour while it is checked
CASES = 60  # the cases that a proof may distinguish before others are asked
MOST_CASES = 200_000


def tour(
    board: Board | MoveGraph | str,
    *,
    piece: Piece | str | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    construct: bool = False,
    style: str = "plain",
) -> Verdict:
    """A tour of a board, checked before it is returned, or a proof that there is none, checked as well.

    Args:
        board: a board, its spec, or a move graph (which knows no piece).
        piece: a piece or its spec; the knight, if not given.
        open: whether an open tour will do.
        start: the first cell, by name or number.
        end: the last cell of an open tour.
        seed: what random choices begin with.
        time_limit: seconds; ten, if not given. An engine that has begun a try ends it.
        construct: by template and by nothing else, however small the board; see `cavalcade.construct` for
            tours that are too large to be held.
        style: of a tour by template: `plain` or `random`.

    Raises:
        CavalcadeError: a spec, name or number that means nothing, ends that contradict each other, a
            board too large for this machine.

    Time: milliseconds for boards of a thousand cells, about a second for a million.
    """
    climb = _Climb.of(board, piece, open, start, end, seed, 10.0 if time_limit is None else time_limit)
    return replace(climb, style=style).up(construct=construct)


def prove(
    board: Board | MoveGraph | str,
    *,
    piece: Piece | str | None = None,
    open: bool = False,  # noqa: A002 - as above
    start: int | str | None = None,
    end: int | str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
) -> Verdict:
    """A proof that a board has no tour, or the tour that it has after all. Either is checked.

    The arguments are those of `tour`, but the time limit is a minute if not given, and a reason why there is
    no tour is looked for first.

    Raises:
        CavalcadeError: as `tour`.

    Time: milliseconds where the moves, the colours or a tight set decide, as on 4 x n, at any size.
    """
    climb = _Climb.of(board, piece, open, start, end, seed, 60.0 if time_limit is None else time_limit)
    return climb.up(reasons_first=True)


@dataclass
class _Climb:
    """One question on its way up the ladder."""

    board: Board | MoveGraph
    piece: Piece
    closed: bool
    start: int | None
    end: int | None
    seed: int
    limit: float
    style: str = "plain"
    began: float = field(default_factory=time.perf_counter)
    effort: list[Effort] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        board: Board | MoveGraph | str,
        piece: Piece | str | None,
        open_: bool,  # noqa: FBT001 - it is the caller's keyword
        start: int | str | None,
        end: int | str | None,
        seed: int,
        limit: float,
    ) -> _Climb:
        """The question, with its specs read and its ends looked at."""
        board = parse_board(board) if isinstance(board, str) else board
        piece = parse_piece(piece) if isinstance(piece, str) else piece or KNIGHT
        first, last = (None if cell is None else _cell(board, cell) for cell in (start, end))
        if not open_ and last is not None:
            raise CellError("a closed tour has no end; ask for an open one")
        if first is not None and first == last and board.size > 1:
            raise CellError(f"an open tour cannot begin and end on the same cell, {board.name(first)}")
        return cls(board, piece, not open_, first, last, seed, limit)

    @cached_property
    def graph(self) -> MoveGraph:
        """The moves. Templates do without."""
        return self.board if isinstance(self.board, MoveGraph) else move_graph(self.board, self.piece)

    @cached_property
    def ring(self) -> MoveGraph:
        """The same with one or two more vertices, such that an open tour becomes a closed one."""
        return self.graph if self.closed else with_ends(self.graph, self.start, self.end)

    def up(self, *, reasons_first: bool = False, construct: bool = False) -> Verdict:
        """Ask one rung after the other."""
        rungs: list[tuple[str, Callable[[], Answer]]] = [
            ("join", lambda: self.join(min(QUICK, self.limit))),
            ("reasons", lambda: self.reasons(CASES, 0.2)),
            ("sat", lambda: self.sat(SHORT)),
            ("join", lambda: self.join(0.25 * self.left)),
            ("sat", lambda: self.sat(0.5 * self.left)),
            ("cases", lambda: self.reasons(MOST_CASES, 0.5)),
            ("join", lambda: self.join(self.left)),
        ]
        if construct:
            rungs = [("template", self.template)]
        elif self.board.size == 1:
            rungs = rungs[:1]
        elif reasons_first:
            rungs.insert(0, ("reasons", lambda: self.reasons(0, 1)))
        if not construct and self.board.size >= LARGE and self.misfit is None:
            rungs.insert(0, ("template", self.template))
        for name, ask in rungs:
            if self.effort and self.left <= 0:
                break
            began = time.perf_counter()
            answer = ask()
            verdict = self.judged(answer, name)
            outcome = verdict.reason if isinstance(verdict, Undecided) else verdict.status
            self.effort.append(Effort(name, outcome, time.perf_counter() - began))
            if not isinstance(verdict, Undecided):
                return replace(verdict, effort=tuple(self.effort), seconds=self.seconds)
        kind = "a closed tour" if self.closed else "an open tour"
        last = next(one.outcome for one in reversed(self.effort) if construct or one.rung == "join")
        if construct:
            return Undecided(last, "template", self.seed, self.seconds, effort=tuple(self.effort))
        reason = f"neither {kind} nor a proof that there is none, in {self.seconds:.3g} s: {last}"
        return Undecided(reason, "ladder", self.seed, self.seconds, effort=tuple(self.effort))

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return time.perf_counter() - self.began

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self.limit - self.seconds

    # ---- the rungs

    @property
    def misfit(self) -> str | None:
        """Why there cannot be a template, None where there may be one."""
        if isinstance(self.board, MoveGraph) or self.piece != KNIGHT:
            return "templates are for knights on boards"
        if self.board.holes:
            return f"{self.board.title} has holes"
        if self.start is not None and self.end is not None:
            return "templates take one end, not two"
        return None

    def template(self) -> Verdict:
        """Build the tour of blocks."""
        if self.misfit is not None or isinstance(self.board, MoveGraph):
            return Undecided(f"no template: {self.misfit}", "template", self.seed)
        from cavalcade.construction.plan import construct

        backwards = self.start is None and self.end is not None
        first = self.end if backwards else self.start
        plan = construct(
            self.board, open=not self.closed, start=None if first is None else self.board.name(first),
            style=self.style, seed=self.seed,
        )  # fmt: skip
        if isinstance(plan, Undecided):
            return plan
        assert_room(BYTES * len(plan), f"the tour of {self.board.title}, held and checked,")
        built = plan.tour()
        return Found(built.reversed() if backwards else built, "template", self.seed)

    def join(self, time_limit: float) -> Verdict:
        """Join the cycles of a cover."""
        return join(
            self.graph, closed=self.closed, start=self.start, end=self.end, seed=self.seed,
            time_limit=max(time_limit, 0),
        )  # fmt: skip

    def reasons(self, cases: int, share: float) -> Answer:
        """Look for a reason."""
        from cavalcade.refute.reasons import reasons

        return reasons(self.ring, cases=cases, time_limit=share * self.left, seed=self.seed)

    def sat(self, seconds: float) -> Answer:
        """Ask a SAT solver, if there is one."""
        try:
            from cavalcade.refute.sat import sat
        except ImportError as error:
            return Undecided(str(error), "sat")
        found: Answer = sat(self.ring, seed=self.seed, time_limit=min(seconds, self.left))
        return found

    # ---- what they say

    def judged(self, answer: Answer, rung: str) -> Verdict:
        """An answer as a verdict on the board, checked."""
        if answer is None:
            return Undecided("no proof", rung, self.seed)
        if isinstance(answer, StepProof | SatProof):
            return self.refuted(answer, rung)
        if isinstance(answer, Undecided | Impossible):
            return answer
        cells = answer.tour.cells if isinstance(answer, Found) else self.cut(answer)
        found = Tour(self.board, cells, self.closed, self.piece)
        if not (checked := self.checked(found)):
            raise AssertionError(f"the {rung} engine is wrong: {checked.message}")
        return Found(found, rung, self.seed)

    def checked(self, found: Tour) -> Checked:
        """What the checker says; of large boards the one that takes less memory."""
        if found.board.size < SWEPT or isinstance(found.board, MoveGraph) or found.board.kind in SURFACES:
            return check(found)
        from cavalcade.checking.arrays import check_array

        swept = check_array(found.numbering, found.board, piece=self.piece)
        if swept and self.closed and not swept.message.startswith("a closed tour"):
            return replace(swept, ok=False)
        return swept

    def refuted(self, proof: Proof, rung: str) -> Impossible:
        """A proof as a verdict."""
        from cavalcade.checking.certificates import verify

        piece = None if isinstance(self.board, MoveGraph) else self.piece
        ends = (None, None) if self.closed else (self.start, self.end)
        certificate = Certificate(self.board, piece, self.closed, *ends, proof)
        if not (checked := verify(certificate)):
            raise AssertionError(f"the {rung} engine is wrong: {checked.message}")
        return Impossible(" ".join(certificate.sentences), rung, self.seed, certificate=certificate)

    def cut(self, cycle: NDArray[np.int32]) -> NDArray[np.int32]:
        """A closed tour of the graph with ends, cut where the question wants it."""
        n = self.graph.size
        first = (0 if self.start is None else self.start) if self.closed else n
        cells = np.roll(cycle, -int(np.flatnonzero(cycle == first)[0]))
        cells = cells[cells < n]
        given = (self.start, self.end)
        wrong = [cell is not None and cell != cells[i] for i, cell in zip((0, -1), given, strict=True)]
        return cells[::-1] if not self.closed and any(wrong) else cells


def _cell(board: Board | MoveGraph, cell: int | str) -> int:
    if isinstance(cell, str):
        return board.cell(cell)
    board.name(cell)
    return cell

"""The engine that finds reasons: steps of a proof that end in a contradiction.

It works on a move graph alone. Everything that takes linear time comes first: cells with few moves, separate
parts, colours, forced edges, deficient and tight sets, repeated while more edges are ruled out. The searches
for cuts and for odd edge cuts are next. Then cases are distinguished, on the edge with the most consequences
in both cases, and each case is treated in the same manner.

A proof is trimmed as it is written: read backwards from the contradiction, a decision is explained only if
a later step rests on it, and a branch is dropped if one of its cases never used its assumption.

e is an edge, t the number of a decision on the trail (`deductions`); `needs` is a set of edges whose
decisions have yet to be explained.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.certificate import Step, StepProof
from cavalcade.ground.arrays import distinct
from cavalcade.ground.budget import Budget, BudgetOverError
from cavalcade.ground.kernels import COMPILE_FROM, Cells, Ints, Mask
from cavalcade.question.folding import folded
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import has_overfull_vertex
from cavalcade.question.question import Question
from cavalcade.refute.board_colours import has_unequal_colours
from cavalcade.refute.cuts import find_cut
from cavalcade.refute.deductions import (
    CASE,
    CYCLE,
    DEGREE,
    FORCED,
    IN,
    OPEN,
    OUT,
    SATURATED,
    SET,
    SUBTOUR,
    TOUR,
    Decisions,
)
from cavalcade.refute.sets import (
    PASS,
    Between,
    Orientation,
    SuccessorMatching,
    cut_of_tight,
    immediate_reason,
    leading,
    mask_of,
    odd_part,
    parts_without,
    set_reason,
    too_far,
    tuple_of,
)

Found = tuple[list[Step], set[int]]  # steps in their order, and the edges they still need

CASES = 200_000  # nodes of the tree of cases, unless given
WALK = 60  # steps of the search for cuts, and one more a cell
WALK_CELLS = 2_000  # larger graphs are only looked at for cuts of a few cells:
WALK_WORK = 1_000_000  # so many cells are walked over there, but two steps made, which find a cut of one cell
CASE_CELLS = 2_000  # nor for cases
FOLDING = 8  # passes through the graph
WALK_STEP = 6  # work for each edge, of one step of the search for cuts
DECISION = 30  # work of a decision, what follows from it included


class _TourFoundError(Exception):
    """A tour was found."""


def reasons(
    question: Question,
    budget: Budget,
    *,
    seed: int = 0,
    cases: int = CASES,
    sets: bool = True,
) -> StepProof | Cells | None:
    """A proof that there is no tour; or a tour that is found on the way: an engine.

    Of steps and a symmetry only immediate contradictions are found. The tree of cases may have `cases` nodes.
    Without `sets` it leaves out sets of cells and colours, as one does by hand.
    """
    if question.steps and (pair := too_far(question)) is not None:
        return StepProof((Step("steps", pair),))
    if has_unequal_colours(question):
        return StepProof((Step("colours", (0,)),))
    graph = question.as_cycle
    orientation = Orientation(question)
    try:
        matching = None
        if sets and not (question.board.plain and not question.one_way and _is_refuted_at_once(graph)):
            matching = immediate_reason(graph, orientation, budget)
        if isinstance(matching, Step):
            return StepProof((matching,))
        if question.symmetry is not None:
            budget.charge(FOLDING * PASS * graph.edge_count)
            if not folded(graph, question.encoding.image(question.symmetry.cells).tolist()):
                return StepProof((Step("symmetry"),))
        search = _Search(graph, orientation, cases, seed, budget, matching, sets=sets)
        steps, needs = search.solve(0, root=True)
    except (BudgetOverError, RecursionError):  # the tree of cases is as deep as it has decided edges
        return None
    except _TourFoundError:
        return question.cut(search.tour)
    if needs:
        raise AssertionError(f"a proof rests on {len(needs)} edges that were never decided")
    return StepProof(tuple(steps))


class _Search:
    """The search in one graph."""

    def __init__(
        self,
        graph: MoveGraph,
        orientation: Orientation,
        cases: int,
        seed: int,
        budget: Budget,
        matching: SuccessorMatching | None,
        *,
        sets: bool,
    ) -> None:
        self.graph, self.cases, self.sets, self.budget = graph, cases, sets, budget
        self.work = 0.0  # of kernels
        self.spend_passes(1)
        self.random = seed % 2_147_483_646 + 1
        self.decisions = Decisions(graph)
        self.orientation, self.one_way = orientation, orientation.one_way
        ends = self.decisions.ends
        self.arcs = np.where(orientation.ahead(*ends.T)[:, None], ends, ends[:, ::-1])
        self.by_sets: list[
            tuple[int, SuccessorMatching | Cells]
        ] = []  # first decision; its tight sets or cut
        self.matching = matching  # of the whole graph, if it is known
        self.tour: Cells = np.zeros(0, dtype=np.int32)
        self.placed: Ints | None = None  # by `_position`

    def spend_passes(self, count: float) -> None:
        """Pay for going through the graph so many times."""
        self.budget.charge(count * PASS * self.graph.edge_count)

    def spend(self, work: float) -> None:
        """Pay for the work of a kernel."""
        self.work += work
        self.budget.charge(work)

    # ---- the tree of cases

    def solve(self, base: int, *, root: bool = False) -> Found:
        """A contradiction from what is on the trail; decisions before number `base` may be needed.

        The caller undoes the trail above `base`.
        """
        decisions = self.decisions
        fine = decisions.begin() if root else decisions.propagate()
        found = self._survey() if fine else self._conflict()
        if found is None:
            found = self._branch()
        return self._explain(found, base)

    def _branch(self) -> Found:
        decisions = self.decisions
        self.cases -= 1
        if self.cases < 0 or self.graph.size > CASE_CELLS:
            raise BudgetOverError
        if self.work > COMPILE_FROM:
            decisions.compile()
        e, one, _ = decisions.look_ahead(64)
        self.spend(decisions.count() * DECISION)
        if e < 0:
            raise AssertionError("all edges are decided, and nothing came of it")
        here = decisions.top
        cases: list[list[Step]] = []
        needs: set[int] = set()
        for case in (0, 1) if one <= 0 else (1, 0):
            fine = decisions.decide(e, IN if case == 0 else OUT, CASE, e)
            steps, wanted = self.solve(here + 1) if fine else self._explain(self._conflict(), here + 1)
            decisions.undo(here)
            if e not in wanted:
                return steps, wanted
            cases.append(steps)
            needs |= wanted - {e}
        if one > 0:
            cases.reverse()
        a, b = decisions.ends[e].tolist()
        return [Step("branch", (a, b), (tuple(cases[0]), tuple(cases[1])))], needs

    # ---- contradictions

    def _conflict(self) -> Found:
        """The contradiction in which a decision ended."""
        decisions = self.decisions
        where = decisions.place
        if decisions.outcome in {TOUR, CYCLE}:
            self.placed = None
            cells, edges = self._forced_path(where, decisions.top - 1)
            if decisions.outcome == CYCLE:
                return [Step("cycle", tuple_of(cells))], edges | {where}
            self.tour = np.array(cells, dtype=np.int32)
            raise _TourFoundError
        rule, sort = ("degree", OUT) if decisions.outcome == DEGREE else ("three", IN)
        return [Step(rule, (where,))], self._decided(where, sort)

    def _survey(self) -> Found | None:
        """A contradiction of the present graph as a whole, if any: parts, colours, covers, cuts."""
        decisions, n = self.decisions, self.graph.size
        while self.sets:
            numbers = np.asarray(decisions.trail.edge_of, dtype=np.int64)
            present = decisions.status[numbers] != OUT
            graph, numbers = self.graph.where(present), numbers[present]
            matching: tuple[Step, Between] | SuccessorMatching
            if self.matching is not None and present.all():
                matching = self.matching
            else:
                matching = set_reason(graph, self.orientation, self.budget)
            if not isinstance(matching, SuccessorMatching):
                step, between = matching
                return [step], self._edges((decisions.status == OUT) & self._lead(between, self.arcs))
            unusable = matching.unusable
            if unusable.any():
                self.spend_passes(3)
                places = numbers
                if self.one_way:
                    places = numbers[self.orientation.ahead(graph.tails, graph.indices)]
                cut = None if self.one_way else cut_of_tight(graph, matching)
                if cut is not None and (found := self._as_cut(cut)) is not None:
                    return found
                fine = self._rule_out(distinct(places[unusable]), matching)
            else:
                steps = WALK + n if n <= WALK_CELLS else max(WALK_WORK // n, 2)
                self.spend(steps * WALK_STEP * self.graph.edge_count)
                forced = decisions.status[numbers] == IN
                self.random += 1
                worth, cells = find_cut(
                    graph, forced, steps=steps, state=self.random,
                    compiled=decisions.tier.compiled or None,
                )  # fmt: skip
                if worth == 2 and (found := self._as_cut(self._smaller(cells))) is not None:
                    return found
                if worth != 1 or n > WALK_CELLS:
                    return self._by_parity()
                idle = np.flatnonzero(
                    (decisions.status == OPEN) & mask_of(cells, n)[decisions.ends].all(axis=1)
                )
                fine = self._rule_out(idle, cells)
            if not fine or not decisions.propagate():
                return self._conflict()
        return None

    def _by_parity(self) -> Found | None:
        """A set of cells that an odd number of edges leave, all of them forced."""
        decisions, n = self.decisions, self.graph.size
        self.spend_passes(1)
        undecided = decisions.ends[decisions.status == OPEN]
        cells = odd_part(n, undecided, np.asarray(decisions.trail.forced, dtype=np.int32))
        if cells is None:
            return None
        leaving = mask_of(cells, n)[decisions.ends].sum(axis=1) == 1
        return [Step("parity", tuple_of(cells))], self._edges(leaving)

    def _rule_out(self, edges: Ints, reason: SuccessorMatching | Cells) -> bool:
        self.by_sets.append((self.decisions.top, reason))
        return all(self.decisions.decide(e, OUT, SET, len(self.by_sets) - 1) for e in edges.tolist())

    def _worth(self, cut: Cells, t: int | None = None) -> tuple[int, Found]:
        """Parts - k + f of a set before decision t, the set as a contradiction, and what it rests on."""
        decisions = self.decisions
        gone, forced = self._before(OUT, t), self._before(IN, t)
        parts, label = parts_without(self.graph.size, decisions.ends[~gone], cut)
        inside = mask_of(cut, self.graph.size)[decisions.ends]
        held = forced & inside.all(axis=1)
        between = gone & ~inside.any(axis=1) & (label[decisions.ends[:, 0]] != label[decisions.ends[:, 1]])
        worth = parts - len(cut) + int(np.count_nonzero(held))
        return worth, ([Step("cut", tuple_of(cut))], self._edges(held | between))

    def _as_cut(self, cut: Cells) -> Found | None:
        worth, found = self._worth(cut)
        return found if worth > 0 else None

    def _smaller(self, cut: Cells) -> Cells:
        """The cut without the cells that it does not need."""
        for cell in cut.tolist():
            self.spend_passes(1)
            less = cut[cut != cell]
            if len(less) and self._worth(less)[0] > 0:
                cut = less
        return cut

    # ---- explanations

    def _explain(self, found: Found, base: int) -> Found:
        """The steps found, after the steps that explain the edges they need, down to decision `base`."""
        decisions = self.decisions
        self.placed = None  # the trail has changed since
        steps, needs = found[0][::-1], set(found[1])
        t = decisions.top
        while t > base and needs:
            t -= 1
            e = int(decisions.trail.edges[t])
            if e not in needs:
                continue
            rule, about = int(decisions.trail.rules[t]), int(decisions.trail.subjects[t])
            if rule == SET:
                since, reason = self.by_sets[about]
                steps += self._explain_by_sets(since, reason, needs)
                t = min(t, since)
                continue
            needs.remove(e)
            if rule == FORCED:
                step, wanted = Step("forced", (about,)), self._decided(about, OUT)
            elif rule == SATURATED:
                step, wanted = Step("saturated", (about,)), self._decided(about, IN)
            elif rule == SUBTOUR:
                step = Step("subtour", tuple_of(decisions.ends[e]))
                _, wanted = self._forced_path(e, t)
            else:
                raise AssertionError(f"decision {t} has no reason")
            if not steps or steps[-1] != step:
                steps.append(step)
            needs |= wanted
        return _merged(steps[::-1]), needs

    def _explain_by_sets(self, t: int, reason: SuccessorMatching | Cells, needs: set[int]) -> list[Step]:
        """The tight sets or the tight cut that explain the needed edges from t on; updates `needs`."""
        here = np.array(sorted(needs), dtype=np.int64)
        position = self._position()
        here = here[position[here] >= t]
        needs.difference_update(here.tolist())
        if not isinstance(reason, SuccessorMatching):
            _, (_, wanted) = self._worth(reason, t)
            needs |= wanted
            return [Step("tight_cut", tuple_of(reason))]
        steps: list[Step] = []
        gone = self._before(OUT, t)
        while here.size:
            self.spend_passes(2)
            best, most = None, -1.0
            for tight in reason.tight_sets(*tuple_of(self.arcs[here[0]])):
                inner, outer = (mask_of(one, self.graph.size) for one in (tight, reason.successor[tight]))
                ruled = self._lead(leading(~inner, outer), self.arcs[here])
                worth = np.count_nonzero(ruled) - len(tight) / (2 * self.graph.size)
                if ruled[0] and worth > most:
                    best, most, left = (tight, inner, outer), worth, here[~ruled]
            assert best is not None  # noqa: S101 - the extreme sets rule the edge out
            tight, inner, outer = best
            needs |= self._edges(gone & self._lead(leading(inner, ~outer), self.arcs))
            steps.append(Step("tight", tuple_of(tight)))
            here = left
        return steps

    def _lead(self, between: Between, arcs: Cells) -> Mask:
        """Which edges lead from some cells to others, in a direction that a tour may take."""
        a, b = arcs.T
        return between(a, b) if self.one_way else between(a, b) | between(b, a)

    def _edges(self, which: Mask) -> set[int]:
        """The numbers of some edges."""
        return set(np.flatnonzero(which).tolist())

    # ---- the present graph

    def _position(self) -> Ints:
        """For every edge the number of its decision; the trail's length where it is open."""
        if self.placed is not None:
            return self.placed
        top = self.decisions.top
        position = np.full(self.decisions.edge_count, top, dtype=np.int64)
        position[np.asarray(self.decisions.trail.edges[:top], dtype=np.int64)] = np.arange(top)
        self.placed = position
        return position

    def _before(self, sort: int, t: int | None) -> Mask:
        """Which edges were IN or OUT before decision t; by default, which are now."""
        decided: Mask = self.decisions.status == sort
        return decided if t is None else decided & (self._position() < t)

    def _decided(self, cell: int, sort: int) -> set[int]:
        """The edges of a cell that are IN, or OUT."""
        status = self.decisions.trail.status
        return {e for _, e in self.decisions.row(cell) if status[e] == sort}

    def _forced_path(self, e: int, t: int) -> tuple[list[int], set[int]]:
        """The path between the ends of an edge that was forced before decision t: its cells and its edges.

        The cells are in the order of the cycle that the edge closes, its own ends first.
        """
        status, position = self.decisions.trail.status, self._position()
        a, b = tuple_of(self.decisions.ends[e])
        cells, edges = [a], set[int]()
        while cells[-1] != b:
            cell, f = next(
                (c, f)
                for c, f in self.decisions.row(cells[-1])
                if status[f] == IN and position[f] < t and f not in edges
            )
            cells.append(cell)
            edges.add(f)
        return [a, *cells[:0:-1]], edges


def _is_refuted_at_once(graph: MoveGraph) -> bool:
    """Whether a large graph needs no look at it as a whole: forced edges alone end in a contradiction."""
    return graph.size > WALK_CELLS and int(graph.degrees.min()) > 1 and has_overfull_vertex(graph)


def _merged(steps: list[Step]) -> list[Step]:
    """Neighbouring steps of one rule as one: the decisions of forced and saturated cells are independent."""
    out: list[Step] = []
    for step in steps:
        if out and step.rule == out[-1].rule and step.rule in {"forced", "saturated"}:
            out[-1] = Step(step.rule, out[-1].cells + step.cells)
        else:
            out.append(step)
    return out

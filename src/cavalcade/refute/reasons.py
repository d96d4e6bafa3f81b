"""The engine that finds reasons: steps of a proof that end with a contradiction.

It works on a move graph alone. Searches that take linear time come first: cells with few moves, separate
parts, colours, forced edges, deficient and tight sets, repeated while more edges are ruled out. The searches
for cuts and for odd edge cuts come next. Then the engine branches on the edge with the most consequences in
both cases, and treats each case in the same way.

Writing a proof trims it. It is written backwards from the contradiction: a decision is explained
only if a later step depends on it, and a branch is dropped if one of its cases never used its assumption.

e is an edge, t is the number of a decision on the trail (`deductions`), and `needs` is a set of edges whose
decisions must still be explained.
"""

from __future__ import annotations

import math

import numpy as np

from cavalcade.answers.certificate import Step, StepProof
from cavalcade.ground.arrays import distinct
from cavalcade.ground.budget import Budget, BudgetOverError
from cavalcade.ground.kernels import COMPILE_FROM, Cells, Ints, Mask
from cavalcade.question.colours import has_unequal_colours
from cavalcade.question.folding import folded
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import has_overfull_vertex, parts_without
from cavalcade.question.question import Question
from cavalcade.refute.cuts import STEP, find_cut
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
    set_reason,
    too_far,
    tuple_of,
)

Argument = tuple[list[Step], set[int]]  # steps in their order, and the decided edges on which they depend

# Cells of a graph above which no cases are tried and the search for cuts is short: it takes one step per cell
# below, so its work grows with the square of the cells.
SEARCHED = 2_000
# Steps of the search for cuts in addition to one per cell. On tiny boards they make up for unlucky choices.
WALK = 60


class _TourFoundError(Exception):
    """A tour was found."""


def reasons(
    question: Question,
    budget: Budget,
    *,
    seed: int = 0,
    cases: float = math.inf,
    sets: bool = True,
) -> StepProof | Cells | None:
    """Prove that there is no tour, or find one on the way: an engine.

    Given steps and a symmetry are used for immediate contradictions only.

    Args:
        question: the question.
        budget: the work that may be done.
        seed: of the random choices.
        cases: the largest number of nodes of the tree of cases; by default the budget alone limits it.
        sets: whether to look for sets of cells and for colours; a proof by hand does without them.
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
            budget.charge(8 * PASS * graph.edge_count)  # folding sorts the edges several times
            if not folded(graph, question.encoding.image(question.symmetry.cells).tolist()):
                return StepProof((Step("symmetry"),))
        search = _ProofSearch(graph, orientation, cases, seed, budget, matching, sets=sets)
        steps, needs = search.solve(0, root=True)
    except (BudgetOverError, RecursionError):  # a path in the tree of cases may have a node for each edge
        return None
    except _TourFoundError:
        return question.cut(search.tour)
    if needs:
        raise AssertionError(f"a proof rests on {len(needs)} edges that were never decided")
    return StepProof(tuple(steps))


class _ProofSearch:
    """The search in one graph.

    Attributes:
        cases: the number of nodes that the tree of cases may still have.
        work: the work of kernels so far, which decides when they are compiled.
        arcs: the ends of each edge; tail and head if moves go one way, shape (m, 2).
        set_reasons: the reasons of decisions by the rule SET, with the number of the first such decision: a
            matching, whose tight sets rule edges out, or a tight cut.
        matching: the matching of the whole graph, if it is known.
        tour: the tour, once one has been found.
        positions: the result of `_position` for the current trail, or None.
    """

    def __init__(
        self,
        graph: MoveGraph,
        orientation: Orientation,
        cases: float,
        seed: int,
        budget: Budget,
        matching: SuccessorMatching | None,
        *,
        sets: bool,
    ) -> None:
        self.graph, self.cases, self.sets, self.budget = graph, cases, sets, budget
        self.work = 0.0
        self.spend_passes(1)
        self.random = seed % 2_147_483_646 + 1
        self.decisions = Decisions(graph)
        self.orientation, self.one_way = orientation, orientation.one_way
        ends = self.decisions.ends
        self.arcs = np.where(orientation.ahead(*ends.T)[:, None], ends, ends[:, ::-1])
        self.set_reasons: list[tuple[int, SuccessorMatching | Cells]] = []
        self.matching = matching
        self.tour: Cells = np.zeros(0, dtype=np.int32)
        self.positions: Ints | None = None

    def spend_passes(self, count: float) -> None:
        """Charge passes through the graph."""
        self.budget.charge(count * PASS * self.graph.edge_count)

    def spend(self, work: float) -> None:
        """Charge the work of a kernel."""
        self.work += work
        self.budget.charge(work)

    # ---- the tree of cases

    def solve(self, base: int, *, root: bool = False) -> Argument:
        """Derive a contradiction from the decisions on the trail.

        Args:
            base: the number of decisions that the argument may depend on without explaining them. The caller
                undoes all others.
            root: whether no decision has been made yet.
        """
        decisions = self.decisions
        consistent = decisions.begin() if root else decisions.propagate()
        argument = self._survey() if consistent else self._conflict()
        if argument is None:
            argument = self._branch()
        return self._explain(argument, base)

    def _branch(self) -> Argument:
        """Refute both cases of an edge."""
        decisions = self.decisions
        self.cases -= 1
        if self.cases < 0 or self.graph.size > SEARCHED:
            raise BudgetOverError
        if self.work > COMPILE_FROM:
            decisions.compile()
        e, first, _ = decisions.look_ahead(64)
        self.spend(decisions.work())
        if e < 0:
            raise AssertionError("all edges are decided, and nothing came of it")
        base = decisions.top
        cases: list[list[Step]] = []
        needs: set[int] = set()
        # A case that fails at once comes first: if it does not need its assumption, the other is skipped.
        for case in (0, 1) if first <= 0 else (1, 0):
            consistent = decisions.decide(e, IN if case == 0 else OUT, CASE, e)
            steps, used = self.solve(base + 1) if consistent else self._explain(self._conflict(), base + 1)
            decisions.undo(base)
            if e not in used:
                return steps, used  # the assumption was not needed
            cases.append(steps)
            needs |= used - {e}
        if first > 0:
            cases.reverse()
        a, b = decisions.ends[e].tolist()
        return [Step("branch", (a, b), (tuple(cases[0]), tuple(cases[1])))], needs

    # ---- contradictions

    def _conflict(self) -> Argument:
        """The contradiction with which the last decision ended."""
        decisions = self.decisions
        place = decisions.place
        if decisions.outcome in {TOUR, CYCLE}:
            self.positions = None
            cells, edges = self._forced_path(place, decisions.top - 1)
            if decisions.outcome == CYCLE:
                return [Step("cycle", tuple_of(cells))], edges | {place}
            first = cells.index(0)
            self.tour = np.array([*cells[first:], *cells[:first]], dtype=np.int32)
            raise _TourFoundError
        rule, status = ("degree", OUT) if decisions.outcome == DEGREE else ("three", IN)
        return [Step(rule, (place,))], self._decided(place, status)

    def _survey(self) -> Argument | None:
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
                edges = numbers
                if self.one_way:
                    edges = numbers[self.orientation.ahead(graph.tails, graph.indices)]
                cut = None if self.one_way else cut_of_tight(graph, matching)
                if cut is not None and (argument := self._as_cut(cut)) is not None:
                    return argument
                consistent = self._rule_out(distinct(edges[unusable]), matching)
            else:
                # In a large graph the walk finds cuts of a few cells only; two steps find a cut of one cell.
                steps = WALK + n if n <= SEARCHED else max(WALK * SEARCHED // n, 2)
                self.spend(steps * STEP * len(self.graph.indices))
                forced = decisions.status[numbers] == IN
                self.random += 1
                worth, cells = find_cut(
                    graph, forced, steps=steps, state=self.random,
                    compiled=decisions.tier.compiled or None,
                )  # fmt: skip
                if worth == 2 and (argument := self._as_cut(self._smaller(cells))) is not None:
                    return argument
                if worth != 1 or n > SEARCHED:
                    return self._by_parity()
                idle = np.flatnonzero(
                    (decisions.status == OPEN) & mask_of(cells, n)[decisions.ends].all(axis=1)
                )
                consistent = self._rule_out(idle, cells)
            if not consistent or not decisions.propagate():
                return self._conflict()
        return None

    def _by_parity(self) -> Argument | None:
        """A contradiction by a set of cells that an odd number of edges leave, all of them forced."""
        decisions, n = self.decisions, self.graph.size
        self.spend_passes(1)
        undecided = decisions.ends[decisions.status == OPEN]
        cells = odd_part(n, undecided, np.asarray(decisions.trail.forced, dtype=np.int32))
        if cells is None:
            return None
        leaving = mask_of(cells, n)[decisions.ends].sum(axis=1) == 1
        return [Step("parity", tuple_of(cells))], self._edges(leaving)

    def _rule_out(self, edges: Ints, reason: SuccessorMatching | Cells) -> bool:
        """Rule edges out by tight sets or by a tight cut; False for a contradiction."""
        self.set_reasons.append((self.decisions.top, reason))
        return all(self.decisions.decide(e, OUT, SET, len(self.set_reasons) - 1) for e in edges.tolist())

    def _worth(self, cut: Cells, t: int | None = None) -> tuple[int, Argument]:
        """Evaluate a cut.

        Args:
            cut: the set of cells to remove.
            t: the number of a decision; only decisions before it count. By default all decisions count.

        Returns:
            The number of parts that the cut leaves, less the number of paths that a tour can leave: a
            contradiction if positive. And the argument.
        """
        decisions = self.decisions
        gone, forced = self._before(OUT, t), self._before(IN, t)
        parts, label = parts_without(self.graph.size, decisions.ends[~gone], cut)
        inside = mask_of(cut, self.graph.size)[decisions.ends]
        held = forced & inside.all(axis=1)
        between = gone & ~inside.any(axis=1) & (label[decisions.ends[:, 0]] != label[decisions.ends[:, 1]])
        worth = parts - len(cut) + int(np.count_nonzero(held))
        return worth, ([Step("cut", tuple_of(cut))], self._edges(held | between))

    def _as_cut(self, cut: Cells) -> Argument | None:
        """A contradiction by a cut; None if the cut leaves too few parts."""
        worth, argument = self._worth(cut)
        return argument if worth > 0 else None

    def _smaller(self, cut: Cells) -> Cells:
        """Remove cells from a cut as long as it remains a contradiction."""
        for cell in cut.tolist():
            self.spend_passes(1)
            smaller = cut[cut != cell]
            if len(smaller) and self._worth(smaller)[0] > 0:
                cut = smaller
        return cut

    # ---- explanations

    def _explain(self, argument: Argument, base: int) -> Argument:
        """Put steps that explain the edges of an argument before it, for all decisions from `base` on."""
        decisions = self.decisions
        self.positions = None  # for another trail
        steps, needs = argument[0][::-1], set(argument[1])
        t = decisions.top
        while t > base and needs:
            t -= 1
            e = int(decisions.trail.edges[t])
            if e not in needs:
                continue
            rule, subject = int(decisions.trail.rules[t]), int(decisions.trail.subjects[t])
            if rule == SET:
                since, reason = self.set_reasons[subject]
                steps += self._explain_sets(since, reason, needs)
                t = min(t, since)
                continue
            needs.remove(e)
            if rule == FORCED:
                step, used = Step("forced", (subject,)), self._decided(subject, OUT)
            elif rule == SATURATED:
                step, used = Step("saturated", (subject,)), self._decided(subject, IN)
            elif rule == SUBTOUR:
                step = Step("subtour", tuple_of(decisions.ends[e]))
                _, used = self._forced_path(e, t)
            else:
                raise AssertionError(f"decision {t} has no reason")
            if not steps or steps[-1] != step:
                steps.append(step)
            needs |= used
        return _merged(steps[::-1]), needs

    def _explain_sets(self, t: int, reason: SuccessorMatching | Cells, needs: set[int]) -> list[Step]:
        """Explain the needed edges that sets ruled out from decision t on, and replace them in `needs`."""
        edges = np.array(sorted(needs), dtype=np.int64)
        edges = edges[self._position()[edges] >= t]
        needs.difference_update(edges.tolist())
        if not isinstance(reason, SuccessorMatching):
            _, (_, used) = self._worth(reason, t)
            needs |= used
            return [Step("tight_cut", tuple_of(reason))]
        steps: list[Step] = []
        gone = self._before(OUT, t)
        # Each round takes a tight set that rules out the first edge, and with it the largest number of edges.
        while edges.size:
            self.spend_passes(2)
            best, best_worth = None, -1.0
            for tight in reason.tight_sets(*tuple_of(self.arcs[edges[0]])):
                inner, outer = (mask_of(cells, self.graph.size) for cells in (tight, reason.successor[tight]))
                ruled = self._lead(leading(~inner, outer), self.arcs[edges])
                worth = np.count_nonzero(ruled) - len(tight) / (2 * self.graph.size)
                if ruled[0] and worth > best_worth:
                    best, best_worth, remaining = (tight, inner, outer), worth, edges[~ruled]
            assert best is not None  # noqa: S101 - the extreme sets rule the edge out
            tight, inner, outer = best
            needs |= self._edges(gone & self._lead(leading(inner, ~outer), self.arcs))
            steps.append(Step("tight", tuple_of(tight)))
            edges = remaining
        return steps

    def _lead(self, between: Between, arcs: Cells) -> Mask:
        """Which edges satisfy a condition on tail and head, in a direction that a tour may take."""
        a, b = arcs.T
        return between(a, b) if self.one_way else between(a, b) | between(b, a)

    def _edges(self, which: Mask) -> set[int]:
        """The numbers of some edges."""
        return set(np.flatnonzero(which).tolist())

    # ---- the present graph

    def _position(self) -> Ints:
        """The number of the decision of each edge; the length of the trail for an open edge."""
        if self.positions is not None:
            return self.positions
        top = self.decisions.top
        position = np.full(self.decisions.edge_count, top, dtype=np.int64)
        position[np.asarray(self.decisions.trail.edges[:top], dtype=np.int64)] = np.arange(top)
        self.positions = position
        return position

    def _before(self, status: int, t: int | None) -> Mask:
        """Which edges had a status, IN or OUT, before decision t; by default, which have it now."""
        decided: Mask = self.decisions.status == status
        return decided if t is None else decided & (self._position() < t)

    def _decided(self, cell: int, status: int) -> set[int]:
        """The edges at a cell that have a status, IN or OUT."""
        statuses = self.decisions.trail.status
        return {e for _, e in self.decisions.row(cell) if statuses[e] == status}

    def _forced_path(self, e: int, t: int) -> tuple[list[int], set[int]]:
        """The path between the ends of an edge that was forced before decision t: its cells and its edges.

        The cells are in the order of the cycle that the edge closes, its own ends first.
        """
        trail, position = self.decisions.trail, self._position()
        indptr, edge_of, status = trail.indptr, trail.edge_of, trail.status
        a, b = tuple_of(self.decisions.ends[e])
        cells, edges = [a], set[int]()
        while (cell := cells[-1]) != b:
            for k in range(indptr[cell], indptr[cell + 1]):
                f = int(edge_of[k])
                if status[f] == IN and f not in edges and position[f] < t:
                    cells.append(int(trail.indices[k]))
                    edges.add(f)
                    break
            else:
                raise AssertionError(f"the forced edges do not join {a} to {b}")
        return [a, *cells[:0:-1]], edges


def _is_refuted_at_once(graph: MoveGraph) -> bool:
    """Whether forced edges alone refute a large graph, so that searches of the whole graph can be skipped."""
    return graph.size > SEARCHED and int(graph.degrees.min()) > 1 and has_overfull_vertex(graph)


def _merged(steps: list[Step]) -> list[Step]:
    """Merge consecutive steps about forced cells, or about saturated cells, which are independent."""
    merged: list[Step] = []
    for step in steps:
        if merged and step.rule == merged[-1].rule and step.rule in {"forced", "saturated"}:
            merged[-1] = Step(step.rule, merged[-1].cells + step.cells)
        else:
            merged.append(step)
    return merged

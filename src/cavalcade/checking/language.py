"""The language of structural proofs: what each step claims about the closed tours of a graph.

A proof keeps two sets of edges: those *ruled out*, which no closed tour uses, and those *forced*, which
every closed tour uses. The *present graph* is what is not ruled out. N(I) are the cells next to a cell of
I in the present graph; k is the size of S, f the number of forced edges inside S.

Deductions:

    forced  cells, each with exactly two present edges: both are forced.
    full    cells, each with two forced edges: their other edges are ruled out.
    early   two ends of one path of forced edges that does not visit every cell: the edge that would join
            them is ruled out.
    tight   a set I of cells with |N(I)| = |I|. A tour's successors of I are then all of N(I), and so are
            its predecessors: edges between N(I) and cells outside I are ruled out.
    spent   a set S whose removal leaves k - f parts. Between two parts a tour passes S, so all that S can
            do is needed there: the edges inside S that are not forced are ruled out.

Contradictions, one of which ends every proof:

    degree  a cell with fewer than two present edges.
    three   a cell with three forced edges.
    cycle   the cells, in order, of a cycle of forced edges that does not visit every cell.
    colours a cell: the part of the present graph around it has two colours of different sizes.
    hall    a set I of cells with |N(I)| < |I|: they cannot all have successors.
    cut     a set S whose removal leaves more than k - f parts (two or more where S is empty): a tour
            falls into at most k - f pieces without S.

And the end of last resort:

    branch  an edge: in the first case it is forced, in the second ruled out; both end in a contradiction.

Cuts and parts are those of tough graphs (Chvátal 1973), hall is Hall's theorem (1935), tight sets are
the Dulmage-Mendelsohn decomposition (1958) of the graph of cells and successors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.answers.certificate import Step

DEDUCTIONS = ("forced", "full", "early", "tight", "spent")
CONTRADICTIONS = ("degree", "three", "cycle", "colours", "hall", "cut")


def flat(steps: tuple[Step, ...]) -> Iterator[Step]:
    """All steps of a proof, those of branches after the branch itself."""
    for step in steps:
        yield step
        for case in step.cases:
            yield from flat(case)

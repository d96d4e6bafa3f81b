"""Reproductions of three papers: every printed table is recomputed and compared.

`reproduce("gerlach2015")` returns a `Report`. Importing this module computes nothing and does not load NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.words import validated

if TYPE_CHECKING:
    from cavalcade.ground.threads import ProgressCallback
    from cavalcade.papers.report import Report

PAPERS = {
    "gerlach2015": "J. R. Gerlach, The Knight's Tour in Chess - Implementing a Heuristic Solution, "
    "SAS Global Forum 2015, paper 3060-2015",
    "gerlach2019": "J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, "
    "PharmaSUG 2019, paper BP-141",
    "demaio2020": "J. DeMaio and M. S. Alam, Using the OPTGRAPH Procedure to Construct Closed Knight's Tours "
    "on Standard and Variant Chessboards, SAS Global Forum 2020, paper 4156-2020",
}


PROGRAMS = {
    "gerlach2015": ("knight.sas", "tours.sas"),
    "gerlach2019": ("knight.sas", "solution1.sas", "solution2.sas", "solution3.sas"),
    "demaio2020": ("rectangle.sas", "prism.sas", "hexagon.sas", "closed_tour.sas", "closed_tour_cas.sas"),
}


def programs(name: str) -> dict[str, str]:
    """Return corrected SAS programs for one of `PAPERS`, as a mapping from file name to source text.

    The programs run unchanged from one directory. Constants in their first lines set the board size. They
    were not run by SAS; the interpreter of `cavalcade sas` runs all but closed_tour_cas.sas.
    """
    _assert_paper(name)
    from importlib.resources import files

    sas = files("cavalcade.papers").joinpath("data", "sas")
    return {file: sas.joinpath(file).read_text(encoding="utf-8") for file in PROGRAMS[name]}


def _assert_paper(name: str) -> None:
    if name not in PAPERS:
        raise CavalcadeError(f"unknown paper {name[:60]!r}, expected one of {', '.join(PAPERS)}")


@validated
def reproduce(name: str, *, progress: ProgressCallback | None = None) -> Report:
    """Recompute the items (tables, figures, statements) of a paper; compare each with the published item.

    Args:
        name: key of `PAPERS`.
        progress: called with the finished fraction of the work, from 0 to 1.

    Raises:
        CavalcadeError: the paper is unknown.

    Examples:
        >>> reproduce("gerlach2015").outcomes["no"]
        4
    """
    _assert_paper(name)
    from cavalcade.papers.recompute import report

    return report(name, PAPERS[name], progress)

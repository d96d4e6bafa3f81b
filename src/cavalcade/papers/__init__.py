"""The papers, reproduced: every printed table recomputed with this package, and compared.

`reproduce("gerlach2015")` gives a `Report`. Nothing is computed, and numpy is not imported, before that.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from cavalcade.papers.report import Report

PAPERS = {
    "gerlach2015": "J. R. Gerlach, The Knight's Tour in Chess - Implementing a Heuristic Solution, "
    "SAS Global Forum 2015, paper 3060-2015",
    "gerlach2019": "J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, "
    "PharmaSUG 2019, paper BP-141",
    "demaio2020": "J. DeMaio and M. S. Alam, Using the OPTGRAPH Procedure to Construct Closed Knight's Tours "
    "on Standard and Variant Chessboards, SAS Global Forum 2020, paper 4156-2020",
}


def reproduce(name: str) -> Report:
    """Recompute a paper and compare.

    Args:
        name: one of `PAPERS`.

    Raises:
        CavalcadeError: there is no such paper.
    """
    if name not in PAPERS:
        raise CavalcadeError(f"unknown paper {name[:60]!r}, expected one of {', '.join(PAPERS)}")
    from cavalcade.papers.report import report

    return report(name, PAPERS[name], import_module(f"cavalcade.papers.{name}").sections())

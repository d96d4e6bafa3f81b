"""cavalcade: knight's tours for any leaper on any board. Find, prove, count, draw.

>>> import cavalcade
>>> verdict = cavalcade.tour("8x8")
>>> verdict.status
'found'
>>> cavalcade.check(verdict.tour).ok
True

The public names are loaded when they are first used, so that `import cavalcade` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cavalcade.ground import __version__ as __version__
from cavalcade.ground.above import register

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.counts import Classes, Count, Distribution
    from cavalcade.answers.measures import Measures
    from cavalcade.answers.puzzles import Puzzle, Roesselsprung, Solved
    from cavalcade.answers.tours import Tour
    from cavalcade.answers.verdict import Found, Impossible, Undecided, Verdict
    from cavalcade.ask.continuation import Continuation, continue_walk
    from cavalcade.ask.hamiltonian import hamiltonian_cycle, hamiltonian_path
    from cavalcade.ask.portfolio import prove, tour
    from cavalcade.ask.salesman import LeastTour, tsp
    from cavalcade.boards import Board
    from cavalcade.boards.notation import parse_board as board
    from cavalcade.checking.arrays import check_array
    from cavalcade.checking.certificates import verify
    from cavalcade.checking.tours import Checked, check
    from cavalcade.construction.glue import Glued, glue
    from cavalcade.construction.plan import Construction, construct
    from cavalcade.counting.classes import classes
    from cavalcade.counting.distribution import distribution
    from cavalcade.counting.listing import list_tours
    from cavalcade.counting.magic import magic_tours
    from cavalcade.counting.sampling import Sampler, sample
    from cavalcade.counting.sequence import Sequence, sequence
    from cavalcade.counting.total import count
    from cavalcade.draw.histogram import histogram
    from cavalcade.find.chain import TourChain, chain
    from cavalcade.find.ties import warnsdorff
    from cavalcade.formats import (
        read,
        read_board,
        read_certificate,
        read_graph,
        read_puzzle,
        read_roesselsprung,
        read_tour,
        save,
        write,
    )
    from cavalcade.formats.graph6 import read_graphs
    from cavalcade.ground.errors import CavalcadeError
    from cavalcade.measures.measure import measure
    from cavalcade.papers import reproduce
    from cavalcade.puzzles.making import puzzle
    from cavalcade.puzzles.solving import solve
    from cavalcade.puzzles.syllables import roesselsprung
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.moves import links, move_graph
    from cavalcade.question.pieces import (
        ANTELOPE,
        CAMEL,
        GIRAFFE,
        KNIGHT,
        ZEBRA,
        Piece,
        leaper,
    )
    from cavalcade.question.pieces import parse_piece as piece
    from cavalcade.question.question import Question, degrees, symmetries
    from cavalcade.studio.widget import widget
    from cavalcade.surveys.batches import Survey, read_survey
    from cavalcade.surveys.running import survey
    from cavalcade.surveys.sharding import count_in_shards
    from cavalcade.surveys.verifying import check_survey
    from cavalcade.theorems.literature import citations
    from cavalcade.theorems.proved_here import theorem

# what rooms below hand out of rooms above
register(
    {
        "html": "cavalcade.draw.html:html",
        "measure": "cavalcade.measures.measure:measure",
        "read_board": "cavalcade.formats:read_board",
        "save_construction": "cavalcade.formats.npy:save_construction",
        "svg": "cavalcade.draw.svg:svg",
    }
)

_HOME = {
    "ANTELOPE": "question.pieces",
    "Board": "boards",
    "CAMEL": "question.pieces",
    "CavalcadeError": "ground.errors",
    "Certificate": "answers.certificate",
    "Checked": "checking.tours",
    "Classes": "answers.counts",
    "Construction": "construction.plan",
    "Continuation": "ask.continuation",
    "Count": "answers.counts",
    "Distribution": "answers.counts",
    "Found": "answers.verdict",
    "GIRAFFE": "question.pieces",
    "Glued": "construction.glue",
    "Impossible": "answers.verdict",
    "KNIGHT": "question.pieces",
    "Measures": "answers.measures",
    "LeastTour": "ask.salesman",
    "MoveGraph": "question.graph",
    "Piece": "question.pieces",
    "Question": "question.question",
    "Puzzle": "answers.puzzles",
    "Roesselsprung": "answers.puzzles",
    "Sampler": "counting.sampling",
    "Sequence": "counting.sequence",
    "Solved": "answers.puzzles",
    "Tour": "answers.tours",
    "TourChain": "find.chain",
    "Undecided": "answers.verdict",
    "Verdict": "answers.verdict",
    "ZEBRA": "question.pieces",
    "board": "boards.notation:parse_board",
    "chain": "find.chain",
    "check": "checking.tours",
    "check_array": "checking.arrays",
    "citations": "theorems.literature",
    "classes": "counting.classes",
    "construct": "construction.plan",
    "continue_walk": "ask.continuation",
    "count": "counting.total",
    "count_in_shards": "surveys.sharding",
    "degrees": "question.question",
    "hamiltonian_cycle": "ask.hamiltonian",
    "hamiltonian_path": "ask.hamiltonian",
    "histogram": "draw.histogram",
    "distribution": "counting.distribution",
    "glue": "construction.glue",
    "leaper": "question.pieces",
    "links": "question.moves",
    "list_tours": "counting.listing",
    "magic_tours": "counting.magic",
    "measure": "measures.measure",
    "move_graph": "question.moves",
    "piece": "question.pieces:parse_piece",
    "prove": "ask.portfolio",
    "puzzle": "puzzles.making",
    "read": "formats",
    "read_board": "formats",
    "read_certificate": "formats",
    "read_graph": "formats",
    "read_graphs": "formats.graph6",
    "read_puzzle": "formats",
    "read_roesselsprung": "formats",
    "read_tour": "formats",
    "reproduce": "papers",
    "roesselsprung": "puzzles.syllables",
    "sample": "counting.sampling",
    "save": "formats",
    "sequence": "counting.sequence",
    "survey": "surveys.running",
    "check_survey": "surveys.verifying",
    "read_survey": "surveys.batches",
    "Survey": "surveys.batches",
    "symmetries": "question.question",
    "solve": "puzzles.solving",
    "theorem": "theorems.proved_here",
    "tour": "ask.portfolio",
    "tsp": "ask.salesman",
    "verify": "checking.certificates",
    "warnsdorff": "find.ties",
    "widget": "studio.widget",
    "write": "formats",
}

__all__ = [
    "ANTELOPE",
    "CAMEL",
    "GIRAFFE",
    "KNIGHT",
    "ZEBRA",
    "Board",
    "CavalcadeError",
    "Certificate",
    "Checked",
    "Classes",
    "Construction",
    "Continuation",
    "Count",
    "Distribution",
    "Found",
    "Glued",
    "Impossible",
    "LeastTour",
    "Measures",
    "MoveGraph",
    "Piece",
    "Puzzle",
    "Question",
    "Roesselsprung",
    "Sampler",
    "Sequence",
    "Solved",
    "Survey",
    "Tour",
    "TourChain",
    "Undecided",
    "Verdict",
    "board",
    "chain",
    "check",
    "check_array",
    "check_survey",
    "citations",
    "classes",
    "construct",
    "continue_walk",
    "count",
    "count_in_shards",
    "degrees",
    "distribution",
    "glue",
    "hamiltonian_cycle",
    "hamiltonian_path",
    "histogram",
    "leaper",
    "links",
    "list_tours",
    "magic_tours",
    "measure",
    "move_graph",
    "piece",
    "prove",
    "puzzle",
    "read",
    "read_board",
    "read_certificate",
    "read_graph",
    "read_graphs",
    "read_puzzle",
    "read_roesselsprung",
    "read_survey",
    "read_tour",
    "reproduce",
    "roesselsprung",
    "sample",
    "save",
    "sequence",
    "solve",
    "survey",
    "symmetries",
    "theorem",
    "tour",
    "tsp",
    "verify",
    "warnsdorff",
    "widget",
    "write",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attribute can be anything
    if name not in _HOME:
        raise AttributeError(f"module 'cavalcade' has no attribute {name!r}")
    module, _, original = _HOME[name].partition(":")
    value = getattr(import_module(f"cavalcade.{module}"), original or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})

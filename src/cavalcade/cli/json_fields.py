"""The fields of the JSON objects that commands print with --json.

Each class has some fields of an object; `cli.schemas` combines them with data classes of answers. The text of
a field is its description in the JSON Schema.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from cavalcade.answers.counts import SymmetryClass
from cavalcade.answers.status import AnswerStatus
from cavalcade.answers.verdict import Effort, Fewest
from cavalcade.answers.verification import Verification
from cavalcade.papers.items import Correction
from cavalcade.theorems.bibliography import CitedTheorem, Source

Object: TypeAlias = dict[str, Any]


class AnswerFields(TypedDict):
    """Every object."""

    status: Annotated[AnswerStatus, "What the object says; docs/command-line.md explains the words."]


class ReasonFields(TypedDict):
    """An answer without a tour, or an error."""

    reason: Annotated[str, "Why there is no answer."]


class SubjectFields(TypedDict):
    """What the tours are about."""

    board: Annotated[str, "The board, as a command line takes it."]
    piece: Annotated[str | None, "The piece; null on a graph."]
    kind: Annotated[
        Literal["closed", "open", "walk", "closed walk"], "The kind of tours, or a walk that is no tour."
    ]
    digest: NotRequired[Annotated[str, "On a graph: 32 hexadecimal digits made from its labels and edges."]]


class WalkFields(TypedDict):
    """A tour or a walk."""

    cells: Annotated[list[str] | None, "The names of the cells in order; null if there is no tour."]
    coords: Annotated[
        list[list[int]] | None,
        "The same cells as integers: level, row from the top, column, from 0; axial q, r on a hexagon; the "
        "number of the vertex on a graph.",
    ]
    labels: NotRequired[Annotated[list[str], "Labels of a graph without a name, up to 10,000 edges."]]
    edges: NotRequired[Annotated[list[list[int]], "Edges of this graph: pairs of positions in `labels`."]]
    directed: NotRequired[Annotated[bool, "True if these edges are directed."]]


class SearchedFields(TypedDict):
    """How a tour was searched for."""

    method: Annotated[str, "The engine that decided."]
    seed: Annotated[int, "The seed of the random choices."]
    seconds: Annotated[float, "Wall time."]
    effort: Annotated[list[Effort], "What each engine tried."]
    fewest: NotRequired[Annotated[Fewest, "How close the tour is to the optimum, if one was asked for."]]
    reason: NotRequired[Annotated[str, "Why there is no tour."]]
    proof: NotRequired[Annotated[str, "The kind of the reason, in one word, if it is proved."]]
    sentences: NotRequired[Annotated[list[str], "The proof in words."]]
    certificate: NotRequired[Annotated[Object, "The proof, as `prove -o FILE.proof` writes it."]]
    graph: NotRequired[Annotated[str, "The line of the graph, in a file with one graph per line."]]


class AgreementFields(TypedDict):
    """A theorem that agrees with an answer."""

    name: str
    because: Annotated[str, "Why the theorem covers the board."]
    statement: str
    citation: str
    status: Annotated[str, "On what the truth of the theorem rests."]


class TheoremsFields(TypedDict):
    """The theorems that agree with an answer."""

    theorems: Annotated[list[AgreementFields], "The first theorem that states that there is no tour, if any."]


class CheckedFields(TypedDict):
    """How an answer was checked."""

    verification: NotRequired[Annotated[Verification, "How it was checked that the answer is complete."]]


class RowFields(TypedDict):
    """A row of a table of measures, with a column for each measure."""

    tour: Annotated[int, "The number of the tour, from 1."]


class FixedFields(TypedDict):
    """Tours that a symmetry fixes."""

    fixed: Annotated[int, "Number of tours that the symmetry maps to themselves, in either direction."]


class UpToSymmetryFields(TypedDict):
    """Classes of tours."""

    classes: Annotated[int, "Number of classes."]
    group_order: Annotated[int, "Number of symmetries of the board."]
    fixed: Annotated[list[Annotated[SymmetryClass, FixedFields]], "Conjugacy classes of symmetries."]


class PartsFields(TypedDict):
    """Further fields of a count."""

    shards: NotRequired[Annotated[int, "Number of parts in which the tours were counted."]]
    symmetry: NotRequired[Annotated[UpToSymmetryFields, "Tours up to symmetry."]]


class TermsFields(TypedDict):
    """Counts for each n from 1 on."""

    offset: Annotated[int, "The n of the first term."]
    terms: Annotated[list[int], "The counts."]
    conventions: Annotated[str, "Which tours were counted as different."]
    numerator: Annotated[list[int] | None, "Numerator of the generating function, from x^0 on."]
    denominator: Annotated[list[int] | None, "Denominator of the generating function, from x^0 on."]
    checked_terms: Annotated[int | None, "Number of terms that agree with the generating function."]
    proved: Annotated[bool | None, "Whether the generating function is proved."]
    states: Annotated[int, "States between two slabs."]
    seconds: Annotated[float, "Wall time."]
    counted_twice: Annotated[int, "Number of terms that two programs agree on."]
    reason: Annotated[str | None, "The limit that was reached, if terms are missing."]


class TermFields(TypedDict):
    """The count for one n."""

    n: int
    modulo: Annotated[int | None, "The modulus; null if the count is exact."]
    term: Annotated[int, "The count."]
    conventions: Annotated[str, "Which tours were counted as different."]


class DrawnFields(TypedDict):
    """A picture."""

    what: Annotated[str, "The argument of the command."]
    holds: Annotated[Literal["tour", "proof", "board"], "What the picture shows."]
    format: Annotated[str, "The format of the picture."]
    output: Annotated[str | None, "The file; null for standard output."]
    picture: NotRequired[Annotated[str, "The picture, if no file was named and the format is text."]]


class CheckedFileFields(TypedDict):
    """What was checked."""

    file: Annotated[str, "The file or the directory."]
    ok: Annotated[bool | None, "Whether it is right; null if not everything was checked."]
    message: Annotated[str, "The statement that is right, or the first error."]
    notes: NotRequired[Annotated[list[str], "What the statement implies."]]
    proved: NotRequired[Annotated[str, "What the checker that is proved correct says."]]


class PairFields(TypedDict):
    """Pairs of cells that symmetries carry onto one another."""

    to: Annotated[str, "The last cell."]
    pairs: Annotated[int, "Number of such pairs."]
    verification: Annotated[Verification | None, "How the answer was checked; null if it is undecided."]
    tour: NotRequired[Annotated[list[str], "The cells of a tour."]]
    reason: NotRequired[Annotated[str, "Why there is no tour."]]
    certificate: NotRequired[Annotated[Object, "The proof."]]


FromFields = TypedDict("FromFields", {"from": Annotated[str, "The first cell."]})  # a keyword of Python


class ChoiceFields(TypedDict):
    """A move from the step that was wrong."""

    cell: Annotated[str, "The cell to which the move leads."]
    onward: Annotated[int, "Number of onward moves from it."]
    tour: Annotated[bool | None, "Whether a tour begins so; null if that is undecided."]


class TurnFields(TypedDict):
    """The first step after which a walk cannot become a tour."""

    step: Annotated[int | None, "The step; null if no step was wrong."]
    cell: NotRequired[Annotated[str, "The cell at this step."]]
    proved: NotRequired[Annotated[bool, "Whether it is proved that the step before was right."]]
    verification: Annotated[Verification, "How the answer was checked."]
    tie: NotRequired[Annotated[bool, "Whether the step was a tie by Warnsdorff's rule."]]
    choices: NotRequired[Annotated[list[ChoiceFields], "The moves to choose from."]]
    message: Annotated[str, "The same in words."]


class WrongTurnFields(TypedDict):
    """A walk with its wrong turn."""

    wrong_turn: NotRequired[Annotated[TurnFields, "The first wrong step."]]


class NodeFields(TypedDict):
    """A vertex."""

    id: str


class LinkFields(TypedDict):
    """An edge."""

    source: str
    target: str


class NodeLinksFields(TypedDict):
    """A graph, in the form of networkx and D3."""

    directed: bool
    multigraph: bool
    graph: Object
    nodes: list[NodeFields]
    edges: list[LinkFields]


class PlaceFields(TypedDict):
    """A board and a piece."""

    board: Annotated[str, "The board, as a command line takes it."]
    piece: Annotated[str | None, "The piece; null on a graph."]


class DegreesFields(TypedDict):
    """The moves from every cell."""

    cells: Annotated[list[str], "The names of the cells."]
    degrees: Annotated[list[int], "Number of moves from each cell."]


class LevelFields(TypedDict):
    """The numbering of a level's tour in the stack."""

    pivot: Annotated[str, "Name of its first cell on its own board."]
    value: Annotated[int, "Step of the pivot in its own tour."]
    increments: Annotated[list[int], "INCR1 and INCR2."]


class LevelsFields(TypedDict):
    """The levels of a stack."""

    levels: list[LevelFields]


class EntryFields(TypedDict):
    """What `count 3xn -o DIR` wrote."""

    board: Annotated[str, "The boards, with a side n."]
    terms: Annotated[list[int], "The counts for n = 1, 2, 3, …"]
    methods: Annotated[dict[str, int], "The last n that each method counted."]
    counted_twice: Annotated[int, "Number of terms that two methods agree on."]
    reason: Annotated[str | None, "The limit that was reached, if terms are missing."]


class PuzzleFields(TypedDict):
    """A puzzle."""

    given: Annotated[dict[str, int], "The numbers that are given, by cell."]
    puzzle: Annotated[str | None, "The name of its kind, such as zip."]
    ordered: Annotated[bool, "Whether the numbers are the order of their cells, not steps."]
    links: Annotated[list[str], "Moves that the tour makes."]
    walls: Annotated[list[str], "Moves that the tour does not make."]
    grade: Annotated[str, "How hard it is."]
    seed: Annotated[int, "The seed of the random choices."]
    solution: Annotated[list[str] | None, "The cells of the solution in order."]


class ClaimFields(TypedDict):
    """A claim of a paper, recomputed."""

    section: str
    name: str
    place: Annotated[str, "Where the paper makes the claim."]
    outcome: Annotated[str, "The verdict on the claim as printed."]
    meant: Annotated[str, "The verdict on the claim as meant."]
    printed: Annotated[str, "The claim."]
    command: Annotated[str, "Commands that repeat the computation."]
    output: Annotated[str, "What they print."]
    recomputed: Annotated[str, "The result."]
    why: Annotated[str, "The reason for a difference."]
    table: Annotated[list[list[str]], "Rows of a table, the first with titles."]


class OriginFields(TypedDict):
    """Where a printed error comes from."""

    whose: Annotated[Literal["author", "scan", "either"], "The origin; `either` if it is unknown."]


class ReportFields(TypedDict):
    """A paper, recomputed."""

    paper: Annotated[str, "The paper."]
    version: Annotated[str, "The version of cavalcade."]
    date: Annotated[str, "The day."]
    seconds: Annotated[float, "Wall time."]
    sha256: Annotated[dict[str, str], "Digests of the transcriptions."]
    outcomes: Annotated[dict[str, int], "Number of claims with each verdict as printed."]
    meant: Annotated[dict[str, int], "Number of claims with each verdict as meant."]
    items: Annotated[list[ClaimFields], "Every claim."]
    slips: Annotated[list[Annotated[Correction, OriginFields]], "Errors in the printed paper."]


class RiddleFields(TypedDict):
    """A text along a tour."""

    board: str
    piece: str
    parts: Annotated[list[str], "The words or syllables in order."]
    seed: Annotated[int, "The seed of the random choices."]
    cells: Annotated[list[str], "The cells of the tour in order."]
    on_cells: Annotated[list[str], "The word on each cell of the board."]


class SolutionFields(TypedDict):
    """The text of a Rösselsprung."""

    text: str


class SasRunFields(TypedDict):
    """What a SAS program printed."""

    file: str
    output: Annotated[str, "The output of the program."]
    log: Annotated[list[str], "The lines of its log."]


class SasProgramsFields(TypedDict):
    """The programs of the package."""

    programs: Annotated[dict[str, list[str]], "The papers of each program."]


class SolutionsFields(TypedDict):
    """The solutions of a puzzle."""

    solutions: Annotated[int, "Number of solutions that were found."]
    complete: Annotated[bool, "Whether there are no others."]
    verification: Annotated[Verification, "How that was checked."]
    method: Annotated[str, "The method of the search."]


class AddressFields(TypedDict):
    """Where the studio is."""

    address: str


class SurveyRowFields(TypedDict):
    """A row of a survey, with the names of its family and the measures of its tour."""

    board: Annotated[str, "The board."]
    piece: Annotated[str, "The piece."]
    kind: Annotated[str, "The kind of tours."]
    statement: Annotated[str | None, "The complete question."]
    verdict: Annotated[str, "The same word as `status`."]
    method: Annotated[str | None, "The engine that answered."]
    rule: Annotated[str | None, "The rules of the proof."]
    reason: Annotated[str | None, "Why there is no tour or no answer."]
    certificate: Annotated[str | None, "The SHA-256 of the certificate."]
    count: Annotated[int | None, "Number of tours."]
    bytes: Annotated[int | None, "Peak memory of the tables."]
    seconds: Annotated[float, "Wall time."]
    version: Annotated[str, "The version of cavalcade."]
    seal: Annotated[str, "Digest of the row, its place, and the survey."]


class SymmetryRowFields(TypedDict):
    """A symmetry of a board."""

    name: str
    order: Annotated[int, "Number of applications that map every cell to itself."]
    fixed: Annotated[int, "Number of cells left in place."]


class SymmetriesFields(TypedDict):
    """The symmetries of a board."""

    symmetries: list[SymmetryRowFields]


class TheoremFields(TypedDict):
    """A theorem proved here, checked."""

    theorem: Annotated[str, "The name of the theorem."]
    statement: str
    facts: Annotated[list[str], "The facts that were checked."]
    fault: Annotated[str | None, "The fact that does not hold."]


class UnreadFields(TypedDict):
    """Fields of a cited theorem that may be null."""

    partly: Annotated[str | None, "What the publications are known to settle."]
    check: Annotated[str | None, "The theorem proved here whose check covers it."]


class CatalogueFields(TypedDict):
    """Theorems with their literature."""

    theorems: list[Annotated[CitedTheorem, UnreadFields]]


class BibliographyFields(TypedDict):
    """All publications."""

    publications: list[Source]


class StepFields(TypedDict):
    """The board after a step of a walk."""

    step: int
    cell: Annotated[str, "The cell at this step."]
    cells: Annotated[list[str], "The names of the cells."]
    board: Annotated[list[int], "The step at which each cell was visited; 0 for the others."]
    moves: Annotated[list[int], "Number of remaining moves of each cell."]


class WeightsFields(TypedDict):
    """The weight of a tour; weights are text, so that no digit is lost."""

    weight: Annotated[str, "Total weight of the tour."]
    bound: NotRequired[Annotated[str, "A bound of the weight of every tour."]]
    exact: NotRequired[Annotated[bool, "Whether the weight equals the bound."]]
    verification: Annotated[Verification, "How the bound was checked."]
    proved: NotRequired[Annotated[str, "What the certificate proves."]]


class RankFields(TypedDict):
    """The number of a tour."""

    rank: Annotated[int, "The number of the tour, from 1."]
    total: Annotated[int, "The number of all tours."]
    verification: Annotated[Verification, "How the number of all tours was checked."]


class CaseFields(TypedDict):
    """A part of the proof of a bound for walks."""

    cells: Annotated[list[str], "For longest walks, the cells of the walks of this case."]
    root: Annotated[str | None, "For longest closed walks, a cell that these walks visit."]
    certificate: Annotated[Object, "The proof, as `prove -o FILE.proof` writes it."]


class BestFields(TypedDict):
    """What comes closest to a tour."""

    what: Annotated[str, "What was wanted: `longest`, `fewest paths`, `fewest removed` or `fewest revisits`."]
    value: Annotated[int | str, "The number that was found; a weight is text."]
    bound: Annotated[int | str, "A proved bound for the numbers of all walks."]
    exact: Annotated[bool, "Whether nothing is better."]
    left_out: Annotated[list[str], "The cells that are not visited."]
    verification: Annotated[Verification, "How the walks and the bound were checked."]
    proof: Annotated[list[CaseFields], "The certificates that prove the bound."]


class PathsFields(TypedDict):
    """A cover by paths."""

    paths: Annotated[list[list[str]], "The names of the cells of each path."]


class UncrossedFields(TypedDict):
    """The length of a walk without a crossing."""

    moves: Annotated[int, "Number of moves of the walk."]
    at_most: Annotated[int, "No walk has more."]
    verification: Annotated[Verification, "How that was checked."]


class LengthsFields(TypedDict):
    """The lengths of the longest walks, for each n from 1 on."""

    terms: Annotated[list[int], "The lengths."]
    rule: Annotated[list[int] | None, "Begin, period and growth of a rule for all n."]

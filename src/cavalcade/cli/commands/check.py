"""`cavalcade check`: is it a tour, a proof that there is none, or a right count?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cavalcade
from cavalcade import formats
from cavalcade.answers.status import AnswerStatus
from cavalcade.cli import ExitCode, misplaced
from cavalcade.cli.command import option, refuse, verb
from cavalcade.cli.options import BoardOf, File, Json, Natural, NewFile, PieceSpec, Positive
from cavalcade.cli.writing import progress, report_file, show, show_json, tracked
from cavalcade.formats.files import called
from cavalcade.formats.table import BY_NAME, GRAPH, format_of
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate

Claims = Annotated[
    str,
    option(
        metavar="STATEMENT",
        help="What the file must be about, such as 'closed tour of 8x8, knight', or with 'no' or a number "
        "before it.",
    ),
]

# Exit codes for right, wrong, and consistent but not checked in full.
CODES = {True: ExitCode.FOUND, False: ExitCode.IMPOSSIBLE, None: ExitCode.NOT_CHECKED}
STATUSES: dict[int, AnswerStatus] = {
    ExitCode.FOUND: AnswerStatus.RIGHT,
    ExitCode.IMPOSSIBLE: AnswerStatus.WRONG,
    ExitCode.UNDECIDED: AnswerStatus.UNDECIDED,
    ExitCode.NOT_CHECKED: AnswerStatus.UNCHECKED,
}
# the last sentence of a proof: kind, board and piece of the question
CONCLUSION = re.compile(r"is no (open|closed) tour of (\S*\w)(?: by the (\w+))?")


@verb()
def command(
    file: File,
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    claims: Claims | None = None,
    json_: Json = False,
    verified: bool = False,
    export: NewFile | None = None,
    samples: Positive | None = None,
    seed: Natural | None = None,
) -> int:
    """Check the tour, proof or count in FILE, or the survey in a directory; - is standard input.

    The tour may have any format but a picture; a table may hold several, which are all checked. A .npy file
    that does not state its board and piece is checked as a knight's tour of the box with the array's sides,
    unless --board or --piece say otherwise. Prints the statement of the file, or the first error.
    Exit codes: 0 right, 1 wrong, or about something else than --claims, 2 the file
    cannot be read, 3 undecided, 4 not checked: the file is consistent, but was not counted again in full.

    Options:
        verified: For a certificate, also run the checker that Coq proves correct: the program that the
            variable CAVALCADE_VERIFY names, or out/formal/verify of this checkout, which `make formal`
            builds, or cavalcade-verify on PATH. Exit code 3 if it is not built, or does not cover the proof.
        samples: For a count by `count --receipt`: count N classes of tours again, drawn at random
            (default: all tours if that is fast, else 100 classes). A board without a half turn has no
            classes.
        seed: Seed of these random choices (default: drawn by the system, so that it cannot be predicted).
        export: Write the graph and the proof of a certificate to FILE, in the plain form for the proved
            checker.
    """
    from cavalcade.answers.certificate import Certificate, is_certificate
    from cavalcade.answers.objects import begins_with
    from cavalcade.answers.receipts import is_receipt
    from cavalcade.checking.tours import check_all
    from cavalcade.formats import npy
    from cavalcade.formats.header import Claim
    from cavalcade.formats.recognizing import is_ordered_puzzle

    claim: Any = None
    mismatch, notes = "", list[str]()
    directory, array = Path(file).is_dir(), npy.is_npy(file)
    text = formats.Text("") if directory or array else formats.certificate_in(file)
    if (verified or export is not None) and not is_certificate(text):
        raise FormatError(
            f"{called(file)} is no proof, as `cavalcade prove 4x4 -o proof.json` writes one: leave out "
            f"{'--verified' if verified else '--export'}"
        )
    if not is_receipt(text):
        refuse("samples", "seed", why="works only with the receipt of a count")
    if directory:
        return _check_survey(file, as_json=json_)
    if array and claims is None:  # of any size: the array is read in blocks
        with progress(f"checking {file}") as report:
            checked = npy.check_file(file, Claim.of(board, piece), report)
    elif is_receipt(text):
        refuse("board", "piece", why="is for tours and proofs")
        claim = cavalcade.read_receipt(text)
        with progress(f"checking {file}") as report:
            checked = cavalcade.check_receipt(claim, samples=samples, seed=seed, progress=report)
    elif begins_with(text, "best"):
        from cavalcade.ask.best_files import check_file  # it loads engines, which other files do not need

        refuse("board", "piece", "claims", why="is for tours and proofs")
        checked = check_file(text)
    elif is_certificate(text):
        claim, notes, mismatch = _certificate(text, board, piece)
        checked = cavalcade.verify(claim)
    else:
        _refuse_others(file)
        if is_ordered_puzzle(text):
            raise FormatError(
                f"{called(file)} is a puzzle whose numbers are an order, not steps: "
                f"`cavalcade solve {file}` solves it"
            )
        try:
            tours = cavalcade.read_tours(file if array else text, board=board, piece=piece)
        except FormatError:
            conclusion = CONCLUSION.search(" ".join(text.split()))
            if not (conclusion or misplaced.is_prose(text)):
                raise
            kind, named, mover = conclusion.groups() if conclusion else ("closed", "4x4", None)
            question = " ".join([named, f"--{kind}", *(["--piece", mover] if mover else [])])
            how = f"try cavalcade prove {question} -o proof.json, then cavalcade check proof.json"
            what = f"{called(file)} holds sentences; the certificate of a proof can be checked"
            raise FormatError(f"{what}: {how}") from None
        claim = tours[0]
        checked = cavalcade.check(claim) if len(tours) == 1 else check_all(tours)
        notes += [f"the same holds for all {len(tours):,} tours in the table"] * (len(tours) > 1)
    if checked.ok is not False and not mismatch and claims is not None and claim is not None:
        from cavalcade.checking.certificates import other_than

        mismatch = other_than(claims, claim)
    proved: dict[str, str] = {}
    ok = False if mismatch else checked.ok
    code: int = CODES[ok]
    if code == ExitCode.FOUND and isinstance(claim, Certificate):
        if export is not None:
            formats.save(claim, export, "plain")
            report_file(export, claim)
        if verified:
            from cavalcade.cli.proved import asked

            code, proved["proved"] = asked(claim)
    message = mismatch or checked.message
    if ok is False and re.search(
        r'"kind": "(closed )?walk"|^; (closed )?walk of ', text.partition('"cells"')[0]
    ):
        message += "; the file has a walk, not a tour: `best --proof FILE` writes the bound of the longest"
    if json_:
        noted = {"notes": notes} if notes and ok else {}
        about = {"file": file, "ok": ok, "message": message}
        show_json(about | noted | proved, status=STATUSES[code])
    else:
        lines = [
            message,
            *(notes if checked and not mismatch else ()),
            *(f"the proved checker: {line}" for line in proved.values()),
        ]
        show("".join(f"{line}\n" for line in lines))
    return code


def _refuse_others(file: str) -> None:
    """Refuse a file whose ending names a format of graphs alone, or a proof that is checked with its formula.

    Raises:
        FormatError: it does.
    """
    ending = Path(file).suffix.lower()
    if ending in {".drat", ".lrat", ".pbp", ".opb"}:
        if ending in {".drat", ".lrat"}:
            formula = Path(file).with_suffix(".cnf")
            read = formula if formula.is_file() else "FORMULA.cnf"
            advice = f"try cavalcade check {read}, which reads the .drat file beside it"
        else:
            certificate = "the certificate that cavalcade prove -o proof.json writes"
            advice = f"VeriPB checks it, and cavalcade check {certificate}"
        raise FormatError(f"{called(file)} is a solver's proof, checked with its formula: {advice}")
    row = BY_NAME.get(format_of(file) or "")
    if row is not None and row.reads == GRAPH:
        raise FormatError(
            f"{called(file)} is a graph; check reads tours, proofs and counts: try cavalcade tour {file}"
        )


def _certificate(
    text: formats.Text, board: str | None, piece: str | None
) -> tuple[Certificate, list[str], str]:
    """Read a certificate, and compare it with a board or with a file of links and weights.

    Returns:
        The certificate; sentences about its weights; and why it is not about the links and weights of the
        file, or an empty text.

    Raises:
        FormatError: the certificate is about another board, or the file is no file of links.
    """
    from decimal import Decimal

    from cavalcade.checking.weights import consequence, other_weights
    from cavalcade.cli.options import GraphOptions
    from cavalcade.question.graph import is_path

    file = board if board is not None and is_path(board) else None
    certificate = cavalcade.read_certificate(
        text, board=None if file else board, piece=None if file else piece
    )
    limit, question = certificate.weight_limit, certificate.question
    if limit is None and file is not None:  # the file has a board, not weights
        certificate = cavalcade.read_certificate(text, board=board, piece=piece)
    if limit is None or file is None:
        return certificate, [] if limit is None else [consequence(limit)], ""
    place, weights = GraphOptions(directed=question.graph.directed or None).weighted(file)
    if not isinstance(place, cavalcade.MoveGraph):
        raise FormatError(f"{file} is a board, expected a file of links with weights")
    if weights is None:
        weights = [Decimal(1)] * place.edge_count
    mismatch = other_weights(question, limit, place, weights)
    if mismatch:
        mismatch = f"the proof is not about {file}, which has {mismatch}: {certificate.claim}"
    return certificate, [f"the links and weights are those of {file}", consequence(limit)], mismatch


def _check_survey(directory: str, *, as_json: bool) -> int:
    """Check that no batch of a survey is missing, and every answer in it that can be checked."""
    survey = cavalcade.read_survey(directory)
    most = max(1, -(-survey.family.most // survey.batch))
    right, unchecked, wrong = 0, 0, []
    for batch in tracked(cavalcade.check_survey(survey), f"checking {directory}", most):
        right += batch.right
        unchecked += batch.unchecked
        wrong += [batch.error] * bool(batch.error)
    ok = False if wrong else None if unchecked else True
    if "shard" in survey.family.keys:
        consistent = "every shard has its row, and a count of the whole board gives their sum"
        if unchecked:
            consistent = (
                "every shard has its row; not checked: their sum, the board is too large to count again"
            )
    else:
        answers = "counts" if survey.asking.verb == "count" else "tours and certificates"
        consistent = f"every question has its row; {right:,} {answers} checked"
        consistent += f"; not checked: {unchecked:,}, not kept or too large" if unchecked else ""
    if as_json:
        about = {"file": directory, "ok": ok, "message": "; ".join(wrong) or consistent}
        show_json(about, status=STATUSES[CODES[ok]])
    else:
        show("".join(f"{error}\n" for error in wrong) or f"{consistent}\n")
    return CODES[ok]

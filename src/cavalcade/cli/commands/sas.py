"""`cavalcade sas`: a SAS program, run without SAS."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from cavalcade import formats
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import File, Json, TextOutput
from cavalcade.cli.writing import log, show, show_json
from cavalcade.formats.files import called
from cavalcade.papers import PAPERS, programs

if TYPE_CHECKING:
    from cavalcade.papers.interpreter.session import Session


@verb()
def command(
    file: File | None = None,
    *,
    list_: bool = False,
    let: Annotated[tuple[str, ...], option("--let", metavar="NAME=VALUE")] = (),
    check: bool = False,
    output: TextOutput | None = None,
    json_: Json = False,
) -> None:
    """Run the SAS program in FILE without SAS, and print what it prints; - is standard input.

    The interpreter supports the statements that the papers use, which docs/sas.md lists. Anything else is
    refused by name, with its line, before anything runs. Standard error has the log. %INCLUDE reads from the
    directory of FILE. FILE and %INCLUDE may also name a program of the package, such as solution1.sas.

    Options:
        list_: Print the programs of the package by their names, each with its paper; run nothing.
        let: Set a macro variable instead of the %LET statements in open code; can be repeated.
        check: Only report what is not supported; run nothing.
        json_: Print JSON: an object with the output of the program and the lines of its log.
    """
    from cavalcade.papers.interpreter.refusals import refusals
    from cavalcade.papers.interpreter.session import Session
    from cavalcade.papers.interpreter.solver import least_tour
    from cavalcade.papers.interpreter.source import SasError

    settings = dict[str, object]()
    for setting in let:
        name, equals, value = setting.partition("=")
        if not equals or not name.isidentifier():
            raise click.UsageError(f"--let {setting!r}: expected NAME=VALUE, such as rows=6")
        settings[name.lower()] = value
    if list_:
        papers_of: dict[str, list[str]] = {}
        for paper in PAPERS:
            for key in programs(paper):
                papers_of.setdefault(key, []).append(paper)
        if json_:
            show_json({"programs": papers_of}, output)
        else:
            show("".join(f"{key:<20}{', '.join(papers)}\n" for key, papers in papers_of.items()), output)
        return
    if file is None:
        raise click.UsageError("missing FILE; --list prints the programs of the package")
    packaged = {key: text for paper in PAPERS for key, text in programs(paper).items()}
    is_packaged = file in packaged and not Path(file).exists()
    text = packaged[file] if is_packaged else str(formats.read_file(file))
    files = _Files(Path() if is_packaged or file == "-" else Path(file).parent, packaged)
    if errors := refusals(text, file, files):
        if len(errors) == 1:
            raise SasError(f"nothing ran: {errors[0]}")
        for error in errors:
            log(str(error))
        raise SasError(f"nothing ran: {len(errors)} statements or functions are not supported")
    if check:
        supported = f"{called(file)}: every statement is supported"
        if json_:
            show_json({"file": file, "output": "", "log": [supported]}, output)
        else:
            log(supported)
        return
    session = Session(solver=least_tour, files=files, settings=settings)
    try:
        session.run(text, file)
    except SasError:
        # what was printed before the error helps to find it, but a file is written only in full
        show(session.output)
        _log(session)
        raise
    if json_:
        show_json({"file": file, "output": session.output, "log": list(session.log)}, output)
        return
    show(session.output, output)
    _log(session)


def _log(session: Session) -> None:
    for line in session.log:
        log(line)


class _Files(dict[str, str]):
    """The texts for %INCLUDE: files in a directory first, then programs of the package."""

    def __init__(self, directory: Path, packaged: dict[str, str]) -> None:
        super().__init__(packaged)
        self.directory = directory

    def __contains__(self, name: object) -> bool:
        return (self.directory / str(name)).is_file() or super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        path = self.directory / name
        return str(formats.read_file(str(path))) if path.is_file() else super().__getitem__(name)

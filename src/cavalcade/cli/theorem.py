"""`cavalcade theorem`: check the finite list of facts behind a theorem of ours."""

from __future__ import annotations

import json
import textwrap

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import read_text, say, show


@click.command()
@click.argument("name", type=click.Choice(["glinski"]))
@click.option("--tours", metavar="FILE", help="Check this list of tours (JSON) instead of our own.")
@click.option("--json", "json_", is_flag=True, help="One object, whatever comes.")
def command(name: str, *, tours: str | None, json_: bool) -> int:
    """Check the facts that a theorem rests on, with code that trusts nothing else, and say what was checked.

    glinski: Gliński's hexagonal board of side n has a closed knight's tour for every n >= 4. The proof is in
    docs/glinski.md. Exit code 0 if every fact holds, 1 if one does not, which is named, 2 for bad input.
    """
    from cavalcade.proofs.glinski import STATEMENT, glinski

    proved = glinski(None if tours is None else read_text(tours))
    if json_:
        status = "proved" if proved else "faulty"
        answer = {"theorem": name, "statement": STATEMENT, "status": status, "facts": proved.facts}
        show(json.dumps(answer | {"fault": proved.fault or None}, ensure_ascii=False) + "\n")
    else:
        told = [
            textwrap.fill(f"{number:2}. {fact}", 100, subsequent_indent="    ")
            for number, fact in enumerate(proved.facts, 1)
        ]
        if proved:
            told += ["So, by the proof in docs/glinski.md:", STATEMENT]
        show("".join(f"{one}\n" for one in told))
    if not proved:
        say(f"fault: {proved.fault}")
    return FOUND if proved else IMPOSSIBLE

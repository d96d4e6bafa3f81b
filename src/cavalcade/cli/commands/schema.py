"""`cavalcade schema`: the JSON Schema of a question, or of the answers of a command."""

from __future__ import annotations

import json
from typing import Annotated

from cavalcade.cli import COMMANDS
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Json, TextOutput
from cavalcade.cli.writing import show
from cavalcade.question.words import schema


@verb()
def command(
    of: Annotated[str | None, option(choices=[name for name in COMMANDS if name != "schema"])] = None,
    *,
    json_: Json = False,
    output: TextOutput | None = None,
) -> None:
    """Print the JSON Schema of what a command prints with --json: OF is the command, such as count.

    Without OF it is the schema of a question: a board and the words that say which tours of it are wanted.
    The studio reads questions in this form. The words are the options of `tour` without their hyphens, except
    that --from and --to are start and end, and --avoid-cells is avoid_cells.
    """
    if of is None:
        answer = schema()
    else:
        from cavalcade.cli.schemas import schema_of

        answer = schema_of(of)
    show(json.dumps(answer, indent=None if json_ else 2) + "\n", output)

"""`cavalcade schema`: the JSON Schema of a question."""

from __future__ import annotations

import json

from cavalcade.cli.command import verb
from cavalcade.cli.options import Json, TextOutput
from cavalcade.cli.writing import show
from cavalcade.question.words import schema


@verb()
def command(*, json_: Json = False, output: TextOutput | None = None) -> None:
    """Print the JSON Schema of a question: a board and the words that say which tours of it are wanted.

    The studio reads questions in this form. The words are the options of `tour` without their hyphens, except
    that --from and --to are start and end, and --avoid-cells is avoid_cells.
    """
    show(json.dumps(schema(), indent=None if json_ else 2) + "\n", output)

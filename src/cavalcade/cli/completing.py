"""Shell completion of files, directories, boards, pieces, and the symmetries of a board."""

from __future__ import annotations

from contextlib import suppress

import click
from click.shell_completion import CompletionItem

# the shell completes files and directories
files, directories = click.Path().shell_complete, click.Path(file_okay=False).shell_complete


def boards(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Complete examples of the families; if none fits, files."""
    from cavalcade.boards.families import FAMILIES

    examples = ["8x8", "4x8x8"]
    examples += [f"{name}:{text.example}" for name, text in FAMILIES.items() if name != "box"]
    items = [CompletionItem(text) for text in examples if begun and text.startswith(begun)]
    return items or files(context, parameter, begun)


def pieces(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Complete the names of pieces."""
    from cavalcade.question.pieces import ALSO, NAMED

    del context, parameter
    return [CompletionItem(name) for name in (*NAMED, *ALSO) if len(name) > 1 and name.startswith(begun)]


def symmetries(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Complete the symmetries of the board on the line, or the usual symmetries if there is no board."""
    del parameter
    names = ["half-turn", "quarter-turn", "horizontal", "vertical"]
    with suppress(Exception):  # no valid board yet, or a graph
        from cavalcade.question.question import Question
        from cavalcade.question.symmetry import symmetries_of

        question = Question.of(context.params["board"], piece=context.params.get("piece"))
        symmetries_found = symmetries_of(question.board, question.piece)[1:]
        names = list(dict.fromkeys(name.name.replace(",", "").replace(" ", "-") for name in symmetries_found))
    return [CompletionItem(name) for name in names if name.startswith(begun)]

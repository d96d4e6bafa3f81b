"""What a shell completes: files, directories, boards, pieces, and the symmetries of the board."""

from __future__ import annotations

from contextlib import suppress

import click
from click.shell_completion import CompletionItem


def files(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The shell's own completion of files."""
    del context, parameter
    return [CompletionItem(begun, type="file")]


def directories(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """And of directories."""
    del context, parameter
    return [CompletionItem(begun, type="dir")]


def boards(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """An example of each family, or else files."""
    from cavalcade.boards.families import FAMILIES

    known = ["8x8", "4x8x8", *(f"{name}:{one.example}" for name, one in FAMILIES.items() if name != "box")]
    found = [CompletionItem(one) for one in known if begun and one.startswith(begun)]
    return found or files(context, parameter, begun)


def pieces(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The names of pieces."""
    from cavalcade.question.pieces import ALSO, NAMED

    del context, parameter
    return [CompletionItem(one) for one in (*NAMED, *ALSO) if len(one) > 1 and one.startswith(begun)]


def symmetries(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The names of the symmetries of the board before them, or the usual ones."""
    del parameter
    names = ["half-turn", "quarter-turn", "horizontal", "vertical"]
    with suppress(Exception):  # no board yet, or none that has any
        from cavalcade.question.question import Question
        from cavalcade.question.symmetry import symmetries_of

        question = Question.of(context.params["board"], piece=context.params.get("piece"))
        found = symmetries_of(question.board, question.graph)[1:]
        names = list(dict.fromkeys(one.name.replace(",", "").replace(" ", "-") for one in found))
    return [CompletionItem(one) for one in names if one.startswith(begun)]

"""One module per rule: `sentence` says the step in words, `roles` says what a picture of it highlights.

`sentence(words, cells)` is called before the step is applied, and may raise anything if the step is wrong.
`roles(present, cells)`, if the module has it, maps roles to groups:

    counted, named, beside   groups of cells
    parts                    groups of cells, each in a colour of its own
    moves                    groups of edge numbers

Later roles are drawn on top of earlier ones. Without `roles`, the cells of the step are highlighted.
`LEGEND`, if the module has it, says what its roles mean. `cells` are the value of `checking.rules.subject`.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from cavalcade.answers.certificate import Step
from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.checking.rules import DEDUCTIONS, subject
from cavalcade.explaining.wording import Wording, nouns_of
from cavalcade.question.question import Question

SIGNS = {  # the meaning of a role, with the fields of `Nouns`, unless the rule has a `LEGEND` for it
    "named": "where it fails",
    "beside": "{cells} next to them",
    "parts": "another part",
    "counted": "{cells} whose {moves} are counted",
}


def words_of(rule: str) -> ModuleType:
    """The module of a rule; modules are imported on first use."""
    return import_module(f"{__name__}.{rule}")


def sentence(step: Step, words: Wording) -> str:
    """A step in words, before it is applied to the present graph."""
    text: str = words_of(step.rule).sentence(words, subject(step))
    return text


def roles(step: Step, present: PresentGraph) -> dict[str, list[Ints]]:
    """What a picture of a step highlights, before the step is applied."""
    if role_groups := getattr(words_of(step.rule), "roles", None):
        groups: dict[str, list[Ints]] = role_groups(present, subject(step))
        return groups
    return {"counted" if step.rule in DEDUCTIONS else "named": [subject(step)]}


def meanings(rule: str, question: Question) -> dict[str, str]:
    """The meaning of each role in a picture of a proof that ends with this rule."""
    nouns = nouns_of(question)._asdict()
    legend = SIGNS | getattr(words_of(rule), "LEGEND", {})
    return {role: meaning.format(**nouns) for role, meaning in legend.items()}

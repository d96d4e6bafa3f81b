"""The driver of searches whose states are Python objects: any hashable value, merged in a dictionary.

A search supplies the first state and a function from a state to its successors, each with the choice that
leads to it; the driver goes level by level. It keeps *links* between the states of adjacent levels: the first
link to each state, for a search that needs one solution (`refute.sweep`), or all of them, for a search that
needs all (`counting.magic`).

A dictionary takes about 3 µs for a state with a small row of bytes, a tenth of what the interpreted tables of
`tables` take; those are for states in a few words, of which there are millions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

State = TypeVar("State", bound=Hashable)
Choice = TypeVar("Choice")

LOOK_EVERY = 256  # states between two calls of `on_block`: a few milliseconds


def next_level(
    states: Iterable[State],
    successors: Callable[[State], Iterable[tuple[Choice, State]]],
    *,
    all_links: bool,
    on_block: Callable[[int, int], None],
) -> tuple[dict[State, int], list[tuple[int, Choice, int]]]:
    """Expand all states of a level.

    Args:
        states: the states, in the order of their numbers.
        successors: yields a choice and the state that it leads to, for each choice in a state.
        all_links: keep all links; otherwise the first link to each state, at its number.
        on_block: called before every `LOOK_EVERY` states with the number of states expanded so far, and the
            number of links; it raises an exception if a limit is reached.

    Returns:
        The states of the next level with their numbers, and the links: the number of a state, a choice, and
        the number of its successor.
    """
    following: dict[State, int] = {}
    links: list[tuple[int, Choice, int]] = []
    for number, state in enumerate(states):
        if number % LOOK_EVERY == 0:
            on_block(number, len(links))
        for choice, successor in successors(state):
            target = following.setdefault(successor, len(following))
            # With one link for each state, the next new state has the number of the next link.
            if all_links or target == len(links):
                links.append((number, choice, target))
    return following, links


def prune(levels: list[list[tuple[int, Choice, int]]]) -> None:
    """Remove the links that lead to no state of the last level, in place."""
    alive: set[int] | None = None
    for i in reversed(range(len(levels))):
        if alive is not None:
            levels[i] = [link for link in levels[i] if link[2] in alive]
        alive = {link[0] for link in levels[i]}


def trace(levels: list[list[tuple[int, Choice, int]]], number: int) -> list[Choice]:
    """The choices on the way to a state of the last level, if each state has one link."""
    choices = []
    for links in reversed(levels):
        number, choice, _ = links[number]
        choices.append(choice)
    return choices[::-1]

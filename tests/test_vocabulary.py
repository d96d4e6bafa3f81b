"""One vocabulary: a word of a question means the same, and is validated alike, wherever it may be written."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# ---- booleans


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """All public functions, and the public methods and constructors of public classes."""
    for name in cavalcade.__all__:
        item = getattr(cavalcade, name)
        if inspect.isfunction(item):
            yield name, item
        elif inspect.isclass(item):
            for method in sorted(vars(item)):
                if not method.startswith("_") and callable(getattr(item, method)):
                    yield f"{name}.{method}", getattr(item, method)


def boolean_keywords() -> Iterator[tuple[str, str]]:
    for name, function in public_functions():
        for keyword, parameter in inspect.signature(function).parameters.items():
            if parameter.annotation in {"bool", "bool | None"}:
                yield name, keyword
        if "QuestionWords" in str(inspect.signature(function)):
            yield name, "open"


@pytest.mark.parametrize(("name", "keyword"), sorted(set(boolean_keywords())))
@pytest.mark.parametrize("value", ["no", "yes", 1, 0, "", [True]])
def test_boolean_keywords_accept_booleans_only(name: str, keyword: str, value: object) -> None:
    function: Any = cavalcade
    for part in name.split("."):
        function = getattr(function, part)
    required = [
        "8x8"
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    others = {
        parameter.name: "8x8"
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is parameter.KEYWORD_ONLY
    }
    with pytest.raises(cavalcade.CavalcadeError, match=f"{keyword} is .*expected True or False") as refused:
        function(*required, **others | {keyword: value})
    assert repr(value) in str(refused.value)


def test_there_are_boolean_keywords() -> None:
    assert {("tour", "open"), ("tour", "construct"), ("count", "directed"), ("count", "twice")} <= set(
        boolean_keywords()
    )
    assert len(set(boolean_keywords())) > 40


def test_numpy_booleans_are_booleans() -> None:
    no: Any = np.False_
    yes: Any = np.True_
    assert cavalcade.count("5x6", open=no).count == 8
    assert cavalcade.count("5x5", open=yes, directed=no).count == 864


@pytest.mark.parametrize(
    "make",
    [
        lambda: cavalcade.Question(cavalcade.board("5x5"), closed="no"),  # type: ignore[arg-type]
        lambda: cavalcade.Tour(cavalcade.board("1x1"), np.zeros(1, np.int32), "no"),  # type: ignore[arg-type]
        lambda: cavalcade.Tours(cavalcade.board("1x1"), np.zeros((1, 1), np.int32), 1),  # type: ignore[arg-type]
        lambda: cavalcade.Puzzle(cavalcade.board("5x5"), ((1, 0),), closed="no"),  # type: ignore[arg-type]
        lambda: cavalcade.write(cavalcade.tour("5x6").tour, "text", header="no"),  # type: ignore[union-attr]
        lambda: cavalcade.write(cavalcade.tour("5x6").tour, "svg", animate="no"),  # type: ignore[union-attr]
    ],
)
def test_constructors_and_writers_accept_booleans_only(make: Callable[[], object]) -> None:
    with pytest.raises(cavalcade.CavalcadeError, match="expected True or False"):
        make()

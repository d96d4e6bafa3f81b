"""The vocabulary: what the words of a question mean, and the validation of keywords by it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from cavalcade.ground.errors import boolean

P = ParamSpec("P")
Result = TypeVar("Result")


def validated(function: Callable[P, Result]) -> Callable[P, Result]:
    """Decorate a public function to validate its boolean arguments before it runs.

    Python takes any text for true, so `open="no"` would ask for open tours. Parameters are recognized by
    their annotation, `bool` or `bool | None`.

    Raises:
        CavalcadeError: by the decorated function, if such an argument is not a boolean.
    """
    parameters = list(inspect.signature(function).parameters.values())
    booleans = {one.name: i for i, one in enumerate(parameters) if one.annotation in {"bool", "bool | None"}}
    if any("QuestionWords" in str(one.annotation) for one in parameters):
        booleans["open"] = len(parameters)

    optional = {one.name for one in parameters if one.annotation == "bool | None"}

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> Result:
        for name, position in booleans.items():
            value: Any = kwargs.get(name, args[position] if position < len(args) else False)
            if value is not None or name not in optional:
                boolean(value, name)
        return function(*args, **kwargs)

    return checked

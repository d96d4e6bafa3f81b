"""Arithmetic in the words of a family: `m`, `2*n + 1`, `m*n % 2 == 0 and m >= 5`.

Whole numbers, names, `+ - * // %`, comparisons, `and`, `or`, `not`, and nothing else.
"""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING

from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Value = int | str

OPERATIONS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
LONGEST = 1000


class Expression:
    """An expression of whole numbers and names.

    Args:
        text: as `2*n + 1`. A condition may also compare a name with a word: `piece == "knight"`.

    Raises:
        CavalcadeError: it is none.
    """

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        if len(self.text) > LONGEST:
            raise CavalcadeError(
                f"an expression of {len(self.text):,} characters, expected {LONGEST:,} at most"
            )
        try:
            self._tree = ast.parse(self.text, mode="eval").body
            self.names = frozenset(_names(self._tree))
        except (SyntaxError, ValueError, RecursionError):
            expected = "expected whole numbers and names with + - * // % and comparisons"
            raise CavalcadeError(f"{self.text[:60]!r} is not an expression, {expected}") from None

    def value(self, values: Mapping[str, Value]) -> int:
        """Its value where the names have these values; a condition has 1 or 0.

        Raises:
            CavalcadeError: a name without a value, or a division by zero.
        """
        try:
            return int(_value(self._tree, values))
        except KeyError as error:
            known = ", ".join(values) or "none"
            raise CavalcadeError(
                f"{error.args[0]!r} in {self.text!r} has no value, known names: {known}"
            ) from None
        except ZeroDivisionError:
            raise CavalcadeError(f"{self.text!r} divides by zero") from None
        except (TypeError, ValueError):
            raise CavalcadeError(f"{self.text!r} mixes words and numbers") from None


def _names(node: ast.expr) -> list[str]:
    """The names in a tree.

    Raises:
        SyntaxError: there is something in it that an expression has not.
    """
    if isinstance(node, ast.Constant) and type(node.value) in {int, str}:
        return []
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        return _names(node.operand)
    parts: list[ast.expr]
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        parts = [node.left, node.right]
    elif isinstance(node, ast.BoolOp):
        parts = node.values
    elif isinstance(node, ast.Compare) and {*map(type, node.ops)} <= OPERATIONS.keys():
        parts = [node.left, *node.comparators]
    else:
        raise SyntaxError
    return [name for part in parts for name in _names(part)]


def _value(node: ast.expr, values: Mapping[str, Value]) -> Value:
    if isinstance(node, ast.Constant):
        return node.value  # type: ignore[return-value] # `_names` has let through no other
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.UnaryOp):
        one = _value(node.operand, values)
        return -one if isinstance(node.op, ast.USub) else int(not one)  # type: ignore[operator] # `value` says so
    if isinstance(node, ast.BoolOp):
        every = isinstance(node.op, ast.And)
        for part in node.values:
            if bool(_value(part, values)) != every:
                return int(not every)
        return int(every)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, values), _value(node.right, values)
        if isinstance(left, str) or isinstance(right, str):
            raise TypeError
        return OPERATIONS[type(node.op)](left, right)
    assert isinstance(node, ast.Compare)  # noqa: S101 - for the type checker
    left = _value(node.left, values)
    for operation, part in zip(node.ops, node.comparators, strict=True):
        right = _value(part, values)
        if not OPERATIONS[type(operation)](left, right):  # type: ignore[arg-type] # words can be equal, too
            return 0
        left = right
    return 1

"""cavalcade: knight's tours for any leaper on any board. Find, prove, count, draw.

>>> import cavalcade
>>> verdict = cavalcade.tour("8x8")
>>> verdict.status
'found'
>>> cavalcade.check(verdict.tour).ok
True

The public names are in `__init__.pyi`, each with its module. It is read when one of them is first used, so
`import cavalcade` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cavalcade.ground import __version__ as __version__
from cavalcade.ground.above import register

register(
    {
        "command_line": "cavalcade.cli:main",
        "html": "cavalcade.draw.html:html",
        "measure": "cavalcade.answers.measures.measure:measure",
        "read_board": "cavalcade.formats:read_board",
        "save_construction": "cavalcade.formats.npy:save_construction",
        "svg": "cavalcade.draw.svg:svg",
    }
)


def _homes() -> dict[str, tuple[str, str]]:
    """The public names, constants first: the module of each, and its name there."""
    import ast
    from pathlib import Path

    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")).body
    imports = [
        (node.module or "", one) for node in stub if isinstance(node, ast.ImportFrom) for one in node.names
    ]
    found = {one.name: (module, one.name) for module, one in imports if one.name != "__version__"}
    for node in stub:
        if isinstance(node, ast.Assign):  # such as `board = parse_board`
            found[ast.unparse(node.targets[0])] = found.pop(ast.unparse(node.value))
    return {name: found[name] for name in sorted(found, key=lambda name: (not name.isupper(), name))}


def __getattr__(name: str) -> Any:
    known: dict[str, tuple[str, str]] = globals().get("_known") or globals().setdefault("_known", _homes())
    if name == "__all__":
        return list(known)
    if name not in known:
        from difflib import get_close_matches

        near = "".join(f", did you mean {one!r}?" for one in get_close_matches(name, known, 1))
        raise AttributeError(f"module 'cavalcade' has no attribute {name!r}{near}")
    module, original = known[name]
    value = getattr(import_module(module), original)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__getattr__("__all__"), *(name for name in globals() if name.startswith("__"))})

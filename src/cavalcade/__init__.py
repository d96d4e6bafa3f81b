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
        "exceptions": "cavalcade.surveys.showing:exceptions",
        "heat_maps": "cavalcade.surveys.showing:heat_maps",
        "html": "cavalcade.draw.html:html",
        "measure": "cavalcade.answers.measures.measure:measure",
        "read_board": "cavalcade.formats:read_board",
        "save": "cavalcade.formats:save",
        "save_construction": "cavalcade.formats.npy:save_construction",
        "svg": "cavalcade.draw.svg:svg",
        "write": "cavalcade.formats:write",
    }
)


def _homes() -> dict[str, tuple[str, str]]:
    """Return the module of each public name, and its name in that module; constants come first."""
    import ast
    from pathlib import Path

    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")).body
    imports = [
        (node.module or "", alias.name)
        for node in stub
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    homes = {name: (module, name) for module, name in imports if name != "__version__"}
    for node in stub:
        if isinstance(node, ast.Assign):  # such as `board = parse_board`
            homes[ast.unparse(node.targets[0])] = homes.pop(ast.unparse(node.value))
    return {name: homes[name] for name in sorted(homes, key=lambda name: (not name.isupper(), name))}


# names of commands and of other libraries, and what they are called here
_OTHER = {
    "convert": "save(read_tour(file), ...)", "count_tours": "count", "draw": "save(tour, 'tour.svg')",
    "fewest": "tour(..., fewest=...)", "find_tour": "tour", "Graph": "MoveGraph", "list": "list_tours",
    "magic": "magic_tours", "oeis": "sequence", "random_tour": "sample", "degrees": "move_graph(...).degrees",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    homes: dict[str, tuple[str, str]] = globals().get("_names") or globals().setdefault("_names", _homes())
    if name == "__all__":
        return list(homes)
    if name not in homes:
        from difflib import get_close_matches

        meant = [_OTHER[name]] if name in _OTHER else get_close_matches(name, homes, 1)
        hint = "".join(f", did you mean {close!r}?" for close in meant)
        raise AttributeError(f"module 'cavalcade' has no attribute {name!r}{hint}")
    module, original = homes[name]
    value = getattr(import_module(module), original)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__getattr__("__all__"), *(name for name in globals() if name.startswith("__"))})

"""The modules of the page as one script, for notebooks and folders, where imports are not resolved.

Each module becomes a function that returns its exports. `studio(home)` calls them in the order of their
imports, so every cell has modules of its own, and `home` replaces `home.js`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any

IMPORT = re.compile(r'^import \{ ([^}]*) \} from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
# comments on lines of their own
COMMENT = re.compile(r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
LEFT = re.compile(r"^\s*(?:import|export)\b.*$", re.MULTILINE)
HOME, MAIN, WIDGET, PLAY, KERNEL = "home", "main", "widget", "play", "kernel"


@cache
def bundle() -> str:
    """The front end of the widget: an ES module, with the markup and the style of the page in it.

    Raises:
        SyntaxError: a module imports or exports in a way that is not supported here.
    """
    page = _read("index.html")
    inside = page[page.index('<div id="studio">') : page.index("</body>")]
    markup = re.sub(r"<h1>.*?</h1>|\n\s*", "", inside, flags=re.DOTALL)
    studio = _studio()
    front = "\n".join(_in_order(WIDGET, []))
    words = f"{json.dumps(markup)}, {json.dumps(_read('style.css'))}"
    return f"{studio}{front}\nexport default $widget.widget(studio, {words});\n"


def folder(first: dict[str, Any]) -> dict[str, str]:
    """The page without a server, as the files of a folder; `data.js` is for its caller to write.

    Args:
        first: the answers that the page begins with, by their questions.

    Raises:
        SyntaxError: as `bundle`.
    """
    play = "\n".join(_in_order(PLAY, []))
    hear = "onmessage = ({ data }) => postMessage($kernel.answered(data));"
    begin = f"$play.play(studio, `const {{ $kernel }} = (${{kernel}})();\\n{hear}`, {json.dumps(first)});"
    page = _read("index.html").replace("static/", "")
    page = page.replace('type="module" src="main.js"', 'defer src="studio.js"')
    return {
        "index.html": page,
        "studio.js": f"(() => {{\n{_studio()}{play}\n{begin}\n}})();\n",
        "style.css": _read("style.css"),
        "icon.svg": _read("icon.svg"),
    }


def _studio() -> str:
    """`studio(home)`, which begins the page in a home, and `kernel()`, which a worker may run, too."""
    known: list[str] = []
    small = "\n".join(_in_order(KERNEL, known))
    names = ", ".join(f"${name}" for name in known)
    parts = "\n".join(_in_order(MAIN, known))
    return (
        f"function kernel() {{\n{small}\nreturn {{ {names} }};\n}}\n"
        f"function studio(home) {{\nconst {{ {names} }} = kernel();\n{parts}\n}}\n"
    )


def _read(name: str) -> str:
    return resources.files("cavalcade.studio").joinpath("static", name).read_text(encoding="utf-8")


def _in_order(name: str, known: list[str]) -> list[str]:
    """A module as a function, after those that it imports; `known` are the names of those before it."""
    if name == HOME or name in known:
        return []
    text = COMMENT.sub("", _read(f"{name}.js"))
    before = [part for _, other in IMPORT.findall(text) for part in _in_order(other, known)]
    known.append(name)
    exported = ", ".join(found for _, found in EXPORT.findall(text))
    inner = _plain(name, EXPORT.sub(r"\1", IMPORT.sub(_taken, text)))
    return [*before, f"const ${name} = (() => {{\n{inner}\nreturn {{ {exported} }};\n}})();"]


def _taken(found: re.Match[str]) -> str:
    """An import as names of another module's result."""
    names, module = found.groups()
    return "" if module == HOME else f"const {{ {names.replace(' as ', ': ')} }} = ${module};"


def _plain(name: str, text: str) -> str:
    if (left := LEFT.search(text)) is not None:
        raise SyntaxError(f"{name}.js: {left.group().strip()!r} cannot be bundled")
    return text

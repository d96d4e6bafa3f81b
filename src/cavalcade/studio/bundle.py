"""The page as one document, and its modules as one script.

Notebooks and folders do not resolve imports, and a browser loads one script in half the time of 45 modules.
Each module becomes a function that returns its exports. `studio(home)` calls these functions in the order of
the imports, so every cell has its own modules, and `home` replaces `home.js`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib import resources
from typing import Any

IMPORT = re.compile(r'^import \{ ([^}]*) \} from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
# comments on lines of their own, and at the ends of lines of code
COMMENT = re.compile(r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n| // [^\n\"'`]*$", re.MULTILINE | re.DOTALL)
# a type inside a line
TYPE = re.compile(r"/\*\* @type \{[^*]*\} \*/ ?")
INDENT = re.compile(r"^ +|\n(?=\n)", re.MULTILINE)
# white space and semicolons in a style that separate nothing
SPACE = re.compile(r"(?<=[:;,{}])\s+|;?\s+(?=[{}])")
LEFT = re.compile(r"^\s*(?:import|export)\b.*$", re.MULTILINE)
SHEET = re.compile(r' *<link rel="stylesheet" href="static/(.*)">\n')
SCRIPT = re.compile(r' *<script defer src="(.*)"></script>\n')
# files of the folder that are used as they are; the browser loads the last two from a host only
COPIED = ("icon.svg", "tour.svg", "offline.js", "app.webmanifest")
HOME, MAIN, WIDGET, PLAY, KERNEL = "home", "main", "widget", "play", "kernel"


@cache
def bundle() -> str:
    """Return the front end of the widget: an ES module that contains the markup and style of the page.

    Raises:
        SyntaxError: a module uses an unsupported form of import or export.
    """
    page = _read("index.html")
    inside = page[page.index('<div id="studio">') : page.index("</body>")]
    markup = re.sub(r"<h1>.*?</h1>|\n\s*", "", inside, flags=re.DOTALL)
    studio = _studio()
    front = _in_order(WIDGET)
    words = ", ".join(json.dumps(text, ensure_ascii=False) for text in (markup, _style("style.css")))
    return f"{studio}{front}export default $widget.widget(studio, {words});\n"


def folder(first: dict[str, Any]) -> dict[str, str]:
    """Return the page without a server as files by name; the caller writes `data.js`.

    Args:
        first: answers that the page starts with, by question.

    Raises:
        SyntaxError: as `bundle`.
    """
    play = _in_order(PLAY)
    hear = "onmessage = ({ data }) => postMessage($kernel.answered(data));"
    begin = f"$play.play(studio, `const {{ $kernel }} = (${{kernel}})();\\n{hear}`, {json.dumps(first)});"
    return {
        "index.html": document().replace("static/", ""),
        "studio.js": f"(() => {{\n{_studio()}{play}{begin}\n}})();\n",
        **{name: _read(name) for name in COPIED},
    }


@cache
def document() -> str:
    """Return the page with its style inside: the first frame waits for no other file."""
    page = _read("index.html")
    style = "".join(_style(name) for name in SHEET.findall(page))
    (script,) = SCRIPT.findall(page)
    load = f"document.head.append(Object.assign(document.createElement('script'), {{ src: '{script}' }}))"
    page = SCRIPT.sub("", SHEET.sub("", page)).replace("</head>", f"<style>{style}</style>\n</head>")
    later = f"requestAnimationFrame(() => setTimeout(() => {load}));"
    return page.replace("</body>", f"<script>{later}</script>\n</body>")


def digests(kind: str) -> str:
    """Return the hashes of the style or the script in the page, for a Content-Security-Policy."""
    texts = re.findall(rf"<{kind}>(.*?)</{kind}>", document(), re.DOTALL)
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in hashes)


def served() -> str:
    """Return the script of the page that has a server.

    Raises:
        SyntaxError: as `bundle`.
    """
    return f"(() => {{\n{_studio()}{_in_order(HOME, [])}studio($home.home);\n}})();\n"


def _studio() -> str:
    """Return `studio(home)`, which starts the page, and `kernel()`, which a web worker can also run."""
    loaded = [HOME]
    small = _in_order(KERNEL, loaded)
    names = ", ".join(f"${name}" for name in loaded[1:])
    parts = _in_order(MAIN, loaded)
    return (
        f"function kernel() {{\n{small}return {{ {names} }};\n}}\n"
        f"function studio(home) {{\nconst {{ {names} }} = kernel();\n{parts}}}\n"
    )


def _style(name: str) -> str:
    """Return a style sheet without white space that separates nothing."""
    return SPACE.sub("", _read(name))


def _read(name: str) -> str:
    return resources.files("cavalcade.studio").joinpath("static", name).read_text(encoding="utf-8")


def _in_order(name: str, loaded: list[str] | None = None) -> str:
    """Return a module as a function, after its dependencies.

    Args:
        name: name of the module.
        loaded: modules so far, extended by this call; `home.js` by default.
    """
    loaded = [HOME] if loaded is None else loaded
    text = COMMENT.sub("", _read(f"{name}.js"))
    missing = [dependency for _, dependency in IMPORT.findall(text)]
    before = "".join(_in_order(dependency, loaded) for dependency in missing if dependency not in loaded)
    loaded.append(name)
    exported = ", ".join(exported_name for _, exported_name in EXPORT.findall(text))
    inner = _plain(name, EXPORT.sub(r"\1", IMPORT.sub(_taken, text)))
    return f"{before}const ${name} = (() => {{\n{inner}\nreturn {{ {exported} }};\n}})();\n"


def _taken(match: re.Match[str]) -> str:
    """Convert an import to names of another module's result."""
    names, module = match.groups()
    return "" if module == HOME else f"const {{ {names.replace(' as ', ': ')} }} = ${module};"


def _plain(name: str, text: str) -> str:
    """Return the text of a module without indentation; raise SyntaxError if it cannot be bundled."""
    if (unsupported := LEFT.search(text)) is not None:
        raise SyntaxError(f"{name}.js: {unsupported.group().strip()!r} cannot be bundled")
    if any(line.count("`") % 2 for line in text.splitlines()):
        raise SyntaxError(f"{name}.js: a template of several lines cannot be bundled: its indentation counts")
    return INDENT.sub("", TYPE.sub("", text))

"""Hooks of MkDocs that generate pages and adapt links.

Each build generates the reference from the docstrings, the pages of notebooks, and the logo, a tour. The
changelog, the guide for contributors and the files that pages link to come from the parent folder. Anchors
are the anchors of GitHub, so that links work on both.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File
from pymdownx.slugs import slugify

import cavalcade

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))
import play

import reference

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent.parent
ABOVE = ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md")
COLOURS = {"logo": "#ffffff", "favicon": "#2b5d8a"}
GUIDE = "[In Python](api.md) has examples."
NOT_GUIDED = "What some options of commands are in Python, what pictures take, and the errors."
FUNCTIONS, CLASSES, BEHIND = (f"reference-{name}.md" for name in ("functions", "classes", "behind"))
BOOK = re.compile(r"\]\(([\w-]+)\.ipynb")
LISTS = {
    "publications": reference.publications,
    "vocabulary": reference.vocabulary,
    "engines": reference.engines,
    "formats": reference.formats,
}
LIST = re.compile("<!-- on the site: (.*) -->")
NAMED = re.compile(r"^- `(\w+)(\([^`]*)`:", re.MULTILINE)


def on_config(config: MkDocsConfig) -> None:
    """Make anchors as GitHub does."""
    config.mdx_configs["toc"]["slugify"] = slugify(case="lower")


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages and pictures that are not in docs/."""
    made = {name.lower(): _above((ROOT / name).read_text("utf-8")) for name in ABOVE}
    functions = [name for name in cavalcade.__all__ if name.islower()]
    pieces = [name for name in cavalcade.__all__ if name.isupper()]
    classes = [name for name in cavalcade.__all__ if name not in {*functions, *pieces}]
    made[FUNCTIONS] = _reference("Functions", GUIDE, functions)
    made[CLASSES] = _reference("Classes and pieces", GUIDE, [*classes, *pieces])
    made[BEHIND] = _reference("Behind the commands", NOT_GUIDED, behind())
    for name, colour in COLOURS.items():
        made[f"pictures/{name}.svg"] = _star(colour)
    for notebook in (ROOT / "docs").glob("*.ipynb"):
        made |= _cells(notebook)
    for page in files.documentation_pages():
        for name in re.findall(rf"\]\({_up(page)}\.\./([^)]+)\)", page.content_string):
            made[name] = (ROOT / name).read_text("utf-8")
    made |= {f"play/{name}": content for name, content in play.files().items()}
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Hide the side lists of the front page, link the names in the page of Python, and insert the lists."""
    markdown = LIST.sub(lambda name: LISTS[name[1]](), markdown)
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation", "toc"]
    if page.file.src_uri == "api.md":
        markdown = NAMED.sub(_linked, markdown)
    up = _up(page.file)
    return BOOK.sub(r"](\1.md", markdown.replace(f"]({up}../", f"]({up}"))


def on_page_content(html: str, **_: object) -> str:
    """Put tables into boxes that can be scrolled by keys."""
    box = '<div class="table" role="group" aria-label="table" tabindex="0"><table>'
    return html.replace("<table>", box).replace("</table>", "</table></div>")


def on_post_page(output: str, **_: object) -> str:
    """Label the search dialog, which has no label in the theme."""
    nameless = 'data-md-component="search" role="dialog"'
    return output.replace(nameless, f'{nameless} aria-label="search"')


def on_post_template(output_content: str, **_: object) -> str:
    """Label the search dialog of the page for missing addresses."""
    return on_post_page(output_content)


def behind() -> list[str]:
    """Return the modules and functions that docs/api.md imports, the keywords of `svg`, and the errors."""
    guide = (ROOT / "docs" / "api.md").read_text("utf-8")
    lines = re.findall(r"^>>> from cavalcade\.(\S+) import (.*)$", guide, re.MULTILINE)
    imported = [(module, name) for module, names in lines for name in names.split(", ")]
    source = ROOT / "src" / "cavalcade"
    functions = [
        f"{module}.{name}" for module, name in imported if not (source / module / f"{name}.py").exists()
    ]
    return [*functions, "draw.svg.svg", "draw.tour.tour_picture", "ground.errors"]


def _up(page: File) -> str:
    """Relative path from the folder of a page to docs/."""
    return "../" * str(page.src_uri).count("/")


def _above(text: str) -> str:
    """Adapt the links of a page from the parent folder to its new place."""
    for name in ABOVE:
        text = text.replace(f"]({name})", f"]({name.lower()})")
    return text.replace("](docs/", "](")


def _cells(notebook: Path) -> dict[str, str]:
    """Convert a notebook to a page and its pictures; return the files by name."""
    made, page = {}, ""
    for number, cell in enumerate(json.loads(notebook.read_text("utf-8"))["cells"]):
        source = "".join(cell["source"])
        page += source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
        for kind, lines in (item for out in cell.get("outputs", []) for item in out["data"].items()):
            shown, picture = "".join(lines), f"pictures/{notebook.stem}-{number}.svg"
            if kind == "image/svg+xml":
                made[picture] = shown
                alt = re.search(r"<title[^>]*>([^<]*)", shown)
                shown = f"![{alt[1] if alt else ''}]({picture})"
            elif kind == "text/plain":
                shown = f"```text\n{shown}\n```"
            else:
                shown = re.sub(r"<style.*?</style>|(?<=<table)[^>]*|\n\s*", "", shown, flags=re.DOTALL)
            page += f"\n\n{shown}"
        page += "\n\n"
    return made | {f"{notebook.stem}.md": page}


def _star(colour: str) -> str:
    """Return the logo: the smallest closed tour, of 3x3 without its middle, as one line."""
    (tour,) = cavalcade.list_tours("3x3-b2")
    line = " ".join(f"{column} {row}" for row, column in tour.coords)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.3 -.3 2.6 2.6">'
        f'<path d="M{line}z" fill="none" stroke="{colour}" stroke-width=".17" stroke-linejoin="round"/>'
        "</svg>\n"
    )


def _linked(line: re.Match[str]) -> str:
    """Link the name in the line of a function or class to the reference."""
    name, signature = line.groups()
    if name not in cavalcade.__all__:
        return line[0]
    page = FUNCTIONS if name.islower() else CLASSES
    return f"- [`{name}`]({page}#cavalcade.{name})`{signature}`:"


def _reference(title: str, words: str, names: list[str]) -> str:
    return "\n\n".join([f"# {title}", words, *(f"::: cavalcade.{name}" for name in names)]) + "\n"

"""What MkDocs is told about the pages in docs/ that they do not say themselves.

Its hooks: pages that stand outside of docs/ or are made (the changelog, how to contribute, the reference, the
logo), links to files that are no pages, and headings with the anchors that GitHub gives them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File
from pymdownx.slugs import slugify

import cavalcade

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent.parent
OUTSIDE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
GROUPS = re.compile(r"^## (.+)$|^\*\*`(\w+)\(|^- `(\w+)[`(]", re.MULTILINE)


def on_config(config: MkDocsConfig) -> None:
    """Anchors as GitHub makes them."""
    config.mdx_configs["toc"]["slugify"] = slugify(case="lower")


def on_files(files: Files, config: MkDocsConfig) -> None:
    """The pages that are not in docs/, and the logo."""
    made: dict[str, str] = {"reference.md": reference()}
    for name, page in OUTSIDE.items():
        made[page] = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
    tour = cavalcade.tour("6x6", symmetry="quarter-turn").tour
    for name, colour in (("logo", "white"), ("favicon", "#b3541e")):
        made[f"pictures/{name}.svg"] = tour.svg(style="lines", colour=colour, labels=False)
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Link pages outside of docs/ where they are here."""
    for name, here in OUTSIDE.items():
        markdown = markdown.replace(f"](../{name}", f"]({here}")
    return markdown


def reference() -> str:
    """A page with every public name."""
    return "# Reference\n\n" + "\n".join(f"::: cavalcade.{name}\n" for name in cavalcade.__all__)

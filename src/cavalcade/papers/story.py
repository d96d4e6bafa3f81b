"""The story of the three papers, docs/story.md: its commands are run again, and draw its pictures."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from cavalcade.papers import PAPERS
from cavalcade.papers.page import blocks, page
from cavalcade.papers.recompute import output
from cavalcade.theorems.proved_here import documented

BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
TITLE = "From a tie to a theorem: 2015, 2019, 2020"


def story(folder: str | Path, format: str = "markdown") -> str:
    """The story, as `markdown` or `html`, with what its commands print today.

    Their pictures go into `pictures` in the folder where the story is to stand.
    """
    with tempfile.TemporaryDirectory() as made:
        Path(made, "pictures").mkdir()

        def ran(block: re.Match[str]) -> str:
            commands = re.findall(r"^\$ (.*)", block[0], re.MULTILINE)
            return "".join(f"$ {one}\n{output(one, made)}" for one in commands)

        text = BLOCK.sub(ran, documented("story.md"))
        shutil.copytree(Path(made, "pictures"), Path(folder, "pictures"), dirs_exist_ok=True)
    return text if format == "markdown" else page(TITLE, blocks(text, _beside))


def _beside(words: str, target: str) -> str:
    """Where a link of the story leads beside the reports: to one of them, or nowhere."""
    return f"{words}.html" if words in PAPERS else target if "://" in target else ""

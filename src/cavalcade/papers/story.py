"""The story of the three papers, docs/story.md: its commands are run again, and draw its pictures."""

from __future__ import annotations

import re
from pathlib import Path

from cavalcade.ground.storage import temporary_directory, write_file
from cavalcade.papers import PAPERS
from cavalcade.papers.page import blocks, page
from cavalcade.papers.recompute import output
from cavalcade.theorems.proved_here import documented

BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
TITLE = "From a tie to a theorem: 2015, 2019, 2020"


def story(folder: str | Path, format: str = "markdown") -> str:
    """Return the story as `markdown` or `html`, with the current output of its commands.

    The pictures go into `pictures` in the folder of the story.
    """
    with temporary_directory() as temporary:
        (temporary / "pictures").mkdir()

        def ran(block: re.Match[str]) -> str:
            commands = re.findall(r"^\$ (.*)", block[0], re.MULTILINE)
            return "".join(f"$ {command}\n{output(command, str(temporary))}" for command in commands)

        text = BLOCK.sub(ran, documented("story.md"))
        pictures = Path(folder, "pictures")
        pictures.mkdir(parents=True, exist_ok=True)
        for picture in (temporary / "pictures").iterdir():
            write_file(pictures / picture.name, picture.read_bytes())
    return text if format == "markdown" else page(TITLE, blocks(text, _beside))


def _beside(words: str, target: str) -> str:
    """Return the address of a link in the story: a report, a web page, or none."""
    return f"{words}.html" if words in PAPERS else target if "://" in target else ""

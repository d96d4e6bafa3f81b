"""The pictures of docs/gallery.md: `python tests/gallery.py` draws them again, into docs/pictures/gallery."""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from pathlib import Path

from examples import BLOCK, COMMAND, renewed

DOCS = Path(__file__).parent.parent / "docs"
PAGE, FOLDER = DOCS / "gallery.md", DOCS / "pictures" / "gallery"
SHOWN = re.compile(r"^!\[.+\]\(pictures/gallery/(.*)\)$", re.MULTILINE)


def commands() -> list[tuple[list[str], str]]:
    """The page's commands: the arguments, and the file that takes what they print, if they name one."""
    found = []
    for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        for command in COMMAND.findall(block):
            name, *words = shlex.split(command)
            assert name == "cavalcade", command
            into = [word.removeprefix(">") for word in words if word.startswith(">")]
            found.append(([word for word in words if ">" not in word], into[0] if into else ""))
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as somewhere:
        renewed(PAGE.read_text(encoding="utf-8"), Path(somewhere))
        for picture in SHOWN.findall(PAGE.read_text(encoding="utf-8")):
            shutil.copy(Path(somewhere) / picture, FOLDER / picture)

"""The pictures of docs/gallery.md, drawn again: `python tests/gallery.py` writes them into docs/pictures/gallery."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from examples import renewed

DOCS = Path(__file__).parent.parent / "docs"
PAGE, FOLDER = DOCS / "gallery.md", DOCS / "pictures" / "gallery"
SHOWN = re.compile(r"^!\[.+\]\(pictures/gallery/(.*)\)$", re.MULTILINE)


def drawn(folder: Path) -> str:
    """Run the page's commands in a folder; returns the page as they leave it."""
    return renewed(PAGE.read_text(encoding="utf-8"), folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as somewhere:
        PAGE.write_text(drawn(Path(somewhere)), encoding="utf-8")
        for name in SHOWN.findall(PAGE.read_text(encoding="utf-8")):
            shutil.copy(Path(somewhere) / name, FOLDER / name)

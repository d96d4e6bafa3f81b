"""The pictures of docs/gallery.md and of the README: `python tests/gallery.py` draws them again."""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from pathlib import Path

from cavalcade.cli import main
from examples import BLOCK, COMMAND, renewed

DOCS = Path(__file__).parent.parent / "docs"
PAGE, FOLDER = DOCS / "gallery.md", DOCS / "pictures" / "gallery"
README = {
    "8x8": "tour 8x8",
    "hex6": "tour hex:6",
    "4x8x8": "tour 4x8x8",
    "4x10": "prove 4x10",
    "dodecahedron": "tour dodecahedron",
    "solution3": "warnsdorff 4x8x8 --program solution3 --fix all --from 1:e8",
}
SHOWN = re.compile(r"^!\[.+\]\(pictures/gallery/(.*)\)$", re.MULTILINE)


def commands() -> list[tuple[list[str], str]]:
    """The commands of the page: arguments, and the file to which the output is redirected, if any."""
    parsed = []
    for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        for command in COMMAND.findall(block):
            name, *words = shlex.split(command)
            assert name == "cavalcade", command
            into = [word.removeprefix(">") for word in words if word.startswith(">")]
            parsed.append(([word for word in words if ">" not in word], into[0] if into else ""))
    return parsed


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as somewhere:
        renewed(PAGE.read_text(encoding="utf-8"), Path(somewhere))
        for picture in SHOWN.findall(PAGE.read_text(encoding="utf-8")):
            shutil.copy(Path(somewhere) / picture, FOLDER / picture)
    for name, words in README.items():
        main([*words.split(), "-o", str(FOLDER.parent / f"{name}.svg")])

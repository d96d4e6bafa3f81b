"""What the build says of the package besides pyproject.toml: its addresses, and the README for an index page.

An index shows the README by itself, so that pictures and links in it need whole addresses. The pages that
`make site` builds have them once they are published: `CAVALCADE_SITE=https://… make release` names the place.
Without it no address is made up, and the index page has neither pictures nor links.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"(!\[[^\]]*\]\(|<img src=\")docs/(pictures/[^)\"]+)")
PICTURES = re.compile(r"^(!\[[^\]]*\]\(docs/.*|<img src=\"docs/.*)\n", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)([^)]*)\)")
PAGE = re.compile(r"(?:docs/)?((?:proofs/)?[\w-]+)\.(?:md|ipynb)(#.*)?")


def for_index(readme: str, site: str) -> str:
    """The README with pictures and links of the site, or without them where there is none."""

    def linked(link: re.Match[str]) -> str:
        page = PAGE.fullmatch(link[2])
        return f"[{link[1]}]({site}/{page[1].lower()}.html{page[2] or ''})" if site and page else link[1]

    shown = PICTURE.sub(rf"\1{site}/\2", readme) if site else PICTURES.sub("", readme)
    return LINK.sub(linked, shown)


class Metadata(MetadataHookInterface):
    """The fields that pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the README, and the addresses if they are known."""
        site = os.environ.get("CAVALCADE_SITE", "").rstrip("/")
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(readme, site)}
        metadata["urls"] = {"Documentation": site, "Changelog": f"{site}/changelog.html"} if site else {}

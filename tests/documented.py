"""Comparison of the pictures in the documentation with pictures of today's page.

Small versions are compared, in which letters of different fonts look alike. If a picture differs, the new one
is in `out/pictures`: look at it, and move it to `docs/pictures`.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
PIXELS = 20  # side of the square that becomes one pixel of the small version
MOST = 6.0  # mean difference of small versions, of 255: other fonts make up to 5, older pages made 11 to 20


def assert_shown(name: str, picture: bytes) -> None:
    """Assert that the documentation shows a picture, which is of today's page."""
    committed = (ROOT / "docs" / "pictures" / f"{name}.png").read_bytes()
    differs = difference(committed, picture)
    if differs > MOST:
        folder = ROOT / "out" / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.png").write_bytes(picture)
    assert differs <= MOST, f"docs/pictures/{name}.png differs from today's page in out/pictures"


def difference(one: bytes, other: bytes) -> float:
    """The mean difference of the small versions of two pictures; infinite if their sizes differ."""
    first, second = small(one), small(other)
    return float(np.abs(first - second).mean()) if first.shape == second.shape else np.inf


def small(picture: bytes) -> NDArray[np.int64]:
    """The small version of a picture."""
    from PIL import Image

    whole: Any = Image.open(io.BytesIO(picture)).convert("RGB")
    size = [side // PIXELS for side in whole.size]
    return np.asarray(whole.resize(size, Image.Resampling.BOX)).astype(np.int64)

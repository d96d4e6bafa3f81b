"""The table of families. A family has its file, and its line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.boards.box_surface import BoxSurface, Cube
from cavalcade.boards.family import Family
from cavalcade.boards.hexagon import Hexagon
from cavalcade.boards.hexagonal import Glinski
from cavalcade.boards.parallelogram import Parallelogram
from cavalcade.boards.plus import Plus
from cavalcade.boards.surfaces import Cylinder, Klein, Mobius, Torus
from cavalcade.boards.triangle import Triangle

if TYPE_CHECKING:
    from collections.abc import Mapping

FAMILIES: Mapping[str, type[Family]] = {
    "box": Family,
    "hex": Glinski,
    "cylinder": Cylinder,
    "torus": Torus,
    "mobius": Mobius,
    "klein": Klein,
    "triangle": Triangle,
    "parallelogram": Parallelogram,
    "hexagon": Hexagon,
    "surface": BoxSurface,
    "cube": Cube,
    "plus": Plus,
}

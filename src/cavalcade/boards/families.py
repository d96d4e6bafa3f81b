"""The table of families. A new family needs its own file and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from cavalcade.boards.box_surface import BoxSurface, Cube
from cavalcade.boards.family import Family
from cavalcade.boards.frame import Frame
from cavalcade.boards.hexagonal import Glinski, Hexagon, Parallelogram, Triangle
from cavalcade.boards.plus import Plus
from cavalcade.boards.surfaces import Cylinder, Klein, Mobius, Torus

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
    "frame": Frame,
}

"""Find a tour, check it, look at it, and write it to files."""

import tempfile
from pathlib import Path

import cavalcade

verdict = cavalcade.tour("8x8", start="a1", seed=1)
assert isinstance(verdict, cavalcade.Found)
tour = verdict.tour
print(cavalcade.write(tour))  # numbers on the board
print(cavalcade.check(tour).message)

with tempfile.TemporaryDirectory() as folder:
    for name in ("tour.svg", "tour.csv", "tour.json"):
        cavalcade.save(tour, Path(folder) / name)
    again = cavalcade.read(Path(folder) / "tour.csv")
assert again == tour

"""Whether every verb ends within its limits: `benchmarks/verbs.py [VERB ...] [--seconds S] [--memory M]`.

Each command is asked about boards of 1 to 10 million cells, each time in a process of its own, which has to
load everything. The table has the seconds that it took, and the exit code where that is not 0; a command that
took a second longer than its limit is marked `late`, one that ended by an internal error `broken`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from tempfile import TemporaryDirectory
from typing import NamedTuple

SIDES = (1, 3, 10, 32, 100, 316, 1000, 3162)
STDIN = {
    "check",
    "continue",
    "convert",
    "measure",
    "solve",
    "glue",
    "roesselsprung",
}  # what they read is a file
# the words of each verb; {n} is the side of the board
LINES = {
    "tour": "{n}x{n}",
    "prove": "{n}x{n}",
    "count": "{n}x{n}",
    "list": "{n}x{n}",
    "sample": "{n}x{n}",
    "draw": "{n}x{n}",
    "check": "- --board {n}x{n}",
    "chain": "{n}x{n} --levels 3",
    "connected": "{n}x{n}",
    "continue": "- {n}x{n} --open",
    "convert": "- --board {n}x{n} --format json",
    "decompose": "{n}x{n}",
    "degrees": "{n}x{n}",
    "fewest": "turns {n}x{n}",
    "glue": "- --levels 3",
    "links": "{n}x{n}",
    "magic": "{n}x{n}",
    "measure": "- --board {n}x{n}",
    "optgraph": "{n}x{n}",
    "puzzle": "{n}x{n}",
    "reproduce": "gerlach2015",
    "roesselsprung": "- --separator |",
    "solve": "- --board {n}x{n}",
    "survey": "{n}x{n} -o survey",
    "theorem": "boxes",
    "tsp": "{n}x{n}",
    "uncrossed": "{n}x{n}",
    "warnsdorff": "{n}x{n} --all",
}


class Ended(NamedTuple):
    """How a command ended."""

    seconds: float
    code: int
    error: str


def ended(verb: str, side: int, seconds: float, memory: str, folder: str | None = None) -> Ended:
    """Ask a verb about a board of so many cells on a side."""
    words = LINES[verb].format(n=side).split()
    limits = ["--time-limit", f"{seconds:g}", "--memory", memory]
    command = [sys.executable, "-m", "cavalcade", verb, *words, *limits]
    given = read_by(verb, side) if verb in STDIN else b""
    began = time.perf_counter()
    ran = subprocess.run(command, cwd=folder, input=given, capture_output=True, check=False)
    return Ended(time.perf_counter() - began, ran.returncode, ran.stderr.decode()[-200:])


def read_by(verb: str, side: int) -> bytes:
    """What a verb reads: a text of as many words as the board has cells, or a walk over its first rows."""
    if verb == "roesselsprung":
        return b"to|" * (side * side)
    if verb == "solve":
        return ("1 " + ". " * (side - 1) + "\n" + (". " * side + "\n") * (side - 1)).encode()
    names = ["a1", "b3", "c1"] if side > 2 else ["a1"]
    return "\n".join(["step,name", *(f"{k},{name}" for k, name in enumerate(names, 1))]).encode() * max(
        1, side
    )


def main(words: list[str]) -> None:
    """Print a table with a line for each verb."""
    seconds = float(words.pop(words.index("--seconds") + 1)) if "--seconds" in words else 1.0
    memory = words.pop(words.index("--memory") + 1) if "--memory" in words else "300M"
    verbs = [word for word in words if not word.startswith("-")] or list(LINES)
    print(f"{'cells':14}" + "".join(f"{side * side:>12,}" for side in SIDES))
    late = broken = 0
    for verb in verbs:
        print(f"{verb:14}", end="", flush=True)
        for side in SIDES:
            with TemporaryDirectory() as folder:
                found = ended(verb, side, seconds, memory, folder)
            word = "broken" if found.code == 70 else "late" if found.seconds > seconds + 1 else ""
            late, broken = late + (word == "late"), broken + (word == "broken")
            print(f"{f'{word} {found.seconds:.1f}':>12}", end="", flush=True)
        print()
    print(f"{late} late, {broken} broken")


if __name__ == "__main__":
    main(sys.argv[1:])

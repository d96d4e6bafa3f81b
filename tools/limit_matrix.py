"""Whether every command ends within its limits: `python tools/limit_matrix.py [VERB ...] [--quick] [--cold]`.

Each command runs in a process of its own, once with a time limit of 2 s and once with a memory limit of 200
MB. A command is *late* if it ends more than 0.5 s after its limit, beside the time that it spends compiling
and the time for which it waits for a processor. It is *above* if the peak of its memory exceeds 1.2 times
its limit, beside what the interpreter takes: the peak of a command that loads the same libraries and
compiled kernels for a small question.

`--cold` runs each command with an empty cache of compiled kernels, `--quick` only those of `QUICK`, which the
tests run. The exit code is 1 if a command is late or above.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

SECONDS, LATE = 2.0, 0.5
MEMORY, ABOVE = 200_000_000, 1.2
DEADLINE = 120  # seconds after which a command is stopped
# Commands about questions that take long or much memory, by verb.
LINES = (
    "tour 50x50 --from a1 --at 100=e4",
    "tour 3000x3000",
    "tour 31x31-b1,c1",
    "tour kneser:15,7",
    "tour torus:300x301 --open",
    "tour 20x20 --symmetry half-turn --avoid a1-b3",
    "tour 60x60 --moves clockwise",
    "tour hex:100",
    "prove 3163x3163",
    "prove 100x100-a1,b2",
    "prove 200x200-c3,j7",
    "count 9x10",
    "count 20x20",
    "count 8x8 --symmetry",
    "count 3x1000",
    "list 6x6",
    "list 7x8",
    "sample 8x8 --count 5",
    "sample 10x10",
    "draw 1000x1000 -o a.png",
    "draw 316x316 -o a.svg",
    "chain 100x100 --levels 100",
    "connected 30x30",
    "decompose torus:400x401",
    "decompose 100x100",
    "degrees 3000x3000",
    "fewest turns 10x10",
    "fewest crossings 8x8",
    "links 1000x1000",
    "magic 8x8",
    "optgraph 100x100",
    "puzzle 20x20",
    "survey 4x4 -o s",
    "symmetries 1000x1000",
    "theorem boxes",
    "tsp 40x40",
    "uncrossed 9x9",
    "warnsdorff 1000x1000",
    "warnsdorff 8x8 --all",
    "reproduce gerlach2019",
    "oeis A001230",
)
QUICK = ("tour 50x50 --from a1 --at 100=e4", "decompose torus:400x401", "count 9x10")
# Small questions whose command loads NumPy, SciPy, the solver and compiled kernels.
BASELINE = "prove torus:60x61 --open", "tsp 12x12", "count 6x8"


class Ended(NamedTuple):
    """How a command ended.

    Attributes:
        seconds: seconds on the clock.
        compiling: seconds of them that compiled kernels.
        waiting: seconds of them for which the main thread waited for a processor, on a busy machine.
        peak: peak of memory in bytes.
        code: exit code, negative if the process was killed.
    """

    seconds: float
    compiling: float
    waiting: float
    peak: int
    code: int


# Prints what the parent cannot see, after the command has ended.
CHILD = """
import sys, time
from cavalcade.ground import budget, system
from cavalcade.cli import main
def waited():
    return int(open("/proc/self/schedstat").read().split()[1]) / 1e9
before, began = waited(), time.perf_counter()
code = main(sys.argv[1:])
seconds = time.perf_counter() - began
sys.stdout.flush()
print(f"\\n@ {seconds} {budget.stopped_seconds()} {waited() - before} {system.peak_memory()} {int(code)}",
file=sys.stderr)
"""


def ended(line: str, *, cache: Path | None = None) -> Ended:
    """Run a command and measure it."""
    env = os.environ | ({"NUMBA_CACHE_DIR": str(cache)} if cache else {})
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        try:
            done = subprocess.run(
                [sys.executable, "-c", CHILD, *line.split()], cwd=folder, env=env, capture_output=True,
                stdin=subprocess.DEVNULL, timeout=DEADLINE, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Ended(time.perf_counter() - began, 0, 0, 0, -9)
    report = done.stderr.decode().rpartition("\n@ ")[2].split()
    if len(report) != 5:  # the process died
        return Ended(time.perf_counter() - began, 0, 0, 0, done.returncode)
    seconds, compiling, waiting = map(float, report[:3])
    return Ended(seconds, compiling, waiting, peak=int(report[3]), code=int(report[4]))


def is_late(command: Ended, limit: float) -> bool:
    """Whether a command ended too late for its time limit in seconds."""
    allowed = limit + LATE + command.compiling + command.waiting
    return command.code < 0 or command.seconds > allowed


def is_above(command: Ended, limit: int, interpreter: int) -> bool:
    """Whether a command had more memory than its limit and what the interpreter takes, all in bytes."""
    return command.code < 0 or command.peak > ABOVE * limit + interpreter


def measured(lines: list[str], *, cold: bool = False) -> list[str]:
    """Measure commands under both limits, print a row for each, and return those that are late or above."""
    failures = []
    interpreter = max(ended(line).peak for line in BASELINE)
    sys.stdout.write(f"the interpreter, libraries and kernels take {interpreter / 1e6:.0f} MB\n")
    for line in lines:
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) if cold else None
            timed = ended(f"{line} --time-limit {SECONDS:g}", cache=cache)
            held = ended(f"{line} --time-limit 20 --memory {MEMORY}", cache=cache)
        words = []
        if is_late(timed, SECONDS):
            words.append("LATE")
        if is_above(held, MEMORY, interpreter):
            words.append("ABOVE")
        if 70 in {timed.code, held.code}:
            words.append("BROKEN")
        row = f"{line:50} {timed.seconds:6.2f} s ({timed.compiling:5.2f} compiling), exit {timed.code:3}; "
        sys.stdout.write(
            f"{row}{held.peak / 1e6:6.0f} MB, exit {held.code:3} {' '.join(words)}".rstrip() + "\n"
        )
        sys.stdout.flush()
        failures += [line] * bool(words)
    return failures


def main(arguments: list[str]) -> int:
    """Measure the commands of the named verbs, by default all."""
    verbs = [word for word in arguments if not word.startswith("-")]
    lines = list(QUICK if "--quick" in arguments else LINES)
    failures = measured(
        [line for line in lines if not verbs or line.split()[0] in verbs], cold="--cold" in arguments
    )
    sys.stdout.write(f"{len(failures)} of {len(lines)} commands late or above\n")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Test what is published, on every Python from 3.11 to 3.13 that is here: `make test-wheel`.

The source distribution is built, and the wheel from it. Each Python gets an environment of its own, with the
wheel alone in it, where `tests/bare.py` runs, on all cores. On the oldest and the newest what the tests
below need is added, and they run. They are those of the source distribution, unpacked elsewhere. Arguments go
to pytest instead, on every Python, so that `tests` runs them all. With `extras` each extra is installed by
itself on the first Python instead, and has to do what it promises, which the bare wheel says it cannot.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINORS = (11, 12, 13)
NEEDED = "networkx,png,gif,pdf"  # extras, for the tests below
QUICK = ("architecture", "startup", "boards", "graph", "find", "tours", "families", "formats", "draw")

LINKS = "a b 3\\nb c 2\\nc a 2\\na d 9\\nb d 1\\nc d 1\\n"
POEM = "A tiger lives in the dark of the forest of India today"
BACKEND = """
import networkx as nx
assert nx.tournament.hamiltonian_path(nx.DiGraph([(1, 2)]), backend="cavalcade") == [1, 2]
"""
# what each extra promises, as a command of the shell
EXTRAS = {
    "png": "cavalcade draw 5x6 -o a.png && test -s a.png",
    "gif": "cavalcade tour 5x6 -o a.gif && test -s a.gif",
    "pdf": "cavalcade draw 5x6 -o a.pdf && test -s a.pdf",
    "networkx": "echo IheA@GUAo > p.g6; cavalcade convert p.g6 --format gml > a.gml && "
    "cavalcade tour a.gml --open && "
    f"python -c '{BACKEND}'",
    "pandas": "python -c 'import cavalcade; "
    'cavalcade.survey("3x{n} for n in 9..10", "rows", verb="count", workers=1).to_pandas()\'',
    "puzzles": f"echo '{POEM}' > t.txt; cavalcade roesselsprung t.txt --language en",
    "survey": "cavalcade survey '{m}x{n} for m in 3..4, n in m..2*m' --rows parquet -o rows",
    "tsp": f"printf '{LINKS}' > w.txt; cavalcade tsp w.txt",
    "studio": "python -c 'import cavalcade.studio.server'",
    "notebook": "python -c 'import cavalcade; cavalcade.widget()'",
}


def pythons() -> dict[str, str]:
    """The interpreters that start, by their version: on the path, and those that pyenv keeps."""
    kept = Path.home() / ".pyenv" / "versions"
    found: dict[str, str] = {}
    for minor in MINORS:
        here = [sys.executable] if sys.version_info[:2] == (3, minor) else []
        for command in [*here, f"python3.{minor}", *map(str, sorted(kept.glob(f"3.{minor}.*/bin/python3")))]:
            try:
                done = subprocess.run([command, "-c", "import venv"], capture_output=True, check=False)
            except OSError:
                continue
            if done.returncode == 0:
                found[f"3.{minor}"] = command
                break
    return found


def run(*command: str | Path, where: Path = ROOT) -> str:
    """What a command prints.

    Raises:
        SystemExit: it fails.
    """
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def environment(command: str, home: Path, *wanted: str | Path) -> Path:
    """A new environment with some packages: its Python."""
    run(command, "-m", "venv", "--clear", home)
    return added(home / "bin" / "python", *wanted)


def added(python: Path, *wanted: str | Path) -> Path:
    """The Python of an environment, with more packages."""
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-compile")
    run(python, *pip, "--constraint", "constraints.txt", *wanted)
    return python


def extras(wheel: Path, build: Path) -> None:
    """Install each extra by itself, and have it do what it promises."""
    command = next(iter(pythons().values()))
    for name in ("", *EXTRAS):
        home = build / "extras" / (name or "none")
        environment(command, home, f"{wheel}[{name}]" if name else wheel)
        for one in [name] if name else EXTRAS:
            folder = home / one
            folder.mkdir()
            done = subprocess.run(
                ["bash", "-c", EXTRAS[one]],  # noqa: S607 - of the system
                cwd=folder,
                env=os.environ | {"PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"},
                capture_output=True,
                text=True,
                check=False,
            )
            refused = "is not installed: pip install " in done.stderr or "No module named" in done.stderr
            right = refused and done.returncode != 0 if not name else done.returncode == 0
            sys.stdout.write(f"{name or 'no extra'}: {one} {'as it should' if right else 'WRONG'}\n")
            sys.stdout.flush()
            if not right:
                sys.exit(f"{EXTRAS[one]}\n{done.stdout}{done.stderr}")


def tested(version: str, command: str, wheel: Path, source: Path, tests: list[str], needs: list[str]) -> str:
    """The bare wheel on a Python, then the tests if there are any: what they say, and how long it took."""
    began = time.monotonic()
    python = environment(command, ROOT / "build" / f"python{version}", wheel)
    said = run(python, "tests/bare.py", where=source)
    bare = time.monotonic()
    if tests:
        added(python, *needs)
        inside = "import cavalcade, sys; sys.exit('site-packages' not in cavalcade.__file__)"
        run(python, "-P", "-c", inside, where=source)
        said += run(python, "-P", "-m", "pytest", "-p", "no:cacheprovider", *tests, where=source)
    seconds = f"{bare - began:.0f} s bare, {time.monotonic() - bare:.0f} s tests"
    return f"Python {version}, {wheel.name}: {seconds}\n{said.rstrip()}\n"


def main(arguments: list[str]) -> None:
    """Build, install and test."""
    build = ROOT / "build" / "published"
    shutil.rmtree(build, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", build, ".")
    (wheel,) = build.glob("*.whl")
    (source,) = build.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(build, filter="data")
    unpacked = build / source.name.removesuffix(".tar.gz")
    if arguments == ["extras"]:
        extras(wheel, build)
        return
    here = pythons()
    ends = [*here][:: max(1, len(here) - 1)]
    quick = [f"tests/test_{name}.py" for name in QUICK]
    needs = [f"{wheel}[dev]"] if arguments else [f"{wheel}[{NEEDED}]", "pytest", "hypothesis"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        every = [
            pool.submit(tested, one, here[one], wheel, unpacked, arguments or quick * (one in ends), needs)
            for one in sorted(here, key=lambda one: one not in ends)
        ]
        for done in every:
            sys.stdout.write(done.result())
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])

"""Test the published archives on every Python from 3.11 to 3.13 that is installed: `make test-wheel`.

The source distribution is built, and the wheel from it. Each Python gets an environment that contains only
the wheel, in which `tests/bare.py` runs commands of the documentation: all pages on the Python that runs this
script, pages with little to compile on the others. The tests of `SMOKE` then run on the oldest and on the
newest Python, except on the Python that runs this script, because the whole suite runs there anyway. All
tests come from the source distribution, unpacked elsewhere.

Arguments go to pytest instead, on every Python, so that `tests` runs the whole suite. With the argument
`extras` each extra is installed alone on the first Python. The bare wheel must name the missing extra, and
the extra must do what it promises.
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
NEEDED = "networkx,png,gif,pdf"  # extras that the tests of `SMOKE` need
SMOKE = ("startup", "boards", "graph", "find", "tours", "families", "formats", "draw")
PAGES = ("index", "ten-minutes", "find", "sample", "draw", "families", "graphs")  # compile few kernels

LINKS = "a b 3\\nb c 2\\nc a 2\\na d 9\\nb d 1\\nc d 1\\n"
POEM = "A tiger lives in the dark of the forest of India today"
BACKEND = """
import networkx as nx
assert nx.tournament.hamiltonian_path(nx.DiGraph([(1, 2)]), backend="cavalcade") == [1, 2]
"""
# One shell command per extra that needs it.
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
    """Return a working interpreter per version, from the path or from pyenv."""
    pyenv = Path.home() / ".pyenv" / "versions"
    commands: dict[str, str] = {}
    for minor in MINORS:
        own = [sys.executable] if sys.version_info[:2] == (3, minor) else []
        installed = map(str, sorted(pyenv.glob(f"3.{minor}.*/bin/python3")))
        for command in [*own, f"python3.{minor}", *installed]:
            try:
                done = subprocess.run([command, "-c", "import venv"], capture_output=True, check=False)
            except OSError:
                continue
            if done.returncode == 0:
                commands[f"3.{minor}"] = command
                break
    return commands


def run(*command: str | Path, where: Path = ROOT) -> str:
    """Return the output of a command.

    Raises:
        SystemExit: the command fails.
    """
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def environment(command: str, home: Path, *packages: str | Path) -> Path:
    """Create an environment with some packages; return its Python."""
    run(command, "-m", "venv", "--clear", home)
    python = home / "bin" / "python"
    install(python, *packages)
    return python


def install(python: Path, *packages: str | Path) -> None:
    """Install packages into the environment of a Python."""
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-compile")
    run(python, *pip, "--constraint", "constraints.txt", *packages)


def extras(wheel: Path, build: Path) -> None:
    """Install each extra alone and run its command; run all commands without any extra."""
    command = next(iter(pythons().values()))
    for name in ("", *EXTRAS):
        home = build / "extras" / (name or "none")
        environment(command, home, f"{wheel}[{name}]" if name else wheel)
        for extra in [name] if name else EXTRAS:
            folder = home / extra
            folder.mkdir()
            done = subprocess.run(
                ["bash", "-c", EXTRAS[extra]],  # noqa: S607 - of the system
                cwd=folder,
                env=os.environ | {"PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"},
                capture_output=True,
                text=True,
                check=False,
            )
            refused = " -m pip install " in done.stderr or "No module named" in done.stderr
            right = refused and done.returncode != 0 if not name else done.returncode == 0
            sys.stdout.write(f"{name or 'no extra'}: {extra} {'as it should' if right else 'WRONG'}\n")
            sys.stdout.flush()
            if not right:
                sys.exit(f"{EXTRAS[extra]}\n{done.stdout}{done.stderr}")


def tested(version: str, command: str, wheel: Path, source: Path, tests: list[str], needs: list[str]) -> str:
    """Test the bare wheel on one Python, then run tests; return their output with the times.

    Args:
        version: version of the Python, such as 3.12.
        command: the interpreter.
        wheel: the wheel to test.
        source: the unpacked source distribution.
        tests: arguments for pytest; empty to run `tests/bare.py` alone.
        needs: packages that the tests need.
    """
    start = time.monotonic()
    python = environment(command, ROOT / "build" / f"python{version}", wheel)
    pages = () if command == sys.executable else PAGES
    output = run(python, "tests/bare.py", *pages, where=source)
    bare = time.monotonic()
    if tests:
        install(python, *needs)
        inside = "import cavalcade, sys; sys.exit('site-packages' not in cavalcade.__file__)"
        run(python, "-P", "-c", inside, where=source)
        output += run(python, "-P", "-m", "pytest", "-p", "no:cacheprovider", *tests, where=source)
    seconds = f"{bare - start:.0f} s bare, {time.monotonic() - bare:.0f} s tests"
    return f"Python {version}, {wheel.name}: {seconds}\n{output.rstrip()}\n"


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
    commands = pythons()
    ends = {version for version in (min(commands), max(commands)) if commands[version] != sys.executable}
    smoke = [f"tests/test_{name}.py" for name in SMOKE]
    needs = [f"{wheel}[dev]"] if arguments else [f"{wheel}[{NEEDED}]", "pytest", "hypothesis"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [
            pool.submit(
                tested, version, command, wheel, unpacked, arguments or smoke * (version in ends), needs
            )
            for version, command in sorted(commands.items(), key=lambda pair: pair[0] not in ends)
        ]
        for job in jobs:
            sys.stdout.write(job.result())
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])

"""Test what is published, on every Python from 3.11 to 3.14 that this machine has: `make test-wheel`.

The source distribution is built, and the wheel from it. Each Python gets an environment of its own, with the
wheel in it; the tests are those of the source distribution, unpacked elsewhere. Without arguments the tests
below run, about a minute for each Python; arguments go to pytest instead, so that `tests` runs them all.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINORS = (11, 12, 13, 14)
QUICK = ("architecture", "startup", "boards", "graph", "find", "tours", "families", "formats", "draw")


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


def run(*command: str | Path, where: Path = ROOT, quiet: bool = True) -> None:
    """Run a command; what it printed is shown if it fails."""
    done = subprocess.run(command, cwd=where, capture_output=quiet, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout or ''}{done.stderr or ''}".rstrip())


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
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet")
    tests = arguments or [f"tests/test_{name}.py" for name in QUICK]
    for version, command in pythons().items():
        home = ROOT / "build" / f"python{version}"
        python = home / "bin" / "python"
        run(command, "-m", "venv", "--clear", home)
        run(python, *pip, "install", "--constraint", "constraints.txt", f"{wheel}[dev]")
        run(
            python, "-P", "-c", "import cavalcade, sys; sys.exit('src' in cavalcade.__file__)", where=unpacked
        )
        sys.stdout.write(f"Python {version}, {wheel.name}\n")
        sys.stdout.flush()
        run(python, "-P", "-m", "pytest", "-p", "no:cacheprovider", *tests, where=unpacked, quiet=False)


if __name__ == "__main__":
    main(sys.argv[1:])

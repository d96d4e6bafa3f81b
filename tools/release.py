"""Make what is published, into dist/, all but the upload: `make release`, which tests beforehand.

The commit that is checked out is built twice, in two folders, and both builds must be the same bytes. Beside
the source distribution and the wheel are the notes, from the changelog; `sbom.json`, what it installs, in
CycloneDX; and SHA256SUMS. A service of the index is asked for known faults, where it can be reached.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
PINS = ROOT / "constraints.txt"


def run(*command: str | Path, where: Path = ROOT, **settings: str) -> str:
    """What a command prints; where it fails, that and nothing more."""
    env = os.environ | settings
    done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def built(folder: Path, when: str) -> dict[str, bytes]:
    """The commit, exported to a folder and built there."""
    folder.mkdir(parents=True)
    run("git", "archive", "--output", folder / "all.tar", "HEAD")
    run("tar", "-xf", "all.tar", where=folder)
    (folder / "all.tar").unlink()
    pins = {"SOURCE_DATE_EPOCH": when, "PIP_CONSTRAINT": PINS.as_uri()}  # a path may have spaces
    run(sys.executable, "-m", "build", "--outdir", folder / "dist", folder, where=folder, **pins)
    return {file.name: file.read_bytes() for file in sorted((folder / "dist").iterdir())}


def notes(version: str) -> str:
    """The section of the changelog.

    Raises:
        SystemExit: there is none.
    """
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version)}\n+(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else sys.exit(f"CHANGELOG.md has no section ## {version}")


def faults(listed: list[str]) -> str:
    """What is known to be wrong with these packages, in a sentence.

    Raises:
        SystemExit: something is.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as pinned:
        pinned.write("\n".join(listed))
        pinned.flush()
        audit = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--format", "json"]
        done = subprocess.run(
            [*audit, "--requirement", pinned.name], capture_output=True, text=True, check=False
        )
    try:
        answers = json.loads(done.stdout)["dependencies"]
    except ValueError:
        return f"known faults: not checked: {done.stderr.strip().splitlines()[-1]}"
    bad = [f"{one['name']} {one['version']}: {it['id']}" for one in answers for it in one.get("vulns", [])]
    if bad:
        sys.exit("\n".join(["known faults:", *bad]))
    asked = sum("skip_reason" not in one for one in answers)
    if not asked:
        return f"known faults: not checked, as the service answered for none of {len(answers)} packages"
    return f"known faults: none in {asked} packages; {len(answers) - asked} not checked"


def main() -> None:
    """Build, compare, list, note."""
    if changed := run("git", "status", "--porcelain"):
        sys.exit(f"a release is made of a commit, expected no changes:\n{changed}".rstrip())
    when = run("git", "log", "-1", "--format=%ct").strip()
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        first, second = built(here / "one", when), built(here / "two" / "deeper", when)
        for name, content in first.items():
            if content != second.get(name):
                sys.exit(f"{name}: two builds differ")
        DIST.mkdir()
        for name, content in first.items():
            (DIST / name).write_bytes(content)
        (wheel,) = DIST.glob("*.whl")
        version = wheel.name.split("-")[1]
        (DIST / "NOTES.md").write_text(notes(version), encoding="utf-8")
        run(sys.executable, "-m", "twine", "check", "--strict", *(DIST / name for name in first))
        python = here / "bare" / "bin" / "python"
        run(sys.executable, "-m", "venv", "--without-pip", here / "bare")
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(python)]
        run(*pip, "install", "--find-links", DIST, "--constraint", PINS, f"cavalcade=={version}")
        listing = ["environment", "--output-reproducible", "--mc-type", "library", str(python)]
        sbom = json.loads(run(sys.executable, "-m", "cyclonedx_py", *listing))
    (DIST / "sbom.json").write_text(json.dumps(sbom, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    packages = {f"{one['name']}=={one['version']}" for one in sbom["components"]}
    files = sorted(DIST.iterdir())
    sums = "".join(f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in files)
    (DIST / "SHA256SUMS").write_text(sums, encoding="utf-8")
    sys.stdout.write(f"{sums}two builds in two folders: the same bytes\n")
    sys.stdout.write(faults(sorted(packages - {f"cavalcade=={version}"})) + "\n")
    sys.stdout.write(f"To publish: python -m twine upload dist/{wheel.name} dist/*.tar.gz\n")


if __name__ == "__main__":
    main()

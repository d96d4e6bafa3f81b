"""Build a release into dist/, without the upload: `make release`, which runs the tests first.

The checked-out commit is built twice, in two folders, and both builds must be identical. dist/ contains the
source distribution, the wheel, the notes from the changelog, the installed packages with the hashes of their
archives as `sbom.json` in CycloneDX, and SHA256SUMS. pip-audit looks up known vulnerabilities. Without an
answer for every package there is no release: `--unaudited` builds one all the same, and its notes say so.
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
from typing import Any

from packaging.utils import canonicalize_name

from pins import read_hashes

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
PINS = ROOT / "constraints.txt"
NOT_LOOKED_UP = "known vulnerabilities were not looked up: {}\nAdd --unaudited for a release without."


def run(*command: str | Path, where: Path = ROOT, **settings: str) -> str:
    """Return the output of a command; exit with its output if it fails."""
    env = os.environ | settings
    done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def built(folder: Path, when: str) -> dict[str, bytes]:
    """Export the commit to a folder and build it there; return the archives by file name."""
    folder.mkdir(parents=True)
    run("git", "archive", "--output", folder / "all.tar", "HEAD")
    run("tar", "-xf", "all.tar", where=folder)
    (folder / "all.tar").unlink()
    pins = {
        "SOURCE_DATE_EPOCH": when,
        "PIP_CONSTRAINT": PINS.as_uri(),
    }  # a URI, because a path may contain spaces
    run(sys.executable, "-m", "build", "--outdir", folder / "dist", folder, where=folder, **pins)
    return {file.name: file.read_bytes() for file in sorted((folder / "dist").iterdir())}


def notes(version: str) -> str:
    """Return the section of the changelog for a version.

    Raises:
        SystemExit: the changelog has no such section.
    """
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {re.escape(version)}\n+(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return section[1] if section else sys.exit(f"CHANGELOG.md has no section ## {version}")


def audit(requirements: list[str]) -> str:
    """Return a sentence about known vulnerabilities of the given packages.

    Raises:
        SystemExit: a package has a known vulnerability, or was not looked up.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as pinned:
        pinned.write("\n".join(requirements))
        pinned.flush()
        command = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--format", "json"]
        done = subprocess.run(
            [*command, "--requirement", pinned.name], capture_output=True, text=True, check=False
        )
    try:
        answers = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        reason = (done.stderr.strip() or "no answer").splitlines()[-1]
        sys.exit(NOT_LOOKED_UP.format(reason))
    vulnerable = [
        f"{package['name']} {package['version']}: {fault['id']}"
        for package in answers
        for fault in package.get("vulns", [])
    ]
    if vulnerable:
        sys.exit("\n".join(["known vulnerabilities:", *vulnerable]))
    looked_up = {canonicalize_name(package["name"]) for package in answers if "skip_reason" not in package}
    missing = [line for line in requirements if canonicalize_name(line.partition("==")[0]) not in looked_up]
    if missing:
        sys.exit(NOT_LOOKED_UP.format(", ".join(missing)))
    return f"known vulnerabilities: none in {len(looked_up)} packages"


def with_hashes(sbom: dict[str, Any], digests: dict[str, str], archives: dict[str, bytes]) -> dict[str, Any]:
    """Add the SHA-256 of its archive to each package of a list in CycloneDX.

    Args:
        sbom: the list.
        digests: SHA-256 by `name==version`, from `hashes.txt`.
        archives: archives of this release by file name.

    Raises:
        SystemExit: the hash of a package is unknown.
    """
    (wheel,) = (content for name, content in archives.items() if name.endswith(".whl"))
    for part in sbom["components"]:
        key = f"{canonicalize_name(part['name'])}=={part['version']}"
        digest = hashlib.sha256(wheel).hexdigest() if part["name"] == "cavalcade" else digests.get(key)
        if digest is None:
            sys.exit(f"hashes.txt has no {key}: run python tools/pins.py")
        part["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return sbom


def lines_of(sbom: dict[str, Any]) -> list[str]:
    """Return the lines of a requirements file with the packages of a list in CycloneDX, and their hashes."""
    return [
        f"{part['name']}=={part['version']} --hash=sha256:{part['hashes'][0]['content']}"
        for part in sbom["components"]
        if part["name"] != "cavalcade"
    ]


def main(arguments: list[str]) -> None:
    """Build twice, compare, and write the archives, notes, packages and checksums."""
    if changed := run("git", "status", "--porcelain"):
        sys.exit(f"a release is made of a commit, expected no changes:\n{changed}".rstrip())
    when = run("git", "log", "-1", "--format=%ct").strip()
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        first, second = built(scratch / "one", when), built(scratch / "two" / "deeper", when)
        for name, content in first.items():
            if content != second.get(name):
                sys.exit(f"{name}: two builds differ")
        DIST.mkdir()
        for name, content in first.items():
            (DIST / name).write_bytes(content)
        (wheel,) = DIST.glob("*.whl")
        version = wheel.name.split("-")[1]
        run(sys.executable, "-m", "twine", "check", "--strict", *(DIST / name for name in first))
        python = scratch / "bare" / "bin" / "python"
        run(sys.executable, "-m", "venv", "--without-pip", scratch / "bare")
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(python)]
        run(*pip, "install", "--find-links", DIST, "--constraint", PINS, f"cavalcade=={version}")
        listing = ["environment", "--output-reproducible", "--mc-type", "library", str(python)]
        listed = json.loads(run(sys.executable, "-m", "cyclonedx_py", *listing))
        sbom = with_hashes(listed, read_hashes(), first)
        pinned = scratch / "hashes.txt"  # pip downloads each archive anew, and compares its hash
        pinned.write_text("".join(f"{line}\n" for line in lines_of(sbom)), encoding="utf-8")
        check = ("--dry-run", "--ignore-installed", "--no-deps", "--require-hashes")
        run(*pip, "install", *check, "--requirement", pinned)
    audited = "known vulnerabilities: not looked up"
    if "--unaudited" not in arguments:
        audited = audit([line.partition(" ")[0] for line in lines_of(sbom)])
    (DIST / "NOTES.md").write_text(f"{notes(version)}\n{audited}.\n", encoding="utf-8")
    (DIST / "sbom.json").write_text(json.dumps(sbom, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    files = sorted(DIST.iterdir())
    sums = "".join(
        f"{hashlib.sha256(artifact.read_bytes()).hexdigest()}  {artifact.name}\n" for artifact in files
    )
    (DIST / "SHA256SUMS").write_text(sums, encoding="utf-8")
    sys.stdout.write(f"{sums}two builds in two folders: the same bytes\n")
    sys.stdout.write(f"{audited}\n")
    sys.stdout.write(f"To publish: python -m twine upload dist/{wheel.name} dist/*.tar.gz\n")


if __name__ == "__main__":
    main(sys.argv[1:])

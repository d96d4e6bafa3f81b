"""Write `hashes.txt` and `docs/licences.md` from what pip would install: `python tools/pins.py [REPORT]`.

pip resolves the package with all extras and groups under `constraints.txt`, installs nothing, and reports the
archive, its SHA-256 and the metadata of every package. `hashes.txt` lists the versions with their hashes, for
`pip install --require-hashes`; the page lists the licences by extra. REPORT is a report of `pip install
--report` made before, instead of a new one.

pip refuses editable packages if a constraints file has hashes, so they are in a file of their own. They are
for Linux on x86-64 and the Python that runs this script.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

sys.path.append(str(Path(__file__).parent))

from groups import PROJECT, requirements

ROOT = Path(__file__).resolve().parent.parent
HASHES, PAGE = ROOT / "hashes.txt", ROOT / "docs" / "licences.md"
TEXTS = {  # words that only the text of one licence has
    "Mozilla Public License Version 2.0": "MPL-2.0",
    "Permission is hereby granted, free of charge": "MIT",
    "Apache License Version 2.0": "Apache-2.0",
}
HEAD = """# Licences of what is installed

cavalcade has the MIT licence. pip downloads the packages below from their publishers, under their own
licences; no archive of cavalcade contains these packages. If you distribute a container with cavalcade, you
also distribute them.

The lists show the versions in `constraints.txt`, on Linux with Python {python}, and include the packages that
each package needs. The names of the licences are from the metadata of the
packages. `python tools/pins.py` writes this page.
"""


def report() -> dict[str, Any]:
    """Return pip's report on the package with all its extras and groups."""
    extras = [name for name in PROJECT["project"]["optional-dependencies"] if name != "all"]
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = (
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--dry-run"),
            *("--ignore-installed", "--report", file.name, "--constraint", "constraints.txt"),
            f".[{','.join(extras)}]",
            *requirements(PROJECT["dependency-groups"]),
        )
        subprocess.run(command, cwd=ROOT, check=True)
        return dict(json.loads(Path(file.name).read_text("utf-8")))


def archives(installed: list[dict[str, Any]]) -> dict[str, str]:
    """Return the SHA-256 of the archive of each package, by `name==version`."""
    return {
        f"{canonicalize_name(package['metadata']['name'])}=={package['metadata']['version']}": digest
        for package in installed
        if (digest := package["download_info"].get("archive_info", {}).get("hashes", {}).get("sha256"))
    }


def read_hashes() -> dict[str, str]:
    """Return the SHA-256 of each package by `name==version`, as `hashes.txt` has them."""
    lines = HASHES.read_text("utf-8").splitlines()
    pairs = (line.split(" --hash=sha256:") for line in lines if not line.startswith("#"))
    return {pair[0]: pair[1] for pair in pairs}


def licence(metadata: dict[str, Any]) -> str:
    """Return the licence that the metadata of a package declares, in a few words."""
    expression = metadata.get("license_expression")
    if not expression:  # pip before version 25 does not report it, but the installed package may have it
        with suppress(PackageNotFoundError):
            expression = distribution(metadata["name"]).metadata["License-Expression"]
    if expression:
        return str(expression)
    words = [name.rpartition(" :: ")[2] for name in metadata.get("classifier", ()) if "License ::" in name]
    named = [name for name in words if name != "OSI Approved"]
    first = (metadata.get("license") or "").strip().partition("\n")[0]
    short = first if 0 < len(first) < 60 else named_in_file(metadata["name"])
    return " or ".join(named) or short or "see its archive"


def named_in_file(name: str) -> str:
    """Return the licence whose text an installed package contains; empty if there is none that is known."""
    with suppress(PackageNotFoundError):
        for file in distribution(name).files or ():
            if re.fullmatch(r"(LICEN[CS]E|COPYING)(\.\w+)?", file.name) and ".dist-info" in str(file):
                text = " ".join(file.read_text(encoding="utf-8").split())
                return next((licence for words, licence in TEXTS.items() if words in text), "")
    return ""


def needed(name: str, extras: frozenset[str], packages: dict[str, dict[str, Any]]) -> set[str]:
    """Return the packages that a package with some extras needs, directly or not."""
    reached: set[str] = set()
    todo = [(name, extras)]
    done: set[tuple[str, frozenset[str]]] = set()
    while todo:
        current = todo.pop()
        if current in done or current[0] not in packages:
            continue
        done.add(current)
        for line in packages[current[0]].get("requires_dist", ()):
            requirement = Requirement(line)
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *current[1])):
                package = canonicalize_name(requirement.name)
                reached.add(package)
                todo.append((package, frozenset(requirement.extras)))
    return reached & packages.keys() - {"cavalcade"}


def page(installed: list[dict[str, Any]]) -> str:
    """Return the page on licences."""
    packages: dict[str, dict[str, Any]] = {
        canonicalize_name(package["metadata"]["name"]): package["metadata"] for package in installed
    }
    bare = needed("cavalcade", frozenset(), packages)
    text = [HEAD.format(python=f"{sys.version_info.major}.{sys.version_info.minor}")]
    extras = [name for name in packages["cavalcade"]["provides_extra"] if name != "all"]
    sections: dict[str, set[str]] = {"The package without extras": bare}
    for name in extras:
        sections[f"The extra `{name}`"] = needed("cavalcade", frozenset({name}), packages) - bare
    for title, more in sections.items():
        text.append(f"## {title}\n")
        named: dict[str, list[str]] = {}
        for part in sorted(more):
            words = f"{packages[part]['name']} {packages[part]['version']}"
            named.setdefault(licence(packages[part]), []).append(words)
        text += [f"- {terms}: {', '.join(names)}" for terms, names in sorted(named.items())]
        text.append("")
    return "\n".join(text)


def main(arguments: list[str]) -> None:
    """Write both files."""
    made = json.loads(Path(arguments[0]).read_text("utf-8")) if arguments else report()
    lines = [f"{name} --hash=sha256:{digest}\n" for name, digest in sorted(archives(made["install"]).items())]
    python = made["environment"]["python_version"]
    head = f"# Written by tools/pins.py for Linux on x86-64, Python {python}: docs/decisions/0022-hashes.md\n"
    HASHES.write_text(head + "".join(lines), encoding="utf-8")
    PAGE.write_text(page(made["install"]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

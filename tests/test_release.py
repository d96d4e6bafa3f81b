"""The metadata of a release: version, tested Pythons, and the README for a package index."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

import cavalcade

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tools"))

pytest.importorskip("hatchling")

import metadata  # noqa: E402 - a script
import release  # noqa: E402 - as above
import test_wheel  # noqa: E402 - as above

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_version_is_one() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", cited, re.MULTILINE) == [cavalcade.__version__]
    assert release.notes(cavalcade.__version__).startswith("### ")
    with pytest.raises(SystemExit, match=r"no section ## 99\.0"):
        release.notes("99.0")


def test_every_declared_python_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    assert declared == [f"3.{minor}" for minor in test_wheel.MINORS]
    policy = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    assert f"{', '.join(declared[:-1])} and {declared[-1]}." in policy


def test_an_index_page_has_absolute_addresses_or_none() -> None:
    plain, whole = metadata.for_index(README, ""), metadata.for_index(README, "https://a.example/b")
    assert not re.search(r"\]\((?!https?:)|<img", plain)
    assert not re.search(r"\]\((?!https?:)|src=\"(?!https?:)", whole)
    assert "](https://a.example/b/pictures/8x8.svg)" in whole
    assert "[docs/counts.md](https://a.example/b/counts.html)" in whole
    assert len(re.findall(r"pictures/", whole)) == len(re.findall(r"docs/pictures/", README))
    pages = {name.lower() for name in re.findall(r"a\.example/b/([\w-]+)\.html", whole)}
    existing = {
        page.stem.lower()
        for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("*.ipynb")]
    }
    assert pages <= existing


def test_the_addresses_of_the_index_page_exist_on_the_site() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    whole = metadata.for_index(README, "https://a.example")
    for name in re.findall(r"a\.example/([\w-]+)\.html", whole):
        assert f"{name}.md" in nav

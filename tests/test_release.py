"""The metadata of a release: version, tested Pythons, and the README for a package index."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import cavalcade

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tools"))

pytest.importorskip("hatchling")

import metadata  # noqa: E402 - a script
import pins  # noqa: E402 - as above
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


def test_the_source_distribution_has_every_file() -> None:
    """It contains what the tests, the documentation and `make formal` need: every file of the repository."""
    from hatchling.builders.sdist import SdistBuilder

    included = {"pyproject.toml"}  # which each source distribution has
    included |= {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    assert len([name for name in included if name.startswith("formal/") and name.endswith(".v")]) >= 24
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:  # not in an unpacked source distribution
        assert {name for name in listed.stdout.split("\n") if name} - included <= {".ci/run", ".gitignore"}


def test_every_pin_has_a_hash() -> None:
    names = (re.split("[ ;]", line)[0] for line in (ROOT / "constraints.txt").read_text().splitlines())
    pinned = {
        f"{re.sub('[-_.]+', '-', name).lower()}=={version}"
        for name, version in (n.split("==") for n in names)
    }
    hashes = pins.read_hashes()
    others = {name.partition("==")[0] for name in hashes.keys() - pinned}
    assert {name.partition("==")[0] for name in pinned - hashes.keys()} <= {
        "pyee"
    }  # no package needs it any more
    assert others <= {
        "absl-py",
        "elkai",
        "graphillion",
        "immutabledict",
        "ortools",
        "pip",
        "protobuf",
        "tomli",
    }


def test_the_page_on_licences_names_each_package_of_an_extra() -> None:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = {
        name.lower().replace("_", "-") for name in re.findall(r"(?<=[:,] )([\w.-]+) \d[^ ,]*(?=,|\n)", page)
    }
    needs = [*project["dependencies"]]
    for extra, lines in project["optional-dependencies"].items():
        if extra != "all":
            needs += lines
            assert f"## The extra `{extra}`" in page
    assert {re.split(r"[\[>=]", line)[0] for line in needs} <= listed


CLICK = {"name": "click", "version": "8"}


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (None, "were not looked up: no network"),
        ([CLICK | {"vulns": []}], "were not looked up: NumPy==2"),
        (
            [{"name": "click", "version": "8", "skip_reason": "unknown"}],
            "were not looked up: click==8, NumPy==2",
        ),
        (
            [
                {"name": "click", "version": "8", "vulns": [{"id": "CVE-1"}]},
                {"name": "numpy", "version": "2"},
            ],
            "click 8: CVE-1",
        ),
    ],
)
def test_an_audit_that_finds_or_learns_nothing_ends_the_release(
    answers: list[Any] | None, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = "" if answers is None else json.dumps({"dependencies": answers})
    done = SimpleNamespace(stdout=output, stderr="warning\nno network\n", returncode=1)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    with pytest.raises(SystemExit, match=re.escape(message)):
        release.audit(["click==8", "NumPy==2"])


def test_an_audit_needs_an_answer_for_every_package(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[dict[str, Any]] = [
        {"name": name, "version": "1", "vulns": []} for name in ("click", "python-sat")
    ]
    done = SimpleNamespace(stdout=json.dumps({"dependencies": answers}), stderr="", returncode=0)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    assert release.audit(["click==1", "python_sat==1"]) == "known vulnerabilities: none in 2 packages"


def test_the_list_of_packages_has_hashes() -> None:
    parts = [{"name": "Python_SAT", "version": "1"}, {"name": "cavalcade", "version": "0.2.0"}]
    digest = "ab" * 32
    sbom = release.with_hashes(
        {"components": parts}, {"python-sat==1": digest}, {"a.whl": b"", "a.tar.gz": b"1"}
    )
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert [part["hashes"][0]["content"] for part in sbom["components"]] == [digest, empty]
    assert release.lines_of(sbom) == [f"Python_SAT==1 --hash=sha256:{digest}"]
    with pytest.raises(SystemExit, match=r"hashes\.txt has no click==9"):
        release.with_hashes({"components": [{"name": "click", "version": "9"}]}, {}, {"a.whl": b""})

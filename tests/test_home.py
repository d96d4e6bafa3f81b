"""Files that a home of the project needs: they say what pyproject.toml says, and call commands that exist."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

import pytest

import cavalcade

ROOT = Path(__file__).parent.parent
TABLE = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = TABLE["project"]
CALLERS = [*(ROOT / ".github" / "workflows").glob("*.yml"), ROOT / ".devcontainer" / "devcontainer.json"]
NAMES = {re.split("[>=]", dependency)[0] for dependency in PROJECT["dependencies"]}

pytestmark = pytest.mark.skipif(not (ROOT / ".ci").exists(), reason="not in a source distribution")


def test_the_version_is_the_same_everywhere() -> None:
    version = cavalcade.__version__
    assert json.loads((ROOT / "codemeta.json").read_text())["version"] == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n  version: {version}\n" in (ROOT / "recipe" / "recipe.yaml").read_text()


def test_requirements_are_the_same_everywhere() -> None:
    assert set(json.loads((ROOT / "codemeta.json").read_text())["softwareRequirements"]) == NAMES
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text().partition("  run:\n")[2].partition("\n\n")[0]
    floors = dict(re.findall(r"- (\S+) >=(\S+)", recipe))
    assert floors.pop("python") == PROJECT["requires-python"].removeprefix(">=")
    stated = dict(dependency.split(">=") for dependency in PROJECT["dependencies"])
    del floors["python-sat"], stated["python-sat"]  # conda-forge numbers its releases differently
    assert floors == stated


@pytest.mark.parametrize("file", CALLERS, ids=lambda file: file.name)
def test_commands_exist(file: Path) -> None:
    text = file.read_text()
    targets = set(re.findall(r"^([\w./-]+):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE))
    called = re.findall(r"(?<=[\s\"])make ([\w./-]+)", text)
    assert set(called) <= targets
    scripts = re.findall(r"run: (?:python )?((?:\.ci|tests|tools)/\S+)", text)
    assert called + scripts
    assert all((ROOT / script).exists() for script in scripts)
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_extras_and_groups_exist() -> None:
    files = ["Dockerfile", "binder/requirements.txt", ".readthedocs.yaml", ".github/workflows/nightly.yml"]
    text = "".join((ROOT / file).read_text() for file in files)
    lists = re.findall(r"(?:\.|/src)\[([\w,]+)\]", text)
    extras = {extra for named in lists for extra in named.split(",")}
    assert {"png", "notebook"} <= extras <= PROJECT["optional-dependencies"].keys()
    groups = set(re.findall(r"--group (\w+)", text))
    assert groups == {"dev", "site"}
    assert groups <= TABLE["dependency-groups"].keys()


def test_all_is_every_extra() -> None:
    extras = dict(PROJECT["optional-dependencies"])
    (everything,) = extras.pop("all")
    assert everything == f"cavalcade[{','.join(sorted(extras))}]"


def test_the_page_on_installing_lists_the_extras() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(PROJECT["optional-dependencies"])

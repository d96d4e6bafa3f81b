"""docs/api.md: it names every public object, its examples run, and every option has a keyword."""

from __future__ import annotations

import ast
import dataclasses
import doctest
import inspect
import operator
import re
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import cavalcade
from cavalcade.cli import COMMANDS, group, main
from cavalcade.ground import errors

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tools"))

import reference  # noqa: E402 - a script

PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
FUNCTIONS = [name for name in cavalcade.__all__ if inspect.isfunction(getattr(cavalcade, name))]
CLASSES = [name for name in cavalcade.__all__ if inspect.isclass(getattr(cavalcade, name))]


def examples() -> doctest.DocTest:
    """All Python blocks of the page, in order."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "api.md", "docs/api.md", 0)
    assert len(test.examples) > 60
    return test


def rows() -> dict[str, str]:
    """The table of options with a different spelling in Python."""
    table = PAGE.partition("\n## From the command line to Python\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| (`[^|]*) \| (.*) \|$", table, re.MULTILINE)
    return {option: python for options, python in lines for option in re.findall("`(--[^`]+)`", options)}


def test_every_example_and_every_word_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    test = examples()
    result = doctest.DocTestRunner().run(test, clear_globs=False)
    assert result.failed == 0, capsys.readouterr().out
    for python in rows().values():
        for expression in re.findall(r"`([^`]+)`", python):
            eval(expression, test.globs)  # noqa: S307 - our own page


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_its_word_in_python(command: str) -> None:
    declared = group.get_command(click.Context(group), command)
    assert declared is not None
    objects = [getattr(cavalcade, name) for name in (*FUNCTIONS, *CLASSES)]
    words = {word for o in objects for word in reference.parameters(o)}
    options = {max(o.opts, key=len) for o in declared.params if isinstance(o, click.Option)}
    alike = {f"--{word.rstrip('_').replace('_', '-')}" for word in words}
    assert sorted(options - alike - set(rows())) == [], "neither a keyword nor in the table of docs/api.md"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_is_documented_with_its_words(name: str) -> None:
    function = getattr(cavalcade, name)
    if name == "read_tour":
        assert function is cavalcade.read
        assert "`read_tour`" in PAGE
        return
    text = inspect.getdoc(function) or ""
    described = text.partition("Args:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^    (\w+):", described, re.MULTILINE) == list(inspect.signature(function).parameters)
    assert "Raises:" in text


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_on_the_page_with_its_fields(name: str) -> None:
    made = getattr(cavalcade, name)
    assert made.__doc__
    assert not made.__doc__.startswith(f"{name}("), "written by hand, not by dataclass"
    if dataclasses.is_dataclass(made):
        (line,) = re.findall(rf"^- `{name}\(.*", PAGE, re.MULTILINE)
        fields = [field.name for field in dataclasses.fields(made)]
        assert not [field for field in fields if not re.search(rf"\b{field}\b", line)]


def test_every_name_is_on_the_page() -> None:
    assert [name for name in cavalcade.__all__ if not re.search(rf"`{name}[`(]", PAGE)] == []
    below = [name for name, value in vars(errors).items() if inspect.isclass(value)]
    assert [name for name in below if f"`{name}(" not in PAGE] == []
    assert cavalcade.__all__ == sorted(cavalcade.__all__, key=lambda name: (not name.isupper(), name))


@pytest.mark.parametrize(
    "page", ["api.md", "data.ipynb", "ten-cells.ipynb", "sample.md", "graphs.md", "surveys.md"]
)
def test_pages_import_public_names_only(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert re.findall(r"(?:from|import) cavalcade\.\w+", text) == []


def test_words_stand_in_one_order() -> None:
    order = ["board", "piece", "open", "start", "end", "seed", "time_limit"]
    for name in FUNCTIONS:
        words = [word for word in inspect.signature(getattr(cavalcade, name)).parameters if word in order]
        if name != "warnsdorff":  # its start has always been the second parameter
            assert words == sorted(words, key=order.index), name


def test_warnsdorff_from_all_cells_is_a_walk_from_each(capsys: pytest.CaptureFixture[str]) -> None:
    walks = [cavalcade.warnsdorff("6x6", cell, ties="random", seed=5) for cell in range(36)]
    good = sum(walk.status == "found" for walk in walks)
    assert main(["warnsdorff", "6x6", "--all", "--ties", "random", "--seed", "5"]) == 0
    assert f"{good} of 36 starts succeed" in capsys.readouterr().out


def test_citations_of_open_tours_depend_on_the_ends() -> None:
    assert [theorem.exists for theorem in cavalcade.citations("5x5", open=True)] == [True]
    assert cavalcade.citations(cavalcade.Question.of("5x5", open=True, start="b5")) == []
    shut = cavalcade.Question.of("4x4", open=True, start="b4")
    assert {theorem.exists for theorem in cavalcade.citations(shut)} == {False}


def test_steps_and_cells_of_a_tour() -> None:
    tour = cavalcade.Tour(cavalcade.board("8x8-a8"), np.array([1, 9]), closed=False)
    names = tour.names
    assert [tour.cell_at(step) for step in (1, 2)] == names
    assert [tour.step_of(name) for name in [*names, "h1"]] == [1, 2, 0]
    for wrong in (0, 3):
        with pytest.raises(cavalcade.CavalcadeError, match=f"{wrong} is not a step of this tour"):
            tour.cell_at(wrong)


def test_a_graph_has_no_symmetries() -> None:
    graph = cavalcade.move_graph("5x5", "camel")
    for function in (cavalcade.symmetries, cavalcade.classes):
        with pytest.raises(cavalcade.CavalcadeError, match="plain graph"):
            function(graph)


def test_the_readme_says_what_python_says() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    space: dict[str, object] = {}
    compared = 0
    for line in block.splitlines():
        code, _, comment = line.partition("  # ")
        if comment[:1] in {"'", "["}:
            assert eval(code, space) == ast.literal_eval(comment), line  # noqa: S307 - our own page
            compared += 1
        else:
            exec(code, space)  # noqa: S102 - as above
    assert compared > 3


@pytest.mark.parametrize("name", [*FUNCTIONS, *CLASSES])
def test_every_public_docstring_has_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {public: getattr(cavalcade, public) for public in cavalcade.__all__}
    text = inspect.getdoc(getattr(cavalcade, name)) or ""
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    assert test.examples, f"{name}: no example in its docstring"
    assert doctest.DocTestRunner().run(test).failed == 0, capsys.readouterr().out


def test_arithmetic_and_length_of_an_answer_name_the_number() -> None:
    counted: Any = cavalcade.count("5x6")
    verdict: Any = cavalcade.tour("5x6")
    for operation in (operator.add, operator.mul, operator.lt):
        with pytest.raises(TypeError, match=r"try \.count or int"):
            operation(counted, 1)
    with pytest.raises(TypeError, match=r"try len\(found\.tour\)"):
        len(verdict)
    assert int(counted) + 1 == 9

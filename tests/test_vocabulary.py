"""One vocabulary: a word of a question has the same meaning and validation in every interface."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade.cli import COMMANDS, MODULES
from cavalcade.cli.command import Option
from cavalcade.ground.errors import bytes_of
from cavalcade.question.statement import read_statement, statement
from cavalcade.question.words import LIMITS, ROWS, schema
from cavalcade.studio.message import EMPTY, KEYWORDS, Message, words_of

sys.path.append(str(Path(__file__).parent.parent / "tools"))

import reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conftest import Ran

    Cli = Callable[..., Ran]

ANY: Any = cavalcade  # for calls with arguments of wrong types

# ---- booleans


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield all public functions and the public methods of public classes."""
    for name in cavalcade.__all__:
        item = getattr(cavalcade, name)
        if inspect.isfunction(item):
            yield name, item
        elif inspect.isclass(item):
            for method in sorted(vars(item)):
                if not method.startswith("_") and callable(getattr(item, method)):
                    yield f"{name}.{method}", getattr(item, method)


def boolean_keywords() -> Iterator[tuple[str, str]]:
    for name, function in public_functions():
        for keyword, parameter in inspect.signature(function).parameters.items():
            if parameter.annotation in {"bool", "bool | None"}:
                yield name, keyword
        if "QuestionWords" in str(inspect.signature(function)):
            yield name, "open"


@pytest.mark.parametrize(("name", "keyword"), sorted(set(boolean_keywords())))
@pytest.mark.parametrize("value", ["no", "yes", 1, 0, "", [True]])
def test_boolean_keywords_accept_booleans_only(name: str, keyword: str, value: object) -> None:
    function: Any = cavalcade
    for part in name.split("."):
        function = getattr(function, part)
    required = [
        "8x8"
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    keyword_only = {
        parameter.name: "8x8"
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is parameter.KEYWORD_ONLY
    }
    with pytest.raises(cavalcade.CavalcadeError, match=f"{keyword} is .*expected True or False") as refused:
        function(*required, **keyword_only | {keyword: value})
    assert repr(value) in str(refused.value)


def test_there_are_boolean_keywords() -> None:
    assert {("tour", "open"), ("tour", "construct"), ("count", "directed"), ("count", "twice")} <= set(
        boolean_keywords()
    )
    assert len(set(boolean_keywords())) > 40


def test_numpy_booleans_are_booleans() -> None:
    no: Any = np.False_
    yes: Any = np.True_
    assert cavalcade.count("5x6", open=no).count == 8
    assert cavalcade.count("5x5", open=yes, directed=no).count == 864


@pytest.mark.parametrize(
    "make",
    [
        lambda: ANY.Question(cavalcade.board("5x5"), closed="no"),
        lambda: ANY.Tour(cavalcade.board("1x1"), np.zeros(1, np.int32), "no"),
        lambda: ANY.Tours(cavalcade.board("1x1"), np.zeros((1, 1), np.int32), 1),
        lambda: ANY.Puzzle(cavalcade.board("5x5"), ((1, 0),), closed="no"),
        lambda: ANY.write(ANY.tour("5x6").tour, "text", header="no"),
        lambda: ANY.write(ANY.tour("5x6").tour, "svg", animate="no"),
    ],
)
def test_constructors_and_writers_accept_booleans_only(make: Callable[[], object]) -> None:
    with pytest.raises(cavalcade.CavalcadeError, match="expected True or False"):
        make()


# ---- the keywords of public functions


def test_unknown_keywords_are_answered_with_the_nearest_or_all() -> None:
    with pytest.raises(TypeError, match=r"tour\(\) got an unexpected keyword argument 'directed'; its keyw"):
        ANY.tour("8x8", directed=True)
    for name, row in (ROWS | LIMITS).items():
        for alias in (*row.aliases, *row.opposites):
            words: Any = {alias: None}
            with pytest.raises(TypeError) as error:
                cavalcade.tour("8x8", **words)
            taken = name in ROWS or name in inspect.signature(cavalcade.tour).parameters
            meant = f"{name}=True" if alias in row.opposites else repr(name)  # the value is None
            assert (f"did you mean {meant}?" in str(error.value)) == taken, alias


MEMORY_OF: dict[str, tuple[object, ...]] = {
    "chain": ("8x8", 2), "magic_tours": ("3x4",), "construct": ("20x20",), "distribution": ("5x6", "class"),
    "roesselsprung": ("sit down in this field",), "connected": ("3x4",), "uncrossed": ("4x4",),
    "count_walks": ("2x3",),
}  # fmt: skip
MEMORY = [name for name, function in public_functions() if "memory" in inspect.signature(function).parameters]


@pytest.mark.parametrize("name", MEMORY)
def test_memory_is_an_amount_wherever_it_is_a_keyword(name: str, tmp_path: Path) -> None:
    function, words = getattr(cavalcade, name), {}
    ring = [(0, 1), (1, 2), (2, 0)]
    first: Any = ("5x6",)
    if name in {"sequence", "uncrossed_lengths"}:
        first, words = ("3xn",), {"upto": 3}
    elif name == "lightest_tours":
        words = {"number": 1}
    elif name == "solve":
        first = (cavalcade.puzzle("5x6"),)
    elif name in {"continue_walk", "wrong_turn"}:
        first, words = (ANY.warnsdorff("8x8", "a5").partial,), {"open": True}
    elif name in MEMORY_OF:
        first = MEMORY_OF[name]
    elif name.startswith("hamiltonian"):
        first = (ring,)
    elif name in {"count_in_shards", "survey"}:
        board = "5x6" if name == "count_in_shards" else "{m}x5 for m in 5..6"
        first = (board, tmp_path / "rows", 1)[: 3 if name == "count_in_shards" else 2]
    function(*first, memory="1G", **words)
    for wrong in ("1X", "much", -1, 1.5):
        with pytest.raises(cavalcade.CavalcadeError, match=f"memory is {wrong!r}, expected"):
            list(function(*first, memory=wrong, **words) or ())


@pytest.mark.parametrize(
    ("amount", "size"), [("1G", 2**30), ("1.5 GiB", 3 * 2**29), ("500M", 500 * 2**20), ("7", 7), (7, 7)]
)
def test_amounts_of_memory(amount: str | int, size: int) -> None:
    assert bytes_of(amount) == size


@pytest.mark.parametrize("amount", ["9999999999999999999G", "9" * 400])
def test_more_memory_than_the_system_can_name_is_no_limit(amount: str, cli: Cli) -> None:
    assert cli("count", "5x6", "--memory", amount, "-q") == (0, "8\n", "")


# ---- the same question has the same answer


MOVES_OF_TWO = "moves:1,2;2,1+-"


@pytest.mark.parametrize(
    "ask", ["tour", "prove", "count", "list_tours", "sample", "classes", "distribution", "degrees", "links"]
)
def test_a_piece_that_does_not_fit_is_refused_by_every_verb(ask: str) -> None:
    arguments = ("class",) if ask == "distribution" else ()
    with pytest.raises(cavalcade.CavalcadeError, match="do not fit 1x1x1, which has 3"):
        getattr(cavalcade, ask)("1x1x1", *arguments, piece=MOVES_OF_TWO)


@pytest.mark.parametrize("verb", ["tour", "prove", "count", "list", "sample", "puzzle", "fewest turns"])
def test_from_on_a_closed_tour_is_where_it_begins(cli: Cli, verb: str) -> None:
    answer, plain = cli(*verb.split(), "6x6", "--from", "c3", "--json", "-q"), cli(*verb.split(), "6x6", "-q")
    assert answer.code == plain.code == 0
    if verb == "count":
        assert json.loads(answer.out)["count"] == 9862
    elif verb == "puzzle":
        assert json.loads(answer.out)["solution"][0] == "c3"
    else:
        assert json.loads(answer.out.splitlines()[0])["cells"][0] == "c3"
    refused = cli(*verb.split(), "1x1x1", "--piece", MOVES_OF_TWO)
    assert (refused.code, refused.err) == (2, "error: moves of 2 coordinates do not fit 1x1x1, which has 3\n")


@pytest.mark.parametrize("cells", ["a1,f6", ["a1", "f6"], ["a1,f6"], [30, (0, 5)], ("a1", 5)])
def test_cells_to_avoid_are_not_on_the_board(cells: Any, cli: Cli, tmp_path: Path) -> None:
    question = cavalcade.Question.of("6x6", avoid_cells=cells)
    assert question == cavalcade.Question.of("6x6-a1,f6")
    assert statement(question) == "closed tour of 6x6-f6,a1"
    assert read_statement(statement(question))[0] == question
    verdict = cavalcade.tour("6x6", open=True, avoid_cells=cells)
    assert isinstance(verdict, cavalcade.Impossible), "18 cells of one colour and 16 of the other"
    assert cavalcade.count("6x6", avoid_cells=cells, open=True).count == 0
    assert cavalcade.count("6x6", avoid_cells=["a1", "a2"]).count == cavalcade.count("6x6-a1,a2").count
    (tmp_path / "file").write_text("avoid_cells a1,a2\n")
    typed = cli("count", "6x6", "--avoid-cells", "a1", "--avoid-cells", "a2", "--json")
    read = cli("count", "6x6", "--constraints", tmp_path / "file", "--json")
    assert json.loads(typed.out)["count"] == json.loads(read.out)["count"]
    assert json.loads(typed.out)["board"] == "6x6-a2,a1"


def test_cells_to_avoid_in_the_studio() -> None:
    message = Message({"question": {"board": "6x6", "avoid_cells": ["a1,a2"]}}, print)
    assert message.parsed() == cavalcade.Question.of("6x6-a1,a2")
    assert message.board == message.parsed().board


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"avoid_cells": "a1", "start": "a1"}, "'a1' is not a cell of 6x6-a1"),
        ({"avoid_cells": "z9"}, "'z9' is not a cell of 6x6"),
        ({"avoid_cells": [99]}, "99 is not a cell of 6x6"),
        ({"avoid_cells": ["a1"], "with_": "a1-b3"}, "'a1' is not a cell of 6x6-a1"),
    ],
)
def test_cells_to_avoid_contradict_other_words(words: dict[str, Any], message: str) -> None:
    with pytest.raises(cavalcade.CavalcadeError, match=message):
        cavalcade.tour("6x6", **words)
    with pytest.raises(cavalcade.CavalcadeError, match="is a graph, and avoid_cells is for boards"):
        cavalcade.tour([(0, 1), (1, 2), (2, 0)], avoid_cells=[0])


# ---- the path of `tour` for arrays


ARRAYS = [
    [], ["--open"], ["--from", "c3"], ["--open", "--to", "c3"], ["--open", "--from", "c3", "--as", "moves"],
    ["--seed", "3", "--blocks", "random"], ["--construct"], ["--engine", "template"], ["--verbose"],
    ["--time-limit", "60", "--memory", "4G"], ["--piece", "knight"], ["--with", "a1-b3"],
    ["--avoid", "d4-e6"], ["--at", "17=d5"], ["--without", "a1,b1"], ["--seed", "4", "--engine", "join"],
]  # fmt: skip
WORDS = {
    "--open": ("open", True), "--from": ("start", "c3"), "--to": ("end", "c3"), "--with": ("with_", "a1-b3"),
    "--avoid": ("avoid", "d4-e6"), "--at": ("at", "17=d5"), "--construct": ("construct", True),
    "--engine": ("engine", ""), "--blocks": ("style", "random"), "--seed": ("seed", 0),
}  # fmt: skip


@pytest.mark.parametrize("options", ARRAYS)
def test_no_option_is_lost_in_arrays(cli: Cli, tmp_path: Path, options: list[str]) -> None:
    assert cli("tour", "120x120", *options, "-o", tmp_path / "x.npy").code == 0
    words: dict[str, Any] = {}
    for option, value in zip(options, [*options[1:], ""], strict=False):
        if option in WORDS:
            name, usual = WORDS[option]
            words[name] = int(value) if name == "seed" else usual or value
    if "style" in words:
        words["construct"] = True
    board = cavalcade.board("120x120-a1,b1" if "--without" in options else "120x120")
    verdict = cavalcade.tour(board, time_limit=60, **words)
    assert isinstance(verdict, cavalcade.Found)
    holding = "moves" if "moves" in options else "steps"
    cavalcade.save(verdict.tour, tmp_path / "y.npy", holding=holding)
    assert (tmp_path / "x.npy").read_bytes() == (tmp_path / "y.npy").read_bytes()


def test_a_new_option_of_tour_is_not_lost_in_arrays(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planned tour supports listed options only, so a new option leads to a search, which honours it."""
    from cavalcade.cli.commands import tour

    new = Option(["--reverse"], is_flag=True, expose_value=True)
    monkeypatch.setattr(tour.command, "params", [*tour.command.params, new])
    searched = []
    search = cavalcade.tour

    def tour_searched(*args: Any, **words: Any) -> object:
        searched.append(args)
        return search(*args, **words)

    monkeypatch.setattr(cavalcade, "tour", tour_searched)
    for options, searches in (([], 0), (["--reverse"], 1)):
        searched.clear()
        assert cli("tour", "120x120", *options, "-o", tmp_path / "x.npy").code == 0
        assert len(searched) == searches


# ---- the words in JSON


def fits(value: object, schema: dict[str, Any]) -> bool:
    """Return whether a value is valid, by the keywords of JSON Schema that the schema uses."""
    kinds: dict[str, tuple[type, ...]] = {
        "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "integer": (int,),
    }  # fmt: skip
    if "type" in schema and (
        not isinstance(value, kinds[schema["type"]])
        or (isinstance(value, bool) and schema["type"] != "boolean")
    ):
        return False
    if isinstance(value, dict):
        properties = schema["properties"]
        return set(schema["required"]) <= set(value) <= set(properties) and all(
            fits(part, properties[key]) for key, part in value.items()
        )
    if isinstance(value, list):
        return all(fits(part, schema["items"]) for part in value)
    if isinstance(value, int):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return value in schema.get("enum", [value])


QUESTIONS = [
    ({"board": "8x8"}, True),
    ({"board": "6x6", "piece": "camel", "open": True, "start": "a1", "end": "c4"}, True),
    ({"board": "6x6", "with": ["a1-b3"], "avoid": ["c1-d3", "d3-f4"], "at": ["17=d5"]}, True),
    ({"board": "6x6", "symmetry": "half turn"}, True),
    ({"board": "6x6", "moves": "clockwise", "coils": 5}, True),
    ({"board": "6x6", "avoid_cells": ["a1", "a2"]}, True),
    ({"board": "6x6", "open": "no"}, False),
    ({"board": "6x6", "moves": "leftwards"}, False),
    ({"board": "6x6", "moves": "clockwise", "coils": 0}, False),
    ({"board": "6x6", "closed": True}, False),
    ({"open": True}, False),
]


@pytest.mark.parametrize(("question", "valid"), QUESTIONS)
def test_the_schema_accepts_exactly_the_valid_questions(
    cli: Cli,
    question: dict[str, Any],
    valid: bool,  # noqa: FBT001
) -> None:
    printed = cli("schema")
    assert (printed.code, json.loads(printed.out)) == (0, schema())
    assert json.loads(cli("schema", "--json").out) == schema()
    assert fits(question, schema()) == valid
    keywords: dict[str, Any] = {KEYWORDS.get(key, key): value for key, value in question.items()}
    if valid:
        parsed = cavalcade.Question.of(**keywords)
        shown = {key: value for key, value in words_of(parsed).items() if value != EMPTY[key]}
        assert fits(shown, schema()), "the studio writes what the schema allows"
        return
    with pytest.raises((cavalcade.CavalcadeError, TypeError)):
        cavalcade.Question.of(**keywords)


def test_the_schema_has_every_word() -> None:
    assert set(schema()["properties"]) == set(EMPTY) == {"board", *KEYWORDS}
    for key, row in zip(KEYWORDS, ROWS.values(), strict=True):
        for example in schema()["properties"][key].get("examples", ()):
            assert fits(example, schema()["properties"][key]), key
        assert row.help.endswith("."), key


def test_the_words_of_the_studio_are_generated() -> None:
    page = Path(__file__).parent.parent / "src/cavalcade/studio/static/words.js"
    assert reference.studio_words() in page.read_text(encoding="utf-8"), "run python tools/reference.py"


# ---- rules between options


RULES = """
from cavalcade.cli import main
from cavalcade.cli.command import Option
assert not main.__doc__, "docstrings must be stripped"
for line, message in {rules}:
    print(main(line.split()))
"""


def test_rules_between_options_hold_without_docstrings() -> None:
    rules = [
        ("tour 8x8 --construct --engine join", "--construct excludes --engine join: drop one"),
        ("tour 6x6 --to a1", "--to a1 works only with --open: add it"),
        ("count 6x6 --modulo 3", "--modulo 3 works only with --only N: add it"),
        ("puzzle 6x6 --given 3 --fewest", "--given 3 excludes --fewest: drop one"),
        ("tour 6x6 --coils 3", "--coils 3 works only with --moves: add it"),
    ]
    done = subprocess.run(
        [sys.executable, "-OO", "-c", RULES.format(rules=rules)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["2"] * len(rules)
    for line, (_, message) in zip(done.stderr.splitlines(), rules, strict=True):
        assert message in line


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_states_all_rules(name: str) -> None:
    command = import_module(f"cavalcade.cli.commands.{MODULES[name]}").command
    for option in command.params:
        if isinstance(option, Option):
            assert option.help
            assert option.help.count("Excludes --") == bool(option.excludes), option.name
            needed = re.findall(r"Only with .*?(--\S+)[.]", option.help)
            assert [*option.needs][-1:] == needed[-1:], option.name


# ---- what public functions refuse


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: ANY.board([[1, 1], [1, 0]]), r"\[\[1, 1\], \[1, 0\]\] is not text"),
        (lambda: ANY.board(np.array([[1, 1], [1, 0]], dtype=bool)), "is not text.*mask"),
        (
            lambda: ANY.verify(ANY.tour("6x6").tour),
            r"is not a certificate; check\(\) checks a tour",
        ),
        (lambda: ANY.verify(cavalcade.tour("6x6")), "is not a certificate"),
        (lambda: ANY.measure([1, 2]), "1 is not a tour, expected a Tour or several"),
        (lambda: ANY.measure(cavalcade.tour("6x6")), "is not a tour, expected a Tour or several"),
        (
            lambda: ANY.hamiltonian_cycle([]),
            r"\[\] is empty, expected the sides of a board or the edges",
        ),
        (lambda: ANY.connected("3x4").between(0, 99), "99 is not a cell of 3x4"),
        (lambda: ANY.tsp([(0, 1), (1, 2), (2, 0)], [0.1, 0.2]), "2 weights for 3 moves"),
        (lambda: ANY.tsp([(0, 1), (1, 2), (2, 0)], ["a", 1, 2]), "a weight is not a number"),
    ],
)
def test_public_functions_refuse_invalid_arguments(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(cavalcade.CavalcadeError, match=message):
        ask()


def test_arguments_that_public_functions_accept() -> None:
    mask = np.array([[1, 1], [1, 0]], dtype=bool)
    assert cavalcade.Board("box", mask.shape, mask) == cavalcade.board("2x2-b1")
    assert cavalcade.hamiltonian_cycle([[0]]).status == "found"
    connections = cavalcade.connected("3x4")
    assert connections.between(0, 1) == connections.between("a3", "b3") == connections.between((0, 0), (0, 1))
    least = cavalcade.tsp([(0, 1), (1, 2), (2, 0)], [0.1, 0.2, 0.3])
    assert isinstance(least, cavalcade.LeastTour)
    assert str(least.weight) == "0.6"

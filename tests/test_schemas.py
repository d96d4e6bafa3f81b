"""Every command prints with --json what its schema describes, with a `status` that says the outcome."""

from __future__ import annotations

import json
import shlex
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade.answers.status import AnswerStatus
from cavalcade.cli import COMMANDS
from cavalcade.cli.schemas import OBJECTS, schema_of
from cavalcade.papers.items import Correction, Item
from cavalcade.papers.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conftest import Ran

FILES = {
    "walk.txt": "a3 c2 a1 b3 d2 b1",
    "verse.txt": "the knight goes round the board and comes back home again",
    "ring.edges": "a b\nb c\nc a\n",
    "lines.g6": "Bw\nBW\n",
    "hello.sas": "data _null_; put 'hello'; run;\n",
}
# command lines on small boards, each with the status of its last object
LINES = {
    "tour 5x6": "found",
    "tour 4x4": "impossible",
    "tour petersen --open": "found",
    "tour lines.g6": "impossible",
    "tour 8x8 --memory 1": "undecided",
    "tour 8y8": "error",
    "prove 4x4": "impossible",
    "prove 5x6": "found",
    "prove lines.g6": "impossible",
    "count 5x6": "complete",
    "count 5x6 --by slope": "complete",
    "count 5x6 --symmetry": "complete",
    "count 2xn --upto 4": "complete",
    "count 3xn --only 12": "complete",
    "list 5x6 -n 2": "found",
    "list 4x4": "impossible",
    "list 5x6 --measure -n 2": "found",
    "sample 5x6": "found",
    "sample 5x6 --measure": "found",
    "sample 5x6 --rank-of tour.txt": "complete",
    "magic 3x4": "impossible",
    "decompose complete:5": "found",
    "decompose complete:5 --measure": "found",
    "draw 3x4": "complete",
    "draw tour.txt -o tour.svg": "complete",
    "check tour.txt": "right",
    "check walk.txt --board 3x4": "wrong",
    "check kept": "unchecked",
    "best 4x4 --fewest-paths": "found",
    "best 4x4 --fewest-revisits": "found",
    "chain 5x5 --levels 2": "found",
    "chain 3x5 --levels 2": "partial",
    "connected 3x4": "impossible",
    "continue walk.txt 3x4 --open": "found",
    "convert tour.txt": "found",
    "convert walk.txt --board 3x4": "partial",
    "degrees 3x4": "complete",
    "degrees petersen": "complete",
    "fewest turns 5x6": "found",
    "glue tour.txt --levels 2": "found",
    "links 3x4": "complete",
    "measure tour.txt": "complete",
    "measure walk.txt --board 3x4": "complete",
    "count 2xn --upto 3 -o entry": "complete",
    "optgraph 5x6": "found",
    "optgraph 4x4": "impossible",
    "puzzle 5x6": "found",
    "puzzle 5x6 -n 2": "found",
    "puzzle 5x6 --solution": "found",
    "reproduce gerlach2015": "complete",
    "roesselsprung verse.txt": "found",
    "roesselsprung riddle.txt --solve": "complete",
    "sas hello.sas": "complete",
    "sas hello.sas --check": "complete",
    "sas --list": "complete",
    "solve puzzle.txt": "found",
    "studio": "complete",
    "survey show kept": "impossible",
    "symmetries 5x6": "complete",
    "theorem petersen": "proved",
    "theorem schwenk": "complete",
    "theorem --bibliography": "complete",
    "trace tour.txt": "complete",
    "tsp 5x6": "found",
    "tsp 5x6 -n 2": "found",
    "uncrossed 4x4": "found",
    "uncrossed 4xn --terms 4": "complete",
    "warnsdorff 5x6": "found",
    "warnsdorff 5x5 --from a4": "partial",
    "warnsdorff 5x5 --from a4 --explain": "partial",
    "warnsdorff 3x4 --all --open": "error",
}
SLOW = {
    "count 4x4 --shards 2 -o shards": "complete",
    "magic 4x7 --columns": "found",
    "magic 4x7 --columns --measure": "found",
    "survey '{m}x6 for m in 5..5' --verb measure -o measured": "found",
    "survey '{m}x6 for m in 5..5' --verb count -o counted": "found",
}
EXIT_CODES = {
    "found": 0, "impossible": 1, "undecided": 3, "complete": 0, "right": 0, "wrong": 1, "unchecked": 4,
    "proved": 0, "faulty": 1, "error": 2,
}  # fmt: skip
KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "integer": (int,),
    "number": (int, float), "null": (type(None),),
}  # fmt: skip
SCHEMA_WORDS = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description",
}  # fmt: skip


def errors(value: object, schema: dict[str, Any], path: str = "") -> Iterator[str]:
    """Yield the reasons why a value is invalid by a JSON Schema with the keywords in `SCHEMA_WORDS`."""
    about = set() if path else {"$schema", "$id", "title"}  # of a whole schema
    assert schema.keys() <= SCHEMA_WORDS | about, f"{path}: {schema.keys() - SCHEMA_WORDS}"
    if "anyOf" in schema:
        tried = [list(errors(value, part, path)) for part in schema["anyOf"]]
        if all(tried):
            yield min(tried, key=len)[0]
    if "type" in schema:
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        kinds = tuple(kind for name in names for kind in KINDS[name])
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            yield f"{path} is {value!r:.60}, expected {' or '.join(names)}"
            return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path} is {value!r:.60}, expected one of {schema['enum']}"
    if isinstance(value, dict):
        properties, further = schema.get("properties", {}), schema.get("additionalProperties", {})
        yield from (f"{path}.{key} is missing" for key in {*schema.get("required", [])} - value.keys())
        for key, part in value.items():
            if key in properties or further is not False:
                yield from errors(part, properties.get(key, further), f"{path}.{key}")
            else:
                yield f"{path}.{key} is not in the schema"
    if isinstance(value, list):
        for i, part in enumerate(value):
            yield from errors(part, schema.get("items", {}), f"{path}[{i}]")


def printed(line: str, cli: Callable[..., Ran]) -> tuple[list[dict[str, Any]], int]:
    """Run a command with --json; return the objects that it prints, and its exit code."""
    ran = cli(*shlex.split(line), *["--json"] * (" --format json" not in line))
    lines = [ran.out] if line.startswith("reproduce") else ran.out.splitlines()
    return [json.loads(text) for text in lines], ran.code


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the files that the command lines name."""
    path = tmp_path_factory.mktemp("schemas")
    for name, text in FILES.items():
        (path / name).write_text(text, encoding="utf-8")
    found = cavalcade.sample("5x6", 1)[0]
    found.save(path / "tour.txt")
    cavalcade.save(
        cavalcade.Puzzle(found.board, tuple((k + 1, found.cells[k]) for k in range(20))), path / "puzzle.txt"
    )
    riddle = cavalcade.roesselsprung(FILES["verse.txt"])
    assert isinstance(riddle, cavalcade.Roesselsprung)
    cavalcade.save(riddle, path / "riddle.txt")
    cavalcade.survey("{m}x4 for m in 3..4", path / "kept", workers=1)
    return path


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Run in the directory; do not start a server, and recompute one item of a paper."""
    from cavalcade.studio import server

    monkeypatch.chdir(folder)
    monkeypatch.setattr(server, "serve", lambda _port, opened: opened("http://127.0.0.1:1"))
    item = Item(same=True, printed="8 tours", name="Tours", place="line 1")
    slip = Correction("table", "a1", "1", "2", "author", "It occurs twice")
    report = Report("gerlach2015", "A paper", {"": [item]}, [slip], "", [], {}, date(2026, 11, 27), 0.5)
    monkeypatch.setattr(cavalcade, "reproduce", lambda *_, **__: report)


@pytest.mark.parametrize("name", sorted({*COMMANDS} - {"schema"}))
def test_what_a_command_prints_fits_its_schema(name: str, cli: Callable[..., Ran]) -> None:
    schema = schema_of(name)
    # `magic` and `decompose` have the objects of `list`, and small boards have no magic tour
    unused = [] if name == "magic" else schema["anyOf"][:-1]
    lines = [line for line in LINES if line.split()[0] == name]
    assert lines, f"LINES has no line for {name}"
    for line in lines:
        objects, code = printed(line, cli)
        assert objects, line
        for value in objects:
            assert not list(errors(value, {"anyOf": schema["anyOf"]})), line
            unused = [part for part in unused if list(errors(value, part))]
        status = objects[-1]["status"]
        assert status == LINES[line], f"{line}: {objects[-1]}"
        assert code == EXIT_CODES.get(status, code) or len(objects) > 1, line
    assert not unused, f"no line prints an object with {[*unused[0]['properties']]}"


@pytest.mark.slow
@pytest.mark.parametrize("line", SLOW)
def test_what_a_slow_command_prints_fits_its_schema(line: str, cli: Callable[..., Ran]) -> None:
    schema = schema_of(line.split(maxsplit=1)[0])
    objects, _ = printed(line, cli)
    assert objects[-1]["status"] == SLOW[line]
    for value in objects:
        assert not list(errors(value, {"anyOf": schema["anyOf"]}))


def test_each_command_has_a_schema() -> None:
    assert {*OBJECTS, "schema"} == {*COMMANDS}, "cli/schemas.py: OBJECTS has a row for each command"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"count": "8"}, ".count is '8', expected integer"),
        ({"status": "done"}, ".status is 'done', expected one of"),
        ({"piece": 3}, ".piece is 3, expected string or null"),
        ({"tours": 8}, ".tours is not in the schema"),
        ({"verification": "true"}, ".verification is 'true', expected one of"),
    ],
)
def test_wrong_objects_do_not_fit(change: dict[str, Any], error: str, cli: Callable[..., Ran]) -> None:
    schema = schema_of("count")["anyOf"][0]
    answer = json.loads(cli("count", "3x4", "--json").out)
    assert not list(errors(answer, schema))
    assert [text.startswith(error) for text in errors(answer | change, schema)] == [True]
    del answer[next(iter(change.keys() & answer.keys()), "count")]
    assert list(errors(answer, schema))


def test_the_command_prints_the_schema_with_its_version(cli: Callable[..., Ran]) -> None:
    ran = cli("schema", "count", "--json")
    assert (ran.code, json.loads(ran.out)) == (0, schema_of("count"))
    minor = ".".join(cavalcade.__version__.split(".")[:2])
    assert schema_of("count")["$id"] == f"urn:cavalcade:{minor}:count"
    assert cli("schema", "counts").code == 2


def test_every_status_is_documented(request: pytest.FixtureRequest) -> None:
    page = (request.config.rootpath / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert all(f"| `{word}` |" in page for word in AnswerStatus)

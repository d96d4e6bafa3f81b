"""Sabotage: a line of each counter, lister, sampler and optimizer is wrong, and no command repeats its claim.

Each entry replaces a part of a function, and runs a command in this process. The command must end with the
exit code of an internal error. Without the mutation it exits with another code.
"""

from __future__ import annotations

import inspect
import textwrap
from importlib import import_module
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import cavalcade
from cavalcade.ask import portfolio
from cavalcade.ask.engines import ENGINES
from cavalcade.cli import ExitCode
from cavalcade.counting import meeting, total

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade import Question
    from conftest import Ran


class Sabotage(NamedTuple):
    """A mutation: in a function, the text `right` is replaced by `wrong`; and a command that uses it."""

    command: str
    where: str
    right: str
    wrong: str


SABOTAGED = [
    # counts: the question, the search, the stages, the folded board, the strip, the directions
    Sabotage(
        "count 5x6 --avoid a1-b3", "question.question:Question.allowed", "if not self.forbidden", "if True"
    ),
    Sabotage("count 5x6", "states.search:StageSearch.cycles", "self.table.total", "self.table.total + 2"),
    Sabotage("count 5x6", "states.transition:stages", "for w in ahead]", "for w in ahead[1:]]"),
    Sabotage("count 5x6 --open", "counting.cycles:count_cycles", "return search.cycles", "return 8"),
    Sabotage("count 6x6 --symmetry half-turn", "counting.voltage:fixed_cycles", "= number", "= number + 1"),
    Sabotage(
        "count 6x6 --symmetry quarter-turn", "question.folding:folded", "if fits and", "if not fits and"
    ),
    Sabotage("count 3x60", "counting.strips:along_strip", "moduli)[0]", "moduli)[0] + 1"),
    Sabotage("count 3x60", "counting.transfer_matrix:_choices", "range(3)", "range(2)"),
    Sabotage("count 5x5 --open --directed", "counting.total:conventions_of", "1 + twice", "1"),
    Sabotage("count 5x6 --twice", "counting.total:count_by_listing", "sum(1", "1 + sum(1"),
    Sabotage(
        "count 5x5 --open --at 1=a1 --at 3=c5", "find.numbered:numbered_tours", "from batch", "from batch[1:]"
    ),
    Sabotage(
        "count 3xn --upto 12",
        "counting.strips:by_matrix",
        "combined(residues.T.tolist(), moduli),",
        "[term + 2 for term in combined(residues.T.tolist(), moduli)],",
    ),
    # classes
    Sabotage("count 5x6 --symmetry", "counting.classes:classes", "divmod(sum(", "divmod(4 + sum("),
    Sabotage(
        "count 6x6 --symmetry",
        "counting.classes:classes",
        "fixed_tours))",
        "Fixed(78, 0)))",
    ),
    Sabotage(
        "count 6x6 --symmetry",
        "counting.voltage:fixed_cycles",
        "cycles[False], cycles[True]",
        "cycles[True], cycles[False]",
    ),
    Sabotage("count 6x6 --symmetry", "counting.classes:_exactly", "total - larger", "total"),
    # splits
    Sabotage("count 5x6 --by slope", "counting.distribution:equivalent", "if types[earlier] in", "if"),
    Sabotage("count 5x6 --by files", "counting.distribution:_name", "abs(files)", "abs(3 - abs(files))"),
    Sabotage(
        "count 5x6 --by files",
        "counting.interpolation:Interpolation.numbers",
        "enumerate(numbers, least)",
        "enumerate(numbers, least + 2)",
    ),
    Sabotage("count 5x6 --by class", "question.symmetry:first_images", "in group", "in [*group][:2]"),
    Sabotage("count 5x6 --by turns", "counting.measuring:_Angles.of", "!= self", "== self"),
    Sabotage("count 5x6 --by angles", "counting.measuring:_Angles.of", "angles == i", "angles > i"),
    Sabotage("count 5x6 --by crossings", "counting.measuring:_Crossings.of", "// 2", "// 2 + 1"),
    Sabotage("count 5x6 --by turns --directed", "counting.total:conventions_of", "1 + twice", "1"),
    Sabotage(
        "count 3x10 --by files --twice",
        "counting.distribution:distribution",
        "rows[names.index(first)]",
        "rows[-1]",
    ),
    # lists and samples
    Sabotage(
        "list 5x6", "counting.listing:_cycles", "(cycles_of_all,", "(lambda rows: cycles_of_all(rows)[1:],"
    ),
    Sabotage("list 5x6", "counting.listing:list_arrays", "if len(rows)", "if len(rows) > 1"),
    Sabotage("list 5x6 --up-to-symmetry", "counting.listing:_firsts", "& has_ends", "& ~has_ends"),
    Sabotage(
        "list 6x6 --symmetry half-turn",
        "counting.listing:_symmetric_cycles",
        "yield unfolded[None]",
        "yield unfolded[None]; break",
    ),
    Sabotage(
        "list 5x5 --open --at 1=a1 --at 3=c5",
        "counting.listing:_numbered",
        "yield cells[None]",
        "yield cells[None]; return",
    ),
    Sabotage("sample 5x6", "states.layers:Layers.total", "self.cycles", "self.cycles + 1"),
    Sabotage("magic 4x7 --columns", "counting.magic:magic_tours", "if (columns or", "if not (columns or"),
    Sabotage("magic 4x7 --columns", "counting.magic:_Strip._may_hold", "or parity % 2", "or not parity % 2"),
    # optima
    Sabotage("fewest turns 5x6", "refute.fewest:BoundedSearch.decide", "=most + 1,", "=most + 2,"),
    Sabotage(
        "fewest turns 6x6", "refute.fewest:fewer", "search.best\n", "search.best._replace(at_least=35)\n"
    ),
    Sabotage("fewest turns 6x6", "refute.fewest:fewer", "search.best\n", "best._replace(at_least=count)\n"),
    Sabotage(
        "uncrossed 5x5", "find.uncrossed:longest", "turned = mask", "vectors = vectors[2:-2]; turned = mask"
    ),
    Sabotage(
        "uncrossed 4x4 --open",
        "find.uncrossed:longest",
        "turned = mask",
        "vectors = vectors[:0]; turned = mask",
    ),
    # tours of least weight, decompositions, pairs of cells, walks, sequences
    Sabotage(
        "tsp LINKS",
        "ask.salesman:improved",
        "question.cut(search.cycle)",
        "question.cut(search.cycle[::-1][[*range(1, 4), 0, 4]])",
    ),
    Sabotage("tsp LINKS", "ask.salesman:improved", "int(search.most)", "int(search.most) + 1"),
    Sabotage("tsp LINKS -n 3", "ask.lightest:_others", "required.append(move)", "pass"),
    Sabotage("tsp LINKS -n 3", "ask.lightest:_others", "for move in moves:", "for move in moves[:1]:"),
    Sabotage("tsp LINKS -n 3 --maximize", "ask.lightest:lightest_tours", "(sign * least", "(least"),
    Sabotage(
        "decompose torus:5x5",
        "find.decomposition:_cycle",
        "return cycle",
        "return [*cycle[:-2], cycle[-1], cycle[-2]]",
    ),
    Sabotage("connected 3x4", "ask.connections:_classes", "n, n).T", "n, n)[::-1]"),
    Sabotage("connected 3x4", "ask.connections:_classes", "1 if directed else 2", "1"),
    Sabotage("connected 3x4", "ask.connections:_verdicts", "start=start, end", "start=end, end"),
    Sabotage(
        "continue WALK --open", "ask.continuation:WalkSearch.continuation", "bad - kept > 1", "bad - kept > 3"
    ),
    Sabotage(
        "count 3xn --upto 12 -o FOLDER",
        "counting.strips:by_matrix",
        "combined(residues.T.tolist(), moduli),",
        "[term + 2 for term in combined(residues.T.tolist(), moduli)],",
    ),
]


def mutate(monkeypatch: pytest.MonkeyPatch, where: str, right: str, wrong: str) -> None:
    """Replace a part of a function everywhere, and restore it after the test."""
    module_name, _, name = where.partition(":")
    module = import_module(f"cavalcade.{module_name}")
    function: Any = module
    for part in name.split("."):
        function = vars(function)[part]
    function = getattr(function, "fget", None) or getattr(function, "func", function)
    function = inspect.unwrap(function)
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(right) > 0, f"{where} does not contain {right!r}"
    text = text[text.index("def ") :].replace(right, wrong, 1)
    scope: dict[str, Any] = {}
    code = compile("from __future__ import annotations\n" + text, where, "exec")
    exec(code, vars(module), scope)  # noqa: S102 - the mutated source
    monkeypatch.setattr(function, "__code__", scope[function.__name__].__code__)


def arguments_of(command: str, folder: Path) -> list[str]:
    """Return the arguments of a command, with files in place of LINKS, WALK and FOLDER."""
    if "LINKS" in command:  # the complete graph of five vertices; the sums of different moves differ
        links = "".join(f"{a},{b},{2**i}\n" for i, (a, b) in enumerate(combinations(range(5), 2)))
        (folder / "links.csv").write_text(f"from,to,weight\n{links}")
    if "WALK" in command:
        walk = cavalcade.warnsdorff("8x8", "a5")
        assert isinstance(walk, cavalcade.Undecided)
        assert walk.partial is not None
        cavalcade.save(walk.partial, folder / "walk.txt")
    files = {"LINKS": "links.csv", "WALK": "walk.txt", "FOLDER": "out"}
    return [str(folder / files[word]) if word in files else word for word in command.split()]


@pytest.mark.parametrize("sabotage", SABOTAGED, ids=lambda s: f"{s.command}: {s.wrong}")
def test_sabotage(
    sabotage: Sabotage, cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    arguments = arguments_of(sabotage.command, tmp_path)
    mutate(monkeypatch, *sabotage[1:])
    ran = cli(*arguments)
    assert ran.code == ExitCode.INTERNAL, (ran.out, ran.err)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=[pytest.mark.slow] * command.startswith(("magic", "fewest", "uncrossed")))
        for command in sorted({sabotage.command for sabotage in SABOTAGED})
    ],
)
def test_without_sabotage(command: str, cli: Callable[..., Ran], tmp_path: Path) -> None:
    ran = cli(*arguments_of(command, tmp_path))
    assert ran.code in {ExitCode.FOUND, ExitCode.IMPOSSIBLE}
    assert "certified" in ran.err or "counted twice" in ran.err


PUZZLE = "1 . . . .\n. . . . .\n. . 5 . .\n. . . . .\n. . . . .\n"


@pytest.mark.parametrize(
    ("method", "where", "right", "wrong"),
    [
        ("search", "find.numbered:numbered", "tours=tours[:most]", "tours=tours[1:most]"),
        ("sat", "refute.positions:forbidding", "enumerate(tour)]", "enumerate(tour)][:2]"),
    ],
)
def test_sabotaged_solver(
    method: str,
    where: str,
    right: str,
    wrong: str,
    cli: Callable[..., Ran],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    puzzle = tmp_path / "puzzle.txt"
    puzzle.write_text(PUZZLE)
    ran = cli("solve", puzzle, "--open", "--method", method)
    assert ran.code == ExitCode.FOUND
    assert "all of them" in ran.err
    assert "counted twice" in ran.err
    mutate(monkeypatch, where, right, wrong)
    assert cli("solve", puzzle, "--open", "--method", method).code == ExitCode.INTERNAL


@pytest.mark.parametrize("engine", sorted({row.name for row in ENGINES}))
def test_sabotaged_engine(engine: str, cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """A tour whose first two cells are exchanged is not shown, whichever engine returns it."""
    verdict = cavalcade.tour("6x6")
    assert isinstance(verdict, cavalcade.Found)
    cells = verdict.tour.cells.copy()
    cells[:2] = cells[1::-1]
    monkeypatch.setattr(portfolio, "function_of", lambda _: lambda *_, **__: cells)
    assert cli("tour", "6x6", "--engine", engine).code in {ExitCode.INTERNAL, ExitCode.UNDECIDED}
    assert cli("tour", "6x6").code == ExitCode.INTERNAL


def test_sabotaged_halves(cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    order_and_halves = total.order_and_halves

    def always(question: Question) -> tuple[list[int], meeting.Halves | None]:
        return order_and_halves(question)[0], meeting.halves(question.as_cycle, question.apex)

    monkeypatch.setattr(total, "order_and_halves", always)
    assert cli("count", "5x6").code == ExitCode.FOUND
    mutate(monkeypatch, "counting.meeting:Meeting.count", "return sum(classes)", "return sum(classes) + 2")
    assert cli("count", "5x6").code == ExitCode.INTERNAL

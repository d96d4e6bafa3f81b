"""Measures of tours: comparison with a second program and with published numbers; invariances."""

from __future__ import annotations

import csv
import inspect
import io
import json
import pkgutil
from collections import Counter
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
import measured
from cavalcade.answers import measures
from cavalcade.answers.measures.magic import magic
from cavalcade.answers.measures.measure import STATISTICS
from cavalcade.answers.measures.moves import WalkArrays, directions
from cavalcade.answers.tours import Tour, Tours
from cavalcade.cli import main
from cavalcade.draw.charts import histogram, text_bars
from cavalcade.ground.errors import CavalcadeError
from verdicts import tour_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from cavalcade.boards import Board

DATA = Path(__file__).parent / "data"
PAGE = (DATA.parent.parent / "docs" / "commands" / "measure.md").read_text(encoding="utf-8")
# board, piece, open
SHAPES = [
    ("8x8", "knight", False), ("6x6", "knight", True), ("5x8", "knight", False), ("3x10", "knight", False),
    ("8x8-a1,b1", "knight", False), ("9x10", "1,2+2,2", False), ("10x10", "giraffe", False),
    ("hex:4", "knight", False), ("triangle:9", "knight", True), ("3x4x5", "knight", False),
]  # fmt: skip


def board_of(tour: Tour) -> Board:
    board = tour.board
    assert isinstance(board, cavalcade.Board)
    return board


def tours(spec: str, piece: str, *, opened: bool) -> Iterator[Tour]:
    """Yield four tours per seed: mirrored, and reversed, rotated or truncated."""
    rng = np.random.default_rng(len(spec))
    mirrors = cavalcade.symmetries(spec, piece)
    for seed in range(10):
        tour = tour_of(spec, piece=piece, open=opened, seed=seed)
        for kind in range(4):
            image = mirrors[rng.integers(len(mirrors))].cells[tour.cells]
            seen = Tour(tour.board, image, not opened, tour.piece)
            if kind == 1:
                seen = seen.reversed()
            if kind == 2 and seen.closed:
                seen = seen.rotated(int(rng.integers(len(seen))))
            if kind == 3:
                seen = Tour(
                    seen.board, seen.cells[: rng.integers(2, len(seen))], closed=False, piece=seen.piece
                )
            yield seen


@pytest.mark.parametrize(("spec", "piece", "opened"), SHAPES)
def test_a_second_program_measures_the_same(spec: str, piece: str, *, opened: bool) -> None:
    for tour in tours(spec, piece, opened=opened):
        board, measure = board_of(tour), tour.measure()
        places = [tuple(place) for place in tour.coords.tolist()]
        closed, hexagonal = tour.closed, board.family.hexagonal
        moves = measured.moves_of(places, closed=closed)
        assert measure.moves == len(moves)

        angles = measured.angles(places, closed=closed, hexagonal=hexagonal)
        names = list(measure.angles or {})
        rounded = Counter[str]()
        for angle, number in angles.items():
            rounded[min(names, key=lambda name: abs(float(name) - angle))] += number
        assert rounded == Counter(measure.angles)
        assert (measure.straight, measure.turns) == (angles[180], sum(angles.values()) - angles[180])
        assert measure.longest_run == measured.longest_run(places, closed=closed, hexagonal=hexagonal)

        slopes = Counter[str]()
        for line, number in measured.lines(places, closed=closed).items():
            slopes[slope_name(line, flat=board.kind == "box" and len(line) == 2)] += number
        assert slopes == Counter(measure.slopes)

        if spec[:3] == "hex" or (board.kind == "box" and board.dimensions == 2):
            middle = (0.0, 0.0) if spec[:3] == "hex" else ((board.shape[0] - 1) / 2, (board.shape[1] - 1) / 2)
            assert measure.whirl == measured.whirl(places, middle, closed=closed, hexagonal=hexagonal)
        else:
            assert measure.whirl is None

        if board.dimensions == 2:
            assert measure.crossings == measured.crossings(places, closed=closed)
            assert measure.uncrossed_run == measured.uncrossed_run(places, closed=closed)
        if board.dimensions == 2 and closed:
            assert measure.swept_area == Fraction(measured.swept_area(places))
            assert measure.turning == measured.turning(places)
            centre = board.coords.mean(axis=0).tolist()
            assert measure.winding == measured.winding(places, (centre[0], centre[1]))
        if board.dimensions == 2 and closed and piece != "1,2+2,2":
            assert float(measure.enclosed_area or 0) == pytest.approx(
                measured.enclosed_area(places), abs=1e-6
            )
        else:
            assert measure.enclosed_area is None

        assert sum((measure.classes or {}).values()) == len(moves)
        if board.kind == "box" and board.mask is None:
            maps = measured.box_maps(board.shape)
            assert len(measure.symmetries or ()) == measured.kept(places, maps, closed=closed) - 1
        assert (measure.magic is None) == (
            board.kind != "box" or board.mask is not None or len(tour) < board.size
        )
        if measure.magic:
            right_sums = [
                not line_sums.wrong for line_sums in measure.magic.lines if line_sums.name != "diagonals"
            ]
            assert right_sums == measured.right_sums(places, board.shape)


def slope_name(line: tuple[int, ...], *, flat: bool) -> str:
    """Return the name of a direction: rise over run, or its vector."""
    if not flat:
        return ",".join(map(str, line))
    down, right = line
    return str(Fraction(-down, right)) if right else "vertical"


def test_small_tours_by_hand() -> None:
    diamond = Tour.from_names(cavalcade.board("5x5"), ["a3", "b5", "c3", "b1"], closed=True).measure()
    assert (diamond.turns, diamond.crossings) == (4, 0)
    assert diamond.swept_area == diamond.enclosed_area == 4
    assert (diamond.turning, diamond.winding, diamond.angles and diamond.angles["53"]) == (1, None, 2)
    assert [symmetry.name for symmetry in diamond.symmetries or ()] == ["reflection, top to bottom"]
    # The star winds around c3 three times, so the swept area counts its middle three times.
    ring = ["a3", "b5", "d4", "e2", "c1", "a2", "b4", "d5", "e3", "d1", "b2", "a4", "c5", "e4", "d2", "b1"]
    star = Tour.from_names(cavalcade.board("5x5"), ring, closed=True).measure()
    assert (star.turning, star.winding, star.crossings) == (3, 3, 16)
    assert star.swept_area == 28
    assert star.enclosed_area == Fraction(26, 3)
    ways = Counter(symmetry.direction for symmetry in star.symmetries or ())
    assert ways == {"forward": 3, "backward": 4}
    line = Tour.from_names(cavalcade.board("4x7"), ["a1", "c2", "e3", "g4"], closed=False).measure()
    assert (line.straight, line.turns, line.longest_run, line.crossings, line.swept_area) == (
        2,
        0,
        3,
        0,
        None,
    )
    for length in (0, 1, 2):
        short = Tour(cavalcade.board("8x8"), np.array([0, 10])[:length], closed=False).measure()
        assert (short.moves, short.turns, short.longest_run) == (max(length - 1, 0), 0, max(length - 1, 0))


def test_the_six_angles_and_the_21_classes() -> None:
    measure = tour_of("8x8").measure()
    assert list(measure.angles or ()) == ["37", "53", "90", "127", "143", "180"]
    assert len(measure.classes or ()) == 21


def test_no_tour_of_the_chessboard_exceeds_the_extremes() -> None:
    """Knuth's extremes over all closed tours of 8x8, pre-fascicle 8A, answers 157 and 158."""
    upper, lower = (29, 30, 39, 33, 25, 19), (4, 0, 2, 0, 0, 0)
    for seed in range(50):
        numbers = list((tour_of("8x8", seed=seed).measure().angles or {}).values())
        assert all(a <= b <= c for a, b, c in zip(lower, numbers, upper, strict=True))


@pytest.mark.parametrize(
    ("spec", "opened"),
    [("3x10", False), ("5x6", False), ("4x5", True), pytest.param("5x5", True, marks=pytest.mark.slow)],
)
def test_symmetries_of_all_tours_agree_with_counts(spec: str, *, opened: bool) -> None:
    measured_symmetries: Counter[tuple[str, str]] = Counter()
    for tour in cavalcade.list_tours(spec, open=opened):
        measured_symmetries.update(tour.measure().symmetries or ())
    counted: Counter[tuple[str, str]] = Counter()
    for kind in cavalcade.classes(spec, open=opened).fixed[1:]:
        counted[kind.name, "forward"] += kind.symmetries * kind.forward
        counted[kind.name, "backward"] += kind.symmetries * kind.backward
    assert +measured_symmetries == +counted


def test_published_magic_tours() -> None:
    for entry in json.loads((DATA / "magic_tours.json").read_text(encoding="utf-8")):
        array = np.array([row.split() for row in entry["rows"]], dtype=np.int64)
        board = cavalcade.Board.box(*array.shape)
        piece = cavalcade.piece(entry["piece"])
        tour = Tour.from_numbering(board, array, closed=entry["closed"], piece=piece)
        assert cavalcade.check(tour).ok, entry["source"]
        square = tour.measure().magic
        assert square is not None
        assert square.kind == entry["kind"]
        if "diagonals" in entry:
            assert sorted(square.lines[-1].sums) == entry["diagonals"]


def test_magic_in_three_dimensions() -> None:
    cube = cavalcade.board("3x3x3")  # not a tour, but a numbering with the sums of a published magic cube
    rows = "1 17 24 15 19 8 26 6 10 23 3 16 7 14 21 12 25 5 18 22 2 20 9 13 4 11 27"
    steps = np.array(rows.split(), dtype=np.int64).reshape(3, 3, 3)
    table = magic(WalkArrays(Tours.of(Tour.from_numbering(cube, steps, closed=False))))
    assert table is not None
    cube_sums = table.value(0)
    assert (cube_sums.kind, [sums.name for sums in cube_sums.lines]) == (
        "diagonally magic",
        ["rows", "columns", "pillars", "diagonals"],
    )
    assert {total for sums in cube_sums.lines for total in sums.sums} == {42}


def mirrors(numbering: NDArray[np.int32]) -> set[bytes]:
    """Return a numbering and its reflections."""
    images = (numbering[::down, ::right] for down in (1, -1) for right in (1, -1))
    return {np.ascontiguousarray(image).tobytes() for image in images}


def test_magic_tours_of_4x7_agree_with_the_list_of_all_tours(capsys: pytest.CaptureFixture[str]) -> None:
    """4x7 has 6,378 open tours; 9 classes have equal column sums (OEIS A309273)."""
    board = cavalcade.board("4x7")
    cells = np.array([tour.cells for tour in cavalcade.list_tours(board, open=True)])
    assert len(cells) == 6378
    steps = (cells.argsort() + 1).reshape(-1, 4, 7).astype(np.int32)
    listed = {
        numbering.tobytes()
        for numberings in (steps, 29 - steps)
        for numbering in numberings
        if (numbering.sum(axis=0) == 58).all()
    }
    tours_found = list(cavalcade.magic_tours("4x7", columns=True))
    assert len(tours_found) == 9
    assert {image for tour in tours_found for image in mirrors(tour.numbering)} == listed
    for arguments, code, message in (
        (
            ["3x7", "--columns"],
            1,
            "of 3x7 with equal sums of all columns: the search was exhaustive, counted twice",
        ),
        (["4x5"], 1, "of all columns and of all rows: the search was exhaustive, counted twice"),
        (["hex:3"], 2, "magic tours are sought on rectangles without holes, not on hex:3"),
    ):
        assert main(["magic", *arguments]) == code
        assert message in capsys.readouterr().err


def test_too_many_states_are_undecided(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cavalcade.counting.magic.MOST_STATES", 100)
    assert main(["magic", "4x8"]) == 3
    message = capsys.readouterr().err
    assert "undecided: magic tours of 4x8, after 3 of 32 cells: more than 100 states" in message


@pytest.mark.slow
def test_numbers_of_tours_with_equal_columns_are_published() -> None:
    """OEIS A309273 (A. Kumar): classes of 4xn under reflections, from n = 7."""
    published = {8: 16, 9: 38, 10: 104, 11: 267, 12: 608}
    assert {n: sum(1 for _ in cavalcade.magic_tours(f"4x{n}", columns=True)) for n in published} == published


@pytest.mark.slow
def test_the_number_of_magic_tours_of_4x20_is_published() -> None:
    """G. P. Jelliss, Oblong magic knight's tours: 88 tours, by A. Kumar."""
    tours_found = list(cavalcade.magic_tours("4x20"))
    assert len(tours_found) == 88
    assert {tour.measure().columns()["magic"] for tour in tours_found} == {"magic"}


def test_meaningless_measures_are_absent() -> None:
    everything = set(tour_of("6x6").measure().to_dict())
    plane = {"crossings", "uncrossed_run", "swept_area", "enclosed_area", "turning", "winding", "whirl"}
    vectors = plane | {"turns", "straight", "longest_run", "angles", "slopes"}
    torus = tour_of("torus:5x7").measure().to_dict()
    assert everything - set(torus) == vectors | {"magic"}
    assert everything - set(tour_of("3x4x5").measure().to_dict()) == plane
    square = cavalcade.MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    assert tour_of(square).measure().columns() == {"moves": 4}


@pytest.mark.parametrize("statistic", STATISTICS)
def test_a_statistic_needs_only_a_function(statistic: Callable[[WalkArrays], Any]) -> None:
    """A statistic has a docstring, and appears in the table, in JSON, in the columns and on the page."""
    name, measure = statistic.__name__, tour_of("6x6").measure()
    assert inspect.getdoc(statistic), f"{name} needs a docstring"
    values = statistic(WalkArrays(Tours.of(tour_of("6x6"))))
    value = values[0] if isinstance(values, np.ndarray) else values.value(0)
    assert measure[name] == getattr(measure, name) == value
    assert name in measure.to_dict()
    assert f"\n{name.replace('_', ' ')} " in f"\n{measure}"
    assert any(column.startswith(name[:5]) for column in measure.columns())
    assert f"`{name.replace('_', ' ')}`" in PAGE, f"docs/commands/measure.md: no line about `{name}`"
    with pytest.raises(AttributeError, match="'horses' is not measured, expected one of board, piece, kind"):
        measure.horses  # noqa: B018


@pytest.mark.parametrize("module", [function.name for function in pkgutil.iter_modules(measures.__path__)])
def test_each_function_of_walks_is_in_the_list(module: str) -> None:
    home = import_module(f"{measures.__name__}.{module}")
    for name, function in inspect.getmembers(home, inspect.isfunction):
        if (
            function.__module__ == home.__name__
            and name[0] != "_"
            and [*inspect.signature(function).parameters] == ["walks"]
        ):
            assert function in STATISTICS, f"`{name}` is not in STATISTICS of answers/measures/measure.py"


def test_a_whirling_tour_whirls_with_all_its_moves() -> None:
    assert [tour.measure().whirl for tour in cavalcade.list_tours("6x7", moves="clockwise")] == [42] * 18


def test_malformed_walks_are_refused() -> None:
    board = cavalcade.board("5x5")
    with pytest.raises(CavalcadeError, match="a5 to b5, after step 1, is not a knight move"):
        Tour(board, np.array([0, 1]), closed=False).measure()
    with pytest.raises(CavalcadeError, match="visits a5 twice"):
        Tour(board, np.array([0, 7, 0]), closed=False).measure()
    square = cavalcade.MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    with pytest.raises(CavalcadeError, match="1 to 3, after step 1, is not an edge"):
        Tour(square, np.array([0, 2]), closed=False).measure()


def test_angles_with_close_names_get_decimals() -> None:
    table = directions(cavalcade.board("20x20"), cavalcade.piece("6,7+7,8"))
    assert len(set(table.angles)) == len(table.angles)
    assert any("." in name for name in table.angles)


# ---- tables and pictures


def test_a_table_of_many_tours(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["list", "3x10", "--measure"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    listed = list(cavalcade.list_tours("3x10"))
    assert len(rows) == len(listed) == 16
    for i, (row, tour) in enumerate(zip(rows, listed, strict=True), 1):
        columns = {name: str(value) for name, value in tour.measure().columns().items()}
        assert row == {"tour": str(i)} | dict.fromkeys(row, "") | columns | {"tour": str(i)}
    assert Counter(row["symmetry"] for row in rows)["none"] == 8
    table, picture = str(tmp_path / "t.csv"), tmp_path / "x.svg"
    assert main(["list", "3x10", "--measure", "-o", table]) == 0
    assert main(["draw", "--histogram", "turns", table, "-o", str(picture)]) == 0
    assert picture.read_text() == histogram([int(row["turns"]) for row in rows], "turns")
    capsys.readouterr()
    assert main(["list", "3x10", "--measure", "--format", "json"]) == 0
    assert [json.loads(line)["tour"] for line in capsys.readouterr().out.splitlines()] == [*range(1, 17)]
    assert main(["draw", "--histogram", "horses", table]) == 2
    assert "no column 'horses', expected one of tour, moves" in capsys.readouterr().err


def test_measure_as_json_and_as_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tour = tour_of("6x6")
    cavalcade.save(tour, tmp_path / "t.csv")
    assert main(["measure", str(tmp_path / "t.csv"), "--json"]) == 0
    expected = {"status": "complete"} | json.loads(tour.measure().to_json())
    assert json.loads(capsys.readouterr().out) == expected
    assert main(["measure", str(tmp_path / "t.csv")]) == 0
    assert capsys.readouterr().out == str(tour.measure())
    assert main(["measure", str(tmp_path / "t.csv"), "--piece", "camel"]) == 2
    assert "is not a camel move" in capsys.readouterr().err


def test_histograms() -> None:
    bars = text_bars([3, 5, 5, 5], "turns").splitlines()
    assert [line.split() for line in bars[1:]] == [["3", "1", 17 * "#"], ["4", "0"], ["5", "3", 50 * "#"]]
    picture = histogram([3, 5, 5, 5], "turns")
    assert picture.count('class="bar"') == 3
    assert "<title>5: 3</title>" in picture
    many = text_bars(range(1000), "x").splitlines()
    assert [int(line.split()[1]) for line in many[1:]] == [50] * 20
    fine = text_bars([0.1, 0.15, 0.3], "area").splitlines()
    assert sum(int(line.split()[1]) for line in fine[1:]) == 3
    assert [line.split()[0] for line in text_bars(["b", "a", "b"], "magic").splitlines()[1:]] == ["b", "a"]
    assert histogram([7, 7], "x").count('class="bar"') == 1
    sampled = text_bars([3, 5, 5, 5], "turns", sample=True).splitlines()
    assert sampled[0] == "turns of 4 tours, mean 4.5 ± 0.5"
    assert [line.split()[:4] for line in sampled[1:]] == [
        ["3", "1", "±", "1"], ["4", "0", "±", "0"], ["5", "3", "±", "1"],
    ]  # fmt: skip
    drawn = histogram([3, 5, 5, 5], "turns", sample=True)
    assert drawn.count('class="error"') == 3
    assert "mean 4.5 ± 0.5" in drawn
    for wrong, message in (
        ([], "at least one value"),
        ([1, "a"], "'a' is not a number"),
        ([float("nan")], "finite"),
    ):
        with pytest.raises(CavalcadeError, match=message):
            histogram(wrong, "x")  # type: ignore[arg-type]


# ---- many tours at once


@pytest.mark.parametrize(
    ("spec", "piece", "opened"), [*SHAPES, ("torus:5x7", "knight", False), ("petersen", None, True)]
)
def test_many_tours_are_measured_as_each_one(
    spec: str, piece: str | None, monkeypatch: pytest.MonkeyPatch, *, opened: bool
) -> None:
    board = tour_of(spec, piece=piece, open=opened).board
    several = [tour_of(board, piece=piece, open=opened, seed=seed) for seed in range(4)]
    monkeypatch.setattr("cavalcade.answers.measures.measure.BLOCK", 2 * len(several[0]) + 1)  # two at once
    for group in (
        several,
        [Tour(tour.board, tour.cells[:3], closed=False, piece=tour.piece) for tour in several],
    ):
        table = cavalcade.measure(group)
        assert len(table) == len(group)
        for i, (row, tour) in enumerate(zip(table, group, strict=True)):
            assert dict(row) == dict(tour.measure())
            assert row.to_json() == tour.measure().to_json()
            assert table.row(i) == tour.measure().columns()
        assert {len(values) for values in table.columns.values()} == {len(group)}


def test_a_table_of_measures_becomes_a_data_frame() -> None:
    tours_drawn = Tours.of(cavalcade.sample("3x10", 30, seed=1))
    frame = tours_drawn.measure().to_pandas()
    assert frame["turns"].tolist() == [tour.measure().turns for tour in tours_drawn]
    assert frame["winding"].isna().tolist() == [tour.measure().winding is None for tour in tours_drawn]
    assert tours_drawn.measure().to_arrow().column_names == list(frame)
    assert tours_drawn.measure().to_polars().columns == list(frame)
    with pytest.raises(CavalcadeError, match="are not tours of one kind"):
        cavalcade.measure([tour_of("6x6"), tour_of("5x6")])
    with pytest.raises(CavalcadeError, match="7 is not a tour"):
        cavalcade.measure(7)  # type: ignore[call-overload]
    with pytest.raises(CavalcadeError, match="36 is not a cell of 6x6, expected 0 to 35"):
        Tours(cavalcade.board("6x6"), np.array([[0, 36]]), closed=False).measure()

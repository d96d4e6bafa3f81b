"""Tours of any size: arrays, files, checks of arrays, and queries for steps and cells without building."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade import KNIGHT, check, check_array
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.construction.chain import Chain
from cavalcade.construction.plan import Construction
from cavalcade.formats import npy, read, save
from cavalcade.formats.npy import moves_of, new_array, open_array
from cavalcade.ground.errors import CavalcadeError, CellError, FormatError, TooLargeError
from cavalcade.ground.kernels import Tier
from cavalcade.ground.threads import spread
from strategies import boards

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from conftest import Ran

SPECS = [
    ("6x6", False), ("12x17", False), ("41x31", True), ("3x30", False), ("4x27", True), ("5x5", True),
    ("7x8x9", False), ("2x3x4", False), ("3x4x2x5", False), ("hex:4", False), ("hex:13", True),
    ("hex:31", False),
]  # fmt: skip


def built(spec: str, *, open_: bool = False, **options: Any) -> Construction:
    construction = cavalcade.construct(spec, open=open_, **options)
    assert isinstance(construction, Construction), construction
    return construction


def find_tour(board: Board | str, *, open_: bool = False, seed: int = 0) -> Tour | None:
    verdict = cavalcade.tour(board, open=open_, seed=seed, time_limit=0.2)
    return verdict.tour if isinstance(verdict, cavalcade.Found) else None


# ---- arrays


@pytest.mark.parametrize(("spec", "open_"), SPECS)
@pytest.mark.parametrize("threads", [1, 2])
def test_arrays_equal_the_plan(spec: str, threads: int, *, open_: bool) -> None:
    plan = built(spec, open_=open_, seed=5)
    steps = plan.numbering(threads=threads)
    assert steps.dtype == np.int32
    assert np.array_equal(steps.ravel()[plan.chain.order()], np.arange(1, len(plan) + 1))
    order = plan.chain.places(np.arange(1, len(plan) + 1))
    assert np.array_equal(steps[tuple(order.T)], np.arange(1, len(plan) + 1))
    tour = plan.tour()
    assert tour.closed is not open_
    assert check(tour)
    moves = plan.moves(threads=threads)
    assert np.array_equal(moves, moves_of(tour, plan.board))


@pytest.mark.parametrize("spec", ["23x36", "6x7x8", "hex:11"])
def test_both_tiers_write_the_same(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = built(spec)
    written = []
    for warm in (False, True):
        monkeypatch.setattr(Tier, "warm", warm)
        written.append((plan.numbering(), plan.moves()))
    for first, second in zip(*written, strict=True):
        assert np.array_equal(first, second)


def test_random_styles_are_written_too() -> None:
    plans = [built("40x44", style="random", seed=seed) for seed in (1, 1, 2)]
    arrays = [plan.numbering() for plan in plans]
    assert all(check_array(array) for array in arrays)
    assert np.array_equal(arrays[0], arrays[1])
    assert not np.array_equal(arrays[0], arrays[2])


def test_arrays_can_be_passed_in() -> None:
    plan = built("hex:9")  # 217 cells
    out = np.full(plan.board.shape, 77, dtype=np.int64)
    assert plan.numbering(out) is out
    assert np.array_equal(out, plan.numbering())
    small = np.full(plan.board.shape, 7, dtype=np.uint8)
    assert plan.moves(small) is small
    assert np.array_equal(small, plan.moves())
    for wrong in (out[1:], out.T, out.astype(np.float64), small.astype(np.int8)):
        with pytest.raises(FormatError):
            plan.numbering(wrong)
    for wrong in (out, small.astype(np.int8)):
        with pytest.raises(FormatError, match="bytes"):
            plan.moves(wrong)


def test_large_tours_need_eight_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert npy.step_type(2**31 - 1) is np.int32
    assert npy.step_type(2**31) is np.int64
    plan = built("10x10")
    monkeypatch.setattr(Chain, "size", 2**31)
    assert plan.numbering(np.zeros((10, 10), dtype=np.int64)).max() == 100
    with pytest.raises(FormatError, match="do not fit"):
        plan.numbering(np.zeros((10, 10), dtype=np.int32))


# ---- queries


@pytest.mark.parametrize(
    ("spec", "open_"), [("30000x30000", False), ("9999x10001", True), ("60x70x80", False)]
)
def test_steps_and_cells_of_large_boards(spec: str, *, open_: bool) -> None:
    plan = built(spec, open_=open_)
    size = len(plan)
    draw = np.random.default_rng(1).integers(1, size, 50).tolist()
    for step in [1, size - 1, *draw]:
        cell, next_cell = plan.chain.places([step, step + 1]).tolist()
        assert sorted(abs(a - b) for a, b in zip(cell, next_cell, strict=True))[-2:] == [1, 2]
        assert plan.step_of(plan.cell_at(step)) == step
    for wrong in (0, size + 1):
        with pytest.raises(CellError, match="is not a step"):
            plan.cell_at(wrong)
    with pytest.raises(CellError, match="is not a cell"):
        plan.step_of("a30001" if len(plan.board.shape) == 2 else "1:a71")


def test_boards_beyond_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = built("60000x60000")
    assert len(plan) == 3_600_000_000
    assert plan.step_of(plan.cell_at(3_000_000_000)) == 3_000_000_000
    monkeypatch.setattr("shutil.disk_usage", lambda _: _Usage(10**10))
    with pytest.raises(TooLargeError, match="disk"):
        plan.save("/tmp/never.npy")  # noqa: S108 - never written


def test_boards_without_a_template() -> None:
    for spec in ("4x4", "hex:3", "torus:7x7", "8x8-a1"):
        plan = cavalcade.construct(spec)
        assert isinstance(plan, cavalcade.Undecided)
        assert "no template" in plan.reason
    with pytest.raises(CavalcadeError, match="z9"):
        cavalcade.construct("8x8", start="z9")


# ---- checks


def steps_and_moves(tour: Tour) -> list[NDArray[Any]]:
    """Return a tour as an array of steps and as an array of moves."""
    assert isinstance(tour.board, Board)
    return [np.asarray(tour.numbering), moves_of(tour, tour.board)]


@settings(max_examples=40, deadline=None)
@given(boards(("box", "hex")), st.booleans(), st.integers(0, 2**32))
def test_the_sweep_agrees_with_the_checker(board: Board, open_: bool, seed: int) -> None:  # noqa: FBT001
    tour = find_tour(board, open_=open_, seed=seed)
    if tour is None:
        return
    for array in steps_and_moves(tour):
        verdict = check_array(array, board)
        assert verdict, verdict.message
        back = bool(check(Tour(board, tour.cells, closed=True)))
        closed = board.size == 1 or (back if array.dtype != np.uint8 else tour.closed)
        assert verdict.message.startswith("a closed" if closed else "an open")


@cache
def arrays_of(spec: str, *, open_: bool) -> list[NDArray[Any]]:
    return steps_and_moves(built(spec, open_=open_).tour())


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SPECS[:-1]), st.data())
def test_damage_is_detected(case: tuple[str, bool], data: st.DataObject) -> None:
    spec, open_ = case
    steps, moves = arrays_of(spec, open_=open_)
    index = data.draw(st.integers(0, steps.size - 1))
    second_index = data.draw(st.integers(0, steps.size - 1))
    kind = data.draw(st.sampled_from(("swap", "number", "move", "lost")))
    if kind == "swap":
        damaged = steps.copy()
        damaged.flat[index], damaged.flat[second_index] = steps.flat[second_index], steps.flat[index]
        same = np.array_equal(damaged, steps)
    elif kind == "number":
        damaged = steps.copy()
        damaged.flat[index] = data.draw(st.integers(-3, steps.size + 3))
        same = np.array_equal(damaged, steps)
    elif kind == "move":
        damaged = moves.copy()
        damaged.flat[index] = data.draw(st.integers(0, 254))
        same = np.array_equal(damaged, moves)
    else:
        damaged = moves.copy()
        damaged.flat[index] = 255
        same = (
            np.array_equal(damaged, moves) or not open_
        )  # removing one move of a closed tour gives an open tour
    verdict = check_array(damaged, spec)
    assert bool(verdict) == same or (kind == "lost" and "an open tour" in verdict.message)
    assert "\n" not in verdict.message


def test_two_cycles_are_refused() -> None:
    half = built("8x8").tour()
    steps, moves = (np.hstack([array, array]) for array in steps_and_moves(half))
    assert not check_array(steps)
    verdict = check_array(moves)
    assert not verdict
    assert "back after 64 of 128" in verdict.message


def test_cycles_and_strays_among_moves() -> None:
    moves = built("400x500").moves()
    for damage in (255, (int(moves[200, 200]) + 1) % 8):
        damaged = moves.copy()
        damaged[200, 200] = damage
        assert bool(check_array(damaged)) == (damage == 255)
    damaged = moves.copy()
    damaged[[100, 200], [100, 200]] = 255
    assert "two cells have no move" in check_array(damaged).message


@pytest.mark.parametrize("threads", [1, 2])
def test_large_tours_in_many_tiles(threads: int) -> None:
    plan = built("1201x900")
    steps, moves = plan.numbering(), plan.moves()
    assert check_array(steps, threads=threads)
    assert check_array(moves, threads=threads)
    steps[[600, 601]] = steps[[601, 600]]
    assert not check_array(steps, threads=threads)


def test_numbers_too_small_for_their_board() -> None:
    board = Board.box(300, 300).without(["a1"])
    steps = np.arange(1, 90_001, dtype=np.int64).astype(np.uint16).reshape(300, 300)
    assert "step 89999 is missing" in check_array(steps, board).message


def test_one_and_two_cells() -> None:
    assert check_array(np.array([[1]]))
    assert not check_array(np.array([[2]]))
    moves = np.array([[[255, 255], [255, 255], [255, 255]]], dtype=np.uint8)
    assert not check_array(moves)
    knights = [tuple(move) for move in KNIGHT.vectors(Board.box(2, 3)).tolist()]
    pair = np.full((2, 3), 255, dtype=np.uint8)
    pair[0, 0], pair[1, 2] = knights.index((1, 2)), knights.index((-1, -2))
    verdict = check_array(pair, "2x3-b2,c2,a1,b1")
    assert "two cells make no cycle" in verdict.message
    pair[1, 2] = 255
    assert check_array(pair, "2x3-b2,c2,a1,b1").message.startswith("an open tour")
    steps = np.zeros((2, 3), dtype=np.int32)
    steps[0, 0], steps[1, 2] = 1, 2
    assert check_array(steps, "2x3-b2,c2,a1,b1").message.startswith("an open tour")


def test_other_pieces_and_surfaces() -> None:
    for board, piece in [
        ("10x10", "giraffe"),
        ("6x7", "1,2+0,1"),
        ("7x6", "moves:1,2;2,1;1,-2+-"),
        ("torus:5x7", "knight"),
    ]:
        verdict = cavalcade.tour(board, piece=piece)
        if not isinstance(verdict, cavalcade.Found):
            continue
        assert check_array(verdict.tour.numbering, board, piece=piece)
        if "torus" not in board:
            assert check_array(moves_of(verdict.tour, cavalcade.board(board)), board, piece=piece)


@pytest.mark.parametrize(
    "array", [np.zeros(7, dtype=np.int32), np.zeros((3, 3)), np.zeros((3, 4), dtype=np.int32)]
)
def test_arrays_that_are_no_boards(array: NDArray[Any]) -> None:
    with pytest.raises(FormatError):
        check_array(array, "3x3" if array.shape == (3, 4) else None)


# ---- threads


def test_work_is_shared_and_errors_propagate() -> None:
    heard: list[float] = []
    assert spread(lambda x: x * x, range(100), threads=3, progress=heard.append) == [
        x * x for x in range(100)
    ]
    assert heard[-1] == 1
    with pytest.raises(ZeroDivisionError):
        spread(lambda x: 1 / x, [2, 1, 0, 3], threads=2)


# ---- files: complete or absent


def stop(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("holding", ["steps", "moves"])
@pytest.mark.parametrize("spec", ["50x60", "hex:20", "6x7x8"])
def test_files_hold_the_arrays(tmp_path: Path, spec: str, holding: str) -> None:
    plan, path = built(spec), tmp_path / "tour.npy"
    heard: list[float] = []
    plan.save(path, holding, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1
    array = np.load(path)
    assert np.array_equal(array, plan.numbering() if holding == "steps" else plan.moves())
    assert check_array(open_array(path), spec)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("late", [False, True])
def test_an_interrupted_save_changes_nothing(tmp_path: Path, *, late: bool) -> None:
    path = tmp_path / "tour.npy"
    path.write_bytes(b"as it was")
    with pytest.raises(KeyboardInterrupt):
        built("1200x1200").save(path, progress=lambda done: stop() if done > 0.7 or not late else None)
    assert path.read_bytes() == b"as it was"
    assert list(tmp_path.iterdir()) == [path]


COMMAND = "import sys; from cavalcade.cli import main; sys.exit(main())"
INTERRUPTED = """
import os, signal, sys
from cavalcade.cli import main
from cavalcade.construction import plan as plans
signal.signal(signal.SIGINT, signal.default_int_handler)
real = plans.construct
def construct(*args, **options):
    plan = real(*args, **options)
    save = plan.save
    def slow(*args, **options):
        options["progress"] = lambda done: done > 0.3 and os.kill(os.getpid(), signal.SIGINT)
        save(*args, **options)
    object.__setattr__(plan, "save", slow)
    return plan
plans.construct = construct
sys.exit(main(sys.argv[1:]))
"""


def test_control_c_leaves_no_file(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED, "tour", "700x700", "-o", str(tmp_path / "tour.npy")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    def limit() -> None:  # files are limited to a megabyte
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))

    command = [sys.executable, "-c", COMMAND, "tour", "1000x1000", "-o", str(tmp_path / "tour.npy")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot write ")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_small_disk_is_reported_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: _Usage(100))
    with pytest.raises(TooLargeError, match="needs"):
        built("10x10").save(tmp_path / "tour.npy")
    assert not list(tmp_path.iterdir())


class _Usage(NamedTuple):
    free: int


def test_disks_without_preallocation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: int) -> None:
        raise OSError(errno.EOPNOTSUPP, "not supported")

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with new_array(tmp_path / "tour.npy", (5000, 1000), np.int32, "open tour of 5000x1000") as array:
        assert not array.any()
        array[...] = 7
    assert (np.load(tmp_path / "tour.npy") == 7).all()


def test_a_wrong_construction_is_not_saved(tmp_path: Path) -> None:
    plan = built("8x8")
    plan.chain.first[:] += 1
    with pytest.raises(AssertionError, match="wrong"):
        plan.save(tmp_path / "tour.npy")
    assert not list(tmp_path.iterdir())


# ---- the command line


def test_written_and_checked(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    path = tmp_path / "tour.npy"
    for spec, options, kind in [
        ("30x40", [], "a closed tour of 30x40"),
        ("5x7", ["--open", "--as", "moves"], "an open tour of 5x7"),
        ("hex:8", ["--as", "moves"], "a closed tour of hex:8"),
        ("8x8-a1,b1", [], "a closed tour of 8x8-a1,b1"),  # found by search
        ("hex:5-c3", ["--open", "--as", "moves"], "an open tour of hex:5-c3"),
        ("torus:5x8", ["--as", "steps"], "a closed tour of torus:5x8"),
    ]:
        assert cli("tour", spec, "-o", path, *options) == (0, "", ""), spec
        code, out, err = cli("check", path, "--board", spec)
        assert (code, err) == (0, "")
        assert out.startswith(kind)
    steps = built("20x20").numbering()
    steps[3, 4] += 1
    np.save(path, steps)
    assert cli("check", path)[0] == 1


@pytest.mark.parametrize(
    ("spec", "options"), [("8x8", []), ("5x7", ["--open"]), ("hex:5", []), ("2x3x4", [])]
)
def test_converted_and_drawn(tmp_path: Path, cli: Callable[..., Ran], spec: str, options: list[str]) -> None:
    json, path = tmp_path / "tour.json", tmp_path / "tour.npy"
    assert cli("tour", spec, *options, "-o", json)[0] == 0
    tour = read(json)
    assert cli("convert", json, "-o", path) == (0, "", "")
    assert read(path, board=spec) == tour
    save(tour, path, holding="moves")
    read_back = read(path, board=spec)
    assert check(read_back)
    assert read_back.closed == tour.closed
    assert read_back == (tour.rotated(0) if tour.closed else tour)
    code, out, _ = cli("draw", path, "--board", spec)
    assert (code, out[:4]) == (0, "<svg")
    with pytest.raises(FormatError, match="fit"):
        read(path, board="3x3")


def test_queries_for_steps_and_cells(cli: Callable[..., Ran]) -> None:
    plan = built("30000x30000")
    step = plan.step_of("c4")
    ran = cli("tour", "30000x30000", "--at", 1, "--at", step, "--when", "C4")
    assert ran == (0, f"1 {plan.cell_at(1)}\n{step} c4\n{step} c4\n", "")
    for spec in ("8x8", "hex:5", "80x80", "hex:45"):  # equal to the printed tour
        tour = find_tour(spec)
        assert tour is not None
        ran = cli("tour", spec, "--at", 5, "--when", "c4")
        when = tour.steps[tour.board.cell("c4")]
        assert ran == (0, f"5 {tour.names[4]}\n{when} c4\n", "")
    code, out, _ = cli("tour", "8x8-a1,b1", "--at", 5)  # found by search
    cell = out.split()[1]
    assert (code, cli("tour", "8x8-a1,b1", "--when", cell)[1]) == (0, f"5 {cell}\n")


def test_constructed_on_demand(cli: Callable[..., Ran]) -> None:
    code, out, err = cli("tour", "8x10", "--construct", "--verbose")
    assert code == 0
    assert "closed tour of 8x10" in out
    assert "by template" in err
    code, out, _ = cli("tour", "12x12", "--blocks", "random", "--seed", 4, "--json")
    assert '"method": "template"' in out
    assert code == 0
    code, out, err = cli("tour", "4x4", "--construct")
    assert (code, out) == (3, "")
    assert "no template" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tour", "8x8", "--as", "moves"], "--as moves works only with -o FILE.npy"),
        (["tour", "8x8", "--at", "1", "--json"], "cannot be combined with a .npy file"),
        (["tour", "8x8", "--at", "1", "-o", "x.txt"], "standard output"),
        (["tour", "8x8", "--at", "65"], "65 is not a step of this tour, expected 1 to 64"),
        (["tour", "8x8", "--when", "j9"], "'j9' is not a cell of 8x8"),
        (["tour", "8x8", "-o", "nowhere/x.npy"], "there is no directory 'nowhere'"),
        (["check", "whole.npy", "--board", "8x9"], "does not fit 8x9"),
        (["check", "short.npy"], "is not a whole .npy file"),
        (["check", "half.npy"], "is not a whole .npy file"),
        (["check", "header.npy"], "is not a whole .npy file"),
        (["check", "float.npy"], "expected integers"),
    ],
)
def test_errors_are_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cli: Callable[..., Ran],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _: _Usage(10**10))
    built("8x8").save("whole.npy")
    whole = (tmp_path / "whole.npy").read_bytes()
    (tmp_path / "short.npy").write_bytes(whole[:-8])
    (tmp_path / "half.npy").write_bytes(whole[:200])
    (tmp_path / "header.npy").write_bytes(whole[:20])
    np.save("float.npy", np.zeros((3, 3)))
    files_before = set(tmp_path.iterdir())
    code, out, err = cli("tour", "100000x100000", "-o", "x.npy")
    assert (code, out) == (3, "")
    assert "needs 80,000 MB" in err
    code, out, err = cli(*arguments)
    assert (code, bool(out)) == (2, "--json" in arguments)
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1
    assert set(tmp_path.iterdir()) == files_before

"""Receipts of counts: a second program confirms right receipts and rejects wrong ones."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade as cv
from cavalcade.answers.receipts import from_json, sealed
from cavalcade.answers.verification import Verification
from cavalcade.checking import counts, recount, rejoin
from cavalcade.checking.certificates import other_than
from cavalcade.counting import cycles, meeting, total
from cavalcade.counting.voltage import Fixed, fixed_cycles
from cavalcade.ground.errors import TooLargeError
from cavalcade.states import transition
from cavalcade.states.pattern_search import PatternSearch
from conftest import one_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

Receipt = dict[str, Any]
PETERSEN = [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)]
PETERSEN += [(5 + i, 5 + (i + 2) % 5) for i in range(5)]


def in_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count every board with a half turn in halves, however small."""
    order_and_halves = total.order_and_halves

    def always(question: cv.Question) -> tuple[list[int], meeting.Halves | None]:
        return order_and_halves(question)[0], meeting.halves(question.as_cycle, question.apex)

    monkeypatch.setattr(total, "order_and_halves", always)


def not_recounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write wrong receipts: a small count is not repeated before its receipt is checked."""
    monkeypatch.setattr(total, "recounted", lambda *_, **__: Verification.UNCHECKED)


@pytest.fixture
def halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count every board with a half turn in halves."""
    in_halves(monkeypatch)


def receipt(path: Path, board: Any, **words: Any) -> Receipt:
    """Return the receipt that a count writes."""
    cv.count(board, receipt=path / "receipt.json", **words)
    written: Receipt = json.loads((path / "receipt.json").read_text(encoding="utf-8"))
    return written


def checked(record: Receipt, samples: int | None = None, seed: int = 1) -> str:
    """Return the message of the second program; "" if the receipt is right."""
    answer = cv.check_receipt(from_json(json.dumps(sealed(record))), samples=samples, seed=seed)
    return "" if answer.ok is not False else answer.message


# ---- right receipts


@pytest.mark.parametrize(
    ("board", "words", "number"),
    [
        ("6x6", {}, 9862),
        ("5x6", {}, 8),
        ("4x4", {}, 0),
        ("4x5", {"open": True, "directed": True}, 164),
        ("5x5", {"open": True, "start": "a1", "end": "e5"}, 56),
        ("5x5", {"open": True, "start": "a1"}, 304),
        ("5x6", {"with_": ["c3-d5"], "avoid": ["a1-c2", "b1-d2"]}, None),
        ("6x6", {"moves": "counterclockwise"}, None),
        ("hex:3", {}, None),
        ("torus:4x4", {}, None),
        ("3x2x4", {}, None),
        ("4x4", {"piece": "0,1"}, 6),
        (cv.MoveGraph.from_edges(PETERSEN, 10), {"open": True}, 120),
        (cv.MoveGraph.from_edges([(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)], 3, directed=True), {}, 2),
        ("1x2", {"piece": "0,1", "open": True}, 1),
    ],
)
def test_the_second_program_counts_the_same(
    board: Any, words: Any, number: int | None, tmp_path: Path
) -> None:
    record = receipt(tmp_path, board, **words)
    assert checked(record) == ""
    words = {word: value for word, value in words.items() if word != "directed"}
    listed = sum(1 for _ in cv.list_tours(board, **words))
    assert record["tours"] in {number or listed, listed * (2 if "directed" in str(words) else 1)}


@pytest.mark.usefixtures("halves")
@pytest.mark.parametrize(
    ("board", "words", "number"),
    [
        ("6x6", {}, 9862), ("5x6", {}, 8), ("4x5", {"open": True}, 82), ("5x6", {"open": True}, 18784),
        ("3x10", {}, 16), ("4x4", {"piece": "0,1"}, 6), ("hex:3", {}, None),
    ],
)  # fmt: skip
def test_halves_and_their_classes(
    board: str, words: Any, number: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = receipt(tmp_path, board, **words)
    number = sum(1 for _ in cv.list_tours(board, **words)) if number is None else number
    assert (record["tours"], sum(record["classes"])) == (number, number)
    assert record["inner"] or board in {"3x10", "hex:3"}
    assert checked(record) == ""
    monkeypatch.setattr(rejoin, "PAIRS", 0)  # contract every matching, try no pair
    assert checked(record) == ""
    for seed in range(3):
        assert checked(record, samples=20, seed=seed) == ""


def test_samples_of_all_classes_and_limits_of_width(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = receipt(tmp_path, "4x5", open=True)
    in_halves(monkeypatch)
    record = receipt(tmp_path, "4x4", piece="0,1")
    parts: list[float] = []
    answer = cv.check_receipt(from_json(json.dumps(record)), samples=10**6, seed=1, progress=parts.append)
    assert answer
    assert "a prime drawn at random" in answer.message
    assert parts == sorted(parts)
    assert parts
    with monkeypatch.context() as narrow:
        narrow.setattr(counts, "WIDEST_MIDDLE", 2)
        assert "its middle is too wide" in checked(record)
    monkeypatch.setattr(recount, "WIDEST", 2)
    with pytest.raises(TooLargeError, match="frontier is wider than 2"):
        checked(whole)
    empty = np.zeros((1, 0), dtype=np.uint8), np.ones(1, dtype=np.int64)
    assert rejoin._cycles(*empty, *empty, 7) == 0  # noqa: SLF001 - paths without ends make no cycle


def test_classes_follow_their_definition(tmp_path: Path, halves: None) -> None:  # noqa: ARG001
    """The class of a tour, as the format defines it: the number of edges of the first part at each cell."""
    record = receipt(tmp_path, "5x6")
    side = set(record["order"])
    inner = {frozenset(edge) for edge in record["inner"]}
    classes = [0] * len(record["classes"])
    for tour in cv.list_tours("5x6"):
        names = [tour.board.name(int(cell)) for cell in tour.cells]
        moves = [frozenset(move) for move in zip(names, [*names[1:], names[0]], strict=True)]
        first = [move for move in moves if not side.isdisjoint(move) or move in inner]
        classes[
            sum(sum(cell in move for move in first) * 3**i for i, cell in enumerate(record["cells"]))
        ] += 1
    assert classes == record["classes"]


# ---- wrong receipts


@pytest.mark.parametrize("board", ["5x6", "6x8"])  # the whole board; in halves
def test_a_wrong_transition(board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stages = transition.stages

    def wrong(*arguments: Any, **keywords: Any) -> Any:
        """Return the stages without one move of one cell."""
        made = stages(*arguments, **keywords)
        geometry = made[9].geometry
        made[9] = replace(made[9], geometry=geometry._replace(later=geometry.later[:-1]))
        return made

    if board == "6x8":
        in_halves(monkeypatch)
    monkeypatch.setattr(meeting if board == "6x8" else cycles, "stages", wrong)
    not_recounted(monkeypatch)
    assert "wrong: after stage 10 of" in checked(receipt(tmp_path, board))


@pytest.mark.parametrize(("board", "stage"), [("6x6", 14), ("6x6", 30), ("6x8", 12), ("6x8", 20)])
def test_a_lost_state(board: str, stage: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take = PatternSearch.take

    def losing(self: PatternSearch, *arguments: Any) -> None:
        if self.taken == stage:
            sizes = self.table.sizes(slice(None))
            self.table = self.table.chosen(np.arange(len(sizes)) != int(np.argmax(sizes == 1)))
        take(self, *arguments)

    if board == "6x8":
        in_halves(monkeypatch)
    monkeypatch.setattr(PatternSearch, "take", losing)
    not_recounted(monkeypatch)
    assert f"wrong: after stage {stage + 1} of" in checked(receipt(tmp_path, board))


@pytest.mark.parametrize("board", ["5x6", "6x6"])  # the whole board; in halves
def test_a_changed_number(board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if board == "6x6":
        in_halves(monkeypatch)
    record = receipt(tmp_path, board)
    for key in ("tours", "cycles"):
        assert "wrong" in checked(record | {key: record[key] + 1})
    shifted = {key: record[key] + 2**31 - 1 for key in ("tours", "cycles")}  # equal modulo the first prime
    assert "wrong" in checked(record | shifted)
    for number in (0, len(record["stages"]) // 2, len(record["stages"]) - 1):
        for column in range(3):
            stages = json.loads(json.dumps(record["stages"]))
            stages[number][column] += 1
            assert f"after stage {number + 1} of" in checked(record | {"stages": stages})


@pytest.mark.usefixtures("halves")
def test_a_changed_class(tmp_path: Path) -> None:
    record = receipt(tmp_path, "6x6")
    classes = record["classes"].copy()
    largest = max(range(len(classes)), key=classes.__getitem__)
    classes[largest] -= 1
    assert "its classes have" in checked(record | {"classes": classes})
    classes[largest - 1] += 1
    assert f"class {largest - 1} is" in checked(record | {"classes": classes})
    moved = record["classes"][-1:] + record["classes"][:-1]  # the same sum
    wrong = sum(a != b for a, b in zip(moved, record["classes"], strict=True))
    assert wrong * 200 > 5 * len(moved)  # 200 samples miss all of them with a probability below 1 %
    assert "wrong: class" in checked(record | {"classes": moved}, samples=200)


@pytest.mark.parametrize(
    ("board", "words", "lies"),
    [
        (
            "5x6",
            {},
            ["closed tour of 6x5", "open tour of 5x6", "closed tour of 5x6 by the camel",
             "closed tour of 5x6, without a1-b3", "closed tour of cylinder:5x6",
             "closed tour of 5x6, symmetric under the half turn"],
        ),
        (
            "5x5",
            {"open": True, "start": "a1"},
            ["open tour of 5x5 from a3", "open tour of 5x5", "open tour of 5x5 from a1 to e5"],
        ),
        ("5x6", {"with_": ["c3-d5"]}, ["closed tour of 5x6", "closed tour of 5x6, without c3-d5"]),
        ("6x6", {"moves": "clockwise"}, ["closed tour of 6x6"]),
    ],
)  # fmt: skip
def test_a_changed_claim(
    board: str, words: Any, lies: list[str], tmp_path: Path, cli: Callable[..., Ran]
) -> None:
    record = receipt(tmp_path, board, **words)
    file = tmp_path / "receipt.json"
    assert cli("check", file, "--claims", record["statement"]).code == 0
    for lie in lies:
        ran = cli("check", file, "--claims", lie)
        assert (ran.code, "it is about the" in ran.out) == (1, True), lie
        file.write_text(json.dumps(sealed(record | {"statement": lie})), encoding="utf-8")
        ran = cli("check", file)
        assert ran.code in {1, 2}, lie
        assert (ran.out + ran.err).count("\n") == 1
        file.write_text(json.dumps(record), encoding="utf-8")


CASES = Path(__file__).parent / "data" / "forged"


@pytest.mark.parametrize(("name", "number"), [("forged66", "10862"), pytest.param("forged78", "34524433316")])
def test_a_receipt_does_not_say_how_it_is_checked(name: str, number: str, cli: Callable[..., Ran]) -> None:
    """Receipts of version 1 that claim a billion states in their first stage, to be checked by samples."""
    ran = cli("check", CASES / f"{name}.json", "--claims", f"{number} closed tour of {name[6]}x{name[7]}")
    assert ran.code == 1
    assert "after stage 1 of" in ran.out


def test_the_direction_is_part_of_the_statement(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    record, file = receipt(tmp_path, "5x6", directed=True), tmp_path / "receipt.json"
    for claim, code in (
        ("16 closed tour of 5x6, directed", 0), ("closed tour of 5x6, directed", 0),
        ("16 closed tour of 5x6", 1), ("closed tour of 5x6", 1), ("8 closed tour of 5x6", 1),
    ):  # fmt: skip
        assert cli("check", file, "--claims", claim).code == code, claim
    for change in ({"tours": 8}, {"direction": "undirected"}):
        assert "8 cycles are not" in checked(record | change)
        file.write_text(json.dumps(record | change), encoding="utf-8")
        one_error(cli("check", file), "its seal does not fit")
    assert "undirected" in checked({"tours": 17} | receipt(tmp_path, "5x6") | {"tours": 17})
    # Version 1 has no direction: it is one or the other, as the numbers say.
    old = {key: value for key, value in record.items() if key not in {"direction", "seal"}} | {"receipt": 1}
    assert from_json(json.dumps(old)).claim == "16 closed tours of 5x6, directed"
    assert from_json(json.dumps(old | {"tours": 8})).claim == "8 closed tours of 5x6, undirected"


def test_no_tours_and_no_moves(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    assert cli("count", "1x2", "--receipt", tmp_path / "t.json").out == "0\n"
    assert cli("check", tmp_path / "t.json").out.startswith("0 closed tours of 1x2, undirected: all 2 stages")


@pytest.mark.usefixtures("halves")
def test_a_sample_is_not_a_check(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    """What was not counted again is not called right, in words, in JSON and by the exit code."""
    receipt(tmp_path, "6x6")
    file = tmp_path / "receipt.json"
    ran = cli("check", file, "--samples", "20", "--json")
    assert (ran.code, json.loads(ran.out)["ok"]) == (4, None)
    assert "not checked in full: 16 of 16 stages and 20 of 6,561 classes" in ran.out
    assert not cv.check_receipt(cv.read_receipt(file), samples=20)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "WHOLE", 500)
        ran = cli("check", file)
    assert (ran.code, "not checked in full" in ran.out) == (4, True)
    assert cli("check", file).code == 0


def test_claims_with_a_number(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    receipt(tmp_path, "6x6")
    file = tmp_path / "receipt.json"
    for claim, code in (
        ("9862 closed tour of 6x6", 0), ("closed tour of 6x6, knight", 0), ("9863 closed tour of 6x6", 1),
        ("no closed tour of 6x6", 1), ("a closed tour of 6x6", 1), ("tour", 2),
        ("closed tour of 6x6, with at most 9 turns", 1),
    ):  # fmt: skip
        ran = cli("check", file, "--claims", claim)
        assert (ran.code, (ran.out + ran.err).count("\n")) == (code, 1), claim
    tour = cv.tour("6x6").tour  # type: ignore[union-attr]
    assert other_than("9862 closed tour of 6x6", tour) == "it is a tour, not 9862 closed tour of 6x6"


def test_a_receipt_from_a_pipe(
    tmp_path: Path, cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt(tmp_path, "5x6")
    with (tmp_path / "receipt.json").open(encoding="utf-8") as piped:
        monkeypatch.setattr("sys.stdin", piped)
        ran = cli("check", "-")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("8 closed tours of 5x6, undirected: all 30 stages")


@pytest.mark.usefixtures("halves")
def test_inner_edges_in_another_order(tmp_path: Path) -> None:
    record = receipt(tmp_path, "5x6")  # its inner edges end with edges that are their own image
    assert "do not come last" in checked(record | {"inner": record["inner"][::-1]})


# ---- damaged receipts


@pytest.mark.usefixtures("halves")
def test_damaged_receipts(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    record, file = receipt(tmp_path, "6x8"), tmp_path / "receipt.json"
    text = file.read_text(encoding="utf-8")
    damaged = [text[:200], text.replace('"cycles"', '"tours"'), text.replace('"order"', '"ordre"')]
    damaged += [
        json.dumps({key: value for key, value in record.items() if key != missing}) for missing in record
    ][1:]
    for change in (
        {"receipt": 3}, {"receipt": True}, {"statement": "closed tour of 6x8, knight"}, {"statement": 5},
        {"tours": -1}, {"tours": 1.5}, {"order": record["order"][:-1]}, {"order": record["order"][:1] * 24},
        {"order": [5] * 24}, {"stages": record["stages"][:-1]}, {"stages": [[1, 2]] * 23},
        {"stages": [[1, 2, "3"]] * 23}, {"inner": [["a1"]]}, {"inner": 7}, {"image": record["image"][1:]},
        {"image": [record["image"][0]] * 48}, {"cells": record["cells"][1:]}, {"classes": [1]}, {"more": 1},
        {"labels": ["a"]}, {"cells": record["order"][:8] * 9},
    ):  # fmt: skip
        damaged += [json.dumps(sealed(record | change)), json.dumps(record | change | {"seal": "0"})]
    for text_of_receipt in damaged:
        file.write_text(text_of_receipt, encoding="utf-8")
        one_error(cli("check", file), "receipt.json")


def test_no_changed_digit_passes(tmp_path: Path) -> None:
    receipt(tmp_path, "5x6")
    text, chance = (tmp_path / "receipt.json").read_text(encoding="utf-8"), random.Random(5)
    digits = [i for i, letter in enumerate(text) if letter.isdigit()]
    for position in chance.sample(digits, 150):
        changed = (
            text[:position]
            + chance.choice([d for d in "0123456789" if d != text[position]])
            + text[position + 1 :]
        )
        try:
            assert not cv.check_receipt(from_json(changed)), changed
        except cv.CavalcadeError:
            continue


@pytest.mark.usefixtures("halves")
def test_swapped_parts(tmp_path: Path) -> None:
    """Halves that do not add up to the whole graph are rejected."""
    record = receipt(tmp_path, "6x8")
    image = record["image"].copy()
    image[0], image[1] = image[1], image[0]
    images = {cell: 47 - i for i, cell in enumerate(record["image"])}
    outside = next(cell for cell in images if cell not in {*record["order"], *record["cells"]})
    for change, message in (
        ({"image": image}, "its two parts do not have every edge once"),
        ({"inner": record["inner"][::-1]}, "wrong"),
        ({"order": record["order"][1:], "stages": record["stages"][1:]}, "every edge once"),
        ({"inner": record["inner"][1:], "stages": record["stages"][1:]}, "every edge once"),
        ({"inner": [*record["inner"][:-1], ["a1", "h6"]]}, "every edge once"),
        ({"cells": [outside, *record["cells"][1:]]}, "wrong"),
        ({"cells": [record["order"][0], *record["cells"][1:]]}, "not in the middle"),
    ):  # fmt: skip
        assert message in checked(record | change), change
    whole = receipt(tmp_path, "6x6-a1,a2")  # without a half turn
    assert "every vertex once" in checked(
        whole | {"order": whole["order"][:-1], "stages": whole["stages"][:-1]}
    )


def test_invalid_options_are_refused(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    file, kept = tmp_path / "a.json", tmp_path / "kept"
    one_error(cli("count", "6x6", "--receipt", file, "--checkpoint", kept), "excludes --checkpoint")
    one_error(cli("count", "6x6", "--receipt", file, "--by", "slope"), "excludes --by")
    one_error(cli("count", "6x6", "--receipt", file, "--symmetry", "half-turn"), "there is no receipt")
    one_error(cli("count", "1x1", "--receipt", file), "there is no receipt of a count of one cell")
    one_error(cli("count", "3xn", "--receipt", file), "--receipt")
    one_error(cli("count", "6x6", "--receipt", tmp_path / "none" / "a.json"), "there is no directory")
    with pytest.raises(cv.CavalcadeError, match="leave out the checkpoint"):
        cv.count("6x6", receipt=file, checkpoint=kept)
    with pytest.raises(cv.CavalcadeError, match="cannot write"):
        cv.count("6x6", receipt=tmp_path)
    cv.count("5x6", receipt=file)
    one_error(cli("check", file, "--board", "5x6"), "--board")
    tour = tmp_path / "tour.txt"
    assert cli("tour", "6x6", "-o", tour).code == 0
    one_error(cli("check", tour, "--samples", "3"), "works only with the receipt of a count")
    assert cli("check", file, "--memory", "1K").code == 3


# ---- counted twice


@pytest.mark.parametrize(
    ("board", "words", "methods"),
    [
        ("6x6", {}, (total.WHOLE, total.LISTED)),
        ("6x7", {}, (total.WHOLE, total.HALVED)),
        ("3x40", {}, (total.WHOLE, total.HALVED)),
        ("5x6", {}, (total.HALVED, total.WHOLE)),
        ("6x6-a1", {"open": True, "directed": True}, (total.WHOLE, "likewise from the other end")),
        ("3x60", {"piece": "0,1+1,1"}, (total.STRIP, total.WHOLE)),
        ("6x6", {"symmetry": "half-turn"}, (total.FOLDED, total.LISTED)),
    ],
)
def test_counted_twice(
    board: str, words: Any, methods: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if methods[0] == total.HALVED:
        in_halves(monkeypatch)
    once, counted = cv.count(board, **words), cv.count(board, twice=True, **words)
    assert counted.count == once.count
    assert counted.conventions == f"{once.conventions}; counted twice, {methods[0]} and {methods[1]}"
    names = {total.LISTED: "count_by_listing", total.HALVED: "count_in_halves"}
    name = names.get(methods[1], "count_cycles")
    plain, calls = getattr(total, name), iter(range(1, 9))

    def wrong(*arguments: Any, **keywords: Any) -> int:
        """Return one tour too few in the first call, two in the second."""
        return int(plain(*arguments, **keywords)) - next(calls)

    monkeypatch.setattr(total, name, wrong)
    with pytest.raises(AssertionError, match=r"there are \d+ tours, and "):
        cv.count(board, twice=True, **words)


@pytest.mark.parametrize("turn", ["half-turn", "quarter-turn"])
def test_many_symmetric_tours_are_counted_in_another_order(
    cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, turn: str
) -> None:
    command = "count", "6x6", "--symmetry", turn, "--twice"
    listed = cli(*command)
    monkeypatch.setattr(total, "FEW", 1)
    ran, calls = cli(*command), iter(range(1, 3))
    assert (ran.code, ran.out, f"and {total.SHUFFLED}" in ran.err) == (0, listed.out, True)

    seen: list[tuple[int, int, int]] = []
    cv.count("6x6", symmetry=turn, progress=lambda p: seen.append((p.taken, p.vertices, p.states)))
    assert [taken for taken, _, _ in seen] == list(range(1, seen[-1][1] + 1))
    assert max(seen, key=lambda report: report[2])[2] > 1
    states_of_first, states_of_both = [states for _, _, states in seen], list[int]()
    cv.count("6x6", symmetry=turn, twice=True, progress=lambda p: states_of_both.append(p.states))
    assert states_of_both[: len(states_of_first)] == states_of_first
    assert states_of_both[len(states_of_first) :] != states_of_first

    def wrong(*arguments: Any, **keywords: Any) -> Fixed:
        """Return one tour too few in the first call, two in the second."""
        return Fixed(fixed_cycles(*arguments, **keywords).total - next(calls), 0)

    monkeypatch.setattr(total, "fixed_cycles", wrong)
    with pytest.raises(AssertionError, match=r"there are \d+ tours, and "):
        cv.count("6x6", symmetry=turn, twice=True)


def test_questions_that_cannot_be_counted_twice(cli: Callable[..., Ran], tmp_path: Path) -> None:
    one_error(cli("count", "1x1", "--twice"), "in one way only")
    one_error(cli("count", "4x5", "--open", "--at", "1=a1", "--at", "3=c1", "--twice"), "in one way only")
    one_error(cli("count", "6x6", "--twice", "--shards", "4", "-o", tmp_path / "out"), "excludes --shards")


@pytest.mark.slow
def test_8x8_by_samples() -> None:
    """The receipt of 8x8, which took four minutes and 5.8 GB to write."""
    text = (Path(__file__).parent / "data" / "8x8.receipt.json").read_text(encoding="utf-8")
    record = json.loads(text)
    assert record["tours"] == 13267364410532
    assert checked(record) == ""
    record["classes"] = record["classes"][-1:] + record["classes"][:-1]
    assert "wrong: class" in checked(record)

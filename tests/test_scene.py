"""The shapes of the page's pictures, made by its JavaScript in Node, are the shapes of Python's."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade.draw.board import board_picture, puzzle_picture
from cavalcade.draw.proof import proof_picture
from cavalcade.draw.shapes import Disc, Letters, Picture, Plate, Polyline
from cavalcade.draw.styles import BLACK, PARTS, STYLES, mixed
from cavalcade.draw.tour import tour_picture
from cavalcade.studio.answering import answered
from cavalcade.studio.message import places_of

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour

STATIC = Path(cavalcade.__file__).parent / "studio" / "static"
DRIVER = """
import { revived } from "./bytes.js";
import { Flat } from "./flat.js";
import { LOOKS, PARTS } from "./look.js";
import { picture } from "./picture.js";
import { drawn, marks, within } from "./signs.js";
const { styles, scenes } = JSON.parse(await new Response(process.stdin).text(), revived);
const shown = ({ board, scene, sentence, style }) => {
  const moves = (sentence) => ["out", "forced", "moves"].flatMap((kind) => drawn(sentence, kind));
  const counted = sentence && ["colours", "hall"].includes(sentence.rule);
  const lines = sentence && [...within(sentence, board), ...moves(sentence)];
  const all = sentence && { marks: marks(sentence, counted), lines };
  return picture(new Flat(board, LOOKS[style], 1), { ...scene, ...all });
};
const looks = styles.map((name) => LOOKS[name]);
console.log(JSON.stringify({ scenes: scenes.map(shown), styles: looks, parts: PARTS }));
"""
KNIGHTS = {  # boards with a tour, drawn in a style, with numbers or without
    "small": ("5x6", "colour", True),
    "dark": ("6x6", "dark", False),
    "open": ("6x6", "dark", True),
    "holes": ("8x8-d4,d5,e4,e5", "colour", False),
    "edges removed": ("8x8-a1,b1", "colour", True),
    "hexagon": ("hex:4", "colour", True),
    "stack": ("3x4x6", "colour", True),
    "four dimensions": ("2x2x4x4", "colour", False),
    "cube": ("cube:3", "colour", True),
    "torus": ("torus:5x6", "colour", False),
    "Klein bottle": ("klein:5x6", "dark", True),
    "large": ("34x34", "colour", False),
}
PROOFS = ("5x5", "4x10", "3x8", "6x6-a1,c1", "4x7")  # colours, cut, forced moves, and cuts with parts


def asked(ask: str, **words: Any) -> dict[str, Any]:
    """Return the answer of the studio to a question."""
    answer: dict[str, Any] = json.loads(answered(json.dumps({"ask": ask, **words}).encode(), lambda _: None))
    assert answer["type"] == "answer", answer
    return answer


def scene_of(tour: Tour, style: str, *, numbers: bool) -> dict[str, Any]:
    """Return a tour as the page shows it."""
    board = asked("board", question={"board": tour.board.spec})
    unvisited = places_of(tour.board)[np.flatnonzero(tour.steps == 0)].tolist()
    scene = {"cells": places_of(tour.board)[tour.cells].tolist(), "closed": tour.closed, "numbers": numbers}
    scene["marks"] = [{"cell": cell, "kind": "unvisited"} for cell in unvisited]
    return {"board": board, "scene": scene, "style": style}


def pictures() -> list[tuple[str, Picture, dict[str, Any]]]:
    """Return scenes by name: the picture of Python, and what the page is given."""
    scenes = []
    for name, (spec, style, numbers) in KNIGHTS.items():
        verdict = cavalcade.tour(spec, open=name == "open")
        assert isinstance(verdict, cavalcade.Found)
        tour = verdict.tour
        scene = scene_of(tour, style, numbers=numbers)
        scenes.append((name, tour_picture(tour, style=style, numbers=numbers), scene))
    symmetric = cavalcade.tour("6x6", symmetry="half-turn")
    assert isinstance(symmetric, cavalcade.Found)
    drawn = tour_picture(symmetric.tour, numbers=False)
    scenes.append(("symmetric", drawn, scene_of(symmetric.tour, "colour", numbers=False)))
    for numbers in (False, True):
        walk = cavalcade.Tour.from_names(
            cavalcade.board("5x5"), ["c2", "a3", "b5", "d4", "b3", "a1"], closed=False
        )
        scenes.append(
            ("stuck", tour_picture(walk, numbers=numbers), scene_of(walk, "colour", numbers=numbers))
        )
    for spec in PROOFS:
        verdict = cavalcade.prove(spec)
        assert isinstance(verdict, cavalcade.Impossible)
        assert verdict.certificate is not None
        story = asked("prove", question={"board": spec})["story"]
        last = [sentence for sentence in story if sentence.get("rule")][-1]
        board = asked("board", question={"board": spec})
        proof = proof_picture(verdict.certificate, legend=False)
        scenes.append((f"proof of {spec}", proof, {"board": board, "sentence": last, "style": "colour"}))
    for kind, puzzle in (
        ("given", cavalcade.puzzle("5x6", seed=3)),
        ("order", cavalcade.puzzle("5x5", kind="zip", seed=3)),
    ):
        assert isinstance(puzzle, cavalcade.Puzzle)
        board = asked("board", question={"board": puzzle.board.spec})
        given = [{"cell": cell, "kind": kind, "text": str(step)} for step, cell in puzzle.given]
        walls = [[a, b, "avoid"] for a, b in puzzle.forbidden]
        scene = {"marks": given, "lines": walls}
        scenes.append((kind, puzzle_picture(puzzle), {"board": board, "scene": scene, "style": "colour"}))
    empty = asked("board", question={"board": "plus:3"})
    scenes.append(
        ("empty", board_picture(cavalcade.board("plus:3")), {"board": empty, "scene": {}, "style": "colour"})
    )
    return scenes


def test_the_page_and_python_draw_the_same_shapes(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("Node is not installed, so that the page's modules do not run")
    modules = shutil.copytree(STATIC, tmp_path / "static")
    modules.joinpath("package.json").write_text('{"type": "module"}')
    modules.joinpath("driver.js").write_text(DRIVER)
    scenes = pictures()
    names = ("colour", "dark")
    message = json.dumps({"styles": names, "scenes": [scene for *_, scene in scenes]})
    done = subprocess.run(
        ["node", str(modules / "driver.js")], input=message, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    page = json.loads(done.stdout)
    assert page["parts"] == list(PARTS)
    for name, look in zip(names, page["styles"], strict=True):
        style = STYLES[name]._asdict() | {"shadow": mixed(STYLES[name].hole, BLACK, 0.75)}
        assert look == {key: list(style[key]) if key == "shades" else style[key] for key in look}
    for (name, picture, _), shapes in zip(scenes, page["scenes"], strict=True):
        compare(name, picture.shapes, shapes)


ROLES = {"rest": "within", "marked": "moves", "named": "named"}  # roles with two names
WOVEN = {"gap", "move", "moves"}  # later shapes pass over earlier ones


def compare(name: str, expected: list[Any], shapes: list[dict[str, Any]]) -> None:
    """Assert that two lists have the same shapes, the moves in the same order, and the same layers."""
    ours = [item for shape in expected for item in items(as_words(shape))]
    theirs = [item for shape in shapes for item in items(shape)]
    layers = [list(dict.fromkeys(role for role, *_ in found)) for found in (ours, theirs)]
    assert sorted(layers[0]) == sorted(layers[1]), name
    for role in layers[0]:
        one, other = ([item for item in found if item[0] == role] for found in (ours, theirs))
        assert len(one) == len(other), (name, role)
        if role not in WOVEN:
            one, other = (
                sorted(found, key=lambda item: (item[1], item[2].round().tolist())) for found in (one, other)
            )
        for (_, look, places), (_, page_look, page_places) in zip(one, other, strict=True):
            assert look == page_look, (name, role)
            assert places.shape == page_places.shape, (name, role)
            # A line may be drawn from either end; lines have one decimal.
            ways = (places, places[::-1]) if places.ndim > 1 else (places,)
            assert min(np.abs(way - page_places).max() for way in ways) < 0.11, (name, role)
    woven = [[role for role, *_ in found if role in WOVEN] for found in (ours, theirs)]
    assert woven[0] == woven[1], name
    order = [
        [role for role in found if role in {"cells", "hole", "frame", "move", "step", "number"}]
        for found in layers
    ]
    assert order[0] == order[1], name


def as_words(shape: Any) -> dict[str, Any]:
    """Return a shape of Python as the page has it."""
    assert isinstance(shape, Polyline | Disc | Plate | Letters)
    return {name: getattr(shape, name) for name in type(shape).__slots__}


def items(shape: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Return what a shape paints: its role, its look as a text, and places; lines and polygons one by one."""
    role = ROLES.get(shape["role"], "within" if shape["role"].startswith("part-") else shape["role"])
    sizes = {
        key: round(float(shape.get(key) or 0), 2) for key in ("r", "wide", "high", "radius", "size", "width")
    }
    if not shape.get("stroke"):
        sizes.pop("width")
    words = {key: shape.get(key) or "" for key in ("fill", "stroke", "text")}
    look = json.dumps([sizes, words, [round(float(part), 2) for part in shape.get("dash") or ()]])
    if "runs" not in shape:
        return [(role, look, np.array([shape["x"], shape["y"]]))]
    runs = [
        np.array(run, dtype=float) + place
        for place in shape.get("at") or [(0.0, 0.0)]
        for run in shape["runs"]
    ]
    if role == "moves":
        return [(role, look, np.array(line)) for run in runs for line in pairwise(run)]
    if role != "frame":
        return [(role, look, run) for run in runs]
    # A frame is drawn in one run or in many: its pieces of the length of a side are compared.
    pieces = {}
    for run in runs:
        for a, b in zip(run, np.roll(run, -1, axis=0) if shape.get("closed") else run[1:], strict=False):
            count = max(1, round(float(np.abs(b - a).max()) / 20))
            for k in range(count):
                ends = sorted([(a + (b - a) * k / count).tolist(), (a + (b - a) * (k + 1) / count).tolist()])
                pieces[str(np.round(ends))] = (role, look, np.array(ends))
    return list(pieces.values())

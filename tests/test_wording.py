"""The catalogue of messages: codes, audiences, languages, and the page, which has no text outside of it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import cavalcade
from cavalcade.boards.families import FAMILIES
from cavalcade.ground.wording import LANGUAGES, PLACEHOLDER, Said, catalogue, plain_data, say
from cavalcade.question.pieces import NAMED
from cavalcade.studio.answering import answered
from cavalcade.theorems import bibliography

PACKAGE = Path(cavalcade.__file__).parent
STATIC = PACKAGE / "studio" / "static"
AUDIENCES = ("simple", "exact")
# Modules whose texts no one reads on the page: types, the words of a question, a vendored library.
UNSEEN = {"types.js", "words.js", "uqr.js"}
COMMENT = re.compile(r"/\*.*?\*/|(?<=[\s;,{}(\[])//[^\n]*|^//[^\n]*", re.DOTALL | re.MULTILINE)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')
SENTENCE = re.compile(r"[A-Za-z]{2,},? [a-z]{3,}")  # two words in a row
SHOWN = re.compile(  # a capitalized word where the page shows it: the text of an element, a label
    r'(?:\b(?:button|labelled|ticked|copied|say|tell|make\("\w+", \{[^}]*\},?)'
    r'\s*\(?\s*|aria-label": |textContent = )"[A-Z][a-z]'
)
MARKUP = re.compile(r"<\w+ |system-ui")


def texts(language: str, code: str) -> list[str]:
    """Return the text of a code for each audience."""
    entry = catalogue(language)[code]
    return [entry] * 2 if isinstance(entry, str) else [entry[audience] for audience in AUDIENCES]


def names(text: str) -> set[str]:
    return {match[1] for match in PLACEHOLDER.finditer(text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_every_language_and_audience(language: str) -> None:
    assert catalogue(language).keys() == catalogue("en").keys()
    for code in catalogue("en"):
        entry = catalogue(language)[code]
        assert isinstance(entry, str) or {*entry} == {*AUDIENCES}, code
        for text, english in zip(texts(language, code), texts("en", code), strict=True):
            assert text.strip(), code
            assert names(text) == names(english), code
            assert "{" not in PLACEHOLDER.sub("", text), code


def test_translations_differ_from_english() -> None:
    """Most texts are translated: those that are equal are names, numbers and file formats."""
    for language in LANGUAGES.keys() - {"en"}:
        same = [code for code in catalogue("en") if texts(language, code) == texts("en", code)]
        assert len(same) < 15, same


def test_every_code_of_the_sources_has_a_text() -> None:
    """A misspelt code would appear on the page instead of its text, and `say` would fail."""
    codes = catalogue("en")
    for path in STATIC.glob("*.js"):
        for code in re.findall(r'(?<![\w.])(?:t|say|Refusal)\("([\w.-]+)"', path.read_text("utf-8")):
            assert code in codes, (path.name, code)
    document = (STATIC / "index.html").read_text("utf-8")
    for code in re.findall(r'data-(?:text|label|title)="([^"]*)"', document):
        assert code in codes, code
    for path in PACKAGE.rglob("*.py"):
        for code in re.findall(r'(?<![\w.])say\(\s*"([\w.-]+)"', path.read_text("utf-8")):
            assert code in codes, (path.name, code)


def test_names_of_theorems_pieces_and_shapes_have_texts() -> None:
    """The page shows the name itself, in English, if a language has no text for it."""
    theorems = {f"name.{theorem.name}": theorem.name for theorem in bibliography.catalogue().values()}
    english = catalogue("en")
    assert {code: english.get(code) for code in theorems} == theorems
    names = [f"piece.{piece}" for piece in NAMED] + [f"family.{kind}" for kind in FAMILIES if kind != "box"]
    assert [name for name in names if name not in english] == []


def test_the_page_has_no_text_outside_the_catalogue() -> None:
    for path in STATIC.glob("*.js"):
        if path.name in UNSEEN:
            continue
        source = COMMENT.sub("", path.read_text("utf-8"))
        for match in STRING.finditer(source):
            text = re.sub(r"\$\{[^}]*\}", "", match[0])
            # errors are for whoever changes the page
            unseen = source[: match.start()].endswith(("new Error(", "class: "))
            if not unseen and not MARKUP.search(match[0]):
                assert not SENTENCE.search(text) or is_code(path.name, match[0]), (path.name, match[0])
        assert not SHOWN.search(source), (path.name, SHOWN.search(source))


def is_code(name: str, text: str) -> bool:
    """Whether a string of two words is no text: a media query, or a statement or its pattern."""
    statement = r"tour of|all moves|at step|by the \$|without|symmetric under|in the centre"
    return "prefers-" in text or (name == "local.js" and bool(re.search(statement, text)))


def test_the_texts_of_the_document_are_those_of_the_catalogue() -> None:
    """`index.html` shows English before the catalogue arrives."""
    seen: dict[str, str] = {}

    class Reader(HTMLParser):
        element = ""

        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            values = dict(attributes)
            self.element = values.get("id") or (self.element if tag == "span" else "")
            for name in ("aria-label", "title"):
                if self.element and name in values:
                    seen[f"page.{self.element}.{name}"] = values[name] or ""

        def handle_data(self, data: str) -> None:
            if self.element and re.search(r"[A-Za-z]{2}", data):
                seen[f"page.{self.element}"] = data.strip()
            self.element = self.element if not data.strip() else ""

    Reader().feed((STATIC / "index.html").read_text("utf-8"))
    english = {code: text for code, text in catalogue("en").items() if code.startswith("page.")}
    assert {code: seen.get(code) for code in english} == english


def test_a_message_is_a_text_with_its_codes() -> None:
    message = say("mistake.ways", step=3, cell="b5", ways=1).then(say("mistake.saving", cells=["a1", "c1"]))
    assert message == (
        "Step 3, b5, was the mistake: before it 1 way was left. With a1 or c1 instead, a tour is possible."
    )
    assert plain_data(message) == [
        ["mistake.ways", {"step": 3, "cell": "b5", "ways": 1}],
        ["mistake.saving", {"cells": ["a1", "c1"]}],
    ]
    assert plain_data(message.then("By a theorem.")) == [
        *plain_data(message), ["plain", {"text": "By a theorem."}],
    ]  # fmt: skip
    assert message.then("") is message
    nested = say("found.closed", tour=say("tour.closed", board="8x8"))
    assert nested == "A closed tour of 8x8, found and checked."
    assert plain_data(nested)[0][1] == {"tour": {"said": [["tour.closed", {"board": "8x8"}]]}}


def answer(**words: Any) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(answered(json.dumps(words).encode(), lambda _: None))
    return content


def worded(said: list[Any], audience: str, language: str = "en") -> str:
    """Word codes by a reading of the catalogue that shares nothing with the package's and the page's."""
    sentences = []
    for code, values in said:
        entry = catalogue(language)[code]
        text = entry if isinstance(entry, str) else entry[audience]
        for name, value in values.items():
            if isinstance(value, dict):
                value = worded(value["said"], audience, language)  # noqa: PLW2901
            elif isinstance(value, list):
                value = catalogue(language)["list.or"].join(value)  # noqa: PLW2901
            chosen = r"\1" if value == 1 else r"\2"
            text = re.sub(rf"\{{{name}\|([^|}}]*)\|([^}}]*)\}}", chosen, text)
            text = text.replace(f"{{{name}}}", f"{value:,}" if isinstance(value, int) else str(value))
        sentences.append(text)
    return " ".join(sentences)


@pytest.mark.parametrize(
    ("words", "simple", "german"),
    [
        ({"ask": "count", "question": {"board": "20x20"}}, "up to about 10 columns", "zu breit"),
        ({"ask": "prove", "question": {"board": "5x5"}}, "both sides are odd.", "beide Seiten sind ungerade"),
        ({"ask": "finish", "question": {"board": "5x5", "open": True}, "walk": [1]}, "the mistake", "Fehler"),
        ({"ask": "tour", "question": {"board": "6x6"}}, "found and checked", "geschlossene Tour auf 6x6"),
    ],
)  # fmt: skip
def test_answers_carry_codes_and_values(words: dict[str, Any], simple: str, german: str) -> None:
    content = answer(**words)
    assert worded(content["said"], "exact") == content["message"]
    assert simple in worded(content["said"], "simple")
    assert "frontier" not in worded(content["said"], "simple")
    assert german in worded(content["said"], "simple", "de")
    for sentence in content.get("story", []):
        if "said" in sentence:
            assert worded(sentence["said"], "exact") == sentence["text"]


@pytest.mark.parametrize(
    ("languages", "language"),
    [
        ([], "en"), (["de-AT"], "de"), (["fr", "es-MX", "de"], "es"), (["fr"], "en"),
        (["", "en-GB", "de"], "en"),
        (["../de"], "en"),
    ],
)  # fmt: skip
def test_the_first_language_that_there_is(languages: list[str], language: str) -> None:
    speech = answer(ask="start", languages=languages)["speech"]
    assert speech == {"language": language, "texts": catalogue(language)}


def test_codes_survive_as_the_argument_of_an_error() -> None:
    error = cavalcade.CavalcadeError(say("count.wide", most=32))
    assert isinstance(error.args[0], Said)
    assert str(error) == "the board is too wide: at most 32 vertices can be on the frontier"

"""The list of all messages finds what a person may read, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from .cases import thorough
from .messages import FOLDERS, ROOT, Message, messages, prose
from .pages import PAGES


def listed(folder: str) -> list[str]:
    return [message.text for message in messages(ROOT / folder)]


def test_errors_hints_and_helps_are_listed_with_what_they_insert() -> None:
    texts = listed("assistant/util")
    assert "the file already exists" in texts
    assert "the text is not UTF-8" in texts
    assert any("combat" in text for text in listed("assistant/faces/cli"))


def test_docstrings_that_only_programmers_read_are_not() -> None:
    assert not any(text.startswith("A place in a file") for text in listed("assistant/util"))


@thorough
def test_titles_notes_figures_and_rulings_of_games_are() -> None:
    texts = listed("plugins/twilight_in_the_east")
    assert "steps lost" in texts
    assert any(text.startswith("readings: ") for text in texts)


#: Turns of phrase that no rulebook editor would leave in, each with what to write instead.
STILTED = {
    r"tells?(?! all players\b)|told|telling": "say, show, list, name; distinguish",
    r"of (?:its|their|his|her) own": "its own ..., a separate ...",
    r"anew": "again",
    r"so many": "the number",
    r"weigh(?:s|ed|ing)?": "evaluate, count",
    r"lift(?:s|ed|ing)?": "remove",
    r"settle[sd]?|settling": "decide, determine",
    r"(?<!secrets are )kept(?! up to date| apart|:)": "saved, recorded, reserved",
    r"looked at|looks at": "checked, evaluated, inspected",
    r"of which\b[^.;]*\bof which": "two sentences",
    r"nobody|whoever|such a one|whom": "no side, no unit; any; the unit that",
    r"(?<!there )is no (?!longer|nearer|closer|more)": "is not a",
    r"(?:nothing is|is) said of|that is to say|as it fell": "is not known; the fact itself",
    r"be it": "whether",
    r"cannot be$": "is not possible",
}
_STILTED = re.compile(rf"\b(?:{'|'.join(STILTED)})\b", re.IGNORECASE)


def stilted(texts: Iterable[Message]) -> list[str]:
    return [f"{text}  [{said[0]}]" for text in texts if (said := _STILTED.search(without_code(text.text)))]


def without_code(text: str) -> str:
    """A message in a line, without the code of what it inserts, which may insert something itself."""
    while (shorter := re.sub(r"\{[^{}]*\}", "()", text)) != text:
        text = shorter
    return " ".join(text.split())


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_message_is_stilted(folder: str) -> None:
    assert stilted(messages(ROOT / folder)) == []


def test_no_sentence_of_a_page_is_stilted() -> None:
    assert stilted(text for page in PAGES for text in prose(page)) == []

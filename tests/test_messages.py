"""The list of all messages finds what a person may read, wherever it stands."""

from __future__ import annotations

import re

from .cases import thorough
from .messages import ROOT, messages


def listed(folder: str) -> list[str]:
    return [message.text for message in messages(ROOT / folder)]


def test_errors_hints_and_helps_are_listed_with_what_they_insert() -> None:
    texts = listed("assistant/util")
    assert "the file already exists" in texts
    assert "the text is not UTF-8" in texts
    assert any("combat" in text for text in listed("assistant/cli"))


def test_docstrings_that_only_programmers_read_are_not() -> None:
    assert not any(text.startswith("A place in a file") for text in listed("assistant/util"))


@thorough
def test_titles_notes_figures_and_rulings_of_games_are() -> None:
    texts = listed("plugins/twilight_in_the_east")
    assert "steps lost" in texts
    assert any(text.startswith("readings: ") for text in texts)


#: Turns of phrase that no rulebook editor would leave in.
STILTED = re.compile(
    r"nobody|whoever|whatever|\bwhom\b|(?<!there )\bis no (?!longer)|nothing is said|is said of|it takes |such a one|"
    r"that is to say|as it fell|\bbe it |so many|cannot be$",
    re.IGNORECASE,
)


@thorough
def test_no_message_of_the_core_and_in_the_data_of_games_is_stilted() -> None:
    found = [*messages(ROOT / "assistant"), *messages(ROOT / "module_builder")]
    found += messages(ROOT / "plugins", of_code=False)
    assert [str(message) for message in found if STILTED.search(message.text)] == []

"""The list of all messages finds what a person may read, wherever it stands."""

from __future__ import annotations

from .messages import ROOT, messages


def listed(folder: str) -> list[str]:
    return [message.text for message in messages(ROOT / folder)]


def test_errors_hints_and_helps_are_listed_with_what_they_insert() -> None:
    texts = listed("assistant/util")
    assert "the file already exists" in texts
    assert "the text is not UTF-8 (byte {error.start})" in texts
    assert any("combat" in text for text in listed("assistant/cli"))


def test_docstrings_that_only_programmers_read_are_not() -> None:
    assert not any(text.startswith("A place in a file") for text in listed("assistant/util"))


def test_titles_notes_figures_and_rulings_of_games_are() -> None:
    texts = listed("plugins/twilight_in_the_east")
    assert "steps lost" in texts
    assert any(text.startswith("readings: ") for text in texts)


def test_no_message_is_stilted() -> None:
    """Turns of phrase that no rulebook editor would leave in."""
    stilted = ("nobody says", "nobody knows", "is no hex", "nothing is said", "is said of", "whoever", "whom ")
    core = ("util", "state", "mechanics", "game", "formats", "prompt", "pictures", "drawing")
    found = [text for name in core for text in listed(f"assistant/{name}") if any(words in text for words in stilted)]
    assert found == []

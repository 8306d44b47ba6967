"""What `help WORD` says."""

from __future__ import annotations

import pytest

from assistant.prompt.commands import COMMANDS
from assistant.prompt.topics import topic_lines
from assistant.util.errors import InputError

from ...conftest import typed

POSITION = typed("40.20: 29/20 -3")


def said(word: str) -> list[str]:
    return list(topic_lines(POSITION, word, {name: command.meaning for name, command in COMMANDS.items()}))


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("ip", "  typed: HEX ip=VALUE (a whole number from 0 to 4)"),
        ("low", "supply: supply status (rule 14.0)"),
        ("crt", "  typed: chart crt SEASON ODDS ROLL = attacker / defender"),
        ("forced", "  points=...: Movement Points beyond its allowance (may be left out)"),
        ("undo", "undo: undo the last line"),
        ("effectiv", "effectiveness: base combat effectiveness (rule 3.8.2)"),
    ],
)
def test_each_kind_of_word_has_its_help(word: str, line: str) -> None:
    assert line in said(word)


def test_a_unit_says_what_is_known_of_it_and_from_where() -> None:
    (line,) = said("29/20")
    assert line.startswith("29/20: russian (rulebook), infantry (rulebook), XX (rulebook)")
    assert line.endswith(", -3")


def test_every_track_and_question_and_command_has_help() -> None:
    from assistant.plugins.registry import questions_of

    for word in (*POSITION.game.tracks, *questions_of(POSITION.game), *COMMANDS, *POSITION.game.charts):
        assert said(word)


def test_no_help_names_the_nearest_words() -> None:
    with pytest.raises(InputError) as error:
        said("wetlnds")
    assert error.value.hint == "nearest known: wetlands"

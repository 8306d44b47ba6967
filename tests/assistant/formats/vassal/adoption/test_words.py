"""The words of a mapping: what they state, for which value."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.adoption.mapping import OF_MARKER, OF_UNIT
from assistant.formats.vassal.adoption.meanings import Given, Meanings, words_for
from assistant.formats.vassal.legends import Statement
from assistant.game.games import Game
from assistant.util.errors import InputError


@pytest.mark.parametrize(
    ("given", "value", "number", "words"),
    [
        ("cel=-{}", "2", -1, "cel=-{}"),
        ("cel=-{}", "", -1, ""),
        ({"OOS": "supply=out", "*": "supply=in"}, "OOS", -1, "supply=out"),
        ({"OOS": "supply=out", "*": "supply=in"}, "fed", -1, "supply=in"),
        ({"OOS": "supply=out", "*": "supply=in"}, "", -1, ""),
        (("", "-1"), "", 1, "-1"),
        (("", "-1"), "", 2, ""),
        (("", "-1"), "", -2, ""),
    ],
)
def test_the_words_for_a_value(given: Given, value: str, number: int, words: str) -> None:
    assert words_for(given, value, number) == words


@pytest.mark.parametrize(
    ("words", "value", "stated"),
    [
        ("-1", "", [("lost", "-1")]),
        ("reduced -2", "", [("reduced", "reduced"), ("lost", "-2")]),
        ("cel=-{}", "3", [("cel", "cel=-3")]),
        ("cel=-{}", "9", [("cel", "cel=-9")]),
        ("army={}", "First Army", [("army", "First Army")]),
        ('army="First Army"', "", [("army", "First Army")]),
        ("{}", "russian", [("nation", "russian")]),
        ("ip=2", "", [("ip", "ip=2")]),
        ("", "", []),
    ],
)
def test_what_words_state(twilight: Game, words: str, value: str, stated: list[tuple[str, str]]) -> None:
    assert list(Meanings(twilight).stated(words, OF_UNIT, value)) == [Statement(*one) for one in stated]


def test_words_that_may_state_several_things_state_that_of_the_first_kind_of_subject(twilight: Game) -> None:
    meanings = Meanings(twilight)
    assert meanings.possible("control={}", OF_MARKER) == ["control"]
    assert meanings.possible(("", "-1", "D2"), OF_UNIT) == ["lost", "disorder"]


@pytest.mark.parametrize("words", ["nonsense", "cell={}", "-1 nonsense", "=", "cel=x"])
def test_words_that_state_nothing_are_refused(twilight: Game, words: str) -> None:
    with pytest.raises(InputError):
        Meanings(twilight).check(words, OF_UNIT)

"""What the prompt suggests in place of a slip."""

from __future__ import annotations

import pytest

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.new_units import suggest_ratings
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state

from ....cases import few, seeds
from ....comparing.search import tried
from .suggestions import SEARCH, begin_session


def begun(game: Game, *lines: str) -> Session:
    """A session after some lines."""
    session = begin_session(TableState(Position(game, build_state(game))))
    for line in lines:
        session.enter(line)
    return session


@few(1)
@pytest.mark.parametrize("seed", seeds(40))
def test_what_is_suggested_can_be_typed(seed: int) -> None:
    assert tried(SEARCH, range(6), seed).wrong == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("4119 1/1 12-16-711", "did you mean `12-16-7-11`? ratings are"),
        ("4119 1/1 10-5-10", "did you mean `10--5-10` (steps-artillery-effectiveness) or `10-5-10-?`? ratings are"),
        ("4119 clera 1/1", "did you mean clear?"),
        ("4119 clera 1/1 < 4020 swmap 25/3", "nearest known: clear"),
        ("4119 1/1 rduced", "did you mean reduced"),
        ("4119 Lötezn 4-5-1-8", "did you mean Lötzen?"),
        ("4023 20train", 'did you mean "German 20 Train" or "Russian 20 Train"?'),
    ],
)
def test_a_suggestion_stands_in_place_of_the_word_at_fault(twilight: Game, line: str, said: str) -> None:
    refusal = begun(twilight, "t=1").enter(line)
    assert refusal[0].startswith("! ")
    assert refusal[1].strip().startswith(said)


def test_a_new_unit_is_offered_only_where_it_can_be_placed(twilight: Game) -> None:
    session = begun(twilight, "4119 german 1/1 12-16-7-11")
    assert "put a new unit in quotes" not in "\n".join(session.enter("4119 Lötezn 4-5-1-8"))
    assert 'put a new unit in quotes: "cvalry"' in "\n".join(session.enter("4119 1/1, cvalry 8/8"))


GUARDS = ("t=1", '4019 "2 gdc"', "2122 8/15")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("supply unit=2 gdc", 'supply unit="2 gdc"'),
        ("threat unit=2 GDC side=russian", 'threat unit="2 gdc" side=russian'),
        ("2122 +56 r/26 R", '2122 +"56 r/26 R"'),
    ],
)
def test_a_name_with_a_blank_is_answered_by_the_line_with_its_quotes(twilight: Game, line: str, meant: str) -> None:
    session = begun(twilight, *GUARDS)
    said = session.enter(line)
    assert len(said) == 1
    assert said[0].endswith(f"did you mean `{meant}`? (y or n)")
    assert not session.enter("y")[0].startswith("! ")


def test_what_else_is_wrong_with_a_line_is_said_of_its_names_in_quotes(twilight: Game) -> None:
    assert begun(twilight, *GUARDS).enter("cavalry unit=8/15 enemy=2 gdc") == ["! unit: 8/15 is not cavalry"]


def test_a_part_of_a_name_behind_a_hex_answers_nothing(twilight: Game) -> None:
    session = begun(twilight, "t=1", "4119c 1/1 < 4020o 25/3")
    assert session.pending and session.pending.name == "25/3 steps=N"
    said = session.enter("4119 1 c")
    assert said[0] == "! '1 c' is not the whole name of a unit"
    assert said[1].strip() in ("did you mean German 1 c or Russian 1 c?", 'did you mean "German 1 c" or "Russian 1 c"?')


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("12-16-711", ["`12-16-7-11`"]),
        ("1216-7-11", ["`12-16-7-11`"]),
        ("12-167-11", ["`12-16-7-11`"]),
        ("10-5-10", ["`10--5-10` (steps-artillery-effectiveness)", "`10-5-10-?`"]),
        ("10-5", ["`10-5-?-?`"]),
        ("99-99-99", []),
        ("12-16-1111", ["`12-16-11-11`"]),
        ("112-6-11", []),
    ],
)
def test_ratings_that_are_suggested(twilight: Game, typed: str, meant: list[str]) -> None:
    assert suggest_ratings(typed, twilight) == meant

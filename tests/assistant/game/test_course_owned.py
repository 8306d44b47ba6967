"""What the owner of a game may state of its turns and armies, and what of it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import Game, Overlay, read_game
from assistant.game.owned_turns import check_turn_texts, read_army_fact, unknown_armies, unknown_turns
from assistant.game.packs import Pack, overlay_pack
from assistant.game.turn_record import turns
from assistant.state.tracks import Fact, Source
from assistant.util.errors import InputError

from .test_course import GAME, HEAD, ROWS, TRACKS

LIMITS = """
[limit]
title = "limit"
on = "army"
kind = "integer"
least = 2
most = 9
[horse]
title = "horse"
on = "army"
kind = "flag"
absent = false
"""
COURSE = """
[turns]
figures = [{ name = "rail", title = "Rail", turns = "2-4" }]
[organisation]
statuses = ["0"]
limit = "limit"
cavalry = "horse"
[[army]]
name = "First"
nation = "red"
[[army]]
name = "Guard"
nation = "azure"
limit = 3
[[army]]
name = "Second"
nation = "azure"
"""


@pytest.fixture
def heath(tmp_path: Path) -> Game:
    folder = tmp_path / "heath"
    folder.mkdir()
    files = {"game.toml": GAME, "tracks.toml": TRACKS + LIMITS, "course.toml": COURSE, "turns.csv": HEAD + ROWS}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return read_game("heath", folder)


def test_what_is_missing_is_what_nobody_has_stated_for_certain(heath: Game) -> None:
    assert unknown_turns(heath) == {"date": [1, 2, 4], "weather": [1, 2, 3, 4], "rail": [2, 4]}
    known = heath.with_overlay(Overlay(turns={(2, "date"): "6 May", (4, "rail"): "7", (2, "rail"): "6"}))
    assert unknown_turns(known) == {"date": [1, 4], "weather": [1, 2, 3, 4]}
    assert unknown_armies(heath) == ["red First", "blue Second"]
    known = heath.with_overlay(Overlay(armies={("limit", "blue Second"): Fact(4, Source.PRINTED)}))
    assert unknown_armies(known) == ["red First"]


def test_a_pack_keeps_them_and_the_game_has_them_then(heath: Game, tmp_path: Path) -> None:
    pack = Pack(heath, tmp_path / "pack")
    pack.enter_turns({(1, "date"): "3  May 1914", (4, "rail"): "7"})
    pack.enter_turns({(2, "date"): "6 May 1914"})
    pack.enter_army("azure Second", "limit", "4")
    pack.enter_army("red First", "horse", "yes")
    assert pack.turns() == {(1, "date"): "3 May 1914", (2, "date"): "6 May 1914", (4, "rail"): "7"}
    assert pack.armies() == {("blue Second", "limit"): "4", ("red First", "horse"): "yes"}
    known = overlay_pack(heath, pack.folder)
    assert [turn.date.in_words for turn in turns(known) if turn.date] == ["3 May 1914", "6 May 1914", "9 May 1914"]
    assert turns(known)[3].figures["rail"].text == "7"
    fact = known.board("").fact("limit", "blue Second")
    assert fact == Fact(4, Source.PRINTED)  # so that questions need not ask for it


@pytest.mark.parametrize(
    ("at", "text", "what", "hint"),
    [
        ((9, "date"), "x", "there is no turn 9", "the game has turns 1 to 4"),
        ((1, "dat"), "x", "'dat' is not a fact about a turn", "nearest known: date"),
        ((1, "event"), "x", "'event' is not a fact about a turn", "known: date"),
        ((1, "date"), "  ", "the date of turn 1: '' is not allowed", "1 to 60 printable characters"),
        (
            (1, "date"),
            "x" * 61,
            "the date of turn 1: 'xxxxxxxxxxxxxxxxxxxx' is not allowed",
            "1 to 60 printable characters",
        ),
        ((3, "rail"), "13", "the rail of turn 3 contradicts the rulebook", "by rule 3.3 it is: 12"),
        ((4, "season"), "Summer", "the season of turn 4 contradicts the rulebook", "by rule 2.1 it is: Autumn"),
    ],
)
def test_a_text_that_cannot_be_is_refused(at: tuple[int, str], text: str, what: str, hint: str, heath: Game) -> None:
    with pytest.raises(InputError) as error:
        check_turn_texts(heath, {(1, "date"): "3 May", at: text})
    assert error.value.what == what
    assert error.value.hint.startswith(hint)


@pytest.mark.parametrize(
    ("army", "track", "text", "what"),
    [
        ("red Frst", "limit", "3", "unknown army 'red Frst'"),
        ("azure Guard", "limit", "3", "unknown army 'azure Guard'"),
        ("red First", "lmit", "3", "'lmit' is not printed on army markers"),
        ("red First", "limit", "x", "limit: 'x' is not allowed"),
        ("red First", "limit", "1", "limit: 1 is not allowed"),
    ],
)
def test_a_fact_of_an_army_that_cannot_be_is_refused(army: str, track: str, text: str, what: str, heath: Game) -> None:
    with pytest.raises(InputError) as error:
        read_army_fact(heath, army, track, text)
    assert error.value.what.startswith(what)
    assert error.value.hint


def test_a_fault_in_a_pack_names_its_folder(heath: Game, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "turns.csv").write_text("turn,date\none,3 May\n", "utf-8")
    with pytest.raises(InputError, match="the turn 'one' is not a number") as error:
        overlay_pack(heath, folder)
    assert "turns.csv" in str(error.value.where)


def test_a_game_without_turns_takes_none(heath: Game) -> None:
    Path(str(heath.folder), "turns.csv").unlink()
    with pytest.raises(InputError, match="has no turns.csv"):
        check_turn_texts(heath, {(1, "date"): "x"})
    assert unknown_turns(heath) == {}

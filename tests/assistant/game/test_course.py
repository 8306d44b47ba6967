"""The turns of a game: what is said of each, and what may not be said."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.course import Part, course_file
from assistant.game.games import Game, Overlay
from assistant.game.phases import phases_in
from assistant.game.turn_record import numbers_of, read_turns, turns
from assistant.util.errors import InputError

from ...folders import game_of

GAME = 'title = "Heath"\nabout = "Made up."\n[grid]\n[sides]\nred = ["red"]\nblue = ["blue", "azure"]\n'
TRACKS = '[turn]\ntitle = "turn"\non = "game"\nkind = "integer"\nleast = 1\nmost = 4\n'
HEAD = "turns,kind,text,who,rule,source\n"
ROWS = """1-3,season,Summer,,2.1,rulebook
4,season,Autumn,,2.1,rulebook
2,date,5 May 1914,,2.2,reconstruction
3,date,9 May 1914,,2.2,rulebook
2 4,inter-phase,Inter-Phase,,2.3,rulebook
2,event,the militia arrives,azure,3.1,rulebook
1-2,event,no retreats,,3.2,rulebook
3,rail,12,,3.3,rulebook
"""


def heath(folder: Path, rows: str = ROWS, head: str = HEAD, tracks: str = TRACKS) -> Game:
    course = '[turns]\nfigures = [{ name = "rail", title = "Rail" }]\n'
    files = {"game.toml": GAME, "tracks.toml": tracks, "course.toml": course, "turns.csv": head + rows}
    return game_of(folder, files, "heath")


def test_a_turn_has_all_that_is_said_of_it_and_what_the_owner_states_comes_first(tmp_path: Path) -> None:
    one, two, three, four = turns(heath(tmp_path))
    assert [turn.number for turn in (one, two, three, four)] == [1, 2, 3, 4]
    assert [turn.season.text for turn in (one, three, four) if turn.season] == ["Summer", "Summer", "Autumn"]
    assert (one.date, one.interphase, one.weather) == (None, None, None)
    assert [(event.text, event.who, event.rule) for event in two.events] == [
        ("the militia arrives", "azure", "3.1"),
        ("no retreats", "", "3.2"),
    ]
    assert four.interphase is not None
    assert four.interphase.text == "Inter-Phase"
    assert {name: fact.text for name, fact in three.figures.items()} == {"rail": "12"}
    dates = [turn.date.in_words for turn in turns(heath(tmp_path)) if turn.date]
    assert dates == ["about 5 May 1914", "9 May 1914"]
    game = heath(tmp_path).with_overlay(Overlay(turns={(2, "date"): "6 May 1914", (4, "rail"): "7"}))
    found = turns(game)
    assert found[1].date is not None
    assert found[1].date.in_words == "6 May 1914"
    assert found[3].figures["rail"].text == "7"


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("9,date,x,,,rulebook\n", "there is no turn 9"),
        ("0,date,x,,,rulebook\n", "there is no turn 0"),
        ("3-1,date,x,,,rulebook\n", "'3-1' is not a turn"),
        ("²,date,x,,,rulebook\n", "'²' is not a turn"),
        ("1 1-2,date,x,,,rulebook\n", "'1 1-2' names a turn twice"),
        ("1,dat,x,,,rulebook\n", "'dat' is not a kind of fact about a turn"),
        ("1,date, ,,,rulebook\n", "the date is empty"),
        ("1,event,x,green,,rulebook\n", "'green' is neither a side nor a nation"),
        ("1,date,x,,,hearsay\n", "'hearsay' is not a source"),
        ("1,season,Winter,,,rulebook\n", "the season of turn 1 is given twice"),
        ("1,season,Winter,red,,rulebook\n", "the season of turn 1 is given twice"),
    ],
)
def test_a_row_that_cannot_be_is_named_with_its_line(row: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        turns(heath(tmp_path, ROWS + row))
    assert (error.value.what, str(error.value.where)) == (what, "turns.csv:10")
    assert error.value.hint


def test_all_faults_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    found: list[InputError] = []
    game = heath(tmp_path, "9,date,x,,,rulebook\n1,date,1 May,,,rulebook\n8,date,x,,,rulebook\n")
    read = read_turns(game, course_file(game), found.append)
    assert [str(fault.where) for fault in found] == ["turns.csv:2", "turns.csv:4"]
    assert read[0].date is not None


@pytest.mark.parametrize("tracks", ["", TRACKS.replace("most = 4\n", ""), TRACKS.replace('"game"', '"army"')])
def test_turns_need_a_track_that_counts_them(tracks: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        turns(heath(tmp_path, tracks=tracks))
    assert "'turn' is not a number about the game" in error.value.what


def test_a_game_of_too_many_turns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="FIELD_STAFF_LIMIT_TURNS"):
        turns(heath(tmp_path, "", tracks=TRACKS.replace("most = 4", "most = 999999999")))


@pytest.mark.parametrize(("text", "found"), [("", (1, 2, 3, 4)), ("2", (2,)), ("1-2 4", (1, 2, 4))])
def test_turns_are_named_singly_or_from_to(text: str, found: tuple[int, ...]) -> None:
    assert numbers_of(text, range(1, 5)) == found


PHASES = """
[[phase]]
title = "Weather"
part = "turn"
turns = "2-4"
steps = [{ do = "look at the sky" }]
[[phase]]
title = "Camp"
steps = [
    { do = "cook" },
    { do = "sing", who = "red", turns = "1 3" },
    { do = "brew", who = "blue", option = "beer" },
]
"""


def test_what_is_done_in_a_turn_is_listed_by_part_side_and_option(tmp_path: Path) -> None:
    game = heath(tmp_path)
    (tmp_path / "course.toml").write_text(PHASES, "utf-8")
    course = course_file(game)

    def done(part: Part, turn: int, *more: object) -> list[tuple[str, str]]:
        due = phases_in(game, course, part, turn, *more)  # type: ignore[arg-type]
        return [(phase.title, one.do) for phase, steps in due for one in steps]

    assert [done("turn", turn) for turn in (1, 2)] == [[], [("Weather", "look at the sky")]]
    assert done("player-turn", 1, "red") == [("Camp", "cook"), ("Camp", "sing")]
    assert done("player-turn", 2, "red", {"beer"}) == [("Camp", "cook")]
    assert done("player-turn", 2, "blue") == [("Camp", "cook")]
    assert done("player-turn", 2, "blue", {"beer"}) == [("Camp", "cook"), ("Camp", "brew")]

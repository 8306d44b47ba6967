"""The turns of a game and its calendar: what is said of each, what its owner may state of them and of armies, and what may not be said."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.calendar import Calendar, CalendarFile, MonthCalendar, format_turn
from assistant.game.course import Part, course_file
from assistant.game.games import Game, Overlay, read_game
from assistant.game.owned_turns import check_turn_texts, read_army_fact, unknown_armies, unknown_turns
from assistant.game.packs import Pack, overlay_pack
from assistant.game.phases import phases_in
from assistant.game.turn_record import numbers_of, read_turns, turns
from assistant.state.tracks import Fact, Source
from assistant.util.errors import InputError

from ...folders import game_of
from .track_files import format_track

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


LIMITS = "".join(
    (format_track("limit", "army", "integer", least=2, most=9), format_track("horse", "army", "flag", absent=False))
)
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
def owned(tmp_path: Path) -> Game:
    folder = tmp_path / "owned"
    folder.mkdir()
    files = {"game.toml": GAME, "tracks.toml": TRACKS + LIMITS, "course.toml": COURSE, "turns.csv": HEAD + ROWS}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return read_game("owned", folder)


def test_what_is_missing_is_what_nobody_has_stated_for_certain(owned: Game) -> None:
    assert unknown_turns(owned) == {"date": [1, 2, 4], "weather": [1, 2, 3, 4], "rail": [2, 4]}
    known = owned.with_overlay(Overlay(turns={(2, "date"): "6 May", (4, "rail"): "7", (2, "rail"): "6"}))
    assert unknown_turns(known) == {"date": [1, 4], "weather": [1, 2, 3, 4]}
    assert unknown_armies(owned) == ["red First", "blue Second"]
    known = owned.with_overlay(Overlay(armies={("limit", "blue Second"): Fact(4, Source.PRINTED)}))
    assert unknown_armies(known) == ["red First"]


def test_a_pack_keeps_them_and_the_game_has_them_then(owned: Game, tmp_path: Path) -> None:
    pack = Pack(owned, tmp_path / "pack")
    pack.enter_turns({(1, "date"): "3  May 1914", (4, "rail"): "7"})
    pack.enter_turns({(2, "date"): "6 May 1914"})
    pack.enter_army("azure Second", "limit", "4")
    pack.enter_army("red First", "horse", "yes")
    assert pack.turns() == {(1, "date"): "3 May 1914", (2, "date"): "6 May 1914", (4, "rail"): "7"}
    assert pack.armies() == {("blue Second", "limit"): "4", ("red First", "horse"): "yes"}
    known = overlay_pack(owned, pack.folder)
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
        ((1, "date"), "x" * 61, "the date of turn 1: 'xxxxxxxxxxxxxxxxxxxx' is not allowed", "1 to 60 printable"),
        ((3, "rail"), "13", "the rail of turn 3 contradicts the rulebook", "by rule 3.3 it is: 12"),
        ((4, "season"), "Summer", "the season of turn 4 contradicts the rulebook", "by rule 2.1 it is: Autumn"),
    ],
)
def test_a_text_that_cannot_be_is_refused(at: tuple[int, str], text: str, what: str, hint: str, owned: Game) -> None:
    with pytest.raises(InputError) as error:
        check_turn_texts(owned, {(1, "date"): "3 May", at: text})
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
def test_a_fact_of_an_army_that_cannot_be_is_refused(army: str, track: str, text: str, what: str, owned: Game) -> None:
    with pytest.raises(InputError) as error:
        read_army_fact(owned, army, track, text)
    assert error.value.what.startswith(what)
    assert error.value.hint


def test_a_fault_in_a_pack_names_its_folder(owned: Game, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "turns.csv").write_text("turn,date\none,3 May\n", "utf-8")
    with pytest.raises(InputError, match="the turn 'one' is not a number") as error:
        overlay_pack(owned, folder)
    assert "turns.csv" in str(error.value.where)


def test_a_game_without_turns_takes_none(owned: Game) -> None:
    Path(str(owned.folder), "turns.csv").unlink()
    with pytest.raises(InputError, match="has no turns.csv"):
        check_turn_texts(owned, {(1, "date"): "x"})
    assert unknown_turns(owned) == {}


FILE = CalendarFile(first="aug14/1", last="nov18/3", turns=7, special=True)
WAR = MonthCalendar(FILE)
TURNS = st.integers(WAR.first, WAR.last)


def test_the_war_has_411_turns_with_its_special_ones_and_months_after_a_turn() -> None:
    labels = [WAR.label(number) for number in range(WAR.first, WAR.last + 1)]
    assert len(labels) == 411 and labels[:9] == [*(f"aug14/{turn}" for turn in range(1, 8)), "sep14/0", "sep14/1"]
    assert labels[-4:] == ["nov18/0", "nov18/1", "nov18/2", "nov18/3"]
    assert WAR.label(WAR.after_turns(WAR.after_months(WAR.number("sep14/3"), 3), 1)) == "dec14/4"
    assert WAR.label(WAR.full_month_after(WAR.number("aug15/7"), 1)) == "sep15/0"
    assert WAR.label(WAR.full_month_after(WAR.number("jul16/1"), 4)) == "nov16/0"


@pytest.mark.parametrize(
    "text", ["mar16/5", "Mar16/5", "mar-16/5", "March 1916/5", "5 Mar 1916", "5 mar16", "mar 16 / 5"]
)
def test_a_turn_is_read_as_players_write_it(text: str) -> None:
    assert WAR.label(WAR.number(text)) == format_turn(text) == "mar16/5"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("mar25/1", "outside the game"),
        ("jul14/7", "outside the game"),
        ("aug14/0", "outside the game"),
        ("nov18/4", "outside the game"),
        ("mar16/8", "mar16 has no turn 8"),
        ("mar16", "is a month"),
        ("mrz16/5", "is not a turn"),
        ("", "is not a turn"),
        ("12", "is not a turn"),
        ("9" * 20, "is not a turn"),
    ],
)
def test_a_text_that_is_not_a_turn_of_the_game_is_refused(text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        WAR.number(text)


@pytest.mark.parametrize(
    ("start", "turns", "end"),
    [
        ("jun16/3", 5, "jul16/1"),
        ("jul16/0", 1, "jul16/1"),
        ("jul16/1", -1, "jun16/7"),
        ("jul16/0", -1, "jun16/7"),
        ("mar16/5", 42, "sep16/5"),
        ("mar16/5", 0, "mar16/5"),
    ],
)
def test_turns_after_a_turn_leave_out_special_ones(start: str, turns: int, end: str) -> None:
    assert WAR.label(WAR.after_turns(WAR.number(start), turns)) == end


@given(TURNS)
def test_each_turn_is_written_and_read_as_itself(number: int) -> None:
    assert WAR.number(WAR.label(number)) == number
    month, turn = WAR.month(number), WAR.turn_of_month(number)
    assert WAR.label(number) == f"{month}/{turn}" and WAR.starts(month) + turn == number


@given(TURNS, st.integers(0, 100))
def test_turns_after_count_what_a_player_counts(number: int, turns: int) -> None:
    at = number
    for _ in range(turns):
        at += 1
        if not WAR.turn_of_month(at):
            at += 1
    if turns:
        assert WAR.after_turns(number, turns) == at


def test_turns_of_calendars_without_special_turns_or_months() -> None:
    plain = Calendar(1, 40)
    assert plain.number("12") == 12 and plain.label(12) == "12" and plain.after_turns(12, 8) == 20
    for text in ("0", "41", "x", "1e1", "-3"):
        with pytest.raises(InputError):
            plain.number(text)
    with pytest.raises(InputError, match="no months"):
        plain.month(3)
    short = MonthCalendar(CalendarFile(first="aug14/1", last="sep14/4", turns=4))
    assert [short.label(number) for number in range(short.first, short.last + 1)][3:5] == ["aug14/4", "sep14/1"]
    assert short.label(short.after_turns(1, 4)) == "sep14/1"


def test_a_calendar_whose_ends_are_exchanged_is_refused_and_a_month_nearly_typed_is_named() -> None:
    with pytest.raises(InputError, match="comes after"):
        MonthCalendar(CalendarFile(first="nov18/3", last="aug14/1", turns=7))
    with pytest.raises(InputError) as caught:
        WAR.number("agu16/5")
    assert caught.value.hint == "write it as aug14/1; nearest known: aug"

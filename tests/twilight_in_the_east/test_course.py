"""What the data of turns and armies say, against the code of the rules that speak of them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from assistant.game.course import course_file
from assistant.game.games import Game
from assistant.game.turn_record import Turn, turns
from assistant.installed.registry import load_game
from assistant.state.tracks import Source
from twilight_in_the_east.attachment.breaches import RESERVED_CORPS
from twilight_in_the_east.forces.armies import GARRISONS, NATION_BY_ARMY
from twilight_in_the_east.ground.calendar import possible_weather, season
from twilight_in_the_east.turn.question import JUDGES

WEATHER = {"summer-heat": "Summer Heat", "high-water": "High Water", "freeze": "Freeze", "normal": "normal"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("twilight-in-the-east")


@pytest.fixture(scope="module")
def track(game: Game) -> tuple[Turn, ...]:
    return turns(game)


def test_every_turn_has_the_season_and_the_weather_of_the_calendar(track: tuple[Turn, ...]) -> None:
    assert [turn.number for turn in track] == list(range(1, 48))
    for turn in track:
        assert turn.season is not None
        assert turn.weather is not None
        assert turn.season.text.casefold() == season(turn.number)
        named = {word for word, text in WEATHER.items() if text in turn.weather.text}
        assert named == set(possible_weather(turn.number)), turn.number


def test_an_inter_phase_follows_every_third_turn(track: tuple[Turn, ...]) -> None:
    assert [turn.number for turn in track if turn.interphase] == list(range(3, 48, 3))


def test_the_segments_of_the_inter_phase_come_in_these_turns(game: Game, track: tuple[Turn, ...]) -> None:
    due = {turn.number for turn in track if turn.interphase}
    segments = [phase for phase in course_file(game).phase if phase.part == "inter-phase"]
    assert [set(map(int, phase.turns.split())) for phase in segments] == [due, due]


def test_each_step_with_a_name_has_a_judge_and_each_phase_a_word(game: Game) -> None:
    named = {due.name for phase in course_file(game).phase for due in (phase, *phase.steps)} - {""}
    assert named == set(JUDGES)
    bare = [phase for phase in course_file(game).phase if not phase.word]
    assert {phase.part for phase in bare} == {"combat"}
    assert {phase.word for phase in course_file(game).phase} - {""} == {*game.tracks["phase"].values} - {"other"}


def test_every_turn_has_the_date_that_the_rulebook_implies_and_no_more_certain_than_that(
    track: tuple[Turn, ...],
) -> None:
    dates = {turn.number: turn.date for turn in track if turn.date}
    assert [*dates] == [turn.number for turn in track]
    assert {date.source for date in dates.values()} == {Source.RECONSTRUCTION}
    assert dates[24].in_words == "about 9 October 1914"


DETRAINED = 9, date(1914, 9, 2)
"""The Western Front reinforcements of GT 5 detrain four turns later, from 2 September on (22.1.2)."""
PROMOTED, REMOVED = (24, date(1914, 10, 9)), (34, date(1914, 11, 8))
"""Francois commands the Eighth Army from GT 24 to GT 33, from 9 October to 7 November (25.6.2)."""
THIRDS = {"early": (1, 10), "mid": (11, 20), "late": (21, 31)}


def test_days_follow_from_the_three_dates_of_the_rulebook(track: tuple[Turn, ...]) -> None:
    days = {turn.number: datetime.strptime(turn.date.text, "%d %B %Y").date() for turn in track if _has_day(turn)}
    assert {number: days[number] for number, _ in (DETRAINED, PROMOTED, REMOVED)} == dict(
        (DETRAINED, PROMOTED, REMOVED)
    )
    lengths = {number: (days[number + 1] - day).days for number, day in days.items() if number + 1 in days}
    assert {lengths[number] for number in range(24, 34)} == {3}, "the thirty days of Francois are ten turns"
    assert {*lengths.values()} == {2, 3}, "a turn is two to three days (1.0)"
    assert date(1914, 8, 14) < days[1] < date(1914, 8, 20), (
        "after the orders of the Second Army, before those of 21.6.1"
    )
    assert days[47].month == 12, "the campaign ends in December"


def test_between_these_dates_a_part_of_the_month_is_all_that_follows(track: tuple[Turn, ...]) -> None:
    months = {"September": 9, "October": 10}
    for turn in (turn for turn in track if not _has_day(turn)):
        part, month, _ = turn.date.text.replace("-", " ").split() if turn.date else ("", "", "")
        after, before = turn.number - DETRAINED[0], PROMOTED[0] - turn.number
        first = max(DETRAINED[1] + timedelta(2 * after), PROMOTED[1] - timedelta(3 * before))
        last = min(DETRAINED[1] + timedelta(3 * after), PROMOTED[1] - timedelta(2 * before))
        middle = first + (last - first) / 2
        least, most = THIRDS[part]
        assert (months[month], least <= middle.day <= most) == (middle.month, True), turn.number


def _has_day(turn: Turn) -> bool:
    return turn.date is not None and turn.date.text[0].isdigit()


def test_the_armies_and_the_tracks_of_corps_are_those_of_the_rules(game: Game) -> None:
    armies = course_file(game).army
    sides = {nation: side for side, nations in game.file.sides.items() for nation in nations}
    central = {f"{sides[army.nation]} {army.name}": army.nation for army in armies if army.nation != "russian"}
    garrisons = {f"{sides[army.nation]} {army.name}" for army in armies if army.limit == 0}
    assert {name: nation for name, nation in central.items() if name not in garrisons} == NATION_BY_ARMY
    assert garrisons == GARRISONS
    sides = {nation: side for side, nations in game.file.sides.items() for nation in nations}
    boxes = {f"{sides[army.nation]} {army.name}": box.only for army in course_file(game).army for box in army.boxes}
    assert boxes == RESERVED_CORPS


def test_every_army_of_the_roster_has_a_display(game: Game) -> None:
    known = {(army.nation, army.name) for army in course_file(game).army}
    for unit, facts in game.roster.items():
        if "army" in facts:
            assert (facts["nation"][0].value, facts["army"][0].value) in known, unit


PHASES = {
    "5.4.1": ("reinforcement", "arrive substitute activate call"),
    "5.4.2": ("attachment", "attachment plans"),
    "5.4.3": ("pontoon", "pontoon"),
    "5.4.4": ("supply", "supply-phase"),
    "5.4.5": ("engineering", ""),
    "5.4.6": ("movement", ""),
    "5.4.7": ("counter-movement", "move"),
    "5.4.8": ("attack", ""),
    "5.4.9": ("counter-attack", "attacks"),
    "5.4.10": ("post-combat", "cavalry"),
}
"""The phases of a player turn by their rules, with some of the questions that carry them out."""


@pytest.mark.rule("5.4.1", "5.4.2", "5.4.3", "5.4.4", "5.4.5", "5.4.6", "5.4.8", "5.4.9")
def test_a_player_turn_has_its_phases_in_the_order_of_their_rules(game: Game) -> None:
    phases = [phase for phase in course_file(game).phase if phase.part == "player-turn"]
    assert [(phase.rule, phase.word) for phase in phases] == [(rule, word) for rule, (word, _) in PHASES.items()]
    for phase in phases:
        asked = {phase.ask, *(step.ask for step in phase.steps)}
        assert set(PHASES[phase.rule][1].split()) <= asked, phase.word


@pytest.mark.rule("12.3")
def test_the_one_magazine_that_the_rules_name_is_at_brest_litowsk(game: Game) -> None:
    board = game.board("east")
    magazines = {at: fact.value for at in board.hexes if (fact := board.fact("magazine", at)) and fact.value != "none"}
    assert magazines == {"31.55": "russian"}


@pytest.mark.rule("12.4")
def test_a_unit_is_a_fortress_garrison_only_where_that_is_stated(game: Game) -> None:
    """The dot alone makes none: it also has to begin the scenario at a fortress."""
    garrison = game.tracks["garrison"]
    assert (garrison.on, garrison.absent, garrison.printed) == ("unit", False, None)


@pytest.mark.rule("6.2.1")
def test_a_formation_has_five_states_on_its_attachment_track(game: Game) -> None:
    cel = game.tracks["cel"]
    assert cel.least is not None and cel.most is not None
    assert cel.most - cel.least + 1 == 5

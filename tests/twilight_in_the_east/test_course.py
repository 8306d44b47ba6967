"""What the data of turns and armies say, against the code of the rules that speak of them."""

from __future__ import annotations

import pytest

from assistant.game.course import Turn, course_file, turns
from assistant.game.games import Game
from assistant.plugins.registry import load_game
from assistant.state.tracks import Source
from twilight_in_the_east.attachment.rules import RESERVED
from twilight_in_the_east.forces.armies import GARRISONS, NATIONS
from twilight_in_the_east.ground.calendar import possible_weather, season

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


def test_dates_that_the_rulebook_only_implies_are_about_so(track: tuple[Turn, ...]) -> None:
    dated = {turn.number: turn.date for turn in track if turn.date}
    assert dated
    assert all(date.source is Source.RECONSTRUCTION for date in dated.values())
    assert dated[24].in_words == "about 9 October 1914"


def test_the_armies_are_those_of_the_rules(game: Game) -> None:
    armies = course_file(game).army
    sides = {nation: side for side, nations in game.file.sides.items() for nation in nations}
    central = {f"{sides[army.nation]} {army.name}": army.nation for army in armies if army.nation != "russian"}
    garrisons = {f"{sides[army.nation]} {army.name}" for army in armies if army.limit == 0}
    assert {name: nation for name, nation in central.items() if name not in garrisons} == NATIONS
    assert garrisons == GARRISONS


def test_corps_with_a_track_of_their_own_are_those_of_the_rules(game: Game) -> None:
    sides = {nation: side for side, nations in game.file.sides.items() for nation in nations}
    boxes = {f"{sides[army.nation]} {army.name}": box.only for army in course_file(game).army for box in army.boxes}
    assert boxes == RESERVED


def test_every_army_of_the_roster_has_a_display(game: Game) -> None:
    known = {(army.nation, army.name) for army in course_file(game).army}
    for unit, facts in game.roster.items():
        if "army" in facts:
            assert (facts["nation"][0].value, facts["army"][0].value) in known, unit

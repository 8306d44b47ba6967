"""Which countries are at war, where neutral ones bar the way, and who controls a hex."""

from __future__ import annotations

import pytest

from assistant.asking import MissingFacts, View
from assistant.rules.field.places import hex_named, hexes_with
from assistant.state.tracks import Fact
from kaisers_war_in_the_east.ground import (
    at_war,
    bar_off_net,
    bar_off_rails,
    controller,
    is_neutral,
    own_in_1914,
    romania_enters,
    side_at_start,
)

from ...conftest import typed, viewed
from ...lacking.checking import Removal, without

GAME = "game kaisers-war-in-the-east\n"


def war(text: str, nation: str) -> bool | None:
    return at_war(viewed(GAME + text), nation)


def neutral(text: str, country: str) -> bool:
    with viewed(GAME + text).gather() as facts:
        return is_neutral(facts, country)


@pytest.mark.rule("23.0/1", "23.1", "Opt/VarRomania")
def test_romania_enters_by_calendar_option_or_statement_and_bulgaria_after_it() -> None:
    assert [war(f"turn={turn}", "romanian") for turn in (18, 19, 20)] == [False, True, True]
    assert [war(f"turn={turn} phasing=allies", "bulgarian") for turn in (18, 19, 20)] == [False, False, True]
    assert [war(f"turn={turn} phasing=central-powers", "bulgarian") for turn in (18, 19, 20)] == [False, True, True]
    assert (war("turn=1", "german"), war("", "russian")) == (True, True), "others are at war from the first turn on"
    assert (war("", "romanian"), war("turn=19", "bulgarian")) == (None, None), "it is not stated"
    assert war("turn=1\nnation romanian belligerent", "romanian")
    assert war("turn=1\nnation romanian belligerent", "bulgarian") is False
    assert romania_enters(viewed(GAME)) == 19
    assert romania_enters(viewed(f"{GAME}options=variable-romania")) == 21
    assert romania_enters(viewed(f"{GAME}options=variable-romania romania-enters=16")) == 16


@pytest.mark.rule("23.0/1", "23.1")
@pytest.mark.parametrize("first", ["main-effort=east", ""])
def test_where_the_central_powers_move_first_bulgaria_enters_in_the_first_player_turn(first: str) -> None:
    """The Allies then move after it has entered; with the Moltke Plan of 1914 they are first in later years."""
    bulgaria = war(f"turn=19 phasing=allies {first}", "bulgarian")
    assert bulgaria is bool(first)
    assert war("turn=19 phasing=allies options=moltke-plan", "bulgarian") is False
    assert war("turn=18 phasing=allies main-effort=east", "bulgarian") is False


@pytest.mark.rule("23.0/1")
def test_neutral_are_romania_and_bulgaria_before_they_enter_and_all_that_is_elsewhere() -> None:
    assert (neutral("turn=18", "romania"), neutral("turn=19", "romania")) == (True, False)
    assert (neutral("", "elsewhere"), neutral("", "russia"), neutral("", "")) == (True, False, False)
    with pytest.raises(MissingFacts) as turn:
        neutral("", "romania")
    with pytest.raises(MissingFacts) as phasing:
        neutral("turn=19", "bulgaria")
    assert [ask.key for one in (turn, phasing) for ask in one.value.asks] == [("turn", ""), ("phasing", "")]


@pytest.mark.rule("5.4", "2.2")
def test_the_border_of_1914_parts_the_countries() -> None:
    of = {"germany": "central-powers", "austria-hungary": "central-powers", "bulgaria": "central-powers"}
    of |= {"russia": "allies", "romania": "allies"}
    for country, side in of.items():
        assert own_in_1914(country, side)
        assert not own_in_1914(country, "allies" if side == "central-powers" else "central-powers")
    assert not own_in_1914("elsewhere", "allies")


# --- control ------------------------------------------------------------------------------------------------------------


def control(text: str, hex: str = "2622") -> str:
    with viewed(GAME + text).gather() as facts:
        return controller(facts, hex)


@pytest.mark.rule("7.3/1", "7.3/2", "7.3/3", "7.4")
def test_a_hex_is_controlled_by_who_stands_there_then_by_its_marker_then_by_its_scenario() -> None:
    russia = "scenario=1914 turn=1\n2622 country=russia\n"
    assert control(russia) == "allies"
    assert control(f"{russia}2622 control=central-powers") == "central-powers"
    assert control(f"{russia}2622 control=nobody") == ""
    assert control(f"{russia}2622 control=allies\n2622: AH-3, AH-1") == "central-powers"
    assert control(f"{russia}2622: Rus-3") == "allies"
    assert control("turn=3\n2622 country=romania\n2622: Rom-1") == ""
    assert control("turn=20\n2622 country=romania\n2622: Rom-1") == "allies"


@pytest.mark.rule("7.3/1")
def test_a_unit_whose_nation_is_not_stated_leaves_its_hex_to_nobody_else() -> None:
    stated = "scenario=1914 turn=1\n2622 country=russia control=allies\n2622: german infantry XXX A1 (9-9-4)\n"
    assert control(stated) == "central-powers"
    unstated = without(typed(GAME + stated), Removal("its nation", {("nation", "A1")}))
    with pytest.raises(MissingFacts, match="nation"), View(unstated.game, unstated.state).gather() as facts:
        controller(facts, "2622")


@pytest.mark.rule("7.1", "23.0/1916-line")
@pytest.mark.parametrize(
    ("scenario", "country", "side"),
    [
        ("1914", "germany", "central-powers"),
        ("1914", "russia", "allies"),
        ("1914 turn=3", "romania", ""),
        ("1914 turn=20", "romania", "allies"),
        ("1915", "russia", "central-powers"),
        ("1916", "russia", "allies"),
        ("1916 turn=20", "romania", "allies"),
        ("1916 turn=20", "bulgaria", "central-powers"),
    ],
)
def test_on_whose_side_of_the_front_line_a_hex_lay(scenario: str, country: str, side: str) -> None:
    text = f"{GAME}scenario={scenario}\n2622 country={country} front-1915=central-powers front-1916=allies\n"
    with viewed(text).gather() as facts:
        assert side_at_start(facts, "2622") == side


@pytest.mark.rule("7.1", "23.0/1916-line")
def test_without_its_country_nothing_is_known_of_a_hex() -> None:
    with pytest.raises(MissingFacts) as missing, viewed(f"{GAME}scenario=1916").gather() as facts:
        assert side_at_start(facts, "2622") == ""
    assert [ask.key for ask in missing.value.asks] == [("country", "2622")]


def test_hexes_are_found_by_what_is_printed_on_them() -> None:
    view = viewed(f"{GAME}2622 objective named=Lemberg\n2418 named=Warsaw\n")
    assert "2622" in hexes_with(view, "objective")
    assert (hex_named(view, "warsaw"), hex_named(view, "Nowhere")) == ("2418", None)


# --- railroads ----------------------------------------------------------------------------------------------------------

RAILS = "scenario=1914 turn=1\n2622, 2623 country=austria-hungary\n2622=2623\n"
SERBIA = "scenario=1914 turn=14\nnation bulgarian belligerent\n2622 country=austria-hungary\n2623 country=elsewhere\n2622 | 2623 rail serbian-transit\n"


def shut(text: str, here: str = "2622", there: str = "2623", side: str = "central-powers") -> str:
    with viewed(GAME + text).gather() as facts:
        barred = bar_off_net(facts, side, here, there)
        return barred.why if barred else ""


@pytest.mark.rule("18.0", "18.4", "18.6")
def test_a_side_uses_the_railroads_that_it_controlled_when_the_phase_began() -> None:
    assert shut(RAILS) == ""
    assert shut(RAILS, side="allies") == "its side does not control 2622"
    assert shut(f"{RAILS}2623 control=allies") == "its side does not control 2623"
    assert shut(f"{RAILS}2622, 2623 control=allies", side="allies") == "", "captured ones too"
    assert shut(f"{RAILS}2623 control=central-powers taken") == "2623 has come under control only this phase"
    assert shut("2622=2623\n2623: Rus-2\n") == "its side does not control 2623"
    assert shut("2622=2623\n2623 control=allies\n") == "its side does not control 2623"
    assert shut("scenario=1914\n2622=2623\n2623 country=russia\n") == "its side does not control 2623"
    assert shut("2622=2623\n") == "", "nothing is stated against it"
    none = RAILS.replace("2622=2623\n", "")
    assert shut(none) == ""
    assert shut(f"{none}side central-powers whole-network") == "no railroad leads from 2622 to 2623"
    assert shut(f"{none}side allies whole-network") == ""
    assert shut(f"{none}2622 | 2623 no-rail\n") == "no railroad leads from 2622 to 2623"
    view = viewed(GAME + none)
    view.board = view.game.board("map").with_facts_over({("rail", "2522|2622"): Fact("rail")})
    with view.gather() as facts:
        assert bar_off_net(facts, "central-powers", "2622", "2621") is not None, (
            "the board has railroads, and none there"
        )
    assert shut(SERBIA) == ""
    on = f"{SERBIA}2622 | 2522 rail\n2522 country=austria-hungary\n2623 | 2624 rail\n2624 country=bulgaria\n"
    assert shut(f"{on}2624 control=central-powers\n", "2623", "2624") == ""
    assert shut(f"{on}2624 control=allies\n", "2623", "2624") == "its side does not control 2624"
    assert shut(f"{on}2622 control=allies\n", "2522", "2622") == "its side does not control 2622", (
        "it is no Serbian hex"
    )
    far = "scenario=1914 turn=14\n2622, 2623 country=elsewhere\n2622=2623\n"
    assert shut(far) == "its side does not control 2622", "no transit line is there"


@pytest.mark.rule("21.4")
def test_a_train_keeps_to_railroads_that_the_enemy_does_not_control() -> None:
    with viewed(f"{GAME}2622=2623=2624\n2624 control=allies\n").gather() as facts:
        assert bar_off_rails(facts, "central-powers", "2622", "2623") is None
        assert bar_off_rails(facts, "central-powers", "2622", "2522") == ("21.4", "no railroad leads from 2622 to 2522")
        assert bar_off_rails(facts, "central-powers", "2623", "2624") == (
            "21.4",
            "the enemy controls the railroad there",
        )
        assert bar_off_rails(facts, "central-powers", "2623", "2624", anyones=True) is None

"""What a player turn begins with, as the position shows whether it is done (5.3, 5.4.1 to 5.4.5)."""

from __future__ import annotations

import pytest

from assistant.game.turn_record import Turn, TurnFact
from assistant.state.tracks import Source
from twilight_in_the_east.ground import calendar
from twilight_in_the_east.turn.question import rolls_for_weather

from ...conftest import values
from .listing import followed, listed, states


@pytest.mark.rule("5.3.1b", "20.0")
def test_the_weather_is_owed_until_it_is_stated_in_a_turn_with_a_roll() -> None:
    (item,) = listed("", "weather", "weather", side="")
    assert (item.state, item.ask, item.rule) == ("owed", "weather", "5.3.1b")
    assert item.text.endswith("not rolled yet; it may be Summer Heat")
    (item,) = listed("weather=summer-heat", "weather", "weather", side="")
    assert (item.state, item.ask) == ("done", "")
    assert item.text.endswith("Summer Heat in GT 5")
    assert listed("", "weather", "weather", side="", turn=34)[0].text.endswith("it may be Freeze")
    assert followed("", "post-combat", "central-powers", turn=10).shown.phase == "reinforcement"
    assert followed("", "post-combat", "central-powers", turn=7).shown.phase == "weather"


def test_reinforcements_of_the_turn_are_owed_until_they_stand_on_the_map() -> None:
    text = "A russian infantry XX arrives=5\n44.20: russian infantry XX B arrives=5\nC russian infantry XX arrives=6"
    items = listed(text, "reinforcement", "reinforcements")
    assert states(items) == [("owed", ("A",)), ("done", ("B",))]
    assert [item.ask for item in items] == ["arrive units=A", ""]
    assert states(listed(text, "reinforcement", "reinforcements", "central-powers")) == [("impossible", ())]


def test_a_supply_unit_that_comes_back_has_its_own_question() -> None:
    train = '"4 Train" russian corps-train - arrives=5'
    (item,) = listed(train, "reinforcement", "reinforcements")
    assert item.ask == 'return unit="4 Train"'
    (item,) = listed(f"{train}\nA russian infantry XX arrives=5", "reinforcement", "reinforcements")
    assert (set(item.units), item.ask) == ({"4 Train", "A"}, "arrive")


@pytest.mark.rule("3.3.6", "16.5")
def test_units_whose_turn_of_withdrawal_has_come_are_removed_as_the_phase_ends() -> None:
    text = """44.20: russian infantry XX A withdrawal=5, russian infantry XX B withdrawal=6, russian infantry XX E
44.22: russian infantry XX C withdrawal=4
44.24: german infantry XX D withdrawal=5"""
    (item,) = listed(text, "reinforcement", "withdrawals")
    assert (item.state, item.units, item.carried_out) == ("owed", ("A", "C"), True)
    report = followed(text, "reinforcement")
    assert values(report) == {
        ("place", "A"): None,
        ("departed", "A"): "withdrawn",
        ("place", "C"): None,
        ("departed", "C"): "withdrawn",
        ("control", "44.22"): "russian",
        ("phase", ""): "attachment",
    }
    assert [item.name for item in report.shown.carried_out] == ["withdrawals"]
    assert states(listed("", "reinforcement", "withdrawals")) == [("impossible", ())]


@pytest.mark.rule("16.5")
def test_a_supply_unit_that_is_withdrawn_does_not_come_back() -> None:
    report = followed("44.20: russian minor-depot - D withdrawal=5", "reinforcement")
    assert set(values(report)) == {("place", "D"), ("departed", "D"), ("phase", "")}


@pytest.mark.rule("3.3.6")
def test_a_unit_with_an_s_waits_for_its_substitute() -> None:
    text = "44.20: russian infantry X A substituted, russian infantry X B"
    assert states(listed(text, "reinforcement", "substitutions")) == [("possible", ("A",))]
    assert states(listed("", "reinforcement", "substitutions")) == [("impossible", ())]


@pytest.mark.rule("3.3.5")
def test_units_whose_dot_shows_the_turn_are_named() -> None:
    text = """44.20: russian infantry XX A restriction=immobile release=5, russian infantry XX B restriction=city release=6
44.22: russian infantry XX C restriction=fortress, russian infantry XX E release=5
44.24: german infantry XX D restriction=immobile release=5"""
    assert states(listed(text, "reinforcement", "releases")) == [("done", ("A",))]
    assert states(listed(text, "reinforcement", "releases", turn=4)) == [("impossible", ())]


def test_breaches_of_attachment_are_owed_by_their_own_side() -> None:
    text = """44.20: russian infantry XX 25/3 army=First corps=4, russian corps-train - "3 Train" army=First corps=3
army "russian First" area="44.18-44.22" front="44.18-44.22" attachment-limit=2
"3 Train" range=5 extended-range=8 corps-limit=2"""
    items = listed(text, "attachment", "attachment")
    assert [item.state for item in items] == ["owed"]
    assert items[0].units == ("25/3",)
    assert items[0].ask == "attachment"
    assert [item.state for item in listed(text, "attachment", "attachment", "central-powers")] == ["possible"]


def test_corps_trains_lay_pontoon_bridges() -> None:
    text = """44.20: russian corps-train - A pontoon-laid, russian corps-train - B, russian corps-train - C entrained
44.24: german corps-train - D"""
    assert states(listed(text, "pontoon", "pontoons")) == [("possible", ("B",)), ("done", ("A",))]
    assert states(listed("44.20: russian corps-train - C entrained", "pontoon", "pontoons")) == [("impossible", ())]
    assert states(listed("44.20: russian corps-train - A pontoon-laid", "pontoon", "pontoons")) == [("done", ("A",))]


def test_the_supply_phase_is_owed_until_the_turn_of_the_last_is_this_one() -> None:
    (item,) = listed("side russian supply-phase-done=4", "supply", "supply")
    assert (item.state, item.ask) == ("owed", "supply-phase side=russian")
    assert item.text == "Supply: not carried out yet"
    (item,) = listed("side russian supply-phase-done=5", "supply", "supply")
    assert (item.state, item.ask) == ("done", "")
    assert listed("side russian supply-phase-done=5", "supply", "supply", "central-powers")[0].state == "owed"


def test_rr_hexes_that_have_been_converted_are_told() -> None:
    items = listed("44.20 converted\n44.22 converted=no", "engineering", "railheads")
    assert {item.rule for item in items} == {"17.1.2"}, "17.1.3 is of what limits the conversion"
    assert [(item.state, item.places) for item in items] == [("possible", ()), ("done", ("44.20",))]
    assert items[0].ask == "railhead"


def test_the_record_of_the_turn_tells_the_points_for_germany_alone_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {"german-engineers": "6", "german-home-engineers": "(8)", "austro-hungarian-engineers": "4"}
    figures = {name: TurnFact(text, source=Source.PRINTED) for name, text in entries.items()}
    monkeypatch.setattr(calendar, "turns", lambda game: [Turn(number=n, figures=figures) for n in range(1, 48)])
    (item,) = listed("", "engineering", "railheads", "central-powers")
    assert item.text.endswith("German 6, German 8 for Germany alone, Austro-Hungarian 4")


# --- the weather ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.3.1b")
@pytest.mark.parametrize(
    ("turn", "stated", "due"),
    [
        (1, "", True),
        (10, "", True),
        (10, "normal", False),
        (11, "", False),
        (16, "", False),
        (17, "", False),
        (23, "", False),
        (24, "", False),
        (33, "", False),
        (34, "", True),
        (47, "", True),
        (47, "freeze", False),
    ],
)
def test_the_weather_is_rolled_for_in_the_turns_that_have_a_choice(turn: int, stated: str, due: bool) -> None:
    assert rolls_for_weather(turn, stated) is due

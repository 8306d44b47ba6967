"""What units cost, when they may be mobilized, and what it leaves (5.5, 9.3, 9.5, optional rules)."""

from __future__ import annotations

import pytest

from ..asking import kaiser, values, why_not

RUSSIA = "turn={}\nscenario=1914\nside allies vp={}\nside central-powers vp=60\n2418 city country=russia objective=no\n"


def bought(turn: int, points: int = 60, text: str = "", **given: object):  # type: ignore[no-untyped-def]
    given = {"unit": "X", "nation": "russian", **given}
    return kaiser(RUSSIA.format(turn, points) + text, "mobilize", **given)


@pytest.mark.rule("9.3", "9.5/year", "9.5/delay", "9.9", "MOB/Build")
@pytest.mark.parametrize(
    ("kind", "turn", "cost", "arrives"),
    [
        ("infantry-corps", 1, 4, 1),
        ("cavalry-corps", 1, 5, 1),
        ("supply", 1, 10, 1),
        ("armoured-train", 1, 10, 2),
        ("marine-corps", 5, 9, 6),
        ("alpine-corps", 8, 6, 9),
        ("shock-corps", 14, 8, 16),
        ("airbase", 14, 10, 15),
    ],
)
def test_prices_and_delays(kind: str, turn: int, cost: int, arrives: int) -> None:
    result = bought(turn, text="options=air-units", kind=kind).result
    assert (result.price.cost, result.arrives, result.left) == (cost, arrives, 60 - cost)


@pytest.mark.rule("9.3")
def test_a_fortified_zone_costs_3_for_each_point_of_defence() -> None:
    assert bought(1, kind="fortress", defence=4).result.price.cost == 12
    assert why_not(bought(1, kind="fortress")) == ["9.3"]


@pytest.mark.rule("9.5/year", "MOB/limits")
@pytest.mark.parametrize(("kind", "turn"), [("marine-corps", 4), ("alpine-corps", 4), ("shock-corps", 13)])
def test_some_are_mobilized_from_a_later_year_on(kind: str, turn: int) -> None:
    assert why_not(bought(turn, kind=kind)) == ["9.5"]
    assert not why_not(bought(turn + 1, kind=kind))


@pytest.mark.rule("5.5")
def test_a_point_has_to_remain() -> None:
    assert bought(1, 5, kind="infantry-corps").result.left == 1
    assert why_not(bought(1, 4, kind="infantry-corps")) == ["5.5"]


@pytest.mark.rule("9.2", "9.3/armies", "9.10")
@pytest.mark.parametrize(("unit", "rule"), [("Rus-2", "9.3"), ("Rus-SW", "9.10"), ("Turk-1", "9.2")])
def test_armies_headquarters_and_turks_are_not_for_sale(unit: str, rule: str) -> None:
    assert why_not(bought(1, unit=unit)) == [rule]


@pytest.mark.rule("9.3", "9.4/1", "9.5")
def test_a_unit_is_paid_and_placed() -> None:
    assert values(bought(1, unit="Rus-cav-1", at="2418")) == {
        ("vp", "allies"): -5, ("place", "Rus-cav-1"): "2418", ("placed", "Rus-cav-1"): True,
    }  # fmt: skip
    later = values(bought(8, kind="alpine-corps"))
    assert later["arrives", "X"] == 9
    assert why_not(bought(1, 60, "2418: Rus-cav-1", unit="Rus-cav-1")) == ["9.5"]


@pytest.mark.rule("9.5/year", "MOB/limits")
def test_one_shock_corps_a_turn_for_each_country() -> None:
    waiting = '"Y" russian shock XXX arrives=16'
    assert why_not(bought(14, 60, waiting, kind="shock-corps")) == ["9.5"]
    assert not why_not(bought(15, 60, waiting, kind="shock-corps"))
    assert not why_not(bought(14, 60, waiting, kind="shock-corps", nation="german"))


@pytest.mark.rule("Opt/Morale/1")
def test_low_morale_doubles_prices() -> None:
    assert bought(1, 25, "options=morale", kind="infantry-corps").result.price.cost == 8
    assert bought(1, 26, "options=morale", kind="infantry-corps").result.price.cost == 4
    assert bought(1, 25, kind="infantry-corps").result.price.cost == 4


@pytest.mark.rule("9.11")
def test_what_was_demobilized_in_a_turn_is_not_mobilized_again_in_it() -> None:
    assert why_not(bought(1, 60, "Available: Rus-cav-1 demobilized", unit="Rus-cav-1")) == ["9.11"]


@pytest.mark.rule("9.1", "6.2/2a")
def test_it_is_done_in_the_mobilization_phase_of_the_own_player_turn() -> None:
    assert why_not(bought(1, 60, "phasing=central-powers", kind="supply")) == ["9.1"]
    assert why_not(bought(1, 60, "phase=movement", kind="supply")) == ["9.1"]


@pytest.mark.rule("Opt/AEFR", "MOB/optional")
def test_the_expeditionary_force_from_1916_on() -> None:
    text = "options=expeditionary-force"
    assert [bought(14, 60, text, unit=unit).result.price.cost for unit in ("AEFR", "RNAS")] == [8, 4]
    assert why_not(bought(13, 60, text, unit="AEFR")) == ["Opt/AEFR"]
    assert why_not(bought(14, 60, "", unit="AEFR")) == ["Opt/AEFR"]


@pytest.mark.rule("Opt/Volunteer")
def test_volunteers_while_allied_morale_is_low() -> None:
    text = "options=volunteers\n2418 named=Warsaw"
    paid = bought(24, 25, text, unit="Vol-shock", at="2418")
    assert values(paid)["vp", "central-powers"] == -8
    assert values(paid)["control", "2418"] == "central-powers"
    assert why_not(bought(24, 26, text, unit="Vol-shock")) == ["Opt/Volunteer"]
    assert why_not(bought(22, 25, text, unit="Vol-shock")) == ["Opt/Volunteer"]
    assert why_not(bought(24, 25, text.replace("Warsaw", "Lodz"), unit="Vol-shock", at="2418")) == ["Opt/Volunteer"]


@pytest.mark.rule("Opt/Rev2-effects")
def test_nothing_after_the_second_revolution() -> None:
    assert why_not(bought(25, 9, "revolution=2", kind="infantry-corps")) == ["Opt/Rev2-effects"]


@pytest.mark.rule("23.0/1", "23.1")
def test_neutrals_mobilize_nothing() -> None:
    assert why_not(bought(18, kind="infantry-corps", nation="romanian")) == ["23.0"]
    assert not why_not(bought(19, kind="infantry-corps", nation="romanian"))


@pytest.mark.rule("MOB/limits", "9.5/year")
def test_airbases_are_an_optional_rule_from_1916_on() -> None:
    assert why_not(bought(14, kind="airbase")) == ["9.5"]
    assert why_not(bought(13, text="options=air-units", kind="airbase")) == ["9.5"]

"""What units cost, when they may be mobilized, and what it leaves (5.5, 9.3, 9.5, optional rules)."""

from __future__ import annotations

import pytest

from assistant.util.errors import InputError

from ...conftest import told, values, why_not
from ..asking import kaiser

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


@pytest.mark.rule("9.3", "9.9")
def test_a_fortified_zone_costs_3_for_each_point_of_defence() -> None:
    priced = bought(1, kind="fortress", defence=4)
    assert (priced.result.price.cost, why_not(priced)) == (12, [])
    assert why_not(bought(1, kind="fortress")) == ["9.3"]
    text = '"Dead Pile": russian fortress - Warsaw (0-4-0)'
    assert bought(1, text=text, unit="Warsaw", nation="russian").result.price.cost == 12
    assert bought(1, text=text, unit="Warsaw", nation="russian", defence=5).result.price.cost == 15
    nil = '"Dead Pile": russian fortress - Warsaw (0-0-0)'
    assert why_not(bought(1, text=nil, unit="Warsaw", nation="russian")) == []
    assert bought(1, 99, kind="fortress", defence=20).result.price.cost == 60
    unpriced = bought(1, 99, kind="fortress", defence=0)
    assert told(unpriced) == ["it costs 3 Victory Points for each point of its defence factor: state defence=N"]


@pytest.mark.rule("9.5/year", "MOB/limits")
@pytest.mark.parametrize(("kind", "turn"), [("marine-corps", 4), ("alpine-corps", 4), ("shock-corps", 13)])
def test_some_are_mobilized_from_a_later_year_on(kind: str, turn: int) -> None:
    assert why_not(bought(turn, kind=kind)) == ["9.5"]
    assert not why_not(bought(turn + 1, kind=kind))


@pytest.mark.rule("9.3", "9.4/1", "9.5", "9.5/delay", "9.11", "9.1", "6.2/2a")
def test_a_unit_is_paid_and_placed_in_the_mobilization_phase_and_again_from_a_box() -> None:
    assert values(bought(1, unit="Rus-cav-1", at="2418")) == {
        ("vp", "allies"): -5, ("place", "Rus-cav-1"): "2418", ("placed", "Rus-cav-1"): True,
    }  # fmt: skip
    again = bought(1, text='"Dead Pile": Rus-inf-1', unit="Rus-inf-1", at="2418")
    assert values(again) == {("vp", "allies"): -4, ("place", "Rus-inf-1"): "2418", ("placed", "Rus-inf-1"): True}
    due = bought(1, text="Rus-inf-1 arrives=1", unit="Rus-inf-1", at="2418")
    assert values(due)["arrives", "Rus-inf-1"] is None
    report = bought(1, text="2430: Rus-cav-1", unit="Rus-cav-1")
    assert told(report)[0] == "Rus-cav-1 is already in 2430, and the counters limit the number of units"
    assert why_not(bought(1, 60, "Available: Rus-cav-1 demobilized", unit="Rus-cav-1")) == ["9.11"]
    assert why_not(bought(1, 60, "phasing=central-powers", kind="supply")) == ["9.1"]
    late = bought(1, 60, "phase=movement", kind="supply")
    assert told(late, "Not allowed") == ["that is done only in the mobilization phase, but this is movement"]
    assert not why_not(bought(1, 60, "phasing=allies phase=mobilization", kind="supply"))


@pytest.mark.rule("9.5/year", "MOB/limits", "9.11")
def test_one_shock_corps_a_turn_for_each_country_from_1916_on() -> None:
    waiting = '"Y" russian shock XXX arrives=16'
    assert not why_not(bought(15, 60, waiting, kind="shock-corps"))
    assert not why_not(bought(14, 60, waiting, kind="shock-corps", nation="german"))
    assert why_not(bought(14, text='"Y" russian infantry XXX arrives=14', kind="infantry-corps")) == []
    assert why_not(bought(14, text="Available: Rus-cav-1", unit="Rus-cav-1")) == []
    assert told(bought(14, text='"Y" russian shock XXX arrives=16', kind="shock-corps")) == [
        "its country has mobilized Y this turn, and one shock corps per turn is the limit"
    ]
    assert why_not(bought(40, kind="shock-corps")) == []
    assert told(bought(13, kind="shock-corps")) == ["it may be mobilized only from 1916 to 1918, but this is 1915"]


@pytest.mark.rule("Opt/AEFR", "MOB/optional")
def test_the_expeditionary_force_from_1916_on() -> None:
    text = "options=expeditionary-force"
    assert why_not(bought(13, 60, text, unit="AEFR")) == ["Opt/AEFR"]


@pytest.mark.rule("Opt/Volunteer", "5.3", "9.3", "9.5/delay")
def test_volunteers_enter_while_allied_morale_is_low_and_take_their_city() -> None:
    text = "options=volunteers\n2418 named=Warsaw"
    paid = bought(24, 25, text, unit="Vol-shock", at="2418")
    assert values(paid)["vp", "central-powers"] == -8
    assert values(paid)["control", "2418"] == "central-powers"
    assert why_not(bought(22, 25, text, unit="Vol-shock")) == ["Opt/Volunteer"]
    assert why_not(bought(24, 25, text.replace("Warsaw", "Lodz"), unit="Vol-shock", at="2418")) == ["Opt/Volunteer"]
    text = RUSSIA.replace("objective=no", "objective").format(24, 25)
    paid = kaiser(
        f"{text}options=volunteers\n2418 named=Warsaw control=allies", "mobilize", unit="Vol-shock", at="2418"
    )
    assert [one.amount for one in paid.changes if getattr(one, "track", "") == "vp"] == [-8, 5, -10]
    assert "2418 is a Strategic Objective: 5 Victory Points more for Central Powers, 10 less for Allies" in told(paid)
    assert values(paid)["holds-objectives", "central-powers"] is True
    full = text.replace("vp=60", "vp=99") + "options=volunteers\n2418 named=Warsaw control="
    paid = kaiser(f"{full}allies", "mobilize", unit="Vol-shock", at="2418")
    gains = [one.amount for one in paid.changes if getattr(one, "track", "") == "vp"]
    assert gains == [-8, 5, -10], "what is paid makes room on the track of 99 points (5.6)"
    own = kaiser(f"{full}central-powers", "mobilize", unit="Vol-shock", at="2418")
    assert [one for one in own.changes if getattr(one, "track", "") == "control"] == []
    text = "turn=24\nside allies vp=25\nside central-powers vp=60\n2418 city named=Warsaw country=russia objective=no\n"
    paid = kaiser(text + "options=volunteers", "mobilize", unit="Vol-inf", at="2418")
    assert values(paid)["control", "2418"] == "central-powers", "the front line of the scenario is not known"
    own = kaiser(text + "options=volunteers\n2418 control=central-powers", "mobilize", unit="Vol-inf", at="2418")
    assert ("control", "2418") not in values(own)
    assert ("control", "2418") not in values(bought(1, kind="infantry-corps", at="2418"))
    assert told(bought(24, 26, "options=volunteers", unit="Vol-inf")) == [
        "volunteers enter only with 25 Victory Points or fewer, but the Allies have 26"
    ]
    priced = bought(24, 25, "options=volunteers", unit="Vol-inf")
    assert told(priced, "Afterwards") == []
    enemy = "2430 control=central-powers objective=no country=russia"
    assert told(bought(8, kind="alpine-corps", at="2430", text=enemy), "Afterwards") == [], "it comes a turn later"


@pytest.mark.rule("23.0/1", "23.1", "9.5/year", "MOB/limits", "Opt/Rev2-effects")
def test_neutrals_mobilize_nothing_nor_the_allies_after_the_second_revolution() -> None:
    assert why_not(bought(18, kind="infantry-corps", nation="romanian")) == ["23.0"]
    assert not why_not(bought(19, kind="infantry-corps", nation="romanian"))
    assert told(bought(18, kind="infantry-corps", nation="romanian")) == ["Romania is neutral"]
    assert why_not(bought(25, 9, "revolution=2", kind="infantry-corps")) == ["Opt/Rev2-effects"]
    assert why_not(bought(25, 9, "revolution=2", kind="infantry-corps", nation="german")) == []
    assert why_not(bought(25, 9, "revolution=1", kind="infantry-corps")) == []


@pytest.mark.rule("MOB/limits", "9.5/year")
def test_airbases_are_an_optional_rule_from_1916_on() -> None:
    assert why_not(bought(14, kind="airbase")) == ["Opt/Air/1"]
    assert why_not(bought(13, text="options=air-units", kind="airbase")) == ["9.5"]


# --- told whole -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("9.3", "9.9", "5.5", "9.4/1", "9.5/delay")
def test_a_price_leaves_a_point_and_tells_the_hexes_that_are_open() -> None:
    report = bought(1, kind="infantry-corps")
    assert told(report) == [
        "X costs 4 Victory Points",
        "of 60 Victory Points, 56 will be left",
        "it may be placed in 2418",
    ]
    assert (report.result.open, report.changes) == (("2418",), ())
    assert report.verdict.text == "X costs 4 Victory Points, leaving 56; it arrives in turn 1"
    report = bought(8, kind="alpine-corps", at="2430", text="2430 city=no map-edge=no objective=no country=russia")
    assert told(report) == [
        "X costs 6 Victory Points",
        "of 60 Victory Points, 54 will be left",
        "it arrives 1 turn later, in turn 9",
    ]
    assert (report.result.open, report.result.arrives) == ((), 9)
    assert bought(8, kind="alpine-corps").result.open == bought(1, kind="supply", at="2418").result.open == ()
    assert values(report) == {
        ("vp", "allies"): -6,
        ("place", "X"): None,
        ("nation", "X"): "russian",
        ("arm", "X"): "alpine",
        ("size", "X"): "XXX",
        ("arrives", "X"): 9,
    }
    poor = bought(1, 4, kind="infantry-corps")
    assert (why_not(poor), poor.result.open, poor.result.left) == (["5.5"], (), 0)
    assert told(poor) == ["4 Victory Points of 4 would leave 0, but at least 1 must remain"]
    assert why_not(bought(1, kind="infantry-corps", at="2430", text="2430 city=no map-edge=no country=russia")) == [
        "9.4"
    ]
    assert why_not(bought(1, 5, kind="infantry-corps")) == []
    assert bought(1, 5, kind="infantry-corps").result.left == 1


@pytest.mark.rule("Opt/Morale/1", "Opt/AEFR", "9.3")
def test_low_morale_doubles_every_price_and_says_so() -> None:
    text = "options=morale options=expeditionary-force"
    assert told(bought(1, 25, text, kind="infantry-corps"))[0] == "X costs 8 Victory Points, doubled by low Morale"
    assert told(bought(14, 25, text, unit="AEFR"))[0] == "AEFR costs 16 Victory Points, doubled by low Morale"
    assert told(bought(14, 26, text, unit="AEFR"))[0] == "AEFR costs 8 Victory Points"
    assert bought(1, 25, text, kind="fortress", defence=2).result.price.cost == 12
    assert bought(1, 25, kind="infantry-corps").result.price.cost == 4


@pytest.mark.rule("9.2", "9.3/armies", "9.10", "9.3")
@pytest.mark.parametrize(
    ("unit", "rule", "why"),
    [
        ("Rus-SW", "9.10", "Headquarters arrive by schedule and are never rebuilt"),
        ("Rus-2", "9.3", "armies arrive by schedule; combine corps to build one again (ask reorganize)"),
        ("Ger-Abt-1", "9.3", "armies arrive by schedule; combine corps to build one again (ask reorganize)"),
        ("Turk-1", "9.2", "the Turkish corps arrives by schedule"),
        ("Cz-Leg", "9.3", "Czech units come only by the rules on Revolutions"),
        ("RG", "9.3", "Bolshevik units come only by the rules on Revolutions"),
        ("Guards", "9.3", "the Mobilization Chart lists no infantry of size XX"),
    ],
)
def test_why_a_unit_is_not_for_sale(unit: str, rule: str, why: str) -> None:
    report = bought(1, text='"Dead Pile": russian infantry XX Guards', unit=unit)
    assert (told(report), why_not(report), report.result.price) == ([why], [rule], None)


@pytest.mark.rule("9.3", "Opt/AEFR", "Opt/Volunteer", "MOB/optional")
@pytest.mark.parametrize(
    ("unit", "option", "cost", "side"),
    [
        ("AEFR", "expeditionary-force", 8, "allies"),
        ("RNAS", "expeditionary-force", 4, "allies"),
        ("Vol-inf", "volunteers", 4, "central-powers"),
        ("Vol-cav", "volunteers", 4, "central-powers"),
        ("Vol-shock", "volunteers", 8, "central-powers"),
    ],
)
def test_units_of_optional_rules_and_what_they_cost(unit: str, option: str, cost: int, side: str) -> None:
    found = bought(24, 25, f"options={option}", unit=unit).result
    assert (found.price.cost, found.price.delay, found.price.each, found.side) == (cost, 0, False, side)
    without = bought(24, 25, "", unit=unit)
    assert why_not(without) == [found.price.rule]
    assert f"(options={option})" in told(without)[0]


@pytest.mark.rule("9.3")
@pytest.mark.parametrize("defence", [-5, -1, 21])
def test_a_defence_factor_that_no_fortified_zone_has_is_refused(defence: int) -> None:
    with pytest.raises(InputError, match=f"defence: {defence} is not a defence factor"):
        bought(1, kind="fortress", defence=defence)


@pytest.mark.parametrize("unit", ["", " ", "2418"])
def test_an_id_that_is_empty_or_that_of_a_hex_is_refused(unit: str) -> None:
    with pytest.raises(InputError, match="is not the id of a unit"):
        bought(1, unit=unit, kind="infantry-corps")


@pytest.mark.rule("9.5")
@pytest.mark.parametrize("spare", [None, 0, 1, 2, 3, 4])
def test_one_count_of_corps_limits_whatever_brings_corps_in(spare: int | None) -> None:
    text = "options=fortress-conversion\n2211: russian fortress - Warsaw (0-4-0)\n2320: Rus-2\nmain-effort=west\n"
    text += f"nation russian spare-corps={spare}\n" if spare is not None else ""
    room = 9 if spare is None else spare
    corps = bought(1, text=text, kind="infantry-corps", at="2418")
    assert why_not(corps) == ([] if room >= 1 else ["9.5"])
    assert why_not(bought(1, text=text, kind="cavalry-corps")) == []
    due = "Rus-inf-1 arrives=1\n"
    assert why_not(kaiser(RUSSIA.format(1, 60) + text + due, "place", unit="Rus-inf-1", at="2418")) == why_not(corps)
    start = RUSSIA.format(1, 60) + text
    assert why_not(kaiser(start, "reorganize", fortress="Warsaw")) == why_not(corps)
    assert why_not(kaiser(start, "reorganize", **{"break_": "Rus-2"})) == ([] if room >= 3 else ["9.5"])
    army = RUSSIA.format(2, 60) + text
    assert why_not(kaiser(army, "place", unit="Rus-9", at="2418")) == [], "no corps"
    if spare == 0:
        assert told(corps) == ["no Russian infantry corps is off the map"]
    elif spare:
        assert values(corps)["spare-corps", "russian"] == -1

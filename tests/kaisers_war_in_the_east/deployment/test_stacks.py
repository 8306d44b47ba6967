"""What a hex may hold and what goes of too much, and whose zones of control reach a hex (12, 13)."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from assistant.asking import InputError
from assistant.asking.report import Report
from assistant.state.changes import Change
from assistant.testing import check_json
from kaisers_war_in_the_east.deployment import QUESTIONS
from kaisers_war_in_the_east.ground import exerts_zone

from ...conftest import answered, asked, ruled, told, typed, viewed

GAME = "game kaisers-war-in-the-east\n"
CORPS = ", ".join(f"german infantry XXX Corps-{number}" for number in range(1, 5))


def stack(units: str, **more: Any) -> Report[Any]:
    return answered(typed(f"{GAME}2622: {units}"), "stack", at=("2622",), **more)


@pytest.mark.rule("12.1/1", "12.1/2", "12.1/3", "12.1/4")
@pytest.mark.parametrize(
    ("units", "fits"),
    [
        ("Ger-8", True),
        ("Ger-8, Ger-9", False),
        ("Ger-8, german headquarters XXXXX Ober", False),
        ("german headquarters XXXXX Ober, german infantry XXX Corps-1", False),
        ("german infantry abteilung Abt, german infantry XXX Corps-1", False),
        (CORPS.rpartition(",")[0], True),
        (CORPS, False),
        ("Ger-8, german infantry XXX Corps-1", False),
        ("Ger-8, german shock XXX Shock-1, CP-supply-1, german fortress - Lemberg", True),
        (f"{CORPS.rpartition(',')[0]}, CP-supply-1, german fortress - Lemberg", True),
        ("CP-supply-1, CP-supply-2", False),
        ("german fortress - Lemberg, german fortress - Other", False),
        (f"{CORPS.rpartition(',')[0]}, german shock XXX Shock-1", True),
        (f"{CORPS.rpartition(',')[0]}, german shock XXX Shock-1, german armoured-train - Train-1", False),
        ("german shock XXX S1, german shock XXX S2, german shock XXX S3, german shock XXX S4", True),
        (
            "german shock XXX S1, german shock XXX S2, german shock XXX S3, german shock XXX S4, german shock XXX S5",
            False,
        ),
        (f"{CORPS.rpartition(',')[0]}, german armoured-train - Train-1", True),
        ("german armoured-train - T1, german armoured-train - T2", False),
        ("Ger-8, german armoured-train - Train-1, german tank X Tank-1", False),
        ("Ger-8, german shock XXXX Shock-Army", False),
    ],
)
def test_what_a_hex_may_hold(units: str, fits: bool) -> None:
    """The first of the rulebook's examples is an army with a shock corps and a supply unit in a fortress, the second three corps."""
    report = stack(units)
    assert report.result.stacks[0].too_many is not fits
    assert report.verdict.kind == ("yes" if fits else "no")


@pytest.mark.rule("12.2")
def test_the_owner_chooses_what_goes_at_the_end_of_a_phase() -> None:
    assert stack("Ger-8, AH-inf-1").asks == ()
    report = stack("Ger-8, AH-inf-1", ended=True)
    (ask,) = report.asks
    assert (ask.name, ask.options) == ("excess.2622", ("Ger-8", "AH-inf-1"))
    text = f"{GAME}2622: Ger-8, AH-inf-1\nask stack at=2622 ended=yes\nanswers excess.2622="
    assert asked(typed(text + "AH-inf-1")).changes == (Change("place", "AH-inf-1", "2622", "Dead Pile", "12.2"),)
    assert asked(typed(text + "Ger-8")).changes == (Change("place", "Ger-8", "2622", "Available", "12.2"),)
    assert "at no cost in Victory Points" in told(report)[-1]
    with pytest.raises(InputError, match="not an option"):
        asked(typed(text + "AH-1"))
    text = f"{GAME}2622: Ger-8, german infantry abteilung Abt-9\nask stack at=2622 ended=yes\nanswers excess.2622=Abt-9"
    assert asked(typed(text)).changes == (Change("place", "Abt-9", "2622", "Available", "12.2"),)
    many = stack(", ".join(f"german infantry XXX Corps-{number}" for number in range(1, 14)), ended=True)
    assert (many.asks, many.changes) == ((), ())
    assert "as many as it takes" in told(many)[-1]


@pytest.mark.rule("12.2")
@pytest.mark.parametrize(
    ("phase", "goes"),
    [
        ("mobilization", False),
        ("reorganization", False),
        ("movement", True),
        ("first-combat", True),
        ("second-combat", True),
    ],
)
def test_what_is_too_much_goes_at_the_end_of_movement_and_combat_and_not_before(phase: str, goes: bool) -> None:
    report = answered(typed(f"{GAME}phase={phase}\n2622: Ger-8, AH-inf-1"), "stack", at=("2622",), ended=True)
    assert bool(report.asks) is goes
    when = "now" if goes else "at the end of a Movement or Combat Phase or a battle"
    assert f"{when}, the owner must eliminate (at no cost in Victory Points) one of" in told(report)[-1]
    answer = f"{GAME}phase={phase}\n2622: Ger-8, AH-inf-1\nask stack at=2622 ended=yes\nanswers excess.2622=Ger-8"
    with nullcontext() if goes else pytest.raises(InputError, match="no roll or choice of that name is due"):
        assert asked(typed(answer)).changes


@pytest.mark.rule("12.2", "12.3")
def test_all_crowded_hexes_are_told_and_that_nations_need_a_headquarters_to_attack() -> None:
    position = typed(f"{GAME}2622: Ger-8, AH-1\n2623: AH-3\n2624: AH-4, CP-supply-1\nAvailable: AH-2")
    report = answered(position, "stack", ended=True)
    assert [(one.at, one.too_many) for one in report.result.stacks] == [("2622", True), ("2624", False)]
    assert report.verdict.text == "over-stacked: 2622"
    check_json(position, report)
    assert "attack together only with a Headquarters" in told(stack("Ger-8, austro-hungarian shock XXX Shock-1"))[1]
    assert len(told(stack("AH-3, CP-supply-1"))) == 1, "supply units stand with anybody"


def test_enemies_never_share_a_hex_and_an_empty_one_is_refused() -> None:
    with pytest.raises(InputError, match="holds units of different sides"):
        stack("AH-3, Rus-3")
    with pytest.raises(InputError, match="no unit is in 2623"):
        answered(typed(f"{GAME}2622: AH-3"), "stack", at=("2623",))


RING = {"2621", "2623", "2522", "2523", "2722", "2723"}


def zones(text: str, **more: Any) -> Report[Any]:
    return answered(typed(GAME + text), "zones", **more)


def reached(text: str, **more: Any) -> set[str]:
    return {one.hex for one in zones(text, **more).result.hexes if one.units}


@pytest.mark.rule("13.0")
@pytest.mark.parametrize(
    ("unit", "has_one"),
    [
        ("AH-3 (?-?-3)", True),
        ("german cavalry XXX HKK (?-?-6)", True),
        ("german armoured-train - Train-1 (?-?-9)", True),
        ("german fortress - Lemberg", True),
        ("CP-supply-1 (?-?-2)", False),
        ("german headquarters XXXXX Ober (?-?-0)", False),
        ("german headquarters XXXXX Ober (?-?-4)", True),
    ],
)
def test_what_moves_has_a_zone_and_a_fortress_but_no_supply_unit(unit: str, has_one: bool) -> None:
    assert reached(f"2622: {unit}") == (RING if has_one else set())


@pytest.mark.rule("13.0")
def test_units_that_do_not_move_have_a_zone_by_agreement_alone() -> None:
    assert reached("ruling hq-zones=yes\n2622: german headquarters XXXXX Ober (?-?-0)") == RING
    assert reached("ruling hq-zones=no\n2622: german headquarters XXXXX Ober (?-?-0)") == set()
    assert ruled(zones("2622: german headquarters XXXXX Ober (?-?-0)"), "hq-zones") == "no"
    assert ruled(zones("2622: german headquarters XXXXX Ober (?-?-4)"), "hq-zones") == "", "it does not matter"
    assert not exerts_zone("headquarters", 0)
    assert exerts_zone("headquarters", 1)
    assert not exerts_zone("supply", 3, immobile=True)
    assert exerts_zone("fortress", 0)


@pytest.mark.rule("13.1", "13.2", "20.1", "13.3")
def test_no_zone_crosses_the_sea_or_reaches_into_an_enemy_fortress() -> None:
    assert reached("2622: AH-3\n2622|2623 all-sea\n2622|2621 river") == RING - {"2623"}
    text = "2622: AH-3\n2623: russian fortress - Warsaw\n2621: german fortress - Thorn\n"
    assert reached(text, side="central-powers") >= RING - {"2623"}
    assert "2623" not in reached(text, side="central-powers")
    assert "2622" in reached(text, side="allies"), "it has a zone of its own"
    assert "2623: no zone of AH-3 reaches it" in told(zones(text, at=("2623",), side="central-powers"))
    found = zones("2622: AH-3, AH-1\n2624: Rus-3\n", at=("2623",)).result.hexes
    assert {one.side: one.units for one in found} == {"central-powers": ("AH-3", "AH-1"), "allies": ("Rus-3",)}


@pytest.mark.rule("13.0", "23.0/2")
def test_zones_of_neutrals_and_of_units_in_boxes_do_not_count_and_others_are_assumed_aloud() -> None:
    assert reached("turn=3\n2926: Rom-1") == set()
    assert len(reached("turn=19\n2926: Rom-1")) == 6
    assumed = "AH-3 assumed to have a zone of control (movement factor not stated)"
    assert assumed in told(zones("2622: AH-3"), "Assumed")
    assert [ask.key for ask in zones("2622: german headquarters XXXXX Ober").asks] == [("movement", "Ober")]
    assert reached("2622: AH-3 (?-?-3)\nAvailable: german headquarters XXXXX Ober\n") == RING


@pytest.mark.rule("13.0", "13.1")
def test_zones_are_told_and_drawn() -> None:
    text = "2622: AH-3\n2624: Rus-3\n"
    report = zones(text)
    check_json(typed(GAME + text), report)
    assert report.verdict.text == "11 hexes in zones of control"
    sketch = next(question.sketch for question in QUESTIONS if question.name == "zones")
    assert sketch is not None
    drawn = sketch(viewed(f"{GAME}{text}Available: AH-4\n"), report)
    ring = [*viewed(GAME).board.neighbours("2622"), *viewed(GAME).board.neighbours("2624")]
    assert {hex for zone in drawn.zones for hex in zone.hexes} == {*ring}
    assert {*drawn.focus} == {"2622", "2624", *ring}
    with pytest.raises(InputError, match="no unit stands on the map"):
        zones("turn=1")

"""Whose zones of control reach a hex."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking import InputError
from assistant.asking.report import Report
from assistant.testing import check_json
from kaisers_war_in_the_east.deployment import QUESTIONS
from kaisers_war_in_the_east.ground import exerts_zone

from ...conftest import answered, ruled, told, typed, viewed

GAME = "game kaisers-war-in-the-east\n"
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

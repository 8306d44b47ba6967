"""Refusals name the enemy whose zone is the reason, or the railroad that is missing, and without it there is no refusal."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kaisers_war_in_the_east.ground import field
from kaisers_war_in_the_east.supply.reach import out_of_reach

from ...cases import few, seeds
from ...conftest import told, viewed
from ..asking import kaiser

LINE = """turn=17 scenario=1916
side allies vp=60 whole-network
side central-powers vp=60 whole-network
2624 clear: CP-supply-1 radius=5
2623 clear
2622 clear
2621 clear: {units}
"""
FOE = "2723 clear: Rus-2 (12-12-4)\n"
"""A Russian army whose zone covers 2622 and 2623, through which every short line of supply leads."""
SIDES = "2523 clear: Rus-3 (12-12-4)\n"
CORPS = "Ger-inf-1 (4-4-4), Ger-inf-2 (4-4-4)"
BATTLE = "2620 clear: Rus-5 (9-9-0)\n2620|2621 open\n"
CASES: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "an army is formed": (
        CORPS, "", {"combine": "Ger-inf-1,Ger-inf-2", "into": "Ger-Abt-1", "supply": "CP-supply-1", "": "reorganize"}, "10.2"
    ),
    "a Headquarters is converted": ("Ober-Ost (4-4-4)", "", {"convert": "Ober-Ost", "supply": "CP-supply-1", "": "reorganize"}, "10.2"),
    "a Forced March": ("Ger-8 (8-8-4)", "", {"unit": "Ger-8", "way": ["2521"], "forced": "CP-supply-1", "": "move"}, "17.9"),
    "Maximum Attack Supply": ("Ger-8 (8-8-4)", BATTLE, {"at": "2620", "supply": ["CP-supply-1"], "": "battle"}, "17.10"),
    "a unit is demobilized": (CORPS, "", {"unit": "Ger-inf-1", "": "demobilize"}, "9.11"),
    "support of a Headquarters": (
        "Ger-8 (8-8-4)", BATTLE + "2623: Ober-Ost (8-2-2) radius=2\n", {"at": "2620", "hq": "Ober-Ost", "": "battle"}, "19.1"
    ),
}  # fmt: skip
"""What needs a radius that leads to 2621, each with the units there, more of the position, what is asked, and the rule of the refusal."""


def refused(case: str, more: str) -> list[str]:
    """Why what is asked is refused."""
    units, ground, asked, _ = CASES[case]
    given = {name: value for name, value in asked.items() if name}
    report = kaiser(LINE.format(units=units) + ground + "2521 clear\n" + more, asked[""], **given)
    return told(report, "Not allowed")


@pytest.mark.rule("10.2", "10.7", "17.9/1", "17.9/3", "17.10/1-3", "19.1", "17.3", "13.7", "9.11")
@pytest.mark.parametrize("case", CASES)
def test_a_radius_that_an_enemy_zone_ends_names_the_enemy(case: str) -> None:
    (why,) = refused(case, FOE + SIDES)
    assert "Rus-2" in why or "Rus-3" in why
    assert "the zone of" in why
    assert refused(case, "") == []


@few(3)
@pytest.mark.rule("13.7", "17.2", "17.3")
@pytest.mark.parametrize("seed", seeds(40))
def test_without_the_enemies_that_a_refusal_names_there_is_none(seed: int) -> None:
    dice = random.Random(seed)
    hexes = dice.sample(
        [
            f"{column}{row}"
            for column in (25, 26, 27)
            for row in (21, 22, 23, 24)
            if (column, row) not in ((26, 21), (26, 24))
        ],
        3,
    )
    foes = {
        f"Rus-{number}": f"{hex} clear: Rus-{number} (1-1-4)\n" for number, hex in zip((2, 3, 4), hexes, strict=True)
    }
    case = "an army is formed"
    while reasons := refused(case, "".join(foes.values())):
        named = [name for name in foes if any(name in why.replace(",", " ").split() for why in reasons)]
        assert named, reasons
        foes = {name: line for name, line in foes.items() if name not in named}


@pytest.mark.rule("9.7", "10.7", "13.4", "13.5", "11.7")
def test_a_refusal_for_an_enemy_zone_names_whose_it_is() -> None:
    zone = "the zone of control of Rus-2"
    ground = "turn=17 scenario=1916\nside central-powers vp=60\n2622 clear country=germany city\n2621 clear\n2521 clear\n2523 clear\n"
    near = ground + "2722 clear: Rus-2 (12-12-4)\n"
    placed = kaiser(near + "2622 control=central-powers", "mobilize", unit="Ger-inf-1", at="2622")
    assert told(placed, "Not allowed") == [f"2622 lies in {zone}"]
    marched = kaiser(near + "2621: Ger-8 (8-8-4)\n", "move", unit="Ger-8", way=["2622"])
    assert told(marched, "Not allowed") == [f"2622: it leads out of {zone} into {zone}"]
    stopped = kaiser(near + "2521: Ger-8 (8-8-4)\n", "move", unit="Ger-8", way=["2621", "2622"])
    assert told(stopped, "Not allowed") == [f"2622: the unit must stop in 2621, in {zone}"]
    unsure = kaiser(near.replace("(12-12-4)", "") + "2521: Ger-8 (8-8-4)\n", "move", unit="Ger-8", way=["2621", "2622"])
    assert "Rus-2 assumed to have a zone of control (movement factor not stated)" in told(unsure)


@pytest.mark.rule("18.4", "21.4")
def test_a_refusal_for_a_missing_railroad_names_the_hexes() -> None:
    line = "turn=17\nside central-powers whole-network\n2622: Ger-8 (8-8-4), CP-supply-1 radius=2, AH-train-1 (1-1-4)\n2622=2623\n"
    for by, unit in (("rail", "Ger-8"), ("land", "AH-train-1")):
        report = kaiser(
            line + "2623 clear control=central-powers country=germany\n2622, 2624 clear country=germany",
            "move",
            unit=unit,
            way=["2623", "2624"],
            by=by,
        )
        assert told(report, "Not allowed") == ["2624: no railroad leads from 2623 to 2624"]


@pytest.mark.rule("17.9/1", "17.12")
def test_of_what_is_wrong_with_a_forced_march_the_first_reason_is_told() -> None:
    position = (
        LINE.format(units="Ger-8 (8-8-4)").replace("2624 clear: CP-supply-1", "3624: CP-supply-1") + "2521 clear\n"
    )
    far = kaiser(position, "move", unit="Ger-8", way=["2521"], forced="CP-supply-1")
    assert told(far, "Not allowed")[0].startswith("Ger-8 is not within the radius of CP-supply-1, 5 hexes: 2621 is ")
    moved = kaiser(position + "CP-supply-1 moved\n", "move", unit="Ger-8", way=["2521"], forced="CP-supply-1")
    assert told(moved, "Not allowed") == ["CP-supply-1 cannot be expended: it has moved this player turn"]


@pytest.mark.rule("17.2", "17.9/2", "17.10/1-3", "SUP-summary/6")
def test_a_supply_unit_that_reaches_only_who_is_supplied_is_of_no_use() -> None:
    battle = LINE.format(units="Ger-8 (8-8-4)") + BATTLE + "2622: CP-supply-2 radius=3\n"
    both = kaiser(battle, "battle", at="2620", supply=["CP-supply-1", "CP-supply-2"])
    assert told(both, "Not allowed") == ["CP-supply-2 reaches no attacker that is not already supplied"]
    boxed = battle.replace("2622: CP-supply-2 radius=3", "Available: CP-supply-2 radius=3")
    off = kaiser(boxed, "battle", at="2620", supply=["CP-supply-2"])
    assert told(off, "Not allowed") == ["CP-supply-2 is not on the map"]


@pytest.mark.rule("Opt/Entrench/1", "Opt/Entrench/2", "21.7")
def test_a_supply_unit_that_entrenches_has_to_be_the_defenders_and_to_reach_them() -> None:
    ground = "turn=17 options=entrenching\n2621: Ger-8 (8-8-4)\n2620 clear: Rus-5 (9-9-0)\n2620|2621 open\n"
    enemy = kaiser(ground + "2625: CP-supply-1 radius=1 entrenched\n", "battle", at="2620", entrench="CP-supply-1")
    assert told(enemy, "Not allowed") == ["CP-supply-1 does not belong to the defending side"]
    far = kaiser(
        ground + "2617: Allied-supply-1 radius=1 entrenched\n", "battle", at="2620", entrench="Allied-supply-1"
    )
    assert told(far, "Not allowed") == [
        "Allied-supply-1 does not reach 2620: 2620 is 3 hexes from Allied-supply-1, whose radius is 1"
    ]
    near = kaiser(
        ground + "2619: Allied-supply-1 radius=1 entrenched\n", "battle", at="2620", entrench="Allied-supply-1"
    )
    assert near.result.combat.defence == 18


TWO_HEXES = "turn=10\n2620 clear: Rus-5 (1-9-0)\n2621: Ger-8 (8-8-4)\n2720: Ger-9 (8-8-4)\n2620|2621,2720 open\n"


@pytest.mark.rule("17.2", "17.3", "19.1")
def test_a_radius_that_reaches_says_what_it_assumes_of_the_line_to_the_nearest() -> None:
    led = kaiser(TWO_HEXES + "2623: Ober-Ost (8-2-2) radius=5\n", "battle", at="2620", hq="Ober-Ost")
    assert "2623, 2622, 2621 assumed to be neither marsh nor sea (terrain not stated)" in told(led)
    led = kaiser(TWO_HEXES + "2820: Ober-Ost (8-2-2) radius=5\n", "battle", at="2620", hq="Ober-Ost")
    (line,) = [text for text in told(led) if "neither marsh nor sea" in text]
    assert line.startswith("2820, 2720 assumed"), "2621 comes first by its name"
    for at, near, hexes in ((2626, 2621, 5), (2639, 2621, 18), (2817, 2720, 3), (2801, 2720, 19)):
        far = kaiser(TWO_HEXES + f"{at}: Ober-Ost (8-2-2) radius=1\n", "battle", at="2620", hq="Ober-Ost")
        assert told(far, "Not allowed") == [
            f"Ober-Ost reaches no attacker within 1 hex of {at}: {near} is {hexes} hexes from Ober-Ost, whose radius is 1"
        ]


@pytest.mark.rule("17.2", "17.3")
def test_a_radius_that_has_nobody_to_reach_reaches_nobody() -> None:
    with viewed("game kaisers-war-in-the-east\n" + TWO_HEXES + "2623: Ober-Ost (8-2-2)").gather() as facts:
        around = field(facts).around("central-powers")
        assert out_of_reach(facts, around, facts.view.unit("Ober-Ost"), 5, []) == "there are no units to reach"


@pytest.mark.rule("17.3", "17.2")
@pytest.mark.parametrize("radius", [5, 3])
def test_where_no_line_can_lead_that_is_said(radius: int) -> None:
    """2621 is three hexes away, and so within either radius."""
    moat = "".join(f"{hex} marsh\n" for hex in ("2521", "2522", "2620", "2622", "2721", "2722"))
    position = LINE.format(units=CORPS).replace("2622 clear\n", "").replace("radius=5", f"radius={radius}") + moat
    asked = {"combine": "Ger-inf-1,Ger-inf-2", "into": "Ger-Abt-1", "supply": "CP-supply-1"}
    far = kaiser(position, "reorganize", **asked)
    assert told(far, "Not allowed") == ["CP-supply-1 in 2624 does not reach 2621: no line leads there"]

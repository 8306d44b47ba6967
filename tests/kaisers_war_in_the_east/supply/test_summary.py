"""The summary of supply: what each use needs, in which phase it is made, and whether it expends the supply unit (17)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from ...conftest import values, why_not
from ..asking import kaiser

PHASES = ("mobilization", "reorganization", "movement", "first-combat", "second-combat", "attrition")
GROUND = """turn=17 scenario=1916 phasing=central-powers
side central-powers vp=60 whole-network
side allies vp=60 whole-network
2620, 2621, 2622, 2623, 2624 clear country=germany control=central-powers front-1916=central-powers
2624: CP-supply-1 radius=4 declared
2620=2621=2622
{units}
phase={phase}
"""


class Use(NamedTuple):
    """A use of supply. units: who is where; asked: of the question; phases: in which it is allowed; expends: whether it expends the supply
    unit."""

    question: str
    units: str
    asked: dict[str, Any]
    phases: tuple[str, ...]
    expends: bool = True


TWO = "2621: Ger-inf-1 (4-4-4), Ger-inf-2 (4-4-4)"
USES = {
    "SUP-summary/1": Use("move", "2621: Ger-8 (8-8-4)", {"unit": "Ger-8", "way": ["2620"], "by": "rail"}, ("movement",), expends=False),
    "SUP-summary/3": Use(
        "reorganize", TWO, {"combine": "Ger-inf-1,Ger-inf-2", "into": "Ger-Abt-1", "supply": "CP-supply-1"}, ("reorganization",)
    ),
    "SUP-summary/4": Use(
        "reorganize", "2621: Ober-Ost (4-4-4)", {"convert": "Ober-Ost", "supply": "CP-supply-1"}, ("reorganization",)
    ),
    "SUP-summary/5": Use(
        "move", "2621: Ger-8 (8-8-1)", {"unit": "Ger-8", "way": ["2622", "2623"], "forced": "CP-supply-1"}, ("movement",)
    ),
    "SUP-summary/6": Use(
        "battle",
        "2621: Ger-8 (8-8-4)\n2620: Rus-2 (1-8-4)\n2620|2621 open",
        {"at": "2620", "supply": ["CP-supply-1"], "answers": {"die": "4"}},
        ("first-combat", "second-combat"),
    ),
}  # fmt: skip
OF_RULE = {"reorganize": "17.9/3", "battle": "17.9/2", "move": "17.9/1"}
EACH = [
    pytest.param(use, marks=pytest.mark.rule(rule, OF_RULE[use.question] if use.expends else "17.6"), id=rule)
    for rule, use in USES.items()
]


def asked(use: Use, phase: str, more: str = "") -> Any:
    """The report on a use of supply in a phase."""
    return kaiser(GROUND.format(units=use.units, phase=phase) + more, use.question, **use.asked)


@pytest.mark.parametrize("use", EACH)
def test_each_use_has_its_phase_and_expends_a_supply_unit_that_reaches_but_for_rail(use: Use) -> None:
    assert [phase for phase in PHASES if not why_not(asked(use, phase))] == [*use.phases]
    changed = values(asked(use, use.phases[0]))
    assert (changed.get(("place", "CP-supply-1")) == "Available") == use.expends
    far = GROUND.replace("2624: CP", "3624: CP")
    report = kaiser(far.format(units=use.units, phase=use.phases[0]), use.question, **use.asked)
    assert why_not(report)


@pytest.mark.rule("17.0", "17.9", "SUP-summary/1", "SUP-summary/5")
def test_general_supply_moves_by_rail_for_nothing_and_offensive_supply_has_three_uses_that_expend_it() -> None:
    spent = {rule for rule, use in USES.items() if ("place", "CP-supply-1") in values(asked(use, use.phases[0]))}
    assert spent == {"SUP-summary/3", "SUP-summary/4", "SUP-summary/5", "SUP-summary/6"}
    assert {OF_RULE[USES[rule].question] for rule in spent} == {"17.9/1", "17.9/2", "17.9/3"}
    rail, march = USES["SUP-summary/1"], USES["SUP-summary/5"]
    assert values(asked(rail, "movement"))["place", "Ger-8"] == "2620"
    assert values(asked(march, "movement"))["place", "Ger-8"] == "2623"
    slow = march._replace(asked={**march.asked, "forced": None})
    assert why_not(asked(slow, "movement"))
    moved = GROUND.replace("declared", "moved")
    assert why_not(kaiser(moved.format(units=march.units, phase="movement"), "move", **march.asked))
    assert not why_not(kaiser(moved.format(units=rail.units, phase="movement"), "move", **rail.asked))


@pytest.mark.rule("17.9/3", "SUP-summary/3", "SUP-summary/4")
def test_a_reorganization_takes_a_supply_unit_of_its_own() -> None:
    """One supply unit serves one use: once it is expended it serves no other."""
    formed = asked(USES["SUP-summary/3"], "reorganization")
    assert values(formed)["place", "Ger-Abt-1"] == "2621"
    again = GROUND.replace("2624: CP-supply-1", "Available: CP-supply-1").format(
        units="2621: Ober-Ost (4-4-4)", phase="reorganization"
    )
    refused = kaiser(again, "reorganize", convert="Ober-Ost", supply="CP-supply-1")
    assert why_not(refused) == ["10.2"]
    nobody = kaiser(again, "reorganize", convert="Ober-Ost")
    assert why_not(nobody) == ["10.2"]


@pytest.mark.rule("17.10/4")
def test_supply_for_an_attack_does_not_last_into_the_second_combat_phase() -> None:
    use = USES["SUP-summary/6"]
    first = asked(use, "first-combat")
    assert {one.supplied for one in first.result.combat.attackers} == {"CP-supply-1"}
    assert values(first)["place", "CP-supply-1"] == "Available"
    spent = GROUND.replace("2624: CP-supply-1", "Available: CP-supply-1")
    second = kaiser(spent.format(units=use.units, phase="second-combat"), "battle", **use.asked)
    assert "17.10" in why_not(second)


ATTRITION = """scenario=1914 phasing=central-powers phase=attrition
trust charts
side central-powers whole-network
chart terrain-attrition {season} clear = {check}
2622 clear: Ger-inf-1 (4-4-4)
{place}: CP-supply-1 radius=1
"""


@pytest.mark.rule("SUP-summary/2", "17.6", "17.8")
@pytest.mark.parametrize(
    ("turn", "season", "check", "place", "checks"),
    [
        (4, "winter", "yes", "3022", ["Ger-inf-1"]),
        (4, "winter", "yes", "2623", []),
        (4, "winter", "no", "3022", []),
        (3, "summer", "no", "3022", []),
    ],
)
def test_supply_spares_a_unit_the_check_of_a_winter_turn_and_is_not_expended(
    turn: int, season: str, check: str, place: str, checks: list[str]
) -> None:
    position = f"turn={turn}\n" + ATTRITION.format(season=season, check=check, place=place)
    report = kaiser(position, "attrition")
    assert [one.unit for one in report.result.units if one.checks] == checks
    assert report.changes == ()

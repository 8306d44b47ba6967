"""What a unit spends in a phase with a Forced March, as questions of moves and tasks read it (8.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.case import list_bars
from assistant.asking.report import step
from twilight_in_the_east.forces.spending import (
    MAX_MARCH_POINTS,
    ForcedMarch,
    chance_that_all_pass,
    chance_to_pass,
    list_march_bounds,
    measure_spending,
)

from ...conftest import viewed

RESTS = "it recovers from Disorder in this phase and makes no Forced March"
BY_KHAN = "points beyond the allowance exceed 3, as its die for Khan Nakhichevanski was 5"


def chance(unit: str, turn: int, status: str = "") -> Fraction | None:
    """The chance that a Russian division with CEL 8 passes the check for one point beyond its allowance of seven."""
    view = viewed(f"turn={turn}\n41.19: russian infantry XX {unit} (7-7-0-8) movement=7 {status}")
    with view.gather() as facts:
        spends = measure_spending(facts, view.unit(unit), Fraction(8), "move")
    assert spends is not None and (spends.march, spends.why) == (1, "")
    return spends.passes


@pytest.mark.rule("24.4")
@pytest.mark.parametrize(
    ("unit", "turn", "status", "low"),
    [
        pytest.param("2/23", 7, "supply=in", True, id="in Low Supply at best"),
        pytest.param("2/23", 7, "supply=low", True, id="which counts once"),
        pytest.param("2/23", 8, "supply=in", False, id="up to GT 7"),
        pytest.param("1/23", 7, "supply=in", False, id="no other division of its corps"),
    ],
)
def test_the_check_of_a_unit_that_moves_on_knows_who_is_in_low_supply_at_best(
    unit: str, turn: int, status: str, low: bool
) -> None:
    assert chance(unit, turn, status) == chance_to_pass(8 - low, ())


def march(purpose: Any = "move", points: int = 1, arm: str = "infantry", **values: Any) -> ForcedMarch:
    """A Forced March of a unit that nothing keeps from it, unless values say so."""
    able = {"can_work": arm == "infantry", "attached": False, "bound": (), "spent": {}, "khan": ""}
    about = {"view": viewed("turn=1"), "arm": arm, "marches": arm in MAX_MARCH_POINTS, "purpose": purpose}
    return ForcedMarch(**about, read_excess=lambda facts: Fraction(points), **{"counter": False, **able, **values})


@pytest.mark.rule("8.3", "8.3b", "8.3.1", "8.4", "8.4.1", "13.1")
@pytest.mark.parametrize(
    ("values", "purpose", "rule"),
    [
        ({}, "move", ""),
        ({"arm": "artillery"}, "move", "8.3.1"),
        ({"bound": [step("8.4", "marked")]}, "move", "8.4"),
        ({"can_work": False}, "move", ""),
        ({"can_work": False}, "prepared", "8.4.1"),
        ({"can_work": False}, "position", "13.1"),
        ({"counter": True}, "prepared", "8.4"),
        ({"counter": True}, "position", ""),
        ({"counter": False}, "prepared", ""),
        ({"attached": False}, "move", ""),
        ({"attached": True}, "move", "6.4.1"),
    ],
)
def test_what_forbids_a_forced_march(values: dict[str, Any], purpose: Any, rule: str) -> None:
    case = march(purpose=purpose, **values)
    assert [bar.rule for bar in list_bars(case.bars_of_unit, case.bars_of_asset)] == [rule] * bool(rule)


@pytest.mark.rule("8.3.1")
@pytest.mark.parametrize(
    ("status", "purpose", "spent", "rules"),
    [
        ("", "move", False, []),
        ("prepared=41.18", "prepared", False, []),
        ("prepared=41.18", "move", False, ["8.4"]),
        ("prepared=41.18", "move", True, []),
        ("half", "prepared", False, ["8.2.5"]),
        ("entrained", "move", False, ["8.3.1"]),
        ("\nphase=attack\nphasing=russian", "move", True, ["2.2"]),
        ("half\nphase=attack\nphasing=russian", "move", False, ["8.2.5", "2.2"]),
    ],
)
def test_what_binds_a_unit_before_it_marches(status: str, purpose: Any, spent: bool, rules: list[str]) -> None:
    view = viewed(f"turn=1\n41.19: russian infantry XX A {status}")
    with view.gather() as facts:
        bound = [*list_march_bounds(facts, view.unit("A"), purpose, spent=spent)]
    assert [bar.rule for bar in bound] == rules


@pytest.mark.rule("8.3", "8.3b", "8.3.1", "8.4.1", "13.1", "6.4.1a")
@pytest.mark.parametrize(
    ("unit", "marches", "works"),
    [
        ("infantry XX A", True, True),
        ("infantry XX A cel=-4", True, False),
        ("infantry XX A D1", True, False),
        ("cavalry XX A", True, False),
        *((f"{arm} - A", False, False) for arm in ("artillery", "fortress", "fort", "corps-train")),
        *((f"{arm} - A", False, False) for arm in ("minor-depot", "major-depot", "dummy")),
    ],
)
def test_who_marches_and_works_beyond_its_allowance(unit: str, marches: bool, works: bool) -> None:
    view = viewed(f"turn=1\n41.19: russian {unit}")
    case = ForcedMarch(view=view, unit=view.unit("A"))
    assert (case.marches, case.can_work) == (marches, works)


@pytest.mark.rule("8.3")
@pytest.mark.parametrize(("points", "long"), [(0, False), (1, True)])
def test_an_arm_that_is_not_stated_adds_no_points(points: int, long: bool) -> None:
    assert march(points=points, arm="").too_long is long


@pytest.mark.rule("8.3.1", "8.3", "8.3b", "8.4", "8.4.1", "13.1")
@pytest.mark.parametrize(
    ("values", "purpose", "points", "said"),
    [
        ({}, "move", 3, ""),
        ({}, "move", 4, "4 points beyond the allowance exceed the limit of 3 for infantry"),
        ({"arm": "cavalry"}, "move", 6, ""),
        ({"arm": "cavalry"}, "move", 7, "7 points beyond the allowance exceed the limit of 6 for cavalry"),
        ({"arm": "cavalry", "khan": "slowed"}, "move", 3, ""),
        *(({"arm": "cavalry", "khan": "slowed"}, "move", points, f"{points} {BY_KHAN}") for points in (4, 6)),
        (
            {"arm": "cavalry", "khan": "slowed"},
            "move",
            7,
            "7 points beyond the allowance exceed the limit of 3 for cavalry",
        ),
        ({"arm": "cavalry", "khan": "free"}, "move", 6, ""),
        ({"arm": "dummy"}, "move", 1, "dummy makes no Forced March"),
        *(({"arm": arm}, "move", 1, f"{arm} makes no Forced March") for arm in ("artillery", "fortress", "fort")),
        *(
            ({"arm": arm}, "move", 1, "a supply unit makes no Forced March")
            for arm in ("corps-train", "minor-depot", "major-depot")
        ),
        ({"arm": "cavalry"}, "position", 1, "only infantry that is not Demoralized may do that"),
        ({"can_work": False}, "position", 1, "only infantry that is not Demoralized may do that"),
        ({"can_work": False}, "move", 1, ""),
        ({}, "recovery", 1, "no Forced March for CEL Recovery"),
        ({"spent": {"disorder": 1}}, "recovery", 1, RESTS),
        ({"bound": [step("8.4", "marked")], "spent": {"disorder": 1}}, "move", 1, "marked"),
        ({"bound": [step("2.2", "later")], "spent": {"disorder": 1}}, "move", 1, "later"),
    ],
)
def test_the_first_rule_against_a_forced_march(values: dict[str, Any], purpose: Any, points: int, said: str) -> None:
    case = march(purpose=purpose, points=points, **values)
    bars = list_bars(case.bars_of_unit, case.bars_of_length)
    assert (bars[0].text if bars else "") == said


@pytest.mark.parametrize(
    ("chances", "all_pass"),
    [([], None), ([None], None), (["1/2"], "1/2"), (["1/2", "1/3"], "1/6"), (["1/2", None], None), (["0", "1/2"], "0")],
)
def test_the_chance_that_all_pass_is_known_if_that_of_each_is(chances: list[str | None], all_pass: str | None) -> None:
    known = chance_that_all_pass(None if chance is None else Fraction(chance) for chance in chances)
    assert known == (None if all_pass is None else Fraction(all_pass))

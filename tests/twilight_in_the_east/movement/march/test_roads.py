"""Road Movement: what friends in the way cost, and who has no use of a road (8.1.4)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from twilight_in_the_east.ground.costs import congestion

from ....conftest import answered, told, typed
from ...ground.test_costs import CHART


@pytest.mark.rule("8.1.4a")
@pytest.mark.parametrize(
    ("arm", "size", "reduced", "points"),
    [
        ("infantry", "XX", False, 1),
        ("infantry", "XX", True, Fraction(1, 2)),
        ("infantry", "X", False, Fraction(1, 2)),
        ("infantry", "X", True, Fraction(1, 2)),
        ("infantry", "III", False, 0),
        ("infantry", "II", False, 0),
        ("cavalry", "XX", False, Fraction(1, 2)),
        ("cavalry", "X", True, Fraction(1, 2)),
        ("cavalry", "III", False, Fraction(1, 2)),
        ("artillery", "-", False, Fraction(1, 2)),
        ("corps-train", "-", False, Fraction(1, 2)),
        ("minor-depot", "-", False, Fraction(1, 2)),
        ("major-depot", "-", False, Fraction(1, 2)),
        ("fortress", "-", False, 0),
        ("fort", "-", False, 0),
    ],
)
def test_what_each_friend_costs(arm: str, size: str, reduced: bool, points: Fraction | int) -> None:
    assert congestion([(arm, size, reduced)]) == points
    assert congestion([(arm, size, reduced)] * 2) == 2 * points


@pytest.mark.rule("8.1.4a")
def test_the_example_of_8_1_4a() -> None:
    """A cavalry division, an infantry brigade, an infantry regiment and an artillery unit: 1 1/2."""
    units = [("cavalry", "XX"), ("infantry", "X"), ("infantry", "III"), ("artillery", "-")]
    assert congestion((arm, size, False) for arm, size in units) == Fraction(3, 2)


ROAD = """turn=5 phase=movement phasing=russian
47.23: 25/3 movement=7, russian infantry III R movement=7
47.22: 27/3 (10-12-5-10), russian cavalry XX Cv, russian infantry X Br
47.23|47.22 {road}
"""
DEARER = "by road, 47.22 costs 2 more Movement Points for the friendly units in it: include that in ground="
TOGETHER = "units that move together do not use Road Movement: a road spares them no terrain costs"


@pytest.mark.rule("8.1.4a")
@pytest.mark.parametrize(
    ("road", "units", "said"),
    [
        ("primary-road", ["25/3"], DEARER),
        ("rail1", ["25/3"], DEARER),
        ("open", ["25/3"], DEARER),
        ("no-road no-rail", ["25/3"], ""),
        ("primary-road", ["25/3", "R"], TOGETHER),
        ("no-road no-rail", ["25/3", "R"], ""),
    ],
)
def test_a_move_is_told_what_its_ground_has_to_hold(road: str, units: list[str], said: str) -> None:
    found = answered(typed(ROAD.format(road=road)), "ezoc", units=units, way=["47.22"], ground=[0.5])
    steps = [line for line in told(found, "Assumed") if "road" in line.lower()]
    assert steps == ([said] if said else [])


def test_a_move_names_what_its_ground_is_made_of() -> None:
    """The road, the bridge and the friend in the way, each with its points, in words and in the data."""
    text = f"""{CHART}turn=5 phase=movement phasing=russian
47.22 rough
47.23|47.22 primary-road minor-river
47.23: 25/3 movement=7, russian infantry III R movement=7
47.22: russian cavalry XX Cv movement=7, russian infantry III I movement=7
"""
    report = answered(typed(text), "move", units="25/3", way="47.22")
    assert told(report, "Way") == ["47.22: 2 1/2 by road (primary road 1 1/2, bridge 1/2, Cv 1/2)"]
    (entered,) = report.result.entered
    assert [paid.what for paid in entered.made_of] == ["primary-road", "bridge", "Cv"]
    assert sum(paid.points for paid in entered.made_of) == entered.ground
    report = answered(typed(text), "move", units="25/3,R", way="47.22")
    assert told(report, "Way") == ["47.22: 3 1/2 for the ground (rough 3, bridge 1/2)"]
    unsaid = text.replace("primary-road minor-river", "road").replace("russian cavalry XX Cv movement=7, ", "")
    report = answered(typed(unsaid), "move", units="25/3", way="47.22")
    assert told(report, "Way") == ["47.22: 2 by road"], "of a road whose kind is not known, nothing more"
    report = answered(typed(text), "move", units="25/3", way="47.22", ground="2")
    assert told(report, "Way") == ["47.22: 2 as given"]

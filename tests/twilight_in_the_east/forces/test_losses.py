"""Victory Points for divisions and supply units that are gone (27.2)."""

from __future__ import annotations

import msgspec
import pytest

from assistant.questions.report import Report
from assistant.state.changes import Change
from twilight_in_the_east.forces.losses import for_divisions, for_supply, for_unit, victory_points_part

from ...conftest import answered, told, typed, viewed
from ..combat.test_strength import division

AROUND = ("40.19", "40.21", "39.20", "39.19", "41.20", "41.19")
"""The hexes around 40.20."""


@pytest.mark.rule("27.2.5", "27.2.6")
@pytest.mark.parametrize(
    ("arm", "size", "formation", "points"),
    [
        ("infantry", "XX", True, 4),
        ("cavalry", "XX", True, 2),
        ("infantry", "X", True, 0),
        ("infantry", "XX", False, 0),
        ("cavalry", "X", True, 0),
        ("artillery", "III", False, 0),
        ("fortress", "XX", True, 0),
        ("major-depot", "-", True, 4),
        ("minor-depot", "-", True, 2),
        ("corps-train", "-", False, 2),
    ],
)
def test_what_a_unit_that_is_gone_earns(arm: str, size: str, formation: bool, points: int) -> None:
    assert for_unit(arm, size, formation=formation) == points


@pytest.mark.rule("27.2.5", "27.2.6")
def test_what_several_earn() -> None:
    foot, horse = division("A"), msgspec.structs.replace(division("C"), arm="cavalry")
    assert for_divisions([foot, horse, foot, msgspec.structs.replace(foot, formation=False)]) == 10
    assert for_divisions([division("B", size="X")]) == 0
    assert (for_supply(["major-depot", "minor-depot", "artillery"]), for_supply([])) == (6, 0)


@pytest.mark.rule("27.2.5")
def test_the_points_of_each_side_are_told_apart() -> None:
    view = viewed("40.20: 25/3, 27/3\n40.21: german infantry XX G, german infantry III small, german corps-train - T")
    gone = [Change("place", name, "40.20", None, "11.1") for name in ("25/3", "27/3", "G", "small", "T")]
    assert [one.text for one in victory_points_part(view, gone).steps] == [
        "the enemy scores 8 Victory Points for 25/3, 27/3",
        "the enemy scores 6 Victory Points for G, T",
    ]
    assert victory_points_part(view, [Change("place", "25/3", "40.20", "40.21", "11.1")]).steps == ()


def points(report: Report[object]) -> list[str]:
    return told(report, "Victory Points")


@pytest.mark.rule("27.2.5")
def test_a_division_that_a_march_or_a_retreat_ends_earns_them() -> None:
    march = "turn=5\naccept reconstruction\n40.20: russian infantry XX R (1-1-0-5) movement=6 cel=-4"
    lost = answered(typed(march), "forced-march", unit="R", points=3, answers={"ec": 12})
    assert (lost.result.lost_steps, points(lost)) == (1, ["the enemy scores 4 Victory Points for R"])
    shut = "".join(f"{hex}: german infantry XX G{number}\n" for number, hex in enumerate(AROUND))
    text = f"turn=5\n{shut}40.20: russian infantry XX R (5-5-0-9)"
    stuck = answered(typed(text), "retreat", at="40.20", hexes=2, cause="crt")
    assert (stuck.result.surrenders, points(stuck)) == (True, ["the enemy scores 4 Victory Points for R"])


@pytest.mark.rule("27.2.6")
def test_a_train_or_a_depot_without_refuge_earns_them_and_praga_off_the_map_does_not() -> None:
    shut = "".join(f"{hex}: german infantry XX G{number}\n" for number, hex in enumerate(AROUND))
    lost = answered(typed(f"turn=5\n{shut}40.20: russian corps-train - T"), "displace", unit="T")
    assert (lost.result.eliminated, points(lost)) == (True, ["the enemy scores 2 Victory Points for T"])
    praga = 'turn=5\n60.46: russian major-depot - "PRAGA (Tannenberg)"\n60.47: german cavalry XX G'
    off = answered(typed(praga), "displace", unit="PRAGA (Tannenberg)")
    assert (off.result.removed, points(off)) == (True, [])

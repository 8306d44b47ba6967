"""Victory Points for divisions and supply units that are gone (27.2)."""

from __future__ import annotations

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.asking.view import changed
from assistant.state.changes import Gain
from twilight_in_the_east.entering.arrival import March
from twilight_in_the_east.entering.consequences import find_consequences, follows_changes
from twilight_in_the_east.forces.departures import depart
from twilight_in_the_east.scoring.points import score_divisions, score_unit

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
    assert score_unit(arm, size, formation=formation) == points


@pytest.mark.rule("27.2.5")
def test_what_several_earn() -> None:
    foot, horse = division("A"), msgspec.structs.replace(division("C"), arm="cavalry")
    assert score_divisions([foot, horse, foot, msgspec.structs.replace(foot, formation=False)]) == 10
    assert score_divisions([division("B", size="X")]) == 0


@pytest.mark.rule("27.1", "27.2.5", "27.2.6")
def test_the_points_of_each_side_and_source_are_told_apart() -> None:
    view = viewed(
        "40.20: 25/3, 27/3\n40.21: german infantry XX G, german infantry III small, german corps-train - T, german infantry XX asset A, german major-depot - D"
    )
    gone = find_consequences(view, [March((name,)) for name in ("25/3", "27/3", "G", "small", "T", "A", "D")])
    assert [step.text for step in gone.parts(view)[0].steps] == [
        "Central Powers: 8 Victory Points for 25/3, 27/3 eliminated",
        "Russian: 4 Victory Points for G eliminated",
        "Russian: 6 Victory Points for T, D destroyed",
    ]
    assert [change for change in gone.changes if isinstance(change, Gain)] == [
        Gain("vp-divisions", "central-powers", 8, "27.2.5"),
        Gain("vp-divisions", "russian", 4, "27.2.5"),
        Gain("vp-supply-units", "russian", 6, "27.2.6"),
    ]


@pytest.mark.rule("27.1", "27.2.5", "27.2.6")
def test_who_moves_departs_or_is_gone_already_brings_nothing() -> None:
    view = viewed("40.20: russian infantry XX R")
    assert find_consequences(view, [March(("R",), ("40.21",))]).awards == ()
    assert find_consequences(view, [March(("R",), departs=True)]).awards == ()
    assert len(find_consequences(view, [March(("R",)), March(("R",))]).awards) == 1
    assert follows_changes(view, depart(view, ["R"], "withdrawn")).awards == ()
    assert len(follows_changes(view, [changed(view, "place", "R", None, "11.1")]).awards) == 1


def points(report: Report[object]) -> list[str]:
    return told(report, "Victory Points")


@pytest.mark.rule("27.2.5")
def test_a_division_that_a_march_or_a_retreat_ends_earns_them() -> None:
    march = "turn=5\ntrust charts\n40.20: russian infantry XX R (1-1-0-5) movement=6 cel=-4"
    lost = answered(typed(march), "forced-march", unit="R", points=3, answers={"ec": 12})
    assert (lost.result.lost_steps, points(lost)) == (1, ["Central Powers: 4 Victory Points for R eliminated"])
    shut = "".join(f"{hex}: german infantry XX G{number}\n" for number, hex in enumerate(AROUND))
    text = f"turn=5\n{shut}40.20: russian infantry XX R (5-5-0-9)"
    stuck = answered(typed(text), "retreat", at="40.20", hexes=2, cause="crt")
    assert (stuck.result.surrenders, points(stuck)) == (True, ["Central Powers: 4 Victory Points for R eliminated"])


@pytest.mark.rule("27.2.6")
def test_a_train_or_a_depot_without_refuge_earns_them_and_praga_off_the_map_does_not() -> None:
    shut = "".join(f"{hex}: german infantry XX G{number}\n" for number, hex in enumerate(AROUND))
    lost = answered(typed(f"turn=5\n{shut}40.20: russian corps-train - T"), "displace", unit="T")
    assert (lost.result.eliminated, points(lost)) == (True, ["Central Powers: 2 Victory Points for T destroyed"])
    praga = 'turn=5\n60.46: russian major-depot - "PRAGA (Tannenberg)"\n60.47: german cavalry XX G'
    off = answered(typed(praga), "displace", unit="PRAGA (Tannenberg)")
    assert (off.result.removed, points(off)) == (True, [])

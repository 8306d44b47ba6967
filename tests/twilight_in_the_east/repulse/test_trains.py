"""A Corps Train retreats with its stack, whichever question is asked (8.5.3, 11.2.1)."""

from __future__ import annotations

import pytest

from ...conftest import answered, typed
from ..results.test_retreats import G1, fought

STACK = """trust charts
turn=5 phase=movement phasing=central-powers weather=normal
elsewhere clear open
40.20: german infantry XX A (12-12-0-11) movement=7 army=Eighth corps=17
40.21: russian infantry III Z (2-2-0-9) asset army=First with=none, russian corps-train - T army=First corps=3 range=3
40.21: russian artillery - G (4-?-4-9) army=First, russian minor-depot - D army=First
"""


@pytest.mark.rule("8.5.3", "11.2.1")
@pytest.mark.parametrize("entrained", [False, True])
def test_repulse_and_retreat_name_the_same_units(entrained: bool) -> None:
    """A Train in Rail Mode stays."""
    position = typed(STACK + ("T entrained" if entrained else ""))
    pushed = answered(position, "repulse", answers={"ec.40.21": "5"}, units="A", at="40.21", flanked="yes")
    owing = {change.subject for change in pushed.changes if change.track == "owes"}
    assert owing == ({"Z", "G"} if entrained else {"Z", "T", "G"})
    report = answered(position.after(pushed.changes), "retreat", at="40.21", way="40.22,40.23")
    assert {*report.result.units} == owing
    assert {change.subject: change.after for change in report.changes if change.track == "place"} == dict.fromkeys(
        sorted(owing), "40.23"
    )


@pytest.mark.rule("11.2.1")
@pytest.mark.parametrize("train", ["german corps-train - T corps=1 range=4", '"German 1 Train"'])
def test_in_a_battle_the_train_goes_where_its_stack_goes(train: str) -> None:
    report = fought("- / W2", stack=f"{G1}, {train}", more="retreat.41.19=41.18,41.17 advance=none")
    assert {change.after for change in report.changes if change.track == "place"} == {"41.17"}
    assert [len(retreat.trains) for retreat in report.result.outcome.retreats] == [1]
    assert report.result.outcome.displaced == ()


@pytest.mark.rule("8.2.4", "11.2.1")
def test_in_a_battle_a_train_in_rail_mode_stays() -> None:
    stack = f"{G1}, german corps-train - T corps=1 range=4 entrained"
    report = fought("- / W2", stack=stack, more="retreat.41.19=41.18,41.17 advance=none")
    assert {change.subject for change in report.changes if change.track == "place"} == {"G1"}
    assert [retreat.trains for retreat in report.result.outcome.retreats] == [()]


@pytest.mark.rule("11.2.1")
def test_a_train_stays_with_units_that_stay() -> None:
    """The check makes one of two divisions retreat."""
    two = f"{G1}, {G1.replace('G1', 'G2').replace('-11)', '-5)')}, german corps-train - T corps=1 range=4"
    report = fought("- / -", stack=two, check=11, more="onward.41.19.1=41.18")
    moved = {change.subject for change in report.changes if change.track == "place"}
    assert moved == {"G2"}

"""Cavalry from outside its corps that a Corps Train serves."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report

from ...conftest import answered, told, typed

LINE = """
40.23: "3 Train" range=5 extended-range=7 army=First
40.20: russian cavalry XX A army=First{named}
{others}
line "3 Train": 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough
"""


def supplied(*others: str, named: str = "", unit: str = "A", **more: Any) -> Report[Any]:
    """A's supply by the 3 Train, with other units in the position: each its hex, and the unit in full."""
    text = LINE.format(others="\n".join(others), named=named)
    return answered(typed(text), "supply", **{"unit": unit, "line": "3 Train", **more})


def rider(name: str, on: str = "", hex: str = "40.24", army: str = "First", more: str = "") -> str:
    return f"{hex}: russian cavalry XX {name} army={army}" + (f' draws-on="{on}"' if on else "") + more


HERE = "3 Train"


@pytest.mark.rule("14.3.1")
def test_the_third_cavalry_formation_from_outside_its_corps_is_not_supplied_by_a_train() -> None:
    assert supplied(rider("B", HERE)).result.state == "in"
    third = supplied(rider("B", HERE), rider("C", HERE, "40.25"))
    assert (third.verdict.kind, third.result.state) == ("undecided", None), "another line may supply it"
    (tried,) = third.result.tried
    assert tried.why_not == "it serves B and C, and may serve no more than two from outside its corps (14.3.1)"


@pytest.mark.rule("14.3.1")
def test_of_three_that_may_draw_on_it_the_one_that_is_asked_about_is_taken_to_be_one_of_two() -> None:
    alone = supplied(rider("B"), rider("C", hex="40.25"))
    assert (alone.result.state, alone.asks) == ("in", ())
    text = (
        "A is one of the two formations from outside its corps that 3 Train serves, beside B, C (to name it: draws-on)"
    )
    assert text in told(alone, "Assumed")
    named = supplied(rider("B"), rider("C", hex="40.25"), named=' draws-on="3 Train"')
    assert (named.result.state, text in told(named)) == ("in", False)
    elsewhere = supplied(named=' draws-on="4 Train"')
    assert elsewhere.result.tried[0].why_not == "A draws on 4 Train (14.3.1)"


@pytest.mark.rule("14.3.1")
def test_of_three_that_are_named_each_may_be_one_of_the_two() -> None:
    """Naming one too many cuts off none of them: the surplus is told."""
    text = '40.30: "3 Train" range=9 extended-range=9 army=First\n'
    text += "4030=4029:4028:4027:4026:4025:4024:4023:4022\nside russian whole-network\n"
    text += "".join(rider(name, HERE, "40.22") + "\n" for name in "ABC")
    one = answered(typed(text), "supply", unit="A")
    surplus = "A, B, C are named to draw on 3 Train, but no more than two may"
    assert (one.result.state, [step.text for step in one.cautions]) == ("in", [surplus])
    whole = answered(typed(text), "supply", side="russian")
    states = sorted(unit.could.state for unit in whole.result.sides[0].units)
    assert states == ["in", "in", "in", "out"], "the train and two of the three"
    assert surplus in str(whole)
    unnamed = answered(typed(text.replace(' draws-on="3 Train"', "", 1)), "supply", side="russian")
    (cut_off,) = [unit for unit in unnamed.result.sides[0].units if unit.could.state == "out"]
    assert cut_off.unit == "A", "B and C, which are named, have the two places"


@pytest.mark.rule("14.3.1", "6.3.3b")
@pytest.mark.parametrize(
    "other",
    [
        pytest.param(rider("C", army="Second", hex="40.25"), id="of another army"),
        pytest.param(rider("C", "4 Train", "40.25"), id="drawing on another train"),
        pytest.param(rider("C", hex="40.25", more=" corps=3"), id="of its corps"),
        pytest.param(rider("C", hex="40.55"), id="farther away than any line reaches"),
        pytest.param("40.25: russian cavalry II C army=First", id="an Asset Unit"),
        pytest.param("40.25: russian infantry XX C army=First", id="infantry"),
        pytest.param("30.25: austro-hungarian cavalry XX C army=First", id="the enemy's"),
    ],
)
def test_who_is_not_a_guest_takes_no_place(other: str) -> None:
    assert supplied(rider("B"), other).result.state == "in"


@pytest.mark.rule("14.3.1", "14.3.1b")
def test_the_train_of_a_cavalry_corps_serves_any_number_of_its_own() -> None:
    own = [rider(name, hex=f"40.2{n}", more=' corps="1 C"') for n, name in enumerate("BCD", 4)]
    text = LINE.replace('"3 Train"', '"1 C Train"').replace("40.23: ", "40.23: russian corps-train - ")
    text = text.format(named=' corps="1 C"', others="\n".join(own)).replace("range=5", 'corps="1 C" range=5')
    assert answered(typed(text), "supply", unit="A").result.state == "in"


OVER_MAP = """board sample
trust counters
turn=5
{}: russian cavalry XX A army=Second{}
66.36: "Russian 1 Train" army=Second
65.37: "Russian SECOND Major Depot" range=3 extended-range=3 army=Second
67.36: russian cavalry XX B army=Second
67.37: russian cavalry XX C army=Second
"""


@pytest.mark.rule("14.3.1")
@pytest.mark.parametrize(
    ("hex", "named", "source"),
    [
        pytest.param("65.34", "", "Russian SECOND Major Depot", id="a depot supplies it as well"),
        pytest.param("67.32", "", "Russian 1 Train", id="the train alone reaches it"),
        pytest.param("67.32", ' draws-on="Russian 1 Train"', "Russian 1 Train", id="it is one of the two"),
    ],
)
def test_over_a_map_a_unit_has_what_serves_it_best(hex: str, named: str, source: str) -> None:
    report = answered(typed(OVER_MAP.format(hex, named)), "supply", unit="A")
    assert report.result.source == source
    text = "A is one of the two formations from outside its corps that Russian 1 Train serves, beside B, C"
    assert any(step.startswith(text) for step in told(report)) is (source == "Russian 1 Train" and not named)

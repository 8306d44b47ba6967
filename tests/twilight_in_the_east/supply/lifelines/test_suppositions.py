"""What is supposed of a position, and which RR hexes wait for RR Engineers once the enemy has left them (17.1.2,
17.1.4); in words what becomes of units.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from assistant.asking.view import View
from assistant.state.state import GameState
from assistant.util.errors import InputError
from twilight_in_the_east.supply.lifelines.report import PassingUnit, SideLifelines, SupplyHeld, through_verdict
from twilight_in_the_east.supply.lifelines.suppositions import (
    Supposed,
    Suppositions,
    supposes_enemy,
    take_off_map,
    vacated_hexes,
)

from ....conftest import answered, typed, viewed
from ...supply_phase.test_question import DIVISION, HEAD, RING, TRAIN

HELD = """41.19: russian infantry XX R
43.19: russian infantry XX S
45.19: german infantry XX G
"Bukowina Holding Box": russian infantry XX B
41.19|41.20 {rail}
45.19|45.20 rail1
43.19|43.20 no-rail
"""


def waiting(
    more: str = "", gone: Iterable[str] = ("R", "S", "G", "B"), rail: str = "rail1", supposed: str = ""
) -> tuple[str, ...]:
    """The hexes that wait for the Germans' engineers once some units have gone. supposed: for whom 41.19 is said to be operational
    then."""
    view = viewed(HELD.format(rail=rail) + more)
    after = take_off_map(view.state, gone)
    if supposed:
        return vacated_hexes(view, said(view, after, f"41.19 operational={supposed}"), "central-powers")
    return vacated_hexes(view, Supposed(after), "central-powers")


def said(view: View, state: GameState, text: str) -> Supposed:
    """What is supposed of a state."""
    return Suppositions(view.game, "central-powers", enemy_has_zone=False).suppose(state, text)


@pytest.mark.rule("17.1.2", "17.1.4")
@pytest.mark.parametrize("rail", ["rail1", "rail2"])
def test_a_railway_hex_that_the_enemy_has_left_waits(rail: str) -> None:
    """None that he still holds, where nothing leads along a line, or that their own units have left."""
    assert waiting(rail=rail) == ("41.19",)
    assert waiting(gone=("S", "G", "B"), rail=rail) == ()
    assert waiting(rail="no-rail") == ()


@pytest.mark.rule("17.1.2", "17.1.4")
def test_it_does_not_wait_where_the_line_is_said_to_be_operational_for_either_side() -> None:
    assert waiting(supposed="central-powers") == ()
    assert waiting("41.19 operational=central-powers\n") == ("41.19",), "that was so before the enemy came"
    assert waiting("41.19 operational=central-powers\n", supposed="central-powers") == (), "it is theirs again"
    assert waiting("41.19 operational=russian\n") == (), "it is no RR hex of theirs anyway"


def test_only_what_a_supposition_states_itself_is_supposed() -> None:
    """Not what the position states, of that hex or another, nor what is said of the units there."""
    view = viewed(HELD.format(rail="rail1") + "41.19 operational=central-powers\n45.19 operational=russian\n")
    for text, hexes in (
        ("41.19 operational=central-powers", {"41.19"}),
        ("41.19 operational=none; 43.19 operational=russian", {"41.19", "43.19"}),
        ("41.19 control=russian; off R; 45.20 enemy", set()),
    ):
        assert said(view, view.state, text).operational_stated == hexes


def test_who_is_better_off_with_an_enemy_in_a_hex_is_not_counted_as_worse_off() -> None:
    """As one whose rival for a place with a train is lost there."""
    low, full = SupplyHeld(state="low"), SupplyHeld(state="in")
    units = (
        PassingUnit(unit="A", place="41.19", by="line", before=low, after=full),
        PassingUnit(unit="B", place="41.20", by="line", before=full, after=low),
        PassingUnit(unit="C", place="41.21", by="line", before=full, after=full),
    )
    said = through_verdict("42.19", [SideLifelines(side="russian", units=3, through=units)])
    assert said.text == "the supply of 3 units passes through 42.19; with an enemy there 1 would be worse off"


CUT_OFF = f"{HEAD}{TRAIN.format('65.37', '')}{DIVISION.format('68.35', '')}{RING}"
"""1/1 is Isolated by the zones of four German divisions."""


@pytest.mark.parametrize("hex", ["68.36", "66.35"])
def test_an_enemy_where_one_stands_changes_nothing(hex: str) -> None:
    """Who stands there keeps his zone of control, be the other one without."""
    report = answered(typed(CUT_OFF), "lifelines", side="russian", **{"if": f"{hex} enemy"})
    assert report.verdict.text == "no unit is better or worse off"


@pytest.mark.parametrize(
    ("text", "enters"), [("64.38 enemy", True), ("off A; 64.38  Enemy", True), ("off enemy train", False)]
)
def test_only_an_enemy_who_enters_a_hex_is_supposed(text: str, enters: bool) -> None:
    assert supposes_enemy(text) is enters


def test_who_is_not_on_the_map_does_not_leave_it() -> None:
    with pytest.raises(InputError, match=r"if: g66\.35 is not on the map"):
        answered(typed(CUT_OFF), "lifelines", side="russian", **{"if": "off g66.35; off g66.35"})

"""Which RR hexes wait for RR Engineers once the enemy has left them (17.1.2, 17.1.4)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from twilight_in_the_east.supply.lifelines.report import PassingUnit, SideLifelines, SupplyHeld, through_verdict
from twilight_in_the_east.supply.lifelines.supposing import off_the_map, stating, vacated

from ....conftest import viewed

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
    after = off_the_map(view.state, gone)
    if supposed:
        after = stating(view.game, after, {("operational", "41.19"): supposed})
    return vacated(view, after, "central-powers")


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
    assert waiting("41.19 operational=central-powers\n", supposed="central-powers") == ("41.19",)
    assert waiting("41.19 operational=russian\n") == (), "it is no RR hex of theirs anyway"


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

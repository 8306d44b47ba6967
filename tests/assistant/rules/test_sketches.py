"""The sketches of ways, moves within reach and combats that questions declare."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.asking import Report, verdict
from assistant.asking.sketch import Arrow, ArrowKind, Remark, Role, Spot, sketch_of
from assistant.rules.field.movement import HexWithinReach, Reach
from assistant.rules.field.ways import HexOption
from assistant.rules.sketches import (
    CombatPicture,
    draw_zones,
    of_combat,
    of_reach,
    of_way,
    option_spots,
)
from twilight_in_the_east.ground.hexsides import field

from ...conftest import viewed

POSITION = "40.20: 25/3 (10-?-5-10)\n41.19: 1/1 (12-16-7-11)\n"


def report(*hexes: str) -> Report[Any]:
    return Report(title="From here to there", verdict=verdict("yes", "it is near"), result=hexes)


def test_the_hexes_of_a_way_show_the_range_of_what_they_cost() -> None:
    """Where the answer is one over a range, as the text gives it; the strongest end may bar the way, or have no result."""

    def labels(weakest: Any, strongest: Any) -> list[str]:
        over = replace(report(), result=None, between=(weakest, strongest))
        drawn = of_way(lambda costs: ("41.19", *costs), labels=lambda costs: costs)(viewed(POSITION), over)
        return [spot.label for spot in drawn.spots[1:]]

    cheap = {"41.20": "2", "41.21": "4"}
    assert labels(cheap, {"41.20": "2", "41.21": "5"}) == ["2", "4 to 5"]
    assert labels(cheap, {"41.20": "3"}) == ["2 to 3", "4"]
    assert labels(cheap, None) == labels(None, cheap) == ["2", "4"]


@pytest.mark.rule("4.1")
@pytest.mark.parametrize("together", [False, True])
def test_where_units_can_move_is_shown_with_the_points_left_in_each_hex_and_with_the_zones_of_the_enemy(
    together: bool,
) -> None:
    view = viewed(POSITION)
    near = HexWithinReach(hex="40.21", cost=3, way=("40.21",), left=Fraction(3, 2))
    own = Reach(
        unit="25/3",
        at="40.20",
        allowance=4,
        hexes=(near, HexWithinReach(hex="40.22", cost=5, way=("40.21", "40.22"), left=Fraction(0))),
    )
    others = Reach(
        unit="27/3",
        at="38.20",
        allowance=4,
        hexes=(HexWithinReach(hex="38.21", cost=2, way=("38.21",), left=Fraction(2)),),
    )
    every = (own, others) if together else (own,)
    barred = HexOption("39.20", "4.2b", "enemies stand there")
    hexes = tuple(reached for reach in every for reached in reach.hexes)
    shown = replace(own, hexes=hexes, barred=(barred,), unknown=("39.19",))
    found = replace(report(), result=shown)
    key: dict[Role | ArrowKind, str] = {"beyond": "by Forced March", "reached": "by one unit at least"}
    draw = of_reach(field, lambda reach: every, lambda reach: key)
    arrows = [("40.20", "40.21"), ("40.21", "40.22"), *([("38.20", "38.21")] if together else [])]
    zones = draw_zones(view, field, ("central-powers",))
    assert [(zone.side, zone.hexes) for zone in zones] == [
        ("central-powers", frozenset(view.board.neighbours("41.19")))
    ]
    assert draw(view, found) == sketch_of(
        view,
        found,
        side="russian",
        spots=(
            *(Spot(hex=reach.at, role="start") for reach in every),
            Spot(hex="40.21", role="reached", label="1.5"),
            Spot(hex="40.22", role="reached", label="0"),
            *([Spot(hex="38.21", role="reached", label="2")] if together else []),
            *option_spots((barred,)),
            Spot(hex="39.19", role="unknown"),
        ),
        arrows=tuple(Arrow(hexes=hexes, kind="onward", side="russian") for hexes in arrows),
        words={"onward": "the cheapest way", **key},
        zones=zones,
    )


@pytest.mark.rule("4.1")
def test_a_unit_that_enters_the_map_comes_from_no_hex() -> None:
    first, then = (
        HexWithinReach(hex="40.21", cost=1, way=("40.21",)),
        HexWithinReach(hex="40.22", cost=2, way=("40.21", "40.22")),
    )
    entering = replace(report(), result=Reach(unit="25/3", at="", allowance=4, hexes=(first, then)))
    sketch = of_reach(field)(viewed(POSITION), entering)
    assert [spot.hex for spot in sketch.spots] == ["40.21", "40.22"]
    assert ([arrow.hexes for arrow in sketch.arrows], sketch.focus) == ([("40.21", "40.22")], ())
    view = viewed(f'{POSITION}27/3 arrives=8\n"Bukowina Holding Box": austro-hungarian infantry XX U\n')
    nowhere = replace(report(), result=Reach(unit="27/3", at="", allowance=4))
    assert of_reach(field)(view, nowhere).focus == ("40.20", "41.19")


def test_a_combat_has_an_arrow_from_each_attacking_hex_and_its_target_marked() -> None:
    view = viewed(POSITION)
    river = Remark(where="40.20|41.19", text="-1: river")
    fight = CombatPicture(
        attack={"40.20": "attack 12"},
        defence={"41.19": "defence 23"},
        side="russian",
        causes=[river],
        held=["41.18"],
        sum=[("25/3", "12"), ("attack", "12"), ("column", "1:2")],
        totals=["attack", "column"],
        owed=["attack 41.20 too"],
    )
    sketch = of_combat(lambda view, report: fight)(view, report("41.19", "40.20"))
    assert sketch.remarks == (river, Remark(where="41.18", text="counts against the defender"))
    assert sketch.zones[0].hexes == {"41.18"}
    assert sketch.tables[0].totals == {1, 2}
    assert sketch.owed[-1] == "attack 41.20 too"
    assert sketch.arrows == (Arrow(hexes=("40.20", "41.19"), kind="attack", side="russian"),)
    assert sketch.spots == (
        Spot(hex="41.19", role="target", label="defence 23"),
        Spot(hex="40.20", role="start", label="attack 12"),
    )


def test_zones_are_left_out_where_friends_cancel_them() -> None:
    view = viewed(POSITION)
    (whole,) = draw_zones(view, field, ["russian"])
    (rest,) = draw_zones(view, field, ["russian"], friends="central-powers")
    assert whole.hexes - rest.hexes == {"41.19"}
    assert (whole.text, rest.text) == ("", "in a zone of control without a friend: Russian")

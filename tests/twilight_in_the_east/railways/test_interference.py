"""What the enemy does to units in Rail Mode (8.2.3 to 8.2.5)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.railways.interference import (
    StrandedTrain,
    Way,
    arms_beside,
    cut_off_options,
    hexes_along,
    rail_displacements,
    threatened_hexes,
)
from twilight_in_the_east.railways.routes import RailNet, Route, RouteLeg

from ...conftest import viewed
from .test_routes import net

LINE = [f"H{number}" for number in range(1, 21)]
LONG = Route("S", tuple(RouteLeg(hex, 2) for hex in LINE))


def whole(*hexes: str) -> RailNet:
    return net(f"{' '.join(hexes)} rail2 -")


@pytest.mark.rule("8.2.4b")
def test_it_displaces_up_to_fifteen_hexes_past_enemies_but_not_beside_them() -> None:
    everything = whole("S", *LINE)
    ways = rail_displacements(LONG, everything, ())
    assert [way.end for way in ways] == LINE[:15]
    assert ways[2] == Way(("H1", "H2", "H3"))
    assert rail_displacements(None, everything, ()) == ()
    left = whole(*LINE[3:])
    ways = rail_displacements(LONG, left, {"H4", "H2"})
    assert [way.end for way in ways][:2] == ["H5", "H6"]


@pytest.mark.rule("8.2.4b")
def test_it_goes_neither_off_the_map_nor_beyond_where_it_trans_ships() -> None:
    lines = whole("S", "A", "B", "C")
    off = Route("S", (RouteLeg("A", 1), RouteLeg("B", 9, off_map=True), RouteLeg("C", 1)))
    assert [way.end for way in rail_displacements(off, lines, ())] == ["A"]
    change = Route("S", (RouteLeg("A", 1, "broad"), RouteLeg("A", 0, "standard"), RouteLeg("B", 1, "standard")))
    assert [way.end for way in rail_displacements(change, lines, ())] == ["A"]


OLD = Route("S", tuple(RouteLeg(hex, 1) for hex in ("A", "B", "C", "D")))


@pytest.mark.rule("8.2.4c")
def test_a_unit_that_is_cut_off_displaces_if_that_helps() -> None:
    left = net("S A rail2 -", "C D rail2 -")
    found = cut_off_options(left, OLD, "S", "D", stations={"A", "D"})
    assert found.displace == (Way(("A", "B", "C")), Way(("A", "B", "C", "D")))
    beside = cut_off_options(left, OLD, "S", "D", stations={"A"}, threatened={"A", "C"})
    assert [way.end for way in beside.displace] == ["D"]


@pytest.mark.rule("8.2.4c")
def test_otherwise_it_goes_to_a_station_on_the_line_between() -> None:
    left = net("S A B rail2 -", "S X rail2 -")
    found = cut_off_options(left, OLD, "S", "D", stations={"A", "B", "D", "X"})
    assert found == StrandedTrain((), ("A", "B"), "on the line")
    nearest = cut_off_options(left, OLD, "S", "D", stations={"X", "D"})
    assert nearest == StrandedTrain((), ("X",), "nearest")
    blocked = cut_off_options(net("B C rail2 -", "S X rail2 -"), OLD, "S", "D", stations={"A", "B"})
    assert blocked == StrandedTrain((), (), "nearest")
    both_ways = net("S A D rail2 -")
    through = cut_off_options(both_ways, OLD, "S", "D", stations={"A", "D"})
    assert through.stations == ("A",), "not the destination, of whichever gauge the line to it is"


@pytest.mark.rule("8.2.4c")
def test_the_nearest_station_is_the_one_that_costs_the_fewest_points() -> None:
    left = net("S X rail1 -", "S Y Z rail2 -", "S Q rail1 -", "Z V rail2 -")
    found = cut_off_options(left, None, "S", "D", stations={"X", "Z", "V", "Q"})
    assert found == StrandedTrain((), ("Q", "X", "Z"), "nearest")
    here = cut_off_options(left, None, "S", "D", stations={"S", "X"})
    assert here.stations == ("S",), "it is in a station itself"
    lost = net("S D rail2 -", "S X rail2 -")
    assert cut_off_options(lost, None, "S", "D", stations={"D", "X"}).stations == ("X",)


@pytest.mark.rule("8.2.4b")
def test_which_enemies_make_a_unit_in_rail_mode_displace() -> None:
    text = "40.20: german infantry XX A entrained\n40.21: russian {} R, russian corps-train - T\n40.19: german artillery X G\n"
    guns, fort = viewed(text.format("artillery X")), viewed(text.format("fort -"))
    assert arms_beside(guns, "40.20", "central-powers") == ["artillery", "corps-train"]
    assert arms_beside(fort, "40.20", "central-powers") == ["fort", "corps-train"]
    around = frozenset(guns.board.neighbours("40.21"))
    assert threatened_hexes(guns, {"40.21", "a box"}) == around and threatened_hexes(fort, {"40.21"}) == set()
    unknown = fort.supposing({("arm", "R"): ""})
    assert arms_beside(unknown, "40.20", "central-powers") == ["infantry", "corps-train"]
    assert threatened_hexes(unknown, {"40.21"}) == around


@pytest.mark.rule("8.2.4c")
def test_lines_off_the_map_lead_on_for_a_unit_that_is_cut_off() -> None:
    off_map = {"B": {"E": 16}, "E": {"B": 16}}
    old = Route("S", (RouteLeg("A", 1), RouteLeg("B", 1), RouteLeg("E", 16, off_map=True), RouteLeg("D", 1)))
    left = net("A B rail2 -", "E D rail2 -", "S X rail2 -")
    assert cut_off_options(left, old, "S", "D", stations={"D"}).displace == ()
    options = cut_off_options(left, old, "S", "D", stations={"D"}, off_map=off_map)
    assert [way.end for way in options.displace] == ["A", "B"]
    away = cut_off_options(net("S B rail2 -", "E Y rail2 -"), None, "S", "D", stations={"Y"}, off_map=off_map)
    assert away == StrandedTrain((), ("Y",), "nearest")


@pytest.mark.rule("8.2.3g")
def test_hexes_along_the_line_count_singly() -> None:
    assert hexes_along(net("A B C rail1 -").legs(), "A") == {"A": 0, "B": 1, "C": 2}

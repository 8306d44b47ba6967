"""Routes by rail: what hexes count for, which lines carry trains, and the cheapest route (8.2.2, 8.2.3, 8.2.8, 17.1, 17.2)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from assistant.asking.report import MissingFacts
from assistant.state.state import hexside
from assistant.util.errors import InputError
from twilight_in_the_east.railways.lines import read_off_map, usable_off_map
from twilight_in_the_east.railways.routes import (
    RailNet,
    Route,
    RouteLeg,
    carries_trains,
    cheapest_route,
    rail_points,
    rate_now,
    read_rail_net,
)

from ...conftest import viewed


def net(*lines: str) -> RailNet:
    """A net of lines, each as its hexes and what they are: "A B C rail1 broad"."""
    links: dict[str, list[str]] = {}
    tracks, gauges = {}, {}
    for line in lines:
        *hexes, kind, gauge = line.split()
        for here, there in pairwise(hexes):
            links.setdefault(here, []).append(there)
            links.setdefault(there, []).append(here)
            tracks[hexside(here, there)], gauges[hexside(here, there)] = kind, gauge.strip("-")
    return RailNet(links, tracks, gauges)


@pytest.mark.rule("8.2.3i")
def test_no_train_runs_on_narrow_track() -> None:
    assert carries_trains("rail1", narrow=False) and carries_trains("rail2", narrow=False)
    assert not carries_trains("rail1", narrow=True)
    assert not carries_trains("no-rail", narrow=False) and not carries_trains("", narrow=False)
    line = "40.23|40.22 rail1\n40.22|40.21 rail1 narrow\n40.23|40.24 rail2\n"
    found = read_rail_net(viewed(line), "central-powers", ())
    assert found.tracks == {"40.22|40.23": "rail1", "40.23|40.24": "rail2"}
    assert found.legs()["40.23"] == {"40.22": 2, "40.24": 1} and found.legs()["40.21"] == {}


@pytest.mark.rule("8.2.2", "8.2.3h")
def test_the_cheapest_route_counts_single_track_twice() -> None:
    lines = net("A B D rail1 -", "A C E D rail2 -")
    assert cheapest_route(lines, "A", "D") == Route("A", (RouteLeg("C", 1), RouteLeg("E", 1), RouteLeg("D", 1)))
    around = cheapest_route(lines, "A", "D", closed={"E"})
    assert around is not None and (around.hexes, around.weighted) == (("B", "D"), 4)
    assert cheapest_route(lines, "A", "D", closed={"E", "B"}) is None
    assert cheapest_route(lines, "A", "D", closed={"A", "E"}) is not None, "it stands there"
    assert cheapest_route(lines, "A", "Z") is None


@pytest.mark.rule("8.2.3h", "17.2.2")
def test_a_route_changes_gauge_at_stations_that_both_serve() -> None:
    lines = net("A B C rail2 standard", "C D rail2 broad", "B X D rail1 broad")
    change = Fraction(2)
    route = cheapest_route(lines, "A", "D", change=change, stations=["C"])
    assert route is not None
    assert (route.gauge, route.hexes) == ("standard", ("B", "C", "D"))
    assert route.legs[1:] == (RouteLeg("C", 1, "standard"), RouteLeg("C", 0, "broad"), RouteLeg("D", 1, "broad"))
    assert (route.weighted, route.price(change), route.last_gauge) == (3, 5, "broad")
    assert cheapest_route(lines, "A", "D", change=change) is None, "without a station"
    assert cheapest_route(lines, "A", "D", change=change, stations=["A"]) is None, "one gauge alone"
    through_b = cheapest_route(lines, "A", "D", change=change, stations=["B"])
    assert through_b is not None and through_b.hexes == ("B", "X", "D")
    either = cheapest_route(lines, "A", "D", change=Fraction(1, 2), stations=["B", "C"])
    assert either is not None and either.hexes == ("B", "C", "D") and either.price(Fraction(1, 2)) == Fraction(7, 2)
    near = net("A B rail1 standard", "B Z rail2 broad", "A C D rail2 standard", "D Z rail1 standard")
    cheap = cheapest_route(near, "A", "Z", change=Fraction(1, 2), stations=["B"])
    dear = cheapest_route(near, "A", "Z", change=Fraction(3, 2), stations=["B"])
    assert cheap is not None and cheap.hexes == ("B", "Z")
    assert dear is not None and dear.hexes == ("C", "D", "Z")
    longer = net(
        "A B rail1 standard", "B Z rail2 broad", "A C D rail2 standard", "D E rail1 standard", "E Z rail2 standard"
    )
    direct = cheapest_route(longer, "A", "Z", change=Fraction(3, 2), stations=["B"])
    assert direct is not None and direct.hexes == ("B", "Z")
    again = cheapest_route(lines, "C", "D", change=change, gauge="standard", stations=["C"])
    assert again is not None and (again.gauge, again.start) == ("standard", "C")
    assert cheapest_route(lines, "C", "D", change=change, gauge="standard", stations=["C"]).price(change) == 3  # type: ignore[union-attr]
    assert cheapest_route(lines, "C", "D", change=change, gauge="broad", stations=["C"]).price(change) == 1  # type: ignore[union-attr]
    assert cheapest_route(net("A B rail2 both"), "A", "B", change=change).gauge == "broad"  # type: ignore[union-attr]


def test_units_that_gauges_do_not_concern_pass_from_one_to_the_other() -> None:
    lines = net("A B rail2 standard", "B C rail2 broad")
    assert cheapest_route(lines, "A", "C") == Route("A", (RouteLeg("B", 1), RouteLeg("C", 1)))
    assert lines.gauges_at("B") == ("broad", "standard") and lines.gauges_at("A") == ("standard",)
    assert net("A B rail2 -").gauges_at("A") == ("broad", "standard"), "not stated"


@pytest.mark.rule("8.2.8")
def test_off_map_lines_are_those_of_a_sides_own_map_edges() -> None:
    ends = {
        frozenset({"85.27", "98.36"}): 16,
        frozenset({"98.36", "98.65"}): 40,
        frozenset({"98.36", "46.12"}): 30,
        frozenset({"01.96", "01.50"}): 9,
        frozenset({"98.36", "01.96"}): 99,
        frozenset({"70.70", "71.71"}): 7,
        frozenset({"98.65", "85.27"}): 50,
        frozenset({"01.50", "01.40"}): 3,
    }
    edges = {
        "85.27": "central-powers",
        "98.36": "central-powers",
        "98.65": "none",
        "01.96": "russian",
        "01.50": "russian",
    }
    edges["46.12"] = "central-powers"
    assert usable_off_map(ends, edges, "central-powers") == {
        "85.27": {"98.36": 16, "98.65": 50},
        "98.36": {"85.27": 16, "98.65": 40},
        "98.65": {"98.36": 40, "85.27": 50},
    }
    russian = {"01.96": {"01.50": 9}, "01.50": {"01.96": 9, "01.40": 3}, "01.40": {"01.50": 3}}
    assert usable_off_map(ends, edges, "russian") == russian, "01.40 is at no edge that is known"


@pytest.mark.rule("8.2.8", "8.2.3h")
def test_the_rulebooks_own_off_map_line() -> None:
    view = viewed("board east\n")
    legs = read_off_map(view, "central-powers")
    assert legs == {"85.27": {"98.36": 16}, "98.36": {"85.27": 16}}
    route = cheapest_route(read_rail_net(view, "central-powers", ()), "85.27", "88.68", off_map=legs)
    assert route is not None
    assert [leg for leg in route.legs if leg.off_map] == [RouteLeg("98.36", 16, off_map=True)] == [route.legs[0]]
    assert rail_points(route.weighted, 12) == Fraction(14, 3)


def test_off_map_lines_as_their_owner_states_them() -> None:
    paper = "30.20 map-edge=russian off-map-double=30.40:10 off-map-single=30.40:3\n"
    assert read_off_map(viewed(paper), "russian") == {"30.20": {"30.40": 16}, "30.40": {"30.20": 16}}
    assert read_off_map(viewed(paper + "30.40 off-map-double=30.20:10"), "russian")["30.20"] == {"30.40": 16}
    with pytest.raises(InputError, match="11 hexes to 30.20, but 10 from there"):
        read_off_map(viewed(paper + "30.40 off-map-double=30.20:11"), "russian")
    with pytest.raises(InputError, match="99.99"):
        read_off_map(viewed("30.20 off-map-double=99.99:3"), "russian")
    with pytest.raises(InputError, match="it leads back to 30.20"):
        read_off_map(viewed("30.20 off-map-double=30.20:3"), "russian")
    with pytest.raises(InputError, match="not a whole number"):
        read_off_map(viewed("30.20 off-map-double=30.30:3.5"), "russian")
    with pytest.raises(MissingFacts) as missing:
        read_off_map(viewed("30.20 off-map-double=30.40:3"), "russian")
    assert [(ask.how, ask.rule) for ask in missing.value.asks] == [("30.20 map-edge=russian", "8.2.8")]
    assert read_off_map(viewed("30.40 map-edge=central-powers\n30.20 off-map-double=30.40:3"), "russian") == {}


@pytest.mark.rule("8.2.8", "8.2.3h")
def test_a_russian_route_leaves_the_map_on_the_line_that_leads_there() -> None:
    lines = net("A B rail2 broad", "C D rail2 broad")
    off = {"B": {"C": 4}, "C": {"B": 4}}
    route = cheapest_route(lines, "A", "D", change=Fraction(3), off_map=off)
    assert route is not None
    assert route.legs == (RouteLeg("B", 1, "broad"), RouteLeg("C", 4, "broad", off_map=True), RouteLeg("D", 1, "broad"))
    assert route.weighted == 6


def test_the_rate_is_asked_for_where_the_turn_record_does_not_show_it() -> None:
    with pytest.raises(MissingFacts):
        rate_now(viewed("turn=5"))


@pytest.mark.rule("17.1.4", "17.1.1")
@pytest.mark.parametrize(
    ("text", "side", "entered", "lost"),
    [
        ("4023=4022=4021\n", "russian", "40.22", {"40.22"}),
        ("board east\n", "central-powers", "64.38", {"64.38", "64.39"}),
    ],
)
def test_trains_use_no_hex_that_an_enemy_has_entered_unless_that_was_lately(
    text: str, side: str, entered: str, lost: set[str]
) -> None:
    """The line of Soldau ends in 64.39."""
    view = viewed(text)
    whole = read_rail_net(view, side, ())
    assert whole.links.keys() - read_rail_net(view, side, {entered}).links.keys() == lost
    assert read_rail_net(view, side, {entered}, {entered}) == whole

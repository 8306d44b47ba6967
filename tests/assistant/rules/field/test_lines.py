"""Lines from sources, what they cost and what bars them, and the network of a paper map along which they lead."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from assistant.mechanics.crossings import Crossing, Worked, compile_crossings
from assistant.mechanics.tracing import cost_field
from assistant.rules.field import HexsideTracks, Network, NetworkTracks
from assistant.rules.field.lines import (
    Cost,
    LineMap,
    LineSource,
    LineStep,
    Range,
    TracedLine,
    format_hexes,
    measure_line,
    price_of_hex,
    price_within,
)
from assistant.util.errors import InputError

from ....conftest import viewed

ROW = "abcdefgh"
"""Hexes in a row; a river without a bridge lies between g and h, and a line costs two in woods (d)."""


def line_map(closed: str = "") -> LineMap:
    def neighbours(hex: str) -> list[str]:
        at = ROW.index(hex)
        return [ROW[near] for near in (at - 1, at + 1) if 0 <= near < len(ROW)]

    crossings = compile_crossings(
        ROW,
        neighbours,
        lambda hex: (("woods", hex == "d"),),
        lambda here, there: (("river", {here, there} == {"g", "h"}),),
    )

    def cost(kind: Crossing) -> Cost | str:
        if dict(kind.over)["river"]:
            return "no bridge"
        return Cost(4, "woods") if dict(kind.enters)["woods"] else Cost(2, "road", linked=True)

    return LineMap(crossings, Worked(cost), frozenset(closed), per_hex=2)


def test_the_cheapest_line_hex_by_hex() -> None:
    line = line_map().line("b", "e")
    assert line is not None
    assert (line.start, line.end, line.cost, line.linked, line.barred) == ("b", "e", 4, ("c", "e"), "")
    assert line.steps[1] == LineStep("d", Fraction(2), Fraction(3), "woods")
    assert line_map().line("b", "b") == TracedLine("b", (), (), "")
    assert line_map().line("g", "h") is None, "the river bars it"


def test_what_is_closed_is_not_entered_but_may_be_where_a_line_begins() -> None:
    assert line_map("c").field({"a"}).cost == {"a": 0, "b": 2}
    assert line_map("a").field({"a"}, 4).cost == {"a": 0, "b": 2, "c": 4}
    assert line_map().line("a", "c", 3) is None
    with pytest.raises(InputError, match="no line can be traced from z"):
        line_map().line("z", "a")


def test_a_line_is_measured_up_to_where_it_is_barred() -> None:
    costs = [Cost(1, "road"), "a lake bars it", Cost(1, "road")]
    line = measure_line("abcd", costs, 2)
    assert (line.end, line.cost, line.barred) == ("b", Fraction(1, 2), "into c: a lake bars it")
    shut = measure_line("abc", [Cost(1, "road")] * 2, 1, {"c"}, "in an EZOC")
    assert (shut.end, shut.barred) == ("b", "c is in an EZOC")
    assert measure_line("ab", [Cost(1, "road")], 1, {"a"}).barred == "a is closed"


def test_lines_with_what_is_mended_are_kept_under_its_name() -> None:
    over = line_map()
    bridged, barred = over.lifting("bridges", lambda kind: 2), over.lifting("nothing", lambda kind: None)
    assert over.lifting("bridges", lambda kind: None) is bridged
    found = [over.lifted(steps, "h", {"a": 99}, "from a", 99, 3).to("a") for steps in (bridged, barred)]
    assert found[0] is not None
    assert (found[0].mended, found[1]) == (("g|h",), None)


DEPOT = LineSource(
    "depot", "depot", "a", (Range(2, "in"), Range(3, "in", extended=True), Range(5, "low", extended=True))
)


@pytest.mark.parametrize(
    ("away", "found"),
    [(2, Range(2, "in")), (3, Range(3, "in", extended=True)), (5, Range(5, "low", extended=True)), (6, None)],
)
def test_the_best_range_that_suffices(away: int, found: Range | None) -> None:
    assert DEPOT.at(lambda hexes: away <= hexes) == found


def test_a_reach_may_be_unlimited() -> None:
    edge = LineSource("map edge", "edge", "a", (Range(None, "in"),))
    assert (edge.limit, DEPOT.limit, msgspec.structs.replace(DEPOT, ranges=()).limit) == (None, 5, 0)
    assert edge.at(lambda hexes: False) == Range(None, "in")


def test_lines_that_are_counted_in_hexes_take_as_little_for_granted_as_they_can() -> None:
    """From a to d two hexes away over b, which is known, or over c, which is not."""
    next_to = {"a": "bc", "b": "ad", "c": "ad", "d": "bc"}
    crossings = compile_crossings(
        "acbd", lambda hex: next_to[hex], lambda hex: (("known", hex != "c"),), lambda here, there: ()
    )

    def price(kind: Crossing) -> int:
        return price_of_hex(certain=bool(dict(kind.enters)["known"]))

    field = cost_field(crossings, price, {"a": 0}, limit=price_within(2))
    assert field.line("d") == ("a", "b", "d")
    assert format_hexes(field).cost == {"a": 0, "b": 1, "c": 1, "d": 2}
    assert set(cost_field(crossings, price, {"a": 0}, limit=price_within(1)).cost) == {"a", "b", "c"}
    assert price_within(3) > 3 * price_of_hex(certain=False)


# --- the network of a paper map ---------------------------------------------------------------------------------------

TRACKS = NetworkTracks(HexsideTracks("barrier", "terrain", ("rail", "road", "crossing")), "complete", "whole-network")


def network(text: str, **more: int) -> Network:
    return Network(viewed(text), TRACKS, "russian", **more)


def test_what_is_known_to_lie_between_two_hexes_makes_a_way_and_further_hexes_may_be_added() -> None:
    found = network("4023=4022/4021 4021~4020\n40.20|40.19 no-rail")
    assert found.sides == {"40.22|40.23", "40.21|40.22", "40.20|40.21"}, "even a river, which has an end of its own"
    assert [found.next_to(hex) for hex in ("40.23", "40.22", "40.19")] == [["40.22"], ["40.21", "40.23"], []]
    more = Network(viewed("4023=4022"), TRACKS, "russian", ["40.30"])
    assert list(more.ways) == ["40.30", "40.22", "40.23"]


def test_steps_of_typed_lines_are_ways_too_if_they_are_to_count() -> None:
    line = "line x: 40.23 40.22 40.21"
    assert network(line).sides == {"40.22|40.23", "40.21|40.22"}
    assert not network(line, lines=False).sides


@pytest.mark.parametrize(
    ("stated", "is_open"),
    [
        ("", True),
        ("40.23 complete", False),
        ("".join(f"40.23/{near}\n" for near in ("40.24", "39.22", "39.23", "41.22", "41.23")), False),
        ("".join(f"{near} complete\n" for near in ("40.24", "39.22", "39.23", "41.22", "41.23")), False),
        ("side russian whole-network", False),
        ("side central-powers whole-network", True),
    ],
)
def test_where_a_way_that_is_not_typed_may_lead_out(stated: str, is_open: bool) -> None:
    assert network(f"4023=4022\n{stated}").is_open("40.23") is is_open


def test_no_way_leads_into_closed_hexes() -> None:
    found = network("4023=4022")
    beyond = ["40.24", "39.22", "39.23", "41.22", "41.23"]
    assert not found.is_open("40.23", beyond)
    assert found.is_open("40.23", beyond[1:])


def test_where_all_other_hexsides_are_stated_lines_leave_the_ways_so_far() -> None:
    found = network("4023=4022\nelsewhere open", beyond=2)
    assert {"40.24", "40.25", "38.22", "42.21"} <= found.ways.keys()
    assert not {"40.26", "37.22"} & found.ways.keys()
    assert found.next_to("40.22") == ["39.21", "39.22", "40.21", "40.23", "41.21", "41.22"]
    assert [found.is_open(hex) for hex in ("40.23", "40.24", "40.25")] == [False, False, True], (
        "farther off is not known"
    )
    assert not found.is_open("40.25", ["39.25", "40.26", "41.25"])


@pytest.mark.parametrize(("text", "beyond"), [("elsewhere clear", 2), ("elsewhere open", 0), ("", 2)])
def test_lines_keep_to_the_ways_unless_all_other_hexsides_are_stated(text: str, beyond: int) -> None:
    found = network(f"4023=4022\n{text}", beyond=beyond)
    assert found.ways.keys() == {"40.22", "40.23"}
    assert found.is_open("40.23")

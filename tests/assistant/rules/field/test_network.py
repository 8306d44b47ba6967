"""The network of a paper map: which ways are typed, and where others may lead on."""

from __future__ import annotations

import pytest

from assistant.rules.field import HexsideTracks, Network, NetworkTracks

from ....conftest import viewed

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

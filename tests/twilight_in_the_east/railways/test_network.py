"""RR lines of a side: states, stretches, Broken markers, and where a scenario's Railheads leave them (17.1)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twilight_in_the_east.railways.network import (
    Network,
    behind_railheads,
    linked_to,
    lost_hexes,
    operational_for,
    read_network,
    state_of,
    stretches,
)

from ...conftest import viewed


def line(*hexes: str) -> dict[str, tuple[str, ...]]:
    """The links of lines, each as its hexes in a text."""
    found: dict[str, set[str]] = {}
    for one in hexes:
        words = one.split()
        for here, there in pairwise(words):
            found.setdefault(here, set()).add(there)
            found.setdefault(there, set()).add(here)
    return {hex: tuple(sorted(beyond)) for hex, beyond in found.items()}


MAIN = line("a b c d e f g")


def network(own: Iterable[str], edges: str = "a", links: dict[str, tuple[str, ...]] = MAIN) -> Network:
    return Network(links, frozenset(own), frozenset(edges) & frozenset(own))


@pytest.mark.rule("17.1.1")
def test_the_three_states_of_a_rr_hex() -> None:
    """Changed and linked to the map edge, changed and cut off, and neither."""
    found = network("abde")
    states = {hex: state_of(hex, found, found.operational) for hex in "abcdefg"}
    assert [hex for hex, state in states.items() if state == "operational"] == ["a", "b"]
    assert [hex for hex, state in states.items() if state == "non-operational"] == ["d", "e"]
    assert [hex for hex, state in states.items() if state == "non-friendly"] == ["c", "f", "g"]


@pytest.mark.rule("17.1.5")
def test_a_broken_line_keeps_what_lies_beyond_its_narrowest_gap() -> None:
    """Only the hex that turned non-friendly is lost; the Broken marker lies there, and the rest waits for it."""
    linked, cut = stretches(network("abdef"))
    assert (sorted(linked.hexes), linked.linked, linked.railheads, linked.broken) == (["a", "b"], True, ("b",), ())
    assert (sorted(cut.hexes), cut.linked, cut.railheads, cut.broken) == (["d", "e", "f"], False, ("d", "f"), ("c",))
    (whole,) = stretches(network("abcdef"))
    assert (whole.linked, whole.railheads) == (True, ("f",))
    around = line("a b c d", "b x y z d")
    _, cut = stretches(network("abd", links=around))
    assert cut.broken == ("c",)
    (alone,) = stretches(network("d", links=line("a b", "c d")))
    assert (alone.linked, alone.broken) == (False, ())


@pytest.mark.rule("17.1.5")
def test_stretches_come_in_order_and_each_gap_leads_to_the_nearest_other() -> None:
    """The linked one first, then the longest, and of two as long the one with the first hex."""
    far = line("a b c d e f g h i j k l m")
    found = stretches(network("abefhikm", links=far))
    assert ["".join(sorted(one.hexes)) for one in found] == ["ab", "ef", "hi", "k", "m"]
    assert ["".join(one.broken) for one in found] == ["", "g", "g", "j", "l"]
    assert ["".join(sorted(one.hexes)) for one in stretches(network("acefg", links=far))] == ["a", "efg", "c"]


@pytest.mark.rule("17.1.1b")
def test_what_lies_behind_the_railheads_of_a_scenario() -> None:
    links = line("a b c d e", "b x y")
    assert behind_railheads({"a"}, {"c"}, "abcdexy", links) == set("abcxy")
    assert behind_railheads({"a"}, {"c", "x"}, "abcdexy", links) == set("abcx")
    assert behind_railheads({"a"}, (), "abx", links) == set("abx"), "a line without a Railhead ends with the territory"
    assert behind_railheads({"a"}, {"c"}, "abx", links) == set("abcx"), "a Railhead may lie beyond it"
    assert behind_railheads({"a", "e"}, {"c"}, "abx", links) == set("abcx"), (
        "a map edge in enemy territory is not friendly"
    )


@given(st.sets(st.sampled_from("abcdefgh")), st.sets(st.sampled_from("abcdefgh")), st.data())
def test_whatever_enemies_enter_makes_no_hex_operational(own: set[str], entered: set[str], data: st.DataObject) -> None:
    pairs = data.draw(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=14))
    links = line(*(f"{here} {there}" for here, there in pairs if here != there))
    edges = frozenset("ab") & own
    before = linked_to(edges, own, links)
    left = own - lost_hexes(own, entered)
    assert linked_to(edges & left, left, links) <= before - entered
    every = stretches(Network(links, frozenset(own), edges))
    assert frozenset().union(*(one.hexes for one in every)) == own
    assert frozenset().union(*(one.hexes for one in every if one.linked)) == before


# --- of a position ----------------------------------------------------------------------------------------------------

TYPED = "\n".join(
    [
        "line way: 40.23 -rail2- 40.22 -rail1- 40.21 -rail1- 40.20",
        "40.20|40.21 narrow",
        "40.23 map-edge=russian",
        "40.22 operational=russian",
        "40.21 operational=russian",
        "40.20 operational=central-powers",
    ]
)


@pytest.mark.rule("17.1.1")
def test_the_lines_of_a_typed_position() -> None:
    """The RR hex at the map edge is operational without being stated so; narrow-track is a RR line like others."""
    found = read_network(viewed(TYPED), "russian")
    assert found.operational == {"40.23", "40.22", "40.21"}
    assert found.links["40.21"] == ("40.20", "40.22")
    assert read_network(viewed(TYPED), "russian", {"40.22"}).operational == {"40.23"}
    assert read_network(viewed(TYPED), "central-powers").operational == frozenset()
    lost = read_network(viewed(TYPED + "\n40.23 operational=none"), "russian")
    assert (lost.edges, lost.operational) == (frozenset(), frozenset())


@pytest.mark.rule("17.1.1")
def test_control_alone_makes_no_line_operational() -> None:
    """The play note of 17.1.4: stretches may be non-friendly to both sides."""
    text = TYPED.replace("40.22 operational=russian", "40.22 operational=none control=russian")
    for side in ("russian", "central-powers"):
        network = read_network(viewed(text), side)
        assert state_of("40.22", network, network.operational) == "non-friendly"


@pytest.mark.rule("17.1.1")
def test_a_line_in_territory_that_the_enemy_is_stated_to_control_is_nobodys() -> None:
    """The board draws 63.40 as an operational hex of the Russians; who states its control alone means the line too."""

    def whose(stated: str, hex: str = "63.40") -> str:
        return operational_for(viewed(f"board east\n{stated}"), hex)

    assert whose("") == whose("63.40 control=russian") == "russian"
    assert whose("63.40 control=central-powers") == "none"
    assert whose("63.40 control=central-powers operational=russian") == "russian", "what is stated of the line counts"
    assert whose("63.40 control=russian operational=none") == "none"
    cut = viewed("board east\n63.40 control=central-powers")
    assert "63.39" in read_network(viewed("board east"), "russian").operational
    assert {"63.39", "63.40"}.isdisjoint(read_network(cut, "russian").operational)
    edge = "40.23 map-edge=russian\n40.23|40.22 rail1\n"
    typed_edges = [read_network(viewed(f"{edge}{one}"), "russian").edges for one in ("", "40.23 control=russian")]
    assert typed_edges == [{"40.23"}, {"40.23"}]
    assert not read_network(viewed(f"{edge}40.23 control=central-powers"), "russian").edges
    assert operational_for(viewed("41.20 control=russian"), "41.20") == "", "nothing is known of that one"


@pytest.mark.rule("17.1.1")
def test_each_side_has_its_own_country_on_the_drawn_board() -> None:
    view = viewed("board east")
    german, russian = read_network(view, "central-powers"), read_network(view, "russian")
    assert {"60.17", "43.84"} <= german.operational, "Germany and Austria-Hungary use each other's lines (17.1)"
    assert "58.52" in russian.operational
    assert german.own.isdisjoint(russian.own)

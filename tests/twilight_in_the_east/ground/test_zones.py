"""Zones of control: who has one, where it stops, and over which hexsides it is only taken to reach (4.1)."""

from __future__ import annotations

import pytest

from assistant.asking.view import View
from assistant.installed.registry import load_game
from assistant.rules.field import SideField
from assistant.state.state import hexside
from twilight_in_the_east.ground.hexsides import (
    ASSUMED_ZONES_TEXT,
    around,
    assume_zones,
    between,
    bridge,
    exerts_zone,
    field,
    is_unbridged,
)

from ...conftest import GAME, asked, told, typed, viewed

RIVERS = """41.19: russian infantry XX R
45.19: german infantry XX G, german artillery - H
41.19|40.20 {}
41.19|41.18 minor-river
41.19|40.19,41.20 open"""


def zone(over: str, side: str = "russian") -> frozenset[str]:
    position = typed(RIVERS.format(over))
    view = View(position.game, position.state)
    with view.gather() as facts:
        return field(facts).zone(side)


@pytest.mark.rule("4.1", "4.1.1", "3.4")
@pytest.mark.parametrize(
    ("over", "crossed"),
    [
        ("open", True),
        ("minor-river", True),
        ("ridge", True),
        ("lake", False),
        ("sea", False),
        ("major-river", False),
        ("grand-river crossing=bridge", False),
    ],
)
def test_zones_stop_at_lakes_seas_and_great_rivers(over: str, crossed: bool) -> None:
    around_it = {"41.18", "40.19", "41.20", "42.20", "42.19"}
    assert zone(over) == around_it | ({"40.20"} if crossed else set())


@pytest.mark.rule("4.1", "4.1.1")
@pytest.mark.parametrize(("over", "turn", "crossed"), [("open", 16, False), ("open", 17, True), ("", 16, False)])
def test_no_zone_crosses_where_a_bridge_is_down_as_it_led_over_a_great_river(
    over: str, turn: int, crossed: bool
) -> None:
    board = load_game(GAME).board("")
    others = [hex for hex in board.neighbours("43.84") if hex != "42.84"]
    text = f"campaign\nturn={turn}\njaroslau-blown=5\n43.84: russian infantry XX R\n43.84|42.84 {over}"
    view = viewed("\n".join([text, *(f"{hexside('43.84', hex)} open" for hex in others)]))
    with view.gather() as facts:
        assert field(facts).zone("russian") == {*others, *(["42.84"] if crossed else [])}


@pytest.mark.rule("4.1", "3.4", "3.5", "3.6", "9.7")
def test_combat_units_and_fortresses_have_zones_unless_in_rail_mode() -> None:
    assert [exerts_zone(arm, entrained=False) for arm in ("infantry", "cavalry", "fortress")] == [True] * 3
    assert [exerts_zone(arm, entrained=False) for arm in ("fort", "artillery", "corps-train")] == [False] * 3
    assert not exerts_zone("infantry", entrained=True)


@pytest.mark.rule("4.1.1")
def test_hexsides_that_are_not_stated_let_zones_pass_and_the_report_says_so_where_it_matters() -> None:
    position = typed(RIVERS.format("open"))
    view = View(position.game, position.state)
    with view.gather() as facts:
        seen = around(facts, view.unit("G"))
    assert (seen.friends, seen.enemies, "42.20" in seen.enemy_zones) == ({"45.19"}, {"41.19"}, True)
    assume_zones(seen, {"44.19"})
    assert view.premises.assumptions == (), "its own zone meets no enemy there"
    assume_zones(seen, {"42.19"})
    assert [step.template for step in view.premises.assumptions] == [ASSUMED_ZONES_TEXT]
    assert [step.figures for step in view.premises.assumptions] == [{"hexsides": ["41.19|42.19"]}]


@pytest.mark.rule("4.1", "4.1.1", "4.1.2")
def test_a_supposition_reads_zones_anew_only_where_units_stand() -> None:
    as_drawn = viewed("board east\ntrust counters\nturn=1\n41.19: 1/1\n40.20: 25/3")

    def seen(view: View) -> SideField:
        with view.gather() as facts:
            return around(facts, view.unit("1/1"))

    before = seen(as_drawn)
    far = as_drawn.supposing({("terrain", "45.25"): "sea"})
    assert (seen(far).field, seen(far).view) == (before.field, far)
    near = as_drawn.supposing({("barrier", "40.20|41.20"): ("lake",)})
    assert "41.20" in before.enemy_zones
    assert "41.20" not in seen(near).enemy_zones
    own = as_drawn.supposing({("barrier", "41.18|41.19"): ("lake",)})
    assert "41.18" in before.friendly_zones
    assert "41.18" not in seen(own).friendly_zones
    by_rail = as_drawn.supposing({("entrained", "25/3"): True})
    assert (seen(by_rail).enemies, seen(by_rail).enemy_zones) == ({"40.20"}, frozenset())


def test_whose_zones_reach_which_hexes_can_be_asked() -> None:
    text = RIVERS.format("lake")
    found = asked(typed(text), "zones", side="russian")
    assert found.verdict.text == "5 hexes in zones of control"
    named = asked(typed(text), "zones", at=["40.20", "41.18"], side="russian")
    assert told(named, "Russian") == [
        "40.20: in no zone",
        "41.18: in the zone of R",
        "40.20: no zone of R reaches it",
    ]
    assert told(named, "Assumed") == [], "both hexsides are stated"
    (assumed,) = told(found, "Assumed")
    assert "41.19|42.19" in assumed and "41.19|42.20" in assumed and "41.18" not in assumed


# --- what lies between two hexes, and what bridges it (2.2, 8.1.3) ----------------------------------------------------


@pytest.mark.parametrize(
    ("over", "bridged"),
    [
        ("secondary-road", True),
        ("rail1", True),
        ("bridge", True),
        ("pontoon", True),
        ("ferry", False),
        ("no-crossing", False),
        ("secondary-road ferry", False),
        ("rail1 secondary-road ferry", True),
        ("", None),
    ],
)
def test_a_road_or_railway_has_a_bridge_but_not_a_road_to_a_ferry(over: str, bridged: bool | None) -> None:
    side = between(viewed(f"48.75|49.75 major-river {over}"), "48.75", "49.75")
    assert bridge(side) is bridged
    assert is_unbridged(side) is not bool(bridged)

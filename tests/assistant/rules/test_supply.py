"""Supply of a game in which a unit is supplied or is not: verdict, working, picture, and what lies in the way of radius and railroads."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from assistant.asking import View
from assistant.asking.report import Report
from assistant.installed.registry import load_game
from assistant.mechanics.crossings import Crossing, Ground
from assistant.mechanics.repairs import Lifted
from assistant.mechanics.tracing import cost_field
from assistant.rules.field import Field, Hexside, HexsideTracks
from assistant.rules.field.lines import format_hexes, price_of_hex, price_within
from assistant.rules.supply import (
    MAX_RADIUS_HEXES,
    Cause,
    Hindrance,
    SideSupply,
    Sources,
    Supplied,
    Supply,
    SupplyWords,
    Tracing,
    cause_without_source,
    decided,
    find_obstacles,
    hexes_on_paper,
    radius_or_max,
    ways_of_lines,
)
from assistant.state.state import Unit
from assistant.testing import typed

from ...conftest import viewed

WORDS = SupplyWords(
    state="Good Order",
    how={"wagon": " by {source}, {hexes:#hex} away", "luck": " by luck"},
    rules={"wagon": "6.1", "luck": "6.2", "": "6.3"},
    source="wagon",
    is_source=lambda view, unit: unit == "W",
    breaks={"enemy": "enemy"},
)
FED = Supplied(unit="A", place="41.19", supplied=True, by="wagon", source="W", line=("40.20", "41.19"), hexes=1)
LUCKY = Supplied(unit="L", place="41.19", supplied=True, by="luck")
ENEMY = Hindrance(kind="enemy", where="42.19", by=("R",), text="R in 42.19")
CUT = Supplied(
    unit="C",
    place="43.19",
    supplied=False,
    cause=Cause(source="W", by="wagon", hindrances=(ENEMY,), text="W but for R"),
)
OPEN = Supplied(unit="O", place="44.19", supplied=None)


def report(*units: Supplied) -> Report[Supply]:
    supply = Supply((SideSupply(side="central-powers", units=units),)) if units else Supply(())
    return Report(title="Supply", verdict=WORDS.verdict(units), result=supply)


def test_the_verdict_on_several_counts_them_and_is_what_a_report_decides() -> None:
    several = [(OPEN,), (FED, LUCKY), (FED, CUT), (FED, CUT, OPEN)]
    assert [(WORDS.verdict(units).kind, WORDS.verdict(units).text) for units in several] == [
        ("undecided", "undecided: nothing known supplies O"),
        ("yes", "2 units in Good Order, 0 not"),
        ("no", "1 unit in Good Order, 1 not"),
        ("undecided", "undecided: 1 unit in Good Order, 1 not, 1 not certain"),
    ]
    assert decided(report(FED, CUT)) == (("A", True), ("C", False))
    assert decided(report(FED)) != decided(report(CUT))


def test_a_range_weighs_as_much_as_the_hexes_that_it_lacks() -> None:
    far = Hindrance(kind="range", where="W", lacks=3, text="too far")
    assert Cause(hindrances=(far, ENEMY), text="").weight == 4
    none = cause_without_source("source", "", "there is none")
    assert (none.weight, none.text, none.by) == (1, "there is none", "")


def around(text: str) -> Any:
    view = viewed(text)
    tracks = HexsideTracks(lies="barrier", terrain="terrain")
    with view.gather() as facts:
        field = Field(facts, lambda facts, unit: True, lambda *hexes: Hexside(view, *hexes, tracks), lambda over: True)
        return field.read().around("central-powers")


def test_in_the_way_of_a_line_are_enemies_in_its_hexes_and_zones_that_it_leaves() -> None:
    seen = around("42.19: russian infantry XX R\n44.19: russian infantry XX S\n45.20: russian infantry XX T\n")
    line = ("41.19", "42.19", "43.19")
    (enemy,) = find_obstacles(seen, Lifted(2, line, opened=("42.19",)))
    assert (enemy.kind, enemy.where, enemy.by, enemy.text) == ("enemy", "42.19", ("R",), "R in 42.19")
    (zone,) = find_obstacles(seen, Lifted(2, ("43.19", "43.18"), mended=("43.18|43.19",)))
    assert (zone.kind, zone.where, zone.by) == ("zone", "43.19", ("R", "S"))
    assert [*find_obstacles(seen, Lifted(2, ("43.18", "43.19"), opened=("43.19",)))] == [], "it only enters the zone"
    (counted,) = find_obstacles(seen, Lifted(2, ("43.18", "43.19"), opened=("43.19",)), zones={"43.19"})
    assert counted == zone


# --- by the radius of a source or along railroads ---------------------------------------------------------------------

TRACKS = HexsideTracks(lies="water", terrain="terrain", links=("rail",))
DEPOT = "2620: CP-supply-1{}\n"


def barred(kind: Crossing) -> bool:
    return "marsh" in (dict(kind.leaves)["terrain"], dict(kind.enters)["terrain"])


def price(kind: Crossing) -> int | None:
    return None if barred(kind) or dict(kind.leaves)["zone"] else price_of_hex(certain=True)


def freed(kind: Crossing) -> int | None:
    return None if barred(kind) else price_of_hex(certain=True)


def rail(kind: Crossing) -> int | None:
    return freed(kind) if dict(kind.over)["rail"] else None


TRACING = Tracing(price, freed, rail, barred, "marsh", "6.1", "6.2")


def view_of(text: str) -> View:
    position = typed(f"{text}", load_game("kaisers-war-in-the-east"))
    return View(position.game, position.state)


def sources(view: View, zones: Collection[str] = ()) -> Sources:
    """The depots of the Central Powers; units of the Allies have a zone of control if they are named."""
    with view.gather() as facts:
        field = Field(
            facts,
            lambda facts, unit: unit.id in zones,
            lambda here, there: Hexside(view, here, there, TRACKS),
            lambda over: True,
        ).read()
    around = field.around("central-powers")

    def ground(hex: str) -> Ground:
        return (("terrain", view.word("terrain", hex)), ("zone", hex in around.enemy_zones))

    def over(here: str, there: str) -> Ground:
        return (("rail", Hexside(view, here, there, TRACKS).word("rail") == "rail"),)

    def is_source(unit: str) -> bool:
        return view.word("arm", unit) == "supply"

    ways = ways_of_lines(around, ground, over, is_source)
    units = {one.id: str(one.place) for one in around.units if is_source(one.id)}
    fields = {
        name: format_hexes(
            cost_field(ways, price, {at: 0}, closed=around.enemies, limit=price_within(radius_or_max(view, name)))
        )
        for name, at in units.items()
    }
    begins = dict.fromkeys(units.values(), 0)
    railroads = cost_field(ways, rail, begins, closed=around.enemies | around.enemy_zones)
    return Sources(TRACING, around, ways, units, fields, railroads)


def unit_in(view: View, name: str) -> Unit:
    return view.unit(name)


def test_the_nearest_source_that_is_known_to_reach_a_hex() -> None:
    found = sources(view_of(DEPOT.format(" radius=2") + "2622: CP-supply-2 radius=1\n"))
    assert found.nearest_by_radius("2621") == ("CP-supply-1", ("2620", "2621"))
    assert found.nearest_by_radius("2623") == ("CP-supply-2", ("2622", "2623"))
    assert found.nearest_by_radius("2624") is None
    assert (found.source_in("2622"), found.source_in("2621")) == ("CP-supply-2", "")


def test_a_source_without_a_radius_is_asked_for_it() -> None:
    view = view_of(DEPOT.format("") + "2623: AH-4\n")
    found = sources(view)
    assert (found.unknown, found.nearest_by_radius("2623")) == (["CP-supply-1"], None)
    assert radius_or_max(view, "CP-supply-1") == MAX_RADIUS_HEXES
    asks = found.asks(unit_in(view, "AH-4"))
    assert asks[0].key[:2] == ("radius", "CP-supply-1")
    assert asks[-1].name == "railroad.AH-4"
    assert found.unsupplied(unit_in(view, "AH-4")).supplied is None


def test_a_railroad_in_the_hex_or_next_to_it() -> None:
    found = sources(view_of(DEPOT.format(" radius=0") + "2620=2621=2622=2623\n2623: AH-4\n"))
    assert found.nearest_by_rail("2623") == ("CP-supply-1", ("2620", "2621", "2622", "2623"))
    line = found.nearest_by_rail("2624")
    assert line is not None
    assert line[1][-2:] == ("2623", "2624")
    assert found.nearest_by_rail("2626") is None


@pytest.mark.parametrize(
    ("text", "zones", "text_of_cause"),
    [
        ("2623: AH-4\n", (), "2623 is 3 hexes from CP-supply-1, whose radius is 2"),
        ("2622: AH-4\n2622 marsh\n", (), "2622 is marsh: no supply line may be traced into it (6.1)"),
    ],
)
def test_what_keeps_a_unit_from_supply(text: str, zones: tuple[str, ...], text_of_cause: str) -> None:
    view = view_of(DEPOT.format(" radius=2") + text + "side central-powers whole-network\n")
    found = sources(view, zones).unsupplied(unit_in(view, "AH-4"))
    assert found.supplied is False
    assert found.cause is not None
    assert found.cause.text == text_of_cause


def test_what_is_stated_holds_where_nothing_is_known() -> None:
    for word, supplied in (("in", True), ("out", False)):
        view = view_of(f"2623: AH-4 supply={word}\n")
        found: Any = sources(view).unsupplied(unit_in(view, "AH-4"))
        assert (found.supplied, found.by) == (supplied, "stated")
    view = view_of("2623: AH-4\nside central-powers whole-network\n")
    found = sources(view).unsupplied(unit_in(view, "AH-4"))
    assert found.cause.text == "no supply unit of its side is on the map"


def test_the_hexes_of_a_paper_map_that_matter() -> None:
    view = view_of("2620: CP-supply-1 radius=1\n3010: AH-4\n2005=2006\n")
    hexes = hexes_on_paper(view, lambda unit: unit == "CP-supply-1")
    near = {hex for hex in hexes if view.board.distance(hex, "2620") <= 5}
    assert len(near) == 1 + sum(6 * ring for ring in range(1, 6))
    assert {"3010", "3011", "2005", "2006", "2007"} <= hexes
    assert "2610" not in hexes
    view = view_of("2620: CP-supply-1 radius=1\n3620: CP-supply-2 radius=3\n")
    hexes = hexes_on_paper(view, lambda unit: unit.startswith("CP-supply"))
    near = {hex for hex in hexes if view.board.distance(hex, "3620") <= 7}
    assert len(near) == 1 + sum(6 * ring for ring in range(1, 8))

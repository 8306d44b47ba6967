"""The map that is drawn from geography: every place that the rulebook names, and the examples of rules on it."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from math import acos, cos, dist, radians, sin
from pathlib import Path
from typing import Any

import pytest

from assistant.game.boards import Board
from assistant.installed.registry import load_game
from assistant.state.state import hexside
from assistant.state.tracks import Source
from tools.geography.__main__ import GAMES
from tools.geography.draft import Draft
from tools.geography.files import board_files
from tools.geography.land import Land
from tools.geography.tables import Tables

from ..cases import thorough
from .asking import kaiser

GAME = "kaisers-war-in-the-east"
KILOMETRES = 70
"""The width of a hex (2.9)."""
COUNTRIES = {
    "germany": "Berlin Breslau Danzig Königsberg Posen Thorn",
    "austria-hungary": "Budapest Drohobyz-Boryslaw Karlsburg Komarom Krakow Lemberg Przemysl Vienna",
    "russia": (
        "Abo Brest-Litovsk Dubno Dvinsk Grodno Helsinki Ivangorod Kharkov Kiev Kovno Kronstadt Lodz Minsk Moscow Odessa "
        "Petrograd Reval Riga Sevastopol Warsaw"
    ),
    "romania": "Bucharest Ploesti Turtukaia",
    "bulgaria": "Sofia Varna",
}
"""Every place that the rulebook names, by the country in which it places units or supply there."""
PLACES = [place for names in COUNTRIES.values() for place in names.split()]
PORTS = {
    "baltic": "Danzig Helsinki Kronstadt Königsberg Petrograd Riga",
    "black-sea": "Odessa Sevastopol",
}
"""The ports of the optional Amphibious Operations."""


@cache
def board() -> Board:
    return load_game(GAME).board("map")


@cache
def tables() -> Tables:
    return Tables(GAMES / Path(str(load_game(GAME).folder)).name)


@cache
def hex_of(name: str) -> str:
    """The one hex of a place."""
    (at,) = (place.hex for place in board().places if place.name == name)
    return at


def value(track: str, at: str) -> Any:
    fact = board().fact(track, at)
    return fact.value if fact else None


def on_map(text: str, question: str = "", **parameters: Any) -> Any:
    return kaiser(f"board map\n{text}", question, **parameters)


def row(name: str) -> int:
    return board().grid.parse(hex_of(name)).row


# --- places -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("country", "name"), [(country, name) for country in COUNTRIES for name in COUNTRIES[country].split()]
)
def test_a_place_of_the_rulebook_stands_in_its_country_under_its_name(country: str, name: str) -> None:
    at = hex_of(name)
    assert value("country", at) == country
    assert value("named", at) == name and value("terrain", at) != "all-sea"


def test_no_two_places_of_the_rulebook_share_a_hex() -> None:
    """Armies set up in each of them, and a hex holds one (12.1, 12.5)."""
    assert len({*map(hex_of, PLACES)}) == len(PLACES)


def test_lemberg_alone_has_its_hex_from_a_rule() -> None:
    assert [(place.name, place.hex) for place in board().places if place.basis.source is Source.RULEBOOK] == [
        ("Lemberg", "2622")
    ]
    edge = board().drawn.edge
    assert edge is not None and edge.source is Source.DRAWN


@pytest.mark.parametrize("sea", PORTS)
def test_ports_of_the_rulebook_lie_on_their_sea(sea: str) -> None:
    for name in PORTS[sea].split():
        assert (value("port", hex_of(name)), value("coast", hex_of(name))) == (sea, sea), name


def test_distances_between_places_are_those_on_the_globe_within_a_hex() -> None:
    """Between the middles of the hexes: a place may stand anywhere in its own."""
    grid = board().grid
    for one, other in combinations(PLACES, 2):
        (south, west), (north, east) = (tables().towns[name].position or (0.0, 0.0) for name in (one, other))
        angle = acos(
            sin(radians(south)) * sin(radians(north))
            + cos(radians(south)) * cos(radians(north)) * cos(radians(east - west))
        )
        between = dist(*(grid.centre(grid.parse(hex_of(name))) for name in (one, other)))
        assert abs(between - 6371 * angle / KILOMETRES) <= 1, (one, other)


def test_a_hex_is_as_wide_as_the_rules_say_and_north_is_at_the_top() -> None:
    fit = Land(tables(), load_game(GAME).file.grid).fit
    assert (round(fit.kilometres, 6), fit.north) == (KILOMETRES, 0)


@pytest.mark.rule("3.2")
def test_riga_lies_north_of_dvinsk_and_hexes_named_beside_romania_where_units_may_stand() -> None:
    assert row("Riga") < row("Dvinsk") < row("Minsk") < row("Warsaw") < row("Dubno") < row("Lemberg")
    assert {at: value("country", at) for at in ("2926", "2721")} == {"2926": "romania", "2721": "russia"}


def test_every_hex_of_land_lies_in_one_country_and_no_hex_of_sea_in_any() -> None:
    for at in board().hexes:
        assert (value("country", at) is None) == (value("terrain", at) == "all-sea"), at


def test_the_map_has_bulgaria_at_its_south_edge_and_russia_at_its_north_edge() -> None:
    edges = {(value("edge", at), value("country", at)) for at in board().hexes}
    assert {("south", "bulgaria"), ("north", "russia")} <= edges


def test_railroads_lead_off_the_map_at_its_edge_only() -> None:
    exits = [at for at in board().hexes if value("map-edge", at)]
    assert exits and all(len(board().neighbours(at)) < 6 for at in exits)
    assert "russia" in {value("country", at) for at in exits} and "germany" in {value("country", at) for at in exits}


@thorough
def test_the_files_are_those_that_its_tables_draw() -> None:
    game = load_game(GAME)
    for name, text in board_files(Draft(tables(), game.file.grid), game.tracks, GAME).items():
        file = Path(str(game.folder)) / "boards" / "map" / name
        assert (file.read_text("utf-8") if file.is_file() else "") == text, name


# --- the examples of rules --------------------------------------------------------------------------------------------

EAST = "scenario=1914\nturn=1\nmain-effort=west\nphasing=central-powers\nphase=movement\n"


POINT = 2
"""A Movement Point, in the halves in which costs are counted."""


def by_rail(start: str, end: str) -> list[str]:
    """The hexes that follow the first one on a railroad of the board to a place."""
    ways = {hex_of(start): list[str]()}
    todo = [hex_of(start)]
    for here in todo:
        for there in board().neighbours(here):
            if there not in ways and value("rail", hexside(here, there)) == "rail":
                ways[there] = [*ways[here], there]
                todo.append(there)
    return ways[hex_of(end)]


@pytest.mark.rule("17.2")
def test_a_supply_unit_in_breslau_reaches_krakow() -> None:
    """Three hexes away, in the rulebook's example."""
    text = f"turn=1\n{hex_of('Breslau')}: CP-supply-1 radius=3\n{hex_of('Krakow')}: Ger-11\n"
    (found,) = on_map(text, "supply", unit="Ger-11").result.units
    assert (found.supplied, found.by, found.hexes) == (True, "radius", 3)
    (short,) = on_map(text.replace("radius=3", "radius=2"), "supply", unit="Ger-11").result.units
    assert short.by != "radius"


@pytest.mark.rule("18.3", "18.4")
def test_a_german_army_goes_by_rail_from_berlin_to_thorn_and_not_on_to_warsaw() -> None:
    """The rulebook's example: it marches across the border, and may ride from Warsaw later."""
    text = f"{EAST}{hex_of('Berlin')}: Ger-9 (9-9-4), CP-supply-1 radius=3\n"
    report = on_map(text, "move", unit="Ger-9", way=by_rail("Berlin", "Thorn"), by="rail")
    assert report.verdict.kind == "yes", str(report)
    assert (report.result.cost, report.result.railed) == (POINT, 0), "within Germany it takes no rail capacity"
    on = on_map(text, "move", unit="Ger-9", way=by_rail("Berlin", "Warsaw"), by="rail")
    assert on.verdict.kind == "no" and "18.4" in str(on)
    march = on_map(f"{EAST}{hex_of('Thorn')}: Ger-9 (9-9-4)\n", "move", unit="Ger-9", way=by_rail("Thorn", "Warsaw"))
    assert march.verdict.kind == "yes" and march.result.cost == POINT // 2 * len(by_rail("Thorn", "Warsaw")), str(march)


@pytest.mark.rule("18.6")
def test_the_serbian_transit_leads_from_austria_hungary_to_bulgaria() -> None:
    way = by_rail("Budapest", "Sofia")
    transit = [hexside(here, there) for here, there in pairwise(way) if value("serbian-transit", hexside(here, there))]
    countries = [value("country", at) for side in transit for at in side.split("|")]
    assert {*countries} == {"austria-hungary", "elsewhere", "bulgaria"}


def test_answers_on_the_drawn_map_say_so_and_without_it_ask_as_before() -> None:
    text = f"turn=1\n{hex_of('Breslau')}: CP-supply-1 radius=3\n{hex_of('Krakow')}: Ger-11\n"
    assert "(if the drawn map is right)" in " ".join(str(on_map(text, "supply", unit="Ger-11")).split())
    typed, refused = kaiser(text, "supply", unit="Ger-11"), on_map(f"own map\n{text}", "supply", unit="Ger-11")
    for report in (typed, refused):
        assert "drawn" not in str(report)
        assert "(terrain not stated)" in str(report)


def test_the_owners_own_map_overrides_the_drawn_one() -> None:
    text = f"turn=1\n{hex_of('Breslau')}: CP-supply-1 radius=3\n{hex_of('Krakow')}: Ger-11\n"
    (found,) = on_map(f"{hex_of('Krakow')} marsh\n{text}", "supply", unit="Ger-11").result.units
    assert not found.supplied


def test_the_set_up_names_the_hexes_of_places_and_asks_for_what_the_map_alone_shows() -> None:
    report = str(on_map("scenario=1914\n", "setup"))
    assert f"Rus-1: enters at {hex_of('Kovno')}" in report and f"Ger-8: enters at {hex_of('Königsberg')}" in report
    assert not [at for at in board().hexes if value("mobilization", at)]

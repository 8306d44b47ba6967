"""The maps of *Der Weltkrieg*: how well they fit latitude and longitude, and what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt
from pathlib import Path

import msgspec
import pytest

from assistant.game.games import Game
from assistant.game.hexes import HexGrid
from assistant.installed.registry import named_game
from assistant.state.tracks import Source
from tests.tools.geography.measures import residuals
from tools.geography.__main__ import GAMES
from tools.geography.draft import Draft
from tools.geography.files import board_files
from tools.geography.fitting import KnownPlace, fit_map
from tools.geography.tables import Tables

from ..cases import thorough

PLUGINS = Path(__file__).parents[2] / "plugins"
WELTKRIEG = "der_weltkrieg"
DRAWN = ("map-4-5", "map-5-5")


@cache
def game(folder: str) -> Game:
    return named_game(str(PLUGINS / folder))


def tables(name: str) -> Tables:
    return Tables(GAMES / WELTKRIEG / name)


@cache
def draft(name: str) -> Draft:
    return Draft(tables(name), game(WELTKRIEG).file.grid)


def square_mean(values: Sequence[float]) -> float:
    return sqrt(sum(value * value for value in values) / len(values))


def left_out(grid: HexGrid, centre: tuple[float, float], base: Sequence[KnownPlace]) -> float:
    """How far places fall from their hexes, in the mean square, by a fit to the others."""
    missed = []
    for place in base:
        fit = fit_map(grid, centre, [other for other in base if other != place])
        missed.append(residuals(grid, fit, [place])[place.name])
    return square_mean(missed)


def named_by_rules(name: str) -> list[KnownPlace]:
    """The places of known position that a rule names with their hexes."""
    towns = tables(name).towns.values()
    return [KnownPlace(town.name, *town.position, town.hex) for town in towns if town.position and town.rule]


@pytest.mark.parametrize(("board", "places"), [("map-4-5", 7), ("map-5-5", 8)])
def test_the_fit_to_places_that_rules_name(board: str, places: int) -> None:
    land, base = draft(board).land, named_by_rules(board)
    fit = fit_map(land.grid, land.settings.centre, base)
    off = residuals(land.grid, fit, base)
    assert len(base) == places
    assert square_mean([*off.values()]) < 0.3
    assert max(off.values()) < 0.51
    assert left_out(land.grid, land.settings.centre, base) < 0.5
    assert fit.kilometres == pytest.approx(20.4, abs=0.2)


@pytest.mark.parametrize(("board", "places"), [("map-4-5", 13), ("map-5-5", 13)])
def test_the_fit_with_hexes_that_were_worked_out(board: str, places: int) -> None:
    """Hexes of arrivals and line ends, taken for railway towns: with them the fits of both maps agree, and those places
    hardly move.
    """
    land = draft(board).land
    base = land.tables.base
    off = residuals(land.grid, land.fit, base)
    assert len(base) == places
    assert square_mean([*off.values()]) < 0.4
    assert max(off.values()) < 0.65
    assert left_out(land.grid, land.settings.centre, base) < 0.5
    other = draft(next(name for name in DRAWN if name != board)).land.fit
    assert (*land.fit.x[:2], *land.fit.y[:2]) == pytest.approx((*other.x[:2], *other.y[:2]), abs=0.03)


#: Latitude and longitude of the places that rules name on two maps that are not drawn.
ELSEWHERE = {
    "map-5-3": {"Metz": (49.12, 6.18), "Strasbourg": (48.58, 7.75), "Belfort": (47.64, 6.86), "Brussels": (50.85, 4.35),
                "Liège": (50.63, 5.57), "Antwerp": (51.22, 4.40)},
    "map-6-4": {"Trieste": (45.65, 13.77), "Fiume": (45.33, 14.44), "Pola": (44.87, 13.85), "Milano": (45.46, 9.19),
                "Bologna": (44.49, 11.34)},
}  # fmt: skip


@pytest.mark.parametrize(("board", "off", "apart"), [("map-5-3", 0.32, 0.83), ("map-6-4", 0.28, 0.67)])
def test_maps_are_not_drawn_on_which_a_place_left_out_falls_out_of_its_hex(
    board: str, off: float, apart: float
) -> None:
    found = game(WELTKRIEG).board(board)
    places = ELSEWHERE[board]
    base = [KnownPlace(place.name, *places[place.name], place.hex) for place in found.places]
    centre = (49.0, 10.0)
    fit = fit_map(found.grid, centre, base)
    assert square_mean([*residuals(found.grid, fit, base).values()]) == pytest.approx(off, abs=0.01)
    assert left_out(found.grid, centre, base) == pytest.approx(apart, abs=0.04)
    assert not found.hexes


@pytest.mark.parametrize("board", DRAWN)
def test_no_other_way_to_count_fits_as_well(board: str) -> None:
    land, base = draft(board).land, named_by_rules(board)
    ours = left_out(land.grid, land.settings.centre, base)
    for orientation in ("flat", "pointy"):
        for shifted in ("odd", "even"):
            other = msgspec.structs.replace(land.grid, orientation=orientation, shifted=shifted)
            assert other == land.grid or left_out(other, land.settings.centre, base) > ours * 1.15


@pytest.mark.parametrize(
    ("board", "name"),
    [(board, town.name) for board in DRAWN for town in Tables(GAMES / WELTKRIEG / board).towns.values()
     if town.is_in_fit and not town.rule],
)  # fmt: skip
def test_what_was_worked_out_is_drawn_and_stands_where_a_rule_names_a_hex(board: str, name: str) -> None:
    drawn = game(WELTKRIEG).board(board)
    place = next(place for place in drawn.places if place.name == name)
    assert place.basis.source is Source.DRAWN
    facts = [drawn.fact(track, place.hex) for track in game(WELTKRIEG).tracks]
    assert any(fact and fact.source is Source.RULEBOOK for fact in facts)


@thorough
@pytest.mark.parametrize("board", DRAWN)
def test_the_tables_give_the_files_byte_for_byte(board: str) -> None:
    folder = PLUGINS / WELTKRIEG / "boards" / board
    for name, text in board_files(draft(board), game(WELTKRIEG).tracks, "plugins/der_weltkrieg").items():
        written = (folder / name).read_text("utf-8") if (folder / name).exists() else ""
        assert written == text, f"{name}: draw the board anew"


@thorough
@pytest.mark.parametrize("board", DRAWN)
def test_every_hex_of_land_lies_in_one_country(board: str) -> None:
    countries = draft(board).countries
    assert {*countries} == draft(board).land.mesh.hexes - draft(board).land.sea
    assert {len(found) for found in countries.values()} == {1}


@pytest.mark.parametrize(
    ("board", "town", "country"),
    [
        ("map-4-5", "Königsberg", "german"),
        ("map-4-5", "Lyck", "german"),
        ("map-4-5", "Thorn", "german"),
        ("map-4-5", "Mlawa", "russian"),
        ("map-4-5", "Suwalki", "russian"),
        ("map-4-5", "Kowno", "russian"),
        ("map-5-5", "Kattowitz", "german"),
        ("map-5-5", "Ratibor", "german"),
        ("map-5-5", "Krakau", "austro-hungarian"),
        ("map-5-5", "Teschen", "austro-hungarian"),
        ("map-5-5", "Przemysl", "austro-hungarian"),
        ("map-5-5", "Czernowitz", "austro-hungarian"),
        ("map-5-5", "Brody", "austro-hungarian"),
        ("map-5-5", "Sandomierz", "russian"),
        ("map-5-5", "Kowel", "russian"),
        ("map-5-5", "Kamieniec Podolski", "russian"),
    ],
)
def test_towns_of_the_drawn_boards_lie_in_their_countries(board: str, town: str, country: str) -> None:
    drawn = game(WELTKRIEG).board(board)
    hex = next(place.hex for place in drawn.places if place.name == town)
    fact = drawn.fact("country", hex)
    assert fact is not None
    assert (fact.value, fact.source) == (country, Source.DRAWN)

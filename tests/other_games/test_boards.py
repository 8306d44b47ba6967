"""Boards of games of which little or nothing is drawn: each hex that a rule names is there with that rule, and nothing
else passes for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import sqrt
from pathlib import Path

import msgspec
import pytest

from assistant.game.boards import Basis
from assistant.game.boards.lines import LinesReader
from assistant.game.boards.reading import lines_files
from assistant.game.games import Game
from assistant.game.hexes import HexGrid
from assistant.plugins.registry import named_game
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from tests.tools.geography.measures import residuals
from tools.geography.__main__ import GAMES
from tools.geography.draft import Draft
from tools.geography.files import board_files
from tools.geography.fitting import KnownPlace, fit_map
from tools.geography.tables import Tables

from ..cases import few, thorough

PLUGINS = Path(__file__).parents[2] / "plugins"
WELTKRIEG, UNDONE, KAISERS = "der_weltkrieg", "world_undone_east_prussia", "kaisers_war_in_the_east"

#: What the rules say, by game, board and fact: the rule and its hexes.
NAMED: Mapping[tuple[str, str, str], Sequence[tuple[str, str]]] = {
    (WELTKRIEG, "map-4-5", "city"): [("29-1", "2018 2019 2119")],
    (WELTKRIEG, "map-4-5", "fortress"): [("29-1", "0420 1114 0915 1111 1016"), ("7-7", "1918")],
    (WELTKRIEG, "map-4-5", "rail-hex"): [("7-7", "2119 2713 2618")],
    (WELTKRIEG, "map-4-5", "arrivals"): [("29-5", "2119 2703 2805 2909 3401 3612"), ("29-1", "0118 0816")],
    (WELTKRIEG, "map-4-5e", "limit"): [("24-5", "0401")],
    (WELTKRIEG, "map-5-5", "rail-hex"): [("7-7", "2802"), ("", "3604 3605")],
    (WELTKRIEG, "map-5-5", "fortress"): [("29-1", "0607")],
    (WELTKRIEG, "map-5-5", "arrivals"): [
        ("29-4", "3609 3912"),
        ("29-5", "2502 2803 3003 3202 4303 4804 4808"),
        ("29-1", "0607"),
    ],
    (WELTKRIEG, "map-5-5", "limit"): [("24-5", "4902 4801 4815")],
    (WELTKRIEG, "map-5-5", "land"): [("28", "2910 3010 3112 4615")],
    (WELTKRIEG, "map-5-3", "fortress"): [("5-3", "2416")],
    (WELTKRIEG, "map-5-3", "land"): [
        ("10-6", "1504 1603"),
        ("10-3", "1807 1604 1606"),
        ("10-5", "2107"),
        ("3-4", "2415 3018"),
        ("28", "1913 2723"),
        ("22-4", "0707 0806 0807 0906 0907 0908 1006"),
    ],
    (WELTKRIEG, "map-5-3", "arrivals"): [
        ("3-12", "1606"),
        ("29-1", "2603 2703 2715 2801 3018 3118 3121 3312 3316 3608 3616"),
        ("29-3", "0113 0125 0507 0717 0811 1515 1826 1925 2325"),
    ],
    (WELTKRIEG, "map-6-4", "country"): [("6-13", "3419 3620 3423"), ("8-10", "1421 2326")],
    (WELTKRIEG, "map-6-4", "army-line"): [("8-3", "3217|3218")],
    (WELTKRIEG, "map-6-5", "arrivals"): [("29-7", "2413"), ("29-4", "1204")],
    (WELTKRIEG, "map-6-6", "arrivals"): [("13-5", "1901"), ("29-11", "1717"), ("29-9", "1223")],
    (WELTKRIEG, "map-6-6", "country"): [("", "0421"), ("13-3", "1515")],
    (WELTKRIEG, "map-6-6", "barrier"): [("", "0322|0421")],
    (UNDONE, "east-prussia", "set-up"): [
        ("9.1.1", "0620 1023 1526 1826 2226 2626 3826 4025 4624 4723 4822 5319 5320 5321 5418 5514 5617 5716 5717"),
        ("9.1.2", "1531 1931 1932 1933 2033 2232 2233 2523 2532 2831 2930 2932 4029 4329 4628 4824 4826 4924 5421"),
        ("9.1.2", "5422 5520 5619 5621 5714 5818 5916"),
        ("9.4", "3521 3919 3920 3922 4014 4018 4025 4111 4113 4114 4209 4224 4310 4326 4407 4427 4432 4529 4531"),
        ("9.4", "4219 4220 4315 4317 4418 4423 4514 4520 4608 4610 4617 4625 4713 4720 4827 4911 4916 5015"),
    ],
    (KAISERS, "map", "named-beside"): [("28.5", "2926 2721")],
}
#: Places that rules name with their hexes.
PLACES = {
    (WELTKRIEG, "map-4-5"): "Posen 0420, Graudenz 1114, Kulm 0915, Marienburg 1111, Thorn 1016, Warsaw 2119, Novo-Georgievsk 1918",
    (WELTKRIEG, "map-5-5"): "Breslau 0607, Lublin 2803, Cholm 3203, Kowel 3601, Lemberg 3609, Przemysl 3111, Stanislau 4013, Krakau 1911",
    (WELTKRIEG, "map-5-3"): "Metz 2415, Strasbourg 3018, Belfort 2723, Brussels 1606, Liège 2107, Antwerp 1604",
    (WELTKRIEG, "map-6-4"): "Trieste 3419, Fiume 3620, Pola 3423, Milano 1421, Bologna 2326",
    (WELTKRIEG, "map-6-5"): "Nish 2413, Belgrade 1607",
    (KAISERS, "map"): "Lemberg 2622",
}  # fmt: skip
DRAWN = ("map-4-5", "map-5-5")
ALSO_DRAWN = ("east-prussia",)


@cache
def game(folder: str) -> Game:
    return named_game(str(PLUGINS / folder))


@cache
def said(folder: str, name: str) -> dict[tuple[str, str], set[Basis]]:
    """What the files of a board say beyond its terrain and towns: by track and subject, how it is known."""
    board, found = game(folder).board(name), dict[tuple[str, str], set[Basis]]()

    def keep(track: str, subject: str, _value: object, basis: Basis, _where: object) -> None:
        found.setdefault((track, subject), set()).add(basis)

    def stop(error: InputError) -> None:
        raise error

    for file in lines_files(PLUGINS / folder / "boards" / name):
        usual = Basis(
            Source.DRAWN if file.name != "rulebook.lines" and name in (*DRAWN, *ALSO_DRAWN) else Source.RULEBOOK
        )
        LinesReader(board, game(folder).tracks, usual, keep).read(file.read_text("utf-8"), file.name, stop)
    return found


@pytest.mark.parametrize(("folder", "board", "track"), NAMED)
def test_hexes_that_rules_name_are_there_with_the_rule(folder: str, board: str, track: str) -> None:
    for rule, hexes in NAMED[folder, board, track]:
        for hex in hexes.split():
            fact = game(folder).board(board).fact(track, hex)
            assert fact is not None, f"{track} of {hex}"
            assert fact.source is Source.RULEBOOK, f"{track} of {hex}"
            bases = said(folder, board)[track, hex]
            assert any((basis.source, basis.rule) == (Source.RULEBOOK, rule) for basis in bases), f"{hex}: {rule}"


@pytest.mark.parametrize(("folder", "board"), PLACES)
def test_places_that_rules_name_stand_in_their_hexes(folder: str, board: str) -> None:
    expected = dict(entry.rsplit(" ", 1) for entry in PLACES[folder, board].split(", "))
    found = {
        place.name: place.hex
        for place in game(folder).board(board).places
        if place.basis.source is Source.RULEBOOK and place.basis.rule
    }
    assert found == expected


def boards() -> list[tuple[str, str]]:
    return [(folder, name) for folder in (WELTKRIEG, UNDONE, KAISERS) for name in game(folder).board_names]


@pytest.mark.parametrize(("folder", "board"), boards())
def test_no_fact_passes_for_a_rule_without_its_number(folder: str, board: str) -> None:
    for (track, subject), bases in said(folder, board).items():
        for basis in bases:
            if basis.source is Source.RULEBOOK:
                assert basis.rule or basis.note == "notes on the maps", f"{track} of {subject}"


# --- Der Weltkrieg: the fit to latitude and longitude -----------------------------------------------------------------


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
     if town.fit and not town.rule],
)  # fmt: skip
def test_what_was_worked_out_is_drawn_and_stands_where_a_rule_names_a_hex(board: str, name: str) -> None:
    place = next(place for place in game(WELTKRIEG).board(board).places if place.name == name)
    assert place.basis.source is Source.DRAWN
    assert any(
        basis.source is Source.RULEBOOK
        for (_, subject), bases in said(WELTKRIEG, board).items()
        if subject == place.hex
        for basis in bases
    )


@thorough
@pytest.mark.parametrize("board", DRAWN)
def test_the_tables_give_the_files_byte_for_byte(board: str) -> None:
    folder = PLUGINS / WELTKRIEG / "boards" / board
    for name, text in board_files(draft(board), game(WELTKRIEG).tracks, "plugins/der_weltkrieg").items():
        written = (folder / name).read_text("utf-8") if (folder / name).exists() else ""
        assert written == text, f"{name}: draw the board anew"


def test_hexes_that_rules_call_adjacent_are() -> None:
    grid = game(WELTKRIEG).file.grid
    for one, other in [("1006", "0907"), ("0907", "0908"), ("0907", "0806"), ("0807", "0707"), ("1006", "0906"), ("0421", "0322"), ("2018", "2119")]:  # fmt: skip
        assert grid.distance(grid.parse(one), grid.parse(other)) == 1, f"{one} and {other}"
    assert grid.distance(grid.parse("0707"), grid.parse("0907")) == 2, "the third hex of the sector"


@few(1)
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

"""The board of the Eastern Front: drawn the same each time, exact where rules name places, and where an atlas has things."""

from __future__ import annotations

import csv
import re
from heapq import heappop, heappush
from itertools import pairwise
from math import dist, sqrt
from pathlib import Path

import pytest

from assistant.game.boards import Board
from assistant.game.boards.files import read_board
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.state.state import hexside
from assistant.util.datafiles import resolve_within
from tests.tools.geography.measures import residuals
from tools.geography.__main__ import GAMES
from tools.geography.draft import Draft
from tools.geography.files import board_files
from tools.geography.lines import is_left, nearest
from tools.geography.tables import Tables

from ..cases import thorough


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("twilight-in-the-east")


@pytest.fixture(scope="module")
def folder(game: Game) -> Path:
    return Path(str(game.folder))


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables(GAMES / "twilight_in_the_east")


@pytest.fixture(scope="module")
def draft(tables: Tables, game: Game) -> Draft:
    assert game.file.grid
    return Draft(tables, game.file.grid)


@pytest.fixture(scope="module")
def board(game: Game) -> Board:
    return read_board(resolve_within(game.folder, "boards/east"), game.tracks)


def fact(board: Board, track: str, subject: str) -> object:
    found = board.fact(track, subject)
    return found.value if found else None


@thorough
def test_the_tables_give_the_files_byte_for_byte(draft: Draft, folder: Path, game: Game) -> None:
    for name, text in board_files(draft, game.tracks, "twilight-in-the-east").items():
        assert (folder / "boards" / "east" / name).read_text("utf-8") == text, f"{name}: draw the board anew"


def test_the_fit_and_its_residuals(draft: Draft, tables: Tables) -> None:
    assert draft.land.fit.kilometres == pytest.approx(7.9, abs=0.05)
    base = residuals(draft.land.grid, draft.land.fit, tables.base)
    assert len(base) == 28
    assert sqrt(sum(away**2 for away in base.values()) / len(base)) < 0.36
    assert max(base.values()) < 0.61
    known = residuals(draft.land.grid, draft.land.fit, tables.known)
    assert len(known) > 50 and max(known.values()) < 1.25


def test_every_known_place_falls_into_its_hex(draft: Draft, tables: Tables, board: Board) -> None:
    for place in tables.known:
        where = draft.land.ground.place(place.latitude, place.longitude)
        assert draft.land.mesh.hex_at(where) == place.hex, place.name
    printed = {(town.name, town.hex) for town in tables.towns.values() if town.rule}
    assert printed <= {(place.name, place.hex) for place in board.places}


def test_schneidemuehl_lies_off_the_map_beside_the_hex_of_its_railway(draft: Draft, tables: Tables) -> None:
    """8.2.8"""
    where = draft.land.ground.place(*tables.towns["Schneidemühl"].position or ())
    assert draft.land.mesh.hex_at(where) is None and dist(where, draft.land.mesh.centre("98.36")) < 1.5


def bank(board: Board, river: str, hex: str) -> str:
    """The bank of a river on which a hex lies, looking downstream."""
    line = []
    for chain in board.chains:
        if chain.name == river:
            for one, other in pairwise([tuple(side.split("|")) for side in chain.path]):
                shared = {*board.grid.corners(*map(board.grid.parse, one))} & {
                    *board.grid.corners(*map(board.grid.parse, other))
                }
                line += [board.grid.point(corner) for corner in shared]
    assert nearest(board.centre(hex), line)[0] < 2, "the river is not far"
    return "left" if is_left(board.centre(hex), line) else "right"


BANKS = """
Vistula: Warsaw left, Thorn right, Graudenz right, Ivangorod right, Novo-Georgievsk right, Sandomierz left, Krakau left, Plock right,
Wlozlawek left, Dirschau left, Nowo-Alexandria right, Tarnobrzeg right, Bromberg left, Kulm right, Schulitz left, Auschwitz right
San: Jaroslau left, Rozwadow left, Sanok left, Sieniawa right, Radymno left, Zagorz left, Rudnik left, Krzeszow right
Bug: Sokal right, Brest-Litowsk right, Terespol left, Wlodawa left, Wyszkow right, Drohiczyn right, Krystynopol left, Krylow left
Narew: Lomza left, Ostrolenka left, Pultusk right, Zegrze right, Nowogrod left
Bobr: Ossowez left
Memel: Kowno right, Grodno right, Merecz right
Wilia: Wilna left, Landwarowo left
Dniester: Halicz right, Zaleszczyki left, Sambor left, Nizniow right
Pregel: Wehlau left, Tapiau right, Königsberg right
Pripet: Pinsk left
Styr: Luzk right
Pruth: Kolomea left, Czernowitz right
Nogat: Marienburg right, Elbing right
Drewenz: Gollub right
Warthe: Sieradz left, Konin left, Czenstochau left, Posen left
Prosna: Kalisch right, Wieruszow right, Grabow left
Przemsza: Myslowitz right, Sosnowice right
Dunajec: Neu-Sandez right, Tarnow right
Alle: Friedland left
Wieprz: Lubartow left, Leczna right
Bodrog: Satoraljaujhely right, Sarospatak right
"""


@pytest.mark.parametrize(
    ("river", "town", "side"),
    [
        (river, *pair.rsplit(" ", 1))
        for river, pairs in re.findall(r"^(\w+): ([^:]+)$", BANKS, re.MULTILINE)
        for pair in re.split(r",\s*", pairs.strip())
    ],
)
def test_towns_lie_on_their_banks(board: Board, river: str, town: str, side: str) -> None:
    hex = next(place.hex for place in board.places if place.name == town)
    assert bank(board, river, hex) == side


def test_no_place_lies_in_the_sea(board: Board) -> None:
    assert len(board.places) > 600
    assert not [place.name for place in board.places if fact(board, "terrain", place.hex) == "sea"]


@thorough
def test_borders_join(draft: Draft) -> None:
    assert {len(countries) for countries in draft.countries.values()} == {1}
    assert {*draft.countries} == draft.land.mesh.hexes - draft.land.sea
    for town, country in (
        ("Lyck", "german"),
        ("Grajewo", "russian"),
        ("Sokal", "austro-hungarian"),
        ("Kalisch", "russian"),
    ):
        assert draft.countries[draft.land.town_hexes[town]] == {country}, town


def rail_length(board: Board, start: str, end: str) -> int:
    """The hexes of the shortest way by rail between two hexes."""
    queue, seen = [(0, start)], set()
    while queue:
        length, here = heappop(queue)
        if here == end:
            return length
        if here in seen:
            continue
        seen.add(here)
        for other in board.neighbours(here):
            if fact(board, "rail", hexside(here, other)) in ("rail1", "rail2"):
                heappush(queue, (length + 1, other))
    return 0


def test_all_railways_are_one_net(board: Board) -> None:
    links = [side for (track, side) in board.facts if track == "rail"]
    around: dict[str, set[str]] = {}
    for side in links:
        one, other = side.split("|")
        around.setdefault(one, set()).add(other)
        around.setdefault(other, set()).add(one)
    todo, seen = ["58.52"], {"58.52"}
    while todo:
        for other in around[todo.pop()] - seen:
            seen.add(other)
            todo.append(other)
    assert seen == {*around}


def test_roads_have_courses_of_their_own(board: Board) -> None:
    roads = [side for (track, side) in board.facts if track == "road"]
    beside = sum(fact(board, "rail", side) in ("rail1", "rail2") for side in roads)
    assert len(roads) > 3000 and beside / len(roads) < 0.36


@pytest.mark.parametrize(
    ("start", "end", "longest"),
    [
        ("Danzig", "Zoppot", 2),
        ("Königsberg", "Cranz", 4),
        ("Koschedary", "Janow (Wilia)", 5),
        ("Ruttka", "Alsokubin", 6),
        ("Alsokubin", "Neumarkt", 8),
        ("Oels", "Krotoschin", 10),
        ("Gnesen", "Exin", 9),
        ("Ratibor", "Rybnik", 4),
        ("Eperjes", "Bartfa", 5),
        ("Kolomea", "Zaleszczyki", 8),
    ],
)
def test_railways_join_their_towns(board: Board, start: str, end: str, longest: int) -> None:
    hexes = {place.name: place.hex for place in board.places}
    assert 0 < rail_length(board, hexes[start], hexes[end]) <= longest


RIVERS = """
grand-river: Vistula, Memel, Danube
major-river: Bug, Narew, San, Dniester, Pruth, Pripet, Styr, Horyn, Wilia, Warthe, Oder, Pilica, Wieprz, Dunajec, Wisloka, Pregel, Nogat
minor-river: Stryj, Szczara, Jasiolda, Pina, Stochod, Zbrucz, Strypa, Swica, Angerapp, Passarge, Drewenz, Nida
"""


@thorough
@pytest.mark.parametrize(
    ("widest", "river"),
    [(word, name) for word, names in re.findall(r"([a-z-]+): (.+)", RIVERS) for name in names.split(", ")],
)
def test_no_tributary_is_wider_than_its_river(draft: Draft, widest: str, river: str) -> None:
    assert draft.rivers[river].stretches[-1][0] == widest


@thorough
@pytest.mark.parametrize(
    ("river", "hex", "where"),
    [
        ("Memel", "45.12", "by Tilsit and off the map"),
        ("Pina", "06.55", "by Pinsk"),
        ("Jasiolda", "03.54", "below Pinsk"),
        ("Styr", "02.55", "below the Jasiolda"),
    ],
)
def test_mouths_of_rivers(draft: Draft, river: str, hex: str, where: str) -> None:
    last = draft.rivers[river].walk[-1]
    mouth = draft.land.mesh.at(last.end)
    assert dist(mouth, draft.land.mesh.centre(hex)) < 1.7, where


@pytest.mark.parametrize(
    ("terrain", "latitude", "longitude", "what"),
    [
        ("high-mountain", 49.18, 20.08, "the Tatra"),
        ("high-mountain", 48.16, 24.50, "Howerla in the Czarnohora"),
        ("high-mountain", 48.55, 24.10, "the Gorgany"),
        ("mountain", 49.57, 19.53, "Babia Gora"),
        ("mountain", 49.12, 22.57, "Halicz in the Bieszczady"),
        ("rough", 49.42, 21.70, "the Dukla pass, lower than the Beskids"),
        ("clear", 49.44, 19.85, "the basin west of Neumarkt"),
        ("rough", 54.25, 18.12, "the Turmberg"),
        ("rough", 54.21, 19.55, "the heights of Elbing"),
        ("rough", 53.56, 19.98, "the heights of Kernsdorf"),
        ("rough", 54.33, 22.75, "the hills of Wystiten"),
        ("rough", 50.36, 19.65, "the Krakau Jura"),
        ("rough", 50.47, 23.35, "Roztocze"),
        ("clear", 52.23, 20.50, "Masovia"),
        ("clear", 49.06, 19.46, "the basin of Liptau"),
        ("clear", 48.95, 18.90, "the basin of Turocz"),
        ("rough", 49.18, 22.85, "the upper San, not flat among mountains"),
        ("wetlands", 52.05, 26.55, "the Pripet Marshes"),
    ],
)
def test_ground_as_an_atlas_has_it(
    board: Board, draft: Draft, terrain: str, latitude: float, longitude: float, what: str
) -> None:
    hex = draft.land.mesh.hex_at(draft.land.ground.place(latitude, longitude))
    assert hex and fact(board, "terrain", hex) == terrain, f"{what}, {hex}"


def test_railways_and_roads_pass_between_lakes(board: Board) -> None:
    crossed = [side for (track, side) in board.facts if track in ("rail", "road")]
    assert not [side for side in crossed if {"lake", "sea"} & {*(fact(board, "barrier", side) or ())}]  # type: ignore[misc]


@thorough
def test_the_masurian_lakes_are_one_chain_between_angerapp_and_pissek(draft: Draft) -> None:
    """But for the narrows at Lötzen, Nikolaiken and Guszianka, which are open."""
    lakes = {side for side, word in draft.water.items() if word == "lake"} | {*draft.settings.sides["open"]}
    corners = {side: {*draft.land.grid.corners(*map(draft.land.grid.parse, side.split("|")))} for side in lakes}
    chain = [corners.pop("49.25|50.25")]
    for reached in chain:
        for side in [side for side, ends in corners.items() if ends & reached]:
            chain.append(corners.pop(side))
    found = set().union(*chain)
    for lake in ("Mauersee", "Jagodner See", "Beldahnsee", "Spirdingsee", "Niedersee", "Roschsee"):
        assert {end for side in draft.lakes[lake].walk for end in (side.start, side.end)} & found, lake
    for river in ("Angerapp", "Pissek"):
        walk = [side for side in draft.rivers[river].walk if draft.water.get(hexside(side.left, side.right)) != "lake"]
        assert walk[0].start in found, river


def test_every_entry_says_that_it_is_drawn_unless_a_rule_says_it(board: Board) -> None:
    for entry in (*board.chains, *board.labels, *board.places):
        assert entry.basis.source.value == ("rulebook" if entry.basis.rule else "drawn")


@thorough
def test_the_lakes_of_the_data_that_were_not_there_yet(draft: Draft, tables: Tables) -> None:
    """Reservoirs on the San, Dunajec, Vistula and Memel leave no lake behind."""
    for latitude, longitude in tables.settings.younger:
        hex = draft.land.mesh.hex_at(draft.land.ground.place(latitude, longitude))
        if hex:
            around = [hexside(hex, other) for other in draft.land.mesh.neighbours[hex]]
            assert not any(draft.water.get(side) == "lake" for side in around), (latitude, longitude)


def test_the_sources_are_named(folder: Path, tables: Tables) -> None:
    text = (folder / "boards" / "east" / "SOURCES.md").read_text("utf-8")
    for name in ("GeoNames", "CC BY 4.0", "GSHHG", "LGPL", "GLOBE", "ETOPO5"):
        assert name in text
    with (tables.folder / "places.csv").open(encoding="utf-8", newline="") as file:
        assert all(row["name"] for row in csv.DictReader(file))


@thorough
def test_every_river_ends_in_another_or_in_the_sea_or_at_the_edge(draft: Draft) -> None:
    mesh, sea = draft.land.mesh, draft.land.sea
    touched: dict[object, set[str]] = {}
    for name, laid in draft.rivers.items():
        for corner in (laid.walk[0].start, *(side.end for side in laid.walk)):
            touched.setdefault(corner, set()).add(name)
    for name, laid in draft.rivers.items():
        end = laid.walk[-1].end
        around = {hex for side in mesh.onward[end] for hex in (side.left, side.right)}
        at_edge = any(len(mesh.neighbours[hex]) < 6 for hex in around)
        assert touched[end] - {name} or around & sea or at_edge, name

"""The board drawn from geography: three places settle how the hexes lie, others show how far that can be trusted, and
nothing that is drawn passes for printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import dist

import msgspec
import pytest

from assistant.asking.view import View
from assistant.drawing.geometry import point_between
from assistant.drawing.layout import Layout
from assistant.drawing.map.borders import border_layers
from assistant.drawing.map.countries import tints_in_key
from assistant.drawing.map.survey import SurveyReader, survey_of
from assistant.drawing.map.waters import Waters
from assistant.drawing.scene import Path, encloses
from assistant.drawing.style import move_off_water
from assistant.game.games import Game
from assistant.game.hexes import HexGrid
from assistant.installed.registry import named_game
from assistant.state.state import hexside
from assistant.state.tracks import Source
from tools.geography.__main__ import GAMES
from tools.geography.draft import Draft
from tools.geography.files import board_files
from tools.geography.fitting import Fit, KnownPlace, fit_map
from tools.geography.tables import Tables

from ..cases import thorough
from ..conftest import typed
from .asking import GAME, undone

BOARD = "east-prussia"
#: Towns in which set-ups put what stood there in August 1914: the garrisons of both fortresses (9.1.1), and the rearmost
#: division of the Russian I Corps, which assembled round the railway station of Mlawa (9.1.2).
ANCHORS = {"Graudenz": "0620", "Lötzen": "4025", "Mlawa": "1933"}
#: Where other units stood, by histories of the campaign, and how far that misses the hex of their set-up, in hexes.
GUESSES = {
    ("Gilgenburg", "1826"): (0.5, "Landwehr in August"),
    ("Hohenstein", "2226"): (0.7, "41st Division, 23 August"),
    ("Arys", "4029"): (0.0, "II Corps, between Lötzen and Lyck"),
    ("Chorzele", "2532"): (1.1, "XIII Corps crosses the border"),
    ("Goldap", "4824"): (0.9, "30th Division, 19 August"),
    ("Marggrabowa", "4628"): (1.1, "cavalry on the left of the First Army"),
    ("Wirballen", "5520"): (0.8, "28th Division crosses the border"),
    ("Lyck", "4531"): (0.6, "8th Cavalry Division, 9 September"),
    ("Wehlau", "4014"): (0.7, "36th Reserve Division, 8 September"),
    ("Jablonowo", "1023"): (0.7, "main reserve of Graudenz"),
    ("Passenheim", "2626"): (1.3, "37th Division, between Allenstein and Ortelsburg"),
    ("Myszyniec", "2932"): (1.9, "VI Corps, 20 August"),
    ("Nikolaiken", "3826"): (2.2, "6th Landwehr Brigade, at the lakes"),
    ("Tapiau", "4111"): (3.7, "Reserves of Posen on the Deime, September"),
    ("Insterburg", "4916"): (3.4, "Rennenkampf's headquarters, September"),
    ("Gumbinnen", "5319"): (3.7, "1st Division, 20 August"),
    ("Labiau", "4407"): (4.7, "reserves of Königsberg on the Deime, September"),
}


@cache
def game() -> Game:
    return named_game(GAME)


@cache
def tables() -> Tables:
    return Tables(GAMES / "world_undone_east_prussia")


@cache
def draft() -> Draft:
    return Draft(tables(), game().file.grid)


def known(anchors: Iterable[tuple[str, str]]) -> list[KnownPlace]:
    towns = tables().towns
    return [KnownPlace(name, *towns[name].position, hex) for name, hex in anchors]  # type: ignore[misc]


def fitted(grid: HexGrid, base: Sequence[KnownPlace]) -> Fit:
    return fit_map(grid, tables().settings.centre, base, similarity=True)


def off(grid: HexGrid, fit: Fit, place: KnownPlace) -> float:
    return dist(fit.place(place.latitude, place.longitude), grid.centre(grid.parse(place.hex)))


def left_out(grid: HexGrid, anchors: Mapping[str, str] = ANCHORS) -> list[float]:
    """How far each anchor falls from its hex by a fit to the other two."""
    base = known(anchors.items())
    return [off(grid, fitted(grid, [other for other in base if other != place]), place) for place in base]


# --- the fit ----------------------------------------------------------------------------------------------------------


def test_the_fit_rests_on_three_places_and_each_is_where_the_other_two_put_it() -> None:
    fit, grid = draft().land.fit, draft().land.grid
    assert {place.name: place.hex for place in tables().base} == ANCHORS
    assert max(off(grid, fit, place) for place in tables().base) < 0.1
    assert max(left_out(grid)) < 0.3
    assert (fit.kilometres, fit.north) == (pytest.approx(6.94, abs=0.01), pytest.approx(26.1, abs=0.1))


@pytest.mark.parametrize("shifted", ["even", "odd"])
def test_hexes_in_rows_do_not_fit(shifted: str) -> None:
    grid = msgspec.structs.replace(game().file.grid, orientation="pointy", shifted=shifted)
    assert min(left_out(grid)) > 2.4


def test_which_columns_are_lower_no_place_decides() -> None:
    """The I Corps has two hexes at Mlawa: with the other one, odd columns fit as well as even ones with this."""
    odd = msgspec.structs.replace(game().file.grid, shifted="odd")
    assert min(left_out(odd)) > 1
    assert left_out(odd, {**ANCHORS, "Mlawa": "1932"}) == pytest.approx(left_out(game().file.grid), abs=0.01)
    grid = game().file.grid
    touching = {grid.name(hex) for hex in grid.neighbours(grid.parse("4025")).values()}
    assert "4126" in touching and "4124" not in touching, "what the owner of the map checks"


@pytest.mark.parametrize(("town", "hex"), GUESSES)
def test_how_far_the_drawing_misses_what_histories_say(town: str, hex: str) -> None:
    """Within some two hexes but in the north, where units stand 20 to 30 km further out than they did."""
    (place,) = known([(town, hex)])
    missed = off(draft().land.grid, draft().land.fit, place)
    assert missed == pytest.approx(GUESSES[town, hex][0], abs=0.06)
    assert missed < 2.3 or place.latitude > 54.5


# --- what is drawn ----------------------------------------------------------------------------------------------------


def test_what_no_rule_states_is_drawn_and_hexes_of_set_ups_are_land() -> None:
    sources = game().board(BOARD).sources
    assert {track: {*of} for track, of in sources.items() if {*of} != {Source.DRAWN}} == {"set-up": {Source.RULEBOOK}}
    assert not {"vp", "fortress", "fortress-zone", "control"} & {*sources}
    assert {"terrain", "barrier", "rail", "town", "named", "country", "map-edge", "border"} <= {*sources}
    board = game().board(BOARD)
    set_up = board.known("set-up")
    assert len(set_up) == 81
    assert all(board.fact("terrain", hex).value != "sea" for hex in set_up)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("town", "country", "hex"),
    [
        ("Königsberg", "germany", "3311"),
        ("Tilsit", "germany", "4911"),
        ("Insterburg", "germany", "4517"),
        ("Allenstein", "germany", "2524"),
        ("Lyck", "germany", "4430"),
        ("Soldau", "germany", "1830"),
        ("Graudenz", "germany", "0620"),
        ("Mlawa", "russia", "1933"),
        ("Suwalki", "russia", "5229"),
        ("Wirballen", "russia", "5521"),
    ],
)
def test_towns_have_a_name_a_class_and_a_country(town: str, country: str, hex: str) -> None:
    board = game().board(BOARD)
    facts = {track: board.fact(track, hex) for track in ("named", "country", "town")}
    assert {track: fact.value for track, fact in facts.items() if fact} | {"town": ""} == {
        "named": town, "country": country, "town": "",
    }  # fmt: skip
    assert facts["town"] and facts["town"].value in ("town", "city")


@thorough
def test_every_hex_of_land_lies_in_one_country() -> None:
    land = draft().land
    assert {*draft().countries} == land.mesh.hexes - land.sea
    assert {len(found) for found in draft().countries.values()} == {1}


def test_each_side_of_the_border_has_the_colour_of_its_country_on_the_map_and_in_its_key() -> None:
    layout = Layout(game().board(BOARD), ["5420", "5520"])
    survey = survey_of(layout, game())
    layer, _ = border_layers(survey, Waters(survey))
    bands = [(shape.fill, line) for shape in layer.shapes if isinstance(shape, Path) for line in shape.lines]
    germany, russia = survey.palette.country("germany"), survey.palette.country("russia")
    for name, tint in (("5420", germany), ("5520", russia)):
        beside = point_between(point_between(*layout.hexside("5420", "5520"), 0.5), layout.centre(name), 0.2)
        assert {fill for fill, line in bands if encloses(line, beside)} == {tint}
    assert tints_in_key(survey.palette, survey.look.values("country")) == (germany, russia)
    assert (germany, russia) == tuple(
        move_off_water(survey.palette.side(side).strong) for side in ("german", "russian")
    )


def test_heavy_artillery_shows_its_modifier_on_the_map_too() -> None:
    position = typed(f"game {GAME}\n5520: XX/28, 1A/2HA\n")
    look = SurveyReader(View(position.game, position.state))
    assert [look.figures(unit) for unit in ("XX/28", "1A/2HA")] == [("5", "2"), ("(-1)", "2")]


def test_the_edges_of_the_drawing() -> None:
    board = game().board(BOARD)
    edges = Counter(str(board.fact("map-edge", hex).value) for hex in board.known("map-edge"))  # type: ignore[union-attr]
    assert edges == {
        **{"('west',)": 34, "('east',)": 34, "('north',)": 57, "('south',)": 57},
        **dict.fromkeys(("('west', 'north')", "('west', 'south')", "('east', 'north')", "('east', 'south')"), 1),
    }
    assert len(board.hexes) == 59 * 36


@thorough
@pytest.mark.parametrize(
    ("river", "one", "other"),
    [("Angerapp", "Gumbinnen", "Goldap"), ("Alle", "Allenstein", "Wartenburg"), ("Vistula", "Graudenz", "Kulm")],
)
def test_rivers_lie_on_hexsides(river: str, one: str, other: str) -> None:
    board = game().board(BOARD)
    assert river in draft().rivers
    for side in draft().rivers[river].walk:
        fact = board.fact("barrier", hexside(side.left, side.right))
        assert fact is None or fact.value in ("river", "lake", "sea", "open")
    assert {one, other} <= {place.name for place in board.places}


def test_the_lakes_bar_the_way_but_at_the_narrows_of_the_railways() -> None:
    board = game().board(BOARD)
    lakes = {side for side in board.known("barrier") if board.fact("barrier", side).value == "lake"}  # type: ignore[union-attr]
    assert len(lakes) > 40
    crossed = {hexside(*pair) for line in draft().railways for pair in zip(line.hexes, line.hexes[1:], strict=False)}
    assert not crossed & lakes


@pytest.mark.parametrize(
    ("unit", "hex", "edge"), [("I/24", "1933", "eastern"), ("VI/16", "2932", "eastern"), ("I/2", "5418", "western")]
)
def test_who_begins_at_home_is_supplied_over_the_drawing_and_the_report_says_that_it_is_drawn(
    unit: str, hex: str, edge: str
) -> None:
    report = undone(f"board {BOARD}\n{hex}: {unit}\n", "supply", unit=[unit])
    text = report.parts[0].steps[0].text
    assert f"supplied from the {edge} edge" in text or "supplied from Königsberg" in text
    assert any(caution.text.startswith("drawn") for caution in report.cautions)


@thorough
def test_the_tables_give_the_files_byte_for_byte() -> None:
    folder = game().folder / "boards" / BOARD
    for name, text in board_files(draft(), game().tracks, GAME).items():
        written = (folder / name).read_text("utf-8") if (folder / name).is_file() else ""
        assert written == text, f"{name}: draw the board anew"

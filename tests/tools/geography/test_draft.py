"""A small made-up coast drawn from tables: the files are a board that reads without a fault; bad tables say where and what."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from assistant.game.boards import Board
from assistant.game.boards.files import read_board
from assistant.game.hexes import HexGrid
from assistant.state.tracks import Track
from assistant.util.errors import InputError
from tools.geography.draft import Draft
from tools.geography.files import board_files
from tools.geography.tables import Tables

GRID = HexGrid(shifted="odd", columns=(1, 12), rows=(1, 12), format="{column:02}.{row:02}")


def track(name: str, on: str, kind: str, *values: str) -> Track:
    return Track(name=name, title=name, on=on, kind=kind, values=values, token="{}" if values else "", rule="1")  # type: ignore[arg-type]


TRACKS = {
    one.name: one
    for one in (
        track("terrain", "hex", "choice", "flat", "hill", "bog", "peak", "alp", "water"),
        track("town", "hex", "choice", "none", "village", "city"),
        track("depot", "hex", "flag"),
        track("side", "hexside", "choices", "open", "brook", "stream", "pond", "deep", "crest"),
        track("line", "hexside", "choice", "no-line", "tram", "main"),
        track("width", "hexside", "choice", "narrow", "wide", "mixed"),
        track("frontier", "hexside", "choice", "no-frontier", "frontier"),
        track("home", "hex", "choice", "nobody", "red", "blue"),
        track("rim", "hex", "choices", "left", "right", "top", "bottom"),
        track("called", "hex", "text"),
    )
}
SETTINGS = """
board = "coast"
title = "A coast"
centre = [52.0, 21.0]
frame = [51, 20, 53, 23]
whole = ["side", "line"]
younger = [[52.05, 21.1]]
countries.red = ["Westby"]
countries.blue = ["Eastby"]
friendly.red = "home=red"
friendly.blue = "home=blue"
letters = { f = "flat", h = "hill", b = "bog", p = "peak", a = "alp", w = "water" }
[words]
rivers = ["brook", "stream"]
lake = "pond"
sea_side = "deep"
open = "open"
ridge = "crest"
station = "depot"
parting = "frontier"
crossed = { stream = 0.4, pond = 6.0, deep = 30.0 }
strongest = ["main", "tram"]
both = { "narrow+wide" = "mixed" }
sizes = ["", "village", "city"]
[words.terrain]
flat = "flat"
rough = "hill"
wet = "bog"
mountain = "peak"
high = "alp"
sea = "water"
over = ["bog", "hill", "peak", "alp"]
"""
TABLES = {
    "geography.toml": SETTINGS,
    "places.csv": """name,latitude,longitude,class,hex,rule,fit,name-pl
Westby,52.0,20.6,city,03.07,1.1,yes,Zachód
Midby,52.0,21.0,village,06.07,,yes,
Eastby,52.0,21.4,city,09.07,,yes,
Southby,51.7,21.0,village,06.11,,yes,
Boggart,51.84,21.3,village,,,,
Faraway,50.0,28.0,city,,,,
""",
    "shores.csv": "kind,points\nsea,52.25 19.0; 52.25 23.0; 53.0 23.0; 53.0 19.0\nlake,52.0 21.05; 52.1 21.05; 52.1 21.15; 52.0 21.15\n",
    "courses.csv": "kind,points\n1,51.75 20.8; 51.9 20.85; 52.1 20.8; 52.3 20.8\n",
    "heights.txt": "# none\n",
    "rises.txt": "# none\n",
    "rivers.csv": "name,words,data,course,certainty\nLong,brook,yes,51.72 20.8; 51.9 20.84,high\nLong,stream,yes,51.95 20.84; 52.3 20.8,high\nSide,brook,,51.85 20.5; 51.95 20.84,low\n",
    "lakes.csv": "name,words,data,course,certainty\nMere,pond,,51.95 21.2; 51.85 21.2,low\n",
    "land.csv": "name,words,data,course,certainty\n",
    "borders.csv": "name,words,course,certainty\nFrontier,frontier,52.5 21.15; 51.9 21.15; 51.3 21.15,high\n",
    "railways.csv": "code,name,words,stations,certainty\nA,East line,main wide,Westby; Midby; Eastby; Faraway,high\nB,Branch,tram narrow,Southby; Midby; Eastby,low\n",
    "roads.csv": "code,name,words,stations,certainty\nR,Road,tram,Southby; Boggart,low\n",
    "regions.csv": "name,kind,points,certainty\nMoss,bog,51.6 21.2; 51.6 21.5; 51.9 21.5; 51.9 21.2,low\n",
    "labels.csv": "name,kind,points,certainty\nThe Moss,region,51.75 21.2; 51.75 21.5,low\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "geography").mkdir()
    for name, text in TABLES.items():
        (tmp_path / "geography" / name).write_text(text, "utf-8")
    return tmp_path


def drawn(folder: Path) -> tuple[Draft, dict[str, str]]:
    draft = Draft(Tables(folder / "geography"), GRID)
    return draft, board_files(draft, TRACKS, "drill")


@pytest.fixture
def board(folder: Path) -> Board:
    target = folder / "coast"
    target.mkdir()
    for name, text in filter(all, drawn(folder)[1].items()):
        (target / name).write_text(text, "utf-8")
    return read_board(target, TRACKS)


def test_the_files_are_a_board_without_a_fault(board: Board) -> None:
    assert board.title == "A coast" and board.grid == GRID
    assert {chain.name for chain in board.chains} >= {"Long", "Side", "Mere", "Frontier", "East line", "Branch"}
    assert [(label.name, label.kind) for label in board.labels] == [("The Moss", "region")]
    places = {place.name: place for place in board.places}
    assert {*places} == {"Westby", "Midby", "Eastby", "Southby", "Boggart"}, "what lies off the map is left out"
    assert (places["Westby"].hex, places["Westby"].names) == ("03.07", {"pl": "Zachód"})
    assert (places["Westby"].basis.source.value, places["Westby"].basis.rule) == ("rulebook", "1.1")
    assert places["Midby"].basis.source.value == "drawn"


def fact(board: Board, name: str, subject: str) -> object:
    found = board.fact(name, subject)
    return found.value if found else None


def test_a_terminus_is_one_where_a_railway_ends_on_this_board(folder: Path) -> None:
    marked = {"Eastby": "yes", "Midby": "yes"}
    first, *rows = TABLES["places.csv"].splitlines()
    rows = [f"{row},{marked.get(row.partition(',')[0], '')}" for row in rows]
    (folder / "geography" / "places.csv").write_text("\n".join([first + ",terminus", *rows]), "utf-8")
    draft, files = drawn(folder)
    ends = {place.name for place in read_board_text(files, folder).places if place.terminus}
    assert ends <= {"Eastby", "Midby"}
    links = [frozenset(pair) for stretch in draft.railways for pair in pairwise(stretch.hexes)]
    assert ends == {
        town.name for hex, town in draft.places if town.name in marked and sum(hex in link for link in links) == 1
    }


def test_roads_may_go_by_positions(folder: Path) -> None:
    text = TABLES["roads.csv"].replace("Southby; Boggart", "Boggart; 51.6 21.2; 50.9 21.3")
    (folder / "geography" / "roads.csv").write_text(text, "utf-8")
    draft = drawn(folder)[0]
    (road,) = draft.roads
    assert draft.land.mesh.hex_at(draft.land.ground.place(51.6, 21.2)) in road.hexes
    assert road.hexes[-1].endswith(".12"), "towards a position off the map it runs to the edge"


def test_a_road_across_the_sea(folder: Path) -> None:
    (folder / "geography" / "roads.csv").write_text(TABLES["roads.csv"].replace("Boggart", "52.4 21.0"), "utf-8")
    with pytest.raises(InputError, match="no way by land leads from 06.11 to 06.02"):
        drawn(folder)


def test_lakes_younger_than_the_map_are_left_out_and_another_goes_by_its_row_alone(folder: Path) -> None:
    sides = set(drawn(folder)[0].land.shore_sides)
    (folder / "geography" / "geography.toml").write_text(SETTINGS.replace("younger = [[52.05, 21.1]]", ""), "utf-8")
    by_area = drawn(folder)[0].land.shore_sides
    assert set(by_area) > sides
    (folder / "geography" / "lakes.csv").write_text(
        "name,words,data,course,certainty\nPond,pond,,52.02 21.06; 52.08 21.14,low\n", "utf-8"
    )
    draft = drawn(folder)[0]
    assert "pond" in by_area.values() and "pond" not in draft.land.shore_sides.values()
    assert draft.lakes["Pond"].walk


def test_the_same_tables_give_the_same_text(folder: Path) -> None:
    assert drawn(folder)[1] == drawn(folder)[1]


@pytest.mark.parametrize(
    ("file", "old", "new", "where", "what"),
    [
        ("places.csv", "52.0,20.6", "52.0,", "places.csv:2", "'52.0 ' is not a position"),
        ("places.csv", "52.0,20.6", "nan,20.6", "places.csv:2", "'nan 20.6' is not a position"),
        ("places.csv", "03.07", "3x.07", "places.csv", "'3x.07' is not a hex number"),
        ("heights.txt", "# none", "51.5 20 x 12/3", "heights.txt:1", "not a row of heights"),
        ("heights.txt", "# none", "51.5 20", "heights.txt:1", "not a row of heights"),
        ("geography.toml", 'f = "flat", ', "", "geography.toml", "no letter stands for flat"),
        ("places.csv", "52.0,21.0,village,06.07", ",,village,", "places.csv:3", "Midby has neither position nor hex"),
        ("rivers.csv", "51.85 20.5", "Nowhere", "rivers.csv:4", "unknown place 'Nowhere'"),
        ("rivers.csv", "51.85 20.5", "51.85", "rivers.csv:4", "'51.85' is not a position"),
        ("railways.csv", "Southby;", "Sothby;", "railways.csv:3", "unknown place 'Sothby'"),
        ("shores.csv", "52.25 19.0", "52.25", "shores.csv:2", "'52.25' is not a position"),
        ("rivers.csv", "name,words", "name,word", "rivers.csv:1", "column 'words' is missing"),
        ("places.csv", "03.07", "99.07", "places.csv", "hex 99.07 is off the map"),
        ("railways.csv", "main wide", "big wide", "railways.csv:2", "'big' is not a kind of railway or road"),
        ("railways.csv", "tram narrow", "tram huge", "", "lines that are huge and wide meet between 06.07 and 07.07"),
        ("borders.csv", "frontier,52.5", "fence,52.5", "", "'fence' states nothing of a hexside"),
        (
            "geography.toml",
            "[words]",
            'passes = ["Midbyy"]\n[words]',
            "geography.toml",
            "passes: no table has 'Midbyy'",
        ),
        ("geography.toml", "[words]", 'crests = ["Front"]\n[words]', "geography.toml", "crests: no table has 'Front'"),
        ("geography.toml", "[words]", 'off = ["Mos"]\n[words]', "geography.toml", "off: no table has 'Mos'"),
        ("places.csv", "city,03.07", "citty,03.07", "places.csv:2", "'citty' is not a class of places"),
    ],
)
def test_a_bad_table_says_where_and_what(folder: Path, file: str, old: str, new: str, where: str, what: str) -> None:
    text = TABLES[file]
    assert old in text
    (folder / "geography" / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(InputError) as caught:
        drawn(folder)
    assert str(caught.value).splitlines()[0] == f"{where}: {what}".removeprefix(": ")


# --- the ground of another game ------------------------------------------------------------------------------------------


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A game that takes its ground from the first one: with other words, places in other hexes and a border of its own."""
    (ground := tmp_path / "ground" / "geography").mkdir(parents=True)
    for name, text in TABLES.items():
        (ground / name).write_text(text, "utf-8")
    (ground / "railways.csv").write_text(
        TABLES["railways.csv"].replace("Midby; Eastby; F", "07.07; Eastby; F"), "utf-8"
    )
    (own := tmp_path / "other" / "geography").mkdir(parents=True)
    settings = (
        SETTINGS.replace('board = "coast"', 'board = "small"\nground = "../../ground/geography"\ncolumns = [2, 10]\noff = ["The Moss"]')
        .replace("younger = [[52.05, 21.1]]\n", "")
        .replace('rivers = ["brook", "stream"]', 'rivers = ["stream"]')
        .replace('strongest = ["main", "tram"]', 'strongest = ["main"]')
        .replace('sizes = ["", "village", "city"]', 'sizes = ["city"]')
    ) + '[called]\nbrook = ""\nvillage = ""\ntram = ""\nwide = ""\n'  # fmt: skip
    (own / "geography.toml").write_text(settings, "utf-8")
    (own / "places.csv").write_text(
        "name,latitude,longitude,class,hex,rule,fit\nWestby,52.0,20.6,city,03.08,9.9,yes\nMidby,52.0,21.0,city,06.08,9.9,yes\n"
        "Eastby,52.0,21.4,city,09.08,9.9,yes\nSouthby,51.7,21.0,city,06.12,,yes\n",
        "utf-8",
    )
    (own / "borders.csv").write_text(
        "name,words,course,certainty\nFrontier,frontier,52.5 20.85; 51.9 20.85; 51.3 20.85,high\n", "utf-8"
    )
    return tmp_path / "other"


def changed(folder: Path, **lines: str) -> tuple[Draft, dict[str, str]]:
    """The board by other settings. lines: what stands before a table, or in `[words]`."""
    settings = SETTINGS.replace("[words]", "[words]\n" + lines.pop("words", ""))
    (folder / "geography" / "geography.toml").write_text("".join(lines.values()) + settings, "utf-8")
    return drawn(folder)


def test_a_name_needs_a_text_to_stand_in(folder: Path) -> None:
    for words in ('named = "home"\n', 'named = "other"\n'):
        with pytest.raises(InputError, match="is not a text of hexes"):
            changed(folder, words=words)


def test_a_border_that_runs_outside_the_map_for_a_while_is_walked_on_both_parts(folder: Path) -> None:
    there = "51.55 20.45; 51.62 20.7; 51.55 20.9; 51.42 21.0; 51.42 21.1; 51.55 21.2; 51.62 21.4; 51.55 21.7"
    (folder / "geography" / "borders.csv").write_text(f"name,words,course\nFrontier,frontier,{there}\n", "utf-8")
    draft, _ = drawn(folder)
    columns = [{int(side.left[:2]) for side in border.walk} for border in draft.borders]
    assert len(columns) == 2
    assert max(min(columns, key=min)) < min(max(columns, key=min)), "west and east of where it is off the map"


def test_a_board_on_the_ground_of_another_game(other: Path) -> None:
    draft, files = drawn(other)
    assert draft.land.grid.columns == (2, 10)
    assert draft.land.grid.rows == GRID.rows, "as in game.toml"
    assert {town.name: (hex, town.rule) for hex, town in draft.places} == {
        "Westby": ("03.08", "9.9"),
        "Midby": ("06.08", "9.9"),
        "Eastby": ("09.08", "9.9"),
        "Southby": ("06.12", ""),
    }, "places by its own rows; of the others only towns of its classes"
    assert {*draft.rivers} == {"Long"}, "what has no word here is left out"
    assert {word for word, _ in draft.rivers["Long"].stretches} == {"stream"}
    assert [(stretch.name, stretch.words) for stretch in draft.railways] == [("East line", ("main",))]
    assert draft.labels == []
    assert not any("07.07" in stretch.hexes for stretch in draft.railways), "a hex of another board is no station"
    (border,) = draft.borders
    assert {side.left[:2] for side in border.walk} <= {"04", "05"}, "its own row of that name holds"
    assert draft.tables.younger == ((52.05, 21.1),), "lakes that the other leaves out"
    assert read_board_text(files, other).title == "A coast"


def test_a_row_without_words_leaves_out_what_the_ground_has_of_that_name(other: Path) -> None:
    (other / "geography" / "rivers.csv").write_text("name,words,data,course,certainty\nLong,,,,\n", "utf-8")
    assert drawn(other)[0].rivers == {}


def test_a_ground_without_tables(folder: Path) -> None:
    (folder / "geography" / "geography.toml").write_text('ground = "nowhere"\n' + SETTINGS, "utf-8")
    with pytest.raises(InputError, match=r"geography.toml"):
        drawn(folder)


def read_board_text(files: dict[str, str], folder: Path) -> Board:
    (target := folder / "small").mkdir()
    for name, text in filter(all, files.items()):
        (target / name).write_text(text, "utf-8")
    return read_board(target, TRACKS)

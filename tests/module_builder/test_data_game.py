"""A game of data alone, unlike the others: pointy hexes with letters, a drawn board, tracks without silence, no
palettes.
"""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lxml import etree
from PIL import Image

from assistant.formats.notation import read_notation as typed
from assistant.formats.positions import Position
from assistant.formats.vassal.legends import turn_track
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.game.games import Game
from assistant.game.hexes import HexGrid
from assistant.state.state import FactKey
from assistant.state.tracks import Fact
from assistant.util.errors import InputError
from module_builder.vassal.elements import CHARTS, MARKERS, NOTES, PALETTES, TRACK
from module_builder.vassal.module import BuiltModule, build_module, module_grid, read_places, shown_board, wanted_module
from module_builder.vassal.module_setting import ModuleSetting
from module_builder.vassal.pieces.maker import Art, Maker
from module_builder.vassal.setups import write_set_up

from ..cases import few
from ..folders import game_of

GAME = """
title = "Heath"
about = "Made up for the tests."
boxes = ["Reserve"]

[grid]
orientation = "pointy"
shifted = "odd"
format = "{column:A}{row}"
columns = [1, 30]
rows = [1, 20]

[notation]
brackets = ["strength"]

[sides]
red = ["red"]
blue = ["blue"]

[[roster]]
file = "roster.csv"
source = "printed"

[picture]
nation = "army"
figures = ["strength"]

[module]
name = "Heath"
about = "A module of the tests."
board = "heath"
columns = [3, 8]
rows = [2, 6]
hex = 60
counter = 40
places = "places.csv"
setups = [["start.pos", "The start"]]
"""
TRACKS = """
[army]
title = "army"
on = "unit"
kind = "choice"
values = ["red", "blue"]
printed = "counter"
token = "{}"
rule = "1"

[strength]
title = "strength"
on = "unit"
kind = "integer"
least = 1
printed = "counter"
rule = "1"

[turn]
title = "turn"
on = "game"
kind = "integer"
least = 5
most = 9
rule = "2"
module = { menu = ["Turn"] }

[sky]
title = "sky"
on = "game"
kind = "choice"
values = ["rain", "sun"]
absent = "sun"
rule = "2"
module = { menu = ["Sky"] }

[stance]
title = "stance"
on = "unit"
lasts = true
kind = "choice"
values = ["holds", "falls-back", "attacks"]
rule = "3"
module = { menu = ["Stance"], keys = ["E"] }

[halted]
title = "halted"
on = "unit"
lasts = true
kind = "flag"
absent = false
rule = "3"
module = { menu = ["Halt"], keys = ["H"], tag = "H" }

[seen]
title = "seen"
on = "unit"
lasts = true
kind = "flag"
rule = "3"
module = { menu = ["Seen"], flips = true }

[orders]
title = "orders"
on = "unit"
lasts = true
kind = "text"
absent = ""
rule = "3"
module = { menu = ["Orders ..."], keys = ["R"] }

[works]
title = "works"
on = "hex"
lasts = true
kind = "integer"
least = 0
most = 3
absent = 0
rule = "4"
module = { menu = ["More", "Less"], tag = "W{}", at = [-0.5, 0.0] }

[blight]
title = "blight"
on = "hex"
lasts = true
kind = "choice"
values = ["rot-1", "rot_1", "ROT_1x", "ä", "ö", "Ä1"]
rule = "4"
module = { menu = ["Blight"] }

[terrain]
title = "terrain"
on = "hex"
kind = "choice"
values = ["open", "wood"]
printed = "map"
token = "{}"
rule = "5"

[road]
title = "road"
on = "hexside"
kind = "choice"
values = ["no-road", "road"]
printed = "map"
token = "{}"
rule = "5"
"""
#: Column and row of a hex that the board lacks: C2, the first one in the window.
NO_HEX = (2, 3)
FILES = {
    "game.toml": GAME,
    "tracks.toml": TRACKS,
    "roster.csv": "unit,army,strength\nRams,red,4\nEwes,red,2\nWolves,blue,5\n",
    "places.csv": "hex,name\nE4,The Well\nR15,Far Away\n",
    "start.pos": 'game heath\nboard heath\nturn=6\nD3: Rams stance=falls-back orders="to E4"\nReserve: Ewes\nM9: Wolves\n',
    "boards/heath/board.toml": 'title = "The heath"\nsource = "printed"\nboxes = ["Reserve"]\nwhole = ["road"]\n'
    'terrain = { o = "open", w = "wood" }\n'
    '[grid]\norientation = "pointy"\nshifted = "odd"\nformat = "{column:A}{row}"\ncolumns = [1, 30]\nrows = [1, 20]\n',
    "boards/heath/terrain.txt": "\n".join(
        [
            " ".join(map(str, range(1, 21))),
            *(
                f"{row} {' '.join('.' if (row, column) == NO_HEX else 'ow'[column % 2] for column in range(1, 21))}"
                for row in range(1, 19)
            ),
        ]
    ),
    "boards/heath/roads.lines": "road: B4 C4 D4 E4\nroad: H4 I4\nroad: P9 Q9\n",
}


def game_in(folder: Path, **changed: str) -> Game:
    """The game with some of its files' texts changed: `game_toml="..."`."""
    return game_of(folder, {name: changed.get(name.replace(".", "_"), text) for name, text in FILES.items()}, "heath")


@pytest.fixture
def heath(tmp_path: Path) -> Game:
    return game_in(tmp_path)


def files_of(built: BuiltModule) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(built.data)) as container:
        return {name: container.read(name) for name in container.namelist()}


def setting_of(game: Game) -> ModuleSetting:
    wanted = wanted_module(game)
    maker = Maker(game, {unit: Art("front.png") for unit in game.roster}, wanted.counter)
    board = shown_board(game, wanted)
    about = read_save(files_of(build_module(game))["The-start.vsav"]).about
    return ModuleSetting(game, maker, board.title, board.grid, module_grid(game, wanted), about)


def saved(game: Game, text: str) -> Save:
    position = typed(f"game heath\nboard heath\n{text}".encode(), "typed.pos", lambda id: game)
    return write_set_up(setting_of(game), position).save


def reread(game: Game, save: Save) -> Position:
    return read_vassal(write_save(save), "game.vsav", lambda id: game)


def facts(game: Game, text: str) -> dict[FactKey, Any]:
    return {key: fact.value for key, fact in reread(game, saved(game, text)).state.facts.items()}


def test_columns_are_letters_also_after_z(heath: Game, tmp_path: Path) -> None:
    grid = module_grid(heath, wanted_module(heath))
    assert {"C2", "H6", "E4"} <= set(grid.hexes) and len(grid.hexes) == 30
    assert all(grid.grid.locate(at) == name for name, at in grid.hexes.items())
    (x, y), (right, down) = grid.hexes["D3"], grid.hexes["D4"]
    assert (right - x, down - y) == (-30, 52), "odd rows lie half a hex further east"
    game = game_in(tmp_path, game_toml=GAME.replace('board = "heath"\ncolumns = [3, 8]', "columns = [25, 29]"))
    grid = module_grid(game, wanted_module(game))
    assert {"Y2", "Z2", "AA2", "CC2"} <= set(grid.hexes)
    assert all(grid.grid.locate(at) == name for name, at in grid.hexes.items())


@pytest.mark.parametrize("format", ["{column:02odd}{row:02}", "{column:AB}{row:even}", "{row:02even}-{column:odd}"])
def test_numbers_that_hexes_of_the_engine_cannot_have_are_the_names_of_regions(tmp_path: Path, format: str) -> None:
    lettered = HexGrid(orientation="pointy", shifted="odd", format="{column:A}{row}", columns=(1, 30), rows=(1, 20))
    grid = msgspec.structs.replace(lettered, format=format)

    def renumber(text: str) -> str:
        return re.sub(r"\b[A-Z]{1,2}[0-9]+\b", lambda match: grid.name(lettered.parse(match[0])), text)

    heads, *lines = FILES["boards/heath/terrain.txt"].splitlines()
    heads = " ".join(grid.printed("column", int(head)) for head in heads.split())
    lines = [f"{grid.printed('row', int(head))} {signs}" for head, _, signs in (line.partition(" ") for line in lines)]
    changed = {
        "boards/heath/board.toml": FILES["boards/heath/board.toml"].replace("{column:A}{row}", format),
        "boards/heath/terrain.txt": "\n".join((heads, *lines)),
        "start.pos": renumber(FILES["start.pos"].replace("M9", "D4")),
        "boards/heath/roads.lines": renumber(FILES["boards/heath/roads.lines"]),
        "places.csv": renumber(FILES["places.csv"]),
    }
    game = game_of(tmp_path, FILES | changed, "heath")
    old, new = (module_grid(one, wanted_module(one)) for one in (game_in(tmp_path / "lettered"), game))
    assert new.hexes == {renumber(name): at for name, at in old.hexes.items()}
    assert all(new.grid.locate(at) == name for name, at in new.hexes.items())
    board = game.board("heath")
    around = game_in(tmp_path / "again").board("heath").neighbours("E4")
    assert [*board.neighbours(renumber("E4"))] == [*map(renumber, around)]
    files = files_of(build_module(game))
    read = reread(game, read_save(files["The-start.vsav"])).state
    assert {name: unit.place for name, unit in read.units.items()} == {
        "Rams": renumber("D3"),
        "Ewes": "Reserve",
        "Wolves": renumber("D4"),
    }
    assert read.unread == ()


def test_without_palettes_all_counters_are_in_one_panel_and_markers_in_another(heath: Game) -> None:
    root = etree.fromstring(files_of(build_module(heath))["buildFile.xml"])
    lists = {
        one.get("entryName"): [slot.get("entryName") for slot in one]
        for one in root.iter("{*}VASSAL.build.widget.PanelWidget")
    }
    water, blight = ("W1", "W2", "W3"), (f"{word}: blight" for word in ("Rot-1", "Rot_1", "ROT_1x", "Ä", "Ö", "Ä1"))
    assert lists == {"Counters": ["Rams", "Ewes", "Wolves"], "Markers": [*water, *blight]}


def images_named(xml: bytes) -> set[str]:
    root = etree.fromstring(xml)
    texts = [text for element in root.iter() for text in (element.text or "", *element.attrib.values())]
    return {word for text in texts for word in pictures_in(text)}


def pictures_in(text: str) -> list[str]:
    """The names of pictures in a text; a `G` before one is the way in which a mask shows it to the owner."""
    return re.findall(r"(?:;G(?=face-down-mark-))?([\w.-]+\.png)", text)


def test_every_value_has_a_picture_of_its_own(heath: Game) -> None:
    files = files_of(build_module(heath))
    images = {name.removeprefix("images/") for name in files if name.startswith("images/")}
    assert images == images_named(files["buildFile.xml"])
    blights = [name for name in images if name.startswith("marker-blight-")]
    assert len(blights) == len({name.casefold() for name in blights}) == 6
    assert len({files[f"images/{name}"] for name in blights}) == 6
    assert all(name.isascii() for name in images)


def test_the_board_is_drawn_as_far_as_it_is_shown_and_places_beyond_are_left_out(heath: Game) -> None:
    files = files_of(build_module(heath))
    picture = Image.open(io.BytesIO(files["images/board.png"]))
    grid = module_grid(heath, wanted_module(heath))
    assert picture.size == grid.size
    colours = {name: picture.getpixel((x + 12, y + 6)) for name, (x, y) in grid.hexes.items()}
    assert colours["E3"] != colours["F3"], "open and wood"
    assert colours["E3"] == colours["G3"]
    assert read_places(heath, wanted_module(heath)) == {"E4": "The Well", "R15": "Far Away"}
    assert build_module(heath).counters == 3


@pytest.mark.parametrize(("columns", "rows"), [((5, 5), (4, 4)), ((1, 30), (1, 20)), ((3, 4), (2, 2))])
def test_windows_of_any_size(tmp_path: Path, columns: tuple[int, int], rows: tuple[int, int]) -> None:
    text = GAME.replace("[3, 8]", str(list(columns))).replace("[2, 6]", str(list(rows)))
    part = {"boards/heath/board_toml": FILES["boards/heath/board.toml"].replace('whole = ["road"]\n', "")}
    files = files_of(build_module(game_in(tmp_path, game_toml=text, **part)))
    page = etree.HTML(files["help.html"].decode())
    if not (examples := page.xpath("//pre")):  # no hexside to state, and the board states the terrain
        return
    (example,) = examples
    heading, *lines = (example.text or "").splitlines()
    assert heading == "Field Staff"
    game = game_in(tmp_path)
    said = "\n".join(line.replace("open|wood", "wood").replace("no-road|road", "road") for line in lines)
    assert typed(f"game heath\nboard heath\n{said}\n".encode(), "help.pos", lambda id: game).state.facts
    assert "open" not in (example.text or "").replace("no-road", "")  # the board states the terrain


def test_help_asks_for_no_ground_that_the_board_states(heath: Game) -> None:
    assert "What they do not show" not in files_of(build_module(heath))["help.html"].decode()


def test_a_window_without_any_hex_is_an_error(tmp_path: Path) -> None:
    text = GAME.replace("[3, 8]", "[3, 3]").replace("[2, 6]", "[2, 2]")
    with pytest.raises(InputError, match="shows no hex of The heath"):
        build_module(game_in(tmp_path, game_toml=text))


def test_a_set_up_has_its_turn_or_the_first_one_and_says_who_is_elsewhere(heath: Game) -> None:
    built = build_module(heath)
    assert built.setups == {"The start": ("Wolves",)}
    assert built.in_words == "3 counters and 1 set-up"
    state = read_vassal(files_of(built)["The-start.vsav"], "start.vsav", lambda id: heath).state
    assert {unit.id: unit.place for unit in state.units.values()} == {"Rams": "D3", "Ewes": "Reserve"}
    assert {key: fact.value for key, fact in state.facts.items()} == {
        ("turn", ""): 6,
        ("stance", "Rams"): "falls-back",
        ("orders", "Rams"): "to E4",
    }
    assert facts(heath, "") == {("turn", ""): 5}


def test_the_turn_track_begins_where_the_game_begins(tmp_path: Path) -> None:
    def starts(game: Game) -> tuple[str | None, str | None]:
        root = etree.fromstring(files_of(build_module(game))["buildFile.xml"])
        (level,) = root.iter("{*}VASSAL.build.module.turn.CounterTurnLevel")
        return level.get("start"), level.get("loopLimit")

    assert starts(game_in(tmp_path)) == ("5", "-1")
    from_zero = game_in(tmp_path, tracks_toml=TRACKS.replace("least = 5", "least = 0"))
    assert starts(from_zero) == ("0", "-1")
    track = turn_track(from_zero)
    assert track is not None and track.name == "turn"


@few(2)
@pytest.mark.parametrize("value", ["rot-1", "rot_1", "ROT_1x", "ä", "ö", "Ä1"])
def test_a_choice_without_silence_as_a_marker(heath: Game, value: str) -> None:
    assert facts(heath, f"E4 blight={value}")["blight", "E4"] == value


@few(1)
@pytest.mark.parametrize("value", ["holds", "falls-back", "attacks"])
def test_a_choice_without_silence_on_a_counter(heath: Game, value: str) -> None:
    assert facts(heath, f"E4: Rams stance={value}")["stance", "Rams"] == value
    assert ("stance", "Ewes") not in facts(heath, f"E4: Rams stance={value}, Ewes")


def test_a_doubt_is_kept_where_a_counter_cannot_say_anything(heath: Game) -> None:
    save = saved(heath, "E4: Rams stance=holds?")
    assert reread(heath, save).state.facts["stance", "Rams"] == Fact("holds", assumed=True)
    bare = saved(heath, "E4: Rams")
    typed_in = msgspec.structs.replace(bare, public_notes=f"{bare.public_notes}\nRams stance=holds?")
    assert reread(heath, typed_in).state.facts["stance", "Rams"] == Fact("holds", assumed=True)


def test_a_position_comes_back(heath: Game) -> None:
    text = (
        "turn=8\nsky=rain\nE4 works=2 blight=ä wood: Rams (6) halted seen=no stance=attacks, Ewes seen\n"
        "F4: Wolves orders=\"to 'A; B/C'\"\nC4|D4 road\nM9 works=1\n"
    )
    position = typed(f"game heath\nboard heath\n{text}".encode(), "typed.pos", lambda id: heath)
    found = reread(heath, write_set_up(setting_of(heath), position).save)
    assert (found.state.units, found.state.facts) == (position.state.units, position.state.facts)
    assert (found.state.board, found.state.unread) == ("heath", ())


def test_a_set_up_of_the_printed_map_stands_on_a_board_with_its_numbers(tmp_path: Path) -> None:
    game = game_in(tmp_path, start_pos="game heath\nD3: Rams\n")
    state = reread(game, read_save(files_of(build_module(game))["The-start.vsav"])).state
    assert (state.board, state.units["Rams"].place, state.unread) == ("heath", "D3", ())


def test_a_place_off_the_map_and_a_set_up_on_another_board_are_errors(tmp_path: Path) -> None:
    """On maps of their own a number means another place."""
    with pytest.raises(InputError, match="hex E99 is off the map") as caught:
        build_module(game_in(tmp_path, places_csv="hex,name\nE4,Well\nE99,Nowhere\n"))
    assert str(caught.value.where) == "places.csv:3"
    apart = GAME.replace('boxes = ["Reserve"]', 'boxes = ["Reserve"]\none_map = false', 1)
    with pytest.raises(InputError, match="board") as caught:
        build_module(game_in(tmp_path, game_toml=apart, start_pos="game heath\nD3: Rams\n"))
    assert str(caught.value.where) == "start.pos"
    assert "board heath" in caught.value.hint


def test_the_page_of_keys_names_only_the_windows_that_there_are(heath: Game) -> None:
    files = files_of(build_module(heath))
    named = {cell.text for cell in etree.HTML(files["keys.html"]).iter("td")}
    strokes = {window.get("hotkey") for window in etree.fromstring(files["buildFile.xml"])}
    windows = {"Counters": PALETTES, "Markers": MARKERS, "Turn track": TRACK, "Charts": CHARTS, "Notes": NOTES}
    assert named & windows.keys() == {name for name, key in windows.items() if key.stroke in strokes}
    assert {"Counters", "Notes"} <= named and "Charts" not in named

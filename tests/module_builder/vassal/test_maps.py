"""The sheets beside the map: boxes, what a side keeps for itself, the dead pile; and where a set-up opens: on the fight."""

from __future__ import annotations

import re
from copy import copy
from math import dist
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from click.testing import CliRunner
from lxml import etree
from msgspec.structs import replace

from assistant.drawing.lettering import base_line
from assistant.drawing.scene import Text
from assistant.formats.vassal import SAVE
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import Ping, Save, read_commands, read_save, write_commands
from assistant.formats.vassal.written.files import carry_on
from assistant.game.games import Game, read_game
from assistant.game.lint.boards import board_remarks
from assistant.installed.registry import load_game, named_game
from assistant.state.changes import Change
from assistant.util.errors import InputError
from module_builder.cli import cli
from module_builder.vassal.module import BuiltModule, build_module, module_faults
from module_builder.vassal.setups import FLARE, UnitSpot, find_fight
from module_builder.vassal.sheets import OUT_WINDOW, Display, dead_pile
from module_builder.vassal.windows import BOXES, list_displays
from tests.module_builder.test_data_game import GAME, files_of, game_in

from ...cases import thorough
from .test_extras import picture


@pytest.mark.parametrize("many", [1, 4, 5, 9])
def test_every_box_lies_on_the_sheet_and_apart_from_the_others(many: int) -> None:
    display = Display("Boxes", tuple(map(str, range(many))), (100, 60))
    width, height = display.size
    middles = list(display.middles.values())
    assert len(middles) == many
    assert all(50 < x < width - 50 and 30 < y < height - 30 for x, y in middles)
    assert all(abs(x - a) >= 100 or abs(y - b) >= 60 for x, y in middles for a, b in middles if (x, y) != (a, b))
    assert (display.scene.width, display.scene.height) == display.size


def test_a_side_has_a_box_with_its_title_for_each_of_its_armies(twilight: Game) -> None:
    found = list_displays(twilight, twilight.board("").boxes, ["25/3", "22/1", "1/1"], 75)
    assert found["Private: russian"].names == ("First Army", "Second Army", "Elsewhere")
    assert found["Private: central-powers"].names == ("Eighth Army", "Elsewhere")
    assert found[OUT_WINDOW].names == ("central-powers", "russian")
    assert found[BOXES].names == ("Bukowina Holding Box",)
    renamed = copy(twilight)
    renamed.file = replace(twilight.file, titles={"russian": "Imperial Russia"})
    drawn = dead_pile(renamed, 75).scene.layers[0].shapes
    assert [shape.text for shape in drawn if isinstance(shape, Text)] == [
        OUT_WINDOW,
        "Central Powers",
        "Imperial Russia",
    ]


def test_a_name_that_is_made_smaller_stands_in_the_middle_of_its_line() -> None:
    (_, _, _, name) = Display("Boxes", ("the Bukowina holding box of all armies",), (150, 60)).scene.layers[0].shapes
    assert isinstance(name, Text) and name.size < 17
    assert name.y == base_line(30 + 15, name.size)


def test_the_units_of_a_box_stand_in_its_window(tmp_path: Path) -> None:
    built = build_module(game_in(tmp_path))
    files = files_of(built)
    save = read_save(files["The-start.vsav"])
    ewes = next(piece for piece in save.pieces.values() if piece.marks()["unit"] == "Ewes")
    assert (ewes.map, read_module(built.data).locate(save, ewes)) == (BOXES, "Reserve")
    windows = etree.fromstring(files["buildFile.xml"]).iter("{*}VASSAL.build.module.Map")
    boxes = next(window for window in windows if window.get("mapName") == BOXES)
    regions = boxes.iter("{*}VASSAL.build.module.map.boardPicker.board.Region")
    assert [(one.get("name"), (int(one.get("originx", "")), int(one.get("originy", "")))) for one in regions] == [
        ("Reserve", ewes.at)
    ]


def test_every_window_has_the_picture_of_its_sheet(tmp_path: Path) -> None:
    files = files_of(build_module(game_in(tmp_path)))
    boards = etree.fromstring(files["buildFile.xml"]).iter("{*}VASSAL.build.module.map.boardPicker.Board")
    assert all(f"images/{board.get('image')}" in files for board in boards)


@pytest.mark.parametrize("title", ["Map", "Boxes", "Turns", "Out of play"])
def test_a_window_with_the_title_of_another_is_refused(tmp_path: Path, title: str) -> None:
    (tmp_path / "boards" / "pen").mkdir(parents=True)
    (tmp_path / "boards" / "pen" / "pen.png").write_bytes(picture())
    grid = '[grid]\nformat = "{column}.{row}"\ncolumns = [0, 0]\nrows = [0, 0]\n'
    head = f'title = "{title}"\nsource = "rulebook"\n{grid}[picture]\nfile = "pen.png"\n[picture.boxes]\nReserve = [1, 1]\n'
    (tmp_path / "boards" / "pen" / "board.toml").write_text(head)
    with pytest.raises(InputError, match=f"another window is called {title}, too"):
        build_module(
            game_in(tmp_path, game_toml=GAME.replace('name = "Heath"\n', 'name = "Heath"\nwindows = ["pen"]\n', 1))
        )


PILE = {
    "game_toml": GAME.replace("[module]", '[module]\ndead_pile = "Reserve"', 1),
    "start_pos": "game heath\nboard heath\nD3: Rams\nReserve: Ewes, Wolves\n",
}


def lost(save: Save) -> dict[str, Pixel]:
    """Where each unit that lies in the window of those out of play lies there."""
    return {piece.marks()["unit"]: piece.at for piece in save.pieces.values() if piece.map == OUT_WINDOW}


def test_a_dead_pile_of_the_board_has_a_box_for_each_side_where_rules_find_what_is_lost(tmp_path: Path) -> None:
    game = game_in(tmp_path, **PILE)
    files = files_of(build_module(game))
    windows = etree.fromstring(files["buildFile.xml"]).iter("{*}VASSAL.build.module.Map")
    shown = {str(window.get("mapName")): window for window in windows}
    assert BOXES not in shown, "its only box is in the other window"
    zones = shown[OUT_WINDOW].iter("{*}VASSAL.build.module.map.boardPicker.board.mapgrid.Zone")
    assert [zone.get("name") for zone in zones] == ["Reserve", "Reserve", "Out of the game"]
    pile = dead_pile(game, game.file.module.counter if game.file.module else 0)
    texts = [shape.text for shape in pile.scene.layers[0].shapes if isinstance(shape, Text)]
    assert texts == [OUT_WINDOW, "Reserve: Red", "Reserve: Blue", "Out of the game"]
    assert lost(read_save(files["The-start.vsav"])) == {"Ewes": pile.middles["red"], "Wolves": pile.middles["blue"]}
    state = read_vassal(files["The-start.vsav"], "start.vsav", lambda id: game).state
    places = {unit.id: unit.place for unit in state.units.values()}
    assert (places, state.unread) == ({"Rams": "D3", "Ewes": "Reserve", "Wolves": "Reserve"}, ())


def test_a_new_save_puts_who_is_lost_into_the_box_of_his_side_and_who_is_in_none_out_of_the_game(
    tmp_path: Path,
) -> None:
    game = game_in(tmp_path, **PILE)
    start = files_of(build_module(game))["The-start.vsav"]
    pile = dead_pile(game, game.file.module.counter if game.file.module else 0)
    changes = Change("place", "Rams", "D3", "Reserve", "1"), Change("place", "Wolves", "Reserve", None, "1")
    position = read_vassal(start, "start.vsav", lambda id: game).after(changes)
    written = carry_on(start, position, SAVE, "", lambda: None).data
    red, gone = pile.middles["red"], pile.middles["Out of the game"]
    found = lost(read_save(written))
    assert (found["Rams"], found["Ewes"]) == (red, red)
    assert abs(found["Wolves"][0] - gone[0]) < 75 and abs(found["Wolves"][1] - gone[1]) < 75
    state = read_vassal(written, "next.vsav", lambda id: game).state
    assert {unit.id: unit.place for unit in state.units.values()} == {
        "Rams": "Reserve",
        "Ewes": "Reserve",
        "Wolves": None,
    }
    assert state.unread == ()


def test_in_a_dead_pile_only_the_order_within_a_side_counts(tmp_path: Path) -> None:
    game = game_in(tmp_path, **PILE | {"start_pos": "game heath\nboard heath\nD3: Rams\nReserve: Ewes, Wolves\n"})
    start = files_of(build_module(game))["The-start.vsav"]
    position = read_vassal(start, "start.vsav", lambda id: game).after([Change("place", "Rams", "D3", "Reserve", "1")])
    written = carry_on(start, position, SAVE, "", lambda: None).data
    stack = [unit.id for unit in read_vassal(written, "next.vsav", lambda id: game).state.stack("Reserve")]
    wanted = [unit.id for unit in position.state.stack("Reserve")]
    assert sorted(stack) == sorted(wanted)
    assert [unit for unit in stack if unit != "Wolves"] == [unit for unit in wanted if unit != "Wolves"]


# --- a map of the author's own ------------------------------------------------------------------------------------------


def with_a_map(folder: Path, head: str, size: tuple[int, int] | None) -> Game:
    """The game with a picture of its board, of a size in pixels; None for a file that is missing."""
    game_in(folder)
    board = folder / "boards" / "heath" / "board.toml"
    board.write_text(board.read_text() + f'[picture]\nfile = "map.png"\n{head}')
    if size is not None:
        board.with_name("map.png").write_bytes(picture(*size))
    return read_game("heath", folder)


PLACED = "first = [60, 50]\nstep = [80.0, 69.3]\n"


@pytest.mark.parametrize(
    ("head", "size", "what"),
    [
        (PLACED, (1800, 1400), ""),
        (PLACED, (300, 300), r"hex \w+ would lie around \d+, \d+, beyond the picture of 300 by 300 pixels"),
        ("", (1800, 1400), ""),
    ],
)
def test_a_map_that_is_too_small_for_its_hexes_is_a_mistake(
    head: str, size: tuple[int, int], what: str, tmp_path: Path
) -> None:
    found = [fault.what for fault in module_faults(with_a_map(tmp_path, head, size))]
    assert len(found) == bool(what) and all(re.fullmatch(what, some) for some in found), found


def test_a_map_that_is_missing_or_says_nothing_of_its_hexes_is_told(tmp_path: Path) -> None:
    said = "board heath: its hexes have no place on its picture: state first and step under [picture]"
    assert said in board_remarks(with_a_map(tmp_path / "bare", "", (900, 900)))
    assert said not in board_remarks(with_a_map(tmp_path / "placed", PLACED, (1800, 1400)))
    with_a_map(tmp_path, PLACED, None)
    said = CliRunner().invoke(cli, ["check", str(tmp_path)]).stderr
    assert said.count("map.png") == 1 and "[picture] file map.png is missing" in said


def spots(text: str) -> list[UnitSpot]:
    """Units on a line, a letter a hundred pixels: r and b are of two sides."""
    return [UnitSpot((100 * at, 0), letter) for at, letter in enumerate(text) if letter != "."]


@pytest.mark.parametrize(
    ("line", "middle"),
    [
        ("rrr.................rb", 2050),  # not where one side masses
        ("rb........rrbb......rrb", 1150),  # where most of both are
        ("r.........b", 500),  # nobody is near: between the nearest
        ("rrr", 100),
        ("..r", 200),
    ],
)
def test_the_fight_is_where_most_units_of_both_sides_are_close(line: str, middle: int) -> None:
    assert find_fight(spots(line), 350) == (middle, 0)


def test_without_units_on_the_map_there_is_none() -> None:
    assert find_fight([], 350) is None


def test_every_set_up_of_the_module_names_its_fight(built: BuiltModule) -> None:
    files = files_of(built)
    for name in (name for name in files if name.endswith(".vsav")):
        save = read_save(files[name])
        (ping,) = save.pings
        near = {
            piece.marks().get("Side")
            for piece in save.pieces.values()
            if piece.map == "Map" and dist(piece.at, ping.at) < 450
        }
        assert ping.flare == FLARE
        assert near - {None}, name
        assert {"russian", "central-powers"} <= near or "supply" in name, name


def test_a_ping_is_carried_out_when_the_game_stands_and_read_again() -> None:
    save = Save(pings=(Ping("Flare0", (40, 50)),), steps=("CHAThello",))
    commands = write_commands(save)
    assert commands[-3:] == ["end_save", "FLARE\tFlare0\t40\t50", "LOG\tCHAThello"]
    assert read_commands(commands).pings == save.pings


@thorough
def test_a_set_up_whose_module_opens_on_boxes_points_at_the_middle_of_those_in_use(tmp_path: Path) -> None:
    drawn = load_game("kaisers-war-in-the-east")
    folder = tmp_path / "undrawn"
    copytree(str(drawn.folder), folder, ignore=ignore_patterns("*.py", "__pycache__", "boards"))
    head = (folder / "game.toml").read_text("utf-8").replace('board = "map"', "columns = [1, 40]\nrows = [1, 40]")
    (folder / "game.toml").write_text(head, "utf-8")
    files = files_of(build_module(named_game(str(folder))))
    for name in (name for name in files if name.endswith(".vsav")):
        save = read_save(files[name])
        (ping,) = save.pings
        used = [piece.at for piece in save.pieces.values() if piece.map == "Boxes"]
        for axis in (0, 1):
            assert ping.at[axis] == (min(at[axis] for at in used) + max(at[axis] for at in used)) // 2, name
    root = etree.fromstring(files["buildFile.xml"])
    flares = [
        window.get("mapName")
        for window in root.iter("{*}VASSAL.build.module.Map")
        for _ in window.iter("{*}VASSAL.build.module.map.Flare")
    ]
    assert flares == ["Boxes", "Map"], "the first flare of the module is that of the window on which it opens"

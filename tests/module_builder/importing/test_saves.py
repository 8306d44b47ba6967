"""A save of an imported module is read as its set-ups are imported: the same units, by the same names, in the same places
and states.
"""

from __future__ import annotations

import itertools
import math
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from assistant import Position, read
from assistant.faces.cli.main import cli as assistant
from assistant.formats.notation import read_notation
from assistant.formats.vassal.adoption.mapping_files import mapping_file
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.pieces import Piece, write_deck_type
from assistant.formats.vassal.saves import write_save
from assistant.formats.vassal.traits import Trait
from assistant.game.games import read_game
from assistant.state.state import FactKey
from module_builder.cli import cli
from module_builder.vassal.elements import MODULE, add

from ...cases import few, thorough
from . import fields
from .foreign import HEX_1ST, HEX_2ND, HEX_RED, PICTURES, build_file, foreign, packed, start


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def both(data: bytes, save: bytes, change: Callable[[], object] = lambda: None) -> tuple[Position, Position]:
    """The first set-up of a module as it is imported, and as its save is read by the mapping that the import writes.
    change: what happens before the module is adopted.
    """
    Path("theirs.vmod").write_bytes(data)
    Path("theirs.vsav").write_bytes(save)
    done = CliRunner().invoke(cli, ["import", "theirs.vmod", "-o", "ours"])
    assert done.exit_code == 0, done.output
    game = read_game("ours", Path("ours"))
    file = sorted(Path("ours/setups").iterdir())[0]
    change()
    done = CliRunner().invoke(assistant, ["adopt", "theirs.vmod", "--game", "ours"])
    assert done.exit_code == 0, done.output
    return read_notation(file.read_bytes(), file.name, lambda id: game), read("theirs.vsav")


def test_a_save_is_read_as_the_set_up() -> None:
    imported, adopted = both(foreign(), write_save(start(read_module(foreign()))))
    assert adopted.state.units == imported.state.units
    assert changed(adopted) == changed(imported) != {}


def test_a_board_whose_picture_cannot_be_used_and_that_prints_nothing_is_one_place() -> None:
    root = build_file()
    (squares,) = root.iter("{*}VASSAL.build.module.map.boardPicker.board.SquareGrid")
    squares.remove(squares[0])  # its numbers
    squares.getparent().set("image", "reserves.svg")
    pictures = {**PICTURES, "reserves.svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>'}
    save = write_save(start(read_module(packed(root, pictures))))
    imported, adopted = both(packed(root, pictures, {"start.vsav": save}), save)
    assert adopted.state.units == imported.state.units
    assert [unit.id for unit in imported.state.units.values() if unit.place == "Reserves"] == ["1st (Red units) (2)"]
    assert "cannot be distinguished" not in Path("ours/IMPORT.md").read_text("utf-8")


def test_markers_of_which_several_lie_in_one_place_are_units() -> None:
    begun = start(read_module(foreign()))
    control = begun.pieces["g"]
    x, y = control.at
    more = [control._replace(id=f"9{n}", at=(x + n, y)) for n in (1, 2)]
    save = write_save(replace(begun, pieces=begun.pieces | {piece.id: piece for piece in more}))
    imported, adopted = both(packed(build_file(), files={"start.vsav": save}), save)
    assert adopted.state.units == imported.state.units
    lying = Counter(unit.place for unit in imported.state.units.values() if unit.type == "Control")
    assert sorted(lying.values()) == [1, 3]
    assert "several times" not in Path("ours/IMPORT.md").read_text("utf-8").partition("## Not imported")[2]


def test_pieces_of_a_slot_that_the_module_no_longer_has_are_the_same_units_in_both() -> None:
    root = build_file()
    tabs = next(root.iter("{*}VASSAL.build.widget.TabWidget"))
    again = deepcopy(tabs[1])  # the same counters in another list
    again.set("entryName", "Reserves of Red")
    for slot in again:
        slot.set("gpid", f"9{slot.get('gpid')}")
        slot.text = re.sub(r"[0-9]+$", slot.get("gpid"), slot.text)
    tabs.append(again)
    begun = start(read_module(packed(root)))
    pieces = {id: one._replace(slot="777") if one.slot == "4" else one for id, one in begun.pieces.items()}
    save = write_save(replace(begun, pieces=pieces))
    imported, adopted = both(packed(root, files={"start.vsav": save}), save)
    assert sum(unit.type.startswith("1st") for unit in imported.state.units.values()) == 3
    assert adopted.state.units == imported.state.units


def test_a_piece_out_of_play_keeps_its_number() -> None:
    begun = start(read_module(foreign()))
    older = begun.pieces["d"]._replace(id="0")
    aside = older._replace(map="Red only", at=(20, 20))
    saves = [write_save(replace(begun, pieces={"0": one, **begun.pieces})) for one in (aside, older)]
    root = build_file()
    add(root, MODULE + "PredefinedSetup", name="With all", file="all.vsav", useFile="true")
    imported, adopted = both(packed(root, files={"start.vsav": saves[0], "all.vsav": saves[1]}), saves[0])
    placed = {id: unit for id, unit in adopted.state.units.items() if unit.place}
    assert placed.keys() == imported.state.units.keys()
    assert {id: unit.place for id, unit in placed.items()} == {
        id: unit.place for id, unit in imported.state.units.items()
    }


def test_nameless_pieces_are_alike_by_their_pictures_alone() -> None:
    root = build_file()
    begun = start(read_module(foreign()))
    layer = "emb2;;128;A;;128;;;128;;;;1;false;0;0;{};;true;;;;false;;1;1;false;;;;"
    bare = [
        Piece(f"n{number}", (Trait(layer.format(image), "1"), Trait("piece;;;;")), "Main", at)
        for number, (image, at) in enumerate((("two.png", HEX_1ST), ("three.png", HEX_2ND), ("two.png", HEX_RED)))
    ]
    pieces = {**begun.pieces, **{piece.id: piece for piece in bare}}
    save = write_save(replace(begun, pieces=pieces))
    imported, adopted = both(packed(root, files={"start.vsav": save}), save)
    of = {unit.id: unit.place for unit in imported.state.units.values() if unit.type.startswith("unit")}
    assert of == {"unit": "13.06", "unit (2)": "15.07", "unit (3)": "12.06"}
    assert adopted.state.units == imported.state.units


def changed(position: Position) -> dict[FactKey, object]:
    """The facts but for those that are printed on counters."""
    facts = position.state.facts.items()
    return {key: fact.value for key, fact in facts if position.game.tracks[key[0]].printed != "counter"}


LAND = fields.Field("Land", (560, 480), {"x0": "40", "y0": "40", "dx": "70", "dy": "80", "sideways": "false"}, None)
PIXELS = [(110, 80), (180, 280), (390, 160), (250, 320)]
SEEDS = [*range(16), *(pytest.param(seed, marks=thorough) for seed in range(16, 400))]


@few(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_grid_of_any_kind_has_one_place_for_each_pixel(seed: int) -> None:
    dice = random.Random(seed)
    land = fields.field(dice)
    pixels = [(dice.randrange(land.size[0]), dice.randrange(land.size[1])) for _ in fields.COUNTERS]
    imported, adopted = both(*fields.module([land], ["Land"], pixels))
    assert adopted.state.units == imported.state.units
    found = [str(imported.state.units[name].place) for name in fields.COUNTERS]
    check_hexes(
        [(place, land, at) for place, at in zip(found, pixels, strict=True) if fields.is_inner(land, at)],
        is_renumbered="renumbered" in Path("ours/IMPORT.md").read_text("utf-8"),
    )


@few(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_two_boards_are_one_field_of_hexes(seed: int) -> None:
    dice = random.Random(seed)
    west = fields.field(dice, "West")
    east = fields.beside(dice, west, "East")
    width, height = west.size
    pixels = [(dice.randrange(2 * width), dice.randrange(height)) for _ in fields.COUNTERS]
    imported, adopted = both(*fields.module([west, east], ["West", "East"], pixels))
    assert adopted.state.units == imported.state.units
    on_boards = [(west, (x, y)) if x < width else (east, (x - width, y)) for x, y in pixels]
    found = [str(imported.state.units[name].place) for name in fields.COUNTERS]
    hexes = [(place, *there) for place, there in zip(found, on_boards, strict=True) if fields.is_inner(*there)]
    report = Path("ours/IMPORT.md").read_text("utf-8")
    check_hexes(hexes, is_renumbered="renumbered" in report)
    assert "renumbered" not in report or "all hexes are renumbered\n  - Main: West, East\n" in report
    grid = imported.game.board(imported.state.board).grid
    inner = [(place, at) for place, at, there in zip(found, pixels, on_boards, strict=True) if fields.is_inner(*there)]
    for (place, at), (other, there) in itertools.combinations(inner, 2):
        apart = math.dist(at, there) / float(west.grid["dy"])
        assert apart - 1.5 < grid.distance_of(place, other) < 1.16 * apart + 1.5


@few(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_boards_without_pictures_have_the_places_that_they_print_or_count(seed: int) -> None:
    dice = random.Random(seed)
    west = fields.field(dice, "West")._replace(size=(560, 480))
    if seed % 2:
        west = west._replace(numbering=None)
    pixels = [(dice.randrange(1120), dice.randrange(480)) for _ in fields.COUNTERS]
    imported, adopted = both(*fields.module([west, west._replace(name="East")], ["West", "East"], pixels, bare=True))
    assert adopted.state.units == imported.state.units
    found = [str(imported.state.units[name].place) for name in fields.COUNTERS]
    on_boards = [(x // 560, fields.cell(west, (x % 560, y))) for x, y in pixels]
    for (one, there), (other, beside) in itertools.combinations(zip(found, on_boards, strict=True), 2):
        if west.numbering is None or there[0] != beside[0]:
            assert (one == other) == (there == beside)


@pytest.mark.parametrize("zone", ["Zone $gridLocation$", "$name$"])
@pytest.mark.parametrize("numbers", [None, fields.numbering(random.Random(3))], ids=["counted", "numbered"])
def test_what_a_zone_prints_in_several_hexes_of_a_board_without_a_picture_is_one_box(
    zone: str, numbers: fields.Said | None
) -> None:
    land, dice = LAND._replace(zone=zone, numbering=numbers), random.Random(4)
    pixels = [(dice.randrange(560), dice.randrange(480)) for _ in fields.COUNTERS]
    imported, adopted = both(*fields.module([land], ["Land"], pixels, bare=True))
    assert adopted.state.units == imported.state.units
    assert sorted(imported.state.units) == sorted(fields.COUNTERS)
    left = {
        str(imported.state.units[name].place) for name, (x, _) in zip(fields.COUNTERS, pixels, strict=True) if x < 280
    }
    assert (left == {"Left"}) == (zone == "$name$")


@thorough
@pytest.mark.parametrize("words", [["West/rev", "East"], ["West", "East/rev"], ["East/rev", "West/rev"]])
def test_boards_that_lie_upside_down(words: list[str]) -> None:
    said = {"x0": "0", "y0": "40", "dx": "70", "dy": "80", "sideways": "false"}
    west = fields.Field("West", (560, 400), said, {**fields.numbering(random.Random(1)), "sep": "."})
    east = west._replace(name="East")
    dice = random.Random(5)
    pixels = [(dice.randrange(1120), dice.randrange(400)) for _ in fields.COUNTERS]
    imported, adopted = both(*fields.module([west, east], words, pixels))
    assert adopted.state.units == imported.state.units
    assert "1 board" in CliRunner().invoke(cli, ["check", "ours"]).output


def test_a_picture_of_another_size_has_the_same_places() -> None:
    def enlarge() -> None:
        head, file = Path("ours/boards/main/board.toml"), Path("ours/modules/marsh-moor.toml")
        text = head.read_text("utf-8").replace("first = [40, 40]", "first = [90, 110]")
        head.write_text(text.replace("step = [70.0, 80.0]", "step = [140.0, 160.0]"), "utf-8")
        text = file.read_text("utf-8").replace("at = [0, 0]", "at = [10, 30], scale = 2.0")
        file.write_text(text, "utf-8")

    imported, adopted = both(*fields.module([LAND], ["Land"], PIXELS), enlarge)
    assert adopted.state.units == imported.state.units
    assert {unit.place for unit in adopted.state.units.values()} == {"0202", "0305", "0603", "0405"}


def test_a_board_whose_places_the_mapping_names_has_no_others() -> None:
    first, second, *_ = ("{},{}".format(*fields.cell(LAND, at)) for at in PIXELS)

    def name_places() -> None:
        file = Path("ours/modules/marsh-moor.toml")
        named = f'boxes = {{ "{first}" = "0603", "{second}" = "" }}'
        file.write_text(file.read_text("utf-8").replace("at = [0, 0]", named), "utf-8")

    _, adopted = both(*fields.module([LAND], ["Land"], PIXELS), name_places)
    assert {id: unit.place for id, unit in adopted.state.units.items() if unit.place} == {"1. Corps": "0603"}
    said = CliRunner().invoke(assistant, ["check", "theirs.vsav"]).output
    assert "3 of 3 pieces in play: 3 units" in said and "1 of 3 units and markers in places" in said


@thorough
def test_what_is_guessed_is_said_with_one_hex_to_confirm() -> None:
    both(*fields.module([LAND], ["Land"], PIXELS))
    said = CliRunner().invoke(assistant, ["check", "theirs.vsav"]).output
    assert "guessed" not in said
    shutil.rmtree("ours/modules")
    CliRunner().invoke(assistant, ["adopt", "theirs.vmod", "--game", "ours", "--force"])
    said = " ".join(CliRunner().invoke(assistant, ["check", "theirs.vsav"]).output.split())
    assert re.search(r"! the hexes of Main are guessed: \d,\d of the module is taken for \d{4}\. If that", said)
    file = mapping_file(fields.ABOUT.module, "ours")
    file.write_text(file.read_text("utf-8").replace("guessed = true\n", ""), "utf-8")
    assert "guessed" not in CliRunner().invoke(assistant, ["check", "theirs.vsav"]).output


def test_a_board_that_the_module_does_not_have_is_listed() -> None:
    both(*fields.module([LAND], ["Land"], PIXELS))
    file = mapping_file(fields.ABOUT.module, "ours")
    file.write_text(file.read_text("utf-8").replace("Land", "Lamd"), "utf-8")
    said = " ".join(CliRunner().invoke(assistant, ["check", "theirs.vsav"]).output.split())
    assert "[maps.Main.boards]: the module has no board 'Lamd'; nearest known: Land" in said


def test_cards_in_decks_are_named_and_in_play_on_neither_way() -> None:
    save = start(read_module(foreign()))
    deck = write_deck_type("Draw", picked=False, shows="", owners=None)
    stacks = {**save.stacks, "of d": save.stacks["of d"]._replace(deck=deck)}
    data = write_save(replace(save, stacks=stacks))
    imported, adopted = both(packed(build_file(), files={"start.vsav": data}), data)
    assert adopted.state.units == imported.state.units and len(adopted.state.units) == 5
    said = Path("ours/IMPORT.md").read_text("utf-8")
    assert "cards in decks, which no set-up here has in play" in said and "- Draw on Main: 1st" in said
    assert "Red only: Wagon" in said


def check_hexes(hexes: list[tuple[str, fields.Field, tuple[int, int]]], *, is_renumbered: bool) -> None:
    """What VASSAL takes for one hex is one here, and has its number unless hexes were renumbered."""
    for place, field, at in hexes:
        assert "spot" not in place
        if field.numbering is not None and not is_renumbered:
            assert place == fields.printed(field, at)
    for (place, field, at), (other, beside, there) in itertools.combinations(hexes, 2):
        if field == beside:
            assert (place == other) is (fields.cell(field, at) == fields.cell(field, there))

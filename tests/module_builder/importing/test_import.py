"""A module turned into the files of a game, checked, and built again: the same pieces lie at the same places in the same state."""

from __future__ import annotations

import io
import tomllib
import unicodedata
import zipfile
from copy import deepcopy
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import etree
from msgspec.structs import replace
from PIL import Image

from assistant.faces.cli.main import cli as assistant_cli
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.formats.vassal.containers import write_container
from assistant.formats.vassal.grids import HEXES as GRID
from assistant.formats.vassal.grids import Hexes
from assistant.formats.vassal.legends import UNIT
from assistant.formats.vassal.modules import EXTENDS, Module, read_module
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.positions import read_vassal as read_position
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.formats.vassal.traits import LayerTrait, Trait, keystroke
from assistant.game.games import Game, read_game
from assistant.installed.registry import named_game
from module_builder.cli import cli
from module_builder.importing.controls import Turns
from module_builder.importing.fields import cells_of
from module_builder.importing.files import course_files
from module_builder.importing.nations import Sides
from module_builder.new import new_game
from module_builder.vassal.elements import MODULE, add
from module_builder.vassal.module import build_module
from tests.saves import read_container

from ...cases import few, thorough
from .foreign import ABOUT, CONTROL, NOTE, PALETTES, PICTURES, build_file, foreign, packed, picture, placed, start, unit


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words])


def imported(data: bytes, *more: str) -> Game:
    """The game that is made of a module; `check` finds no mistake in it."""
    Path("module.vmod").write_bytes(data)
    done = run("import", "module.vmod", "-o", "marsh", *more)
    assert done.exit_code == 0, done.output
    checked = run("check", "marsh")
    assert checked.exit_code == 0, checked.output
    return read_game("marsh", Path("marsh"))


def rebuilt(game: Game) -> tuple[Module, Save]:
    """The module that is built of a game, and its first set-up."""
    data = build_module(game).data
    module = read_module(data)
    return module, read_save(read_container(data)[module.setups[0][1]])


def position(game: Game, file: str = "setups/the-start.pos") -> Position:
    return read_notation((Path(str(game.folder)) / file).read_bytes(), file, lambda id: game)


def report() -> str:
    return Path("marsh/IMPORT.md").read_text("utf-8")


def places(module: Module, save: Save) -> dict[str, str]:
    """Where the pieces of units lie, by the name of the unit."""
    marked = {piece.marks().get(UNIT, ""): module.locate(save, piece) for piece in save.pieces.values()}
    return {unit: place for unit, place in marked.items() if unit}


# --- the whole way ----------------------------------------------------------------------------------------------------


def test_pieces_lie_at_the_printed_places_of_the_module_and_at_the_pixels_of_its_picture() -> None:
    theirs = read_module(foreign())
    printed = {piece.id: theirs.locate(start(theirs), piece) for piece in start(theirs).pieces.values()}
    module, save = rebuilt(imported(foreign()))
    ours = places(module, save)
    named = {"a": "1st", "b": "2nd", "c": "Guard/A", "d": "1st (Red units)", "e": "1st (Red units) (2)", "f": "Wagon"}
    assert ours == {unit: printed[id] for id, unit in named.items()}
    assert ours["1st"] == "12.06" and ours["Wagon"] == "Turn 2" and ours["1st (Red units) (2)"] == "B1"
    at = {piece.marks().get(UNIT): (piece.map, piece.at) for piece in save.pieces.values()}
    assert at["1st"] == ("Map", (129, 230)) and at["Wagon"] == ("Map", (200, 30))
    assert at["1st (Red units) (2)"] == ("Reserves", (150, 50))
    assert module.maps["Map"].boards["Main"].size == (900, 700)


def test_the_rebuilt_module_reads_as_the_set_up_that_it_was_built_of() -> None:
    game = imported(foreign())
    data = build_module(game).data
    name = read_module(data).setups[0][1]
    again = read_position(read_container(data)[name], name, lambda id: game).state
    before = position(game).state
    assert {unit.id: unit.place for unit in again.units.values()} == {
        unit.id: unit.place for unit in before.units.values()
    }
    assert {key: fact.value for key, fact in again.facts.items()} == {
        key: fact.value for key, fact in before.facts.items()
    }


def test_faces_statuses_and_the_map_are_the_modules_own_pictures() -> None:
    game = imported(foreign())
    with zipfile.ZipFile(io.BytesIO(build_module(game).data)) as built:
        held = {built.read(name) for name in built.namelist()}
    for name in (
        "land.png",
        "reserves.png",
        "front.png",
        "back.png",
        "other.gif",
        "d.png",
        "two.png",
        "red.png",
        "crt.png",
    ):
        assert PICTURES[name] in held, name


def test_counters_with_pictures_are_drawn_for_paper_too() -> None:
    imported(foreign())
    assert run("counters", "marsh", "--only", "1st", "--out", "drawn", "--square").exit_code == 0
    (front,) = Path("drawn").glob("*front*.png")
    assert Image.open(front).convert("RGB").getpixel((90, 90)) == (0x33, 0x66, 0x99)
    assert run("sheets", "marsh", "-o", "sheets.pdf").exit_code == 0
    assert run("counters", "marsh", "--only", "1st", "--out", "svg", "--svg").exit_code == 0
    assert "data:image/png;base64," in next(Path("svg").glob("*front*")).read_text("utf-8")


def test_what_a_turn_goes_through_becomes_sides_and_phases() -> None:
    sides = Sides({"blue": ("blue",), "red": ("red",)}, {"blue": "The Blue", "red": "Red"})
    turns = Turns(1, 8, {1: "May"}, [["Red", "the blue"], ["Supply", "Combat", "Supply"]])
    files = course_files(turns, sides)
    course = tomllib.loads(files["course.toml"].decode())
    assert course == {
        "turns": {"tag": "Turn {}", "order": ["red", "blue"]},
        "phase": [{"title": "Supply"}, {"title": "Combat"}],
    }
    assert files["turns.csv"].decode().splitlines()[1] == "1,date,May,,,printed"
    alone = tomllib.loads(course_files(turns._replace(lists=[["Supply"]], names={}), sides)["course.toml"].decode())
    assert alone == {"turns": {"tag": "Turn {}"}, "phase": [{"title": "Supply", "part": "turn"}]}
    assert not course_files(None, sides)


@few(3)
@pytest.mark.parametrize(
    ("counter", "turns", "noted"),
    [
        ({"start": "1", "loop": "false"}, (1, 30), "an endless count of turns: \\[turn\\] in tracks.toml has 30"),
        ({"start": "0", "loop": "false"}, (0, 29), "an endless count of turns: \\[turn\\] in tracks.toml has 30"),
        ({"start": "1", "loop": "true", "loopLimit": "300"}, (1, 200), "turns beyond the first 200\n  - 201 to 300"),
        ({"start": "5", "loop": "true", "loopLimit": "5"}, (5, 5), ""),
        ({"start": "-2", "loop": "true", "loopLimit": "9"}, (0, 9), "turns that begin below 0 or beyond 9999\n  - -2"),
    ],
)
def test_as_many_turns_as_the_counter_has(counter: dict[str, str], turns: tuple[int, int], noted: str) -> None:
    root = build_file()
    for level in root.iter(MODULE + "turn.CounterTurnLevel"):
        level.attrib.pop("loopLimit")
        level.attrib.update(counter)
    game = imported(packed(root))
    assert (game.tracks["turn"].least, game.tracks["turn"].most) == turns
    assert noted in report() and ("an endless count of turns" in report()) == ("endless" in noted)


def test_a_turn_tracker_without_names_is_listed() -> None:
    root = build_file()
    tracker = next(root.iter(MODULE + "turn.TurnTracker"))
    for level in [*tracker]:
        tracker.remove(level)
    add(tracker, MODULE + "turn.ListTurnLevel", name="Months", list=" , ")
    assert imported(packed(root)).tracks["turn"].module is None  # a table counts turns all the same
    assert "a turn tracker whose turns have no names\n  - Months\n" in report()


def begun_at(root: etree._Element, turn: str) -> bytes:
    """A module whose set-up has come to this state of its turn tracker."""
    save = start(read_module(packed(root)))
    return packed(root, files={"start.vsav": write_save(replace(save, turns={"TurnTracker0": turn}))})


def test_boards_whose_titles_make_the_same_word_have_a_folder_each() -> None:
    root = build_file()
    reserves = next(one for one in root.iter(MODULE + "Map") if one.get("mapName") == "Reserves")
    for board in reserves.iter("{*}VASSAL.build.module.map.boardPicker.Board"):
        board.set("image", "blue.png")
    other = deepcopy(reserves)
    other.set("mapName", "Reserves!")
    for board in other.iter("{*}VASSAL.build.module.map.boardPicker.Board"):
        board.set("image", "red.png")
    reserves.addnext(other)
    imported(packed(root))
    assert [Path(f"marsh/boards/{name}/map.png").read_bytes() for name in ("reserves", "reserves-2")] == [
        PICTURES["blue.png"],
        PICTURES["red.png"],
    ]


def test_pieces_without_a_picture_do_not_make_counters_small() -> None:
    palettes = {"Units": [unit("A", "front.png"), *(unit(name, "nowhere.png") for name in "BCD")]}
    game = imported(packed(build_file(palettes), files={}))
    assert game.file.module is not None
    assert game.file.module.counter == 50


def test_numbers_with_zeros_before_them_stay_as_they_are() -> None:
    palettes = {"Units": [unit("A", "front.png", Id="0102", Size="12"), unit("B", "front.png", Id="0201", Size="9")]}
    game = imported(packed(build_file({**PALETTES, **palettes})))
    assert (game.tracks["id"].kind, game.tracks["size"].kind) == ("text", "integer")
    assert game.roster["A"]["id"][0].value == "0102"


def test_what_a_marker_has_besides_its_first_layer_is_listed() -> None:
    second = LayerTrait("Fort", ("two.png", "three.png"), ("", ""), ("On", keystroke("U")), ("Off", keystroke("G")))
    marker = Piece(
        "null", (Trait(CONTROL.type, "1"), Trait(second.type, "1"), Trait(NOTE.type), Trait("piece;;;;Post"))
    )
    imported(packed(build_file({**PALETTES, "Markers": [*PALETTES["Markers"], marker]})))
    assert "layers of markers besides the first\n  - Post: Fort\n" in report()
    assert "texts that players write on markers\n  - Post: Note\n" in report()


@pytest.mark.parametrize(("entry", "turn"), [(0, 1), (1, None), (2, 2)])
def test_a_set_up_has_the_turn_of_its_entry_in_a_list(entry: int, turn: int | None) -> None:
    root = build_file()
    tracker = next(root.iter(MODULE + "turn.TurnTracker"))
    for level in [*tracker]:
        tracker.remove(level)
    add(tracker, MODULE + "turn.ListTurnLevel", name="Months", list="May, ,June")
    game = imported(begun_at(root, f"0|{entry};0;0;true,true,true"))
    fact = position(game).state.facts.get(("turn", ""))
    assert (fact and fact.value) == turn


def test_the_turn_of_a_set_up_that_is_none_here_is_listed() -> None:
    imported(begun_at(build_file(), "0|9;0;false;8;0\\;0\\;0\\;true,true"))
    assert "a set-up's turn that is none of the turns here\n  - The start: 9\n" in report()


def test_what_a_turn_tracker_loses_is_listed() -> None:
    root = build_file()
    tracker = next(root.iter(MODULE + "turn.TurnTracker"))
    for level in [*tracker]:
        tracker.remove(level)
    months = ",".join(f"Month {number}" for number in range(1, 203))
    level = add(tracker, MODULE + "turn.ListTurnLevel", name="Months", list=months)
    add(level, MODULE + "turn.CounterTurnLevel", name="Impulse", start="1", incr="1", loop="false")
    add(tracker, MODULE + "turn.ListTurnLevel", name="Weather", list="Dry,Wet")
    assert imported(packed(root)).tracks["turn"].most == 200
    for line in ("Month 201", "Month 202", "Impulse", "Weather"):
        assert f"  - {line}\n" in report()


def test_a_list_of_one_turn_is_a_turn() -> None:
    root = build_file()
    tracker = next(root.iter(MODULE + "turn.TurnTracker"))
    for level in [*tracker]:
        tracker.remove(level)
    level = add(tracker, MODULE + "turn.ListTurnLevel", name="Day", list="The day")
    add(level, MODULE + "turn.ListTurnLevel", name="Player", list="Blue,Red")
    game = imported(packed(root))
    assert (game.tracks["turn"].least, game.tracks["turn"].most) == (1, 1)
    assert 'order = ["blue", "red"]' in Path("marsh/course.toml").read_text("utf-8")


def test_things_without_a_place_are_counted_each() -> None:
    root = build_file()
    add(root, MODULE + "SpecialDiceButton", name="Odd dice")
    imported(packed(root))
    assert "  - Special Dice Button: Odd dice (2 times)" in report()


def test_an_extension_adds_its_pieces() -> None:
    more = build_file({"Late units": [unit("9th", "front.png", Strength="1")]})
    more.tag = MODULE + "ModuleExtension"
    Path("late.vmdx").write_bytes(packed(more))
    game = imported(foreign(), "--extension", "late.vmdx")
    assert "9th" in game.roster


@pytest.mark.parametrize("forms", [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_picture_is_found_however_its_accents_are_written(forms: tuple[str, str]) -> None:
    named, stored = (unicodedata.normalize(form, "Füsilier.png") for form in forms)
    root = build_file({"Late units": [unit("9th", named, turns=False)]})
    imported(packed(root, {**PICTURES, stored: picture()}))
    assert Path("marsh/faces/9th.png").is_file()
    assert "pictures that are missing" not in report()


def test_the_module_is_not_an_extension_of_itself() -> None:
    Path("module.vmod").write_bytes(foreign())
    refused = run("import", "module.vmod", "-o", "marsh", "--extension", "module.vmod")
    assert (refused.exit_code, refused.output) == (
        3,
        "module-builder: module.vmod: this is the module itself, not an extension\n  name it once\n",
    )


def test_an_extension_alone_has_the_name_of_its_module() -> None:
    root = build_file({"Late units": [unit("9th", "front.png", Strength="1")]})
    root.tag = MODULE + "ModuleExtension"
    root.set("module", "Eastern Marsh")
    front = {"images/front.png": PICTURES["front.png"]}
    Path("late.vmdx").write_bytes(write_container({"buildFile.xml": etree.tostring(root, encoding="UTF-8"), **front}))
    assert run("import", "late.vmdx", "-o", "marsh").exit_code == 0
    assert 'module = "Eastern Marsh"' in Path("marsh/modules/eastern-marsh.toml").read_text("utf-8")


def test_what_an_extension_adds_to_a_module_is_taken_or_listed() -> None:
    root = etree.Element(MODULE + "ModuleExtension", name="Late")
    added = add(root, EXTENDS, target="")
    add(added, MODULE + "SpecialDiceButton", name="Odder dice")
    add(added, MODULE + "DiceButton", name="Five", nDice="5", nSides="8")
    Path("late.vmdx").write_bytes(packed(root))
    game = imported(foreign(), "--extension", "late.vmdx")
    assert game.file.module is not None
    assert (5, 8) in game.file.module.dice
    assert "  - Special Dice Button: Odder dice" in report()


@few(1)
@pytest.mark.parametrize("name", ["drill", "twilight-in-the-east", "kaisers-war-in-the-east"])
def test_a_module_of_ours_comes_back(name: str) -> None:
    if name == "drill":
        new_game(Path(name))
    game = named_game(name)
    data = build_module(game).data
    again = imported(data)
    files, module = read_container(data), read_module(data)
    for (title, file), (path, shown) in zip(
        module.setups, again.file.module.setups if again.file.module else (), strict=True
    ):
        assert title == shown
        before = read_position(files[file], file, lambda id: game).state
        after = position(again, path).state
        drawn = {unit.id: unit.place for unit in before.units.values() if unit.place is not None}
        called = {str(one.marks().get(UNIT)): one.name for one in read_save(files[file]).pieces.values()}
        assert {unit.id: unit.place for unit in after.units.values()} == {called[id]: at for id, at in drawn.items()}
        words = {
            (subject, game.tracks[track].word(fact.value))
            for (track, subject), fact in before.facts.items()
            if subject in drawn
        }
        shown_by = [one for one in read_save(files[file]).pieces.values() if one.marks().get(UNIT) in drawn]
        seen = {(str(one.marks().get(UNIT)), word) for one in shown_by for word in said(one)}
        assert {(subject, word) for subject, word in words if (subject, word) in seen} == seen
        assert len(states(again, after.facts)) >= len(seen)


def said(piece: Piece) -> set[str]:
    """What the layers of a piece of ours state."""
    from assistant.formats.vassal.traits import read_layer, read_level

    found = {read_layer(trait.type).added(read_level(trait)) for trait in piece.traits if trait.kind == "emb2"}
    return found - {""}


def states(game: Game, facts: object) -> list[object]:
    """The facts of units that vary in play."""
    assert hasattr(facts, "items")
    return [key for key, _ in facts.items() if game.tracks[key[0]].on == "unit"]


# --- modules that lack something, or have too much --------------------------------------------------------------------


def test_a_map_without_a_grid_has_a_box_wherever_pieces_lie() -> None:
    root = build_file()
    for grid in [*root.iter("{*}VASSAL.build.module.map.boardPicker.board.ZonedGrid")]:
        grid.getparent().remove(grid)
    save = write_save(start(read_module(packed(root))))
    game = imported(packed(root, files={"start.vsav": save}))
    found = {unit.id: unit.place for unit in position(game).state.units.values()}
    assert found["1st"] == found["2nd"] != found["Guard/A"]
    assert str(found["1st"]).startswith("Main spot ")
    assert places(*rebuilt(game))["1st"] == found["1st"]


@pytest.mark.parametrize("between", ["{", "\u2013", "\t"], ids=["brace", "dash", "tab"])
def test_hexes_whose_numbers_no_map_has_are_numbered_anew_and_that_is_said(between: str) -> None:
    root = build_file()
    for numbering in root.iter("{*}VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"):
        numbering.set("sep", between)
    game = imported(packed(root, files={"start.vsav": write_save(start(read_module(packed(root))))}))
    assert {unit.id: unit.place for unit in position(game).state.units.values()}["1st"] == "0203"
    assert "renumbered" in report()


def test_a_grid_that_begins_far_from_its_board_is_read_at_once() -> None:
    drawn = Hexes(x0=-99_000, y0=-98_000, dx=1, dy=1, size=(20, 10))
    cells = [*cells_of(drawn, (20, 10))]
    assert len(cells) == 200
    assert all(0 <= drawn.centre(*cell)[0] < 20 for cell in cells)


@few(1)
@pytest.mark.parametrize("builds", [False, True])
def test_a_module_without_anything_but_pieces(builds: bool) -> None:
    root = build_file()
    for child in [*root]:
        if str(child.tag).endswith(
            ("Map", "PredefinedSetup", "PlayerRoster", "TurnTracker", "DiceButton", "ChartWindow")
        ):
            root.remove(child)
    game = imported(packed(root))
    assert len(game.roster) == 5
    assert not builds or build_module(game).counters == 5


def test_names_that_are_no_names_here_are_changed_and_listed() -> None:
    odd = [
        'Say "hi"',
        "../../etc/passwd",
        "A|B=C",
        "\u2018quoted\u2019",
        "1st",
        "1ST",
        "",
        "blue",
        "disrupted",
    ]
    palettes = {"Blue units": [unit(name, "front.png") for name in odd], "Red units": PALETTES["Red units"]}
    game = imported(packed(build_file(palettes)))
    assert {"Say 'hi'", "A/B-C", "../../etc/passwd", "'quoted'"} <= set(game.roster)
    assert len(game.roster) == len(odd) + 2
    assert "Say \"hi\": Say 'hi'" in report()
    assert not [file for file in Path().rglob("*passwd*") if "faces" not in file.parts]


def test_pictures_that_are_none_are_left_out() -> None:
    spoiled = {**PICTURES, "front.png": b"\x89PNG\r\n\x1a\n" + b"x" * 99, "d.png": b"nothing"}
    game = imported(packed(build_file(), spoiled))
    assert "  - front.png" in report() and "  - d.png" in report()
    assert build_module(game).counters == len(game.roster)


def test_a_huge_picture_is_left_out_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_ART_PIXELS", "2000")
    imported(packed(build_file()))
    assert "  - front.png" in report()


def test_what_a_module_unpacks_to_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("module.vmod").write_bytes(foreign())
    monkeypatch.setenv("FIELD_STAFF_LIMIT_IMPORT", "1K")
    done = run("import", "module.vmod", "-o", "marsh")
    assert done.exit_code == 3 and "FIELD_STAFF_LIMIT_IMPORT=" in done.stderr
    assert not Path("marsh").exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"no zip", "module.vmod"), (packed(build_file())[:500], "module.vmod"), (None, "there is no such file")],
)
def test_what_is_no_module_is_named(data: bytes | None, said: str) -> None:
    if data is not None:
        Path("module.vmod").write_bytes(data)
    done = run("import", "module.vmod", "-o", "marsh")
    assert done.exit_code == 3 and said in done.stderr and len(done.stderr.splitlines()) <= 2
    assert not Path("marsh").exists()


def test_a_module_is_imported_once_more_only_over_an_earlier_import_and_by_force() -> None:
    imported(foreign())
    Path("marsh/game.toml").write_text("spoilt", "utf-8")
    Path("marsh/own.txt").write_text("mine", "utf-8")
    refused = run("import", "module.vmod", "-o", "marsh")
    assert (refused.exit_code, "--force imports once more" in refused.stderr) == (3, True)
    done = run("import", "module.vmod", "-o", "marsh", "--force")
    assert done.output.splitlines()[-1] == (
        "next: module-builder check marsh, then assistant adopt module.vmod --game marsh"
    )
    assert run("check", "marsh").exit_code == 0
    assert Path("marsh/own.txt").read_text("utf-8") == "mine"
    adopted = CliRunner().invoke(assistant_cli, ["adopt", "module.vmod", "--game", "marsh"])
    assert adopted.exit_code == 0, adopted.output
    Path("papers").mkdir()
    Path("papers/letter.txt").write_text("mine", "utf-8")
    assert run("import", "module.vmod", "-o", "papers", "--force").exit_code == 3


def test_enemies_in_one_hex_leave_the_sides_out_and_that_is_said() -> None:
    module = read_module(packed(build_file()))
    save = start(module)
    enemy = placed(module, "x", "4", "Main", save.pieces["a"].at)
    both = Save(about=ABOUT, boards=save.boards, pieces={"a": save.pieces["a"], "x": enemy})
    game = imported(packed(build_file(), files={"start.vsav": write_save(both)}))
    assert game.file.sides == {}
    assert "units of several sides share hexes" in report()


def test_several_pictures_on_a_piece_are_laid_over_one_another() -> None:
    over = LayerTrait("Sign", ("red.png",), ("",), x=0, y=0)
    piece = Piece("null", (Trait(over.type, "1"), Trait("piece;;;front.png;Signed")))
    imported(packed(build_file({"Blue units": [piece], "Red units": PALETTES["Red units"]})))
    face = Image.open(io.BytesIO(Path("marsh/faces/Signed.png").read_bytes())).convert("RGB")
    assert face.size == (50, 50)
    assert face.getpixel((25, 25)) == (255, 0, 0) and face.getpixel((1, 1)) == (0x33, 0x66, 0x99)


def signed(signs: dict[str, bytes]) -> None:
    """Import a module of which one piece bears these pictures over its own, each at the same place."""
    over = [LayerTrait(f"Sign {sign}", (sign,), ("",), x=0, y=0) for sign in signs]
    piece = Piece("null", (*(Trait(layer.type, "1") for layer in over), Trait("piece;;;front.png;Signed")))
    palettes = {"Blue units": [piece], "Red units": PALETTES["Red units"]}
    imported(packed(build_file(palettes), PICTURES | signs))


def test_a_drawing_over_a_picture_is_left_out_and_listed() -> None:
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
    signed({"sign.svg": drawing})
    assert Path("marsh/faces/Signed.png").exists()
    assert "  - sign.svg" in report()


def test_layers_that_are_too_large_together_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_ART_PIXELS", "3000")
    signed({"wide.png": picture((300, 10)), "high.png": picture((10, 300))})
    assert "  - wide.png" in report() and "  - high.png" in report()


@thorough
def test_thousands_of_pieces() -> None:
    many = [unit(f"Battalion {number}", "front.png", Strength=str(number)) for number in range(1200)]
    game = imported(packed(build_file({"Blue units": many, "Red units": PALETTES["Red units"]})))
    assert len(game.roster) == 1202


def test_a_picture_of_another_size_is_as_large_as_the_counter() -> None:
    wide = {**PICTURES, "front.png": picture((80, 40), "#008000")}
    imported(packed(build_file(), wide))
    assert run("counters", "marsh", "--only", "1st", "--out", "drawn", "--square").exit_code == 0
    (front,) = Path("drawn").glob("*front*.png")
    shown = Image.open(front).convert("RGB")
    assert shown.getpixel((2, shown.height // 2)) == (0, 0x80, 0)
    assert shown.getpixel((shown.width // 2, 4)) != (0, 0x80, 0)


@pytest.mark.parametrize(("visible", "dots"), [("true", True), ("false", False)])
def test_dots_in_the_middle_of_hexes_are_those_that_the_engine_draws(visible: str, dots: bool) -> None:
    root = build_file({"Blue": [unit("1st", "front.png")]})
    next(root.iter(GRID)).attrib.update({"visible": visible, "dotsVisible": "true"})
    game = imported(packed(root))
    assert game.board(game.board_names[0]).grid.dots is dots
    built = next(etree.fromstring(read_container(build_module(game).data)["buildFile.xml"]).iter(GRID))
    assert (built.get("visible"), built.get("dotsVisible")) == (str(dots).lower(),) * 2

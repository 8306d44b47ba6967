"""The module of Kaiser's War in the East in the real engine: each scenario opened, saved and asked about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import read_save
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game
from assistant.service import ask
from module_builder.vassal.module import build_module
from module_builder.vassal.module_setting import MAP
from module_builder.vassal.records import RecordSheet
from tests.saves import read_container as contents

from .agreement import save_set_ups, saved
from .engine import OFF_BOARD, Session

GAME = "kaisers-war-in-the-east"
SET_UPS = {"1914": "August-1914.vsav", "1915": "May-1915.vsav", "1916": "June-1916.vsav"}


@pytest.fixture(scope="module")
def module() -> bytes:
    return build_module(load_game(GAME)).data


@pytest.fixture(scope="module")
def table(engine: ModuleType, module: bytes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    file = tmp_path_factory.mktemp("table") / "war.vmod"
    file.write_bytes(module)
    with engine.Session(file) as session:
        yield session


@pytest.fixture(scope="module")
def folder(table: Session, module: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the engine has saved each scenario."""
    folder = tmp_path_factory.mktemp("module")
    save_set_ups(table.play, module, SET_UPS, folder)
    return folder


@pytest.mark.parametrize("name", SET_UPS)
def test_a_scenario_that_the_engine_saved_is_the_typed_one(folder: Path, name: str) -> None:
    typed = read_position(f"{name}.pos", (load_game(GAME).folder / "setups" / f"{name}.pos").read_bytes()).state
    found = saved(folder, name).state
    assert {unit.id: str(unit.place) for unit in found.units.values()} == {
        unit.id: str(unit.place) for unit in typed.units.values()
    }
    assert {key: fact.value for key, fact in found.facts.items()} == {
        key: fact.value for key, fact in typed.facts.items()
    }
    assert found.unread == ()


def test_a_save_is_asked_about(folder: Path) -> None:
    report = ask(saved(folder, "1916"), "stack", at="2622")
    assert report.verdict.kind == "yes", str(report)
    assert "Ger-8, within the limits" in str(report)


def test_a_unit_dragged_from_its_box_stands_in_the_hex_and_off_the_sheet_in_none(table: Session, folder: Path) -> None:
    """Hexes and boxes are two maps of the module, and a pixel of one means nothing on the other."""
    set_up = {"do": "setup", "file": SET_UPS["1914"]}
    names = {
        "Austro-Hungarian 1st Army": "AH-1",
        "Austro-Hungarian 3rd Army": "AH-3",
        "Austro-Hungarian 4th Army": "AH-4",
    }
    pieces = {
        names.get(one.name, one.name): one
        for one in table.play([set_up, {"do": "list", "as": "start"}])["start"].pieces
    }
    hex = pieces["AH-3"]
    assert (hex.location, pieces["AH-4"].location) == ("2622", "set up at Przemysl")
    to = {"do": "move", "x": hex.x, "y": hex.y}
    outcome = table.play(
        [
            set_up,
            {**to, "piece": pieces["AH-4"].id, "map": hex.map, "as": "hex"},
            {**to, "piece": pieces["AH-1"].id, "as": "sheet"},
            {"do": "save", "file": folder / "moved.vsav"},
        ],
    )
    assert (outcome["hex"].location, outcome["sheet"].location) == ("2622", OFF_BOARD)
    state = saved(folder, "moved").state
    assert [unit.id for unit in state.stack("2622")] == ["AH-4", "AH-3"]
    assert state.units["AH-1"].place is None
    assert [one.what for one in state.unread] == ["AH-1 is not on a hex of the map"]


def test_the_module_opens_on_its_map_and_the_markers_of_victory_points_move(
    table: Session, module: bytes, tmp_path: Path
) -> None:
    shown, saved_as = tmp_path / "shown.png", tmp_path / "again.vsav"
    sheet = RecordSheet(load_game(GAME), 75)
    ids = {piece.name: id for id, piece in read_save(contents(module)[SET_UPS["1914"]]).pieces.items()}
    x, y = sheet.boxes["Victory Points 70"]
    outcome = table.play(
        [
            {"do": "setup", "file": SET_UPS["1914"]},
            {"do": "list", "as": "start"},
            {"do": "toolbar", "as": "toolbar"},
            {"do": "screenshot", "file": shown, "width": 1400, "height": 900},
            {
                "do": "move",
                "piece": ids["Victory Points: Central Powers"],
                "map": "Records",
                "x": x,
                "y": y,
                "as": "moved",
            },
            {"do": "save", "file": saved_as},
        ]
    )
    assert outcome.faults == []
    places = {piece.name: piece.location for piece in outcome["start"].pieces if piece.map == "Records"}
    points = {name: place for name, place in places.items() if name.startswith("Victory Points")}
    assert points == {
        "Victory Points: Allies": "Victory Points 80",
        "Victory Points: Central Powers": "Victory Points 65",
    }
    buttons = {button.text for button in outcome["toolbar"]}
    assert {"Boxes", "Records"} <= buttons and "Numbered hexes" not in buttons, "the map is the main window"
    army = next(piece for piece in outcome["start"].pieces if piece.name == "Austro-Hungarian 3rd Army")
    assert (army.map, army.location) == (MAP, "2622"), "Lemberg, on the first board of the module"
    assert outcome["moved"].location == "Victory Points 70"
    assert read_vassal(saved_as.read_bytes(), "again.vsav", lambda id: load_game(id)).state.unread == ()


def test_a_counter_that_is_out_of_play_lies_in_the_dead_pile_of_its_side(table: Session, tmp_path: Path) -> None:
    saved_as = tmp_path / "lost.vsav"
    set_up = {"do": "setup", "file": SET_UPS["1914"]}
    pieces = {one.name: one for one in table.play([set_up, {"do": "list", "as": "start"}])["start"].pieces}
    armies = pieces["Austro-Hungarian 1st Army"], pieces["Russian 1st Army"]
    gone = [{"do": "menu", "piece": army.id, "item": "Out of play"} for army in armies]
    outcome = table.play([set_up, *gone, {"do": "list", "as": "lost"}, {"do": "save", "file": saved_as}])
    assert outcome.faults == []
    lost = [outcome["lost"].piece(army.id) for army in armies]
    assert [(one.map, one.location) for one in lost] == [("Out of play", "Dead Pile")] * 2
    assert lost[0].x != lost[1].x, "each in the box of its side"
    state = read_vassal(saved_as.read_bytes(), "lost.vsav", lambda id: load_game(id)).state
    assert (state.units["AH-1"].place, state.units["Rus-1"].place, state.unread) == ("Dead Pile", "Dead Pile", ())

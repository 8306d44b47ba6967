"""The harness at work on a module of a dozen components, and what the engine says and does not say of mistakes."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ESC, TAB, BACKSLASH = "\x1b", "\t", "\\"
MODULE = "VASSAL.build.module."
WIDGET = "VASSAL.build.widget."
MAP = MODULE + "map."
PAWN = "prototype;Unit\tpiece;;;pawn.png;Pawn/\tnull;0;0;;0"
DATA = (
    '<data version="1"><version>1</version><VassalVersion>3.6.0</VassalVersion><dateSaved>0</dateSaved>'
    "<description/><name>Tiny</name></data>"
)
UNIT = [
    "report;76\\,130;$newPieceName$ loses a step;;;;false",
    "submenu;More;Set",
    "PROP;Strength;true,0,9,false;Lose a step:76\\,130:I\\,-1,Set:83\\,130:R\\,New strength;",
    "mark;Kind",
]
UNIT_STATE = ["-1", "", "5", "Foot"]


def png(width: int, height: int) -> bytes:
    """A picture in one grey."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x80" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def folded(parts: list[str]) -> str:
    """Types or states of traits, outermost first, as the engine writes them in one another."""
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = f"{part}{TAB}{text.replace(TAB, BACKSLASH + TAB)}"
    return text


def build_file(pawn: str = PAWN, image: str = "") -> str:
    """The tiny module: a map with hexes, a prototype, two slots, a property, a turn tracker, notes, a set-up."""
    unit = f"+/null/{folded([*UNIT, 'piece;;;;'])}/{folded([*UNIT_STATE, 'null;0;0;;0'])}"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<VASSAL.build.GameModule name="Tiny" version="1" VassalVersion="3.6.0" description="" nextPieceSlotId="9">
  <{MODULE}BasicCommandEncoder/>
  <{MODULE}GlobalOptions autoReport="Always"/>
  <{MODULE}PlayerRoster><entry>Red</entry><entry>Blue</entry></{MODULE}PlayerRoster>
  <{MODULE}properties.GlobalProperties>
    <{MODULE}properties.GlobalProperty name="Weather" initialValue="Dry"/>
  </{MODULE}properties.GlobalProperties>
  <{MODULE}PrototypesContainer>
    <{MODULE}PrototypeDefinition name="Unit">{unit}</{MODULE}PrototypeDefinition>
  </{MODULE}PrototypesContainer>
  <{MODULE}PieceWindow name="Counters" text="Counters">
    <{WIDGET}ListWidget entryName="All">
      <{WIDGET}PieceSlot entryName="Pawn" gpid="1" width="20" height="20">+/null/{pawn}</{WIDGET}PieceSlot>
      <{WIDGET}PieceSlot entryName="Plain" gpid="2">+/null/piece;;;pawn.png;Plain/null;0;0;;0</{WIDGET}PieceSlot>
    </{WIDGET}ListWidget>
  </{MODULE}PieceWindow>
  <{MODULE}NotesWindow/>
  <{MODULE}turn.TurnTracker name="Turns" turnFormat="$level1$">
    <{MODULE}turn.CounterTurnLevel name="Turn" property="Turn" start="1" incr="1" turnFormat="Turn $value$"/>
  </{MODULE}turn.TurnTracker>
  <{MODULE}PredefinedSetup name="Scenarios" isMenu="true">
    <{MODULE}PredefinedSetup name="First" file="first.vsav" useFile="true" isMenu="false"/>
  </{MODULE}PredefinedSetup>
  <{MODULE}Map mapName="Field" markMoved="Always" moveToFormat="$pieceName$ to $location$"
      moveWithinFormat="$pieceName$ to $location$">
    <{MAP}BoardPicker>
      <setup>FieldBoardPicker{TAB}Land{TAB}0{TAB}0</setup>
      <{MAP}boardPicker.Board name="Land" width="400" height="400" color="200,220,200" image="{image}">
        <{MAP}boardPicker.board.HexGrid x0="50" y0="50" dx="86.6" dy="100" snapTo="true" visible="true" color="0,0,0">
          <{MAP}boardPicker.board.mapgrid.HexGridNumbering first="H" hType="N" vType="N" hOff="1" vOff="1"
            hLeading="1" vLeading="1" stagger="false"/>
        </{MAP}boardPicker.board.HexGrid>
      </{MAP}boardPicker.Board>
    </{MAP}BoardPicker>
    <{MAP}StackMetrics/><{MAP}ForwardToKeyBuffer/><{MAP}MenuDisplayer/><{MAP}PieceMover/><{MAP}KeyBufferer/>
    <{MAP}Scroller/><{MAP}Zoomer zoomLevels="0.5,1.0" zoomStart="2"/>
  </{MODULE}Map>
</VASSAL.build.GameModule>
"""


def pawn(id_: str, x: int, y: int) -> str:
    """A pawn in play: its prototype expanded."""
    kind = folded([*UNIT, "piece;;;pawn.png;Pawn"])
    return f"+/{id_}/{kind}/{folded([*UNIT_STATE, f'Field;{x};{y};1;0'])}"


def plain(id_: str, x: int, y: int, gpid: int = 2, map_: str = "Field") -> str:
    return f"+/{id_}/piece;;;pawn.png;Plain/{map_};{x};{y};{gpid};0"


def saved(*commands: str, board: str = "Land", end: str = "end_save") -> str:
    return ESC.join(["begin_save", *commands, f"FieldBoardPicker\t{board}\t0\t0", end])


FIRST = saved(
    pawn("a", 50, 50),
    pawn("b", 50, 50),
    "+/s/stack/Field;50;50;a;b;@@0",
    plain("c", 136, 100),
    "PLAYER\tTester\tTester\tRed",
    "GlobalProperty\t;Weather;Mud;Module",
    "PNOTES\tHello",
    "TURNTurnTracker0\t0|3;0;false;0",
)


def zipped(file: Path, members: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file


def save(file: Path, text: str) -> Path:
    return zipped(file, {"savedGame": text, "moduledata": DATA, "savedata": DATA})


def module(folder: Path, text: str) -> Path:
    """The module in a file, with a picture and a predefined set-up."""
    first = save(folder / "first.vsav", FIRST).read_bytes()
    members = {"buildFile.xml": text, "moduledata": DATA, "first.vsav": first, "images/pawn.png": png(20, 20)}
    return zipped(folder / "tiny.vmod", members)


# --- what steps do ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(engine: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One run with every step; `folder` is where its files are."""
    folder = tmp_path_factory.mktemp("played")
    centre = [200, 200]
    steps: list[dict[str, Any]] = [
        {"do": "setups", "as": "setups"},
        {"do": "setup", "file": "first.vsav", "as": "setup"},
        {"do": "list", "as": "start"},
        {"do": "palette", "as": "palette"},
        {"do": "windows", "as": "windows"},
        {"do": "toolbar", "as": "toolbar"},
        {"do": "locate", "map": "Field", "points": [[55, 45], [136, 100], [900, 10]], "as": "places"},
        {"do": "centre", "map": "Field", "names": ["0101", "0201", "9999", "nowhere"], "as": "centres"},
        {"do": "properties", "piece": "a", "names": ["Strength", "Kind", "Colour"], "as": "properties"},
        {"do": "global", "names": ["Weather", "Turn", "Tide"], "as": "global"},
        {"do": "notes", "as": "notes"},
        {"do": "commands", "piece": "a", "as": "commands"},
        {"do": "log_begin", "file": folder / "game.vlog"},
        {"do": "move", "piece": "a", "x": 140, "y": 190, "as": "move a"},
        {"do": "move", "piece": "c", "x": 140, "y": 190, "as": "move c"},
        {"do": "menu", "piece": "a", "item": "Lose a step", "as": "lose"},
        {"do": "answer", "text": "2"},
        {"do": "menu", "piece": "b", "item": "Set"},
        {"do": "key", "piece": "b", "key": "ctrl L"},
        {"do": "set_global", "name": "Weather", "value": "Snow"},
        {"do": "turn", "as": "turn"},
        {"do": "turn_next", "as": "next"},
        {"do": "log_end"},
        {"do": "list", "as": "played"},
        {"do": "save", "file": folder / "out.vsav"},
        {"do": "screenshot", "file": folder / "all.png", "as": "screenshot"},
        {"do": "screenshot", "map": "Field", "width": 500, "height": 400, "zoom": 0.5, "centre": centre}
        | {"file": folder / "map.png"},
        {"do": "draw", "piece": "a", "file": folder / "a.png", "scale": 2, "as": "draw"},
        {"do": "draw", "slot": "2", "file": folder / "slot.png", "as": "draw slot"},
        {"do": "press", "button": "Notes"},
        {"do": "press", "button": "Counters"},
        {"do": "screenshot", "file": folder / "both.png", "as": "both"},
        {"do": "refresh", "as": "refresh"},
        {"do": "list", "as": "refreshed"},
        {"do": "load", "file": folder / "game.vlog", "as": "log"},
        {"do": "log_step", "steps": 1, "as": "one step"},
        {"do": "log_step", "as": "other steps"},
        {"do": "list", "as": "replayed"},
        {"do": "global", "names": ["Weather", "Turn"], "as": "global replayed"},
        {"do": "load", "file": folder / "out.vsav"},
        {"do": "list", "as": "loaded"},
        {"do": "new", "side": "Blue", "as": "new"},
        {"do": "list", "as": "empty"},
    ]
    outcome = engine.run(module(folder, build_file()), steps)
    assert outcome.faults == []
    return outcome, folder


def test_a_game_starts_with_the_pieces_of_the_set_up(played: Any) -> None:
    outcome, _ = played
    assert outcome["setups"] == [(["Scenarios"], "First", "first.vsav")]
    assert outcome["setup"] == (True, [], "Red")
    start = outcome["start"]
    assert [(p.id, p.name, p.gpid, p.location, p.board, p.stack, p.index, p.order) for p in start.pieces] == [
        ("a", "Pawn", "1", "0101", "Land", "s", 0, 0),
        ("b", "Pawn", "1", "0101", "Land", "s", 1, 0),
        ("c", "Plain", "2", "0201", "Land", None, None, 1),
    ]
    assert [(s.id, s.map, s.x, s.y, s.pieces) for s in start.stacks] == [("s", "Field", 50, 50, ["a", "b"])]
    assert start.off_board == []
    a = start.piece("a")
    assert [t.kind for t in a.traits] == ["ReportState", "SubMenu", "DynamicProperty", "Marker", "BasicPiece"]
    *states, basic = [t.state for t in a.traits]
    assert (states, basic.split(";")[:4]) == (UNIT_STATE, ["Field", "50", "50", "1"])
    assert (a.local_name, a.local_location, a.levels) == ("Pawn", "0101", [])
    assert f"+/a/{a.type}/{a.state}".startswith(pawn("a", 50, 50).replace("More;Set", "More;Set;")[:-1])


def test_a_slot_gives_the_piece_with_its_prototype_expanded(played: Any) -> None:
    outcome, _ = played
    slot, other = outcome["palette"]
    assert (slot.path, slot.entry_name, slot.gpid, slot.name) == (["Counters", "All"], "Pawn", "1", "Pawn")
    assert slot.type == outcome["start"].piece("a").type
    assert (slot.width, slot.height, slot.missing, other.gpid) == (20, 20, [], "2")
    assert slot.definition == f"+/null/{PAWN}"


def test_places_and_properties(played: Any) -> None:
    outcome, _ = played
    assert outcome["places"] == [
        ("0101", (50, 50), "Land", None),
        ("0201", (136, 100), "Land", None),
        ("offboard", (900, 10), None, None),
    ]
    assert outcome["centres"] == [(50, 50), (136, 100), None, None]
    assert outcome["properties"] == {"Strength": "5", "Kind": "Foot", "Colour": None}
    assert outcome["global"] == {"Weather": "Mud", "Turn": "3", "Tide": None}
    assert outcome["notes"] == ("", "Hello")


def test_play_moves_stacks_and_changes_pieces(played: Any) -> None:
    outcome, _ = played
    assert outcome["commands"] == [(["More"], "Set", "Ctrl+S", True), ([], "Lose a step", "Ctrl+L", True)]
    assert (outcome["move a"].moved, outcome["move a"].location) == (True, "0202")
    assert "M/c/Field/136/200/a/Field/136/100/null/Tester" in outcome["move c"].command
    assert outcome.said("move a") == ["* Pawn to 0202"]
    assert outcome.said("lose") == ["* Pawn loses a step"]
    assert [(d.title, d.answered) for d in outcome.dialogs] == [("", True), ("Refresh Counters", True)]
    assert outcome.unanswered == 0
    assert (outcome["turn"].turn, outcome["next"]) == ("Turn 3", ("Turns", "Turn 4", "0|4;0;false;0"))
    after = outcome["played"]
    assert after.piece("a").stack == after.piece("c").stack != "s"
    assert [after.piece(id_).traits[2].state for id_ in "ab"] == ["4", "1"]


def test_what_was_saved_or_logged_is_what_was_played(played: Any) -> None:
    outcome, _ = played
    assert outcome["loaded"] == outcome["played"]
    assert outcome["log"].started
    assert (outcome["one step"], outcome["other steps"]) == (1, 6)

    def places(listing: Any) -> list[tuple[str, ...]]:
        return [(p.id, p.location, p.stack, p.traits[2].state if len(p.traits) > 1 else "") for p in listing.pieces]

    assert places(outcome["replayed"]) == places(outcome["played"])
    assert outcome["global replayed"] == {"Weather": "Snow", "Turn": "4"}


def test_refreshing_makes_the_pieces_anew(played: Any) -> None:
    outcome, _ = played
    assert outcome["refresh"] == (3, 0, 0, 0)
    assert "- - 3 Counters refreshed" in outcome.said("refresh")
    before, after = outcome["played"], outcome["refreshed"]
    assert sorted(p.traits[-1].type for p in after.pieces) == sorted(p.traits[-1].type for p in before.pieces)
    assert not {p.id for p in after.pieces} & {"a", "b", "c"}


def test_a_new_game_asks_for_a_side(played: Any) -> None:
    outcome, _ = played
    assert outcome["new"] == (True, ["Choose side"], "Blue")
    assert outcome["empty"].pieces == []


def test_pictures(played: Any) -> None:
    outcome, folder = played
    assert [(w.title, w.kind) for w in outcome["windows"]] == [("first.vsav - Tiny 1 - VASSAL 3.6.0", "PlayerWindow")]
    assert outcome["screenshot"] == ["game.vlog - Tiny 1 - VASSAL 3.6.0"]
    assert outcome["both"] == ["game.vlog - Tiny 1 - VASSAL 3.6.0", "Notes"]
    assert any(button.text == "Counters" and button.where == "" for button in outcome["toolbar"])
    assert any(button.tooltip == "Zoom in" and button.where == "Field" for button in outcome["toolbar"])
    sizes = [struct.unpack(">II", (folder / name).read_bytes()[16:24]) for name in ("all.png", "map.png", "a.png")]
    assert sizes == [(1280, 1000), (500, 400), (40, 40)]
    assert (outcome["draw"], outcome["draw slot"]) == ([40, 40], [20, 20])


# --- what the engine says of mistakes ---------------------------------------------------------------------------------


def test_mistakes_that_the_engine_only_logs(engine: ModuleType, tmp_path: Path) -> None:
    unknown = "nonsense;1\tpiece;;;absent.png;Pawn/\tnull;0;0;;0"
    steps: list[dict[str, Any]] = [
        {"do": "palette", "as": "palette"},
        {"do": "setup", "file": "First"},
        {"do": "list", "as": "list"},
        {"do": "load", "file": Path(__file__)},
        {"do": "commands", "piece": "nobody"},
    ]
    outcome = engine.run(module(tmp_path, build_file(unknown, "nowhere.png")), steps, check=False)
    assert [(w.level, w.step) for w in outcome.warnings] == [("WARN", -1), ("WARN", 0), ("WARN", 1), ("ERROR", 3)]
    for warning, part in zip(
        outcome.warnings, ("nonsense;1", "absent.png", "nowhere.png", "Invalid save"), strict=True
    ):
        assert part in warning.text
    assert [(d.title, d.step, d.answered) for d in outcome.dialogs] == [("Unable to Read File", 3, False)]
    assert len(outcome.faults) == 5
    assert [bool(error) for error in outcome.errors] == [False, False, False, False, True]
    assert outcome["palette"][0].traits[0] == ("Marker", "mark;", "")
    assert [piece.id for piece in outcome["list"].off_board] == ["a", "b", "c"]


def test_mistakes_that_the_engine_passes_over(engine: ModuleType, tmp_path: Path) -> None:
    saves = {
        "map": saved(plain("a", 50, 50, map_="Elsewhere")),
        "board": saved(plain("a", 50, 50), board="Sea"),
        "end": saved(plain("a", 50, 50), end=""),
        "command": saved(plain("a", 50, 50), "NONSENSE\t1"),
        "slot": saved(plain("a", 50, 50, gpid=77)),
    }
    steps: list[dict[str, Any]] = [{"do": "palette", "as": "palette"}]
    for name, text in saves.items():
        steps += [{"do": "load", "file": save(tmp_path / name, text), "as": f"load {name}"}, {"do": "list", "as": name}]
    steps += [{"do": "refresh", "as": "refresh"}]
    text = build_file(PAWN.replace("Unit", "Nobody")).replace("mapName=", 'colour="red" mapName=')
    outcome = engine.run(module(tmp_path, text), steps)
    assert outcome.faults == []
    assert outcome["palette"][0].missing == ["Nobody"]
    assert [piece.map for piece in outcome["map"].off_board] == [None]
    assert [piece.map for piece in outcome["board"].off_board] == ["Field"]
    assert [outcome[f"load {name}"].started for name in saves] == [True, True, False, True, True]
    assert (outcome["refresh"].updated, outcome["refresh"].not_found) == (1, 0)


def test_a_module_that_cannot_be_opened(engine: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(engine.EngineError, match="after 0 steps"):
        engine.run(zipped(tmp_path / "empty.vmod", {"moduledata": DATA}), [])


def test_a_run_ends_in_any_case(engine: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(engine.EngineError, match="stopped after 0 seconds"):
        engine.run(module(tmp_path, build_file()), [], seconds=0)

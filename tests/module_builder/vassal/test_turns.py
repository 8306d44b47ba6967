"""Turns in a module: the tracker's lists, and who stands in which box of the turn track."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from lxml import etree
from msgspec.structs import replace

from assistant.formats.notation_writer import write_notation
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.game.games import Game, Overlay
from assistant.game.lint.course import find_course_faults
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game
from assistant.state.state import GameState
from assistant.util.errors import InputError, stop
from module_builder.vassal.module import BuiltModule, build_module
from module_builder.vassal.sheets import OUT_WINDOW
from module_builder.vassal.turn_track import TURNS, make_timeline
from tests.module_builder.test_data_game import FILES, files_of, game_in

TWILIGHT = "twilight-in-the-east"
START = "game heath\nboard heath\nturn=6\nD3: Ewes\n"
COURSE = """
[turns]
tag = "Day {}"
arrives = "due"
order = ["red", "blue"]
[[phase]]
title = "Grazing"
[[phase]]
title = "Night"
part = "inter-phase"
turns = "7"
"""
DUE = '\n[due]\ntitle = "day of arrival"\non = "unit"\nkind = "integer"\nleast = 1\nmost = 20\nprinted = "counter"\n'


def test_the_frames_follow_the_turn_tracker_in_a_window_that_names_its_turns(built: BuiltModule) -> None:
    files = files_of(built)
    save = read_save(files["19-August-1914-East-Prussia.vsav"])
    frames = [piece for piece in save.pieces.values() if piece.map == TURNS and "display" in piece.marks()]
    assert len(frames) == 8, "a frame for each row"
    assert {piece.map for piece in frames} == {TURNS}
    expression = next(trait.type for trait in frames[1].traits if trait.kind == "calcProp")
    assert 'GetProperty("turn")==7 ? 2 : GetProperty("turn")==8 ? 3 : ' in expression
    root = etree.fromstring(files["buildFile.xml"])
    window = next(one for one in root.iter("{*}VASSAL.build.module.Map") if one.get("mapName") == TURNS)
    stacks = list(window.iter("{*}VASSAL.build.module.map.SetupStack"))
    assert [stack[0].get("gpid") for stack in stacks] == [frame.slot for frame in frames], "in a new game too"
    assert state_of(save, load_game(TWILIGHT)).unread == ()
    root = etree.fromstring(files_of(built)["buildFile.xml"])
    window = next(one for one in root.iter("{*}VASSAL.build.module.Map") if one.get("mapName") == TURNS)
    named = [one.get("name") for one in window.iter("{*}VASSAL.build.module.map.boardPicker.board.Region")]
    assert named == [f"GT {number}" for number in range(1, 48)]


def test_the_tracker_goes_through_weather_player_turns_phases_and_inter_phase() -> None:
    first, sides, last = make_timeline(load_game(TWILIGHT), 75).lists
    assert first.entries == (("Weather (GT 1-10, 34-47)", ""),)
    assert sides.entries == (("Russian", "phasing=russian"), ("Central Powers", "phasing=central-powers"))
    (phases,) = sides.below
    assert ("Movement", "phase=movement") in phases.entries
    assert ("Supply", "phase=supply") in phases.entries
    assert [shown for shown, _ in last.entries] == [
        "Administrative Segment (if due)",
        "Replacement Allocation Segment (if due)",
    ]


def heath(folder: Path, start: str = START, **changed: str) -> Game:
    """A game with a course of play and a column of arrivals."""
    head, *rows = FILES["roster.csv"].splitlines()
    roster = "\n".join([f"{head},due", *(f"{row},{8 * row.startswith('Wolves') or ''}" for row in rows)])
    (folder / "course.toml").write_text(COURSE)
    return game_in(folder, start_pos=start, tracks_toml=FILES["tracks.toml"] + DUE, roster_csv=roster + "\n", **changed)


def set_up_of(game: Game) -> Save:
    return read_save(files_of(build_module(game))["The-start.vsav"])


def state_of(save: Save, game: Game) -> GameState:
    return read_vassal(write_save(save), "x.vsav", lambda _: game).state


def test_units_that_arrive_later_stand_in_the_box_of_their_turn_if_it_is_to_come(tmp_path: Path) -> None:
    game = heath(tmp_path)
    save = set_up_of(game)
    (wolves,) = [piece for piece in save.pieces.values() if piece.marks().get("unit") == "Wolves"]
    assert wolves.map == TURNS
    state = state_of(save, game)
    assert state.units["Wolves"].place is None
    assert ("due", "Wolves") not in state.facts  # as the roster has it
    assert state.unread == ()
    save = set_up_of(heath(tmp_path, START.replace("turn=6", "turn=8")))
    assert not any(piece.map == TURNS and piece.marks().get("unit") for piece in save.pieces.values())


def test_a_box_may_be_called_like_a_turn(tmp_path: Path) -> None:
    files = {
        name.replace(".", "_"): FILES[name].replace('boxes = ["Reserve"]', 'boxes = ["Reserve", "turn 8"]')
        for name in ("game.toml", "boards/heath/board.toml")
    }
    game = heath(tmp_path, f'{START}"turn 8": Rams\n', **files)
    save = set_up_of(game)
    stacked = [id for stack in save.stacks.values() for id in stack.pieces]
    assert sorted(stacked) == sorted(id for id in save.pieces if not id.startswith("now"))
    state = state_of(save, game)
    assert (state.units["Rams"].place, state.units["Wolves"].place) == ("turn 8", None)


def test_a_set_up_may_say_who_arrives_when_and_is_written_so(tmp_path: Path) -> None:
    game = heath(tmp_path, f"{START}Rams due=9\nE4: Wolves\n")
    save = set_up_of(game)
    at = {piece.marks().get("unit"): (piece.map, piece.at) for piece in save.pieces.values()}
    assert at["Rams"][0] == TURNS
    assert at["Wolves"][0] == "Map"
    state = state_of(save, game)
    assert (state.units["Rams"].place, state.facts["due", "Rams"].value) == (None, 9)
    assert state.units["Wolves"].place == "E4"
    game = heath(tmp_path)
    text = f"{START}Rams due=9\n"
    position = read_position("x.pos", text.encode(), lambda _: game)
    assert (position.state.units["Rams"].place, position.state.facts["due", "Rams"].value) == (None, 9)
    again = read_position("x.pos", write_notation(position).encode(), lambda _: game)
    assert (again.state.units, again.state.facts) == (position.state.units, position.state.facts)
    with pytest.raises(InputError, match="a line cannot begin with 'Rams'"):
        read_position("x.pos", f"{START}Rams stance=stands\n".encode(), lambda _: game)


def test_a_unit_moved_to_another_box_arrives_then(tmp_path: Path) -> None:
    game = heath(tmp_path)
    save = set_up_of(game)
    track = make_timeline(game, 40).track
    assert track is not None
    pieces = {
        id: piece._replace(at=track.middles["7"]) if piece.map == TURNS else piece for id, piece in save.pieces.items()
    }
    stacks = {
        id: stack._replace(at=track.middles["7"]) if stack.map == TURNS else stack for id, stack in save.stacks.items()
    }
    state = state_of(msgspec.structs.replace(save, pieces=pieces, stacks=stacks), game)
    assert (state.units["Wolves"].place, state.facts["due", "Wolves"].value) == (None, 7)
    out = {id: piece._replace(map=OUT_WINDOW) if piece.map == TURNS else piece for id, piece in save.pieces.items()}
    assert ("due", "Wolves") not in state_of(msgspec.structs.replace(save, pieces=out), game).facts


def test_a_damaged_tracker_is_noted_and_the_turn_still_read(tmp_path: Path) -> None:
    game = heath(tmp_path)
    save = set_up_of(game)
    state = state_of(msgspec.structs.replace(save, turns={"TurnTracker0": "0|7;9;true;9;x;y;z"}), game)
    assert state.facts["turn", ""].value == 7
    assert [one.what.partition(":")[0] for one in state.unread] == ["the turn tracker, apart from its turn"]


def test_phase_and_side_of_a_set_up_are_on_the_tracker(tmp_path: Path) -> None:
    game = load_game(TWILIGHT)
    module = game.file.module
    assert module is not None
    text = b"game twilight-in-the-east\nboard east\nturn=3 phasing=central-powers phase=attack\n41.19: 1/1\n"
    position = read_position("x.pos", text)
    from assistant.formats.vassal.containers import ModuleData
    from module_builder.vassal.module import module_grid, shown_board
    from module_builder.vassal.module_setting import ModuleSetting
    from module_builder.vassal.pieces.maker import Art, Maker
    from module_builder.vassal.setups import write_set_up

    board = shown_board(game, module)
    maker = Maker(game, {"1/1": Art("a.png")}, 75)
    track = make_timeline(game, 75).track
    setting = ModuleSetting(
        game,
        maker,
        board.title,
        board.grid,
        module_grid(game, module),
        ModuleData(),
        track,
        make_timeline(game, 75).lists,
    )
    save = write_set_up(setting, position).save
    assert "phase" not in save.public_notes.partition("Field Staff")[2]
    facts = read_vassal(write_save(save), "x.vsav", load_game).state.facts
    assert {key: fact.value for key, fact in facts.items()} == {
        ("turn", ""): 3,
        ("phasing", ""): "central-powers",
        ("phase", ""): "attack",
    }


def test_a_column_of_arrivals_that_is_none_is_named(tmp_path: Path) -> None:
    game = heath(tmp_path)
    (tmp_path / "course.toml").write_text('[turns]\narrives = "army"\n')
    with pytest.raises(InputError, match="unknown number of units 'army'"):
        find_course_faults(game, stop)


def test_a_phase_is_noted_where_no_tracker_shows_it(tmp_path: Path) -> None:
    game = load_game("kaisers-war-in-the-east").with_overlay(Overlay())
    assert make_timeline(game, 75).lists
    game.tracks = {**game.tracks, "turn": replace(game.tracks["turn"], module=None)}
    assert make_timeline(game, 75).lists == ()
    assert make_timeline(load_game("world-undone-east-prussia-1914"), 75).lists

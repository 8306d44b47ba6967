"""What players keep from one another in the real engine: the assistant knows what each side's own VASSAL would show it."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.others.sight import Eyes, visible_save
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import read_save, write_save
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.state.state import GameState
from module_builder.vassal.module import build_module
from module_builder.vassal.pieces.traits import FACE_DOWN, OUT_OF_SIGHT, WHOLE_STACK, private_window

from .agreement import differences
from .engine import Command, Listing
from .keep import ids_in

GAME = "twilight-in-the-east"
ARMIES = "19-August-1914-East-Prussia.vsav"
OURS, THEIRS = "russian", "central-powers"
HIDES = FACE_DOWN, WHOLE_STACK, OUT_OF_SIGHT


class Hidden(NamedTuple):
    """A save in which the Russian player has hidden units, a log of that, and what each side's VASSAL lists in the
    save.

    ids: the pieces by unit; listed: the lines of each side's Inventory; offered: the menu of a Russian counter for each
    side, "" for who only looks on; tried: the pieces after the other side has pressed the keys that hide 29/20; told: what the chat
    tells of moves of hidden units; unhurt: the menu of a Russian counter without losses for the other side; pressed: what the chat
    tells when that side presses the keys of hidden values on 29/20; values: these before and after.
    """

    save: bytes
    log: bytes
    shown: dict[str, Listing]
    faults: list[str]
    ids: dict[str, str]
    complaints: list[str]
    module: bytes
    listed: dict[str, list[str]]
    offered: dict[str, list[Command]]
    tried: Listing
    told: dict[str, list[str]]
    unhurt: list[Command]
    pressed: list[str]
    values: list[dict[str, str | None]]


@pytest.fixture(scope="module")
def hidden(engine: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Hidden:
    folder = tmp_path_factory.mktemp("hiding")
    module, save, log = folder / "t.vmod", folder / "hidden.vsav", folder / "hidden.vlog"
    data = build_module(load_game(GAME)).data
    module.write_bytes(data)
    ids = ids_in(data, ARMIES)
    with engine.Session(module) as session:
        first = session.play(
            [
                {"do": "setup", "file": ARMIES, "side": OURS},
                {"do": "log_begin", "file": log},
                {"do": "menu", "piece": ids["25/3"], "item": FACE_DOWN[0]},
                {"do": "menu", "piece": ids["27/3"], "item": OUT_OF_SIGHT[0]},
                {"do": "menu", "piece": ids["29/20"], "item": "Lose a step"},
                {"do": "move", "piece": ids["28/20"], "x": 100, "y": 100, "map": private_window(OURS)},
                {"do": "log_end"},
                {"do": "save", "file": save},
                {"do": "list", "as": "shown"},
                {"do": "inventory", "as": "listed"},
                {"do": "commands", "piece": ids["29/20"], "as": "offered"},
                {"do": "centre", "map": "Map", "names": ["41.22", "41.18"], "as": "hexes"},
            ],
        )
        moved = session.play(
            [
                {"do": "load", "file": save, "side": OURS},
                *(
                    {"do": "move", "piece": ids[unit], "x": x, "y": y, "map": "Map", "as": unit}
                    for unit, (x, y) in zip(("27/3", "25/3"), first["hexes"], strict=True)
                ),
            ],
        )
    received = folder / "received.vsav"  # the same save, whose Russian player is somebody else
    received.write_bytes(write_save(replace(read_save(save.read_bytes()), players=(("them", "Them", OURS),))))
    names, keys = ["lost_Level", "cel_Level"], ("K", "L", "E", "R")
    second = engine.run(
        module,
        [
            {"do": "load", "file": received, "side": THEIRS},
            {"do": "list", "as": "shown"},
            {"do": "inventory", "as": "listed"},
            {"do": "commands", "piece": ids["29/20"], "as": "offered"},
            *({"do": "key", "piece": ids["29/20"], "key": key} for key in ("ctrl B", "ctrl shift B", "ctrl shift H")),
            {"do": "list", "as": "tried"},
            {"do": "commands", "piece": ids["30/4"], "as": "unhurt"},
            {"do": "properties", "piece": ids["29/20"], "names": names, "as": "before"},
            *({"do": "key", "piece": ids["29/20"], "key": f"ctrl {key}", "as": key} for key in keys),
            {"do": "properties", "piece": ids["29/20"], "names": names, "as": "after"},
            {"do": "setup", "file": ARMIES},
            {"do": "commands", "piece": ids["29/20"], "as": "to who looks on"},
        ],
    )
    shown = {OURS: first["shown"], THEIRS: second["shown"]}
    agree = differences(read_save(save.read_bytes()), read_module(data), first["shown"])
    return Hidden(
        save.read_bytes(),
        log.read_bytes(),
        shown,
        [*first.faults, *second.faults],
        ids,
        agree,
        data,
        {OURS: first["listed"], THEIRS: second["listed"]},
        {OURS: first["offered"], THEIRS: second["offered"], "": second["to who looks on"]},
        second["tried"],
        {unit: moved.said(unit) for unit in ("27/3", "25/3")},
        second["unhurt"],
        [line for key in keys for line in second.said(key)],
        [second["before"], second["after"]],
    )


def state(hidden: Hidden, side: str, *, log: bool = False) -> GameState:
    position = read_vassal(hidden.log if log else hidden.save, "g.vlog" if log else "g.vsav", load_game)
    return reduce_state(position.game, position.state, side)


def test_hiding_goes_without_a_warning_and_is_read_as_the_engine_has_it(hidden: Hidden) -> None:
    assert (hidden.faults, hidden.complaints) == ([], [])


@pytest.mark.parametrize("log", [False, True])
def test_his_own_side_sees_what_a_player_has_hidden(hidden: Hidden, log: bool) -> None:
    ours = state(hidden, OURS, log=log)
    assert {unit: ours.units[unit].place for unit in ("25/3", "27/3", "28/20")} == {
        "25/3": "42.19",
        "27/3": "42.21",
        "28/20": None,
    }
    assert (ours.value("masked", "25/3"), ours.value("invisible", "27/3")) == (OURS, OURS)
    assert ours.unread == ()


@pytest.mark.parametrize("log", [False, True])
def test_the_other_side_sees_a_counter_from_behind_or_none_at_all(hidden: Hidden, log: bool) -> None:
    theirs = state(hidden, THEIRS, log=log)
    assert theirs.units.keys().isdisjoint({"25/3", "27/3", "28/20"})
    assert theirs.value("unseen", "42.19") == OURS
    assert ("unseen", "42.21") not in theirs.facts
    assert theirs.unread == ()


def test_and_so_does_its_own_vassal(hidden: Hidden) -> None:
    assert hidden.shown[OURS].piece(hidden.ids["25/3"]).name == "25/3(?)"
    assert hidden.shown[THEIRS].piece(hidden.ids["25/3"]).name == "?"
    masked = read_save(hidden.save).pieces[hidden.ids["25/3"]]
    assert (masked.name, masked.owners()) == ("25/3(?)", {"obs": OURS})


@pytest.mark.parametrize("side", [OURS, THEIRS, ""])
def test_only_its_own_side_hides_a_counter(hidden: Hidden, side: str) -> None:
    hides = {line.menu for line in HIDES}
    offered = {command.text for command in hidden.offered[side] if command.enabled and command.text in hides}
    assert offered == (hides if side == OURS else set())
    assert [piece.name for piece in hidden.tried.pieces if piece.id == hidden.ids["29/20"]] == ["29/20"], (
        "nor does a key of the other side"
    )


def test_the_other_side_learns_no_hidden_value_from_menu_or_keys(hidden: Hidden) -> None:
    assert hidden.offered[THEIRS] == hidden.unhurt
    assert not any(command.enabled for command in hidden.unhurt if "step" in command.text or "Level" in command.text)
    assert hidden.pressed == []
    assert hidden.values == [{"lost_Level": "2", "cel_Level": "1"}] * 2


def test_the_chat_tells_no_move_out_of_sight_and_of_one_face_down_only_from_where_to_where(hidden: Hidden) -> None:
    assert hidden.told == {"27/3": [], "25/3": ["* 42.19 to 41.18: ?"]}


def test_the_inventory_does_not_tell_where_a_counter_out_of_sight_stands(hidden: Hidden) -> None:
    ours, theirs = hidden.listed[OURS], hidden.listed[THEIRS]
    assert any("27/3" in line and "42.21" in line for line in ours)
    assert not any("42.21" in line for line in theirs)
    assert any("28/20" in line for line in ours)
    assert not any("28/20" in line for line in theirs), "nor what lies in the window that only the other side sees"
    assert any(line.strip() == "? (42.19)" for line in theirs), "that one lies face down there is seen on the map too"


def test_the_inventory_lists_corps_in_the_order_of_their_numbers(hidden: Hidden) -> None:
    lines = [line.strip() for line in hidden.listed[OURS]]
    corps = [lines.index(f"Corps {number}") for number in (2, 3, 4, 20, "1 C", "26 R")]
    assert corps == sorted(corps), "as VASSAL sorts them it would be 1 C, 2, 20, 26 R, 3, 4"


@pytest.mark.parametrize("side", [OURS, THEIRS])
def test_without_knowing_the_game_a_side_is_told_the_pieces_that_its_own_vassal_shows(
    hidden: Hidden, side: str
) -> None:
    module = read_module(hidden.module)
    told = visible_save(read_save(hidden.save), module, Eyes(side, side))
    windows = {name for name, map in module.maps.items() if map.open or side in map.sides}
    shown = [
        (piece.name, piece.map, piece.x, piece.y)
        for piece in hidden.shown[side].pieces
        if piece.map in windows and piece.name
    ]
    assert sorted((piece.name, piece.map, *piece.at) for piece in told.pieces.values()) == sorted(shown)


def test_of_the_stacks_that_nobody_hid_only_the_top_is_seen_as_the_rules_have_it(hidden: Hidden) -> None:
    game, everything, theirs = load_game(GAME), state(hidden, "umpire"), state(hidden, THEIRS)
    for place in {unit.place for unit in everything.units.values() if unit.place} - {"42.19", "42.21"}:
        stack = [unit.id for unit in everything.stack(place)]
        enemies = game.side_of_unit(everything.units[stack[0]], everything.facts) == OURS
        assert [unit.id for unit in theirs.stack(place)] == (stack[:1] if enemies else stack)

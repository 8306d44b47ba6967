"""Stack Caps, crests and dummies in the real engine: players place them, and each side's own VASSAL shows what the rules let it
see; what was written is opened, and saved again.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from assistant.formats.positions import Position
from assistant.formats.vassal import LOG, SAVE
from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.replay import replay
from assistant.formats.vassal.saves import read_save
from assistant.formats.vassal.written.files import carry_on
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.state.changes import Change, Enter
from module_builder.vassal.module import build_module, make_palettes
from module_builder.vassal.pieces.traits import COVER, FACE_DOWN, UNCOVER
from tests.saves import read_container

from .agreement import differences
from .engine import Command, Listing
from .keep import ARMIES_SETUP

GAME = "twilight-in-the-east"
OURS, THEIRS = "russian", "central-powers"
AT, TOP, BESIDE, ALONE = "42.19", "25/3", "27/3", "43.18"
KEPT = (
    Change("spent", TOP, None, "march:2", "8.1"),
    Change("passed", TOP, None, "40.19 41.19 42.19", "8.1"),
    Change("movement", "Dummy/R1", None, 6, "26.1.2a"),
)
"""What no layer shows, and no note may tell of what is hidden."""
CAPS = (
    Change("hidden-units", "", None, "caps", "26.0"),
    Enter("Dummy/R1", "Dummy/R1", AT, 0, "26.1.2a"),
    Change("capped", AT, None, True, "26.1.1"),
    *KEPT,
)
CRESTS = (
    Change("hidden-units", "", None, "concealment", "26.0"),
    Enter("Dummy/R1", "Dummy/R1", AT, 0, "26.2.3"),
    Change("concealed", "Dummy/R1", None, True, "26.2.3"),
    Change("concealed", TOP, None, True, "26.2.2"),
    *KEPT,
)


class Seen(NamedTuple):
    """A save in which units are hidden, as the engine has it.

    target: what was written; ours, theirs: the pieces that each side's VASSAL lists; listed: the lines of the enemy's Inventory;
    again: the save that the engine writes of it; log: the pieces after the log; complaints: where the save differs from
    what the engine has; faults: of the engine.
    """

    target: Position
    written: bytes
    ours: Listing
    theirs: Listing
    listed: list[str]
    again: bytes
    complaints: list[str]
    faults: list[str]


class Table(NamedTuple):
    """What players do with a cap. covered, shown: saves after the line of its menu that covers the stack, and the one that shows
    it; offered: the lines of its menu for each side; faults: of the engine.
    """

    covered: bytes
    shown: bytes
    turned: bytes
    offered: dict[str, list[Command]]
    faults: list[str]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes, Module]:
    path = tmp_path_factory.mktemp("concealment") / "t.vmod"
    data = build_module(load_game(GAME)).data
    path.write_bytes(data)
    return str(path), data, read_module(path)


@pytest.fixture(scope="module", params=["caps", "crests"])
def seen(request: pytest.FixtureRequest, engine: ModuleType, built: tuple[str, bytes, Module]) -> Seen:
    path, data, module = Path(built[0]), built[1], built[2]
    source, game = read_container(data)[ARMIES_SETUP], load_game(GAME)
    target = read_vassal(source, "game.vsav", load_game).after({"caps": CAPS, "crests": CRESTS}[request.param])
    save, log, again = (path.with_name(f"{request.param}{ending}") for ending in (SAVE, LOG, ".again.vsav"))
    for file in (save, log):
        file.write_bytes(carry_on(source, target, file.suffix, "* done *", lambda: make_palettes(game)).data)
    first = engine.run(
        path,
        [
            {"do": "load", "file": save, "side": OURS},
            {"do": "list", "as": "pieces"},
            {"do": "save", "file": again},
            {"do": "load", "file": log, "side": OURS},
            {"do": "log_step", "as": "steps"},
            {"do": "list", "as": "log"},
        ],
    )
    second = engine.run(
        path,
        [
            {"do": "load", "file": save, "side": THEIRS},
            {"do": "list", "as": "pieces"},
            {"do": "inventory", "as": "listed"},
        ],
    )
    complaints = differences(read_save(save.read_bytes()), module, first["pieces"])
    complaints += differences(replay(read_save(log.read_bytes())), module, first["log"])
    return Seen(
        target,
        save.read_bytes(),
        first["pieces"],
        second["pieces"],
        second["listed"],
        again.read_bytes(),
        [said for said in complaints if ": levels [" not in said],
        [*first.faults, *second.faults],
    )


def test_the_engine_has_what_was_written(seen: Seen) -> None:
    assert (seen.faults, seen.complaints) == ([], [])


def test_what_it_saves_again_is_the_same_position(seen: Seen) -> None:
    again = read_vassal(seen.again, "again.vsav", load_game).state
    assert {key: fact.value for key, fact in again.facts.items()} == {
        key: fact.value for key, fact in seen.target.state.facts.items()
    }
    assert [unit.id for unit in again.stack(AT)] == [unit.id for unit in seen.target.state.stack(AT)]
    assert again.unread == ()
    assert not any(word in read_save(seen.again).public_notes for word in ("spent", "passed", "movement=6", "Dummy"))


def test_the_enemy_is_shown_no_more_than_the_rules_let_him_see(seen: Seen) -> None:
    theirs = {piece.id: piece.name for piece in seen.theirs.pieces if piece.location == AT}
    ours = {piece.id: piece.name for piece in seen.ours.pieces if piece.location == AT}
    hidden = [unit.id for unit in seen.target.state.stack(AT) if unit.id in ("Dummy/R1", TOP)]
    assert hidden == ["Dummy/R1", TOP]
    assert not any(unit in name for unit in hidden for name in theirs.values())
    assert all(any(name.startswith(unit) for name in ours.values()) for unit in hidden)
    assert not any(unit in line for unit in hidden for line in seen.listed)
    read_again = read_vassal(seen.again, "again.vsav", load_game)
    sight = reduce_state(read_again.game, read_again.state, THEIRS)
    assert sight.value("unseen", AT) == OURS
    assert not {"Dummy/R1", TOP} & sight.units.keys()


@pytest.fixture(scope="module")
def table(engine: ModuleType, built: tuple[str, bytes, Module]) -> Table:
    path, source, game = Path(built[0]), read_container(built[1])[ARMIES_SETUP], load_game(GAME)
    target = read_vassal(source, "game.vsav", load_game).after(CAPS)
    save, covered, shown, turned = (path.with_name(f"{name}.vsav") for name in ("begun", "covered", "shown", "turned"))
    save.write_bytes(carry_on(source, target, SAVE, "* done *", lambda: make_palettes(game)).data)
    pieces = read_save(save.read_bytes()).pieces
    ids = {
        said.get("unit", "") or said.get("marker", ""): id for id, piece in pieces.items() if (said := piece.marks())
    }
    cap = ids["capped"]
    first = engine.run(
        path,
        [
            {"do": "load", "file": save, "side": OURS},
            {"do": "commands", "piece": cap, "as": "offered"},
            {"do": "menu", "piece": cap, "item": UNCOVER},
            {"do": "save", "file": shown},
            {"do": "menu", "piece": cap, "item": COVER},
            {"do": "menu", "piece": cap, "item": COVER},
            {"do": "save", "file": covered},
            {"do": "menu", "piece": ids[BESIDE], "item": FACE_DOWN.menu},
            {"do": "save", "file": turned},
        ],
    )
    second = engine.run(
        path, [{"do": "load", "file": save, "side": THEIRS}, {"do": "commands", "piece": cap, "as": "offered"}]
    )
    offered = {OURS: first["offered"], THEIRS: second["offered"]}
    files = (covered.read_bytes(), shown.read_bytes(), turned.read_bytes())
    return Table(*files, offered, [*first.faults, *second.faults])


def owners(data: bytes) -> dict[str, dict[str, str]]:
    pieces = read_save(data).pieces.values()
    return {
        unit: piece.owners() for piece in pieces if (unit := piece.marks().get("unit", "")) in ("Dummy/R1", TOP, BESIDE)
    }


def test_a_line_of_the_caps_menu_shows_its_stack_and_another_covers_it_and_not_twice(table: Table) -> None:
    assert table.faults == []
    assert owners(table.shown) == {"Dummy/R1": {}, TOP: {}, BESIDE: {}}
    assert owners(table.covered) == {"Dummy/R1": {"hide": OURS}, TOP: {"hide": OURS}, BESIDE: {}}
    assert read_vassal(table.shown, "shown.vsav", load_game).state.value("capped", AT) is True


def test_a_counter_turned_face_down_by_its_player_is_read_as_concealed(table: Table) -> None:
    state = read_vassal(table.turned, "turned.vsav", load_game).state
    assert (state.value("concealed", BESIDE), state.value("masked", BESIDE)) == (True, None)


def test_only_its_own_side_touches_a_cap(table: Table) -> None:
    lines = {COVER, UNCOVER, "Remove"}
    enabled = {
        side: {command.text for command in commands if command.enabled and command.text in lines}
        for side, commands in table.offered.items()
    }
    assert enabled == {OURS: lines, THEIRS: set()}

"""The plugin in the real engine: what it answers about a selection is what the command says of a save of that moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from assistant import ask, read
from assistant.faces.vassal.answering import Conversation
from assistant.faces.vassal.plugin import command_of_this_program, find_plugin_file, make_plugin
from assistant.faces.vassal.requests import OFFER, Request
from assistant.faces.vassal.shapes import list_shapes
from assistant.formats.positions import Asked, Position
from assistant.formats.vassal.saves import read_save, write_save
from assistant.formats.vassal.streams import read_stream
from assistant.installed.registry import load_game, make_game_loader
from assistant.service import drawable, parse
from module_builder.vassal.module import build_module

from ..importing.comparing import compare_made
from ..importing.making import make
from ..module_builder.importing.identical import lying
from ..module_builder.importing.test_identical import Table

TWILIGHT = "twilight-in-the-east"
ARMIES = "19-August-1914-East-Prussia.vsav"
COMBAT = "The-comprehensive-example-of-combat.vsav"
MADE_SEED = 7
"""The seed of a made-up module with set-ups, hexes and counters."""


class Case(NamedTuple):
    """A module, how its game begins, and the player's side."""

    module: Path
    begin: dict[str, Any]
    side: str
    variables: Mapping[str, str]


def built(folder: Path, game: str, setup: str, side: str) -> Case:
    module = folder / "module.vmod"
    module.write_bytes(build_module(load_game(game)).data)
    begin = {"do": "setup", "file": setup} if setup else {"do": "new"}
    return Case(module, begin | ({"side": side} if side else {}), side, {})


def with_identical_counters(folder: Path) -> Case:
    """An adopted module with identical counters."""
    table = Table(folder)
    return Case(
        table.file, {"do": "load", "file": table.saved(lying())}, "", {"FIELD_STAFF_DATA": str(folder / "data")}
    )


def made_up(folder: Path) -> Case:
    """An adopted module that was made up."""
    made = make(MADE_SEED, oblique=False)
    compare_made(made, folder)
    title = next(iter(made.truth))
    if title in made.saves:
        save = folder / "made.vsav"
        save.write_bytes(made.saves[title])
        begin: dict[str, Any] = {"do": "load", "file": save}
    else:
        begin = {"do": "new"}
    return Case(folder / "module.vmod", begin, "", {"FIELD_STAFF_DATA": str(folder / "data")})


CASES: dict[str, Callable[[Path], Case]] = {
    "twilight, a side": lambda folder: built(folder, TWILIGHT, ARMIES, "russian"),
    "twilight, both": lambda folder: built(folder, TWILIGHT, ARMIES, ""),
    "kaiser's war": lambda folder: built(folder, "kaisers-war-in-the-east", "August-1914.vsav", "allies"),
    "world undone": lambda folder: built(folder, "world-undone-east-prussia-1914", "", "german"),
    "der weltkrieg": lambda folder: built(folder, "der-weltkrieg", "", ""),
    "identical counters": with_identical_counters,
    "made up": made_up,
}


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("plugin") / "field-staff.vmdx"
    file.write_bytes(make_plugin(command_of_this_program()))
    return file


def offers_of(save: Path, side: str, pieces: tuple[str, ...]) -> list[str]:
    """The questions that fit a selection, as in notation."""
    stream, module = read_stream(save.read_bytes())
    conversation = Conversation(make_game_loader(None))
    lines = conversation.answer(Request(OFFER, "", side, "", module, pieces, stream))
    return [line.partition(" ")[2].partition("\t")[0] for line in lines if line.startswith(("offer ", "more "))]


def asked_of(position: Position, typed: str) -> Asked:
    """A question as in notation, with what the notes of the save state for the same subject."""
    (asked,) = parse(f"ask {typed}", position).asks
    first = [*asked.parameters.items()][:1]
    noted = (one for one in position.asks if one.question == asked.question and [*one.parameters.items()][:1] == first)
    own = next(noted, None)
    return Asked(asked.question, {**(own.parameters if own else {}), **asked.parameters})


def said_by_command(save: Path, side: str, asked: Asked) -> str:
    """What the command says in one line, in a process of its own."""
    words = [sys.executable, "-m", "assistant", "ask", asked.question, str(save), "--line"]
    for name, value in asked.parameters.items():
        words += [f"--{name}", ",".join(value) if isinstance(value, list | tuple) else str(value)]
    run = subprocess.run(
        [*words, "--as", side] if side else [*words, "--umpire"], capture_output=True, text=True, timeout=60
    )
    return (
        (run.stdout or run.stderr.removeprefix("assistant: "))
        .strip()
        .splitlines()[0]
        .split(": use --")[0]
        .replace("  ", " ")
    )


def chosen() -> Iterator[dict[str, Any]]:
    """The steps that press the button and wait for the menu."""
    yield {"do": "press", "button": "Ask"}
    yield {"do": "offers", "as": "offers"}


@pytest.mark.parametrize("name", CASES)
def test_what_is_offered_about_a_selection_is_answered_as_by_the_command(
    engine: ModuleType, plugin: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    case = CASES[name](tmp_path)
    save, rng = tmp_path / "now.vsav", random.Random(1914)
    with engine.Session(case.module, plugin=plugin, variables=case.variables) as session:
        begun = session.play([case.begin, {"do": "list", "as": "all"}, {"do": "save", "file": save}])
        assert begun.faults == []
        position = read(save, side=case.side or "umpire")
        placed = {unit.id for unit in position.state.units.values() if unit.place}
        pieces = [piece for piece in begun["all"].pieces if piece.map and piece.location]
        seen = [piece.id for piece in pieces if piece.name.split(" -")[0] in placed]
        selections = [(), *((id,) for id in rng.sample(seen, min(2, len(seen))))]
        compared = 0
        for selection in selections:
            offered = offers_of(save, case.side, selection)
            pressed = session.play([{"do": "select", "pieces": [*selection]}, *chosen()])
            assert [text.partition(":")[0] for text in pressed["offers"]] == [one.split(" ")[0] for one in offered]
            offered = [one for one in offered if not one.startswith("hex ")]  # the hex is described, not asked about
            asks_all = selection == selections[-1]  # of the others the first few and one more
            for typed in offered if asks_all else [*offered[:4], *rng.sample(offered[4:], min(1, len(offered[4:])))]:
                asked = asked_of(position, typed)
                item = {"do": "choose", "item": f"{asked.question}:"}
                outcome = session.play([*chosen(), item, {"do": "reply", "as": "shapes"}])
                said = outcome.chat[0].removeprefix("- ").removeprefix("Field Staff: ")
                assert said.startswith(said_by_command(save, case.side, asked))
                assert [fault for fault in outcome.faults if "Field Staff" not in fault] == []
                compared += 1
        assert compared >= 2


def test_shapes_lie_on_the_hexes_of_the_answer_until_escape(engine: ModuleType, plugin: Path, tmp_path: Path) -> None:
    case = built(tmp_path, TWILIGHT, COMBAT, "")
    save = tmp_path / "now.vsav"
    with engine.Session(case.module, plugin=plugin) as session:
        begun = session.play([case.begin, {"do": "list", "as": "all"}, {"do": "save", "file": save}])
        unit = begun["all"].piece("1/1").id
        steps = [{"do": "select", "pieces": [unit]}, *chosen(), {"do": "choose", "item": "battle:"}]
        outcome = session.play([*steps, {"do": "reply", "as": "shapes"}])
        filled = [(x, y) for is_filled, _, x, y in outcome["shapes"] if is_filled]
        located = session.play(
            [{"do": "locate", "map": "Map", "points": [[int(x), int(y)] for x, y in filled], "as": "places"}]
        )
        position = read(save)
        drawn = drawable(position, ask(position, "battle"))
        assert drawn is not None
        hexes = {shape.hexes[0] for shape in list_shapes(drawn) if shape.kind == "hex"}
        assert {place.name for place in located["places"]} == hexes == {"40.19", "40.20", "41.19"}
        assert session.play([{"do": "escape", "as": "left"}])["left"] == []


def test_the_module_s_dice_go_on_with_a_battle(engine: ModuleType, plugin: Path, tmp_path: Path) -> None:
    case = built(tmp_path, TWILIGHT, COMBAT, "")
    with engine.Session(case.module, plugin=plugin) as session:
        begun = session.play([case.begin, {"do": "list", "as": "all"}])
        unit = begun["all"].piece("1/1").id
        steps = [{"do": "select", "pieces": [unit]}, *chosen(), {"do": "choose", "item": "battle:"}, {"do": "reply"}]
        assert "roll 2d6 with the module's button" in session.play(steps).chat[1]
        played = session.play(
            [{"do": "dice", "faces": [3, 4]}, {"do": "press", "button": "2d6"}, {"do": "reply", "lines": 3}]
        )
        assert played.chat[0].startswith("*** 2d6: 3,4 = 7")
        assert "Step Loss Results Table" in played.chat[2]


def test_nothing_of_it_reaches_the_log_the_opponent_or_the_save(
    engine: ModuleType, plugin: Path, tmp_path: Path
) -> None:
    case = built(tmp_path, TWILIGHT, COMBAT, "")
    save, log = tmp_path / "now.vsav", tmp_path / "now.vlog"
    with engine.Session(case.module, plugin=plugin) as session:
        begun = session.play([case.begin, {"do": "list", "as": "all"}])
        unit = begun["all"].piece("1/1").id
        session.play(
            [
                {"do": "log_begin", "file": log},
                {"do": "select", "pieces": [unit]},
                *chosen(),
                {"do": "choose", "item": "supply:"},
                {"do": "reply"},
                {"do": "say", "text": "good luck"},
                {"do": "log_end"},
                {"do": "save", "file": save},
            ]
        )
    kept = read_save(save.read_bytes())
    assert [command.split("\t")[1] for command in kept.loaded] == ["field-staff"]
    assert kept.unread == ()
    steps = read_save(log.read_bytes()).steps
    assert len(steps) == 1 and "good luck" in steps[0]


def test_a_face_down_enemy_is_not_named(engine: ModuleType, plugin: Path, tmp_path: Path) -> None:
    case = built(tmp_path, TWILIGHT, ARMIES, "russian")
    hidden, received = tmp_path / "hidden.vsav", tmp_path / "received.vsav"
    with engine.Session(case.module, plugin=plugin) as session:
        begun = session.play([case.begin, {"do": "list", "as": "all"}])
        unit = begun["all"].piece("25/3").id
        session.play([{"do": "menu", "piece": unit, "item": "Face down"}, {"do": "save", "file": hidden}])
    received.write_bytes(write_save(replace(read_save(hidden.read_bytes()), players=(("them", "Them", "russian"),))))
    with engine.Session(case.module, plugin=plugin) as session:
        load = {"do": "load", "file": received, "side": "central-powers"}
        outcome = session.play([load, {"do": "select", "pieces": [unit]}, *chosen()])
        assert outcome["offers"] == []
        assert outcome.chat[-1] == "- Select a counter that you can see."


def children() -> list[int]:
    """The processes that answer."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and b"vassal\0answer" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_faults_are_one_line_in_the_chat_and_vassal_goes_on(engine: ModuleType, plugin: Path, tmp_path: Path) -> None:
    case = built(tmp_path, TWILIGHT, COMBAT, "")
    others = {*children()}
    with engine.Session(case.module, plugin=plugin) as session:
        nothing = session.play([{"do": "press", "button": "Ask"}, {"do": "reply"}])
        assert nothing.chat[-1] == "- Begin or load a game first."
        begun = session.play([case.begin, *chosen()])
        assert begun["offers"]
        (child,) = {*children()} - others
        os.kill(child, signal.SIGKILL)
        again = session.play([*chosen(), {"do": "choose", "item": "turn:"}, {"do": "reply"}])
        assert again.chat[-1].startswith("- turn 1") and again.faults == []
        two = session.play(
            [
                *chosen(),
                {"do": "choose", "item": "turn:"},
                {"do": "press", "button": "Ask"},
                {"do": "offers", "menu": True},
                {"do": "choose", "item": "turn:"},
                {"do": "reply"},
            ]
        )
        assert two.faults == []
    until = time.monotonic() + 20
    while {*children()} - others and time.monotonic() < until:  # it ends once its pipe is closed
        time.sleep(0.05)
    assert not {*children()} - others


def test_a_program_that_is_gone_is_named(engine: ModuleType, tmp_path: Path) -> None:
    case = built(tmp_path, TWILIGHT, COMBAT, "")
    gone = tmp_path / "field-staff.vmdx"
    gone.write_bytes(make_plugin(["/nowhere/assistant", "vassal", "answer"]))
    with engine.Session(case.module, plugin=gone) as session:
        outcome = session.play([case.begin, {"do": "press", "button": "Ask"}, {"do": "reply"}])
        assert (
            outcome.chat[-1]
            == "- Field Staff cannot be begun at /nowhere/assistant. Run `assistant vassal install` again."
        )
        assert outcome.faults == []


def test_five_hundred_selections_show_no_error(engine: ModuleType, plugin: Path, tmp_path: Path) -> None:
    case = built(tmp_path, TWILIGHT, ARMIES, "russian")
    rng = random.Random(1914)
    with engine.Session(case.module, plugin=plugin, seconds=300) as session:
        begun = session.play([case.begin, {"do": "list", "as": "all"}])
        pieces = [piece.id for piece in begun["all"].pieces if piece.map]
        for _ in range(50):
            steps: list[dict[str, Any]] = []
            for _ in range(10):
                selection = rng.sample(pieces, rng.choice((0, 1, 1, 1, 2, 5)))
                steps += [
                    {"do": "select", "pieces": selection},
                    *chosen(),
                    {"do": "choose", "number": rng.randrange(40)},
                    {"do": "reply"},
                ]
            outcome = session.play(steps)
            assert [fault for fault in outcome.faults if "Field Staff" not in fault] == []


def test_the_engine_keeps_plugins_where_the_command_writes_them(engine: ModuleType, tmp_path: Path) -> None:
    case = built(tmp_path, TWILIGHT, COMBAT, "")
    with engine.Session(case.module) as session:
        folder = session.play([{"do": "settings_folder", "as": "folder"}])["folder"]
    assert Path(folder, "plugins") == find_plugin_file({"HOME": str(Path(folder).parent)}, "linux").parent

"""The module of The World Undone: East Prussia 1914 in the real engine: set-ups opened, saved, and read back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from assistant.formats.positions import Position
from assistant.game.games import read_game
from assistant.game.viewpoint import reduce_state
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game
from assistant.service import ask
from assistant.state.state import UNSEEN
from module_builder.vassal.module import build_module

from .agreement import save_set_ups, saved
from .engine import Session

GAME = "world-undone-east-prussia-1914"
SET_UPS = {
    "historical": "Historical-turn-1.vsav",
    "masurian-lakes": "Masurian-Lakes-turn-19.vsav",
    "marked": "Marked.vsav",
}
MARKED = f"""game {GAME}
turn=4
options=hidden-movement
5320 reserved=3: XVII/36
5220 rail-cut
5119 control=russian
5118 control=german
4025 destroyed
2626: XX/37 entrained, Dummy/G1
5420: XX/28 disrupted, 1A/2HA
5822: Dummy/R2, XX/29
"""
"""A set-up of the tests: every marker, a disrupted back, dummies."""


def typed(name: str) -> Position:
    file = load_game(GAME).folder / "setups" / f"{name}.pos"
    return read_position(f"{name}.pos", MARKED.encode() if name == "marked" else file.read_bytes())


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The module with the set-up of the tests besides its own."""
    game, copy = load_game(GAME), tmp_path_factory.mktemp("game") / "copy"
    shutil.copytree(str(game.folder), copy)
    (copy / "setups" / "marked.pos").write_text(MARKED, "utf-8")
    text = (copy / "game.toml").read_text("utf-8")
    more = text.replace("\nsetups = [\n", '\nsetups = [\n    ["setups/marked.pos", "Marked"],\n')
    (copy / "game.toml").write_text(more, "utf-8")
    return build_module(read_game(GAME, copy)).data


@pytest.fixture(scope="module")
def table(engine: ModuleType, module: bytes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    file = tmp_path_factory.mktemp("table") / "east-prussia.vmod"
    file.write_bytes(module)
    with engine.Session(file) as session:
        yield session


@pytest.fixture(scope="module")
def folder(table: Session, module: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the engine has saved each set-up."""
    folder = tmp_path_factory.mktemp("module")
    save_set_ups(table.play, module, SET_UPS, folder)
    return folder


@pytest.mark.parametrize("name", SET_UPS)
def test_a_set_up_that_the_engine_saved_is_the_typed_one(folder: Path, name: str) -> None:
    found, stated = saved(folder, name).state, typed(name).state
    assert {unit.id: str(unit.place) for unit in found.units.values()} == {
        unit.id: str(unit.place) for unit in stated.units.values()
    }
    assert {key: fact.value for key, fact in found.facts.items()} == {
        key: fact.value for key, fact in stated.facts.items()
    }
    assert found.unread == ()


def test_a_save_is_asked_about(folder: Path) -> None:
    report = ask(saved(folder, "masurian-lakes"), "stack", at="4916")
    assert report.verdict.kind == "no", str(report)
    assert "1A/1HA" in str(report)


def test_a_side_sees_in_a_save_only_what_it_stands_next_to(folder: Path) -> None:
    name = str(folder / "marked.vsav")
    seen = read_position(
        name, (folder / "marked.vsav").read_bytes(), cut=lambda game, state: reduce_state(game, state, "german")
    )
    assert {"XX/28", "1A/2HA"} <= set(seen.state.units)
    assert seen.state.value(UNSEEN, "5822") == "russian"
    assert not {"Dummy/R2", "XX/29"} & set(seen.state.units)


def test_a_counter_that_is_turned_over_is_disrupted(table: Session, folder: Path) -> None:
    set_up = {"do": "setup", "file": SET_UPS["historical"]}
    start = table.play([set_up, {"do": "list", "as": "start"}])["start"]
    turn_over = {"do": "menu", "piece": start.piece("I/1").id, "item": "Disrupt"}
    outcome = table.play([set_up, turn_over, {"do": "save", "file": folder / "flipped.vsav"}])
    assert outcome.faults == []
    assert saved(folder, "flipped").state.value("disrupted", "I/1") is True

"""The module of The World Undone: East Prussia 1914 in the real engine: each set-up opened, saved, and read back."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from assistant.formats.positions import Position
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.positions import read
from assistant.formats.vassal.saves import read_save
from assistant.plugins.registry import load_game, read_position
from assistant.service import ask
from module_builder.vassal.module import build

from .agreement import differences
from .engine import Outcome

GAME = "world-undone-east-prussia-1914"
SET_UPS = {"historical": "Historical-turn-1.vsav", "masurian-lakes": "Masurian-Lakes-turn-19.vsav"}


@pytest.fixture(scope="module")
def module() -> bytes:
    return build(load_game(GAME)).data


@pytest.fixture(scope="module")
def folder(engine: ModuleType, module: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the engine has saved each set-up."""
    folder = tmp_path_factory.mktemp("module")
    (folder / "east-prussia.vmod").write_bytes(module)
    steps: list[dict[str, object]] = []
    for name, file in SET_UPS.items():
        steps += [{"do": "setup", "file": file}, {"do": "list", "as": name}]
        steps += [{"do": "save", "file": folder / f"{name}.vsav"}]
    outcome: Outcome = engine.run(folder / "east-prussia.vmod", steps)
    assert outcome.faults == []
    for name in SET_UPS:
        assert outcome[name].off_board == []
        assert differences(read_save((folder / f"{name}.vsav").read_bytes()), read_module(module), outcome[name]) == []
    return folder


def saved(folder: Path, name: str) -> Position:
    return read((folder / f"{name}.vsav").read_bytes(), "game.vsav", lambda id: load_game(id))


@pytest.mark.parametrize("name", SET_UPS)
def test_a_set_up_that_the_engine_saved_is_the_typed_one(folder: Path, name: str) -> None:
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
    report = ask(saved(folder, "masurian-lakes"), "stack", at="4916")
    assert report.verdict.kind == "no", str(report)
    assert "1A/1HA" in str(report)


def test_markers_and_a_flipped_counter_are_read(engine: ModuleType, folder: Path) -> None:
    module, set_up = folder / "east-prussia.vmod", {"do": "setup", "file": SET_UPS["historical"]}
    pieces = {one.name: one for one in engine.run(module, [set_up, {"do": "list", "as": "start"}])["start"].pieces}
    first = pieces["I/1"]
    outcome: Outcome = engine.run(
        module,
        [
            set_up,
            {"do": "menu", "piece": first.id, "item": "Disrupt"},
            {"do": "save", "file": folder / "flipped.vsav"},
        ],
    )
    assert outcome.faults == []
    assert saved(folder, "flipped").state.value("disrupted", "I/1") is True

"""What shows supply, and the buttons that hide counters, in the real engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image, ImageChops

from assistant.formats.vassal.overlay import OVERLAY
from assistant.formats.vassal.saves import read_save
from assistant.installed.registry import load_game
from assistant.records.mailing import carry_out
from assistant.service import ask, read
from module_builder.vassal.module import build_module, module_grid, wanted_module
from tests.saves import read_container

from .engine import Session

GAME = "twilight-in-the-east"
SET_UP = "19-August-1914-East-Prussia.vsav"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module, a set-up of it, and that with the supply of the Russians on its map."""
    folder = tmp_path_factory.mktemp("layers")
    data = build_module(load_game(GAME)).data
    (folder / "t.vmod").write_bytes(data)
    (folder / "before.vsav").write_bytes(read_container(data)[SET_UP])
    position = read(folder / "before.vsav")
    report = ask(position, "supply", side="russian")
    for name in ("shown.vsav", "shown.vlog"):
        carry_out(position, report, folder / "before.vsav", folder / name)
    return folder


@pytest.fixture(scope="module")
def table(engine: ModuleType, folder: Path) -> Iterator[Session]:
    with engine.Session(folder / "t.vmod") as session:
        yield session


def picture(folder: Path, name: str) -> dict[str, Any]:
    game = load_game(GAME)
    centre = module_grid(game, wanted_module(game)).hexes["43.20"]
    return {"do": "screenshot", "file": folder / name, "width": 900, "height": 700, "centre": centre, "zoom": 0.5}


def differing(one: Path, other: Path) -> float:
    """The part of the map that looks otherwise in another picture, whose upper third is chat and buttons."""
    maps = [Image.open(file).convert("L").crop((0, 300, 880, 680)) for file in (one, other)]
    values = ImageChops.difference(*maps).tobytes()
    return sum(value > 40 for value in values) / len(values)


def press(button: str) -> dict[str, Any]:
    return {"do": "press", "button": button, "as": button}


def test_the_engine_has_the_pieces_and_saves_them(table: Session, folder: Path) -> None:
    outcome = table.play(
        [
            {"do": "load", "file": folder / "shown.vsav"},
            {"do": "list", "as": "loaded"},
            {"do": "save", "file": folder / "again.vsav"},
        ]
    )
    assert outcome.faults == []
    ours, theirs = (read_save((folder / name).read_bytes()).pieces for name in ("shown.vsav", "again.vsav"))
    shown = {id: (piece.marks()[OVERLAY], piece.at) for id, piece in ours.items() if OVERLAY in piece.marks()}
    assert len(shown) > 40
    assert shown == {id: (piece.marks()[OVERLAY], piece.at) for id, piece in theirs.items() if OVERLAY in piece.marks()}
    assert read(folder / "again.vsav").state == read(folder / "shown.vsav").state


def test_a_log_brings_them_step_by_step(table: Session, folder: Path) -> None:
    outcome = table.play(
        [
            {"do": "load", "file": folder / "shown.vlog"},
            {"do": "log_step"},
            {"do": "list", "as": "end"},
        ]
    )
    assert outcome.faults == []
    assert any(piece.name == "Supply line, north to south (Russian)" for piece in outcome["end"].pieces)


def test_a_button_takes_them_off_for_all(table: Session, folder: Path) -> None:
    outcome = table.play(
        [
            {"do": "load", "file": folder / "shown.vsav"},
            press("Clear supply"),
            {"do": "save", "file": folder / "cleared.vsav"},
        ]
    )
    assert outcome.faults == []
    assert [text.lstrip("* ") for text in outcome.said("Clear supply")] == [
        "Clear supply: nothing shows supply any longer"
    ]
    pieces = read_save((folder / "cleared.vsav").read_bytes()).pieces.values()
    assert not [piece for piece in pieces if OVERLAY in piece.marks()]


@pytest.mark.parametrize("button", ["Hide all", "Central Powers only", "Russian only", "Supply"])
def test_a_button_hides_on_the_own_screen_alone(table: Session, folder: Path, button: str) -> None:
    """The picture is another one, and the same as before after the second press; the game and the chat know nothing of it."""
    begin = {"do": "load", "file": folder / "shown.vsav"}
    outcome = table.play(
        [
            begin,
            picture(folder, "seen.png"),
            press(button),
            picture(folder, "hidden.png"),
            {"do": "save", "file": folder / "hidden.vsav"},
            {"do": "press", "button": button},
            picture(folder, "back.png"),
        ]
    )
    assert outcome.faults == []
    assert outcome.said(button) == []
    assert differing(folder / "seen.png", folder / "hidden.png") > 0.01
    assert differing(folder / "seen.png", folder / "back.png") < 0.001
    before, after = (read_save((folder / f"{name}.vsav").read_bytes()) for name in ("shown", "hidden"))
    assert before.pieces.keys() == after.pieces.keys()


def test_the_charts_open(table: Session) -> None:
    outcome = table.play([press("Charts"), {"do": "windows", "as": "windows"}])
    assert outcome.faults == []
    assert any(window.kind == "JDialog" for window in outcome["windows"])

"""Logs of the real engine as records of play: positions, throws and what is taken back are as the engine has them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from assistant.formats.positions import ChatLine, Record, Throw
from assistant.formats.vassal.logs import read_chat_line, read_log
from assistant.installed.registry import load_game
from assistant.records.explaining.explanation import explain_log
from assistant.records.explaining.record import AnnotatedRecord
from module_builder.vassal.module import build_module, module_grid, wanted_module

from .engine import Outcome
from .keep import EXAMPLE_SETUP, LOG, ids_in, played_battle

GAME = "twilight-in-the-east"


class Logged(NamedTuple):
    """A log that the engine wrote, what it said, and where its units were after some of the steps, stepping through the
    log.
    """

    record: Record
    outcome: Outcome
    places: dict[int, dict[str, str | None]]


@pytest.fixture(scope="module")
def logged(engine: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Logged:
    """The kept battle played again, then another throw, a unit put out of play and brought back by undoing."""
    folder = tmp_path_factory.mktemp("logged")
    game = load_game(GAME)
    data, hexes = build_module(game).data, module_grid(game, wanted_module(game)).hexes
    module, log = folder / "t.vmod", folder / "battle.vlog"
    module.write_bytes(data)
    ids = ids_in(data, EXAMPLE_SETUP)
    *begun, end = played_battle(ids, hexes["39.20"], log)
    more: list[dict[str, Any]] = [
        {"do": "menu", "piece": ids["25/3"], "item": "Out of play"},
        {"do": "undo"},
        {"do": "dice", "faces": [1, 2]},
        {"do": "say", "text": "ask battle at=41.19 attacker-ap=none defender-ap=none"},
        {"do": "press", "button": "2d6"},
        {"do": "list", "as": "end"},
    ]
    with engine.Session(module) as session:
        first = session.play([{"do": "setup", "file": EXAMPLE_SETUP}, *begun, *more, end])
        assert first.faults == []
        record = read_log(log.read_bytes(), "battle.vlog", load_game)
        steps: list[dict[str, Any]] = [{"do": "load", "file": log}]
        for number in range(1, record.steps + 1):
            steps += [{"do": "log_step", "steps": 1}, {"do": "list", "as": str(number)}]
        second = session.play(steps)
    units = {id: unit for unit, id in ids.items()}
    places = {
        number: {
            units[piece.id]: piece.location if piece.map == "Map" else None
            for piece in second[str(number)].pieces
            if not piece.id.startswith(("now ", "record "))  # frames of the turn track, markers of record tracks
        }
        for number in range(1, record.steps + 1)
    }
    return Logged(record, first, places)


def test_after_each_step_units_stand_where_the_engine_has_them(logged: Logged) -> None:
    for step, places in logged.places.items():
        units = logged.record.at(step).state.units
        assert {unit.id: unit.place for unit in units.values()} == places, step


def test_throws_and_lines_are_those_of_the_chat(logged: Logged) -> None:
    written = [line for said in logged.outcome.chat if (line := read_chat_line(f"CHAT{said}"))]
    throws = [(line.event.dice, line.event.faces, line.undone) for line in written if isinstance(line.event, Throw)]
    undone = [(dice, faces) for dice, faces, is_undone in throws if is_undone]
    thrown = [(dice, faces) for dice, faces, is_undone in throws if not is_undone]
    for one in undone:
        thrown.remove(one)
    ours = [(one.dice, one.faces) for one in logged.record.events if isinstance(one, Throw)]
    assert ours == thrown and ("2d6", (6, 6)) in undone and ("2d6", (1, 2)) in ours
    typed = [one.text for one in logged.record.events if isinstance(one, ChatLine)]
    assert (
        typed == [line.event.text for line in written if isinstance(line.event, ChatLine)]
        and "Good luck & have fun" in typed
    )


def test_its_battles_are_explained(logged: Logged) -> None:
    first, second = explain_log(AnnotatedRecord(logged.record), "battle.vlog").explained
    assert [(one.track, one.subject) for one in first.differs] == [("cel", "25/3")]
    assert first.chosen == {"losses.attacker": "29/20,27/3", "onward.40.20.1": "39.20"}
    assert second.opened.startswith("typed in step") and [one.throw.total for one in second.throws] == [3]


def test_the_kept_log_is_such_a_one(logged: Logged) -> None:
    kept = read_log(LOG.read_bytes(), LOG.name, load_game)
    told = [(type(one), getattr(one, "faces", ()), getattr(one, "text", "")) for one in kept.events]
    ours = [(type(one), getattr(one, "faces", ()), getattr(one, "text", "")) for one in logged.record.events]
    assert told == ours[: len(told)]
    assert kept.at(0).state == logged.record.at(0).state
    assert Path(LOG).stat().st_size < 20_000

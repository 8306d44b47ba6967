"""Answers of all kinds carried out in VASSAL's files: with whatever dice, a save and a log say what the position afterwards says."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import assistant
from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.formats.vassal.written.files import find_lacking
from assistant.state.trust import PLACEHOLDERS

from ..cases import few, seeds
from ..combats.faults import thrown

EXAMPLES = Path(__file__).parents[2] / "plugins/twilight_in_the_east/examples"
FILES = ["comprehensive-example.vsav", "comprehensive-example.vlog"]


def decided(position: Position, question: str, random: Random, **parameters: Any) -> Report[Any]:
    """The answer once random dice and choices have settled everything."""
    answers: dict[str, str] = {}
    while (report := assistant.ask(position, question, answers=answers, **parameters)).asks:
        answers |= {ask.name: thrown(ask, random) for ask in report.asks}
    return report


def given_back(folder: Path, source: str | bytes, position: Position, report: Report[Any]) -> None:
    """Carry an answer out in a save and in a log, and compare both with the position afterwards."""
    target = position.after(report.changes)
    for name in ("new.vsav", "new.vlog"):
        assistant.carry_out(position, report, source, folder / name, force=True)
        assert [*find_lacking(assistant.read(folder / name), target)] == [], name


def accepting(position: Position) -> Position:
    """The position with charts from a reconstruction."""
    return position.with_state(msgspec.structs.replace(position.state, accepts=frozenset(PLACEHOLDERS.values())))


@few(2)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", seeds(8))
def test_a_battle_with_any_dice(tmp_path: Path, name: str, seed: int) -> None:
    position = accepting(assistant.read(EXAMPLES / name))
    report = decided(position, "battle", Random(seed), at="41.19", attacker_ap=[3, 20], defender_ap=1)
    assert report.changes
    given_back(tmp_path, EXAMPLES / name, position, report)


ORDERS = [
    ("dig-in", {"unit": "25/3", "points": 7}),
    ("supply-phase", {"side": "russian"}),
    ("supply-phase", {"side": "central-powers"}),
]


@few(2)
@pytest.mark.parametrize(("question", "parameters"), ORDERS)
def test_what_was_given_back_is_asked_and_given_back_again(
    tmp_path: Path, question: str, parameters: dict[str, Any]
) -> None:
    source, fought = EXAMPLES / FILES[0], tmp_path / "fought.vsav"
    position = accepting(assistant.read(source))
    dice = "2+5", "3/4", "29/20,27/3", "6", "5", "12", "39.20"
    names = "crt", "slrt", "losses", "ec.1/1", "ec.29/20", "ec.25/3", "onward.40.20"
    battle = assistant.ask(position, "battle", answers=dict(zip(names, dice, strict=True)))
    assistant.carry_out(position, battle, source, fought)
    position = assistant.read(fought)
    report = decided(position, question, Random(1), **parameters)
    assert report.changes
    given_back(tmp_path, fought, position, report)

"""What a unit leaves behind with its hex: facts whose track says `ends_on_leaving`, in every way in which a unit moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.asking.question import answer_question
from assistant.asking.view import View
from assistant.formats.notation import read_notation, read_on
from assistant.formats.notation_writer import write_changes
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.lint.files import faults
from assistant.installed.registry import questions_of
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal

from ...conftest import answered, typed
from .moor import FILES, moor

TRACKS = """
[steps]
title = "hexes that it must retreat"
on = "unit"
kind = "integer"
least = 0
most = 6
absent = 0
ends_with = ["turn"]
ends_on_leaving = true
rule = "7"
"""
CODE = """from assistant import hookimpl
from assistant.asking import Report, changed, declare, verdict


def move(view) -> Report[None]:
    changes = [changed(view, "place", "1st", "0103", "3"), changed(view, "place", "2nd", "0103", "3"), changed(view, "steps", "2nd", 1, "7")]
    return Report(title="Move", verdict=verdict("yes", "both move"), changes=tuple(changes))


@hookimpl
def register_questions(game, register):
    if game.id == "moor":
        register(declare("march", "who moves", move))
"""
BEFORE = "turn=2\n0101: 1st steps=2, 2nd steps=2\n0202: Battery steps=3\n"
LINES = {
    "0102: 1st": {"2nd": 2, "Battery": 3},
    "0102: 1st steps=1": {"1st": 1, "2nd": 2, "Battery": 3},
    "0101: 2nd, 1st": {"1st": 2, "2nd": 2, "Battery": 3},
    "0101: 1st": {"1st": 2, "Battery": 3},
    "0202: Battery, 2nd": {"1st": 2, "Battery": 3},
    "turn=3": {},
}
"""Lines that a player types, with what units owe afterwards."""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return moor(tmp_path, {"tracks.toml": FILES["tracks.toml"] + TRACKS, "__init__.py": CODE})


def start(game: Game) -> Position:
    return read_notation(f"game moor\n{BEFORE}".encode(), "t.pos", lambda name: game)


def owed(position: Position) -> dict[str, object]:
    return {unit: fact.value for (track, unit), fact in position.state.facts.items() if track == "steps"}


@pytest.mark.parametrize("line", LINES)
def test_a_unit_that_a_player_moves_leaves_the_fact_behind(game: Game, line: str) -> None:
    before = start(game)
    after = read_on(f"{line}\n", before)
    assert owed(after) == LINES[line]
    assert owed(read_on("\n".join(write_changes(before, after)), before)) == LINES[line]
    assert owed(read_on(f"{line}\n", before, same_moment=True)).keys() >= LINES[line].keys()


@pytest.mark.parametrize("line", [line for line in LINES if "turn" not in line])
def test_a_line_of_a_journal_does_the_same(game: Game, line: str) -> None:
    stated, *entries = [*BEFORE.splitlines(), line]
    numbered = [f"{number} 2 fact {entry}" for number, entry in enumerate(entries, 1)]
    text = "\n".join(["journal moor 1", stated, *numbered, ""])
    journal = Journal.read(parse_journal(text.encode(), "t.journal"), "t.journal", lambda _: game)
    assert not journal.books.faults
    assert owed(journal.position()) == LINES[line]


def test_an_answer_that_moves_a_unit_ends_the_fact_unless_it_changes_it(game: Game) -> None:
    view = View(game, start(game).state)
    question = questions_of(game)["march"]
    report = answer_question(question, view, question.parameters(), {})
    found = [(change.track, change.subject, change.after) for change in report.changes if change.track == "steps"]
    assert found == [("steps", "2nd", 1), ("steps", "1st", None)]


def test_only_a_fact_of_a_unit_can_be_left_behind(tmp_path: Path) -> None:
    wrong = TRACKS.replace('on = "unit"', 'on = "hex"')
    (fault,) = faults(moor(tmp_path, {"tracks.toml": FILES["tracks.toml"] + wrong}))
    assert str(fault).endswith(
        "[steps] ends on leaving a hex, but is not a fact of a unit\n  leave ends_on_leaving out"
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(
            "game kaisers-war-in-the-east\nturn=3 phasing=allies phase=first-combat\n2621: AH-inf-1 (3-3-4) owes=2",
            "2622: AH-inf-1",
            marks=pytest.mark.rule("15.0"),
        ),
        pytest.param(
            "game world-undone-east-prussia-1914\nturn=3 phasing=german phase=first-combat\n5420: III/25 owes=2",
            "5620: III/25",
            marks=pytest.mark.rule("6.5/path"),
        ),
        pytest.param(
            "turn=3 phasing=russian phase=attack\n41.19: 1/1 owes=2 retreat-cause=crt",
            "39.20: 1/1",
            marks=pytest.mark.rule("11.2.1"),
        ),
    ],
    ids=["kaisers-war", "world-undone", "twilight"],
)
def test_a_unit_that_is_moved_by_hand_owes_no_retreat(text: str, line: str) -> None:
    position = typed(f"{text}\n")

    def states(position: Position) -> list[str]:
        items = answered(position, "turn").shown.now.items
        return [item.state for item in items if "must retreat" in item.text]

    assert states(position) == ["owed"]
    moved = read_on(f"{line}\n", position)
    assert states(moved) == []
    assert not {"owes", "retreat-cause"} & {track for track, _ in moved.state.facts}

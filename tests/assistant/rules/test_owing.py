"""What a track says is owed, in a game of data alone: while it is open `next` waits, and the file is checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.owing import list_owed, settle_owed, word_consequences
from assistant.asking.question import answer_question
from assistant.asking.report import Consequence, Report, Step, Verdict
from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.lint.files import faults
from assistant.rules import turns
from assistant.state.changes import Change

from .moor import FILES, moor
from .moor import seen as moor_seen

COURSE = '[turns]\norder = ["red", "blue"]\n[[phase]]\ntitle = "Move"\nword = "move"\n[[phase]]\ntitle = "Fight"\nword = "fight"\n'
LEAVES = """
[leaves]
title = "hex that it has to leave"
on = "unit"
kind = "text"
names = "hex"
absent = ""
ends_with = ["turn", "phasing", "phase"]
rule = "4"
[leaves.owed]
text = "{unit} has to leave {place}[arrives: after turn {arrives}]"
ask = "flee unit={unit}"
"""
FIRE = """
[burns]
title = "burns"
on = "hex"
kind = "flag"
absent = false
ends_with = ["turn", "phasing", "phase"]
rule = "5"
[burns.owed]
text = "those in {hex} put the fire out"
until = ["control", "town"]
hex = "occupied"
"""
NOW = "turn=2\nphasing=blue\nphase=move\n"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return moor(tmp_path, {"course.toml": COURSE, "tracks.toml": FILES["tracks.toml"] + LEAVES + FIRE})


def seen(game: Game, text: str) -> View:
    return moor_seen(game, NOW + text)


def asked(view: View, name: str, **parameters: Any) -> Report[Any]:
    question = next(one for one in turns.QUESTIONS if one.name == name)
    return answer_question(question, view, question.parameters(**parameters), {})


@pytest.mark.parametrize(
    ("text", "owed"),
    [
        ("0101: 1st leaves=0101", ["1st"]),
        ("0102: 1st leaves=0101", []),
        ("off-map: 1st leaves=0101", []),
        ("0101: 1st leaves=none", []),
        ("0101: 1st\n0101 burns", ["0101"]),
        ("0101 burns", []),
        ("0101: 1st\n0101 burns control=red", []),
        ("0101: 1st\n0101 burns town=town", []),
    ],
)
def test_it_is_owed_until_the_position_shows_that_it_is_done(text: str, owed: list[str], game: Game) -> None:
    view = seen(game, text)
    assert [fact.subject for fact in list_owed(view)] == owed
    assert not view.premises.facts, "what is owed counts as read only where an answer turns on it"
    refused = asked(view, "next")
    assert (refused.verdict.kind == "no") is bool(owed)
    assert sum(item.state == "owed" for item in asked(view, "turn").result.now.items) == len(owed)


def test_it_ends_with_the_phase_once_players_let_it_stand(game: Game) -> None:
    view = seen(game, "0101: 1st leaves=0101\n0101 burns")
    assert asked(view, "next", leave=("leaves",)).verdict.kind == "no"
    left = asked(view, "next", leave=("leaves", "burns"))
    assert [(item.name, item.text) for item in left.result.left] == [
        ("leaves", "1st has to leave 0101"),
        ("burns", "those in 0101 put the fire out"),
    ]
    assert not [*list_owed(view.after(left.changes))]


def test_a_change_that_states_it_is_a_consequence_in_words(game: Game) -> None:
    view = seen(game, "0101: 1st arrives=3")
    change = Change("leaves", "1st", None, "0102", "4.1")
    moved = Change("place", "1st", "0101", "0102", "3")
    (consequence,) = word_consequences(view, [moved, change])
    assert (consequence.step.rule, consequence.step.text) == ("4.1", "1st has to leave 0102 after turn 3")
    assert (consequence.ask, consequence.owed) == ("flee unit=1st", change)
    assert word_consequences(view, [moved, Change("leaves", "1st", "0101", None, "4.1")]) == ()


@pytest.mark.parametrize(
    ("question", "asks", "kind", "ends"),
    [
        ("flee", {"unit": "1st"}, "no", True),
        ("flee", {"unit": ["2nd", "1st"]}, "no", True),
        ("flee", {"unit": "2nd"}, "no", False),
        ("fight", {"unit": "1st"}, "no", False),
        ("flee", {"unit": "1st"}, "undecided", False),
        ("flee", {"unit": "1st"}, "figure", False),
    ],
)
def test_the_answer_to_its_question_ends_it(
    question: str, asks: Mapping[str, object], kind: Any, ends: bool, game: Game
) -> None:
    report: Report[None] = Report(title="", verdict=Verdict(kind, "so"))
    found = [*settle_owed(seen(game, "0101: 1st leaves=0101"), report, question, asks)]
    assert found == ([Change("leaves", "1st", "0101", None, "4")] if ends else [])


def test_a_line_says_it_however_long_the_answer_is() -> None:
    verdict = Verdict("figure", "it goes")
    consequence = Consequence(
        Step("4", "{unit} leaves", {"unit": "1st"}), "flee unit=1st", Change("a", "b", None, 1, "4")
    )
    alone: Report[None] = Report(title="", verdict=verdict, follows=(consequence,))
    long = Step("", f"a {'very ' * 50}long way.")
    in_sentences: Report[None] = Report(title="", verdict=verdict, short=(long, long), follows=(consequence,))
    assert alone.headline == "it goes. 1st leaves (ask flee)."
    assert alone.answers == ("it goes", "1st leaves (ask flee).")
    assert in_sentences.headline.endswith("way. 1st leaves (ask flee).")


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('ends_with = ["turn", "phasing", "phase"]', 'ends_with = ["turn"]', "does not end with the phase"),
        ("{place}", "{plaice}", "unknown figure 'plaice'"),
        ('"{unit} has', '"{unit}[moved:] has', "unknown figure 'moved'"),
        ('"flee unit={unit}"', '"flee"\nuntil = ["fled"]', "unknown fact of the unit 'fled'"),
        ('"flee unit={unit}"', '"flee"\nhex = "empty"', "is not a fact of a hex"),
    ],
)
def test_mistakes_in_the_file_are_named(before: str, after: str, fault: str, tmp_path: Path) -> None:
    game = moor(tmp_path, {"course.toml": COURSE, "tracks.toml": FILES["tracks.toml"] + LEAVES.replace(before, after)})
    assert [said.what for said in faults(game) if fault in said.what]

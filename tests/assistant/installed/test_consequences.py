"""What a game's own code says follows from any answer's changes."""

from __future__ import annotations

from pathlib import Path

from assistant.asking.question import answer_question
from assistant.asking.view import View
from assistant.formats.notation import read_notation
from assistant.installed.registry import load_game, questions_of

from ..rules.moor import FILES, moor

OWED = """
[over]
title = "has lost"
on = "side"
kind = "flag"
absent = false
ends_with = ["turn", "phasing", "phase"]
rule = "9"
[over.owed]
text = "{side} has lost: the game ends at once"
"""
CODE = """from assistant import hookimpl
from assistant.asking import Report, changed, declare, verdict


def win(view) -> Report[None]:
    changes = [changed(view, "control", "0101", "red", "3")]
    return Report(title="Win", verdict=verdict("yes", "red wins"), changes=tuple(changes))


def look(view) -> Report[None]:
    return Report(title="Look", verdict=verdict("yes", "nothing changes"))


def find_losers(view, changes):
    if any(change.track == "control" for change in changes):
        yield changed(view, "over", "blue", True, "9")


@hookimpl
def register_questions(game, register):
    if game.id == "moor":
        register(declare("win", "who wins", win))
        register(declare("look", "who looks", look))


@hookimpl
def register_consequences(game, register):
    if game.id == "moor":
        register(find_losers)
"""


def test_a_function_of_the_game_adds_to_every_answer_with_changes(tmp_path: Path) -> None:
    game = moor(tmp_path, {"tracks.toml": FILES["tracks.toml"] + OWED, "__init__.py": CODE})
    view = View(game, read_notation(b"game moor\n", "t.pos", lambda name: game).state)
    reports = {
        name: answer_question(question, view, question.parameters(), {})
        for name, question in questions_of(game).items()
        if name in ("win", "look")
    }
    assert [str(one.owed.subject) for one in reports["win"].follows] == ["blue"]
    assert reports["win"].headline == "red wins. The Blue side has lost: the game ends at once."
    assert reports["look"].follows == reports["look"].changes == ()
    assert not load_game("der-weltkrieg").home
    assert all(not question.consequences for question in questions_of(load_game("der-weltkrieg")).values())

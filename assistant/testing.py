"""What a game's author asserts about his game in his own tests.

    from assistant.testing import asked, check_game, game_in, typed

    HEATH = game_in("heath")

    def test_there_are_no_mistakes():
        check_game("heath")

    def test_two_to_one():
        report = asked(typed("0504: 11th\\n0403: Battery\\nask odds at=0504 from=0403", HEATH))
        assert report.result.column == "1:1"

An `AssertionError` says what does not hold. Nothing here is imported unless a test does so.
"""

from __future__ import annotations

from typing import Any

import msgspec

from .asking.report import Report, find_likelihoods
from .asking.schemas import report_json, schemas
from .formats.notation import read_notation
from .formats.positions import Position
from .game.games import Game
from .game.states import apply_changes
from .installed import check
from .installed.check import unexplained
from .installed.registry import make_game_loader, named_game, question_of
from .service import ask
from .util.errors import InputError

__all__ = ["asked", "check_game", "check_json", "check_report", "game_in", "typed", "unexplained"]


def game_in(named: str) -> Game:
    """Return the game in a folder, or an installed one by its id. Raises InputError if there is none or its files are
    faulty.
    """
    return named_game(named)


def typed(text: str, game: Game) -> Position:
    """Return the position that a text in notation states; its first line may leave out the game.

    Raises InputError with line and column for what cannot be read.
    """
    head = "" if text.lstrip().startswith("game ") else f"game {game.id}\n"
    return read_notation((head + text).encode(), "typed.pos", make_game_loader(game))


def asked(position: Position, question: str = "", **parameters: Any) -> Report[Any]:
    """Return the report on a question, after `check_report`.

    `question`: the name, or "" for the first one that the position asks.
    `parameters`: the parameters, with `_` for a hyphen.

    Raises InputError for an unknown question and an impossible parameter or answer, AssertionError for what
    `check_report` finds.
    """
    report = ask(position, question, **parameters)
    check_report(position, report)
    return report


def check_report(position: Position, report: Report[Any]) -> None:
    """Assert what must hold for every report.

    Each figure of its working has a meaning, the assistant's own or one in [figures] of `game.toml`. The chances in a
    step add up to 1. The question waits for each roll and choice that the report asks for. The changes apply to the
    position.
    """
    if missing := unexplained(report, position.game):
        raise AssertionError(f"figures without a meaning in [figures] of game.toml: {', '.join(sorted(missing))}")
    for step in (step for part in report.parts for step in part.steps):
        bar = find_likelihoods(step)
        if bar and len(bar.likelihoods) > 1 and sum(likelihood.chance for likelihood in bar.likelihoods) != 1:
            raise AssertionError(f"the chances do not add up to 1: {step.text}")
    question = question_of(position.game, report.question)
    for ask_made in report.asks:
        if ask_made.kind in ("roll", "choice") and not question.waits_for(ask_made.name):
            raise AssertionError(f"{report.question} asks for {ask_made.name!r}, which its `answers` do not name")
    try:
        apply_changes(position.game, position.state, report.changes)
    except InputError as error:
        raise AssertionError(f"the changes of {report.question} do not apply to the position: {error}") from error


def check_json(position: Position, report: Report[Any]) -> None:
    """Assert that a report as JSON fits the schema that its question publishes. Needs the package jsonschema."""
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped,unused-ignore]  # it has no types

    schema = schemas(question_of(position.game, report.question))["report"]
    Draft202012Validator.check_schema(schema)
    for error in Draft202012Validator(schema).iter_errors(msgspec.json.decode(report_json(report))):
        raise AssertionError(
            f"the JSON of {report.question} does not fit its schema: {error.json_path}: {error.message}"
        )


def check_game(named: str) -> None:
    """Assert that `module-builder check` finds no mistake: all files can be read, and what they name exists."""
    if faults := check.examine_game(named).faults.lines:
        raise AssertionError("\n".join(faults))

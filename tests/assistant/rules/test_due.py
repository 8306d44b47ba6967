"""The question `due`: what rows bring, what waits, and what a game reckons by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.question import Question, answer_question
from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.schedule_dates import FactOf
from assistant.game.schedules import Due, arrival
from assistant.rules.due import QUESTION, DueParameters, WhatIsDue, due_question, fact_of, reckon_due
from assistant.util.errors import InputError

from ...conftest import told
from ..game.test_schedules import heath
from .moor import seen


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return heath(tmp_path)


def due(game: Game, text: str, question: Question[Any, WhatIsDue] = QUESTION, **named: Any) -> Report[WhatIsDue]:
    return answer_question(question, seen(game, text), DueParameters(**named), {})


def items(report: Report[WhatIsDue]) -> list[tuple[str, str, str]]:
    assert report.result is not None
    return [(item.turn, item.who, item.text) for item in report.result.items]


def waiting(report: Report[WhatIsDue]) -> list[str]:
    assert report.result is not None
    return [row.at for row in report.result.waiting]


def test_a_turn_and_what_waits(game: Game) -> None:
    report = due(game, "turn=2")
    assert (report.title, report.verdict.text) == ("Due in 2", "2 items due")
    assert items(report) == [("2", "red", "3 guns"), ("2", "red", "1 bread")]
    assert waiting(report) == ["entered+1"] and waiting(due(game, "turn=2\nentered=4")) == []
    assert told(due(game, "turn=2", who=("blue",)), "Waiting for something to happen") == ["entered+1: guns"]


def test_a_period_of_one_side(game: Game) -> None:
    report = due(game, "entered=4", turn="2", until="5", who=("blue",))
    assert (report.title, items(report)) == ("Due in 2 to 5", [("5", "blue", "1 guns")])
    assert waiting(report) == []
    assert due(game, "turn=2", turn="7").verdict.text == "nothing is due"
    with pytest.raises(InputError, match="3 comes before 4"):
        due(game, "turn=2", turn="4", until="3")


def test_a_game_may_reckon_more_than_its_rows_say(game: Game) -> None:
    def with_guards(view: View, first: int, last: int) -> Iterator[Due]:
        yield from reckon_due(view, first, last)
        yield arrival("Guards", "blue", first, "9.2")

    question = due_question(with_guards)
    assert items(due(game, "turn=1", question, until="2")) == [
        ("1", "blue", "Guards"),
        ("2", "red", "3 guns"),
        ("2", "red", "1 bread"),
    ]
    assert told(due(game, "turn=1", question), "Blue") == ["Guards"]


def test_what_rows_are_counted_from_may_be_known_to_the_game_alone(game: Game) -> None:
    def entered_in_6(view: View) -> FactOf:
        stated = fact_of(view)
        return lambda track, subject: 6 if track == "entered" else stated(track, subject)

    assert waiting(due(game, "turn=2", due_question(fact=entered_in_6))) == []
    assert waiting(due(game, "turn=2", due_question())) == ["entered+1"]


def test_an_earlier_turn_is_reckoned_by_what_holds_now_and_says_so(game: Game) -> None:
    assert told(due(game, "turn=4", turn="2"), "Assumed") == ["what is stated without a turn was before 4 as it is now"]
    for text, named in (("turn=4", {"turn": "4", "until": "5"}), ("entered=4", {"turn": "2"})):
        assert "Assumed" not in [part.title for part in due(game, text, **named).parts]

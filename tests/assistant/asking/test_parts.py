"""Parts of answers that several questions share: worked out once, with all that they rest on noted for each question."""

from __future__ import annotations

import pytest

import assistant
from assistant.asking.parts import Parts
from assistant.asking.premises import Premises
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.state.state import GameState
from assistant.state.tracks import Fact
from assistant.util.errors import CodeError, InputError


@pytest.fixture
def position() -> Position:
    return assistant.parse("game twilight-in-the-east\n41.19 clear: german infantry XX 1/1 (8-10-5-9)\n")


def read_arm(view: View) -> str:
    view.premises.rulings["ezoc-leaving"] = "once"
    return view.word("arm", "1/1")


def test_a_part_is_worked_out_once_and_each_question_rests_on_what_it_read(position: Position) -> None:
    parts, worked_out = Parts(), list[View]()

    def work_out(view: View) -> str:
        worked_out.append(view)
        return read_arm(view)

    for _ in range(2):
        view = View(position.game, position.state, parts=parts)
        assert view.part("arm", work_out) == "infantry"
        assert view.premises.facts == {("arm", "1/1"): Fact("infantry")}
        assert view.premises.rulings == {"ezoc-leaving": "once"}
    assert len(worked_out) == 1


def test_what_was_read_before_a_part_is_not_left_out_of_it(position: Position) -> None:
    parts = Parts()
    first = View(position.game, position.state, parts=parts)
    first.word("arm", "1/1")
    first.part("arm", read_arm)
    second = View(position.game, position.state, parts=parts)
    second.part("arm", read_arm)
    assert ("arm", "1/1") in second.premises.facts


def test_another_state_end_or_key_has_a_part_of_its_own(position: Position) -> None:
    view = View(position.game, position.state)
    other = assistant.parse("41.19 rough", position).state
    ends = [view.part("end", lambda apart: apart.end), view.at_its("strongest").part("end", lambda apart: apart.end)]
    assert ends == ["weakest", "strongest"]
    assert view.part("terrain", lambda apart: apart.word("terrain", "41.19")) == "clear"
    assert view.view_of(other).part("terrain", lambda apart: apart.word("terrain", "41.19")) == "rough"
    assert view.part("arm", read_arm) == "infantry"


def test_an_error_is_not_kept_and_what_it_rests_on_is_noted(position: Position) -> None:
    view = View(position.game, position.state)

    def fail(apart: View) -> str:
        raise InputError(apart.word("arm", "1/1"))

    for _ in range(2):
        with pytest.raises(InputError, match="infantry"):
            view.part("arm", fail)
    assert ("arm", "1/1") in view.premises.facts
    assert view.part("arm", read_arm) == "infantry"


def test_few_parts_are_kept_and_the_oldest_goes() -> None:
    parts, premises, state = Parts(max_kept=2), Premises(), GameState(game="any")
    worked_out = list[str]()
    for key in ("a", "b", "a", "c", "b"):
        parts.recall(state, "weakest", key, premises, lambda _, key=key: worked_out.append(key))  # type: ignore[misc]
    assert worked_out == ["a", "b", "c", "b"]


def test_a_part_takes_no_dice(position: Position) -> None:
    def throw(apart: View) -> None:
        apart.premises.answers["crt"] = {"crt": "2+5"}

    with pytest.raises(CodeError, match="takes rolls"):
        View(position.game, position.state).part("dice", throw)

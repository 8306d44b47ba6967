"""How far long work has got: nothing within a second, then a bar, and only on a terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

import pytest

from assistant.game.games import Game
from assistant.questions.view import View
from assistant.state.state import GameState
from assistant.util import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def ticking(step: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += step


def shown(monkeypatch: pytest.MonkeyPatch, seconds_each: float, where: io.StringIO) -> str:
    """What stands on standard error after ten items that take so long each."""
    monkeypatch.setattr(sys, "stderr", where)
    ticks = ticking(seconds_each)
    assert list(progress.bar(range(10), "hexes", clock=lambda: next(ticks))) == list(range(10))
    return where.getvalue()


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, 0.05, Terminal()) == ""


def test_after_a_second_a_bar_goes_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, 0.5, Terminal())
    assert "hexes" in text
    assert "100%" in text


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, 0.5, io.StringIO()) == ""


def test_a_view_hands_its_watch_on(twilight: Game) -> None:
    seen: list[str] = []

    def watch(items: object, what: str) -> object:
        seen.append(what)
        return items

    view = View(twilight, GameState(game=twilight.id), watch=watch)  # type: ignore[arg-type]
    for one in (view, view.at_its("strongest")):
        assert list(one.each([1, 2], "things")) == [1, 2]
    assert seen == ["things", "things"]

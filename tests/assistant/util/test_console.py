"""What a program prints."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from time import sleep

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.asking.view import View
from assistant.game.games import Game
from assistant.state.state import GameState
from assistant.util import console
from assistant.util.console import echo, encode_json
from assistant.util.errors import Where


def test_signs_that_steer_a_terminal_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    echo("Łódź\n\x1b[2J\u202etxt", nl=False)
    assert capsys.readouterr().out == "Łódź\n\\x1b[2J\\u202etxt"
    named = os.fsdecode(b"x\xff.pos")
    assert encode_json({"file": Where(named)}, one_line=True).decode() == '{"file":["x\ufffd.pos",0,0]}'
    assert encode_json(["a\u202eb", "\x7f", "Łódź", "\U000e0001"]).decode() == (
        '[\n  "a\\u202eb",\n  "\\u007f",\n  "Łódź",\n  "\\udb40\\udc01"\n]'
    )


@given(st.recursive(st.text() | st.integers(-9, 9), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_what_is_written_reads_as_it_was_and_is_printable(value: object) -> None:
    data = encode_json(value)
    assert json.loads(data) == msgspec.json.decode(data) == value
    assert all(line.isprintable() for line in data.decode().split("\n"))


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
    assert list(console.bar(range(10), "hexes", clock=lambda: next(ticks))) == list(range(10))
    return where.getvalue()


def test_long_work_goes_on_where_no_bar_can_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser, which has no click."""
    monkeypatch.setitem(sys.modules, "click", None)
    ticks = iter(range(0, 100, 10))
    assert [*console.with_bar("abc", "hexes", 3, clock=lambda: float(next(ticks)))] == ["a", "b", "c"]


def test_after_a_second_a_bar_goes_to_its_end_where_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, 0.5, Terminal())
    assert "hexes" in text and "100%" in text
    assert shown(monkeypatch, 0.05, Terminal()) == shown(monkeypatch, 0.5, io.StringIO()) == ""


def told(monkeypatch: pytest.MonkeyPatch, seconds: float, where: io.StringIO) -> str:
    """What stands on standard error after work that took so long, where 0.02 seconds are thought long."""
    monkeypatch.setattr(sys, "stderr", where)
    with console.show_working("drawing\x1b sheets", patience=0.02):
        sleep(seconds)
    return where.getvalue()


def test_long_work_that_cannot_be_counted_tells_how_long_it_takes_and_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = told(monkeypatch, 0.2, Terminal()).split("\r")
    assert lines[1].startswith("drawing") and lines[1].endswith("sheets: 0 s")
    assert "\x1b" not in "".join(lines)
    assert (lines[-2].strip(), lines[-1]) == ("", "")
    assert len(lines[-2]) == len(lines[-3])


def test_quick_work_and_work_that_nobody_watches_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with console.show_working("drawing sheets"):
        pass
    assert sys.stderr.getvalue() == ""
    assert told(monkeypatch, 0.1, io.StringIO()) == ""


def test_work_that_fails_wipes_its_line_off_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with pytest.raises(KeyError), console.show_working("drawing", patience=0.02):
        sleep(0.1)
        raise KeyError
    assert sys.stderr.getvalue().split("\r")[-2].strip() == ""


def test_a_view_hands_its_watch_on(twilight: Game) -> None:
    seen: list[str] = []

    def watch(items: object, what: str) -> object:
        seen.append(what)
        return items

    view = View(twilight, GameState(game=twilight.id), watch=watch)  # type: ignore[arg-type]
    for one in (view, view.at_its("strongest")):
        assert list(one.each([1, 2], "things")) == [1, 2]
    assert seen == ["things", "things"]

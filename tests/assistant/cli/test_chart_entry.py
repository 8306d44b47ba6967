"""Charts typed row by row: in how few keys, and back to the row before."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from assistant.cli.chart_entry import Ask, ask_each, enter_rows
from assistant.game.charts import Chart, Key, rows_of
from assistant.game.games import Game
from assistant.game.packs import Pack, keys_of
from assistant.util.errors import InputError

from ...terminal import at_a_terminal
from .test_packs import GAME, PROMPT


def as_typed(chart: Chart, row: Iterable[Key]) -> str:
    """A row in as few keys as a player needs who reads it from the printed chart."""
    words: list[str] = []
    before = ""
    for key in row:
        values = [str(value).replace(" ", "").lower() for value in chart.cells[key].values.values()]
        while len(values) > 1 and values[-1] in ("-", "0"):
            values.pop()
        cell = "/".join(values)
        if cell == before and words[-1].strip("="):
            words.append("=")
        elif cell == before:
            words[-1] += "="
        else:
            words.append(cell)
        before = cell
    return " ".join(words)


def typing(lines: Iterable[str], shown: list[str] | None = None) -> Ask:
    """What types these lines, and notes what stood there to be corrected."""
    left = iter(lines)

    def ask(_: str, known: str) -> str:
        if shown is not None:
            shown.append(known)
        return next(left, ".")

    return ask


def test_two_whole_charts_take_at_most_1500_keystrokes(twilight: Game, tmp_path: Path) -> None:
    keystrokes = 0
    for name, cells in (("crt", 198), ("slrt", 136)):
        chart, pack = twilight.chart(name), Pack(twilight, tmp_path)
        rows = rows_of(keys_of(chart))
        lines = [as_typed(chart, row) for row in rows]
        assert sum(enter_rows(pack, name, rows, typing(lines))) == cells
        assert {key: dict(cell.values) for key, cell in pack.cells(name).items()} == {
            key: dict(cell.values) for key, cell in chart.cells.items()
        }
        keystrokes += sum(len(line) + 1 for line in lines)
    assert keystrokes <= 1500, keystrokes


ROW = "+3xw2/-2 +3xw1/-2 = +3XB1/-1 = +2 x/- +1 = = = ="
"""A row with its slips: a word with a space in it makes twelve cells of eleven."""


def test_a_row_is_kept_whole_or_not_at_all(twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = Pack(twilight, tmp_path)
    row = rows_of(keys_of(twilight.chart("crt")))[:1]
    too_many, too_few = ROW, ROW.replace("+2 x/- ", "").removesuffix(" =")
    assert list(enter_rows(pack, "crt", row, typing([too_many, too_few, ROW.replace("+2 x", "+2x")]))) == [11]
    said = capsys.readouterr().out
    assert "12 cells for the 11 of crt summer 1:4, 2 to 12" in said
    assert "9 cells for the 11 of crt summer 1:4, 2 to 12" in said
    assert "2: +3 X W2 / -2, 3: +3 X W1 / -2, 4: +3 X W1 / -2, 5: +3 X B1 / -1" in said
    assert len(pack.cells("crt")) == 11


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("= +1", "there is no cell before ="),
        ("+9 +1", "attacker: '+9' is not allowed"),
        ("+1/-/- =", "'+1/-/-' is not a cell of chart crt"),
        ("-+1 = ", "attacker: '- +1' is not allowed"),
    ],
)
def test_what_is_not_a_cell_is_refused(
    twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, says: str
) -> None:
    row = rows_of(keys_of(twilight.chart("crt")))[:1]
    assert list(enter_rows(Pack(twilight, tmp_path), "crt", row, typing([line]))) == []
    assert says in capsys.readouterr().out


def test_back_returns_to_the_row_before_with_what_it_holds(twilight: Game, tmp_path: Path) -> None:
    chart, pack = twilight.chart("slrt"), Pack(twilight, tmp_path)
    rows = rows_of(keys_of(chart))
    first, shown = as_typed(chart, rows[0]), list[str]()
    other = first.replace("0", "1", 1)
    assert sum(enter_rows(pack, "slrt", rows, typing([first, "BACK", other, ".", ""], shown))) == 34
    assert shown[:2] == ["", ""]
    assert shown[2].startswith("0/0 0/0")
    assert pack.cells("slrt")[rows[0][0]].values["steps"] == 1


def test_arrows_lead_to_the_row_before_and_after(tmp_path: Path, twilight: Game) -> None:
    chart = twilight.chart("slrt")
    first = as_typed(chart, rows_of(keys_of(chart))[0])
    keys = [f"{first}\r", "\x1b[A", "\x1b[B", ".\r"]
    shown = at_a_terminal(tmp_path, ["pack", "enter", GAME, "slrt"], keys, awaits=PROMPT, then=b"\x04", enter="")
    assert "0/0 0/0" in shown, "the row before, to be corrected"
    assert "17 cells kept; 119 are missing" in shown


def test_things_are_typed_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    kept: list[tuple[str, str]] = []

    def keep(one: str, line: str) -> int:
        if line == "no":
            raise InputError("not that")
        kept.append((one, line))
        return len(line)

    left = iter(["one", "", "Back", "no", "two", "three", ".", "never"])
    assert list(ask_each("abcd", lambda one: next(left), keep)) == [3, 3, 5]
    assert kept == [("a", "one"), ("b", "two"), ("c", "three")]
    assert capsys.readouterr().out == "  not that\n"
    assert list(ask_each("", lambda one: next(left), keep)) == []

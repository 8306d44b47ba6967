"""Shared by the tests of boards: the tracks of a small game, and a board drawn with them."""

from __future__ import annotations

from pathlib import Path

from assistant.game.boards import Board
from assistant.game.boards.files import read_board
from assistant.state.tracks import Fact, Source, Track, Value

TRACKS = {
    track.name: track
    for track in (
        Track(name="terrain", title="terrain", on="hex", kind="choice", rule="1", values=("clear", "wood", "lake")),
        Track(name="town", title="town", on="hex", kind="flag", rule="1"),
        Track(name="height", title="height", on="hex", kind="integer", rule="1", least=0, most=9),
        Track(name="owner", title="owner", on="hex", kind="text", rule="1"),
        Track(
            name="barrier",
            title="barrier",
            on="hexside",
            kind="choices",
            rule="2",
            values=("river", "ridge", "lake"),
            token="{}",
        ),
        Track(name="road", title="road", on="hexside", kind="choice", rule="2", values=("no-road", "road"), token="{}"),
        Track(name="pipe", title="pipe", on="hexside", kind="flag", rule="2"),
        Track(name="lost", title="steps lost", on="unit", kind="integer", rule="3"),
    )
}
CLASSES = Track(
    name="class", title="class", on="hex", kind="choice", rule="1", values=("none", "hamlet", "town"), token="{}"
)
"""A track for the classes of places, where a test wants one."""

#: Columns of a flat grid, the even ones half a hex lower: 0202 lies next to 0201, 0302, 0303, 0203, 0103 and 0102.
HEAD = """
title = "Mill valley"
source = "drawn"
boxes = ["Reserve", "Hospital"]
whole = {whole}

[grid]
format = "{{column:02}}{{row:02}}"
columns = [1, 4]
rows = [1, 3]

[terrain]
c = "clear"
w = "Wood"
l = "lake"
"""
TERRAIN = """
    01 02 03
01   c  w  .
02   .  l  c
"""
ENDINGS = {"terrain": "txt", "places": "csv", "lakes": "csv"}


def folder_of(at: Path, *, whole: str = "[]", head: str = HEAD, **texts: str) -> Path:
    """A board's folder with these files: `terrain`, `places`, and any others, which have entries."""
    board = at / "valley"
    board.mkdir(parents=True, exist_ok=True)
    (board / "board.toml").write_text(head.format(whole=whole), "utf-8")
    for name, text in texts.items():
        (board / f"{name}.{ENDINGS.get(name, 'lines')}").write_text(text, "utf-8")
    return board


def drawn(at: Path, *, whole: str = "[]", head: str = HEAD, **texts: str) -> Board:
    """The board of these files."""
    return read_board(folder_of(at, whole=whole, head=head, **texts), TRACKS)


def on_the_map(value: Value) -> Fact:
    """A fact as the board's own source has it."""
    return Fact(value, Source.DRAWN)

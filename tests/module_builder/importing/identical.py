"""A module of identical counters, steps and hexes, and a save of it, as raw files: nothing here is written by what reads them.

Most of its counters lie in the game several times, and both sides have slots of the same names.
"""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from PIL import Image

NAME = "Two Valleys"
MAP = "Main Map"
DEAD = "Losses"
_MODULE = "VASSAL.build.module."
_WIDGET = "VASSAL.build.widget."
_GRID = f"{_MODULE}map.boardPicker.board."
SIZE = (900, 700)
_X = 60
_Y = 60
_WIDE = 69.3
_HIGH = 80

#: A layer that is always on: its levels are no step lost, one, two.
_STEPS = "emb2;;128;;Lose a step;128;;Regain a step;128;;;;1;false;18;-18;,one.png,two.png;,+ lost 1,+ lost 2;false;Steps;;;false;;1;1;true;;76,130;71,130;;1.0"


class Slot(NamedTuple):
    """A slot of the palettes. hexes: where its counters lie at the start, a number for each."""

    side: str
    name: str
    image: str
    attack: int
    defence: int
    hexes: tuple[str, ...]


SLOTS = (
    Slot("Blue", "Infantry", "b-inf.png", 4, 4, ("0202", "0202", "0203", "0203", "0203", "0204", "0302", "0303")),
    Slot("Blue", "Cavalry", "b-cav.png", 3, 2, ("0401", "0401", "0402", "0402")),
    Slot("Blue", "Guns", "b-gun.png", 5, 1, ("0202", "0203", "0204")),
    Slot("Blue", "Guard", "b-grd.png", 6, 6, ("0304", "0304")),
    Slot("Blue", "Staff", "b-hq.png", 0, 1, ("0105",)),
    Slot("Red", "Infantry", "r-inf.png", 3, 4, ("0502", "0502", "0503", "0503", "0603", "0603", "0604", "0605")),
    Slot("Red", "Cossacks", "r-cos.png", 2, 1, ("0701", "0701", "0701", "0702", "0702")),
    Slot("Red", "Guns", "r-gun.png", 4, 1, ("0502", "0503", "0604")),
    Slot("Red", "Militia", "r-mil.png", 1, 2, ("0806",)),
    Slot("Red", "Staff", "r-hq.png", 0, 1, ("0905",)),
)


def pixel(hex: str) -> tuple[int, int]:
    """The middle of a hex. The second column, the fourth and so on lie half a hex lower."""
    column, row = int(hex[:2]) - 1, int(hex[2:]) - 1
    return int(_WIDE * column + _X), int(_HIGH * row + (40 if column % 2 else 0) + _Y)


class Lying(NamedTuple):
    """A counter in play. id: as VASSAL gives them, by the clock; steps: the level of its layer."""

    id: str
    number: int
    slot: Slot
    map: str
    at: tuple[int, int]
    steps: int = 1


def lying() -> list[Lying]:
    """The counters at the start. Their ids say nothing of their places."""
    found = []
    for number, slot in enumerate(SLOTS, 1):
        for copy, hex in enumerate(slot.hexes):
            id = 1_400_000_000_000 + (copy * 61_001 + number * 104_729) % 99_991
            found.append(Lying(str(id), number, slot, MAP, pixel(hex)))
    return found


def save(counters: Sequence[Lying], notes: str = "", empty: int = 0) -> bytes:
    """The file of a save with these counters; those of one place lie in a stack, the later ones above.

    empty: how many stacks it has that hold nothing any more, as old saves have by the ten thousands.
    """
    commands = ["begin_save", f"{MAP}BoardPicker\tValleys\t0\t0", f"{DEAD}BoardPicker\tBox\t0\t0"]
    stacks: dict[tuple[str, tuple[int, int]], list[str]] = {}
    for one in counters:
        types = f"{_STEPS}\tmark;Attack,Defence\\\tpiece;;;{one.slot.image};{one.slot.name}"
        place = f"{one.map};{one.at[0]};{one.at[1]};{one.number};0"
        commands.append(f"+/{one.id}/{types}/{one.steps}\t{one.slot.attack},{one.slot.defence}\\\t{place}")
        stacks.setdefault((one.map, one.at), []).append(one.id)
    for number, ((map, (x, y)), ids) in enumerate(stacks.items()):
        commands.append(f"+/{1_500_000_000_000 + number}/stack/{map};{x};{y};{';'.join(ids)};@@0")
    commands += [
        f"+/{1_600_000_000_000 + number}/stack/{MAP};{number % 880};{number % 690};@@0" for number in range(empty)
    ]
    lines = notes.replace("\n", "|")
    commands += ["NOTES\t", f"PNOTES\t{lines}", "TURNTurnTracker0\t0|1;0;false;8", "SETUP_STACK\t", "end_save"]
    text = "\x1b".join(commands).encode()
    hidden = b"!VCSK" + b"5f" + bytes(byte ^ 0x5F for byte in text).hex().encode()
    return _zipped({"savedGame": hidden, "savedata": _data("1"), "moduledata": _data("1", NAME)})


def module(setups: int = 1, empty: int = 0, filler: int = 0) -> bytes:
    """The module's file. setups: how many predefined set-ups it has; empty: as for `save`; filler: bytes by which its pictures swell it."""
    files = {f"start{number}.vsav": save(lying(), empty=empty + number if empty else 0) for number in range(setups)}
    pictures = {"valleys.png": _picture(SIZE, "#cfd8b0"), "one.png": _picture((12, 12)), "two.png": _picture((12, 12))}
    noise = random.Random(1)  # what no zip file makes smaller; readers of pictures ignore it at the end
    for number, slot in enumerate(SLOTS, 10):
        pictures[slot.image] = _picture((50, 50), f"#{number:03x}699") + noise.randbytes(filler // len(SLOTS))
    images = {f"images/{name}": data for name, data in pictures.items()}
    return _zipped({"moduledata": _data("1", NAME), "buildFile.xml": _build(setups).encode(), **images, **files})


def _build(setups: int) -> str:
    inner = [
        f"<{_MODULE}BasicCommandEncoder/><{_MODULE}GlobalOptions/>",
        f"<{_MODULE}PlayerRoster><entry>Blue</entry><entry>Red</entry></{_MODULE}PlayerRoster>",
        f'<{_MODULE}PrototypesContainer><{_MODULE}PrototypeDefinition name="Unit">'
        f"+/null/{escape(_STEPS)}\tpiece;;;;/1\tnull;0;0;;0</{_MODULE}PrototypeDefinition></{_MODULE}PrototypesContainer>",
        f'<{_MODULE}PieceWindow name="Counters"><{_WIDGET}TabWidget entryName="Counters">{"".join(_palettes())}'
        f"</{_WIDGET}TabWidget></{_MODULE}PieceWindow>",
        f'<{_MODULE}DiceButton name="1d6" nDice="1" nSides="6" reportFormat="** $name$ = $result$ *** &lt;$PlayerName$&gt;"/>',
        f'<{_MODULE}turn.TurnTracker name="Turn" turnFormat="$level1$"><{_MODULE}turn.CounterTurnLevel name="Turn" start="1" '
        f'incr="1" loop="false" loopLimit="8"/></{_MODULE}turn.TurnTracker>',
        _map(MAP, 'name="Valleys" image="valleys.png"', _hexes()),
        _map(DEAD, 'name="Box" width="300" height="200" color="220,220,220"', ""),
        *(
            f'<{_MODULE}PredefinedSetup name="The start {number}" file="start{number}.vsav" useFile="true"/>'
            for number in range(setups)
        ),
    ]
    return f'<VASSAL.build.GameModule name="{NAME}" version="1.0" VassalVersion="3.6.0" nextPieceSlotId="99">{"".join(inner)}</VASSAL.build.GameModule>'


def _hexes() -> str:
    return (
        f'<{_GRID}HexGrid x0="{_X}" y0="{_Y}" dx="{_WIDE}" dy="{_HIGH}" sideways="false" snapTo="true" visible="false">'
        f'<{_GRID}mapgrid.HexGridNumbering first="H" sep="" hType="N" vType="N" hLeading="1" vLeading="1" hOff="1" vOff="1" '
        f'hDescend="false" vDescend="false" stagger="false" visible="false"/></{_GRID}HexGrid>'
    )


def _map(name: str, board: str, grid: str) -> str:
    parts = ("StackMetrics", "ForwardToKeyBuffer", "MenuDisplayer", "PieceMover", "KeyBufferer")
    return (
        f'<{_MODULE}Map mapName="{name}" edgeWidth="0" edgeHeight="0" allowMultiple="false" markMoved="Never">'
        f"<{_MODULE}map.BoardPicker><{_MODULE}map.boardPicker.Board {board}>{grid}</{_MODULE}map.boardPicker.Board>"
        f"</{_MODULE}map.BoardPicker>{''.join(f'<{_MODULE}map.{part}/>' for part in parts)}</{_MODULE}Map>"
    )


def _palettes() -> Iterator[str]:
    for side in ("Blue", "Red"):
        yield f"<{_WIDGET}ListWidget entryName={quoteattr(f'{side} units')}>"
        for number, slot in enumerate(SLOTS, 1):
            if slot.side == side:
                types = f"prototype;Unit\tmark;Attack,Defence\\\tpiece;;;{slot.image};{slot.name}"
                states = f"\t{slot.attack},{slot.defence}\\\tnull;0;0;{number};0"
                yield f'<{_WIDGET}PieceSlot entryName="{slot.name}" gpid="{number}" width="50" height="50">+/null/{types}/{states}'
                yield f"</{_WIDGET}PieceSlot>"
        yield f"</{_WIDGET}ListWidget>"


def _data(version: str, name: str = "") -> bytes:
    named = f"<name>{name}</name>" if name else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><data version="{version}"><version>1.0</version>'
        f"<VassalVersion>3.6.0</VassalVersion><dateSaved>0</dateSaved><description/>{named}</data>"
    ).encode()


def _picture(size: tuple[int, int], colour: str = "#884422") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def _zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()

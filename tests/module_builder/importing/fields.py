"""Modules of other makers with grids of all kinds, made up for the tests, and what VASSAL prints at their pixels: its
arithmetic written down here once more.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import floor
from typing import NamedTuple

from lxml import etree

from assistant.formats.vassal.pieces import Piece, PieceStack, write_definition
from assistant.formats.vassal.saves import Save, write_save
from assistant.formats.vassal.traits import Trait
from module_builder.vassal.elements import MAP, MODULE, WIDGET, add

from .foreign import ABOUT, BOARD, packed, picture

Pixel = tuple[int, int]
Said = Mapping[str, str]


class Field(NamedTuple):
    """A board with a grid of hexes: the attributes of the grid, and of its numbering, None for none."""

    name: str
    size: Pixel
    grid: Said
    numbering: Said | None
    oblique: bool = False
    zone: str = ""
    """How a zone names the places of its left half, "" for no zone."""


def numbering(dice: random.Random) -> dict[str, str]:
    """Numbers as makers have them: letters, zeros before them or not, from either end."""
    return {
        "first": dice.choice("HV"),
        "sep": dice.choice(["", ".", "-", "/"]),
        "hType": dice.choice("NNA"),
        "vType": dice.choice("NNA"),
        "hLeading": str(dice.choice([0, 1, 2])),
        "vLeading": str(dice.choice([0, 1, 2])),
        "hOff": str(dice.choice([0, 1, 1, 10, -2])),
        "vOff": str(dice.choice([0, 1, 1, 20, -3])),
        "hDescend": dice.choice(["false", "false", "true"]),
        "vDescend": dice.choice(["false", "false", "true"]),
        "stagger": dice.choice(["true", "false"]),
    }


def field(dice: random.Random, name: str = "Land") -> Field:
    """A board whose hexes lie and count somehow."""
    dy = dice.choice([60, 64.5, 73.25, 80])
    across, down = dice.randint(-20, 60), dice.randint(-20, 60)
    grid = {"x0": str(across), "y0": str(down), "dx": str(round(dy * 0.866, 2)), "dy": str(dy)}
    grid["sideways"] = dice.choice(["true", "false"])
    numbers = numbering(dice) if dice.random() < 0.85 else None
    return Field(name, (dice.randint(400, 620), dice.randint(400, 620)), grid, numbers, dice.random() < 0.3)


def beside(dice: random.Random, field: Field, name: str) -> Field:
    """A board to the right of another one, whose hexes go on there. Its numbers do so, or begin again."""
    shift = field.size[0]
    grid = dict(field.grid)
    if grid["sideways"] == "true":
        grid["y0"] = str(int(grid["y0"]) - shift)
    else:
        grid["x0"] = str(int(grid["x0"]) - shift)
    numbers = field.numbering
    if numbers is not None and dice.random() < 0.4:
        numbers = {**numbers, "hOff": str(int(numbers["hOff"]) + 1)}
    return field._replace(name=name, grid=grid, numbering=numbers)


def printed(field: Field, at: Pixel) -> str:
    """What VASSAL prints at a pixel of a board, "" for nothing."""
    said, (column, row) = field.numbering, cell(field, at)
    if said is None:
        return ""
    rows = floor(field.size[1] / float(field.grid["dx"]) + 0.5)
    columns = floor(field.size[0] / float(field.grid["dy"]) + 0.5)
    odd = column % 2 != 0
    h, v = said["hDescend"] == "true", said["vDescend"] == "true"
    if field.grid["sideways"] == "true":
        column, row, backwards = rows - column if v else column, columns - row if h else row, h
    else:
        column, row, backwards = columns - column if h else column, rows - row if v else row, v
    stagger = said["stagger"] == "true"
    if stagger and odd:
        row += -1 if backwards else 1
    if field.oblique:
        half = abs(column) // 2 * (1 if column > 0 else -1)
        row = half + row if stagger else row - half + 1
    across = figure(column + int(said["hOff"]), said["hType"], int(said["hLeading"]))
    down = figure(row + int(said["vOff"]), said["vType"], int(said["vLeading"]))
    return across + said["sep"] + down if said["first"] == "H" else down + said["sep"] + across


def figure(number: int, kind: str, leading: int) -> str:
    text, number = "-" if number < 0 else "", abs(number)
    if kind == "A":
        while True:
            text += "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 26]
            number -= 26
            if number < 0:
                return text
    while leading > 0 and number < 10**leading:
        text, leading = text + "0", leading - 1
    return text + str(number)


def cell(field: Field, at: Pixel) -> tuple[int, int]:
    """The column and row of a pixel, as VASSAL counts them."""
    across, down = spot(field, at)
    return floor(across + 0.5), floor(down + 0.5)


def spot(field: Field, at: Pixel) -> tuple[float, float]:
    """Where a pixel lies in columns and rows: a hex reaches from half before to half behind whole numbers."""
    x, y = at[::-1] if field.grid["sideways"] == "true" else at
    dx, dy = float(field.grid["dx"]), float(field.grid["dy"])
    across = (x - int(field.grid["x0"])) / dx
    half = dy / 2 if floor(across + 0.5) % 2 else 0
    return across, (y - int(field.grid["y0"]) - half) / dy


def is_inner(field: Field, at: Pixel) -> bool:
    """Whether a pixel lies well within a hex whose middle is on the board."""
    across, down = spot(field, at)
    column, row = cell(field, at)
    dx, dy = float(field.grid["dx"]), float(field.grid["dy"])
    near = max(abs(across - column) * dx + 4 - dx / 2, abs(down - row) * dy + 4 - dy / 2) <= 0
    x, y = int(field.grid["x0"]) + column * dx, int(field.grid["y0"]) + row * dy + (dy / 2 if column % 2 else 0)
    width, height = field.size[::-1] if field.grid["sideways"] == "true" else field.size
    return near and 2 <= x < width - 2 and 2 <= y < height - 2


COUNTERS = [f"{number}. Corps" for number in range(1, 13)]


def module(
    fields: Sequence[Field], words: Sequence[str], pixels: Sequence[Pixel], *, bare: bool = False
) -> tuple[bytes, bytes]:
    """A module with these boards beside one another, and its set-up: a counter at each pixel of their map. words: of
    the boards as a save has them; bare: the boards have no pictures.
    """
    root = etree.Element("VASSAL.build.GameModule", name=ABOUT.module, version="1.0", VassalVersion="3.6.0")
    for part in ("BasicCommandEncoder", "GlobalOptions"):
        add(root, MODULE + part)
    held = add(add(root, MODULE + "PieceWindow", name="Counters"), WIDGET + "ListWidget", entryName="Corps")
    pieces = [Piece("null", (Trait(f"piece;;;front.png;{name}"),), slot=str(n)) for n, name in enumerate(COUNTERS, 1)]
    for piece in pieces:
        add(held, WIDGET + "PieceSlot", write_definition(piece), entryName=piece.name, gpid=piece.slot)
    picker = add(add(root, MODULE + "Map", mapName="Main"), MAP + "BoardPicker")
    add(picker, "setup", "\t".join(["MainBoardPicker", *(f"{word}\t{n}\t0" for n, word in enumerate(words))]))
    images = {"front.png": picture()}
    for each in fields:
        shown = dict(zip(("width", "height"), map(str, each.size), strict=True))
        if not bare:
            images[f"{each.name}.png"] = picture(each.size, "#ddeecc")
            shown = {"image": f"{each.name}.png"}
        board = add(picker, MAP + "boardPicker.Board", name=each.name, reversible="true", **shown)
        within = add(board, BOARD + "ZonedGrid") if each.zone else board
        if each.zone:
            (width, height), zone = each.size, {"name": "Left", "locationFormat": each.zone, "useParentGrid": "true"}
            path = f"0,0;{width // 2},0;{width // 2},{height};0,{height}"
            add(within, BOARD + "mapgrid.Zone", path=path, **zone)
        grid = add(within, BOARD + "HexGrid", **each.grid)
        if each.numbering is not None:
            add(grid, BOARD + f"mapgrid.{'Oblique' if each.oblique else ''}HexGridNumbering", **each.numbering)
    add(root, MODULE + "PredefinedSetup", name="The start", file="start.vsav", useFile="true")
    lying = [
        piece._replace(id=str(n), map="Main", at=at)
        for n, (piece, at) in enumerate(zip(pieces, pixels, strict=False), 1)
    ]
    save = write_save(
        Save(
            about=ABOUT,
            boards={"Main": tuple((word, number, 0) for number, word in enumerate(words))},
            pieces={piece.id: piece for piece in lying},
            stacks={f"s{piece.id}": PieceStack(f"s{piece.id}", (piece.id,), "Main", piece.at) for piece in lying},
        )
    )
    return packed(root, images, {"start.vsav": save}), save

"""Symbols of counters and terrain, from the SVG files of the package `field_staff_images`.

A file holds paths in the view box "0 0 60 40", each filled or stroked; colours in it do not count, the picture inks it.
"""

from __future__ import annotations

import re
from importlib.resources import files
from math import isfinite

from lxml import etree

from ..drawing.scene import Symbol, SymbolPath
from ..util.errors import InputError
from ..util.markup import read_xml

ASPECT = 60 / 40


class Symbols:
    """The symbols of one picture, each file read once."""

    def __init__(self) -> None:
        self._read: dict[str, Symbol | None] = {}

    @property
    def names(self) -> list[str]:
        """The names of all symbols for counters."""
        names = (file.name.removesuffix(".svg") for file in files("field_staff_images").iterdir())
        return sorted(name for name in names if "." not in name and not name.startswith(("class-", "terrain-", "_")))

    def symbol(self, name: str) -> Symbol | None:
        """The symbol in `<name>.svg`, in a box of no size; None if there is no such file.

        Raises ValueError for a file that is no SVG of plain paths.
        """
        if name not in self._read:
            self._read[name] = _read(name)
        return self._read[name]


def _read(name: str) -> Symbol | None:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):  # a word of a game, which must not climb out of the folder
        return None
    file = files("field_staff_images").joinpath(f"{name}.svg")
    if not file.is_file():
        return None
    try:
        root = read_xml(file.read_bytes(), f"{name}.svg")
    except InputError as error:
        raise ValueError(f"{name}.svg is no SVG: {error}") from None
    paths = tuple(_path(element) for element in root.iter("{*}path"))
    numbers = [float(number) for number in root.get("viewBox", "").split()]
    if len(numbers) != 4 or not all(map(isfinite, numbers)) or not paths:
        raise ValueError(f"{name}.svg needs a viewBox of four numbers and a path")
    x, y, width, height = numbers
    return Symbol(x=0, y=0, width=0, height=0, view_box=(x, y, width, height), paths=paths)


def _path(element: etree._Element) -> SymbolPath:
    return SymbolPath(
        data=element.get("d", ""),
        filled=element.get("fill") != "none",
        width=float(element.get("stroke-width", "1")) if element.get("stroke", "none") != "none" else 0.0,
        round_ends=element.get("stroke-linecap") == "round" or element.get("stroke-linejoin") == "round",
    )

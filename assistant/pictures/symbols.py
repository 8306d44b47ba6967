"""Symbols of counters and terrain, from SVG files: the owner's, else the game's, else ours.

A symbol called `cavalry` is the file `symbols/cavalry.svg` in the owner's pack or in the game's folder, or `cavalry.svg` in the
package `field_staff_images`. A file holds paths, each filled or stroked, in a view box, for ours "0 0 60 40"; its colours do not
count, for the picture inks it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from ..drawing.pdf_paths import symbol_operators
from ..drawing.scene import Symbol, SymbolPath
from ..game.games import Game
from ..game.packs import pack_folder
from ..util.datafiles import inner
from ..util.errors import InputError, Where, located
from ..util.files import package_folder, read_bytes
from ..util.limits import Limit
from ..util.markup import read_xml

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

ASPECT = 60 / 40
FOLDER = "symbols"


class Symbols:
    """The symbols of one picture, each file read once. game: whose own symbols come before ours, None for ours only."""

    def __init__(self, game: Game | None = None) -> None:
        own: tuple[Traversable, ...] = (pack_folder(game.id), game.folder) if game else ()
        self._folders = tuple(inner(folder, FOLDER) for folder in own)
        self._ours = package_folder("field_staff_images")
        self._read: dict[str, Symbol | None] = {}

    @cached_property
    def _holders(self) -> Mapping[str, Traversable]:
        """The folder of each file: the first that has it."""
        folders = [folder for folder in (self._ours, *reversed(self._folders)) if folder.is_dir()]
        return {file.name: folder for folder in folders for file in folder.iterdir() if file.name.endswith(".svg")}

    @property
    def names(self) -> list[str]:
        """The names of all symbols for counters."""
        names = {file.removesuffix(".svg") for file in self._holders}
        return sorted(name for name in names if "." not in name and not name.startswith(("class-", "terrain-", "_")))

    def symbol(self, name: str) -> Symbol | None:
        """The symbol in `<name>.svg`, in a box of no size; None if no folder has such a file.

        Raises InputError for a file that is not an SVG of plain paths.
        """
        if name not in self._read:
            self._read[name] = self._found(name)
        return self._read[name]

    def _found(self, name: str) -> Symbol | None:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):  # a word of a game must not lead out of the folder
            return None
        holder = self._holders.get(f"{name}.svg")
        if holder is None:
            return None
        file = inner(holder, f"{name}.svg")
        return read_symbol(file) if holder is not self._ours else _symbol(read_xml(file.read_bytes(), file.name))


def read_symbol(file: Traversable) -> Symbol:
    """The symbol in an untrusted SVG file. Raises InputError with its name if it is not an SVG of plain paths, or too large."""
    where = Where(str(file) if isinstance(file, Path) else file.name)
    with located(where):
        data = read_bytes(file) if isinstance(file, Path) else file.read_bytes()
        Limit.SYMBOL.check(len(data), "it holds")
        root = read_xml(data, "the symbol")
        try:
            return _symbol(root)
        except ValueError as error:
            raise InputError(str(error), hint="use filled or stroked paths only") from None


def _symbol(root: etree._Element) -> Symbol:
    """The symbol of an SVG element. Raises ValueError for anything that would not be drawn as it is meant."""
    for element in root.iter("*"):
        tag = etree.QName(element).localname
        if tag not in ("svg", "title", "desc", "path") or element.get("transform"):
            raise ValueError(f"a symbol cannot use {'a transform' if element.get('transform') else f'<{tag}>'}")
    paths = tuple(_path(element) for element in root.iter("{*}path"))
    box = [float(number) for number in root.get("viewBox", "").replace(",", " ").split()]
    if len(box) != 4 or not all(map(isfinite, box)) or min(box[2:]) <= 0 or not paths:
        raise ValueError("a symbol needs a viewBox of four numbers and a path")
    symbol_operators(paths)  # which refuses invalid ones
    x, y, width, height = box
    return Symbol(x=0, y=0, width=0, height=0, view_box=(x, y, width, height), paths=paths)


def _path(element: etree._Element) -> SymbolPath:
    width = float(element.get("stroke-width", "1")) if element.get("stroke", "none") != "none" else 0.0
    if not (isfinite(width) and width >= 0):
        raise ValueError(f"a stroke cannot be {width} wide")
    return SymbolPath(
        data=element.get("d", ""),
        filled=element.get("fill") != "none",
        width=width,
        round_ends=element.get("stroke-linecap") == "round" or element.get("stroke-linejoin") == "round",
    )

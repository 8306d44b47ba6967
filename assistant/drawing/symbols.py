"""The symbols of counters and terrain: from the owner's pack, the game's folder, or the program's images."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from ..game.games import Game, pack_folder
from ..util.datafiles import read_toml, resolve_within
from ..util.errors import Where, located
from ..util.files import package_folder, read_bytes, read_own
from ..util.limits import Limit
from ..util.texts import folded
from .palettes import kinds_of_ground
from .scene import Symbol, SymbolPath
from .svg_reader import read_drawing

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


ASPECT = 60 / 40
"""The width of a symbol, as a multiple of its height."""
FOLDER = "symbols"
"""The name of a folder with symbols."""
_STYLED_PREFIXES = {"troops": "", "guns": "", "services": "", "marks": "mark-"}
"""The prefixes of symbols' names by the folder in a style; these folders come after those common to all styles."""
_COMMON_PREFIXES = {
    "supply": "",
    "places": "",
    "classes": "class-",
    "echelons": "echelon-",
    "markers/troops": "marker-",
    "markers/supply": "marker-",
    "markers/ground": "marker-",
    "markers/game": "marker-",
    "nations": "nation-",
    "terrain": "terrain-",
    "textures": "texture-",
}
_OTHER_PREFIXES = (*tuple(filter(None, _COMMON_PREFIXES.values())), "mark-", "_")
"""The prefixes of symbols that are not for counters."""

Style = Literal["nato", "period", ""]


class Symbols:
    """The symbols for one picture; each file is read once.

    `game`: the game whose own symbols take precedence, or None for the program's only.
    `style`: the style of the symbols of arms, or "" for the game's.
    """

    def __init__(self, game: Game | None = None, style: Style = "") -> None:
        own: tuple[Traversable, ...] = (pack_folder(game.id), game.folder) if game else ()
        self._folders = tuple(resolve_within(folder, FOLDER) for folder in own)
        self.home = game.folder if game else None
        """The folder of the game, with its other drawings, or None."""
        self._own_words = game.file.picture.symbols if game else {}
        self._style = style or (game.file.picture.style if game else "nato")
        self._read: dict[str, Symbol | None] = {}

    @cached_property
    def _ours(self) -> dict[str, tuple[str, Traversable]]:
        """The program's symbols by name, each with its folder and file; a style falls back on the other."""
        images = package_folder("field_staff_images")
        styles = ["nato", "period"] if self._style == "period" else ["nato"]
        folders = [
            *_COMMON_PREFIXES.items(),
            *((f"{style}/{kind}", first) for style in styles for kind, first in _STYLED_PREFIXES.items()),
        ]
        return {
            f"{first}{file.name.removesuffix('.svg')}": (name, file)
            for name, first in folders
            for file in _list_drawings(images.joinpath(name))
        }

    @cached_property
    def _own(self) -> dict[str, Traversable]:
        """The folder of each symbol of the owner or the game, by name; the owner's take precedence."""
        return {
            file.name.removesuffix(".svg"): folder
            for folder in reversed(self._folders)
            for file in _list_drawings(folder)
        }

    @cached_property
    def words(self) -> Mapping[str, str]:
        return read_toml(package_folder("field_staff_images").joinpath("words.toml"), dict[str, str])

    @property
    def names(self) -> list[str]:
        return sorted(name for name in {*self._ours, *self._own} if not name.startswith(_OTHER_PREFIXES))

    @property
    def own_names(self) -> list[str]:
        return sorted(self._own)

    def names_of_kind(self, kind: str) -> list[str]:
        """Return the program's symbols of a kind, such as "troops", "guns" or "markers/troops"."""
        return sorted(
            (name for name in self._ours if self.kind(name) == kind), key=lambda name: ("-sign-" in name, name)
        )

    def kind(self, name: str) -> str:
        """Return the kind of a symbol, "own" for the owner's or the game's, or "" if there is no such symbol."""
        if name in self._own:
            return "own"
        folder = self._ours[name][0] if name in self._ours else ""
        return folder.removeprefix("nato/").removeprefix("period/")

    def symbol(self, word: str) -> Symbol | None:
        """Return the symbol of a word, in a box without size, or None if there is none.

        Raises InputError if its file is not an SVG drawing that `drawing/svg_reader.py` can read.
        """
        if word not in self._read:
            self._read[word] = self._find(word)
        return self._read[word]

    def is_framed(self, word: str) -> bool:
        """Return whether the symbol of a word is drawn in a frame, like NATO's symbols of arms.

        Trains, depots, fortresses, markers and the emblems of the style `period` have no frame.
        """
        name = self._name_of_symbol(word)
        if name in self._ours and (name not in self._own or not self._ours[name][0].startswith("nato")):
            return self._ours[name][0].startswith("nato")
        if name not in self._own and (parts := self._split_compound(name)):
            return self.is_framed(parts[1])
        return self._style == "nato"

    def ground(self, terrain: str) -> Symbol | None:
        """Return the sign of a terrain by its word or meaning, or None if it needs none."""
        return self._find_of_ground("terrain", terrain)

    def texture(self, terrain: str) -> Symbol | None:
        """Return the sign scattered over a terrain on a map: its texture, or else the sign of the terrain, or None."""
        return self._find_of_ground("texture", terrain) or self.ground(terrain)

    def _find_of_ground(self, kind: str, terrain: str) -> Symbol | None:
        words = (terrain, *(ground for ground in kinds_of_ground(terrain) if ground != "clear"))
        return next(filter(None, (self.symbol(f"{kind}-{word}") for word in words)), None)

    def echelon(self, size: str) -> Symbol | None:
        """Return the sign of a size such as XX, with the bracket of a task force for `[XX]`, or None if there is none."""
        if size.startswith("[") and size.endswith("]"):
            inner = self.echelon(size[1:-1])
            return _add_bracket(inner) if inner else None
        word = "-".join(size.translate(_DOTS).casefold().split())
        word = _SIZES.get(word, word)
        return self.symbol(f"echelon-{word}") if re.fullmatch("[a-z0-9-]+", word) else None

    def sign(self, nation: str, mark: str) -> Symbol | None:
        """Return the nation's own sign, else the one named `mark`, or None if `mark` is ""."""
        return self.symbol(f"nation-{nation}") or (self.symbol(mark) if mark else None)

    def _name_of_symbol(self, word: str) -> str:
        """Return the name of the symbol for a word: the game's, the word itself, or the name for which it is a synonym."""
        word = self._own_words.get(word, word)
        if word in self._own or word in self._ours:
            return word
        other = re.sub("[^a-z0-9]+", "-", folded(word)).strip("-")
        return self.words.get(other, other)

    def _find(self, word: str) -> Symbol | None:
        name = self._name_of_symbol(word)
        if name in self._own:
            folder, file = self._own[name], f"{name}.svg"
            return read_symbol(resolve_within(folder, file), f"{FOLDER}/{file}" if folder is self._folders[-1] else "")
        if name in self._ours:
            return read_drawing(read_own(self._ours[name][1]), name, coloured=False)
        if (parts := self._split_compound(name)) is None:
            return None
        mark, arm = self.symbol(parts[0]), self.symbol(parts[1])
        return msgspec.structs.replace(arm, paths=arm.paths + mark.paths) if mark and arm else None

    def _split_compound(self, name: str) -> tuple[str, str] | None:
        """Return the mark and the arm of a compound name such as landwehr-infantry, or None for another name."""
        first, dash, arm = name.partition("-")
        if dash and arm and f"mark-{first}" in self._ours and self.symbol(arm) is not None:
            return f"mark-{first}", arm
        return None


_DOTS = dict.fromkeys(map(ord, ".·∙●"), "•")
"""Replacements of other dot characters by the dot that means a squad."""
_SIZES = {
    "ø": "team",
    "∅": "team",
    "crew": "team",
    "•": "dot",
    "squad": "dot",
    "••": "dots-2",
    "section": "dots-2",
    "•••": "dots-3",
    "platoon": "dots-3",
    "company": "i",
    "battery": "i",
    "squadron": "i",
    "battalion": "ii",
    "regiment": "iii",
    "brigade": "x",
    "division": "xx",
    "corps": "xxx",
    "army": "xxxx",
    "army-group": "xxxxx",
    "front": "xxxxx",
    "theatre": "xxxxxx",
    "theater": "xxxxxx",
}
"""The names of signs by sizes in small letters, if they differ."""


def name_of_size(size: str) -> str:
    """Return the word for a size, such as `division` for `XX`, or the size itself if there is no other word."""
    sign = "-".join(size.translate(_DOTS).casefold().split())
    sign = _SIZES.get(sign, sign)
    words = (word for word, other in _SIZES.items() if other == sign and word.isascii())
    return next(words, size).replace("-", " ")


def shown_size(size: str) -> str:
    """Return a size as a counter shows it, or "" for a dash, which means that there is none."""
    return size if size.strip(" -\u2013\u2014") else ""


def _add_bracket(sign: Symbol) -> Symbol:
    """Return the sign of a size under the bracket of a task force, whose ends reach down to the symbol below."""
    x, y, width, height = sign.view_box
    left, right, top, foot = x - 1.2, x + width + 1.2, y - 2.4, y + height
    bracket = SymbolPath(f"M{left:g} {foot:g}V{top:g}H{right:g}V{foot:g}", False, _BRACKET_WIDTH)
    box = (
        left - _BRACKET_WIDTH / 2,
        top - _BRACKET_WIDTH / 2,
        right - left + _BRACKET_WIDTH,
        foot - top + _BRACKET_WIDTH / 2,
    )
    return msgspec.structs.replace(sign, view_box=box, paths=(*sign.paths, bracket))


_BRACKET_WIDTH = 1.8
"""The thickness of the bracket, in units of the sign."""


def read_symbol(file: Traversable, name: str = "") -> Symbol:
    """Return the symbol in an untrusted SVG file.

    `name`: the name of a game's file in messages, or "" for its whole path.

    Raises InputError with the file's name if it is too large or cannot be drawn faithfully.
    """
    with located(where_of(file, name)):
        data = read_art(file)
        Limit.SYMBOL.check(len(data), "it holds")
        return read_drawing(data, "the drawing", coloured=False)


def _list_drawings(folder: Traversable) -> list[Traversable]:
    return [file for file in folder.iterdir() if file.name.endswith(".svg")] if folder.is_dir() else []


def where_of(file: Traversable, name: str = "") -> Where:
    """Return the location of a file of art for messages: `name`, or the whole path."""
    return Where(name or (str(file) if isinstance(file, Path) else file.name))


def read_art(file: Traversable) -> bytes:
    """Return the content of a file of art.

    Raises InputError with its name if it cannot be read.
    """
    return read_bytes(file) if isinstance(file, Path) else read_own(file)

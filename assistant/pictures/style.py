"""The style of pictures: the colours of a game, the common colours, and the sizes in millimetres."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Literal

import msgspec

from ..util.errors import InputError

HEX = 34.0
"""The height of a hex, flat side to flat side."""
RADIUS = HEX / sqrt(3)
"""From the centre of a hex to a corner."""
COUNTER = 17.0
"""The side of a counter."""
MARGIN = 7.0

PAPER, PLAIN = "#fdfbf5", "#fbf8ef"
INK, SOFT_INK, GRID = "#26231e", "#4a443a", "#a79f8c"
WHITE = "#ffffff"
RIVER, TEETH, LAKE, CLOSED = "#3676ab", "#7a4a25", "#1d4e73", "#35322d"
ROAD = "#8c5a2b"
ARROW = "#a3212b"
#: The colour and dash of each of several lines.
LINES: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("#6d2c83", ()),
    ("#b4500b", (3.0, 1.8)),
    ("#0b6b62", (1.0, 1.8)),
)
#: Attacker and defender in a chart: distinct for colour-blind readers and in grey.
SIDES = ("#2b6a9b", "#c4661f")
#: For nations and terrain without a colour of their own, in the order of the track's words.
_NATIONS = ("#a9b7bf", "#dcc07a", "#bf9a86", "#a8b992", "#c3aec6", "#8fb8b4")
_GROUNDS = ("#f3edd9", "#e0d3a9", "#c9dcc0", "#cfb592", "#b79d80", "#bcd5e2")
UNKNOWN = "#d4d0c8"

HexsideKind = Literal["river", "teeth", "hachures", "lake", "closed", "line"]


class HexsideStyle(msgspec.Struct, frozen=True):
    """The style of a word on a hexside. width: in millimetres."""

    kind: HexsideKind
    colour: str
    width: float


class Palette:
    """The colours of one game. Raises InputError for a colour that is not written #rrggbb.

    colours: by nation, terrain or hexside word. nations, grounds: all words of these tracks; those without a colour get one
    by their order.
    """

    def __init__(self, colours: Mapping[str, str], nations: Sequence[str] = (), grounds: Sequence[str] = ()) -> None:
        for name, colour in colours.items():
            if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
                raise InputError(f"{colour!r} is not a colour (for {name})", hint="write it as #rrggbb")
        self._stated = dict(colours)
        self._nations = _by_order(nations, _NATIONS) | self._stated
        self._grounds = _by_order(grounds, _GROUNDS) | self._stated

    def nation(self, name: str) -> str:
        """The tint of a nation's counters."""
        return self._nations.get(name, UNKNOWN)

    def ground(self, name: str) -> str:
        """The colour of a terrain."""
        return self._grounds.get(name, PLAIN)

    def hexside(self, word: str) -> HexsideStyle | None:
        """The style of a word on a hexside: a plain line if it is not one of the common words, None if it means that
        nothing is there."""
        parts = set(word.casefold().split("-"))
        for kind, words, colour, width in _HEXSIDES:
            if parts & words:
                if kind == "river":
                    width = next((wide for sizes, wide in _RIVERS if parts & sizes), width)
                return HexsideStyle(kind, self._stated.get(word, colour), width)
        return HexsideStyle("line", self._stated.get(word, SOFT_INK), 1.2) if not parts & _NOTHING else None

    def link(self, word: str, usual: str) -> str:
        """The colour of a road or railway; usual: if the game states none for its word."""
        return self._stated.get(word, usual)


_HEXSIDES: tuple[tuple[HexsideKind, frozenset[str], str, float], ...] = (
    ("river", frozenset({"river", "stream", "canal"}), RIVER, 1.3),
    ("teeth", frozenset({"ridge", "crest"}), TEETH, 0.7),
    ("hachures", frozenset({"escarpment", "cliff", "slope"}), TEETH, 0.7),
    ("lake", frozenset({"lake", "sea", "water"}), LAKE, 3.2),
    ("closed", frozenset({"impassable", "prohibited", "closed"}), CLOSED, 3.2),
)
_NOTHING = frozenset({"open", "none", "no", "nothing", "clear"})
_RIVERS = (
    (frozenset({"minor", "small"}), 0.8),
    (frozenset({"major", "large"}), 1.7),
    (frozenset({"grand", "great"}), 2.8),
)


def _by_order(words: Sequence[str], colours: Sequence[str]) -> dict[str, str]:
    return {word: colours[number % len(colours)] for number, word in enumerate(words)}


def mixed(colour: str, other: str, share: float) -> str:
    """A colour mixed with a share, 0 to 1, of another one."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def ink_on(colour: str) -> str:
    """Dark ink or white, whichever is more legible on a colour."""
    light = _luminance(colour) + 0.05
    return INK if light * light >= (_luminance(INK) + 0.05) * (_luminance(WHITE) + 0.05) else WHITE


def dark(colour: str) -> str:
    """The dark tone of a colour, on which white letters are legible."""
    return mixed(colour, "#14120e", 0.56)


def _luminance(colour: str) -> float:
    """The relative luminance of a colour, 0 to 1, as WCAG defines it."""
    shares = (value / 255 for value in _channels(colour))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)

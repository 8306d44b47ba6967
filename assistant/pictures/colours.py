"""Colours as the eye has them: mixed, light or dark, how far apart, and as a colour-blind player or a grey print shows
them.

A colour is written #rrggbb. Lightness runs from 0, black, to 100, white.

Nations and grounds have colours by the meaning of a game's words, others by what stays apart from those taken. The
words and colours are data, in `palettes.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from pathlib import Path
from typing import Literal

import msgspec

from ..util.datafiles import read_toml
from ..util.files import package_folder
from ..util.texts import folded

INK, WHITE = "#26231e", "#ffffff"

Sight = Literal["protanopia", "deuteranopia", "tritanopia"]
#: What a colour becomes without one kind of cone, in linear light (Machado, Oliveira and Fernandes 2009, severity 1).
_SIGHTS: dict[Sight, tuple[tuple[float, float, float], ...]] = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
SIGHTS: tuple[Sight, ...] = tuple(_SIGHTS)


def mix(colour: str, other: str, share: float) -> str:
    """A colour mixed with a share, 0 to 1, of another one."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def dark(colour: str) -> str:
    """The dark tone of a colour, on which white letters are legible."""
    return mix(colour, "#14120e", 0.56)


def ink_on(colour: str) -> str:
    """Dark ink or white, whichever is more legible on a colour."""
    return INK if contrast(colour, INK) >= contrast(colour, WHITE) else WHITE


def contrast(colour: str, other: str) -> float:
    """The contrast of two colours as WCAG defines it, 1 to 21; letters need 4.5."""
    darker, two = sorted((luminance(colour), luminance(other)))
    return (two + 0.05) / (darker + 0.05)


@cache
def luminance(colour: str) -> float:
    """The relative luminance of a colour, 0 to 1."""
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lightness(colour: str) -> float:
    """How light a colour is in a grey print, 0 to 100: L* of CIELAB."""
    return 116 * _cube_root(luminance(colour)) - 16


def in_grey(colour: str) -> str:
    """The grey of a colour in a print without colours."""
    return "#" + f"{round(255 * _gamma(luminance(colour))):02x}" * 3


def seen_by(colour: str, sight: Sight) -> str:
    """The colour as a player without one kind of cone sees it."""
    linear = _linear(colour)
    seen = (sum(share * part for share, part in zip(row, linear, strict=True)) for row in _SIGHTS[sight])
    return "#" + "".join(f"{round(255 * _gamma(min(max(value, 0.0), 1.0))):02x}" for value in seen)


@cache
def difference(colour: str, other: str) -> float:
    """How far two colours are apart, CIEDE2000: 1 can just be seen side by side, 10 at a glance."""
    (light1, a1, b1), (light2, a2, b2) = _lab(colour), _lab(other)
    chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(chroma**7 / (chroma**7 + 25.0**7))
    a1, a2 = a1 * stretch, a2 * stretch
    chroma1, chroma2 = hypot(a1, b1), hypot(a2, b2)
    hue1, hue2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = (hue2 - hue1 + 180) % 360 - 180 if chroma1 * chroma2 else 0.0
    hue = (hue1 + turn / 2) % 360 if chroma1 * chroma2 else hue1 + hue2
    middle, chroma = (light1 + light2) / 2, (chroma1 + chroma2) / 2
    by_light = (light2 - light1) / (1 + 0.015 * (middle - 50) ** 2 / sqrt(20 + (middle - 50) ** 2))
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    tone = 1 + sum(size * cos(radians(times * hue + shift)) for size, times, shift in waves)
    by_hue = 2 * sqrt(chroma1 * chroma2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * tone)
    bend = 2 * sqrt(chroma**7 / (chroma**7 + 25.0**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(max(by_light**2 + by_chroma**2 + by_hue**2 - bend * by_chroma * by_hue, 0.0))


@cache
def _lab(colour: str) -> tuple[float, float, float]:
    red, green, blue = _linear(colour)
    x = _cube_root((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    y = _cube_root(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
    z = _cube_root((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(value: float) -> float:
    """The function of CIELAB: a cube root, straight near black."""
    return float(value ** (1 / 3)) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def _linear(colour: str) -> tuple[float, float, float]:
    """The channels of a colour in linear light, 0 to 1."""
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(colour))
    )
    return red, green, blue


def _gamma(value: float) -> float:
    """A channel in linear light as it is written."""
    return float(12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


APART = 9.0
"""How far apart colours must be, CIEDE2000, to be told at a glance."""
APART_IN_GREY = 8.0
"""How far apart they must be in lightness, 0 to 100, to be told in a grey print."""


class TooClose(msgspec.Struct, frozen=True):
    """Two colours that are too close. why: for worst, and by how much, in words."""

    one: str
    other: str
    why: str


def too_close(
    colours: Mapping[str, str], *, least: float = APART, least_in_grey: float = APART_IN_GREY
) -> list[TooClose]:
    """The pairs of named colours that are too close, each for the sight that tells them apart the least, or else in
    grey.

    least: the difference wanted, CIEDE2000; least_in_grey: the difference in lightness wanted.
    """
    closes = []
    for (one, colour), (other, another) in combinations(colours.items(), 2):
        seen = {_FULL: difference(colour, another)} | {
            f"as seen with {_LACKS[sight]}-blindness": difference(seen_by(colour, sight), seen_by(another, sight))
            for sight in SIGHTS
        }
        worst = _FULL if seen[_FULL] < least else min(seen, key=lambda name: seen[name])
        if seen[worst] < least:
            closes.append(TooClose(one, other, f"{worst} ({seen[worst]:.1f} apart; at least {least:.0f} is needed)"))
        elif (grey := abs(lightness(colour) - lightness(another))) < least_in_grey:
            closes.append(
                TooClose(one, other, f"in a grey print ({grey:.1f} apart; at least {least_in_grey:.0f} is needed)")
            )
    return closes


_FULL = "at a glance"
_LACKS = {"protanopia": "red", "deuteranopia": "green", "tritanopia": "blue"}


# --- the colours of nations and grounds -------------------------------------------------------------------------------

SIGNS = 8
"""How many signs there are for nations that have none of their own: `nation-sign-1` and so on."""


class NationColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a nation. words: that name it; tint: of its counters; stripes: of its formations, in their order."""

    words: tuple[str, ...]
    tint: str
    stripes: tuple[str, ...]


class GroundColour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colour of a ground, and the words that name it."""

    words: tuple[str, ...]
    colour: str


class _Palettes(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    nations: dict[str, NationColours]
    grounds: dict[str, GroundColour]
    colour_words: dict[str, str]


class Nation(msgspec.Struct, frozen=True):
    """How a nation of a game is shown. mark: the name of its sign, a symbol."""

    tint: str
    stripes: tuple[str, ...]
    mark: str


@cache
def _palettes() -> _Palettes:
    folder = package_folder(__package__)
    return read_toml(
        folder / "palettes.toml" if isinstance(folder, Path) else folder.joinpath("palettes.toml"), _Palettes
    )


def our_nations() -> tuple[str, ...]:
    """The nations that have colours and a sign of their own."""
    return tuple(_palettes().nations)


def kind_of_nation(word: str) -> str:
    """The nation that a word names, "" for a strange one: "german" for "Imperial-German"."""
    return next(iter(_kinds(word, {name: entry.words for name, entry in _palettes().nations.items()})), "")


def kinds_of_ground(word: str) -> tuple[str, ...]:
    """The grounds that a word names, in the order of its parts: woods and hill for "wooded-hill"; () for an unknown
    word.
    """
    return _kinds(word, {name: entry.words for name, entry in _palettes().grounds.items()})


def ground_colour(word: str) -> str:
    """The colour of a ground by the meaning of its word, "" for an unknown one; of two grounds in one, their mixture."""
    grounds = _palettes().grounds
    kinds = kinds_of_ground(word)
    kinds = tuple(kind for kind in kinds if kind != "clear") or kinds
    if not kinds:
        return ""
    return mix(grounds[kinds[0]].colour, grounds[kinds[1]].colour, 0.5) if kinds[1:] else grounds[kinds[0]].colour


def nations_of(words: Sequence[str], stated: Mapping[str, str]) -> dict[str, Nation]:
    """How the nations of a game are shown, in any order of their words. stated: tints that the game chooses itself.

    A word that names no nation of ours takes the colours of one that the game does not have: those farthest from all
    others.
    """
    ours, nations = _palettes().nations, dict[str, Nation]()
    free = dict(ours)
    kinds = {word: kind_of_nation(word) for word in words}
    for word in sorted(kinds, key=lambda word: (kinds[word] != word, word)):  # german before bavarian
        if (kind := kinds[word]) in free:
            entry = free.pop(kind)
            nations[word] = Nation(stated.get(word, entry.tint), entry.stripes, f"nation-{kind}")
    strange = sorted(kinds.keys() - nations.keys())
    wanted = {word: colour for word in strange if (colour := stated.get(word) or _name_colour(word))}
    for number, word in enumerate(strange):
        spare, tint = free or ours, wanted.get(word, "")
        if tint:
            kind = _family_like(tint, spare)
        elif not free:
            kind = list(ours)[number % len(ours)]
        else:
            tints = {name: entry.tint for name, entry in spare.items()}
            kind = farthest(tints, [nation.tint for nation in nations.values()] + [*wanted.values()])
        entry = free.pop(kind, ours[kind])
        nations[word] = Nation(tint or entry.tint, entry.stripes, f"nation-sign-{number % SIGNS + 1}")
    return nations


def _family_like(tint: str, nations: Mapping[str, NationColours]) -> str:
    """The nation whose stripes have the hue of a tint: one of them is nearest to it."""
    return min(nations, key=lambda name: min(difference(stripe, tint) for stripe in nations[name].stripes))


def farthest(colours: Mapping[str, str], taken: Collection[str]) -> str:
    """The name of the colour that stays farthest from those taken, for every sight and in grey; the first if none is
    taken.
    """
    return max(colours, key=lambda name: min((apart(colours[name], other) for other in taken), default=0.0))


@cache
def apart(colour: str, other: str) -> float:
    """How far two colours are apart for the player who sees the least of it, or in a grey print."""
    seen = ((colour, other), *((seen_by(colour, sight), seen_by(other, sight)) for sight in SIGHTS))
    return min(*(difference(one, two) for one, two in seen), abs(lightness(colour) - lightness(other)))


def grounds_of(words: Iterable[str], stated: Mapping[str, str]) -> dict[str, str]:
    """The colours of the grounds of a game. stated: those that it chooses itself."""
    words = sorted(set(words))
    colours = {word: colour for word in words if (colour := stated.get(word) or ground_colour(word))}
    known = {name: entry.colour for name, entry in _palettes().grounds.items()}
    strange = [word for word in words if word not in colours]
    for number, word in enumerate(strange):
        crowded = number >= len(known)  # then none stays apart
        colours[word] = (
            [*known.values()][number % len(known)] if crowded else known[farthest(known, {*colours.values()})]
        )
    return colours


def _name_colour(word: str) -> str:
    parts = _parts(word)
    return next((colour for name, colour in _palettes().colour_words.items() if name in parts), "")


def _kinds(word: str, words: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The kinds that the parts of a word name, those of most parts first to be found, in the order of the parts."""
    parts, kinds = _parts(word), dict[int, str]()
    for kind, names in words.items():
        for name in names:
            sought = name.split()
            for start in range(len(parts) - len(sought) + 1):
                if parts[start : start + len(sought)] == sought:
                    longer = len(sought) > 1
                    if longer or start not in kinds:
                        kinds[start] = kind
                    for more in range(start + 1, start + len(sought)):
                        kinds[more] = kind
    return tuple(dict.fromkeys(kinds[at] for at in sorted(kinds)))


def _parts(word: str) -> list[str]:
    return [part for part in re.split("[^a-z0-9]+", folded(word)) if part]

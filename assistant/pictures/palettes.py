"""What a game's words stand for in colours: nations and grounds by their meaning, others by what stays apart from those
taken.

The words and colours are data, in `palettes.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from ..util.datafiles import read_toml
from ..util.files import package_folder
from ..util.texts import folded
from .colours import SIGHTS, difference, lightness, mix, seen_by

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
    """The nation that a word names, "" if it is none of ours: "german" for "Imperial-German"."""
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

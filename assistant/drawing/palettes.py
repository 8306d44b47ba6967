"""The colours of nations and grounds.

A known word of a game has the colour of its meaning; other words get colours that differ from those in use. The words
and colours are data, in `palettes.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

import msgspec

from ..util.datafiles import read_toml
from ..util.files import package_folder
from ..util.texts import folded
from .colours import change_tone, difference, least_difference, lightness, mix

SIGN_COUNT = 8
"""The number of signs for nations without their own: `nation-sign-1` and so on."""


class NationColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a nation."""

    words: tuple[str, ...]
    """The words that mean the nation."""
    tint: str
    """The colour of its counters."""
    stripes: tuple[str, ...]
    """The colours of its formations, in order."""
    strong: str = ""
    """The colour used to be seen from afar, or "" for a stronger tone of its tint."""


class GroundColour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colour of a ground, and the words that mean it."""

    words: tuple[str, ...]
    colour: str


class Palettes(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """The program's own colours, from `palettes.toml`."""

    nations: dict[str, NationColours]
    grounds: dict[str, GroundColour]
    """The colours of kinds of terrain, by name, such as `clear` or `woods`."""
    colour_words: dict[str, str]


class Nation(msgspec.Struct, frozen=True):
    """The look of a game's nation."""

    tint: str
    strong: str
    """The colour used to be seen from afar."""
    stripes: tuple[str, ...]
    mark: str
    """The name of the symbol that is its sign."""


@cache
def palettes() -> Palettes:
    """Return the program's colours of nations, of grounds, and of colour words."""
    return read_toml(package_folder(__package__).joinpath("palettes.toml"), Palettes)


# --- meanings of words ------------------------------------------------------------------------------------------------


def our_nations() -> tuple[str, ...]:
    """Return the nations with colours and a sign in `palettes.toml`."""
    return tuple(palettes().nations)


def kind_of_nation(word: str) -> str:
    """Return the nation that a word means, such as "german" for "Imperial-German", or "" if it is unknown."""
    return next(iter(_find_kinds(word, _nation_words())), "")


def kinds_of_ground(word: str) -> tuple[str, ...]:
    """Return the grounds that a word means, in the order of its parts, such as woods and hill for "wooded-hill".

    An unknown word means none.
    """
    return _find_kinds(word, _ground_words())


_WATER = frozenset({"sea", "lake"})


@cache
def is_water(terrain: str) -> bool:
    """Return whether a terrain is open water."""
    return not _WATER.isdisjoint(kinds_of_ground(terrain)[:1])


_Words = Mapping[tuple[str, ...], str]
"""The kind of each word, by the word's parts."""


@cache
def _nation_words() -> _Words:
    return {tuple(name.split()): kind for kind, entry in palettes().nations.items() for name in entry.words}


@cache
def _ground_words() -> _Words:
    return {tuple(name.split()): kind for kind, entry in palettes().grounds.items() for name in entry.words}


def _find_kinds(word: str, words: _Words) -> tuple[str, ...]:
    """Return the kinds that the parts of a word mean, in order; at each part the longest match counts."""
    parts, longest = tuple(_split_word(word)), max(map(len, words))
    kinds: dict[str, None] = {}
    at = 0
    while at < len(parts):
        size = next((size for size in range(longest, 0, -1) if parts[at : at + size] in words), 0)
        if size:
            kinds[words[parts[at : at + size]]] = None
        at += size or 1
    return tuple(kinds)


def _split_word(word: str) -> list[str]:
    return [part for part in re.split("[^a-z0-9]+", folded(word)) if part]


def _colour_named(word: str) -> str:
    parts = _split_word(word)
    return next((colour for name, colour in palettes().colour_words.items() if name in parts), "")


# --- colours ----------------------------------------------------------------------------------------------------------


def ground_colour(word: str) -> str:
    """Return the colour of a ground by the meaning of its word, mixed if that is two grounds, or "" if unknown."""
    kinds = kinds_of_ground(word)
    colours = [palettes().grounds[kind].colour for kind in kinds if kind != "clear" or len(kinds) == 1]
    if not colours:
        return ""
    first, *others = colours
    return mix(first, others[0], 0.5) if others else first


def choose_nations(words: Sequence[str], stated: Mapping[str, str]) -> dict[str, Nation]:
    """Return the look of a game's nations, independent of the order of their words.

    A word that means no nation of `palettes.toml` gets the colours of one that the game lacks, as different as
    possible.

    `stated`: the colours that the game states.
    """
    palette, nations = palettes().nations, dict[str, Nation]()
    unused = dict(palette)
    kinds = {word: kind_of_nation(word) for word in words}
    # the German look goes to `german` before `bavarian`
    for word in sorted(kinds, key=lambda word: (kinds[word] != word, word)):
        if (kind := kinds[word]) in unused:
            entry = unused.pop(kind)
            strong = strong_tone(stated[word]) if word in stated else entry.strong or strong_tone(entry.tint)
            nations[word] = Nation(stated.get(word, entry.tint), strong, entry.stripes, f"nation-{kind}")
    unknown = sorted(kinds.keys() - nations.keys())
    wanted = {word: colour for word in unknown if (colour := stated.get(word) or _colour_named(word))}
    for number, word in enumerate(unknown):
        if word in wanted:
            kind = _nation_with_hue(wanted[word], unused or palette)
        elif unused:
            tints = {name: entry.tint for name, entry in unused.items()}
            kind = _find_farthest(tints, [nation.tint for nation in nations.values()] + [*wanted.values()])
        else:
            kind = list(palette)[number % len(palette)]
        unused.pop(kind, None)
        tint = wanted.get(word, palette[kind].tint)
        nations[word] = Nation(tint, strong_tone(tint), palette[kind].stripes, f"nation-sign-{number % SIGN_COUNT + 1}")
    return nations


_MIN_PALE_LIGHTNESS = 78
"""The lightness from which a tint counts as pale; those of the Central Powers are darker."""
_LIGHTNESS_OF_DARK = 38.0
"""The lightness of the strong tone of a dark tint, 0 to 100."""
_LIGHTNESS_OF_PALE = 61.0
"""The lightness of the strong tone of a pale tint, 0 to 100."""
_SATURATION_FACTOR = 1.5
"""The colourfulness of the strong tone, as a multiple of the tint's."""


def strong_tone(tint: str) -> str:
    """Return the tone of a tint used to be seen from afar: the same hue, but stronger.

    A dark tint stays dark, so that opponents differ in grey too.
    """
    return change_tone(
        tint, _LIGHTNESS_OF_PALE if lightness(tint) >= _MIN_PALE_LIGHTNESS else _LIGHTNESS_OF_DARK, _SATURATION_FACTOR
    )


def side_colours(
    sides: Mapping[str, Sequence[str]], nations: Mapping[str, Nation], stated: Mapping[str, str]
) -> dict[str, str]:
    """Return the strong colour of each side.

    It is the stated colour, or that of the side's first nation that differs from earlier sides, or else a spare one.
    """
    colours = dict(stated)
    spare = {name: entry.strong or strong_tone(entry.tint) for name, entry in palettes().nations.items()}
    for side, members in sides.items():
        if side in colours:
            continue
        own = [nations[name].strong for name in members if name in nations]
        taken = list(colours.values())
        distinct = (
            colour for colour in own if all(least_difference(colour, other) >= MIN_SIDE_DIFFERENCE for other in taken)
        )
        colours[side] = next(distinct, "") or spare[_find_farthest(spare, taken)]
    return {side: colours[side] for side in sides}


MIN_SIDE_DIFFERENCE = 12.0
"""The minimum difference between the colours of two sides: CIEDE2000 for all kinds of sight, and lightness in grey."""


def _nation_with_hue(tint: str, nations: Mapping[str, NationColours]) -> str:
    return min(nations, key=lambda name: min(difference(stripe, tint) for stripe in nations[name].stripes))


def choose_grounds(words: Iterable[str], stated: Mapping[str, str]) -> dict[str, str]:
    """Return the colours of a game's grounds.

    An unknown word gets the colour that differs most from those in use. If there are more such words than colours, they
    get the colours in turn.

    `stated`: the colours that the game states.
    """
    names = sorted(set(words))
    colours = {word: colour for word in names if (colour := stated.get(word) or ground_colour(word))}
    palette = {name: entry.colour for name, entry in palettes().grounds.items()}
    unknown = [word for word in names if word not in colours]
    for number, word in enumerate(unknown):
        kind = (
            _find_farthest(palette, {*colours.values()})
            if number < len(palette)
            else list(palette)[number % len(palette)]
        )
        colours[word] = palette[kind]
    return colours


def _find_farthest(colours: Mapping[str, str], taken: Collection[str]) -> str:
    """Return the name of the colour that differs most from those in use, for every kind of sight and in grey."""
    return max(colours, key=lambda name: min((least_difference(colours[name], other) for other in taken), default=0.0))

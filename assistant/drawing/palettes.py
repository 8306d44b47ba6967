"""The colours of nations and grounds: by the meaning of a game's words, others by what stays apart from those taken.

The words and colours are data, in `palettes.toml`.
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

SIGNS = 8
"""How many signs there are for nations that have none of their own: `nation-sign-1` and so on."""


class NationColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a nation."""

    words: tuple[str, ...]
    """That name it."""
    tint: str
    """Of its counters."""
    stripes: tuple[str, ...]
    """Of its formations, in their order."""
    strong: str = ""
    """What stands for it from afar, "" for its tint made stronger."""


class GroundColour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colour of a ground, and the words that name it."""

    words: tuple[str, ...]
    colour: str


class Palettes(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """Our colours: of nations, of grounds, and of words that name a colour."""

    nations: dict[str, NationColours]
    grounds: dict[str, GroundColour]
    colour_words: dict[str, str]


class Nation(msgspec.Struct, frozen=True):
    """How a nation of a game is shown."""

    tint: str
    strong: str
    """What stands for it from afar."""
    stripes: tuple[str, ...]
    mark: str
    """The name of its sign, a symbol."""


@cache
def palettes() -> Palettes:
    """Return our colours: of nations, of grounds, and of words that name a colour."""
    return read_toml(package_folder(__package__).joinpath("palettes.toml"), Palettes)


# --- what words mean --------------------------------------------------------------------------------------------------


def our_nations() -> tuple[str, ...]:
    """Return the nations that have colours and a sign of their own."""
    return tuple(palettes().nations)


def kind_of_nation(word: str) -> str:
    """Return the nation that a word names, "" for a strange one: "german" for "Imperial-German"."""
    return next(iter(_find_kinds(word, _nation_words())), "")


def kinds_of_ground(word: str) -> tuple[str, ...]:
    """Return the grounds that a word names, in the order of its parts: woods and hill for "wooded-hill"; () for an
    unknown word.
    """
    return _find_kinds(word, _ground_words())


_WATER = frozenset({"sea", "lake"})


@cache
def is_water(terrain: str) -> bool:
    """Return whether a terrain is open water."""
    return not _WATER.isdisjoint(kinds_of_ground(terrain)[:1])


_Words = Mapping[tuple[str, ...], str]
"""Kinds by the parts of a word that names them."""


@cache
def _nation_words() -> _Words:
    return {tuple(name.split()): kind for kind, entry in palettes().nations.items() for name in entry.words}


@cache
def _ground_words() -> _Words:
    return {tuple(name.split()): kind for kind, entry in palettes().grounds.items() for name in entry.words}


def _find_kinds(word: str, words: _Words) -> tuple[str, ...]:
    """Return the kinds that the parts of a word name, in their order: at each part the one whose name has most parts."""
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
    """Return the colour that a part of a word names, "" if none does."""
    parts = _split_word(word)
    return next((colour for name, colour in palettes().colour_words.items() if name in parts), "")


# --- colours ----------------------------------------------------------------------------------------------------------


def ground_colour(word: str) -> str:
    """Return the colour of a ground by the meaning of its word, "" for an unknown one; of two grounds in one, their
    mixture.
    """
    kinds = kinds_of_ground(word)
    colours = [palettes().grounds[kind].colour for kind in kinds if kind != "clear" or len(kinds) == 1]
    if not colours:
        return ""
    first, *others = colours
    return mix(first, others[0], 0.5) if others else first


def choose_nations(words: Sequence[str], stated: Mapping[str, str]) -> dict[str, Nation]:
    """Return how the nations of a game are shown, in any order of their words. stated: tints that the game chooses
    itself.

    A word that names no nation of ours takes the colours of one that the game does not have: those farthest from all
    others.
    """
    ours, nations = palettes().nations, dict[str, Nation]()
    free = dict(ours)
    kinds = {word: kind_of_nation(word) for word in words}
    for word in sorted(kinds, key=lambda word: (kinds[word] != word, word)):  # german before bavarian
        if (kind := kinds[word]) in free:
            entry = free.pop(kind)
            strong = strong_tone(stated[word]) if word in stated else entry.strong or strong_tone(entry.tint)
            nations[word] = Nation(stated.get(word, entry.tint), strong, entry.stripes, f"nation-{kind}")
    strange = sorted(kinds.keys() - nations.keys())
    wanted = {word: colour for word in strange if (colour := stated.get(word) or _colour_named(word))}
    for number, word in enumerate(strange):
        if word in wanted:
            kind = _nation_with_hue(wanted[word], free or ours)
        elif free:
            tints = {name: entry.tint for name, entry in free.items()}
            kind = _find_farthest(tints, [nation.tint for nation in nations.values()] + [*wanted.values()])
        else:
            kind = list(ours)[number % len(ours)]
        free.pop(kind, None)
        tint = wanted.get(word, ours[kind].tint)
        nations[word] = Nation(tint, strong_tone(tint), ours[kind].stripes, f"nation-sign-{number % SIGNS + 1}")
    return nations


_DARKER = 78
"""Tints below this lightness are those of the Central Powers, and of whoever is as dark."""
_STRONG_OF_DARK = 38.0
"""How light the strong tone of a dark tint is, 0 to 100."""
_STRONG_OF_PALE = 61.0
"""How light that of a pale one is."""
_VIVID = 1.5
"""How many times as colourful it is as the tint."""


def strong_tone(tint: str) -> str:
    """Return what stands for a tint from afar: its hue, stronger, and dark if it is dark, so that opponents differ in
    grey too.
    """
    return change_tone(tint, _STRONG_OF_PALE if lightness(tint) >= _DARKER else _STRONG_OF_DARK, _VIVID)


def side_colours(
    sides: Mapping[str, Sequence[str]], nations: Mapping[str, Nation], stated: Mapping[str, str]
) -> dict[str, str]:
    """Return the strong colour of each side of a game: the one that it states, else that of the first nation of the
    side; another one where that cannot be told from the colour of an earlier side.

    sides: their nations; nations: how they are shown; stated: by side, as #rrggbb.
    """
    colours = dict(stated)
    spare = {name: entry.strong or strong_tone(entry.tint) for name, entry in palettes().nations.items()}
    for side, members in sides.items():
        if side in colours:
            continue
        own = [nations[name].strong for name in members if name in nations]
        taken = list(colours.values())
        apart = (colour for colour in own if all(least_difference(colour, other) >= SIDES_APART for other in taken))
        colours[side] = next(apart, "") or spare[_find_farthest(spare, taken)]
    return {side: colours[side] for side in sides}


SIDES_APART = 12.0
"""How far apart the colours of two sides are at least, for every sight and in grey."""


def _nation_with_hue(tint: str, nations: Mapping[str, NationColours]) -> str:
    """Return the nation with the stripe that is nearest to a tint."""
    return min(nations, key=lambda name: min(difference(stripe, tint) for stripe in nations[name].stripes))


def choose_grounds(words: Iterable[str], stated: Mapping[str, str]) -> dict[str, str]:
    """Return the colours of the grounds of a game. stated: those that it chooses itself.

    A word that names no ground of ours takes the colour that stays farthest from those taken; once it has more such
    words than we have colours, none stays apart, and they take them in turn.
    """
    names = sorted(set(words))
    colours = {word: colour for word in names if (colour := stated.get(word) or ground_colour(word))}
    ours = {name: entry.colour for name, entry in palettes().grounds.items()}
    strange = [word for word in names if word not in colours]
    for number, word in enumerate(strange):
        kind = _find_farthest(ours, {*colours.values()}) if number < len(ours) else list(ours)[number % len(ours)]
        colours[word] = ours[kind]
    return colours


def _find_farthest(colours: Mapping[str, str], taken: Collection[str]) -> str:
    """Return the name of the colour that stays farthest from those taken, for every sight and in grey; the first if
    none is taken.
    """
    return max(colours, key=lambda name: min((least_difference(colours[name], other) for other in taken), default=0.0))

"""The name of a unit's symbol: that of its word, or what `[[picture.troops]]` in `game.toml` says of such units."""

from __future__ import annotations

from collections.abc import Callable

from ..util.patterns import late_pattern
from .gamefile import PictureTracks

_WORDS = late_pattern(r"\w+")


def name_symbol(picture: PictureTracks, unit: str, word: str, written: Callable[[str], str]) -> str:
    """Return the name of a unit's symbol, by the first row of troops that fits, or else its word.

    `word`: the word of the track `symbol`, or "" if it is unknown; such a unit has no symbol.
    `written`: returns a fact of the unit in words by its track, or "" if it is unknown.
    """
    words = set(_WORDS.findall(unit))
    for troops in picture.troops if word else ():
        is_named = not troops.named or not words.isdisjoint(troops.named)
        is_of_arm = not troops.of or word in troops.of
        if is_named and is_of_arm and all(written(track) == value for track, value in troops.facts.items()):
            return troops.draw.replace("{}", word)
    return word

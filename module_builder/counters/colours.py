"""The colours of counters: of nations, of their formations, and the colour words of `counters.toml`.

A colour is written `#rrggbb`, `white`, `ink`, `nation` (its tint), `stripe` (of the army or corps within the nation), or as a name of
[colours]; behind it may stand `dark`, or `pale` or `deep` with a share from 0 to 1: `nation pale 0.6`.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.game.faults import COLOUR
from assistant.game.games import Game
from assistant.pictures.style import INK, WHITE, Palette, dark, ink_on, mixed

AUTO = "auto"
"""The ink that is legible on its ground."""
_BASES = ("nation", "stripe", "white", "ink", "black")
_BLACK = "#14120e"
_DEPTH = 12
#: Formations by their order within a nation, a family of hues for each nation in turn: deep, on which white letters stand, and of
#: different depth next to one another, so that they are told apart in grey too.
_FAMILIES = (
    ("#3c4a52", "#7d2f2f", "#586b2a", "#23303c", "#8a5a1c", "#5b4470", "#1f5a58", "#6d6a5f"),
    ("#1f3f77", "#6b4a12", "#3d6fa8", "#102749", "#7a2746", "#2f6b6b", "#54499a", "#4d5f78"),
    ("#2f5b2f", "#8c3b16", "#5f7f2a", "#1d3a22", "#a0661a", "#6b2440", "#28665a", "#4a4a1c"),
    ("#5a2a5a", "#2a5a4a", "#8a6a1a", "#3a1a3a", "#2a3a6a", "#7a3a2a", "#4a6a2a", "#5a5a6a"),
)
NO_STRIPE = "#57534b"


def nation_palette(game: Game) -> Palette:
    """The tints of a game's nations. Raises InputError for a colour that is not #rrggbb."""
    track = game.tracks.get(game.file.picture.nation)
    return Palette(game.file.picture.colours, track.values if track else ())


def stripe_colours(game: Game, column: str) -> dict[tuple[str, str], str]:
    """The colour of each formation, by nation and word of the column, within the family of its nation."""
    track = game.tracks.get(game.file.picture.nation)
    nations = list(track.values) if track else []
    found: dict[str, dict[str, None]] = {}
    for facts in game.roster.values():
        nation, word = (
            str(known[0].value) if (known := facts.get(name)) else "" for name in (game.file.picture.nation, column)
        )
        if word:
            found.setdefault(nation, {})[word] = None
    return {
        (nation, word): family[number % len(family)]
        for nation, words in found.items()
        for family in (_FAMILIES[(nations.index(nation) if nation in nations else 0) % len(_FAMILIES)],)
        for number, word in enumerate(words)
    }


class Inks:
    """The colours of one counter. nation, stripe: as #rrggbb; named: the game's [colours]."""

    def __init__(self, nation: str, stripe: str, named: Mapping[str, str]) -> None:
        self._known = {"": "", "nation": nation, "stripe": stripe, "white": WHITE, "ink": INK, "black": _BLACK}
        self._named = named

    def colour(self, words: str) -> str:
        """The colour that these words say, as #rrggbb. Raises ValueError if they say none."""
        if words not in self._known:
            self._known[words] = self._read(words, _DEPTH)
        return self._known[words]

    def _read(self, words: str, depth: int) -> str:
        base, *change = words.split() or [""]
        if words in self._named and depth:
            return self._read(self._named[words], depth - 1)
        if base.startswith("#"):
            if not COLOUR.fullmatch(base):
                raise ValueError(f"{base!r} is not a colour: write it as #rrggbb")
            found = base
        elif base in self._named and depth:
            found = self._read(self._named[base], depth - 1)
        elif base in _BASES:
            found = self._known[base]
        else:
            raise ValueError(f"{words!r} is not a colour: write #rrggbb, {', '.join(_BASES)} or a name of [colours]")
        match change:
            case []:
                return found
            case ["on"]:
                return ink_on(found)
            case ["dark"]:
                return dark(found)
            case ["pale" | "deep" as way, share] if _is_share(share):
                return mixed(found, WHITE if way == "pale" else _BLACK, float(share))
        raise ValueError(f"{words!r}: a colour is followed by dark, pale 0.5 or deep 0.5")


def _is_share(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False

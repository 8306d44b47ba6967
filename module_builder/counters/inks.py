"""The colours of counters: the palette of a game, the order of formations, and the colour words of `counters.toml`.

A colour is `#rrggbb`, `white`, `ink`, `nation` (its tint), `strong` (visible from afar), `stripe`, or a name of
[colours]; `dark`, `on` (legible on it), `pale` or `deep` with a share from 0 to 1 may follow: `nation pale 0.6`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.drawing.colours import INK, WHITE, darken, ink_on, mix
from assistant.drawing.style import Stripe
from assistant.game.games import Game
from assistant.game.lint.faults import COLOUR
from assistant.state.tracks import Fact

AUTO = "auto"
"""The ink that is legible on its ground."""
_BASES = ("nation", "strong", "stripe", "white", "ink", "black")  # the words that a colour may begin with
_BLACK = "#14120e"
_MAX_COLOUR_STEPS = 12
"""Maximum length of a chain of names in [colours]."""


def stripe_places(game: Game, column: str) -> dict[tuple[str, str], int]:
    """Return the place of each formation in the order of its nation, by nation and word of the column."""
    nation_track = game.file.picture.nation
    words_of: dict[str, dict[str, None]] = {}
    for facts in game.roster.values():
        word = _read_first(facts, column)
        if word:
            words_of.setdefault(_read_first(facts, nation_track), {})[word] = None
    return {(nation, word): number for nation, words in words_of.items() for number, word in enumerate(words)}


def _read_first(facts: Mapping[str, Sequence[Fact]], track: str) -> str:
    known = facts.get(track)
    return str(known[0].value) if known else ""


class Inks:
    """The colours of one counter.

    `nation`, `strong`: the nation's tint and its strong colour, as #rrggbb.
    `named`: the game's [colours].
    """

    def __init__(self, nation: str, strong: str, stripe: Stripe, named: Mapping[str, str]) -> None:
        self.stripe = stripe
        self._known = {"": "", "nation": nation, "strong": strong, "stripe": stripe.colour}
        self._known |= {"white": WHITE, "ink": INK, "black": _BLACK}
        self._named = named
        self._legible: dict[str, str] = {}

    def colour(self, words: str) -> str:
        """Return the colour that these words name, as #rrggbb. Raises ValueError if they name none."""
        if words not in self._known:
            self._known[words] = self._parse_colour(words, _MAX_COLOUR_STEPS)
        return self._known[words]

    def legible_on(self, colour: str) -> str:
        """Return black or white, whichever is legible on a colour."""
        if colour not in self._legible:
            self._legible[colour] = _BLACK if ink_on(colour) == INK else WHITE
        return self._legible[colour]

    def _parse_colour(self, words: str, depth: int) -> str:
        """Return the colour that words name. `depth`: the number of names that may still follow each other."""
        base, *change = words.split() or [""]
        if words in self._named and depth:
            return self._parse_colour(self._named[words], depth - 1)
        if base.startswith("#"):
            if not COLOUR.fullmatch(base):
                raise ValueError(f"{base!r} is not a colour: write it as #rrggbb")
            colour = base
        elif base in self._named and depth:
            colour = self._parse_colour(self._named[base], depth - 1)
        elif base in _BASES:
            colour = self._known[base]
        else:
            raise ValueError(f"{words!r} is not a colour: write #rrggbb, {', '.join(_BASES)} or a name of [colours]")
        match change:
            case []:
                return colour
            case ["on"]:
                return ink_on(colour or self._known["nation"])
            case _ if not colour:  # the stripe of an unknown formation
                return ""
            case ["dark"]:
                return darken(colour)
            case ["pale" | "deep" as way, share] if _is_share(share):
                return mix(colour, WHITE if way == "pale" else _BLACK, float(share))
        raise ValueError(f"{words!r}: a colour is followed by dark, on, pale 0.5 or deep 0.5")


def plain_inks(colour: str, named: Mapping[str, str]) -> Inks:
    """Return the inks of a counter of one colour, such as a marker. `named`: the game's [colours]."""
    return Inks(colour, colour, Stripe(colour, colour, "plain"), named)


def _is_share(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False

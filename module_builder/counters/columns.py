"""The values of a game's counters: the columns of its roster as written, with common names for some of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.drawing.symbols import shown_size
from assistant.game.games import Game
from assistant.game.unit_symbols import name_symbol
from assistant.state.tracks import Fact, Value

UNIT = "unit"  # the name of the unit
SYMBOL = "symbol"  # the name of the unit's symbol
NATION = "nation"
SIZE = "size"
STRIPE = "stripe"  # the formation that the stripe marks
FORMATION = "formation"  # the formation, as the design names it
COMMON = (UNIT, SYMBOL, NATION, SIZE, STRIPE, FORMATION)  # the columns of every game
FIGURES = "{figures}"
"""A placeholder in a row for the figures in the game's pictures or, if there are none, the ratings of its notation."""
ILLUSTRATIVE = "illustrative"
"""The condition of a side that shows a made-up or assumed value."""
WORD = "word"  # the word on a marker
VALUE = "value"  # the value on a marker
SIGN = "sign"  # the symbol on a marker
OPTIONAL = ("setup", "entry", "pips")
"""Columns that the built-in design shows where a game has them: hex of set-up, turn of entry, steps as pips."""


def printed_fact(game: Game, unit: str, track: str) -> Fact | None:
    """Return a fact of a unit type, or None if it is unknown."""
    facts = game.roster[unit].get(track)
    return facts[0] if facts else None


def word_of(game: Game, unit: str, track: str) -> str:
    """Return a fact of a unit type in words, or "" if it is unknown."""
    fact = printed_fact(game, unit, track)
    return "" if fact is None else game.tracks[track].write(fact.value)


def figure_columns(game: Game) -> tuple[str, ...]:
    """Return the columns for which `{figures}` stands."""
    known = {name for name, track in game.tracks.items() if track.on == "unit"}
    named = game.file.picture.figures
    return named if set(named) <= known else tuple(name for name in game.file.notation.brackets if name in known)


class Columns:
    """The values of a game's counters as written.

    `formation`, `stripe`: the columns with these roles in the design.
    """

    def __init__(self, game: Game, formation: str, stripe: str) -> None:
        picture = game.file.picture
        self.game = game
        self.back_columns = {name: track.back for name, track in game.tracks.items() if track.back}
        """The columns whose values stand in place of others on the back, by these."""
        aliases = {
            SYMBOL: picture.symbol,
            NATION: picture.nation,
            SIZE: picture.size,
            FORMATION: formation,
            STRIPE: stripe,
        }
        self.aliases: dict[str, str] = {}
        for name, track in aliases.items():
            if track in game.tracks and (name not in game.tracks or name == track):
                self.aliases[name] = track
        self._written: dict[tuple[str, Value], str] = {}

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys([*COMMON, *self.printed]))

    @property
    def printed(self) -> list[str]:
        return [name for name, track in self.game.tracks.items() if track.printed == "counter"]

    def values(self, unit: str) -> dict[str, str]:
        texts = {UNIT: unit}
        for name, facts in self.game.roster[unit].items():
            if facts:
                value = facts[0].value
                if (name, value) not in self._written:
                    self._written[name, value] = self.game.tracks[name].write(value)
                texts[name] = self._written[name, value]
        return self._add_aliases(texts)

    def kind(self, values: Mapping[str, str]) -> str:
        """Return the word of the track that draws the symbol, or "" if it is unknown."""
        return values.get(self.aliases.get(SYMBOL, ""), "")

    def replaced(self, values: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
        """Return the known values of a unit, some replaced by others, by column as written."""
        return self._add_aliases({**values, **others})

    def _add_aliases(self, texts: dict[str, str]) -> dict[str, str]:
        """Return values by column, with the common names of some columns."""
        for name, track in self.aliases.items():
            if track in texts:
                texts[name] = texts[track]
        if SYMBOL in self.aliases and SYMBOL in texts:
            word = texts[self.aliases[SYMBOL]]
            texts[SYMBOL] = name_symbol(self.game.file.picture, texts[UNIT], word, lambda track: texts.get(track, ""))
        if SIZE in texts:
            texts[SIZE] = shown_size(texts[SIZE])
        return texts

    def turned(self, values: Mapping[str, str]) -> dict[str, str] | None:
        """Return the known values of the back, or None if they are unknown or 0.

        `values`: the values of the front.
        """
        if all(values.get(name, "0") == "0" for name in self.back_columns.values()):
            return None
        others = {name: value for name, value in values.items() if name not in self.back_columns}
        return others | {name: values[other] for name, other in self.back_columns.items() if other in values}

    def title(self, values: Mapping[str, str], *, back: bool) -> str:
        """Return everything printed on a counter in words."""
        tracks, roles = self.game.tracks, self.aliases
        known = list(self._list_leading(values))
        shown = {roles.get(name) for name in (NATION, SYMBOL, SIZE)}
        known += [
            f"{tracks[name].title} {value}" for name, value in values.items() if name in tracks and name not in shown
        ]
        side = ", back" if back else ""
        return f"{values[UNIT]}{side}: {', '.join(known)}"

    def _list_leading(self, values: Mapping[str, str]) -> Iterator[str]:
        for name in (NATION, SYMBOL):
            if name in self.aliases:
                yield values.get(name) or f"{self.game.tracks[self.aliases[name]].title} unknown"
        if values.get(SIZE):
            yield values[SIZE]

    def doubtful(self, unit: str, names: frozenset[str]) -> tuple[str, ...]:
        """Return the tracks of a unit among these whose value is made up or assumed."""
        named = names | {self.aliases[name] for name in names if name in self.aliases}
        return tuple(
            name for name, facts in self.game.roster[unit].items() if facts and facts[0].doubtful and name in named
        )

"""Statuses: how the counters and markers of a module show tracks, value by value, as the levels of a layer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from assistant.formats.vassal.traits import Label, LayerTrait, Trait, key
from assistant.game.games import Game
from assistant.state.sources import Value
from assistant.state.tracks import InModule, Track

from ..counters import print_of

#: The highest value of a number without a printed bound.
MOST = 20


class Level(NamedTuple):
    """A level of a layer: the value it stands for, None if that is unknown; the picture of its tag, "" for none; the name
    that it adds to the piece's."""

    value: Value | None
    image: str = ""
    name: str = ""


class Status(NamedTuple):
    """A track as counters of one kind, or the markers of hexes, show it."""

    track: Track
    shown: InModule
    levels: tuple[Level, ...]

    @property
    def values(self) -> list[Value | None]:
        """What can be shown, level by level."""
        return [level.value for level in self.levels]

    def turned_to(self, back: str) -> Status:
        """The same with the counter's other side as its picture, if that is what shows it."""
        if not (self.shown.flips and back):
            return self
        return self._replace(levels=tuple(level._replace(image=level.image and back) for level in self.levels))

    def trait(self, value: Value | None, side: int) -> Trait:
        """The layer at a value; on its first level for a value that it does not show. side: of the counter, in pixels."""
        up, down = [*_strokes(self.shown), ("", "")][:2]
        layer = LayerTrait(
            self.track.name,
            tuple(level.image for level in self.levels),
            tuple(level.name for level in self.levels),
            up,
            down,
            round(self.shown.at[0] * side),
            round(self.shown.at[1] * side),
            loop=not down[0],  # a single line of the menu leads through all of them
        )
        return Trait(layer.type, str(self.values.index(value) + 1 if value in self.values else 1))


def _strokes(shown: InModule) -> list[tuple[str, str]]:
    """The lines of a menu with their keystrokes; a line without a key has a keystroke of its own name."""
    keys = [*shown.keys, *[""] * len(shown.menu)]
    return [
        (menu, key(letter) if letter else f"57344,0,{menu}") for menu, letter in zip(shown.menu, keys, strict=False)
    ]


def strokes_of(tracks: Iterable[Track]) -> list[str]:
    """All keystrokes that change these tracks on counters, each once."""
    shown = (track.module for track in tracks if track.module is not None and track.on in ("unit", "hex"))
    return list(dict.fromkeys(stroke for module in shown for _, stroke in _strokes(module)))


def unit_statuses(game: Game, unit: str) -> list[Status]:
    """The tracks that the counter of a unit shows as layers; the first level shows nothing, which says what silence means."""
    found = []
    for track in game.tracks.values():
        if track.on == "unit" and track.module is not None and _has(game, unit, track.module.needs):
            values = _loud(track, _bound(game, unit, track))
            if values:
                found.append(Status(track, track.module, (Level(track.absent), *values)))
    return found


def hex_statuses(game: Game) -> list[Status]:
    """The tracks of hexes that markers show; a hex without a marker says what silence means."""
    shown = ((track, track.module) for track in game.tracks.values() if track.on == "hex")
    return [Status(track, module, _loud(track)) for track, module in shown if module is not None]


def _loud(track: Track, most: int | None = None) -> tuple[Level, ...]:
    """A level for every value but the one that silence means."""
    values = (value for value in track.in_turn(most) if track.absent is None or value != track.absent)
    return tuple(Level(value, tag_image(track, value), f"+ {track.word(value)}") for value in values)


def tag_image(track: Track, value: Value) -> str:
    """The file of the tag that shows a value; the same value has the same file in every build."""
    return f"tag-{track.name}-{file_word(track.write(value))}.png"


def file_word(text: str) -> str:
    """A text as part of a file's name, on any disk; two texts never give the same word, even ignoring case."""
    if re.fullmatch("[a-z0-9]{1,40}", text):
        return text
    return f"{re.sub('[^A-Za-z0-9]', '_', text)[:40]}-{sha256(text.encode()).hexdigest()[:8]}"


def unit_labels(game: Game, unit: str) -> list[tuple[Track, Label]]:
    """The tracks that the counter of a unit shows as texts."""
    found = []
    for track in game.tracks.values():
        if track.on == "unit" and track.kind == "text" and track.module and _has(game, unit, track.module.needs):
            (menu, stroke), *_ = _strokes(track.module)
            found.append((track, Label(track.name, menu, stroke, f"$pieceName$ {track.name}=$label$")))
    return found


def _has(game: Game, unit: str, needed: str) -> bool:
    """Whether a counter prints a fact, other than that there is none of it."""
    fact = print_of(game, unit, needed)
    return not needed or bool(fact and fact.value)


def _bound(game: Game, unit: str, track: Track) -> int:
    """The highest number that a track reaches on a unit: one below what bounds it, where that is printed."""
    facts = game.roster[unit].get(track.below, [])
    bound = max((fact.value for fact in facts if isinstance(fact.value, int)), default=0)
    return bound - 1 if bound else MOST

"""Statuses: the game's tracks on a module's pieces, with a level of a layer for each value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from assistant.formats.vassal.legends import SEEN_LAYER
from assistant.formats.vassal.traits import CONTROL, CONTROL_SHIFT, LabelTrait, LayerTrait, Trait, keystroke
from assistant.game.games import Game
from assistant.state.tracks import InModule, Track, Value

from ...counters.columns import printed_fact
from ...counters.picture_names import file_word

MAX_LEVELS = 20
"""The highest value of a number without a printed bound."""
LAPSE = "57344,0,Lapse {}"
"""The keystroke of the button `{}`, which clears expired statuses."""
CLEAR_PHASE = "Clear phase marks"
"""The button that clears statuses at the end of a phase."""


class Level(NamedTuple):
    """A level of a layer.

    `value`: the value, or None if unknown.
    `image`: the picture of the level's tag, or "".
    `name`: the level's name in the piece, unseen by players.
    """

    value: Value | None
    image: str = ""
    name: str = ""


class Status(NamedTuple):
    """A track as a layer on counters of one kind, or on the markers of hexes."""

    track: Track
    shown: InModule
    levels: tuple[Level, ...]
    owners: bool = False
    """Whether only the players of the counter's own side see it."""
    nation: str = ""
    """Nation of a marker that covers a stack."""

    @property
    def values(self) -> list[Value | None]:
        """The values that can be shown, level by level."""
        return [level.value for level in self.levels]

    @property
    def next_stroke(self) -> str:
        """The keystroke for the next level."""
        return _list_strokes(self.shown)[0][1]

    def turned_to(self, back: str) -> Status:
        """Return the status with the counter's other side as its picture, if that shows it."""
        if not (self.shown.flips and back):
            return self
        return self._replace(
            levels=tuple(level._replace(image=back) if level.image else level for level in self.levels)
        )

    def trait(self, value: Value | None, side: int) -> Trait:
        """Return the layer at a value, or on its first level if it cannot show the value.

        `side`: the side of a counter, in pixels.
        """
        return Trait(self.type(side), self.state(value))

    def state(self, value: Value | None) -> str:
        return str(self.values.index(value) + 1 if value in self.values else 1)

    def type(self, side: int) -> str:
        """Return the type of the layer that players change. It has no pictures if only owners see the status."""
        up, *more = _list_strokes(self.shown)
        down = more[0] if more else ("", "")
        return LayerTrait(
            self.track.name,
            tuple("" if self.owners else level.image for level in self.levels),
            tuple(level.name for level in self.levels),
            up,
            down,
            *self._place(side),
            loop=not down[0],  # a single menu line steps through all levels
            reset=LAPSE.format(format_ending(self.track)) if self.track.ends_with else "",
        ).type

    def seen(self, side: int, follows: str) -> str:
        """Return the type of the layer that shows owners the chosen level. `follows`: the property with the level."""
        images = tuple(level.image for level in self.levels)
        nothing = ("",) * len(images)
        return LayerTrait(
            SEEN_LAYER.format(self.track.name), images, nothing, ("", ""), ("", ""), *self._place(side), follows=follows
        ).type

    def _place(self, side: int) -> tuple[int, int]:
        """Return the place of the tag, in pixels from the centre of the counter."""
        return round(self.shown.at[0] * side), round(self.shown.at[1] * side)


def _list_strokes(shown: InModule) -> list[tuple[str, str]]:
    """Return menu lines with their keystrokes. A line without a key has a keystroke named like it."""
    keys = [*shown.keys, *[""] * len(shown.menu)]
    return [(menu, _key_stroke(key) if key else f"57344,0,{menu}") for menu, key in zip(shown.menu, keys, strict=False)]


def _key_stroke(key: str) -> str:
    """Return the keystroke of a key in `[TRACK.module]`: `L` with Ctrl, `Shift+L` with both."""
    return keystroke(key[-1], CONTROL_SHIFT if len(key) > 1 else CONTROL)


def format_ending(track: Track) -> str:
    """Return the words of the button that takes a status off."""
    return CLEAR_PHASE if "phase" in track.ends_with else f"Clear {track.ends_with[0]} marks"


def strokes_of(tracks: Iterable[Track]) -> list[str]:
    """Return all keystrokes that change these tracks on counters, each once."""
    shown = (track.module for track in tracks if track.module is not None and track.on in ("unit", "hex"))
    return list(dict.fromkeys(stroke for module in shown for _, stroke in _list_strokes(module)))


def is_owners(game: Game, track: Track) -> bool:
    """Return whether counters show a track only to players of their own side, by the game's intelligence rules."""
    return track.hidden and track.on == "unit" and bool(game.file.sides) and game.file.intelligence is not None


class Text(NamedTuple):
    """A track as typed words on counters."""

    track: Track
    owners: bool
    """Whether only players of the counter's own side see it."""


class Statuses:
    """The game's tracks on counters. Units with the same tracks share the layers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        shown = [track for track in game.tracks.values() if track.on == "unit" and track.module is not None]
        self._texts = [track for track in shown if track.kind == "text"]
        self._layers = [track for track in shown if track.kind != "text"]
        # tracks by the fact that they need, each with its number in the order of tracks
        self._by_need: dict[str, list[tuple[int, Track]]] = defaultdict(list)
        for number, track in enumerate(shown):
            self._by_need[needed_fact(track)].append((number, track))
        self._made: dict[str, Status | None] = {}

    def shown(self, unit: str) -> tuple[tuple[Status, ...], tuple[Track, ...]]:
        """Return the tracks on a unit's counter: those shown as layers, and those shown as texts.

        The first level of a layer shows nothing and stands for the value of a fact that is not stated.
        """
        known = (name for name in self.game.roster[unit] if name in self._by_need)
        facts = ((name, printed_fact(self.game, unit, name)) for name in known)
        has = ["", *(needed for needed, fact in facts if fact and fact.value)]
        tracks = [track for _, track in sorted(chain.from_iterable(self._by_need[needed] for needed in has))]
        statuses = (self._layer(track) for track in tracks if track.kind != "text")
        texts = tuple(track for track in tracks if track.kind == "text")
        return tuple(status for status in statuses if status is not None), texts

    @property
    def layers(self) -> list[Status]:
        return [status for status in map(self._layer, self._layers) if status is not None]

    @property
    def texts(self) -> list[Text]:
        return [Text(track, is_owners(self.game, track)) for track in self._texts]

    def _layer(self, track: Track) -> Status | None:
        """Return a track as a layer, the same on all counters, even where a counter's values are bounded.

        VASSAL then keeps the chosen level when it refreshes an older save, although a value has become known since.
        """
        if track.name not in self._made:
            values, shown = _make_levels(track, MAX_LEVELS), track.module
            made = Status(track, shown, (Level(track.absent), *values), is_owners(self.game, track)) if shown else None
            self._made[track.name] = made if values else None
        return self._made[track.name]


def needed_fact(track: Track) -> str:
    """Return the fact that a counter must print to show a track, or ""."""
    return track.module.needs if track.module else ""


def hex_statuses(game: Game) -> list[Status]:
    """Return the tracks of hexes that markers show. A marker that covers a stack exists for each nation.

    A hex without a marker has the value of a fact that is not stated.
    """
    statuses: list[Status] = []
    for track in game.tracks.values():
        if track.on == "hex" and track.module is not None:
            nations = game.file.nations if track.module.covers else ("",)
            statuses += [Status(track, track.module, _make_levels(track), nation=nation) for nation in nations]
    return statuses


def _make_levels(track: Track, maximum: int | None = None) -> tuple[Level, ...]:
    """Return a level for every value except the one of a fact that is not stated."""
    values = (value for value in track.in_turn(maximum) if track.absent is None or value != track.absent)
    return tuple(Level(value, tag_image(track, value), f"++ {track.word(value)}") for value in values)


def tag_image(track: Track, value: Value) -> str:
    """Return the file name of a value's tag, the same in every build."""
    return f"tag-{track.name}-{file_word(track.write(value))}.png"


def label(track: Track, *, owners: bool = False, seen: bool = False) -> LabelTrait:
    """Return the text of a track on a counter.

    `owners`: whether this label is typed into and shows nothing.
    `seen`: whether this label shows owners the typed text.
    """
    shown = track.module or InModule(menu=(track.title,))
    (menu, stroke), *_ = _list_strokes(shown)
    if seen:
        property_name = SEEN_LAYER.format(track.name)
        return LabelTrait(property_name, "", "", "$pieceName$", kept_in=property_name)
    if owners:
        return LabelTrait(track.name, menu, stroke, "$pieceName$", size=0, kept_in=track.name)
    return LabelTrait(track.name, menu, stroke, "$pieceName$", kept_in=track.name)

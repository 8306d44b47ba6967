"""Statuses: what a module's pieces show of the game's tracks, value by value as the levels of a layer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from assistant.formats.vassal.legends import SEEN
from assistant.formats.vassal.traits import CONTROL, CONTROL_SHIFT, LabelTrait, LayerTrait, Trait, keystroke
from assistant.game.games import Game
from assistant.state.tracks import InModule, Track, Value

from ...counters.columns import printed_fact
from ...counters.picture_names import file_word

MOST = 20
"""The highest value of a number without a printed bound."""
LAPSE = "57344,0,Lapse {}"
"""The keystroke that takes statuses off, for the button that ends what they last for; `{}` stands for the words of the
button.
"""
CLEAR_PHASE = "Clear phase marks"
"""The button for what lasts a phase at most."""


class Level(NamedTuple):
    """A level of a layer: the value it stands for, None if that is unknown; the picture of its tag, "" for none; the
    name that says so in the piece, unseen by players.
    """

    value: Value | None
    image: str = ""
    name: str = ""


class Status(NamedTuple):
    """A track as counters of one kind, or the markers of hexes, show it."""

    track: Track
    shown: InModule
    levels: tuple[Level, ...]
    owners: bool = False
    """Whether only the players of the counter's own side see it."""
    nation: str = ""
    """Of a marker that covers a stack."""

    @property
    def values(self) -> list[Value | None]:
        """What can be shown, level by level."""
        return [level.value for level in self.levels]

    @property
    def next_stroke(self) -> str:
        """The keystroke that leads to the next level."""
        return _list_strokes(self.shown)[0][1]

    def turned_to(self, back: str) -> Status:
        """Return the status with the counter's other side as its picture, if that is what shows it."""
        if not (self.shown.flips and back):
            return self
        return self._replace(
            levels=tuple(level._replace(image=back) if level.image else level for level in self.levels)
        )

    def trait(self, value: Value | None, side: int) -> Trait:
        """Return the layer at a value; on its first level for a value that it does not show. side: of the counter, in
        pixels.
        """
        return Trait(self.type(side), self.state(value))

    def state(self, value: Value | None) -> str:
        """Return the state of the layer at a value."""
        return str(self.values.index(value) + 1 if value in self.values else 1)

    def type(self, side: int) -> str:
        """Return the type of the layer that players change. If only owners see the status, this layer shows nothing
        itself.
        """
        up, *more = _list_strokes(self.shown)
        down = more[0] if more else ("", "")
        return LayerTrait(
            self.track.name,
            tuple("" if self.owners else level.image for level in self.levels),
            tuple(level.name for level in self.levels),
            up,
            down,
            *self._place(side),
            loop=not down[0],  # a single line of the menu leads through all of them
            reset=LAPSE.format(format_ending(self.track)) if self.track.ends_with else "",
        ).type

    def seen(self, side: int, follows: str) -> str:
        """Return the type of the layer that shows to owners what players have chosen. follows: the property that knows
        it.
        """
        images = tuple(level.image for level in self.levels)
        nothing = ("",) * len(images)
        return LayerTrait(
            SEEN.format(self.track.name), images, nothing, ("", ""), ("", ""), *self._place(side), follows=follows
        ).type

    def _place(self, side: int) -> tuple[int, int]:
        """Return where its tag lies, in pixels from the middle of the counter."""
        return round(self.shown.at[0] * side), round(self.shown.at[1] * side)


def _list_strokes(shown: InModule) -> list[tuple[str, str]]:
    """Return the lines of a menu with their keystrokes; a line without a key has a keystroke of its own name."""
    keys = [*shown.keys, *[""] * len(shown.menu)]
    return [(menu, _key_stroke(key) if key else f"57344,0,{menu}") for menu, key in zip(shown.menu, keys, strict=False)]


def _key_stroke(key: str) -> str:
    """Return the keystroke of a key as `[TRACK.module]` names it: `L` with Ctrl, `Shift+L` with both."""
    return keystroke(key[-1], CONTROL_SHIFT if len(key) > 1 else CONTROL)


def format_ending(track: Track) -> str:
    """Return the words of the button that takes a status off."""
    return CLEAR_PHASE if "phase" in track.ends_with else f"Clear {track.ends_with[0]} marks"


def strokes_of(tracks: Iterable[Track]) -> list[str]:
    """Return all keystrokes that change these tracks on counters, each once."""
    shown = (track.module for track in tracks if track.module is not None and track.on in ("unit", "hex"))
    return list(dict.fromkeys(stroke for module in shown for _, stroke in _list_strokes(module)))


def is_owners(game: Game, track: Track) -> bool:
    """Return whether counters show a track to the players of their own side alone, as the game's intelligence has it."""
    return track.hidden and track.on == "unit" and bool(game.file.sides) and game.file.intelligence is not None


class Text(NamedTuple):
    """A track as counters show it in words that players type."""

    track: Track
    owners: bool
    """Whether only those of the counter's own side see it."""


class Statuses:
    """What the counters of a game show of its tracks; units that show the same share it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        shown = [track for track in game.tracks.values() if track.on == "unit" and track.module is not None]
        self._texts = [track for track in shown if track.kind == "text"]
        self._layers = [track for track in shown if track.kind != "text"]
        self._by_need: dict[str, list[tuple[int, Track]]] = defaultdict(
            list
        )  # with their numbers in the order of tracks
        for number, track in enumerate(shown):
            self._by_need[needed_fact(track)].append((number, track))
        self._made: dict[str, Status | None] = {}

    def shown(self, unit: str) -> tuple[tuple[Status, ...], tuple[Track, ...]]:
        """Return the tracks that the counter of a unit shows as layers, and those that it shows as texts. The first
        level of a layer shows nothing, which says what silence means.
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
        """All tracks that counters show as layers."""
        return [status for status in map(self._layer, self._layers) if status is not None]

    @property
    def texts(self) -> list[Text]:
        """All tracks that counters show as texts."""
        return [Text(track, is_owners(self.game, track)) for track in self._texts]

    def _layer(self, track: Track) -> Status | None:
        """Return a track as a layer. It is the same on all counters, whatever bounds it there: where a value of a
        counter has become known since, VASSAL then keeps what players have chosen when it refreshes an older save.
        """
        if track.name not in self._made:
            values, shown = _make_levels(track, MOST), track.module
            made = Status(track, shown, (Level(track.absent), *values), is_owners(self.game, track)) if shown else None
            self._made[track.name] = made if values else None
        return self._made[track.name]


def needed_fact(track: Track) -> str:
    """Return the fact that must be printed on a counter that shows a track, "" for none."""
    return track.module.needs if track.module else ""


def hex_statuses(game: Game) -> list[Status]:
    """Return the tracks of hexes that markers show, one that covers a stack for each nation; a hex without a marker
    says what silence means.
    """
    statuses: list[Status] = []
    for track in game.tracks.values():
        if track.on == "hex" and track.module is not None:
            nations = game.file.nations if track.module.covers else ("",)
            statuses += [Status(track, track.module, _make_levels(track), nation=nation) for nation in nations]
    return statuses


def _make_levels(track: Track, most: int | None = None) -> tuple[Level, ...]:
    """Return a level for every value but the one that silence means."""
    values = (value for value in track.in_turn(most) if track.absent is None or value != track.absent)
    return tuple(Level(value, tag_image(track, value), f"++ {track.word(value)}") for value in values)


def tag_image(track: Track, value: Value) -> str:
    """Return the file of the tag that shows a value; the same value has the same file in every build."""
    return f"tag-{track.name}-{file_word(track.write(value))}.png"


def label(track: Track, *, owners: bool = False, seen: bool = False) -> LabelTrait:
    """Return the text that a counter shows of a track. owners: it is typed, and shown to nobody; seen: it shows owners
    what was typed.
    """
    shown = track.module or InModule(menu=(track.title,))
    (menu, stroke), *_ = _list_strokes(shown)
    if seen:
        property_name = SEEN.format(track.name)
        return LabelTrait(property_name, "", "", "$pieceName$", kept_in=property_name)
    if owners:
        return LabelTrait(track.name, menu, stroke, "$pieceName$", size=0, kept_in=track.name)
    return LabelTrait(track.name, menu, stroke, "$pieceName$", kept_in=track.name)

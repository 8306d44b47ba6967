"""Prototypes: what counters of one kind have in common, written once in the module's file.

A counter's slot names the prototype of its kind. That one gathers others, the outermost first, as VASSAL advises: what
hears of changes and reports them, then what hides the counter, then its movement, then the statuses, then constant
properties; in the slot stand the other side, the counter's own properties and its picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.legends import MARKER, UNIT
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import Trait, marker
from assistant.game.games import Game
from assistant.state.state import INVISIBLE, MASKED
from assistant.state.tracks import Track, Value
from assistant.util.errors import InputError

from ...counters.columns import word_of
from ..sheets import OUT, SHEET, dead_pile
from .traits import (
    MOVED,
    OUT_OF_PLAY,
    RETURN,
    SIDE,
    TRAIL,
    Part,
    Status,
    Statuses,
    Values,
    bounded,
    computed,
    covers,
    delete,
    does_not_stack,
    file_word,
    hex_statuses,
    is_owners,
    is_seen,
    label,
    level_of,
    mark_moved,
    ratings_property,
    report,
    send,
    side_of,
    strokes_of,
    submenu,
    trail,
)

MOVED_IMAGE = "moved.png"
"""The picture on a counter that has moved."""
COUNTER, MOVEMENT = "Counter", "Movement"


class Kind(NamedTuple):
    """What the counters of one kind share.

    prototype: its name; parts: all traits of the prototype, those of the ones it gathers included; layers: its
    statuses; flip: the status that the other side of a counter shows, None if there is none; texts: its tracks that are
    texts; side: its side.
    """

    prototype: str
    parts: tuple[Part, ...]
    layers: tuple[Status, ...]
    flip: Status | None
    texts: tuple[Track, ...]
    side: str


class Prototypes:
    """The prototypes of a game's counters, made as its units ask for them. side: of a counter, in pixels."""

    def __init__(self, game: Game, side: int) -> None:
        self.game, self.side = game, side
        self.statuses = Statuses(game)
        self.named: dict[str, tuple[Trait, ...]] = {}
        """By name, as the module's file holds them."""
        self._parts: dict[str, tuple[Part, ...]] = {}
        self._kinds: dict[tuple[object, ...], Kind] = {}
        self._firsts: dict[str, list[str]] = {}
        self._away = dead_pile(game, side).middles
        self._sorts = [track for track in (game.file.picture.nation, game.file.picture.symbol) if track in game.tracks]
        self._add(COUNTER, [Part.fixed(trait) for trait in _counter(game)])
        self._add(MOVEMENT, [Part.fixed(trait) for trait in _movement(side)])

    def kind(self, unit: str, *, turns: bool = True) -> Kind:
        """What a unit's counter shares with others. turns: whether it can show its other side."""
        layers, texts = self.statuses.shown(unit)
        layers = tuple(status for status in layers if turns or not status.shown.flips)
        words = tuple(word_of(self.game, unit, track) for track in self._sorts)
        about = (words, *map(id, layers), *(track.name for track in texts))
        if about not in self._kinds:
            self._kinds[about] = self._make_kind(unit, words, layers, texts)
        return self._kinds[about]

    @property
    def kinds(self) -> Iterable[Kind]:
        """The kinds of the units so far."""
        return self._kinds.values()

    def _make_kind(
        self, unit: str, words: tuple[str, ...], layers: tuple[Status, ...], texts: tuple[Track, ...]
    ) -> Kind:
        side = side_of(self.game, unit)
        flip = next((status for status in layers if status.shown.flips), None)
        shown = [status for status in layers if status is not flip]
        gathered = [COUNTER]
        away = Part.fixed(send(OUT, SHEET, self._away.get(side) or next(iter(self._away.values()))))
        if side:
            gathered.append(self._add(f"{SIDE}: {side}", [away, *covers(side)]))
        menus = [] if side else [away]
        menus += [Part.fixed(submenu(*menu)) for menu in _menus(self.game, side, layers, texts)]
        groups = [self._group(needs, *group) for needs, group in _groups(shown, texts).items()]
        marks = [Part.fixed(marker(**dict(zip(self._sorts, words, strict=True))))] if self._sorts else []
        name = self._free(self._title(words, layers, texts))
        outer = [Part.fixed(Trait(f"prototype;{name}")) for name in gathered]
        inner = [Part.fixed(Trait(f"prototype;{name}")) for name in (MOVEMENT, *groups)]
        self._add(name, [*outer, *menus, *inner, *marks])
        return Kind(name, tuple(self._expand(name)), layers, flip, texts, side)

    def _group(self, needs: str, layers: list[Status], texts: list[Track]) -> str:
        """The prototype of the statuses that need the same fact, and its name."""
        parts = [part for track in texts for part in self._text(track)]
        parts += [part for status in layers for part in self._layer(status)]
        return self._add(f"Status: {needs or 'all'}", parts)

    def _layer(self, status: Status) -> Iterator[Part]:
        """The layer of a status; where only owners see it, a second one that shows it to them stands above. What is
        printed may bound it.
        """
        if status.track.below:
            yield Part.fixed(bounded(status.track.name, ratings_property(status.track.below), status.next_stroke))
        if status.owners:
            name = f"{status.track.name}_Seen"
            yield Part.of(status, status.seen(self.side, name))
            yield Part.fixed(computed(name, is_seen(f'GetProperty("{status.track.name}_Level")', "1")))
        yield Part.of(status, status.type(self.side))

    def _text(self, track: Track) -> Iterator[Part]:
        if is_owners(self.game, track):
            name = f"{track.name}_Seen"
            yield Part.fixed(Trait(label(track, seen=True).type, f"${name}$"))
            yield Part.fixed(computed(name, is_seen(f'GetProperty("{track.name}")', '""')))
            yield Part.text(track, owners=True)
        else:
            yield Part.text(track)

    def _add(self, name: str, parts: list[Part]) -> str:
        """Add a prototype that is not there yet."""
        if name not in self._parts:
            self._parts[name] = tuple(parts)
            self.named[name] = tuple(Trait(part.type, part.state({})) for part in parts)
        return name

    def _title(self, words: Iterable[str], layers: Iterable[Status], texts: Iterable[Track]) -> str:
        """What a kind is called: its words, and how it differs from the first kind of these words."""
        title = " ".join(filter(None, words)) or "unit"
        has = [track.name for track in (*(status.track for status in layers), *texts)]
        first = self._firsts.setdefault(title, has)
        less, more = ([word for word in some if word not in other] for some, other in ((first, has), (has, first)))
        said = [f"{word} {', '.join(names)}" for word, names in (("without", less), ("with", more)) if names]
        return ", ".join([title, *said])

    def _free(self, name: str) -> str:
        """A name that no prototype has: this one, or with a number behind it."""
        number = 2
        free = name
        while free in self._parts:
            free, number = f"{name} ({number})", number + 1
        return free

    def _expand(self, name: str) -> Iterator[Part]:
        for part in self._parts[name]:
            inner = part.type.removeprefix("prototype;")
            if inner == part.type:
                yield part
            else:
                yield from self._expand(inner)


def _counter(game: Game) -> Iterator[Trait]:
    """What all counters have outermost: changes are reported to all players, and they can be taken off the map."""
    tracks = [track for track in game.tracks.values() if track.module is not None]
    public = [track for track in tracks if not is_owners(game, track)]
    kept = [track for track in tracks if is_owners(game, track)]
    yield report([OUT_OF_PLAY.stroke], "$oldPieceName$ is out of play")
    yield report([RETURN.stroke], "$location$: $newPieceName$ is back")
    yield report(strokes_of(public), "$location$: $oldPieceName$ is now $newPieceName$")
    for track in kept:
        yield report(strokes_of([track]), f"$location$: {track.title} of a unit: changed, seen by its own side")


def _movement(side: int) -> Iterator[Trait]:
    """That a counter has moved, and which way."""
    yield trail()
    yield mark_moved(MOVED_IMAGE, (-round(0.12 * side), -side // 2 - side // 15))


def _groups(layers: Iterable[Status], texts: Iterable[Track]) -> dict[str, tuple[list[Status], list[Track]]]:
    """Statuses and texts by the fact that they need."""
    groups: dict[str, tuple[list[Status], list[Track]]] = {}
    for status in layers:
        groups.setdefault(status.shown.needs, ([], []))[0].append(status)
    for track in texts:
        groups.setdefault(track.module.needs if track.module else "", ([], []))[1].append(track)
    return groups


def _menus(game: Game, side: str, layers: Iterable[Status], texts: Iterable[Track]) -> Iterator[tuple[str, list[str]]]:
    """The groups of a counter's menu: their names and lines."""
    menus: dict[str, list[str]] = {}
    for track in (*(status.track for status in layers), *texts):
        if track.module is not None and track.module.group:
            menus.setdefault(track.module.group, []).extend(track.module.menu)
    yield from menus.items()
    yield MOVEMENT, [MOVED.menu, TRAIL.menu]


# --- slots and pieces -------------------------------------------------------------------------------------------------

FIRST_FREE_SLOT = 2**30
"""Ids are below this one; VASSAL numbers slots that an editor adds from here on."""


def slot_number(name: str) -> int:
    """A number that depends on a name alone."""
    return int.from_bytes(sha256(name.encode()).digest()[:4]) % (FIRST_FREE_SLOT - 1) + 1


def slots(names: Iterable[str], kept: Mapping[str, int] = {}) -> dict[str, str]:
    """The slot id of each name: the one that is kept for it, else a number that depends on its name alone.

    Of two names with the same number the first in the alphabet has it, and the other that of its name and a stroke
    more. Raises InputError if two names are kept on one id.
    """
    ids = dict[str, str]()
    taken = dict[int, str]()
    for name in (known for known in names if known in kept):
        other = taken.setdefault(kept[name], name)
        if other != name:
            raise InputError(f"{name} and {other} have the same slot id", hint="give each one of its own")
        ids[name] = str(kept[name])
    for name in sorted({*names} - ids.keys()):
        number, marked = slot_number(name), name
        while number in taken:
            marked += "'"
            number = slot_number(marked)
        taken[number] = name
        ids[name] = str(number)
    return ids


MARKERS, LAYER = "Marker", "Layer"
"""The prototype of hex markers, and the property by which they lie below all counters."""

VALUES = "values"
"""The property with what is printed on a counter, shown to players who look into a stack."""


_BACK = "\0"
"""Stands for the picture of a counter's other side; no text of VASSAL's holds it."""


class Art(NamedTuple):
    """The pictures of a counter: its front, and its other side, "" for none."""

    front: str
    back: str = ""


class Own(NamedTuple):
    """What a counter has of its own: the kind of its prototype, and its other side, constant properties and picture."""

    kind: Kind
    parts: tuple[Part, ...]


def counter_image(unit: str, face: str) -> str:
    """The file of one face of a counter."""
    return f"{file_word(unit)}-{face}.png"


class Maker:
    """Makes the pieces of one game.

    art: the pictures of each unit's counter; side: of a counter, in pixels.
    """

    def __init__(self, game: Game, art: Mapping[str, Art], side: int) -> None:
        self.game, self.art, self.side = game, art, side
        self.markers = hex_statuses(game)
        self.prototypes = Prototypes(game, side)
        module = game.file.module
        renamed = module.renamed if module else {}
        kept = {name: slot_number(before) for name, before in renamed.items()}
        self.slots = slots([*art, *map(marker_slot, self.markers)], kept)
        self._brackets = game.file.notation.brackets
        sorts = [*(module.palettes if module else ())]
        kinds = (game.file.picture.nation, game.file.picture.symbol)  # in the prototype already
        printed = [name for name, track in game.tracks.items() if track.printed == "counter"]
        self._told = [name for name in dict.fromkeys([*sorts, *printed]) if name not in kinds]
        self._turning = any(drawn.back for drawn in art.values())
        self._flips: dict[int, str] = {}
        self.tagged: dict[int, Status] = {}
        """The statuses that tags show, each once."""
        self._own = {unit: self._of(unit) for unit in art}
        self.tagged |= {id(status): status for status in self.markers}
        self._marker = tuple(_of_markers(game)) if self.markers else ()
        self.named = self.prototypes.named | ({MARKERS: self._marker} if self.markers else {})

    def _of(self, unit: str) -> Own:
        art, parts = self.art[unit], list[Part]()
        kind = self.prototypes.kind(unit, turns=bool(art.back) or not self._turning)
        if kind.flip:
            parts.append(
                Part.of(
                    kind.flip,
                    self._flipping(kind.flip).replace(_BACK, art.back) if art.back else kind.flip.type(self.side),
                )
            )
        self.tagged |= {id(layer): layer for layer in kind.layers if not (layer is kind.flip and art.back)}
        ratings = {ratings_property(name): word_of(self.game, unit, name) for name in self._told}
        front, behind = self._values(unit, behind=False), self._values(unit, behind=True)
        if kind.flip and behind != front:
            shown = f'{level_of(kind.flip.track.name)}>1 ? "{behind}" : "{front}"'
            parts.append(Part.fixed(computed(VALUES, shown)))
        else:
            ratings[VALUES] = front
        marks = marker(**{UNIT: unit, **{name: word for name, word in ratings.items() if word}})
        return Own(kind, (*parts, Part.fixed(marks), Part.fixed(_basic(art.front, unit))))

    def _flipping(self, flip: Status) -> str:
        """The type of the layer with the other side of a counter, whose picture is yet to be put in: all else is the
        same on all.
        """
        if id(flip) not in self._flips:
            self._flips[id(flip)] = flip.turned_to(_BACK).type(self.side)
        return self._flips[id(flip)]

    def _values(self, unit: str, *, behind: bool) -> str:
        """The ratings of a unit as players write them, ? for an unknown one; "" if none is known. behind: those of its
        other side.
        """
        words = [
            (behind and word_of(self.game, unit, back) if (back := self.game.tracks[name].back) else "")
            or word_of(self.game, unit, name)
            for name in self._brackets
        ]
        return f"({'-'.join(word or '?' for word in words)})" if any(words) else ""

    def unit(self, unit: str) -> Piece:
        """The piece of a unit as a palette holds it."""
        kind, parts = self._own[unit]
        return Piece("null", (Trait(f"prototype;{kind.prototype}"), *_at(parts, {})), slot=self.slots[unit])

    def placed_unit(self, unit: str, values: Values, id: str, map: str, at: Pixel) -> Piece:
        """The piece of a unit on a map with its tracks at these values: its prototypes are expanded."""
        kind, parts = self._own[unit]
        return Piece(id, (*_at(kind.parts, values), *_at(parts, values)), map, at, self.slots[unit])

    def shown(self, unit: str) -> dict[str, list[Value | None] | None]:
        """The values of each track that the counter of a unit can show; None for any text."""
        kind = self._own[unit].kind
        known: dict[str, list[Value | None] | None] = {status.track.name: status.values for status in kind.layers}
        if kind.side:
            known |= {name: list(self.game.file.sides) for name in (MASKED, INVISIBLE)}
        return known | {track.name: None for track in kind.texts}

    def marker(self, status: Status) -> Piece:
        """The marker that states a track of its hex, as a palette holds it."""
        return Piece(
            "null", (Trait(f"prototype;{MARKERS}"), *self._states(status, status.values[0])), slot=self._slot(status)
        )

    def placed_marker(self, status: Status, value: Value, id: str, map: str, at: Pixel) -> Piece:
        """The marker on a map, at a value: its prototype is expanded."""
        return Piece(id, (*self._marker, *self._states(status, value)), map, at, self._slot(status))

    def _slot(self, status: Status) -> str:
        return self.slots[marker_slot(status)]

    def _states(self, status: Status, value: Value | None) -> tuple[Trait, ...]:
        plain = ground_image(status) if any(status.shown.at) else status.levels[0].image
        marks = marker(**{MARKER: status.track.name})
        return status.trait(value, self.side), marks, _basic(plain, marker_title(status))


def _at(parts: tuple[Part, ...], values: Values) -> list[Trait]:
    return [Trait(part.type, part.state(values)) for part in parts]


def marker_slot(status: Status) -> str:
    """What the marker of a track is called among the names of slots, where no unit is called the same."""
    return f"marker {status.track.name}"


def ground_image(status: Status) -> str:
    """The file of the unseen ground of a marker whose tag lies beside counters: as wide as the tag and where it lies,
    so that the whole of it shows in a palette.
    """
    return f"ground-{file_word(status.track.name)}.png"


def marker_title(status: Status) -> str:
    """What players call the marker of a track."""
    return status.shown.tag.replace("{}", "").strip() or status.track.name.capitalize()


def _of_markers(game: Game) -> list[Trait]:
    """What all markers have: changes are reported, they can be removed, and they lie below counters, in no stack."""
    changes = strokes_of(track for track in game.tracks.values() if track.on == "hex")
    return [
        report(changes, "$location$: $oldPieceName$ is now $newPieceName$"),
        delete("Remove", "68,130"),
        does_not_stack("lies below the counters"),
        marker(**{LAYER: MARKERS}),
    ]


def _basic(image: str, name: str) -> Trait:
    return Trait(join(("piece", "", "", image, name), ";"))

"""The pieces of a game's module: a counter for each unit and a marker for each track of hexes, with their slots.

The headings of counters in the inventory are here too: their side, army and corps, in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.legends import MARKER, SEEN_LAYER, UNIT, name_unit, property_of
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import LayerTrait, Trait, marker_trait
from assistant.game.counter_names import unit_names
from assistant.game.course import course_file
from assistant.game.games import Game
from assistant.state.state import INVISIBLE, MASKED
from assistant.state.tracks import Track, Value
from assistant.util.errors import InputError
from assistant.util.patterns import late_pattern

from ...counters.columns import word_of
from ...counters.picture_names import file_word
from .prototypes import MAX_REPORT_CHARS, CounterKind, Prototypes, report_changes
from .statuses import Status, hex_statuses
from .traits import (
    LAYER,
    OUT_OF_PLAY,
    PrototypeTrait,
    Values,
    cap_traits,
    computed,
    delete,
    does_not_stack,
    level_of,
    side_of,
)

FIRST_FREE_SLOT = 2**30
"""Ids are below this one; VASSAL numbers slots that an editor adds from here on."""
_ORDINAL = late_pattern(
    r"[0-9]+(st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth", re.IGNORECASE
)
_MAX_TRACK_ROWS = 40
"""The maximum number of rows of a turn track."""
MARKERS = "Marker"
"""The prototype of hex markers, and the layer on which they lie, below all counters."""
VALUES = "values"
"""The property with what is printed on a counter, shown to players who look into a stack."""
_BACK_MARK = "\0"
"""Stands for the picture of a counter's other side; no text of VASSAL's holds it."""


def slot_number(name: str) -> int:
    """Return a number that depends on a name alone."""
    return int.from_bytes(sha256(name.encode()).digest()[:4]) % (FIRST_FREE_SLOT - 1) + 1


def assign_slots(names: Iterable[str], kept: Mapping[str, int] = {}) -> dict[str, str]:
    """Return the slot id of each name: the one kept for it, else a number that depends on the name alone.

    Of two names with the same number the first in the alphabet has it, and the other the number of its name and a stroke.

    Raises InputError if two names are kept on one id.
    """
    ids = dict[str, str]()
    taken = dict[int, str]()
    for name in (known for known in names if known in kept):
        other = taken.setdefault(kept[name], name)
        if other != name:
            raise InputError(f"{name} and {other} have the same slot id", hint="give each another one")
        ids[name] = str(kept[name])
    for name in sorted({*names} - ids.keys()):
        number, marked = slot_number(name), name
        while number in taken:
            marked += "'"
            number = slot_number(marked)
        taken[number] = name
        ids[name] = str(number)
    return ids


class Art(NamedTuple):
    """The file names of a counter's pictures; `back` is "" if the counter needs no second picture."""

    front: str
    back: str = ""


class Maker:
    """The maker of a game's pieces.

    `art`: the pictures of each unit's counter.
    `side`: the side of a counter, in pixels.
    `others`: the names of further slots.
    """

    def __init__(self, game: Game, art: Mapping[str, Art], side: int, others: Iterable[str] = ()) -> None:
        self.game, self.art, self.side = game, art, side
        self.markers = hex_statuses(game)
        self.prototypes, self.headings = Prototypes(game, side), Headings(game)
        module = game.file.module
        renamed = module.renamed if module else {}
        kept = {name: slot_number(before) for name, before in renamed.items()}
        marked = (marker_slot(*one) for one in self.marked)
        self.slots = assign_slots([*art, *marked, *map(frame_slot, range(1, _MAX_TRACK_ROWS + 1)), *others], kept)
        self._brackets = game.file.notation.brackets
        sorts = module.palettes if module else ()
        kinds = (game.file.picture.nation, game.file.picture.symbol)  # the prototypes have traits for these
        printed = [name for name, track in game.tracks.items() if track.printed == "counter"]
        shown = (name for name in dict.fromkeys([*sorts, *printed]) if name not in kinds)
        self._printed_facts = {name: number for number, name in enumerate(shown)}
        """With their numbers in the order in which a piece has them."""
        self._has_backs = any(drawn.back for drawn in art.values())
        self._flips: dict[str, str] = {}
        self.tagged: dict[tuple[str, str], Status] = {}
        """The statuses that tags show, by their track and nation."""
        self._names = unit_names(game)
        self._own = {unit: self._make_own(unit) for unit in art}
        self.tagged |= {(status.track.name, status.nation): status for status in self.markers}
        reported = report_changes([status for status in self.markers if not status.nation])
        self._reports_apart = len(reported.type) > MAX_REPORT_CHARS
        """Whether each marker reports changes of its own track alone."""
        self._marker = (*(() if self._reports_apart else (reported,)), *_list_marker_traits())
        self._caps = {f"Cap: {side}": tuple(cap_traits(side)) for side in self._capped_sides()}
        self.named = {**self.prototypes.named}
        if self.markers:
            self.named[MARKERS] = self._marker
        self.named |= self._caps

    def _capped_sides(self) -> Iterator[str]:
        """Yield the sides that have markers that cover a stack."""
        yield from dict.fromkeys(self.game.side_of(status.nation) for status in self.markers if status.nation)

    def _make_own(self, unit: str) -> tuple[CounterKind, tuple[PrototypeTrait, ...]]:
        """Return the kind of a unit's counter, and its own traits: its other side, constant properties and picture."""
        art, parts = self.art[unit], list[PrototypeTrait]()
        kind = self.prototypes.kind(unit, turns=bool(art.back) or not self._has_backs)
        if kind.flip:
            parts.append(
                PrototypeTrait.status(
                    kind.flip,
                    self._flip_type(kind.flip).replace(_BACK_MARK, art.back) if art.back else kind.flip.type(self.side),
                )
            )
        tagged = (layer for layer in kind.layers if not (layer is kind.flip and art.back))
        self.tagged |= {(layer.track.name, layer.nation): layer for layer in tagged}
        known = sorted(self._printed_facts.keys() & self.game.roster[unit].keys(), key=self._printed_facts.__getitem__)
        ratings = {property_of(name): word_of(self.game, unit, name) for name in known}
        front, behind = self._values(unit, behind=False), self._values(unit, behind=True)
        if kind.flip and behind != front:
            shown = f'{level_of(kind.flip.track.name)}>1 ? "{behind}" : "{front}"'
            parts.append(PrototypeTrait.fixed(computed(VALUES, shown)))
        else:
            ratings[VALUES] = front
        ratings |= {heading_property(depth): heading for depth, heading in enumerate(self.headings.of(unit))}
        marks = marker_trait({UNIT: unit, **{name: word for name, word in ratings.items() if word}})
        return (
            kind,
            (*parts, PrototypeTrait.fixed(marks), PrototypeTrait.fixed(_basic_trait(art.front, self.name(unit)))),
        )

    def name(self, unit: str) -> str:
        """Return a unit's name for players."""
        return self._names.get(unit, unit)

    def _flip_type(self, flip: Status) -> str:
        """Return the type of the layer with a counter's other side, still without the picture."""
        if flip.track.name not in self._flips:
            self._flips[flip.track.name] = flip.turned_to(_BACK_MARK).type(self.side)
        return self._flips[flip.track.name]

    def _values(self, unit: str, *, behind: bool) -> str:
        """Return the ratings of a unit as players write them, ? for an unknown one, or "" if none is known.

        `behind`: whether the ratings are those of the other side.
        """
        words: list[str] = []
        for name in self._brackets:
            back = self.game.tracks[name].back
            word = word_of(self.game, unit, back) if behind and back else ""
            words.append(word or word_of(self.game, unit, name))
        return f"({'-'.join(word or '?' for word in words)})" if any(words) else ""

    def unit(self, unit: str) -> Piece:
        """Return the piece of a unit in a palette."""
        kind, parts = self._own[unit]
        return Piece("null", (Trait(f"prototype;{kind.prototype}"), *_traits_at(parts, {})), slot=self.slots[unit])

    def placed_unit(self, unit: str, values: Values, id: str, window: str, at: Pixel) -> Piece:
        """Return the piece of a unit on a map with values of its tracks, its prototypes expanded."""
        type = self.game.type_of(unit)
        kind, parts = self._own[type]
        traits = *_traits_at(kind.parts, values), *_traits_at(parts, values)
        piece = Piece(id, traits, window, at, self.slots[type])
        return piece if unit == type else name_unit(piece, unit)

    def shown(self, unit: str) -> dict[str, list[Value | None] | None]:
        """Return the values of each track that a unit's counter can show, or None if the track is free text."""
        kind, _ = self._own[unit]
        known: dict[str, list[Value | None] | None] = {status.track.name: status.values for status in kind.layers}
        if kind.side:
            known |= {name: list(self.game.file.sides) for name in (MASKED, INVISIBLE)}
        return known | {track.name: None for track in kind.texts}

    @property
    def marked(self) -> Iterator[tuple[Status, Value | None]]:
        """The statements of markers: each track of hexes with each of its values."""
        return ((status, value) for status in self.markers for value in status.values)

    def marker(self, status: Status, value: Value | None) -> Piece:
        """Return the marker of a value in a palette."""
        shared = self._cap_prototype(status) if status.nation else MARKERS
        traits = Trait(f"prototype;{shared}"), *self._states(status, value)
        return Piece("null", traits, slot=self._find_slot(status, value))

    def _cap_prototype(self, status: Status) -> str:
        """Return the prototype of a marker that covers a stack."""
        return f"Cap: {self.game.side_of(status.nation)}"

    def placed_marker(self, status: Status, value: Value, id: str, window: str, at: Pixel) -> Piece:
        """Return the marker of a value on a map, its prototype expanded."""
        shared = self._caps[self._cap_prototype(status)] if status.nation else self._marker
        return Piece(id, (*shared, *self._states(status, value)), window, at, self._find_slot(status, value))

    def _find_slot(self, status: Status, value: Value | None) -> str:
        return self.slots[marker_slot(status, value)]

    def _states(self, status: Status, value: Value | None) -> tuple[Trait, ...]:
        """Return the layer that players change, and what shows it.

        That is the printed marker, or on a map where counters would cover it, a tag beside them.
        """
        marks = {MARKER: status.track.name}
        reports: tuple[Trait, ...] = ()
        if self._reports_apart and not status.nation:
            reports = (report_changes([status]),)
        if status.nation:
            marks[self.game.file.picture.nation] = status.nation
        marked = marker_trait(marks), _basic_trait("", _marker_title(status))
        faces = [marker_image(status, level.value) for level in status.levels]
        printed = status._replace(
            levels=tuple(level._replace(image=face) for level, face in zip(status.levels, faces, strict=True))
        )
        if not any(status.shown.at):
            return *reports, printed.trait(value, self.side), *marked
        bare = status._replace(levels=tuple(level._replace(image="") for level in status.levels))
        return (
            *reports,
            *_show_on_the_map(status, self.side),
            *_show_in_the_palette(status, marker_image(status, value)),
            bare.trait(value, self.side),
            *marked,
        )


def _traits_at(parts: tuple[PrototypeTrait, ...], values: Values) -> list[Trait]:
    return [Trait(part.type, part.state(values)) for part in parts]


def _show_on_the_map(status: Status, side: int) -> Iterator[Trait]:
    """Yield the layer of a marker with the tag of the chosen value, and the property that it follows.

    VASSAL computes no property for a piece in a palette, where such a layer is on its first level.
    """
    images, follows = ("", *(level.image for level in status.levels)), f"{property_of(status.track.name)}_on_map"
    at = round(status.shown.at[0] * side), round(status.shown.at[1] * side)
    yield _make_following(f"{SEEN_LAYER.format(status.track.name)} on the map", images, follows, at)
    yield computed(follows, f"{level_of(status.track.name)}+1")


def _show_in_the_palette(status: Status, image: str) -> Iterator[Trait]:
    """Yield the layer with a marker's picture in a palette, and the property that it follows."""
    follows = f"{property_of(status.track.name)}_in_play"
    yield _make_following(f"{SEEN_LAYER.format(status.track.name)} in the palette", (image, ""), follows, (0, 0))
    yield computed(follows, f"{level_of(status.track.name)}>0 ? 2 : 1")


def _make_following(name: str, images: tuple[str, ...], follows: str, at: Pixel) -> Trait:
    return Trait(LayerTrait(name, images, ("",) * len(images), x=at[0], y=at[1], follows=follows).type, "1")


def marker_slot(status: Status, value: Value | None) -> str:
    """Return the slot name of the marker of a value; no unit has such a name."""
    first = value == status.values[0]  # the name of its marker lacks the value, as in older saves
    name = f"marker {status.track.name}" + (f" {status.nation}" if status.nation else "")
    return name + ("" if first or value is None else f" {status.track.write(value)}")


def frame_slot(row: int) -> str:
    """Return the slot name of the frame around the current turn in a row of the turn track."""
    return f"current turn, row {row}"


def marker_image(status: Status, value: Value | None) -> str:
    """Return the file of the printed marker of a value."""
    written = "" if value is None else status.track.write(value)
    return f"marker-{file_word(status.track.name)}-{file_word(status.nation or written)}.png"


def marker_name(status: Status, value: Value | None) -> str:
    """Return the marker's name for players, such as `IP 2`, `Russian: control`, `Russian Stack Cap`."""
    if status.nation:
        return f"{status.nation.title()} {_marker_title(status)}"
    tag = "" if value is None else status.track.tag(value)
    name = f"{tag}: {_marker_title(status).lower()}" if status.shown.tag == "{}" else tag
    return name[:1].upper() + name[1:]


def _marker_title(status: Status) -> str:
    """Return the title of a track's marker for players."""
    return status.shown.tag.replace("{}", "").strip() or status.track.name.capitalize()


def _list_marker_traits() -> list[Trait]:
    """Return the traits of all markers: they can be removed, and lie below counters in no stack."""
    return [
        delete("Remove", OUT_OF_PLAY.stroke),
        does_not_stack(),
        marker_trait({LAYER: MARKERS}),
    ]


def _basic_trait(image: str, name: str) -> Trait:
    return Trait(join(("piece", "", "", image, name), ";"))


class Headings:
    """The headings of a game's counters. Raises InputError for a fault in `course.toml`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        course = course_file(game)
        self._armies = {army.name: army.title or course.organisation.title for army in course.army}
        module = game.file.module
        self._sorts = [game.tracks[name] for name in module.palettes] if module else []
        self._nation = game.tracks.get(game.file.picture.nation)

    @property
    def depth(self) -> int:
        """The number of headings above a counter."""
        return len(self._below) + 1 if self._sorts else 0

    @property
    def _below(self) -> list[Track | None]:
        """The tracks of the headings below the sides, or the nation alone."""
        below: list[Track | None] = [track for track in self._sorts if track is not self._nation]
        return below or [None]

    def of(self, unit: str) -> list[str]:
        """Return the headings of a unit's counter, the outermost first: `Central Powers`, `German Eighth Army`, `Corps 1`.

        The nation precedes the first heading that does not imply it.
        """
        if not self._sorts:
            return []
        nation = word_of(self.game, unit, self._nation.name) if self._nation else ""
        side = side_of(self.game, unit)
        title, several = self.game.file.title_of(nation), len(self.game.file.sides.get(side, ())) > 1
        first = self.game.file.title_of(side) if side else title or "Others"
        below = [self.word(track, unit) or f"without {track.title}" if track else title for track in self._below]
        if side and several and self._below[0]:
            is_army = word_of(self.game, unit, self._below[0].name) in self._armies
            below[0] = f"{title} {below[0]}" if is_army else f"{title}: {below[0]}"
        return [first, *below]

    def word(self, track: Track, unit: str) -> str:
        """Return a printed fact as a heading, such as `Eighth Army`, `Corps 1`, `Heavy Artillery`, or "" if it is not known."""
        word = word_of(self.game, unit, track.name)
        name = track.title[:1].upper() + track.title[1:]
        if not word:
            return ""
        if word in self._armies:
            return self._armies[word].replace("{}", word)
        if _ORDINAL.fullmatch(word):
            return f"{word[:1].upper()}{word[1:]} {name}"
        return self.game.file.title_of(word) if track.kind == "choice" else f"{name} {word}"


def heading_property(depth: int) -> str:
    """Return the property of a counter's heading at a depth, from 0."""
    return f"heading_{depth + 1}"

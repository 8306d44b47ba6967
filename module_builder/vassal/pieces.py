"""The pieces of a module: counters and markers with their traits, and ids that stay the same from build to build."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.positions import MARKER, UNIT
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import Trait, key, marker
from assistant.game.games import Game
from assistant.state.sources import Value
from assistant.util.errors import InputError

from ..counters import word_of
from .hiding import covers
from .statuses import Status, file_word, hex_statuses, strokes_of, unit_labels, unit_statuses

#: Slot ids are whole numbers below this one; VASSAL numbers slots that an editor adds from here on.
FIRST_FREE_SLOT = 2**30
PROTOTYPE = "Counter"
OUT_OF_PLAY = "D"
"""The key that takes a counter off the map."""


class Art(NamedTuple):
    """The pictures of a counter: its front, and its other side, "" for none."""

    front: str
    back: str = ""


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
        self.slots = slots([*art, *map(marker_slot, self.markers)])
        self.prototype = _prototype(game)

    def unit(self, unit: str, values: Mapping[str, Value]) -> Piece:
        """The piece of a unit with its tracks at these values, as a palette holds it."""
        below: list[Trait] = []
        above: list[Trait] = [Trait(f"prototype;{PROTOTYPE}"), *covers(self.game, unit, values)]
        for track, label in unit_labels(self.game, unit):
            above.append(Trait(label.type, str(values.get(track.name, ""))))
        for status in unit_statuses(self.game, unit):
            trait = status.turned_to(self.art[unit].back).trait(values.get(status.track.name), self.side)
            (below if status.shown.flips else above).append(trait)
        sorts = self.game.file.module.palettes if self.game.file.module else ()
        marks = marker(**{UNIT: unit, **{name: word_of(self.game, unit, name) for name in sorts}})
        return Piece("null", (*above, *below, marks, _basic(self.art[unit].front, unit)), slot=self.slots[unit])

    def marker(self, status: Status, value: Value | None = None) -> Piece:
        """The marker that states a track of its hex."""
        trait = status.trait(status.values[0] if value is None else value, self.side)
        plain = "" if any(status.shown.at) else status.levels[0].image  # beside a counter the tag alone is seen
        traits = (Trait(f"prototype;{PROTOTYPE}"), trait, marker(**{MARKER: status.track.name}))
        return Piece("null", (*traits, _basic(plain, marker_title(status))), slot=self.slots[marker_slot(status)])

    def placed(self, piece: Piece, id: str, map: str, at: Pixel) -> Piece:
        """A piece of a palette on a map: with its own id, and the prototype's traits in place of the prototype."""
        traits = (one for trait in piece.traits for one in (self.prototype if trait.kind == "prototype" else (trait,)))
        return piece._replace(id=id, traits=tuple(traits), map=map, at=at)


def marker_slot(status: Status) -> str:
    """What the marker of a track is called among the names of slots, where no unit is called the same."""
    return f"marker {status.track.name}"


def marker_title(status: Status) -> str:
    """What players call the marker of a track."""
    return status.shown.tag.replace("{}", "").strip() or status.track.name.capitalize()


def _basic(image: str, name: str) -> Trait:
    return Trait(join(("piece", "", "", image, name), ";"))


def _prototype(game: Game) -> tuple[Trait, ...]:
    """What all counters have: they can be taken off the map, and their changes are reported to all players."""
    changed = _report(strokes_of(game.tracks.values()), "$location$: $oldPieceName$ is now $newPieceName$")
    gone = _report([key(OUT_OF_PLAY)], "$oldPieceName$ is out of play")
    return gone, changed, Trait(join(["delete", "Out of play", key(OUT_OF_PLAY), "Out of play"], ";"))


def _report(strokes: Iterable[str], text: str) -> Trait:
    """A trait that writes a text into the chat at these keystrokes."""
    return Trait(join(["report", join(strokes, ","), text, "", "", "Tell all players", "false"], ";"), "-1")


def slot_number(name: str) -> int:
    """A number that depends on a name alone."""
    return int.from_bytes(sha256(name.encode()).digest()[:4]) % (FIRST_FREE_SLOT - 1) + 1


def slots(names: Iterable[str]) -> dict[str, str]:
    """The slot id of each name. Raises InputError if two names come to the same one, which no list of units has yet done."""
    found: dict[str, str] = {}
    taken: dict[int, str] = {}
    for name in names:
        number = slot_number(name)
        if number in taken:
            raise InputError(f"{name} and {taken[number]} have the same slot id", hint="rename one of the two units")
        taken[number] = name
        found[name] = str(number)
    return found

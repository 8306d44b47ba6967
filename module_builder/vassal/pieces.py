"""The pieces of a module: counters and markers with their traits, and ids that stay the same from build to build."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from assistant.errors import InputError
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.positions import MARKER, UNIT
from assistant.formats.vassal.saves import Piece, state_of, type_of
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import Label, Layer, Trait, key, marker
from assistant.games import Game
from assistant.sources import Value
from assistant.tracks import InModule, Track

#: Slot ids are whole numbers below this one; VASSAL numbers slots that an editor adds from here on.
FIRST_FREE_SLOT = 2**30
#: Values of a whole number that nothing printed bounds.
MOST = 20
PROTOTYPE = "Counter"
_TEXT_KEY = "T"


class Level(NamedTuple):
    """A value of a track as a layer shows it: the picture of its tag, "" for none, and the name it adds to the piece's."""

    value: Value
    image: str
    name: str


class Status(NamedTuple):
    """A track as the counters of one kind show it, value by value, what silence means first."""

    track: Track
    shown: InModule
    levels: tuple[Level, ...]

    def turned_to(self, back: str) -> Status:
        """The same with the counter's other side as its picture, if that is what shows it."""
        if not (self.shown.flips and back):
            return self
        silent, *others = self.levels
        return self._replace(levels=(silent, *(level._replace(image=back) for level in others)))

    def trait(self, value: Value | None, side: int) -> Trait:
        """The layer at a value, None for what silence means. side: of the counter, in pixels."""
        values = [level.value for level in self.levels]
        at = values.index(value) + 1 if value in values else 1
        menus, keys = (*self.shown.menu, "", "")[:2], (*self.shown.keys, "", "")[:2]
        up, down = (
            (menu, key(letter) if letter else named(menu)) if menu else ("", "")
            for menu, letter in zip(menus, keys, strict=True)
        )
        layer = Layer(
            self.track.name,
            tuple(level.image for level in self.levels),
            tuple(level.name for level in self.levels),
            up,
            down,
            round(self.shown.at[0] * side),
            round(self.shown.at[1] * side),
            loop=self.track.kind != "integer",
        )
        return Trait(layer.type, str(at))


def named(menu: str) -> str:
    """A keystroke without a key of its own, by the menu's line."""
    return f"57344,0,{menu}"


def tag_image(track: Track, value: Value) -> str:
    """The file of the tag that shows a value; the same value has the same file in every build."""
    return f"tag-{track.name}-{_file_word(track.write(value))}.png"


def counter_image(unit: str, face: str) -> str:
    """The file of one face of a counter."""
    return f"{_file_word(unit)}-{slot_number(unit):x}-{face}.png"


def _file_word(text: str) -> str:
    """A text as part of a file's name on any disk."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in text)
    return plain.replace("-", "minus")[:40]


def slot_number(unit: str) -> int:
    """A number that depends on a unit's name alone."""
    return int.from_bytes(sha256(unit.encode()).digest()[:4]) % (FIRST_FREE_SLOT - 1) + 1


def slots(names: Iterable[str]) -> dict[str, str]:
    """The slot id of each name. Raises InputError if two names come to the same one, which no list of units has yet done."""
    found: dict[str, str] = {}
    taken: dict[int, str] = {}
    for name in names:
        number = slot_number(name)
        if number in taken:
            raise InputError(f"{name} and {taken[number]} come to the same slot id", hint="rename one of the two units")
        taken[number] = name
        found[name] = str(number)
    return found


# --- statuses ---------------------------------------------------------------------------------------------------------


def statuses(game: Game, unit: str) -> list[Status]:
    """The tracks that the counter of a unit shows as layers."""
    found = []
    for track in game.tracks.values():
        if track.on == "unit" and track.module is not None and _has(game, unit, track.module.needs):
            values = track.in_turn(_bound(game, unit, track))
            if len(values) > 1:
                found.append(Status(track, track.module, levels(track, values)))
    return found


def levels(track: Track, values: Iterable[Value]) -> tuple[Level, ...]:
    """The levels of a layer that shows these values, the first of them by nothing."""
    silent, *others = values
    return (
        Level(silent, "", ""),
        *(Level(value, tag_image(track, value), f"+ {track.word(value)}") for value in others),
    )


def labels(game: Game, unit: str) -> list[tuple[Track, InModule]]:
    """The tracks that the counter of a unit shows as texts."""
    shown = ((track, track.module) for track in game.tracks.values() if track.on == "unit" and track.kind == "text")
    return [(track, module) for track, module in shown if module is not None and _has(game, unit, module.needs)]


def _has(game: Game, unit: str, needed: str) -> bool:
    """Whether a counter prints a fact, other than that there is none of it."""
    facts = game.roster[unit].get(needed, [])
    return not needed or bool(facts and facts[0].value)


def _bound(game: Game, unit: str, track: Track) -> int:
    """The highest number that a track reaches on a unit: one below what bounds it, where that is printed."""
    facts = game.roster[unit].get(track.below, [])
    bound = max((fact.value for fact in facts if isinstance(fact.value, int)), default=0)
    return bound - 1 if bound else MOST


def hex_markers(game: Game) -> list[Track]:
    """The tracks of hexes that markers show."""
    return [track for track in game.tracks.values() if track.on == "hex" and track.module is not None]


# --- pieces -----------------------------------------------------------------------------------------------------------


class Art(NamedTuple):
    """The pictures of a counter: its front, and its other side, "" for none."""

    front: str
    back: str = ""


class Maker:
    """Makes the pieces of one game.

    art: the pictures of each unit's counter; side: of a counter, in pixels.
    """

    def __init__(self, game: Game, art: Mapping[str, Art], side: int) -> None:
        self.game, self.art, self.side = game, art, side
        self.slots = slots([*art, *map(marker_name, hex_markers(game))])
        self.prototype = _prototype(game)

    def unit(self, unit: str, values: Mapping[str, Value]) -> Piece:
        """The piece of a unit with its tracks at these values, as a palette holds it."""
        below: list[Trait] = []
        above: list[Trait] = [Trait(f"prototype;{PROTOTYPE}")]
        for track, shown in labels(self.game, unit):
            above.append(_label(track, shown, str(values.get(track.name, ""))))
        for status in statuses(self.game, unit):
            trait = status.turned_to(self.art[unit].back).trait(values.get(status.track.name), self.side)
            (below if status.shown.flips else above).append(trait)
        told = marker(**{UNIT: unit, **self._printed(unit)})
        return Piece("null", (*above, *below, told, _basic(self.art[unit].front, unit)), slot=self.slots[unit])

    def marker(self, track: Track, value: Value | None = None) -> Piece:
        """The marker that states a track of the hex it lies on."""
        shown = track.module
        if shown is None:
            raise ValueError(f"no module shows {track.name}")
        faces = levels(track, track.in_turn())[1:]
        status = Status(track, shown, faces)
        trait = status.trait(faces[0].value if value is None else value, self.side)
        told = marker(**{MARKER: track.name})
        traits = (Trait(f"prototype;{PROTOTYPE}"), trait, told, _basic(faces[0].image, _title(track)))
        return Piece("null", traits, slot=self.slots[marker_name(track)])

    def placed(self, piece: Piece, id: str, map: str, at: Pixel) -> Piece:
        """A piece of a palette as it lies on a map: with its own id, and the traits of the prototype in place of it."""
        traits = (one for trait in piece.traits for one in (self.prototype if trait.kind == "prototype" else (trait,)))
        return piece._replace(id=id, traits=tuple(traits), map=map, at=at)

    def _printed(self, unit: str) -> dict[str, str]:
        """What a module sorts and counts its pieces by."""
        sorts = self.game.file.module.palettes if self.game.file.module else ()
        return {name: printed(self.game, unit, name) for name in sorts}


def printed(game: Game, unit: str, name: str) -> str:
    """A fact printed on a counter, in words; "" where there is none."""
    facts = game.roster[unit].get(name, [])
    return game.tracks[name].write(facts[0].value) if facts else ""


def marker_name(track: Track) -> str:
    """What the marker of a track is called among the slots."""
    return f"marker {track.name}"


def _title(track: Track) -> str:
    return track.title[:1].upper() + track.title[1:]


def _basic(image: str, name: str) -> Trait:
    return Trait(join(("piece", "", "", image, name), ";"))


def _label(track: Track, shown: InModule, text: str) -> Trait:
    """The text that a player may type on a counter."""
    letter = shown.keys[0] if shown.keys else ""
    stroke = key(letter) if letter else named(shown.menu[0])
    told = Label(track.name, shown.menu[0], stroke, f"$pieceName$ {track.name}=$label$")
    return Trait(told.type, text)


def _prototype(game: Game) -> tuple[Trait, ...]:
    """What all counters have: they can be taken off the map, and what changes on them is told to all players."""
    shown = [track.module for track in game.tracks.values() if track.module is not None and track.on in ("unit", "hex")]
    strokes = [
        key(letter) if letter else named(menu)
        for module in shown
        for menu, letter in zip(module.menu, (*module.keys, "", "")[: len(module.menu)], strict=True)
    ]
    told = ["report", join(dict.fromkeys(strokes), ","), "$location$: $oldPieceName$ is now $newPieceName$", "", ""]
    return Trait(join(["delete", "Out of play", key("D"), "Out of play"], ";")), Trait(
        join([*told, "Tell all players", "false"], ";"), "-1"
    )


def definition(piece: Piece) -> str:
    """A piece as a module's file holds it."""
    return "+/" + join((piece.id, type_of(piece), state_of(piece)), "/")

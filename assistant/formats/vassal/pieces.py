"""Pieces and stacks of pieces, and the commands that add them to a game."""

from __future__ import annotations

import re
from sys import intern
from typing import NamedTuple

from ...util.limits import Limit
from .grids import LONGEST, REACH, Pixel
from .sequence import flag, fold, join, remembered, split, unfold
from .traits import INVISIBLE, KINDS, MASK, Trait, hidden_name, level, read_label, read_layer, read_marker

NOWHERE = "null"
ADD = "+/"
"""Begins the command that adds a piece, a stack or a deck."""
_STACK, _DECK = "stack", "deck;"
_DECK_NAME = 13  # its place in the type of a deck
#: A whole number as VASSAL reads it from a property.
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_LAYER = "@@"
"""Begins the layer of a stack, behind its pieces."""


class Piece(NamedTuple):
    """A piece.

    id: unique in this game; traits: outermost first, the basic piece last, whose state is left empty because the other fields
    are that state; map: "" for a piece off all maps; at: its position on the map in pixels; slot: the id of the palette's
    slot it came from; properties: those that VASSAL keeps with it.
    """

    id: str
    traits: tuple[Trait, ...]
    map: str = ""
    at: Pixel = (0, 0)
    slot: str = ""
    properties: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """Its name in VASSAL, including what layers and labels add."""
        basic, *outer = reversed(self.traits)
        named = [(*split(trait.type, ";"), "")[1] for trait in outer if trait.kind == "basicName"]
        full = named[-1] if named else (split(basic.type, ";")[4:5] or [""])[0]
        for trait in outer:
            full = self._renamed(full, trait)
        return full

    def told(self, text: str, **values: str) -> str:
        """A text with the properties of the piece that it names between dollar signs, or values of its own; others stay as they are written."""

        def value(found: re.Match[str]) -> str:
            given = values.get(found[1])
            return found[0] if given is None and (given := self.noted(found[1])) is None else given[:LONGEST]

        return re.sub(r"\$(\w+)\$", value, text[:LONGEST])[:LONGEST] if "$" in text else text[:LONGEST]

    def level(self, trait: Trait) -> int:
        """The level of one of its layers, from 1; negative while it is inactive. A layer may follow a property of the piece."""
        if trait.kind != "emb2":
            return 0
        layer, stated = read_layer(trait.type), level(trait)
        at, last = abs(stated), max(len(layer.images), 1)
        if layer.follows and (value := self.noted(layer.follows)) is not None:
            if not value:
                at = 1
            elif _WHOLE.fullmatch(value):  # by any other text VASSAL leaves the level as it is
                at = max(int(value) - layer.first + 1, 1)
        return min(at, last) * (1 if stated > 0 else -1)

    def noted(self, name: str) -> str | None:
        """The value of a marker or a dynamic property, the outermost of several; None if it has none."""
        for trait in self.traits:
            if trait.kind == "PROP" and (*split(trait.type, ";"), "")[1] == name:
                return trait.state
            if trait.kind == "mark" and name in (values := read_marker(trait)):
                return values[name]
        return None

    def _renamed(self, name: str, trait: Trait) -> str:
        """The name of the piece as changed by one more of its traits."""
        if trait.kind == "emb2":
            layer, at = read_layer(trait.type), self.level(trait)
            first, *more = split(layer.names[at - 1] if 0 < at <= len(layer.names) else "", "+")
            return (first + name if first else name + more[0]) if more else first or name
        if trait.kind == "label":
            label = read_label(trait.type)
            text = trait.state.strip().replace(f"${label.kept_in}$", "")
            said = str(int(text)) if _WHOLE.fullmatch(text) else self.told(text)
            return self.told(label.written, pieceName=name, label=said) if text or label.always else name
        if trait.kind in (MASK, INVISIBLE) and _owner(trait):
            return f"{name}({hidden_name(trait.type)})"  # for its owner; for others it is that name alone, or nothing
        return name

    def owner(self, trait: Trait) -> str:
        """Who masks the piece or makes it invisible by one of its traits, "" if nobody does."""
        return _owner(trait) if trait.kind in (MASK, INVISIBLE) else ""

    def owners(self) -> dict[str, str]:
        """Who masked it or made it invisible, by the kind of trait: a player's id or a side's name."""
        covers = [trait for trait in self.traits if trait.type.startswith((f"{MASK};", f"{INVISIBLE};"))]
        return {trait.kind: owner for trait in covers if (owner := _owner(trait))}

    def marks(self) -> dict[str, str]:
        """The properties of all its markers, the outermost first."""
        found: dict[str, str] = {}
        for trait in self.traits:
            if trait.type.startswith("mark;"):
                for name, value in read_marker(trait).items():
                    found.setdefault(name, value)
        return found


def _owner(trait: Trait) -> str:
    """Who hides a piece by a trait, "" if it is not hidden."""
    owner = split(trait.state, ";")[0]
    return "" if owner == NOWHERE else owner


class Stack(NamedTuple):
    """A stack of pieces, or a deck of cards.

    pieces: their ids, bottom first; layer: of its map, above or below other stacks, None in saves of old engines; deck: the type of a
    deck as VASSAL writes it, "" for a stack; face_down: whether the cards of a deck lie face down.
    """

    id: str
    pieces: tuple[str, ...]
    map: str = ""
    at: Pixel = (0, 0)
    layer: int | None = 0
    deck: str = ""
    face_down: bool = False

    @property
    def name(self) -> str:
        """The name of a deck, "" for a stack."""
        return (split(self.deck, ";")[_DECK_NAME:] or [""])[0] if self.deck else ""


def parts_of(piece: Piece) -> int:
    """What a piece consists of: its traits and properties, counted."""
    return len(piece.traits) + len(piece.properties)


def of_command(command: str) -> Piece | Stack:
    """The piece, stack or deck that a command adds. Raises ValueError if it is incomplete."""
    id, type, state = split(command[len(ADD) :], "/")
    if type == _STACK or type.startswith(_DECK):
        return stack_of_state(id, state, "" if type == _STACK else type)
    return _piece(id, _types(type), state)


def restated(piece: Piece, state: str) -> Piece:
    """A piece with another state. Raises ValueError for a state of another kind of piece."""
    return _piece(piece.id, tuple(trait.type for trait in piece.traits), state)


@remembered
def _types(type: str) -> tuple[str, ...]:
    return tuple(map(intern, unfold(type)))  # pieces share most of their traits


def _piece(id: str, types: tuple[str, ...], state: str) -> Piece:
    states = unfold(state, len(types))
    if len(states) != len(types):
        raise ValueError(f"{len(types)} traits with {len(states)} states")
    *states, place = states
    window, x, y, *more = split(place, ";")
    properties = more[2:]
    return Piece(
        id,
        tuple(map(Trait, types, (*states, ""))),
        "" if window == NOWHERE else intern(window),
        pixel(x, y),
        more[0] if more else "",
        tuple(zip(properties[::2], properties[1::2], strict=False)),
    )


def stack_of_state(id: str, state: str, deck: str = "") -> Stack:
    """The stack with a state, or the deck of a type. Raises ValueError if the state is incomplete."""
    map, x, y, *more = split(state, ";")
    window = "" if map == NOWHERE else intern(map)  # of tens of thousands of empty stacks
    if deck:
        cards = tuple(split(more[1], ",")) if more[1:] and more[1] else ()
        Limit.STACK.check(len(cards), "a deck holds")
        return Stack(id, cards, window, pixel(x, y), None, deck, more[:1] == [flag(True)])
    ids = tuple([token for token in more if not token.startswith(_LAYER)])
    if ids:
        Limit.STACK.check(len(ids), "a stack holds")
    layer = next((int(token[len(_LAYER) :]) for token in more if token.startswith(_LAYER)), None)
    return Stack(id, ids, window, pixel(x, y), layer)


def pixel(x: str, y: str) -> Pixel:
    """A position on a map. Raises ValueError for other texts."""
    at = int(x), int(y)
    if max(map(abs, at)) >= REACH:
        raise ValueError(f"{x[:20]},{y[:20]} is beyond any map")
    return at


def definition(piece: Piece) -> str:
    """A piece as the command that adds it, which is also how a module's file holds it."""
    return ADD + join((piece.id, type_of(piece), state_of(piece)), "/")


def type_of(piece: Piece) -> str:
    """A piece's type, with those of all its traits nested."""
    return fold(trait.type for trait in piece.traits)


def state_of(piece: Piece) -> str:
    """A piece's state, with those of all its traits nested."""
    return fold(trait.state for trait in (*piece.traits[:-1], Trait("", basic_state(piece))))


def basic_state(piece: Piece) -> str:
    """The state of a piece without its traits: its place, its slot, its properties."""
    noted = [word for pair in piece.properties for word in pair]
    place = [piece.map or NOWHERE, *map(str, piece.at), piece.slot, str(len(piece.properties)), *noted]
    return join(place, ";")


def stack_state(stack: Stack) -> str:
    """A stack's state: its position, its pieces, bottom first, and its layer if it is known; for a deck its position and its cards."""
    place = (stack.map or NOWHERE, *map(str, stack.at))
    if stack.deck:
        cards = (join(stack.pieces, ","),) if stack.pieces else ()
        return join((*place, flag(stack.face_down), *cards), ";")
    layer = () if stack.layer is None else (f"{_LAYER}{stack.layer}",)
    return join((*place, *stack.pieces, *layer), ";")


def stack_definition(stack: Stack) -> str:
    """A stack or a deck as the command that adds it."""
    return ADD + join((stack.id, stack.deck or _STACK, stack_state(stack)), "/")


def unknown_kinds(piece: Piece) -> list[str]:
    """Kinds of traits of a piece that are not understood, each once."""
    return list(dict.fromkeys(trait.kind for trait in piece.traits if trait.kind not in KINDS))

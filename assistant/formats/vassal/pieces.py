"""Pieces and stacks of pieces, and the commands that add them to a game."""

from __future__ import annotations

import re
from sys import intern
from typing import NamedTuple

from .grids import REACH, Pixel
from .properties import BASIC, Carried, written_on
from .sequence import fold, join, remembered, split, unfold, write_flag
from .traits import (
    INVISIBLE,
    KINDS,
    MASK,
    Trait,
    hidden_name,
    read_label,
    read_layer,
    read_marker,
    split_type,
    write_type,
)

NOWHERE = "null"
ADD = "+/"
"""Begins the command that adds a piece, a stack or a deck."""
_STACK = "stack"
"""The type of a stack."""
_DECK = "deck;"
"""How the type of a deck begins."""
_STACKS = "L"
"""What a trait says of a piece that stacks with others."""
_PLACE_PICKED = 8
"""Where the type of a deck says whether players pick cards out of it."""
_PLACE_NAME = 13
"""Where it has its name."""
_PLACE_SHOWN = 21
"""Where it says how many cards it shows at most."""
_PLACE_KEPT = 48
"""Where it says whether only some sides may touch it, which follow."""
_USUAL_SHOWN = 10
"""The cards that a deck shows which says nothing else."""
_LAYER = "@@"
"""Begins the layer of a stack, behind its pieces."""


class Piece(NamedTuple):
    """A piece."""

    id: str
    """Unique in this game."""
    traits: tuple[Trait, ...]
    """Outermost first, the basic piece last, whose state is left empty because the other fields are that state."""
    map: str = ""
    """Empty for a piece off all maps."""
    at: Pixel = (0, 0)
    """Its position on the map in pixels."""
    slot: str = ""
    """The id of the palette's slot it came from."""
    properties: tuple[tuple[str, str], ...] = ()
    """Those that VASSAL keeps with it."""

    @property
    def name(self) -> str:
        """Its name in VASSAL, including what layers and labels add."""
        return self.named(Carried(self.traits))

    def named(self, carried: Carried) -> str:
        """Return its name as its properties make it."""
        full = carried.values.get(BASIC, "")
        for trait in reversed(self.traits):
            full = _rename(full, trait, carried)
        return full

    @property
    def stacks(self) -> bool:
        """Whether it may lie in a stack. One that never does lies beside others; the outermost trait that says so
        decides.
        """
        trait_of_stacking = next((trait for trait in self.traits if trait.kind == "immob"), None)
        return trait_of_stacking is None or _STACKS in trait_of_stacking.part(3)

    def owner(self, trait: Trait) -> str:
        """Return who masks the piece or makes it invisible by one of its traits, "" if nobody does."""
        return _find_owner(trait) if trait.kind in (MASK, INVISIBLE) else ""

    def owners(self) -> dict[str, str]:
        """Return who masked it or made it invisible, by the kind of trait: a player's id or a side's name."""
        covers = [trait for trait in self.traits if trait.type.startswith((f"{MASK};", f"{INVISIBLE};"))]
        return {trait.kind: owner for trait in covers if (owner := _find_owner(trait))}

    def marks(self) -> dict[str, str]:
        """Return the properties of all its markers, the outermost first."""
        values: dict[str, str] = {}
        for trait in self.traits:
            if trait.type.startswith("mark;"):
                for name, value in read_marker(trait).items():
                    values.setdefault(name, value)
        return values


def _rename(name: str, trait: Trait, carried: Carried) -> str:
    """Return the name of a piece as changed by one more of its traits."""
    if trait.kind == "emb2":
        layer = read_layer(trait.type)
        at = carried.level(trait)
        first, *more = split(layer.names[at - 1] if 0 < at <= len(layer.names) else "", "+")
        if not more:
            return first or name
        return first + name if first else name + more[0]
    if trait.kind == "label":
        label = read_label(trait.type)
        if written_on(trait) or label.always:
            return carried.expand(label.written, pieceName=name, label=carried.text_on(trait))
    if trait.kind in (MASK, INVISIBLE) and _find_owner(trait):
        return f"{name}({hidden_name(trait.type)})"  # for its owner; for others it is that name alone, or nothing
    return name


def _find_owner(trait: Trait) -> str:
    """Return who hides a piece by a trait, "" if it is not hidden."""
    owner = split(trait.state, ";")[0]
    return "" if owner == NOWHERE else owner


class PieceStack(NamedTuple):
    """A stack of pieces, or a deck of cards."""

    id: str
    pieces: tuple[str, ...]
    """Their ids, bottom first."""
    map: str = ""
    at: Pixel = (0, 0)
    layer: int | None = 0
    """Of its map, above or below other stacks, None in saves of old engines."""
    deck: str = ""
    """The type of a deck as VASSAL writes it, "" for a stack."""
    face_down: bool = False
    """Whether the cards of a deck lie face down."""

    @property
    def name(self) -> str:
        """The name of a deck, "" for a stack."""
        return self._part_of_type(_PLACE_NAME)

    @property
    def shows(self) -> int:
        """How many cards of a deck are drawn at most: whether there are more is not seen."""
        number = self._part_of_type(_PLACE_SHOWN)
        return int(number) if re.fullmatch("[0-9]{1,6}", number) else _USUAL_SHOWN

    def opens_to(self, side: str) -> bool:
        """Return whether players of a side pick cards out of a deck, so that they see those that lie face up."""
        is_kept = self._part_of_type(_PLACE_KEPT) == write_flag(True)
        return self._part_of_type(_PLACE_PICKED) == write_flag(True) and (
            not is_kept or side in split(self._part_of_type(_PLACE_KEPT + 1), ",")
        )

    def _part_of_type(self, place: int) -> str:
        """Return what the type of a deck says in a place, "" if nothing."""
        return split_type(self.deck, place + 1)[place]


def write_deck_type(name: str, *, picked: bool, shows: str, owners: str | None) -> str:
    """Return the type of a deck as far as it is read. owners: the sides that may touch it, with commas; None if all
    may.

    Backslashes at the end of a text, which a sequence cannot hold, are left out.
    """
    settings = {
        _PLACE_PICKED: write_flag(picked),
        _PLACE_NAME: name,
        _PLACE_SHOWN: shows,
        _PLACE_KEPT: write_flag(owners is not None),
        _PLACE_KEPT + 1: owners or "",
    }
    parts = {place: text.rstrip("\\") for place, text in settings.items()}
    return write_type(_DECK.removesuffix(";"), _PLACE_KEPT + 1, parts)


def piece_parts(piece: Piece) -> int:
    """Return what a piece consists of: its traits and properties, counted."""
    return len(piece.traits) + len(piece.properties)


def read_added(command: str) -> Piece | PieceStack:
    """Return the piece, stack or deck that a command adds. Raises ValueError if it is incomplete."""
    id, type, state = split(command[len(ADD) :], "/")
    if type == _STACK or type.startswith(_DECK):
        return stack_of_state(id, state, "" if type == _STACK else type)
    return _make_piece(id, _split_types(type), state)


def with_state(piece: Piece, state: str) -> Piece:
    """Return a piece with another state. Raises ValueError for a state of another kind of piece."""
    return _make_piece(piece.id, tuple(trait.type for trait in piece.traits), state)


@remembered
def _split_types(type: str) -> tuple[str, ...]:
    return tuple(map(intern, unfold(type)))  # pieces share most of their traits


def _make_piece(id: str, types: tuple[str, ...], state: str) -> Piece:
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


def stack_of_state(id: str, state: str, deck: str = "") -> PieceStack:
    """Return the stack with a state, or the deck of a type. Raises ValueError if the state is incomplete."""
    map, x, y, *more = split(state, ";")
    window = "" if map == NOWHERE else intern(map)  # of tens of thousands of empty stacks
    if deck:
        cards = tuple(split(more[1], ",")) if more[1:] and more[1] else ()
        return PieceStack(id, cards, window, pixel(x, y), None, deck, more[:1] == [write_flag(True)])
    ids = []
    layer = None
    for token in more:
        if not token.startswith(_LAYER):
            ids.append(token)
        elif layer is None:
            layer = int(token[len(_LAYER) :])
    return PieceStack(id, tuple(ids), window, pixel(x, y), layer)


def pixel(x: str, y: str) -> Pixel:
    """Return a position on a map. Raises ValueError for other texts."""
    across, down = int(x), int(y)
    if not (-REACH < across < REACH and -REACH < down < REACH):
        raise ValueError(f"{x[:20]},{y[:20]} is beyond any map")
    return across, down


def write_definition(piece: Piece) -> str:
    """Return a piece as the command that adds it, which is also how a module's file holds it."""
    return ADD + join((piece.id, write_piece_type(piece), write_piece_state(piece)), "/")


def write_piece_type(piece: Piece) -> str:
    """Return a piece's type, with those of all its traits nested."""
    return fold(trait.type for trait in piece.traits)


def write_piece_state(piece: Piece) -> str:
    """Return a piece's state, with those of all its traits nested."""
    return fold(trait.state for trait in (*piece.traits[:-1], Trait("", basic_state(piece))))


def basic_state(piece: Piece) -> str:
    """Return the state of a piece without its traits: its place, its slot, its properties."""
    noted = [word for pair in piece.properties for word in pair]
    place = [piece.map or NOWHERE, *map(str, piece.at), piece.slot, str(len(piece.properties)), *noted]
    return join(place, ";")


def _write_stack_state(stack: PieceStack) -> str:
    """Return a stack's state: its position, its pieces, bottom first, and its layer if it is known; for a deck its
    position and its cards.
    """
    place = (stack.map or NOWHERE, *map(str, stack.at))
    if stack.deck:
        cards = (join(stack.pieces, ","),) if stack.pieces else ()
        return join((*place, write_flag(stack.face_down), *cards), ";")
    layer = () if stack.layer is None else (f"{_LAYER}{stack.layer}",)
    return join((*place, *stack.pieces, *layer), ";")


def write_stack_definition(stack: PieceStack) -> str:
    """Return a stack or a deck as the command that adds it."""
    return ADD + join((stack.id, stack.deck or _STACK, _write_stack_state(stack)), "/")


def unknown_kinds(piece: Piece) -> list[str]:
    """Return kinds of traits of a piece that are not understood, each once."""
    return list(dict.fromkeys(trait.kind for trait in piece.traits if trait.kind not in KINDS))

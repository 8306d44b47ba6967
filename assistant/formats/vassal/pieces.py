"""Pieces and stacks of pieces, and the commands that add them to a game."""

from __future__ import annotations

import re
from sys import intern
from typing import NamedTuple

from .grids import OFF_MAP_PIXELS, Pixel
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
"""VASSAL's word for nothing: no map, no piece or stack, no player, or no command."""
ADD = "+/"
"""The beginning of a command that adds a piece, a stack or a deck."""
_STACK = "stack"
"""The type of a stack."""
_DECK = "deck;"
"""The beginning of the type of a deck."""
_STACKS = "L"
"""The letter in the trait `immob` by which a piece stacks with others."""
# The indexes of fields in the type of a deck:
_PICKING_FIELD = 8
"""The index of the field of a deck's type that says whether players may pick cards."""
_NAME_FIELD = 13
"""The index of the field of a deck's type with the deck's name."""
_SHOWN_LIMIT_FIELD = 21
"""The index of the field of a deck's type with the maximum number of cards that are drawn."""
_RESTRICTED_FIELD = 48
"""The index of the field of a deck's type that says whether only the sides in the next field may touch the deck."""
_DEFAULT_MAX_SHOWN = 10
"""The maximum number of cards drawn if a deck's type states none."""
_LAYER = "@@"
"""The prefix of the layer of a stack, after its pieces."""


class Piece(NamedTuple):
    """A piece of a game, with its traits and its position."""

    id: str
    """The id, unique in this game."""
    traits: tuple[Trait, ...]
    """The traits, the outermost first. The last is the basic piece; its state is in the other fields."""
    map: str = ""
    """The name of the map, or "" for a piece off all maps."""
    at: Pixel = (0, 0)
    """The position on the map in pixels."""
    slot: str = ""
    """The id of the slot in a palette from which the piece was taken."""
    properties: tuple[tuple[str, str], ...] = ()
    """The properties that VASSAL saves with the piece."""

    @property
    def name(self) -> str:
        """The name in VASSAL, with the additions of layers and labels."""
        return self.named(Carried(self.traits))

    def named(self, carried: Carried) -> str:
        """Return the name of the piece, given the properties that it carries."""
        name = carried.values.get(BASIC, "")
        for trait in reversed(self.traits):
            name = _rename(name, trait, carried)
        return name

    @property
    def stacks(self) -> bool:
        """Whether the piece may be in a stack. Its outermost trait `immob` decides."""
        immobility = next((trait for trait in self.traits if trait.kind == "immob"), None)
        return immobility is None or _STACKS in immobility.part(3)

    def owner(self, trait: Trait) -> str:
        """Return the player or side that hides the piece by this mask or invisibility trait, or ""."""
        return _find_owner(trait) if trait.kind in (MASK, INVISIBLE) else ""

    def owners(self) -> dict[str, str]:
        """Return the player's id or side's name that hides the piece, by kind of trait: masked or invisible."""
        covers = [trait for trait in self.traits if trait.type.startswith((f"{MASK};", f"{INVISIBLE};"))]
        return {trait.kind: owner for trait in covers if (owner := _find_owner(trait))}

    def marks(self) -> dict[str, str]:
        """Return the properties of all marker traits. Of several with one name the outermost counts."""
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
        level = carried.level(trait)
        # The layer name `Elite+` puts `Elite` before the piece's name, `+ (lost)` after it; one without + replaces it.
        first, *more = split(layer.names[level - 1] if 0 < level <= len(layer.names) else "", "+")
        if not more:
            return first or name
        return first + name if first else name + more[0]
    if trait.kind == "label":
        label = read_label(trait.type)
        if written_on(trait) or label.always:
            return carried.expand(label.written, pieceName=name, label=carried.text_on(trait))
    if trait.kind in (MASK, INVISIBLE) and _find_owner(trait):
        # for the owner; other players see only the name in brackets, or nothing
        return f"{name}({hidden_name(trait.type)})"
    return name


def _find_owner(trait: Trait) -> str:
    """Return the player or side that hides a piece by a trait, or "" if it is not hidden."""
    owner = split(trait.state, ";")[0]
    return "" if owner == NOWHERE else owner


class PieceStack(NamedTuple):
    """A stack of pieces, or a deck of cards."""

    id: str
    pieces: tuple[str, ...]
    """The ids of the pieces, bottom first."""
    map: str = ""
    at: Pixel = (0, 0)
    layer: int | None = 0
    """The layer of its map, or None in saves of old engines."""
    deck: str = ""
    """The type of a deck as VASSAL writes it, or "" for a stack."""
    face_down: bool = False
    """Whether the cards of a deck lie face down."""

    @property
    def name(self) -> str:
        """The name of a deck, or "" for a stack."""
        return self._part_of_type(_NAME_FIELD)

    @property
    def shows(self) -> int:
        """The maximum number of cards of a deck that are drawn; players do not see whether there are more."""
        number = self._part_of_type(_SHOWN_LIMIT_FIELD)
        return int(number) if re.fullmatch("[0-9]{1,6}", number) else _DEFAULT_MAX_SHOWN

    def opens_to(self, side: str) -> bool:
        """Return whether players of a side may pick cards, and so see all face-up cards of the deck."""
        is_restricted = self._part_of_type(_RESTRICTED_FIELD) == write_flag(True)
        return self._part_of_type(_PICKING_FIELD) == write_flag(True) and (
            not is_restricted or side in split(self._part_of_type(_RESTRICTED_FIELD + 1), ",")
        )

    def _part_of_type(self, place: int) -> str:
        """Return a field of the type of a deck, or "" if it has none at this place."""
        return split_type(self.deck, place + 1)[place]


def write_deck_type(name: str, *, picked: bool, shows: str, owners: str | None) -> str:
    """Return the type of a deck, with the fields that are read here.

    A backslash at the end of a text is left out, because a sequence cannot contain it.

    `owners`: the sides that may touch the deck, with commas between, or None if all may.
    """
    settings = {
        _PICKING_FIELD: write_flag(picked),
        _NAME_FIELD: name,
        _SHOWN_LIMIT_FIELD: shows,
        _RESTRICTED_FIELD: write_flag(owners is not None),
        _RESTRICTED_FIELD + 1: owners or "",
    }
    parts = {place: text.rstrip("\\") for place, text in settings.items()}
    return write_type(_DECK.removesuffix(";"), _RESTRICTED_FIELD + 1, parts)


def piece_parts(piece: Piece) -> int:
    """Return the number of a piece's traits and properties."""
    return len(piece.traits) + len(piece.properties)


def read_added(command: str) -> Piece | PieceStack:
    """Return the piece, stack or deck that a command adds.

    Raises ValueError if the command is incomplete.
    """
    id, type, state = split(command[len(ADD) :], "/")
    if type == _STACK or type.startswith(_DECK):
        return stack_of_state(id, state, "" if type == _STACK else type)
    return _make_piece(id, _split_types(type), state)


def with_state(piece: Piece, state: str) -> Piece:
    """Return a piece with another state.

    Raises ValueError if the state belongs to other traits.
    """
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
    """Return the stack with a state.

    `deck`: the type of a deck, or "" for a stack.

    Raises ValueError if the state is incomplete.
    """
    map, x, y, *tokens = split(state, ";")
    window = "" if map == NOWHERE else intern(map)  # a save may have tens of thousands of empty stacks
    if deck:
        cards = tuple(split(tokens[1], ",")) if tokens[1:] and tokens[1] else ()
        return PieceStack(id, cards, window, pixel(x, y), None, deck, tokens[:1] == [write_flag(True)])
    ids = []
    layer = None
    for token in tokens:
        if not token.startswith(_LAYER):
            ids.append(token)
        elif layer is None:
            layer = int(token[len(_LAYER) :])
    return PieceStack(id, tuple(ids), window, pixel(x, y), layer)


def pixel(x: str, y: str) -> Pixel:
    """Return a position on a map from its two numbers.

    Raises ValueError if they are not numbers, or are beyond any map.
    """
    x_pixels, y_pixels = int(x), int(y)
    if not (-OFF_MAP_PIXELS < x_pixels < OFF_MAP_PIXELS and -OFF_MAP_PIXELS < y_pixels < OFF_MAP_PIXELS):
        raise ValueError(f"{x[:20]},{y[:20]} is beyond any map")
    return x_pixels, y_pixels


def write_definition(piece: Piece) -> str:
    """Return the command that adds a piece; a module's file holds a piece in the same form."""
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
    """Return the state of a stack or deck: its position, its pieces, and the layer of a stack if it is known."""
    place = (stack.map or NOWHERE, *map(str, stack.at))
    if stack.deck:
        cards = (join(stack.pieces, ","),) if stack.pieces else ()
        return join((*place, write_flag(stack.face_down), *cards), ";")
    layer = () if stack.layer is None else (f"{_LAYER}{stack.layer}",)
    return join((*place, *stack.pieces, *layer), ";")


def write_stack_definition(stack: PieceStack) -> str:
    """Return the command that adds a stack or a deck."""
    return ADD + join((stack.id, stack.deck or _STACK, _write_stack_state(stack)), "/")


def unknown_kinds(piece: Piece) -> list[str]:
    """Return the different kinds of a piece's traits that are not understood."""
    return list(dict.fromkeys(trait.kind for trait in piece.traits if trait.kind not in KINDS))

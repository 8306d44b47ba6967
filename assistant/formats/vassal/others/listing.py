"""The pieces of any save as a list and a text: their visible states and their properties."""

from __future__ import annotations

import re
from collections import ChainMap, Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Annotated

import msgspec

from ....util.console import format_count
from ....util.errors import plain
from ....util.notes import note
from ..legends import GAME
from ..modules import Module
from ..pieces import Piece, PieceStack, unknown_kinds
from ..properties import BASIC, Carried
from ..saves import MODULE, Save
from ..sequence import split
from ..traits import INVISIBLE, MASK, Trait, read_label, read_layer, shared_by


def visible_traits(piece: Piece, carried: Carried, owners: Mapping[str, str]) -> dict[str, str]:
    """Return a piece's visible states besides its name: layers, texts, moved, facing and hidden.

    `owners`: names of players by id. An id is a player's password and is never shown.
    """
    values: dict[str, str] = {}
    for trait in piece.traits:
        for name, value in _list_seen(trait, carried):
            values[_find_free_name(values, name)] = value
        if owner := piece.owner(trait):
            player = shared_by(trait.type) is None
            values[_find_free_name(values, _HIDER_NAMES[trait.kind])] = (
                owners.get(owner, "a player") if player else owner
            )
    return values


_HIDER_NAMES = {MASK: "masked by", INVISIBLE: "invisible, placed by"}


def properties(piece: Piece, carried: Carried) -> dict[str, str]:
    """Return the properties of a piece: markers, dynamic ones, and calculated ones.

    Those that cannot be evaluated stay as written.
    """
    values = {name: value for name, value in carried.values.items() if name != BASIC}
    for name, expression in carried.expressions.items():
        value = carried.get(name)
        values[name] = expression if value is None else value
    for trait in piece.traits:
        if trait.kind == "propertysheet" and trait.state.strip("~"):
            values.setdefault("property sheet", trait.state)
    return values


def _list_seen(trait: Trait, carried: Carried) -> list[tuple[str, str]]:
    """Return the visible states of one trait, by name."""
    if trait.kind == "emb2":
        return _read_layer_level(trait, carried.level(trait))
    if trait.kind == "label" and (text := carried.text_on(trait)):
        return [(read_label(trait.type).name or "text", text)]
    if trait.kind == "markmoved" and trait.state == "true":
        return [("moved", "yes")]
    if trait.kind == "rotate" and trait.state not in ("", "0", "0.0"):
        facings = trait.part(1)
        return [("turned", f"{trait.state} degrees" if facings == "1" else f"facing {trait.state} of {facings}")]
    return []


def _read_layer_level(trait: Trait, level: int) -> list[tuple[str, str]]:
    """Return the name or number of a layer's level, or an empty list if the layer is off or nameless."""
    layer = read_layer(trait.type)
    count = len(layer.images)
    if not 0 < level <= count:
        return [] if level <= 0 else [(layer.name or "layer", f"level {level} of {count}")]
    name = next((word for part in split(layer.names[level - 1], "+") if (word := part.strip())), "")
    if not name and count == 1:
        return [(layer.name, "yes")] if layer.name else []
    return [(layer.name or "layer", name or f"level {level} of {count}")]


def _find_free_name(values: dict[str, str], name: str) -> str:
    number = 1
    free = name
    while free in values:
        number += 1
        free = f"{name} {number}"
    return free


class ListedPiece(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece."""

    id: Annotated[str, note("the id in VASSAL")]
    name: str
    slot: Annotated[str, note("the slot of the palette that it came from")] = ""
    map: Annotated[str, note('the map, or "" off all maps')] = ""
    at: Annotated[tuple[int, int], note("the pixel on the map")] = (0, 0)
    place: Annotated[str, note('the printed place, or "" if unknown')] = ""
    below: Annotated[int, note("the number of pieces below it in its stack")] = 0
    deck: Annotated[str, note("the deck with the card")] = ""
    shown: Annotated[Mapping[str, str], note("the visible states")] = {}
    properties: Annotated[Mapping[str, str], note("the properties")] = {}
    unknown: Annotated[tuple[str, ...], note("kinds of traits of the module's own code")] = ()


class ListedDeck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deck: its name, place and cards, and whether it may have more cards than a side can see."""

    name: str
    map: str
    place: str
    cards: int
    or_more: bool = False
    face_down: bool = False

    @property
    def title(self) -> str:
        """The deck's name and place."""
        return f"{self.name or 'a deck'}, {self.place or self.map or 'on no map'}"

    @property
    def in_words(self) -> str:
        """A text on the number of cards, and whether they are face down."""
        more = " or more" if self.or_more else ""
        lie = ", face down" if self.face_down else ""
        return format_count(self.cards, "card") + more + lie


class PrivateWindow(msgspec.Struct, frozen=True):
    """A window of the module that belongs to some sides or to nobody."""

    name: str
    sides: tuple[str, ...]
    open: bool
    """Whether all sides see the pieces in it."""


class SaveListing(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a save."""

    module: Annotated[str, note("the module, according to the save; the versions too")]
    version: str
    vassal: str
    boards: Annotated[Mapping[str, tuple[str, ...]], note("the boards of each map")]
    pieces: Annotated[tuple[ListedPiece, ...], note("the pieces by place, each stack from the top down")]
    decks: tuple[ListedDeck, ...]
    turns: Annotated[Mapping[str, str], note("the states of turn trackers")]
    properties: Annotated[Mapping[str, Mapping[str, str]], note("the global properties, by holder")]
    players: Annotated[tuple[tuple[str, str], ...], note("name and side of each player")]
    private: Annotated[tuple[PrivateWindow, ...], note("the private windows, as far as the module is known")] = ()
    not_understood: Annotated[Mapping[str, int], note("unknown contents in words, with the number of times")]
    seen_by: Annotated[str, note('the side whose view this is, or "" for everything')] = ""


def list_save(save: Save, module: Module | None = None, seen_by: str = "") -> SaveListing:
    """Return the contents of a save as a list.

    `module`: the save's module, for the names of places.
    `seen_by`: the side whose view this is, or "" for the whole save.
    """
    pieces = [*_list_pieces(save, module)]
    held: dict[str, dict[str, str]] = {}
    for (holder, name), value in save.properties.items():
        held.setdefault(holder, {})[name] = value
    return SaveListing(
        module=save.about.module or (module.about.module if module is not None else ""),
        version=save.about.module_version,
        vassal=save.about.vassal_version,
        boards={map: tuple(board[0] for board in boards) for map, boards in save.boards.items()},
        pieces=tuple(piece for piece, _ in pieces),
        decks=tuple(
            _list_deck(save, stack, _locate(save, module, stack), seen_by)
            for stack in save.stacks.values()
            if stack.deck
        ),
        turns=dict(save.turns),
        properties=held,
        players=tuple((name, side) for _, name, side in save.players),
        private=tuple(_list_private(module)) if module is not None else (),
        not_understood=_count_unknown(save, module, [text for _, unsolved in pieces for text in unsolved]),
        seen_by=seen_by,
    )


def _list_deck(save: Save, deck: PieceStack, place: str, seen_by: str) -> ListedDeck:
    cards = len(deck.pieces)
    or_more = bool(seen_by) and cards >= deck.shows and not save.pieces.keys() >= {*deck.pieces}
    return ListedDeck(deck.name, deck.map, place, cards, or_more, deck.face_down)


def shared_properties(save: Save) -> dict[str, str]:
    """Return the module's own global properties whose names no other holder uses."""
    elsewhere = {name for holder, name in save.properties if holder != MODULE}
    return {
        name: value for (holder, name), value in save.properties.items() if holder == MODULE and name not in elsewhere
    }


def carried_at(piece: Piece, place: str, shared: dict[str, str]) -> Carried:
    """Return the properties of a piece in its place, including its name.

    `place`: the printed place.
    `shared`: the global properties.
    """
    here = {"CurrentMap": piece.map}
    if place:
        here["LocationName"] = place
    carried = Carried(piece.traits, ChainMap(here, shared))
    carried.called(piece.named(carried))
    return carried


def _list_private(module: Module) -> Iterator[PrivateWindow]:
    for window in module.maps.values():
        if window.sides or not window.open:
            yield PrivateWindow(window.name, window.sides, window.open)


def _list_pieces(save: Save, module: Module | None) -> Iterator[tuple[ListedPiece, list[str]]]:
    """Yield all pieces with their texts that are not understood: pieces on maps first, each stack from the top down."""
    stack_of = save.stack_of
    shared = shared_properties(save)
    owners = {id: name for id, name, _ in save.players if name}
    heights: dict[str, int] = {}
    for lying in save.stacks.values():
        for height, id in enumerate(lying.pieces):
            if stack_of.get(id) == lying:
                heights[id] = height
    places = {(piece.map, piece.at): "" for piece in save.pieces.values()}
    for spot in places:
        places[spot] = _locate(save, module, PieceStack("", (), *spot))
    order = sorted(
        save.pieces.values(),
        key=lambda piece: (not piece.map, piece.map, places[piece.map, piece.at], piece.at, -heights.get(piece.id, 0)),
    )
    for piece in order:
        stack = stack_of.get(piece.id)
        place = places[piece.map, piece.at]
        carried = carried_at(piece, place, shared)
        listed = ListedPiece(
            id=piece.id,
            name=carried.name or "",
            slot=piece.slot,
            map=piece.map,
            at=piece.at,
            place=place,
            below=heights.get(piece.id, 0),
            deck=stack.name if stack is not None and stack.deck else "",
            shown=visible_traits(piece, carried, owners),
            properties=properties(piece, carried),
            unknown=tuple(unknown_kinds(piece)),
        )
        yield listed, carried.unsolved


def _locate(save: Save, module: Module | None, stack: PieceStack) -> str:
    if module is None or not stack.map:
        return ""
    return module.printed(save, stack) if stack.deck else module.locate(save, stack)


def _count_unknown(save: Save, module: Module | None, unsolved: Iterable[str]) -> dict[str, int]:
    """Return texts on everything that is not understood, with the number of times.

    `unsolved`: texts of pieces that could not be evaluated.
    """
    unknown = Counter(f"{text}, which is left as written" for text in unsolved)
    for piece in save.pieces.values():
        unknown.update(f"trait {kind}, of the module's own code" for kind in unknown_kinds(piece))
        if module is not None:
            unknown.update(f"prototype {name}, which the module does not have" for name in module.missing(piece.traits))
    unknown.update("command " + command.partition("\t")[0][:40] for command in save.unread)
    if module is not None:
        unknown.update({f"class {name}, of the module's own code": number for name, number in module.classes.items()})
        unknown.update(module.unread)
    if not save.complete:
        unknown["the end of the save is missing: VASSAL did not finish writing it"] += 1
    return {plain(what): number for what, number in unknown.items()}


LEFT_OUT = (
    "Also left out are global properties, and pieces that are off all maps, on a map that the module does not have, or with a trait of the "
    "module's own code, which may hide them."
)
"""A remark on pieces left out because the side may not be allowed to see them."""


def format_listing(listed: SaveListing, what: str = "A save") -> str:
    """Return the list as text: a line for each place, with its pieces from the top down.

    `what`: the kind of thing listed.
    """
    on_maps = Counter(piece.map or "no map" for piece in listed.pieces if not piece.deck)
    cards = sum(deck.cards for deck in listed.decks)
    more = " or more" if any(deck.or_more for deck in listed.decks) else ""
    where = [f"{number} on {map}" for map, number in on_maps.items()]
    if listed.decks:
        where.append(f"{format_count(cards, 'card')}{more} in {format_count(len(listed.decks), 'deck')}")
    built = GAME in listed.properties.get(MODULE, {})
    about = " ".join(filter(None, [listed.module or "an unknown module", listed.version]))
    lines = [
        f"{what} of {about}" + ("" if built else ", a module not made by the builder"),
        f"= {format_count(len(listed.pieces), 'piece')}: {', '.join(where)}" if where else "= no pieces",
    ]
    loose = [piece for piece in listed.pieces if not piece.deck]
    for name, on_map in groupby(loose, key=lambda piece: piece.map):
        lines += ["", name or "On no map"]
        for _, there in groupby(on_map, key=lambda piece: piece.place or piece.at):
            pieces = [*there]
            place = pieces[0].place or "at {},{}".format(*pieces[0].at)
            lines.append(f"- {place}: {', '.join([_format_piece(piece) for piece in pieces])}")
    lines += _format_section("Decks", (f"{deck.title}: {deck.in_words}" for deck in listed.decks))
    lines += _format_section("Private windows", map(_format_window, listed.private))
    unknown = sorted(listed.not_understood.items())
    times = (f"{what} ({number} times)" if number > 1 else what for what, number in unknown)
    lines += _format_section("Not understood, and left as it is", times)
    if listed.seen_by:
        lines += ["", f"Seen: what {listed.seen_by} may know. {LEFT_OUT}"]
    return "\n".join([plain(line) for line in lines])


def _format_section(title: str, entries: Iterable[str]) -> list[str]:
    """Return the lines of a section, or nothing without entries."""
    lines = [f"- {entry}" for entry in entries]
    return ["", title, *lines] if lines else []


def _is_in_name(value: str, name: str) -> bool:
    """Return whether a piece's name already contains a state: as a word, or as a number in brackets.

    The brackets distinguish the number from one in the piece's own name.
    """
    if re.fullmatch("[0-9]+", value):
        return f"({value})" in name
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", name) is not None


def _format_window(window: PrivateWindow) -> str:
    owners = " and ".join(window.sides) or "no side"
    return f"{window.name}: belongs to {owners}{'; all sides see it' if window.open else ''}"


def _format_piece(piece: ListedPiece) -> str:
    details: list[str] = []
    for name, value in piece.shown.items():
        if not _is_in_name(value, piece.name):
            details.append(name if value == "yes" else f"{name}: {value}")
    name = piece.name or "a piece without a name"
    return f"{name} ({'; '.join(details)})" if details else name

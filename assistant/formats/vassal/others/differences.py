"""Differences between two lists of one module's pieces: moved, new, missing and changed pieces."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec

from ....state.differences import StackChange
from ....util.notes import note
from ..saves import MODULE
from .listing import ListedPiece, SaveListing
from .sight import NAMELESS, SEEN_PREFIX


class PieceMoved(msgspec.Struct, frozen=True):
    """A piece that is at another place."""

    piece: Annotated[str, note("the id")]
    name: Annotated[str, note("the present name")]
    before: Annotated[str, note("the earlier place")]
    after: Annotated[str, note("the present place")]


class PieceThere(msgspec.Struct, frozen=True):
    """A piece that is, or is visible, in only one of two saves."""

    piece: Annotated[str, note("the id, or '' if the id is only valid in one save")]
    name: Annotated[str, note("the name")]
    place: Annotated[str, note("the place, or its last one")]


class Alteration(msgspec.Struct, frozen=True):
    """A layer, text or property that has changed."""

    what: Annotated[str, note("the name")]
    before: Annotated[str | None, note("the earlier value, or null")]
    after: Annotated[str | None, note("the present value, or null")]


class PieceChanged(msgspec.Struct, frozen=True):
    """A piece with another state."""

    piece: Annotated[str, note("the id")]
    name: Annotated[str, note("the present name")]
    place: Annotated[str, note("the present place")]
    changes: Annotated[tuple[Alteration, ...], note("the differences")]


class SaveDifferences(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between two saves of a module."""

    moved: Annotated[tuple[PieceMoved, ...], note("pieces that have moved")] = ()
    gone: Annotated[tuple[PieceThere, ...], note("pieces no longer there, or no longer seen")] = ()
    came: Annotated[tuple[PieceThere, ...], note("pieces that were not there, or not seen, before")] = ()
    restacked: Annotated[
        tuple[StackChange, ...], note("stacks and decks whose order differs, by the names of their pieces")
    ] = ()
    changed: Annotated[tuple[PieceChanged, ...], note("pieces whose state differs")] = ()
    decks: Annotated[tuple[Alteration, ...], note("decks with other cards, or turned over")] = ()
    game: Annotated[tuple[Alteration, ...], note("turns, global properties, boards and players that differ")] = ()


def listing_differences(before: SaveListing, after: SaveListing) -> SaveDifferences:
    """Return the differences between two lists of one module, as one side sees both.

    Pieces are identified by id, or in a side's view by how they look. Those without ids are counted by name, state and
    place.
    """
    after = _recognize(before, after)
    places = _Places(before, after)
    pieces_before = {piece.id: piece for piece in before.pieces if _is_known(piece)}
    pieces_after = {piece.id: piece for piece in after.pieces if _is_known(piece)}
    remaining = [(pieces_before[id], piece) for id, piece in pieces_after.items() if id in pieces_before]
    missing = [places.there(piece) for id, piece in pieces_before.items() if id not in pieces_after]
    added = [places.there(piece) for id, piece in pieces_after.items() if id not in pieces_before]
    return SaveDifferences(
        moved=tuple(
            PieceMoved(piece.id, piece.name, places.called(earlier), places.called(piece))
            for earlier, piece in remaining
            if _find_place(earlier) != _find_place(piece)
        ),
        gone=(*missing, *places.uncounted(before, after)),
        came=(*added, *places.uncounted(after, before)),
        restacked=tuple(places.restacked(before, after)),
        changed=tuple(
            PieceChanged(piece.id, piece.name, places.called(piece), changes)
            for earlier, piece in remaining
            if (changes := tuple(_find_piece_changes(earlier, piece)))
        ),
        decks=tuple(_find_altered(_describe_decks(before), _describe_decks(after))),
        game=tuple(_find_game_changes(before, after)),
    )


def _recognize(before: SaveListing, after: SaveListing) -> SaveListing:
    """Return the second list with the ids of the first for pieces identified with it, and new ids for others.

    A piece is identified with one that looks the same at the same place, else with one of its slot and name there, else
    with one of these anywhere. So similar pieces swapped while masked are not distinguished.
    """
    pieces_before = [piece for piece in before.pieces if piece.id.startswith(SEEN_PREFIX)]
    pieces_after = [piece for piece in after.pieces if piece.id.startswith(SEEN_PREFIX)]
    ids: dict[str, str] = {}
    for appearance in (_list_appearance, _find_kind_and_spot, _find_kind):
        taken = {*ids.values()}
        free: dict[Hashable, deque[str]] = {}
        for piece in pieces_before:
            if piece.id not in taken:
                free.setdefault(appearance(piece), deque()).append(piece.id)
        for piece in pieces_after:
            if piece.id not in ids and (alike := free.get(appearance(piece))):
                ids[piece.id] = alike.popleft()
    new_ids = {piece.id: ids.get(piece.id, f"{piece.id} later") for piece in pieces_after}
    pieces = tuple(msgspec.structs.replace(piece, id=new_ids.get(piece.id, piece.id)) for piece in after.pieces)
    return msgspec.structs.replace(after, pieces=pieces)


def _list_appearance(piece: ListedPiece) -> Hashable:
    return piece.name, _find_spot(piece), tuple(piece.shown.items()), tuple(piece.properties.items())


def _find_kind_and_spot(piece: ListedPiece) -> Hashable:
    return _find_kind(piece), _find_spot(piece)


def _find_spot(piece: ListedPiece) -> Hashable:
    return piece.map, piece.at, piece.deck


def _find_kind(piece: ListedPiece) -> Hashable:
    return piece.slot or piece.name


def _is_known(piece: ListedPiece) -> bool:
    return not piece.id.startswith(NAMELESS)


class _Place(NamedTuple):
    """The place of a piece: its map or "", the printed place or the pixels, and its deck or ""."""

    map: str
    at: str
    deck: str


def _find_place(piece: ListedPiece) -> _Place:
    return _Place(piece.map, (piece.place or "{},{}".format(*piece.at)) if piece.map else "", piece.deck)


class _Places:
    """The names of the places in two lists, with the map or a deck's place added to ambiguous ones."""

    def __init__(self, *lists: SaveListing) -> None:
        there = {_find_place(piece) for listing in lists for piece in listing.pieces}
        self.several_maps = len({place.map for place in there if place.map}) > 1
        self.decks = Counter(place.deck for place in there if place.deck)

    def called(self, piece: ListedPiece) -> str:
        """Return the place of a piece, in words."""
        return self.in_words(_find_place(piece))

    def there(self, piece: ListedPiece) -> PieceThere:
        """Return a piece with its place, and without an id that only counts visible pieces."""
        return PieceThere("" if piece.id.startswith(SEEN_PREFIX) else piece.id, piece.name, self.called(piece))

    def in_words(self, place: _Place) -> str:
        """Return the name of a place."""
        if place.deck and self.decks[place.deck] == 1:
            return f"the deck {place.deck}"
        deck = f"the deck {place.deck}, " if place.deck else ""
        if not place.map:
            return f"{deck}no map"
        return f"{deck}{place.at} on {place.map}" if self.several_maps else f"{deck}{place.at}"

    def restacked(self, before: SaveListing, after: SaveListing) -> Iterator[StackChange]:
        """Yield places and decks where the remaining pieces are in another order."""
        stacks = _group_stacks(before)
        for place, names_after in _group_stacks(after).items():
            names_before = stacks.get(place, {})
            earlier = [id for id in names_before if id in names_after]
            later = [id for id in names_after if id in names_before]
            if earlier != later:
                yield StackChange(
                    self.in_words(place),
                    tuple(names_after[id] for id in earlier),
                    tuple(names_after[id] for id in later),
                )

    def uncounted(self, listing: SaveListing, other_listing: SaveListing) -> Iterator[PieceThere]:
        """Yield the pieces without ids of which one list has more than the other."""
        surplus = Counter(_list_alike(listing))
        surplus.subtract(_list_alike(other_listing))
        for (name, place, _), number in surplus.items():
            for _ in range(number):
                yield PieceThere("", name, self.in_words(place))


def _group_stacks(listing: SaveListing) -> dict[_Place, dict[str, str]]:
    """Return by place and deck the names of the pieces, by id from the top down."""
    stacks: dict[_Place, dict[str, str]] = {}
    for piece in listing.pieces:
        if _is_known(piece) and piece.map:
            stacks.setdefault(_find_place(piece), {})[piece.id] = piece.name
    return stacks


def _list_alike(listing: SaveListing) -> Iterator[tuple[str, _Place, tuple[tuple[str, str], ...]]]:
    """Yield name, place and visible states of each piece without an id."""
    for piece in listing.pieces:
        if not _is_known(piece):
            yield piece.name, _find_place(piece), tuple(sorted(piece.shown.items()))


def _find_piece_changes(before: ListedPiece, after: ListedPiece) -> Iterator[Alteration]:
    """Return the changes of a piece: visible states, properties, and its name if nothing else has changed."""
    changes = list(_find_altered(before.shown, after.shown))
    named = {change.what for change in changes}
    changes += [change for change in _find_altered(before.properties, after.properties) if change.what not in named]
    if before.name != after.name and not changes:
        changes = [Alteration("name", before.name, after.name)]
    return iter(changes)


def _find_altered(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Alteration]:
    for what in {**before, **after}:
        if before.get(what) != after.get(what):
            yield Alteration(what, before.get(what), after.get(what))


def _describe_decks(listing: SaveListing) -> dict[str, str]:
    """Return a text on the cards in decks, by name and place of the deck."""
    decks: dict[str, str] = {}
    for deck in listing.decks:
        others = f"{decks[deck.title]}; " if deck.title in decks else ""
        decks[deck.title] = others + deck.in_words
    return decks


class _GameStated(NamedTuple):
    """A fact about the game itself: its kind, name and holder."""

    kind: Literal["turn", "property", "boards", "side"]
    name: str
    holder: str = ""


def _find_game_changes(before: SaveListing, after: SaveListing) -> Iterator[Alteration]:
    facts_before, facts_after = _list_game_facts(before), _list_game_facts(after)
    trackers = [fact.name for fact in {**facts_before, **facts_after} if fact.kind == "turn"]
    for fact in {**facts_before, **facts_after}:
        if facts_before.get(fact) != facts_after.get(fact):
            yield Alteration(_format_fact(fact, trackers), facts_before.get(fact), facts_after.get(fact))


def _format_fact(fact: _GameStated, trackers: Sequence[str]) -> str:
    """Return a unique name for a fact of the game.

    `trackers`: the names of all turn trackers.
    """
    match fact.kind:
        case "turn":
            return f"turn ({fact.name})" if len(trackers) > 1 else "turn"
        case "boards" | "side":
            return f"{fact.kind} of {fact.name}"
    if fact.holder != MODULE:
        return f"{fact.name} of {fact.holder}"
    return f"property {fact.name}" if fact.name == "turn" and trackers else fact.name


def _list_game_facts(listing: SaveListing) -> dict[_GameStated, str]:
    facts = {_GameStated("turn", tracker): state for tracker, state in listing.turns.items()}
    for holder, values in listing.properties.items():
        facts |= {_GameStated("property", name, holder): value for name, value in values.items()}
    facts |= {_GameStated("boards", map): ", ".join(boards) for map, boards in listing.boards.items()}
    return facts | {_GameStated("side", name): side for name, side in listing.players if name}

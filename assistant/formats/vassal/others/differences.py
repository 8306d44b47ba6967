"""What differs between two lists of one module's pieces: what moved, came, is gone, and is in another state."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping
from typing import Annotated

import msgspec

from ....state.differences import StackChange
from ....util.notes import note
from ..saves import MODULE
from .listing import ListedPiece, Listing
from .sight import NAMELESS, SEEN


class PieceMoved(msgspec.Struct, frozen=True):
    """A piece that is at another place."""

    piece: Annotated[str, note("its id")]
    name: Annotated[str, note("its name, as it is now")]
    before: Annotated[str, note("where it was")]
    after: Annotated[str, note("where it is now")]


class PieceThere(msgspec.Struct, frozen=True):
    """A piece that is in one of the two saves alone, or seen in one alone."""

    piece: Annotated[str, note("its id, '' if only its place identifies it")]
    name: Annotated[str, note("its name")]
    place: Annotated[str, note("where it is or was")]


class Alteration(msgspec.Struct, frozen=True):
    """One thing that is otherwise: a layer, a text, a property."""

    what: Annotated[str, note("its name")]
    before: Annotated[str | None, note("what it was, null if there was none")]
    after: Annotated[str | None, note("what it is now, null if there is none")]


class PieceChanged(msgspec.Struct, frozen=True):
    """A piece that is in another state."""

    piece: Annotated[str, note("its id")]
    name: Annotated[str, note("its name, as it is now")]
    place: Annotated[str, note("where it is now")]
    changes: Annotated[tuple[Alteration, ...], note("what differs")]


class SaveDifferences(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between two saves of a module."""

    moved: Annotated[tuple[PieceMoved, ...], note("pieces that have moved")] = ()
    gone: Annotated[tuple[PieceThere, ...], note("pieces no longer there, or no longer seen")] = ()
    came: Annotated[tuple[PieceThere, ...], note("pieces that were not there, or not seen, before")] = ()
    restacked: Annotated[
        tuple[StackChange, ...], note("stacks and decks whose order differs, by the names of their pieces")
    ] = ()
    changed: Annotated[tuple[PieceChanged, ...], note("pieces whose state differs")] = ()
    decks: Annotated[tuple[Alteration, ...], note("decks with other cards, or turned over")] = ()
    game: Annotated[tuple[Alteration, ...], note("turns, global properties, boards and players that differ")] = ()


def differences(before: Listing, after: Listing) -> SaveDifferences:
    """What differs between two lists, of saves of one module as one side sees both. Pieces are known by their ids,
    those that a side sees by what it sees of them; of those without ids it is counted how many of one name and state
    lie at a place.
    """
    after = _recognize(before, after)
    spots = _Spots(before, after)
    was, now = ({piece.id: piece for piece in listing.pieces if _is_known(piece)} for listing in (before, after))
    stayed = [(was[id], piece) for id, piece in now.items() if id in was]
    lost, won = spots.uncounted(before, after), spots.uncounted(after, before)
    return SaveDifferences(
        moved=tuple(
            PieceMoved(piece.id, piece.name, spots.place(lay), spots.place(piece))
            for lay, piece in stayed
            if spots.place(lay) != spots.place(piece)
        ),
        gone=(*(PieceThere(id, piece.name, spots.place(piece)) for id, piece in was.items() if id not in now), *lost),
        came=(*(PieceThere(id, piece.name, spots.place(piece)) for id, piece in now.items() if id not in was), *won),
        restacked=tuple(_restack(spots, before, after)),
        changed=tuple(
            PieceChanged(piece.id, piece.name, spots.place(piece), changes)
            for lay, piece in stayed
            if (changes := tuple(_changes(lay, piece)))
        ),
        decks=tuple(_alter(_decks(before), _decks(after))),
        game=tuple(_alter(_of_the_game(before), _of_the_game(after))),
    )


def _recognize(before: Listing, after: Listing) -> Listing:
    """The second list with the ids that the pieces have in the first one, if a side sees both.

    A piece is the one that looks alike at the same place, or else the next of its slot and name there, or else
    anywhere. So like pieces that were swapped while they were masked are not told apart.
    """
    was, now = ([piece for piece in listing.pieces if piece.id.startswith(SEEN)] for listing in (before, after))
    ids: dict[str, str] = {}
    for looks in (_look, _kind_there, _kind):
        taken = {*ids.values()}
        free: dict[Hashable, deque[str]] = {}
        for piece in was:
            if piece.id not in taken:
                free.setdefault(looks(piece), deque()).append(piece.id)
        for piece in now:
            if piece.id not in ids and (alike := free.get(looks(piece))):
                ids[piece.id] = alike.popleft()
    known = {piece.id: ids.get(piece.id, f"{piece.id} later") for piece in now}
    pieces = tuple(msgspec.structs.replace(piece, id=known.get(piece.id, piece.id)) for piece in after.pieces)
    return msgspec.structs.replace(after, pieces=pieces)


def _look(piece: ListedPiece) -> Hashable:
    return piece.name, _spot(piece), tuple(piece.shown.items()), tuple(piece.properties.items())


def _kind_there(piece: ListedPiece) -> Hashable:
    return _kind(piece), _spot(piece)


def _spot(piece: ListedPiece) -> Hashable:
    return piece.map, piece.at, piece.deck


def _kind(piece: ListedPiece) -> Hashable:
    return piece.slot or piece.name


def _is_known(piece: ListedPiece) -> bool:
    return not piece.id.startswith(NAMELESS)


class _Spots:
    """What the places of two lists are called: with the map, if pieces lie on several."""

    def __init__(self, *lists: Listing) -> None:
        self.several = len({piece.map for listing in lists for piece in listing.pieces if piece.map}) > 1

    def place(self, piece: ListedPiece) -> str:
        """Where a piece lies, in words."""
        if piece.deck:
            return f"the deck {piece.deck}"
        if not piece.map:
            return "no map"
        here = piece.place or "{},{}".format(*piece.at)
        return f"{here} on {piece.map}" if self.several else here

    def stacks(self, listing: Listing) -> dict[str, dict[str, str]]:
        """The names of the pieces at each place and in each deck by their ids, from the top down."""
        stacks: dict[str, dict[str, str]] = {}
        for piece in listing.pieces:
            if _is_known(piece) and piece.map:
                stacks.setdefault(self.place(piece), {})[piece.id] = piece.name
        return stacks

    def uncounted(self, some: Listing, others: Listing) -> Iterator[PieceThere]:
        """The pieces without ids of which there are more in one list than in the other."""
        more = Counter(self.alike(some))
        more.subtract(self.alike(others))
        for (name, place, _), number in more.items():
            for _ in range(number):
                yield PieceThere("", name, place)

    def alike(self, listing: Listing) -> Iterator[tuple[str, str, tuple[tuple[str, str], ...]]]:
        """What is the same of all pieces without ids that nothing tells apart."""
        for piece in listing.pieces:
            if not _is_known(piece):
                yield piece.name, self.place(piece), tuple(sorted(piece.shown.items()))


def _restack(spots: _Spots, before: Listing, after: Listing) -> Iterator[StackChange]:
    """Places and decks in which the pieces that stayed lie in another order."""
    stacks = spots.stacks(before)
    for place, now in spots.stacks(after).items():
        was = stacks.get(place, {})
        lay, lie = [id for id in was if id in now], [id for id in now if id in was]
        if lay != lie:
            yield StackChange(place, tuple(now[id] for id in lay), tuple(now[id] for id in lie))


def _changes(before: ListedPiece, after: ListedPiece) -> Iterator[Alteration]:
    """What is otherwise of a piece: what is seen of it, its properties, and its name if nothing else tells why it is
    another.
    """
    changes = list(_alter(before.shown, after.shown))
    named = {change.what for change in changes}
    changes += [change for change in _alter(before.properties, after.properties) if change.what not in named]
    if before.name != after.name and not changes:
        changes = [Alteration("name", before.name, after.name)]
    return iter(changes)


def _alter(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Alteration]:
    for what in {**before, **after}:
        if before.get(what) != after.get(what):
            yield Alteration(what, before.get(what), after.get(what))


def _decks(listing: Listing) -> dict[str, str]:
    """The decks by their names and places, with how many cards they have, in words."""
    decks: dict[str, str] = {}
    for deck in listing.decks:
        before = f"{decks[deck.title]}; " if deck.title in decks else ""
        decks[deck.title] = before + deck.in_words
    return decks


def _of_the_game(listing: Listing) -> dict[str, str]:
    """What is stated of the game itself, by what it is."""
    facts = {
        f"turn ({tracker})" if len(listing.turns) > 1 else "turn": state for tracker, state in listing.turns.items()
    }
    for holder, values in listing.properties.items():
        facts |= {name if holder == MODULE else f"{name} of {holder}": value for name, value in values.items()}
    facts |= {f"boards of {map}": ", ".join(boards) for map, boards in listing.boards.items()}
    return facts | {f"side of {name}": side for name, side in listing.players if name}

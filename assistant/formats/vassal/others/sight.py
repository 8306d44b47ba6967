"""A side's view of a save of any module, as in VASSAL. The save is reduced before anything is shown.

The engine hides private windows, face-down decks, and masked or invisible pieces. Pieces off all known maps, and pieces
with the module's own traits, are left out too. The order in the file changes, because it may reveal more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ....util.errors import InputError, format_suggestion
from ..controls import OBSERVER
from ..modules import Module
from ..pieces import NOWHERE, Piece, PieceStack, unknown_kinds
from ..saves import Save
from ..sequence import join
from ..traits import INVISIBLE, Trait, hidden_name, shared_by

SEEN_PREFIX = "seen "
"""The prefix of the ids of visible pieces.

VASSAL's own ids would distinguish similar pieces that were swapped while masked.
"""
_MASKED = "masked "
"""The prefix of the ids of pieces masked from a side; a number follows."""
_CARD = "card "
"""The prefix of the ids of cards that a side does not see; a number follows."""
NAMELESS = (NOWHERE, _MASKED, _CARD)
"""The prefixes of ids that mean nothing beyond one save."""


class Eyes(NamedTuple):
    """The viewer of a save."""

    called: str
    """The name of the side or player."""
    side: str
    """The side, or "" for none."""
    player: str = ""
    """The id of the player whose hidden pieces are visible, or ""."""

    def see(self, owner: str, trait: Trait) -> bool:
        """Return whether the viewer sees a piece hidden by an owner with this trait."""
        sides = shared_by(trait.type)
        if sides is None:
            return owner == self.player
        return bool(self.side) and (owner == self.side if not sides else {owner, self.side} <= {*sides})


def find_eyes(named: str, save: Save, module: Module) -> Eyes:
    """Return the viewer of a save: a side of the module or a player of the save, by name.

    A side sees pieces hidden by a single player if no other player has taken that side.

    Raises InputError if the name is unknown, or if several players have it.
    """
    players = {id: (name, side) for id, name, side in save.players}
    sides = [*module.controls.sides, *(side for _, side in players.values() if side not in ("", OBSERVER))]
    known = dict.fromkeys([*sides, *(name for name, _ in players.values() if name)])
    called = named if named in known else ""
    alike = [name for name in known if name.casefold() == named.casefold()]
    if not called and len(alike) == 1:
        called = alike[0]
    if called in sides:
        own = [id for id, (_, side) in players.items() if side == called]
        return Eyes(called, called, own[0] if len(own) == 1 else "")
    own = [id for id, (name, _) in players.items() if name == called]
    if not called or not own:
        what = f"unknown side {named!r} of {save.about.module or module.about.module or 'the module'}"
        raise InputError(what, hint=format_suggestion(named, known))
    if len(own) > 1:
        raise InputError(
            f"several players are called {called!r}", hint=f"name a side: {', '.join(dict.fromkeys(sides))}"
        )
    side = players[own[0]][1]
    return Eyes(called, "" if side == OBSERVER else side, own[0])


def visible_save(save: Save, module: Module, eyes: Eyes) -> Save:
    """Return a save reduced to a side's view, without signs of what or how much is hidden.

    The save's log must be replayed first.
    """
    return _Sight(save, module, eyes).save()


class _Sight:
    """A save while it is reduced to a view."""

    def __init__(self, save: Save, module: Module, eyes: Eyes) -> None:
        self.before = save
        self.eyes = eyes
        self.windows = {name for name, window in module.maps.items() if window.open or eyes.side in window.sides}
        self.pieces: dict[str, Piece] = {}
        self.stacks: dict[str, PieceStack] = {}
        self.cards = 0

    def save(self) -> Save:
        """Return the reduced save, sorted by place: at each place the stacks in order, then single pieces."""
        stack_of = self.before.stack_of
        for stack in sorted(self.before.stacks.values(), key=lambda stack: (stack.map, stack.at)):
            if stack.map in self.windows:
                ids = tuple(id for id in stack.pieces if stack_of.get(id) is stack)
                self.record_stack(stack, self.see_deck(stack, ids) if stack.deck else self.record_seen(ids))
        single = [piece for id, piece in self.before.pieces.items() if id not in stack_of and piece.map in self.windows]
        for piece in sorted(single, key=lambda piece: (piece.map, piece.at)):
            self.record_seen((piece.id,))
        return msgspec.structs.replace(
            self.before,
            boards={map: boards for map, boards in sorted(self.before.boards.items()) if map in self.windows},
            pieces=self.pieces,
            stacks=self.stacks,
            notes="",
            properties={},
            pings=(),
            steps=(),
            unread=(),
        )

    def record_stack(self, stack: PieceStack, ids: Sequence[str]) -> None:
        """Keep a stack with its visible pieces, or an empty deck."""
        if ids or stack.deck:
            id = f"{len(self.stacks) + 1}"
            self.stacks[id] = stack._replace(id=id, pieces=tuple(ids))

    def record_seen(self, ids: Sequence[str]) -> list[str]:
        """Keep those of these pieces that are visible, and return their new ids."""
        new_ids = []
        for id in ids:
            if (piece := self.see_piece(self.before.pieces[id])) is not None:
                self.pieces[piece.id] = piece
                new_ids.append(piece.id)
        return new_ids

    def see_piece(self, piece: Piece) -> Piece | None:
        """Return a piece as seen: itself, its mask, or None."""
        hidden = [trait for trait in piece.traits if (by := piece.owner(trait)) and not self.eyes.see(by, trait)]
        if unknown_kinds(piece) or any(trait.kind == INVISIBLE for trait in hidden):
            return None
        if hidden:
            cover = Trait(join(("piece", "", "", "", hidden_name(hidden[0].type).rstrip("\\") or "?"), ";"))
            return Piece(self.make_id(_MASKED), (cover,), piece.map, piece.at)
        return piece._replace(id=self.make_id(SEEN_PREFIX))

    def make_id(self, kind: str) -> str:
        """Return an id made from the number of pieces kept so far."""
        return f"{kind}{len(self.pieces) + 1}"

    def see_deck(self, deck: PieceStack, ids: Sequence[str]) -> list[str]:
        """Return the visible cards of a deck on top of its hidden ones, as many as the deck shows."""
        opened = deck.opens_to(self.eyes.side)
        seen = [] if deck.face_down else self.record_seen(ids if opened else ids[-1:])
        number = len(ids) if len(seen) == len(ids) else max(len(seen), min(len(ids), deck.shows))
        first = self.cards
        self.cards += number - len(seen)
        return [*(f"{_CARD}{n + 1}" for n in range(first, self.cards)), *seen]

"""What a side may see of a save of any module, as VASSAL shows it; the save is reduced before anything is shown.

The engine hides private windows, face-down decks, and masked or invisible pieces. Left out too are pieces off all known
maps and those with the module's own traits. The file's order, which may reveal more, changes.
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

SEEN = "seen "
"""Begins the ids of the pieces that a side sees. VASSAL's own ids would tell two like pieces apart that were swapped
while they were masked.
"""
_MASKED = "masked "
"""Begins the ids of pieces masked from a side, which only their number tells apart."""
_CARD = "card "
"""Begins the ids of cards that a side does not see, which only their number tells apart."""
NAMELESS = (NOWHERE, _MASKED, _CARD)
"""Beginnings of ids that mean nothing beyond one save."""


class Eyes(NamedTuple):
    """Who looks at a save."""

    called: str
    """What the side or the player is called."""
    side: str
    """Empty for none."""
    player: str = ""
    """Whose pieces only this player sees, by id, "" for none."""

    def see(self, owner: str, trait: Trait) -> bool:
        """Return whether a piece is seen by one who did not hide it, or did. owner: who hid it by the trait."""
        sides = shared_by(trait.type)
        if sides is None:
            return owner == self.player
        return bool(self.side) and (owner == self.side if not sides else {owner, self.side} <= {*sides})


def find_eyes(named: str, save: Save, module: Module) -> Eyes:
    """Return the eyes of a side of the module, or of a player of the save, by name.

    What a single player hid, a side sees if no other player has taken it. Raises InputError for a name that neither
    has, and for one that several players have.
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
    """Return what is left of a save for a side: nothing tells what it does not see, nor how much of it there is.

    Its log must be replayed before.
    """
    return _Sight(save, module, eyes).save()


class _Sight:
    """A save while it is cut down."""

    def __init__(self, save: Save, module: Module, eyes: Eyes) -> None:
        self.before = save
        self.eyes = eyes
        self.windows = {name for name, window in module.maps.items() if window.open or eyes.side in window.sides}
        self.pieces: dict[str, Piece] = {}
        self.stacks: dict[str, PieceStack] = {}
        self.cards = 0

    def save(self) -> Save:
        """Return what is left: places in their order, at each its stacks from the first to the last, then single
        pieces.
        """
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
        """Keep a stack with what is seen in it; one without anything that is seen only if it is a deck."""
        if ids or stack.deck:
            id = f"{len(self.stacks) + 1}"
            self.stacks[id] = stack._replace(id=id, pieces=tuple(ids))

    def record_seen(self, ids: Sequence[str]) -> list[str]:
        """Keep the pieces of some that are seen. Returns the ids under which they are kept."""
        kept = []
        for id in ids:
            if (piece := self.see_piece(self.before.pieces[id])) is not None:
                self.pieces[piece.id] = piece
                kept.append(piece.id)
        return kept

    def see_piece(self, piece: Piece) -> Piece | None:
        """Return a piece as it is seen: itself, what masks it, or None for nothing."""
        hidden = [trait for trait in piece.traits if (by := piece.owner(trait)) and not self.eyes.see(by, trait)]
        if unknown_kinds(piece) or any(trait.kind == INVISIBLE for trait in hidden):
            return None
        if hidden:
            cover = Trait(join(("piece", "", "", "", hidden_name(hidden[0].type).rstrip("\\") or "?"), ";"))
            return Piece(self.make_id(_MASKED), (cover,), piece.map, piece.at)
        return piece._replace(id=self.make_id(SEEN))

    def make_id(self, kind: str) -> str:
        """Return an id that only counts what is kept."""
        return f"{kind}{len(self.pieces) + 1}"

    def see_deck(self, deck: PieceStack, ids: Sequence[str]) -> list[str]:
        """Return the cards of a deck: those that are seen on top of the others, which are counted as far as the deck
        shows its height.
        """
        opened = deck.opens_to(self.eyes.side)
        seen = [] if deck.face_down else self.record_seen(ids if opened else ids[-1:])
        number = len(ids) if len(seen) == len(ids) else max(len(seen), min(len(ids), deck.shows))
        first = self.cards
        self.cards += number - len(seen)
        return [*(f"{_CARD}{n + 1}" for n in range(first, self.cards)), *seen]

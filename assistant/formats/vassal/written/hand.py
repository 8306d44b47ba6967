"""A hand over the game of a save: each thing that it does is a step of VASSAL's commands."""

from __future__ import annotations

import re
from itertools import count

import msgspec

from ..grids import Pixel
from ..pieces import NOWHERE, Piece, PieceStack, write_definition, write_piece_state, write_stack_definition
from ..replay import SHARED, ReplayedGame
from ..saves import MODULE, Save
from ..sequence import join

_BY_NOBODY = NOWHERE
"""Who moved a piece, if not a player."""


class Hand:
    """A hand over the game of a save."""

    def __init__(self, save: Save) -> None:
        self.begun_with = save
        self.table = ReplayedGame(save)
        """The game as it is now."""
        self.steps: list[tuple[str, ...]] = []
        """What the hand did, each step as its commands."""
        ids = (int(id) for id in (*save.pieces, *save.stacks) if re.fullmatch("[0-9]{1,18}", id))
        self._ids = map(str, count(max(ids, default=0) + 1))

    def save(self) -> Save:
        """Return the game as it is now, without new stacks that came to hold nothing."""
        now = self.table.save()
        before = self.begun_with.stacks
        stacks = {id: stack for id, stack in now.stacks.items() if stack.pieces or stack.deck or id in before}
        return msgspec.structs.replace(now, stacks=stacks)

    def do(self, *commands: str) -> None:
        """Carry out commands as one step."""
        for command in commands:
            self.table.carry_out(command)
        self.steps.append(commands)

    def stack_of(self, id: str) -> PieceStack | None:
        """Return the stack that a piece is in."""
        return self.table.stacks.get(self.table.stack_of.get(id, ""))

    def below(self, id: str) -> str:
        """Return the piece right below one in its stack, "" if it is the lowest or in none."""
        stack = self.stack_of(id)
        at = stack.pieces.index(id) if stack is not None else 0
        return stack.pieces[at - 1] if stack is not None and at else ""

    def top(self, map: str, at: Pixel) -> str:
        """Return the top piece of the stack at a place, "" if there is none."""
        stack = self.table.stacks.get(self.table.stack_at(map, at, NOWHERE))
        return stack.pieces[-1] if stack is not None and stack.pieces else ""

    def move(self, id: str, map: str, at: Pixel, under: str = "") -> None:
        """Move a piece onto the piece `under`, or below everything at a place; where nothing lies it makes a new stack."""
        piece = self.table.pieces[id]
        stack = self.stack_of(id)
        here = (map, *_write_pixel(at), under or NOWHERE)
        there = (piece.map or NOWHERE, *_write_pixel(piece.at), self.below(id) or NOWHERE)
        commands = ["M/" + join((id, *here, *there, _BY_NOBODY), "/")]
        if not self.table.stack_at(map, at, under):
            stacks = (other for other in self.table.stacks.values() if other.pieces and not other.deck)
            layer = next((other.layer for other in stacks), 0) if stack is None else stack.layer
            commands.append(write_stack_definition(PieceStack(next(self._ids), (id,), map, at, layer)))
        self.do(*commands)

    def restate(self, piece: Piece) -> None:
        """Give a piece the states of traits that it has here."""
        before = self.table.pieces[piece.id]
        self.do("D/" + join((piece.id, write_piece_state(piece), write_piece_state(before)), "/"))

    def new_id(self) -> str:
        """Return an id that nothing has."""
        return next(self._ids)

    def add(self, piece: Piece) -> str:
        """Bring a piece into play where it says that it lies, in no stack. Returns the id that it got."""
        new = piece._replace(id=self.new_id())
        self.do(write_definition(new))
        return new.id

    def remove(self, id: str) -> None:
        """Take a piece out of the game."""
        self.do("-/" + join((id,), "/"))

    def set(self, name: str, value: str) -> None:
        """Set a global property of the module."""
        before = self.table.properties.get((MODULE, name), "")
        self.do(join((SHARED, name, before, value, MODULE), "\t"))


def _write_pixel(at: Pixel) -> tuple[str, str]:
    return str(at[0]), str(at[1])

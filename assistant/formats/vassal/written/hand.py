"""A hand at the table: it does what players do with the mouse, and each thing that it does is a step of a log, as VASSAL writes it."""

from __future__ import annotations

import re
from itertools import count

import msgspec

from ..declared import MODULE
from ..grids import Pixel
from ..logs import SHARED, Table
from ..pieces import NOWHERE, Piece, Stack, definition, stack_definition, state_of
from ..recorded.chat import CHAT
from ..saves import PUBLIC, Save, turn_command, written_lines
from ..sequence import join

_BY_NOBODY = NOWHERE
"""Who moved a piece, if not a player."""


class Hand:
    """A hand over the game of a save.

    table: the game as it is now; steps: what the hand did, each step as its commands.
    """

    def __init__(self, save: Save) -> None:
        self.begun_with = save
        self.table = Table(save)
        self.steps: list[tuple[str, ...]] = []
        ids = (int(id) for id in (*save.pieces, *save.stacks) if re.fullmatch("[0-9]{1,18}", id))
        self._ids = map(str, count(max(ids, default=0) + 1))

    def save(self) -> Save:
        """The game as it is now, without new stacks that came to hold nothing."""
        now, before = self.table.save(), self.begun_with.stacks
        stacks = {id: stack for id, stack in now.stacks.items() if stack.pieces or stack.deck or id in before}
        return msgspec.structs.replace(now, stacks=stacks)

    def _do(self, *commands: str) -> None:
        for command in commands:
            self.table.carry_out(command)
        self.steps.append(commands)

    def say(self, text: str) -> None:
        """Write a line into the chat."""
        self._do(f"{CHAT}{text}")

    def stack_of(self, id: str) -> Stack | None:
        """The stack that a piece is in."""
        return self.table.stacks.get(self.table.stack_of.get(id, ""))

    def below(self, id: str) -> str:
        """The piece right below one in its stack, "" if it is the lowest or in none."""
        stack = self.stack_of(id)
        return stack.pieces[at - 1] if stack is not None and (at := stack.pieces.index(id)) else ""

    def top(self, map: str, at: Pixel) -> str:
        """The top piece of the stack at a place, "" if there is none."""
        stack = self.table.stacks.get(self.table.stack_at(map, at, NOWHERE))
        return stack.pieces[-1] if stack is not None and stack.pieces else ""

    def move(self, id: str, map: str, at: Pixel, under: str = "") -> None:
        """Move a piece onto the piece `under`, or below everything at a place; where nothing lies it makes a new stack."""
        piece, stack = self.table.pieces[id], self.stack_of(id)
        here = (map, *_words(at), under or NOWHERE)
        there = (piece.map or NOWHERE, *_words(piece.at), self.below(id) or NOWHERE)
        commands = ["M/" + join((id, *here, *there, _BY_NOBODY), "/")]
        if not self.table.stack_at(map, at, under):
            layer = self._usual_layer() if stack is None else stack.layer
            commands.append(stack_definition(Stack(next(self._ids), (id,), map, at, layer)))
        self._do(*commands)

    def _usual_layer(self) -> int | None:
        """The layer of the stacks of this game."""
        return next((stack.layer for stack in self.table.stacks.values() if stack.pieces and not stack.deck), 0)

    def restate(self, piece: Piece) -> None:
        """Give a piece the states of traits that it has here."""
        before = self.table.pieces[piece.id]
        self._do("D/" + join((piece.id, state_of(piece), state_of(before)), "/"))

    def add(self, piece: Piece) -> str:
        """Bring a piece into play where it says that it lies, in no stack. Returns the id that it got."""
        new = piece._replace(id=next(self._ids))
        self._do(definition(new))
        return new.id

    def remove(self, id: str) -> None:
        """Take a piece out of the game."""
        self._do("-/" + join((id,), "/"))

    def set(self, name: str, value: str) -> None:
        """Set a global property of the module."""
        before = self.table.properties.get((MODULE, name), "")
        self._do(join((SHARED, name, before, value, MODULE), "\t"))

    def turn(self, tracker: str, state: str) -> None:
        """Put a turn tracker at another state."""
        self._do(turn_command(tracker, state))

    def note(self, text: str) -> None:
        """Write the public notes anew."""
        self._do(PUBLIC + written_lines(text))


def _words(at: Pixel) -> tuple[str, str]:
    return str(at[0]), str(at[1])

"""Logs: the steps after the save that a log begins with, replayed as VASSAL does."""

from __future__ import annotations

import msgspec

from ...util.errors import InputError
from ...util.limits import Limit
from .containers import commands_of
from .grids import Pixel
from .saves import NOWHERE, Save, SaveReader, Stack, of_command, pixel, restated, stack_of_state
from .sequence import split

#: Commands that inform players and change nothing.
_TALK = ("CHAT", "UNDO\t", "HIGHLIGHT", "*")


def replayed(save: Save) -> Save:
    """The game after all steps of its log. Raises InputError for an incomplete step."""
    table = _Table(save)
    for step in save.steps:
        for command in commands_of(step):
            try:
                table.carry_out(command)
            except InputError:
                raise
            except (ValueError, IndexError) as error:
                what = f"the step {command[:60]!r} cannot be read: {error}"
                raise InputError(what, hint="the log is damaged") from None
    return table.save()


class _Table(SaveReader):
    """A game while steps are replayed."""

    def __init__(self, save: Save) -> None:
        super().__init__(msgspec.structs.replace(save, steps=()))
        self.stack_of = {piece: stack.id for stack in save.stacks.values() for piece in stack.pieces}
        self.handled, self.most_handled = 0, Limit.HANDLED.most
        self.spots: dict[tuple[str, Pixel], dict[str, None]] = {}  # the stacks at each place, oldest first
        for stack in save.stacks.values():
            self.spots.setdefault((stack.map, stack.at), {})[stack.id] = None

    def carry_out(self, command: str) -> None:
        """Carry out one command, or list it as not understood."""
        if len(command) > self.longest:
            raise Limit.COMMAND.error("a command holds")
        match command[:2]:
            case "+/":
                self.add(command)
            case "-/" | "D/" | "M/":
                id, *words = split(command[2:], "/")
                if id in self.pieces or id in self.stacks:
                    self.carry_out_on(id, command[0], words)
                else:
                    self.unread.append(command)
            case _:
                self.tell(command)

    def carry_out_on(self, id: str, verb: str, words: list[str]) -> None:
        """Remove (-), change (D) or move (M) a piece or a stack."""
        if verb == "-":
            self.remove(id)
        elif verb == "D":
            self.change(id, words[0])
        else:
            map, x, y, under, *_ = words
            self.move(id, "" if map == NOWHERE else map, pixel(x, y), under)

    def tell(self, command: str) -> None:
        """Carry out a command about no piece: a property, the turn, notes, chat."""
        head, _, rest = command.partition("\t")
        if head == "MutableProperty":
            name, _, value, holder, *_ = [*split(rest, "\t"), "", ""]
            self.properties[holder, name] = value
        elif not command.startswith(_TALK) and command != NOWHERE:
            self.take(command)

    def add(self, command: str) -> None:
        """Add a piece or a stack; the pieces of a stack leave their former stacks."""
        added = of_command(command)
        if isinstance(added, Stack):
            self.lift(*added.pieces)
            self.put(added)
        else:
            super().add(command)

    def put(self, stack: Stack) -> None:
        """Replace a stack, or delete it if it is empty. Raises InputError if the steps handled too many pieces."""
        self.handled += len(stack.pieces)
        if self.handled > self.most_handled:
            raise Limit.HANDLED.error("the steps of the log handle")
        Limit.STACK.check(len(stack.pieces), "a stack holds")
        if (before := self.stacks.pop(stack.id, None) if not stack.pieces else self.stacks.get(stack.id)) is not None:
            del self.spots[before.map, before.at][stack.id]
        if stack.pieces:
            self.stacks[stack.id] = stack
            self.spots.setdefault((stack.map, stack.at), {})[stack.id] = None
            self.stack_of |= dict.fromkeys(stack.pieces, stack.id)

    def lift(self, *pieces: str) -> None:
        """Take pieces out of the stacks they are in."""
        gone = set(pieces)
        for id in dict.fromkeys(self.stack_of.pop(piece, "") for piece in pieces):
            if (stack := self.stacks.get(id)) is not None:
                self.handled += len(stack.pieces)
                self.put(stack._replace(pieces=tuple([piece for piece in stack.pieces if piece not in gone])))

    def remove(self, id: str) -> None:
        """Remove a piece, or a stack with its pieces, from the game."""
        gone: tuple[str, ...] = (id,)
        if id in self.stacks:
            gone = self.stacks[id].pieces
            self.put(self.stacks[id]._replace(pieces=()))
        self.lift(*gone)
        for piece in gone:
            self.pieces.pop(piece, None)

    def change(self, id: str, state: str) -> None:
        """Give a piece or a stack a new state."""
        if id in self.stacks:
            changed = stack_of_state(id, state)
            self.lift(*self.stacks[id].pieces, *changed.pieces)
            self.put(changed)
        else:
            self.pieces[id] = restated(self.pieces[id], state)

    def move(self, id: str, map: str, at: Pixel, under: str) -> None:
        """Move a piece or a stack to a place: on top of the piece `under`, or below everything there."""
        moved = self.stacks[id].pieces if id in self.stacks else (id,)
        moved = tuple(piece for piece in moved if piece in self.pieces)
        self.lift(*moved)
        for piece in moved:
            self.pieces[piece] = self.pieces[piece]._replace(map=map, at=at)
        if not map:
            return
        there = self.stacks[next(iter(self.spots[map, at]))] if self.spots.get((map, at)) else None
        if there is None:
            name = id if id not in self.pieces else f"{id}+"
            self.put(Stack(name, moved, map, at))
            return
        height = there.pieces.index(under) + 1 if under in there.pieces else 0
        self.put(there._replace(pieces=(*there.pieces[:height], *moved, *there.pieces[height:])))

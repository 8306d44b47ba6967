"""Logs replayed as in VASSAL: the steps after a save, carried out in order."""

from __future__ import annotations

import copy
import sys
from contextlib import suppress

import msgspec

from ...util.errors import InputError
from ...util.limits import Limit, find_exceeded
from .file_limits import name_limits
from .grids import Pixel
from .pieces import NOWHERE, PieceStack, piece_parts, pixel, read_added, stack_of_state, with_state
from .saves import Save, SaveReader
from .sequence import split
from .streams import commands_in

SHARED = "MutableProperty"
"""The beginning of the command that changes a global property: name, old and new value, and holder follow."""
_HANDLED = "the steps of the log handle"
UNDO = "UNDO\t"
"""The beginning of the commands before and after the undoing of a step."""
_TALK_COMMANDS = ("CHAT", UNDO, "HIGHLIGHT", "FLARE", "*")
"""Beginnings of commands that inform players and change nothing."""


def replay(save: Save) -> Save:
    """Return the game after the steps of its log. Undone moves are steps of their own.

    Raises InputError if a step is incomplete, or if the steps exceed a limit.
    """
    if not save.steps:
        return save
    return name_limits(
        lambda: _carry_out_steps(save, ReplayedGame(save)), lambda error: error.with_more(taken_by_steps(save))
    )


def _carry_out_steps(save: Save, table: ReplayedGame) -> Save:
    for step in save.steps:
        table.carry_out_all(commands_in(step))
    return table.save()


def taken_by_steps(save: Save) -> dict[Limit, tuple[str, int]]:
    """Return every limit that the steps of a log exceed, for one message.

    Counting stops at four times the limits.
    """
    table = ReplayedGame(save)
    table.max_stacked = sys.maxsize
    table.max_handled *= 4
    table.max_pieces *= 4
    table.max_parts *= 4
    with suppress(InputError):
        _carry_out_steps(save, table)
    return find_exceeded(
        {
            Limit.STACK: ("a stack holds", table.highest),
            Limit.HANDLED: (_HANDLED, table.handled),
            Limit.PIECES: ("it holds", len(table.pieces)),
            Limit.PARTS: ("its pieces have", table.parts),
        }
    )


class ReplayedGame(SaveReader):
    """A game during the replay of steps."""

    unreadable = ("step", "the log is damaged")

    def __init__(self, save: Save) -> None:
        super().__init__(msgspec.structs.replace(save, steps=()))
        self.stack_of: dict[str, str] = {}  # the id of the stack, by piece
        self.spots: dict[tuple[str, Pixel], dict[str, None]] = {}  # the stacks with pieces at each place, oldest first
        self.lies_alone: dict[str, bool] = {}  # whether a piece never stacks, by piece that was moved
        self.handled = 0
        self.max_handled = Limit.HANDLED.most
        self.highest = 0
        for stack in save.stacks.values():
            if stack.pieces or stack.deck:
                self.restack(stack)

    def copy(self) -> ReplayedGame:
        """Return an independent game in the same state."""
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list):
                setattr(other, name, copy.copy(value))
        other.spots = {spot: dict(stacks) for spot, stacks in self.spots.items()}
        return other

    def carry_out(self, command: str) -> None:
        """Carry out one command, or list it as not understood."""
        if len(command) > self.max_command_chars:
            raise Limit.COMMAND.error("a command holds")
        head, _, rest = command.partition("\t")
        match command[:2]:
            case "-/" | "D/" | "M/":
                self.carry_out_on(*split(command[2:], "/"), command=command)
            case _ if head == SHARED:
                name, _, value, holder, *_ = [*split(rest, "\t"), "", ""]
                self.properties[holder, name] = value
            case _ if not command.startswith(_TALK_COMMANDS) and command != NOWHERE:
                super().carry_out(command)

    def carry_out_on(self, id: str, *words: str, command: str) -> None:
        """Remove (-), change (D) or move (M) a piece or stack, or list the command if there is no such piece."""
        if id not in self.pieces and id not in self.stacks:
            self.unread.append(command)
        elif command.startswith("-"):
            self.remove(id)
        elif command.startswith("D"):
            self.change(id, words[0])
        else:
            map, x, y, under, *_ = words
            self.move(id, "" if map == NOWHERE else map, pixel(x, y), under)

    def add(self, command: str) -> None:
        added = self.with_id(read_added(command))
        if isinstance(added, PieceStack):
            self.restack(added)
        else:
            self.lies_alone.pop(added.id, None)
            self.keep(added)

    def restack(self, stack: PieceStack) -> None:
        """Add or change a stack. New pieces in it leave their old stacks, and pieces no longer in it are in no stack.

        A stack may name pieces that are not in play, which VASSAL ignores.
        """
        pieces = tuple(dict.fromkeys(piece for piece in stack.pieces if piece in self.pieces))
        if (before := self.stacks.get(stack.id)) is not None:
            self.take_out(*before.pieces)
        self.take_out(*pieces)
        self.put(stack._replace(pieces=pieces))

    def put(self, stack: PieceStack) -> None:
        """Replace a stack.

        An empty stack is kept, because later steps may name it, but pieces are only put on it if it is a deck.

        Raises InputError if the steps have handled too many pieces.
        """
        self.handle(len(stack.pieces))
        self.highest = max(self.highest, len(stack.pieces))
        self.check_stack(stack)
        self.clear_spot(stack.id)
        self.stacks[stack.id] = stack
        if stack.pieces or stack.deck:
            self.spots.setdefault((stack.map, stack.at), {})[stack.id] = None
            for id in stack.pieces:
                self.stack_of[id] = stack.id

    def clear_spot(self, id: str) -> None:
        """Remove a stack from the index of places."""
        stack = self.stacks.get(id)
        there = self.spots.get((stack.map, stack.at)) if stack is not None else None
        if stack is not None and there:
            there.pop(id, None)
            if not there:
                del self.spots[stack.map, stack.at]

    def handle(self, pieces: int) -> None:
        """Count pieces handled by a step.

        Raises InputError if all steps so far handled too many.
        """
        self.handled += pieces
        if self.handled > self.max_handled:
            raise Limit.HANDLED.error(_HANDLED, self.handled)

    def take_out(self, *pieces: str) -> None:
        """Take pieces out of their stacks."""
        taken = set(pieces)
        for id in dict.fromkeys([self.stack_of.pop(piece, "") for piece in pieces]):
            if (stack := self.stacks.get(id)) is not None:
                self.handle(len(stack.pieces))
                self.put(stack._replace(pieces=tuple([piece for piece in stack.pieces if piece not in taken])))

    def remove(self, id: str) -> None:
        """Remove a piece, or only a stack, whose pieces are off the map until a step places them.

        An undone move is logged so: the stack made by the move is removed, then the piece moves back.
        """
        if id in self.stacks:
            pieces = self.stacks[id].pieces
            self.take_out(*pieces)
            self.place(pieces, "")
            self.clear_spot(id)
            del self.stacks[id]
        else:
            self.take_out(id)
            self.parts -= piece_parts(self.pieces.pop(id))
            self.lies_alone.pop(id, None)

    def place(self, pieces: tuple[str, ...], map: str, at: Pixel | None = None) -> None:
        """Set the position of pieces.

        `at`: the pixel, or None if it stays the same.
        """
        for id in pieces:
            piece = self.pieces[id]
            self.pieces[id] = piece._replace(map=map, at=piece.at if at is None else at)

    def change(self, id: str, state: str) -> None:
        """Give a piece or a stack a new state."""
        if id in self.stacks:
            self.restack(stack_of_state(id, state, self.stacks[id].deck))
        else:
            self.keep(with_state(self.pieces[id], state))

    def move(self, id: str, map: str, at: Pixel, under: str) -> None:
        """Move a piece or stack to a place: onto the piece `under`, or below everything if there is none.

        It goes on top if `under` has moved away, or if a stack is moved. A piece that never stacks stays beside others.
        """
        stack = self.stacks.get(id)
        moved = (id,) if stack is None else stack.pieces
        stack_there = self.stack_at(map, at, under) if map else ""
        lies_beside = stack is None and self.never_stacks(id)
        if (
            lies_beside
            and stack_there
            and not self.stacks[stack_there].deck
            and under not in self.stacks[stack_there].pieces
        ):
            stack_there = ""
        self.take_out(*moved)
        self.place(moved, map, at)
        if stack_there:
            target_stack = self.stacks[stack_there]
            if under in target_stack.pieces:
                height = target_stack.pieces.index(under) + 1
            elif stack is None and under == NOWHERE:
                height = 0
            else:
                height = len(target_stack.pieces)
            self.put(
                target_stack._replace(pieces=(*target_stack.pieces[:height], *moved, *target_stack.pieces[height:]))
            )
        elif stack is not None:
            self.put(stack._replace(pieces=moved, map=map, at=at))
        elif map and not lies_beside:
            self.put(PieceStack(self.new_id(id), moved, map, at))

    def never_stacks(self, id: str) -> bool:
        if id not in self.lies_alone:
            self.lies_alone[id] = not self.pieces[id].stacks
        return self.lies_alone[id]

    def new_id(self, piece: str) -> str:
        """Return an id for a new stack made by moving a piece; no stack with pieces has this id."""
        id = f"{piece}+"
        while id in self.stacks and self.stacks[id].pieces:
            id += "+"
        return id

    def stack_at(self, map: str, at: Pixel, under: str) -> str:
        """Return the id of the stack at a place, preferably the one with the piece `under`, or ""."""
        there = self.spots.get((map, at), {})
        return self.stack_of[under] if self.stack_of.get(under) in there else next(iter(there), "")

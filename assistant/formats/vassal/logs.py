"""Logs: the steps after the save that a log begins with, replayed as VASSAL does."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress

import msgspec

from ...util.errors import InputError
from ...util.limits import Limit, TooMuch, find_exceeded
from .containers import commands_in
from .grids import Pixel
from .pieces import NOWHERE, Stack, of_command, parts_of, pixel, stack_of_state, with_state
from .saves import Save, SaveReader
from .sequence import split

SHARED = "MutableProperty"
"""Begins the command that changes a global property: its name, its value before and now, and its holder."""
_HANDLED = "the steps of the log handle"
UNDO = "UNDO\t"
"""Begins the commands that stand before and after what undoing a step did."""
#: Commands that inform players and change nothing.
_TALK = ("CHAT", UNDO, "HIGHLIGHT", "*")


def replayed(save: Save, until: int | None = None) -> Save:
    """The game after the steps of its log. until: how many of them, None for all; undone moves are steps of their own.

    Raises InputError for an incomplete step.
    """
    steps = save.steps[:until]
    if not steps:
        return save
    try:
        return _after(steps, Table(save))
    except TooMuch as error:
        error.__traceback__ = None  # it holds what was replayed so far
        too_much = error
    raise too_much.with_more(taken_by_steps(save))


def _after(steps: Iterable[str], table: Table) -> Save:
    """The game after some steps."""
    for step in steps:
        for command in commands_in(step):
            table.carry_out_of_step(command)
    return table.save()


def taken_by_steps(save: Save) -> dict[Limit, tuple[str, int]]:
    """Every limit that the steps of a log exceed, counted as far as to four times the limits, so that one message names
    all of them.
    """
    table = Table(save)
    table.most_stacked = sys.maxsize
    table.most_handled, table.most_pieces, table.most_parts = (
        4 * most for most in (table.most_handled, table.most_pieces, table.most_parts)
    )
    with suppress(InputError):
        _after(save.steps, table)
    return find_exceeded(
        {
            Limit.STACK: ("a stack holds", table.highest),
            Limit.HANDLED: (_HANDLED, table.handled),
            Limit.PIECES: ("it holds", len(table.pieces)),
            Limit.PARTS: ("its pieces have", table.parts),
        }
    )


class Table(SaveReader):
    """A game while steps are replayed."""

    def __init__(self, save: Save) -> None:
        super().__init__(msgspec.structs.replace(save, steps=()))
        self.stack_of: dict[str, str] = {}  # by piece
        self.spots: dict[tuple[str, Pixel], dict[str, None]] = {}  # the stacks with pieces at each place, oldest first
        self.lies_alone: dict[str, bool] = {}  # by piece, of those that were moved: whether it never stacks
        self.handled, self.most_handled, self.highest = 0, Limit.HANDLED.most, 0
        for stack in save.stacks.values():
            if stack.pieces or stack.deck:
                self.restack(stack)

    def carry_out_of_step(self, command: str) -> None:
        """Carry out a command of a step of the log. Raises InputError if it cannot be read."""
        try:
            self.carry_out(command)
        except InputError:
            raise
        except (ValueError, IndexError) as error:
            what = f"the step {command[:60]!r} cannot be read: {error}"
            raise InputError(what, hint="the log is damaged") from None

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
        if head == SHARED:
            name, _, value, holder, *_ = [*split(rest, "\t"), "", ""]
            self.properties[holder, name] = value
        elif not command.startswith(_TALK) and command != NOWHERE:
            self.take(command)

    def add(self, command: str) -> None:
        """Add a piece, a stack or a deck."""
        added = self.with_id(of_command(command))
        if isinstance(added, Stack):
            self.restack(added)
        else:
            self.lies_alone.pop(added.id, None)
            self.keep(added)

    def restack(self, stack: Stack) -> None:
        """Add or change a stack: it takes its pieces from where they are, and those that it had are in none.

        It may name pieces that are not in play; VASSAL passes over them.
        """
        pieces = tuple(dict.fromkeys(piece for piece in stack.pieces if piece in self.pieces))
        if (before := self.stacks.get(stack.id)) is not None:
            self.lift(*before.pieces)
        self.lift(*pieces)
        self.put(stack._replace(pieces=pieces))

    def put(self, stack: Stack) -> None:
        """Replace a stack. One without pieces stays, for later steps name it, but nothing is put on it, unless it is a
        deck.

        Raises InputError if the steps handled too many pieces.
        """
        self.handle(len(stack.pieces))
        self.highest = max(self.highest, len(stack.pieces))
        self.check_stack(stack)
        if (before := self.stacks.get(stack.id)) is not None and (there := self.spots.get((before.map, before.at))):
            there.pop(stack.id, None)
            if not there:
                del self.spots[before.map, before.at]
        self.stacks[stack.id] = stack
        if stack.pieces or stack.deck:
            self.spots.setdefault((stack.map, stack.at), {})[stack.id] = None
            for id in stack.pieces:
                self.stack_of[id] = stack.id

    def handle(self, pieces: int) -> None:
        """Count pieces that a step handles. Raises InputError if all steps so far handled too many."""
        self.handled += pieces
        if self.handled > self.most_handled:
            raise Limit.HANDLED.error(_HANDLED, self.handled)

    def lift(self, *pieces: str) -> None:
        """Take pieces out of the stacks they are in."""
        gone = set(pieces)
        for id in dict.fromkeys([self.stack_of.pop(piece, "") for piece in pieces]):
            if (stack := self.stacks.get(id)) is not None:
                self.handle(len(stack.pieces))
                self.put(stack._replace(pieces=tuple([piece for piece in stack.pieces if piece not in gone])))

    def remove(self, id: str) -> None:
        """Remove a piece, or a stack alone: its pieces are off the map until a step puts them somewhere.

        An undone move is logged so: the stack that the move made is removed, then the piece moves back.
        """
        if id in self.stacks:
            pieces = self.stacks[id].pieces
            self.lift(*pieces)
            self.place(pieces, "")
            del self.stacks[id]
        else:
            self.lift(id)
            self.parts -= parts_of(self.pieces.pop(id))
            self.lies_alone.pop(id, None)

    def place(self, pieces: tuple[str, ...], map: str, at: Pixel | None = None) -> None:
        """Note where pieces lie now. at: None if that stays as it is."""
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
        """Move a piece or a stack to a place: on top of the piece `under`, or below everything there if there is none.

        If `under` is elsewhere by now, or a stack is moved, it comes to lie on top. A piece that never stacks lies
        beside others.
        """
        stack = self.stacks.get(id)
        moved = (id,) if stack is None else stack.pieces
        there = self.stack_at(map, at, under) if map else ""
        alone = stack is None and self.never_stacks(id)
        if alone and there and not self.stacks[there].deck and under not in self.stacks[there].pieces:
            there = ""
        self.lift(*moved)
        self.place(moved, map, at)
        if there:
            onto = self.stacks[there]
            bottom = stack is None and under == NOWHERE
            height = onto.pieces.index(under) + 1 if under in onto.pieces else 0 if bottom else len(onto.pieces)
            self.put(onto._replace(pieces=(*onto.pieces[:height], *moved, *onto.pieces[height:])))
        elif stack is not None:
            self.put(stack._replace(pieces=moved, map=map, at=at))
        elif map and not alone:
            self.put(Stack(self.new_id(id), moved, map, at))

    def never_stacks(self, id: str) -> bool:
        """Whether a piece lies beside others."""
        if id not in self.lies_alone:
            self.lies_alone[id] = not self.pieces[id].stacks
        return self.lies_alone[id]

    def new_id(self, piece: str) -> str:
        """An id for the stack that a move makes: none that holds other pieces."""
        id = f"{piece}+"
        while id in self.stacks and self.stacks[id].pieces:
            id += "+"
        return id

    def stack_at(self, map: str, at: Pixel, under: str) -> str:
        """The stack at a place, if possible the one with the piece `under`; "" if there is none."""
        there = self.spots.get((map, at), {})
        return self.stack_of[under] if self.stack_of.get(under) in there else next(iter(there), "")

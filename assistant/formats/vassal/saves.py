"""Saves and logs: the pieces, stacks, boards, texts and properties of a game, and the steps logged since.

SaveReader keeps every command; those not understood are listed, and written back unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, NamedTuple

import msgspec

from ...util.errors import InputError
from ...util.limits import Limit, TooMuch
from ...util.notes import note
from .containers import COMMANDS, LOGGED, MODULE_DATA, SAVE_DATA, ModuleData, write_container, write_module_data
from .file_limits import name_limits, name_save_limits
from .grids import LaidBoards, Pixel
from .pieces import ADD, NOWHERE, Piece, PieceStack, piece_parts, read_added, write_definition, write_stack_definition
from .sequence import join, split
from .streams import join_commands, obfuscate, read_stream, split_commands

BEGIN = "begin_save"
"""The first command of a game."""
END = "end_save"
"""The last command of a game."""
SETUP = "SETUP_STACK"
"""The command behind what stands on the maps."""
MODULE = "Module"
"""What VASSAL calls the holder of a module's own global properties."""
_PICKER = "BoardPicker"
PING = "FLARE\t"
"""Begins the command of a circle that flashes on a map."""
PROPERTY = "GlobalProperty\t"
"""Begins the command of a global property."""
NOTES = "NOTES\t"
"""Begins the command with the text of the notes."""
PUBLIC = "PNOTES\t"
"""Begins the command with the text of the public notes."""
TURN = "TURN"
"""Begins the command of a turn tracker."""
_PLAYER = "PLAYER\t"
"""Begins the command of a player."""


class Ping(NamedTuple):
    """A circle that flashes on a map, on which the map centres."""

    flare: str
    """The id of the part of the map that shows it."""
    at: Pixel
    """The pixel."""


class Save(msgspec.Struct, frozen=True, kw_only=True):
    """A game at one moment."""

    about: Annotated[ModuleData, note("the metadata of its module")] = ModuleData()
    boards: Annotated[Mapping[str, LaidBoards], note("by map")] = {}
    pieces: Mapping[str, Piece] = {}
    stacks: Mapping[str, PieceStack] = {}
    notes: Annotated[str, note("with `public_notes` the texts of the notes window")] = ""
    public_notes: str = ""
    properties: Annotated[Mapping[tuple[str, str], str], note("by holder (the module or a map) and name")] = {}
    turns: Annotated[Mapping[str, str], note("by tracker, as VASSAL writes them")] = {}
    players: Annotated[tuple[tuple[str, str, str], ...], note("id, name and side")] = ()
    pings: Annotated[tuple[Ping, ...], note("what players see first when the game is loaded")] = ()
    steps: Annotated[tuple[str, ...], note("the commands logged afterwards")] = ()
    unread: Annotated[tuple[str, ...], note("commands that are not understood")] = ()
    complete: Annotated[bool, note("whether the game has its end mark, without which VASSAL does not load it")] = True

    @property
    def own_properties(self) -> dict[str, str]:
        """The global properties of the module itself, by name."""
        return {name: text for (holder, name), text in self.properties.items() if holder == MODULE}

    @property
    def stack_of(self) -> dict[str, PieceStack]:
        """The stack or deck that each piece lies in, by its id: the last one that names it."""
        return {id: stack for stack in self.stacks.values() for id in stack.pieces if id in self.pieces}


def read_save(data: bytes) -> Save:
    """Return a save or a log from the bytes of its file.

    Raises InputError if it is not a save or is damaged.
    """
    return name_limits(lambda: _read_bytes(data), lambda error: name_save_limits(error, data))


def _read_bytes(data: bytes) -> Save:
    stream, about = read_stream(data)
    commands = split_commands(stream)
    del stream
    with mark_private():
        save = read_commands(commands)
    return msgspec.structs.replace(save, about=about)


@contextmanager
def mark_private() -> Iterator[None]:
    """Mark errors as private: they reveal pieces, which one side may hide from another. A limit knows by itself."""
    try:
        yield
    except TooMuch:
        raise
    except InputError as error:
        error.private = True
        raise


def write_save(save: Save) -> bytes:
    """Return the bytes of a save's file, without a date of saving; the same save gives the same bytes."""
    of_save = ModuleData(vassal_version=save.about.vassal_version, description=save.about.description)
    files = {
        COMMANDS: obfuscate(join_commands(write_commands(save))),
        SAVE_DATA: write_module_data(of_save),
        MODULE_DATA: write_module_data(save.about),
    }
    return write_container(files)


# --- commands to a save -----------------------------------------------------------------------------------------------


def read_commands(commands: Iterable[str]) -> Save:
    """Return the save that commands build up. Raises InputError for an incomplete one."""
    reader = SaveReader()
    reader.carry_out_all(commands)
    return reader.save()


_NOTHING = Save(complete=False)


class SaveReader:
    """A save while it is read. before: the save to start from; unreadable: what a command that cannot be read is
    called, and what to do about it.
    """

    unreadable = ("command", "the save is damaged, or a text on a counter ends in a backslash")

    def __init__(self, before: Save = _NOTHING) -> None:
        self.before = before
        self.boards = dict(before.boards)
        self.pieces = dict(before.pieces)
        self.stacks = dict(before.stacks)
        self.notes = before.notes
        self.public_notes = before.public_notes
        self.properties = dict(before.properties)
        self.turns = dict(before.turns)
        self.players = list(before.players)
        self.steps = list(before.steps)
        self.unread = list(before.unread)
        self.pings = list(before.pings)
        self.complete = before.complete
        self.numbered = 0  # ids given to pieces and stacks without one
        self.longest = Limit.COMMAND.most
        self.most_pieces = Limit.PIECES.most
        self.most_traits = Limit.TRAITS.most
        self.most_parts = Limit.PARTS.most
        self.most_stacked = Limit.STACK.most
        self.parts = sum(map(piece_parts, before.pieces.values()))

    def carry_out_all(self, commands: Iterable[str]) -> None:
        """Carry out commands one after the other. Raises InputError for one that cannot be read."""
        command = ""
        try:
            for command in commands:
                self.carry_out(command)
        except InputError:
            raise
        except (ValueError, IndexError) as error:
            what, hint = self.unreadable
            raise InputError(f"the {what} {command[:60]!r} cannot be read: {error}", hint=hint) from None

    def carry_out(self, command: str) -> None:
        """Carry out one command."""
        if command.startswith(LOGGED):  # of a long log, as most are
            self.steps.append(command.removeprefix(LOGGED))
            return
        if len(command) > self.longest:
            raise Limit.COMMAND.error("a command holds")
        if command.startswith(ADD):  # as nearly all do
            self.add(command)
            return
        head, tab, rest = command.partition("\t")
        if head.endswith(_PICKER):
            boards = boards_of(split(rest, "\t")) if rest else ()
            self.count(len(boards))
            self.boards[head.removesuffix(_PICKER)] = boards
        elif command.startswith(PROPERTY):
            _, name, value, holder, *_ = [*split(rest, ";"), ""]
            self.properties[holder, name] = value
        elif command.startswith((NOTES, PUBLIC)):
            Limit.LINES.check(rest.count("|"), "the notes hold")
            text = "\n".join(split(rest, "|"))
            if command.startswith(NOTES):
                self.notes = text
            else:
                self.public_notes = text
        elif command.startswith(TURN) and tab:
            self.turns[head.removeprefix(TURN)] = split(rest, "\t")[0]
        elif command.startswith(PING):
            flare, x, y, *_ = split(rest, "\t")
            self.pings.append(Ping(flare, (int(x), int(y))))
        elif command.startswith(_PLAYER):
            player, *more = split(rest, "\t")
            name = more[0] if more else ""
            side = more[1] if len(more) > 1 else ""
            self.players.append((player, name, side))
        elif (mark := command.strip()) == END:  # a stream may end in a line end
            self.complete = True
        elif mark not in (BEGIN, SETUP):
            self.unread.append(command)

    def add(self, command: str) -> None:
        """Add a piece, a stack or a deck."""
        added = self.with_id(read_added(command))
        if isinstance(added, PieceStack):
            if added.pieces:
                self.count(len(added.pieces))
                self.check_stack(added)
            self.stacks[added.id] = added
        else:
            self.keep(added)

    def with_id(self, added: Piece | PieceStack) -> Piece | PieceStack:
        """Return a piece or a stack with an id: one that has none gets one of its own, as VASSAL gives it."""
        if added.id not in ("", NOWHERE):
            return added
        id = added.id
        while id in ("", NOWHERE) or id in self.pieces or id in self.stacks:
            self.numbered += 1
            id = f"{NOWHERE}{self.numbered}"
        return added._replace(id=id)

    def keep(self, piece: Piece) -> None:
        """Add a piece, or replace it. Raises InputError if the pieces are too many, or have too many parts."""
        before = self.pieces.get(piece.id)
        self.count(piece_parts(piece) - (0 if before is None else piece_parts(before)))
        self.pieces[piece.id] = piece
        if len(self.pieces) > self.most_pieces:
            raise Limit.PIECES.error("it holds")
        if len(piece.traits) > self.most_traits:
            raise Limit.TRAITS.error("a piece has")

    def check_stack(self, stack: PieceStack) -> None:
        """Raise InputError for too many pieces in a stack or a deck."""
        if len(stack.pieces) > self.most_stacked:
            raise Limit.STACK.error("a deck holds" if stack.deck else "a stack holds", len(stack.pieces))

    def count(self, parts: int) -> None:
        """Count what pieces consist of. Raises InputError if it is too much."""
        self.parts += parts
        if self.parts > self.most_parts:
            raise Limit.PARTS.error("its pieces have")

    def save(self) -> Save:
        """Return the save as read so far."""
        for stack in self.stacks.values():
            for id in stack.pieces:  # a piece lies where its stack lies, even if its own state differs
                piece = self.pieces.get(id)
                if piece is not None and (piece.map, piece.at) != (stack.map, stack.at):
                    self.pieces[id] = piece._replace(map=stack.map, at=stack.at)
        return Save(
            about=self.before.about,
            boards=self.boards,
            pieces=self.pieces,
            stacks=self.stacks,
            notes=self.notes,
            public_notes=self.public_notes,
            properties=self.properties,
            turns=self.turns,
            players=tuple(dict.fromkeys(self.players)),  # the newest engine writes each twice
            pings=tuple(self.pings),
            steps=tuple(self.steps),
            unread=tuple(self.unread),
            complete=self.complete,
        )


def boards_of(words: list[str]) -> LaidBoards:
    """Return the boards that a command names, each with its column and row. Raises ValueError for other texts."""
    return tuple((words[n], int(words[n + 1]), int(words[n + 2])) for n in range(0, len(words) - 2, 3))


# --- a save to commands -----------------------------------------------------------------------------------------------


def write_commands(save: Save) -> list[str]:
    """Return the commands that build up a save. Raises ValueError for a text that VASSAL could not read back."""
    lines = [BEGIN]
    for map, boards in save.boards.items():
        placed = [word for name, column, row in boards for word in (name, str(column), str(row))]
        lines.append(join([map + _PICKER, *placed], "\t"))
    lines += [write_definition(piece) for piece in save.pieces.values()]
    lines += [write_stack_definition(stack) for stack in save.stacks.values()]
    for (holder, name), value in save.properties.items():
        lines.append(PROPERTY + join(("", name, value, holder), ";"))
    lines += [turn_command(name, value) for name, value in save.turns.items()]
    lines += [_PLAYER + join(player, "\t") for player in save.players]
    lines += [NOTES + write_lines(save.notes), PUBLIC + write_lines(save.public_notes)]
    lines += [SETUP + "\t", *save.unread]
    if save.complete:
        lines.append(END)
    lines += [
        PING + join((ping.flare, str(ping.at[0]), str(ping.at[1])), "\t") for ping in save.pings
    ]  # once the game stands
    return lines + [LOGGED + step for step in save.steps]


def turn_command(tracker: str, state: str) -> str:
    """Return the command that puts a turn tracker at a state."""
    return f"{TURN}{tracker}\t" + join((state,), "\t")


def write_lines(text: str) -> str:
    """Return the text of notes as a command holds it."""
    return join(text.split("\n"), "|") if text else ""

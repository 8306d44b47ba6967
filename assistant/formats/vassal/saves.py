"""Saves and logs: the pieces, stacks, boards, texts and properties of a game, and the steps logged since.

SaveReader keeps every command. Commands that are unknown are listed, and written back unchanged. A save is rewritten
command by command, and commands without a change stay the same, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Annotated, NamedTuple

import msgspec

from ...util.errors import InputError
from ...util.limits import Limit, TooMuch
from ...util.notes import note
from .archives import Archive
from .containers import COMMANDS, ESCAPE, LOGGED, MODULE_DATA, SAVE_DATA, ModuleData, write_container, write_module_data
from .file_limits import name_limits, name_save_limits
from .grids import LaidBoards, Pixel
from .pieces import (
    ADD,
    NOWHERE,
    Piece,
    PieceStack,
    basic_state,
    piece_parts,
    read_added,
    write_definition,
    write_stack_definition,
)
from .sequence import bare, fold, join, split, unfold
from .streams import is_bare, join_commands, obfuscate, obfuscate_like, read_stream, split_commands

BEGIN = "begin_save"
"""The first command of a game."""
END = "end_save"
"""The last command of a game."""
SETUP = "SETUP_STACK"
"""The command that follows the pieces on the maps."""
MODULE = "Module"
"""VASSAL's name for the holder of a module's own global properties."""
_PICKER = "BoardPicker"
PING = "FLARE\t"
"""The beginning of the command for a circle that flashes on a map."""
PROPERTY = "GlobalProperty\t"
"""The beginning of the command of a global property."""
NOTES = "NOTES\t"
"""The beginning of the command with the text of the notes."""
PUBLIC = "PNOTES\t"
"""The beginning of the command with the text of the public notes."""
TURN = "TURN"
"""The beginning of the command of a turn tracker."""
_LOADED = ("EXT\t", "PLUGIN\t")
"""The beginnings of the commands that name an extension or a plugin: whoever loads the save is told if it is missing."""
_PLAYER = "PLAYER\t"
"""The beginning of the command of a player."""


class Ping(NamedTuple):
    """A circle that flashes on a map and centres the map there."""

    flare: str
    """The id of the map's component that shows the circle."""
    at: Pixel


class Save(msgspec.Struct, frozen=True, kw_only=True):
    """A game at one moment."""

    about: Annotated[ModuleData, note("the metadata of its module")] = ModuleData()
    boards: Annotated[Mapping[str, LaidBoards], note("the boards of each map")] = {}
    pieces: Mapping[str, Piece] = {}
    stacks: Mapping[str, PieceStack] = {}
    notes: Annotated[str, note("a text of the notes window, as is `public_notes`")] = ""
    public_notes: str = ""
    properties: Annotated[
        Mapping[tuple[str, str], str], note("global properties by holder (the module or a map) and name")
    ] = {}
    turns: Annotated[Mapping[str, str], note("the states of turn trackers, by tracker")] = {}
    players: Annotated[tuple[tuple[str, str, str], ...], note("id, name and side of each player")] = ()
    pings: Annotated[tuple[Ping, ...], note("the circles that players see first when the game is loaded")] = ()
    steps: Annotated[tuple[str, ...], note("the commands logged afterwards")] = ()
    loaded: Annotated[tuple[str, ...], note("commands that name the extensions and plugins of the game")] = ()
    unread: Annotated[tuple[str, ...], note("commands that are not understood")] = ()
    complete: Annotated[bool, note("whether the game has its end mark, without which VASSAL does not load it")] = True

    @property
    def own_properties(self) -> dict[str, str]:
        """The global properties of the module itself, by name."""
        return {name: text for (holder, name), text in self.properties.items() if holder == MODULE}

    @property
    def stack_of(self) -> dict[str, PieceStack]:
        """The stack or deck of each piece, by the piece's id. If several name the piece, the last counts."""
        return {id: stack for stack in self.stacks.values() for id in stack.pieces if id in self.pieces}


# --- reading ----------------------------------------------------------------------------------------------------------


def read_save(data: bytes) -> Save:
    """Return a save or log from the bytes of its file.

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
    """Mark errors in the block as private, except those about limits, because they may reveal hidden pieces."""
    try:
        yield
    except TooMuch:
        raise
    except InputError as error:
        error.private = True
        raise


def write_save(save: Save) -> bytes:
    """Return the bytes of a save's file, without a date. The same save gives the same bytes."""
    of_save = ModuleData(vassal_version=save.about.vassal_version, description=save.about.description)
    files = {
        COMMANDS: obfuscate(join_commands(write_commands(save))),
        SAVE_DATA: write_module_data(of_save),
        MODULE_DATA: write_module_data(save.about),
    }
    return write_container(files)


# --- commands to a save -----------------------------------------------------------------------------------------------


def read_commands(commands: Iterable[str]) -> Save:
    """Return the save that commands build up.

    Raises InputError if a command is incomplete.
    """
    reader = SaveReader()
    reader.carry_out_all(commands)
    return reader.save()


_NOTHING = Save(complete=False)


class SaveReader:
    """A save while it is read.

    `before`: the save to start from.
    """

    unreadable = ("command", "the save is damaged, or a text on a counter ends in a backslash")
    """The word in messages for a command that cannot be read, and the hint."""

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
        self.loaded = list(before.loaded)
        self.unread = list(before.unread)
        self.pings = list(before.pings)
        self.complete = before.complete
        self.ids_given = 0
        self.max_command_chars = Limit.COMMAND.most
        self.max_pieces = Limit.PIECES.most
        self.max_traits = Limit.TRAITS.most
        self.max_parts = Limit.PARTS.most
        self.max_stacked = Limit.STACK.most
        self.parts = sum(map(piece_parts, before.pieces.values()))

    def carry_out_all(self, commands: Iterable[str]) -> None:
        """Carry out commands in order.

        Raises InputError if one cannot be read.
        """
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
        if command.startswith(LOGGED):  # first, because a log has mostly such commands
            self.steps.append(command.removeprefix(LOGGED))
            return
        if len(command) > self.max_command_chars:
            raise Limit.COMMAND.error("a command holds")
        if command.startswith(ADD):  # before the other kinds, because a save has mostly such commands
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
        elif command.startswith(_LOADED):
            self.loaded.append(command)
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
        """Return a piece or stack with an id. As in VASSAL, a new id is made if it has none."""
        if added.id not in ("", NOWHERE):
            return added
        id = added.id
        while id in ("", NOWHERE) or id in self.pieces or id in self.stacks:
            self.ids_given += 1
            id = f"{NOWHERE}{self.ids_given}"
        return added._replace(id=id)

    def keep(self, piece: Piece) -> None:
        """Add or replace a piece.

        Raises InputError if the pieces are too many, or have too many parts.
        """
        before = self.pieces.get(piece.id)
        self.count(piece_parts(piece) - (0 if before is None else piece_parts(before)))
        self.pieces[piece.id] = piece
        if len(self.pieces) > self.max_pieces:
            raise Limit.PIECES.error("it holds")
        if len(piece.traits) > self.max_traits:
            raise Limit.TRAITS.error("a piece has")

    def check_stack(self, stack: PieceStack) -> None:
        """Raise InputError if a stack or deck has too many pieces."""
        if len(stack.pieces) > self.max_stacked:
            raise Limit.STACK.error("a deck holds" if stack.deck else "a stack holds", len(stack.pieces))

    def count(self, parts: int) -> None:
        """Add a number of parts of pieces.

        Raises InputError if the sum exceeds the limit.
        """
        self.parts += parts
        if self.parts > self.max_parts:
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
            players=tuple(dict.fromkeys(self.players)),  # the newest VASSAL writes each player twice
            pings=tuple(self.pings),
            steps=tuple(self.steps),
            loaded=tuple(self.loaded),
            unread=tuple(self.unread),
            complete=self.complete,
        )


def boards_of(words: list[str]) -> LaidBoards:
    """Return the boards named by a command, each with its column and row.

    Raises ValueError if the texts are not boards.
    """
    return tuple((words[n], int(words[n + 1]), int(words[n + 2])) for n in range(0, len(words) - 2, 3))


# --- writing ----------------------------------------------------------------------------------------------------------


def write_commands(save: Save) -> list[str]:
    """Return the commands that build up a save.

    Raises ValueError if VASSAL could not read a text of them.
    """
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
    lines += [SETUP + "\t", *save.loaded, *save.unread]
    if save.complete:
        lines.append(END)
    # pings come after the end of the set-up
    lines += [PING + join((ping.flare, str(ping.at[0]), str(ping.at[1])), "\t") for ping in save.pings]
    return lines + [LOGGED + step for step in save.steps]


def turn_command(tracker: str, state: str) -> str:
    """Return the command that sets a turn tracker to a state."""
    return f"{TURN}{tracker}\t" + join((state,), "\t")


def write_lines(text: str) -> str:
    """Return the text of notes in the form of a command."""
    return join(text.split("\n"), "|") if text else ""


# --- rewriting --------------------------------------------------------------------------------------------------------


def edit_stream(stream: bytes, edits: Mapping[int, Sequence[str]], more: Sequence[str] = ()) -> bytes:
    """Return a stream in UTF-8 with some of its commands changed.

    `edits`: the replacements of a command, by the command's number in `split_commands`, from 0.
    `more`: commands added at the end, such as steps of a log.

    Raises ValueError if a command could not be read back, or IndexError if the stream lacks a number.
    """
    text = stream.decode("latin-1")  # one character for each byte, as in `split_commands`
    if edits:
        editor = _Editor(edits)
        text = editor.edit_sequence(text)
        if editor.left:
            raise IndexError(f"the stream has no command {min(editor.left)}")
    if more and text.endswith("\\"):
        raise ValueError("the last command ends in a backslash, and so none can follow it")
    return ESCAPE.join([text, *map(_write_token, more)]).encode("latin-1")


def _write_token(command: str) -> str:
    """Return a command as a token of a stream, one byte per letter."""
    return _write_command(command.encode("utf-8").decode("latin-1"))


def _write_command(command: str) -> str:
    return join((command, ""), ESCAPE)[: -len(ESCAPE)]


class _Editor:
    """A walk through a stream like that of `split_commands`, which keeps unchanged commands with their escapes."""

    def __init__(self, edits: Mapping[int, Sequence[str]]) -> None:
        self.edits = edits
        self.left = set(edits)
        """The numbers of the edits that are still to come."""
        self.number = 0

    def edit_sequence(self, text: str) -> str:
        commands: list[str] = []
        changed = False
        for token in _split_tokens(text):
            new = self.edit_token(token)
            changed = changed or new != [token]
            commands += new
        return ESCAPE.join(commands) if changed else text

    def edit_token(self, token: str) -> list[str]:
        """Return the tokens that replace a token."""
        (inner,) = split(token, ESCAPE)
        if ESCAPE in inner:
            within = self.edit_sequence(inner)
            return [token] if within == inner else [_write_command(within)]
        if not bare(inner):
            return [token]
        number = self.number
        self.number = self.number + 1
        if number not in self.edits:
            return [token]
        self.left.remove(number)
        return [_write_token(command) for command in self.edits[number]]


def _split_tokens(text: str) -> list[str]:
    """Return the tokens of a sequence as written, with their escapes and apostrophes."""
    tokens: list[str] = []
    held: list[str] = []
    *parts, last = text.split(ESCAPE)
    for part in parts:
        held.append(part)
        if not part.endswith("\\"):
            tokens.append(ESCAPE.join(held))
            held = []
    return [*tokens, ESCAPE.join([*held, last])]


def rewrite_save(data: bytes, after: Save) -> bytes:
    """Return the file of a save with other pieces, stacks, notes, properties and turns.

    `data`: the bytes of the file.
    `after`: the result of `read_save` for the file, with changes.

    Raises InputError if the file is not a save, or ValueError if other parts have changed.
    """
    stream, _ = read_stream(data)
    commands = list(split_commands(stream))
    before = read_commands(commands)
    changes = _Changes(commands, before, after)
    return replace_stream(data, edit_stream(stream, changes.edits, changes.more))


def replace_stream(data: bytes, stream: bytes) -> bytes:
    """Return the file of a save with other commands. Its other entries stay."""
    if is_bare(data):
        return obfuscate_like(data, stream)
    with closing(Archive(data)) as archive:
        files = {name: archive.read(name) for name in archive.names}
    files[COMMANDS] = obfuscate_like(files[COMMANDS], stream)
    return write_container(files)


class _Key(NamedTuple):
    """The subject of a command: a piece or stack (`+/`), a property, a turn tracker, notes, or the end of the game."""

    kind: str
    name: str = ""
    holder: str = ""


def _read_key(command: str) -> _Key | None:
    """Return the subject of a command, or None if it cannot be changed."""
    head, tab, rest = command.partition("\t")
    if command.startswith(ADD):
        return _Key(ADD, split(command[len(ADD) :], "/")[0])
    if command.startswith(PROPERTY):
        _, name, _, holder, *_ = [*split(rest, ";"), "", "", ""]
        return _Key(PROPERTY, name, holder)
    if command.startswith((NOTES, PUBLIC)):
        return _Key(f"{head}\t")
    if head.startswith(TURN) and tab:
        return _Key(TURN, head.removeprefix(TURN))
    return _Key(END) if command == END else None


class _Changes:
    """The commands of a save to be written again.

    Raises ValueError if a change cannot be made in a file.
    """

    def __init__(self, commands: Sequence[str], before: Save, after: Save) -> None:
        fixed = ("boards", "players", "pings", "steps", "loaded", "unread", "complete")
        if before.steps or any(getattr(before, name) != getattr(after, name) for name in fixed):
            raise ValueError(
                "only pieces, stacks, notes, properties and turns can be changed, and only in a save without logged "
                "steps"
            )
        for save in (before, after):
            if both := save.pieces.keys() & save.stacks.keys():
                raise ValueError(f"{min(both)} is the id of both a piece and a stack")
        self.commands = commands
        self.before = before
        self.after = after
        self.places: dict[_Key, list[int]] = {}
        """The numbers of the commands with each subject."""
        for number, command in enumerate(commands):
            if (key := _read_key(command)) is not None:
                self.places.setdefault(key, []).append(number)
        self.edits: dict[int, list[str]] = {}
        """The replacements of commands, by number."""
        self.more: list[str] = []
        """The commands for the end of a stream without an end mark."""
        insertions: dict[int, list[str]] = {}
        for key, stays in self.find_changed():
            self.change(key, insertions, stays=stays)
        for number, new in insertions.items():
            self.edits[number] = [*new, *self.edits.get(number, [commands[number]])]

    def find_changed(self) -> Iterator[tuple[_Key, bool]]:
        """Yield each subject that differs, and whether it still exists."""
        before, after = _collect_statements(self.before), _collect_statements(self.after)
        for key in dict.fromkeys((*after, *before)):
            if before.get(key) != after.get(key):
                yield key, key in after

    def change(self, key: _Key, insertions: dict[int, list[str]], *, stays: bool) -> None:
        """Rewrite, add or remove the command of a subject. Of several commands with one subject the last counts.

        `insertions`: gets the commands to insert before another command, by the latter's number.
        `stays`: whether the subject still exists.
        """
        numbers = self.places.get(key, [])
        if not stays:
            self.edits |= {number: [] for number in numbers}
        elif numbers:
            self.edits[numbers[-1]] = [self.write_anew(key, self.commands[numbers[-1]])]
        if not numbers and key.name in (self.before.pieces.keys() | self.before.stacks.keys()) and key.kind == ADD:
            raise ValueError(f"{key.name} has no id in the file")
        if stays and not numbers:
            where = self.find_place(key)
            added = self.more if where is None else insertions.setdefault(where, [])
            added.append(self.write_anew(key, ""))

    def find_place(self, key: _Key) -> int | None:
        """Return the number of the command before which a new one is added, or None for the end of the stream.

        A piece comes before all stacks, because they may name it, and any other subject at the end of the game.
        """
        if key.kind == ADD and key.name in self.after.pieces:
            keys = [_Key(ADD, id) for id in self.before.stacks]
            stacks = [self.places[stack][0] for stack in keys if stack in self.places]
            if stacks:
                return min(stacks)
        return min(self.places.get(_Key(END), []), default=None)

    def write_anew(self, key: _Key, command: str) -> str:
        """Return a command with the new state of a subject.

        `command`: the old command, or "" for a new one.
        """
        after = self.after
        if key.kind == PROPERTY:
            tokens = split(command.partition("\t")[2], ";") if command else ["", key.name, "", key.holder]
            tokens[2] = after.properties[key.holder, key.name]
            return PROPERTY + join(tokens, ";")
        if key.kind == TURN:
            return turn_command(key.name, after.turns[key.name])
        if key.kind != ADD:
            return key.kind + write_lines(after.notes if key.kind == NOTES else after.public_notes)
        if key.name in after.stacks:
            return write_stack_definition(after.stacks[key.name])
        piece = after.pieces[key.name]
        return _write_piece(command, self.before.pieces[key.name], piece) if command else write_definition(piece)


def _collect_statements(save: Save) -> dict[_Key, object]:
    """Return everything in a save that may be changed, by its subject."""
    stated: dict[_Key, object] = {_Key(ADD, id): added for id, added in {**save.pieces, **save.stacks}.items()}
    stated |= {_Key(TURN, tracker): state for tracker, state in save.turns.items()}
    stated |= {_Key(PROPERTY, name, holder): value for (holder, name), value in save.properties.items()}
    return stated | {_Key(NOTES): save.notes, _Key(PUBLIC): save.public_notes}


def _write_piece(command: str, before: Piece, after: Piece) -> str:
    """Return the command that adds a piece, rewritten only where the piece has changed."""
    id, type, state = split(command[len(ADD) :], "/")
    if [trait.type for trait in before.traits] != [trait.type for trait in after.traits]:
        return write_definition(after)
    *states, basic = unfold(state, len(before.traits))
    place = split(basic, ";")
    if (before.map, before.at) != (after.map, after.at):
        place[:3] = [after.map or NOWHERE, *map(str, after.at)]
    if (before.slot, before.properties) != (after.slot, after.properties):
        place[3:] = split(basic_state(after), ";")[3:]
    states = [
        new.state if old.state != new.state else state
        for old, new, state in zip(before.traits, after.traits, states, strict=False)
    ]
    return ADD + join((id, type, fold([*states, join(place, ";")])), "/")

"""The file of a save rewritten: only the commands that are concerned are written anew, and all others stay as they are,
byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from ..archives import Archive
from ..containers import COMMANDS, ESCAPE, write_container
from ..pieces import ADD, NOWHERE, Piece, basic_state, write_definition, write_stack_definition
from ..saves import END, NOTES, PROPERTY, PUBLIC, TURN, Save, read_commands, turn_command, write_lines
from ..sequence import bare, fold, join, split, unfold
from ..streams import is_bare, obfuscate_like, read_stream, split_commands


def edit_stream(stream: bytes, edits: Mapping[int, Sequence[str]], more: Sequence[str] = ()) -> bytes:
    """Return a stream in UTF-8 with some of its commands changed.

    edits: the commands that replace one, by its number as `split_commands` yields them, from 0; more: commands at the end,
    such as steps of a log. Raises ValueError for a command that could not be read back, IndexError for a number that
    the stream does not have.
    """
    text = stream.decode("latin-1")  # one letter a byte, as it is split
    if edits:
        editor = _Editor(edits)
        text = editor.edit_sequence(text)
        if editor.left:
            raise IndexError(f"the stream has no command {min(editor.left)}")
    if more and text.endswith("\\"):
        raise ValueError("the last command ends in a backslash, and so none can follow it")
    return ESCAPE.join([text, *map(_write_token, more)]).encode("latin-1")


def _write_token(command: str) -> str:
    """Return a command as a token of a stream, with one letter a byte."""
    return _write_command(command.encode("utf-8").decode("latin-1"))


def _write_command(command: str) -> str:
    return join((command, ""), ESCAPE)[: -len(ESCAPE)]


class _Editor:
    """Goes through a stream as `split_commands` does, and keeps what it does not change as it stands, with its escapes."""

    def __init__(self, edits: Mapping[int, Sequence[str]]) -> None:
        self.edits = edits
        self.left = set(edits)
        """The numbers of those to be changed that are still to come."""
        self.number = 0

    def edit_sequence(self, text: str) -> str:
        """Return a sequence of commands, with its edits."""
        commands: list[str] = []
        changed = False
        for token in _split_tokens(text):
            new = self.edit_token(token)
            changed = changed or new != [token]
            commands += new
        return ESCAPE.join(commands) if changed else text

    def edit_token(self, token: str) -> list[str]:
        """Return the tokens that one becomes."""
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
    """Return the tokens of a sequence of commands as they stand, with their escapes and apostrophes."""
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
    """Return the file of a save in which pieces, stacks, notes, properties and turns are those of another one.

    data: the bytes of the file; after: what `read_save` reads from it, with changes.

    Raises InputError if the file is not a save; ValueError for changes of anything else.
    """
    stream, _ = read_stream(data)
    commands = list(split_commands(stream))
    before = read_commands(commands)
    changes = _Changes(commands, before, after)
    return replace_stream(data, edit_stream(stream, changes.edits, changes.more))


def replace_stream(data: bytes, stream: bytes) -> bytes:
    """Return the file of a save with other commands; what else it holds stays."""
    if is_bare(data):
        return obfuscate_like(data, stream)
    with closing(Archive(data)) as archive:
        files = {name: archive.read(name) for name in archive.names}
    files[COMMANDS] = obfuscate_like(files[COMMANDS], stream)
    return write_container(files)


class _Key(NamedTuple):
    """What a command states: a piece or a stack (+), a property of a holder, the state of a turn tracker, notes, or the
    end of the game.
    """

    kind: str
    name: str = ""
    holder: str = ""


def _read_key(command: str) -> _Key | None:
    """Return what a command states; None if it is nothing that can be changed."""
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
    """What must be written anew.

    Raises ValueError for changes that are not made in a file.
    """

    def __init__(self, commands: Sequence[str], before: Save, after: Save) -> None:
        fixed = ("boards", "players", "pings", "steps", "unread", "complete")
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
        """The numbers of the commands that state something."""
        for number, command in enumerate(commands):
            if (key := _read_key(command)) is not None:
                self.places.setdefault(key, []).append(number)
        self.edits: dict[int, list[str]] = {}
        """By number, the commands that stand there instead."""
        self.more: list[str] = []
        """Those for the end of a stream without an end mark."""
        put_in: dict[int, list[str]] = {}
        for key, stays in self.find_changed():
            self.change(key, put_in, stays=stays)
        for number, new in put_in.items():
            self.edits[number] = [*new, *self.edits.get(number, [commands[number]])]

    def find_changed(self) -> Iterator[tuple[_Key, bool]]:
        """Yield what differs, and whether it is still there."""
        was, now = _collect_statements(self.before), _collect_statements(self.after)
        for key in dict.fromkeys((*now, *was)):
            if was.get(key) != now.get(key):
                yield key, key in now

    def change(self, key: _Key, put_in: dict[int, list[str]], *, stays: bool) -> None:
        """Write anew what one thing is, add it, or remove it. Of doubled commands the last one counts.

        put_in: by number, the commands to be put before one.
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
            added = self.more if where is None else put_in.setdefault(where, [])
            added.append(self.write_anew(key, ""))

    def find_place(self, key: _Key) -> int | None:
        """Return before which command to add one: a piece before all stacks, which may name it, anything else at the
        end of the game.
        """
        if key.kind == ADD and key.name in self.after.pieces:
            keys = [_Key(ADD, id) for id in self.before.stacks]
            stacks = [self.places[stack][0] for stack in keys if stack in self.places]
            if stacks:
                return min(stacks)
        return min(self.places.get(_Key(END), []), default=None)

    def write_anew(self, key: _Key, command: str) -> str:
        """Return a command anew. command: as it was, "" if it is added."""
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
    """Return all that a save states and that can be changed, by its key."""
    stated: dict[_Key, object] = {_Key(ADD, id): added for id, added in {**save.pieces, **save.stacks}.items()}
    stated |= {_Key(TURN, tracker): state for tracker, state in save.turns.items()}
    stated |= {_Key(PROPERTY, name, holder): value for (holder, name), value in save.properties.items()}
    return stated | {_Key(NOTES): save.notes, _Key(PUBLIC): save.public_notes}


def _write_piece(command: str, before: Piece, after: Piece) -> str:
    """Return the command that adds a piece, with only that written anew in which the piece differs."""
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

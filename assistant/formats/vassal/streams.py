"""A stream of commands in which some are changed, and all others stay as they are: byte for byte, in order, nested as
they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .containers import ESCAPE
from .sequence import bare, join, split


def edited(stream: bytes, edits: Mapping[int, Sequence[str]], more: Sequence[str] = ()) -> bytes:
    """A stream in UTF-8 with some of its commands changed.

    edits: by the number of a command, counted from 0 as `commands_of` yields them, the commands that stand there
    instead; more: commands at the end, such as steps of a log.

    Raises ValueError for a command that could not be read back, IndexError for a number that the stream does not have.
    """
    text = stream.decode("latin-1")  # one letter a byte, as it is split
    if edits:
        editor = _Editor(edits)
        text = editor.sequence(text)
        if editor.left:
            raise IndexError(f"the stream has no command {min(editor.left)}")
    if more and text.endswith("\\"):
        raise ValueError("the last command ends in a backslash, so that none can follow it")
    return ESCAPE.join([text, *map(_token, more)]).encode("latin-1")


def _token(command: str) -> str:
    """A command as a token of a stream, with one letter a byte."""
    return _write(command.encode("utf-8").decode("latin-1"))


def _write(command: str) -> str:
    return join((command, ""), ESCAPE)[: -len(ESCAPE)]


class _Editor:
    """Goes through a stream as `commands_of` does, and keeps what it does not change as it stands, with its escapes.

    left: the numbers of those to be changed that are still to come.
    """

    def __init__(self, edits: Mapping[int, Sequence[str]]) -> None:
        self.edits, self.left = edits, set(edits)
        self.number = 0

    def sequence(self, text: str) -> str:
        """A sequence of commands, with its edits."""
        commands: list[str] = []
        changed = False
        for token in _tokens(text):
            new = self.token(token)
            changed = changed or new != [token]
            commands += new
        return ESCAPE.join(commands) if changed else text

    def token(self, token: str) -> list[str]:
        """The tokens that one becomes."""
        (inner,) = split(token, ESCAPE)
        if ESCAPE in inner:
            within = self.sequence(inner)
            return [token] if within == inner else [_write(within)]
        if not bare(inner):
            return [token]
        number, self.number = self.number, self.number + 1
        if number not in self.edits:
            return [token]
        self.left.remove(number)
        return [_token(command) for command in self.edits[number]]


def _tokens(text: str) -> list[str]:
    """The tokens of a sequence of commands as they stand, with their escapes and apostrophes."""
    tokens: list[str] = []
    held: list[str] = []
    *parts, last = text.split(ESCAPE)
    for part in parts:
        held.append(part)
        if not part.endswith("\\"):
            tokens.append(ESCAPE.join(held))
            held = []
    return [*tokens, ESCAPE.join([*held, last])]

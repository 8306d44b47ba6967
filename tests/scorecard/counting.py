"""Counts the pieces of a save without the assistant's reader, for comparison with it.

It looks for the commands that add and remove pieces wherever they stand in the decoded text, and takes no piece apart.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import NamedTuple

_PIECE = re.compile(r"\+/((?:[^/\\]|\\.)*)/'?((?:[^/;\t\\]|\\.)*)", re.DOTALL)
_REMOVED = re.compile(r"-/([^/]*)\Z")
_STEP = "LOG\t"


class Counted(NamedTuple):
    """What a save holds. first: pieces at its beginning; last: after the last step of its log; form: of its commands."""

    first: int
    last: int
    form: str


def count_facts(data: bytes) -> Counted:
    """The pieces of a save or a log, from the bytes of its file."""
    form, text = _decoded(data)
    ids: dict[str, None] = {}
    first = None
    for token in re.split(r"(?<!\\)\x1b", text):
        step = token.lstrip("'\\").startswith(_STEP)
        if step and first is None:
            first = len(ids)
        for part in token.split("\x1b"):
            _count(part, ids, step)
    return Counted(len(ids) if first is None else first, len(ids), form)


def _count(part: str, ids: dict[str, None], step: bool) -> None:
    """Count one command: what it adds, or as a step of a log removes."""
    command = part.lstrip("'\\")
    if command.startswith(_STEP):
        if not step:
            raise ValueError("a step of a log stands within another command")
        command = command.removeprefix(_STEP).lstrip("'\\")
    if command.startswith("+/"):
        added = _PIECE.match(command)
        if added is None:
            raise ValueError(f"no piece: {command[:60]!r}")
        if added[2] not in ("stack", "deck"):
            ids[added[1] if added[1] not in ("", "null") else f"nameless {len(ids)}"] = None
    elif step and (removed := _REMOVED.match(command.rstrip("\\'"))):
        ids.pop(removed[1], None)


def _decoded(data: bytes) -> tuple[str, str]:
    """The form of a save's commands, and the commands."""
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            held, data = "zip", archive.read("savedGame")
    else:
        held = "bare"
    if data[:6] == b"\xfd7zXZ\x00":
        import lzma

        held, data = f"{held}, xz", lzma.decompress(data)
    if data[:5] == b"!VCSK":
        key = int(data[5:7], 16)
        return f"{held}, !VCSK", bytes(byte ^ key for byte in bytes.fromhex(data[7:].decode("ascii"))).decode("utf-8")
    if data[:4] == b"VOBS":
        return f"{held}, VOBS", bytes(byte ^ data[4] for byte in data[5:]).decode("utf-8")
    return f"{held}, plain", data.decode("utf-8")

"""The seats at a table: each has one viewpoint, and a link that admits the bearer of an unused token.

The page exchanges the token, in the fragment of the link, for a session, stored in a cookie. Only digests of both are
stored; those of sessions are also stored on disk, so that they outlast the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

import msgspec

from ....util import disk
from ....util.chance import draw_word
from ....util.errors import InputError

_SECRET_BYTES = 16
"""The number of random bytes of a token or a session."""
_MAX_PER_SEAT = 32
"""The maximum number of unused tokens, and of sessions, of a seat; beyond it the oldest become invalid."""
_MAX_SECRET_CHARS = 64
"""The maximum length of the text of a token or a session."""


class Seat(msgspec.Struct, frozen=True):
    """A seat at a table, with its viewpoint and link."""

    path: str
    """The path of the seat in addresses."""
    side: str
    """The viewpoint of the seat, or "" for everything."""
    title: str
    """The player of the seat, in words."""
    here: bool = False
    """Whether the link works only on this machine."""


class Seats:
    """The seats at a table, with the tokens and sessions of those who may enter.

    `file`: the file for the digests of sessions, or None to store none.
    """

    def __init__(self, seats: Sequence[Seat], file: Path | None = None) -> None:
        self.by_path = {seat.path: seat for seat in seats}
        self._file = file
        self._tokens: dict[str, list[bytes]] = {path: [] for path in self.by_path}
        self._sessions: dict[str, list[bytes]] = {path: [] for path in self.by_path}
        if file is not None and disk.exists(file):
            self._read(file)

    def _read(self, file: Path) -> None:
        """Load the stored sessions, or none if the file is damaged or cannot be read."""
        try:
            text = msgspec.json.decode(disk.read_bytes(file), type=dict[str, list[bytes]])
        except (msgspec.DecodeError, UnicodeDecodeError, InputError):
            return
        by_key = {_key(seat): path for path, seat in self.by_path.items()}
        for key, sessions in text.items():
            if key in by_key:
                self._sessions[by_key[key]] = sessions[-_MAX_PER_SEAT:]

    def issue(self, seat: Seat) -> str:
        token = draw_word(_SECRET_BYTES)
        self._tokens[seat.path] = [*self._tokens[seat.path], _digest(token)][-_MAX_PER_SEAT:]
        return token

    def enter(self, seat: Seat, token: str) -> str | None:
        """Return the session for a token, or None if the token is unknown or used.

        Raises InputError if the session cannot be stored; the token remains valid then. A player at this machine is let
        in nevertheless, until the server stops, so as to see that the disk is full.
        """
        tokens = self._tokens[seat.path]
        if (index := _find(tokens, token)) is None:
            return None
        session = draw_word(_SECRET_BYTES)
        sessions = {**self._sessions, seat.path: [*self._sessions[seat.path], _digest(session)][-_MAX_PER_SEAT:]}
        try:
            self._keep(sessions)
        except InputError:
            if not seat.here:
                raise
            self._sessions = sessions
        del tokens[index]
        return session

    def has_entered(self, seat: Seat, session: str) -> bool:
        return _find(self._sessions[seat.path], session) is not None

    def end_sessions(self) -> None:
        """End all sessions and tokens, so that everyone needs a new link."""
        self._tokens = {path: [] for path in self.by_path}
        self._sessions = {path: [] for path in self.by_path}  # sessions end even if `_keep` cannot store this
        self._keep(self._sessions)

    def _keep(self, sessions: dict[str, list[bytes]]) -> None:
        """Store these sessions on disk, and use them from now on."""
        if self._file is not None:
            text = {_key(seat): sessions[path] for path, seat in self.by_path.items()}
            disk.make_folder(self._file.parent)
            disk.write_whole(self._file, msgspec.json.encode(text), force=True)
        self._sessions = sessions


def _key(seat: Seat) -> str:
    """Return the key of a seat in the file: its viewpoint, and whether its link works only on this machine."""
    return f"{seat.side}{' here' if seat.here else ''}"


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()


def _find(digests: Sequence[bytes], secret: str) -> int | None:
    """Return the index of the digest of a secret, or None.

    All digests are compared, each in constant time.
    """
    if not secret or len(secret) > _MAX_SECRET_CHARS:
        return None
    digest = _digest(secret)
    found = None
    for index, known in enumerate(digests):
        if compare_digest(known, digest):
            found = index
    return found

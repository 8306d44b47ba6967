"""Seats at a table: each sees it with one viewpoint, and its link admits the bearer of a token that has not been used.

The page exchanges the token, in the fragment of the link, for a session, held by a cookie. Only digests of both are
stored, those of sessions on disk too, so that they survive the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe

import msgspec

from ....util.errors import InputError
from ....util.files import read_bytes
from ....util.writing import make_folder, write_whole

_BYTES = 16
"""How many random bytes are in a token or a session."""
_MOST = 32
"""How many tokens of a seat wait, and how many sessions it has, at most; the oldest end first."""
_LONGEST = 64
"""The most letters of what may be a token or a session."""


class Seat(msgspec.Struct, frozen=True):
    """A seat."""

    path: str
    """Its place in addresses."""
    side: str
    """Its viewpoint, "" for everything."""
    title: str
    """Who sits there, in words."""
    here: bool = False
    """Whether its link works on this machine alone."""


class Seats:
    """The seats at a table, and who has entered. file: keeps the digests of sessions, None for nowhere."""

    def __init__(self, seats: Sequence[Seat], file: Path | None = None) -> None:
        self.by_path = {seat.path: seat for seat in seats}
        self._file = file
        self._tokens: dict[str, list[bytes]] = {path: [] for path in self.by_path}
        self._sessions: dict[str, list[bytes]] = {path: [] for path in self.by_path}
        if file is not None and file.exists():
            self._read(file)

    def _read(self, file: Path) -> None:
        """Read the sessions that were kept; a file that is damaged, or cannot be read, ends them."""
        try:
            text = msgspec.json.decode(read_bytes(file), type=dict[str, list[bytes]])
        except (msgspec.DecodeError, UnicodeDecodeError, InputError):
            return
        by_key = {_key(seat): path for path, seat in self.by_path.items()}
        for key, sessions in text.items():
            if key in by_key:
                self._sessions[by_key[key]] = sessions[-_MOST:]

    def issue(self, seat: Seat) -> str:
        """Return a new token for the link of a seat, which lets in once."""
        token = token_urlsafe(_BYTES)
        self._tokens[seat.path] = [*self._tokens[seat.path], _digest(token)][-_MOST:]
        return token

    def enter(self, seat: Seat, token: str) -> str | None:
        """Return the session that a token is exchanged for; None for one that is not known, or has been used. Raises
        InputError if it cannot be kept, and then the token lets in later; but who sits at this machine is let in, for
        as long as the server runs: how else would he see that its disk is full?
        """
        tokens = self._tokens[seat.path]
        if (at := _find(tokens, token)) is None:
            return None
        session = token_urlsafe(_BYTES)
        sessions = {**self._sessions, seat.path: [*self._sessions[seat.path], _digest(session)][-_MOST:]}
        try:
            self._keep(sessions)
        except InputError:
            if not seat.here:
                raise
            self._sessions = sessions
        del tokens[at]
        return session

    def has_entered(self, seat: Seat, session: str) -> bool:
        """Return whether a session is one of a seat."""
        return _find(self._sessions[seat.path], session) is not None

    def end_sessions(self) -> None:
        """End all sessions and tokens: who wants to go on needs a new link."""
        self._tokens = {path: [] for path in self.by_path}
        self._sessions = {path: [] for path in self.by_path}  # whether or not that can be kept
        self._keep(self._sessions)

    def _keep(self, sessions: dict[str, list[bytes]]) -> None:
        """Keep these sessions, on disk first."""
        if self._file is not None:
            text = {_key(seat): sessions[path] for path, seat in self.by_path.items()}
            make_folder(self._file.parent)
            write_whole(self._file, msgspec.json.encode(text), force=True)
        self._sessions = sessions


def _key(seat: Seat) -> str:
    """Return what a seat is kept as: what it sees, and where its link works."""
    return f"{seat.side}{' here' if seat.here else ''}"


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()


def _find(digests: Sequence[bytes], secret: str) -> int | None:
    """Return where the digest of a secret stands, None for nowhere. All are compared, each in constant time."""
    if not secret or len(secret) > _LONGEST:
        return None
    digest = _digest(secret)
    place = None
    for at, known in enumerate(digests):
        if compare_digest(known, digest):
            place = at
    return place

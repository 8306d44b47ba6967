"""The sizes of whole faces that are pictures of pixels, kept in the user's cache by what the pictures hold, so that each
is decoded once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import NamedTuple

import msgspec

from ..util.copies import UNFIT, Copies, Copy, mark_code, mark_content
from ..util.limits import Limit

_KEPT = Copies("faces", ".faces", 24)


class FaceSize(NamedTuple):
    """How many pixels a picture has as it is drawn."""

    columns: int
    rows: int


class FaceSizes:
    """The sizes of a game's faces. folder: of the game; code: the module that decodes them."""

    def __init__(self, folder: str, code: str) -> None:
        decoder = find_spec("PIL._version")
        known = mark_code((__file__, code, decoder.origin if decoder else None))
        content = mark_content([known, str(Limit.ART_PIXELS.most).encode()])
        self._copy = Copy(_KEPT, folder, content) if known else None
        self._before = self._read()
        self._now: dict[bytes, FaceSize] = {}

    def find(self, mark: bytes, measure: Callable[[], FaceSize]) -> FaceSize:
        """Return the size of a picture by the mark of its content. measure: finds it if it is not known; what that
        raises is not kept.
        """
        if mark not in self._now:
            self._now[mark] = self._before.get(mark) or measure()
        return self._now[mark]

    def keep(self) -> None:
        """Keep the sizes that were asked for, and no others."""
        if self._copy is not None and self._now.keys() != self._before.keys():
            self._copy.write(msgspec.msgpack.encode(self._now))

    def _read(self) -> dict[bytes, FaceSize]:
        body = self._copy.read() if self._copy else None
        if body is not None:
            with suppress(*UNFIT):
                return msgspec.msgpack.decode(body, type=dict[bytes, FaceSize])
        return {}

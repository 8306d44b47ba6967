"""QR codes, by which a phone takes an address off a screen or a sheet of paper."""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, NamedTuple

from ..util.errors import InputError

if TYPE_CHECKING:
    import segno

WRITERS = (".svg", ".png")
"""The endings of files that a code can be written into."""
_EDGE = 4
"""The empty modules around a code, without which no phone finds it."""
_SCALE = 8
"""Pixels, or units of an SVG, for a module."""
_EASY = 25
"""The highest version, of 117 modules a side, for which a phone need not come close."""


class QrCode(NamedTuple):
    """A text as a QR code."""

    code: segno.QRCode

    @property
    def version(self) -> int:
        """Its size: version 1 has 21 modules on each side, and each further one 4 more."""
        return int(self.code.version)

    @property
    def is_dense(self) -> bool:
        """Whether it has so many modules that a phone must come close."""
        return self.version > _EASY

    def draw(self, ending: str) -> bytes:
        """Return it as a picture, black on white. ending: one of `WRITERS`."""
        file = BytesIO()
        svg_options = {"xmldecl": False, "nl": False, "omitsize": True} if ending == ".svg" else {}
        self.code.save(
            file, kind=ending.removeprefix("."), scale=_SCALE, border=_EDGE, dark="#000", light="#fff", **svg_options
        )
        return file.getvalue()

    def in_letters(self) -> list[str]:
        """Return it as lines for a terminal that writes light on dark, two rows of modules a line."""
        lines = StringIO()
        self.code.terminal(lines, border=_EDGE, compact=True)
        return lines.getvalue().splitlines()


def qr_code(text: str) -> QrCode:
    """Return a text as a QR code, of which 15 of 100 modules may be spoilt. Raises InputError for a text that is too
    long, and if segno is not installed.
    """
    try:
        import segno
    except ImportError:  # a page for the browser may have been made without it
        if find_spec("segno") is not None:
            raise
        raise InputError("QR codes need the package segno", hint="install it, or Field Staff again") from None
    try:
        return QrCode(segno.make(text, error="m", micro=False, mode="byte"))
    except segno.DataOverflowError:
        raise InputError(f"{len(text)} letters are too many for a QR code", hint="hand on the link itself") from None

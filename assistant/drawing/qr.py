"""QR codes, by which a phone reads an address from a screen or from paper."""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, NamedTuple

from ..util.errors import InputError

if TYPE_CHECKING:
    import segno

WRITERS = (".svg", ".png")
"""The file name suffixes of pictures of a QR code."""
_BORDER_MODULES = 4
"""The number of empty modules around a code, which phones need to find it."""
_PIXELS_PER_MODULE = 8
"""The number of pixels, or units of an SVG, for a module."""
_MAX_EASY_VERSION = 25
"""The highest version that a phone can read from afar, with 117 modules a side."""


class QrCode(NamedTuple):
    """A text as a QR code."""

    code: segno.QRCode

    @property
    def version(self) -> int:
        """The version, or size: version 1 has 21 modules on each side, each further version 4 more."""
        return int(self.code.version)

    @property
    def is_dense(self) -> bool:
        return self.version > _MAX_EASY_VERSION

    def draw(self, ending: str) -> bytes:
        file = BytesIO()
        svg_options = {"xmldecl": False, "nl": False, "omitsize": True} if ending == ".svg" else {}
        self.code.save(
            file,
            kind=ending.removeprefix("."),
            scale=_PIXELS_PER_MODULE,
            border=_BORDER_MODULES,
            dark="#000",
            light="#fff",
            **svg_options,
        )
        return file.getvalue()

    def in_letters(self) -> list[str]:
        """Return the code as lines for a terminal that writes light on dark, with two rows of modules in a line."""
        lines = StringIO()
        self.code.terminal(lines, border=_BORDER_MODULES, compact=True)
        return lines.getvalue().splitlines()


def qr_code(text: str) -> QrCode:
    """Return a text as a QR code that is legible with up to 15 % of its modules damaged.

    Raises InputError if the text is too long, or if segno is not installed.
    """
    try:
        import segno
    except ImportError:  # the page for the browser may lack segno
        if find_spec("segno") is not None:
            raise
        raise InputError("QR codes need the package segno", hint="install it, or Field Staff again") from None
    try:
        return QrCode(segno.make(text, error="m", micro=False, mode="byte"))
    except segno.DataOverflowError:
        raise InputError(f"{len(text)} letters are too many for a QR code", hint="hand on the link itself") from None

"""JSON as it is printed and written: indented, and without signs that would steer a terminal."""

from __future__ import annotations

from typing import Any

import msgspec

DEL = b"\x7f"


def json_text(value: Any) -> bytes:
    """A value as JSON, two spaces a level. Whatever is not printable is escaped, which a reader takes for the same."""
    data = msgspec.json.format(msgspec.json.encode(value), indent=2)
    if data.isascii():  # the encoder has escaped the other control characters
        return data.replace(DEL, rb"\u007f")
    return "".join(sign if sign.isprintable() or sign == "\n" else _escape(sign) for sign in data.decode()).encode()


def _escape(sign: str) -> str:
    """A sign as JSON escapes it: by its one or two units of 16 bits."""
    units = sign.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))

"""Chance, by one function that a simulation can replace: names of parts of files, taps without a name, secrets of links."""

from __future__ import annotations

import os
from base64 import urlsafe_b64encode
from collections.abc import Callable

draw_bytes: Callable[[int], bytes] = os.urandom
"""Draws this number of bytes that nobody can guess, as `secrets` does, which would load OpenSSL too."""


def draw_hex(count: int) -> str:
    """Return the hexadecimal digits of this number of bytes."""
    return draw_bytes(count).hex()


def draw_word(count: int) -> str:
    """Return this number of bytes as a word for an address."""
    return urlsafe_b64encode(draw_bytes(count)).decode().rstrip("=")

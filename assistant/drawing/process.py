"""Colours in the four inks of a press, cyan, magenta, yellow and black, in place of the red, green and blue of a
screen.

No profile is applied. Grey, black and dark colours with a tinge are black ink alone, so that letters have sharp edges;
elsewhere black replaces what the three inks have in common.
"""

from __future__ import annotations

import re
from functools import cache
from zlib import compress, decompress

from ..util.patterns import late_pattern

_NEUTRAL = 0.012  # how far red, green and blue, 0 to 1, may differ in a colour that is a grey
_DARK_NEUTRAL = 0.085  # the same in a dark one
_DARK = 0.4  # greys that are not lighter are dark, 0 to 1
_INK = 0.25  # greys that are not lighter are black
_MOST = 2.7
"""How much ink may lie on a place, all four together."""
_NUMBER = r"([0-9]*\.?[0-9]+)"
_COLOUR = late_pattern(rf"(?<![0-9.]){_NUMBER} {_NUMBER} {_NUMBER} (rg|RG)\b")
_BITMAP = late_pattern(r"/CS /RGB (/BPC 8 /F \[/AHx /Fl\]) ID ([0-9a-f]+)>")


@cache
def process_inks(red: float, green: float, blue: float) -> tuple[float, float, float, float]:
    """Return a colour, each channel from 0 to 1, as shares of cyan, magenta, yellow and black."""
    brightest = max(red, green, blue)
    grey = 0.299 * red + 0.587 * green + 0.114 * blue
    if brightest - min(red, green, blue) <= (_DARK_NEUTRAL if grey <= _DARK else _NEUTRAL):
        return 0.0, 0.0, 0.0, 1.0 if grey <= _INK else round(1 - grey, 3)
    black = 1 - brightest
    cyan, magenta, yellow = 1 - red / brightest, 1 - green / brightest, 1 - blue / brightest
    less = min(1.0, (_MOST - black) / (cyan + magenta + yellow))
    return round(cyan * less, 3), round(magenta * less, 3), round(yellow * less, 3), round(black, 3)


def convert_to_inks(operators: str) -> str:
    """Return PDF operators whose colours and pictures are of a screen, in the inks of a press."""
    return _BITMAP.sub(_convert_bitmap, _COLOUR.sub(_convert_colour, operators))


def _convert_colour(operator: re.Match[str]) -> str:
    inks = process_inks(float(operator[1]), float(operator[2]), float(operator[3]))
    return f"{' '.join(f'{share:g}' for share in inks)} {'k' if operator[4] == 'rg' else 'K'}"


def _convert_bitmap(operator: re.Match[str]) -> str:
    pixels = decompress(bytes.fromhex(operator[2]))
    inks = b"".join([_convert_pixel(pixels[at : at + 3]) for at in range(0, len(pixels), 3)])
    return f"/CS /CMYK {operator[1]} ID {compress(inks).hex()}>"


@cache
def _convert_pixel(colour: bytes) -> bytes:
    red, green, blue = colour
    return bytes(round(255 * share) for share in process_inks(red / 255, green / 255, blue / 255))

"""Colours as the eye sees them: mixtures, lightness and differences, for colour-blind players and grey prints too.

A colour is written #rrggbb. Lightness runs from 0, black, to 100, white.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import Literal

Lab = tuple[float, float, float]
"""A CIELAB colour: its lightness, 0 to 100, and its two colour axes."""
INK = "#26231e"
WHITE = "#ffffff"

Sight = Literal["protanopia", "deuteranopia", "tritanopia"]
_SIGHTS: dict[Sight, tuple[tuple[float, float, float], ...]] = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""The matrices of sights without one kind of cone, in linear light (Machado, Oliveira and Fernandes 2009, severity 1).
"""
SIGHTS: tuple[Sight, ...] = tuple(_SIGHTS)
_LACKING_COLOURS: dict[Sight, str] = {"protanopia": "red", "deuteranopia": "green", "tritanopia": "blue"}
"""The colour that cannot be seen by each sight."""
MIN_DIFFERENCE = 9.0
"""The minimum CIEDE2000 difference of colours that should differ at a glance."""
MIN_DIFFERENCE_IN_GREY = 8.0
"""The minimum difference in lightness, 0 to 100, of colours that should differ in a grey print."""


@cache
def mix(colour: str, other: str, share: float) -> str:
    """Return a colour mixed with a share, 0 to 1, of another one."""
    pairs = zip(_parse_channels(colour), _parse_channels(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def darken(colour: str) -> str:
    """Return the dark tone of a colour, on which white letters are legible."""
    return mix(colour, "#14120e", 0.56)


@cache
def ink_on(colour: str) -> str:
    """Return dark ink or white, whichever is more legible on a colour."""
    return INK if contrast(colour, INK) >= contrast(colour, WHITE) else WHITE


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio of two colours as WCAG defines it, 1 to 21; letters need 4.5."""
    darker, lighter = sorted((_luminance(colour), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@cache
def _luminance(colour: str) -> float:
    red, green, blue = _to_linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lightness(colour: str) -> float:
    """Return the lightness of a colour in a grey print, 0 to 100: L* of CIELAB."""
    return 116 * _cube_root(_luminance(colour)) - 16


def convert_to_grey(colour: str) -> str:
    """Return the grey of a colour in a print without colours."""
    return "#" + f"{round(255 * _gamma(_luminance(colour))):02x}" * 3


@cache
def simulate_sight(colour: str, sight: Sight) -> str:
    """Return the colour as a player without one kind of cone sees it."""
    linear = _to_linear(colour)
    seen = (sum(share * part for share, part in zip(row, linear, strict=True)) for row in _SIGHTS[sight])
    return "#" + "".join(f"{round(255 * _gamma(min(max(value, 0.0), 1.0))):02x}" for value in seen)


@cache
def difference(colour: str, other: str) -> float:
    """Return the CIEDE2000 difference of two colours: 1 is just visible side by side, 10 at a glance."""
    return lab_difference(_to_lab(colour), _to_lab(other))


def lab_difference(first: Lab, second: Lab) -> float:
    """Return the CIEDE2000 difference of two CIELAB colours."""
    (light1, a1, b1), (light2, a2, b2) = first, second
    chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(chroma**7 / (chroma**7 + 25.0**7))
    a1, a2 = a1 * stretch, a2 * stretch
    chroma1, chroma2 = hypot(a1, b1), hypot(a2, b2)
    hue1, hue2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = (hue2 - hue1 + 180) % 360 - 180 if chroma1 * chroma2 else 0.0
    hue = (hue1 + turn / 2) % 360 if chroma1 * chroma2 else hue1 + hue2
    middle, chroma = (light1 + light2) / 2, (chroma1 + chroma2) / 2
    by_light = (light2 - light1) / (1 + 0.015 * (middle - 50) ** 2 / sqrt(20 + (middle - 50) ** 2))
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    tone = 1 + sum(size * cos(radians(times * hue + shift)) for size, times, shift in waves)
    by_hue = 2 * sqrt(chroma1 * chroma2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * tone)
    bend = 2 * sqrt(chroma**7 / (chroma**7 + 25.0**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(max(by_light**2 + by_chroma**2 + by_hue**2 - bend * by_chroma * by_hue, 0.0))


@cache
def change_tone(colour: str, light: float, vivid: float = 1.0) -> str:
    """Return a colour of the same hue with the lightness `light`, 0 to 100.

    `vivid`: the factor for its colourfulness; it is reduced if a screen cannot show the colour.
    """
    _, a, b = _to_lab(colour)
    channels = _lab_to_linear(light, a * vivid, b * vivid)
    while not all(-0.0005 <= channel <= 1.0005 for channel in channels) and vivid > 0:
        vivid = max(vivid - 0.05, 0.0)
        channels = _lab_to_linear(light, a * vivid, b * vivid)
    return "#" + "".join(f"{round(255 * _gamma(min(max(channel, 0.0), 1.0))):02x}" for channel in channels)


def _lab_to_linear(light: float, a: float, b: float) -> tuple[float, float, float]:
    """Return the channels of a CIELAB colour in linear light, outside 0 to 1 if no screen can show it."""
    y = (light + 16) / 116
    x, y, z = _cube(y + a / 500) * 0.95047, _cube(y), _cube(y - b / 200) * 1.08883
    return (
        3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
        -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
        0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
    )


def _cube(value: float) -> float:
    """Return the inverse of `_cube_root`."""
    return value**3 if value > 6 / 29 else (116 * value - 16) * 27 / 24389


@cache
def _to_lab(colour: str) -> Lab:
    red, green, blue = _to_linear(colour)
    x = _cube_root((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    y = _cube_root(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
    z = _cube_root((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(value: float) -> float:
    """Return a cube root as CIELAB defines it, linear near black."""
    return float(value ** (1 / 3)) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def _to_linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = _parse_channels(colour)
    return _channel_to_linear(red / 255), _channel_to_linear(green / 255), _channel_to_linear(blue / 255)


def _channel_to_linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _gamma(value: float) -> float:
    return float(12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055)


def _parse_channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@cache
def least_difference(colour: str, other: str) -> float:
    """Return the smallest difference of two colours, seen by any kind of sight or as lightness."""
    seen = ((colour, other), *((simulate_sight(colour, sight), simulate_sight(other, sight)) for sight in SIGHTS))
    return min(*(difference(one, two) for one, two in seen), abs(lightness(colour) - lightness(other)))


def find_close_colours(
    colours: Mapping[str, str], *, min_difference: float = MIN_DIFFERENCE, least_in_grey: float = MIN_DIFFERENCE_IN_GREY
) -> list[tuple[str, str, str]]:
    """Return the names of colours that are too similar, two at a time with the reason.

    The reason is the viewing condition and the difference, such as `in a grey print (4.0 apart in lightness, of 100; at
    least 8 is needed)`.

    A pair is reported once: for normal sight, else for the sight without one kind of cone where it differs least, else
    in grey.
    """
    pairs = []
    for (one, colour), (other, another) in combinations(colours.items(), 2):
        full_difference = difference(colour, another)
        by_sight = {
            sight: difference(simulate_sight(colour, sight), simulate_sight(another, sight)) for sight in SIGHTS
        }
        worst = min(SIGHTS, key=lambda sight: by_sight[sight])
        in_lightness = abs(lightness(colour) - lightness(another))
        for to_whom, actual, wanted, scale in (
            ("at a glance", full_difference, min_difference, ""),
            (f"as seen with {_LACKING_COLOURS[worst]}-blindness", by_sight[worst], min_difference, ""),
            ("in a grey print", in_lightness, least_in_grey, " in lightness, of 100"),
        ):
            if actual < wanted:
                why = f"{to_whom} ({actual:.1f} apart{scale}; at least {wanted:.0f} is needed)"
                pairs.append((one, other, why))
                break
    return pairs

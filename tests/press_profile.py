"""A small ICC profile of a made-up press: four inks that each let through a share of red, green and blue light.

Light through several inks is multiplied, so both directions follow from few figures. It describes no real press.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from math import prod

NAME = "Made-up press for tests"
_TRANSMISSIONS = ((0.03, 0.55, 0.85), (0.78, 0.04, 0.30), (0.97, 0.85, 0.04), (0.012, 0.012, 0.012))
"""The share of red, green and blue light through full cyan, magenta, yellow and black."""
_TO_XYZ = ((0.43607, 0.38515, 0.14307), (0.22249, 0.71689, 0.06061), (0.01392, 0.09708, 0.71410))
_TO_RGB = ((3.13406, -1.61739, -0.49069), (-0.97878, 1.91614, 0.03345), (0.07196, -0.22898, 1.40539))
_WHITE = (0.96420, 1.0, 0.82491)
_INK_GRID, _LAB_GRID = 9, 19

Triple = Sequence[float]


@cache
def press_profile() -> bytes:
    """The profile as the bytes of a file."""
    to_lab = _table(4, 3, _INK_GRID, (_encode_lab(_print(inks)) for inks in _grid(_INK_GRID, 4)))
    to_inks = _table(3, 4, _LAB_GRID, (_encode_inks(_separate(_decode_lab(at))) for at in _grid(_LAB_GRID, 3)))
    description = NAME.encode() + b"\0"
    tags = {
        b"desc": b"desc" + bytes(4) + struct.pack(">I", len(description)) + description + bytes(78),
        b"cprt": b"text" + bytes(4) + b"No rights reserved\0",
        b"wtpt": b"XYZ " + bytes(4) + b"".join(struct.pack(">i", round(value * 65536)) for value in _WHITE),
        b"A2B0": to_lab,
        b"B2A0": to_inks,
    }
    return _file(tags)


def _file(tags: dict[bytes, bytes]) -> bytes:
    start = 128 + 4 + 12 * len(tags)
    table, data = struct.pack(">I", len(tags)), b""
    for name, content in tags.items():
        table += name + struct.pack(">II", start + len(data), len(content))
        data += content + bytes(-len(content) % 4)
    header = struct.pack(">II", start + len(data), 0) + b"\x02\x40\0\0" + b"prtrCMYKLab "
    header += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
    header += b"".join(struct.pack(">i", round(value * 65536)) for value in _WHITE)
    return header.ljust(128, b"\0") + table + data


def _table(inputs: int, outputs: int, grid: int, values: Iterable[Sequence[int]]) -> bytes:
    straight = struct.pack(">2H", 0, 65535)
    unit = b"".join(struct.pack(">i", 65536 * (place % 4 == 0)) for place in range(9))
    head = b"mft2" + bytes(4) + bytes((inputs, outputs, grid, 0)) + unit + struct.pack(">2H", 2, 2)
    nodes = b"".join(struct.pack(f">{outputs}H", *value) for value in values)
    return head + straight * inputs + nodes + straight * outputs


def _grid(count: int, axes: int) -> Iterable[tuple[float, ...]]:
    return product([step / (count - 1) for step in range(count)], repeat=axes)


def _print(inks: Triple) -> tuple[float, float, float]:
    """The red, green and blue light from inks, each 0 to 1."""
    red, green, blue = (
        prod(1 - ink * (1 - through[channel]) for ink, through in zip(inks, _TRANSMISSIONS, strict=True))
        for channel in range(3)
    )
    return red, green, blue


def _separate(light: Triple) -> tuple[float, ...]:
    """The inks of a light, with the least black that serves."""
    best: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0)
    least = float("inf")
    for black in (0.0, 0.25, 0.5, 0.75, 0.9, 1.0):
        inks = [0.0, 0.0, 0.0, black]
        for _ in range(8):
            for ink in range(3):
                others = prod(
                    1 - share * (1 - _TRANSMISSIONS[other][ink]) for other, share in enumerate(inks) if other != ink
                )
                inks[ink] = min(max((1 - light[ink] / others) / (1 - _TRANSMISSIONS[ink][ink]), 0.0), 1.0)
        error = sum((one - two) ** 2 for one, two in zip(_print(inks), light, strict=True))
        if error < least - 1e-7:
            best, least = tuple(inks), error
    return best


def _encode_inks(inks: Triple) -> tuple[int, ...]:
    return tuple(round(65535 * ink) for ink in inks)


def _encode_lab(light: Triple) -> tuple[int, ...]:
    x, y, z = (
        sum(share * part for share, part in zip(row, light, strict=True)) / white
        for row, white in zip(_TO_XYZ, _WHITE, strict=True)
    )
    x, y, z = (value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116 for value in (x, y, z))
    lab = (652.8 * (116 * y - 16), 256 * (500 * (x - y) + 128), 256 * (200 * (y - z) + 128))
    return tuple(min(max(round(value), 0), 65535) for value in lab)


def _decode_lab(at: Triple) -> tuple[float, ...]:
    light, a, b = at[0] * 65535 / 652.8, at[1] * 65535 / 256 - 128, at[2] * 65535 / 256 - 128
    y = (light + 16) / 116
    parts = [
        (value**3 if value > 6 / 29 else (116 * value - 16) * 27 / 24389) for value in (y + a / 500, y, y - b / 200)
    ]
    xyz = [part * white for part, white in zip(parts, _WHITE, strict=True)]
    return tuple(min(max(sum(share * part for share, part in zip(row, xyz, strict=True)), 0.0), 1.0) for row in _TO_RGB)

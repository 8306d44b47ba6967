"""Colours for a press: an ICC profile turns the colours of a screen into cyan, magenta, yellow and black ink.

Greys and dark colours are black ink only, so that letters have sharp edges. Other colours have no black ink as long as
the three inks reach them, so that grounds stay clean.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from ..util.console import format_count
from ..util.patterns import late_pattern
from .colours import Lab, lab_difference

if TYPE_CHECKING:
    from PIL.ImageCms import ImageCmsTransform

MAX_INK_COVER = 2.7
"""The maximum total of the four inks in one place; 1 is one full ink."""
MAX_GAMUT_ERROR = 3.0
"""The maximum CIEDE2000 error with which the profile or its inks reach a colour within the gamut of the press."""
_MAX_ERROR_WITHOUT_BLACK = 2.0
"""The CIEDE2000 error above which a colour may get black ink."""
_MAX_GREY_DIFFERENCE = 0.012
"""The maximum difference of a grey's channels, from 0 to 1."""
_MAX_DARK_GREY_DIFFERENCE = 0.085
_MAX_DARK_GREY = 0.4
_MAX_BLACK_GREY = 0.25
"""The lightest grey that is printed in full black, from 0 to 1."""
_MAX_NEAR_BLACK = 0.1
"""The lightest grey that is full black whatever its tint, from 0 to 1."""
_MAX_ERROR_OF_BLACK = 5.0
"""The CIEDE2000 error above which a tinted grey has coloured inks too."""
_BLACK_STEPS = tuple(range(0, 256, 17))
_COARSE_STEPS = tuple(range(0, 256, 51))
_FINE_STEPS = (26, 13, 7, 4, 2, 1)
_NUMBER = r"([0-9]*\.?[0-9]+)"
_COLOUR_OPERATOR = late_pattern(rf"(?<![0-9.]){_NUMBER} {_NUMBER} {_NUMBER} (rg|RG)\b")
_INLINE_BITMAP = late_pattern(r"/CS /RGB (/BPC 8 /F \[/AHx /Fl\]) ID ([0-9a-f]+)>")

Inks = tuple[int, int, int, int]
"""Cyan, magenta, yellow and black, from 0 to 255."""


class PrintedColour(NamedTuple):
    """A colour of the screen and its inks."""

    colour: str
    inks: Inks
    error: float
    """The CIEDE2000 difference between screen and print, both relative to their white."""
    in_gamut: bool
    """Whether the press can print the colour."""

    @property
    def is_grey(self) -> bool:
        """Whether it is printed in black ink only."""
        return self.inks[:3] == (0, 0, 0)


class PressProfile:
    """An ICC profile of a press, and the colours converted with it so far."""

    def __init__(self, data: bytes) -> None:
        """Read a profile. Raises ValueError if it is not the profile of a press with four inks."""
        from PIL import ImageCms

        try:
            profile = ImageCms.ImageCmsProfile(BytesIO(data))
            kind, inks = profile.profile.device_class.strip(), profile.profile.xcolor_space.strip()
        except (ImageCms.PyCMSError, OSError) as error:
            raise ValueError("it is not an ICC profile") from error
        if (kind, inks) != ("prtr", "CMYK"):
            raise ValueError(f"it is a profile of class {kind} for {inks} colours")
        self.data = data
        self.name = " ".join((profile.profile.profile_description or "").split()) or "unnamed profile"
        screen, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
        intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
        try:
            self._print_to_lab = ImageCms.buildTransform(profile, lab, "CMYK", "LAB", intent)
            self._screen_to_lab = ImageCms.buildTransform(screen, lab, "RGB", "LAB", intent)
            self._separate = ImageCms.buildTransform(
                screen, profile, "RGB", "CMYK", intent, ImageCms.Flags.BLACKPOINTCOMPENSATION
            )
            self._reach = ImageCms.buildTransform(screen, profile, "RGB", "CMYK", intent)
        except ImageCms.PyCMSError as error:
            raise ValueError("its tables cannot be read") from error
        self._converted: dict[str, PrintedColour] = {}
        self._greys = self._print([(0, 0, 0, black) for black in range(256)])
        steps = product(_COARSE_STEPS, _COARSE_STEPS, _COARSE_STEPS)
        self._coarse = [inks for inks in steps if sum(inks) <= 255 * MAX_INK_COVER]

    @property
    def colours(self) -> Sequence[PrintedColour]:
        """The colours converted so far, without the pixels of bitmaps."""
        return tuple(self._converted.values())

    def print_colour(self, colour: str) -> PrintedColour:
        """Convert a colour, written #rrggbb."""
        if colour not in self._converted:
            channels = bytes.fromhex(colour[1:])
            (wanted,) = _to_labs(self._screen_to_lab, "RGB", channels)
            inks = self._choose_inks(channels, wanted)
            own = _convert(self._reach, "RGB", "CMYK", channels)
            (reached,) = _to_labs(self._print_to_lab, "CMYK", own)
            error = lab_difference(wanted, self._print([inks])[0])
            in_gamut = min(error, lab_difference(wanted, reached)) <= MAX_GAMUT_ERROR
            self._converted[colour] = PrintedColour(colour, inks, error, in_gamut)
        return self._converted[colour]

    def convert_operators(self, operators: str) -> str:
        """Return PDF operators with colours and pictures converted from the screen to the press."""
        return _INLINE_BITMAP.sub(self._convert_bitmap, _COLOUR_OPERATOR.sub(self._convert_colour, operators))

    def _convert_colour(self, operator: re.Match[str]) -> str:
        colour = "#" + "".join(f"{round(255 * float(operator[channel])):02x}" for channel in (1, 2, 3))
        shares = (f"{share / 255:.4g}" for share in self.print_colour(colour).inks)
        return f"{' '.join(shares)} {'k' if operator[4] == 'rg' else 'K'}"

    def _convert_bitmap(self, operator: re.Match[str]) -> str:
        inks = _convert(self._separate, "RGB", "CMYK", zlib.decompress(bytes.fromhex(operator[2])))
        return f"/CS /CMYK {operator[1]} ID {zlib.compress(inks).hex()}>"

    def _choose_inks(self, channels: bytes, wanted: Lab) -> Inks:
        black_only = self._find_black(channels, wanted)
        if black_only is not None:
            return black_only
        best, least = (0, 0, 0, 255), float("inf")
        for black in _BLACK_STEPS:
            inks, error = self._search(wanted, black)
            if error < least - 0.5:  # more black only for a visible gain
                best, least = inks, error
            if least <= _MAX_ERROR_WITHOUT_BLACK:
                break
        return best

    def _find_black(self, channels: bytes, wanted: Lab) -> Inks | None:
        """Return black ink only for a grey or nearly black colour, or None for any other."""
        red, green, blue = (value / 255 for value in channels)
        grey = 0.299 * red + 0.587 * green + 0.114 * blue
        tint = _MAX_DARK_GREY_DIFFERENCE if grey <= _MAX_DARK_GREY else _MAX_GREY_DIFFERENCE
        if max(channels) - min(channels) > 255 * tint:
            return None
        black = 255
        if grey > _MAX_BLACK_GREY:
            black = min(range(256), key=lambda share: abs(self._greys[share][0] - wanted[0]))
        is_near = lab_difference(wanted, self._greys[black]) <= _MAX_ERROR_OF_BLACK
        return (0, 0, 0, black) if is_near or grey <= _MAX_NEAR_BLACK else None

    def _search(self, wanted: Lab, black: int) -> tuple[Inks, float]:
        """Return the inks nearest to a colour with a given share of black, and their CIEDE2000 error."""
        best, least = self._nearest(wanted, [(*inks, black) for inks in self._coarse])
        for step in _FINE_STEPS:
            reaches = [[min(max(ink + by, 0), 255) for by in (-step, 0, step)] for ink in best[:3]]
            best, least = self._nearest(wanted, [(c, m, y, black) for c, m, y in product(*reaches)])
        return best, least

    def _nearest(self, wanted: Lab, tried: Sequence[Inks]) -> tuple[Inks, float]:
        allowed = [inks for inks in tried if sum(inks) <= 255 * MAX_INK_COVER] or [(0, 0, 0, 255)]
        errors = [lab_difference(wanted, lab) for lab in self._print(allowed)]
        least = min(errors)
        return allowed[errors.index(least)], least

    def _print(self, inks: Iterable[Inks]) -> list[Lab]:
        return _to_labs(self._print_to_lab, "CMYK", b"".join(map(bytes, inks)))


def list_differences(colours: Sequence[PrintedColour]) -> list[str]:
    """Return lines about the colour differences between screen and print."""
    greys = [printed for printed in colours if printed.is_grey]
    within = [printed for printed in colours if printed.in_gamut and not printed.is_grey]
    outside = sorted(
        (printed for printed in colours if not printed.in_gamut and not printed.is_grey),
        key=lambda printed: -printed.error,
    )
    lines = []
    if within:
        worst = max(within, key=lambda printed: printed.error)
        count = format_count(len(within), "colour")
        lines.append(f"{count} within the gamut of the press: dE at most {worst.error:.1f}, {worst.colour}")
    if greys:
        worst = max(greys, key=lambda printed: printed.error)
        count = format_count(len(greys), "grey")
        lines.append(f"{count} in black ink only: dE at most {worst.error:.1f}, {worst.colour}")
    if outside:
        named = ", ".join(f"{printed.colour} {printed.error:.1f}" for printed in outside[:6])
        more = f" and {len(outside) - 6} more" if len(outside) > 6 else ""
        lines.append(
            f"{format_count(len(outside), 'colour')} beyond it, printed as near as possible: dE of {named}{more}"
        )
    return lines


def _convert(transform: ImageCmsTransform, mode: str, to_mode: str, pixels: bytes) -> bytes:
    from PIL import Image, ImageCms

    count = len(pixels) // len(mode)
    converted = ImageCms.applyTransform(Image.frombytes(mode, (count, 1), pixels), transform)
    if converted is None or converted.mode != to_mode:
        raise AssertionError(mode, to_mode)
    return converted.tobytes()


def _to_labs(transform: ImageCmsTransform, mode: str, pixels: bytes) -> list[Lab]:
    values = _convert(transform, mode, "LAB", pixels)
    return [_read_lab(*values[at : at + 3]) for at in range(0, len(values), 3)]


@cache
def _read_lab(light: int, a: int, b: int) -> Lab:
    return light / 2.55, float(a - 256 if a > 127 else a), float(b - 256 if b > 127 else b)

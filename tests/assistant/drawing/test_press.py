"""Colours for a press: greys in black ink, grounds without it, and how near each colour comes."""

from __future__ import annotations

import zlib
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms

from assistant.drawing.colours import INK
from assistant.drawing.palettes import our_nations
from assistant.drawing.press import MAX_INK_COVER, PressProfile, list_differences
from assistant.drawing.style import Palette

from ...press_profile import NAME, press_profile


@cache
def press() -> PressProfile:
    return PressProfile(press_profile())


def test_a_profile_has_its_name_and_other_files_are_refused() -> None:
    assert press().name == NAME
    screen = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for data, said in ((b"no profile", "not an ICC profile"), (screen, "class mntr for RGB colours")):
        with pytest.raises(ValueError, match=said):
            PressProfile(data)
    damaged = press_profile()[:5000]
    with pytest.raises(ValueError):
        PressProfile(damaged)


@pytest.mark.parametrize("colour", ["#000000", INK, "#808080", "#ffffff", "#cccccc"])
def test_greys_and_letters_are_black_ink_only(colour: str) -> None:
    assert press().print_colour(colour).inks[:3] == (0, 0, 0)


def test_black_is_full_and_paper_has_no_ink() -> None:
    assert press().print_colour(INK).inks == (0, 0, 0, 255)
    assert press().print_colour("#ffffff").inks == (0, 0, 0, 0)


@pytest.mark.parametrize("nation", our_nations())
def test_the_ground_of_a_nation_has_no_black_and_looks_as_on_the_screen(nation: str) -> None:
    printed = press().print_colour(Palette({}, our_nations()).nation(nation))
    assert printed.inks[3] == 0
    assert printed.in_gamut
    assert printed.error <= 3


@pytest.mark.parametrize("green", ["#9bb08c", "#6b8f5a", "#3d524b", "#7fa05a"])
def test_a_green_stays_green(green: str) -> None:
    """Printed, with the inks' light worked out by the definition of the made-up press, green prevails."""
    cyan, magenta, yellow, black = (share / 255 for share in press().print_colour(green).inks)
    red_light = (1 - 0.97 * cyan) * (1 - 0.22 * magenta) * (1 - 0.03 * yellow)
    green_light = (1 - 0.45 * cyan) * (1 - 0.96 * magenta) * (1 - 0.15 * yellow)
    blue_light = (1 - 0.15 * cyan) * (1 - 0.70 * magenta) * (1 - 0.96 * yellow)
    assert black == 0
    wanted = [(int(green[at : at + 2], 16) / 255) ** 2.2 for at in (1, 3, 5)]
    assert green_light > max(red_light, blue_light)
    assert (red_light, green_light, blue_light) == pytest.approx(wanted, abs=0.03)


@given(*[st.integers(0, 255)] * 3)
def test_no_colour_takes_more_ink_than_paper_holds(red: int, green: int, blue: int) -> None:
    printed = press().print_colour(f"#{red:02x}{green:02x}{blue:02x}")
    assert sum(printed.inks) <= 255 * MAX_INK_COVER
    assert printed.error <= (7 if printed.is_grey else 6) or not printed.in_gamut


def test_a_green_beyond_the_gamut_is_named_with_its_difference() -> None:
    profile = PressProfile(press_profile())
    for colour in ("#9bb08c", "#00ff00", INK):
        profile.print_colour(colour)
    within, greys, beyond = list_differences(profile.colours)
    assert within.startswith("1 colour within the gamut of the press: dE at most ")
    assert greys.startswith("1 grey in black ink only: dE at most ")
    assert beyond.startswith("1 colour beyond it, printed as near as possible: dE of #00ff00 ")
    assert float(beyond.split()[-1]) > 6
    assert list_differences(()) == []


def test_a_picture_is_separated_by_the_profile() -> None:
    pixels = Image.new("RGB", (2, 1), "#9bb08c").tobytes().hex()
    packed = zlib.compress(bytes.fromhex(pixels)).hex()
    drawn = press().convert_operators(f"BI /W 2 /H 1 /CS /RGB /BPC 8 /F [/AHx /Fl] ID {packed}> EI")
    digits = drawn.split(" ID ")[1].split(">")[0]
    inks = zlib.decompress(bytes.fromhex(digits))
    assert "/CS /CMYK" in drawn
    assert len(inks) == 8
    assert inks[:4] == inks[4:]
    assert inks[0] > inks[1]
    assert inks[2] > inks[1]

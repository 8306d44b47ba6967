"""Colours as the eye has them: differences, what is seen without one kind of cone, grey."""

from __future__ import annotations

import pytest

from assistant.drawing.colours import (
    INK,
    WHITE,
    contrast,
    convert_to_grey,
    darken,
    difference,
    find_close_colours,
    ink_on,
    lightness,
    mix,
    simulate_sight,
)


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [  # from coloraide, an independent implementation
        ("#000000", "#ffffff", 100.0),
        ("#ff0000", "#00ff00", 86.6),
        ("#ff0000", "#0000ff", 52.9),
        ("#92978a", "#ecc382", 24.1),
        ("#22458e", "#8ecb7f", 64.95),
        ("#808080", "#818181", 0.4),
        ("#123456", "#123456", 0.0),
    ],
)
def test_colours_are_as_far_apart_as_ciede2000_has_them(one: str, other: str, far: float) -> None:
    assert difference(one, other) == pytest.approx(far, abs=0.06)
    assert difference(other, one) == pytest.approx(difference(one, other))


def test_red_and_green_are_alike_to_those_who_lack_one_of_them() -> None:
    red, green = "#c0504d", "#6f8f3f"
    assert difference(red, green) > 40
    assert difference(simulate_sight(red, "deuteranopia"), simulate_sight(green, "deuteranopia")) < 20
    assert simulate_sight("#808080", "tritanopia") in ("#808080", "#7f8080", "#80807f")


def test_a_grey_print_keeps_the_lightness_and_colours_are_mixed_by_shares() -> None:
    for colour in ("#92978a", "#9a0636", "#ecc382"):
        assert lightness(convert_to_grey(colour)) == pytest.approx(lightness(colour), abs=0.5)
        assert len({convert_to_grey(colour)[index : index + 2] for index in (1, 3, 5)}) == 1
    assert mix("#000000", "#ff8000", 0.5) == "#804000"
    assert mix("#102030", "#ffffff", 0) == "#102030"


def test_letters_are_legible_on_any_colour() -> None:
    assert (ink_on("#ecc382"), ink_on("#22458e")) == (INK, WHITE)
    for level in range(0, 256, 5):
        colour = f"#{level:02x}{level:02x}{level:02x}"
        assert contrast(colour, ink_on(colour)) > 3.8
        assert contrast(darken(colour), WHITE) > 4


def test_colours_that_are_too_close_are_found_with_the_sight_that_takes_them_for_one() -> None:
    assert find_close_colours({"german": "#92978a", "russian": "#ecc382"}) == []
    assert find_close_colours({}) == find_close_colours({"german": "#92978a"}) == []
    (found,) = find_close_colours({"one": "#92978a", "other": "#949a8c"})
    assert (found.one, found.other) == ("one", "other")
    assert found.why == "at a glance (1 apart; at least 9 is needed)" or "apart; at least 9 is needed" in found.why
    (found,) = find_close_colours({"red": "#c98a86", "green": "#98a86d"}, least=15)
    assert "as seen with" in found.why
    (found,) = find_close_colours({"german": "#84a8d3", "russian": "#d2a46a"})
    assert found.why.startswith("in a grey print (")
    assert find_close_colours({"german": "#84a8d3", "russian": "#d2a46a"}, least_in_grey=0) == []

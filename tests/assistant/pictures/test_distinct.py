"""Which colours a player cannot tell apart."""

from __future__ import annotations

from assistant.pictures.distinct import too_close


def test_colours_that_all_can_tell_apart() -> None:
    assert too_close({"german": "#92978a", "russian": "#ecc382"}) == []
    assert too_close({}) == too_close({"german": "#92978a"}) == []


def test_nearly_the_same_colour() -> None:
    (found,) = too_close({"one": "#92978a", "other": "#949a8c"})
    assert (found.one, found.other) == ("one", "other")
    assert found.why == "at a glance (1 apart; 9 will do)" or "apart; 9 will do" in found.why


def test_red_and_green_of_one_lightness() -> None:
    (found,) = too_close({"red": "#c98a86", "green": "#98a86d"}, least=15)
    assert "without sight of" in found.why


def test_colours_that_differ_in_hue_alone_are_alike_in_grey() -> None:
    (found,) = too_close({"german": "#84a8d3", "russian": "#d2a46a"})
    assert found.why.startswith("in a grey print (")
    assert too_close({"german": "#84a8d3", "russian": "#d2a46a"}, least_in_grey=0) == []

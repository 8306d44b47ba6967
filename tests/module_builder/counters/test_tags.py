"""Tags over counters, and markers of hexes."""

from __future__ import annotations

import pytest

from assistant.pictures.style import INK, WHITE
from assistant.util.errors import InputError
from module_builder.counters import MARKER, SIDE, badge, face_down, marker

from .test_pieces import box, shown, texts


@pytest.mark.parametrize("text", ["-3", "CEL -1", "D1", "LOW", "1", "out of supply", "", "Ä"])
@pytest.mark.parametrize("colour", ["#a3212b", "#f0e040"])
def test_a_badge_is_as_wide_as_its_text(text: str, colour: str) -> None:
    found = badge(text, colour)
    (words,) = texts(found)
    left, top, right, bottom = box(words)
    assert (words.text, found.title) == (text, text)
    assert left > 0.3
    assert right < found.width - 0.3
    assert top > 0.3
    assert bottom < found.height - 0.3
    assert words.fill == (WHITE if colour == "#a3212b" else INK)


def test_a_badge_on_the_edge_covers_nothing_but_the_margin() -> None:
    assert badge("-3", "#a3212b").height / 2 <= 1.5


@pytest.mark.parametrize("text", ["IP 2", "Control", "Prepared Attack", "1/2"])
def test_the_text_of_a_marker_stays_in_its_frame(text: str) -> None:
    found = marker("what it is", text, "#8a5a2b")
    assert (found.width, found.height, found.title) == (MARKER, MARKER, "what it is")
    assert " ".join(shown(found)) == text
    assert all(min(box(words)) > 1 and max(box(words)) < MARKER - 1 for words in texts(found))


def test_a_counter_face_down_shows_its_side_alone() -> None:
    found = face_down("#84a8d3")
    assert (found.width, shown(found)) == (SIDE, ["?"])


@pytest.mark.parametrize("colour", ["red", "#fff", ""])
def test_a_colour_that_is_none_is_an_error(colour: str) -> None:
    with pytest.raises(InputError, match="is not a colour"):
        badge("-1", colour)
    with pytest.raises(InputError, match="is not a colour"):
        marker("x", "y", colour)

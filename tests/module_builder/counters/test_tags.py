"""Tags over counters, and markers of hexes."""

from __future__ import annotations

import pytest

from assistant.pictures.colours import INK, WHITE
from assistant.plugins.registry import load_game
from assistant.util.errors import InputError
from module_builder.counters import MARKER, SIDE, badge, counters, face_down, marker
from module_builder.vassal.pieces.statuses import Statuses

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


def test_no_tag_covers_a_figure_of_its_counter() -> None:
    game = load_game("twilight-in-the-east")
    statuses = Statuses(game)
    for counter in counters(game):
        for status in statuses.layers(counter.unit):
            track, module = status.track, status.shown
            if module.flips:
                continue
            longest = max((track.write(level.value) for level in status.levels if level.value is not None), key=len)
            tag = badge(module.tag.replace("{}", longest), module.colour)
            x, y = ((0.5 + share) * SIDE for share in module.at)
            left, top, right, bottom = x - tag.width / 2, y - tag.height / 2, x + tag.width / 2, y + tag.height / 2
            for words in texts(counter.front):
                one = box(words)
                apart = one[2] <= left or right <= one[0] or one[3] <= top or bottom <= one[1]
                assert apart, (counter.unit, track.name, words.text)


def test_a_counter_face_down_shows_its_side_alone() -> None:
    found = face_down("#84a8d3")
    assert (found.width, shown(found)) == (SIDE, ["?"])


@pytest.mark.parametrize("colour", ["red", "#fff", ""])
def test_a_colour_that_is_none_is_an_error(colour: str) -> None:
    with pytest.raises(InputError, match="is not a colour"):
        badge("-1", colour)
    with pytest.raises(InputError, match="is not a colour"):
        marker("x", "y", colour)

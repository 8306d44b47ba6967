"""The animation: its frames, how long they stand, its size, and the SVG in which counters move."""

from __future__ import annotations

from io import BytesIO

import pytest
from lxml import etree
from PIL import Image

from assistant.drawing.gif import to_gif
from assistant.drawing.scene import Layer, Rectangle, Scene
from assistant.pictures.front.animation import (
    AFTER,
    FIRST,
    MOVES,
    MOVING,
    WIDE,
    frames_of,
    movers_of,
    to_animation,
    to_moving_svg,
)
from assistant.pictures.front.strip import make_strip

from .moments import MOMENTS, shots

STRIP = make_strip(shots(), WIDE)
SVG = "{http://www.w3.org/2000/svg}"


def test_each_turn_shows_who_moves_and_where_that_leads() -> None:
    frames = frames_of(STRIP)
    assert [(frame.number, frame.seconds) for frame in frames] == [
        (0, FIRST),
        (1, MOVES),
        (1, AFTER),
        (2, MOVES),
        (2, AFTER),
    ]
    before, after = frames[1], frames[2]
    assert before.arrows and before.standing is STRIP.moments[0].view and before.moment.moved == STRIP.moments[1].moved
    assert not after.arrows and after.standing is STRIP.moments[1].view


def test_a_turn_without_moves_has_one_frame() -> None:
    assert [frame.number for frame in frames_of(make_strip(shots(MOMENTS[0], MOMENTS[0], attacked=""), WIDE))] == [0, 1]


def test_the_gif_has_these_frames_for_at_least_two_seconds_each() -> None:
    animation = to_animation(STRIP, "A game", "GT 1 to GT 3")
    with Image.open(BytesIO(animation.data)) as gif:
        assert (gif.n_frames, gif.size, gif.info["loop"]) == (5, (animation.width, animation.height), 0)
        lengths = []
        for number in range(gif.n_frames):
            gif.seek(number)
            lengths.append(gif.info["duration"])
    assert lengths == [3000, 2000, 2500, 2000, 2500] and min(lengths) >= 2000
    assert len(animation.data) < 2_000_000


def scene(*boxes: tuple[float, float]) -> Scene:
    """A small scene with red boxes on white."""
    paper = Rectangle(x=0, y=0, width=20, height=10, fill="#ffffff")
    red = [Rectangle(x=x, y=y, width=4, height=4, fill="#c02020") for x, y in boxes]
    return Scene(width=20, height=10, title="", layers=(Layer("all", (paper, *red)),))


def test_a_gif_that_would_be_too_large_is_coarser() -> None:
    scenes = [scene(*((x * 1.37 % 17, (x + turn) * 2.71 % 7) for x in range(9))) for turn in range(3)]
    fine = to_gif(scenes, [2, 2, 2])
    coarse = to_gif(scenes, [2, 2, 2], len(fine.data) // 2)
    assert coarse.width < fine.width == 160 and len(coarse.data) < len(fine.data)
    assert coarse.height / coarse.width == pytest.approx(0.5, abs=0.02)


def test_frames_that_differ_little_are_seen_whole() -> None:
    """Each frame holds only what has changed; whoever plays them sees all of it."""
    with Image.open(BytesIO(to_gif([scene((2, 2)), scene((12, 2))], [2, 2]).data)) as gif:
        gif.seek(1)
        shown = gif.convert("RGB")
    assert shown.getpixel((shown.width * 14 // 20, shown.height * 4 // 10)) == pytest.approx((192, 32, 32), abs=12)
    assert shown.getpixel((shown.width * 4 // 20, shown.height * 4 // 10)) == pytest.approx((255, 255, 255), abs=6)


def test_in_the_svg_each_counter_moves_to_its_places() -> None:
    root = etree.fromstring(to_moving_svg(STRIP, "A game", "GT 1").encode())
    movers = [group for group in root.iter(f"{SVG}g") if group.get("transform")]
    assert len(movers) == 4
    (moved,) = [group for group in movers if group.findtext(f".//{SVG}title") == "25/3"]
    motion = moved.find(f"{SVG}animateTransform")
    assert motion is not None and motion.get("dur") == f"{FIRST + 2 * (AFTER + MOVING):g}s"
    assert len(motion.get("values").split(";")) == len(motion.get("keyTimes").split(";")) == 6
    (resting,) = [group for group in movers if group.findtext(f".//{SVG}title") == "36/17"]
    assert resting.find(f"{SVG}animateTransform") is None
    keys = [float(key) for element in root.iter() if (times := element.get("keyTimes")) for key in times.split(";")]
    assert all(0 <= key <= 1 for key in keys)
    assert not root.findall(f".//{SVG}script")


def test_a_counter_that_comes_later_is_hidden_before() -> None:
    strip = make_strip(shots(MOMENTS[0], MOMENTS[0] + "46.22: 37/20\n", attacked=""), WIDE)
    places = {mover.shapes[0].title: mover.places for mover in movers_of(strip, (0.0, 0.0), 1.0)}  # type: ignore[union-attr]
    assert places["37/20"][0] is None and places["37/20"][1] is not None


def test_hostile_titles_are_escaped() -> None:
    drawn = to_moving_svg(STRIP, '<script>alert("1")</script>', "<b>")
    assert "<script" not in drawn and "<b>" not in drawn

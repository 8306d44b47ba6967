"""The drawn turn track: boxes with what is known of each turn, and the frame around the current one."""

from __future__ import annotations

from itertools import combinations

import pytest

from assistant.drawing.lettering import text_width
from assistant.drawing.scene import Polyline, Rectangle, Text
from assistant.game.turn_record import Turn, TurnFact
from assistant.installed.registry import load_game
from module_builder.vassal.turn_track import TurnTrack, make_timeline

TWILIGHT = "twilight-in-the-east"


@pytest.fixture(scope="module")
def twilight() -> TurnTrack:
    track = make_timeline(load_game(TWILIGHT), 75).track
    assert track is not None
    return track


def test_a_box_for_each_turn_says_what_is_known_of_it(twilight: TurnTrack) -> None:
    assert [*twilight.middles] == [str(number) for number in range(1, 48)]
    wide, high = twilight.size
    for x, y in twilight.middles.values():
        assert 60 < x < wide - 60
        assert 40 < y < high - 40
    texts = [shape for layer in twilight.scene.layers for shape in layer.shapes if isinstance(shape, Text)]
    said = [text.text for text in texts]
    assert {"GT 1", "GT 47", "Summer", "Autumn"} <= {*said}
    assert said.count("Inter-Phase") == 15
    assert [text for text in said if text.startswith("about")][23:25] == [
        "about 9 October 1914",
        "about 12 October 1914",
    ]


def test_a_box_tells_all_of_its_turn_or_has_a_line_for_its_date(twilight: TurnTrack) -> None:
    told = Turn(
        number=2,
        date=TurnFact("August"),
        interphase=TurnFact("Rest"),
        weather=TurnFact("mud"),
        events=(TurnFact("Strike", "russian"),),
    )
    fine = Turn(number=3, weather=TurnFact("normal"), events=(TurnFact("Peace"), TurnFact("Harvest", "nobody")))
    track = twilight._replace(numbers=range(2, 4), known={2: told, 3: fine}, titles={"russian": "Russian"})
    (sheet,) = track.scene.layers
    texts = [shape for shape in sheet.shapes if isinstance(shape, Text)][1:]
    assert [(text.text, text.bold) for text in texts if text.text] == [
        ("GT 2", True),
        ("August", True),
        ("Mud", False),
        ("Russian: Strike", False),
        ("Rest", True),
        ("GT 3", True),
        ("Peace", False),
        ("nobody: Harvest", False),
    ]
    track = twilight._replace(numbers=range(2, 5), known={2: Turn(number=2, date=TurnFact("August"))})
    lines = [shape for layer in track.scene.layers for shape in layer.shapes if isinstance(shape, Polyline)]
    boxes = track.boxes
    assert [min(x for x, _ in line.points) - 8 for line in lines] == [boxes[3].left, boxes[4].left]


def test_what_comes_up_stands_in_whole_words_and_makes_its_row_higher(twilight: TurnTrack) -> None:
    events = tuple(TurnFact(f"The event with the number {n} comes up in this turn") for n in range(9))
    track = twilight._replace(numbers=range(1, 14), known={8: Turn(number=8, events=events)})
    said = [shape.text for layer in track.scene.layers for shape in layer.shapes if isinstance(shape, Text)]
    assert " ".join(said).count("comes up in this turn") == 9
    assert not any("…" in text for text in said)
    boxes = track.boxes
    assert boxes[7].height == boxes[8].height > boxes[1].height == boxes[13].height


def test_texts_stay_in_their_boxes_above_counters_and_a_frame_lies_around_the_head_of_the_turn(
    twilight: TurnTrack,
) -> None:
    boxes, middles = twilight.boxes.values(), twilight.middles
    texts = [shape for layer in twilight.scene.layers for shape in layer.shapes if isinstance(shape, Text)]
    for text in texts[1:]:
        width = text_width(text.text, text.size, bold=text.bold)
        left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.anchor] * width
        assert any(box.left <= left and left + width <= box.right and box.top < text.y < box.bottom for box in boxes), (
            text.text
        )
        assert text.size >= 9
        for number, box in twilight.boxes.items():
            y = middles[str(number)][1]
            inside = box.left <= left <= box.right and box.top < text.y < box.bottom
            assert not (inside and abs(text.y - y) < twilight.counter / 2), text.text
    for one, other in combinations(boxes, 2):
        assert one.right <= other.left or other.right <= one.left or one.bottom <= other.top or other.bottom <= one.top
    for row, (across, down) in twilight.heads:
        for number, scene in zip(row, twilight.frames, strict=False):
            frame = next(shape for shape in scene.layers[0].shapes if isinstance(shape, Rectangle))
            left, top = across + twilight.frames_right - scene.width / 2 + frame.x, down - scene.height / 2 + frame.y
            box = twilight.boxes[number]
            assert box.left <= left and left + frame.width <= box.right
            assert box.top <= top and top + frame.height < twilight.middles[str(number)][1] - twilight.counter / 2

"""The turn track below a map: boxes in even rows, and bands with what is the same for several turns."""

from __future__ import annotations

from assistant.drawing.scene import Rectangle, Text
from assistant.game.course.turns import Turn, TurnFact
from assistant.state.sources import Source
from module_builder.boards.margin import Parts, turn_row


def track(course: list[Turn], width: float = 200.0) -> Parts:
    parts = Parts()
    turn_row(parts, course, 0.0, 0.0, width)
    return parts


def texts(parts: Parts) -> list[str]:
    return [shape.text for shape in parts.shapes if isinstance(shape, Text)]


def test_a_season_and_a_weather_are_written_once_for_all_their_turns() -> None:
    summer, heat, mud = (TurnFact(text) for text in ("Summer", "6+ heat", "mud"))
    course = [Turn(number=number, season=summer, weather=heat if number < 3 else mud) for number in range(1, 5)]
    assert texts(track(course)) == ["Summer", "1", "2", "3", "4", "6+ heat", "Mud"]


def test_rows_are_of_even_length_and_as_wide_as_the_margin() -> None:
    boxes = [
        shape
        for shape in track([Turn(number=number) for number in range(1, 16)]).shapes
        if isinstance(shape, Rectangle)
    ]
    rows = [[box for box in boxes if box.y == top] for top in sorted({box.y for box in boxes})]
    assert [len(row) for row in rows] == [8, 7]  # fourteen would fit into the first
    assert max(box.x + box.width for box in boxes) == 200.0


def test_what_follows_a_turn_is_a_bar_that_is_explained() -> None:
    course = [Turn(number=1), Turn(number=2, interphase=TurnFact("Inter-Phase"))]
    assert texts(track(course)) == ["1", "2", "Inter-Phase after the turn"]


def test_a_date_that_was_worked_out_says_about() -> None:
    (number, *date) = texts(track([Turn(number=9, date=TurnFact("2 to 6 May", source=Source.RECONSTRUCTION))]))
    assert (number, " ".join(reversed(date))) == ("9", "about 2 to 6 May")


def test_a_game_without_turns_has_no_track() -> None:
    assert track([]).shapes == []

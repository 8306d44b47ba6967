"""The turn track: every turn in a box that a counter fits, with what is known of it, and blanks for what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.drawing.scene import Rectangle
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from module_builder.aids.cards import CARDS
from module_builder.aids.page import content_area
from module_builder.aids.turn_track import Row, _find_level, _split_pages

from .moor import FILES, boxes, moor, said, shapes, texts, wanted


def test_each_turn_has_a_box_with_what_is_known_of_it_and_blanks_for_the_rest(tmp_path: Path) -> None:
    (card,) = CARDS["turn-track"](wanted(moor(tmp_path)))
    words = said(card.pages)
    for number in range(1, 8):
        assert f"Day {number}" in words
    assert words.count("Mist") == 7
    assert (words.count("Dry"), words.count("Wet")) == (4, 3)
    assert "about 5 May 1914" in words
    assert "B-R: the blood-red guard arrives (3.2)" in words
    assert "C: the crimson guard arrives (3.1)" in words
    assert "The bog rises (3.4)" in words
    assert (words.count("Trains"), words.count("Trains 12")) == (7, 1)
    assert words.count("Rest Rails") == 2  # only where turns end in a phase between turns
    written = [box for box in shapes(card.pages) if isinstance(box, Rectangle) and box.stroke and 3 < box.height < 5]
    assert len(written) == 7 + 2 and min(box.width for box in written) > 5
    assert [text.text for text in texts(card.pages)].count("date") == 6, "all but the turn of 5 May"


NATIONS = """figures = [
    { name = "a", title = "Engineers", who = "crimson" }, { name = "b", title = "Engineers", who = "blood-red" },
    { name = "c", title = "Engineers", who = "blue" },
]"""


def test_each_nation_stands_right_before_its_own_box(tmp_path: Path) -> None:
    lines = FILES["course.toml"].splitlines()
    course = "\n".join(NATIONS if line.startswith("figures") else line for line in lines)
    turns = FILES["turns.csv"].replace("3,rail,12,,3.5,rulebook\n", "")
    (card,) = CARDS["turn-track"](wanted(moor(tmp_path, course=course, turns=turns)))
    written = [box for box in shapes(card.pages) if isinstance(box, Rectangle) and box.stroke and 3 < box.height < 5]
    names = [text for text in texts(card.pages) if text.text in ("C", "B-R", "B")]
    assert len(names) == len(written) == 3 * 7
    for name in names:
        after = [box.x - name.x for box in written if abs(name.y - box.y - box.height / 2) < 2 and box.x > name.x - 0.1]
        assert 0 < min(after) < 1


def test_rows_of_a_page_are_levelled_and_shared_out_evenly() -> None:
    assert _find_level([10, 12, 11], 45) == 15
    assert _find_level([30, 10, 10], 60) == 15, "what the high one leaves"
    assert _find_level([10, 10], 100) == pytest.approx(16), "no more than so much higher than needed"
    rows = [Row((), high) for high in (4, 1, 1, 1, 1, 4)]
    shared = [[row.height for row in page] for page in _split_pages(rows, 10)]
    assert shared == [[4, 1, 1], [1, 1, 4]]
    assert _split_pages(rows, 12) == [rows]


def test_what_stands_below_a_counter_stays_clear_of_it(tmp_path: Path) -> None:
    chosen = wanted(moor(tmp_path))
    (card,) = CARDS["turn-track"](chosen)
    places = [box for box in boxes(card.pages, chosen.look.box) if abs(box.width - box.height) < 1e-6]
    assert len(places) == 7
    for text in texts(card.pages):
        for box in places:
            inside = box.x < text.x < box.x + box.width and box.y < text.y - 0.1 < box.y + box.height
            assert not inside, text.text


@pytest.mark.parametrize("die", ["1/2", "5/8", "25mm"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_boxes_are_a_millimetre_larger_than_the_counter(tmp_path: Path, die: str, paper: str) -> None:
    chosen = wanted(moor(tmp_path), die=die, paper=paper)
    (card,) = CARDS["turn-track"](chosen)
    squares = [box for box in boxes(card.pages, chosen.look.die + 1) if abs(box.width - box.height) < 1e-6]
    assert len(squares) == 7
    area = content_area(chosen.look, landscape=True)
    for box in squares:
        assert box.width >= chosen.look.die + 1 - 1e-6
        assert area.left <= box.x and box.x + box.width <= area.right + 1e-6
        assert area.top <= box.y and box.y + box.height <= area.bottom + 1e-6


def test_many_events_need_more_pages_and_more_than_a_page_holds_are_refused(tmp_path: Path) -> None:
    rows = "".join(f"{turn},event,{'a long road ' * 12},,,rulebook\n" for turn in range(1, 8) for _ in range(9))
    head = "turns,kind,text,who,rule,source\n"
    (card,) = CARDS["turn-track"](wanted(moor(tmp_path, turns=head + rows)))
    assert len(card.pages) > 1
    assert said(card.pages).count("a long road a long road") >= 63
    rows = "".join(f"4,event,event {number} {'of a long day ' * 20},,,rulebook\n" for number in range(60))
    game = moor(tmp_path, turns="turns,kind,text,who,rule,source\n3,rail,1,,,rulebook\n" + rows)
    with pytest.raises(InputError, match="the events of turn 4 do not fit on a page") as error:
        CARDS["turn-track"](wanted(game))
    assert str(error.value.where) == "turns.csv" and error.value.hint


def test_a_turn_may_be_called_with_other_braces(tmp_path: Path) -> None:
    tag = FILES["course.toml"].replace('tag = "Day {}"', 'tag = "Day {} {N}"')
    (card,) = CARDS["turn-track"](wanted(moor(tmp_path, course=tag)))
    assert "Day 7 {N}" in said(card.pages)


def test_a_season_that_is_inferred_is_marked_and_a_stated_one_is_not() -> None:
    (card,) = CARDS["turn-track"](wanted(load_game("kaisers-war-in-the-east")))
    words = said(card.pages)
    assert words.count("Winter (inferred)") == words.count("Winter") == 9
    assert "Summer" in words and "Summer (inferred)" not in words

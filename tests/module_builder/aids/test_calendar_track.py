"""The turn track of a campaign by months: a box for each of its turns, none for others, and what each month brings."""

from __future__ import annotations

import pytest

from assistant.game.calendar import CalendarFile, Month, parse_date
from assistant.installed.registry import load_game
from module_builder.aids.cards import CARDS
from module_builder.aids.turn_track import lies_on_its_side, month_rows, reminders

from .moor import boxes, said, wanted

GAME = load_game("der-weltkrieg")
SHORT = CalendarFile(first="nov14/2", last="jan15/0", turns=3, special=True)


def month(text: str) -> Month:
    date = parse_date(text)
    assert date
    return date[0]


def test_every_turn_of_the_game_has_a_box() -> None:
    chosen = wanted(GAME)
    (card,) = CARDS["turn-track"](chosen)
    squares = {
        (page, box.x, box.y)
        for page, scene in enumerate(card.pages)
        for box in boxes((scene,), chosen.look.box)
        if abs(box.width - box.height) < 1e-6
    }
    assert len(squares) == 411
    words = said(card.pages)
    assert words.count("August 1914") == words.count("November 1918") == 1 and "July 1914" not in words
    assert words.count("Special") == len(card.pages), "heads on every page"


def test_a_calendar_may_begin_within_a_month_and_a_month_with_much_to_say_is_higher() -> None:
    rows = month_rows(GAME, SHORT, 50)
    assert [(str(row.month), sorted(row.turns)) for row in rows] == [
        ("nov14", [2, 3]),
        ("dec14", [0, 1, 2, 3]),
        ("jan15", [0]),
    ]
    chosen = wanted(GAME, die="1/2")
    low, high = (row.height(chosen.look) for row in month_rows(GAME, SHORT, 8.0)[1:])
    assert high > low > chosen.look.box


def test_what_the_schedules_remind_of_stands_in_its_month() -> None:
    said = reminders(GAME)
    assert said[month("mar15")] == ["From now on a die is rolled for Italy in each special turn (8-1)"]
    assert said[month("oct17")][0].startswith("Turn 1: British tanks")


@pytest.mark.parametrize(("die", "side"), [("5/8", False), ("25mm", True)])
def test_large_counters_turn_the_page_on_its_side(die: str, side: bool) -> None:
    chosen = wanted(GAME, die=die)
    calendar = chosen.course.calendar
    assert calendar and lies_on_its_side(chosen.look, calendar, chosen.area()) is side
    (card,) = CARDS["turn-track"](chosen)
    assert all((page.width > page.height) is side for page in card.pages)
    area = chosen.area(landscape=side)
    for page in card.pages:
        assert all(
            area.left <= box.x and box.x + box.width <= area.right + 1e-6 for box in boxes((page,), chosen.look.box)
        )

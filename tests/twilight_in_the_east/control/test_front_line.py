"""Front Lines: the foremost units, the hexes between them, what lies behind (4.3, 4.3.1)."""

from __future__ import annotations

import pytest

from assistant.game.boards import Board
from assistant.game.games import Game
from twilight_in_the_east.control.front_line import (
    Line,
    closed_to_line,
    controller,
    foremost,
    front_line,
    is_behind,
    middle,
    order_along_front,
)


@pytest.fixture
def board(twilight: Game) -> Board:
    return twilight.board("")


def test_who_is_screened_is_not_foremost(board: Board) -> None:
    """Columns count from the east, so the enemy in 40.20 is to the east of them."""
    enemies = {"40.20"}
    assert foremost({"42.20", "45.20"}, {"42.20", "45.20"}, enemies, board) == {"42.20"}
    assert foremost({"45.20"}, {"42.20", "45.20"}, enemies, board) == frozenset()
    assert foremost({"42.20", "42.24"}, {"42.20", "42.24"}, enemies, board) == {"42.20", "42.24"}
    two = {"40.20", "50.20"}  # equally near, and only one of them is screened off
    assert foremost({"45.20"}, {"42.20", "45.20"}, two, board) == {"45.20"}
    assert foremost({"42.20"}, {"42.20"}, enemies, board) == {"42.20"}
    beside = {"40.18", "40.21"}  # screened squarely from one, and partly from the other
    assert foremost({"44.20"}, {"44.20", "42.19"}, beside, board) == frozenset()


@pytest.mark.rule("4.3.1")
def test_the_line_joins_the_foremost_units_by_the_shortest_way(board: Board) -> None:
    def line(units: set[str], closed: set[str]) -> Line:
        return front_line(order_along_front(units, {"46.20"}, {"40.20"}, board), closed, board)

    assert line({"42.24", "42.20", "42.22"}, set()) == Line(
        ("42.20", "42.22", "42.24"),
        ("42.20", "42.21", "42.22", "42.23", "42.24"),
        (),
    )
    around = line({"42.20", "42.22"}, {"42.21"})
    assert around.hexes[0] == "42.20"
    assert around.hexes[-1] == "42.22"
    assert len(around.hexes) == 4
    assert "42.21" not in around.hexes
    assert line({"42.20"}, set()) == Line(("42.20",), ("42.20",), ())
    walled = line({"42.20", "42.24"}, set(board.neighbours("42.24")))
    assert walled == Line(("42.20", "42.24"), ("42.20", "42.24"), (("42.20", "42.24"),))


@pytest.mark.rule("4.3.1")
def test_the_line_keeps_out_of_enemies_and_of_what_lies_behind_them(board: Board) -> None:
    def closed(friends: set[str], zones: set[str]) -> frozenset[str]:
        return closed_to_line({"42.20": {"42.17"}}, friends, zones, board)

    assert closed(set(), set()) == {"42.17", "42.18", "42.19", "42.20"}
    assert closed({"42.18"}, {"42.19"}) == {"42.17", "42.20"}
    assert closed_to_line({"42.20": ()}, (), (), board) == {"42.20"}


def test_hexes_along_a_front_from_the_left(board: Board) -> None:
    assert order_along_front({"42.24", "42.20"}, {"46.22"}, {"38.22"}, board) == (
        "42.20",
        "42.24",
    )  # to the east: north is left
    assert order_along_front({"42.24", "42.20"}, {"38.22"}, {"46.22"}, board) == ("42.24", "42.20")
    ends = [board.centre(hex) for hex in ("42.20", "42.24")]
    assert middle(["42.20", "42.24"], board) == tuple(sum(both) / 2 for both in zip(*ends, strict=True))


def test_what_lies_behind_a_line(board: Board) -> None:
    line = tuple(f"42.{row}" for row in range(17, 25))

    def behind(hex: str) -> bool:
        return is_behind(hex, line, {"40.20"}, board)

    assert behind("44.20")
    assert not behind("42.20")  # on the line
    assert not behind("40.20")  # an enemy's
    assert not behind("39.20")  # beyond it
    assert not is_behind("44.20", line[:3], {"40.20"}, board)
    assert not is_behind("44.20", (), {"40.20"}, board)
    assert not is_behind("44.20", line, (), board)
    assert not is_behind("44.20", line, {"40.20", "48.20"}, board)


BEHIND = "it lies behind its Front Line"


@pytest.mark.rule("4.3")
def test_troops_come_before_all_and_the_record_before_a_line_but_by_ruling() -> None:
    for reading, before in (("recorded", ("central-powers", "as recorded")), ("front", ("russian", BEHIND))):
        assert controller("russian", "central-powers", "central-powers", reading) == (
            "russian",
            "its troops stand there",
        )
        assert controller("", "central-powers", "russian", reading) == before
        assert controller("", "central-powers", "", reading) == ("central-powers", "as recorded")
        assert controller("", "", "russian", reading) == ("russian", BEHIND)
        assert controller("", "", "", reading) == ("", "")

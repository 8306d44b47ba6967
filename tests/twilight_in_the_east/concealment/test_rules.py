"""What may be hidden, where and when, and what brings it to light, over plain values (chapter 26)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.game.games import Game
from twilight_in_the_east.concealment.rules import (
    Kind,
    Option,
    bar_of_option,
    enemies_who_see,
    hexes_between,
    points_beyond,
    points_forgiven,
)


@pytest.mark.rule("26.0")
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("cap", ["caps"]),
        ("formation", ["concealment"]),
        ("asset", ["caps", "concealment"]),
        ("dummy", ["caps", "concealment"]),
    ],
)
def test_each_is_used_only_with_its_own_option(twilight: Game, kind: Kind, options: list[Option]) -> None:
    every: tuple[Option, ...] = ("none", "caps", "concealment", "on-map")
    assert twilight.track("hidden-units").kind == "choice", "one word at a time, so that the options exclude each other"
    assert twilight.track("hidden-units").values == every
    assert [option for option in every if not bar_of_option(kind, option)] == options


HERE, ADJACENT, STRAIGHT, ASKEW, FAR = "40.20", "40.19", "40.18", "41.18", "40.17"
"""Hexes at one hex, at two with one or two hexes between, and at three."""


@pytest.mark.rule("26.1.1b", "26.1.2c")
def test_which_hexes_lie_between(twilight: Game) -> None:
    board = twilight.board("")
    assert [board.distance(HERE, hex) for hex in (ADJACENT, STRAIGHT, ASKEW, FAR)] == [1, 2, 2, 3]
    assert hexes_between(board, HERE, ADJACENT) == ()
    assert hexes_between(board, HERE, STRAIGHT) == ("40.19",)
    assert sorted(hexes_between(board, HERE, ASKEW)) == ["40.19", "41.19"]
    assert hexes_between(board, HERE, FAR) == ()


@pytest.mark.rule("26.1.1b", "26.1.2c")
@pytest.mark.parametrize(
    ("enemy", "friends", "cap", "dummy"),
    [
        (FAR, [], False, False),
        (STRAIGHT, [], True, True),
        (STRAIGHT, ["40.19"], False, False),
        (ASKEW, ["40.19"], False, True),
        (ASKEW, ["40.19", "41.19"], False, False),
        (ADJACENT, ["41.19", "39.19"], True, True),
        ("Bukowina Holding Box", [], False, False),
    ],
)
def test_an_enemy_within_two_hexes_sees_it_unless_friends_screen_it(
    twilight: Game, enemy: str, friends: list[str], cap: bool, dummy: bool
) -> None:
    board = twilight.board("")
    assert enemies_who_see(board, HERE, [enemy], friends, by_all=False) == ((enemy,) if cap else ())
    assert enemies_who_see(board, HERE, [enemy], friends, by_all=True) == ((enemy,) if dummy else ())


@pytest.mark.rule("26.2.5")
@pytest.mark.parametrize(
    ("left", "extra", "beyond"),
    [("0", "1", "1"), ("1/2", "1", "1/2"), ("1", "1", "0"), ("-1", "1", "0"), ("-1/2", "1", "0"), ("-1/2", "1/2", "0"), ("0", "2", "0"), ("1", "2", "1"), ("0", "0", "0"), ("3", "1", "0")],
)  # fmt: skip
def test_one_point_beyond_the_allowance_pays_for_a_zone_that_is_revealed(left: str, extra: str, beyond: str) -> None:
    assert points_beyond(Fraction(left), Fraction(extra)) == Fraction(beyond)


@pytest.mark.rule("26.2.5")
@pytest.mark.parametrize(
    ("left", "extra", "forgiven"),
    [("0", "5", "4"), ("2", "5", "2"), ("1/2", "5", "7/2"), ("4", "5", "0"), ("5", "5", "0"), ("0", "1", "0"), ("-1", "5", "4")],
)  # fmt: skip
def test_what_a_unit_need_not_spend_on_a_zone_that_is_revealed(left: str, extra: str, forgiven: str) -> None:
    assert points_forgiven(Fraction(left), Fraction(extra)) == Fraction(forgiven)

"""What may be hidden, where and when, and what brings it to light, over plain values (chapter 26)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.asking.case import list_bars
from assistant.asking.permission import holding
from assistant.game.games import Game
from twilight_in_the_east.concealment.question import Crest, NewDummy
from twilight_in_the_east.concealment.rules import (
    Counters,
    Kind,
    Lying,
    Option,
    Place,
    bar_of_option,
    bars_of_dummy_step,
    bars_of_intercepts,
    concealment_left,
    counters_of,
    enemies_who_see,
    hexes_between,
    is_screened,
    place_of_marker,
    points_beyond,
    points_forgiven,
    revealed_in_combat,
    stacks_to_reveal,
    status_marker,
    topmost_concealed,
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


@pytest.mark.rule("26.0")
def test_why_it_is_not_used_is_said() -> None:
    assert bar_of_option("cap", "concealment") == "a Stack Cap is not allowed: Hidden Movement (26.2) is in force"
    assert bar_of_option("dummy", "none") == "a dummy is not allowed: no optional rule of hidden units is in force"


@pytest.mark.rule("26.1")
@pytest.mark.parametrize(("stock", "caps", "dummies", "left"), [(9, 0, 0, 9), (9, 2, 3, 4), (2, 2, 1, -1)])
def test_a_marker_is_a_cap_or_a_dummy(stock: int, caps: int, dummies: int, left: int) -> None:
    assert concealment_left(stock, caps, dummies) == left


@pytest.mark.rule("26.1.1a", "26.2.2")
@pytest.mark.parametrize(
    ("nearest", "why"),
    [
        (None, ""),
        (4, ""),
        (3, ""),
        (2, "an enemy unit is 2 hexes away, and at least 3 are needed"),
        (1, "an enemy unit is 1 hex away, and at least 3 are needed"),
    ],
)
def test_three_hexes_from_any_enemy_unit_something_may_be_hidden(nearest: int | None, why: str) -> None:
    crest = Crest(kind="formation", option="concealment", why="", nearest=nearest)
    assert [step.text for step in list_bars(crest.bars)] == [why] * bool(why)


NO_FRIENDS = "a new dummy is placed only on top of friendly units"
NOT_CONCEALED = "under Hidden Movement a new dummy is placed only on top of concealed friendly units"


@pytest.mark.rule("26.1.2a", "26.2.3")
@pytest.mark.parametrize(
    ("friends", "concealed", "moved", "option", "bars"),
    [
        (["A"], [], [], "caps", []),
        ([], [], [], "caps", [NO_FRIENDS]),
        (
            ["A"],
            [],
            ["B", "C"],
            "caps",
            ["new dummies are placed before the side moves, and these units have moved: B, C"],
        ),
        (["A"], ["A"], [], "concealment", []),
        (["A"], [], [], "concealment", [NOT_CONCEALED]),
        ([], [], [], "concealment", [NO_FRIENDS]),
    ],
)
def test_where_and_when_a_new_dummy_is_placed(
    friends: list[str], concealed: list[str], moved: list[str], option: Option, bars: list[str]
) -> None:
    dummy = NewDummy(option=option, why="", left=None, moved=moved, friends=friends, concealed=concealed)
    assert [step.text for step in list_bars(dummy.bars)] == bars


@pytest.mark.rule("26.1.2b", "26.2.3a")
@pytest.mark.parametrize(
    ("option", "controlled", "near", "rule"),
    [
        ("caps", True, False, ""),
        ("caps", False, False, "26.1.2b"),
        ("caps", True, True, "26.1.2c"),
        ("caps", False, True, "26.1.2b"),
        ("concealment", True, False, ""),
        ("concealment", False, False, "26.2.3a"),
        ("concealment", True, True, "26.2.3a"),
    ],
)
def test_a_dummy_stays_in_controlled_hexes_away_from_enemies(
    option: Option, controlled: bool, near: bool, rule: str
) -> None:
    barred = holding(bars_of_dummy_step(option, controlled=controlled, next_to_enemy=near))
    assert (barred[0].rule if barred else "") == rule
    if barred:
        words = "moves adjacent to an enemy unit" if controlled else "enters only hexes that its side controls"
        assert barred[0].text.endswith(words)


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
    ("between", "friends", "cap", "dummy"),
    [
        (["P"], [], False, False),
        (["P"], ["P"], True, True),
        (["P", "Q"], ["P"], True, False),
        (["P", "Q"], ["P", "Q"], True, True),
        (["P", "Q"], ["R"], False, False),
        ([], ["P"], False, False),
    ],
)
def test_a_cap_needs_one_friend_between_and_a_dummy_one_in_each_hex(
    between: list[str], friends: list[str], cap: bool, dummy: bool
) -> None:
    assert is_screened(between, friends, by_all=False) is cap
    assert is_screened(between, friends, by_all=True) is dummy


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


STACK = (Lying("A", concealed=False), Lying("B", concealed=True), Lying("C", concealed=True, dummy=True))


@pytest.mark.rule("26.2.4")
def test_only_the_topmost_concealed_unit_of_a_stack_is_turned_over_by_contact() -> None:
    assert topmost_concealed(STACK) == STACK[1]
    assert topmost_concealed(STACK[:1]) is None


@pytest.mark.rule("26.2.4")
def test_all_concealed_units_and_dummies_are_turned_over_in_combat() -> None:
    assert revealed_in_combat(STACK) == STACK[1:]
    assert revealed_in_combat([Lying("D", concealed=False, dummy=True)]) != ()
    assert revealed_in_combat(STACK[:1]) == ()


@pytest.mark.rule("26.2.1")
def test_the_counters_of_a_concealed_formation_change_places() -> None:
    assert counters_of(concealed=False) == Counters("unit", "attachment marker", "unit", "attachment marker")
    assert counters_of(concealed=True) == Counters("attachment marker", "unit", "unit", "unit")


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


@pytest.mark.rule("26.2.7")
@pytest.mark.parametrize(
    ("turn", "option", "moved", "bars"),
    [
        (3, "concealment", [], []),
        (4, "concealment", [], []),
        (2, "concealment", [], ["Wireless Intercepts begin in GT 3"]),
        (3, "caps", [], ["Wireless Intercepts belong to Hidden Movement: Stack Caps (26.1) are in force"]),
        (3, "concealment", ["A", "B"], ["they are rolled for before any Central Powers unit moves, and these have moved: A, B"]),
    ],
)  # fmt: skip
def test_when_wireless_intercepts_are_rolled_for(turn: int, option: Option, moved: list[str], bars: list[str]) -> None:
    assert [*bars_of_intercepts(turn, option, moved)] == bars


@pytest.mark.rule("26.2.7")
@pytest.mark.parametrize(("die", "hidden", "stacks"), [(1, 3, 1), (3, 3, 3), (6, 3, 3), (6, 0, 0)])
def test_the_die_is_the_number_of_stacks(die: int, hidden: int, stacks: int) -> None:
    assert stacks_to_reveal(die, hidden) == stacks


@pytest.mark.rule("26.3.1")
@pytest.mark.parametrize(
    ("is_corps", "independent", "place"),
    [
        (True, False, "behind its Corps Train"),
        (True, True, "behind its Corps Train"),
        (False, False, "with its corps' Attachment marker"),
        (False, True, "with its army's marker"),
    ],
)
def test_where_attachment_markers_lie_without_displays(is_corps: bool, independent: bool, place: Place) -> None:
    assert place_of_marker(is_corps=is_corps, independent=independent) == place


@pytest.mark.rule("26.3.2")
@pytest.mark.parametrize(("levels", "marker"), [(0, 0), (1, 1), (3, 3), (4, 4), (5, 4)])
def test_which_step_reduction_marker_shows_a_status(levels: int, marker: int) -> None:
    """The example of 26.3.1: 4 for a Demoralized formation, none for one whose status is full."""
    assert status_marker(levels) == marker

"""Who commands when, and what that means, in plain values (25)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from twilight_in_the_east.leaders import khan
from twilight_in_the_east.leaders.combat import Led, leader_needs_army, rolls_of, shift_of
from twilight_in_the_east.leaders.command import (
    Leader,
    commands,
    every_leader,
    leader_named,
    turns_on_reading,
)

OPTIONAL = {leader.option for leader in every_leader() if leader.optional}
TENURE = pytest.mark.rule("25.0", "25.1", "25.6.1", "25.6.2")


@TENURE
@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("khan", 1, 16),
        ("prittwitz", 1, 47),
        ("rennenkampf", 1, 47),
        ("artamonov", 1, 11),
        ("blagoveshchenski", 1, 11),
        ("brusilov", 1, 9),
        ("francois", 1, 3),
        ("dankl", 1, 47),
        ("auffenberg", 1, 47),
        ("brudermann", 1, 47),
        ("francois-eighth", 24, 33),
    ],
)
def test_each_leader_commands_in_his_game_turns(name: str, first: int, last: int) -> None:
    turns = [turn for turn in range(1, 48) if commands(leader_named(name), turn, OPTIONAL, campaign=True)]
    assert (turns[0], turns[-1], len(turns)) == (first, last, last - first + 1)


@TENURE
def test_all_but_the_khan_are_optional_and_each_is_agreed_on_by_his_word() -> None:
    assert [leader.leader for leader in every_leader() if commands(leader, 2, ())] == ["khan"]
    assert [leader.leader for leader in every_leader() if commands(leader, 2, ("dankl",))] == ["khan", "dankl"]
    eighth = leader_named("francois-eighth")
    assert commands(eighth, 24, ("francois",), campaign=True)
    assert not commands(eighth, 24, ("francois",)), "in the Grand Campaign alone"
    assert not commands(eighth, 24, (), campaign=True)
    assert commands(leader_named("francois"), 1, ("francois",))


@TENURE
def test_the_reading_of_the_last_turn_is_that_of_two_leaders_in_gt_12() -> None:
    through = [
        leader.leader
        for leader in every_leader()
        if leader.last and commands(leader, leader.last + 1, OPTIONAL, campaign=True, reading="through")
    ]
    assert through == ["artamonov", "blagoveshchenski"]
    assert not commands(leader_named("artamonov"), 13, OPTIONAL, reading="through")
    assert not commands(leader_named("artamonov"), 12, OPTIONAL, reading="start")
    turns = [(leader.leader, turn) for leader in every_leader() for turn in range(48) if turns_on_reading(leader, turn)]
    assert turns == [("artamonov", 12), ("blagoveshchenski", 12)]


def unit(nation: str, corps: str = "", army: str = "", *, division: bool = True) -> Led:
    return Led(nation, corps, army, 2 if division else 0)


EIGHTH = unit("german", "17", "Eighth")


def test_an_army_that_is_not_stated_matters_where_all_else_fits() -> None:
    prittwitz, francois_first = leader_named("prittwitz"), leader_named("francois")
    unsaid = unit("german", "17")

    def asks(leader: Leader, *units: Led) -> bool:
        return leader_needs_army(leader, "attacker", units[0], units, "pair")

    assert asks(prittwitz, unsaid)
    assert not asks(prittwitz, EIGHTH)
    assert not asks(prittwitz, replace(unsaid, brigades=0))
    assert not asks(prittwitz, replace(unsaid, nation="russian"))
    assert not asks(francois_first, unit("german", "1")), "his is a corps"
    brigade = replace(unsaid, brigades=1)
    assert not asks(prittwitz, brigade), "it is too small"
    assert asks(prittwitz, brigade, brigade)
    assert asks(prittwitz, brigade, replace(EIGHTH, brigades=1))
    assert not asks(prittwitz, brigade, replace(EIGHTH, army="Ninth", brigades=1))
    assert not asks(prittwitz, unsaid, unit("german", "1", "Eighth")), "the 1st Corps is spared"


KHAN = pytest.mark.rule("25.1.1a")


@KHAN
def test_what_the_die_of_the_khan_means() -> None:
    assert [khan.khan_die(die) for die in range(1, 7)] == ["free", "free", "free", "free", "slowed", "halted"]
    ten = Fraction(10)
    assert [khan.allowance_after(ten, result) for result in ("", "free", "slowed", "halted")] == [10, 10, 5, 0]
    assert khan.allowance_after(Fraction(9, 2), "slowed") == Fraction(9, 4), "no fraction is rounded"
    assert [khan.march_after(6, result) for result in ("", "free", "slowed", "halted")] == [6, 6, 3, 0]
    assert khan.march_after(0, "slowed") == 0


@pytest.mark.rule("25.1.2")
def test_four_formations_stay_with_the_1st_cavalry_corps() -> None:
    for name in ("1 gdc", "2 gdc", "2 c", "3 c", "2 c/1 C"):
        assert khan.is_astray("russian", name, "")
        assert khan.is_astray("russian", name, "2 C")
        assert not khan.is_astray("russian", name, "1 C")
        assert not khan.is_astray("german", name, "")
    assert not khan.is_astray("russian", "4 c", "")


FIGHTING = pytest.mark.rule("25.2", "25.3", "25.4", "25.5", "25.6.1b", "25.7")


@FIGHTING
@pytest.mark.parametrize(
    ("name", "attacking", "defending", "drm"),
    [
        ("prittwitz", 0, 0, 2),
        ("rennenkampf", 0, 0, 2),
        ("artamonov", -1, 1, 2),
        ("blagoveshchenski", -1, 1, 2),
        ("brusilov", 1, -1, -1),
        ("francois", 2, -2, -2),
        ("dankl", 1, -1, 2),
        ("auffenberg", 1, -1, 2),
        ("brudermann", 1, -1, 2),
    ],
)
def test_the_columns_and_the_loss_roll(name: str, attacking: int, defending: int, drm: int) -> None:
    leader = leader_named(name)
    assert (shift_of(leader, "attacker"), shift_of(leader, "defender"), leader.drm) == (attacking, defending, drm)
    assert [rolls_of(leader, role, "own") for role in ("attacker", "defender")] == ["attacker", "defender"]  # type: ignore[arg-type]
    turned = leader.rule == "25.4"
    enemy = ["defender", "attacker"] if turned else ["attacker", "defender"]
    assert [rolls_of(leader, role, "enemy") for role in ("attacker", "defender")] == enemy  # type: ignore[arg-type]

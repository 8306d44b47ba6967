"""Who commands when, and what that means, in plain values (25)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from assistant.util.errors import InputError
from twilight_in_the_east.attachment.breaches import AssetOfEighth
from twilight_in_the_east.leaders import francois, khan
from twilight_in_the_east.leaders.combat import Led, does_lead, leader_needs_army, rolls_of, shift_of
from twilight_in_the_east.leaders.command import (
    Leader,
    check_uses,
    commands,
    count_uses,
    every_leader,
    leader_named,
    turns_on_reading,
    uses_left,
)

OPTIONAL = {leader.option for leader in every_leader() if leader.optional}
FIGHTING = pytest.mark.rule("25.2", "25.3", "25.4", "25.5", "25.6.1b", "25.7")
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
def test_the_reading_of_the_last_turn_is_that_of_two_leaders_alone() -> None:
    through = [
        leader.leader
        for leader in every_leader()
        if leader.last and commands(leader, leader.last + 1, OPTIONAL, campaign=True, reading="through")
    ]
    assert through == ["artamonov", "blagoveshchenski"]
    assert not commands(leader_named("artamonov"), 13, OPTIONAL, reading="through")
    assert not commands(leader_named("artamonov"), 12, OPTIONAL, reading="start")


@TENURE
def test_the_reading_matters_in_gt_12_alone() -> None:
    turns = [(leader.leader, turn) for leader in every_leader() for turn in range(48) if turns_on_reading(leader, turn)]
    assert turns == [("artamonov", 12), ("blagoveshchenski", 12)]


def test_uses_are_counted_and_run_out() -> None:
    brusilov, francois_first = leader_named("brusilov"), leader_named("francois")
    used = count_uses({"francois": 1}, [brusilov])
    assert used == {"francois": 1, "brusilov": 1}
    assert (uses_left(brusilov, used), uses_left(francois_first, used), uses_left(brusilov, {})) == (1, 0, 2)
    assert count_uses(used, [brusilov])["brusilov"] == 2
    assert uses_left(francois_first, {"francois": 3}) == 0
    assert check_uses({"brusilov": 2}) == {"brusilov": 2}
    with pytest.raises(InputError, match="'khan' is not a leader with uses"):
        check_uses({"khan": 1})
    with pytest.raises(InputError, match="brusilov has 2, not 3"):
        check_uses({"brusilov": 3})


def unit(nation: str, corps: str = "", army: str = "", *, division: bool = True) -> Led:
    return Led(nation, corps, army, 2 if division else 0)


EIGHTH = unit("german", "17", "Eighth")


@FIGHTING
@pytest.mark.parametrize(
    ("name", "fights", "led", "small"),
    [
        ("prittwitz", ("attacker",), EIGHTH, False),
        ("rennenkampf", ("defender",), unit("russian", "3", "First"), False),
        ("artamonov", ("defender",), unit("russian", "1", "Second"), True),
        ("blagoveshchenski", ("defender",), unit("russian", "6", "Second"), True),
        ("brusilov", ("attacker", "defender"), unit("russian", "7", "Eighth"), True),
        ("francois", ("attacker",), unit("german", "1", "Eighth"), True),
        ("dankl", ("defender",), unit("austro-hungarian", "1", "First"), False),
        ("auffenberg", ("defender",), unit("austro-hungarian", "2", "Fourth"), False),
        ("brudermann", ("defender",), unit("austro-hungarian", "3", "Third"), False),
    ],
)
def test_whose_units_bring_about_what_a_leader_means(name: str, fights: tuple[str, ...], led: Led, small: bool) -> None:
    leader, other = leader_named(name), unit("romanian", "99", "Ninth")
    for role in ("attacker", "defender"):
        assert does_lead(leader, role, [other, led], "pair") == (role in fights)  # type: ignore[arg-type]
    role = fights[0]
    assert does_lead(leader, role, [replace(led, brigades=0)], "pair") == small  # type: ignore[arg-type]
    assert not does_lead(leader, role, [replace(led, nation="romanian")], "pair")  # type: ignore[arg-type]
    assert not does_lead(leader, role, [replace(led, corps="98", army="Twelfth")], "pair")  # type: ignore[arg-type]
    assert not does_lead(leader, role, [], "pair")  # type: ignore[arg-type]


@FIGHTING
def test_prittwitz_spares_attacks_of_the_german_1st_corps_and_no_other_leader_spares_any() -> None:
    prittwitz = leader_named("prittwitz")
    assert not does_lead(prittwitz, "attacker", [EIGHTH, unit("german", "1", "Eighth", division=False)], "pair")
    assert does_lead(prittwitz, "attacker", [EIGHTH, unit("austro-hungarian", "1", "First")], "pair"), (
        "another nation's"
    )
    assert does_lead(prittwitz, "attacker", [EIGHTH, unit("german", "", "Eighth")], "pair")
    independent = unit("russian", "", "First")
    assert does_lead(leader_named("rennenkampf"), "defender", [independent], "pair"), "no corps is spared"
    assert [leader.leader for leader in every_leader() if leader.spares] == ["prittwitz"]


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


@FIGHTING
def test_two_brigades_of_his_army_make_a_division() -> None:
    prittwitz, brigade = leader_named("prittwitz"), replace(EIGHTH, brigades=1)
    other = replace(brigade, army="Ninth")
    assert does_lead(prittwitz, "attacker", [brigade, brigade], "pair")
    assert not does_lead(prittwitz, "attacker", [brigade, brigade], "division")
    assert not does_lead(prittwitz, "attacker", [brigade, other], "pair")
    assert not does_lead(prittwitz, "attacker", [brigade], "pair")
    assert does_lead(leader_named("brusilov"), "attacker", [unit("russian", "7", "Eighth", division=False)], "division")


@FIGHTING
def test_an_army_of_the_central_powers_has_units_of_both_nations() -> None:
    dankl, artamonov = leader_named("dankl"), leader_named("artamonov")
    assert does_lead(dankl, "defender", [unit("german", "3 LW", "First")], "pair")
    assert not does_lead(dankl, "defender", [unit("russian", "3", "First")], "pair")
    assert not does_lead(artamonov, "defender", [unit("german", "1", "Eighth")], "pair"), "a corps has one nation"
    assert not does_lead(leader_named("rennenkampf"), "defender", [unit("austro-hungarian", "1", "First")], "pair")
    assert not does_lead(leader_named("francois"), "attacker", [unit("austro-hungarian", "1", "First")], "pair")


KHAN = pytest.mark.rule("25.1.1a")


@pytest.mark.rule("25.1")
def test_the_khan_commands_the_russian_1st_cavalry_corps_up_to_gt_16() -> None:
    assert khan.commands_corps("russian", "1 C", 1) and khan.commands_corps("russian", "1 C", 16)
    assert not khan.commands_corps("russian", "1 C", 17)
    assert not khan.commands_corps("russian", "2 C", 1)
    assert not khan.commands_corps("german", "1 C", 1)


@KHAN
def test_divisions_and_brigades_of_cavalry_roll() -> None:
    assert khan.rolls("cavalry", "XX") and khan.rolls("cavalry", "X")
    assert not khan.rolls("cavalry", "III") and not khan.rolls("infantry", "XX") and not khan.rolls("artillery", "-")


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


@pytest.mark.rule("25.6.1a")
def test_what_the_die_of_the_1st_corps_means() -> None:
    assert [francois.francois_die(die) for die in range(1, 7)] == ["free"] * 5 + ["held"]
    assert francois.corps_ends_too_far(2, 3)
    assert not francois.corps_ends_too_far(2, 2) and not francois.corps_ends_too_far(2, 1)


@pytest.mark.rule("25.6.2a")
def test_asset_units_that_begin_a_turn_in_the_area_stay_in_it() -> None:
    area = {"41.19", "42.19"}
    assert francois.leaves_area(("42.19", "43.19"), area, began=True)
    assert francois.leaves_area(("43.19", "42.19"), area, began=True)
    assert not francois.leaves_area(("42.19",), area, began=True) and not francois.leaves_area((), area, began=True)
    assert not francois.leaves_area(("43.19",), area, began=False)

    def joins(army: str, *, commands: bool = True) -> bool:
        return bool(AssetOfEighth(about="guns", joined="1/1", army=army, francois_commands=commands).list_breaches())

    assert joins("central-powers Ninth")
    assert not joins("central-powers Ninth", commands=False)
    assert not joins("central-powers Eighth")
    assert not joins("")

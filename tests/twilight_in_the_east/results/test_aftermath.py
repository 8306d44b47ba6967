"""What follows the checks of a combat: who retreats by them, and the advance (11.3.2, 11.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from assistant.mechanics.procedure import Apart, Choice, Done
from twilight_in_the_east.combat.before_dice import Combat
from twilight_in_the_east.combat.pieces import Pieces, Toll
from twilight_in_the_east.displacement.in_combat import Displacing
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.results.aftermath import Advance, Aftermath, list_selections
from twilight_in_the_east.results.outcome import BattleOutcome, Obligation, Withdrawal

from ...conftest import viewed
from .conftest import division
from .test_resolution import combat, outcome_of, russian


def chosen(names: str, room: int, wished: str = "", barred: str = "") -> list[str]:
    """The selections of these units that are offered where a hex has room for so many, and not for one that is barred."""

    def fits(units: Sequence[CombatUnit]) -> bool:
        return len(units) <= room and all(unit.id not in barred for unit in units)

    return [
        "".join(unit.id for unit in units)
        for units in list_selections([division(name) for name in names], fits, wished)
    ]


@pytest.mark.rule("11.4.1")
def test_which_selections_of_units_may_advance() -> None:
    assert chosen("ABC", room=2) == ["AB", "AC", "BC", "A", "B", "C", ""]
    assert chosen("AB", room=0) == [""]
    assert len(chosen("ABCDEF", room=6)) == 2**6
    alone = list("ABCDEFG")
    assert chosen("ABCDEFG", room=2) == ["AB", *alone, ""]
    assert chosen("ABCDEFG", room=2, wished="G,C") == ["AB", *alone, "", "CG"]
    assert chosen("ABCDEFG", room=2, wished="A,C,G") == ["AB", *alone, ""], "more than the hex holds"
    assert chosen("ABCDEFG", room=2, barred="A") == ["BC", *alone[1:], ""]


Amounts = Mapping[str, int]
"""Hexes, by a Force; in lower case it is one of the attackers' in 40.20."""


def leaving(
    owed: Amounts, failed: Amounts | None = None, by_result: Amounts | None = None, *, lost: str = "", gone: str = ""
) -> list[tuple[str, dict[str, int]]]:
    """The stacks of defenders A and B, and of W that is withheld, which retreat by their checks, with the hexes of each Force.

    owed: by their checks; failed: what the checks of a stack have cost; by_result: hexes of a stack by the result; lost: the Forces
    that have lost their last step; gone: those that are off the map.
    """
    fight = combat([russian("r")], [division("A"), division("B")], withheld=(division("W"),))

    def place(force: str) -> str:
        return "40.20" if force == "r" else "41.19"

    after = BattleOutcome(
        obligations=tuple(Obligation(name, place(name), 1, hexes, 1 + hexes) for name, hexes in owed.items()),
        checks=tuple(
            msgspec.structs.replace(outcome_of("", name), place=place(name), retreat=hexes)
            for name, hexes in (failed or {}).items()
        ),
        retreats=tuple(
            Withdrawal("", place(name), place(name), "crt", hexes, (), (), ())
            for name, hexes in (by_result or {}).items()
        ),
    )
    toll = Toll(tuple((name, "") for name in gone), tuple((name, 10) for name in lost))
    return [(one.place, dict(one.hexes)) for one in Aftermath(fight, after).retreats_by_checks(toll, "defender")]


@pytest.mark.rule("11.3.2aa")
def test_whose_check_costs_no_hex_does_not_retreat_by_it() -> None:
    assert leaving({"A": 0, "B": 0}) == []
    assert leaving({"A": 0, "B": 2}) == [("41.19", {"B": 2})]


@pytest.mark.rule("10.1.5f")
def test_who_was_withheld_goes_along_if_all_others_leave() -> None:
    assert leaving({"B": 1}) == [("41.19", {"B": 1})], "A stays"
    assert leaving({"A": 2, "B": 1}) == [("41.19", {"A": 2, "B": 1, "W": 1})]
    assert leaving({"A": 2, "B": 1}, gone="W") == [("41.19", {"A": 2, "B": 1})], "W is gone itself"


@pytest.mark.rule("10.1.5f")
@pytest.mark.parametrize(
    ("failed", "by_result", "hexes"),
    [
        pytest.param({"A": 2, "B": 0}, {}, 2, id="the check of one of them"),
        pytest.param({"A": 0, "B": 0}, {}, 0, id="neither check"),
        pytest.param({"A": 0, "B": 0, "r": 2}, {}, 0, id="that of an attacker is not theirs"),
        pytest.param({"A": 2, "B": 0}, {"A": 1}, 0, id="by the result all have left the hex"),
        pytest.param({"A": 2, "B": 0}, {"r": 1}, 2, id="but not if the attackers have"),
    ],
)
def test_where_all_others_are_eliminated_their_checks_count(failed: Amounts, by_result: Amounts, hexes: int) -> None:
    assert leaving({}, failed, by_result, lost="AB") == ([("41.19", {"W": hexes})] if hexes else [])


def vacated(*units: CombatUnit, there: str = "") -> tuple[Combat, Toll]:
    """A combat whose only defender has left its hex, and its toll. there: who is in the hex besides."""
    stack = ", ".join(f"russian infantry III {unit.id}" for unit in units)
    pieces = Pieces(viewed(f"40.20: {stack}\n41.19 clear: german infantry XX A{there}\n41.19|40.20 open"))
    fight = combat([*units], [division("A")])
    return msgspec.structs.replace(fight, pieces=pieces), Toll(moved=(("A", "42.19"),), steps=(("A", 4), ("r0", 3)))


RIDERS = [russian(f"r{number}", size="III") for number in range(7)]


@pytest.mark.rule("10.2.1b", "11.4", "11.4.1", "11.4.2")
def test_the_advance_is_the_last_choice_and_says_what_each_side_has_lost_since_the_checks() -> None:
    fight, now = vacated(*RIDERS)
    after = BattleOutcome(places={"A": "42.19"}, way_losses={"A": 1, "r0": 2})
    follows = Aftermath(fight, after, "r5,r6")
    choice = follows.follow(Displacing(now, settled=True))
    assert isinstance(choice, Choice)
    assert (choice.name, choice.rule, choice.side) == ("advance", "11.4", "attacker")
    assert choice.notes == {"attacker.afterwards": 1, "defender.afterwards": 3}
    advanced = choice.options["r5,r6"]
    assert isinstance(advanced, Displacing)
    assert (advanced.advanced, dict(advanced.toll.moved)) == (
        ("r5", "r6"),
        {"A": "42.19", "r5": "41.19", "r6": "41.19"},
    )
    assert "r5,r6" not in Aftermath(fight, after).follow(Displacing(now, settled=True)).options  # type: ignore[union-attr]
    assert not advanced.settled, "others may have to make room for those who have advanced"
    assert follows.follow(Displacing(now, advanced=("r1",), settled=True)) == Done()


@pytest.mark.rule("11.4", "11.4.1", "11.4.2")
def test_who_may_advance_is_chosen_by_the_attacker_once_the_hex_is_empty() -> None:
    fight, now = vacated(*RIDERS)
    several, six = (Advance(vacated(*RIDERS[:number])[0], Displacing(now)).offer_advance() for number in (7, 6))
    text = "the units that advance into 41.19"
    assert isinstance(several, Choice)
    assert isinstance(six, Choice)
    assert (several.title, six.title) == (f"{text} (or others of them, joined by commas)", text)
    assert len(Advance(fight, Displacing(now)).may_advance()[0]) == 7
    stays = Displacing(msgspec.structs.replace(now, moved=()))
    assert Advance(fight, stays).offer_advance() == Apart({"": msgspec.structs.replace(stays, advanced=())})
    train, _ = vacated(*RIDERS, there=", german corps-train - T")
    assert Advance(train, Displacing(now)).may_advance() == ((), ())
    guns, _ = vacated(*RIDERS, there=", german artillery - g")
    assert Advance(guns, Displacing(now)).may_advance() == ((), ())

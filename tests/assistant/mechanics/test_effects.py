"""Results of a made-up table, carried out effect by effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations

import pytest

from assistant.mechanics.chances import chances
from assistant.mechanics.effects import DIE, Effects, Fought, Further, Result, combat_procedure, ways_to_pay
from assistant.mechanics.procedure import Choice, Done, Roll, Stuck, resolve

RESULTS = {
    "EX": Result("EX", "an exchange", ("attacker:all", "defender:one")),
    "DR": Result("DR", "a retreat", ()),
}


def ways(role: str, action: str, before: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """All of a side are lost at once; of the defender's two one is lost, by his choice, but for none if the attacker lost nobody."""
    if action == "all":
        return {"": ("A",)}
    return {name: (name,) for name in ("B", "C")} if before else {}


def effects(unknown: str = "") -> Effects[str]:
    return Effects(
        RESULTS,
        ways,
        {"one": "which unit the {} loses"},
        lambda fate: ("chart", (fate,)) if fate == unknown else None,
        lambda fought: {"rout": "how far they rout"} if fought.code == "DR" else {},
        choice_rule="3.1",
        die_rule="3.2",
    )


def combat(of: Effects[str] | None):  # type: ignore[no-untyped-def]
    roll = partial(Roll, "die", "3.0", "the table", DIE, {})
    return combat_procedure(roll, lambda die: "EX" if die <= 2 else "DR", of)


def test_effects_are_carried_out_up_to_a_choice_of_their_owner() -> None:
    pending = resolve(combat(effects()), "die", {"die": "1"}).pending
    (choice,) = pending
    assert isinstance(choice, Choice)
    assert (choice.name, choice.title, choice.rule) == ("defender.one", "EX: which unit the defender loses", "3.1")
    done = resolve(combat(effects()), "die", {"die": "1", "defender.one": "C"})
    assert done.trace[-1].situation == Fought("EX", 2, ("A", "C"))
    assert (done.pending, dict(done.notes)) == ([], {"outcome": "EX"})


def test_an_effect_that_concerns_nobody_is_passed_over() -> None:
    one = Effects({"D": Result("D", "", ("defender:one", "attacker:all"))}, ways, {}, *effects()[3:])
    assert one.carry_on(Fought("D")) == (Fought("D", 2, ("A",)), {})


def test_the_same_effect_twice_leaves_two_choices() -> None:
    """One answer does not settle both."""
    twice = effects()._replace(results={"EX": Result("EX", "", ("attacker:all", "defender:one", "defender:one"))})
    (choice,) = resolve(combat(twice), "die", {"die": "1", "defender.one": "C"}).pending
    assert isinstance(choice, Choice)
    assert choice.name == "defender.one.2"
    done = resolve(combat(twice), "die", {"die": "1", "defender.one": "C", "defender.one.2": "B"})
    assert done.trace[-1].situation == Fought("EX", 3, ("A", "C", "B"))


def test_dice_follow_a_result_each_for_itself_unless_a_chart_cell_is_unknown() -> None:
    (rout,) = resolve(combat(effects()), "die", {"die": "6"}).pending
    assert isinstance(rout, Roll)
    assert (rout.name, rout.title, rout.rule) == ("rout", "how far they rout", "3.2")
    assert dict(resolve(combat(effects()), "die", {"die": "6", "rout": "4"}).notes) == {"outcome": "DR", "rout": 4}
    (stuck,) = resolve(combat(effects(unknown="A")), "die", {"die": "2", "defender.one": "B"}).pending
    assert isinstance(stuck, Stuck)
    assert stuck.cell == ("chart", ("A",))
    roll = partial(Roll, "die", "3.0", "the table", DIE, {})
    procedure = combat_procedure(roll, lambda die: "DR" if die > 1 else ("crt", ("2:1", 1)), None)
    (pending,) = resolve(procedure, "die", {"die": "1"}).pending
    assert isinstance(pending, Stuck)
    assert (pending.cell, resolve(procedure, "die", {"die": "2"}).pending) == (("crt", ("2:1", 1)), [])


def test_the_die_alone_has_chances_without_knowing_who_fights() -> None:
    found = chances(combat(None), "die", lambda choice: next(iter(choice.options)))
    assert {one.value: one.chance.numerator for one in found.likelihoods("outcome")} == {"EX": 1, "DR": 2}


def test_nothing_else_is_a_situation_of_a_combat() -> None:
    assert combat(None)(Further("rout", "", 3)) == Done({"rout": 3})
    with pytest.raises(TypeError, match="is not a situation"):
        combat(effects())("luck")


@pytest.mark.parametrize("due", range(8))
def test_a_loss_is_paid_by_the_sets_from_which_nobody_can_be_spared(due: int) -> None:
    prices = {"A": 3, "B": 1, "C": 2, "D": 1, "Gun": 0}
    enough = [
        units
        for count in range(len(prices) + 1)
        for units in combinations(prices, count)
        if sum(prices[name] for name in units) >= due
    ]
    least = [units for units in enough if all(sum(prices[name] for name in units) - prices[one] < due for one in units)]
    ways = ways_to_pay(prices, due)
    assert {frozenset(units) for units in ways} == {frozenset(units) for units in least}
    assert len(ways) == len(least)
    paid = [sum(prices[name] for name in units) for units in ways]
    assert paid == sorted(paid)
    assert ways_to_pay({"A": 1, "Gun": 0, "B": 2}, 9) == [("B", "A")]

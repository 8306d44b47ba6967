"""Which units retreat together, and which ones a combat does not touch (10.1.5, 11.2.1)."""

from __future__ import annotations

import msgspec
import pytest

from assistant.mechanics.procedure import Choice
from twilight_in_the_east.combat.before_dice import Combat
from twilight_in_the_east.combat.pieces import Pieces, Toll
from twilight_in_the_east.forces.units import CombatUnit, Force
from twilight_in_the_east.results.retreats import (
    RetreatDuty,
    Retreats,
    UnitsInHex,
    next_in_retreats,
)

from ....conftest import viewed
from ..conftest import GUNS, asset, division
from ..test_resolution import combat, russian

ALLY = msgspec.structs.replace(GUNS, id="ally", nation="austro-hungarian")


def forces_of(fight: Combat, place: str = "41.19") -> dict[str, list[str]]:
    role = "defender" if place == "41.19" else "attacker"
    return {name: [unit.id for unit in force.units] for name, force in UnitsInHex(fight, role, place).forces.items()}


def guns(name: str, with_: str = "", **more: object) -> CombatUnit:
    return msgspec.structs.replace(GUNS, id=name, with_=with_, **more)


@pytest.mark.rule("11.2.1a", "10.1.5f")
def test_who_stands_beside_a_combat_goes_with_its_formation() -> None:
    fighting = [division("A"), division("B"), asset("a", with_="B")]
    idle, withheld = (guns("g", "A"), ALLY), (asset("w", with_="W"), division("W"), asset("b", with_="B"))
    fight = combat([russian()], fighting, idle=idle, withheld=withheld)
    assert forces_of(fight) == {"A": ["A", "g"], "B": ["B", "a", "b"], "W": ["W", "w"], "ally": ["ally"]}
    assert UnitsInHex(fight, "defender", "41.19").along == {"W", "ally"}


@pytest.mark.rule("11.2.1a")
def test_assets_without_a_formation_make_one_force() -> None:
    lone = combat([russian()], [asset("a")], idle=(ALLY, guns("g")))
    assert forces_of(lone) == {"a": ["a", "ally", "g"]}
    beside = combat([russian()], [division("A")], idle=(ALLY, msgspec.structs.replace(ALLY, id="ally2")))
    assert forces_of(beside) == {"A": ["A"], "ally": ["ally", "ally2"]}


ATTACKERS = """40.20: russian infantry XX R (9-9-0-9), russian infantry XX Out (9-9-0-9), russian artillery - g (1-?-3-?), russian artillery - h (1-?-3-?)
40.19: russian infantry XX S (9-9-0-9), russian artillery - far (1-?-3-?)
41.19: german infantry XX A (9-9-0-9)"""


@pytest.mark.rule("10.1.5e")
def test_artillery_of_attackers_who_stay_out_stays_with_them() -> None:
    own, other, alien, far = (
        guns(name, with_, nation=nation, place=place)
        for name, with_, nation, place in (
            ("g", "R", "russian", "40.20"),
            ("h", "Out", "russian", "40.20"),
            ("k", "", "german", "40.20"),
            ("far", "Out", "german", "40.19"),
        )
    )
    fight = combat([russian("R"), russian("S", place="40.19")], [division("A")], idle=(own, other, alien, far))

    def beside(fight: Combat, place: str) -> list[str]:
        return [unit.id for unit in UnitsInHex(fight, "attacker", place).beside]

    assert beside(fight, "40.20") == ["g", "h", "k"], "nobody is known to stay out"
    known = msgspec.structs.replace(fight, pieces=Pieces(viewed(ATTACKERS)))
    assert beside(known, "40.20") == ["g"]
    assert beside(known, "40.19") == ["far"], "in another hex"
    attackers = [*fight.engagement.attackers, asset("x", nation="german", place="40.20")]
    attackers.append(division("P", place="40.19"))
    more = combat(attackers, [division("A")], idle=(own, other, alien, far))
    assert beside(msgspec.structs.replace(more, pieces=known.pieces), "40.20") == ["g"], "k has no formation there"


@pytest.mark.rule("8.5.3", "11.2.5c")
def test_steps_lost_before_a_retreat_do_not_count_twice_among_those_that_its_way_costs() -> None:
    """A Repulse has cost the Asset Unit one of five steps, two hexes in EZOCs cost three: one is left."""
    enemy = "40.18: russian infantry XX R\n41.18|41.19,40.18,41.17 open\n41.17|40.18 open\n"
    pieces = Pieces(viewed(f"{enemy}41.18,41.17 clear\n41.19: german infantry III a"))
    pushed = asset("a", steps=5)
    fight = msgspec.structs.replace(combat([russian()], [pushed]), pieces=pieces)
    moving = RetreatDuty(
        "defender", "41.19", "41.19", (("a", 2),), pushed_forces=(Force("a", (pushed,)),), answer_name="repulsed"
    )
    begun = Retreats("repulse", (moving,), Toll(steps=(("a", 1),)), None, way=("41.18", "41.17"))
    arrived = next_in_retreats(fight, begun).parts[""]  # type: ignore[union-attr]
    assert isinstance(arrived, Retreats) and arrived.stage == "arrived"
    others = next_in_retreats(fight, arrived).parts[""]  # type: ignore[union-attr]
    choice = next_in_retreats(fight, others)
    assert isinstance(choice, Choice)
    assert choice.title == "3 steps that the retreat costs a"
    (after,) = choice.options.values()
    assert isinstance(after, Retreats)
    assert (dict(after.toll.steps), dict(after.toll.moved)) == ({"a": 4}, {"a": "41.17"})

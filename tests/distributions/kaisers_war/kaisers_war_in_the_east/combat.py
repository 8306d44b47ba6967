"""Who fights, the strengths, the percentage column and the die of a battle (14.4 to 14.14)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Annotated, Any, Literal

import msgspec

from assistant.field import side_of
from assistant.mechanics.chances import Likelihood
from assistant.mechanics.odds import Bands
from assistant.mechanics.procedure import Dice, Done, LookUp, Node, Roll, Situation, Stuck
from assistant.questions import InputError, Parameters, PlaceName, Step, UnitName, View, note, step
from assistant.questions.what_if import NextColumn

from .ground import between, field

COLUMNS = Bands(
    (0, 50, 100, 150, 200, 300, 400, 500, 600),
    ("<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"),
)
RETREATS = {"AD": "attacker", "DD": "defender", "MD": "defender", "DP": "defender"}
"""Who retreats by a result (14.14)."""


class BattleParameters(Parameters, frozen=True):
    """An attack on one hex."""

    at: Annotated[PlaceName, note("the defending hex")]
    from_: Annotated[tuple[PlaceName, ...], note("attacking hexes, all next to it if left out")] = msgspec.field(
        default=(), name="from"
    )
    withhold: Annotated[tuple[UnitName, ...], note("attackers that stay out")] = ()
    supplied: Annotated[tuple[UnitName, ...], note("attackers with Maximum Attack Supply")] = ()
    table: Annotated[Literal["standard", "shock"], note("the Combat Results Table")] = "standard"


class Fighter(msgspec.Struct, frozen=True):
    """A unit in a battle, with its printed factors."""

    id: Annotated[str, note("its id")]
    nation: Annotated[str, note("its nation")]
    kind: Annotated[str, note("its kind")]
    place: Annotated[str, note("its hex")]
    attack: Annotated[int, note("attack factor")]
    defence: Annotated[int, note("defence factor")]
    shock: Annotated[bool, note("whether it is shock-capable")]


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """A battle."""

    at: Annotated[str, note("the defending hex")]
    attackers: Annotated[tuple[Fighter, ...], note("the attackers")]
    attack: Annotated[int, note("attack strength")]
    defence: Annotated[int, note("defence strength")]
    concentric: Annotated[bool, note("whether all six hexes around are covered")]
    doubled: Annotated[str, note("what doubles the defence, empty for nothing")]
    percent: Annotated[int, note("attack in whole percents of the defence, the fraction dropped (14.13)")]
    column: Annotated[str, note("percentage column")]
    near: Annotated[NextColumn | None, note("how near other columns are, null once the die is thrown")] = None
    without: Annotated[dict[str, str], note("the column without a unit")] = {}
    chances: Annotated[tuple[Likelihood, ...], note("the results, each with its chance")] = ()
    outcome: Annotated[str, note("the result of the die, empty before it")] = ""
    retreats: Annotated[str, note("the side that the result makes retreat")] = ""


def multiplier(supplied: bool, concentric: bool) -> int:
    """How often an attack factor counts: doubled by one bonus, tripled by both. Rule: 14.8, 14.9"""
    return 1 + supplied + concentric


def refusals(attackers: Collection[Fighter], table: str) -> Iterator[Step]:
    """What forbids an attack: no attack factor, two nations, no unit for the Shock table. Rule: 14.4, 14.10, 14.12"""
    for unit in attackers:
        if unit.attack < 1:
            yield step("14.4", "{id} has no attack factor", unit)
    nations = sorted({unit.nation for unit in attackers})
    if len(nations) > 1:
        yield step("14.10", "units of different nations cannot attack together: {nations}", nations=nations)
    if table == "shock" and not any(unit.shock for unit in attackers):
        yield step("14.12", "the Shock table takes a shock-capable unit")


def engage(view: View, parameters: BattleParameters) -> Battle:
    """The battle described. Raises InputError for a hex without defenders or attackers. Rule: 14.4, 14.8, 14.11, 14.13"""
    at = parameters.at
    with view.gather() as facts:
        here = view.stack(at)
        if not here:
            raise InputError(f"nothing defends {at}", hint="place the defender there, or name another hex")
        side = side_of(facts, here[0])
        near = [unit for place in parameters.from_ or view.board.neighbours(at) for unit in view.stack(place)]
        enemies = [unit for unit in near if side_of(facts, unit) != side and unit.id not in parameters.withhold]
        attacking = [unit for unit in enemies if facts.word("kind", unit.id) not in ("fortress", "supply")]
        if not attacking:
            raise InputError(f"nothing can attack {at}", hint="place the attackers, or withhold fewer")
        attackers, defenders = (
            tuple(facts.record(Fighter, unit.id, id=unit.id, place=unit.place) for unit in units)
            for units in (attacking, here)
        )
        places = {unit.place for unit in attackers}
        covered = field(facts).zone_of(side_of(facts, attacking[0]), places) | places
        fortress = any(unit.kind == "fortress" for unit in defenders)
        concentric = not fortress and covered.issuperset(view.board.neighbours(at))
        terrain = facts.word("terrain", at)
        doubled = terrain if terrain and facts.cell("terrain-effects", terrain).values["defence"] == 2 else ""
        if not doubled and all({"river", "lake"} & between(facts, place, at).lies for place in places):
            doubled = "water hexsides"
    attack = sum(unit.attack * multiplier(unit.id in parameters.supplied, concentric) for unit in attackers)
    defence = sum(unit.defence for unit in defenders) * (2 if doubled else 1)
    percent = 100 * attack // defence
    strengths: dict[str, Any] = {
        "attack": attack,
        "defence": defence,
        "percent": percent,
        "column": COLUMNS.of(percent),
    }
    return Battle(at=at, attackers=attackers, concentric=concentric, doubled=doubled, **strengths)


def throw(table: str, column: str, look_up: LookUp) -> Callable[[Situation], Node]:
    """The procedure of a battle: one die on the chosen table. Rule: 14.3, 14.13"""

    def node(die: Situation) -> Node:
        if not isinstance(die, int):
            return Roll("die", "14.13", f"{table} Combat Results Table, {column} %", Dice(1, 6), {}, int)
        cell = look_up(table, column, die)
        if cell is None:
            return Stuck((table, (column, die)))
        code = str(cell.values["result"])
        return Done({"outcome": code, "retreats": RETREATS.get(code, "nobody")})

    return node

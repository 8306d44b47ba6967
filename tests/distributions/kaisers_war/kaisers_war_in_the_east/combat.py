"""Strengths, percentage column and results of a battle (14.4 to 14.14)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from assistant.mechanics.odds import Bands
from assistant.mechanics.procedure import Dice, Done, Node, Roll, Situation, Stuck
from assistant.questions.report import Step, step
from assistant.state.state import Cell

COLUMNS = Bands(
    (0, 50, 100, 150, 200, 300, 400, 500, 600),
    ("<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"),
)
RETREATS = {"AD": "attacker", "DD": "defender", "MD": "defender", "DP": "defender"}
"""Who retreats by a result (14.14)."""


class Fighter(NamedTuple):
    """A unit in a battle, with its printed factors. supplied: whether it has Maximum Attack Supply."""

    id: str
    nation: str
    kind: str
    place: str
    attack: int
    defence: int
    shock: bool = False
    supplied: bool = False


class Odds(NamedTuple):
    """How a battle stands before the die. bonus: how often attack factors count; doubled: why the defence is, "" if not."""

    attack: int
    defence: int
    concentric: bool
    doubled: str

    @property
    def percent(self) -> int:
        """The attack in whole percents of the defence, the fraction dropped.

        Rule: 14.13
        """
        return 100 * self.attack // self.defence

    @property
    def column(self) -> str:
        """The column of the Combat Results Tables.

        Rule: 14.13
        """
        return COLUMNS.of(self.percent)


def multiplier(supplied: bool, concentric: bool) -> int:
    """How often a factor counts: doubled by one bonus, tripled by both.

    Rule: 14.8, 14.9
    """
    return 1 + supplied + concentric


def odds(attackers: Iterable[Fighter], defenders: Iterable[Fighter], concentric: bool, doubled: str) -> Odds:
    """Both strengths; nothing more than doubles a defence.

    Rule: 14.8, 14.9, 14.11
    """
    attack = sum(unit.attack * multiplier(unit.supplied, concentric) for unit in attackers)
    return Odds(attack, sum(unit.defence for unit in defenders) * (2 if doubled else 1), concentric, doubled)


def refusals(attackers: Collection[Fighter], table: str) -> Iterator[Step]:
    """What forbids an attack: units without an attack factor, units of two nations, the Shock table without a shock-capable unit.

    Rule: 14.4, 14.10, 14.12
    """
    for unit in attackers:
        if unit.attack < 1:
            yield step("14.4", "{id} has no attack factor", unit)
    nations = sorted({unit.nation for unit in attackers})
    if len(nations) > 1:
        yield step("14.10", "units of different nations cannot attack together: {nations}", nations=nations)
    if table == "shock" and not any(unit.shock for unit in attackers):
        yield step("14.12", "the Shock table takes a shock-capable unit")


class Thrown(NamedTuple):
    """The die has been thrown."""

    die: int


def battle(table: str, column: str, look_up: Callable[..., Cell | None]) -> Callable[[Situation], Node]:
    """The procedure of a battle: one die on the chosen table.

    Rule: 14.3, 14.13
    """

    def node(situation: Situation) -> Node:
        if not isinstance(situation, Thrown):
            return Roll("die", "14.13", f"{table} Combat Results Table, {column} %", Dice(1, 6), {}, Thrown)
        cell = look_up(table, column, situation.die)
        if cell is None:
            return Stuck((table, (column, situation.die)))
        code = str(cell.values["result"])
        return Done({"result": code, "retreats": RETREATS.get(code, "nobody")})

    return node

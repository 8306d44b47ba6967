"""The questions `battle`, `attacks` and `need` of a game whose combats are odds, rounded down, in a column of a chart, and
one die with DRMs.

The chart has two keys, odds and a die, and a field `result`; it may be one that only the owner has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar

from ..mechanics.odds import OddsColumns, up
from ..mechanics.procedure import Modifier
from ..questions.question import Question
from ..questions.report import Part, Step
from ..questions.view import View
from ..questions.what_if import NextColumn
from ..util.notes import note
from .attacks import AttackNumbers, AttackRules, Plan, attack_questions, no_places
from .battle import (
    Attack,
    B,
    BattleNumbers,
    BattleRules,
    Combats,
    Described,
    Fight,
    Fighting,
    Following,
    P,
    Sensitivity,
    battle_question,
    chart_table,
    odds_columns,
)


class Attacker(Protocol):
    """A unit that attacks."""

    @property
    def unit(self) -> str:
        """Its name."""

    @property
    def place(self) -> str:
        """Its hex."""

    @property
    def strength(self) -> int:
        """What it counts in the combat."""


class OddsCombat(Fighting, Protocol):
    """A combat before the die."""

    @property
    def side(self) -> str:
        """The side that attacks."""

    @property
    def attackers(self) -> Sequence[Attacker]:
        """The units that attack."""

    @property
    def attack(self) -> int:
        """Their strength."""

    @property
    def defence(self) -> int:
        """The strength of the defence; 0 counts as 1."""

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """What modifies the die."""


O = TypeVar("O", bound=OddsCombat)  # noqa: E741  # beside the B and the P of a battle


class OddsRules(NamedTuple, Generic[B, P, O]):
    """The combats of a game. Its parameters name the units that do not attack in `withhold`."""

    parameters: Annotated[type[P], note("the parameters of `battle`")]
    result: Annotated[type[B], note("the type of its result")]
    engage: Annotated[Callable[[View, P], O], note("the combat that a player describes")]
    refusals: Annotated[Callable[[View, P, O], Sequence[Step]], note("every reason why it is not allowed")]
    chart: Annotated[Callable[[O], str], note("the chart of its results")]
    parts: Annotated[Callable[[O], Sequence[Part]], note("the strengths and the column in words")]
    fight: Annotated[Callable[[View, O], Fight], note("what the results do")]
    attack_on: Annotated[Callable[[str], P], note("the attack of all units that can on a hex")]
    rules: BattleNumbers
    following: Following = Following()
    places: Annotated[
        Callable[[View, str], Iterable[str]], note("hexes without units that a side can attack, such as fortresses")
    ] = no_places


def column_of(view: View, chart: str, attack: int, defence: int) -> str:
    """The column of two strengths in a chart, within the ends that its owner has told; a defence of 0 counts as 1.

    Raises InputError for an attack without strength.
    """
    return str(odds_columns(view, chart).of(attack, max(defence, 1)))


def odds_questions(title: str, rules: OddsRules[B, P, O], answers: Mapping[str, str]) -> tuple[Question[Any, Any], ...]:
    """The three questions. title: what `battle` answers; answers: its die and its choices, with their meaning."""
    combats = Combats(rules.engage, rules.refusals)

    def read(view: View, asked: P) -> Attack[O]:
        combat = rules.engage(view, asked)
        name = view.title_of(combat.side)
        table = chart_table(view, rules.chart(combat), combat.column, combat.modifiers, name=name)
        return Attack(combat, [table], rules.parts(combat), rules.refusals(view, asked, combat))

    def weigh_changes(view: View, asked: P, combat: O) -> Sensitivity:
        columns = odds_columns(view, rules.chart(combat))
        near = near_columns(columns, max(combat.attack, 1), max(combat.defence, 1))
        units = [unit.unit for unit in combat.attackers if unit.strength]
        return Sensitivity(near, combats.columns_without(view, asked, units), ())

    return (
        battle_question(
            title,
            rules.parameters,
            BattleRules(
                result=rules.result,
                read=read,
                sensitivity=weigh_changes,
                fight=lambda view, asked, combat, code: rules.fight(view, combat),
                where=lambda combat: [unit.place for unit in combat.attackers],
                rules=rules.rules,
                following=rules.following,
            ),
            answers,
        ),
        *attack_questions(
            AttackRules(
                OddsColumns(),
                lambda view, at: combats.attack(view, rules.attack_on(at)),
                plan_of,
                weakest_first,
                combats.without,
                AttackNumbers(attack=rules.rules.table, column=rules.rules.table),
                rules.places,
            )
        ),
    )


def near_columns(columns: OddsColumns, attack: int, defence: int) -> NextColumn:
    """How near two strengths, both at least 1, are to other columns."""
    now = columns.of(attack, defence)
    least = 1 if now == columns.first else up(now.strength(defence))
    if now == columns.last:
        return NextColumn(None, "", attack - least)
    more = up(now.shifted(1).strength(defence)) - attack
    return NextColumn(more, str(columns.of(attack + more, defence)), attack - least)


def plan_of(attack: Described[P, O]) -> Plan:
    """An attack as plain values."""
    combat = attack.combat
    drm = sum(modifier.amount for modifier in combat.modifiers)
    return Plan(
        attackers=tuple(unit.unit for unit in combat.attackers),
        attack=combat.attack,
        defence=combat.defence,
        column=combat.column,
        remarks=(f"die {drm:+}",) if drm else (),
    )


def weakest_first(attack: Described[P, O]) -> list[str]:
    """The units of an attack, those first that add least to it."""
    return [unit.unit for unit in sorted(attack.combat.attackers, key=lambda unit: (unit.strength, unit.unit))]

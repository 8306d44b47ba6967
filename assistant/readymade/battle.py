"""The question `battle` of a game whose combats are one die in a column of a table with results in letters: chances
before the die, and after it what the result does, who retreats and who may pursue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from ..field.attacks_shown import attacks_shown
from ..mechanics.chances import Likelihood
from ..mechanics.effects import DIE as ONE_DIE
from ..mechanics.effects import Effects, Fought, combat_procedure
from ..mechanics.procedure import AnswerError, Procedure, Roll
from ..pictures.usual import of_combat
from ..questions.permission import holding, refused
from ..questions.play import Play, play
from ..questions.question import Answers, Question
from ..questions.report import Part, Report, Step, Verdict, step, verdict
from ..questions.view import View
from ..questions.what_if import NextColumn, brief_changes, next_column_step
from ..state.changes import AnyChange
from ..state.vocabulary import UnitId
from ..util.errors import InputError
from ..util.notes import note

DIE = "die"
"""The name of the die."""


class Help(msgspec.Struct, frozen=True):
    """A unit that would help an attack."""

    unit: UnitId
    attack: Annotated[int, note("strength of the attack with the unit")]
    column: Annotated[str, note("the column with the unit")]


class Sensitivity(NamedTuple):
    """What would change a combat before its die."""

    near: Annotated[NextColumn, note("how near other columns are")]
    without: Annotated[Mapping[str, str], note("the column without a unit")]
    helps: Annotated[Sequence[Help], note("the units that would help")]


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """An attack: its chances before the die, and its result after it; who fights, and what becomes of units, is in the
    fields `combat` and `lost` that a game adds.
    """

    table: Annotated[str, note("the Combat Results Table")]
    near: Annotated[NextColumn | None, note("how near other columns are, null once the die is rolled")] = None
    without: Annotated[dict[str, str], note("the column without a unit")] = {}
    helps: Annotated[tuple[Help, ...], note("units that would help")] = ()
    chances: Annotated[tuple[Likelihood, ...], note("the results on the table, each with its chance")] = ()
    other: Annotated[tuple[Likelihood, ...], note("the results on the other table, if that may be chosen")] = ()
    outcome: Annotated[str, note("the result of the die, empty until rolled")] = ""
    meaning: Annotated[str, note("the result in words")] = ""
    retreats: Annotated[str, note("the side that retreats, attacker or defender; empty if neither does")] = ""
    retreating: Annotated[tuple[str, ...], note("who retreats; the parts of a unit as X:1, X:2")] = ()
    hexes: Annotated[int, note("hexes of retreat, 0 for none or where each unit rolls a die")] = 0
    panic: Annotated[dict[str, int], note("hexes that each unit retreats by its own die, as rolled")] = {}
    pursues: Annotated[str, note("the side that may pursue, attacker or defender; empty if neither does")] = ""
    pursuit: Annotated[int, note("hexes of pursuit")] = 0


class Fighting(Protocol):
    """A combat before the die."""

    @property
    def at(self) -> str:
        """The hex that is attacked."""

    @property
    def column(self) -> str:
        """The column of the table."""


B = TypeVar("B", bound=Battle)
P = TypeVar("P", bound=msgspec.Struct)
C = TypeVar("C", bound=Fighting)


class Table(NamedTuple):
    """A table that a combat may be fought on."""

    name: str
    title: Annotated[str, note("title of the roll on the table")]
    code: Annotated[Callable[[int], str], note("the result of a die")]


class Attack(NamedTuple, Generic[C]):
    """A combat as the rules of a game read it."""

    combat: C
    tables: Annotated[Sequence[Table], note("the table chosen, then any that may be chosen instead")]
    parts: Annotated[Sequence[Part], note("the strengths and the column in words")]
    reasons: Annotated[Sequence[Step], note("why the attack is not allowed, empty if it is")] = ()


class Settled(NamedTuple):
    """What a result has led to. `ending` tells what else is to be said of its changes."""

    lost: Annotated[tuple[Any, ...], note("what becomes of units, in the game's own types")]
    losses: Annotated[Sequence[Step], note("what becomes of units, in words")]
    retreating: Annotated[tuple[str, ...], note("who retreats")]
    pursues: Annotated[bool, note("whether anyone may pursue")]
    changes: Annotated[Callable[[], Iterable[AnyChange]], note("what the result changes in the position")]
    ending: Callable[[Sequence[AnyChange]], Iterable[Step]] = lambda changes: ()


class Fight(NamedTuple):
    """A combat once its die is thrown."""

    effects: Annotated[Effects[Any], note("what its results do")]
    settled: Annotated[
        Callable[[Fought[Any]], Settled], note("what a result has led to once its effects are carried out")
    ]


class BattleRules(NamedTuple, Generic[B, P, C]):
    """The combats of a game.

    The other fields are the numbers of rules.
    """

    result: Annotated[type[B], note("the type of the report's result")]
    read: Annotated[Callable[[View, P], Attack[C]], note("the combat that a player describes")]
    sensitivity: Annotated[Callable[[View, P, C], Sensitivity], note("what would change the column")]
    fight: Annotated[Callable[[View, P, C, str], Fight], note("what a result needs, by its code")]
    where: Annotated[Callable[[C], Iterable[str]], note("the hexes from which the attack is made")]
    die_rule: str
    table_rule: str
    other_table_rule: str
    help_rule: str
    result_rule: str
    retreat_rule: str
    panic_rule: str
    pursuit_rule: str


def battle_question(
    title: str, parameters: type[P], rules: BattleRules[B, P, C], answers: Mapping[str, str]
) -> Question[P, B]:
    """The question of a game. title: what it answers; answers: the rolls and choices, the die among them, with their
    meaning.
    """

    def hexes(result: Any) -> tuple[str, Iterable[str]]:
        return result.combat.at, rules.where(result.combat)

    return Question(
        name="battle",
        title=title,
        parameters=parameters,
        result=rules.result,
        answer=partial(answer_battle, rules),
        answers=answers,
        picture=of_combat(hexes),
        openings=attacks_shown,
    )


def answer_battle(rules: BattleRules[B, P, C], view: View, parameters: P, answers: Answers) -> Report[B]:
    """The report on an attack. Raises MissingFacts and InputError as the game does, AnswerError for an answer that is
    not due.
    """
    attack = rules.read(view, parameters)
    combat, (table, *others) = attack.combat, attack.tables
    title = f"Attack on {combat.at} from {', '.join(dict.fromkeys(rules.where(combat)))}"
    if attack.reasons:
        return refused(title, "this attack is not allowed", attack.reasons)
    if answers and DIE not in answers:
        early = InputError("no roll or choice of that name is due", hint="give the die first: answers die=N")
        raise AnswerError(next(iter(answers)), early)
    played = play(view, procedure(rules, table), DIE, {name: die for name, die in answers.items() if name == DIE})
    made: Callable[..., B] = rules.result
    result = made(combat=combat, table=table.name)
    parts = list(attack.parts)
    changes = tuple[AnyChange, ...]()
    if answers:
        fight = rules.fight(view, parameters, combat, str(played.settled.get("outcome", "")))
        played = play(view, procedure(rules, table, fight.effects), DIE, answers)
        played.refuse_unreached()
        result, settled = read_outcome(result, fight, played)
        changes = tuple(settled.changes()) if settled and not played.asks else ()
        parts.append(result_part(rules, result, combat, settled, changes))
    else:
        near, without, helps = rules.sensitivity(view, parameters, combat)
        every = [play(view, procedure(rules, each), DIE, {}).chances for each in attack.tables]
        first, *rest = [chances.likelihoods("outcome") if chances else () for chances in every]
        result = replace(result, near=near, without=dict(without), helps=tuple(helps), chances=first)
        result = replace(result, other=rest[0] if rest else ())
        parts += [chances_part(rules, result, others), change_part(rules, result, combat.column)]
    line = word_verdict(combat, result, played)
    return Report(title=title, verdict=line, parts=tuple(parts), asks=played.asks, changes=changes, result=result)


def procedure(rules: BattleRules[B, P, C], table: Table, effects: Effects[Any] | None = None) -> Procedure:
    """A combat from its die on; without effects the die alone, as what follows from it needs more facts."""
    return combat_procedure(partial(Roll, DIE, rules.die_rule, table.title, ONE_DIE, {}), table.code, effects)


def read_outcome(battle: B, fight: Fight, played: Play) -> tuple[B, Settled | None]:
    """What the answers lead to: the battle, and what its result has led to once all but its further dice is settled."""
    trace = [taken.situation for taken in played.resolution.trace if isinstance(taken.situation, Fought)]
    last, _ = fight.effects.carry_on(trace[-1])
    result = fight.effects.results[last.code]
    dice = fight.effects.further(last)
    battle = replace(battle, outcome=last.code, meaning=result.meaning)
    if played.stuck or any(ask.name not in dice for ask in played.asks):
        return battle, None
    settled = fight.settled(last)
    rolled = {name.partition(".")[2]: int(played.settled[name]) for name in dice if name in played.settled}
    battle = replace(
        battle,
        lost=settled.lost,
        retreats=result.retreats if settled.retreating else "",
        retreating=settled.retreating,
        hexes=1 if settled.retreating and not dice else 0,
        panic=rolled,
        pursues=result.pursues if settled.pursues else "",
        pursuit=result.pursuit if settled.pursues else 0,
    )
    return battle, settled


def word_verdict(combat: Fighting, battle: Battle, played: Play) -> Verdict:
    """The column before the die, and its result after it."""
    if not battle.outcome:
        return verdict("figure", "column {column} of the {table} table; roll {dice}", combat, battle, dice="1d6")
    if played.asks:
        text = "{outcome}, {meaning}: {due:#answer} due"
        return verdict("undecided" if played.stuck else "figure", text, battle, due=len(played.asks))
    text = "{outcome}, {meaning}; " + ("the {retreats} retreats" if battle.retreats else "no retreat")
    text += "; the {pursues} may pursue {pursuit:#hex}" if battle.pursues else "; no pursuit"
    return verdict("figure", text, battle)


def chances_part(rules: BattleRules[B, P, C], battle: B, others: Sequence[Table]) -> Part:
    """The results and their chances, on the other table too if it may be chosen."""
    steps = [step(rules.table_rule, "{table}: {chances}", battle)]
    if battle.other:
        steps.append(step(rules.other_table_rule, "{table}: {chances}", table=others[0].name, chances=battle.other))
    return Part("Chances", tuple(steps))


def change_part(rules: BattleRules[B, P, C], battle: B, now: str) -> Part:
    """What would change the column. now: the present one."""
    table = rules.table_rule
    steps = [next_column_step(table, battle.near)] if battle.near else []
    without = "without {unit}: column {column}"
    steps += [step(table, without, unit=unit, column=column) for unit, column in battle.without.items()]
    steps += [step(rules.help_rule, "with {unit}: {attack}, column {column}", helper) for helper in battle.helps]
    others = {f"without {unit}": column for unit, column in battle.without.items()}
    others |= {f"with {helper.unit}": helper.column for helper in battle.helps}
    return Part("What would change it", tuple(steps), brief_changes(battle.near, others, now))


def result_part(
    rules: BattleRules[B, P, C], battle: B, combat: C, settled: Settled | None, changes: Sequence[AnyChange]
) -> Part:
    """The result in words, effect by effect. settled: what it has led to, None while choices are due; changes: what it
    changes.
    """
    pursuit = "the {pursues} may pursue {pursuit:#hex} (ask pursue)"
    retreat = "the {retreats} retreats {hexes:#hex} (ask retreat): {retreating}"
    clauses = [
        (battle.hexes, rules.retreat_rule, retreat),
        (battle.pursues == "attacker", rules.pursuit_rule, pursuit + ", into {at} first"),
        (battle.pursues == "defender", rules.pursuit_rule, pursuit + ", into a hex from which it was attacked"),
    ]
    panic = "{unit} retreats {hexes:#hex} in panic (ask retreat)"
    steps = [
        step(rules.result_rule, "{outcome}: {meaning}", battle),
        *(settled.losses if settled else ()),
        *(step(rules.panic_rule, panic, unit=unit, hexes=hexes) for unit, hexes in battle.panic.items()),
        *holding(clauses, battle, combat),
        *(settled.ending(changes) if settled else ()),
    ]
    return Part("Result", tuple(steps))

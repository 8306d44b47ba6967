"""The question `battle` of a game whose combats are one die in a column of a table with results in letters: chances before the die, and after
it what the result does, who retreats and who may pursue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from ..field.attacks_shown import attacks_shown
from ..mechanics.chances import Likelihood
from ..mechanics.effects import Effects, Fought, Result
from ..mechanics.procedure import AnswerError, Choice, Procedure, Roll
from ..pictures.usual import of_combat
from ..questions.permission import holding, refused
from ..questions.play import Play, play, refuse_others
from ..questions.question import Answers, Question
from ..questions.report import Part, Report, Step, Verdict, step, verdict
from ..questions.view import View
from ..questions.what_if import NextColumn, brief_changes, next_column_step
from ..state.changes import AnyChange
from ..util.errors import InputError
from ..util.notes import note

DIE = "die"
"""The name of the die."""


class Help(msgspec.Struct, frozen=True):
    """A unit that would help an attack."""

    unit: Annotated[str, note("its id")]
    attack: Annotated[int, note("strength of the attack with it")]
    column: Annotated[str, note("the column with it")]


class Before(NamedTuple):
    """What would change a combat before its die. near: how near other columns are; without: the column without a unit; helps: the units that
    would help."""

    near: NextColumn
    without: Mapping[str, str]
    helps: Sequence[Help]


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """An attack: its chances before the die, and its result after it; who fights, and what becomes of units, is in the fields `combat` and
    `lost` that a game adds."""

    table: Annotated[str, note("the Combat Results Table")]
    near: Annotated[NextColumn | None, note("how near other columns are, null once the die is thrown")] = None
    without: Annotated[dict[str, str], note("the column without a unit")] = {}
    helps: Annotated[tuple[Help, ...], note("units that would help")] = ()
    chances: Annotated[tuple[Likelihood, ...], note("the results on the table, each with its chance")] = ()
    other: Annotated[tuple[Likelihood, ...], note("the results on the other table, if that may be chosen")] = ()
    outcome: Annotated[str, note("the result of the die, empty before it")] = ""
    meaning: Annotated[str, note("the result in words")] = ""
    retreats: Annotated[str, note("the side that retreats, attacker or defender; empty if neither does")] = ""
    retreating: Annotated[tuple[str, ...], note("who retreats; the parts of a unit as X:1, X:2")] = ()
    hexes: Annotated[int, note("hexes of retreat, 0 for none and where each unit has a die")] = 0
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


class Settled(NamedTuple):
    """What a result has led to. lost: what becomes of units, as the game has it; retreating: who retreats; pursues: whether somebody may
    pursue; changes: what it changes in the position; ending: what else is to be said of these changes."""

    lost: tuple[Any, ...]
    retreating: tuple[str, ...]
    pursues: bool
    changes: Callable[[], Iterable[AnyChange]]
    ending: Callable[[Sequence[AnyChange]], Iterable[Step]] = lambda changes: ()


class Fight(NamedTuple):
    """A combat once its die is thrown. effects: what its results do; settled: what one has led to once all of it is."""

    effects: Effects[Any]
    settled: Callable[[Fought[Any]], Settled]


class BattleRules(NamedTuple, Generic[B, P, C]):
    """The combats of a game.

    result: the type of what is told; engage: the combat that a player describes; refusals: why it is not allowed; parts: its strengths and
    column in words; tables: the table that is chosen and those that may be chosen instead; procedure: from the die on, with what results do
    if that is known; before: what would change it; fight: what its result needs, by its code; results: by code; loss: what becomes of a unit,
    in a line; where: the hexes from which it is attacked; rules: of the table, the other table, help, results, retreats, dice for retreats, and
    pursuit.
    """

    result: type[B]
    engage: Callable[[View, P], C]
    refusals: Callable[[View, P, C], Sequence[Step]]
    parts: Callable[[C], Iterable[Part]]
    tables: Callable[[P, C], Sequence[str]]
    procedure: Callable[[View, C, str, Effects[Any] | None], Procedure]
    before: Callable[[View, P, C], Before]
    fight: Callable[[View, P, C, str], Fight]
    results: Mapping[str, Result]
    loss: Callable[[Any], Step]
    where: Callable[[C], Iterable[str]]
    rules: tuple[str, str, str, str, str, str, str]


def battle_question(
    title: str, parameters: type[P], rules: BattleRules[B, P, C], answers: Mapping[str, str]
) -> Question[P, B]:
    """The question of a game. title: what it answers; answers: the rolls and choices, the die among them, with their meaning."""

    def answer(view: View, asked: P, answered: Answers) -> Report[B]:
        return battle(rules, view, asked, answered)

    def hexes(result: Any) -> tuple[str, Iterable[str]]:
        return result.combat.at, rules.where(result.combat)

    return Question(
        name="battle",
        title=title,
        parameters=parameters,
        result=rules.result,
        answer=answer,
        answers=answers,
        picture=of_combat(hexes),
        openings=attacks_shown,
    )


def battle(rules: BattleRules[B, P, C], view: View, parameters: P, answers: Answers) -> Report[B]:
    """The report on an attack. Raises MissingFacts and InputError as the game does, AnswerError for an answer that is not due."""
    combat = rules.engage(view, parameters)
    title = f"Attack on {combat.at} from {', '.join(dict.fromkeys(rules.where(combat)))}"
    if reasons := rules.refusals(view, parameters, combat):
        return refused(title, "this attack is not allowed", reasons)
    if answers and DIE not in answers:
        early = InputError("no roll or choice of that name is due", hint="give the die first: answers die=N")
        raise AnswerError(next(iter(answers)), early)
    table, *others = rules.tables(parameters, combat)
    thrown = {name: value for name, value in answers.items() if name == DIE}
    played = play(view, rules.procedure(view, combat, table, None), DIE, thrown)
    made: Callable[..., B] = rules.result
    found, parts, changes = made(combat=combat, table=table), list(rules.parts(combat)), tuple[AnyChange, ...]()
    if answers:
        fight = rules.fight(view, parameters, combat, str(played.settled.get("outcome", "")))
        played = play(view, rules.procedure(view, combat, table, fight.effects), DIE, answers)
        if not played.stuck:
            refuse_others(answers, (*reached(played), *(ask.name for ask in played.asks)))
        found, changes, ending = fought(rules, found, fight, played)
        parts.append(result_part(rules, found, combat, ending))
    else:
        near, without, helps = rules.before(view, parameters, combat)
        chances = [play(view, rules.procedure(view, combat, one, None), DIE, {}).chances for one in (table, *others)]
        first, *rest = [one.likelihoods("outcome") if one else () for one in chances]
        told = {"chances": first, "other": rest[0] if rest else ()}
        found = replace(found, near=near, without=dict(without), helps=tuple(helps), **told)
        parts += [chances_part(rules, found, others), change_part(rules, found, combat.column)]
    said = in_a_line(combat, found, played)
    return Report(title=title, verdict=said, parts=tuple(parts), asks=played.asks, changes=changes, result=found)


def reached(played: Play) -> list[str]:
    """The names of the rolls and choices to which the answers lead."""
    return [taken.node.name for taken in played.resolution.trace if isinstance(taken.node, Roll | Choice)]


def fought(
    rules: BattleRules[B, P, C], found: B, fight: Fight, played: Play
) -> tuple[B, tuple[AnyChange, ...], tuple[Step, ...]]:
    """What the answers lead to: the battle, what changes in the position once all is settled, and what is to be said of that."""
    trace = [taken.situation for taken in played.resolution.trace if isinstance(taken.situation, Fought)]
    last, _ = fight.effects.carried_on(trace[-1])
    result, dice = rules.results[last.code], fight.effects.further(last)
    found = replace(found, outcome=last.code, meaning=result.meaning)
    if played.stuck or any(ask.name not in dice for ask in played.asks):
        return found, (), ()
    settled = fight.settled(last)
    rolled = {name.partition(".")[2]: int(played.settled[name]) for name in dice if name in played.settled}
    found = replace(
        found,
        lost=settled.lost,
        retreats=result.retreats if settled.retreating else "",
        retreating=settled.retreating,
        hexes=1 if settled.retreating and not dice else 0,
        panic=rolled,
        pursues=result.pursues if settled.pursues else "",
        pursuit=result.pursuit if settled.pursues else 0,
    )
    changes = () if played.asks else tuple(settled.changes())
    return found, changes, tuple(settled.ending(changes))


def in_a_line(combat: Fighting, found: Battle, played: Play) -> Verdict:
    """The column before the die, and its result after it."""
    if not found.outcome:
        return verdict("figure", "column {column} of the {table} table; roll {dice}", combat, found, dice="1d6")
    if played.asks:
        text = "{outcome}, {meaning}: {due:#answer} due"
        return verdict("undecided" if played.stuck else "figure", text, found, due=len(played.asks))
    text = "{outcome}, {meaning}; " + ("the {retreats} retreats" if found.retreats else "no retreat")
    text += "; the {pursues} may pursue {pursuit:#hex}" if found.pursues else "; no pursuit"
    return verdict("figure", text, found)


def chances_part(rules: BattleRules[B, P, C], found: B, others: Sequence[str]) -> Part:
    """The results and their chances, on the other table too if it may be chosen."""
    table, other, *_ = rules.rules
    steps = [step(table, "{table}: {chances}", found)]
    if found.other:
        steps.append(step(other, "{table}: {chances}", table=others[0], chances=found.other))
    return Part("Chances", tuple(steps))


def change_part(rules: BattleRules[B, P, C], found: B, now: str) -> Part:
    """What would change the column. now: the present one."""
    table, _, helping, *_ = rules.rules
    steps = [next_column_step(table, found.near)] if found.near else []
    without = "without {unit}: column {column}"
    steps += [step(table, without, unit=unit, column=column) for unit, column in found.without.items()]
    steps += [step(helping, "with {unit}: {attack}, column {column}", one) for one in found.helps]
    others = {f"without {unit}": column for unit, column in found.without.items()}
    others |= {f"with {one.unit}": one.column for one in found.helps}
    return Part("What would change it", tuple(steps), brief_changes(found.near, others, now))


def result_part(rules: BattleRules[B, P, C], found: Any, combat: C, ending: Sequence[Step]) -> Part:
    """The result in words, effect by effect. ending: what is said of all that it changes."""
    *_, results, retreats, dice, pursuits = rules.rules
    clauses = [
        (found.hexes, retreats, "the {retreats} retreats {hexes:#hex} (question retreat): {retreating}"),
        (found.pursues == "attacker", pursuits, PURSUIT + ", into {at} first"),
        (found.pursues == "defender", pursuits, PURSUIT + ", into a hex from which it was attacked"),
    ]

    def steps() -> Iterator[Step]:
        yield step(results, "{outcome}: {meaning}", found)
        yield from map(rules.loss, getattr(found, "lost", ()))
        text = "{unit} retreats {hexes:#hex} in panic (question retreat)"
        yield from (step(dice, text, unit=unit, hexes=hexes) for unit, hexes in found.panic.items())
        yield from holding(clauses, found, combat)
        yield from ending

    return Part("Result", tuple(steps()))


PURSUIT = "the {pursues} may pursue {pursuit:#hex} (question pursue)"

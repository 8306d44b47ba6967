"""The question `battle` of a game whose combats are decided by one die in a column of a table of letters.

Before the die it gives the chances, after it the effects of the result, who retreats and who may pursue. If only the
owner has the table, the cells needed are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial, reduce
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from ..asking.asks import Ask
from ..asking.messages import SAY
from ..asking.permission import holding, refused
from ..asking.play import Play, play_procedure
from ..asking.question import Answers, Fights, Question
from ..asking.report import MissingFacts, Part, Report, Step, Verdict, as_sentence, step, verdict
from ..asking.sketch import Remark
from ..asking.view import View
from ..asking.what_if import NextColumn, format_changes_in_brief, make_next_column_step, toggle_unit, what_if
from ..asking.wording import sentence_case
from ..installed.registry import questions_of
from ..mechanics.chances import Likelihood
from ..mechanics.effects import DIE as ONE_DIE
from ..mechanics.effects import Effects, Fought, combat_procedure
from ..mechanics.odds import OddsColumns
from ..mechanics.procedure import AnswerError, Modifier, Procedure, Roll
from ..state.changes import AnyChange
from ..state.state import CellKey
from ..state.vocabulary import UnitId
from ..util.console import format_count
from ..util.errors import InputError
from ..util.memo import Memo
from ..util.notes import note
from .field.attack_signs import attacks_shown
from .owed_retreats import owe_retreat
from .sketches import CombatPicture, format_die, of_combat, side_at

DIE = "die"
"""The name of the die in the answers."""


class Help(msgspec.Struct, frozen=True):
    """A unit that would help the attack."""

    unit: UnitId
    attack: Annotated[int, note("strength of the attack with the unit")]
    column: Annotated[str, note("the column with the unit")]


class Sensitivity(NamedTuple):
    """The changes in a combat before its die that would change the column."""

    near: Annotated[NextColumn, note("the distance to other columns")]
    without: Annotated[Mapping[str, str], note("the column without each unit")]
    helps: Annotated[Sequence[Help], note("the units that would help")]


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """An attack: its chances before the die, and its result after it.

    A game adds the fields `combat`, for the units that fight, and `lost`, for the fates of units.
    """

    table: Annotated[str, note("the Combat Results Table")]
    near: Annotated[NextColumn | None, note("how near other columns are, null once the die is rolled")] = None
    without: Annotated[dict[str, str], note("the column without a unit")] = {}
    helps: Annotated[tuple[Help, ...], note("units that would help")] = ()
    chances: Annotated[tuple[Likelihood, ...], note("the results on the table, each with its chance")] = ()
    other: Annotated[tuple[Likelihood, ...], note("the results on the other table, if that may be chosen")] = ()
    die: Annotated[int | None, note("the number rolled, null until then")] = None
    drm: Annotated[int, note("the sum of the DRMs on the die")] = 0
    outcome: Annotated[str, note("the combat result, empty until the die is rolled")] = ""
    meaning: Annotated[str, note("the result in words")] = ""
    retreats: Annotated[str, note("the side that retreats, attacker or defender; empty if neither does")] = ""
    retreating: Annotated[tuple[str, ...], note("who retreats; the parts of a unit as X:1, X:2")] = ()
    hexes: Annotated[int, note("hexes of retreat, 0 for none or where each unit rolls a die")] = 0
    panic: Annotated[dict[str, int], note("hexes that each unit retreats by its own die, as rolled")] = {}
    pursues: Annotated[str, note("the side that may pursue, attacker or defender; empty if neither does")] = ""
    pursuit: Annotated[int, note("hexes of pursuit, 0 for none or where the result does not limit them")] = 0


class Fighting(Protocol):
    """A combat before the die."""

    @property
    def at(self) -> str | tuple[str, ...]:
        """The attacked hex or hexes."""

    @property
    def column(self) -> str:
        """The column of the table."""


B = TypeVar("B", bound=Battle)
P = TypeVar("P", bound=msgspec.Struct)
C = TypeVar("C", bound=Fighting)


class DescribedCombat(NamedTuple, Generic[P, C]):
    """The parameters of an attack, and the combat that they describe."""

    asked: P
    combat: C


class Combats(NamedTuple, Generic[P, C]):
    """The rules by which a game reads a combat. Units in the parameter `withhold` do not attack."""

    engage: Annotated[Callable[[View, P], C], note("returns the combat as asked")]
    refusals: Annotated[
        Callable[[View, P, C], Sequence[Step]], note("returns every reason why the combat is not allowed")
    ]

    def attack(self, view: View, asked: P) -> Iterator[DescribedCombat[P, C]]:
        """Yield the attack, or nothing if the rules forbid it.

        Raises MissingFacts and InputError as the game does.
        """
        combat = self.engage(view, asked)
        if not self.refusals(view, asked, combat):
            yield DescribedCombat(asked, combat)

    def allowed(self, view: View, asked: P) -> DescribedCombat[P, C] | None:
        """Return the attack, or None if it is forbidden or facts are missing.

        Facts read for it do not count as read.
        """
        try:
            return next(self.attack(view.quiet_view(), asked), None)
        except (InputError, MissingFacts):
            return None

    def without(self, view: View, attack: DescribedCombat[P, C], units: Iterable[str]) -> DescribedCombat[P, C] | None:
        """Return the attack without some of its units, or None if that is not allowed."""
        left = reduce(lambda asked, unit: toggle_unit(asked, "withhold", unit), units, attack.asked)
        return self.allowed(view, left)

    def columns_without(self, view: View, asked: P, units: Iterable[str]) -> dict[str, str]:
        """Return the column of a combat without each of the units."""
        return what_if(view, asked, "withhold", units, lambda other, less, unit: self.engage(other, less).column)


class CombatTable(NamedTuple):
    """A table on which a combat may be fought."""

    name: str
    title: Annotated[str, note("title of the roll on the table")]
    code: Annotated[
        Callable[[int], str | CellKey],
        note("returns the result of a modified die, or the chart cell that has it"),
    ]
    modifiers: Annotated[tuple[Modifier, ...], note("the DRMs")] = ()
    unknown_end: Annotated[str, note("the unknown end, first or last, beyond which the column may lie")] = ""

    @property
    def drm(self) -> int:
        """The sum of the table's DRMs."""
        return sum(modifier.amount for modifier in self.modifiers)


def chart_table(
    view: View, chart: str, column: str, modifiers: tuple[Modifier, ...] = (), *, name: str = "", title: str = ""
) -> CombatTable:
    """Return the table of a chart whose keys are a column and a die and whose cells have a field `result`.

    `name`: the table's name in reports, by default that of the chart.
    `title`: the title of the roll, by default that of the chart with the column.
    """

    def code(die: int) -> str | CellKey:
        cell = view.cell(chart, column, die)
        return str(cell.values["result"]) if cell else (chart, view.cell_key(chart, column, die))

    return CombatTable(name or chart, title or f"{view.game.chart(chart).title}, {column}", code, modifiers)


class Attack(NamedTuple, Generic[C]):
    """A combat as the rules of a game read it."""

    combat: C
    tables: Annotated[Sequence[CombatTable], note("the table chosen, then any that may be chosen instead")]
    parts: Annotated[Sequence[Part], note("the strengths and the column in words")]
    reasons: Annotated[Sequence[Step], note("the reasons why the attack is not allowed")] = ()
    due: Annotated[Sequence[Step], note("the attacker's further duties because of the attack")] = ()


class Settled(NamedTuple):
    """The consequences of a result."""

    lost: Annotated[tuple[Any, ...], note("the fates of units, in the game's own types")]
    losses: Annotated[Sequence[Step], note("the fates of units, in words")]
    retreating: Annotated[tuple[str, ...], note("the units that retreat")]
    pursues: Annotated[bool, note("whether anyone may pursue")]
    changes: Annotated[Callable[[], Iterable[AnyChange]], note("returns the changes by the result")]


class Fight(NamedTuple):
    """A combat after its die."""

    effects: Annotated[Effects[Any], note("the effects of the combat's results")]
    settled: Annotated[
        Callable[[Fought[Any]], Settled], note("returns the consequences of a result once its effects are carried out")
    ]


class BattleNumbers(NamedTuple):
    """The numbers of the rules named in a report on a combat."""

    die: Annotated[str, note("the rule of the roll, named with the die and the sum of its DRMs")]
    table: Annotated[str, note("the rule of the odds, named with the column, its shifts and chances")]
    result: Annotated[str, note("the rule of results, named with the result and the cost of an exchange")]
    retreat: Annotated[str, note("the rule of the length of retreats")]
    pursuit: Annotated[str, note("the rule of pursuit")]
    panic: Annotated[str, note("the rule of units that each retreat by a separate die")] = ""
    other_table: Annotated[str, note("the rule of a table that may be chosen instead, named with its chances")] = ""
    help: Annotated[str, note("the rule of units that would help the attack")] = ""


class Following(NamedTuple):
    """A game's words for pursuing a beaten enemy, such as an advance."""

    verb: Annotated[str, note("the verb, which names the question too")] = "pursue"
    noun: str = "pursuit"


class BattleRules(NamedTuple, Generic[B, P, C]):
    """A game's rules of combat."""

    result: Annotated[type[B], note("the type of the report's result")]
    read: Annotated[Callable[[View, P], Attack[C]], note("returns the combat that a player describes")]
    sensitivity: Annotated[Callable[[View, P, C], Sensitivity], note("returns what would change the column")]
    fight: Annotated[Callable[[View, P, C, str], Fight], note("returns the fight of a combat whose result has a code")]
    where: Annotated[Callable[[C], Iterable[str]], note("returns the hexes from which the attack is made")]
    who: Annotated[Callable[[C], tuple[list[str], list[str]]], note("returns the attacking and the defending units")]
    rules: BattleNumbers
    following: Following = Following()
    owes: Annotated[
        str, note('the track with the number of hexes that a unit must retreat, or "" if the game has none')
    ] = ""
    shown: Annotated[
        Callable[[C], CombatPicture] | None,
        note("returns the contents of the picture; only hexes and arrows if left out"),
    ] = None


def odds_columns(view: View, chart: str) -> OddsColumns:
    """Return the odds columns of a chart whose first key is odds.

    They are its `values`, or all columns between the ends that its cells show.

    Raises InputError if a column is not odds.
    """
    return view.game.chart(chart).keys[0].columns(view.ends(chart)[0])


def battle_question(
    title: str, parameters: type[P], rules: BattleRules[B, P, C], answers: Mapping[str, str]
) -> Question[P, B]:
    """Return the question `battle` of a game.

    `answers`: the rolls and choices with their meanings, including the die.
    """

    def shown(view: View, report: Report[Any]) -> CombatPicture:
        battle = report.shown
        combat = report.shown.combat
        if rules.shown is None:
            places = [*rules.where(combat)]
            at = dict.fromkeys(_list_targets(combat), "")
            return CombatPicture(dict.fromkeys(places, ""), at, side_at(view, *places))
        assault = rules.shown(combat)
        last = f"column of the {battle.table} table", battle.combat.column
        causes = (*assault.causes, *_list_retreat_remarks(view, battle, combat.at))
        return assault._replace(
            odds=(*assault.odds, last), outcome=tuple(_list_outcome_links(rules, battle)), causes=causes
        )

    return Question(
        name="battle",
        title=title,
        parameters=parameters,
        result=rules.result,
        answer=partial(_answer_battle, rules),
        decide=partial(_answer_battle, rules, whole=False),
        answers=answers,
        sketch=of_combat(shown),
        openings=attacks_shown,
        shows=(Fights(),),
    )


def _list_retreat_remarks(view: View, battle: Battle, at: str | Sequence[str]) -> Iterator[Remark]:
    units_by_hexes = dict[tuple[str, int], list[str]]()
    for name in battle.retreating:
        unit = view.state.units.get(name)
        place = (unit.place if unit else None) or (at if isinstance(at, str) else at[0])
        if hexes := battle.panic.get(name, battle.hexes):
            units_by_hexes.setdefault((place, hexes), []).append(name)
    several = len({place for place, _ in units_by_hexes}) < len(units_by_hexes)
    for (place, hexes), names in units_by_hexes.items():
        who = f"{', '.join(names)}: " if several else ""
        yield Remark(where=place, text=f"{who}retreats {format_count(hexes, 'hex', 'hexes')}")


def _list_outcome_links(rules: BattleRules[B, P, C], battle: B) -> Iterator[tuple[str, str]]:
    if not battle.outcome:
        return
    if battle.die is not None:
        yield "die", format_die(battle.die, battle.drm)
    yield "result", f"{battle.outcome}: {battle.meaning}"
    distance = f" {format_count(battle.hexes, 'hex', 'hexes')}" if battle.hexes else ""
    yield "retreats", f"the {battle.retreats}{distance}" if battle.retreats else "nobody"
    limit = f" {format_count(battle.pursuit, 'hex', 'hexes')}" if battle.pursuit else ""
    yield f"may {rules.following.verb}", f"the {battle.pursues}{limit}" if battle.pursues else "nobody"


class _Asked(NamedTuple):
    attack: Attack[Any]
    fights: Callable[[str], Fight]
    """A function that returns the combat after its die for the code of a result, from a cache."""


_ATTACKS: Memo[tuple[View, BattleRules[Any, Any, Any], str], _Asked] = Memo()
"""The attacks read, by view, rules and `repr` of the parameters, which may not be hashable."""


def _read_attack(rules: BattleRules[B, P, C], view: View, parameters: P) -> _Asked:
    """Return the attack that a player describes, read once for all questions about it."""

    def read() -> _Asked:
        attack = rules.read(view, parameters)
        return _Asked(attack, cache(partial(rules.fight, view, parameters, attack.combat)))

    return view.memo(_ATTACKS, (view, rules, repr(parameters)), lambda known, apart: read())


def _answer_battle(
    rules: BattleRules[B, P, C], view: View, parameters: P, answers: Answers, *, whole: bool = True
) -> Report[B]:
    """Return the report on an attack.

    `whole`: whether to list what would change the column. No verdict depends on that list.
    """
    attack, fights = _read_attack(rules, view, parameters)
    combat, (table, *others) = attack.combat, attack.tables
    at = _list_targets(combat)
    title = f"Attack on {' and '.join(at)} from {', '.join(dict.fromkeys(rules.where(combat)))}"
    if attack.reasons:
        return refused(title, "this attack is not allowed", attack.reasons)
    if answers and DIE not in answers:
        early = InputError("no roll or choice of that name is due", hint="give the die first: answers die=N")
        raise AnswerError(next(iter(answers)), early)
    played = play_procedure(
        view, _make_procedure(rules, table), DIE, {name: die for name, die in answers.items() if name == DIE}
    )
    made: Callable[..., B] = rules.result
    result = made(combat=combat, table=table.name, drm=table.drm)
    parts = [*attack.parts]
    if table.modifiers:
        parts.append(_make_modifiers_part(rules, table))
    changes = tuple[AnyChange, ...]()
    lacking = tuple[Ask, ...]()
    if answers:
        parts.append(Part("Die", (_make_die_step(rules, table, played),)))
    if answers and not played.stuck:
        fight = fights(str(played.settled.get("outcome", "")))
        procedure = _make_procedure(rules, table, lambda code: fights(code).effects)
        played = play_procedure(
            view, procedure, DIE, answers, roles=_find_roles(view.quiet_view(), rules.where(combat))
        )
        played.refuse_unreached()
        result, settled = _read_outcome(result, fight, played)
        if settled and not played.asks:
            changes = (*settled.changes(), *_list_owed(rules, view, result))
        parts.append(_make_result_part(view, rules, result, combat, settled))
    elif not answers:
        if whole:
            near, without, helps = rules.sensitivity(view, parameters, combat)
            result = replace(result, near=near, without=dict(without), helps=tuple(helps))
        plays = [play_procedure(view, _make_procedure(rules, each), DIE, {}) for each in attack.tables]
        chances = [each.chances.likelihoods("outcome") if each.chances else () for each in plays]
        result = replace(result, chances=chances[0])
        if len(chances) > 1:
            result = replace(result, other=chances[1])
        lacking = tuple(cell for each in plays for cell in each.cells_asked)
        parts += [each.unknown_cells for each in plays if not each.chances]
        if result.chances:
            parts.append(_make_chances_part(rules, result, others))
        parts.append(_make_change_part(rules, result, combat.column))
    line = _choose_verdict(rules, table, combat, result, played)
    asks = (*played.asks, *lacking)
    sentences = _format_battle(rules, attack, result, line)
    return Report(
        title=title, verdict=line, short=sentences, parts=tuple(parts), asks=asks, changes=changes, result=result
    )


def _list_targets(combat: Fighting) -> Sequence[str]:
    return [combat.at] if isinstance(combat.at, str) else combat.at


def _format_battle(rules: BattleRules[B, P, C], attack: Attack[C], battle: B, line: Verdict) -> tuple[Step, ...]:
    numbers = rules.rules
    near = battle.near
    combat = attack.combat
    table = attack.tables[0]
    attackers, defenders = rules.who(combat)
    at = _list_targets(combat)
    named = "battle.combat_at_end" if table.unknown_end and not battle.outcome else "battle.combat"
    sentences = [SAY(numbers.table, named, battle, combat, table, at=at, attackers=attackers, defenders=defenders)]
    if battle.outcome:
        return (*sentences, as_sentence(numbers.die, line))
    if table.drm:
        sentences.append(SAY(numbers.die, "battle.drm", table))
    sentences += [Step(due.rule, f"{sentence_case(due.template)}.", due.figures) for due in attack.due]
    if battle.chances:
        sentences.append(SAY(numbers.table, "battle.chances", battle))
    if near and near.column:
        sentences.append(SAY(numbers.table, "battle.more", near))
    return tuple(sentences)


def _list_owed(rules: BattleRules[B, P, C], view: View, battle: B) -> Iterator[AnyChange]:
    if rules.owes:
        for unit in battle.retreating:
            hexes = battle.panic.get(unit, battle.hexes)
            yield from owe_retreat(view, rules.owes, unit, hexes, rules.rules.retreat)


def _find_roles(view: View, places: Iterable[str]) -> dict[str, str]:
    """Return the sides by role: the attacker, and in a game of two sides the defender."""
    attacker = side_at(view, *places)
    others = [side for side in view.game.file.sides if side != attacker]
    return ({"attacker": attacker} if attacker else {}) | ({"defender": others[0]} if len(others) == 1 else {})


def _make_procedure(
    rules: BattleRules[B, P, C], table: CombatTable, effects: Callable[[str], Effects[Any]] | None = None
) -> Procedure:
    """Return the procedure of a combat from its die on.

    `effects`: returns the effects of a result by its code. Without it, the procedure is the die alone, because the
    effects need more facts.
    """
    modifiers = {DIE: table.modifiers} if table.modifiers else {}
    roll = partial(Roll, DIE, rules.rules.die, table.title, ONE_DIE, modifiers, side="attacker")
    return combat_procedure(roll, lambda die: table.code(die + table.drm), effects)


def _read_outcome(battle: B, fight: Fight, played: Play) -> tuple[B, Settled | None]:
    """Return the battle after the answers so far, and the consequences of its result.

    The consequences are None if anything except further dice is still open.
    """
    trace = [taken.situation for taken in played.resolution.trace if isinstance(taken.situation, Fought)]
    last, _ = fight.effects.carry_on(trace[-1])
    result = fight.effects.result(last.code)
    dice = fight.effects.further(last)
    battle = replace(battle, die=_find_die(played), outcome=last.code, meaning=result.meaning)
    if played.stuck or any(ask.name not in dice for ask in played.asks):
        return battle, None
    settled = fight.settled(last)
    rolled = {name.partition(".")[2]: int(played.settled[name]) for name in dice if name in played.settled}
    battle = replace(
        battle,
        lost=settled.lost,
        retreats=result.retreats if settled.retreating else "",
        retreating=settled.retreating,
        hexes=result.hexes if settled.retreating and not dice else 0,
        panic=rolled,
        pursues=result.pursues if settled.pursues else "",
        pursuit=result.pursuit if settled.pursues else 0,
    )
    return battle, settled


def _choose_verdict(rules: BattleRules[B, P, C], table: CombatTable, combat: C, battle: B, played: Play) -> Verdict:
    if played.stuck and not battle.outcome:
        return verdict("undecided", "undecided: column {column}, the cell for the die is missing", combat)
    if not battle.outcome:
        text = "column {column} of the {table} table"
        if table.unknown_end:
            text += f", whose {table.unknown_end} column is not known"
        text += "; roll {dice}" + (" {drm:+}" if table.drm else "")
        return verdict("figure", text, combat, battle, dice="1d6", drm=table.drm)
    if played.asks:
        text = "{outcome}, {meaning}: {due:#answer} due"
        return verdict("undecided" if played.stuck else "figure", text, battle, due=len(played.asks))
    distance = " {hexes:#hex}" if battle.hexes > 1 else ""
    text = "{outcome}, {meaning}; " + (f"the {{retreats}} retreats{distance}" if battle.retreats else "no retreat")
    text += f"; {_format_pursuit(rules, battle)}" if battle.pursues else f"; no {rules.following.noun}"
    return verdict("figure", text, battle)


def _format_pursuit(rules: BattleRules[B, P, C], battle: B) -> str:
    return f"the {{pursues}} may {rules.following.verb}" + (" {pursuit:#hex}" if battle.pursuit else "")


def _make_die_step(rules: BattleRules[B, P, C], table: CombatTable, played: Play) -> Step:
    die = _find_die(played)
    if not table.drm:
        return step(rules.rules.die, "{natural}", natural=die)
    return step(rules.rules.die, "{natural} {drm:+} = {modified}", natural=die, drm=table.drm, modified=die + table.drm)


def _find_die(played: Play) -> int:
    die = next(taken.answer for taken in played.resolution.trace if isinstance(taken.node, Roll))
    assert isinstance(die, int)  # the die is answered before any other part of the procedure
    return die


def _make_modifiers_part(rules: BattleRules[B, P, C], table: CombatTable) -> Part:
    steps = [step(modifier.rule, "{amount:+} {why}", modifier) for modifier in table.modifiers]
    steps.append(step(rules.rules.die, "{drm:+} to the die", table))
    return Part("Modifiers", tuple(steps), steps[-1].text)


def _make_chances_part(rules: BattleRules[B, P, C], battle: B, others: Sequence[CombatTable]) -> Part:
    steps = [step(rules.rules.table, "{table}: {chances}", battle)]
    if battle.other:
        steps.append(step(rules.rules.other_table, "{table}: {chances}", table=others[0].name, chances=battle.other))
    return Part("Chances", tuple(steps))


def _make_change_part(rules: BattleRules[B, P, C], battle: B, now: str) -> Part:
    table = rules.rules.table
    steps = [make_next_column_step(table, battle.near)] if battle.near else []
    without = "without {unit}: column {column}"
    steps += [step(table, without, unit=unit, column=column) for unit, column in battle.without.items()]
    steps += [step(rules.rules.help, "with {unit}: {attack}, column {column}", helper) for helper in battle.helps]
    others = {f"without {unit}": column for unit, column in battle.without.items()}
    others |= {f"with {helper.unit}": helper.column for helper in battle.helps}
    return Part("What would change it", tuple(steps), format_changes_in_brief(battle.near, others, now))


def format_next_question(view: View, name: str, hexes: int = 1) -> str:
    """Return the question to ask next in brackets, or "" if the game has no such question.

    `hexes`: a number of hexes, named only if greater than 1.
    """
    questions = questions_of(view.game)
    if name not in questions:
        return ""
    far = f" hexes={hexes}" if hexes > 1 and "hexes" in questions[name].parameters.__struct_fields__ else ""
    return f" (ask {name}{far})"


def _make_result_part(
    view: View,
    rules: BattleRules[B, P, C],
    battle: B,
    combat: C,
    settled: Settled | None,
) -> Part:
    pursuit = f"{_format_pursuit(rules, battle)}{format_next_question(view, rules.following.verb)}"
    retreat = (
        "the {retreats} retreats {hexes:#hex}" + format_next_question(view, "retreat", battle.hexes) + ": {retreating}"
    )
    clauses = [
        (battle.hexes, rules.rules.retreat, retreat),
        (battle.pursues == "attacker", rules.rules.pursuit, pursuit + ", into {at} first"),
        (battle.pursues == "defender", rules.rules.pursuit, pursuit + ", into a hex from which it was attacked"),
    ]
    panic = {hexes: format_next_question(view, "retreat", hexes) for hexes in battle.panic.values()}
    panics = "{unit} retreats {hexes:#hex} in panic"
    steps = [step(rules.rules.result, "{outcome}: {meaning}", battle)]
    if settled:
        steps += settled.losses
    for unit, hexes in battle.panic.items():
        steps.append(step(rules.rules.panic, panics + panic[hexes], unit=unit, hexes=hexes))
    steps += holding(clauses, battle, combat)
    return Part("Result", tuple(steps))

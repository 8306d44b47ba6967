"""The luck of a record of play, question by question: battles with their swing (losses of the enemy minus own losses),
and single rolls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from ...asking.asks import Ask
from ...asking.parameters import format_parameters, read_parameters
from ...asking.play import Play, rolls_of
from ...asking.question import Question, decide
from ...asking.report import MissingFacts, Report
from ...asking.view import View
from ...formats.positions import Throw
from ...game.gamefile import Luck, LuckRolls
from ...installed.registry import question_of
from ...mechanics import luck as mechanics
from ...mechanics.chances import Chances, UnknownCells
from ...mechanics.distribution import Distribution, of_chances, sum_of
from ...mechanics.luck import Decision, ProcedureLuck, all_chances, distribution_of, measure_luck, percentile_among
from ...mechanics.procedure import Dice, Notes, Quantity, Roll
from ...state.tracks import CERTAIN
from ...state.trust import name_stand_ins
from ...util.console import format_count
from ...util.errors import InputError, MachineError
from ..explaining.played import Passage, PlayedQuestion, PlayedRecord
from ..explaining.record import reason
from .evening import (
    BattleLuck,
    ChoiceLuck,
    Evening,
    KindTotal,
    LeftOut,
    OtherRolls,
    SideOfBattle,
    SideTotal,
    ThrownDice,
)

_HIDDEN = "it rests on what this side may not know"
"""The reason for leaving out a battle that rests on hidden facts."""


class _CannotTell(Exception):
    def __init__(self, why: str, charts: Iterable[str] = ()) -> None:
        super().__init__(why)
        self.why = why
        self.charts = tuple(dict.fromkeys(charts))


def tell_luck(record: PlayedRecord) -> Evening:
    """Return the luck of a record of play.

    Raises InputError if a position of the record cannot be read.
    """
    rules = record.game.file.luck
    battles = list[BattleLuck]()
    other_rolls = list[OtherRolls]()
    left_out = list[LeftOut]()
    for passage in record.questions:
        question = passage.question
        assert question is not None
        number = len(battles) + len(left_out) + 1
        reader = _QuestionReader(passage, question, rules)
        try:
            luck = reader.read(number)
        except _CannotTell as error:
            left_out.append(
                LeftOut(
                    number=number,
                    step=passage.number,
                    when=reader.when,
                    title=reader.title,
                    why=error.why,
                    charts=error.charts,
                )
            )
            luck = reader.collect_others(tuple(reader.list_bare_throws()))
        if isinstance(luck, BattleLuck):
            battles.append(luck)
        elif luck is not None:
            other_rolls.append(luck)
    sides = dict.fromkeys(side.side for battle in battles for side in battle.sides if side.side)
    rolls = [roll for battle in battles for roll in (*battle.rolls, *battle.besides)]
    rolls += [roll for other in other_rolls for roll in other.rolls]
    titles = {side: record.game.file.title_of(side) for side in record.game.file.sides}
    viewpoint, title = record.viewpoint
    waiting = sum(len(passage.question.waiting) for passage in record.questions if passage.question is not None)
    return Evening(
        file=record.file,
        game=record.game.id,
        is_log=record.is_log,
        by_lines=record.by_lines,
        unit=rules.unit,
        battles=tuple(battles),
        others=tuple(other_rolls),
        left_out=tuple(left_out),
        sides=tuple(total_by_side(side, titles.get(side, side), battles) for side in sides),
        kinds=tuple(total_by_kind(rolls)),
        unexplained=len(record.unexplained) + waiting,
        titles=titles,
        viewpoint=viewpoint,
        viewpoint_title=title,
    )


class _Checks(NamedTuple):
    passed: int | None = None
    """The number of checks passed, or None if the roll decides no check."""
    number: int = 0
    expected: Fraction | None = None
    """The number of checks expected to pass."""
    chances: Mapping[int, Fraction] = {}
    """The chance of each number of checks passed."""


class _QuestionReader:
    def __init__(self, passage: Passage, question: PlayedQuestion, rules: Luck) -> None:
        self.passage = passage
        self.question = question
        self.rules = rules
        self.position = passage.before
        self.is_battle = question.asked.question in rules.ask
        self.when = passage.when.label(self.position.game)
        self.report: Report[Any] | None = None

    @property
    def title(self) -> str:
        if self.report is not None and self.report.parts:
            return self.report.title
        asked = self.question.asked
        return f"{asked.question} {format_parameters(asked.parameters)}".rstrip()

    def read(self, number: int) -> BattleLuck | OtherRolls | None:
        """Return the battle, or the rolls outside battles, or None if no dice were thrown.

        `number`: the number of the next battle.

        Raises _CannotTell if the battle must be left out.
        """
        if not self.question.answers:
            if self.is_battle and self.question.waiting:
                self.report = self.question.report
                lacking = self.format_lacking(self.report.asks) if self.report is not None else ""
                raise _CannotTell(f"facts are missing: {lacking or 'its dice are not matched to its rolls'}")
            return None
        view = View(self.position.game, self.position.state)
        try:
            definition = question_of(self.position.game, self.question.asked.question)
            parameters = read_parameters(definition, view, self.question.asked.parameters)
            report = self.report = decide(definition, view, parameters, self.question.answers)
        except MachineError:
            raise
        except (InputError, MissingFacts) as error:
            if not self.is_battle:
                return None
            raise _CannotTell(self.explain_why_not(view, error)) from None
        if view.premises.supposes:
            if self.is_battle:
                raise _CannotTell(_HIDDEN)
            return None
        if (staked := self.find_staked_play(view)) is not None:
            return self.read_battle(number, view, definition, *staked)
        if self.is_battle:
            if report.verdict.kind == "no":
                raise _CannotTell(f"the rules do not allow it: {report.verdict.text}")
            if report.asks:
                raise _CannotTell(f"it does not come to its end: {self.format_lacking(report.asks)}")
            raise _CannotTell("it does not say which sides fight")
        rolls = tuple(self.list_rolls_without_swing(view, definition, view.premises.plays))
        return None if view.premises.supposes else self.collect_others(rolls)

    def explain_why_not(
        self, view: View, error: mechanics.Unfinished | UnknownCells | InputError | MissingFacts
    ) -> str:
        """Return the reason for leaving out a battle, without details if the battle rests on hidden facts."""
        if view.premises.supposes:
            return _HIDDEN
        match error:
            case mechanics.Unfinished():
                return f"it does not come to its end: {', '.join(error.pending[:3])}"
            case UnknownCells():
                return _format_cells(view, error)
            case MissingFacts():
                return f"facts are missing: {self.format_lacking(error.asks)}"
        return reason(error)

    def format_lacking(self, asks: Iterable[Ask]) -> str:
        names = [ask.name for ask in asks]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        return ", ".join(names[:3]) + more

    def find_staked_play(self, view: View) -> tuple[Play, Mapping[str, str]] | None:
        """Return the play whose dice decide the swing, and its sides by role.

        Returns None if there is no such play, or its sides are unknown.
        """
        for play in view.premises.plays:
            roles = {role: side for role, side in play.roles.items() if role in self.rules.loses}
            if len(roles) > 1 and len({*roles.values()}) == len(roles):
                return play, roles
        return None

    def list_swing_factors(self, roles: Collection[str]) -> dict[str, int]:
        """Return the factor of each quantity in the swing: -1 for losses of the first role, 1 for those of others."""
        first = next(iter(roles))
        factors: dict[str, int] = {}
        for role, names in self.rules.loses.items():
            if role in roles:
                factors |= dict.fromkeys(names, -1 if role == first else 1)
        return factors

    def read_battle(
        self, number: int, view: View, definition: Question[Any, Any], play: Play, roles: Mapping[str, str]
    ) -> BattleLuck:
        """Return a battle with the luck of each roll.

        `roles`: the sides by role. The swing is seen by the side of the first one.
        """
        factors = self.list_swing_factors(roles)
        answers = {name: typed.value for name, typed in play.typed.items()}

        def worth(notes: Notes) -> int:
            return sum(int(notes.get(name, 0)) * factor for name, factor in factors.items())

        try:
            usual = all_chances(play.procedure, play.start, play.policy)
            course = measure_luck(play.procedure, play.start, play.policy, answers, worth)
            every = usual
            if _has_other_choice(course):
                every = all_chances(play.procedure, play.start, play.policy, course.decisions)
        except MachineError:
            raise
        except (mechanics.Unfinished, UnknownCells, InputError, MissingFacts) as error:
            cells = error.cells if isinstance(error, UnknownCells) and not view.premises.supposes else ()
            raise _CannotTell(self.explain_why_not(view, error), (chart for chart, _ in cells)) from None
        if view.premises.supposes:
            raise _CannotTell(_HIDDEN)
        if not any(name in course.settled for name in factors):
            raise _CannotTell("what it costs each side is not known")
        swing = distribution_of(every, factors)
        turns = tuple(self.measure_turn(turn, roles, play) for turn in course.turns)
        besides = [other for other in view.premises.plays if other is not play]
        known = {turn.name for turn in turns} | {typed.name for typed in play.typed.values()}
        singles = tuple(self.list_rolls_without_swing(view, definition, besides, known))
        if view.premises.supposes:  # these rolls may have read hidden facts
            raise _CannotTell(_HIDDEN)
        return BattleLuck(
            number=number,
            step=self.passage.number,
            last=self.passage.last,
            when=self.when,
            question=self.question.asked.question,
            title=self.title,
            sides=tuple(self.measure_side(role, side, every, usual, course, besides) for role, side in roles.items()),
            expected=course.start,
            swing=course.result,
            percentile=swing.percentile(course.result),
            chances={value: swing.chance(value) for value in swing.weights},
            turns=turns,
            besides=singles,
            rests_on=tuple(self.list_sources(view)),
        )

    def measure_side(
        self, role: str, side: str, chances: Chances, usual: Chances, course: ProcedureLuck, other_plays: Iterable[Play]
    ) -> SideOfBattle:
        """Return the losses of one side in a battle.

        `chances`, `usual`: the chances with the choices as made, and with those of the usual policy.
        `other_plays`: the other plays of the battle.
        """
        after = [other.settled.get(name, 0) for other in other_plays for name in self.rules.afterwards.get(role, ())]
        amounts = dict.fromkeys(self.rules.loses[role], 1)
        lost = sum(int(course.settled.get(name, 0)) for name in amounts)
        distribution = distribution_of(chances, amounts)
        return SideOfBattle(
            role=role,
            side=side,
            expected=distribution_of(usual, amounts).mean,
            lost=lost,
            afterwards=sum(map(int, after)),
            percentile=(-distribution).percentile(-lost),
            chances={value: distribution.chance(value) for value in distribution.weights},
        )

    def measure_turn(self, turn: mechanics.Turn, roles: Mapping[str, str], play: Play) -> ThrownDice | ChoiceLuck:
        """Return the luck of a roll or a choice, as the side that makes it sees the swing.

        `roles`: the sides by role. The turn has the swing as the side of the first one sees it.
        """
        first = next(iter(roles))
        if isinstance(turn, Decision):
            choice = turn.choice
            sign = 1 if choice.side in ("", first) else -1
            return ChoiceLuck(
                name=choice.name,
                title=choice.title,
                side=roles.get(choice.side, choice.side),
                taken=turn.taken,
                by_policy=turn.by_policy,
                before=turn.before * sign,
                after=turn.after * sign,
            )
        roll = turn.roll
        sign = 1 if roll.side in ("", first) else -1
        worth = {total: amount * sign for total, amount in turn.worth.items()}
        checks = _count_checks(self.find_kind(roll.name), roll, turn.natural, turn.notes)
        thrown = msgspec.structs.replace(
            self.make_played(play, roll, turn.natural, roles.get(roll.side, ""), checks),
            before=turn.before * sign,
            after=turn.after * sign,
            variance=turn.variance,
        )
        if len({*worth.values()}) == 1 and thrown.good:  # every total is worth the same, so the roll causes no swing
            return thrown
        return msgspec.structs.replace(thrown, good="worth", percentile=percentile_among(roll, turn.natural, worth))

    def list_sources(self, view: View) -> Iterator[str]:
        cells: dict[str, set[str]] = {}
        for (chart, _), cell in view.premises.cells.items():
            if cell.source not in CERTAIN:
                cells.setdefault(name_stand_ins("charts", {cell.source}), set()).add(view.game.chart(chart).title)
        for stand_ins, charts in cells.items():
            yield f"{stand_ins}: {', '.join(sorted(charts))}"
        if self.question.in_order:
            yield f"rolls matched by the order of the throws only: {', '.join(sorted(self.question.in_order))}"
        if self.question.guessed:
            yield f"choices as the map shows them: {', '.join(sorted(self.question.guessed))}"

    def collect_others(self, rolls: tuple[ThrownDice, ...]) -> OtherRolls | None:
        if not rolls:
            return None
        return OtherRolls(
            step=self.passage.number,
            last=self.passage.last,
            when=self.when,
            question=self.question.asked.question,
            title=self.title,
            rolls=rolls,
        )

    def list_rolls_without_swing(
        self, view: View, definition: Question[Any, Any], plays: Iterable[Play], known: Iterable[str] = ()
    ) -> Iterator[ThrownDice]:
        """Yield the rolls of plays that affect no swing, then rolls that belong to no play.

        `known`: the names of answers listed already.
        """
        names = {*known}
        for play in plays:
            for taken in play.resolution.trace:
                if not isinstance(taken.node, Roll) or not isinstance(taken.answer, int) or taken.node.name in names:
                    continue
                roll = taken.node
                names |= {roll.name, play.typed[roll.name].name}
                notes = {total: play.procedure(roll.then(total)).notes for total, _ in roll.dice.totals}
                checks = _count_checks(self.find_kind(roll.name), roll, taken.answer, notes)
                yield self.make_played(play, roll, taken.answer, play.roles.get(roll.side, ""), checks)
        yield from self.list_single_rolls(definition, {*names, *view.premises.answers})

    def list_single_rolls(self, definition: Question[Any, Any], names: Iterable[str]) -> Iterator[ThrownDice]:
        remaining = {name: value for name, value in self.question.answers.items() if name not in {*names}}
        if not remaining:
            return
        view = View(self.position.game, self.position.state)
        kinds = rolls_of(definition, view, self.question.asked.parameters, self.question.answers)
        for name, value in remaining.items():
            if len(dice := kinds.get(name, frozenset())) != 1 or "/" in value:
                continue
            thrown = Dice.named(next(iter(dice)))
            means = (definition.answers or {}).get(name, "")
            roll = Roll(name, "", means or name, thrown, {}, lambda total: total)
            yield self.make_thrown(roll, thrown.read(value), value)

    def list_bare_throws(self) -> Iterator[ThrownDice]:
        """Yield the throws of a log for a battle that is left out, with only their totals, which everybody has seen."""
        for name, throw in self.question.throws.items():
            roll = Roll(name, "", name, Dice.named(throw.dice), {}, lambda total: total)
            yield self.make_thrown(roll, throw.total, "+".join(map(str, throw.faces)))

    def find_kind(self, roll: str) -> LuckRolls:
        """Return the kind of a roll, named after its question if the game does not declare the roll."""
        question = self.question.asked.question
        declared = self.rules.kind_of(question, roll)
        return declared or LuckRolls(roll=roll, title=f"{question}: {roll.partition('.')[0]}")

    def make_played(self, play: Play, roll: Roll, natural: int, side: str, checks: _Checks) -> ThrownDice:
        typed = play.typed[roll.name]
        thrown = self.make_thrown(roll, natural, typed.value, typed.name)
        return msgspec.structs.replace(
            thrown,
            side=side,
            passed=checks.passed,
            checks=checks.number,
            expected=checks.expected,
            pass_chances=dict(checks.chances),
        )

    def make_thrown(self, roll: Roll, natural: int, shown: str, answer: str = "") -> ThrownDice:
        """Return a roll with its percentile, if the game declares which totals are good.

        `shown`: the dice as typed or thrown.
        `answer`: the name of the answer with the dice, or "" if it is that of the roll.
        """
        throw: Throw | None = self.question.throws.get(roll.name) or self.question.throws.get(answer)
        kind = self.find_kind(roll.name)
        standing = None
        if kind.good:
            worth = {total: Fraction(total if kind.good == "high" else -total) for total, _ in roll.dice.totals}
            standing = percentile_among(roll, natural, worth)
        return ThrownDice(
            name=roll.name,
            title=roll.title,
            kind=kind.title,
            side="",
            player=throw.player if throw else "",
            dice=str(roll.dice),
            shown=shown.replace(" ", ""),
            natural=natural,
            mean=Fraction(roll.dice.number * (roll.dice.sides + 1), 2),
            good=kind.good or "",
            percentile=standing,
        )


def _has_other_choice(course: ProcedureLuck) -> bool:
    return any(isinstance(turn, Decision) and turn.taken != turn.by_policy for turn in course.turns)


def _count_checks(kind: LuckRolls, roll: Roll, natural: int, notes: Mapping[int, Notes]) -> _Checks:
    by_total = {total: [*_list_passes(kind, settled)] for total, settled in notes.items()}
    if not by_total.get(natural):
        return _Checks()
    ways = roll.dice.sides**roll.dice.number
    chances: dict[int, Fraction] = {}
    for total, count in roll.dice.totals:
        passed = sum(by_total[total])
        chances[passed] = chances.get(passed, Fraction(0)) + Fraction(count, ways)
    expected = sum((passed * chance for passed, chance in chances.items()), Fraction(0))
    return _Checks(sum(by_total[natural]), len(by_total[natural]), expected, chances)


def _list_passes(kind: LuckRolls, notes: Mapping[str, Quantity]) -> Iterator[bool]:
    for name, value in notes.items():
        last = name.rpartition(".")[2]
        if kind.passes and last == kind.passes:
            yield value is True
        elif kind.fails and last == kind.fails:
            yield value == 0


def _format_cells(view: View, unknown: UnknownCells) -> str:
    charts = dict.fromkeys(view.game.chart(chart).title for chart, _ in unknown.cells)
    count = format_count(len(dict.fromkeys(unknown.cells)), "cell")
    return f"{count} of the {' and the '.join(charts)} {'is' if len(unknown.cells) == 1 else 'are'} unknown"


def swing_for(side: str, battle: BattleLuck) -> Distribution:
    """Return the distribution of a battle's swing, as seen by a side in it."""
    swing = of_chances(battle.chances)
    return swing if battle.of_side(side) > 0 else -swing


def total_by_side(side: str, title: str, battles: Iterable[BattleLuck]) -> SideTotal:
    """Return the total of a side's battles.

    The percentile comes from the exact distribution of the sum of all swings.
    """
    own_battles = [battle for battle in battles if battle.of_side(side)]
    all_swings = sum_of(swing_for(side, battle) for battle in own_battles)
    mine = [part for battle in own_battles for part in battle.sides if part.side == side]
    theirs = [part for battle in own_battles for part in battle.sides if part.side != side]
    swing = sum(battle.swing * battle.of_side(side) for battle in own_battles)
    return SideTotal(
        side=side,
        title=title,
        battles=len(own_battles),
        lost=sum(part.lost for part in mine),
        lost_expected=_add_fractions(part.expected for part in mine),
        taken=sum(part.lost for part in theirs),
        taken_expected=_add_fractions(part.expected for part in theirs),
        expected=_add_fractions(battle.expected * battle.of_side(side) for battle in own_battles),
        swing=swing,
        own_luck=_add_fractions(_sum_rolls(side, battle, own=True) for battle in own_battles),
        enemy_luck=_add_fractions(_sum_rolls(side, battle, own=False) for battle in own_battles),
        choices=_add_fractions(_sum_choices(side, battle) for battle in own_battles),
        percentile=all_swings.percentile(swing),
        spread=sqrt(all_swings.variance),
    )


def _sum_rolls(side: str, battle: BattleLuck, *, own: bool) -> Fraction:
    luck_sum = Fraction(0)
    for roll in battle.rolls:
        thrower = roll.side or battle.attacker
        if roll.luck is None or (thrower == side) != own:
            continue
        if own:
            luck_sum += roll.luck
        else:
            luck_sum -= roll.luck
    return luck_sum


def _sum_choices(side: str, battle: BattleLuck) -> Fraction:
    effect_sum = Fraction(0)
    for choice in battle.turns:
        if isinstance(choice, ChoiceLuck):
            gain = choice.after - choice.before
            if (choice.side or battle.attacker) == side:
                effect_sum += gain
            else:
                effect_sum -= gain
    return effect_sum


def total_by_kind(rolls: Sequence[ThrownDice]) -> Iterator[KindTotal]:
    """Yield the total of each side's rolls of each kind, in the order of their first rolls."""
    groups: dict[tuple[str, str], list[ThrownDice]] = {}
    for roll in rolls:
        groups.setdefault((roll.kind, roll.side), []).append(roll)
    kinds = dict.fromkeys(kind for kind, _ in groups)
    for kind in kinds:
        for (name, side), group in groups.items():
            if name == kind:
                yield _make_total(kind, side, group)


def _make_total(kind: str, side: str, rolls: Sequence[ThrownDice]) -> KindTotal:
    lucks = [roll.luck for roll in rolls if roll.luck is not None]
    checks = [roll for roll in rolls if roll.passed is not None]
    stand = [roll.percentile for roll in rolls if roll.percentile is not None]
    passed = sum(roll.passed or 0 for roll in checks)
    return KindTotal(
        kind=kind,
        side=side,
        rolls=len(rolls),
        natural=sum(roll.natural for roll in rolls),
        mean=_add_fractions(roll.mean for roll in rolls),
        luck=_add_fractions(lucks) if lucks else None,
        spread=sqrt(_add_fractions(roll.variance for roll in rolls if roll.variance is not None)) if lucks else None,
        average=_add_fractions(stand) / len(stand) if stand else None,
        passed=passed if checks else None,
        checks=sum(roll.checks for roll in checks),
        expected=_add_fractions(roll.expected for roll in checks if roll.expected is not None) if checks else None,
        percentile=_find_standing(rolls, checks, passed),
    )


def _find_standing(rolls: Sequence[ThrownDice], checks: Sequence[ThrownDice], passed: int) -> Fraction | None:
    """Return the percentile of all rolls of a kind, or None if there is none.

    Checks are ranked by the number passed, each with its own odds. Other rolls are ranked by the sum of totals, if the
    game declares which totals are good.
    """
    if checks:
        return sum_of(of_chances(roll.pass_chances) for roll in checks).percentile(passed)
    goods = {roll.good for roll in rolls}
    if goods not in ({"low"}, {"high"}):
        return None
    all_totals = sum_of(_distribute_total(roll) for roll in rolls)
    total = sum(roll.natural for roll in rolls)
    return all_totals.percentile(total) if goods == {"high"} else (-all_totals).percentile(-total)


def _distribute_total(roll: ThrownDice) -> Distribution:
    dice = Dice.named(roll.dice)
    return Distribution(dict(sorted(dice.totals)), dice.sides**dice.number)


def _add_fractions(amounts: Iterable[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0))

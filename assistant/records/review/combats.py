"""The combats of a log judged: those that it declares, by their dice and results.

A combat is against a rule only if no reading of its dice and choices fits the table. Whatever leaves another reading open
makes it undecided: the limit of trials, further dice, hidden facts, another combat near it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from ...asking.question import Fights
from ...asking.view import View
from ...formats.positions import Asked, Throw
from ...game.course import Phase
from ...game.games import Game
from ...installed.registry import questions_of
from ...service import answer_in_view
from ...state.changes import BUILT_IN_TRACKS
from ...state.state import FactKey
from ...state.tracks import Value
from ...util.errors import InputError, MachineError
from ..explaining.explanation import ExplainedQuestion, read_until
from ..explaining.record import AnnotatedRecord, Disagreement, fights_of, reason
from .deeds import PLACE, Deed, TableStep, list_deeds, list_expected
from .marks import Judgement, Mark, write_value
from .moves import find_doubt, format_missing, read_reason, stand_ins_of
from .questions import describe_question

_NEAR_HEXES = 4
"""The distance in hexes within which an undecided combat may explain what another one does not."""


class JudgedCombat(NamedTuple):
    """A combat of a log, with its judgement."""

    explained: ExplainedQuestion
    judgement: Judgement
    why: str = ""
    """The fact that is missing or the fault of the whole combat, or "" if only its results differ."""
    rule: str = ""
    differs: tuple[Disagreement, ...] = ()
    """Results that are against rules."""

    @property
    def units(self) -> frozenset[str]:
        """The units that the answer of the rules changes."""
        report = self.explained.report
        changes = report.changes if report is not None else ()
        return frozenset(key[1] for change in changes for key, _ in list_expected(change))


def fights_in(game: Game) -> dict[str, Fights]:
    """Return the combats that the questions of a game decide, by the question."""
    fights = {name: fights_of(question) for name, question in questions_of(game).items()}
    return {name: shown for name, shown in fights.items() if shown is not None}


def has_combats(game: Game, phase: Phase | None) -> bool:
    """Return whether combats are fought in a phase by `course.toml`."""
    steps = {word for step in (phase.steps if phase else ()) for word in (step.name, step.ask.partition(" ")[0])}
    return any(not steps.isdisjoint((name, *fights.steps)) for name, fights in fights_in(game).items())


class CombatJudge:
    """Judges the combats of a phase.

    `last`: the last step of the phase.
    `throws`: the throws of the phase that belong to no question.
    `is_phase_known`: whether the record states the phase.
    `is_over`: whether the record goes on after the phase.
    """

    def __init__(
        self,
        table: AnnotatedRecord,
        explained: Iterable[ExplainedQuestion],
        last: int,
        throws: Collection[Throw],
        *,
        is_phase_known: bool,
        is_over: bool,
    ) -> None:
        self.table = table
        self.last = last
        self.throws = throws
        self.is_phase_known = is_phase_known
        self.is_over = is_over
        self.board = table.record.game.board_of(table.at(table.record.moments[0]).state)
        self.fights = fights_in(table.record.game)
        self.explained = [question for question in explained if question.question in self.fights]

    def judge(self) -> list[JudgedCombat]:
        """Return the judgement on each combat."""
        judged = [self.judge_alone(explained) for explained in self.explained]
        return [self.judge_among(combat, judged) for combat in judged]

    def judge_alone(self, explained: ExplainedQuestion) -> JudgedCombat:
        """Return the judgement on a combat by its own dice and results."""
        report = explained.report
        if report is None:
            return JudgedCombat(explained, "undecided", explained.why_not)
        if report.asks:
            return JudgedCombat(explained, "undecided", format_missing(report))
        if report.verdict.kind == "undecided":
            return JudgedCombat(explained, "undecided", report.verdict.text)
        if report.verdict.kind == "no":
            return self.judge_refusal(explained)
        if self.find_wrong(explained) and not explained.is_partial:
            explained = read_until(self.table, explained, max(self.last, explained.last))
        wrong = self.find_wrong(explained)
        if not wrong:
            return JudgedCombat(explained, "lawful")
        doubt = self.find_doubt_about(explained)
        if not doubt and not self.is_phase_known and not all(differing.rule for differing in wrong):
            doubt = "which phase it is"
        if not doubt and not self.is_over and not self.is_begun(explained):
            doubt = "whether its results are still to be carried out"
        if doubt:
            return JudgedCombat(explained, "undecided", f"{doubt}; {self.describe_difference(wrong[0])}")
        return JudgedCombat(explained, "against", differs=wrong)

    def judge_refusal(self, explained: ExplainedQuestion) -> JudgedCombat:
        """Return the judgement on a combat that is not allowed."""
        assert explained.report is not None
        rule, why = read_reason(explained.report)
        why = why or explained.report.verdict.text
        doubt = "" if rule else why
        doubt = doubt or self.find_doubt_about(explained)
        if not doubt and self.has_markers(explained):
            doubt = f"whether markers were set before it: {why}"
        return JudgedCombat(explained, "undecided" if doubt else "against", doubt or why, rule)

    def has_markers(self, explained: ExplainedQuestion) -> bool:
        """Return whether markers of the phase lie there before a combat, which players may set as they declare it."""
        tracks = self.table.record.game.tracks
        return any(tracks[track].is_passing for track, _ in self.table.at(explained.first).state.facts)

    def find_wrong(self, explained: ExplainedQuestion) -> tuple[Disagreement, ...]:
        """Return the results of a combat that the table does not show.

        Markers of hexes and of the game that players have only left as they were do not count.
        """
        tracks = self.table.record.game.tracks
        before = self.table.at(explained.first).state.facts
        wrong = list[Disagreement]()
        for differing in explained.differs:
            track = tracks.get(differing.track)
            if track is not None and track.on != "unit":
                fact = before.get((differing.track, differing.subject))
                if differing.log == (track.absent if fact is None else fact.value):
                    continue
            wrong.append(differing)
        return tuple(wrong)

    def is_begun(self, explained: ExplainedQuestion) -> bool:
        """Return whether the table shows any lasting result of a combat."""
        assert explained.report is not None
        tracks = self.table.record.game.tracks
        step = TableStep(0, self.table.at(explained.first), self.table.at(explained.last))
        changed = {deed.key for deed in list_deeds(step)}
        return not changed.isdisjoint(
            key
            for change in explained.report.changes
            for key, _ in list_expected(change)
            if key[0] in BUILT_IN_TRACKS or not tracks[key[0]].is_passing
        )

    def find_doubt_about(self, explained: ExplainedQuestion) -> str:
        """Return what leaves another reading of a combat open, or "" if nothing does."""
        if explained.opened.startswith("shown "):
            return f"whether it is declared so (ask {describe_question(explained)})"
        dice = {rolled.throw.dice for rolled in explained.throws}
        if explained.unused or any(throw.dice in dice for throw in self.throws):
            return "which of the throws count"
        if explained.is_partial:
            return "more choices and orders of dice may fit than are tried"
        return self.find_hidden(explained)

    def find_hidden(self, explained: ExplainedQuestion) -> str:
        """Return what a combat rests on that is hidden or only assumed, or "" if it rests on certain facts alone."""
        position = self.table.at(explained.first)
        view = View(position.game, position.state)
        answers = {
            **{rolled.name: "+".join(map(str, rolled.throw.faces)) for rolled in explained.throws},
            **explained.given,
            **explained.chosen,
        }
        try:
            answer_in_view(view, position, Asked(explained.question, explained.parameters), answers)
        except MachineError:
            raise
        except InputError as error:
            return reason(error)
        return find_doubt(view)

    def judge_among(self, combat: JudgedCombat, others: Sequence[JudgedCombat]) -> JudgedCombat:
        """Return a combat against a rule as undecided if another combat may explain its results."""
        for other in others if combat.judgement == "against" else ():
            if other is combat:
                continue
            subjects = {differing.subject for differing in combat.differs}
            may_explain = other.judgement == "undecided" and self.is_near(other, combat)
            if may_explain or not subjects.isdisjoint(other.units):
                why = f"what {describe_question(other.explained)} did"
                if combat.differs:
                    why += f"; {self.describe_difference(combat.differs[0])}"
                return combat._replace(judgement="undecided", why=why, differs=())
        return combat

    def is_near(self, combat: JudgedCombat, other: JudgedCombat) -> bool:
        """Return whether two combats attack hexes near each other."""
        return any(
            self.board.distance(*hexes) <= _NEAR_HEXES
            for hexes in product(self.list_targets(combat.explained), self.list_targets(other.explained))
        )

    def list_targets(self, explained: ExplainedQuestion) -> list[str]:
        """Return the hexes that a combat attacks."""
        typed = explained.parameters.get(self.fights[explained.question].at, "")
        hexes = typed.split(",") if isinstance(typed, str) else [*map(str, typed)]
        return [hex for hex in hexes if self.board.is_hex(hex)]

    # --- marks

    def mark(self, combat: JudgedCombat, deeds: Sequence[Deed]) -> Iterator[Mark]:
        """Yield the marks of a combat: one, or one for each result that is against a rule.

        `deeds`: the changes of the phase.
        """
        explained = combat.explained
        report = explained.report
        step = max(explained.first, min(explained.last, self.last))
        name = describe_question(explained)
        more: dict[str, Any] = {"cause": explained.question, "rests_on": stand_ins_of(report)}
        if not combat.differs:
            why = combat.why or (report.verdict.text + self.describe_reading(explained) if report is not None else "")
            yield Mark(step=step, judgement=combat.judgement, what=name, rule=combat.rule, why=why, **more)
        for differing in combat.differs:
            key = differing.track, differing.subject
            steps = [deed.step for deed in deeds if deed.key == key and explained.first < deed.step <= self.last]
            yield Mark(
                step=steps[-1] if steps else step,
                judgement="against",
                what=f"{name}: {self.describe_log(differing)}",
                rule=self.rule_of(differing, explained),
                why=f"by the rules {self.describe_rules(differing)}{self.describe_reading(explained)}",
                remedy=self.describe_remedy(differing),
                **more,
            )

    def rule_of(self, differing: Disagreement, explained: ExplainedQuestion) -> str:
        """Return the rule that a result is against."""
        rules = self.fights[explained.question].rules
        if differing.track == PLACE and "advance" in rules and differing.log in self.list_targets(explained):
            return rules["advance"]
        tracks = self.table.record.game.tracks
        defined = "" if differing.track in BUILT_IN_TRACKS else tracks[differing.track].rule
        return differing.rule or rules.get(differing.track, defined)

    def describe_reading(self, explained: ExplainedQuestion) -> str:
        """Return how dice without a name are read, in brackets, or "" if all dice are certain."""
        read = [f"{rolled.name} {rolled.throw}" for rolled in explained.throws if rolled.name in explained.in_order]
        return f" (read so by the order of the dice: {', '.join(read)})" if read else ""

    def describe_difference(self, differing: Disagreement) -> str:
        return f"{self.describe_log(differing)}, by the rules {self.describe_rules(differing)}"

    def describe_log(self, differing: Disagreement) -> str:
        about = differing.subject or "the game"
        if differing.track == PLACE:
            return f"{about} in {differing.log}" if differing.log else f"{about} out of play"
        return f"{about}: {differing.track} {write_value(differing.log)}"

    def describe_rules(self, differing: Disagreement) -> str:
        if differing.track == PLACE:
            return f"in {differing.rules}" if differing.rules else "out of play"
        return write_value(differing.rules)

    def describe_remedy(self, differing: Disagreement) -> str:
        if differing.track != PLACE:
            about = f" of {differing.subject}" if differing.subject else ""
            return f"set {differing.track}{about} to {write_value(differing.rules)}"
        if not differing.rules:
            return f"{differing.subject} leaves play"
        stays = "stays in" if not differing.rule else "goes to"
        return f"{differing.subject} {stays} {differing.rules}"


def find_values(combats: Iterable[JudgedCombat]) -> dict[FactKey, Value | None]:
    """Return the facts and places that decided combats set, with their values by the rules."""
    return {
        key: value
        for combat in combats
        if combat.judgement != "undecided" and combat.explained.report is not None
        for change in combat.explained.report.changes
        for key, value in list_expected(change)
    }


def with_readings(explained: Sequence[ExplainedQuestion], combats: Iterable[JudgedCombat]) -> list[ExplainedQuestion]:
    """Return the questions of a log; combats read otherwise take the place of their first reading."""
    again = {(combat.explained.question, combat.explained.first): combat.explained for combat in combats}
    return [again.get((question.question, question.first), question) for question in explained]

"""The review of a record, phase by phase: its moves, its declared questions, and what else its steps changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from ...asking.report import Report
from ...formats.positions import Asked, Position, Throw
from ...game.course import active_sides, clock_tracks, stated_phase
from ...game.games import Game
from ...rules.phase_now import ChecklistItem
from ...service import ask
from ...state.changes import AnyChange, Change, Enter
from ...state.state import FactKey, is_limited
from ...state.tracks import Track, Value
from ...util.errors import InputError, MachineError
from ..explaining.explanation import ExplainedQuestion
from ..explaining.played import read_played_moment
from ..explaining.record import AnnotatedRecord, JudgingQuestion, judging_questions, reason
from .agreed import Agreed, mark_agreed
from .combats import CombatJudge, JudgedCombat, find_values, has_combats, with_readings
from .course import find_next
from .deeds import (
    PLACE,
    Deed,
    TableStep,
    carry_out,
    changes_of_step,
    list_deeds,
    list_expected,
    net_deeds,
    split_by_clock,
)
from .marks import Judgement, Mark, write_value
from .moves import Ground, MoveJudge, Movement, movements_of, stand_ins_of
from .orders import Action, Outcome, PhaseMoves
from .owed import find_skipped, list_owed_steps
from .questions import describe_question, mark_answer, mark_explained
from .settings import SettingJudge, Table, list_asked


class Declared(NamedTuple):
    """What a log declares beside the changes of its table."""

    table: AnnotatedRecord
    explained: Sequence[ExplainedQuestion]
    """The questions, each with its answer for the dice rolled."""
    throws: Sequence[Throw]
    """The throws that belong to none of these questions."""


def judge_steps(
    game: Game,
    steps: Iterable[TableStep],
    declared: Declared | None = None,
    agreed: Collection[Agreed] = (),
) -> list[Mark]:
    """Return the marks of a record, in the order of its steps.

    `steps`: steps that changed the table.
    `declared`: the questions and throws of a log, or None for another record.
    `agreed`: actions that both players let stand. They are not judged, and the rest is judged as if it were lawful.
    """
    marks = list[Mark]()
    waiting = [*declared.explained] if declared is not None else []
    phase: _PhaseReview | None = None
    for stretch in split_by_clock(game, steps):
        first, last = stretch[0].number, stretch[-1].number
        mine = [question for question in waiting if question.first < last]
        waiting = [question for question in waiting if question.first >= last]
        part: Declared | None = None
        if declared is not None:
            thrown = [throw for throw in declared.throws if first - 1 <= throw.step <= last]
            part = Declared(declared.table, mine, thrown)
        phase = _PhaseReview(game, stretch, part, agreed, phase)
        marks += phase.judge()
    marks += map(mark_explained, waiting)
    return sorted(mark_agreed(marks, agreed), key=lambda mark: mark.step)


_NEAR_HEXES = 4
"""The distance in hexes at which a move may matter for a fact of a unit or hex."""
_MAX_MOVES_NEAR = 3
"""The maximum number of moves nearby between which a refused fact is tried in all orders."""


class _PhaseReview:
    """The steps of one phase, the last of which may lead to the next one."""

    def __init__(
        self,
        game: Game,
        steps: Sequence[TableStep],
        declared: Declared | None,
        agreed: Collection[Agreed],
        earlier: _PhaseReview | None,
    ) -> None:
        """`earlier`: the phase before, whose markers players may take off later, or None."""
        self.explained: Sequence[ExplainedQuestion] = declared.explained if declared is not None else ()
        throws = declared.throws if declared is not None else ()
        self.game = game
        self.steps = steps
        self.agreed = agreed
        self.start = steps[0].before
        self.end = steps[-1].after
        self.when = read_played_moment(game, self.start.state).label(game)
        self.phase = stated_phase(game, self.start.state.facts)
        self.clock = [name for name in clock_tracks(game) if name in game.tracks]
        self.follows = dict[FactKey, Value | None]()
        """The facts that the question of the whole phase and its lawful moves set, with their values."""
        self.ended_before: Mapping[FactKey, Value | None] = earlier.ended if earlier is not None else {}
        """The facts that ended with the phase before, with their values."""
        self.late_before: Mapping[FactKey, int] = earlier.late if earlier is not None else {}
        """The markers that should have been taken off before the phase, with the steps at which they ended."""
        self.late: dict[FactKey, int] = {}
        """The markers that should have been taken off as the phase ends."""
        self.ended: dict[FactKey, Value | None] = {}
        """The facts that end with the phase, with their values."""
        self.settings = SettingJudge(game, self.phase, throws)
        events = declared.table.record.events if declared is not None else ()
        self.dice = frozenset(event.dice for event in events if isinstance(event, Throw))
        """The kinds of dice that are thrown in the log."""
        self.combats = list[JudgedCombat]()
        self.combat_judge: CombatJudge | None = None
        if declared is not None:
            last = steps[-1].number - 1 if self.ends_phase else steps[-1].number
            self.combat_judge = CombatJudge(
                declared.table,
                self.explained,
                last,
                throws,
                is_phase_known=self.phase is not None,
                is_over=self.ends_phase,
            )
        self.has_combats = has_combats(game, self.phase)

    def judge(self) -> Iterator[Mark]:
        """Yield the marks of the phase."""
        deeds = list[Deed]()
        for step in self.steps:
            if step.question is not None:
                yield self.date(mark_answer(step))
            elif not step.is_ruled:
                deeds += list_deeds(step)
        if deeds:
            self.follows |= self.list_phase_changes()
        clock = [deed for deed in deeds if deed.track in self.clock and not deed.subject]
        deeds = [deed for deed in deeds if deed not in clock]
        marks = [*self.judge_questions(deeds)]
        wrong = {(differing.track, differing.subject) for combat in self.combats for differing in combat.differs}
        deeds = [deed for deed in deeds if deed.key not in wrong]
        of_questions = {deed for deed in deeds if self.is_of_question(deed)}
        loose = [deed for deed in deeds if deed not in of_questions]
        marks += [mark_deed(deed, "lawful", why="so its question has it") for deed in deeds if deed in of_questions]
        marks += self.judge_places([deed for deed in loose if deed.track == PLACE])
        marks += self.judge_facts([deed for deed in loose if deed.track != PLACE])
        if clock:
            marks += self.judge_clock(marks)
        marks += self.judge_late()
        yield from map(self.date, marks)

    def judge_questions(self, deeds: Sequence[Deed]) -> Iterator[Mark]:
        """Yield the judgements on the questions that the log declares, combats first."""
        if self.combat_judge is None:
            return
        self.combats = self.combat_judge.judge()
        for combat in self.combats:
            yield from self.combat_judge.mark(combat, deeds)
        self.follows |= find_values(self.combats)
        others = [question for question in self.explained if question.question not in self.combat_judge.fights]
        yield from map(mark_explained, others)
        self.explained = with_readings(self.explained, self.combats)

    def list_phase_changes(self) -> dict[FactKey, Value | None]:
        """Return the facts that the question of the whole phase sets, if it is decided without dice."""
        if self.phase is None or not self.phase.ask:
            return {}
        try:
            report = ask(self.start, Asked(self.phase.ask.partition(" ")[0], {}))
        except MachineError:
            raise
        except InputError:
            return {}
        if report.asks:
            return {}
        return dict(pair for change in report.changes for pair in list_expected(change))

    def date(self, mark: Mark) -> Mark:
        return msgspec.structs.replace(mark, when=self.when)

    def is_of_question(self, deed: Deed) -> bool:
        """Return whether a question that the log declares changes a fact, or a place, as the table then shows it."""
        for explained in self.explained:
            if not explained.first < deed.step <= explained.last or explained.report is None or explained.report.asks:
                continue
            expected = {key: value for change in explained.report.changes for key, value in list_expected(change)}
            if deed.key in expected and expected[deed.key] in (deed.after, self.read_end(deed)):
                return True
        return False

    def read_end(self, deed: Deed) -> Value | None:
        """Return the value of a change's fact, or the place of its unit, at the end of the phase."""
        state = self.end.state
        if deed.track == PLACE:
            return state.units[deed.subject].place if deed.subject in state.units else None
        fact = state.facts.get(deed.key)
        return self.game.tracks[deed.track].absent if fact is None else fact.value

    # --- units in other places

    def judge_places(self, deeds: Sequence[Deed]) -> Iterator[Mark]:
        """Yield the judgements on the units that stand elsewhere at the end of the phase."""
        net = dict[str, Deed]()
        for deed in deeds:
            first = net.get(deed.subject, deed)
            net[deed.subject] = deed._replace(before=first.before)
        moved = [deed for deed in net.values() if deed.before != deed.after]
        yield from (mark_deed(deed, "aside", why="there and back") for deed in net.values() if deed not in moved)
        ground = Ground.of(self.game, self.start.state)
        movements = self.list_movements()
        actions = dict(self.list_actions(ground, moved, bool(movements)))
        outcomes = PhaseMoves(MoveJudge(movements), ground, [*actions]).judge_all()
        for action, done in actions.items():
            if done is not None and action in outcomes:
                yield self.mark_move(done, outcomes[action])
            elif done is not None:
                why = self.tell_attack(done) or self.tell_doubt(action, bool(movements))
                yield mark_deed(done, "undecided", why=why)

    def list_movements(self) -> list[Movement]:
        """Return all kinds of move, if the phase asks for one of them or the record states no phase."""
        movements = movements_of(self.game)
        if self.phase is None:
            return movements
        asked = list_asked(self.phase)
        return movements if any(movement.question.name in asked for movement in movements) else []

    def list_actions(
        self, ground: Ground, moved: Sequence[Deed], has_moves: bool
    ) -> Iterator[tuple[Action, Deed | None]]:
        """Yield the actions of the phase in their order, each with its deed, or None for a journal's answer."""
        active = active_sides(self.game, self.start.state.facts)
        by_step: list[tuple[int, Action, Deed | None]] = []
        for deed in moved:
            before, after = str(deed.before or ""), str(deed.after or "")
            side = ground.view.side_of(deed.subject) if deed.subject in ground.state.units else ""
            acts = not active or side in active
            is_judged = has_moves and acts and bool(after) and deed.subject in ground.state.units
            is_judged = is_judged and ground.view.board.is_hex(after)
            stands = (deed.step, describe_deed(deed)) in self.agreed
            changes = (self.change_of(deed),)
            action = Action(
                deed.step, deed.subject, before, after, changes, is_judged and not stands, stands, is_hostile=not acts
            )
            by_step.append((deed.step, action, deed))
        for step in self.steps:
            if step.question is not None:
                by_step.append((step.number, Action(step.number, "", "", "", changes_of_step(step), False, True), None))
        yield from ((action, deed) for _, action, deed in sorted(by_step, key=lambda entry: entry[0]))

    def change_of(self, deed: Deed) -> AnyChange:
        if deed.before is None and deed.subject not in self.start.state.units:
            return Enter(deed.subject, self.end.state.units[deed.subject].type, str(deed.after), 0, "")
        return Change(PLACE, deed.subject, deed.before, deed.after, "")

    def mark_move(self, deed: Deed, outcome: Outcome) -> Mark:
        """Return the mark of a move; only a move from hex to hex in a known phase can be against a rule."""
        verdict = outcome.verdict
        if verdict.kind == "lawful":
            self.follows |= {key: value for change in verdict.changes for key, value in list_expected(change)}
            return mark_deed(deed, "lawful", why=outcome.order, way=verdict.way, rests_on=verdict.rests_on)
        doubt = ""
        if verdict.kind == "against":
            is_hex = self.start.game.board_of(self.start.state).is_hex
            if self.phase is None:
                doubt = "which phase it is"
            elif not (deed.before and is_hex(str(deed.before))):
                doubt = f"what brought it from {deed.before or 'off the map'} to {deed.after}"
            elif deed.step == self.steps[-1].number and self.ends_phase:
                doubt = "whether it moved before or after the phase ended"
            elif not verdict.rule:
                doubt = verdict.why or "what moved it"
        if doubt or verdict.kind == "undecided":
            return mark_deed(deed, "undecided", why=doubt or verdict.why)
        more = {"rule": verdict.rule, "why": verdict.why, "remedy": verdict.remedy, "rests_on": verdict.rests_on}
        return mark_deed(deed, "against", **more)

    @property
    def last(self) -> Position:
        """The last position of the phase."""
        return self.steps[-1].before if self.ends_phase else self.end

    def last_without(self, *deeds: Deed) -> Position:
        """Return the last position of the phase with changes taken back."""
        undone = [Change(deed.track, deed.subject, deed.after, deed.before, "") for deed in deeds]
        return self.last.with_state(carry_out(self.last.state, undone, self.game.tracks))

    @property
    def ends_phase(self) -> bool:
        """Whether the last step leads to another phase."""
        states = self.steps[-1].before.state, self.steps[-1].after.state
        return any(states[0].facts.get((track, "")) != states[1].facts.get((track, "")) for track in self.clock)

    def tell_doubt(self, action: Action, has_moves: bool) -> str:
        """Return what is missing to judge an action that the moves of the phase do not decide."""
        if is_limited(self.start.state.seen_by) and not (action.before and action.after):
            return "whether it is only seen, or no longer seen"
        if not action.before:
            return "what brought it into play"
        if not action.after:
            return "what took it out of play"
        if action.is_hostile and has_moves:
            return "what moved a unit of the side that does not move now"
        if not has_moves:
            return "what moved it in a phase without moves"
        return "what moved it off the hexes of the map"

    def tell_attack(self, deed: Deed) -> str:
        """Return which attack a change of a phase with combats may belong to, or "" in any other phase."""
        if not self.has_combats:
            return ""
        state = self.start.state
        board = self.game.board_of(state)
        unit = state.units.get(deed.subject)
        at = str(unit.place or "") if unit is not None else deed.subject
        if not board.is_hex(at):
            return ""
        near = (combat for combat in self.combats if combat.judgement == "undecided")
        if judge := self.combat_judge:
            for combat in near:
                if any(board.distance(at, hex) <= 1 for hex in judge.list_targets(combat.explained)):
                    return f"whether it is of {describe_question(combat.explained)}, which is undecided"
        active = active_sides(self.game, state.facts)
        if unit is None or self.game.side_of_unit(unit, state.facts) not in active:
            return f"who attacks {at}"
        targets = [
            hex
            for hex in board.neighbours(at)
            if any(self.game.side_of_unit(other, state.facts) not in active for other in state.stack(hex))
        ]
        return f"who attacks {targets[0]}" if len(targets) == 1 else f"which hex {deed.subject} attacks"

    # --- facts

    def judge_facts(self, deeds: Sequence[Deed]) -> Iterator[Mark]:
        """Yield the judgements on the facts that were set."""
        judging = judging_questions(self.game)
        for deed in net_deeds(deeds):
            track = self.game.tracks[deed.track]
            if self.settings.normalize(deed, deed.before) == self.settings.normalize(deed, deed.after):
                yield mark_deed(deed, "aside", why="set and taken back")
            elif self.agrees(deed, self.follows):
                yield mark_deed(deed, "lawful", why="it follows by the rules")
            elif self.agrees(deed, self.ended) or self.agrees(deed, self.ended_before):
                yield mark_deed(deed, "lawful", why="it ends with the phase")
            elif deed.track in judging:
                yield self.judge_fact(deed, judging[deed.track])
            elif track.printed or not track.rule:
                yield mark_deed(deed, "aside")
            else:
                yield self.judge_setting(deed)

    def agrees(self, deed: Deed, values: Mapping[FactKey, Value | None]) -> bool:
        """Return whether a change gives its fact the value that it has in `values`."""
        normalize = self.settings.normalize
        return deed.key in values and normalize(deed, values[deed.key]) == normalize(deed, deed.after)

    def judge_setting(self, deed: Deed) -> Mark:
        """Return the judgement on a fact by the questions that set such facts.

        It is against a rule only if all of them refuse it with a rule, and the phase is known.
        """
        verdict = self.settings.judge(deed, self.list_tables(deed))
        if verdict is None:
            return mark_deed(deed, "undecided", why=self.tell_attack(deed) or "what set it is not declared")
        if verdict.kind == "lawful":
            return mark_deed(deed, "lawful", why=verdict.why, rests_on=verdict.rests_on)
        doubt = ""
        if verdict.kind == "against":
            if self.phase is None:
                doubt = "which phase it is"
            elif deed.step == self.steps[-1].number and self.ends_phase:
                doubt = "whether it was set before or after the phase ended"
            elif not verdict.rule:
                doubt = verdict.why
            else:
                doubt = self.find_order_doubt(deed)
        if doubt or verdict.kind == "undecided":
            return mark_deed(deed, "undecided", why=doubt or verdict.why)
        remedy = f"set {deed.track}{f' of {deed.subject}' if deed.subject else ''} to {write_value(deed.before)}"
        more = {"rule": verdict.rule, "why": verdict.why, "remedy": remedy, "rests_on": verdict.rests_on}
        return mark_deed(deed, "against", **more)

    def list_tables(self, deed: Deed) -> list[Table]:
        """Return the positions in which a fact may have been set: the phase's start, before the step, and its end.

        At the end the fact itself is taken back. Each position is also tried with what only the rules know of the
        phase's moves, such as points spent.
        """
        tracks = self.game.tracks
        before = next(step.before for step in self.steps if step.number == deed.step)
        positions = [before, self.last_without(deed), self.start]
        known = [
            Change(track, subject, None, value, "")
            for (track, subject), value in self.follows.items()
            if track in tracks and tracks[track].module is None and tracks[track].on == "unit"
        ]
        tables = [Table(position, is_bare=bool(known)) for position in positions]
        if known:
            tables += [
                Table(position.with_state(carry_out(position.state, known, tracks))) for position in positions[:2]
            ]
        return tables

    def find_order_doubt(self, deed: Deed) -> str:
        """Return what makes a refused fact doubtful if it may have been set between moves nearby, or "" if nothing does."""
        moved = self.list_moves_near(deed)
        if not moved:
            return ""
        doubt = f"in which order it was set and {', '.join(move.subject for move in moved)} moved"
        if len(moved) > _MAX_MOVES_NEAR:
            return doubt
        for number in range(1, len(moved) + 1):
            for unmoved in combinations(moved, number):
                verdict = self.settings.judge(deed, [Table(self.last_without(*unmoved, deed))])
                if verdict is None or verdict.kind != "against":
                    return doubt
        return ""

    def list_moves_near(self, deed: Deed) -> list[Deed]:
        """Return the moves of the phase that begin or end near the unit or hex of a fact."""
        on = self.game.tracks[deed.track].on
        if on not in ("unit", "hex"):
            return []
        board = self.game.board_of(self.start.state)
        units = [state.units.get(deed.subject) for state in (self.start.state, self.end.state)]
        places = (
            [deed.subject] if on == "hex" else [str(unit.place) for unit in units if unit is not None and unit.place]
        )
        moves = (deed for step in self.steps for deed in list_deeds(step) if deed.track == PLACE)

        def is_near(end: Value | None) -> bool:
            """Return whether a move that ends there may matter; one off the hexes always may."""
            hexes = [place for place in places if board.is_hex(place)]
            if not (hexes and end and board.is_hex(str(end))):
                return True
            return any(board.distance(place, str(end)) <= _NEAR_HEXES for place in hexes)

        moved = [move for move in net_deeds(moves) if move.before != move.after]
        return [move for move in moved if is_near(move.before) or is_near(move.after)]

    def judge_fact(self, deed: Deed, judging: JudgingQuestion) -> Mark:
        """Return the judgement on a fact that a question works out.

        It is against a rule only in the phase that sets such facts, if the rules have the same value for it all along.
        """
        values = list[Value | None]()
        report: Report[Any] | None = None
        for position in (self.start, self.last):
            try:
                value, report = judging.ask(position, deed.subject)
            except MachineError:
                raise
            except InputError as error:
                return mark_deed(deed, "undecided", why=reason(error))
            if report.asks or report.verdict.kind == "undecided" or report.result is None:
                return mark_deed(deed, "undecided", why=report.verdict.text)
            values.append(value)
        assert report is not None
        rests_on = stand_ins_of(report)
        if self.read_end(deed) in values or deed.after in values:
            return mark_deed(deed, "lawful", rests_on=rests_on)
        by_rules = f"by the rules {write_value(values[-1])}: {report.verdict.text}"
        track = self.game.tracks[deed.track]
        if not self.sets(track, deed.subject) or values[0] != values[1] or values[0] is None:
            return mark_deed(deed, "undecided", why=f"in which phase it was set; now {by_rules}", rests_on=rests_on)
        remedy = f"set {deed.track} of {deed.subject} to {write_value(values[0])}"
        return mark_deed(deed, "against", rule=track.rule, why=by_rules, remedy=remedy, rests_on=rests_on)

    def sets(self, track: Track, unit: str) -> bool:
        """Return whether a step of the phase takes such a fact of a unit off, or states it again."""
        state = self.start.state
        if self.phase is None or unit not in state.units:
            return False
        if self.game.side_of_unit(state.units[unit], state.facts) not in active_sides(self.game, state.facts):
            return False
        names = {self.phase.name, *(step.name for step in self.phase.steps)}
        return not names.isdisjoint(track.ended_by)

    # --- the end of the phase

    def judge_clock(self, marks: Sequence[Mark]) -> Iterator[Mark]:
        """Yield the judgements on the step to the next phase: whether the course of play leads there, and what is owed.

        `marks`: the marks of the phase so far.
        """
        before, after = self.steps[-1].before, self.steps[-1].after
        what = f"on to {read_played_moment(self.game, after.state).label(self.game) or 'no stated phase'}"
        mark = Mark(step=self.steps[-1].number, judgement="undecided", what=what, cause="phase")
        position = self.with_known(before)
        found = find_next(position)
        if isinstance(found, str):
            position, found = before, find_next(before)
        if isinstance(found, str):
            yield msgspec.structs.replace(mark, why=found)
            return
        due = found.next
        self.ended = dict(pair for change in found.changes for pair in list_expected(change))
        yield from self.judge_owed(position, due.left, marks)
        now = tuple(str(after.state.value(track, "") or "") for track in self.clock)
        if (str(due.turn), due.phase, due.side) == now:
            yield msgspec.structs.replace(mark, judgement="lawful")
            return
        skipped = find_skipped(position, found, after.state) if self.phase is not None else None
        if skipped is None:
            follows = " ".join(filter(None, (f"turn {due.turn}", due.side, due.phase)))
            yield msgspec.structs.replace(mark, why=f"by the course of play {follows} follows")
            return
        names = ", ".join(" ".join(filter(None, (phase.side, phase.phase))) for phase in skipped.phases)
        yield msgspec.structs.replace(mark, judgement="lawful", why=f"skipped: {names}")
        for place, item in skipped.owed:
            yield from self.judge_owed(place, [item], marks)

    def with_known(self, position: Position) -> Position:
        """Return a position with what only the rules know of the phase, such as who has attacked.

        What ends once a unit leaves its hex is left out if the unit was moved further than the rules have it.
        """
        tracks = self.game.tracks
        known = list[AnyChange]()
        for (track, subject), value in self.follows.items():
            if track not in tracks or tracks[track].on not in ("unit", "hex"):
                continue
            if tracks[track].module is not None and not tracks[track].is_passing:
                continue
            if tracks[track].ends_on_leaving and self.has_moved(subject):
                continue
            known.append(Change(track, subject, None, value, ""))
        return position.with_state(carry_out(position.state, known, tracks))

    def has_moved(self, unit: str) -> bool:
        """Return whether a unit stands elsewhere at the end of the phase than where it was and the rules have it."""
        units = self.start.state.units, self.last.state.units
        before, now = (known[unit].place if unit in known else None for known in units)
        return now != self.follows.get((PLACE, unit), before)

    def judge_owed(self, position: Position, items: Sequence[ChecklistItem], marks: Sequence[Mark]) -> Iterator[Mark]:
        """Yield the judgements on the steps that a phase owes as it ends."""
        doubtful = [mark.what for mark in marks if mark.judgement == "undecided"]
        for owed in list_owed_steps(position, items, self.dice):
            item = owed.item
            judgement, why = owed.judgement, owed.why
            subjects = {*item.units, *item.places}
            near = next((what for what in doubtful if not subjects or not subjects.isdisjoint(words_in(what))), "")
            if judgement == "against" and (near or self.settings.throws):
                judgement, why = "undecided", f"what {near} decided" if near else "what the other throws are for"
            yield Mark(
                step=self.steps[-1].number,
                judgement=judgement,
                what=f"owed: {item.text}",
                rule=item.rule if judgement == "against" else "",
                why=why,
                remedy=f"ask {item.ask}" if judgement == "against" else "",
                cause="owed",
            )

    def judge_late(self) -> Iterator[Mark]:
        """Yield what ended with an earlier phase and is still on the table as this one ends.

        In a phase with moves or combats markers may have been set anew.
        """
        self.late = {key: step for key, step in self.late_before.items() if self.is_lying(key)}
        if self.ends_phase and self.phase is not None and not self.has_combats and not self.list_movements():
            for (track, subject), step in self.late.items():
                declared = self.game.tracks[track]
                yield Mark(
                    step=self.steps[-1].number,
                    judgement="against",
                    what=f"{subject}: {track} is still {write_value(self.value_at_end(track, subject))}",
                    rule=declared.rule,
                    why=f"it ended with step {step}",
                    remedy=f"take {track} off {subject}",
                    cause=track,
                )
            self.late = {}
        number = self.steps[-1].number
        tracks = self.game.tracks
        for (track, subject), value in self.ended.items():
            is_marker = track in tracks and tracks[track].module is not None and tracks[track].on == "unit"
            if is_marker and not value and self.value_at_end(track, subject):
                self.late.setdefault((track, subject), number)

    def is_lying(self, key: FactKey) -> bool:
        """Return whether a marker lies there all through the phase, and nothing in the phase sets it."""
        if key in self.follows:
            return False
        states = [self.start.state, *(step.after.state for step in self.steps)]
        return all((fact := state.facts.get(key)) is not None and bool(fact.value) for state in states)

    def value_at_end(self, track: str, subject: str) -> Value | None:
        fact = self.end.state.facts.get((track, subject))
        return fact.value if fact is not None else None


# --- marks ------------------------------------------------------------------------------------------------------------


def mark_deed(deed: Deed, judgement: Judgement, **more: Any) -> Mark:
    """Return the mark of a change. `more`: further fields of the mark."""
    cause = "move" if deed.track == PLACE else deed.track
    return Mark(step=deed.step, judgement=judgement, what=describe_deed(deed), cause=cause, **more)


def words_in(text: str) -> set[str]:
    """Return the words of a text without punctuation at their ends."""
    return {word.strip(":,;()") for word in text.split()}


def describe_deed(deed: Deed) -> str:
    """Return what a change did, such as `27/3 from 41.18 to 41.19`."""
    if deed.track != PLACE:
        subject = f"{deed.subject}: " if deed.subject else ""
        return f"{subject}{deed.track} {write_value(deed.before)} to {write_value(deed.after)}"
    if deed.before is None:
        return f"{deed.subject} comes to {deed.after}"
    if deed.after is None:
        return f"{deed.subject} leaves {deed.before}"
    return f"{deed.subject} from {deed.before} to {deed.after}"

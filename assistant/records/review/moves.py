"""A single move judged: whether any way that the rules allow leads a unit from one hex to another.

The question with the moves finds the ways with another one, such as `reach`, and then answers itself along the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ...asking.parameters import read_parameters
from ...asking.placeholders import list_stand_ins
from ...asking.question import Moves, Question, decide
from ...asking.report import MissingFacts, Report
from ...asking.view import View
from ...formats.positions import Asked, Position
from ...game.games import Game
from ...installed.registry import questions_of
from ...service import answer_in_view
from ...state.changes import AnyChange
from ...state.differences import changes_between
from ...state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN, FactKey, GameState
from ...util.errors import InputError
from ..explaining.record import reason
from .deeds import PLACE, carry_out, list_expected

_MAX_NEAR_HEXES = 3
"""The maximum number of hexes within reach from which a refused move is tried onwards, to name the rule."""


class Verdict(NamedTuple):
    """The judgement on a move in one position."""

    kind: Literal["lawful", "against", "undecided"]
    why: str = ""
    rule: str = ""
    remedy: str = ""
    way: tuple[str, ...] = ()
    """The hexes of a lawful move, with the first one."""
    changes: tuple[AnyChange, ...] = ()
    """The changes of a lawful move."""
    hexes: frozenset[str] = frozenset()
    """The hexes within reach, the first one too."""
    rests_on: tuple[str, ...] = ()
    """The stand-ins for the owner's own map, charts and counters, such as `drawn map`."""


class Ground(NamedTuple):
    """A state in which moves are judged, with the view whose results they share."""

    game: Game
    state: GameState
    view: View
    is_certain: bool
    """Whether nothing is stated as assumed or hidden, so that answers need not note what they rest on."""

    @classmethod
    def of(cls, game: Game, state: GameState) -> Ground:
        hides = bool(state.tracks & {HIDDEN, UNSEEN, MASKED, INVISIBLE})
        is_assumed = any(fact.assumed for fact in state.facts.values())
        return cls(game, state, View(game, state), is_certain=not hides and not is_assumed)

    def after(self, changes: Sequence[AnyChange]) -> Ground:
        """Return the ground after changes as they were made on a table."""
        state = carry_out(self.state, changes, self.game.tracks)
        made = [*changes_between(self.state, state, self.game.tracks)]
        return Ground(self.game, state, self.view.view_of(state, made), self.is_certain)


class Movement(NamedTuple):
    """A kind of move with its question."""

    question: Question[Any, Any]
    moves: Moves


def movements_of(game: Game) -> list[Movement]:
    """Return the kinds of move that the questions of a game allow."""
    questions = questions_of(game).values()
    return [Movement(question, moves) for question in questions for moves in question.shows if isinstance(moves, Moves)]


class MoveJudge:
    """Judges moves by the kinds of move of a phase."""

    def __init__(self, movements: Sequence[Movement]) -> None:
        self.movements = movements
        self._read = set[FactKey]()

    @property
    def is_together(self) -> bool:
        """Whether units may move together in the phase, so that one helps another."""
        return any(movement.moves.is_together for movement in self.movements)

    def judge(self, ground: Ground, units: Sequence[str], after: str) -> Verdict:
        """Return whether units may move together to a hex; the first of them is the one that is judged."""
        refused: Verdict | None = None
        doubtful: Verdict | None = None
        for movement in self.movements:
            verdict = _Trial(self, ground, movement, units, after).judge()
            if verdict.kind == "lawful":
                return verdict
            if verdict.kind == "undecided":
                doubtful = doubtful or verdict
            elif verdict.rule and not (refused and refused.rule):
                refused = verdict
            refused = refused or verdict
        if refused is None:
            return doubtful or Verdict("undecided", "what may move it in this phase is not known")
        if doubtful is not None:
            return doubtful._replace(hexes=refused.hexes | doubtful.hexes)
        return refused

    def glance(self, ground: Ground, units: Sequence[str], after: str) -> Verdict:
        """Return the same as `judge`, but a refusal without its reason, which takes far less time."""
        hexes = set[str]()
        for movement in self.movements:
            reached = _Trial(self, ground, movement, units, after).glance()
            if reached is None or after in reached:
                return self.judge(ground, units, after)
            hexes |= reached
        return Verdict("against", hexes=frozenset(hexes))

    def find_read(self, ground: Ground, units: Sequence[str], after: str) -> frozenset[FactKey]:
        """Return the facts that the judgement on a move reads."""
        self._read.clear()
        self.judge(ground, units, after)
        return frozenset(self._read)

    def note_read(self, view: View) -> None:
        """Note the facts that an answer has read."""
        self._read.update(view.premises.facts)


class _Trial:
    """A move tried as one kind of move.

    `units`: the unit that is judged, then its companions.
    """

    def __init__(self, judge: MoveJudge, ground: Ground, movement: Movement, units: Sequence[str], after: str) -> None:
        self.judging = judge
        self.ground = ground
        self.question, self.moves = movement
        self.units = units
        self.after = after
        self.before = str(ground.state.units[units[0]].place or "")

    def judge(self) -> Verdict:
        if self.after == self.before:
            return Verdict("lawful")
        is_excluded = self.moves.is_excluded
        if is_excluded is not None and is_excluded(
            self.ground.view.quiet_view(), self.units[0], self.before, self.after
        ):
            return Verdict("against")
        verdict = self.judge_reach() if self.moves.reach else self.judge_whole()
        if verdict.kind == "lawful" or is_excluded is None:
            return verdict
        typed = f"{self.question.name} {_mover(self.question.parameters)}={self.units[0]}"
        return Verdict("undecided", f"whether it went {self.moves.by} (ask {typed} ...)", hexes=verdict.hexes)

    def glance(self) -> frozenset[str] | None:
        """Return the hexes within reach, or None if that is not certain from a brief answer."""
        view = self.ground.view if self.ground.is_certain else self.ground.view.quiet_view()
        if self.moves.is_excluded is not None:
            excluded = self.moves.is_excluded(view, self.units[0], self.before, self.after)
            return frozenset() if excluded else None
        if not self.moves.reach:
            return frozenset() if self.judge_whole().kind == "against" else None
        question = questions_of(self.ground.game)[self.moves.reach]
        try:
            parameters = read_parameters(question, view, self.name_movers(question, self.moves.reach_parameters))
            report = decide(question, view, parameters, {})
        except (InputError, MissingFacts):
            return None
        result = report.result
        if result is None and report.verdict.kind == "no":
            return frozenset((self.before,))
        if result is None or result.unknown or (not self.ground.is_certain and find_doubt(view)):
            return None
        return frozenset((self.before, *(place.hex for place in result.hexes)))

    def judge_whole(self) -> Verdict:
        """Judge a move for which no other question finds the ways."""
        try:
            report = self.ask(self.question.name, {self.moves.to: self.after})
        except InputError:
            return Verdict("against")
        return self.read_report(report, ())

    def judge_reach(self) -> Verdict:
        asked = {**self.moves.reach_parameters}
        view = self.ground.view.quiet_view()
        try:
            report = self.ask(self.moves.reach, asked, view)
        except InputError as error:
            return Verdict("undecided", reason(error))
        if report.verdict.kind == "undecided" or report.result is None:
            return self.refuse(report, view)
        result = report.result
        hexes = frozenset((self.before, *(place.hex for place in result.hexes)))
        way = next((place.way for place in result.hexes if place.hex == self.after), None)
        if way is not None:
            return self.walk(way)._replace(hexes=hexes)
        if result.unknown:
            return Verdict("undecided", f"the ground of {', '.join(result.unknown[:3])} is not stated", hexes=hexes)
        if doubt := find_doubt(view):
            return Verdict("undecided", doubt, hexes=hexes)
        return self.explain_bar(result)._replace(hexes=hexes, rests_on=stand_ins_of(report))

    def walk(self, way: Sequence[str]) -> Verdict:
        """Judge the move along a way."""
        try:
            report = self.ask(self.question.name, {self.moves.to: [*way]})
        except InputError as error:
            return Verdict("undecided", reason(error))
        verdict = self.read_report(report, (self.before, *way))
        if verdict.kind == "against":  # another way, which the search does not name, may still be allowed
            why = f"the cheapest way, {' '.join(way)}, is refused: {verdict.why}"
            return Verdict("undecided", why)
        return verdict

    def read_report(self, report: Report[Any], way: tuple[str, ...]) -> Verdict:
        if report.asks:
            return Verdict("undecided", format_missing(report))
        if report.verdict.kind == "no":
            return self.refuse(report, None)
        if report.verdict.kind == "undecided":
            return Verdict("undecided", report.verdict.text)
        values = dict(pair for change in report.changes for pair in list_expected(change))
        if values.get((PLACE, self.units[0])) != self.after:
            return Verdict("against")
        return Verdict("lawful", way=way, changes=report.changes, rests_on=stand_ins_of(report))

    def refuse(self, report: Report[Any], view: View | None) -> Verdict:
        """Return the verdict on a refusal of the whole question."""
        if report.asks:
            return Verdict("undecided", format_missing(report))
        if report.verdict.kind != "no":
            return Verdict("undecided", report.verdict.text)
        if view is not None and (doubt := find_doubt(view)):
            return Verdict("undecided", doubt)
        rule, why = read_reason(report)
        remedy = f"{self.units[0]} stays in {self.before}"
        return Verdict("against", why, rule, remedy, rests_on=stand_ins_of(report))

    def explain_bar(self, result: Any) -> Verdict:
        """Return the refusal of a hex out of reach, with the rule and how far the unit may go."""
        barred = next((option for option in result.barred if option.hex == self.after), None)
        distance = self.ground.view.board.distance
        near = sorted(result.hexes, key=lambda place: (distance(place.hex, self.after), place.cost))
        remedy = f"{self.units[0]} may go as far as {near[0].hex}, by {' '.join(near[0].way)}" if near else ""
        remedy = remedy or f"{self.units[0]} stays in {self.before}"
        if barred is not None:
            return Verdict("against", f"{barred.hex}: {barred.barred}", barred.rule, remedy)
        starts = [(place.hex, place.way) for place in near[:_MAX_NEAR_HEXES]]
        if not near or distance(self.before, self.after) == 1:
            starts.insert(0, (self.before, ()))
        for hex, way in starts:
            onward = _find_line(self.ground.view, hex, self.after)
            try:
                report = self.ask(self.question.name, {self.moves.to: [*way, *onward]})
            except InputError:
                continue
            rule, why = read_reason(report)
            if rule:
                return Verdict("against", why, rule, remedy)
        return Verdict("against", f"{self.after} is out of reach", "", remedy)

    def name_movers(self, question: Question[Any, Any], further: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of a question about the units that move."""
        mover = _mover(question.parameters)
        return {mover: [*self.units] if mover == "units" else self.units[0], **further}

    def ask(self, name: str, further: Mapping[str, Any], view: View | None = None) -> Report[Any]:
        """Return the answer to a question about the units that move.

        Raises InputError if it cannot be asked.
        """
        parameters = self.name_movers(questions_of(self.ground.game)[name], further)
        if name == self.question.name:
            hexes = {"before": self.before, "after": self.after}
            parameters |= {key: text.format_map(hexes) for key, text in self.moves.parameters.items()}
        position = Position(self.ground.game, self.ground.state)
        view = view or self.ground.view.quiet_view()
        try:
            return answer_in_view(view, position, Asked(name, parameters))
        finally:
            self.judging.note_read(view)


def find_doubt(view: View) -> str:
    """Return what an answer rests on that is hidden or only assumed, or "" if it rests on certain facts alone."""
    premises = view.premises
    if premises.supposes:
        unseen = [*premises.unseen, *(subject for _, subject in premises.supposed)]
        return f"what this viewpoint may not know of {', '.join(dict.fromkeys(unseen[:3]))}"
    for (track, subject), fact in premises.facts.items():
        if fact.assumed:
            about = f" of {subject}" if subject else ""
            return f"{view.game.track(track).title}{about} is only assumed"
    return ""


def stand_ins_of(report: Report[Any] | None) -> tuple[str, ...]:
    """Return what stands in for the owner's own map, charts and counters in an answer, or () if nothing does."""
    return tuple(list_stand_ins(report.rests_on).values()) if report is not None else ()


def hexes_explored(game: Game, read: Iterable[FactKey]) -> frozenset[str]:
    """Return the hexes of which something was read that the map prints in them."""
    tracks = game.tracks
    return frozenset(subject for track, subject in read if tracks[track].printed == "map" and tracks[track].on == "hex")


def _mover(parameters: Any) -> str:
    return "units" if "units" in parameters.__struct_encode_fields__ else "unit"


def format_missing(report: Report[Any]) -> str:
    """Return the fact or die for which an answer waits."""
    first = report.asks[0]
    return f"{first.title or first.name} is not stated" if first.kind != "roll" else f"its die {first.name}"


def read_reason(report: Report[Any]) -> tuple[str, str]:
    """Return the first rule against an action and the reason, both "" if there is none."""
    return next(((why.rule, why.text) for why in report.reasons if why.rule), ("", ""))


def _find_line(view: View, start: str, end: str) -> list[str]:
    """Return a shortest line of adjacent hexes, without the first one."""
    board = view.board
    line = list[str]()
    here = start
    while here != end and len(line) < board.distance(start, end):
        here = min(board.neighbours(here), key=lambda hex: board.distance(hex, end))
        line.append(here)
    return line

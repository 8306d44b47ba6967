"""The moves of a phase judged together, in any order that makes them lawful.

The order of a record is tried first. A refused move is then tried between the other moves that touch what it depends on.
A search that ends by its limits never accuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ...state.changes import AnyChange, Change, Gain, Raise
from ...state.state import FactKey
from ...state.tracks import Value
from .deeds import PLACE
from .moves import Ground, MoveJudge, Verdict, hexes_explored

MAX_OTHERS = 6
"""The maximum number of other moves between which all orders are tried."""
MAX_TRIALS = 400
"""The maximum number of judgements for one refused move."""
_ZONE_HEXES = 2
"""The distance in hexes at which an enemy may matter for a hex: it has a zone, and so may its neighbour."""


class Action(NamedTuple):
    """Something done on the table in a phase."""

    step: int
    unit: str
    """The unit that was brought to another place, or "" for an answer."""
    before: str
    """The unit's place before, or "" if it was not in play."""
    after: str
    """The unit's place after, or "" if it left play."""
    changes: tuple[AnyChange, ...]
    """The changes, as the table shows them."""
    is_judged: bool
    """Whether the rules of moves decide it; otherwise it may only have made others possible."""
    stands: bool = False
    """Whether it stands in its place in the order: an answer, or what both players let stand."""
    is_hostile: bool = False
    """Whether another side does it than the one that moves."""


class Outcome(NamedTuple):
    """The judgement on an action among the others."""

    verdict: Verdict
    order: str = ""
    """The action's place in an order that works, or "" if that is the order of the record."""
    rests_on: tuple[Action, ...] = ()
    """The actions without which it is not lawful."""


class PhaseMoves:
    """The actions of a phase, judged from the state in which it begins."""

    def __init__(self, judge: MoveJudge, start: Ground, actions: Sequence[Action]) -> None:
        self.judge = judge
        self.start = start
        self.actions = actions
        self.outcomes = dict[Action, Outcome]()
        self.spent = 0

    def judge_all(self) -> dict[Action, Outcome]:
        """Return the judgement on each action that the rules of moves decide."""
        self.judge_in_order()
        stuck = [action for action in self.actions if action.is_judged and action not in self.outcomes]
        for action in stuck:
            self.outcomes[action] = self.settle(action)
        self.spread_doubt()
        return self.outcomes

    def judge_in_order(self) -> None:
        """Judge the actions in the order of the record, and those refused again after the others."""
        ground = self.start
        waiting = list[Action]()
        for action in self.actions:
            if action.stands:
                ground = ground.after(action.changes)
            elif action.is_judged:
                ground = self.try_next(ground, action, waiting)
        while waiting:
            again, waiting = waiting, []
            for action in again:
                ground = self.try_next(ground, action, waiting)
            if len(waiting) == len(again):
                return

    def try_next(self, ground: Ground, action: Action, waiting: list[Action]) -> Ground:
        """Judge an action next, and return the ground after it; if it is not lawful, it waits."""
        verdict = self.judge.judge(ground, [action.unit], action.after)
        if verdict.kind != "lawful":
            waiting.append(action)
            return ground
        self.outcomes[action] = Outcome(verdict)
        return ground.after(verdict.changes)

    def changes_of(self, action: Action) -> tuple[AnyChange, ...]:
        """Return the changes of an action by the rules if it is lawful, otherwise as the table shows them."""
        outcome = self.outcomes.get(action)
        return outcome.verdict.changes if outcome and outcome.verdict.changes else action.changes

    def ground_after(self, actions: Sequence[Action]) -> Ground:
        """Return the ground after some actions, whether they are lawful or not."""
        changes = [change for action in self.actions if action in actions for change in self.changes_of(action)]
        return self.start.after(changes) if changes else self.start

    # --- a move that the order of the record does not allow

    def settle(self, action: Action) -> Outcome:
        """Return the judgement on a move that is refused in the order of the record."""
        self.spent = 0
        others = [other for other in self.actions if other is not action]
        first = self.try_between(action, ())
        if first.kind == "undecided":  # the fact that is missing matters more than the order
            return Outcome(first)
        fresh = Ground.of(self.start.game, self.start.state)  # results shared with other views would read less
        read = self.judge.find_read(fresh, [action.unit], action.after)
        touching = self.find_touching(action, others, read)
        if len(touching) > MAX_OTHERS:
            return Outcome(_undecided(f"in which order it moved among {_name(touching)}"))
        doubtful: Verdict | None = None
        for before, base in self.list_orders(touching, others):
            if self.spent > MAX_TRIALS:
                return Outcome(_undecided(f"in which order it moved among {_name(touching)}"))
            verdict = self.try_between(action, base)
            if verdict.kind == "lawful":
                return self.place_between(action, verdict, before, base)
            if verdict.kind == "undecided":
                doubtful = doubtful or verdict
        if doubtful is not None:
            return Outcome(doubtful)
        if enemies := [other for other in touching if other.is_hostile]:  # it may have driven them out
            return Outcome(_undecided(f"what moved {_name(enemies)}"))
        if let_stand := [other for other in touching if other.stands and other.unit]:  # how it moved is not known
            return Outcome(_undecided(f"what {_name(let_stand)}, let stand, did on the way"))
        if passing := self.find_passing(action, others, read):
            return Outcome(_undecided(f"by which hexes {_name(passing)} went"))
        together = self.try_together(action, others)
        return together or Outcome(self.judge.judge(self.start, [action.unit], action.after))

    def try_between(self, action: Action, earlier: Sequence[Action]) -> Verdict:
        """Judge a move after some others."""
        self.spent += 1
        return self.judge.glance(self.ground_after(earlier), [action.unit], action.after)

    def find_touching(self, action: Action, others: Sequence[Action], read: frozenset[FactKey]) -> list[Action]:
        """Return the other actions that touch the facts read for a move, or change its judgement."""
        explored = hexes_explored(self.start.game, read) | {action.before, action.after}
        near = [other for other in others if self.is_near(other, read, explored)]
        if len(near) > MAX_OTHERS:
            return near
        at_start = self.reach_after(action, ())
        at_end = self.reach_after(action, others)
        for other in others:
            if other in near or self.spent > MAX_TRIALS:
                continue
            without = [one for one in others if one is not other]
            if self.reach_after(action, [other]) != at_start or self.reach_after(action, without) != at_end:
                near.append(other)
        return [other for other in others if other in near]

    def reach_after(self, action: Action, earlier: Sequence[Action]) -> tuple[str, frozenset[str]]:
        verdict = self.try_between(action, earlier)
        return verdict.kind, verdict.hexes

    def is_near(self, other: Action, read: frozenset[FactKey], explored: frozenset[str]) -> bool:
        """Return whether an action changes something that was read, or begins or ends in the hexes explored."""
        ends = [place for place in (other.before, other.after) if place]
        if not explored.isdisjoint(ends) or not read.isdisjoint(_keys_changed(self.changes_of(other))):
            return True
        board = self.start.view.board
        near = [end for end in ends if board.is_hex(end)]
        return other.is_hostile and any(
            board.distance(end, hex) <= _ZONE_HEXES for end in near for hex in explored if board.is_hex(hex)
        )

    def list_orders(
        self, touching: Sequence[Action], others: Sequence[Action]
    ) -> Iterator[tuple[tuple[Action, ...], list[Action]]]:
        """Yield the choices of touching actions that precede a move, with all actions done then.

        With each choice once no other action is done, and once all actions that do not touch it are done.
        """
        apart = [other for other in others if other not in touching]
        for number in range(len(touching) + 1):
            for before in combinations(touching, number):
                yield before, [*before]
                if apart:
                    yield before, [*apart, *before]

    def place_between(
        self, action: Action, verdict: Verdict, before: tuple[Action, ...], base: Sequence[Action]
    ) -> Outcome:
        """Return the outcome of a move that is lawful after some others, once the whole order is known to work."""
        after = [other for other in self.actions if other is not action and other not in base]
        if not self.can_follow(action, verdict, base, after):
            return Outcome(_undecided(f"it is lawful only {_tell_order(before)}, and then others are not"))
        return Outcome(verdict, _tell_order(before), before)

    def can_follow(self, action: Action, verdict: Verdict, base: Sequence[Action], after: Sequence[Action]) -> bool:
        """Return whether the lawful moves stay lawful in an order with this one between them."""
        ground = self.run(self.start, [one for one in self.actions if one in base])
        if ground is None:
            return False
        again = self.judge.judge(ground, [action.unit], action.after)
        self.spent += 1
        if again.kind != "lawful":
            return False
        return self.run(ground.after(again.changes), after) is not None

    def run(self, ground: Ground, actions: Sequence[Action]) -> Ground | None:
        """Return the ground after actions in any order that works, or None if a lawful one is refused.

        Actions that are not lawful by themselves are carried out as they were.
        """
        waiting = [*actions]
        while waiting:
            left = list[Action]()
            for action in waiting:
                outcome = self.outcomes.get(action)
                if outcome is None or outcome.verdict.kind != "lawful":
                    ground = ground.after(action.changes)
                    continue
                self.spent += 1
                verdict = self.judge.judge(ground, [action.unit], action.after)
                if verdict.kind == "lawful":
                    ground = ground.after(verdict.changes)
                else:
                    left.append(action)
            if len(left) == len(waiting) or self.spent > MAX_TRIALS:
                return None
            waiting = left
        return ground

    # --- what other moves leave behind on their ways

    def find_passing(self, action: Action, others: Sequence[Action], read: frozenset[FactKey]) -> list[Action]:
        """Return the other moves that may have gone by hexes where their passing makes a refused move lawful.

        A table shows only where they end. Passing may leave facts in a hex, such as control. They are taken from the known
        ways, and supposed in all hexes within reach of the others.
        """
        tracks = self.start.game.tracks
        places = {key for key in read if tracks[key[0]].on == "hex" and tracks[key[0]].printed is None}
        own = [other for other in others if not (other.stands or other.is_hostile)]
        left = dict[str, Value | None]()
        for other in own:
            left |= self.list_left(other, action.after)
        supposed = dict[FactKey, AnyChange]()
        passing = list[Action]()
        for other in own:
            outcome = self.outcomes.get(other)
            is_known = outcome is not None and outcome.verdict.kind != "undecided"
            hexes = outcome.verdict.hexes if outcome is not None and is_known else None
            reached = {key for key in places if key[0] in left and (hexes is None or key[1] in hexes)}
            if reached:
                passing.append(other)
                supposed |= {key: Change(*key, None, left[key[0]], "") for key in reached}
        for base in ((), others) if supposed else ():
            ground = self.ground_after(base).after([*supposed.values()])
            if self.judge.glance(ground, [action.unit], action.after).kind != "against":
                return passing
        return []

    def list_left(self, other: Action, near: str) -> dict[str, Value | None]:
        """Return what a move leaves in hexes, by track, on its way and on ways to a hex and those next to it."""
        tracks = self.start.game.tracks
        outcome = self.outcomes.get(other)
        if outcome is None:
            return {}
        changes = [*outcome.verdict.changes]
        for hex in (near, *self.start.view.board.neighbours(near)):
            if hex in outcome.verdict.hexes:
                self.spent += 1
                changes += self.judge.judge(self.start, [other.unit], hex).changes
        return {
            change.track: change.after
            for change in changes
            if isinstance(change, Change) and change.track in tracks and tracks[change.track].on == "hex"
        }

    # --- moves together

    def try_together(self, action: Action, others: Sequence[Action]) -> Outcome | None:
        """Return the judgement on a move by which another unit may have taken it along, or None if none may have."""
        if not self.judge.is_together:
            return None
        for other in others:
            if not other.is_judged:
                continue
            outcome = self.outcomes.get(other)
            known = outcome.verdict.hexes if outcome else frozenset()
            starts_here = other.before == action.before
            if not starts_here and action.before not in known:
                continue
            ground = self.start
            if not starts_here:
                moved = Change(PLACE, other.unit, other.before, action.before, "")
                ground = ground.after([moved])
            self.spent += 1
            verdict = self.judge.glance(ground, [action.unit, other.unit], action.after)
            if verdict.kind == "against":
                continue
            if starts_here and verdict.kind == "lawful":
                own = tuple(change for change in verdict.changes if getattr(change, "subject", "") != other.unit)
                return Outcome(verdict._replace(changes=own), f"with {other.unit}")
            return Outcome(_undecided(f"whether {other.unit} took it along"))
        return None

    # --- what rests on something undecided

    def spread_doubt(self) -> None:
        """Make moves undecided if they rest on an action that is undecided, or not judged at all."""
        has_spread = True
        while has_spread:
            has_spread = False
            for action, outcome in self.outcomes.items():
                doubtful = [other for other in outcome.rests_on if self.is_doubtful(other)]
                if outcome.verdict.kind == "lawful" and doubtful:
                    why = f"it rests on what {_name(doubtful)} did, which is undecided"
                    self.outcomes[action] = Outcome(_undecided(why))
                    has_spread = True

    def is_doubtful(self, action: Action) -> bool:
        if action.stands:
            return False
        outcome = self.outcomes.get(action)
        return outcome is None or outcome.verdict.kind == "undecided"


def _keys_changed(changes: Sequence[AnyChange]) -> set[FactKey]:
    return {(change.track, change.subject) for change in changes if isinstance(change, Change | Gain | Raise)}


def _undecided(why: str) -> Verdict:
    return Verdict("undecided", why)


def _name(actions: Sequence[Action]) -> str:
    units = dict.fromkeys(action.unit or "an answer" for action in actions)
    return ", ".join(units)


def _tell_order(before: Sequence[Action]) -> str:
    return f"after {_name(before)} and before the others" if before else "before the others"

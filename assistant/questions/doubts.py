"""What a verdict turns on: the assumed facts, and those of a drawn map, of which another value would change it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ..state.sources import Fact, Source, Value
from ..state.state import FactKey
from ..util.errors import InputError
from ..util.failures import PluginError
from ..util.limits import Limit
from .asking import ask_for_fact
from .report import Ask, MissingFacts, Report, Step, Verdict
from .view import View
from .wording import fact_text

if TYPE_CHECKING:
    from ..game.games import Game

NAMED = 5
"""How many facts a verdict names that it turns on; the report asks for all of them."""


_SHARE, _LEAST = 4, 5
"""Which share of the limit a drawn map may take, which is weighed at every line that is typed, and how many values are tried even
so."""

Group = Mapping[FactKey, Value]
"""Other values that facts of a drawn map may have, of which a decision that stays with all of them at once stays with each alone."""


class Turn(NamedTuple):
    """A fact that a verdict turns on. why: another value than its own, and what follows from that, in words."""

    key: FactKey
    fact: Fact
    why: str


class Weighed(NamedTuple):
    """What a verdict turns on. left: how many facts of a drawn map were not tried, since there are too many."""

    turns: tuple[Turn, ...] = ()
    left: int = 0

    def verdict(self, view: View, verdict: Verdict) -> Verdict:
        """The verdict, undecided if it turns on anything; facts of which the same is to be said are named together."""
        if not self.turns or verdict.kind == "undecided":
            return verdict
        alike: dict[tuple[str, str], list[Turn]] = {}
        for turn in self.turns:
            alike.setdefault((turn.key[0], turn.why), []).append(turn)
        facts = [_in_words(view, turns) for turns in list(alike.values())[:NAMED]]
        if more := sum(map(len, list(alike.values())[NAMED:])):
            facts.append(f"{more} more")
        drawn = {turn.fact.source is Source.DRAWN and not turn.fact.assumed for turn in self.turns}
        known = "as drawn" if drawn == {True} else "as stated" if drawn == {False} else "as stated and drawn"
        figures = {"verdict": verdict.text, "facts": facts, "about": [list(turn.key) for turn in self.turns]}
        return Verdict("undecided", f"undecided: {{verdict}} {known}, but it depends on {{facts}}", figures)

    def asks(self, view: View) -> tuple[Ask, ...]:
        """How to settle the facts of a drawn map."""
        return tuple(
            ask_for_drawn(view, turn.key, turn.fact) for turn in self.turns if turn.fact.source is Source.DRAWN
        )

    def cautions(self, view: View) -> tuple[Step, ...]:
        """That not all facts of a drawn map were tried, if so."""
        if not self.left:
            return ()
        about = {"left": self.left, "board": view.board.title}
        return (Step("", "not weighed, for there are too many: {left:#fact} of {board}", about),)


def _in_words(view: View, turns: Sequence[Turn]) -> str:
    """Facts of one track of which the same is to be said: the first, how many more, and what follows from another value."""
    track, subject = turns[0].key
    more = f" and {len(turns) - 1} more" if len(turns) > 1 else ""
    return f"{fact_text(view.game.track(track).title, subject + more)} ({turns[0].why})"


def ask_for_drawn(view: View, key: FactKey, fact: Fact) -> Ask:
    """What to ask the owner of the map for, where it is only drawn."""
    track, subject = key
    declared = view.game.track(track)
    return msgspec.structs.replace(ask_for_fact(declared, subject), drawn=declared.write(fact.value))


def is_kept(game: Game, asked: Ask) -> bool:
    """Whether what a report asks for is a fact of a drawn map that the printed map shows, so that its owner's pack keeps it."""
    return bool(asked.drawn) and game.track(str(asked.key[0])).printed == "map"


def weigh(
    view: View,
    report: Report[Any],
    decision: Callable[[Report[Any]], Hashable] | None,
    again: Callable[[View], Report[Any]],
    groups: Callable[[View, Report[Any]], Iterable[Group] | None] | None = None,
) -> Weighed:
    """The facts in doubt of which another value would change a decision.

    report: the answer as it stands; decision: what counts of a report, None if no value decides; again: asks a view the same
    question; groups: from a view that may read more, the facts of a drawn map that may change the decision alone, and the values by which they may. Where the
    question does not tell, every value of every fact that was read is tried, as far as the limit allows: what is printed in the
    hexes that the report names first, and if there is too much of it, with a few values each, or one.
    Raises TooMuch if trying the assumed facts takes too long.
    """
    if decision is None:
        return Weighed()
    tracks = view.game.tracks
    doubts = {key: fact for key, fact in view.read.items() if view.in_doubt(fact)}
    assumed = {key: tracks[key[0]].alternatives(fact.value) for key, fact in doubts.items() if fact.assumed}
    readings = sum(map(len, assumed.values())) * len(view.read)  # each value is tried by asking again
    if readings > Limit.DOUBTS.most:
        error = Limit.DOUBTS.error(f"weighing {len(assumed)} doubtful facts reads", readings)
        error.hint = f"state some of them without the question mark, or {error.hint}"
        raise error
    aside = view.unnoticed()
    trials = _Trials(aside, decision(report), decision, again, Limit.DOUBTS.most // _SHARE - readings)
    turns = [turn for key, values in assumed.items() for turn in trials.first(key, values)]
    drawn = len(doubts) > len(assumed)
    known = groups(aside, report) if groups and drawn else None
    if known is not None:
        found = {turn.key: turn for group in known for turn in trials.narrowed(group)}
        return Weighed((*turns, *found.values()), len(trials.left))
    named = _named(report) if drawn else set()
    left = 0
    keys = [key for key in doubts if key not in assumed]
    keys.sort(key=lambda key: (not named.issuperset(key[1].split("|")), tracks[key[0]].printed != "map"))
    others = {key: tracks[key[0]].alternatives(doubts[key].value) for key in keys}
    room = max(trials.room // max(len(view.read), 1), _LEAST)
    for most in (3, 1):
        if sum(map(len, others.values())) > room:
            others = {key: _some(values, most) for key, values in others.items()}
    for key, values in others.items():
        room -= len(values)
        if room < 0:
            left += 1
        else:
            turns += trials.first(key, values)
    return Weighed(tuple(turns), left)


def _some(values: tuple[Value, ...], most: int) -> tuple[Value, ...]:
    """So many of the values at most, from all over their list; one alone is the middle one."""
    if most == 1:
        return values[len(values) // 2 :][:1]
    return tuple(values[number * len(values) // most] for number in range(most)) if len(values) > most else values


class _Trials:
    """A question asked again with other values of facts.

    decided: what counts of the answer as it stands; room: how many facts may be read for groups; left: of groups, the facts that
    were not tried for want of room.
    """

    def __init__(
        self,
        view: View,
        decided: Hashable,
        decision: Callable[[Report[Any]], Hashable],
        again: Callable[[View], Report[Any]],
        room: int,
    ) -> None:
        self._view, self._decided, self._decision, self._again = view, decided, decision, again
        self.room, self.left = room, set[FactKey]()
        self._made = 0

    def first(self, key: FactKey, values: Sequence[Value]) -> Iterator[Turn]:
        """The first value of a fact that changes the decision; none if no value does."""
        for value in values:
            if then := self._then({key: value}):
                yield self._turn(key, value, then)
                return

    def narrowed(self, group: Group) -> Iterator[Turn]:
        """The facts of a group that change the decision alone: all are tried at once, and halves as long as that changes it."""
        todo = [[(key, value) for key, value in group.items() if self._may_be(key, value)]]
        dense = False  # where one fact changes it, the next ones often do: as along a railway
        while todo:
            some = todo.pop()
            half = len(some) // 2
            if self.room < 0 and self._made >= _LEAST:
                self.left.update(key for key, _ in some)
            elif half and dense:
                todo += some[half:], some[:half]
            elif some and (then := self._then(dict(some))):
                if half:
                    todo += some[half:], some[:half]
                else:
                    dense = True
                    yield self._turn(*some[0], then)
            else:
                dense = False

    def _may_be(self, key: FactKey, value: Value) -> bool:
        """Whether a fact is known from a drawn map alone, which has another value."""
        fact = self._view.fact(*key)
        return fact is not None and not fact.assumed and self._view.in_doubt(fact) and fact.value != value

    def _turn(self, key: FactKey, value: Value, then: str) -> Turn:
        """A fact that changes the decision with a value, and to what."""
        declared, fact = self._view.game.tracks[key[0]], self._view.fact(*key)
        assert fact is not None
        return Turn(key, fact, f"{declared.write(value)} instead of {declared.write(fact.value)}: {then}")

    def _then(self, others: Group) -> str:
        """What follows from other values of facts in words, "" if the decision stays."""
        try:
            supposed = self._view.supposing(others)
        except InputError:  # no position can have it, so it cannot be meant; of several, some may be
            return "" if len(others) == 1 else "?"
        self._made += 1
        try:
            other = self._again(supposed)
        except PluginError:
            raise
        except InputError as error:
            return error.what
        except MissingFacts:
            return "more facts would be needed"
        finally:
            self.room -= len(supposed.read)
        return "" if self._decision(other) == self._decided else other.verdict.text


def _named(report: Report[Any]) -> set[str]:
    """The hexes that a report names, among other words."""
    steps: list[Step | Verdict] = [report.verdict, *(step for part in report.parts for step in part.steps)]
    return {word for step in steps for word in _words(step.figures)}


def _words(figures: Mapping[str, Any]) -> Iterator[str]:
    """The texts among the figures of a step, hexsides by their hexes."""
    for figure in figures.values():
        for one in figure if isinstance(figure, list | tuple) else [figure]:
            if isinstance(one, str):
                yield from one.split("|")

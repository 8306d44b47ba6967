"""What a verdict turns on: the assumed facts, and those of a drawn map, of which another value would change it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple

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

NAMED = 5
"""How many facts a verdict names that it turns on; the report asks for all of them."""


_SHARE, _LEAST = 10, 5
"""Which share of the limit a drawn map may take, which is weighed at every line that is typed, and how many values are tried even
so."""


class Turn(NamedTuple):
    """A fact that a verdict turns on. step: it, another value and what follows from that, in words."""

    key: FactKey
    fact: Fact
    step: Step


class Weighed(NamedTuple):
    """What a verdict turns on. left: how many facts of a drawn map were not tried, since there are too many."""

    turns: tuple[Turn, ...] = ()
    left: int = 0

    def verdict(self, verdict: Verdict) -> Verdict:
        """The verdict, undecided if it turns on anything."""
        if not self.turns or verdict.kind == "undecided":
            return verdict
        facts = [turn.step.text for turn in self.turns[:NAMED]]
        if (more := len(self.turns) - NAMED) > 0:
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


def ask_for_drawn(view: View, key: FactKey, fact: Fact) -> Ask:
    """What to ask the owner of the map for, where it is only drawn."""
    track, subject = key
    declared = view.game.track(track)
    asked = ask_for_fact(declared, subject)
    title = f"{asked.title}, drawn as {declared.write(fact.value)}"
    return msgspec.structs.replace(asked, title=title)


def is_drawn(view: View, asked: Ask) -> bool:
    """Whether what a report asks for is a fact of a drawn map."""
    if asked.kind != "fact" or len(asked.key) != 2:
        return False
    track, subject = map(str, asked.key)
    fact = view.board.fact(track, subject)
    return fact is not None and fact.source is Source.DRAWN


def weigh(
    view: View,
    report: Report[Any],
    decision: Callable[[Report[Any]], Hashable] | None,
    again: Callable[[View], Report[Any]],
) -> Weighed:
    """The facts in doubt of which another value would change a decision.

    report: the answer as it stands; decision: what counts of a report, None if no value decides; again: asks a view the same question.
    Of a drawn map, what is printed in the hexes that the report names is tried first, as far as the limit allows; if there is too
    much of it, with a few other values each, or one.
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
    turns: list[Turn] = []
    left = 0
    drawn = [key for key in doubts if key not in assumed]
    named = _named(report) if drawn else set()
    drawn.sort(key=lambda key: (not named.issuperset(key[1].split("|")), tracks[key[0]].printed != "map"))
    others = {key: tracks[key[0]].alternatives(doubts[key].value) for key in drawn}
    room = max((Limit.DOUBTS.most // _SHARE - readings) // max(len(view.read), 1), _LEAST)
    for most in (3, 1):
        if sum(map(len, others.values())) > room:
            others = {key: _some(values, most) for key, values in others.items()}
    for key, values in (assumed | others).items():
        if key in others:
            room -= len(values)
            if room < 0:
                left += 1
                continue
        turns += _turns(view, key, doubts[key], values, decision(report), decision, again)
    return Weighed(tuple(turns), left)


def _some(values: tuple[Value, ...], most: int) -> tuple[Value, ...]:
    """So many of the values at most, from all over their list; one alone is the middle one."""
    if most == 1:
        return values[len(values) // 2 :][:1]
    return tuple(values[number * len(values) // most] for number in range(most)) if len(values) > most else values


def _turns(
    view: View,
    key: FactKey,
    fact: Fact,
    values: tuple[Value, ...],
    decided: Hashable,
    decision: Callable[[Report[Any]], Hashable],
    again: Callable[[View], Report[Any]],
) -> Iterator[Turn]:
    """The first value of a fact that would change a decision; none if no value does."""
    declared = view.game.tracks[key[0]]
    for value in values:
        try:
            supposed = view.supposing(key, value)
        except InputError:  # no position can have it, so it cannot be meant
            continue
        try:
            other = again(supposed)
        except PluginError:
            raise
        except InputError as error:
            then = error.what
        except MissingFacts:
            then = "more facts would be needed"
        else:
            if decision(other) == decided:
                continue
            then = other.verdict.text
        figures = {"fact": fact_text(declared.title, key[1]), "then": then}
        figures |= {"value": declared.write(fact.value), "other": declared.write(value)}
        yield Turn(key, fact, Step(declared.rule, "{fact} ({other} instead of {value}: {then})", figures))
        return


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

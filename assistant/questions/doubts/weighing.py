"""The facts in doubt of which another value would change a decision: assumed ones, and those of a drawn map."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from ...state.sources import Value
from ...util.limits import Limit
from ..report import Report, Step, Verdict
from ..view import View
from .joint import weigh_together
from .trials import Trials
from .weighed import Candidates, Group, Holds, Weighed

_SHARE = 4
"""Which share of the limit a drawn map may take, which is weighed at every line that is typed; as much again is taken for facts that
change a decision only together."""


def weigh(
    view: View,
    report: Report[Any],
    decision: Callable[[Report[Any]], Hashable] | None,
    again: Callable[[View], Report[Any]],
    groups: Callable[[View, Report[Any]], Iterable[Group | Candidates] | None] | None = None,
    holds: Callable[[View, Report[Any]], Holds | None] | None = None,
) -> Weighed:
    """The facts in doubt of which another value would change a decision.

    report: the answer as it stands; decision: what counts of a report, None if no value decides; again: asks a view the same
    question; groups: from a view that may read more, the facts of a drawn map that may change the decision alone, and the values by which they may;
    holds: from such a view, what holds the decision, by which facts are sought that change it only together. Where the
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
    trials = Trials(aside, decision(report), decision, again, Limit.DOUBTS.most // _SHARE - readings)
    turns = [turn for key, values in assumed.items() for turn in trials.first(key, values)]
    drawn = len(doubts) > len(assumed)
    known = groups(aside, report) if groups and drawn else None
    if known is not None:
        found = {turn.key: turn for group in known for turn in trials.weighed(group)}
        turns += found.values()
        if not holds:
            return Weighed(tuple(turns), len(trials.left))
        return weigh_together(trials, report, turns, holds, Limit.DOUBTS.most // _SHARE, len(view.read))
    named = _named(report) if drawn else set()
    left = 0
    keys = [key for key in doubts if key not in assumed]
    keys.sort(key=lambda key: (not named.issuperset(key[1].split("|")), tracks[key[0]].printed != "map"))
    others = {key: tracks[key[0]].alternatives(doubts[key].value) for key in keys}
    room = trials.tries(len(view.read))
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

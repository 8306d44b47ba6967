"""What a verdict depends on: the facts that a player assumed of which another value would change it.

A question is asked again with each other value of each of them, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from ..state.state import FactKey
from ..state.tracks import Value
from ..util.console import count_text
from ..util.errors import InputError, MachineError, PluginError
from ..util.limits import Limit
from .report import DEPENDING, MissingFacts, Report, Verdict
from .view import View

NAMED = 2
"""How many facts a verdict names that it depends on."""


class Deciding(NamedTuple):
    """An assumed fact on which a verdict depends. other: another value of it; then: what follows from that, in words."""

    key: FactKey
    other: Value
    then: str


def find_deciding(
    view: View,
    report: Report[Any],
    decision: Callable[[Report[Any]], Hashable] | None,
    again: Callable[[View], Report[Any]],
) -> tuple[Deciding, ...]:
    """The assumed facts of which another value would change a decision.

    report: the answer as it stands; decision: what counts of a report, None if no value decides; again: asks a view the
    same question. Raises TooMuch if trying their values takes too long.
    """
    if decision is None:
        return ()
    values = {key: view.game.tracks[key[0]].alternatives(fact.value) for key, fact in view.read.items() if fact.assumed}
    readings = sum(map(len, values.values())) * len(view.read)  # each value is tried by asking again
    if readings > Limit.DOUBTS.most:
        error = Limit.DOUBTS.error(f"trying other values of {count_text(len(values), 'assumed fact')} reads", readings)
        error.hint = f"state some of them without the question mark, or {error.hint}"
        raise error
    aside, decided = view.unnoticed(), decision(report)

    def consequence(key: FactKey, value: Value) -> str:
        """What follows from another value of a fact in words, "" if the decision stays."""
        try:
            supposed = aside.supposing({key: value})
        except MachineError:
            raise
        except InputError:  # no position can have it, so it cannot be meant
            return ""
        try:
            answer = again(supposed)
        except PluginError:
            raise
        except InputError as error:
            return error.what
        except MissingFacts:
            return "more facts would be needed"
        finally:
            supposed.forget()  # else what was made for each value would stay until the last of them
        return "" if decision(answer) == decided else answer.verdict.text

    def deciding(key: FactKey) -> Iterator[Deciding]:
        """A fact with the first of its other values that changes the decision; none if no value does."""
        for value in values[key]:
            if then := consequence(key, value):
                yield Deciding(key, value, then)
                return

    return tuple(fact for key in values for fact in deciding(key))


def verdict_depending(view: View, verdict: Verdict, deciding: Sequence[Deciding]) -> Verdict:
    """The verdict, undecided if it depends on assumed facts, which are named; those of the same track and value together."""
    if not deciding or verdict.kind == "undecided":
        return verdict
    alike: dict[tuple[str, str], list[str]] = {}
    for (track, subject), _, _ in deciding:
        declared, fact = view.game.tracks[track], view.read[track, subject]
        title, value = declared.title.partition(" (")[0], declared.write(fact.value)
        alike.setdefault((title, value), []).append(subject)
    facts = [f"{title}{_of(subjects)} is {value}" for (title, value), subjects in [*alike.items()][:NAMED]]
    if more := sum(map(len, [*alike.values()][NAMED:])):
        facts.append(f"{count_text(more, 'more assumption')} {'holds' if more == 1 else 'hold'}")
    figures = {"verdict": verdict.text, "facts": facts, "about": [list(key) for key, _, _ in deciding]}
    return Verdict("undecided", DEPENDING, figures)


def _of(subjects: Sequence[str]) -> str:
    """What facts are about: the first, and how many more."""
    more = f" and {len(subjects) - 1} more" if len(subjects) > 1 else ""
    return f" of {subjects[0]}{more}" if subjects[0] else ""

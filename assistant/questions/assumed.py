"""What a verdict depends on: the facts that a player assumed of which another value would change it.

A question is asked again with each other value of each of them, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from ..state.state import FactKey
from ..state.tracks import Value
from ..util.errors import InputError, MachineError, PluginError
from ..util.limits import Limit
from .report import DEPENDS, MissingFacts, Report, Verdict
from .view import View
from .wording import fact_text

NAMED = 5
"""How many facts a verdict names that it depends on."""


class Deciding(NamedTuple):
    """An assumed fact on which a verdict depends. why: another value of it, and what follows from that, in words."""

    key: FactKey
    why: str


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
        error = Limit.DOUBTS.error(f"trying other values of {len(values)} assumed facts reads", readings)
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
        declared, fact = view.game.tracks[key[0]], view.read[key]
        for value in values[key]:
            if then := consequence(key, value):
                yield Deciding(key, f"{declared.write(value)} instead of {declared.write(fact.value)}: {then}")
                return

    return tuple(found for key in values for found in deciding(key))


def verdict_depending(view: View, verdict: Verdict, deciding: Sequence[Deciding]) -> Verdict:
    """The verdict, undecided if it depends on anything; facts of which the same is to be said are named together."""
    if not deciding or verdict.kind == "undecided":
        return verdict
    alike: dict[tuple[str, str], list[str]] = {}
    for (track, subject), why in deciding:
        alike.setdefault((track, why), []).append(subject)
    facts = [_in_words(view, track, subjects, why) for (track, why), subjects in [*alike.items()][:NAMED]]
    if more := sum(map(len, [*alike.values()][NAMED:])):
        facts.append(f"{more} more")
    figures = {"verdict": verdict.text, "facts": facts, "about": [list(key) for key, _ in deciding]}
    return Verdict("undecided", f"undecided: {{verdict}} as stated{DEPENDS}{{facts}}", figures)


def _in_words(view: View, track: str, subjects: Sequence[str], why: str) -> str:
    """Facts of one track of which the same is to be said: the first, how many more, and what follows from another
    value.
    """
    more = f" and {len(subjects) - 1} more" if len(subjects) > 1 else ""
    return f"{fact_text(view.game.track(track).title, subjects[0] + more)} ({why})"

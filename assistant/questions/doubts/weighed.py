"""What a verdict turns on, in words, and what is asked for to settle it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ...mechanics.settling import Settled
from ...state.sources import Fact, Source, Value
from ...state.state import FactKey
from ..asking import ask_for_fact
from ..report import Ask, Step, Verdict
from ..view import View
from ..wording import fact_text

if TYPE_CHECKING:
    from ...game.games import Game

ASKED = 200
"""How many facts of a drawn map a report asks for at most."""
NAMED, NAMED_TOGETHER = 5, 2
"""How many facts a verdict names that it turns on alone, and how many times some that it turns on together; the report asks for all that
settle it."""

Group = Mapping[FactKey, Value]
"""Other values that facts of a drawn map may have, of which a decision that stays with all of them at once stays with each alone."""


class Candidates(NamedTuple):
    """Facts of a drawn map of which one may change a decision.

    nested: some of them in orders in which each takes away all that the next one does, and perhaps more, when it is otherwise.
    """

    group: Group
    nested: Sequence[Sequence[FactKey]] = ()


class Turn(NamedTuple):
    """A fact that a verdict turns on. why: another value than its own, and what follows from that, in words."""

    key: FactKey
    fact: Fact
    why: str


class Holds(NamedTuple):
    """What holds a decision, each fact with another value that it may have.

    up: as long as these are as they are, the decision is no worse, whatever else is otherwise; the values are the worst. down: it is no
    better unless some of these are otherwise; the values are the best; at_once: whether these values may all be supposed at once. Of
    both, those that count most come first.
    """

    up: Group = MappingProxyType({})
    down: Group = MappingProxyType({})
    at_once: bool = True


class Together(NamedTuple):
    """Facts that change a verdict only if all of them are otherwise. why: what follows then, in words."""

    keys: tuple[FactKey, ...]
    why: str


class Weighed(NamedTuple):
    """What a verdict turns on.

    left: how many facts of a drawn map were not tried, since there are too many; together: the facts that change it only together,
    as far as they were sought; settled: the facts that settle it, if that was sought; order: in which these are asked for.
    """

    turns: tuple[Turn, ...] = ()
    left: int = 0
    together: tuple[Together, ...] = ()
    settled: Settled[FactKey] | None = None
    order: tuple[FactKey, ...] = ()

    @property
    def keys(self) -> tuple[FactKey, ...]:
        """The facts that have to be looked up: those that settle the verdict, or those on which it turns."""
        alone = tuple(turn.key for turn in self.turns)
        more = self.settled.things.difference(alone) if self.settled else frozenset[FactKey]()
        return tuple(dict.fromkeys((*alone, *(key for key in self.order if key in more), *sorted(more))))

    def verdict(self, view: View, verdict: Verdict) -> Verdict:
        """The verdict, undecided if it turns on anything; facts of which the same is to be said are named together."""
        if not self.keys or verdict.kind == "undecided":
            return verdict
        alike: dict[tuple[str, str], list[Turn]] = {}
        for turn in self.turns:
            alike.setdefault((turn.key[0], turn.why), []).append(turn)
        facts = [_in_words(view, turns) for turns in list(alike.values())[:NAMED]]
        if more := sum(map(len, list(alike.values())[NAMED:])):
            facts.append(f"{more} more")
        joint = sorted(self.together, key=lambda one: len(one.keys))
        sets = [_joint_in_words(view, one) for one in joint[:NAMED_TOGETHER]]
        doubtful = [fact for key in self.keys if (fact := view.fact(*key))]
        drawn = {fact.source is Source.DRAWN and not fact.assumed for fact in doubtful}
        known = "as drawn" if drawn == {True} else "as stated" if drawn == {False} else "as stated and drawn"
        named = {name: texts for name, texts in (("facts", facts), ("together", sets)) if texts}
        on = ", and on ".join(f"{{{name}}}" for name in named) or "{settling:#fact}"
        settling = {} if named else {"settling": len(self.keys)}
        figures = {"verdict": verdict.text, **named, **settling, "about": [list(key) for key in self.keys[:ASKED]]}
        return Verdict("undecided", f"undecided: {{verdict}} {known}, but it depends on {on}", figures)

    def asks(self, view: View) -> tuple[Ask, ...]:
        """How to settle the facts of a drawn map."""
        known = ((key, view.fact(*key)) for key in self.keys[:ASKED])
        return tuple(ask_for_drawn(view, key, fact) for key, fact in known if fact and fact.source is Source.DRAWN)

    def cautions(self, view: View) -> tuple[Step, ...]:
        """Whether the facts asked for settle it, and that not all facts of a drawn map were tried, if so."""
        found = []
        if self.keys and self.settled:
            words = settled_in_words(self.settled)
            asked = {"asked": ASKED} if len(self.keys) > ASKED else {}
            words += "; the first {asked} are asked for" if asked else ""
            found.append(Step("", words, {"settling": len(self.settled.things), **asked}))
        if self.left:
            about = {"left": self.left, "board": view.board.title}
            found.append(Step("", "not weighed, for there are too many: {left:#fact} of {board}", about))
        return tuple(found)


def settled_in_words(settled: Settled[FactKey]) -> str:
    """The template for how far some facts settle an answer."""
    if not settled.complete:
        return "{settling:#fact} may not be all that it depends on, for there are too many to weigh them together"
    fewer = "no fewer do" if settled.least else "fewer may do"
    return "{settling:#fact} settle it if they are as told; " + fewer


def _in_words(view: View, turns: Sequence[Turn]) -> str:
    """Facts of one track of which the same is to be said: the first, how many more, and what follows from another value."""
    track, subject = turns[0].key
    more = f" and {len(turns) - 1} more" if len(turns) > 1 else ""
    return f"{fact_text(view.game.track(track).title, subject + more)} ({turns[0].why})"


def _joint_in_words(view: View, joint: Together) -> str:
    """Facts of which another value counts only if all of them have another one."""
    (track, subject), *others = joint.keys
    texts = [fact_text(view.game.track(name).title, of) for name, of in others]
    more = texts[0] if len(texts) == 1 else f"{len(texts)} more"
    return f"{fact_text(view.game.track(track).title, subject)}, together with {more} ({joint.why})"


def ask_for_drawn(view: View, key: FactKey, fact: Fact) -> Ask:
    """What to ask the owner of the map for, where it is only drawn."""
    track, subject = key
    declared = view.game.track(track)
    return msgspec.structs.replace(ask_for_fact(declared, subject), drawn=declared.write(fact.value))


def is_kept(game: Game, asked: Ask) -> bool:
    """Whether what a report asks for is a fact of a drawn map that the printed map shows, so that its owner's pack keeps it."""
    return bool(asked.drawn) and game.track(str(asked.key[0])).printed == "map"

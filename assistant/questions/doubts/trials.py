"""A question asked again with other values of the facts that are in doubt."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from ...state.sources import Value
from ...state.state import FactKey
from ...util.errors import InputError
from ...util.failures import PluginError
from ..report import MissingFacts, Report
from ..view import View
from .weighed import Candidates, Group, Turn

_LEAST = 5
"""How many values are tried even where there is no room."""


class Trials:
    """A question asked again with other values of facts.

    decided: what counts of the answer as it stands; room: how many facts may be read for groups; left: of groups, the facts that
    were not tried for want of room; made: how often it was asked again.
    """

    def __init__(
        self,
        view: View,
        decided: Hashable,
        decision: Callable[[Report[Any]], Hashable],
        again: Callable[[View], Report[Any]],
        room: int,
    ) -> None:
        self.view, self._decided, self._decision, self._again = view, decided, decision, again
        self.room, self.left = room, set[FactKey]()
        self.made = 0

    def first(self, key: FactKey, values: Sequence[Value]) -> Iterator[Turn]:
        """The first value of a fact that changes the decision; none if no value does."""
        for value in values:
            if then := self.then({key: value}):
                yield self.turn(key, value, then)
                return

    def weighed(self, some: Group | Candidates) -> Iterator[Turn]:
        """The facts among some that change the decision alone, in their order."""
        candidates = some if isinstance(some, Candidates) else Candidates(some)
        rest = {key: value for key, value in candidates.group.items() if self._may_be(key, value)}
        chains = [[(key, rest.pop(key)) for key in keys if key in rest] for keys in candidates.nested]
        turns = {turn.key: turn for chain in chains for turn in self.along(chain)}
        turns |= {turn.key: turn for turn in self.narrowed(rest)}
        return (turns[key] for key in candidates.group if key in turns)

    def along(self, chain: Sequence[tuple[FactKey, Value]]) -> Iterator[Turn]:
        """The facts of a chain that change the decision alone, each of which takes away what the next one does: between two that change it to
        the same all do."""
        known, todo = dict[int, str](), [range(len(chain))] if chain else []

        def then(number: int) -> str:
            if number not in known:
                known[number] = self.then(dict([chain[number]]))
            return known[number]

        while todo:
            some = todo.pop()
            if self.room < 0 and self.made >= _LEAST:
                yield from (self.turn(*chain[number], known[number]) for number in some if known.get(number))
                self.left.update(chain[number][0] for number in some if number not in known)
            elif (why := then(some[0])) and why != then(some[-1]):
                half = len(some) // 2
                todo += some[half:], some[:half]
            elif why:
                yield from (self.turn(*chain[number], why) for number in some)

    def narrowed(self, group: Group) -> Iterator[Turn]:
        """The facts of a group that change the decision alone: all are tried at once, and halves as long as that changes it."""
        todo = [[*group.items()]]
        dense = False  # where one fact changes it, the next ones often do: as along a railway
        while todo:
            some = todo.pop()
            half = len(some) // 2
            if self.room < 0 and self.made >= _LEAST:
                self.left.update(key for key, _ in some)
            elif half and dense:
                todo += some[half:], some[:half]
            elif some and (then := self.then(dict(some))):
                if half:
                    todo += some[half:], some[:half]
                else:
                    dense = True
                    yield self.turn(*some[0], then)
            else:
                dense = False

    def _may_be(self, key: FactKey, value: Value) -> bool:
        """Whether a fact is known from a drawn map alone, which has another value."""
        fact = self.view.fact(*key)
        return fact is not None and not fact.assumed and self.view.in_doubt(fact) and fact.value != value

    def turn(self, key: FactKey, value: Value, then: str) -> Turn:
        """A fact that changes the decision with a value, and to what."""
        declared, fact = self.view.game.tracks[key[0]], self.view.fact(*key)
        assert fact is not None
        return Turn(key, fact, f"{declared.write(value)} instead of {declared.write(fact.value)}: {then}")

    def then(self, others: Group) -> str:
        """What follows from other values of facts in words, "" if the decision stays."""
        try:
            supposed = self.view.supposing(others)
        except InputError:  # no position can have it, so it cannot be meant; of several, some may be
            return "" if len(others) == 1 else "?"
        changed = self.changed(self.told(supposed))
        supposed.forget()  # else what was made for each trial would stay until the last of them
        return changed

    def told(self, supposed: View) -> Report[Any] | str:
        """The answer in another view, or why there is none."""
        self.made += 1
        try:
            return self._again(supposed)
        except PluginError:
            raise
        except InputError as error:
            return error.what
        except MissingFacts:
            return "more facts would be needed"
        finally:
            self.room -= len(supposed.read)

    def changed(self, told: Report[Any] | str) -> str:
        """What an answer says if it is another decision, "" if it is not."""
        if isinstance(told, str):
            return told
        return "" if self._decision(told) == self._decided else told.verdict.text

    def tries(self, read: int) -> int:
        """How many values there is room to try. read: how many facts the question reads."""
        return max(self.room // max(read, 1), _LEAST)

"""A case: what a rule is asked about. Its facts are read when a clause needs them first, and what is missing is asked for
only where something turns on it.

A rule is a generator of clauses, each with whether it holds, its number and the sentence that says so:

    class Laying(Case):
        at: str
        to: str

        @fact
        def near(self) -> bool:
            '''The side controls the hex of the marker.'''
            return controls(self.facts, self.at)

        def bars(self) -> Iterator[Clause]:
            '''Yield what forbids a bridge. Rule: 18.1'''
            yield not self.near, "18.1", "the hex must be friendly controlled"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform, overload

from ..state.changes import AnyChange
from .asks import Ask
from .permission import Clause, permission
from .report import MissingFacts, Report, Step, fill_from, step
from .view import Gather, View

R = TypeVar("R")
Rule = Callable[[], Iterator[Clause]]
"""What yields the clauses of a rule about a case, a method of it."""
MOST_SUPPOSED = 8
"""How many missing facts are supposed at once; where clauses read more of them, these are asked for first."""


class _Missing(MissingFacts):
    """A fact of a case is neither stated nor supposed. case, name: the fact."""

    def __init__(self, case: Case, name: str, asks: Sequence[Ask]) -> None:
        super().__init__(asks)
        self.case = case
        self.name = name


@dataclass_transform(kw_only_default=True)
class _About:
    """What is made from the values of its annotations, those of `Case` among them."""


class Case(_About):
    """What a rule is asked about. A subclass annotates what it is about, and has its facts as methods marked `fact`.

    A fact may be given by its value like what the case is about, and then no position is read for it.
    """

    view: View

    def __init__(self, **about: Any) -> None:
        self._block: Gather | None = None
        self._asks = dict[str, tuple[Ask, ...]]()
        self._supposed: dict[str, bool] | None = None
        for name, value in about.items():
            setattr(self, name, value)

    @property
    def facts(self) -> Gather:
        """What a fact reads the position through: the block of the fact that is read now."""
        assert self._block is not None, "only a fact reads the position"
        return self._block

    def _find(self, asked: fact) -> bool:
        """Return a fact that is not known yet. Raises _Missing where it is neither stated nor supposed."""
        if self._supposed is not None and asked.name in self._supposed:
            return self._supposed[asked.name]
        if asked.name in self._asks:
            raise _Missing(self, asked.name, self._asks[asked.name])
        holds = self._read(asked)
        if self._supposed is None:
            setattr(self, asked.name, holds)
        else:  # it may rest on what is supposed
            self._supposed[asked.name] = holds
        return holds

    def _read(self, asked: fact) -> bool:
        """Return a fact as the position has it. Raises _Missing for it, or for another one on which it rests."""
        outer = self._block
        resting = None
        holds = False
        try:
            with self.view.gather() as self._block:
                try:
                    holds = bool(asked.func(self))
                except _Missing as missing:
                    if missing.case is not self:
                        raise
                    resting = missing
        except MissingFacts as missing:
            self._asks[asked.name] = missing.asks
            raise _Missing(self, asked.name, missing.asks) from None
        finally:
            self._block = outer
        if resting:
            raise resting
        return holds

    def suppose(self, work: Callable[[], R], **supposed: bool) -> Iterator[tuple[R | None, tuple[Ask, ...]]]:
        """Yield what is worked out for each way in which missing facts may be, and what to ask for to know which; None
        where too many are missing.

        supposed: facts that are missing, as they are supposed.
        """
        self._supposed = dict(supposed) if supposed else None
        asks = tuple(ask for name in supposed for ask in self._asks[name])
        try:
            worked = work()
            name = ""
        except _Missing as missing:
            worked = None
            name = missing.name
        finally:
            self._supposed = None
        if not name:
            yield worked, asks
            return
        if len(supposed) == MOST_SUPPOSED:
            yield None, (*asks, *self._asks[name])
            return
        for value in (True, False):
            yield from self.suppose(work, **supposed, **{name: value})


class fact:  # noqa: N801  # it marks a method, as property does
    """A yes or no that a case reads when a clause needs it first. func: the method that reads it, through `self.facts`."""

    def __init__(self, func: Callable[[Any], bool]) -> None:
        self.func = func
        self.name = func.__name__
        self.__doc__ = func.__doc__

    @overload
    def __get__(self, case: None, owner: type) -> fact: ...
    @overload
    def __get__(self, case: Case, owner: type) -> bool: ...
    def __get__(self, case: Case | None, owner: type) -> fact | bool:
        """Return the fact of a case; of its class, what reads it."""
        return self if case is None else case._find(self)


def list_bars(case: Case, *rules: Rule, **figures: Any) -> list[Step]:
    """Return the steps of the clauses of some rules that hold whatever the missing facts of a case are.

    figures: besides those that the case has. Raises MissingFacts where no clause holds for certain and some may: for
    the facts on which that turns.
    """
    bars = list[Step]()
    asks = dict[str, Ask]()
    for rule in rules:
        worlds = [*case.suppose(partial(_list_holding, rule))]
        first, *others = [held or [] for held, _ in worlds]
        certain = [clause for clause in first if all(clause in held for held in others)]
        bars += [step(*clause, case, **figures) for clause in certain]
        if not certain and any(held is None or held for held, _ in worlds):
            free = [needed for held, needed in worlds if not held] or [needed for _, needed in worlds]
            asks |= {ask.name: ask for needed in free for ask in needed}
    if asks and not bars:
        raise MissingFacts([*asks.values()])
    return bars


def _list_holding(rule: Rule) -> list[tuple[str, str]]:
    """Return the clauses of a rule that hold: their rules and sentences."""
    return [(number, sentence) for holds, number, sentence in rule() if holds]


class Action(Case, Generic[R]):
    """Something that rules permit or forbid. A subclass states its words and what comes of it."""

    title: ClassVar[str]
    """What is asked, a template over the case as those of the verdicts."""
    yes: ClassVar[str]
    """The verdict where it is allowed."""
    no: ClassVar[str]
    """The verdict where it is not."""

    def bars(self) -> Iterator[Clause]:
        """Yield what forbids it."""
        raise NotImplementedError

    def result(self, *, allowed: bool) -> R:
        """Return the result in named fields."""
        raise NotImplementedError

    def working(self) -> dict[str, Iterable[Step]]:
        """Return the working where it is allowed: steps by the title of their part."""
        return {}

    def changes(self) -> Iterable[AnyChange]:
        """Return what it changes where it is allowed."""
        return ()

    def report(self) -> Report[R]:
        """Return the report on it. Raises MissingFacts for facts on which it turns."""
        bars = list_bars(self, self.bars)
        return permission(
            fill_from(self.title, self),
            (self.yes, self.no),
            bars,
            self.result(allowed=not bars),
            self,
            working={} if bars else self.working(),
            changes=() if bars else self.changes(),
        )

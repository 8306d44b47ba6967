"""A case: a situation that rules judge. A fact is read when a clause first needs it, and asked for only if it matters.

A rule is a generator of clauses, each with whether it holds, its number and its sentence:

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

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import cached_property
from types import MethodType
from typing import Any, ClassVar, Generic, TypeVar, cast, dataclass_transform, overload

import msgspec

from ..state.changes import AnyChange
from ..util.errors import InputError
from .asks import Ask
from .permission import Clause, permission
from .report import MissingFacts, Report, Step, fill_from, step
from .view import Gather, View

R = TypeVar("R")
Rule = Callable[[], Iterator[Clause | Step]]
"""A method of a case that yields the clauses of a rule, and steps by which other rules forbid something."""
MAX_FACTS_SUPPOSED = 8
"""The maximum number of missing facts supposed at once. If clauses read more, those facts are asked for first."""


class _Missing(MissingFacts):
    def __init__(self, key: _Key, asks: Iterable[Ask]) -> None:
        super().__init__([*asks])
        self.key = key


class _World:
    """One assignment of values to missing facts.

    `known`: the supposed facts, and the facts read since that depend on them.
    """

    def __init__(self, known: Mapping[_Key, bool]) -> None:
        self.known = dict(known)
        self.asks = dict[_Key, tuple[Ask, ...]]()
        """The asks for facts that are missing under this assignment."""
        self.uses = 0
        """The number of reads so far that depend on supposed facts."""


_WORLD: ContextVar[_World | None] = ContextVar("world", default=None)
"""The assignment in force while a rule is evaluated, or None."""


@dataclass_transform(kw_only_default=True)
class _About:
    pass


class Case(_About):
    """A situation that rules judge. A subclass annotates its values, and marks the methods that read its facts with
    `fact`.

    Facts may be given as arguments instead of read, so a test needs no view. A case caches its facts: make a new one
    for each question. A property that reads a fact must not be cached, as the fact may only be supposed.

    Raises TypeError if an argument has an unknown name.
    """

    view: View
    _named: ClassVar[frozenset[str]]
    """The names allowed as arguments: values, facts and cached properties."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        values = {name for base in cls.__mro__ for name in inspect.get_annotations(base)}
        members = [(name, member) for base in cls.__mro__ for name, member in vars(base).items()]
        read = {name for name, member in members if isinstance(member, fact | cached_property)}
        cls._named = frozenset(values | read)

    def __init__(self, **about: Any) -> None:
        self._block: Gather | None = None
        self._asks = dict[fact, tuple[Ask, ...]]()
        self._known = dict[fact, bool]()
        for name, value in about.items():
            if name not in self._named:
                raise TypeError(f"{type(self).__name__} is not about {name}")
            setattr(self, name, value)

    @property
    def facts(self) -> Gather:
        """The block that reads the position, while a fact is being read."""
        assert self._block is not None, "only a fact reads the position"
        return self._block

    def _find_fact(self, asked: fact) -> bool:
        world = _WORLD.get()
        key = self, asked
        if asked in self._known:
            return self._known[asked]
        if world and key in world.known:
            world.uses += 1
            return world.known[key]
        if asks := self._asks.get(asked) or (world and world.asks.get(key)):
            raise _Missing(key, asks)
        before = world.uses if world else 0
        try:
            holds = self._read_fact(asked)
        except _Missing as missing:
            if missing.key == key:
                if world and world.uses > before:
                    world.asks[key] = missing.asks
                else:
                    self._asks[asked] = missing.asks
            raise
        if world and world.uses > before:
            world.known[key] = holds
        else:
            self._known[asked] = holds
        return holds

    def _read_fact(self, asked: fact) -> bool:
        outer = self._block
        missing_below = None
        holds = False
        try:
            with self.view.gather() as self._block:
                try:
                    holds = bool(asked.func(self))
                except _Missing as missing:
                    missing_below = missing
        except MissingFacts as missing:
            raise _Missing((self, asked), (*missing.asks, *(missing_below.asks if missing_below else ()))) from None
        finally:
            self._block = outer
        if missing_below:
            raise missing_below
        return holds


class fact:  # noqa: N801  # it marks a method, as property does
    """A yes or no that a case reads when a clause first needs it.

    `func`: the method that reads it, through `self.facts`.
    """

    def __init__(self, func: Callable[[Any], bool]) -> None:
        self.func = func
        self.__doc__ = func.__doc__

    @overload
    def __get__(self, case: None, owner: type) -> fact: ...
    @overload
    def __get__(self, case: Case, owner: type) -> bool: ...
    def __get__(self, case: Case | None, owner: type) -> fact | bool:
        return self if case is None else case._find_fact(self)


_Key = tuple[Case, fact]
"""A fact of a case."""
_Held = tuple[str, str] | Step
"""The rule and sentence of a clause that holds, or a step."""


class _Leaf(msgspec.Struct, frozen=True):
    held: tuple[_Held, ...]
    asks: tuple[Ask, ...] = ()
    """The asks for the fact at which the evaluation stops, or () if the evaluation is complete."""

    @property
    def leaves(self) -> list[_Leaf]:
        return [self]

    def list_asks(self, *, open_only: bool) -> Iterator[Ask]:
        if not (open_only and self.held):
            yield from self.asks


class _Split(msgspec.Struct, frozen=True):
    asks: tuple[Ask, ...]
    """The asks for the missing fact."""
    true: _Leaf | _Split
    false: _Leaf | _Split

    @property
    def leaves(self) -> list[_Leaf]:
        return [*self.true.leaves, *self.false.leaves]

    def list_asks(self, *, open_only: bool) -> Iterator[Ask]:
        if not (open_only and all(leaf.held for leaf in self.leaves)):
            yield from self.asks
            yield from self.true.list_asks(open_only=open_only)
            yield from self.false.list_asks(open_only=open_only)


def _work_out(rule: Rule, supposed: Mapping[_Key, bool]) -> _Leaf | _Split:
    """Return the clauses of a rule that hold, split by the missing facts that matter.

    `supposed`: values of missing facts.
    """
    outer = _WORLD.get()
    world = _World({**(outer.known if outer else {}), **supposed}) if supposed or outer else None
    token = _WORLD.set(world)
    clauses_held = list[_Held]()
    missing = None
    try:
        for clause in rule():
            if isinstance(clause, Step):
                clauses_held.append(clause)
            elif clause[0]:
                clauses_held.append(clause[1:])
    except MissingFacts as error:
        missing = error
    finally:
        _WORLD.reset(token)
        if outer and world:
            outer.uses += world.uses
    if missing is None:
        return _Leaf(tuple(clauses_held))
    if not isinstance(missing, _Missing) or len(supposed) == MAX_FACTS_SUPPOSED:
        return _Leaf(tuple(clauses_held), missing.asks)
    ways = list[_Leaf | _Split]()
    contradiction = None
    for holds in (True, False):
        try:
            ways.append(_work_out(rule, {**supposed, missing.key: holds}))
        except InputError as error:  # a supposed fact may contradict the position
            contradiction = error
    if contradiction:
        if not ways:
            raise contradiction
        return _Leaf(tuple(clauses_held), missing.asks)
    true, false = ways
    return true if true == false else _Split(missing.asks, true, false)


class _Figures:
    """The figures of a case for its sentences: `?` for a figure that rests on a missing fact."""

    def __init__(self, case: object) -> None:
        self._case = case

    def __getattr__(self, name: str) -> object:
        try:
            return getattr(self._case, name)
        except MissingFacts:
            return "?"

    def __dir__(self) -> Iterable[str]:
        return dir(self._case)


def _judge_rules(rules: Iterable[Rule]) -> tuple[list[Step], list[Ask], bool]:
    """Return the bars of a case, the asks, and whether the case is forbidden by one clause or another.

    Bars are the clauses that hold whatever the missing facts are. Without bars, the facts asked for decide whether a
    clause holds, or which one.
    """
    bars = list[Step]()
    forbidden_ways, open_ways = list[_Leaf | _Split](), list[_Leaf | _Split]()
    for rule in rules:
        outcome = _work_out(rule, {})
        leaves = outcome.leaves
        certain = [clause for clause in leaves[0].held if all(clause in leaf.held for leaf in leaves)]
        case = _Figures(cast(MethodType, rule).__self__)
        bars += [clause if isinstance(clause, Step) else step(*clause, case) for clause in certain]
        (forbidden_ways if all(leaf.held for leaf in leaves) else open_ways).append(outcome)
    asks = [
        ask
        for rule_outcome in forbidden_ways or open_ways
        for ask in rule_outcome.list_asks(open_only=not forbidden_ways)
    ]
    return bars, [] if bars else [*{ask.name: ask for ask in asks}.values()], bool(bars or forbidden_ways)


def list_bars(*rules: Rule) -> list[Step]:
    """Return the steps of the clauses that hold whatever the missing facts are. `rules`: methods of cases.

    If one clause or another holds in any case, the facts that decide which one are asked for, because the answer gives
    the reason.

    Raises MissingFacts if no clause holds for certain and a missing fact decides whether one does.
    """
    bars, asks, _ = _judge_rules(rules)
    if asks:
        raise MissingFacts(asks)
    return bars


def list_bars_with(facts: Gather, *rules: Rule) -> list[Step]:
    """Return the steps of `list_bars`. `facts` asks for the missing facts together with its own."""
    try:
        return list_bars(*rules)
    except MissingFacts as missing:
        for ask in missing.asks:
            facts.ask(ask)
        return []


class Action(Case, Generic[R]):
    """An action that rules permit or forbid.

    A subclass defines `title`, the verdicts `yes` and `no`, `bars` and `result`. It may define `working`, `changes` and
    `needs`.
    """

    title: ClassVar[str]
    """The template of the title, filled with figures of the case like the verdicts."""
    yes: ClassVar[str]
    """The verdict if the action is allowed."""
    no: ClassVar[str]
    """The verdict if the action is forbidden."""

    def bars(self) -> Iterator[Clause | Step]:
        """Yield the reasons against the action."""
        raise NotImplementedError

    def result(self, *, allowed: bool) -> R | None:
        """Return the result in named fields, or None if there is none."""
        raise NotImplementedError

    def working(self) -> dict[str, Iterable[Step]]:
        """Return the working if the action is allowed: steps by the title of their part."""
        return {}

    def changes(self) -> Iterable[AnyChange]:
        """Return the changes if the action is allowed."""
        return ()

    def needs(self, facts: Gather) -> None:
        """Read the further facts that the result or the changes of an allowed action need."""

    def _list_lacking(self) -> tuple[Ask, ...]:
        try:
            with self.view.gather() as facts:
                self.needs(facts)
        except MissingFacts as missing:
            return missing.asks
        return ()

    def report(self) -> Report[R]:
        """Return the report on the action.

        Raises MissingFacts for facts that decide whether the action is allowed, or that its result needs.
        """
        bars, asks, forbidden = _judge_rules([self.bars])
        if lacking := [*asks, *(() if forbidden else self._list_lacking())]:
            raise MissingFacts([*{ask.name: ask for ask in lacking}.values()])
        return permission(
            fill_from(self.title, self),
            (self.yes, self.no),
            bars,
            self.result(allowed=not bars),
            self,
            working={} if bars else self.working(),
            changes=() if bars else self.changes(),
        )

"""Exact chances of a procedure: each distinct situation is computed once, and probabilities are fractions.

Independent parts are multiplied out only if a question asks for their joint distribution. Quantities are the notes of
the nodes. Whole numbers noted under the same name add up along the way (losses in several stacks); any other note
occurs only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Annotated, TypeVar

import msgspec

from ..state.state import CellKey
from ..state.vocabulary import Chance
from ..util.notes import note
from .procedure import Apart, Choice, Notes, Policy, Procedure, Quantity, Roll, Situation, Stuck

T = TypeVar("T")
Values = tuple[Quantity | None, ...]
"""The values of the quantities asked for, in order, or None for one that was not settled."""


class Likelihood(msgspec.Struct, frozen=True):
    """One value of a quantity."""

    value: Annotated[Quantity, note("the value")]
    chance: Chance


def mean_of(likelihoods: Iterable[Likelihood]) -> Fraction:
    """Return the expected value of a number."""
    return sum((Fraction(likelihood.value) * likelihood.chance for likelihood in likelihoods), Fraction(0))


def ends_of_check(passes: Fraction, retreats: Fraction, unchecked: Fraction) -> tuple[Likelihood, ...]:
    """Return the outcomes of a unit's check with their chances, 1 in all.

    `passes`, `retreats`: the chances that the unit passes, and that it fails and retreats.
    `unchecked`: the chance that it makes no check, because it may be eliminated before.
    """
    rest = 1 - passes - retreats - unchecked
    ends = {"passed": passes, "retreat": retreats, "fails without retreat": rest}
    if unchecked:
        ends["no check"] = unchecked
    return tuple(Likelihood(end, chance) for end, chance in ends.items())


class _Node(msgspec.Struct, frozen=True, eq=False):
    """A situation of the graph: its notes, and either the weighted outcomes of a roll or independent parts.

    `names`: the names of its notes, and of the notes of all nodes that follow.
    """

    notes: Notes
    names: frozenset[str]
    total: int
    """The number of equally likely cases. The chance of each node that follows is a whole number of these cases."""
    rolls: Sequence[tuple[int, _Node]] = ()
    ways: int = 1
    """The number of ways in which the dice can fall."""
    parts: Sequence[_Node] = ()


class _Weights(msgspec.Struct, frozen=True):
    by_values: Mapping[Values, int]
    total: int


class Chances:
    """The exact chances of a procedure from one start, with choices settled by a policy. Build it with `chances`."""

    def __init__(self, nodes: Sequence[_Node], situations: int, policy: Sequence[str]) -> None:
        self._nodes = nodes  # each node after those that follow it, the start last
        #: The number of distinct situations in the graph.
        self.situations = situations
        #: The names of the choices that the policy settled.
        self.settled = tuple(policy)

    @property
    def quantities(self) -> tuple[str, ...]:
        """The names of all quantities, sorted."""
        return tuple(sorted(self._nodes[-1].names))

    @cached_property
    def _noted(self) -> Mapping[str, _Weights]:
        return _weigh_noted_once(self._nodes)

    def joint(self, *names: str) -> dict[Values, Fraction]:
        """Return the joint distribution of the named quantities, most likely first.

        A quantity is None in the cases that do not settle it.
        """
        weights = _weigh(self._nodes, names)
        by_weight = sorted(weights.by_values.items(), key=lambda item: -item[1])
        return {values: Fraction(weight, weights.total) for values, weight in by_weight}

    def marginal(self, name: str) -> dict[Quantity | None, Fraction]:
        """Return the distribution of one quantity, in the order of its values.

        The value None stands for the cases that do not settle the quantity.
        """
        weights = self._noted.get(name) or _weigh(self._nodes, [name])
        by_value = {value: weight for (value,), weight in weights.by_values.items()}
        return {value: Fraction(by_value[value], weights.total) for value in _sort_values(by_value)}

    def likelihoods(self, name: str, order: Sequence[Quantity] = ()) -> tuple[Likelihood, ...]:
        """Return the distribution of one quantity, in the order of its values. A value not settled counts as 0.

        `order`: the values that come first, in order, such as the results of a chart from the worst to the best.
        """
        chance_of: dict[Quantity, Fraction] = {}
        for value, chance in self.marginal(name).items():
            counted = 0 if value is None else value
            chance_of[counted] = chance_of.get(counted, Fraction(0)) + chance
        first = [value for value in dict.fromkeys(order) if value in chance_of]
        rest = (value for value in _sort_values(chance_of) if value not in first)
        return tuple(Likelihood(value, chance_of[value]) for value in (*first, *rest))

    def probability(self, event: Callable[..., bool], *names: str) -> Fraction:
        """Return the probability of an event, a condition on the named quantities."""
        if len(names) == 1:
            return sum((chance for value, chance in self.marginal(*names).items() if event(value)), Fraction(0))
        return sum((chance for values, chance in self.joint(*names).items() if event(*values)), Fraction(0))

    def mean(self, name: str) -> Fraction:
        """Return the expected value of a number; not settled counts as 0."""
        return mean_of(self.likelihoods(name))


def _sort_values(values: Iterable[T]) -> list[T]:
    return sorted(values, key=lambda value: (str(type(value)), value))


class UnknownCells(Exception):
    """The chances depend on unknown chart cells.

    `cells`: all these cells.
    """

    def __init__(self, cells: Sequence[CellKey]) -> None:
        super().__init__(f"{len(cells)} chart cells are unknown")
        self.cells = tuple(cells)


def chances(procedure: Procedure, start: Situation, policy: Policy) -> Chances:
    """Return the exact chances of a procedure from a start; `policy` settles each choice.

    Raises UnknownCells if a chart cell that can be reached is unknown.
    """
    graph = _Graph(procedure, policy)
    graph.node_of(start)
    if graph.stuck:
        raise UnknownCells(tuple(graph.stuck))
    return Chances(graph.nodes, sum(map(len, graph.known.values())), tuple(graph.settled))


class _Graph:
    """The nodes to which a procedure leads, with each situation once.

    `policy`: settles each choice.
    """

    def __init__(self, procedure: Procedure, policy: Policy) -> None:
        self._procedure = procedure
        self._policy = policy
        self.nodes: list[_Node] = []
        """The nodes, sorted so that each node comes after the nodes that follow it in the procedure."""
        self.known: dict[type, dict[Situation, _Node]] = {}  # named tuples of two types may compare equal
        self.stuck: dict[CellKey, None] = {}
        self.settled: dict[str, None] = {}

    def node_of(self, situation: Situation) -> _Node:
        nodes_of_type = self.known.get(type(situation))
        if nodes_of_type is None:
            nodes_of_type = self.known[type(situation)] = {}
        node_before = nodes_of_type.get(situation)  # looked up once: hashing a nested situation is the main cost here
        if node_before is not None:
            return node_before
        node_of = self.node_of
        node = self._procedure(situation)
        rolls: Sequence[tuple[int, _Node]] = ()
        parts: Sequence[_Node] = ()
        match node:
            case Apart():
                parts = [node_of(part) for part in node.parts.values()]
            case Stuck(cell):
                self.stuck[cell] = None
            case Choice():
                label = next(iter(node.options))
                if len(node.options) > 1:
                    self.settled[node.name] = None
                    label = self._policy(node)
                parts = [node_of(node.options[label])]
            case Roll():
                rolls = [(ways, node_of(node.then(n))) for n, ways in node.dice.totals]
        if len(parts) == 1 and not node.notes:  # the node only leads to its successor, which takes its place
            built = parts[0]
        else:
            built = _make_node(node.notes, rolls, parts)
            self.nodes.append(built)
        nodes_of_type[situation] = built
        return built


def _make_node(notes: Notes, rolls: Sequence[tuple[int, _Node]] = (), parts: Sequence[_Node] = ()) -> _Node:
    later = [*(following for _, following in rolls), *parts]
    names = frozenset(notes).union(*[following.names for following in later])
    ways = sum(ways for ways, _ in rolls) if rolls else 1
    return _Node(notes, names, ways * lcm(*[following.total for following in later]), rolls, ways, parts)


def _weigh_noted_once(nodes: Sequence[_Node]) -> dict[str, _Weights]:
    """Return the distribution of each quantity that every path through the nodes notes at most once.

    It is computed from the weight with which each node is reached.

    `nodes`: as for `_weigh`.
    """
    start = nodes[-1]
    reached = dict.fromkeys(nodes, 0)
    reached[start] = start.total
    by_name: dict[str, dict[Values, int]] = {}
    noted_twice = set[str]()
    for node in reversed(nodes):
        weight = reached[node]
        for ways, following in node.rolls:
            reached[following] += weight // node.ways * ways
        for part in node.parts:
            reached[part] += weight
        for name, value in node.notes.items():
            by_value = by_name.setdefault(name, {})
            by_value[value,] = by_value.get((value,), 0) + weight
        noted_twice |= _find_noted_again(node)
    noted: dict[str, _Weights] = {}
    for name, by_value in by_name.items():
        if name not in noted_twice:
            rest = start.total - sum(by_value.values())
            noted[name] = _Weights({**by_value, (None,): rest} if rest else by_value, start.total)
    return noted


def _find_noted_again(node: _Node) -> set[str]:
    later = [following for _, following in node.rolls] or node.parts
    noted_twice = {name for name in node.notes if any(name in following.names for following in later)}
    seen = set[str]()
    for part in node.parts:
        noted_twice |= seen & part.names
        seen |= part.names
    return noted_twice


def _weigh(nodes: Sequence[_Node], names: Sequence[str]) -> _Weights:
    """Return the joint distribution of the named quantities: a roll mixes its outcomes, parts are multiplied.

    `nodes`: sorted so that each node comes after the nodes that follow it in the procedure; the start is last.
    """
    nothing = _Weights({(None,) * len(names): 1}, 1)
    known = dict.fromkeys(nodes, nothing)
    for node in nodes:
        if node.names.isdisjoint(names):
            continue
        total = _Weights({tuple(map(node.notes.get, names)): 1}, 1)
        if node.rolls:
            total = _combine(total, _mix([(ways, known[following]) for ways, following in node.rolls], node.ways))
        for part in node.parts:
            weights = known[part]
            total = total if weights is nothing else _combine(total, weights)
        known[node] = total
    return known[nodes[-1]]


def _mix(rolled: Sequence[tuple[int, _Weights]], ways: int) -> _Weights:
    scale = lcm(*[weights.total for _, weights in rolled])
    mixed: dict[Values, int] = {}
    for share, weights in rolled:
        factor = share * (scale // weights.total)
        for values, weight in weights.by_values.items():
            mixed[values] = mixed.get(values, 0) + factor * weight
    return _reduce_weights(mixed, scale * ways)


def _reduce_weights(weights: Mapping[Values, int], total: int) -> _Weights:
    common = gcd(total, *weights.values())
    return _Weights({values: weight // common for values, weight in weights.items()}, total // common)


def _combine(first: _Weights, second: _Weights) -> _Weights:
    mixed: dict[Values, int] = {}
    for values, weight in first.by_values.items():
        for other_values, factor in second.by_values.items():
            joined = tuple(map(add_quantities, values, other_values))
            mixed[joined] = mixed.get(joined, 0) + weight * factor
    return _Weights(mixed, first.total * second.total)


def add_notes(notes: Iterable[tuple[str, Quantity]]) -> dict[str, Quantity]:
    """Return the quantities in the notes, by name; whole numbers under one name add up."""
    settled: dict[str, Quantity | None] = {}
    for name, value in notes:
        settled[name] = add_quantities(settled.get(name), value)
    return {name: value for name, value in settled.items() if value is not None}


def add_quantities(first: Quantity | None, second: Quantity | None) -> Quantity | None:
    """Return the sum of two values noted under the same name; None stands for a value that is not settled.

    Raises TypeError if both are settled and one is not a whole number, because such a value is noted only once.
    """
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, str | bool) or isinstance(second, str | bool):
        raise TypeError(f"two values, {first!r} and {second!r}, were noted under the same name")
    return first + second

"""Who serves whom: sources with modes, clients that draw on one each, capacities, and sources that have to be fed
themselves.

A game makes the offers: what a source gives a client in which mode. `best_plan` chooses modes and offers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from ...util.limits import Limit

LOW = 1
"""What an offer of a lesser kind of supply gives."""
FULL = 2
"""What an offer of full supply gives."""
ALWAYS = ""
"""The mode of an offer that holds in every mode of its source."""


class Offer(NamedTuple):
    """What a source gives a client in one of its modes."""

    client: str
    source: str
    gives: int
    """LOW or FULL."""
    cost: int = 0
    """Of the line, in the game's smallest step."""
    mode: str = ALWAYS
    group: str = ""
    """The capacity that it takes a place of, "" for none."""


class PlanValue(NamedTuple):
    """How good a plan is, the greater the better."""

    served: int = 0
    full: int = 0
    unchanged: int = 0
    """0, less one for each source that has changed its mode."""


class ServicePlan(msgspec.Struct, frozen=True):
    """Who serves whom."""

    modes: Mapping[str, str]
    """Of every source that has any."""
    serves: Mapping[str, Offer]
    """By client the offer it takes."""
    value: PlanValue
    """How good that is."""
    exact: bool = True
    """Whether no plan is better, False if there were too many to try."""


def best_plan(
    offers: Iterable[Offer],
    usual: Mapping[str, str],
    *,
    capacity: Mapping[str, int] | None = None,
    fed: Collection[str] = (),
    fixed: Mapping[str, str] | None = None,
    most: int | None = None,
) -> ServicePlan:
    """Return the best plan: most clients served, then most of them fully, then fewest modes changed.

    usual: the mode of each source that can change; capacity: the clients of a group; fed: clients that are sources
    while fully served; fixed: modes decided; most: combinations tried. Raises ValueError for a group's offer to a `fed`
    client.
    """
    listed = tuple(offers)
    if bad := next((offer for offer in listed if offer.group and offer.client in fed), None):
        raise ValueError(f"{bad.source} feeds {bad.client} by a capacity")
    modes = {offer.source: dict.fromkeys([usual[offer.source]]) for offer in listed if offer.source in usual}
    for offer in listed:
        if offer.mode != ALWAYS and offer.source in modes:
            modes[offer.source][offer.mode] = None
    settled = {source: mode for source, mode in (fixed or {}).items() if source in modes}
    solver = _Solver(usual, modes, capacity or {}, frozenset(fed), Limit.PLANS.most if most is None else most)
    plan = solver.find_plan(listed, settled, frozenset())
    modes_kept = {source: plan.modes.get(source, settled.get(source, usual[source])) for source in modes}
    return msgspec.structs.replace(plan, modes=modes_kept, exact=solver.left >= 0)


class _Solver:
    """The search of `best_plan`: one source is settled after another, and what then falls apart is solved apart."""

    def __init__(
        self,
        usual: Mapping[str, str],
        modes: Mapping[str, Collection[str]],
        capacity: Mapping[str, int],
        fed: frozenset[str],
        left: int,
    ) -> None:
        self.usual = usual
        self.modes = modes
        self.capacity = capacity
        self.fed = fed
        self.left = left

    def find_plan(self, offers: Sequence[Offer], settled: Mapping[str, str], feeding: frozenset[str]) -> ServicePlan:
        """Return the best plan of these offers. settled: modes that are chosen; feeding: the fed sources that are known
        to serve.
        """
        certain, open_offers, feeding = self.sort_out(offers, settled, feeding)
        plan = ServicePlan({}, certain, _value_plan(certain.values()))
        coupling = {name for name in self.modes if name not in settled} | (self.fed - feeding)
        for part in _split_offers(open_offers, self.capacity, coupling):
            known = {offer.client: certain[offer.client] for offer in part if offer.client in certain}
            addition = self.solve_part(part, known, settled, feeding)
            serves = {**plan.serves, **addition.serves}
            modes = {**plan.modes, **addition.modes}
            unchanged = plan.value.unchanged + addition.value.unchanged
            plan = ServicePlan(modes, serves, _value_plan(serves.values())._replace(unchanged=unchanged))
        return plan

    def sort_out(
        self, offers: Sequence[Offer], settled: Mapping[str, str], feeding: frozenset[str]
    ) -> tuple[dict[str, Offer], list[Offer], frozenset[str]]:
        """Return what is certain: by client its best offer that nothing can take away; what is open; the fed sources
        known to serve.
        """
        certain: dict[str, Offer] = {}
        serving = set(feeding)
        possible = [offer for offer in offers if offer.mode in (ALWAYS, settled.get(offer.source, offer.mode))]
        while True:
            sure = list[Offer]()
            unsure = list[Offer]()
            for offer in possible:
                holds = offer.mode == ALWAYS or offer.source in settled
                is_sure = holds and not offer.group and (offer.source not in self.fed or offer.source in serving)
                (sure if is_sure else unsure).append(offer)
            for offer in sure:
                if offer.client not in certain or _rank(offer) < _rank(certain[offer.client]):
                    certain[offer.client] = offer
            fed = {name for name in self.fed if name in certain and certain[name].gives == FULL}
            more = [
                offer for offer in unsure if offer.client not in certain or offer.gives > certain[offer.client].gives
            ]
            hopeful = {offer.client for offer in more if offer.gives == FULL} | fed | serving
            more = [offer for offer in more if offer.source not in self.fed or offer.source in hopeful]
            if fed <= serving and len(more) + len(sure) == len(possible):
                return certain, more, frozenset(serving)
            serving |= fed
            possible = [*more, *sure]

    def solve_part(
        self, part: Sequence[Offer], known: Mapping[str, Offer], settled: Mapping[str, str], feeding: frozenset[str]
    ) -> ServicePlan:
        """Return the best plan of offers that hang together. known: the certain offers of their clients."""
        source = self.find_next_source(part, settled)
        if not source:
            living = [offer for offer in part if offer.source not in self.fed or offer.source in feeding]
            serves = {**known, **_match_offers(living, known, self.capacity)}
            return ServicePlan({}, serves, _value_plan(serves.values()))
        hoped = self.estimate_best(part, known)
        best: ServicePlan | None = None
        for mode in self.modes[source]:
            if mode != self.usual[source]:
                self.left -= 1
                if self.left < 0 and best is not None:
                    break
            offers = (*part, *known.values())
            plan = self.find_plan(offers, {**settled, source: mode}, feeding)
            unchanged = plan.value.unchanged - (mode != self.usual[source])
            plan = ServicePlan({**plan.modes, source: mode}, plan.serves, plan.value._replace(unchanged=unchanged))
            if best is None or plan.value > best.value:
                best = plan
            if best.value >= hoped:
                break
        assert best is not None  # every source has its usual mode
        return best

    def find_next_source(self, part: Sequence[Offer], settled: Mapping[str, str]) -> str:
        """Return the source to settle next, "" if all are: one that feeds others first, then the one with most offers."""
        count: dict[str, list[int]] = {}
        for offer in part:
            if offer.mode != ALWAYS and offer.source not in settled and offer.source in self.modes:
                weight = count.setdefault(offer.source, [0, 0])
                weight[0] += offer.client in self.fed
                weight[1] += 1
        return max(sorted(count), key=lambda name: count[name], default="")

    def estimate_best(self, part: Sequence[Offer], known: Mapping[str, Offer]) -> PlanValue:
        """Return a value that no plan of a part exceeds: each client takes the best that anybody offers."""
        best = {client: offer.gives for client, offer in known.items()}
        for offer in part:
            best[offer.client] = max(best.get(offer.client, 0), offer.gives)
        return PlanValue(len(best), sum(gives == FULL for gives in best.values()), 0)


def _rank(offer: Offer) -> tuple[int, int, str]:
    """Return what makes an offer better for its client: the less, the better."""
    return -offer.gives, offer.cost, offer.source


def _value_plan(serves: Iterable[Offer]) -> PlanValue:
    gives = [serve.gives for serve in serves]
    return PlanValue(len(gives), gives.count(FULL))


def _split_offers(offers: Sequence[Offer], capacity: Mapping[str, int], coupling: Collection[str]) -> list[list[Offer]]:
    """Return the offers in parts that share no client, no coupling source, and no capacity that may run out
    (union-find).
    """
    wanting = defaultdict[str, set[str]](set)
    for offer in offers:
        wanting[offer.group].add(offer.client)
    root: dict[tuple[str, str], tuple[str, str]] = {}

    def root_of(name: tuple[str, str]) -> tuple[str, str]:
        while root.setdefault(name, name) != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for offer in offers:
        at = root_of(("", offer.client))
        if offer.source in coupling:
            root[root_of(("", offer.source))] = at  # a source that is fed bears the name of the client that it is
            at = root_of(at)
        if offer.group and len(wanting[offer.group]) > capacity.get(offer.group, 0):
            root[root_of(("group", offer.group))] = at
    parts: dict[tuple[str, str], list[Offer]] = {}
    for offer in offers:
        parts.setdefault(root_of(("", offer.client)), []).append(offer)
    return list(parts.values())


# --- capacities -------------------------------------------------------------------------------------------------------


def _match_offers(offers: Sequence[Offer], known: Mapping[str, Offer], capacity: Mapping[str, int]) -> dict[str, Offer]:
    """Return the offers that clients take where all modes are settled, beside those that are certain: the most served,
    then the most fully, then at the least cost.

    One client more is served at a time, at the greatest gain there is, so the sum of all gains is the greatest
    (successive shortest paths).
    """
    choices: dict[str, dict[str, Offer]] = {}
    for offer in sorted(offers, key=_rank):
        if offer.client not in known or offer.gives > known[offer.client].gives:
            choices.setdefault(offer.client, {}).setdefault(offer.group, offer)
    many = len(choices) + 1
    dearest = 1 + sum(max(offer.cost for offer in by_group.values()) for by_group in choices.values())

    def gain(offer: Offer) -> int:
        """Return what an offer adds to the plan: a client served counts for more than all of them fully, that for more
        than all costs.
        """
        before = known[offer.client].gives if offer.client in known else 0
        return ((before == 0) * many + (offer.gives == FULL) - (before == FULL)) * dearest - offer.cost

    taken: dict[str, Offer] = {}
    while way := _find_augmentation(choices, taken, capacity, gain):
        taken |= way
    return taken


class _Arrival(NamedTuple):
    """How a group is reached: the gain so far, the client that enters it, and by which offer."""

    gain: int
    client: str
    offer: Offer


def _find_augmentation(
    choices: Mapping[str, Mapping[str, Offer]],
    taken: Mapping[str, Offer],
    capacity: Mapping[str, int],
    gain: Callable[[Offer], int],
) -> dict[str, Offer]:
    """Return the offers that change hands so that one more client takes one, at the greatest gain; none where nothing
    is gained.

    That client may take a place from another, who then moves to another group, and so on up to a group with a free
    place (Bellman-Ford).
    """
    filled = defaultdict[str, list[str]](list)
    for client, offer in taken.items():
        filled[offer.group].append(client)
    reached: dict[str, _Arrival] = {}
    for _ in range(len(choices) + 1):
        changed = False
        moves = [(0, client) for client in choices if client not in taken]
        moves += [(reached[group].gain - gain(taken[client]), client) for group in reached for client in filled[group]]
        for so_far, client in moves:
            for group, offer in choices[client].items():
                total = so_far + gain(offer)
                if (group not in reached or total > reached[group].gain) and taken.get(client) != offer:
                    reached[group] = _Arrival(total, client, offer)
                    changed = True
        if not changed:
            break
    free = [group for group in reached if not group or len(filled[group]) < capacity.get(group, 0)]
    end = max(sorted(free), key=lambda group: reached[group].gain, default=None)
    if end is None or reached[end].gain <= 0:
        return {}
    way: dict[str, Offer] = {}
    at: str | None = end
    while at is not None:
        _, client, offer = reached[at]
        way[client] = offer
        at = taken[client].group if client in taken else None
    return way

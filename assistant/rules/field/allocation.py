"""Supply allocation: sources with modes and capacities, and clients that draw on one source each.

Some sources must be fed themselves. A game lists the offers of each source to each client. `best_plan` chooses modes
and offers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from ...util.limits import Limit

LOW = 1
"""The level of an offer of partial supply."""
FULL = 2
"""The level of an offer of full supply."""
ALWAYS = ""
"""The mode of an offer that holds in every mode of its source."""


class Offer(NamedTuple):
    """The supply that a source gives a client in one of its modes."""

    client: str
    source: str
    gives: int
    """The level of supply, LOW or FULL."""
    cost: int = 0
    """The cost of the line, in the game's smallest step."""
    mode: str = ALWAYS
    group: str = ""
    """The group whose capacity the offer uses, or "" if unlimited."""


class PlanValue(NamedTuple):
    """The value of a plan; greater is better."""

    served: int = 0
    full: int = 0
    unchanged: int = 0
    """Minus the number of sources that changed their mode."""


class ServicePlan(msgspec.Struct, frozen=True):
    """The mode of each source, and the offer that each client takes."""

    modes: Mapping[str, str]
    """The mode of each source that can change."""
    serves: Mapping[str, Offer]
    """The offer that each client takes."""
    value: PlanValue
    """The value of the plan."""
    exact: bool = True
    """Whether no better plan exists; False if there were too many plans to try."""


def best_plan(
    offers: Iterable[Offer],
    usual: Mapping[str, str],
    *,
    capacity: Mapping[str, int] | None = None,
    fed: Collection[str] = (),
    fixed: Mapping[str, str] | None = None,
    max_changes: int | None = None,
) -> ServicePlan:
    """Return the best plan: most clients served, then most of them fully, then fewest modes changed.

    `usual`: the present mode of each source that can change.
    `capacity`: the number of clients that each group can serve.
    `fed`: clients that are sources themselves, but only while fully served.
    `fixed`: the modes of sources that must not change.
    `max_changes`: the maximum number of mode changes tried in the search. If more are needed, the plan is not `exact`.

    Raises ValueError if an offer with a group is made to a client in `fed`.
    """
    listed = tuple(offers)
    if bad := next((offer for offer in listed if offer.group and offer.client in fed), None):
        raise ValueError(f"{bad.source} feeds {bad.client} by a capacity")
    modes = {offer.source: dict.fromkeys([usual[offer.source]]) for offer in listed if offer.source in usual}
    for offer in listed:
        if offer.mode != ALWAYS and offer.source in modes:
            modes[offer.source][offer.mode] = None
    settled = {source: mode for source, mode in (fixed or {}).items() if source in modes}
    solver = _Solver(
        usual, modes, capacity or {}, frozenset(fed), Limit.PLANS.most if max_changes is None else max_changes
    )
    plan = solver.find_plan(listed, settled, frozenset())
    modes_kept = {source: plan.modes.get(source, settled.get(source, usual[source])) for source in modes}
    return msgspec.structs.replace(plan, modes=modes_kept, exact=solver.trials_left >= 0)


class _Solver:
    """The search of `best_plan`. It fixes one source's mode at a time, and solves independent parts separately."""

    def __init__(
        self,
        usual: Mapping[str, str],
        modes: Mapping[str, Collection[str]],
        capacity: Mapping[str, int],
        fed: frozenset[str],
        trials_left: int,
    ) -> None:
        self.usual = usual
        self.modes = modes
        self.capacity = capacity
        self.fed = fed
        self.trials_left = trials_left

    def find_plan(self, offers: Sequence[Offer], settled: Mapping[str, str], feeding: frozenset[str]) -> ServicePlan:
        """Return the best plan of these offers.

        `feeding`: fed sources that are known to serve.
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
        """Return the best certain offer of each client, the open offers, and the fed sources known to serve."""
        certain: dict[str, Offer] = {}
        serving = set(feeding)
        possible = [offer for offer in offers if offer.mode in (ALWAYS, settled.get(offer.source, offer.mode))]
        while True:
            certain_offers = list[Offer]()
            uncertain_offers = list[Offer]()
            for offer in possible:
                holds = offer.mode == ALWAYS or offer.source in settled
                is_sure = holds and not offer.group and (offer.source not in self.fed or offer.source in serving)
                (certain_offers if is_sure else uncertain_offers).append(offer)
            for offer in certain_offers:
                if offer.client not in certain or _rank(offer) < _rank(certain[offer.client]):
                    certain[offer.client] = offer
            fed = {name for name in self.fed if name in certain and certain[name].gives == FULL}
            improving = [
                offer
                for offer in uncertain_offers
                if offer.client not in certain or offer.gives > certain[offer.client].gives
            ]
            may_serve = {offer.client for offer in improving if offer.gives == FULL} | fed | serving
            improving = [offer for offer in improving if offer.source not in self.fed or offer.source in may_serve]
            if fed <= serving and len(improving) + len(certain_offers) == len(possible):
                return certain, improving, frozenset(serving)
            serving |= fed
            possible = [*improving, *certain_offers]

    def solve_part(
        self, part: Sequence[Offer], known: Mapping[str, Offer], settled: Mapping[str, str], feeding: frozenset[str]
    ) -> ServicePlan:
        """Return the best plan of connected offers.

        `known`: the certain offers of their clients.
        """
        source = self.find_next_source(part, settled)
        if not source:
            serving = [offer for offer in part if offer.source not in self.fed or offer.source in feeding]
            serves = {**known, **_match_offers(serving, known, self.capacity)}
            return ServicePlan({}, serves, _value_plan(serves.values()))
        upper_bound = self.estimate_best(part, known)
        best: ServicePlan | None = None
        for mode in self.modes[source]:
            if mode != self.usual[source]:
                self.trials_left -= 1
                if self.trials_left < 0 and best is not None:
                    break
            offers = (*part, *known.values())
            plan = self.find_plan(offers, {**settled, source: mode}, feeding)
            unchanged = plan.value.unchanged - (mode != self.usual[source])
            plan = ServicePlan({**plan.modes, source: mode}, plan.serves, plan.value._replace(unchanged=unchanged))
            if best is None or plan.value > best.value:
                best = plan
            if best.value >= upper_bound:
                break
        assert best is not None  # every source has its usual mode, so there is a plan
        return best

    def find_next_source(self, part: Sequence[Offer], settled: Mapping[str, str]) -> str:
        """Return the source whose mode to fix next, or "" if all are fixed.

        Sources that feed others come first, then those with most offers.
        """
        count: dict[str, list[int]] = {}
        for offer in part:
            if offer.mode != ALWAYS and offer.source not in settled and offer.source in self.modes:
                weight = count.setdefault(offer.source, [0, 0])
                weight[0] += offer.client in self.fed
                weight[1] += 1
        return max(sorted(count), key=lambda name: count[name], default="")

    def estimate_best(self, part: Sequence[Offer], known: Mapping[str, Offer]) -> PlanValue:
        """Return an upper bound for the plans of a part: each client takes its best offer."""
        best = {client: offer.gives for client, offer in known.items()}
        for offer in part:
            best[offer.client] = max(best.get(offer.client, 0), offer.gives)
        return PlanValue(len(best), sum(gives == FULL for gives in best.values()), 0)


def _rank(offer: Offer) -> tuple[int, int, str]:
    return -offer.gives, offer.cost, offer.source


def _value_plan(serves: Iterable[Offer]) -> PlanValue:
    gives = [serve.gives for serve in serves]
    return PlanValue(len(gives), gives.count(FULL))


def _split_offers(offers: Sequence[Offer], capacity: Mapping[str, int], coupling: Collection[str]) -> list[list[Offer]]:
    """Split offers into parts that share no client, no coupling source, and no scarce capacity (union-find)."""
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
            root[root_of(("", offer.source))] = at  # a fed source has the same name as a client
            at = root_of(at)
        if offer.group and len(wanting[offer.group]) > capacity.get(offer.group, 0):
            root[root_of(("group", offer.group))] = at
    parts: dict[tuple[str, str], list[Offer]] = {}
    for offer in offers:
        parts.setdefault(root_of(("", offer.client)), []).append(offer)
    return list(parts.values())


# --- capacities -------------------------------------------------------------------------------------------------------


def _match_offers(offers: Sequence[Offer], known: Mapping[str, Offer], capacity: Mapping[str, int]) -> dict[str, Offer]:
    """Return the offers that clients take in addition to certain ones once all modes are fixed.

    Most clients are served, then most fully, then at the least cost. Each round serves one more client at the greatest
    gain, so the total gain is the greatest (successive shortest paths).
    """
    choices: dict[str, dict[str, Offer]] = {}
    for offer in sorted(offers, key=_rank):
        if offer.client not in known or offer.gives > known[offer.client].gives:
            choices.setdefault(offer.client, {}).setdefault(offer.group, offer)
    served_weight = len(choices) + 1
    cost_weight = 1 + sum(max(offer.cost for offer in by_group.values()) for by_group in choices.values())

    def gain(offer: Offer) -> int:
        """Return the gain of an offer.

        Serving a client outweighs any number of full supplies, which outweigh all costs.
        """
        before = known[offer.client].gives if offer.client in known else 0
        return ((before == 0) * served_weight + (offer.gives == FULL) - (before == FULL)) * cost_weight - offer.cost

    taken: dict[str, Offer] = {}
    while exchange := _find_augmentation(choices, taken, capacity, gain):
        taken |= exchange
    return taken


class _Arrival(NamedTuple):
    """The best way found to reach a group: the gain so far, the client that enters the group, and its offer."""

    gain: int
    client: str
    offer: Offer


def _find_augmentation(
    choices: Mapping[str, Mapping[str, Offer]],
    taken: Mapping[str, Offer],
    capacity: Mapping[str, int],
    gain: Callable[[Offer], int],
) -> dict[str, Offer]:
    """Return the offers to exchange to serve one more client at the greatest gain, or {} if nothing is gained.

    The client may take the place of another one, who moves to another group, and so on to a group with a free place
    (Bellman-Ford).
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
    free_groups = [group for group in reached if not group or len(filled[group]) < capacity.get(group, 0)]
    end = max(sorted(free_groups), key=lambda group: reached[group].gain, default=None)
    if end is None or reached[end].gain <= 0:
        return {}
    exchange: dict[str, Offer] = {}
    at: str | None = end
    while at is not None:
        _, client, offer = reached[at]
        exchange[client] = offer
        at = taken[client].group if client in taken else None
    return exchange

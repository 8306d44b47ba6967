"""Who serves whom: the best plan, against a search of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.rules.field.allocation import ALWAYS, FULL, LOW, Offer, ServicePlan, best_plan

from ....cases import examples

NORMAL, EXTENDED = "normal", "extended"


def value_of(
    taken: Iterable[Offer],
    modes: Mapping[str, str],
    usual: Mapping[str, str],
    capacity: Mapping[str, int],
    fed: set[str],
) -> tuple[int, int, int] | None:
    """How good a plan is, None if it is not allowed: written down as the rules say it, one after another."""
    taken = list(taken)
    by_client = {one.client: one for one in taken}
    if len(by_client) < len(taken):
        return None
    for one in taken:
        if one.group and sum(other.group == one.group for other in taken) > capacity[one.group]:
            return None
        source, seen = one.source, set[str]()
        while source in fed:
            feeder = by_client.get(source)
            if feeder is None or feeder.gives < FULL or source in seen:
                return None
            seen.add(source)
            source = feeder.source
    return (
        len(taken),
        sum(one.gives == FULL for one in taken),
        -sum(modes[source] != usual[source] for source in modes),
    )


def best_of_all(
    offers: Sequence[Offer], usual: Mapping[str, str], capacity: Mapping[str, int], fed: set[str]
) -> tuple[int, int, int]:
    """The value of the best of all plans: every choice of modes with every choice of offers."""
    clients = sorted({one.client for one in offers})
    values = []
    for picked in product(*([NORMAL, EXTENDED] for _ in usual)):
        modes = dict(zip(usual, picked, strict=True))
        holding = [one for one in offers if one.mode in (ALWAYS, modes.get(one.source))]
        for plan in product(*([None, *(one for one in holding if one.client == client)] for client in clients)):
            value = value_of([one for one in plan if one], modes, usual, capacity, fed)
            values += [value] if value else []
    return max(values)


def check(offers: Sequence[Offer], usual: Mapping[str, str], capacity: Mapping[str, int], fed: set[str]) -> ServicePlan:
    plan = best_plan(offers, usual, capacity=capacity, fed=fed)
    assert plan.exact
    modes = {source: plan.modes.get(source, usual[source]) for source in usual}
    assert value_of(plan.serves.values(), modes, usual, capacity, fed) == tuple(plan.value)
    assert tuple(plan.value) == best_of_all(offers, usual, capacity, fed)
    return plan


CLIENTS, TRAINS, DEPOTS = ("a", "b", "c", "d"), ("T", "U"), ("D", "E")


@st.composite
def small_sides(draw: st.DrawFn) -> tuple[list[Offer], dict[str, str], dict[str, int], set[str]]:
    """A few units, two trains that take two or fewer guests and have to be fed, and two depots."""
    chosen = lambda *among: draw(st.sampled_from(among))  # noqa: E731
    offers: list[Offer] = []
    for train in TRAINS:
        for depot in DEPOTS:
            reach = chosen("", NORMAL, EXTENDED)
            modes = {"": (), NORMAL: (NORMAL, EXTENDED), EXTENDED: (EXTENDED,)}[reach]
            offers += [Offer(train, depot, FULL, 1, mode) for mode in modes]
        if chosen(False, False, True):
            offers.append(Offer(train, "rail", FULL))
    if chosen(False, False, True):
        offers.append(Offer("T", "U", FULL, 1, chosen(NORMAL, EXTENDED)))
    for client in CLIENTS:
        for train in TRAINS:
            reach, group = chosen("", "", NORMAL, EXTENDED), chosen("", f"guests of {train}")
            if reach == NORMAL:
                offers.append(Offer(client, train, FULL, 1, NORMAL, group))
            if reach:
                offers.append(Offer(client, train, LOW, 1, EXTENDED, group))
        depot = chosen("", *DEPOTS)
        if depot:
            offers.append(Offer(client, depot, FULL, 2, EXTENDED))
        if rail := chosen(0, 0, LOW, FULL):
            offers.append(Offer(client, "rail", rail, 3))
    capacity = {f"guests of {train}": chosen(0, 1, 2) for train in TRAINS}
    return offers, dict.fromkeys((*TRAINS, *DEPOTS), NORMAL), capacity, set(TRAINS)


@settings(max_examples=examples(150), deadline=None)
@given(small_sides())
def test_no_plan_is_better(side: tuple[list[Offer], dict[str, str], dict[str, int], set[str]]) -> None:
    check(*side)


ONE_TRAIN = {"T": NORMAL}


def test_as_it_stands_no_mode_is_changed() -> None:
    offers = [Offer("a", "T", FULL, 1, NORMAL), Offer("b", "T", LOW, 9, EXTENDED)]
    assert set(best_plan(offers, ONE_TRAIN, fixed={"T": NORMAL}).serves) == {"a"}
    assert set(best_plan(offers, ONE_TRAIN, fixed={"T": EXTENDED}).serves) == {"b"}


def test_equally_good_offers_go_to_one_that_takes_no_place_then_to_the_cheaper_line() -> None:
    offers = [Offer("u", "S", FULL, 5, group="a"), Offer("u", "T", FULL, 1, group="b")]
    assert best_plan(offers, {}, capacity={"a": 1, "b": 1}).serves["u"].source == "T"
    assert best_plan(offers, {}, capacity={"a": 1, "b": 0}).serves["u"].source == "S"
    others = [Offer("v", "S", FULL, 2, group="a"), Offer("v", "T", FULL, 3, group="b")]
    plan = best_plan([*offers, *others], {}, capacity={"a": 1, "b": 1})
    assert {client: offer.source for client, offer in plan.serves.items()} == {"u": "T", "v": "S"}
    offers = [Offer("u", "rail", FULL, 5), Offer("u", "T", FULL, 1, group="guests")]
    assert best_plan(offers, {}, capacity={"guests": 1}).serves["u"].source == "rail"


def test_a_bound_is_stated_rather_than_broken() -> None:
    usual = {f"T{n}": NORMAL for n in range(8)}
    offers = [Offer(f"a{n}", f"T{n}", LOW, 1, EXTENDED) for n in range(8)]
    assert best_plan(offers, usual).value == (8, 0, -8)
    cut = best_plan(offers, usual, max_changes=3)
    assert not cut.exact
    assert cut.value.served >= 3


def test_a_capacity_cannot_feed_a_source() -> None:
    with pytest.raises(ValueError, match="D feeds T by a capacity"):
        best_plan([Offer("T", "D", FULL, group="g")], {}, fed={"T"})


# --- what other games ask of it ---------------------------------------------------------------------------------------


def test_a_cap_on_all_sources_of_a_kind_together() -> None:
    """As for American divisions that British and French headquarters supply: so many, whichever of them do."""
    offers = [Offer(f"us{n}", hq, FULL, 1, group="American") for n in range(4) for hq in ("British HQ", "French HQ")]
    own = [Offer("3rd", "British HQ", FULL)]
    plan = best_plan([*offers, *own], {}, capacity={"American": 3})
    assert (plan.value.served, "3rd" in plan.serves) == (4, True)

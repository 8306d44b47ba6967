"""The fewest things that settle an outcome, against trying every set of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from assistant.mechanics.settling import NoRoomError, Settled, find_settling, hit_sets, least_part

THINGS = "abcdefg"
SETS = st.lists(st.sets(st.sampled_from(THINGS), min_size=1, max_size=4), max_size=6)


def changed(sets: Collection[Collection[str]], otherwise: Collection[str]) -> bool:
    """Whether an outcome changes with some things otherwise: it does with all of any of these sets."""
    return any(set(one) <= set(otherwise) for one in sets)


def solved(sets: Sequence[Collection[str]], room: int = 10**6, enough: Collection[str] | None = None) -> Settled[str]:
    """What settles an outcome that these sets change. room: how many trials are made."""
    trials = 0

    def changes(things: Collection[str]) -> bool:
        nonlocal trials
        trials += 1
        if trials > room:
            raise NoRoomError
        return changed(sets, things)

    def seek(kept: frozenset[str]) -> list[str] | None:
        left = [thing for thing in THINGS if thing not in kept]
        return least_part(left, changes) if changes(left) else None

    return find_settling(seek, lambda kept: not changes([*{*THINGS} - kept]), enough=enough)


def settles(sets: Sequence[Collection[str]], things: Collection[str]) -> bool:
    """Whether nothing else changes the outcome: every set has one of the things."""
    return not changed(sets, {*THINGS} - {*things})


@given(SETS)
def test_no_fewer_things_settle_it(sets: list[set[str]]) -> None:
    found = solved(sets)
    assert found.least and found.complete and settles(sets, found.things)
    assert not any(
        settles(sets, fewer) for fewer in combinations(THINGS, max(len(found.things) - 1, 0)) if found.things
    )


@given(SETS)
def test_each_changing_set_changes_it_and_no_part_of_it_does(sets: list[set[str]]) -> None:
    for one in solved(sets).changing:
        assert changed(sets, one) and not any(changed(sets, one - {left}) for left in one)


@given(SETS, st.integers(0, 40))
def test_without_room_it_is_said_how_far_the_things_can_be_trusted(sets: list[set[str]], room: int) -> None:
    fewest, enough = len(solved(sets).things), {*THINGS}
    for found in (solved(sets, room), solved(sets, room, enough)):
        assert settles(sets, found.things) or not found.complete
        assert len(found.things) == fewest or not found.least
    assert solved(sets, room, enough).complete


@given(st.lists(st.sets(st.integers(0, 19), min_size=1, max_size=4), min_size=1, max_size=6), st.integers(0, 20))
def test_of_a_part_that_changes_it_no_part_does_whatever_is_known_to_be_idle(sets: list[set[int]], most: int) -> None:
    def changes(things: Sequence[int]) -> bool:
        return any(one <= {*things} for one in sets)

    idle = max(many for many in range(most + 1) if not changes(range(many)))
    part = least_part(range(20), changes, idle)
    assert changes(part) and not any(changes([*{*part} - {left}]) for left in part)


def test_a_few_are_tried_before_all() -> None:
    tried = list[Sequence[int]]()

    def changes(things: Sequence[int]) -> bool:
        tried.append(things)
        return {1, 101} <= {*things}

    assert least_part(range(200), changes, 100) == [1, 101]
    assert len(tried) < 10 and all(len(things) <= 8 for things in tried)


@given(SETS)
def test_a_hitting_set_is_a_smallest_one(sets: list[set[str]]) -> None:
    found, least = hit_sets([frozenset(one) for one in sets])
    assert least and settles(sets, found)
    assert not any(settles(sets, fewer) for fewer in combinations(THINGS, max(len(found) - 1, 0)) if found)


def test_among_equally_few_those_preferred_are_taken() -> None:
    pairs = [frozenset("ab"), frozenset("bc"), frozenset("cd"), frozenset("da")]
    assert hit_sets(pairs, "ac")[0] == {*"ac"}
    assert hit_sets(pairs, "bd")[0] == {*"bd"}


def test_two_ways_that_are_both_barred_change_it_together() -> None:
    # a line of two hexes, a and b, and a way round of three, c, d and e
    ways = ["ab", "cde"]
    cuts = [[one, other] for one in ways[0] for other in ways[1]]
    found = solved(cuts)
    assert (found.things, found.least) == ({*"ab"}, True), (
        "whoever is sure of the shorter way need not look at the other"
    )
    assert all(len(one) == 2 for one in found.changing)

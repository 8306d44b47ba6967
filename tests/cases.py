"""Which cases `make test` tries, and which are left to `make thorough`."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest
from hypothesis import settings

thorough = pytest.mark.thorough
"""A test that takes long, or shows once more what another test shows."""
few = pytest.mark.few
"""`few(3)`: of the many cases of a test, that number are for `make test`, spread over all of them."""

LONG = frozenset({"engine", "hostile", "page", "secrets", "served", "site"})
"""The names of the folders of tests many of which take seconds."""


def leave_to_thorough(items: Iterable[pytest.Item]) -> None:
    """Mark the cases of tests with few ones that are beyond these."""
    for all in cases_of(item for item in items if item.get_closest_marker("few")):
        (count,) = all[0].get_closest_marker("few").args
        kept = {number * len(all) // count for number in range(count)}
        for number, item in enumerate(all):
            if number not in kept:
                item.add_marker(thorough)


def cases_of(items: Iterable[pytest.Item]) -> Iterable[list[pytest.Item]]:
    """The cases of each test."""
    cases: dict[tuple[str, str], list[pytest.Item]] = {}
    for item in items:
        cases.setdefault((str(item.path), getattr(item, "originalname", item.name)), []).append(item)
    return cases.values()


def beyond_share(items: Iterable[pytest.Item], share: int) -> set[pytest.Item]:
    """The thorough cases beyond every so-manieth of a test, of which one at least stays; others in a run with a number of its
    own (CASES).
    """
    first = int(os.environ.get("CASES") or 0)
    thorough_cases = cases_of(item for item in items if item.get_closest_marker("thorough"))
    return {
        item
        for all in thorough_cases
        for at, item in enumerate(all)
        if at % min(share, len(all)) != first % min(share, len(all))
    }


class LongFirst:
    """Has the tests of some folders run before all others: processes that share the tests end together if short ones come last."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep whatever order there is among the long tests, and among the others; pytest calls this."""
        items.sort(key=lambda item: LONG.isdisjoint(item.path.parts))


def seeds(count: int) -> range:
    """So many seeds to make up cases from, others than usual in a run with a number of its own (CASES)."""
    first = count * int(os.environ.get("CASES") or 0)
    return range(first, first + count)


def examples(count: int) -> int:
    """So many examples for a test to make up, or the few of `make test`."""
    most = settings().max_examples if settings.get_current_profile_name() == "few" else count
    return min(count, most)

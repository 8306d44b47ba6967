"""What differs between mappings, found fast, is what differs between them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from assistant.util.mappings import compare_closely, list_mapping
from tests.cases import few, seeds

WORDS = ("all", "both", "each")


def changed(mapping: Mapping[int, str], random: Random) -> dict[int, str]:
    """A mapping in which some keys are set, are gone, are new, or stand elsewhere."""
    after = dict(mapping)
    for _ in range(random.choice((0, 1, 2, 5, 200))):
        key = random.randrange(len(mapping) + 5)
        match random.randrange(4):
            case 0:
                after.pop(key, None)
            case 1:
                after[key] = random.choice(WORDS)
            case 2:
                after[key] = after.pop(key, "all")
            case _:
                after = {key: after.get(key, "both"), **after}
    return after


@few(5)
@pytest.mark.parametrize("seed", seeds(300))
def test_mappings_are_compared(seed: int) -> None:
    random = Random(seed)
    before = {number: random.choice(WORDS) for number in range(random.choice((0, 1, 3, 40, 300)))}
    after = changed(before, random)
    after |= {key: "".join([*value]) for key, value in after.items() if random.random() < 0.1}
    compared, equal = compare_closely(list_mapping(before), list_mapping(after))
    assert [*compared.since] == [key for key in after if key not in before or before[key] != after[key]]
    assert [*compared.gone] == [key for key in before if key not in after]
    stays = {key for key in after if key not in compared.since and key not in compared.moved}
    assert [key for key in before if key in stays] == [key for key in after if key in stays], "those in the same order"
    assert all(before[key] == after[key] for key in compared.moved)
    alike = {key for key in after if key in before and before[key] == after[key]}
    assert sorted(equal) == sorted(key for key in alike if before[key] is not after[key])

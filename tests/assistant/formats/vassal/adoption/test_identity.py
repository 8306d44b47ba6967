"""A piece is what most of its slot, its name and its picture stand for."""

from __future__ import annotations

import random

import pytest

from assistant.formats.vassal.adoption.identity import names_for_piece, recognise
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.traits import Trait


@pytest.mark.parametrize(
    ("signs", "found", "others"),
    [
        ([], (), ()),
        ([("a",)], ("a",), ()),
        ([("a",), ("a",)], ("a",), ()),
        ([("b",), ("a",), ("a",)], ("a",), ("b",)),
        ([("a",), ("b",)], ("a",), ("b",)),
        ([("a",), ("b",), ("c",)], ("a",), ("b", "c")),
        ([("a", "a (2)"), ("a", "a (2)")], ("a", "a (2)"), ()),
        ([("a",), ("a", "b"), ("b", "a")], ("a",), ()),
    ],
)
def test_most_signs_decide_and_then_the_surest(
    signs: list[tuple[str, ...]], found: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert recognise(signs) == (found, others)


def test_nothing_has_more_signs_than_what_is_found() -> None:
    made = random.Random(7)
    for _ in range(500):
        signs = [tuple(made.sample("abcd", made.randint(1, 3))) for _ in range(made.randint(1, 4))]
        counts = {thing: sum(thing in things for things in signs) for thing in "abcd"}
        found, others = recognise(signs)
        assert {counts[thing] for thing in found} == {max(counts.values())}
        assert not {*found} & {*others}


@pytest.mark.parametrize(
    ("traits", "slot", "names"),
    [
        (("piece;;;a.png;1st",), "12", ["#12", "1st", "a.png"]),
        (("piece;;;bl-inf-1;bl-inf-1",), "", ["bl-inf-1"]),
        (("piece;;;Fu\u0308silier.png;1st",), "", ["1st", "F\u00fcsilier.png"]),
        (("piece;;;;",), "", []),
    ],
)
def test_each_name_of_a_piece_counts_once(traits: tuple[str, ...], slot: str, names: list[str]) -> None:
    assert names_for_piece(Piece("1", tuple(map(Trait, traits)), slot=slot)) == names

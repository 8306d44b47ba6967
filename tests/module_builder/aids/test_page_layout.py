"""Cards on pages, from their sizes alone: every piece once, none over another or off its page, no two pages that one would hold."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from module_builder.aids.page_layout import Packed, PackedPiece, Size, Sizes, pack

from ...cases import thorough

ROOMS = {False: 258.0, True: 171.0}
GAP = 6.0

sizes = st.builds(Size, st.floats(5, 171), st.booleans(), st.booleans())
layouts = st.lists(st.lists(sizes, min_size=1, max_size=4), min_size=1, max_size=3)
some_cards = st.lists(st.builds(Sizes, layouts, st.sampled_from([0.0, 8.0])), min_size=1, max_size=6)


def span(cards: list[Sizes], packed: Packed, spot: PackedPiece) -> tuple[float, float, frozenset[int]]:
    """From where to where a piece reaches on its page with its head, and in which columns."""
    size = cards[spot.card].layouts[packed.layouts[spot.card]][spot.piece]
    head = cards[spot.card].head if spot.headed else 0.0
    return spot.top, spot.top + head + size.height, frozenset({spot.column}) if size.half else frozenset({0, 1})


@thorough
@given(some_cards)
def test_every_piece_of_one_layout_stands_once_on_a_page_that_lies_as_it_needs(cards: list[Sizes]) -> None:
    packed = pack(cards, ROOMS, GAP)
    placed = sorted((spot.card, spot.piece) for sheet in packed.sheets for spot in sheet.spots)
    assert placed == [
        (number, piece)
        for number, layout in enumerate(packed.layouts)
        for piece in range(len(cards[number].layouts[layout]))
    ]
    for sheet in packed.sheets:
        for spot in sheet.spots:
            size = cards[spot.card].layouts[packed.layouts[spot.card]][spot.piece]
            assert size.landscape is sheet.landscape


@given(some_cards)
def test_nothing_lies_over_anything_and_a_card_is_named_once_on_a_shared_page(cards: list[Sizes]) -> None:
    packed = pack(cards, ROOMS, GAP)
    for sheet in packed.sheets:
        spans = [span(cards, packed, spot) for spot in sheet.spots]
        assert max(end for _, end, _ in spans) <= sheet.bottom + 1e-6 <= ROOMS[sheet.landscape] + 1e-5
        for (start, end, columns), (other, last, others) in combinations(spans, 2):
            assert not columns & others or start >= last + GAP - 1e-6 or other >= end + GAP - 1e-6
    for sheet in pack(cards, ROOMS, GAP).sheets:
        on_it = {spot.card for spot in sheet.spots}
        headed = [spot.card for spot in sheet.spots if spot.headed]
        named = {card for card in on_it if cards[card].head} if len(on_it) > 1 else set()
        assert sorted(headed) == sorted(named)


@given(some_cards)
def test_no_two_pages_are_half_empty_that_would_be_one(cards: list[Sizes]) -> None:
    """Two pages that lie alike hold more than one has room for, the heads and gaps included that they would need."""
    packed = pack(cards, ROOMS, GAP)
    for one, other in combinations(packed.sheets, 2):
        if one.landscape is other.landscape:
            spots = [*one.spots, *other.spots]
            added = sum(cards[spot.card].head for spot in spots) + GAP
            assert one.bottom + other.bottom + added > ROOMS[one.landscape] - 1e-6


def test_the_roomiest_layout_is_taken_that_saves_a_page() -> None:
    roomy, low = [Size(200)], [Size(100)]
    alone = [Sizes([roomy, low])]
    assert pack(alone, ROOMS, GAP).layouts == (0,)
    two = [Sizes([roomy, low]), Sizes([roomy, [Size(150)], low])]
    packed = pack(two, ROOMS, GAP)
    assert packed.layouts == (1, 1) and len(packed.sheets) == 1


def test_a_card_is_not_torn_apart_where_that_saves_no_page() -> None:
    charts, key = Sizes([[Size(120), Size(120)]]), Sizes([[Size(120)]])
    packed = pack([Sizes([[Size(125)]]), charts, key], ROOMS, GAP)
    assert [{spot.card for spot in sheet.spots} for sheet in packed.sheets] == [{0, 2}, {1}]

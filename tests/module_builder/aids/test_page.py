"""Pages: blocks flow over columns and pages, words stay inside their room; cards by their sizes alone, no two pages that one would hold."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.drawing.lettering import POINT_MM, text_width
from assistant.drawing.scene import Rectangle, Shape, Text
from assistant.util.errors import InputError
from assistant.util.typesetting import with_spaces
from module_builder.aids.flow import Block, flow_blocks, paragraph, set_line, set_words
from module_builder.aids.page import MIN_SIZE_MM, AidStyle, aid_page, content_area
from module_builder.aids.page_layout import Packed, PackedPiece, Size, Sizes, share_pages
from module_builder.sheets.sizes import PAPER_MARGIN_MM, PAPERS, Box

from ...cases import thorough

AREA = Box(10, 20, 100, 50)


def block(name: int, height: float, *, tied: bool = False) -> Block:
    """A block that draws a rectangle, as wide as its name."""
    return Block(height, lambda x, y: (Rectangle(x=x, y=y, width=name, height=height),), tied)


def placed(pages: list[Block]) -> list[list[tuple[float, float, float]]]:
    drawn = [page.draw(AREA.left, AREA.top) for page in pages]
    return [[(one.width, one.x, one.y) for one in page if isinstance(one, Rectangle)] for page in drawn]


def test_blocks_go_down_the_columns_and_on_to_the_next_page_up_to_a_limit() -> None:
    blocks = [block(name, 20) for name in range(1, 6)]
    assert placed(flow_blocks(blocks, AREA, columns=2, gap=4)) == [
        [(1, 10, 20), (2, 10, 40), (3, 62, 20), (4, 62, 40)],
        [(5, 10, 20)],
    ]
    blocks = [block(1, 30), block(2, 5, tied=True), block(3, 5, tied=True), block(4, 15)]
    assert placed(flow_blocks(blocks, AREA)) == [[(1, 10, 20)], [(2, 10, 20), (3, 10, 25), (4, 10, 30)]]
    blocks = [block(1, 20), block(2, 20)]
    assert len(flow_blocks(blocks, AREA, above=10)) == 1
    assert len(flow_blocks(blocks, AREA, above=11)) == 2
    assert len(flow_blocks([block(1, 50)] * 500, AREA)) == 500
    with pytest.raises(InputError, match="a card has more than 500 pages"):
        flow_blocks([block(1, 50)] * 501, AREA)


def test_words_never_leave_their_room_and_stay_readable() -> None:
    found = set_words("short words and a Donaudampfschifffahrtsgesellschaftskapitaen", MIN_SIZE_MM, 20)
    assert all(text_width(line, MIN_SIZE_MM) <= 20 for line in found.lines)
    assert "".join(found.lines).replace("-", "").endswith("schaftskapitaen"), "nothing is cut off"
    assert set_words("  ", MIN_SIZE_MM, 20).height == 0
    text = set_line(0, 0, "The Army of the Upper Vistula", 12 * POINT_MM, 30)
    assert MIN_SIZE_MM <= text.size < 12 * POINT_MM
    assert set_line(0, 0, "The Army of the Upper Vistula", 12 * POINT_MM, 10).text.endswith("…")
    blocks = paragraph("word " * 60, MIN_SIZE_MM, 50)
    assert len(blocks) > 3 and len({one.height for one in blocks}) == 1


@pytest.mark.parametrize(
    ("text", "printed"),
    [("high-water", "high water"), ("50-99", "50-99"), ("1:4", "1:4"), ("größer-als", "größer als")],
)
def test_hyphens_between_letters_are_spaces(text: str, printed: str) -> None:
    assert with_spaces(text) == printed


LONG = "The Army of the Upper Vistula and of the fortresses in the Masurian lakes " * 3


def reach(shape: Shape) -> tuple[float, float, float]:
    """From where to where a shape of a head or foot reaches, and the line on which it stands."""
    if isinstance(shape, Rectangle):
        return shape.x, shape.x + shape.width, shape.y + shape.height
    assert isinstance(shape, Text)
    wide = text_width(shape.text, shape.size, bold=shape.bold)
    left = shape.x - (wide if shape.anchor == "end" else 0)
    return left, left + wide, shape.y


@pytest.mark.parametrize("landscape", [False, True])
@pytest.mark.parametrize(("title", "game", "note"), [("CRT", "T", "a note"), (LONG, LONG, LONG * 2), ("CRT", "T", "")])
def test_head_and_foot_reach_from_margin_to_margin_around_the_content_and_beside_one_another(
    landscape: bool, title: str, game: str, note: str
) -> None:
    look = AidStyle(PAPERS["a4"], 15)
    scene = aid_page(look, title, game, (), note=note, foot_text="page 1", landscape=landscape)
    content = content_area(look, landscape=landscape)
    (frame,) = (layer.shapes for layer in scene.layers if layer.name == "frame")
    parts = [reach(shape) for shape in frame]
    assert min(left for left, _, _ in parts) == PAPER_MARGIN_MM
    assert max(right for _, right, _ in parts) == pytest.approx(scene.width - PAPER_MARGIN_MM)
    head, foot = ([part for part in parts if (part[2] < content.top) is above] for above in (True, False))
    assert (len(head), len(foot)) == (3, 3 if note == LONG * 2 else 2 if note else 1)
    assert all(content.bottom < base <= scene.height - PAPER_MARGIN_MM for _, _, base in foot)
    lowest = max(base for _, _, base in foot)
    for line in (head[:2], [part for part in foot if part[2] == lowest]):
        assert all(one[1] < other[0] for one, other in pairwise(line))


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
    packed = share_pages(cards, ROOMS, GAP)
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
    packed = share_pages(cards, ROOMS, GAP)
    for sheet in packed.sheets:
        spans = [span(cards, packed, spot) for spot in sheet.spots]
        assert max(end for _, end, _ in spans) <= sheet.bottom + 1e-6 <= ROOMS[sheet.landscape] + 1e-5
        for (start, end, columns), (other, last, others) in combinations(spans, 2):
            assert not columns & others or start >= last + GAP - 1e-6 or other >= end + GAP - 1e-6
    for sheet in share_pages(cards, ROOMS, GAP).sheets:
        on_it = {spot.card for spot in sheet.spots}
        headed = [spot.card for spot in sheet.spots if spot.headed]
        named = {card for card in on_it if cards[card].head} if len(on_it) > 1 else set()
        assert sorted(headed) == sorted(named)


@given(some_cards)
def test_no_two_pages_are_half_empty_that_would_be_one(cards: list[Sizes]) -> None:
    """Two pages that lie alike hold more than one has room for, the heads and gaps included that they would need."""
    packed = share_pages(cards, ROOMS, GAP)
    for one, other in combinations(packed.sheets, 2):
        if one.landscape is other.landscape:
            spots = [*one.spots, *other.spots]
            added = sum(cards[spot.card].head for spot in spots) + GAP
            assert one.bottom + other.bottom + added > ROOMS[one.landscape] - 1e-6


def test_the_roomiest_layout_is_taken_that_saves_a_page_and_no_card_torn_apart_for_less() -> None:
    roomy, low = [Size(200)], [Size(100)]
    alone = [Sizes([roomy, low])]
    assert share_pages(alone, ROOMS, GAP).layouts == (0,)
    two = [Sizes([roomy, low]), Sizes([roomy, [Size(150)], low])]
    packed = share_pages(two, ROOMS, GAP)
    assert packed.layouts == (1, 1) and len(packed.sheets) == 1
    charts, key = Sizes([[Size(120), Size(120)]]), Sizes([[Size(120)]])
    packed = share_pages([Sizes([[Size(125)]]), charts, key], ROOMS, GAP)
    assert [{spot.card for spot in sheet.spots} for sheet in packed.sheets] == [{0, 2}, {1}]

"""Packing cards on pages, by the sizes of their pieces. All lengths are in millimetres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

_SLACK_MM = 1e-6
"""The excess height of a piece that is tolerated, because of rounding."""


class Size(NamedTuple):
    """The size of a piece of a card on a page."""

    height: float
    half: bool = False
    """Whether it takes only one of two columns."""
    landscape: bool = False
    """Whether its page lies on its side."""

    @property
    def share(self) -> float:
        """The part of a page that the piece takes: its height, halved if another piece fits beside it."""
        return self.height / 2 if self.half else self.height


class Sizes(NamedTuple):
    """The sizes of a card."""

    layouts: Sequence[Sequence[Size]]
    """The pieces of each layout, the roomiest first."""
    head: float = 0.0
    """The height of its name on a page that it shares."""


class PackedPiece(NamedTuple):
    """A piece in its column on a page."""

    card: int
    """The number of the card."""
    piece: int
    """The index of the piece in the layout of its card."""
    column: int
    """1 for a piece of half width in the right column, otherwise 0."""
    top: float
    headed: bool
    """Whether the name of the card is above it."""


class PackedPage(NamedTuple):
    """A page."""

    landscape: bool
    spots: tuple[PackedPiece, ...]
    bottom: float
    """The lower end of its pieces."""


class Packed(NamedTuple):
    """Cards on pages."""

    layouts: tuple[int, ...]
    """The number of the layout of each card."""
    sheets: tuple[PackedPage, ...]


class _Item(NamedTuple):
    card: int
    piece: int
    size: Size


def share_pages(cards: Sequence[Sizes], rooms: Mapping[bool, float], gap: float) -> Packed:
    """Return all cards on the fewest pages, each in its roomiest layout that allows this.

    A piece that is higher than a page has a page of its own.

    `rooms`: the height of a page, by whether it lies on its side.
    `gap`: the space between two pieces, one above the other.
    """

    @cache
    def pages(chosen: tuple[int, ...]) -> list[PackedPage]:
        return _lay_out(cards, chosen, rooms, gap)

    chosen = tuple(len(card.layouts) - 1 for card in cards)
    # first choose layouts that save a page or spread cards over fewer pages, then roomier ones that are no worse
    for saving in (True, False):
        for number, card in enumerate(cards):
            for layout in range(len(card.layouts) if saving else chosen[number]):
                tried = (*chosen[:number], layout, *chosen[number + 1 :])
                cost, least = _rate_pages(pages(tried)), _rate_pages(pages(chosen))
                if cost < least or (not saving and cost == least):
                    chosen = tried
                    if not saving:
                        break
    return Packed(chosen, tuple(pages(chosen)))


def _rate_pages(sheets: Sequence[PackedPage]) -> tuple[int, int]:
    return len(sheets), sum(len({spot.card for spot in sheet.spots}) for sheet in sheets)


def _lay_out(
    cards: Sequence[Sizes], chosen: Sequence[int], rooms: Mapping[bool, float], gap: float
) -> list[PackedPage]:
    """Return the pages of some layouts, with pieces in the order that takes the fewest pages and spreads the cards
    least.
    """
    items = [
        _Item(number, place, size)
        for number, (card, layout) in enumerate(zip(cards, chosen, strict=True))
        for place, size in enumerate(card.layouts[layout])
    ]
    heads = [card.head for card in cards]
    whole = [sum(size.share for size in card.layouts[layout]) for card, layout in zip(cards, chosen, strict=True)]
    orders = (
        items,
        sorted(items, key=lambda item: -whole[item.card]),
        sorted(items, key=lambda item: -item.size.share),
    )
    return min((_fill_pages(order, heads, rooms, gap) for order in orders), key=_rate_pages)


def _fill_pages(
    items: Sequence[_Item], heads: Sequence[float], rooms: Mapping[bool, float], gap: float
) -> list[PackedPage]:
    """Return each piece on the first page that has room, pages in the order of the cards on them."""
    held: list[list[_Item]] = []
    sheets: list[PackedPage] = []
    free: list[float] = []
    for item in items:
        room, share = rooms[item.size.landscape] + _SLACK_MM, item.size.share
        for number, sheet in enumerate(sheets):
            if share > free[number] or sheet.landscape is not item.size.landscape:
                continue
            together = sorted([*held[number], item])
            if made := _arrange_items(together, heads, gap, room):
                held[number], sheets[number] = together, made
                free[number] -= share
                break
        else:
            held.append([item])
            alone = PackedPiece(item.card, item.piece, column=0, top=0.0, headed=False)
            sheets.append(PackedPage(item.size.landscape, (alone,), item.size.height))
            free.append(room - share)
    return sorted(sheets, key=lambda sheet: min(sheet.spots)[:2])


def _arrange_items(items: Sequence[_Item], heads: Sequence[float], gap: float, room: float) -> PackedPage | None:
    """Return pieces on a page, in order or else those of whole width first, or None if they do not fit."""
    made = _stack_items(items, heads, gap, room)
    if made is None and len(items) > 2 and any(item.size.half for item in items):
        made = _stack_items(sorted(items, key=lambda item: item.size.half), heads, gap, room)
    return made


def _stack_items(items: Sequence[_Item], heads: Sequence[float], gap: float, room: float) -> PackedPage | None:
    """Return pieces from top to bottom, halves in the emptier column, or None if they do not fit.

    A card has its name above its first piece on a page that it shares.
    """
    shared = len({item.card for item in items}) > 1
    left, right, named, spots = 0.0, 0.0, set[int](), list[PackedPiece]()
    for card, piece, (height, half, _) in items:
        headed = shared and card not in named and heads[card] > 0
        named.add(card)
        column = 1 if half and right < left else 0
        top = min(left, right) if half else max(left, right)
        top += gap if top > 0 else 0.0
        end = top + height + (heads[card] if headed else 0.0)
        if end > room:
            return None
        spots.append(PackedPiece(card, piece, column, top, headed))
        left, right = (left, end) if column else (end, right if half else end)
    return PackedPage(items[0].size.landscape, tuple(spots), max(left, right))

"""How far Railheads advance along RR lines, and what converting a hex costs (17.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated

import msgspec

from assistant.asking import note
from assistant.mechanics.tracing import trace_links

from ..railways.network import Network

MOST = 5
"""Hexes that a Railhead may be advanced along one RR line in a game turn."""


class Points(msgspec.Struct, frozen=True, kw_only=True):
    """RR Engineer points. home: German ones that serve within Germany only, in parentheses on the turn record."""

    german: Annotated[int, note("German points, for use anywhere except Austria-Hungary")] = 0
    home: Annotated[int, note("German points in parentheses, for use only in Germany")] = 0
    austro_hungarian: Annotated[int, note("Austro-Hungarian points, for use anywhere except Germany")] = 0
    russian: Annotated[int, note("Russian points")] = 0


class Advance(msgspec.Struct, frozen=True):
    """How far from its railhead a hex lies that may be converted."""

    hexes: int
    """Hexes along the lines, those of this turn included."""
    railhead: str
    """Where the advance begins."""
    way: tuple[str, ...] = ()
    """The hexes along which it leads, the last one that hex."""


def advances(network: Network, fresh: Collection[str], open_to: Callable[[str], bool]) -> dict[str, Advance]:
    """Return the hexes to which Railheads may be advanced this turn, hex by hex and no more than five along a line, and
    those to which they were, each with its distance.

    fresh: hexes that were converted this turn; open_to: whether a Railhead may come to a hex, or is to.
    Rule: 17.1.2, 17.1.3
    """
    behind = network.own - set(fresh)
    advance_by_hex: dict[str, Advance] = {}
    field = trace_links(
        sorted(behind),
        lambda hex: network.links.get(hex, ()),
        lambda here, there: there in fresh or open_to(there),
        reach=MOST,
    )
    for hex, far in field.cost.items():
        if far:
            railhead, *way = field.line(hex)
            advance_by_hex[hex] = Advance(far, railhead, tuple(way))
    return advance_by_hex


def nearest_first(hexes: Iterable[str], advance_by_hex: Mapping[str, Advance]) -> list[str]:
    """Return hexes in the order in which a Railhead comes to them."""
    return sorted(hexes, key=lambda hex: (advance_by_hex[hex].hexes if hex in advance_by_hex else MOST + 1, hex))


def too_many_hexes(made: Iterable[Advance]) -> tuple[str, ...]:
    """Return the railheads from which more than five hexes are converted in a turn, on all branches together. made: the
    advances to all hexes that are converted in the turn. Rule: 17.1.3
    """
    begun = Counter(advance.railhead for advance in made)
    return tuple(sorted(railhead for railhead, count in begun.items() if count > MOST))


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """What a conversion costs."""

    points: Points
    """What each kind pays."""
    left: Points = Points()
    """What each has left."""
    short: Annotated[Mapping[str, int], note("missing points, by country")]


def pay_conversion(hexes: Mapping[str, int], points: Points) -> Bill:
    """Return whose points pay for hexes of the Central Powers, one each: German ones never in Austria-Hungary,
    Austro-Hungarian ones never in Germany, home ones within Germany alone; elsewhere both nations' work together.

    hexes: how many in each country. Rule: 17.1.2b
    """
    in_germany = hexes.get("german", 0)
    in_austria = hexes.get("austro-hungarian", 0)
    abroad = sum(hexes.values()) - in_germany - in_austria
    home = min(points.home, in_germany)
    german = min(points.german, in_germany - home)
    austro_hungarian = min(points.austro_hungarian, in_austria)
    short = {"german": in_germany - home - german, "austro-hungarian": in_austria - austro_hungarian}
    more = min(points.german - german, abroad)
    rest = min(points.austro_hungarian - austro_hungarian, abroad - more)
    short["abroad"] = abroad - more - rest
    paid = Points(german=german + more, home=home, austro_hungarian=austro_hungarian + rest)
    return Bill(
        points=paid, left=_subtract(points, paid), short={where: count for where, count in short.items() if count}
    )


def converts(countries: Iterable[str], points: Points) -> bool:
    """Return whether points pay for hexes, one each. countries: of the hexes. Rule: 17.1.2, 17.1.2b"""
    hexes = Counter(countries)
    return not (pay_russian(hexes.total(), points) if points.russian else pay_conversion(hexes, points)).short


def pay_russian(hexes: int, points: Points) -> Bill:
    """Return what the Russian RR Engineers pay, who work anywhere. hexes: how many are converted. Rule: 17.1.2"""
    paid = Points(russian=min(hexes, points.russian))
    short = hexes - paid.russian
    return Bill(points=paid, left=_subtract(points, paid), short={"": short} if short else {})


def _subtract(points: Points, paid: Points) -> Points:
    """Return what is left of points."""
    return Points(**{kind: getattr(points, kind) - getattr(paid, kind) for kind in Points.__struct_fields__})


def points_in(text: str) -> tuple[int, int] | None:
    """Return the points of a turn as the printed record shows them, `3` or `3 (2)`: usable anywhere, and at home only;
    None for anything else.
    """
    match = re.fullmatch(r"([0-9]{1,2})\s*(?:\(([0-9]{1,2})\))?|\(([0-9]{1,2})\)", text.strip())
    return (int(match[1] or 0), int(match[2] or match[3] or 0)) if match else None

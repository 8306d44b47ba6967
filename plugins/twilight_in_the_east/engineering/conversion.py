"""What RR Engineers may change to operational in a RR Engineering Phase, and whose points pay for it (17.1.2, 17.1.3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated

import msgspec

from assistant.mechanics.tracing import link
from assistant.questions import Step, note, step

from ..railways.network import Links, Network

MOST = 5
"""Hexes that a Railhead may be advanced along one RR line in a game turn."""
ALLIES = ("german", "austro-hungarian")


class Points(msgspec.Struct, frozen=True, kw_only=True):
    """RR Engineer points. home: German ones that serve within Germany only, in parentheses on the turn record."""

    german: Annotated[int, note("of the Germans, for use anywhere but in Austria-Hungary")] = 0
    home: Annotated[int, note("of the Germans, for use within Germany alone")] = 0
    austro_hungarian: Annotated[int, note("of the Austro-Hungarians, for use anywhere but in Germany")] = 0
    russian: Annotated[int, note("of the Russians")] = 0


class Advance(msgspec.Struct, frozen=True):
    """How far from its railhead a hex lies that may be converted. hexes: along the lines, hexes of this turn included;
    railhead: where the advance begins; way: the hexes along which it leads, the last one that hex."""

    hexes: int
    railhead: str
    way: tuple[str, ...] = ()


def advances(network: Network, fresh: Collection[str], open_to: Callable[[str], bool]) -> dict[str, Advance]:
    """The hexes to which Railheads may be advanced in this turn, hex by hex and no more than five along a line, and
    those to which they were, each with its distance.

    fresh: hexes that were converted in this turn; open_to: whether a Railhead may come to a hex, or is to.
    Rule: 17.1.2, 17.1.3
    """
    behind = network.own - set(fresh)
    advance_by_hex: dict[str, Advance] = {}
    field = link(
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
    """Hexes in the order in which a Railhead comes to them."""
    return sorted(hexes, key=lambda hex: (advance_by_hex[hex].hexes if hex in advance_by_hex else MOST + 1, hex))


def too_many(hexes: Collection[str], advance_by_hex: Mapping[str, Advance], reading: str) -> tuple[str, ...]:
    """The railheads from which more than five hexes are converted in a turn, where ruling railhead-line counts all of
    its branches together. hexes: all that are converted in the turn.
    Rule: 17.1.3
    """
    if reading == "branch":
        return ()  # no hex farther off was offered
    begun = Counter(advance_by_hex[hex].railhead for hex in hexes if hex in advance_by_hex)
    return tuple(sorted(railhead for railhead, count in begun.items() if count > MOST))


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """What a conversion costs. points: what each kind pays; left: what each has left; short: points that are missing,
    by the country of the hexes.
    """

    points: Points
    left: Points = Points()
    short: Annotated[Mapping[str, int], note("points that are missing, by country")]


def pay(hexes: Mapping[str, int], points: Points) -> Bill:
    """Whose points pay for hexes of the Central Powers, one each: German ones never in Austria-Hungary,
    Austro-Hungarian ones never in Germany, home ones within Germany alone; elsewhere both nations' work together.

    hexes: how many in each country. Rule: 17.1.2b
    """
    in_germany, in_austria = hexes.get("german", 0), hexes.get("austro-hungarian", 0)
    abroad = sum(hexes.values()) - in_germany - in_austria
    home = min(points.home, in_germany)
    german = min(points.german, in_germany - home)
    austro_hungarian = min(points.austro_hungarian, in_austria)
    short = {"german": in_germany - home - german, "austro-hungarian": in_austria - austro_hungarian}
    more = min(points.german - german, abroad)
    rest = min(points.austro_hungarian - austro_hungarian, abroad - more)
    short["abroad"] = abroad - more - rest
    paid = Points(german=german + more, home=home, austro_hungarian=austro_hungarian + rest)
    return Bill(points=paid, left=less(points, paid), short={where: count for where, count in short.items() if count})


def converts(countries: Iterable[str], points: Points) -> bool:
    """Whether points pay for hexes, one each. countries: of the hexes. Rule: 17.1.2, 17.1.2b"""
    hexes = Counter(countries)
    return not (pay_russian(hexes.total(), points) if points.russian else pay(hexes, points)).short


def pay_russian(hexes: int, points: Points) -> Bill:
    """What the Russian RR Engineers pay, who work anywhere. hexes: how many are converted. Rule: 17.1.2"""
    paid = Points(russian=min(hexes, points.russian))
    short = hexes - paid.russian
    return Bill(points=paid, left=less(points, paid), short={"": short} if short else {})


def add_points(points: Iterable[Points]) -> Points:
    """The points of several nations together."""
    every = [*points]
    return Points(**{kind: sum(getattr(points, kind) for points in every) for kind in Points.__struct_fields__})


def less(points: Points, paid: Points) -> Points:
    """What is left of points."""
    return Points(**{kind: getattr(points, kind) - getattr(paid, kind) for kind in Points.__struct_fields__})


def points_in(text: str) -> tuple[int, int] | None:
    """The points of a turn as the printed record shows them, `3` or `3 (2)`: usable anywhere, and at home only; None
    for anything else.
    """
    match = re.fullmatch(r"([0-9]{1,2})\s*(?:\(([0-9]{1,2})\))?|\(([0-9]{1,2})\)", text.strip())
    return (int(match[1] or 0), int(match[2] or match[3] or 0)) if match else None


def why_not(
    hex: str, links: Links, network: Network, advance: Mapping[str, Advance], *, controlled: bool, enemy: bool
) -> Step | None:
    """Why a hex cannot be converted, None if its place allows it. controlled: whether the side controls it; enemy:
    whether an enemy stands in it.
    """
    reasons = (
        (hex not in links, "17.1", "no RR line leads through {hex}"),
        (hex in network.own, "17.1.1", "{hex} is on a RR line that the side has changed already"),
        (enemy, "17.1.4", "an enemy stands in {hex}"),
        (not controlled, "17.1.3", "{hex} is not in friendly controlled territory"),
        (hex not in advance, "17.1.3", "no Railhead comes to {hex} along {limit} hexes of a line in this turn"),
    )
    return next((step(rule, text, hex=hex, limit=MOST) for holds, rule, text in reasons if holds), None)

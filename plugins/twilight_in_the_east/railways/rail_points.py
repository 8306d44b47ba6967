"""Rail Points: pools, the points left in them, and their renewal (4.5.1, 4.7, 5.2.1, 8.2.1, 8.2.9, 17.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

import msgspec

from assistant.asking import Step, View, holding
from assistant.asking.view import changed
from assistant.mechanics.tracing import trace_links
from assistant.state.changes import Change
from assistant.state.points import check_halves, format_points, read_points

from ..ground.calendar import record_entry
from ..terms import WARSAW
from .routes import GAUGES, RailNet

# The tracks of the pools.
RAIL = "rail-points"
"""Track: the Rail Points of a nation; for the Russians those of Russian gauge."""
EUROPEAN = "euro-gauge-points"
"""Track: the Russian Rail Points of European gauge."""
WARSAW_POINTS = "warsaw-points"
"""Track: the Russian Rail Points of Warsaw."""
POOLS = {"german": (RAIL,), "austro-hungarian": (RAIL,), "russian": (RAIL, EUROPEAN, WARSAW_POINTS)}
"""The tracks of the pools of each nation."""
POOL_TITLES = {RAIL: "", EUROPEAN: "European gauge", WARSAW_POINTS: "Warsaw"}
"""The words that distinguish a pool from the other Rail Points of its nation."""
RUSSIAN_GAUGE, EUROPEAN_GAUGE = GAUGES
SPECIAL_ALLOTMENT_POINTS = 40
"""The Rail Points of a special allotment (8.2.9)."""
MAX_SPECIAL_ALLOTMENTS = {"german": 2, "austro-hungarian": 1}
"""The maximum number of special allotments in the game (8.2.9), by nation."""
RENEWAL_TRACK = "points-renewed"
"""Track: the game turn after which a nation's Rail Points were last renewed."""
ALLOTMENTS_TRACK = "special-allotments"
"""Track: the number of special allotments that a nation has had."""
ALLOTMENT_TURN_TRACK = "special-turn"
"""Track: the game turn after which a nation had its last special allotment."""
TURNS_PER_INTER_PHASE = 3
"""The number of game turns from one Inter-Phase to the next (5.2)."""


class RailPool(NamedTuple):
    """A pool of Rail Points."""

    nation: str
    """The nation that owns the pool."""
    kind: str
    """The track that states the pool's points."""


Purse = Mapping[RailPool, Fraction | None]
"""The Rail Points left in each pool, or None if they are not known."""


class Payment(msgspec.Struct, frozen=True):
    """A payment of Rail Points by a unit."""

    paid: Mapping[RailPool, Fraction]
    """The points spent from each pool."""
    lacking: Fraction
    """The points missing in the pools; if there are any, none are paid."""
    left: Purse
    """The pools after the payment."""


def pools_for(nation: str, gauge: str, *, warsaw: bool) -> tuple[RailPool, ...]:
    """Return the pools on which a unit draws at a station, the first to draw on first.

    A nation uses only its own pools. Each Russian pool serves the stations of one gauge.

    `gauge`: the gauge of the line by which a Russian unit leaves.
    `warsaw`: whether Warsaw points may be used at the station.

    Rule: 8.2.1a, 8.2.1b, 17.2, 17.2.1
    """
    european = nation == "russian" and gauge != RUSSIAN_GAUGE
    kinds = (
        (not european, "8.2.1", "rail-points"),
        (european and warsaw, "17.2.1", "warsaw-points"),
        (european, "17.2", "euro-gauge-points"),
    )
    return tuple(RailPool(nation, kind) for holds, _, kind in kinds if holds)


def serves_warsaw(net: RailNet, hex: str, reading: str) -> bool:
    """Return whether Warsaw points may be used at a station on European track, which a line joins to Warsaw.

    `net`: the friendly operational lines.
    `reading`: the reading of ruling warsaw-line, on the gauge of the line.

    Rule: 17.2.1
    """
    if EUROPEAN_GAUGE not in net.gauges_at(hex):
        return False
    legs = net.legs(EUROPEAN_GAUGE if reading == "european" else "")
    return WARSAW in trace_links([hex], lambda place: legs.get(place, ()), lambda here, there: True).cost


def pay_rail_points(purse: Purse, pools: Collection[RailPool], cost: Fraction) -> Payment:
    """Return the Rail Points that a unit spends to enter Rail Mode or to trans-ship: one for each Rail Cost Point.

    They come from the first pool until it is empty, then from the next. A pool of unknown points has enough.

    `cost`: the Rail Cost Points of the unit, not rounded.

    Rule: 8.2.1, 4.5.1
    """
    left = dict(purse)
    owed = cost
    paid = dict[RailPool, Fraction]()
    for pool in pools:
        points = purse.get(pool)
        amount = owed if points is None else min(owed, points)
        if amount:
            paid[pool], owed = amount, owed - amount
            left[pool] = None if points is None else points - amount
    return Payment({}, owed, purse) if owed else Payment(paid, Fraction(0), left)


def renew_pools(purse: Purse, allotted: Mapping[RailPool, Fraction]) -> dict[RailPool, Fraction]:
    """Return the pools after an Administrative Segment: new allotments, and no points from before.

    `purse`: the pools before.
    `allotted`: the new points by pool, if any.

    Rule: 4.7, 5.2.1, 8.2.1
    """
    return {pool: allotted.get(pool, Fraction(0)) for pool in {**purse, **allotted}}


def why_no_special(nation: str, taken: int, *, campaign: bool, had: bool = False) -> list[Step]:
    """Return why a nation may not take a special allotment now.

    `taken`: the number of special allotments that it has taken in the game.
    `had`: whether it or its ally has taken one in this Administrative Segment.

    Rule: 8.2.9
    """
    most = MAX_SPECIAL_ALLOTMENTS.get(nation, 0)
    clauses = (
        (not campaign, "8.2.9", "special allotments belong to the campaign game (c)"),
        (not most, "8.2.9", "special allotments are for the Germans and the Austro-Hungarians alone"),
        (taken >= most, "8.2.9", "it has had its {most} in this game"),
        (had, "8.2.9", "the Central Powers have taken one in this Administrative Segment already"),
    )
    return holding(clauses, most=most)


def has_taken_now(view: View, nation: str, turn: int) -> bool:
    """Return whether a nation has taken a special allotment in the Administrative Segment after a game turn.

    `turn`: the game turn, or 0 if it is not stated; then the result is False.
    """
    return bool(turn) and view.integer(ALLOTMENT_TURN_TRACK, nation) == turn


def last_renewal(turn: int) -> int:
    """Return the last game turn up to `turn` that an Inter-Phase follows: 3 for turns 3 to 5. Rule: 5.2.1"""
    return turn - turn % TURNS_PER_INTER_PHASE


# --- pools in a position ----------------------------------------------------------------------------------------------


def read_pools(view: View, *nations: str) -> dict[RailPool, Fraction | None]:
    """Return the Rail Points left in each pool of the nations, or None for those not stated.

    Raises InputError if points are not in halves.
    """
    pools = dict[RailPool, Fraction | None]()
    for nation in nations:
        for kind in POOLS[nation]:
            left = None
            if view.fact(kind, nation):
                left = check_halves(view.points(kind, nation), f"{kind} of {nation}", "Rail Points")
            pools[RailPool(nation, kind)] = left
    return pools


FIGURES = {
    RailPool("german", RAIL): "german-rp",
    RailPool("austro-hungarian", RAIL): "austro-hungarian-rp",
    RailPool("russian", RAIL): "russian-rp",
    RailPool("russian", EUROPEAN): "russian-euro-rp",
    RailPool("russian", WARSAW_POINTS): "russian-warsaw-rp",
}
"""The name of each pool's allotment in the turn record."""


def recorded_allotment(view: View, pool: RailPool, turn: int) -> Fraction | None:
    """Return a pool's new Rail Points in the Inter-Phase after a game turn, or None if the turn record has no entry.

    Raises InputError if the entry is not a number of points in halves.
    """
    text = record_entry(view, FIGURES[pool], turn)
    return None if text is None else check_halves(read_points(text), FIGURES[pool], "Rail Points")


def renewed_pools(view: View, nation: str, turn: int) -> dict[RailPool, Fraction | None]:
    """Return the new Rail Points of each pool of a nation after a game turn, as in `recorded_allotment`."""
    return {RailPool(nation, kind): recorded_allotment(view, RailPool(nation, kind), turn) for kind in POOLS[nation]}


def pools_after(view: View, nation: str, turn: int) -> dict[RailPool, Fraction | None]:
    """Return a nation's pools after the Inter-Phase that follows a game turn.

    They are as stated if the position has renewed them already, or else as in the turn record.
    """
    renewed = view.integer(RENEWAL_TRACK, nation) == turn
    return read_pools(view, nation) if renewed else renewed_pools(view, nation, turn)


def renewal_changes(view: View, new: Mapping[RailPool, Fraction], turn: int) -> Iterator[Change]:
    """Yield the changes that give pools their new points, and record the turn of the renewal.

    `new`: by pool, its new points.
    `turn`: the game turn that the Inter-Phase follows, or 0 if it is not stated.

    Rule: 5.2.1
    """
    for pool, points in new.items():
        change = changed(view, pool.kind, pool.nation, format_points(points), "5.2.1")
        if change.before != change.after:
            yield change
    if not turn:
        return
    for nation in dict.fromkeys(pool.nation for pool in new):
        if view.integer(RENEWAL_TRACK, nation) != turn:
            yield changed(view, RENEWAL_TRACK, nation, turn, "5.2.1")

"""Rail Points: which pools a unit draws on, what is left of them, and how they are renewed (4.5.1, 4.7, 5.2.1, 8.2.1,
8.2.9, 17.2).
"""

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
"""The Rail Points of a nation; of the Russian ones those of Russian gauge."""
EUROPEAN = "euro-gauge-points"
"""The Russian ones of European gauge."""
WARSAW_POINTS = "warsaw-points"
"""The Russian ones of Warsaw."""
POOLS = {"german": (RAIL,), "austro-hungarian": (RAIL,), "russian": (RAIL, EUROPEAN, WARSAW_POINTS)}
"""The pools of each nation."""
POOL_TITLES = {RAIL: "", EUROPEAN: "European gauge", WARSAW_POINTS: "Warsaw"}
"""What the pools are called beside the Rail Points of a nation."""
RUSSIAN_GAUGE, EUROPEAN_GAUGE = GAUGES
SPECIAL = 40
"""Rail Points of a special allotment (8.2.9)."""
MOST_SPECIAL = {"german": 2, "austro-hungarian": 1}
"""How many of them a nation may have in the game (8.2.9)."""
RENEWED = "points-renewed"
"""The track of the game turn after which a nation's Rail Points were last renewed."""
TAKEN = "special-allotments"
"""The track of the special allotments that a nation has had."""
TAKEN_AFTER = "special-turn"
"""The track of the game turn after which a nation had the last of them."""
EVERY = 3
"""Game turns from one Inter-Phase to the next (5.2)."""


class RailPool(NamedTuple):
    """A pool of Rail Points."""

    nation: str
    """That owns it."""
    kind: str
    """Its track."""


Purse = Mapping[RailPool, Fraction | None]
"""What is left in each pool, None where that is not known."""


class Payment(msgspec.Struct, frozen=True):
    """Rail Points that are spent."""

    paid: Mapping[RailPool, Fraction]
    """From each pool."""
    lacking: Fraction
    """Those that no pool has, and then none are spent."""
    left: Purse
    """In all pools afterwards."""


def pools_for(nation: str, gauge: str, *, warsaw: bool) -> tuple[RailPool, ...]:
    """Return the pools on which a unit draws at a station, in the order in which they are drawn on: neither ally uses
    the other's, and of the Russians each pool serves the stations of one gauge.

    gauge: of the line by which a Russian unit leaves; warsaw: whether Warsaw points may be used there.
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
    """Return whether Warsaw points may be used at a station: it lies on European track which a friendly operational
    line joins to Warsaw.

    net: the friendly operational lines; reading: ruling warsaw-line, over lines of which gauge.
    Rule: 17.2.1
    """
    if EUROPEAN_GAUGE not in net.gauges_at(hex):
        return False
    legs = net.legs(EUROPEAN_GAUGE if reading == "european" else "")
    return WARSAW in trace_links([hex], lambda place: legs.get(place, ()), lambda here, there: True).cost


def pay_rail_points(purse: Purse, pools: Collection[RailPool], cost: Fraction) -> Payment:
    """Return the Rail Points for a unit that enters Rail Mode, or trans-ships: one for each Rail Cost Point, not
    rounded, from the first of its pools first; none at all where they do not suffice. An unknown pool gives what is
    due.

    cost: its Rail Cost Points. Rule: 8.2.1, 4.5.1
    """
    left = dict(purse)
    owed = cost
    paid = dict[RailPool, Fraction]()
    for pool in pools:
        has = purse.get(pool)
        amount = owed if has is None else min(owed, has)
        if amount:
            paid[pool], owed = amount, owed - amount
            left[pool] = None if has is None else has - amount
    return Payment({}, owed, purse) if owed else Payment(paid, Fraction(0), left)


def renew_pools(purse: Purse, allotted: Mapping[RailPool, Fraction]) -> dict[RailPool, Fraction]:
    """Return the pools after an Administrative Segment: nothing that was left is kept, and each has its new allotment.

    purse: the pools before; allotted: the new points of those that have any.
    Rule: 4.7, 5.2.1, 8.2.1
    """
    return {pool: allotted.get(pool, Fraction(0)) for pool in {**purse, **allotted}}


def why_no_special(nation: str, taken: int, *, campaign: bool, had: bool = False) -> list[Step]:
    """Return why a nation does not have a special allotment now. taken: those that it has had in the game; had: whether
    it or its ally has had one in this Administrative Segment.
    Rule: 8.2.9
    """
    most = MOST_SPECIAL.get(nation, 0)
    clauses = (
        (not campaign, "8.2.9", "special allotments belong to the campaign game (c)"),
        (not most, "8.2.9", "special allotments are for the Germans and the Austro-Hungarians alone"),
        (taken >= most, "8.2.9", "it has had its {most} in this game"),
        (had, "8.2.9", "the Central Powers have taken one in this Administrative Segment already"),
    )
    return holding(clauses, most=most)


def has_taken_now(view: View, nation: str, turn: int) -> bool:
    """Return whether a nation has had a special allotment in the Administrative Segment after a game turn, 0 if it is
    not stated.
    """
    return bool(turn) and view.integer(TAKEN_AFTER, nation) == turn


def last_renewal(turn: int) -> int:
    """Return the game turn after which the Inter-Phase fell that gave the points in use, or that falls at the end of
    this turn.

    turn: the present one. Rule: 5.2.1
    """
    return turn - turn % EVERY


# --- of a position ----------------------------------------------------------------------------------------------------


def read_pools(view: View, *nations: str) -> dict[RailPool, Fraction | None]:
    """Return the Rail Points that nations have left, None for a pool of which the position says nothing. Raises
    InputError for points that are not in halves.
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
"""What the turn record calls the allotments."""


def recorded_allotment(view: View, pool: RailPool, turn: int) -> Fraction | None:
    """Return the new Rail Points of a pool in the Inter-Phase after a game turn, by the turn record; None if it does
    not say.

    Raises InputError for a text that is not a number of points in halves.
    """
    text = record_entry(view, FIGURES[pool], turn)
    return None if text is None else check_halves(read_points(text), FIGURES[pool], "Rail Points")


def renewed_pools(view: View, nation: str, turn: int) -> dict[RailPool, Fraction | None]:
    """Return the Rail Points of a nation after the Inter-Phase that follows a game turn, None for a pool of which the
    turn record says nothing.
    """
    return {RailPool(nation, kind): recorded_allotment(view, RailPool(nation, kind), turn) for kind in POOLS[nation]}


def pools_after(view: View, nation: str, turn: int) -> dict[RailPool, Fraction | None]:
    """Return the same, or what a nation has now where its Rail Points have been renewed after that turn already."""
    renewed = view.integer(RENEWED, nation) == turn
    return read_pools(view, nation) if renewed else renewed_pools(view, nation, turn)


def renewal_changes(view: View, new: Mapping[RailPool, Fraction], turn: int) -> Iterator[Change]:
    """Yield the changes by which pools have their new points, and by which it is kept that they have.

    new: the points of each pool; turn: the game turn after which the Inter-Phase falls, 0 where it is not stated.
    Rule: 5.2.1
    """
    for pool, points in new.items():
        change = changed(view, pool.kind, pool.nation, format_points(points), "5.2.1")
        if change.before != change.after:
            yield change
    if not turn:
        return
    for nation in dict.fromkeys(pool.nation for pool in new):
        if view.integer(RENEWED, nation) != turn:
            yield changed(view, RENEWED, nation, turn, "5.2.1")

"""What is read of the units of a side that go by rail, and of the hexes where they would entrain or detrain (3.3.3,
8.2.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

from msgspec.structs import replace

from assistant.asking import Gather, InputError, View
from assistant.asking.permission import Clause, if_known
from assistant.asking.view import changed
from assistant.rules.field import SideField
from assistant.state.changes import AnyChange, Change
from assistant.state.points import check_halves
from assistant.state.state import Unit

from ..forces.account import Account
from ..forces.leaders import khan_result
from ..forces.markers import BY_RAIL, marker_of
from ..forces.movement_points import printed_points
from ..ground.hexsides import around_side
from ..railways.lines import RailLines
from ..railways.network import has_station, known_station
from ..railways.routes import RailNet
from ..railways.stations import Platform, is_destination_lost
from ..railways.transport import Train
from ..terms import COMBAT_ARMS, DEPOTS

NEAREST = 3
"""How many stations are named instead of a hex that has none."""


def heed_zones(facts: Gather, lines: RailLines, trains: Sequence[Train], goals: Sequence[str]) -> RailLines:
    """Return the railways of a side with the hexes that artillery and Corps Trains may not pass in Rail Mode: by a
    ruling, EZOCs without a friendly combat unit. goals: the destination that is named for each train, "" for none.
    """
    view, around = lines.view, lines.around
    guns = {train.unit for train in trains if facts.word("arm", train.unit) in ("artillery", "corps-train")}
    if not guns:
        return lines
    combat = {str(unit.place) for unit in around.units if view.word("arm", unit.id) in COMBAT_ARMS}
    alone = frozenset(around.enemy_zones - combat)
    to = [replace(train, destination=goal or train.destination) for train, goal in zip(trains, goals, strict=True)]
    routes = [lines.route(train) for train in to if train.unit in guns and train.destination]
    matters = any(route is not None and not alone.isdisjoint(route.hexes) for route in routes)
    if view.ruling("train-through-zone", matters) != "barred":
        return lines
    return replace(lines, barred=dict.fromkeys(guns, alone))


def _rail_cost(facts: Gather, unit: Unit) -> Fraction:
    """Return the Rail Cost Points of a unit. Raises InputError for one that never goes by rail, or goes by rules of its
    own.
    """
    if facts.word("arm", unit.id) in DEPOTS:
        raise InputError(f"unit: {unit.id} is a depot, which does not entrain", hint="ask move-depot (8.2.7)")
    cost = facts.points("rail-cost", unit.id)
    if not cost and facts.view.fact("rail-cost", unit.id):
        raise InputError(f"unit: {unit.id} has no Rail Cost Points", hint="it cannot move by rail (3.3.3)")
    return check_halves(cost, f"rail-cost of {unit.id}", "Rail Cost Points")


def read_train(facts: Gather, unit: Unit, account: Account) -> Train:
    """Return a unit as a train, without a destination that it has not named."""
    marker = marker_of(facts, unit)
    by_rail = marker.task in BY_RAIL
    off_map = facts.amounts("off-map", unit.id)
    return Train(
        unit=unit.id,
        nation=facts.word("nation", unit.id),
        cost=_rail_cost(facts, unit),
        allowance=printed_points(facts, unit),
        place=str(unit.place),
        destination=facts.word("destination", unit.id),
        aboard=facts.flag("entrained", unit.id),
        task=marker.task if by_rail else "",
        done=Fraction(marker.points if by_rail else 0),
        spent=account.total,
        gauge=facts.view.word("train-gauge", unit.id),
        gone=int(sum(off_map.values())),
        marked=facts.flag("half", unit.id),
        slowed=khan_result(facts.view, unit.id) == "slowed",
    )


def platform_at(
    facts: Gather,
    lines_of: SideField,
    net: RailNet,
    hex: str,
    use: Callable[[Platform], Iterable[Clause]] | None = None,
) -> Platform:
    """Return a hex as a side sees it that would entrain or detrain there. use: why a hex does not do for that; with it
    the nearest ones are named that do, where this has no station.
    """
    view, station = facts.view, has_station(facts, hex)
    usable: Iterable[str] = ()
    if use and not station:
        known = [there for there in net.links if view.board.is_hex(there) and known_station(view, there)]
        known.sort(key=lambda there: (view.board.distance(hex, there), there))
        looked_at = (platform_at(facts, lines_of, net, there) for there in known)
        usable = (platform.hex for platform in looked_at if not any(holds for holds, *_ in use(platform)))
    return Platform(
        hex=hex,
        station=station,
        near=tuple(islice(usable, NEAREST)),
        operational=hex in net.links,
        friendly=_is_friendly(view, lines_of, hex),
        zone=hex in lines_of.enemy_zones,
        enemy=lines_of.nearest_enemy(hex),
    )


def _is_friendly(view: View, around: SideField, hex: str) -> bool:
    """Return whether a hex is in territory that a side controls, as far as is stated."""
    return view.word("control", hex) in ("", around.side) and hex not in around.enemies


def has_lost_destination(view: View, around: SideField, hex: str) -> bool:
    """Return whether a hex is no destination any more of units in Rail Mode of a side."""
    friendly = _is_friendly(view, around, hex)
    zone = hex in around.enemy_zones
    return is_destination_lost(Platform(hex=hex, station=True, operational=True, friendly=friendly, zone=zone))


def find_lost_destinations(view: View, changes: Sequence[AnyChange]) -> Iterator[Change]:
    """Yield the changes by which units in Rail Mode owe a new destination: an enemy has come to the one they had, or
    next to it. Rule: 8.2.3g
    """
    now = view.unnoticed()
    trains = [unit for unit in view.stated_about.get("destination", ()) if now.flag("entrained", unit)]
    if trains and not {"place", "control"}.isdisjoint(getattr(change, "track", "") for change in changes):
        then = now.after(changes)
        for unit in trains:
            if _lacks_destination(then, unit) and not _lacks_destination(now, unit):
                yield changed(now, "destination-lost", unit, True, "8.2.3")


def _lacks_destination(view: View, unit: str) -> bool:
    """Return whether a unit is known to be on its way to a hex that is no destination any more."""
    hex = view.word("destination", unit)
    if not hex or not view.flag("entrained", unit) or view.unit(unit).place is None:
        return False
    side = view.side_of(unit)
    return bool(if_known(view, lambda facts: has_lost_destination(view, around_side(facts, side), hex)))

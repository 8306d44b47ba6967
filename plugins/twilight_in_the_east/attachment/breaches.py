"""Every breach of the rules of attachment in a position, as far as what they depend on is stated (6.1 to 6.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assistant.questions.report import Ask
from assistant.questions.view import View, ask_for_fact

from ..control.front_line import FrontFound, front_of, troops
from ..forces.armies import (
    GARRISONS,
    NATIONS,
    Fault,
    areas,
    boundary,
    boundary_faults,
    is_cavalry_corps,
    is_shown,
    known_armies,
    shapes,
    side_of_army,
)
from ..forces.assets import (
    Lone,
    Placed,
    by_area,
    foreign_formation,
    gather_placed,
    led_from_elsewhere,
    lone_assets,
    misplaced,
)
from ..terms import KG_TRAIN, LANDWEHR
from . import displays
from .displays import Limit, Member

Asks = dict[tuple[str, str], Ask]
"""What is asked for, by the track and its subject."""


class Found(NamedTuple):
    """All that attachment depends on. placed: every unit; areas: the hexes of each army whose area is stated; fronts: by army; asks:
    what is not stated, and without which something is not judged."""

    placed: tuple[Placed, ...]
    areas: Mapping[str, frozenset[str]]
    fronts: Mapping[str, FrontFound]
    asks: Asks
    faults: tuple[Fault, ...]
    lone: tuple[Lone, ...]


def look(view: View) -> Found:
    """All units of a position with what they belong to, and every fault of theirs.

    A side is told of its own units only, as displays may be kept from the other.
    """
    units = (unit for unit in view.state.units.values() if unit.place)
    known = [unit for unit in units if is_shown(view, view.game.side_of_unit(unit, view.state.facts))]
    drawn = areas(view)
    with view.gather() as facts:
        placed = tuple(gather_placed(facts, drawn, unit) for unit in known)
        found_troops = troops(facts)
        free = facts.flag("free-attachment")
    elsewhere = led_from_elsewhere(placed)
    if elsewhere and view.ruling("corps-or-area") == "corps":
        placed = tuple(one._replace(of_corps=elsewhere.get(one.id, "")) for one in placed)
    fronts = {army: front for army in known_armies(view) if (front := front_of(view, army, found_troops))}
    asks: Asks = {}
    members = [member(one) for one in placed if one.member]
    lone = lone_assets(placed, view.board.distance)
    faults = [
        *shapes(drawn, view.board.neighbours),
        *between_areas(view, drawn, fronts),
        *displays.unattached(members),
        *displays.independent_corps(members),
        *army_faults(view, placed, members, drawn, asks),
        *corps_faults(view, members, asks),
        *wrong_corps(view, placed, fronts, asks, free=free),
        *kept_corps(view, members, asks),
        *cross_nation(view, members, asks),
        *(fault for one in placed for fault in (misplaced(one), foreign_formation(one, placed)) if fault),
    ]
    return Found(placed, drawn, fronts, asks, tuple(faults), lone)


def member(one: Placed) -> Member:
    """A formation or Corps Train as its display records it; without a record its area says which army it is with.

    Rule: 6.2
    """
    cavalry = is_cavalry_corps(one.corps, marked=one.cavalry_corps)
    army = one.army or one.of_corps or by_area(one)
    return Member(
        one.id, one.nation, one.arm, one.size, army, one.corps, one.own_corps, one.train, one.train and cavalry
    )


def stated(view: View, asks: Asks, track: str, subject: str) -> int | None:
    """A number, None where nobody says, which is then asked for."""
    fact = view.fact(track, subject)
    if fact is not None:
        return int(str(fact.value))
    ask = ask_for_fact(view.game.track(track), subject)
    asks[track, subject] = ask
    return None


def limit_of(view: View, asks: Asks, army: str) -> Limit | None:
    """An army's Attachment Limit, None where nobody says, which is then asked for."""
    most = stated(view, asks, "attachment-limit", army)
    cavalry = view.fact("cavalry-track", army)
    return None if most is None else Limit(most, bool(cavalry and cavalry.value))


def army_faults(
    view: View,
    placed: Sequence[Placed],
    members: Sequence[Member],
    drawn: Mapping[str, frozenset[str]],
    asks: Asks,
) -> list[Fault]:
    """What is wrong with the number of corps of each army, on its display and in its area."""
    faults = []
    trains = {one.id: member(one) for one in placed if one.train and not one.entrained}
    for army in sorted({one.army for one in members if one.army} | set(drawn)):
        own = {
            one.corps: is_cavalry_corps(one.corps, marked=False) for one in members if one.army == army and one.corps
        }
        own |= {one.corps: one.cavalry_corps for one in members if one.army == army and one.corps and one.train}
        inside = [trains[one.id] for one in placed if one.id in trains and one.area == army]
        if army in GARRISONS or not (own or inside) or (limit := limit_of(view, asks, army)) is None:
            continue
        faults += displays.too_many_corps(army, own, limit)
        faults += displays.too_many_trains(army, inside, limit)
    return faults


def corps_faults(view: View, members: Sequence[Member], asks: Asks) -> list[Fault]:
    """What is wrong with the formations on each corps' track. The limit of a corps is known by its Train."""
    faults = []
    for nation, corps in sorted({(one.nation, one.corps) for one in members if one.corps}):
        on_track = [one for one in members if (one.nation, one.corps) == (nation, corps) and not one.train]
        train = next((one for one in members if one.train and (one.nation, one.corps) == (nation, corps)), None)
        most = stated(view, asks, "corps-limit", train.id) if train and on_track else None
        cavalry = train.cavalry_corps if train else is_cavalry_corps(corps, marked=False)
        faults += displays.corps_faults(corps, on_track, most, cavalry=cavalry, train=train.id if train else "")
    return faults


def wrong_corps(
    view: View, placed: Sequence[Placed], fronts: Mapping[str, FrontFound], asks: Asks, *, free: bool
) -> list[Fault]:
    """The formations that are kept off the track of their own corps, as far as the optional rule does not free them.

    Rule: 6.2.2b
    """
    trains = {(one.nation, one.corps): one for one in reversed(placed) if one.train}
    named = [one for one in placed if one.member and not one.train and one.own_corps]
    astray = [one for one in named if one.corps != one.own_corps and (one.nation, one.own_corps) in trains]
    if free:  # where the train is matters only for more than those that the optional rule frees
        nations = Counter(one.nation for one in astray)
        astray = [one for one in astray if nations[one.nation] > displays.FREE]
    faults = []
    for one in astray:
        train = trains[one.nation, one.own_corps]
        faults += displays.wrong_corps(member(one), own_train_available=available(view, train, fronts, asks))
    return displays.freed(faults, [member(one) for one in named]) if free else faults


def available(view: View, train: Placed, fronts: Mapping[str, FrontFound], asks: Asks) -> bool:
    """Whether a Corps Train on the map has left its railway and stands within its extended range of the front: its army's Front
    Line, or any of its side's (a ruling); no where that line or that range is not known, which is then asked for."""
    army = train.army or by_area(train)
    if train.entrained or not train.place or not army:
        return False
    side = [front for front in fronts.values() if side_of_army(front.army) == side_of_army(army)]
    own, others = (
        [view.board.distance(train.place, hex) for front in side if (front.army == army) is its for hex in front.hexes]
        for its in (True, False)
    )
    if not own and not (others and view.ruling("front-of-train") == "any"):
        asks["front", army] = ask_for_fact(view.game.track("front"), army)
        return False
    reach = stated(view, asks, "range" if train.id == KG_TRAIN else "extended-range", train.id)  # that one has no other
    if reach is None or not reaches_front(own, others, reach, "any"):
        return False
    return reaches_front(own, others, reach, "own") or view.ruling("front-of-train") == "any"


def reaches_front(own: Sequence[int], others: Sequence[int], reach: int, reading: str) -> bool:
    """Whether a Corps Train stands within reach of the front.

    own, others: hexes from it to each hex of its army's Front Line, and of the others of its side; reading: ruling front-of-train.
    """
    return any(far <= reach for far in (*own, *(others if reading == "any" else ())))


def kept_corps(view: View, members: Sequence[Member], asks: Asks) -> list[Fault]:
    """The corps that are not with the army to which they always belong; the game turn is asked for only where it matters."""
    campaign = bool((fact := view.fact("campaign")) and fact.value)
    abroad = any(one.corps == LANDWEHR and one.army != displays.LANDWEHR_ARMY for one in members)
    return displays.kept_corps(
        members, stated(view, asks, "turn", "") if campaign and abroad else None, campaign=campaign
    )


def cross_nation(view: View, members: Sequence[Member], asks: Asks) -> list[Fault]:
    """Formations under the army of another nation; the game turn is asked for only where it matters."""
    abroad = [one for one in members if one.nation == "german" and LANDWEHR in (one.corps, one.own_corps)]
    matters = any(NATIONS.get(one.army) == "austro-hungarian" for one in abroad)
    turn = stated(view, asks, "turn", "") if matters else None
    crossing = any(one.nation != NATIONS.get(one.army, one.nation) for one in members)
    others_too = crossing and view.ruling("cross-nation") == "only"
    return displays.cross_nation(members, turn, others_too=others_too)


def between_areas(view: View, drawn: Mapping[str, frozenset[str]], fronts: Mapping[str, FrontFound]) -> list[Fault]:
    """What is wrong with the boundaries between armies of a side that have a piece of the front; others lie behind it for now.

    Rule: 6.1c
    """
    faults = []
    in_front = sorted(army for army in drawn if army in fronts)
    for number, army in enumerate(in_front):
        for other in in_front[number + 1 :]:
            shared = (
                boundary(drawn[army], drawn[other], view.board.neighbours)
                if side_of_army(army) == side_of_army(other)
                else None
            )
            if shared:
                ours = [hex for one in (army, other) for hex in fronts[one].hexes]
                theirs = [
                    hex
                    for one, front in fronts.items()
                    if side_of_army(one) != side_of_army(army)
                    for hex in front.hexes
                ]
                faults += boundary_faults(army, other, shared, ours, theirs, view.board.distance)
    return faults

"""What attachment allows: the shape and the boundaries of Areas of Attachment, one army for each unit, how much an army
or corps holds, and of which nation (6.1 to 6.3).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations, product

import msgspec

from assistant.mechanics.tracing import radius

from ..forces.armies import GARRISONS, NATIONS, WARSAW_GARRISON, AttachedUnit, Breach, side_of_army
from ..forces.leaders import EIGHTH_ARMY
from ..leaders import francois, khan
from ..leaders.command import leader_named
from ..terms import LANDWEHR, LANDWEHR_TURNS

DEPTH = 7
"""How many hexes a boundary goes on behind the friendly Front Line, at least (6.1)."""

Hexes = Collection[str]
Neighbours = Callable[[str], Iterable[str]]
Distance = Callable[[str, str], int]


def shapes(areas: Mapping[str, frozenset[str]], neighbours: Neighbours) -> list[Breach]:
    """Return what is wrong with areas by army: one in pieces, a hex that two of a side hold, and an area of a garrison,
    which is no army (24.1). Rule: 6.1
    """
    breaches = []
    for army, hexes in areas.items():
        if army in GARRISONS:
            breaches.append(Breach("24.1", army, "it is not an army, and has no Area of Attachment"))
        elif (count := len(pieces(hexes, neighbours))) > 1:
            breaches.append(Breach("6.1", army, f"its Area of Attachment is in {count} pieces"))
    for first, second in combinations(sorted(areas), 2):
        if side_of_army(first) == side_of_army(second) and (shared := sorted(areas[first] & areas[second])):
            why = f"its area and that of {second} both hold {', '.join(shared)}"
            breaches.append(Breach("6.1", first, why, others=(second,)))
    return breaches


def pieces(hexes: Hexes, neighbours: Neighbours) -> list[frozenset[str]]:
    """Return the contiguous pieces of a set of hexes."""
    left = set(hexes)
    parts = []
    while left:
        parts.append(frozenset(radius([min(left)], None, neighbours, enters=left.__contains__).cost))
        left -= parts[-1]
    return parts


def boundary_breaches(
    areas: Mapping[str, frozenset[str]], fronts: Mapping[str, Hexes], neighbours: Neighbours, distance: Distance
) -> list[Breach]:
    """Return what is wrong with the boundaries between armies of a side that have a piece of the front; others lie
    behind it for now.

    areas: of each army, by side and name; fronts: the hexes of the Front Line of each army that has one; distance:
    in hexes.
    Rule: 6.1c
    """
    breaches = []
    in_front = {army: areas[army] for army in sorted(areas) if army in fronts}
    for (first, second), shared in sorted(boundaries(in_front, neighbours).items()):
        side = side_of_army(first)
        if side == side_of_army(second):
            friendly = {*fronts[first], *fronts[second]}
            enemy = {hex for army, hexes in fronts.items() if side_of_army(army) != side for hex in hexes}
            breaches += along_boundary(first, second, shared, friendly, enemy, distance)
    return breaches


def boundaries(areas: Mapping[str, Hexes], neighbours: Neighbours) -> dict[tuple[str, str], frozenset[str]]:
    """Return the hexes of two areas that lie along the line between them, by the two armies in order; each hex is
    looked at once.
    """
    held: dict[str, list[str]] = {}
    for army, hexes in areas.items():
        for hex in hexes:
            held.setdefault(hex, []).append(army)
    borders: dict[tuple[str, str], set[str]] = {}
    for hex, armies in held.items():
        beside = {army for other in neighbours(hex) for army in held.get(other, ())}
        for army_name in armies:
            for other in beside - {army_name}:
                borders.setdefault((min(army_name, other), max(army_name, other)), set()).add(hex)
    return {pair: frozenset(hexes) for pair, hexes in borders.items()}


def along_boundary(
    army: str, other: str, hexes: Hexes, friendly: Hexes, enemy: Hexes, distance: Distance
) -> list[Breach]:
    """Return what is wrong with the boundary between two armies of a side: it has to begin on the enemy's Front Line or
    next to it, and end the required number of hexes behind the own.

    Hexes between the two lines are behind neither. hexes: of both areas along it; friendly, enemy: Front Lines, empty
    if not known.
    """

    def behind(hex: str) -> int:
        """Return how many hexes behind the own line a hex lies, 0 if it lies before it."""
        far = min(distance(hex, line) for line in friendly)
        if not enemy:
            return far
        nearest = [own_hex for own_hex in friendly if distance(hex, own_hex) == far]
        here = min(distance(hex, line) for line in enemy)
        there = min(distance(own_hex, line) for own_hex, line in product(nearest, enemy))
        return far if here > there else 0

    breaches = []
    if enemy and min(distance(hex, line) for hex, line in product(hexes, enemy)) > 1:
        why = f"its boundary with {other} does not begin on the enemy's Front Line"
        breaches.append(Breach("6.1", army, why, others=(other,)))
    last = max(map(behind, hexes), default=0) if friendly else DEPTH
    if last < DEPTH:
        why = f"its boundary with {other} ends {last} hexes behind the Front Line; the minimum is {DEPTH}"
        breaches.append(Breach("6.1", army, why, others=(other,)))
    return breaches


class KeptCorps(msgspec.Struct, frozen=True):
    """A corps for which an army keeps one of its Corps tracks, and by which rule, when, it must be with that army."""

    corps: str
    army: str
    rule: str
    campaign_only: bool
    first_turn: int


KEPT = (
    KeptCorps("HN", "central-powers AG P-B", "23.2", campaign_only=True, first_turn=1),
    KeptCorps("KG", "central-powers Eighth", "22.5", campaign_only=False, first_turn=1),
    KeptCorps(LANDWEHR, "central-powers AG W", "22.3.2", campaign_only=True, first_turn=29),
)
RESERVED = {kept.army: kept.corps for kept in KEPT}
FREE = 2
"""How many formations of a nation may be attached otherwise than their ID says under the optional rule (6.2.2)."""


class Limit(msgspec.Struct, frozen=True):
    """An army's Attachment Limit."""

    corps: int
    cavalry: bool = False
    """Whether one more track holds a Cavalry Corps."""


def group_by_corps(units: Iterable[AttachedUnit]) -> dict[tuple[str, str], list[AttachedUnit]]:
    """Return the units of each corps, by its nation and ID, in order."""
    members = defaultdict[tuple[str, str], list[AttachedUnit]](list)
    for unit in units:
        if unit.corps:
            members[unit.nation, unit.corps].append(unit)
    return dict(sorted(members.items()))


def unattached(units: Sequence[AttachedUnit]) -> list[Breach]:
    """Return each corps and formation without an army, and each corps whose units are recorded with more than one.
    Rule: 6.3
    """
    breaches = [Breach("6.3", unit.id, "its army is not stated") for unit in units if not unit.army]
    for (_, name), members in group_by_corps(unit for unit in units if unit.army).items():
        if len(armies := sorted({unit.army for unit in members})) > 1:
            why = f"{name} Corps ({_names(members)}) is with {' and with '.join(armies)}"
            others = (*(unit.id for unit in members[1:]), *armies)
            breaches.append(Breach("6.1.1", members[0].id, why, others=others))
    return breaches


def too_many_trains(army: str, trains: Sequence[AttachedUnit], limit: Limit) -> list[Breach]:
    """Return the breach of more Corps Trains inside an army's area than its Attachment Limit.

    trains: those in the area, whichever army they are recorded with; the track for a Cavalry Corps holds one more of
    these.
    Rule: 6.1.2
    """
    extra = min(sum(train.cavalry_corps for train in trains), int(limit.cavalry))
    why = f"{len(trains)} Corps Trains in its area ({_names(trains)}); its limit is {limit.corps}"
    if limit.cavalry:
        why += " and one Cavalry Corps"
    others = tuple(train.id for train in trains)
    return [Breach("6.1.2", army, why, others=others)] if len(trains) > limit.corps + extra else []


def too_many_corps(army: str, corps: Mapping[str, bool], limit: Limit) -> list[Breach]:
    """Return the breach of more corps on an army's display than it has tracks; a track kept for one corps has no room
    for another.

    corps: each by its ID, and whether it is a Cavalry Corps. Rule: 6.1.2b
    """
    kept = RESERVED.get(army, "")
    others = {name: cavalry for name, cavalry in corps.items() if name != kept}
    extra = min(sum(others.values()), int(limit.cavalry))
    room = limit.corps - bool(kept)
    if len(others) - extra <= room:
        return []
    why = f"{len(others)} corps ({', '.join(sorted(others))}); its Corps tracks hold {room}"
    return [Breach("6.1.2", army, f"{why}, apart from the one reserved for {kept}" if kept else why)]


def strayed_corps(units: Sequence[AttachedUnit], turn: int | None, *, campaign: bool) -> list[Breach]:
    """Return each corps that always belongs to one army and is with another: KG, and in the Grand Campaign HN, and 3 LW
    from GT 29.

    turn: None if it is not stated, and then 3 LW Corps is not judged. Rule: 22.3.2, 22.5, 23.2
    """
    breaches = []
    for kept in KEPT:
        members = [unit for unit in units if unit.corps == kept.corps and unit.nation == NATIONS[kept.army]]
        strayed = [unit for unit in members if unit.army not in ("", kept.army)]
        begun = kept.first_turn == 1 or (turn is not None and turn >= kept.first_turn)
        if strayed and begun and (campaign or not kept.campaign_only):
            first = min(strayed, key=lambda unit: not unit.train)
            why = f"{kept.corps} Corps is with {first.army}, but belongs with {kept.army}"
            others = tuple(dict.fromkeys((*(unit.id for unit in strayed if unit is not first), first.army, kept.army)))
            breaches.append(Breach(kept.rule, first.id, why, others=others))
    return breaches


def wrong_corps(unit: AttachedUnit, *, own_train_available: bool) -> list[Breach]:
    """Return a formation off the track of the corps that its ID names, which only the absence of that corps' Train
    allows.

    own_train_available: whether that Train is in play and has come within reach of the front. Rule: 6.2.2
    """
    if not unit.own_corps or unit.corps == unit.own_corps or not own_train_available:
        return []
    where = f"with {unit.corps} Corps" if unit.corps else "independent"
    return [Breach("6.2.2", unit.id, f"it is {where}, but its ID names {unit.own_corps} Corps")]


def beyond_free_attachment(breaches: Sequence[Breach], units: Sequence[AttachedUnit]) -> list[Breach]:
    """Return the breaches that the optional rule leaves: none up to two formations of a nation, all beyond that. Rule:
    6.2.2c
    """
    nations = {unit.id: unit.nation for unit in units}
    used = Counter(nations[breach.about] for breach in breaches)
    text = "{}; {} formations of its nation use the optional free attachment; the limit is {}"
    beyond = [(breach, many) for breach in breaches if (many := used[nations[breach.about]]) > FREE]
    return [Breach("6.2.2", breach.about, text.format(breach.why, many, FREE)) for breach, many in beyond]


def find_track_breaches(
    corps: str, formations: Sequence[AttachedUnit], limit: int | None, *, cavalry: bool, train: str = ""
) -> list[Breach]:
    """Return the breaches of formations of the wrong arm on a corps' track, and of more divisions than its limit.

    limit: in divisions, a brigade being half; None if not stated. cavalry: whether it is a Cavalry Corps, with all
    cavalry and nothing else; train: its Corps Train, naming it.
    Rule: 6.2.2a, 3.8.3b
    """
    foot = "not a Cavalry Corps, and cavalry may join no other kind of corps"
    kind = "a Cavalry Corps, which may hold only cavalry" if cavalry else foot
    wrong = [unit.id for unit in formations if (unit.arm == "cavalry") != cavalry]
    breaches = [Breach("6.2.2a", unit, f"{corps} Corps is {kind}") for unit in wrong]
    total = sum(1 if unit.size == "XX" else 0.5 for unit in formations)
    if limit is not None and total > limit:
        why = f"{total:g} divisions are attached to it; its limit is {limit}"
        breaches.append(Breach("6.2.2a", train or f"{corps} Corps", why, others=tuple(unit.id for unit in formations)))
    return breaches


def independent_corps(units: Iterable[AttachedUnit]) -> list[Breach]:
    """Return each Corps Train that is recorded as independent: a corps never lies on an Independent track.
    Rule: 6.2.3
    """
    why = "a corps is never on the Independent track"
    return [Breach("6.2.3", unit.id, why) for unit in units if unit.train and not unit.corps]


def cross_nation(units: Iterable[AttachedUnit], turn: int | None, *, others_too: bool) -> list[Breach]:
    """Return each formation or corps that may not serve under the army of another nation.

    One German reserve division at a time may, with 3 LW Corps in GT 4 to 18 (not judged without a turn), and one
    Austro-Hungarian cavalry division. others_too: ruling cross-nation, whether other kinds may not cross.
    Rule: 6.2.4
    """
    crossing = [unit for unit in units if unit.nation != NATIONS.get(unit.army, unit.nation)]
    german = [unit for unit in crossing if unit.nation == "german"]
    landwehr = [unit for unit in german if LANDWEHR in (unit.corps, unit.own_corps)]
    foot = [unit for unit in german if (unit.arm, unit.size) == ("infantry", "XX")]
    reserve = [unit for unit in foot if unit.id.partition("/")[0].endswith(" r")]  # as in 3 r, 36 r/1 R
    riders = [unit for unit in crossing if unit.nation != "german" and (unit.arm, unit.size) == ("cavalry", "XX")]
    early_or_late = turn is not None and turn not in LANDWEHR_TURNS
    why = "3 LW Corps may serve under an Austro-Hungarian army only in GT 4 to 18"
    breaches = [Breach("6.2.4", unit.id, why) for unit in landwehr if early_or_late]
    for kind, crossed in (("German reserve", reserve), ("Austro-Hungarian cavalry", riders)):
        if len(crossed) > 1:
            why = f"{len(crossed)} {kind} divisions serve under the other nation ({_names(crossed)}); the limit is one"
            breaches += [Breach("6.2.4", unit.id, why) for unit in crossed]
    if others_too:
        for unit in crossing:
            if unit not in (*landwehr, *reserve, *riders):
                kind = "reserve" if unit.nation == "german" else "cavalry"
                why = f"only one {kind} division of its nation may serve under {unit.army}"
                breaches.append(Breach("6.2.4", unit.id, why))
    return breaches


def plan_binds(army: str, to: str, *, under_plan: bool) -> bool:
    """Return whether a Strategic Plan keeps a formation or corps from leaving an army for another one.

    The Russian Second Army gives and takes formations of the Warsaw Garrison all the same. Rule: 6.1.1c, 21.1.3
    """
    garrison = {army, to} == {"russian Second", WARSAW_GARRISON}
    return under_plan and army != to and army not in GARRISONS and not garrison


def frozen(*, attachment_phase: bool) -> bool:
    """Return whether attachments stay as they are: until the next Attachment Phase of their side. Rule: 6.1.1b"""
    return not attachment_phase


def reaches_front(own: Sequence[int], others: Sequence[int], reach: int, reading: str) -> bool:
    """Return whether a Corps Train stands within reach of the front. own, others: hexes from it to the Front Line of
    its army, and of the others of its side; reading: ruling front-of-train. Rule: 6.2.2b
    """
    counted = (*own, *others) if reading == "any" else own
    return any(far <= reach for far in counted)


def _names(units: Iterable[AttachedUnit]) -> str:
    return ", ".join(unit.id for unit in units)


def off_khans_track(units: Iterable[AttachedUnit]) -> list[AttachedUnit]:
    """Return the formations on another track than that of the 1st Cavalry Corps, with which the Khan keeps them."""
    return [unit for unit in units if khan.is_astray(unit.nation, unit.id, unit.corps)]


def locked_with_khan(astray: Iterable[AttachedUnit], turn: int) -> list[Breach]:
    """Return what is wrong with formations that are off the track of the 1st Cavalry Corps, while the Khan commands it.
    Rule: 25.1.2
    """
    why = "it stays on the track of the 1 C Corps while Khan Nakhichevanski commands it, up to GT 16"
    led = (unit for unit in astray if khan.commands_corps(unit.nation, leader_named("khan").corps, turn))
    return [Breach("25.1.2", unit.id, why) for unit in led]


def assets_of_eighth(units: Mapping[str, AttachedUnit], began: Collection[str]) -> list[Breach]:
    """Return the Asset Units that are attached to another army than the Eighth, in whose area they began the game turn.

    units: by id; began: those in whose area. Rule: 25.6.2a
    """
    joined = {name: units.get(units[name].chosen or units[name].joined) for name in began}
    breaches = []
    for name, joins in joined.items():
        if joins and francois.joins_other_army(EIGHTH_ARMY, joins.army):
            why = f"it began the game turn in the area of the Eighth Army, and {joins.id} is of {joins.army}"
            breaches.append(Breach("25.6.2", name, why, others=(joins.id,)))
    return breaches

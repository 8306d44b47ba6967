"""What may stand on the tracks of an Army Organizational Display: how many corps, which formations, of which nation (6.1.2, 6.2, 6.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..forces.armies import GARRISONS, NATIONS, WARSAW_GARRISON, Fault
from ..terms import LANDWEHR, LANDWEHR_TURNS

LANDWEHR_ARMY = "central-powers AG W"
RESERVED = {"central-powers AG P-B": "HN", "central-powers Eighth": "KG", LANDWEHR_ARMY: "3 LW"}
"""The corps for which an army keeps one of its tracks (6.1.2, 22.3.2, 22.5, 23.2)."""
BOUND = {"HN": ("23.2", True, 1), "KG": ("22.5", False, 1), "3 LW": ("22.3.2", True, 29)}
"""By what rule such a corps belongs to that army, whether in the Grand Campaign only, and from which game turn on."""
FREE = 2
"""How many formations of a nation may be attached otherwise than their ID says under the optional rule (6.2.2)."""


class Member(NamedTuple):
    """A formation or a Corps Train as a display records it.

    army: by its side and name, "" for none; corps: the track that it is on, "" for the Independent one; own_corps: that its ID
    names, "" for none; train: whether it is a Corps Train, which stands for its corps; cavalry_corps: whether that is one.
    """

    id: str
    nation: str
    arm: str
    size: str
    army: str
    corps: str
    own_corps: str = ""
    train: bool = False
    cavalry_corps: bool = False


class Limit(NamedTuple):
    """An army's Attachment Limit. corps: how many; cavalry: whether there is one more track, for a Cavalry Corps."""

    corps: int
    cavalry: bool = False


def unattached(members: Iterable[Member]) -> list[Fault]:
    """Each corps and formation that belongs to no army, and each corps whose units are recorded with more than one.

    Rule: 6.3
    """
    faults, corps = [], defaultdict[tuple[str, str], list[Member]](list)
    for one in members:
        if not one.army:
            faults.append(Fault("6.3", one.id, "it belongs to no army, as far as is stated"))
        elif one.corps:
            corps[one.nation, one.corps].append(one)
    for (_, name), found in sorted(corps.items()):
        armies = sorted({one.army for one in found})
        if len(armies) > 1:
            names = ", ".join(one.id for one in found)
            faults.append(Fault("6.1.1", found[0].id, f"{name} Corps ({names}) is with {' and with '.join(armies)}"))
    return faults


def too_many_trains(army: str, trains: Sequence[Member], limit: Limit) -> list[Fault]:
    """What is wrong with the Corps Trains inside an army's area: more of them than its Attachment Limit.

    trains: those in the area, whichever army they are recorded with; the track for a Cavalry Corps holds one more of these.

    Rule: 6.1.2
    """
    extra = min(sum(train.cavalry_corps for train in trains), int(limit.cavalry))
    if len(trains) <= limit.corps + extra:
        return []
    names = ", ".join(train.id for train in trains)
    return [Fault("6.1.2", army, f"{len(trains)} Corps Trains in its area ({names}), and its limit is {limit.corps}")]


def too_many_corps(army: str, corps: Mapping[str, bool], limit: Limit) -> list[Fault]:
    """What is wrong with the corps on an army's display: no track for one, a track kept for another corps being no room.

    corps: each by its ID, and whether it is a Cavalry Corps.

    Rule: 6.1.2b
    """
    kept = RESERVED.get(army, "")
    others = {name: cavalry for name, cavalry in corps.items() if name != kept}
    extra = min(sum(others.values()), int(limit.cavalry))
    room = limit.corps - bool(kept)
    if len(others) - extra <= room:
        return []
    why = f"{len(others)} corps ({', '.join(sorted(others))}) for {room} Corps tracks"
    return [Fault("6.1.2", army, why + (f" beside that of {kept}" if kept else ""))]


def kept_corps(members: Sequence[Member], turn: int | None, *, campaign: bool) -> list[Fault]:
    """What is wrong with the army of a corps that always belongs to one: KG, and in the Grand Campaign HN, and 3 LW from GT 29.

    turn: None where nobody says, and 3 LW Corps is not judged then.

    Rule: 22.3.2, 22.5, 23.2
    """
    faults = []
    for army, corps in RESERVED.items():
        rule, campaign_only, first = BOUND[corps]
        found = [one for one in members if one.corps == corps and one.army and one.nation == NATIONS[army]]
        astray = sorted((one for one in found if one.army != army), key=lambda one: not one.train)
        if astray and (campaign or not campaign_only) and turn_reached(first, turn):
            faults.append(Fault(rule, astray[0].id, f"{corps} Corps is with {astray[0].army}, and belongs to {army}"))
    return faults


def turn_reached(first: int, turn: int | None) -> bool:
    """Whether a game turn has come; the first one always has. turn: None where nobody says."""
    return first == 1 or (turn is not None and turn >= first)


def wrong_corps(one: Member, *, own_train_available: bool) -> list[Fault]:
    """Whether a formation is kept off the track of the corps that its ID names, which only an absent Corps Train allows.

    own_train_available: whether that train has come within reach of the front and is still in play.

    Rule: 6.2.2
    """
    if not one.own_corps or one.corps == one.own_corps or not own_train_available:
        return []
    where = f"with {one.corps} Corps" if one.corps else "independent"
    return [Fault("6.2.2", one.id, f"it is {where}, but its ID names {one.own_corps} Corps")]


def freed(faults: Sequence[Fault], members: Sequence[Member]) -> list[Fault]:
    """What the optional rule leaves of formations with the wrong corps: nothing up to two of a nation, all beyond that.

    Rule: 6.2.2c
    """
    nations = {one.id: one.nation for one in members}
    by_nation = defaultdict[str, list[Fault]](list)
    for fault in faults:
        by_nation[nations[fault.about]].append(fault)
    return [
        Fault("6.2.2", fault.about, f"{fault.why}; {len(found)} of its nation are attached freely, and {FREE} may be")
        for found in by_nation.values()
        if len(found) > FREE
        for fault in found
    ]


def corps_faults(
    corps: str, formations: Sequence[Member], limit: int | None, *, cavalry: bool, train: str = ""
) -> list[Fault]:
    """What is wrong with the formations on a corps' track: more than its limit, or of the wrong arm.

    limit: in divisions, a brigade being half of one; None where nobody says; cavalry: whether it is a Cavalry Corps, which
    alone holds cavalry and holds nothing else; train: its Corps Train, by which the corps is named.

    Rule: 6.2.2a
    """
    about = train or f"{corps} Corps"
    faults = []
    for one in formations:
        if (one.arm == "cavalry") != cavalry:
            why = (
                "a Cavalry Corps, which holds cavalry only"
                if cavalry
                else "no Cavalry Corps, and cavalry joins no other"
            )
            faults.append(Fault("6.2.2a", one.id, f"{corps} Corps is {why}"))
    total = sum((Fraction(1) if one.size == "XX" else Fraction(1, 2) for one in formations), Fraction(0))
    if limit is not None and total > limit:
        faults.append(
            Fault("6.2.2a", about, f"{float(total):g} divisions are attached to it, and its limit is {limit}")
        )
    return faults


def independent_corps(members: Iterable[Member]) -> list[Fault]:
    """Each Corps Train that is recorded as independent: a corps never lies on an Independent track.

    Rule: 6.2.3
    """
    why = "a corps has a Corps track, never the Independent one"
    return [Fault("6.2.3", one.id, why) for one in members if one.train and not one.corps]


def cross_nation(members: Iterable[Member], turn: int | None, *, others_too: bool) -> list[Fault]:
    """Each formation or corps that may not serve under the army of another nation.

    One German reserve division at a time serves under Austro-Hungarian command, with 3 LW Corps in GT 4 to 18; one cavalry
    division of theirs under a German army. turn: null where nobody says, and 3 LW Corps is not judged then; others_too: ruling
    cross-nation, whether formations of other kinds may not cross at all.

    Rule: 6.2.4
    """
    crossing = [one for one in members if one.army in NATIONS and one.nation != NATIONS[one.army]]
    landwehr = [one for one in crossing if one.nation == "german" and LANDWEHR in (one.corps, one.own_corps)]
    allowed = {
        "german": [one for one in crossing if one.nation == "german" and is_reserve_division(one)],
        "austro-hungarian": [
            one for one in crossing if one.nation != "german" and (one.arm, one.size) == ("cavalry", "XX")
        ],
    }
    faults = [
        Fault("6.2.4", one.id, "3 LW Corps serves under an Austro-Hungarian army in GT 4 to 18 only")
        for one in landwehr
        if turn is not None and turn not in LANDWEHR_TURNS
    ]
    for nation, found in allowed.items():
        if len(found) > 1:
            kind = "German reserve divisions" if nation == "german" else "Austro-Hungarian cavalry divisions"
            names = ", ".join(one.id for one in found)
            why = f"{len(found)} {kind} serve under the other nation ({names}), and one may"
            faults += [Fault("6.2.4", one.id, why) for one in found]
    for one in crossing if others_too else ():
        if one not in (*landwehr, *allowed["german"], *allowed["austro-hungarian"]):
            kind = "reserve division" if one.nation == "german" else "cavalry division"
            faults.append(Fault("6.2.4", one.id, f"of its nation only one {kind} serves under {one.army}"))
    return faults


def is_reserve_division(one: Member) -> bool:
    """Whether a formation is a reserve division, which an r after its number says: 3 r, 36 r/1 R (6.2.4)."""
    return one.size == "XX" and one.arm == "infantry" and one.id.partition("/")[0].endswith(" r")


def plan_binds(army: str, to: str, *, under_plan: bool) -> bool:
    """Whether a Strategic Plan keeps a formation or corps from leaving an army for another one.

    The Russian Second Army gives and takes formations of the Warsaw Garrison all the same.

    Rule: 6.1.1c
    """
    garrison = {army, to} == {"russian Second", WARSAW_GARRISON}
    return under_plan and army != to and army not in GARRISONS and not garrison

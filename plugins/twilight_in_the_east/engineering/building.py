"""Building Field Railways, narrow-gauge lines and new RR lines, and losing them (17.5 to 17.7)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from assistant.questions import Step, View, holding
from assistant.questions.view import changed
from assistant.state.changes import Change
from assistant.state.state import hexside

from ..railways.network import GAUGE, BuiltLine, Kind, platforms

FIELD_BUILDERS = ("austro-hungarian", "russian")
FIELD_MOST, OBJECTIVE_MOST = 13, 17
"""The greatest length of a Field Railway, and how far the objective of a new RR line may be, in hexes."""
NAMES = {"field": "a Field Railway", "narrow-gauge": "a narrow-gauge line", "railroad": "a new RR line"}
BUILDERS = {"field": FIELD_BUILDERS, "narrow-gauge": ("german",), "railroad": ("russian",)}
HOMES: Mapping[Kind, str] = {"narrow-gauge": "german", "railroad": "russian"}
"""The country in which a new line begins."""
RULES = {"field": "17.5.1", "narrow-gauge": "17.6.1", "railroad": "17.7.1"}
ROUTES = {"field": "17.5.2", "narrow-gauge": "17.6.2", "railroad": "17.7.2"}


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """The hex of a DEPLOYED marker. friendly: whether the side controls it; station: whether it is a RR Station;
    country: in which it lies; terrain: of the hex; distance: hexes to the objective of a new RR line, None without one;
    gauge: that is declared for it.
    """

    friendly: bool
    station: bool
    country: str
    terrain: str
    distance: int | None = None
    gauge: str = ""


class Leg(msgspec.Struct, frozen=True, kw_only=True):
    """The next hex of a line, and what lies before it.

    friendly: whether the side controls it; terrain: of the hex; enemy: whether enemy units stand in it; enemy_zone:
    whether it is in an EZOC; roadway: whether a primary or secondary road leads there; river: whether a river lies
    between; printed, pontoon: what crosses that, "bridge", "ferry" or "", as the map shows and by pontoon; nearer:
    whether it is nearer to the objective.
    """

    friendly: bool
    terrain: str
    enemy: bool = False
    enemy_zone: bool = False
    roadway: bool = False
    river: bool = False
    printed: str = ""
    pontoon: bool = False
    nearer: bool = True


def may_begin(
    kind: Kind, nation: str, site: Site, *, optional: bool, campaign: bool, markers: int | None = None, title: str = ""
) -> list[Step]:
    """Every reason against placing a DEPLOYED marker.

    optional: whether the optional rules of new lines are in use; markers: Field Railways that the nation has left, None
    if that is not stated: one that was lost does not come back; title: what the nation is called.
    Rule: 17.5.1, 17.6, 17.6.2, 17.7, 17.7.2
    """
    rule, home, new = RULES[kind], HOMES.get(kind, ""), kind != "field"
    far = site.distance is None or site.distance > OBJECTIVE_MOST
    reasons = (
        (nation not in BUILDERS[kind], rule, "{nation} engineers do not build {what}"),
        (
            new and not (optional and campaign),
            rule[:4],
            "{what} needs the optional rule, in the Grand Campaign (new-railways, campaign)",
        ),
        (not new and markers == 0, "17.5.3", "no {nation} Field Railway marker is left"),
        (not site.station, rule, "it begins at a RR Station"),
        (not new and not site.friendly, rule, "it begins in a friendly controlled hex"),
        (bool(home) and site.country != home, ROUTES[kind], "it begins in the home country"),
        (not new and is_mountain(site.terrain), ROUTES[kind], "it may not be laid in a Mountain hex"),
        (kind == "railroad" and not site.gauge, "17.7", "its gauge must be declared"),
        (kind == "railroad" and far, rule, "its objective must be named, at most {most:#hex} away"),
    )
    return holding(reasons, nation=title, what=NAMES[kind], most=OBJECTIVE_MOST)


def may_go_on(
    kind: Kind, length: int, leg: Leg, *, complete: bool, worked: bool, reading: str, toward: str, pontoons: str
) -> list[Step]:
    """Every reason against extending a line by one hex.

    length: hexes that it has, with that of its DEPLOYED marker; complete: whether it has come to its end; worked:
    whether it was worked on in this turn already; reading: ruling field-railway-length; toward: ruling new-line-toward;
    pontoons: ruling narrow-gauge-pontoon.
    Rule: 17.5.1, 17.5.2, 17.6.1, 17.6.2, 17.7.1, 17.7.2
    """
    rule, route, field = RULES[kind], ROUTES[kind], kind == "field"
    most = FIELD_MOST + (reading == "beyond")
    reasons = (
        (complete, rule, "it is complete"),
        (worked, rule, "it was worked on in this turn: it grows in a later RR Engineering Phase"),
        (field and length >= most, rule, "it has its full length of {most:#hex}"),
        (field and not leg.roadway, route, "no primary or secondary road leads there"),
        (field and is_mountain(leg.terrain), route, "it may not be laid in a Mountain hex"),
        (field and leg.enemy, "17.5.3", "enemy units stand in the hex, which take a Field Railway at once"),
        (field and leg.enemy_zone, route, "it may not be laid into an EZOC"),
        (not field and not leg.friendly, rule, "the hex is not friendly controlled"),
        (leg.river and not crosses(kind, leg, pontoons), route, "nothing that it may use crosses the river"),
        (kind == "railroad" and not leg.nearer and toward == "nearer", rule, "the hex is not nearer to the objective"),
    )
    return holding(reasons, most=FIELD_MOST)


def is_mountain(terrain: str) -> bool:
    """Whether a hex is a Mountain one, high or not."""
    return terrain in ("mountain", "high-mountain")


def crosses(kind: Kind, leg: Leg, pontoons: str = "bridge") -> bool:
    """Whether a line may cross a river: a Field Railway by bridge, ferry or pontoon, a narrow-gauge line where a
    roadway has a bridge, a new RR line by a printed bridge or ferry (18.1b). pontoons: ruling narrow-gauge-pontoon.
    Rule: 17.5.2, 17.6.2, 17.7.2
    """
    if kind == "narrow-gauge":
        return leg.roadway and (leg.printed == "bridge" or (leg.pontoon and pontoons == "bridge"))
    return bool(leg.printed) or (kind == "field" and leg.pontoon)


def extend(line: BuiltLine, to: str, turn: int, *, parallel: bool) -> BuiltLine:
    """A line after a phase's work: one hex more, of a new RR line half a hex unless it runs beside a line of another
    gauge. parallel: whether it does.
    Rule: 17.5.1, 17.6.1, 17.7.1
    """
    halves = line.kind == "railroad" and not parallel
    if line.half:
        return msgspec.structs.replace(line, half=False, turn=turn)
    return msgspec.structs.replace(line, hexes=(*line.hexes, to), half=halves, turn=turn)


# --- what that changes ------------------------------------------------------------------------------------------------


def record_line(view: View, line: BuiltLine, rule: str) -> list[Change]:
    """The record of a line, where it differs from what the position states."""
    words = {
        "built-kind": line.kind,
        "built-by": line.nation,
        "built-line": " ".join(line.hexes),
        "built-turn": line.turn or None,
        "built-half": line.half or None,
        "built-to": line.objective or None,
        "built-gauge": line.gauge or None,
    }
    made = (changed(view, track, line.deployed, value, rule) for track, value in words.items())
    return [change for change in made if change.before != change.after]


def laid(view: View, line: BuiltLine, side: str) -> list[Change]:
    """The last hex of a permanent line becomes part of the rail net: the RR line on its hexside, and that it is
    operational. A Field Railway adds nothing to the net.
    Rule: 17.6, 17.7
    """
    if line.kind == "field" or line.half:
        return []
    rule, here, there = RULES[line.kind], *line.hexes[-2:]
    over = hexside(here, there)
    gauge = GAUGE[line.gauge or "european"]
    beside = view.word("gauge", over) if view.word("rail", over) not in ("", "no-rail") else ""
    made = [] if beside else [changed(view, "rail", over, "rail1", rule)]
    made += [changed(view, "narrow", over, True, rule)] if line.kind == "narrow-gauge" and not beside else []
    made.append(changed(view, "gauge", over, "both" if beside not in ("", gauge) else gauge, rule))
    made.append(changed(view, "operational", there, side, rule))
    if line.kind == "railroad" and there in platforms(line.whole):
        made.append(changed(view, "station", there, True, "17.7"))
    return [change for change in made if change.before != change.after]

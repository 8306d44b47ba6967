"""Where new RR lines, Narrow-Gauge and Field Railways may begin and go on (17.5, 17.6, 17.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from assistant.asking import Step, holding, note

from ..railways.built_lines import BuiltLine, Kind

FIELD_BUILDERS = ("austro-hungarian", "russian")
FIELD_MOST = 13
"""The greatest length of a Field Railway, in hexes."""
OBJECTIVE_MOST = 17
"""How far the objective of a new RR line may be, in hexes."""
NAMES = {"field": "a Field Railway", "narrow-gauge": "a narrow-gauge line", "railroad": "a new RR line"}
BUILDERS = {"field": FIELD_BUILDERS, "narrow-gauge": ("german",), "railroad": ("russian",)}
HOMES: Mapping[Kind, str] = {"narrow-gauge": "german", "railroad": "russian"}
"""The country in which a new line begins."""
RULES = {"field": "17.5.1", "narrow-gauge": "17.6.1", "railroad": "17.7.1"}
ROUTES = {"field": "17.5.2", "narrow-gauge": "17.6.2", "railroad": "17.7.2"}


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """The hex of a DEPLOYED marker."""

    friendly: bool
    """Whether the side controls it."""
    station: bool
    """Whether it is an RR Station."""
    country: str
    terrain: str
    distance: int | None = None
    """Hexes to the objective of a new RR line, None without one."""
    gauge: str = ""
    """The gauge that is declared for the line, "" for none."""


class BuildLeg(msgspec.Struct, frozen=True, kw_only=True):
    """The next hex of a line, and what is before it."""

    friendly: Annotated[bool, note("whether the side controls it")]
    terrain: Annotated[str, note("of the hex")]
    enemy: Annotated[bool, note("whether enemy units are in it")] = False
    enemy_zone: Annotated[bool, note("whether it is in an EZOC")] = False
    roadway: Annotated[bool, note("whether a primary or secondary road leads there")] = False
    river: Annotated[bool, note("whether a river is between")] = False
    printed: Annotated[str, note('what crosses that as the map shows, "bridge", "ferry" or ""')] = ""
    pontoon: Annotated[bool, note("whether a pontoon bridge crosses it")] = False
    nearer: Annotated[bool, note("whether it is nearer to the objective")] = True


def may_begin(
    kind: Kind, nation: str, site: Site, *, optional: bool, campaign: bool, markers: int | None = None, title: str = ""
) -> list[Step]:
    """Return every reason against placing a DEPLOYED marker.

    optional: whether the optional rules of new lines are in use; markers: Field Railways that the nation has left, None
    if that is not stated: one that was lost does not come back; title: what the nation is called.
    Rule: 17.5.1, 17.6, 17.6.2, 17.7, 17.7.2
    """
    rule = RULES[kind]
    home = HOMES.get(kind, "")
    new = kind != "field"
    far = site.distance is None or site.distance > OBJECTIVE_MOST
    reasons = (
        (nation not in BUILDERS[kind], rule, "{nation} engineers do not build {what}"),
        (
            new and not (optional and campaign),
            rule[:4],
            "{what} may be built only in the Grand Campaign, with the optional rule (state campaign and new-railways)",
        ),
        (not new and markers == 0, "17.5.3", "no {nation} Field Railway marker is left"),
        (not site.station, rule, "it must begin at an RR Station"),
        (not new and not site.friendly, rule, "it must begin in a friendly controlled hex"),
        (bool(home) and site.country != home, ROUTES[kind], "it must begin in the home country"),
        (not new and _is_mountain(site.terrain), ROUTES[kind], "it may not be laid in a Mountain hex"),
        (kind == "railroad" and not site.gauge, "17.7", "its gauge must be declared"),
        (kind == "railroad" and far, rule, "its objective must be named, at most {most:#hex} away"),
    )
    return holding(reasons, nation=title, what=NAMES[kind], most=OBJECTIVE_MOST)


def may_go_on(
    kind: Kind, length: int, leg: BuildLeg, *, complete: bool, worked: bool, reading: str, toward: str, pontoons: str
) -> list[Step]:
    """Return every reason against extending a line by one hex.

    length: hexes that it has, with that of its DEPLOYED marker; complete: whether it has come to its end; worked:
    whether it was worked on this turn already; reading: ruling field-railway-length; toward: ruling new-line-toward;
    pontoons: ruling narrow-gauge-pontoon.
    Rule: 17.5.1, 17.5.2, 17.6.1, 17.6.2, 17.7.1, 17.7.2
    """
    rule = RULES[kind]
    route = ROUTES[kind]
    field = kind == "field"
    most = FIELD_MOST + 1 if reading == "beyond" else FIELD_MOST
    reasons = (
        (complete, rule, "it is complete"),
        (worked, rule, "it was already worked on this turn: it grows in a later RR Engineering Phase"),
        (field and length >= most, rule, "it has reached its full length of {most:#hex}"),
        (field and not leg.roadway, route, "no primary or secondary road leads there"),
        (field and _is_mountain(leg.terrain), route, "it may not be laid in a Mountain hex"),
        (field and leg.enemy, "17.5.3", "enemy units in the hex would take a Field Railway at once"),
        (field and leg.enemy_zone, route, "it may not be laid into an EZOC"),
        (not field and not leg.friendly, rule, "the hex is not friendly controlled"),
        (leg.river and not crosses(kind, leg, pontoons), route, "no crossing that it may use spans the river"),
        (kind == "railroad" and not leg.nearer and toward == "nearer", rule, "the hex is no nearer to the objective"),
    )
    return holding(reasons, most=FIELD_MOST)


def _is_mountain(terrain: str) -> bool:
    """Return whether a hex is a Mountain one, high or not."""
    return terrain in ("mountain", "high-mountain")


def crosses(kind: Kind, leg: BuildLeg, pontoons: str = "bridge") -> bool:
    """Return whether a line may cross a river: a Field Railway by bridge, ferry or pontoon, a narrow-gauge line where a
    roadway has a bridge, a new RR line by a printed bridge or ferry (18.1b). pontoons: ruling narrow-gauge-pontoon.
    Rule: 17.5.2, 17.6.2, 17.7.2
    """
    if kind == "narrow-gauge":
        return leg.roadway and (leg.printed == "bridge" or (leg.pontoon and pontoons == "bridge"))
    return bool(leg.printed) or (kind == "field" and leg.pontoon)


def extend_line(line: BuiltLine, to: str, turn: int, *, parallel: bool) -> BuiltLine:
    """Return a line after a phase's work: one hex more, of a new RR line half a hex unless it runs beside a line of
    another gauge. parallel: whether it does. Rule: 17.5.1, 17.6.1, 17.7.1
    """
    if line.half:
        return msgspec.structs.replace(line, half=False, turn=turn)
    halved = line.kind == "railroad" and not parallel
    return msgspec.structs.replace(line, hexes=(*line.hexes, to), half=halved, turn=turn)

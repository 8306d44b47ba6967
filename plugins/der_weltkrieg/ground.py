"""The questions `terrain` and `arrive` on hexsides and on hexes for arrivals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    InputError,
    NationName,
    Part,
    PlaceName,
    Report,
    View,
    declare,
    holding,
    note,
    permission,
    step,
    verdict,
)
from assistant.util.errors import format_suggestion

from .terms import format_nation, format_turn, read_campaign_calendar, read_rows, turn_now

MIN_COSTS_FOR_RAIL = {"rail-line": 3, "single-track-line": 4}
"""The minimum cost of a hexside from which a rail line reduces it by a point."""
RIVERS = ("river", "major-river")
MARKERS = ("trench", "devastation", "hindenburg-line")
"""The markers in a hex; everything else with a cost in points lies on the hexside."""


class Terrain(msgspec.Struct, frozen=True):
    """A row of the terrain effects chart."""

    rule: str
    terrain: str
    movement: Annotated[str, msgspec.Meta(pattern=r"^(no|[+-]?[0-9])$")]
    """The movement points, with a sign if they are added, or `no` if no unit may enter."""
    attack: int = 0
    counterattack: int = 0
    barred: bool = False
    """Whether attacks are barred."""
    halves: bool = False
    note: str = ""


WORDS = ", ".join(row.terrain for row in read_rows("terrain", Terrain))


class Crossing(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of a hexside, and its effect in combat."""

    cost: Annotated[int | None, note("movement points, null if it cannot be crossed")]
    attack: Annotated[int | None, note("the DRM on an attack across it, null if there is none")]
    counterattack: Annotated[int | None, note("the DRM on the counterattack")]
    halves: Annotated[bool, note("whether the attacker's strength is halved")]


def find_rows(words: tuple[str, ...]) -> list[Terrain]:
    """Return the rows of the chart that words name, even with capitals and spaces as printed.

    Raises InputError if a word is not in the chart.
    """
    rows_by_terrain = {row.terrain: row for row in read_rows("terrain", Terrain)}
    terrain = [word.casefold().replace(" ", "-") for word in words]
    if unknown := next((word for word in terrain if word not in rows_by_terrain), ""):
        raise InputError(f"terrain: {unknown!r} is not in the chart", hint=format_suggestion(unknown, rows_by_terrain))
    return [rows_by_terrain[word] for word in terrain]


def cost_of(view: View, chosen: list[Terrain], *, zones: bool) -> int | None:
    """Return the movement points of a hexside, or None if it cannot be crossed.

    A rail line saves a point if the hexside costs enough; a ruling decides whether markers count for that.

    `zones`: whether both hexes are in enemy ZOC.

    Rule: TEC/ocean, TEC/clear, TEC/broken, TEC/woods, TEC/swamp, TEC/rough, TEC/wooded-rough, TEC/mountain, TEC/alpine,
    TEC/suburban, TEC/urban, TEC/lake, TEC/major-river, TEC/river, TEC/city-industrial-resource-port, TEC/rail-line,
    TEC/single-track-rail, TEC/trench-marker, TEC/devastation-marker, TEC/hindenburg-line-marker
    """
    words = [row.terrain for row in chosen]
    if any(row.movement == "no" for row in chosen) or ("major-river" in words and zones):
        return None
    hexside = max((int(row.movement) for row in chosen if row.movement[0] not in "+-"), default=1)
    markers = sum(int(row.movement) for row in chosen if row.terrain in MARKERS)
    hexside += sum(int(row.movement) for row in chosen if row.movement[0] == "+") - markers
    least = min((MIN_COSTS_FOR_RAIL[word] for word in words if word in MIN_COSTS_FOR_RAIL), default=None)
    in_doubt = least is not None and hexside < least <= hexside + markers
    counted = hexside + markers if view.ruling("rail-markers", in_doubt) == "yes" else hexside
    if least is not None and counted >= least:
        return hexside + markers - 1
    return hexside + markers


def combat_of(chosen: list[Terrain], *, across: bool) -> tuple[int | None, int | None, bool]:
    """Return the effect of terrain on an attack and its counterattack, and whether it halves the attacker.

    `across`: whether all attackers cross the river.

    Rule: TEC/ocean, TEC/woods, TEC/swamp, TEC/rough, TEC/wooded-rough, TEC/mountain, TEC/alpine, TEC/urban, TEC/lake,
    TEC/major-river, TEC/river, TEC/trench-marker, TEC/hindenburg-line-marker, 17-5
    """
    if any(row.barred for row in chosen):
        return None, None, False
    counting = [row for row in chosen if across or row.terrain not in RIVERS]
    return (
        sum(row.attack for row in counting),
        sum(row.counterattack for row in counting),
        any(row.halves for row in counting),
    )


def terrain(
    view: View,
    *,
    of: Annotated[tuple[str, ...], note(f"what lies on the hexside and in the hex: {WORDS}", "name")],
    zones: Annotated[bool, note("whether both hexes are in enemy ZOC")] = False,
    across: Annotated[bool, note("whether all attackers attack across the river")] = True,
) -> Report[Crossing]:
    """Return the report on the cost of a hexside, and on its effect in combat.

    Rule: TEC/clear, TEC/broken
    """
    chosen = find_rows(of)
    cost = cost_of(view, chosen, zones=zones)
    attack, counterattack, halves = combat_of(chosen, across=across)
    found = Crossing(cost=cost, attack=attack, counterattack=counterattack, halves=halves)
    text = "{cost} MP" if cost is not None else "it cannot be crossed"
    text += (
        "; DRM of {attack:+d} on attacks, {counterattack:+d} on counterattacks" if attack is not None else "; no attack"
    )
    steps = []
    for row in chosen:
        line = "{terrain}: {movement} MP"
        if row.halves:
            line += ", the attacker is halved"
        if row.note:
            line += "; {note}"
        steps.append(step(row.rule, line, row))
    return Report(
        title=f"Terrain: {', '.join(of)}",
        verdict=verdict("figure", text + (", attackers halved" if halves else ""), found),
        parts=(Part("Terrain effects", tuple(steps)),),
        result=found,
    )


# --- where units arrive -----------------------------------------------------------------------------------------------


class Place(msgspec.Struct, frozen=True):
    """A row on the places where the reinforcements of a nation arrive."""

    rule: str
    who: str
    places: Literal["arrivals", "port", "control", "edge"]
    """The property of a hex where reinforcements arrive."""
    text: str
    delay: int = 0
    """The number of turns by which units arrive later at the map edge."""


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may arrive in a hex."""

    hexes: Annotated[tuple[str, ...], note("hexes of the board that rules name for it")]
    turn: Annotated[str, note("the turn in which it is there", "turn")]
    allowed: Annotated[bool | None, note("whether it may arrive there, null without a hex")] = None


def places_of(view: View, who: str) -> Iterator[str]:
    """Yield the hexes of the board where rules let reinforcements of a nation arrive.

    Rule: 3-12, 5-6, 6-19, 7-14, 8-10, 9-6, 13-5
    """
    for hex in view.board.known("arrivals"):
        if who in view.words("arrivals", hex):
            yield hex


def arrive(
    view: View,
    *,
    who: NationName,
    at: Annotated[PlaceName, note("the hex, on the position's board", "place")] = "",
    shown: Annotated[bool, note("whether the printed map shows that the hex is as the rule wants it")] = False,
    edge: Annotated[bool, note("of British units: whether it is a rail line on the western edge")] = False,
) -> Report[Arrival]:
    """Return the report on the hexes where a nation's reinforcements arrive, or on a single hex.

    Rule: 3-12, 4-4, 5-6, 6-19, 7-14, 8-10, 9-6, 10-8, 12-2, 13-5, 15-4, 29-9/Romania
    """
    row = {place.who: place for place in read_rows("arrivals", Place)}[who]
    with view.gather() as facts:
        turn = turn_now(facts)
    hexes = tuple(places_of(view, who))
    there = format_turn(view, read_campaign_calendar(view).after_turns(turn, row.delay if edge else 0))
    if not at:
        steps = [
            step(row.rule, "{text}", row),
            *holding([(hexes, row.rule, "on this board: {hexes:+}")], hexes=[*hexes]),
        ]
        return Report(
            title=f"Arrivals of {format_nation(view, who)}",
            verdict=verdict("figure", "they arrive at: {text}", row),
            parts=(Part("Where", tuple(steps)),),
            result=Arrival(hexes=hexes, turn=there),
        )
    text = "no rule names {at}: if the map shows it to be {text}, say shown=yes"
    reasons = holding([(at not in hexes and not shown, row.rule, text)], row, at=at)
    clauses = ((edge, row.rule, "entrained, two turns later: {there}"), (True, row.rule, "{text}"))
    return permission(
        f"Arrival of {format_nation(view, who)} in {at}",
        ("units of {who} may arrive in {at}", "units of {who} may not arrive in {at}"),
        reasons,
        Arrival(hexes=hexes, turn=there),
        who=format_nation(view, who),
        at=at,
        working={"Where": holding(clauses, row, there=there)},
    )


QUESTIONS = (
    declare("terrain", "what a hexside costs, and what it does in combat", terrain),
    declare("arrive", "where a nation's reinforcements arrive, and whether a hex will do", arrive),
)

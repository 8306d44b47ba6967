"""What the calendar brings without being paid for: units, supply units, Victory Points of options (9.2, 23.2, Optional Rules)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

import msgspec

from assistant.game.games import Game
from assistant.questions import Gather, View, note
from assistant.util.datafiles import inner, read_rows

from ..ground.countries import romania_enters
from ..ground.seasons import year_of
from ..terms import ALLIES, CENTRAL_POWERS
from ..victory.losses import main_effort

SCENARIOS = "scenarios"
ARRIVALS = ("turn", "entry", "side", "unit", "option", "rule")
POINTS = ("option", "turn", "at", "side", "vp", "rule")
ORDER = ("scenario", "side", "unit", "reversed", "country", "at", "within", "north_of", "south_of", "rule")
BEGINNINGS = (
    "scenario",
    "first",
    "last",
    "vp_central_powers",
    "vp_allies",
    "main_effort",
    "first_player",
    "deploys_first",
    "abteilungen",
    "to_rebuild",
    "rule",
)
"""The columns of the files of the scenarios: arrivals, points, order-of-battle, scenarios."""
MOLTKE_SUPPLY = {"east": 3, "west": 2}
"""Supply units a turn by the Moltke Plan, by the Main Effort."""
GALLIPOLI_FROM, CAPORETTO, PATRIOTS = 14, 29, 2
"""The turns of two options, and the supply units that the first attack after a revolution brings."""


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that the calendar brings."""

    unit: Annotated[str, note("its id")]
    side: Annotated[str, note("its side")]
    turn: Annotated[int, note("the game turn in which it is due")]
    rule: Annotated[str, note("the rule that brings it")]


class Source(NamedTuple):
    """Supply units at no cost. why: what brings them; rule: its rule."""

    units: int
    why: str
    rule: str


def rows(game: Game, name: str, columns: tuple[str, ...]) -> Iterator[Mapping[str, str]]:
    """The rows of a file of the scenarios."""
    for row, _ in read_rows(inner(game.folder, f"{SCENARIOS}/{name}.csv"), columns, f"{SCENARIOS}/{name}.csv"):
        yield row


def agreed(view: View, option: str) -> bool:
    """Whether an optional rule is in force; every one is agreed before play. Rule: Opt/choice"""
    return not option or option in view.words("options")


def scheduled(facts: Gather, side: str) -> tuple[Due, ...]:
    """The units of a side that the rules and options bring, and those of which the position states when they arrive.

    A stated turn (`Rus-6 arrives=7`) holds against that of the rules; units on the map are not due any more. Rule: 9.2, 21.5, 23.2,
    Opt/FastMob, Opt/Caporetto, Opt/VarRomania-arrivals
    """
    view, found = facts.view, dict[str, Due]()
    for row in rows(view.game, "arrivals", ARRIVALS):
        if row["side"] == side and agreed(view, row["option"]):
            turn = int(row["turn"]) if row["turn"] else romania_enters(view) + int(row["entry"])
            found[row["unit"]] = Due(unit=row["unit"], side=side, turn=turn, rule=row["rule"])
    for unit in view.units():
        if unit.place is not None and (unit.id in found or view.value("arrives", unit.id) is None):
            found.pop(unit.id, None)
        elif (turn := view.integer("arrives", unit.id)) and view.side_of(unit.id) == side:
            found[unit.id] = Due(unit=unit.id, side=side, turn=turn, rule="9.2")
    return tuple(sorted(found.values(), key=lambda one: (one.turn, one.unit)))


def supply_sources(facts: Gather, side: str) -> list[Source]:
    """The supply units that a side receives in this turn at no cost.

    After the First Revolution the Russians receive none by schedule; after the Second one comes with each Bolshevik unit.
    Rule: 9.2, Opt/Artillery, Opt/Gallipoli, Opt/Moltke, Opt/Caporetto, Opt/Rev1-effects, Opt/Bolshevik-reinf
    """
    view, turn = facts.view, facts.integer("turn")
    revolution = facts.integer("revolution")
    found = []
    if side == ALLIES and revolution == 2:
        return [Source(1, "with the Bolshevik unit of the turn", "Opt/Bolshevik-reinf")]
    if side == ALLIES and revolution:
        found.append(Source(0, "none by schedule after the First Revolution", "Opt/Rev1-effects"))
    elif side == CENTRAL_POWERS and agreed(view, "moltke-plan"):
        found.append(Source(MOLTKE_SUPPLY[main_effort(facts) or "west"], "Moltke Plan East", "Opt/Moltke"))
    elif turn and side == ALLIES and agreed(view, "modern-artillery") and year_of(turn) <= 1915:
        found.append(Source(2, "Russians Modernize Field Artillery", "Opt/Artillery"))
    elif turn:
        found.append(Source(int(str(facts.cell("scheduled-supply", side, turn).values["units"])), "schedule", "9.2"))
    if side == ALLIES and agreed(view, "gallipoli") and turn >= GALLIPOLI_FROM:
        found.append(Source(1, "Gallipoli: at Sevastopol or Odessa, or lost", "Opt/Gallipoli"))
    if side == ALLIES and facts.flag("patriotic-supply"):
        found.append(Source(PATRIOTS, "the first attack on Russians after the First Revolution", "Opt/Rev1-effects"))
    if side == CENTRAL_POWERS and agreed(view, "caporetto-east") and turn == CAPORETTO:
        found.append(Source(2, "Caporetto East", "Opt/Caporetto"))
    return found


def option_points(view: View, turn: int) -> list[Mapping[str, str]]:
    """The Victory Points that optional rules bring or cost in a turn. Rule: Opt/FastMob, Opt/Moltke, Opt/Gallipoli, Opt/Caporetto"""
    found = rows(view.game, "points", POINTS)
    return [row for row in found if int(row["turn"]) == turn and agreed(view, row["option"])]

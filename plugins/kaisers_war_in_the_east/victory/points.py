"""Victory Points: what objectives bring, how far a total goes, who has won (4, 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from assistant.questions import Gather, note

from ..ground.countries import own_in_1914
from ..ground.places import controller, hexes_with
from ..terms import ALLIES, CENTRAL_POWERS

OWN, ENEMY = 4, 2
"""Victory Points of an objective at the end of a turn: on a side's own side of the border of 1914, and beyond it (5.4)."""
MOST, SUDDEN = 99, 25
"""The most Victory Points on the track (5.6), and what the winner of a Sudden Death Victory adds (4.1)."""
HOME_BEFORE_THE_LEAVES_FALL = (10, 15)
"""What a captured objective brings and costs in the first turn of the scenario of 1914 (26.7)."""
CAPS = {0: MOST, 1: 25, 2: 10}
"""The most Victory Points of the Allies after so many Russian Revolutions."""
CITY_COUNTRIES = {CENTRAL_POWERS: ("russia", "romania"), ALLIES: ("germany", "austria-hungary", "bulgaria")}
"""The countries in whose cities a side gains a point at the end of the game (4.2)."""
DRAW, IMPERIAL = "Draw", "Imperial Victory"
LEVELS = ((25, DRAW), (50, "Marginal Victory"), (75, "Continental Victory"))


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A Strategic Objective."""

    hex: Annotated[str, note("its hex")]
    controller: Annotated[str, note("the side that controls it, empty for nobody")]
    points: Annotated[int, note("Victory Points that it brings that side at the end of a turn")]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The Victory Points of a side."""

    side: Annotated[str, note("the side")]
    points: Annotated[int, note("Victory Points on the track")]
    gain: Annotated[int, note("what its objectives bring at the end of this turn")]
    total: Annotated[int, note("the track after that")]
    cities: Annotated[int, note("enemy cities that it controls, a point each at the end of the game")]
    final: Annotated[int, note("its points if the game ends with this turn")]


def objectives(facts: Gather) -> tuple[Objective, ...]:
    """The Strategic Objectives that are known, with what each brings whoever controls it."""
    found = []
    for hex in hexes_with(facts.view, "objective"):
        side = controller(facts, hex)
        found.append(Objective(hex=hex, controller=side, points=worth_a_turn(facts.word("country", hex), side)))
    return tuple(found)


def worth_a_turn(country: str, side: str) -> int:
    """The Victory Points of an objective in the Victory Point Sub-Phase. country: in which it lay in 1914; side: that controls it.
    Rule: 5.4, VP-table/turn-own, VP-table/turn-enemy
    """
    if not side:
        return 0
    return OWN if own_in_1914(country, side) else ENEMY


def limited(points: int, side: str, revolution: int = 0) -> int:
    """A total as far as the track goes: 99, and less for the Allies after a revolution. Rule: 5.6"""
    return min(points, CAPS[revolution] if side == ALLIES else MOST)


def enemy_cities(facts: Gather, side: str) -> int:
    """How many cities of the enemy a side controls: those of neutrals do not count. Rule: 4.2, 4.2/neutral"""
    view = facts.view
    count = 0
    for hex in hexes_with(view, "city"):
        country = facts.word("country", hex)
        count += country in CITY_COUNTRIES[side] and controller(facts, hex) == side
    return count


def standing(facts: Gather, side: str, found: tuple[Objective, ...]) -> Standing:
    """The points of a side now, after this turn, and if the game ends with it. Rule: 4.2, 5.0, 5.4, 5.6"""
    points = facts.integer("vp", side)
    gain = sum(one.points for one in found if one.controller == side)
    total = limited(points + gain, side, facts.integer("revolution"))
    cities = enemy_cities(facts, side)
    return Standing(side=side, points=points, gain=gain, total=total, cities=cities, final=total + cities)


def overthrown(points: Mapping[str, int]) -> tuple[str, ...]:
    """The sides whose Victory Points have run out. Rule: 4.1/1, 4.1/1b, 5.6"""
    return tuple(side for side, left in points.items() if left <= 0)


def holds_all(found: tuple[Objective, ...]) -> str:
    """The side that controls every Strategic Objective, "" if none does. Rule: 4.1/2"""
    holders = {one.controller for one in found}
    return holders.pop() if len(holders) == 1 else ""


def level(difference: int) -> str:
    """The level of victory by the difference of the totals; above 100 it is Imperial too. Rule: 4.3"""
    return next((name for most, name in LEVELS if difference <= most), IMPERIAL)


def captured(facts: Gather) -> tuple[int, int]:
    """What the capture of an enemy objective brings the captor, and what it costs the other side: more in August 1914.
    Rule: 5.3, 26.7, VP-table/capture
    """
    if facts.view.integer("turn") == 1 and facts.view.word("scenario") == "1914":
        return HOME_BEFORE_THE_LEAVES_FALL
    cell = facts.cell("victory", "objective", ALLIES).values
    return int(str(cell["gain"])), int(str(cell["loss"]))

"""Control and Victory Points of Kaiser's War in the East from the rulebook alone (4, 5, 7.3, 26.7)."""

from __future__ import annotations

from typing import NamedTuple

from ..hexes import Hex
from .world import World

OWNERS = {
    "germany": "central-powers",
    "austria-hungary": "central-powers",
    "bulgaria": "central-powers",
    "russia": "allies",
    "romania": "allies",
}
LEVELS = ((76, "Imperial Victory"), (51, "Continental Victory"), (26, "Marginal Victory"), (0, "Draw"))


class Score(NamedTuple):
    """The points of a side: on the track, for objectives at the end of the turn, on the track after it, for cities of the enemy, in all."""

    points: int
    gain: int
    after: int
    cities: int
    total: int


def score(world: World, side: str, track: int, objectives: set[Hex], cities: set[Hex]) -> Score:
    """What a side has at the end of a turn, and of the game (4.2, 5.4, 5.6); nobody scores in a country that is not at war."""
    held = [at for at in objectives if world.holder(at) == side and not world.is_neutral(at)]
    gain = sum(4 if OWNERS[world.land(at)] == side else 2 for at in held)
    foreign = [
        at for at in cities if world.holder(at) == side and OWNERS[world.land(at)] != side and not world.is_neutral(at)
    ]
    after = min(track + gain, 99)
    return Score(track, gain, after, len(foreign), after + len(foreign))


def level(lead: int) -> str:
    """The level of victory of a difference of points (4.3)."""
    return next(words for least, words in LEVELS if lead >= least)


def capture(world: World, side: str, at: Hex, objectives: set[Hex], track: int, august: bool) -> tuple[int, int]:
    """The points that a side gains and the other loses as it takes a hex (5.3, 5.6, 26.7)."""
    if at not in objectives or world.holder(at) == side:
        return 0, 0
    gain, loss = (10, 15) if august else (5, 10)
    return min(gain, 99 - track), loss


def ruler(world: World, objectives: set[Hex]) -> str:
    """The side that controls all Strategic Objectives, and so has won (4.1)."""
    holders = {"" if world.is_neutral(at) else world.holder(at) for at in objectives}
    return holders.pop() if len(holders) == 1 else ""

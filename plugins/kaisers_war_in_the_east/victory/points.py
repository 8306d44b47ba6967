"""Victory Points: what objectives bring, what losses and captures cost, how far a total goes, who has won (4, 5, 7.3,
8.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated

from assistant.asking import Gather, View, changed, note
from assistant.asking.permission import if_known
from assistant.rules import victory
from assistant.rules.victory import PointSource, Score, Scoring, lead_of, level_by_lead, scoring_places
from assistant.state.changes import AnyChange, Change, Gain

from ..ground import controller, hexes_with, own_in_1914
from ..terms import ALLIES, OWNER

OWN = 4
"""Victory Points of an objective at the end of a turn, on a side's own side of the border of 1914 (5.4)."""
ENEMY = 2
"""Victory Points of an objective beyond that border."""
MOST = 99
"""The most Victory Points on the track (5.6)."""
SUDDEN = 25
"""Victory Points that the winner of a Sudden Death Victory adds (4.1)."""
HOME_BEFORE_THE_LEAVES_FALL = (10, 15)
"""What a captured objective brings and costs in the first turn of the scenario of 1914 (26.7)."""
CAPS = {0: MOST, 1: 25, 2: 10}
"""The most Victory Points of the Allies after so many Russian Revolutions."""
DRAW = "Draw"
IMPERIAL = "Imperial Victory"
LEVELS = {IMPERIAL: 76, "Continental Victory": 51, "Marginal Victory": 26, DRAW: 0}
"""The least difference of the totals for each level of victory (4.3)."""


class Standing(Score, frozen=True, kw_only=True):
    """The Victory Points of a side; its total is what it has if the game ends with this turn."""

    points: Annotated[int, note("Victory Points on the track")]
    gain: Annotated[int, note("Victory Points that the side's objectives score at the end of this turn")]
    after: Annotated[int, note("Victory Points on the track once the objectives have scored")]
    cities: Annotated[int, note("enemy cities that the side controls, one Victory Point each at the end of the game")]


class Victory(victory.Winning, frozen=True, kw_only=True):
    """The Victory Points of both sides, and what they mean. The places are Strategic Objectives."""

    scores: Annotated[tuple[Standing, ...], note("the Victory Points of each side, by source")]
    sudden: Annotated[bool, note("whether the game ends at once")] = False
    lead: Annotated[
        int, note("the difference between the totals, or the winner's Victory Points after a Sudden Death Victory")
    ] = 0


def objectives(facts: Gather) -> tuple[Scoring, ...]:
    """Return the Strategic Objectives that are known, with what each brings the side that controls it at the end of a
    turn.
    """

    def worth(place: str, side: str) -> int:
        return score_a_turn(facts.word("country", place), side)

    return scoring_places(facts.view, "objective", lambda place: controller(facts, place), worth)


def score_a_turn(country: str, side: str) -> int:
    """Return the Victory Points of an objective in the Victory Point Sub-Phase. country: in which it lay in 1914; side:
    that controls it. Rule: 5.4, VP-table/turn-own, VP-table/turn-enemy
    """
    if not side:
        return 0
    return OWN if own_in_1914(country, side) else ENEMY


def limit_points(points: int, side: str, revolution: int = 0) -> int:
    """Return a total as far as the track goes: 99, and less for the Allies after a revolution. Rule: 5.6"""
    return min(points, CAPS[revolution] if side == ALLIES else MOST)


def cap_gain(view: View, side: str, points: int) -> int:
    """Return what is left of a gain of Victory Points as far as the track goes, where the position counts them; a loss
    is not limited. Rule: 5.6
    """
    held = view.integer("vp", side)
    return min(points, max(0, limit_points(held + points, side, view.integer("revolution")) - held))


def score(view: View, side: str, amount: int, rule: str) -> Iterator[Gain]:
    """Yield the change of a side's Victory Points, where the position counts them. rule: by which they change. Rule:
    5.0
    """
    if amount and view.fact("vp", side):
        yield Gain("vp", side, amount, rule)


def enemy_cities(facts: Gather, side: str) -> int:
    """Return how many cities of the enemy a side controls: those of neutrals do not count. Rule: 4.2, 4.2/neutral"""
    cities = hexes_with(facts.view, "city")
    hostile = [place for place in cities if OWNER.get(facts.word("country", place), side) != side]
    return sum(controller(facts, place) == side for place in hostile)


def count_standing(facts: Gather, side: str, objectives: tuple[Scoring, ...]) -> Standing:
    """Return the points of a side now, after this turn, and if the game ends with it. Rule: 4.2, 5.0, 5.4, 5.6"""
    points = facts.integer("vp", side)
    gain = sum(objective.points for objective in objectives if objective.controller == side)
    after = limit_points(points + gain, side, facts.integer("revolution"))
    cities = enemy_cities(facts, side)
    sources = (
        PointSource("vp", points, "on the track", "5.0"),
        PointSource("objective", after - points, "for objectives", "5.4"),
        PointSource("city", cities, "for enemy cities", "4.2"),
    )
    total = after + cities
    return Standing(side=side, sources=sources, total=total, points=points, gain=gain, after=after, cities=cities)


def overthrown_sides(points: Mapping[str, int]) -> tuple[str, ...]:
    """Return the sides whose Victory Points have run out. Rule: 4.1/1, 4.1/1b, 5.6"""
    return tuple(side for side, left in points.items() if left <= 0)


def find_level(difference: int) -> str:
    """Return the level of victory by the difference of the totals; above 100 it is Imperial too. Rule: 4.3"""
    return level_by_lead(difference, LEVELS)


def end_game(now: View, then: View, changes: Iterable[AnyChange]) -> Iterator[Change]:
    """Yield the changes by which a game ends at once: a side has no Victory Point left, or one side holds every
    Strategic Objective that the position states.

    `changes`: what leads from `now` to `then`.

    Rule: 4.1/1, 4.1/1b, 4.1/2, 5.6
    """
    sides = now.game.file.sides
    before, after = (
        {side: view.integer("vp", side) for side in sides if view.fact("vp", side)} for view in (now, then)
    )
    for side in overthrown_sides(after):
        if side not in overthrown_sides(before):
            yield changed(now, "overthrown", side, True, "4.1")
    taken = {change.subject for change in changes if isinstance(change, Change) and change.track == "control"}
    if any(then.flag("objective", taking) for taking in taken):
        known = if_known(then, objectives) or ()
        holders = {objective.controller for objective in known}
        if len(holders) == 1 and (holder := holders.pop()):
            yield changed(now, "holds-objectives", holder, True, "4.1")


def judge_victory(scores: tuple[Standing, ...], places: tuple[Scoring, ...], *, complete: bool) -> Victory:
    """Return who has won: at once by a Sudden Death, or by the points if the game ends with this turn.

    places: the objectives; complete: whether all of the map are known. The winner of a Sudden Death reads his level
    from his own points and 25 more.
    Rule: 4.0, 4.1/1, 4.1/2, 4.2
    """
    ended = partial(Victory, scores=scores, places=places)
    totals = {standing.side: standing.points for standing in scores}
    gone = overthrown_sides(totals)
    holders = {objective.controller for objective in places if complete}
    if len(gone) == len(totals):
        return ended(sudden=True)
    if gone:
        winner = next(side for side in totals if side not in gone)
        points = totals[winner] + SUDDEN
        return ended(sudden=True, winner=winner, lead=points, level=find_level(points))
    if len(holders) == 1 and (holder := holders.pop()):
        return ended(sudden=True, winner=holder, level=IMPERIAL)
    leader, lead = lead_of({standing.side: standing.total for standing in scores})
    reached = find_level(lead)
    return ended(winner="" if reached == DRAW else leader, lead=lead, level=reached)


def capture_points(facts: Gather) -> tuple[int, int]:
    """Return what the capture of an enemy objective brings the captor, and what it costs the other side: more in August
    1914. Rule: 5.3, 26.7, VP-table/capture
    """
    if facts.view.integer("turn") == 1 and facts.view.word("scenario") in ("", "1914"):  # no other begins so early
        return HOME_BEFORE_THE_LEAVES_FALL
    cell = facts.cell("victory", "objective").values
    return int(str(cell["gain"])), int(str(cell["loss"]))

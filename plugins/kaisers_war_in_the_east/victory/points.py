"""Victory Points: for objectives, captures and losses, their limits, and the winner.

Rules 4, 5, 7.3, 8.1, 14.15 and 18.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, NamedTuple

from assistant.asking import Gather, InputError, Step, View, changed, holding, note
from assistant.asking.permission import if_known
from assistant.rules import victory
from assistant.rules.field.places import hexes_with
from assistant.rules.victory import PointSource, Score, Scoring, lead_of, level_by_lead, scoring_places
from assistant.state.changes import AnyChange, Change, Gain

from ..forces import Formation, count_off, kind_of
from ..ground import controller, own_in_1914
from ..seasons import known_effort, year_of
from ..terms import ALLIES, AVAILABLE, CENTRAL_POWERS, DEAD_PILE, FORTRESS, OWNER

OWN_OBJECTIVE_POINTS = 4
"""Victory Points of an objective at the end of a turn, on the own side of the border of 1914 (5.4)."""
ENEMY_OBJECTIVE_POINTS = 2
"""Victory Points of an objective beyond that border (5.4)."""
MAX_POINTS = 99
"""The maximum number of Victory Points on the track (5.6)."""
SUDDEN_DEATH_POINTS = 25
"""Victory Points that the winner of a Sudden Death Victory adds (4.1)."""
AUGUST_1914_CAPTURE = (10, 15)
"""Victory Points gained and lost by a capture in the first turn of the scenario of 1914 (26.7)."""
ALLIED_CAPS = {0: MAX_POINTS, 1: 25, 2: 10}
"""The maximum of the Allies' Victory Points, by the number of Russian Revolutions."""
DRAW = "Draw"
IMPERIAL = "Imperial Victory"
LEVELS = {IMPERIAL: 76, "Continental Victory": 51, "Marginal Victory": 26, DRAW: 0}
"""The minimum difference of the totals for each level of victory (4.3)."""
BOLSHEVIK = "bolshevik"
DEARER_KINDS = ("headquarters", "army", "abteilung", "corps")
"""The units that cost the Central Powers more while their Main Effort is in the West (8.1)."""


class Standing(Score, frozen=True, kw_only=True):
    """The Victory Points of a side, with its total if the game ends with this turn."""

    points: Annotated[int, note("Victory Points on the track")]
    gain: Annotated[int, note("Victory Points that the side's objectives score at the end of this turn")]
    after: Annotated[int, note("Victory Points on the track once the objectives have scored")]
    cities: Annotated[int, note("enemy cities that the side controls, one Victory Point each at the end of the game")]


class Victory(victory.Winning, frozen=True, kw_only=True):
    """The Victory Points of both sides, and their meaning; the places are Strategic Objectives."""

    scores: Annotated[tuple[Standing, ...], note("the Victory Points of each side, by source")]
    sudden: Annotated[bool, note("whether the game ends at once")] = False
    lead: Annotated[
        int, note("the difference between the totals, or the winner's Victory Points after a Sudden Death Victory")
    ] = 0


def objectives(facts: Gather) -> tuple[Scoring, ...]:
    """Return the known Strategic Objectives, with the points that each brings its side at the end of a turn."""

    def worth(place: str, side: str) -> int:
        return score_a_turn(facts.word("country", place), side)

    return scoring_places(facts.view, "objective", lambda place: controller(facts, place), worth)


def score_a_turn(country: str, side: str) -> int:
    """Return the Victory Points of an objective at the end of a turn.

    `country`: the country in which the objective lay in 1914.
    `side`: the side that controls it, or "".

    Rule: 5.4, VP-table/turn-own, VP-table/turn-enemy
    """
    if not side:
        return 0
    return OWN_OBJECTIVE_POINTS if own_in_1914(country, side) else ENEMY_OBJECTIVE_POINTS


def limit_points(points: int, side: str, revolution: int = 0) -> int:
    """Return a total within the limit of the track, which is lower for the Allies after a revolution. Rule: 5.6"""
    return min(points, ALLIED_CAPS[revolution] if side == ALLIES else MAX_POINTS)


def cap_gain(view: View, side: str, points: int) -> int:
    """Return the part of a gain of Victory Points for which the track has room.

    A loss is not limited.

    Rule: 5.6
    """
    held = view.integer("vp", side)
    return min(points, max(0, limit_points(held + points, side, view.integer("revolution")) - held))


def score_points(view: View, side: str, amount: int, rule: str) -> Iterator[Gain]:
    """Yield the change of a side's Victory Points if the position counts them. Rule: 5.0"""
    if amount and view.fact("vp", side):
        yield Gain("vp", side, amount, rule)


def enemy_cities(facts: Gather, side: str) -> int:
    """Return the number of enemy cities that a side controls, except neutral ones. Rule: 4.2, 4.2/neutral"""
    cities = hexes_with(facts.view, "city")
    hostile = [place for place in cities if OWNER.get(facts.word("country", place), side) != side]
    return sum(controller(facts, place) == side for place in hostile)


def count_standing(facts: Gather, side: str, objectives: tuple[Scoring, ...]) -> Standing:
    """Return the points of a side now, after this turn and at the end of the game. Rule: 4.2, 5.0, 5.4, 5.6"""
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
    """Return the level of victory by the difference of the totals. Rule: 4.3"""
    return level_by_lead(difference, LEVELS)


def end_game(now: View, later: View, changes: Iterable[AnyChange]) -> Iterator[Change]:
    """Yield the changes by which a game ends at once.

    A side has no Victory Point left, or one side holds every Strategic Objective that the position states.

    Rule: 4.1/1, 4.1/1b, 4.1/2, 5.6
    """
    sides = now.game.file.sides
    before, after = (
        {side: view.integer("vp", side) for side in sides if view.fact("vp", side)} for view in (now, later)
    )
    for side in overthrown_sides(after):
        if side not in overthrown_sides(before):
            yield changed(now, "overthrown", side, True, "4.1")
    taken = {change.subject for change in changes if isinstance(change, Change) and change.track == "control"}
    if any(later.flag("objective", taking) for taking in taken):
        known = if_known(later, objectives) or ()
        holders = {objective.controller for objective in known}
        if len(holders) == 1 and (holder := holders.pop()):
            yield changed(now, "holds-objectives", holder, True, "4.1")


def judge_victory(scores: tuple[Standing, ...], places: tuple[Scoring, ...], *, complete: bool) -> Victory:
    """Return the winner: at once by a Sudden Death, or by points if the game ends with this turn.

    The winner of a Sudden Death has the level of his own points and 25 more.

    `complete`: whether `places` are all objectives on the map.

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
        points = totals[winner] + SUDDEN_DEATH_POINTS
        return ended(sudden=True, winner=winner, lead=points, level=find_level(points))
    if len(holders) == 1 and (holder := holders.pop()):
        return ended(sudden=True, winner=holder, level=IMPERIAL)
    leader, lead = lead_of({standing.side: standing.total for standing in scores})
    reached = find_level(lead)
    return ended(winner="" if reached == DRAW else leader, lead=lead, level=reached)


def capture_points(facts: Gather) -> tuple[int, int]:
    """Return the points that the capture of an objective brings the captor and costs the other side.

    Both are higher in August 1914.

    Rule: 5.3, 26.7, VP-table/capture
    """
    # No other scenario begins so early.
    if facts.view.integer("turn") == 1 and facts.view.word("scenario") in (
        "",
        "1914",
    ):
        return AUGUST_1914_CAPTURE
    cell = facts.cell("victory", "objective").values
    return int(str(cell["gain"])), int(str(cell["loss"]))


# --- Strategic Objectives that are taken ------------------------------------------------------------------------------


class TakenHex(NamedTuple):
    """A hex that a side takes."""

    hex: str
    holder: Annotated[str, note('the side that controlled the hex before, "" for none')]
    full: Annotated[int, note("the Victory Points that the capture scores if the track has room")] = 0
    gain: Annotated[int, note("the Victory Points that the capture does score")] = 0
    loss: Annotated[int, note("the Victory Points that the capture costs the side that held the hex")] = 0


class Entry(NamedTuple):
    """The hexes that a side takes as its units enter them."""

    side: str
    taken: Annotated[tuple[TakenHex, ...], note("the hexes that the side did not control before, in order")] = ()
    unsure: Annotated[tuple[str, ...], note("Strategic Objectives that the other side might control")] = ()


def take_hex(facts: Gather, side: str, at: str, before: int = 0) -> TakenHex:
    """Return a hex that a side takes, with the Victory Points of an enemy Strategic Objective.

    `before`: Victory Points gained in the same move.

    Rule: 5.3, 5.6, 7.3/2, VP-table/capture
    """
    holder = controller(facts, at)
    if holder in ("", side) or not facts.view.flag("objective", at):
        return TakenHex(at, holder)
    full, loss = capture_points(facts)
    gain = cap_gain(facts.view, side, before + full) - cap_gain(facts.view, side, before)
    return TakenHex(at, holder, full, gain, loss)


def enter_hexes(view: View, side: str, hexes: Iterable[str], before: int = 0) -> Entry:
    """Return the hexes that a side takes as its units enter them.

    A hex whose control is unknown matters only if it is a Strategic Objective.

    `before`: Victory Points gained in the same move, below 0 if some were paid.

    Rule: 5.3, 7.3/2
    """
    takings = list[TakenHex]()
    unsure = list[str]()
    points = before
    for place in dict.fromkeys(hexes):
        taken = if_known(view, partial(take_hex, side=side, at=place, before=points))
        if taken is None:
            if view.flag("objective", place):
                unsure.append(place)
        elif taken.holder != side:
            takings.append(taken)
            points += taken.gain
    return Entry(side, tuple(takings), tuple(unsure))


def format_takings(view: View, side: str, taken: Iterable[TakenHex]) -> Iterator[Step]:
    """Yield the Strategic Objectives that a side takes, in words."""
    for taking in taken:
        names = {"side": view.title_of(side), "controller": view.title_of(taking.holder)}
        capped = "of {full:#Victory Point} the {side} score only {gain}, as the track goes no farther"
        clauses = (
            (
                taking.full,
                "5.3",
                "{hex} is a Strategic Objective: {gain:#Victory Point} more for {side}, {loss} less for {controller}",
            ),
            (taking.gain < taking.full, "5.6", capped),
        )
        yield from holding(clauses, taking, **names)


def format_entry(view: View, entry: Entry) -> Iterator[Step]:
    """Yield the hexes that a side takes, in words."""
    hexes = [taking.hex for taking in entry.taken]
    control = "the {side} take control of {hexes}"
    yield from holding([(hexes, "7.3", control)], hexes=hexes, side=view.title_of(entry.side))
    yield from format_takings(view, entry.side, entry.taken)


def take_hexes_in_movement(view: View, entry: Entry) -> Iterator[AnyChange]:
    """Yield the changes as a side takes hexes in a movement phase, in which it cannot use their railroads.

    Rule: 18.4
    """
    yield from take_hexes(view, entry)
    for taking in entry.taken:
        yield changed(view, "taken", taking.hex, True, "18.4")


def take_hexes(view: View, entry: Entry) -> Iterator[AnyChange]:
    """Yield the changes as a side takes hexes: control, Victory Points, and objectives that may owe some.

    Rule: 5.3, 7.3/2
    """
    for taking in entry.taken:
        yield changed(view, "control", taking.hex, entry.side, "7.3")
        yield from score_points(view, entry.side, taking.gain, "5.3")
        yield from score_points(view, taking.holder, -taking.loss, "5.3")
    for place in entry.unsure:
        yield changed(view, "capture-open", place, entry.side, "5.3")


# --- units that are eliminated ----------------------------------------------------------------------------------------


class Worth(NamedTuple):
    """The Victory Points that the loss of a unit costs its side and brings the enemy."""

    loss: int
    gain: int


def main_effort(facts: Gather) -> str:
    """Return the Main Effort of the Central Powers this year, east or west. Rule: 8.0, Opt/Moltke"""
    if stated := facts.view.word("main-effort"):
        return stated
    turn = facts.integer("turn")
    return known_effort(facts.view, turn) or str(facts.cell("main-effort", year_of(turn)).values["effort"])


def judge_worth(facts: Gather, unit: Formation, side: str) -> Worth:
    """Return the Victory Points for the loss of a unit.

    The defence factor of a fortress is asked for.
    """
    defence = facts.integer("defence", unit.id) if unit.arm == FORTRESS else 0
    return worth_of(facts, unit.arm, unit.size, unit.nation, defence, side)


def worth_of(facts: Gather, arm: str, size: str, nation: str, defence: int, side: str) -> Worth:
    """Return the Victory Points for the loss of a unit by the Victory Points Chart.

    A fortress counts its defence factor. Units of the Central Powers cost more while their Main Effort is in the West.

    Raises InputError for an Abteilung of the Allies, who have none.

    Rule: 5.1, 5.2, 8.1, VP-table/AL-HQ-army, VP-table/AL-corps, VP-table/AL-fortress, VP-table/Bolshevik,
    VP-table/CP-HQ-army, VP-table/CP-abteilung, VP-table/CP-corps, VP-table/CP-fortress, VP-table/CP-HQ-army-West,
    VP-table/CP-abteilung-West, VP-table/CP-corps-West, VP-table/other
    """
    kind = kind_of(arm, size)
    chart_side = "allied"
    if side == CENTRAL_POWERS:
        chart_side = "west" if kind in DEARER_KINDS and main_effort(facts) == "west" else "central"
    elif kind == "abteilung":
        raise InputError("the Victory Points Chart lists no Allied Abteilung", hint="state its size as XXXX or XXX")
    event = "other" if kind in ("supply", "other") else f"{chart_side}-{kind}"
    cell = facts.cell("victory", BOLSHEVIK if nation == BOLSHEVIK else event).values
    times = defence if kind == "fortress" else 1
    return Worth(int(str(cell["loss"])) * times, int(str(cell["gain"])) * times)


def eliminate_unit(view: View, unit: Formation, side: str, worth: Worth, rule: str) -> Iterator[AnyChange]:
    """Yield the changes that eliminate a unit.

    Armies go into the box Available, others into the Dead Pile.

    Rule: 5.1, 9.10, 14.15
    """
    yield changed(view, "place", unit.id, AVAILABLE if unit.is_army else DEAD_PILE, rule)
    yield from count_off(view, [unit], 1, rule)
    enemy = next(other for other in view.game.file.sides if other != side)
    yield from score_points(view, side, -worth.loss, "5.1")
    yield from score_points(view, enemy, cap_gain(view, enemy, worth.gain), "5.1")

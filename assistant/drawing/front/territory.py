"""The ground that each side holds, and the front between them.

Ground without stated control belongs to the side of the nearest unit, if a unit is near. Other ground belongs to the
side that held it before, at first to the side of its country. No rule depends on this: it is for the eye.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ...asking.view import View
from ...game.boards import Board
from ...game.games import Game
from ...state.state import UNSEEN, Unit
from ..palettes import is_water, kind_of_nation

REACH_HEXES = 4
"""The distance from a unit within which ground belongs to its side."""
Held = Mapping[str, str]
"""The side that holds each hex."""


def stated_holders(view: View) -> dict[str, str]:
    """Return the side of each place that the position states, by units there or by control.

    A place with units of two sides is left out.
    """
    game, sides = view.game, view.game.file.sides
    track = game.file.picture.control
    stated = view.state.subjects_of(track) if track in game.tracks else ()
    stated_values = {place: view.state.facts[track, place].value for place in stated}
    holders = {place: str(side) for place, side in stated_values.items() if side in sides}
    standing = dict[str, set[str]]()
    for place, side in units_by_place(view):
        standing.setdefault(place, set()).add(side)
    for place, sides_there in standing.items():
        holders.pop(place, None)
        if len(sides_there) == 1:
            holders[place] = next(iter(sides_there))
    return holders


def units_by_place(view: View) -> Iterator[tuple[str, str]]:
    """Yield the places and sides of units that the viewpoint sees or knows to be there, if their side is known."""
    for unit in view.state.units.values():
        if unit.place and (side := side_of_unit(view, unit)):
            yield unit.place, side
    for place in view.unseen:
        if (side := str(view.state.facts[UNSEEN, place].value)) in view.game.file.sides:
            yield place, side


def side_of_unit(view: View, unit: Unit) -> str:
    """Return the side of a unit, or "" if it is unknown."""
    nation = view.game.nation_of_unit(unit, view.state.facts)
    return view.game.side_of(nation) if nation in view.game.file.nations else ""


def assign_ground(view: View, area: Collection[str], before: Held | None = None) -> dict[str, str]:
    """Return the side that holds each hex of an area, without hexes of open water and unknown ground.

    `before`: the holders at the previous moment, or None at the first moment.
    """
    stated = {place: side for place, side in stated_holders(view).items() if place in area}
    holders_before = before if before is not None else _find_homes(view, area)
    held = {place: holders_before[place] for place in area if place in holders_before}
    held |= _find_nearest_sides(view, area, holders_before)
    held |= stated
    return _fill_pockets(held, {place for place, _ in units_by_place(view)}, view.board)


def _find_nearest_sides(view: View, area: Collection[str], holders_before: Held) -> dict[str, str]:
    """Return the hexes near to units, each with the side of the nearest unit."""
    board, land = view.board, {place for place in area if not _is_open_water(view, place)}
    reached = dict[str, set[str]]()
    for place, side in units_by_place(view):
        if place in area:
            reached.setdefault(place, set()).add(side)
    edge = dict(reached)
    for _ in range(REACH_HEXES):
        ahead = dict[str, set[str]]()
        for place, sides in edge.items():
            for beyond in board.neighbours(place):
                if beyond in land and beyond not in reached:
                    ahead.setdefault(beyond, set()).update(sides)
        reached |= ahead
        edge = ahead
    return {
        place: holders_before[place] if holders_before.get(place) in sides else min(sides)
        for place, sides in reached.items()
    }


def _find_homes(view: View, area: Collection[str]) -> dict[str, str]:
    track = view.game.file.picture.country
    if track not in view.game.tracks:
        return {}
    sides = dict[str, str]()
    homes_of = dict[str, str]()
    for place in area:
        fact = view.board.fact(track, place)
        if fact is None or not isinstance(fact.value, str) or _is_open_water(view, place):
            continue
        if fact.value not in sides:
            sides[fact.value] = side_of_country(view.game, fact.value)
        if side := sides[fact.value]:
            homes_of[place] = side
    return homes_of


def side_of_country(game: Game, country: str) -> str:
    """Return the side of the nation that a country's word names, such as `german` for `germany`, or ""."""
    kind = kind_of_nation(country)
    for side, nations in game.file.sides.items():
        if any(nation == country or (kind and kind_of_nation(nation) == kind) for nation in nations):
            return side
    return ""


def _is_open_water(view: View, place: str) -> bool:
    terrain = view.game.file.picture.terrain
    fact = view.board.fact(terrain, place) if terrain in view.game.tracks else None
    return fact is not None and isinstance(fact.value, str) and is_water(fact.value)


def _fill_pockets(held: Held, standing: Collection[str], board: Board) -> dict[str, str]:
    """Return the holders after pockets without units have gone to the only side around them."""
    unchecked, holders = set(held), dict(held)
    while unchecked:
        first = min(unchecked)
        side, pocket, edge, around = held[first], {first}, [first], set[str]()
        is_open = False
        while edge:
            for beyond in board.neighbours(edge.pop()):
                if beyond not in held:
                    is_open = True
                elif held[beyond] != side:
                    around.add(held[beyond])
                elif beyond not in pocket:
                    pocket.add(beyond)
                    edge.append(beyond)
        unchecked -= pocket
        if len(around) == 1 and not is_open and pocket.isdisjoint(standing):
            holders |= dict.fromkeys(pocket, next(iter(around)))
    return holders


def ground_gained(before: Held, after: Held) -> dict[str, str]:
    """Return the hexes held by another side before, each with the side that holds it now."""
    return {place: side for place, side in after.items() if before.get(place, side) != side}

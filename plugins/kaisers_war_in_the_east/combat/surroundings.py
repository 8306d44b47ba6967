"""The ground of a combat and the hexes around it: what doubles the defence, and whether an attack is concentric (13.2,
14.8, 14.11, 19.5, 20.2, 22.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated, NamedTuple

from assistant.asking import Gather, note
from assistant.rules.field import SideField

from ..forces import Formation
from ..ground import SEA, between, exerts_zone, is_neutral
from ..seasons import is_hard_in, season

FROZEN = ("river", "lake")
"""The water that doubles a defence, and that freezes in winter (22.1)."""


def is_concentric(covered: Collection[str], around: Collection[str], *, fortress: bool, headquarters: bool) -> bool:
    """Return whether an attack is concentric: the attackers and their zones cover all six hexes around the defender.

    covered: the hexes that attackers stand in or have in their zones; around: the six; fortress: whether one defends
    the hex, which prevents it unless a Headquarters supports the attack.
    Rule: 14.8/3, 14.8/3-fort, 19.5, 20.2
    """
    return (headquarters or not fortress) and set(covered).issuperset(around)


class Coverage(NamedTuple):
    """The hexes around a defender."""

    ring: Annotated[tuple[str, ...], note("all of them")]
    hexes: Annotated[frozenset[str], note("the hexes that attackers occupy or have in their zones of control")]
    crossed: Annotated[
        tuple[str, ...], note("hexsides that zones are assumed to cross, as nothing is stated about them")
    ]


def cover_ring(facts: Gather, around: SideField, attacking: Collection[Formation], at: str) -> Coverage:
    """Return those of the hexes around a defender that the attackers hold or have in their zones; other units do not
    count.

    Hexes that cannot be entered must be covered like the others, as if zones reached them, or count as covered
    (ruling concentric-edge).
    Rule: 14.8/3, 14.8/3-edge, 13.2
    """
    view = facts.view
    ring = facts.view.board.neighbours(at)
    immobile = view.ruling("hq-zones", any(attacker.movement == 0 for attacker in attacking)) == "yes"
    mobile = {
        attacker.place for attacker in attacking if exerts_zone(attacker.arm, attacker.movement, immobile=immobile)
    }
    held = ({attacker.place for attacker in attacking} | around.field.zone_of(around.side, mobile)) & {*ring}
    closed = {place for place in {*ring} - held if _is_unplayable(facts, place)}
    near = {place for place in closed if mobile & {*view.board.neighbours(place)}}
    held |= closed if view.ruling("concentric-edge", near != closed) == "free" else near
    entered = {frozenset((there, here)) for there in mobile for here in ring}
    crossed = [name for name in sorted(around.field.unstated(around.side)) if frozenset(name.split("|")) in entered]
    return Coverage(ring, frozenset(held), tuple(crossed))


def _is_unplayable(facts: Gather, at: str) -> bool:
    """Return whether nobody can stand in a hex: it is all-sea, or lies in a neutral country or off the fronts of the
    game.
    """
    return facts.view.word("terrain", at) == SEA or is_neutral(facts, facts.view.word("country", at))


def _find_season(facts: Gather, at: str) -> str:
    """Return the season of the Terrain Effects Chart in a hex: in a thaw winter in Russia and summer elsewhere."""
    return "winter" if is_hard_in(facts, at) else "summer"


def _is_doubled(facts: Gather, feature: str, period: str) -> bool:
    """Return whether a terrain or a hexside doubles a defence by the Terrain Effects Chart."""
    return facts.cell("terrain-defence", period, feature).values["multiple"] == 2


def doubling_terrain(facts: Gather, at: str) -> str:
    """Return what in a hex doubles its defence by the Terrain Effects Chart, "" for nothing; two features do not add
    up. Rule: 14.11/1
    """
    terrain = facts.word("terrain", at)
    if terrain in ("", SEA):
        return ""
    if _is_doubled(facts, terrain, "summer" if terrain == "clear" else _find_season(facts, at)):
        return terrain
    city = facts.view.granted("city", at, False, "14.11", "{hexes} assumed not to be a city (not stated)")
    return "city" if city and _is_doubled(facts, "city", _find_season(facts, at)) else ""


def all_across_water(facts: Gather, at: str, places: Iterable[str]) -> bool:
    """Return whether every attacker comes across a river or lake hexside that doubles the defence; ice doubles nothing.

    at: the hex attacked; places: those of the attackers. Rule: 14.11/2, 22.1/3
    """
    sides = [between(facts, place, at) for place in sorted(places)]
    if any(side.is_stated and not {*FROZEN} & facts.view.words("water", side.name) for side in sides):
        return False
    if season(facts) == "winter":
        return False
    crossed = sorted({feature for side in sides for feature in side.lies if feature in FROZEN})
    return all(_is_doubled(facts, feature, "summer") for feature in crossed)

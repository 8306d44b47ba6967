"""Strengths in combat: what multiplies a factor, what the ground does, and the percentage column (14.8 to 14.13)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated, NamedTuple

from assistant.field import Around
from assistant.mechanics.odds import Bands
from assistant.questions import Gather, note

from ..forces.units import Formation
from ..ground.countries import is_hard, is_neutral, season
from ..ground.zones import SEA, between, exerts_zone

COLUMNS = Bands(
    (0, 50, 100, 150, 200, 300, 400, 500, 600),
    ("<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"),
)
"""The columns of both Combat Results Tables by the percentage at which they begin (14.13)."""
ENTRENCHED = 1
"""By how much an entrenching supply unit raises the multiple of a defender: doubled, or tripled in good terrain."""
FROZEN = ("river", "lake")
"""The water that doubles a defence, and that freezes in winter (22.1)."""


def multiple(supplied: bool, concentric: bool, alpine: bool) -> int:
    """How often an attack factor counts: twice with one bonus, three times with more.

    supplied: Maximum Attack Supply; concentric: the bonus of a concentric attack, for supporting units too; alpine: an
    Alpine unit that attacks a rough hex.
    Rule: 14.8/2, 14.8/3, 14.9, 21.3, CRT/modifiers
    """
    return 1 + min(supplied + concentric + alpine, 2)


def defence_multiple(terrain: bool, all_across_water: bool, entrenched: bool) -> int:
    """How often a defence factor counts: twice by the terrain of its hex or, which does not add up, by water that all
    attackers cross; once more by entrenching, which does.
    Rule: 14.11/1, 14.11/2, CRT/modifiers
    """
    return (2 if terrain or all_across_water else 1) + (ENTRENCHED if entrenched else 0)


def percentage(attack: int, defence: int, up: bool) -> int:
    """The attack in whole percents of the defence, a fraction dropped or, by the ruling, counted as a whole percent. A
    defence of 0 counts as 1.
    Rule: 14.3/4
    """
    whole, rest = divmod(100 * attack, max(defence, 1))
    return whole + (1 if up and rest else 0)


def column(percent: int) -> str:
    """The column of both tables for a percentage. Rule: 14.3/5, 14.13"""
    return COLUMNS.of(percent)


# --- the hexes around -------------------------------------------------------------------------------------------------


def is_concentric(covered: Collection[str], around: Collection[str], fortress: bool, headquarters: bool) -> bool:
    """Whether an attack is concentric: the attackers and their zones cover all six hexes around the defender.

    covered: the hexes that attackers stand in or have in their zones; around: the six; fortress: whether one defends
    the hex, which prevents it unless a Headquarters supports the attack.
    Rule: 14.8/3, 14.8/3-fort, 19.5, 20.2
    """
    return (headquarters or not fortress) and set(covered).issuperset(around)


class Coverage(NamedTuple):
    """The hexes around a defender."""

    ring: Annotated[tuple[str, ...], note("all of them")]
    hexes: Annotated[frozenset[str], note("those that the attackers hold or have in their zones")]
    crossed: Annotated[tuple[str, ...], note("hexsides that zones are taken to cross, since nothing is stated of them")]


def cover_ring(facts: Gather, around: Around, attacking: Collection[Formation], at: str) -> Coverage:
    """Those of the hexes around a defender that the attackers hold or have in their zones; other units do not count.

    Hexes that cannot be entered have to be covered like the others, as if zones reached them, or count as covered
    (ruling concentric-edge).
    Rule: 14.8/3, 14.8/3-edge, 13.2
    """
    view, ring = facts.view, facts.view.board.neighbours(at)
    immobile = view.ruling("hq-zones", any(attacker.movement == 0 for attacker in attacking)) == "yes"
    mobile = {attacker.place for attacker in attacking if exerts_zone(attacker.arm, attacker.movement, immobile)}
    held = ({attacker.place for attacker in attacking} | around.field.zone_of(around.side, mobile)) & {*ring}
    closed = {place for place in {*ring} - held if is_unplayable(facts, place)}
    near = {place for place in closed if mobile & {*view.board.neighbours(place)}}
    held |= closed if view.ruling("concentric-edge", near != closed) == "free" else near
    entered = {frozenset((there, here)) for there in mobile for here in ring}
    crossed = [name for name in sorted(around.field.unstated(around.side)) if frozenset(name.split("|")) in entered]
    return Coverage(ring, frozenset(held), tuple(crossed))


def is_unplayable(facts: Gather, at: str) -> bool:
    """Whether nobody can stand in a hex: it is all-sea, or lies in a neutral country or off the fronts of the game."""
    return facts.view.word("terrain", at) == SEA or is_neutral(facts, facts.view.word("country", at))


# --- the ground -------------------------------------------------------------------------------------------------------


def period(facts: Gather, at: str) -> str:
    """The season of the Terrain Effects Chart in a hex: in a thaw winter in Russia and summer elsewhere."""
    now = season(facts)
    return "winter" if is_hard(now, facts.word("country", at) if now == "thaw" else "") else "summer"


def doubles(facts: Gather, feature: str, period: str) -> bool:
    """Whether a terrain or a hexside doubles a defence by the Terrain Effects Chart."""
    return facts.cell("terrain-defence", period, feature).values["multiple"] == 2


def doubling_terrain(facts: Gather, at: str) -> str:
    """What in a hex doubles its defence by the Terrain Effects Chart, "" for nothing; two features do not add up.
    Rule: 14.11/1
    """
    terrain = facts.word("terrain", at)
    if terrain in ("", SEA):
        return ""
    if doubles(facts, terrain, "summer" if terrain == "clear" else period(facts, at)):
        return terrain
    city = facts.view.granted("city", at, False, "14.11", "{hexes} taken not to be a city (not stated)")
    return "city" if city and doubles(facts, "city", period(facts, at)) else ""


def all_across_water(facts: Gather, at: str, places: Iterable[str]) -> bool:
    """Whether every attacker comes across a river or lake hexside that doubles the defence; ice doubles nothing.

    at: the hex that is attacked; places: those of the attackers. Rule: 14.11/2, 22.1/3
    """
    sides = [between(facts, place, at) for place in sorted(places)]
    if any(side.is_stated and not {*FROZEN} & facts.view.words("water", side.name) for side in sides):
        return False
    if season(facts) == "winter":
        return False
    crossed = sorted({feature for side in sides for feature in side.lies if feature in FROZEN})
    return all(doubles(facts, feature, "summer") for feature in crossed)

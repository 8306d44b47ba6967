"""What the ground does to a combat: hexes covered by the attackers, terrain and water that double the defence (14.8/3, 14.11)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from assistant.field import Around
from assistant.questions import Gather, View

from ..forces.units import Formation
from ..ground.countries import is_neutral
from ..ground.seasons import is_hard, season
from ..ground.zones import SEA, between, exerts_zone

FROZEN = ("river", "lake")
"""The water that doubles a defence, and that freezes in winter (22.1)."""
ROUGH = "rough"


class Ground(NamedTuple):
    """The hex that is attacked; the season is asked for only where it matters."""

    facts: Gather
    at: str

    @property
    def season(self) -> str:
        """The season of the game turn."""
        return season(self.facts)

    @property
    def is_rough(self) -> bool:
        """Whether Alpine units double when they attack it (21.3)."""
        return self.facts.word("terrain", self.at) == ROUGH

    @property
    def period(self) -> str:
        """The season of the Terrain Effects Chart: in a thaw winter in Russia and summer elsewhere."""
        now = self.season
        return "winter" if is_hard(now, self.facts.word("country", self.at) if now == "thaw" else "") else "summer"

    def doubles(self, feature: str, period: str) -> bool:
        """Whether a terrain or a hexside doubles a defence by the Terrain Effects Chart."""
        return self.facts.cell("terrain-defence", period, feature).values["multiple"] == 2


class Covered(NamedTuple):
    """The hexes around a defender. ring: all of them; hexes: those that the attackers hold or have in their zones; crossed: hexsides that
    zones are taken to cross, since nothing is stated of them."""

    ring: tuple[str, ...]
    hexes: frozenset[str]
    crossed: tuple[str, ...]

    def presume(self, view: View) -> None:
        """Say in the report which hexsides are taken not to be all-sea."""
        for name in self.crossed:
            view.granted(
                "water", name, (), "13.1", "{hexsides} taken not to be all-sea, so that zones of control cross them"
            )


def covered(facts: Gather, around: Around, attacking: Iterable[Formation], at: str) -> Covered:
    """Those of the hexes around a defender that the attackers hold or have in their zones; other units do not count.

    Hexes that cannot be entered have to be covered like the others, as if zones reached them, or count as covered (ruling
    concentric-edge). Rule: 14.8/3, 14.8/3-edge, 13.2
    """
    view, ring = facts.view, facts.view.board.neighbours(at)
    every = list(attacking)
    immobile = any(one.movement == 0 for one in every) and view.ruling("hq-zones") == "yes"
    mobile = {one.place for one in every if exerts_zone(one.arm, one.movement, immobile)}
    held = ({one.place for one in every} | around.field.zone_of(around.side, mobile)) & {*ring}
    closed = {hex for hex in {*ring} - held if is_unplayable(facts, hex)}
    if closed:
        near = {hex for hex in closed if mobile & {*view.board.neighbours(hex)}}
        held |= closed if view.ruling("concentric-edge", near != closed) == "free" else near
    entered = {frozenset((there, here)) for there in mobile for here in ring}
    crossed = [name for name in sorted(around.field.unstated(around.side)) if frozenset(name.split("|")) in entered]
    return Covered(tuple(ring), frozenset(held), tuple(crossed))


def is_unplayable(facts: Gather, hex: str) -> bool:
    """Whether nobody can stand in a hex: it is all-sea, or lies in a neutral country or off the fronts of the game."""
    return facts.view.word("terrain", hex) == SEA or is_neutral(facts, facts.view.word("country", hex))


def doubling_terrain(ground: Ground) -> str:
    """What in the hex doubles its defence by the Terrain Effects Chart, "" for nothing; two features do not add up. Rule: 14.11/1"""
    facts, at = ground.facts, ground.at
    terrain = facts.word("terrain", at)
    if terrain and terrain != SEA and ground.doubles(terrain, "summer" if terrain == "clear" else ground.period):
        return terrain
    text = "{hexes} taken not to be a city (not stated)"
    city = facts.view.granted("city", at, False, "14.11", text) if terrain else False
    return "city" if city and ground.doubles("city", ground.period) else ""


def all_across_water(ground: Ground, places: Collection[str]) -> bool:
    """Whether every attacker comes across a river or lake hexside that doubles the defence; ice doubles nothing.

    places: the hexes of the attackers. Rule: 14.11/2, 22.1/3
    """
    sides = [between(ground.facts, place, ground.at) for place in sorted(places)]
    if any(side.is_stated and not {*FROZEN} & ground.facts.view.words("water", side.name) for side in sides):
        return False
    if ground.season == "winter":
        return False
    crossed = {feature for side in sides for feature in FROZEN if feature in side.lies}
    wet = all({*FROZEN} & side.lies for side in sides)
    return wet and all(ground.doubles(feature, "summer") for feature in sorted(crossed))


def is_out_of_bounds(facts: Gather, at: str) -> bool:
    """Whether the hex lies in a neutral country, into which nobody attacks. Rule: 23.0/1"""
    return is_neutral(facts, facts.view.word("country", at))

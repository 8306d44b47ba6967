"""What the supply of a side is worked out from, read once: its units as sources and as clients, the ground of its lines,
and what is stated of both; and what bars a source from a unit (14.1 to 14.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

import msgspec

from assistant.asking import Gather, View
from assistant.asking.asks import Ask
from assistant.rules.field import LineSource, SideField

from ...forces.units import is_of_fischer
from ...terms import BOYEN_SERVES, KG_TRAIN, SUPPLY_ARMS
from ..clients import Bar, Client, SupplyUnit, TypedLine, evaluate_if_known, side_position, suppliers
from ..ground import SupplyGround
from ..sources import (
    ANOTHER_CORPS,
    BUKOWINA,
    GARRISON_TRACES,
    MOST,
    MOST_UNITS,
    SourceBar,
    bar_of_attachment,
    bars_guest,
    bukowina_sources,
    named_for_bukowina,
    serves_cavalry_only,
)

GUESTS = "guests of "
"""How the capacity of a Corps Train for formations from outside its corps is called, before the name of the train."""


class AskedAlone(NamedTuple):
    """A unit that is asked about alone; without one all of a side, if they are few."""

    unit: str = ""
    kin: frozenset[str] = frozenset()
    """Itself and the supply units that may serve it or those."""
    line: TypedLine | None = None
    """The line on which it is judged."""


def capacity(group: str) -> int:
    """Return how many units a capacity serves: three of the Bukowina, two guests of a Corps Train (14.7, 14.3.1)."""
    return MOST_UNITS if group == BUKOWINA else MOST


class SupplyInputs(msgspec.Struct, frozen=True, kw_only=True):
    """What the supply of a side is worked out from."""

    view: View
    ground: SupplyGround
    asked: AskedAlone | None
    stated: Mapping[str, str]
    """The supply states that are believed where tracing is open."""
    unseen: tuple[Ask, ...]
    """What to ask of unseen supply units."""
    clients: Mapping[str, Client]
    sources: Mapping[str, SupplyUnit]
    lacks: Mapping[str, tuple[Ask, ...]]
    """What is missing to tell what units are as clients."""
    unknown: Mapping[str, tuple[Ask, ...]]
    """What is missing to tell what units are as sources."""
    fed: frozenset[str]
    """The sources that serve only while they are In Supply."""
    named: Mapping[str, tuple[str, ...]]
    """By capacity the units that are named to take a place of it (14.3.1, 14.7)."""
    settled: Mapping[str, tuple[str, ...]]
    """Of these those of capacities for which no more are named than there are places."""
    bars: dict[tuple[str, str, str], Bar]
    """As of a `SidePosition`."""

    @property
    def around(self) -> SideField:
        """Who is where, as the side sees it."""
        return self.ground.around

    @property
    def side(self) -> str:
        """The side."""
        return self.ground.around.side

    @property
    def typed(self) -> TypedLine | None:
        """The line on which alone the unit that is asked about is judged."""
        return self.asked.line if self.asked else None

    def is_asked(self, client: Client) -> bool:
        """Return whether a unit is the one that is asked about alone."""
        return self.asked is not None and client.unit.id == self.asked.unit

    def idle(self, unit: str) -> str:
        """Return why a supply unit serves nobody, whatever its own supply; "" if it may, and for others."""
        return self.sources[unit].why_not if unit in self.fed else ""

    def kin(self, client: Client) -> Iterator[SupplyUnit]:
        """Yield the sources beside a unit itself, without the Corps Trains of other corps than its own, which do not
        serve it (14.3.1).
        """
        names = suppliers(self.view, self.around, client.corps) if client.corps else self.sources
        for name in names:
            if name in self.sources and name != client.unit.id:
                yield self.sources[name]

    def allowed_sources(self, client: Client) -> list[SupplyUnit]:
        """Return those of them that are certain to be allowed to serve it, whatever the distance."""
        return [other for other in self.kin(client) if self.bar(client, other) == ()]

    def bukowina(self, client: Client) -> list[LineSource]:
        """Return the half-hexes of the Bukowina on which a unit may draw (14.7)."""
        with self.view.gather() as facts:
            return [source for source, why_not in bukowina_sources(facts, client.unit) if not why_not]

    def has_bukowina_place(self, client: Client) -> bool:
        """Return whether a unit takes no place from others if it draws on the Bukowina (14.7)."""
        return is_of_fischer(client.unit.id, client.corps) or client.unit.id in self.settled.get(BUKOWINA, ())

    def bar(self, client: Client, other: SupplyUnit) -> Bar:
        """Return what bars a source from a unit whatever the distance, or what is missing to decide it. Worked out once
        for the units as they are.
        """
        pair = client.unit.id, client.formation.id, other.unit.id
        if pair not in self.bars:
            find = partial(_find_bar, client, other, self.named)
            bar, lacks = evaluate_if_known(self.view, client.unit, lambda facts, _: find(facts))
            self.bars[pair] = bar or lacks
        return self.bars[pair]


def read_inputs(
    view: View,
    ground: SupplyGround,
    asked: AskedAlone | None,
    *,
    stated: Mapping[str, str],
    unseen: tuple[Ask, ...] = (),
) -> SupplyInputs:
    """Return what the supply of a side is worked out from. The parameters are the fields of that name."""
    position = side_position(view, ground.around, asked.kin if asked else frozenset())
    sources = {name: source for name, (source, _) in position.sources.items() if source}
    guests = {f"{GUESTS}{train}": names for train, names in position.guests.items()}
    named = {BUKOWINA: tuple(named_for_bukowina(view)), **guests}
    return SupplyInputs(
        view=view,
        ground=ground,
        asked=asked,
        stated=stated,
        unseen=unseen,
        clients={name: client for name, (client, _) in position.clients.items() if client},
        sources=sources,
        lacks={name: lacks for name, (_, lacks) in position.clients.items() if lacks},
        unknown={name: lacks for name, (_, lacks) in position.sources.items() if lacks},
        fed=frozenset(name for name, source in sources.items() if source.source.kind in SUPPLY_ARMS),
        named=named,
        settled={group: names for group, names in named.items() if 0 < len(names) <= capacity(group)},
        bars=position.bars,
    )


def is_lent(client: Client, other: SupplyUnit) -> bool:
    """Return whether a Corps Train would serve a unit as one of its two guests (14.3.1)."""
    return client.guest and other.source.kind == "corps-train" and other.unit.id != KG_TRAIN


def _find_bar(
    client: Client, other: SupplyUnit, named: Mapping[str, tuple[str, ...]], facts: Gather
) -> SourceBar | None:
    """Return what bars a source from a unit whatever the distance, None if nothing does (14.2.4b, 14.3.1, 14.3.2,
    24.1.2b). named: as of `SupplyInputs`.
    """
    if other.source.kind == "fortress":
        return None if client.unit.id in BOYEN_SERVES else SourceBar("it serves others (14.2.4)", of_another=True)
    if client.lacks:
        facts.ask(client.lacks[0])
        return None
    if other.corps and client.corps and other.corps != client.corps:
        return SourceBar(ANOTHER_CORPS, of_another=True)
    if why_not := bar_of_attachment(facts, client.unit, other.unit, client.formation):
        return SourceBar(why_not, of_another=True)
    if client.garrison:
        return SourceBar(GARRISON_TRACES)
    if is_lent(client, other) and not serves_cavalry_only(facts, other.unit):
        why_not = bars_guest(facts, client.formation, other.unit, named.get(f"{GUESTS}{other.unit.id}", ()))
        return SourceBar(why_not) if why_not else None
    return None

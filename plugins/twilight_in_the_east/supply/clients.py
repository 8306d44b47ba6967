"""The units of a side as sources and clients of supply, and typed lines (14.1.1, 14.2, 14.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Annotated, Generic, TypeVar

import msgspec

from assistant.asking import Gather, InputError, View, note
from assistant.asking.asks import Ask
from assistant.asking.permission import Clause
from assistant.asking.report import MissingFacts
from assistant.rules.field import LineSource, SideField, side_of
from assistant.rules.field.allocation import FULL, LOW
from assistant.state.differences import Divergence
from assistant.state.state import Unit
from assistant.util.errors import format_suggestion
from assistant.util.memo import Memo

from ..forces.armies import corps_and_army, formation_attached_to, is_asset_unit, nearest_formations
from ..forces.unit import Cap, cap_on
from ..forces.units import is_of_fischer
from ..terms import BOYEN, BOYEN_SERVES, KG_TRAIN, SUPPLY_ARMS
from .ground import SupplyGround
from .sources import (
    BUKOWINA,
    MAX_GUESTS,
    MAX_UNITS_ON_BUKOWINA,
    NOVO_GEORGIEVSK,
    ServingUnit,
    SourceBar,
    always_supplied,
    bars_of_attachment,
    boyen_as_source,
    bukowina_sources,
    find_bar_of_guest,
    is_guest,
    is_in_the_box,
    named_for_bukowina,
    named_guests,
    serves_cavalry_only,
    supplied_with,
    supply_unit,
    traces_as_garrison,
    why_so,
)


class TypedLine(msgspec.Struct, frozen=True):
    """A line that a player typed for a unit, which is judged on this line alone."""

    name: str
    unit: str
    hexes: tuple[str, ...]
    source: str = ""
    """The supply unit or the Fortress where the line begins, or "" for an RR line."""
    barred: str = ""
    """The reason why the source serves no unit of this side, or "" if it may serve some."""


def only_line(view: View, place: str) -> str:
    """Return the only typed line that ends in a hex, or "" if there is none.

    Without a drawn board it is also "" if there are several, because all typed ways then count for a unit.

    Raises InputError if several lines end in the hex on a drawn board.
    """
    ending = [name for name, line in view.state.lines.items() if line[-1] == place]
    if len(ending) > 1 and view.board.hexes:
        raise InputError(f"several lines end in {place}: {', '.join(ending)}", hint="name one: ask supply line=NAME")
    return ending[0] if len(ending) == 1 else ""


def typed_line(view: View, unit: Unit, name: str) -> TypedLine:
    """Return a typed line that ends at a unit, with its source.

    The source is the supply unit of that name, or the only one in the first hex, or Boyen, or else the RR line there.

    Raises InputError if the line is not typed or ends elsewhere, or its source is elsewhere or ambiguous.
    """
    if name not in view.state.lines:
        raise InputError(f"no line {name!r} in this position", hint=format_suggestion(name, view.state.lines))
    hexes = view.state.lines[name]
    if hexes[-1] != unit.place:
        raise InputError(f"the line {name!r} ends in {hexes[-1]}, but {unit.id} is in {unit.place}")
    place = hexes[0]
    with view.gather() as facts:
        side = side_of(facts, unit)
        there = view.stack(place)
        suppliers = [other for other in there if facts.word("arm", other.id) in SUPPLY_ARMS]
        named = view.state.units.get(name)
        if named and named.place != place:
            raise InputError(f"{name} is in {named.place}, but its line begins in {place}")
        serves = unit.id in BOYEN_SERVES and BOYEN in {other.id for other in there}
        if serves and (name == BOYEN or not suppliers):
            return TypedLine(name, unit.id, hexes, BOYEN)
        if not named and len(suppliers) > 1:
            what = f"{place} holds {' and '.join(other.id for other in suppliers)}"
            raise InputError(what, hint="name the line after one of them")
        source = named or next(iter(suppliers), None)
        if source is None:
            return TypedLine(name, unit.id, hexes)
        ours = side_of(facts, source) in ("", side)
        if facts.word("arm", source.id) in SUPPLY_ARMS:
            barred = "" if ours else "an enemy unit"
        else:
            barred = "not a supply unit"
        return TypedLine(name, unit.id, hexes, source.id, barred)


T = TypeVar("T")


class Client(msgspec.Struct, frozen=True):
    """A unit to be supplied."""

    unit: Unit
    arm: str
    formation: Annotated[Unit, note("the formation to which it is attached, or the unit itself")]
    through: Annotated[str, note('the formation whose supply it shares, "" if it has its own')] = ""
    always: Annotated[str, note('the reason why it needs no line, or "" if it does')] = ""
    guest: Annotated[bool, note("whether it may be one of the two of any train of its army")] = False
    garrison: Annotated[bool, note("whether it is recorded with the Warsaw Garrison")] = False
    missing: Annotated[tuple[Ask, ...], note("the facts missing to know its formation")] = ()
    corps: Annotated[str, note('the corps of its formation, or "" if that is independent')] = ""
    cap: Annotated[Cap | None, note("what limits it to Low Supply")] = None
    ties: Annotated[
        tuple[Client, ...], note("of an Asset Unit that may join one of several formations, itself with each of them")
    ] = ()
    lone: Annotated[bool, note("whether it is an Asset Unit without a formation in its hex")] = False

    @property
    def most(self) -> int:
        """The best supply that the unit can have: `FULL` or `LOW`."""
        return LOW if self.cap else FULL


class SupplyUnit(msgspec.Struct, frozen=True):
    """A depot, a Corps Train or Boyen, as a source."""

    unit: Unit
    source: LineSource
    why_not: str = ""
    """The reason why the unit serves no other unit, or "" if it may serve some."""
    corps: str = ""
    """The corps of a Corps Train, or "" for other sources."""


Bar = SourceBar | tuple[Ask, ...]
"""A bar of a source to a client, or the facts missing to find one; () if nothing bars the source."""
Known = tuple[T | None, tuple[Ask, ...]]
"""A result about a unit, or None if facts are missing, with the missing facts."""


class KnownUnits(msgspec.Struct, Generic[T], frozen=True):
    """Results for the units that are known, and the facts missing for others."""

    known: dict[str, T]
    missing: dict[str, tuple[Ask, ...]]


class SidePosition(msgspec.Struct, frozen=True):
    """The units of a side as sources and as clients."""

    sources: KnownUnits[SupplyUnit]
    """The sources of the side."""
    clients: KnownUnits[Client]
    """The units of the side that want supply."""
    guests: Mapping[str, tuple[str, ...]]
    """Ids of the units named as guests of each Corps Train."""
    bars: dict[tuple[str, str, str], Bar]
    """The bars checked so far, by unit, formation and source."""


_POSITIONS: Memo[tuple[str, frozenset[str]], SidePosition] = Memo()
"""The sources and clients of a side, by side and requested units."""


def side_position(view: View, around: SideField, only: frozenset[str]) -> SidePosition:
    """Return the sources and clients of a side on the map or in the Holding Box.

    `only`: the units to look at, or all if it is empty.
    """

    is_hex, word = view.board.is_hex, view.word

    def gathered(known: SidePosition | None, divergence: Divergence) -> SidePosition:
        if known is not None and not _may_concern(view, around.side, divergence):
            return known
        units = [unit for unit in around.units if unit.place and (not only or unit.id in only)]
        units = [unit for unit in units if is_hex(unit.place) or is_in_the_box(unit.place, word("nation", unit.id))]
        stays = _find_staying(view, divergence, known.clients.known) if known else None
        same = {unit.id for unit in units if stays(unit)} if stays else set()

        def each(work: Callable[..., T | None], before: KnownUnits[T] | None) -> KnownUnits[T]:
            now = KnownUnits[T]({}, {})
            for unit in units:
                if before and unit.id in same:
                    value, missing = before.known.get(unit.id), before.missing.get(unit.id)
                else:
                    value, missing = evaluate_if_known(view, partial(work, unit=unit))
                if value:
                    now.known[unit.id] = value
                if missing:
                    now.missing[unit.id] = missing
            return now

        sources = each(_read_source, known.sources if known else None)
        clients = each(_read_client, known.clients if known else None)
        with view.gather() as facts:
            guests = named_guests(facts)
        bars = known.bars.items() if known and known.guests == guests else ()
        return SidePosition(sources, clients, guests, {pair: bar for pair, bar in bars if same.issuperset(pair)})

    return view.memo(_POSITIONS, (around.side, only), gathered)


def _only_moved(view: View, divergence: Divergence) -> bool:
    seen = divergence.units <= view.state.units.keys()
    return divergence.units_only_moved and seen and NOVO_GEORGIEVSK not in divergence.hexes


def _may_concern(view: View, side: str, divergence: Divergence) -> bool:
    """Return whether units differ in a way that may change the sources and clients of a side.

    Facts of hexes and hexsides, and the places of enemies, change none.
    """
    if not divergence.units:
        return False
    return not _only_moved(view, divergence) or any(view.side_of(name) in ("", side) for name in divergence.units)


def _find_staying(view: View, divergence: Divergence, clients: Mapping[str, Client]) -> Callable[[Unit], bool] | None:
    """Return a test for units that are unchanged, or None if more than places differ.

    A unit has changed if it moved, or is in or next to a place that a moved fortress left or entered. So has an Asset
    Unit in a hex that a moved unit left or entered, and a lone one to which a moved unit is as near as its formation.

    `clients`: the clients of the earlier view.
    """
    if not _only_moved(view, divergence):
        return None
    near = divergence.hexes
    if any(view.word("arm", name) == "fortress" for name in divergence.units):
        near = near.union(*map(view.board.neighbours, near))
    moved_to = (view.unit(name).place for name in divergence.units)
    places = [place for place in moved_to if place and view.board.is_hex(place)]
    distance = view.board.distance

    def stays(unit: Unit) -> bool:
        client = clients.get(unit.id)
        if client is None or unit.id in divergence.units or unit.place in near:
            return False
        if not client.lone:
            return True
        formation = client.formation
        if client.missing or formation.id == unit.id or formation.id in divergence.units:
            return False
        away = distance(str(unit.place), str(formation.place))
        return all(distance(str(unit.place), place) > away for place in places)

    return stays


def evaluate_if_known(view: View, work: Callable[[Gather], T | None]) -> Known[T]:
    """Return the result of `work`, or None with the missing facts."""
    try:
        with view.gather() as facts:
            return work(facts), ()
    except MissingFacts as missing:
        return None, missing.asks


def _read_source(facts: Gather, unit: Unit) -> SupplyUnit | None:
    """Return a unit as a source, or None if it is not one (14.2, 14.2.1, 14.2.2b)."""
    if not facts.view.board.is_hex(str(unit.place)):
        return None
    arm = facts.word("arm", unit.id)
    if arm == "fortress":
        fortress = boyen_as_source(unit)
        return SupplyUnit(unit, fortress) if fortress else None
    if arm not in SUPPLY_ARMS:
        return None
    serving = ServingUnit(facts, unit)
    why_not = why_so(serving.bars(), serving)
    corps = corps_and_army(facts.view, unit.id)[0] if arm == "corps-train" else ""
    return SupplyUnit(unit, supply_unit(facts, unit), why_not, corps)


def _read_client(facts: Gather, unit: Unit) -> Client | None:
    arm = facts.word("arm", unit.id)
    served = supplied_with(facts, unit)
    cap = cap_on(facts, unit)
    if served.id != unit.id:
        return Client(unit, arm, served, through=served.id, cap=cap)
    always = always_supplied(facts, unit)
    if always:
        return Client(unit, arm, unit, always=always, cap=cap)
    if arm in SUPPLY_ARMS:
        return Client(unit, arm, unit, corps=corps_and_army(facts.view, unit.id)[0])

    def attached(own: Gather) -> Client:
        return _drawing_as(own, unit, formation_attached_to(own, unit), cap)

    def tied(own: Gather) -> tuple[Client, ...]:
        nearest = nearest_formations(own, unit)
        if len(nearest) < 2:
            return ()
        return tuple(_drawing_as(own, unit, own.view.unit(name), cap) for name in nearest)

    lone = is_asset_unit(facts, unit.id)
    client, missing = evaluate_if_known(facts.view, attached)
    if client:
        return msgspec.structs.replace(client, lone=True) if lone else client
    ties = evaluate_if_known(facts.view, tied)[0] or ()
    return Client(unit, arm, unit, missing=missing, cap=cap, ties=ties, lone=lone)


def _drawing_as(facts: Gather, unit: Unit, formation: Unit, cap: Cap | None) -> Client:
    """Return a unit as a client that uses the sources of a formation.

    `cap`: the bar that limits the unit to Low Supply, or None.
    """
    guest = unit.id == formation.id and is_guest(facts, formation)
    garrison = traces_as_garrison(facts, unit)
    corps = corps_and_army(facts.view, formation.id)[0]
    arm = facts.word("arm", unit.id)
    return Client(unit, arm, formation, guest=guest, garrison=garrison, corps=corps, cap=cap)


def kin_of(view: View, around: SideField, unit: Unit) -> frozenset[str]:
    """Return the ids of a unit and of the supply units that may serve it or its sources."""
    client, _ = evaluate_if_known(view, partial(_read_client, unit=unit))
    return frozenset({unit.id, *list_suppliers(view, around, client.corps if client else "")})


_SUPPLIERS: Memo[str, dict[str, list[str]]] = Memo()
"""The supply units of each corps, by side."""


def list_suppliers(view: View, around: SideField, corps: str) -> tuple[str, ...]:
    """Return the supply units of a side that may serve a corps or its sources (14.3.1).

    They are all except Corps Trains of other corps, or all for units without a corps.
    """

    def by_corps() -> dict[str, list[str]]:
        """Return Corps Trains by their corps, and other supply units under ""."""
        names: dict[str, list[str]] = {}
        for other in around.units:
            arm = view.word("arm", other.id)
            if other.id == BOYEN or arm in SUPPLY_ARMS:
                names.setdefault(corps_and_army(view, other.id)[0] if arm == "corps-train" else "", []).append(other.id)
        return names

    names = view.memo(_SUPPLIERS, around.side, lambda known, divergence: by_corps())
    if corps:
        return (*names.get(corps, ()), *names.get("", ()))
    return tuple(name for own in names.values() for name in own)


# --- the inputs of the supply of a side ----------------------------------------------------------------------------------

GUESTS = "guests of "
"""The prefix that makes a Corps Train's name the name of its capacity for guests."""


class AskedAlone(msgspec.Struct, frozen=True):
    """The only unit asked about; no unit if all units of a small side are asked about."""

    unit: str = ""
    kin: frozenset[str] = frozenset()
    """Ids of the unit and of the supply units that may serve it or its sources."""
    line: TypedLine | None = None
    """The only line along which the unit is judged, or None for all lines."""


def capacity_of(group: str) -> int:
    """Return the maximum number of units that a limited source serves: three for the Bukowina (14.7), two guests for a
    Train (14.3.1).
    """
    return MAX_UNITS_ON_BUKOWINA if group == BUKOWINA else MAX_GUESTS


class SupplyInputs(msgspec.Struct, frozen=True, kw_only=True):
    """The inputs for the supply of a side."""

    view: View
    ground: SupplyGround
    asked: AskedAlone | None
    stated: Mapping[str, str]
    """The stated supply states, used for units that tracing leaves undecided."""
    unseen: tuple[Ask, ...]
    """Questions about supply units of the side that the viewpoint may not see."""
    clients: Mapping[str, Client]
    sources: Mapping[str, SupplyUnit]
    missing: Mapping[str, tuple[Ask, ...]]
    """Missing facts about each unit as a client."""
    unknown: Mapping[str, tuple[Ask, ...]]
    """Missing facts about each unit as a source."""
    fed: frozenset[str]
    """Ids of the sources that serve only while they are In Supply themselves."""
    named: Mapping[str, tuple[str, ...]]
    """Ids of the units named to use each limited capacity (14.3.1, 14.7)."""
    settled: Mapping[str, tuple[str, ...]]
    """The part of `named` in which no capacity is exceeded."""
    bars: dict[tuple[str, str, str], Bar]
    """The bars of `SidePosition`."""

    @property
    def around(self) -> SideField:
        """The units and zones as the side sees them."""
        return self.ground.around

    @property
    def side(self) -> str:
        return self.ground.around.side

    @property
    def typed(self) -> TypedLine | None:
        """The only line along which the unit asked about is judged, or None."""
        return self.asked.line if self.asked else None

    def is_asked(self, client: Client) -> bool:
        return self.asked is not None and client.unit.id == self.asked.unit

    def why_idle(self, unit: str) -> str:
        """Return why a supply unit serves no other unit, or "" if it may or is not a supply unit."""
        return self.sources[unit].why_not if unit in self.fed else ""

    def list_kin(self, client: Client) -> Iterator[SupplyUnit]:
        """Yield the sources that may serve a unit, without itself and Corps Trains of other corps (14.3.1)."""
        names = list_suppliers(self.view, self.around, client.corps) if client.corps else self.sources
        for name in names:
            if name in self.sources and name != client.unit.id:
                yield self.sources[name]

    def allowed_sources(self, client: Client) -> list[SupplyUnit]:
        """Return the sources that certainly may serve a unit, whatever the distance."""
        return [other for other in self.list_kin(client) if self.find_bar(client, other) == ()]

    def list_half_hexes(self, client: Client) -> list[LineSource]:
        """Return the half-hexes of the Bukowina on which a unit may draw (14.7)."""
        with self.view.gather() as facts:
            return [source for source, why_not in bukowina_sources(facts, client.unit) if not why_not]

    def place_in_bukowina(self, client: Client) -> str:
        """Return the limited capacity that a unit would use in the Bukowina, or "" if it uses none (14.7)."""
        has_place = is_of_fischer(client.unit.id, client.corps) or client.unit.id in self.settled.get(BUKOWINA, ())
        return "" if has_place else BUKOWINA

    def find_bar(self, client: Client, other: SupplyUnit) -> Bar:
        """Return the bar of a source to a unit at any distance, or the facts missing to decide.

        The result is stored.
        """
        pair = client.unit.id, client.formation.id, other.unit.id
        if pair not in self.bars:
            bar, missing = evaluate_if_known(self.view, partial(_find_bar, client, other, self.named))
            self.bars[pair] = bar or missing
        return self.bars[pair]


def read_inputs(
    view: View,
    ground: SupplyGround,
    asked: AskedAlone | None,
    *,
    stated: Mapping[str, str],
    unseen: tuple[Ask, ...] = (),
) -> SupplyInputs:
    """Return the inputs for the supply of a side; the parameters are fields of `SupplyInputs`."""
    position = side_position(view, ground.around, asked.kin if asked else frozenset())
    guests = {f"{GUESTS}{train}": names for train, names in position.guests.items()}
    named = {BUKOWINA: tuple(named_for_bukowina(view)), **guests}
    return SupplyInputs(
        view=view,
        ground=ground,
        asked=asked,
        stated=stated,
        unseen=unseen,
        clients=position.clients.known,
        sources=position.sources.known,
        missing=position.clients.missing,
        unknown=position.sources.missing,
        fed=frozenset(name for name, other in position.sources.known.items() if other.source.kind in SUPPLY_ARMS),
        named=named,
        settled={group: names for group, names in named.items() if 0 < len(names) <= capacity_of(group)},
        bars=position.bars,
    )


def is_lent(client: Client, other: SupplyUnit) -> bool:
    """Return whether a Corps Train would serve a unit as a guest (14.3.1)."""
    return client.guest and other.source.kind == "corps-train" and other.unit.id != KG_TRAIN


def _find_bar(
    client: Client, other: SupplyUnit, named: Mapping[str, tuple[str, ...]], facts: Gather
) -> SourceBar | None:
    """Return the bar of a source from a unit at any distance, or None (14.2.4b, 14.3.1, 14.3.2).

    `named`: as in `SupplyInputs`.
    """
    is_boyen = other.source.kind == "fortress"
    if client.missing and not is_boyen:
        facts.ask(client.missing[0])
        return None
    if of_another := why_so(_bars_of_boyen(client) if is_boyen else _serves_others(client, other, facts)):
        return SourceBar(of_another, of_another=True)
    why_not = why_so(_bars_of_garrison(client))
    if not why_not and is_lent(client, other) and not serves_cavalry_only(facts, other.unit):
        why_not = find_bar_of_guest(facts, client.formation, other.unit, named.get(f"{GUESTS}{other.unit.id}", ()))
    return SourceBar(why_not) if why_not else None


def _bars_of_garrison(client: Client) -> Iterator[Clause]:
    """Yield why no supply unit serves a unit that traces like the Warsaw Garrison.

    Rule: 24.1.2b
    """
    text = "units of the Warsaw Garrison trace supply only from an RR line or Novo-Georgievsk"
    yield client.garrison, "24.1.2", text


def _bars_of_boyen(client: Client) -> Iterator[Clause]:
    """Yield why the Fortress Boyen does not serve a unit.

    Rule: 14.2.4b
    """
    yield client.unit.id not in BOYEN_SERVES, "14.2.4", "it serves others"


def _serves_others(client: Client, other: SupplyUnit, facts: Gather) -> Iterator[Clause]:
    """Yield why a supply unit serves only units other than this one.

    Rule: 14.3.1
    """
    yield other.corps and client.corps and other.corps != client.corps, "14.3.1", "of another corps"
    yield from bars_of_attachment(facts, client.unit, other.unit, client.formation)

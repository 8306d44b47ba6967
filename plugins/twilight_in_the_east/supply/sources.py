"""What may supply a unit, and what keeps each source from it: supply units, RR lines and fortresses; guests of Corps
Trains; the Bukowina, the PRAGA depot (14.2, 14.3, 14.7, 23.4, 24.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from assistant.asking import Gather, Step, View, step
from assistant.asking.permission import Clause
from assistant.rules.field import LineSource, Range, side_of
from assistant.state.state import Unit

from ..forces.armies import (
    WARSAW_GARRISON,
    army_of,
    corps_and_army,
    corps_of_train,
    formation_attached_to,
    formation_with,
    is_asset_unit,
    is_cavalry_corps,
    may_draw,
)
from ..forces.units import is_of_fischer
from ..ground.calendar import UNSTATED, campaign_is_unstated
from ..railways.network import RAILS, has_station
from ..terms import (
    BOYEN,
    BOYEN_REACH,
    BUKOWINA_BOX,
    FIELD_ARMS,
    FIXED,
    FORTRESSES,
    HALF_HEXES,
    KG_TRAIN,
    LANDWEHR,
    SUPPLY_ARMS,
)
from .ground import SupplyMap
from .rules import HEX, RR_IN_SUPPLY, RR_LINE, RR_LOW, ranges

BUKOWINA = "Bukowina"
"""The kind of that source (14.7)."""
BUKOWINA_REACH = 10
"""The length of its lines in hexes."""
MOST_UNITS = 3
"""How many units draw on it besides those of Fischer."""


def why_so(clauses: Iterable[Clause], *holders: object, **figures: object) -> str:
    """Return what the first of some clauses says that holds, with its rule in brackets, "" where none does. What is behind
    it is not read.

    holders, figures: as of a `step`.
    """
    said = (step(rule, text, *holders, **figures).text + f" ({rule})" for holds, rule, text in clauses if holds)
    return next(said, "")


def bars_from_bukowina(unit: str, named: Sequence[str], *, fischer: bool) -> Iterator[Clause]:
    """Yield why a unit may not draw on the Bukowina supply, as all Austro-Hungarian ones of Fischer do, and three others in
    a Supply Phase.

    named: those besides Fischer's that are named to draw on it, of which each may be one of the three.
    Rule: 14.7
    """
    yield (
        not fischer and unit not in named and len(named) >= MOST_UNITS,
        "14.7",
        "{named} draw on it, and no more than three may",
    )


def bukowina_sources(facts: Gather, unit: Unit) -> list[tuple[LineSource, str]]:
    """Return the half-hexes of the Bukowina as sources of a unit, each with the reason why it cannot be used, "" if it
    can; none for units that never draw on them, as supply units (14.2). Rule: 14.7
    """
    view = facts.view
    nation = "" if facts.word("arm", unit.id) in SUPPLY_ARMS else facts.word("nation", unit.id)
    if nation != "austro-hungarian" or not view.board.is_hex(str(unit.place)):
        return []
    named = named_for_bukowina(view)
    fischer = is_of_fischer(unit.id, view.word("corps", unit.id))
    sources = list[tuple[LineSource, str]]()
    for hex in _find_half_hexes_near(view, str(unit.place)):
        source = LineSource(f"the Bukowina at {hex}", BUKOWINA, hex, (Range(BUKOWINA_REACH, "in"),))
        sources.append((source, why_so(bars_from_bukowina(unit.id, named, fischer=fischer), named=named)))
    return sources


def _find_half_hexes_near(view: View, place: str) -> list[str]:
    """Return the half-hexes from which a path of ten hexes may lead to a hex: along RR lines it leads farther."""
    every = [hex for hex in HALF_HEXES if view.board.has(hex)]
    return [hex for hex in every if view.board.distance(hex, place) * min(RAILS.values()) <= BUKOWINA_REACH * HEX]


def named_for_bukowina(view: View) -> list[str]:
    """Return the units besides those of Fischer that are named to draw on the Bukowina (14.7)."""
    named = sorted(name for track, name in view.state.facts if track == "bukowina" and view.flag("bukowina", name))
    return [name for name in named if not is_of_fischer(name, view.word("corps", name))]


def presume_named(view: View, unit: str, source: LineSource) -> None:
    """Say in the report that a unit is taken to be one of the three that draw on the Bukowina, where it is served from
    there and is not named so.
    """
    named = view.flag("bukowina", unit) or is_of_fischer(unit, view.word("corps", unit))
    if source.kind == BUKOWINA and not named:
        text = "{unit} is one of the three units that draw on the Bukowina (to name it: bukowina)"
        view.premises.assume(step("14.7", text, unit=unit))


def is_in_the_box(place: str | None, nation: str) -> bool:
    """Return whether a unit is in the Bukowina Holding Box, where Austro-Hungarian units are In Supply. Rule: 23.4"""
    return place == BUKOWINA_BOX and nation == "austro-hungarian"


def campaign_left_out(view: View, served: Mapping[str, str]) -> Iterator[Step]:
    """Yield lines for supply that the campaign game would bar, where nobody has stated whether its rules are in use.
    served: by unit what serves it (24.1.2, 24.5.3).
    """
    if not campaign_is_unstated(view):
        return
    units = {name: source for name, source in served.items() if {name, source} <= view.state.units.keys()}
    fighting = [name for name in units if view.word("arm", name) not in SUPPLY_ARMS]
    garrison = [name for name in fighting if army_of(view, name) == WARSAW_GARRISON]
    if garrison:
        text = f"{{units}} of the Warsaw Garrison may draw on {{sources}}: the rule bars that {UNSTATED}"
        yield step("24.1.2", text, units=garrison, sources=[*dict.fromkeys(units[name] for name in garrison)])
    yield from praga_left_out(view, units.values())


def praga_left_out(view: View, sources: Iterable[str]) -> Iterator[Step]:
    """Yield a line for the PRAGA depot as a source though its army was changed, where nobody has stated whether it is
    the campaign (24.5.3).
    """
    if not campaign_is_unstated(view):
        return
    for name in sorted({name for name in sources if name in FIXED and view.flag("changed-attachment", name)}):
        text = f"{{unit}} serves its army in the turn in which its army was changed: the rule bars that {UNSTATED}"
        yield step("24.5.3", text, unit=name)


LANDWEHR_TRAIN = f"{LANDWEHR} Train"
"""The Corps Train that is In Supply without a line (22.3.1)."""
LANDWEHR_SUPPLIED = 9
"""The last game turn in which it is (22.3.1)."""
NOVO_GEORGIEVSK = "61.48"
"""The hex after which the Fortress Complex is named (24.1.1)."""


class SourceBar(msgspec.Struct, frozen=True):
    """What bars a source from a unit whatever the distance."""

    why: str
    of_another: bool = False
    """Whether it serves another army or corps, so that it is not listed among the unit's sources."""


def supply_unit(facts: Gather, unit: Unit) -> LineSource:
    """Return a depot or Corps Train as a source, with both its ranges, which an Incomplete marker shortens. The Train
    of Königsberg has no extended one (22.5.1), nor has the PRAGA depot (24.5.1). Rule: 3.6.1
    """
    name = unit.id
    arm = facts.word("arm", unit.id)
    near = range_on(facts, name)
    far = range_on(facts, name, extended=True) if may_extend(name) else 0
    return LineSource(name, arm, str(unit.place), ranges(arm, near, far))


def side_in_use(facts: Gather, unit: Unit) -> LineSource:
    """Return a depot or Corps Train as a source with the range of the side that it shows alone. Rule: 18.2"""
    name = unit.id
    arm = facts.word("arm", unit.id)
    extended = facts.flag("extended", name) and may_extend(name)
    return LineSource(name, arm, str(unit.place), ranges(arm, range_on(facts, name, extended=extended)))


def may_extend(name: str) -> bool:
    """Return whether a depot or Corps Train has an Extended Mode. Rule: 22.5.1, 24.5.1"""
    return name != KG_TRAIN and name not in FIXED


def range_on(facts: Gather, name: str, *, extended: bool = False) -> int:
    """Return the range on a side of a depot or Corps Train, in hexes, as an Incomplete marker leaves it. Rule: 3.6.1"""
    less = facts.integer("incomplete-range", name) if facts.integer("incomplete", name) else 0
    return max((facts.on_front("extended-range" if extended else "range", name) or 0) - less, 0)


class ServingUnit(NamedTuple):
    """A supply unit that may serve others."""

    facts: Gather
    unit: Unit

    @property
    def entrained(self) -> bool:
        """Whether it is in Rail Mode."""
        return self.facts.flag("entrained", self.unit.id)

    @property
    def marker(self) -> str:
        """The marker that it bears since it moved as a depot, "None" for none."""
        return self.facts.word("relocation", self.unit.id).capitalize()

    @property
    def inactive(self) -> bool:
        """Whether it is the PRAGA depot of the campaign in a turn in which its army was changed."""
        facts, name = self.facts, self.unit.id
        return name in FIXED and facts.flag("campaign") and facts.flag("changed-attachment", name)

    @property
    def out(self) -> bool:
        """Whether it is marked Out of Supply."""
        return self.facts.word("supply", self.unit.id) == "out"

    @property
    def supplied(self) -> bool:
        """Whether it is a Corps Train that is In Supply without a line."""
        return any(holds for holds, _, _ in needs_no_line(self.facts, self.unit))

    def bars_of_depot(self) -> Iterator[Clause]:
        """Yield why a depot gives neither supply nor APs: how it moved, and the change of the PRAGA depot's army. Rule:
        10.5.2b, 14.2.1, 24.5.3
        """
        yield self.marker != "None", "8.2.7", "marked {marker}"
        yield self.inactive, "24.5.3", "inactive, as its army was changed"

    def bars(self) -> Iterator[Clause]:
        """Yield why it serves nobody: Rail Mode, a marker, its own supply as the position gives it. Rule: 14.2, 14.2.1,
        14.2.2b
        """
        yield self.entrained, "14.2.2", "entrained"
        yield from self.bars_of_depot()
        yield self.out and not self.supplied, "14.2", "itself Out of Supply"

    def bars_of_ammunition(self) -> Iterator[Clause]:
        """Yield why it gives no AP wherever the units stand: a train in Rail Mode, a depot's markers. A depot need not have
        a LOC now, and a train may be Out of Supply itself. Rule: 10.5.2b, 14.5.2b
        """
        train = self.facts.word("arm", self.unit.id) == "corps-train"
        yield train and self.entrained, "14.2.2", "entrained"
        yield not train and self.out, "10.5.2", "marked Out of Supply"
        if not train:
            yield from self.bars_of_depot()


def needs_no_line(facts: Gather, train: Unit) -> Iterator[Clause]:
    """Yield why a Corps Train is In Supply without a line: that of Königsberg, and that of 3 LW Corps up to GT 9. Rule:
    22.3.1
    """
    yield train.id == KG_TRAIN, "22.5.1", "the Train of Königsberg is always In Supply"
    yield (
        train.id == LANDWEHR_TRAIN and facts.integer("turn") <= LANDWEHR_SUPPLIED,
        "22.3.1",
        "the Train of 3 LW Corps is In Supply up to GT 9",
    )


def bars_of_attachment(facts: Gather, unit: Unit, source: Unit, formation: Unit | None = None) -> Iterator[Clause]:
    """Yield why attachment bars a unit from a supply unit of its side.

    A train supplies its corps and nation, a Cavalry Corps' only cavalry, and independent cavalry of its army except
    Königsberg's; a depot supplies its army. formation: of the unit, if known.
    Rule: 6.3.1a, 6.3.2, 6.3.3, 6.3.3b, 6.4.1b, 14.3.1b, 14.3.2, 22.5.1b
    """
    rides = facts.word("arm", unit.id) == "cavalry"
    formation = formation or formation_attached_to(facts, unit)
    leads = unit.id == formation.id
    arm = facts.word("arm", source.id)
    corps, army = corps_and_army(facts.view, formation.id)
    their_corps, their_army = corps_and_army(facts.view, source.id)
    independent = facts.word("arm", formation.id) == "cavalry" and not corps
    if arm == "corps-train" and (corps or independent):
        their_corps = corps_of_train(facts, source.id)
    if independent or arm != "corps-train":
        army = facts.word("army", formation.id)
        their_army = facts.word("army", source.id)
    attached = may_draw(corps, army, arm, their_corps, their_army)
    if arm != "corps-train":
        yield not attached, "14.3.2", "of another army"
        return
    kin = facts.word("nation", formation.id) == facts.word("nation", source.id)
    lent = leads and independent and source.id != KG_TRAIN and bool(army) and army == their_army
    same = kin and bool(corps) and corps == their_corps
    yield (
        serves_cavalry_only(facts, source) and not (rides and corps),
        "14.3.1",
        "of another corps, and serves only attached cavalry",
    )
    yield same and not attached, "6.3.1", "of another army"
    yield not (same or lent), "14.3.1", "of another corps"


def traces_as_garrison(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is recorded with the Warsaw Garrison, which draws supply from no depot, no Corps Train and
    no Fortress but those of Novo-Georgievsk. Rule: 24.1.2b
    """
    return facts.flag("campaign") and army_of(facts.view, supplied_with(facts, unit).id) == WARSAW_GARRISON


def is_of_novo_georgievsk(facts: Gather, fortress: Unit) -> bool:
    """Return whether a fortress unit is one of Novo-Georgievsk: it stands there or shares the ID of one that does.
    Rule: 24.1.2b
    """
    view = facts.view
    if fortress.place == NOVO_GEORGIEVSK:
        return True
    there = {view.word("complex", other.id) for other in view.stack(NOVO_GEORGIEVSK)} - {""}
    return bool(there) and facts.word("complex", fortress.id) in there


def serves_cavalry_only(facts: Gather, train: Unit) -> bool:
    """Return whether a Corps Train is that of a Cavalry Corps, which serves all its attached cavalry and nothing else
    (14.3.1).
    """
    return is_cavalry_corps(corps_and_army(facts.view, train.id)[0], marked=facts.flag("cavalry-corps", train.id))


def always_supplied(facts: Gather, unit: Unit) -> str:
    """Return why a unit is In Supply without a line, by a Fortress or otherwise, "" if it needs one. Rule: 14.2.4"""
    if why := why_so(_stands_supplied(facts, unit)):
        return why
    fortress = fortress_source(facts, unit)
    text = "it stands in or adjacent to {fortress}, which has a supply symbol"
    return why_so([(fortress, "14.2.4", text)], fortress=fortress)


def _stands_supplied(facts: Gather, unit: Unit) -> Iterator[Clause]:
    """Yield why a unit is In Supply by its kind or its place: a fortress unit, a unit in a Holding Box or in Rail
    Mode, a Train that needs no line. Rule: 12.1, 23.4, 8.2.4
    """
    yield facts.word("arm", unit.id) in FORTRESSES, "12.1", "a fortress unit is always In Supply"
    in_the_box = is_in_the_box(unit.place, facts.word("nation", unit.id))
    yield in_the_box, "23.4", "a unit in the Bukowina Holding Box is In Supply"
    yield facts.flag("entrained", unit.id), "8.2.4", "a unit in Rail Mode is In Supply"
    yield from needs_no_line(facts, unit)


def fortress_source(facts: Gather, unit: Unit) -> str:
    """Return the friendly Fortress with a supply symbol on which or adjacent to which a combat or artillery unit
    stands, "" for none. Boyen serves some units only, and those along a line; only those of Novo-Georgievsk serve units
    of the Warsaw Garrison. Rule: 3.7.3, 12.1.1, 14.2.4
    """
    if unit.place is None or facts.word("arm", unit.id) not in FIELD_ARMS:
        return ""
    side = side_of(facts, unit)
    view = facts.view
    near = (other for place in (unit.place, *view.board.neighbours(unit.place)) for other in view.stack(place))
    own = [other for other in near if facts.word("arm", other.id) == "fortress" and side_of(facts, other) == side]
    able = [fortress for fortress in own if fortress.id != BOYEN and facts.flag("supply-symbol", fortress.id)]
    if able and traces_as_garrison(facts, unit):
        able = [fortress for fortress in able if is_of_novo_georgievsk(facts, fortress)]
    return next((fortress.id for fortress in able), "")


def boyen_as_source(fortress: Unit) -> LineSource | None:
    """Return the Fortress Boyen as a source, None for other fortresses. Rule: 14.2.4b"""
    if fortress.id != BOYEN:
        return None
    return LineSource(BOYEN, "fortress", str(fortress.place), ranges("fortress", BOYEN_REACH))


def supplied_with(facts: Gather, unit: Unit) -> Unit:
    """Return the unit whose supply a unit shares: an Asset Unit in a stack shares that of the formation it is attached
    to. Rule: 6.4.1a, 6.2.4b
    """
    if not is_asset_unit(facts, unit.id):
        return unit
    return facts.view.unit(formation_with(facts, unit, facts.word("with", unit.id)) or unit.id)


def railway_at(place: str) -> LineSource:
    """Return a hex of an RR line as a source of combat and artillery units. Rule: 14.2.3"""
    return LineSource(f"the RR line at {place}", RR_LINE, place, ranges(RR_LINE, RR_IN_SUPPLY, RR_LOW))


def source_underfoot(place: str) -> LineSource:
    """Return an RR line as what supplies a supply unit that stands on it, at any length and nowhere else (14.2.1,
    14.2.2).
    """
    return msgspec.structs.replace(railway_at(place), ranges=ranges(RR_LINE, 0))


def bar_without_loc(facts: Gather, board: SupplyMap, place: str) -> str:
    """Return why a depot in a hex is Out of Supply, "" if it is not: it needs a LOC and an RR Station there. Rule:
    14.2.1
    """
    linked = place in board.loc.cost
    clauses = (
        (not linked, "14.2.1", "no LOC"),
        (linked and not has_station(facts, place), "14.2.1", "no RR Station in {place}"),
    )
    return why_so(clauses, place=place)


MOST = 2
"""Cavalry formations from outside its corps that a Corps Train may serve."""
GUEST = "draws-on"
"""The track of the Corps Train on which independent cavalry draws."""


def bars_of_guest(train: str, drawn_on: str, named: Sequence[str]) -> Iterator[Clause]:
    """Yield why a Corps Train does not serve cavalry from outside its corps.

    train: its id; drawn_on: the train on which that is said to draw, "" for none; named: the formations that are said to
    draw on this one, of which each may be one of the two.
    Rule: 14.3.1
    """
    yield drawn_on not in ("", train), "14.3.1", "{formation} draws on {drawn_on}"
    yield (
        not drawn_on and len(named) >= MOST,
        "14.3.1",
        "it serves {others}, and may serve no more than two from outside its corps",
    )


def bar_of_guest(facts: Gather, formation: Unit, train: Unit, named: Sequence[str]) -> str:
    """Return why a Corps Train does not serve independent cavalry, "" if it may. named: as of `bars_of_guest`."""
    drawn_on = facts.word(GUEST, formation.id)
    clauses = bars_of_guest(train.id, drawn_on, named)
    return why_so(clauses, formation=formation.id, drawn_on=drawn_on, others=" and ".join(named))


def presume_guest(view: View, formation: Unit, train: Unit) -> None:
    """Say in the report that a unit is taken to be one of the two guests of a Corps Train, where it is not named so and
    others may be.
    """
    with view.gather() as facts:
        draw = {other.id: facts.word(GUEST, other.id) for other in _list_other_guests(facts, formation)}
        named = facts.word(GUEST, formation.id)
    rivals = list[str]()
    for name, on in draw.items():
        if on == train.id or (not on and _may_reach(view, train, view.unit(name))):
            rivals.append(name)
    if not named and len(rivals) >= MOST:
        text = (
            "{unit} is one of the two formations from outside its corps that {source} serves, beside {others} "
            "(to name it: draws-on)"
        )
        view.premises.assume(step("14.3.1", text, unit=formation.id, source=train.id, others=rivals))


def named_guests(facts: Gather) -> dict[str, tuple[str, ...]]:
    """Return, by Corps Train, the formations of independent cavalry on the map that are named to draw on it."""
    view = facts.view
    guests = dict[str, tuple[str, ...]]()
    units = {unit.id: unit for unit in view.units()}
    for name in sorted(name for track, name in view.state.facts if track == GUEST and name in units):
        train = view.word(GUEST, name)
        if train and view.board.is_hex(units[name].place or "") and is_guest(facts, units[name]):
            guests[train] = (*guests.get(train, ()), name)
    return guests


def _may_reach(view: View, train: Unit, unit: Unit) -> bool:
    """Return whether a unit may be within reach of a Corps Train, be it along a double-track RR line all the way."""
    hexes = max(view.on_front(reach, train.id) or 0 for reach in ("range", "extended-range"))
    return not hexes or view.board.distance(str(train.place), str(unit.place)) * min(RAILS.values()) <= hexes * HEX


def is_guest(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is independent cavalry, which may draw on the train of any corps of its army (6.3.3)."""
    independent = facts.word("arm", unit.id) == "cavalry" and not corps_and_army(facts.view, unit.id)[0]
    return independent and not is_asset_unit(facts, unit.id)


def _list_other_guests(facts: Gather, unit: Unit) -> Iterator[Unit]:
    """Yield the other formations of independent cavalry of a unit's army, as far as that is stated."""
    view = facts.view
    side = side_of(facts, unit)
    army = view.word("army", unit.id)
    for other in view.units():
        if view.word("arm", other.id) != "cavalry" or view.word("army", other.id) != army:
            continue
        if other.id == unit.id or not view.board.is_hex(other.place or ""):
            continue
        if side_of(facts, other) == side and is_guest(facts, other):
            yield other

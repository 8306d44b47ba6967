"""The sources that may supply a unit, and the bars of each to it, by kind of source.

The kinds are supply units, RR lines and Fortresses, the Bukowina, and trains of other corps for independent cavalry.
Notes on campaign rules follow (14.2, 14.3, 14.7, 22.3.1, 23.4, 24.1, 24.5).
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
from ..railways.network import RAIL_HEX_WEIGHTS, has_station
from ..terms import (
    BOYEN,
    BOYEN_RANGE_HEXES,
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
from .rules import QUARTERS_PER_HEX, RR_IN_SUPPLY_HEXES, RR_LINE, RR_LOW_SUPPLY_HEXES, ranges

LANDWEHR_TRAIN = f"{LANDWEHR} Train"
"""The Corps Train that needs no supply line up to `LANDWEHR_LAST_TURN` (22.3.1)."""
LANDWEHR_LAST_TURN = 9
NOVO_GEORGIEVSK = "61.48"
"""The hex of Novo-Georgievsk, which gives the Fortress Complex its name (24.1.1)."""
BUKOWINA = "Bukowina"
"""The kind of source for the Bukowina (14.7)."""
BUKOWINA_RANGE_HEXES = 10
MAX_UNITS_ON_BUKOWINA = 3
"""The maximum number of units, other than Fischer's, that draw on the Bukowina in a Supply Phase (14.7)."""
MAX_GUESTS = 2
"""The maximum number of cavalry formations from outside its corps that a Corps Train serves (14.3.1)."""
DRAWS_ON_TRACK = "draws-on"
"""Track: the Corps Train on which independent cavalry draws."""


def why_so(clauses: Iterable[Clause], *holders: object, **figures: object) -> str:
    """Return the sentence of the first clause that holds, with its rule in brackets, or "" if none holds.

    Later clauses are not evaluated.

    `holders`, `figures`: as for `step`.
    """
    reasons = (step(rule, text, *holders, **figures).text + f" ({rule})" for holds, rule, text in clauses if holds)
    return next(reasons, "")


class SourceBar(msgspec.Struct, frozen=True):
    """A bar of a source from a unit at any distance."""

    why: str
    of_another: bool = False
    """Whether the source serves another army or corps, and so is not listed for the unit."""


# --- supply units -----------------------------------------------------------------------------------------------------


def supply_unit(facts: Gather, unit: Unit) -> LineSource:
    """Return a depot or Corps Train as a source with its normal and extended ranges, less any Incomplete marker.

    Rule: 3.6.1
    """
    name = unit.id
    arm = facts.word("arm", unit.id)
    near = range_on(facts, name)
    far = range_on(facts, name, extended=True) if may_extend(name) else 0
    return LineSource(name, arm, str(unit.place), ranges(arm, near, far))


def side_in_use(facts: Gather, unit: Unit) -> LineSource:
    """Return a depot or Corps Train as a source with the range of its upper side. Rule: 18.2"""
    name = unit.id
    arm = facts.word("arm", unit.id)
    extended = facts.flag("extended", name) and may_extend(name)
    return LineSource(name, arm, str(unit.place), ranges(arm, range_on(facts, name, extended=extended)))


def may_extend(name: str) -> bool:
    """Return whether a depot or Corps Train has an Extended Mode. Rule: 22.5.1, 24.5.1"""
    return name != KG_TRAIN and name not in FIXED


def range_on(facts: Gather, name: str, *, extended: bool = False) -> int:
    """Return the range in hexes on a side of a depot or Corps Train, less any Incomplete marker. Rule: 3.6.1"""
    reduction = facts.integer("incomplete-range", name) if facts.integer("incomplete", name) else 0
    return max((facts.on_front("extended-range" if extended else "range", name) or 0) - reduction, 0)


class ServingUnit(NamedTuple):
    """A supply unit that may serve others."""

    facts: Gather
    unit: Unit

    @property
    def entrained(self) -> bool:
        """Whether the unit is in Rail Mode."""
        return self.facts.flag("entrained", self.unit.id)

    @property
    def marker(self) -> str:
        """The unit's relocation marker, or "None"."""
        return self.facts.word("relocation", self.unit.id).capitalize()

    @property
    def inactive(self) -> bool:
        """Whether the unit is the PRAGA depot of the campaign in a turn in which its army was changed."""
        facts, name = self.facts, self.unit.id
        return name in FIXED and facts.flag("campaign") and facts.flag("changed-attachment", name)

    @property
    def out(self) -> bool:
        """Whether the unit is marked Out of Supply."""
        return self.facts.word("supply", self.unit.id) == "out"

    @property
    def supplied(self) -> bool:
        """Whether the unit is a Corps Train that is In Supply without a line."""
        return any(holds for holds, _, _ in needs_no_line(self.facts, self.unit))

    def bars_of_depot(self) -> Iterator[Clause]:
        """Yield why a depot gives neither supply nor APs: its relocation marker, and the changed army of PRAGA.

        Rule: 10.5.2b, 14.2.1, 24.5.3
        """
        yield self.marker != "None", "8.2.7", "marked {marker}"
        yield self.inactive, "24.5.3", "inactive, as its army was changed"

    def bars(self) -> Iterator[Clause]:
        """Yield why the unit serves no other: Rail Mode, a marker, its own stated supply state.

        Rule: 14.2, 14.2.1, 14.2.2b
        """
        yield self.entrained, "14.2.2", "entrained"
        yield from self.bars_of_depot()
        yield self.out and not self.supplied, "14.2", "itself Out of Supply"

    def bars_of_ammunition(self) -> Iterator[Clause]:
        """Yield why the unit gives no AP at any distance: a train in Rail Mode, a depot's markers.

        A depot needs no LOC at the moment, and a train may be Out of Supply itself.

        Rule: 10.5.2b, 14.5.2b
        """
        is_train = self.facts.word("arm", self.unit.id) == "corps-train"
        yield is_train and self.entrained, "14.2.2", "entrained"
        yield not is_train and self.out, "10.5.2", "marked Out of Supply"
        if not is_train:
            yield from self.bars_of_depot()


def needs_no_line(facts: Gather, train: Unit) -> Iterator[Clause]:
    """Yield why a Corps Train is In Supply without a line: it is Königsberg's, or that of 3 LW Corps up to GT 9.

    Rule: 22.3.1
    """
    yield train.id == KG_TRAIN, "22.5.1", "the Train of Königsberg is always In Supply"
    yield (
        train.id == LANDWEHR_TRAIN and facts.integer("turn") <= LANDWEHR_LAST_TURN,
        "22.3.1",
        "the Train of 3 LW Corps is In Supply up to GT 9",
    )


def bars_of_attachment(facts: Gather, unit: Unit, source: Unit, formation: Unit | None = None) -> Iterator[Clause]:
    """Yield why attachment bars a unit from a supply unit of its side.

    - A depot supplies its army.
    - A Corps Train supplies its corps and nation; a Cavalry Corps' train only cavalry.
    - It also supplies independent cavalry of its army, except Königsberg's.

    `formation`: the formation to which the unit is attached, if the caller knows it.

    Rule: 6.3.1a, 6.3.2, 6.3.3, 6.3.3b, 6.4.1b, 14.3.1b, 14.3.2, 22.5.1b
    """
    rides = facts.word("arm", unit.id) == "cavalry"
    formation = formation or formation_attached_to(facts, unit)
    source_arm = facts.word("arm", source.id)
    corps, army = corps_and_army(facts.view, formation.id)
    source_corps, source_army = corps_and_army(facts.view, source.id)
    is_independent = facts.word("arm", formation.id) == "cavalry" and not corps
    # from here on `facts` asks for an unstated corps or army, but only where it decides
    if source_arm != "corps-train":
        army, source_army = facts.word("army", formation.id), facts.word("army", source.id)
        yield not may_draw(corps, army, source_arm, source_corps, source_army), "14.3.2", "of another army"
        return
    if corps or is_independent:
        source_corps = corps_of_train(facts, source.id)
    if is_independent:
        army, source_army = facts.word("army", formation.id), facts.word("army", source.id)
    is_same_nation = facts.word("nation", formation.id) == facts.word("nation", source.id)
    is_same_corps = is_same_nation and bool(corps) and corps == source_corps
    is_formation = unit.id == formation.id
    may_be_guest = is_formation and is_independent and source.id != KG_TRAIN and bool(army) and army == source_army
    yield (
        serves_cavalry_only(facts, source) and not (rides and corps),
        "14.3.1",
        "of another corps, and serves only attached cavalry",
    )
    yield (
        is_same_corps and not may_draw(corps, army, source_arm, source_corps, source_army),
        "6.3.1",
        "of another army",
    )
    yield not (is_same_corps or may_be_guest), "14.3.1", "of another corps"


def serves_cavalry_only(facts: Gather, train: Unit) -> bool:
    """Return whether a Corps Train is of a Cavalry Corps and serves only that corps' cavalry (14.3.1)."""
    return is_cavalry_corps(corps_and_army(facts.view, train.id)[0], marked=facts.flag("cavalry-corps", train.id))


def traces_as_garrison(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit draws supply like the Warsaw Garrison, as part of it or by a formation of it.

    The garrison draws on no depot, no Corps Train and no Fortress except those of Novo-Georgievsk.

    Rule: 24.1.2b
    """
    return facts.flag("campaign") and army_of(facts.view, supplied_with(facts, unit).id) == WARSAW_GARRISON


def supplied_with(facts: Gather, unit: Unit) -> Unit:
    """Return the unit whose supply a unit shares: an Asset Unit's formation in its stack, or the unit itself.

    Rule: 6.4.1a, 6.2.4b
    """
    if not is_asset_unit(facts, unit.id):
        return unit
    return facts.view.unit(formation_with(facts, unit, facts.word("with", unit.id)) or unit.id)


# --- RR lines and Fortresses; units that need no line -----------------------------------------------------------------


def railway_at(place: str) -> LineSource:
    """Return a hex of an RR line as a source of combat and artillery units. Rule: 14.2.3"""
    return LineSource(
        f"the RR line at {place}", RR_LINE, place, ranges(RR_LINE, RR_IN_SUPPLY_HEXES, RR_LOW_SUPPLY_HEXES)
    )


def source_underfoot(place: str) -> LineSource:
    """Return an RR line as the source of a supply unit, which must stand on it (14.2.1, 14.2.2)."""
    return msgspec.structs.replace(railway_at(place), ranges=ranges(RR_LINE, 0))


def bar_without_loc(facts: Gather, board: SupplyMap, place: str) -> str:
    """Return why a depot is Out of Supply in a hex without LOC or RR Station, or "" if the hex has both.

    Rule: 14.2.1
    """
    linked = place in board.loc.cost
    clauses = (
        (not linked, "14.2.1", "no LOC"),
        (linked and not has_station(facts, place), "14.2.1", "no RR Station in {place}"),
    )
    return why_so(clauses, place=place)


def always_supplied(facts: Gather, unit: Unit) -> str:
    """Return why a unit is In Supply without a line, by a Fortress or otherwise, or "" if it needs one.

    Rule: 14.2.4
    """
    if why := why_so(_stands_supplied(facts, unit)):
        return why
    fortress = fortress_source(facts, unit)
    text = "it stands in or adjacent to {fortress}, which has a supply symbol"
    return why_so([(fortress, "14.2.4", text)], fortress=fortress)


def _stands_supplied(facts: Gather, unit: Unit) -> Iterator[Clause]:
    """Yield why a unit is In Supply by its kind, its place or its mode. Rule: 12.1, 23.4, 8.2.4"""
    yield facts.word("arm", unit.id) in FORTRESSES, "12.1", "a fortress unit is always In Supply"
    in_the_box = is_in_the_box(unit.place, facts.word("nation", unit.id))
    yield in_the_box, "23.4", "a unit in the Bukowina Holding Box is In Supply"
    yield facts.flag("entrained", unit.id), "8.2.4", "a unit in Rail Mode is In Supply"
    yield from needs_no_line(facts, unit)


def fortress_source(facts: Gather, unit: Unit) -> str:
    """Return a friendly Fortress with a supply symbol in or adjacent to a unit's hex, or "" if there is none.

    Only combat and artillery units have one. Boyen is left out: it serves few units, and along a line. The Warsaw
    Garrison has only the Fortresses of Novo-Georgievsk.

    Rule: 3.7.3, 12.1.1, 14.2.4
    """
    if unit.place is None or facts.word("arm", unit.id) not in FIELD_ARMS:
        return ""
    side = side_of(facts, unit)
    view = facts.view
    near = (other for place in (unit.place, *view.board.neighbours(unit.place)) for other in view.stack(place))
    own = [other for other in near if facts.word("arm", other.id) == "fortress" and side_of(facts, other) == side]
    serving = [fortress for fortress in own if fortress.id != BOYEN and facts.flag("supply-symbol", fortress.id)]
    if serving and traces_as_garrison(facts, unit):
        serving = [fortress for fortress in serving if is_of_novo_georgievsk(facts, fortress)]
    return next((fortress.id for fortress in serving), "")


def is_of_novo_georgievsk(facts: Gather, fortress: Unit) -> bool:
    """Return whether a fortress unit is in Novo-Georgievsk's hex or shares the Complex ID of one that is.

    Rule: 24.1.2b
    """
    view = facts.view
    if fortress.place == NOVO_GEORGIEVSK:
        return True
    complexes = {view.word("complex", other.id) for other in view.stack(NOVO_GEORGIEVSK)} - {""}
    return bool(complexes) and facts.word("complex", fortress.id) in complexes


def boyen_as_source(fortress: Unit) -> LineSource | None:
    """Return the Fortress Boyen as a source, or None for another fortress. Rule: 14.2.4b"""
    if fortress.id != BOYEN:
        return None
    return LineSource(BOYEN, "fortress", str(fortress.place), ranges("fortress", BOYEN_RANGE_HEXES))


# --- the Bukowina -----------------------------------------------------------------------------------------------------


def bukowina_sources(facts: Gather, unit: Unit) -> list[tuple[LineSource, str]]:
    """Return the half-hexes of the Bukowina near a unit as sources, each with its bar or "".

    Returns none for supply units, and units that are not Austro-Hungarian (14.2).

    Rule: 14.7
    """
    view = facts.view
    nation = "" if facts.word("arm", unit.id) in SUPPLY_ARMS else facts.word("nation", unit.id)
    if nation != "austro-hungarian" or not view.board.is_hex(str(unit.place)):
        return []
    named = named_for_bukowina(view)
    fischer = is_of_fischer(unit.id, view.word("corps", unit.id))
    sources = list[tuple[LineSource, str]]()
    for hex in _find_half_hexes_near(view, str(unit.place)):
        source = LineSource(f"the Bukowina at {hex}", BUKOWINA, hex, (Range(BUKOWINA_RANGE_HEXES, "in"),))
        sources.append((source, why_so(bars_from_bukowina(unit.id, named, fischer=fischer), named=named)))
    return sources


def _find_half_hexes_near(view: View, place: str) -> list[str]:
    """Return the half-hexes that may be in range of a hex if the whole line follows the cheapest RR line."""
    on_board = [hex for hex in HALF_HEXES if view.board.has(hex)]
    max_cost = BUKOWINA_RANGE_HEXES * QUARTERS_PER_HEX
    return [hex for hex in on_board if view.board.distance(hex, place) * min(RAIL_HEX_WEIGHTS.values()) <= max_cost]


def named_for_bukowina(view: View) -> list[str]:
    """Return the units other than Fischer's that the position names to draw on the Bukowina (14.7)."""
    named = sorted(name for track, name in view.state.facts if track == "bukowina" and view.flag("bukowina", name))
    return [name for name in named if not is_of_fischer(name, view.word("corps", name))]


def bars_from_bukowina(unit: str, named: Sequence[str], *, fischer: bool) -> Iterator[Clause]:
    """Yield why an Austro-Hungarian unit may not draw on the Bukowina: three others are named to draw on it.

    All units of Fischer may draw on it. Any unit may while fewer than three are named.

    `named`: the units from `named_for_bukowina`.

    Rule: 14.7
    """
    yield (
        not fischer and unit not in named and len(named) >= MAX_UNITS_ON_BUKOWINA,
        "14.7",
        "{named} draw on it, and no more than three may",
    )


def presume_named(view: View, unit: str, source: LineSource) -> None:
    """Note the assumption that an unnamed unit is one of the three that draw on the Bukowina."""
    named = view.flag("bukowina", unit) or is_of_fischer(unit, view.word("corps", unit))
    if source.kind == BUKOWINA and not named:
        text = "{unit} is one of the three units that draw on the Bukowina (to name it: bukowina)"
        view.premises.assume(step("14.7", text, unit=unit))


def is_in_the_box(place: str | None, nation: str) -> bool:
    """Return whether a unit is in the Bukowina Holding Box, where Austro-Hungarian units are In Supply. Rule: 23.4"""
    return place == BUKOWINA_BOX and nation == "austro-hungarian"


# --- guests: independent cavalry, which a Corps Train serves although it is from outside its corps -----------------------


def is_guest(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is independent cavalry, which may draw on the train of any corps of its army (6.3.3)."""
    independent = facts.word("arm", unit.id) == "cavalry" and not corps_and_army(facts.view, unit.id)[0]
    return independent and not is_asset_unit(facts, unit.id)


def named_guests(facts: Gather) -> dict[str, tuple[str, ...]]:
    """Return, by Corps Train, the guests on the map that the position names to draw on it."""
    view = facts.view
    guests = dict[str, tuple[str, ...]]()
    units = {unit.id: unit for unit in view.units()}
    for name in sorted(name for track, name in view.state.facts if track == DRAWS_ON_TRACK and name in units):
        train = view.word(DRAWS_ON_TRACK, name)
        if train and view.board.is_hex(units[name].place or "") and is_guest(facts, units[name]):
            guests[train] = (*guests.get(train, ()), name)
    return guests


def find_bar_of_guest(facts: Gather, formation: Unit, train: Unit, named: Sequence[str]) -> str:
    """Return why a Corps Train does not serve a guest, or "" if it may.

    `named`: the guests that are named to draw on the train.
    """
    drawn_on = facts.word(DRAWS_ON_TRACK, formation.id)
    clauses = bars_of_guest(train.id, drawn_on, named)
    return why_so(clauses, formation=formation.id, drawn_on=drawn_on, others=" and ".join(named))


def bars_of_guest(train: str, drawn_on: str, named: Sequence[str]) -> Iterator[Clause]:
    """Yield why a Corps Train does not serve a guest.

    The guest draws on another train, or two others draw on this one.

    `drawn_on`: the train that the guest is named to draw on, or "".
    `named`: the guests that are named to draw on this train.

    Rule: 14.3.1
    """
    yield drawn_on not in ("", train), "14.3.1", "{formation} draws on {drawn_on}"
    yield (
        not drawn_on and len(named) >= MAX_GUESTS,
        "14.3.1",
        "it serves {others}, and may serve no more than two from outside its corps",
    )


def presume_guest(view: View, formation: Unit, train: Unit) -> None:
    """Note the assumption that a guest is one of the two that a Corps Train serves.

    Nothing is noted if the guest is named, or if there are too few others to fill the two places.
    """
    with view.gather() as facts:
        drawn_on = {other.id: facts.word(DRAWS_ON_TRACK, other.id) for other in _list_other_guests(facts, formation)}
        named = facts.word(DRAWS_ON_TRACK, formation.id)
    rivals = list[str]()
    for name, other_train in drawn_on.items():
        if other_train == train.id or (not other_train and _may_reach(view, train, view.unit(name))):
            rivals.append(name)
    if not named and len(rivals) >= MAX_GUESTS:
        text = (
            "{unit} is one of the two formations from outside its corps that {source} serves, beside {others} "
            "(to name it: draws-on)"
        )
        view.premises.assume(step("14.3.1", text, unit=formation.id, source=train.id, others=rivals))


def _may_reach(view: View, train: Unit, unit: Unit) -> bool:
    """Return whether a unit may be in range of a Corps Train if the whole line follows the cheapest RR line.

    A train of unstated range may reach any unit.
    """
    hexes = max(view.on_front(track, train.id) or 0 for track in ("range", "extended-range"))
    return (
        not hexes
        or view.board.distance(str(train.place), str(unit.place)) * min(RAIL_HEX_WEIGHTS.values())
        <= hexes * QUARTERS_PER_HEX
    )


def _list_other_guests(facts: Gather, unit: Unit) -> Iterator[Unit]:
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


# --- notes where it is not stated whether the rules of the campaign game are in use -------------------------------------


def campaign_left_out(view: View, served: Mapping[str, str]) -> Iterator[Step]:
    """Yield a note for each source that campaign rules would bar, if the use of these rules is not stated.

    `served`: the source of each unit (24.1.2, 24.5.3).
    """
    if not campaign_is_unstated(view):
        return
    sources = {name: source for name, source in served.items() if {name, source} <= view.state.units.keys()}
    fighting = [name for name in sources if view.word("arm", name) not in SUPPLY_ARMS]
    garrison = [name for name in fighting if army_of(view, name) == WARSAW_GARRISON]
    if garrison:
        text = f"{{units}} of the Warsaw Garrison may draw on {{sources}}: the rule bars that {UNSTATED}"
        yield step("24.1.2", text, units=garrison, sources=[*dict.fromkeys(sources[name] for name in garrison)])
    yield from praga_left_out(view, sources.values())


def praga_left_out(view: View, sources: Iterable[str]) -> Iterator[Step]:
    """Yield a note if PRAGA serves after its army was changed, and the use of the campaign is not stated (24.5.3)."""
    if not campaign_is_unstated(view):
        return
    for name in sorted({name for name in sources if name in FIXED and view.flag("changed-attachment", name)}):
        text = f"{{unit}} serves its army in the turn in which its army was changed: the rule bars that {UNSTATED}"
        yield step("24.5.3", text, unit=name)

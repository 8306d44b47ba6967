"""What may supply a unit: supply units, RR lines and fortresses, and what keeps each from it (14.2, 14.3)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from assistant.field import Around, Source, side_of
from assistant.questions import Gather, InputError, step
from assistant.state.state import Unit

from ..forces.armies import WARSAW_GARRISON, army_of, corps_and_army, is_cavalry_corps, may_draw
from ..forces.assets import attaching, formation_with, is_asset_unit
from ..railways.network import has_station, may_operate, operational_for
from ..terms import (
    BOYEN,
    BOYEN_REACH,
    BOYEN_SERVES,
    BUKOWINA_BOX,
    COMBAT_ARMS,
    DEPOTS,
    FIXED,
    FORTRESSES,
    KG_TRAIN,
    LANDWEHR,
    SUPPLY_ARMS,
)
from .guests import Barred, as_guest
from .lines import SupplyMap, at_most, compile_map, judge
from .rules import RR_IN_SUPPLY, RR_LINE, RR_LOW, ranges
from .special import bukowina_sources, is_in_the_box, praga_is_inactive

LANDWEHR_TRAIN, LANDWEHR_SUPPLIED = f"{LANDWEHR} Train", 9
"""The Corps Train that is In Supply without a line, and the last game turn in which it is (22.3.1)."""
NOVO_GEORGIEVSK = "61.48"
"""The hex after which the Fortress Complex is named (24.1.1)."""
GARRISON_TRACES = "units of the Warsaw Garrison trace from a RR line or Novo-Georgievsk alone (24.1.2)"
OTHERS = "of another"
"""How a reason begins why attachment bars a unit from a supply unit, which is then not listed among its sources."""
ANOTHER_CORPS = f"{OTHERS} corps (14.3.1)"
"""Why a Corps Train does not serve a unit of another corps."""


def supply_unit(facts: Gather, unit: Unit) -> Source:
    """A depot or Corps Train as a source, with both its ranges, which an Incomplete marker shortens. The Train of Königsberg
    has no extended one (22.5.1), nor has the PRAGA depot (24.5.1). Rule: 3.6.1
    """
    name, arm = unit.id, facts.word("arm", unit.id)
    less = facts.integer("incomplete-range", name) if facts.integer("incomplete", name) else 0
    near = max(facts.integer("range", name) - less, 0)
    far = 0 if name == KG_TRAIN or name in FIXED else max(facts.integer("extended-range", name) - less, 0)
    return Source(name, arm, str(unit.place), ranges(arm, near, far))


def unusable(facts: Gather, unit: Unit, source: Unit, side: str) -> str:
    """Why a supply unit cannot supply a unit whatever the distance, "" if it can: attachment, Rail Mode, a marker, its own supply.
    Rule: 14.2, 14.2.1, 14.2.2b
    """
    if facts.word("arm", source.id) not in SUPPLY_ARMS:
        return "not a supply unit"
    if side_of(facts, source) not in ("", side):
        return "an enemy unit"
    if other := of_another(facts, unit, source):
        return other
    if (barred := guest_of(facts, unit, source)) and not barred.asks:
        return barred.why_not
    if traces_as_garrison(facts, unit):
        return GARRISON_TRACES
    if facts.word("arm", unit.id) in DEPOTS:
        return "a depot is supplied by a LOC alone (14.2.1)"
    return serves_nobody(facts, source)


def serves_nobody(facts: Gather, source: Unit) -> str:
    """Why a supply unit serves nobody, "" if it may: Rail Mode, a marker, its own supply as the position gives it (14.2.2)."""
    if facts.flag("entrained", source.id):
        return "entrained (14.2.2)"
    if barred := on_the_move(facts, source) or inactive(facts, source):
        return barred
    out = facts.word("supply", source.id) == "out" and not needs_no_line(facts, source)
    return "Out of Supply itself (14.2)" if out else ""


def needs_no_line(facts: Gather, train: Unit) -> str:
    """Why a Corps Train is In Supply without a line, "" if it needs one: that of Königsberg, and that of 3 LW Corps up to GT 9.
    Rule: 22.3.1
    """
    if train.id == KG_TRAIN:
        return "the Train of Königsberg is always In Supply (22.5.1)"
    if train.id == LANDWEHR_TRAIN and facts.integer("turn") <= LANDWEHR_SUPPLIED:
        return f"the Train of {LANDWEHR} Corps is In Supply up to GT {LANDWEHR_SUPPLIED} (22.3.1)"
    return ""


def of_another(facts: Gather, unit: Unit, source: Unit) -> str:
    """Why attachment bars a unit from a supply unit of its side, "" if it does not.

    A train supplies units of its own corps and nation, that of a Cavalry Corps only the cavalry among them; independent cavalry
    may draw on any other train of its army, as one of two guests (`guests.as_guest`), but not on that of Königsberg. Depots supply their army, so the unit's army is asked for. A lone Asset Unit draws on what the
    nearest formation may draw on. Rule: 6.3.1a, 6.3.3b, 6.4.1b, 14.3.1b, 22.5.1b
    """
    return apart_from(facts, unit, attaching(facts, unit), source)


def apart_from(facts: Gather, unit: Unit, formation: Unit, source: Unit) -> str:
    """Why attachment bars a unit from a supply unit, as `of_another`. formation: what the unit is attached to, or the unit itself."""
    rides = facts.word("arm", unit.id) == "cavalry"
    unit = formation
    arm = facts.word("arm", source.id)
    corps, army = corps_and_army(facts.view, unit.id)
    their_corps, their_army = corps_and_army(facts.view, source.id)
    independent = facts.word("arm", unit.id) == "cavalry" and not corps
    if independent or arm != "corps-train":
        army, their_army = facts.word("army", unit.id), facts.word("army", source.id)
    if arm != "corps-train":
        return "" if may_draw(corps, army, arm, their_corps, their_army) else f"{OTHERS} army (14.3.2)"
    kin = facts.word("nation", unit.id) == facts.word("nation", source.id)
    if serves_cavalry_only(facts, source) and not (rides and corps):
        return f"{OTHERS} corps, and serves attached cavalry only (14.3.1)"
    lent = independent and source.id != KG_TRAIN and bool(army) and army == their_army
    if lent or (kin and may_draw(corps, army, arm, their_corps, their_army)):
        return ""
    same = kin and bool(corps) and corps == their_corps
    return f"{OTHERS} army (6.3.1)" if same else ANOTHER_CORPS


def traces_as_garrison(facts: Gather, unit: Unit) -> bool:
    """Whether a unit is recorded with the Warsaw Garrison, which draws supply from no depot, no Corps Train and no Fortress but
    those of Novo-Georgievsk. Rule: 24.1.2b
    """
    return facts.flag("campaign") and army_of(facts.view, supplied_with(facts, unit).id) == WARSAW_GARRISON


def is_of_novo_georgievsk(facts: Gather, fortress: Unit) -> bool:
    """Whether a fortress unit is one of Novo-Georgievsk: it stands there or shares the ID of one that does. Rule: 24.1.2b"""
    view = facts.view
    if fortress.place == NOVO_GEORGIEVSK:
        return True
    there = {view.word("complex", one.id) for one in view.stack(NOVO_GEORGIEVSK)} - {""}
    return bool(there) and facts.word("complex", fortress.id) in there


def guest_of(facts: Gather, unit: Unit, source: Unit) -> Barred | None:
    """What keeps a Corps Train from serving a unit as one of its guests, None for any other source."""
    return as_guest(facts, unit, source) if facts.word("arm", source.id) == "corps-train" else None


def serves_cavalry_only(facts: Gather, train: Unit) -> bool:
    """Whether a Corps Train is that of a Cavalry Corps, which serves all its attached cavalry and nothing else (14.3.1)."""
    return is_cavalry_corps(corps_and_army(facts.view, train.id)[0], marked=facts.flag("cavalry-corps", train.id))


def on_the_move(facts: Gather, source: Unit) -> str:
    """Why a depot gives neither supply nor APs because of how it moved, "" if nothing bars it. Rule: 10.5.2b, 14.2.1"""
    marker = facts.word("relocation", source.id)
    return "" if marker == "none" else f"marked {marker.capitalize()} (8.2.7)"


def inactive(facts: Gather, source: Unit) -> str:
    """Why the PRAGA depot gives neither supply nor APs in a turn in which its army was changed, "" if it does, and for others (24.5.3)."""
    flags = {"campaign": facts.flag("campaign"), "changed": facts.flag("changed-attachment", source.id)}
    return "inactive, as its army was changed (24.5.3)" if praga_is_inactive(source.id, **flags) else ""


def always_supplied(facts: Gather, unit: Unit) -> str:
    """Why a unit is In Supply without a line, "" if it needs one: a fortress unit, a unit in Rail Mode, a Train that needs none,
    or a unit at a Fortress. Rule: 12.1, 8.2.4
    """
    if facts.word("arm", unit.id) in FORTRESSES:
        return "a fortress unit is always In Supply (12.1)"
    if is_in_the_box(unit.place, facts.word("nation", unit.id)):
        return f"a unit in the {BUKOWINA_BOX} is In Supply (23.4)"
    if facts.flag("entrained", unit.id):
        return "a unit in Rail Mode is In Supply (8.2.4)"
    if facts.word("arm", unit.id) == "corps-train":
        return needs_no_line(facts, unit)
    fortress = fortress_source(facts, unit)
    return f"it stands on or next to {fortress}, which has a supply symbol (14.2.4)" if fortress else ""


def fortress_source(facts: Gather, unit: Unit) -> str:
    """The friendly Fortress with a supply symbol on which or next to which a combat or artillery unit stands, "" for none. Boyen
    serves some units only, and those along a line; only those of Novo-Georgievsk serve units of the Warsaw Garrison.
    Rule: 12.1.1, 14.2.4
    """
    if unit.place is None or facts.word("arm", unit.id) not in (*COMBAT_ARMS, "artillery"):
        return ""
    side, view = side_of(facts, unit), facts.view
    near = (other for place in (unit.place, *view.board.neighbours(unit.place)) for other in view.stack(place))
    own = [one for one in near if facts.word("arm", one.id) == "fortress" and side_of(facts, one) == side]
    able = [one for one in own if one.id != BOYEN and facts.flag("supply-symbol", one.id)]
    if able and traces_as_garrison(facts, unit):
        able = [one for one in able if is_of_novo_georgievsk(facts, one)]
    return next((one.id for one in able), "")


def boyen(unit: Unit, fortress: Unit) -> Source | None:
    """The Fortress Boyen as a source, None for other fortresses, and for units that it does not serve. Rule: 14.2.4b"""
    return boyen_as_source(fortress) if unit.id in BOYEN_SERVES else None


def boyen_as_source(fortress: Unit) -> Source | None:
    """The Fortress Boyen as a source, None for other fortresses."""
    if fortress.id != BOYEN:
        return None
    return Source(BOYEN, "fortress", str(fortress.place), ranges("fortress", BOYEN_REACH))


def supplied_with(facts: Gather, unit: Unit) -> Unit:
    """The unit whose supply a unit shares: an Asset Unit in a stack shares that of the formation it is attached to.
    Rule: 6.4.1a, 6.2.4b
    """
    if not is_asset_unit(facts, unit.id):
        return unit
    return facts.view.unit(formation_with(facts, unit, facts.word("with", unit.id)) or unit.id)


# --- over a drawn board -----------------------------------------------------------------------------------------------


def sources_on_map(facts: Gather, unit: Unit, around: Around, board: SupplyMap) -> list[tuple[Source, str]]:
    """The sources that attachment allows a unit, each with the reason why it cannot be used now, "" if it can. A depot has its
    LOC alone, and a Corps Train on a linked RR line that line.
    """
    arm, here = facts.word("arm", unit.id), str(unit.place)
    if arm in DEPOTS:
        return [(underfoot(here), no_loc(facts, board, here))]
    friends = [other for other in around.units if other.id != unit.id and facts.view.board.is_hex(str(other.place))]
    units = [other for other in friends if facts.word("arm", other.id) in SUPPLY_ARMS]
    sources = [(supply_unit(facts, other), unusable(facts, unit, other, around.side)) for other in units]
    depots = [(one, why_not or no_loc(facts, board, one.place)) for one, why_not in sources if one.kind in DEPOTS]
    trains = [(one, why_not or unfed(facts, board, one, depots)) for one, why_not in sources if one.kind not in DEPOTS]
    fortresses = [(fortress, "") for other in friends if (fortress := boyen(unit, other))]
    found = [one for one in (*depots, *fortresses, *trains) if not one[1].startswith(OTHERS)]
    found += bukowina_sources(facts, unit)
    board.lines.field_to(here, at_most(max((source.limit or 0 for source, _ in found), default=0)))
    if arm == "corps-train" and here in board.railway.cost:
        found.append((underfoot(here), ""))
    if arm in (*COMBAT_ARMS, "artillery") and (near := board.nearest_railway(here, RR_LOW)):
        found.append((railway(near), ""))
    return found


def unfed(facts: Gather, board: SupplyMap, train: Source, depots: Sequence[tuple[Source, str]]) -> str:
    """Why a Corps Train is Out of Supply itself, "" if it needs no line, stands on a linked RR line, or a depot reaches it.

    depots: each with the reason why it cannot be used, "" if it can. Rule: 14.2.2
    """
    if needs_no_line(facts, facts.view.unit(train.name)) or train.place in board.railway.cost:
        return ""
    lines = ((depot, board.line(depot, train.place)) for depot, why_not in depots if not why_not)
    fed = any(line and judge(facts.view, depot, line) for depot, line in lines)
    return "" if fed else "Out of Supply itself (14.2.2)"


def railway(place: str) -> Source:
    """A hex of a RR line as a source of combat and artillery units. Rule: 14.2.3"""
    return Source(f"the RR line at {place}", RR_LINE, place, ranges(RR_LINE, RR_IN_SUPPLY, RR_LOW))


def underfoot(place: str) -> Source:
    """A RR line as what supplies a supply unit that stands on it, at any length and nowhere else (14.2.1, 14.2.2)."""
    return msgspec.structs.replace(railway(place), ranges=ranges(RR_LINE, 0))


def no_loc(facts: Gather, board: SupplyMap, place: str) -> str:
    """Why a depot in a hex is Out of Supply, "" if it is not: it needs a RR Station there and a LOC. Rule: 14.2.1"""
    return "" if place in board.loc.cost and has_station(facts, place) else "no LOC (14.2.1)"


# --- of a typed line --------------------------------------------------------------------------------------------------


def source_of_line(facts: Gather, unit: Unit, around: Around, name: str, place: str) -> tuple[Source, str]:
    """The source at the beginning of a typed line, and why it cannot be used, "" if it can: the supply unit of that name, or the
    only one in the first hex, or Boyen, or else the RR line there.

    Raises InputError for a source that is elsewhere, or one among several in the first hex.
    """
    view = facts.view
    there = [other for other in view.stack(place) if facts.word("arm", other.id) in SUPPLY_ARMS]
    named = [other for other in view.units() if other.id == name]
    if named and named[0].place != place:
        raise InputError(f"{name} is in {named[0].place}, but its line begins in {place}")
    fortress = next((found for other in view.stack(place) if (found := boyen(unit, other))), None)
    if fortress and (name == BOYEN or not there):
        return fortress, ""
    if not named and len(there) > 1:
        what = f"{place} holds {' and '.join(other.id for other in there)}"
        raise InputError(what, hint="name the line after one of them")
    if named or there:
        source = (named or there)[0]
        return supply_unit(facts, source), unusable(facts, unit, source, around.side)
    half_hex = next((one for one in bukowina_sources(facts, unit) if one[0].place == place), None)
    if half_hex and operational_for(view, place) != around.side:
        return half_hex
    kind = underfoot if facts.word("arm", unit.id) in SUPPLY_ARMS else railway
    return kind(place), railway_unusable(facts, unit, around, place)


def railway_unusable(facts: Gather, unit: Unit, around: Around, place: str) -> str:
    """Why a unit cannot be supplied by the RR line at the beginning of a typed line, "" if it is operational and linked to a friendly
    map edge. To a supply unit the typed line leads from there, and to a depot's RR Station; for other units the link is looked up
    on a drawn board, and taken for granted without one. Rule: 14.2.3
    """
    view, side = facts.view, around.side
    at_edge = view.word("map-edge", place) == side
    facts.word("operational", place)  # asked for, as the line begins on it
    if not may_operate(view, place, side):
        return f"no operational RR line of {view.game.file.the_side(side)}"
    if (arm := facts.word("arm", unit.id)) in SUPPLY_ARMS:
        if facts.word("map-edge", place) != side:
            return f"{place} is not at a friendly map edge (map-edge={side})"
        lacking = arm in DEPOTS and not has_station(facts, str(unit.place))
        return "a depot needs a RR Station (14.2.1)" if lacking else ""
    if view.board.hexes:
        linked = place in compile_map(facts, around).railway.cost
        return "" if linked else f"no operational RR line links {place} to a friendly map edge (14.2.3)"
    if not at_edge:
        view.presume(step("14.2.3", "an operational RR line links {hex} to a friendly map edge", hex=place))
    return ""

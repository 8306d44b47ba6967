"""What may supply a unit: supply units, RR lines and fortresses, and what keeps each from it (14.2, 14.3)."""

from __future__ import annotations

import msgspec

from assistant.field import Source, side_of
from assistant.questions import Gather
from assistant.state.state import Unit

from ..forces.armies import WARSAW_GARRISON, army_of, corps_and_army, is_cavalry_corps, may_draw
from ..forces.assets import attaching, formation_with, is_asset_unit
from ..railways.network import has_station
from ..terms import (
    BOYEN,
    BOYEN_REACH,
    BUKOWINA_BOX,
    COMBAT_ARMS,
    FIXED,
    FORTRESSES,
    KG_TRAIN,
    LANDWEHR,
)
from .lines import SupplyMap
from .rules import RR_IN_SUPPLY, RR_LINE, RR_LOW, ranges
from .special import is_in_the_box, praga_is_inactive

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
    near, far = range_on(facts, name), range_on(facts, name, extended=True) if may_extend(name) else 0
    return Source(name, arm, str(unit.place), ranges(arm, near, far))


def side_in_use(facts: Gather, unit: Unit) -> Source:
    """A depot or Corps Train as a source with the range of the side that it shows alone. Rule: 18.2"""
    name, arm = unit.id, facts.word("arm", unit.id)
    extended = facts.flag("extended", name) and may_extend(name)
    return Source(name, arm, str(unit.place), ranges(arm, range_on(facts, name, extended=extended)))


def may_extend(name: str) -> bool:
    """Whether a depot or Corps Train has an Extended Mode. Rule: 22.5.1, 24.5.1"""
    return name != KG_TRAIN and name not in FIXED


def range_on(facts: Gather, name: str, *, extended: bool = False) -> int:
    """The range on a side of a depot or Corps Train, in hexes, as an Incomplete marker leaves it. Rule: 3.6.1"""
    less = facts.integer("incomplete-range", name) if facts.integer("incomplete", name) else 0
    return max(facts.integer("extended-range" if extended else "range", name) - less, 0)


def serves_nobody(facts: Gather, source: Unit) -> str:
    """Why a supply unit serves nobody, "" if it may: Rail Mode, a marker, its own supply as the position gives it.
    Rule: 14.2, 14.2.1, 14.2.2b
    """
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


def of_another(facts: Gather, unit: Unit, source: Unit, formation: Unit | None = None) -> str:
    """Why attachment bars a unit from a supply unit of its side, "" if it does not.

    A train supplies units of its own corps and nation, that of a Cavalry Corps only the cavalry among them; independent cavalry
    may draw on any other train of its army, as one of two guests (`guests.bars_guest`), but not on that of Königsberg; Asset Units
    attached to such cavalry do not. Depots supply their army, so the unit's army is asked for. A lone Asset Unit draws on what the nearest
    formation may draw on. formation: what the unit is attached to, or itself, where that is known.
    Rule: 6.3.1a, 6.3.3b, 6.4.1b, 14.3.1b, 22.5.1b
    """
    rides = facts.word("arm", unit.id) == "cavalry"
    formation = formation or attaching(facts, unit)
    leads, unit = unit.id == formation.id, formation
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
    lent = leads and independent and source.id != KG_TRAIN and bool(army) and army == their_army
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


def boyen_as_source(fortress: Unit) -> Source | None:
    """The Fortress Boyen as a source, None for other fortresses. Rule: 14.2.4b"""
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


def railway(place: str) -> Source:
    """A hex of a RR line as a source of combat and artillery units. Rule: 14.2.3"""
    return Source(f"the RR line at {place}", RR_LINE, place, ranges(RR_LINE, RR_IN_SUPPLY, RR_LOW))


def underfoot(place: str) -> Source:
    """A RR line as what supplies a supply unit that stands on it, at any length and nowhere else (14.2.1, 14.2.2)."""
    return msgspec.structs.replace(railway(place), ranges=ranges(RR_LINE, 0))


def no_loc(facts: Gather, board: SupplyMap, place: str) -> str:
    """Why a depot in a hex is Out of Supply, "" if it is not: it needs a LOC and a RR Station there. Rule: 14.2.1"""
    if place not in board.loc.cost:
        return "no LOC (14.2.1)"
    return "" if has_station(facts, place) else f"no RR Station in {place} (14.2.1)"

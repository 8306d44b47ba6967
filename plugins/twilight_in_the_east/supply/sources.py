"""Who stands where, as supply sees it: friends, enemies, zones, and supply units as sources."""

from __future__ import annotations

from assistant.field.standing import side_of
from assistant.questions.view import Gather
from assistant.state.state import Unit

from ..forces.armies import corps_and_army, is_cavalry_corps, may_draw
from ..forces.assets import attaching, formation_with, is_asset_unit
from ..terms import BOYEN, BOYEN_REACH, COMBAT_ARMS, DEPOTS, FORTRESSES, KG_TRAIN, LANDWEHR, SUPPLY_ARMS
from .rules import Source

LANDWEHR_TRAIN, LANDWEHR_SUPPLIED = f"{LANDWEHR} Train", 9
"""The Corps Train that is In Supply without a line, and the last game turn in which it is (22.3.1)."""
BOYEN_SERVES = frozenset({"Lötzen", "Masurian", "Bacmeister"})
"""The units that the Fortress Boyen supplies (14.2.4)."""


def supply_unit(facts: Gather, name: str, place: str) -> Source:
    """A depot or Corps Train as a source, with both its ranges, which an Incomplete marker shortens. The Train of Königsberg
    has no extended one (22.5.1).

    Rule: 3.6.1
    """
    arm = facts.word("arm", name)
    less = facts.integer("incomplete-range", name) if facts.integer("incomplete", name) else 0
    near = max(facts.integer("range", name) - less, 0)
    far = 0 if name == KG_TRAIN else max(facts.integer("extended-range", name) - less, 0)
    return Source(name, arm, place, near, far)


def unusable(facts: Gather, unit: Unit, source: Unit, side: str) -> str:
    """Why a supply unit cannot supply a unit whatever the distance, "" if it can: attachment, Rail Mode, a marker, its own supply.

    Rule: 14.2.1, 14.2.2b
    """
    if facts.word("arm", source.id) not in SUPPLY_ARMS:
        return "no supply unit"
    if side_of(facts, source) not in ("", side):
        return "an enemy's"
    if other := of_another(facts, unit, source):
        return other
    if facts.flag("entrained", source.id):
        return "entrained (14.2.2)"
    if facts.word("arm", unit.id) in DEPOTS:
        return "no source for a depot, which has its supply by a LOC alone (14.2.1)"
    if marked := on_the_move(facts, source):
        return marked
    if facts.word("supply", source.id) == "out" and not needs_no_line(facts, source):
        return "Out of Supply itself (14.2)"
    return ""


def needs_no_line(facts: Gather, train: Unit) -> str:
    """Why a Corps Train is In Supply without a line, "" if it is not: that of Königsberg, and that of 3 LW Corps up to GT 9."""
    if train.id == KG_TRAIN:
        return "the Train of Königsberg is always In Supply (22.5.1)"
    if train.id == LANDWEHR_TRAIN and facts.integer("turn") <= LANDWEHR_SUPPLIED:
        return f"the Train of {LANDWEHR} Corps is In Supply up to GT {LANDWEHR_SUPPLIED} (22.3.1)"
    return ""


def of_another(facts: Gather, unit: Unit, source: Unit) -> str:
    """Why attachment bars a unit from a supply unit of its side, "" if it does not.

    A train supplies units of its own corps and nation, that of a Cavalry Corps only the cavalry among them; independent cavalry
    may draw on any other train of its army, of which no more than two such units may be served, which the players see to, but
    not on that of Königsberg. Depots supply their army, so the unit's army is asked for. A lone Asset Unit draws on what the
    nearest formation may draw on.

    Rule: 6.3.1a, 6.3.3b, 6.4.1b, 14.3.1b, 22.5.1b
    """
    rides = facts.word("arm", unit.id) == "cavalry"
    unit = attaching(facts, unit)
    arm = facts.word("arm", source.id)
    corps, army = corps_and_army(facts.view, unit.id)
    their_corps, their_army = corps_and_army(facts.view, source.id)
    if arm != "corps-train" or (facts.word("arm", unit.id) == "cavalry" and not corps):
        army, their_army = facts.word("army", unit.id), facts.word("army", source.id)
    if arm != "corps-train":
        return "" if may_draw(corps, army, arm, their_corps, their_army) else "of another army (14.3.2)"
    kin = facts.word("nation", unit.id) == facts.word("nation", source.id)
    of_cavalry = is_cavalry_corps(their_corps, marked=facts.flag("cavalry-corps", source.id))
    if of_cavalry and not (rides and corps):
        return "of another corps, and serves attached cavalry only (14.3.1)"
    rider = facts.word("arm", unit.id) == "cavalry" and not corps and source.id != KG_TRAIN
    lent = rider and bool(army) and army == their_army
    if lent or (kin and may_draw(corps, army, arm, their_corps, their_army)):
        return ""
    same = kin and bool(corps) and corps == their_corps
    return "of another army (6.3.1)" if same else "of another corps (14.3.1)"


def on_the_move(facts: Gather, source: Unit) -> str:
    """Why a depot gives neither supply nor APs because of how it moved, "" if nothing bars it.

    Rule: 10.5.2b, 14.2.1
    """
    marker = facts.word("relocation", source.id)
    return "" if marker == "none" else f"marked {marker.capitalize()} (8.2.7)"


def always_supplied(facts: Gather, unit: Unit) -> str:
    """Why a unit is In Supply without a line, "" if it is not: a fortress unit, a unit in Rail Mode, a Train that needs none, or
    one at a Fortress.

    Rule: 12.1, 8.2.4
    """
    if facts.word("arm", unit.id) in FORTRESSES:
        return "a fortress unit is always In Supply (12.1)"
    if facts.flag("entrained", unit.id):
        return "a unit in Rail Mode is In Supply (8.2.4)"
    if facts.word("arm", unit.id) == "corps-train":
        return needs_no_line(facts, unit)
    fortress = fortress_source(facts, unit)
    return f"it stands on or next to {fortress}, which has a supply symbol (14.2.4)" if fortress else ""


def fortress_source(facts: Gather, unit: Unit) -> str:
    """The friendly Fortress with a supply symbol on which or next to which a combat or artillery unit stands, "" for none.

    The symbol stands on the counter, and is asked for. Boyen serves some units only, and those along a line.

    Rule: 12.1.1, 14.2.4
    """
    if unit.place is None or facts.word("arm", unit.id) not in (*COMBAT_ARMS, "artillery"):
        return ""
    side = side_of(facts, unit)
    for place in (unit.place, *facts.view.board.neighbours(unit.place)):
        for other in facts.view.stack(place):
            if facts.word("arm", other.id) != "fortress" or side_of(facts, other) != side or other.id == BOYEN:
                continue
            if facts.flag("supply-symbol", other.id):
                return other.id
    return ""


def boyen(unit: Unit, fortress: Unit) -> Source | None:
    """The Fortress Boyen as a source, None for other fortresses, and for units that it does not serve.

    Rule: 14.2.4b
    """
    if fortress.id != BOYEN or fortress.place is None or unit.id not in BOYEN_SERVES:
        return None
    return Source(BOYEN, "fortress", fortress.place, BOYEN_REACH, 0)


def supplied_with(facts: Gather, unit: Unit) -> Unit:
    """The unit whose supply a unit shares: an Asset Unit in a stack shares that of the formation it is attached to.

    Rule: 6.4.1a, 6.2.4b
    """
    asset = is_asset_unit(facts, unit.id)
    if not asset or unit.place is None:
        return unit
    return facts.view.unit(formation_with(facts, unit, facts.word("with", unit.id)) or unit.id)

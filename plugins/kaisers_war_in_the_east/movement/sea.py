"""Moves across the sea: amphibious units between ports, and by the optional rules landings, assaults and naval
transfers (21.6, 22.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from assistant.asking import Gather, Step, View, changed, holding, note, step
from assistant.state.changes import AnyChange

from ..forces import formation
from ..ground import controller, hex_named, is_neutral
from ..seasons import season
from ..terms import AVAILABLE, CENTRAL_POWERS, CORPS, PARTISAN, SUPPLY
from ..victory.eliminations import eliminate, judge_worth
from .land import Mover

MARINE = "marine"
"""The arm that may invade from the sea."""
ALL_SEA = "all-sea"
"""The terrain of a hex without land."""
OPTION = "amphibious"
"""The optional rule of invasions."""
NONE = "none"
"""What is stated of a hex without a port, and of one on no sea."""
BALTIC = "baltic"
BASES = {"baltic": "Kronstadt", "black-sea": "Sevastopol"}
"""The port of each sea without which the Russians make no amphibious moves there (Optional Rules)."""
TRANSFERS = {
    "central-powers": (("Danzig", "Konigsberg", "Königsberg", "Koenigsberg", "Riga", "Helsinki"),),
    "allies": (("Petrograd", "Kronstadt", "Riga", "Helsinki"), ("Odessa", "Sevastopol")),
}
"""The ports between which each side makes naval transfers (Optional Rules)."""
RULES = {"amphibious": "21.6", "landing": "Opt/Amph/1", "assault": "Opt/Amph/5", "transfer": "Opt/Amph/7"}
"""The kinds of moves across the sea, each with its rule."""


class Voyage(NamedTuple):
    """A move across the sea."""

    kind: Annotated[str, note("amphibious, landing, assault or transfer")]
    sea: Annotated[str, note("the sea that it crosses: baltic or black-sea, or an empty text if unknown")]
    start: str
    end: str
    supply: Annotated[str, note('the supply unit that is expended, "" for none')] = ""

    @property
    def is_rolled(self) -> bool:
        """Whether a die decides about it."""
        return self.kind in ("landing", "assault")


def find_voyage(mover: Mover, end: str, supply: str | None) -> Voyage:
    """Return what kind of move across the sea leads to a hex. supply: the supply unit that is named for it, None for
    any in the port.
    """
    view = mover.view
    if mover.arm != MARINE:
        kind = "transfer"
    elif view.word("terrain", end) == ALL_SEA:
        kind = "assault"
    else:
        lacking = [at for at in (mover.at, end) if mover.facts.word("port", at) == NONE]
        kind = "landing" if lacking and OPTION in view.words("options") else "amphibious"
    starts = find_sea(mover.facts, mover.at, kind)
    ends = find_sea(mover.facts, end, kind)
    return Voyage(kind, starts if starts == ends else "", mover.at, end, supply_for(mover, kind, end, supply))


def find_sea(facts: Gather, at: str, kind: str) -> str:
    """Return the sea of a hex where a voyage of a kind begins or ends: that of its port, or in a landing and an assault
    of its coast; "" for none. Rule: 21.6, Opt/Amph/1
    """
    port = "" if facts.view.word("terrain", at) == ALL_SEA else facts.word("port", at)
    if port not in ("", NONE):
        return port
    coast = facts.word("coast", at) if kind in ("landing", "assault") else ""
    return "" if coast == NONE else coast


def has_port(view: View, at: str) -> bool:
    """Return whether a hex is known to have a port."""
    return view.word("port", at) not in ("", NONE)


def supply_for(mover: Mover, kind: str, end: str, named: str | None) -> str:
    """Return the supply unit that a voyage by the optional rules costs: the one named, or one in the port where it
    begins, else where it ends. Rule: Opt/Amph/2
    """
    if kind == "amphibious":
        return ""
    if named:
        return named
    view = mover.view
    me = mover.unit.id
    ports = [place for place in (mover.at, end) if has_port(view, place)]
    beside = (unit.id for port in ports for unit in view.stack(port) if unit.id != me)
    return next((unit for unit in beside if view.word("arm", unit) == SUPPLY), "")


def bars_to_sailing(mover: Mover, voyage: Voyage) -> list[Step]:
    """Return what bars any voyage: an end where it begins, enemies or a neutral country there, two seas, ice, a port
    that is not its side's, or the optional rules. Enemy zones do not. The port where a voyage begins is its side's, for
    the unit stands in it (7.3). Rule: 21.6, 22.1/4, Opt/Amph/4, Opt/Partisan
    """
    facts = mover.facts
    view = mover.view
    end = voyage.end
    frozen = voyage.sea == BALTIC and season(facts) == "winter"
    to_ports = voyage.kind in ("amphibious", "transfer")
    bare = [at for at in (voyage.start, end) if to_ports and view.word("port", at) == NONE]
    usual = voyage.kind == "amphibious" and view.ruling("port-arrival") == "controlled"
    clauses = (
        (voyage.start == end, RULES[voyage.kind], "the unit stands in {end} already"),
        (mover.arm == PARTISAN, "Opt/Partisan", "partisans may not move by sea"),
        (end in mover.around.enemies, "12.4", "enemies stand in {end}"),
        (is_neutral(facts, view.word("country", end)), "11.8", "{end} lies in a neutral country"),
        (bare, "21.6", "there is no port in {bare}"),
        (not voyage.sea and not bare, "21.6", "{start} and {end} do not lie on the same sea"),
        (frozen, "22.1", "no amphibious operations in the Baltic in winter"),
        (usual and controller(facts, end) != mover.side, "21.6", "its side does not control {end}"),
    )
    reasons = holding(clauses, voyage, bare=bare)
    if voyage.kind != "amphibious":
        reasons += optional_bars(mover, voyage)
    return reasons


def optional_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """Yield what bars a voyage by the optional rules: their being in force, another one in this player turn, the supply
    unit, ports, bases. Rule: Opt/Amph/1, Opt/Amph/2
    """
    view = mover.view
    if OPTION not in view.words("options"):
        yield step("21.6", "without the optional rules only amphibious units sail, and from port to port")
        return
    if view.flag("sailed", mover.side):
        yield step("Opt/Amph/1", "its side has already made an amphibious move or a naval transfer this player turn")
    if not voyage.supply:
        yield step("Opt/Amph/2", "there is no supply unit in the port to expend")
    elif voyage.supply == mover.unit.id:
        yield step("Opt/Amph/2", "{supply} may not be expended for its own move", voyage)
    elif view.word("arm", voyage.supply) != SUPPLY or view.unit(voyage.supply).place not in (voyage.start, voyage.end):
        yield step("Opt/Amph/2", "{supply} is not a supply unit in the port", voyage)
    if voyage.kind == "transfer":
        yield from transfer_bars(mover, voyage)
    else:
        yield from landing_bars(mover, voyage)


def landing_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """Yield what bars a landing or an assault by the optional rules: its ends, and for Russians the base of that sea."""
    yield from assault_bars(mover, voyage) if voyage.kind == "assault" else port_bars(mover, voyage)
    yield from base_bars(mover, voyage)


def assault_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """Yield what bars an assault from the sea. Rule: Opt/Amph/5"""
    if not has_port(mover.view, voyage.start):
        yield step("Opt/Amph/5", "an assault must start in a port")
    if not mover.around.next_to_enemy(voyage.end):
        yield step("Opt/Amph/5", "no enemy is adjacent to {end}", voyage)


def port_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """Yield what bars a landing, which begins in a port or ends in one that its side controls. Rule: Opt/Amph/1"""
    if has_port(mover.view, voyage.start):
        return
    if not has_port(mover.view, voyage.end):
        yield step("Opt/Amph/1", "neither {start} nor {end} is a port", voyage)
    elif controller(mover.facts, voyage.end) != mover.side:
        yield step("Opt/Amph/1", "its side does not control {end}", voyage)


def base_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """Yield that no Russians land in a sea whose base the Central Powers control. Rule: Opt/Amph/6"""
    view = mover.view
    base = BASES.get(voyage.sea, "")
    if mover.nation != "russian" or not base:
        return
    port = hex_named(view, base)
    if port is None:
        taken = "{base} assumed not to be controlled by the Central Powers (its hex not stated)"
        view.premises.assume(step("Opt/Amph/6", taken, base=base))
    elif controller(mover.facts, port) == CENTRAL_POWERS:
        yield step("Opt/Amph/6", "the Central Powers control {base}", base=base)


def transfer_bars(mover: Mover, voyage: Voyage) -> list[Step]:
    """Return what bars a naval transfer: what is moved, and from where to where. Rule: Opt/Amph/7"""
    facts = mover.facts
    side = mover.side
    names = {"start": _require_port_name(facts, voyage.start), "end": _require_port_name(facts, voyage.end)}
    led = any({*names.values()} <= {*ports} for ports in TRANSFERS[side])
    large = mover.arm != SUPPLY and mover.size != CORPS
    foreign = controller(facts, voyage.end) != side
    clauses = (
        (large, "Opt/Amph/7", "a naval transfer moves only a corps or a supply unit"),
        (not led, "Opt/Amph/7", "naval transfers of the {side} may not go from {start} to {end}"),
    )
    away = (foreign, "Opt/Amph/7", "its side does not control {end}")
    return [*holding(clauses, side=mover.view.title_of(side), **names), *holding([away], voyage)]


def _require_port_name(facts: Gather, at: str) -> str:
    """Return the name of a port, of the board or as stated; asked for while it is unknown."""
    known = next((place.name for place in facts.view.board.places if place.hex == at), "")
    return known or str(facts.value("named", at) or "")


def landing_on(facts: Gather, die: int) -> str:
    """Return what the die of a landing leads to by the Amphibious Landing Table: eliminated, fails or lands.
    Rule: Opt/Amph/3
    """
    return str(facts.cell("landing", die).values["result"])


def sail(mover: Mover, voyage: Voyage, landing: str) -> Iterator[AnyChange]:
    """Yield what a voyage changes: places, the supply unit, Victory Points for a unit lost. landing: as rolled, "" for
    none. Rule: Opt/Amph/2, Opt/Amph/3
    """
    view = mover.view
    name = mover.unit.id
    rule = RULES[voyage.kind]
    if voyage.kind != "amphibious":
        yield changed(view, "place", voyage.supply, AVAILABLE, "Opt/Amph/2")
        yield changed(view, "sailed", mover.side, True, rule)
    if landing == "eliminated":
        unit = formation(mover.facts, mover.unit, fights=False)
        yield from eliminate(view, unit, mover.side, judge_worth(mover.facts, unit, mover.side), "Opt/Amph/3")
        return
    if landing != "fails":
        yield changed(view, "place", name, voyage.end, rule)
    yield changed(view, "moved", name, True, "11.2")

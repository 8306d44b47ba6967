"""The questions `move` and `reach`: moves by land, rail and sea, with their costs and changes.

Rules 11, 13, 17.9, 18, 21.6 and 22.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.asking import InputError, note
from assistant.asking.asks import Ask
from assistant.asking.messages import SAY
from assistant.asking.permission import holding, permission, refused
from assistant.asking.play import refuse_others, throw
from assistant.asking.question import Answers, Helpful, Moves, PlaceName, UnitName, Way, declare
from assistant.asking.report import MissingFacts, Report, Step, step
from assistant.asking.view import Gather, View, changed
from assistant.rules.field import HexBar
from assistant.rules.field.movement import Moved, judge_apart, reach_of
from assistant.rules.field.movement import Reach as UsualReach
from assistant.rules.field.places import hex_named
from assistant.rules.field.ways import NoWay
from assistant.rules.moves import REFUSED_MOVE, choose_refusal
from assistant.rules.sketches import of_reach, of_way
from assistant.state.changes import AnyChange, Change, Gain
from assistant.state.state import hexside

from ..forces import formation, is_within_limits
from ..ground import TRACKS, are_railroads_known, controller, field, has_railroad, is_neutral, is_transit, zone_in
from ..seasons import season
from ..supply.reach import Offensive
from ..terms import AVAILABLE, CENTRAL_POWERS, CORPS, PARTISAN, SUPPLY, TRAIN
from ..victory.points import Entry, eliminate_unit, enter_hexes, format_entry, judge_worth, take_hexes_in_movement
from .land import (
    HALVES_PER_POINT,
    RAIL_CAPACITY_THIRDS,
    Entered,
    Mover,
    Rail,
    assume_near,
    bars_to_moving,
    bars_to_rail,
    enter_by_land,
    enter_by_rail,
    format_points,
    measure_equivalent,
    mover_of,
    moving_of,
    note_granted_line,
    rail_in,
    thirds_of,
)

_RULE_BY_WAY = {"land": "11.4", "road": "11.5", "rail": "18.1", "sea": "21.6"}
"""The rule by the way of entering a hex."""
VOYAGE_TEXTS = {
    "amphibious": "an amphibious unit sails from port to port, which takes its entire move",
    "landing": "an amphibious move: it begins or ends in a port, and a die decides whether it lands",
    "assault": "an amphibious assault: it must attack an adjacent coastal hex in the First Combat Phase",
    "transfer": "a naval transfer of one corps or supply unit",
}
LANDING_TEXTS = {
    "eliminated": "is eliminated, as if lost in combat",
    "fails": "stays where it is and does not move in this phase",
    "lands": "lands",
}
DIE = "landing"
MARINE = "marine"
"""The type of units that may invade from the sea."""
ALL_SEA = "all-sea"
"""The terrain of a hex without land."""
AMPHIBIOUS_OPTION = "amphibious"
"""The optional rule of invasions."""
NO_SEA = "none"
"""The value of a hex that has no port or is not on a coast."""
BALTIC = "baltic"
RUSSIAN_BASES = {"baltic": "Kronstadt", "black-sea": "Sevastopol"}
"""The port of each sea without which the Russians make no amphibious moves on that sea (Optional Rules)."""
TRANSFER_PORTS = {
    "central-powers": (("Danzig", "Konigsberg", "Königsberg", "Koenigsberg", "Riga", "Helsinki"),),
    "allies": (("Petrograd", "Kronstadt", "Riga", "Helsinki"), ("Odessa", "Sevastopol")),
}
"""The ports between which each side makes naval transfers (Optional Rules)."""
RULES = {"amphibious": "21.6", "landing": "Opt/Amph/1", "assault": "Opt/Amph/5", "transfer": "Opt/Amph/7"}
"""The rules of moves across the sea, by kind."""


def _propose_forced_marches(view: View) -> Iterator[tuple[str, str]]:
    """Yield the Forced Marches that may make a refused move possible, by their supply unit."""
    for unit in view.units():
        if unit.place and view.word("arm", unit.id) == SUPPLY:
            yield f"by a Forced March for which {unit.id} is expended", unit.id


ForcedBy = Annotated[
    UnitName | None, note("the supply unit that is expended for a Forced March"), Helpful(_propose_forced_marches)
]


class Move(Moved, frozen=True, kw_only=True):
    """A move up to the first hex that is barred, with costs in halves of a Movement Point."""

    by: Annotated[str, note("land, rail or sea")]
    entered: Annotated[tuple[Entered, ...], note("the hexes that the unit enters, with their costs")] = ()
    disengages: Annotated[bool, note("whether the unit disengages from an enemy zone")] = False
    railed: Annotated[int, note("rail capacity that the move takes, in thirds of an Army Equivalent")] = 0
    rail_left: Annotated[int, note("rail capacity that is left afterwards, in thirds of an Army Equivalent")] = (
        RAIL_CAPACITY_THIRDS
    )
    over_stacked: Annotated[bool, note("whether the last hex is then over the stacking limits")] = False
    kind: Annotated[str, note("by sea: amphibious, landing, assault or transfer; else empty")] = ""
    landing: Annotated[str, note("by sea: eliminated, fails or lands, as rolled; empty if not rolled")] = ""


def move(
    view: View,
    answers: Answers,
    *,
    unit: UnitName,
    way: Annotated[Way, note("the hexes that the unit enters, in order; by sea only the last one")],
    by: Annotated[Literal["land", "rail", "sea"], note("land, rail or sea")] = "land",
    entrain: Annotated[PlaceName | None, note("the hex where its rail move begins, if it is not the first")] = None,
    detrain: Annotated[PlaceName | None, note("the hex where its rail move ends, if it is not the last")] = None,
    forced: ForcedBy = None,
    supply: Annotated[
        UnitName | None, note("the supply unit that is expended for an amphibious move or a naval transfer")
    ] = None,
) -> Report[Move]:
    """Return the report on a move.

    Raises InputError if the hexes make no way, MissingFacts if a needed fact is not stated.
    """
    title = f"Move of {unit} to {way[-1] if way else 'nowhere'}"
    if by == "sea" and (forced or entrain or detrain):
        raise InputError("forced, entrain and detrain are not for a move by sea", hint="leave them out")
    if by != "sea" and supply:
        raise InputError("supply is only for a move by sea", hint="type by=sea")
    with view.gather() as facts:
        mover, march = mover_of(facts, unit, forced)
        stopped = [*bars_to_moving(mover, march)]
        if by == "sea":
            if len(way) != 1:
                raise InputError("way: a move by sea has only one hex, where it ends", hint="name only that hex")
            (end,) = way
            return (
                refused(title, REFUSED_MOVE, stopped) if stopped else _report_voyage(mover, end, supply, answers, title)
            )
        refuse_others(answers, [])
        line = (mover.at, *way)
        rail = None
        if by == "rail":
            rail = rail_in(line, entrain, detrain)
        elif entrain or detrain:
            raise InputError("entrain and detrain are only for a rail move", hint="type by=rail")
        stretch = line[rail.first : rail.last + 1] if rail else ()
        thirds = thirds_of(mover, stretch) if rail else 0
        move, bars = _walk_overland(mover, line, rail, thirds)
        stopped += bars
        if rail and not stopped:
            stopped += bars_to_rail(mover, stretch, thirds)
        if stopped:
            assume_near(mover, line[: len(move.entered) + 2] if bars else ())
            return refused(title, choose_refusal(stopped), stopped, result=move)
        move = msgspec.structs.replace(move, over_stacked=not fits(facts, mover, line[-1]))
        _note_granted(mover, move, rail, stretch)
        takes = enter_hexes(view, mover.side, [place.hex for place in move.entered])
        changes = [*move_changes(mover, move, march, takes)]
        return permission(
            title,
            ("{unit} may move to {end}: {cost_points} of {allowance_points} Movement Points", REFUSED_MOVE),
            (),
            move,
            working={
                "Way": _way_steps(mover, move, march, line[-1]),
                "Afterwards": _list_steps_after(mover, move, rail, takes),
            },
            changes=changes,
            sentences=_format_move(move, line[-1]),
            end=line[-1],
            cost_points=format_points(move.cost),
            allowance_points=format_points(move.allowance),
        )


# --- moves by land and rail -------------------------------------------------------------------------------------------


def _walk_overland(mover: Mover, line: Sequence[str], rail: Rail | None, thirds: int) -> tuple[Move, list[Step]]:
    """Return a move by land and rail up to the first barred hex, and the reasons for the bar.

    `thirds`: the rail capacity that the move takes, in thirds of an Army Equivalent.
    """
    by = "rail" if rail else "land"
    left = RAIL_CAPACITY_THIRDS - mover.view.integer("railed", mover.side) - thirds
    enter = partial(enter_next, mover, rail)
    transport = {"by": by, "railed": thirds, "rail_left": left}
    move, bars = moving_of(mover, enter).moved(
        Move, mover.unit.id, line[1:], rule="11.1", points=format_points, **transport
    )
    return msgspec.structs.replace(move, disengages=any(place.disengages for place in move.entered)), bars


def enter_next(mover: Mover, rail: Rail | None, here: str, there: str, number: int) -> Entered | HexBar:
    """Return the next hex of a move, entered by land or by rail. Rule: 11.0, 18.1, 18.5"""
    if rail and rail.first <= number < rail.last:
        return enter_by_rail(mover, rail.first, here, there, number)
    return enter_by_land(mover, here, there, number)


def fits(facts: Gather, mover: Mover, at: str) -> bool:
    """Return whether a hex has room for a unit. Rule: 12.1/1, 12.1/2, 12.1/3, 12.1/4, 12.3, Opt/Amph/4"""
    there = [unit for unit in facts.view.stack(at) if unit.id != mover.unit.id]
    return is_within_limits([formation(facts, unit, fights=False) for unit in (*there, mover.unit)])


def _note_granted(mover: Mover, move: Move, rail: Rail | None, stretch: Sequence[str]) -> None:
    """Note the assumptions of a move: hexsides without water, railroads, control, zones of control."""
    view = mover.view
    here = move.at
    for place in move.entered:
        if place.how == "land":
            TRACKS.assume_none(view, [hexside(here, place.hex)], "11.4", "to be free of water")
        here = place.hex
    if rail:
        note_granted_line(view, mover.side, mover.nation, stretch, border=mover.arm != TRAIN)
    assume_near(mover, [entered.hex for entered in move.entered])


def _way_steps(mover: Mover, move: Move, march: Offensive | None, end: str) -> Iterator[Step]:
    if march:
        yield step("17.9", "{source} is expended: {units} move by Forced March", march)
    for place in move.entered:
        text = "{hex} by {how}: {points}" + (", with 1 to disengage" if place.disengages else "")
        yield step(
            "13.5" if place.disengages else _RULE_BY_WAY[place.how], text, place, points=format_points(place.cost)
        )
    if move.minimum:
        yield step("11.6", "the minimum move: one hex for all Movement Points")
    if move.entered[-1].stops:
        yield step("13.4", "{end} is in {zone}: the unit stops there", end=end, zone=zone_in(mover.around, end))


def _format_move(move: Move, end: str) -> list[Step]:
    costs = [SAY.brief("move.hex", place, cost=format_points(place.cost)) for place in move.entered]
    cost = format_points(move.cost)
    allowance = format_points(move.allowance)
    whole = {"units": [move.unit], "end": end}
    sentences = [SAY("11.1", "move.to", **whole, cost=cost, allowance=allowance, way=costs)]
    return sentences + ([SAY("12.2", "move.over", over=[end])] if move.over_stacked else [])


def _list_steps_after(mover: Mover, move: Move, rail: Rail | None, takes: Entry) -> list[Step]:
    """Return the rail capacity, stacking and control after the move."""
    free = rail and not move.railed
    over = "{end} is over the stacking limits: any excess there when the phase ends is eliminated"
    clauses = (
        (move.railed, "18.2", "{railed} thirds of an Army Equivalent by rail, {rail_left} left this phase"),
        (free and mover.arm == TRAIN, "21.4", "armoured trains take no rail capacity"),
        (free and mover.arm != TRAIN, "18.3", "within Germany it takes no rail capacity"),
        (move.over_stacked, "12.2", over),
    )
    return [*holding(clauses, move, end=move.entered[-1].hex), *format_entry(mover.view, takes)]


def move_changes(mover: Mover, move: Move, march: Offensive | None, entry: Entry) -> Iterator[AnyChange]:
    """Yield the changes of a move by land or rail."""
    if march:
        yield from begin_march(mover.view, march)
    yield from end_move(mover, move)
    yield from take_hexes_in_movement(mover.view, entry)
    yield from use_rails(mover, move)


def begin_march(view: View, march: Offensive) -> Iterator[Change]:
    """Yield the changes of a Forced March: its supply unit is expended, and its units are marked. Rule: 17.9/1"""
    yield changed(view, "place", march.source, AVAILABLE, "17.9")
    for unit_id in march.units:
        yield changed(view, "marching", unit_id, True, "17.9")


def end_move(mover: Mover, move: Move) -> Iterator[Change]:
    """Yield the changes at the end of a move: the unit is in its new hex, and has moved. Rule: 17.1"""
    name = mover.unit.id
    yield changed(mover.view, "place", name, move.entered[-1].hex, "11.1")
    yield changed(mover.view, "moved", name, True, "11.2")


def use_rails(mover: Mover, move: Move) -> Iterator[Gain]:
    """Yield the rail capacity that a move uses. Rule: 18.2"""
    if move.railed:
        yield Gain("railed", mover.side, move.railed, "18.2")


# --- moves by sea -----------------------------------------------------------------------------------------------------


def _report_voyage(mover: Mover, end: str, supply: str | None, answers: Answers, title: str) -> Report[Move]:
    """Return the report on a move across the sea."""
    voyage = find_voyage(mover, end, supply)
    facts = mover.facts
    if reasons := [*bars_to_sailing(mover, voyage)]:
        return refused(title, REFUSED_MOVE, reasons)
    landing = ""
    asks = tuple[Ask, ...]()
    if voyage.is_rolled:
        thrown = throw(DIE, "Opt/Amph/3", "Amphibious Landing Table", partial(landing_on, facts), answers)
        landing = thrown.came or ""
        asks = thrown.asks
    else:
        refuse_others(answers, [])
    ends = landing not in ("fails", "eliminated")
    entered = Entered(hex=end, cost=mover.allowance, how="sea", stops=end in mover.around.enemy_zones)
    move = Move(
        unit=mover.unit.id,
        at=mover.at,
        by="sea",
        entered=(entered,) if ends else (),
        cost=mover.allowance,
        allowance=mover.allowance,
        over_stacked=ends and not fits(facts, mover, end),
        kind=voyage.kind,
        landing=landing,
    )

    figures = SimpleNamespace(end=end, source=voyage.supply, landing=LANDING_TEXTS.get(landing, ""))
    attacks = "no Maximum Attack Supply; it lands if its result allows pursuit, and is eliminated if not"
    clauses = (
        (True, RULES[voyage.kind], VOYAGE_TEXTS[voyage.kind]),
        (voyage.supply, "Opt/Amph/2", "{source} is expended, whatever the outcome"),
        (landing, "Opt/Amph/3", "{unit} {landing}"),
        (move.over_stacked, "12.2", "{end} is over the stacking limits"),
        (voyage.kind == "assault" and ends, "Opt/Amph/5", attacks),
    )
    # An assault ends at sea, where the unit takes no hex.
    takes = enter_hexes(mover.view, mover.side, [end] if ends and voyage.kind != "assault" else [])
    changes = () if asks else (*voyage_changes(mover, voyage, landing), *take_hexes_in_movement(mover.view, takes))
    text = "{unit} {landing}" if landing else "{unit} may sail to {end}" + ("; roll 1d6" if asks else "")
    over = [step(RULES[voyage.kind], f"{text}.", figures, move), SAY("12.2", "move.over", over=[end])]
    return permission(
        title,
        (text, REFUSED_MOVE),
        (),
        move,
        figures,
        working={
            "Voyage": holding(clauses, figures, move),
            "Afterwards": [] if asks else format_entry(mover.view, takes),
        },
        asks=asks,
        changes=changes,
        kind="yes" if ends and not asks else "figure",
        sentences=over if move.over_stacked and not asks else (),
    )


class Voyage(NamedTuple):
    """A move across the sea."""

    kind: Annotated[str, note("amphibious, landing, assault or transfer")]
    sea: Annotated[str, note("the sea that it crosses: baltic or black-sea, or an empty text if unknown")]
    start: str
    end: str
    supply: Annotated[str, note('the supply unit that is expended, "" for none')] = ""

    @property
    def is_rolled(self) -> bool:
        """Whether a die decides the voyage."""
        return self.kind in ("landing", "assault")


def find_voyage(mover: Mover, end: str, supply: str | None) -> Voyage:
    """Return the voyage of a unit to a hex.

    `supply`: the supply unit named for the voyage, or None for any in the port.
    """
    view = mover.view
    if mover.arm != MARINE:
        kind = "transfer"
    elif view.word("terrain", end) == ALL_SEA:
        kind = "assault"
    else:
        lacking = [at for at in (mover.at, end) if mover.facts.word("port", at) == NO_SEA]
        kind = "landing" if lacking and AMPHIBIOUS_OPTION in view.words("options") else "amphibious"
    starts = find_sea(mover.facts, mover.at, kind)
    ends = find_sea(mover.facts, end, kind)
    return Voyage(kind, starts if starts == ends else "", mover.at, end, supply_for(mover, kind, end, supply))


def find_sea(facts: Gather, at: str, kind: str) -> str:
    """Return the sea of a hex where a voyage begins or ends, or "" if it has none.

    A port decides, or in a landing or an assault the coast.

    Rule: 21.6, Opt/Amph/1
    """
    port = "" if facts.view.word("terrain", at) == ALL_SEA else facts.word("port", at)
    if port not in ("", NO_SEA):
        return port
    coast = facts.word("coast", at) if kind in ("landing", "assault") else ""
    return "" if coast == NO_SEA else coast


def has_port(view: View, at: str) -> bool:
    """Return whether a hex is known to have a port."""
    return view.word("port", at) not in ("", NO_SEA)


def supply_for(mover: Mover, kind: str, end: str, named: str | None) -> str:
    """Return the supply unit that a voyage by the optional rules costs, or "" if it costs none.

    It is the named one, or else one in the ports of the voyage.

    Rule: Opt/Amph/2
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
    """Return the reasons against a voyage, which enemy zones do not bar.

    Rule: 21.6, 22.1/4, Opt/Amph/4, Opt/Partisan
    """
    facts = mover.facts
    view = mover.view
    end = voyage.end
    frozen = voyage.sea == BALTIC and season(facts) == "winter"
    to_ports = voyage.kind in ("amphibious", "transfer")
    bare = [at for at in (voyage.start, end) if to_ports and view.word("port", at) == NO_SEA]
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
    """Yield the reasons against a voyage by the optional rules. Rule: Opt/Amph/1, Opt/Amph/2"""
    view = mover.view
    if AMPHIBIOUS_OPTION not in view.words("options"):
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
    """Yield the reasons against a landing or an assault."""
    yield from assault_bars(mover, voyage) if voyage.kind == "assault" else port_bars(mover, voyage)
    yield from base_bars(mover, voyage)


def assault_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """Yield the reasons against an assault from the sea. Rule: Opt/Amph/5"""
    if not has_port(mover.view, voyage.start):
        yield step("Opt/Amph/5", "an assault must start in a port")
    if not mover.around.next_to_enemy(voyage.end):
        yield step("Opt/Amph/5", "no enemy is adjacent to {end}", voyage)


def port_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """Yield the reasons against a landing.

    A landing must begin in a port, or end in one that the unit's side controls.

    Rule: Opt/Amph/1
    """
    if has_port(mover.view, voyage.start):
        return
    if not has_port(mover.view, voyage.end):
        yield step("Opt/Amph/1", "neither {start} nor {end} is a port", voyage)
    elif controller(mover.facts, voyage.end) != mover.side:
        yield step("Opt/Amph/1", "its side does not control {end}", voyage)


def base_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """Yield the reason that keeps Russians from a sea whose base the Central Powers control. Rule: Opt/Amph/6"""
    view = mover.view
    base = RUSSIAN_BASES.get(voyage.sea, "")
    if mover.nation != "russian" or not base:
        return
    port = hex_named(view, base)
    if port is None:
        taken = "{base} assumed not to be controlled by the Central Powers (its hex not stated)"
        view.premises.assume(step("Opt/Amph/6", taken, base=base))
    elif controller(mover.facts, port) == CENTRAL_POWERS:
        yield step("Opt/Amph/6", "the Central Powers control {base}", base=base)


def transfer_bars(mover: Mover, voyage: Voyage) -> list[Step]:
    """Return the reasons against a naval transfer: its unit or its ports. Rule: Opt/Amph/7"""
    facts = mover.facts
    side = mover.side
    names = {"start": _require_port_name(facts, voyage.start), "end": _require_port_name(facts, voyage.end)}
    led = any({*names.values()} <= {*ports} for ports in TRANSFER_PORTS[side])
    large = mover.arm != SUPPLY and mover.size != CORPS
    foreign = controller(facts, voyage.end) != side
    clauses = (
        (large, "Opt/Amph/7", "a naval transfer moves only a corps or a supply unit"),
        (not led, "Opt/Amph/7", "naval transfers of the {side} may not go from {start} to {end}"),
    )
    away = (foreign, "Opt/Amph/7", "its side does not control {end}")
    return [*holding(clauses, side=mover.view.title_of(side), **names), *holding([away], voyage)]


def _require_port_name(facts: Gather, at: str) -> str:
    known = next((place.name for place in facts.view.board.places if place.hex == at), "")
    return known or str(facts.value("named", at) or "")


def landing_on(facts: Gather, die: int) -> str:
    """Return the result of a landing's die: eliminated, fails or lands. Rule: Opt/Amph/3"""
    return str(facts.cell("landing", die).values["result"])


def voyage_changes(mover: Mover, voyage: Voyage, landing: str) -> Iterator[AnyChange]:
    """Yield the changes of a voyage.

    `landing`: the result of the voyage's die, or "" if none is rolled.

    Rule: Opt/Amph/2, Opt/Amph/3
    """
    view = mover.view
    name = mover.unit.id
    rule = RULES[voyage.kind]
    if voyage.kind != "amphibious":
        yield changed(view, "place", voyage.supply, AVAILABLE, "Opt/Amph/2")
        yield changed(view, "sailed", mover.side, True, rule)
    if landing == "eliminated":
        unit = formation(mover.facts, mover.unit, fights=False)
        yield from eliminate_unit(view, unit, mover.side, judge_worth(mover.facts, unit, mover.side), "Opt/Amph/3")
        return
    if landing != "fails":
        yield changed(view, "place", name, voyage.end, rule)
    yield changed(view, "moved", name, True, "11.2")


# --- where a unit can move --------------------------------------------------------------------------------------------


class Reach(UsualReach, frozen=True, kw_only=True):
    """The hexes that a unit can reach, with costs in halves of a Movement Point."""


def reach(
    view: View,
    *,
    unit: UnitName,
    by: Annotated[Literal["land", "rail"], note("land, or rail for only a rail move")] = "land",
    forced: ForcedBy = None,
) -> Report[Reach]:
    """Return the report on the hexes that a unit can reach.

    Raises InputError if the unit is not on the map, MissingFacts for what is not stated.
    """
    with view.gather() as facts:
        mover, march = mover_of(facts, unit, forced)
        reasons = [*bars_to_moving(mover, march)]
        by_rail = by == "rail"
        if by_rail and not reasons:
            reasons += bars_to_rail(mover, [mover.at], measure_equivalent(view, mover.arm, mover.size))
        enter = judge_apart(mover, enter_by_rail_alone if by_rail else enter_by_land)
        report = reach_of(
            Reach,
            mover.unit.id,
            by,
            moving_of(mover, enter),
            reasons,
            rule="18.1" if by_rail else "11.1",
            minimum_rule="11.6",
            points=format_points,
            parts=HALVES_PER_POINT,
        )
    assume_near(mover, [place.hex for place in report.result.hexes] if report.result else ())
    return report


def enter_by_rail_alone(mover: Mover, here: str, there: str, number: int) -> Entered | HexBar:
    """Return the next hex of a rail move that begins in the unit's own hex, or the bar to it.

    Rule: 18.1, 18.4, 18.5
    """
    over = hexside(here, there)
    if not has_railroad(mover.view, over) and (
        are_railroads_known(mover.view, mover.side) or mover.facts.word("rail", over) != "rail"
    ):
        return NoWay("18.4", "no railroad leads there")
    return enter_by_rail(mover, 0, here, there, number)


# --- moves as a table shows them --------------------------------------------------------------------------------------


def cannot_go_otherwise(view: View, unit: str, before: str, after: str) -> bool:
    """Return whether no move with a Forced March, a voyage or a ride on its way can have brought a unit to a hex."""
    try:
        with view.gather() as facts:
            mover, _ = mover_of(facts, unit)
            is_forced = any(True for _ in _propose_forced_marches(view))
            return not (is_forced or may_sail(mover, after) or may_ride(mover, after))
    except (InputError, MissingFacts):
        return False


def may_sail(mover: Mover, end: str) -> bool:
    """Return whether a unit may have sailed to a hex, as far as its kind and both coasts tell."""
    facts = mover.facts
    with_options = AMPHIBIOUS_OPTION in mover.view.words("options")
    if not with_options:
        return mover.arm == MARINE and NO_SEA not in (facts.word("port", mover.at), facts.word("port", end))
    return not any({facts.word("port", place), facts.word("coast", place)} == {NO_SEA} for place in (mover.at, end))


def may_ride(mover: Mover, end: str) -> bool:
    """Return whether railroads lead from near a unit to near a hex.

    The unit walks to them and from them with the Movement Points that its ride leaves, a hex for each at most.
    """
    view = mover.view
    far = mover.allowance // HALVES_PER_POINT - 1
    if mover.arm == PARTISAN or far < 0:
        return False
    reached = {place for place in _list_around(view, mover.at, far) if any(_list_rails(mover, place))}
    ends = _list_around(view, end, far)
    waiting = [*reached]
    while waiting and reached.isdisjoint(ends):
        onward = [there for there in _list_rails(mover, waiting.pop()) if there not in reached]
        reached |= {*onward}
        waiting += onward
    return not reached.isdisjoint(ends)


def _list_around(view: View, at: str, far: int) -> set[str]:
    """Return the hexes within a distance of a hex, that one too."""
    found = {at}
    for _ in range(far):
        found |= {there for here in found for there in view.board.neighbours(here)}
    return found


def _list_rails(mover: Mover, here: str) -> Iterator[str]:
    """Yield the hexes to which a railroad leads from a hex.

    Raises MissingFacts if it is not known whether one does.
    """
    view = mover.view
    for there in view.board.neighbours(here):
        over = hexside(here, there)
        is_known = has_railroad(view, over) or are_railroads_known(view, mover.side)
        if is_transit(view, over) or (
            has_railroad(view, over) if is_known else mover.facts.word("rail", over) == "rail"
        ):
            yield there


QUESTIONS = (
    declare(
        "move",
        "whether a unit may move along a route by land, rail or sea, and what it costs",
        move,
        {DIE: "the die on the Amphibious Landing Table"},
        sketch=of_way(
            lambda move: [move.at, *(place.hex for place in move.entered)],
            field,
            lambda move: {place.hex: format_points(place.cost) for place in move.entered},
        ),
        shows=(
            Moves(by="on foot", to="way", reach="reach"),
            Moves(by="by rail", to="way", reach="reach", reach_parameters={"by": "rail"}, parameters={"by": "rail"}),
            Moves(by="by Forced March, by sea, or partly by rail", to="way", is_excluded=cannot_go_otherwise),
        ),
    ),
    declare(
        "reach",
        "the hexes to which a unit can move by land or rail, with what they cost",
        reach,
        sketch=of_reach(field),
    ),
)

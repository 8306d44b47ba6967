"""Moves across the sea: amphibious units between ports, and by the optional rules landings, assaults and naval transfers (21.6, 22.1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from assistant.mechanics.procedure import Dice, Done, Node, Roll, Situation, Stuck
from assistant.questions import Answers, Gather, InputError, Part, Report, Step, View, refused, step, verdict
from assistant.questions.play import play, refuse_others
from assistant.questions.report import Ask
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Gain

from ..forces.stacking import is_within_limits
from ..forces.units import formation
from ..ground.countries import is_neutral
from ..ground.places import controller, hex_named
from ..ground.seasons import season
from ..terms import AVAILABLE, CENTRAL_POWERS, CORPS, DEAD_PILE, SUPPLY
from ..victory.losses import worth
from .asked import Move, MoveAsked
from .land import Entered, Mover

DIE = "landing"
MARINE, ALL_SEA, OPTION = "marine", "all-sea", "amphibious"
BALTIC = "baltic"
BASES = {"baltic": "Kronstadt", "black-sea": "Sevastopol"}
"""The port of each sea without which the Russians make no amphibious moves there (Optional Rules)."""
TRANSFERS = {
    "central-powers": (("Danzig", "Konigsberg", "Königsberg", "Koenigsberg", "Riga", "Helsinki"),),
    "allies": (("Petrograd", "Kronstadt", "Riga", "Helsinki"), ("Odessa", "Sevastopol")),
}
"""The ports between which each side makes naval transfers (Optional Rules)."""
SAYS = {
    "amphibious": ("21.6", "an amphibious unit sails from port to port, which takes its whole move"),
    "landing": ("Opt/Amph/1", "an amphibious move: it begins or ends in a port, and a die decides whether it lands"),
    "assault": (
        "Opt/Amph/5",
        "an amphibious assault: it must attack a coastal hex next to it in the First Combat Phase",
    ),
    "transfer": ("Opt/Amph/7", "a naval transfer of one corps or supply unit"),
}


class Voyage(NamedTuple):
    """A move across the sea. kind: amphibious, landing, assault or transfer; sea: baltic or black-sea, "" while it is missing; supply: the
    supply unit that is expended, "" for none."""

    kind: str
    sea: str
    start: str
    end: str
    supply: str = ""


def voyage_of(mover: Mover, asked: MoveAsked) -> Voyage:
    """What kind of move across the sea is asked for. Raises InputError unless the way is one hex."""
    if len(asked.way) != 1:
        raise InputError("way: a move by sea has one hex, where it ends", hint="name that one alone")
    view, end = mover.view, asked.way[0]
    if mover.arm != MARINE:
        kind = "transfer"
    elif view.word("terrain", end) == ALL_SEA:
        kind = "assault"
    else:
        optional = OPTION in view.words("options")
        ports = all(view.word("port", hex) or not (optional and view.word("coast", hex)) for hex in (mover.at, end))
        kind = "amphibious" if ports else "landing"
    seas = [sea_of(mover.facts, hex, port=kind in ("amphibious", "transfer")) for hex in (mover.at, end)]
    return Voyage(kind, seas[0] if seas[0] == seas[1] else "", mover.at, end, expended(mover, asked, kind, end))


def sea_of(facts: Gather, hex: str, *, port: bool) -> str:
    """The sea on which a hex lies. port: whether it has to be a port, so that this is asked for."""
    return facts.view.word("port", hex) or facts.word("port" if port else "coast", hex)


def expended(mover: Mover, asked: MoveAsked, kind: str, end: str) -> str:
    """The supply unit that a voyage by the optional rules costs: the one named, or one in the port where it begins, else where it ends.
    Rule: Opt/Amph/2
    """
    if kind == "amphibious" or asked.supply:
        return "" if kind == "amphibious" else asked.supply
    ports = [hex for hex in (mover.at, end) if kind == "transfer" or mover.view.word("port", hex)]
    found = [
        one.id
        for hex in ports
        for one in mover.view.stack(hex)
        if one.id != mover.unit.id and mover.view.word("arm", one.id) == SUPPLY
    ]
    return found[0] if found else ""


def sail(mover: Mover, asked: MoveAsked, answers: Answers, title: str) -> Report[Move]:
    """The report on a move across the sea: what bars it, or the die that is due, or what it changes."""
    voyage = voyage_of(mover, asked)
    rule, says = SAYS[voyage.kind]
    if reasons := [*bars(mover, voyage), *optional_bars(mover, voyage)]:
        return refused(title, "this move is not allowed", reasons)
    rolled = voyage.kind in ("landing", "assault")
    outcome, asks = "", tuple[Ask, ...]()
    if rolled:
        played = play(mover.view, partial(landing, mover.view), None, answers)
        outcome, asks = str(played.settled.get("landing", "")), played.asks
    else:
        refuse_others(answers, [])
    ends = outcome in ("", "lands")
    whole = mover.allowance
    entered = (Entered(hex=voyage.end, cost=whole, how="sea", stops=voyage.end in mover.around.enemy_zones),)
    move = Move(
        unit=mover.unit.id,
        at=mover.at,
        by="sea",
        entered=entered if ends else (),
        cost=whole,
        allowance=whole,
        over_stacked=ends and not fits_ashore(mover, voyage.end),
        kind=voyage.kind,
        landing=outcome,
    )
    steps = [step(rule, says)]
    if voyage.supply:
        steps.append(step("Opt/Amph/2", "{source} is expended, whatever comes of it", source=voyage.supply))
    if outcome:
        steps.append(step("Opt/Amph/3", "{unit} {landing}", move, landing=RESULTS[outcome]))
    if move.over_stacked:
        steps.append(step("12.2", "{end} is over the stacking limits", end=voyage.end))
    if voyage.kind == "assault" and ends:
        text = "no Maximum Attack Supply; it lands if its result allows pursuit, and is eliminated if not"
        steps.append(step("Opt/Amph/5", text))
    if asks:
        said = verdict("figure", "{unit} may sail to {end}; roll {dice}", move, end=voyage.end, dice="1d6")
        return Report(title=title, verdict=said, parts=(Part("Voyage", tuple(steps)),), asks=asks, result=move)
    text = "{unit} {landing}" if outcome else "{unit} may sail to {end}"
    said = verdict("yes" if ends else "figure", text, move, end=voyage.end, landing=RESULTS.get(outcome, ""))
    changes = changes_of(mover, voyage, outcome)
    return Report(title=title, verdict=said, parts=(Part("Voyage", tuple(steps)),), changes=changes, result=move)


RESULTS = {
    "eliminated": "is eliminated, as if lost in combat",
    "fails": "stays where it is and does not move in this phase",
    "lands": "lands",
}


def landing(view: View, situation: Situation) -> Node:
    """The check of an amphibious move: the die, and what it leads to. Rule: Opt/Amph/3"""
    if situation is None:
        return Roll(DIE, "Opt/Amph/3", "Amphibious Landing Table", Dice(1, 6), {}, lambda die: die)
    cell = view.cell("landing", int(str(situation)))
    return Done({"landing": str(cell.values["result"])}) if cell else Stuck(("landing", (int(str(situation)),)))


def fits_ashore(mover: Mover, hex: str) -> bool:
    """Whether the hex where a voyage ends holds the unit. Rule: Opt/Amph/4"""
    stack = [formation(mover.facts, one, fights=False) for one in (*mover.view.stack(hex), mover.unit)]
    return is_within_limits(stack)


def bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """What bars any voyage: enemies or a neutral country where it ends, two seas, ice, a port that is not its side's. Enemy zones do not.

    The port where a voyage begins is its side's, for the unit stands in it (7.3). Rule: 21.6, 22.1/4, Opt/Amph/4
    """
    facts, view, side = mover.facts, mover.view, mover.side
    if voyage.end in mover.around.enemies:
        yield step("12.4", "enemies stand in {end}", voyage)
    if is_neutral(facts, view.word("country", voyage.end)):
        yield step("11.8", "{end} lies in a neutral country", voyage)
    if not voyage.sea:
        yield step("21.6", "{start} and {end} do not lie on the same sea", voyage)
    if voyage.sea == BALTIC and season(facts) == "winter":
        yield step("22.1", "no amphibious operations in the Baltic in winter")
    arrival = view.ruling("port-arrival", matters=voyage.kind == "amphibious")
    if voyage.kind == "amphibious" and arrival == "controlled" and controller(facts, voyage.end) != side:
        yield step("21.6", "its side does not control {end}", voyage)


def optional_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """What bars a voyage by the optional rules: their being in force, another one in this player turn, the supply unit, ports, bases.
    Rule: Opt/Amph/1, Opt/Amph/2
    """
    if voyage.kind == "amphibious":
        return
    view = mover.view
    if OPTION not in view.words("options"):
        yield step("21.6", "without the optional rules only amphibious units sail, and from port to port")
        return
    if view.flag("sailed", mover.side):
        yield step("Opt/Amph/1", "its side has made an amphibious move or a naval transfer in this player turn")
    if not voyage.supply:
        yield step("Opt/Amph/2", "no supply unit stands in the port to be expended")
    elif view.word("arm", voyage.supply) != SUPPLY or view.unit(voyage.supply).place not in (voyage.start, voyage.end):
        yield step("Opt/Amph/2", "{supply} is not a supply unit in the port", voyage)
    yield from transfer_bars(mover, voyage) if voyage.kind == "transfer" else landing_bars(mover, voyage)


def landing_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """What bars an amphibious move by the optional rules. Rule: Opt/Amph/1, Opt/Amph/6"""
    facts, view = mover.facts, mover.view
    begins, ends = bool(view.word("port", voyage.start)), bool(view.word("port", voyage.end))
    if voyage.kind == "assault":
        next_to = view.board.neighbours(voyage.end)
        if not begins:
            yield step("Opt/Amph/5", "an assault starts in a port")
        if not any(hex in mover.around.enemies for hex in next_to):
            yield step("Opt/Amph/5", "no enemy stands next to {end}", voyage)
    elif not (begins or ends):
        yield step("Opt/Amph/1", "neither {start} nor {end} is a port", voyage)
    elif not begins and controller(facts, voyage.end) != mover.side:
        yield step("Opt/Amph/1", "its side does not control {end}", voyage)
    base = BASES.get(voyage.sea, "")
    if mover.nation != "russian" or not base:
        return
    hex = hex_named(view, base)
    if hex is None:
        taken = "{base} taken not to be under control of the Central Powers (its hex not stated)"
        view.presume(step("Opt/Amph/6", taken, base=base))
    elif controller(facts, hex) == CENTRAL_POWERS:
        yield step("Opt/Amph/6", "the Central Powers control {base}", base=base)


def transfer_bars(mover: Mover, voyage: Voyage) -> Iterator[Step]:
    """What bars a naval transfer: what is moved, and from where to where. Rule: Opt/Amph/7"""
    facts = mover.facts
    if mover.arm != SUPPLY and mover.size != CORPS:
        yield step("Opt/Amph/7", "a naval transfer moves a corps or a supply unit")
    names = [name_of(facts, hex) for hex in (voyage.start, voyage.end)]
    if all(names) and not any(set(names) <= set(ports) for ports in TRANSFERS[mover.side]):
        text = "{side} naval transfers do not lead from {start} to {end}"
        yield step("Opt/Amph/7", text, side=mover.side, start=names[0], end=names[1])
    if controller(facts, voyage.end) != mover.side:
        yield step("Opt/Amph/7", "its side does not control {end}", voyage)


def name_of(facts: Gather, hex: str) -> str:
    """The name of a port, of the board or as stated; asked for while it is unknown."""
    known = next((place.name for place in facts.view.board.places if place.hex == hex), "")
    return known or str(facts.value("named", hex) or "")


def changes_of(mover: Mover, voyage: Voyage, outcome: str) -> tuple[AnyChange, ...]:
    """What a voyage changes: places, the supply unit, Victory Points for a unit lost. Rule: Opt/Amph/2, Opt/Amph/3"""
    view, name = mover.view, mover.unit.id
    rule = SAYS[voyage.kind][0]
    found: list[AnyChange] = []
    if voyage.kind != "amphibious":
        found.append(changed(view, "place", voyage.supply, AVAILABLE, "Opt/Amph/2"))
        found.append(changed(view, "sailed", mover.side, True, rule))
    if outcome == "eliminated":
        loss, gain = worth(mover.facts, formation(mover.facts, mover.unit, fights=False), mover.side)
        found.append(changed(view, "place", name, DEAD_PILE, "Opt/Amph/3"))
        found += [Gain("vp", mover.side, -loss, "5.1")] if loss else []
        enemy = next(other for other in view.game.file.sides if other != mover.side)
        return (*found, *([Gain("vp", enemy, gain, "5.1")] if gain else []))
    if outcome != "fails":
        found.append(changed(view, "place", name, voyage.end, rule))
    return (*found, changed(view, "moved", name, True, "11.2"))

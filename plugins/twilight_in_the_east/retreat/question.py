"""The question `retreat`: which hexes a stack may enter, what rule bars each other one, and what a way back costs (11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

import msgspec

from assistant.questions.question import Answers, Question
from assistant.questions.report import Ask, Part, Report, Step, Verdict
from assistant.questions.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.util.errors import InputError

from ..forces.armies import corps_and_army
from ..forces.reading import gather_unit
from ..forces.step_changes import step_losses
from ..forces.units import CombatUnit, Force, over_stacked
from ..fortresses.garrisons import garrison_move, is_inside, known_inside
from ..ground.hexsides import between, cell_of_high_mountain, chart_lets, closed, needs_chart, unbridged
from ..ground.improved_positions import after_moves
from ..ground.phases import ATTACK_PHASES, phase_of
from ..ground.zones import assume_zones
from ..terms import FORTRESSES, GREAT_RIVERS, SUPPLY_ARMS
from . import cost as retreat
from .cost import Charge, ForceLoss, Way, shared
from .report import ForceRetreat, RetreatHex, RetreatParameters, RetreatResult, cost_part, options_part, verdict
from .stack import Retreating, as_owed, in_area, retreating, supply_sources, word_of
from .together import as_a_stack, parted

MOUNTAINS = frozenset({"mountain", "high-mountain"})


def answer(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """The report on a retreat: the hexes that are open next, and what the way so far costs.

    Raises MissingFacts for whatever the way needs and nobody stated, InputError for a way that cannot be.

    Rule: 11.2.2a, 11.2.2b
    """
    if parameters.owed < 0:
        raise InputError(f"hexes: {parameters.owed} cannot be owed")
    parameters = as_owed(view, parameters)
    with view.gather() as facts:
        found = retreating(facts, parameters)
        way = [entered(facts, found, here, there) for here, there in pairwise((parameters.at, *parameters.way))]
    refused = as_a_stack(view, found, lambda units, hex: bool(over_stack(view, found._replace(units=units), hex, ())))
    barred = [one for one in way if one.barred]
    passed = [one.hex for one in takewhile(lambda one: not one.barred, way)]
    end = passed[-1] if passed else parameters.at
    options = open_hexes(view, found, end)
    if barred:
        figures = {"hex": barred[0].hex, "why": barred[0].barred}
        return _report(view, found, Verdict("no", "{hex} cannot be entered: {why}", figures), options_part(options))
    if refused:
        verdict = Verdict("no", "this is no retreat as a stack, for {reasons:#reason}", {"reasons": len(refused)})
        return _report(view, found, verdict, Part("Not allowed", tuple(refused)))
    return judged(view, found, way, end, options, answers)


# --- hexes ------------------------------------------------------------------------------------------------------------


def entered(facts: Gather, found: Retreating, here: str, there: str) -> RetreatHex:
    """A hex of the way, every fact that it needs being asked for.

    Raises InputError for one that is not next to the hex before.
    """
    if there not in facts.view.board.neighbours(here):
        raise InputError(f"way: {there} is not next to {here}", hint="name every hex that is entered, in order")
    if any(unit.garrison for unit in found.units):
        for place in (*facts.view.board.neighbours(here), there):
            known_inside(facts, here, place)
            known_inside(facts, found.parameters.at, place)
    over = between(facts, here, there)
    barrier, grounds = over.lies, {over.leaves, over.enters}
    guns = any(unit.arm == "artillery" for unit in found.units)
    if guns and (MOUNTAINS & grounds or "ridge" in barrier) and not over.linked:
        for track in ("road", "rail"):
            over.word(track)
    if GREAT_RIVERS & barrier and not over.linked:
        over.word("crossing")
    if needs_chart(over):
        facts.cell(*cell_of_high_mountain(facts.integer("turn")))
    return next(hex for hex in open_hexes(facts.view, found, here) if hex.hex == there)


def looked_at(view: View, found: Retreating, here: str, there: str) -> RetreatHex:
    """A hex next to another one, as far as it is known: whether it can be entered, and what counts in it.

    Rule: 4.2b, 11.2.2b, 11.2.4a, 11.2.4b, 11.2.4c, 11.2.5
    """
    over = between(view, here, there)
    lets = chart_lets(over)
    rule, barred = _bar(found, there, closed(over) or ("" if lets is not False else "High Mountain"))
    control = view.fact("control", there)
    missing = [f"terrain of {there}"] * (not over.enters) + [f"hexside {over.name}"] * (not over.is_stated)
    missing += ["the movement cost of high-mountain"] * (lets is None)
    return RetreatHex(
        hex=there,
        rule=rule,
        barred=barred,
        zone=there in found.around.enemy_zones and there not in found.friends,
        river=unbridged(over),
        mountains=bool(MOUNTAINS & {over.leaves, over.enters} or "ridge" in over.lies) and not over.linked,
        distance=view.board.distance(found.parameters.at, there),
        in_area=in_area(view, found, there),
        friendly=None if control is None else control.value == found.around.side,
        unsaid=tuple(missing),
    )


def _bar(found: Retreating, there: str, shut: str) -> tuple[str, str]:
    """What bars a hex: the rule and why, two empty texts if nothing does. shut: what nobody crosses on the way."""
    if there in found.around.enemies:
        return "4.2", "enemies stand there"
    if shut:
        return "11.2.4", f"{shut} cannot be crossed"
    if there in found.parameters.abandoned:
        return "11.2.2", "an enemy stood there at the moment of combat and left by a retreat"
    return "", ""


def open_hexes(view: View, found: Retreating, here: str) -> tuple[RetreatHex, ...]:
    """The hexes around, those that are open first: the farthest first, then those in the army's area, those under control, and
    the nearest to supply; an EZOC is put last among those that are alike.

    Rule: 11.2.2, 11.2.2a
    """
    hexes = in_complex(view, found, here, [looked_at(view, found, here, to) for to in view.board.neighbours(here)])
    if all(one.barred for one in hexes):  # what an enemy has left is open rather than being unable to retreat
        hexes = [msgspec.structs.replace(one, barred="", rule="") if one.rule == "11.2.2" else one for one in hexes]
    sources = [place for force in found.forces for place in supply_sources(view, found, force)]

    def rank(hex: RetreatHex) -> tuple[bool, int, bool, bool, int, bool]:
        home = min((view.board.distance(source, hex.hex) for source in sources), default=0)
        return bool(hex.barred), -hex.distance, hex.in_area is False, hex.friendly is not True, home, hex.zone

    return tuple(sorted(hexes, key=rank))


def in_complex(view: View, found: Retreating, here: str, hexes: list[RetreatHex]) -> list[RetreatHex]:
    """The hexes around, those barred to a stack with a Fortress Garrison that would take it out of its complex while one in it is
    open (12.4.1)."""
    if not any(unit.garrison for unit in found.units):
        return hexes
    within = {hex.hex for hex in hexes if is_inside(view, here, hex.hex)}
    can_stay = any(hex.hex in within and not hex.barred for hex in hexes)
    return [
        msgspec.structs.replace(hex, rule="12.4.1", barred="a hex of the Fortress Garrison's complex is open")
        if not hex.barred and garrison_move(hex.hex in within, required=True, can_stay=can_stay) == "barred"
        else hex
        for hex in hexes
    ]


# --- what it costs ----------------------------------------------------------------------------------------------------


def judged(
    view: View,
    found: Retreating,
    way: Sequence[RetreatHex],
    end: str,
    options: tuple[RetreatHex, ...],
    answers: Answers,
) -> Report[RetreatResult]:
    """The report on the way so far, or on the whole retreat where it is over or stuck.

    Rule: 4.2.3b, 11.2.6a, 11.2.6b
    """
    owed, cause = found.parameters.owed, found.parameters.cause
    stuck = all(option.barred for option in options) and len(way) < owed
    complete = len(way) >= owed or stuck
    gone = stuck and retreat.surrenders(owed, len(way), cause)
    levels = view.ruling("ezoc-levels") if sum(one.zone for one in way) > retreat.LEVELS else "one"
    costs = [*retreat.charges([Way(one.hex, one.zone, one.river, one.mountains) for one in way], levels)]
    costs += retreat.unable(owed, len(way), cause) if stuck else ()
    granted: list[Step] = []
    own: dict[str, tuple[Charge, ...]] = {}
    for force in found.forces if complete and not gone else ():
        own[force.name], steps = away_from_supply(view, found, force, end)
        granted += [step for step in steps if step not in granted]
    lost = [retreat.suffered(force, [*costs, *own.get(force.name, ())]) for force in found.forces]
    granted += parted(view, found.parameters.at, [unit.id for unit in found.units])
    if cause == "repulse" and way and not phase_of(view):
        granted.append(Step("10.1", "the Repulse was tried in a movement phase: nobody stated the phase"))
    if found.parameters.at in found.parameters.way:
        granted.append(
            Step(
                "11.2.2", "the way comes back to {at}, which the priorities speak against", {"at": found.parameters.at}
            )
        )
    over = over_stack(view, found, end, lost) if complete and not gone else ()
    result = RetreatResult(
        at=found.parameters.at,
        units=tuple(unit.id for unit in found.units),
        owed=owed,
        way=tuple(one.hex for one in way),
        end=end,
        options=() if complete else options,
        forces=tuple(ForceRetreat(**force._asdict()) for force in lost),
        surrenders=gone,
        complete=complete,
        over_stacked=bool(over),
    )
    parts = [cost_part(found.parameters.at, way, costs, lost, gone, own)] if way or complete else []
    if over:
        parts.append(Part("Over-stacked", over))
    if not complete:
        parts.append(options_part(options))
    assume_zones(found.around, {end, *found.parameters.way})
    if granted:
        parts.append(Part("Taken for granted", tuple(granted)))
    asks, changes = todo(view, found, end, lost, gone, answers) if complete else ((), ())
    changes += kept_control(view, found, end) if changes else ()
    return _report(view, found, verdict(result), *parts, result=result, asks=asks, changes=changes)


def away_from_supply(view: View, found: Retreating, force: Force, end: str) -> tuple[tuple[Charge, ...], list[Step]]:
    """Whether a Force ends farther from every supply source of its command, and what is not known of these.

    Rule: 11.2.3
    """
    parameters = found.parameters
    owed = parameters.owed + parameters.before
    if owed < 2:
        return (), []
    if not parameters.is_last:
        return (), [Step("11.2.3", "whether it ends farther from supply is judged after its checks (last=yes)")]
    sources = supply_sources(view, found, force)
    steps = []
    if not corps_and_army(view, force.name)[1] and any(
        word_of(view, "arm", unit) in SUPPLY_ARMS[1:] for unit in view.units()
    ):
        steps.append(
            Step("11.2.3", "the army of {unit} is not stated, so its depots are left out", {"unit": force.name})
        )
    if not sources:
        text = "no supply source of {unit}'s command is known: whether it ends farther from all is left to the players"
        return (), [*steps, Step("11.2.3", text, {"unit": force.name})]
    start = parameters.first or parameters.at
    before, after = ([view.board.distance(source, place) for source in sources] for place in (start, end))
    fortress = any(word_of(view, "arm", unit) in FORTRESSES for unit in view.stack(end))
    doubtful = not fortress and retreat.is_farther(before, after, "nearest") and not retreat.is_farther(before, after)
    which = view.ruling("away-from-supply") if doubtful else "every"
    charged = retreat.farther_from_supply(before, after, owed, fortress, which)
    if charged and parameters.cause == "repulse" and view.ruling("repulsed-from-supply") == "spared":
        return (), steps
    return charged, steps


def over_stack(view: View, found: Retreating, end: str, lost: Sequence[ForceLoss]) -> tuple[Step, ...]:
    """What a last hex that holds too much obliges the stack to.

    Rule: 4.2.3b, 4.2.1
    """
    gone = {gun for force in lost for gun in force.guns}
    for force, cost in zip(found.forces, lost, strict=False):
        gone |= {unit.id for unit in retreat.bearers(force)} if cost.eliminated else set()
    there = [unit for unit in view.stack(end) if unit.id not in {one.id for one in found.units}]
    supply = sum(word_of(view, "arm", unit) in SUPPLY_ARMS and not _rides(view, unit) for unit in there)
    with view.gather() as facts:
        standing = [gather_unit(facts, view, u, None) for u in there if word_of(view, "arm", u) not in SUPPLY_ARMS]
    coming = [unit for unit in found.units if unit.id not in gone]
    divisions, guns = over_stacked([*standing, *coming], supply)
    if not divisions and not guns:
        return ()
    text = "{hex} holds {divisions} divisions and {guns} artillery units too many: retreat as many units on as it takes, or stay if "
    text += "that does not help"
    return (Step("4.2.3", text, {"hex": end, "divisions": divisions, "guns": guns}),)


def _rides(view: View, unit: Unit) -> bool:
    fact = view.fact("entrained", unit.id)
    return bool(fact and fact.value)


def todo(
    view: View, found: Retreating, end: str, lost: Sequence[ForceLoss], gone: bool, answers: Answers
) -> tuple[tuple[Ask, ...], tuple[Change, ...]]:
    """What to do on the map, and the choices that owners have to make first.

    Rule: 8.4.3
    """
    asks: list[Ask] = []
    changes: list[Change] = []
    at, cause = found.parameters.at, found.parameters.cause
    for force, cost in zip(found.forces, lost, strict=True):
        taken, ask = shared(force, cost, answers)
        asks += [ask] if ask else []
        for unit in force.units:
            if gone or (cost.eliminated and unit in retreat.bearers(force)) or unit.id in cost.guns:
                changes.append(Change("place", unit.id, at, None, "11.2.6" if gone else "11.2"))
                continue
            of_unit = step_losses(view, unit, taken.get(unit.id, 0)) if taken.get(unit.id) else []
            changes += of_unit
            if not any(change.track == "place" for change in of_unit) and end != at:
                changes.append(Change("place", unit.id, at, end, "11.2.1"))
            if unit.formation and cost.levels:
                changes.append(changed(view, "cel", unit.id, -unit.levels - cost.levels, "11.2.5"))
            if cause == "repulse" and unit.prepared:
                changes.append(Change("prepared", unit.id, unit.prepared, None, "8.4.3"))
            if not any(change.track == "place" for change in of_unit) and end != at:
                changes += remembered(view, found, unit, end)
    changes += after_moves(view, changes)
    return tuple(asks), () if asks else tuple(changes)


def kept_control(view: View, found: Retreating, end: str) -> tuple[Change, ...]:
    """The record that a hex which a retreat leaves empty stays with the side that left it until an enemy enters.

    Rule: 4.3b
    """
    at, side = found.parameters.at, found.around.side
    left = end == at or at in found.friends or view.state.value("control", at) == side
    return () if left else (changed(view, "control", at, side, "4.3"),)


def remembered(view: View, found: Retreating, unit: CombatUnit, end: str) -> list[Change]:
    """What is to be remembered of a unit that has retreated: that it has in this attack phase, what it still owes, and that out
    of its complex it is a Fortress Garrison no more (10.1, 11.2.1, 12.4.1)."""
    parameters = found.parameters
    changes = []
    if parameters.cause != "repulse" or phase_of(view) in ATTACK_PHASES:
        changes.append(changed(view, "retreated", unit.id, True, "10.1"))
    owed = view.state.value("owes", unit.id)
    if isinstance(owed, int):
        changes.append(Change("owes", unit.id, owed, max(owed - len(parameters.way), 0), "11.2.1"))
    inside = is_inside(view, parameters.at, end)
    if unit.garrison and garrison_move(inside, required=True, can_stay=False) == "released":
        changes.append(changed(view, "garrison", unit.id, None, "12.4.1"))
    return changes


def _report(
    view: View,
    found: Retreating,
    verdict: Verdict,
    *parts: Part,
    result: RetreatResult | None = None,
    asks: tuple[Ask, ...] = (),
    changes: tuple[Change, ...] = (),
) -> Report[RetreatResult]:
    names = ", ".join(unit.id for unit in found.units)
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Retreat of {names} from {found.parameters.at}",
        verdict=verdict,
        parts=parts,
        asks=asks,
        changes=changes,
        result=result,
    )


def picture(view: View, report: Report[RetreatResult]) -> str:
    """The hexes of the retreat, as SVG."""
    from .picture import retreat_picture

    return retreat_picture(view, report)


QUESTION = Question(
    name="retreat",
    title="which hexes a stack may retreat into, what bars the others, and what the way costs",
    parameters=RetreatParameters,
    result=RetreatResult,
    answer=answer,
    answers={
        "losses.FORCE": "the units of a Force that take the steps which the way costs, one name a step, joined by commas"
    },
    picture=picture,
)

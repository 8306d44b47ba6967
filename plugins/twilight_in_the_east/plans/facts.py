"""The Strategic Plans of a position: whom they bind, how near their objectives are, and what has been captured (21.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from assistant.asking import InputError, View, if_known
from assistant.asking.asks import Ask, ask_for_fact
from assistant.asking.view import changed
from assistant.state.changes import AnyChange
from assistant.state.state import Unit
from assistant.util.errors import format_suggestion

from ..control.front_line import controller
from ..forces.armies import AttachedUnit, gather_attached, is_shown, kin, side_of_army, stated_areas
from ..forces.objectives import (
    ABANDONED,
    ACHIEVED,
    OUTCOME,
    PLAN,
    PLAN_TURN,
    REACHED,
    Objective,
    corps_force,
    is_bound,
    is_corps,
    known_objectives,
    may_capture,
)
from ..scoring.points import PLANS, Award, gains
from ..terms import COMBAT_ARMS, SUPPLY_ARMS
from .rules import (
    ForcePlan,
    ObjectiveNow,
    cost_of_abandoning,
    frees,
    holds_for_others,
    is_achieved,
    is_captured,
    is_of_others,
    points_for_achieving,
)

FREED = "freed-from"
"""The ruling on the Player Turn from which an achieved plan binds no more."""
HELD = "held-objective"
"""The ruling on what holds an objective for an army that is not its own."""
SHARED = "shared-objective"
"""The ruling on which armies score for an objective that one of them has captured."""


def force_named(view: View, name: str) -> str:
    """Return an army or corps that has Operational Objectives, as a player names it: `russian Second`, `german 3 LW
    Corps`, or `Second` where only one army of that name has its plan stated, or else has objectives. Raises InputError
    for any other.
    """
    alike = _find_alike(view.stated_about.get(PLAN, ()), name) or _find_alike(known_objectives(), name)
    if len(alike) == 1:
        name = alike[0]
    force = view.game.subject(view.game.track(PLAN), name, view.state)
    known = {each.casefold(): each for each in known_objectives()}
    if force.casefold() not in known:
        raise InputError(
            f"army: {force!r} has no Operational Objectives", hint=format_suggestion(force, known_objectives())
        )
    return known[force.casefold()]


def _find_alike(forces: Iterable[str], name: str) -> list[str]:
    """Return the forces that are called the same, whatever their side."""
    return [force for force in forces if force.partition(" ")[2].casefold() == name.casefold()]


def check_stated(view: View) -> None:
    """Raise InputError for an army that the position puts under a plan although the rulebook has no objectives for it."""
    for force in view.stated_about.get(PLAN, ()):
        if view.flag(PLAN, force) and force not in known_objectives():
            hint = format_suggestion(force, known_objectives())
            raise InputError(f"plan: {force} has no Operational Objectives", hint=hint)


def _formations_of(view: View, force: str) -> list[AttachedUnit]:
    """Return the infantry formations on the map that belong to an army, or to a corps. Raises MissingFacts for what
    shows that of the units of its side, and is not stated.
    """
    side = side_of_army(force)
    units = (unit for nation in view.game.file.sides[side] for unit in kin(view, nation))
    infantry = [unit for unit in units if unit.on_display and unit.arm == "infantry" and unit.place]
    if is_corps(force):
        return [unit for unit in infantry if corps_force(side, unit.corps) == force]
    return [unit for unit in infantry if unit.army == force]


def formations_shown(view: View, force: str) -> list[AttachedUnit]:
    """Return the infantry formations on the map of a force, none where the display of its side is kept from the
    viewpoint (4.2.6).
    """
    return _formations_of(view, force) if is_shown(view, side_of_army(force)) else []


def read_plan(view: View, force: str, turn: int, formations: Sequence[AttachedUnit]) -> ForcePlan:
    """Return the plan of a force in a game turn. formations: those of its infantry, as far as they matter."""
    plan = view.fact(PLAN, force)
    outcome = view.word(OUTCOME, force)
    bound = None if plan is None and not outcome else is_bound(view.flag(PLAN, force), outcome)
    rows = known_objectives()[force]
    is_open = bool(bound) and not outcome
    objectives = tuple(_read_objective(view, row, formations, is_open=is_open) for row in rows)
    now = ForcePlan(
        force=force,
        bound=bound,
        outcome=outcome,
        since=view.integer(PLAN_TURN, force) or None,
        objectives=objectives,
        then=rows[0].then,
    )
    if not is_open:
        return now
    gain = 0 if _goes_to_others(view, now, turn) else points_for_achieving(force, outcome, turn)
    return replace(now, gain=gain, cost=cost_of_abandoning(force, now.distance))


def _read_objective(view: View, row: Objective, formations: Sequence[AttachedUnit], *, is_open: bool) -> ObjectiveNow:
    """Return an objective of a force as it stands.

    formations: the infantry formations of the force; is_open: whether its plan is in force and has not ended.
    """
    side = side_of_army(row.force)
    near = min(formations, key=lambda unit: (view.board.distance(unit.place, row.hex), unit.id), default=None)
    there = [unit.id for unit in view.stack(row.hex) if view.word("arm", unit.id) not in SUPPLY_ARMS]
    standing = next((view.side_of(unit) for unit in there), "")
    entered = side in view.words(REACHED, row.hex) or bool(_find_captors(view, row))
    control, _ = controller(standing, view.word("control", row.hex), "", "recorded")
    captured = is_captured(entered=entered, controller=control, side=side)
    if is_open and not captured:

        def is_held_for_others(view: View) -> bool:
            armies = _list_armies(view, _find_fighters(view, row))
            return holds_for_others(entered=entered, controller=control, side=side, armies=armies, force=row.force)

        decides = is_held_for_others(view.unnoticed())
        captured = decides and view.ruling(HELD) == "troops" and is_held_for_others(view)
    return ObjectiveNow(
        hex=row.hex,
        name=row.name,
        nearest=near.id if near else "",
        distance=view.board.distance(near.place, row.hex) if near else None,
        entered=entered,
        control=control,
        captured=captured,
    )


def _find_fighters(view: View, row: Objective) -> list[Unit]:
    """Return the combat units of the side of a force in one of its objectives."""
    side = side_of_army(row.force)
    own = [unit for unit in view.stack(row.hex) if view.side_of(unit.id) == side]
    return [unit for unit in own if view.word("arm", unit.id) in COMBAT_ARMS]


def _find_captors(view: View, row: Objective) -> list[Unit]:
    """Return those of them that capture an objective."""
    units = _find_fighters(view, row)
    return [unit for unit in units if may_capture(view.word("arm", unit.id), view.word("size", unit.id))]


def _list_armies(view: View, units: Iterable[Unit]) -> list[str]:
    """Return the army of each of some units, by its side and name, "" where it is not known or kept from the
    viewpoint.
    """

    def army(unit: Unit) -> str:
        if not is_shown(view, view.side_of(unit.id)):
            return ""
        attached = if_known(view, lambda facts: gather_attached(facts, stated_areas(view), unit))
        return attached.army if attached else ""

    return [army(unit) for unit in units]


def is_forestalled(plan: ForcePlan, turn: int) -> bool:
    """Return whether an army would score for its plan in a game turn, and does not, as another army holds its
    objective.
    """
    return not plan.gain and points_for_achieving(plan.force, plan.outcome, turn) > 0


def _goes_to_others(view: View, plan: ForcePlan, turn: int) -> bool:
    """Return whether by ruling shared-objective an army scores nothing for what is captured now, as only units of other
    armies hold it.
    """
    if not plan.captured or not points_for_achieving(plan.force, plan.outcome, turn):
        return False
    taken = {objective.hex: objective.entered for objective in plan.captured}
    rows = [row for row in known_objectives()[plan.force] if row.hex in taken]

    def of_others(view: View) -> bool:
        for row in rows:
            units = _find_captors(view, row) if taken[row.hex] else _find_fighters(view, row)
            if not is_of_others(_list_armies(view, units), plan.force):
                return False
        return True

    return of_others(view.unnoticed()) and view.ruling(SHARED) == "captor" and of_others(view)


def asks_for_control(view: View, plan: ForcePlan) -> Iterator[Ask]:
    """Yield the facts on which it turns whether a plan is achieved: who controls objectives that infantry has entered
    and where nobody stands.
    """
    if not plan.captured:
        for objective in plan.objectives:
            if objective.entered and not objective.control:
                yield ask_for_fact(view.game.track("control"), objective.hex)


def end_of_player_turn(view: View, plan: ForcePlan, turn: int, phasing: str) -> list[AnyChange]:
    """Return what becomes of a plan in force as a Player Turn ends: it is achieved and scores, and binds its force no
    more; none if it goes on. phasing: whose Player Turn ends. Rule: 21.1
    """
    achieved = not plan.outcome and is_achieved([objective.captured for objective in plan.objectives])
    if not (achieved or plan.outcome == ACHIEVED):
        return []
    force = plan.force
    side = side_of_army(plan.force)
    changes = list[AnyChange]()
    if achieved:
        changes += _record_end(view, force, ACHIEVED, turn, "21.1")
        changes += gains([Award(PLANS, side, plan.gain, force)])
    if frees(side, phasing, view.ruling(FREED, side == phasing)):
        changes.append(changed(view, PLAN, force, False, "21.1"))
    return changes


def abandon_plan(view: View, force: str, turn: int, cost: int) -> list[AnyChange]:
    """Return what changes as a force abandons its plan: it is free at once, and its side loses Victory Points.
    Rule: 21.1b
    """
    freed = changed(view, PLAN, force, False, "21.1")
    scored = gains([Award(PLANS, side_of_army(force), -cost, force)])
    return [freed, *_record_end(view, force, ABANDONED, turn, "21.3"), *scored]


def _record_end(view: View, force: str, outcome: str, turn: int, rule: str) -> list[AnyChange]:
    """Return the record of how and when a plan has ended."""
    return [changed(view, OUTCOME, force, outcome, rule), changed(view, PLAN_TURN, force, turn, rule)]

"""The question `reunite`: whether a detachment may be joined to its parent, and what that gives (6.4.3)."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec

from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import Ask, Part, Report, Step, Verdict
from assistant.questions.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.util.errors import InputError, quoted
from assistant.util.notes import note

from ..forces.reading import gather_unit
from ..forces.units import CombatUnit

EITHER = {"det 4+16/6": ("4/6", "16/6"), "det 22+24/1": ("22/1", "24/1")}
"""The detachments that two divisions may take back (6.4.3a)."""


class ReuniteParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A detachment that is to be joined to its parent."""

    unit: Annotated[UnitName, note("the detachment")]
    ends: Annotated[bool, note("whether a friendly movement phase ends now")]
    parent: Annotated[UnitName | None, note("the unit that takes it back, which has to be said only where two may")] = (
        None
    )


class ReuniteResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a detachment is reunited."""

    unit: Annotated[str, note("the detachment")]
    parents: Annotated[tuple[str, ...], note("the units that may take it back")]
    parent: Annotated[str, note("the one that does, empty if none")]
    allowed: Annotated[bool, note("whether it does now")]
    steps: Annotated[int, note("that the detachment has")]
    left: Annotated[int, note("the steps that the parent has then")]
    lost: Annotated[int, note("steps that find no place on the parent's counter")] = 0
    withdrawn: Annotated[
        bool, note("whether its game turn of withdrawal has come, so that it leaves with its steps")
    ] = False


class Joined(NamedTuple):
    """A parent with the steps of its detachment. reduced: whether it shows its reduced side; lost: steps lost on the side it shows;
    over: steps that are lost as its counter has no room for them; beyond: those that it has all the same."""

    reduced: bool
    lost: int
    over: int
    beyond: int = 0


def answer(view: View, parameters: ReuniteParameters, answers: Answers) -> Report[ReuniteResult]:
    """The report on a detachment.

    Raises MissingFacts for what matters and nobody stated, InputError for a unit that is no detachment or not on the map.

    Rule: 6.4.3a
    """
    del answers
    unit = view.unit(parameters.unit)
    if not is_detachment(unit.id):
        raise InputError(f"unit: {unit.id} is no detachment", hint="the ID of a detachment begins with det")
    if unit.place is None:
        raise InputError(f"unit: {unit.id} is not on the map")
    parent = parent_of(view, unit, parameters.parent)
    with view.gather() as facts:
        turn, last = facts.integer("turn"), facts.integer("withdrawal", unit.id)
        detached = gather_unit(facts, view, unit, None)
        taken = gather_unit(facts, view, parent, None) if parent else None
        front = full_steps(facts, taken, detached.left) if taken else 0
    joined = join(taken, front, detached.left) if taken else None
    why = refusal(detached, taken, turn, last, ends=parameters.ends)
    if joined and joined.over and not why:
        joined = housed(joined, view.ruling("detachment-room"))
    result = ReuniteResult(
        unit=unit.id,
        parents=tuple(one.id for one in parents_in(view, unit)),
        parent=parent.id if parent else "",
        allowed=not why,
        steps=detached.left,
        left=taken.left + detached.left - (joined.over if joined else 0)
        if taken and not why
        else taken.left
        if taken
        else 0,
        lost=joined.over if joined and not why else 0,
        withdrawn=turn >= last,
    )
    changes: tuple[Change, ...] = ()
    if taken and joined and not why:
        changes = (Change("place", unit.id, unit.place, None, "6.4.3a"), *added(view, taken, joined, front))
    elif result.withdrawn:
        changes = (Change("place", unit.id, unit.place, None, "6.4.3a"),)
    figures = {
        "unit": unit.id,
        "parent": result.parent,
        "why": why,
        "steps": detached.left,
        "left": result.left,
        "turn": last,
    }
    text = (
        "{parent} takes back {unit} with {steps:#step}, and has {left} then"
        if not why
        else "{unit} is not reunited: {why}"
    )
    steps = [Step("6.4.3a", "it is withdrawn on GT {turn}, with the steps that are not reunited before", figures)]
    if not why and joined and (joined.over or joined.beyond):
        told = figures | {"lost": joined.over or joined.beyond}
        text = "the counter of {parent} has no room for {lost} of them"
        steps.append(Step("6.4.3a", text + (", which are lost" if joined.over else ": keep a note of these"), told))
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Detachment {unit.id}",
        verdict=Verdict("no" if why else "yes", text, figures),
        parts=(Part("The detachment", tuple(steps)),),
        changes=changes,
        result=result,
    )


def is_detachment(unit: str) -> bool:
    """Whether a unit is a detachment, by its ID: det 43/2, and the three of 11th Division, 1-det 11.

    Rule: 6.4.3
    """
    return "det" in unit.partition(" ")[0].split("-") and " " in unit


def is_parent(detachment: str, unit: str) -> bool:
    """Whether a unit is one that may take a detachment back: the division that its ID names, or either of two.

    Rule: 6.4.3b
    """
    own = detachment.partition(" ")[2]
    return unit in EITHER.get(detachment, (own,)) or ("/" not in own and unit.partition("/")[0] == own)


def parents_in(view: View, unit: Unit) -> list[Unit]:
    """The units on the map that may take a detachment back."""
    nation = view.fact("nation", unit.id)
    return [
        other
        for other in view.units()
        if other.place
        and not is_detachment(other.id)
        and is_parent(unit.id, other.id)
        and (theirs := view.fact("nation", other.id))
        and (nation is None or theirs.value == nation.value)
    ]


def parent_of(view: View, unit: Unit, said: str | None) -> Unit | None:
    """The unit that takes a detachment back: the one named, or the only one that stands with it, or the first of all.

    Raises InputError for one that cannot, and where two stand with it.
    """
    parents = parents_in(view, unit)
    if said:
        if said not in [one.id for one in parents]:
            raise InputError(f"parent: {said} cannot take back {unit.id}")
        return view.unit(said)
    with_it = [one for one in parents if one.place == unit.place]
    if len(with_it) > 1:
        names = " or ".join(f"parent={one.id}" for one in with_it)
        raise InputError(f"parent: either may take back {unit.id}", hint=f"say {names}")
    return next(iter((*with_it, *parents)), None)


def refusal(detached: CombatUnit, parent: CombatUnit | None, turn: int, last: int, *, ends: bool) -> str:
    """Why a detachment is not reunited now, "" if it is. last: its game turn of withdrawal."""
    if parent is None:
        return "its parent is not on the map"
    if parent.place != detached.place:
        return f"{parent.id} is in {parent.place}, and they have to stand in one hex"
    if turn >= last:
        return f"it is withdrawn on GT {last}, and its steps are lost"
    return "" if ends else "that is done at the end of a friendly movement phase"


def full_steps(facts: Gather, parent: CombatUnit, more: int) -> int:
    """The steps of a unit's full side, 0 where they do not matter: they are asked for only if so many more steps are too many
    for the reduced side that it shows. Whoever states one number of steps alone states those of the side that is up."""
    if not parent.reduced or parent.left + more <= parent.steps:
        return 0
    stated = facts.view.state.facts
    turned = not facts.flag("reduced", parent.id)  # it has lost so many that it is about to be turned over
    if turned or ("back-steps", parent.id) in stated or ("steps", parent.id) not in stated:
        return facts.integer("steps", parent.id)
    how = f"{quoted(parent.id)} steps=N back-steps={parent.steps}"
    facts.ask(Ask(kind="fact", name=how, rule="3.4.1", title=f"steps on the full side of {parent.id}", how=how))
    return 0


def join(parent: CombatUnit, full: int, steps: int) -> Joined:
    """A parent with so many more steps: losses made good on the side it shows, and beyond that side on its full one.

    full: the steps of its full side, 0 where they do not matter.
    """
    left = parent.left + steps
    if not parent.reduced or left <= parent.steps or not full:
        return Joined(parent.reduced, max(parent.steps - left, 0), max(left - parent.steps, 0))
    return Joined(False, max(full - left, 0), max(left - full, 0))


def housed(joined: Joined, reading: str) -> Joined:
    """What becomes of the steps for which a parent's counter has no room. reading: ruling detachment-room."""
    return joined._replace(over=0, beyond=joined.over) if reading == "added" else joined


def added(view: View, parent: CombatUnit, joined: Joined, full: int) -> list[Change]:
    """The changes that make a parent show the steps it has now."""
    found = []
    now = full if parent.reduced and not joined.reduced else parent.steps
    if turns := joined.reduced != bool(view.state.value("reduced", parent.id)):
        found.append(changed(view, "reduced", parent.id, joined.reduced, "3.4.1"))
    if joined.beyond:
        found.append(changed(view, "steps", parent.id, now + joined.beyond, "6.4.3a"))
    elif turns and view.state.value("steps", parent.id) not in (None, now):
        found.append(changed(view, "steps", parent.id, now, "3.4.1"))
    if joined.lost != (view.state.value("lost", parent.id) or 0):
        found.append(changed(view, "lost", parent.id, joined.lost, "6.4.3a"))
    return found


QUESTION = Question(
    name="reunite",
    title="whether a detachment may be joined to its parent, and what that gives",
    parameters=ReuniteParameters,
    result=ReuniteResult,
    answer=answer,
    answers={},
)

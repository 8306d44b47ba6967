"""The question `attach`: whether a formation or a corps may be attached to an army or corps now, and what that changes (6.1.1, 6.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

import msgspec

from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import MissingFacts, Part, Report, Step, Verdict
from assistant.questions.view import View, changed
from assistant.util.errors import InputError, nearest
from assistant.util.notes import note

from ..forces.armies import GARRISONS, Fault, army_of, chain, checked, is_shown, named
from ..forces.assets import by_area, is_asset_unit
from ..forces.units import corps_of
from ..terms import COMBAT_ARMS
from .breaches import Found, look
from .displays import plan_binds


class AttachParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A formation, or a Corps Train for its whole corps, that is to be attached otherwise."""

    unit: Annotated[UnitName, note("its id")]
    attachment_phase: Annotated[bool, note("whether it is an Attachment Phase of its side")] = msgspec.field(
        name="attachment-phase"
    )
    army: Annotated[str | None, note("the name of the army that it goes to, as it is if left out")] = None
    corps: Annotated[
        str | None, note("the corps that it goes to, none for the Independent track, as it is if left out")
    ] = None


class AttachResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be attached so."""

    unit: Annotated[str, note("its id")]
    before: Annotated[str, note("its army, by its side and name")]
    after: Annotated[str, note("its army, by its side and name")]
    corps: Annotated[str, note("that it is with then")]
    units: Annotated[tuple[str, ...], note("all that go with it")]
    allowed: Annotated[bool, note("whether it may")]
    breaches: Annotated[tuple[Fault, ...], note("what forbids it")]


def answer(view: View, parameters: AttachParameters, answers: Answers) -> Report[AttachResult]:
    """The report on a change of attachment.

    Raises MissingFacts for what matters and nobody stated, InputError for a change that is none.
    """
    del answers
    unit = view.unit(parameters.unit)
    if not unit.place:
        raise InputError(f"unit: {unit.id} is not on the map")
    wanted = None if parameters.corps is None else str(view.game.track("corps").parse(parameters.corps))
    if not is_shown(view, view.game.side_of_unit(unit, view.state.facts)):
        raise InputError(f"unit: {unit.id} is the enemy's", hint="a side sees its own displays only (4.2.6)")
    with view.gather() as facts:
        side = view.game.side_of(nation) if (nation := facts.word("nation", unit.id)) else ""
        arm = facts.word("arm", unit.id)
        train = arm == "corps-train"
        asset = is_asset_unit(facts, unit.id)
        before, corps = army_of(view, unit.id), chain(view, unit.id)[0]
        to = None if parameters.army is None else parameters.army.removeprefix(f"{side} ")
        after = before if to is None else named(side, to)
        matters = before and plan_binds(before, after, under_plan=True)
        bound = facts.flag("plan", before) if matters else False
    if asset or not (train or arm in COMBAT_ARMS):
        hint = "an Asset Unit goes with the nearest formation (6.4.1)" if asset else "it has no Attachment marker"
        raise InputError(f"unit: {unit.id} is no formation and no Corps Train", hint=hint)
    if after not in (before, "", *GARRISONS):
        checked(view, after)
    if wanted and wanted not in (known := corps_of_side(view, side)):
        raise InputError(f"corps: no {wanted!r} Corps in this position", hint=nearest(wanted, known))
    if train and wanted is not None:
        raise InputError(f"corps: {unit.id} is the Train of its corps", hint="only its army can change")
    if after == before and wanted in (None, corps):
        raise InputError(f"{unit.id} is attached so already", hint="say army=NAME or corps=ID")
    going = with_its_corps(view, unit.id, train=train)
    changes = [changed(view, "army", name, to, "6.1.1") for name in going] if after != before else []
    if wanted is not None and wanted != corps:
        changes.append(changed(view, "corps", unit.id, wanted, "6.2"))
    faults = [Fault("6.1.1", unit.id, "attachments change in an Attachment Phase of its side only")] * frozen(
        attachment_phase=parameters.attachment_phase
    )
    if plan_binds(before, after, under_plan=bound):
        faults.append(Fault("6.1.1", unit.id, f"{before} is under a Strategic Plan and gives nothing away (21.1.3)"))
    now = View(view.game, view.game.apply(view.state, changes), view.end)
    found = look(now)
    joined = trains_of(found, unit.id, wanted) if wanted != corps else ()
    faults += made_by_it(look(view).faults, found.faults, {*going, *joined, after})
    turns_on = {*joined, *own_train(found, unit.id), ""}
    limited = {after} if train else set()  # the number of corps changes only with a Train
    missing = tuple(
        ask
        for (track, subject), ask in found.asks.items()
        if subject in turns_on | (limited if track == "attachment-limit" else set())
    )
    if missing and not faults:
        raise MissingFacts(missing)
    result = AttachResult(
        unit=unit.id,
        before=before,
        after=after,
        corps=corps if wanted is None else wanted,
        units=going,
        allowed=not faults,
        breaches=tuple(faults),
    )
    figures = {
        "unit": unit.id,
        "army": after or "no army",
        "corps": result.corps or "independent",
        "reasons": len(faults),
    }
    text = (
        "{unit} may go to {army}, {corps}"
        if not faults
        else "{unit} may not go to {army}, {corps}, for {reasons:#reason}"
    )
    steps = tuple(Step(one.rule, "{unit}: {why}", {"unit": one.about, "why": one.why}) for one in faults)
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Attachment of {unit.id}",
        verdict=Verdict("no" if faults else "yes", text, figures),
        parts=(Part("Not allowed", steps),) if steps else (),
        changes=() if faults else tuple(changes),
        result=result,
    )


def trains_of(found: Found, unit: str, corps: str | None) -> tuple[str, ...]:
    """The Train of the corps that a unit joins, nothing if it joins none."""
    nation = next((one.nation for one in found.placed if one.id == unit), "")
    return tuple(one.id for one in found.placed if one.train and corps and (one.nation, one.corps) == (nation, corps))


def own_train(found: Found, unit: str) -> tuple[str, ...]:
    """The Train of the corps that a formation's ID names, with its army, if the formation is not with it."""
    one = next(one for one in found.placed if one.id == unit)
    if one.train or one.corps == one.own_corps:
        return ()
    trains = [other for other in found.placed if other.id in trains_of(found, unit, one.own_corps)]
    return tuple(name for train in trains for name in (train.id, train.army or by_area(train)))


def corps_of_side(view: View, side: str) -> tuple[str, ...]:
    """The corps of which a side's units speak."""
    return tuple(
        sorted(
            {
                corps
                for unit in view.units()
                if view.game.side_of_unit(unit, view.state.facts) == side
                for corps in (chain(view, unit.id)[0], corps_of(unit.id))
                if corps
            }
        )
    )


def made_by_it(before: Sequence[Fault], after: Sequence[Fault], touched: Collection[str]) -> list[Fault]:
    """The faults that a change makes, or leaves with what it touches; what stood so before is not held against it.

    touched: the units that change, and what they join.
    """
    same, alike = set(before), {(fault.rule, fault.about) for fault in before}
    return [
        one
        for one in after
        if not one.tolerated and one not in same and (one.about in touched or (one.rule, one.about) not in alike)
    ]


def frozen(*, attachment_phase: bool) -> bool:
    """Whether attachments stay as they are: until the next Attachment Phase of their side.

    Rule: 6.1.1b
    """
    return not attachment_phase


def with_its_corps(view: View, unit: str, *, train: bool) -> tuple[str, ...]:
    """The units whose army changes with that of a unit: a Corps Train takes all formations of its corps along."""
    if not train:
        return (unit,)
    nation, corps = view.fact("nation", unit), chain(view, unit)[0]
    same = [
        other.id
        for other in view.units()
        if other.id != unit and corps and chain(view, other.id)[0] == corps
        if nation and (theirs := view.fact("nation", other.id)) and theirs.value == nation.value
    ]
    return (unit, *same)


QUESTION = Question(
    name="attach",
    title="whether a formation or a corps may be attached otherwise now, and what that changes",
    parameters=AttachParameters,
    result=AttachResult,
    answer=answer,
    answers={},
)

"""The question `attachment`: which army and corps each unit belongs to, and every breach of the rules of attachment (6.1 to 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import Ask, Part, Report, Step, Verdict
from assistant.questions.view import View
from assistant.state.changes import Change
from assistant.util.errors import InputError
from assistant.util.notes import note

from ..forces.armies import GARRISONS, Fault, checked, is_shown, known_armies, side_of_army
from ..forces.assets import Placed, by_area
from .breaches import Found, look


class AttachmentParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked at."""

    army: Annotated[str, note("one army, as 'russian Second', every army if left out")] = ""
    units: Annotated[tuple[UnitName, ...], note("those that are listed, all if left out")] = ()


class UnitAttached(msgspec.Struct, frozen=True, kw_only=True):
    """A unit and what it belongs to."""

    unit: Annotated[str, note("its id")]
    army: Annotated[str, note("by its side and name, empty if it belongs to none that is known")]
    corps: Annotated[str, note("empty if it is independent")]
    by: Annotated[
        str,
        note(
            "what says so: its display, its corps, the area it stands in, or the formation that it stands "
            "with or nearest to"
        ),
    ]
    area: Annotated[str, note("the army in whose Area of Attachment it stands, empty where none is stated")] = ""
    formation: Annotated[str, note("that an Asset Unit is attached to")] = ""
    ties: Annotated[tuple[str, ...], note("the formations among which its owner has to choose")] = ()


class AttachmentResult(msgspec.Struct, frozen=True, kw_only=True):
    """The attachment of a position."""

    units: Annotated[tuple[UnitAttached, ...], note("each with its army and corps")]
    breaches: Annotated[tuple[Fault, ...], note("of the rules")]
    off_front: Annotated[
        tuple[str, ...], note("armies without a unit in the Front Line, whose area lies behind it for the time being")
    ] = ()


def answer(view: View, parameters: AttachmentParameters, answers: Answers) -> Report[AttachmentResult]:
    """The report on attachment.

    Raises MissingFacts for a unit whose nation, arm or size nobody stated, InputError for an army that is not there, and for
    one or for units whose display is the other side's.

    Rule: 6.1.1
    """
    del answers
    army = checked(view, parameters.army) if parameters.army else ""
    chosen = {view.unit(name).id for name in parameters.units}
    hint = "a side sees its own displays only (4.2.6)"
    if army and not is_shown(view, side_of_army(army)):
        raise InputError(f"army: {army} is the enemy's", hint=hint)
    for name in sorted(chosen):
        if not is_shown(view, view.game.side_of_unit(view.unit(name), view.state.facts)):
            raise InputError(f"units: {name} is the enemy's", hint=hint)
    found = look(view)
    wanted = [
        one for one in found.placed if (not chosen or one.id in chosen) and (not army or army in (one.army, one.area))
    ]
    units = tuple(attached(one, found) for one in wanted)
    names = {one.id for one in wanted}
    faults = [fault for fault in found.faults if not (army or chosen) or fault.about in (*names, army)]
    asks = tuple(
        ask for (_, subject), ask in found.asks.items() if not (army or chosen) or subject in (*names, army, "")
    )
    ours = [one for one in known_armies(view) if is_shown(view, side_of_army(one))]
    off = tuple(one for one in ours if one not in found.fronts and one not in GARRISONS and found.fronts)
    result = AttachmentResult(
        units=units,
        breaches=tuple(faults),
        off_front=tuple(o for o in off if army in ("", o)),
    )
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Attachment of {army}" if army else "Attachment",
        verdict=verdict(result, asks),
        parts=tuple(
            part
            for part in (breach_part(result), units_part(result), off_part(result), bare_part(found, army))
            if part.steps
        ),
        asks=asks,
        changes=taken_in(wanted),
        result=result,
    )


def attached(one: Placed, found: Found) -> UnitAttached:
    """What a unit belongs to, and by what."""
    alone = next((asset for asset in found.lone if asset.id == one.id), None)
    if alone and alone.nearest:
        chief = next(other for other in found.placed if other.id == alone.nearest[0])
        only = len(alone.nearest) == 1
        return UnitAttached(
            unit=one.id,
            army=alone.army,
            corps=chief.corps if only else "",
            by="the nearest formation",
            area=one.area,
            formation=chief.id if only else "",
            ties=() if only else alone.nearest,
        )
    chief = next((other for other in found.placed if other.id == one.joined), one)
    by = "its display" if chief.army else "its corps" if chief.of_corps else "its area"
    army = chief.army or chief.of_corps or by_area(chief)
    by = "its formation" if chief is not one else by if army else ""
    return UnitAttached(unit=one.id, army=army, corps=chief.corps, by=by, area=one.area, formation=one.joined)


def taken_in(placed: Sequence[Placed]) -> tuple[Change, ...]:
    """What the Attachment Phase does: units without a recorded army belong to that in whose area they stand, or to that of their
    corps by ruling corps-or-area."""
    return tuple(
        Change("army", one.id, None, army.partition(" ")[2], "6.1.1")
        for one in placed
        if not one.army and (army := one.of_corps or by_area(one))
    )


def verdict(result: AttachmentResult, asks: Sequence[Ask]) -> Verdict:
    """The answer in a line."""
    wrong = [one for one in result.breaches if not one.tolerated]
    figures = {"reasons": len(wrong), "units": len(result.breaches) - len(wrong), "missing": len(asks)}
    text = "{reasons} against the rules of attachment" if wrong else "nothing against the rules of attachment"
    text += ", {units:#unit} in a wrong area" if figures["units"] else ""
    text += "; {missing:#fact} not stated" if asks else ""
    return Verdict("no" if wrong else "figure" if asks else "yes", text, figures)


def breach_part(result: AttachmentResult) -> Part:
    """Every breach in words."""
    text = "{unit}: {why}"
    return Part("Breaches", tuple(Step(one.rule, text, {"unit": one.about, "why": one.why}) for one in result.breaches))


def units_part(result: AttachmentResult) -> Part:
    """Each unit in words, those of one corps together."""
    together: dict[tuple[str, str], list[str]] = {}
    steps = []
    for one in result.units:
        if not one.ties:
            together.setdefault((one.army, one.corps), []).append(one.unit)
        if one.ties:
            told = {"unit": one.unit, "units": list(one.ties)}
            steps.append(Step("6.4.1", "{unit}: its owner says to which it is attached, {units} (with=UNIT)", told))
        elif one.formation:
            steps.append(Step("6.4.1", "{unit} is attached to {force}", {"unit": one.unit, "force": one.formation}))
    listed = [
        Step(
            "6.2",
            "{army}, {corps}: {units}",
            {"army": army or "no army", "corps": corps or "independent", "units": units},
        )
        for (army, corps), units in sorted(together.items())
    ]
    return Part("Attachment", (*listed, *steps))


def off_part(result: AttachmentResult) -> Part:
    """The armies that have no unit in the Front Line."""
    text = "{armies}: no unit in the Front Line, so any area behind it will do until a part of the front is taken over"
    return Part("Off the front", (Step("6.1", text, {"armies": list(result.off_front)}),) if result.off_front else ())


def bare_part(found: Found, army: str) -> Part:
    """The armies of which no area is stated, and what is not judged for want of it."""
    armies = {one.army for one in found.placed if one.army and one.army not in GARRISONS and army in ("", one.army)}
    bare = sorted(armies - set(found.areas))
    text = "no Area of Attachment of {armies} is stated ({how}), so neither its shape nor who stands in it is judged"
    figures = {"armies": bare, "how": 'army NAME area="44.18-44.22 45.19"'}
    return Part("Not judged", (Step("6.1", text, figures),) if bare else ())


QUESTION = Question(
    name="attachment",
    title="which army and corps each unit belongs to, and what breaks the rules of attachment",
    parameters=AttachmentParameters,
    result=AttachmentResult,
    answer=answer,
    answers={},
)

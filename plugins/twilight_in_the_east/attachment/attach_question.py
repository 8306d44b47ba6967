"""The question `attach`: whether a formation or a corps may be attached to another army or corps now, and what changes
(6.1.1, 6.2).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec

from assistant.field import side_of
from assistant.questions import Answers, InputError, Parameters, UnitName, View, declare, note, read_unless, refused
from assistant.questions.report import MissingFacts, Part, Report, step, verdict
from assistant.questions.view import changed
from assistant.state.state import Unit
from assistant.state.vocabulary import Allowed, UnitId
from assistant.util.errors import suggested

from ..forces.armies import GARRISONS, NATIONS, Breach, army_name, army_of, corps_and_army, is_shown, known_army
from ..forces.assets import is_asset_unit
from ..forces.units import corps_name, corps_of
from ..ground.calendar import in_campaign
from ..terms import COMBAT_ARMS
from .breaches import Attachments, breaches_made
from .depots import CHANGED, against_naming, is_named_in_play, record_army
from .rules import frozen, plan_binds
from .unjudged import BARRED

ONLY_THEN = "attachments change in an Attachment Phase of its side only"


class AttachParameters(Parameters, frozen=True):
    """A change of attachment of one formation, of a whole corps by its Train, or of the depots PRAGA and Karpaten."""

    unit: Annotated[UnitName, note("the formation, Corps Train or depot")]
    attachment_phase: Annotated[bool, note("whether it is an Attachment Phase of its side")] = msgspec.field(
        name="attachment-phase"
    )
    army: Annotated[str | None, note("the name of the army that it joins; its present one if left out")] = None
    corps: Annotated[str | None, note("the corps that it joins, none for independent; its present one if left out")] = (
        None
    )


class AttachResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be attached so."""

    unit: UnitId
    before: Annotated[str, note("its army before, by its side and name")]
    after: Annotated[str, note("its army after, by its side and name")]
    corps: Annotated[str, note("its corps after, empty if independent")]
    units: Annotated[tuple[str, ...], note("all units that change army with it")]
    allowed: Allowed
    breaches: Annotated[tuple[Breach, ...], note("what forbids it")]


def answer(view: View, parameters: AttachParameters, answers: Answers) -> Report[AttachResult]:
    """The report on a change of attachment.

    Raises MissingFacts for what matters and is not stated, InputError for a unit that has no Attachment marker, for an
    army or corps that is not there, and for a change that changes nothing.
    """
    unit = view.unit(parameters.unit)
    if not unit.place:
        raise InputError(f"unit: {unit.id} is not on the map")
    wanted = None if parameters.corps is None else corps_name(str(view.game.track("corps").parse(parameters.corps)))
    if not is_shown(view, view.game.side_of_unit(unit, view.state.facts)):
        raise InputError(f"unit: {unit.id} is the enemy's", hint="a side sees only its own displays (4.2.6)")
    too_late = frozen(attachment_phase=parameters.attachment_phase)
    standing = [step("6.1.1", "{about}: {why}", about=unit.id, why=ONLY_THEN)] if too_late else []
    known = read_unless(standing, lambda: read(view, unit, parameters.army))
    if known is None:
        return refused(f"Attachment of {unit.id}", "{unit} may not be attached anew", standing, parameters)
    nation, side, arm, asset, to, after = known
    train = arm == "corps-train"
    before, corps = army_of(view, unit.id), corps_and_army(view, unit.id)[0]
    if is_named_in_play(unit.id):
        return of_depot(view, unit.id, before, after if to else "", parameters.attachment_phase)
    if asset or not (train or arm in COMBAT_ARMS):
        hint = "an Asset Unit goes with the nearest formation (6.4.1)" if asset else "it has no Attachment marker"
        raise InputError(f"unit: {unit.id} is not a formation or a Corps Train", hint=hint)
    if after not in (before, "", *GARRISONS):
        known_army(view, after)
    if wanted and wanted not in (theirs := corps_of_side(view, side)):
        raise InputError(f"corps: no {wanted!r} Corps in this position", hint=suggested(wanted, theirs))
    if train and wanted is not None:
        raise InputError(f"corps: {unit.id} is the Train of its corps", hint="only its army can change")
    if after == before and wanted in (None, corps):
        raise InputError(f"{unit.id} is already attached that way", hint="give army=NAME or corps=ID")
    going = (unit.id, *others_of_corps(view, unit.id)) if train else (unit.id,)
    joins = wanted if wanted != corps else None
    changes = [changed(view, "army", name, to, "6.1.1") for name in going] if after != before else []
    changes += [changed(view, "corps", unit.id, joins, "6.2")] if joins is not None else []
    now = Attachments(View(view.game, view.game.apply(view.state, changes), view.end))
    joined = trains_of(now, nation, joins) if joins else ()
    breaches = [Breach("6.1.1", unit.id, ONLY_THEN)] if too_late else []
    breaches += breaches_made(Attachments(view), now, frozenset({*going, *joined, after}))
    if read_unless(breaches, lambda: is_bound(view, before, after)):
        bound = f"{before} is under a Strategic Plan and may not release units (21.1.3)"
        breaches.append(Breach("6.1.1", unit.id, bound))
    for open_breach in now.of_campaign:
        if open_breach.about in going:
            in_campaign(view, True, open_breach.rule, BARRED, about=open_breach.about, why=open_breach.why)
    matters = {(track, subject) for track, subject in now.asks if subject in {*joined, *home_of(now, unit.id), ""}}
    matters |= {("attachment-limit", after)} if train else set()  # the number of corps changes only with a Train
    missing = [ask for key, ask in now.asks.items() if key in matters]
    if missing and not breaches:
        raise MissingFacts(missing)
    result = AttachResult(
        unit=unit.id,
        before=before,
        after=after,
        corps=corps if wanted is None else wanted,
        units=going,
        allowed=not breaches,
        breaches=tuple(breaches),
    )
    text = "{unit} may not join {army}, {corps}: {reasons:#reason}" if breaches else "{unit} may join {army}, {corps}"
    figures = {"army": after or "no army", "corps": result.corps or "independent", "reasons": len(breaches)}
    return Report(
        title=f"Attachment of {unit.id}",
        verdict=verdict("no" if breaches else "yes", text, result, **figures),
        parts=(Part("Not allowed", tuple(step(breach.rule, "{about}: {why}", breach) for breach in breaches)),),
        changes=() if breaches else tuple(changes),
        result=result,
    )


class Known(NamedTuple):
    """A unit that would be attached anew: its nation, side and arm, whether it is an Asset Unit, the army that it joins
    as named and by side and name, None and its present one if none is named.
    """

    nation: str
    side: str
    arm: str
    asset: bool
    to: str | None
    after: str


def read(view: View, unit: Unit, army: str | None) -> Known:
    """What is known of a unit that would be attached anew. army: as named. Raises MissingFacts for what is not stated."""
    with view.gather() as facts:
        nation, side, before = facts.word("nation", unit.id), side_of(facts, unit), army_of(view, unit.id)
        arm, asset = facts.word("arm", unit.id), is_asset_unit(facts, unit.id)
        to = None if army is None else army.removeprefix(f"{side} ")
        after = before if to is None else army_name(side, to)
        return Known(nation, side, arm, asset, to, after)


def is_bound(view: View, before: str, after: str) -> bool:
    """Whether a Strategic Plan keeps a unit in its army. Raises MissingFacts if it is not stated whether there is one."""
    with view.gather() as facts:
        return bool(before) and plan_binds(before, after, under_plan=True) and facts.flag("plan", before)


def of_depot(view: View, unit: str, before: str, after: str, attachment_phase: bool) -> Report[AttachResult]:
    """The report on a depot whose army is named in play. Raises InputError if none is named."""
    if not after:
        raise InputError(f"the army of {unit} is not given", hint="give army=NAME")
    known_army(view, after)
    breaches = against_naming(
        unit, NATIONS.get(after, ""), before, after, campaign=view.flag("campaign"), phase=attachment_phase
    )
    result = AttachResult(
        unit=unit, before=before, after=after, corps="", units=(unit,), allowed=not breaches, breaches=tuple(breaches)
    )
    text = "{unit} may not join {army}: {reasons:#reason}" if breaches else "{unit} may join {army}"
    changes = () if breaches else tuple(record_army(view, unit, before, after))
    turned = any(change.track == CHANGED and change.after for change in changes)
    idle = (
        (step("24.5.3", "flip it to its Changed Attach side: it supplies nobody in this game turn"),) if turned else ()
    )
    return Report(
        title=f"Attachment of {unit}",
        verdict=verdict("no" if breaches else "yes", text, result, army=after, reasons=len(breaches)),
        parts=(
            Part("Not allowed", tuple(step(breach.rule, "{about}: {why}", breach) for breach in breaches)),
            Part("The depot", idle),
        ),
        changes=changes,
        result=result,
    )


def trains_of(now: Attachments, nation: str, corps: str) -> tuple[str, ...]:
    """The Train of a corps of a nation."""
    return tuple(unit.id for unit in now.units if unit.train and (unit.nation, unit.corps) == (nation, corps))


def home_of(now: Attachments, name: str) -> tuple[str, ...]:
    """The Train of the corps that a formation's ID names, with its army, if the formation is not with it."""
    units = now.by_id
    unit = units[name]
    if unit.train or unit.own_corps in ("", unit.corps):
        return ()
    return tuple(name for train in trains_of(now, unit.nation, unit.own_corps) for name in (train, units[train].army))


def corps_of_side(view: View, side: str) -> tuple[str, ...]:
    """The corps that a side's units belong to or name in their ID."""
    ours = [unit.id for unit in view.units() if view.game.side_of_unit(unit, view.state.facts) == side]
    return tuple(sorted({corps for name in ours for corps in (corps_and_army(view, name)[0], corps_of(name)) if corps}))


def others_of_corps(view: View, train: str) -> tuple[str, ...]:
    """The units whose army changes with that of a Corps Train: all others of its corps and nation."""

    def belongs(name: str) -> tuple[str, str]:
        return view.word("nation", name), corps_and_army(view, name)[0]

    own = belongs(train)
    return tuple(unit.id for unit in view.units() if own[1] and unit.id != train and belongs(unit.id) == own)


QUESTION = declare("attach", "whether a formation or a corps may be re-attached now, and what that changes", answer)

"""The question `attach`: whether a formation or a corps may be attached to another army or corps now, and what changes;
and the depots whose army is named in play: PRAGA, turn by turn, and Karpaten, once (6.1.1, 6.2, 23.5, 24.5.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from assistant.asking import InputError, Parameters, UnitName, View, declare, note, permission, read_unless, refused
from assistant.asking.asks import Ask
from assistant.asking.report import MissingFacts, Report, Step, step
from assistant.asking.view import changed
from assistant.game.states import apply_changes
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Allowed, UnitId
from assistant.util.errors import format_suggestion

from ..forces.armies import (
    GARRISONS,
    NATIONS,
    PRZEMYSL_GARRISON,
    WARSAW_GARRISON,
    Breach,
    army_name,
    army_of,
    corps_and_army,
    is_asset_unit,
    is_shown,
    known_army,
)
from ..forces.objectives import asks_if_bound, corps_title, force_title
from ..forces.units import corps_name, corps_of
from ..fortresses.warsaw import is_leaving, steps_of_leaving
from ..ground.calendar import in_campaign, other_phase_steps, phase_of
from ..terms import COMBAT_ARMS, FIXED, KARPATEN
from .breaches import BARRED, Attachments, breaches_made
from .przemysl import why_not_garrison
from .rules import frozen, plan_binds

CHANGED = "changed-attachment"
"""The track of the PRAGA depot's Changed Attach side."""


def against_naming(unit: str, nation: str, before: str, after: str, *, campaign: bool, phase: bool) -> list[Breach]:
    """Return what forbids naming an army for a depot.

    nation: whose army it would be; before, after: its army, "" for none; phase: whether it is an Attachment Phase of
    its side.
    Rule: 23.5, 24.5.3
    """
    karpaten = unit == KARPATEN
    reasons = (
        (karpaten and not campaign, "23.5", "it is available only in the Grand Campaign"),
        (karpaten and nation != "austro-hungarian", "23.5", "it may be attached only to an Austro-Hungarian army"),
        (karpaten and before not in ("", after), "23.5", f"its attachment to {before} may not be changed"),
        (not karpaten and not campaign, "24.5.2", "in the Tannenberg scenario it stays with the Second Army"),
        (not karpaten and not phase, "24.5.3", "its army is named only in the Russian Attachment Phase"),
    )
    return [Breach(rule, unit, why) for holds, rule, why in reasons if holds]


def turns_praga(before: str, after: str) -> bool:
    """Return whether the PRAGA depot lies on its Changed Attach side once its army is named: if that is another than
    the turn before. Naming the same one again turns it back. Rule: 24.5.3
    """
    return bool(before) and before != after


def _record_army(view: View, unit: str, before: str, after: str) -> list[Change]:
    """Return what naming an army changes."""
    rule = "23.5" if unit == KARPATEN else "24.5.3"
    made = [changed(view, "army", unit, after.partition(" ")[2], rule)] if after != before else []
    if unit in FIXED:
        side = turns_praga(before, after) or None
        if view.state.value(CHANGED, unit) != side:
            made.append(changed(view, CHANGED, unit, side, rule))
    return made


NOT_COMPLETE = "no combat unit leaves the Warsaw Garrison until it is complete for the first time"
ONLY_THEN = "attachments change only in an Attachment Phase of its side"


class AttachParameters(Parameters, frozen=True):
    """A change of attachment of one formation, of a whole corps by its Train, or of the depots PRAGA and Karpaten."""

    unit: Annotated[UnitName, note("the formation, Corps Train or depot")]
    attachment_phase: Annotated[
        bool | None, note("whether it is an Attachment Phase of its side; as the position says if left out")
    ] = msgspec.field(name="attachment-phase", default=None)
    army: Annotated[str | None, note("the name of the army that it joins; its present one if left out")] = None
    corps: Annotated[str | None, note("the corps that it joins, or none; its present one if left out")] = None


class AttachResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be attached so."""

    unit: UnitId
    before: Annotated[str, note("its army before, by side and name")]
    after: Annotated[str, note("its army after, by side and name")]
    corps: Annotated[str, note("its corps after, empty if independent")]
    units: Annotated[tuple[str, ...], note("all units that change army with the unit")]
    allowed: Allowed = False
    breaches: Annotated[tuple[Breach, ...], note("what forbids the change")]


def answer(view: View, parameters: AttachParameters) -> Report[AttachResult]:
    """Return the report on a change of attachment.

    Raises MissingFacts for what matters and is not stated, InputError for a unit that has no Attachment marker, for an
    army or corps that is not there, and for a change that changes nothing.
    """
    unit = view.unit(parameters.unit)
    if not unit.place:
        raise InputError(f"unit: {unit.id} is not on the map")
    wanted = None if parameters.corps is None else corps_name(str(view.game.track("corps").parse(parameters.corps)))
    if not is_shown(view, view.game.side_of_unit(unit, view.state.facts)):
        raise InputError(f"unit: {unit.id} is the enemy's", hint="a side sees only its own displays (4.2.6)")
    timely = unit.id == KARPATEN or _is_attachment_phase(view, unit, parameters.attachment_phase)
    too_late = frozen(attachment_phase=timely)
    standing = [step("6.1.1", "{about}: {why}", about=unit.id, why=ONLY_THEN)] if too_late else []
    known = read_unless(standing, lambda: _read(view, unit, parameters.army))
    if known is None:
        return refused(f"Attachment of {unit.id}", "{unit} may not be re-attached", standing, parameters)
    to = known.to
    after = known.after
    train = known.arm == "corps-train"
    before = army_of(view, unit.id)
    corps = corps_and_army(view, unit.id)[0]
    if unit.id in FIXED or unit.id == KARPATEN:
        return _report_depot(view, unit.id, before, after if to else "", attachment_phase=timely)
    _check_change(view, unit, known, wanted)
    going = (unit.id, *_find_others_of_corps(view, unit.id)) if train else (unit.id,)
    joins = wanted if wanted != corps else None
    changes = [changed(view, "army", name, to, "6.1.1") for name in going] if after != before else []
    if joins is not None:
        changes.append(changed(view, "corps", unit.id, joins, "6.2"))
    now = Attachments(View(view.game, apply_changes(view.game, view.state, changes), view.end))
    joined = trains_of(now, known.nation, joins) if joins else ()
    breaches = [Breach("6.1.1", unit.id, ONLY_THEN)] if too_late else []
    breaches += breaches_made(Attachments(view), now, frozenset({*going, *joined, after}))
    breaches += _breaches_of_army(view, unit, (before, after), going, breaches)
    for open_breach in now.of_campaign:
        if open_breach.concerns.intersection(going):
            in_campaign(view, open_breach.rule, BARRED, about=open_breach.about, why=open_breach.why)
    matters = {(track, subject) for track, subject in now.asks if subject in {*joined, *_find_home(now, unit.id), ""}}
    if train:  # the number of corps changes only with a Train
        matters.add(("attachment-limit", after))
    missing = [ask for key, ask in now.asks.items() if key in matters]
    if missing and not breaches:
        raise MissingFacts(missing)
    result = AttachResult(
        unit=unit.id,
        before=before,
        after=after,
        corps=corps if wanted is None else wanted,
        units=going,
        breaches=tuple(breaches),
    )
    army = force_title(view, after)
    corps = corps_title(result.corps)
    working = {"The Warsaw Garrison": _garrison_steps(view, changes, (before, after), breaches)}
    return _join_report(result, "{army}, {corps}", changes, working, army=army, corps=corps)


def _check_change(view: View, unit: Unit, known: UnitToAttach, wanted: str | None) -> None:
    """Raise InputError for a unit that has no Attachment marker, for an army or corps that is not there, and for a
    change that changes nothing. wanted: the corps that it joins, None to stay in its own.
    """
    before = army_of(view, unit.id)
    corps = corps_and_army(view, unit.id)[0]
    if known.asset or not (known.arm == "corps-train" or known.arm in COMBAT_ARMS):
        hint = "an Asset Unit goes with the nearest formation (6.4.1)" if known.asset else "it has no Attachment marker"
        raise InputError(f"unit: {unit.id} is neither a formation nor a Corps Train", hint=hint)
    if known.after not in (before, "", *GARRISONS):
        known_army(view, known.after)
    if wanted and wanted not in (theirs := _list_corps(view, known.side)):
        raise InputError(f"corps: no {wanted!r} Corps in this position", hint=format_suggestion(wanted, theirs))
    if known.arm == "corps-train" and wanted is not None:
        raise InputError(f"corps: {unit.id} is the Train of its corps", hint="only its army can change")
    if known.after == before and wanted in (None, corps):
        raise InputError(f"{unit.id} already has this attachment", hint="give army=NAME or corps=ID")


def _garrison_steps(
    view: View, changes: Sequence[Change], armies: tuple[str, str], breaches: Sequence[Breach]
) -> list[Step]:
    """Return what is said of the Warsaw Garrison as units leave it, if they may. changes: that let them leave; armies:
    before and after.
    """
    before, after = armies
    leaves = before == WARSAW_GARRISON and after != before and not breaches
    return [*steps_of_leaving(view, view.after(changes))] if leaves else []


def _is_attachment_phase(view: View, unit: Unit, stated: bool | None) -> bool:
    """Return whether it is an Attachment Phase of the side of a unit. stated: as a player says, None for what the
    position says. Raises MissingFacts if it does not say it either.
    """
    if stated is not None:
        return stated
    if other_phase_steps(view, view.side_of(unit.id), "6.1.1", "attachment"):
        return False
    if phase_of(view) == "attachment" and view.word("phasing"):
        return True
    title = "whether it is an Attachment Phase of its side"
    raise MissingFacts(
        [Ask(kind="parameter", name="attachment-phase", rule="6.1.1", title=title, how="attachment-phase=yes|no")]
    )


def _join_report(
    result: AttachResult, joined: str, changes: Sequence[Change], working: Mapping[str, Sequence[Step]], **figures: Any
) -> Report[AttachResult]:
    """Return the report on whether a unit may join an army or a corps. joined: that, as a template; working: what is
    said besides.
    """
    templates = f"{{unit}} may join {joined}", f"{{unit}} may not join {joined}"
    reasons = [step(breach.rule, "{about}: {why}", breach) for breach in result.breaches]
    title = f"Attachment of {result.unit}"
    return permission(title, templates, reasons, result, working=working, changes=changes, **figures)


class UnitToAttach(NamedTuple):
    """A unit that would be attached anew."""

    nation: str
    side: str
    arm: str
    asset: bool
    """Whether it is an Asset Unit."""
    to: str | None
    """The army that it joins as named, None if none is named."""
    after: str
    """The army that it joins by side and name, its present one if none is named."""


def _read(view: View, unit: Unit, army: str | None) -> UnitToAttach:
    """Return what is known of a unit that would be attached anew. army: as named. Raises MissingFacts for what is not
    stated.
    """
    with view.gather() as facts:
        nation = facts.word("nation", unit.id)
        side = side_of(facts, unit)
        before = army_of(view, unit.id)
        arm = facts.word("arm", unit.id)
        asset = is_asset_unit(facts, unit.id)
        to = None if army is None else army.removeprefix(f"{side} ")
        after = before if to is None else army_name(side, to)
        return UnitToAttach(nation, side, arm, asset, to, after)


def _breaches_of_army(
    view: View, unit: Unit, armies: tuple[str, str], going: Iterable[str], standing: Sequence[Breach]
) -> list[Breach]:
    """Return what binds a unit to its army, or keeps it from another: a Strategic Plan, an incomplete Warsaw Garrison,
    and the track of the Przemysl Garrison; it asks for what is not stated only if nothing else bars the change.

    armies: before and after; going: the units that change it; standing: the known breaches.
    """
    before, after = armies
    more = list[Breach]()
    if read_unless([*standing, *more], lambda: _is_bound(view, before, after)):
        bound = f"{force_title(view, before)} is under a Strategic Plan and may not release units"
        more.append(Breach("21.1.3", unit.id, bound))
    if read_unless([*standing, *more], lambda: any(is_leaving(view, name, before, after) for name in going)):
        more.append(Breach("24.1.1", unit.id, NOT_COMPLETE))
    on_track = after == PRZEMYSL_GARRISON
    if on_track and (why := read_unless([*standing, *more], lambda: _why_not_on_track(view, unit))):
        more.append(Breach("23.6", unit.id, why))
    return more


def _why_not_on_track(view: View, unit: Unit) -> str:
    """Return why a formation does not go on the track of the Przemysl Garrison, "" if it may. Raises MissingFacts."""
    with view.gather() as facts:
        return why_not_garrison(facts, unit)


def _is_bound(view: View, before: str, after: str) -> bool:
    """Return whether a Strategic Plan keeps a unit in its army. Raises MissingFacts if it is not stated whether there
    is one.
    """
    with view.gather() as facts:
        return bool(before) and plan_binds(before, after, under_plan=True) and asks_if_bound(facts, before)


def _report_depot(view: View, unit: str, before: str, after: str, *, attachment_phase: bool) -> Report[AttachResult]:
    """Return the report on a depot whose army is named in play. Raises InputError if none is named."""
    if not after:
        raise InputError(f"the army of {unit} is not given", hint="give army=NAME")
    known_army(view, after)
    campaign = view.flag("campaign")
    nation = NATIONS.get(after, "")
    breaches = tuple(against_naming(unit, nation, before, after, campaign=campaign, phase=attachment_phase))
    result = AttachResult(unit=unit, before=before, after=after, corps="", units=(unit,), breaches=breaches)
    changes = _record_army(view, unit, before, after)
    turned = any(change.track == CHANGED and change.after for change in changes)
    idle = [step("24.5.3", "flip it to its Changed Attach side: it supplies no units this game turn")] if turned else []
    return _join_report(result, "{army}", changes, {"The depot": idle}, army=force_title(view, after))


def trains_of(now: Attachments, nation: str, corps: str) -> tuple[str, ...]:
    """Return the Train of a corps of a nation, which has its ID. Rule: 2.1c"""
    return tuple(unit.id for unit in now.units if unit.train and (unit.nation, unit.corps) == (nation, corps))


def _find_home(now: Attachments, name: str) -> tuple[str, ...]:
    """Return the Train of the corps that a formation's ID names, with its army, if the formation is not with it."""
    units = now.by_id
    unit = units[name]
    if unit.train or unit.own_corps in ("", unit.corps):
        return ()
    return tuple(name for train in trains_of(now, unit.nation, unit.own_corps) for name in (train, units[train].army))


def _list_corps(view: View, side: str) -> tuple[str, ...]:
    """Return the corps that a side's units belong to or name in their ID."""
    ours = [unit.id for unit in view.units() if view.game.side_of_unit(unit, view.state.facts) == side]
    return tuple(sorted({corps for name in ours for corps in (corps_and_army(view, name)[0], corps_of(name)) if corps}))


def _find_others_of_corps(view: View, train: str) -> tuple[str, ...]:
    """Return the units whose army changes with that of a Corps Train: all others of its corps and nation."""

    def belongs(name: str) -> tuple[str, str]:
        return view.word("nation", name), corps_and_army(view, name)[0]

    own = belongs(train)
    return tuple(unit.id for unit in view.units() if own[1] and unit.id != train and belongs(unit.id) == own)


QUESTION = declare("attach", "whether a formation or a corps may be re-attached now, and what that changes", answer)

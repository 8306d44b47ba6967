"""The question `attachment`: the army and corps of each unit, and all breaches of the rules (6.1 to 6.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, UnitName, View, declare, note
from assistant.asking.asks import Ask
from assistant.asking.report import Part, Report, Step, VerdictKind, step, verdict
from assistant.state.changes import Change
from assistant.state.vocabulary import UnitId

from ..forces.armies import GARRISONS, AttachedUnit, Breach, is_shown, judge, known_armies, known_army, side_of_army
from ..forces.objectives import corps_title, force_title
from ..ground.calendar import left_out_steps
from .breaches import BARRED_TEXT, Displays, list_findings, of_campaign, read_displays

VERDICT_TEXT = (
    "[reasons:{reasons:#breach}|no breach] of the attachment rules"
    "[tolerated:, {tolerated:#unit} in the wrong area][missing:; {missing:#fact} not stated]"
)
OFF_FRONT_TEXT = (
    "{off_front} has no unit in the Front Line: its area may lie anywhere behind the Front Line until it takes over "
    "part of it"
)

UNJUDGED_REMARKS = (
    ("6.1.1", "when an attachment changed is not judged here (ask attach)"),
    ("24.1.1", "the strength of the Warsaw Garrison, and where its units stand, is not judged here (ask garrison)"),
)
"""Remarks on rules that no position shows to be kept, or that are not judged here."""


class AttachmentParameters(Parameters, frozen=True):
    """Parameters of the question `attachment`."""

    army: Annotated[str, note("one army, such as 'russian Second'; every army if left out")] = ""
    units: Annotated[tuple[UnitName, ...], note("the units to list; all if left out")] = ()


class UnitAttachment(msgspec.Struct, frozen=True, kw_only=True):
    """A unit with its army, corps and formation."""

    unit: UnitId
    army: Annotated[str, note("the army by side and name, empty if none is known")]
    corps: Annotated[str, note("the corps, empty if it is independent")]
    by: Annotated[
        str, note("what shows its army and corps: its display, corps, area, formation or the nearest formation")
    ]
    area: Annotated[str, note("the army in whose Area of Attachment it stands, empty if none is stated")] = ""
    formation: Annotated[str, note("formation to which an Asset Unit is attached")] = ""
    ties: Annotated[tuple[str, ...], note("formations from which its owner must choose")] = ()


class AttachmentResult(msgspec.Struct, frozen=True, kw_only=True):
    """The attachments of a position."""

    units: Annotated[tuple[UnitAttachment, ...], note("each unit with its army and corps")]
    breaches: Annotated[tuple[Breach, ...], note("the breaches of the attachment rules")]
    off_front: Annotated[
        tuple[str, ...], note("armies with no unit in the Front Line, whose areas lie behind that line")
    ] = ()
    not_judged: Annotated[tuple[str, ...], note("what was not checked, and why")] = ()


def answer(view: View, parameters: AttachmentParameters) -> Report[AttachmentResult]:
    """Return the report on attachment.

    Raises MissingFacts if a unit's nation, arm or size is not stated; InputError if an army is not in the position, and
    for an army or units on the other side's displays.
    """
    chosen = {view.unit(name).id for name in parameters.units}
    _check_seen(view, parameters.army, chosen)
    army = known_army(view, parameters.army) if parameters.army else ""
    displays = read_displays(view)
    breaches, missing = judge(list_findings(displays))
    listed = [unit for unit in displays.units if not chosen or unit.id in chosen]
    belongs = {unit.id: _attachment_of(unit, displays) for unit in listed}
    wanted = [unit for unit in listed if not army or army in (unit.recorded, unit.area, belongs[unit.id].army)]
    about = {unit.id for unit in wanted} | {army}
    everything = not (army or chosen)
    later = _find_others_later(displays, missing) if everything else frozenset()
    asks = [ask for ask in missing if everything or _subject_of(ask) in about | {""}]
    asks = [ask for ask in asks if _subject_of(ask) not in later]
    armies = [name for name in known_armies(view) if is_shown(view, side_of_army(name)) and name not in GARRISONS]
    left_open = (*_list_unjudged(displays, breaches, army), *_later_steps(view, later))
    result = AttachmentResult(
        units=tuple(belongs[unit.id] for unit in wanted),
        breaches=tuple(breach for breach in breaches if everything or breach.concerns & about),
        off_front=tuple(
            name for name in armies if displays.fronts and name not in displays.fronts and army in ("", name)
        ),
        not_judged=tuple(summary.text for summary in left_open),
    )
    wrong = sum(not breach.tolerated for breach in result.breaches)
    tolerated = len(result.breaches) - wrong
    kind: VerdictKind = "figure" if asks else "yes"
    return Report(
        title=f"Attachment of {force_title(view, army)}" if army else "Attachment",
        verdict=verdict("no" if wrong else kind, VERDICT_TEXT, reasons=wrong, tolerated=tolerated, missing=len(asks)),
        parts=(
            Part("Breaches", tuple(step(breach.rule, "{about}: {why}", breach) for breach in result.breaches)),
            Part("Attachment", tuple(_attachment_steps(view, result.units))),
            Part("Off the front", (step("6.1", OFF_FRONT_TEXT, result),) if result.off_front else ()),
            Part("Not judged", left_open),
        ),
        asks=tuple(asks),
        changes=_record_attachments(wanted),
        result=result,
    )


def _check_seen(view: View, army: str, units: Collection[str]) -> None:
    hint = "a side sees only its own displays (4.2.6)"
    side = side_of_army(army)
    if side in view.game.file.sides and not is_shown(view, side):
        raise InputError(f"army: {army} is the enemy's", hint=hint)
    for name in sorted(units):
        if not is_shown(view, view.game.side_of_unit(view.unit(name), view.state.facts)):
            raise InputError(f"units: {name} is the enemy's", hint=hint)


def _subject_of(ask: Ask) -> str:
    return str(ask.key[1]) if ask.key else ""


def _find_others_later(displays: Displays, asks: Iterable[Ask]) -> frozenset[str]:
    """Return the armies and units asked about that need not be known yet, as their side is inactive.

    Attachments change in the Attachment Phase of the side's own player turn (6.1.1, 6.2).
    """
    phasing = displays.view.word("phasing")
    sides = {unit.id: unit.side for unit in displays.units}
    subjects = {_subject_of(ask) for ask in asks} - {""}
    return frozenset(name for name in subjects if phasing and sides.get(name, side_of_army(name)) != phasing)


def _list_unjudged(displays: Displays, breaches: Sequence[Breach], army: str) -> Iterator[Step]:
    """Yield the points that are not judged of the armies asked about, missing facts first.

    `breaches`: the known breaches.
    `army`: the only army asked about, or "" for all.
    """
    view = displays.view
    recorded = displays.recorded
    looked_at = {*(unit.army for unit in recorded), *displays.areas} - {"", *GARRISONS}
    armies = looked_at & {army} if army else looked_at
    if bare := sorted(armies - {*displays.areas}):
        text = (
            "the Area of Attachment of {armies} is not stated ({how}): neither its shape nor the units in it are judged"
        )
        titles = [force_title(view, name) for name in bare]
        yield step("6.1", text, armies=titles, how='army NAME area="44.18-44.22 45.19"')
    if lineless := sorted(armies & {*displays.areas} - {*displays.fronts}):
        text = "the Front Line of {armies} is not known: where area boundaries begin and end is not judged"
        yield step("6.1", text, armies=[force_title(view, name) for name in lineless])
    members = [unit for unit in recorded if unit.corps and army in ("", unit.army)]
    corps = {(unit.nation, unit.corps) for unit in members if not displays.trains_of(unit.nation, unit.corps)}
    if corps:
        text = "the Corps Trains of {corps} are not in this position: how many divisions each corps holds is not judged"
        yield step("6.2.2", text, corps=sorted(map(" ".join, corps)))
    for breach in of_campaign(displays, breaches):
        if not army or army in breach.concerns:
            yield from left_out_steps(view, breach.rule, BARRED_TEXT, about=breach.about, why=breach.why)
    if unknown := sorted(unit.id for unit in recorded if not unit.army):
        yield step("6.2", "the army of {units} is not known: nothing else about them is judged", units=unknown)
    garrison = any(unit.army in GARRISONS and army in ("", unit.army) for unit in displays.units)
    for rule, text in UNJUDGED_REMARKS:
        if not rule.startswith("24.1") or garrison:
            yield step(rule, text)


def _later_steps(view: View, later: Collection[str]) -> Iterator[Step]:
    if later:
        text = "not asked for in the {title} player turn: unstated facts of {later}"
        yield step("6.2", text, title=view.game.file.title_of(view.word("phasing")), later=sorted(later))


def _attachment_of(unit: AttachedUnit, displays: Displays) -> UnitAttachment:
    units = displays.by_id
    lone = displays.lone.get(unit.id)
    if lone and lone.nearest:
        ties = lone.nearest if len(lone.nearest) > 1 else ()
        name = "" if ties else lone.nearest[0]
        army = lone.army
        corps = units[name].corps if name else ""
        by = "the nearest formation"
    else:
        formation = units.get(unit.joined, unit)
        name = unit.joined
        ties = ()
        army = formation.army
        corps = formation.corps
        if formation is not unit:
            by = "its formation"
        elif not unit.army:
            by = ""
        elif formation.recorded:
            by = "its display"
        else:
            by = "its corps" if formation.of_corps else "its area"
    return UnitAttachment(unit=unit.id, army=army, corps=corps, by=by, area=unit.area, formation=name, ties=ties)


def _record_attachments(units: Sequence[AttachedUnit]) -> tuple[Change, ...]:
    unrecorded = [unit for unit in units if not unit.recorded and unit.army]
    return tuple(Change("army", unit.id, None, unit.army.partition(" ")[2], "6.1.1") for unit in unrecorded)


def _attachment_steps(view: View, units: Sequence[UnitAttachment]) -> Iterator[Step]:
    together: dict[tuple[str, str], list[str]] = {}
    for unit in units:
        if not unit.ties:
            together.setdefault((unit.army, unit.corps), []).append(unit.unit)
    for (army, corps), names in sorted(together.items()):
        figures = {"army": force_title(view, army), "corps": corps_title(corps), "units": names}
        yield Step("6.2", "{army}, {corps}: {units}", figures)
    for unit in units:
        if unit.ties:
            yield step("6.4.1", "{unit}: its owner chooses its formation from {ties} (with=UNIT)", unit)
        elif unit.formation:
            yield step("6.4.1", "{unit} is attached to {formation}", unit)


QUESTION = declare(
    "attachment", "which army and corps each unit belongs to, and what breaks the attachment rules", answer
)

"""The question `attach`: attaching a formation or a corps to another army or corps.

It also names the army of two depots: of PRAGA turn by turn, of Karpaten once (6.1.1, 6.2, 23.5, 24.5.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from assistant.asking import InputError, Parameters, UnitName, View, declare, note, permission, read_unless, refused
from assistant.asking.asks import Ask
from assistant.asking.case import fact
from assistant.asking.permission import Clause
from assistant.asking.report import Report, Step, step
from assistant.asking.view import changed
from assistant.game.states import apply_changes
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Allowed, UnitId
from assistant.util.errors import format_suggestion

from ..forces.armies import (
    GARRISONS,
    NATION_BY_ARMY,
    PRZEMYSL_GARRISON,
    WARSAW_GARRISON,
    Breach,
    Judged,
    army_name,
    army_of,
    corps_and_army,
    is_asset_unit,
    is_shown,
    judge,
    judge_all,
    known_army,
)
from ..forces.objectives import asks_if_bound, corps_title, force_title
from ..forces.units import corps_name, corps_of
from ..fortresses.warsaw import is_leaving, steps_of_leaving
from ..ground.calendar import in_campaign, other_phase_steps, phase_of
from ..terms import COMBAT_ARMS, FIXED, KARPATEN
from .breaches import BARRED_TEXT, CorpsTrack, Displays, breaches_made, list_findings, of_campaign, read_displays
from .przemysl import OnGarrisonTrack

CHANGED_TRACK = "changed-attachment"
"""Track: whether the PRAGA depot lies on its Changed Attach side."""


class AttachParameters(Parameters, frozen=True):
    """Parameters of the question `attach`.

    It asks about one formation, a whole corps by its Train, or the depots PRAGA and Karpaten.
    """

    unit: Annotated[UnitName, note("the formation, Corps Train or depot")]
    attachment_phase: Annotated[
        bool | None, note("whether it is an Attachment Phase of its side; as the position says if left out")
    ] = msgspec.field(name="attachment-phase", default=None)
    army: Annotated[str | None, note("the name of the army that it joins; its present one if left out")] = None
    corps: Annotated[str | None, note("the corps that it joins, or none; its present one if left out")] = None


class AttachResult(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on an attachment."""

    unit: UnitId
    before: Annotated[str, note("the army before, by side and name")]
    after: Annotated[str, note("the army after, by side and name")]
    corps: Annotated[str, note("the corps after, empty if independent")]
    units: Annotated[tuple[str, ...], note("all units that change army with the unit")]
    allowed: Allowed = False
    breaches: Annotated[tuple[Breach, ...], note("what forbids the change")]


class Changing(Judged):
    """A unit whose attachment changes.

    `stated`: whether it is an Attachment Phase of the unit's side, or None to take the position's phase.
    """

    stated: bool | None

    @fact
    def in_attachment_phase(self) -> bool:
        """It is an Attachment Phase of its side."""
        view = self.view
        if self.stated is not None:
            return self.stated
        if other_phase_steps(view, view.side_of(self.about), "6.1.1", "attachment"):
            return False
        if not (phase_of(view) == "attachment" and view.word("phasing")):
            how, title = "attachment-phase=yes|no", "whether it is an Attachment Phase of its side"
            self.facts.ask(Ask(kind="parameter", name="attachment-phase", rule="6.1.1", title=title, how=how))
        return True

    def bars(self) -> Iterator[Clause]:
        """Yield the bar outside an Attachment Phase of the unit's side. Rule: 6.1.1b"""
        yield not self.in_attachment_phase, "6.1.1", "attachments change only in an Attachment Phase of its side"


class Leaving(Judged):
    """A unit that leaves its army for another one.

    `before`, `after`: the armies, or "" for none.
    `going`: all units that leave.
    """

    before: str
    after: str
    going: Sequence[str]

    @property
    def force(self) -> str:
        return force_title(self.view, self.before)

    @property
    def leaves(self) -> bool:
        return self.before not in ("", self.after, *GARRISONS)

    @property
    def of_warsaw(self) -> bool:
        return {self.before, self.after} == {"russian Second", WARSAW_GARRISON}

    @fact
    def plan_binds_army(self) -> bool:
        """A Strategic Plan binds its army."""
        return asks_if_bound(self.facts, self.before)

    @fact
    def needed_in_warsaw(self) -> bool:
        """It is a combat unit of the Warsaw Garrison, which is not complete yet."""
        return any(is_leaving(self.view, name, self.before, self.after) for name in self.going)

    def bars(self) -> Iterator[Clause]:
        """Yield the bars to leaving the army. Rule: 24.1.1"""
        yield from self.bars_of_plan()
        yield (
            self.needed_in_warsaw,
            "24.1.1",
            "no combat unit leaves the Warsaw Garrison until it is complete for the first time",
        )

    def bars_of_plan(self) -> Iterator[Clause]:
        """Yield the bar of a Strategic Plan.

        The Russian Second Army and the Warsaw Garrison exchange formations whatever its plan.

        Rule: 6.1.1c, 21.1.3
        """
        yield (
            self.leaves and not self.of_warsaw and self.plan_binds_army,
            "6.1.1",
            "{force} is under a Strategic Plan and may not release units",
        )


class Naming(Changing):
    """A depot whose army is named.

    `before`, `after`: the armies, or "" for none.
    """

    before: str
    after: str
    rule: ClassVar[str]

    @property
    def other(self) -> bool:
        """Whether the depot had another army before."""
        return self.before not in ("", self.after)

    @fact
    def campaign(self) -> bool:
        """The rules of the Grand Campaign are in use."""
        return self.view.flag("campaign")

    def list_changes(self) -> Iterator[Change]:
        if self.after != self.before:
            yield changed(self.view, "army", self.about, self.after.partition(" ")[2], self.rule)


class NamingKarpaten(Naming):
    """The depot Karpaten, whose army is named once."""

    rule = "23.5"

    def bars(self) -> Iterator[Clause]:
        """Yield the bars to naming an army for the depot. Rule: 23.5"""
        yield not self.campaign, "23.5", "it is available only in the Grand Campaign"
        yield (
            NATION_BY_ARMY.get(self.after) != "austro-hungarian",
            "23.5",
            "it may be attached only to an Austro-Hungarian army",
        )
        yield self.other, "23.5", "its attachment to {before} may not be changed"


class NamingPraga(Naming):
    """The depot PRAGA, whose army is named turn by turn."""

    rule = "24.5.3"

    def bars(self) -> Iterator[Clause]:
        """Yield the bars to naming an army for the depot. Rule: 24.5.2, 24.5.3"""
        yield not self.campaign, "24.5.2", "in the Tannenberg scenario it stays with the Second Army"
        yield not self.in_attachment_phase, "24.5.3", "its army is named only in the Russian Attachment Phase"

    def list_changes(self) -> Iterator[Change]:
        """Yield the changes that name the depot's army.

        The depot lies on its Changed Attach side if its army differs from that of the turn before; naming the same army
        again turns it back.

        Rule: 24.5.3
        """
        yield from super().list_changes()
        side = self.other or None
        if self.view.state.value(CHANGED_TRACK, self.about) != side:
            yield changed(self.view, CHANGED_TRACK, self.about, side, "24.5.3")


def answer(view: View, parameters: AttachParameters) -> Report[AttachResult]:
    """Return the report on a change of attachment.

    Raises MissingFacts if a fact that matters is not stated; InputError if the unit has no Attachment marker, if an
    army or corps is not in the position, and if nothing changes.
    """
    unit = view.unit(parameters.unit)
    if not unit.place:
        raise InputError(f"unit: {unit.id} is not on the map")
    wanted = None if parameters.corps is None else corps_name(str(view.game.track("corps").parse(parameters.corps)))
    if not is_shown(view, view.game.side_of_unit(unit, view.state.facts)):
        raise InputError(f"unit: {unit.id} is the enemy's", hint="a side sees only its own displays (4.2.6)")
    before = army_of(view, unit.id)
    side = view.side_of(unit.id)
    after = before if parameters.army is None else army_name(side, parameters.army.removeprefix(f"{side} "))
    stated = parameters.attachment_phase
    if unit.id in (KARPATEN, *FIXED):
        named = after if parameters.army else ""
        naming = NamingKarpaten if unit.id == KARPATEN else NamingPraga
        return _report_depot(naming(view=view, about=unit.id, stated=stated, before=before, after=named))
    changing = Changing(view=view, about=unit.id, stated=stated)
    too_late, _ = judge([changing])
    arm = read_unless(too_late, lambda: _check_change(view, unit, wanted, (before, after)))
    if arm is None:
        reasons = [step(breach.rule, "{about}: {why}", breach) for breach in too_late]
        return refused(f"Attachment of {unit.id}", "{unit} may not be re-attached", reasons, parameters)
    corps = corps_and_army(view, unit.id)[0]
    going = (unit.id, *_find_others_of_corps(view, unit.id)) if arm == "corps-train" else (unit.id,)
    new_corps = wanted if wanted != corps else None
    changes = (
        [changed(view, "army", name, after.partition(" ")[2], "6.1.1") for name in going] if after != before else []
    )
    if new_corps is not None:
        changes.append(changed(view, "corps", unit.id, new_corps, "6.2"))
    displays = read_displays(View(view.game, apply_changes(view.game, view.state, changes), view.end))
    made, asks = _judge_displays(view, displays, going, after, new_corps or "", by_train=arm == "corps-train")
    garrison = [OnGarrisonTrack(view=view, about=unit.id, unit=unit)] if after == PRZEMYSL_GARRISON else []
    leaving = Leaving(view=view, about=unit.id, before=before, after=after, going=going)
    breaches = judge_all([changing, *made, *asks, leaving, *garrison])
    result = AttachResult(
        unit=unit.id,
        before=before,
        after=after,
        corps=corps if wanted is None else wanted,
        units=going,
        breaches=breaches,
    )
    short = []
    if before == WARSAW_GARRISON != after and not result.breaches:
        short = [*steps_of_leaving(view, view.after(changes))]
    titles = {"army": force_title(view, after), "corps": corps_title(result.corps)}
    return _join_report(result, "{army}, {corps}", changes, {"The Warsaw Garrison": short}, **titles)


def _judge_displays(
    view: View, displays: Displays, going: Sequence[str], army: str, corps: str, *, by_train: bool
) -> tuple[list[Breach], tuple[Ask, ...]]:
    """Return the breaches that a change makes, and the asks that decide whether it makes others.

    An earlier breach counts only for the units that change and their new army and corps. Breaches of campaign rules are
    noted in the premises if the use of these rules is not stated.

    `displays`: the displays after the change.
    `going`: the units that change, the named one first.
    `army`: their army afterwards.
    `corps`: the corps that the named unit joins, or "".
    `by_train`: whether the named unit is a Corps Train, with which its corps goes.
    """
    named = going[0]
    findings = [*list_findings(displays)]
    breaches_after, _ = judge(findings)
    trains = displays.trains_of(displays.by_id[named].nation, corps) if corps else ()
    joined = [train.id for train in trains]
    breaches_before, _ = judge(list_findings(read_displays(view)))
    for breach in of_campaign(displays, breaches_after):
        if breach.concerns.intersection(going):
            in_campaign(view, breach.rule, BARRED_TEXT, about=breach.about, why=breach.why)
    concerned = {named, *joined}
    if by_train:  # only a Train changes an army's number of corps, and it leaves its own corps unchanged
        concerned.add(army)
        findings = [finding for finding in findings if not isinstance(finding, CorpsTrack)]
    _, asks = judge(finding for finding in findings if isinstance(finding, Judged) and finding.about in concerned)
    return breaches_made(breaches_before, breaches_after, frozenset({*going, *joined, army})), asks


def _check_change(view: View, unit: Unit, wanted: str | None, armies: tuple[str, str]) -> str:
    """Return the arm of a unit that may be attached anew.

    `wanted`: the corps that the unit joins, or None to stay in its own.
    `armies`: the armies before and after.
    """
    before, after = armies
    with view.gather() as facts:
        side, arm, asset = side_of(facts, unit), facts.word("arm", unit.id), is_asset_unit(facts, unit.id)
        if asset or arm not in ("corps-train", *COMBAT_ARMS):
            hint = "an Asset Unit goes with the nearest formation (6.4.1)" if asset else "it has no Attachment marker"
            raise InputError(f"unit: {unit.id} is neither a formation nor a Corps Train", hint=hint)
        if after not in (before, "", *GARRISONS):
            known_army(view, after)
        if wanted and wanted not in (theirs := _list_corps(view, side)):
            raise InputError(f"corps: no {wanted!r} Corps in this position", hint=format_suggestion(wanted, theirs))
        if arm == "corps-train" and wanted is not None:
            raise InputError(f"corps: {unit.id} is the Train of its corps", hint="only its army can change")
        if after == before and wanted in (None, corps_and_army(view, unit.id)[0]):
            raise InputError(f"{unit.id} already has this attachment", hint="give army=NAME or corps=ID")
    return arm


def _join_report(
    result: AttachResult, joined: str, changes: Sequence[Change], working: Mapping[str, Sequence[Step]], **figures: Any
) -> Report[AttachResult]:
    """Return the report on whether a unit may join an army or a corps.

    `joined`: the verdict, as a template.
    `working`: additional steps.
    """
    templates = f"{{unit}} may join {joined}", f"{{unit}} may not join {joined}"
    reasons = [step(breach.rule, "{about}: {why}", breach) for breach in result.breaches]
    title = f"Attachment of {result.unit}"
    return permission(title, templates, reasons, result, working=working, changes=changes, **figures)


def _report_depot(naming: Naming) -> Report[AttachResult]:
    if not naming.after:
        raise InputError(f"the army of {naming.about} is not given", hint="give army=NAME")
    known_army(naming.view, naming.after)
    result = AttachResult(
        unit=naming.about,
        before=naming.before,
        after=naming.after,
        corps="",
        units=(naming.about,),
        breaches=judge_all([naming]),
    )
    changes = [*naming.list_changes()]
    turned = any(change.track == CHANGED_TRACK and change.after for change in changes)
    idle = [step("24.5.3", "flip it to its Changed Attach side: it supplies no units this game turn")] if turned else []
    army = force_title(naming.view, naming.after)
    return _join_report(result, "{army}", changes, {"The depot": idle}, army=army)


def _list_corps(view: View, side: str) -> tuple[str, ...]:
    ours = [unit.id for unit in view.units() if view.game.side_of_unit(unit, view.state.facts) == side]
    return tuple(sorted({corps for name in ours for corps in (corps_and_army(view, name)[0], corps_of(name)) if corps}))


def _find_others_of_corps(view: View, train: str) -> tuple[str, ...]:
    def belongs(name: str) -> tuple[str, str]:
        return view.word("nation", name), corps_and_army(view, name)[0]

    own = belongs(train)
    return tuple(unit.id for unit in view.units() if own[1] and unit.id != train and belongs(unit.id) == own)


QUESTION = declare("attach", "whether a formation or a corps may be re-attached now, and what that changes", answer)

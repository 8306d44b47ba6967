"""The question `attachment`: which army and corps each unit belongs to, and every breach of the rules of attachment (6.1 to 6.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from assistant.changes import Change
from assistant.questions import Answers, Question, UnitName
from assistant.report import Ask, Part, Report, Step, Verdict
from assistant.view import View

from . import displays
from .armies import (
    GARRISONS,
    NATIONS,
    Fault,
    areas,
    boundary,
    boundary_faults,
    checked,
    known_armies,
    shapes,
    side_of_army,
)
from .attached import Lone, Placed, by_area, foreign_formation, gather_placed, lone_assets, misplaced
from .control import FrontFound, front_of, troops
from .displays import Limit, Member


class AttachmentParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked at. army: one army, as "russian Second", every army if left out; units: those that are listed, all if left out."""

    army: str = ""
    units: tuple[UnitName, ...] = ()


class UnitAttached(msgspec.Struct, frozen=True, kw_only=True):
    """A unit and what it belongs to.

    unit: its id; army: by its side and name, empty if it belongs to none that is known; corps: empty if it is independent; by: what
    says so: its display, the area it stands in, or the formation that it stands with or nearest to; area: the army in whose Area of
    Attachment it stands, empty where none is stated; formation: that an Asset Unit is attached to; ties: the formations among which
    its owner has to choose.
    """

    unit: str
    army: str
    corps: str
    by: str
    area: str = ""
    formation: str = ""
    ties: tuple[str, ...] = ()


class Breach(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is not as the rules want it.

    rule: that says so; about: the unit, army or corps; why: in words; tolerated: whether it may stand until it can be put right.
    """

    rule: str
    about: str
    why: str
    tolerated: bool = False


class AttachmentResult(msgspec.Struct, frozen=True, kw_only=True):
    """The attachment of a position. units: each with its army and corps; breaches: of the rules; off_front: armies without a unit in
    the Front Line, whose area lies behind it for the time being."""

    units: tuple[UnitAttached, ...]
    breaches: tuple[Breach, ...]
    off_front: tuple[str, ...] = ()


class Found(NamedTuple):
    """All that attachment depends on. placed: every unit; areas: the hexes of each army whose area is stated; fronts: by army; asks:
    what is not stated, and without which something is not judged."""

    placed: tuple[Placed, ...]
    areas: Mapping[str, frozenset[str]]
    fronts: Mapping[str, FrontFound]
    asks: tuple[Ask, ...]
    faults: tuple[Fault, ...]
    lone: tuple[Lone, ...]


def answer(view: View, parameters: AttachmentParameters, answers: Answers) -> Report[AttachmentResult]:
    """The report on attachment.

    Raises MissingFacts for a unit whose nation, arm or size nobody stated, InputError for an army that is not there.

    Rule: 6.1.1
    """
    del answers
    army = checked(view, parameters.army) if parameters.army else ""
    chosen = {view.unit(name).id for name in parameters.units}
    found = look(view)
    wanted = [
        one for one in found.placed if (not chosen or one.id in chosen) and (not army or army in (one.army, one.area))
    ]
    units = tuple(attached(one, found) for one in wanted)
    names = {one.id for one in wanted}
    faults = [fault for fault in found.faults if not (army or chosen) or fault.about in (*names, army)]
    off = tuple(one for one in known_armies(view) if one not in found.fronts and one not in GARRISONS and found.fronts)
    result = AttachmentResult(
        units=units,
        breaches=tuple(Breach(**fault._asdict()) for fault in faults),
        off_front=tuple(o for o in off if army in ("", o)),
    )
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Attachment of {army}" if army else "Attachment",
        verdict=verdict(result, found.asks),
        parts=tuple(
            part
            for part in (breach_part(result), units_part(result), off_part(result), bare_part(found, army))
            if part.steps
        ),
        asks=found.asks,
        changes=taken_in(wanted),
        result=result,
    )


def look(view: View) -> Found:
    """All units of a position with what they belong to, and every fault of theirs."""
    with view.gather() as facts:
        placed = tuple(gather_placed(facts, areas(view), unit) for unit in view.units() if unit.place)
        found_troops = troops(facts)
        free = facts.flag("free-attachment")
    fronts = {army: front for army in known_armies(view) if (front := front_of(view, army, found_troops))}
    drawn = areas(view)
    asks: dict[str, Ask] = {}
    members = [member(one) for one in placed if one.member]
    lone = lone_assets(placed, view.board.distance)
    faults = [
        *shapes(drawn, view.board.neighbours),
        *between_areas(view, drawn, fronts),
        *displays.unattached(members),
        *displays.independent_corps(members),
        *army_faults(view, placed, members, drawn, asks),
        *corps_faults(view, members, asks),
        *wrong_corps(view, placed, fronts, free=free),
        *cross_nation(view, members, asks),
        *(fault for one in placed for fault in (misplaced(one), foreign_formation(one, placed)) if fault),
    ]
    return Found(placed, drawn, fronts, tuple(asks.values()), tuple(faults), lone)


def member(one: Placed) -> Member:
    """A formation or Corps Train as its display records it; without a record its area says which army it is with.

    Rule: 6.2
    """
    cavalry = displays.is_cavalry_corps(one.corps, marked=one.cavalry_corps)
    army = one.army or by_area(one)
    return Member(
        one.id, one.nation, one.arm, one.size, army, one.corps, one.own_corps, one.train, one.train and cavalry
    )


def stated(view: View, asks: dict[str, Ask], track: str, subject: str) -> int | None:
    """A number, None where nobody says, which is then asked for."""
    fact = view.fact(track, subject)
    if fact is not None:
        return int(str(fact.value))
    declared = view.game.track(track)
    how = declared.how_to_state(subject)
    title = f"{declared.title} of {subject}" if subject else declared.title
    asks[how] = Ask(kind="fact", name=how, rule=declared.rule, title=title, how=how, takes=declared.takes)
    return None


def limit_of(view: View, asks: dict[str, Ask], army: str) -> Limit | None:
    """An army's Attachment Limit, None where nobody says, which is then asked for."""
    most = stated(view, asks, "attachment-limit", army)
    cavalry = view.fact("cavalry-track", army)
    return None if most is None else Limit(most, bool(cavalry and cavalry.value))


def army_faults(
    view: View,
    placed: Sequence[Placed],
    members: Sequence[Member],
    drawn: Mapping[str, frozenset[str]],
    asks: dict[str, Ask],
) -> list[Fault]:
    """What is wrong with the number of corps of each army, on its display and in its area."""
    faults = []
    trains = {one.id: member(one) for one in placed if one.train and not one.entrained}
    for army in sorted({one.army for one in members if one.army} | set(drawn)):
        own = {one.corps: False for one in members if one.army == army and one.corps}
        own |= {one.corps: one.cavalry_corps for one in members if one.army == army and one.corps and one.train}
        inside = [trains[one.id] for one in placed if one.id in trains and one.area == army]
        if army in GARRISONS or not (own or inside) or (limit := limit_of(view, asks, army)) is None:
            continue
        faults += displays.too_many_corps(army, own, limit)
        faults += displays.too_many_trains(army, inside, limit)
    return faults


def corps_faults(view: View, members: Sequence[Member], asks: dict[str, Ask]) -> list[Fault]:
    """What is wrong with the formations on each corps' track. The limit of a corps is known by its Train."""
    faults = []
    for nation, corps in sorted({(one.nation, one.corps) for one in members if one.corps}):
        on_track = [one for one in members if (one.nation, one.corps) == (nation, corps) and not one.train]
        train = next((one for one in members if one.train and (one.nation, one.corps) == (nation, corps)), None)
        most = stated(view, asks, "corps-limit", train.id) if train and on_track else None
        cavalry = train.cavalry_corps if train else displays.is_cavalry_corps(corps, marked=False)
        faults += displays.corps_faults(corps, on_track, most, cavalry=cavalry, train=train.id if train else "")
    return faults


def wrong_corps(view: View, placed: Sequence[Placed], fronts: Mapping[str, FrontFound], *, free: bool) -> list[Fault]:
    """The formations that are kept off the track of their own corps, as far as the optional rule does not free them.

    Rule: 6.2.2b
    """
    trains = [one for one in placed if one.train]
    faults, members = [], []
    for one in placed:
        if one.member and not one.train and one.own_corps:
            own = [train for train in trains if (train.nation, train.corps) == (one.nation, one.own_corps)]
            members.append(member(one))
            faults += displays.wrong_corps(members[-1], available(view, own[0], fronts) if own else False)
    return displays.freed(faults, members) if free else faults


def available(view: View, train: Placed, fronts: Mapping[str, FrontFound]) -> bool | None:
    """Whether a Corps Train on the map is out of its trains and within its extended range of its army's Front Line; None where
    that line or that range is not known."""
    front, range = fronts.get(train.army or by_area(train)), view.fact("extended-range", train.id)
    if train.entrained or not train.place:
        return False
    if front is None or range is None:
        return None
    return min(view.board.distance(train.place, hex) for hex in front.hexes) <= int(str(range.value))


def cross_nation(view: View, members: Sequence[Member], asks: dict[str, Ask]) -> list[Fault]:
    """Formations under the army of another nation; the game turn is asked for only where it matters."""
    abroad = [one for one in members if one.nation == "german" and displays.LANDWEHR in (one.corps, one.own_corps)]
    matters = any(NATIONS.get(one.army) == "austro-hungarian" for one in abroad)
    turn = stated(view, asks, "turn", "") if matters else None
    crossing = any(one.nation != NATIONS.get(one.army, one.nation) for one in members)
    others_too = crossing and view.ruling("cross-nation") == "only"
    return displays.cross_nation(members, turn, others_too=others_too)


def between_areas(view: View, drawn: Mapping[str, frozenset[str]], fronts: Mapping[str, FrontFound]) -> list[Fault]:
    """What is wrong with the boundaries between armies of a side that have a piece of the front; others lie behind it for now.

    Rule: 6.1c
    """
    faults = []
    in_front = sorted(army for army in drawn if army in fronts)
    for number, army in enumerate(in_front):
        for other in in_front[number + 1 :]:
            shared = (
                boundary(drawn[army], drawn[other], view.board.neighbours)
                if side_of_army(army) == side_of_army(other)
                else None
            )
            if shared:
                ours = [hex for one in (army, other) for hex in fronts[one].hexes]
                theirs = [
                    hex
                    for one, front in fronts.items()
                    if side_of_army(one) != side_of_army(army)
                    for hex in front.hexes
                ]
                faults += boundary_faults(army, other, shared, ours, theirs, view.board.distance)
    return faults


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
    army, by = (one.army, "its display") if one.army else (by_area(one), "its area")
    return UnitAttached(
        unit=one.id, army=army, corps=one.corps, by=by if army else "", area=one.area, formation=one.joined
    )


def taken_in(placed: Sequence[Placed]) -> tuple[Change, ...]:
    """What the Attachment Phase does: units without a recorded army belong to that in whose area they stand."""
    return tuple(
        Change("army", one.id, None, by_area(one).partition(" ")[2], "6.1.1")
        for one in placed
        if not one.army and by_area(one)
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
    text = 'no Area of Attachment of {armies} is stated (army NAME area="44.18-44.22 45.19"), so neither its shape nor who stands in '
    text += "it is judged"
    return Part("Not judged", (Step("6.1", text, {"armies": bare}),) if bare else ())


QUESTION = Question(
    name="attachment",
    title="which army and corps each unit belongs to, and what breaks the rules of attachment",
    parameters=AttachmentParameters,
    result=AttachmentResult,
    answer=answer,
)

"""The question `reunite`: whether a detachment may rejoin its parent, and with how many steps (6.4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import InputError, Parameters, UnitName, View, declare, if_known, note, read_unless, refused
from assistant.asking.asks import Ask
from assistant.asking.case import Case, fact, list_bars
from assistant.asking.permission import Clause
from assistant.asking.report import Part, Report, step, verdict
from assistant.state.state import Unit

from ..entering.consequences import follows_changes
from ..forces.departures import INTEGRATED, WITHDRAWN, depart
from ..forces.gains import full_steps, regain, show_steps
from ..forces.unit import gather_unit, unit_on_map
from ..forces.units import CombatUnit

TWO_PARENTS = {"det 4+16/6": ("4/6", "16/6"), "det 22+24/1": ("22/1", "24/1")}
"""The detachments that two divisions may take back (6.4.3a)."""


def is_detachment(unit: str) -> bool:
    """Return whether a unit is a detachment, by its ID: `det 43/2`, or `1-det 11` of the 11th Division. Rule: 6.4.3"""
    return "det" in unit.partition(" ")[0].split("-") and " " in unit


def is_parent(detachment: str, unit: str) -> bool:
    """Return whether a unit may take a detachment back: the division in its ID, or either of two divisions.

    Rule: 6.4.3b
    """
    own = detachment.partition(" ")[2]
    return unit in TWO_PARENTS.get(detachment, (own,)) or unit.partition("/")[0] == own


class Reuniting(Case):
    """A detachment that would rejoin its parent."""

    unit: str
    place: str
    parent: str
    """The parent, or "" if it is not on the map."""
    hex: str
    """The parent's hex."""
    ends: bool | None
    """Whether a friendly movement phase ends, as the player states."""

    @property
    def withdrawal(self) -> int:
        return self.view.integer("withdrawal", self.unit)

    @property
    def together(self) -> bool:
        return self.hex == self.place

    @fact
    def phase_ends(self) -> bool:
        """A friendly movement phase ends."""
        if self.ends is None:
            title = "whether a friendly movement phase ends now"
            self.facts.ask(Ask(kind="parameter", name="ends", rule="6.4.3a", title=title, how="ends=yes, or no"))
        return bool(self.ends)

    @fact
    def withdrawn(self) -> bool:
        """The game turn of its withdrawal has come."""
        return self.facts.integer("turn") >= self.facts.integer("withdrawal", self.unit)

    def bars(self) -> Iterator[Clause]:
        """Yield the bars to reuniting the detachment: its parent is elsewhere, or it is too early or too late.

        Rule: 6.4.3a
        """
        yield not self.parent, "6.4.3a", "its parent is not on the map"
        yield self.parent and not self.together, "6.4.3a", "{parent} is in {hex}; both must be in the same hex"
        yield (
            self.together and not self.phase_ends,
            "6.4.3a",
            "a detachment is reunited at the end of a friendly movement phase",
        )
        yield self.withdrawn, "6.4.3a", "it is withdrawn in GT {withdrawal}, and its steps are lost"


# --- the question -----------------------------------------------------------------------------------------------------


NOT_REUNITED_TEXT = "{unit} is not reunited: {why}"


class ReuniteParameters(Parameters, frozen=True):
    """Parameters of the question `reunite`."""

    unit: Annotated[UnitName, note("the detachment")]
    ends: Annotated[bool | None, note("whether a friendly movement phase ends now")] = None
    parent: Annotated[
        UnitName | None, note("the unit that the detachment rejoins; needed only if several are possible")
    ] = None


class ReuniteResult(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on reuniting a detachment."""

    unit: Annotated[str, note("the detachment")]
    parents: Annotated[tuple[str, ...], note("the units that the detachment may rejoin")]
    parent: Annotated[str, note("the unit that the detachment rejoins, empty if none")]
    allowed: Annotated[bool, note("whether the detachment may rejoin now")]
    steps: Annotated[int | None, note("steps of the detachment, null where they are not stated and do not matter")]
    left: Annotated[
        int | None,
        note("steps of the parent afterwards, null where they are not stated and do not matter; 0 without a parent"),
    ]
    lost: Annotated[int, note("steps lost because the parent's counter has no room for them")] = 0
    withdrawn: Annotated[bool, note("whether its game turn of withdrawal has come, and its steps are lost")] = False


def answer(view: View, parameters: ReuniteParameters) -> Report[ReuniteResult]:
    """Return the report on a detachment.

    Raises MissingFacts if a fact that matters is not stated, InputError if the unit is not a detachment on the map.
    """
    unit, place = unit_on_map(view, parameters.unit)
    if not is_detachment(unit.id):
        raise InputError(f"unit: {unit.id} is not a detachment", hint="the ID of a detachment begins with det")
    parents = _find_parents(view, unit)
    parent = _require_parent(unit, parents, parameters.parent)
    by, hex = (parent.id, str(parent.place)) if parent else ("", "")
    case = Reuniting(view=view, unit=unit.id, place=place, parent=by, hex=hex, ends=parameters.ends)
    bars = list_bars(case.bars)
    withdrawn = if_known(view, lambda _: case.withdrawn)
    strengths = read_unless(bars, lambda: _read_strengths(view, unit, parent))
    if withdrawn is None or not (strengths or withdrawn):
        return refused(f"Detachment {unit.id}", NOT_REUNITED_TEXT, bars, case)
    detachment, taker, full = strengths or (None, None, 0)
    steps = [
        step("6.4.3a", "it is withdrawn in GT {withdrawal}; steps that are not reunited before then are lost", case)
    ]
    changes = depart(view, [unit.id], WITHDRAWN if withdrawn else INTEGRATED, "6.4.3a") if withdrawn or not bars else []
    left = taker.left if taker else None if parent else 0
    lost = 0
    if detachment and taker and not bars:
        joined, excess = regain(taker, full, detachment.left)
        noted = excess > 0 and view.ruling("detachment-room") == "added"
        if noted:
            joined = msgspec.structs.replace(joined, steps=joined.steps + excess)
        else:
            lost = excess
        if excess:
            text = "the counter of {parent} has no room for {excess} of them[noted:: keep a note of these|, which are lost]"
            steps.append(step("6.4.3a", text, parent=taker.id, excess=excess, noted=noted))
        left = joined.left
        changes += show_steps(view, joined, noted=noted)
    result = ReuniteResult(
        unit=unit.id,
        parents=tuple(candidate.id for candidate in parents),
        parent=by,
        allowed=not bars,
        steps=detachment.left if detachment else None,
        left=left,
        lost=lost,
        withdrawn=withdrawn,
    )
    text = "{parent} takes back {unit} with {steps:#step}; it then has {left}"
    outcome = verdict("yes", text, result)
    if bars:
        outcome = verdict("no", NOT_REUNITED_TEXT, result, why=bars[0].text)
    following = follows_changes(view, changes)
    return Report(
        title=f"Detachment {unit.id}",
        verdict=outcome,
        parts=(Part("The detachment", tuple(steps)), *following.parts(view)),
        changes=(*changes, *following.changes),
        result=result,
    )


class Strengths(NamedTuple):
    """A detachment, and the unit that takes it back or None.

    `full`: the steps of that unit's full side, or 0 if they do not matter.
    """

    detachment: CombatUnit
    taker: CombatUnit | None
    full: int


def _read_strengths(view: View, unit: Unit, parent: Unit | None) -> Strengths:
    with view.gather() as facts:
        detachment = gather_unit(facts, unit, None)
        taker = gather_unit(facts, parent, None) if parent else None
        full = full_steps(facts, taker, detachment.left) if taker else 0
    return Strengths(detachment, taker, full)


def _find_parents(view: View, unit: Unit) -> list[Unit]:
    nation = view.word("nation", unit.id)
    able = [
        parent
        for parent in view.units()
        if parent.place and not is_detachment(parent.id) and is_parent(unit.id, parent.id)
    ]
    return [parent for parent in able if (theirs := view.word("nation", parent.id)) and theirs == (nation or theirs)]


def _require_parent(unit: Unit, parents: Sequence[Unit], named: str | None) -> Unit | None:
    """Return the parent that takes back a detachment, or None if there is none.

    It is the named parent, the only one with the detachment, or the first possible one.

    Raises InputError if the named unit cannot take the detachment back, or if two possible units are in its hex.
    """
    if named and named not in [parent.id for parent in parents]:
        raise InputError(f"parent: {named} cannot take back {unit.id}")
    with_it = [parent for parent in parents if parent.place == unit.place and not named]
    if len(with_it) > 1:
        hint = f"give {' or '.join(f'parent={parent.id}' for parent in with_it)}"
        raise InputError(f"parent: either of two units may take back {unit.id}", hint=hint)
    return next((parent for parent in (*with_it, *parents) if not named or parent.id == named), None)


QUESTION = declare("reunite", "whether a detachment may rejoin its parent, and with how many steps", answer)

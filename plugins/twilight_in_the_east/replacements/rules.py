"""Replacements: their segment, eligible units, amounts, and the remaining ones (15)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec.structs import replace

from assistant.asking import Gather, Step, View, holding, if_known
from assistant.asking.asks import ask_for_fact
from assistant.asking.case import Case, fact, list_bars
from assistant.asking.permission import Clause
from assistant.state.state import Unit
from assistant.util.memo import Memo

from ..forces.armies import is_shown
from ..forces.gains import IMPOSSIBLE_STEPS, full_steps
from ..forces.unit import gather_unit
from ..forces.units import CombatUnit
from ..ground.calendar import phase_of, record_figure
from ..railways.rail_points import TURNS_PER_INTER_PHASE
from ..supply.isolation import known_isolation

Points = Literal["repl", "cav-repl"]
POINTS: dict[str, Points] = {"infantry": "repl", "cavalry": "cav-repl"}
"""The track of the replacements that units of an arm take.

REPLs restore a step to infantry, CAV REPLs to cavalry (15.0).
"""
NAMES: dict[Points, str] = {"repl": "REPL", "cav-repl": "CAV REPL"}
SEGMENT = "replacements"
"""The word of the segment in which replacements are allocated."""
TAKEN_TRACK = "repl-taken"
"""Track: the replacements that a unit has taken in the segment."""

# --- the rules --------------------------------------------------------------------------------------------------------


def bars_of_time(view: View) -> list[Step]:
    """Return why no replacements are allocated now, if it is not their segment after every third game turn.

    Rule: 15.1
    """
    phase, turn = phase_of(view), view.integer("turn")
    in_segment = phase in ("", "other", SEGMENT)
    text = (
        "replacements are allocated only in the Replacement Allocation Segment, after every third game turn"
        "[in_segment:; this is GT {turn}|; the phase is {phase}]"
    )
    return holding(
        [(not in_segment or turn % TURNS_PER_INTER_PHASE, "15.1", text)], phase=phase, turn=turn, in_segment=in_segment
    )


class Taking(Case):
    """A unit's wish to take replacements, with its known facts."""

    unit: str
    nation: str
    arm: str
    size: str
    on_map: bool
    """Whether the unit stands on the map or in a box of the map."""
    taken: int = 0
    """Replacements that the unit has had in this segment."""
    room: int = 0
    """The number of steps missing from the unit's full strength."""
    giver: str = ""
    """The nation that gives the replacements."""
    left: int | None = None
    """The number of replacements left, or None if it is not known."""
    steps: int = 0
    """The number of replacements that the unit would take."""

    @fact
    def isolated(self) -> bool:
        """It is Isolated as they are allocated."""
        return is_held_isolated(self.view, self.view.unit(self.unit))

    @property
    def is_known(self) -> bool:
        """Whether the unit's arm and nation are stated."""
        return bool(self.arm and self.nation)

    @property
    def limit(self) -> int:
        """Steps that the unit may take in a segment: two for an infantry division, else one. Rule: 15.1.2"""
        return 2 if (self.arm, self.size) == ("infantry", "XX") else 1

    @property
    def most(self) -> int:
        """Steps that the unit may still take, up to full strength. Rule: 15.1.2"""
        most = min(self.room, self.limit - self.taken)
        return max(most if self.left is None else min(most, self.left), 0)

    def bars_of_state(self) -> Iterator[Clause]:
        """Yield why the unit is not eligible. Rule: 15.1.1"""
        yield self.isolated, "15.1.1", "{unit} is Isolated"
        yield not self.on_map, "15.1.1", "{unit} is not on the map"

    def bars_of_points(self) -> Iterator[Clause]:
        """Yield why the unit may not use a nation's replacements, if its arm and nation are stated.

        Rule: 15.0
        """
        yield (
            self.is_known and self.arm not in POINTS,
            "15.0",
            "{unit} is neither infantry nor cavalry, and takes no replacements",
        )
        yield (
            self.is_known and self.giver != self.nation,
            "15.0",
            "the replacements of a nation are for its own units, and {unit} is of another",
        )

    def bars_of_amount(self) -> Iterator[Clause]:
        """Yield the reasons why the unit cannot take `steps` replacements. Rule: 15.1, 15.1.2"""
        yield not self.room, "15.1.2", "{unit} is at its full strength"
        yield 0 < self.room < self.steps, "15.1.2", "{unit} lacks only {room:#step} of its full strength"
        yield (
            self.taken + self.steps > self.limit,
            "15.1.2",
            "{unit} takes at most {limit:#replacement} in a segment, {taken} so far",
        )
        yield (
            self.left is not None and self.steps > self.left,
            "15.1",
            "the nation has {left:#such replacement} left",
        )


_AS_IT_IS: Memo[None, View] = Memo()
"""The view in which Isolation is judged at present."""


def is_held_isolated(view: View, unit: Unit) -> bool:
    """Return whether a unit counts as Isolated when replacements are allocated.

    It does if its side's last Supply Phase has marked it. By ruling repl-isolated it does if it is Out of Supply and
    has no line to an RR line now, provided that every way is known.

    Rule: 15.1.1
    """
    marked = view.flag("isolated", unit.id)
    if not (unit.place and view.word("supply", unit.id) == "out"):
        return marked
    side = view.side_of(unit.id)
    # one view for all units, so that its supply ground is built once
    apart = view.memo(_AS_IT_IS, None, lambda *_: view.quiet_view())
    now = if_known(apart, lambda _: known_isolation(apart, unit, side))
    if now in (None, marked) or view.ruling("repl-isolated") == "marked":
        return marked
    return bool(known_isolation(view, unit, side))


# --- replacements in a position ---------------------------------------------------------------------------------------


def points_left(view: View, nation: str, points: Points) -> int | None:
    """Return the replacements left to a nation, as stated or in the turn record, or None if neither says.

    Rule: 15.0
    """
    if view.fact(points, nation) is not None:
        return view.integer(points, nation)
    return record_figure(view, f"{nation}-{points}")


def require_replacements(facts: Gather, nation: str, points: Points) -> int:
    """Return the replacements left to a nation, which are asked for if they are not known."""
    left = points_left(facts.view, nation, points)
    if left is None:
        asked = ask_for_fact(facts.view.game.track(points), nation)
        how = f"{asked.how}, or enter {nation}-{points}: assistant pack enter twilight-in-the-east turns"
        facts.ask(replace(asked, how=how))
    return left or 0


def read_taking(facts: Gather, unit: Unit) -> tuple[Taking, CombatUnit, int]:
    """Return a unit that would take replacements, its strength, and the steps of its full side.

    The steps are 0 if they do not matter.
    """
    strength = gather_unit(facts, unit, None)
    full = full_steps(facts, strength, IMPOSSIBLE_STEPS)
    return as_stated(facts.view, unit, room=max((full or strength.steps) - strength.left, 0)), strength, full


def as_stated(view: View, unit: Unit, giver: str = "", room: int = 0) -> Taking:
    """Return a unit that would take replacements, read from the stated facts.

    `room`: the number of steps missing from its full strength.
    """
    nation, arm = view.word("nation", unit.id), view.word("arm", unit.id)
    return Taking(
        view=view,
        unit=unit.id,
        nation=nation,
        arm=arm,
        size=view.word("size", unit.id),
        on_map=unit.place is not None,
        taken=view.integer(TAKEN_TRACK, unit.id),
        room=room,
        giver=giver or nation,
        left=points_left(view, nation, POINTS[arm]) if arm in POINTS else 0,
    )


def reduced_units(view: View) -> list[Unit]:
    """Return the infantry and cavalry in play that have lost steps, only of the viewpoint's own side.

    Raises MissingFacts if the arm or nation of such a unit is not stated.
    """
    shown = [unit for unit in view.units() if unit.place is not None and is_shown(view, view.side_of(unit.id))]
    with view.gather() as facts:
        lost = [unit for unit in shown if view.integer("lost", unit.id) or view.flag("reduced", unit.id)]
        return [unit for unit in lost if facts.word("arm", unit.id) in POINTS and facts.word("nation", unit.id)]


def nations_in(view: View, units: Iterable[Unit]) -> list[str]:
    """Return the nations of units, and those whose replacements are stated, only of the viewpoint's own side."""
    stated = {nation for points in POINTS.values() for nation in view.stated_about.get(points, ())}
    known = stated | {view.word("nation", unit.id) for unit in units}
    nations = (nation for nation in view.game.track("nation").values if nation in known)
    return [nation for nation in nations if is_shown(view, view.game.side_of(nation))]


def find_takers(view: View, nation: str, points: Points) -> list[str]:
    """Return the reduced units of a nation that may still take some of its replacements, by the stated facts."""
    able = (as_stated(view, unit, room=1) for unit in reduced_units(view))
    own = (unit for unit in able if (unit.nation, POINTS[unit.arm]) == (nation, points))
    return [unit.unit for unit in own if unit.most and not list_bars(unit.bars_of_state)]

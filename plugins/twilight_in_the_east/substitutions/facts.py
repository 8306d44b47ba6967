"""Substitutions in a position: the units to be replaced, and the bars (16.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, InputError, Step, View
from assistant.asking.case import list_bars
from assistant.asking.view import changed
from assistant.game.schedule_files import read_schedules
from assistant.game.schedule_rows import ScheduleRow, cell_names
from assistant.rules.arrivals import coming_unit, coming_units, fact_of, with_units
from assistant.rules.field import side_of
from assistant.state.changes import AnyChange, Change, Enter
from assistant.state.state import Unit
from assistant.state.tracks import Value
from assistant.util.errors import nearest, quoted

from ..forces.departures import DEPARTED, EXCHANGED, arrival_turn, check_not_departed, departure_of, is_destroyed
from ..forces.gains import IMPOSSIBLE_STEPS, full_steps
from ..forces.unit import gather_unit
from ..forces.units import CombatUnit
from ..ground.edges import is_in_hungary
from ..terms import COMBAT_ARMS, KARPATEN
from .rules import (
    CASES,
    EIGHTH,
    HUNGARY,
    NINTH,
    PAIRED,
    THIRD_C,
    Exchanged,
    Kind,
    Substituting,
    circle_in,
    is_voluntary,
    kind_of,
    may_be_replaced,
    returns_in_exchange,
)

SUBSTITUTE_FOR = "substitute-for"
"""Track: the units that a unit replaces."""
VOLUNTARY = "voluntary"
"""Track: whether the owner may leave out the substitution."""
OWN_TRACKS = frozenset({"lost", "reduced", "cel", DEPARTED, "repl-taken"})
"""The tracks of a unit's own strength, status and departure, which no substitute takes over."""
NOTHING = (None, False, 0, "", "none", ())
"""The values that stand for no marker."""


class Substitution(msgspec.Struct, frozen=True):
    """A substitute with the units that it replaces, in plain values."""

    unit: str
    kind: Kind
    voluntary: bool
    units: tuple[Exchanged, ...] = ()
    """The units to be replaced that are left."""
    destroyed: tuple[str, ...] = ()
    """The units to be replaced that have been destroyed."""
    strength: CombatUnit | None = None
    """The substitute's own strength, or None if it has no steps to add."""
    full: int = 0
    """The steps of the substitute's full side, or 0 if they do not matter."""
    reasons: tuple[Step, ...] = ()
    """The reasons why the substitute cannot replace the units now."""

    @property
    def pair(self) -> bool:
        """Whether the substitute is formed of two brigades. Rule: 16.2.2"""
        return self.unit in PAIRED


def is_replaced(view: View, unit: str) -> bool:
    """Return whether an eliminated unit never returns because another one has replaced it.

    This applies to the Train of FR, by ruling return-of-frommel.

    Rule: 16.2.3a, 16.4
    """
    standing = {known.id for known in view.units() if known.place is not None}
    open_ = may_be_replaced(unit, stands=unit in standing, third_stands=THIRD_C in standing)
    return view.ruling("return-of-frommel", open_) == "replaced"


def read_exchanges(view: View) -> dict[str, tuple[str, ...]]:
    """Return the units that each stated substitute replaces.

    Raises InputError if the substitutions form a cycle, if two units replace one, or if one replaces several and is not
    a division formed of two.
    """
    stated = [unit.id for unit in view.units() if view.word(SUBSTITUTE_FOR, unit.id)]
    known = {unit: cell_names(view.word(SUBSTITUTE_FOR, unit)) for unit in stated}
    for unit, olds in known.items():
        if len(olds) > 1 and (unit not in PAIRED or len(olds) > 2):
            hint = f"only {', '.join(sorted(PAIRED))} are formed, each of two brigades (16.2.2)"
            raise InputError(f"{unit} is a substitute for {len(olds)} units", hint=hint)
    circle = circle_in(known)
    if circle:
        what = f"substitutions go round in a circle: {' for '.join(circle)}"
        raise InputError(what, hint="correct one substitute-for")
    once = {unit: olds for unit, olds in known.items() if not is_voluntary(unit, marked=view.flag(VOLUNTARY, unit))}
    for old, times in Counter(old for olds in once.values() for old in olds).items():
        if times > 1:
            both = " and ".join(unit for unit, olds in once.items() if old in olds)
            raise InputError(f"{both} are both substitutes for {old}", hint="correct one substitute-for")
    return known


def with_substitutes(view: View) -> View:
    """Return a view in which units still to come by schedules wait off the map.

    They replace the units that the schedules' rows name, unless the position states others.
    """
    coming = list[str]()
    for side in view.game.file.sides:
        coming += [each.unit for each in coming_units(view, side)]
    there = with_units(view, coming)
    changes = list[Change]()
    for row, _ in read_schedules(view.game).where(lambda row: bool(row.replaces)).dated(fact_of(view)):
        for unit in row.named_units:
            changes += _list_changes_of_row(there, unit, row)
    return there.after(changes) if changes else there


def _list_changes_of_row(view: View, unit: str, row: ScheduleRow) -> Iterator[Change]:
    """Yield the facts of a row about a substitute that is off the map, unless they are stated."""
    known = view.state.units.get(unit)
    says = view.state.value(SUBSTITUTE_FOR, unit) is not None or view.word(SUBSTITUTE_FOR, unit)
    if known is None or known.place is not None or says or departure_of(view, unit):
        return
    yield changed(view, SUBSTITUTE_FOR, unit, ",".join(row.replaced), row.rule)
    if row.voluntary == "yes":
        yield changed(view, VOLUNTARY, unit, True, row.rule)


def changes_of_view(before: View, after: View, units: Iterable[str]) -> Iterator[AnyChange]:
    """Yield the changes to some units that turn a view into the one that `with_substitutes` returned for it."""
    for unit in units:
        if unit not in before.state.units:
            yield Enter(unit, unit, None, 0, "16.2")
        for track in (SUBSTITUTE_FOR, VOLUNTARY):
            if (track, unit) in after.state.facts and (track, unit) not in before.state.facts:
                yield Change(track, unit, None, after.state.facts[track, unit].value, "16.2")


def is_substitute(view: View, unit: str) -> bool:
    """Return whether a unit replaces others, as stated or by the rules.

    It no longer does once it is stated to replace none, or returns after its elimination.

    Rule: 16.2
    """
    if view.state.value(SUBSTITUTE_FOR, unit) == "":
        return False
    return bool(view.word(SUBSTITUTE_FOR, unit)) or (unit in CASES and not is_lost(view, unit))


def is_lost(view: View, unit: str) -> bool:
    """Return whether a supply unit that replaces another one has been eliminated.

    It then returns like any other supply unit. It is off the map with a turn of return although it has been in play. It
    has been in play if it begins there, its army has been formed or announced, or the other unit has been exchanged.

    Rule: 16.4
    """
    if unit not in CASES or departure_of(view, unit) or not view.integer("arrives", unit):
        return False
    replaced = departure_of(view, CASES[unit]) == EXCHANGED
    announced = unit == KARPATEN and view.state.value("army", unit) is not None
    return unit == EIGHTH or replaced or announced or (unit == NINTH and bool(view.integer("ninth-army")))


def substitutes_of(view: View, side: str, turn: int) -> list[str]:
    """Return the substitutes of a side that are off the map and ready in a game turn.

    Rule: 16.2, 16.2.3
    """
    read_exchanges(view)
    waiting = [unit for unit in view.units() if unit.place is None and is_substitute(view, unit.id)]
    own = [unit.id for unit in waiting if view.side_of(unit.id) == side]
    return [unit for unit in own if 0 < ready_turn(view, unit) <= turn]


def ready_turn(view: View, unit: str) -> int:
    """Return the game turn from which a substitute is ready, or 0 if it never is or that is not stated.

    One of two depots that replace each other is ready again once the other has come.

    Rule: 16.2.3, 16.2.3a
    """
    way = departure_of(view, unit)
    if way:
        return int(returns_in_exchange(unit, way))
    coming = coming_unit(coming_units(view, view.side_of(unit)), unit)
    return coming.turn if coming else 0


def exchanged_for(view: View, unit: str, named: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the units that a unit replaces.

    `named`: the units that the player names.

    Raises InputError if neither the player nor the position names any, if they differ or are of the other side, and for
    two units of a substitute that replaces one.
    """
    stated = read_exchanges(view).get(unit, ())
    olds = tuple(named) or stated or tuple(filter(None, [CASES.get(unit, "")]))
    if not olds:
        check_not_departed(view, unit, hint="no unit takes its place back (16.2.3a)")
        how = "exchanged=UNIT" if unit in CASES else f'{quoted(unit)} {SUBSTITUTE_FOR}="UNIT"'
        raise InputError(f"unit: nothing says whose place {unit} takes", hint=f"state {how}")
    needed = 2 if unit in PAIRED else 1
    if len(olds) != needed:
        what = "is formed of two brigades" if needed == 2 else "takes the place of one unit"
        raise InputError(f"exchanged: {unit} {what}, and {len(olds)} are named", hint="name each by its ID")
    if stated and {*stated} != {*olds}:
        hint = f"leave out exchanged, or correct {quoted(unit)} {SUBSTITUTE_FOR}=..."
        raise InputError(f"exchanged: {unit} takes the place of {' and '.join(stated)}", hint=hint)
    own = view.side_of(unit)
    for old in olds:
        if old in view.state.units and view.side_of(old) not in ("", own) and own:
            raise InputError(f"exchanged: {old} is of the other side", hint=f"name a unit of the side of {unit}")
    return olds


def read_substitution(view: View, unit: Unit, olds: Sequence[str], destroyed: Collection[str] = ()) -> Substitution:
    """Return a substitution by the facts of the position.

    `olds`: the units exchanged.
    `destroyed`: units that the player states to be destroyed.

    Raises MissingFacts for missing facts, and InputError for units that are not in the position, or not yet on the map.
    """
    gone = tuple(old for old in olds if _is_replaced_destroyed(view, old, destroyed))
    standing = [view.unit(old) for old in olds if old not in gone]
    case = Substituting(
        view=view,
        side=view.side_of(unit.id),
        unit=unit.id,
        olds=tuple(_as_stated(view, old, unit.id) for old in standing),
        voluntary=is_voluntary(unit.id, marked=view.flag(VOLUNTARY, unit.id)),
        turn=ready_turn(view, unit.id),
        now=view.integer("turn"),
        way=departure_of(view, unit.id),
        lost=is_lost(view, unit.id),
    )
    kind = kind_of(len(standing), pair=unit.id in PAIRED)
    known = Substitution(unit.id, kind, case.voluntary, case.olds, gone, reasons=tuple(list_bars(case.bars)))
    if known.reasons:
        return known
    with view.gather() as facts:
        side_of(facts, unit)
        facts.integer("turn")
        if not case.turn:
            facts.integer("arrives", unit.id)
        units = tuple(_read_exchanged(facts, old, unit.id) for old in standing)
        adds = kind == "exchange" and facts.word("arm", unit.id) in COMBAT_ARMS
        strength = gather_unit(facts, unit, None) if adds else None
        full = full_steps(facts, strength, IMPOSSIBLE_STEPS) if strength else 0
    return replace(known, units=units, strength=strength, full=full)


def _as_stated(view: View, unit: Unit, substitute: str) -> Exchanged:
    """Return an exchanged unit on the map without its strength.

    An unknown province bars no substitute.
    """
    hex = str(unit.place)
    inside = substitute == KARPATEN and is_in_hungary(view, hex) is not False
    return Exchanged(
        unit.id,
        hex,
        supply=view.word("supply", unit.id),
        nation=view.word("nation", unit.id),
        arm=view.word("arm", unit.id),
        province=HUNGARY if inside else "",
    )


def _read_exchanged(facts: Gather, unit: Unit, substitute: str) -> Exchanged:
    """Return an exchanged unit on the map in plain values.

    Its province is read only for Karpaten.
    """
    fights = facts.word("arm", unit.id) in COMBAT_ARMS
    if substitute == KARPATEN and is_in_hungary(facts.view, str(unit.place)) is None:
        facts.word("province", str(unit.place))
    return replace(
        _as_stated(facts.view, unit, substitute),
        steps=gather_unit(facts, unit, None).left if fights else 0,
        levels=-facts.integer("cel", unit.id) if fights else 0,
    )


def _is_replaced_destroyed(view: View, name: str, destroyed: Collection[str]) -> bool:
    """Return whether a unit to be exchanged has been destroyed, by the player's statement or the position.

    Raises InputError if the unit is not in the position, has left the map in another way, or is still to come.

    Raises InputError if the player states that a unit on the map is destroyed.
    """
    known = view.state.units.get(name)
    if name in destroyed and known is not None and known.place is not None:
        hint = "leave it out, or take the unit off the map first"
        raise InputError(f"destroyed: {name} is in {known.place}", hint=hint)
    if name in destroyed:
        return True
    if known is None:
        where = nearest(name, view.state.units) or f"state where it stands, or destroyed={quoted(name)}"
        raise InputError(f"exchanged: {name} is not in this position", hint=where)
    if known.place is not None:
        return False
    check_not_departed(view, name, "exchanged", "name the unit that is exchanged")
    turn = arrival_turn(view, name)
    if turn:
        hint = f"if it has been destroyed: destroyed={quoted(name)}"
        raise InputError(f"exchanged: {name} is not on the map before GT {turn}", hint=hint)
    return is_destroyed(view, name)


def carried_over(view: View, unit: str, olds: Iterable[str]) -> Mapping[str, Value]:
    """Return the markers that a substitute inherits from the units it replaces, as values by track.

    Markers of strength, status and departure are not inherited, nor any that the substitute has already. Of two degrees
    of Disorder the worse counts.
    """
    taken = dict[str, Value]()
    for old in olds:
        for (track, subject), fact in view.state.facts.items():
            declared = view.game.tracks[track]
            if subject != old or declared.on != "unit" or declared.printed is not None or track in OWN_TRACKS:
                continue
            if fact.value in NOTHING or (track, unit) in view.state.facts:
                continue
            if track == "disorder" and track in taken:
                taken[track] = max(_require_whole(taken[track]), _require_whole(fact.value))
            else:
                taken[track] = fact.value
    return taken


def _require_whole(value: Value) -> int:
    return value if isinstance(value, int) else 0

"""The question `setup` of a game with positions in `setups/`: whether a position agrees with one of them, which units
are missing or elsewhere, and the changes that place them and state what else the set-up states.

Options, rulings and variants change a set-up by `setups/changes.csv`; a game needs no code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from ..asking.asks import Ask
from ..asking.permission import InForce
from ..asking.question import SideName, declare
from ..asking.report import MissingFacts, Report, Step, step
from ..asking.view import Gather, View
from ..formats.notation import read_notation
from ..game.course import SCENARIO
from ..game.games import Game
from ..game.phases import is_condition_met
from ..game.rule_index import SET_UP_CHANGES
from ..game.states import apply_changes
from ..state.changes import AnyChange, Change, Enter, Leave
from ..state.state import HIDDEN, UNSEEN, GameState, Unit, is_limited
from ..util.datafiles import read_data, read_records, resolve_within
from ..util.errors import InputError, Where, format_suggestion
from ..util.memo import Memo
from ..util.notes import note
from .field.movement import bring_unit
from .setups import Deployed, SetUpCheck, Status, set_up_report

PLACE = "place"
"""What a row of changes says in place of a track for where a unit is set up."""

LEAVE = "leave"
"""The word for a unit that is not set up, in place of a track."""


class Amendment(msgspec.Struct, frozen=True):
    """What a set-up says besides its positions, or what an option, a ruling or a variant changes in it."""

    scenario: str = ""
    """The set-up, "" for all."""
    option: str = ""
    unless: str = ""
    """With `option`, as for a step of `course.toml`."""
    track: str = ""
    subject: str = ""
    value: str = ""
    """With `track` and `subject` the fact that it changes, "place" among them, or `leave` with a unit."""
    rule: str = ""
    note: str = ""


_AMENDMENTS: Memo[None, list[Amendment]] = Memo()
"""All rows of its file."""


def _read_amendments(facts: Gather, name: str) -> list[Amendment]:
    """Return what holds of a set-up. Raises InputError for a fault in the file."""
    game = facts.view.game

    def read() -> list[Amendment]:
        file = resolve_within(game.folder, SET_UP_CHANGES)
        return [*read_records(file, Amendment, SET_UP_CHANGES)] if game.has_file(SET_UP_CHANGES) else []

    rows = game.memo(_AMENDMENTS, None, read)
    options = InForce(facts)
    return [row for row in rows if row.scenario in ("", name) and is_condition_met(row, options)]


def _amend_set_up(game: Game, there: GameState, rows: Iterable[Amendment]) -> GameState:
    """Return a printed set-up as some rows change it. Raises InputError for a fault in them."""
    for row in filter(lambda row: row.track, rows):
        try:
            there = apply_changes(game, there, [_read_change(game, there, row)])
        except InputError as error:
            raise error.at(Where(SET_UP_CHANGES)) from None
    return there


def _read_change(game: Game, there: GameState, row: Amendment) -> AnyChange:
    """Return what a row changes. Raises InputError for an unknown unit, track or value."""
    if row.track == LEAVE:
        return Leave(game.unit(there, row.subject).id, row.rule)
    if row.track == PLACE:
        unit = game.unit(there, row.subject)
        return Change(PLACE, unit.id, unit.place, row.value, row.rule)
    stated = there.facts.get((row.track, row.subject))
    value = game.track(row.track).parse(row.value)
    return Change(row.track, row.subject, stated.value if stated else None, value, row.rule)


_SET_UPS: Memo[str, GameState] = Memo()
"""The set-ups by their files."""


def read_set_up(game: Game, name: str) -> GameState:
    """Return the position in a file of `setups/`. Raises InputError for a fault in it, and for a name that no file has."""
    if name not in game.setups:
        raise InputError(f"scenario: there is no set-up {name!r}", hint=format_suggestion(name, game.setups))
    file, called, _ = game.set_up(name)
    return game.memo(_SET_UPS, called, lambda: read_notation(read_data(file, called), called, lambda id: game).state)


def _find_name(view: View, named: str | None) -> str:
    """Return the set-up asked about: as named; else that of the scenario that the position states, or the only one
    unless it is that of another scenario. Raises MissingFacts if that does not tell.
    """
    stated = view.word(SCENARIO) if SCENARIO in view.game.tracks else ""
    known = view.game.setups
    if named or stated in known:
        return named or stated
    if len(known) == 1 and not (stated and known[0] in view.game.track(SCENARIO).values):
        return known[0]
    ask = Ask(kind="parameter", name=SCENARIO, rule="", title="the set-up", how="scenario=NAME", options=known)
    raise MissingFacts([ask])


def _check_unit(view: View, unit: Unit, side: str, rule: str) -> SetUpCheck:
    """Return whether a unit stands where a set-up puts it."""
    there = view.state.units.get(unit.id)
    at = unit.place or ""
    place = there.place or "" if there else ""
    status: Status = "misplaced" if place else "missing"
    why = ""
    where = at or "waits off the map"
    if there and place == at:
        status = "right"
    elif not there and _may_be_unseen(view, side):
        status = "open"
        why = "it may be among what is not seen"
    return SetUpCheck(unit=unit.id, side=side, where=where, place=place, status=status, why=why, rule=rule)


def _may_be_unseen(view: View, side: str) -> bool:
    """Return whether units of a side may be there that are hidden from who asks."""
    state = view.state
    limited = is_limited(state.seen_by) and view.game.hiding.limits(state.facts) is not None
    return side != state.seen_by and (limited or any(track in (UNSEEN, HIDDEN) for track, _ in state.facts))


def _place_unit(view: View, there: GameState, unit: Unit, rule: str) -> AnyChange | None:
    """Return the change that brings a unit to the place that a set-up names; None where an enemy stands in its way."""
    side = view.game.side_of_unit(unit, there.facts)
    if any(
        view.side_of(other.id) != side for other in view.stack(unit.place or "") if view.board.is_hex(other.place or "")
    ):
        return None
    comes = bring_unit(view, unit.id, unit.place, rule)
    if isinstance(comes, Enter):
        return replace(comes, type=unit.type, order=max(comes.order, unit.order) if unit.place else 0)
    return comes


def _list_stated_otherwise(view: View, there: GameState, rule: str) -> Iterator[Step]:
    """Yield the facts of a set-up that a position states otherwise."""
    for (track, subject), fact in there.facts.items():
        stated = view.state.facts.get((track, subject))
        if stated is not None and stated.value != fact.value:
            declared = view.game.tracks[track]
            yield step(
                rule,
                "{subject}{title}: {value}, but the position states {other}",
                subject=f"{subject}, " if subject else "",
                title=declared.title,
                value=declared.write(fact.value),
                other=declared.write(stated.value),
            )


def _list_changes(view: View, there: GameState, missing: Iterable[Unit], rule: str) -> Iterator[AnyChange]:
    """Yield what places the missing units and states what the set-up states besides, of units that are in play or come."""
    coming = set(view.state.units)
    for unit in missing:
        if change := _place_unit(view, there, unit, rule):
            coming.add(unit.id)
            yield change
    for (track, subject), fact in there.facts.items():
        of_unit = view.game.tracks[track].on == "unit"
        if (track, subject) not in view.state.facts and (not of_unit or subject in coming):
            yield Change(track, subject, None, fact.value, rule)


def _check_against(
    view: View, name: str, there: GameState, side: str | None = None, *, rule: str = "", remarks: Iterable[Step] = ()
) -> Report[Deployed]:
    """Return the report on a position and a set-up. there: the set-up as a position; side: whose units alone are
    listed.
    """
    whose = {unit.id: view.game.side_of_unit(unit, there.facts) for unit in there.units.values()}
    listed = [unit for unit in there.units.values() if side in (None, whose[unit.id])]
    units = tuple(_check_unit(view, unit, whose[unit.id], rule) for unit in listed)
    there_now = [unit for unit in view.units() if unit.place and side in (None, view.side_of(unit.id))]
    extra = tuple(unit.id for unit in there_now if unit.id not in there.units)
    absent = {unit.unit for unit in units if unit.status == "missing"}
    missing = [unit for unit in listed if unit.id in absent]
    steps = (*remarks, *_list_stated_otherwise(view, there, rule))
    changes = (*_list_changes(view, there, missing, rule),)
    return set_up_report(Deployed(scenario=name, units=units, extra=extra), steps, changes, rule)


def setup(
    view: View,
    *,
    scenario: Annotated[str | None, note("the set-up by name; if left out, that of the scenario stated")] = None,
    side: Annotated[SideName | None, note("the side whose units are listed; both if left out")] = None,
) -> Report[Deployed]:
    """Return whether a position agrees with a set-up."""
    name = _find_name(view, scenario)
    printed = read_set_up(view.game, name)
    with view.gather() as facts:
        rows = _read_amendments(facts, name)
    remarks = [step(row.rule, "{remark}", remark=row.note) for row in rows if row.note]
    return _check_against(view, name, _amend_set_up(view.game, printed, rows), side, remarks=remarks)


QUESTION = declare(
    "setup", "whether a position is set up as a scenario says, and what places its units", setup, decision=None
)

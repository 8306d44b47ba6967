"""The question `setup` of a game with positions in `setups/`.

Its answer tells whether a position agrees with one of them, and has the changes that place missing units and state the
set-up's other facts. Options, rulings and variants change a set-up by `setups/changes.csv`; a game needs no code.
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
"""The word in place of a track for a change of the place of a unit."""

LEAVE = "leave"
"""The word for a unit that is not set up, in place of a track."""


class Amendment(msgspec.Struct, frozen=True):
    """A remark on a set-up, or a change in it by an option, a ruling or a variant."""

    scenario: str = ""
    """The set-up that is amended, or "" for all."""
    option: str = ""
    unless: str = ""
    """A condition together with `option`, as in a step of `course.toml`."""
    track: str = ""
    subject: str = ""
    value: str = ""
    """The new value of the fact of `track` and `subject`; the track may also be `place` or `leave`."""
    rule: str = ""
    note: str = ""


_AMENDMENTS: Memo[None, list[Amendment]] = Memo()
"""All rows of the file of changes."""


def _read_amendments(facts: Gather, name: str) -> list[Amendment]:
    game = facts.view.game

    def read() -> list[Amendment]:
        file = resolve_within(game.folder, SET_UP_CHANGES)
        return [*read_records(file, Amendment, SET_UP_CHANGES)] if game.has_file(SET_UP_CHANGES) else []

    rows = game.memo(_AMENDMENTS, None, read)
    options = InForce(facts)
    return [row for row in rows if row.scenario in ("", name) and is_condition_met(row, options)]


def _amend_set_up(game: Game, there: GameState, rows: Iterable[Amendment]) -> GameState:
    for row in filter(lambda row: row.track, rows):
        try:
            there = apply_changes(game, there, [_read_change(game, there, row)])
        except InputError as error:
            raise error.at(Where(SET_UP_CHANGES)) from None
    return there


def _read_change(game: Game, there: GameState, row: Amendment) -> AnyChange:
    if row.track == LEAVE:
        return Leave(game.unit(there, row.subject).id, row.rule)
    if row.track == PLACE:
        unit = game.unit(there, row.subject)
        return Change(PLACE, unit.id, unit.place, row.value, row.rule)
    stated = there.facts.get((row.track, row.subject))
    value = game.track(row.track).parse(row.value)
    return Change(row.track, row.subject, stated.value if stated else None, value, row.rule)


_SET_UPS: Memo[str, GameState] = Memo()
"""The set-ups by file."""


def read_set_up(game: Game, name: str) -> GameState:
    """Return the position in a file of `setups/`.

    Raises InputError if there is no such file or it has a fault.
    """
    if name not in game.setups:
        raise InputError(f"scenario: there is no set-up {name!r}", hint=format_suggestion(name, game.setups))
    file, called, _ = game.set_up(name)
    return game.memo(_SET_UPS, called, lambda: read_notation(read_data(file, called), called, lambda id: game).state)


def _find_name(view: View, named: str | None) -> str:
    """Return the set-up asked about: the named one, that of the stated scenario, or the only one.

    The only set-up does not count if it belongs to another scenario.
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
    """Return whether units of a side may exist that are hidden from the viewpoint."""
    state = view.state
    limited = is_limited(state.seen_by) and view.game.hiding.limits(state.facts) is not None
    return side != state.seen_by and (limited or any(track in (UNSEEN, HIDDEN) for track, _ in state.facts))


def _place_unit(view: View, there: GameState, unit: Unit, rule: str) -> AnyChange | None:
    """Return the change that places a unit by a set-up, or None if an enemy stands in its place."""
    side = view.game.side_of_unit(unit, there.facts)
    if any(
        view.side_of(other.id) != side for other in view.stack(unit.place or "") if view.board.is_hex(other.place or "")
    ):
        return None
    change = bring_unit(view, unit.id, unit.place, rule)
    if isinstance(change, Enter):
        return replace(change, type=unit.type, order=max(change.order, unit.order) if unit.place else 0)
    return change


def _list_stated_otherwise(view: View, there: GameState, rule: str) -> Iterator[Step]:
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
    """Yield the changes that place missing units and state other facts of the set-up.

    Facts of units are stated only for units in play or placed now.
    """
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
    """Return the report on a position and a set-up.

    `there`: the set-up as a position.
    """
    whose = {unit.id: view.game.side_of_unit(unit, there.facts) for unit in there.units.values()}
    listed = [unit for unit in there.units.values() if side in (None, whose[unit.id])]
    units = tuple(_check_unit(view, unit, whose[unit.id], rule) for unit in listed)
    on_map = [unit for unit in view.units() if unit.place and side in (None, view.side_of(unit.id))]
    extra = tuple(unit.id for unit in on_map if unit.id not in there.units)
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

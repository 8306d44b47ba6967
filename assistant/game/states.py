"""States of a game, completely checked: built from statements, or changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Annotated

import msgspec

from ..state.changes import BUILT_IN_TRACKS, AnyChange, Change, Enter, Leave, apply
from ..state.state import INVISIBLE, Cell, CellKey, FactKey, GameState, Unit, Unread, copy_of, hexside
from ..state.tracks import Fact, Source, Track, check_bound
from ..state.trust import DEFAULT_SOURCES, select_trusted
from ..util.console import format_count
from ..util.errors import InputError, nearest_names
from ..util.mappings import compare_closely, list_mapping
from ..util.notes import note
from ..util.texts import DIRECTION
from .boards import Board
from .games import Game
from .names import look_up, regular_value
from .roster import shared_unit_name

_MAX_NAMESAKES = 3
"""The maximum number of units in a message whose names have the same end as an unknown one."""


class Stated(msgspec.Struct, frozen=True):
    """The parts of a state before they are checked."""

    board: str = ""
    units: Iterable[Unit] = ()
    facts: Mapping[FactKey, Fact] = MappingProxyType({})
    cells: Mapping[CellKey, Cell] = MappingProxyType({})
    rulings: Mapping[str, str] = MappingProxyType({})
    lines: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    line_facts: Annotated[
        Mapping[str, Mapping[FactKey, Fact]], note("the facts of the ground that each line states")
    ] = MappingProxyType({})
    elsewhere: Annotated[Mapping[str, Fact], note("the facts stated for all other hexes, by track")] = MappingProxyType(
        {}
    )
    accepts: Annotated[
        Iterable[Source],
        note("the sources trusted beside the certain ones; unless they include the drawn map, its facts are not read"),
    ] = DEFAULT_SOURCES
    unread: Iterable[Unread] = ()


NOTHING_STATED = Stated()


def build_state(game: Game, stated: Stated = NOTHING_STATED, before: GameState | None = None) -> GameState:
    """Return a completely checked state of a game. No other function builds one.

    `before`: a checked state of the game; only differences from it are checked.

    Raises InputError for the first fault.
    """
    board = game.board(stated.board)
    old = before if before and before.board == stated.board else GameState(game=game.id)
    placed = _place_units(game, stated.units, board, old.units)
    bare = GameState(game=game.id, board=stated.board, units=MappingProxyType(placed))
    checked, new, removed_keys = _check_facts(game, stated.facts, old, bare)
    for name, subject in new:
        check_below(game, game.tracks[name], subject, checked[name, subject], checked)
    changed = {subject for _, subject in chain(new, removed_keys)}
    old_unit = old.units.get
    touched = [unit for unit in placed.values() if old_unit(unit.id) is not unit or unit.id in changed]
    places = {unit.place for unit in touched}
    check_company(game, (unit for unit in placed.values() if unit.place in places), checked)
    for unit in touched:
        check_identity(game, unit, checked)
        check_army(game, unit, checked)
    lines = {name: board.line(line) for name, line in stated.lines.items()}
    line_facts = {name: _check_line_facts(game, name, facts, lines, bare) for name, facts in stated.line_facts.items()}
    for name, reading in stated.rulings.items():
        look_up(game.rulings, name, "ruling").check(reading)
    return msgspec.structs.replace(
        bare,
        facts=MappingProxyType(checked),
        cells=MappingProxyType(_check_cells(game, stated.cells)),
        rulings=MappingProxyType(dict(stated.rulings)),
        lines=MappingProxyType(lines),
        line_facts=MappingProxyType(line_facts),
        elsewhere=MappingProxyType(_check_elsewhere(game, stated.elsewhere)),
        accepts=select_trusted(stated.accepts),
        unread=tuple(stated.unread),
    )


def _check_facts(
    game: Game, stated: Mapping[FactKey, Fact], old: GameState, bare: GameState
) -> tuple[dict[FactKey, Fact], Sequence[FactKey], Sequence[FactKey]]:
    """Return the checked facts, with the keys of new facts and of removed facts.

    `old`: a checked state to compare with.

    `bare`: the state with only the units and the board.
    """
    board = game.board(bare.board)
    (new, removed_keys, _), equal = compare_closely(old.listed_facts, list_mapping(stated))
    lost_units = old.units.keys() - bare.units.keys()
    naming = game.tracks_naming_units & old.tracks if old.units.keys() != bare.units.keys() else ()
    to_check = {*new}
    to_check.update(key for key in equal if type(stated[key].value) is not type(old.facts[key].value))  # True equals 1
    if lost_units or naming:  # facts about lost units, or naming them, must be checked again
        to_check.update(key for key in stated if key[0] in naming or key[1] in lost_units)
    if len(to_check) > len(new):
        new = [key for key in stated if key in to_check]
    is_regular = bool(old.facts) and all(_is_regular(game, key, bare) for key in new)
    names = {**game.roster, **bare.units} if new else {}
    checked = copy_of(stated) if is_regular else dict[FactKey, Fact]()
    new_keys = list[FactKey]()
    for key in new if is_regular else stated:
        fact = stated[key]
        if key not in to_check and key not in checked:
            checked[key] = fact
            continue
        track = game.track(key[0])
        new_key = (track.name, game.subject(track, key[1], bare))
        if new_key in checked and not is_regular:
            raise InputError(f"{track.title} of {new_key[1] or 'the game'} is stated twice", hint="leave out one")
        value = regular_value(track, track.check(fact.value), board, names)
        checked[new_key] = fact if value is fact.value else msgspec.structs.replace(fact, value=value)
        new_keys.append(new_key)
    return checked, new_keys, removed_keys


def _is_regular(game: Game, key: FactKey, state: GameState) -> bool:
    try:
        return game.subject(game.track(key[0]), key[1], state) == key[1]
    except InputError:
        return False


def _check_elsewhere(game: Game, elsewhere: Mapping[str, Fact]) -> dict[str, Fact]:
    checked: dict[str, Fact] = {}
    for name, fact in elsewhere.items():
        track = game.track(name)
        checked[name] = msgspec.structs.replace(fact, value=track.check_elsewhere(fact.value))
    return checked


def _check_cells(game: Game, cells: Mapping[CellKey, Cell]) -> dict[CellKey, Cell]:
    stated: dict[CellKey, Cell] = {}
    for (name, given), cell in cells.items():
        chart = game.chart(name)
        key = name, chart.key(*given)
        if key in stated:
            raise InputError(f"a cell of the {chart.title} is stated twice", hint="leave out one")
        stated[key] = chart.check(cell)
    return stated


def _check_line_facts(
    game: Game, name: str, facts: Mapping[FactKey, Fact], lines: Mapping[str, tuple[str, ...]], bare: GameState
) -> Mapping[FactKey, Fact]:
    if name not in lines:
        what = f"line {name!r} states a fact, but there is no such line"
        raise InputError(what, hint="name a line under `lines`")
    line = lines[name]
    places = {"hex": {*line}, "hexside": {hexside(*pair) for pair in pairwise(line)}}
    checked: dict[FactKey, Fact] = {}
    for (track_name, subject), fact in facts.items():
        track = game.track(track_name)
        regular_subject = game.subject(track, subject, bare)
        if regular_subject not in places.get(track.on, ()):
            raise InputError(
                f"line {name!r} states {track.title} of {regular_subject or 'the game'}, which it does not pass through"
            )
        checked[track_name, regular_subject] = msgspec.structs.replace(fact, value=track.check(fact.value))
    return MappingProxyType(checked)


def _place_units(game: Game, units: Iterable[Unit], board: Board, old: Mapping[str, Unit]) -> dict[str, Unit]:
    """Return units by id, each with its type and the regular name of its place.

    `old`: units that are already regular.
    """
    all_units = tuple(units)
    named = {unit.id: unit for unit in all_units}
    if len(named) == len(all_units) and named.keys() <= old.keys():  # the ids in `old` are known to differ
        return {
            id: old_unit if (old_unit := old[id]) == unit else _place_unit(game, unit, board)
            for id, unit in named.items()
        }
    placed: dict[str, Unit] = {}
    folded: set[str] = set()
    for unit in all_units:
        if not unit.id.strip():
            raise InputError("a unit needs an id")
        if DIRECTION.search(unit.id):
            raise InputError(f"unit {unit.id!a} has a mark of writing direction in its name", hint="leave it out")
        if unit.id.casefold() in folded:
            raise InputError(f"unit {unit.id} is placed twice", hint="give each of them a different name")
        folded.add(unit.id.casefold())
        placed[unit.id] = unit if old.get(unit.id) == unit else _place_unit(game, unit, board)
    return placed


def _place_unit(game: Game, unit: Unit, board: Board) -> Unit:
    place = None if unit.place is None else board.place(unit.place)
    return msgspec.structs.replace(unit, type=game.type_of(unit.type), place=place)


def apply_changes(game: Game, state: GameState, changes: Iterable[AnyChange]) -> GameState:
    """Return the state after some changes.

    Raises the errors of `changes.apply`, and InputError if a place or subject is unknown or the new state is
    impossible, such as enemies in the same place.
    """
    known = state
    regular = list[AnyChange]()
    for change in changes:
        regular.append(regular_change(game, change, known))
        if isinstance(change, Enter):  # later changes may name the new unit
            units = {**known.units, change.unit: Unit(change.unit, change.type, change.place, change.order)}
            known = msgspec.structs.replace(known, units=MappingProxyType(units))
    after = apply(state, regular, game.tracks)
    stated = Stated(
        board=after.board,
        units=after.units.values(),
        facts=after.facts,
        cells=after.cells,
        rulings=after.rulings,
        lines=after.lines,
        line_facts=after.line_facts,
        elsewhere=after.elsewhere,
        accepts=after.accepts,
        unread=after.unread,
    )
    return msgspec.structs.replace(build_state(game, stated, state), seen_by=state.seen_by)


def regular_change(game: Game, change: AnyChange, state: GameState) -> AnyChange:
    """Return a change with its subject and place in their regular form. Raises InputError if one is unknown."""
    if isinstance(change, Enter):
        place = None if change.place is None else game.board(state.board).place(change.place)
        return msgspec.structs.replace(change, place=place)
    if isinstance(change, Leave):
        return change
    if change.track not in BUILT_IN_TRACKS:
        subject = game.subject(game.track(change.track), change.subject, state)
        return msgspec.structs.replace(change, subject=subject)
    if isinstance(change, Change) and change.track == "place" and change.after is not None:
        change = msgspec.structs.replace(change, after=game.board(state.board).place(str(change.after)))
    return msgspec.structs.replace(change, subject=game.unit(state, change.subject).id)


def check_company(game: Game, units: Iterable[Unit], facts: Mapping[FactKey, Fact]) -> None:
    """Raise InputError if units of different sides are in the same place.

    Boxes of the game, such as the box of eliminated units, and invisible units are excepted.
    """
    shared_places = {*game.file.boxes, None, ""}
    first_units = dict[str, tuple[str, str]]()
    for unit in units:
        if unit.place in shared_places or (INVISIBLE, unit.id) in facts or not (side := game.side_of_unit(unit, facts)):
            continue
        other, first_id = first_units.setdefault(str(unit.place), (side, unit.id))
        if other != side:
            what = f"{unit.place} holds units of different sides: {first_id} and {unit.id}"
            raise InputError(what, hint="enemies never share a place")


def check_identity(game: Game, unit: Unit, facts: Mapping[FactKey, Fact]) -> None:
    """Raise InputError if a unit is not in the roster and its identity is not stated."""
    missing = [track for track in game.file.notation.identity if (track, unit.id) not in facts]
    if unit.type not in game.roster and missing:
        tracks = [game.track(track) for track in missing]
        state = f"state its {', '.join(track.title for track in tracks)}"
        if all(track.values for track in tracks):
            state += f", such as {' '.join(track.values[0] for track in tracks)}"

        def hint() -> str:
            if count := game.counters.get(shared_unit_name(unit.id)):
                return f"the roster has {format_count(count, 'counter')} of {shared_unit_name(unit.id)}; or {state}"
            words = {value for track in tracks for value in track.values if len(value) > 3}
            ending = f" {unit.type}".casefold()
            near = [name for name in game.roster if name.casefold().endswith(ending)][:_MAX_NAMESAKES]
            near = near or nearest_names(unit.type, words) or nearest_names(unit.type, game.roster)
            return f"nearest known: {', '.join(near)}; or {state}" if near else state

        raise InputError(f"unknown unit {unit.type!r}", hint=hint)


def check_army(game: Game, unit: Unit, facts: Mapping[FactKey, Fact]) -> None:
    """Raise InputError if a unit's side lacks the unit's army, and the track `army` lists its values."""
    stated = {(game.file.picture.nation, unit.id), ("army", unit.id)} & facts.keys()
    if not stated or not game.lists_armies or not (side := game.side_of_unit(unit, facts)):
        return
    known = [facts.get(("army", unit.id)), *game.roster.get(unit.type, {}).get("army", [])]
    army = next((fact.value for fact in known if fact is not None), None)
    if army is not None and f"{side} {army}" not in game.armies:
        others = sorted(name.removeprefix(f"{side} ") for name in game.armies if name.startswith(f"{side} "))
        raise InputError(f"{unit.id}: the side {side} has no army {army!r}", hint=f"known: {', '.join(others)}")


def check_below(game: Game, track: Track, subject: str, fact: Fact, facts: Mapping[FactKey, Fact]) -> None:
    """Raise InputError if a fact is not below its bound, or if it bounds a fact that is too high."""
    for other in game.bounded_tracks.get(track.name, ()):
        if bounded := facts.get((other.name, subject)):
            check_bound(subject, other, bounded, track, fact)
    if bound := facts.get((track.below, subject)):
        check_bound(subject, track, fact, game.tracks[track.below], bound)

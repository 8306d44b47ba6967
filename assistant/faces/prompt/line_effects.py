"""The effects of a typed line: new units, units moved or off the map, and facts replaced or ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...game.games import Game
from ...state.state import UNSEEN, FactKey, GameState, Unit

MAX_FACTS_NAMED = 6
"""The maximum number of ended facts that are named one by one; more are grouped by `format_facts`."""
_MAX_SUBJECTS_NAMED = 3
"""The maximum number of subjects named in a group, unless only one more is left."""


def format_side_effects(
    game: Game, before: GameState, after: GameState, dropped_facts: Sequence[FactKey]
) -> Iterator[str]:
    """Yield the effects of a typed line beyond its own statements.

    They are units that are now off the map, new units that the roster lacks, assumptions dropped, and facts that ended.

    `dropped_facts`: the facts that are no longer stated after the line.
    """
    for unit in _list_changed_units(before, after):
        old = before.units.get(unit.id)
        if unit.place is None and old and old.place:
            yield f"off the map: {unit.id}, from {old.place}"
        elif old is None and unit.place is None:
            yield f"not on the map: {unit.id}"
    yield from format_new_units(game, before, after)
    for track, subject in dropped_facts:
        if track == UNSEEN:
            yield f"no longer assumed: unseen units in {subject}"
    ending_tracks = find_ending_tracks(game) if dropped_facts else set[str]()
    ended = [(track, subject) for track, subject in dropped_facts if track in ending_tracks]
    if ended:
        yield f"no longer in force: {format_facts(ended)}"


def _list_changed_units(before: GameState, after: GameState) -> list[Unit]:
    return [after.units[name] for name in after.compare_units(before).since]


def find_ending_tracks(game: Game) -> set[str]:
    """Return the tracks whose facts may end without a line that states it, as at the end of a phase."""
    return {name for name, track in game.tracks.items() if track.ends_with or track.back or track.below}


def format_facts(facts: Sequence[tuple[str, str]]) -> str:
    """Return facts, given as track and subject, in words: `fired of 25/3, moved of 25/3`.

    More than `MAX_FACTS_NAMED` are grouped by tracks with the same subjects, and only the first subjects are named:
    `fired, moved of 1/1, 2/1, 3/1 and 4 more; shaken of 9/3`.
    """
    if len(facts) <= MAX_FACTS_NAMED:
        return ", ".join(f"{track} of {subject}" if subject else track for track, subject in facts)
    subjects_by_track: dict[str, list[str]] = {}
    for track, subject in facts:
        subjects_by_track.setdefault(track, []).append(subject)
    tracks_by_subjects: dict[tuple[str, ...], list[str]] = {}
    for track, subjects in subjects_by_track.items():
        tracks_by_subjects.setdefault(tuple(sorted(subjects)), []).append(track)
    groups = []
    for shared_subjects, tracks in tracks_by_subjects.items():
        of_subjects = f" of {_format_subjects(shared_subjects)}" if any(shared_subjects) else ""
        groups.append(", ".join(tracks) + of_subjects)
    return "; ".join(groups)


def _format_subjects(subjects: Sequence[str]) -> str:
    more = len(subjects) - _MAX_SUBJECTS_NAMED
    return ", ".join(subjects) if more <= 1 else f"{', '.join(subjects[:_MAX_SUBJECTS_NAMED])} and {more} more"


def format_new_units(game: Game, before: GameState, after: GameState) -> Iterator[str]:
    """Yield the new units on the map that are in no roster, grouped by nation, arm and size."""
    names_by_identity: dict[str, list[str]] = {}
    for unit in _list_changed_units(before, after):
        if unit.id not in before.units and unit.place and unit.type not in game.roster:
            words = (after.value(track, unit.id) for track in game.file.notation.identity)
            names_by_identity.setdefault(" ".join(str(word) for word in words if word), []).append(unit.id)
    if names_by_identity:
        groups = [
            f"{', '.join(names)} ({identity})" if identity else ", ".join(names)
            for identity, names in names_by_identity.items()
        ]
        yield f"not in the roster: {'; '.join(groups)}"


def format_moved_units(before: GameState, after: GameState) -> Iterator[str]:
    """Yield the units that a line moved from one place to another, with their former places."""
    moved = []
    for unit in _list_changed_units(before, after):
        old = before.units.get(unit.id)
        if old and old.place and unit.place and old.place != unit.place:
            moved.append(f"{unit.id} from {old.place}")
    if moved:
        yield f"moved: {', '.join(moved)}"


def format_replaced_facts(
    game: Game, before: GameState, after: GameState, stated_facts: Iterable[FactKey]
) -> Iterator[str]:
    """Yield the facts of units, hexes and hexsides that a line changed: `25/3 loss 1 to 2`.

    `stated_facts`: the facts that are new after the line or have another value then.
    """
    changed = [*_find_facts_unlike_roster(game, before, after, stated_facts)]
    for name, subject in stated_facts:
        fact = after.facts[name, subject]
        track = game.tracks[name]
        old = before.facts.get((name, subject))
        if track.on in ("unit", "hex", "hexside") and old and old.value != fact.value:
            changed.append(f"{subject} {name} {track.write(old.value)} to {track.write(fact.value)}")
    if changed:
        yield f"changed: {', '.join(changed)}"


def _find_facts_unlike_roster(
    game: Game, before: GameState, after: GameState, stated_facts: Iterable[FactKey]
) -> Iterator[str]:
    for name, unit_id in stated_facts:
        fact = after.facts[name, unit_id]
        if name not in game.file.notation.identity or fact.assumed or (name, unit_id) in before.facts:
            continue
        unit = after.units.get(unit_id)
        printed = game.roster.get(unit.type, {}).get(name, ()) if unit else ()
        if printed and all(entry.value != fact.value for entry in printed):
            write = game.tracks[name].write
            yield f"{unit_id} {name} {write(printed[0].value)} (roster) to {write(fact.value)}"

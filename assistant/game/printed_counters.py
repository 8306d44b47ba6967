"""The counters that an owner types in: the values on each, and the unknown values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..state.tracks import Fact
from .games import Game
from .packs import Pack
from .roster import Roster


class CounterRow(NamedTuple):
    """The counter of a unit type, to be typed in."""

    unit: str
    formation: str
    """The nation, army and corps by which the counter is sorted, in words."""
    columns: tuple[str, ...]
    """The tracks printed on counters of its kind."""


def list_counters(pack: Pack) -> list[CounterRow]:
    """Return the counters of the game and of its owner, by formation and kind in the order of the roster."""
    game = pack.game
    printed = printed_counters(pack)
    value_tracks = [
        track for track in game.tracks.values() if track.printed == "counter" and is_value(game, track.name)
    ]
    by_kind: dict[str, set[str]] = {}  # tracks on any counter of a kind; empty if tracks list their kinds
    if not any(track.kinds for track in value_tracks):
        for facts in printed.values():
            by_kind.setdefault(format_printed(game, facts, game.file.picture.symbol), set()).update(facts)
    formations: dict[str, dict[str, list[CounterRow]]] = {}
    for unit, facts in printed.items():
        formation = (
            " ".join(filter(None, (format_printed(game, facts, name) for name in formation_tracks(game))))
            or "no formation"
        )
        kind = format_printed(game, facts, game.file.picture.symbol)
        columns = tuple(
            track.name for track in value_tracks if kind in track.kinds or track.name in by_kind.get(kind, ())
        )
        formations.setdefault(formation, {}).setdefault(kind, []).append(CounterRow(unit, formation, columns))
    return [row for kinds in formations.values() for rows in kinds.values() for row in rows]


def incomplete_counters(pack: Pack) -> list[CounterRow]:
    """Return the counters with an unknown value, except decoys, which only some players use."""
    return [
        row for row, missing in counters_with_gaps(pack) if missing and row.unit not in pack.game.hiding.decoy_types
    ]


def counters_with_gaps(pack: Pack) -> Iterator[tuple[CounterRow, frozenset[str]]]:
    """Yield all counters, each with the values that both the pack and the rulebook lack."""
    entered = pack.values()
    for row in list_counters(pack):
        known = pack.game.roster.get(row.unit, {})
        certain = {name for name, facts in known.items() if any(not fact.doubtful for fact in facts)}
        yield row, frozenset(row.columns) - certain - {*entered.get(row.unit, ())}


def printed_counters(pack: Pack) -> Roster:
    """Return the printed facts of the game's counters and of those added by its owner."""
    game = pack.game
    return {unit: game.roster[unit] for unit in game.counters} | pack.list_added_units()


def format_printed(game: Game, printed: Mapping[str, Sequence[Fact]], track: str) -> str:
    """Return a printed fact in words, or "" if it is unknown."""
    facts = printed.get(track, ())
    return game.tracks[track].write(facts[0].value) if facts else ""


def formation_tracks(game: Game) -> tuple[str, ...]:
    """Return the tracks that name the formation of a counter."""
    tabs = game.file.module.palettes if game.file.module else ()
    texts = [
        name
        for name, track in game.tracks.items()
        if track.printed == "counter" and track.kind == "text" and not track.is_number
    ]
    names = dict.fromkeys([game.file.picture.nation, *tabs, *texts])
    return tuple(name for name in names if name in game.tracks)


def is_value(game: Game, name: str) -> bool:
    """Return whether a track is typed in as a value of a counter. Tracks that identify the unit are not."""
    identifying = {*formation_tracks(game), *game.file.notation.identity}
    track = game.tracks[name]
    return name not in identifying and (track.is_number or track.kind in ("choice", "choices"))

"""The counters of a game as its owner types them from his own: which values stand on each, and what is not known yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..state.tracks import Fact
from .games import Game
from .packs import Pack
from .roster import Roster


class CounterRow(NamedTuple):
    """The counter of a unit type, to be typed."""

    unit: str
    formation: str
    """The nation, army and corps that it is sorted by, in words."""
    columns: tuple[str, ...]
    """The tracks that stand on counters of its kind."""


def list_counters(pack: Pack) -> list[CounterRow]:
    """Return the counters of a game and those that its owner added, formation by formation in the order of its roster,
    those of one kind together.
    """
    game = pack.game
    printed = printed_counters(pack)
    typed = [track for track in game.tracks.values() if track.printed == "counter" and is_value(game, track.name)]
    by_kind: dict[str, set[str]] = {}  # where the tracks do not say so, what is known of counters of a kind
    if not any(track.kinds for track in typed):
        for facts in printed.values():
            by_kind.setdefault(format_printed(game, facts, game.file.picture.symbol), set()).update(facts)
    formations: dict[str, dict[str, list[CounterRow]]] = {}
    for unit, facts in printed.items():
        formation = (
            " ".join(filter(None, (format_printed(game, facts, name) for name in formation_tracks(game))))
            or "no formation"
        )
        kind = format_printed(game, facts, game.file.picture.symbol)
        columns = tuple(track.name for track in typed if kind in track.kinds or track.name in by_kind.get(kind, ()))
        formations.setdefault(formation, {}).setdefault(kind, []).append(CounterRow(unit, formation, columns))
    return [row for kinds in formations.values() for alike in kinds.values() for row in alike]


def incomplete_counters(pack: Pack) -> list[CounterRow]:
    """Return the counters with a value that is neither in the pack nor stated by the rulebook, but for decoys, which
    only some players use.
    """
    return [
        row for row, missing in counters_with_gaps(pack) if missing and row.unit not in pack.game.hiding.decoy_types
    ]


def counters_with_gaps(pack: Pack) -> Iterator[tuple[CounterRow, frozenset[str]]]:
    """Yield all counters, each with its values that are neither in the pack nor stated by the rulebook."""
    entered = pack.values()
    for row in list_counters(pack):
        known = pack.game.roster.get(row.unit, {})
        certain = {name for name, facts in known.items() if any(not fact.doubtful for fact in facts)}
        yield row, frozenset(row.columns) - certain - {*entered.get(row.unit, ())}


def printed_counters(pack: Pack) -> Roster:
    """Return what is printed on the counters of the game, and on those that its owner added."""
    game = pack.game
    return {unit: game.roster[unit] for unit in game.counters} | pack.list_added_units()


def format_printed(game: Game, printed: Mapping[str, Sequence[Fact]], track: str) -> str:
    """Return a fact printed on a counter in words, "" if it is unknown."""
    facts = printed.get(track, ())
    return game.tracks[track].write(facts[0].value) if facts else ""


def formation_tracks(game: Game) -> tuple[str, ...]:
    """Return the tracks whose values name the formation of a counter."""
    tabs = game.file.module.palettes if game.file.module else ()
    texts = [
        name
        for name, track in game.tracks.items()
        if track.printed == "counter" and track.kind == "text" and not track.is_number
    ]
    names = dict.fromkeys([game.file.picture.nation, *tabs, *texts])
    return tuple(name for name in names if name in game.tracks)


def is_value(game: Game, name: str) -> bool:
    """Return whether a track is a value that is typed in its column: a number, or words other than those that say what
    a unit is.
    """
    identifying = {*formation_tracks(game), *game.file.notation.identity}
    track = game.tracks[name]
    return name not in identifying and (track.is_number or track.kind in ("choice", "choices"))

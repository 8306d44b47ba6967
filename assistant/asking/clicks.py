"""The mouse clicks in VASSAL that set the counters of a save to their new state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..game.counter_names import unit_names
from ..game.games import Game
from ..state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from ..state.tracks import Track, Value
from .changes import format_what_changes


def format_all_clicks(changes: Sequence[AnyChange], game: Game, *, adopted: bool) -> list[str]:
    """Return the instructions to carry out changes with the counters of a module, in words.

    `adopted`: whether the module is a published one. Its menus are unknown, so the new values are listed.
    """
    if adopted:
        return [*format_changes_by_hand(changes, game.tracks)]
    names = unit_names(game)
    return [line for change in changes if (line := format_clicks(change, game.tracks, names))]


def format_clicks(change: AnyChange, tracks: Mapping[str, Track], names: Mapping[str, str] = {}) -> str:
    """Return what to do with the counter, or "" if no counter shows the fact or it need not change.

    The levels of a layer are in the module's order: the default first, then the other values.

    `names`: the names of counters that are not called by their ids.
    """

    def name_of(id: str) -> str:
        return names.get(id, id)

    if isinstance(change, Enter):
        name = f"{name_of(change.unit)}: take {name_of(change.type)} from the palette"
        return f"{name}, drop it on {change.place}" if change.place else ""
    if isinstance(change, Leave):
        return f"{name_of(change.unit)}: delete it"
    if not isinstance(change, Change):
        return ""
    if change.track == "place":
        return f"{name_of(change.subject)}: " + ("delete it" if change.after is None else f"drag it to {change.after}")
    if isinstance(change.before, int) and isinstance(change.after, int) and change.track == "order":
        return f"{name_of(change.subject)}: move it up in its stack" if change.after < change.before else ""
    track = tracks.get(change.track)
    if track is None or track.module is None:
        return ""
    if track.kind == "text":
        return f"{name_of(change.subject)}: {_format_menu_line(track, 0)}, type {change.after or 'nothing'}"
    before = _find_level(track, change.before)
    after = _find_level(track, change.after)
    if before is None or after is None:
        return ""
    levels_up = after - before
    if len(track.module.menu) == 1:
        levels_up %= len(_list_values(track))
    if not levels_up:
        return ""
    times = f", {abs(levels_up)} times" if abs(levels_up) > 1 else ""
    return f"{name_of(change.subject)}: {_format_menu_line(track, 1 if levels_up < 0 else 0)}{times}"


def format_changes_by_hand(changes: Iterable[AnyChange], tracks: Mapping[str, Track]) -> Iterator[str]:
    """Yield the changes of each subject together, for a published module whose menus are unknown."""
    stated: dict[str, dict[str, str]] = {}
    for change in changes:
        if isinstance(change, Change | Gain | Raise) and change.track in tracks:
            stated.setdefault(change.subject or "the game", {})[change.track] = format_what_changes(change, tracks)
        elif line := format_clicks(change, tracks):
            yield line
    for subject, texts in stated.items():
        yield f"{subject}: by hand: {', '.join(texts.values())}"


def _find_level(track: Track, value: Value | None) -> int | None:
    value_shown = track.absent if value is None else value
    values = _list_values(track)
    if value_shown in values:
        return values.index(value_shown)
    default = track.absent or 0
    if track.kind != "integer" or not isinstance(value_shown, int) or not isinstance(default, int):
        return None
    return abs(value_shown - default)  # a track of numbers has too many values to list


def _list_values(track: Track) -> list[Value | None]:
    return [track.absent, *(value for value in track.in_turn() if value != track.absent)]


def _format_menu_line(track: Track, number: int) -> str:
    assert track.module
    letter = track.module.keys[number] if number < len(track.module.keys) else ""
    return f'"{track.module.menu[number]}"' + (f" (Ctrl+{letter})" if letter else "")

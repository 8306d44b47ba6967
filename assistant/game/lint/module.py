"""Mistakes in what a VASSAL module shows: `[module]` of `game.toml` and `[TRACK.module]` of `tracks.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...state.tracks import InModule, Track
from ...util.errors import InputError, Where, format_suggestion
from ...util.patterns import late_pattern
from ..games import Game
from .faults import COLOUR, GAME, TRACKS, file_faults, in_game, in_tracks, on_counters, repeated, unknown_names

#: Pixels that a hex and a counter may measure.
_ALLOWED_SIDES = range(16, 601)
_USUAL_VALUES = 100
_MOST_VALUES = 1000
ENGINE_KEYS = {
    "A": "selecting all, and saving under another name",
    "C": "copying",
    "D": "duplicating",
    "F": "searching",
    "M": "moving, in the editor",
    "N": "a new game",
    "O": "opening a game",
    "P": "properties, and printing",
    "Q": "leaving",
    "S": "saving",
    "T": "translating, in the editor",
    "V": "pasting",
    "W": "closing a window",
    "X": "cutting",
    "Y": "redoing",
    "Z": "undoing",
    "Shift+Z": "redoing",
}
"""What Ctrl does with a letter in VASSAL's own menus and text fields, or in those of every other program: a hand that
is used to it must not change a counter.
"""
TAKEN_KEYS = {
    "B": "turning a counter face down",
    "Shift+B": "turning a stack face down",
    "Shift+C": "the palettes",
    "Shift+D": "taking a counter out of play",
    "Shift+H": "taking a counter out of sight",
    "Shift+M": "the markers",
    "Shift+O": "the overview",
    "Shift+U": "the turn track",
}
"""What letters with Ctrl already do in every module."""
_KEY = late_pattern("(Shift[+])?[A-Za-z]")


def module_faults(game: Game) -> Iterator[InputError]:
    """Yield missing files and impossible values in [module] of `game.toml`."""
    module = game.file.module
    if module is None:
        return
    listed = (*(file for file, _ in module.setups), *(file for _, file in module.charts))
    named = (module.places, *module.unit_files, module.names, *listed)
    for file in filter(None, named):
        yield from file_faults(game.folder, "[module] names", file)
    rosters = [roster.file for roster in game.file.roster]
    yield from unknown_names("[module] units", module.unit_files, rosters, "file of the roster", optional=True)
    printed = on_counters(game.tracks)
    yield from unknown_names("[module] palettes", module.palettes, printed, "printed track")
    files = ["-".join(re.findall(r"\w+", title)) for _, title in module.setups]
    for name in sorted(filter(None, repeated(files))):
        yield in_game(f"[module] has several set-ups whose titles make the file name {name}.vsav")
    if "" in files:
        yield in_game("[module] has a set-up whose title has no letters")
    if module.hex not in _ALLOWED_SIDES or module.counter not in _ALLOWED_SIDES:
        yield in_game(f"[module] hex and counter must measure {_ALLOWED_SIDES[0]} to {_ALLOWED_SIDES[-1]} pixels")
    yield from _find_renaming_faults(game)
    yield from _find_shown_part_faults(game)


def _find_renaming_faults(game: Game) -> Iterator[InputError]:
    """Yield renamed units that are not in the roster, or whose older name is another unit's or that of several."""
    renamed = game.file.module.renamed if game.file.module else {}
    for now, before in renamed.items():
        if now not in game.roster:
            hint = (
                f'write the new name first: "{before}" = "{now}"'
                if before in game.roster
                else format_suggestion(now, game.roster)
            )
            yield in_game(f"[module] renamed: {now!r} is not a unit of the roster", hint)
        elif before in game.roster and before not in renamed:
            hint = "an older name must no longer be in use: saves would confuse the two units"
            yield in_game(f"[module] renamed: {now!r} was {before!r}, which is still a unit of the roster", hint)
    for before in repeated([*renamed.values()]):
        yield in_game(f"[module] renamed: several units were {before!r}", "keep only one of them")


def _find_shown_part_faults(game: Game) -> Iterator[InputError]:
    """Yield mistakes in the part of the map that the module shows."""
    module = game.file.module
    if module is None:
        return
    try:
        board = game.board(module.board)
    except InputError as error:
        yield error if error.where else error.told_as(f"[module] board: {error.what}", Where(GAME))
        return
    yield from unknown_names("[module] dead_pile", [module.dead_pile], board.boxes, "box of the board", optional=True)
    grid = board.grid
    columns, rows = module.columns or grid.columns, module.rows or grid.rows
    if board.hexes and not any(
        _is_within(at.column, columns) and _is_within(at.row, rows) for at in map(grid.parse, board.hexes)
    ):
        yield in_game(f"[module] shows no hex of {board.title}")
    for what, shown, whole in (("columns", columns, grid.columns), ("rows", rows, grid.rows)):
        if not whole[0] <= shown[0] <= shown[1] <= whole[1]:
            what = f"[module] shows the {what} {shown[0]} to {shown[1]} of a map that has {whole[0]} to {whole[1]}"
            yield in_game(what)


def _is_within(number: int, ends: tuple[int, int]) -> bool:
    return ends[0] <= number <= ends[1]


def _find_flip_faults(game: Game) -> Iterator[InputError]:
    """Yield several tracks that the other side of the same counters would show."""
    flipping: dict[str, str] = {}
    for track in game.tracks.values():
        if track.module is not None and track.module.flips:
            other = flipping.setdefault(track.module.needs, track.name)
            if other != track.name:
                what = f"[{other}.module] and [{track.name}.module] both flip the same counters"
                yield in_tracks(what, "set `needs` in each to a track that only its counters print")


def status_faults(game: Game) -> Iterator[InputError]:
    """Yield mistakes of tracks under [TRACK.module]."""
    yield from _find_flip_faults(game)
    taken: dict[tuple[str, str], str] = {}
    lines: dict[str, str] = {}
    for track in game.tracks.values():
        if (shown := track.module) is None:
            continue
        here = f"[{track.name}.module]"
        if not 1 <= len(shown.menu) <= 2 or len(shown.keys) > len(shown.menu) or not all(shown.menu):
            yield in_tracks(f"{here} needs one or two menu lines, and no more keys than lines")
        yield from unknown_names(f"{here} needs", [shown.needs], game.tracks, file=TRACKS, optional=True)
        if not COLOUR.fullmatch(shown.colour):
            yield in_tracks(f"{here} colour {shown.colour!r} is not a colour", "write it as #rrggbb")
        yield from _find_word_faults(track, shown, here)
        yield from _find_value_faults(track, here)
        for line in repeated(shown.menu):
            yield in_tracks(f"{here} has the line {line!r} twice")
        if track.on == "unit":
            for line in dict.fromkeys(shown.menu):
                if (known := lines.setdefault(line, here)) != here:
                    yield in_tracks(f"{here} has the line {line!r}, already used for {known}")
        yield from _find_key_faults(track, shown, here, taken)


def _find_word_faults(track: Track, shown: InModule, here: str) -> Iterator[InputError]:
    """Yield words and sentences for values that a track does not have."""
    if track.values:
        yield from unknown_names(f"{here} words", shown.words, track.values, "value", TRACKS)
    if shown.says and track.kind != "text":
        words = {"*", *map(track.write, track.in_turn(track.most or _USUAL_VALUES))}
        yield from unknown_names(f"{here} says", shown.says, words, "value", TRACKS)


def _find_value_faults(track: Track, here: str) -> Iterator[InputError]:
    """Yield why a module cannot show the values of a track."""
    if track.on not in ("unit", "hex", "game"):
        yield in_tracks(f"{here} cannot be shown: a module shows only facts about units, hexes and the game")
    elif track.kind == "integer" and (track.most or 0) - (track.least or 0) > _MOST_VALUES:
        yield in_tracks(f"{here} has more than {_MOST_VALUES} values to step through", "give it a smaller most")
    elif track.kind != "text" and not track.in_turn(None if track.on == "hex" else track.most or _USUAL_VALUES):
        yield in_tracks(f"{here} has no values to step through", "give it least and most")
    elif track.kind == "text" and track.on != "unit":
        yield in_tracks(f"{here} is a text, which only a unit can show")


def _find_key_faults(
    track: Track, shown: InModule, here: str, taken: dict[tuple[str, str], str]
) -> Iterator[InputError]:
    """Yield keys that cannot be pressed or do something else. taken: by subject and key the track that has it, to which
    those of this track are added.
    """
    for key in repeated([_write_key(key) for key in shown.keys if key]):
        yield in_tracks(f"{here} has the key {key} twice")
    for key in filter(None, shown.keys):
        pressed = _write_key(key)
        if not _KEY.fullmatch(key):
            yield in_tracks(f"{here} has the key {key}, which is not a single letter", "write: L, or: Shift+L")
        elif pressed in ENGINE_KEYS:
            what = f"{here} has the key {key}: players press Ctrl+{pressed} for {ENGINE_KEYS[pressed]}"
            yield in_tracks(what, f"take another letter, or Shift+{pressed[-1]}")
        known = TAKEN_KEYS.get(pressed, "") or taken.setdefault((track.on, pressed), here)
        if known != here:
            yield in_tracks(f"{here} has the key {key}, already used for {known}")


def _write_key(key: str) -> str:
    """Return a key with its letter as a capital, which is what the lists of keys have."""
    return key[:-1] + key[-1:].upper()

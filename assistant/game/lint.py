"""Faults in a game's files: references that lead nowhere, and what makes no VASSAL module, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..util.errors import InputError
from .games import Game

#: Pixels that a hex and a counter may measure.
_SIDES = range(16, 601)
_MANY = 100
#: What a letter with Ctrl does already.
TAKEN_KEYS = {
    "B": "turning a counter face down",
    "C": "the palettes",
    "D": "taking a counter out of play",
    "N": "taking a counter out of sight",
}


def faults(game: Game) -> list[str]:
    """Every reference in the game's files that leads nowhere, in words; reading them raises what is wrong inside."""
    found = []
    known = {name for name, track in game.tracks.items() if track.printed == "counter"}
    names = (*game.file.notation.brackets, *game.file.notation.identity)
    found += [
        f"game.toml: [notation] names {name}, no track printed on counters" for name in names if name not in known
    ]
    for name, track in game.tracks.items():
        if track.below and track.below not in game.tracks:
            found.append(f"tracks.toml: {name} is below {track.below}, which is no track")
        for end in track.ends_with:
            if end not in game.tracks or game.tracks[end].on != "game":
                found.append(f"tracks.toml: {name} ends with {end}, which is no fact of the game")
        if track.kind in ("choice", "choices") and not track.values:
            found.append(f"tracks.toml: {name} has no values to choose from")
        elif track.absent is not None:
            try:
                track.check(track.absent)
            except InputError as error:
                found.append(f"tracks.toml: absent of {name}: {error.what}")
    charts = game.charts.values()
    found += [
        f"charts.toml: {chart.name} has no cells and no file" for chart in charts if not chart.file and not chart.keys
    ]
    if game.file.combat and game.file.combat.chart not in game.charts:
        found.append(f"game.toml: [combat] names chart {game.file.combat.chart}, which is not declared")
    nations = game.tracks.get(game.file.picture.nation)
    for side, members in game.file.sides.items():
        strangers = [nation for nation in members if nations and nations.values and nation not in nations.values]
        found += [f"game.toml: side {side} holds {nation}, which is no nation" for nation in strangers]
    shown = [file for file, _ in game.file.demo.shows] if game.file.demo else []
    lacking = [file for file in shown if not game.folder.joinpath(file).is_file()]
    found += [f"game.toml: [demo] shows {file}, which is not there" for file in lacking]
    found += [*table_faults(game), *module_faults(game), *status_faults(game)]
    for name in game.board_names:
        game.board(name)
    return found + [f"roster: {unit} has no facts" for unit, facts in game.roster.items() if not facts]


def table_faults(game: Game) -> Iterator[str]:
    """What [table] of `game.toml` says of tracks that cannot be."""
    table = game.file.table
    if table is None:
        return
    if table.when and table.when not in game.tracks:
        yield f"game.toml: [table] dates the journal by {table.when}, which is no track"
    for name, usual in table.usual.items():
        for value in [usual] if isinstance(usual, str) else usual:
            try:
                _ = game.tracks[name].parse(value) if name in game.tracks else None
            except InputError as error:
                yield f"game.toml: [table] takes for granted what cannot be: {error.what}"


def module_faults(game: Game) -> Iterator[str]:
    """What [module] of `game.toml` names that is not there, or that makes no module."""
    module = game.file.module
    if module is None:
        return
    files = [file for file in (module.places, module.units, *(file for file, _ in module.setups)) if file]
    for file in files:
        if ".." in file or file.startswith("/"):
            yield f"game.toml: [module] names {file}, which leads out of the game's folder"
        elif not game.folder.joinpath(file).is_file():
            yield f"game.toml: [module] names {file}, which is not there"
    if module.units and module.units not in [roster.file for roster in game.file.roster]:
        yield f"game.toml: [module] takes its units from {module.units}, which is no file of the roster"
    for name in module.palettes:
        if name not in game.tracks or game.tracks[name].printed != "counter":
            yield f"game.toml: [module] sorts counters by {name}, which is not printed on them"
    titles = [re.sub(r"\W+", " ", title).strip() for _, title in module.setups]
    for title in sorted({title for title in titles if titles.count(title) > 1}):
        yield f"game.toml: [module] has several set-ups called {title!r}"
    if "" in titles:
        yield "game.toml: [module] has a set-up whose title has no letters"
    for number, sides in module.dice:
        if not (1 <= number <= 20 and 2 <= sides <= 100):
            yield f"game.toml: [module] has dice {number}d{sides}, which nobody can roll"
    if module.hex not in _SIDES or module.counter not in _SIDES:
        yield f"game.toml: [module] has a hex or a counter of less than {_SIDES[0]} or more than {_SIDES[-1]} pixels"
    yield from _window_faults(game)


def _window_faults(game: Game) -> Iterator[str]:
    """What is wrong with the part of the map that the module shows."""
    module = game.file.module
    if module is None:
        return
    try:
        board = game.board(module.board)
    except InputError as error:
        yield f"game.toml: [module] shows a board that cannot be: {error.what}"
        return
    grid = board.grid
    columns, rows = module.columns or grid.columns, module.rows or grid.rows
    if board.hexes and not any(
        _within(at.column, columns) and _within(at.row, rows) for at in map(grid.parse, board.hexes)
    ):
        yield f"game.toml: [module] shows no hex of {board.title}"
    for what, shown, whole in (("columns", columns, grid.columns), ("rows", rows, grid.rows)):
        if not whole[0] <= shown[0] <= shown[1] <= whole[1]:
            yield f"game.toml: [module] shows the {what} {shown[0]} to {shown[1]} of a map that has {whole[0]} to {whole[1]}"


def _within(number: int, ends: tuple[int, int]) -> bool:
    return ends[0] <= number <= ends[1]


def status_faults(game: Game) -> Iterator[str]:
    """What tracks say under [TRACK.module] that cannot be."""
    taken: dict[tuple[str, str], str] = {}
    lines: dict[str, str] = {}
    for track in game.tracks.values():
        if (shown := track.module) is None:
            continue
        here = f"tracks.toml: [{track.name}.module]"
        if not 1 <= len(shown.menu) <= 2 or len(shown.keys) > len(shown.menu) or not all(shown.menu):
            yield f"{here} needs one line of the menu or two, and no more keys than lines"
        if shown.needs and shown.needs not in game.tracks:
            yield f"{here} needs {shown.needs}, which is no track"
        if not re.fullmatch("#[0-9a-fA-F]{6}", shown.colour):
            yield f"{here} has the colour {shown.colour}; write it as #rrggbb"
        if track.on not in ("unit", "hex", "game"):
            yield f"{here} is of no use: a module shows facts of units, hexes and the game"
        elif track.kind != "text" and not track.in_turn(None if track.on == "hex" else track.most or _MANY):
            yield f"{here} has values that cannot be counted up"
        elif track.kind == "text" and track.on != "unit":
            yield f"{here} is a text, which only a unit can show"
        if len(set(shown.menu)) < len(shown.menu):
            yield f"{here} has the line {shown.menu[0]!r} twice"
        elif track.on == "unit":
            for line in shown.menu:
                if (known := lines.setdefault(line, f"[{track.name}.module]")) != f"[{track.name}.module]":
                    yield f"{here} has the line {line!r}, which is that of {known}"
        letters = [key.upper() for key in shown.keys if key]
        if len(set(letters)) < len(letters):
            yield f"{here} has the key {letters[0]} twice"
        for key in shown.keys:
            if key and not re.fullmatch("[A-Za-z]", key):
                yield f"{here} has the key {key}, which is no single letter"
            known = TAKEN_KEYS.get(key.upper(), "") or taken.setdefault(
                (track.on, key.upper()), f"[{track.name}.module]"
            )
            if key and known != f"[{track.name}.module]":
                yield f"{here} has the key {key}, which is that of {known}"

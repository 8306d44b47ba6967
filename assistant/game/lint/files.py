"""Mistakes in the files of a game, all found at once: unreadable files, unknown names, impossible values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from string import Formatter
from typing import TYPE_CHECKING, Any

from ...state.tracks import InModule, Subject, Track
from ...util.console import format_count
from ...util.datafiles import find_toml_line, read_text, read_toml, resolve_within
from ...util.errors import InputError, Where, format_suggestion, ignore
from ...util.patterns import late_pattern
from ..boards.folder import HEAD, TERRAIN, in_boards, is_board_name
from ..boards.head import box_faults, in_head, read_board_head
from ..charts import CellField, Chart, ChartKey
from ..course import COURSE
from ..events import EVENTS, is_account
from ..gamefile import ClassicCombat, PictureTracks
from ..games import CLAUSES, Game, read_game
from ..roster import COUNT
from ..rule_index import read_index
from ..turn_record import list_people
from .boards import board_faults, grid_faults, numbering_faults
from .course import find_course_faults, find_set_up_faults
from .faults import (
    COLOUR,
    GAME,
    TRACKS,
    Faults,
    fault_in,
    file_faults,
    in_game,
    in_tracks,
    on_counters,
    repeated,
    tracks_on,
    unknown,
    unknown_names,
    value_fault,
)
from .rules import find_rule_faults
from .tables import find_table_faults

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_in_charts = partial(fault_in, "charts.toml")


def read_with_faults(id: str, folder: Traversable, made_by: str = "", home: str = "", *, on_fault: Faults) -> Game:
    """Return a game, even if some of its files cannot be read; every mistake goes to `on_fault`.

    `read_game` explains the other arguments.

    Raises InputError without a game.toml, or Enough if there are too many mistakes.
    """
    game = read_game(id, folder, made_by, home, on_fault=on_fault)
    _read_part(lambda: game.roster, on_fault)
    _read_part(lambda: game.charts, on_fault)
    _read_part(lambda: game.rulings, on_fault)
    _read_part(lambda: read_index(game.folder, on_fault), on_fault)
    for name in game.board_names:
        on_fault.extend(numbering_faults(game, name))  # first, as these faults cause others
        _read_part(partial(game.board, name), on_fault)
    _read_part(lambda: find_course_faults(game, on_fault), on_fault)
    _read_part(lambda: find_rule_faults(game, on_fault), on_fault)
    _read_part(lambda: find_set_up_faults(game, on_fault), on_fault)
    _read_part(lambda: find_table_faults(game, on_fault), on_fault)
    on_fault.extend(faults(game))
    return game


def title_in(folder: Traversable) -> str:
    """Return the title in a game's file, or "" if it cannot be read."""
    with suppress(InputError):
        title = read_toml(resolve_within(folder, "game.toml"), dict[str, Any]).get("title", "")
        return title if isinstance(title, str) else ""
    return ""


def lost_files(folder: Traversable) -> Iterator[InputError]:
    """Yield the first fault of each TOML file that cannot be parsed."""
    drawn = [board for board in in_boards(folder) if board.is_dir() and is_board_name(board.name)]
    files = [
        resolve_within(folder, name) for name in ("game.toml", "tracks.toml", "charts.toml", COURSE, EVENTS, CLAUSES)
    ]
    named = [(file, file.name) for file in files] + [
        (resolve_within(board, HEAD), in_head(board).file) for board in drawn
    ]
    for file, name in named:
        if file.is_file():
            try:
                read_toml(file, dict[str, Any], name=name)
            except InputError as fault:
                yield fault


def _read_part(read: Callable[[], object], on_fault: Faults) -> None:
    try:
        read()
    except InputError as error:
        on_fault(error)


def faults(game: Game) -> Iterator[InputError]:
    """Yield every unknown name and impossible value in the game's files."""
    yield from _find_track_faults(game)
    yield from _find_section_faults(game)
    yield from _find_table_faults(game)
    yield from _find_module_faults(game)
    yield from _find_status_faults(game)
    yield from map_faults(game)
    for name in game.board_names:
        yield from board_faults(game, game.board(name))
        head = in_head(resolve_within(game.folder, f"boards/{name}"), "grid")
        yield from (fault.at(head) for fault in grid_faults(game.board(name).grid))
    for unit in game.counters:
        if not game.roster[unit]:
            yield InputError(f"{unit} has no facts", where=Where("roster"))


def _find_owed_faults(game: Game, track: Track) -> Iterator[InputError]:
    """Yield mistakes in the `owed` table of a track.

    A debt must end with the phase at the latest, so that nothing is owed for ever.
    """
    owed = track.owed
    if owed is None:
        return
    here = f"[{track.name}.owed]"
    tracks_alike = tracks_on(game, track.on)
    for key, names in (("until", owed.until), ("needs", filter(None, [owed.needs]))):
        yield from unknown_names(f"{here} {key}", names, tracks_alike, f"fact of the {track.on}", TRACKS)
    known = [track.on, "value", "place", *(name.replace("-", "_") for name in tracks_alike)]
    texts = (owed.text, owed.ask)
    figures = [name for text in texts for _, name, _, _ in Formatter().parse(text) if name]
    figures += [name for text in texts for name in re.findall(r"\[(\w+):", text)]
    yield from unknown_names(f"{here} text", figures, known, "figure", TRACKS)
    if "phase" not in track.ends_with:
        yield in_tracks(f"{here} does not end with the phase", f'add "phase" to ends_with of [{track.name}]')
    if owed.hex and track.on != "hex":
        yield in_tracks(f"{here} hex: [{track.name}] is not a fact of a hex", "leave hex out")


def _find_track_faults(game: Game) -> Iterator[InputError]:
    facts = tracks_on(game, "game")
    printed = on_counters(game.tracks)
    turns = [name for name, track in game.tracks.items() if track.names == "turn"]
    for name in {"unit", COUNT} & {*printed}:
        yield in_tracks(f"[{name}] cannot be printed on counters: a roster has this column", "give it another name")
    for (subject, word), names in game.vocabulary.shared.items():
        hint = f"give all but one of them another word, such as no-{names[-1]}, or a token"
        yield in_tracks(f"{word!r} is a word of [{'] and ['.join(names)}], which are all about a {subject}", hint)
    for name, track in game.tracks.items():
        here = f"[{name}]"
        yield from unknown_names(f"{here} below", [track.below], game.tracks, file=TRACKS, optional=True)
        if track.back and track.back not in printed:
            yield unknown(f"{here} back", track.back, printed, "printed track", TRACKS)
        elif track.back and game.tracks[track.back].kind != track.kind:
            what = f"{here} back: {track.back!r} is not of the same kind as {track.name!r}"
            yield in_tracks(what, f"name the {track.kind} track printed on the back")
        elif track.back and track.name not in printed:
            yield in_tracks(f"{here} has another value on the back, but is not printed", 'write: printed = "counter"')
        kinds = game.tracks[game.file.picture.symbol].values if game.file.picture.symbol in game.tracks else ()
        yield from unknown_names(f"{here} kinds", track.kinds, kinds, "kind of unit", TRACKS)
        if track.adds_to and not is_account(track):
            yield in_tracks(f"{here} adds to {track.adds_to!r}, but is not an account", "leave adds_to out")
        if track.names and track.kind != "text" and (track.names, track.kind) != ("turn", "integer"):
            yield in_tracks(f"{here} names a {track.names}, but is not a text", 'write: kind = "text"')
        ends = [one.partition("=") for one in track.ends_with]
        yield from unknown_names(f"{here} ends_with", [name for name, _, _ in ends], facts, "fact of the game", TRACKS)
        for name, _, value in ends:
            words = game.tracks[name].values if name in facts else ()
            yield from unknown_names(
                f"{here} ends_with {name}", [value], words or [value], "word", TRACKS, optional=True
            )
        if track.ends_on_leaving and track.on != "unit":
            yield in_tracks(f"{here} ends on leaving a hex, but is not a fact of a unit", "leave ends_on_leaving out")
        yield from _find_owed_faults(game, track)
        for who, path in track.unless.items():
            whose, _, name = path.rpartition(".")
            yield from unknown_names(
                f"{here} unless", filter(None, (who, whose)), list_people(game), "side or nation", TRACKS
            )
            yield from unknown_names(f"{here} unless", [name], turns, "fact that is a turn", TRACKS)
        if not all(word.strip() for word in track.values):
            yield in_tracks(f"{here} has a value without letters", "leave it out")
        if track.kind in ("choice", "choices"):
            if not track.values:
                yield in_tracks(f"{here} has no values to choose from", "write: values = [...]")
        elif track.values:
            yield in_tracks(f'{here} has values, but its kind is "{track.kind}"', 'write: kind = "choice"')
        if track.least is not None and track.most is not None and track.least > track.most:
            yield in_tracks(f"{here} runs from {track.least} to {track.most}", "swap least and most")
        if track.token and track.kind != "flag" and "{}" not in track.token:
            yield in_tracks(f"{here} token {track.token!r} has no place for the value", "write {} there")
        if track.absent is not None and (track.values or track.kind not in ("choice", "choices")):
            yield from value_fault(f"{here} absent", TRACKS, track.check, track.absent)
    for name, chart in game.charts.items():
        yield from _find_chart_faults(name, chart)


def _find_chart_faults(name: str, chart: Chart) -> Iterator[InputError]:
    """Yield contradictions in a chart, such as reversed ends or equal headings."""
    if not chart.file and not chart.keys:
        yield _in_charts(f"[{name}] has neither cells nor a file", "write: file = ... or keys = [...]")
    parts: list[ChartKey | CellField] = [*chart.keys, *chart.fields]
    for part in parts:
        if part.least is not None and part.most is not None and part.least > part.most:
            yield _in_charts(f"[{name}] {part.name} runs from {part.least} to {part.most}", "swap least and most")
        spot, printed = ("heads", part.heads) if isinstance(part, ChartKey) else ("meanings", part.meanings)
        if printed and len(printed) != len(part.values):
            what = f"[{name}] {part.name} has {len(printed)} {spot} for {format_count(len(part.values), 'value')}"
            yield _in_charts(what, "write one for each, in their order")
    for heading in repeated([part.name for part in parts]):
        yield _in_charts(f"[{name}] {heading!r} is the name of several keys or fields", "give each a different name")


def _find_band_faults(game: Game, combat: ClassicCombat) -> Iterator[InputError]:
    if combat.rounding != "bands":
        if combat.bounds:
            yield in_game(f'[combat] bounds belong to rounding = "bands", not to "{combat.rounding}"')
        return
    if list(combat.bounds) != sorted(set(combat.bounds)):
        yield in_game("[combat] bounds must rise from column to column")
    chart = game.charts.get(combat.chart)
    if chart and combat.bounds and len(chart.keys[0].values) != len(combat.bounds):
        columns = len(chart.keys[0].values)
        bounds, columns_text = format_count(len(combat.bounds), "bound"), format_count(columns, "column")
        yield in_game(f"[combat] has {bounds} for the {columns_text} of {combat.chart}")


def _find_section_faults(game: Game) -> Iterator[InputError]:
    file = game.file
    counters = on_counters(game.tracks)
    yield from (fault.at(Where(GAME)) for fault in (*grid_faults(file.grid), *box_faults(file.boxes, file.grid)))
    for spot, names in (("brackets", file.notation.brackets), ("identity", file.notation.identity)):
        yield from unknown_names(f"[notation] {spot}", names, counters, "printed track")
    yield from _find_chain_faults(game)
    yield from _find_side_faults(game)
    for figure, meaning in file.figures.items():
        if not meaning.strip():
            yield in_game(f"[figures] {figure} has no meaning", "write a few words")
    if file.combat:
        numbers = {name for name, track in counters.items() if track.kind == "integer"}
        for spot, name in (("attack", file.combat.attack), ("defence", file.combat.defence)):
            yield from unknown_names(f"[combat] {spot}", [name], numbers, "printed number", optional=True)
        yield from unknown_names("[combat] chart", [file.combat.chart], game.charts, "chart", optional=True)
        yield from _find_band_faults(game, file.combat)
    yield from _find_picture_faults(game)
    if limits := file.intelligence:
        of_hexes = tracks_on(game, "hex")
        for spot, name in (("announced", limits.announced), ("covers", limits.covers), ("caps", limits.caps)):
            yield from unknown_names(f"[intelligence] {spot}", [name], of_hexes, "track of hexes", optional=True)
        of_units = tracks_on(game, "unit")
        yield from unknown_names(
            "[intelligence] conceals", [limits.conceals], of_units, "track of units", optional=True
        )
        units = (tracks_on(game, "unit"), "track of units")
        game_facts = (tracks_on(game, "game"), "fact of the game")
        ends = {
            "weakest": (limits.weakest, units),
            "strongest": (limits.strongest, units),
            "decoy": (limits.decoy, units),
        }
        stated = [("when", limits.when, game_facts), *((end, words, known) for end, (words, known) in ends.items())]
        for end, used in (("decoys_with", limits.decoys_with), ("conceals_with", limits.conceals_with)):
            stated += [(end, {name: value}, game_facts) for name, values in used.items() for value in values]
        for end, words, (known, what) in stated:
            for name, value in words.items():
                here = f"[intelligence.{end}]"
                if name not in known:
                    yield unknown(here, name, known, what)
                else:
                    yield from value_fault(f"{here} {name}", GAME, game.tracks[name].parse, value)
    if file.demo:
        for spot, shows in (("shows", file.demo.shows), ("brief", file.demo.brief)):
            for shown, _ in shows:
                yield from file_faults(game.folder, f"[demo] {spot}", shown)


def _find_chain_faults(game: Game) -> Iterator[InputError]:
    notation = game.file.notation
    words = game.vocabulary
    kinds: tuple[tuple[str, Subject, Mapping[str, str]], ...] = (
        ("signs", "hexside", notation.signs),
        ("letters", "hex", notation.letters),
    )
    for spot, on, words_of in kinds:
        for sign, word in words_of.items():
            if not words.is_taken(on, word):
                yield unknown(f"[notation.{spot}] {sign}", word, words.whole(on), f"word about a {on}")
    for sign in notation.signs:
        if not sign or re.search(r"""[\w\s,|"#<>()?]""", sign):
            yield in_game(f"[notation.signs] {sign!r} is not a symbol", "use one such as = - : / ~ ^ +")
    for letter in notation.letters:
        if len(letter) != 1 or re.search(r"""[0-9\s,|"#<>()?]""", letter):
            yield in_game(f"[notation.letters] {letter!r} is not a letter", "use one letter, or a symbol such as !")


def _find_side_faults(game: Game) -> Iterator[InputError]:
    track = game.tracks.get(game.file.picture.nation)
    nations = dict.fromkeys(track.values if track else ())
    for side, members in game.file.sides.items():
        if not members:
            yield in_game(f"[sides] {side!r} has no nation", "name one, or leave the side out")
        if nations:
            yield from unknown_names(f"[sides] {side}", members, nations, "nation")
    placed = {nation for members in game.file.sides.values() for nation in members}
    hint = f"add it to one of {', '.join(game.file.sides)}"
    if game.file.sides:
        for nation in nations:
            if nation not in placed:
                yield in_game(f"[sides] {nation!r} is on no side", hint)
    for nation in repeated([member for members in game.file.sides.values() for member in dict.fromkeys(members)]):
        yield in_game(f"[sides] {nation!r} is on several sides", "leave it in one of them")
    yield from unknown_names(
        "[titles]", game.file.titles, {**nations, **dict.fromkeys(list_people(game))}, "side or nation"
    )


def _find_picture_faults(game: Game) -> Iterator[InputError]:
    """Yield unknown tracks and colours in [picture]. Its default tracks need not exist."""
    picture = game.file.picture
    defaults = PictureTracks()
    spots = {"symbol": "unit", "nation": "unit", "size": "unit", "less": "unit", "terrain": "hex", "town": "hex"}
    spots |= {"control": "hex"}
    spots |= dict.fromkeys(("barrier", "rail", "road", "gauge", "border", "crossing", "causeway"), "hexside")
    for spot, on in spots.items():
        name = getattr(picture, spot)
        known = tracks_on(game, on)
        if name and name != getattr(defaults, spot) and name not in known:
            yield unknown(f"[picture] {spot}", name, known, f"track of a {on}")
        elif on == "hexside" and name in known and game.tracks[name].kind in ("integer", "text"):
            yield in_game(f"[picture] {spot}: {name} cannot be drawn", "it must be a flag, a choice or choices")
    units = tracks_on(game, "unit")
    if picture.figures != defaults.figures:
        yield from unknown_names("[picture] figures", picture.figures, units, "track of a unit")
    printed = [name for name in tracks_on(game, "hex") if game.tracks[name].kind == "flag"]
    yield from unknown_names("[picture] flags", picture.flags or (), printed, "flag of a hex")
    yield from unknown_names("[picture.markers]", picture.markers, tracks_on(game, "hex"), "track of a hex")
    yield from unknown_names("[picture.sides]", picture.sides, game.file.sides, "side")
    for side, colour in picture.sides.items():
        if not COLOUR.fullmatch(colour):
            what = f"[picture.sides] {side}: {colour!r} is not a colour"
            yield InputError(what, where=Where("game.toml"), hint="write it as #rrggbb")
    symbols = game.tracks.get(picture.symbol)
    if symbols and symbols.values:
        yield from unknown_names("[picture.instead]", picture.instead, symbols.values, "unit symbol")
        for troops in picture.troops:
            yield from unknown_names("[[picture.troops]] of", troops.of, symbols.values, "unit symbol")
    for troops in picture.troops:
        yield from unknown_names("[[picture.troops]] facts", troops.facts, units, "track of a unit")
    for symbol, shown in picture.instead.items():
        yield from unknown_names(f"[picture.instead.{symbol}]", shown, picture.figures, "figure of [picture]")
    ground = (picture.terrain, picture.barrier, picture.rail, picture.gauge, picture.road)
    named = (picture.nation, picture.country, *ground)
    coloured = [track for name in named if (track := game.tracks.get(name))]
    words = {word for track in coloured for word in track.values or ([track.name] if track.kind == "flag" else ())}
    if words:
        words.update(printed)
    bad_colours = {word for word, colour in picture.colours.items() if not COLOUR.fullmatch(colour)}
    unknown_words = picture.colours.keys() - words if words else set()
    text = read_text(resolve_within(game.folder, "game.toml")) if bad_colours or unknown_words else ""
    for word, colour in picture.colours.items():
        if word in bad_colours or word in unknown_words:
            where = Where("game.toml", find_toml_line(text, ("picture", "colours", word)))
            if word in bad_colours:
                hint = "write it as #rrggbb"
                yield InputError(f"[picture.colours] {word}: {colour!r} is not a colour", where=where, hint=hint)
            if word in unknown_words:
                yield unknown("[picture.colours]", word, words, "nation, country, terrain or word of a hexside", "").at(
                    where
                )


def _find_table_faults(game: Game) -> Iterator[InputError]:
    """Yield unknown tracks in [table] of `game.toml`. `checking` checks its parameters."""
    table = game.file.table
    if table is None:
        return
    yield from unknown_names("[table] when", [table.when], tracks_on(game, "game"), "fact of the game", optional=True)
    for spot, names in (("aims", table.aims), ("pair", table.pair)):
        yield from unknown_names(f"[table] {spot}", names, tracks_on(game, "unit"), "fact of a unit")
    yield from unknown_names("[table] ground", table.ground, tracks_on(game, "hex"), "fact of a hex")
    signed = (*table.mistaken, *table.mistaken.values())
    yield from unknown_names("[table] mistaken", signed, game.file.notation.signs.values(), "word that has a sign")
    for name, assumed in table.usual.items():
        track = game.tracks.get(name)
        values = [assumed] if isinstance(assumed, str) else assumed
        if track:
            for value in values:
                yield from value_fault(f"[table.usual] {name}", GAME, track.parse, value)


def map_faults(game: Game) -> Iterator[InputError]:
    """Yield boards that no position can name, and boards with terrain letters but no map of letters."""
    for board in in_boards(game.folder):
        if board.is_dir() and not is_board_name(board.name):
            what = f"boards/{board.name}: a position cannot name this board"
            hint = "rename the folder: letters, digits, hyphens and dots only"
            yield InputError(what, hint=hint)
    for name in game.board_names:
        folder = resolve_within(game.folder, f"boards/{name}")
        head = read_board_head(folder, ignore)
        file = resolve_within(folder, TERRAIN)
        if head and head.terrain and not (file.is_file() and file.read_bytes().strip()):
            where = Where(f"{name}/{TERRAIN}")
            hint = f"draw it, or leave out [terrain] of {HEAD}"
            yield InputError(f"the file is {'empty' if file.is_file() else 'missing'}", where=where, hint=hint)


_ALLOWED_SIDES_PX = range(16, 601)
"""The possible sizes of a hex and a counter, in pixels."""
_USUAL_MAX_VALUE = 100
_MAX_VALUE_RANGE = 1000
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
"""The effect of Ctrl with a letter in VASSAL or in most other programs.

Pressing such a key by habit must not change a counter.
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
"""The effect of a letter with Ctrl in every module."""
_KEY = late_pattern("(Shift[+])?[A-Za-z]")


def _find_module_faults(game: Game) -> Iterator[InputError]:
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
    if module.hex not in _ALLOWED_SIDES_PX or module.counter not in _ALLOWED_SIDES_PX:
        yield in_game(f"[module] hex and counter must measure {_ALLOWED_SIDES_PX[0]} to {_ALLOWED_SIDES_PX[-1]} pixels")
    yield from _find_renaming_faults(game)
    yield from _find_shown_part_faults(game)


def _find_renaming_faults(game: Game) -> Iterator[InputError]:
    renamed = game.file.module.renamed if game.file.module else {}
    for new_name, old_name in renamed.items():
        if new_name not in game.roster:
            hint = (
                f'write the new name first: "{old_name}" = "{new_name}"'
                if old_name in game.roster
                else format_suggestion(new_name, game.roster)
            )
            yield in_game(f"[module] renamed: {new_name!r} is not a unit of the roster", hint)
        elif old_name in game.roster and old_name not in renamed:
            hint = "an older name must no longer be in use: saves would confuse the two units"
            yield in_game(f"[module] renamed: {new_name!r} was {old_name!r}, which is still a unit of the roster", hint)
    for old_name in repeated([*renamed.values()]):
        yield in_game(f"[module] renamed: several units were {old_name!r}", "keep only one of them")


def _find_shown_part_faults(game: Game) -> Iterator[InputError]:
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
    flipping: dict[str, str] = {}
    for track in game.tracks.values():
        if track.module is not None and track.module.flips:
            other = flipping.setdefault(track.module.needs, track.name)
            if other != track.name:
                what = f"[{other}.module] and [{track.name}.module] both flip the same counters"
                yield in_tracks(what, "set `needs` in each to a track that only its counters print")


def _find_status_faults(game: Game) -> Iterator[InputError]:
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
    if track.values:
        yield from unknown_names(f"{here} words", shown.words, track.values, "value", TRACKS)
    if shown.says and track.kind != "text":
        words = {"*", *map(track.write, track.in_turn(track.most or _USUAL_MAX_VALUE))}
        yield from unknown_names(f"{here} says", shown.says, words, "value", TRACKS)


def _find_value_faults(track: Track, here: str) -> Iterator[InputError]:
    if track.on not in ("unit", "hex", "game"):
        yield in_tracks(f"{here} cannot be shown: a module shows only facts about units, hexes and the game")
    elif track.kind == "integer" and (track.most or 0) - (track.least or 0) > _MAX_VALUE_RANGE:
        yield in_tracks(f"{here} has more than {_MAX_VALUE_RANGE} values to step through", "give it a smaller most")
    elif track.kind != "text" and not track.in_turn(None if track.on == "hex" else track.most or _USUAL_MAX_VALUE):
        yield in_tracks(f"{here} has no values to step through", "give it least and most")
    elif track.kind == "text" and track.on != "unit":
        yield in_tracks(f"{here} is a text, which only a unit can show")


def _find_key_faults(
    track: Track, shown: InModule, here: str, taken: dict[tuple[str, str], str]
) -> Iterator[InputError]:
    """Yield keys that cannot be pressed or that do something else.

    `taken`: the section that uses each key. The keys of the track are added.
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
    return key[:-1] + key[-1:].upper()

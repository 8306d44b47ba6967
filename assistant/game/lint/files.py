"""Mistakes in the files of a game: what cannot be read, unknown names and impossible values, all of them at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ...state.tracks import Subject, Track, Value
from ...state.words import Vocabulary
from ...util.datafiles import inner, line_of, read_text, read_toml
from ...util.errors import InputError, OnFault, Where, plain, suggested
from ..boards.reading import HEAD, TERRAIN, in_boards, in_head, is_board_name, read_head
from ..course import (
    COURSE,
    KINDS,
    TURNS,
    CourseFile,
    Figure,
    Phase,
    Step,
    course_file,
    numbers_of,
    people,
    read_turns,
    turn_numbers,
)
from ..gamefile import ClassicCombat, Picture
from ..games import Game, read_game
from ..rule_index import read_index
from .boards import board_faults, numbering_faults

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


COLOUR = re.compile("#[0-9a-fA-F]{6}")
"""How a colour is written."""

PHASE = "phase"
"""The track of the game whose words stand for phases."""
T = TypeVar("T", bound=Hashable)
_MOST = 100
"""The mistakes that are listed."""
_GAME, _TRACKS = "game.toml", "tracks.toml"
#: Pixels that a hex and a counter may measure.
_SIDES = range(16, 601)
_MANY, _TOO_MANY = 100, 1000
#: What letters with Ctrl already do.
TAKEN_KEYS = {
    "B": "turning a counter face down",
    "C": "the palettes",
    "D": "taking a counter out of play",
    "N": "taking a counter out of sight",
}


class Enough(Exception):
    """There are more mistakes than are listed: reading on would mostly find what follows from them."""


class Faults:
    """The mistakes found so far; one that many rows share is listed once, where it stands first.

    They end after 100, and only then are their remedies worked out: however many mistakes files hold, no more work is
    done. more: whether there are others.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], InputError] = {}
        self.more = False

    def __call__(self, fault: InputError) -> None:
        """Record a mistake. Raises Enough for one too many."""
        key = (fault.where.file if fault.where else "", fault.what)
        if key in self._found:
            return
        if len(self._found) >= _MOST:
            self.more = True
            raise Enough
        self._found[key] = fault

    def extend(self, faults: Iterable[InputError]) -> None:
        """Record several mistakes. Raises Enough as a call does."""
        for fault in faults:
            self(fault)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def lines(self) -> list[str]:
        """The mistakes, a line each: file and place, what is wrong, what to do."""
        return list(map(in_a_line, self._found.values()))


def in_a_line(fault: InputError) -> str:
    """A fault with its place and its remedy in one line."""
    where = f"{fault.where}: " if fault.where else ""
    return plain(f"{where}{fault.what}{f'; {fault.hint}' if fault.hint else ''}")


# --- what several checks of a game's files share ------------------------------------------------------------------


def unknown(spot: str, name: str, known: Iterable[str], what: str = "track", file: str = _GAME) -> InputError:
    """The fault of an unknown name. spot: where in the file it stands; what: is named; file: "" if its place is known
    later.
    """
    return _fault_in(file, f"{spot}: unknown {what} {name!r}", suggested(name, known))


def unknown_names(
    spot: str,
    names: Iterable[str],
    known: Collection[str],
    what: str = "track",
    file: str = _GAME,
    *,
    optional: bool = False,
) -> Iterator[InputError]:
    """The faults of those names that are unknown. optional: whether "" stands for none."""
    for name in names:
        if name not in known and not (optional and not name):
            yield unknown(spot, name, known, what, file)


def _fault_in(file: str, what: str, hint: str | Callable[[], str] = "") -> InputError:
    return InputError(what, where=Where(file) if file else None, hint=hint)


in_game, in_tracks, _in_course = (partial(_fault_in, file) for file in (_GAME, _TRACKS, COURSE))
"""Faults of `game.toml`, `tracks.toml` and `course.toml`, each by what is wrong and the remedy."""


def on_counters(tracks: Mapping[str, Track]) -> dict[str, Track]:
    """The tracks that are printed on counters, by name."""
    return {name: track for name, track in tracks.items() if track.printed == "counter"}


def file_faults(folder: Traversable, where: str, file: str) -> Iterator[InputError]:
    """The fault of a file that is outside the game's folder or missing."""
    try:
        inside = inner(folder, file)
    except InputError:
        yield in_game(f"{where} {file}, which is outside the game's folder")
        return
    if not inside.is_file():
        yield in_game(f"{where} {file}, which does not exist")


# --- course.toml and turns.csv -----------------------------------------------------------------------------------------


def find_course_faults(game: Game, on_fault: OnFault) -> None:
    """Give every mistake of a game's `course.toml` and `turns.csv` to `on_fault`."""
    if not any(inner(game.folder, name).is_file() for name in (COURSE, TURNS)):
        return
    course = course_file(game, on_fault)
    read_turns(game, course, on_fault)
    for fault in course_faults(game, course):
        on_fault(fault)


def course_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    """Unknown names in `course.toml`, turns that do not exist, and what is declared twice."""
    yield from _turn_faults(game, course)
    yield from _who_faults(game, course)
    yield from unknown_names("[turns] order", course.turns.order, game.file.sides, "side", COURSE)
    counting = [name for name, track in _on(game, "unit").items() if track.kind == "integer"]
    arrives = [course.turns.arrives]
    yield from unknown_names("[turns] arrives", arrives, counting, "number of units", COURSE, optional=True)
    words = game.tracks[PHASE].values if PHASE in game.tracks else ()
    for phase in course.phase:
        yield from unknown_names(f"[[phase]] {phase.title}", [phase.word], words, "phase", COURSE, optional=True)
    yield from unknown_names("costs", course.costs, game.charts, "chart", COURSE)
    yield from _army_faults(game, course)
    for record in course.record:
        if record.least > record.most:
            yield _in_course(
                f"[[record]] {record.title} runs from {record.least} to {record.most}", "swap least and most"
            )


def _parts(course: CourseFile) -> Iterator[tuple[str, Figure | Phase | Step]]:
    """What concerns somebody in some turns, and where it stands: figures, phases and their steps."""
    yield from ((f"[turns] figures {figure.name}", figure) for figure in course.turns.figures)
    for phase in course.phase:
        yield f"[[phase]] {phase.title}", phase
        yield from ((f"[[phase]] {phase.title}", step) for step in phase.steps)


def _turn_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    """Turns that the game does not have, and figures with the name of something else."""
    named = [(spot, part.turns) for spot, part in _parts(course)]
    named += [(f"[[army]] {army.name}", army.turns) for army in course.army]
    dated = [(spot, text) for spot, text in named if text]
    uncounted: list[InputError] = []
    numbers = turn_numbers(game, course, uncounted.append)
    if not numbers and (dated or course.turns.figures):
        yield from uncounted
        return
    for spot, text in dated:
        try:
            numbers_of(text, numbers)
        except InputError as fault:
            yield fault.told_as(f"{spot}: {fault.what}", Where(COURSE))
    for name in _twice([*KINDS, *(figure.name for figure in course.turns.figures)]):
        yield _in_course(f"[turns] figures: {name!r} has two meanings", "give it another name")
    if "{}" not in course.turns.tag:
        yield _in_course(f"[turns] tag {course.turns.tag!r} has no place for the number", "write {} there")


def _who_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    """Those concerned who are neither a side nor a nation."""
    known = people(game)
    named = [(spot, part.who) for spot, part in _parts(course)]
    named += [(f"[[record]] {record.title}", who) for record in course.record for who in record.who]
    for spot, who in named:
        yield from unknown_names(f"{spot} who", [who], known, "side or nation", COURSE, optional=True)


def _army_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    """Armies of an unknown nation, twice the same one, and displays without statuses or with an unknown limit."""
    nations = [nation for members in game.file.sides.values() for nation in members]
    for army in course.army:
        yield from unknown_names(f"[[army]] {army.name} nation", [army.nation], nations, "nation", COURSE)
        if army.limit is not None and army.limit < len(army.boxes):
            what = f"[[army]] {army.name} has {len(army.boxes)} boxes but a limit of {army.limit}"
            yield _in_course(what, "raise limit")
    for nation, name in _twice([(army.nation, army.name) for army in course.army]):
        yield _in_course(f"[[army]] {nation} {name} is listed twice", "leave one out")
    of_armies = _on(game, "army")
    for spot, name in (("limit", course.organisation.limit), ("cavalry", course.organisation.cavalry)):
        yield from unknown_names(f"[organisation] {spot}", [name], of_armies, "track of armies", COURSE, optional=True)
    if course.army and not course.organisation.statuses:
        yield _in_course("[organisation] has no statuses for the tracks of armies", "write: statuses = [...]")


def _twice(names: Sequence[T]) -> list[T]:
    """What stands in a list more than once, each named once."""
    return [name for name, count in Counter(names).items() if count > 1]


# --- [module] of game.toml, [TRACK.module] of tracks.toml --------------------------------------------------------------


def module_faults(game: Game) -> Iterator[InputError]:
    """Missing files and impossible values in [module] of `game.toml`."""
    module = game.file.module
    if module is None:
        return
    named = (module.places, module.units, *(file for file, _ in module.setups), *(file for _, file in module.charts))
    for file in filter(None, named):
        yield from file_faults(game.folder, "[module] names", file)
    rosters = [roster.file for roster in game.file.roster]
    yield from unknown_names("[module] units", [module.units], rosters, "file of the roster", optional=True)
    printed = on_counters(game.tracks)
    yield from unknown_names("[module] palettes", module.palettes, printed, "track printed on counters")
    titles = [re.sub(r"\W+", " ", title).strip() for _, title in module.setups]
    for title in sorted(_twice(titles)):
        yield in_game(f"[module] has several set-ups called {title!r}")
    if "" in titles:
        yield in_game("[module] has a set-up whose title has no letters")
    if module.hex not in _SIDES or module.counter not in _SIDES:
        yield in_game(f"[module] hex and counter must measure {_SIDES[0]} to {_SIDES[-1]} pixels")
    yield from _renaming_faults(game)
    yield from _window_faults(game)


def _renaming_faults(game: Game) -> Iterator[InputError]:
    """Renamed units that are not in the roster, or whose older name is another unit's or that of several."""
    renamed = game.file.module.renamed if game.file.module else {}
    for now, before in renamed.items():
        if now not in game.roster:
            hint = (
                f'write the new name first: "{before}" = "{now}"'
                if before in game.roster
                else suggested(now, game.roster)
            )
            yield in_game(f"[module] renamed: {now!r} is not a unit of the roster", hint)
        elif before in game.roster and before not in renamed:
            hint = "an older name must no longer be in use: saves would confuse the two units"
            yield in_game(f"[module] renamed: {now!r} was {before!r}, which is still a unit of the roster", hint)
    for before in _twice([*renamed.values()]):
        yield in_game(f"[module] renamed: several units were {before!r}", "keep only one of them")


def _window_faults(game: Game) -> Iterator[InputError]:
    """Mistakes in the part of the map that the module shows."""
    module = game.file.module
    if module is None:
        return
    try:
        board = game.board(module.board)
    except InputError as error:
        yield error if error.where else error.told_as(f"[module] board: {error.what}", Where(_GAME))
        return
    grid = board.grid
    columns, rows = module.columns or grid.columns, module.rows or grid.rows
    if board.hexes and not any(
        _within(at.column, columns) and _within(at.row, rows) for at in map(grid.parse, board.hexes)
    ):
        yield in_game(f"[module] shows no hex of {board.title}")
    for what, shown, whole in (("columns", columns, grid.columns), ("rows", rows, grid.rows)):
        if not whole[0] <= shown[0] <= shown[1] <= whole[1]:
            what = f"[module] shows the {what} {shown[0]} to {shown[1]} of a map that has {whole[0]} to {whole[1]}"
            yield in_game(what)


def _within(number: int, ends: tuple[int, int]) -> bool:
    return ends[0] <= number <= ends[1]


def _flip_faults(game: Game) -> Iterator[InputError]:
    """Several tracks that the other side of the same counters would show."""
    flipping: dict[str, str] = {}
    for track in game.tracks.values():
        if track.module is not None and track.module.flips:
            other = flipping.setdefault(track.module.needs, track.name)
            if other != track.name:
                what = f"[{other}.module] and [{track.name}.module] both flip the same counters"
                yield in_tracks(what, "set `needs` in each to a track that only its counters print")


def status_faults(game: Game) -> Iterator[InputError]:
    """Mistakes of tracks under [TRACK.module]."""
    yield from _flip_faults(game)
    taken: dict[tuple[str, str], str] = {}
    lines: dict[str, str] = {}
    for track in game.tracks.values():
        if (shown := track.module) is None:
            continue
        here = f"[{track.name}.module]"
        if not 1 <= len(shown.menu) <= 2 or len(shown.keys) > len(shown.menu) or not all(shown.menu):
            yield in_tracks(f"{here} needs one or two menu lines, and no more keys than lines")
        yield from unknown_names(f"{here} needs", [shown.needs], game.tracks, file=_TRACKS, optional=True)
        if not COLOUR.fullmatch(shown.colour):
            yield in_tracks(f"{here} colour {shown.colour!r} is not a colour", "write it as #rrggbb")
        if track.values:
            yield from unknown_names(f"{here} words", shown.words, track.values, "value", _TRACKS)
        if track.on not in ("unit", "hex", "game"):
            yield in_tracks(f"{here} cannot be shown: a module shows only facts about units, hexes and the game")
        elif track.kind == "integer" and (track.most or 0) - (track.least or 0) > _TOO_MANY:
            yield in_tracks(f"{here} has more than {_TOO_MANY} values to step through", "give it a smaller most")
        elif track.kind != "text" and not track.in_turn(None if track.on == "hex" else track.most or _MANY):
            yield in_tracks(f"{here} has no values to step through", "give it least and most")
        elif track.kind == "text" and track.on != "unit":
            yield in_tracks(f"{here} is a text, which only a unit can show")
        if len(set(shown.menu)) < len(shown.menu):
            yield in_tracks(f"{here} has the line {shown.menu[0]!r} twice")
        elif track.on == "unit":
            for line in shown.menu:
                if (known := lines.setdefault(line, f"[{track.name}.module]")) != f"[{track.name}.module]":
                    yield in_tracks(f"{here} has the line {line!r}, already used for {known}")
        letters = [key.upper() for key in shown.keys if key]
        if len(set(letters)) < len(letters):
            yield in_tracks(f"{here} has the key {letters[0]} twice")
        for key in shown.keys:
            if key and not re.fullmatch("[A-Za-z]", key):
                yield in_tracks(f"{here} has the key {key}, which is not a single letter")
            known = TAKEN_KEYS.get(key.upper(), "") or taken.setdefault(
                (track.on, key.upper()), f"[{track.name}.module]"
            )
            if key and known != f"[{track.name}.module]":
                yield in_tracks(f"{here} has the key {key}, already used for {known}")


def read_with_faults(id: str, folder: Traversable, made_by: str = "", home: str = "", *, on_fault: Faults) -> Game:
    """A game as far as its files can be read; every mistake in them goes to `on_fault`. The other arguments are those of
    `read_game`.

    Raises InputError if there is no game.toml, Enough if there are too many mistakes.
    """
    game = read_game(id, folder, made_by, home, on_fault=on_fault)
    for read in (
        lambda: game.roster,
        lambda: game.charts,
        lambda: game.rulings,
        lambda: read_index(game.folder, on_fault),
    ):
        _try(read, on_fault)
    for name in game.board_names:
        on_fault.extend(numbering_faults(game, name))  # before what follows from them
        _try(partial(game.board, name), on_fault)
    _try(lambda: find_course_faults(game, on_fault), on_fault)
    on_fault.extend(faults(game))
    return game


def title_in(folder: Traversable) -> str:
    """The title that a game's file states, "" if it cannot be read."""
    with suppress(InputError):
        title = read_toml(inner(folder, "game.toml"), dict[str, Any]).get("title", "")
        return title if isinstance(title, str) else ""
    return ""


def lost_files(folder: Traversable) -> Iterator[InputError]:
    """The first fault of each TOML file of a game that cannot be parsed at all."""
    drawn = [board for board in in_boards(folder) if board.is_dir() and is_board_name(board.name)]
    files = [inner(folder, name) for name in ("game.toml", "tracks.toml", "charts.toml", COURSE)]
    named = [(file, file.name) for file in files] + [(inner(board, HEAD), in_head(board).file) for board in drawn]
    for file, name in named:
        if file.is_file():
            try:
                read_toml(file, dict[str, Any], name=name)
            except InputError as fault:
                yield fault


def _try(read: Callable[[], object], on_fault: Faults) -> None:
    try:
        read()
    except InputError as error:
        on_fault(error)


def faults(game: Game) -> Iterator[InputError]:
    """Every unknown name in the game's files. Reading the boards raises InputError for what is wrong in them."""
    yield from track_faults(game)
    yield from section_faults(game)
    yield from table_faults(game)
    yield from module_faults(game)
    yield from status_faults(game)
    yield from map_faults(game)
    for name in game.board_names:
        yield from board_faults(game, game.board(name))
    for unit, facts in game.roster.items():
        if not facts:
            yield InputError(f"{unit} has no facts", where=Where("roster"))


def _value_fault(spot: str, file: str, read: Callable[[Any], object], value: Value) -> Iterator[InputError]:
    """The fault of a value that a track does not allow."""
    try:
        read(value)
    except InputError as error:
        yield error.told_as(f"{spot}: {error.what}", Where(file))


def _on(game: Game, subject: str) -> dict[str, Track]:
    """The tracks of one kind of subject, by name."""
    return {name: track for name, track in game.tracks.items() if track.on == subject}


def track_faults(game: Game) -> Iterator[InputError]:
    """Contradictions in `tracks.toml` and `charts.toml`."""
    facts, printed = _on(game, "game"), on_counters(game.tracks)
    for (subject, word), names in Vocabulary(game.tracks).shared.items():
        hint = f"give all but one of them another word, such as no-{names[-1]}, or a token"
        yield in_tracks(f"{word!r} is a word of [{'] and ['.join(names)}], which are all about a {subject}", hint)
    for name, track in game.tracks.items():
        here = f"[{name}]"
        yield from unknown_names(f"{here} below", [track.below], game.tracks, file=_TRACKS, optional=True)
        if track.back and track.back not in printed:
            yield unknown(f"{here} back", track.back, printed, "track printed on counters", _TRACKS)
        elif track.back and game.tracks[track.back].kind != track.kind:
            what = f"{here} back: {track.back!r} is not of the same kind as {track.name!r}"
            yield in_tracks(what, f"name the {track.kind} printed on the back")
        elif track.back and track.name not in printed:
            yield in_tracks(f"{here} has another value on the back, but is not printed", 'write: printed = "counter"')
        kinds = game.tracks[game.file.picture.symbol].values if game.file.picture.symbol in game.tracks else ()
        yield from unknown_names(f"{here} kinds", track.kinds, kinds, "kind of unit", _TRACKS)
        if track.names and track.kind != "text":
            yield in_tracks(f"{here} names a {track.names}, but is not a text", 'write: kind = "text"')
        yield from unknown_names(f"{here} ends_with", track.ends_with, facts, "fact of the game", _TRACKS)
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
            yield from _value_fault(f"{here} absent", _TRACKS, track.check, track.absent)
    for name, chart in game.charts.items():
        if not chart.file and not chart.keys:
            what, hint = f"[{name}] has neither cells nor a file", "write: file = ... or keys = [...]"
            yield InputError(what, where=Where("charts.toml"), hint=hint)


def _band_faults(game: Game, combat: ClassicCombat) -> Iterator[InputError]:
    """Mistakes in the bounds of [combat]: bands of percentages have one for each column, from left to right."""
    if combat.rounding != "bands":
        if combat.bounds:
            yield in_game(f'[combat] bounds belong to rounding = "bands", not to "{combat.rounding}"')
        return
    if list(combat.bounds) != sorted(set(combat.bounds)):
        yield in_game("[combat] bounds must rise from column to column")
    chart = game.charts.get(combat.chart)
    if chart and combat.bounds and len(chart.keys[0].values) != len(combat.bounds):
        columns = len(chart.keys[0].values)
        yield in_game(f"[combat] has {len(combat.bounds)} bounds for the {columns} columns of {combat.chart}")


def section_faults(game: Game) -> Iterator[InputError]:
    """What [notation], [sides], [figures], [combat], [picture], [intelligence] and [demo] of `game.toml` name wrongly."""
    file = game.file
    counters = on_counters(game.tracks)
    for spot, names in (("brackets", file.notation.brackets), ("identity", file.notation.identity)):
        yield from unknown_names(f"[notation] {spot}", names, counters, "track printed on counters")
    yield from _chain_faults(game)
    yield from _side_faults(game)
    for figure, meaning in file.figures.items():
        if not meaning.strip():
            yield in_game(f"[figures] {figure} has no meaning", "write a few words")
    if file.combat:
        numbers = {name for name, track in counters.items() if track.kind == "integer"}
        for spot, name in (("attack", file.combat.attack), ("defence", file.combat.defence)):
            yield from unknown_names(f"[combat] {spot}", [name], numbers, "number printed on counters", optional=True)
        yield from unknown_names("[combat] chart", [file.combat.chart], game.charts, "chart", optional=True)
        yield from _band_faults(game, file.combat)
    yield from _picture_faults(game)
    if limits := file.intelligence:
        of_hexes = _on(game, "hex")
        for spot, name in (("announced", limits.announced), ("covers", limits.covers)):
            yield from unknown_names(f"[intelligence] {spot}", [name], of_hexes, "track of hexes", optional=True)
        for end, words in (("weakest", limits.weakest), ("strongest", limits.strongest)):
            for name, value in words.items():
                here = f"[intelligence.{end}]"
                if name not in game.tracks:
                    yield unknown(here, name, game.tracks)
                else:
                    yield from _value_fault(f"{here} {name}", _GAME, game.tracks[name].parse, value)
    for spot, shows in (("shows", file.demo.shows), ("brief", file.demo.brief)) if file.demo else ():
        for shown, _ in shows:
            yield from file_faults(game.folder, f"[demo] {spot}", shown)


def _chain_faults(game: Game) -> Iterator[InputError]:
    """Signs and letters of chains of hexes that state nothing, or cannot be told from hexes and words."""
    notation, words = game.file.notation, Vocabulary(game.tracks)
    kinds: tuple[tuple[str, Subject, Mapping[str, str]], ...] = (
        ("signs", "hexside", notation.signs),
        ("letters", "hex", notation.letters),
    )
    for spot, on, words_of in kinds:
        for sign, said in words_of.items():
            if not words.is_taken(on, said):
                yield unknown(f"[notation.{spot}] {sign}", said, words.whole(on), f"word about a {on}")
    for sign in notation.signs:
        if not sign or re.search(r"""[\w\s,|"#<>()?]""", sign):
            yield in_game(f"[notation.signs] {sign!r} is not a symbol", "use one such as = - : / ~ ^ +")
    for letter in notation.letters:
        if len(letter) != 1 or re.search(r"""[0-9\s,|"#<>()?]""", letter):
            yield in_game(f"[notation.letters] {letter!r} is not a letter", "use one letter, or a symbol such as !")


def _side_faults(game: Game) -> Iterator[InputError]:
    """Nations on no side, and members of sides that are not nations."""
    track = game.tracks.get(game.file.picture.nation)
    nations = dict.fromkeys(track.values if track else ())
    for side, members in game.file.sides.items():
        if not members:
            yield in_game(f"[sides] {side!r} has no nation", "name one, or leave the side out")
        if nations:
            yield from unknown_names(f"[sides] {side}", members, nations, "nation")
    placed = {nation for members in game.file.sides.values() for nation in members}
    hint = f"add it to one of {', '.join(game.file.sides)}"
    for nation in nations if game.file.sides else ():
        if nation not in placed:
            yield in_game(f"[sides] {nation!r} is on no side", hint)


def _picture_faults(game: Game) -> Iterator[InputError]:
    """Tracks and colours of [picture]; the tracks it has by default need not exist."""
    picture, usual = game.file.picture, Picture()
    spots = {"symbol": "unit", "nation": "unit", "size": "unit", "less": "unit", "terrain": "hex", "town": "hex"}
    spots |= dict.fromkeys(("barrier", "rail", "road", "gauge", "border", "crossing", "causeway"), "hexside")
    for spot, on in spots.items():
        name, known = getattr(picture, spot), _on(game, on)
        if name and name != getattr(usual, spot) and name not in known:
            yield unknown(f"[picture] {spot}", name, known, f"track of a {on}")
        elif on == "hexside" and name in known and game.tracks[name].kind in ("integer", "text"):
            yield in_game(f"[picture] {spot}: {name} cannot be drawn", "it must be a flag, a choice or choices")
    units = _on(game, "unit")
    if picture.figures != usual.figures:
        yield from unknown_names("[picture] figures", picture.figures, units, "track of a unit")
    yield from unknown_names("[picture.markers]", picture.markers, _on(game, "hex"), "track of a hex")
    named = (picture.nation, picture.terrain, picture.barrier, picture.rail, picture.gauge, picture.road)
    coloured = [track for name in named if (track := game.tracks.get(name))]
    words = {word for track in coloured for word in track.values or ([track.name] if track.kind == "flag" else ())}
    wrong = {word for word, colour in picture.colours.items() if not COLOUR.fullmatch(colour)}
    strange = picture.colours.keys() - words if words else set()
    text = read_text(inner(game.folder, "game.toml")) if wrong or strange else ""
    for word, colour in picture.colours.items():
        if word in wrong or word in strange:
            where = Where("game.toml", line_of(text, ("picture", "colours", word)))
            if word in wrong:
                hint = "write it as #rrggbb"
                yield InputError(f"[picture.colours] {word}: {colour!r} is not a colour", where=where, hint=hint)
            if word in strange:
                yield unknown("[picture.colours]", word, words, "nation, terrain or word of a hexside", "").at(where)


def table_faults(game: Game) -> Iterator[InputError]:
    """Mistakes about tracks in [table] of `game.toml`; `checking` looks at its parameters, as it knows the questions."""
    table = game.file.table
    if table is None:
        return
    yield from unknown_names("[table] when", [table.when], _on(game, "game"), "fact of the game", optional=True)
    for name, usual in table.usual.items():
        for value in [usual] if isinstance(usual, str) else usual:
            track: Track | None = game.tracks.get(name)
            if track:
                yield from _value_fault(f"[table.usual] {name}", _GAME, track.parse, value)


def map_faults(game: Game) -> Iterator[InputError]:
    """Boards that no position can name, and those that give letters for terrain, but have no map of letters, or an
    empty one.
    """
    for board in in_boards(game.folder):
        if board.is_dir() and not is_board_name(board.name):
            what, hint = (
                f"boards/{board.name}: a position cannot name this board",
                "rename the folder: letters, digits, hyphens and dots only",
            )
            yield InputError(what, hint=hint)
    for name in game.board_names:
        folder = inner(game.folder, f"boards/{name}")
        head, file = read_head(folder, lambda _: None), inner(folder, TERRAIN)
        if head and head.terrain and not (file.is_file() and file.read_bytes().strip()):
            where, hint = Where(f"{name}/{TERRAIN}"), f"draw it, or leave out [terrain] of {HEAD}"
            yield InputError(f"the file is {'empty' if file.is_file() else 'missing'}", where=where, hint=hint)

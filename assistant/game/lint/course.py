"""Mistakes in `course.toml`, `turns.csv` and `setups/changes.csv`: wrong turns, unknown names, repetitions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ...state.tracks import Track
from ...util.console import format_count
from ...util.datafiles import files_in, read_rows, read_text, resolve_within
from ...util.errors import InputError, OnFault, Where
from ..course import COURSE, TABLES, CourseFile, CourseStep, Figure, Phase, Skip, TurnRecord, course_file, listing_rows
from ..events import read_events
from ..games import Game
from ..rule_index import SET_UP_CHANGES
from ..schedule_files import read_schedules
from ..turn_record import KINDS, TURNS, list_people, numbers_of, read_turns, turn_numbers
from .faults import TRACKS, in_course, in_tracks, repeated, tracks_on, unknown_names, value_fault, with_line

PHASE = "phase"
"""The track of the game whose values are phases."""
_ENDINGS = 'write: ends_with = ["turn"], ended_by = ["STEP"] for a step of course.toml, or lasts = true'
"""The hint for a marker without a declared end."""
UNIT_WORDS = ("place", "leave")
"""Words in place of a track in a row of changes: for the place of a unit, or for a unit that is left out."""


def find_course_faults(game: Game, on_fault: OnFault) -> None:
    """Give every mistake in a game's `course.toml`, `turns.csv`, events and schedules to `on_fault`."""
    course = course_file(game, on_fault)
    file = resolve_within(game.folder, COURSE)
    text = read_text(file) if file.is_file() else ""

    def report(fault: InputError) -> None:
        on_fault(with_line(fault, text))

    if text or resolve_within(game.folder, TURNS).is_file():
        read_turns(game, course, report)
        for fault in _find_file_faults(game, course):
            report(fault)
    for fault in _find_ending_faults(game, course):
        on_fault(fault)
    read_events(game, on_fault)
    known = _list_agreed_words(game, course)
    for row, where in read_schedules(game, report, course).located:
        for fault in _find_unknown_options(row.option, row.unless, known):
            on_fault(fault.at(where))


def _find_file_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    yield from _find_turn_faults(game, course)
    yield from _find_who_faults(game, course)
    yield from unknown_names("[turns] order", course.turns.order, game.file.sides, "side", COURSE)
    counting = [name for name, track in tracks_on(game, "unit").items() if track.kind == "integer"]
    arrives = [course.turns.arrives]
    yield from unknown_names("[turns] arrives", arrives, counting, "number of units", COURSE, optional=True)
    words = game.tracks[PHASE].values if PHASE in game.tracks else ()
    for phase in course.phase:
        yield from unknown_names(f"[[phase]] {phase.title}", [phase.word], words, "phase", COURSE, optional=True)
    yield from _find_option_faults(game, course)
    yield from _find_scenario_faults(game, course)
    yield from unknown_names("costs", course.costs, game.charts, "chart", COURSE)
    yield from _find_table_faults(game, course)
    yield from _find_army_faults(game, course)
    counted = {
        name: track
        for on in ("side", "nation")
        for name, track in tracks_on(game, on).items()
        if track.kind == "integer"
    }
    for record in course.record:
        what = f"[[record]] {record.title}"
        yield from unknown_names(what, [record.track], counted, "number of sides or nations", COURSE, optional=True)
        if record.least > record.most:
            yield in_course(
                f"[[record]] {record.title} runs from {record.least} to {record.most}", "swap least and most"
            )
    counters = {name: track for name, track in tracks_on(game, "unit").items() if track.is_number}
    for tally in course.tally:
        what = f"[[tally]] {tally.title}"
        yield from unknown_names(what, [tally.track], counters, "number of units", COURSE)
        yield from unknown_names(what, [tally.printed], counters, "printed number of units", COURSE, optional=True)


def _find_ending_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    """Yield markers that declare no end or several, and unknown steps that should remove them.

    Only checks look for these faults: games written before such declarations can still be built.
    """
    steps = {phase.name for phase in course.phase} | {step.name for phase in course.phase for step in phase.steps}
    for name, track in game.tracks.items():
        declared = sum(map(bool, (track.ends_with, track.ended_by, track.lasts)))
        if track.is_marker and not declared:
            yield in_tracks(f"[{name}] does not say when it ends", _ENDINGS)
        elif declared > 1:
            yield in_tracks(f"[{name}] says twice when it ends", "keep one of ends_with, ended_by and lasts")
        yield from unknown_names(f"[{name}] ended_by", track.ended_by, steps - {""}, "step of course.toml", TRACKS)


def _find_scenario_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    stated = course.scenario
    for field, names, on, what in (
        ("game", stated.game, "game", "track of the game"),
        ("last", (stated.last,), "game", "track of the game"),
        ("armies", stated.armies, "army", "track of armies"),
        ("sets", stated.sets, "unit", "track of units"),
    ):
        yield from unknown_names(f"[scenario] {field}", names, tracks_on(game, on), what, COURSE, optional=True)


def _find_table_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    folder = resolve_within(game.folder, TABLES)
    names = [file.name.removesuffix(".csv") for file in files_in(folder)] if folder.is_dir() else []
    for table in course.table:
        spot = f"[[table]] {table.title}"
        yield from unknown_names(f"{spot} file", [table.file], names, f"file of {TABLES}/", COURSE)
        if table.file in names:
            faults = list[InputError]()
            listing_rows(game, table, faults.append)
            yield from faults


def find_set_up_faults(game: Game, on_fault: OnFault) -> None:
    """Give every mistake of a game's `setups/changes.csv` to `on_fault`."""
    if not game.has_file(SET_UP_CHANGES):
        return
    known = _list_option_words(game, course_file(game))
    columns = ["scenario", "option", "unless", "track", "value"]
    for row, where in read_rows(resolve_within(game.folder, SET_UP_CHANGES), columns, SET_UP_CHANGES, on_fault):
        for fault in _find_row_faults(game, row, known):
            on_fault(fault.at(where))


def _find_row_faults(game: Game, row: Mapping[str, str], known: Collection[str]) -> Iterator[InputError]:
    yield from unknown_names("scenario", [row["scenario"]], game.setups, "set-up", "", optional=True)
    yield from _find_unknown_options(row["option"], row["unless"], known)
    yield from unknown_names("track", [row["track"]], [*game.tracks, *UNIT_WORDS], file="", optional=True)
    if row["track"] in game.tracks:
        try:
            game.tracks[row["track"]].parse(row["value"])
        except InputError as error:
            yield error


def _find_unknown_options(option: str, unless: str, known: Collection[str]) -> Iterator[InputError]:
    for column, words in (("option", option), ("unless", unless)):
        yield from unknown_names(column, words.split(), known, "optional rule", "")


def _list_choices(game: Game) -> dict[str, Track]:
    return {name: track for name, track in tracks_on(game, "game").items() if track.kind in ("choice", "choices")}


def _list_agreed_words(game: Game, course: CourseFile) -> set[str]:
    about = _list_choices(game)
    return {word for name in course.turns.options if name in about for word in about[name].values}


def _list_option_words(game: Game, course: CourseFile) -> set[str]:
    """Return the words for optional rules, and readings of rulings as `RULING=READING`."""
    return _list_agreed_words(game, course) | {
        f"{name}={reading}" for name, ruling in game.rulings.items() for reading in ruling.readings
    }


def _find_option_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    named = () if course.turns.options == TurnRecord().options else course.turns.options
    yield from unknown_names("[turns] options", named, _list_choices(game), "choice about the game", COURSE)
    known = _list_option_words(game, course)
    for spot, part in _list_parts(course):
        if isinstance(part, CourseStep | Skip):
            yield from unknown_names(f"{spot} option", part.option.split(), known, "optional rule", COURSE)
            yield from unknown_names(f"{spot} unless", part.unless.split(), known, "optional rule", COURSE)
    of_units = tracks_on(game, "unit")
    words = _list_agreed_words(game, course)
    for number, units in enumerate(course.optional, start=1):
        spot = f"[[optional]] {number}"
        yield from unknown_names(f"{spot} option", [units.option], words, "optional rule", COURSE, optional=True)
        yield from unknown_names(f"{spot} units", units.units, of_units, "track of units", COURSE)
        for name in of_units.keys() & units.units.keys():
            yield from value_fault(f"{spot} units {name}", COURSE, of_units[name].parse, units.units[name])


def _list_parts(course: CourseFile) -> Iterator[tuple[str, Figure | Phase | CourseStep | Skip]]:
    """Yield figures, phases, conditions for skipping, and steps, each with its place in the file."""
    yield from ((f"[turns] figures {figure.name}", figure) for figure in course.turns.figures)
    for phase in course.phase:
        yield f"[[phase]] {phase.title}", phase
        yield from ((f"[[phase]] {phase.title} skipped", skip) for skip in phase.skipped)
        yield from ((f"[[phase]] {phase.title}", step) for step in phase.steps)


def _find_turn_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    named = [(spot, part.turns) for spot, part in _list_parts(course)]
    named += [(f"[[army]] {army.name}", army.turns) for army in course.army]
    dated = [(spot, text) for spot, text in named if text]
    uncounted: list[InputError] = []
    numbers = turn_numbers(game, course, uncounted.append)
    if course.calendar is not None:
        game_tracks = tracks_on(game, "game")
        yield from unknown_names("[turns] track", [course.turns.track], game_tracks, "fact of the game", COURSE)
    if not numbers and (dated or course.turns.figures or course.calendar):
        yield from uncounted
        return
    for spot, text in dated:
        try:
            numbers_of(text, numbers)
        except InputError as fault:
            yield fault.told_as(f"{spot}: {fault.what}", Where(COURSE))
    for name in repeated([*KINDS, *(figure.name for figure in course.turns.figures)]):
        yield in_course(f"[turns] figures: {name!r} has two meanings", "give it another name")
    if "{}" not in course.turns.tag:
        yield in_course(f"[turns] tag {course.turns.tag!r} has no place for the number", "write {} there")


def _find_who_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    known = list_people(game)
    named = [(spot, part.who) for spot, part in _list_parts(course)]
    named += [(f"[[record]] {record.title}", who) for record in course.record for who in record.who]
    for spot, who in named:
        yield from unknown_names(f"{spot} who", [who], known, "side or nation", COURSE, optional=True)


def _find_army_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    nations = [nation for members in game.file.sides.values() for nation in members]
    for army in course.army:
        yield from unknown_names(f"[[army]] {army.name} nation", [army.nation], nations, "nation", COURSE)
        if army.limit is not None and army.limit < len(army.boxes):
            what = (
                f"[[army]] {army.name} has {format_count(len(army.boxes), 'box', 'boxes')} but a limit of {army.limit}"
            )
            yield in_course(what, "raise limit")
    for nation, name in repeated([(army.nation, army.name) for army in course.army]):
        yield in_course(f"[[army]] {nation} {name} is listed twice", "leave one out")
    of_armies = tracks_on(game, "army")
    for spot, name in (("limit", course.organisation.limit), ("cavalry", course.organisation.cavalry)):
        yield from unknown_names(f"[organisation] {spot}", [name], of_armies, "track of armies", COURSE, optional=True)
    if course.army and not course.organisation.statuses:
        yield in_course("[organisation] has no statuses for the tracks of armies", "write: statuses = [...]")

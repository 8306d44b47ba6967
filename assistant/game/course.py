"""The course of play: turns with date, season, weather and events, the sequence of play, armies and record tracks."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal, Protocol

import msgspec

from ..state.state import FactKey
from ..state.tracks import CERTAIN, Fact, Source, read_source
from ..util.datafiles import read_rows, read_toml, resolve_within
from ..util.errors import InputError, OnFault, UnknownWord, Where, format_suggestion, located, stop
from ..util.limits import Limit
from ..util.memo import Memo
from ..util.notes import note as meaning
from ..util.texts import natural
from .calendar import Calendar, CalendarFile, MonthCalendar
from .games import Game
from .sides import find_army

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


COURSE = "course.toml"
"""The file of the course of play."""
TABLES = "tables"
"""The folder of the tables of a game's own."""
GAME = "game"
"""Who something of the game itself concerns."""
Boxes = Annotated[int, msgspec.Meta(ge=-999, le=999)]
Part = Literal["turn", "player-turn", "inter-phase", "combat"]


class Figure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure that the printed turn record shows for each turn, such as Rail Points."""

    name: Annotated[str, meaning("the kind of its rows in `turns.csv`")]
    title: str
    who: Annotated[str, meaning('the side or nation that it concerns, "" for all')] = ""
    rule: str = ""
    turns: Annotated[str, meaning('the turns that have one, such as `3 6 9` or `37-47`, "" for all')] = ""
    after: Annotated[
        bool, meaning("whether it counts once its turn is over, so that the last turn of a scenario needs none")
    ] = False


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How turns are counted and called."""

    track: Annotated[str, meaning("the track of the game whose `least` and `most` are the first and the last turn")] = (
        "turn"
    )
    arrives: Annotated[str, meaning("the track of units with the turn in which one comes into play")] = ""
    options: Annotated[
        tuple[str, ...], meaning("the tracks of the game whose words are optional rules, scenarios and the like")
    ] = ("options",)
    tag: Annotated[str, meaning("what a turn is called in short, `{}` standing for its number")] = "{}"
    order: Annotated[tuple[str, ...], meaning("the sides in the order of their player turns")] = ()
    figures: Annotated[tuple[Figure, ...], meaning("what else the printed record shows")] = ()
    rule: Annotated[str, meaning("the rules of the order of play, which those of phases and steps add to")] = ""


class CourseStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to do in a phase, in the game's own terms."""

    do: Annotated[str, meaning("what is done")]
    name: Annotated[str, meaning("what it is called where the game judges it, and where a player leaves it undone")] = (
        ""
    )
    ask: Annotated[str, meaning("the question that answers it, with parameters such as `stack ended=yes`")] = ""
    rule: str = ""
    who: Annotated[str, meaning('the side or nation that does it, "" for all')] = ""
    turns: Annotated[str, meaning('the turns in which it comes up, "" for all')] = ""
    option: Annotated[str, meaning('the optional rule that it belongs to, "" for none')] = ""
    unless: Annotated[str, meaning("the optional rule without which it is done")] = ""
    arrives: Annotated[bool, meaning("whether it brings the units that arrive this turn")] = False


class Skip(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a phase is left out: the turns, the side or nation, the optional rule with which, and the one without which."""

    turns: str = ""
    who: str = ""
    option: str = ""
    unless: str = ""
    rule: str = ""


class Phase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A phase of the sequence of play."""

    title: str
    name: Annotated[str, meaning("as that of a step, where one question carries out all of the phase")] = ""
    ask: Annotated[str, meaning("that question")] = ""
    part: Annotated[
        Part,
        meaning("whether it belongs to the game turn, a player turn, the inter-phase between turns, or each combat"),
    ] = "player-turn"
    rule: str = ""
    word: Annotated[str, meaning("the word of the track `phase` for it")] = ""
    active: Annotated[Literal["phasing", "other", "both"], meaning("whose phase of a player turn it is")] = "phasing"
    who: str = ""
    turns: str = ""
    skipped: Annotated[tuple[Skip, ...], meaning("when it is left out")] = ()
    steps: tuple[CourseStep, ...] = ()


class CorpsBox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A corps track of an army's display that only one corps or kind of corps may use."""

    only: str
    rule: str = ""


class Army(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army with a display of its own."""

    name: Annotated[str, meaning("without its nation, as counters name it")]
    nation: str
    title: Annotated[str, meaning("of its display, where it is not that of all")] = ""
    limit: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=30)] | None,
        meaning("how many corps it takes, left out where only the owner of the game knows"),
    ] = None
    boxes: Annotated[tuple[CorpsBox, ...], meaning("tracks that take only a certain corps")] = ()
    turns: Annotated[str, meaning('when it may be in play, "" for always')] = ""
    note: str = ""
    rule: str = ""


class Organisation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the displays of armies look."""

    title: Annotated[str, meaning("of a display, `{}` standing for the army")] = "{}"
    statuses: Annotated[tuple[str, ...], meaning("the boxes of each track, from best to worst")] = ()
    status: str = ""
    independent: Annotated[str, meaning("what that kind of tracks is called, `corps` likewise")] = ""
    corps: str = ""
    limit: Annotated[str, meaning("the track of armies with the number of their corps")] = ""
    cavalry: Annotated[str, meaning("the track of armies that adds a track for cavalry corps only")] = ""
    rule: str = ""


class RecordTrack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A track of numbered boxes, from `least` to `most`.

    title: its name; who: the sides or nations that have one each, none where all share it; tens: whether a second marker
    counts tens; track: the facts of sides or nations with the values that set-ups begin with; note: how it is used;
    rule: its rule.
    """

    title: str
    least: Boxes = 0
    most: Boxes = 9
    who: tuple[str, ...] = ()
    tens: bool = False
    track: str = ""
    note: str = ""
    rule: str = ""


class ListingColumn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column of a printed table. name: its heading in the file; title: the head that is printed; values: what is
    printed for some of its values; empty: for none; dates: whether months and turns stand in it.
    """

    name: str
    title: str
    values: dict[str, str] = {}
    empty: str = "\u2013"
    dates: bool = False


class PrintedTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the folder `tables/` that is printed as a player aid.

    title: over it; file: its name without ending; columns: from left to right; remark: what stands below it; rule: its
    rule.
    """

    title: str
    file: str
    columns: tuple[ListingColumn, ...]
    remark: str = ""
    rule: str = ""


def listing_rows(game: Game, listing: PrintedTable, on_fault: OnFault = stop) -> list[Mapping[str, str]]:
    """Return the rows of a printed table. Each fault goes to `on_fault`: a file or a column that is not there."""
    file = f"{TABLES}/{listing.file}.csv"
    names = [column.name for column in listing.columns]
    return [row for row, _ in read_rows(resolve_within(game.folder, file), names, file, on_fault)]


class ScenarioFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a set-up of the owner's has to state."""

    game: Annotated[tuple[str, ...], meaning("tracks of the game")] = ()
    last: Annotated[str, meaning('the track of the game with its last turn, "" for none')] = ""
    entry: Annotated[
        str, meaning('the track of units with the hexes where they enter, "" where rows need not say that')
    ] = ""
    anywhere: Annotated[
        dict[str, tuple[str, ...]], meaning("tracks of units with the values of those that need no such hex")
    ] = {}
    armies: Annotated[
        dict[str, tuple[str, ...]],
        meaning("tracks of armies, each with those that must state it if they have units, none for all"),
    ] = {}
    sets: Annotated[
        dict[str, dict[str, str]], meaning("tracks of units with the set of every scenario that has one alone")
    ] = {}


SCENARIO = "scenario"
"""The track of the game that names the scenario which is played."""


class OptionalUnits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units that take part only with an optional rule.

    units: what makes them such, by track; option: the word of the optional rule, "" for whichever is in force; rule: its
    rule.
    """

    units: dict[str, str]
    option: str = ""
    rule: str = ""


class CourseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `course.toml` may say."""

    turns: TurnRecord = TurnRecord()
    calendar: Annotated[CalendarFile | None, meaning("the dates of the turns, None where they are numbered")] = None
    schedules: Annotated[
        dict[Literal["item", "action", "map", "branch", "size"], tuple[str, ...]],
        meaning("the words that columns of schedules take"),
    ] = {}
    scheduled: Annotated[
        dict[str, str], meaning("the rule of a row of the owner's that names none, by its action")
    ] = {}
    scenario: Annotated[ScenarioFacts, meaning("what every scenario of the owner's states")] = ScenarioFacts()
    phase: tuple[Phase, ...] = ()
    optional: Annotated[tuple[OptionalUnits, ...], meaning("the units of optional rules")] = ()
    organisation: Organisation = Organisation()
    army: tuple[Army, ...] = ()
    record: tuple[RecordTrack, ...] = ()
    costs: Annotated[tuple[str, ...], meaning("the charts whose cells belong to the terrain key")] = ()
    table: Annotated[tuple[PrintedTable, ...], meaning("the tables that are printed beside the charts")] = ()


def arrival_track(game: Game, course: CourseFile | None = None) -> str:
    """Return the track of units with the turn in which each comes into play, "" if the game has none. course: the
    game's, if it has been read.

    Raises InputError as `course_file`.
    """
    name = (course or course_file(game)).turns.arrives
    return name if name in game.tracks and game.tracks[name].on == "unit" else ""


_COURSES: Memo[None, CourseFile] = Memo()
"""What the game's `course.toml` says."""


def course_file(game: Game, on_fault: OnFault = stop) -> CourseFile:
    """Return what a game's `course.toml` says, nothing if it has none. Raises InputError for a fault in it, or gives each to
    `on_fault`.
    """

    def read() -> CourseFile:
        file = resolve_within(game.folder, COURSE)
        return read_toml(file, CourseFile, on_fault) if file.is_file() else CourseFile()

    return game.memo(_COURSES, None, read) if on_fault is stop else read()


def active_sides(game: Game, facts: Mapping[FactKey, Fact]) -> frozenset[str]:
    """Return the sides that are active in the phase that facts state by the tracks `phase` and `phasing`; none if it is
    not stated.
    """
    word = facts.get(("phase", ""))
    phasing = facts.get(("phasing", ""))
    if not (word and phasing):
        return frozenset()
    phase = next((phase for phase in course_file(game).phase if word.value and phase.word == word.value), None)
    if phase is None:
        return frozenset()
    return frozenset(
        side for side in game.file.sides if phase.active in ("both", "phasing" if side == phasing.value else "other")
    )


# --- turns.csv --------------------------------------------------------------------------------------------------------

TURNS = "turns.csv"
COLUMNS = ("turns", "kind", "text", "who", "rule", "source")
DATE = "date"
SEASON = "season"
WEATHER = "weather"
INTERPHASE = "inter-phase"
EVENT = "event"
KINDS = (DATE, SEASON, WEATHER, INTERPHASE, EVENT)
"""What a row may be about, besides the figures that `course.toml` names. A turn has one text of each, and any number of
events.
"""


class TurnFact(msgspec.Struct, frozen=True):
    """One fact about a turn: its text, the side or nation that it concerns ("" for all), its rule and its source."""

    text: str
    who: str = ""
    rule: str = ""
    source: Source = Source.RULEBOOK

    @property
    def in_words(self) -> str:
        """The text of a date or a figure; after "about" if it was inferred."""
        return self.text if self.source in CERTAIN else f"about {self.text}"

    @property
    def marked(self) -> str:
        """The text of anything else, such as a season; marked if it was inferred."""
        return self.text if self.source in CERTAIN else f"{self.text} (inferred)"


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One game turn. A fact that nobody has stated is None.

    interphase: what follows the turn, if anything does; events: in the order of the file; figures: by their name.
    """

    number: int
    date: TurnFact | None = None
    season: TurnFact | None = None
    weather: TurnFact | None = None
    interphase: TurnFact | None = None
    events: tuple[TurnFact, ...] = ()
    figures: Mapping[str, TurnFact] = MappingProxyType({})

    def fact(self, kind: str) -> TurnFact | None:
        """Return what is said of one kind, None if nothing is; events have none."""
        facts = {DATE: self.date, SEASON: self.season, WEATHER: self.weather, INTERPHASE: self.interphase}
        return facts[kind] if kind in facts else self.figures.get(kind)


Row = tuple[tuple[int, ...], str, TurnFact]
"""A row of the file: its turns, its kind, its fact."""


_TURNS: Memo[None, tuple[Turn, ...]] = Memo()
"""The turns of the game."""


def turns(game: Game) -> tuple[Turn, ...]:
    """Return the turns of a game in order, with what is said of them; none if the game has no `turns.csv`.

    Raises InputError for a fault in that file or in `course.toml`.
    """
    return game.memo(_TURNS, None, lambda: read_turns(game, course_file(game)))


def read_turns(game: Game, course: CourseFile, on_fault: OnFault = stop) -> tuple[Turn, ...]:
    """Return the turns of a game whose course has been read. Raises InputError for a fault in `turns.csv`, or gives each to
    `on_fault`.
    """
    file = resolve_within(game.folder, TURNS)
    if not file.is_file():
        return ()
    numbers = turn_numbers(game, course, on_fault)
    printed = [
        ((number,), kind, TurnFact(text, source=Source.PRINTED)) for (number, kind), text in game.overlay.turns.items()
    ]
    known = [*printed, *_read_rows(game, course, numbers, file, on_fault)]
    return tuple(_make_turn(number, known) for number in numbers)


_CALENDARS: Memo[None, MonthCalendar] = Memo()
"""The calendar of its `course.toml`."""


def read_calendar(game: Game, course: CourseFile | None = None) -> Calendar:
    """Return the calendar of a game: that of its `course.toml`, or the turns that its track counts. course: the game's,
    if it has been read.

    Raises InputError for ends of the calendar that are not turns, for a game that counts none, and for too many turns.
    """
    course = course or course_file(game)
    if (calendar_file := course.calendar) is not None:
        with located(Where(COURSE)):
            return game.memo(_CALENDARS, None, lambda: MonthCalendar(calendar_file))
    track = game.tracks.get(course.turns.track)
    if track and track.on == "game" and track.least is not None and track.most is not None:
        Limit.TURNS.check(track.most - track.least + 1, "the game has")
        return Calendar(track.least, track.most)
    what = f"[turns] track: {course.turns.track!r} is not a number about the game with `least` and `most`"
    hint = "declare it in tracks.toml, or name the one that counts turns"
    raise InputError(what, where=Where(COURSE), hint=hint)


def turn_numbers(game: Game, course: CourseFile, on_fault: OnFault = stop) -> range:
    """Return the numbers of the turns. Raises InputError as `calendar_of`, or tells `on_fault`."""
    try:
        calendar = read_calendar(game, course)
    except InputError as error:
        on_fault(error)
        return range(0)
    return range(calendar.first, calendar.last + 1)


def _read_rows(game: Game, course: CourseFile, numbers: range, file: Traversable, on_fault: OnFault) -> Iterator[Row]:
    """Yield the rows of a file of turns."""
    kinds = (*KINDS, *(figure.name for figure in course.turns.figures))
    concerned = list_people(game)
    given: set[tuple[int, str]] = set()
    for row, where in read_rows(file, COLUMNS, TURNS, on_fault):
        try:
            numbers_given = numbers_of(row["turns"], numbers)
            kind = row["kind"]
            who = row["who"]
            if kind not in kinds:
                raise InputError(f"{kind!r} is not a kind of fact about a turn", hint=format_suggestion(kind, kinds))
            if who and who not in concerned:
                raise InputError(f"{who!r} is neither a side nor a nation", hint=format_suggestion(who, concerned))
            if not row["text"].strip():
                raise InputError(f"the {kind} is empty", hint="write it, or leave the row out")
            twice = next((number for number in numbers_given if kind != EVENT and (number, kind) in given), None)
            if twice is not None:
                raise InputError(f"the {kind} of turn {twice} is given twice", hint="leave one of the rows out")
            given.update((number, kind) for number in numbers_given)
            yield numbers_given, kind, TurnFact(row["text"].strip(), who, row["rule"], read_source(row["source"]))
        except InputError as error:
            on_fault(error.at(where))


def list_people(game: Game) -> tuple[str, ...]:
    """Return the sides and nations that a fact may concern."""
    sides = game.file.sides
    return tuple(dict.fromkeys([*sides, *(nation for nations in sides.values() for nation in nations)]))


def numbers_of(text: str, within: range) -> tuple[int, ...]:
    """Return the turns that a text names: `5`, `1-27`, or several of these with spaces between; all for "".

    Raises InputError for a text that names no turns, one twice, or one that the game does not have.
    """
    if not text.strip():
        return tuple(within)
    numbers: list[int] = []
    for part in text.split():
        first, dash, last = part.partition("-")
        ends = natural(first), natural(last if dash else first)
        if ends[0] is None or ends[1] is None or ends[0] > ends[1]:
            raise InputError(
                f"{part[:20]!r} is not a turn", hint="write turns as 5 or 1-27, with spaces between several"
            )
        if ends[0] not in within or ends[1] not in within:
            hint = f"the game has turns {within.start} to {within.stop - 1}" if within else "the game has no turns"
            raise InputError(f"there is no turn {part}", hint=hint)
        numbers += range(ends[0], ends[1] + 1)
    if len(set(numbers)) < len(numbers):
        raise InputError(f"{text[:40]!r} names a turn twice", hint="name each turn once")
    return tuple(numbers)


def phases_in(
    game: Game, course: CourseFile, part: Part, turn: int | None, who: str = "", options: Container[str] = ()
) -> Iterator[tuple[Phase, tuple[CourseStep, ...]]]:
    """Yield the phases of a part of a turn in order, each with its steps that are done in it, without phases whose
    steps are all for other turns.

    turn: None for any turn, by whatever rules; who: the side or nation whose part it is, "" for all; options: the
    optional rules in force. Raises InputError for unreadable turns.
    """
    numbers = turn_numbers(game, course)
    whom = ("", who, *game.file.sides.get(who, ()))

    def is_due(due: Phase | CourseStep | Skip) -> bool:
        return (turn is None or turn in numbers_of(due.turns, numbers)) and (due.who in whom or not who)

    def is_skipped(skip: Skip) -> bool:
        sometimes = turn is None and (skip.turns or skip.option or skip.unless)
        return not sometimes and skip.who in whom and is_due(skip) and is_condition_met(skip, options)

    for phase in course.phase:
        if phase.part == part and is_due(phase) and not any(map(is_skipped, phase.skipped)):
            steps = tuple(
                step for step in phase.steps if is_due(step) and (turn is None or is_condition_met(step, options))
            )
            if steps or not phase.steps:
                yield phase, steps


class Conditional(Protocol):
    """What holds by some optional rules, and not by others: words with spaces between."""

    @property
    def option(self) -> str:
        """Those that have to be in force."""

    @property
    def unless(self) -> str:
        """Those of which none may be."""


def is_condition_met(due: Conditional, options: Container[str]) -> bool:
    """Return whether the optional rules that something belongs to are in force, each word of `option`, and none of
    `unless`.
    """
    return all(word in options for word in due.option.split()) and not any(
        word in options for word in due.unless.split()
    )


def format_runs(numbers: Sequence[int]) -> str:
    """Return turns in order as `numbers_of` reads them, with commas between: `1-8, 10, 12-23`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _make_turn(number: int, rows: Sequence[Row]) -> Turn:
    """Return one turn with all that rows say of it."""
    of_turn = [(kind, fact) for numbers, kind, fact in rows if number in numbers]
    facts = dict(reversed(of_turn))  # what stands first holds: the owner's own word
    figures = {kind: fact for kind, fact in facts.items() if kind not in KINDS}
    events = tuple(fact for kind, fact in of_turn if kind == EVENT)
    return Turn(
        number=number,
        date=facts.get(DATE),
        season=facts.get(SEASON),
        weather=facts.get(WEATHER),
        interphase=facts.get(INTERPHASE),
        events=events,
        figures=MappingProxyType(figures),
    )


# --- what only the owner of the game knows ----------------------------------------------------------------------------

LONGEST = 60
"""Letters of a text about a turn."""


def turn_kinds(course: CourseFile) -> tuple[str, ...]:
    """Return the kinds of facts about a turn that the owner may state: its date, season and weather, and the figures of
    the printed record.
    """
    return (DATE, SEASON, WEATHER, *(figure.name for figure in course.turns.figures))


def check_turn_texts(game: Game, texts: Mapping[tuple[int, str], str]) -> dict[tuple[int, str], str]:
    """Return texts about turns, by turn and kind, as they are kept.

    Raises InputError for a turn or a kind that the game does not have, a text that is empty or too long, and one that
    contradicts the rulebook.
    """
    if not texts:
        return {}
    course = course_file(game)
    turns = {turn.number: turn for turn in read_turns(game, course)}
    if not turns:
        raise InputError(f"{game.title} has no {TURNS}", hint="the game's author has not stated any turns")
    kinds = turn_kinds(course)
    numbers = range(min(turns), max(turns) + 1)
    texts_kept = {}
    for (number, kind), text in texts.items():
        numbers_of(str(number), numbers)
        if kind not in kinds:
            raise UnknownWord(f"{kind!r} is not a fact about a turn", hint=format_suggestion(kind, kinds))
        texts_kept[number, kind] = _check_text(turns[number], kind, " ".join(text.split()))
    return texts_kept


def _check_text(turn: Turn, kind: str, text: str) -> str:
    """Return a text about a turn. Raises InputError if it is empty or too long, or contradicts the rulebook."""
    if not text or len(text) > LONGEST or not text.isprintable():
        raise InputError(
            f"the {kind} of turn {turn.number}: {text[:20]!r} is not allowed",
            hint=f"1 to {LONGEST} printable characters",
        )
    stated = turn.fact(kind)
    if stated and stated.source is Source.RULEBOOK and stated.text != text:
        by = f"by rule {stated.rule} " if stated.rule else ""
        raise InputError(f"the {kind} of turn {turn.number} contradicts the rulebook", hint=f"{by}it is: {stated.text}")
    return text


def unknown_turns(game: Game) -> dict[str, list[int]]:
    """Return the turns of which nobody has stated a fact, by its kind; kinds of which all is known are left out."""
    course = course_file(game)
    gaps = dict[str, list[int]]()
    turns = read_turns(game, course)
    numbers = range(turns[0].number, turns[-1].number + 1) if turns else range(0)
    when = {figure.name: numbers_of(figure.turns, numbers) for figure in course.turns.figures} if turns else {}
    for kind in turn_kinds(course):
        missing = [
            turn.number for turn in turns if _is_open(turn.fact(kind)) and turn.number in when.get(kind, numbers)
        ]
        if missing:
            gaps[kind] = missing
    return gaps


def _is_open(fact: TurnFact | None) -> bool:
    """Return whether a fact is unknown, or only inferred."""
    return fact is None or fact.source not in CERTAIN


def army_tracks(course: CourseFile) -> tuple[str, ...]:
    """Return the facts of armies that are printed on their markers and displays."""
    return tuple(filter(None, (course.organisation.limit, course.organisation.cavalry)))


def _list_armies(game: Game, course: CourseFile) -> list[str]:
    """Return the armies that have a limit for the owner to state, each by its side and name."""
    return [f"{game.side_of(army.nation)} {army.name}" for army in course.army if army.limit is None]


def read_army_fact(game: Game, army: str, track: str, text: str) -> tuple[FactKey, Fact]:
    """Return a fact that is printed on an army's marker. Raises InputError for an unknown army or track, and a value
    that is not allowed.
    """
    course = course_file(game)
    known = _list_armies(game, course)
    name = find_army(game, army)
    if name not in known:
        raise InputError(f"unknown army {army!r}", hint=format_suggestion(name, known))
    tracks = army_tracks(course)
    if track not in tracks:
        raise UnknownWord(f"{track!r} is not printed on army markers", hint=format_suggestion(track, tracks))
    return (track, name), Fact(game.track(track).parse(text), Source.PRINTED)


def unknown_armies(game: Game) -> list[str]:
    """Return the armies of which nobody has stated the limit."""
    course = course_file(game)
    limit = course.organisation.limit
    if not limit:
        return []
    return [army for army in _list_armies(game, course) if (limit, army) not in game.overlay.armies]

"""The turns of a game: what the rulebook, or the owner of the game, says of each, from `turns.csv`.

A row is one fact about one or more turns, so that a season of 27 turns is stated once, with its rule and its source.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from ...state.sources import CERTAIN, Source
from ...util.datafiles import inner, read_rows
from ...util.errors import InputError, OnFault, Where, stop, suggested
from ...util.limits import Limit
from ...util.texts import natural
from ..games import Game
from .file import COURSE, CourseFile, Part, Phase, Step, course_file

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

TURNS = "turns.csv"
COLUMNS = ("turns", "kind", "text", "who", "rule", "source")
DATE, SEASON, WEATHER, INTERPHASE, EVENT = "date", "season", "weather", "inter-phase", "event"
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
        """The text; after "about" if it was inferred."""
        return self.text if self.source in CERTAIN else f"about {self.text}"


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
        """What is said of one kind, None if nothing is; events have none."""
        facts = {DATE: self.date, SEASON: self.season, WEATHER: self.weather, INTERPHASE: self.interphase}
        return facts[kind] if kind in facts else self.figures.get(kind)


Row = tuple[tuple[int, ...], str, TurnFact]
"""A row of the file: its turns, its kind, its fact."""


def turns(game: Game) -> tuple[Turn, ...]:
    """The turns of a game in order, with what is said of them; none if the game has no `turns.csv`.

    Raises InputError for a fault in that file or in `course.toml`.
    """
    return read_turns(game, course_file(game))


def read_turns(game: Game, course: CourseFile, on_fault: OnFault = stop) -> tuple[Turn, ...]:
    """The turns of a game whose course has been read. Raises InputError for a fault in `turns.csv`, or gives each to
    `on_fault`.
    """
    file = inner(game.folder, TURNS)
    if not file.is_file():
        return ()
    numbers = turn_numbers(game, course, on_fault)
    printed = [
        ((number,), kind, TurnFact(text, source=Source.PRINTED)) for (number, kind), text in game.overlay.turns.items()
    ]
    known = [*printed, *(row for row, _ in turn_rows(game, course, numbers, file, on_fault))]
    return tuple(_turn(number, known) for number in numbers)


def turn_numbers(game: Game, course: CourseFile, on_fault: OnFault = stop) -> range:
    """The numbers of the turns, by the track that counts them. Raises InputError, or tells `on_fault`, if none does."""
    track = game.tracks.get(course.turns.track)
    if track and track.on == "game" and track.least is not None and track.most is not None:
        Limit.TURNS.check(track.most - track.least + 1, "the game has")
        return range(track.least, track.most + 1)
    what = f"[turns] track: {course.turns.track!r} is not a number of the game with least and most"
    on_fault(InputError(what, where=Where(COURSE), hint="declare it in tracks.toml, or name the one that counts turns"))
    return range(0)


def turn_rows(
    game: Game, course: CourseFile, numbers: range, file: Traversable, on_fault: OnFault = stop, called: str = ""
) -> Iterator[tuple[Row, Where]]:
    """The rows of a file of turns, each with its place. called: how messages name the file."""
    kinds = (*KINDS, *(figure.name for figure in course.turns.figures))
    concerned = people(game)
    given: set[tuple[int, str, str]] = set()
    for row, where in read_rows(file, COLUMNS, called or TURNS, on_fault):
        try:
            of, kind, who = numbers_of(row["turns"], numbers), row["kind"], row["who"]
            if kind not in kinds:
                raise InputError(f"{kind!r} is not a kind of fact about a turn", hint=suggested(kind, kinds))
            if who and who not in concerned:
                raise InputError(f"{who!r} is neither a side nor a nation", hint=suggested(who, concerned))
            if not row["text"].strip():
                raise InputError(f"the {kind} is empty", hint="write it, or leave the row out")
            twice = next((number for number in of if kind != EVENT and (number, kind, who) in given), None)
            if twice is not None:
                raise InputError(f"the {kind} of turn {twice} is given twice", hint="leave one of the rows out")
            given.update((number, kind, who) for number in of)
            yield (of, kind, TurnFact(row["text"].strip(), who, row["rule"], _source(row["source"]))), where
        except InputError as error:
            on_fault(error.at(where))


def people(game: Game) -> tuple[str, ...]:
    """The sides and nations that a fact may concern."""
    return tuple(dict.fromkeys([*game.file.sides, *(nation for of in game.file.sides.values() for nation in of)]))


def numbers_of(text: str, within: range) -> tuple[int, ...]:
    """The turns that a text names: `5`, `1-27`, or several of these with spaces between; all for "".

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


def steps_in(
    game: Game, course: CourseFile, part: Part, turn: int, who: str = "", options: Collection[str] = ()
) -> Iterator[tuple[Phase, Step]]:
    """What is done in a part of a turn, step by step in order, each with its phase.

    course: the game's; who: the side or nation whose part it is, "" for all; options: the optional rules in force.
    Raises InputError for steps in turns that cannot be read.
    """
    numbers = turn_numbers(game, course)
    for phase in course.phase:
        for step in phase.steps if phase.part == part else ():
            comes_up = all(turn in numbers_of(of.turns, numbers) for of in (phase, step))
            if comes_up and step.who in ("", who) and (not step.option or step.option in options):
                yield phase, step


def in_runs(numbers: Sequence[int]) -> str:
    """Turns in order as `numbers_of` reads them, with commas between: `1-8, 10, 12-23`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _source(word: str) -> Source:
    try:
        return Source(word)
    except ValueError:
        raise InputError(f"{word!r} is not a source", hint=suggested(word, list(Source))) from None


def _turn(number: int, rows: Sequence[Row]) -> Turn:
    """One turn with all that rows say of it."""
    of = [(kind, fact) for numbers, kind, fact in rows if number in numbers]
    facts = dict(reversed(of))  # what stands first holds: the owner's own word
    figures = {kind: fact for kind, fact in facts.items() if kind not in KINDS}
    events = tuple(fact for kind, fact in of if kind == EVENT)
    return Turn(
        number=number,
        date=facts.get(DATE),
        season=facts.get(SEASON),
        weather=facts.get(WEATHER),
        interphase=facts.get(INTERPHASE),
        events=events,
        figures=MappingProxyType(figures),
    )

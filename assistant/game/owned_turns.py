"""Facts about turns and armies that only the owner of a game knows, and their typed forms."""

from __future__ import annotations

from collections.abc import Mapping

from ..state.state import FactKey
from ..state.tracks import CERTAIN, Fact, Source
from ..util.errors import InputError, UnknownWord, format_suggestion
from .course import CourseFile, course_file
from .games import Game, find_army
from .turn_record import DATE, SEASON, TURNS, WEATHER, Turn, TurnFact, numbers_of, read_turns

MAX_LETTERS = 60
"""The maximum length of a text about a turn."""


def turn_kinds(course: CourseFile) -> tuple[str, ...]:
    """Return the kinds of facts about a turn that the owner may state: date, season, weather and figures."""
    return (DATE, SEASON, WEATHER, *(figure.name for figure in course.turns.figures))


def check_turn_texts(game: Game, texts: Mapping[tuple[int, str], str]) -> dict[tuple[int, str], str]:
    """Return texts about turns, by turn and kind, with plain spaces.

    Raises InputError if the game has no such turn or kind, or if a text is empty, too long or against the rulebook.
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
    if not text or len(text) > MAX_LETTERS or not text.isprintable():
        raise InputError(
            f"the {kind} of turn {turn.number}: {text[:20]!r} is not allowed",
            hint=f"1 to {MAX_LETTERS} printable characters",
        )
    stated = turn.fact(kind)
    if stated and stated.source is Source.RULEBOOK and stated.text != text:
        by = f"by rule {stated.rule} " if stated.rule else ""
        raise InputError(f"the {kind} of turn {turn.number} contradicts the rulebook", hint=f"{by}it is: {stated.text}")
    return text


def unknown_turns(game: Game) -> dict[str, list[int]]:
    """Return the turns with an unknown fact, by the kind of the fact."""
    course = course_file(game)
    unknown = dict[str, list[int]]()
    turns = read_turns(game, course)
    numbers = range(turns[0].number, turns[-1].number + 1) if turns else range(0)
    turns_by_figure = (
        {figure.name: numbers_of(figure.turns, numbers) for figure in course.turns.figures} if turns else {}
    )
    for kind in turn_kinds(course):
        missing = [
            turn.number
            for turn in turns
            if _is_open(turn.fact(kind)) and turn.number in turns_by_figure.get(kind, numbers)
        ]
        if missing:
            unknown[kind] = missing
    return unknown


def _is_open(fact: TurnFact | None) -> bool:
    """Return whether a fact is unknown, or only inferred."""
    return fact is None or fact.source not in CERTAIN


def army_tracks(course: CourseFile) -> tuple[str, ...]:
    """Return the tracks of armies that are printed on their markers and displays."""
    return tuple(filter(None, (course.organisation.limit, course.organisation.cavalry)))


def _list_armies(game: Game, course: CourseFile) -> list[str]:
    return [f"{game.side_of(army.nation)} {army.name}" for army in course.army if army.limit is None]


def read_army_fact(game: Game, army: str, track: str, text: str) -> tuple[FactKey, Fact]:
    """Return a fact printed on an army's marker.

    Raises InputError for an unknown army or track, and a value that is not allowed.
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
    """Return the armies whose limit is still unknown."""
    course = course_file(game)
    limit = course.organisation.limit
    if not limit:
        return []
    return [army for army in _list_armies(game, course) if (limit, army) not in game.overlay.armies]

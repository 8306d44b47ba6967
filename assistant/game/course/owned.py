"""What only the owner of the game knows of its turns and armies: which facts these are, and what may be stated of them."""

from __future__ import annotations

from collections.abc import Mapping

from ...state.sources import CERTAIN, Fact, Source
from ...state.state import FactKey
from ...util.errors import InputError, suggested
from ..games import Game
from ..sides import army_named
from .file import CourseFile, course_file
from .turns import DATE, SEASON, TURNS, WEATHER, Turn, TurnFact, numbers_of, read_turns

LONGEST = 60
"""Letters of a text about a turn."""


def turn_kinds(course: CourseFile) -> tuple[str, ...]:
    """The kinds of facts about a turn that the owner may state: its date, season and weather, and the figures of the
    printed record.
    """
    return (DATE, SEASON, WEATHER, *(figure.name for figure in course.turns.figures))


def turn_texts(game: Game, texts: Mapping[tuple[int, str], str]) -> dict[tuple[int, str], str]:
    """Texts about turns, by turn and kind, as they are kept.

    Raises InputError for a turn or a kind that the game does not have, a text that is empty or too long, and one that
    contradicts the rulebook.
    """
    if not texts:
        return {}
    course = course_file(game)
    turns = {turn.number: turn for turn in read_turns(game, course)}
    if not turns:
        raise InputError(f"{game.title} has no {TURNS}", hint="its author has not stated any turns")
    kinds, numbers = turn_kinds(course), range(min(turns), max(turns) + 1)
    texts_kept = {}
    for (number, kind), text in texts.items():
        numbers_of(str(number), numbers)
        if kind not in kinds:
            raise InputError(f"{kind!r} is not a fact about a turn", hint=suggested(kind, kinds))
        texts_kept[number, kind] = _kept(turns[number], kind, " ".join(text.split()))
    return texts_kept


def _kept(turn: Turn, kind: str, text: str) -> str:
    """A text about a turn itself. Raises InputError for one that is empty or too long, or contradicts the rulebook."""
    if not text or len(text) > LONGEST or not text.isprintable():
        raise InputError(
            f"the {kind} of turn {turn.number}: {text[:20]!r} is not allowed", hint=f"1 to {LONGEST} letters"
        )
    stated = turn.fact(kind)
    if stated and stated.source is Source.RULEBOOK and stated.text != text:
        by = f" by rule {stated.rule}" if stated.rule else ""
        raise InputError(f"the {kind} of turn {turn.number} contradicts the rulebook", hint=f"it is{by}: {stated.text}")
    return text


def unknown_turns(game: Game) -> dict[str, list[int]]:
    """The turns of which nobody has stated a fact, by its kind; kinds of which all is known are left out."""
    course, gaps = course_file(game), dict[str, list[int]]()
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
    """Whether a fact is unknown, or only inferred."""
    return fact is None or fact.source not in CERTAIN


def army_tracks(course: CourseFile) -> tuple[str, ...]:
    """The facts of armies that are printed on their markers and displays."""
    return tuple(filter(None, (course.organisation.limit, course.organisation.cavalry)))


def armies(game: Game, course: CourseFile) -> list[str]:
    """The armies that have a limit for the owner to state, each by its side and name."""
    return [f"{game.side_of(army.nation)} {army.name}" for army in course.army if army.limit is None]


def army_fact(game: Game, army: str, track: str, text: str) -> tuple[FactKey, Fact]:
    """A fact that is printed on an army's marker. Raises InputError for an unknown army or track, and a value that is
    not allowed.
    """
    course = course_file(game)
    known, name = armies(game, course), army_named(game, army)
    if name not in known:
        raise InputError(f"unknown army {army!r}", hint=suggested(name, known))
    tracks = army_tracks(course)
    if track not in tracks:
        raise InputError(f"{track!r} is not printed on the markers of armies", hint=suggested(track, tracks))
    return (track, name), Fact(game.track(track).parse(text), Source.PRINTED)


def unknown_armies(game: Game) -> list[str]:
    """The armies of which nobody has stated the limit."""
    course = course_file(game)
    limit = course.organisation.limit
    if not limit:
        return []
    return [army for army in armies(game, course) if (limit, army) not in game.overlay.armies]

"""Typing what the turn record and the markers of armies print, a line each; and what of it is still missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..questions.wording import wrapped
from ..util.console import count_text, echo
from ..util.errors import InputError, located, suggested
from ..util.texts import natural
from .chart_entry import SAME, Ask, ask_each

if TYPE_CHECKING:
    from ..game.games import Game
    from ..game.packs import Pack
    from ..util.errors import Where

TURNS, ARMIES = "turns", "armies"
"""What `pack enter` and `pack take` call these facts, where they otherwise take the name of a chart."""


class Line(NamedTuple):
    """One fact to be typed. prompt: what asks for it; known: what the pack holds of it; keep: what keeps it."""

    prompt: str
    known: str
    keep: Callable[[str], None]


def enter_turn(pack: Pack, number: str, kind: str, text: str) -> None:
    """Keep one fact about a turn. Raises InputError for a turn, kind or text that is not possible."""
    pack.enter_turns({(_number(number), kind): text})


def take_turns(pack: Pack, rows: Iterable[tuple[Mapping[str, str], Where]]) -> int:
    """Keep what the rows of a CSV file say of turns, with a column `turn` and one for each kind of fact; all or none.
    How many facts are kept.

    rows: each with its place in the file. Raises InputError for one that is not possible, and for a turn that is listed
    twice.
    """
    given: dict[tuple[int, str], str] = {}
    listed = set[int]()
    for row, where in rows:
        with located(where):
            number = _number(row["turn"])
            if number in listed:
                raise InputError(f"turn {number} is listed twice", hint="leave one of the rows out")
        listed.add(number)
        given.update({(number, kind): text for kind, text in row.items() if kind != "turn" and text.strip()})
    pack.enter_turns(given)
    return len(given)


def enter_course(pack: Pack, what: str, words: Sequence[str], ask: Ask) -> None:
    """Ask for what the pack lacks of turns or armies, or for all facts of the kinds that some words name, and say what
    is kept.

    Raises InputError for an unknown kind of fact, or an unknown army.
    """
    todo = list(_turn_lines(pack, words) if what == TURNS else _army_lines(pack, words))
    echo(f"{count_text(len(todo), 'fact')} of {what} to type")
    before = ""

    def keep(entry: Line, line: str) -> int:
        nonlocal before
        if line == SAME and not before:
            raise InputError("there is nothing before =", hint="type it")
        text = before if line == SAME else line
        entry.keep(text)
        before = text
        return 1

    echo(f"{count_text(sum(ask_each(todo, lambda missing: ask(missing.prompt, missing.known), keep)), 'fact')} kept")


def _turn_lines(pack: Pack, kinds: Sequence[str]) -> Iterator[Line]:
    """The facts about turns that are missing, kind by kind."""
    from ..game.course import course_file, turn_kinds, unknown_turns

    course, entered = course_file(pack.game), pack.turns()
    known = turn_kinds(course)
    for kind in kinds:
        if kind not in known:
            raise InputError(f"{kind!r} is not a fact about a turn", hint=suggested(kind, known))
    for kind, numbers in unknown_turns(pack.game).items():
        for number in numbers if not kinds or kind in kinds else ():
            text = entered.get((number, kind), "")
            if kinds or not text:
                yield Line(f"{course.turns.tag.format(number)} {kind}: ", text, _turn_keeper(pack, number, kind))


def _turn_keeper(pack: Pack, number: int, kind: str) -> Callable[[str], None]:
    return lambda text: pack.enter_turns({(number, kind): text})


def _army_lines(pack: Pack, words: Sequence[str]) -> Iterator[Line]:
    """The facts of armies that are missing, or of the armies that some words name."""
    from ..game.course import army_tracks, course_file, unknown_armies
    from ..game.viewpoint import army_named

    entered, wanted = pack.armies(), army_named(pack.game, " ".join(words)) if words else ""
    armies = unknown_armies(pack.game)
    if wanted and wanted not in armies:
        raise InputError(f"unknown army {' '.join(words)!r}", hint=suggested(wanted, armies))
    tracks = army_tracks(course_file(pack.game))
    for army in armies:
        for track in tracks:
            text = entered.get((army, track), "")
            if wanted == army or not (wanted or text):
                declared = pack.game.track(track)
                yield Line(f"{army} {track} ({declared.takes}): ", text, partial(pack.enter_army, army, track))


def tell_course_gaps(game: Game) -> None:
    """Say what of turns and armies nobody has stated, a kind a line. game: with its pack."""
    from ..game.course import in_runs, unknown_armies, unknown_turns

    for kind, numbers in unknown_turns(game).items():
        echo("\n".join(wrapped(f"turns without {kind}: {in_runs(numbers)}", 100, "  ")))
    if armies := unknown_armies(game):
        echo("\n".join(wrapped(f"armies without a limit: {', '.join(armies)}", 100, "  ")))


def differences(pack: Pack) -> Iterator[str]:
    """What was entered of turns and armies, next to what the game's own files say."""
    from ..game.course import turns

    own = {turn.number: turn for turn in turns(pack.game)}
    for (number, kind), text in pack.turns().items():
        fact = own[number].fact(kind) if number in own else None
        before = f"{fact.in_words} ({fact.source})" if fact else "nothing"
        if not fact or fact.text != text:
            yield f"turn {number} {kind}: {text}   instead of {before}"
    for (army, track), text in pack.armies().items():
        yield f"{army} {track}={text}   instead of nothing"


def _number(text: str) -> int:
    number = natural(text.strip())
    if number is None:
        raise InputError(f"{text[:20]!r} is not the number of a turn", hint="write 1, 2, 3")
    return number

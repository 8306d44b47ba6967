"""The turns and armies that the owner of a game types from the printed one, and what of them is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ...asking.wrapping import wrap_text
from ...util.console import echo, format_count
from ...util.errors import InputError, Where, format_suggestion
from ...util.texts import natural
from .entry import SAME, TURNS, Asker, ask_each, each_row_once

if TYPE_CHECKING:
    from ...game.games import Game
    from ...game.packs import Pack


class EntryLine(NamedTuple):
    """One fact to be typed."""

    prompt: str
    """What asks for the fact."""
    known: str
    """What the pack holds of it."""
    keep: Callable[[str], None]
    """What keeps the fact that was typed."""


def enter_turn(pack: Pack, number: str, kind: str, text: str) -> None:
    """Keep one fact about a turn. Raises InputError for a turn, kind or text that is not possible."""
    pack.enter_turns({(read_turn_number(number), kind): text})


def take_turns(pack: Pack, rows: Iterable[tuple[Mapping[str, str], Where]]) -> int:
    """Keep what the rows of a CSV file say of turns, with a column `turn` and one for each kind of fact; all or none.
    How many facts are kept.

    rows: each with its place in the file. Raises InputError for one that is not possible, and for a turn that is listed
    twice.
    """
    facts: dict[tuple[int, str], str] = {}
    for number, columns, _ in each_row_once(rows, "turn", read_turn_number):
        for kind, text in columns.items():
            facts[number, kind] = text
    pack.enter_turns(facts)
    return len(facts)


def enter_course(pack: Pack, what: str, words: Sequence[str], ask: Asker) -> None:
    """Ask for what the pack lacks of turns or armies, or for all facts of the kinds that some words name, and say what
    is kept.

    Raises InputError for an unknown kind of fact, or an unknown army.
    """
    todo = list(_write_turn_lines(pack, words) if what == TURNS else _write_army_lines(pack, words))
    echo(f"{format_count(len(todo), 'fact')} of {what} to type")
    before = ""

    def keep(entry: EntryLine, line: str) -> int:
        nonlocal before
        if line == SAME and not before:
            raise InputError("there is nothing before =", hint="type it")
        text = before if line == SAME else line
        entry.keep(text)
        before = text
        return 1

    count = sum(ask_each(todo, lambda missing: ask(missing.prompt, missing.known), keep))
    echo(f"{format_count(count, 'fact')} saved")


def _write_turn_lines(pack: Pack, kinds: Sequence[str]) -> Iterator[EntryLine]:
    """Yield the facts about turns that are missing, kind by kind."""
    from ...game.course import course_file
    from ...game.owned_turns import turn_kinds, unknown_turns

    course = course_file(pack.game)
    entered = pack.turns()
    known = turn_kinds(course)
    for kind in kinds:
        if kind not in known:
            raise InputError(f"{kind!r} is not a fact about a turn", hint=format_suggestion(kind, known))
    for kind, numbers in unknown_turns(pack.game).items():
        if kinds and kind not in kinds:
            continue
        for number in numbers:
            text = entered.get((number, kind), "")
            if kinds or not text:
                prompt = f"{course.turns.tag.format(number)} {kind}> "
                yield EntryLine(prompt, text, partial(enter_turn, pack, str(number), kind))


def _write_army_lines(pack: Pack, words: Sequence[str]) -> Iterator[EntryLine]:
    """Yield the facts of armies that are missing, or of the armies that some words name."""
    from ...game.course import course_file
    from ...game.owned_turns import army_tracks, unknown_armies
    from ...game.sides import find_army

    entered = pack.armies()
    needed = find_army(pack.game, " ".join(words)) if words else ""
    armies = unknown_armies(pack.game)
    if needed and needed not in armies:
        raise InputError(f"unknown army {' '.join(words)!r}", hint=format_suggestion(needed, armies))
    tracks = army_tracks(course_file(pack.game))
    for army in armies:
        for track in tracks:
            text = entered.get((army, track), "")
            if needed == army or not (needed or text):
                declared = pack.game.track(track)
                yield EntryLine(f"{army} {track} ({declared.takes})> ", text, partial(pack.enter_army, army, track))


def echo_course_gaps(game: Game) -> None:
    """Say what of turns and armies nobody has stated, a kind a line. game: with its pack."""
    from ...game.owned_turns import unknown_armies, unknown_turns
    from ...game.turn_record import format_runs

    for kind, numbers in unknown_turns(game).items():
        echo("\n".join(wrap_text(f"turns without {kind}: {format_runs(numbers)}", 100, "  ")))
    if armies := unknown_armies(game):
        echo("\n".join(wrap_text(f"armies without a limit: {', '.join(armies)}", 100, "  ")))


def course_differences(pack: Pack) -> Iterator[str]:
    """Yield what was entered of turns and armies, beside what the game's own files say."""
    from ...game.turn_record import turns

    own = {turn.number: turn for turn in turns(pack.game)}
    for (number, kind), text in pack.turns().items():
        fact = own[number].fact(kind) if number in own else None
        before = f"{fact.in_words} ({fact.source})" if fact else "nothing"
        if not fact or fact.text != text:
            yield f"turn {number} {kind}: {text}   instead of {before}"
    for (army, track), text in pack.armies().items():
        yield f"{army} {track}={text}   instead of nothing"


def read_turn_number(text: str) -> int:
    """Return the number of a turn as it is typed. Raises InputError for anything else."""
    number = natural(text.strip())
    if number is None:
        raise InputError(f"{text[:20]!r} is not a turn number", hint="write 1, 2, 3")
    return number

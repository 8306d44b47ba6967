"""Nations, turns and periods as they are typed: what is listed of a journal, and what is due."""

from __future__ import annotations

from collections.abc import Sequence

from ...formats.positions import Asked
from ...game.calendar import parse_date
from ...game.games import Game
from ...game.typed_events import leading_name
from ...state.words import SPACED, find_words, name_and_value
from ...util.errors import InputError
from ...util.texts import natural
from .journal import Journal


def read_period(words: Sequence[str]) -> tuple[str, str, str]:
    """Return the nation and the period that words name: `ah from=mar16/1 to=may16/7`."""
    plain = [word for word in words if "=" not in word]
    named = _read_named_words([word for word in words if "=" in word], ("from", "to", "who"))
    return named.get("who", " ".join(plain)), named.get("from", ""), named.get("to", "")


def _check_schedule(game: Game) -> None:
    """Raise InputError for a game without a schedule, of which nobody can ask what is due."""
    from ...installed.registry import questions_of  # only here: most uses of a journal load no question

    questions = questions_of(game)
    if "due" not in questions:
        hint = "`turn` lists what is done in the turn" if "turn" in questions else ""
        raise InputError(f"{game.title} has no schedule of what is due", hint=hint)


def read_due(journal: Journal, words: Sequence[str]) -> Asked:
    """Return what is due, asked as it is typed: `ah it until=may16/7`, `ah oct14/3`. Words without a name are nations,
    or the turn, or a second one with which the period ends. Raises InputError for a third turn.
    """
    _check_schedule(journal.game)
    given = _read_named_words([word for word in words if "=" in word])
    game = journal.game
    events = journal.rules.events
    turns = list[str]()
    whose = list[str]()
    text = " ".join(word for word in words if "=" not in word)
    while text:
        who, rest = leading_name(game, events, text)
        first, _, more = text.partition(" ")
        if not who and (parse_date(first) or natural(first) is not None):
            turns.append(first)
        else:
            whose.append(who or first)
        text = rest if who else more
    if len(turns) > 2:
        calendar = journal.rules.calendar
        example = f"due turn={journal.label(journal.turn)} until={calendar.label(calendar.last)}"
        raise InputError(f"{turns[2]} is one turn too many", hint=f"write: {example}")
    parameters = dict(zip(("turn", "until"), turns, strict=False))
    if whose:
        parameters["who"] = ",".join(whose)
    return Asked("due", parameters | given)


def _read_named_words(words: Sequence[str], allowed: Sequence[str] = ()) -> dict[str, str]:
    """Return words of the form name=value. Raises InputError for any other."""
    named = {}
    for word in find_words(" ".join(words), 1, SPACED):
        pair = name_and_value(word)
        if pair is None or (allowed and pair[0] not in allowed):
            hint = f"known: {', '.join(f'{name}=' for name in allowed)}" if allowed else ""
            raise InputError(f"{word.text!r} is not of the form name=value", hint=hint)
        named[pair[0]] = pair[1]
    return named

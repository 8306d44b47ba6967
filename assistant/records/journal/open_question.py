"""The open question of a journal with its dice so far, and the combat set aside for it.

An answer closes the question; the next turn closes both. Facts taken for granted are kept until another question
changes them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from ...formats.notation_writer import write_questions
from ...formats.positions import Asked, Position
from ...game.gamefile import TablePrompt
from ...state.changes import AnyChange
from ...state.state import FactKey
from ...state.words import SPACED, Word, find_words, name_and_value
from ...util.errors import InputError
from .entries import Answer, JournalEntry, OpenQuestion, TurnBegins
from .question_lines import Assumed, write_answer


class Asking(NamedTuple):
    """The open question, and the combat set aside for it; either may be without a question."""

    question: OpenQuestion = OpenQuestion()
    aside: OpenQuestion = OpenQuestion()


def asking_after(entries: Sequence[JournalEntry], prompt: TablePrompt, turn: int) -> Asking:
    """Return the open question after entries.

    `entries`: entries that count, in the order of their effect.
    `turn`: the turn of the journal.
    """
    begin = bisect_left(entries, turn, key=lambda entry: entry.turn)
    earlier = (entry.what for entry in reversed(entries[:begin]) if isinstance(entry.what, OpenQuestion))
    asking = Asking(_close_question(next(earlier, OpenQuestion())))
    combats = (at for at in reversed(range(begin, len(entries))) if _is_combat(entries[at].what, prompt))
    for entry in entries[next(combats, begin) :]:  # earlier entries do not matter
        asking = go_on(asking, entry.what, prompt)
    return asking


def follow_asking(
    entries: Sequence[JournalEntry], prompt: TablePrompt, turn: int, since: int
) -> Iterator[tuple[int, Asking]]:
    """Yield the open question after entry `since`, then each later one, with the number of the entry that changes it.

    `entries`: entries that count, in the order of their effect.
    `turn`: the turn in which the journal begins.
    `since`: the number of an entry, or 0 for the start.
    """
    before = [entry for entry in entries if entry.number <= since]
    turn = max(turn, before[-1].turn) if before else turn
    asking = asking_after(before, prompt, turn)
    yield since, asking
    for entry in entries:
        if entry.number > since and isinstance(entry.what, _ASKING) and entry.turn >= turn:
            turn = entry.turn
            earlier, asking = asking, go_on(asking, entry.what, prompt)
            if asking != earlier:
                yield entry.number, asking


def go_on(asking: Asking, what: object, prompt: TablePrompt) -> Asking:
    """Return the open question after one more entry.

    `what`: the content of the entry.
    """
    match what:
        case OpenQuestion(question):
            if _is_combat(what, prompt):
                return Asking(what)
            if question and _is_combat(asking.question, prompt):
                return Asking(what, _set_aside(asking.question))
            return Asking(what, asking.aside)
        case Answer():
            return Asking(_close_question(asking.question), asking.aside)
        case TurnBegins():
            return Asking(_close_question(asking.question))
    return asking


_ASKING = (OpenQuestion, Answer, TurnBegins)
"""The kinds of entries that change the open question."""
_ANY = OpenQuestion("check")
"""A question that every game has, used to set a combat aside when nothing else is asked."""


def find_entries_to(now: Asking, after: Asking, prompt: TablePrompt) -> tuple[OpenQuestion, ...]:
    """Return the fewest entries that lead from one open question to another."""
    if now == after:
        return ()
    ways: tuple[tuple[OpenQuestion, ...], ...] = (
        (after.question,),
        (OpenQuestion(), after.question),
        (after.aside, after.question),
        (after.aside, _ANY, after.question),
        (now.aside, OpenQuestion(), after.question),  # asks the combat set aside again, and closes it
    )
    for way in ways:
        asking = now
        for question in way:
            asking = go_on(asking, question, prompt)
        if asking == after:
            return way
    return ways[0]


def _close_question(question: OpenQuestion) -> OpenQuestion:
    """Return what remains of a closed question: its facts with values other than the usual ones."""
    return OpenQuestion("", "", _sort_chosen(known for known in question.assumed if known.key[0]))


def _set_aside(combat: OpenQuestion) -> OpenQuestion:
    """Return what remains of a combat set aside: everything except facts, which the next question takes over."""
    remaining = []
    for known in combat.assumed:
        is_fact = known.key[0] != ""
        if is_fact and known.is_numbered:
            remaining.append(msgspec.structs.replace(known, value=""))
        elif not is_fact and (known.value or known.is_numbered):
            remaining.append(known)
    return msgspec.structs.replace(combat, assumed=tuple(remaining))


def _sort_chosen(assumed: Iterable[Assumed]) -> tuple[Assumed, ...]:
    chosen = (Assumed(known.key, known.value) for known in assumed if known.value)
    return tuple(sorted(chosen, key=lambda known: known.key))


def combat_of(asking: Asking, prompt: TablePrompt) -> OpenQuestion:
    """Return the combat that is asked or set aside; it may be empty."""
    return asking.question if _is_combat(asking.question, prompt) else asking.aside


def find_target(combat: OpenQuestion, prompt: TablePrompt) -> str:
    """Return the hex of a combat, or "" if it has none."""
    return _read_parameter(combat.question, prompt.target)


def _is_combat(what: object, prompt: TablePrompt) -> bool:
    """Return whether `what` is an open question, and is the game's combat question with a hex."""
    if not isinstance(what, OpenQuestion):
        return False
    if not prompt.ask or what.question.partition(" ")[0] != prompt.ask:
        return False
    return _read_parameter(what.question, prompt.target) != ""


@lru_cache(1000)
def _read_parameter(question: str, parameter: str) -> str:
    try:
        asked, _ = posed_entry(OpenQuestion(question))
    except InputError:
        return ""
    return str(asked.parameters.get(parameter) or "") if asked else ""


def write_posed(position: Position) -> tuple[str, str]:
    """Return the question of a position with its parameters, and its dice and choices, as texts of an entry."""
    question, *dice = write_questions(position)
    return question.removeprefix("ask "), "".join(dice).removeprefix("answers").strip()


def write_posed_answer(asked: Position, changes: Iterable[AnyChange] = ()) -> str:
    """Return the answer to the question of a position as the text of an entry.

    `changes`: the changes, if they are known.
    """
    question, dice = write_posed(asked)
    return write_answer(question, dice, changes, asked.game.tracks)


def write_posed_question(asked: Position) -> str:
    """Return the question of a position with its dice and choices, as typed."""
    return " ".join(filter(None, write_posed(asked)))


def open_question(position: Position, chosen: Mapping[FactKey, str], numbered: Iterable[FactKey]) -> OpenQuestion:
    """Return the question of a position, with dice and choices, as an entry.

    `chosen`: values other than the usual ones; if there is no question, only those of facts count.
    `numbered`: the assumptions in the order of their numbers.

    Raises InputError if the question cannot be written.
    """
    chosen_values = _sort_chosen(Assumed(key, value) for key, value in chosen.items() if position.asks or key[0])
    if not position.asks:
        return OpenQuestion("", "", chosen_values)
    numbered_values = tuple(Assumed(key, chosen.get(key, ""), is_numbered=True) for key in numbered)
    numbered_keys = {known.key for known in numbered_values}
    unnumbered_values = tuple(known for known in chosen_values if known.key not in numbered_keys)
    question, dice = write_posed(position)
    return OpenQuestion(question, dice, numbered_values + unnumbered_values)


def posed_entry(question: OpenQuestion) -> tuple[Asked | None, dict[str, str]]:
    """Return a question as a position has it, or None, and its dice and choices.

    Raises InputError if a word is neither a parameter nor a die or choice.
    """
    words = find_words(question.question, 1, SPACED)
    if not words:
        return None, {}
    return Asked(words[0].text, _read_pairs(words[1:])), _read_pairs(find_words(question.dice, 1, SPACED))


def _read_pairs(words: Iterable[Word]) -> dict[str, str]:
    pairs = dict[str, str]()
    for word in words:
        named = name_and_value(word)
        if named is None:
            raise InputError(f"{word.text!r} is not of the form name=value", hint="put a name with spaces in quotes")
        pairs[named[0]] = named[1]
    return pairs

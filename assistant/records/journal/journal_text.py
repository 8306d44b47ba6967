"""A journal in words: its entries line by line, what was added, what is at fault; and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any

import msgspec

from ...formats.positions import Asked
from ...game.calendar import parse_date
from ...game.events import leading_name, whom
from ...game.games import Game
from ...state.words import SPACED, name_and_value, words_of
from ...util.errors import InputError, plain
from ...util.notes import note
from ...util.texts import natural
from ...util.typesetting import set_in_type
from .accounts import debts, word_debt
from .entries import (
    Amend,
    Answer,
    Corrections,
    JournalEntry,
    OpenQuestion,
    Strike,
    TurnBegins,
    questions_among,
    write_what,
)
from .fold import ALL, ELSEWHERE, STACK, Conflict
from .journal import Journal, word_difference
from .journal_file import Added


class ListedEntry(msgspec.Struct, frozen=True):
    """An entry as a list shows it."""

    number: Annotated[int, note("its number")]
    turn: Annotated[str, note("its turn")]
    text: Annotated[str, note("what it says, and what became of it")]
    counts: Annotated[bool, note("whether it counts")]


def last_that_count(journal: Journal, most: int) -> Iterator[str]:
    """Yield the last entries that take effect, with their corrections, after how many there are beside them."""
    rows = {row.number: row for row in entry_rows(journal)}
    count = [entry for entry in journal.counting.entries if entry.number in rows]
    shown = [rows[entry.number].text for entry in count[-most:]]
    earlier, others = len(count) - len(shown), len(rows) - len(count)
    said = [f"{earlier} earlier"] * bool(earlier) + [f"{others} struck or corrections"] * bool(others)
    if said:
        yield f"not shown: {', '.join(said)} (`list from=TURN`, `list WHO`)"
    yield from shown


def entry_rows(journal: Journal, first: str = "", last: str = "", who: str = "") -> list[ListedEntry]:
    """Return the entries in the order in which they take effect, then corrections and what is struck; of the questions
    only the one that is open. first, last: turns; who: a nation or side, whose events alone are listed. Raises
    InputError for an unknown one, and for turns that are not.
    """
    calendar, counting = journal.rules.calendar, journal.counting
    begin = calendar.number(first) if first else 0
    end = calendar.number(last) if last else calendar.last
    if end < begin:
        raise InputError(f"{last} comes before {calendar.label(begin)}", hint="exchange from and to")
    whose = whom(journal.game, journal.rules.events, who) if who else ""
    order = {entry.number: at for at, entry in enumerate(counting.entries)}
    by_number = sorted(journal.entries, key=lambda entry: order.get(entry.number, len(order) + entry.number))
    unlisted = questions_among(journal.entries) - {journal.asked_by}
    entries = [entry for entry in by_number if begin <= entry.turn <= end and entry.number not in unlisted]
    if whose:
        entries = [entry for entry in entries if getattr(entry.what, "who", "") == whose]
    return [_list_entry(journal, entry) for entry in entries]


def _list_entry(journal: Journal, entry: JournalEntry) -> ListedEntry:
    counting = journal.counting
    text = f"{entry.number:>4} {journal.label(entry.turn)} {entry_in_words(journal, entry)}"
    by = counting.amended_by.get(entry.number)
    if entry.number in counting.struck:
        text += "  (struck)"
    elif by:
        new = next(amended for amended in counting.entries if amended.number == entry.number)
        text += f"  (amended by {by}: {entry_in_words(journal, new)})"
    return ListedEntry(entry.number, journal.label(entry.turn), text, entry.number not in counting.struck)


def entry_in_words(journal: Journal, entry: JournalEntry) -> str:
    """Return what an entry says, in few words: of an answer its question and dice, of a question also what is chosen."""
    what = entry.what
    signs = "late " * entry.late + "force " * entry.force
    if isinstance(what, Answer):
        return f"{signs}answer {what.question}" + (f" | {what.dice}" if what.dice else "")
    if isinstance(what, OpenQuestion):  # the rest is taken for granted as usual
        chosen = tuple(msgspec.structs.replace(known, is_numbered=False) for known in what.assumed if known.value)
        what = msgspec.structs.replace(what, assumed=chosen)
    return signs + write_what(what, journal.game, journal.rules.events)


def added_in_words(added: Added) -> Iterator[str]:
    """Yield what was added to a journal, and what it changes."""
    journal = added.journal
    for entry in added.entries:
        yield f"{entry.number} {journal.label(entry.turn)} {entry_in_words(journal, entry)}"
    yield from consequences(added)


def consequences(added: Added) -> Iterator[str]:
    """Yield what entries that were added to a journal change."""
    journal = added.journal
    if added.aside:
        yield f"! an entry that was cut off is set aside as {added.aside}"
    before = Corrections(entry for entry in journal.entries if entry.number < added.entries[0].number)
    for entry in added.entries:
        target = getattr(entry.what, "target", 0)
        if target and (by := before.last(target, Strike)):
            yield f"! entry {target} was struck already: this changes nothing unless {by.number} is struck"
        elif isinstance(entry.what, Amend) and isinstance(entry.what.what, Answer):
            from ...asking.changes import change_text  # only here: without answers no question is loaded

            answers = (("before", before.read_amended(target)), ("again", entry.what.what))
            for when, answer in answers:
                yield f"  {when}:"
                yield from (
                    f"    {change_text(change, journal.game.tracks)}" for change in getattr(answer, "changes", ())
                )
        before.add(entry)
    for report in added.reports:
        yield f"  {set_in_type(report.headline, curly=False)}"
    yield from (f"  {line}" for line in word_difference(journal, added.difference))
    for number, error in added.difference.faults:
        yield f"! entry {number} cannot take effect now: {plain(error.what)}"
    for short in added.difference.shortfalls:
        yield f"! {journal.in_words(short)}, entry {short.entry}"
    for debt in added.overdue:
        yield f"! {word_debt(journal, debt)}"
    if any(isinstance(entry.what, TurnBegins) for entry in added.entries):
        yield from (f"! {line}" for line in lost_in(journal))
    for conflict in added.difference.conflicts:
        yield f"! {_format_conflict(journal, conflict)}"


def _format_conflict(journal: Journal, conflict: Conflict) -> str:
    """Return an answer that was given from what has changed since, and what the player can do."""
    from .answers import can_be_given_again

    number = conflict.entry
    answer = next(entry.what for entry in journal.counting.entries if entry.number == number)
    assert isinstance(answer, Answer)
    said = [_format_changed_fact(journal, *changed) for changed in conflict.changed[:3]]
    more = f" and {len(conflict.changed) - 3} more" if len(conflict.changed) > 3 else ""
    other = f"amend {number} again" if can_be_given_again(journal, number, answer) else f"strike {number}"
    return f"entry {number} ({answer.question}) was given from {', '.join(said)}{more}: `keep {number}`, or `{other}`"


def _format_changed_fact(journal: Journal, key: tuple[str, str], was: Any, now: Any) -> str:
    name, subject = key
    if name == ALL:
        return "another position"
    if name == STACK:
        return f"{subject}: {', '.join(was) or 'empty'}, now {', '.join(now) or 'empty'}"
    if name == "place":
        return f"{subject} in {was or 'no hex'}, now {now or 'off the map'}"
    others = name == ELSEWHERE
    track = journal.game.track(subject if others else name)
    subject = "all other hexes" if others else subject
    before, after = ("not stated" if value is None else track.write(value) for value in (was, now))
    return f"{track.title}{f' of {subject}' if subject else ''}: {before}, now {after}"


def count_unmade(journal: Journal) -> int:
    """Of how many answers that count it is not known from what they were given."""
    counting = journal.counting
    answers = (entry.number for entry in counting.entries if isinstance(entry.what, Answer))
    return sum(counting.given_by(number) not in journal.reads for number in answers)


def findings(journal: Journal) -> Iterator[str]:
    """Yield what is at fault in a journal: lines that cannot be read, entries that cannot take effect, answers given
    from what has changed, what is barred, what is short, what is owed and overdue.
    """
    for error in journal.all_faults():
        yield str(error)
    for conflict in journal.books.conflicts:
        yield _format_conflict(journal, conflict)
    for number, why in journal.barred():
        yield f"entry {number}: {why}"
    for short in journal.books.shortfalls:
        if not short.agreed:
            yield f"entry {short.entry}: {journal.in_words(short)}"
    agreed = {(short.account, short.who): short for short in journal.books.shortfalls if short.agreed}
    for (account, who), short in agreed.items():
        if (holds := journal.books.balance(account, who)) < (journal.game.track(account).least or 0):
            yield f"{journal.title_of(account, who)}: {holds}, less than there can be, as agreed in entry {short.entry}"
    for debt in debts(journal):
        if debt.overdue:
            yield word_debt(journal, debt)
    yield from lost_in(journal)


def lost_in(journal: Journal) -> Iterator[str]:
    """Yield what the questions on the sheet of a turn say no to as the journal stands, each question once."""
    if not journal.rules.events.sheet:
        return
    from ...service import ask  # only here: most games put no question on the sheet

    for question in dict.fromkeys(row.question for row in journal.rules.events.sheet):
        with suppress(InputError):
            report = ask(journal.position(), question)
            if report.verdict.kind == "no":
                yield set_in_type(f"{report.title}: {report.headline}", curly=False)


def period_of(words: Sequence[str]) -> tuple[str, str, str]:
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


def asked_due(journal: Journal, words: Sequence[str]) -> Asked:
    """Return what is due, asked as it is typed: `ah it until=may16/7`, `ah oct14/3`. Words without a name are nations,
    or the turn, or a second one with which the period ends. Raises InputError for a third turn.
    """
    _check_schedule(journal.game)
    given = _read_named_words([word for word in words if "=" in word])
    game, events = journal.game, journal.rules.events
    turns, whose, text = list[str](), list[str](), " ".join(word for word in words if "=" not in word)
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
    return Asked(
        "due",
        {**dict(zip(("turn", "until"), turns, strict=False)), **({"who": ",".join(whose)} if whose else {}), **given},
    )


def _read_named_words(words: Sequence[str], allowed: Sequence[str] = ()) -> dict[str, str]:
    """Return words of the form name=value. Raises InputError for any other."""
    named = {}
    for word in words_of(" ".join(words), 1, SPACED):
        pair = name_and_value(word)
        if pair is None or (allowed and pair[0] not in allowed):
            hint = f"known: {', '.join(f'{name}=' for name in allowed)}" if allowed else ""
            raise InputError(f"{word.text!r} is not of the form name=value", hint=hint)
        named[pair[0]] = pair[1]
    return named

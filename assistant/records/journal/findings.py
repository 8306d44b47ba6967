"""The findings about a journal: faults, and debts to be paid back in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any

import msgspec

from ...game.calendar import Calendar
from ...util.errors import InputError
from ...util.notes import note
from ...util.typesetting import set_in_type
from ...util.work_time import OutOfTime, WorkTime
from .entries import Answer
from .fold import ALL, ELSEWHERE, STACK, Conflict
from .journal import Journal

CHECK_SECONDS = 2.0
"""The default time limit for answers that are computed again; a journal from elsewhere may have costly ones."""
_MAX_NAMED = 5
"""The maximum number of unchecked answers named in a message."""


class Debt(msgspec.Struct, frozen=True):
    """An amount that an account still owes for a posting."""

    who: Annotated[str, note("the nation or side")]
    title: Annotated[str, note("what is owed")]
    amount: Annotated[int, note("how much")]
    since: Annotated[str, note("the turn of the posting")]
    until: Annotated[str, note("the last turn to make it good")]
    overdue: Annotated[bool, note("whether that turn is over")]
    rule: Annotated[str, note("the rule")]


def list_unchecked(journal: Journal) -> list[int]:
    """Return the numbers of answers that count and whose reads are unknown."""
    counting = journal.counting
    answers = (entry.number for entry in counting.entries if isinstance(entry.what, Answer))
    return [number for number in answers if counting.given_by(number) not in journal.reads]


def format_unchecked(numbers: Sequence[int]) -> str:
    """Return the answers that could not be checked as words.

    `numbers`: the numbers of their entries, at least one.
    """
    entries = "entry" if len(numbers) == 1 else "entries"
    named = ", ".join(map(str, numbers[:_MAX_NAMED]))
    remainder = f" and {len(numbers) - _MAX_NAMED} more" if len(numbers) > _MAX_NAMED else ""
    return f"{entries} {named}{remainder} could not be checked"


def list_findings(journal: Journal, time: WorkTime | None = None) -> Iterator[str]:
    """Yield the faults of a journal as texts.

    They are unreadable lines, entries without effect, conflicts, barred events, shortfalls, debts and losses.

    `time`: the time limit for answers, by default that of a check.
    """
    time = time or WorkTime(CHECK_SECONDS)
    for error in journal.all_faults():
        yield str(error)
    for conflict in journal.books.conflicts:
        yield format_conflict(journal, conflict, time)
    for number, why in journal.barred():
        yield f"entry {number}: {why}"
    for short in journal.books.shortfalls:
        if not short.agreed:
            yield f"entry {short.entry}: {journal.in_words(short)}"
    agreed = {(short.account, short.who): short for short in journal.books.shortfalls if short.agreed}
    for (account, who), short in agreed.items():
        if (holds := journal.books.balance(account, who)) < (journal.game.track(account).least or 0):
            yield f"{journal.title_of(account, who)}: {holds}, less than there can be, as agreed in entry {short.entry}"
    for debt in list_debts(journal):
        if debt.overdue:
            yield format_debt(journal, debt)
    yield from list_losses(journal)


def list_losses(journal: Journal) -> Iterator[str]:
    """Yield each question on the turn sheet that is answered with "no"."""
    if not journal.rules.events.sheet:
        return
    from ...service import ask  # imported late, as most games have no question on the sheet

    for question in dict.fromkeys(row.question for row in journal.rules.events.sheet):
        with suppress(InputError):
            report = ask(journal.position(), question)
            if report.verdict.kind == "no":
                yield set_in_type(f"{report.title}: {report.headline}", curly=False)


def format_conflict(journal: Journal, conflict: Conflict, time: WorkTime) -> str:
    """Return a text on an answer given from facts that have changed since, with the commands that settle it."""
    number = conflict.entry
    answer = next(entry.what for entry in journal.counting.entries if entry.number == number)
    assert isinstance(answer, Answer)
    changes = [_format_changed_fact(journal, *changed) for changed in conflict.changed[:3]]
    remainder = f" and {len(conflict.changed) - 3} more" if len(conflict.changed) > 3 else ""
    again, strike = f"`amend {number} again`", f"`strike {number}`"
    can_be_given = _try_again(journal, number, answer, time)
    others = f"{again} or {strike}" if can_be_given is None else f"or {again if can_be_given else strike}"
    return (
        f"entry {number} ({answer.question}) was given from {', '.join(changes)}{remainder}: `keep {number}`, {others}"
    )


def _try_again(journal: Journal, number: int, answer: Answer, time: WorkTime) -> bool | None:
    from .answers import can_be_given_again

    if time.is_over:
        return None
    try:
        return can_be_given_again(journal, number, answer, time)
    except OutOfTime:
        return None


def _format_changed_fact(journal: Journal, key: tuple[str, str], was: Any, now: Any) -> str:
    name, subject = key
    if name == ALL:
        return "another position"
    if name == STACK:
        return f"{subject}: {', '.join(was) or 'empty'}, now {', '.join(now) or 'empty'}"
    if name == "place":
        return f"{subject} in {was or 'no hex'}, now {now or 'off the map'}"
    track = journal.game.track(subject if name == ELSEWHERE else name)
    about = "all other hexes" if name == ELSEWHERE else subject
    before = "not stated" if was is None else track.write(was)
    after = "not stated" if now is None else track.write(now)
    return f"{track.title}{f' of {about}' if about else ''}: {before}, now {after}"


def list_debts(journal: Journal) -> Iterator[Debt]:
    """Yield the debts still open by the `[[debt]]` rows of `events.toml`.

    An amount gained by one account must be gained by another in the same turn or a given number of turns later. The
    oldest debt is paid first.
    """
    books = journal.books
    calendar = journal.rules.calendar
    for row in journal.rules.events.debt:
        owing: dict[str, list[tuple[int, int]]] = {}
        for posting in books.postings:
            if posting.account == row.account and posting.amount > 0:
                owing.setdefault(posting.who, []).append((posting.turn, posting.amount))
        for who, owed in owing.items():
            paid = [(p.turn, p.amount) for p in books.postings_of(row.by, who) if p.amount > 0]
            for turn, amount in _subtract_payments(owed, paid, calendar, row.within):
                until = calendar.after_turns(turn, row.within)
                is_over = until < books.turn
                label = calendar.label(min(until, calendar.last))
                yield Debt(who, row.title, amount, calendar.label(turn), label, is_over, row.rule)


def _subtract_payments(
    owed: list[tuple[int, int]], paid: list[tuple[int, int]], calendar: Calendar, within: int
) -> list[tuple[int, int]]:
    """Return the amounts still owed by turn. Each payment goes to the oldest debt that it is in time for.

    `within`: the number of turns after which a debt is overdue.
    """
    remaining = [amount for _, amount in owed]
    for paid_in, amount in paid:
        for index, (turn, _) in enumerate(owed):
            if turn <= paid_in <= calendar.after_turns(turn, within):
                payment = min(amount, remaining[index])
                remaining[index] -= payment
                amount -= payment
    by_turn = Counter[int]()
    for (turn, _), amount in zip(owed, remaining, strict=True):
        by_turn[turn] += amount
    return [(turn, amount) for turn, amount in by_turn.items() if amount]


def format_debt(journal: Journal, debt: Debt) -> str:
    """Return a text on an overdue debt."""
    title = journal.game.file.title_of(debt.who)
    return f"{title}: {debt.amount} {debt.title} of {debt.since} were due by {debt.until} (rule {debt.rule})"

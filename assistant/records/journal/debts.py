"""What a journal's accounts owe: postings that have to be made good in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import msgspec

from ...game.calendar import Calendar
from ...util.notes import note
from .journal import Journal


class Debt(msgspec.Struct, frozen=True):
    """What an account still owes for a posting."""

    who: Annotated[str, note("the nation or side")]
    title: Annotated[str, note("what is owed")]
    amount: Annotated[int, note("how much")]
    since: Annotated[str, note("the turn of the posting")]
    until: Annotated[str, note("the last turn to make it good")]
    overdue: Annotated[bool, note("whether that turn is over")]
    rule: Annotated[str, note("the rule")]


def list_debts(journal: Journal) -> Iterator[Debt]:
    """Yield what is still owed by the `[[debt]]` rows of `events.toml`: each amount that one account gained has to be
    gained by another in the same turn or so many turns after it. The oldest is made good first.
    """
    books = journal.books
    calendar = journal.rules.calendar
    for row in journal.rules.events.debt:
        owing: dict[str, list[tuple[int, int]]] = {}
        for posting in books.postings:
            if posting.account == row.account and posting.amount > 0:
                owing.setdefault(posting.who, []).append((posting.turn, posting.amount))
        for who, owed in owing.items():
            paid = [(p.turn, p.amount) for p in books.of_account(row.by, who) if p.amount > 0]
            for turn, left in _subtract_payments(owed, paid, calendar, row.within):
                until = calendar.after_turns(turn, row.within)
                is_over = until < books.turn
                label = calendar.label(min(until, calendar.last))
                yield Debt(who, row.title, left, calendar.label(turn), label, is_over, row.rule)


def _subtract_payments(
    owed: list[tuple[int, int]], paid: list[tuple[int, int]], calendar: Calendar, within: int
) -> list[tuple[int, int]]:
    """Return what is left of what is owed, by its turn, when payments make good the oldest that still can be."""
    left = [amount for _, amount in owed]
    for paid_in, amount in paid:
        for at, (turn, _) in enumerate(owed):
            if turn <= paid_in <= calendar.after_turns(turn, within):
                share = min(amount, left[at])
                left[at] -= share
                amount -= share
    by_turn = Counter[int]()
    for (turn, _), amount in zip(owed, left, strict=True):
        by_turn[turn] += amount
    return [(turn, amount) for turn, amount in by_turn.items() if amount]


def format_debt(journal: Journal, debt: Debt) -> str:
    """Return what is owed and overdue, in words."""
    title = journal.game.file.title_of(debt.who)
    return f"{title}: {debt.amount} {debt.title} of {debt.since} were due by {debt.until} (rule {debt.rule})"

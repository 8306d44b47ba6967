"""The accounts of a journal: the postings of each, with the entries and rules that caused them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from ...game.course import GAME
from ...game.turn_record import list_people
from ...game.typed_events import find_holder
from ...util.errors import InputError, nearest
from ...util.notes import note
from .journal import Journal


class AccountRow(msgspec.Struct, frozen=True):
    """A posting of an account, with the amount after it."""

    turn: Annotated[str, note("the turn")]
    amount: Annotated[int, note("the amount added")]
    holds: Annotated[int, note("the amount of the account after it")]
    entry: Annotated[int, note("the number of the entry, or 0 if a schedule made it")]
    rule: Annotated[str, note("the rule")]
    what: Annotated[str, note("the reason in words")]


class AccountPeriod(msgspec.Struct, frozen=True):
    """An account in a period of turns."""

    account: Annotated[str, note("the name of the account")]
    who: Annotated[str, note("the nation or side, or empty if the game")]
    title: Annotated[str, note("the account in words")]
    before: Annotated[int, note("the amount before the period")]
    after: Annotated[int, note("the amount at the end of the period")]
    rows: Annotated[tuple[AccountRow, ...], note("the postings in order")]
    levels: Annotated[
        tuple[tuple[str, int, str], ...], note("the levels: name, number, and the turn, empty until reached")
    ]

    @property
    def is_empty(self) -> bool:
        return not (self.rows or self.before)


def find_account(journal: Journal, text: str) -> str:
    """Return the name of an account, from its name or title.

    Raises InputError with the nearest names if there is no such account.
    """
    accounts = journal.rules.accounts
    named = {track.title.casefold(): name for name, track in accounts.items()} | {name: name for name in accounts}
    if name := named.get(text.casefold()):
        return name
    hint = nearest(text.casefold(), named) or f"accounts: {', '.join(accounts)}"
    raise InputError(f"{text[:40]!r} is not an account", hint=hint)


def _find_accounts(journal: Journal, text: str, who: str) -> Iterator[tuple[str, str]]:
    """Yield each account that a text names, with its holder.

    A text may name one account, or a sum with several.
    """
    accounts = journal.rules.accounts
    folded_name = text.casefold()
    parts = {
        name: track.sum_of[1] for name, track in accounts.items() if folded_name and track.sum_of[0] == folded_name
    }
    if folded_name in accounts or not parts:
        yield find_account(journal, text), who
    for name, of_enemies in parts.items():
        holders = _find_enemies(journal, who) if of_enemies else [who]
        for holder in holders:
            yield name, holder


def _find_enemies(journal: Journal, who: str) -> Sequence[str]:
    sides = journal.game.file.sides
    side = find_holder(journal.game, journal.rules.events, who) if who else ""
    return [other for other in sides if other != side] if side in sides else [who]


def open_accounts(journal: Journal, text: str, who: str, first: str = "", last: str = "") -> list[AccountPeriod]:
    """Return the accounts or parts of a sum that a text names, without empty ones unless all are empty.

    Raises InputError as `open_account` does.
    """
    opened = [open_account(journal, name, whose, first, last) for name, whose in _find_accounts(journal, text, who)]
    return [account for account in opened if not account.is_empty] or opened


def open_account(journal: Journal, account: str, who: str, first: str = "", last: str = "") -> AccountPeriod:
    """Return an account with its postings in a period.

    `who`: the nation or side, as typed.
    `first`, `last`: the turns of the period, or "" if all turns.

    Raises InputError if an account, nation or turn is unknown.
    """
    name = find_account(journal, account)
    calendar = journal.rules.calendar
    track = journal.game.track(name)
    subject = ""
    if track.on != "game":
        if not who:
            known = journal.game.file.sides if track.on == "side" else journal.rules.events.short or journal.people
            example = next(iter(known), "its name")
            raise InputError(
                f"the {track.on} of the account {name} is missing", hint=f"name the {track.on}, such as {example}"
            )
        holder = find_holder(journal.game, journal.rules.events, who)
        subject = "" if holder == GAME else holder
        _check_subject(journal, name, subject)
    begin = calendar.number(first) if first else 0
    end = calendar.number(last) if last else calendar.last
    if end < begin:
        raise InputError(f"{last} comes before {calendar.label(begin)}", hint="exchange from and to")
    postings = [*journal.books.postings_of(name, subject)]
    rows = list[AccountRow]()
    posted_since = sum(posting.amount for posting in postings if posting.turn >= begin)
    amount_before = holds = journal.books.balance(name, subject) - posted_since
    for posting in postings:
        if begin <= posting.turn <= end:
            holds += posting.amount
            turn = calendar.label(posting.turn)
            rows.append(AccountRow(turn, posting.amount, holds, posting.entry, posting.rule, posting.what))
    reached = {item.level: calendar.label(item.turn) for item in journal.books.reached if item.turn <= end}
    levels = journal.rules.levels.get((name, subject), ())
    return AccountPeriod(
        account=name,
        who=subject,
        title=journal.title_of(name, subject),
        before=amount_before,
        after=holds,
        rows=tuple(rows),
        levels=tuple((level.title, level.at, reached.get(level, "")) for level in levels),
    )


def _check_subject(journal: Journal, account: str, who: str) -> None:
    """Raise InputError unless the account belongs to a holder of this kind: game, side or nation."""
    sides = journal.game.file.sides
    kind = "game"
    if who:
        kind = "side" if who in sides else "nation"
    if (on := journal.game.track(account).on) != kind:
        suggestions = (
            sides.get(who, ()) if on == "nation" else [side for side, nations in sides.items() if who in nations]
        )
        if not who:
            suggestions = [name for name in list_people(journal.game) if (name in sides) == (on == "side")]
        raise InputError(
            f"{account} is an account of each {on}, not of {'a' if who else 'the'} {kind}",
            hint=f"name one: {', '.join(suggestions)}",
        )


def format_account(account: AccountPeriod) -> Iterator[str]:
    """Yield an account as lines: its amounts, its postings with entries or rules, and its levels."""
    yield f"{account.title}: {account.after}"
    if account.before:
        yield f"  {'before':9} {account.before:>13}"
    for row in account.rows:
        source = f"entry {row.entry}" if row.entry else "schedule"
        rule = f", rule {row.rule}" if row.rule else ""
        yield f"  {row.turn:9} {row.amount:>+6} {row.holds:>6}  {row.what} ({source}{rule})"
    for title, at, since in account.levels:
        yield f"  {title} at {at}: {since or f'{at - account.after} to go'}"


def format_accounts(accounts: Sequence[AccountPeriod]) -> Iterator[str]:
    """Yield accounts as lines with their sum. If there are several and all are empty, one line names them."""
    if len(accounts) > 1 and all(account.is_empty for account in accounts):
        yield f"nothing has been posted to {', '.join(account.account for account in accounts)}"
        return
    for account in accounts:
        yield from format_account(account)
    if len(accounts) > 1:
        yield f"in all: {sum(account.after for account in accounts)}"

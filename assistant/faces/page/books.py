"""A campaign's books on the page: the events of a game, and the accounts of a journal."""

from __future__ import annotations

from ...game.events import Kind, read_events
from ...game.games import Game
from ...game.typed_events import levels_by_account
from ...records.journal.accounts import open_account
from ...records.journal.journal import Journal
from .messages.books import AccountShown, BooksListed, EventListed, KindListed, LevelListed
from .messages.requests import AccountRequest


def list_books(game: Game) -> BooksListed | None:
    """Return the events and levels of a game, or None if its journals record no events."""
    events = read_events(game)
    if not events.event:
        return None
    return BooksListed(
        events=tuple(
            EventListed(
                word=word,
                title=event.title or word,
                rule=event.rule,
                on=event.on,
                only=event.only,
                accounts=_list_accounts(event),
                least=event.least,
                most=event.most,
                usual=event.usual,
                unit=event.unit,
                kinds=tuple(
                    KindListed(name=name, title=kind.title, only=kind.only, accounts=_list_accounts(kind))
                    for name, kind in event.kinds.items()
                ),
                needs_kind=bool(event.kinds) and not (event.posts or event.sets),
            )
            for word, event in events.event.items()
        ),
        levels=tuple(
            LevelListed(account=account, who=who, at=level.at, title=level.title)
            for (account, who), levels in levels_by_account(events).items()
            for level in levels
        ),
    )


def _list_accounts(kind: Kind) -> tuple[str, ...]:
    """Return the accounts of the nation itself that an event changes, without those of others such as `british.sp`."""
    return tuple(path for path in {**kind.posts, **kind.raises} if "." not in path)


def show_account(journal: Journal, request: AccountRequest) -> AccountShown:
    """Return an account of a journal with its postings.

    Raises InputError if the account or its holder is unknown.
    """
    account = open_account(journal, request.account, request.who)
    return AccountShown(title=account.title, holds=account.after, rows=account.rows, levels=account.levels)

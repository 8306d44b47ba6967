"""The messages about a campaign's books: the events of a game, and an account with its postings."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....records.journal.accounts import AccountRow
from ....util.notes import note


class KindListed(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of an event, typed after its amount."""

    name: str
    title: str
    only: Annotated[tuple[str, ...], note("the nations or sides to which it may happen, empty for all")]
    accounts: Annotated[tuple[str, ...], note("the accounts of the nation or side that it changes")]


class EventListed(msgspec.Struct, frozen=True, kw_only=True):
    """An event that a journal of the game records."""

    word: str
    title: str
    rule: str
    on: Literal["nation", "side", "game"]
    only: tuple[str, ...]
    accounts: tuple[str, ...]
    least: Annotated[int | None, note("the smallest amount, or null if it takes no amount")]
    most: int
    usual: Annotated[int | None, note("the amount if none is typed, or null if one must be typed")]
    unit: Annotated[bool, note("whether it names a unit")]
    kinds: tuple[KindListed, ...]
    needs_kind: bool


class LevelListed(msgspec.Struct, frozen=True, kw_only=True):
    """A number that an account may reach."""

    account: str
    who: Annotated[str, note("the nation or side, or empty for the game")]
    at: int
    title: str


class BooksListed(msgspec.Struct, frozen=True, kw_only=True):
    """The events of a game that keeps books, and the levels of its accounts from the lowest up."""

    events: tuple[EventListed, ...]
    levels: tuple[LevelListed, ...]


class AccountShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="account"):
    """An account with its postings."""

    title: Annotated[str, note("the holder and its title")]
    holds: Annotated[int, note("the amount now")]
    rows: Annotated[tuple[AccountRow, ...], note("the postings in order")]
    levels: Annotated[
        tuple[tuple[str, int, str], ...], note("the levels: name, number, and the turn, empty until reached")
    ]

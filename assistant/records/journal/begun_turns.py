"""The events due in the turns that begin with entries of a journal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ...asking.report import Part, Report, Step, step, to_text
from ...installed.registry import questions_of
from ...rules.due import DueItem, WhatIsDue, describe_item
from ...service import ask
from ...util.console import format_amount
from .journal import Journal

MAX_ITEMS = 12
"""The maximum number of items listed for several turns, so that they fit the screen; `due` lists all."""


def report_begun_turns(journal: Journal, since: int) -> Report[Any] | None:
    """Return the report on everything due in the turns begun since a turn.

    Returns None if no turn has begun or the game has no schedule.
    """
    if journal.turn <= since or "due" not in questions_of(journal.game):
        return None
    if journal.turn == since + 1:
        return ask(journal.position(), "due")
    return ask(journal.position(), "due", turn=journal.label(since + 1), until=journal.label(journal.turn))


def format_begun_turns(journal: Journal, since: int, width: int) -> Iterator[str]:
    """Yield everything due in the turns begun since a turn, or a selection of items if there are several turns."""
    yield from _list_losses(journal, since)
    report = report_begun_turns(journal, since)
    if report is None:
        return
    due = report.result
    if journal.turn > since + 1 and isinstance(due, WhatIsDue) and len(due.items) > MAX_ITEMS:
        report = msgspec.structs.replace(report, parts=(Part("Among them", tuple(_list_selected(journal, due))),))
    yield from to_text(msgspec.structs.replace(report, viewpoint=""), width).splitlines()


def _list_losses(journal: Journal, since: int) -> Iterator[str]:
    """Yield the losses of accounts by rule at the beginning of turns, which the new amounts alone do not explain."""
    for posting in journal.books.postings:
        is_scheduled = not posting.entry and posting.account not in journal.rules.schedules.counters
        if is_scheduled and posting.turn > since and posting.amount < 0:
            who = f"{journal.game.file.title_of(posting.who)}: " if posting.who else ""
            title = journal.game.track(posting.account).title
            yield f"! {who}{title}: {format_amount(posting.amount)}: {posting.what} (rule {posting.rule})"


def _list_selected(journal: Journal, due: WhatIsDue) -> Iterator[Step]:
    for item in select_items(due.items):
        said = describe_item(item, dated=True)
        who = journal.game.file.title_of(item.who) if item.who else "All"
        yield Step(said.rule, "{nation}, " + said.template, {**said.figures, "nation": who})
    text = "and {more} more: `due turn={first} until={last}` lists all"
    yield step("", text, due, more=len(due.items) - MAX_ITEMS)


def select_items(items: Sequence[DueItem], most: int = MAX_ITEMS) -> list[DueItem]:
    """Return `most` items in their order: the first of each kind, then others.

    Items without units that add to an account are chosen last, because the new amount of the account is shown anyway.
    """
    kinds = set[tuple[str, str]]()
    ranks = list[tuple[bool, bool, int]]()
    for number, item in enumerate(items):
        kind = item.item, item.action
        ranks.append((bool(item.account) and not item.units, kind in kinds, number))
        kinds.add(kind)
    return [items[number] for number in sorted(number for *_, number in sorted(ranks)[:most])]

"""Random campaigns: what is due in a turn, asked later, is what the books posted in it.

    python -m tests.der_weltkrieg.past [COUNT] [SEED]

A campaign begins with the war or in the middle of it, steps over turns or begins each, and holds what changes later turns: points,
levels, entries of neutrals, cities, counters that are stated, late entries, corrections. If nothing in it changes what is
not dated, the list is right without the journal too, by the position alone. Without its counters, which then read 0, it
asks for those by which the list goes, of the nation asked about alone, or the list is right.

Of every line that is typed: one `undo` after it gives back the books before it; and turns that are begun at once list what they list
when they are begun in two steps. Of the books: every account is what a second ledger makes of the entries and of what is due.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count
from types import MappingProxyType

import msgspec

from assistant import ask
from assistant.formats.positions import Position
from assistant.game.events import Event
from assistant.installed.registry import load_game
from assistant.records.journal.begun_turns import report_begun_turns
from assistant.records.journal.entries import Fact, JournalEntry
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.records.journal.typed_lines import read_typed
from assistant.util.errors import InputError

Gains = Counter[tuple[str, str]]
STARTS = (
    "",
    "turn=jan15/1\nnation austro-hungarian rotation=5\nnation french replacements-counted=8\n",
    "turn=oct16/4\n",
)
NATIONS = ("ge", "ah", "gb", "fr", "ru", "it", "ro")
UNDATED = ("be cities {0}", "fact nation russian divisions-complete", "fact nation french replacements-counted={1}")
"""What changes what is due and says not since when."""


def whole(journal: Journal) -> object:
    """What a journal comes to: its position, its postings, its turn."""
    state = journal.position().state
    facts = {key: fact for key, fact in state.facts.items() if fact.value != journal.game.track(key[0]).nothing}
    return facts, dict(state.units), journal.books.postings, journal.turn


def is_undo(before: Journal, typed: Sequence[JournalEntry]) -> bool:
    """Whether entries strike what `undo` would strike, so that an `undo` after them goes on with the line before."""
    try:
        undone = read_typed(before, "undo")
    except InputError:  # nothing stands
        return False
    return [entry.what for entry in undone] == [entry.what for entry in typed]


def faults_of_line(before: Journal, line: str, typed: Sequence[JournalEntry], after: Journal) -> Iterator[str]:
    """What is wrong with a line that has been typed: what `undo` does not give back, and what is due and not listed."""
    if not is_undo(before, typed) and whole(after.with_entries(read_typed(after, "undo"))) != whole(before):
        yield f"{line}: undo does not give back what was before it"
    report = report_begun_turns(after, before.turn)
    if report is None or after.turn == before.turn + 1:
        return
    middle = random.Random(f"{line} {before.turn}").randrange(before.turn + 1, after.turn)
    half = before.with_entries(read_typed(before, f"turn {before.label(middle)}"))
    rest = half.with_entries(read_typed(half, f"turn {half.label(after.turn)}"))
    steps = report_begun_turns(half, before.turn), report_begun_turns(rest, middle)
    items = [item for step in steps if step for item in step.result.items]
    if sorted(map(repr, report.result.items)) != sorted(map(repr, items)):
        yield f"{line}: what is due is not what is listed by way of {before.label(middle)}"


def faults_of_accounts(journal: Journal) -> Iterator[str]:
    """Where an account is not what a second ledger makes of what is due, of the events that count, and of what is stated.

    The ledger knows no posting: it adds up turn by turn.
    """
    events, game = journal.rules.events, journal.game
    held = Gains(
        {key: fact.value for key, fact in journal.start.state.facts.items() if game.track(key[0]).kind == "integer"}
    )
    past, stated = journal.books.past, set[tuple[str, str]]()
    faulty = {number for number, _ in journal.books.faults}
    entries = [*journal.counting.entries]
    for turn in range(past.first, past.last + 1):
        for row in events.ceiling if turn > past.first else ():
            if journal.label(turn) == row.at:
                held[row.account, row.who] = min(held[row.account, row.who], row.most)
        if turn > past.first or not journal.start.state.facts.get(("turn", "")):
            for due in past.brought_in(turn) or ():
                held[due.account, due.who] += due.amount
        for entry in entries:
            what = entry.what
            if max(entry.turn, past.first) != turn or entry.number in faulty:
                continue
            if isinstance(what, Fact):
                key, _, amount = what.line.rpartition("=")
                if amount.isdigit():
                    stated.add((key.split()[-1], key.split()[1]))
            elif isinstance(what, Event):
                word = events.event[what.word]
                kind = word.kinds.get(what.kind, word) if what.kind else word
                for path, each in (kind.posts or word.posts).items():
                    nation, _, account = path.rpartition(".")
                    held[account, nation or what.who] += each * (what.amount or 0)
    for (account, who), amount in held.items():
        if account in ("dm", "sp") and (account, who) not in stated and journal.books.balance(account, who) != amount:
            yield f"{who} {account}: {journal.books.balance(account, who)}, by the second ledger {amount}"


def lines(dice: random.Random, turn: str, last: int) -> Iterator[tuple[str, bool]]:
    """What happens in a turn, line by line, each with whether all of it is dated."""
    for _ in range(dice.randrange(4)):
        who = dice.choice(NATIONS)
        dated = [
            f"{who} dm {dice.choice((3, 60, 300, 700))}",
            f"ge dm {dice.randrange(1, 40)}, force {who} spend {dice.randrange(1, 9)}",
            f"force us give {dice.randrange(1, 30)} {dice.choice(('french', 'british'))}",
            f"force {who} spend {dice.randrange(1, 40)}",
            f"force fr rebuild {dice.randrange(1, 9)} colonial",
            f"{dice.choice(('it', 'ro'))} enters",
            "serbia-fell",
            f"strike {dice.randrange(1, last + 2)}",
            f"late {dice.choice(('dec14/3', 'feb15/2', 'nov16/1'))} {who} dm 200",
        ]
        if dice.randrange(6):
            yield dice.choice(dated), True
        else:
            yield dice.choice(UNDATED).format(dice.randrange(9), dice.randrange(30)), False


def campaign(seed: int, said: list[str] | None = None) -> tuple[Journal, bool]:
    """A random campaign, and whether all that happens in it is dated. said: takes what is wrong with its lines, None if they are
    not judged.
    """
    dice, entered = random.Random(f"campaign {seed}"), set[str]()
    head = f"journal der-weltkrieg 1\n{dice.choice(STARTS)}"
    journal, all_dated = Journal.read(parse_journal(head.encode(), "war.journal"), "war.journal", load_game), True
    for _ in range(dice.randrange(4, 14)):
        number = journal.turn + dice.choice((1, 1, 2, 5, 9, 17))
        if number > journal.rules.calendar.last:
            break
        turn = journal.label(number)
        for line, is_dated in ((f"turn {turn}", True), *lines(dice, turn, journal.last)):
            try:
                typed = read_typed(journal, line)
                after = journal.with_entries(typed)
            except InputError:  # such as what has happened already
                continue
            if said is not None:
                said += faults_of_line(journal, line, typed, after)
            journal = after
            again = line in entered  # a date that is stated anew is not known any more as it was
            entered |= {line} if line.endswith(("enters", "fell")) else set()
            all_dated = all_dated and is_dated and not again
    return journal, all_dated


def posted(journal: Journal, first: int, last: int) -> Gains:
    """What schedules brought in a period by the postings of the books."""
    gains, counters = Gains(), journal.rules.schedules.counters
    lowered = {row.rule for row in journal.rules.events.ceiling}
    for posting in journal.books.postings:
        of_schedule = not posting.entry and posting.account not in counters and posting.rule not in lowered
        if first <= posting.turn <= last and of_schedule:
            gains[posting.who, posting.account] += posting.amount
    return gains


def listed(journal: Journal, position: Position, first: int, last: int) -> Gains:
    """What is due in a period, as it is asked now."""
    found = ask(position, "due", turn=journal.label(first), until=journal.label(last)).result
    return Gains({(who, account): amount for who, account, amount in found.totals})


def uncounted(position: Position, counters: Collection[str]) -> Position:
    """A position without what its counters hold."""
    facts = MappingProxyType({key: fact for key, fact in position.state.facts.items() if key[0] not in counters})
    return msgspec.structs.replace(position, state=msgspec.structs.replace(position.state, facts=facts))


def faults_uncounted(journal: Journal, position: Position, first: int, last: int) -> Iterator[str]:
    """Where the list of a period for a nation is neither right nor asks for a counter of it that the books count in the period.

    position: without counters, which were higher than 0 if the books have counted anything since the period began.
    """
    counters = journal.rules.schedules.counters
    counts = [posting for posting in journal.books.postings if posting.account in counters and not posting.entry]
    brought = posted(journal, first, last)
    for who in sorted({posting.who for posting in counts}):
        mine = [posting for posting in counts if posting.who == who and posting.amount > 0]
        report = ask(position, "due", turn=journal.label(first), until=journal.label(last), who=(who,))
        period = f"{journal.label(first)} to {journal.label(last)} for {who}, without counters"
        if report.verdict.kind == "undecided":
            counted = {(posting.account, who) for posting in mine if first <= posting.turn <= last}
            if not {each.key for each in report.asks} <= counted:
                yield f"{period}: asks for {', '.join(each.how for each in report.asks)}"
        elif any(first <= posting.turn < journal.turn for posting in mine):
            due = Gains({(whose, account): amount for whose, account, amount in report.result.totals if whose == who})
            right = Gains({key: amount for key, amount in brought.items() if key[0] == who})
            if due != right:
                yield f"{period}: due {due - right} more, {right - due} less"


def faults(seed: int) -> Iterator[str]:
    """Where the list of an earlier turn or period of a campaign is not what the books posted, with the books and without."""
    said: list[str] = []
    journal, all_dated = campaign(seed, said)
    yield from (f"campaign {seed}, {fault}" for fault in (*said, *faults_of_accounts(journal)))
    begun = journal.books.start.facts.get(("turn", ""))
    start = journal.rules.calendar.number(str(begun.value)) + 1 if begun else 1
    now, dice = journal.position(), random.Random(f"periods {seed}")
    bare = msgspec.structs.replace(now, past=None)
    asked = [now, bare] if all_dated else [now]
    for position in asked if journal.turn >= start else ():
        for _ in range(4):
            first = dice.randrange(start, journal.turn + 1)
            last = min(journal.turn, first + dice.choice((0, 0, 3, 30)))
            due, brought = listed(journal, position, first, last), posted(journal, first, last)
            if due != brought:
                period = f"{journal.label(first)} to {journal.label(last)}"
                by = "books" if position is now else "position alone"
                yield f"campaign {seed}, {period}, by the {by}: due {due - brought} more, {brought - due} less"
            if position is bare:
                less = uncounted(bare, journal.rules.schedules.counters)
                yield from (f"campaign {seed}, {fault}" for fault in faults_uncounted(journal, less, first, last))


def list_faults(seed: int) -> list[str]:
    """What is wrong with a campaign, or why it could not be judged."""
    try:
        return [*faults(seed)]
    except Exception as error:
        return [f"campaign {seed}: {error!r}"]


def main(count: int = 3000, seed: int = 0) -> int:
    """Try so many campaigns; the number of those at fault."""
    with ProcessPoolExecutor(cpu_count()) as pool:
        found = pool.map(list_faults, range(seed, seed + count), chunksize=10)
        wrong = [fault for each in found for fault in each]
    print(*wrong[:20], f"{count} campaigns, {len(wrong)} faults", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

"""What holds for every journal, however it came about: events of several nations, facts, answers, late entries, corrections of
corrections, entries that cannot take effect.
"""

from __future__ import annotations

from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.game.games import Game
from assistant.records.journal import fold
from assistant.records.journal.entries import Amend, TurnBegins
from assistant.records.journal.exchange import list_texts, read_message, write_message
from assistant.records.journal.journal import Journal, JournalMoment
from assistant.records.journal.typed_lines import read_typed
from assistant.util.grown import Grown

from ....cases import thorough
from .small import NATIONS, PLAIN_STEPS, STEPS, Step, journal, lines_of, play, typed, whole

pytestmark = pytest.mark.hypothesis


@thorough
@settings(max_examples=40)
@given(steps=STEPS)
def test_a_journal_that_goes_on_equals_one_that_is_read_anew(game: Game, steps: list[Step]) -> None:
    with patch.object(fold, "_CHECKPOINT_ENTRIES", 3):
        book = play(journal(game), *steps)
        anew = journal(game, *lines_of(book))
        assert anew.entries == book.entries and not anew.faults
        assert whole(anew) == whole(book) and anew.books.postings == book.books.postings
        assert anew.books.shortfalls == book.books.shortfalls and anew.asking == book.asking
        assert [*map(str, anew.all_faults())] == [*map(str, book.all_faults())]
        half = JournalMoment(book.label(max(book.turn // 2, 1)))
        assert anew.position(half).state == book.position(half).state


@settings(max_examples=40)
@given(steps=PLAIN_STEPS, which=st.integers(0, 20), other=STEPS.filter(bool))
def test_an_amendment_equals_a_journal_that_was_right_at_first(
    game: Game, steps: list[Step], which: int, other: list[Step]
) -> None:
    book = play(journal(game), *steps)
    entries = [entry for entry in book.entries if not isinstance(entry.what, TurnBegins)]
    if not entries:
        return
    wrong = entries[which % len(entries)]
    for step in other:
        amended = play(book, f"force amend {wrong.number} {typed(book, step).removeprefix('force ')}")
        if amended is not book:
            (correction,) = amended.entries[len(book.entries) :]
            assert isinstance(correction.what, Amend)
            right = msgspec.structs.replace(wrong, what=correction.what.what, force=True)
            lines = lines_of(book)
            lines[wrong.number - 1] = lines_of(book.with_entries([right]))[-1]
            assert whole(amended) == whole(journal(game, *lines))


@settings(max_examples=40)
@given(steps=STEPS, further=STEPS)
def test_strike_undoes_exactly(game: Game, steps: list[Step], further: list[Step]) -> None:
    book = play(journal(game), *steps)
    more = play(book, *(step for step in further if step[0] != "undo"))
    back = play(more, *(f"strike {entry.number}" for entry in reversed(more.entries[len(book.entries) :])))
    assert whole(back) == whole(book) and back.books.postings == book.books.postings and back.asking == book.asking
    undone = play(more, *["undo"] * (len(more.entries) - len(book.entries)))
    if not any(step[0] == "strike" for step in further):  # what strikes the entry before it is an undo itself
        assert whole(undone) == whole(book)


@settings(max_examples=20)
@given(steps=STEPS, line=st.lists(st.sampled_from(range(40)), min_size=1, max_size=4), force=st.booleans())
def test_one_undo_takes_back_all_that_a_line_enters(
    game: Game, steps: list[Step], line: list[int], force: bool
) -> None:
    book = play(journal(game), *steps)
    parts = [f"{NATIONS[pick % 3]} {('dm', 'spend')[pick % 2]} {pick + 1}" for pick in line]
    for typed_line in (", ".join(f"force {part}" if force else part for part in parts), "turn next"):
        after = play(book, typed_line)
        if after is not book:
            undone = play(after, "undo")
            assert whole(undone) == whole(book) and undone.books.postings == book.books.postings
            assert undone.asking == book.asking and undone.turn == book.turn


def test_an_entry_of_a_line_that_is_struck_alone_comes_back(game: Game) -> None:
    book = play(journal(game), "ru dm 4, ro dm 5", "strike 2")
    assert whole(play(book, "undo")) == whole(play(journal(game), "ru dm 4, ro dm 5"))
    assert whole(play(book, "undo", "undo")) == whole(journal(game))


@settings(max_examples=40)
@given(steps=STEPS)
def test_every_account_is_the_sum_of_its_postings(game: Game, steps: list[Step]) -> None:
    book = play(journal(game, head=("setup august", "nation rust sp=20", "nation navy dm=7")), *steps)
    for account, who in {(posting.account, posting.who) for posting in book.books.postings}:
        began = {("sp", "rust"): 20, ("dm", "navy"): 7}.get((account, who), 0)
        holds = book.books.balance(account, who)
        assert holds == began + sum(posting.amount for posting in book.books.postings_of(account, who))
        stated = book.position().state.facts[account, who].value
        assert stated == (holds if account == "vp" else max(holds, 0))


@settings(max_examples=40)
@given(steps=STEPS, turn=st.integers(1, 6))
def test_a_state_depends_on_nothing_later(game: Game, steps: list[Step], turn: int) -> None:
    """Corrections excepted: they are taken first."""
    book = play(journal(game), *steps)
    plain = book.with_entries(())
    plain.entries = Grown(book.counting.entries)
    at = min(turn, book.turn)
    alone = plain.with_entries(())
    alone.entries = Grown(entry for entry in plain.entries if entry.turn <= at)
    moment = JournalMoment(book.label(at))
    assert book.position(moment).state == plain.position(moment).state == alone.position(moment).state
    if alone.entries:
        last = JournalMoment(entry=alone.entries[-1].number)
        assert book.position(last).state == alone.position(last).state


COMMUTE = (
    "ru dm 60",
    "na dm 40",
    "force ro spend 3",
    "game score 4",
    "force na rebuild 2 infantry",
    "ru lose A1",
    "fact B1 -1",
)


@thorough
@settings(max_examples=40)
@given(steps=STEPS, order=st.permutations(COMMUTE), count=st.integers(2, len(COMMUTE)), further=PLAIN_STEPS)
def test_entries_of_one_turn_that_touch_different_accounts_commute(
    game: Game, steps: list[Step], order: list[str], count: int, further: list[Step]
) -> None:
    book = play(journal(game), *steps)
    one, other = (play(book, *some, *further) for some in (order[:count], reversed(order[:count])))
    assert whole(one) == whole(other)


@thorough
@settings(max_examples=40)
@given(steps=STEPS, faulty=st.lists(st.tuples(st.integers(0, 14), st.integers(0, 40)), max_size=5))
def test_entries_that_cannot_take_effect_change_nothing(
    game: Game, steps: list[Step], faulty: list[tuple[int, int]]
) -> None:
    book = play(journal(game), *steps)
    plain = list(book.counting.entries)
    lines = [f"{book.label(entry.turn)} {word(book, entry)}" for entry in plain]
    for at, pick in sorted(faulty, reverse=True):
        turn = book.label(plain[at].turn) if at < len(plain) else book.label(book.turn)
        line = typed(book, ("fact" if pick % 2 else "answer", pick, 1))
        lines.insert(at, f"{turn} {line}") if at <= len(lines) else lines.append(f"{turn} {line}")
    mixed = journal(game, *lines)
    failed = {number for number, _ in mixed.books.faults}
    sound = journal(game, *(line for number, line in enumerate(lines, 1) if number not in failed))
    assert whole(mixed) == whole(sound) and not sound.books.faults


def word(book: Journal, entry: object) -> str:
    line = book.write_line(entry)  # type: ignore[arg-type]
    return f"{'force ' * ('force' in line.flags)}{line.head} {line.rest}".strip()


def take(book: Journal, message: str) -> Journal:
    """A journal with what it lacks of a message, as `take --yes` takes it."""
    lines = read_message(book, message, "mail.txt").lines
    return book.check_typed(read_typed(book, *lines, force=True)) if lines else book


def texts(book: Journal) -> list[str]:
    return sorted(str(said) for said in list_texts(book).values())


MAILS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=8)


@thorough
@settings(max_examples=40)
@given(steps=STEPS, mails=MAILS)
def test_mails_in_any_batches_and_order_give_the_same_entries_and_accounts(
    game: Game, steps: list[Step], mails: list[tuple[int, int]]
) -> None:
    ours, theirs = play(journal(game), *steps), journal(game)
    for until, since in mails:
        at_that_time = ours.until(until)
        theirs = take(theirs, write_message(at_that_time, min(since, until))[0])
    message = write_message(ours, 0)[0]
    theirs = take(theirs, message)
    assert texts(theirs) == texts(ours)
    assert whole(theirs) == whole(ours)
    again = read_message(theirs, message, "mail.txt")
    assert (again.lines, again.forks, again.missing) == ((), (), ())
    assert write_message(theirs, 0)[0].splitlines()[1:] != [] or not ours.entries


OWN = st.lists(st.tuples(st.sampled_from(["dm", "score", "turn", "amend", "strike", "undo", "mail"]), st.integers(0, 40), st.integers(1, 120), st.booleans()), max_size=16)  # fmt: skip


@thorough
@settings(max_examples=40)
@given(steps=OWN)
def test_two_players_who_correct_their_own_entries_come_to_the_same(
    game: Game, steps: list[tuple[str, int, int, bool]]
) -> None:
    books = [journal(game), journal(game)]
    own: list[set[str]] = [set(), set()]
    for kind, pick, amount, second in steps:
        book = books[second]
        if kind == "mail":
            books[second] = take(book, write_message(books[not second], 0)[0])
            continue
        mine = [number for number, said in list_texts(book).items() if str(said) in own[second]]
        line = {
            "dm": f"{('ru', 'na')[pick % 2]} dm {amount} by {int(second)}",
            "score": f"game score {amount} by {int(second)}",
            "turn": "turn next",
            "amend": f"amend {mine[pick % len(mine)]} {amount}" if mine else "",
            "strike": f"strike {mine[pick % len(mine)]}" if mine else "",
            "undo": f"strike {mine[-1]}" if mine else "",
        }[kind]
        books[second] = play(book, line)
        if kind != "turn":
            own[second] |= {str(said) for said in list(list_texts(books[second]).values())[len(book.entries) :]}
    for _ in range(2):
        books = [take(book, write_message(other, 0)[0]) for book, other in zip(books, reversed(books), strict=True)]
    one, other = books
    assert texts(one) == texts(other)
    assert whole(one) == whole(other)

"""Lines that players send each other: taken once, in any batches, and no more than the other side may know."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.game.games import Game
from assistant.journal.exchange import read_message, write_message
from assistant.journal.journal import Journal
from assistant.util.errors import InputError

from .small import journal, small_game


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return small_game(tmp_path_factory.mktemp("small-war"))


def after(book: Journal, *typed: str) -> Journal:
    for line in typed:
        book = book.check_typed(book.read_typed(line))
    return book


def take(book: Journal, message: str) -> Journal:
    return after(book, *read_message(book, message, "mail.txt").lines)


def figures(book: Journal) -> object:
    return {(p.account, p.who): book.books.balance(p.account, p.who) for p in book.books.postings}


def test_entries_are_taken_once(game: Game) -> None:
    ours = after(
        journal(game), "ru dm 22 at the ford", "ru dm 22 at the ford", "turn next", "amend 1 18", "fact 0102: A1"
    )
    message, withheld = write_message(ours, 0)
    assert message.splitlines()[1:] == [
        "aug14/1 ru dm 22 at the ford",
        "aug14/1 ru dm 22 at the ford ^2",
        "aug14/2 turn",
        "aug14/2 amend {aug14/1 ru dm 22 at the ford} ru dm 18 at the ford",
        "aug14/2 fact 0102: A1",
    ]
    theirs = take(journal(game), message)
    assert withheld == 0 and figures(theirs) == figures(ours)
    again = read_message(theirs, message, "mail.txt")
    assert (again.lines, again.known) == ((), 5)


def test_a_correction_finds_its_entry_by_what_it_says(game: Game) -> None:
    ours = after(journal(game), "ru dm 5", "na dm 7", "strike 2")
    theirs = after(journal(game), "ro dm 1", "na dm 7")
    taken = take(theirs, write_message(ours, 2)[0])
    assert taken.books.balance("dm", "navy") == 0 and taken.books.balance("dm", "rose") == 1
    alone = read_message(journal(game), write_message(ours, 2)[0], "mail.txt")
    assert alone.missing == ("aug14/1 strike {aug14/1 na dm 7}",)


def test_both_sides_of_a_fork_are_shown(game: Game) -> None:
    ours, theirs = (after(journal(game), "ru dm 5", f"amend 1 {amount}") for amount in (6, 7))
    taken = read_message(theirs, write_message(ours, 1)[0], "mail.txt")
    (fork,) = taken.forks
    assert (str(fork.target), fork.ours, fork.theirs) == (
        "aug14/1 ru dm 5",
        "aug14/1 amend {aug14/1 ru dm 5} ru dm 7",
        "aug14/1 amend {aug14/1 ru dm 5} ru dm 6",
    )
    assert taken.lines == ()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda text: text.replace("22", "23"), "not as it was sent"),
        (lambda text: "\n".join(text.splitlines()[:-1]), "not as it was sent"),
        (lambda text: text.replace("small-war", "other-war"), "of other-war"),
        (lambda text: "Hello\n", "not a message"),
    ],
)
def test_a_message_that_was_changed_is_refused(game: Game, change: object, what: str) -> None:
    message, _ = write_message(after(journal(game), "ru dm 22", "ru dm 4"), 0)
    with pytest.raises(InputError, match=what):
        read_message(journal(game), change(message), "mail.txt")  # type: ignore[operator]


def test_a_message_survives_a_mail_program(game: Game) -> None:
    message, _ = write_message(after(journal(game), "ru dm 22", "ru dm 4"), 0)
    mangled = "Dear Anna,\r\n\r\n" + "".join(f"> {line}\r\n" for line in message.splitlines()) + "\r\nYours, Bert\r\n"
    assert len(read_message(journal(game), mangled, "mail.txt").lines) == 2


EVENTS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["ru", "na"]), st.integers(1, 3)), max_size=8)


@pytest.mark.hypothesis
@settings(max_examples=40)
@given(first=EVENTS, second=EVENTS, cuts=st.lists(st.integers(0, 8), max_size=4))
def test_any_batches_give_the_same_entries_and_accounts(
    game: Game, first: list[tuple[int, str, int]], second: list[tuple[int, str, int]], cuts: list[int]
) -> None:
    def kept(events: list[tuple[int, str, int]], who: str) -> Journal:
        book = journal(game)
        for turns, nation, amount in events:
            for _ in range(turns):
                book = after(book, "turn next")
            book = after(book, f"{nation} dm {amount} noted by {who}")
        return book

    ours, theirs = kept(first, "A"), kept(second, "B")
    sent = ours
    for cut in [*sorted(cuts, reverse=True), 0]:
        theirs = take(theirs, write_message(sent, min(cut, sent.last))[0])
    ours = take(ours, write_message(theirs, 0)[0])
    assert sorted(entry_texts(ours)) == sorted(entry_texts(theirs))
    if ours.turn == theirs.turn:
        assert figures(ours) == figures(theirs)


def entry_texts(book: Journal) -> list[str]:
    from assistant.journal.exchange import texts_of

    return [told.text for told in texts_of(book).values() if not told.text.endswith(" turn")]


def test_what_a_side_may_not_know_is_withheld(tmp_path: Path) -> None:
    from assistant.plugins.registry import load_game

    twilight = load_game("twilight-in-the-east")
    head = (
        "journal twilight-in-the-east 1\nturn=1\n40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)\n41.19: 1/1 (12-16-7-11)\n"
    )
    lines = "1 1 fact 25/3 -2\n2 1 fact 27/3 -1\n3 1 fact 41.19 clear\n"
    from assistant.journal.files import parse_journal

    book = Journal(parse_journal((head + lines).encode(), "x.journal"), "x.journal", lambda _: twilight)
    message, withheld = write_message(book, 0, "central-powers")
    whole, none = write_message(book, 0)
    assert none == 0 and "27/3" in whole
    assert withheld and "27/3" not in message and "41.19 clear" in message

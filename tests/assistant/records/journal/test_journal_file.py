"""A journal in its file: what has been added is read alone, and what a tap enters counts once."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.game.games import Game
from assistant.records.journal.files import create, parse_journal, parse_more
from assistant.records.journal.journal_file import Added, JournalFile
from assistant.records.journal.lines import write_entry
from assistant.util.errors import InputError

from ....cases import thorough
from .small import STEPS, Step, play, whole

HEAD = "journal small-war 1\nsetup august\n"


@pytest.fixture
def file(game: Game, tmp_path: Path) -> JournalFile:
    path = tmp_path / "war.journal"
    path.write_text(HEAD)
    return JournalFile(path, lambda _: game)


def known(file: JournalFile) -> object:
    """All that is known of a journal, or why it cannot be read."""
    try:
        book = file.read()
    except InputError as error:
        return str(error)
    text = msgspec.structs.replace(book.text, faults=())  # which are compared by what they say
    return text, book.entries, [str(fault) for fault in book.all_faults()], whole(book), book.asking


PIECES = st.sampled_from(
    ["", "\n", "\r\n", "nonsense\n", "9 aug14/1 ru dm 2\n", "2 aug14/1 ru dm 2 ~zzz\n", "\0", "\ufffd"]
)


@thorough
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.hypothesis
@given(steps=STEPS, pieces=st.lists(st.tuples(st.integers(0, 14), PIECES, st.integers(0, 30)), max_size=4))
def test_what_is_read_of_a_file_as_it_grows_is_what_is_read_of_it_at_once(
    game: Game, file: JournalFile, steps: list[Step], pieces: list[tuple[int, str, int]]
) -> None:
    create(file.file, HEAD, force=True)
    spoilt, book = {at: (piece, cut) for at, piece, cut in pieces}, file.read()
    for at, step in enumerate(steps):
        after = play(book, step)
        lines = [write_entry(after.write_line(entry)) for entry in after.entries[len(book.entries) :]]
        data = file.file.read_bytes() + "".join(f"{line}\n" for line in lines).encode()  # by another program
        if at in spoilt:
            piece, cut = spoilt[at]
            data = data[: max(len(HEAD) + 5, len(data) - cut)] + piece.encode()
        file.file.write_bytes(data)
        assert known(file) == known(JournalFile(file.file, file.load_game))
        with suppress(InputError):
            book = file.read()


def test_only_what_was_added_is_read(file: JournalFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.add("ru dm 4")
    file.read()
    monkeypatch.setattr("assistant.records.journal.journal_file.parse_journal", None)
    assert file.add("ru dm 5").journal.last == 2
    assert [entry.number for entry in file.read().entries] == [1, 2]


@pytest.mark.parametrize(("data", "more"), [(HEAD, "ru dm 2\n"), (HEAD, "\n1 aug14/1 ru dm 2\n"), (f"{HEAD}1 aug14/1 ru dm 2", "2\n"), (f"{HEAD}1 aug14/1 ru dm 2\n", "2 aug14/1 ru dm")])  # fmt: skip
def test_what_does_not_go_on_from_whole_entries_is_read_with_them(data: str, more: str) -> None:
    text = parse_journal(data.encode(), "war.journal")
    assert parse_more(text, data.encode(), more.encode(), "war.journal") is None


def test_first_entry_goes_on_from_a_journal_without_any() -> None:
    text = parse_journal(HEAD.encode(), "war.journal")
    more = parse_more(text, HEAD.encode(), b"1 aug14/1 ru dm 2\n", "war.journal")
    assert more == parse_journal(f"{HEAD}1 aug14/1 ru dm 2\n".encode(), "war.journal")
    assert more is not None and [*more.lines]


# --- taps ---------------------------------------------------------------------------------------------------------------


def enter_by(file: JournalFile, tap: str, *texts: str) -> Added:
    """Add what a tap enters."""
    with file.for_tap(tap):
        return file.add(*texts)


@pytest.mark.parametrize("tap", ["1", "a b", "\N{SNOWMAN}" * 900, "../../x", "\udcff"])
def test_what_a_tap_enters_counts_once(file: JournalFile, tap: str) -> None:
    assert enter_by(file, tap, "ru dm 4", "fact A1 -1").journal.last == 2
    again = enter_by(file, tap, "ru dm 4", "fact A1 -1")
    assert (again.entries, again.journal.last) == ((), 2)
    anew = JournalFile(file.file, file.load_game)
    assert anew.entered_by(tap) == 2 and not anew.entered_by(tap + "x")
    assert enter_by(anew, tap + "x", "ru dm 4").journal.last == 3
    assert all(row.isascii() and len(row) < 60 for row in file.file.read_text().splitlines())


def test_what_was_cut_off_while_a_tap_was_entered_was_not_entered(file: JournalFile) -> None:
    enter_by(file, "tap", "ru dm 4", "fact A1 -1")
    data = file.file.read_bytes()
    for cut in range(len(HEAD) + 8, len(data) - 1):
        file.file.write_bytes(data[:cut])
        assert not JournalFile(file.file, file.load_game).entered_by("tap"), data[:cut]
    for whole_again in (data[:-1], data):  # but for its line end, it is there
        file.file.write_bytes(whole_again)
        assert JournalFile(file.file, file.load_game).entered_by("tap") == 2


def test_a_tap_that_two_send_at_once_counts_once(file: JournalFile) -> None:
    other = JournalFile(file.file, file.load_game)
    other.read()
    enter_by(file, "tap", "ru dm 4")
    assert enter_by(other, "tap", "ru dm 4").entries == ()
    assert file.read().books.balance("dm", "rust") == 4


def test_what_corrects_the_entry_of_a_tap_leaves_it_known(file: JournalFile) -> None:
    enter_by(file, "tap", "ru dm 4")
    file.add("undo")
    assert enter_by(file, "tap", "ru dm 4").entries == () and file.read().books.balance("dm", "rust") == 0


def test_all_that_a_tap_adds_is_entered_and_none_of_it_twice(file: JournalFile) -> None:
    for last in (2, 2):
        with file.for_tap("tap"):
            file.add("ru dm 4")
            file.add("fact A1 -1")
        assert file.read().last == last
    assert file.entered_by("tap") == 2


def test_more_than_is_left_is_spent_by_force_alone_and_an_earlier_turn_is_entered_as_late(file: JournalFile) -> None:
    with pytest.raises(InputError):
        file.add("ru spend 5")
    assert file.add("ru spend 5", force=True).journal.books.balance("sp", "rust") == -5
    file.add("turn next")
    with pytest.raises(InputError):
        file.add("aug14/1 ru dm 2")
    assert file.add("aug14/1 ru dm 2", late=True).journal.last == 3

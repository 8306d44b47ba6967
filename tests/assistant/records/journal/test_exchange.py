"""Lines that players send each other: taken once, in any batches, and no more than the other side may know."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.records.journal.exchange import list_texts, read_message, write_message
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.records.journal.journal_file import JournalFile
from assistant.records.journal.lines import JournalLine, compute_check
from assistant.records.journal.typed_lines import read_typed
from assistant.util.errors import InputError

from ....cases import thorough
from .small import after, journal


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
        "^2 aug14/1 ru dm 22 at the ford",
        "aug14/2 turn",
        'aug14/2 amend "aug14/1 ru dm 22 at the ford" ru dm 18 at the ford',
        "aug14/2 fact 0102: A1",
    ]
    theirs = take(journal(game), message)
    assert withheld == 0 and figures(theirs) == figures(ours)
    again = read_message(theirs, message, "mail.txt")
    assert (again.lines, again.known) == ((), 5)


def test_a_question_that_is_open_is_not_sent(game: Game) -> None:
    """It may name what is hidden, and belongs to one table: a mail with it around says nothing of it, not even that it is there."""
    asked = "asked check secret=A1 | die=4 | steps B1 = 2"
    plain = after(journal(game), "ru dm 22", "fact 0102: A1", "ru dm 4", "amend 1 18")
    ours = after(journal(game), asked, "ru dm 22", "asked", "fact 0102: A1", asked, "strike 5", "strike 6", "ru dm 4", "amend 2 18")  # fmt: skip
    for side in ("", "blue"):
        for since, of_plain in ((0, 0), (2, 1), (8, 3)):
            assert write_message(ours, since, side) == write_message(plain, of_plain, side)
    theirs = take(after(journal(game), "asked check who=B1"), write_message(ours, 0)[0])
    assert figures(theirs) == figures(ours) and theirs.asking.question.question == "check who=B1"
    again = read_message(theirs, write_message(ours, 0)[0], "mail.txt")
    assert (again.lines, again.missing, again.forks) == ((), (), ())


@pytest.mark.parametrize("line", ["aug14/1 asked check who=A1 | die=1", "aug14/1 ASKED check", "aug14/1 asked"])
def test_a_question_in_a_mail_is_refused(game: Game, line: str) -> None:
    with pytest.raises(InputError, match="a question that is open is not sent"):
        read_message(journal(game), f"journal small-war: 1 entry ~{compute_check(line)}\n{line}\n", "mail.txt")


def test_a_tap_is_not_sent(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "war.journal"
    file.write_text("journal small-war 1\n")
    opened = JournalFile(file, lambda _: game)
    with opened.for_tap("some tap"):
        opened.add("ru dm 22")
    assert "tap=" in file.read_text() and "tap" not in write_message(opened.read(), 0)[0]


def test_a_correction_finds_its_entry_by_what_it_says(game: Game) -> None:
    ours = after(journal(game), "ru dm 5", "na dm 7", "strike 2")
    theirs = after(journal(game), "ro dm 1", "na dm 7")
    taken = take(theirs, write_message(ours, 2)[0])
    assert taken.books.balance("dm", "navy") == 0 and taken.books.balance("dm", "rose") == 1
    alone = read_message(journal(game), write_message(ours, 2)[0], "mail.txt")
    assert alone.missing == ('aug14/1 strike "aug14/1 na dm 7"',)


def test_both_sides_of_a_fork_are_shown(game: Game) -> None:
    ours, theirs = (after(journal(game), "ru dm 5", f"amend 1 {amount}") for amount in (6, 7))
    taken = read_message(theirs, write_message(ours, 1)[0], "mail.txt")
    ((target, ours, theirs),) = taken.forks
    assert (str(target), ours, theirs) == (
        "aug14/1 ru dm 5",
        'aug14/1 amend "aug14/1 ru dm 5" ru dm 7',
        'aug14/1 amend "aug14/1 ru dm 5" ru dm 6',
    )
    assert taken.lines == ()


def test_a_second_correction_that_is_sent_alone_is_no_fork(game: Game) -> None:
    ours = after(journal(game), "ru dm 5", "amend 1 6")
    theirs = take(journal(game), write_message(ours, 0)[0])
    ours = after(ours, "amend 1 7", "strike 3", "amend 1 8")
    theirs = take(theirs, write_message(ours, 2)[0])
    assert figures(theirs) == figures(ours) == {("dm", "rust"): 8}


def test_mails_in_the_wrong_order_wait_for_each_other(game: Game) -> None:
    ours = after(journal(game), "ru declare", "ru dm 60", "amend 2 70", "amend 2 80")
    theirs = journal(game)
    assert read_message(theirs, write_message(ours, 1)[0], "mail.txt").lines == (), "the first entry is not here"
    theirs = take(theirs, write_message(ours.until(2), 0)[0])
    late = read_message(theirs, write_message(ours, 3)[0], "mail.txt")
    assert late.lines == () and late.missing == ('aug14/1 amend "aug14/1 ru dm 60" ~2v9 ru dm 80',)
    assert figures(take(theirs, write_message(ours, 2)[0])) == figures(ours) == {("dm", "rust"): 180}


def test_a_fork_ends_when_one_side_strikes_its_correction(game: Game) -> None:
    ours, theirs = (after(journal(game), "ru dm 5", f"amend 1 {amount}") for amount in (6, 7))
    theirs = take(after(theirs, "strike 2"), write_message(ours, 1)[0])
    taken = read_message(ours, write_message(theirs, 0)[0], "mail.txt")
    assert (taken.lines, taken.forks, taken.missing) == ((), (), ()), "what they have struck is of no account"
    assert figures(theirs) == figures(ours) == {("dm", "rust"): 6}


def test_what_was_taken_as_agreed_is_taken_once(game: Game) -> None:
    message, _ = write_message(after(journal(game), "force ru spend 5"), 0)
    theirs = journal(game)
    theirs = theirs.check_typed(read_typed(theirs, *read_message(theirs, message, "mail.txt").lines, force=True))
    bare, _ = write_message(after(journal(game), "ru dm 5"), 0)
    theirs = theirs.check_typed(read_typed(theirs, *read_message(theirs, bare, "mail.txt").lines, force=True))
    assert read_message(theirs, message, "mail.txt").known == read_message(theirs, bare, "mail.txt").known == 1


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


@pytest.mark.parametrize("rest", ["[" * 100_000, "aug14/1 ru dm 3", '"aug14/1 strike x"', '"unfinished'])
def test_a_correction_that_names_nothing_in_quotes_is_refused(game: Game, rest: str) -> None:
    line = f"aug14/1 strike {rest}"
    with pytest.raises(InputError, match="mail.txt:1: a correction names in quotes what it corrects"):
        read_message(journal(game), f"journal small-war: 1 entry ~{compute_check(line)}\n{line}\n", "mail.txt")


def test_a_message_survives_a_mail_program(game: Game) -> None:
    message, _ = write_message(after(journal(game), "ru dm 22", "ru dm 4"), 0)
    mangled = "Dear Anna,\r\n\r\n" + "".join(f"> {line}\r\n" for line in message.splitlines()) + "\r\nYours, Bert\r\n"
    assert len(read_message(journal(game), mangled, "mail.txt").lines) == 2


NOTES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=12)


@thorough
@pytest.mark.hypothesis
@settings(max_examples=40)
@given(
    notes=st.lists(NOTES | st.sampled_from(["^2", '} "', "foo ^2", 'a} "b"', ", ru dm 9 x"]), min_size=1, max_size=4)
)
def test_whatever_notes_say_entries_and_corrections_are_taken_once(game: Game, notes: list[str]) -> None:
    ours = journal(game)
    for number, note in enumerate(notes, 1):
        typed = JournalLine(0, "aug14/1", (), "ru", f"dm {number} {note.strip()}".strip())
        ours = after(ours, typed)
    ours = after(ours, JournalLine(0, "aug14/1", (), "amend", f"1 ru dm 7 {notes[0].strip()}".strip()))
    message, _ = write_message(ours, 0)
    theirs = take(journal(game), message)
    assert figures(theirs) == figures(ours)
    assert read_message(theirs, message, "mail.txt").lines == ()


@pytest.mark.parametrize("line", ["aug14/1 undo", "aug14/1 strike 1", "aug14/1 amend 1 ru dm 3", "aug14/1 undo next"])
def test_a_message_holds_entries_and_no_commands(game: Game, line: str) -> None:
    message = f"journal small-war: 1 entry ~{compute_check(line)}\n{line}\n"
    book = after(journal(game), "ru dm 22")
    with pytest.raises(InputError):
        take(book, message)


def test_what_a_later_correction_spoils_is_taken_with_it(game: Game) -> None:
    ours = after(
        journal(game), "fact 0309: rust N9", "fact N9 -1", "force ro give 9", "ru spend 8", "strike 1", "strike 3"
    )
    assert [number for number, _ in ours.books.faults] == [2]
    theirs = journal(game)
    lines = read_message(theirs, write_message(ours, 0)[0], "mail.txt").lines
    theirs = theirs.check_typed(read_typed(theirs, *lines))
    assert figures(theirs) == figures(ours) and len(theirs.entries) == 6
    bare = journal(game)
    with pytest.raises(InputError, match="aug14/1 ru spend 8: .*8 taken, but only 0 left"):
        bare.check_typed(read_typed(bare, *lines[:2], lines[3]))


def test_a_note_that_looks_like_a_kind_is_taken_as_it_was_sent() -> None:
    """At the keyboard it is taken for a slip."""
    line = "aug14/1 ge spend 5 artilery trains"
    book = Journal.read(
        parse_journal(b"journal der-weltkrieg 1\nnation german sp=9\n", "x"), "x", lambda _: load_game("der-weltkrieg")
    )
    with pytest.raises(InputError, match="'artilery' is not a kind of `spend`"):
        read_typed(book, line)
    taken = read_message(book, f"journal der-weltkrieg: 1 entry ~{compute_check(line)}\n{line}\n", "mail.txt")
    assert after(book, *taken.lines).books.balance("sp", "german") == 4


# --- what the other side may know -------------------------------------------------------------------------------------------

HEAD = "journal twilight-in-the-east 1\nturn=1\n40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)\n41.19: 1/1 (12-16-7-11)\n"


def twilight(*lines: str) -> Journal:
    game = load_game("twilight-in-the-east")
    text = HEAD + "".join(f"{number} 1 fact {line}\n" for number, line in enumerate(lines, 1))
    return Journal.read(parse_journal(text.encode(), "x.journal"), "x.journal", lambda _: game)


@pytest.mark.parametrize(
    ("line", "side", "is_sent"),
    [
        ("25/3 -2", "central-powers", False),
        ("40.21: 25/3", "central-powers", True),
        ("27/3 -1", "central-powers", False),
        ("27/3 -1", "russian", True),
        ("41.19 clear", "central-powers", True),
        ("41.19: 1/1 disorder=1", "russian", True),
        ("41.19: 1/1 disorder=1", "central-powers", True),
        ("41.19: 1/1", "russian", False),  # it changes nothing, or only what lies below
        ("41.19: 1/1", "central-powers", False),
        ('army "russian First" attachment-limit=3', "central-powers", False),
        ('army "russian First" attachment-limit=3', "russian", True),
        ('40.20: 25/3, russian corps-train - "3 Train" corps=3', "central-powers", False),
        ('40.20: 25/3, russian corps-train - "3 TRAIN" corps=3', "central-powers", False),
    ],
)
def test_what_a_side_may_not_know_is_withheld(line: str, side: str, is_sent: bool) -> None:
    message, withheld = write_message(twilight(line), 0, side)
    assert (line in message, withheld) == (is_sent, int(not is_sent))
    assert line in write_message(twilight(line), 0)[0]


def test_capitals_do_not_reveal_a_hidden_unit() -> None:
    book = twilight('40.20: 25/3, russian corps-train - "3 Train" corps=3', '"3 train" range=7', '40.20: "3 TRAIN"')
    assert write_message(book, 0, "central-powers") == (write_message(twilight(), 0)[0], 3)


TOP, BELOW, ABOVE = "41.19: 1/1", "41.19: 1/1, 35/17", "41.19: 35/17 invisible=central-powers, 1/1"
HERE, COVERED = "40.20: 25/3, 27/3", "40.20: 35/17 invisible=central-powers, 25/3, 27/3"


@pytest.mark.parametrize(
    ("one", "other", "lines", "count"),
    [
        (HERE, COVERED, ("27/3 -1", "40.22: 27/3", "off-map: 25/3", "25/3 arrives=3"), 4),  # a unit out of sight above
        (TOP, ABOVE, ("1/1 disorder=1",), 1),
        (TOP, BELOW, ("41.19: 1/1 disorder=1", "25/3 -1"), 2),  # what lies below leaves the map
        (TOP, BELOW, ("41.19: 1/1", "25/3 -1"), 1),
        (HERE, "44.16: 35/17 invisible=central-powers", ("44.16:", "25/3 -1"), 1),
        (TOP, "39.20 station-used=3", ("phasing=russian", "25/3 -1"), 2),  # this lapses
        (TOP, "61.30 reached-by=central-powers", ("61.30 reached-by=russian", "25/3 -1"), 2),
    ],
)
def test_what_follows_for_units_that_a_side_does_not_see_withholds_nothing(
    one: str, other: str, lines: tuple[str, ...], count: int
) -> None:
    game, head = load_game("twilight-in-the-east"), HEAD.splitlines(keepends=True)
    messages = []
    for stated in (one, other):
        before = [line for line in head if line[:6] != stated[:6]]
        text = "".join([*before, "phase=movement phasing=central-powers\n", f"{stated}\n"])
        text += "".join(f"{number} 1 fact {line}\n" for number, line in enumerate(lines, 1))
        book = Journal.read(parse_journal(text.encode(), "x.journal"), "x.journal", lambda _: game)
        messages.append(write_message(book, 0, "russian")[0])
    assert messages[0] == messages[1]
    assert f": {count} entr" in messages[0]


SHOWN = ("40.21: 25/3", "40.21 clear", "41.19 clear", "1/1 -1", "41.19: 1/1")
HIDDEN = ("25/3 -2", "25/3 -1", "27/3 -1", 'army "russian First" attachment-limit=3')
STEPS = st.tuples(st.sampled_from(["shown", "shown", "hidden", "turn", "strike", "amend", "hide"]), st.integers(0, 9))


@thorough
@pytest.mark.hypothesis
@settings(max_examples=40)
@given(steps=st.lists(STEPS, min_size=1, max_size=10), since=st.integers(0, 10))
def test_journals_that_differ_only_in_what_is_hidden_send_the_same(steps: list[tuple[str, int]], since: int) -> None:
    """Entries, corrections of them, corrections that say what is hidden, and corrections of corrections."""
    whole, open_only = twilight(), twilight()
    numbers: dict[int, int] = {
        0: 0
    }  # by the number of an entry that may be known, that in the journal without what is hidden
    for kind, pick in steps:
        targets = [entry.number for entry in whole.entries if kind == "strike" or type(entry.what).__name__ == "Fact"]
        target = targets[pick % len(targets)] if targets else 0
        shown, hidden = SHOWN[pick % len(SHOWN)], HIDDEN[pick % len(HIDDEN)]
        if kind in ("strike", "amend", "hide") and not target:
            continue
        if kind == "hide" and target not in list_texts(whole, "central-powers"):
            continue  # what it says was withheld all the same
        typed = {
            "shown": f"fact {shown}",
            "hidden": f"fact {hidden}",
            "turn": "turn next",
            "strike": f"strike {target}",
            "amend": f"amend {target} fact {shown}",
            "hide": f"amend {target} fact {hidden}",
        }[kind]
        whole = after(whole, typed)
        if (kind not in ("hidden", "hide") and target in numbers) or kind in ("shown", "turn"):
            open_only = after(
                open_only,
                typed.replace(f" {target}", f" {numbers.get(target, 0)}", 1)
                if target and kind in ("strike", "amend")
                else typed,
            )
            numbers[whole.last] = open_only.last
    since = max(number for number in numbers if number <= since)
    side = "central-powers"
    assert write_message(whole, since, side)[0] == write_message(open_only, numbers[since], side)[0]


def answers(*changes: str) -> Journal:
    """A journal of answers with these changes, and corrections."""
    game = load_game("twilight-in-the-east")
    lines = (f"answer dig-in unit=27/3 | | {line}" if "->" in line else line for line in changes)
    text = HEAD + "".join(f"{number} 1 {line}\n" for number, line in enumerate(lines, 1))
    return Journal.read(parse_journal(text.encode(), "x.journal"), "x.journal", lambda _: game)


def test_of_an_answer_and_its_correction_a_side_is_told_the_facts_that_it_comes_to_see() -> None:
    book = answers(
        "place 27/3 40.20 -> 40.21 8.1; lost 27/3 - -> 2 11.1; ip 40.21 - -> 1 13.1",
        "lost 27/3 2 -> 3 11.1",
        "strike 1",
        "fact 41.19 clear",
        "strike 3",
    )
    message, withheld = write_message(book, 0, "central-powers")
    there = "1 fact 40.21 ip=1 unseen=russian"
    left = ["1 fact 40.21:", "1 fact 40.21 ip=0"]
    assert message.splitlines()[1:] == [there, *left, "1 fact 41.19 clear", f"^2 {there}"]
    assert withheld == 1, "the loss alone shows nothing"
    later, _ = write_message(book, 2, "central-powers")
    assert later.splitlines()[1:] == message.splitlines()[2:]
    assert f"after 1 ~{compute_check(there)}" in later.splitlines()[0]
    assert len(write_message(book, 0)[0].splitlines()) == 6, "who may know everything has the answers themselves"
    taken = take(twilight(), message)
    assert taken.position().state.facts["ip", "40.21"].value == 1
    assert read_message(taken, message, "mail.txt").lines == ()


def test_a_side_is_told_of_a_turn_that_an_answer_begins_by_the_entry_that_begins_it() -> None:
    book = after(answers("turn - 1 -> 2 5.3; phase - - -> weather -; ip 40.20 - -> 1 13.1"), "turn 2")
    message, _ = write_message(book, 0, "central-powers")
    assert message.splitlines()[1:] == ["1 fact phase=weather", "1 fact 40.20 ip=1", "2 turn"]
    stated = take(twilight(), message).position().state.facts
    assert [stated[name, ""].value for name in ("turn", "phase")] == [2, "weather"]
    assert stated["ip", "40.20"].value == 1


def test_a_fact_that_moves_back_what_an_answer_moved_is_told_whatever_the_answer_did_to_hidden_units() -> None:
    move = "place 1/1 41.19 -> 41.20 8.1"
    book = answers(move, "fact 41.19: 1/1")
    with_hidden = answers("fact 41.19: 1/1, 35/17", f"{move}; place 35/17 41.19 -> 41.20 8.1", "fact 41.19: 1/1")
    assert not with_hidden.books.faults
    message, _ = write_message(with_hidden, 0, "russian")
    assert message == write_message(book, 0, "russian")[0], "nor does the count of entries tell of one"
    assert message.splitlines()[-1] == "1 fact 41.19: 1/1"
    assert take(twilight(), message).position().state.units["1/1"].place == "41.19"


def test_a_unit_that_an_answer_moves_out_of_sight_leaves_the_map_with_what_its_counter_prints() -> None:
    enemy = 'german infantry X "9 lw" (4-4-1-7)'
    goes = 'place "9 lw" 41.19 -> 41.20 8.1; place 1/1 41.19 -> 41.20 8.1'
    below = "place 1/1 41.19 -> 41.20 8.1"
    comes = "place 1/1 41.20 -> 41.21 8.1; disorder 1/1 1 -> - 11.1"
    begin = f"fact 41.19: 1/1 disorder=1, {enemy}"
    message, _ = write_message(answers(begin, goes), 1, "russian")
    seen = f"1 fact 41.20: {enemy} hidden="
    there, *left = message.splitlines()[1:]
    assert there.startswith(seen)
    assert left == ["1 fact 41.19:", "1 fact 41.20 unseen=central-powers", "1 fact 1/1 D0"]
    book = answers("fact 41.19: 1/1 disorder=1", f"fact 41.20: {enemy}", below, comes)
    message, _ = write_message(book, 0, "russian")
    state = take(twilight(), message).position().state
    assert state.units["1/1"].place == "41.21"
    assert [state.facts[name, "1/1"].value for name in ("steps", "effectiveness", "disorder")] == [12, 11, 0]


def test_an_unknown_side_is_refused() -> None:
    with pytest.raises(InputError, match="unknown side 'nonsense'"):
        write_message(twilight(), 0, "nonsense")

"""The journal: what its entries come to, what corrections change, and every earlier state."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import assistant
from assistant.formats.notation_writer import write_notation
from assistant.formats.positions import Position
from assistant.game.events import Event
from assistant.game.games import Game, read_game
from assistant.game.typed_events import write_event
from assistant.records.journal.accounts import format_account, format_accounts, open_account, open_accounts
from assistant.records.journal.differences import compare_journals, format_difference
from assistant.records.journal.entries import JournalEntry
from assistant.records.journal.files import parse_journal
from assistant.records.journal.findings import list_findings
from assistant.records.journal.journal import Journal, JournalMoment, write_head
from assistant.records.journal.journal_text import list_entry_rows
from assistant.records.journal.lines import JournalLine, write_entry
from assistant.records.journal.room import measure_room
from assistant.records.journal.typed_lines import read_typed
from assistant.service import read
from assistant.util.errors import InputError
from tests.cases import few

from .small import after, journal, small_game


def value(book: Journal, track: str, who: str = "rust") -> object:
    return book.books.value(track, who)


def changes(book: Journal, typed: str) -> list[str]:
    return [*format_difference(book, compare_journals(book.books, after(book, typed).books))]


# --- what entries come to ---


def test_events_add_to_accounts_and_schedules_bring_what_nobody_writes(game: Game) -> None:
    book = journal(game, "aug14/3 ru dm 60 Somewhere", "dec14/1 ru spend 3", "jan15/2 ro dm 4")
    assert not book.all_faults()
    assert value(book, "dm") == 60 + 5 * 8  # the special turns from September to January
    assert value(book, "sp") == 10 - 3 + 5  # of December, and of January, when it is shaken
    assert value(book, "dm", "rose") == 4
    assert value(book, "shaken") == "jan15/0"


def test_a_level_is_reached_in_the_turn_of_the_entry_that_reaches_it(game: Game) -> None:
    book = journal(game, "aug14/3 ru dm 99", "aug14/4 ru dm 1", "aug14/5 ru dm 50")
    assert [(r.level.title, book.label(r.turn), r.entry) for r in book.books.reached] == [("Shaken", "aug14/4", 2)]


def test_an_event_may_concern_another_nation_the_game_or_a_unit(game: Game) -> None:
    head = ("setup august", "nation rose sp=20")
    book = journal(game, "aug14/2 ro give 5", "aug14/2 game score 3", "aug14/3 ru lose 3 Corps at the ford", head=head)
    assert not book.all_faults()
    assert (value(book, "sp"), value(book, "sp", "rose"), book.books.value("vp")) == (5, 15, 3)
    assert book.books.value("lost", "3 Corps") == "aug14/3"


def test_kinds_of_an_event_have_accounts_of_their_own(game: Game) -> None:
    book = journal(game, "aug14/2 ro rebuild 3 artillery", "aug14/2 ro rebuild 3 infantry", head=("nation rose sp=20",))
    assert value(book, "sp", "rose") == 20 - 6 - 3


def test_what_a_nation_declares_raises_its_account(game: Game) -> None:
    book = journal(game, "aug14/2 ru dm 30", "aug14/3 ru declare", "aug14/4 ru declare")
    assert value(book, "dm") == 100 and value(book, "shaken") == "aug14/3"
    assert [posting.amount for posting in book.books.postings_of("dm", "rust")] == [30, 70]


def test_facts_are_lines_of_notation(game: Game) -> None:
    book = journal(
        game,
        "aug14/1 fact 0102: A1",
        "aug14/2 fact A1 -1",
        "aug14/2 fact weather=mud",
        "aug14/3 fact nation rust dm=40",
    )
    text = write_notation(book.position())
    assert not book.all_faults()
    assert "0102: A1 -1" in text and "0101: A2" in text and "weather=mud" in text and "dm=40" in text
    assert [posting.what for posting in book.books.postings_of("dm", "rust")] == ["stated"]


def test_a_fact_of_the_turn_ends_with_it(game: Game) -> None:
    book = journal(game, "aug14/1 fact A1 halted", "aug14/1 fact A2 halted", "aug14/2 turn", "aug14/2 fact A2 halted")
    assert book.books.value("halted", "A1") is False and book.books.value("halted", "A2") is True
    assert book.position(JournalMoment("aug14/1")).state.value("halted", "A1") is True
    assert book.until(3).position().state.value("halted", "A2") is not True, "it ends though nothing follows"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("aug14/2 fact 0505: A1", None),
        ("aug14/2 fact 0505: B1, A1", "different sides"),
        ("aug14/2 fact 0101: Z9", "unknown unit"),
        ("aug14/2 fact nation green dm=4", "nation 'green'"),
        ("aug14/2 fact 9999: A1", "9999"),
        ("aug14/2 fact ask due", "a question is not a fact"),
        ("aug14/2 answer due |  | place A1 0101 -> 0505 1", "different sides"),
        ("aug14/2 answer due |  | place Z9 0101 -> 0505 1", "unknown unit"),
        ("aug14/2 answer due |  | dm green + 4 1", "green"),
        ("aug14/2 answer due |  | gold rust + 4 1", "gold"),
        ("aug14/2 answer due |  | enter Z9 Z9 0303 0 1", "unknown unit"),
    ],
)
def test_an_entry_that_cannot_take_effect_changes_nothing_and_is_named(game: Game, line: str, what: str | None) -> None:
    without = journal(game, "aug14/1 ru dm 5", "aug14/3 fact A2 -1")
    book = journal(game, "aug14/1 ru dm 5", line, "aug14/3 fact A2 -1")
    faults = book.all_faults()
    if what is None:
        assert not faults
    else:
        assert len(faults) == 1 and what in str(faults[0]) and "war.journal:4" in str(faults[0])
        assert book.position().state == without.position().state


def test_gains_by_answers_are_added_to_an_overdraft_and_faulty_lines_leave_it(game: Game) -> None:
    lines = ("aug14/1 force ru spend 5", "aug14/1 fact nation rust sp=3 foo=1", "aug14/1 force ro give 10")
    book = journal(game, *lines, "aug14/1 fact trust charts foo")
    assert [number for number, _ in book.books.faults] == [2, 4]
    assert book.books.balance("sp", "rust") == -5 + 10
    assert not book.position().state.accepts - book.start.state.accepts
    book = journal(game, "aug14/1 force ru spend 5", "aug14/1 answer check | | sp rust + 10 9")
    assert (book.books.balance("sp", "rust"), [posting.amount for posting in book.books.postings]) == (5, [-5, 10])


def test_a_change_that_a_position_could_not_hold_is_a_fault(game: Game) -> None:
    book = journal(game, 'aug14/1 answer check | | shaken rust - -> "zzz" 9')
    ((number, error),) = book.books.faults
    assert number == 1 and "'zzz' is not a turn" in error.what
    assert book.position().state.value("shaken", "rust") is None


def test_what_cannot_take_effect_after_a_correction_is_said(game: Game) -> None:
    book = journal(game, "aug14/1 fact 0309: rust N9", "aug14/1 fact N9 -1")
    assert not book.all_faults()
    (fault,) = compare_journals(book.books, after(book, "strike 1").books).faults
    assert fault[0] == 2


def test_the_turn_is_no_fact(game: Game) -> None:
    with pytest.raises(InputError, match="a turn needs a separate entry") as caught:
        after(journal(game, "aug14/1 ru dm 1"), "fact turn=aug14/3")
    assert caught.value.hint == "write: turn aug14/3"
    assert after(journal(game, "aug14/1 ru dm 1"), "fact turn=aug14/1").turn == 1


@pytest.mark.parametrize(("turn", "holds"), [("aug14/1", True), ("aug14/2", False)])
def test_what_a_start_without_a_turn_states_holds_in_the_first_turn(game: Game, turn: str, holds: bool) -> None:
    book = journal(game, f"{turn} asked supply", head=("0101: A1 halted",))
    assert not book.all_faults()
    assert book.turn == book.rules.calendar.number(turn)
    assert (("halted", "A1") in book.position().state.facts) == holds


def test_a_larger_shortfall_has_to_be_agreed_anew(game: Game) -> None:
    book = after(journal(game), "force ro give 10", "ru spend 8", "amend 1 5")
    assert [short.entry for short in book.books.shortfalls if not short.agreed] == [2]
    with pytest.raises(InputError, match="300 taken, but only 5 left"):
        after(book, "amend 2 300")
    assert after(book, "amend 2 7").books.balance("sp", "rust") == -2


def test_an_amended_amount_keeps_the_kind_unless_another_is_named(game: Game) -> None:
    book = after(journal(game), "force ru rebuild 3 infantry", "amend 1 2")
    assert book.books.balance("sp", "rust") == -2
    assert after(book, "force amend 1 2 artillery").books.balance("sp", "rust") == -4


def test_an_account_of_nations_is_none_of_a_side(game: Game) -> None:
    with pytest.raises(InputError, match="dm is an account of each nation, not of a side") as caught:
        open_account(journal(game, "aug14/1 ru dm 3"), "dm", "red")
    assert caught.value.hint == "name one: rust, rose"
    with pytest.raises(InputError, match="dm is an account of each nation, not of the game") as caught:
        open_account(journal(game, "aug14/1 ru dm 3"), "dm", "game")
    assert caught.value.hint == "name one: rust, rose, navy"


def test_a_line_that_cannot_be_read_leaves_the_rest_readable(game: Game) -> None:
    book = journal(game, "aug14/1 ru dm 5", "aug14/2 ru dmm 7", "aug14/3 ru dm 9")
    assert value(book, "dm") == 14
    (fault,) = book.all_faults()
    assert "war.journal:4" in str(fault) and "dm" in fault.hint


# --- corrections ---


def test_an_amendment_says_what_it_changes(game: Game) -> None:
    book = journal(game, "aug14/3 ru dm 60", "sep14/1 ru dm 30", "dec14/2 ru spend 3", "mar15/1 ro dm 3")
    assert changes(book, "amend 1 18") == [
        "Rust: Shaken oct14/0 -> mar15/0; demoralization points: 42 less; supply points: 10 more"
    ]
    assert changes(book, "strike 2") == [
        "Rust: Shaken oct14/0 -> jan15/0; demoralization points: 30 less; supply points: 5 less"
    ]
    assert changes(book, "late aug14/4 ru dm 2") == ["Rust: Shaken oct14/0 -> sep14/1; demoralization points: 2 more"]


def test_an_amended_event_keeps_what_is_not_said_anew(game: Game) -> None:
    book = after(journal(game, "aug14/3 ro rebuild 3 artillery of the guard", head=("nation rose sp=20",)), "amend 1 2")
    (entry,) = book.counting.entries
    assert value(book, "sp", "rose") == 16 and entry.what.note == "of the guard"
    whole = after(book, "amend 1 ro rebuild 2 infantry")
    assert value(whole, "sp", "rose") == 18
    assert value(after(whole, "undo"), "sp", "rose") == 16 and value(after(whole, "undo", "undo"), "sp", "rose") == 14


def test_an_amendment_goes_by_what_the_entry_says_now(game: Game) -> None:
    book = after(
        journal(game), "force ru rebuild 3 artillery at home", "amend 1 na rebuild 2 infantry abroad", "force amend 1 4"
    )
    (entry,) = book.counting.entries
    assert write_event(book.rules.events, entry.what) == "na rebuild 4 infantry abroad"
    back = after(book, "strike 2", "strike 3", "force amend 1 5")
    assert write_event(book.rules.events, back.counting.entries[0].what) == "ru rebuild 5 artillery at home"
    with pytest.raises(InputError, match="`declare` takes no amount"):
        after(journal(game, "aug14/1 ru declare"), "amend 1 5")


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ("amend 2 5", "entry 2 is a correction"),
        ("amend 9 5", "there is no entry 9"),
        ("amend x 5", "is not the number of an entry"),
        ("amend 1", "is missing"),
        ("amend 3 5", "begins a turn"),
        ("amend 1 fact A1 -1", "of another kind"),
        ("amend 4 ru dm 3", None),
        ("strike 9", "there is no entry 9"),
        ("keep 1", "is not an answer"),
        ("amend 1 again", "is not an answer"),
        ("aug14/1 ru dm 5", "aug14/1 is over"),
        ("turn aug14/1", "has begun already"),
        ("turn jul16/1", "outside the game"),
        ("mar25/1 ru dm 5", "outside the game"),
        ("aug14/9 ru dm 5", "has no turn 9"),
        ("ru dm -5", "takes no amount of -5"),
        ("ru dm 0", "takes no amount of 0"),
        ("ru dm " + "9" * 20, "takes no amount"),
        ("ru dm", "needs an amount"),
        ("ru dmm 5", "is not an event"),
        ("xx dm 5", "neither a nation nor a side"),
        ("dm 5", "the nation before 'dm' is missing"),
        ("red dm 5", "an event of a nation"),
        ("ru give 5", "does not happen to rust"),
        ("ru rebuild 2", "needs its kind"),
        ("ru rebuild 2 cavalry", "is not one"),
        ("ru lose 9 Corps", "names no unit"),
        ("ru spend 5", "5 taken, but only 0 left \\(rule 2\\)"),
        ("amend 4 fact 0505: B1, A1", "of another kind"),
        ("fact 0505: B1, A1", "different sides"),
        ("", "the entry is missing"),
        ("fact", "the fact is missing"),
        ("ru dm 5 \x07", "is one line"),
        ("ru dm 5 na dm 3", "'na dm 3' is another event"),
        ("ru dm 5 and na dm 3", "'na dm 3' is another event"),
        ("ru dm 1 000", "1 and 000 are two amounts"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_reason(game: Game, typed: str, what: str | None) -> None:
    book = journal(game, "aug14/1 ru dm 5", "aug14/1 amend 1 6", "aug14/2 turn", "aug14/2 na dm 3")
    if what is None:
        after(book, typed)
        return
    with pytest.raises(InputError, match=what):
        entries = read_typed(book, typed)
        book.check_typed(entries)
        [write_entry(book.write_line(entry)) for entry in entries]


def test_the_players_may_agree_to_more_than_is_left(game: Game) -> None:
    book = after(journal(game, "aug14/1 ru dm 5"), "force ru spend 5 by agreement")
    assert value(book, "sp") == 0 and book.books.balance("sp", "rust") == -5
    assert [(short.entry, short.taken, short.agreed) for short in book.books.shortfalls] == [(2, 5, True)]


def test_a_shortfall_that_a_line_makes_of_an_entry_of_its_own_is_refused(game: Game) -> None:
    book = journal(game, "aug14/1 fact nation rust sp=5", "aug14/2 turn")
    lines = ("ru spend 5", "late aug14/1 ru spend 3")
    with pytest.raises(InputError, match="aug14/1 ru spend 3: .*5 taken, but only 2 left"):
        book.check_typed(read_typed(book, *lines))
    agreed = book.check_typed(read_typed(book, *lines, force=True))
    assert [(short.entry, short.agreed) for short in agreed.books.shortfalls] == [(3, True)]


def test_a_line_whose_late_entry_undoes_another_of_it_is_refused(game: Game) -> None:
    book = journal(game, "aug14/2 turn")
    typed = read_typed(book, "answer due |  | place A1 0101 -> 0203 1", "late aug14/1 fact 0203: B2")
    book.check_typed(typed[:1])
    with pytest.raises(InputError, match="different sides"):
        book.check_typed(typed)


def with_more(folder: Path, events: str, tracks: str = "") -> Game:
    """The small campaign with further events and tracks."""
    small_game(folder)
    for name, text in (("events.toml", events), ("tracks.toml", tracks)):
        with (folder / name).open("a") as file:
            file.write(text)
    return read_game("small-war", folder)


def test_what_an_amendment_sets_to_zero_or_no_is_worded(tmp_path: Path) -> None:
    events = """
[event.cities]
least = 0
sets = { "game.cities" = "amount" }
[event.open]
kinds = { yes = { sets = { "game.open" = "yes" } }, no = { sets = { "game.open" = "no" } } }
"""
    tracks = """
[cities]
title = "cities"
on = "game"
kind = "integer"
[open]
title = "open"
on = "game"
kind = "flag"
"""
    book = journal(with_more(tmp_path, events, tracks), "aug14/1 ru cities 2", "aug14/1 ru open yes")
    assert changes(book, "amend 1 0") == ["cities: 2 less"]
    assert changes(book, "ru open no") == ["open: yes -> no"]
    assert changes(book, "strike 2") == ["open: yes -> not stated"]


BARRED = """
[[barred]]
who = ["rose"]
events = ["dm"]
until = "aug14/5"
title = "it is not in the war"
rule = "8"
"""


def test_what_is_barred_is_refused_when_typed_and_found_when_it_stands_there(tmp_path: Path) -> None:
    game = with_more(tmp_path, BARRED)
    why = "Rose: it is not in the war (rule 8)"
    with pytest.raises(InputError, match="it is not in the war"):
        after(journal(game), "ro dm 3")
    book = journal(game, "aug14/1 ro dm 3", "aug14/1 force ro dm 4", "aug14/1 ru dm 3", "aug14/6 ro dm 3")
    assert list(list_findings(book)) == [f"entry 1: {why}"]


@pytest.mark.parametrize("line", ["# hello", "answers", "nation rust", "accept"])
def test_a_line_that_states_nothing_is_no_fact(game: Game, line: str) -> None:
    book = journal(game)
    with pytest.raises(InputError, match="the line states nothing"):
        after(book, f"fact {line}")
    after(book, "fact weather=clear", "fact weather=clear", "fact trust charts", "fact trust charts")


def test_a_note_that_may_be_meant_as_another_kind_is_asked_about(game: Game, tmp_path: Path) -> None:
    for typed, hint in (("infantry artilery", "artillery,"), ("artillery inf", "infantry,")):
        with pytest.raises(InputError, match="may be meant as another kind") as caught:
            read_typed(journal(game), f"ro rebuild 2 {typed}")
        assert caught.value.hint.startswith(hint)
    more = """
[event.raise]
least = 1
[event.raise.kinds]
czech = { posts = { sp = -1 } }
czech-artillery = { posts = { sp = -2 } }
rifle = { posts = { sp = -1 }, only = ["rust"] }
"""
    book = journal(with_more(tmp_path, more))
    with pytest.raises(InputError, match="may be meant as another kind") as caught:
        read_typed(book, "ro raise 1 Czech artilery")
    assert caught.value.hint.startswith("czech-artillery,")
    assert read_typed(book, "ro raise 1 czech rifle")[0].what == Event("rose", "raise", 1, "czech", note="rifle")
    entry = journal(book.game, "aug14/1 ro raise 1 czech  artillery  at the  ford").entries[0]
    assert entry.what == Event("rose", "raise", 1, "czech-artillery", note="at the  ford")


@pytest.mark.parametrize(
    ("typed", "what", "hint"),
    [
        ("amend 1 ru dm 13, ro dm 2", "an amendment stands alone", "in a separate line: ro dm 2"),
        ("strike 1 2", "'2' is one word too many", "write: strike 1;"),
        ("undo 3", "'3' is one word too many", "write: undo;"),
        ("late aug14/1", "the entry is missing", "write: late aug14/1 WHO WHAT"),
        ("late aug14/9x", "the entry is missing", "write: late aug14/9x WHO WHAT"),
        ("late ru dm 3", "the turn of a late entry is missing", "write: late TURN ru dm 3"),
        ("late sep14/1 ru dm 3", "sep14/1 has not begun", "turn sep14/1"),
        ("late aug14/2 ru dm 3", "aug14/2 is not over", "leave out `late`"),
        ("", "the entry is missing", "such as ru dm 3"),
        ("amend 3 due who=ru die=3", "dice stand after a bar", "write: amend 3 due who=ru | die=3"),
        ("amend 3 answer due who=ru die=3", "dice stand after a bar", "write: amend 3 due who=ru | die=3"),
    ],
)
def test_a_slip_is_refused_with_how_it_is_typed(game: Game, typed: str, what: str, hint: str) -> None:
    book = journal(game, "aug14/1 ru dm 5", "aug14/2 turn", "aug14/2 answer due | die=1 | sp rust + 1 9")
    with pytest.raises(InputError, match=what) as caught:
        read_typed(book, typed)
    assert hint in caught.value.hint


def test_a_list_to_before_it_begins_is_refused(game: Game) -> None:
    with pytest.raises(InputError, match="aug14/1 comes before aug14/3"):
        list_entry_rows(journal(game, "aug14/1 ru dm 5"), "aug14/3", "aug14/1")


def test_several_events_are_typed_in_one_line_and_notes_keep_their_commas(game: Game) -> None:
    book = after(journal(game), "ru dm 9, na dm 4 in the west, again, ro dm 1")
    assert [(e.number, e.what.who, e.what.note) for e in book.counting.entries] == [
        (1, "rust", ""),
        (2, "navy", "in the west, again"),
        (3, "rose", ""),
    ]


def test_a_journal_stands_in_an_earlier_turn_with_all_that_was_corrected_since(game: Game) -> None:
    book = journal(
        game, "aug14/1 ru dm 5", "aug14/3 ru dm 7", "aug14/3 amend 1 6", "aug14/5 ru dm 9", "aug14/5 strike 4"
    )
    then = book.standing_in(2)
    assert (then.label(then.turn), value(then, "dm")) == ("aug14/2", 6)
    assert value(book.standing_in(5), "dm") == 13
    with pytest.raises(InputError, match="begins later"):
        journal(game, head=("turn=aug14/4",)).standing_in(2)


def test_what_a_mail_or_sheet_brings_may_be_of_a_later_turn(game: Game) -> None:
    book = journal(game, "aug14/1 ru dm 5")
    (entry,) = read_typed(book, JournalLine(0, "oct14/1", (), "ru", "dm 5"))
    assert book.label(entry.turn) == "oct14/1"
    with pytest.raises(InputError, match="stands in aug14/1"):
        read_typed(book, "oct14/1 ru dm 5")
    assert read_typed(book, "aug14/2 ru dm 5")[0].turn == 2


def test_what_follows_a_late_event_in_a_line_is_of_its_turn(game: Game) -> None:
    book = after(journal(game, "aug14/5 turn"), "late aug14/2 ru dm 9, na dm 4", "aug14/6 ru dm 2, ro dm 3")
    assert [(entry.turn, entry.late) for entry in book.entries[1:]] == [(2, True), (2, True), (6, False), (6, False)]


def test_the_turn_goes_on_and_no_further_than_the_last(game: Game) -> None:
    book = after(journal(game), "Turn Next", "turn", "turn sep14/0")
    assert [book.label(entry.turn) for entry in book.counting.entries] == ["aug14/2", "aug14/3", "sep14/0"]
    with pytest.raises(InputError, match="the last turn is over"):
        after(book, "turn jun16/7", "turn next")


@pytest.mark.parametrize(
    "targets",
    [
        [6, 5, 4, 3, 2, 1],  # from the last one on, through the turns
        [1, 2, 5, 6, 4, 3],
        [6, 6, 5, 4],  # one of them twice
        [7, 6, 5, 7],  # a strike among them, which is made good
    ],
)
def test_each_of_many_strikes_is_of_the_turn_in_which_those_before_it_leave_the_journal(
    game: Game, targets: list[int]
) -> None:
    book = after(journal(game), "ru dm 5", "turn", "ru dm 6", "turn", "turn", "ru dm 7", "strike 3")
    one_by_one = list[JournalEntry]()
    for target in targets:
        left = book.with_entries(one_by_one)
        one_by_one += read_typed(left, f"strike {target}")
    typed = read_typed(book, *(f"strike {target}" for target in targets))
    assert [(entry.turn, entry.what) for entry in typed] == [(entry.turn, entry.what) for entry in one_by_one]


def test_many_strikes_do_not_read_the_journal_anew_for_each(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    book = after(journal(game), *(f"ru dm {count}" for count in range(1, 21)))
    read = list[int]()
    with_entries = Journal.with_entries
    monkeypatch.setattr(Journal, "with_entries", lambda *given: read.append(1) or with_entries(*given))
    assert len(read_typed(book, *(f"strike {number}" for number in range(20, 0, -1)))) == 20
    assert not read


# --- every earlier state, and why ---


def test_every_earlier_state_is_had_again(game: Game) -> None:
    book = journal(game, "aug14/2 ru dm 60", "aug14/2 fact 0102: A1", "sep14/3 ru dm 30", "aug14/3 late ru dm 1")

    def dm(moment: JournalMoment) -> object:
        return book.position(moment).state.facts["dm", "rust"].value

    assert [dm(JournalMoment(entry=number)) for number in (1, 4, 3)] == [60, 61, 99]
    assert [dm(JournalMoment(turn)) for turn in ("aug14/2", "aug14/7", "sep14/0", "dec14/1")] == [60, 61, 69, 123]
    assert book.position(JournalMoment("aug14/1")).state.units["A1"].place == "0101"
    for moment, what in ((JournalMoment(entry=9), "entry 9"), (JournalMoment("jul14/1"), "outside the game")):
        with pytest.raises(InputError, match=what):
            book.position(moment)


def test_an_account_is_opened_into_entries_and_rules(game: Game) -> None:
    book = journal(game, "aug14/2 ru dm 60 at the ford", "sep14/3 ru dm 35")
    assert list(format_account(open_account(book, "dm", "ru"))) == [
        "Rust: demoralization points: 103",
        "  aug14/2      +60     60  dm at the ford (entry 1, rule 1)",
        "  sep14/0       +8     68  8 demoralization points (schedule, rule 5)",
        "  sep14/3      +35    103  dm (entry 2, rule 1)",
        "  Shaken at 100: sep14/3",
        "  Broken at 200: 97 to go",
    ]
    part = open_account(book, "dm", "rust", "sep14/0", "sep14/1")
    assert (part.before, part.after, len(part.rows)) == (60, 68, 1)
    for account, who, what in (
        ("dmm", "ru", "'dmm' is not an account"),
        ("dm", "", "the nation of the account dm is missing"),
        ("dm", "rx", "neither"),
    ):
        with pytest.raises(InputError, match=what):
            open_account(book, account, who)


def test_accounts_that_add_to_one_sum_are_opened_together(tmp_path: Path) -> None:
    track = (
        '\n[score-{0}]\ntitle = "{0}"\non = "nation"\nkind = "integer"\nabsent = 0\nrule = "1"\nadds_to = "points"\n'
    )
    small_game(tmp_path)
    with (tmp_path / "tracks.toml").open("a") as tracks:
        tracks.writelines(map(track.format, ("towns", "plans", "calls")))
    game = read_game("small-war", tmp_path)
    book = journal(game, "aug14/1 fact nation rust score-plans=7", "aug14/1 fact nation rust score-towns=-2")
    assert list(format_accounts(open_accounts(book, "points", "rust"))) == [
        "Rust: towns: -2",
        "  aug14/1       -2     -2  stated (entry 2)",
        "Rust: plans: 7",
        "  aug14/1       +7      7  stated (entry 1)",
        "in all: 5",
    ]
    later = journal(game, "aug14/1 fact nation rust score-plans=7", "aug14/2 fact nation rust score-towns=-2")
    assert list(format_accounts(open_accounts(later, "points", "rust", "aug14/2"))) == [
        "Rust: towns: -2",
        "  aug14/2       -2     -2  stated (entry 2)",
        "Rust: plans: 7",
        "  before                7",
        "in all: 5",
    ], "what an account held before the period is in the sum"
    (one,) = open_accounts(book, "Score-Plans", "rust")
    assert (one.account, list(format_accounts([one]))) == ("score-plans", list(format_account(one)))
    empty = open_accounts(book, "Points", "navy")
    assert list(format_accounts(empty)) == [f"nothing has been posted to {', '.join(each.account for each in empty)}"]
    assert [account.account for account in open_accounts(book, "Points", "navy")] == [
        "score-towns",
        "score-plans",
        "score-calls",
    ]
    assert [account.account for account in open_accounts(book, "dm", "rust")] == ["dm"]
    with pytest.raises(InputError, match="'point' is not an account"):
        open_accounts(book, "point", "rust")


def test_a_path_is_not_needed(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "war.journal"
    file.write_text("journal small-war 1\nsetup august\n1 aug14/1 ru dm 5\n")
    assert read(file, game=game).state.facts["dm", "rust"].value == 5
    assert read(f"{file}@aug14/1", game=game).state.facts["turn", ""].value == "aug14/1"
    assert read(f"{file}#1", game=game).state.facts["dm", "rust"].value == 5
    for moment, what in (("#x", "is not the number"), ("@x", "is not a turn"), ("#9", "entry 9")):
        with pytest.raises(InputError, match=what):
            read(f"{file}{moment}", game=game)
    whole = tmp_path / "war.journal#1"
    whole.write_text("game small-war\n")
    with pytest.raises(InputError, match="not a known kind of file"):
        read(whole, game=game)


JOURNAL = """journal twilight-in-the-east 1
turn=1
40.20: 25/3 (10-?-5-10)
41.19 clear: 1/1 (12-16-7-11), "35 r"
"""
HIDDEN = ['fact "35 r" -1', 'fact "35 r" -2', 'fact "35 r" disorder=1']


@pytest.mark.parametrize("moment", ["#0", "#1", "#2", "#99", "#x", "#"])
def test_the_numbers_of_entries_tell_a_side_nothing(tmp_path: Path, moment: str) -> None:
    file, told = tmp_path / "war.journal", set[str]()
    for hidden in (HIDDEN[:1], HIDDEN):
        entries = [*hidden, "fact 40.20 rough"]
        file.write_text(JOURNAL + "".join(f"{number} 1 {entry}\n" for number, entry in enumerate(entries, 1)))
        with pytest.raises(InputError) as refused:
            read(f"{file}{moment}", side="russian")
        told.add(str(refused.value))
        assert read(f"{file}@1", side="russian").state.seen_by == "russian"
        assert read(f"{file}#1", side="umpire").state.facts["lost", "35 r"].value == 1
    assert told == {f"{file}: a side names a turn, not an entry\n  write: {file}@TURN"}


# --- the position from which it starts --------------------------------------------------------------------------------


def test_a_journal_of_what_a_side_knows_stays_one_if_there_is_that_side(game: Game) -> None:
    start = journal(game).position()
    side = next(iter(game.file.sides))
    seen = start.with_state(msgspec.structs.replace(start.state, seen_by=side))
    text = write_head(game, seen, "")
    assert text.splitlines()[1] == f"seen by {side}"
    book = Journal.read(parse_journal(text.encode(), "x.journal"), "x.journal", lambda _: game)
    assert after(book, "turn next").position().state.seen_by == side
    unknown = parse_journal(f"journal {game.id} 1\nseen by nowhere\n".encode(), "x.journal")
    with pytest.raises(InputError, match=r"x\.journal:2: unknown side 'nowhere'"):
        Journal.read(unknown, "x.journal", lambda _: game)


def test_an_account_that_an_answer_takes_back_is_stated_no_more(game: Game) -> None:
    book = journal(game, "aug14/1 fact nation rust sp=3", "aug14/1 answer due |  | sp rust 3 -> - 2")
    assert ("sp", "rust") not in book.position().state.facts and not book.all_faults()
    assert [posting.amount for posting in book.books.postings_of("sp", "rust")][-1] == -3
    none_left = journal(game, "aug14/1 fact nation rust sp=0", "aug14/1 answer due |  | sp rust 0 -> - 2")
    assert ("sp", "rust") not in none_left.position().state.facts
    again = after(book, "fact nation rust sp=2")
    assert again.books.value("sp", "rust") == again.books.balance("sp", "rust") == 2


EXAMPLES = sorted((Path(__file__).parents[4] / "plugins").glob("*/setups/*.pos"))


@few(3)
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_a_table_takes_no_more_room_in_a_file_than_is_counted(file: Path) -> None:
    position = assistant.read(file)
    stated = Position(position.game, position.state)
    (_, letters), (_, lines) = measure_room(position.state).values()
    written = write_notation(stated).splitlines()[1:]
    assert sum(map(len, written)) <= letters
    assert len(written) <= lines

"""The supply points and Headquarters of the United States month by month, by hand (15-6 to 15-10, 16-11, 16-13, 29-13)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant import ask, parse
from assistant.installed.registry import load_game
from assistant.records.journal.begun_turns import format_begun_turns
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.records.journal.typed_lines import read_typed
from assistant.util.console import MAX_COLUMNS

from ..cases import thorough

LEDGER = (  # month, received in turn 1, held after it with nothing taken and with all beyond 25 taken, HQs, limit in its special turn
    ("may17", 5, 5, 5, 0, None),
    ("jun17", 5, 10, 10, 0, None),
    ("jul17", 5, 15, 15, 0, None),
    ("aug17", 5, 20, 20, 0, None),
    ("sep17", 5, 25, 25, 0, None),
    ("oct17", 5, 30, 25, 0, None),
    ("nov17", 5, 35, 25, 0, None),
    ("dec17", 5, 40, 25, 0, None),
    ("jan18", 5, 45, 25, 0, None),
    ("feb18", 5, 50, 25, 0, None),
    ("mar18", 5, 55, 25, 0, None),
    ("apr18", 5, 60, 25, 0, None),
    ("may18", 10, 70, 25, 0, None),
    ("jun18", 10, 80, 25, 0, None),
    ("jul18", 10, 90, 25, 0, None),
    ("aug18", 10, 35, 35, 1, None),
    ("sep18", 10, 45, 45, 1, 30),
    ("oct18", 10, 55, 55, 2, 30),
    ("nov18", 10, 65, 65, 2, 30),
)


def begin(*lines: str) -> Journal:
    """A journal that begins in April 1917, with other nations' supply points left out, and what is typed at it."""
    text = "journal der-weltkrieg 1\nturn=apr17/7\n"
    journal = Journal.read(parse_journal(text.encode(), "war.journal"), "war.journal", load_game)
    return enter(journal, *lines)


def enter(journal: Journal, *lines: str) -> Journal:
    for line in lines:
        journal = journal.with_entries(read_typed(journal, line))
    return journal


@thorough
@pytest.mark.rule("15-6", "15-7", "15-8", "15-9", "15-10", "15-5", "16-11", "16-13")
def test_every_month_holds_what_the_hand_has_reckoned() -> None:
    books = giving = begin()
    headquarters = 0
    for month, received, held, kept, hqs, limit in LEDGER:
        books, giving = enter(books, f"turn {month}/0"), enter(giving, f"turn {month}/0")
        for journal in (books, giving):
            (cap,) = ask(journal.position(), "caps", who="american").result
            assert cap.most == limit
        over = [
            f.text
            for part in ask(books.position(), "caps", who="american").parts
            for f in part.steps
            if "was over" in f.text
        ]
        assert bool(over) == (month in ("sep18", "oct18", "nov18"))
        books, giving = enter(books, f"turn {month}/1"), enter(giving, f"turn {month}/1")
        due = ask(books.position(), "due", who=("american",)).result.items
        assert sum(item.amount for item in due if item.account == "sp") == received
        headquarters += sum(item.item == "hq" for item in due)
        assert (books.books.balance("sp", "american"), headquarters) == (held, hqs)
        found = ask(books.position(), "americans").result
        is_before = not hqs
        assert (found.banked, found.beyond) == ((min(held, 25), max(0, held - 25)) if is_before else (0, 0))
        if is_before and giving.books.balance("sp", "american") > 25:
            french = giving.books.balance("sp", "french")
            giving = enter(giving, f"us give {giving.books.balance('sp', 'american') - 25} french")
            assert giving.books.balance("sp", "french") == french + received
        assert giving.books.balance("sp", "american") == kept
    assert [posting.amount for posting in books.books.postings if posting.rule == "15-10"] == [-65]
    assert not [posting for posting in giving.books.postings if posting.rule == "15-10"]


@pytest.mark.rule("15-9", "15-10")
def test_what_allies_are_found_to_have_taken_is_not_lost_as_the_headquarters_arrives() -> None:
    books = enter(begin(), "turn aug18/1")
    assert books.books.balance("sp", "american") == 35
    late = enter(books, "late jul18/1 us give 60 british")
    assert late.books.balance("sp", "american") == 35
    assert [posting.amount for posting in late.books.postings if posting.rule == "15-10"] == [-5]
    assert enter(late, "late jul18/2 us give 10 french").books.balance("sp", "american") == 30


@pytest.mark.rule("15-9", "15-10")
def test_what_the_headquarters_may_not_begin_with_is_named_as_it_arrives() -> None:
    books = begin("turn jul18/7")
    said = [*format_begun_turns(enter(books, "turn aug18/1"), books.turn, MAX_COLUMNS)]
    lost = "more than the 1st HQ may begin with: allies had to take it (rule 15-10)"
    assert said[0] == f"! United States: supply points: 65 less: {lost}"
    given = enter(books, "us give 65 french")
    assert next(format_begun_turns(enter(given, "turn aug18/1"), given.turn, MAX_COLUMNS)).startswith("Due")
    later = enter(books, "turn aug18/1")
    assert next(format_begun_turns(enter(later, "turn aug18/2"), later.turn, MAX_COLUMNS)).startswith("Due")


ALLIES = ("british", "french")
LEAVE = "allies take the others"


@pytest.mark.rule("15-2", "15-9", "15-10", "22-8")
@pytest.mark.parametrize(
    ("stated", "typed", "found", "reserved"),
    [
        ("turn=mar18/1 sp=20", {}, ((8, 16), 0, ALLIES, (20, 5, 0), True), (f"20 are reserved for the 1st HQ, 5 more may be; {LEAVE}",)),
        ("turn=mar18/1 sp=25", {}, ((8, 16), 0, ALLIES, (25, 0, 0), True), (f"25 are reserved for the 1st HQ, 0 more may be; {LEAVE}",)),
        ("turn=jul18/7 sp=27", {}, ((8, 16), 0, ALLIES, (25, 0, 2), True), (f"25 are reserved for the 1st HQ, 0 more may be; {LEAVE}",)),
        ("turn=jul18/7 sp=0", {}, ((8, 16), 0, ALLIES, (0, 25, 0), True), (f"0 are reserved for the 1st HQ, 25 more may be; {LEAVE}",)),
        ("turn=jul18/7 sp=27; no-supply-points", {}, ((8, 16), 0, ALLIES, (0, 0, 0), True), (f"at most 25 are reserved for the 1st HQ; {LEAVE}",)),
        ("turn=aug18/1 sp=35", {}, ((4, 8), 0, (*ALLIES, "american"), (0, 0, 0), True), ("the 1st HQ started with what was reserved for it",)),
        ("turn=aug18/2 sp=35; no-supply-points", {}, ((4, 8), 0, (*ALLIES, "american"), (0, 0, 0), True), ("the 1st HQ started with what was reserved for it",)),
        ("turn=jul18/7 sp=0", {"divisions": 7, "brigades": 2}, ((8, 16), 8, ALLIES, (0, 25, 0), True), None),
        ("turn=jul18/7 sp=0", {"divisions": 7, "brigades": 3}, ((8, 16), Fraction(17, 2), ALLIES, (0, 25, 0), False), None),
        ("turn=jul18/7 sp=0", {"divisions": 16, "use": "counterattack"}, ((8, 16), 16, ALLIES, (0, 25, 0), True), None),
        ("turn=aug18/1 sp=0", {"divisions": 9, "use": "counterattack"}, ((4, 8), 9, (*ALLIES, "american"), (0, 0, 0), False), None),
    ],
)  # fmt: skip
def test_what_the_united_states_may_have(
    stated: str, typed: dict[str, object], found: tuple[object, ...], reserved: tuple[str, ...] | None
) -> None:
    position = parse(f"game der-weltkrieg\n{stated}".replace(" sp=", "\nnation american sp=").replace("; ", "\n"))
    report = ask(position, "americans", **typed)
    result = report.result
    figures = (result.attack, result.counterattack), result.used, result.takers
    assert (*figures, (result.banked, result.room, result.beyond), result.allowed) == found
    asked_for = "yes" if result.allowed else "no"
    assert report.verdict.kind == (asked_for if result.used else "figure")
    if reserved is not None:
        steps = [(step.rule, step.text) for part in report.parts for step in part.steps]
        assert tuple(text for rule, text in steps if rule == "15-10") == reserved
        beyond = f"France and Great Britain have to take {result.beyond}, which may not be reserved"
        assert (("15-9", beyond) in steps) == bool(result.beyond)
        assert (("15-2", "halved since its first HQ has arrived") in steps) == (result.attack == 4)
        most = f"no more of its divisions than {result.counterattack} may be in French and British sectors"
        assert ("22-8", most) in steps


@pytest.mark.rule("16-13")
def test_books_without_supply_points_say_so_once() -> None:
    books = enter(begin("fact no-supply-points"), "turn nov18/1")
    caps = ask(books.position(), "caps")
    assert (caps.verdict.kind, caps.headline, caps.result) == ("figure", "these books keep no supply points", ())
    assert not ask(books.position(), "victory").result.over
    assert ask(begin("turn nov18/1").position(), "victory").result.over
    spent = ask(books.position(), "spend", who="german", points=900)
    assert spent.verdict.kind == "yes" and ask(books.position(), "americans").result.beyond == 0


@pytest.mark.rule("16-13")
@pytest.mark.parametrize("turn", ["feb15/0", "feb15/1"])
def test_the_first_to_be_over_a_limit_has_lost_whoever_follows(turn: str) -> None:
    text = "journal der-weltkrieg 1\nturn=dec14/7\nnation german sp=176\nnation russian sp=0\n"
    journal = Journal.read(parse_journal(text.encode(), "war.journal"), "war.journal", load_game)
    facts = ("fact nation german sp=0", "fact nation russian sp=126")
    report = ask(enter(journal, "turn jan15/1", *facts, f"turn {turn}").position(), "caps")
    over = [step.text.partition(":")[0] for step in report.parts[1].steps if "was over" in step.text]
    assert over == [
        f"{who} was over its limit in {when}" for who, when in (("Germany", "jan15/0"), ("Russia", "feb15/0"))
    ]
    assert "; Germany over it in jan15/0, which lost the game" in report.verdict.text


@pytest.mark.rule("16-12", "16-13")
def test_an_earlier_special_turn_goes_by_the_headquarters_of_then() -> None:
    text = "journal der-weltkrieg 1\nturn=dec14/7\nnation serbian sp=40 headquarters=2\n"
    journal = Journal.read(parse_journal(text.encode(), "war.journal"), "war.journal", load_game)
    books = enter(journal, "turn jan15/2", "se spend 30", "fact nation serbian headquarters=1")
    assert not [f for f in ask(books.position(), "caps", who="serbian").parts[1].steps if "was over" in f.text]
    assert ask(enter(books, "turn feb15/1").position(), "caps", who="serbian").verdict.kind == "figure"


@pytest.mark.rule("16-12", "9-4", "11-3", "11-4", "13-4", "7-13")
@pytest.mark.parametrize(
    ("who", "out"),
    [
        ("serbian", "serbia-fell=oct15/1"),
        ("bulgarian", "nation bulgarian left=oct15/1"),
        ("romanian", "nation russian surrender=oct15/1"),
    ],
)
def test_who_is_out_of_play_is_over_no_limit(who: str, out: str) -> None:
    stated = f"game der-weltkrieg\nturn=nov15/0\nnation {who} sp=60 headquarters=1\n"
    assert ask(parse(stated), "caps", who=who).verdict.kind == "no"
    assert ask(parse(stated + out), "caps", who=who).verdict.kind == "figure"

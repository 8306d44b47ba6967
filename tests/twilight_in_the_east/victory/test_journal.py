"""The accounts of a journal: each total is the sum of its entries, in whatever order they were amended (27.1)."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import ask
from assistant.installed.registry import load_game
from assistant.records.journal.accounts import open_account
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.records.journal.typed_entries import read_typed
from assistant.util.errors import InputError
from twilight_in_the_east.scoring.points import ACCOUNTS

from ...conftest import GAME

SIDES = ("central-powers", "russian")
Scored = tuple[str, str, int]
SCORED = st.tuples(st.sampled_from([*ACCOUNTS]), st.sampled_from(SIDES), st.integers(-16, 14).filter(bool))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("answer"), SCORED),
        st.tuples(st.just("turn"), SCORED),
        st.tuples(st.just("amend"), st.tuples(st.integers(0, 30), SCORED)),
        st.tuples(st.just("strike"), st.tuples(st.integers(0, 30), SCORED)),
    ),
    max_size=16,
)


def begun(*lines: str) -> Journal:
    text = "\n".join([f"journal {GAME} 1", "turn=1", "", *lines, ""])
    return Journal.read(parse_journal(text.encode(), "east.journal"), "east.journal", lambda _: load_game(GAME))


def answer(scored: Scored) -> str:
    account, side, points = scored
    return f"answer check | | {account} {side} {'+' if points > 0 else '-'} {abs(points)} {ACCOUNTS[account]}"


def play(journal: Journal, *typed: str) -> Journal:
    for text in typed:
        with suppress(InputError):  # such as an amendment of a correction
            journal = journal.check_typed(read_typed(journal, text))
    return journal


def typed(journal: Journal, step: tuple[str, object]) -> str:
    match step:
        case ("answer", (str(account), str(side), int(points))):
            return answer((account, side, points))
        case ("amend", (int(entry), (account, side, points))):
            return f"amend {entry % max(journal.last, 1) + 1} {answer((account, side, points))}"
        case ("strike", (int(entry), _)):
            return f"strike {entry % max(journal.last, 1) + 1}"
        case _:
            return "turn next"


def totals(journal: Journal) -> dict[str, int]:
    return {score.side: score.total for score in ask(journal.position(), "victory").result.scores}


@pytest.mark.hypothesis
@pytest.mark.rule("27.1")
@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_a_total_is_the_sum_of_its_entries_however_they_were_amended(steps: list[tuple[str, object]]) -> None:
    journal = begun()
    for step in steps:
        journal = play(journal, typed(journal, step))
    opened = {(name, side): open_account(journal, name, side) for name in ACCOUNTS for side in SIDES}
    for account in opened.values():
        assert account.before == 0 and account.after == sum(row.amount for row in account.rows)
        assert all(row.entry and row.rule == ACCOUNTS[account.account] for row in account.rows)
    sums = {side: sum(opened[name, side].after for name in ACCOUNTS) for side in SIDES}
    assert totals(journal) == sums


@pytest.mark.hypothesis
@pytest.mark.rule("27.1")
@settings(max_examples=25, deadline=None)
@given(
    scored=st.lists(SCORED, min_size=2, max_size=6),
    corrections=st.dictionaries(st.integers(0, 5), st.one_of(st.none(), SCORED), max_size=5),
    data=st.data(),
)
def test_the_order_of_amendments_changes_no_total(
    scored: list[Scored], corrections: dict[int, Scored | None], data: st.DataObject
) -> None:
    def corrected(order: list[int]) -> Journal:
        entries = [(number + 1, corrections[number]) for number in order if number < len(scored)]
        lines = (f"amend {number} {answer(now)}" if now else f"strike {number}" for number, now in entries)
        return play(begun(), *map(answer, scored), *lines)

    right = [corrections.get(number, was) for number, was in enumerate(scored)]
    expected = {side: sum(now[2] for now in right if now and now[1] == side) for side in SIDES}
    shuffled = data.draw(st.permutations([*corrections]))
    assert totals(corrected([*corrections])) == totals(corrected(shuffled)) == expected


def test_replacements_that_a_segment_leaves_end_with_it_once_and_for_all() -> None:
    """What is left of one segment is not taken for what the next one has."""
    book = begun(
        "1 1 fact phase=replacements",
        "2 1 fact nation russian repl=1",
        "3 1 answer next |  | phase - replacements -> weather -; repl russian 1 -> - -",
    )
    assert not book.all_faults() and ("repl", "russian") not in book.position().state.facts
    lines = [change.track for change in ask(book.position(), "next").changes if hasattr(change, "track")]
    assert "repl" not in lines

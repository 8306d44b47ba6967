"""A journal says by which rules it began, and which of its entries come out differently by those of today."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.faces.prompt.books import JournalSession
from assistant.game.games import Game
from assistant.installed.fingerprints import compute_fingerprint, name_rules
from assistant.installed.registry import load_game
from assistant.records.journal.exchange import write_message
from assistant.records.journal.files import create
from assistant.records.journal.journal import Journal, write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.records.journal.recomputed import Comparison, compare_with_today, format_comparison
from assistant.util.work_time import WorkTime

from .small import FILES, small_game

OTHER_RULES = "0.9 0123456789ab"
EVENING = Path(__file__).parents[4] / "plugins" / "world_undone_east_prussia" / "examples" / "evening.journal"


def begin(folder: Path, game: Game, rules: str = "") -> JournalFile:
    file = folder / "war.journal"
    create(file, write_head(game, None, "august", rules=rules or name_rules(game)))
    return JournalFile(file, lambda _: game)


def compare(journal: Journal) -> Comparison:
    return compare_with_today(journal, WorkTime(60))


def with_changed_events(folder: Path, old: str, new: str) -> Game:
    events = FILES["events.toml"]
    assert old in events
    game = small_game(folder / "changed")
    (folder / "changed" / "events.toml").write_text(events.replace(old, new))
    return type(game)(game.id, game.folder, game.file, game.tracks)


@pytest.fixture
def lines() -> tuple[str, ...]:
    return (
        "ru dm 22",
        "na dm 4, ro dm 5",
        "turn dec14/1",
        "late aug14/2 ru dm 90",
        "amend 1 12",
        "strike 2",
        "ru dm 2",
    )


def test_the_lines_of_a_campaign_check_what_they_change(tmp_path: Path, game: Game, lines: tuple[str, ...]) -> None:
    file = begin(tmp_path, game)
    for line in lines:
        file.add(line)
    journal = JournalFile(file.file, lambda _: game).read()
    assert not journal.all_faults() and not journal.rules_have_changed
    assert [bool(entry.books) for entry in journal.entries] == [True, False, True, True, True, True, True, True]
    assert compare(journal) == Comparison((), 7)
    assert "books=" not in write_message(journal, 0)[0]


def test_lines_that_changed_the_accounts_otherwise_are_named(
    tmp_path: Path, game: Game, lines: tuple[str, ...]
) -> None:
    file = begin(tmp_path, game)
    for line in lines:
        file.add(line)
    changed = with_changed_events(
        tmp_path,
        'title = "demoralization points"\nleast = 1\nposts = { dm = 1 }',
        'title = "points"\nleast = 1\nposts = { dm = 2 }',
    )
    journal = JournalFile(file.file, lambda _: changed).read()
    assert journal.rules_have_changed
    found = compare(journal)
    assert [difference.number for difference in found.differences] == [1, 3, 5, 6, 7, 8] and found.compared == 7
    text = [*format_comparison(journal, found)]
    assert (
        text[0].startswith("the rules or data have changed since this journal began (")
        and "of 7 compared 6 entries come" in text[0]
    )
    assert (
        text[1].startswith("entry 1 changed the accounts otherwise when it was entered. Now: ") and "44 more" in text[1]
    )


def test_a_set_up_that_is_put_right_is_noticed(tmp_path: Path, game: Game) -> None:
    file = begin(tmp_path, game)
    file.add("ru dm 60")
    changed = small_game(tmp_path / "changed")
    (tmp_path / "changed" / "setups" / "august.pos").write_text("game small-war\nturn=aug14/1\nnation rust dm=70\n")
    assert JournalFile(file.file, lambda _: changed).read().rules_have_changed


def test_a_journal_that_names_no_rules_has_no_checks(tmp_path: Path, game: Game) -> None:
    file = tmp_path / "war.journal"
    create(file, write_head(game, None, "august"))
    opened = JournalFile(file, lambda _: game)
    opened.add("ru dm 22")
    assert "books=" not in file.read_text() and file.read_text().startswith("journal small-war 1 ~")
    assert not opened.read().rules_have_changed


def evening(folder: Path, rules: str) -> JournalFile:
    """The journal of an evening as other rules gave it."""
    file = folder / "evening.journal"
    _, _, rest = EVENING.read_text().partition("\n")
    file.write_text(f"journal world-undone-east-prussia-1914 2\nrules {rules}\n{rest}")
    return JournalFile(file, load_game)


@pytest.mark.parametrize("choice", ["recorded", "recomputed"])
def test_at_the_prompt_the_player_chooses_which_answers_stand(tmp_path: Path, choice: str) -> None:
    opened = evening(tmp_path, OTHER_RULES)
    before = opened.read()
    first = compare(before)
    assert first.differences and all(found.is_answer for found in first.differences)
    session = JournalSession(opened, 100)
    assert any("which answers shall stand?" in line for line in session.begin())
    session.enter(choice)
    assert session.fault is None
    after = opened.read()
    corrected = after.counting.kept if choice == "recorded" else after.counting.amended_by
    assert {*corrected} == {found.number for found in first.differences if choice == "recorded" or found.may_be_again}
    assert len(compare(after).differences) < len(first.differences)
    session.enter(choice)
    assert session.fault is not None and session.fault.what == "no answer comes out differently now"


def test_by_the_rules_of_today_nothing_is_asked(tmp_path: Path) -> None:
    opened = evening(tmp_path, name_rules(load_game("world-undone-east-prussia-1914")))
    assert not any("which answers" in line for line in JournalSession(opened, 100).begin())


def test_without_time_a_comparison_says_so(tmp_path: Path) -> None:
    journal = evening(tmp_path, OTHER_RULES).read()
    found = compare_with_today(journal, WorkTime(0))
    assert found == Comparison((), 0, is_complete=False)
    assert next(iter(format_comparison(journal, found))).endswith("there was no time for the others")


def test_a_fingerprint_tells_names_and_contents_apart() -> None:
    parts = ((("a", b"bc"),), (("ab", b"c"),), (("a", b"b"), ("c", b"")), (("a", b"bd"),))
    assert len({compute_fingerprint(part) for part in parts}) == len(parts)

"""A table that is kept in a journal: combats on one line, entered with their dice; and whatever is typed, the journal stands where the table does."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from random import Random

import pytest

from assistant import read
from assistant.asking.report import to_text
from assistant.faces.prompt.books import JournalSession
from assistant.faces.prompt.journal_table import table_of
from assistant.formats.notation_writer import are_alike, write_changes
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.records.journal.entries import OpenQuestion
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import Added, JournalFile
from assistant.service import parse
from assistant.util.errors import InputError, Where
from tests.hostile.inputs.grammar import Words

from ....cases import few, seeds, thorough
from .grammar import GAMES
from .stored import typed_lines
from .test_books import typed

BATTLE = Path(__file__).parents[4] / "plugins" / "twilight_in_the_east" / "examples" / "battle-before.pos"


pytestmark = pytest.mark.usefixtures(
    "own_data"
)  # some of the lines that are made up answer what is kept in the owner's pack


def begun(folder: Path, game: str, start: Position | None = None) -> JournalSession:
    file = folder / "front.journal"
    file.unlink(missing_ok=True)
    create(file, write_head(load_game(game), start, ""))
    return JournalSession(JournalFile(file, load_game), 100)


@pytest.fixture
def books(tmp_path: Path) -> JournalSession:
    return begun(tmp_path, GAMES[0], Position(load_game(GAMES[0]), read(BATTLE).state))


def now(books: JournalSession) -> Position:
    return read(str(books.file.file))


FOUGHT = ("battle 4119 ap=3,20 dap=1", "2+5", "3 4", "1", "2", "6", "5", "done")


def test_each_line_of_a_combat_is_an_entry_and_one_is_what_it_comes_to(books: JournalSession) -> None:
    typed(books, *FOUGHT[:-1])
    asked = [entry.what for entry in books.journal.entries]
    assert [type(what) for what in asked] == [OpenQuestion] * len(FOUGHT[:-1])
    assert ("lost", "25/3") not in now(books).state.facts, "dice change nothing before they are carried out"
    assert f"entered: {len(FOUGHT)}" in typed(books, "done")
    assert now(books).state.facts["lost", "25/3"].value == 1
    listed = f"{len(FOUGHT)} 1 answer battle at=41.19 attacker-ap=3,20 defender-ap=1 | {asked[-1].dice}"
    assert typed(books, "list").split() == listed.split(), "questions that were answered are not listed"


def test_an_entry_of_an_earlier_turn_is_one_where_turns_are_numbers(books: JournalSession) -> None:
    typed(books, "turn next", "late 1 fact 27/3 -2")
    assert "   2 1 late fact 27/3 -2" in typed(books, "list")


def test_what_a_line_states_is_entered_and_undo_strikes_it(books: JournalSession) -> None:
    assert "entered: 1" in typed(books, "27/3 -2")
    assert "   1 1 fact 27/3 -2" in typed(books, "list")
    assert "entered: 2 to 3" in typed(books, "4118 clear: 36/17 (10-6-5-11)")
    assert now(books).state.units["36/17"].place == "41.18"
    assert "entered: 4 to 5, which strikes 3" in typed(books, "undo")
    assert "36/17" not in now(books).state.units
    typed(books, "undo")
    assert ("lost", "27/3") not in now(books).state.facts
    assert typed(books, "undo") == "! there is nothing to undo"


def test_turns_begin_at_the_table_and_in_the_journal(books: JournalSession) -> None:
    assert typed(books, "turn next").startswith("1 2 turn")
    assert books.prompt == "2> "
    assert "entered: 2" in typed(books, "turn=4") and books.prompt == "4> "
    assert "undone" in typed(books, "undo", "undo") and books.prompt == "1> "


def test_a_unit_may_leave_the_map(books: JournalSession) -> None:
    typed(books, "off 27/3")
    assert now(books).state.units["27/3"].place is None
    typed(books, "undo")
    assert now(books).state.units["27/3"].place == "40.20"


@pytest.mark.parametrize(("line", "said"), [("new", "never emptied"), ("amend 9 3", "there is no entry 9")])
def test_what_a_journal_does_not_take(books: JournalSession, line: str, said: str) -> None:
    assert said in typed(books, line) and books.journal.entries == ()


def test_help_says_both_what_the_table_and_what_the_journal_reads(books: JournalSession) -> None:
    said = typed(books, "help")
    assert "  help combat  " in said and "in the journal:\n  help entries  " in said
    assert "a combat: hex and units" in typed(books, "help combat") and "turn next" in typed(books, "help entries")
    assert "carry out the answer" in typed(books, "help table")


def wrong(books: JournalSession, random: Random) -> str:
    """The first line after which the journal does not stand where the table does, "" for none."""
    assert books.session
    for line in typed_lines(Words(books.journal.game), random, books.session):
        said = books.enter(line)
        if any(text.startswith("! table not saved") for text in said):
            return ""  # which it says
        if not are_alike(now(books), books.session.table.position):
            return f"{line}\n" + "\n".join(said)
    return ""


@few(1)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", seeds(6))
def test_whatever_is_typed_the_journal_stands_where_the_table_does(tmp_path: Path, game: str, seed: int) -> None:
    assert wrong(begun(tmp_path, game), Random(f"{game} {seed}")) == ""


def test_lines_lead_from_one_position_to_another(books: JournalSession) -> None:
    """A stack is written whole."""
    before = now(books)
    typed(books, "4120: 25/3", "4120 rough", "40.19|40.20 minor-river")
    lines = write_changes(before, now(books))
    assert lines[:2] == ["41.20: 25/3 (10-?-5-10)", "40.20: 27/3 (10-?-5-10)"]
    assert sorted(lines[2:]) == ["40.19|40.20 minor-river", "41.20 rough"]


def test_a_phase_that_begins_is_one_entry_whatever_ends_with_the_last(tmp_path: Path) -> None:
    fought = (
        "game kaisers-war-in-the-east\nturn=2 phase=first-combat\n2620 attacked combat-result=DD\n2621: AH-4 fought"
    )
    books = begun(tmp_path, "kaisers-war-in-the-east", parse(fought))
    assert "entered: 1\n" in f"{typed(books, 'phase=second-combat')}\n"
    assert "entered: 3\n" in f"{typed(books, '2720 attacked', 'turn=3')}\n"
    left = {key for key in now(books).state.facts if key[0] in ("attacked", "combat-result", "fought")}
    assert left == set()


# --- a session that ends, and the next one --------------------------------------------------------------------------------


def again(books: JournalSession) -> JournalSession:
    """A session that knows nothing but the file."""
    return JournalSession(JournalFile(books.file.file, load_game), 100)


def standing(books: JournalSession) -> dict[str, object]:
    """All that a session shows of its table: the answer, what it takes for granted and how that is numbered, what it waits
    for, and the combat that is set aside.
    """
    assert books.session
    table, shown = books.session.table, books.session.shown
    aside = table.aside
    return {
        "answer": to_text(shown.report, 100) if shown else "",
        "assumed": [(known.number, known.words, known.decisive) for known in shown.assumed] if shown else [],
        "chosen": {key: value for key, value in table.chosen.items() if key[0] or table.asked},
        "asked": (table.asked.question, dict(table.asked.parameters)) if table.asked else None,
        "answers": dict(table.position.answers) if table.asked else {},
        "pending": books.session.prompt if not (books.session.held or books.session.queue) else "",
        "aside": (aside.words, dict(aside.chosen), aside.numbered, aside.answers and aside.stacks) if aside else None,
    }


JOURNAL_LINES = ("undo", "undo", "done", "turn next", "strike 3", "amend 2 4119 clear", "asked", "fact 4020: 25/3")
"""What the journal reads, among what the table reads."""


@few(1)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", seeds(6))
def test_a_session_that_ends_anywhere_goes_on_there(tmp_path: Path, game: str, seed: int) -> None:
    """Some go on in the next session, some in the same one."""
    random, books = Random(f"{game} {seed}"), begun(tmp_path, game)
    assert books.session
    lines = typed_lines(Words(books.journal.game), random, books.session)
    for typed_here in chain(FOUGHT_FROM_NOTHING if seed % 2 and game == GAMES[0] else (), lines):
        line = random.choice(JOURNAL_LINES) if random.random() < 0.2 else typed_here
        said = books.enter(line)
        if any(text.startswith("! table not saved") for text in said) or books.session.held:
            continue
        other = again(books)
        assert standing(other) == standing(books), line
        books = other if random.random() < 0.2 else books


FOUGHT_FROM_NOTHING = (
    "trust charts",
    "t=3",
    "4119c 1/1 12-16-7-11 < 4020o 25/3 10-12-5-10 27/3 = 4019o 29/20 =",
    "12",
    "?2",
    "3",
)


@thorough
def test_a_journal_that_is_cut_anywhere_is_a_session_as_it_was_after_a_line(books: JournalSession) -> None:
    states = [standing(books)]
    for line in ("27/3 -2", *FOUGHT[:3], "undo", "4 4"):
        typed(books, line)
        states.append(standing(books))
    data, file = books.file.file.read_bytes(), books.file.file
    for cut in range(len(data), data.index(b"\n1 1 "), -29):
        file.write_bytes(data[:cut])
        assert standing(again(books)) in states, data[:cut][-80:]


def test_undo_takes_back_a_die_first_in_whatever_session(books: JournalSession) -> None:
    typed(books, *FOUGHT[:3])
    before = standing(books)
    typed(books, "1")
    books = again(books)
    typed(books, "undo")
    assert standing(books) == before and standing(again(books)) == before
    typed(again(books), "undo")
    books = again(books)
    assert books.session and books.session.table.position.answers == {"crt": "2+5"}
    typed(books, "undo", "undo", "undo")
    assert standing(books)["asked"] is None and standing(again(books))["asked"] is None
    assert typed(books, "undo") == "! there is nothing to undo"


def test_the_next_session_begins_with_the_answer(books: JournalSession) -> None:
    typed(books, *FOUGHT[:2])
    said = "\n".join(again(books).begin())
    assert "against 1/1 at 41.19" in said
    assert again(books).prompt.startswith("Step Loss Results Table")


def test_a_combat_that_is_set_aside_is_there_in_the_next_session(books: JournalSession) -> None:
    typed(books, *FOUGHT[:2], "supply unit=25/3")
    books = again(books)
    assert books.session and books.session.table.aside and books.session.table.aside.answers == {"crt": "2+5"}
    assert "7 on 1:1" in " ".join(typed(books, "battle").split())
    typed(books, "4021 clear: 36/17 (10-6-5-11)", "turn next")
    assert standing(again(books))["aside"] is None


def test_questions_that_another_session_asks_have_numbers_of_their_own(books: JournalSession) -> None:
    assert books.session
    before = books.session.table
    typed(again(books), *FOUGHT[:2], "supply unit=25/3")
    table = table_of(books.file.read(), before)
    assert table.asked and table.aside
    assert len({before.number, table.number, table.aside.number}) == 3


def test_an_entry_leaves_a_combat_open_as_long_as_its_units_stand(books: JournalSession) -> None:
    typed(books, *FOUGHT[:2])
    assert "7 on 1:1" not in typed(books, "late 1 asked"), "which is refused"
    typed(books, "fact 4117 clear")
    assert standing(books)["answers"] == {"crt": "2+5"}
    assert "its dice no longer count" in typed(books, "fact 40.20: 25/3")
    assert standing(books)["answers"] == {} and standing(again(books)) == standing(books)
    assert "closed: Battle at 41.19" in " ".join(typed(books, "fact 42.20: 1/1").split())
    typed(books, "undo")
    assert standing(books)["asked"] is not None


def test_a_turn_that_begins_leaves_a_combat_and_says_so(books: JournalSession) -> None:
    typed(books, *FOUGHT[:2])
    assert "not carried out: Battle at 41.19" in " ".join(typed(books, "turn next").split())
    assert standing(books)["asked"] is None
    typed(books, "undo")
    assert standing(books)["answers"] == {"crt": "2+5"}


def test_a_tap_that_is_sent_again_counts_once_in_whatever_session(books: JournalSession) -> None:
    for tap, line in enumerate(FOUGHT[:3]):
        books.enter(line, f"tap {tap}")
    before, last = standing(books), books.journal.last
    for session in (books, again(books)):
        for tap, line in enumerate(FOUGHT[:3]):
            assert session.enter(line, f"tap {tap}") == [f"entered already: {tap + 1}"]
        assert standing(session) == before and session.file.read().last == last
    again(books).enter("undo", "take back")
    assert again(books).enter("undo", "take back")[0].startswith("entered already")
    assert "crt=2+5 |" not in typed(again(books), "list") and standing(again(books))["answers"] == {"crt": "2+5"}


def test_what_cannot_be_entered_leaves_the_table_as_typed_and_is_entered_with_the_next_line(
    books: JournalSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(books, FOUGHT[0])
    with monkeypatch.context() as patch:
        patch.setattr(books.file, "add", refuse)
        assert "! table not saved" in typed(books, "2+5")
    typed(books, "3 4")
    assert standing(again(books)) == standing(books)


def refuse(*texts: object, **options: object) -> Added:
    raise InputError("no room", where=Where("front.journal"))


def test_whose_knowledge_answers_rest_on_is_said_once(books: JournalSession) -> None:
    assert "\n".join(books.begin()).count("You see both sides.") == 1
    said = typed(books, "turn next", "due", "why", "supply 29/20", "help")
    assert "You see" not in said

"""The table prompt on a journal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

import module_builder
from assistant.faces.prompt.books import JournalSession
from assistant.formats.positions import Asked
from assistant.installed.registry import load_game, make_game_loader, named_game
from assistant.records.journal.files import create
from assistant.records.journal.findings import list_losses
from assistant.records.journal.journal_file import JournalFile
from assistant.service import ask
from assistant.util.background import AtHand, NotYet, using

from ....cases import few


@pytest.fixture
def books(tmp_path: Path) -> JournalSession:
    return books_in(tmp_path / "war.journal")


def books_in(file: Path) -> JournalSession:
    """A session at a new journal."""
    create(file, "journal der-weltkrieg 1\n")
    return JournalSession(JournalFile(file, load_game), 100)


def typed(books: JournalSession, *lines: str) -> str:
    return "\n".join(text for line in lines for text in books.enter(line))


def test_each_line_is_an_entry_and_says_what_it_changes(books: JournalSession) -> None:
    assert (
        typed(books, "ah dm 22 Sabac") == "1 aug14/1 ah dm 22 Sabac\n  Austria-Hungary: demoralization points: 22 more"
    )
    assert "3 aug14/1 fr dm 4" in typed(books, "ru dm 9, fr dm 4")
    said = typed(books, "turn next")
    assert "4 aug14/2 turn" in said and "Due in aug14/2" in said and books.prompt == "aug14/2> "
    assert "Austria-Hungary: demoralization points: 4 less" in typed(books, "amend 1 18")
    assert "dm Sabac (entry 1, rule 3-11)" in typed(books, "why dm ah")


@pytest.mark.parametrize("width", [50, 90])
def test_what_is_due_fits_the_width_of_the_screen(books: JournalSession, width: int) -> None:
    books.width = width
    *_, due = typed(books, "turn next").partition("Due in ")
    assert 0.8 * width < max(map(len, due.splitlines()[1:])) <= width
    indents = {len(line) - len(line.lstrip()) for line in due.splitlines() if line.startswith(" ")}
    assert indents == {2, 12}, "each item is wrapped once"


def test_turn_alone_asks_the_question_where_there_is_one(tmp_path: Path) -> None:
    file = tmp_path / "front.journal"
    create(file, "journal twilight-in-the-east 1\nturn=2\n")
    at_table = JournalSession(JournalFile(file, load_game), 100)
    assert "turn 2" in typed(at_table, "turn") and at_table.prompt == "2> "
    assert "read: turn whole=yes" in typed(at_table, "turn whole=yes") and at_table.prompt == "2> "
    assert typed(at_table, "turn whole").startswith("! 'whole' is not a turn")
    typed(at_table, "turn next")
    assert at_table.prompt == "3> "


def test_what_is_due_is_asked_only_where_there_is_a_schedule(books: JournalSession, tmp_path: Path) -> None:
    assert "\n  due  " in typed(books, "help books")
    file = tmp_path / "front.journal"
    game = named_game(str(Path(module_builder.__file__).parent / "template"))
    create(file, f"journal {game.id} 1\nturn=2\n")
    at_table = JournalSession(JournalFile(file, make_game_loader(game)), 100)
    said = typed(at_table, "help books")
    assert "\n  check  " in said and "\n  due  " not in said
    assert "due: what is due" in typed(books, "help due") and "due: what is due" not in typed(at_table, "help due")
    assert typed(at_table, "due").startswith(f"! {game.title} has no schedule of what is due\n")


def test_a_sign_without_its_entry_is_shown_with_it(tmp_path: Path) -> None:
    file = tmp_path / "front.journal"
    create(file, "journal twilight-in-the-east 1\nturn=2\n")
    at_table = JournalSession(JournalFile(file, load_game), 100)
    said = "! the entry is missing\n  write: force fact LINE, a line of position notation"
    assert typed(at_table, "force") == said


def test_a_number_that_is_first_stated_is_no_amount(tmp_path: Path) -> None:
    file = tmp_path / "front.journal"
    create(file, "journal twilight-in-the-east 1\nturn=2\nphase=supply\nphasing=russian\n")
    at_table = JournalSession(JournalFile(file, load_game), 200)
    said = typed(at_table, "side russian supply-phase-done=2")
    assert said == "read: side russian supply-phase-done=2\nentered: 1"
    typed(at_table, "undo")
    assert "supply-phase-done" not in str(at_table.journal.position().state.facts)


def test_an_answer_that_leads_to_the_next_turn_begins_it_in_the_journal(tmp_path: Path) -> None:
    file = tmp_path / "front.journal"
    create(file, "journal twilight-in-the-east 1\nturn=2\nphase=post-combat\nphasing=central-powers\n")
    at_table = JournalSession(JournalFile(file, load_game), 100)
    typed(at_table, "next", "done")
    assert at_table.prompt == "3> "
    assert (at_table.journal.turn, at_table.journal.position().state.value("phase")) == (3, "weather")
    typed(at_table, "undo")
    assert (at_table.journal.turn, at_table.journal.position().state.value("turn")) == (2, 2)
    typed(at_table, "done", "next", "next leave=weather", "done")
    assert (at_table.prompt, at_table.journal.position().state.value("phase")) == ("3> ", "reinforcement")


def test_an_answer_that_comes_from_elsewhere_begins_its_turn_too(tmp_path: Path) -> None:
    kept = JournalFile(tmp_path / "front.journal", load_game)
    create(kept.file, "journal twilight-in-the-east 1\nturn=2\nphase=post-combat\nphasing=central-powers\n")
    asked = msgspec.structs.replace(kept.read().position(), asks=(Asked("next", {}),))
    report = ask(asked, asked.asks[0], {})
    added = kept.enter_answer(asked, report.changes)
    assert [type(entry.what).__name__ for entry in added.entries] == ["Answer", "TurnBegins"]
    assert added.journal.turn == 3 and not added.journal.turn_after(report.changes)


def test_undo_goes_back_as_far_as_there_are_entries(books: JournalSession) -> None:
    for number in range(30):
        typed(books, f"ru dm {number + 1}")
    for _ in range(30):
        assert not typed(books, "undo").startswith("!")
    assert typed(books, "undo") == "! there is nothing to undo"
    assert books.journal.books.balance("dm", "russian") == 0
    assert len(books.journal.entries) == 60, "nothing is deleted"


def test_an_answer_is_entered_with_its_dice_and_named_when_what_it_read_has_changed(books: JournalSession) -> None:
    typed(books, "ah dm 120", "turn jun15/0")
    assert "`done` enters it" in typed(books, "italy serbia=no die=2")
    assert "italian, turn in which it enters the war" in typed(books, "italy serbia=no die=2")
    assert typed(books, "done").startswith("4 jun15/0 answer italy serbia=no | die=2")
    assert books.journal.books.value("enters", "italian") == "aug15/7"
    said = typed(books, "amend 1 20")
    assert "entry 4 (italy serbia=no) was given from demoralization points of austro-hungarian: 138, now 38" in said
    assert "`keep 4`, or `amend 4 again`" in said
    typed(books, "keep 4")
    assert "entry 4" not in typed(books, "check")
    typed(books, "amend 1 60")
    assert "entry 4" in typed(books, "check")


def test_an_answer_is_asked_again_with_its_dice(books: JournalSession) -> None:
    typed(books, "ah dm 120", "turn jun15/0", "italy serbia=no die=2", "done", "amend 1 121")
    said = typed(books, "amend 4 again")
    assert "before:" in said and "again:" in said and "amend 4 answer italy serbia=no | die=2" in said
    assert "entry 4" not in typed(books, "check")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ru dmm 4", "nearest known: dm"),
        ("xx dm 4", "known: ge, ah"),
        ("rus dm 4", "write: ru"),
        ("dm ru 4", "write: ge dm 3"),
        ("ru foo 4", "known: dm, gain, lose, rebuild, spend"),
        ("amned 1 4", "nearest known: amend"),
        ("ru spend 2 artilery", "artillery, or a note that begins otherwise"),
        ("moral ah", "nearest known: morale"),
        ("ru spend 999", "999 taken, but only 0 left (rule 16-4)"),
        ("late mar25/1 ru dm 3", "outside the game"),
        ("jul14/1 ru dm 3", "outside the game"),
        ("amend 7 3", "there is no entry 7"),
        ("done", "there is nothing to enter"),
        ("why dm", "the nation of the account dm is missing"),
        ("why gold ru", "accounts: dm, sp"),
        ("list zz", "neither a nation nor a side"),
        ("morale zz", "zz"),
        ("due until=aug13/1", "outside the game"),
        ("turn nov18/3 extra", "is not a turn"),
        ("amend x again", "is not the number of an entry"),
        ("serbia-fell", "write: game serbia-fell"),
        ("ge give 4 ah", "`give` does not happen to german"),
        ("ge gve 4", "known: dm, gain, lose, rebuild, spend"),
        ("it rebuild 2 foo", "known: alpini, artillery, infantry, italian-mountain, marine, tank"),
        ("gas xx", "central-powers"),
        ('ge lose "9th HQ"', 'write: "GE 9th HQ"'),
        ("ge lose HQ 9th", 'write: "GE 9th HQ"'),
        ("ge", "write: ge dm 3"),
        ("ge 5 dm", "write: ge dm 5"),
        ("ge dm 5, ah dmm 3", "'dmm' is not an event"),
        ("ge dm 5,", "nothing beside a comma"),
        ("austria", "write: ah"),
        ("frnce dm 3", "nearest known: france, french"),
        ("italy serbia=yes dice=3", "nearest known: die"),
        ("why gas ge", "name one: central-powers"),
        ("why gas game", "not of the game name one: central-powers, entente"),
        ("due aug14/1 aug14/2 aug14/3", "write: due turn=aug14/1 until=nov18/3"),
        ("why dm cp", "name one: german, austro-hungarian, bulgarian, ottoman"),
        ("why sp ge from=nov14/1 to=oct14/1", "exchange from and to"),
        ("why demoralizaton-points-and-so ge", "'demoralizaton-points-and-so' is not an account"),
        ("late ah dm 5", "write: late TURN ah dm 5"),
        ("late aug14/1 ah dm 5", "aug14/1 is not over"),
        ("jun15/3 ge dm 2", "begin the turn first: turn jun15/3"),
        ("bye", "`help` lists what can be typed"),
        ("12", "no dice are asked for now: '12'"),
        ("morale Great Britain", "put a name with spaces in quotes"),
    ],
)
def test_a_slip_is_answered_with_the_reason_and_what_was_meant(books: JournalSession, line: str, said: str) -> None:
    answer = " ".join(typed(books, line).split())
    assert answer.startswith("! ") and said in answer, answer
    assert books.journal.entries == ()


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("Germany dm 5", "ge dm 5"),
        ("Great Britain dm 5 Mons", "gb dm 5 Mons"),
        ("österreich dm 5", "ah dm 5"),
        ("Austria-Hungary dm 5", "ah dm 5"),
        ("aug14/2 RUSSIA dm 5", "ru dm 5"),
    ],
)
def test_a_nation_may_be_called_by_its_title(books: JournalSession, line: str, entry: str) -> None:
    assert entry in typed(books, line).splitlines()[0]
    assert "Morale of Germany" in typed(books, "morale germany")
    assert "Russia" not in typed(books, "due Germany")


def test_what_an_event_sets_is_said(books: JournalSession) -> None:
    assert "Italy: turn in which it enters the war: aug14/1" in typed(books, "it enters")
    assert "GE 9th HQ: turn in which it was destroyed: aug14/1" in typed(books, 'ge lose "GE 9th HQ"')
    assert "  turn in which the Central Powers controlled" in typed(books, "game serbia-fell")
    assert "aug14/1 -> not stated" in typed(books, "undo")


@pytest.mark.parametrize("given", ["2", "1+1", "gain=2", "answers gain=2"])
def test_dice_that_a_question_asks_for_are_given_as_at_the_ordinary_table(books: JournalSession, given: str) -> None:
    typed(books, "turn sep14/0")
    assert "answers gain=TOTAL" in typed(books, "gas cp")
    assert "Central Powers has 1 gas counter" in typed(books, given)
    typed(books, "done")
    assert books.journal.books.value("gas", "central-powers") == 1


def test_a_roll_without_effect_may_be_kept_and_what_is_not_rolled_may_not(books: JournalSession) -> None:
    typed(books, "turn sep14/0", "gas cp")
    assert "`done` enters it" in typed(books, "7")
    assert typed(books, "done").startswith("4 sep14/0 answer gas side=cp | gain=7")
    typed(books, "morale ge")
    assert typed(books, "done").startswith("! there is nothing to enter")
    assert len(books.journal.entries) == 4 and typed(books, "check") == "no mistakes found"


def test_a_die_is_entered_late_with_its_question(books: JournalSession) -> None:
    typed(books, "ah dm 120", "turn apr15/1")
    assert "still asked for: die" in typed(books, "late apr15/0 italy serbia=no")
    said = typed(books, "late apr15/0 italy serbia=no die=1")
    assert said.startswith("3 apr15/0 late answer italy serbia=no | die=1")
    assert books.journal.books.value("enters", "italian") == "jun15/7"


def test_an_answer_that_is_not_entered_is_named_before_it_is_dropped(books: JournalSession) -> None:
    typed(books, "ah dm 120", "turn jun15/0", "italy serbia=no", "2")
    not_entered = "! not entered: italy serbia=no die=2"
    assert typed(books, "morale ge").startswith(not_entered)
    typed(books, "italy serbia=no die=2")
    assert not_entered not in typed(books, "italy serbia=no die=2", "ge dm 1", "due ge")
    assert "answer italy serbia=no | die=2" in typed(books, "done"), "what happens meanwhile does not drop it"


def test_a_turn_begins_without_an_answer_only_when_typed_again(books: JournalSession) -> None:
    typed(books, "ah dm 120", "turn jun15/0", "italy serbia=no die=2")
    said = typed(books, "turn next")
    assert said.startswith("! not entered: italy serbia=no die=2") and "`done` enters it" in said
    assert books.prompt == "jun15/0> "
    assert "not entered" not in typed(books, "turn next") and books.prompt == "jun15/1> "
    typed(books, "undo", "turn next")
    assert typed(books, "done").startswith("6 jun15/0 answer italy serbia=no | die=2")


def test_a_turn_begins_at_once_when_the_answer_has_been_undone(books: JournalSession) -> None:
    typed(books, "ah dm 120", "turn jun15/0", "italy serbia=no die=2", "done")
    assert "not entered" not in typed(books, "undo", "turn next")
    assert books.prompt == "jun15/1> "


def test_due_takes_nations_and_a_turn_alone(books: JournalSession) -> None:
    said = typed(books, "due ge ah oct14/1")
    assert (
        said.startswith("Due in oct14/1") and "Germany" in said and "Austria-Hungary" in said and "Russia" not in said
    )
    assert typed(books, "due oct14/1 oct14/7").startswith("Due in oct14/1 to oct14/7")
    assert typed(books, "due oct14/1 oct14/2 oct14/3").startswith("! oct14/3 is one turn too many")


def test_debts_are_told_once_when_they_become_overdue(books: JournalSession) -> None:
    typed(books, "force it spend 4 artillery", "force it spend 3 artillery", "turn next", "turn next")
    said = typed(books, "turn next")
    assert said.count("! Italy: 7 supply points for infantry") == 1 and "were due by aug14/3" in said
    assert "for infantry" not in typed(books, "turn next")
    assert typed(books, "check").count("7 supply points for infantry") == 1


def test_an_answer_that_could_not_be_compared_is_named_by_check(tmp_path: Path) -> None:
    file = tmp_path / "front.journal"
    create(file, "journal twilight-in-the-east 1\nturn=1\n")
    typed(JournalSession(JournalFile(file, load_game), 100), "answer turn |  | turn - 2 -> 2 5.4.4")
    with using(AtHand(1)):  # at a table that is served
        said = typed(JournalSession(JournalFile(file, load_game), 100), "check")
    assert said == "! entry 1 could not be checked: `assistant journal check --seconds 600` does"
    assert typed(JournalSession(JournalFile(file, load_game), 100), "check") == "no mistakes found"


def test_what_loses_the_game_is_told_when_the_turn_begins_and_by_check(books: JournalSession) -> None:
    """Rule: 16-13"""
    typed(books, "turn jan15/7", "ge gain 999 sp")
    assert "which loses the game" not in typed(books, "check")
    said = " ".join(typed(books, "turn next").split())
    assert "! Supply points in Headquarters: Germany" in said and "over the limit now, which loses the game" in said
    assert "which loses the game" in typed(books, "check")


def test_two_parts_of_one_question_tell_its_no_once(books: JournalSession) -> None:
    typed(books, "turn jan15/7", "ge gain 999 sp", "turn next")
    rules = books.journal.rules
    part = rules.events.sheet[0]
    rules.events = msgspec.structs.replace(rules.events, sheet=(part, msgspec.structs.replace(part, part="Duties")))
    assert len(list(list_losses(books.journal))) == 1


def test_what_the_players_agreed_to_beyond_what_there_is_stays_in_sight(books: JournalSession) -> None:
    typed(books, "force it spend 9 overspent")
    assert "! Italy: supply points: -9, less than there can be, as agreed in entry 1" in typed(books, "check")
    typed(books, "it gain 20 sp")
    assert typed(books, "check") == "no mistakes found"


def test_list_shows_the_last_entries_that_count_with_their_corrections(books: JournalSession) -> None:
    typed(books, *(f"ru dm {number + 1}" for number in range(25)), "amend 25 80", "ru dm 9", "undo")
    said = typed(books, "list").splitlines()
    assert said[0].startswith("not shown: 5 earlier, 3 struck or corrections (`list from=TURN`, `list WHO`)")
    assert said[1].startswith("   6 ") and said[-1].endswith("ru dm 25  (amended by 26: ru dm 80)") and len(said) == 21


@pytest.mark.parametrize("line", ["# only a comment", "", "  "])
def test_a_comment_is_nothing(books: JournalSession, line: str) -> None:
    assert typed(books, line) == "" and books.journal.entries == ()


def test_an_entry_keeps_its_turn_and_only_an_answer_is_asked_again(books: JournalSession) -> None:
    typed(books, "ge dm 4", "Turn Next")
    assert "strike 1, and enter it again: late aug14/1 ge dm 5" in typed(books, "amend 1 aug14/1 ge dm 5")
    assert "only an answer can be asked again" in typed(books, "amend 1 again")


def test_help_lists_what_can_be_typed(books: JournalSession) -> None:
    said = typed(books, "help")
    assert typed(books, "?") == said
    pages = [line.split()[1] for line in said.splitlines()]
    assert pages == ["events", "entries", "questions", "books", "WORD"]
    said = "\n".join(typed(books, f"help {page}") for page in pages[:-1])
    assert all(word in said for word in ("turn next", "why", "due", "rebuild", "gb Great"))
    assert max(len(books.enter(f"help {page}")) for page in pages[:-1]) <= 24
    questions = [line.split()[0] for line in books.enter("questions")]
    assert "morale" in questions and "turn" not in questions, "which begins the next turn"
    assert typed(books, "questions caps") == typed(books, "help caps")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("rebuild", "artillery: replacement strength: 2 less"),
        ("rebuild", "typed: ge rebuild 3 infantry"),
        ("give", "french: supply points: 1 less; supply points of France: 1 more"),
        ("give", "who: us"),
        ("serbia-fell", "typed: game serbia-fell"),
        ("dm", "levels of Germany: Shaken at 1500"),
        ("caps", "supply points in Headquarters and their limits"),
        ("turn", "begin the next turn"),
        ("why", "open an account"),
        ("nonsens", "there is no help on 'nonsens'"),
    ],
)
def test_help_explains_a_word(books: JournalSession, word: str, said: str) -> None:
    assert said in typed(books, f"help {word}")


def test_the_session_ends(books: JournalSession) -> None:
    assert typed(books, "exit") == "" and books.is_over


def again(books: JournalSession) -> JournalSession:
    """A session that knows nothing but the file."""
    return JournalSession(JournalFile(books.file.file, load_game), 100)


def test_a_question_with_its_die_is_there_in_the_next_session(books: JournalSession) -> None:
    typed(books, "turn sep14/0", "gas cp")
    assert "answers gain=TOTAL" in "\n".join(again(books).begin())
    typed(again(books), "7")
    books = again(books)
    assert "`done` enters it" in "\n".join(books.begin())
    typed(books, "undo")
    assert "answers gain=TOTAL" in "\n".join(again(books).begin()), "the die is taken back first"
    assert "answer gas side=cp | gain=2" in typed(again(books), "2", "done")
    assert again(books).asked is None
    typed(again(books), "undo")
    assert again(books).asked is not None, "what was carried out is asked again with its die"


def test_a_question_that_waits_for_nothing_is_not_entered(books: JournalSession) -> None:
    typed(books, "morale ge", "due ah")
    assert books.journal.entries == () and again(books).asked is None
    typed(books, "turn sep14/0", "gas cp", "morale ge")
    assert [entry.number for entry in books.journal.entries] == [1, 2, 3] and again(books).asked is None
    assert "asked" not in typed(books, "list"), "what is no longer open is not listed"


@few(2)
@pytest.mark.parametrize(
    "lines",
    [
        ("turn sep14/0", "gas cp", "ge dm 1", "7", "morale ge", "gas cp gain=2", "ge dm 1", "done", "undo", "check"),
        ("ah dm 120", "turn apr15/1", "late apr15/0 italy serbia=no die=1", "due ah", "help gas", "morale xx"),
        ("ah dm 120", "turn jun15/0", "italy serbia=no", "2", "ge dm 1", "strike 1", "morale ge", "done", "due ge"),
        ("turn sep14/0", "gas cp", "asked", "gas cp", "turn oct14/0", "gain=2"),
    ],
)
def test_answers_that_are_worked_out_elsewhere_are_the_same(tmp_path: Path, lines: Sequence[str]) -> None:
    here, there = (books_in(tmp_path / name) for name in ("here.journal", "there.journal"))
    at_hand, worked_out = AtHand(16), 0
    for line in lines:
        said = None
        while said is None:
            with using(at_hand, waits=True):
                try:
                    said = typed(there, line)
                except NotYet as answer:
                    at_hand.put(answer.work, answer.work.do())
                    worked_out += 1
        assert said == typed(here, line)
        with using(at_hand):
            while work := there.catch_up():
                assert there.asked is None
                assert there.open_table
                at_hand.put(work, work.do())
        assert there.asked == here.asked
        assert there.journal.entries == here.journal.entries
    assert worked_out


def test_a_tap_that_is_sent_again_counts_once(books: JournalSession) -> None:
    for line in ("ge dm 5", "turn sep14/0", "gas cp", "7", "done"):
        books.enter(line, line)
    last = books.journal.last
    for session in (books, again(books)):
        for line in ("ge dm 5", "turn sep14/0", "gas cp", "7", "done"):
            assert session.enter(line, line)[0].startswith("entered already: ")
        assert session.file.read().last == last


def test_what_is_undone_is_named_in_whatever_session(books: JournalSession) -> None:
    assert books.undone == ""
    typed(books, "ge dm 5")
    assert again(books).undone == books.undone == "ge dm 5"
    typed(books, "undo")
    assert books.undone == ""


def test_a_turn_that_passes_over_others_names_what_is_due_in_them(books: JournalSession) -> None:
    once = typed(books, "turn aug14/4")
    assert "Due in aug14/2 to aug14/4" in once and "Germany, aug14/2: all 2-6 cavalry divisions" in once
    assert "and 30 more: `due turn=aug14/2 until=aug14/4` lists all" in once
    whole = typed(books, "due turn=aug14/2 until=aug14/4")
    for line in ("aug14/2: all 2-6 cavalry divisions", "aug14/3: all 3-4 artillery III", "aug14/4: all 0-3 engineer"):
        assert line in whole
    typed(books, "undo")
    assert "Due in aug14/2\n" in typed(books, "turn next")
    strike = books.file.read().last_entered()[0].number
    typed(books, f"strike {strike}")
    assert "Due in aug14/2\n" in typed(books, f"strike {books.journal.last}")

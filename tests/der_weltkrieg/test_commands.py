"""The campaign's books at the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant import ask, parse, read
from assistant.faces.cli.main import cli
from assistant.faces.page.messages.requests import MeaningRequest
from assistant.faces.page.words import word_meaning
from assistant.faces.prompt.help_words import describe_rule
from assistant.game.events import read_events
from assistant.game.schedule_dates import Dates
from assistant.game.turn_record import read_calendar
from assistant.installed.registry import load_game

from ..cases import few, thorough


@pytest.fixture
def books(tmp_path: Path) -> str:
    file = str(tmp_path / "war.journal")
    assert run("new", "der-weltkrieg", file).startswith(file)
    run("add", file, "ah", "dm", "22", "Sabac")
    return file


def run(*words: str) -> str:
    done = CliRunner().invoke(cli, ["journal", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_what_is_due_is_asked_for_a_nation_by_its_short_name(books: str) -> None:
    named, short = run("due", books, "who=austro-hungarian", "until=sep14/7"), run("due", books, "ah", "until=sep14/7")
    assert named == short and "Austria-Hungary" in short and "Russia" not in short


def test_what_is_taken_is_shown_with_what_it_changes_and_once(books: str, tmp_path: Path) -> None:
    other, mail = str(tmp_path / "other.journal"), tmp_path / "mail.txt"
    run("new", "der-weltkrieg", other)
    run("amend", books, "1", "18")
    mail.write_text(run("send", books))
    assert run("take", other, str(mail), "--yes").splitlines() == [
        "aug14/1 ah dm 22 Sabac",
        "aug14/1 amend 1 ah dm 18 Sabac",
        "  Austria-Hungary: demoralization points: 18 more",
    ]
    assert run("take", other, str(mail), "--yes") == "2 entries are there already\n"


@thorough
def test_an_entry_that_is_no_answer_loads_no_question(books: str) -> None:
    code = (
        f"import sys; from assistant.faces.cli.main import cli; cli(['journal', 'amend', {books!r}, '1', '18'], "
        "standalone_mode=False); print(*(name for name in sys.modules if name.startswith('assistant.asking')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "" and "2 aug14/1 amend 1 ah dm 18 Sabac" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("why", "war.journal@aug14/3", "dm", "ge"), "with to=aug14/3 (why, chart)"),
        (("list", "war.journal@aug14/3"), "--to aug14/3 (list)"),
        (("add", "war.journal@aug14/3", "ge", "dm", "3"), "name war.journal alone"),
        (("why", "war.journal", "demoralization point", "ge"), "'demoralization point' is not an account"),
        (("new", "der-weltkrieg", "other.journal", "--setup", "foo"), "Der Weltkrieg has no set-ups"),
        (("add", "war.journal", "--late", "ah", "dm", "3"), "write: late TURN ah dm 3"),
    ],
)
def test_what_is_not_meant_so_is_answered_with_what_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "der-weltkrieg", "war.journal")
    done = CliRunner().invoke(cli, ["journal", *words])
    assert done.exit_code == 3 and said in done.stderr


def test_an_entry_or_an_event_that_is_not_there_is_said_so(books: str) -> None:
    done = CliRunner().invoke(cli, ["ask", "morale", f"{books}#99", "--who", "ge"])
    assert done.exit_code == 3 and "there is no entry 99" in done.stderr and "the last one is 1" in done.stderr
    done = CliRunner().invoke(cli, ["journal", "add", books, "ge foo 3"])
    assert "known: dm, gain, lose, rebuild, spend" in done.output


def test_a_roll_without_effect_goes_to_the_other_player_as_it_was_rolled(books: str, tmp_path: Path) -> None:
    run("add", books, "turn", "sep14/0")
    assert "Central Powers has 0 gas counters" in run("add", books, "answer", "gas", "side=cp", "|", "gain=7")
    mail, theirs = tmp_path / "mail.txt", str(tmp_path / "theirs.journal")
    mail.write_text(run("send", books))
    run("new", "der-weltkrieg", theirs)
    run("take", theirs, str(mail), "--yes")
    assert run("list", theirs) == run("list", books)


def test_who_gives_way_strikes_his_own_correction_and_takes_the_mail_again(books: str, tmp_path: Path) -> None:
    theirs, mail = str(tmp_path / "theirs.journal"), tmp_path / "mail.txt"
    Path(theirs).write_bytes(Path(books).read_bytes())
    run("amend", books, "1", "20")
    run("amend", theirs, "1", "18")
    mail.write_text(run("send", theirs))
    fork = CliRunner().invoke(cli, ["journal", "take", books, str(mail), "--yes"])
    assert fork.exit_code == 1 and "both sides have corrected" in fork.output
    run("strike", books, "2")
    run("take", books, str(mail), "--yes")
    assert run("why", books, "dm", "ah").startswith("Austria-Hungary: demoralization points: 18\n")


def test_the_reference_tells_the_events_and_what_is_assumed() -> None:
    told = CliRunner().invoke(cli, ["reference", "der-weltkrieg"]).output.splitlines()
    assert "| `lose` |  | a unit | any nation | 16-1 | an HQ, an engineer or another unit is destroyed |" in told
    assert "| `rebuild` | 1 to 99 | `second` | russian | 7-20 | strength points rebuilt from replacements |" in told
    assert "- `attack` (true or false, optional, else yes): whether they are spent on one attack" in told
    assert any(line.startswith("- `gave-up` (true or false, optional): ") for line in told)


@thorough
@pytest.mark.rule("16-15")
def test_what_artillery_has_spent_is_made_up_for_on_infantry_within_two_turns(books: str) -> None:
    for entry in ("turn mar15/3", "ge spend 5 artillery", "turn mar15/5", "ge spend 2 infantry"):
        run("add", books, entry)
    assert "were due" not in run("check", books)
    run("add", books, "turn mar15/6")
    owed = "Germany: 3 supply points for infantry, to make up for artillery of mar15/3 were due by mar15/5 (rule 16-15)"
    assert owed in CliRunner().invoke(cli, ["journal", "check", books]).stdout


@thorough
@pytest.mark.rule("15-9", "15-10", "16-11")
def test_what_no_ally_takes_is_with_the_first_american_headquarters(books: str) -> None:
    run("add", books, "turn may18/1")
    run("add", books, "us give 50 british")
    assert "15-10  20 are reserved" in CliRunner().invoke(cli, ["ask", "americans", books]).stdout
    run("add", books, "turn aug18/1")  # of 40 in July the 1st HQ gets 25; August brings 10
    held = CliRunner().invoke(cli, ["ask", "caps", books, "--who", "us"]).stdout
    assert "16-11  United States: 35 of at most 30, 5 too many" in held


@pytest.mark.rule("16-1")
def test_a_headquarters_that_was_lost_is_due_again(books: str) -> None:
    for entry in ("turn sep14/3", "ge lose GE 9th HQ", "turn dec14/4"):
        run("add", books, entry)
    assert "16-1          GE 9th HQ" in run("due", books, "ge")


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("serbia-fell", "game serbia-fell"), ("declare", "ah declare"), ("cities 3", "be cities 3"), ("dm 3", "ge dm 3")],
)
def test_whom_an_entry_concerns_is_named_where_it_is_missing(books: str, typed: str, hint: str) -> None:
    done = CliRunner().invoke(cli, ["journal", "add", books, typed])
    assert done.exit_code and f"write: {hint}\n" in done.stderr


@few(1)
@pytest.mark.rule("16-2", "16-3")
@pytest.mark.parametrize(
    ("typed", "kept", "said"),
    [
        ("it rebuild 1 mountain", "it rebuild 1 italian-mountain", "mountain"),
        ("ah rebuild 3 czech artillery", "ah rebuild 3 czech-artillery", "Czechs: 6 less"),
        ("ah rebuild 3 artillery czech Brno", "ah rebuild 3 czech-artillery Brno", "Czechs: 6 less"),
        ("ah rebuild 3 artillery Brno", "ah rebuild 3 artillery Brno", "replacement strength: 6 less"),
    ],
)
def test_a_kind_is_what_it_is_to_its_nation(books: str, typed: str, kept: str, said: str) -> None:
    run("add", books, "turn jun16/1")
    done = CliRunner().invoke(cli, ["journal", "add", books, f"force {typed}"])
    assert f"3 jun16/1 force {kept}\n" in done.stdout and said in done.stdout


@pytest.mark.parametrize(
    "typed", ["ge spend 5 art", "ge spend 5 on artillery", "ge spend 5 inf", "ge spend 5 artilery"]
)
def test_a_kind_that_is_cut_short_is_asked_about(books: str, typed: str) -> None:
    done = CliRunner().invoke(cli, ["journal", "add", books, f"force {typed}"])
    assert done.exit_code == 3 and "is not a kind of `spend`" in done.stderr and "or a note that" in done.stderr


@few(1)
@pytest.mark.rule("8-1", "11-1", "11-3", "12-1", "13-1", "7-13", "15-1")
@pytest.mark.parametrize(
    ("before", "typed", "why"),
    [
        ("turn sep14/1", "ro dm 12", "Romania: it is not in the war (rule 13-1)"),
        ("turn sep14/1", "it spend 1", "Italy: it is not in the war (rule 8-1)"),
        ("turn oct15/1", "bu dm 1", "Bulgaria: it is not in the war (rule 11-1)"),
        ("turn aug16/1", "ot dm 1", "Ottoman Empire: it is not in the war here (rule 12-1)"),
        ("turn apr17/7", "us dm 1", "United States: it is not in the war (rule 15-1)"),
        ("turn oct15/2", "bu dm 1", ""),
        ("turn aug16/2", "ot dm 1", ""),
        ("turn may17/1", "us dm 1", ""),
        ("turn jun15/2, it enters", "it dm 1", ""),
        ("turn oct15/3, bu dm 50, turn oct15/4", "bu dm 1", "Bulgaria: it has left the war (rule 11-3)"),
        ("ro enters, ru dm 999, ru dm 251", "ru dm 1", ""),
        ("ro enters, ru dm 999, ru dm 251, turn aug14/2", "ru dm 1", "Russia: it has surrendered (rule 26)"),
        ("ro enters, ru dm 999, ru dm 251, turn aug14/2", "ro dm 1", "Romania: it surrenders with Russia (rule 7-13)"),
    ],
)
def test_who_is_not_in_the_war_suffers_only_by_agreement(books: str, before: str, typed: str, why: str) -> None:
    for entry in before.split(", "):
        run("add", books, entry)
    done = CliRunner().invoke(cli, ["journal", "add", books, typed])
    assert why in done.stderr and (done.exit_code == 3) == bool(why)
    assert not CliRunner().invoke(cli, ["journal", "add", books, f"force {typed}"]).exit_code


def test_a_unit_that_no_roster_has_may_be_lost(books: str) -> None:
    for entry in ("fact 2010: german infantry X1", "fact X1 lost=aug14/1", "turn next"):
        run("add", books, entry)
    assert "Due in aug14/2" in run("due", books)


@thorough
@pytest.mark.rule("8-1", "11-1", "12-1", "13-1", "15-1")
def test_who_is_neutral_suffers_nothing(books: str) -> None:
    game = load_game("der-weltkrieg")
    calendar, events = read_calendar(game), read_events(game)
    for number in range(calendar.first, calendar.last + 1):
        there = ask(parse(f"game der-weltkrieg\nturn={calendar.label(number)}\n"), "war").result
        neutral = {nation.who for nation in there if not nation.since}
        dates = Dates(game, calendar, lambda *_: None)
        barred = {who for row in events.barred for who in row.who if dates.is_within(number, row.from_, row.until, who)}
        assert barred == neutral, calendar.label(number)


def test_an_answer_whose_die_is_not_rolled_any_more_is_struck_and_not_asked_again(books: str) -> None:
    for entry in ("turn jul16/0", "ah dm 560", "turn jul16/1", "answer romania | die=3"):
        run("add", books, entry)
    number = run("list", books).count("\n")
    dm = number - 2
    assert f"`keep {number}`, or `strike {number}`" in run("amend", books, str(dm), "100")
    again = CliRunner().invoke(cli, ["journal", "amend", books, str(number), "again"])
    assert again.exit_code == 3 and "is not Shaken" in again.output


@pytest.mark.rule("16-13")
def test_who_was_over_a_limit_has_lost_though_the_special_turn_is_stepped_over(books: str) -> None:
    """Germany may hold 175 supply points in January 1915, and holds 176 as the special turn is passed."""
    run("add", books, "turn dec14/7")
    for who in ("austro-hungarian", "british", "french", "russian", "belgian"):
        run("add", books, f"fact nation {who} sp=0")
    run("add", books, "fact nation german sp=176")
    lost = "Germany over it in jan15/0, which lost the game"
    assert lost in run("add", books, "turn jan15/3")
    run("add", books, "ge spend 100")
    entered = CliRunner().invoke(cli, ["journal", "add", books, "answer caps"]).output
    assert lost in entered, "an answer that is entered knows of earlier turns too"
    asked = CliRunner().invoke(cli, ["ask", "caps", books]).output
    assert lost in asked and asked.count("was over its limit") == 1  # in turns between it may be
    run("add", books, "fact nation russian sp=126")
    run("add", books, "turn feb15/2")
    russia = CliRunner().invoke(cli, ["ask", "caps", books, "--who", "ru"]).output
    assert "Russia over it in feb15/0" in russia and "Germany" not in russia
    assert "lost the game" not in CliRunner().invoke(cli, ["ask", "caps", f"{books}@dec14/7"]).output
    won = " ".join(CliRunner().invoke(cli, ["ask", "victory", books]).output.split())
    assert "the player of the Entente wins: the other has forfeited the game" in won
    assert "Germany was over its limit of supply points in jan15/0" in won


def test_lines_after_a_position_of_a_journal_leave_it_what_the_journal_knows_of_earlier_turns(books: str) -> None:
    run("add", books, "turn dec14/7")
    position = read(books)
    for line in ("nation german sp=3", "ask caps"):
        assert parse(line, position).past is position.past is not None


@thorough
@pytest.mark.rule("23-3")
def test_conversions_go_by_the_points_of_january_1918_whenever_they_are_asked_for(books: str) -> None:
    for entry in ("turn dec17/7", "fact nation german dm=1792", "turn jan18/2", "ge dm 60", "turn feb18/0"):
        run("add", books, entry)
    asked = CliRunner().invoke(cli, ["ask", "conversions", books]).output
    assert "20 units may become 12-5, 10 may become 10-5" in asked and "1800 points, as 1918 begins" in asked
    late = run("add", books, "late", "dec17/7", "ge dm 50")
    assert "demoralization points: 50 more" in late
    assert "18 units may become 12-5, 9 may" in CliRunner().invoke(cli, ["ask", "conversions", books]).output


def test_a_reminder_is_said_to_be_one_wherever_a_rule_is_looked_up() -> None:
    said = "a reminder: the program says it at its time and does not judge it"
    assert f"{said}; questions: caps" in CliRunner().invoke(cli, ["rules", "der-weltkrieg", "16-14"]).output
    position = parse("game der-weltkrieg")
    line, _ = describe_rule(position, "16-14")
    assert line == f"rule 16-14, No supply points destroyed to keep a limit: in caps, {said}"
    (shown,) = word_meaning(position, MeaningRequest(table="", word="16-14", computed=True)).rules
    assert (shown.asked, shown.left) == (("caps",), said)


def test_a_turn_added_names_what_is_due_in_the_turns_that_it_passes_over(books: str) -> None:
    said = run("add", books, "turn", "aug14/7")
    assert "Due in aug14/2 to aug14/7\n= 98 items due\n" in said and "France, aug14/6: HQ 6th (XXXX), 0811" in said
    assert "and 86 more: `due turn=aug14/2 until=aug14/7` lists all" in said
    assert "aug14/5: 1 x 7-4 Inf XX 45AI" in run("due", books, "turn=aug14/2", "until=aug14/7")


def test_a_few_items_of_turns_passed_over_are_all_listed(books: str) -> None:
    run("add", books, "turn", "sep14/0")
    said = run("add", books, "turn", "sep14/2")
    assert "= 12 items due" in said and "Germany\n  29-1  sep14/2: 1 x 4-5 Mar XX 1Ma, 2801" in said

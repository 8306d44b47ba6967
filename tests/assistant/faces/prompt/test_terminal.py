"""The prompt on a terminal, and what Tab completes there."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from assistant.faces.prompt import desk, terminal
from assistant.faces.prompt.books import JournalSession
from assistant.faces.prompt.files import TableFile
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.faces.prompt.terminal import complete_entry, complete_line, find_reading
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.installed.registry import load_game
from assistant.records.journal.files import create
from assistant.records.journal.journal_file import JournalFile
from tests.assistant.faces.prompt.test_session import DICE, EXAMPLE, KNOWN
from tests.conftest import GAME
from tests.terminal import at_a_terminal

from ....cases import few


@pytest.fixture(scope="module")
def session(twilight: Game) -> Session:
    session = Session(TableState(Position(twilight, build_state(twilight))), 100)
    for line in ("t=1", "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 ="):
        session.enter(line)
    return session


@pytest.mark.parametrize(
    ("before", "words"),
    [
        pytest.param("und", ["undo"], id="a command"),
        pytest.param("forc", ["forced-march"], id="a question"),
        pytest.param("411", ["4119", "4118"], id="hexes of the table and around them"),
        pytest.param("<402", ["4020", "4021"], id="behind the sign"),
        pytest.param("25/3>402", ["4020", "4021"], id="where a unit goes"),
        pytest.param("4119 rou", ["rough"], id="a word of the game"),
        pytest.param("4119 lot", ["Lötzen"], id="a unit without its accents"),
        pytest.param('4119 "20', ['"20 lw"'], id="a name in quotes"),
        pytest.param("retreat cause=c", ["crt", "check"], id="the value of a parameter"),
        pytest.param("retreat unit", ["units="], id="a parameter"),
        pytest.param("4119 1/1 supply=", ["in", "low", "out"], id="the value of a fact"),
        pytest.param("4023=402", ["4022", "4024"], id="the next hex of a chain"),
        pytest.param("4023=4022-4", ["4021", "4023", "4122", "4121"], id="and the next"),
        pytest.param("4023=4022r^:41", ["4122", "4121"], id="behind letters and signs"),
        pytest.param("4119 xyz", [], id="nothing"),
    ],
)
def test_what_may_stand_here(session: Session, before: str, words: list[str]) -> None:
    assert [word for word, _ in complete_line(session, before)] == words


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path


PROMPT = "\x1b[?2004h"
"""What the terminal is told whenever a line may be typed: that pasted text comes marked."""
FOUGHT = ["7", *DICE[1:]]
"""The total of the first roll, and last where 27/3 retreats to."""
FAILED, AT_ITS_END = "failed the Effectiveness Check", "25/3 is In Supply from the RR line at 40.20"
ON_TABLE = ["4023 3train range=3 extended-range=6", "4020 25/3"]
MARCHING = ["t=1", "phasing=russian", "trust charts", "4020c 25/3"]
MARCHED = "= 25/3 goes to 41.22: 6 Movement Points"


@few(3)
@pytest.mark.parametrize(
    ("known", "lines", "most", "said"),
    [
        pytest.param([], ["t=1", EXAMPLE, *FOUGHT], 87, FAILED, id="a battle from an empty roster"),
        pytest.param(
            [EXAMPLE, "keep", "new", "y"], ["t=1", KNOWN, *FOUGHT], 60, FAILED, id="a battle with known units"
        ),
        pytest.param(ON_TABLE, ["4023=4022=4021-4020r", "sup 25/3"], 35, AT_ITS_END, id="a line of supply"),
        pytest.param([], ["4023=4022=4021-4020r 25/3"], 35, AT_ITS_END, id="the same on an empty table"),
        pytest.param(
            ON_TABLE,
            ["4023/4022r:4021r/4020m", "sup 25/3"],
            35,
            "along the lines typed, 25/3 is in Low Supply from 3 Train",
            id="over land and a road",
        ),
        pytest.param(MARCHING, ["25/3 > 4021c 4022c 4122c"], 25, MARCHED, id="a march, with what each hex is"),
        pytest.param(MARCHING, ["25/3>4021c4022c4122c"], 25, MARCHED, id="a march without spaces"),
        pytest.param(MARCHING, ["25/3>:4021r:4022r:4122r"], 25, MARCHED, id="a march along a road"),
    ],
)
def test_keystrokes_at_a_terminal(data: Path, known: list[str], lines: list[str], most: int, said: str) -> None:
    """All of it counts beyond what is known: each line, every die and choice, and the key that ends each line."""
    shown = at_a_terminal(data, ["table", GAME], [*known, *lines], awaits=PROMPT, then=b"\x04", enter="\r")
    assert sum(len(one) + 1 for one in lines) <= most
    assert said in " ".join(shown.split())


def test_keys_at_a_terminal(data: Path) -> None:
    lines = ["4018 roug\t\r", "po\t\r", "t=\x1bOP", "5\r", "t=7\x03"]
    lines += ["4119 1/1 12-16-7-11 <4020 25/3 10--5-10\r", "\x1bOQ"]
    shown = at_a_terminal(data, ["table", GAME], lines, awaits=PROMPT, then=b"\x04", enter="")
    assert "read: 40.18 rough" in shown and "\r\n40.18 rough\r\n" in shown, "Tab completes"
    assert "undo, show, carry out" in shown and "read: turn=5" in shown, "F1 is help and leaves what was typed"
    assert "read: turn=7" not in shown, "Ctrl+C gives up the line"
    assert "?1 41.19 clear*, ?2 40.20|41.19 open*" in shown, "what the answer depends on comes first"
    assert "read: 40.20|41.19 minor-river" in shown, "F2 changes the second assumption"
    assert "Traceback" not in shown


def test_ctrl_c_means_no_where_a_yes_is_asked_for(data: Path) -> None:
    lines = ["4020 25/3 27/3", "4020 25/3", "\x03", "y"]
    shown = at_a_terminal(data, ["table", GAME], lines, awaits=PROMPT, then=b"\x04", enter="\r")
    assert "take off the map: 27/3 from 40.20 (`40.20 +UNIT` adds a unit instead)? (y or n)" in shown
    assert "nothing has changed" in shown
    assert "off the map: 27/3, from" not in shown


def test_a_table_that_is_pasted_is_read_as_soon_as_it_ends(data: Path) -> None:
    table = "\t1:1\n" + "\n".join(f"{roll}\t+1/-" for roll in range(2, 13))
    keys = ["t=1", "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10", "charts", f"\x1b[200~Summer\n{table}\x1b[201~", "y"]
    shown = at_a_terminal(data, ["table", GAME], keys, awaits=PROMPT, then=b"\x04", enter="\r")
    assert "save 11 cells? (y or n)" in shown
    assert "saved in your pack: Combat Results Table, summer 1:1 2 +1 / -" in shown.replace("\r\n  ", " ")


def test_lines_that_are_pasted_at_once_are_answered_one_by_one(data: Path) -> None:
    pasted = "\x1b[200~t=1\n4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10\nundo\nt=3\x1b[201~"
    shown = at_a_terminal(data, ["table", GAME], [pasted, "position"], awaits=PROMPT, then=b"\x04", enter="\r")
    assert "column 1:2 (" in shown
    assert "(2d6)> undo" in shown
    assert "\r\nturn=3\r\n" in shown
    assert "a line cannot begin with" not in shown


def test_a_journal_has_the_same_keys(data: Path) -> None:
    file = data / "war.journal"
    file.write_text("journal der-weltkrieg 1\n")
    up, f1, ctrl_c = "\x1b[A", "\x1bOP", "\x03"
    lines = ["ge dm 5\r", f"{up}\r", f"ge dm 7{ctrl_c}", f1, "ru reb\t\r"]
    shown = at_a_terminal(data, ["table", "der-weltkrieg", str(file)], lines, awaits=PROMPT, then=b"\x04", enter="")
    assert "2 aug14/1 ge dm 5" in shown, "the arrow brings back the line before"
    assert "3 aug14/1" not in shown, "Ctrl+C gives up the line only"
    assert "events, in the game" in shown, "F1 is help"
    assert "aug14/1> ru rebuild" in shown, "Tab completes"


def test_what_may_stand_at_a_journal(data: Path) -> None:
    file = data / "war.journal"
    file.write_text("journal der-weltkrieg 1\n")
    books = JournalSession(JournalFile(file, load_game), 100)
    known = {
        before: [word for word, _ in complete_entry(books, before)] for before in ("ge spe", "mor", "li", "morale w")
    }
    assert known == {"ge spe": ["spend"], "mor": ["morale"], "li": ["list", "limits"], "morale w": ["who="]}


def test_what_takes_too_long_is_given_up_not_the_session(
    twilight: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session(TableState(Position(twilight, build_state(twilight))), 100)

    def enter(line: str) -> list[str]:
        session.is_over = line == "quit"
        if line == "attacks":
            raise KeyboardInterrupt
        return [f"said to {line}"]

    monkeypatch.setattr(session, "enter", enter)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr(terminal, "_read_terminal", lambda _: iter(["attacks", "t=1", "quit"]))
    terminal.run_session(session)
    assert capsys.readouterr().out.splitlines() == ["interrupted", "said to t=1", "said to quit"]


def test_where_no_file_can_be_written_the_session_goes_on(data: Path) -> None:
    (data / "table").write_text("")
    shown = at_a_terminal(data, ["table", GAME], ["t=1", "position"], awaits=PROMPT, then=b"\x04", enter="\r")
    assert "! This table will not be saved" in shown
    assert "\r\nturn=1\r\n" in shown
    assert "Traceback" not in shown


def test_how_a_line_was_read_is_said_again_below_an_answer_that_the_screen_does_not_hold() -> None:
    answer = ["read: 41.19 clear 1/1", "      < 40.20", "Battle", *["..."] * 9]
    assert find_reading(answer, 13) == []
    assert find_reading(answer, 12) == answer[:2]
    assert find_reading(answer[2:], 5) == []


# --- memory and disks -------------------------------------------------------------------------------------------------


def failing_once(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, error: BaseException) -> None:
    """Let a function raise an error once it is called, and work from then on."""
    usual = getattr(owner, name)

    def fail(*given: object, **named: object) -> object:
        monkeypatch.setattr(owner, name, usual)
        raise error

    monkeypatch.setattr(owner, name, fail)


@pytest.mark.parametrize("where", ["evaluate_if_ready", "keep"])
def test_a_line_at_which_memory_runs_out_changes_nothing_and_the_next_one_works(
    twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    file = TableFile(tmp_path / "table.json")
    session = Session(TableState(Position(twilight, build_state(twilight))), 100, file)
    terminal.enter_safely(session, "t=1")
    kept, table = file.file.read_bytes(), session.table
    owner = {"evaluate_if_ready": desk, "keep": TableFile}[where]
    failing_once(monkeypatch, owner, where, MemoryError())
    said = terminal.enter_safely(session, "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 =")
    assert said[:2] == ["! not enough memory", "  close other programs, or ask for less at once"]
    assert session.table is table and file.file.read_bytes() == kept
    assert terminal.enter_safely(session, "t=2")[0].startswith("read: turn=2")
    assert file.file.read_bytes() != kept


@pytest.mark.parametrize("is_entered", [False, True])
def test_a_journal_says_whether_the_line_is_entered_at_which_memory_runs_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_entered: bool
) -> None:
    file = tmp_path / "war.journal"
    create(file, "journal der-weltkrieg 1\n")
    books = JournalSession(JournalFile(file, load_game), 100)
    failing_once(monkeypatch, books, "_go_on_after" if is_entered else "_add_entry", MemoryError())
    said = terminal.enter_safely(books, "ah dm 22 Sabac")
    assert said[0] == f"! {'entered: 1; but' if is_entered else 'nothing is entered:'} not enough memory"
    assert ("dm 22" in file.read_text("utf-8")) == is_entered
    assert terminal.enter_safely(books, "ru dm 9")[0].startswith(f"{2 if is_entered else 1} aug14/1 ru dm 9")


def test_a_kept_table_that_cannot_be_looked_at_is_named_and_kept_with_the_next_line(
    twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = TableFile(tmp_path / "table.json")
    session = Session(TableState(Position(twilight, build_state(twilight))), 100, file)
    session.width = 1000
    left = [PermissionError(errno.EACCES, "Permission denied")]
    usual = Path.exists

    def exists(path: Path) -> bool:
        if path == file.file and left:
            raise left.pop()
        return usual(path)

    monkeypatch.setattr(Path, "exists", exists)
    said = terminal.enter_safely(session, "t=1")
    assert said[-1] == f"! table not saved: {file.file}: Permission denied"
    terminal.enter_safely(session, "t=2")
    assert b'"value": 2' in file.file.read_bytes()


def test_a_line_at_which_a_disk_fails_names_the_file(
    twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(TableState(Position(twilight, build_state(twilight))), 100)
    failing_once(monkeypatch, desk, "evaluate_if_ready", OSError(errno.EIO, "Input/output error", "charts/crt.csv"))
    assert terminal.enter_safely(session, "t=1")[:2] == ["! charts/crt.csv: Input/output error", "  check that disk"]

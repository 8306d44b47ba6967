"""What is done with positions besides asking: pictures, charts, reports as text, the table prompt, changes, doubts, tall stacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import assistant
from assistant.asking.report import PHONE_COLUMNS, to_forum, to_text
from assistant.faces.prompt.files import TableFile
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import CarriedOut, TableState
from assistant.installed.registry import load_game
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.state.changes import Change, Leave
from assistant.util.limits import TooMuch
from tests.growth import MANY, grows_evenly

from ..cases import few, thorough
from .test_growth import pairs, position

Act = Callable[[], object]
TURN = "turn=3 phase=attack\ntrust charts counters"
GROUND = "02.16 clear control=russian\n03.16 clear\n02.16|03.16 open"


@pytest.fixture(autouse=True)
def wide_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_LINE", "1M")


def stated(*lines: str) -> assistant.Position:
    return assistant.parse("\n".join(["game twilight-in-the-east", TURN, *lines]))


def tall(many: int, ask: str = "") -> assistant.Position:
    """Two hexes face to face, with so many attackers of as many corps in one."""
    units = ", ".join(f"russian infantry XX R{n} (5-5-2-10) army=A0 corps={n}" for n in range(many))
    return stated(f"02.16: {units}", "03.16: german infantry XX G0 (5-5-2-10) army=A0 corps=0", GROUND, ask)


def withheld(many: int) -> assistant.Position:
    """The same, of which one attacks."""
    out = ",".join(f"R{number}" for number in range(1, many))
    return tall(many, f"ask battle at=03.16 attacker-ap=none defender-ap=none withhold={out}")


def long_line(many: int) -> assistant.Position:
    """A supply line of so many hexes, up and down the map."""
    columns = (range(90) if column % 2 else range(89, -1, -1) for column in range(many // 90 + 1))
    way = [f"{2 + column:02}.{16 + row}" for column, rows in enumerate(columns) for row in rows][:many]
    return stated(
        f"{way[-1]}: russian infantry XX R0 (5-5-2-10) army=A0 corps=0",
        f"{way[0]}: russian corps-train - T0 army=A0 corps=0 range=5 extended-range=8",
        f"line L0: {' '.join(f'{hex} clear' for hex in way)}",
        "ask supply unit=R0 line=L0",
    )


def many_lines(many: int) -> str:
    """So many lines through the same hexes."""
    lines = (f"line L{number}: 02.16 clear -road=road- 02.17 clear" for number in range(many))
    return "\n".join(["game twilight-in-the-east", *lines])


def drawn(found: assistant.Position, draw: Callable[..., object], *more: str) -> Act:
    report = assistant.ask(found)
    return lambda: draw(found, report, *more)


def told(found: assistant.Position, tell: Callable[[Any], object]) -> Act:
    report = assistant.ask(found, "check")
    return lambda: tell(report)


def moved(many: int) -> Act:
    """Units that change places, and units that leave play."""
    found = position(many)
    units = found.state.units
    moves = (Change("place", f"G{n}", units[f"G{n}"].place, "50.50", "1") for n in range(many))
    changes = (*moves, *(Leave(f"T{n}", "1") for n in range(many)))
    return lambda: found.after(changes)


def journal(many: int, *, late: bool) -> Act:
    """A journal of so many entries, read and counted; late: each belongs to a turn before the one before it."""
    when = (f"{24 - number % 20} late" if late else f"{3 + number // 60}" for number in range(many))
    hexes = (f"{2 + number % 80:02}.{16 + number // 80}" for number in range(many))
    entries = [
        f"{number} {turn} fact {hex} clear" for number, (turn, hex) in enumerate(zip(when, hexes, strict=True), 2)
    ]
    text = "\n".join(["journal twilight-in-the-east 1", f"1 {24 if late else 3} turn", *entries, ""]).encode()
    game = load_game("twilight-in-the-east")

    def act() -> None:
        read = Journal.read(parse_journal(text, "war.journal"), "war.journal", lambda _: game)
        assert not read.all_faults()
        assert len(read.position().state.facts) > many

    return act


def one_of_many_questions(many: int) -> Act:
    asks = "\n".join(f"ask condition unit=R{number % 9}" for number in range(many))
    found = assistant.parse(f"{asks}\nanswers {' '.join(f'ec.R{number}=5' for number in range(many))}", position(MANY))
    return lambda: assistant.parse(f"ask condition unit=R1\n{asks}", found).asks


ACTS: Mapping[str, Callable[[int], Act]] = {
    "picture of a line": lambda many: drawn(long_line(2 * many), assistant.picture),
    "picture of a tall stack": lambda many: drawn(withheld(many), assistant.picture),
    "picture of a retreat": lambda many: drawn(
        tall(many, "ask retreat at=02.16 hexes=2 cause=check"), assistant.picture
    ),
    "chart as SVG": lambda many: drawn(withheld(many), assistant.chart, ".svg"),
    "chart as PDF": lambda many: drawn(withheld(many), assistant.chart, ".pdf"),
    "narrow text": lambda many: told(position(many), lambda report: to_text(report, PHONE_COLUMNS)),
    "text": lambda many: told(position(many), to_text),
    "forum": lambda many: told(position(many), to_forum),
    "retreat of a tall stack": lambda many: partial(
        assistant.ask, tall(many), "retreat", at="02.16", hexes=2, cause="check"
    ),
    "read many lines": lambda many: partial(assistant.parse, many_lines(many)),
    "notation of a long line": lambda many: partial(assistant.notation, long_line(many)),
    "changes": moved,
    "journal": lambda many: journal(many, late=False),
    "journal of late entries": lambda many: journal(many, late=True),
    "many questions": one_of_many_questions,
}


@few(1)
@pytest.mark.parametrize("what", ACTS)
def test_what_is_done_with_a_position_takes_as_much_more_work_as_it_holds(what: str) -> None:
    assert grows_evenly(ACTS[what])


# --- the table ---


def at_the_table(line: str, folder: Path, first: str = "") -> Callable[[int], Act]:
    """A line typed at a table whose position, answers carried out and history are of a size."""

    def make(many: int) -> Act:
        change = Change("control", "02.16", None, "russian", "1")
        done = tuple(CarriedOut("1", f"entry {number}", (change,)) for number in range(many))
        asked = assistant.parse('ask reunite unit="det R0" ends=yes parent=R0', position(many))
        table = TableState(asked, done=done)
        session = Session(table, 100, TableFile(folder / f"{len([*folder.iterdir()])}.json"))
        session.begin()
        session.tables[:0] = [table] * many
        if first:
            session.enter(first)

        def act() -> None:
            said = session.enter(line)
            assert not said[0].startswith("! "), said

        return act

    return make


LINES = {
    "R1 D1": "",
    "undo": "R1 D1",
    "done": "",
    "why": "",
    "journal": "",
    "position": "",
    "keep": "",
    "help": "",
    "02.17 R1": "",
    "03.16 rough": "",
    "off R3": "",
    "check": "",
}
"""What is typed, and what before it."""


@few(1)
@pytest.mark.parametrize("line", LINES)
def test_a_line_at_the_table_takes_as_much_more_work_as_the_table_holds(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    assert grows_evenly(at_the_table(line, tmp_path, LINES[line]))


# --- limits ---


def doubtful(many: int) -> assistant.Position:
    """Pairs of stacks face to face, their ratings and the ground being assumed."""
    return assistant.parse(
        pairs(many).replace("5-5-2-10", "5?-5?-2?-10?").replace(" clear", " clear?").replace(" open", " open?")
    )


@thorough
def test_doubtful_facts_are_weighed_one_by_one_only_while_that_takes_little() -> None:
    asked = {"at": "02.16", "in-range": "T0"}
    assert assistant.ask(doubtful(4), "ammunition", **asked).verdict.kind == "undecided"
    message = (
        "trying other values of [0-9]+ assumed facts reads more than 200000 facts\n  state some .*LIMIT_DOUBTS=[0-9]+"
    )
    with pytest.raises(TooMuch, match=message):
        assistant.ask(doubtful(48), "ammunition", **asked)


@thorough
def test_a_check_decides_nothing_and_weighs_no_doubts() -> None:
    report = assistant.ask(doubtful(96), "check")
    assert report.verdict.kind == "figure"
    assert len(report.cautions) == 8 * 96


def test_a_combat_of_too_many_units_is_not_judged() -> None:
    assert assistant.ask(withheld(20)).result
    with pytest.raises(TooMuch, match="the combat at 03.16 has more than 200 units"):
        assistant.ask(withheld(200))
    with pytest.raises(TooMuch, match=r"02\.16 holds more than 200 units"):
        assistant.ask(tall(201), "ammunition", at="02.16")


def test_a_position_asks_only_so_many_questions() -> None:
    assert len(assistant.parse("ask check\n" * 200, position(MANY)).asks) == 200
    with pytest.raises(TooMuch, match="text:201:1: it asks more than 200 questions"):
        assistant.parse("ask check\n" * 201, position(MANY))

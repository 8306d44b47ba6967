"""What was played at a table, passage by passage: in words, with the luck of each battle, and no more than the viewpoint has seen."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.faces.page.desk import StandingTable
from assistant.faces.page.messages.requests import PassageRequest
from assistant.faces.page.respond import respond
from assistant.faces.page.server.workers import WorkerReader, hand_over
from assistant.faces.page.sides import SideTables, WholeTables
from assistant.faces.page.tables import OpenTables, Tables
from assistant.installed.registry import load_game
from assistant.records.explaining.played_journal import play_journal
from assistant.records.journal.journal_file import JournalFile
from assistant.records.luck.calculation import tell_luck
from assistant.records.luck.words import percentile

from ....cases import thorough

PLUGINS = Path(__file__).parents[4] / "plugins"
EVENING = PLUGINS / "world_undone_east_prussia/examples/evening.journal"
MARCHES = PLUGINS / "world_undone_east_prussia/examples/movement.pos"
AUGUST = PLUGINS / "twilight_in_the_east/examples/august-1914.journal"
LOG = PLUGINS / "twilight_in_the_east/examples/comprehensive-example.vlog"
HIDDEN = "77/7"


class Page:
    """A page with one table, of whose sides each has a seat."""

    def __init__(self, folder: Path, *sides: str) -> None:
        self.folder = folder
        self.taps = 0
        tables = Tables(folder)
        self.seats: dict[str, OpenTables] = {"": tables}
        if sides:
            whole = WholeTables(tables, "front", sides, folder / "sides")
            self.seats = {"": whole, **{side: SideTables(whole, side) for side in sides}}

    def answer(self, who: str, do: str, **request: Any) -> bytes:
        return respond(self.seats[who], json.dumps({"do": do, "table": "front", **request}).encode())

    def send(self, who: str, do: str, **request: Any) -> Any:
        return json.loads(self.answer(who, do, **request))

    def tap(self, who: str, line: str) -> Any:
        self.taps += 1
        shown = self.send(who, "enter", line=line, tap=str(self.taps), sure=True)
        assert not shown["refused"], shown["refused"]
        return shown

    def count(self, who: str = "") -> int:
        return int(self.send(who, "passages")["count"])

    def passages(self, who: str = "") -> Iterator[Any]:
        for number in range(1, self.count(who) + 1):
            yield self.send(who, "passage", passage=number)


def words(passage: Any) -> str:
    return " ".join(f"{sentence['head']} {sentence['text']}" for sentence in passage["sentences"])


@pytest.fixture
def evening(tmp_path: Path) -> Page:
    shutil.copy(EVENING, tmp_path / "front.journal")
    return Page(tmp_path)


def begun(folder: Path, *sides: str) -> Page:
    """The evening before its first entry."""
    lines = EVENING.read_text("utf-8").splitlines()
    entered = next(number for number, line in enumerate(lines) if line.startswith("1 "))
    head = [lines[0].partition(" ~")[0], *lines[1:entered]]
    (folder / "front.journal").write_text("\n".join([*head, ""]), "utf-8")
    return Page(folder, *sides)


# --- a table that hides nothing ---------------------------------------------------------------------------------------


def test_every_battle_of_an_evening_has_its_odds_and_the_luck_that_the_command_tells(evening: Page) -> None:
    battles = [shown["battle"] for shown in evening.passages() if shown["battle"]]
    told = tell_luck(play_journal(JournalFile(EVENING, load_game).read(compares=False)))
    assert len(battles) == len(told.battles) == 12
    assert [battle["luck"][-1]["percentile"] for battle in battles] == [
        percentile(one.percentile) for one in told.battles
    ]
    assert [battle["luck"][-1]["actual"] for battle in battles] == [
        f"{one.swing:+}" if one.swing else "0" for one in told.battles
    ]
    assert battles[0]["odds"][0]["links"][-1] == ["column of the German table", "2:1"]
    assert (battles[0]["at"], battles[0]["attacks"]) == ("5420", ["5320"])
    assert battles[0]["verdict"] == "The Russian player was luckier than in 75 of 100 such battles."


def test_passages_say_what_left_what_came_and_when(evening: Page) -> None:
    first, second, third, fourth = (evening.send("", "passage", passage=number) for number in (1, 2, 3, 4))
    assert first["turn"] == "Turn 3, First Combat (German)"
    assert first["left"] == ["5320", "5420"]
    assert "Leave play A, last in Stallupönen (5320); B, last in Eydtkuhnen (5420)." in words(first)
    assert words(second).strip() == "Turn 4, First Combat (German) begins."
    assert words(third).strip() == "Stated again, nothing changed: turn 4, First Combat (German)."
    ninth, tenth = (evening.send("", "passage", passage=number) for number in (9, 10))
    assert words(ninth).strip() == "Stated again, nothing changed: A and C in Stallupönen (5320)."
    assert words(tenth).strip() == "Stated again, nothing changed: B in Eydtkuhnen (5420)."
    assert (words(fourth), fourth["entered"]) == ("Enters play A in Stallupönen (5320).", ["5320"])


def test_facts_and_stacks_that_change_are_told_in_words(tmp_path: Path) -> None:
    page = begun(tmp_path)
    for line in ("A disrupted", "5320: C, A"):
        page.tap("", line)
    texts = [words(passage).strip() for passage in page.passages()]
    assert texts == ["A is disrupted.", "Stallupönen (5320): C and A, from the top."]


def test_start_is_number_0_and_there_is_none_after_the_last(evening: Page) -> None:
    count = evening.count()
    start = evening.send("", "passage", passage=0)
    assert (start["is"], start["count"], start["sentences"]) == ("passage", count, [])
    assert sorted(start["stacks"]) == ["5320", "5420"]
    for number in (-1, count + 1):
        refused = evening.send("", "passage", passage=number)
        assert (refused["what"], refused["hint"]) == (f"there is no passage {number}", f"the last one is {count}")
    assert evening.send("", "passage")["what"] == "no passage is named"


def test_board_and_counters_are_those_after_the_passage(evening: Page) -> None:
    def drawn(passage: int | None) -> list[bool]:
        shown = evening.send("", "stacks", hexes=["5320", "5420"], passage=passage)
        return [bool(stack["svg"]) for stack in shown["stacks"]]

    assert drawn(0) == [True, True]
    assert drawn(1) == [True, False]  # C is left
    assert drawn(None) == [True, True]
    assert evening.send("", "board", passage=1)["field"] == evening.send("", "board")["field"]


def test_open_questions_are_no_passages_and_what_is_undone_is_a_correction(tmp_path: Path) -> None:
    page = begun(tmp_path)
    page.tap("", "battle at=5420 withhold=C")
    page.tap("", "die=2")
    assert page.count() == 0
    page.tap("", "done")
    page.tap("", "5321 +C")
    page.tap("", "undo")
    fought, moved, undone = page.passages()
    assert fought["battle"]["luck"][-1]["percentile"] == "58"
    assert moved["moves"] == [{"start": "5320", "end": "5321", "side": "german", "units": ["C"], "way": []}]
    assert undone["moves"] == [{"start": "5321", "end": "5320", "side": "german", "units": ["C"], "way": []}]
    assert [shown["is_correction"] for shown in (fought, moved, undone)] == [False, False, True]


def test_march_has_the_hexes_that_it_has_entered_and_a_placed_unit_has_none(tmp_path: Path) -> None:
    position = MARCHES.read_text("utf-8").partition("\nask ")[0]
    Tables(tmp_path).begin("front", "world-undone-east-prussia-1914", position)
    page = Page(tmp_path)
    for line in ("XVII/36 XVII/35 > 3014 3013 reserve=1 drop=XVII/35@3014", "done", "3023: I/1"):
        page.tap("", line)
    marched, placed = page.passages()
    assert {move["units"][0]: (move["start"], move["way"], move["end"]) for move in marched["moves"]} == {
        "XVII/36": ("3015", ["3014", "3013"], "3013"),
        "XVII/35": ("3015", ["3014"], "3014"),
    }
    assert [(move["start"], move["way"], move["end"]) for move in placed["moves"]] == [("3020", [], "3023")]


@thorough
def test_moves_of_a_game_with_counters_are_told_as_in_its_story(tmp_path: Path) -> None:
    shutil.copy(AUGUST, tmp_path / "front.journal")
    page = Page(tmp_path)
    shown = page.send("", "passage", passage=16)
    assert words(shown) == "Russian, First Army 30/4 from Goldap (43.23) to 45.24."
    move = {"start": "43.23", "end": "45.24", "side": "russian", "units": ["30/4"], "way": ["44.24", "45.24"]}
    assert shown["moves"] == [move]
    before, after = (page.send("", "passage", passage=number)["stacks"] for number in (15, 16))
    changed = {place for place in {*before, *after} if before.get(place) != after.get(place)}
    assert {"43.23", "45.24"} <= changed and len(changed) < 5


# --- the log with which a table began ---------------------------------------------------------------------------------


@thorough
def test_log_is_stepped_through_as_a_game_is(tmp_path: Path, own_data: None) -> None:
    page = Page(tmp_path)
    data = b64encode(LOG.read_bytes()).decode()
    assert page.send("", "begin-from", name=LOG.name, data=data)["begun"] == ".vlog"
    assert page.send("", "passages", log=True)["count"] == 2
    assert page.count() == 0
    fought, low = (page.send("", "passage", passage=number, log=True) for number in (1, 2))
    assert fought["sentences"][0]["head"] == "Attack on Stallupönen (41.19) from 40.19 and 40.20"
    assert fought["battle"]["why_not"].endswith("are unknown")
    assert fought["moves"] == [{"start": "40.20", "end": "39.20", "side": "russian", "units": ["27/3"], "way": []}]
    assert words(low).strip() == "25/3 is in Low Supply."
    page.tap("", "trust charts")
    assert page.send("", "passage", passage=1, log=True)["battle"]["luck"][-1]["title"] == "Swing (Russian)"


def test_table_that_began_without_a_log_has_none_to_step_through(evening: Page) -> None:
    refused = evening.send("", "passages", log=True)
    assert refused["what"] == "this table did not begin with a log"


# --- sides ------------------------------------------------------------------------------------------------------------


def test_battle_that_a_side_carries_out_is_told_once_to_all(tmp_path: Path) -> None:
    """The shared journal has it as facts."""
    page = begun(tmp_path, "german", "russian")
    page.tap("german", "battle at=5420 withhold=C")
    page.tap("german", "die=2")
    page.tap("russian", "5321 clear")  # before it is carried out
    page.tap("german", "done")
    page.tap("german", "A moved")  # changes what the battle has changed, but is not the battle
    assert "answer" not in (tmp_path / "front.journal").read_text("utf-8")
    for who in page.seats:
        shown = [*page.passages(who)]
        assert [bool(one["battle"]) for one in shown] == [False, True, False], who
        assert shown[1]["battle"]["luck"][-1]["percentile"] == "58"
        assert not any(one["is_correction"] for one in shown)


def test_question_that_is_not_carried_out_is_no_battle(tmp_path: Path) -> None:
    page = begun(tmp_path, "german", "russian")
    page.tap("german", "battle at=5420 withhold=C")
    page.tap("german", "die=2")
    page.tap("russian", "5321 clear")
    assert [[shown["battle"] for shown in page.passages(who)] for who in page.seats] == [[None]] * 3


@pytest.fixture
def front(tmp_path: Path) -> Page:
    """A front with limited intelligence, at which a unit of the Central Powers lies below another."""
    Tables(tmp_path).begin("front", "twilight-in-the-east")
    page = Page(tmp_path, "russian", "central-powers")
    page.tap("central-powers", f"4119 clear 1/1 12-16-7-11 -2 german infantry XX {HIDDEN} 12-16-7-11")
    page.tap("russian", "4020 25/3 10--5-10")
    return page


def test_what_a_side_does_not_see_is_no_passage_and_changes_no_byte(front: Page) -> None:
    def told() -> list[bytes]:
        count = front.count("russian")
        asked = [
            front.answer("russian", do, passage=number, **more)
            for number in range(count + 2)
            for do, more in (("passage", {}), ("board", {}), ("stacks", {"hexes": ["41.19", "40.20"]}))
        ]
        return [front.answer("russian", "passages"), *asked]

    before = told()
    for who, line in (
        ("central-powers", "1/1 -4"),
        ("central-powers", f"{HIDDEN} -2"),
        ("", f"{HIDDEN} -3"),
        ("", "undo"),
    ):
        front.tap(who, line)
        assert told() == before, line
    front.tap("central-powers", "4219 german infantry XX 2/1 12-16-7-11")
    assert front.count("russian") == 3 and front.count("") == 7
    after = [*told()]
    assert not any(HIDDEN.encode() in answer for answer in after)
    assert any(HIDDEN.encode() in front.answer("central-powers", "passage", passage=number) for number in range(5))
    assert words(front.send("russian", "passage", passage=3)).startswith("Comes into sight 2/1 in ")


def test_numbers_of_passages_stay_when_a_table_is_opened_again(front: Page) -> None:
    for line in ("4219 german infantry XX 2/1 12-16-7-11", "2/1 -1", "undo", "4218 +2/1"):
        front.tap("central-powers", line)
    told = {who: [*front.passages(who)] for who in front.seats}
    again = Page(front.folder, "russian", "central-powers")
    assert {who: [*again.passages(who)] for who in again.seats} == told


def test_passage_is_told_in_another_process_as_here(front: Page) -> None:
    for who in ("russian", ""):
        desk = front.seats[who].desk("front")
        request = PassageRequest(table="front", passage=1)
        standing = desk.standing_at(request)
        assert isinstance(standing, StandingTable) and standing.passage is not None
        assert WorkerReader()((hand_over(standing), request)) == front.answer(who, "passage", passage=1)

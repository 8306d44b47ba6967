"""A table of the page: each line is an entry or is refused, and all that a page draws is in what comes back."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from assistant.asking.view import View
from assistant.faces.page.messages.requests import EnterRequest
from assistant.faces.page.respond import respond
from assistant.faces.page.table_view import show_stated, show_units
from assistant.faces.page.tables import Tables
from assistant.game.states import Stated, build_state
from assistant.records.journal.journal_file import Added
from assistant.records.journal.room import measure_room
from tests.assistant.faces.prompt.stored import typed_lines
from tests.cases import few, seeds
from tests.hostile.inputs.grammar import Words

GAME = "twilight-in-the-east"
COMBAT = "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019o 29/20 = -3"


class Page:
    """A page that speaks to a host."""

    def __init__(self, folder: Path) -> None:
        self.tables, self.taps = Tables(folder), 0

    def send(self, do: str, **request: Any) -> Any:
        """The response to a request."""
        return json.loads(respond(self.tables, json.dumps({"do": do, **request}).encode()))

    def enter(self, line: str, **more: Any) -> Any:
        """The table after a line."""
        self.taps += 1
        return self.send("enter", **{"table": "warsaw", "line": line, "tap": str(self.taps), **more})


@pytest.fixture
def page(tmp_path: Path) -> Page:
    page = Page(tmp_path)
    assert page.send("begin", table="warsaw", game=GAME)["is"] == "table"
    page.enter("t=1")
    return page


def test_combat_is_shown_with_its_neighbours_and_figures(page: Page) -> None:
    shown = page.enter(COMBAT)
    combat = shown["combat"]
    assert (combat["target"], combat["units"], combat["side"]) == ("41.19", ["1/1"], "central-powers")
    around = {there["hex"]: (there["angle"], there["attacks"], there["units"]) for there in combat["around"]}
    assert around["41.18"] == (0, False, [])
    assert around["40.20"] == (120, True, ["25/3", "27/3"])
    [odds] = shown["answer"]["chains"]
    assert odds["links"][0] == ["attack", "42"]
    assert odds["links"][odds["answer"]][1] == "1:1, Large"
    assert [taken["words"] for taken in shown["assumed"]] == ["AP of the attacker: all", "AP of the defender: all"]
    assert (shown["pending"]["kind"], shown["pending"]["dice"]) == ("roll", [2, 6])


def test_dice_choices_and_changes_to_the_end(page: Page) -> None:
    page.enter(COMBAT)
    losses = [page.enter(dice) for dice in ("7", "3 4")][-1]["pending"]
    assert losses["options"] == ["25/3,27/3", "25/3,29/20", "27/3,29/20"]
    assert losses["usual"] == "25/3,27/3"
    way = [page.enter(answer) for answer in ("3", "12", "5", "6")][-1]["pending"]
    assert way["hexes"]
    assert way["remarks"]["41.20"] == "enemy ZOC: costs 1 level"
    settled = page.enter("3920")
    assert settled["pending"] is None
    changes, noted = settled["answer"]["changes"], settled["answer"]["noted"]
    assert "27/3: 40.20 to 39.20 [11.2.1]" in changes
    assert "27/3 has lost 1 step [11.1]" in changes, "by the titles of the facts"
    assert not [text for text in (*changes, *noted) if ", fought" in text or "cel:" in text]
    entered = page.enter("done")["entry"]
    assert page.enter("undo")["answer"]["changes"] == settled["answer"]["changes"]
    assert page.send("look", table="warsaw")["entry"] == entered + 1


def test_refused_line_changes_nothing_and_none_is_longer_than_one_in_a_file(page: Page) -> None:
    assert page.enter("? " * 2**15)["refused"]["what"] == "the line holds more than 4K letters"
    before = page.enter(COMBAT)
    after = page.enter("4119 rouhg")
    assert after["refused"]["what"] == "'rouhg' is not a unit or a fact about one"
    assert "rough" in after["refused"]["hint"]
    assert {**after, "refused": None, "said": []} == {**before, "said": []}


def test_what_a_line_asks_first_needs_a_sure_tap(page: Page) -> None:
    page.enter(COMBAT)
    asked = page.enter("4020 27/3")
    assert "take off the map: 25/3 from 40.20" in asked["held"]
    assert asked["combat"]["around"][2]["units"] == ["25/3", "27/3"]
    assert page.enter("4020 27/3", sure=True)["combat"]["around"][2]["units"] == ["27/3"]


def test_dice_that_count_no_longer_are_dropped_in_the_journal_too(page: Page, tmp_path: Path) -> None:
    page.enter(COMBAT)
    page.enter("7")
    assert page.enter("fact 40.20: 25/3 (10-?-5-10)")["pending"]["name"] == "crt"
    assert Page(tmp_path).send("look", table="warsaw")["pending"]["name"] == "crt"


def test_journal_that_something_else_goes_on_with_is_read_again(page: Page, tmp_path: Path) -> None:
    other = Page(tmp_path)
    other.enter("4119 1/1")
    assert [unit["id"] for unit in page.send("look", table="warsaw")["units"]] == ["1/1"]


def test_open_question_is_drawn_and_another_leaves_the_table_as_it_is(page: Page) -> None:
    assert page.send("draw", table="warsaw")["what"] == "no question is open"
    before = page.enter(COMBAT)
    assert page.send("draw", table="warsaw")["svg"].startswith("<svg")
    answer = page.send("ask", table="warsaw", question="supply", parameters={"unit": "27/3"})
    assert answer["answers"] == ["undecided: nothing typed supplies 27/3"]
    assert page.send("look", table="warsaw")["answer"] == before["answer"]


@pytest.mark.parametrize(
    "name", ["", "../warsaw", "Warsaw", "a" * 70, "-warsaw", "warsaw.journal", "con", "nul", "lpt9"]
)
def test_name_that_is_no_name_of_a_table(page: Page, name: str) -> None:
    assert "is not the name of a table" in page.send("look", table=name)["what"]


def test_the_last_unit_of_a_hex_leaves_it_and_the_journal_keeps_that(page: Page) -> None:
    page.enter("4020 +25/3")
    shown = page.enter("off 25/3")
    assert not any("not saved" in line for line in shown["said"])
    page.tables = Tables(page.tables.folder)
    assert [unit["id"] for unit in page.send("look", table="warsaw")["units"] if unit["place"]] == []


def test_tap_that_is_sent_again_counts_once_and_a_host_that_was_killed_goes_on_with_it(page: Page) -> None:
    page.enter(COMBAT)
    shown = page.enter("7", tap="lost answer")
    assert page.enter("7", tap="lost answer")["entry"] == shown["entry"]
    page.tables = Tables(page.tables.folder)
    looked = page.send("look", table="warsaw")
    for part in ("combat", "answer", "assumed", "pending", "entries", "units"):
        assert looked[part] == shown[part], part
    assert page.enter("7", tap="lost answer")["entry"] == shown["entry"]
    (answer,) = page.enter("undo")["answer"]["answers"]
    assert (
        "column 1:1 (42 against 23 is 2:1, shifted -1 for attackers of 2 corps or independent stacks), Large. 16 more"
        in answer
    ), "the die first"


def test_undo_takes_back_all_that_a_tap_has_entered_in_whatever_session(page: Page) -> None:
    page.enter("turn=2")
    page.enter(COMBAT)
    for entered in ("fact 41.19: 1/1", "turn"):
        page.tables = Tables(page.tables.folder)
        assert page.send("look", table="warsaw")["undo"].startswith(entered)
        undone = page.enter("undo")
        assert (undone["units"], undone["ground"], undone["combat"]) == ([], [], None)
    assert page.enter("undo")["refused"]["what"] == "there is nothing to undo"


@pytest.mark.parametrize("is_before", [True, False])
def test_what_another_program_writes_at_that_moment_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_before: bool
) -> None:
    Tables(tmp_path).begin("warsaw", GAME)
    desk, other = Tables(tmp_path).desk("warsaw"), Tables(tmp_path).desk("warsaw")
    add = desk.books.file.add

    def add_beside(*texts: Any, **more: Any) -> Added:
        if is_before:
            other.books.enter("3920 29/20")
        added = add(*texts, **more)
        if not is_before:
            other.books.enter("3920 29/20")
        return added

    monkeypatch.setattr(desk.books.file, "add", add_beside)
    shown = desk.enter(EnterRequest(table="warsaw", line="4020 25/3", tap="1"))
    units = [json.loads(bytes(unit)) for unit in shown.units]
    assert {unit["id"]: unit["place"] for unit in units} == {"25/3": "40.20", "29/20": "39.20"}


def test_table_is_deleted_with_its_journal_and_begins_anew(page: Page) -> None:
    assert page.send("delete", table="warsaw")["tables"] == []
    assert page.send("look", table="warsaw")["is"] == "refused"
    assert page.send("delete", table="warsaw")["is"] == "refused"
    assert page.send("begin", table="warsaw", game=GAME)["entry"] == 0


def test_journal_that_its_owner_has_named_is_never_deleted(page: Page, tmp_path: Path) -> None:
    own = tmp_path / "own" / "war.journal"
    own.parent.mkdir()
    own.write_bytes((tmp_path / "warsaw.journal").read_bytes())
    page.tables = Tables(tmp_path, files={"war": own})
    assert page.send("delete", table="war")["is"] == "refused"
    assert own.exists()


@few(1)
@pytest.mark.parametrize("seed", seeds(3))
def test_undo_goes_back_to_the_first_line_however_few_tables_are_held(
    page: Page, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    monkeypatch.setattr("assistant.faces.prompt.desk._MAX_FACTS_HELD", random.choice([0, 350, 1000]))
    facts = [page.send("look", table="warsaw")["ground"]]
    for number in range(40):
        if len(facts) > 1 and random.random() < 0.4:
            facts.pop()
            shown = page.enter("undo")
        else:
            shown = page.enter(f"40{20 + number} {random.choice(['clear', 'rough'])}")
            facts.append(shown["ground"])
        assert shown["ground"] == facts[-1]
        assert shown["refused"] is None
    session = page.tables.desk("warsaw").books.session
    assert session
    assert len(session.tables) <= 10
    while len(facts) > 1:
        facts.pop()
        assert page.enter("undo")["ground"] == facts[-1]


def test_a_table_takes_no_more_than_a_file_may_hold_and_its_journal_no_more_entries(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("4020", "4021"):
        assert page.enter(f"{place} clear")["refused"] is None
    before = page.send("look", table="warsaw")
    room = measure_room(page.tables.desk("warsaw").position.state)
    for limit, (_, much) in room.items():
        monkeypatch.setenv(limit.variable, str(much))
        refused = page.enter("4022 clear")
        assert "with this the table would hold more than" in refused["refused"]["hint"]
        assert refused["ground"] == before["ground"]
        monkeypatch.setenv(limit.variable, str(much - 1))
        assert page.enter("4021 rough")["refused"] is None, "what is too much may become no more"
        assert page.enter("undo")["refused"] is None
        monkeypatch.delenv(limit.variable)
    before = page.enter("4021 rough")
    monkeypatch.setenv("FIELD_STAFF_LIMIT_JOURNAL", str(before["entry"] + 1))
    assert page.enter("4021 clear")["refused"] is None
    refused = page.enter("4021 rough")
    assert "with this the journal would hold more than" in refused["refused"]["hint"]
    assert page.send("look", table="warsaw")["entry"] == before["entry"] + 1


def test_a_host_keeps_no_more_tables_than_it_may(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.faces.page.tables.MAX_TABLES", 2)
    assert page.send("begin", table="galicia", game=GAME)["is"] == "table"
    assert page.send("begin", table="serbia", game=GAME)["what"] == "2 tables are saved already"
    page.send("delete", table="galicia")
    assert page.send("begin", table="serbia", game=GAME)["is"] == "table"


def test_chances_add_up_to_100_percent_but_for_rounding_each(page: Page) -> None:
    page.enter("trust charts")
    page.enter(COMBAT)
    steps = [step for part in page.send("look", table="warsaw")["answer"]["parts"] for step in part["steps"]]
    several = [step["bars"] for step in steps if len(step["bars"]) > 1]
    assert several
    for bars in several:
        tenths = sum(round(float(percent.removesuffix("%")) * 10) for _, _, percent in bars)
        assert abs(tenths - 1000) <= len(bars) / 2


@few(2)
@pytest.mark.parametrize("seed", seeds(20))
def test_what_each_line_changes_is_all_that_changes(page: Page, seed: int) -> None:
    """What is shown, checked and counted line by line is what is shown, checked and counted of the whole."""
    desk = page.tables.desk("warsaw")
    assert desk.books.session
    for line in typed_lines(Words(desk.game), Random(seed), desk.books.session):
        shown = desk.enter(EnterRequest(table="warsaw", line=line))
        state = desk.position.state
        view = View(desk.game, state)
        assert [*map(bytes, shown.units)] == [*map(bytes, show_units(view))], line
        assert bytes(shown.ground) == bytes(show_stated(view, "hex", "hexside")), line
        fields = {name: getattr(state, name) for name in Stated.__struct_fields__ if name != "units"}
        whole = build_state(desk.game, Stated(units=state.units.values(), **fields))
        assert (whole.units, [*whole.facts.items()]) == (state.units, [*state.facts.items()]), line
        books = desk.books.journal.books
        assert books.counted.letters == next(iter(measure_room(books.last).values()))[1], line

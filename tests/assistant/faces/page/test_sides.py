"""A table that sides share: each sees what it may know, a line of one reaches the others as far as they may know it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from assistant.faces.page import own_lines, sides
from assistant.faces.page.respond import respond
from assistant.faces.page.sides import SideTables, WholeTables
from assistant.faces.page.tables import OpenTables, Tables
from assistant.faces.page.undo import find_strikes
from assistant.faces.prompt import table as table_module
from assistant.formats.positions import Position
from assistant.records.journal.entries import OpenQuestion
from assistant.records.journal.fold import FoldedJournal
from assistant.records.journal.journal import Journal
from assistant.state.state import FactKey
from assistant.util import disk
from assistant.util.background import AtHand, using
from assistant.util.errors import InputError, Where

from ....cases import few, thorough
from ....commands import run_command
from .phones import shown

GAME = "twilight-in-the-east"
THREAT = Path(__file__).parents[4] / "plugins/twilight_in_the_east/examples/threat.pos"
COMBAT = "4119c < 4020o 25/3 27/3"


class Table:
    """A table with an umpire and both sides."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "front.journal").exists():
            Tables(folder).begin("front", GAME)
        self.whole = WholeTables(Tables(folder), "front", ["russian", "central-powers"], folder / "sides")
        self.seats: dict[str, OpenTables] = {
            "umpire": self.whole,
            **{side: SideTables(self.whole, side) for side in ("russian", "central-powers")},
        }
        self.taps = 0

    def send(self, who: str, do: str, **request: Any) -> Any:
        return json.loads(respond(self.seats[who], json.dumps({"do": do, "table": "front", **request}).encode()))

    def tap(self, who: str, line: str, **more: Any) -> Any:
        self.taps += 1
        return self.send(who, "enter", **{"line": line, "tap": str(self.taps), **more})

    def units(self, who: str) -> dict[str, str]:
        return {unit["id"]: unit["place"] for unit in self.send(who, "look")["units"]}

    def on_map(self, who: str) -> dict[str, str]:
        return {unit: place for unit, place in self.units(who).items() if place}

    def facts(self, who: str, unit: str) -> dict[str, str]:
        [shown] = [shown for shown in self.send(who, "look")["units"] if shown["id"] == unit]
        return {fact["track"]: fact["value"] for fact in shown["facts"]}


def looks(table: Table, *seats: str) -> list[Any]:
    """What seats see, but for how the laptop names what it has typed itself."""
    return [shown(table.send(who, "look")) for who in seats or table.seats]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.tap("central-powers", "4119 1/1 12-16-7-11 -2 35/17 12-16-7-11")
    table.tap("russian", "4020 25/3 10--5-10 27/3 10--5-10")
    table.tap("umpire", "trust charts")
    return table


def test_each_side_sees_its_own_and_the_top_of_the_others(table: Table) -> None:
    assert table.units("umpire") == {"25/3": "40.20", "27/3": "40.20", "1/1": "41.19", "35/17": "41.19"}
    assert table.units("russian") == {"25/3": "40.20", "27/3": "40.20", "1/1": "41.19"}
    assert table.units("central-powers") == {"25/3": "40.20", "1/1": "41.19", "35/17": "41.19"}
    assert table.facts("umpire", "1/1")["lost"] == "2"
    assert "lost" not in table.facts("russian", "1/1")
    assert [table.send(who, "look")["viewpoint"] for who in table.seats] == ["", "russian", "central-powers"]


def test_what_a_side_states_of_what_it_does_not_see_stays_its_own(table: Table) -> None:
    table.tap("russian", "1/1 -4")
    assert table.facts("russian", "1/1")["lost"] == "4"
    assert table.facts("umpire", "1/1")["lost"] == "2"
    assert table.facts("central-powers", "1/1")["lost"] == "2"
    table.tap("russian", "undo")
    assert table.facts("umpire", "1/1")["lost"] == "2"


def test_what_is_hidden_from_a_side_is_said_in_words(table: Table) -> None:
    look = table.send("russian", "look")
    [german] = [unit for unit in look["units"] if unit["id"] == "1/1"]
    assert german["state"] == ["partly hidden"]
    assert [fact["word"] for fact in look["ground"] if fact["track"] == "unseen"] == ["hidden units may be here"]
    for text in (look["undo"], *(entry["text"] for entry in look["entries"])):
        assert "hidden=" not in text and "unseen=" not in text


def test_side_does_not_look_below_a_unit_by_taking_it_away(table: Table) -> None:
    for line in ("4219 1/1", "undo", "4119 -1/1", "undo", "1/1 russian", "undo"):
        table.tap("russian", line, sure=True)
        assert "35/17" not in json.dumps(table.send("russian", "look"))
    assert table.units("umpire") == {"25/3": "40.20", "27/3": "40.20", "1/1": "41.19", "35/17": "41.19"}


@pytest.mark.parametrize(
    "lines",
    [
        ("1/1 russian", "4219 1/1"),  # called its own
        ("4420 announced", "4420 36/17 1/1", "4519 1/1"),  # believed to stand where another surely stands alone
    ],
)
def test_side_does_not_look_below_a_unit_by_what_it_believes_of_it(table: Table, lines: tuple[str, ...]) -> None:
    table.tap("central-powers", "4420 36/17 12-16-7-11")
    for line in lines:
        assert not table.tap("russian", line, sure=True)["refused"]
        assert table.units("umpire")["1/1"] == "41.19"
        assert "35/17" not in table.units("russian")


def test_side_learns_nothing_of_the_phase_of_the_enemy_by_saying_that_its_own_has_begun(table: Table) -> None:
    for line in ("phase=movement phasing=central-powers", "4119 station-used=3", "4119|4220 crossed=march:1"):
        assert not table.tap("central-powers", line)["refused"]
    before = table.send("russian", "look")["ground"]
    assert not table.tap("russian", "phasing=russian")["refused"]
    assert table.send("russian", "look")["ground"] == before
    assert "station-used" not in str(table.send("umpire", "look")["ground"])


@few(3)
@pytest.mark.parametrize("who", ["umpire", "central-powers"])
@pytest.mark.parametrize(
    "question", ["move units=35/17 way=42.19", "recover unit=35/17 points=2", "arrive units=36/17"]
)
def test_question_about_units_that_a_side_does_not_see_is_not_laid_on_its_table(
    table: Table, who: str, question: str
) -> None:
    before = table.send("russian", "look")
    assert not table.tap(who, question)["refused"]
    assert table.send("russian", "look") == before


@few(3)
@pytest.mark.parametrize("question", ["move units=1/1 way=42.19", "need at=41.19", "reach units=1/1", "plans"])
@pytest.mark.parametrize("who", ["umpire", "central-powers"])
def test_question_of_one_is_laid_on_the_table_of_no_other(table: Table, who: str, question: str) -> None:
    table.tap("russian", "need at=41.19")
    before = {other: table.send(other, "look") for other in table.seats}
    assert not table.tap(who, question)["refused"]
    assert {other: table.send(other, "look") for other in table.seats if other != who} == {
        other: before[other] for other in table.seats if other != who
    }


def test_marker_that_covers_a_stack_is_taken_off_by_its_side_alone(table: Table) -> None:
    table.tap("central-powers", "4515 ip=2 36/17 12-16-7-11")
    table.tap("russian", "4515 ip=0")
    assert "36/17" not in table.units("russian")
    table.tap("central-powers", "4515 ip=0")
    assert table.units("russian")["36/17"] == "45.15"


def test_side_does_not_bring_in_what_another_hides(table: Table) -> None:
    for line in ("3920 35/17", "3920 russian 35/17 9-9-9-9"):
        table.tap("russian", line, sure=True)
        assert table.units("umpire")["35/17"] == "41.19"
        assert table.units("russian")["35/17"] == "39.20"
        table.tap("russian", "undo")
        assert table.units("umpire")["35/17"] == "41.19"
        assert "35/17" not in table.units("russian")


def test_unit_that_a_side_calls_as_one_out_of_its_sight_is_its_own_affair(table: Table) -> None:
    table.tap("umpire", "hidden-units=concealment")
    table.tap("central-powers", '3921 german dummy - "x" concealed')
    hidden = table.facts("umpire", "x")
    for line in ('3921 russian dummy - "x"', "undo"):
        table.tap("russian", line, sure=True)
        assert table.units("umpire")["x"] == "39.21"
        assert table.facts("umpire", "x") == hidden


def test_enemy_is_brought_in_by_its_own_side(table: Table) -> None:
    table.tap("russian", "4319 german 99/9 9-9-9-9")
    assert "99/9" not in table.units("umpire")
    assert "99/9" not in table.units("central-powers")
    table.tap("central-powers", "4419 german 99/9 9-9-9-9", sure=True)
    assert table.units("russian")["99/9"] == table.units("umpire")["99/9"] == "44.19"
    table.tap("russian", "4519 99/9", sure=True)
    assert (table.units("russian")["99/9"], table.units("umpire")["99/9"]) == ("45.19", "44.19")


@few(4)
@pytest.mark.parametrize("cover", ["clear", "capped", "ip=2", "announced"])
@pytest.mark.parametrize("unit", ["german 36/17", "russian 36/17", 'russian infantry XX "x" masked=nobody'])
def test_side_that_guesses_the_name_of_an_enemy_does_not_learn_whether_it_is_on_the_table(
    tmp_path: Path, cover: str, unit: str
) -> None:
    told = []
    for hidden, dummy in (("36/17", "x"), ("37/20", "y")):
        (tmp_path / dummy).mkdir()
        table = Table(tmp_path / dummy)
        assert not table.tap("central-powers", f'4119 1/1 {hidden} german dummy - "{dummy}"')["refused"]
        for line in (f"4319 {cover}", f"4319 {unit}", "4419 36/17", "undo"):
            table.tap("russian", line, sure=True)
            told.append(table.send("russian", "look"))
    assert told[:4] == told[4:]


def test_unit_that_is_out_of_sight_leaves_the_table_of_the_other(table: Table) -> None:
    table.tap("central-powers", "4119 35/17 1/1")
    assert table.units("russian") == {"25/3": "40.20", "27/3": "40.20", "35/17": "41.19"}
    table.tap("central-powers", "undo")
    assert table.units("russian") == {"25/3": "40.20", "27/3": "40.20", "1/1": "41.19"}


def test_public_facts_reach_all(table: Table) -> None:
    table.tap("russian", "t=2")
    assert {table.send(who, "look")["turn"] for who in table.seats} == {"2"}
    table.tap("central-powers", "4119 rough")
    ground = {(fact["track"], fact["subject"]): fact["value"] for fact in table.send("russian", "look")["ground"]}
    assert ground["terrain", "41.19"] == "rough"


def test_announced_attack_names_all_units(table: Table) -> None:
    table.tap("russian", "4119 announced")
    assert table.units("russian")["35/17"] == "41.19"


@thorough
@pytest.mark.parametrize("who", ["russian", "umpire"])
def test_combat_and_its_dice_are_on_every_table_whoever_throws(table: Table, who: str) -> None:
    table.tap("russian", "4119 announced")
    table.tap("russian", COMBAT)
    assert {table.send(seat, "look")["combat"]["target"] for seat in table.seats} == {"41.19"}
    assert "7 on" in str(table.tap(who, "crt=7")["answer"])
    assert table.whole.shared.whole.position.answers == {"crt": "7"}
    assert all("7 on" in str(table.send(seat, "look")["answer"]) for seat in ("umpire", "russian"))


@thorough
def test_combat_takes_the_place_of_the_own_question_of_another_side_and_its_dice_lie_beside_the_next(
    table: Table,
) -> None:
    table.tap("russian", "4119 announced")
    table.tap("central-powers", "zones")
    table.tap("russian", COMBAT)
    assert table.send("central-powers", "look")["combat"]["target"] == "41.19"
    table.tap("central-powers", "zones")
    table.tap("russian", "crt=7")
    shown = table.send("central-powers", "look")
    assert (shown["answer"]["question"], shown["undo"]) == ("zones", "zones")
    table.tap("central-powers", "undo")
    assert table.send("central-powers", "look")["answer"]["question"] == "battle"
    assert table.whole.shared.desks["central-powers"].position.answers == {"crt": "7"}


def test_side_is_shown_the_combat_as_it_sees_it_with_the_range_beside_it(tmp_path: Path) -> None:
    """At every face: not with the hidden units at their weakest."""
    text = THREAT.read_text("utf-8").replace("phase=movement", "phase=attack").partition("\nask ")[0]
    folder = tmp_path / "page"
    Tables(folder).begin("front", GAME, text)
    shown = Table(folder).tap("russian", "battle at=44.19 attacker-ap=all defender-ap=all")["answer"]
    assert shown["kind"] == "figure" and shown["answers"][0] == "as seen: column 1:2, Medium; roll 2d6"
    assert "column 1:1, Medium; roll 2d6 if what is hidden is weak" in shown["answers"][1]
    briefs = [part["brief"] for part in shown["parts"]]
    assert "15 against 23 is 1:2, unshifted: column 1:2" in briefs and "77" not in str(briefs)
    assert [ask["title"] for ask in shown["asks"]][-1] == "Combat Results Table, summer, 1:2"
    (tmp_path / "front.pos").write_text(text)
    asked = ("battle", "front.pos", "--at", "44.19", "--attacker-ap", "all", "--defender-ap", "all", "--as", "russian")
    told = json.loads(run_command(tmp_path, *asked, "--json").stdout)
    assert [part["brief"] or "" for part in told["parts"]] == briefs
    assert (told["as_seen"]["text"], told["result_as_seen"]["column"]) == ("column 1:2, Medium; roll 2d6", "1:2")
    assert "= as seen: column 1:2" in run_command(tmp_path, *asked).stdout
    table = ("table", GAME, "front.pos", "--as", "russian")
    told = run_command(tmp_path, *table, typed="battle 44.19\n", data=tmp_path / "data").stdout
    assert "= as seen: column 1:2" in told and "column 1:1, Medium; roll 2d6 if what is hidden is weak" in told


def test_combat_names_no_unit_that_is_not_seen(table: Table) -> None:
    table.tap("umpire", f"{COMBAT} withhold=27/3")
    assert table.send("umpire", "look")["combat"]["withheld"] == ["27/3"]
    assert table.send("russian", "look")["combat"]["withheld"] == ["27/3"]
    assert "27/3" not in json.dumps(table.send("central-powers", "look"))


def test_combat_names_no_unit_that_a_side_only_believes_to_be_elsewhere(table: Table) -> None:
    table.tap("central-powers", "4420 27/3", sure=True)
    table.tap("umpire", f"{COMBAT} withhold=27/3")
    assert table.units("central-powers")["27/3"] == "44.20"
    assert table.send("central-powers", "look")["combat"]["withheld"] == []


def test_hidden_change_is_no_event_for_the_other_side(table: Table) -> None:
    before = table.send("russian", "look")
    table.tap("central-powers", "1/1 -5")
    table.tap("central-powers", "35/17 -1")
    assert table.send("russian", "look") == before
    assert table.facts("umpire", "1/1")["lost"] == "5"


@few(1)
@pytest.mark.parametrize("who", ["umpire", "central-powers"])
def test_hidden_change_in_a_combat_takes_no_dice_from_the_table_of_the_other_side(table: Table, who: str) -> None:
    table.tap("umpire", "1/1 18-16-7-11")
    table.tap("umpire", "4020 clear 25/3 8-6-3-10 27/3 = < 4119 open withhold=35/17")
    table.tap("umpire", "7")
    before = table.send("russian", "look")
    assert "result" in str(before["answer"]["answers"])
    table.tap(who, "off-map: 35/17", sure=True)
    assert table.whole.shared.whole.position.answers == {}
    assert table.send("russian", "look") == before
    for line, dice in (("crt=5", {"crt": "5"}), ("undo", {"crt": "7"})):  # as before that throw
        table.tap("umpire", line)
        table.send("russian", "look")
        assert table.whole.shared.desks["russian"].position.answers == dice


def test_what_a_side_believes_gives_way_to_what_it_sees(table: Table) -> None:
    table.tap("russian", "3920 russian 35/17", sure=True)  # what it believes stands where an enemy comes
    table.tap("central-powers", "3920 2/1 12-16-7-11", sure=True)
    assert table.units("russian")["2/1"] == "39.20"
    assert "35/17" not in table.units("russian")
    before = table.send("russian", "look")
    table.tap("central-powers", "35/17 -1")
    assert table.send("russian", "look") == before


def test_guess_that_cannot_stand_beside_what_a_side_sees_is_struck_and_not_undone(table: Table) -> None:
    """It counts again once what stands in its way is gone."""
    table.tap("russian", "need at=41.19")
    table.tap("russian", "44.25: german infantry X g1 (4-4-1-7)", sure=True)
    guess = "44.25: german infantry X g1 (4-4-1-7)"

    def look() -> tuple[str, dict[str, bool], bool]:
        seen = table.send("russian", "look")
        return seen["undo"], {each["text"]: each["struck"] for each in seen["entries"]}, "g1" in table.units("russian")

    undo, texts, is_there = look()
    assert (undo, texts[guess], is_there) == (guess, False, True)
    table.tap("umpire", "44.25: russian infantry X c1 (4-4-1-7)", sure=True)
    undo, texts, is_there = look()
    assert (undo, texts[guess], is_there) == ("need at 41.19", True, False)
    table.tap("umpire", "undo")
    undo, texts, is_there = look()
    assert (undo, texts[guess], is_there) == (guess, False, True)


def test_two_phones_do_not_come_apart(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.tap("central-powers", "4119 1/1 12-16-7-11")
    table.tap("russian", "4020 25/3 10--5-10")
    for undone in ("41.19: 1/1 (12-16-7-11)", "", ""):
        assert table.send("central-powers", "look")["undo"] == undone
        table.tap("central-powers", "undo")
        for again in (table, Table(tmp_path)):
            assert [again.on_map(who) for who in again.seats] == [{"25/3": "40.20"}] * 3
            assert again.units("central-powers") == again.units("umpire")
    assert table.send("russian", "look")["undo"] == "40.20: 25/3 (10-?-5-10)"


def test_what_others_have_answered_is_undone_together(table: Table) -> None:
    table.tap("central-powers", "4419 2/1 12-16-7-11")
    table.tap("umpire", "2/1 12-9-7-11")
    held = table.tap("central-powers", "undo")["held"]
    assert held == "This would also undo 2/1 defence 9: ask the others to agree"
    assert table.units("umpire")["2/1"] == "44.19"
    assert table.tap("central-powers", "undo", sure=True)["said"] == [
        "waiting for another side, or the laptop, to agree"
    ]
    wished = "Central Powers would like to undo 44.19: 2/1 (12-16-7-11), 2/1 defence 9"
    assert [table.send(who, "look")["wished"] for who in ("russian", "central-powers")] == [wished, ""]
    assert table.units("umpire")["2/1"] == "44.19"
    agreed = table.tap("russian", "undo together")
    assert agreed["said"] == ["undone: 44.19: 2/1 (12-16-7-11), 2/1 defence 9"]
    assert all("2/1" not in table.on_map(who) for who in table.seats)
    assert {table.send(who, "look")["wished"] for who in table.seats} == {""}


def test_undo_of_a_march_asks_about_the_enemy_who_has_entered_the_hex_since(table: Table) -> None:
    table.tap("russian", "3921 25/3 27/3")
    table.tap("central-powers", "4020 35/17")
    held = table.tap("russian", "undo")["held"]
    assert held.startswith("This would also undo 40.20: ") and "35/17" in held
    assert table.tap("russian", "undo", sure=True)["said"] == ["waiting for another side, or the laptop, to agree"]
    assert table.units("umpire")["25/3"] == "39.21"
    assert table.tap("umpire", "undo together")["said"]
    assert table.units("umpire") == {"25/3": "40.20", "27/3": "40.20", "1/1": "41.19", "35/17": "41.19"}


@pytest.mark.parametrize("hidden", ["", "3921 german 36/17 12-16-7-11 invisible=central-powers"])
def test_undo_tells_nothing_of_a_hidden_unit_that_has_entered_the_hex_since(table: Table, hidden: str) -> None:
    """By the line that states the hidden unit in the hex the unit of the side would leave it, once its march is struck."""
    table.tap("russian", "3921 26/2")
    table.tap("russian", "3922 26/2")
    if hidden:
        assert not table.tap("umpire", hidden, sure=True)["refused"]
    assert table.tap("russian", "undo")["said"] == ["undone: 39.22: 26/2"]
    assert table.on_map("russian")["26/2"] == "39.21"
    answer = table.tap("russian", "undo")
    assert (answer["held"], answer["said"]) == ("", ["undone: 39.21: 26/2"])
    assert "26/2" not in table.on_map("russian")
    assert table.on_map("umpire").get("36/17", "") == ("39.21" if hidden else "")


def test_undo_words_that_a_hex_was_left_empty(table: Table) -> None:
    table.tap("russian", "3921 26/2")
    assert table.tap("umpire", "3921:", sure=True)["said"]
    assert table.tap("russian", "undo")["held"] == "This would also undo 39.21: no units: ask the others to agree"


def test_undo_of_a_march_asks_about_the_friend_who_has_left_the_hex_entered(table: Table) -> None:
    table.tap("russian", "3921 25/3")
    table.tap("umpire", "3921 +26/3")
    assert "26/3" in table.tap("russian", "undo")["held"]


def test_undo_that_would_bring_enemies_together_is_refused(table: Table) -> None:
    table.tap("russian", "3921 25/3 27/3")
    whole = table.whole.shared.whole
    march = whole.books.journal.entries[-1]
    table.tap("central-powers", "4020 35/17")
    with pytest.raises(InputError, match="something that has happened since"):
        find_strikes(whole.books.journal, [march])


def test_undo_keeps_a_unit_that_a_line_of_another_states_where_it_stands(table: Table) -> None:
    table.tap("russian", "3921 26/2")
    number = table.whole.shared.whole.books.journal.last
    for line in (f"strike {number}", "3921 26/2", f"strike {number + 1}"):  # so that the line of the side counts again
        assert not table.tap("umpire", line)["refused"]
    assert table.tap("russian", "undo")["said"] == ["undone: 39.21: 26/2"]
    assert table.units("umpire")["26/2"] == "39.21"


def test_undo_leaves_a_unit_that_others_have_moved_away_and_back(table: Table) -> None:
    for who, line in (
        ("umpire", "3921 26/2"),
        ("russian", "3922 26/2"),
        ("umpire", "3923 26/2"),
        ("umpire", "3922 26/2"),
    ):
        assert not table.tap(who, line)["refused"]
    journal = table.whole.shared.whole.books.journal
    first, march = journal.entries[-4], journal.entries[-3]
    assert find_strikes(journal, [march]) == [f"strike {march.number}"]
    assert find_strikes(journal, [first]) == [f"strike {first.number}"]


def test_undo_loses_no_unit_whose_earlier_move_was_struck(table: Table) -> None:
    for who, line in (
        ("umpire", "3921 26/2"),
        ("umpire", "3922 26/2"),
        ("umpire", "3921 28/20"),
        ("russian", "3923 26/2"),
    ):
        assert not table.tap(who, line)["refused"]
    move = table.whole.shared.whole.books.journal.entries[-3]
    assert not table.tap("umpire", f"strike {move.number}")["refused"]
    before = table.on_map("umpire")
    assert table.tap("russian", "undo")["said"] == ["undone: 39.23: 26/2"]
    assert table.on_map("umpire") == before | {"26/2": "39.22"}


def test_undo_takes_back_what_counts_again_of_a_line_that_was_undone(table: Table) -> None:
    table.tap("russian", "3921 26/2")
    before = table.on_map("umpire")
    table.tap("russian", "3922 25/3")
    shared = table.whole.shared.whole
    first, _ = shared.books.journal.line_of(shared.books.journal.last)
    table.tap("russian", "undo")
    [strike] = [entry for entry in shared.books.journal.entries if getattr(entry.what, "target", 0) == first.number]
    assert not table.tap("umpire", f"strike {strike.number}")["refused"]
    assert table.on_map("umpire") == before | {"25/3": "39.22"}
    words = table.send("russian", "look")["undo"]
    assert "25/3" in words
    assert table.tap("russian", "undo")["said"] == [f"undone: {words}"]
    assert table.on_map("umpire") == before


@pytest.mark.parametrize("corrected", ["35/17 cel=-3", "4119 1/1 disorder=2 35/17 cel=-3 2/1 12-16-7-11"])
def test_wish_to_undo_what_a_side_does_not_see_shows_it_nothing(table: Table, corrected: str) -> None:
    """Not even what it sees of a line that rests on that: else it would see that the line states something of a hidden unit."""
    table.tap("central-powers", "35/17 cel=-2")
    assert not table.tap("umpire", corrected)["refused"]
    assert "cel -3" in table.tap("central-powers", "undo")["held"]
    table.tap("central-powers", "undo", sure=True)
    assert "35/17" in table.send("umpire", "look")["wished"]
    assert table.send("russian", "look")["wished"] == ""
    assert table.tap("russian", "undo together")["refused"]["what"] == "no undo is waiting for your agreement"
    assert table.tap("umpire", "undo together")["said"]
    assert "cel" not in table.facts("umpire", "35/17")
    assert "2/1" not in table.on_map("umpire")


def test_undo_that_is_held_shows_a_side_only_what_it_sees_of_what_rests_on_it(table: Table) -> None:
    assert not table.tap("russian", "1/1 disorder=1")["refused"]
    assert not table.tap("umpire", "4119 1/1 disorder=2 35/17 cel=-3 2/1 12-16-7-11")["refused"]
    held = table.tap("russian", "undo")["held"]
    assert held == "This would also undo 1/1 D2: ask the others to agree"


@pytest.fixture
def wishing(table: Table) -> Table:
    """The table while the Central Powers would like to undo what the laptop has answered."""
    table.tap("central-powers", "4419 2/1 12-16-7-11")
    table.tap("umpire", "2/1 12-9-7-11")
    table.tap("central-powers", "undo", sure=True)
    return table


def test_wish_stands_whatever_its_side_does_that_others_do_not_see(wishing: Table) -> None:
    wished = wishing.send("russian", "look")["wished"]
    for line in ("need at=41.19", "35/17 cel=-2"):
        wishing.tap("central-powers", line)
        assert wishing.send("russian", "look")["wished"] == wished
    assert wishing.tap("russian", "undo together")["said"]
    assert "2/1" not in wishing.on_map("umpire")
    assert wishing.facts("umpire", "35/17")["cel"] == "-2"
    before = wishing.send("central-powers", "look")
    assert wishing.tap("russian", "undo together")["refused"]
    assert wishing.send("central-powers", "look") == before  # nor does the other side wish for anything now


def test_agreement_that_is_sent_again_counts_once(wishing: Table) -> None:
    for said in ("undone: ", "entered already"):
        answer = wishing.send("russian", "enter", line="undo together", tap="agree")
        assert answer["said"][0].startswith(said)
    assert wishing.send("central-powers", "look")["wished"] == ""


def test_agreement_is_to_what_was_shown(wishing: Table) -> None:
    agrees = wishing.send("russian", "look")["agrees"]
    wishing.tap("umpire", "2/1 disorder=1")
    refused = wishing.tap("russian", agrees)["refused"]
    assert refused["what"] == "what would be undone has changed since"
    assert wishing.units("umpire")["2/1"] == "44.19"
    assert wishing.tap("russian", wishing.send("russian", "look")["agrees"])["said"]
    assert "2/1" not in wishing.on_map("umpire")


def test_each_side_has_a_wish_of_its_own(table: Table) -> None:
    table.tap("central-powers", "4419 2/1 12-16-7-11")
    table.tap("russian", "25/3 disorder=1")
    for line in ("2/1 12-9-7-11", "25/3 disorder=2"):
        table.tap("umpire", line)
    for side in ("central-powers", "russian"):
        table.tap(side, "undo", sure=True)
    assert "44.19: 2/1" in table.send("russian", "look")["wished"]
    assert "25/3" in table.send("central-powers", "look")["wished"]
    table.tap("central-powers", "35/17 -1")
    table.tap("central-powers", "undo")
    assert table.tap("central-powers", table.send("central-powers", "look")["agrees"])["said"]
    assert table.tap("russian", table.send("russian", "look")["agrees"])["said"]
    assert "2/1" not in table.on_map("umpire") and "disorder" not in table.facts("umpire", "25/3")


def test_move_that_ends_the_combat_is_undone_with_it(table: Table) -> None:
    table.tap("russian", "4119 announced")
    table.tap("russian", COMBAT)
    assert table.send("umpire", "look")["answer"]
    table.tap("russian", "3920 25/3 27/3")
    assert table.units("umpire")["25/3"] == "39.20"
    assert table.tap("russian", "undo")["said"]
    assert table.units("umpire")["25/3"] == "40.20"
    assert table.units("central-powers")["25/3"] == "40.20"


def test_turn_that_a_side_begins_is_undone_with_what_it_ended_and_without_what_others_have_changed_since(
    table: Table,
) -> None:
    table.tap("russian", "turn 2")
    table.tap("russian", "weather=freeze")
    table.tap("russian", "no such line")
    table.tap("russian", "turn 3")
    assert "freeze" not in str(table.send("umpire", "look")["moment"])
    table.tap("central-powers", "35/17 -1")
    undone = table.tap("russian", "undo")
    assert undone["said"] == ["undone: turn 3"]
    for who in table.seats:
        shown = table.send(who, "look")
        assert shown["turn"] == "2" and "freeze" in str(shown["moment"])
    assert table.facts("umpire", "35/17")["lost"] == "1"


@thorough
def test_dice_of_a_combat_are_undone_together(table: Table) -> None:
    table.tap("russian", "4119 announced")
    table.tap("russian", COMBAT)
    table.tap("russian", "crt=7")
    assert table.tap("russian", "undo")["held"] == "This would also undo crt 7: ask the others to agree"
    table.tap("russian", "undo", sure=True)
    table.tap("central-powers", "undo together")
    assert {str(table.whole.shared.whole.position.answers), str(table.send("russian", "look")["answer"]["title"])} >= {
        "{}"
    }
    assert "7 on" not in str(table.send("central-powers", "look")["answer"])


def test_undo_after_much_that_others_have_done_goes_through_it_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each entry by itself would be gone to from the last state that is kept before it."""
    gone_to = list[int]()
    find_effect = FoldedJournal.find_effect
    monkeypatch.setattr(
        FoldedJournal, "find_effect", lambda books, number: gone_to.append(number) or find_effect(books, number)
    )
    table.tap("russian", "25/3 -1")
    for steps in range(12):
        table.tap("umpire", f"1/1 lost={steps % 3}")
    assert table.tap("russian", "undo")["said"] == ["undone: 25/3 -1"]
    assert len(gone_to) < 6


def test_undo_goes_back_once_to_when_the_lines_of_others_were_entered(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was struck behind them may have changed them all."""
    table.tap("russian", "3921 26/2")
    table.tap("russian", "25/3 -1")
    for steps in range(12):
        table.tap("umpire", f"26/2 lost={steps % 3}")
    assert table.tap("russian", "undo")["said"] == ["undone: 25/3 -1"]
    gone_to = list[int]()
    until = Journal.until
    monkeypatch.setattr(Journal, "until", lambda journal, number: gone_to.append(number) or until(journal, number))
    assert table.tap("russian", "undo")["held"].count("26/2 -") >= 8
    assert 0 < len(gone_to) < 4


def test_entries_that_are_struck_together_are_gone_through_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for steps in range(12):
        table.tap("umpire", f"1/1 lost={steps % 3}")
    journal = table.whole.shared.whole.books.journal
    entries = [entry for entry in journal.counting.entries if entry.number > journal.last - 12]
    gone_to = list[int]()
    fold_before = FoldedJournal._fold_before
    monkeypatch.setattr(
        FoldedJournal, "_fold_before", lambda books, index: gone_to.append(index) or fold_before(books, index)
    )
    assert find_strikes(journal, entries) == [f"strike {entry.number}" for entry in reversed(entries)]
    assert not gone_to


@pytest.mark.parametrize("starts_anew", [False, True])
def test_line_that_cannot_be_written_for_all_is_refused_and_counts_once_when_it_is_sent_again(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, starts_anew: bool
) -> None:
    file = table.whole.shared.whole.books.file

    def fail(*_: Any, **__: Any) -> Any:
        raise InputError("no space left", where=Where("/home/host/front.journal"))

    before = looks(table)
    with monkeypatch.context() as patch:
        patch.setattr(file, "add", fail)
        for line, tap in (("25/3 -1", "late"), ("undo", "other")):
            refused = table.send("russian", "enter", line=line, tap=tap)["refused"]
            assert (refused["what"], refused["where"]) == ("no space left", "")
    assert looks(table) == before
    if starts_anew:
        table = Table(tmp_path)
    table.tap("umpire", "25/3 -3")
    assert not table.send("russian", "enter", line="25/3 -1", tap="late")["refused"]
    assert table.send("russian", "enter", line="25/3 -1", tap="late")["said"] == ["entered already"]
    assert table.facts("umpire", "25/3")["lost"] == table.facts("russian", "25/3")["lost"] == "1"
    assert [entry["text"] for entry in table.send("russian", "look")["entries"]].count("25/3 -1") == 1


@thorough
def test_side_whose_table_cannot_be_written_keeps_nobody_out(table: Table, tmp_path: Path) -> None:
    """A unit of which so much is stated that its line would be too long."""
    tracks = ("army", "corps", "complex", "entry", "with")
    answers: list[Any] = [table.tap("russian", f'25/3 {track}="{"q" * 1500}"', sure=True) for track in tracks]
    refused = [answer for answer in answers if answer["refused"]]
    assert answers[0]["refused"] is None
    assert "the line holds more than 4K letters" in refused[0]["refused"]["what"]
    for seats in (table, Table(tmp_path)):  # as it is served, and when it is served anew
        assert {seats.send(who, "look")["is"] for who in seats.seats} == {"table"}
        assert seats.tap("central-powers", "1/1 -1")["refused"] is None
        assert seats.tap("russian", "25/3 -1")["refused"] is None
        assert seats.tap("russian", "25/3 -0")["refused"] is None


@thorough
def test_side_makes_its_table_no_larger_than_the_others_can_wait_for(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_SHARED", "1K")
    assert table.tap("russian", "phase=movement")["refused"] is None
    believed = [f"{x}.30: german infantry XX g{x} (1-1-1-1)" for x in range(30, 60)]
    answers: list[Any] = [table.tap("russian", line) for line in believed]
    assert answers[0]["refused"] is None
    assert "with this it holds more than 1 KiB" in answers[-1]["refused"]["what"]
    assert "g59" not in table.units("russian")
    monkeypatch.setenv("FIELD_STAFF_LIMIT_SHARED", "100")
    assert table.tap("russian", "phase=attack")["refused"] is None  # one that is too large may become smaller


@thorough
def test_record_of_a_side_stays_small(table: Table, tmp_path: Path) -> None:
    for column in range(20, 32):
        believed = ", ".join(f"german infantry XX g{column}{number:02} (1-1-1-1)" for number in range(20))
        table.tap("russian", f"{column}.30: {believed}", tap=f"{column} {'t' * 50_000}")
        assert table.tap("russian", f"{column}.30: {believed}", tap=f"{column} {'t' * 50_000}")["said"] == [
            "entered already"
        ]
    [kept] = tmp_path.glob("sides/russian/*.own")
    assert (
        kept.stat().st_size < 450_000
    )  # with the whole table before and after each line, and the taps as they came, it had megabytes
    undone = table.tap("russian", "undo")
    assert undone["refused"] is None
    assert {unit[:3] for unit in table.units("russian") if unit.startswith("g")} == {f"g{x}" for x in range(20, 31)}


def test_long_file_of_a_side_is_written_anew_and_says_the_same(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_lines, "_MAX_LINES", 12)
    monkeypatch.setattr(own_lines, "_MAX_LINES_KEPT", 3)
    for line in ("1/1 -4", "undo", "1/1 -3", "zones", "25/3 -1"):
        table.tap("russian", line)
    for steps in range(12):
        table.tap("russian", f"4219: german infantry XX g{steps} (1-1-1-1)", sure=True)
    [kept] = tmp_path.glob("sides/russian/*.own")
    assert 4 <= kept.read_text("utf-8").count("\n") < 12
    assert table.facts("russian", "1/1")["lost"] == "3"
    assert table.units("russian")["g11"] == "42.19"
    look = table.send("russian", "look")
    assert look["answer"]["question"] == "zones"
    assert look["undo"].startswith("42.19: german infantry XX g11")
    assert looks(Table(tmp_path)) == looks(table)
    undone: list[Any] = [table.tap("russian", "undo") for _ in range(12)]
    assert undone[-1]["refused"]["what"] == "there is nothing to undo"  # not even the line that stands for others
    assert table.facts("russian", "1/1")["lost"] == "3"


def test_wish_to_undo_outlasts_shortening(wishing: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_lines, "_MAX_LINES", 4)
    monkeypatch.setattr(own_lines, "_MIN_LINES_KEPT", 2)
    wished = wishing.send("umpire", "look")["wished"]
    assert wished.startswith("Central Powers would like to undo")
    for _ in range(3):
        wishing.tap("central-powers", "25/3 -1")
        wishing.tap("central-powers", "undo")
    assert wishing.send("umpire", "look")["wished"] == wished


def test_shortening_the_file_of_a_side_changes_nothing_of_what_counts_later(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What others undo then comes to the same as with all lines, and so does what the side undoes."""
    monkeypatch.setattr(own_lines, "_MIN_LINES_KEPT", 2)
    seen: dict[int, Any] = {}
    for most in (1000, 8):
        folder = tmp_path / str(most)
        folder.mkdir()
        monkeypatch.setattr(own_lines, "_MAX_LINES", most)
        seats = Table(folder)
        seats.tap("central-powers", "4119 1/1 12-16-7-11 -2 35/17 12-16-7-11")
        seats.tap("russian", "4425: german infantry X g1 (4-4-1-7)")
        seats.tap("russian", "4119 rough 1/1 -4")
        stated = seats.whole.shared.whole.books.journal.last
        seats.tap("russian", "zones")
        seats.tap("central-powers", "4430: german infantry X g1 (4-4-1-7)")
        for _ in range(6):
            seats.tap("russian", "4426: german infantry X g2 (1-1-1-1)")
            seats.tap("russian", "undo")
        before = seats.facts("russian", "1/1")["lost"], seats.units("russian")["g1"]
        seats.tap("central-powers", "undo")
        seats.tap("umpire", f"strike {stated}")
        after = seats.facts("russian", "1/1").get("lost"), seats.units("russian")["g1"]
        look = seats.send("russian", "look")
        undone = [seats.tap("russian", "undo")["said"] for _ in range(3)]
        seen[most] = before, after, look["answer"]["question"], look["undo"], undone
        assert seats.send("russian", "enter", line="4426: g2", tap="7")["said"] == ["entered already"]
    assert seen[8][:3] == (("4", "44.30"), (None, "44.25"), "zones")
    assert seen[8] == seen[1000]
    [kept] = tmp_path.glob("8/sides/russian/*.own")
    assert kept.read_text("utf-8").count("\n") < 12


def test_guess_of_a_line_goes_with_the_facts_that_others_strike_whatever_it_has_asked(table: Table) -> None:
    table.tap("russian", "4119c 1/1 -4 < 4020o 25/3 27/3 -1")
    journal = table.whole.shared.whole.books.journal
    made = journal.line_of(journal.last)
    facts = [entry.number for entry in made if not isinstance(entry.what, OpenQuestion)]
    assert 0 < len(facts) < len(made)
    assert table.facts("russian", "1/1")["lost"] == "4"
    for number in facts:
        table.tap("umpire", f"strike {number}")
    assert "lost" not in table.facts("russian", "1/1")


def test_table_that_cannot_be_written_is_the_same_when_it_is_read_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = table.whole.shared.desks["russian"]

    def refuse(_: object) -> None:
        raise InputError("the line holds too many letters")

    def run_out(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(desk, "_begin_journal", refuse)
    table.tap("umpire", "3920 29/20 10--5-10")
    before = table.units("russian")
    assert before["29/20"] == "39.20"
    monkeypatch.setattr(desk.books, "enter", run_out)
    assert "memory" in table.tap("russian", "25/3 -1")["what"]
    assert table.units("russian") == before


def test_news_of_a_side_do_not_grow_with_the_journal(table: Table) -> None:
    table.send("russian", "look")
    for number in range(45):
        table.tap("central-powers", f"{44 + number // 20}{10 + number % 20} rough")
    entries = table.send("russian", "look")["entries"]
    assert len(entries) == 40
    assert len(table.whole.shared.desks["russian"]._news._news) <= 40


DAMAGES: Mapping[str, Callable[[bytes], bytes]] = {
    "a bit": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "a bit in the middle": lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :],
    "another name": lambda data: data.replace(b"1/1", b"2/1", 1),
    "no text": lambda data: b"\xff\n" + data,
    "deep": lambda data: b"[" * 99_999 + b"\n" + data,
    "zeros": lambda data: bytes(len(data)),
    "cut off in its first line": lambda data: data[: data.index(b"\n") // 2],
    "no more than a line end": lambda data: b"\n",
}  # fmt: skip


@few(2)
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_file_of_a_side_is_set_aside_and_keeps_nobody_out(table: Table, tmp_path: Path, damage: str) -> None:
    table.tap("russian", "1/1 -4")
    before = looks(table, "umpire", "central-powers")
    [kept] = tmp_path.glob("sides/russian/*.own")
    data = DAMAGES[damage](kept.read_bytes())
    kept.write_bytes(data)
    anew = Table(tmp_path)
    assert looks(anew, "umpire", "central-powers") == before
    assert anew.on_map("russian") == table.on_map("russian")
    [aside] = tmp_path.glob("sides/russian/*.damaged-1")
    assert aside.read_bytes() == data
    [remark] = anew.whole.shared.remarks
    assert "Russian" in remark and str(aside) in remark
    for line in ("25/3 -1", "1/1 -3", "2/1 -1"):
        assert anew.tap("russian", line, tap=f"{line} anew")["refused"] is None
    again = Table(tmp_path)
    assert not again.whole.shared.remarks
    assert looks(again) == looks(anew)
    assert again.facts("russian", "1/1")["lost"] == "3"


def make_unreadable(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a folder in the place of a file."""
    file.unlink(missing_ok=True)
    file.mkdir()


def damage_on_full_disk(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage the last line of a file, and let nothing be written beside it."""

    def fail(*_: Any, **__: Any) -> Any:
        raise InputError("no space left", where=Where(str(file)))

    file.write_bytes(file.read_bytes()[:-3] + b"\xff\n")
    monkeypatch.setattr(disk, "write_whole", fail)


@few(1)
@pytest.mark.parametrize("harm", [make_unreadable, damage_on_full_disk])
@pytest.mark.parametrize("starts_anew", [False, True])
def test_file_that_cannot_be_used_stops_the_lines_of_its_side_alone(
    table: Table,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    harm: Callable[[Path, pytest.MonkeyPatch], None],
    starts_anew: bool,
) -> None:
    table.tap("russian", "1/1 -4")
    table.tap("russian", "1/1 -3")
    [kept] = tmp_path.glob("sides/russian/*.own")
    data = kept.read_bytes()
    with monkeypatch.context() as patch:
        harm(kept, patch)
        if starts_anew:
            table = Table(tmp_path)
        answers: list[Any] = [table.send(who, "look") for who in table.seats]
        answers += [table.tap(who, "35/17 cel=-1", tap=f"{who} {table.taps}") for who in ("umpire", "central-powers")]
        assert [(answer["is"], answer["refused"]) for answer in answers] == [("table", None)] * len(answers)
        refused = table.tap("russian", "25/3 -1", tap="refused")["refused"]
        assert refused["what"].startswith("this is not entered") and str(tmp_path) not in str(refused)
        assert "lost" not in table.facts("umpire", "25/3")
        [remark] = table.whole.shared.remarks
        assert remark.startswith("Russian") and str(kept) in remark
    if kept.is_dir():
        kept.rmdir()
    kept.write_bytes(data)
    assert table.facts("russian", "1/1")["lost"] == "3"
    assert table.tap("russian", "25/3 -1", tap="refused")["refused"] is None
    assert table.facts("umpire", "25/3")["lost"] == "1"


@pytest.mark.parametrize("is_removed", [False, True])
def test_harm_to_the_file_of_a_side_is_said_while_the_table_is_served(
    table: Table, tmp_path: Path, is_removed: bool
) -> None:
    said = list[str]()
    table.whole.shared.say = said.append
    table.tap("russian", "1/1 -4")
    [kept] = tmp_path.glob("sides/russian/*.own")
    if is_removed:
        kept.unlink()
    else:
        kept.write_bytes(b"\xff" + kept.read_bytes())
    assert "lost" not in table.facts("russian", "1/1")
    assert table.tap("russian", "25/3 -1")["refused"] is None
    [remark] = said
    assert remark.startswith("Russian") and "is lost" in remark and str(kept) in remark


@pytest.mark.parametrize("left", [b"", b"{", b'{"tap"', b"\0" * 40])
def test_line_of_a_side_that_was_cut_off_is_no_line_and_the_next_one_stands_in_its_place(
    table: Table, tmp_path: Path, left: bytes
) -> None:
    table.tap("russian", "1/1 -4")
    [kept] = tmp_path.glob("sides/russian/*.own")
    kept.write_bytes(kept.read_bytes() + left)
    anew = Table(tmp_path)
    assert anew.facts("russian", "1/1")["lost"] == "4"
    assert anew.tap("russian", "1/1 -3", tap="new")["refused"] is None
    again = Table(tmp_path)
    assert again.facts("russian", "1/1")["lost"] == "3"
    assert not again.whole.shared.remarks
    again.tap("russian", "undo", tap="undo")
    assert again.facts("russian", "1/1")["lost"] == "4"


def test_lost_file_of_a_side_takes_only_what_was_its_own(table: Table, tmp_path: Path) -> None:
    table.tap("russian", "1/1 -4")
    [kept] = tmp_path.glob("sides/russian/*.own")
    kept.unlink()
    anew = Table(tmp_path)
    assert anew.on_map("russian") == table.on_map("russian")
    assert "lost" not in anew.facts("russian", "1/1")


def test_what_superseded_a_belief_brings_it_back_when_it_is_undone(table: Table) -> None:
    table.tap("russian", "1/1 -4")
    table.tap("russian", "4219: german infantry XX g1 (1-1-1-1)")
    table.tap("central-powers", "4220: german infantry XX g1 (2-2-2-2)")
    assert table.units("russian")["g1"] == "42.20"
    table.tap("central-powers", "undo")
    assert "g1" not in table.units("central-powers")
    assert table.units("russian")["g1"] == "42.19"


class Killed(BaseException):
    """The end of the process."""


@pytest.mark.parametrize("line", ["25/3 -1", "4119 rough 1/1 -4", COMBAT, "undo"])
def test_line_of_a_side_counts_once_if_the_laptop_dies_before_all_can_see_it(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    def die(*_: object) -> None:
        raise Killed

    before = looks(table)
    with monkeypatch.context() as patch:
        patch.setattr(sides, "enter_statement", die)
        with pytest.raises(Killed):
            table.send("russian", "enter", line=line, tap="killed")
    table = Table(tmp_path)
    assert looks(table) == before
    said = [table.send("russian", "enter", line=line, tap="killed")["said"] for _ in range(2)]
    assert said[0] != ["entered already"] == said[1]
    assert looks(table) != before
    assert looks(Table(tmp_path)) == looks(table)


def test_combat_that_was_opened_before_the_table_is_served_is_on_every_table(table: Table, tmp_path: Path) -> None:
    Tables(tmp_path).desk("front").books.enter(COMBAT)
    for seats in (table, Table(tmp_path)):
        assert {seats.send(who, "look")["combat"]["target"] for who in seats.seats} == {"41.19"}


def test_combat_that_a_side_opens_is_one_entry_with_its_tap_and_closed_for_all_by_its_undo(table: Table) -> None:
    before = table.whole.shared.whole.books.journal.last
    table.tap("russian", COMBAT)
    assert table.send("umpire", "look")["combat"]["target"] == "41.19"
    journal = table.whole.shared.whole.books.journal
    new = journal.entries[before:]
    assert new[-1].tap and all(entry.more for entry in new[:-1])
    table.tap("russian", "undo")
    assert {who: table.send(who, "look")["combat"] for who in table.seats} == dict.fromkeys(table.seats)


def test_wish_to_undo_outlasts_a_restart(wishing: Table, tmp_path: Path) -> None:
    anew = Table(tmp_path)
    assert looks(anew) == looks(wishing)
    agreed = anew.tap("russian", anew.send("russian", "look")["agrees"], tap="agree")
    assert agreed["said"][0].startswith("undone: ")
    assert "2/1" not in anew.on_map("umpire")


def test_laptop_that_agrees_twice_by_one_tap_agrees_once(table: Table) -> None:
    for line in ("4419 2/1 12-16-7-11", "4420 2/1"):
        table.tap("central-powers", line)
    table.tap("umpire", "2/1 12-9-7-11")
    for _ in range(2):
        table.tap("central-powers", "undo", sure=True)
    said = [table.send("umpire", "enter", line="undo together", tap="agree")["said"] for _ in range(2)]
    assert said[0][0].startswith("undone: ") and said[1] == ["entered already"]


def test_nothing_that_is_hidden_from_a_side_is_in_its_file(table: Table, tmp_path: Path) -> None:
    table.tap("umpire", f"{COMBAT} withhold=35/17")
    for line in ("25/3 -1", "1/1 -4", "zones", "4119 clear", "undo", "crt=7", "4219 1/1", "need at=41.19"):
        table.tap("russian", line, sure=True)
        table.tap("central-powers", "35/17 cel=-2")
    [kept] = (tmp_path / "sides" / "russian").glob("front*")
    assert kept.suffix == ".own"
    assert b"1/1" in kept.read_bytes() and b"35/17" not in kept.read_bytes()


def test_what_others_have_undone_is_told_as_it_happened(table: Table) -> None:
    table.tap("central-powers", "4420: german infantry XX g1 (1-1-1-1)")
    table.tap("central-powers", "undo")
    texts = [entry["text"] for entry in table.send("russian", "look")["entries"]]
    assert texts[1].startswith("44.20: german infantry XX g1") and texts[0] == "44.20: no units"


def test_belief_about_a_unit_that_is_not_there_says_nothing(table: Table) -> None:
    table.tap("russian", "1/1 -4")
    table.tap("central-powers", "4119 35/17 1/1")  # below another one it is not seen
    assert "1/1" not in table.units("russian")
    assert all(unit["id"] != "1/1" for unit in table.send("russian", "look")["units"])
    table.tap("central-powers", "4119 1/1 35/17")
    assert table.facts("russian", "1/1")["lost"] == "4"


def test_private_question_stays_where_the_shared_combat_of_before_is_undone(table: Table) -> None:
    table.tap("russian", "zones")
    table.tap("umpire", COMBAT)
    assert table.send("russian", "look")["answer"]["question"] == "battle"
    table.tap("umpire", "undo")
    assert table.send("russian", "look")["answer"]["question"] == "zones"
    assert table.send("central-powers", "look")["answer"] is None


OLD_SIDES = Path(__file__).parent / "old_sides"
"""A table as it was kept before: the Russian believes two things, has undone one line, and asks a question; after it was served last, the
laptop has entered two lines of which the Russian sees one.
"""


def test_table_with_the_files_of_sides_as_they_were_kept_before_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    copytree(OLD_SIDES, folder)
    anew = Table(folder)
    assert anew.units("russian") == {
        **{"25/3": "40.20", "27/3": "40.20", "1/1": "41.19", "2/1": "42.20", "99/9": "43.19"},
        "r9": "40.23",  # which the Russian has not heard of yet
    }
    assert "99/9" not in anew.units("central-powers")
    assert anew.facts("russian", "1/1")["lost"] == "4"
    assert anew.facts("umpire", "1/1")["lost"] == "2"
    look = anew.send("russian", "look")
    assert (look["answer"]["question"], look["undo"]) == ("need", "need at 41.19")
    assert "1/1 -4" in [entry["text"] for entry in look["entries"]]
    assert {file.suffix for file in folder.rglob("sides/*/front*")} == {".own"}
    assert looks(Table(folder)) == looks(anew)
    for tap in ("d", "f", "g"):  # of a guess, of a line that was undone, and of the undo
        assert anew.send("russian", "enter", line="25/3 -1", tap=tap)["said"] == ["entered already"]
    undone = [anew.tap("russian", "undo")["said"] for _ in range(4)]
    assert undone[:3] == [
        ["undone: need at 41.19"],
        ["undone: 43.19: german infantry? XX? 99/9 (9-9-9-9)"],
        ["undone: 1/1 -4"],
    ]
    assert "25/3" not in anew.units("umpire")
    assert anew.on_map("russian") == {"1/1": "41.19", "2/1": "42.20", "r9": "40.23"}


@pytest.mark.parametrize("file", ["front.journal", "front.side.json"])
@pytest.mark.parametrize("damage", [b"", b"\xff", b"[]"])
def test_damaged_file_of_a_side_as_it_was_kept_before_keeps_nobody_out(
    tmp_path: Path, file: str, damage: bytes
) -> None:
    folder = tmp_path / "old"
    copytree(OLD_SIDES, folder)
    (folder / "sides" / "russian" / file).write_bytes(damage)
    anew = Table(folder)
    assert {anew.send(who, "look")["is"] for who in anew.seats} == {"table"}
    kept = {path.name: path.read_bytes() for path in (folder / "sides" / "russian").iterdir()}
    assert kept[f"{file}.damaged-1"] == damage
    others = {"front.journal", "front.side.json"} - {file}
    assert all(kept[f"{name}.damaged-1"] == (OLD_SIDES / "sides" / "russian" / name).read_bytes() for name in others)
    assert b"" not in [data for name, data in kept.items() if name.endswith(".own")]
    [remark] = anew.whole.shared.remarks
    assert remark.startswith("Russian") and f"{file}.damaged-1" in remark
    assert not Table(folder).whole.shared.remarks
    on_map = anew.on_map("russian")
    on_map.pop("99/9", None)
    assert on_map == {"25/3": "40.20", "27/3": "40.20", "1/1": "41.19", "2/1": "42.20", "r9": "40.23"}


def test_files_as_they_were_kept_before_beside_a_new_one_are_not_deleted_unread(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    copytree(OLD_SIDES, folder)
    side = folder / "sides" / "russian"
    before = {path.name: path.read_bytes() for path in side.iterdir()}
    own_lines.OwnFile(side / "front.own", print).add(own_lines.OwnLine("tap"))
    assert len(Table(folder).whole.shared.remarks) == 1
    assert {name: (side / f"{name}.damaged-1").read_bytes() for name in before} == before


def test_change_of_the_journal_by_another_program_reaches_the_sides(table: Table, tmp_path: Path) -> None:
    other = Tables(tmp_path)
    other.desk("front").books.enter("3920 29/20")
    assert table.units("russian")["29/20"] == "39.20"
    assert table.units("central-powers")["29/20"] == "39.20"


def test_side_opens_no_other_table(table: Table) -> None:
    assert table.send("russian", "look", table="front-2")["is"] == "refused"
    assert table.send("russian", "begin", table="front-2", game=GAME)["is"] == "refused"


@pytest.mark.usefixtures("own_data")
@pytest.mark.parametrize("line", ["keep", "k", "charts", "ch"])
def test_no_line_of_a_side_writes_the_owners_pack(table: Table, line: str) -> None:
    assert "writes the owner's pack" in table.tap("russian", line)["refused"]["what"]
    assert "the owner's pack" not in str(table.tap("umpire", line)["refused"])


@thorough
def test_a_tap_asks_the_combat_once_at_each_table_and_nothing_where_none_is_open(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, look = Counter[str](), table_module._evaluate

    def counted(position: Position, chosen: Mapping[FactKey, str]) -> table_module.ShownAnswer:
        asked[position.state.seen_by] += 1
        return look(position, chosen)

    monkeypatch.setattr(table_module, "_evaluate", counted)
    with using(AtHand(16)):
        for who in ("umpire", "russian", "central-powers"):
            table.tap(who, "4022 clear")
        assert not asked
        table.tap("umpire", COMBAT)
        table.send("russian", "look")
        assert asked == {"": 1, "russian": 1, "central-powers": 1}
        for line in ("25/3 -1", "27/3 -1", "25/3 -2"):
            asked.clear()
            assert table.tap("russian", line)["refused"] is None
            for who in table.seats:
                table.send(who, "look")
            assert max(asked.values()) <= 2, "the answers before and after the line"
            assert asked["central-powers"] <= 1
        asked.clear()
        for who in table.seats:
            table.send(who, "look")
        assert not asked

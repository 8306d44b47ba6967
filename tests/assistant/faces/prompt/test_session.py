"""A session at the table: what lines say back, what stays, what is undone, and how many keys it takes."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from pathlib import Path

import msgspec
import pytest

from assistant.faces.prompt import commands, desk
from assistant.faces.prompt import session as session_module
from assistant.faces.prompt import table as table_module
from assistant.faces.prompt.answer_text import _count_whole_steps
from assistant.faces.prompt.files import TableFile
from assistant.faces.prompt.help_text import format_topic, list_topics_of
from assistant.faces.prompt.line_reading import format_stated_again
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.game.gamefile import ClassicCombat
from assistant.game.games import Game
from assistant.game.pack_charts import list_keys
from assistant.game.printed_charts import grids_of
from assistant.game.states import build_state
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game, named_game, pack_of
from assistant.mechanics.procedure import Dice
from assistant.util.errors import InputError
from module_builder.new import new_game

from ....cases import few, thorough
from ....conftest import GAME, typed

EXAMPLE = "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019o 29/20 = -3"
"""The battle of the comprehensive example, as a player types it who has told nothing yet."""
KNOWN = "4119 1/1 <4020 25/3 27/3 4019 29/20 -3"
"""The same when the units and the ground are known."""
DICE = ["7", "3 4", "3", "12", "5", "6", "4"]
"""Its dice: the combat, both losses, who loses, the checks in 40.20, 40.19 and 41.19, and the hex to which 27/3 retreats."""
AS_PRINTED = "25/3 and 27/3 failed the Effectiveness Check. 27/3 retreats 1 hex."


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def session(twilight: Game, data: Path) -> Session:
    return Session(TableState(Position(twilight, build_state(twilight))), 200, TableFile(data / "table.json"))


@pytest.fixture
def heath(data: Path) -> Session:
    """A table of a game of data alone."""
    new_game(data / "heath")
    game = named_game(str(data / "heath"))
    return Session(TableState(Position(game, build_state(game))), 200, TableFile(data / "table.json"))


def enter(session: Session, *lines: str) -> str:
    """What the last of these lines says back."""
    said: list[str] = []
    for line in lines:
        said = session.enter(line)
    return "\n".join(said)


DRAWN_RIVER = (
    "board east", "turn=1", "chart terrain-shift minor-river = -1", "41.20: 25/3 (10-10-5-10), 27/3 (10-10-5-10)", "42.21: 1/1 (16-16-7-11)"
)  # fmt: skip
"""A battle across a river that only the board shows."""


def test_no_usual_value_takes_the_place_of_what_a_board_shows(session: Session) -> None:
    said = enter(session, *DRAWN_RIVER, "4221 < 4120")
    assert "column 1:2 (" in said
    assert said.splitlines()[-2] == "assumed: ?1 AP of the attacker: all, ?2 AP of the defender: all", (
        "neither `open` nor `clear`, which the board knows"
    )


def test_what_cannot_be_weighed_with_the_usual_is_asked_for(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    enter(session, "turn=1", "41.19 clear: 1/1 (1-16-7-11)", "40.20: 25/3 (10-1-5-10)")
    monkeypatch.setenv("FIELD_STAFF_LIMIT_DOUBTS", "1")
    asked = "battle at=41.19 attacker-ap=none defender-ap=none"
    assert "= undecided: 1 fact is missing" in enter(session, asked), "as a file says it"
    assert not session.fault and session.shown and session.shown.assumed == ()
    monkeypatch.undo()
    assert "assumed: ?1 40.20|41.19 open" in enter(session, "turn=2")


def test_the_comprehensive_example_line_by_line(session: Session) -> None:
    before = enter(session, "t=1", EXAMPLE)
    said = before.replace("\n  ", " ", 1).splitlines()
    assert said[1:] == [
        "= 25/3, 27/3 and 29/20 against 1/1 at 41.19: column 1:1 (42 against 23 is 2:1, shifted \u22121 for attackers of 2 corps or independent stacks), Large. 16 more strength points would gain a column (3:1 before shifts).",
        "assumed: ?1 AP of the attacker: all, ?2 AP of the defender: all",
        "  (`why` shows the working, each step with its rule)",
    ], "two lines say it, and `why` the rest"
    assert "4.4.1    42:23 rounds to 2:1" in enter(session, "why")
    assert session.prompt == "Combat Results Table, summer, 1:1 (2d6)> "
    after = enter(session, *DICE).splitlines()
    assert "27/3 retreats 1 hex. The defender holds 41.19." in " ".join(after)
    assert "- 27/3 is 2 levels below its full Combat Effectiveness [11.3.2]" in after
    assert after[-1] == "`done` carries it out"


def test_what_is_assumed_alike_of_several_is_said_once(session: Session) -> None:
    said = enter(session, "t=1", "4119c 36/17 10-6-5-11 35/17 10-6-5-11 < 4020o 25/3 10-10-5-10")
    assert "; ?6 36/17, ?7 35/17 XX " in said


def test_only_what_is_new_is_said(session: Session) -> None:
    enter(session, "t=1", EXAMPLE)
    said = enter(session, "29/20 -4")
    assert "(41 against 23 is 2:1, shifted \u22121 for attackers of 2 corps or independent stacks)" in said
    assert "Magnitude" not in said and "Rulings" not in said
    why = enter(session, "why")
    assert "29/20 in 40.19: 10 less 4 lost is 6" in why and "25/3 in 40.20" in why


def test_the_same_but_without_a_unit_and_undo(session: Session) -> None:
    whole = enter(session, "t=1", EXAMPLE, "why").partition("\n= ")[2]
    without = enter(session, "-27/3")
    assert "column 1:2 (" in without
    assert "defender: 23 in all" not in without
    assert enter(session, "undo").splitlines()[0] == "undone: `battle withhold=27/3`"
    assert session.table.asked and "withhold" not in session.table.asked.parameters
    assert whole in enter(session, "why")
    assert enter(session, "u", "u", "u") == "! there is nothing to undo"


@pytest.mark.parametrize(
    ("line", "undone"),
    [
        ("2+5", "2+5 for Combat Results Table, summer, 1:1"),
        ("?2", "AP of the defender: none"),
        ("off 29/20", "off 29/20"),
        ("new/y", "new"),
        ("4019 27/3/y", "40.19: 27/3"),
        (EXAMPLE.replace("12-16", "12-17"), "4119c 1/1 12-17-7-11 <4020o 25/3 10--5-10 27/3 = 4019o ..."),
    ],
)
def test_undo_says_what_it_undoes(session: Session, data: Path, line: str, undone: str) -> None:
    """The line, or what it has stated, in few words; in the next session too."""
    enter(session, "t=1", EXAMPLE)
    for part in line.split("/y"):
        enter(session, part or "y")
    file = TableFile(data / "table.json")
    again = Session(file.read(load_game) or session.table, 200, file, before=file.before)
    for one in (session, again):
        assert f"undone: `{undone}`" in enter(one, "undo").splitlines()


def test_undo_after_a_line_that_was_refused_says_that_it_takes_the_one_before(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "29/20 -4", "29/20 -55")
    assert enter(session, "undo").splitlines()[:2] == [
        "undone: `29/20 -4`",
        "  not `29/20 -55`, which had changed nothing",
    ]
    assert "had changed nothing" not in enter(session, "undo")
    enter(session, "t=2", EXAMPLE, "t=3", "4019 25/3")
    assert session.held
    assert enter(session, "undo").splitlines()[:2] == ["`4019 25/3` has changed nothing", "undone: `turn=3`"]


def test_a_question_that_changes_nothing_is_no_step_for_undo(session: Session, data: Path) -> None:
    enter(session, "t=2", "2122: 25/3", "help")
    enter(session, "t=3", "turn", "turn whole=yes")
    file = TableFile(data / "table.json")
    again = Session(file.read(load_game) or session.table, 200, file, before=file.before)
    since = "  with what was asked since then and had changed nothing: `turn`, `turn whole=yes`"
    for at_table in (session, again):
        assert f"undone: `turn=3`\n{since}" in enter(at_table, "undo")
    assert session.table.position.state.value("turn") == 2 and session.table.asked is None
    assert enter(session, "undo").splitlines()[0] == "undone: `21.22: 25/3`"


def test_a_question_that_waits_and_one_after_an_answer_to_carry_out_are_steps_for_undo(session: Session) -> None:
    enter(session, "t=2", "next")
    assert session.pending
    assert enter(session, "undo").splitlines()[0] == "undone: `next`"
    enter(session, "phase=post-combat", "phasing=central-powers", "next")
    assert session.shown and session.shown.report.changes
    enter(session, "turn")
    assert enter(session, "undo").splitlines()[0] == "undone: `turn`"
    assert session.shown.report.changes, "undo goes back to what can be carried out"


def test_dice_count_no_longer_when_other_units_fight(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "7")
    said = enter(session, "4020 25/3", "y")  # 27/3 stood there too
    changed = "the units in this combat have changed: its dice no longer count"
    assert said.splitlines()[0] == f"read: off the map: 27/3, from 40.20; {changed}; 40.20: 25/3"
    assert session.prompt.startswith("Combat Results Table") and not session.table.position.answers
    enter(session, "undo")
    assert session.table.position.answers == {"crt": "7"}
    enter(session, "4218 27/3", "y")
    assert not session.table.position.answers
    enter(session, "7", "< 4218", "y")
    assert not session.table.position.answers


def test_dice_count_while_facts_change(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "7", "29/20 -4", "y", "4317 3/3", "-27/3", "y")
    assert not session.held and session.table.position.answers == {"crt": "7"}


def test_a_combat_is_closed_when_its_defender_is_moved_away(heath: Session) -> None:
    said = enter(heath, "0504 11th < 0403 1st Battery", "4", "0505 11th")
    assert (
        said
        == "read: moved: 11th from 0504; 0505: 11th\nclosed: Combat: 1st, Battery against 11th (at: no units in 0504)"
    )
    assert heath.table.asked is None and heath.prompt == "> "
    assert heath.table.position.state.units["11th"].place == "0505"
    enter(heath, "undo")
    assert heath.table.asked and heath.table.position.answers == {"roll": "4"}
    assert enter(heath, "off 11th").splitlines()[0] == "read: off the map: 11th, from 0504; off 11th"
    assert enter(heath, "0505 11th < 0401 1st").startswith("! from: 0401 is not adjacent to 0505")


BATTLE = ("t=1", EXAMPLE)
"""The battle with its units and ground."""
LACKING = ("t=1", "4119c 1/1 -16-7-11 < 4020o 25/3 10--5-10")
"""The same, but the steps of 1/1 are not known."""
AT_LOSSES = (*BATTLE, "7", "3 4")
"""The same when the attacker chooses who loses."""
NAMED = ("t=1", '4019: "German 1 c"', '2122: "Russian 1 c", "2 gdc"')
"""Units whose names have a space."""
NO_WHOLE_NAME = "! '1 c' is not the whole name of a unit\n  nearest known:"
OFF_THE_MAP = "! '20train' is not the whole name of a unit\n  nearest known:"
SAME_NAME = "! '1 c' is not the whole name of a unit\n  did you mean German 1 c or Russian 1 c?"


@pytest.mark.parametrize(
    ("before", "line", "says"),
    [
        ((), "trun=3", "! a line cannot begin with 'trun=3'\n  nearest known: turn="),
        ((), "?7", "! there is no assumption ?7"),
        ((), "why", "! no question has been asked yet\n  type a combat, or `help`"),
        ((), "-1/1 +1/1", "! no question has been asked yet\n  type a combat first: HEX UNIT ... < HEX UNIT ..., the"),
        ((), "charts", "! no question has been asked yet\n  type a combat first"),
        ((), "off", "! off needs a unit\n  off UNIT ... takes units off the map"),
        ((), "1/1 12-16-7-11 cel=-2 lots", "! 'lots' is not a unit or a fact about one\n  nearest known: Lötzen"),
        ((), "40.20: 1/1, 25/3", "! 40.20 holds units of different sides: 1/1 and 25/3\n  enemies never share a place"),
        ((), "ask battle at=NaN", "! at: 'NaN' is not a hex number\n"),
        ((), "ask batle at=4119", "! unknown question 'batle'\n  nearest known: battle"),
        ((), f"game {GAME}", f"! the game is already {GAME}\n  leave out this line"),
        ((), "game heath", f"! the game is already {GAME}\n  leave out this line"),
        ((), "4119 1/1 < 4020- swamp", "! '4020-' is not a hex"),
        *(((), f'4119 german infantry XX "3{sign}Train"', "! this is not a line of text\n") for sign in "\0\u2028\x0b"),
        ((), "battle at=4119 at=4120", "! at is given twice\n  leave out one of the two"),
        ((), "4119 1/1 < 4020 25/3 shift=1 shift=2", "! shift is given twice\n  leave out one of the two"),
        ((), "4119 1/1 shift=1 < 4020 25/3 shift=2", "! shift is given twice"),
        ((), "4023=4022x", "! 'x' has no meaning after a hex\n  after a hex: c clear, r rough"),
        ((), "4023=4021", "! 40.23 and 40.21 are not adjacent"),
        ((), "4023=4022 25/4", "! unknown unit '25/4'"),
        ((), "4023=4022 rouhg", "! 'rouhg' is not a hex number"),
        ((), "4023=4022 4021", "! 40.21 is linked to no other hex"),
        ((), "4023=402", "! '4023=402' is not"),
        (("4023 3train",), "4023 3train in", "! 'in' is not a unit or a fact about one"),
        (("retreat",), "charts", "! no chart has been read yet\n  answer this first: at=<the hex that the stack leaves>"),
        (("4119 1/1", "retreat 4119"), "zwo", "! hexes: 'zwo' is not allowed\n  allowed: a whole number"),
        (("t=1", "recover 25/3"), "activ=russian", "! a line cannot begin with 'activ=russian'\n  a line begins with a"),
        (("25/3 10--5-10",), "25/3 -20", "! 25/3: steps lost (20) must be below steps printed (10)"),
        (("4020 25/3 27/3", "trust counters"), "27/3 -20", "! 27/3: steps lost (20) must be below"),
        (BATTLE, "hlep", "! 'hlep' is not understood\n  nearest command: help"),
        (BATTLE, "seventy", "! 'seventy' is not a roll\n  type the roll of 2d6 in figures: the total, or the dice joined by +"),
        (BATTLE, "flank", "! 'flank' on its own is not understood\n  write flanked=..."),
        (BATTLE, "4218 25/3; 27/3", "? did you mean `4218 25/3, 27/3`? (y or n)"),
        (BATTLE, "battle at=4119 from=4020, 4019", "! a list has a space in it\n  write no space after the comma"),
        *(
            (BATTLE, f"4119 1/1 < 4020 {slip} 25/3", f"! {slip!r} is not a unit or a fact about one\n  did you mean minor? put a new unit in quotes: \"{slip}\"")
            for slip in ("mnior", "minro")
        ),
        (BATTLE, "$ assistant table twilight", "! this line is not for the table\n  what follows a $ is typed in the terminal, without the $: `quit`"),
        (BATTLE, "before", "! there is no combat before this one"),
        (BATTLE, "13", "! crt"),
        (BATTLE, "retreat at=4020 hexes=1 cause=chek", "! cause: 'chek' is not allowed\n  allowed: crt, check, repulse"),
        (BATTLE, "< 4120", "! no unit stands in 41.20\n  type the units after the hex: < 41.20 UNIT ..."),
        (BATTLE, "<4120 ger 2/1 12-14-7-10", "! 2/1 in 41.20 is on the defender's side"),
        (BATTLE, f"{EXAMPLE} 4120o ger 2/1 12-14-7-10", "! 2/1 in 41.20 is on the defender's side"),
        *((BATTLE, line, "! ") for line in ("9" * 5000, "1 " + "9" * 5000, "9" * 5000 + "+1")),
        ((*BATTLE, "4018 28/20 10--5-10"), "-28/20", "! 28/20 is not in this combat"),
        ((*BATTLE, "7"), "3 9", "! slrt.defender"),
        *((AT_LOSSES, number, "! ") for number in ("1.2", ".1", "9.", "0", "99", "1.2.3")),
        (AT_LOSSES, "4", "! there is no option 4\n  options: 1 to 3"),
        (AT_LOSSES, "27/3", "! 1 unit is named, but 2 are needed\n  such as 25/3,27/3, or choose by number"),
        (AT_LOSSES, "27/3,25/3 29/20", "! 3 units are named, but 2 are needed\n"),
        ((*BATTLE, "6"), "4119w 1/1 12-16-7-11 < 4020m 25/3", "! 'm' may mean major-river or minor-river"),
        ((*BATTLE, "6"), "4119 1/1 < 402 25/3", "! '402' is not a hex"),
        ((*BATTLE, "6"), "25/3 rduced", "! 'rduced' is not a unit or a fact about one"),
        ((*BATTLE, "6"), "4119x", "! 'x' is not a fact about a hex"),
        ((*BATTLE, "6"), "25/3", "! attacker: '25' is not allowed"),
        ((*BATTLE, "6"), "bogus", "! 'bogus' is not a cell of chart crt"),
        (LACKING, "99", "! steps printed: 99 is not allowed\n  allowed: a whole number from 0 to 40"),
        (LACKING, "27/3 rduced", "! 'rduced' is not a unit or a fact about one"),
        (NAMED, "1 c", f"{NO_WHOLE_NAME} German 1 c, Russian 1 c"),
        (NAMED, "1 c > 4021", f"{NO_WHOLE_NAME} German 1 c, Russian 1 c"),
        (NAMED, "reach 1 c", SAME_NAME),
        (NAMED, "4218 1 c", SAME_NAME),
        (NAMED, "cavalry 25/3 enemy=1 c", f'{NO_WHOLE_NAME} enemy="German 1 c", enemy="Russian 1 c"'),
        (NAMED, "2nd GDC > 4021", "! '2nd' is not a unit on the map\n  nearest known: 2 gdc"),
        (NAMED, "cavalry 25/3 enemy=2 gdc", "! unit: 25/3 is in the roster, but not in this position"),
        (NAMED, "> 4021", "! no unit before the > of 4021\n  a move is"),
        (NAMED, "20train > 4021", f"{OFF_THE_MAP} German 20 Train, Russian 20 Train"),
        (NAMED, "20train range=5", "! '20train' is not the whole name of a unit\n  did you mean German 20 Train or Russian 20 Train?"),
        (NAMED, "off 20train", f"{OFF_THE_MAP} German 20 Train, Russian 20 Train"),
        (NAMED, "supply unit=20train", f"{OFF_THE_MAP} unit=\"German 20 Train\", unit=\"Russian 20 Train\""),
        (NAMED, "4023 20train", "! '20train' is not a unit or a fact about one\n  did you mean \"German 20 Train\" or \"Russian 20 Train\"?"),
        (NAMED, "help 20train", "! there is no help on '20train'\n  did you mean \"German 20 Train\" or \"Russian 20 Train\"?"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_says_why_and_changes_nothing(
    session: Session, before: tuple[str, ...], line: str, says: str
) -> None:
    enter(session, *before)
    table, pending = session.table, session.pending
    assert enter(session, line).startswith(says)
    assert (session.table, session.pending) == (table, pending)


def test_a_unit_on_the_map_is_meant_before_those_elsewhere(session: Session) -> None:
    enter(session, "t=1", '4019: "Russian 20 Train"')
    said = enter(session, "20train > 4021")
    assert "Russian 20 Train" in said and "German 20 Train" not in said


def test_many_facts_that_end_are_named_in_few_words(session: Session) -> None:
    units = [*map(str, ("25/3", "27/3", "29/20", "30/4", "40/4"))]
    enter(
        session,
        "t=1 phase=movement phasing=russian",
        *(f"{20 + number}22: {unit}" for number, unit in enumerate(units)),
    )
    enter(session, *(f"{unit} spent=march:1" for unit in units), *(f"{unit} passed=2122" for unit in units))
    said = enter(session, "phase=attack")
    assert "no longer in force: spent, passed of 25/3, 27/3, 29/20 and 2 more; phase=attack" in said


@pytest.mark.parametrize("copied", ["> turn=2", ">  turn=2", "> > turn=2"])
def test_a_prompt_copied_with_its_line_is_left_out(session: Session, copied: str) -> None:
    assert enter(session, copied) == "read: turn=2"
    assert "undone: `turn=2`" in enter(session, "undo")


def test_a_stack_is_no_dice(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "4218 25/3 27/3")
    assert session.table.position.state.units["27/3"].place == "42.18"
    enter(session, "undo", "7", "3, 4")
    assert dict(session.table.position.answers) == {"crt": "7", "slrt.attacker": "3", "slrt.defender": "4"}


@few(2)
@pytest.mark.parametrize("line", ["27/3 -1", "29/20 -3", "4020 -1 25/3 27/3", "4019 -1"])
def test_a_loss_that_its_owner_chooses_by_number_is_not_stated_as_an_older_loss(session: Session, line: str) -> None:
    said = enter(session, "t=1", EXAMPLE, "7", "3 4")
    assert said.splitlines()[-4:-1] == ["  1 25/3,27/3 (usual)", "  2 25/3,29/20", "  3 27/3,29/20"]
    before = session.table
    said = enter(session, line)
    assert said.startswith("! the line states earlier losses, of ") and "asked for now: 2 step losses of the" in said
    assert (
        "choose by number or by names, such as 25/3,27/3; earlier losses are changed before the dice are rolled" in said
    )
    assert session.table == before
    assert "cel=-1" in enter(session, "27/3 cel -1", "y"), "any other fact may be corrected"
    assert "read: 1/1 -2" in enter(session, "1/1 -2", "y"), "and the losses of whoever is not chosen from"
    assert "25/3 1, 29/20 1" in enter(session, "2")
    assert "column 1:1 (" in enter(session, EXAMPLE), "the battle may begin anew"


def test_two_rolls_are_answered_together_by_their_common_name(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "crt=2+5")
    assert enter(session, "slrt=3").startswith("! slrt: '3' is not 2 values")
    assert "2 steps due from the attacker" in enter(session, "slrt=3/4")
    assert "2 steps due from the attacker" in enter(session, "undo", "slrt.attacker=3")
    assert "Lost so far: 1/1 2." in enter(session, "slrt.defender=4")
    assert enter(session, "losses=25/3,27/3").startswith("read: losses=25/3,27/3\n")


def test_attacks_take_the_usual_ammunition_for_granted_as_a_battle_does(session: Session) -> None:
    enter(session, "t=3 phase=attack phasing=russian", "4119c 1/1 12-16-7-11", "4119|4020 open")
    said = enter(session, "4020 25/3 10-12-5-10 27/3 =", "attacks")
    assert "= 1 hex can be attacked, 41.19 best: 1:1 with 20 points" in said
    assert said.count("AP of the attacker") == 1
    assert said.endswith("assumed: ?1 AP of the attacker: all, ?2 AP of the defender: all")
    assert "20 points, 1:1" in enter(session, "?1"), "without that ammunition"
    assert "AP of the attacker" not in enter(session, "attacks ap=none")
    assert enter(session, "ap=all").startswith("read: attacks attacker-ap=all")


TRAIN = ("t=3", "4023 3train range=3 extended-range=6 supply=in")
ROAD = "4023:4022c:4021c:4020c 25/3"
BY_ROAD = "= 25/3 is In Supply from 3 Train, 3 hexes away."


def test_a_road_typed_with_the_sign_of_a_railway_is_questioned(session: Session) -> None:
    line = ROAD.replace(":", "-")
    assert enter(session, *TRAIN, line) == (
        f"? `-` is rail1, 0 hexes away from who is in 40.20; `:` is road; did you mean `{ROAD}` (n: as typed)? (y or n)"
    )
    assert BY_ROAD in enter(session, "y")
    assert "0 hexes away" in enter(session, "undo", line, "n")
    assert "did you mean" not in enter(session, line), "it is known now"


@pytest.mark.parametrize(
    "line",
    [
        ROAD,
        "4023=4022-4021-4020 25/3",
        "4023:4022c-4021c-4020c 25/3",
        "4023 -rail1- 4022 -rail1- 4021 -rail1- 4020 25/3",
        "4023-4022c-4021c-4020c",
    ],
)
def test_a_railway_that_must_be_meant_is_not_questioned(session: Session, line: str) -> None:
    assert "did you mean" not in enter(session, *TRAIN, line)


@pytest.mark.parametrize(
    ("line", "sign", "meant"),
    [
        ("4119c 1/1 < 4020- 25/3 27/3", "`-` (rail1)", "4119c 1/1 < 4020 25/3 27/3"),
        ("4119c 1/1 < 4020o 25/3 4019: 29/20", "`:` (road)", "4119c 1/1 < 4020o 25/3 4019 29/20"),
        ("4119c 1/1 <-4020 25/3", "`-` (rail1)", "4119c 1/1 < 4020 25/3"),
        ("4119- 1/1 < 4020~ 25/3", "`-` (rail1)", "4119 1/1 < 4020 major-river 25/3"),
        ("4119 1/1 < 40.20+ 25/3 ap=3", "`+` (bridge)", "4119 1/1 < 40.20 bridge 25/3 ap=3"),
    ],
)
def test_a_sign_beside_a_hex_of_a_combat_is_questioned(session: Session, line: str, sign: str, meant: str) -> None:
    said = f"? {sign} has no meaning beside a hex of a combat; did you mean `{meant}`? (y or n)"
    assert enter(session, "t=1", line) == said
    assert enter(session, "n") == "nothing has changed"
    assert "41.19" in enter(session, line, "y").splitlines()[0]
    assert session.table.combat


def test_what_was_supposed_of_a_unit_is_a_caution_once_a_battle(session: Session) -> None:
    line, caution = "4119c 1/1 12-16-7-11 <4020o 35/20 10-10-5-10", "arm, nation and size of 35/20 are as assumed"
    assert caution in enter(session, "t=1", line)
    for again in (line, line.replace("4020o", "4019o")):
        assert "! " not in enter(session, again), "but the verdict says what it rests on"
    assert caution in enter(session, "why")
    assert caution in enter(session, "4018c 1/1 <4019o 35/20"), "another battle"


def test_who_no_longer_attacks_is_said(session: Session) -> None:
    enter(session, "t=3", "4119c 1/1 12-16-7-11 <4020o 25/3 10-10-5-10 4021 27/3 9-9-5-10")
    said = enter(session, "4120 27/3").splitlines()[0]
    again = "27/3 no longer attacks 41.19; `<4120 27/3` adds it"
    assert said == f"read: moved: 27/3 from 40.21; {again}; 41.20: 27/3"
    enter(session, "<4120 27/3")
    assert "27/3 no longer attacks 41.19; 43.17: 27/3" in enter(session, "4317 27/3"), "too far away to be added"
    assert "no longer" not in enter(session, "4218 27/3")


def test_missing_facts_are_asked_for_one_by_one_and_kept(session: Session) -> None:
    enter(session, "t=1", "4119c 1/1 -16-7-11 < 4020o 25/3 10--5-10")
    assert session.prompt == "steps printed of 1/1 (a whole number from 0 to 40)> "
    assert "steps=12 (`keep` puts it in your pack)" in enter(session, "12")
    assert session.prompt.startswith("Combat Results Table")
    assert pack_of(load_game(GAME)).values() == {}, "a number at the wrong prompt stays out of the pack"
    enter(session, "keep")
    assert pack_of(load_game(GAME)).values()["1/1"]["steps"] == "12"
    assert enter(session, "undo").splitlines()[0] == "undone: `keep`, in your pack too"
    assert pack_of(load_game(GAME)).values() == {}
    assert session.table.position.state.value("steps", "1/1") == 12, "on the table it still counts"
    enter(session, "keep")
    pack_of(session.game).enter_all({("2/1", "steps"): "12"})
    said = "undone: `keep`; what was saved stays in your pack, which has changed since"
    assert enter(session, "undo").splitlines()[0] == said


def test_trust_alone_shows_what_stands_in_for_what(session: Session) -> None:
    enter(session, "trust charts")
    assert enter(session, "trust").splitlines() == [
        "map: the drawn map (`own map` changes it)",
        "charts: the made-up charts (`own charts` changes it)",
        "counters: your own counters (`trust counters` changes it)",
        "`trust all` takes all three, `trust own` none",
    ]


def test_a_chart_cell_is_asked_for_when_the_dice_need_it_and_kept(session: Session) -> None:
    told = "a cell typed here goes into your pack; `undo` takes it out again; `trust charts` takes made-up charts"
    assert told in enter(session, "t=1", EXAMPLE, "6"), "before it is typed"
    assert told not in enter(session, "why"), "once is enough"
    assert session.prompt == "Combat Results Table, summer 1:1 6 (attacker / defender)> "
    assert enter(session, "bogus").startswith("! 'bogus' is not a cell of chart crt")
    said = enter(session, "+1 / -")
    assert "saved in your pack: Combat Results Table, summer 1:1 6 +1 / -" in said
    assert "6 on 1:1: no retreat by the result." in said
    assert len(pack_of(load_game(GAME)).charts.cells("crt")) == 1


def test_a_cell_that_the_rulebook_contradicts_is_refused(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "charts")
    assert session.prompt == "Combat Results Table, summer 1:1, 2 to 6, 8 to 12 (attacker / defender)> "
    assert enter(session, "+9 / -").startswith("! ")
    assert enter(session, "") == ""
    assert session.prompt.startswith("Combat Results Table, summer, 1:1 (2d6)")


def test_the_prompt_for_a_lone_number_says_what_it_means_and_which_way_it_counts(session: Session) -> None:
    enter(session, "t=3", "4119r 1/1 12-16-7-11 < 4020mi 25/3 10-10-5-10")
    told = "odds columns, 0 to -4: negative to the left, for the defender"
    assert session.prompt == f"combat shifts on the Terrain Effects Chart, minor-river (shift: {told})> "
    assert all(line in enter(session, "1") for line in ("! shift: '1' is not allowed", told))
    assert not pack_of(load_game(GAME)).charts.cells("terrain-shift")
    assert "minor-river -1" in enter(session, "-1")


def test_the_cells_that_chances_need_are_typed_row_by_row(session: Session) -> None:
    row = "+2x = -2/+3w1 +1 = == -1/+1b1 = "
    assert "10 chart cells" not in enter(session, "t=1", EXAMPLE, "charts", "slip")
    assert enter(session, row).startswith("! 9 cells, but crt summer 1:1, 2 to 6, 8 to 12 has 10")
    said = enter(session, row.replace("==", "==="))
    assert "summer 1:1 4 -2 / +3 W1; summer 1:1 5 +1 / -" in said
    assert enter(session, "help").startswith("Step Loss Results Table, row by row")
    assert session.prompt.startswith("Step Loss Results Table, summer Large, 1 to 5, 7 to 11 (steps / ec)")
    assert enter(session, "back").splitlines()[0] == "back to Combat Results Table, summer 1:1 2"
    assert session.prompt == "Combat Results Table, summer 1:1, 2 to 6, 8 to 12 (attacker / defender)> "
    assert len(pack_of(load_game(GAME)).charts.cells("crt")) == 10


def summer_table(game: Game) -> list[str]:
    """The rows of the summer table as a spreadsheet gives them, without a title."""
    (grid, _) = grids_of(chart := game.chart("crt"), list_keys(chart))
    rows = [["", *grid.column_heads]]
    for row, head in enumerate(grid.row_heads):
        rows.append([head, *(chart.write_cell(chart.cells[grid.key(row, at)]) for at in range(len(grid.columns)))])
    return ["\t".join(row) for row in rows]


def test_a_whole_table_is_pasted_line_by_line_shown_and_kept_by_one_yes(session: Session, twilight: Game) -> None:
    enter(session, "t=1", EXAMPLE, "charts")
    lines = summer_table(twilight)
    assert enter(session, *lines) == "" and session.prompt == "| "
    shown = enter(session, "")
    assert "read as: rows are roll 2 to 12, by their headings" in shown
    assert shown.endswith("? save 99 cells; way 1 of 2 to read it, n shows the next? (y or n)")
    assert not pack_of(load_game(GAME)).charts.cells("crt")
    assert "season autumn, which nothing names" in enter(session, "n")
    assert enter(session, "n") == "nothing has changed"
    assert enter(session, "Summer", *lines, "").endswith("? save 99 cells? (y or n)")
    assert enter(session, "y").splitlines()[0] == "saved in your pack: Combat Results Table, 99 cells"
    assert len(pack_of(load_game(GAME)).charts.cells("crt")) == 99
    assert session.prompt.startswith("Step Loss Results Table, summer Large")
    assert enter(session, "undo").splitlines()[0].endswith(", in your pack too")
    assert not pack_of(load_game(GAME)).charts.cells("crt")


def test_a_table_that_is_none_is_refused_and_one_that_is_broken_off_dropped(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "charts")
    before = session.prompt
    assert enter(session, "1:4\t1:3", "x\ty", "").startswith("! this is not a table of crt")
    assert enter(session, "| 1:4 | 1:3 |", "| 2 | - |", ".") == "nothing has changed"
    assert session.prompt == before
    assert "40.20|41.19" not in session.gathered
    enter(session, "4020|4119 river=minor-river")
    assert not session.gathered, "the bar of a hexside begins no table"


def test_a_table_with_a_mistake_keeps_the_rest(session: Session, twilight: Game) -> None:
    lines = [line.replace("+1 / -", "+9 / -", 1) if line.startswith("12") else line for line in summer_table(twilight)]
    lines[3] = lines[3].replace("+1 / -", "+9 / -", 1)
    enter(session, "t=1", EXAMPLE, "charts")
    shown = enter(session, "Summer", *lines, "")
    assert "roll 4: attacker: '+9' is not allowed" in shown
    assert "save 98 cells, without what is wrong? (y or n)" in shown
    enter(session, "y")
    assert len(pack_of(load_game(GAME)).charts.cells("crt")) == 98


@thorough
def test_of_what_there_is_only_one_it_is_said_in_the_singular(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "charts", "+2x = -2/+3w1 +1 = === -1/+1b1 =", *["1/0"] * 9)
    assert enter(session, "", "charts").startswith("1 chart cell to type into your pack, row by row")
    assert "without 1 cell" in enter(session, "", "why")


def test_a_table_without_units_is_not_said_to_have_some(session: Session) -> None:
    said = "? empty the table, with facts but no units on it? (y or n)"
    assert enter(session, "t=1", "new") == said
    assert enter(session, "n", "4119 1/1", "new") == "? empty the table, with 1 unit on it? (y or n)"


def test_what_is_printed_is_kept_once_it_is_wished(session: Session, data: Path) -> None:
    assert enter(session, "t=1", EXAMPLE, "keep") == "16 facts saved in your pack"
    assert pack_of(load_game(GAME)).values()["1/1"] == {
        "steps": "12",
        "defence": "16",
        "artillery": "7",
        "effectiveness": "11",
    }
    assert ("", "41.19", "terrain") in pack_of(load_game(GAME)).ground()
    again = enter(session, "new", "t=1", KNOWN)
    assert "column 1:1 (" in again


def test_carried_out_on_the_table_and_in_the_journal(session: Session) -> None:
    said = enter(session, "t=1", EXAMPLE, *DICE, "done")
    assert said.startswith("carried out and entered in the journal: Battle at 41.19")
    state = session.table.position.state
    assert (state.value("lost", "29/20"), state.value("cel", "27/3")) == (4, -2)
    assert session.table.asked is None
    assert AS_PRINTED in " ".join(enter(session, "before").split()), "the one that was carried out"
    assert enter(session, "journal").startswith(
        "1. Battle at 41.19, attacked from 40.20, 40.19, GT 1: 25/3, 27/3 and 29/20 against 1/1 at 41.19: column 1:1"
    )
    assert enter(session, "done") == "! there is nothing to carry out"
    enter(session, "undo")
    assert enter(session, "journal") == "nothing has been carried out yet"


def test_a_session_goes_on_where_it_was_left(session: Session, data: Path) -> None:
    enter(session, "t=1", EXAMPLE, "?2", "7")
    kept = TableFile(data / "table.json").read(load_game)
    assert kept is not None
    again = Session(kept, 200)
    assert "= undecided: column 2:1, Large; chart cells missing" in "\n".join(again.begin())
    assert again.table.position.state == session.table.position.state
    assert again.prompt == session.prompt


def test_undo_and_the_battle_before_survive_a_restart(session: Session, data: Path) -> None:
    enter(session, "t=1", EXAMPLE, *DICE, "done", "t=2", KNOWN)
    file = TableFile(data / "table.json")
    table = file.read(load_game)
    assert table is not None
    again = Session(table, 200, file, before=file.before)
    again.begin()
    assert AS_PRINTED in " ".join(enter(again, "before").split())
    assert enter(again, "undo", "undo", "undo").splitlines()[0].startswith("undone: `done`: Battle at 41.19, ")
    assert again.prompt == "> "
    assert dict(again.table.position.answers) == dict(session.tables[-4].position.answers)
    assert AS_PRINTED in " ".join(enter(again, "why").split())
    assert again.table.done == () and len(session.table.done) == 1
    for _ in DICE:
        assert enter(again, "undo").startswith("undone")
    assert again.prompt == "Combat Results Table, summer, 1:1 (2d6)> "


def test_who_is_not_named_again_leaves_the_map_once_that_is_confirmed(session: Session) -> None:
    said = enter(session, "t=1", EXAMPLE, "4119 1/1 < 4020 25/3")
    assert (
        said == "? take off the map: 27/3 from 40.20 (`40.20 +UNIT` adds a unit instead)? (y or n)"
        and session.prompt == "y or n> "
    )
    assert enter(session, "n") == "nothing has changed"
    assert "27/3" in [unit.id for unit in session.table.position.state.stack("40.20")]
    assert enter(session, "4020 25/3", "turn=2").startswith("`4020 25/3` has changed nothing\nread: turn=2"), (
        "any other line is no yes"
    )
    assert enter(session, "4020 25/3", "trun=2").startswith("`4020 25/3` has changed nothing\n! a line cannot begin")
    assert enter(session, "4020 25/3", "") == "`4020 25/3` has changed nothing"
    assert "27/3" in [unit.id for unit in session.table.position.state.stack("40.20")]
    said = enter(session, "t=1", "4119 1/1 < 4020 25/3", "Y")
    assert said.splitlines()[0] == "read: off the map: 27/3, from 40.20; 41.19 1/1 < 40.20 25/3"
    assert "off the map: 29/20" not in said
    assert enter(session, "off 29/20").startswith("read: off the map: 29/20, from 40.19")


def test_before_units_leave_the_map_the_new_ones_are_named(session: Session) -> None:
    """So a slip in the name of a unit is seen before it counts."""
    enter(session, "t=1", EXAMPLE)
    said = "? take off the map: 27/3 from 40.20 (`40.20 +UNIT` adds a unit instead); not in the roster: 27/4 (russian infantry XX)? (y or n)"
    assert enter(session, "4020 25/3 27/4") == said
    assert enter(session, "n", "undo").splitlines()[1] == "  not `4020 25/3 27/4`, which had changed nothing"


def test_units_join_a_stack_and_leave_it(session: Session) -> None:
    """The others need not be named again."""

    def there() -> list[str]:
        return [unit.id for unit in session.table.position.state.stack("40.20")]

    enter(session, "t=1", EXAMPLE)
    assert there() == ["25/3", "27/3"]
    assert enter(session, "4020 -25/3").startswith("read: off the map: 25/3, from 40.20; 40.20: 27/3; off 25/3")
    enter(session, "4020 +25/3 -2 +ru cavalry 99/9 8--2-9")
    assert there() == ["27/3", "25/3", "99/9"]
    state = session.table.position.state
    assert [state.value("lost", "25/3"), state.value("arm", "99/9"), state.value("steps", "99/9")] == [2, "cavalry", 8]
    assert enter(session, "4020 -25/3 -27/3 -99/9").count("off the map") == 3 and there() == []
    enter(session, "undo", "< 4020 -99/9")
    assert there() == ["27/3", "25/3"], "in a combat too"
    for line, said in {
        "4020 -29/20": "29/20 is not in 40.20",
        "4020 +27/3": "27/3 is in 40.20 already",
        "4020 +29/20 28/20": "28/20 has no + or -",
    }.items():
        assert enter(session, line).startswith(f"! {said}")


def test_the_journal_outlasts_a_new_table_and_the_session(session: Session, data: Path) -> None:
    """What was carried out before the table was emptied is there again after `undo`, in the next session too."""
    enter(session, "t=1", EXAMPLE, *DICE, "done")
    before = enter(session, "journal")
    enter(session, "new", "y", "t=2")
    assert enter(session, "journal") == "nothing has been carried out yet"
    again = TableFile(data / "table.json")
    table = again.read(load_game)
    assert table
    later = Session(table, 200, again, before=again.before)
    enter(later, "undo", "undo")
    assert enter(later, "journal") == before


def test_the_position_can_be_saved_and_read_again(session: Session, data: Path) -> None:
    enter(session, "t=1", EXAMPLE, "7")
    assert enter(session, f"save {data / 'mine.pos'}") == f"written: {data / 'mine.pos'}"
    again = read_notation((data / "mine.pos").read_bytes(), "mine.pos", load_game)
    assert again.state == session.table.position.state
    assert "41.19: 1/1 (12-16-7-11)" in enter(session, "position")
    assert enter(session, "save") == "! a file needs a name\n  save NAME.pos"


def test_help_shows_what_the_game_has(session: Session) -> None:
    said = enter(session, "help combat")
    assert " < " in said and "steps-defence" in said and "show the whole working" in enter(session, "help table")
    line = said.splitlines()[0].strip().partition("    ")[0]
    assert not enter(session, line).startswith("!"), line


@pytest.mark.parametrize(
    ("dice", "typed_as"),
    [((2, 6), "7   2+5   3 4"), ((1, 6), "4"), ((1, 10), "6"), ((3, 6), "9   2+5+2   4 5"), ((2, 10), "7   2+5   3 4")],
)
def test_help_shows_dice_of_the_game(twilight: Game, dice: tuple[int, int], typed_as: str) -> None:
    module = twilight.file.module
    assert module is not None
    with_buttons = msgspec.structs.replace(module, dice=(dice, (1, 4)))
    table = ClassicCombat("attack", "defence", "down", "crt", dice)
    for changed in ({"module": with_buttons}, {"combat": table}):
        assert f"  {typed_as:<46}  the dice asked for" in helped(twilight, **changed)
    *single, several = typed_as.split("   ")
    assert all(Dice(*dice).read(roll) for roll in (*single, *several.split()))


def test_help_of_a_game_whose_dice_are_not_known(twilight: Game) -> None:
    assert f"  {'TOTAL':<46}  the dice asked for" in helped(twilight, module=None)


def helped(game: Game, **changed: object) -> str:
    """What help shows for a game whose file is changed."""
    other = copy(game)
    other.file = msgspec.structs.replace(game.file, **changed)
    return "\n".join(format_topic(list_topics_of(Position(other, build_state(game)), {})["dice"], 200))


def test_help_and_quit(session: Session) -> None:
    assert enter(session, "?") == enter(session, "help")
    enter(session, "q")
    assert session.is_over


def test_plain_notation_is_understood_too(session: Session) -> None:
    lines = """turn=1
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear: 1/1 (12-16-7-11)
41.19|40.19,40.20 open
ask battle at=41.19
answers crt=7"""
    said = enter(session, *lines.splitlines())
    assert "7 on 1:1: no retreat by the result." in said


def alternatives(session: Session) -> list[str]:
    return [one.words for one in (session.shown.assumed if session.shown else ())]


def numbers(session: Session) -> dict[str, int]:
    """The number of each assumption by its words."""
    return {one.words: one.number for one in (session.shown.assumed if session.shown else ())}


def test_the_number_of_an_assumption_stays_with_its_fact_as_long_as_the_combat_lasts(session: Session) -> None:
    enter(session, "t=1", "4119c 1/1 12-16-7-11 <4020 25/3 10--5-10 27/3 =")
    before = numbers(session)
    assert before == {"40.20|41.19 open": 1, "AP of the attacker: all": 2, "AP of the defender: all": 3}
    enter(session, "< 4019 29/20 10--5-10")
    assert numbers(session) == {**before, "40.19|41.19 open": 4}
    enter(session, "need 2:1", "battle", "4020|4119 open", "ap=3,20")
    assert numbers(session) == {"AP of the defender: all": 3, "40.19|41.19 open": 4}
    enter(session, "ap=all", "4218 2/1 12-16-7-11 < 4319 22/1 10--5-10")
    assert 1 in numbers(session).values(), "another combat numbers them anew"


def test_assumptions_are_chosen_by_number_by_name_and_in_turn(session: Session) -> None:
    enter(session, "t=1", "4119 1/1 12-16-7-11 <4020 25/3 10--5-10")
    number: Callable[[str], int] = lambda words: numbers(session)[words]  # noqa: E731
    enter(session, f"?{number('41.19 clear')} r")
    assert "41.19 rough" in alternatives(session)
    enter(session, f"?{number('AP of the attacker: all')}")
    assert "AP of the attacker: none" in alternatives(session)
    enter(session, f"?{number('AP of the attacker: none')}")
    assert "AP of the attacker: all" in alternatives(session)
    assert enter(session, f"?{number('41.19 rough')} swamp").startswith("! terrain: 'swamp' is not allowed")
    enter(session, f"?{number('40.20|41.19 open')}")
    assert "40.20|41.19 minor-river" in alternatives(session)
    enter(session, f"?{number('40.20|41.19 minor-river')} ri")
    assert "40.20|41.19 ridge" in alternatives(session)
    enter(session, "4119 c")
    assert not any(words.startswith("41.19 ") for words in alternatives(session))


def test_a_table_that_cannot_be_kept_is_said_and_play_goes_on(twilight: Game, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    session = Session(
        TableState(Position(twilight, build_state(twilight))), 100, TableFile(tmp_path / "file" / "table.json")
    )
    assert "! table not saved" in enter(session, "t=1")
    assert session.table.position.state.value("turn") == 1
    assert enter(session, "t=2").startswith("read: turn=2\n! table not saved"), "each line says so"
    session.enter(EXAMPLE)
    said = enter(session, *DICE, "done")
    assert "carried out, not saved: Battle at 41.19" in said and "entered in the journal" not in said


def test_a_parameter_that_was_chosen_holds_for_one_combat(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "?1")
    assert "AP of the attacker: none" in alternatives(session)
    enter(session, EXAMPLE)
    assert "AP of the attacker: none" in alternatives(session)
    enter(session, "4218 2/1 12-16-7-11 < 4319 22/1 10--5-10")
    assert "AP of the attacker: all" in alternatives(session)


def test_what_happened_in_a_phase_is_forgotten_in_the_next(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, *DICE, "done")
    again = "41.19 has already been attacked in this phase"
    assert again in enter(session, KNOWN)
    over = "read: no longer in force: retreated of 27/3, attacked of 41.19, fought of 25/3, fought of 27/3, fought of 29/20, fought of 1/1; turn=2"
    assert enter(session, "t=2").splitlines()[0] == over
    assert session.table.position.state.value("fought", "25/3") is None
    assert again not in enter(session, KNOWN)


def test_a_phase_that_is_stated_for_the_first_time_is_a_new_one_too(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, *DICE, "done")
    said = enter(session, "phase=counter-attack")
    assert said.startswith("read: no longer in force: retreated of 27/3, attacked of 41.19, fought of 25/3, fought of")
    assert "Not allowed" not in enter(session, "4019 < 4119")


@pytest.mark.parametrize("answer", ["3", "t=3"])
def test_the_phase_that_is_asked_for_is_the_present_one(session: Session, answer: str) -> None:
    """What has been stated of it stays in force."""
    enter(session, "4119c announced 1/1 12-16-7-11 < 4020o 25/3 10--5-10")
    assert session.prompt.startswith("game turn (")
    assert enter(session, answer).startswith("read: turn=3\n")
    assert session.table.position.state.value("announced", "41.19") is True


@pytest.fixture
def roster_without_nations(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a unit is has no usual value, as in a game whose roster does not list it."""
    monkeypatch.setattr(table_module, "_find_listed_identity", lambda *_: "")


@pytest.mark.usefixtures("roster_without_nations")
def test_a_choice_of_words_is_answered_by_first_letters_and_kept_in_full(session: Session) -> None:
    enter(session, "t=1", "4119c 2/1 12-16-7-11 <4020o 25/3 10--5-10")
    assert session.prompt == "nation of 2/1 (german / austro-hungarian / russian)> "
    assert enter(session, "g").splitlines()[0] == "read: 2/1 german (`keep` puts it in your pack)"
    enter(session, "keep")
    assert pack_of(load_game(GAME)).values()["2/1"]["nation"] == "german"


def test_an_empty_table_accepts_what_the_one_before_did(session: Session) -> None:
    enter(session, "trust charts counters", "t=3", EXAMPLE)
    kept = "an empty table, still `trust charts counters`; `undo` brings back the old one"
    assert enter(session, "new", "y") == kept
    assert "on average the attacker loses" in enter(session, "t=3", EXAMPLE)


def test_what_begins_an_answer_is_no_command(session: Session) -> None:
    """`n` would begin `new`, and empty the table."""
    enter(session, "t=5 campaign", EXAMPLE, "forced-march unit=25/3 points=3")
    assert session.prompt == "weather (normal / summer-heat)> "
    assert "41.7% chance to pass" in enter(session, "n")
    assert session.table.position.state.value("weather") == "normal"
    assert enter(session, "new", "y") == "an empty table; `undo` brings back the old one"


@pytest.mark.parametrize(
    ("lines", "asked", "answer", "read"),
    [
        pytest.param(
            ["4119 1/1 12-12-5-9 < 4020 25/3 10-10-5-10", "4119 ip=1"],
            "artillery class of 25/3",
            "n",
            "read: 25/3 artillery-class=none",
            id="none, which is no word of the fact",
        ),
        pytest.param(["attacks"], "side (", "c", "read: side=central-powers", id="a parameter"),
    ],
)
def test_the_letter_of_an_answer_is_no_command(
    session: Session, lines: list[str], asked: str, answer: str, read: str
) -> None:
    """`n` would empty the table, `c` ask for chart cells."""
    enter(session, "t=3", *lines)
    assert session.prompt.startswith(asked)
    assert enter(session, answer).startswith(read)


def test_what_was_kept_is_known_ever_after(session: Session) -> None:
    enter(session, "t=1", "4119c 1/1 -16-7-11 < 4020o 25/3 10--5-10", "12")
    assert enter(session, "keep").startswith("9 facts saved in your pack")
    assert "column 1:2 (15 against 23)" in enter(session, "new", "y", "t=1", "4119c 1/1 < 4020o 25/3 10--5-10")
    enter(session, "6", "+1 / -")
    assert enter(session, "u").splitlines()[0] == "undone: `+1 / -`, in your pack too"
    assert session.prompt == "Combat Results Table, summer 1:2 6 (attacker / defender)> ", "so that it can be corrected"
    assert "6 on 1:2: no retreat by the result." in enter(session, "+2 / -")


def test_a_row_of_which_one_cell_was_typed_is_asked_for_again(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "charts", "+1/-")
    rest = "Combat Results Table, summer 1:1, 3 to 6, 8 to 12 (attacker / defender)> "
    assert session.prompt == rest
    enter(session, "", "charts")
    assert session.prompt == rest
    assert enter(session, "x") == "! 'x' is not a cell of chart crt\n  a cell is: attacker / defender"


def test_a_cell_of_a_row_that_is_not_known_is_left_out_and_asked_for_again(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "charts")
    said = enter(session, "+2x ? -2/+3w1 +1 = === -1/+1b1 =")
    assert said.startswith("saved in your pack") and "?" not in said
    assert len(pack_of(load_game(GAME)).charts.cells("crt")) == 9
    enter(session, "", "charts")
    assert session.prompt == "Combat Results Table, summer 1:1 3 (attacker / defender)> "


def test_a_new_table_forgets_what_was_asked_for_and_nothing_is_over_on_it(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, *DICE, "done", "t=2", EXAMPLE, "charts")
    assert enter(session, "new", "y") == "an empty table; `undo` brings back the old one"
    assert session.prompt == "> "


def test_a_line_in_between_ends_the_asking_for_cells(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "charts", "-27/3")
    assert session.prompt == "Combat Results Table, summer, 1:2 (2d6)> "


def test_parameters_are_answered_as_they_are_typed_anywhere(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, *DICE, "done", "retreat")
    assert session.prompt == "at> "
    enter(session, "4020", "hexes=1", "cause=check units=25/3")
    assert "25/3: 40.20 to 40.21" in enter(session, "way=4021")
    enter(session, "done")
    assert session.table.position.state.units["25/3"].place == "40.21"
    assert enter(session, "retreat", "stack") == "\n".join(
        [
            "read: stack",
            "stack: what a hex holds, whether that is too much, and which unit lies on top",
            "= undecided: 1 fact is missing",
            "  at=<the hex>",
        ]
    )


UNSEEN = """turn=1
40.20: 25/3 (10-?-5-10)
41.19 clear unseen=central-powers: 1/1 (12-16-7-11)
41.19|40.20 open
ask battle at=41.19"""


def test_a_stack_that_is_named_holds_nobody_else_unseen(data: Path) -> None:
    session = Session(TableState(typed(UNSEEN)), 200)
    assert session.begin()[-2].startswith("  41.19: UNIT, ... as their owner names them")
    said = enter(session, "4119 1/1 <")
    assert said.splitlines()[0] == "read: no longer assumed: unseen units in 41.19; 41.19 1/1 <"
    assert session.prompt == "Combat Results Table, summer, 1:2 (2d6)> "


def test_whose_eyes_these_are_no_line_changes(twilight: Game, data: Path) -> None:
    session = Session(TableState(Position(twilight, reduce_state(twilight, typed(UNSEEN).state, "russian"))), 200)
    for line in ("4119 1/1 <", "t=2", "off 1/1", "new", EXAMPLE, "undo", "undo"):
        enter(session, line)
        assert session.table.position.state.seen_by == "russian"


def test_a_picture_of_the_table_by_its_ending(session: Session, data: Path) -> None:
    enter(session, "t=1", EXAMPLE)
    begins = {".svg": b"<svg", ".pdf": b"%PDF", ".png": b"\x89PNG"}
    for ending, first in begins.items():
        assert enter(session, f"picture {data}/table{ending}") == f"drawn: {data}/table{ending}"
        assert (data / f"table{ending}").read_bytes().startswith(first)
    assert enter(session, f"picture {data}/table.gif").startswith(f"! {data}/table.gif is not a picture file")
    assert enter(session, "picture").startswith("! a picture needs a file")
    (data / "mine.svg").write_text("mine")
    assert enter(session, f"picture {data}/mine.svg").startswith("! the file already exists")
    assert (data / "mine.svg").read_text() == "mine"


def test_an_answer_about_supply_is_drawn_with_its_line(session: Session, data: Path) -> None:
    enter(
        session,
        "t=1",
        '4023 "3 Train" range=5 extended-range=8',
        "4023=4022=4021:4020r 25/3",
        f"picture {data}/supply.svg",
    )
    picture = (data / "supply.svg").read_text("utf-8")
    assert 'class="statuses"' in picture
    assert "25/3 in 40.20: In Supply, 1 of 3 hexes." in picture


def test_a_picture_is_kept_up_to_date_until_it_is_switched_off(session: Session, data: Path) -> None:
    file = data / "table.svg"
    assert enter(session, "t=1", f"picture {file} always").startswith("! no unit is on the map")
    assert enter(session, EXAMPLE, f"picture {file} always") == f"drawn: {file}, and again after every line"
    enter(session, "< 4120 4/6 10-12-5-10")
    assert "4/6" in file.read_text("utf-8")
    enter(session, "undo")
    assert "4/6" not in file.read_text("utf-8")
    assert enter(session, f"picture {data / 'other.png'} alw").endswith("again after every line")
    assert enter(session, "picture off") == "the picture is no longer kept up to date"
    enter(session, "< 4120 4/6 10-12-5-10")
    assert "4/6" not in file.read_text("utf-8")


def test_a_picture_is_kept_up_to_date_in_the_next_session_too(session: Session, data: Path) -> None:
    enter(session, "t=1", EXAMPLE, f"picture {data / 'table.svg'} always")
    table = TableFile(data / "table.json")
    again = Session(table.read(load_game) or TableState(session.table.position), 200, table, before=table.before)
    assert again.begin()[-1] == f"drawn after every line until `picture off`: {data / 'table.svg'}"
    enter(again, "< 4120 4/6 10-12-5-10")
    assert "4/6" in (data / "table.svg").read_text("utf-8")
    (data / "table.svg").write_text("mine")
    assert "changed by something else" in enter(again, "undo")
    assert (data / "table.svg").read_text() == "mine"
    assert enter(again, "picture off") == "no picture is kept up to date"


def test_no_word_is_parted_on_a_narrow_screen(session: Session) -> None:
    session.width = 40
    lines = ("t=1", EXAMPLE, "help", "help retreat", "help crt", "position", *DICE, "done", "journal", "before")
    said = [answer for line in lines for answer in (*session.enter(line), *session.prompt.split("\n"))]
    assert [line for line in (*said, *session.enter("x" * 3000)) if len(line) > 40] == []
    wide = Session(TableState(Position(session.game, build_state(session.game))), 4000)
    fewer = "(`why` lists all changes)"  # only a narrow screen is too small for them
    whole = {*fewer.split()} | {
        word for line in lines for answer in wide.enter(line) for word in (*answer.split(), *wide.prompt.split())
    }
    parted = [
        word
        for line in said
        for word in line.split()
        if not word.isdecimal() and word not in whole and word.strip("[]") not in whole and f"{word}>" not in whole
    ]
    assert parted == []


def test_no_control_character_of_a_name_reaches_the_screen(session: Session) -> None:
    lines = ('4119 german "Ho\u200band" 4-4-1-7', "check", "position", "4119 <", "why")
    said = [answer for line in lines for answer in session.enter(line)]
    assert any("Ho\\u200band" in line for line in said)
    assert [line for line in said if not line.isprintable()] == []


def test_a_file_that_the_table_did_not_write_is_saved_under_another_name(session: Session, data: Path) -> None:
    mine = data / "a table.pos"
    mine.write_text("mine")
    hint = f'  remove it, or use another name: save "{data / "a table-2.pos"}"'
    refused = f"! the file already exists, and is not the version that this table saved\n{hint}"
    assert enter(session, f'save "{mine}"') == refused
    assert mine.read_text() == "mine"
    assert enter(session, f"save {data}/a\0b.pos").startswith("! ")


def test_a_file_that_the_table_has_saved_is_saved_again(session: Session, data: Path) -> None:
    """In the next session too, but not once something else has changed it."""
    mine = data / "mine.pos"
    assert enter(session, "t=1", f"save {mine}") == f"written: {mine}"
    assert enter(session, "t=2", f"save {mine}") == f"written again: {mine}"
    assert "turn=2" in mine.read_text()
    file = TableFile(data / "table.json")
    again = Session(file.read(load_game) or session.table, 200, file)
    assert enter(again, "t=3", f"save {mine}") == f"written again: {mine}"
    mine.write_text("mine")
    assert enter(again, f"save {mine}").startswith("! the file already exists")


def test_what_is_left_without_carrying_it_out_is_said(session: Session) -> None:
    left = "not carried out: Battle at 41.19, attacked from 40.20, 40.19, GT 1; "
    assert enter(session, "t=1", EXAMPLE, *DICE, "retreat at=4119 hexes=1").splitlines()[1] == (
        f"{left}`battle` goes back to it"
    )
    enter(session, "undo")
    assert enter(session, "new", "y").splitlines()[0] == f"{left}`undo` goes back to it"
    assert enter(session, "undo", "done").startswith("carried out")
    assert "not carried out" not in enter(session, EXAMPLE)
    assert "not carried out" not in enter(session, EXAMPLE), "before its dice there is nothing to lose"


def test_more_dice_than_are_rolled(session: Session) -> None:
    """None of them is taken, and the prompt names what is asked for."""
    assert enter(session, "t=1", EXAMPLE, "7 3 4 9") == (
        "! no roll is left for 9 after Combat Results Table, summer, 1:1 (2d6); Step Loss Results Table, Large, attacker (1d6); "
        "Step Loss Results Table, Large, defender (1d6)\n  nothing was entered; next comes: 2 step losses of the attacker"
    )
    assert enter(session, "7", "3", "3 3").startswith(
        "! no roll is left for 3 after Step Loss Results Table, Large, defender (1d6)\n  nothing was entered; next comes"
    )
    enter(session, "4", "3", "12")
    said = enter(session, "5, 6, 7")
    assert said.startswith(
        "! no roll is left for 7 after Effectiveness Check in 40.19 (2d6); Effectiveness Check in 41.19"
    )
    assert said.endswith("next comes: retreat of 27/3 from 40.20, hex 1 of 1")


def test_a_parameter_that_cannot_be_is_refused_while_facts_are_missing(session: Session) -> None:
    """Its hint names what can be: no magazine where there is no fortress."""
    enter(session, "t=3", "4119c 1/1 12-16-7-11 < 4020o 25/3 10--5-10", "4020 < 4119")
    assert session.prompt.startswith("defence strength printed of 25/3")
    refused = "! defender-ap: no command '1' fights here\n  known: 3, all, none"
    assert enter(session, "dap=1") == refused
    assert enter(session, "dap=3", "12").startswith("read: 25/3 defence=12")


@pytest.mark.usefixtures("roster_without_nations")
def test_an_answer_is_not_lost_for_the_fault_of_a_parameter(session: Session) -> None:
    """Before the nation is known it cannot be told which corps fights there."""
    enter(session, "t=3", "4119c 2/1 12-16-7-11 < 4020o 25/3 10--5-10")
    assert session.prompt.startswith("nation of 2/1")
    enter(session, "dap=7")
    said = enter(session, "german")
    assert said.startswith("read: 2/1 german")
    assert said.endswith("! defender-ap=7 is dropped: no command '7' fights here\n  known: 1, all, none")
    assert session.table.asked and "defender-ap" not in session.table.asked.parameters
    assert session.prompt.startswith("Combat Results Table")


@few(2)
@pytest.mark.parametrize("line", ["3920", "3920 27/3", "39.20: 27/3", "3"])
def test_a_stack_line_that_names_an_offered_hex_and_who_retreats_is_the_choice(session: Session, line: str) -> None:
    enter(session, "t=1", EXAMPLE, *DICE[:-1])
    assert session.prompt == "retreat of 27/3 from 40.20, hex 1 of 1> "
    assert enter(session, line).startswith(
        ("read: 39.20 for retreat of 27/3 from 40.20, hex 1 of 1\n", "= The attacker loses 2 steps")
    )
    enter(session, "done", "retreat at=4019 hexes=1 cause=crt")
    assert session.prompt == "hex 1 of 1 of the retreat from 40.19> "
    assert enter(session, "3919 29/20").startswith("read: 39.19 for hex 1 of 1 of the retreat")


@few(1)
@pytest.mark.parametrize("line", ["3920 25/3", "3920 27/3 -2", "4319 27/3"])
def test_any_other_stack_line_is_no_choice(session: Session, line: str) -> None:
    enter(session, "t=1", EXAMPLE, *DICE[:-1])
    assert "onward" not in enter(session, line).splitlines()[0]


def test_dice_go_to_the_rolls_in_the_order_in_which_they_were_named(session: Session) -> None:
    """The attacker's only unit checks at once after its loss; the second die is the defender's all the same."""
    enter(session, "t=1", "trust charts", "4119 1/1 12-16-7-11 <4020 25/3 10--5-10", "7")
    assert "after that: Step Loss Results Table, Medium, defender" in enter(session, "why")
    said = enter(session, "3 4")
    assert "So far the attacker loses" in said
    assert "1/1 1." in said
    assert dict(session.table.position.answers) == {"crt": "7", "slrt.attacker": "3", "slrt.defender": "4"}


def test_a_refused_answer_is_not_kept(data: Path) -> None:
    new_game(data / "heath")
    roster = data / "heath/roster.csv"
    roster.write_text(roster.read_text("utf-8").replace("10th,red,infantry,4,4,3", "10th,red,infantry,4,,3"), "utf-8")
    game = named_game(str(data / "heath"))
    session = Session(TableState(Position(game, build_state(game))), 200)
    enter(session, "0504 10th < 0403 1st")
    assert session.prompt.startswith("defence strength of 10th")
    tables = list(session.tables)
    assert enter(session, "0").startswith("! 4 against 0 has no odds")
    assert (pack_of(session.game).values(), session.tables) == ({}, tables)
    assert enter(session, "4").startswith("read: 10th defence=4 (`keep` puts it in your pack)")
    enter(session, "keep")
    assert pack_of(session.game).values() == {"10th": {"defence": "4"}}


def refusing(monkeypatch: pytest.MonkeyPatch, refused: Callable[[TableState], bool]) -> None:
    """Let a session get no answer to some tables."""
    look = table_module.evaluate_table

    def looked(table: TableState) -> object:
        if refused(table):
            raise InputError("refused")
        return look(table)

    monkeypatch.setattr(session_module, "evaluate_table", looked)
    for module in (desk, commands):
        monkeypatch.setattr(module, "evaluate_if_ready", looked)


def test_a_refused_cell_is_not_kept_and_a_refused_undo_undoes_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(session, "t=1", EXAMPLE, "6")
    tables, shown = list(session.tables), session.shown
    refusing(monkeypatch, lambda table: bool(table.position.state.cells))
    assert enter(session, "+1 / -") == "! refused"
    assert pack_of(load_game(GAME)).charts.cells("crt") == {}
    prompt = "Combat Results Table, summer 1:1 6 (attacker / defender)> "
    assert session.prompt == prompt
    refusing(monkeypatch, lambda table: table is tables[-2])
    assert enter(session, "undo") == "! refused"
    assert (session.tables, session.shown, session.prompt) == (tables, shown, prompt)


def test_a_command_in_capitals_is_the_same_command(session: Session, data: Path) -> None:
    assert enter(session, "t=1", f"SAVE {data / 'x.pos'}") == f"written: {data / 'x.pos'}"
    assert enter(session, "UNDO").startswith("undone")


@few(2)
@pytest.mark.parametrize(
    "look_up", ["condition 25/3", "stack 4119", "attacks russian", "need 2:1", "recover 1/1 points=1"]
)
@pytest.mark.parametrize("back", ["battle", "bat", "4119 <", "4119 < 4020 4019"])
def test_every_look_up_leaves_the_combat_open_with_its_dice(session: Session, look_up: str, back: str) -> None:
    enter(session, "t=1", EXAMPLE, "7", "3 4")
    answers, prompt = dict(session.table.position.answers), session.prompt
    assert "not carried out" in enter(session, look_up)
    enter(session, "condition 27/3", back)
    assert (dict(session.table.position.answers), session.prompt) == (answers, prompt)


@few(3)
@pytest.mark.parametrize("look_up", [["need 3:1 dap=none"], ["need 3:1", "dap=none"], ["need 3:1", "-27/3"]])
@pytest.mark.parametrize("back", ["battle", "4119 <", "< 4019"])
def test_parameters_of_a_look_up_stay_with_it(session: Session, look_up: list[str], back: str) -> None:
    enter(session, "t=1", EXAMPLE, "shift=1", "7")
    combat = session.table.combat
    enter(session, *look_up)
    assert session.table.asked and session.table.asked.parameters["column"] == "3:1"
    enter(session, back)
    assert session.table.combat == combat


def test_a_combat_that_was_set_aside(session: Session, data: Path) -> None:
    """It survives a restart; its dice count unless other units stand there; another combat takes its place, which is said."""
    enter(session, "t=1", EXAMPLE, "?1", "7", "condition 25/3")
    file = TableFile(data / "table.json")
    again = Session(file.read(load_game) or TableState(session.table.position), 200, file, before=file.before)
    again.begin()
    enter(again, "battle")
    assert again.table.position.answers == {"crt": "7"}
    assert "AP of the attacker: none" in alternatives(again)
    assert enter(session, "4218 27/3").startswith("? not carried out: battle at=41.19 from=40.20,40.19 crt=7; ")
    assert "column 1:3 (" in enter(session, "y", "battle") and not session.table.position.answers
    enter(session, "undo", "undo", "4218 2/1 12-16-7-11 < 4319 22/1 10--5-10")
    assert enter(session, "why") and not session.table.position.answers
    enter(session, "undo")
    said = enter(session, "4218 2/1 12-16-7-11 < 4319 22/1 10--5-10").splitlines()[1]
    assert said == "not carried out: battle at=41.19 from=40.20,40.19 crt=7; `undo` brings it back"


def test_more_attackers_may_be_named_after_a_look_up(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "condition 25/3", "< 4120 4/6 10-12-5-10")
    assert session.table.asked and session.table.asked.parameters["from"] == "40.20,40.19,41.20"


def test_what_the_prompt_assumes_is_no_ground_on_which_chances_rest(session: Session) -> None:
    """The hexsides that the flank needs are assumed; of what lies behind the defender nothing has been stated."""
    said = enter(session, "t=1", "trust charts", EXAMPLE, "< 4118 22/1 10--5-10")
    assert "the ground around is not stated" in enter(session, "why")
    assert "retreats (straight)" not in said


@pytest.mark.parametrize("line", ["cam", "fr", "free"])
def test_an_option_of_the_whole_game_needs_its_whole_word(session: Session, line: str) -> None:
    enter(session, "t=1", "4119 1/1 -16-7-11 < 4020 25/3 10--5-10")
    assert enter(session, line).startswith("! ")
    enter(session, "off 25/3")
    assert "must be typed in full: " in enter(session, line)
    assert session.table.position.state.value("campaign") is None
    enter(session, "campaign")
    assert session.table.position.state.value("campaign") is True


def test_a_question_that_was_refused_for_want_of_a_parameter_waits_for_it(session: Session) -> None:
    said = enter(session, "t=1", "4020 25/3 10--5-10", "prepared 25/3")
    assert said.startswith("! at: the hex that the unit is to attack is not stated\n  name it: at=HEX; ")
    assert said.endswith("type only that, as NAME=VALUE, and `prepared` is asked again with it")
    assert enter(session, "at=4119").startswith("read: prepared unit=25/3 at=41.19")
    assert enter(session, "forced-march 25/3 points=1 spent=8").startswith("! points or spent: give one of the two")


def test_what_a_forced_march_lacks_is_asked_for(session: Session) -> None:
    said = enter(session, "t=1", "4020 25/3 10--5-10", "forced-march 25/3")
    assert said.endswith("points=N for Movement Points beyond the allowance, or spent=N for all that the unit spends")
    assert session.prompt == "Movement Points of 25/3 beyond its allowance> "
    assert enter(session, "3").startswith("read: points=3")


def test_of_several_forces_one_is_chosen_for_a_repulse(session: Session) -> None:
    enter(session, "t=1", "4020 25/3 10--5-10, 27/3 10--5-10", "4119c 20 lw 3-3-0-8", "4119|4020 open")
    enter(session, "repulse at=4119 from=4020")
    assert session.prompt == "the Force that attempts the Repulse of 41.19> "
    assert enter(session, "2").startswith("read: 27/3 for the Force")


def test_a_repulse_and_the_retreat_that_it_causes_are_walked_to_their_end(session: Session) -> None:
    enter(session, "t=1", "trust charts counters", "4020 25/3", "4119c 20 lw -3", "4119|4020 open")
    enter(session, "repulse at=4119 from=4020", "7", "10", "done", "retreat 4119")
    assert session.prompt == "hex 1 of 2 of the retreat from 41.19> "
    enter(session, "1", "1", "done")
    assert '41.17: "20 lw"' in enter(session, "position")


def test_choices_between_units_keep_the_order_of_their_stacks(session: Session) -> None:
    """The numbers stay the same from one choice to the next; the one that the chances take is marked."""
    said = enter(session, "t=1", "trust charts", "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-9 27/3 10--5-10", "7", "6 4")
    assert said.splitlines()[-3:-1] == ["  1 25/3", "  2 27/3 (usual)"]
    enter(session, "1")
    assert session.table.position.answers["modifier.attacker"] == "25/3"


def test_a_further_question_about_the_combat_on_the_table(session: Session) -> None:
    """It takes over the hexes, the units and the points of the combat; the combat's name alone goes back to it."""
    enter(session, "t=1", EXAMPLE)
    assert "5 more strength points would reach 2:1." in " ".join(enter(session, "need 2:1").split())
    said = " ".join(enter(session, "need 2:1 dap=none").split())
    assert "= 25/3 and 27/3 can attack 41.19 at 2:1: 30 points against 16, Medium. It takes an AP for 3." in said
    said = " ".join(enter(session, "need 1:1").split())
    assert "= 29/20 can attack 41.19 at 1:1: 12 points against 16, Medium. It takes an AP for 20." in said
    said = " ".join(enter(session, "ap=none").split())
    assert "= 25/3 and 27/3 can attack 41.19 at 1:1: 20 points against 16, Medium. Withhold 29/20." in said
    assert session.table.asked and session.table.asked.parameters["at"] == "41.19"
    assert "column 1:1 (" in enter(session, "ap=all", "battle")
    assert "need does not understand 'swiftly'" in enter(session, "need 3:1 swiftly")


def test_dice_that_nothing_asks_for(session: Session) -> None:
    """The prompt says what comes before them."""
    said = "! no dice are asked for now: '2+5'\n  "
    assert enter(session, "2+5") == said + "type a combat first"
    enter(session, "t=1", "4119 1/1 < 4020 russian 99/9")
    assert enter(session, "2 5") == "! no dice are asked for now: '2 5'\n  answer this first: steps printed of 99/9"
    enter(session, EXAMPLE, "y", "need 3:1")
    assert enter(session, "2+5") == said + "`battle` goes back to the combat"
    enter(session, "condition 25/3")
    assert enter(session, "2+5") == said + "the answer stands: 25/3: level 10, 0 levels lost"


# --- supply -----------------------------------------------------------------------------------------------------------

ON_TABLE = ["4023 3train range=3 extended-range=6 supply=in", "4020 25/3"]
"""A unit three hexes from its train."""


def test_a_line_is_typed_in_few_keys_and_read_back_in_words(session: Session) -> None:
    said = enter(session, *ON_TABLE, "4023=4022=4021:4020r")
    assert said == "read: 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough"
    assert "= 25/3 is In Supply from the RR line at 40.21, 1 hex away" in enter(session, "sup 25/3")


def test_whether_there_is_another_line_is_asked_and_answered_by_a_letter_or_by_typing_it(session: Session) -> None:
    asked = "is 25/3 within 3 hexes of 3 Train or an operational RR line by another way"
    said = enter(session, *ON_TABLE, "4023m/4022c/4021r/4020m", "sup 25/3")
    assert "= undecided: along the lines typed, 25/3 is in Low Supply from 3 Train" in said
    assert session.prompt == f"{asked} (yes or no)> "
    said = " ".join(enter(session, "n").split())
    assert "= 25/3 is in Low Supply from 3 Train in Extended Mode, 4 1/2 hexes away. The line: 40.22 clear," in said
    assert (
        "As it stands, 25/3 is Out of Supply. Why: 3 Train is 1 1/2 hexes too far: 4 1/2 hexes away, range 3." in said
    )
    assert enter(session, "undo").startswith("undone")
    assert "= 25/3 is In Supply from 3 Train, 3 hexes away" in enter(session, "4022:4021:4020")


def test_out_of_supply_and_isolated_in_two_letters(session: Session) -> None:
    enter(session, *ON_TABLE, "4024/4023m/4022m/4021m/4020m", "4024 3train", "t=3", "sup 25/3", "n")
    assert session.prompt.startswith("is there a route from 40.20 of at most 6 enemy hexes to an operational RR line")
    why = "3 Train is 2 hexes too far: 8 hexes away, range 6."
    assert f"= 25/3 is Out of Supply and Isolated. Why: {why}" in " ".join(enter(session, "n").split())
    assert "undecided" in enter(session, "t=4"), "what was said of other lines holds for its turn"


def test_the_cause_of_no_supply_is_not_left_to_why(session: Session) -> None:
    far = "4026c/4025c/4024c/4023c/4022c/4021c/4020c"
    said = enter(session, *ON_TABLE, far, "4026 3train", "25/3 other-line=no", "sup 25/3")
    assert "Why: 3 Train is 3 hexes too far: 6 hexes away, range 3." in " ".join(said.split())
    assert "\nCause\n" in enter(session, "why")


def test_units_behind_a_chain_stand_at_its_end_and_ask_for_their_line(session: Session) -> None:
    said = enter(session, "4023=4022=4021:4020r 25/3")
    assert said.startswith("read: 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough; 40.20 25/3; supply unit=25/3")
    assert "= 25/3 is In Supply from the RR line at 40.21, 1 hex away" in said
    enter(session, "4020 25/3 27/3")
    again = enter(session, "4122:4121:4021:4020 27/3")
    assert "27/3 is In Supply" in again
    units = session.table.position.state.units
    assert {units[name].place for name in ("25/3", "27/3")} == {"40.20"}, "who stands there stays there"


def test_a_whole_side_in_one_word(session: Session) -> None:
    table = "4023 3train range=3 extended-range=6", "4020 25/3"
    enter(session, *table, "4220 27/3", "4023m/4022c/4021r/4020m 4221=4220", "phasing=russian")
    said = enter(session, "supply")
    assert "27/3 in 42.20: In Supply from the RR line at 42.20" in said
    assert session.prompt.startswith("does an operational RR line lead from 40.23 to a friendly map edge")
    assert "3 Train in 40.23: Out of Supply" in enter(session, "n")
    assert "3 Out of Supply" not in (settled := enter(session, "side ru whole"))
    assert "= The Russian side: 1 In Supply, 0 in Low Supply, 2 Out of Supply" in settled


def test_a_network_that_is_kept_serves_the_next_table_too(session: Session, data: Path) -> None:
    enter(session, *ON_TABLE, "4023=4022=4021:4020r")
    assert enter(session, "keep") == "6 facts saved in your pack"
    enter(session, "new", "4020 25/3")
    assert "= 25/3 is In Supply from the RR line at 40.21, 1 hex away" in enter(session, "sup 25/3")


# --- the other side of a counter ---------------------------------------------------------------------------------------


def test_a_counter_that_is_turned_over_keeps_no_ratings_of_its_other_side(session: Session) -> None:
    enter(session, "t=1", "4119c 1/1 12-16-7-11 -2 < 4020 25/3 10-10-5-10")
    said = enter(session, "1/1 reduced")
    gone = "no longer in force: steps of 1/1, defence of 1/1, artillery of 1/1, lost of 1/1; 1/1 reduced"
    assert gone in " ".join(said.split())
    assert "undecided: 3 facts are missing" in said
    assert "printed on the reduced side" in session.prompt
    facts = session.table.position.state.facts
    assert ("effectiveness", "1/1") in facts, "it is printed once"
    assert "(15 against 12)" in enter(session, "1/1 6-8-4-11"), "8 and 4 of the back"
    assert "nothing has changed" in enter(session, "1/1 reduced")
    enter(session, "1/1 reduced=no")
    assert ("defence", "1/1") not in session.table.position.state.facts


def test_a_counter_of_which_both_sides_are_stated_keeps_them_as_it_is_turned_over(session: Session) -> None:
    sides = {"steps": 12, "defence": 16, "back-steps": 6, "back-defence": 8}
    enter(session, "t=1", "4119c 1/1 12-16-7-11 -2 < 4020 25/3 10-10-5-10", "1/1 back-steps=6 back-defence=8")
    for line in ("1/1 reduced", "1/1 reduced=no"):
        enter(session, line)
        state = session.table.position.state
        assert {track: state.value(track, "1/1") for track in sides} == sides
        assert (state.value("artillery", "1/1"), state.value("lost", "1/1")) == (None, None)


@pytest.mark.parametrize("line", ["1/1 6-8-4-11 reduced", "1/1 reduced 6-8-4-11", "4119 1/1 6-8-4-11 reduced"])
def test_ratings_stated_with_the_side_are_of_that_side(session: Session, line: str) -> None:
    enter(session, "t=1", "4119c 1/1 12-16-7-11 < 4020 25/3 10-10-5-10", line)
    state = session.table.position.state
    assert [state.value(name, "1/1") for name in ("steps", "defence", "artillery")] == [6, 8, 4]


# --- the brief form ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 80, 100])
def test_of_a_long_answer_the_last_step_that_is_shown_is_whole(session: Session, width: int) -> None:
    session.width = width
    enter(session, "4020 25/3", "4119 1/1")
    said = enter(session, "supply").splitlines()
    shown = next(number for number, line in enumerate(said) if "(more: `why`)" in line)
    whole = "\n".join(enter(session, "why").splitlines())
    assert "\n".join(said[2:shown]) in whole
    after = whole.partition("\n".join(said[2:shown]) + "\n")[2].splitlines()[0]
    assert not after.startswith("   ") and (width > 40 or not after or said[shown - 1].endswith("]"))


def test_what_is_taken_for_granted_and_decides_an_answer_stands_in_its_brief_form(session: Session) -> None:
    linked = "an operational RR line links 40.20 to a friendly map edge"
    assert f"Assumed: {linked}" in enter(session, "4021=4020 25/3").splitlines()
    assert f"Assumed: {linked}" in enter(session, "supply").splitlines()


def test_an_answer_may_be_typed_as_it_is_read_back(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "3 + 4")
    assert session.table.position.answers == {"crt": "3+4"}
    assert "read: 4 for Step Loss Results Table, Large, defender" in enter(session, "slrt.defender=4")
    assert "impossible" in enter(session, "slrt.attacker=7")
    enter(session, "slrt.attacker=3", "losses.attacker=29/20,27/3", "ec.40.19=4")
    assert session.table.position.answers == {
        "crt": "3+4", "slrt.defender": "4", "slrt.attacker": "3", "losses.attacker": "27/3,29/20", "ec.40.19": "4",
    }  # fmt: skip


@few(1)
@pytest.mark.parametrize("line", [":", ",", "::", ": ,"])
def test_signs_alone_are_no_choice_of_a_hex(session: Session, line: str) -> None:
    enter(session, "t=1", EXAMPLE, *DICE[:-1])
    before = session.table
    enter(session, line)
    assert session.table == before


@pytest.mark.parametrize("sign", ["", "> ", ">"])
def test_a_combat_without_its_sign_is_refused_with_the_sign(session: Session, sign: str) -> None:
    assert "a combat has < between its hexes" in enter(session, EXAMPLE.replace("<", sign))


def test_letters_of_a_hexside_make_no_known_unit_another_kind_of_unit(session: Session) -> None:
    enter(session, "t=1", EXAMPLE)
    refused = enter(session, "4019 mi 29/20").splitlines()
    assert refused[0] == "! 'mi' on its own does not make 29/20 a minor-depot"
    assert refused[1].endswith("typed 4119|4019 mi or <4019 mi 29/20")
    assert enter(session, "29/20 mi").splitlines()[1].endswith("typed 4119|4019 mi or <4019 mi 29/20")
    assert "minor-depot" not in enter(session, "position")
    assert not enter(session, "4119|4019 mi").startswith("!")
    assert "; 40.19: minor-depot 29/20" in enter(session, "4019 minor-depot 29/20")


def test_letters_of_a_hexside_without_a_unit_are_refused_with_the_hexside(session: Session) -> None:
    enter(session, "t=1", EXAMPLE)
    assert enter(session, "4119 mi").endswith("typed 4119|4020 mi")
    refused = "! no unit follows 'mi'\n  what lies on a hexside is typed 4119|4020 mi or <4020 mi"
    assert enter(session, "4020 mi") == refused
    assert enter(session, "<4020 mi").startswith("read: changed: 40.20|41.19 barrier open to minor-river")
    refused = "! 'grand' is a fact about a hexside, not about a hex\n  what lies on a hexside is typed 4119|4020 grand"
    assert enter(session, "4020 grand") == f"{refused} or <4020 grand"
    enter(session, "new", "y")
    said = enter(session, "4020 major").replace("\n  ", " ")
    assert said.endswith("typed HEX|4020 major, or in a combat HEX UNIT ... < 4020 major UNIT ...")


def test_units_of_two_sides_in_neighbouring_hexes_without_the_sign_of_a_combat(session: Session) -> None:
    missed = "no combat: it has < between its hexes"
    enter(session, "t=1")
    assert enter(session, "4119c 1/1 12-16-7-11 4020 25/3 10--5-10").endswith(missed)
    for other in ("4119c 1/1 4121 25/3", "4119c 1/1 4020 2/1", "4119c 4020 25/3", "4119: 1/1; 4020: 25/3"):
        enter(session, "new", "y")
        assert missed not in enter(session, other)
    assert "battle" in enter(session, "4119 <")
    assert missed not in enter(session, "4119 rough 1/1 4020 25/3")


def test_the_roster_says_what_a_unit_is_until_the_players_do(session: Session) -> None:
    """35/17 is known by an illustrative entry alone, which the table does not accept."""
    said = enter(session, "t=1", "4119c 35/17 12-16-7-11 < 4020o 25/3 10--5-10")
    assert session.prompt.startswith("Combat Results Table")
    assert "?2 35/17 german" in said
    assert "35/17 austro-hungarian" in enter(session, "?2")


@pytest.mark.parametrize("line", ["<4019 29/20", "<4019 +29/20"])
def test_a_withheld_unit_that_is_named_behind_the_sign_takes_part_again(session: Session, line: str) -> None:
    enter(session, "t=1", EXAMPLE, "-29/20")
    if "+" in line:
        enter(session, "<4019 -29/20", "y")
    enter(session, line)
    assert session.table.asked and "withhold" not in session.table.asked.parameters


TWO_CORPS = ("t=5", "4119c german 1/1 12-16-7-11 2/1 = < 4020o 25/3 10--5-10 27/3 =")
"""A battle of two Forces on either side, all of one hex."""


@few(3)
@pytest.mark.parametrize(
    ("unit", "lines"),
    [
        ("27/3", ("4019 27/3", "<4019")),
        ("27/3", ("4019 27/3", "t=6", "<4019")),
        ("27/3", ("4020 -27/3", "4020 +27/3")),
        ("27/3", ("off 27/3", "4020 25/3 27/3")),
        ("27/3", ("4019 27/3", "4020 25/3 27/3")),
        ("27/3", ("supply 25/3", "4019 27/3", "battle", "<4019")),
        ("2/1", ("4218 2/1", "4119 +2/1")),
        ("27/3", ("<4020",)),
        ("27/3", ("t=6",)),
    ],
)
def test_a_withheld_unit_that_is_put_elsewhere_or_back_takes_part_again(
    session: Session, unit: str, lines: tuple[str, ...]
) -> None:
    said = [" ".join(enter(session, line).split()) for line in (*TWO_CORPS, f"-{unit}", *lines)]
    assert any(f"; dropped: withhold={unit} " in one for one in said)
    assert session.table.asked and "withhold" not in session.table.asked.parameters
    assert "column 1:2 (" in " ".join(enter(session, "why").split()), "as before it was withheld"


def test_what_stays_withheld_is_named_with_each_line_that_touches_the_combat(session: Session) -> None:
    enter(session, *TWO_CORPS, "-27/3", "4312 36/17 10-12-4-9")
    for line in ("shift=1", "4119 ip1", "25/3 cel=-1", "4020|4119 minor-river", "<4019 29/20 10--5-10"):
        assert "; still: " in (said := enter(session, line).splitlines()[0]) and "withhold=27/3" in said
    assert "still" not in enter(session, "36/17 cel=-1"), "it stands far from the combat"
    assert "still" not in enter(session, "-25/3").splitlines()[0], "the line names them itself"
    said = enter(session, "<4020 -25/3", "undo", "<4019 +28/20 10--5-10").splitlines()[0]
    assert 'still: withhold="27/3,25/3" shift=1' in said


def test_parameters_that_hold_on_after_more_attacking_hexes_are_named(session: Session) -> None:
    said = enter(session, *TWO_CORPS, "ap=3", "<4019 29/20 10--5-10")
    assert "; still: attacker-ap=3" in said.splitlines()[0]
    assert "; still: attacker-ap=3 flanked=no" in enter(session, "flanked=no", "<4219 russian 40/4 10--5-10")
    assert "still: attacker-ap=3" in enter(session, "<4120 40/4 flanked=yes").splitlines()[0]


def test_need_leaves_out_the_units_that_it_says_are_withheld(session: Session) -> None:
    enter(session, "t=7", "4119c german 1/1 12-16-7-11 < 4020 25/3 10--5-10 27/3 = 4019 29/20 =", "-27/3")
    for line in ("need 2:1", "need 3:1 ap=none"):
        said, working = enter(session, line), enter(session, "why")
        assert "withhold=27/3" in said.splitlines()[0]
        assert "27/3" not in "".join(said.splitlines()[1:]) + working


@pytest.mark.parametrize("line", ["4119 <", "4119 < 4020 4019", "4119 < 4020"])
def test_a_combat_that_is_gone_back_to_keeps_its_parameters_and_withheld_units(session: Session, line: str) -> None:
    stated = {"withhold": "27/3", "attacker-ap": "none", "shift": "-1"}
    enter(session, "t=1", EXAMPLE, "-27/3", "ap=none", "shift=-1", line)
    assert session.table.asked
    assert stated.items() <= session.table.asked.parameters.items()


def test_a_withheld_unit_of_a_hex_that_no_longer_attacks_is_not_withheld(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, "-29/20", "ap=none", "4119 < 4020")
    assert session.table.asked
    assert session.table.asked.parameters == {"at": "41.19", "from": "40.20", "attacker-ap": "none"}


def test_a_combat_with_dice_that_another_phase_forbids_is_not_lost_without_a_word(session: Session) -> None:
    enter(session, "t=3", "phase=attack", "phasing=german", "5020 ru 25/3 10-8-5-10 < 5019 1/1 12-16-7-11", "7,3,4")
    assert "not allowed" in enter(session, "phase=counter-attack", "y") and not session.table.position.answers


def test_losses_and_facts_of_units_that_a_combat_typed_again_does_not_repeat_are_said(session: Session) -> None:
    enter(session, "t=1", EXAMPLE.replace("12-16-7-11", "12-16-7-11 -2"))
    said = " ".join(enter(session, EXAMPLE).split())
    assert "; still: 1/1 lost 2 = " in said
    assert "still" not in enter(session, "4119")
    assert "still" not in enter(session, EXAMPLE.replace("12-16-7-11", "12-16-7-11 -2"))
    enter(session, "new", "y", "t=1", EXAMPLE, "1/1 -2 cel=-1 supply=low", "27/3 displaced")
    assert "; still: 1/1 lost 2 cel=-1 supply=low, 27/3 displaced" in " ".join(enter(session, EXAMPLE).split())
    assert "; still: 1/1 supply=low" in enter(session, EXAMPLE.replace("12-16-7-11", "12-16-7-11 -2 cel=-1"))
    more = "prepared=41.19 supply=low displaced entrained isolated"
    enter(session, f"25/3 {more}", f"27/3 {more}")
    assert "; still: 1/1 lost 2, 12 other facts about its units" in " ".join(enter(session, EXAMPLE).split())


def test_another_phase_says_at_once_that_a_combat_half_fought_is_still_owed(session: Session) -> None:
    enter(session, "t=3", "phase=attack", "phasing=german", "5020 ru 25/3 10-8-5-10 < 5019 1/1 12-16-7-11", "7,3,4")
    owed = "not carried out: Battle at 50.20, attacked from 50.19, GT 3; it is still owed; `undo` goes back to it"
    assert owed in " ".join(enter(session, "phase=counter-attack", "y").split())
    enter(session, "undo")
    assert "still owed" not in enter(session, "1/1 cel=-1"), "any other fact changes the combat"
    assert "not carried out" in enter(session, "supply 1/1")
    said = " ".join(enter(session, "phase=other", "y").split())
    assert "not carried out: battle at=50.20 from=50.19 crt=7 " in said and "it is still owed" in said


def test_a_combat_half_fought_that_another_has_replaced_is_said_to_be_owed_when_the_turn_changes(
    session: Session,
) -> None:
    owed = "not carried out: battle at=41.19 from=40.20 crt=7"
    enter(session, *TWO_CORPS, "7", "3 4", "4020 < 4119")
    said = " ".join(enter(session, "t=6").split())
    assert owed in said and "it is still owed; `undo` goes back to it" in said
    assert "owed" not in enter(session, "t=7"), "it is said once"
    assert owed in " ".join(enter(session, "undo", "undo", "4119 < 4020", "t=6").split()), "its dice are not there"
    enter(session, "undo", "5")
    assert "from=40.20 crt=7" not in enter(session, "t=6"), "it is fought again"


def test_no_combat_that_was_carried_out_or_left_with_an_empty_table_is_owed(session: Session) -> None:
    enter(session, "t=1", EXAMPLE, *DICE)
    for lines in (("done", "4019 < 4119"), ("new", "y")):
        before = len(session.tables)
        assert "owed" not in enter(session, *lines, "t=6")
        del session.tables[before:]
        session.begin()
    assert "it is still owed" in " ".join(enter(session, "4019 < 4119", "t=6").split())


def test_a_unit_that_is_turned_over_while_its_owner_chooses_a_loss_is_no_answer() -> None:
    session = Session(TableState(typed("game kaisers-war-in-the-east")), 100)
    enter(session, "turn=3 phase=first-combat phasing=central-powers", "2620 clear: Rus-2 (1-4-4), Rus-3 (1-5-4)")
    enter(session, "2621: AH-4 (40-2-4)", "2620|2621 open", "2620 < 2621", "2")
    said = enter(session, "Rus-2 reversed")
    assert said.startswith("! the line states earlier losses, of Rus-2; asked for now: BB: which army")
    assert "AH-4 reversed" in enter(session, "AH-4 reversed").splitlines()[0], "of others it is a fact, and said"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("demoralized", "`condition` answers: how effective is it, and is it Demoralized"),
        ("1/1 demoralized", "did you mean `condition 1/1`?"),
        ("1/1 disordered", "did you mean D1?"),
        ("1/1 dm", "did you mean D1?"),
        ("dm", "a line begins with a place, a unit or a fact about the game"),
        ("improved", "did you mean ip=1 (about a hex)"),
        ("turn 2", "did you mean turn=2?"),
        (
            "phase",
            "write phase=... (one of reinforcement, attachment, pontoon, supply, engineering, movement, counter-movement, attack, counter-attack, post-combat, weather, administrative, replacements, other)",
        ),
        (
            "phase attac",
            "write phase=... (one of reinforcement, attachment, pontoon, supply, engineering, movement, counter-movement, attack, counter-attack, post-combat, weather, administrative, replacements, other)",
        ),
        ("1/1 prepared=no", "allowed: a hex, or none; hexes of this map are written like 49.63"),
    ],
)
def test_words_of_players_get_the_right_spelling_as_a_hint(session: Session, line: str, hint: str) -> None:
    enter(session, "4119 1/1")
    assert hint in " ".join(enter(session, line).split())


ONE_ON_ONE = ("trust charts", "t=3", "4119c 1/1 12-16-7-11 < 4020o 25/3 10-12-5-10")
"""A battle between two units, with charts."""
THREE = (*ONE_ON_ONE[:2], f"{ONE_ON_ONE[2]} 27/3 = 4019o 29/20 =")
"""The same with three attackers."""
_FOUGHT = ("12", "1", "5 5")
"""Its dice, up to the losses of the attacker."""


@few(1)
@pytest.mark.parametrize(
    ("before", "line", "meant"),
    [
        ((*ONE_ON_ONE, "8 4 4"), "1/1 -1", "1/1 lost 1"),
        ((*ONE_ON_ONE, "8 4 4", "7 7"), "25/3 -1", "25/3 lost 1"),
        ((*ONE_ON_ONE, "8 4 4", "supply 1/1"), "1/1 -1", "1/1 lost 1"),
        ((*THREE, *_FOUGHT), "1/1 -3", "1/1 lost 3"),
        ((*THREE, *_FOUGHT), "4119 -3", "1/1 lost 3"),
        ((*THREE, *_FOUGHT), "1/1 9-13-7-11", "1/1 steps 9, 1/1 defence 13"),
        ((*THREE, *_FOUGHT, "1", "6 6 7", "1"), "1/1 -3", "1/1 lost 3"),
        ((*THREE, *_FOUGHT, "1"), "25/3 cel -2", "25/3 cel \N{MINUS SIGN}2"),
        ((*THREE, *_FOUGHT, "1"), "27/3 reduced", "27/3 reduced yes"),
    ],
)
def test_what_a_battle_has_cost_is_not_counted_twice_without_a_yes(
    session: Session, before: tuple[str, ...], line: str, meant: str
) -> None:
    enter(session, *before)
    laid = session.table
    said = enter(session, line)
    assert (
        f"enters what the battle itself costs; was this so before it: {meant}? (y or n)" in said
        and session.table is laid
    )
    assert enter(session, "n") == "nothing has changed"
    assert "read: " in enter(session, line, "y") and session.table.position.answers == laid.position.answers


@few(2)
@pytest.mark.parametrize("line", ["4220 1/1", "off 27/3", "phase=movement", "t=4", "< 4120 4/6 10-12-5-10"])
@pytest.mark.parametrize("away", [(), ("supply 1/1",)])
def test_a_battle_with_dice_is_neither_dropped_nor_carried_on_without_a_yes(
    session: Session, line: str, away: tuple[str, ...]
) -> None:
    enter(session, *THREE, *_FOUGHT, "1", "6 6 7", "1", *away)
    laid = session.table
    said = enter(session, line)
    assert said.startswith("? not carried out: battle at=41.19 from=40.20,40.19 crt=12 ") and session.table is laid
    assert "`done` carries it out first; drop its dice? (y or n)" in " ".join(said.split())
    assert enter(session, "n", "battle", "done").startswith("carried out")
    enter(session, "undo", line, "y", "battle")
    assert session.table.combat is None or not session.table.combat.answers
    assert enter(session, "done").startswith("! there is nothing to carry out")


def test_a_unit_is_not_withheld_from_a_battle_with_dice_without_a_yes(session: Session) -> None:
    enter(session, *THREE, "12")
    assert enter(session, "-27/3").endswith("withhold 27/3? (y or n)")
    assert "battle withhold=27/3" in enter(session, "y")
    assert "read: battle withhold=none" in enter(session, "+27/3"), "a unit that joins again is not doubtful"


def test_the_same_combat_typed_again_keeps_its_parameters_and_names_them(session: Session) -> None:
    """Those that cannot hold for other attacking hexes are dropped, and named too; so it is with the units typed again and without."""
    kept = ("ap=none", "shift=1", "flanked=yes", "-27/3")
    said = " ".join(enter(session, *THREE, *kept, THREE[2].replace("11 <", "11 -1 <")).split())
    assert "; still: attacker-ap=none shift=1 flanked=yes withhold=27/3" in said and "column " in said
    for line in ("4119c 1/1 12-16-7-11 < 4019o 29/20", "4119 < 4019"):
        said = " ".join(enter(session, "undo", line).split())
        assert "; still: attacker-ap=none shift=1; dropped: flanked=yes withhold=27/3" in said
        assert session.table.asked and session.table.asked.parameters.keys() == {"at", "from", "attacker-ap", "shift"}
    said = enter(session, "undo", "ap=3", "4119 < 4019")
    assert "still: shift=1; dropped: attacker-ap=3 flanked=yes withhold=27/3" in said, "no command 3 fights there"
    assert "still" not in enter(session, "5019 3/3 12-16-7-11 < 5018 4/6 10-12-5-10").splitlines()[0]


def test_ammunition_that_was_chosen_by_number_holds_for_further_questions_about_the_combat(session: Session) -> None:
    asked = enter(session, *THREE, "?2", "need 3:1").splitlines()
    typed = enter(session, "battle", "?2", "need 3:1 dap=none").splitlines()
    assert [line for line in asked if line.startswith("= ")] == [line for line in typed if line.startswith("= ")]
    assert "AP of the defender: none" in asked[-1]
    assert "AP of the defender: none" in alternatives_of(enter(session, "battle", "?2", "4119 1/1 < 4020 25/3 27/3"))


def alternatives_of(said: str) -> str:
    """The line of what is taken for granted."""
    return next(line for line in said.splitlines() if line.startswith("assumed: "))


def test_a_unit_that_joins_a_stack_and_a_stack_typed_again_say_which_losses_they_keep(session: Session) -> None:
    said = enter(session, "4020 25/3 27/3", "off 27/3", "27/3 -2", "4020 +27/3")
    assert said.splitlines()[0] == "read: 40.20: 25/3, 27/3; still: 27/3 lost 2"
    assert "still" not in enter(session, "off 27/3", "4020 +27/3 -1")
    said = enter(session, "new", "y", "4119 25/3 10-12-5-10 29/20 = -2", "4119 25/3 -1 29/20")
    assert said.startswith("read: 41.19: 25/3 -1, 29/20; still: 29/20 lost 2")
    assert "still" not in enter(session, "4120 25/3 29/20"), "a move says nothing of losses"
    assert "still" not in enter(session, "4120 25/3 -2 29/20 -1")


def test_an_answer_of_yes_or_no_is_no_command_while_yes_or_no_was_just_asked(session: Session) -> None:
    enter(session, "4018 1/1", "new")
    assert enter(session, "n") == "nothing has changed"
    assert enter(session, "n") == "! 'n' does not answer anything now\n  `new` must be typed in full"
    assert enter(session, "4018c", "n").startswith("! 'n' does not answer anything now"), "it never empties the table"
    assert "empty the table" in enter(session, "ne")
    enter(session, "y", "4023 3train range=3 extended-range=6", "4023/4022/4021/4020 25/3")
    assert "undecided" in enter(session, "y") and "operational RR line" in session.prompt
    for answer in ("n", "y", "n"):
        said = enter(session, answer)
        assert said.startswith(f"! {answer!r} does not answer anything now\n  type it, as 40.22-40.23")
    assert "undecided; type it, as 40.22-40.23" in " ".join(enter(session, "supply").split())


FORM = "HEX UNIT ... < HEX UNIT ..., the attacked hex first"
UNSTATED = EXAMPLE.replace("4119c", "4119").replace("4020o", "4020")


@pytest.mark.parametrize(
    ("before", "line", "said"),
    [
        ((), "4119 1/1 cel -2, 2/1 supply low", "read: 41.19: 1/1 cel=-2, german 2/1 supply=low\n"),
        ((), "4119 ip 2 1/1", "read: 41.19 ip=2: 1/1\n"),
        ((), "4020 25/3 27/3 -1", "read: 40.20: 25/3, 27/3 -1 (27/3 only)\n"),
        ((), "4020 25/3 27/3 reduced", "read: 40.20: 25/3, 27/3 reduced (27/3 only)\n"),
        ((), "4119 1/1 < 4020 25/3 27/3 -1", "read: 41.19 1/1 < 40.20 25/3, 27/3 -1 (27/3 only)\n"),
        ((), "4020 -1 25/3 27/3", "read: 40.20: 25/3 -1, 27/3 -1\n"),
        ((), "4020 25/3 27/3 10--5-10 -1", "read: 40.20: 25/3, 27/3 (10-?-5-10) -1\n"),
        ((), "4020 25/3 27/3", "read: 40.20: 25/3, 27/3\n"),
        ((), "4020 ru 25/3", "read: 40.20: russian 25/3\n"),
        (("4119 1/1",), "4119 ru 1/1", "read: changed: 1/1 nation german (roster) to russian; 41.19: russian 1/1\n"),
        (("4023 3train",), "4023 3train infantry", "read: changed: 3 Train arm "),
        (("t=1", "6017 1/1 6016 Lötzen"), "6017 1/1 Lötzen", "read: moved: Lötzen from 60.16; 60.17: 1/1, Lötzen\n"),
        (("t=2 weather=summer-heat",), "t=3", "read: no longer in force: weather; turn=3\n"),
        (("t=3",), "t=3", "nothing has changed\n"),
        (("4119 1/1 12-16-7-11",), "1/1 12-16-7-11", "nothing has changed\n"),
        ((*BATTLE, "7"), "4119 1/1 4020 25/3 27/3", f"nothing has changed\n  a new combat has < between its hexes: {FORM}\n"),
        (BATTLE, "6 5", "read: 6+5 for Combat Results Table, summer, 1:1\n"),
        (BATTLE, "29/20 -1", "read: changed: 29/20 lost 3 to 1; 29/20 -1\n"),
        (BATTLE, "4020 25/3 11-10-5-10 27/3 10-9-5-10", "read: changed: 25/3 steps 10 to 11; 40.20: 25/3 (11-10-5-10), 27/3 (10-9-5-10)\n"),
        ((*BATTLE, "29/20 -1"), "29/20 -1", "nothing has changed\n"),
        (BATTLE, "retreat at=4119 hexes=1 cause=check", "read: retreat at=41.19 hexes=1 cause=check\n= 1/1: 1 hex to retreat from 41.19.\n"),
        (("t=1", UNSTATED, "4119c"), "4119 rough", "read: changed: 41.19 terrain clear to rough; "),
        (("t=1", UNSTATED, "4020|4119 minor-river"), "4020|4119 maj", "read: changed: 40.20|41.19 barrier minor-river to major-river; "),
        (("t=1", UNSTATED, "4119 ip1"), "4119 ip2", "read: changed: 41.19 ip 1 to 2; "),
        ((*ONE_ON_ONE, "4119 < 4020ri"), "4119 < 4020 ca", "read: 41.19 < 40.20 causeway; still: 40.20|41.19 ridge\n"),
        (ONE_ON_ONE, "undo 2", "! `undo` takes nothing after it\n  `undo` takes back one line; typed again, the line before it"),
        (ONE_ON_ONE, "why 3", "! `why` takes nothing after it"),
        (ONE_ON_ONE, "n 3:1", "! 'n' is not understood\n  type need 3:1"),
        (ONE_ON_ONE, "<4119 25/3", "! 41.19 is the attacked hex\n  the hexes that attack it come after the <"),
        (ONE_ON_ONE, "ap=3, dap=none", "read: battle attacker-ap=3 defender-ap=none\n"),
        (ONE_ON_ONE, "ap=NONE", "read: battle attacker-ap=none\n"),
        (ONE_ON_ONE, "ap=ALL", "read: battle attacker-ap=all\n"),
        (ONE_ON_ONE, "TURN = 4", "read: turn=4\n"),
        (ONE_ON_ONE, "t=+1", "! game turn: '+1' is not allowed\n  a + adds nothing here; write the resulting number, as in turn=7"),
        (ONE_ON_ONE, "shift=+1", "read: battle shift=+1\n"),
        (ONE_ON_ONE, "25/3 cel=+0", "read: 25/3 cel=+0\n"),
        (ONE_ON_ONE, "25/3 10--5-10 p", "! 'p' on its own may be pontoon-laid\n  type more letters"),
        (ONE_ON_ONE, "4020 25/3 w", "! 'w' on its own may be way-out\n"),
        (ONE_ON_ONE, "4020 o", "! 'o' on its own may be "),
        (ONE_ON_ONE, "25/3 r", "! 'r' on its own may be "),
        (ONE_ON_ONE, "4020 25/3 po", "read: 40.20: 25/3 pontoon-laid\n"),
        (ONE_ON_ONE, "4020 r 25/3", "read: 40.20 rough: 25/3\n"),
        (ONE_ON_ONE, "NEED 3:1", "read: need column=3:1 at=41.19 from=40.20\n"),
        (ONE_ON_ONE, "4218 GERMAN 901/91", "read: not in the roster: 901/91 (german infantry XX); 42.18: german infantry? XX? 901/91"),
        (ONE_ON_ONE, "4020 25/3 10-12-5-10 heavy+high", "read: 40.20: 25/3 (10-12-5-10) artillery-class=heavy+high-trajectory\n"),
        (ONE_ON_ONE, "25/3 10-5-10", "! 10-5-10 is not a unit, and has 3 values where there are 4 ratings\n  did you mean `10--5-10` (steps-artillery-effectiveness) or `10-5-10-?`? ratings are"),
        (ONE_ON_ONE, "n", "! 'n' does not answer anything now\n"),
        (ONE_ON_ONE, "25/3 -1 -1", "! steps lost is stated twice: -1\n"),
        (ONE_ON_ONE, "4020 25/3 10--5-10 -1 -1", "! steps lost is stated twice: -1\n"),
        (ONE_ON_ONE, "25/3 cel = -1", "read: 25/3 cel=-1\n"),
        (ONE_ON_ONE, "need 3:1 ap=3, dap=NONE", "read: need column=3:1 at=41.19 from=40.20 attacker-ap=3 defender-ap=none\n"),
    ],
)  # fmt: skip
def test_a_line_is_read_back_as_it_is_understood(
    session: Session, before: tuple[str, ...], line: str, said: str
) -> None:
    assert f"{enter(session, *before, line)}\n".startswith(said)


def test_two_letters_go_back_to_the_combat(session: Session) -> None:
    enter(session, *ONE_ON_ONE, "7", "supply 25/3")
    assert session.table.aside and enter(session, "ba").startswith("read: battle at=41.19 from=40.20")
    assert session.table.position.answers == {"crt": "7"}


def test_a_fact_that_is_assumed_is_read_back_as_assumed(session: Session) -> None:
    enter(session, *ONE_ON_ONE[:2], "4119 1/1 12-16-7-11 < 4020 25/3 10-12-5-10")
    (terrain,) = (
        [one.number for one in session.shown.assumed if one.key == ("terrain", "41.19")] if session.shown else []
    )
    said = enter(session, f"?{terrain} rough")
    assert said.startswith("read: 41.19 rough, assumed\n") and "rough" not in enter(session, "position")


@pytest.mark.parametrize(
    ("before", "line", "said"),
    [
        ((), "4119 prepared=4020", "? 1/1 is attacked from 40.20 now; does it attack that hex itself, prepared=40.20?"),
        (
            ("4019 27/3",),
            "25/3 prepared=4019",
            "? units friendly to 25/3 stand in 40.19 (27/3); 25/3 prepared=40.19? (y or n)",
        ),
        (
            (),
            "4119c 1/1 12-16-7-11 -6 reduced < 4020 25/3",
            "? 12-16-7-11 would be the ratings on the reduced side of 1/1, with those of its front unknown? (y or n)",
        ),
        (
            (),
            "4023 3train 3/6 supply=in",
            "? numbers of 3 Train are typed range=3 extended-range=6; make a new unit 3/6? (y or n)",
        ),
    ],
)
def test_what_is_doubtful_is_asked_about_first(session: Session, before: tuple[str, ...], line: str, said: str) -> None:
    enter(session, *ONE_ON_ONE, *before)
    laid = session.table
    assert enter(session, line).startswith(said) and session.table is laid
    assert enter(session, "y").startswith("read: ")
    assert "25/3 prepared=4119" in enter(session, "25/3 prepared=4119") and not session.held


def test_a_refused_combat_names_the_words_for_which_letters_stand(session: Session) -> None:
    said = enter(session, *ONE_ON_ONE, "4119 < 4020 i")
    assert said.startswith("! 41.19 cannot be attacked: ") and said.endswith("; read as: impassable")


@thorough
def test_no_fact_of_a_unit_in_a_battle_with_dice_changes_without_a_yes(twilight: Game, data: Path) -> None:
    """Of every track of units, with a value that it takes: alone, behind its hex, and with a space."""
    fought = Session(TableState(Position(twilight, build_state(twilight))), 200)
    enter(fought, *THREE, *_FOUGHT)
    asked = 0
    for track in twilight.tracks.values():
        values = [track.write(value) for value in track.in_turn()] or list(track.values)
        for value in values[-2:] if track.on == "unit" else ():
            for line in (f"1/1 {track.name}={value}", f"4119 1/1 {track.name}={value}", f"1/1 {track.name} {value}"):
                before = fought.table
                asked += "was this so before it: " in enter(fought, line)
                assert before.combat and not format_stated_again(
                    before.position, fought.table.position, before.combat
                ), line
    assert asked > 20


def test_an_army_that_no_other_unit_has_is_asked_about_on_a_line_too(session: Session) -> None:
    said = enter(session, "4020 25/3 army=Sevnth")
    assert "? no other unit has army=Sevnth; known: " in said and said.endswith("accept it anyway? (y or n)")
    assert "25/3" not in session.table.position.state.units
    enter(session, "y")
    assert session.table.position.state.value("army", "25/3") == "Sevnth"


def test_what_is_read_back_of_the_last_unit_alone_can_be_typed_again(session: Session) -> None:
    read = enter(session, "4020 25/3 27/3 -1")
    assert read == "read: 40.20: 25/3, 27/3 -1 (27/3 only)"
    before = session.table.position
    session.enter("new")
    session.enter("y")
    assert enter(session, read.removeprefix("read: ")) == "read: 40.20: 25/3, 27/3 -1"
    assert session.table.position.state == before.state


def test_a_question_put_before_a_missing_fact_says_how_one_goes_back(session: Session) -> None:
    enter(session, "4119c 1/1 < 4020o 25/3")
    said = enter(session, "bridge")
    assert "read: bridgehead" in said and "set aside: battle" in said and "`battle` goes back to it" in said


def test_a_value_that_fills_lines_is_read_back_in_few_words(session: Session) -> None:
    said = enter(session, f"attach army={'1' * 4000}")
    assert said.startswith("read: attach army=") and len(said) < 1000


def test_no_caution_is_cut_off_above_the_lines_that_are_left_out() -> None:
    lines = [
        "",
        "Way",
        "  5.0  5320: 1",
        "",
        "Cautions",
        "! drawn, not from the printed game: East Prussia (622",
        "  facts)",
        "! dear",
    ]
    assert [_count_whole_steps(lines, first, 60) for first in (5, 6, 7)] == [5, 7, 7]

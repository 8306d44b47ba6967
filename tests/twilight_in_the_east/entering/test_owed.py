"""What moves, advances and retreats make players owe: in every answer, and until it is done."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import assistant
from assistant.asking.report import Report, to_short
from assistant.asking.schemas import as_plain
from assistant.asking.view import View
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.viewpoint import reduce_state
from assistant.state.changes import Change

from ...conftest import answered, told, typed

FACTS = """turn=5 phase=movement phasing=russian weather=normal
elsewhere clear open
43.17: russian cavalry XX K (4-4-0-9) movement=10 army=First corps=none
43.16: russian infantry XX I (12-12-0-9) movement=7 army=First corps=3
44.20: german corps-train - T army=Eighth corps=17 movement=7 range=3 extended-range=5
"""
PASSING = f"trust charts\n{FACTS}"
"""Russian cavalry that rides past a lone German Train."""
WAY = ("43.18", "43.19", "43.20", "43.21", "43.22")
SAID = "T in 44.20 may have to leave its hex at once (ask displace)."
OWED = ("must-leave", "T")


def ridden(more: str = "", way: tuple[str, ...] = WAY) -> tuple[Position, Report[Any]]:
    """The position, and the answer to the ride of K."""
    position = typed(PASSING + more)
    return position, answered(position, "move", units=("K",), way=way)


@pytest.fixture
def passed() -> Position:
    """The position once K has passed."""
    position, report = ridden()
    return position.after(report.changes)


@pytest.mark.rule("9.8.1")
def test_a_train_that_is_passed_is_in_every_form_of_the_answer() -> None:
    _, report = ridden()
    assert report.headline.startswith(f"K goes to 43.22: 10 Movement Points; 0 left. {SAID}")
    assert SAID in " ".join(to_short(report).split()) and SAID in report.sentences
    (consequence,) = as_plain(report)["follows"]
    assert (consequence["step"]["rule"], consequence["ask"]) == ("9.8.1", "displace unit=T")
    assert consequence["owed"] in as_plain(report)["changes"]
    assert told(report, "What follows") == ["T in 44.20 may have to leave its hex at once"]


@pytest.mark.rule("9.8.1")
def test_it_is_owed_until_it_is_done_or_let_stand(passed: Position) -> None:
    assert passed.state.value(*OWED) == "44.20 43.19"
    (item,) = (item for item in answered(passed, "turn").result.now.items if item.state == "owed")
    assert (item.name, item.units, item.ask) == ("must-leave", ("T",), "displace unit=T")
    refused = answered(passed, "next")
    assert (refused.verdict.kind, refused.changes) == ("no", ())
    assert told(refused, "To go on") == ["to leave this undone, type: next leave=must-leave"]
    report = answered(passed, "displace", unit="T", answers={"to.T": "46.18"})
    gone = passed.after(report.changes)
    assert (gone.state.units["T"].place, gone.state.value(*OWED)) == ("46.18", None)
    assert answered(gone, "next").verdict.kind == "figure"
    left = answered(passed, "next", leave=("must-leave",))
    assert told(left, "Left undone") == ["T in 44.20 may have to leave its hex at once (ask displace unit=T)"]
    assert passed.after(left.changes).state.value(*OWED) is None


@pytest.mark.parametrize("place", ["45.20", None])
def test_a_unit_that_is_moved_by_hand_owes_nothing(passed: Position, place: str | None) -> None:
    moved = passed.after([Change("place", "T", "44.20", place, "")])
    assert answered(moved, "next").verdict.kind == "figure"
    assert not [item for item in answered(moved, "turn").result.now.items if item.name == "must-leave"]


@pytest.mark.rule("9.8.1b")
def test_it_leaves_as_if_the_enemy_were_where_it_was(passed: Position) -> None:
    """K was in 43.19: its zone lay on 44.19, and not yet on 44.21; where it is now nobody else goes."""
    report = answered(passed, "displace", unit="T")
    hexes = {refuge.hex for refuge in report.result.refuges}
    ways = {hex for refuge in report.result.refuges for hex in refuge.way}
    assert report.result.must and "44.19" not in ways and "44.21" in ways and "43.22" not in hexes


def test_hex_by_hex_comes_to_the_same(passed: Position) -> None:
    position = typed(PASSING)
    for hex in WAY:
        position = position.after(answered(position, "move", units=("K",), way=(hex,)).changes)
    assert position.state.facts == passed.state.facts


def test_the_prompt_says_and_enters_it() -> None:
    session = Session(TableState(typed(PASSING)), 200)
    assert SAID in " ".join(session.enter(f"move units=K way={','.join(WAY)}"))
    session.enter("done")
    assert session.table.position.state.value(*OWED) == "44.20 43.19"
    assert "not over" in " ".join(session.enter("next"))
    session.enter("next leave=must-leave")
    session.enter("done")
    assert session.table.position.state.value(*OWED) is None
    assert session.table.position.state.value("phase") == "counter-movement"


@pytest.mark.parametrize("phase", ["supply", "weather", "post-combat"])
def test_every_phase_waits_for_it(phase: str) -> None:
    """Also one whose steps do not name it."""
    later = FACTS.replace("phase=movement phasing=russian", f"phase={phase} phasing=russian")
    position = typed(f"{later}T must-leave=44.20")
    owed = [item.name for item in answered(position, "turn").result.now.items if item.state == "owed"]
    assert "must-leave" in owed


@pytest.mark.rule("9.5.1", "9.9", "8.2.4b", "12.5.1", "18.1")
@pytest.mark.parametrize(
    ("more", "track", "rule", "said"),
    [
        ("44.21: german artillery - G", ("must-leave", "G"), "9.5.1", "may have to leave its hex at once"),
        ("44.21: german minor-depot - D", ("must-leave", "D"), "9.9", "may have to leave its hex at once"),
        (
            "44.21: german infantry XX E (9-9-0-9) entrained destination=44.25",
            ("must-leave", "E"),
            "8.2.4",
            "is in Rail Mode and displaces along its RR line at once",
        ),
        (
            "42.20: austro-hungarian fort - F (2-0-0-9) abandonment=3",
            ("abandonment-die", "F"),
            "12.5.1",
            "die decides at once whether the bridgehead F in 42.20 is abandoned (ask bridgehead)",
        ),
        ("43.20|44.20 pontoon", ("bridge-open", "43.20|44.20"), "18.1", "state whose it is"),
        (
            "43.20 star=3",
            ("town-open", "43.20"),
            "27.2.4",
            "43.20: 3 Victory Points if the other side held this starred town",
        ),
        (
            "43.17: russian artillery - L\n44.17: german infantry XX N (9-9-0-9)",
            ("must-leave", "L"),
            "9.5.1",
            "L in 43.17",
        ),
    ],
)
def test_whatever_is_not_carried_out_is_owed(more: str, track: tuple[str, str], rule: str, said: str) -> None:
    """The last one is a gun of the moving side that is left alone next to an enemy."""
    position, report = ridden(more)
    (consequence,) = (one for one in report.follows if one.owed.subject == track[1])
    assert (consequence.owed.track, consequence.owed.rule) == (track[0], rule)
    assert said in report.headline
    after = position.after(report.changes)
    assert track[0] in [item.name for item in answered(after, "turn").result.now.items if item.state == "owed"]


@pytest.mark.rule("8.2.4b", "9.5.1", "9.8.1", "9.9")
@pytest.mark.parametrize("legs", [[WAY], [(hex,) for hex in WAY]])
def test_each_unit_that_is_passed_leaves_by_the_rule_of_its_arm(legs: list[tuple[str, ...]]) -> None:
    """It is noted where the enemy came adjacent first; the gun of the moving side is left alone, and no enemy comes."""
    passed_by = """44.19: german infantry XX E (9-9-0-9) entrained destination=44.25
        44.21: german artillery - G
        44.22: german minor-depot - D
        43.17: russian artillery - L
        44.17: german infantry XX N (9-9-0-9)"""
    position = typed(PASSING + passed_by)
    rules = {}
    for way in legs:
        report = answered(position, "move", units=("K",), way=way)
        rules |= {one.owed.subject: one.owed.rule for one in report.follows}
        position = position.after(report.changes)
    assert rules == {"T": "9.8.1", "G": "9.5.1", "D": "9.9", "E": "8.2.4", "L": "9.5.1"}
    assert {unit: position.state.value("must-leave", unit) for unit in rules} == {
        "T": "44.20 43.19",
        "G": "44.21 43.20",
        "D": "44.22 43.21",
        "E": "44.19 43.18",
        "L": "43.17",
    }


@pytest.mark.rule("8.2.4b")
@pytest.mark.parametrize(
    ("more", "due"),
    [
        ("", {"E"}),
        ("E task=detraining", {"E"}),
        ("E task=detraining expended=1", set()),
        (
            "42.20: russian infantry XX S (9-9-0-9) entrained destination=42.15\n41.20: german infantry XX N (9-9-0-9)",
            {"E"},
        ),
    ],
)
def test_which_units_in_rail_mode_a_ride_catches(more: str, due: set[str]) -> None:
    """Not one that has begun to detrain, nor one of its own side beside which an enemy stands already."""
    _, report = ridden(f"44.21: german infantry XX E (9-9-0-9) entrained destination=44.25\n{more}")
    assert {one.owed.subject for one in report.follows} - {"T"} == due


@pytest.mark.rule("9.9", "12.5.1")
def test_what_was_passed_is_due_though_the_enemy_has_gone_on() -> None:
    line = "".join(f"4{hex}.20 operational=central-powers\n" for hex in (4, 5, 6))
    line += "44.20|45.20 rail1\n45.20|46.20 rail1\n44.20: german minor-depot - D\n"
    position, report = ridden(line)
    after = position.after(report.changes)
    gone = answered(after, "displace", unit="D")
    assert (gone.result.must, gone.result.why) == (True, "an enemy is adjacent to it")
    assert [refuge.hex for refuge in gone.result.refuges] == ["45.20", "46.20"]
    position, report = ridden("42.20: austro-hungarian fort - F (2-0-0-9) abandonment=3")
    after = position.after(report.changes)
    stands = after.after(answered(after, "bridgehead", unit="F", answers={"abandon": "2"}).changes)
    assert [stands.state.value(track, "F") for track in ("tested", "abandonment-die")] == [True, None]
    falls = after.after(answered(after, "bridgehead", unit="F", answers={"abandon": "4"}).changes)
    assert falls.state.units["F"].place is None
    assert not [item for item in answered(stands, "turn").result.now.items if item.name == "abandonment-die"]


@pytest.mark.rule("18.1")
def test_a_fact_that_is_stated_settles_it() -> None:
    position, report = ridden("43.20|44.20 pontoon")
    after = assistant.notation(position.after(report.changes))
    left = [answered(typed(text), "turn").result.now.items for text in (after, f"{after}43.20|44.20 pontoon-of=german")]
    assert [any(item.name == "bridge-open" for item in items) for items in left] == [True, False]


@pytest.mark.rule("9.1.3")
def test_cavalry_that_reacts_away_leaves_a_gun_alone() -> None:
    """Every question that moves units says what they leave behind."""
    position = typed(
        "turn=5 phase=movement phasing=russian\n44.20: german cavalry XX C (4-4-0-9), german artillery - G\n"
        "43.19: russian infantry XX R (9-9-0-9)\n43.18: russian infantry XX S (9-9-0-9)"
    )
    report = answered(position, "cavalry", unit="C", enemy=("R",), left="43.18", answers={"to.C": "45.20"})
    assert [one.owed.subject for one in report.follows] == ["G"]


@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_a_side_learns_nothing_of_what_it_does_not_see(side: str) -> None:
    """The Train lies below infantry whose top unit alone the Russian sees."""
    below = PASSING.replace("44.20: ", "44.20: german infantry XX Top (9-9-0-9), ")
    position = typed(f"{below}\nT must-leave=44.20")
    seen = reduce_state(position.game, position.state, side)
    assert (seen.value(*OWED) is None) is (side == "russian")
    view = View(position.game, seen)
    assert ("T" in view.state.units) is (side != "russian")


def owed_now(position: Position) -> list[tuple[str, tuple[str, ...]]]:
    """The facts that the checklist says are owed, with their hexes."""
    return [(item.name, item.places) for item in answered(position, "turn").result.now.items if item.state == "owed"]


UNSEEN = "hidden-units=concealment\n44.21 unseen=central-powers"


@pytest.mark.rule("27.2.4", "26.2.4")
@pytest.mark.parametrize(
    ("more", "track", "hex", "settled"),
    [
        (UNSEEN, "to-turn-over", "44.21", "44.21: german infantry XX E (9-9-0-9)"),
        (UNSEEN, "to-turn-over", "44.21", "44.21:"),
        ("43.20 star=3", "town-open", "43.20", "town 43.20 held=central-powers"),
        ("43.20 star=3", "town-open", "43.20", "town 43.20 held=russian"),
    ],
)
def test_a_hex_owes_it_until_a_player_settles_it(more: str, track: str, hex: str, settled: str) -> None:
    session = Session(TableState(typed(f"{PASSING}{more}")), 200)
    session.enter(f"move units=K way={','.join(WAY[:3])}")
    session.enter("done")
    position = session.table.position
    assert position.state.value(track, hex)
    assert (track, (hex,)) in owed_now(position)
    assert "not over" in " ".join(session.enter("next"))
    session.enter(settled)
    session.enter("done")
    assert (track, (hex,)) not in owed_now(session.table.position)


def test_positions_that_differ_in_what_is_hidden_and_owed_are_answered_alike() -> None:
    """The Train lies below infantry, so that the Russian knows neither it nor what it owes."""
    below = PASSING.replace("44.20: ", "44.20: german infantry XX Top (9-9-0-9), ")
    pair = [typed(f"{below}{more}") for more in ("", "\nT must-leave=44.20")]
    cut = [msgspec.structs.replace(one, state=reduce_state(one.game, one.state, "russian")) for one in pair]
    turns, nexts = ([as_plain(answered(one, name)) for one in cut] for name in ("turn", "next"))
    assert turns[0] == turns[1] and nexts[0] == nexts[1]
    assert [("must-leave", ()) in owed_now(one) for one in pair] == [False, True]

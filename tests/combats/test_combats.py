"""Short runs of `make explore WHAT=combats`, of who follows after combats and of rolls that a phase owes, and what they would notice."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import assistant
from assistant.formats.positions import Position
from assistant.state.changes import Change

from ..cases import few, seeds, thorough
from ..comparing.search import tried
from . import agreeing, following, rolls
from .holding import gained, misplaced, unreadable
from .playing import SEARCH, played
from .worlds import World, world

COMBATS = range(40)
ONCE = Path(__file__).parent / "once"
STAND = "game twilight-in-the-east\n41.19 clear: german infantry XX A (10-8-0-9), german infantry XX B (6-8-0-9) -2\n41.20: russian infantry XX C\n41.18 sea: german infantry XX D, german infantry XX E\n"


@thorough
def test_no_railway_leads_into_the_sea() -> None:
    """A depot goes along it."""
    for number in COMBATS:
        state = assistant.parse(world(Random(f"6 {number}")).text).state
        lines = [sides for (track, sides), fact in state.facts.items() if (track, fact.value) == ("rail", "rail1")]
        ends = {state.value("terrain", hex) for sides in lines for hex in sides.split("|")}
        assert "sea" not in ends


@thorough
@pytest.mark.parametrize("seed", seeds(6))
def test_random_combats_are_played_to_their_end(seed: int) -> None:
    found = tried(SEARCH, range(8 * seed, 8 * seed + 8), 6)
    assert found.wrong == []
    assert found.seen["combats"] > 8 / 4
    assert seed or found.seen["defender left"]


@few(1)
@pytest.mark.parametrize("seed", seeds(10))
def test_those_who_took_part_follow_and_no_others(seed: int) -> None:
    found = tried(following.SEARCH, range(4 * seed, 4 * seed + 3))
    assert found.wrong == []
    assert found.seen.keys() - {"cases", "claims"}


@few(2)
@pytest.mark.parametrize("seed", seeds(10))
def test_a_phase_that_owes_a_roll_is_not_left(seed: int) -> None:
    found = tried(rolls.SEARCH, range(12 * seed, 12 * seed + 12))
    assert found.wrong == []
    assert found.seen["attrition"] and found.seen["positions without a roll"]


@few(1)
@pytest.mark.parametrize("seed", seeds(10))
def test_questions_that_judge_one_thing_agree(seed: int) -> None:
    """The first seed leaves out the combat, which takes the longest."""
    found = tried(agreeing.SEARCH, range(3 * seed + (seed == 0), 3 * seed + 3))
    assert found.wrong == []
    assert found.seen["driven stacks"] or found.seen["no Repulse"]


def changed(*changes: tuple[str, str, object, object]) -> tuple[Position, Position]:
    """A position before and after some changes, each of a track and a unit."""
    before = assistant.parse(STAND)
    return before, before.after([Change(*one, "11.1") for one in changes])  # type: ignore[arg-type]


def test_steps_that_come_back_are_noticed() -> None:
    assert list(gained(*changed(("lost", "B", 2, 1), ("cel", "A", None, -1)))) == ["B lost from 2 to 1"]


def test_a_crowd_and_the_sea_are_noticed() -> None:
    before, after = changed(*(("place", unit, "41.19", "41.18") for unit in "AB"))
    sea, crowd = misplaced(before, after)
    assert sea == "41.18: ['A', 'B'] at sea"
    assert crowd.startswith("41.18: over-stacked, 4.0 divisions")


def test_a_position_reads_as_it_was_written() -> None:
    assert list(unreadable(assistant.parse(STAND))) == []


# --- what random combats have found -----------------------------------------------------------------------------------

LAST_STEP = """game twilight-in-the-east
turn=5
40.20: russian infantry XX R (10-9-0-9) back-steps=0 -9 cel=-3, russian infantry III a (3-2-0-9) asset with=R
41.19 clear: german infantry XX G (12-8-0-11) back-steps=0
41.19|40.20 open
chart crt summer 1:2 7 = - / -
chart slrt summer Medium 1 = 0 / 0
chart slrt summer Medium 2 = 0 / 0
ask battle at=41.19 attacker-ap=none defender-ap=none
"""


def test_a_formation_that_its_check_eliminates_stays_gone_while_its_asset_unit_retreats() -> None:
    position = assistant.parse(LAST_STEP)
    dice = {"crt": "7", "slrt": "3/3", "ec.40.20": "12", "ec.41.19": "2", "losses.R": "R"}
    for _ in range(4):
        report = assistant.ask(position, "battle", dice)
        dice |= {ask.name: ask.options[0] for ask in report.asks}
    after = position.after(report.changes).state
    assert [change.after for change in report.changes if (change.track, change.subject) == ("place", "R")] == [None]
    assert after.units["a"].place not in ("40.20", "41.19", None)


CROWDED = """game twilight-in-the-east
turn=5
40.20: russian infantry XX R (12-9-0-9) back-steps=0
41.19 clear: german infantry XX G (12-6-0-11) back-steps=0
42.19 clear: german infantry XX {}
41.19|40.20,42.19 open
41.19|40.19,41.18,41.20,42.20 impassable
chart crt summer 2:1 7 = - / W1
ask battle at=41.19 attacker-ap=none defender-ap=none
"""


def test_a_stack_that_finds_no_room_is_offered_the_hexes_beyond() -> None:
    full = CROWDED.format(", german infantry XX ".join(f"{name} (12-6-0-11) back-steps=0" for name in "HIJ"))
    report = assistant.ask(assistant.parse(full), "battle", {"crt": "7"})
    (ask,) = report.asks
    assert ask.name == "retreat.41.19.2"
    assert set(ask.options) == {"41.18", "42.18", "42.20", "43.18", "43.19"}
    with_room = CROWDED.format("H (12-6-0-11) back-steps=0")
    asks = assistant.ask(assistant.parse(with_room), "battle", {"crt": "7"}).asks
    assert "retreat.41.19.2" not in {ask.name for ask in asks}


def read_once(name: str) -> World:
    """Return a random combat that has found a fault once."""
    text, _, question = (ONCE / f"{name}.pos").read_text("utf-8").rpartition("ask battle ")
    asked = assistant.parse(f"game twilight-in-the-east\nask battle {question}").asks[0].parameters
    return World(text, {name.replace("-", "_"): value for name, value in asked.items() if name != "at"})


BEHIND_THE_RIVER = """game twilight-in-the-east
turn=5
trust charts
40.20: russian infantry XX R (20-9-0-9) back-steps=0
41.19 clear: german infantry XX G (12-15-0-11) back-steps=0 -11, german corps-train - T range=4
41.19|40.20 major-river no-crossing
chart crt summer 2:1 7 = - / -
chart slrt summer Medium 2 = 1 / 0
chart slrt summer Medium 1 = 1 / 0
ask battle at=41.19 attacker-ap=none defender-ap=none
answers crt=7 slrt=3/3 ec.40.20=2
"""


def test_who_is_lost_by_a_repulse_in_vain_is_gone_before_an_attacker_enters_its_hex() -> None:
    combat = played(read_once("repulse-in-vain"), Random("118 92 dice"))
    assert (combat.fault, combat.dice["repulse.41.19"]) == ("", "40.20,div7/3")


def test_nobody_advances_onto_a_train_that_no_zone_of_control_drives_out() -> None:
    report = assistant.ask(assistant.parse(BEHIND_THE_RIVER))
    assert (report.asks, report.result.outcome.vacated, report.result.outcome.advance) == ((), True, ())
    told = [step.text for part in report.parts for step in part.steps]
    assert "T may have to leave its hex (ask displace); no unit advances before that" in told


def test_a_depot_that_stood_next_to_the_enemy_beside_a_combat_unit_is_owed_after_a_battle() -> None:
    combat = played(read_once("depot-beside-enemy"), Random("77 14 dice"))
    assert combat.fault == ""
    assert combat.after and combat.after.state.value("must-leave", "supply9") == "42.19"

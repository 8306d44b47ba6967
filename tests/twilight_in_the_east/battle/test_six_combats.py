"""Six whole combats at a pseudo-terminal, every die and choice typed, every figure worked out by hand from the rulebook."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

import assistant
from assistant.formats.positions import Position
from assistant.util.typesetting import set_in_type

from ...cases import few
from ...conftest import GAME
from ...terminal import at_a_terminal

FOLDER = Path(__file__).parent / "combats"
PROMPT = "\x1b[?2004h"
"""What the terminal is told whenever a line may be typed."""
TRACKS = ("lost", "cel", "disorder", "owes", "ip", "control")


class Combat(NamedTuple):
    """A combat. typed: dice and choices in the order in which they are asked for; told: what the terminal shows;
    units: where each unit stands afterwards, with steps and levels lost and its Disorder; hexes: what is stated of some hexes."""

    typed: tuple[str, ...]
    told: tuple[str, ...]
    units: dict[str, str]
    hexes: dict[str, str]


def shown(file: str, typed: tuple[str, ...], folder: Path) -> tuple[str, Position]:
    """What the terminal shows in one line, and the position that is saved at the end."""
    words = ["table", GAME, str(FOLDER / file), "--umpire"]
    after = folder / "after.pos"
    lines = ("why", *typed, "why", "done", f"save {after}")
    screen = at_a_terminal(folder, words, lines, awaits=PROMPT, then=b"\x04", enter="\r")
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen)
    assert "Traceback" not in plain
    return " ".join(plain.split()), assistant.read(after, side="umpire")


def stands(position: Position, subject: str, place: str | None) -> str:
    """A unit's hex, or nothing for a hex itself, with what it has lost."""
    if place is None and subject in position.state.units:
        return ""
    values = {track: position.state.value(track, subject) for track in TRACKS}
    return " ".join([*([place] if place else []), *(f"{track}={value}" for track, value in values.items() if value)])


COMBATS = {
    "1-river-rough-position": Combat(
        typed=("6+6", "42.19", "3 4", "R1", "5", "12", "11", "43.18", "R1"),
        told=(
            "attacker: 34 in all",
            "defender: 8 in all",
            "34:8 rounds to 4:1",
            "not flanked",
            "rough terrain: -1",
            "across minor-river: -1",
            "Level 2 Improved Position: -2",
            "negated by heavy artillery: +1",
            "shifted by -3 to 1:1: column 1:1",
            "3 in all: Medium",
            "12 on 1:1: -1 * / +2 W1",
            "attacker rolls 3 -1 = 2 on Medium: 0 steps, 1 on a check",
            "defender rolls 4 +3 = 7 on Medium: 1 step, 1 on a check",
            "R1 rolls 12 +0 = 12 against 10: fails by 2",
            "R2 rolls 5 -1 = 4 against 10: passes",
            "G1 rolls 11 +4 = 15 against 11: fails by 4",
            "G1 loses 2 levels, retreats 1 hex",
        ),
        units={"R1": "41.19 cel=-1", "R2": "40.19 lost=2", "G1": "43.18 lost=1 cel=-2", "T1": "42.18"},
        hexes={"41.19": "", "40.20": "control=russian"},
    ),
    "2-fortress": Combat(
        typed=("6+4", "2 6", "R1", "G1,G1,G1", "R2", "7", "12", "4", "41.21", "41.22", "42.19", "42.18"),
        told=(
            "attacker: 57 in all",
            "F1 in 41.19: 6",
            "defender: 19 in all",
            "57:19 rounds to 3:1",
            "attackers of 2 corps or independent stacks: -1",
            "column 2:1",
            "4 in all: Large",
            "10 on 2:1: -1 * / +2 W2",
            "F1 loses 2 steps in place of hexes of retreat",
            "attacker rolls 2 +1 = 3 on Large: 1 step, 1 on a check",
            "defender rolls 6 +4 = 10 on Large: 3 steps, 1 on a check",
            "defender loses: G1 3",
            "R1 rolls 7 +1 = 8 against 10: passes",
            "R2 rolls 7 +0 = 7 against 8: passes",
            "R3 rolls 12 -1 = 11 against 6: fails by 5",
            "R3 loses 1 level, retreats 2 hexes, loses 1 step, is Disordered, degree 1",
            "G1 rolls 4 +7 = 11 against 7: fails by 4",
            "G1 loses 2 levels, retreats 2 hexes",
        ),
        units={
            "R1": "40.20 lost=1",
            "R2": "40.20 cel=-2",
            "R3": "41.22 lost=1 cel=-4 disorder=1",
            "G1": "42.18 lost=3 cel=-4",
            "F1": "41.19 lost=2",
            "T1": "43.18",
        },
        hexes={"41.20": "control=russian", "41.19": ""},
    ),
    "3-cavalry-stands-aside": Combat(
        typed=("5+4", "41.18", "4 3", "R1", "10", "9", "10", "40.18", "R2"),
        told=(
            "attacker: 38 in all",
            "defender: 12 in all",
            "38:12 rounds to 3:1",
            "not flanked",
            "column 3:1",
            "3 in all: Medium",
            "9 on 3:1: -1 * / +1 W1",
            "first unoccupied hex in an EZOC (41.18): each Force loses 1 level",
            "C1: 1 level",
            "G1: 1 level",
            "attacker rolls 4 -2 = 2 on Medium: 0 steps, 1 on a check",
            "defender rolls 3 +2 = 5 on Medium: 1 step, 0 on a check",
            "R1 rolls 10 +0 = 10 against 10: passes",
            "R2 rolls 9 -1 = 8 against 10: passes",
            "G1 rolls 10 +3 = 13 against 9 (1 level lost in its retreat): fails by 4",
            "G1 loses 2 levels, retreats 1 hex",
        ),
        units={
            "R1": "40.20",
            "R2": "41.19",
            "R3": "42.18",
            "C1": "40.18 cel=-1",
            "G1": "40.18 lost=1 cel=-3",
            "T1": "39.17",
        },
        hexes={"41.19": "", "41.20": "control=russian"},
    ),
    "4-three-zones": Combat(
        typed=("6+6", "3 4", "R1", "6", "7", "3", "41.15", "R1"),
        told=(
            "attacker: 19 in all",
            "defender: 6 in all",
            "19:6 rounds to 3:1",
            "not flanked",
            "column 3:1",
            "12 on 3:1: -2 * / +2 W3",
            "first unoccupied hex in an EZOC (41.18): each Force loses 1 level",
            "second unoccupied hex in an EZOC (41.17): each Force loses 1 level, 1 step, all artillery",
            "third unoccupied hex in an EZOC (41.16): each Force loses 1 level, 1 step",
            "G1: 3 levels, 2 steps; artillery lost: H1",
            "attacker rolls 3 -2 = 1 on Medium: 0 steps, 1 on a check",
            "defender rolls 4 +2 = 6 on Medium: 2 steps, 0 on a check",
            "defender loses: G1 2",
            "R1 rolls 6 +0 = 6 against 10: passes",
            "R2 rolls 7 -1 = 6 against 10: passes",
            "G1 rolls 3 +7 = 10 against 8 (3 levels lost in its retreat): fails by 2",
            "G1 loses 1 level, retreats 1 hex",
        ),
        units={
            "R1": "41.19",
            "R2": "41.20 lost=4",
            "R3": "40.19",
            "G1": "41.15 lost=4 cel=-4",
            "H1": "",
            "T1": "41.15",
        },
        hexes={"41.19": "", "40.20": "control=russian"},
    ),
    "5-surrender": Combat(
        typed=("4+4", "none", "3", "R1", "9", "12", "R1"),
        told=(
            "attacker: 17 in all",
            "defender: 7 in all",
            "17:7 rounds to 2:1",
            "defender flanked: +2",
            "column 4:1",
            "3 in all: Medium",
            "8 on 4:1: -1 / +1 W1",
            "no hex is open from 41.19; surrendered, and permanently eliminated: G1",
            "attacker rolls 3 -1 = 2 on Medium: 0 steps, 1 on a check",
            "R1 rolls 9 +1 = 10 against 10: passes",
            "R2 rolls 12 +0 = 12 against 9: fails by 3",
            "R2 loses 1 level",
            "Russian: 4 Victory Points for G1 eliminated",
        ),
        units={"R1": "41.19", "R2": "41.20 cel=-2", "R3": "40.19", "R4": "41.18", "R5": "42.20", "G1": "", "a1": ""},
        hexes={"41.19": "", "40.20": "control=russian"},
    ),
    "6-attacker-thrown-back": Combat(
        typed=("1+1", "39.20", "38.21", "39.19", "38.19", "3 2", "G1", "5", "8", "9", "37.19", "36.20"),
        told=(
            "attacker: 27 in all",
            "defender: 43 in all",
            "27:43 rounds to 1:2",
            "not flanked",
            "column 1:2",
            "5 in all: Large",
            "2 on 1:2: +3 X W2 / -2",
            "first unoccupied hex in an EZOC (38.19): each Force loses 1 level",
            "R2: 1 level",
            "R3: 1 level",
            "attacker rolls 3 +6 = 9 on Large: 3 steps, 0 on a check",
            "attacker loses: R1 1, R2 1, R3 1",
            "defender rolls 2 -1 = 1 on Large: 0 steps, 1 on a check",
            "R1 rolls 5 +4 = 9 against 10: passes",
            "R2 rolls 8 +4 = 12 against 6 (1 level lost in its retreat): fails by 6",
            "R2 loses 1 level, retreats 2 hexes, loses 1 step, is Disordered, degree 1",
            "R3 rolls 8 +4 = 12 against 7 (1 level lost in its retreat): fails by 5",
            "R3 loses 2 levels, retreats 1 hex",
            "G1 rolls 9 +1 = 10 against 11: passes",
            "G2 rolls 9 +0 = 9 against 11: passes",
        ),
        units={
            "R1": "38.21 lost=1",
            "R2": "36.20 lost=2 cel=-4 disorder=1",
            "R3": "37.19 lost=6 cel=-3",
            "G1": "41.19",
            "G2": "41.19 lost=1",
            "G3": "38.18",
            "T3": "38.21",
        },
        hexes={"40.20": "control=russian", "40.19": "control=russian"},
    ),
}
"""By the name of the file of its position. In the fourth only one way is open, so that no hex is asked for."""


@few(1)
@pytest.mark.parametrize("name", COMBATS)
def test_a_whole_combat_at_a_terminal(name: str, tmp_path: Path) -> None:
    combat = COMBATS[name]
    screen, after = shown(f"{name}.pos", combat.typed, tmp_path)
    missing = [line for line in combat.told if set_in_type(line, curly=False) not in screen]
    assert missing == [], screen[-3000:]
    assert {unit: stands(after, unit, place_of(after, unit)) for unit in combat.units} == combat.units
    assert {hex: stands(after, hex, None) for hex in combat.hexes} == combat.hexes


def place_of(position: Position, unit: str) -> str | None:
    """A unit's hex, None if it is not on the map."""
    return position.state.units[unit].place if unit in position.state.units else None

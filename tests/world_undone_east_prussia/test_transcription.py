"""The set-ups against a second transcription of the rulebook: every unit, hex, strength, allowance, type and army, and every
doubtful printing by its name (9.1, 9.4).
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.rules.setup_question import read_set_up

from ..conftest import ruled, told
from .asking import GAME, undone

SECOND = Path(__file__).parent / "transcription"
TYPES = {"Inf": "infantry", "Gar": "garrison", "Cav": "cavalry", "Art": "heavy-artillery", "HQ": "headquarters"}
SETUPS = {"historical": 48, "masurian-lakes": 39}


@pytest.fixture(scope="module")
def east() -> Game:
    return load_game(GAME)


def rows(name: str) -> list[dict[str, str]]:
    with (SECOND / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def bare(name: str) -> str:
    """The name of a unit without what tells its parts apart."""
    return re.sub(r"[ /.-]", "", name).casefold()


def values(printed: str) -> tuple[int | None, int]:
    """Strength, None for heavy artillery, and allowance of `(5-2)`, `[(-1)-2]` or, as printed for 41KB, `(304)`."""
    if printed.startswith("[(-1)-"):
        return None, int(printed[6])
    strength, _, allowance = printed.strip("()").replace("304", "3-4").partition("-")
    return int(strength), int(allowance)


@pytest.mark.rule("9.0", "9.1", "9.1.1", "9.1.2", "9.4/set-up", "3.1/types", "3.1/armies")
@pytest.mark.parametrize("name", SETUPS)
def test_each_unit_of_a_set_up_is_as_printed(east: Game, name: str) -> None:
    printed = {}
    for row in rows(name):
        strength, allowance = values(row["values"])
        kind = TYPES[row["type"] or "Art"]
        printed[bare(row["unit"])] = row["hex"], row["side"], row["army"].lower() or "8th", kind, strength, allowance
    found = {}
    for unit in read_set_up(east, name).units.values():
        of = {track: facts[0].value for track, facts in east.roster[unit.type].items()}
        found[bare(unit.id)] = unit.place, of["nation"], of["army"], of["arm"], of.get("sp"), of["ma"]
    assert found == printed
    assert len(printed) == SETUPS[name]


def test_units_of_one_hex_lie_in_the_printed_order(east: Game) -> None:
    for name in SETUPS:
        state = read_set_up(east, name)
        stacks: dict[str, list[str]] = {}
        for row in rows(name):
            stacks.setdefault(row["hex"], []).append(bare(row["unit"]))
        assert {at: [bare(unit.id) for unit in state.stack(at)] for at in stacks} == stacks


@pytest.mark.rule("3.1/types", "10.6/general")
def test_heavy_artillery_has_no_strength_and_headquarters_have_1(east: Game) -> None:
    of = {unit: {track: facts[0].value for track, facts in tracks.items()} for unit, tracks in east.roster.items()}
    assert {unit for unit, facts in of.items() if facts["arm"] == "heavy-artillery"} == {"1A/1HA", "1A/2HA", "2A/3HA"}
    assert not any("sp" in of[unit] for unit in ("1A/1HA", "1A/2HA", "2A/3HA"))
    assert {(of[unit]["sp"], of[unit]["ma"]) for unit in ("8A/H-L", "1A/Renn")} == {(1, 4)}


def test_only_the_named_printings_are_doubtful() -> None:
    odd = [
        (row["unit"], row["values"]) for name in SETUPS for row in rows(name) if "-" not in row["values"].strip("()")
    ]
    assert odd == [("8A 41KB", "(304)")]
    slow = [row["unit"] for row in rows("historical") if row["type"] == "Inf" and row["values"].endswith("-1)")]
    assert slow == ["VI 4"]
    full = [row["hex"] for row in rows("masurian-lakes") if row["values"].startswith("[")]
    assert full == ["4916", "4916"]


@pytest.mark.rule("9.1.1", "9.1.2", "9.4/set-up")
@pytest.mark.parametrize(
    ("name", "unit", "words"),
    [
        ("historical", "XIII/1", "2523"),
        ("historical", "VI/4", "movement allowance of 1"),
        ("historical", "XIII/2", "no rule asks for the corps"),
        ("historical", "8A/Ldw2", "printed as cavalry"),
        ("masurian-lakes", "8A/41KB", "(304)"),
        ("masurian-lakes", "4916", "two heavy artillery units"),
        ("masurian-lakes", "8A/G-Kon", "printed as infantry"),
    ],
)
def test_a_doubtful_printing_is_named(name: str, unit: str, words: str) -> None:
    said = told(undone(f"scenario={name}\nturn=20", "setup"), "Scenario")
    assert any(line.startswith(unit) and words in line for line in said)


@pytest.mark.rule("9.1.2", "9.1.1")
def test_doubtful_printings_are_kept_unless_ruled_otherwise() -> None:
    report = undone("scenario=historical", "setup")
    assert {one: ruled(report, one) for one in ("thirteenth-corps", "fourth-division", "second-landwehr")} == {
        "thirteenth-corps": "printed",
        "fourth-division": "printed",
        "second-landwehr": "printed",
    }
    where = {unit.unit: unit.where for unit in report.result.units}
    assert (where["XIII/1"], where["VI/4"], where["XIII/2"]) == ("2523", "2932", "2033")
    assert not any(getattr(change, "track", "") in ("ma", "arm") for change in report.changes)
    other = "ruling thirteenth-corps = inferred\nruling fourth-division = inferred\nruling second-landwehr = inferred"
    report = undone(f"scenario=historical\n{other}", "setup")
    assert {unit.unit: unit.where for unit in report.result.units}["XIII/1"] == "2533"
    stated = {(one.track, one.subject): one.after for one in report.changes if hasattr(one, "track")}
    assert (stated["ma", "VI/4"], stated["arm", "8A/Ldw2"]) == (2, "infantry")

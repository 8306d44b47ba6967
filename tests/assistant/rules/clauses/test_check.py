"""What `module-builder check` says of `rules.toml`: every slip with its line, and the clauses that nothing meets."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant.installed.check import examine_game
from assistant.rules.clauses.unmet import list_unmet

from ....cases import few

GAMES = Path(__file__).parent / "games"
EAST, CROSSING = "east41", "crossing14"


def copy(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(GAMES / name, folder / name))


def spoil(game: Path, old: str, new: str, file: str = "rules.toml") -> int:
    """Put a slip into a file, and return its line."""
    text = (game / file).read_text()
    assert text.count(old) >= 1, old
    (game / file).write_text(text.replace(old, new, 1))
    return text[: text.index(old)].count("\n") + 1


@pytest.mark.parametrize("name", [EAST, CROSSING])
def test_the_games_have_no_mistake_and_every_clause_is_met(name: str) -> None:
    checked = examine_game(str(GAMES / name))
    assert checked.faults.lines == []
    assert checked.game is not None
    assert list_unmet(checked.game) == []


SLIPS = [
    (EAST, 'soviet = "east"', 'sowjet = "east"', "unknown side 'sowjet'"),
    (EAST, 'axis = "west"', 'axis = "vest"', "vest"),
    (EAST, 'hexside = "river"', 'hexside = "rivers"', "nearest known: river"),
    (EAST, 'roads = ["road"]', 'roads = ["raod"]', "nearest known: road"),
    (EAST, 'control = "control"', 'control = "contol"', "nearest known: control"),
    (EAST, "forest = {", "forrest = {", "unknown word of the ground 'forrest'; nearest known: forest"),
    (EAST, "by = { armour = 3 }", "by = { armor = 3 }", "unknown word of arm 'armor'; nearest known: armour"),
    (EAST, "over = { river = true }", "over = { rivr = true }", "unknown track of a hexside 'rivr'"),
    (EAST, 'phases = ["move"]', 'phases = ["moves"]', "unknown phase 'moves'"),
    (EAST, "total = 2", "totall = 2", "totall"),
    (EAST, 'column = "arm"', 'column = "arms"', "unknown choice of units 'arms'"),
    (EAST, 'halved = "up"', 'halved = "upp"', "upp"),
    (EAST, "supplied = false", "suplied = false", "suplied"),
    (EAST, 'edge = "west", along', 'edge = "wst", along', "wst"),
    (EAST, 'side = "axis"', 'side = "axes"', "unknown side 'axes'; nearest known: axis"),
    (EAST, 'along = "road"', 'along = "rode"', "unknown track of a hexside 'rode'"),
    (EAST, 'attack = "attack"', 'attack = "atack"', "unknown number of units 'atack'"),
    (EAST, 'chart = "crt"', 'chart = "crtt"', "unknown chart 'crtt'; nearest known: crt"),
    (EAST, 'steps = "reduced"', 'steps = "reducd"', "unknown flag of units 'reducd'"),
    (EAST, 'EX = "A1 D1"', 'EX = "A1 X1"', "'X1' of the result EX is not an effect"),
    (EAST, 'DR = "DR2"', 'DRR = "DR2"', "unknown result of the chart 'DRR'"),
    (EAST, 'against = { arm = "armour" }', 'against = { arm = "armor" }', "nearest known: armour"),
    (
        EAST,
        'into = { terrain = "clear" }',
        'into = { terrain = "clera" }',
        "unknown word 'clera'; nearest known: clear",
    ),
    (EAST, 'says = "out of supply"', 'rows = "6.1"', "has no words for answers"),
    (EAST, 'zones = "7.6"', 'zones = "7.66"', "rule 7.66 is not in rules.csv"),
    (EAST, 'stop = "4.3"', 'stop = "4.33"', "rule 4.33 is not in rules.csv"),
    (CROSSING, 'weather = "mud"', 'weather = "mudd"', "unknown word 'mudd'; nearest known: mud"),
    (CROSSING, 'unless = "bridging"', 'unless = "bridgin"', "unknown option 'bridgin'; nearest known: bridging"),
    (CROSSING, 'option = "depots"', 'option = "depot"', "unknown option 'depot'; nearest known: depots"),
    (CROSSING, "cavalry-town=halved", "cavalry-town=halfed", "unknown reading 'halfed'; nearest known: halved"),
    (CROSSING, "cavalry-town=halved", "cavalry-twon=halved", "unknown ruling 'cavalry-twon'"),
    (CROSSING, "disordered = true", 'disordered = "yes"', "'yes' is not yes or no"),
    (CROSSING, "{unit} is disordered", "{units} is disordered", "unknown figure 'units'; nearest known: unit"),
    (CROSSING, 'zone = "enters"', 'zone = "enter"', "enter"),
    (CROSSING, 'points = "size"', 'points = "sise"', "unknown number of units 'sise'; nearest known: size"),
    (CROSSING, 'losses = "size"', 'losses = "sizes"', "unknown number of units 'sizes'"),
    (CROSSING, 'place = "Suwalki"', 'along = "road"', "a source is an edge or a place"),
    (CROSSING, '{ terrain = "swamp" }', '{ control = "german" }', "lines end in ground alone"),
    (CROSSING, 'german = "west", ', "", "no edge of the map is stated for german"),
    (CROSSING, '{ arm = ["artillery", "leader"] }', '{ arm = ["artillery", "leader", "gun"] }', "unknown word 'gun'"),
]


@few(14)
@pytest.mark.parametrize(("game", "old", "new", "says"), SLIPS)
def test_each_slip_is_named_with_its_line(tmp_path: Path, game: str, old: str, new: str, says: str) -> None:
    folder = copy(game, tmp_path)
    line = spoil(folder, old, new)
    faults = examine_game(str(folder)).faults.lines
    assert any(says in fault for fault in faults), faults
    lines = [int(fault.split(":")[1]) for fault in faults if fault.startswith("rules.toml:")]
    if new:
        assert line in lines, (line, faults)
    else:  # what is missing is named where it is needed
        assert lines, faults


def test_a_combat_has_one_answer(tmp_path: Path) -> None:
    folder = copy(EAST, tmp_path)
    line = spoil(folder, 'ask = "battle"', 'ask = "odds"', "game.toml")
    combat = '[combat]\nattack = "attack"\ndefence = "defence"\nrounding = "down"\nchart = "crt"\ndice = [1, 6]\n'
    (folder / "game.toml").write_text((folder / "game.toml").read_text() + combat)
    faults = examine_game(str(folder)).faults.lines
    assert f"game.toml:{line}: [table] ask: 'odds' does not follow rules.toml; write: ask = \"battle\"" in faults
    assert any("[combat]: rules.toml has [battle], so a combat has two answers" in fault for fault in faults)


def test_a_clause_that_nothing_meets_is_named_with_its_line(tmp_path: Path) -> None:
    folder = copy(EAST, tmp_path)
    line = spoil(folder, 'points = [{ halved = "up"', 'points = [{ add = 1, unit = { name = "Cav", reduced = true }, rule = "6.6", says = "worn" }, { halved = "up"')  # fmt: skip
    checked = examine_game(str(folder))
    assert checked.faults.lines == []
    assert checked.game is not None
    assert list_unmet(checked.game) == [f"movement.points 1 (line {line})"]


def test_a_result_that_takes_a_step_needs_steps(tmp_path: Path) -> None:
    folder = copy(EAST, tmp_path)
    spoil(folder, 'steps = "reduced"\n', "")
    assert any("takes a step of a unit" in fault for fault in examine_game(str(folder)).faults.lines)


def test_supplied_needs_lines_of_supply(tmp_path: Path) -> None:
    folder = copy(EAST, tmp_path)
    text = (folder / "rules.toml").read_text()
    start, end = text.index("[supply]"), text.index("[battle]")
    (folder / "rules.toml").write_text(text[:start] + text[end:])
    assert any(
        "no rule says who is in supply; add [supply]" in fault for fault in examine_game(str(folder)).faults.lines
    )


def test_a_file_that_is_not_toml_is_named_with_its_line(tmp_path: Path) -> None:
    folder = copy(EAST, tmp_path)
    line = spoil(folder, 'hexside = "river"', 'hexside = "river')
    (fault, *_) = examine_game(str(folder)).faults.lines
    assert fault.startswith(f"rules.toml:{line}:")

"""The question `threat`: each figure against what `battle`, `attacks`, `reach`, `stack` and `supply` say themselves."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from assistant.formats.positions import Position
from assistant.game.viewpoint import seen_by
from assistant.service import ask, read, sketch, text_map
from assistant.util.errors import InputError
from benchmarks.front import front_line
from twilight_in_the_east.results.outcome import BattleOutcome

from ... import threatening
from ...cases import seeds, thorough
from ...combats.worlds import world
from ...conftest import answered, told, typed
from ...threatening import assaults, at_attack, threats

GAME = Path(__file__).parents[3] / "plugins/twilight_in_the_east"
EXAMPLE = GAME / "examples/threat.pos"
FACED = """turn=1
accept illustrative reconstruction
40.20: 25/3 (10-?-5-10) movement=8, 27/3 (10-?-5-10) movement=8
40.19: 29/20 (10-?-5-10) -3 movement=8
41.19 clear: 1/1 (12-16-7-11) movement=8
41.19|40.19,40.20 open
"""


def compare(position: Position, result: Any) -> int:
    """Each attack of a result with what `battle` says of it; how many were compared."""
    count = 0
    for threat, assault in assaults(result):
        battle = ask(at_attack(position, result, assault, "attack"), "battle", **assault.battle).result
        assert battle is not None, assault.battle
        strength = sum(unit.strength for unit in battle.attacker.units)
        assert (battle.column, strength, battle.defender.total) == (assault.column, assault.attack, assault.defence)
        chances, danger = battle.chances, assault.chances
        assert (chances is None) == (danger is None)
        if chances and danger:
            assert (danger.lost, danger.at_least) == (chances.vacates, bool(chances.may_open))
            assert (danger.defender_mean, danger.attacker_mean) == (chances.defender_mean, chances.attacker_mean)
            assert (danger.defender_losses, danger.attacker_losses) == (chances.defender_steps, chances.attacker_steps)
            checks = {force.force: (1 - force.passes, force.retreats) for force in chances.forces}
            own = {check.unit: (check.fails, check.retreats) for check in danger.checks}
            assert own.items() <= checks.items()
            assert {unit.unit for unit in battle.defender.units} & checks.keys() == own.keys()
        for approach in assault.approaches:
            assert approach.way[-1] == approach.to
        count += 1
        assert threat.worst == (threat.coming or threat.standing)
    return count


@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_every_figure_is_that_of_battle_in_the_example(side: str) -> None:
    position = read(EXAMPLE)
    result = threats(position, side)
    assert compare(position, result) >= 3
    assert any(threat.coming for threat in result.hexes)


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", seeds(60))
def test_every_figure_is_that_of_battle_in_random_combats(seed: int) -> None:
    made = world(Random(f"threat {seed}"))
    position = typed(made.text)
    for side in position.game.file.sides:
        result = threats(position, side)
        if result is not None:
            compare(position, result)


def test_every_figure_is_that_of_battle_along_a_front(twilight: Any) -> None:
    position = typed(front_line(twilight, 40))
    assert compare(position, threats(position, "russian")) >= 8


@thorough
@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_every_figure_is_that_of_battle_in_the_set_up(side: str) -> None:
    text = (GAME / "setups/19-august-1914.pos").read_text()
    head, _, rest = text.partition("turn=2")
    accepted = head[head.index("game ") :].replace("illustrative", "illustrative reconstruction")
    position = typed(f"{accepted}turn=2 weather=normal{rest}")
    assert compare(position, threats(position, side)) >= 8

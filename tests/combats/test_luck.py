"""The luck of random combats on random ground, played to their end: all of it comes to what their reports say."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import msgspec
import pytest

import assistant
from assistant.formats.positions import Asked
from assistant.records.explaining.played import Passage, PlayedQuestion, Ruled
from assistant.records.luck.evening import BattleLuck
from assistant.state.tracks import Source

from ..assistant.records.luck.asked import evening_of
from ..cases import seeds, thorough
from .playing import Told, told


def lucky(combat: Told) -> tuple[BattleLuck, dict[str, int]]:
    """The luck of a combat, and what its report says that each side has lost."""
    position = assistant.parse(combat.world.text)
    state = msgspec.structs.replace(position.state, accepts=position.state.accepts | {Source.RECONSTRUCTION})
    before = position.with_state(state)
    given = {name.replace("_", "-").rstrip("-"): value for name, value in combat.world.asked.items()}
    asked = Asked("battle", {"at": combat.world.at, **given})
    report = assistant.ask(before, asked, combat.dice)
    question = PlayedQuestion(asked, combat.dice, lambda: Ruled(report))
    (battle,) = evening_of([Passage("question", 1, 1, lambda: (before, before), question=question)]).battles
    outcome = report.result.outcome
    return battle, {"attacker": outcome.attacker_steps, "defender": outcome.defender_steps}


@thorough
@pytest.mark.parametrize("seed", seeds(8))
def test_all_rolls_choices_and_losses_of_a_combat_are_accounted_for(seed: int) -> None:
    seen = Counter[str]()
    for number in range(8 * seed, 8 * seed + 8):
        combat = told(number, 7)
        if combat.fault or combat.after is None:
            continue
        battle, lost = lucky(combat)
        assert {side.role: side.lost + side.afterwards for side in battle.sides} == lost
        moved = Fraction(0)
        for turn in battle.turns:
            assert turn.before is not None and turn.after is not None
            moved += (turn.after - turn.before) * (1 if turn.side in ("", battle.attacker) else -1)
        assert battle.expected + moved == battle.swing
        seen["combats"] += 1
    assert seen["combats"] > 4

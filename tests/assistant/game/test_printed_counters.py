"""The counters of a game as their owner types them, and what is not known of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.game.packs import Pack
from assistant.game.printed_counters import counters_with_gaps, incomplete_counters, list_counters


@pytest.fixture
def pack(twilight: Game, tmp_path: Path) -> Pack:
    return Pack(twilight, tmp_path / "pack")


def test_counters_stand_formation_by_formation_with_those_that_the_owner_adds(pack: Pack) -> None:
    rows = list_counters(pack)
    assert {row.unit for row in rows} == {*pack.game.roster}
    formations = [row.formation for row in rows]
    assert formations == sorted(formations, key=formations.index), "each formation once"
    pack.enter_all({("Reserve", "nation"): "german", ("Reserve", "arm"): "infantry", ("Reserve", "size"): "XX"})
    assert "Reserve" in {row.unit for row in list_counters(pack)}


def test_what_is_typed_is_missing_no_longer(pack: Pack) -> None:
    before = {row.unit: missing for row, missing in counters_with_gaps(pack)}["25/3"]
    assert "steps" in before and "effectiveness" not in before, "the rulebook states it"
    pack.enter_all({("25/3", name): "1" for name in before - {"artillery-class"}})
    after = {row.unit: missing for row, missing in counters_with_gaps(pack)}["25/3"]
    assert (before - after, after) == (before - {"artillery-class"}, {"artillery-class"})
    assert "25/3" in {row.unit for row in incomplete_counters(pack)}

"""Which season a game turn has, and where a thaw is as hard as winter."""

from __future__ import annotations

import pytest

from assistant.asking import MissingFacts
from kaisers_war_in_the_east.seasons import is_hard, season

from ...conftest import viewed

GAME = "game kaisers-war-in-the-east\n"


def season_of(text: str) -> str:
    with viewed(GAME + text).gather() as facts:
        return season(facts)


@pytest.mark.rule("22.0")
def test_the_turn_record_tells_the_season() -> None:
    """August to October 1914 are single months, which only summer turns are; the rest of the record is reconstructed."""
    assert season_of("turn=1") == "summer"
    assert season_of("trust charts\nturn=4") == "winter"
    assert season_of("trust charts\nturn=6") == "thaw"
    assert season_of("chart turn-record 4 = summer\nturn=4") == "summer"
    with pytest.raises(MissingFacts):
        season_of("turn=4")
    with pytest.raises(MissingFacts) as missing, viewed(GAME).gather() as facts:
        season(facts)
        facts.word("phasing")
    assert [ask.key for ask in missing.value.asks] == [("turn", ""), ("phasing", "")]


@pytest.mark.rule("22.2")
def test_a_thaw_is_as_hard_as_winter_in_russia_alone() -> None:
    hard = {
        (one, place) for one in ("summer", "winter", "thaw") for place in ("russia", "germany") if is_hard(one, place)
    }
    assert hard == {("winter", "russia"), ("winter", "germany"), ("thaw", "russia")}

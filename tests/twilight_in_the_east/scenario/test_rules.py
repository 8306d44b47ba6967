"""Which units and rules belong to a scenario of the booklet (3.2.1, 29.0)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.scenario.rules import belongs_to, campaign_misfit, is_campaign

BOOKLET = ("29.1", "29.2", "29.3", "29.4", "29.5", "29.6", "29.7")


@pytest.mark.rule("29.0")
def test_two_scenarios_are_campaign_games() -> None:
    assert {name: is_campaign(name) for name in BOOKLET} == {name: name in ("29.6", "29.7") for name in BOOKLET}
    assert is_campaign("my-own") is None


@pytest.mark.rule("3.2.1", "29.0")
@pytest.mark.parametrize(
    ("russian_set", "scenarios"),
    [
        ("north", {"29.1", "29.5", "29.6", "29.7", "my-own"}),
        ("south", {"29.2", "29.3", "29.4", "29.6", "29.7", "my-own"}),
        ("campaign", {"29.6", "29.7", "my-own"}),
        ("none", {*BOOKLET, "my-own"}),
    ],
)
def test_a_set_of_units_belongs_to_some_scenarios(russian_set: str, scenarios: set[str]) -> None:
    assert {name for name in (*BOOKLET, "my-own") if belongs_to(name, russian_set)} == scenarios


@pytest.mark.rule("29.0")
def test_the_rules_of_the_campaign_are_those_of_campaign_games() -> None:
    for name in ("29.6", "29.7"):
        assert campaign_misfit(name, campaign=False) == "it is a campaign game; state: campaign"
        assert campaign_misfit(name, campaign=True) == ""
    for name in ("29.1", "29.2", "29.3", "29.4", "29.5"):
        assert campaign_misfit(name, campaign=True) == "it is not a campaign game; leave out: campaign"
        assert campaign_misfit(name, campaign=False) == ""
    assert campaign_misfit("my-own", campaign=True) == campaign_misfit("my-own", campaign=False) == ""

"""The terrain of a hex by heights: they overrule the region in which it lies."""

from __future__ import annotations

import pytest

from assistant.util.datafiles import read_toml
from tools.geography.__main__ import GAMES
from tools.geography.land import by_height, by_rise
from tools.geography.settings import Settings


@pytest.fixture(scope="module")
def settings() -> Settings:
    return read_toml(GAMES / "twilight_in_the_east" / "geography.toml", Settings)


@pytest.mark.parametrize(
    ("kind", "mean", "relief", "terrain"),
    [
        ("clear", 200, 60, "clear"),
        ("clear", 250, 160, "rough"),
        ("clear", 500, 260, "rough"),  # the Dukla gap
        ("clear", 600, 210, "mountain"),
        ("clear", 600, 190, "rough"),  # a high plain between mountains
        ("clear", 1000, 310, "high-mountain"),
        ("rough", 300, 80, "rough"),
        ("rough", 300, 60, "clear"),
        ("wetlands", 260, 20, "wetlands"),
    ],
)
def test_terrain_by_height_and_relief(kind: str, mean: float, relief: float, terrain: str, settings: Settings) -> None:
    assert by_height(kind, mean, relief, settings) == terrain


@pytest.mark.parametrize(
    ("kind", "rise", "terrain"),
    [
        ("clear", 84, "clear"),
        ("clear", 85, "rough"),
        ("rough", 43, "rough"),
        ("rough", 42, "clear"),
        ("wetlands", 10, "wetlands"),
        ("wetlands", 20, "clear"),
        ("wetlands", 90, "rough"),
        ("mountain", 50, "mountain"),  # the Holy Cross Mountains, which the coarse data hardly show
    ],
)
def test_terrain_by_the_rise_over_the_ground_around(kind: str, rise: float, terrain: str, settings: Settings) -> None:
    assert by_rise(kind, rise, settings) == terrain

"""What lies between two hexes, and what bridges it (2.2, 8.1.3)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.ground.hexsides import between, bridge, is_unbridged

from ...conftest import viewed


@pytest.mark.parametrize(
    ("over", "bridged"),
    [
        ("secondary-road", True),
        ("rail1", True),
        ("bridge", True),
        ("pontoon", True),
        ("ferry", False),
        ("no-crossing", False),
        ("secondary-road ferry", False),
        ("rail1 secondary-road ferry", True),
        ("", None),
    ],
)
def test_a_road_or_railway_has_a_bridge_but_not_a_road_to_a_ferry(over: str, bridged: bool | None) -> None:
    side = between(viewed(f"48.75|49.75 major-river {over}"), "48.75", "49.75")
    assert bridge(side) is bridged
    assert is_unbridged(side) is not bool(bridged)

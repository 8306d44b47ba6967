"""What has changed between two states, made in a third."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.service import parse
from assistant.state.patches import patch_state

GAME = "twilight-in-the-east"


def state(lines: str) -> Any:
    return parse(f"game {GAME}\n{lines}").state


def places(made: Any) -> dict[str, list[str]]:
    return {place: [unit.id for unit in made.stack(place)] for place in ("40.20", "41.19")}


@pytest.mark.parametrize(
    ("now", "before", "after", "made"),
    [
        ("40.20: 25/3, 27/3, 29/20", "40.20: 25/3", "41.19: 25/3", {"40.20": ["27/3", "29/20"], "41.19": ["25/3"]}),
        ("40.20: 25/3, 27/3", "40.20: 25/3", "40.20: 29/20, 25/3", {"40.20": ["29/20", "25/3", "27/3"], "41.19": []}),
        ("40.20: 27/3\n41.19: 25/3", "", "41.19: 29/20", {"40.20": ["27/3"], "41.19": ["25/3", "29/20"]}),
        ("40.20: 25/3, 27/3, 29/20", "40.20: 25/3, 29/20", "40.20: 29/20, 25/3", {"40.20": ["29/20", "25/3", "27/3"], "41.19": []}),
        ("40.20: 25/3, 27/3", "40.20: 25/3", "", {"40.20": ["27/3"], "41.19": []}),
    ],
)  # fmt: skip
def test_change_of_stacks_leaves_others_where_they_are(now: str, before: str, after: str, made: Any) -> None:
    assert places(patch_state(state(now), state(before), state(after))) == made


def test_change_of_facts_leaves_others() -> None:
    made = patch_state(
        state("41.19 clear\nturn=3\n40.20: 25/3 -1"), state("turn=3\n40.20: 25/3"), state("turn=4\n40.20: 25/3 cel=-1")
    )
    assert {key: fact.value for key, fact in made.facts.items()} == {
        ("terrain", "41.19"): "clear",
        ("turn", ""): 4,
        ("lost", "25/3"): 1,
        ("cel", "25/3"): -1,
    }


def test_nothing_that_changed_changes_nothing() -> None:
    now, other = state("40.20: 25/3"), state("41.19: 1/1")
    assert patch_state(now, other, other) is now


def test_change_of_what_holds_of_all_other_hexes_leaves_the_rest_of_it() -> None:
    made = patch_state(
        state("elsewhere clear control=russian"), state("elsewhere clear"), state("elsewhere rough open")
    )
    said = {track: fact.value for track, fact in made.elsewhere.items()}
    assert said == {"terrain": "rough", "barrier": ("open",), "control": "russian"}

"""What has changed between two states, made in a third."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats import json_state
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.service import parse
from assistant.state.patches import cut_to_change, patch_state, take_back
from assistant.util.errors import InputError

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
    now, other = state("40.20: 25/3"), state("41.19: 1/1")
    assert patch_state(now, other, other) is now
    made = patch_state(
        state("elsewhere clear control=russian"), state("elsewhere clear"), state("elsewhere rough open")
    )
    said = {track: fact.value for track, fact in made.elsewhere.items()}
    assert said == {"terrain": "rough", "barrier": ("open",), "control": "russian"}


LINES = (
    "40.20: 25/3, 27/3", "40.20: 27/3, 25/3, 29/20", "41.19: 1/1, 2/1", "41.19: 2/1", "40.19: 29/20", "42.19: 35/17 -1",
    "turn=3", "25/3 -1", "1/1 -2", "41.19 clear", "40.20 | 41.19 river=minor?", "elsewhere clear", "accept reconstruction",
    'line "3 Train": 40.20 -road- 40.21', "off-map: 25/3", "ruling", "phase=attack",
)  # fmt: skip
"""Lines of positions."""


@st.composite
def states(draw: st.DrawFn) -> Any:
    """States of some of these lines, each as far as it can be read after those before."""
    lines: list[str] = []
    for line in draw(st.lists(st.sampled_from(LINES), max_size=6, unique=True)):
        with suppress(InputError):
            state("\n".join([*lines, line]))
            lines.append(line)
    return state("\n".join(lines))


@given(states(), states(), states())
def test_what_is_the_same_in_both_is_not_needed_of_a_change(now: Any, before: Any, after: Any) -> None:
    cut = cut_to_change(before, after)
    assert patch_state(now, *cut) == patch_state(now, before, after)
    assert take_back(now, *reversed(cut)) == take_back(now, after, before)
    assert cut_to_change(now, now)[0].units == {}
    game = load_game(GAME)
    for part in cut:
        kept = json_state.read_json(json_state.write_json(Position(game, part)), "", load_game).state
        assert (kept.units, kept.facts) == (part.units, part.facts)


def test_what_is_taken_back_leaves_a_unit_where_it_has_gone_since_or_come_back_to() -> None:
    before, after, now = (
        parse(f"game {GAME}\nboard east\n{stacks}").state
        for stacks in ("41.19: 1/1, 2/1", "41.19: 1/1\n41.20: 2/1", "41.19: 1/1\n42.19: 2/1")
    )
    assert take_back(now, after, before).units["2/1"].place == "42.19"
    before, after = (
        parse(f"game {GAME}\nboard east\n{stacks}").state for stacks in ("41.19: 1/1\n42.19: 2/1", "41.20: 1/1, 2/1")
    )
    places = {id: unit.place for id, unit in take_back(after, after, before, {"2/1"}).units.items()}
    assert places == {"1/1": "41.19", "2/1": "41.20"}

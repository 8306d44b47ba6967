"""Units in Rail Mode that lose their destination to an enemy, whatever brings it there (8.2.3)."""

from __future__ import annotations

import pytest

from assistant.game.viewpoint import reduce_state

from ...conftest import answered, typed
from ...owing import left_out

TRAIN = """trust charts
turn=5 phase=movement phasing=russian weather=normal
elsewhere clear open
43.30: russian infantry XX R (9-9-0-9) movement=7
44.20: german infantry XX A (9-9-0-9) entrained destination=44.27
44.27 station
"""
LOST = ("destination-lost", "A")


@pytest.mark.rule("8.2.3g")
@pytest.mark.parametrize(
    ("way", "more", "lost"),
    [
        (("43.29", "43.28", "43.27"), "", True),
        (("43.29", "43.28"), "", False),
        (("43.29", "43.28", "43.27"), "not entrained", False),
        (("43.29", "43.28", "43.27"), "44.26: russian infantry XX S (9-9-0-9)", False),
    ],
)
def test_a_march_that_takes_a_destination_says_so(way: tuple[str, ...], more: str, lost: bool) -> None:
    """What was lost before the march is not lost again."""
    text = TRAIN.replace(" entrained", "") if more == "not entrained" else TRAIN + more
    position = typed(text)
    report = answered(position, "move", units=("R",), way=way)
    assert report.changes
    assert list(left_out(position, report)) == []
    assert (LOST in {(one.owed.track, one.owed.subject) for one in report.follows}) is lost
    says = "A in Rail Mode has lost its destination 44.27, and names a new one at once (ask rail)."
    assert (says in report.headline) is lost


@pytest.mark.rule("8.2.3g")
def test_it_is_listed_once_and_the_enemy_does_not_learn_of_it() -> None:
    position = typed(TRAIN)
    after = position.after(answered(position, "move", units=("R",), way=("43.29", "43.28", "43.27")).changes)
    items = [item for item in answered(after, "turn").result.now.items if item.ask == "rail units=A"]
    assert [(item.state, item.units) for item in items] == [("owed", ("A",))]
    states = {side: reduce_state(after.game, after.state, side) for side in ("russian", "central-powers")}
    assert {side: state.value(*LOST) for side, state in states.items()} == {"russian": None, "central-powers": True}

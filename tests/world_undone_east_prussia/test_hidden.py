"""Hidden movement: who sees what, dummies, and what goes on as if they were real (10.1)."""

from __future__ import annotations

import pytest

from assistant.asking.report import Report
from assistant.game.viewpoint import reduce_state
from assistant.service import ask
from assistant.state.state import UNSEEN

from ..conftest import typed, values
from .asking import GAME, undone

POSITION = """options=hidden-movement
turn=5
5320: XVII/36, XVII/35
5420: III/25 disrupted, Dummy/R1
5822: XX/28, Dummy/R2
4020: Dummy/G1
"""


def as_seen(text: str, side: str, question: str = "inspect", **parameters: object) -> Report[object]:
    position = typed(f"game {GAME}\n{text}")
    return ask(position.with_state(reduce_state(position.game, position.state, side)), question, **parameters)  # type: ignore[arg-type]


def seen(text: str, side: str) -> tuple[list[str], list[str]]:
    """The units that a side sees, and the hexes where it sees only that somebody is there."""
    position = typed(f"game {GAME}\n{text}")
    state = reduce_state(position.game, position.state, side)
    return sorted(state.units), sorted(place for track, place in state.facts if track == UNSEEN)


@pytest.mark.rule("10.1")
def test_a_side_sees_the_enemy_next_to_its_units_alone_by_the_option() -> None:
    assert seen(POSITION, "german") == (["Dummy/G1", "Dummy/R1", "III/25", "XVII/35", "XVII/36"], ["5822"])
    assert seen(POSITION, "russian") == (["Dummy/R1", "Dummy/R2", "III/25", "XVII/35", "XVII/36", "XX/28"], ["4020"])
    assert seen(POSITION.replace("hidden-movement", "refugees"), "german")[1] == []


@pytest.mark.rule("10.1")
def test_five_dummies_a_side_with_the_allowance_of_their_side() -> None:
    roster = typed(f"game {GAME}\n").game.roster
    dummies = {
        unit: str(facts["nation"][0].value) for unit, facts in roster.items() if facts["arm"][0].value == "dummy"
    }
    assert sorted(dummies.values()) == ["german"] * 5 + ["russian"] * 5
    assert {
        nation: {roster[unit]["ma"][0].value for unit, of in dummies.items() if of == nation}
        for nation in ("german", "russian")
    } == {
        "german": {3},
        "russian": {2},
    }


@pytest.mark.rule("10.1")
@pytest.mark.parametrize(
    ("units", "fit"),
    [
        ("III/25, III/27, Dummy/R1", True),
        ("III/25, III/27, XX/28, Dummy/R1", False),
        ("III/25, III/27, Dummy/R1, 1A/1HA, 1A/Renn", True),
        ("III/25, Dummy/R1, Dummy/R2, Dummy/R3, 1A/1HA", False),
        ("III/25, Dummy/R1, Dummy/R2, Dummy/R3, 1A/Renn", False),
        ("Dummy/R1, 1A/1HA, 1A/2HA", False),
        ("Dummy/R1, 1A/Renn, russian headquarters second 2A/Sams (1-4)", False),
    ],
)
def test_a_dummy_stacks_as_what_it_pretends_to_be(units: str, fit: bool) -> None:
    assert undone(f"5420: {units}\n", "stack").verdict.kind == ("yes" if fit else "no")


@pytest.mark.rule("10.1")
def test_a_dummy_has_a_zone_until_it_is_looked_at_and_comes_back_in_the_next_turn() -> None:
    ground = "5421 clear fortress=0\n"
    real, dummy = (
        undone(f"{ground}5822: {unit}\n5821|5822 open\n5821 fortress=0\n", "zones", at=["5821"]).result.hexes
        for unit in ("XX/28", "Dummy/R2")
    )
    assert [(hex.side, len(hex.units)) for hex in real] == [(hex.side, len(hex.units)) for hex in dummy]
    assert real[0].units
    report = as_seen(POSITION, "german")
    assert values(report)["place", "Dummy/R1"] is None
    assert values(report)["arrives", "Dummy/R1"] == 6
    assert ("place", "Dummy/R2") not in values(report)
    assert ("place", "III/25") not in values(report)
    assert as_seen(POSITION, "russian").changes == ()


@pytest.mark.rule("10.1")
@pytest.mark.parametrize("question", ["check", "inspect"])
def test_what_lies_out_of_sight_changes_no_answer(question: str) -> None:
    others = ["5822: XX/29 disrupted\n", "5822: Dummy/R3, Dummy/R4, XV/6\n", "5822: Dummy/R2\n1010: Dummy/R5\n"]
    told = {
        str(as_seen(POSITION.replace("5822: XX/28, Dummy/R2\n", other.partition("1010")[0]), "german", question))
        for other in others
    }
    assert len(told) == 1

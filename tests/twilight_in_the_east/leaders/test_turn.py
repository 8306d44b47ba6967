"""What `turn` says of leaders (25.0, 25.6)."""

from __future__ import annotations

import pytest

from ..movement.march.ground import german
from ..turn.listing import followed, listed, states

TENURE = pytest.mark.rule("25.0", "25.1", "25.4", "25.6.1", "25.6.2")


def said(text: str, side: str, turn: int, name: str = "leaders") -> list[tuple[str, str, str]]:
    items = listed(text, "reinforcement", name, side, turn)
    return [(item.state, item.rule, item.text.partition(": ")[2]) for item in items]


@TENURE
@pytest.mark.parametrize(
    ("text", "side", "turn", "expected"),
    [
        ("", "russian", 17, [("done", "25.1", "Khan Nakhichevanski no longer commands the 1 C Corps: his marker comes off")]),
        ("leaders=francois", "central-powers", 4, [("done", "25.6.1", "Francois no longer commands the 1 Corps: his marker comes off")]),
        ("leaders=brusilov", "russian", 10, [("done", "25.5", "Brusilov no longer commands the Eighth Army: his marker comes off")]),
        ("leaders=artamonov", "russian", 12, [("done", "25.4", "Artamonov no longer commands the 1 Corps: his marker comes off")]),
        ("leaders=artamonov\nruling leaders-last-turn=through", "russian", 13, [("done", "25.4", "Artamonov no longer commands the 1 Corps: his marker comes off")]),
        ("leaders=francois campaign", "central-powers", 24, [("done", "25.6.2", "Francois commands the Eighth Army from now on: his marker is placed with it")]),
        ("leaders=francois campaign", "central-powers", 34, [("done", "25.6.2", "Francois no longer commands the Eighth Army: his marker comes off")]),
    ],
)  # fmt: skip
def test_markers_are_placed_and_come_off(text: str, side: str, turn: int, expected: list[tuple[str, str, str]]) -> None:
    assert said(text, side, turn) == expected


@TENURE
@pytest.mark.parametrize(
    ("text", "side", "turn"),
    [
        ("", "central-powers", 17),
        ("", "central-powers", 4),
        ("leaders=brusilov leader-uses=brusilov:2", "russian", 10),
        ("leaders=artamonov\nruling leaders-last-turn=through", "russian", 12),
        ("leaders=artamonov", "russian", 13),
        ("leaders=francois", "central-powers", 24),
        ("leaders=francois campaign", "russian", 24),
    ],
)
def test_no_marker_is_placed_or_comes_off(text: str, side: str, turn: int) -> None:
    assert [state for state, _, _ in said(text, side, turn)] == ["impossible"]


def test_a_turn_in_which_no_command_begins_or_ends_has_no_such_step() -> None:
    assert said("leaders=brusilov", "russian", 9) == []


KEPT = pytest.mark.rule("25.6.2a")
ASSETS = """leaders=francois campaign
{}
30.20: german infantry III in.det asset
30.30: german infantry III out.det asset, german infantry XX 1/1
33.20: russian infantry III r.det asset
"""
AREA = 'army "german Eighth" area="30.18-30.24"'


@KEPT
def test_the_asset_units_in_the_area_are_noted_as_a_turn_begins() -> None:
    (item,) = listed(ASSETS.format(AREA), "reinforcement", "assets-of-eighth", turn=24)
    assert (item.state, item.rule, item.units) == ("owed", "25.6.2", ("in.det",))
    after = followed(ASSETS.format(AREA), "reinforcement", turn=24)
    assert {change.subject: change.after for change in after.changes if change.track == "began-in-eighth"} == {
        "in.det": True,
        "out.det": False,
    }
    noted = ASSETS.format(AREA).replace("in.det asset", "in.det asset began-in-eighth")
    (item,) = listed(noted, "reinforcement", "assets-of-eighth", turn=24)
    assert (item.state, item.units) == ("owed", ()), "the other one has still to be noted"
    noted = noted.replace("out.det asset", "out.det asset began-in-eighth=no")
    assert states(listed(noted, "reinforcement", "assets-of-eighth", turn=33)) == [("done", ("in.det",))]
    none = ASSETS.format(AREA).replace("det asset", "det asset began-in-eighth=no")
    assert states(listed(none, "reinforcement", "assets-of-eighth", turn=33)) == [("done", ())]
    assert not listed(ASSETS.format(AREA), "reinforcement", "assets-of-eighth", turn=34)
    assert not listed(ASSETS.format(AREA), "reinforcement", "assets-of-eighth", "central-powers", turn=24)


@KEPT
def test_without_the_area_or_the_leader_none_is_noted() -> None:
    (item,) = listed(ASSETS.format(""), "reinforcement", "assets-of-eighth", turn=24)
    assert item.state == "owed"
    assert "area=HEXES" in item.text
    for less in ("leaders=francois", "campaign"):
        text = ASSETS.format(AREA).replace(less, "")
        assert states(listed(text, "reinforcement", "assets-of-eighth", turn=24)) == [("impossible", ())]


CLOSE = pytest.mark.rule("25.6.1a", "25.6.1")
CORPS = """{}
30.20: {}
30.18: russian infantry XX "40/10"
"""


@CLOSE
def test_units_of_the_1st_corps_that_have_drawn_off_are_named_as_the_phase_ends() -> None:
    def state(
        leaders: str, more: str = "", *, turn: int = 2, phase: str = "movement", side: str = "central-powers"
    ) -> list[tuple[str, tuple[str, ...]]]:
        text = CORPS.format(leaders, german("1/1", f"corps=1 army=Eighth {more}"))
        return states(listed(text, phase, "francois", side, turn))

    nearer = 'passed="30.19 30.20"'
    assert state("leaders=francois francois=held", nearer) == [("owed", ("1/1",))]
    assert state("leaders=francois francois=held", nearer, phase="counter-movement", side="russian") == [
        ("owed", ("1/1",))
    ]
    assert state("leaders=francois francois=held", 'passed="30.21 30.20"') == [("done", ())]
    assert state("leaders=francois francois=free", nearer) == [("done", ())]
    assert state("leaders=francois", nearer) == [("possible", ())]
    assert state("", nearer) == [("impossible", ())]
    assert state("leaders=francois francois=held", nearer, turn=4) == []
    assert state("leaders=francois francois=held", nearer, side="russian") == []
    alone = states(
        listed("leaders=francois\n30.18: russian infantry XX 40/10", "movement", "francois", "central-powers", 2)
    )
    assert alone == [("done", ())]

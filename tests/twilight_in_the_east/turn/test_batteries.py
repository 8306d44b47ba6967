"""The batteries along the Vistula, an optional rule (22.4.3)."""

from __future__ import annotations

import pytest

from assistant.game.games import Game
from assistant.state.changes import Change, Enter
from twilight_in_the_east.entering.consequences import follows_changes
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.terms import BATTERIES, STAY_OR_FALL, VISTULA_BATTERIES

from ...conftest import answered, carried_on, told, typed, viewed
from .listing import followed, listed, states

pytestmark = pytest.mark.rule("22.4.3")
HEXES = ("77.26", "78.28", "78.29", "78.30", "79.30", "79.33", "83.35", "85.37")


def test_there_are_eight_of_strength_one(twilight: Game) -> None:
    assert tuple(VISTULA_BATTERIES.values()) == HEXES
    assert set(VISTULA_BATTERIES) < BATTERIES
    assert all(STAY_OR_FALL[unit] == "22.4.2" for unit in VISTULA_BATTERIES)
    for unit in VISTULA_BATTERIES:
        printed = {track: facts[0].value for track, facts in twilight.roster[unit].items()}
        assert (printed["steps"], printed["artillery"], printed["movement"]) == (1, 1, 0)
    battery = CombatUnit("Vistula battery 77.26", "german", "artillery", "-", False, "77.26", artillery=1)
    assert battery.emplaced
    assert battery.armed


def test_with_the_option_they_are_placed_as_the_phase_ends_and_without_it_none() -> None:
    (item,) = listed("vistula-batteries", "reinforcement", "batteries", "central-powers", turn=1)
    assert (item.state, item.carried_out, item.units, item.places) == ("owed", True, tuple(VISTULA_BATTERIES), HEXES)
    report = followed("vistula-batteries", "reinforcement", "central-powers", turn=1)
    entered = [change for change in report.changes if isinstance(change, Enter)]
    assert [(change.unit, change.type, change.place) for change in entered] == [
        (unit, unit, hex) for unit, hex in VISTULA_BATTERIES.items()
    ]
    assert listed("vistula-batteries", "reinforcement", "batteries", turn=1) == [], "the Russians have none"
    (item,) = listed("", "reinforcement", "batteries", "central-powers")
    assert (item.state, item.units) == ("impossible", ())
    assert item.text.endswith("the optional rule is not in force (vistula-batteries), or none is left to place")


def test_those_that_stand_or_are_ruined_are_not_placed_again() -> None:
    text = """vistula-batteries
77.26: "Vistula battery 77.26"
78.28: german infantry XX G
78.29: russian infantry XX R
78.30 battery-ruined
"""
    (item,) = listed(text, "reinforcement", "batteries", "central-powers")
    assert item.places == ("78.28", "79.30", "79.33", "83.35", "85.37")
    everything = "vistula-batteries\n" + "\n".join(f"{hex} battery-ruined" for hex in HEXES)
    assert states(listed(everything, "reinforcement", "batteries", "central-powers")) == [("impossible", ())]
    view = viewed('77.26: "Vistula battery 77.26"\n51.30: Nikolaiken')
    gone = [
        Change("place", "Vistula battery 77.26", "77.26", None, "11.1"),
        Change("place", "Nikolaiken", "51.30", None, "11.1"),
    ]
    ruined = [change for change in follows_changes(view, gone).changes if change.track == "battery-ruined"]
    assert [(change.subject, change.after, change.rule) for change in ruined] == [("77.26", True, "22.4.3")]


def test_it_never_moves() -> None:
    position = typed('turn=3\nphase=movement phasing=central-powers\n77.26: "Vistula battery 77.26"')
    report = answered(position, "move", units=("Vistula battery 77.26",), way=("77.25",), ground=(1.0,))
    assert "immobile battery" in told(report)[0]
    placed = carried_on(
        typed("turn=1\nphase=reinforcement\nphasing=central-powers\nvistula-batteries"),
        followed("vistula-batteries", "reinforcement", "central-powers", turn=1),
    )
    assert placed.state.units["Vistula battery 85.37"].place == "85.37"

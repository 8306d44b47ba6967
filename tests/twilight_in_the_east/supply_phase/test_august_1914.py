"""Three turns of August 1914: both sides' Supply Phases in a made-up sector. Every marker and the length of every line were worked out by
hand, by a reader who had the rulebook and the positions and nothing else; `markers.csv` holds what he found (14.0, 17.0, 24.0).

A position shows where units stand when a phase begins. What earlier phases did to them is carried over.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.asking.view import View, changed
from assistant.formats.positions import Position
from assistant.state.changes import Change
from twilight_in_the_east.supply_phase.question import SupplyPhase

from ...conftest import answered, typed

STORY = Path(__file__).parent / "august-1914"
PHASES = ("gt1-russian", "gt1-german", "gt2-russian", "gt2-german", "gt3-russian", "gt3-german")
DICE = {"28/20": 5, "6 c": 2, "Russian 1 c": 6, "4 c": 2, "2 gdc": 2, "2 lw": 3, "German 1 c": 4}
"""What each Force rolls, should it have to; any other rolls a one."""
CARRIED = ("cel", "lost", "reduced", "steps", "supply", "isolated", "extended", "relocation")
STATED_ANEW = ("cel", "relocation")
"""What of this a later position may state of a unit, so that it is not carried over."""


class Marker(NamedTuple):
    """What is found of a unit. state: in, low, out or isolated; levels, steps: that it loses; off: whether it leaves the map."""

    state: str
    levels: int
    steps: int
    off: bool


@cache
def findings() -> tuple[dict[str, str], ...]:
    """What the reader found, a row a unit and phase."""
    with (STORY / "markers.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def by_hand(phase: str) -> dict[str, Marker]:
    """The markers of a phase as the reader found them, by unit."""
    return {
        row["unit"]: Marker(row["state"], int(row["levels"] or 0), int(row["steps"] or 0), row["off"] == "yes")
        for row in findings()
        if row["phase"] == phase
    }


def lengths_by_hand(phase: str) -> dict[tuple[str, str], Fraction]:
    """The lengths of the lines that the reader traced in a phase, by unit and source; RR for the nearest RR line."""
    return {
        (row["unit"], line.rpartition(" ")[0]): Fraction(line.rpartition(" ")[2])
        for row in findings()
        if row["phase"] == phase
        for line in row["lines"].split("; ")
        if line
    }


class Told(NamedTuple):
    """A phase as it is told: the position in which it begins, the report, and what is known before it and after it."""

    position: Position
    report: Report[SupplyPhase]
    before: View
    after: View


@cache
def story() -> Mapping[str, Told]:
    """All phases, each from its position and what those before it left."""
    carried: dict[tuple[str, str], Any] = {}
    gone, told = set[str](), dict[str, Told]()
    for name in PHASES:
        position = typed((STORY / f"{name}.pos").read_text("utf-8"))
        game, here = position.game, set(position.state.units)
        view = View(game, position.state)
        stated = {key for key in view.state.facts if key[0] in STATED_ANEW}
        kept = [(key, value) for key, value in carried.items() if key[1] in here - gone and key not in stated]
        view = view.after(
            [
                *(changed(view, track, unit, value, "14.4") for (track, unit), value in kept),
                *(changed(view, "place", unit, None, "14.6") for unit in gone & here),
            ]
        )
        dice = {f"surrender.{unit}": str(DICE.get(unit, 1)) for unit in here}
        before, asked = view, msgspec.structs.replace(position, state=view.state, answers={})
        first = answered(asked, "supply-phase")
        rolls = {ask.name: dice[ask.name] for ask in first.asks if ask.name in dice}
        report = answered(msgspec.structs.replace(asked, answers=rolls), "supply-phase") if rolls else first
        after = before.after(report.changes)
        left_over = {unit for unit in here if after.unit(unit).place is not None}
        gone |= here - left_over
        carried |= {(track, unit): after.state.value(track, unit) for track in CARRIED for unit in left_over}
        told[name] = Told(asked, report, before, after)
    return told


def markers(phase: Told) -> dict[str, Marker]:
    """What the program finds of the units of the phase."""
    result, before, after = phase.report.result, phase.before, phase.after
    found = {}
    for one in result.units:
        off = after.unit(one.unit).place is None
        found[one.unit] = Marker(
            "isolated" if one.isolated else str(one.now),
            0 if off else before.integer("cel", one.unit) - after.integer("cel", one.unit),
            0 if off else left(before, one.unit) - left(after, one.unit),
            off,
        )
    return found


def left(view: View, unit: str) -> int:
    """The steps that a unit has left, 0 where that does not matter."""
    return view.integer("steps", unit) - view.integer("lost", unit)


def test_the_phases_settle() -> None:
    assert {name: (one.report.result.settled, one.report.asks) for name, one in story().items()} == dict.fromkeys(
        PHASES, (True, ())
    )


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.rule("14.4a", "14.4b", "14.4d", "14.4e", "14.4f", "14.4g", "14.6")
def test_every_marker_is_as_worked_out_by_hand(phase: str) -> None:
    assert markers(story()[phase]) == by_hand(phase)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.rule("14.1", "14.1.2a", "14.1.2b", "14.2.3")
def test_the_lines_are_as_long_as_measured_by_hand(phase: str) -> None:
    """Wherever the reader traced a line from the same source; there may be others that give as much."""
    measured = lengths_by_hand(phase)
    (side,) = answered(story()[phase].position, "supply", side=story()[phase].report.result.side).result.sides
    traced = {
        (one.unit, "RR" if one.could.source.startswith("the RR line") else one.could.source): one.could.cost
        for one in side.units
        if one.could.cost is not None and not one.through
    }
    both = traced.keys() & measured.keys()
    assert {line: traced[line] for line in both} == {line: measured[line] for line in both}
    assert len(both) >= 9


@pytest.mark.rule("5.4.4c", "8.2.7b")
def test_the_depots_on_the_move() -> None:
    """The Russian one serves again in the third turn, in which it has no LOC."""
    moves = {
        name: {
            one.subject: one.after
            for one in told.report.changes
            if isinstance(one, Change) and one.track == "relocation"
        }
        for name, told in story().items()
    }
    assert moves == {name: {} for name in PHASES} | {
        "gt1-russian": {"Russian FIRST Minor Depot": "consolidating"},
        "gt2-russian": {"Russian FIRST Minor Depot": None},
        "gt3-german": {"German EIGHTH Minor Depot": "consolidating"},
    }


@pytest.mark.rule("14.2", "5.4.4a")
def test_the_modes() -> None:
    """Extended depots give supply, not Low Supply; the fewest are flipped."""
    modes = {name: len(told.report.result.extended) for name, told in story().items()}
    assert modes == dict.fromkeys(PHASES, 0) | {"gt2-german": 1, "gt3-russian": 1, "gt3-german": 1}


@pytest.mark.rule("14.4", "27.2.5")
def test_what_the_phases_left() -> None:
    """The reader's last table."""
    before = story()["gt3-russian"].before
    assert [before.integer("cel", unit) for unit in ("28/20", "6 c", "4 c")] == [-4, -4, -1]
    assert (before.word("supply", "25/3"), before.word("supply", "28/20"), before.flag("isolated", "28/20")) == (
        "in",
        "out",
        True,
    )
    points = {name: told.report.result.points for name, told in story().items()}
    assert points == dict.fromkeys(PHASES, 0) | {"gt3-russian": 6}, "an infantry and a cavalry division are gone"
    russian, german = story()["gt3-russian"].after, story()["gt3-german"].after
    assert [russian.integer("cel", unit) for unit in ("Russian 1 c", "4 c", "2 gdc")] == [-1, -1, -1]
    assert left(russian, "1 c bd") == 1
    assert [german.integer("cel", unit) for unit in ("2 lw", "3 r", "German 1 c")] == [-4, -1, -4]
    assert [left(german, unit) for unit in ("2 lw", "German 1 c")] == [3, 2]


@pytest.mark.rule("14.2b", "14.4d")
def test_a_train_that_is_flipped_for_one_gives_all_low_supply() -> None:
    """Without Boyen and Lötzen the bridge at 44.21 is open, and 4 c is five hexes from the 20 Train, whose range is four. Extended for it, the
    train no longer keeps Russian 1 c (three hexes) and 28/20 (two) In Supply; the Major Depot, extended too, reaches 28/20 (4 1/4), not the
    cavalry (5 1/4)."""
    begin = story()["gt1-russian"]
    taken = [changed(begin.before, "place", unit, None, "12.2") for unit in ("Boyen", "Lötzen")]
    position = msgspec.structs.replace(begin.position, state=begin.before.after(taken).state)
    units = ("4 c", "Russian 1 c", "6 c", "28/20", "20 how", "29/20")

    def states(**given: Any) -> tuple[set[str], list[str]]:
        result = answered(position, "supply-phase", **given).result
        return set(result.extended), [str({one.unit: one.now for one in result.units}[unit]) for unit in units]

    best = {"Russian 20 Train", "Russian FIRST Major Depot"}
    assert states() == (best, ["low", "low", "low", "in", "in", "in"])
    assert states(extended=["Russian 20 Train"]) == ({"Russian 20 Train"}, ["low", "low", "low", "low", "low", "in"])
    assert states(extended=[]) == (set(), ["out", "in", "low", "in", "in", "in"])

"""Answers with sketches: those of all examples of all games, and of crowded positions."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from assistant.asking.report import MissingFacts
from assistant.asking.sketch import Sketch
from assistant.asking.view import View
from assistant.formats.notation import read_notation
from assistant.formats.positions import Asked, Position
from assistant.installed.registry import load_game, question_of
from assistant.service import ask
from assistant.state.points import format_points

from ....conftest import answered as report_on

GAMES = ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914")

STACKS = """game twilight-in-the-east
board east
trust counters
turn=1
41.19: german infantry XX "1/1" (12-16-7-11) cel=-3, german artillery - "4 FA", german infantry XX "2/1" (12-16-7-11)
41.18: german infantry XX "37/20" (12-14-4-9)
42.18: german infantry XX "35/17" (12-14-4-9), german infantry XX "71/20" (8-9-2-6), german artillery - "5 FA"
40.20: russian infantry XX "25/3", russian infantry XX "27/3", russian infantry XX "40/4"
40.19: russian infantry XX "29/20", russian infantry XX "28/20"
41.21: russian infantry XX "30/4"
"""
GUNS = """game twilight-in-the-east
board east
turn=1
41.19: german artillery - "4 FA"
42.18: german infantry XX "35/17"
43.20: german infantry XX "36/17"
40.20: russian infantry XX "25/3"
40.19: russian infantry XX "29/20"
"""
TRAIN = """game twilight-in-the-east
board east
trust counters
turn=1
42.19: "German 1 Train"
41.18: russian infantry XX "25/3"
41.19: russian infantry XX "27/3"
45.20: german infantry XX "1/1"
"""
MARCH = """game world-undone-east-prussia-1914
board east-prussia
turn=3
phasing=german
phase=first-movement
chart terrain-cost clear = 0
chart terrain-cost forest = 1
chart terrain-cost swamp = 2
chart terrain-cost town = 0
chart terrain-cost city = 0
chart terrain-cost river = 1
chart terrain-cost lake = prohibited
chart terrain-cost sea = prohibited
5716: 8A/1KB
5717: 8A/41KB
5617: 8A/2KB
5714: IC/3C
5916: IC/1GC
5818: IC/2GC
5619: XX/29
"""
CROWDED = {
    "stacks": STACKS + "ask retreat at=41.19 hexes=2 cause=check\n",
    "stacks, one hex gone": STACKS + "ask retreat at=41.19 hexes=2 cause=check way=42.19\n",
    "stacks, over": STACKS + "ask retreat at=41.19 hexes=2 cause=check way=42.19,43.19\n",
    "guns": GUNS + 'ask displace unit="4 FA"\n',
    "train": TRAIN + 'ask displace unit="German 1 Train"\n',
    "march": MARCH + "ask reach unit=8A/1KB\n",
    "zones": MARCH + "ask zones\n",
}


class Answered(NamedTuple):
    """A sketch of an answer, and what is known of the position."""

    view: View
    sketch: Sketch


@cache
def questions() -> dict[str, tuple[Position, Asked]]:
    """The questions of all files whose answers may have a sketch, by the file and the question."""
    texts = {
        f"{game} {file.name}": file.read_bytes()
        for game in GAMES
        for file in sorted(load_game(game).folder.joinpath("examples").iterdir(), key=lambda file: file.name)
        if file.name.endswith(".pos")
    } | {name: text.encode() for name, text in CROWDED.items()}
    return {
        f"{file}: {asked.question} {number}": (position, asked)
        for file, text in texts.items()
        for position in [read_notation(text, f"{file}.pos", load_game)]
        for number, asked in enumerate(position.asks)
        if Sketch in question_of(position.game, asked.question).draws
    }


@cache
def answer_of(name: str) -> Answered | None:
    """The sketch of the answer to one of these questions, None if it has none."""
    position, asked = questions()[name]
    try:
        report = ask(position, asked)
    except MissingFacts:
        return None
    if report.drawable is None:
        return None
    view = View(position.game, position.state)
    return Answered(view, question_of(position.game, asked.question).draw("map", view, report))


def sketched(position: Position, question: str = "", **parameters: Any) -> Sketch:
    """The sketch of the answer to a question: the one that a position asks, or a named one with parameters."""
    report = report_on(position, question, **parameters)
    drawn = question_of(position.game, report.question).draw("map", View(position.game, position.state), report)
    assert isinstance(drawn, Sketch)
    return drawn


def parts(sketch: Sketch) -> dict[str, tuple[str, str]]:
    """The hexes of a sketch by number: their part, and what they are labelled with."""
    return {spot.hex: (spot.role, sketch.text(spot)) for spot in sketch.spots}


def check_reach(sketch: Sketch, reach: Any, side: str) -> None:
    """That a picture shows the reach of one unit of a side whole: where it begins, each hex with the points left there, what is
    barred and not known, and the last step of each way.
    """
    shown = [(spot.hex, spot.role, spot.label) for spot in sketch.spots if spot.role != "barred"]
    assert shown == [
        *([(reach.at, "start", "")] if reach.at else []),
        *(
            (place.hex, "beyond", f"-{format_points(place.beyond)}")
            if place.beyond
            else (place.hex, "reached", format_points(place.left))
            for place in reach.hexes
        ),
        *((hex, "unknown", "") for hex in reach.unknown),
    ]
    assert {spot.hex for spot in sketch.spots if spot.role == "barred"} == {
        option.hex for option in reach.barred if option.barred
    }
    steps = [(reach.at, *place.way)[-2:] for place in reach.hexes]
    assert [arrow.hexes for arrow in sketch.arrows] == [pair for pair in steps if all(pair)]
    assert {(arrow.kind, arrow.side) for arrow in sketch.arrows} <= {("onward", side)}
    assert (sketch.side, sketch.words["onward"]) == (side, "the cheapest way")
    assert [zone.side for zone in sketch.zones if zone.side == side] == []

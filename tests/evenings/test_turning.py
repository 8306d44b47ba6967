"""Markers end when their tracks say so, as the phases follow each other."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

import assistant
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.state.changes import Change

from ..comparing.search import tried
from .turning import LAST_PHASES, SEARCH, STARTS, Outlived, Step, check_step, follow, markers_of, strew

MARKS = [
    (game, track)
    for game, tracks in LAST_PHASES.items()
    for track in tracks
    if load_game(game).track(track).on == "unit"
]


@pytest.mark.parametrize("number", range(4 * len(STARTS)))
def test_no_marker_outlives_its_end_or_ends_before_it(number: int) -> None:
    found = tried(SEARCH, [number], 7)
    assert found.wrong == [] and found.seen["phases"]


def marked(game: str, track: str, phase: str) -> tuple[Position, Change]:
    """A position with a marker on a unit, and the change that puts it there."""
    side = next(iter(load_game(game).file.sides))
    position = assistant.parse(f"game {game}\nturn=5 phasing={side} phase={phase}\n{STARTS[game]}")
    unit = next(iter(position.state.units))
    value = {"flag": True, "text": "2" if track == "entry-cost" else "20.26"}[load_game(game).track(track).kind]
    change = Change(track, unit, None, value, "")
    return position.after([change]), change


def followed(position: Position) -> Step:
    step = follow(position)
    assert step is not None
    return step


@pytest.mark.parametrize(("game", "track"), MARKS)
def test_a_marker_ends_with_the_last_phase_that_its_rule_gives_it(game: str, track: str) -> None:
    position, change = marked(game, track, LAST_PHASES[game][track])
    step = followed(position)
    check_step(position, step)
    assert (track, change.subject) not in step.position.state.facts
    with pytest.raises(Outlived, match=f"{track}.*ends otherwise than its rule says"):
        check_step(position, step._replace(position=step.position.after([change])))


@pytest.mark.parametrize(("game", "track"), [mark for mark in MARKS if mark[1] != "entry-cost"])
def test_a_marker_that_is_gone_before_its_last_phase_is_found(game: str, track: str) -> None:
    phases = [*load_game(game).tracks["phase"].values]
    position, change = marked(game, track, phases[phases.index("movement" if "movement" in phases else "first-combat")])
    step = followed(position)
    check_step(position, step)
    taken_off = msgspec.structs.replace(change, before=change.after, after=None)
    with pytest.raises(Outlived, match=f"{track}.*ends otherwise than its rule says"):
        check_step(position, step._replace(position=step.position.after([taken_off])))


@pytest.mark.parametrize("game", STARTS)
def test_each_marker_of_a_game_may_be_strewn(game: str) -> None:
    position = assistant.parse(f"game {game}\nturn=5 phasing={next(iter(load_game(game).file.sides))}\n{STARTS[game]}")
    tracks = markers_of(position.game)
    strewn = strew(position, len(tracks), Random(1))
    assert {track.name for track in tracks} == {name for name, _ in strewn.state.facts} & {
        track.name for track in tracks
    }

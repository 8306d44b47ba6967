"""Positions with random markers, played on phase by phase with `next` until each marker has ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import assistant
from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.state.changes import Change
from assistant.state.state import FactKey
from assistant.state.tracks import Track, Value
from assistant.util.errors import InputError

from ..comparing.search import Search

TURNS = 10
"""The game turns after which nothing may be left that does not last."""
CARRIED_OUT = ("half", "stacks")
"""The steps of `ended_by` that `next` carries out by itself, so that their markers end too."""
STARTS: Mapping[str, str] = {
    "twilight-in-the-east": """weather=normal
elsewhere clear open no-rail no-road no-crossing no-town no-border control=russian
20.20: german infantry XX "A" (12-12-5-11) army=Eighth corps=17 movement=7, german artillery - "G" (4-?-4-9) army=Eighth movement=7
20.26: russian infantry XX "E" (12-12-0-9) army=First corps=3 movement=7, russian artillery - "F" (4-?-4-9) army=First movement=7
""",
    "kaisers-war-in-the-east": """main-effort=west
elsewhere clear open no-rail country=russia city=no
2620: russian infantry XXX R (2-2-3)
2624: german infantry XXX A (4-4-3)
""",
    "world-undone-east-prussia-1914": """scenario=historical
elsewhere clear open town=none no-rail
5420: XX/28
5424: XVII/35
""",
}
"""Positions of few units, by game, with the facts that the phases need."""
FIRST_TURNS: Mapping[str, tuple[int, int]] = {
    "twilight-in-the-east": (1, 36),
    "kaisers-war-in-the-east": (1, 30),
    "world-undone-east-prussia-1914": (2, 16),
}
"""The turns in which a case may begin."""


LAST_PHASES: Mapping[str, Mapping[str, str]] = {
    "twilight-in-the-east": {
        "entry-cost": "movement",  # 16.1
        "prepared": "attack",  # 8.4, 10.3
        "displaced": "post-combat",  # 5.4.10b
    },
    "kaisers-war-in-the-east": {"moved": "attrition", "sailed": "attrition", "psywar": "attrition"},  # 17.1
    "world-undone-east-prussia-1914": {
        "reserved": "second-movement",  # 5.1
        "disrupted": "second-combat",  # 3.5
    },
}
"""The last phase of its player turn in which a marker lies, as the rulebook says, by game and track."""
LAST_TURNS: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "twilight-in-the-east": {"allotment-spent": (10,)},  # 22.3.1
    "kaisers-war-in-the-east": {"main-effort": (5, 14, 23, 32)},  # 8.0: January and February of each year
}
"""The turns in which a marker is taken off, as the rulebook says, by game and track."""
BESIDES: Mapping[str, str] = {"half-final": "half"}
"""Tracks that describe another marker, with the track of that marker."""


class Outlived(AssertionError):
    """A marker that is there after its end, or gone before it."""


class Step(NamedTuple):
    """A phase that has begun."""

    position: Position
    report: Report[Any]
    left: tuple[str, ...]
    """The steps that the phase before owed and that were left undone."""


def follow(position: Position) -> Step | None:
    """Return the position in the phase after the one stated, or None if the game is over.

    What the phase owes is left undone.
    """
    left: tuple[str, ...] = ()
    while True:
        report = assistant.ask(position, "next", **({"leave": left} if left else {}))
        if report.result is not None:
            return Step(position.after(report.changes), report, left)
        to_go_on = next((part for part in report.parts if part.title == "To go on"), None)
        if to_go_on is None:
            return None
        left = tuple(str(to_go_on.steps[0].figures["names"]).split(","))


# --- markers by chance ------------------------------------------------------------------------------------------------


def markers_of(game: Game) -> list[Track]:
    """Return the tracks of a game that end with its clock, or by a step that `next` carries out."""
    clock = ("turn", "phase", "phasing")
    every = (track for name, track in game.tracks.items() if name not in clock)
    told = LAST_PHASES[game.id]
    return [track for track in every if track.ends_with or track.name in told or {*track.ended_by} & {*CARRIED_OUT}]


def _draw_value(track: Track, hexes: list[str], chance: Random) -> Value | None:
    """Return a value of a track other than silence, or None if it cannot be made up."""
    match track.kind, track.names:
        case "flag", _:
            return True
        case "integer", _:
            return chance.randint(max(track.least or 0, 1), min(track.most or 3, 3))
        case "choice", _:
            return chance.choice([value for value in track.values if value != track.absent])
        case "choices", _:
            return (chance.choice(track.values),)
        case _, "hex" | "hexes" | "stretches":
            return chance.choice(hexes)
        case _, "points":
            return str(chance.randint(1, 3))
        case _, "amounts":
            return f"march:{chance.randint(1, 3)}"
    return None


def _draw_subject(track: Track, position: Position, hexes: list[str], chance: Random) -> str:
    """Return whom or what a fact of a track is about."""
    game = position.game
    match track.on:
        case "unit":
            return chance.choice([*position.state.units])
        case "hex":
            return chance.choice(hexes)
        case "hexside":
            place = chance.choice(hexes)
            return "|".join(sorted((place, chance.choice(game.board(position.state.board).neighbours(place)))))
        case "side":
            return chance.choice([*game.file.sides])
        case "nation":
            return chance.choice(sorted({nation for nations in game.file.sides.values() for nation in nations}))
        case "army":
            return "russian first"  # the one army of the three games that a die releases
    return ""


def strew(position: Position, number: int, chance: Random) -> Position:
    """Return the position with some markers by chance, as if they had just been placed."""
    tracks = markers_of(position.game)
    hexes = [str(unit.place) for unit in position.state.units.values()]
    for track in chance.sample(tracks, min(number, len(tracks))):
        value, subject = _draw_value(track, hexes, chance), _draw_subject(track, position, hexes, chance)
        before = position.state.facts.get((track.name, subject))
        changes = [Change(track.name, subject, before.value if before else None, value, "")]
        if beside := BESIDES.get(track.name):
            changes.append(Change(beside, subject, position.state.value(beside, subject), True, ""))
        with suppress(InputError):
            position = position.after(changes if value is not None else ())
    return position


def begin(game: Game, chance: Random) -> Position:
    """Return a position of few units in a phase by chance, without markers."""
    turn = chance.randint(*FIRST_TURNS[game.id])
    side = chance.choice([*game.file.sides])
    text = f"game {game.id}\nturn={turn} phasing={side} phase={{}}\n{STARTS[game.id]}"
    words = [*game.tracks["phase"].values]
    chance.shuffle(words)
    for word in words:
        try:
            position = assistant.parse(text.format(word))
            follow(position)
        except InputError:
            continue
        return position
    raise ValueError(f"no phase of turn {turn} can be played on")


# --- the property -----------------------------------------------------------------------------------------------------


def _list_passing(position: Position, tracks: Mapping[str, Track]) -> dict[FactKey, Value]:
    """Return the facts of a position that do not last."""
    return {key: fact.value for key, fact in position.state.facts.items() if key[0] in tracks}


def _is_dated(track: Track) -> bool:
    """Return whether the marker ends in certain turns alone."""
    return bool(track.ends_with) and all(one.startswith("turn=") for one in track.ends_with)


def _is_over(track: Track, before: Position, after: Position) -> bool:
    """Return whether the clock has gone past the end that a track declares."""
    for one in track.ends_with:
        name, _, value = one.partition("=")
        was, now = before.state.value(name), after.state.value(name)
        if was != now and value in ("", str(now)):
            return True
    return False


def check_step(before: Position, step: Step) -> None:
    """Raise Outlived if a marker is there after the end that its track declares, or gone before it."""
    tracks = {track.name: track for track in markers_of(before.game)}
    was, now = _list_passing(before, tracks), _list_passing(step.position, tracks)
    by_rule = {
        (change.track, change.subject) for change in step.report.changes if isinstance(change, Change) and change.rule
    }
    phases = [*before.game.tracks["phase"].values]
    for key, value in was.items():
        last = LAST_PHASES[before.game.id].get(key[0])
        if last and key not in by_rule and _is_wrong_by_rule(phases, last, before, step.position, lies=key in now):
            raise Outlived(
                f"{key}={value} ends otherwise than its rule says: {_moment(before)} to {_moment(step.position)}"
            )
        dates = LAST_TURNS.get(before.game.id, {}).get(key[0], ())
        if key in now and key not in by_rule and _begins_turn(before, step.position) in dates:
            raise Outlived(f"{key}={value} lies on in the turn that ends it: {_moment(step.position)}")
        over = _is_over(tracks[key[0]], before, step.position)
        if over and now.get(key) == value:
            raise Outlived(f"{key}={value} is there after its end: {_moment(before)} to {_moment(step.position)}")
        if not over and key not in now and key not in by_rule:
            raise Outlived(f"{key}={value} is gone before its end: {_moment(before)} to {_moment(step.position)}")


def _is_wrong_by_rule(phases: list[str], last: str, before: Position, after: Position, *, lies: bool) -> bool:
    """Return whether a marker still lies after its last phase, or no longer before that is over."""
    was, now = (str(position.state.value("phase")) for position in (before, after))
    if was == last:
        return lies
    same_player = all(before.state.value(name) == after.state.value(name) for name in ("turn", "phasing"))
    return same_player and phases.index(now) <= phases.index(last) and not lies


def _begins_turn(before: Position, after: Position) -> int:
    """Return the turn that has begun, or 0 if it is the same one."""
    was, now = (int(str(position.state.value("turn"))) for position in (before, after))
    return now if now != was else 0


def _moment(position: Position) -> str:
    return " ".join(str(position.state.value(name)) for name in ("turn", "phasing", "phase"))


def play_on(game_id: str, number: int, seed: int) -> int:
    """Play on a case until no marker is left, and return the phases that this took.

    Raises Outlived if a marker is there after its end or gone before it, or if one is left after ten turns.
    """
    game, chance = load_game(game_id), Random(f"markers {game_id} {seed} {number}")
    position = strew(begin(game, chance), chance.randint(3, 12), chance)
    first = int(str(position.state.value("turn")))
    tracks = {track.name: track for track in markers_of(game)}
    phases, skipped = 0, set[str]()
    while left := {key for key in _list_passing(position, tracks) if not _is_dated(tracks[key[0]])}:
        if int(str(position.state.value("turn"))) > first + TURNS:
            outlived = [key for key in left if not skipped.intersection(tracks[key[0]].ended_by)]
            if outlived:
                raise Outlived(f"left after ten turns: {outlived}")
            break
        step = follow(position)
        if step is None:
            break
        check_step(position, step)
        skipped.update(step.left)
        position, phases = step.position, phases + 1
    return phases


class Case(NamedTuple):
    """A case by its game, its number and its seed."""

    game: str
    number: int
    seed: int


def make_case(number: int, seed: int) -> Case:
    """Make a case of each game in turn."""
    return Case([*STARTS][number % len(STARTS)], number, seed)


def find_faults(case: Case, seen: Counter[str]) -> Iterator[str]:
    """Yield a marker that outlives its end, or ends before it."""
    try:
        seen["phases"] += play_on(*case)
    except Outlived as fault:
        yield str(fault)


SEARCH = Search("markers", make_case, find_faults, 2000)

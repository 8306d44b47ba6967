"""What must hold of a combat that has been played to its end."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import assistant
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.state.state import GameState, Unit, hexside


def on_map(state: GameState) -> list[Unit]:
    """The units that are on the map."""
    return [unit for unit in state.units.values() if unit.place]


def broken(
    before: Position, after: Position, left: Collection[str] = (), displaced: Collection[str] = ()
) -> Iterator[str]:
    """Each thing that does not hold of the position afterwards. left: hexes that stacks have left or crossed in their retreats;
    displaced: units that had to make room, or may have to."""
    yield from beyond_bounds(after)
    yield from misplaced(before, after, left, displaced)
    yield from gained(before, after)
    yield from unreadable(after)
    for unit in on_map(after.state):
        if after.state.value("owes", unit.id):
            yield f"{unit.id} still owes hexes"


def beyond_bounds(position: Position) -> Iterator[str]:
    """Steps, levels and degrees of Disorder that cannot be."""
    state = position.state
    for unit in on_map(state):
        steps, lost = state.value("steps", unit.id), state.value("lost", unit.id) or 0
        if isinstance(steps, int) and isinstance(lost, int) and not 0 <= lost < max(steps, 1):
            yield f"{unit.id} has lost {lost} of {steps} steps and is on the map"
        for track, least, most in (("cel", -4, 0), ("disorder", 0, 2)):
            value = state.value(track, unit.id) or 0
            if not isinstance(value, int) or not least <= value <= most:
                yield f"{unit.id} {track}={value}"


def misplaced(
    before: Position, after: Position, left: Collection[str] = (), displaced: Collection[str] = ()
) -> Iterator[str]:
    """Units where they cannot be: with enemies, at sea, or more than a hex holds, as the combat has left them, unless no empty hex lies
    within reach of those who are too many (4.2.3), or somebody has been displaced there (9.5.1)."""
    state, game = after.state, after.game
    moved = {unit.id for unit in on_map(state) if unit.place != before.state.units[unit.id].place}
    crowded = {place for place in map(str, {unit.place for unit in on_map(before.state)}) if crowd(before, place)}
    for place in {str(unit.place) for unit in on_map(state)}:
        stack = state.stack(place)
        arrived = [unit.id for unit in stack if unit.id in moved]
        if len({side(game, after, unit.id) for unit in stack}) > 1:
            yield f"{place}: both sides stand there: {[unit.id for unit in stack]}"
        if arrived and state.value("terrain", place) == "sea":
            yield f"{place}: {arrived} at sea"
        if {unit.id for unit in stack} & {*displaced}:
            continue
        if arrived and (held := crowd(after, place)) and place not in crowded and room_near(before, after, place, left):
            yield f"{place}: over-stacked, {held}: {[unit.id for unit in stack]}"


def room_near(before: Position, after: Position, place: str, left: Collection[str]) -> str:
    """An empty hex within three of a crowded one by ways that no enemy, sea or impassable hexside bars, "" without one."""
    own = side(after.game, after, after.state.stack(place)[0].id)
    held = {
        str(unit.place)
        for position in (before, after)
        for unit in on_map(position.state)
        if side(position.game, position, unit.id) != own
    }
    shut, reached = {*held, *left}, {place}
    neighbours = after.game.board("").neighbours
    for _ in range(3):
        for here in sorted(reached):
            for there in neighbours(here):
                lies = after.state.value("barrier", hexside(here, there)) or ()
                sea = after.state.value("terrain", there) == "sea"
                if there not in shut and not sea and not {"impassable", "lake", "sea"} & set(lies):  # type: ignore[call-overload]
                    reached.add(there)
    return next((hex for hex in sorted(reached - {place}) if not after.state.stack(hex)), "")


def crowd(position: Position, place: str) -> str:
    """What a hex holds beyond three divisions and two artillery units, "" if nothing: a plain count of counters."""
    state, divisions, guns = position.state, 0.0, 0
    for unit in state.stack(place):
        arm, size = state.value("arm", unit.id), state.value("size", unit.id)
        steps, lost, back = (int(str(state.value(track, unit.id) or 0)) for track in ("steps", "lost", "back-steps"))
        reduced = state.value("reduced", unit.id) or (0 < back < steps and steps - lost <= back)
        if arm in ("corps-train", "minor-depot", "major-depot"):
            divisions += 0.5
        elif size == "XX":
            divisions += 1 if arm == "infantry" and not reduced else 0.5
        elif size == "X" and arm == "infantry":
            divisions += 0.5
        guns += arm == "artillery"
    return f"{divisions} divisions, {guns} artillery units" if divisions > 3 or guns > 2 else ""


def side(game: Game, position: Position, unit: str) -> str:
    """The side of a unit."""
    return game.side_of_unit(position.state.units[unit], position.state.facts)


def gained(before: Position, after: Position) -> Iterator[str]:
    """Units that have come out of a combat with more than they had."""
    for unit in on_map(after.state):
        for track, sign in (("lost", 1), ("cel", -1), ("disorder", 1)):
            then, now = (int(str(position.state.value(track, unit.id) or 0)) for position in (before, after))
            flipped = after.state.value("reduced", unit.id) != before.state.value("reduced", unit.id)
            if (now - then) * sign < 0 and not (track == "lost" and flipped):
                yield f"{unit.id} {track} from {then} to {now}"


def unreadable(position: Position) -> Iterator[str]:
    """Whether what is written of the position is read as something else."""
    text = assistant.notation(position)
    again = assistant.parse(text)
    places = {str(unit.place) for unit in on_map(position.state)}
    if any(
        [unit.id for unit in position.state.stack(place)] != [unit.id for unit in again.state.stack(place)]
        for place in places
    ):
        yield "units stand otherwise once the position is read again"
    facts = position.state.facts
    if again.state.facts != facts:
        yield f"facts differ once the position is read again: {[key for key in {*facts, *again.state.facts} if facts.get(key) != again.state.facts.get(key)]}"
    if [line for line in text.splitlines() if line[:1] != "#"] != assistant.notation(again).splitlines():
        yield "the position is written otherwise once it has been read"

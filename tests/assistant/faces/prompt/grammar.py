"""Random sessions at the table, of lines that a file could hold too: both must come to the same position.

`python -m tests.assistant.faces.prompt.grammar COUNT SEED` tries many.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from assistant.faces.prompt.line_reading import read_line
from assistant.faces.prompt.table import TableState
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.installed.registry import load_game
from assistant.state.state import UNSEEN, GameState
from assistant.state.tracks import flip_tracks
from assistant.util.errors import InputError
from tests.hostile.inputs.grammar import Words

GAMES = ("twilight-in-the-east", "kaisers-war-in-the-east")
_LINES = 8


class Difference(NamedTuple):
    """A session whose end is not what the file says, or a line that only the file takes; what is wrong, in words."""

    lines: list[str]
    wrong: str


def in_a_file(game: Game, lines: list[str]) -> GameState | None:
    """The state that a file of lines gives, None if it refuses them."""
    text = "\n".join([f"game {game.id}", *lines])
    try:
        return read_notation(text.encode(), "lines.pos", load_game).state
    except InputError:
        return None


def accepted(game: Game, words: Words, random: Random) -> list[str]:
    """Random lines of notation that a file may hold together, and of which none states again what another one does, or begins anew
    what an earlier one states of the present."""
    lines: list[str] = []
    before = build_state(game)
    for _ in range(_LINES):
        line = words.statement(random)
        if (
            not line.strip()
            or line.split(maxsplit=1)[0] == "game"
            or (state := in_a_file(game, [*lines, line])) is None
        ):
            continue
        stacks = {unit.place for unit in before.units.values()} | {at for name, at in before.facts if name == UNSEEN}
        new = (unit for name, unit in state.units.items() if name not in before.units)
        again = any(unit.place in stacks for unit in new if unit.place)
        new_facts = state.facts.keys() - before.facts.keys()
        begun = {name for name, on in new_facts if not on}
        over = any(begun.intersection(game.track(name).ends_with) for name, _ in before.facts)
        turned = any(game.track(name) in flip_tracks(game.tracks) for name, _ in new_facts)
        if not (again or over or turned) and all(state.facts.get(key) == fact for key, fact in before.facts.items()):
            lines.append(line)
            before = state
    return lines


def difference(game: Game, lines: list[str]) -> Difference | None:
    """What a session of lines makes of the table other than a file does, None if it is the same."""
    table = TableState(Position(game, build_state(game)))
    for line in lines:
        try:
            table = read_line(table, line).table.with_question(None)
        except InputError as error:
            if "must be below" in error.what:  # than what the roster prints, which a file may leave open
                return None
            return Difference(lines, f"the prompt refuses {line!r}: {error}")
    there, here = in_a_file(game, lines), table.position.state
    if there == here:
        return None
    apart = [name for name in GameState.__struct_fields__ if getattr(there, name) != getattr(here, name)]
    return Difference(lines, "; ".join(f"{name}: {getattr(here, name)} for {getattr(there, name)}" for name in apart))


def differences(count: int, seed: int) -> Iterator[Difference]:
    """The differences of so many sessions, by a seed."""
    random = Random(seed)
    for number in range(count):
        game = load_game(GAMES[number % len(GAMES)])
        if wrong := difference(game, accepted(game, Words(game), random)):
            yield wrong


if __name__ == "__main__":
    found = list(differences(*map(int, sys.argv[1:3])))
    for lines, wrong in found:
        print("\n".join(lines), wrong, sep="\n! ", end="\n\n")
    print(f"{sys.argv[1]} sessions, {len(found)} differ")
    sys.exit(bool(found))

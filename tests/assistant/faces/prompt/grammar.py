"""Random sessions at the table, of lines that a file could hold too: both must come to the same position."""

from __future__ import annotations

from collections import Counter
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
from tests.comparing.search import Search
from tests.hostile.inputs.grammar import Words

GAMES = ("twilight-in-the-east", "kaisers-war-in-the-east")
_LINES = 8


class Lines(NamedTuple):
    """Lines of notation about a game."""

    game: Game
    lines: list[str]

    def text(self) -> str:
        """Return the lines as a file."""
        return "\n".join([f"game {self.game.id}", *self.lines])

    def shorter(self) -> Iterator[Lines]:
        """Yield the lines without one each."""
        for at in range(len(self.lines)):
            yield self._replace(lines=[*self.lines[:at], *self.lines[at + 1 :]])


def in_a_file(game: Game, lines: list[str]) -> GameState | None:
    """The state that a file of lines gives, None if it refuses them."""
    try:
        return read_notation(Lines(game, lines).text().encode(), "lines.pos", load_game).state
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


def find_difference(game: Game, lines: list[str]) -> str:
    """Return what a session of lines makes of the table other than a file does, or "" if it is the same."""
    table = TableState(Position(game, build_state(game)))
    for line in lines:
        try:
            table = read_line(table, line).table.with_question(None)
        except InputError as error:
            if "must be below" in error.what:  # than what the roster prints, which a file may leave open
                return ""
            return f"the prompt refuses {line!r}: {error}"
    there, here = in_a_file(game, lines), table.position.state
    if there == here:
        return ""
    apart = [name for name in GameState.__struct_fields__ if getattr(there, name) != getattr(here, name)]
    return "; ".join(f"{name}: {getattr(here, name)} for {getattr(there, name)}" for name in apart)


def make_lines(number: int, seed: int) -> Lines:
    """Make the lines of one of the games."""
    game = load_game(GAMES[number % len(GAMES)])
    return Lines(game, accepted(game, Words(game), Random(f"{seed}/{number}")))


def find_faults(made: Lines, seen: Counter[str]) -> Iterator[str]:
    """Yield what the prompt makes of lines other than a file does."""
    seen["lines"] += len(made.lines)
    if difference := find_difference(*made):
        yield difference


SEARCH = Search("sessions", make_lines, find_faults, 5000, 29, write=Lines.text, smaller=Lines.shorter)

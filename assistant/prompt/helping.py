"""What `help` at the table lists: lines that can be typed, with the hexes, units and words of the game that is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ..formats.positions import Position
from ..game.games import Game
from ..plugins.registry import questions_of
from ..questions.wording import wrapped
from ..state.sources import Value
from ..state.state import Unit
from ..state.tracks import Subject, Track
from ..util.errors import quoted

_WIDE = 46


def help_lines(
    position: Position, commands: Mapping[str, str] = MappingProxyType({}), width: int = 200
) -> Iterator[str]:
    """A line for each kind of thing that can be typed at a position's table, and what it does.

    commands: what each command does, by what is typed for it. width: of the screen; on a narrow one the meaning stands
    below.
    """
    for typed, meaning in (*entries(position), *commands.items()):
        if width < _WIDE + 2 + len(meaning):
            yield from wrapped(typed, width, "  ")
            yield from wrapped(meaning, width, "      ")
            continue
        if len(typed) > _WIDE:
            yield f"  {typed}"
            typed = ""
        yield f"  {typed:<{_WIDE}}  {meaning}"


def entries(position: Position) -> Iterator[tuple[str, str]]:
    """What can be typed at a position's table, and what it does; with nothing typed, a remark on the entry before."""
    game, board = position.game, position.game.board(position.state.board)
    hexes = [board.grid.name(board.grid.middle)]
    hexes = [board.grid.bare(name) for name in (*hexes, *board.neighbours(hexes[0]))]
    target, attacked_from = hexes[0], hexes[1:3]
    defender, attackers = _opponents(game)
    first = attackers[0] if attackers else "UNIT"
    table = game.file.table
    if table:
        groups = zip(attacked_from, (attackers[:2], attackers[2:3]), strict=False)
        behind = " ".join(" ".join([name, *units]) for name, units in groups if units)
        yield f"{target} {defender} < {behind}", "a combat: hex and units, <, each hex that attacks"
        yield "", "once known, a unit needs only its name"
        if game.file.notation.brackets:
            ratings = "-".join(game.file.notation.brackets)
            yield f"{first} {ratings}", "its ratings, ? for an unknown one; = repeats those of the unit before"
        if terrain := _a_word(game, game.file.picture.terrain):
            yield f"{target} {terrain}", "behind the first hex, its terrain; the first letters are enough"
        if attacked_from and (barrier := _a_word(game, game.file.picture.barrier)):
            yield f"{target} < {attacked_from[0]} {barrier}", "behind another hex, what lies between it and the first"
    if facts := [*filter(None, (_a_fact(game, "unit", first), _a_fact(game, "game", "")))]:
        yield "   ".join(facts), "further facts: the same question, but with these"
    if table and table.without:
        yield f"-{first}   +{first}", "the same without a unit, with it again"
    if table and attacked_from:
        yield f"< {attacked_from[-1]} {attackers[-1] if attackers else 'UNIT'}", "the same with more attackers"
    if table and table.short:
        yield "   ".join(f"{short}=..." for short in table.short), ", ".join(table.short.values())
    notation = game.file.notation
    if notation.signs and attacked_from:
        sign, letter = next(iter(notation.signs)), next(iter(notation.letters), "")
        meaning = ", ".join(f"{one} {said}" for one, said in (*notation.signs.items(), *notation.letters.items()))
        yield f"{target}{sign}{attacked_from[0]}{letter}", f"what lies between hexes, and in them: {meaning}"
    if attacked_from:
        yield (
            f"{attacked_from[0]} +{first}   {attacked_from[0]} -{first}",
            "a unit joins the stack in a hex, or leaves it and the map",
        )
    yield f"off {first}", "a unit leaves the map"
    others = [name for name in questions_of(game) if (not table or name != table.ask) and name != "check"]
    if others:
        yield (
            f"{others[0]} NAME=VALUE ...",
            f"any other question: {', '.join(others[:4])}{' ...' if others[4:] else ''}",
        )
    yield _a_roll(game), "the dice asked for; a choice by its number"
    if table and table.usual:
        yield "?2   ?2 VALUE", "another value of an assumption: the next, or this one"


def _a_roll(game: Game) -> str:
    """Dice of the game as they may be typed: a total, one by one, and totals of two rolls."""
    known = [game.file.combat.dice] if game.file.combat else game.file.module.dice if game.file.module else ()
    if not known:
        return "TOTAL"
    number, sides = known[0]
    if number == 1:
        return str(sides // 2 + 1)
    faces = [(1 + 3 * die) % sides + 1 for die in range(number)]
    return f"{sum(faces)}   {'+'.join(map(str, faces))}   {number + 1} {number + 2}"


def _opponents(game: Game) -> tuple[str, Sequence[str]]:
    """A unit of the roster, and the first units of another side, as notation writes them; of the usual kind if there
    are such.
    """
    sides: dict[str, list[str]] = {}
    for unit in sorted(game.roster, key=lambda unit: -_likeness(game, unit)):
        sides.setdefault(game.side_of_unit(Unit(unit, unit, None), {}), []).append(quoted(unit))
    if len(sides) > 1:
        attackers, defenders = list(sides.values())[:2]
        return defenders[0], attackers[:3]
    units = [unit for side in sides.values() for unit in side]
    return (units[0], units[1:4]) if len(units) > 1 else ("UNIT", ["UNIT", "UNIT"])


def _likeness(game: Game, unit: str) -> int:
    """How many of the facts that identify a unit are the usual ones."""
    usual = game.file.table.usual if game.file.table else {}
    printed = game.roster[unit]
    return sum(name in usual and fact.value == usual[name] for name, facts in printed.items() for fact in facts[:1])


def _a_word(game: Game, name: str) -> str:
    """The second word of a track, which as a rule bars nobody, or the name of a flag; "" if the game does not have it."""
    track = game.tracks.get(name)
    return "" if track is None else track.name if track.kind == "flag" else ("", *track.values)[:3][-1]


def _a_fact(game: Game, on: Subject, about: str) -> str:
    """A line that states a fact that varies in play; "" if the game has none about this kind of subject."""
    for track in game.tracks.values():
        if track.on == on and track.printed is None and (value := _a_value(track)) is not None:
            return track.how_to_state(about.strip('"'), value)
    return ""


def _a_value(track: Track) -> Value | None:
    match track.kind:
        case "flag":
            return True
        case "integer":
            return (track.least or 0) + 1
        case "choice" if track.values:
            return track.values[-1]
        case _:
            return None

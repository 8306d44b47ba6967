"""What a turn of the story comes to: the ground that changed hands, and what each side did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ...asking.wording import format_list, pluralize_predicate, sentence_case
from ...drawing.front.territory import stated_holders
from ...game.games import Game
from ...util.console import format_count
from .chapters import StorySection, StoryTurn, attacked_from, attacked_hex
from .names import Names
from .sentences import Sentence


def tell_ground(chapter: StoryTurn) -> Iterator[Sentence]:
    """Yield the hexes that another side held at the beginning of a turn by the record, and the towns that a side has
    come into.
    """
    names = Names(chapter.before)
    after = Names(chapter.after)
    was = stated_holders(names.view)
    now = stated_holders(after.view)
    texts = list[str]()
    for side in names.game.file.sides:
        taken = [place for place, whose in now.items() if whose == side and was.get(place, side) != side]
        towns = [place for place in after.towns if now.get(place) == side and was.get(place) != side]
        parts = []
        if taken:
            parts.append(f"takes {format_count(len(taken), 'hex', 'hexes')} that another side held")
        if towns:
            parts.append(f"comes into {format_list(after.place(place) for place in towns)}")
        if parts:
            who = sentence_case(names.game.file.the_side(side))
            several = 2 if who.endswith("s") else 1
            texts.append(f"{who} {' and '.join(pluralize_predicate(part, several) for part in parts)}.")
    if texts:
        yield Sentence("came to", " ".join(texts), chapter.begins, "Ground")


class Tally(NamedTuple):
    """What a side did in some turns."""

    attacks: int
    """Combats in which the side attacked."""
    moved: int
    """How often a unit of the side stood elsewhere after a stretch."""
    entered: int
    """Units that came into play."""
    left: int
    """Units that left play."""


def tally_sides(game: Game, stretches: Iterable[StorySection]) -> Mapping[str, Tally]:
    """Return what each side of a game did in some stretches."""
    attacks = Counter[str]()
    moved = Counter[str]()
    entered = Counter[str]()
    left = Counter[str]()
    for stretch in stretches:
        before = Names(stretch.before)
        after = Names(stretch.after)
        moved.update(after.side(move.unit) for move in stretch.changed.moved)
        entered.update(after.side(unit.unit) for unit in stretch.changed.came if after.is_certain(unit.unit))
        left.update(before.side(unit.unit) for unit in stretch.changed.gone if before.is_certain(unit.unit))
        if stretch.combat and (attacker := _find_attacker(stretch, before)):
            attacks[attacker] += 1
    return {side: Tally(attacks[side], moved[side], entered[side], left[side]) for side in game.file.sides}


def _find_attacker(stretch: StorySection, before: Names) -> str:
    """Return the side that attacked in a combat: that of a unit in a hex from which it was made, "" if it is not
    known.
    """
    passage = stretch.passages[0]
    at = attacked_hex(passage)
    defenders = {before.side(unit.id) for unit in before.state.stack(at)} if at else set[str]()
    for place in attacked_from(passage):
        for unit in before.state.stack(place):
            side = before.side(unit.id)
            if side and side not in defenders:
                return side
    return ""


def format_tally(tally: Tally) -> str:
    """Return what a side did, in words; "" if it did nothing."""
    counts = (
        (tally.attacks, "attack", ""),
        (tally.moved, "move", ""),
        (tally.entered, "unit", " entered play"),
        (tally.left, "unit", " left play"),
    )
    return ", ".join(f"{format_count(number, noun)}{more}" for number, noun, more in counts if number)

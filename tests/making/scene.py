"""A position as plain values, which writes itself as notation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .hexes import Pair

Facts = dict[str, Any]
"""Facts about one subject by the names of their tracks. Flags are True or False; a text that ends with `?` is assumed.

`words` are written as they are.
"""
GROUND = ("terrain", "barrier", "water", "rail", "road", "crossing")
"""The tracks of the ground whose values are written without the name of the track."""


@dataclass
class Scene:
    """A position."""

    game: str
    identity: Sequence[str] = ("nation", "arm", "size")
    """The tracks that say what a unit is, whose values precede its name."""
    ratings: Sequence[str] = ()
    """The tracks of the values in brackets behind its name."""
    settings: Facts = field(default_factory=dict)
    """Facts about the game, such as its turn and phase."""
    hexes: dict[str, Facts] = field(default_factory=dict)
    sides: dict[Pair, Facts] = field(default_factory=dict)
    units: dict[str, Facts] = field(default_factory=dict)
    """Units by name, each with its `place` among its facts, off the map without one; the first in a hex is its top unit."""
    lines: list[str] = field(default_factory=list)
    """Further lines, which precede the ground: the board, charts, rulings, armies."""

    def stack(self, hex: str) -> list[str]:
        """Return the names of the units in a hex."""
        return [name for name, unit in self.units.items() if unit.get("place") == hex]

    def text(self, *more: str) -> str:
        """Return the position in notation. `more`: lines for its end."""
        return "\n".join([f"game {self.game}", *self.statements(), *more, ""])

    def statements(self) -> Iterator[str]:
        """Yield the lines of the position without its game."""
        yield from self.lines
        if self.settings:
            yield " ".join(write_facts(self.settings))
        for hex, facts in self.hexes.items():
            if words := write_facts(facts):
                yield " ".join([hex, *words])
        for sides, facts in self.sides.items():
            if words := write_facts(facts):
                yield " ".join(["|".join(sides), *words])
        stacks = defaultdict[str, list[str]](list)
        for name, facts in self.units.items():
            stacks[facts.get("place") or "off-map"].append(self.write_unit(name, facts))
        for place, units in stacks.items():
            yield f"{place}: {', '.join(units)}"

    def write_unit(self, name: str, facts: Mapping[str, Any]) -> str:
        """Return a unit in notation, without its place: what it is, its name, its ratings in brackets, all else."""
        first = [str(facts[track]) for track in self.identity if facts.get(track) is not None]
        rated = [track for track in self.ratings if facts.get(track) is not None]
        ratings = [f"({'-'.join(str(facts.get(track, '?')) for track in self.ratings)})"] if rated else []
        others = {track: value for track, value in facts.items() if track not in {"place", *self.identity, *rated}}
        return " ".join([*first, quote(name), *ratings, *write_facts(others)])


def write_facts(facts: Mapping[str, Any], bare: Iterable[str] = GROUND) -> list[str]:
    """Return facts as words of notation. `bare`: the tracks of which the value alone is written."""
    words = list[str]()
    for track, value in facts.items():
        if track == "words":
            words += value if isinstance(value, list | tuple) else [value]
        elif value is True:
            words.append(track)
        elif value is False:
            words.append(f"{track}=no")
        elif isinstance(value, list | tuple | set | frozenset):
            words += sorted(map(str, value)) if track in bare else [f"{track}={quote('+'.join(map(str, value)))}"]
        elif value is not None:
            words.append(str(value) if track in bare else f"{track}={quote(str(value))}")
    return [word for word in words if word]


def quote(text: str) -> str:
    """Return a name or a value as notation has it."""
    return f'"{text}"' if " " in text or not text else text

"""Facts as plain values: what a view and a gathering block have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..game.boards import Board
from ..state.sources import Fact, Value
from ..state.state import FactKey
from ..state.tracks import Track


class Reader:
    """Reads facts as plain values: a `View` as far as they are known; a `Gather` also asks for missing ones."""

    def value(self, track: str, subject: str = "") -> Value | None:
        """The value of a fact; None while it is unknown."""
        raise NotImplementedError

    def integer(self, track: str, subject: str = "") -> int:
        """A whole number; 0 while it is unknown."""
        return int(self.value(track, subject) or 0)  # type: ignore[arg-type]  # the track's own check made it a number

    def flag(self, track: str, subject: str = "") -> bool:
        """A flag; False while it is unknown."""
        return bool(self.value(track, subject))

    def word(self, track: str, subject: str = "") -> str:
        """A word or a text; "" while it is unknown."""
        return str(self.value(track, subject) or "")

    def words(self, track: str, subject: str = "") -> frozenset[str]:
        """Several words; none while they are unknown."""
        value = self.value(track, subject)
        return frozenset(value) if isinstance(value, tuple) else frozenset()


def facts_of_track(
    track: Track,
    stated: Mapping[FactKey, Fact],
    board: Board,
    may_read: Callable[[Fact], bool],
    records: Sequence[dict[FactKey, Fact]],
) -> Callable[[str], Fact | None]:
    """Tells the facts of one track of hexes or hexsides by subject, from the first source that knows them.

    stated: what the position states; may_read: whether a fact is from a source that may be read; records: of what was read so far,
    the first of all of it; what is read besides is added to each.
    """
    name, absent = track.name, None if track.absent is None else Fact(track.absent)
    layer, known, silence = board.facts.layers.get(name, {}), board.facts.known, board.silence.get(name)
    readable = [fact if may_read(fact) else absent for fact in known]
    silent = silence if silence is not None and may_read(silence) else absent
    first = {
        subject: fact if may_read(fact) else absent for (of, subject), fact in board.facts.over.items() if of == name
    }
    first |= {subject: fact for (of, subject), fact in stated.items() if of == name and may_read(fact)}

    read = records[0]

    def look(subject: str) -> Fact | None:
        key = name, subject
        if key in read:
            return read[key]
        if subject in first:
            fact = first[subject]
        else:
            number = layer.get(subject)
            fact = silent if number is None else readable[number]
        if fact is not None:
            for record in records:
                record[key] = fact
        return fact

    return look

"""The facts of a hidden counter that none of its layers shows.

All sides read the notes of a save. Such facts are therefore stored in a property of the counter, which is hidden too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...game.games import Game
from ...state.state import INVISIBLE, MASKED, GameState
from ...state.tracks import Fact, Track
from ...util.errors import InputError
from .sequence import join, split
from .traits import Trait

KEPT_FACTS = "FieldStaffKept"
"""The property of a counter that stores facts."""
_TYPE_PREFIX = join(("PROP", KEPT_FACTS, ""), ";")
_TYPE = join(("PROP", KEPT_FACTS, "false,0,100,false", ""), ";")


def make_keeping_trait(text: str, type: str = _TYPE) -> Trait:
    """Return the trait that stores a text of `write_kept`.

    `type`: the type of the trait, as VASSAL may have rewritten it.
    """
    return Trait(type, join((text,), ";"))


def is_keeping(trait: Trait) -> bool:
    """Return whether a trait stores facts that the counter does not show."""
    return trait.type.startswith(_TYPE_PREFIX)


def read_kept(trait: Trait, tracks: Mapping[str, Track]) -> Iterator[tuple[str, str]]:
    """Yield the stored facts by track, each as the text of a layer or label.

    A value that its track does not allow stays as written.
    """
    text = split(trait.state, ";")[0]
    if not text:
        return
    for pair in split(text, "|"):
        name, _, value = pair.partition("=")
        track = tracks.get(name)
        if track is not None and track.on == "unit":
            yield name, _write_word(track, value)


def _write_word(track: Track, value: str) -> str:
    try:
        return value if track.kind == "text" else track.word(track.parse(value))
    except InputError:
        return value


def facts_to_keep(game: Game, state: GameState, unit: str) -> dict[str, Fact]:
    """Return the facts of a hidden unit that its counter must store unless it shows them."""
    never_kept = {MASKED, INVISIBLE, game.hiding.conceals(state.facts)}
    kept_facts: dict[str, Fact] = {}
    for name, fact in state.facts_of.get(unit, {}).items():
        if name in never_kept or fact.assumed:
            continue
        track = game.tracks[name]
        if track.on == "unit" and _is_stated(track, fact):
            kept_facts[name] = fact
    return kept_facts


def _is_stated(track: Track, fact: Fact) -> bool:
    return track.absent is None or fact.value != track.absent


def write_kept(game: Game, facts: Mapping[str, Fact]) -> str:
    """Return the text that stores facts of a unit."""
    return join([f"{name}={game.tracks[name].write(fact.value)}" for name, fact in facts.items()], "|")

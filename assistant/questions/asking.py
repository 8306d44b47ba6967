"""What to ask for where something is missing: a fact, the units that stand unseen, a chart cell, a roll or a choice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..mechanics.procedure import Choice, Roll, Stuck
from ..state.state import Unit
from ..state.tracks import Track
from .report import Ask, ask_for

if TYPE_CHECKING:
    from ..game.games import Game


def ask_for_fact(track: Track, subject: str = "") -> Ask:
    """What to ask for if a fact is not stated."""
    how = track.how_to_state(subject)
    title = f"{track.title} of {subject}" if subject else track.title
    takes = "" if track.values else track.takes  # words stand in `how` already
    key = (track.name, subject)
    return Ask(kind="fact", name=how, rule=track.rule, title=title, how=how, takes=takes, key=key)


def ask_for_unseen(game: Game, unit: Unit) -> Ask:
    """What to ask for if unseen units matter. unit: the one that stands for them."""
    place, limits = str(unit.place), game.file.intelligence
    rule, announced = (limits.rule, limits.announced) if limits else ("", "")
    how = f"{place}: UNIT, ... as their owner names them"
    how += f" (after you have announced an attack there: {place} {announced})" if announced else ""
    return Ask(kind="fact", name=unit.id, rule=rule, title=f"unseen units at {place}", how=how)


def ask_for_cell(game: Game, chart: str, *key: int | str) -> Ask:
    """What to ask the owner of a chart for, if a cell is unknown."""
    declared = game.chart(chart)
    regular = declared.key(*key)
    how = declared.how_to_state(regular)
    notes = "; ".join(f"{field.name}: {field.note}" for field in declared.fields if field.note)
    title = f"{declared.title}, {' '.join(map(str, regular))}"
    return Ask(kind="cell", name=how, rule=declared.rule, title=title, how=how, takes=notes, key=(chart, *regular))


def asks_of(game: Game, pending: Iterable[Roll | Choice | Stuck]) -> list[Ask]:
    """What a resolution waits for: its rolls, its choices, and the chart cells that are not stated."""
    return [
        ask_for_cell(game, node.cell[0], *node.cell[1]) if isinstance(node, Stuck) else ask_for(node)
        for node in pending
    ]

"""Asks: facts, chart cells, rolls and choices that an answer waits for, and how to state each."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from ..mechanics.procedure import Choice, Modifier, Roll, Stuck
from ..state.state import Unit
from ..state.tracks import Track
from ..util.errors import quoted
from ..util.notes import note
from .placeholders import Placeholder, list_near
from .wording import format_modifiers

if TYPE_CHECKING:
    from ..game.games import Game


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A fact, cell, parameter, roll or choice that the report waits for."""

    kind: Annotated[
        Literal["fact", "cell", "parameter", "roll", "choice"],
        note("a fact, a chart cell, a parameter, a roll or a choice"),
    ]
    name: Annotated[str, note("the name that answers it")]
    rule: Annotated[str, note("the rule that needs the answer")]
    title: Annotated[str, note("the title")]
    how: Annotated[str, note("the text to type")]
    takes: Annotated[str, note("the allowed values")] = ""
    dice: Annotated[str, note("the dice of a roll")] = ""
    options: Annotated[tuple[str, ...], note("the options of a choice, or the values of a fact that has few")] = ()
    remarks: Annotated[Mapping[str, str], note("a warning about an option before it is chosen, by option")] = {}
    units: Annotated[tuple[str, ...], note("the units that go to the hex chosen")] = ()
    modifiers: Annotated[Mapping[str, tuple[Modifier, ...]], note("the DRMs of a roll, by what it decides")] = {}
    drawn: Annotated[str, note("the value of a fact on a drawn map, which may differ on the printed one")] = ""
    key: Annotated[
        tuple[str | int, ...],
        note("for a fact, its track and subject; for a chart cell, the chart and the cell's keys"),
    ] = ()
    line: Annotated[
        str, note("for a fact without a key, the notation that states it, with {} for the answer; empty for other asks")
    ] = ""


def ask_for(node: Roll | Choice) -> Ask:
    """Return the ask for a pending roll or choice."""
    if isinstance(node, Roll):
        how = f"{quoted(node.name)}=TOTAL" + (", or the dice joined by +" if node.dice.number > 1 else "")
        shown = {label: modifiers for label, modifiers in node.modifiers.items() if modifiers}
        return Ask(
            kind="roll", name=node.name, rule=node.rule, title=node.title, how=how, dice=str(node.dice), modifiers=shown
        )
    how = f"{quoted(node.name)}=OPTION"
    remarks = {option: remark for option, remark in node.remarks().items() if remark}
    options = tuple(node.options)
    return Ask(
        kind="choice",
        name=node.name,
        rule=node.rule,
        title=node.title,
        how=how,
        options=options,
        remarks=remarks,
        units=node.units,
    )


def format_ask_title(ask: Ask) -> str:
    """Return the title of an ask, or how to type a parameter that has no title."""
    return ask.how if ask.title == ask.name else ask.title


def format_drawn_title(ask: Ask) -> str:
    """Return the title of an ask, with the value on a drawn map if there is one."""
    return f"{ask.title}, drawn as {ask.drawn}" if ask.drawn else ask.title


def sort_as_printed(asks: Sequence[Ask], order: Mapping[str, int]) -> tuple[Ask, ...]:
    """Return the asks with the missing ratings of each counter together, in their printed order.

    The ratings of a counter replace the first of them; all other asks keep their order.

    `order`: the positions of the ratings on a counter, by track.
    """
    ratings: dict[str, list[Ask]] = {}
    for ask in asks:
        if unit := _find_rated_unit(ask, order):
            ratings.setdefault(unit, []).append(ask)
    sorted_asks = list[Ask]()
    for ask in asks:
        if unit := _find_rated_unit(ask, order):
            sorted_asks += sorted(ratings.pop(unit, ()), key=lambda rating: order[str(rating.key[0])])
        else:
            sorted_asks.append(ask)
    return tuple(sorted_asks)


def _find_rated_unit(ask: Ask, order: Mapping[str, int]) -> str:
    return str(ask.key[1]) if ask.kind == "fact" and ask.key and ask.key[0] in order else ""


_ANSWER_LINES = {"parameter": "ask ... ", "roll": "answers ", "choice": "answers ", "fact": "", "cell": ""}
"""The beginning of the line on which an answer is typed, by kind of ask."""


def group_alike(asks: Iterable[Ask]) -> list[list[Ask]]:
    """Return the asks in groups: facts of one track that a map draws alike, and every other ask by itself."""
    groups: dict[Hashable, list[Ask]] = {}
    for number, ask in enumerate(asks):
        groups.setdefault((ask.key[0], ask.drawn) if ask.drawn else number, []).append(ask)
    return list(groups.values())


def format_asks(asks: Iterable[Ask]) -> Iterator[str]:
    """Yield each ask in words, with the line that states it. Facts that a map draws alike share one line."""
    for group in group_alike(asks):
        yield (
            f"{format_group_title(group)}: {format_group_statement(group)}" if len(group) > 1 else _format_ask(group[0])
        )


def format_group_title(asks: Sequence[Ask]) -> str:
    """Return the title of facts that a map draws alike, with their number and drawn value."""
    title = asks[0].title.removesuffix(f" of {asks[0].key[1]}")
    return f"{title}, {len(asks)} times drawn as {asks[0].drawn}"


def format_group_statement(asks: Sequence[Ask]) -> str:
    """Return the line that states facts of one track about several hexes or hexsides."""
    words = asks[0].how.removeprefix(str(asks[0].key[1]))
    return ", ".join(str(ask.key[1]) for ask in asks) + words


def _format_ask(ask: Ask) -> str:
    roll = f"roll {ask.dice}, then " if ask.dice else ""
    parts = [f"{format_drawn_title(ask)}: {roll}{_ANSWER_LINES[ask.kind]}{ask.how}"]
    if ask.takes:
        parts.append(f"({ask.takes})")
    if ask.options:
        options = (
            quoted(option) + (f" ({ask.remarks[option]})" if option in ask.remarks else "") for option in ask.options
        )
        parts.append(f"- {' or '.join(options)}")
    for label, modifiers in ask.modifiers.items():
        parts.append(f"- {label}: {format_modifiers(modifiers)}")
    return " ".join(parts)


def ask_for_fact(track: Track, subject: str = "", drawn: str = "") -> Ask:
    """Return the ask for a fact that is not stated. `drawn`: the value on a drawn map, or ""."""
    how = track.how_to_state(subject)
    title = f"{track.title} of {subject}" if subject else track.title
    takes = "" if track.values else track.takes  # `how` already lists the values
    key = (track.name, subject)
    return Ask(kind="fact", name=how, rule=track.rule, title=title, how=how, takes=takes, key=key, drawn=drawn)


def asks_for_printed(game: Game, rests_on: Iterable[Placeholder]) -> Iterator[Ask]:
    """Yield asks for printed facts of the hexes that an answer names, for an owner of the map to state.

    `rests_on`: the placeholders that the answer rests on.
    """
    for drawn_value in list_near(rests_on):
        track = game.track(drawn_value.track)
        if track.printed == "map":
            yield from (ask_for_fact(track, subject, drawn_value.value) for subject in drawn_value.subjects)


def ask_for_unseen(game: Game, unit: Unit) -> Ask:
    """Return the ask for unseen units that matter.

    `unit`: the stand-in for them.
    """
    place = unit.place or ""
    limits = game.file.intelligence
    how = f"{place}: UNIT, ... as their owner names them"
    if limits and limits.announced:
        how += f" (once they are shown to you: {game.track(limits.announced).how_to_state(place)})"
    return Ask(kind="fact", name=unit.id, rule=limits.rule if limits else "", title=f"unseen units at {place}", how=how)


def ask_for_cell(game: Game, chart: str, *key: int | str) -> Ask:
    """Return the ask to the owner of a chart for an unknown cell."""
    declared = game.chart(chart)
    cell_key = declared.key(*key)
    how = declared.how_to_state(cell_key)
    remarks = "; ".join(f"{field.name}: {field.note}" for field in declared.fields if field.note)
    may_end = [
        f"{part}- or {part}+" for heading, part in zip(declared.keys, cell_key, strict=True) if heading.may_end(part)
    ]
    remarks = "; ".join(filter(None, [remarks, f"{', '.join(may_end)} where it holds beyond" if may_end else ""]))
    title = f"{declared.title}, {' '.join(map(str, cell_key))}"
    return Ask(kind="cell", name=how, rule=declared.rule, title=title, how=how, takes=remarks, key=(chart, *cell_key))


def list_asks(game: Game, pending: Iterable[Roll | Choice | Stuck]) -> list[Ask]:
    """Return the asks of a resolution: for its pending rolls and choices, and for missing chart cells."""
    return [
        ask_for_cell(game, node.cell[0], *node.cell[1]) if isinstance(node, Stuck) else ask_for(node)
        for node in pending
    ]

"""An ask in two lines: the requested answer with an example, and the page of help about the ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import shorten

from ...asking.asks import Ask
from ...asking.parameters import list_form_fields
from ...installed.registry import question_of
from .answers import dice_asked, list_values
from .help_text import find_example_hexes, find_example_value, roll_examples
from .help_words import first_clause
from .table import TableState

_MIN_TITLE_CHARS = 12
"""The minimum room on the line for the title of the ask."""


def format_ask(table: TableState, ask: Ask, width: int) -> Iterator[str]:
    """Yield two lines: an ask with the form of its answer, and the page of `help` about it."""
    examples = _format_examples(list_examples(table, ask), width - _MIN_TITLE_CHARS)
    title = first_clause(ask.title) if ask.kind in ("fact", "parameter") else ask.title
    takes = _describe_form(table, ask)
    room = width - len(examples) - len(takes) - 2
    sentence = f"{shorten(title, room, placeholder=' ...') if room >= _MIN_TITLE_CHARS else title}: {takes}"
    yield shorten(sentence, width - len(examples), placeholder=" ...", break_on_hyphens=False) + examples
    more = f"`help {_find_page(table, ask)}` says more"
    long_form = f"{more}; `help` lists all that can be typed"
    yield long_form if len(long_form) <= width else more


def _format_examples(examples: Sequence[str], room: int) -> str:
    text = f", such as {' or '.join(examples)}" if examples else ""
    return text if len(text) <= room else _format_examples(examples[:-1], room)


def list_examples(table: TableState, ask: Ask) -> list[str]:
    """Return possible answers to an ask, or none if only the player knows any."""
    position = table.position
    if ask.kind == "roll":
        return roll_examples(dice_asked(ask))
    if ask.kind == "cell":
        fields = position.game.chart(str(ask.key[0])).fields
        return [" / ".join(field.values[0] if field.values else f"{field.least or 0:g}" for field in fields)]
    if ask.kind == "choice":
        return ["1", ask.options[0]] if ask.options else []
    if ask.options:
        return [ask.options[0]]
    if ask.kind == "fact":
        track = position.game.tracks[str(ask.key[0])] if ask.key else None
        value = find_example_value(track) if track else None
        return [] if track is None or value is None or "such as" in ask.takes else [track.write(value)]
    return _find_parameter_examples(table, ask)


def _find_parameter_examples(table: TableState, ask: Ask) -> list[str]:
    """Return an example of a parameter's value, or none: an allowed word, a unit on the table, its hex, or a number."""
    position = table.position
    asked = table.asked
    fields = list_form_fields(question_of(position.game, asked.question), position.game) if asked else ()
    field = next((field for field in fields if field.name == ask.name), None)
    if field is None:
        return []
    if field.words:
        return [field.words[0]]
    placed = [unit for unit in position.state.units.values() if unit.place]
    match field.takes:
        case "unit":
            return [unit.id for unit in placed[:1]]
        case "hex":
            return [unit.place or "" for unit in placed[:1]] or find_example_hexes(position)[:1]
        case "number":
            return ["2"]
        case _:
            return []


def _describe_form(table: TableState, ask: Ask) -> str:
    match ask.kind:
        case "roll":
            total = f"the total of {ask.dice}"
            return total if dice_asked(ask).number == 1 else f"{total}, or its dice joined by +"
        case "choice":
            return "the number of an option, or its words" if ask.options else ask.how
        case "cell":
            return table.position.game.chart(str(ask.key[0])).form
        case "fact" if ask.key:
            return ask.takes or " / ".join(ask.options or list_values(table.position.game.tracks[str(ask.key[0])]))
        case _:
            return ask.how.removeprefix(f"{ask.name}=").strip("<>")


def _find_page(table: TableState, ask: Ask) -> str:
    if ask.kind in ("roll", "choice"):
        return "dice"
    if ask.key:
        return str(ask.key[0])
    return table.asked.question if table.asked else "dice"

"""The card of the table prompt: how to type a line, how to read its answer, and what to type next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from assistant.drawing.lettering import POINT_MM, text_width, wrap
from assistant.drawing.scene import Rectangle, Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.formats.positions import Position
from assistant.game.events import read_events
from assistant.game.gamefile import AnswerCard, AnswerLine
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.game.typed_events import write_example

from ..sheets.sizes import Box
from .aid_set import AidSet
from .flow import GAP_MM, LINE_PITCH_FACTOR, Block, Piece, Words, choose_largest, flow_blocks, set_words
from .page import EASY_SIZE_MM, HEADING_SIZE_MM, LETTER_SIZES_MM, MIN_SIZE_MM, AidStyle, draw_bar

_STRIP_PADDING_MM = 1.6
_TYPED_SHARE = 0.4
"""The share of a column's width for the typed text, beside its meaning."""
_COMMANDS = ("why", "undo", "before", "done", "picture", "charts", "keep", "help")
"""The commands of the prompt that a player at the table needs, most needed first."""


def answer_card(aids: AidSet, card: AnswerCard, area: Box) -> list[list[Piece]]:
    """Return the card in the largest letters that fit one page, and in smaller ones that are still easy to read."""
    tables = {"What else can be typed": typed_entries(aids.game)}
    if events := event_entries(aids.game):
        tables["What happens, in the journal of the books"] = events
    easy = tuple(size for size in LETTER_SIZES_MM if size >= EASY_SIZE_MM)

    def pages(sizes: Sequence[float]) -> list[Piece]:
        made = choose_largest(
            lambda size: [*_list_blocks(aids.look, card, tables, size, area.width)], sizes, area, above=0.6
        )
        return [*map(Piece, flow_blocks(made, area, above=0.6))]

    return [pages(LETTER_SIZES_MM), pages(easy[-1:])]


def typed_entries(game: Game) -> list[tuple[str, str]]:
    """Return the lines that can be typed at the table, each with its meaning. Remarks are part of the meaning before
    them.
    """
    from assistant.faces.prompt.commands import COMMANDS  # imported only here, because most games have no answer card
    from assistant.faces.prompt.help_text import list_entries_typed

    found = list[tuple[str, str]]()
    for examples, meaning in list_entries_typed(Position(game, build_state(game))):
        typed = re.sub(" {2,}", " or ", examples)
        if not typed and found:
            found[-1] = (found[-1][0], f"{found[-1][1]}; {meaning}")
        else:
            found.append((typed, meaning))
    commands = {name: COMMANDS[name] for name in _COMMANDS}
    found += [(f"{name} {command.takes}".strip(), command.meaning) for name, command in commands.items()]
    return found


def event_entries(game: Game) -> list[tuple[str, str]]:
    """Return the typed form of each event of a game that has a journal, with its meaning."""
    events = read_events(game)
    return [(write_example(events, word), event.title) for word, event in events.event.items()]


def _list_blocks(
    style: AidStyle, card: AnswerCard, tables: Mapping[str, Sequence[tuple[str, str]]], size: float, width: float
) -> Iterator[Block]:
    yield _block_of_heading("You type", style, width)
    yield _block_of_strip(card.typed, style, size + POINT_MM, width, tied=bool(card.means))
    if card.means:
        yield _block_of_meaning(card.means, size, width)
    yield _block_of_heading("The assistant answers", style, width)
    for line in card.lines:
        yield _block_of_line(line, style, size, width)
    for title, some in tables.items():
        yield _block_of_heading(title, style, width)
        yield _block_of_entries(some, size, width)


def _block_of_heading(text: str, style: AidStyle, width: float) -> Block:
    height = HEADING_SIZE_MM * LINE_PITCH_FACTOR + 1.6
    return Block(
        height + 2.0,
        lambda x, y: draw_bar(style, Box(x, y + 1.0, width, height), SOFT_INK, text, HEADING_SIZE_MM),
        tied=True,
    )


def set_as_typed(text: str, size: float, width: float, *, bold: bool = False) -> Words:
    """Return a text as on the screen, with its hyphens, in lines that fit a width."""
    return Words(tuple(wrap(text, size, width, bold=bold, typed=True)), size, bold, typed=True)


def _block_of_strip(text: str, style: AidStyle, size: float, width: float, *, tied: bool = True) -> Block:
    lines = set_as_typed(text, size, width - 2 * _STRIP_PADDING_MM, bold=True)
    height = lines.height + 1.4

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield Rectangle(
            x=x, y=y, width=width, height=height, radius=0.8, fill=style.tint(GRID, 0.28), stroke=GRID, stroke_width=0.2
        )
        yield from lines.at(x + _STRIP_PADDING_MM, y + 0.6)

    return Block(height + 0.4, draw, tied)


def _block_of_line(line: AnswerLine, style: AidStyle, size: float, width: float) -> Block:
    strip = _block_of_strip(line.reads, style, size, width)
    meaning = _block_of_meaning(line.means, size, width)

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from strip.draw(x, y)
        yield from meaning.draw(x, y + strip.height)

    return Block(strip.height + meaning.height, draw)


def _block_of_meaning(text: str, size: float, width: float) -> Block:
    meaning = set_words(add_quotes(text), size, width - 2 * _STRIP_PADDING_MM - 2.0)
    return Block(meaning.height + 1.6, lambda x, y: meaning.at(x + _STRIP_PADDING_MM + 2.0, y))


def add_quotes(text: str) -> str:
    """Return a text with its typed parts in quotation marks."""
    return re.sub("`([^`]*)`", "\u201c\\1\u201d", text)


def _block_of_entries(pairs: Sequence[tuple[str, str]], size: float, width: float) -> Block:
    column = (width - 2 * GAP_MM) / 2
    rows = [_block_of_entry(typed, meaning, max(size - POINT_MM, MIN_SIZE_MM), column) for typed, meaning in pairs]
    height = [row.height for row in rows]
    split = min(range(1, len(rows) + 1), key=lambda at: max(sum(height[:at]), sum(height[at:])))

    def draw(x: float, y: float) -> Iterator[Shape]:
        for left, some in ((x, rows[:split]), (x + column + 2 * GAP_MM, rows[split:])):
            top = y
            for row in some:
                yield from row.draw(left, top)
                top += row.height

    return Block(max(sum(height[:split]), sum(height[split:])), draw)


def _block_of_entry(typed: str, meaning: str, size: float, width: float) -> Block:
    left = width * _TYPED_SHARE
    short = all(text_width(word, size, bold=True) <= left for word in typed.split())
    first = set_as_typed(typed, size, left if short else width, bold=True)
    second = set_as_typed(add_quotes(meaning), size, width - left - 2.0)

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from first.at(x, y)
        yield from second.at(x + left + 2.0, y if short else y + first.height, fill=SOFT_INK)

    return Block((max(first.height, second.height) if short else first.height + second.height) + 0.9, draw)

"""The cards of a set of player aids by name, and the pages that they share.

The displays of armies, the tracks of points and the card of the table prompt are laid out here. The pages become files: a PDF with bookmarks, a folder of SVG pages, or a picture of the first page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT_MM, missing_letters, text_width, wrap
from assistant.drawing.pdf import Imprint, PdfPage, PlacedScene, pages_to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.scene import Rectangle, Scene, Shape, Text
from assistant.drawing.style import GRID, SOFT_INK
from assistant.drawing.svg import to_svg
from assistant.formats.positions import Position
from assistant.game.course import Army, Organisation, RecordTrack
from assistant.game.events import read_events
from assistant.game.gamefile import AnswerCard, AnswerLine
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.game.typed_events import write_example
from assistant.state.tracks import CERTAIN
from assistant.util.errors import InputError, Where, nearest_names
from assistant.util.typesetting import sentence

from ..sheets.sizes import INCH_MM, Box, format_die
from .aid_set import AidSet, initials_of
from .counter_key import counter_key
from .flow import (
    COLUMN_GAP_MM,
    GAP_MM,
    LINE_PITCH_FACTOR,
    Block,
    Piece,
    Words,
    choose_largest,
    flow_blocks,
    half_of,
    set_line,
    set_words,
)
from .listings import listing_pieces
from .page import (
    EASY_SIZE_MM,
    HEADING_SIZE_MM,
    LETTER_SIZES_MM,
    MIN_SIZE_MM,
    AidStyle,
    aid_page,
    counter_box,
    draw_bar,
    draw_box,
    format_rule,
    thin_line,
    title_of_several,
)
from .page_layout import PackedPage, PackedPiece, Sizes, share_pages
from .roster_sheet import roster_sheet
from .sequence import checklists, sequence_track
from .tables import Coverage, chart_pieces
from .terrain_key import terrain_key
from .turn_sheet import turn_sheet
from .turn_track import calendar_track, lies_on_its_side, turn_track

_BODY_SIZE_MM = 8 * POINT_MM
_LABEL_SIZE_MM = 8 * POINT_MM
_TITLE_HEIGHT_MM = 8.6
_STATUS_HEIGHT_MM = 3.8  # for the heads above the status boxes
_TRACK_GAP_MM = 1.4
_NAME_WIDTH_MM = 30.0  # for the box or name to the left of a track
_ARMY_GAP_MM = 2 * GAP_MM
_MAX_HEIGHT_FACTOR = 1.5
"""The most by which tracks are stretched to fill the page."""
_MIN_CORPS = 3
"""The minimum number of corps tracks of an army without a stated limit."""
_MAX_CORPS = 7


class _ArmyDisplay(NamedTuple):
    """An army, and the texts and colour of its display."""

    army: Army
    title: str
    limit: int | None
    """The maximum number of corps, or None if the game file does not state it."""
    cavalry: bool
    """Whether the army has one more track, for a cavalry corps."""
    accent: str


class _ArmyTracks(NamedTuple):
    """Tracks of an army that are printed together under its title."""

    display: _ArmyDisplay
    names: Sequence[str]
    """The text to the left of each track, or "" for an empty corps box."""
    continued: bool = False
    """Whether these tracks continue earlier ones, which began with the track of independent formations."""


def _army_pieces(
    displays: Sequence[_ArmyDisplay], organisation: Organisation, style: AidStyle, area: Box
) -> list[Piece]:
    """Return the armies in columns as high as the page: a track for independent formations, then one for each corps.

    Two columns share a page if half of it has room for a counter in each status box.

    An army without a stated limit has as many corps tracks as fit, up to seven. If the next display is a garrison of
    the same nation, which has no corps, room for it is kept in the column.
    """
    row_height, columns = style.box + _TRACK_GAP_MM, list[list[_ArmyTracks]]()
    free_height = 0.0  # in the last column
    for number, display in enumerate(displays):
        following = displays[number + 1] if number + 1 < len(displays) else None
        has_garrison = following is not None and following.limit == 0 and following.army.nation == display.army.nation
        garrison_height = _ARMY_GAP_MM + _TITLE_HEIGHT_MM + _STATUS_HEIGHT_MM + row_height
        reserved = garrison_height if has_garrison and display.limit is None else 0.0
        room = area.height - _TITLE_HEIGHT_MM - _STATUS_HEIGHT_MM
        for part in _split_tracks(display, organisation, room, reserved, row_height):
            height = _TITLE_HEIGHT_MM + _STATUS_HEIGHT_MM + len(part.names) * row_height
            if columns and height + _ARMY_GAP_MM <= free_height:
                columns[-1].append(part)
                free_height -= height + _ARMY_GAP_MM
            else:
                columns.append([part])
                free_height = area.height - height
    half = half_of(area)
    fits_half = (half.width - _NAME_WIDTH_MM) / max(len(organisation.statuses), 1) >= style.box
    column_area = half if fits_half else area
    return [
        Piece(_block_of_column(parts, organisation, style, column_area), half=fits_half, landscape=True)
        for parts in columns
    ]


def _split_tracks(
    display: _ArmyDisplay, organisation: Organisation, room: float, reserved: float, row_height: float
) -> Iterator[_ArmyTracks]:
    """Yield the tracks of an army in parts that fit a page.

    `room`: the height below title and heads.
    `reserved`: the height to keep free for the next army if the number of corps may be chosen.
    """
    max_tracks = max(int((room - reserved + 1e-6) // row_height), 1)
    names = [organisation.independent, *_name_corps(display, max_tracks - 1)]
    tracks_per_page = max(int((room + 1e-6) // row_height), 1)
    for first in range(0, len(names), tracks_per_page):
        yield _ArmyTracks(display, names[first : first + tracks_per_page], continued=first > 0)


def _block_of_column(parts: Sequence[_ArmyTracks], organisation: Organisation, style: AidStyle, area: Box) -> Block:
    track_count = sum(len(part.names) for part in parts)
    head_height = _TITLE_HEIGHT_MM + _STATUS_HEIGHT_MM
    other_height = sum(head_height for _ in parts) + _ARMY_GAP_MM * (len(parts) - 1)
    row_height = min((area.height - other_height) / track_count, (style.box + _TRACK_GAP_MM) * _MAX_HEIGHT_FACTOR)

    def draw(x: float, y: float) -> Iterator[Shape]:
        for part in parts:
            yield from _draw_display(part, organisation, style, Box(x, y, area.width, row_height - _TRACK_GAP_MM))
            y += head_height + len(part.names) * row_height + _ARMY_GAP_MM

    return Block(other_height + track_count * row_height, draw)


def _draw_display(part: _ArmyTracks, organisation: Organisation, style: AidStyle, place: Box) -> Iterator[Shape]:
    """Yield tracks of an army under its title.

    `place`: left and top of the display, width and height of one track.
    """
    display, x, y, width = part.display, place.left, place.top, place.width
    title = f"{display.title}, continued" if part.continued else display.title
    rule = format_rule(display.army.rule)
    aside = " · ".join(
        filter(None, [", ".join(filter(None, [_format_limit(display, organisation), display.army.note])), rule])
    )
    yield from draw_bar(style, Box(x, y, width, _TITLE_HEIGHT_MM - 1.2), display.accent, title, HEADING_SIZE_MM, aside)
    yield from _draw_statuses(organisation, x, y + _TITLE_HEIGHT_MM, width)
    top = y + (_TITLE_HEIGHT_MM + _STATUS_HEIGHT_MM)
    for number, name in enumerate(part.names):
        is_independent = number == 0 and not part.continued
        yield from _draw_track(name, organisation, style, place._replace(top=top), is_independent=is_independent)
        top += place.height + _TRACK_GAP_MM


def _format_limit(display: _ArmyDisplay, organisation: Organisation) -> str:
    """Return the limit in words, such as `Attachment Limit 4 + C` with a cavalry corps, or "" for a garrison."""
    if display.limit == 0 or not organisation.corps:
        return ""
    extra = " + C" if display.cavalry else ""
    return f"Attachment Limit {'____' if display.limit is None else display.limit}{extra}"


def _name_corps(display: _ArmyDisplay, max_corps: int) -> list[str]:
    """Return the text for each corps track: the corps that alone may use it, or "".

    `max_corps`: the number of tracks that fit the page.
    """
    reserved = [
        f"{corps_box.only} only{f' ({corps_box.rule})' if corps_box.rule else ''}" for corps_box in display.army.boxes
    ]
    count = max(min(max_corps, _MAX_CORPS), len(reserved), _MIN_CORPS) if display.limit is None else display.limit
    cavalry = ["Cavalry Corps only"] if display.cavalry else []
    return [*reserved, *[""] * (count - len(reserved)), *cavalry]


def _draw_statuses(organisation: Organisation, x: float, y: float, width: float) -> Iterator[Shape]:
    left = x + _NAME_WIDTH_MM
    box_width = (width - _NAME_WIDTH_MM) / max(len(organisation.statuses), 1)
    if organisation.status:
        yield set_line(x, y + 2.6, organisation.status, MIN_SIZE_MM, _NAME_WIDTH_MM - 0.5, fill=SOFT_INK)
    for number, status in enumerate(organisation.statuses):
        middle = left + (number + 0.5) * box_width
        yield set_line(middle, y + 2.8, status, _LABEL_SIZE_MM, box_width, bold=True, anchor="middle")


def _draw_track(
    name: str, organisation: Organisation, style: AidStyle, area: Box, *, is_independent: bool
) -> Iterator[Shape]:
    left = area.left + _NAME_WIDTH_MM
    box_width = (area.width - _NAME_WIDTH_MM) / max(len(organisation.statuses), 1)
    if is_independent:
        base = area.top + area.height / 2 + 1
        yield set_line(area.left, base, name, _BODY_SIZE_MM * 1.15, _NAME_WIDTH_MM - 2, bold=True)
    else:
        yield counter_box(area.left, area.top + (area.height - style.box) / 2, style)
        words = set_words(name or organisation.corps, _LABEL_SIZE_MM, _NAME_WIDTH_MM - style.box - 2)
        fill = INK if name else SOFT_INK
        yield from words.at(area.left + style.box + 1, area.top + (area.height - words.height) / 2, fill=fill)
    for number in range(len(organisation.statuses)):
        ground = WHITE if number % 2 else style.tint(GRID, 0.18)
        yield draw_box(
            Box(left + number * box_width, area.top, box_width, area.height), fill=ground, stroke=GRID, radius=0
        )


# --- records ----------------------------------------------------------------------------------------------------------

_NUMBER_HEIGHT_MM = 4.0


def _block_of_record(record: RecordTrack, title: str, accent: str, style: AidStyle, width: float) -> Block:
    """Return a track of numbered boxes, in rows of ten or five if these fit the width."""
    numbers = range(record.least, record.most + 1)
    columns = max(int(width // style.box), 1)
    if columns >= 10:
        columns = 10
    elif len(numbers) > columns >= 5:
        columns = 5
    columns = min(columns, len(numbers))
    rows = [numbers[first : first + columns] for first in range(0, len(numbers), columns)]
    box_height, box_width = style.box + _NUMBER_HEIGHT_MM, min(width / columns, 2 * style.box)
    note = set_words(sentence(record.note), _BODY_SIZE_MM, width) if record.note else None
    note_height = note.height + 1 if note else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from draw_bar(
            style, Box(x, y, width, _TITLE_HEIGHT_MM - 1.2), accent, title, HEADING_SIZE_MM, format_rule(record.rule)
        )
        for row, row_numbers in enumerate(rows):
            for column, number in enumerate(row_numbers):
                at = Box(x + column * box_width, y + _TITLE_HEIGHT_MM + row * box_height, box_width, box_height)
                yield draw_box(at, fill=WHITE if (row + column) % 2 else style.tint(GRID, 0.18), stroke=GRID, radius=0)
                yield set_line(
                    at.left + box_width / 2,
                    at.top + 3.4,
                    str(number),
                    10 * POINT_MM,
                    box_width - 1,
                    bold=True,
                    anchor="middle",
                )
        if note:
            yield from note.at(x, y + _TITLE_HEIGHT_MM + len(rows) * box_height + 0.8, fill=SOFT_INK)

    return Block(_TITLE_HEIGHT_MM + len(rows) * box_height + note_height, draw)


def _record_tracks(aids: AidSet, area: Box, rows: int = 1) -> list[Piece]:
    """Return the record tracks of a set: one for each side or nation that a record names, or one that all share.

    `rows`: the number of rows in which a track may be folded to take half the width.
    """
    pieces = []
    for record in aids.course.record:
        half = half_of(area)
        fits_half = record.most - record.least + 1 <= half.width // aids.look.box * rows
        owners = [who for who in record.who if who in aids.people] if record.who else [""]
        for who in owners:
            title = f"{record.title}: {aids.game.file.title_of(who)}" if who else record.title
            width = half.width if fits_half else area.width
            pieces.append(Piece(_block_of_record(record, title, aids.accent(who), aids.look, width), fits_half))
    return pieces


_STRIP_PADDING_MM = 1.6
_TYPED_SHARE = 0.4
"""The share of a column's width for the typed text, beside its meaning."""
_COMMANDS = ("why", "undo", "before", "done", "picture", "charts", "keep", "help")
"""The commands of the prompt that a player at the table needs, most needed first."""


def _answer_card(aids: AidSet, card: AnswerCard, area: Box) -> list[list[Piece]]:
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
    """Return a text with quotation marks instead of backticks."""
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


FOR_COUNTERS = frozenset({"turn-track", "sequence", "armies", "records"})
"""The cards on which counters lie."""
SHEET = "turn-sheet"
_HANDBOOK = 'see "The files of a game" in the handbook'
"""The hint where an author reads of the files that cards are made of."""
_PREVIEW_PIXELS_PER_MM = 110 / INCH_MM
_CARD_HEAD_MM = 8.0
"""The height of the name of a card on a page that it shares."""


class Card(NamedTuple):
    """A player aid, as pieces for pages that it may share."""

    aids: AidSet
    name: str
    """The name by which the card is asked for."""
    title: str
    """The title of the bookmark."""
    layouts: Sequence[Sequence[Piece]]
    """The pieces of each layout, the roomiest first."""
    who: str = ""
    """The nation or side of the card, or "" for all."""
    note: str = ""
    """The note at the foot of its pages."""
    titled: bool = False
    """Whether its pieces have their own headings."""

    @property
    def pages(self) -> tuple[Scene, ...]:
        """The pages, if no other card shares them."""
        return tuple(page.scene for page in pack_cards([self]))


def _make_card(
    aids: AidSet, name: str, title: str, *layouts: Sequence[Piece], note: str = "", who: str = "", titled: bool = False
) -> Card:
    """Return a card under its full name.

    `who`: the side of the card.
    """
    who = who or aids.nation or aids.side
    full = f"{title}: {aids.game.file.title_of(who)}" if aids.game.file.title_of(who) else title
    return Card(aids, name, full, layouts, who, note, titled)


def _make_turn_track(aids: AidSet) -> list[Card]:
    calendar = aids.course.calendar
    if not aids.turns and calendar:
        turned = lies_on_its_side(aids.look, calendar, aids.area())
        blocks = calendar_track(aids, calendar, aids.area(landscape=turned))
        return [_make_card(aids, "turn-track", "Turn track", [Piece(block, landscape=turned) for block in blocks])]
    if not aids.turns:
        return []
    whom = {event.who for turn in aids.turns for event in turn.events if event.who in aids.people}
    whom |= {figure.who for figure in aids.course.turns.figures if figure.who in aids.people}
    sides = aids.game.file.sides.items()
    named = [who for side, nations in sides for who in dict.fromkeys((side, *nations)) if who in whom]
    shorts = ", ".join(f"{initials_of(aids.game, who)} {aids.game.file.title_of(who)}" for who in named)
    inferred = any(turn.date and turn.date.source not in CERTAIN for turn in aids.turns)
    note = "; ".join(filter(None, [shorts, "dates with “about” are inferred from the rulebook" if inferred else ""]))
    filling = [Piece(block, landscape=True) for block in turn_track(aids, aids.area(landscape=True))]
    low = [[Piece(block) for block in turn_track(aids, aids.area(), low=True)]] if len(filling) == 1 else []
    return [_make_card(aids, "turn-track", "Turn track", filling, *low, note=note)]


def _make_sequence(aids: AidSet) -> list[Card]:
    if not aids.course.phase:
        return []
    return [_make_card(aids, "sequence", "Sequence of play", *sequence_track(aids, aids.area()))]


def _make_checklists(aids: AidSet) -> list[Card]:
    if not any(phase.steps for phase in aids.course.phase):
        return []
    asked = any("(ask " in step.do for phase in aids.course.phase for step in phase.steps)
    note = "What stands after “ask” in brackets is a question that the assistant answers." if asked else ""
    sides = [side for side in aids.sides if side in aids.people or not side]
    layouts = checklists(aids, sides, aids.area(), _CARD_HEAD_MM)
    return [
        _make_card(aids, "checklist", "Checklist", *made, note=note, who=side)
        for side, made in zip(sides, layouts, strict=True)
    ]


def _make_charts(aids: AidSet) -> list[Card]:
    upright, turned = aids.area(), aids.area(landscape=True)
    shown = [Coverage(chart, aids.made_up) for name, chart in aids.game.charts.items() if name not in aids.course.costs]

    def pieces(max_size: float) -> Iterator[Piece]:
        for chart in shown:
            yield from chart_pieces(chart, aids.look, upright, turned, max_size)
        for listing in aids.course.table:
            yield from listing_pieces(aids.game, listing, aids.look, upright, max_size)

    layouts = [[*pieces(most)] for most in (LETTER_SIZES_MM[0], EASY_SIZE_MM)]
    return [_make_card(aids, "charts", "Charts", *layouts, titled=True)] if layouts[0] else []


def _make_terrain_key(aids: AidSet) -> list[Card]:
    area = aids.area()
    charts = [Coverage(aids.game.chart(name), aids.made_up) for name in aids.course.costs]
    layouts = terrain_key(aids.game, charts, aids.look, area)
    return [_make_card(aids, "terrain-key", "Terrain key", *layouts)] if layouts[0][0].size.height else []


def _make_counter(aids: AidSet) -> list[Card]:
    layouts = counter_key(aids, aids.area())
    return [_make_card(aids, "counter", "How to read a counter", *layouts)] if layouts else []


def _make_armies(aids: AidSet) -> list[Card]:
    area = aids.area(landscape=True)
    organisation = aids.course.organisation
    displays, unknown = list[_ArmyDisplay](), False
    for army in aids.course.army:
        if army.nation in aids.people:
            name = (army.title or organisation.title).replace("{}", army.name)
            title = f"{aids.game.file.title_of(army.nation)} {name}"
            accent = aids.accent(army.nation)
            limit, cavalry = _read_stated(aids.game, army, organisation)
            displays.append(_ArmyDisplay(army, title, limit, cavalry, accent))
            unknown = unknown or limit is None
    if not displays:
        return []
    note = "Where the Attachment Limit is blank, write it in from your own copy and strike out the tracks beyond it."
    pieces = _army_pieces(displays, organisation, aids.look, area)
    return [_make_card(aids, "armies", "Army displays", pieces, note=note if unknown else "", titled=True)]


def _read_stated(game: Game, army: Army, organisation: Organisation) -> tuple[int | None, bool]:
    """Return the stated number of an army's corps, or None, and whether it has a track for cavalry too."""
    name = f"{game.side_of(army.nation)} {army.name}"
    limit = game.overlay.armies.get((organisation.limit, name))
    cavalry = game.overlay.armies.get((organisation.cavalry, name))
    return army.limit if limit is None else int(str(limit.value)), bool(cavalry and cavalry.value)


def _make_records(aids: AidSet) -> list[Card]:
    layouts = [_record_tracks(aids, aids.area(), rows) for rows in (1, 2)]
    return [_make_card(aids, "records", "Record tracks", *layouts, titled=True)] if layouts[0] else []


def _make_roster(aids: AidSet) -> list[Card]:
    pieces = roster_sheet(aids, aids.area())
    note = "In pencil: cross off what is lost. A wide box takes the number that your own counter has."
    return [_make_card(aids, "roster", "Roster sheet", pieces, note=note)] if pieces else []


def _make_answers(aids: AidSet) -> list[Card]:
    card = aids.game.file.card
    if card is None:
        return []
    note = (
        "Type at the prompt of assistant table; the first letters of a word are enough. Capitals and dots "
        "may be left out."
    )
    return [_make_card(aids, "answers", "Reading an answer", *_answer_card(aids, card, aids.area()), note=note)]


def _make_turn_sheets(aids: AidSet) -> list[Card]:
    journal = aids.journal
    if journal is None:
        return []
    title = f"Turn {journal.label(journal.turn)}"
    sides = [side for side in aids.sides if side in aids.people or not side]
    note = "Figures as the journal stands, with what is counted; boxes for what they become."
    made = {side: turn_sheet(aids, journal, side, aids.area()) for side in sides}
    return [
        _make_card(aids, SHEET, title, pieces, note=note, who=side)
        for side, pieces in made.items()
        if pieces[0].size.height
    ]


CARDS: Mapping[str, Callable[[AidSet], list[Card]]] = {
    "turn-track": _make_turn_track,
    "sequence": _make_sequence,
    "checklist": _make_checklists,
    "charts": _make_charts,
    "terrain-key": _make_terrain_key,
    "counter": _make_counter,
    "armies": _make_armies,
    "records": _make_records,
    "roster": _make_roster,
    "answers": _make_answers,
    SHEET: _make_turn_sheets,
}
"""The makers of cards, by the name by which they are asked for."""


_ONLY_IF_NAMED = frozenset({"roster"})
"""The cards that are used up in one game, and are printed apart from the others."""


def choose_cards(aids: AidSet, names: Sequence[str]) -> list[Card]:
    """Return the cards with these names, or by default all that the game has except its roster sheet.

    Raises InputError for an unknown name, and for a card that the game's files do not make.
    """
    for name in names:
        if name not in CARDS:
            near = nearest_names(name, CARDS)
            known = ", ".join(CARDS)
            hint = f"nearest known: {', '.join(near)}; all: {known}" if near else f"known: {known}"
            raise InputError(f"unknown card {name!r}", where=Where("--only"), hint=hint)
    if SHEET in names and not read_events(aids.game).event:
        what = f"{aids.game.title} keeps no books: it has no events"
        raise InputError(what, where=Where("--only"), hint=f"a turn sheet needs an events.toml: {_HANDBOOK}")
    if SHEET in names and aids.journal is None:
        raise InputError("a turn sheet is of a journal", where=Where("--only"), hint="add --journal FILE.journal")
    chosen = dict.fromkeys(names or (name for name in CARDS if name not in _ONLY_IF_NAMED))
    made = {name: CARDS[name](aids) for name in CARDS if name in chosen}
    if names and (empty := [name for name in chosen if not made[name]]):
        files = f"course.toml, turns.csv and charts.toml: {_HANDBOOK}"
        what = f"{aids.game.title} has nothing for {' and '.join(empty)}"
        raise InputError(what, where=Where("--only"), hint=f"it is made from {files}")
    cards = [card for name in made for card in made[name]]
    if not cards:
        what = f"{aids.game.title} has no player aids"
        raise InputError(what, hint=f"they are made from its course.toml, turns.csv and charts.toml: {_HANDBOOK}")
    return cards


# --- cards on pages ---------------------------------------------------------------------------------------------------


class CardPage(NamedTuple):
    """A page of cards."""

    scene: Scene
    cards: Sequence[Card]
    """The cards on the page."""
    begins: Sequence[str]
    """The titles of cards that begin on the page."""
    sheet: PackedPage
    """The places of the pieces."""


def pack_cards(cards: Sequence[Card]) -> list[CardPage]:
    """Return cards on the fewest pages, small ones together."""
    area = {turned: cards[0].aids.area(landscape=turned) for turned in (False, True)}
    sizes = [
        Sizes([[piece.size for piece in layout] for layout in card.layouts], 0.0 if card.titled else _CARD_HEAD_MM)
        for card in cards
    ]
    packed = share_pages(sizes, {turned: room.height for turned, room in area.items()}, COLUMN_GAP_MM)
    pieces = [card.layouts[layout] for card, layout in zip(cards, packed.layouts, strict=True)]
    numbers = [list(dict.fromkeys(spot.card for spot in sheet.spots)) for sheet in packed.sheets]
    made, begun = list[CardPage](), list[int]()
    for sheet, here in zip(packed.sheets, numbers, strict=True):
        shapes = [
            shape
            for spot in sheet.spots
            for shape in _draw_piece(cards[spot.card], pieces[spot.card], spot, area[sheet.landscape])
        ]
        on_it = [cards[number] for number in sorted(here)]
        titles: list[str] = []
        for number in sorted(here):
            count = sum(number in some for some in numbers)
            part = f", {begun.count(number) + 1} of {count}" if count > 1 else ""
            titles.append(f"{cards[number].title}{part}")
        begins = [cards[number].title for number in sorted(here) if number not in begun]
        begun += here
        made.append(CardPage(_draw_page(on_it, titles, shapes, landscape=sheet.landscape), on_it, begins, sheet))
    return made


def _draw_piece(card: Card, pieces: Sequence[Piece], spot: PackedPiece, area: Box) -> Iterator[Shape]:
    """Yield a piece of a card in its place, below the name of the card if it shares its page."""
    piece = pieces[spot.piece]
    room = half_of(area) if piece.half else area
    x, y = area.left + spot.column * (room.width + COLUMN_GAP_MM), area.top + spot.top
    if spot.headed:
        line = y + _CARD_HEAD_MM - 2.6
        yield set_line(x, y + HEADING_SIZE_MM, card.title, HEADING_SIZE_MM, room.width, bold=True)
        yield thin_line(x, line, x + room.width, line, stroke=card.aids.accent(card.who), width=0.5)
        y += _CARD_HEAD_MM
    yield from piece.block.draw(x, y)


def _draw_page(cards: Sequence[Card], titles: Sequence[str], shapes: Sequence[Shape], *, landscape: bool) -> Scene:
    aids, owners = cards[0].aids, {card.who for card in cards}
    names = {card.name for card in cards}
    aside = f"Print at 100 %: boxes for counters of {format_die(aids.look.die)}" if names & FOR_COUNTERS else ""
    return aid_page(
        aids.look,
        titles[0] if len(titles) == 1 else title_of_several(titles, aids.area(landscape=landscape)),
        aids.game.title,
        shapes,
        note=" ".join(dict.fromkeys(filter(None, (card.note for card in cards)))),
        foot_text=aside,
        accent=aids.accent(owners.pop() if len(owners) == 1 else ""),
        landscape=landscape,
    )


def aids_pdf(title: str, pages: Sequence[CardPage], imprint: Imprint = Imprint()) -> bytes:
    """Return the pages of all cards, with a bookmark for each card.

    `title`: the title of the game.
    """
    return pages_to_pdf([*map(_make_pdf_page, pages)], title=f"{title}: player aids", imprint=imprint)


def aids_svg(pages: Sequence[CardPage]) -> dict[str, bytes]:
    """Return each page as an SVG document, by its file name."""
    return {f"page-{n:02}-{page.cards[0].name}.svg": to_svg(page.scene).encode() for n, page in enumerate(pages, 1)}


def aids_preview(pages: Sequence[CardPage]) -> bytes:
    """Return the first page as a PNG of 110 pixels to the inch."""
    return to_png([pages[0].scene], _PREVIEW_PIXELS_PER_MM)[0]


def troubles(pages: Sequence[CardPage], max_lines: int = 10) -> Iterator[str]:
    """Yield lines about words that found no room, and letters that the typeface lacks."""
    lines = list(dict.fromkeys(line for page in pages for line in _list_troubles(page)))
    yield from lines[:max_lines]
    if len(lines) > max_lines:
        yield f"and {len(lines) - max_lines} more of this kind"


def _list_troubles(page: CardPage) -> Iterator[str]:
    names = ", ".join(dict.fromkeys(card.name for card in page.cards))
    for text in _list_texts(page.scene):
        if text.text.endswith("…"):
            yield f"{names}: {text.text!r} does not fit; shorten it"
        if letters := missing_letters(text.text):
            yield f"{names}: {text.text!r} has characters that the typeface lacks: {letters}"


def _list_texts(scene: Scene) -> Iterator[Text]:
    return (shape for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text))


def _make_pdf_page(page: CardPage) -> PdfPage:
    scene = page.scene
    placed = PlacedScene(scene, 0.0, 0.0, scene.width, scene.height)
    return PdfPage(scene.width, scene.height, (placed,), bookmarks=tuple(page.begins))

"""What counters lie on: the turn track, the sequence of play with its checklist, the displays of armies, records of
points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import log
from typing import NamedTuple

from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Rectangle, Shape, Text
from assistant.game.course import (
    TURNS,
    Army,
    Figure,
    Organisation,
    Phase,
    RecordTrack,
    Step,
    Turn,
    TurnFact,
    numbers_of,
)
from assistant.game.games import Game
from assistant.pictures.colours import INK, WHITE
from assistant.pictures.style import GRID, SEASONS, SOFT_INK
from assistant.util.errors import InputError, Where

from ..sheets.layout import Box
from .page import (
    GAP,
    LEAST,
    PITCH,
    SIZES,
    AidSet,
    Block,
    Look,
    Words,
    bar,
    box,
    concerns,
    counter_box,
    flow,
    line,
    one_line,
    sentence,
    short_of,
    words,
)

_SIZES = tuple(size for size in SIZES if size <= 8.5 * POINT)
_PAD, _TURN_HEAD = 1.4, 6.4
_NUMBER = 12 * POINT
_BESIDE = 20.0
"""The room for words beside a counter."""
_MOST_STRETCHED, _SHAPE = 1.6, 1.5
"""How much higher than it needs to be a box may become; how wide it is at best, for its height."""
_BLANK = "___"


# --- the turn track ---------------------------------------------------------------------------------------------------


class BoxText(NamedTuple):
    """The words of one box. beside: those right of the counter; below: those under it; band: those of the band at its
    foot.
    """

    beside: tuple[Words, ...]
    below: tuple[Words, ...]
    band: Words | None

    def height(self, look: Look) -> float:
        """What a box needs, with its head."""
        above = max(look.box, sum(part.height for part in self.beside)) + _PAD
        under = sum(part.height + 0.6 for part in self.below)
        return _TURN_HEAD + _PAD + above + under + (self.band.height + 1.6 if self.band else 0) + 0.6


def turn_track(of: AidSet, area: Box) -> list[list[Shape]]:
    """The shapes of each page: as few pages as hold everything, in letters as large as have room there.

    Raises InputError for a turn with more events than a page has room for.
    """
    grid = _grid(of, area)
    wide = area.width / grid.columns
    for turn in (turn for rows in grid.pages for row in rows if row.height > area.height for turn in row.turns):
        if _fill(of, turn, wide, grid.size).height(of.look) > area.height:
            what = f"the events of turn {turn.number} do not fit on a page"
            raise InputError(what, where=Where(TURNS), hint="shorten them, or leave some out")
    pages = []
    for rows in grid.pages:
        shapes: list[Shape] = []
        spare = (area.height - sum(row.height for row in rows)) / len(rows)
        top = area.top
        for row in rows:
            high = min(row.height + spare, row.height * _MOST_STRETCHED)
            for column, turn in enumerate(row.turns):
                shapes += _box(of, turn, Box(area.left + column * wide, top, wide, high), grid.size)
            top += high
        pages.append(shapes)
    return pages


class Row(NamedTuple):
    """Turns side by side, and the height that they need."""

    turns: Sequence[Turn]
    height: float


class Grid(NamedTuple):
    """How a track is laid out. size: of the letters; pages: the rows of each."""

    columns: int
    size: float
    pages: list[list[Row]]


def _grid(of: AidSet, area: Box) -> Grid:
    """The layout with the fewest pages, of these the one with the largest letters, of these the one with the best
    shaped boxes.
    """
    grids = list[Grid]()
    for columns in range(2, 9):
        wide = area.width / columns
        if columns > 2 and (
            wide < of.look.box + 3 * _PAD + _BESIDE or any(_date_room(of, t, wide) < 0 for t in of.turns)
        ):
            break
        for size in _SIZES:
            heights = [_fill(of, turn, wide, size).height(of.look) for turn in of.turns]
            starts = range(0, len(heights), columns)
            rows = [Row(of.turns[n : n + columns], max(heights[n : n + columns])) for n in starts]
            grids.append(Grid(columns, size, _pages(rows, area.height)))

    def worse(grid: Grid) -> tuple[float, ...]:
        high = area.height / max(map(len, grid.pages))
        return len(grid.pages), -grid.size, abs(log(area.width / grid.columns / high / _SHAPE))

    return min(grids, key=worse)


def _date_room(of: AidSet, turn: Turn, wide: float) -> float:
    """The room that the name of a turn and its date leave in the head of a box, below 0 if the date has to be cut off."""
    name = text_width(of.course.turns.tag.format(turn.number), _NUMBER, bold=True)
    date = text_width(turn.date.in_words, LEAST) if turn.date else 0.0
    return wide - name - date - 4 * _PAD


def _pages(rows: Sequence[Row], high: float) -> list[list[Row]]:
    """Rows on as few pages as hold them, about as much on each."""
    fewest = len(_pack(rows, high))
    low, enough = max(row.height for row in rows), high
    while enough - low > 0.5:
        middle = (low + enough) / 2
        low, enough = (low, middle) if len(_pack(rows, middle)) == fewest else (middle, enough)
    return _pack(rows, enough)


def _pack(rows: Sequence[Row], high: float) -> list[list[Row]]:
    """Rows on pages, each filled before the next one begins."""
    pages: list[list[Row]] = [[]]
    filled = 0.0
    for row in rows:
        if pages[-1] and filled + row.height > high:
            pages.append([])
            filled = 0.0
        pages[-1].append(row)
        filled += row.height
    return pages


def _fill(of: AidSet, turn: Turn, wide: float, size: float) -> BoxText:
    """The words of a turn, broken for a box of this width."""
    inner, aside = wide - 2 * _PAD, wide - of.look.box - 3 * _PAD
    beside: list[Words] = []
    if turn.season:
        beside.append(words(turn.season.text, size, aside, bold=True))
    if turn.weather:
        beside.append(words(sentence(turn.weather.text), size, aside))
    regular, at_end = _figures(of, turn)
    beside += [words(text, size, aside) for text in regular]
    below = [words(_event(of, fact), size, inner - 2) for fact in turn.events if concerns(fact.who, of.people)]
    band = None
    if turn.interphase:
        band = words(": ".join([turn.interphase.text, *filter(None, [", ".join(at_end)])]), size, inner, bold=True)
    return BoxText(tuple(beside), tuple(below), band)


def _figures(of: AidSet, turn: Turn) -> tuple[list[str], list[str]]:
    """The figures of the printed record for a turn, with blanks for those that nobody has stated: first those of the
    turn itself, then those of the phase after it. A figure is of that phase if only turns that have one have the
    figure.
    """
    numbers = range(of.turns[0].number, of.turns[-1].number + 1)
    after = {other.number for other in of.turns if other.interphase}
    regular, at_end = list[str](), list[str]()
    wanted = [figure for figure in of.course.turns.figures if concerns(figure.who, of.people)]
    for title, alike in groupby(wanted, key=lambda figure: figure.title):
        here = [figure for figure in alike if turn.number in numbers_of(figure.turns, numbers)]
        if here:
            text = f"{title} {' '.join(_figure(of.game, turn, figure, len(here)) for figure in here)}"
            late = all(set(numbers_of(figure.turns, numbers)) <= after for figure in here)
            (at_end if late else regular).append(text)
    return regular, at_end


def _figure(game: Game, turn: Turn, figure: Figure, of: int) -> str:
    known = turn.figures.get(figure.name)
    value = known.in_words if known else _BLANK
    return f"{short_of(game, figure.who)}:{value}" if figure.who and of > 1 else value


def _event(of: AidSet, fact: TurnFact) -> str:
    """An event with whom it concerns and its rule."""
    text = f"{short_of(of.game, fact.who)}: {fact.text}" if fact.who else sentence(fact.text)
    return f"{text} ({fact.rule})" if fact.rule else text


def _box(of: AidSet, turn: Turn, at: Box, size: float) -> Iterator[Shape]:
    """One turn."""
    filled = _fill(of, turn, at.width, size)
    ground = of.look.tint(_season(of, turn))
    yield box(at, radius=0)
    yield Rectangle(
        x=at.left, y=at.top, width=at.width, height=_TURN_HEAD, fill=ground, stroke=SOFT_INK, stroke_width=0.3
    )
    base = at.top + _TURN_HEAD - 1.8
    name = of.course.turns.tag.format(turn.number)
    yield Text(x=at.left + _PAD, y=base, text=name, size=_NUMBER, bold=True, fill=INK)
    if turn.date:
        room = at.width - text_width(name, _NUMBER, bold=True) - 4 * _PAD
        yield one_line(at.right - _PAD, base, turn.date.in_words, size, room, anchor="end")
    top = at.top + _TURN_HEAD + _PAD
    yield counter_box(at.left + _PAD, top, of.look)
    y = top
    for part in filled.beside:
        yield from part.at(at.left + 2 * _PAD + of.look.box, y)
        y += part.height
    y = max(y, top + of.look.box) + _PAD
    for part in filled.below:
        yield Rectangle(x=at.left + _PAD, y=y + part.size * 0.42, width=0.9, height=0.9, fill=SOFT_INK)
        yield from part.at(at.left + _PAD + 2, y)
        y += part.height + 0.6
    if filled.band:
        high = filled.band.height + 1.2
        strip = Box(at.left, at.bottom - high, at.width, high)
        yield Rectangle(x=strip.left, y=strip.top, width=strip.width, height=high, fill=of.look.tint(GRID, 0.35))
        yield line(strip.left, strip.top, strip.right, strip.top, stroke=SOFT_INK)
        yield from filled.band.at(strip.left + _PAD, strip.top + 0.5)
        yield box(at, fill="", radius=0)


def _season(of: AidSet, turn: Turn) -> str:
    """The ground of a turn's season."""
    order = list(dict.fromkeys(other.season.text for other in of.turns if other.season))
    return SEASONS[order.index(turn.season.text) % len(SEASONS)] if turn.season else "#ffffff"


# --- the sequence of play ---------------------------------------------------------------------------------------------

_HEADING, _PHASE, _SMALL = 12 * POINT, 11 * POINT, 8.5 * POINT
_BETWEEN, _RULES, _TICK = 1.6, 12.0, 0.95


def sequence_track(of: AidSet, area: Box) -> list[list[Shape]]:
    """The shapes of each page: the phases of each player turn side by side, each with a box for a marker."""
    letters = (chr(ord("A") + number % 26) for number in range(len(of.course.phase)))
    blocks = [_row(of, phase, area.width, letter) for phase, letter in zip(of.phases("turn"), letters, strict=False)]
    turn, sides = of.phases("player-turn"), of.sides
    if turn:
        wide = (area.width - GAP * (len(sides) - 1)) / max(len(sides), 1)
        blocks.append(_side_heads(of, wide))
        blocks += [_across(of, phase, n, wide) for n, phase in enumerate(turn, 1)]
    between = of.phases("inter-phase")
    if between:
        blocks.append(_heading(_between(of), area.width, of.look))
        blocks += [_row(of, phase, area.width, f"{number}") for number, phase in enumerate(between, 1)]
    return flow(blocks, area, above=_BETWEEN)


def _between(of: AidSet) -> str:
    """What is called what comes between turns."""
    return next((turn.interphase.text for turn in of.turns if turn.interphase), "Between turns")


def _heading(text: str, wide: float, look: Look) -> Block:
    """A heading in the whole width, which stays with what follows it."""
    high = _HEADING * PITCH + 1.6
    return Block(high, lambda x, y: bar(look, Box(x, y, wide, high), SOFT_INK, text, _HEADING), tied=True)


def _side_heads(of: AidSet, wide: float) -> Block:
    """The names of the sides over the columns of their player turns."""
    high = _HEADING * PITCH + 1.6

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, side in enumerate(of.sides):
            at = Box(x + number * (wide + GAP), y, wide, high)
            yield from bar(of.look, at, of.accent(side), sentence(of.turn_of(side)), _HEADING)

    return Block(high, draw, tied=True)


def _across(of: AidSet, phase: Phase, number: int, wide: float) -> Block:
    """One phase in the player turn of each side."""

    def draw(x: float, y: float) -> Iterator[Shape]:
        for column, side in enumerate(of.sides):
            yield from _phase(of.look, phase, str(number), _active(of, phase, side), x + column * (wide + GAP), y, wide)

    return Block(of.look.box, draw)


def _row(of: AidSet, phase: Phase, wide: float, number: str) -> Block:
    """A phase that does not belong to one side's turn, in the whole width."""
    who = of.game.file.title_of(phase.who) if phase.who else "all sides"
    when = f"turns {phase.turns.replace(' ', ', ')}" if phase.turns else ""
    said = ", ".join(filter(None, [who, when]))
    return Block(of.look.box, lambda x, y: _phase(of.look, phase, number, said, x, y, wide))


def _active(of: AidSet, phase: Phase, side: str) -> str:
    """Who is active in a phase of a side's turn, in words."""
    others = [of.game.file.title_of(other) for other in of.sides if other != side]
    match phase.active:
        case "phasing":
            return of.game.file.title_of(side)
        case "other":
            return ", ".join(others)
        case _:
            return "all sides"


def _phase(look: Look, phase: Phase, number: str, who: str, x: float, y: float, wide: float) -> Iterator[Shape]:
    """A box for a marker and, beside it, the phase with who is active in it and its rule."""
    high = look.box
    pale = phase.active == "other"
    yield box(Box(x, y, wide, high), fill=look.tint(GRID, 0.22) if pale else WHITE, stroke=GRID, radius=0.8)
    yield counter_box(x, y, look)
    left, room = x + look.box + 2.0, wide - look.box - 3.5
    title = words(f"{number}. {phase.title}", _PHASE, room, bold=True)
    small = " · ".join(filter(None, [who, phase.rule]))
    top = y + (high - title.height - (_SMALL * PITCH if small else 0)) / 2
    yield from title.at(left, top)
    if small:
        yield one_line(left, top + title.height + _SMALL, small, _SMALL, room, fill=SOFT_INK)


# --- the checklist ----------------------------------------------------------------------------------------------------


class Item(NamedTuple):
    """A line of a checklist with its rule. heading: whether it begins a phase; part: whether it begins a part of the
    list.
    """

    text: str
    rule: str
    heading: bool = False
    part: bool = False


def checklist(of: AidSet, side: str, area: Box) -> list[list[Shape]]:
    """The shapes of each page of a side's checklist, in letters as large as have room on one page."""
    items = list(_items(of, side))
    wide = (area.width - 2 * GAP) / 2
    accent = of.accent(side)
    for size in SIZES:
        blocks = [_item(item, of.look, size, wide, accent) for item in items]
        pages = flow(blocks, area, columns=2, gap=2 * GAP, above=0.9)
        if len(pages) == 1:
            break
    return pages


def _items(of: AidSet, side: str) -> Iterator[Item]:
    """What a side does in a turn: before the player turns, in its own, in that of another, in each combat, and between
    turns.
    """
    nations = frozenset({side, *of.game.file.sides.get(side, ())}) & of.people
    if before := list(_steps(of, [p for p in of.phases("turn") if concerns(p.who, nations)], nations)):
        yield Item("Before the player turns", "", part=True)
        yield from before
    turn = of.phases("player-turn")
    own = [phase for phase in turn if phase.active != "other"]
    others = [phase for phase in turn if phase.active != "phasing"]
    if own:
        yield Item(f"In the {of.turn_of(side)}", "", part=True)
        yield from _steps(of, own, nations)
    if others and len(of.sides) > 1:
        names = [of.game.file.title_of(other) for other in of.sides if other != side]
        yield Item(f"In the {' or '.join(names)} player turn", "", part=True)
        yield from _steps(of, others, nations)
    if fight := list(_steps(of, of.phases("combat"), nations)):
        yield Item("In each combat", "", part=True)
        yield from fight
    if between := list(_steps(of, of.phases("inter-phase"), nations)):
        yield Item(_between(of), "", part=True)
        yield from between


def _steps(of: AidSet, phases: Iterable[Phase], nations: frozenset[str]) -> Iterator[Item]:
    for phase in phases:
        yield Item(phase.title, phase.rule, heading=True)
        for step in phase.steps:
            if concerns(step.who, nations):
                yield Item(_step(of, step), step.rule)


def _step(of: AidSet, step: Step) -> str:
    """A step with the nation that it concerns, unless all of a side do, and the turns in which it comes up."""
    alone = any(step.who in nations and len(nations) > 1 for nations in of.game.file.sides.values())
    notes = [of.game.file.title_of(step.who)] if alone else []
    notes += [of.course.turns.tag.format(step.turns.replace(" ", ", "))] if step.turns else []
    return f"{step.do} ({', '.join(notes)})" if notes else step.do


def _item(item: Item, look: Look, size: float, wide: float, accent: str) -> Block:
    if item.part:
        return _part(item, look, size, wide, accent)
    big = size + 1 * POINT if item.heading else size
    rule = f"{item.rule}"
    indent = 0.0 if item.heading else size * _TICK + 1.8
    lines: Words = words(item.text, big, wide - indent - _RULES, bold=item.heading)
    above = 1.4 if item.heading else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        top = y + above
        yield from lines.at(x + indent, top)
        if not item.heading:
            yield Rectangle(
                x=x + 0.2, y=top + size * 0.16, width=size * _TICK, height=size * _TICK, fill=WHITE, stroke=INK, stroke_width=0.3
            )  # fmt: skip
        base = top + big * (PITCH - 0.24)
        room = text_width(rule, size) if rule else 0
        if rule:
            yield Text(x=x + wide - room, y=base, text=rule, size=size, fill=SOFT_INK)

    return Block(lines.height + above, draw, tied=item.heading)


def _part(item: Item, look: Look, size: float, wide: float, accent: str) -> Block:
    """The heading of a part of the checklist."""
    big = size + 1.5 * POINT
    high = big * PITCH + 1.6
    return Block(high + 1.2, lambda x, y: bar(look, Box(x, y + 1.2, wide, high), accent, item.text, big), tied=True)


# --- displays of armies -----------------------------------------------------------------------------------------------

_BODY, _LABEL = 8 * POINT, 8 * POINT
_HEAD, _STATUS, _ROW_GAP, _NAME_WIDE = 8.6, 3.8, 1.4, 30.0
_FEWEST, _MOST = 3, 7
"""The corps tracks of an army whose limit nobody has stated: as many as fit a page, within these bounds."""


class ArmyDisplay(NamedTuple):
    """An army as its display shows it. limit: how many corps, None if only the owner of the game can say; cavalry:
    whether a further track is for a cavalry corps.
    """

    army: Army
    title: str
    limit: int | None
    cavalry: bool
    accent: str


def army_displays(shown: ArmyDisplay, organisation: Organisation, look: Look, wide: float, room: float) -> list[Block]:
    """The display of an army, in parts that fit a page: a track for independent formations and one for each corps.

    room: the height of a page; an army whose limit is not known has as many corps tracks as fit it, up to seven.
    """
    abreast = max(int((room - _HEAD - _STATUS) // (look.box + _ROW_GAP)), 1)
    names = [organisation.independent, *_corps(shown, organisation, abreast - 1)]
    parts = [names[n : n + abreast] for n in range(0, len(names), abreast)]
    return [_display(shown, organisation, part, look, wide, continued=number > 0) for number, part in enumerate(parts)]


def _display(
    shown: ArmyDisplay, organisation: Organisation, names: Sequence[str], look: Look, wide: float, *, continued: bool
) -> Block:
    """Some tracks of an army under its name. continued: whether others, with that of independent formations, stand
    before.
    """

    def draw(x: float, y: float) -> Iterator[Shape]:
        title = f"{shown.title}, continued" if continued else shown.title
        rule = f" · {shown.army.rule}" if shown.army.rule else ""
        said = ", ".join(filter(None, [_limit(shown, organisation), shown.army.note])) + rule
        yield from bar(look, Box(x, y, wide, _HEAD - 1.2), shown.accent, title, _HEADING, said)
        yield from _statuses(organisation, x, y + _HEAD, wide)
        top = y + _HEAD + _STATUS
        for number, name in enumerate(names):
            independent = number == 0 and not continued
            yield from _track(name, organisation, look, Box(x, top, wide, look.box), independent=independent)
            top += look.box + _ROW_GAP

    return Block(_HEAD + _STATUS + len(names) * (look.box + _ROW_GAP), draw)


def _limit(shown: ArmyDisplay, organisation: Organisation) -> str:
    if shown.limit == 0 or not organisation.corps:
        return ""
    extra = " + C" if shown.cavalry else ""
    return f"Attachment Limit {'____' if shown.limit is None else shown.limit}{extra}"


def _corps(shown: ArmyDisplay, organisation: Organisation, room: int) -> list[str]:
    """What stands in the boxes of the corps tracks: the corps that one is kept for, or nothing. room: tracks on a page."""
    kept = [
        f"{corps_box.only} only{f' ({corps_box.rule})' if corps_box.rule else ''}" for corps_box in shown.army.boxes
    ]
    count = max(min(room, _MOST), len(kept), _FEWEST) if shown.limit is None else shown.limit
    more = ["Cavalry Corps only"] if shown.cavalry else []
    return [*kept, *[""] * (count - len(kept)), *more]


def _statuses(organisation: Organisation, x: float, y: float, wide: float) -> Iterator[Shape]:
    """The heads of the status boxes."""
    left = x + _NAME_WIDE
    each = (wide - _NAME_WIDE) / max(len(organisation.statuses), 1)
    if organisation.status:
        yield one_line(x, y + 2.6, organisation.status, 7 * POINT, _NAME_WIDE - 1, fill=SOFT_INK)
    for number, status in enumerate(organisation.statuses):
        middle = left + (number + 0.5) * each
        yield one_line(middle, y + 2.8, status, _LABEL, each, bold=True, anchor="middle")


def _track(name: str, organisation: Organisation, look: Look, area: Box, *, independent: bool) -> Iterator[Shape]:
    """One track: a box for the corps, or the word for independent formations, and a box for each status."""
    left = area.left + _NAME_WIDE
    each = (area.width - _NAME_WIDE) / max(len(organisation.statuses), 1)
    if independent:
        yield one_line(area.left, area.top + look.box / 2 + 1, name, _BODY * 1.15, _NAME_WIDE - 2, bold=True)
    else:
        yield counter_box(area.left, area.top, look)
        beside = words(name or organisation.corps, _LABEL, _NAME_WIDE - look.box - 2)
        fill = INK if name else SOFT_INK
        yield from beside.at(area.left + look.box + 1, area.top + (look.box - beside.height) / 2, fill=fill)
    for number in range(len(organisation.statuses)):
        ground = WHITE if number % 2 else look.tint(GRID, 0.18)
        yield box(Box(left + number * each, area.top, each, look.box), fill=ground, stroke=GRID, radius=0)


# --- records ----------------------------------------------------------------------------------------------------------

_LABEL_ROOM = 4.2


def record_track(record: RecordTrack, title: str, accent: str, look: Look, wide: float) -> Block:
    """A track of numbered boxes, as many in a row as fit, in rows of ten if these do."""
    numbers = range(record.least, record.most + 1)
    abreast = max(int(wide // look.box), 1)
    abreast = 10 if abreast >= 10 else 5 if abreast >= 5 else abreast
    rows = [numbers[n : n + abreast] for n in range(0, len(numbers), abreast)]
    high, each = look.box + _LABEL_ROOM, wide / abreast
    note = words(record.note, _BODY, wide) if record.note else None
    below = note.height + 1 if note else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from bar(look, Box(x, y, wide, _HEAD - 1.2), accent, title, _HEADING, record.rule)
        for row, some in enumerate(rows):
            for place, number in enumerate(some):
                at = Box(x + place * each, y + _HEAD + row * high, each, high)
                yield box(at, fill=WHITE if (row + place) % 2 else look.tint(GRID, 0.18), stroke=GRID, radius=0)
                yield one_line(
                    at.left + each / 2,
                    at.top + 3.4,
                    str(number),
                    10 * POINT,
                    each - 1,
                    bold=True,
                    anchor="middle",
                )
        if note:
            yield from note.at(x, y + _HEAD + len(rows) * high + 0.8, fill=SOFT_INK)

    return Block(_HEAD + len(rows) * high + below, draw)


def record_tracks(of: AidSet, wide: float) -> list[Block]:
    """All record tracks of a set: one of each for everybody whom it names, or one that all share."""
    blocks = []
    for record in of.course.record:
        for who in [who for who in record.who if who in of.people] if record.who else [""]:
            title = f"{record.title}: {of.game.file.title_of(who)}" if who else record.title
            blocks.append(record_track(record, title, of.accent(who), of.look, wide))
    return blocks

"""The turn sheet: a page for a side's actions in the journal's current turn, with boxes to tick and to write into.

Each nation has its accounts, with the next level of each, and what is due. Matters of the whole side, answers to the
game's questions, and the sequence of the turn follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from assistant.asking import Step
from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import text_width
from assistant.drawing.scene import Rectangle, Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.formats.positions import JOURNAL, Position
from assistant.game.events import EVENTS, SheetPart
from assistant.game.games import Game
from assistant.game.turn_record import list_people
from assistant.rules.due import DueItem, WhatIsDue
from assistant.service import ask
from assistant.util.datafiles import files_in, find_toml_line, read_data, read_text, resolve_within
from assistant.util.errors import InputError, Where, format_suggestion
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .aid_set import AidSet
from .flow import (
    COLUMN_GAP_MM,
    LINE_PITCH_FACTOR,
    Block,
    Piece,
    balance_columns,
    choose_largest,
    half_of,
    set_line,
    set_words,
)
from .page import LETTER_SIZES_MM, draw_bar
from .sequence import ChecklistLine, item_block

if TYPE_CHECKING:
    from assistant.records.journal.journal import Journal

_WRITING_BOX_WIDTH_MM = 13.0
_MIN_FIGURE_WIDTH_MM = 10.0
_LINE_GAP_MM = 0.9


class Tally(NamedTuple):
    """An account."""

    title: str
    holds: int
    levels: Sequence[str] = ()
    """The levels reached, and the distance of the next one, in words."""


class Section(NamedTuple):
    """A part of a turn sheet under a heading."""

    title: str
    who: str
    """The nation or side whose colour it has."""
    tallies: Sequence[Tally] = ()
    ticked: Sequence[ChecklistLine] = ()
    """Lines with boxes to tick."""
    notes: Sequence[ChecklistLine] = ()
    """Lines without."""


def turn_sections(aids: AidSet, journal: Journal, side: str) -> list[Section]:
    """Return the non-empty parts of a side's sheet for the journal's current turn."""
    due = [item for item in _find_due(journal) if not item.who or item.who in aids.people]
    nations = [nation for nation in aids.game.file.sides.get(side, ()) if nation in aids.people]
    sections = [Section("All", "", ticked=_list_due(due, ""))]
    for who in (side, *nations):
        tallies, debts = [*_list_tallies(journal, who)], [*_list_debts(journal, who)]
        sections.append(Section(aids.game.file.title_of(who), who, tallies, _list_due(due, who), debts))
    others = {aids.game.file.title_of(who) for who in list_people(aids.game) if who not in (side, *nations)}
    for title, steps in _list_answers(journal):
        notes = [ChecklistLine(step.text, step.rule) for step in steps if _find_who(step) not in others]
        sections.append(Section(sentence(title), "", notes=notes))
    phases = [*aids.phases("turn", side), *aids.phases("player-turn", side), *aids.phases("inter-phase", side)]
    own = [ChecklistLine(phase.title, phase.rule) for phase in phases if phase.active != "other"]
    sections.append(Section("The turn", "", ticked=own))
    return [section for section in sections if section.tallies or section.ticked or section.notes]


def _find_who(step: Step) -> str:
    """Return the unit or side that the figures of a step name, or "" if they name none."""
    return str(step.figures.get("who", ""))


def _find_due(journal: Journal) -> Sequence[DueItem]:
    result = ask(journal.position(), "due").result
    return result.items if isinstance(result, WhatIsDue) else ()


def _list_due(due: Iterable[DueItem], who: str) -> list[ChecklistLine]:
    """Return what is due to a nation or side, each in a line with its place."""

    def line(item: DueItem) -> str:
        action = f" ({item.action})" if item.action not in ("", "arrive") else ""
        counted = " (counted)" if item.account else ""
        return sentence(", ".join(filter(None, (f"{item.text}{action}", item.place))) + counted)

    return [ChecklistLine(line(item), item.rule) for item in due if item.who == who]


def _list_tallies(journal: Journal, who: str) -> Iterator[Tally]:
    """Yield the accounts of a nation or side that are not empty or have levels, except accounts that only rules count."""
    rules = journal.rules
    hidden = {account for row in rules.events.debt for account in (row.account, row.by)} | rules.schedules.counters
    posted = {posting.account for posting in journal.books.postings if posting.who == who}
    for account, track in rules.accounts.items():
        holds = journal.books.balance(account, who)
        levels = rules.levels.get((account, who), ())
        if account in hidden or track.on == "game" or not (holds or account in posted or (levels and posted)):
            continue
        reached = [level for level in levels if journal.books.value(level.since, who)]
        ahead = next((level for level in levels if level.at > holds), None)
        texts = [f"{level.title} since {journal.books.value(level.since, who)}" for level in reached[-1:]]
        if ahead:
            texts.append(f"{ahead.title} at {ahead.at}: {ahead.at - holds} to go")
        yield Tally(sentence(track.title), holds, texts)


def _list_debts(journal: Journal, who: str) -> Iterator[ChecklistLine]:
    from assistant.records.journal.findings import list_debts  # imported only here, because most games keep no books

    for debt in list_debts(journal):
        if debt.who == who:
            late = ", overdue" if debt.overdue else ""
            yield ChecklistLine(f"{debt.amount} {debt.title} of {debt.since}, by {debt.until}{late}", debt.rule)


def _list_answers(journal: Journal) -> Iterator[tuple[str, Sequence[Step]]]:
    for row in journal.rules.events.sheet:
        report = ask(journal.position(), row.question)
        yield from ((part.title, part.steps) for part in report.parts if part.title == row.part)


def journal_faults(game: Game) -> Iterator[InputError]:
    """Yield the faults of the journals in `examples/`.

    An entry may not count, or no answer may have a part named by `[[sheet]]` in `events.toml`.
    """
    examples = resolve_within(game.folder, "examples")
    found: dict[SheetPart, set[str]] = {}
    files = files_in(examples) if examples.is_dir() else []
    for file in files:
        if file.name.endswith(JOURNAL):
            from assistant.records.journal.files import parse_journal
            from assistant.records.journal.journal import Journal

            name = f"examples/{file.name}"
            try:
                journal = Journal.read(parse_journal(read_data(file, name), name), name, lambda _: game)
                yield from journal.all_faults()
                first = [
                    Position(game, journal.books.state_before(entry.number)) for entry in journal.counting.entries[:1]
                ]
                for position in (journal.position(), *first):
                    for row in journal.rules.events.sheet:
                        parts = ask(position, row.question).parts
                        found.setdefault(row, set()).update(part.title for part in parts)
            except InputError as error:  # an error in the game's files is reported already, and counts once
                yield error
                return
    for number, (row, titles) in enumerate(found.items()):
        if row.part not in titles:
            line = find_toml_line(read_text(resolve_within(game.folder, EVENTS)), ("sheet", number, "part"))
            what = f"[[sheet]] part: {row.question} has no part {row.part!r}"
            yield InputError(what, where=Where(EVENTS, line), hint=format_suggestion(row.part, titles))


# --- the sheet on paper -----------------------------------------------------------------------------------------------


def turn_sheet(aids: AidSet, journal: Journal, side: str, area: Box) -> list[Piece]:
    """Return the pages of a side's turn sheet, in the largest letters that fit one page."""
    sections = turn_sections(aids, journal, side)
    width = half_of(area).width

    def blocks(size: float) -> list[Block]:
        return [block for section in sections for block in _list_section(aids, section, size, width, area.height)]

    made = choose_largest(blocks, LETTER_SIZES_MM, area, columns=2, gap=COLUMN_GAP_MM, above=_LINE_GAP_MM)
    return [*map(Piece, balance_columns(made, area, _LINE_GAP_MM))]


def _list_section(aids: AidSet, section: Section, size: float, width: float, room: float) -> list[Block]:
    """Return a heading and its lines, in one piece if that is at most a third of the page high."""
    height = size * LINE_PITCH_FACTOR + 1.8
    colour = aids.accent(section.who) if section.who else GRID

    def head(x: float, y: float) -> Iterator[Shape]:
        yield from draw_bar(aids.look, Box(x, y + 1.4, width, height), colour, section.title, size * 1.05)

    blocks = [Block(height + 1.8, head, tied=True), *(_block_of_tally(tally, size, width) for tally in section.tallies)]
    blocks += [item_block(item, aids.look, size, width, colour) for item in section.ticked]
    blocks += [item_block(item, aids.look, size, width, colour, ticked=False) for item in section.notes]
    if sum(block.height for block in blocks) > room / 3:
        return blocks
    return [*(block._replace(tied=True) for block in blocks[:-1]), blocks[-1]]


def _block_of_tally(tally: Tally, size: float, width: float) -> Block:
    figure = f"{tally.holds}"
    broad = text_width(figure, size * 1.2, bold=True)
    room = width - _WRITING_BOX_WIDTH_MM - max(_MIN_FIGURE_WIDTH_MM, broad + 1.0) - 2.0
    title = set_words(tally.title, size, room)
    lines = [line for level in tally.levels for line in set_words(level, size * 0.9, room - 3.0).lines]
    below = set_words("", size * 0.9, room)._replace(lines=lines)
    height = max(title.height + below.height, size * LINE_PITCH_FACTOR + 1.4)

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from title.at(x, y + 0.5)
        yield from below.at(x + 3.0, y + 0.5 + title.height, fill=SOFT_INK)
        base = y + 0.5 + size * (LINE_PITCH_FACTOR - 0.24)
        right = x + width - _WRITING_BOX_WIDTH_MM - 1.6
        yield set_line(right, base, figure, size * 1.1, broad, bold=True, anchor="end")
        yield Rectangle(
            x=x + width - _WRITING_BOX_WIDTH_MM,
            y=y + 0.3,
            width=_WRITING_BOX_WIDTH_MM,
            height=size * LINE_PITCH_FACTOR + 0.6,
            fill=WHITE,
            stroke=INK,
            stroke_width=0.25,
        )

    return Block(height + 0.7, draw)

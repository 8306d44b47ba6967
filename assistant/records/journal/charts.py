"""The accounts of a journal over time: values for a picture, and curves of block characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...drawing.over_time import MAX_LINES, AccountCurve, Mark, Tick, next_level, over_time_scene, round_step
from ...drawing.scene import Scene
from ...drawing.style import palette_of
from ...game.calendar import MONTHS, Calendar
from ...game.typed_events import find_holder
from ...util.errors import InputError
from .accounts import find_account, open_account
from .journal import Journal

_BLOCKS = "▁▂▃▄▅▆▇█"
"""The blocks of a curve in a line of text, the lowest first."""


def draw_account(journal: Journal, account: str, who: Sequence[str], first: str = "", last: str = "") -> Scene:
    """Return the picture of an account over the turns of a journal.

    `who`: nations or sides (a side also stands for its nations), or none for all with a posting.
    `first`, `last`: the turns of the period, or "" if all turns.

    Raises InputError if an account, nation or turn is unknown, or if there are too many lines to distinguish.
    """
    begin, end = _read_period(journal, first, last)
    lines = list_account_curves(journal, account, who, begin, end)
    ticks, steps = dates_of(journal.rules.calendar, begin, end)
    track = journal.game.track(find_account(journal, account))
    label = journal.label
    rule = f" (rule {track.rule})" if track.rule else ""
    title = f"{track.title[:1].upper()}{track.title[1:]}{rule}"
    period = label(begin) if begin == end else f"{label(begin)} to {label(end)}"
    return over_time_scene(title, [f"{journal.game.title}, {period}"], lines, ticks, (begin, end + 1), steps)


def list_account_curves(journal: Journal, account: str, who: Sequence[str], begin: int, end: int) -> list[AccountCurve]:
    """Return the curve of each nation or side: the amount at the end of each turn.

    `begin`, `end`: the first and last turn.

    Raises InputError as `draw_account` does.
    """
    name = find_account(journal, account)
    calendar = journal.rules.calendar
    game = journal.game
    palette = palette_of(game)
    subjects = _find_subjects(journal, name, who)
    if not subjects:
        raise InputError(f"nothing has been posted to {name} yet", hint="name the nations to see it all the same")
    if len(subjects) > MAX_LINES:
        raise InputError(f"{len(subjects)} lines are too many to distinguish", hint=f"name at most {MAX_LINES}")
    lines = []
    for subject in subjects:
        opened = open_account(journal, name, subject, calendar.label(begin), calendar.label(end))
        points = {begin: opened.before} | {calendar.number(row.turn): row.holds for row in opened.rows}
        marks = []
        for level, at, since in opened.levels:
            reached = calendar.number(since) if since else None
            marks.append(Mark(level, at, None if reached is None or reached > end else reached))
        title = game.file.title_of(subject) if subject else game.title
        colour = palette.side(subject).strong if palette.is_side(subject) else ""
        if not colour and subject in journal.people:
            colour = palette.nation(subject)
        lines.append(AccountCurve(title, colour, tuple(points.items()), tuple(marks)))
    return lines


def _find_subjects(journal: Journal, account: str, who: Sequence[str]) -> list[str]:
    """Return the nations or sides named for an account, or all with a posting if none is named."""
    if not who:
        posted = (posting.who for posting in journal.books.postings if posting.account == account)
        return list(dict.fromkeys(posted))
    sides = journal.game.file.sides
    named = [find_holder(journal.game, journal.rules.events, text) for text in who]
    if journal.game.track(account).on == "nation":
        named = [nation for name in named for nation in sides.get(name, (name,))]
    return list(dict.fromkeys(named))


def _read_period(journal: Journal, first: str, last: str) -> tuple[int, int]:
    """Return the first and last turn of a chart, not later than the journal's turn."""
    calendar = journal.rules.calendar
    begin = calendar.number(first) if first else calendar.first
    if last and calendar.number(last) < begin:
        raise InputError(f"{last} comes before {calendar.label(begin)}", hint="exchange from and to")
    end = min(calendar.number(last) if last else journal.turn, journal.turn)
    if end < begin:
        label = journal.label
        raise InputError(
            f"there is nothing from {label(begin)} to {label(end)}", hint=f"the journal stands in {label(journal.turn)}"
        )
    return begin, end


def dates_of(calendar: Calendar, begin: int, end: int) -> tuple[list[Tick], tuple[int, ...]]:
    """Return the dates on the time axis, and the intervals, in dates, at which they may be labelled.

    Dates are months, or round numbers of turns.
    """
    if not calendar.months:
        step = round_step(end - begin, 40)
        turns = range(-(-begin // step) * step, end + 1, step)
        return [Tick(number, f"{number}", number // step) for number in turns], (1, 2, 5, 10, 20)
    turn = begin
    months = list[Tick]()
    while turn <= end:
        month = calendar.month(turn)
        months.append(Tick(turn, MONTHS[month.of_year - 1].capitalize(), month.of_year - 1, str(month.year)))
        turn = calendar.full_month_after(turn, 1)
    return months, (1, 3, 6, 12)


def list_account(
    journal: Journal, account: str, who: Sequence[str], first: str = "", last: str = "", width: int = 100
) -> Iterator[str]:
    """Yield the curves of an account as rows of block characters on one scale, each with its amount and its next level.

    Raises InputError as `draw_account` does.
    """
    begin, end = _read_period(journal, first, last)
    lines = list_account_curves(journal, account, who, begin, end)
    names = [line.title for line in lines]
    amounts = [f"{line.points[-1][1]}" for line in lines]
    name_width = max(map(len, names))
    amount_width = max(map(len, amounts))
    columns = min(end - begin + 1, max(width - name_width - amount_width - 32, 12))
    all_held = [holds for line in lines for _, holds in line.points]
    lowest = min(0, *all_held)
    highest = max(1, *all_held)
    column_ends = [begin + (column + 1) * (end - begin + 1) / columns for column in range(columns)]
    for line, holds in zip(lines, amounts, strict=True):
        ends = [[amount for at, amount in line.points if at < when or at == begin][-1] for when in column_ends]
        blocks = "".join(_BLOCKS[round((amount - lowest) / (highest - lowest) * (len(_BLOCKS) - 1))] for amount in ends)
        mark = next_level(line)
        yield f"{line.title:<{name_width}} {blocks} {holds:>{amount_width}}{f'  {mark.title} at {mark.at}' if mark else ''}"
    first_label = journal.label(begin)
    last_label = journal.label(end) if end > begin else ""
    yield f"{'':{name_width}} {first_label}{last_label:>{max(columns - len(first_label), len(last_label) + 1)}}".rstrip()

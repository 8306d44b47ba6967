"""Luck as a page to print: running luck, totals, and the possible swings of each battle.

It is a PDF, a picture, or a single HTML file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape
from pathlib import Path

import msgspec

from ...asking.report import format_viewpoint
from ...drawing import WRITERS
from ...drawing.luck import LuckTable, RunningChart, RunningCurve, SwingChart, battle_scene, luck_scenes, running_scene
from ...drawing.scene import Scene
from ...drawing.style import palette_of
from ...game.games import Game
from ...util.console import format_count
from ...util.errors import plain
from ...util.writing import write_whole
from ..page_head import write_page_head
from .evening import BattleLuck, Evening
from .words import (
    KIND_HEAD,
    METHOD,
    OUTCOME_HEAD,
    SIDE_HEAD,
    SINGLE_ROLL_HEAD,
    TURN_HEAD,
    amount,
    format_left_out,
    format_place,
    format_side,
    format_verdict,
    list_kind_rows,
    list_outcome_rows,
    list_side_rows,
    list_single_rows,
    list_turn_rows,
    percentile,
    title_of,
)

PAGE_ENDINGS = (".html", *WRITERS)
"""The accepted suffixes of the name of a page."""
_NEUTRAL_COLOUR = "#6f6a60"
"""The colour of rolls whose side is unknown."""


def write_page(evening: Evening, game: Game, path: Path, *, force: bool = False) -> None:
    """Write the page into a file, in the format of its suffix.

    Raises InputError if the file exists and `force` is False.
    """
    ending = path.suffix.lower()
    if ending == ".html":
        data = luck_html(evening, game).encode()
    elif ending == ".pdf":
        from ...drawing.pdf import to_pdf

        data = to_pdf(page_scenes(evening, game, paged=True), title=title_of(evening))
    else:
        (scene,) = page_scenes(evening, game, paged=False)
        data = WRITERS[ending](scene)
    write_whole(path, data, force=force)


def page_scenes(evening: Evening, game: Game, *, paged: bool) -> list[Scene]:
    """Return the page as one scene, or as several if it is `paged` for print."""
    about = [*_write_about(evening, game)]
    caption = [METHOD, format_viewpoint(evening.viewpoint, evening.viewpoint_title)]
    running = running_chart(evening, game)
    charts = [swing_chart(evening, game, battle) for battle in evening.battles]
    tables = [*_list_tables(evening)]
    title = title_of(msgspec.structs.replace(evening, file=Path(evening.file).name))
    return luck_scenes(title, about, running, tables, charts, [*filter(None, caption)], paged=paged)


def _list_tables(evening: Evening) -> Iterator[LuckTable]:
    sides = [
        (f"{side.title}: {row.label}", row.cells) for side in evening.sides for row in list_side_rows(evening, side)
    ]
    yield LuckTable("All battles together", SIDE_HEAD, sides)
    yield LuckTable("All rolls by kind", KIND_HEAD, [*list_kind_rows(evening)])
    rows = [
        (f"{plain(other.title)}: {row.label}", row.cells)
        for other in evening.others
        for row in list_single_rows(evening, other.rolls)
    ]
    yield LuckTable("Rolls outside battles", SINGLE_ROLL_HEAD, rows)


def _write_about(evening: Evening, game: Game) -> Iterator[str]:
    yield from format_verdict(evening)
    yield game.title
    yield from map("".join, format_left_out(evening))
    counts = Counter(source for battle in evening.battles for source in battle.rests_on)
    for source, count in counts.items():
        yield f"{format_count(count, 'battle rests', 'battles rest')} on {source}"


_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #2b2620; background: #fdfbf5; margin: 2em auto; max-width: 60em; padding: 0 1em }
h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin-top: 1.8em } h3 { font-size: 1em; margin-bottom: .3em }
table { border-collapse: collapse; margin: .4em 0 1em; font-variant-numeric: tabular-nums }
th, td { padding: .15em .7em .15em 0; text-align: right; vertical-align: top } th { color: #4a443a; border-bottom: 1px solid #a79f8c }
th:first-child, td:first-child { text-align: left }
svg { max-width: 100%; height: auto } section { break-inside: avoid } .small { color: #4a443a; font-size: .9em }
@media print { body { margin: 0; max-width: none; font-size: 11px } }
"""
"""The style sheet of the page."""


def luck_html(evening: Evening, game: Game) -> str:
    """Return the page as HTML with its pictures inside, so that it loads no other file."""
    title = title_of(msgspec.structs.replace(evening, file=Path(evening.file).name))
    lines = [*write_page_head(title, _STYLE), "<body>"]
    lines += [f"<h1>{escape(title)}</h1>", f"<p>{'<br>'.join(map(escape, _write_about(evening, game)))}</p>"]
    if (running := running_chart(evening, game)) is not None:
        lines.append(f"<section>{_write_svg(running_scene(running))}</section>")
    for table in _list_tables(evening):
        if table.rows:
            lines += [f"<section><h2>{escape(table.title)}</h2>", *_write_table(table.head, table.rows), "</section>"]
    for battle in evening.battles:
        lines += _write_battle(evening, game, battle)
    seen = format_viewpoint(evening.viewpoint, evening.viewpoint_title)
    lines += [f'<p class="small">{escape(text)}</p>' for text in (METHOD, seen) if text]
    return "\n".join([*lines, "</body>", "</html>", ""])


def _write_battle(evening: Evening, game: Game, battle: BattleLuck) -> Iterator[str]:
    yield f"<section><h2>{battle.number}. {escape(plain(battle.title))}</h2>"
    yield f'<p class="small">{escape(format_place(evening, battle))}</p>'
    yield _write_svg(battle_scene(swing_chart(evening, game, battle)))
    yield from _write_table(OUTCOME_HEAD, list_outcome_rows(evening, battle))
    yield from _write_table(TURN_HEAD, list_turn_rows(evening, battle))
    if battle.besides:
        yield from _write_table(SINGLE_ROLL_HEAD, list_single_rows(evening, battle.besides))
    for source in battle.rests_on:
        yield f'<p class="small">Rests on {escape(source)}</p>'
    yield "</section>"


def _write_table(head: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    yield f"<table><tr><th></th>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>"
    for label, cells in rows:
        yield f"<tr><td>{escape(label)}</td>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
    yield "</table>"


def _write_svg(scene: Scene) -> str:
    from ...drawing.svg import to_svg

    return to_svg(scene).replace("\n", "")


def swing_chart(evening: Evening, game: Game, battle: BattleLuck) -> SwingChart:
    """Return the chart of a battle's possible swings and the actual one, as its attacker sees it."""
    lost = ", ".join(
        f"{format_side(evening, side.side)} {side.lost} ({amount(side.expected)})" for side in battle.sides
    )
    attacker = format_side(evening, battle.attacker)
    return SwingChart(
        title=f"{battle.number}. {plain(battle.title)}",
        lines=[f"lost (expected): {lost}", f"percentile {percentile(battle.percentile)} ({attacker})"],
        axis=f"swing of {evening.unit}s ({attacker}); dashed: expected",
        colour=_find_colour(game, battle.attacker),
        chances=tuple(battle.chances.items()),
        came=battle.swing,
        expected=battle.expected,
    )


def running_chart(evening: Evening, game: Game) -> RunningChart | None:
    """Return the running luck of each side's own rolls over all battles, or None if there are no rolls."""
    sides = [total.side for total in evening.sides]
    points = {side: [(0, Fraction(0))] for side in sides}
    count = 0
    marks = list[tuple[int, str]]()
    for battle in evening.battles:
        for roll in battle.rolls:
            count += 1
            thrower = roll.side or battle.attacker
            for side in sides:
                luck = roll.luck if side == thrower and roll.luck is not None else Fraction(0)
                points[side].append((count, points[side][-1][1] + luck))
        marks.append((count, f"{battle.number}"))
    if not count:
        return None
    lines = [RunningCurve(format_side(evening, side), _find_colour(game, side), points[side]) for side in sides]
    note = f"by how much the own rolls of each side moved the swing that was expected for it, in {evening.unit}s"
    return RunningChart("Running luck", lines, marks, note)


def _find_colour(game: Game, side: str) -> str:
    palette = palette_of(game)
    return palette.side(side).strong if palette.is_side(side) else _NEUTRAL_COLOUR

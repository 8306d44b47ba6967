"""Tables of the examples, served to their sides: a new start changes nothing, whenever it comes.

After a line of a journal three hosts are compared, which must show the same on each phone:

- one that has served the table all the time;
- one that starts anew with the files that the first had before the last lines;
- one that starts without any files of the sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, rmtree

from assistant.faces.page.server.serving import seats_of
from assistant.faces.page.tables import Tables
from assistant.installed.registry import load_game
from assistant.records.journal.files import parse_journal

from .seats import LAPTOP, TABLE, Looks, Seats, begin_table, find_differences

ROOT = Path(__file__).parents[2]
JOURNALS = tuple(sorted([*ROOT.glob("plugins/*/examples/*.journal"), *ROOT.glob("tests/promise/samples/*/*.journal")]))
POSITIONS = tuple(sorted(ROOT.glob("plugins/*/examples/*.pos")))


def name_example(file: Path) -> str:
    """Return the name of an example's file after that of its game or sample."""
    return f"{[part for part in file.parent.parts if part != 'examples'][-1]}/{file.name}"


def compare_starts(file: Path, folder: Path, share: int = 1, first: int = 0) -> Iterator[str]:
    """Yield what a new start changes at the table of an example.

    `share`: the step between the lines of a journal that are tried.
    `first`: the first line that is tried.
    """
    if file.suffix == ".journal":
        yield from _compare_at_lines(file.read_bytes(), folder, share, first)
        return
    text = file.read_text("utf-8")
    game = next(line.split()[1] for line in text.splitlines() if line.startswith("game "))
    begin_table(folder, game, text)
    sides = _find_sides(folder)
    before = Seats(folder, sides).looks()
    yield from find_differences(before, Seats(folder, sides).looks())


def _compare_at_lines(data: bytes, folder: Path, share: int, first: int) -> Iterator[str]:
    lines = data.splitlines(keepends=True)
    head = done = len(lines) - len(parse_journal(data, TABLE).lines)
    journal = f"page/{TABLE}.journal"
    (folder / journal).parent.mkdir(parents=True)
    (folder / journal).write_bytes(data)
    sides = _find_sides(folder)
    (folder / journal).write_bytes(b"".join(lines[:head]))
    live = Seats(folder, sides)
    for end in range(head + first, len(lines) + 1, share):
        known, unknown = (folder.with_name(f"{folder.name}-{end}-{how}") for how in ("known", "unknown"))
        copytree(folder, known)
        for host in (folder, known):
            with open(host / journal, "ab") as file:
                file.writelines(lines[done:end])
        (unknown / journal).parent.mkdir(parents=True)
        (unknown / journal).write_bytes((folder / journal).read_bytes())
        done = end
        shown = live.looks()
        found = list(_find_missing_combats(shown))
        for how, host in (("after a new start", known), ("at the first start", unknown)):
            found += [f"{how}, {each}" for each in find_differences(shown, Seats(host, sides).looks())]
            rmtree(host)
        yield from (f"line {end - head}: {each}" for each in found)


def _find_missing_combats(looks: Looks) -> Iterator[str]:
    """Yield each phone that does not show the open combat although it shows a unit in the attacked hex."""
    target = (looks[LAPTOP]["combat"] or {}).get("target")
    for seat, look in looks.items():
        is_seen = any(unit["place"] == target for unit in look["units"])
        if target and is_seen and (look["combat"] or {}).get("target") != target:
            yield f"{seat} does not show the combat at {target}"


def _find_sides(folder: Path) -> tuple[str, ...]:
    """Return the sides that have a link of their own at a table."""
    desk = Tables(folder / "page", load_game).desk(TABLE)
    return tuple(seat.side for seat in seats_of(desk.game, desk.position.state) if seat.side)

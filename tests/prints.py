"""What is printed and shown, measured: the blank feet of aids, how far the colours of nations are apart, and what the real engine
shows of the palettes of modules.

    python -m tests.prints

puts the figures into docs/maintaining/runs.md, as `make prints` does. Without the engine its figures stay as they are.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from assistant.drawing.colours import SIGHTS, convert_to_grey, difference, simulate_sight
from assistant.drawing.style import palette_of
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game
from module_builder.aids.aid_set import AidSet
from module_builder.aids.cards import CardPage, choose_cards, pack_cards
from module_builder.aids.page import AidStyle, content_area
from module_builder.sheets.sizes import PAPERS, parse_die
from module_builder.vassal.module import build_module

from . import runs
from .engine import engine
from .engine.palettes import seen_in

BLANK = 0.25
"""What of a page may stay blank at its foot before it is listed."""
VIEWS: dict[str, Callable[[str], str]] = {
    "as printed": str,
    "red-blind": lambda colour: simulate_sight(colour, SIGHTS[0]),
    "green-blind": lambda colour: simulate_sight(colour, SIGHTS[1]),
    "blue-blind": lambda colour: simulate_sight(colour, SIGHTS[2]),
    "grey": convert_to_grey,
}


class Foot(NamedTuple):
    """A page of aids. blank: the share of its height that is free below what stands on it."""

    title: str
    blank: float


def aids_of(game: Game, paper: str = "a4") -> list[CardPage]:
    """The pages of all aids of a game."""
    from assistant.game.course import course_file

    return pack_cards(choose_cards(AidSet(game, course_file(game), AidStyle(PAPERS[paper], parse_die("5/8"))), []))


def feet(pages: Sequence[CardPage]) -> list[Foot]:
    """The blank foot of each page."""
    look = pages[0].cards[0].aids.look
    rooms = {turned: content_area(look, landscape=turned).height for turned in (False, True)}
    return [
        Foot(page.scene.title.partition(": ")[2], 1 - page.sheet.bottom / rooms[page.sheet.landscape]) for page in pages
    ]


def nearest(game: Game, seen: Callable[[str], str]) -> tuple[float, str]:
    """How far the two nations are apart whose counters look most alike, CIEDE2000, and which these are. seen: what becomes of a colour."""
    palette, track = palette_of(game), game.tracks.get(game.file.picture.nation)
    grounds = {nation: seen(palette.inks(nation).ground) for nation in (track.values if track else ()) if nation}
    pairs = [
        (difference(grounds[one], grounds[other]), f"{game.file.title_of(one)}, {game.file.title_of(other)}")
        for one, other in combinations(grounds, 2)
    ]
    return min(pairs, default=(0.0, ""))


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A table of a page."""
    lines = [heads, ["---"] * len(heads), *rows]
    return [f"| {' | '.join(map(str, line))} |" for line in lines]


def aids_table(games: Sequence[Game]) -> list[str]:
    """The pages of the aids of each game, and those with much free room at their foot."""
    rows = []
    for game in games:
        found = feet(aids_of(game))
        mean = sum(foot.blank for foot in found) / len(found)
        blank = [f"{foot.title} {foot.blank:.0%}" for foot in found if foot.blank > BLANK]
        rows.append((f"*{game.title}*", len(found), f"{mean:.0%}", "; ".join(blank) or "none"))
    return table(("aids", "pages", "blank at the foot", f"more than {BLANK:.0%}"), rows)


def colours_table(games: Sequence[Game]) -> list[str]:
    """How far the nearest two nations of each game are apart for each kind of eye."""
    rows = []
    for game in games:
        cells = [nearest(game, seen) for seen in VIEWS.values()]
        rows.append((f"*{game.title}*", *(f"{apart:.1f} ({pair})" for apart, pair in cells)))
    return table(("nearest nations, dE", *VIEWS), rows)


def palettes_table(games: Sequence[Game]) -> list[str]:
    """What the real engine shows of the palettes of each module."""
    rows = []
    for game in games:
        if game.file.module is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            outcome = seen_in(engine, Path(folder), game.id, build_module(game).data)
        sizes = {one.title: f"{one.width} by {one.height}" for one in outcome["windows"] if one.kind == "JDialog"}
        seen = outcome["seen"]
        whole = sum(piece.whole for piece in seen)
        windows = "; ".join(f"{title} {size}" for title, size in sizes.items())
        rows.append((f"*{game.title}*", len(seen), whole, len(seen) - whole, windows))
    return table(("palettes in the engine", "pieces", "seen whole", "cut off", "windows, pixels"), rows)


def write() -> None:
    """Put all tables into the page."""
    games = [load_game(name) for name in installed_games()]
    tables = {"aids": aids_table(games), "colours": colours_table(games)}
    if not engine.why_not():
        tables["palettes"] = palettes_table(games)
    page = runs.PAGE.read_text("utf-8")
    for lines in tables.values():
        page = with_table(page, lines)
    runs.PAGE.write_text(page, "utf-8")


def with_table(page: str, lines: Sequence[str]) -> str:
    """The text of a page with another table of the same first head. Raises ValueError if it has none."""
    head = lines[0].split("|")[1]
    before, found, rest = page.partition(f"|{head}|")
    if not found:
        raise ValueError(f"{runs.PAGE.name} has no table of{head}")
    after = rest.split("\n")
    old = next(number for number, line in enumerate(after) if number and not line.startswith("|"))
    return before + "\n".join([*lines, *after[old:]])


if __name__ == "__main__":
    write()

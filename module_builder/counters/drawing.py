"""What `module-builder counters` writes: pictures of counters, one picture of all, and that one again whenever a file
is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from assistant.game.games import Game, read_game
from assistant.util.echo import counted
from assistant.util.errors import InputError
from assistant.util.saving import write_all, write_whole
from assistant.util.watching import saves

from .pictures import overview, pictures, sides
from .pieces import Counter, Variant, chosen, counters, markers, told


class Wish(NamedTuple):
    """How counters are wanted. only: these units and markers, () for all; markers: none but markers; dpi: pixels to the
    inch; side, bleed: in millimetres.
    """

    only: tuple[str, ...]
    markers: bool
    dpi: int
    side: float
    bleed: float
    variant: Variant
    rounded: bool


def wanted(game: Game, wish: Wish) -> list[Counter]:
    """The counters and markers that are wanted. Raises InputError for an unknown one."""
    cut: dict[str, Any] = {"side": wish.side, "bleed": wish.bleed, "variant": wish.variant, "rounded": wish.rounded}
    made = [*counters(game, **cut), *markers(game, **cut)]
    some = chosen(made, wish.only) if wish.only else made
    return [counter for counter in some if counter.is_marker or not wish.markers]


def _in_words(made: Iterable[Counter]) -> str:
    flags = [counter.is_marker for counter in made]
    parts = (counted(flags.count(False), "counter"), flags.count(False)), (counted(sum(flags), "marker"), sum(flags))
    return " and ".join(words for words, count in parts if count) or "no counter"


def draw_files(
    game: Game, wish: Wish, folder: Path, named: Callable[[str, str], str], *, svg: bool, force: bool
) -> list[str]:
    """Write a picture of each side into a folder. named: the name of the PNG file of a side.

    The line that says so comes after those that say what spoils them.
    """
    from assistant.drawing.png import with_resolution

    made = wanted(game, wish)
    files: dict[str, bytes] = {}
    if svg:
        from assistant.drawing.svg import to_svg

        for (unit, side), scene in sides(made).items():
            files[named(unit, side).replace(".png", ".svg")] = to_svg(scene).encode()
    else:
        for (unit, side), data in pictures(made, wish.dpi).items():
            files[named(unit, side)] = with_resolution(data, wish.dpi / 25.4)
    write_all(folder, files, force=force)
    others = [] if wish.only or wish.markers else strangers(folder, files)
    return [*told(made), *others, f"{folder}: {counted(len(files), 'picture')} of {_in_words(made)}"]


def strangers(folder: Path, files: Container[str]) -> list[str]:
    """A line on the pictures in a folder that are none of these files, such as those of units that have another name
    now.
    """
    others = sorted(
        file.name for file in folder.iterdir() if file.suffix in (".png", ".svg") and file.name not in files
    )
    if not others:
        return []
    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
    return [f"{folder} also holds {others[0]}{more}, not made by this run; delete what an earlier one has left"]


def draw_overview(game: Game, wish: Wish, file: Path, *, force: bool) -> list[str]:
    """Write one picture of all counters. The line that says so comes after those that say what spoils them."""
    from assistant.drawing.png import with_resolution

    made = wanted(game, wish)
    write_whole(file, with_resolution(overview(made, wish.dpi), wish.dpi / 25.4), force=force)
    return [*told(made), f"{file}: {_in_words(made)}"]


def watched(
    game: Game, wish: Wish, file: Path, saved: Callable[[Path, Path], Iterator[object]] = saves
) -> Iterator[str]:
    """Draw the overview anew each time a file of the game's folder is saved, and say so; a mistake in the files is said
    instead.
    """
    for _ in saved(Path(str(game.folder)), file):
        try:
            now = read_game(game.id, game.folder, game.made_by, game.home).under(game.overlay)
            yield from draw_overview(now, wish, file, force=True)
        except InputError as error:
            yield str(error)

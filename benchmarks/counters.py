"""Counters: a module and sheets of them, the check of an author's own faces, and a save that is read."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from PIL import Image, ImageDraw, ImageFont

from benchmarks.measuring import PEERS, ROOT, TIMES, Bench, Environment, Process, Row, always, least, least_cold
from module_builder.check import check
from module_builder.new import new_game

GAME = "bench-of-many-counters"
PART = "columns = [28, 60]\nrows = [12, 40]"
"""What the module shows of the map, which is not drawn."""
_OF_UNITS = re.compile(r"^\[(?:short\.unit\]|units\.|explained\.).*?(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
"""The tables of `counters.toml` that name units, which the made-up game has not."""
PROTOGRAF = Environment("protograf", ("protograf",))
PYWARGAME = Environment("pywargame", ("pywargame",), least=(3, 12))
FACE_PIXELS = 300
"""Each way: enough for print on a counter of an inch."""
READ_SAVE = """
import sys
from assistant.formats.vassal.saves import read_save
data = open(sys.argv[1], "rb").read()
if len(sys.argv) == 2:
    assert read_save(data).pieces
"""
"""Reads a save to pieces and traits; with another word it is ready for that, and ends."""


def rows(bench: Bench) -> Iterator[Row]:
    """Whole processes but for the check, each with a made-up game."""
    with TemporaryDirectory() as name:
        yield from of_module(bench, Path(name))
        yield from of_sheets(bench, Path(name))
        yield of_check(bench, Path(name))
        yield of_save(bench, Path(name))


def of_module(bench: Bench, folder: Path) -> Iterator[Row]:
    """A module with its pictures, beside those alone."""
    units, placed, python = bench.sizes.module, bench.sizes.set_up, bench.ours("python")
    large = game_folder(folder / "module", units, placed)
    small = game_folder(folder / "smaller", units // TIMES, placed // TIMES)
    words = bench.ours("module-builder"), "module", GAME, "--force"
    made = [Process(*words, folder=game) for game in (large, small)]
    made[0].run()
    alone = Process(python, PEERS / "pictures.py", "Pillow", str(units), folder, large / f"{GAME}.vmod")
    ours, fewer, theirs = least_cold(bench.sizes.runs, *made, alone)
    what = f"VASSAL module of {units} two-sided counters with a set-up of {placed}"
    yield Row(what, "its pictures by Pillow alone, plainer", ours, theirs, 0.8, more=True, smaller=fewer)


def of_sheets(bench: Bench, folder: Path) -> Iterator[Row]:
    """Sheets for printing with bleed and marks, read from a game's files; peers draw plainer counters in a loop."""
    number, python = bench.sizes.counters, bench.ours("python")
    large, small = (game_folder(folder / f"sheets-{units}", units, 1) for units in (number, number // TIMES))
    words = bench.ours("module-builder"), "sheets", GAME, "--out", "ours.pdf", "--force"
    made = (Process(*words, folder=game) for game in (large, small))
    alone = Process(python, PEERS / "pictures.py", "reportlab", str(number), folder)
    ours, fewer, theirs = least_cold(bench.sizes.runs, *made, alone)
    what = f"sheets of {number} two-sided counters, PDF"
    yield Row(what, "reportlab alone, plainer", ours, theirs, 0.8, more=True, smaller=fewer)
    protograf = bench.python(PROTOGRAF)
    drawn = [Process(protograf, PEERS / "countersheets.py", str(number), folder)] if protograf else []
    peer = min(least_cold(1, *drawn), default=None)
    yield Row(what, "protograf, plainer", ours, peer, more=True)


def of_check(bench: Bench, folder: Path) -> Row:
    """The check of a game whose counters are pictures of its author's."""
    number = bench.sizes.faces
    many, few = (faced_game(folder / f"faces-{units}", units) for units in (number, number // TIMES))

    cache = folder / "cache"

    def checked(game: Path) -> Callable[[], object]:
        def first() -> None:
            shutil.rmtree(cache, ignore_errors=True)
            quietly(partial(check.main, [str(game)], standalone_mode=False))

        return first

    def decoded() -> None:
        for file in (many / "faces").iterdir():
            with Image.open(file) as picture:
                picture.load()

    with patch.dict(os.environ, FIELD_STAFF_CACHE=str(cache)):
        ours, fewer, theirs = least(bench.sizes.runs, always(checked(many)), always(checked(few)), always(decoded))
    what = f"`module-builder check` of {number} picture faces that it has not seen before"
    return Row(what, "one decode of each", ours, theirs, 1.5, smaller=fewer)


def of_save(bench: Bench, folder: Path) -> Row:
    """A save read, less what a process takes that only becomes ready for it."""
    pieces, peer = bench.sizes.save, bench.python(PYWARGAME)
    game = game_folder(folder / "save", pieces, pieces)
    Process(bench.ours("module-builder"), "module", GAME, "--force", folder=game).run()
    shutil.unpack_archive(game / f"{GAME}.vmod", game / "module", "zip")
    save = game / "module" / "Many.vsav"
    readers = [(bench.ours("python"), "-c", READ_SAVE, save), *([(peer, PEERS / "saves.py", save)] if peer else [])]
    idle = least_cold(2, *(Process(*reader, "idle") for reader in readers))
    busy = least_cold(2, *(Process(*reader) for reader in readers))
    ours, *theirs = (whole - ready for whole, ready in zip(busy, idle, strict=True))
    return Row(
        f"a save of {pieces:,} pieces read to pieces and traits",
        "pywargame",
        ours,
        min(theirs, default=None),
        more=True,
    )


def quietly(call: Callable[[], object]) -> None:
    """Call without what it prints."""
    with redirect_stdout(io.StringIO()):
        call()


def faced_game(folder: Path, units: int) -> Path:
    """A small game with so many units, each with a face that is a picture of its own."""
    new_game(folder)
    (folder / "faces").mkdir()
    with (folder / "roster.csv").open(encoding="utf-8", newline="") as file:
        known = list(csv.DictReader(file))
    with (folder / "roster.csv").open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(known[0]))
        for number in range(units):
            writer.writerow({**known[number % len(known)], "unit": f"faced {number}"})
            ground = f"#{number % 200 + 32:02x}b090" + "c0" * (number % 2)  # every other one with alpha
            picture = Image.new("RGBA" if number % 2 else "RGB", (FACE_PIXELS, FACE_PIXELS), ground)
            pen = ImageDraw.Draw(picture)
            pen.rectangle((80, 60, 220, 160), fill="white", outline="black", width=3)
            pen.line((80, 60, 220, 160, 220, 60, 80, 160), fill="black", width=3)
            pen.text((150, 240), str(number), fill="black", font=ImageFont.load_default(60), anchor="mm")
            picture.save(folder / "faces" / f"faced {number}.png")
    return folder


def game_folder(folder: Path, units: int, placed: int) -> Path:
    """A game with so many units, of which so many are in its only set-up: Twilight in the East with a longer roster.

    It is installed in `folder` as a distribution of its own would be.
    """
    package = folder / "bench_of_many_counters"
    shutil.copytree(ROOT / "plugins" / "twilight_in_the_east", package, ignore=shutil.ignore_patterns("*.py"))
    (package / "__init__.py").write_text("")
    rows = list(csv.DictReader((package / "roster" / "illustrative.csv").open(encoding="utf-8")))
    many = [{**rows[n % 34], "unit": f"{n}/{n % 50}", "nation": "german", "army": "Eighth"} for n in range(units)]
    for name, listed in (("illustrative", many), ("known", [])):
        with (package / "roster" / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(listed)
    hexes = [f"{column}.{row}" for column in range(28, 61) for row in range(12, 41)]
    stacks: dict[str, list[str]] = {}
    for number, unit in enumerate(many[:placed]):
        stacks.setdefault(hexes[number * 3 % len(hexes)], []).append(str(unit["unit"]) + " supply=low" * (number % 2))
    lines = [f"game {GAME}", "turn=2", *(f"{place}: {', '.join(stack)}" for place, stack in stacks.items())]
    (package / "setups" / "many.pos").write_text("\n".join(lines) + "\n", "utf-8")
    text = (package / "game.toml").read_text("utf-8")
    text = re.sub(r'^board = "east"\ncolumns = .*\nrows = .*$', PART, text, count=1, flags=re.MULTILINE)
    first = text.index("setups = [")
    last = text.index("],\n]", first) + 4
    (package / "game.toml").write_text(f'{text[:first]}setups = [["setups/many.pos", "Many"]]\n{text[last:]}', "utf-8")
    text = (package / "counters.toml").read_text("utf-8")
    (package / "counters.toml").write_text(_OF_UNITS.sub("", text), "utf-8")
    about = folder / "bench-0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bench\nVersion: 0\n")
    (about / "entry_points.txt").write_text(f"[field_staff.games]\n{GAME} = bench_of_many_counters\n")
    return folder

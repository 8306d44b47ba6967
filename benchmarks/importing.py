"""A stranger's module: its import, the check of what was imported, and the module built of that, in time and memory."""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PIL import Image, ImageDraw

from assistant.formats.vassal.containers import ModuleData, write_container, write_module_data
from benchmarks.measuring import TIMES, Bench, Row

SIDE = 120
"""Pixels of a counter, each way."""
SIGNS = 24
"""Pictures that lie on many counters."""
SHARED = 8
"""How many counters in a row have the same status."""
SLOTS = "VASSAL.build.widget."
PARTS = "VASSAL.build.module."


_USED = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Runs a command, and prints what it used."""


class Used(NamedTuple):
    """What a process used."""

    seconds: float
    """Of CPU."""
    memory: float
    """MiB at most."""


def rows(bench: Bench) -> Iterator[Row]:
    """Import, check, check again and another module of a module of which each piece has a picture with a sign over it."""
    pieces = bench.sizes.imported
    with TemporaryDirectory() as name:
        folder = Path(name)
        large, small = (made_module(folder / f"{many}.vmod", many) for many in (pieces, pieces // TIMES))
        found = {file: measured(bench, file) for file in (small, large)}  # the game of the large one is left
        bounds = pillow_alone(large), files_read(folder / "game-0")
        jobs = (
            (f"import of a module of {pieces:,} pieces with pictures", "Pillow alone, each picture once", 2.0),
            ("check of what was imported", "one decode of each face", 4.0),
            ("the same check again", "one decode of each face", 2.0),
            ("a module of what was imported", "one decode of each face", 3.0),
        )
        for number, (job, against, goal) in enumerate(jobs):
            ours, fewer = found[large][number], found[small][number]
            yield Row(job, against, ours.seconds, bounds[min(number, 1)], goal, smaller=fewer.seconds)
            yield Row(f"{job}: memory", "300 MiB", ours.memory, 300, 1, smaller=fewer.memory, unit="MiB")


def measured(bench: Bench, module: Path) -> tuple[Used, ...]:
    """The least that import, check, another check and a module used, of some runs with a cache of their own."""
    runs = []
    program = str(bench.ours("module-builder"))
    for number in range(min(bench.sizes.runs, 3)):
        game, cache = module.parent / f"game-{number}", module.parent / "cache"
        for left in (game, cache):
            shutil.rmtree(left, ignore_errors=True)
        build = ("module", str(game), "-o", f"{game}.vmod", "--force")
        words = ("import", str(module), "-o", str(game)), ("check", str(game)), ("check", str(game)), build
        runs.append([used(cache, program, *some) for some in words])
    return tuple(
        Used(min(one.seconds for one in job), min(one.memory for one in job)) for job in zip(*runs, strict=True)
    )


def used(cache: Path, *words: str) -> Used:
    """What a process used. cache: its own folder of what is kept."""
    environment = {**os.environ, "FIELD_STAFF_CACHE": str(cache)}
    command = (sys.executable, "-c", _USED, *words)  # for what a process holds that starts another counts as its memory
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    seconds, memory = map(float, done.stdout.split())
    return Used(seconds, memory)


def pillow_alone(module: Path) -> float:
    """The seconds in which Pillow decodes each picture of a module once, and encodes as many."""
    with zipfile.ZipFile(module) as archive:
        pictures = [archive.read(name) for name in archive.namelist() if name.startswith("images/")]
    begun = time.process_time()
    for data in pictures:
        with Image.open(io.BytesIO(data)) as picture:
            picture.convert("RGBA").save(io.BytesIO(), "PNG", compress_level=1)
    return time.process_time() - begun


def files_read(game: Path) -> float:
    """The seconds in which each face of a game is read and decoded once."""
    begun = time.process_time()
    for file in (game / "faces").iterdir():
        with Image.open(file) as picture:
            picture.load()
    return time.process_time() - begun


def made_module(file: Path, pieces: int) -> Path:
    """A module of so many pieces, each with a picture of its own, one of a few signs over it, and one of many statuses."""
    chance = random.Random(1)
    pictures = {f"images/p{number}.png": _counter(chance, number) for number in range(pieces)}
    pictures |= {f"images/s{number}.png": _sign(number) for number in range(SIGNS)}
    pictures["images/map.png"] = _encode(Image.effect_noise((2400, 1600), 20).convert("RGB"))
    slots = "".join(_slot(number) for number in range(pieces))
    grid = "<VASSAL.build.module.map.boardPicker.board.HexGrid x0='60' y0='60' dx='104' dy='120'/>"
    board = f"<{PARTS}map.boardPicker.Board name='Land' image='map.png'>{grid}</{PARTS}map.boardPicker.Board>"
    picker = f"<{PARTS}map.BoardPicker><setup>MainBoardPicker\tLand\t0\t0</setup>{board}</{PARTS}map.BoardPicker>"
    window = f"<{PARTS}Map mapName='Main'>{picker}</{PARTS}Map>"
    lists = f"<{SLOTS}ListWidget entryName='Pieces'>{slots}</{SLOTS}ListWidget>"
    palette = f"<{PARTS}PieceWindow name='Counters'>{lists}</{PARTS}PieceWindow>"
    root = f"<VASSAL.build.GameModule name='Bench' version='1' VassalVersion='3.7.0'>{window}{palette}</VASSAL.build.GameModule>"
    about = write_module_data(ModuleData("Bench", "1", "3.7.0", ""))
    file.write_bytes(write_container({"moduledata": about, "buildFile.xml": root.encode(), **pictures}))
    return file


def _slot(number: int) -> str:
    sign = f"emb2;Sign;128;A;;128;;;128;;;;1;false;0;0;s{number % SIGNS}.png;on;true;Sign {number // SHARED};;;false;;1;1;true;;;;1.0"
    piece = f"+/null/{sign}\tpiece;;;p{number}.png;{number}. Battalion/1\tnull;0;0;{number};0"
    return f"<{SLOTS}PieceSlot entryName='{number}. Battalion' gpid='{number}' width='{SIDE}' height='{SIDE}'>{piece}</{SLOTS}PieceSlot>"


def _counter(chance: random.Random, number: int) -> bytes:
    picture = Image.effect_noise((SIDE, SIDE), 30).convert("RGB")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((20, 30, 100, 80), fill=(chance.randrange(256), 160, 120), outline="black", width=3)
    pen.text((50, 90), str(number), fill="black")
    return _encode(picture)


def _sign(number: int) -> bytes:
    picture = Image.new("RGBA", (SIDE, SIDE))
    ImageDraw.Draw(picture).ellipse((5 + number, 5, 30 + number, 30), fill="red", outline="black")
    return _encode(picture)


def _encode(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()

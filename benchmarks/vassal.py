"""Modules and saves: `python benchmarks/vassal.py [--peer PYTHON]`, or `make bench`.

Each figure is the CPU time, user and system, of a whole process from a cold start, the median of several runs; where it
says so less that of a process that imports the same and does nothing. The second column tells how many empty Python
processes it is worth, the third how many times as long the peer takes. The peer is pywargame, in an environment of its
own, which needs Python 3.12 or newer; PYTHON is the interpreter of that environment.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
GAME = "bench-of-many-counters"
RUNS = 5
MODULE_UNITS, MODULE_SET_UP, SAVE_UNITS = 500, 300, 3000


def game_folder(folder: Path, units: int, placed: int) -> Path:
    """A game with so many units, of which so many are in its only set-up: Twilight in the East with a longer roster.

    It is installed in `folder` as a distribution of its own would be.
    """
    package = folder / "bench_of_many_counters"
    shutil.copytree(ROOT / "plugins" / "twilight_in_the_east", package, ignore=shutil.ignore_patterns("*.py"))
    (package / "__init__.py").write_text("")
    rows = list(csv.DictReader((package / "roster" / "illustrative.csv").open(encoding="utf-8")))
    many = [{**rows[n % 34], "unit": f"{n}/{n % 50}", "nation": "german", "army": "Eighth"} for n in range(units)]
    for name, kept in (("illustrative", many), ("known", [])):
        with (package / "roster" / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(kept)
    hexes = [f"{column}.{row}" for column in range(28, 61) for row in range(12, 41)]
    stacks: dict[str, list[str]] = {}
    for number, unit in enumerate(many[:placed]):
        stacks.setdefault(hexes[number * 3 % len(hexes)], []).append(str(unit["unit"]) + " supply=low" * (number % 2))
    lines = [f"game {GAME}", "turn=2", *(f"{place}: {', '.join(stack)}" for place, stack in stacks.items())]
    (package / "setups" / "many.pos").write_text("\n".join(lines) + "\n", "utf-8")
    text = (package / "game.toml").read_text("utf-8")
    first = text.index("setups = [")
    last = text.index("],\n]", first) + 4
    (package / "game.toml").write_text(f'{text[:first]}setups = [["setups/many.pos", "Many"]]\n{text[last:]}', "utf-8")
    about = folder / "bench-0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bench\nVersion: 0\n")
    (about / "entry_points.txt").write_text(f"[field_staff.games]\n{GAME} = bench_of_many_counters\n")
    return folder


def cpu(command: list[str], folder: Path) -> float:
    """The median CPU time of a command, in seconds. Raises CalledProcessError if it fails."""
    times = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            command, check=True, cwd=folder, env=os.environ | {"PYTHONPATH": str(folder)}, stdout=subprocess.DEVNULL
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return statistics.median(times)


READ_TRAITS = """
import sys
from assistant.formats.vassal.saves import read_save
data = open(sys.argv[1], "rb").read()
if len(sys.argv) == 2:
    assert len(read_save(data).pieces) > 1000
"""
READ_POSITION = f"""
import sys
from assistant.registry import load_game, read_position
import assistant.formats.vassal.positions
load_game("{GAME}").roster
data = open(sys.argv[1], "rb").read()
if len(sys.argv) == 2:
    assert len(read_position(sys.argv[1], data).state.units) > 1000
"""
PEER_READS = """
import sys
from pywargame.vassal.save import SaveIO
from pywargame.vassal.withtraits import WithTraits
if len(sys.argv) == 2:
    _, lines = SaveIO.readSave(sys.argv[1])
    pieces = [WithTraits.decodeAdd2(line, False) for line in lines if line.startswith("+/") and "piece;" in line]
    assert len(pieces) > 1000
"""


def above_start_up(python: str, script: str, save: str, folder: Path) -> float:
    """What a script takes to read a save, less what it takes to be ready for that."""
    idle, busy = (cpu([python, "-c", script, save, *more], folder) for more in (["idle"], []))
    return busy - idle


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--peer", metavar="PYTHON", help="the interpreter of an environment that has pywargame")
    peer = asked.parse_args().peer
    python = sys.executable
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty = cpu([python, "-c", ""], folder)
        print(f"{'':64} {'CPU s':>7} {'empty':>7} {'peer':>7}")

        def told(what: str, seconds: float, peers: float | None = None) -> None:
            times = f"{peers / seconds:7.1f}" if peers else f"{'-':>7}"
            print(f"{what:64} {seconds:7.3f} {seconds / empty:7.1f} {times}")

        small = game_folder(folder / "small", MODULE_UNITS, MODULE_SET_UP)
        build = [python, "-m", "module_builder", "module", GAME, "--force"]
        told(f"module-builder module: {MODULE_UNITS} counters, a set-up of {MODULE_SET_UP}", cpu(build, small))
        large = game_folder(folder / "large", SAVE_UNITS, SAVE_UNITS)
        subprocess.run(build, check=True, cwd=large, env=os.environ | {"PYTHONPATH": str(large)}, capture_output=True)
        shutil.unpack_archive(large / f"{GAME}.vmod", large / "module", "zip")
        save = str(large / "module" / "Many.vsav")
        what = f"a save of {SAVE_UNITS} pieces, above start-up"
        peers = above_start_up(peer, PEER_READS, save, folder) if peer else None
        told(f"{what}: pieces and traits", above_start_up(python, READ_TRAITS, save, large), peers)
        told(f"{what}: a position", above_start_up(python, READ_POSITION, save, large))


if __name__ == "__main__":
    main()

"""Modules and saves of VASSAL, beside pywargame."""

from __future__ import annotations

import csv
import random
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from assistant.formats.vassal.containers import COMMANDS, write_container
from assistant.formats.vassal.streams import join_commands, obfuscate, read_stream
from benchmarks.measuring import PEERS, ROOT, Bench, Environment, Goal, Row, Table, cpu, module, peak, run

GAME, TWILIGHT = "bench-of-many-counters", "twilight-in-the-east"
PART = "columns = [28, 60]\nrows = [12, 40]"
"""What the module shows of the map, which is not drawn: the time of a drawn board is a row of its own."""
_OF_UNITS = re.compile(r"^\[(?:short\.unit\]|units\.).*?(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
"""The tables of `counters.toml` that name units, which the made-up game has not."""
PYWARGAME = Environment("pywargame", ("pywargame",), least=(3, 12))


def table(bench: Bench) -> Table:
    """A module built, and a large save read."""
    sizes = bench.sizes
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = game_folder(folder / "small", sizes.module_units, sizes.module_set_up)
        build = module("module_builder", "module", GAME, "--force")
        built = cpu(build, sizes.cold_runs, small)
        drawn = cpu(module("module_builder", "module", TWILIGHT, "--force"), sizes.cold_runs, small)
        large = game_folder(folder / "large", sizes.save_units, sizes.save_units)
        run(build, large)
        shutil.unpack_archive(large / f"{GAME}.vmod", large / "module", "zip")
        save = large / "module" / "Many.vsav"

        stacks = [_of_empty_stacks(large / f"{number}.vsav", number) for number in (sizes.stacks, 2 * sizes.stacks)]
        pictured = _with_pictures(large / f"{GAME}.vmod", large / "pictures.vmod", sizes.pictures)
        decoded = len(read_stream(save.read_bytes())[0]) / MIB

        def reading(file: Path, *reader: str | Path, taken: Callable[..., float] = cpu) -> float:
            """What a script takes to read a file, less what it takes to be ready for that."""
            runs = (sizes.cold_runs,) if taken is cpu else ()
            idle, busy = (taken([*reader, file, *more], *runs, folder=large) for more in (["idle"], []))
            return busy - idle

        of_ours = [sys.executable, "-c"]
        traits = reading(save, *of_ours, READ_TRAITS)
        position = reading(save, *of_ours, READ_POSITION)
        python = bench.python(PYWARGAME)
        theirs = reading(save, python, PEERS / "saves.py") if python else None
        held = reading(save, *of_ours, READ_TRAITS, taken=peak) / MIB
        held_by_position = reading(save, *of_ours, READ_POSITION, taken=peak) / MIB
        held_by_them = reading(save, python, PEERS / "saves.py", taken=peak) / MIB if python else None
        listed = [reading(file, *of_ours, LIST) for file in stacks]
        opened = reading(pictured, *of_ours, OPEN)
        held_by_module = reading(pictured, *of_ours, OPEN, taken=peak) / MIB
        megabytes = pictured.stat().st_size / 1e6
    what = f"a save of {sizes.save_units:,} pieces"
    memory = Goal(below=3 * decoded + 30)
    module_of = f"a module of {megabytes:.0f} MB, most of it pictures"
    set_up = f"a module of {sizes.module_units} counters with a set-up of {sizes.module_set_up}, pictures included"
    rows = [
        Row(set_up, built, goal=Goal(below=0.6)),
        Row(f"`module-builder module {TWILIGHT}`: its counters on 1,333 hexes of the drawn board", drawn),
        Row(f"{what} to pieces and traits", traits, "pywargame", theirs, Goal(times=20)),
        Row(f"{what} to a position that questions can be asked of", position),
        Row(f"{what} to pieces and traits: memory", held, "pywargame", held_by_them, memory, "MiB"),
        Row(f"{what} to a position: memory", held_by_position, goal=memory, unit="MiB"),
        Row(f"a save of 322 pieces and {sizes.stacks:,} empty stacks to a list", listed[0], goal=Goal(below=0.6)),
        Row(f"the same with {2 * sizes.stacks:,} empty stacks", listed[1], goal=Goal(below=1.2)),
        Row(f"{module_of}: opened, its new game listed", opened),
        Row(f"{module_of}: memory", held_by_module, goal=Goal(below=64), unit="MiB"),
    ]
    about = (
        "The module is a whole process from a cold start. Readers' times are in excess of a process that imports the "
        "same and reads nothing; so is their memory, whose goal is three times the commands of the save and 30 MiB. "
        "pywargame writes modules, but draws no counters."
    )
    return Table("VASSAL", about, rows)


READ_TRAITS = """
import sys
from assistant.formats.vassal.saves import read_save
data = open(sys.argv[1], "rb").read()
if len(sys.argv) == 2:
    assert read_save(data).pieces
"""
READ_POSITION = f"""
import sys
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game
import assistant.formats.vassal.positions
load_game("{GAME}").roster
data = open(sys.argv[1], "rb").read()
if len(sys.argv) == 2:
    assert read_position(sys.argv[1], data).state.units
"""


LIST = """
import sys
from assistant.formats.vassal.others.listing import format_listing, list_save
from assistant.formats.vassal.saves import read_save
from assistant.formats.vassal.replay import replay
data = open(sys.argv[1], "rb").read()
if len(sys.argv) == 2:
    assert format_listing(list_save(replay(read_save(data))))
"""
OPEN = """
import sys
from pathlib import Path
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.new_game import set_up_game
from assistant.formats.vassal.others.listing import format_listing, list_save
if len(sys.argv) == 2:
    module = read_module(Path(sys.argv[1]))
    assert module.slots and format_listing(list_save(set_up_game(module), module))
"""
MIB = 2**20


def _of_empty_stacks(file: Path, number: int) -> Path:
    """A save as long games leave them: few pieces, and the empty stacks of all that was ever moved."""
    pieces = [f"+/p{n}/piece;;;a.png;Piece {n}/Map;{n % 40 * 60};{n % 31 * 60};{n};0" for n in range(322)]
    stacks = [f"+/{1_700_000_000_000 + n}/stack/Map;{n % 3000};{n % 2000};@@0" for n in range(number)]
    stream = join_commands(["begin_save", *pieces, *stacks, "end_save"])
    file.write_bytes(write_container({COMMANDS: obfuscate(stream)}))
    return file


def _with_pictures(module: Path, file: Path, number: int) -> Path:
    """A module with so many pictures of a MiB more. They are noise, as what is compressed well looks."""
    shutil.copy(module, file)
    with zipfile.ZipFile(file, "a") as container:
        for picture in range(number):
            container.writestr(f"images/more-{picture}.png", random.randbytes(MIB))
    return file


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

"""Saves of published modules hold tens of thousands of empty stacks: no pieces, and next to no time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from assistant.formats.vassal.containers import COMMANDS, ESCAPE, write_container
from assistant.formats.vassal.saves import read_save
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.streams import obfuscate
from tests.growth import grows_evenly

from ....cases import thorough


def save_of(stacks: int, pieces: int = 300) -> bytes:
    """The file of a save with so many empty stacks, nested as the engine nests them."""
    units = [f"+/{n}/emb2;a,b\tpiece;;;a.png;Unit {n}/1\tMap;{n};{n};{n};0" for n in range(pieces)]
    empty = [f"+/{10**12 + n}/stack/Map;{n % 4000};{n % 3000};@@0" for n in range(stacks)]
    return write_container(
        {COMMANDS: obfuscate(ESCAPE.join(["begin_save", join(["", *units, *empty], ESCAPE), "end_save"]))}
    )


@thorough
def test_empty_stacks_are_no_pieces_and_count_against_no_limit_of_pieces() -> None:
    save = read_save(save_of(65_000))
    assert (len(save.pieces), len(save.stacks)) == (300, 65_000)


@thorough
def test_many_empty_stacks_take_time_and_memory_in_proportion(tmp_path: Path) -> None:
    """Memory above what the program takes anyway: under three times the decoded commands and 30 MiB."""

    def reading(count: int) -> Callable[[], object]:
        data = save_of(count, pieces=0)
        return lambda: read_save(data)

    assert grows_evenly(reading, larger=100)
    file = tmp_path / "many.vsav"
    file.write_bytes(save_of(65_000))
    measure = (
        "import resource, sys; from pathlib import Path\n"
        "from assistant.formats.vassal.saves import read_save\n"
        "data = Path(sys.argv[1]).read_bytes()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "kept = read_save(data)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", measure, str(file)], capture_output=True, text=True, check=True)
    decoded = 65_000 * len("+/1000000000000/stack/Map;1000;1000;@@0\\\x1b")
    kib = int(done.stdout) / (1024 if sys.platform == "darwin" else 1)
    assert kib * 1024 < 3 * decoded + 30 * 2**20

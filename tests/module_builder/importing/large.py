"""A made-up module as large as the largest published ones, imported: `python -m tests.module_builder.importing.large [SET-UPS]`.

It takes minutes, so it is no test. Prints the size of the module, and what its import took.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

from . import identical

SETUPS = 189
EMPTY = 60_000  # stacks that hold nothing in each set-up
SIZE = 155_000_000  # bytes in all


def slots() -> tuple[identical.Slot, ...]:
    """The slots of 320 counters."""
    hexes = [f"{column:02}{row:02}" for column in range(1, 13) for row in range(1, 9)]
    return tuple(
        identical.Slot(
            "Blue" if number % 2 else "Red",
            f"{number}. Division",
            f"u{number}.png",
            number % 7,
            number % 5,
            (hexes[number % 96],) * 2,
        )
        for number in range(160)
    )


def written(file: Path, setups: int) -> None:
    """Write the module with so many set-ups."""
    with patch.object(identical, "SLOTS", slots()):
        file.write_bytes(identical.module(setups, EMPTY))
        if (lacking := SIZE * setups // SETUPS - file.stat().st_size) > 0:
            file.write_bytes(identical.module(setups, EMPTY, lacking))


def run(setups: int) -> str:
    """Import a module with so many set-ups. Returns what that took, in words."""
    with tempfile.TemporaryDirectory() as held:
        file = Path(held) / "large.vmod"
        # in processes of their own, for what a process held before it starts another counts as the other's memory
        subprocess.run([sys.executable, "-m", __spec__.name, str(setups), str(file)], check=True)
        command = [sys.executable, "-m", "module_builder", "import", str(file), "-o", str(Path(held) / "game")]
        importing = subprocess.Popen(command, env={**os.environ, "FIELD_STAFF_DATA": f"{held}/data"})
        _, status, used = os.wait4(importing.pid, 0)
        size = file.stat().st_size / 1e6
    seconds = used.ru_utime + used.ru_stime
    took = f"{seconds:.1f} s of CPU ({seconds / setups:.2f} s a set-up), {used.ru_maxrss // 1024} MiB"
    return f"{size:.0f} MB, {setups} set-ups: {took}" + (f", failed: {status}" if status else "")


if __name__ == "__main__":
    if sys.argv[2:]:
        written(Path(sys.argv[2]), int(sys.argv[1]))
    else:
        print(run(int(sys.argv[1]) if sys.argv[1:] else SETUPS))

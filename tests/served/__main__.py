"""Served tables on disks that fail, and across new starts: `python -m tests.served` prints what differs.

`python -m tests.served SCENE ...` lets each call of each line of the scenes fail in turn. `starts` serves the examples
anew after each line of their journals, with `--share 8` after every eighth.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from .restarts import JOURNALS, POSITIONS, compare_starts, name_example
from .scenes import SCENES
from .sweep import Sweep

IN_MEMORY = "/dev/shm"
STARTS = "starts"
ALL = "all"


def read_options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """What is to be tried: without names everything. words: of the command, by default those that Python was called with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*SCENES, STARTS, ALL], default=ALL)
    parser.add_argument("--share", type=int, default=1, help="the step between the lines of a journal that are tried")
    parser.add_argument("--seeds", type=int, default=2, help="losses of power to try at each call")
    options = parser.parse_args(words)
    if ALL in options.names:
        options.names = [*SCENES, STARTS]
    return options


def main() -> None:
    """Run the named scenes, or all scenes and starts."""
    options = read_options()
    faults = 0
    with TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as place:
        folder = Path(place).resolve()
        os.environ["FIELD_STAFF_DATA"] = str(folder / "data")
        for name in options.names:
            start = time.process_time()
            found = (
                compare_all_starts(folder, options.share)
                if name == STARTS
                else sweep_scene(name, folder / name, range(options.seeds))
            )
            print(f"{name}: {found} at fault, {time.process_time() - start:.0f} seconds of CPU", flush=True)
            faults += found
    sys.exit(1 if faults else 0)


def sweep_scene(name: str, folder: Path, seeds: range) -> int:
    """Print the faults at each line of a scene, and return their number."""
    sweep = Sweep(SCENES[name], folder, seeds)
    without = list(sweep.find_faults_of_twin())
    print(f"{name}: {len(sweep.points)} points", *without, sep="\n  ", flush=True)
    count = len(without)
    for at, (seat, line) in enumerate(sweep.scene.lines):
        points = [point for point in sweep.points if point.line == at]
        found = list(sweep.try_points(points))
        ways = Counter(fault.point.way for fault in found)
        print(f"  {seat}: {line}: {len(found)} of {len(points)} points at fault", dict(ways) or "", flush=True)
        print("".join(f"    {fault}\n" for fault in found), end="", flush=True)
        count += len(found)
    return count


def compare_all_starts(folder: Path, share: int) -> int:
    """Print what new starts change at the tables of the examples, and return the number of differences."""
    count = 0
    for number, file in enumerate((*JOURNALS, *POSITIONS)):
        found = list(compare_starts(file, folder / str(number), share))
        print(f"  {name_example(file)}: {len(found)} differences", flush=True)
        print("".join(f"    {each}\n" for each in found), end="", flush=True)
        count += len(found)
    return count


if __name__ == "__main__":
    main()

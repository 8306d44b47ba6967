"""Many spoiled files, read as the command line reads them: `python -m tests.hostile.run [COUNT] [SEED]`.

Each is read in a process that may hold 300 MiB more than it began with and take 2 s of processor time a file. What came
of them is printed, and for the run that is documented written to docs/hostile-run.md; files that crash the program are kept in build/hostile.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

from .mutations import spoiled
from .reading import MEMORY, SECONDS, Outcome, environment, limit_memory, outcome
from .seeds import sound_files

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build/hostile"
COMMANDS = ("check", "check --as russian", "battle", "battle --as central-powers", "convert")
ENDINGS = (".pos", ".json", ".vsav", ".vsav", ".vlog", ".vlog", ".vmod")
CHUNK = 250
COUNT, SEED = 20_000, 4


def files(numbers: range, seed: int) -> Iterator[tuple[int, str, str, bytes]]:
    """Spoiled files: number, name, the command that reads it, bytes; each is the same in any run with this seed."""
    sound = sound_files()
    for number in numbers:
        random = Random(f"{seed} {number}")
        ending = random.choice(ENDINGS)
        name, data = random.choice([file for file in sound if file[0].endswith(ending)])
        yield number, name, random.choice(COMMANDS), spoiled(name, data, sound, random)


def read_all(numbers: range, seed: int) -> list[tuple[int, str, Outcome]]:
    """Make and read some files, in this process, whose memory is limited from then on."""
    environment()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        names = {name for name, _ in sound_files()}
        for name, data in sound_files():  # what any file takes is loaded before memory is measured
            path = Path(folder, name)
            path.write_bytes(data)
            for command in set(COMMANDS):
                assert not outcome(path, command).crash
        limit_memory()
        for number, name, command, data in files(numbers, seed):
            path = Path(folder, name)
            path.write_bytes(data)
            came = outcome(path, command)
            found.append((number, name, came))
            if came.crash:
                KEPT.mkdir(parents=True, exist_ok=True)
                KEPT.joinpath(f"{number}-{command.split()[0]}-{name}").write_bytes(data)
            if {path.name for path in Path(folder).iterdir()} != names:
                raise AssertionError(f"file {number} has had another one written")
    return found


def report(count: int, seed: int, outcomes: list[tuple[int, str, Outcome]]) -> str:
    """The run in words; the same on any machine but for what its memory and speed are measured at."""
    kinds = Counter(came.kind for _, _, came in outcomes if not came.crash)
    endings = Counter(Path(name).suffix for _, name, _ in outcomes)
    crashes = sum(bool(came.crash) for _, _, came in outcomes)
    slowest = max(came.seconds for _, _, came in outcomes)
    memory = max(came.memory for _, _, came in outcomes)
    others = sum(kinds.values()) - kinds["read"]
    lines = [
        "# A run with spoiled files",
        "",
        f"`make hostile COUNT={count} SEED={seed}` writes this. Sound files (positions in notation and JSON, saves, logs,",
        "a module) are spoiled in their bytes, entries, commands and words. Each is read as `assistant check`, `battle` and `convert`",
        f"read it, some as one side may see it, within {SECONDS:g} s of processor time and {MEMORY // 2**20} MiB.",
        "",
        f"- Files: {len(outcomes)}: " + ", ".join(f"{number} {ending}" for ending, number in sorted(endings.items())),
        f"- Read: {kinds['read']}",
        f"- Refused with a message of one or two lines: {others}",
        f"- Crashed, hung, out of memory, or answered with an untidy message: {crashes}",
        f"- Longest time: {_below(slowest, (0.1, 0.25, 0.5, 1, SECONDS))} s",
        f"- Most memory: {_below(memory / 2**20, (8, 16, 32, 64, 128, MEMORY // 2**20))} MiB",
        "",
        "| Message, with names and numbers left out | Files |",
        "| --- | ---: |",
        *(f"| {kind.replace('|', chr(92) + '|')} | {number} |" for kind, number in _often(kinds)),
        "",
    ]
    return "\n".join(lines)


def _often(kinds: Counter[str]) -> list[tuple[str, int]]:
    """The forty messages that come most often, and how often all others do."""
    told = sorted(
        ((kind, number) for kind, number in kinds.items() if kind != "read"), key=lambda one: (-one[1], one[0])
    )
    rest = sum(number for _, number in told[40:])
    return [*told[:40], *([(f"{len(told[40:])} others", rest)] if rest else [])]


def _below(measured: float, steps: tuple[float, ...]) -> str:
    return next((f"less than {step:g}" for step in steps if measured < step), f"more than {steps[-1]:g}")


def main(count: int = COUNT, seed: int = SEED) -> int:
    """Run, print, write; 1 if a file crashed the program."""
    chunks = [range(at, min(at + CHUNK, count)) for at in range(0, count, CHUNK)]
    with ProcessPoolExecutor(max_tasks_per_child=1) as pool:
        found = [one for part in pool.map(read_all, chunks, [seed] * len(chunks)) for one in part]
    for number, name, came in found:
        if came.crash:
            print(f"--- {number} {name}\n{came.crash}")
    slow = sorted(((came.seconds, number, name) for number, name, came in found), reverse=True)
    large = sorted(((came.memory, number, name) for number, name, came in found), reverse=True)
    print("slowest:", *(f"{seconds:.2f} s {number} {name}" for seconds, number, name in slow[:5]), sep="\n  ")
    print("largest:", *(f"{memory / 2**20:.0f} MiB {number} {name}" for memory, number, name in large[:5]), sep="\n  ")
    text = report(count, seed, found)
    print(text)
    if (count, seed) == (COUNT, SEED):
        ROOT.joinpath("docs/hostile-run.md").write_text(text, "utf-8")
    return int(any(came.crash for _, _, came in found))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

"""Inputs of one target, guided by the code that they reach: `python -m tests.fuzz.guided TARGET COUNT SEED FOLDER`.

Atheris instruments the program, keeps every input that reaches code which none before reached, and spoils those further: its bytes, or
what it means. What comes of each new input goes to standard output, pickled; FOLDER has the inputs that are kept, and goes from run to run.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import sys
from hashlib import sha1
from pathlib import Path

import atheris

LONGEST = 64_000
"""Bytes of an input at most."""
_OFTEN = 500
"""After how many inputs the memory that is kept of them is counted anew."""
_CODE = ["assistant", "module_builder", "twilight_in_the_east"]

with atheris.instrument_imports(include=_CODE):
    from tests.hostile.reading import MEMORY, SECONDS, environment

    from .spoiling import spoiled
    from .targets import Target, met, targets


def run(target: Target, count: int, seed: int, folder: Path) -> None:
    """Meet so many inputs that are not in the folder, and end the process."""
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sound = list(target.seeds())
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    with atheris.instrument_imports(include=_CODE):  # what is imported only when it is needed
        for number, data in enumerate(sound):
            met(target, data)
            (corpus / f"sound-{number}").write_bytes(data)
    known = {sha1(path.read_bytes()).digest() for path in corpus.iterdir()} - {sha1(data).digest() for data in sound}
    gc.collect()
    gc.freeze()  # what is loaded stays, and need not be looked through each time
    done = 0

    def meet(data: bytes) -> None:
        nonlocal done
        (folder / "last").write_bytes(data)
        if done % _OFTEN == 0:
            _limit_memory()
        came = met(target, data, 4 * SECONDS)
        if (name := sha1(data).digest()) in known:
            return
        known.add(name)
        done += 1
        pickle.dump((data if came.crash or came.seconds > SECONDS / 4 else b"", came), told)
        told.flush()
        if done >= count:
            os._exit(0)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        match seed % 8:
            case 0 | 1:
                return bytes(atheris.Mutate(data, most))
            case 2 | 3 | 4:  # else most inputs would be faulty from the start: so are most of those that reach new code
                data = sound[seed // 8 % len(sound)]
        return spoiled(data, target.spoil, most, seed)

    flags = ["-len_control=0", "-mutate_depth=2", "-rss_limit_mb=0", "-timeout=120", f"-artifact_prefix={folder}/"]
    words = [sys.argv[0], f"-seed={seed}", f"-max_len={LONGEST}", *flags, str(corpus)]
    atheris.Setup(words, meet, custom_mutator=mutate)
    atheris.Fuzz()


def _limit_memory() -> None:
    """Let this process have so much more memory than it has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, hard))


def main(name: str, count: int, seed: int, folder: Path) -> None:
    """Begin in a folder of its own, under settings that are the same everywhere."""
    folder = folder.absolute()
    desk = folder / "desk"
    desk.mkdir(parents=True, exist_ok=True)
    os.chdir(desk)
    environment(desk / "data")
    run(targets()[name], count, seed, folder)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))

"""`python -m tests.evenings [--write] [GAME COUNT]`: plays all evenings, or records them; with a game and a number, random evenings
that are not there yet are made first. Prints each verdict that has changed, as it was and as it is.
"""

from __future__ import annotations

import sys
import time
from itertools import count

from assistant.util.errors import InputError

from .playing import random_evening
from .recording import ENDING, FOLDER, changes_of, evenings, name_of, recorded, worded

SEED = 1914


def make(game: str, many: int) -> None:
    """Makes random evenings until a game has so many."""
    (FOLDER / game).mkdir(parents=True, exist_ok=True)
    for number in count():
        if len(list((FOLDER / game).glob(f"*{ENDING}"))) >= many:
            return
        file = FOLDER / game / f"random-{number}{ENDING}"
        if not file.exists() and (lines := random_evening(game, number, SEED)):
            file.write_text("\n".join(lines) + "\n", "utf-8")
        if number > 10 * many:
            raise SystemExit(f"{game}: only {number} evenings can be made")


def main(words: list[str]) -> int:
    """Play or record them."""
    write, words = "--write" in words, [word for word in words if word != "--write"]
    if words:
        make(words[0], int(words[1]))
    changed = 0
    for file in evenings():
        begun, text = time.monotonic(), file.read_text("utf-8")
        try:
            now = recorded(text, str(file))
        except InputError as error:
            print(f"{name_of(file)} cannot be played: {error}")
            changed += 1
            continue
        if now == text:
            continue
        changed += 1
        if "\nexpect " in text:
            print(*(worded(name_of(file), old, new) for old, new in changes_of(text, now)), sep="\n")
        if write:
            file.write_text(now, "utf-8")
            print(f"{name_of(file)}: recorded, {time.monotonic() - begun:.1f} s")
    return int(bool(changed) and not write)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

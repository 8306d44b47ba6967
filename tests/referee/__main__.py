"""`python -m tests.referee --write GAME [SEED]`: the suites of a game from its second program, into docs/referee; without --write, what
would change. `make referee` puts all of them to the plugins.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

from assistant.installed.registry import games_unpacked, installed_games

from .writing import Suite, file_of, suite_text

SEED = 1914
MODULES = {
    game: f"tests.referee.{package}"
    for game, point in installed_games().items()
    if find_spec(f"tests.referee.{(package := point.value.partition(':')[0])}")
}
"""The second programs that there are, by the game."""


def suites_of(game: str, seed: int = SEED) -> Iterator[Suite]:
    """The suites of a game."""
    yield from import_module(MODULES[game]).suites(seed)


def main(game: str, *words: str) -> int:
    """Write the files, or say which of them differ."""
    write = "--write" in words
    numbers = [int(word) for word in words if word.isdigit()]
    changed = 0
    for suite in suites_of(game, *numbers):
        begun = time.monotonic()
        text, file = suite_text(suite, games_unpacked()(game)), file_of(game, suite.subject)
        same = file.is_file() and file.read_text("utf-8") == text
        changed += not same
        if write and not same:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        cases = text.count("\ncase ")
        print(
            f"{suite.subject}: {cases} cases, {len(text) >> 10} KiB, {time.monotonic() - begun:.1f} s, {'as before' if same else 'changed'}"
        )
    return int(bool(changed) and not write)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--write"]
    sys.exit(main(*words, *(["--write"] if "--write" in sys.argv else [])))

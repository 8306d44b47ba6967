"""`python -m tests.referee [GAME[/SUBJECT] ...]`: the suites made by the second programs, into build/referee, with what differs from docs/referee.

`--write` records them there too, `--into FOLDER` puts them elsewhere. `--seed 7` makes other suites, which are held to nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import msgspec

from assistant.installed.registry import installed_games, make_game_loader

from ..reached import PROCESSES
from .keeping import FOLDER, WHOLE, cut_sample, find_known, list_differences, make_row, read_table, write_table
from .writing import Suite, suite_text

SEED = 1914
MODULES = {
    game: f"tests.referee.{package}"
    for game, point in installed_games().items()
    if find_spec(f"tests.referee.{(package := point.value.partition(':')[0])}")
}
"""The modules of the second programs, by game."""


def suites_of(game: str, seed: int = SEED) -> Iterator[Suite]:
    """Yield the suites of a game, whose cases are made as they are taken."""
    yield from import_module(MODULES[game]).suites(seed)


def begin_suites(game: str, count: int, seed: int = SEED) -> Iterator[tuple[str, str]]:
    """Yield the subject of each suite of a game, with the text of its head and its first cases."""
    for suite in suites_of(game, seed):
        part = msgspec.structs.replace(suite, cases=list(islice(suite.cases, count)))
        yield suite.subject, suite_text(part, make_game_loader(pack="none")(game))


def make_suite(name: str, seed: int = SEED) -> str:
    """Return the whole text of a suite. name: GAME/SUBJECT"""
    game, _, subject = name.partition("/")
    suite = next(suite for suite in suites_of(game, seed) if suite.subject == subject)
    return suite_text(suite, make_game_loader(pack="none")(game))


def list_suites(wanted: Sequence[str] = ()) -> list[str]:
    """Return the names of suites, GAME/SUBJECT. wanted: these names, or games; nothing for all"""
    games = [game for game in MODULES if not wanted or game in {word.partition("/")[0] for word in wanted}]
    names = [(game, f"{game}/{suite.subject}") for game in games for suite in suites_of(game)]
    return [name for game, name in names if not wanted or game in wanted or name in wanted]


def main(words: Sequence[str]) -> int:
    """Make suites, and print in what they differ from those recorded.

    Return 1 if one differs and is not recorded now, or else 0.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.referee")
    parser.add_argument("names", nargs="*", metavar="GAME[/SUBJECT]")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--into", type=Path, default=WHOLE)
    given = parser.parse_args(words)
    if given.write and given.seed != SEED:
        parser.error(f"the suites of seed {SEED} alone are recorded")
    names = list_suites(given.names)
    if not names:
        parser.error(f"there is no suite {' '.join(given.names)}")
    begun, before = time.monotonic(), read_table()
    rows = {name: row for name, row in before.items() if given.names}
    differing = 0
    with ProcessPoolExecutor(PROCESSES) as pool:
        for name, text in zip(names, pool.map(partial(make_suite, seed=given.seed), names), strict=True):
            rows[name], row = make_row(name, text), before.get(name)
            if given.seed == SEED and rows[name] != row:
                differing += 1
                shown = list_differences(row, find_known(row, given.into), text) if row else [f"{name}: new"]
                print(*shown, sep="\n", flush=True)
            _write(given.into / f"{name}.txt", text)
            if given.write:
                _write(FOLDER / f"{name}.txt", cut_sample(text))
    for file in [] if given.names else given.into.glob("*/*.txt"):
        if file.relative_to(given.into).with_suffix("").as_posix() not in names:
            file.unlink()  # a suite that is no more made
    if given.write:
        write_table(rows)
    cases = sum(rows[name].cases for name in names)
    print(f"{len(names)} suites, {cases:,} cases, {differing} differ, {time.monotonic() - begun:.0f} s: {given.into}")
    return int(bool(differing) and not given.write)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

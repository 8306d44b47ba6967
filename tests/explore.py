"""`make explore WHAT=combats SEED=7 COUNT=10000`: a search for faults by chance. Without WHAT it says what each search looks for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

from .comparing import SEARCHES as COMPARING


class Search(NamedTuple):
    """A search for faults."""

    looks_for: str
    command: str
    """The module that is run and its words, in which `{count}` and `{seed}` stand for the numbers."""
    rounds: int = 1
    """The number of times that the command is run unless COUNT says so, for a command that does not take it."""


SEARCHES = {
    "failures": Search(
        "commands that leave something broken when a call fails by which they read, write or allocate (an hour)",
        "tests.hostile.failures",
    ),
    "properties": Search(
        "new cases of every test that makes up its own", "pytest -q -n 2 -m hypothesis --hypothesis-profile=explore", 10
    ),
}
SEARCHES |= {
    name: Search(listed.looks_for, f"tests.comparing {name} {{count}} {{seed}}") for name, listed in COMPARING.items()
}


def list_searches() -> str:
    """Return what there is to look for, a line each."""
    width = max(map(len, SEARCHES))
    lines = (f"{name:{width}}  {search.looks_for}" for name, search in sorted(SEARCHES.items()))
    return "\n".join(["make explore WHAT=... [COUNT=...] [SEED=...] [MORE=...]", "", *lines])


def commands_of(search: Search, count: str, seed: str, more: Sequence[str]) -> list[list[str]]:
    """Return the commands of a search without Python. count, seed: "" for those of the search; more: words for the end of each."""
    command = [*search.command.format(count=count or "-", seed=seed or "-").split(), *more]
    return [command] * (int(count or search.rounds) if search.rounds > 1 else 1)


def main(what: str = "", count: str = "", seed: str = "", *more: str) -> int:
    """Run a search. Returns 0 if it finds nothing, 1 if it finds something, 3 for a wrong name or number."""
    if not what:
        print(list_searches())
        return 0
    if what not in SEARCHES:
        print(f"there is no search {what!r}\n\n{list_searches()}", file=sys.stderr)
        return 3
    if wrong := [number for number in (count, seed) if number and not number.isdigit()]:
        print(f"COUNT and SEED are whole numbers, not {wrong[0]!r}", file=sys.stderr)
        return 3
    return max(
        subprocess.call([sys.executable, "-m", *words]) for words in commands_of(SEARCHES[what], count, seed, more)
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

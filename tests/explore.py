"""`make explore WHAT=combats SEED=7 COUNT=10000`: a search for faults by chance. Without WHAT it says what each search looks for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

from .comparing import SEARCHES as COMPARING


class Search(NamedTuple):
    """A search for faults. A command that does not take a seed finds the same cases each time, or new ones."""

    looks_for: str
    commands: Sequence[str]
    """What is run, in which `{count}` and `{seed}` stand for the numbers."""
    count: int | str = 1
    """How many cases are tried unless COUNT says so; of `properties`, how many rounds. `-` if the command knows."""
    seed: int | str = 1914


SEARCHES = {
    "failures": Search(
        "commands that leave something broken when a call fails by which they read, write or allocate (an hour)",
        ["tests.hostile.failures"],
    ),
    "phones": Search(
        "phones that do not show the one journal of their table", ["tests.assistant.faces.page.phones {count}"], 10_000
    ),
    "properties": Search(
        "new cases of every test that makes up its own",
        ["pytest -q -n 2 -m hypothesis --hypothesis-profile=explore"],
        10,
    ),
}
SEARCHES |= {
    name: Search(listed.looks_for, [f"tests.comparing {name} {{count}} {{seed}}"], "-", "-")
    for name, listed in COMPARING.items()
}


def list_searches() -> str:
    """Return what there is to look for, a line each."""
    width = max(map(len, SEARCHES))
    lines = (f"{name:{width}}  {search.looks_for}" for name, search in sorted(SEARCHES.items()))
    return "\n".join(["make explore WHAT=... [COUNT=...] [SEED=...] [MORE=...]", "", *lines])


def commands_of(search: Search, count: str, seed: str, more: Sequence[str]) -> list[list[str]]:
    """Return the commands of a search without Python. count, seed: "" for those of the search; more: words for the end of each."""
    numbers = {"count": count or search.count, "seed": seed or search.seed}
    found = [[*command.format(**numbers).split(), *more] for command in search.commands]
    return found * int(numbers["count"]) if search is SEARCHES["properties"] else found


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

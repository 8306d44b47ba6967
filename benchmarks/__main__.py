"""Measure everything and write docs/maintaining/performance.md: `python -m benchmarks`, or `make bench`.

`python -m benchmarks cold served` prints the rows of these subjects alone, and leaves the page as it is.
"""

from __future__ import annotations

import gc
import os
import platform
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from tempfile import TemporaryDirectory

from benchmarks import (
    asked_again,
    chances,
    cold,
    counters,
    importing,
    journal,
    page,
    reaches,
    served,
    sides,
    tracing,
    vassal,
)
from benchmarks.measuring import MOST_GROWTH, ROOT, TIMES, Bench, Row, Sizes

SUBJECTS = (cold, chances, asked_again, sides, reaches, tracing, counters, importing, journal, served, vassal, page)
TARGET = ROOT / "docs/maintaining/performance.md"
HEAD = f"""# How fast it is

`make bench` wrote this page in one run. A ratio is our cost divided by that of the peer or bound, or theirs by ours where the goal is *at least*
and in the second table. Ratios vary little from machine to machine, but no test checks these. Of commands they are ratios of instructions, of
all else ratios of CPU times, the least of {{runs}} runs that took turns. Whole processes run from a wheel. Times, ours and theirs, are in small print.

*Growth* is the exponent with which our time grows with the input: the logarithm to base {TIMES} of the time for all of it by the time for a
quarter. 1 is in proportion; at most {MOST_GROWTH} is wanted.

This run: {{cores}} cores, Python {{python}}; {{versions}}.
"""
CHANGED_GOALS = """
## Goals that were changed

| job | before | now | reason |
| --- | --- | --- | --- |
| `battle` with dice, warm | at most 1.1 of one fight | none | Two other fights are fought out to learn what was assumed in vain; the answer takes 36 ms on the page, which nobody feels |
| supply of a front, one unit moved | at most 0.02 | at most 0.05 | 0.02 was never reached; 0.03, which is reached, nobody feels |
| reach of a front, one unit moved | at most 0.015 | at most 0.03 | 0.015 was never reached; nobody feels 0.03 |
| SVG of a side's supply | at most 1.5 of its supply, cold | at most 2 | The supply has become faster, and the drawing has not become slower |
"""
GUARD = """
## What is counted in continuous integration

`make guard` counts the instructions of start-up and ten jobs by those of an empty Python, which are the same on a slow machine and a busy one.
It fails if one costs 3 % more than `benchmarks/instructions.toml` records, or 12 % with other versions of Python or of packages. `make guard WRITE=yes` records the new figures.
"""


def write_page(rows: Sequence[Row], bench: Bench) -> str:
    """The whole page as Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in sorted(bench.versions.items()))
    python = platform.python_version()
    parts = [HEAD.format(runs=bench.sizes.runs, cores=os.cpu_count(), python=python, versions=versions)]
    if bench.left_out:
        parts.append("Left out: " + "; ".join(bench.left_out.values()) + ".\n")
    parts += ["## Goals\n", *_lines([row for row in rows if row.goal is not None])]
    parts += ["\n## Beside other programs\n", *_lines([row for row in rows if row.goal is None])]
    return "\n".join([*parts, CHANGED_GOALS, GUARD])


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    yield "| job | against | ratio | goal | | growth | times |"
    yield "|" + " --- |" * 7
    yield from (f"| {' | '.join(_cells(row))} |" for row in rows)


def _cells(row: Row) -> Iterator[str]:
    yield row.job
    yield row.against
    yield "" if row.ratio is None else f"{row.ratio:.3g}"
    yield "" if row.goal is None else f"at {'least' if row.more else 'most'} {row.goal:g}"
    yield {None: "" if row.goal is None else "not measured", True: "met", False: "**not met**"}[row.met]
    if row.growth is None:
        yield ""
    else:
        yield f"{row.growth:.2f}" if row.growth <= MOST_GROWTH else f"**{row.growth:.2f}**"
    both = [1000 * used if row.unit == "ms" else used for used in (row.ours, row.theirs) if used is not None]
    yield f"<small>{' : '.join(f'{used:,.0f}' if used >= 100 else f'{used:.3g}' for used in both)} {row.unit}</small>"


def main() -> None:
    """Measure, say so as it goes on, and write the page; or print the rows of the subjects that are named."""
    bench, rows, named = Bench(Sizes()), list[Row](), sys.argv[1:]
    with TemporaryDirectory() as folder:
        os.environ |= {f"FIELD_STAFF_{name}": f"{folder}/{name.lower()}" for name in ("DATA", "CACHE")}
        for subject in [globals()[name] for name in named] or SUBJECTS:
            begun = time.monotonic()
            for row in subject.rows(bench):
                rows.append(row)
                print([*_lines([row])][-1], flush=True)
                gc.collect()
            most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
            spent = f"{time.monotonic() - begun:.0f} s; so far at most {most / 1024:.0f} MiB"
            print(f"{subject.__name__}: {spent}", file=sys.stderr, flush=True)
    if not named:
        TARGET.write_text(write_page(rows, bench), "utf-8")


if __name__ == "__main__":
    main()

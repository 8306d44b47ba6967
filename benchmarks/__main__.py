"""Measure everything and write docs/maintaining/performance.md: `python -m benchmarks`, or `make bench`.

`python -m benchmarks many` measures that subject alone and puts it into the page.
"""

from __future__ import annotations

import gc
import os
import platform
import sys
from collections.abc import Iterator, Sequence

from benchmarks import boards, chances, cli, games, journal, many, marches, pictures, sheets, sides, tracing, vassal
from benchmarks.measuring import ROOT, Bench, Row, Sizes, Table

SUBJECTS = (cli, games, chances, vassal, boards, tracing, sides, marches, journal, pictures, sheets, many)
TARGET = ROOT / "docs/maintaining/performance.md"
HEAD = """# How fast it is

`make bench` wrote this page. It measured each section in one run, with peers in separate environments. All figures are CPU time, user
and system: the median of {cold} runs for whole processes, of {warm} or more within one process. *Ratio* is the peer's time divided by
ours. Times vary from machine to machine, ratios less; no test checks either. This run: {cores} cores, Python {python}{versions}.
"""


def page(tables: Sequence[Table], bench: Bench) -> str:
    """The whole page as Markdown."""
    known = ", ".join(f"{name} {version}" for name, version in sorted(bench.versions.items()))
    head = HEAD.format(
        cold=bench.sizes.cold_runs,
        warm=bench.sizes.runs,
        cores=os.cpu_count(),
        python=platform.python_version(),
        versions=f"; {known}" if known else "",
    )
    parts = [head]
    if bench.left_out:
        parts.append("Left out: " + "; ".join(bench.left_out.values()) + ".\n")
    return "\n".join([*parts, *map(_section, tables)])


def _section(table: Table) -> str:
    lines = [
        f"## {table.title}",
        "",
        table.about,
        "",
        "| what | ours | peer | theirs | ratio | goal |",
        "|" + " --- |" * 6,
    ]
    return "\n".join([*lines, *(f"| {' | '.join(_cells(row))} |" for row in table.rows), ""])


def _cells(row: Row) -> Iterator[str]:
    yield row.what
    yield _figure(row.ours, row)
    yield row.peer
    yield ("not here" if row.peer else "") if row.theirs is None else _figure(row.theirs, row)
    yield f"{row.ratio:.1f}" if row.ratio is not None else ""
    if row.goal is None:
        yield ""
        return
    goal = f"below {_goal(row.goal.below, row)}" if row.goal.below is not None else f"at least {row.goal.times:g}"
    yield f"{goal}: {'not measured' if row.met is None else 'met' if row.met else '**not met**'}"


def _figure(figure: float, row: Row) -> str:
    return f"{figure:.0f} MiB" if row.unit == "MiB" else _time(figure)


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.995 else f"{seconds * 1000:.3g} ms"


def _goal(figure: float, row: Row) -> str:
    if row.unit == "MiB":
        return f"{figure:.0f} MiB"
    return f"{figure:g} s" if figure >= 0.1 else f"{figure * 1000:g} ms"


def main() -> None:
    """Measure, say so as it goes on, and write the page, or the sections of the subjects that are named."""
    bench = Bench(Sizes())
    tables = []
    named = sys.argv[1:]
    for subject in SUBJECTS if not named else [globals()[name] for name in named]:
        gc.freeze()  # what the subjects before it left is not searched for garbage in its time
        tables.append(subject.table(bench))
        print(_section(tables[-1]), flush=True)
    for reason in bench.left_out.values():
        print(f"left out: {reason}", file=sys.stderr)
    text = TARGET.read_text("utf-8")
    TARGET.write_text(with_sections(text, tables) if named else page(tables, bench), "utf-8")


def with_sections(text: str, tables: Sequence[Table]) -> str:
    """The text of the page with other figures in some sections; new ones come last."""
    for table in tables:
        before, head, rest = text.partition(f"## {table.title}\n")
        after = rest.partition("\n## ")
        text = f"{before}{_section(table)}{after[1]}{after[2]}" if head else f"{text}\n{_section(table)}"
    return text


if __name__ == "__main__":
    main()

"""Compare the answers of a chapter with those of another checkout, or keep them.

python -m tests.comparisons CHAPTER --count 2000 > answers.jsonl     in each checkout
python -m tests.comparisons --compare answers.jsonl others.jsonl
python -m tests.comparisons CHAPTER --write
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from ..comparing.search import write_report
from ..comparing.ways import Answer, differences
from . import KEPT, SEED, answer, cases, kept, read_chapters, sum_up


class Answered(NamedTuple):
    """A case with what a checkout answered to it."""

    case: str
    answer: Answer


def read(file: Path) -> Iterator[Answered]:
    """Yield the cases of a file with their answers."""
    for line in file.read_text("utf-8").splitlines():
        yield msgspec.json.decode(line, type=Answered)


def compare(before: Path, after: Path) -> str:
    """Return the number of answers that are the same, and for each way in which others differ the number, with an example."""
    seen, differing = Counter[str](), list[str]()
    for old, new in zip(read(before), read(after), strict=True):
        if old.case != new.case:
            return f"not the same case:\n{old.case}\n{new.case}"
        found = list(differences("before", old.answer, "after", new.answer))
        seen["different" if found else "the same"] += 1
        differing += [f"case: {found[0]}\n{old.case}"] if found else []
    return write_report(seen, differing, Counter())


@click.command()
@click.argument("chapter", default="", type=click.Choice(["", *read_chapters()]))
@click.option("--count", default=KEPT, show_default=True, help="How many cases.")
@click.option("--seed", default=SEED, show_default=True)
@click.option("--write", is_flag=True, help="Keep the answers of the chapter, or of all.")
@click.option("--compare", "files", nargs=2, type=Path, help="Compare two files of answers.")
def main(chapter: str, count: int, seed: int, write: bool, files: tuple[Path, Path] | None) -> None:
    """Print the answers to a chapter's cases as JSON, one a line; keep them; or compare two files of them."""
    if files:
        click.echo(compare(*files))
        return
    for name in [chapter] if chapter else read_chapters():
        if write:
            kept(name).parent.mkdir(exist_ok=True)
            kept(name).write_text("".join(f"{sum_up(answer(case))}\n" for case in cases(name, KEPT)), "utf-8")
            continue
        for case in cases(name, count, seed):
            click.echo(msgspec.json.encode(Answered(case, answer(case))))


if __name__ == "__main__":
    main()

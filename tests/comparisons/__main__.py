"""Compare the answers of a chapter with those of another checkout, or keep them.

python -m tests.comparisons CHAPTER --count 2000 > answers.jsonl     in each checkout
python -m tests.comparisons --compare answers.jsonl others.jsonl
python -m tests.comparisons CHAPTER --write
python -m tests.comparisons --owed --count 2000 --seed 7     what follows from marches and retreats, and is not said or owed
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from . import KEPT, SEED, Answer, Case, answer, cases, chapters, kept
from ._consequences import draw as draw_march
from ._consequences import find_unsaid


class Answered(NamedTuple):
    """A case with what a checkout answered to it."""

    case: Case
    answer: Answer


def read(file: Path) -> Iterator[Answered]:
    """Yield the cases of a file with their answers."""
    for line in file.read_text("utf-8").splitlines():
        yield msgspec.json.decode(line, type=Answered)


def compare(before: Path, after: Path) -> Iterator[str]:
    """Yield how many answers are the same, and for each way in which others differ how often, with an example."""
    differing = defaultdict[tuple[str, str, str], list[tuple[Answered, Answered]]](list)
    pairs = list(zip(read(before), read(after), strict=True))
    for old, new in pairs:
        if old.case != new.case:
            yield f"not the same case: {old.case} | {new.case}"
            return
        fields = [name for name in Answer.__struct_fields__ if getattr(old.answer, name) != getattr(new.answer, name)]
        if fields:
            differing[old.answer.kind or "error", new.answer.kind or "error", " ".join(fields)].append((old, new))
    yield f"{len(pairs) - sum(map(len, differing.values()))} of {len(pairs)} the same"
    for (was, now, differs), examples in sorted(differing.items(), key=lambda item: -len(item[1])):
        old, new = examples[0]
        yield f"{len(examples)}: {was} -> {now}; {differs}"
        yield f"    {old.case.question} {old.case.given}\n    {old.case.position!r}"
        for name in differs.split():
            yield f"    {name}: {str(getattr(old.answer, name))[:400]} | {str(getattr(new.answer, name))[:400]}"


@click.command()
@click.argument("chapter", default="", type=click.Choice(["", *chapters()]))
@click.option("--count", default=KEPT, show_default=True, help="How many cases.")
@click.option("--seed", default=SEED, show_default=True)
@click.option("--write", is_flag=True, help="Keep the answers of the chapter, or of all.")
@click.option("--owed", is_flag=True, help="Print what answers leave out of what follows from them.")
@click.option("--compare", "files", nargs=2, type=Path, help="Compare two files of answers.")
def main(chapter: str, count: int, seed: int, write: bool, owed: bool, files: tuple[Path, Path] | None) -> None:
    """Print the answers to a chapter's cases as JSON, one a line; keep them; or compare two files of them."""
    if files:
        for line in compare(*files):
            click.echo(line)
        return
    if owed:
        tried = find_unsaid(cases(draw_march, count, seed))
        click.echo("\n".join([*tried.wrong, f"{count} cases, {tried}"]))
        sys.exit(bool(tried.wrong))
    for name, draw in chapters().items():
        if chapter not in ("", name):
            continue
        if write:
            kept(name).parent.mkdir(exist_ok=True)
            kept(name).write_text("".join(f"{answer(case)}\n" for case in cases(draw, KEPT)), "utf-8")
            continue
        for case in cases(draw, count, seed):
            click.echo(msgspec.json.encode(Answered(case, answer(case))))


if __name__ == "__main__":
    main()

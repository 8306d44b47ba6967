"""The command `referee`: checks this program against exact answers that another program has found."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from ...records.referee.cases import CaseDifference, CaseResult, RefereeResult, judge_file
from ...util.console import echo, encode_json, format_count, with_bar
from ...util.errors import InputError, Where, refuse_unread
from .group import UNUSABLE_EXIT_CODE
from .options import with_game

_MAX_VALUES_SHOWN = 6
"""The maximum number of values that are printed in full."""


@click.command("referee")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False))
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes.")
@click.option("--json", "as_json", is_flag=True, help="Everything that differs as JSON.")
@with_game
@click.pass_context
def referee(ctx: click.Context, files: tuple[Path, ...], jobs: int, as_json: bool, beside: str | None) -> None:
    """Put the cases of a referee's FILES, or of folders of them, to their games, and print what differs.

    Each case is a position, questions and the exact answers, which another program has found. No pack of yours is used.
    The exit code is 0 if all agree, 1 if an answer differs, 3 if a file or a case cannot be read.
    """
    cases = 0
    agree = 0
    differences = list[CaseDifference]()
    unusable = list[str]()
    for file in list(_find_suites(files)):  # a folder without files is refused before the first is judged
        try:
            with closing(judge_file(file, folder=beside or "", jobs=jobs)) as judged:
                differences += _print_differences(next(judged), unusable, quiet=as_json)
                for result in with_bar(judged, "cases", _count_cases(file)):
                    cases += 1
                    agree += result == CaseResult()
                    differences += _print_differences(result, unusable, quiet=as_json)
        except InputError as error:  # a fault in the head of one file must not stop the others
            _print_differences(CaseResult(unusable=error), unusable, quiet=as_json)
    if as_json:
        echo(encode_json(RefereeResult(cases, agree, tuple(differences), tuple(unusable))).decode())
    else:
        more = f", {len(unusable)} cannot be read" if unusable else ""
        echo(f"{format_count(cases, 'case')}, {agree} {'agrees' if agree == 1 else 'agree'}{more}")
    ctx.exit(UNUSABLE_EXIT_CODE if unusable else int(bool(differences)))


def _find_suites(files: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the named files, and the files in the named folders."""
    for file in files:
        if not file.is_dir():
            yield file
            continue
        below = os.walk(file, onerror=refuse_unread)
        inside = sorted(Path(folder, name) for folder, _, names in below for name in names if name.endswith(".txt"))
        if not inside:
            raise InputError("there is no referee's file (.txt) in this folder", where=Where(str(file)))
        yield from inside


def _count_cases(file: Path) -> int:
    with open(file, "rb") as opened:
        return sum(line.startswith(b"case ") for line in opened)


def _print_differences(result: CaseResult, unusable: list[str], *, quiet: bool) -> tuple[CaseDifference, ...]:
    if result.unusable:
        unusable.append(str(result.unusable))
    if not quiet:
        for difference in result.differences:
            echo(format_difference(difference))
        if result.unusable:
            echo(str(result.unusable), err=True)
    return result.differences


def format_difference(difference: CaseDifference) -> str:
    """Return a difference in words; of many values, only the missing and the excess ones."""
    head = f"{difference.file}:{difference.line}: "
    if not difference.case:
        return f"{head}{difference.name} differs from the one with which the answers were found"
    head += f"case {difference.case}: {difference.question}: {difference.name}"
    expected = difference.expected
    got = difference.got
    if difference.why:
        return f"{head}: expected {_listed(expected[:_MAX_VALUES_SHOWN])}{' ...' if len(expected) > _MAX_VALUES_SHOWN else ''}; {difference.why}"
    if max(len(expected), len(got)) <= _MAX_VALUES_SHOWN:
        return f"{head}: expected {_listed(expected)}; got {_listed(got)}"
    parts = []
    if lacking := _find_lacking(expected, got):
        parts.append(f"lacks {_listed(lacking)}")
    if more := _find_lacking(got, expected):
        parts.append(f"has too many: {_listed(more)}")
    return f"{head}: {'; '.join(parts)}"


def _find_lacking(wanted: tuple[str, ...], present: tuple[str, ...]) -> tuple[str, ...]:
    return tuple((Counter(wanted) - Counter(present)).elements())


def _listed(values: tuple[str, ...]) -> str:
    return ", ".join(values) or "nothing"

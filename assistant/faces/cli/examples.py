"""The command `examples`: a game's worked examples, with what the program answers now."""

from __future__ import annotations

from pathlib import Path

import click

from ...game.examples import OURS, find_examples, read_examples
from ...installed.registry import published_game
from ...records.example_page import draw_examples
from ...records.examples import ExampleResult, FigureResult, judge_example
from ...util.console import echo, encode_json, format_count
from ...util.errors import InputError
from ...util.writing import write_all
from .group import UNUSABLE_EXIT_CODE, GameCommand

_RESULTS = {"agrees": "ok", "differs": "DIFFERS", "unusable": "UNUSABLE"}


@click.command("examples", cls=GameCommand)
@click.argument("game")
@click.argument("number", default="")
@click.option("--json", "as_json", is_flag=True, help="Positions, questions, expected and computed figures as JSON.")
@click.option("--page", type=click.Path(path_type=Path), help="A folder for a page of them all with their pictures.")
@click.option("--force", is_flag=True, help="Replace the files of an earlier page.")
@click.pass_context
def examples(ctx: click.Context, game: str, number: str, *, as_json: bool, page: Path | None, force: bool) -> None:
    """The worked examples of a GAME, or those of a rule (11.4), or one by its NUMBER (11.4/1), each with the result now.

    One example is shown whole: position, questions, figures with the place that prints them, and the reasoning. No pack
    of yours is used. The exit code is 0 if all figures agree, 1 if one differs, 3 if an example cannot be read.
    """
    if page and (number or as_json):
        what = "--json" if as_json else f"the number {number}"
        raise InputError(
            f"--page writes all examples of a game, and is not used with {what}", hint="leave one of them out"
        )
    published = published_game(game)
    found = find_examples(published, number)
    if page:
        files = draw_examples(published)
        write_all(page, files, force=force)
        echo(f"{page}: {format_count(len(files), 'file')}")
        return
    prefix = read_examples(published).prefix
    results = tuple(judge_example(published, prefix, example) for example in found)
    if as_json:
        echo(encode_json(results).decode())
    elif len(results) == 1:
        for line in _format_whole(results[0]):
            echo(line)
    else:
        width = max(len(result.number) for result in results)
        for result in results:
            echo(f"{result.number:{width}}  {_RESULTS[result.result]:8}  {result.title}")
            for line in _format_differences(result):
                echo(f"{'':{width}}  {line}")
        agree = sum(result.result == "agrees" for result in results)
        echo(f"{format_count(len(results), 'example')}, {agree} as expected")
    kinds = {result.result for result in results}
    ctx.exit(UNUSABLE_EXIT_CODE if "unusable" in kinds else int("differs" in kinds))


def _format_whole(result: ExampleResult) -> list[str]:
    lines = [f"{result.number}: {result.title}", ""]
    lines += [f"    {line}" for line in result.position.splitlines()]
    for step in result.steps:
        lines += [""]
        lines += [f"    {line}" for line in step.lines.splitlines()]
        answers = f" ({step.answers})" if step.answers else ""
        lines += [f"{step.ask}{answers}"]
        lines += [f"  {_format_figure(figure)}" for figure in step.figures]
        lines += [f"  - {reason}" for reason in step.reasons]
    return [*lines, *([f"unusable: {result.error}"] if result.error else [])]


def _format_differences(result: ExampleResult) -> list[str]:
    figures = [figure for step in result.steps for figure in step.figures if not figure.agrees]
    return [*map(_format_figure, figures), *([result.error] if result.error else [])]


def _format_figure(figure: FigureResult) -> str:
    expected = ", ".join(figure.expected) or "nothing"
    source = figure.printed if figure.printed == OURS else f"printed: {figure.printed}"
    if figure.agrees:
        return f"{figure.path}: {expected} [{source}]"
    got = figure.why or ", ".join(figure.got) or "nothing"
    return f"{figure.path}: expected {expected} [{source}]; got {got}"

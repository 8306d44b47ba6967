"""Shared parts of the commands: options, checks of file names, and the writing of pages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assistant.util.console import echo, show_working
from assistant.util.errors import InputError, Where
from assistant.util.files import read_bytes
from assistant.util.writing import write_all, write_whole

if TYPE_CHECKING:
    from assistant.drawing.press import PressProfile

PICTURES = (".svg", ".pdf", ".png")

T = TypeVar("T")


class Millimetres(click.FloatRange):
    """An option's type: a length within bounds."""

    name = "millimetres"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        length = super().convert(value, param, ctx)
        return length if isfinite(length) else self.fail(f"{value} is not a length", param, ctx)


force = click.option("--force", is_flag=True, help="Overwrite existing files.")
open_backs = click.option(
    "--open-backs", is_flag=True, help="Values on backs that would show only the nation's sign, to hide the unit."
)
_PROFILE_HINT = (
    "add --profile FILE.icc, the profile that your printer names; the handbook shows how to make a free one: "
    '"In the inks of a press"'
)


def cmyk(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--cmyk` and `--profile` to a command."""
    profile = click.option(
        "--profile",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE.icc",
        help="With --cmyk: the ICC profile of the press.",
    )
    inks = click.option("--cmyk", is_flag=True, help="A PDF/X-4 in the inks of a press; letters in black ink only.")
    return inks(profile(command))


def gather_options(plan: type[T]) -> Callable[[Callable[[str, T], None]], Callable[..., None]]:
    """Return a decorator for a command that takes its options as one value of the type `plan`."""

    def decorate(command: Callable[[str, T], None]) -> Callable[..., None]:
        @wraps(command)
        def run(game: str, **options: Any) -> None:
            command(game, plan(**options))

        return run

    return decorate


def check_ending(file: Path | None, endings: Collection[str], what: str, option: str = "--out") -> None:
    """Raise InputError if the suffix of a file is not one of `endings`.

    `what`: the name of such a file in the message.
    """
    if file is not None and file.suffix.lower() not in endings:
        hint = f"name it NAME{', NAME'.join(endings)}"
        raise InputError(f"{file} is not the name of {what}", where=Where(option), hint=hint)


def check_outputs(outputs: Mapping[str, Path | None]) -> None:
    """Raise InputError for several outputs, or an output with another suffix.

    `outputs`: the file or folder by option.
    """
    named = [option for option, path in outputs.items() if path is not None]
    if len(named) > 1:
        raise InputError(f"only one of these at a time: {' or '.join(named)}", hint="run the command twice")
    check_ending(outputs["--out"], (".pdf",), "a PDF")
    check_ending(outputs["--preview"], (".png",), "a PNG", "--preview")
    for option in named:
        folder = outputs[option]
        if option in ("--svg", "--export") and folder is not None and folder.suffix.lower() in PICTURES:
            raise InputError(f"{folder} is the name of a file", where=Where(option), hint="name a folder")


def choose_press(target: Path, *, cmyk: bool, profile: Path | None) -> PressProfile | None:
    """Return the profile of the press that is stated, or None without `--cmyk`.

    Raises InputError if one option lacks the other, the file is not a PDF, or the profile cannot be read.
    """
    from assistant.drawing.press import PressProfile

    if not cmyk:
        if profile is not None:
            raise InputError("it is the profile of a press", where=Where("--profile"), hint="add --cmyk")
        return None
    if target.suffix.lower() != ".pdf":
        raise InputError("only a PDF has the inks of a press", where=Where("--cmyk"), hint="name a file NAME.pdf")
    if profile is None:
        raise InputError("the ICC profile of the press is missing", where=Where("--cmyk"), hint=_PROFILE_HINT)
    data = read_bytes(profile)
    try:
        return PressProfile(data)
    except ValueError as error:
        hint = "name the ICC profile of a press with the inks CMYK"
        raise InputError(str(error), where=Where(str(profile)), hint=hint) from None


def echo_differences(press: PressProfile | None) -> None:
    """Print the colour differences between screen and print; nothing without a press."""
    from assistant.drawing.press import list_differences

    for line in list_differences(press.colours) if press else ():
        echo(line)


def write_pages(
    target: Path,
    what: str,
    *,
    whole: Callable[[], bytes],
    first: Callable[[], bytes],
    pages: Callable[[], Mapping[str, bytes]],
    force: bool,
) -> None:
    """Write pages, and print a line about it: all into a PDF, the first into a PNG, or each as an SVG into a folder.

    `what`: the name of the pages in that line.
    """
    with show_working(f"writing {target}"):
        match target.suffix.lower():
            case ".pdf":
                write_whole(target, whole(), force=force)
            case ".png":
                write_whole(target, first(), force=force)
                what = f"the first page of {what}"
            case _:
                write_all(target, pages(), force=force)
    echo(f"{target}: {what}")


def echo_last(lines: Sequence[str]) -> None:
    """Print a result, and before it, on standard error, its defects."""
    for line in lines[:-1]:
        echo(line, err=True)
    echo(lines[-1])

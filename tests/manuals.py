"""The man pages of all commands, in `man/`, from what `--help` says: `python -m tests.manuals` writes them anew, `tests.pages --write` too.

They name no date and no version, so that a release changes none of them, and two builds of a wheel, which holds them where `man` looks, are equal.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import click
import click_man.core

from assistant.faces.cli.main import cli as assistant
from assistant.faces.cli.main import page_cli
from module_builder.cli import cli as module_builder

MANUALS = Path(__file__).parent.parent / "man"
_UNFILLED = re.compile(r"\x08\n(.*?)\n(?=\.|\Z)", re.DOTALL)
"""What click is told to print line by line, up to the next paragraph."""
_LONGEST = 100
"""A title is cut off after so many letters; click-man would cut after 45."""


def manuals() -> dict[str, str]:
    """Each page by the name of its file."""
    short = click_man.core.get_short_help_str
    pages = {}
    click_man.core.get_short_help_str = lambda command: command.get_short_help_str(_LONGEST)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, program in (("assistant", assistant), ("module-builder", module_builder)):
                context = click.Context(program, info_name=name)
                for command in program.list_commands(context):
                    program.get_command(context, command)  # imported, for click-man takes them as they are
                click_man.core.write_man_pages(name, program, version="Field Staff", target_dir=folder, date=" ")
            page = click_man.core.generate_man_page(
                click.Context(page_cli, info_name="field-staff"), "Field Staff", " "
            )
            pages["field-staff.1"] = page.replace(r"See \fBfield-staff-", r"See \fBassistant-")
            pages |= {file.name: file.read_text("utf-8") for file in Path(folder).iterdir()}
    finally:
        click_man.core.get_short_help_str = short
    return {name: _mended(text) for name, text in sorted(pages.items())}


def _mended(text: str) -> str:
    """A page as click-man writes it, its lists unfilled, with the names of the pages that it refers to."""
    text = _UNFILLED.sub(r".nf\n\1\n.fi\n", text)
    return re.sub(r"(?<=See \\fB)[^(]+", lambda match: match[0].replace(" ", "-"), text)


def outdated_pages() -> list[str]:
    """The files that are not as they should be, missing ones and those too many among them."""
    kept = {file.name: file.read_text("utf-8") for file in MANUALS.glob("*.1")}
    pages = manuals()
    return sorted(name for name in kept.keys() | pages.keys() if kept.get(name) != pages.get(name))


def write() -> None:
    """Write all pages anew, and remove those of commands that are gone."""
    MANUALS.mkdir(exist_ok=True)
    pages = manuals()
    for file in MANUALS.glob("*.1"):
        if file.name not in pages:
            file.unlink()
    for name, text in pages.items():
        (MANUALS / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write()

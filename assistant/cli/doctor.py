"""The command that says whether an installation is whole: what works, what may still be added, and what is wrong."""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click

from ..util.console import count_text, echo, json_text
from ..util.errors import InputError, plain
from ..util.extras import how_to_add

OK, OPTIONAL, WRONG = "ok", "optional", "wrong"
FAULTY = 1


class Finding(NamedTuple):
    """What was found out about one thing. state: ok, optional (it may be added) or wrong; said: what is the case; hint: what to do."""

    about: str
    state: str
    said: str
    hint: str = ""


def _wrong(about: str, error: Exception) -> Finding:
    """A thing that cannot be read."""
    if not isinstance(error, InputError):
        return Finding(about, WRONG, plain(f"{type(error).__name__}: {error}"), "install the program again")
    what, _, hint = str(error).partition("\n")
    return Finding(about, WRONG, what, hint.strip())


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Look at the installation: games, what you have entered, where it is kept, and what may be added.

    Each line is ok, optional or wrong, and says what to do. Exit code 1 if something is wrong.
    """
    findings = list(examine())
    if as_json:
        echo(json_text([finding._asdict() for finding in findings]).decode())
    else:
        for finding in findings:
            echo(plain(f"{finding.state:<9} {finding.about}: {finding.said}"))
            if finding.hint:
                echo(plain(f"          {finding.hint}"))
    wrong = sum(finding.state == WRONG for finding in findings)
    if not as_json:
        echo(f"{count_text(wrong, 'thing is', 'things are')} wrong" if wrong else "Nothing is wrong.")
    if wrong:
        ctx.exit(FAULTY)


def examine() -> Iterator[Finding]:
    """Everything that is looked at, one after the other."""
    yield Finding("program", OK, f"Field Staff {_version()}, Python {platform.python_version()}, {platform.system()}")
    yield from _plugins()
    yield from _games()
    yield from _folders()
    yield from _settings()
    yield _fonts()
    yield from _extras()
    yield from _vassal()
    yield from _completion()


def _version() -> str:
    from importlib.metadata import version

    return version("field-staff")


def versions() -> Iterator[str]:
    """The program and each installed game, with the distribution that brings it; no game is loaded."""
    from ..plugins.registry import installed_games

    yield f"Field Staff {_version()}, Python {platform.python_version()}"
    yield from (entry.plugin for entry in installed_games().values())


# --- plugins, games, packs --------------------------------------------------------------------------------------------


def _plugins() -> Iterator[Finding]:
    """Each plugin that adds questions, formats or commands."""
    from ..plugins.entry_points import entry_points

    for entry in entry_points("field_staff.plugins"):
        try:
            entry.load()
            yield Finding(f"plugin {entry.name}", OK, entry.made_by.strip())
        except Exception as error:  # a package may raise anything
            said = plain(f"{type(error).__name__}: {error}")
            yield Finding(f"plugin {entry.plugin}", WRONG, said, "install its package again, or remove it")


def _games() -> Iterator[Finding]:
    """Each game with all its questions, its owner's pack, and the table that is kept."""
    from ..game.packs import pack_folder
    from ..plugins.registry import installed_games, load_game, pack_of, questions_of
    from ..prompt.keeping import TableFile, table_file
    from .packs import contents

    games = installed_games()
    if not games:
        yield Finding("games", WRONG, "none is installed", "install one, or name a folder with one: --game FOLDER")
    for name, entry in games.items():
        folder = pack_folder(name)
        try:
            game = load_game(name)
            held = list(contents(pack_of(game)))
            count = len(list(questions_of(game).values()))
        except Exception as error:  # a package may raise anything
            in_pack = isinstance(error, InputError) and error.where and error.where.file.startswith(str(folder))
            yield _wrong(f"pack of {name}" if in_pack else f"game {entry.plugin}", error)
            continue
        yield Finding(f"game {name}", OK, f"{game.title}, {count_text(count, 'question')}")
        if held:
            yield Finding(f"pack of {name}", OK, f"{', '.join(held)} ({folder})")
        else:
            hint = f"to enter your own charts and counters: assistant pack enter {name} CHART"
            yield Finding(f"pack of {name}", OPTIONAL, "nothing entered", hint)
        yield from _read(f"table of {name}", table_file(name), lambda file: TableFile(file).read(load_game))


def _read(about: str, file: Path, read: Callable[[Path], object]) -> Iterator[Finding]:
    """Whether a file of the user's that is there can be read."""
    if file.exists():
        try:
            read(file)
            yield Finding(about, OK, str(file))
        except InputError as error:
            yield _wrong(about, error)


# --- the user's folders -----------------------------------------------------------------------------------------------


def _folders() -> Iterator[Finding]:
    """Where packs, tables and settings are kept, and what can be made anew."""
    from ..util.files import cache_folder, data_folder

    yield _folder("data folder", data_folder(), "FIELD_STAFF_DATA")
    yield _folder("cache folder", cache_folder(), "FIELD_STAFF_CACHE")


def _folder(about: str, folder: Path, variable: str) -> Finding:
    """Whether a folder can be written to, with everything in it."""
    hint = f"change its owner or permissions, or name another folder: {variable}=FOLDER"
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        return Finding(about, WRONG, f"{folder}: {there} cannot be written to", hint)
    if there != folder:
        return Finding(about, OK, f"{folder}, made once something is kept")
    for path in folder.rglob("*"):
        if not os.access(path, os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)):
            return Finding(about, WRONG, f"{path} cannot be read and written", hint)
    return Finding(about, OK, str(folder))


def _settings() -> Iterator[Finding]:
    """The viewpoints that are remembered, and the modules that are adopted."""
    from ..formats.vassal.adopted.mapping import mapping_files, read_mapping
    from ..game.viewpoint import viewpoints

    try:
        kept = [f"{side} in {game}" for game, side in viewpoints().items()]
        yield Finding("viewpoint", OK, ", ".join(kept) or "none is remembered")
    except InputError as error:
        yield _wrong("viewpoint", error)
    for file in mapping_files():
        yield from _read("adopted module", file, read_mapping)


# --- what the program uses --------------------------------------------------------------------------------------------


def _fonts() -> Finding:
    """The face of all pictures."""
    from ..drawing.lettering import face_file, text_width

    try:
        sizes = [len(face_file(bold=bold)) for bold in (False, True)]
        text_width("Field Staff", 1)
    except Exception as error:
        return _wrong("fonts", error)
    return Finding("fonts", OK, f"Noto Sans, condensed, {len(sizes)} faces")


_EXTRAS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "serve": (("starlette", "uvicorn", "segno"), "`assistant serve`, a table for phones, and QR codes"),
    "mcp": (("mcp",), "`assistant mcp`, by which a language model asks"),
}
"""Each extra with the modules that it brings, and what they are for."""


def _extras() -> Iterator[Finding]:
    for name, (modules, purpose) in _EXTRAS.items():
        if missing := [module for module in modules if find_spec(module) is None]:
            said = f"{', '.join(missing)} not installed, for {purpose}"
            yield Finding(f"extra {name}", OPTIONAL, said, how_to_add(name))
        else:
            yield Finding(f"extra {name}", OK, purpose)


_ENGINES = (
    ("/opt", "VASSAL*/lib/Vengine.jar"),
    ("/Applications", "VASSAL*.app/Contents/Resources/Java/Vengine.jar"),
    (r"C:\Program Files", "VASSAL*/lib/Vengine.jar"),
    ("~", "VASSAL*/lib/Vengine.jar"),
    ("~/Applications", "VASSAL*.app/Contents/Resources/Java/Vengine.jar"),
)
"""Where VASSAL is usually installed."""


def _vassal() -> Iterator[Finding]:
    """VASSAL, which plays the modules, and Java, which it needs."""
    named = os.environ.get("FIELD_STAFF_ENGINE")
    found = [file for home, pattern in _ENGINES for file in Path(home).expanduser().glob(pattern)]
    engine = Path(named) if named else max(found, default=None)
    if engine and engine.is_file():
        yield Finding("VASSAL", OK, str(engine))
    elif named:
        yield Finding("VASSAL", WRONG, f"FIELD_STAFF_ENGINE names {named}, and there is no such file", "correct it")
    else:
        yield Finding(
            "VASSAL",
            OPTIONAL,
            "not found; it plays the modules that are made here",
            "https://vassalengine.org; nothing else needs it",
        )
    if java := shutil.which("java"):
        yield Finding("Java", OK, java)
    else:
        yield Finding("Java", OPTIONAL, "not found; VASSAL for Windows and macOS brings its own")


# --- completion -------------------------------------------------------------------------------------------------------

_SHELLS = {
    "bash": (".bashrc", 'eval "$({variable}=bash_source {program})"'),
    "zsh": (".zshrc", 'eval "$({variable}=zsh_source {program})"'),
    "fish": (".config/fish/config.fish", "env {variable}=fish_source {program} | source"),
}
"""The file that each shell reads as it begins, and the line in it that completes a program's words."""


def _completion() -> Iterator[Finding]:
    """Whether the user's shell completes the words of both programs."""
    shell = Path(os.environ.get("SHELL", "")).name
    if shell not in _SHELLS:
        yield Finding("completion", OPTIONAL, f"for {', '.join(_SHELLS)}; this shell is {shell or 'another'}")
        return
    file, line = _SHELLS[shell]
    path = Path("~", file).expanduser()
    try:
        written = path.read_text("utf-8", "replace")
    except OSError:
        written = ""
    for program in ("assistant", "module-builder"):
        variable = f"_{program.upper().replace('-', '_')}_COMPLETE"
        if re.search(rf"^[^#\n]*{variable}=", written, re.MULTILINE):
            yield Finding(f"completion of {program}", OK, f"in {path}")
        else:
            hint = f"write into {path}: {line.format(variable=variable, program=program)}"
            yield Finding(f"completion of {program}", OPTIONAL, f"{shell} does not complete its words", hint)

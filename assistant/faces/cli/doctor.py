"""The command `doctor`: the working, missing and faulty parts of an installation."""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple

import click

from ...util.console import echo, encode_json, format_count
from ...util.errors import InputError, PluginError, is_want_of_memory, plain, word_machine_error
from ...util.extras import EXTRAS, describe_lack, format_remedy

FAULTY_EXIT_CODE = 1
"""The exit code if something is wrong."""
OK: Final = "ok"
OPTIONAL: Final = "optional"
WRONG: Final = "wrong"


class DoctorFinding(NamedTuple):
    """A finding about one part of the installation."""

    about: str
    state: Literal["ok", "optional", "wrong"]
    said: str
    """The finding, in words."""
    hint: str = ""
    """The remedy, or ""."""


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Examine the installation: games, your entries, the folders with data, and optional additions.

    Each line is ok, optional or wrong, and says what to do. Exit code 1 if something is wrong.
    """
    findings = list[DoctorFinding]()
    for finding in examine_installation():
        findings.append(finding)
        if not as_json and finding.state != OPTIONAL:
            _echo_finding(finding)
    if not as_json:
        for finding in findings:
            if finding.state == OPTIONAL:
                _echo_finding(finding)
    wrong = sum(finding.state == WRONG for finding in findings)
    if as_json:
        echo(encode_json([finding._asdict() for finding in findings]).decode())
    else:
        echo(f"{format_count(wrong, 'thing is', 'things are')} wrong" if wrong else "Nothing is wrong.")
    if wrong:
        ctx.exit(FAULTY_EXIT_CODE)


def _echo_finding(finding: DoctorFinding) -> None:
    echo(plain(f"{finding.state:<9} {finding.about}: {finding.said}"))
    if finding.hint:
        echo(plain(f"          {finding.hint}"))


def examine_installation() -> Iterator[DoctorFinding]:
    """Yield the findings about all parts."""
    yield DoctorFinding(
        "program", OK, f"Field Staff {_find_version()}, Python {platform.python_version()}, {platform.system()}"
    )
    for about, examiner in _EXAMINERS.items():
        try:
            yield from examiner()
        except Exception as error:  # a fault in one part must not hide the others
            yield describe_fault(about, error)


def _find_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("field-staff")
    except PackageNotFoundError:
        return "of unknown version"


def installed_versions() -> Iterator[str]:
    """Yield the program and each installed game with its distribution and version, without loading games."""
    from ...installed.registry import installed_games

    yield f"Field Staff {_find_version()}, Python {platform.python_version()}"
    for name, entry in installed_games().items():
        yield f"{name} ({entry.distribution})" if entry.distribution else name


def examine_plugins() -> Iterator[DoctorFinding]:
    """Yield a finding about each plugin that adds questions, formats or commands."""
    from ...installed.entry_points import entry_points
    from ...installed.plugins import load_entry

    for entry in entry_points("field_staff.plugins"):
        try:
            load_entry(entry)
            yield DoctorFinding(f"plugin {entry.name}", OK, entry.made_by.strip())
        except PluginError as error:
            yield describe_fault(f"plugin {entry.name}", error)


def examine_games() -> Iterator[DoctorFinding]:
    """Yield findings about each game: its questions, its owner's pack, and its saved table."""
    from ...game.games import pack_folder
    from ...installed.plugins import hooks
    from ...installed.registry import installed_games, load_game, pack_of, questions_of
    from ..prompt.files import TableFile, table_file
    from .packs import list_contents

    games = installed_games()
    try:
        hooks()
    except PluginError:  # reported as a finding about the plugin
        yield DoctorFinding("games", WRONG, "none can be read while a plugin fails", "see to the plugin first")
        return
    if not games:
        yield DoctorFinding(
            "games", WRONG, "none is installed", "install one, or name a folder with one: --game FOLDER"
        )
    empty = list[str]()
    for name in games:
        folder = pack_folder(name)
        about = f"game {name}"
        try:
            game = load_game(name)
            in_pack = list(list_contents(pack_of(game)))
            count = len(list(questions_of(game).values()))
        except Exception as error:  # a package may raise anything
            is_of_pack = _find_file_at_fault(error).startswith(str(folder))
            yield describe_fault(f"pack of {name}" if is_of_pack else about, error)
            continue
        yield DoctorFinding(about, OK, f"{game.title}, {format_count(count, 'question')}")
        if in_pack:
            yield DoctorFinding(f"pack of {name}", OK, f"{', '.join(in_pack)} ({folder})")
        else:
            empty.append(name)
        yield from _check_file(f"table of {name}", table_file(name), lambda file: TableFile(file).read(load_game))
    if empty:
        hint = "to enter your own charts and counters: assistant pack enter GAME CHART"
        yield DoctorFinding("packs", OPTIONAL, f"nothing entered for {', '.join(empty)}", hint)


def _find_file_at_fault(error: Exception) -> str:
    if isinstance(error, OSError):
        return str(error.filename or "")
    return error.where.file if isinstance(error, InputError) and error.where else ""


def _check_file(about: str, file: Path, read: Callable[[Path], object]) -> Iterator[DoctorFinding]:
    try:
        if file.exists():
            read(file)
            yield DoctorFinding(about, OK, str(file))
    except (InputError, OSError) as error:
        yield describe_fault(about, error)


def examine_folders() -> Iterator[DoctorFinding]:
    """Yield findings about the folders of packs, tables and settings, and of the cache."""
    from ...util.files import cache_folder, data_folder

    yield _check_folder("data folder", data_folder(), "FIELD_STAFF_DATA")
    yield _check_folder("cache folder", cache_folder(), "FIELD_STAFF_CACHE")


def _check_folder(about: str, folder: Path, variable: str) -> DoctorFinding:
    hint = f"change its owner or permissions, or name another folder: {variable}=FOLDER"
    there = next(parent for parent in (folder, *folder.parents) if os.path.exists(parent))
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        return DoctorFinding(about, WRONG, f"{folder}: {there} cannot be written to", hint)
    if there != folder:
        return DoctorFinding(about, OK, f"{folder}: not there yet, made when something is first saved")
    for path in folder.rglob("*"):
        if not os.access(path, os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)):
            return DoctorFinding(about, WRONG, f"{path} cannot be read and written", hint)
    return DoctorFinding(about, OK, str(folder))


def examine_settings() -> Iterator[DoctorFinding]:
    """Yield findings about the remembered viewpoints and the adopted modules."""
    from ...formats.vassal.adoption.mapping import read_mapping
    from ...formats.vassal.adoption.mapping_files import mapping_files
    from ...game.viewpoint_settings import read_viewpoints

    try:
        sides = [f"{side} in {game}" for game, side in read_viewpoints().items()]
        yield DoctorFinding("viewpoint", OK, ", ".join(sides) or "none is remembered")
    except InputError as error:
        yield describe_fault("viewpoint", error)
    for file in mapping_files():
        yield from _check_file("adopted module", file, read_mapping)


def examine_fonts() -> Iterator[DoctorFinding]:
    """Yield a finding about the typeface of pictures."""
    from ...drawing.lettering import font_file, text_width

    for bold in (False, True):
        font_file(bold=bold)
    text_width("Field Staff", 1)
    yield DoctorFinding("fonts", OK, "Noto Sans, condensed, both faces")


def examine_extras() -> Iterator[DoctorFinding]:
    """Yield a finding about each extra package that some commands need."""
    for name, extra in EXTRAS.items():
        if lack := describe_lack(name):
            yield DoctorFinding(f"extra {name}", OPTIONAL, f"{lack}, needed for {extra.purpose}", format_remedy(name))
        else:
            yield DoctorFinding(f"extra {name}", OK, extra.purpose)


_ENGINE_PLACES = (
    ("/opt", "VASSAL*/lib/Vengine.jar"),
    ("/Applications", "VASSAL*.app/Contents/Resources/Java/Vengine.jar"),
    (r"C:\Program Files", "VASSAL*/lib/Vengine.jar"),
    ("~", "VASSAL*/lib/Vengine.jar"),
    ("~/Applications", "VASSAL*.app/Contents/Resources/Java/Vengine.jar"),
)
"""The usual places of VASSAL: a folder, and a pattern in it."""


def examine_vassal() -> Iterator[DoctorFinding]:
    """Yield findings about VASSAL, which plays the modules, and Java, which VASSAL needs."""
    named = os.environ.get("FIELD_STAFF_ENGINE")
    installed = [file for home, pattern in _ENGINE_PLACES for file in Path(home).expanduser().glob(pattern)]
    engine = Path(named) if named else max(installed, default=None)
    if engine and engine.is_file():
        yield DoctorFinding("VASSAL", OK, str(engine))
    elif named:
        hint = "unset FIELD_STAFF_ENGINE, or name the Vengine.jar"
        yield DoctorFinding("VASSAL", WRONG, f"FIELD_STAFF_ENGINE names {named}, and there is no such file", hint)
    else:
        yield DoctorFinding(
            "VASSAL",
            OPTIONAL,
            "not found; it plays the modules that are made here",
            "https://vassalengine.org; nothing else needs it",
        )
    if java := shutil.which("java"):
        yield DoctorFinding("Java", OK, java)
    else:
        yield DoctorFinding("Java", OPTIONAL, "not found; VASSAL for Windows and macOS brings its own")


_SHELLS = {
    "bash": (".bashrc", 'eval "$({variable}=bash_source {program})"'),
    "zsh": (".zshrc", 'eval "$({variable}=zsh_source {program})"'),
    "fish": (".config/fish/config.fish", "env {variable}=fish_source {program} | source"),
}
"""The start file of each shell, and the line in that file that completes the words of a program."""


def examine_completion() -> Iterator[DoctorFinding]:
    """Yield whether the user's shell completes the words of both programs.

    Yields no finding if the shell is unknown.
    """
    shell = Path(os.environ.get("SHELL", "")).name
    if shell not in _SHELLS:
        if shell:
            yield DoctorFinding("completion", OPTIONAL, f"only for {', '.join(_SHELLS)}; this shell is {shell}")
        return
    file, line = _SHELLS[shell]
    path = Path("~", file).expanduser()
    try:
        written = path.read_text("utf-8", "replace")
    except OSError:
        written = ""
    lines = dict[str, str]()
    for program in ("assistant", "module-builder"):
        variable = f"_{program.upper().replace('-', '_')}_COMPLETE"
        if not re.search(rf"^[^#\n]*{variable}=", written, re.MULTILINE):
            lines[program] = line.format(variable=variable, program=program)
    if lines:
        what = f"{shell} does not complete the words of {' and '.join(lines)}"
        yield DoctorFinding("completion", OPTIONAL, what, f"add to {path}: {'; '.join(lines.values())}")
    else:
        yield DoctorFinding("completion", OK, f"in {path}")


def describe_fault(subject: str, error: BaseException) -> DoctorFinding:
    """Return the finding about a thing that cannot be read or used."""
    if isinstance(error, OSError) or is_want_of_memory(error):
        error = word_machine_error(error)
    if isinstance(error, PluginError):
        return DoctorFinding(subject, WRONG, plain(error.what), "install its package again, or remove it")
    if isinstance(error, InputError):
        what, _, hint = str(error).partition("\n")
        return DoctorFinding(subject, WRONG, what, hint.strip())
    return DoctorFinding(subject, WRONG, plain(f"{type(error).__name__}: {error}"), "install the program again")


_EXAMINERS: Mapping[str, Callable[[], Iterator[DoctorFinding]]] = {
    "plugins": examine_plugins,
    "games": examine_games,
    "folders": examine_folders,
    "settings": examine_settings,
    "fonts": examine_fonts,
    "extras": examine_extras,
    "VASSAL": examine_vassal,
    "completion": examine_completion,
}
"""The functions that look at the parts of an installation, by the name of the part."""

"""What is found out about the plugins, the games and what the user keeps."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ...util.console import format_count
from ...util.errors import InputError, PluginError
from .doctor_findings import OK, OPTIONAL, WRONG, DoctorFinding, describe_fault


def examine_plugins() -> Iterator[DoctorFinding]:
    """Yield each plugin that adds questions, formats or commands."""
    from ...installed.entry_points import entry_points
    from ...installed.plugins import load_entry

    for entry in entry_points("field_staff.plugins"):
        try:
            load_entry(entry)
            yield DoctorFinding(f"plugin {entry.name}", OK, entry.made_by.strip())
        except PluginError as error:
            yield describe_fault(f"plugin {entry.name}", error)


def examine_games() -> Iterator[DoctorFinding]:
    """Yield each game with all its questions, its owner's pack, and the table that is kept."""
    from ...game.games import pack_folder
    from ...installed.plugins import hooks
    from ...installed.registry import installed_games, load_game, pack_of, questions_of
    from ..prompt.files import TableFile, table_file
    from .packs import contents

    games = installed_games()
    try:
        hooks()
    except PluginError:  # which is told of the plugin
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
            in_pack = list(contents(pack_of(game)))
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
        yield from _read(f"table of {name}", table_file(name), lambda file: TableFile(file).read(load_game))
    if empty:
        hint = "to enter your own charts and counters: assistant pack enter GAME CHART"
        yield DoctorFinding("packs", OPTIONAL, f"nothing entered for {', '.join(empty)}", hint)


def _find_file_at_fault(error: Exception) -> str:
    """Return the file of which an error tells, "" if it tells of none."""
    if isinstance(error, OSError):
        return str(error.filename or "")
    return error.where.file if isinstance(error, InputError) and error.where else ""


def _read(about: str, file: Path, read: Callable[[Path], object]) -> Iterator[DoctorFinding]:
    """Yield whether a file of the user's that is there can be read."""
    try:
        if file.exists():
            read(file)
            yield DoctorFinding(about, OK, str(file))
    except (InputError, OSError) as error:
        yield describe_fault(about, error)


def examine_folders() -> Iterator[DoctorFinding]:
    """Yield where packs, tables and settings are kept, and what can be made anew."""
    from ...util.files import cache_folder, data_folder

    yield _folder("data folder", data_folder(), "FIELD_STAFF_DATA")
    yield _folder("cache folder", cache_folder(), "FIELD_STAFF_CACHE")


def _folder(about: str, folder: Path, variable: str) -> DoctorFinding:
    """Return whether a folder can be written to, with everything in it."""
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
    """Yield the viewpoints that are remembered, and the modules that are adopted."""
    from ...formats.vassal.adoption.mapping import read_mapping
    from ...formats.vassal.adoption.mapping_files import mapping_files
    from ...game.viewpoint_settings import read_viewpoints

    try:
        sides = [f"{side} in {game}" for game, side in read_viewpoints().items()]
        yield DoctorFinding("viewpoint", OK, ", ".join(sides) or "none is remembered")
    except InputError as error:
        yield describe_fault("viewpoint", error)
    for file in mapping_files():
        yield from _read("adopted module", file, read_mapping)

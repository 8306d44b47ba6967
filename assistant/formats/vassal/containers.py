"""VASSAL's zip files: the entries of a save, log or module, and the metadata of its module."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import NamedTuple

from ...util.errors import InputError
from ...util.xml_reader import read_xml

COMMANDS = "savedGame"
"""The entry with the commands of a save or a log."""
SAVE_DATA = "savedata"
"""The entry with the metadata of a save."""
MODULE_DATA = "moduledata"
"""The entry with the metadata of its module."""
BUILD_FILES = ("buildFile.xml", "buildFile")
"""The entries that may hold the build file, the newer name first."""
ESCAPE = "\x1b"
"""The separator of commands."""
LOGGED = "LOG\t"
"""The beginning of a command with a step of a log."""

_DATE = (1980, 1, 1, 0, 0, 0)
"""A fixed date, the earliest of zip files, so that equal contents give equal files."""


class ModuleData(NamedTuple):
    """The metadata of a container."""

    module: str = ""
    """The name of the module, or "" in the metadata of a save itself."""
    module_version: str = ""
    """The version of the module, or "" in the metadata of a save itself."""
    vassal_version: str = ""
    description: str = ""


def check_same(save: ModuleData, module: ModuleData) -> None:
    """Raise InputError if a save names another module than the one given."""
    if save.module and module.module and save.module != module.module:
        what = f"the save belongs to {save.module}, but --module names {module.module}"
        raise InputError(what, hint="name the module of the save")


def write_container(files: Mapping[str, bytes]) -> bytes:
    """Return a container with these files. The same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16  # the Unix file mode on every system
            compressed = name.lower().endswith((".png", ".jpg", ".gif", ".vsav"))
            entry.compress_type = zipfile.ZIP_STORED if compressed else zipfile.ZIP_DEFLATED
            container.writestr(entry, data)
    return out.getvalue()


def read_module_data(data: bytes) -> ModuleData:
    """Return the metadata in `moduledata` or `savedata`, without its translations.

    Raises InputError if the XML is broken.
    """
    root = read_xml(data, f"{MODULE_DATA} or {SAVE_DATA}")
    fields = {child.tag: (child.text or "") for child in root if "lang" not in child.attrib}
    return ModuleData(
        fields.get("name", ""),
        fields.get("version", ""),
        fields.get("VassalVersion", ""),
        fields.get("description", ""),
    )


def write_module_data(data: ModuleData) -> bytes:
    """Return the file `moduledata`, or `savedata` if no module is named.

    Its date is 0, so that the same facts give the same bytes.
    """
    fields = {"VassalVersion": data.vassal_version, "dateSaved": "0", "description": data.description}
    if data.module:
        fields = {"version": data.module_version, "extra1": "", "extra2": "", **fields, "name": data.module}
    inner = "".join(f"<{name}>{text.translate(_ESCAPES)}</{name}>" for name, text in fields.items())
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<data version=\"1\">{inner}</data>".encode()


_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
"""The replacements of characters that would be read as markup or a line end."""

"""VASSAL's zip files: the contents of a save, a log or a module, and the obfuscation of the commands in a save."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from binascii import unhexlify
from collections.abc import Collection, Mapping
from typing import NamedTuple

from lxml import etree

from ...util.errors import InputError
from ...util.limits import Limit
from ...util.markup import read_xml
from .sequence import join, split

COMMANDS, SAVE_DATA, MODULE_DATA = "savedGame", "savedata", "moduledata"
BUILD_FILES = ("buildFile.xml", "buildFile")
ESCAPE = "\x1b"

_ENTRY = b"PK\x01\x02"  # begins the directory record of a zip entry
_OBFUSCATED, _RAW_OBFUSCATED = b"!VCSK", b"VOBS"
_XZ = b"\xfd7zXZ\x00"
#: A fixed date, the earliest of zip files, so that the same contents give the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)
#: What zipfile raises for files that are damaged, encrypted or compressed by an unknown method.
UNREADABLE = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
)


class ModuleData(NamedTuple):
    """The metadata of a container. module, module_version: empty in the metadata of a save itself."""

    module: str = ""
    module_version: str = ""
    vassal_version: str = ""
    description: str = ""


def read_container(data: bytes, names: Collection[str] | None = None) -> dict[str, bytes]:
    """The files of a container by name: those named, or all but pictures and sounds. Nothing is written to disk.

    Raises InputError if it is not a zip file, is damaged or unpacks to too much.
    """
    check_entries(data)
    wanted = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            entries = {entry.filename: entry for entry in container.infolist() if _is_wanted(entry.filename, names)}
            Limit.CONTAINER.check(sum(entry.file_size for entry in entries.values()), "it unpacks to")
            for name, entry in entries.items():
                wanted[name] = _unpacked(container, entry)
    except InputError:
        raise
    except UNREADABLE as error:
        raise InputError(
            f"not a readable zip file: {error}", hint="VASSAL writes .vsav, .vlog and .vmod as zip"
        ) from None
    return wanted


def check_entries(data: bytes) -> None:
    """Raise InputError for a zip file with too many entries, before Python's reader creates an object for each."""
    Limit.ENTRIES.check(data.count(_ENTRY), "it holds")


def _is_wanted(name: str, names: Collection[str] | None) -> bool:
    return name in names if names is not None else not name.startswith(("images/", "sounds/"))


def _unpacked(container: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The unpacked bytes of an entry, never more than the size it declares."""
    Limit.ENTRY.check(entry.file_size, f"{entry.filename} unpacks to")
    with container.open(entry) as file:
        return file.read()


def write_container(files: Mapping[str, bytes]) -> bytes:
    """A container of some files; the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # as on Unix, whatever this runs on
            compressed = name.lower().endswith((".png", ".jpg", ".gif", ".vsav"))
            entry.compress_type = zipfile.ZIP_STORED if compressed else zipfile.ZIP_DEFLATED
            container.writestr(entry, data)
    return out.getvalue()


# --- obfuscation ------------------------------------------------------------------------------------------------------


def undisguised(data: bytes) -> str:
    """The commands of a save as text, from any of their forms: obfuscated, plain, compressed with xz.

    Raises InputError for bytes in none of these forms.
    """
    try:
        if data.startswith(_XZ):
            most = Limit.ENTRY.most
            unpacker = lzma.LZMADecompressor(memlimit=2**27)
            data = unpacker.decompress(data, most + 1)
            Limit.ENTRY.check(len(data), f"{COMMANDS} unpacks to")
            if not unpacker.eof:
                raise EOFError("it ends too early")
        if data.startswith(_OBFUSCATED):
            data = unhexlify(data[len(_OBFUSCATED) :])
            data = _xored(data[1:], data[0])
        elif data.startswith(_RAW_OBFUSCATED):
            key = len(_RAW_OBFUSCATED)
            data = _xored(data[key + 1 :], data[key])
        return data.decode("utf-8")
    except InputError:
        raise
    except (ValueError, IndexError, EOFError, lzma.LZMAError) as error:
        raise InputError(f"{COMMANDS} cannot be read: {error}", hint="the save is damaged; save it again") from None


def disguised(text: str, key: int = 0x5A) -> bytes:
    """Commands as VASSAL 3 writes them: each byte XORed with the key, 0 to 255, in two hexadecimal digits."""
    return _OBFUSCATED + f"{key:02x}".encode() + _xored(text.encode("utf-8"), key).hex().encode()


def _xored(data: bytes, key: int) -> bytes:
    return data.translate(bytes(byte ^ key for byte in range(256)))


# --- commands ---------------------------------------------------------------------------------------------------------


def commands_of(text: str) -> list[str]:
    """The commands of a stream in order, however deep VASSAL nested them.

    Raises InputError if they are nested too deep.
    """
    Limit.COMMANDS.check(text.count(ESCAPE), f"{COMMANDS} holds")
    deepest = Limit.NESTING.most
    found: list[str] = []
    todo = [(text, 0)]
    while todo:
        command, depth = todo.pop()
        tokens = split(command, ESCAPE) if ESCAPE in command else [command]
        if tokens == [command]:
            found += tokens if command else []
        elif depth == deepest:
            raise Limit.NESTING.error(f"{COMMANDS} nests commands by")
        else:
            todo += [(token, depth + 1) for token in reversed(tokens)]
    return found


def stream_of(commands: list[str]) -> str:
    """Commands as one stream. Raises ValueError for a command that could not be read back."""
    return join(commands, ESCAPE)


# --- metadata ---------------------------------------------------------------------------------------------------------


def read_module_data(data: bytes) -> ModuleData:
    """The metadata in `moduledata` or `savedata`. Raises InputError for broken XML."""
    root = read_xml(data, f"{MODULE_DATA} or {SAVE_DATA}")
    fields = {child.tag: (child.text or "") for child in root if isinstance(child.tag, str)}
    return ModuleData(
        fields.get("name", ""),
        fields.get("version", ""),
        fields.get("VassalVersion", ""),
        fields.get("description", ""),
    )


def write_module_data(about: ModuleData, milliseconds: int = 0) -> bytes:
    """The file `moduledata`, or `savedata` if no module is named. milliseconds: the date of saving, since 1970."""
    root = etree.Element("data", version="1")
    fields = {"VassalVersion": about.vassal_version, "dateSaved": str(milliseconds), "description": about.description}
    if about.module:
        fields = {"version": about.module_version, "extra1": "", "extra2": "", **fields, "name": about.module}
    for name, text in fields.items():
        etree.SubElement(root, name).text = text
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")

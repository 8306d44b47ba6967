"""Parts as the registries have them, made from what is installed: Pyodide's files are stand-ins, the wheels are real."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from module_builder.page.command import NEEDED_WHEELS

PURE = "py3-none-any"
BUILT = "cp314-cp314-pyemscripten_2026_0_wasm32"
LOCK = {"info": {"abi_version": "2026_0", "python": "3.14.2"}, "packages": {"numpy": {}}}
LIBRARY = {"json/__init__.py": b"#\n", "json/tool.py": b"#\n", "multiprocessing/pool.py": b"#\n", "typing.py": b"#\n"}


def library() -> bytes:
    """A standard library of a few modules."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in LIBRARY.items():
            archive.writestr(name, data)
    return made.getvalue()


def write_parts(folder: Path, lock: object = LOCK) -> Path:
    """A folder of parts that fit. lock: Pyodide's list of packages."""
    folder.mkdir()
    files = {
        "pyodide.mjs": b"//",
        "pyodide.asm.mjs": b"//",
        "pyodide.asm.wasm": b"\0asm",
        "python_stdlib.zip": library(),
    }
    files["pyodide-lock.json"] = json.dumps(lock).encode()
    with tarfile.open(folder / "pyodide-314.0.7.tgz", "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    for name in NEEDED_WHEELS:
        write_wheel(folder, name)
    return folder


def write_wheel(folder: Path, name: str, tag: str = "") -> None:
    """The wheel of an installed package, under a tag of its own or that of the browser."""
    package = distribution(name)
    wheel = folder / f"{name}-{package.version}-{tag or (BUILT if name == 'msgspec' else PURE)}.whl"
    left_out = {"..", "__pycache__", "ttLib", "varLib", "subset", "unicodedata"}
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in package.files or ():
            path = Path(str(package.locate_file(file)))
            if not left_out & {*file.parts} and path.is_file() and (path.suffix != ".so" or name == "msgspec"):
                archive.write(path, str(file))

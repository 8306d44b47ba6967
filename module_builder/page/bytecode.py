"""Modules compiled for the browser by its own Python, which Node.js runs here, so that it need not do that at each
start; and their archives.
"""

from __future__ import annotations

import gzip
import io
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from assistant.util.copies import Copies, Copy, mark_content
from assistant.util.errors import InputError, Where

_SCRIPT = Path(__file__).with_name("compile.mjs")
_COPIES = Copies("compiled-pages", ".tar.gz", most=2)
_ZIP = "lib/python314.zip"
"""Where the standard library lies in the browser."""
_UNUSED = (
    "_pyrepl/", "bdb.py", "cProfile.py", "cmd.py", "code.py", "doctest.py", "ensurepip/", "ftplib.py", "http/server.py", "idlelib/",
    "imaplib.py", "logging/config.py", "logging/handlers.py", "mailbox.py", "multiprocessing/", "netrc.py", "pdb.py", "pickletools.py",
    "poplib.py", "profile.py", "pstats.py", "pydoc", "smtplib.py", "socketserver.py", "sqlite3/", "tkinter/", "trace.py", "turtle",
    "unittest/", "venv/", "webbrowser.py", "wsgiref/", "xmlrpc/", "zipapp.py",
)  # fmt: skip
"""The modules of the standard library that no rule needs."""
_DATE = 315_532_800
"""The date of all files in an archive, in seconds: 1 January 1980."""


def compile_modules(sources: Mapping[str, bytes], interpreter: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the compiled modules by their paths in the browser, as `sources` has them, or none without Node.js.

    Modules that have a mistake are left out. What is compiled is kept until a module or Pyodide changes.

    Raises InputError if Pyodide does not run.
    """
    node = shutil.which("node")
    if node is None:
        return {}
    packed = pack_tar(sources)
    parts = [
        packed,
        _SCRIPT.read_bytes(),
        *(part for name in sorted(interpreter) for part in (name.encode(), interpreter[name])),
    ]
    copy = Copy(_COPIES, "\n".join(sorted(sources)), mark_content(parts))
    compiled = copy.read()
    if compiled is None:
        compiled = memoryview(_run_compiler(node, packed, interpreter))
        copy.write(bytes(compiled))
    with tarfile.open(fileobj=io.BytesIO(compiled)) as archive:
        files = ((member.name, archive.extractfile(member)) for member in archive)
        return {name: file.read() for name, file in files if file is not None}


def _run_compiler(node: str, sources: bytes, interpreter: Mapping[str, bytes]) -> bytes:
    """Return the archive of compiled modules. Raises InputError if Pyodide does not run."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for name, data in interpreter.items():
            (here / name).write_bytes(data)
        (here / "sources.tar").write_bytes(sources)
        command = [node, str(_SCRIPT), folder, str(here / "sources.tar"), str(here / "compiled.tar")]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            reason = (done.stderr.strip() or "no word why").splitlines()[-1]
            hint = "are the parts whole? --fetch has npm and pip fetch them again"
            raise InputError(f"Pyodide does not run here: {reason}", where=Where(node), hint=hint)
        return gzip.compress((here / "compiled.tar").read_bytes(), 1, mtime=0)


def library_sources(library: bytes) -> dict[str, bytes]:
    """Return the modules of the standard library that are of use, by their paths in the browser. library: its zip file."""
    with zipfile.ZipFile(io.BytesIO(library)) as archive:
        return {
            f"{_ZIP}/{name}": archive.read(name)
            for name in archive.namelist()
            if name.endswith(".py") and not name.startswith(_UNUSED)
        }


def pack_library(library: bytes, compiled: Mapping[str, bytes]) -> bytes:
    """Return the standard library with its modules compiled, as an archive without compression, in which a browser
    finds them faster.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(library)) as archive, zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as packed:
        for name in archive.namelist():
            if name.startswith(_UNUSED) or name.endswith("/"):
                continue
            data = compiled.get(f"{_ZIP}/{name}")
            packed.writestr(
                zipfile.ZipInfo(name if data is None else f"{name}c"), archive.read(name) if data is None else data
            )
    return made.getvalue()


def pack_tar(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files by their paths."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(files):
            member = tarfile.TarInfo(path)
            member.size, member.mtime = len(files[path]), _DATE
            archive.addfile(member, io.BytesIO(files[path]))
    return packed.getvalue()

"""What should become of a call that fails, and whether it does (failures.py)."""

from __future__ import annotations

import errno
import os
import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import msgspec
from PIL import Image
from pypdfium2 import PdfDocument, PdfiumError

from assistant.util.errors import NO_MEMORY

from .commands import Tree, tree
from .interposer import MEMORY, Fault, Run
from .trying import OF_A_RUN, Seen, Trial, snapshot

UNUSABLE, ABORTED, SEGMENT = 3, -6, -11
OURS = ".field-staff-"
"""In the names of files on the way."""
_REMNANT = ".journal.remnant-"
"""In the name of a file to which half a line of a journal is put aside."""


class Failure(Exception):
    """A run that did not do what it should have done."""


TOLD, UNNOTICED, ENDED, LEFT_OUT = "told", "unnoticed", "ended", "left out"
"""What becomes of a failure: it is said; all is as without it; a library, or Python itself, has ended the process for want of memory; PDFium
has left a letter or a shape out of a picture for want of memory, which it tells nobody.
"""
SESSIONS = ("table", "table --new", "table on a journal", "serve", "pack enter", "pack complete")
"""Commands that go on with the next line after one that fails."""
_CHECKING = ("check", "module-builder check", "check-changed", "pack check", "journal check", "doctor")
"""Commands that end with 1 if something is wrong."""
_UNWORDED = ("Traceback", "Exception ignored", "internal error", "--debug")
_PYTHONS_OWN = re.compile(
    r"(internal error|plugin .* failed): (SystemError|UnicodeError|LookupError: unknown encoding)"
    r"|a part of the program could not be loaded|EOFError: Ran out of input"
    r"|SystemError: error return without exception set|PyObject pointer is null|PanicException|PydanticSerializationUnexpectedValue"
)
"""How Python reports some allocations that fail: as anything but a want of memory, in a process that waits for another one, too, and in
libraries written in Rust.
"""
_AT_THE_END = re.compile(r"in _become\n.*^(MemoryError|SystemError.*)\s*\Z", re.MULTILINE | re.DOTALL)
"""How Python itself ends for want of memory when the program has ended already."""
_PLUGIN_NOT_LOADED = re.compile(
    r"plugin \S+( \S+ \S+ \S+)? failed( to [^!:]*)?:( \S+:)? (ModuleNotFoundError|ImportError): "
    r"[^!]*?--debug adds the traceback for the plugin's author"
)
"""How it is said, in a session too, that a module of a plugin is missing."""
_NO_FILE = re.compile(
    rf"^! ({'|'.join(re.escape(os.strerror(code)) for code in (errno.EIO, errno.EACCES, errno.ENOSPC))})$", re.MULTILINE
)
"""An answer of a session that says only what the system does."""
_NO_THREAD_DATA = "cannot allocate memory for thread-local data: ABORT"
"""With which the C library ends a process."""
_NO_FOLDER = "No usable temporary directory found"
_NAMED = re.compile(rf"(?!(assistant|module-builder): [^:]*$)|.*{_NO_FOLDER}")
"""A line that says more than the program's name and what failed."""
_EMBEDDED = re.compile(rb"data:image/png;base64,([A-Za-z0-9+/=]+)")
"""A picture in a page."""
_PATH_READ_FOR_PACKAGES = re.compile(r"(/lib/python3[^/]*(/lib-dynload|/site-packages)?|\.zip)$")
"""Folders in which Python looks for packages: one that may not be read holds none, as for Python itself."""


def judge(trial: Trial, fault: Fault, run: Run, seen: Seen) -> str:
    """What has become of a failure. Raises Failure for what should not have."""
    calm, memory = trial.calm, fault.kind in MEMORY
    seen = msgspec.structs.replace(seen, tree=alike(seen.tree, calm.tree))
    said = seen.complained.decode("utf-8", "replace")
    if seen.code < 0 and not (memory and seen.code in (ABORTED, SEGMENT)):
        raise Failure(f"ended by signal {-seen.code}")
    if fault.kind == "blocks" and is_quiet(seen, calm) and lacks_of_pictures(seen.tree, calm.tree):
        return LEFT_OUT
    check_files(trial, fault, seen)
    is_removing = run.call in ("unlink", "unlinkat", "rmdir") or (fault.kind == "reads" and OURS in run.path)
    if seen.stays and not (fault.for_good or memory or is_removing or seen.code < 0):
        raise Failure(f"left: {seen.stays}")
    if snapshot(trial.folder) not in trial.settled:
        check_next(trial, seen)
    if seen.code < 0 or (memory and _NO_THREAD_DATA in said):
        return ENDED
    if memory and (_PYTHONS_OWN.search(f"{said} {seen.told.decode('utf-8', 'replace')}") or _AT_THE_END.search(said)):
        return ENDED
    if is_quiet(seen, calm) and not differing(seen.tree, calm.tree):
        return UNNOTICED
    check_words(trial, fault, run, seen)
    return TOLD


def is_quiet(seen: Seen, calm: Seen) -> bool:
    """Whether a run has said what one without failures says."""
    return (seen.code, seen.told, seen.complained) == (calm.code, calm.told, calm.complained)


def differing(files: Tree, others: Tree) -> list[str]:
    """The files that two trees do not have alike."""
    return [name for name in {**files, **others} if files.get(name) != others.get(name)]


def check_words(trial: Trial, fault: Fault, run: Run, seen: Seen) -> None:
    """Raise Failure unless a failure is said in a line or two, with the exit code that fits."""
    calm = trial.calm
    known = calm.complained.decode("utf-8", "replace").splitlines()
    lines = [line for line in seen.complained.decode("utf-8", "replace").splitlines() if line not in known]
    text = "\n".join([*lines, *(seen.told.decode("utf-8", "replace").splitlines() if seen.told != calm.told else ())])
    unwrapped = " ".join(text.split())
    worded = _PLUGIN_NOT_LOADED.sub("", unwrapped) if fault.kind == "imports" else unwrapped
    if any(word in worded for word in _UNWORDED):
        raise Failure("not worded")
    if run.call == "write" and run.path == "standard output" and fault.error == errno.EPIPE:
        if seen.code != 1 or lines:
            raise Failure(f"a closed pipe, exit code {seen.code}")
        return
    if len({*lines}) > (4 if fault.for_good else 2):
        raise Failure(f"{len(lines)} lines")
    names_cause = any(cause in unwrapped for cause in causes(fault))
    is_of_packages = fault.kind == "reads" and _PATH_READ_FOR_PACKAGES.search(run.path)
    has_reason = run.call not in ("access", "faccessat")  # by which Python asks only whether something may be done
    if has_reason and not names_cause and not is_of_packages:
        raise Failure("no cause named")
    is_named = _NAMED.match(lines[0]) if lines else not _NO_FILE.search(text)
    if fault.kind in ("reads", "writes") and not is_named and not is_of_packages:
        raise Failure("no file named")
    allowed = (
        {UNUSABLE} | ({calm.code} if trial.name in SESSIONS else set()) | ({1} if trial.name in _CHECKING else set())
    )
    if seen.tree == calm.tree:
        allowed.add(calm.code)  # what could not be read was not needed, and that is said
    if seen.code not in allowed:
        raise Failure(f"exit code {seen.code}")


def causes(fault: Fault) -> tuple[str, ...]:
    """The words of which one names the cause of a failure."""
    if fault.kind in MEMORY:
        return (NO_MEMORY, os.strerror(errno.ENOMEM))
    said = (os.strerror(fault.error), os.strerror(errno.EIO), _NO_FOLDER)
    if fault.kind == "imports":
        return (*said, "could not be loaded", "No module named", "cannot import name", "need the package")
    return (*said, "could not be loaded", "no game is installed") if fault.kind == "reads" and fault.for_good else said


def check_files(trial: Trial, fault: Fault, seen: Seen) -> None:
    """Raise Failure if a file is neither as it was nor as a run without failures leaves it, or is not whole."""
    for name, data in tree(trial.folder).items():
        if name.endswith(OF_A_RUN) and not name.endswith(".lock") and not is_whole(name, data):
            raise Failure(f"half written: {name}")
    for name in {**trial.before, **seen.tree}:
        data = seen.tree.get(name)
        if data in (trial.before.get(name), trial.calm.tree.get(name)):
            continue
        if data is None and trial.before[name] in seen.tree.values():
            continue  # it was moved aside
        if data is None:
            raise Failure(f"lost: {name}")
        before = trial.before.get(name, b"")
        if trial.name in SESSIONS:
            if any(data == broken_off.get(name) for broken_off in trial.broken_off):
                continue
        elif name.endswith(".journal") and data.startswith(before) and is_whole(name, data):
            continue  # entries are only added
        begins = data.startswith(before) if before else trial.calm.tree.get(name, b"").startswith(data)
        if fault.for_good and name.endswith(".journal") and begins:
            continue  # nothing could take half a line back, which the next entry puts aside
        raise Failure(f"half written: {name}")


def alike(files: Tree, calm: Tree) -> Tree:
    """The files, with those of `calm` in place of those that show the same in other bytes."""
    return {
        name: calm[name] if name in calm and shows_the_same(name, data, calm[name]) else data
        for name, data in files.items()
    }


def shows_the_same(name: str, data: bytes, other: bytes) -> bool:
    """Whether two files are equal, or pictures of the same pixels, documents of the same pages, or archives of such files: without
    zlib-ng the program compresses with zlib.
    """
    if data == other:
        return True
    try:
        match Path(name).suffix:
            case ".png":
                return pixels_of(data) == pixels_of(other)
            case ".pdf":
                return pages_of(data) == pages_of(other)
            case ".zip" | ".vmod":
                ours, theirs = files_in(data), files_in(other)
                return ours.keys() == theirs.keys() and all(
                    shows_the_same(*parts, theirs[parts[0]]) for parts in ours.items()
                )
    except (OSError, ValueError, SyntaxError, BadZipFile, PdfiumError):  # one of them is damaged
        pass
    return False


def lacks_of_pictures(files: Tree, calm: Tree) -> bool:
    """Whether the files differ only in pixels of pictures of the same sizes, and in what a module states of its own content."""
    names = differing(files, calm)
    return bool(names) and all(
        name in files and name in calm and _is_whole_picture(name, files[name], calm[name]) for name in names
    )


def _is_whole_picture(name: str, data: bytes, other: bytes) -> bool:
    try:
        match Path(name).suffix:
            case ".png" | ".gif":
                return pixels_of(data)[0] == pixels_of(other)[0]
            case ".html":
                return _EMBEDDED.sub(b"", data) == _EMBEDDED.sub(b"", other) and _sizes_in(data) == _sizes_in(other)
            case ".vmod":
                ours, theirs = files_in(data), files_in(other)
                changed = [
                    name
                    for name in ours
                    if Path(name).suffix == ".png" and not shows_the_same(name, ours[name], theirs[name])
                ]
                return (
                    ours.keys() == theirs.keys()
                    and bool(changed)
                    and lacks_of_pictures(
                        {name: ours[name] for name in changed}, {name: theirs[name] for name in changed}
                    )
                )
    except (OSError, ValueError, SyntaxError, BadZipFile):  # one of them is damaged
        pass
    return False


def _sizes_in(page: bytes) -> list[tuple[int, int]]:
    """The sizes of the pictures in a page."""
    return [pixels_of(b64decode(picture))[0] for picture in _EMBEDDED.findall(page)]


def pixels_of(picture: bytes) -> tuple[tuple[int, int], bytes]:
    """The size of a picture and its pixels."""
    with Image.open(BytesIO(picture)) as opened:
        return opened.size, opened.convert("RGBA").tobytes()


def pages_of(document: bytes) -> tuple[dict[str, str], list[tuple[str, bytes]]]:
    """What a PDF says of itself, and of each page its text and its pixels."""
    with PdfDocument(document) as opened:
        pages = [(page.get_textpage().get_text_bounded(), page.render(scale=1).to_pil().tobytes()) for page in opened]
        return opened.get_metadata_dict(), pages


def files_in(archive: bytes) -> dict[str, bytes]:
    """The files of an archive."""
    with ZipFile(BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def is_whole(name: str, data: bytes) -> bool:
    """Whether a file to which a session adds is whole: its last line has an end, or it is JSON."""
    if name.endswith(".json"):
        try:
            msgspec.json.decode(data)
        except msgspec.DecodeError:
            return False
        return True
    return data.isdigit() if name.endswith(".said") else data.endswith(b"\n")


def check_next(trial: Trial, seen: Seen) -> None:
    """Raise Failure unless the next run works, clears up, and gives what a run without failures gives."""
    calm, folder = trial.calm, trial.folder
    done = seen.tree == calm.tree != trial.before
    words = trial.again if done else trial.command.words
    typed = trial.command.typed
    run = trial.warm.run(words, folder, typed, None, trial.command.drive)
    again = trial.see(run)
    if again.code not in (calm.code, trial.twice.code) and not (done and again.code == UNUSABLE):
        raise Failure(f"the next run: exit code {again.code}: {again.complained.decode()}")
    if again.stays and words[:2] != ("assistant", "journal"):  # of which many only read
        raise Failure(f"the next run has left: {again.stays}")
    if seen.tree == trial.before and (again.told, again.tree) != (calm.told, calm.tree):
        raise Failure("the next run differs from a run without failures")
    there = {name: data for name, data in again.tree.items() if not is_put_aside(name, data, seen.tree)}
    if is_quiet(seen, calm) and seen.tree != calm.tree and there != trial.twice.tree:
        raise Failure("the next run does not make up for it")
    if trial.name not in SESSIONS and there not in (calm.tree, trial.twice.tree):
        raise Failure("the next run leaves other files")


def is_put_aside(name: str, data: bytes, before: Tree) -> bool:
    """Whether a file holds what the next run has put aside: the half line at the end of a journal. before: the files before that run."""
    journal, ending, _ = name.partition(_REMNANT)
    half = before.get(f"{journal}.journal", b"").rpartition(b"\n")[2]
    return bool(ending and half) and data.strip() == half.strip()

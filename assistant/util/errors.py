"""Errors: in the input, with the place, the fault and the remedy; in a plugin, with the line of its code."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from .patterns import late_pattern

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class Where(NamedTuple):
    """A place in a file: the file's name, and the line and column, counted from 1 (0 if they do not apply)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join([self.file, *(str(n) for n in (self.line, self.column) if n)])


KeyPath = tuple[str | int, ...]
"""The path to a value in a data file: the keys of the tables around it, and the indexes in their lists."""
MAX_FAULTS = 8
"""The maximum number of mistakes of a file that are named at once."""


class InputError(ValueError):
    """Input that cannot be used; the command line prints it and exits with 3.

    `where`: the place in a file, which a reader may set later.
    `hint`: the remedy, or a function that returns it.
    `private`: whether the message reveals what some sides may not know.
    `names_units`: whether the hint names units.
    `also`: other faults of the same file.
    """

    def __init__(self, what: str, *, where: Where | None = None, hint: str | Callable[[], str] = "") -> None:
        # without calling ValueError's constructor, `args` are the arguments of this class or a subclass
        self.what = what
        self.where = where
        self._hint = hint
        self.private = False
        self.names_units = False
        self.also: tuple[InputError, ...] = ()

    @property
    def hint(self) -> str:
        """The remedy, or ""."""
        if not isinstance(self._hint, str):
            self._hint = self._hint()
        return self._hint

    @hint.setter
    def hint(self, hint: str) -> None:
        """The remedy, or ""."""
        self._hint = hint

    def __str__(self) -> str:
        text = plain(f"{self.where}: {self.what}" if self.where else self.what)
        lines = f"{text}\n  {plain(self.hint)}" if self.hint else text
        return "\n".join((lines, *map(str, self.also)))

    @classmethod
    def together(cls, faults: Sequence[InputError]) -> InputError:
        """Return the first of several faults, with the others in `also`.

        Of many faults it has only the next few, and the number of the rest.
        """
        first, *others = faults
        summary = [InputError(f"and {len(faults) - MAX_FAULTS} more mistakes")] if len(faults) > MAX_FAULTS + 1 else []
        first.also = (*others[: MAX_FAULTS - 1 if summary else None], *summary)
        first.private = any(fault.private for fault in faults)
        first.names_units = any(fault.names_units for fault in faults)
        return first

    def at(self, where: Where) -> InputError:
        """Return this error with its place filled in, unless it already has one."""
        self.where = self.where or where
        return self

    def told_as(self, what: str, where: Where) -> InputError:
        """Return this error with another text and place; a function that makes its hint is not called yet."""
        kind = next(kind for kind in (MachineError, UnknownWord, InputError) if isinstance(self, kind))
        return kind(what, where=where, hint=self._hint)

    def __reduce__(self) -> str | tuple[Any, ...]:
        self._hint = self.hint
        return super().__reduce__()


_NEWER = "update Field Staff, if a newer one has written this"


class UnknownWord(InputError):
    """A word unknown to this program: a typing mistake, or written by a newer program."""

    _is_written = False

    def written(self) -> UnknownWord:
        """Return this error with a remedy that mentions a newer program, which may have written the word."""
        if not self._is_written:
            self._is_written = True
            hint = self._hint
            self._hint = lambda: "; ".join(filter(None, [hint if isinstance(hint, str) else hint(), _NEWER]))
        return self


_UNKNOWN_WORD_MESSAGE = late_pattern("unknown field|Invalid enum value")
"""The messages of msgspec for an unknown word in JSON."""


def has_unknown_word(error: Exception) -> bool:
    """Return whether the cause of an error is a word unknown to this program."""
    return isinstance(error, UnknownWord) or _UNKNOWN_WORD_MESSAGE.search(str(error)) is not None


@contextmanager
def written_by_program() -> Iterator[None]:
    """Make errors of unknown words in the block mention a newer program, for data that a program may have written."""
    try:
        yield
    except UnknownWord as error:
        raise error.written() from None


class MachineError(InputError):
    """Input that cannot be used because of the machine: memory has run out, or a disk or a permission prevents it."""


def refuse_unread(error: OSError) -> None:
    """Raise MachineError if a disk or permissions caused the error; return if the file or folder is just missing."""
    if is_of_the_machine(error):
        raise word_machine_error(error)


def word_loading_error(error: Exception) -> MachineError:
    """Return the error for a part of the program, or a package it needs, that could not be loaded."""
    hint = "check the disk with Field Staff on it, or install it again"
    return MachineError(f"a part of the program could not be loaded: {error}", hint=hint)


def format_with_file(error: InputError) -> str:
    """Return the message of an error in a typed line, with the file if a disk or a permission is to blame."""
    names_file = isinstance(error, MachineError) and error.where is not None
    return f"{error.where}: {error.what}" if names_file else error.what


class Certain(InputError):
    """A fault that no further fact can remedy, so that a question that gathers facts raises it at once."""


_NAME_ERRORS = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY)
"""The file errors that come from a wrong name."""


def is_of_the_machine(error: BaseException) -> bool:
    """Return whether memory, a disk or a permission is to blame for an error, not the code that met it.

    Code that turns exceptions of plugins into PluginError lets such errors pass.
    """
    return (
        isinstance(error, MachineError)
        or is_want_of_memory(error)
        or (isinstance(error, OSError) and error.errno not in (None, *_NAME_ERRORS))
    )


_NO_LOCK = late_pattern(r"can't (allocate|start new thread)")
_NO_PATH = late_pattern(r".*os\.PathLike.*, not (Posix|Windows)Path$")
_NO_DIGEST = late_pattern(r"\[digital envelope routines\]")
_MEMORY_MESSAGES = {RuntimeError: _NO_LOCK, TypeError: _NO_PATH, ValueError: _NO_DIGEST}
"""Messages of other exceptions when memory runs out: for a lock or thread, a path name, and a digest."""


def is_want_of_memory(error: BaseException) -> bool:
    """Return whether an error or its context says that memory has run out."""
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    has_memory_message = any(
        isinstance(error, kind) and pattern.match(str(error)) for kind, pattern in _MEMORY_MESSAGES.items()
    )
    earlier_error = None if error.__suppress_context__ else error.__context__
    return isinstance(error, MemoryError) or has_memory_message or isinstance(earlier_error, MemoryError)


NO_MEMORY = "not enough memory"
"""The fault if memory has run out."""
FREE_MEMORY = "close other programs, or ask for less at once"
"""The remedy if memory has run out."""
_DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)
"""The numbers of the system's errors for a full disk."""
_PERMISSION_ERRORS = (errno.EACCES, errno.EPERM, errno.EROFS)
"""The numbers of the system's errors for missing permissions."""


def word_machine_error(error: BaseException, file: str = "") -> MachineError:
    """Return an error of the system, or for lack of memory, as an InputError with the file and the remedy.

    `file`: the file, if the error does not name it.
    """
    if not isinstance(error, OSError):
        return MachineError(NO_MEMORY, hint=FREE_MEMORY)
    hint = "make room on that disk" if error.errno in _DISK_FULL_ERRORS else "check that disk"
    if error.errno == errno.ENOMEM:
        hint = FREE_MEMORY
    if error.errno in _PERMISSION_ERRORS:
        hint = "check who may read and write it"
    file_name = str(error.filename or file)
    return MachineError(error.strerror or str(error), where=Where(file_name) if file_name else None, hint=hint)


class _Located(AbstractContextManager[None]):
    """The context manager of `located`, a class because one is made for each word read and a generator is slow."""

    def __init__(self, where: Where) -> None:
        self.where = where

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, InputError):
            raise error.at(self.where) from None


def located(where: Where) -> AbstractContextManager[None]:
    """Add a place to errors raised in the block, unless they have one."""
    return _Located(where)


OnFault = Callable[[InputError], None]
"""A handler of a reader's faults: it raises the fault, or keeps it so that the rest of the file is read too."""


def stop(fault: InputError) -> None:
    """Raise the fault, the default of readers."""
    raise fault


@contextmanager
def reporting(on_fault: OnFault, where: Where) -> Iterator[None]:
    """Pass an InputError raised in the block to `on_fault`, with a place unless it has one.

    If `on_fault` returns, the program continues after the block.
    """
    try:
        yield
    except InputError as error:
        on_fault(error.at(where))


def ignore(fault: InputError) -> None:
    """Do nothing, because the fault is reported when the file itself is read."""


_MAX_LINE_CHARS = 600
"""The maximum number of letters shown of a line from an untrusted file."""


def plain(text: str, max_chars: int = _MAX_LINE_CHARS) -> str:
    """Return text from an untrusted file as one line that is safe to print: shortened, without control characters."""
    if len(text) > max_chars:
        text = f"{text[: max_chars // 2]} ... {text[-max_chars // 2 :]}"
    return printable(text)


def printable(line: str) -> str:
    """Return a line with unprintable whitespace as spaces, and other unprintable characters as escapes."""
    if line.isprintable():
        return line
    return "".join(map(_escape_character, line))


def _escape_character(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else ascii(char)[1:-1]


_MAX_NAME_CHARS = 40
"""The maximum length of a name for which similar ones are sought."""
_MAX_NAMES_SEARCHED = 15_000
"""The maximum number of names to search for similar ones."""
_MAX_NAMES_ALL_SEARCHED = 300
"""The maximum number of names that are all searched. Of more names, the beginnings or ends must be like the word's."""
_MAX_NAMES_COMPARED = 25
"""The maximum number of names that are compared by their letters."""


def nearest(word: str, known: Iterable[str], few: int = 12) -> str:
    """Return a hint with the known words nearest to `word`, or "".

    If none is near, the hint lists all known words, unless they are more than `few`.

    A word of more than 40 letters, or among more than 15,000 known ones, gets no hint of near words. Among more than
    300 known words only those with the same beginning or end count. `format_suggestion` delays this for errors that may
    never be shown.
    """
    names = {name for name in known if name and name != word}
    if similar_names := nearest_names(word, names):
        return "nearest known: " + ", ".join(similar_names)
    return "known: " + ", ".join(sorted(names)) if 0 < len(names) <= few else ""


def format_suggestion(word: str, known: Iterable[str], few: int = 12) -> Callable[[], str]:
    """Return a function that computes the hint `nearest`, for an error that may never be shown."""
    return partial(nearest, word, known, few)


def nearest_names(word: str, known: Collection[str]) -> list[str]:
    """Return the known words nearest to a word, sorted, within the limits of `nearest`."""
    if not _is_searched(word, known):
        return []
    similar_names = similar(word, known, 0.6) or similar(word.casefold(), {name.casefold() for name in known}, 0.5)
    return (
        sorted(name for name in known if name in similar_names or name.casefold() in similar_names)
        if similar_names
        else []
    )


def similar(word: str, known: Collection[str], min_likeness: float, max_words: int = 3) -> list[str]:
    """Return the known words that resemble a word, the nearest first, within the limits of `nearest`.

    `min_likeness`: from 0 to 1, as `difflib` measures it.
    """
    if not _is_searched(word, known):
        return []
    from difflib import get_close_matches  # loaded late: most runs meet no error

    return get_close_matches(word, _choose_likely(word, known), n=max_words, cutoff=min_likeness)


def _is_searched(word: str, known: Collection[str]) -> bool:
    return 0 < len(word) <= _MAX_NAME_CHARS and len(known) <= _MAX_NAMES_SEARCHED


def _choose_likely(word: str, known: Collection[str]) -> list[str]:
    names = [name for name in known if len(name) <= _MAX_NAME_CHARS]
    if len(names) > _MAX_NAMES_ALL_SEARCHED:
        begins, ends = word[:2], word[-2:]
        names = sorted(name for name in names if name.startswith(begins) or name.endswith(ends))[
            :_MAX_NAMES_ALL_SEARCHED
        ]
    if len(names) > _MAX_NAMES_COMPARED:
        parts = _split_letters(word)
        names = sorted(names, key=lambda name: (-_measure_likeness(parts, _split_letters(name)), name))[
            :_MAX_NAMES_COMPARED
        ]
    return names


def _split_letters(word: str) -> set[str]:
    return {*word, *map("".join, pairwise(word))}


def _measure_likeness(parts: set[str], others: set[str]) -> float:
    return 2 * len(parts & others) / (len(parts) + len(others))


def quoted(name: str) -> str:
    """Return a name in notation, in quotes if it contains a space or another character that ends a word."""
    return f'"{name}"' if re.search(r"[\s,;=#()|]", name) else name


MODULE = "field_staff_folder_"
"""The prefix of a Python module's name when it is loaded from a folder; digits made from its path follow."""


_TRACEBACK = "--debug adds the traceback for the plugin's author"
_EMPTY_KEY_REMEDY = "the word is '' because it is not stated: look a word up only when it is not empty; "
"""The remedy for looking up an empty word, which probably comes from an unstated fact."""


def _find_remedy(error: BaseException) -> str:
    if isinstance(error, CodeError):
        return f"{error.hint}; " if error.hint else ""
    if isinstance(error, KeyError) and error.args:
        key = error.args[0]
        return (
            f"what is looked up there has no entry {key!r}: add it, or do not look it up; "
            if key
            else _EMPTY_KEY_REMEDY
        )
    return ""


class CodeError(LookupError):
    """A name in a plugin's code that its game lacks, or that names something of another kind there.

    The fault is in the code and not in a data file.
    """

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint


class PluginError(InputError):
    """A plugin that cannot be loaded or that fails."""

    def at(self, where: Where) -> PluginError:
        return self


class UnloadedPlugin(PluginError, MachineError):
    """A plugin that could not be loaded completely.

    Code that leaves out unanswerable questions lets this error pass.
    """


def word_plugin_error(plugin: str, error: BaseException, doing: str = "", place: str = "") -> PluginError:
    """Return the error for a plugin's code that fails.

    `plugin`: the plugin's name, with its distribution or folder.
    `doing`: the failed task as a verb with its object.
    `place`: the file and line, if known.
    """
    failed = f" to {doing}" if doing else ""
    if place:
        failed += f": {place}"
    message = re.sub(rf"{MODULE}[0-9a-f]+\.?", "", error.msg if isinstance(error, SyntaxError) else str(error))
    kind_of_error = "" if isinstance(error, CodeError) else f"{type(error).__name__}: "
    kind = UnloadedPlugin if isinstance(error, ImportError) else PluginError
    return kind(f"plugin {plugin} failed{failed}: {kind_of_error}{message}", hint=f"{_find_remedy(error)}{_TRACEBACK}")


def find_failed_line(error: BaseException, folder: Traversable) -> str:
    """Return the last line of a game's code in a traceback, as `supply.py:3`, or "" if no file of the game is in it."""
    from traceback import walk_tb

    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        lines.append((error.filename, error.lineno or 0))
    places = [place for file, line in lines if (place := format_code_place(file, line, folder))]
    return places[-1] if places else ""


def format_code_place(file: str, line: int, folder: Traversable) -> str:
    """Return a place in a game's code as `supply.py:3`, or "" if the file is not in the folder.

    `line`: the line, or 0 to leave it out.
    """
    from pathlib import Path  # loaded late, so that `assistant --help` is fast

    home, path = Path(str(folder)), Path(file)
    return str(Where(path.relative_to(home).as_posix(), line)) if path.is_relative_to(home) else ""

"""A referee's file, read case by case: a head that all cases share, then positions, questions and the answers expected.

The grammar is on the page "A referee's files" of the handbook. Positions are in position notation, which this reader
does not read: it parts the lines and keeps their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from ...state.words import check_signs, split_at_colon, strip_comment
from ...util.errors import InputError, Where, plain
from ...util.files import numbered_lines
from ...util.limits import Limit
from ...util.patterns import late_pattern

FORMAT = "1"
"""The version of the format, in the first line of each file."""
NOTHING = "nothing"
"""What stands for no values at all."""
IN_HEAD = ("referee", "value", "uses")
"""The words that begin a line of the head, beside those of position notation."""
IN_CASE = ("ask", "do", "answers", "expect")
"""The words that begin a line of a case, beside those of position notation."""
_NAME = late_pattern(r"[a-z][a-z0-9-]*")
"""The name of a value."""
_WORD = r'"[^"]*"|[^\s",=#]+'
_VALUE = late_pattern(rf"\s*({_WORD})(?:\s*=\s*({_WORD}))?\s*(,|$)")
"""A value behind a name, or a pair of them, with the comma before the next."""


class NamedValue(msgspec.Struct, frozen=True):
    """A name for values of an answer."""

    path: str
    """Where the values stand in the answer."""
    line: int
    """The line of the file."""


class UsedFile(msgspec.Struct, frozen=True):
    """A file or a folder of the game with which the answers were found."""

    path: str
    """The path in the game's folder."""
    mark: str
    """A mark of its contents."""
    line: int


class Head(msgspec.Struct, frozen=True):
    """What all cases of a file share."""

    file: str
    """Its name."""
    notation: str
    """Its lines of position notation, in their places."""
    values: dict[str, NamedValue] = {}
    uses: tuple[UsedFile, ...] = ()


class ExpectedValues(msgspec.Struct, frozen=True):
    """Values that are expected."""

    name: str
    """The name of the values, or their path."""
    values: tuple[str, ...]
    """As they are written, without quotes, in any order."""
    line: int


class Exchange(msgspec.Struct, frozen=True):
    """A question with what is expected of its answer."""

    asked: str
    """The question as it stands in the file."""
    line: int
    """The line of the question."""
    carried_out: bool
    """Whether the position that follows is the one after its answer."""
    notation: str
    """The lines that state what changes before it, and the question itself with its answers."""
    first: int
    """The line of the file in which the notation begins."""
    expected: tuple[ExpectedValues, ...] = ()


class Case(msgspec.Struct, frozen=True):
    """A position and what is asked about it, one after the other."""

    name: str
    line: int
    exchanges: tuple[Exchange, ...]


def read_suite(path: Path) -> tuple[Head, Iterator[Case]]:
    """Return the head of a file, and its cases, which are read as they are taken.

    Raises InputError, with file and line, for a file that cannot be read and for what the grammar does not allow; the
    iterator does too.
    """
    reader = _CaseReader(str(path), numbered_lines(path))
    return reader.read_head(), reader.read_cases()


def parse_suite(text: str, name: str) -> tuple[Head, Iterator[Case]]:
    """Return the same of a text. name: what messages call it. Raises what `read_suite` raises."""
    reader = _CaseReader(name, enumerate(text.splitlines(), 1))
    return reader.read_head(), reader.read_cases()


class _CaseReader:
    """Reads one file line by line. lines: each with its number."""

    def __init__(self, name: str, lines: Iterable[tuple[int, str]]) -> None:
        self.name = name
        self.lines = iter(lines)
        self.line = 0
        self.following: tuple[str, str, str] | None = None
        """The line that ended what was read last, as first word, rest and whole line."""

    def make_fault(self, what: str, hint: str = "") -> InputError:
        """Return an error in the current line."""
        return InputError(what, where=Where(self.name, self.line), hint=hint)

    def read_rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield the lines that say anything: the first word, what follows it, and all of it without a comment."""
        if self.following:
            row = self.following
            self.following = None
            yield row
        for number, text in self.lines:
            self.line = number
            if len(text) > Limit.LINE.most:
                raise Limit.LINE.error("the line holds").at(Where(self.name, self.line))
            bare = strip_comment(text.replace("\t", " "))
            check_signs(bare, lambda column: Where(self.name, self.line, column))
            word, _, rest = bare.strip().partition(" ")
            if word:
                yield word, rest.strip(), bare

    def read_head(self) -> Head:
        """Return the head, read as far as the first case. Raises InputError for what cannot be read."""
        notation = _Lines(1)
        values = dict[str, NamedValue]()
        uses = list[UsedFile]()
        begun = False
        for word, rest, text in self.read_rows():
            if not begun:
                self.check_format(word, rest)
                begun = True
            elif word == "case":
                self.following = word, rest, text
                break
            elif word == "value":
                name, path = self.split_parts(rest, "value NAME = PATH")
                if name in values:
                    raise self.make_fault(f"value {name} is given twice", "leave out one of the two")
                values[name] = NamedValue(path, self.line)
            elif word == "uses":
                path, _, mark = rest.partition(" ")
                if not re.fullmatch("[0-9a-f]{16}", mark.strip()):
                    raise self.make_fault("the mark of a file is 16 hexadecimal digits", "write: uses PATH MARK")
                uses.append(UsedFile(path, mark.strip(), self.line))
            elif word in IN_CASE:
                raise self.make_fault(f"{word!r} stands before the first case", "begin one: case NAME")
            else:
                notation.put(self.line, text)
        if not begun:
            raise InputError("the file is empty", where=Where(self.name), hint=f"begin it: referee {FORMAT}")
        if not self.following:
            raise self.make_fault("the file has no case", "begin one: case NAME")
        return Head(self.name, notation.text, values, tuple(uses))

    def check_format(self, word: str, rest: str) -> None:
        """Raise InputError for a file that is no referee's file, or one of a later version."""
        if word != "referee":
            raise self.make_fault("this is not a referee's file", f"it begins with: referee {FORMAT}")
        if rest != FORMAT:
            raise self.make_fault(f"version {rest or 'none'} of the format is not known", f"known: {FORMAT}")

    def split_parts(self, text: str, pattern: str) -> tuple[str, str]:
        """Return a name and what is said of it."""
        before, _, behind = text.partition("=")
        name = before.strip()
        path = behind.strip()
        if not path or not _NAME.fullmatch(name):
            raise self.make_fault(
                f"a name of small letters and a path are expected, not {plain(text, 40)!r}", f"write: {pattern}"
            )
        return name, path

    def read_cases(self) -> Iterator[Case]:
        """Yield the cases one by one."""
        names = set[str]()
        while self.following:
            name = self.following[1].strip('"')
            if not name:
                raise self.make_fault("the case has no name", "name it: case NAME")
            if name in names:
                raise self.make_fault(f"a case named {name} stands above", "name it: case NAME")
            names.add(name)
            yield self.read_case(name)

    def read_case(self, name: str) -> Case:
        """Return one case, read as far as the next. Raises InputError for what cannot be read."""
        begin = self.line
        self.following = None
        exchanges = list[Exchange]()
        pending = _Pending(self)
        for word, rest, text in self.read_rows():
            Limit.LINES.check(self.line - begin, "the case holds")
            if word == "case":
                self.following = word, rest, text
                break
            if word in IN_HEAD:
                raise self.make_fault(f"{word!r} belongs above the first case")
            if pending.asked and (word in ("ask", "do") or word not in IN_CASE):
                exchanges.append(pending.finish())
                pending = _Pending(self)
            pending.add_line(word, rest, text)
        if not pending.asked:
            raise InputError("no question ends the case", where=Where(self.name, begin), hint="write: ask QUESTION ...")
        return Case(name, begin, (*exchanges, pending.finish()))

    def read_expected(self, text: str) -> ExpectedValues:
        """Return the values of `NAME: VALUE, VALUE` with the lines that follow a comma at the end of one."""
        line = self.line
        name, colon, rest = split_at_colon(text)
        if not colon or not name.strip():
            raise self.make_fault("the values that are expected have no name", "write: expect NAME: VALUE, ...")
        parts = [rest.rstrip()]
        while parts[-1].endswith(","):
            _, _, more = next(self.read_rows(), ("", "", ""))
            if not more.strip():
                raise self.make_fault("a value is missing after the comma")
            Limit.LINES.check(self.line - line, "what is expected holds")
            parts.append(more.rstrip())
        rest = " ".join(parts)
        if rest.strip() == NOTHING:
            return ExpectedValues(name.strip(), (), line)
        return ExpectedValues(name.strip(), tuple(self.read_values(rest)), line)

    def read_values(self, text: str) -> Iterator[str]:
        """Yield the values between commas, `KEY=VALUE` as one."""
        at = 0
        end = len(text.rstrip())
        while at < end or not at:
            match = _VALUE.match(text, at)
            if match is None:
                hint = f"write VALUE or KEY=VALUE, with commas between them, what has spaces in quotes, or {NOTHING}"
                raise self.make_fault(f"no value can be read at {plain(text[at : at + 30])!r}", hint)
            key = match[1].strip('"')
            value = match[2]
            yield key if value is None else f"{key}={value.strip(chr(34))}"
            at = match.end()


class _Lines:
    """Lines of a file in their places: those between them are empty. first: the number of the first."""

    def __init__(self, first: int = 0) -> None:
        self.first = first
        self.lines = list[str]()

    def put(self, number: int, text: str) -> None:
        """Add a line by its number."""
        self.first = self.first or number
        self.lines += [""] * (number - self.first - len(self.lines))
        self.lines.append(text)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.lines)


class _Pending:
    """A question that is being read, with what changes before it. asked: its line, "" before it comes."""

    def __init__(self, reader: _CaseReader) -> None:
        self.reader = reader
        self.notation = _Lines()
        self.asked = ""
        self.line = 0
        self.carried_out = False
        self.expected: list[ExpectedValues] = []

    def add_line(self, word: str, rest: str, text: str) -> None:
        """Read a line of it."""
        reader = self.reader
        if word in ("answers", "expect") and not self.asked:
            raise reader.make_fault(f"no question stands above {word!r}", "write it above: ask QUESTION ...")
        if word == "answers" and self.expected:
            raise reader.make_fault(
                "these answers come too late", "write them below the question, above what is expected"
            )
        if word == "expect":
            self.expected.append(reader.read_expected(rest))
            return
        if word in ("ask", "do"):
            if not rest:
                raise reader.make_fault("the question is missing", f"write: {word} QUESTION name=value ...")
            self.asked = rest
            self.line = reader.line
            self.carried_out = word == "do"
            if self.carried_out:
                text = text.replace("do", "ask", 1)
        self.notation.put(reader.line, text)

    def finish(self) -> Exchange:
        """Return the question with all that is expected. Raises InputError if nothing is."""
        if not self.expected:
            where = Where(self.reader.name, self.line)
            hint = "write: expect NAME: VALUE, ..."
            raise InputError("nothing is expected of this question", where=where, hint=hint)
        notation = self.notation
        return Exchange(self.asked, self.line, self.carried_out, notation.text, notation.first, tuple(self.expected))

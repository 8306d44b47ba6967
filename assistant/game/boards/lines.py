"""The .lines files of a board, read and written: chains of hexsides or hexes, and facts of single places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from ...state.state import hexside
from ...state.tracks import Subject, Track, Value
from ...state.words import Vocabulary, Word, check_signs, strip_comment
from ...util.datafiles import read_text
from ...util.errors import InputError, OnFault, UnknownWord, Where, located, quoted
from ...util.patterns import late_pattern
from ..hexes import Corner, Hex
from .board import Board
from .features import LABELS, Basis, HexChain, MapLabel, check_name, read_basis

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_TOKEN = late_pattern(
    r'"(?P<quoted>[^"]*)"'
    r'|\[(?P<basis>(?:[^\[\]"]|"[^"]*")*)\]'
    r"|(?P<comma>,)"
    r'|(?P<word>[^\s",\[\]|]+="[^"]*"|[^\s",\[\]|]+(?:\s*\|\s*[^\s",\[\]|]+)?)'
    r"|(?P<stray>\S)"
)


_LINE_END = late_pattern("\r\n|\r|\n")
_QUOTED_NAME = late_pattern('"[^"]*"')


class Token(msgspec.Struct, frozen=True):
    """A word of an entry, with its place."""

    kind: str
    """The name of its group in `_TOKEN`, or "colon"."""
    text: str
    where: Where

    @property
    def word(self) -> Word:
        """The token as a word of a typed line."""
        return Word(self.text, self.where.column, self.kind == "quoted")


def read_file(file: Traversable, name: str, on_fault: OnFault) -> str:
    """Return the text of a file, or "" after a fault."""
    try:
        return read_text(file, name)
    except InputError as error:
        on_fault(error)
        return ""


def editor_lines(text: str) -> list[str]:
    """Return the lines of a text as an editor counts them: rare Unicode separators do not end a line."""
    return _LINE_END.split(text)


def split_entries(text: str, file: str, on_fault: OnFault) -> Iterator[list[Token]]:
    """Yield the entries of a text. A line with a fault spoils its whole entry.

    `on_fault`: receives each fault, with file and line.
    """
    entry: list[Token] = []
    spoiled = False
    for number, line in enumerate(editor_lines(text), 1):
        bare = strip_comment(line.replace("\t", " "))
        if not bare:
            continue
        if not bare.startswith(" "):
            if entry and not spoiled:
                yield entry
            entry = []
            spoiled = False
        try:
            if bare.startswith(" ") and not entry and not spoiled:
                raise InputError(
                    "a line that begins with a space continues an entry, but there is none before it",
                    where=Where(file, number, 1),
                    hint="remove the space",
                )
            nameless = _QUOTED_NAME.sub(lambda name: f'"{"x" * (len(name[0]) - 2)}"', bare)
            check_signs(nameless, partial(Where, file, number))
            entry += split_tokens(bare, Where(file, number, 1))
        except InputError as error:
            spoiled = True
            on_fault(error.at(Where(file, number, 1)))
    if entry and not spoiled:
        yield entry


def split_tokens(text: str, begin: Where) -> list[Token]:
    """Return the words of a line.

    `begin`: the place of the line's first letter.

    Raises InputError if there is a stray character, or a name that cannot be printed.
    """
    tokens = []
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        text_found = match[kind]
        where = Where(begin.file, begin.line, begin.column + match.start())
        if kind == "stray":
            hint = (
                "square brackets enclose the source of an entry: [...]"
                if text_found in "[]"
                else "write a hexside as HEX|NEXT"
            )
            raise InputError(f"{text_found} has no meaning here", where=where, hint=hint)
        if kind == "quoted":
            with located(where):
                check_name(text_found)
        if kind == "basis":
            where = Where(begin.file, begin.line, where.column + 1)
        if kind == "word" and text_found.endswith(":"):
            if len(text_found) > 1:
                tokens.append(Token("word", text_found[:-1], where))
            tokens.append(Token("colon", ":", Where(begin.file, begin.line, where.column + len(text_found) - 1)))
        else:
            tokens.append(Token(kind, text_found, where))
    return tokens


State = Callable[[str, str, Value, Basis, Where], None]
"""A function that receives a fact: its track, subject, value, source and place."""


class LinesReader:
    """A reader of the `.lines` files of a board.

    An entry with a fault is skipped as a whole. An entry with a contradicted fact keeps its other facts.

    `usual`: the source of entries that name none.
    """

    def __init__(self, board: Board, tracks: Mapping[str, Track], usual: Basis, state: State) -> None:
        self.board = board
        self.usual = usual
        self.state = state
        self.chains: list[HexChain] = []
        self.labels: list[MapLabel] = []
        self._vocabulary = Vocabulary(tracks)
        self._basis = usual
        self._read: dict[tuple[Subject, str], tuple[str, Value] | None] = {}
        self._hexes: dict[str, tuple[str, Hex]] = {}

    def read(self, text: str, file: str, on_fault: OnFault) -> None:
        """Read one file. Each fault goes to `on_fault` with line and column."""
        self._basis = self.usual
        for entry in split_entries(text, file, on_fault):
            try:
                with located(entry[0].where):
                    self._read_entry(entry, on_fault)
            except InputError as error:
                on_fault(error)

    def _read_entry(self, tokens: list[Token], on_fault: OnFault) -> None:
        """Read a `source` line, a chain or label with a colon, or facts of single places without one."""
        if (tokens[0].kind, tokens[0].text.casefold()) == ("word", "source"):
            if odd := next((token for token in tokens if token.kind not in ("word", "quoted")), None):
                hint = 'write the source in a separate line: source drawn "from what" since 1914'
                raise InputError(f"{odd.text} has no meaning after a source", where=odd.where, hint=hint)
            self._basis = read_basis([token.word for token in tokens[1:]], self.usual)
            return
        basis, tokens = self._split_basis(tokens)
        colon = next((number for number, token in enumerate(tokens) if token.kind == "colon"), None)
        if colon is None:
            try:
                facts = self._read_facts(tokens, basis)
            except InputError:
                self._check_for_colon(tokens)
                raise
        else:
            facts = self._read_chain(tokens[0].where if tokens else None, tokens[:colon], tokens[colon:], basis)
        for fact in facts:
            try:
                self.state(*fact)
            except InputError as error:
                on_fault(error)

    def _split_basis(self, tokens: list[Token]) -> tuple[Basis, list[Token]]:
        rest = [token for token in tokens if token.kind != "basis"]
        bases = [token for token in tokens if token.kind == "basis"]
        if len(bases) > 1:
            raise InputError(
                "a second [...] in one entry", where=bases[1].where, hint="write only one, at the end of the entry"
            )
        if not rest:
            raise InputError("this [...] follows no entry", hint="write it after an entry")
        if not bases:
            return self._basis, rest
        with located(bases[0].where):
            return read_basis([token.word for token in split_tokens(bases[0].text, bases[0].where)], self._basis), rest

    # --- entries with a colon ---

    def _read_chain(
        self, where: Where | None, head: Sequence[Token], body: Sequence[Token], basis: Basis
    ) -> list[tuple[str, str, Value, Basis, Where]]:
        """Read a chain or a label, and return the facts that it states.

        `body`: the colon and the words after it.
        """
        where = where or body[0].where
        name = head[0].text if head and head[0].kind == "quoted" else ""
        words = head[1:] if name else head
        _check_words(words)
        if not words:
            raise InputError(
                "nothing before the colon says what lies there", where=body[0].where, hint=self._format_hint()
            )
        steps = list(self._read_steps(body))
        if len(words) == 1 and words[0].text in LABELS:
            self.labels.append(self._read_label(name, words[0].text, steps, basis, where))
            return []
        along = isinstance(steps[0], _ChainSide)
        facts = [self._read_chain_fact(token, along=along) for token in words]
        if along:
            sides = [step for step in steps if isinstance(step, _ChainSide)]
            self._check_touching(sides)
            subjects = {"hexside": [(side.name, side.where) for side in sides]}
        else:
            hexes = [step for step in steps if isinstance(step, _ChainHex)]
            subjects = {"hex": [(at.name, at.where) for at in hexes]}
            if any(on == "hexside" for on, _ in facts):
                subjects["hexside"] = self._find_links(hexes)
        path = subjects["hexside" if along else "hex"]
        self.chains.append(
            HexChain(
                name=name,
                facts=tuple(fact for _, fact in facts),
                along=along,
                path=tuple(subject for subject, _ in path),
                basis=basis,
                where=where,
            )
        )
        return [(track, subject, value, basis, at) for on, (track, value) in facts for subject, at in subjects[on]]

    def _read_label(
        self, name: str, kind: str, steps: Sequence[_ChainSide | _ChainHex], basis: Basis, where: Where
    ) -> MapLabel:
        if not name:
            raise InputError(f"a {kind} without a name", hint=f'write: "NAME" {kind}: HEX HEX ...')
        hexes = []
        for step in steps:
            if isinstance(step, _ChainSide):
                raise InputError("a label runs along hexes", where=step.where, hint="name hexes, not hexsides")
            hexes.append(step.name)
        return MapLabel(name=name, kind=kind, hexes=tuple(hexes), basis=basis, where=where)

    def _read_steps(self, body: Sequence[Token]) -> Iterator[_ChainSide | _ChainHex]:
        """Yield the hexsides or hexes after the colon that begins `body`."""
        along: bool | None = None
        last_hex: str | None = None
        last = body[0]
        for token in body[1:]:
            with located(token.where):
                if token.kind == "colon":
                    raise InputError("a second colon in one entry", hint="begin the other entry in a new line")
                if token.kind == "comma":
                    if last.kind == "comma" or last_hex is None:
                        raise InputError(
                            "a comma has no meaning here", hint="it separates the hexes beyond: HEX|NEXT,NEXT"
                        )
                elif last.kind == "comma":
                    yield self._read_side(str(last_hex), token)
                else:
                    first, bar, other = token.text.partition("|")
                    if along is None:
                        along = bool(bar)
                    elif along != bool(bar):
                        raise InputError("hexes and hexsides in one chain", hint="write two entries")
                    if bar:
                        last_hex = first.strip()
                        yield self._read_side(last_hex, token, other.strip())
                    else:
                        yield _ChainHex(*self._read_hex(token.text), token.where)
            last = token
        if along is None or last.kind == "comma":
            raise InputError("a hex is missing", where=last.where, hint=self._format_hint())

    def _find_links(self, hexes: Sequence[_ChainHex]) -> list[tuple[str, Where]]:
        if len(hexes) < 2:
            raise InputError("a chain needs at least two hexes", where=hexes[0].where, hint=self._format_hint())
        links = []
        for at, other in pairwise(hexes):
            if self.board.grid.distance(at.hex, other.hex) != 1:
                with located(other.where):
                    self.board.check_adjacent(at.name, other.name, "each hex of a chain is adjacent to the one before")
            links.append((hexside(at.name, other.name), other.where))
        return links

    def _check_touching(self, sides: Sequence[_ChainSide]) -> None:
        end: Corner | None = None
        for side, other in pairwise(sides):
            shared = {*side.ends} & {*other.ends}
            if len(shared) != 1:
                what = (
                    f"{other.text} repeats the hexside before it"
                    if shared
                    else f"{other.text} does not touch {side.text}"
                )
                hint = "each hexside of a chain shares a corner with the one before; begin another entry for the rest"
                raise InputError(what, where=other.where, hint=hint)
            if shared == {end}:
                hint = "a chain does not fork; begin another entry for a branch"
                raise InputError(
                    f"{other.text} meets {side.text} at the corner where it began", where=other.where, hint=hint
                )
            end = shared.pop()

    # --- entries without a colon ---

    def _read_facts(self, tokens: Sequence[Token], basis: Basis) -> list[tuple[str, str, Value, Basis, Where]]:
        """Read the facts of single hexes, boxes or hexsides: `HEX, HEX word` or `HEX|NEXT,NEXT word`."""
        if tokens[0].kind == "quoted" and not self.board.is_box(tokens[0].text):
            tokens = tokens[1:]  # a name only informs people who read the file
        if not tokens:
            raise InputError("a hex is missing after the name", hint=self._format_hint())
        subjects: list[tuple[str, Where]] = []
        side_hex = ""
        about: Subject = "hex"
        end = 0
        for number, token in enumerate(tokens):
            if number % 2:
                if token.kind != "comma":
                    break
            else:
                with located(token.where):
                    first, bar, other = token.text.partition("|")
                    if bar and token.kind == "word":
                        side_hex = first.strip()
                        about = "hexside"
                        side = self._read_side(side_hex, token, other.strip())
                        subjects.append((side.name, token.where))
                    elif side_hex:
                        subjects.append((self._read_side(side_hex, token).name, token.where))
                    else:
                        subjects.append((self._read_place(token), token.where))
            end = number + 1
        words = tokens[end:]
        if end % 2 == 0:
            raise InputError("a hex is missing after the comma", where=tokens[end - 1].where, hint=self._format_hint())
        _check_words(words)
        if not words:
            raise InputError("the entry does not say what lies there", where=tokens[-1].where, hint=self._format_hint())
        facts = [self._read_fact(about, token) for token in words]
        return [(track, subject, value, basis, at) for track, value in facts for subject, at in subjects]

    def _check_for_colon(self, tokens: Sequence[Token]) -> None:
        unnamed = tokens[1:] if tokens[0].kind == "quoted" else tokens
        first_hex = next((number for number, token in enumerate(unnamed) if not self._states_fact(token)), 0)
        if first_hex:
            raise InputError(
                "a colon is missing before the hexes", where=unnamed[first_hex].where, hint=self._format_hint()
            )

    # --- words, hexes, hexsides ---

    def _read_chain_fact(self, token: Token, *, along: bool) -> tuple[Subject, tuple[str, Value]]:
        """Return the fact that a word of a chain states, and the kind of its subject."""
        side = self._find_fact("hexside", token)
        hex = None if along else self._find_fact("hex", token)
        if side and hex:
            both = f"{side[0]}={token.text} or {hex[0]}={token.text}"
            raise InputError(
                f"{token.text!r} can be a fact about hexsides or about hexes", where=token.where, hint=f"write {both}"
            )
        if hex:
            return "hex", hex
        return "hexside", side or self._read_fact("hexside", token, also=LABELS)

    def _read_fact(self, on: Subject, token: Token, also: Sequence[str] = ()) -> tuple[str, Value]:
        fact = self._find_fact(on, token)
        if fact is None:
            hint = self._vocabulary.suggest(on, token.text, also)
            raise UnknownWord(f"{token.text!r} is not a fact about a {on}", where=token.where, hint=hint)
        return fact

    def _states_fact(self, token: Token) -> bool:
        if token.kind != "word" or "|" in token.text:
            return False
        return token.text in LABELS or any(self._vocabulary.is_taken(on, token.text) for on in _GROUND_SUBJECTS)

    def _find_fact(self, on: Subject, token: Token) -> tuple[str, Value] | None:
        key = on, token.text
        if key not in self._read:
            with located(token.where):
                if token.text.endswith("?"):
                    raise InputError(f"{token.text!r}: a board holds no assumptions", hint="name its source: [drawn]")
                unquoted = re.sub(r'="([^"]*)"', r"=\1", token.text)
                # the added ? keeps one at the end of a quoted text from being read as a doubt
                doubtful = Word(f"{unquoted}?", token.where.column)
                fact = self._vocabulary.read(on, doubtful)
            self._read[key] = (fact[0].name, fact[1].value) if fact else None
        return self._read[key]

    def _read_place(self, token: Token) -> str:
        return self.board.place(token.text) if self.board.is_box(token.text) else self._read_hex(token.text)[0]

    def _read_hex(self, text: str) -> tuple[str, Hex]:
        if text not in self._hexes:
            try:
                name = self.board.place(text)
            except InputError as error:
                raise self._explain_hex(text, error) from None
            self._hexes[text] = name, self.board.grid.parse(name)
        return self._hexes[text]

    def _explain_hex(self, text: str, error: InputError) -> InputError:
        """Return the fault of a word that is not a hex.

        The hint explains a box without quotes, or a colon without a space after it.
        """
        box = next((box for box in self.board.boxes if box.casefold().startswith(f"{text.casefold()} ")), "")
        if box:
            error.hint = f"put the name of a box in quotes: {quoted(box)}"
        elif ":" in text and ":" not in self.board.grid.name(self.board.grid.middle):
            error.hint = "put a space after the colon"
        return error

    def _read_side(self, here: str, token: Token, there: str = "") -> _ChainSide:
        there = there or token.text
        (one, one_hex) = self._read_hex(here)
        (other, other_hex) = self._read_hex(there)
        if self.board.grid.distance(one_hex, other_hex) != 1:
            self.board.check_adjacent(one, other, "a hexside lies between two adjacent hexes")
        text = f"{here}|{there}"
        return _ChainSide(hexside(one, other), text, self.board.grid.corners(one_hex, other_hex), token.where)

    def _format_hint(self) -> str:
        grid = self.board.grid
        here, *others = (grid.name(at) for at in (grid.middle, *grid.around(grid.middle).values()))
        return f'write "NAME" WORD: {here}|{others[0]},{others[1]} ..., WORD: {here} {others[0]} ... or {here} WORD'


_GROUND_SUBJECTS: tuple[Subject, ...] = ("hex", "hexside")


class _ChainHex(msgspec.Struct, frozen=True):
    name: str
    hex: Hex
    where: Where


class _ChainSide(msgspec.Struct, frozen=True):
    name: str
    text: str
    """The hexside as written in the file."""
    ends: tuple[Corner, Corner]
    where: Where


def _check_words(words: Sequence[Token]) -> None:
    for token in words:
        if token.kind != "word" or "|" in re.sub('"[^"]*"', "", token.text):
            shown = {"comma": ",", "quoted": f'"{token.text}"', "colon": ":"}.get(token.kind, token.text)
            hint = "a name comes first, then the words for what lies there, then, for a chain, a colon"
            raise InputError(f"{shown} has no meaning here", where=token.where, hint=hint)


WIDTH = 120
"""The maximum length of a written line, in letters."""


def write_chain(chain: HexChain, tracks: Mapping[str, Track], usual: Basis) -> str:
    """Return a chain as an entry.

    `usual`: the source of the entries around it.
    """
    name = f'"{chain.name}" ' if chain.name else ""
    words = " ".join(write_fact(tracks, track, value) for track, value in chain.facts)
    path = _write_sides(chain.path) if chain.along else " ".join(chain.path)
    return _write_entry(f"{name}{words}: {path}", chain.basis, usual)


def write_label(label: MapLabel, usual: Basis) -> str:
    """Return a label as an entry.

    `usual`: the source of the entries around it.
    """
    return _write_entry(f'"{label.name}" {label.kind}: {" ".join(label.hexes)}', label.basis, usual)


def write_facts(
    subjects: Sequence[str], facts: Mapping[str, Value], tracks: Mapping[str, Track], basis: Basis, usual: Basis
) -> str:
    """Return the common facts of several hexes or hexsides as an entry.

    `usual`: the source of the entries around it.
    """
    words = " ".join(write_fact(tracks, track, value) for track, value in facts.items())
    return _write_entry(
        f"{', '.join(subject if '|' in subject else quoted(subject) for subject in subjects)} {words}", basis, usual
    )


def write_fact(tracks: Mapping[str, Track], name: str, value: Value) -> str:
    """Return the words that state a value of a track, with the track's name if they might mean another track."""
    track = tracks[name]
    if track.kind == "text":
        return f'{name}="{track.write(value)}"'
    if isinstance(value, str):
        words = {value}
    elif isinstance(value, tuple):
        words = {*value}
    else:
        words = {track.written}
    others = (other for other in tracks.values() if other.on in ("hex", "hexside") and other.name != name)
    if any(words & {*other.values, other.written} for other in others):
        return f"{name}={track.write(value)}"
    return track.word(value)


def _write_basis(basis: Basis) -> str:
    since = f"since {basis.since}" if basis.since else ""
    note = f'"{basis.note}"' if basis.note else ""
    return " ".join(filter(None, (basis.source.value, basis.rule, note, since)))


def _write_entry(text: str, basis: Basis, usual: Basis) -> str:
    """Return an entry on as many lines as it needs, without breaks inside quotation marks or brackets."""
    basis_text = "" if basis == usual else f" [{_write_basis(basis)}]"
    lines = [""]
    for part in _PART.findall(text + basis_text):
        if lines[-1] and len(lines[-1]) + len(part) >= WIDTH:
            lines.append("   ")
        lines[-1] = f"{lines[-1]} {part}" if lines[-1] else part
    return "\n".join(lines)


_PART = late_pattern(r'\[(?:[^\[\]"]|"[^"]*")*\]|(?:"[^"]*"|[^\s"\[])+')


def _write_sides(path: Sequence[str]) -> str:
    """Return hexsides in order, consecutive ones of one hex as `HEX|NEXT,NEXT`."""
    return " ".join(
        f"{here}|{','.join(beyond)}" for here, beyond in _group_sides([tuple(side.split("|")) for side in path])
    )


def _group_sides(sides: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, list[str]]]:
    """Yield each hex with the hexes beyond its consecutive hexsides."""
    here = ""
    beyond = list[str]()
    for number, (one, other) in enumerate(sides):
        if here in (one, other):
            beyond.append(other if here == one else one)
            continue
        if here:
            yield here, beyond
        follows = sides[number + 1] if number + 1 < len(sides) else ()
        here, there = (other, one) if other in follows and one not in follows else (one, other)
        beyond = [there]
    if here:
        yield here, beyond

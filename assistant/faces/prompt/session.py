"""A session at the table: each typed line leads from one table to the next, reports the news, and can be undone.

If a line is refused, the hint suggests only lines and words that the prompt would understand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...asking.asks import Ask, format_ask_title
from ...asking.wrapping import wrap_lines, wrap_text
from ...formats.new_units import NoLine
from ...formats.positions import Asked
from ...game.charts import Keys, cells_of, known_cells
from ...game.pasted_tables import TableReading, read_tables
from ...game.table_entry import begins_table, format_reading, format_save_question, format_table
from ...installed.registry import pack_of, questions_of
from ...state.words import STATEMENTS
from ...util.console import format_count
from ...util.errors import InputError, plain, printable, quoted, similar
from ...util.limits import Limit
from ...util.patterns import late_pattern
from ...util.texts import regular_text, words_begun
from . import answer_text, line_effects
from .answers import (
    THROWN,
    complete_question,
    format_answers,
    is_about_missing,
    list_answers,
    parameter_at_fault,
    read_answer,
)
from .combats import COMBAT_FORM
from .commands import COMMANDS, Command, cells_needed
from .desk import Confirmation, LineMeaning, PromptDesk, shorten_line
from .examples import format_ask
from .line_reading import LineReading, find_text_doubts, read_line
from .phrases import find_meaning
from .search import explain_own_words
from .shorthand.abbreviations import Abbreviations
from .shorthand.expansion import MARCH_FORM, MeaninglessSign
from .shorthand.questions import error_of_name
from .table import (
    ShownAnswer,
    TableState,
    choose_assumption,
    evaluate_if_ready,
    evaluate_table,
    format_assumption,
    pick_assumption,
    without_parameter,
)

BACK_LINE = "back"
"""The line that asks again for the previous row of a chart."""
_DROP_TABLE = "."
"""The line that drops the table of a chart while it is being typed."""
_MAX_CELLS_NAMED = 20
"""The maximum number of saved cells that are named one by one."""
_YES = ("y", "yes")
"""The lines that answer yes."""
_NO = ("n", "no")
"""The lines that answer no."""
_GRAMMAR = late_pattern(r'["<|]|(?<![-=])>|[a-z-]=|[0-9]{4}=|^[?$][^ ]|^[?$] ')
"""The signs of the grammar of lines, which no spoken text has."""
_OWN_WORDS = late_pattern(r"[^\W0-9_]+(?: [^\W0-9_]+)+[?]?")
"""Several words without signs or figures."""
_SPOKEN = late_pattern(
    r"[^\W0-9_]{2,}|[0-9](?:st|nd|rd|th|[&/][0-9])|/[IVX]|^[a-z]$|[a-z][0-9]|^=|[0-9][.][0-9]+[.][0-9]", re.IGNORECASE
)
"""The signs of a spoken word rather than a hex, a number or a unit."""
_MAX_OPTION_DIGITS = 3
_PREPOSITIONS = ("in", "at", "on")
"""The words with which no sentence ends."""
_MAX_TEXT_CHARS = 300
"""The maximum length of a text whose meaning is searched."""
_MIN_SENTENCE_WORDS = 3
"""The minimum number of further words that make a text a sentence."""
_REMARKS_ON_MORE = {"undo": "`undo` takes back one line; typed again, the line before it"}
"""The hints, by command, if further words are typed after a command without arguments."""


class SessionState(NamedTuple):
    """The state of a session before a line, to be restored if the line cannot be completed."""

    tables: tuple[TableState, ...]
    shown: ShownAnswer | None
    queue: tuple[Ask, ...]
    passed: tuple[Ask, ...]
    unfinished: Asked | None


class Session(PromptDesk):
    """A session: a desk at which lines are typed."""

    @property
    def prompt(self) -> str:
        if self.held:
            return "y or n> "
        if self.gathered:
            return "| "
        text = answer_text.format_prompt(self.pending, self.table.position.game, self.row)
        lines = list(wrap_text(text, self.width - 2, typed=True))
        if len(lines) == 1:
            return text
        whole = "\n".join(lines)
        has_room = len(lines[-1]) < self.width // 2  # enough room to type on the same line
        return f"{whole} " if has_room else whole.removesuffix(">") + "\n> "

    def begin(self) -> list[str]:
        try:
            self.shown = evaluate_table(self.table)
            return list(wrap_lines(map(printable, [*self.show(None), *self._resume_picture()]), self.width))
        except InputError as error:
            return self._format_refusal(error)

    def _resume_picture(self) -> Iterator[str]:
        if self.picture.live:
            yield from self.picture.renew(self.table, self.shown)
        if self.picture.live:
            yield from wrap_text(f"drawn after every line until `picture off`: {self.picture.live}", self.width)

    def enter(self, line: str) -> list[str]:
        """Return the response to a typed line: how it was understood and its news, or an error and a hint.

        After an error the table has not changed.
        """
        typed = regular_text(line).strip()
        text = re.sub(r"^(?:> +)+", "", typed)  # drops prompt signs that were copied with the line
        self.is_after_prompt_sign = text != typed
        self.fault = None
        pending = self.held
        was_yes_or_no = self.was_asked_yes_or_no
        self.was_asked_yes_or_no = self._is_yes_or_no(pending)
        self.held = None
        is_yes = text.casefold() in _YES
        is_no = text.casefold() in _NO
        if pending and text == "?":
            self.held = pending
            what = f"{pending.question}: y does it" if pending.question else "y takes what is offered"
            refusing = "n goes on without that" if pending.on_no else "n leaves everything as it is"
            return list(wrap_text(f"{what}, {refusing}", self.width))
        if pending and is_no and pending.on_no is None:
            self.refused = pending.line
            return ["nothing has changed"]
        go_on = None
        if pending and is_yes:
            go_on = pending.on_yes
        elif pending and is_no:
            go_on = pending.on_no
        dropped = []
        if pending and go_on:
            self.typed = pending.line
            response = go_on()
        else:
            if pending:
                dropped = [f"`{shorten_line(pending.line)}` has changed nothing"]
            self.typed = text
            # `n` abbreviates `new`, and must never empty the table
            may_answer = was_yes_or_no or self.was_asked_yes_or_no or text.casefold() == _NO[0]
            response = self._respond(text, no_command=(is_yes or is_no) and may_answer)
        try:
            lines = [*map(printable, [*dropped, *response])]
        except InputError as error:
            return self._refuse(text, error, dropped, confirmed=go_on is not None)
        self.refused = ""
        return list(wrap_lines(lines, self.width))

    def _refuse(self, text: str, error: InputError, dropped: Sequence[str], *, confirmed: bool) -> list[str]:
        """Return the response to a refused text: the question whether another line was meant, or the error.

        `dropped`: a remark on an earlier line that was neither confirmed nor refused.
        `confirmed`: whether the text answered yes or no, so that no other line is searched.
        """
        meaning = LineMeaning() if confirmed else self._find_meaning(text)
        if isinstance(error, MeaninglessSign) and not confirmed:
            meaning = LineMeaning((error.meant,), why=f"{error.what}; ")
        elif not (meaning.lines or confirmed) and (line := find_quoted_line(text, Abbreviations(self.table.position))):
            if error_of_quoted := self._find_fault(line):
                error = error_of_quoted
            else:
                meaning = LineMeaning((line,), why="put a name with spaces in quotes; ")
        if meaning.lines:
            lines_meant = ", then ".join(f"`{line}`" for line in meaning.lines)
            question = f"{meaning.why}did you mean {lines_meant}"
            self.held = Confirmation(text, question, lambda: self._respond_to_all(meaning.lines))
            return list(wrap_lines([*dropped, f"? {question}? (y or n)"], self.width))
        explained = self._explain_name(text, meaning.error or error)
        if not confirmed and explained.hint:
            keep_what_works(explained, text, lambda line: self._find_fault(line) is None)
            explained.hint = explained.hint or self._hint_now()
        self.refused = self.typed
        self.fault = explained
        return [*wrap_lines(map(printable, dropped), self.width), *self._format_refusal(explained)]

    def _find_meaning(self, text: str) -> LineMeaning:
        """Return the likely meaning of a refused text, or an empty one for a text in the grammar of lines."""
        when = self.game.file.prompt.when or "turn"
        text = text.replace(f"{when}=", f"{when} ")  # a date may follow, which is not a value of this fact
        words = text.split()
        if not words or len(text) > _MAX_TEXT_CHARS or not text.isprintable():
            return LineMeaning()
        if _GRAMMAR.search(text) or words[0] in STATEMENTS:
            return LineMeaning()
        takes_words = words[0] in COMMANDS and COMMANDS[words[0]].takes
        is_cell = self.pending is not None and self.pending.kind == "cell"
        if takes_words or is_cell or not self._is_spoken(words):
            return LineMeaning()
        has_unknown_beginning = not self._begins_as_line(words)
        try:
            meaning = find_meaning(self.table, text, self.pending, self._is_whole_command)
        except InputError as error:
            meaning = LineMeaning(error=error)
        if meaning.lines or meaning.is_certain or (meaning.error and has_unknown_beginning):
            return meaning
        if has_unknown_beginning and not self.pending and words[0].casefold() in questions_of(self.game):
            return LineMeaning((f"help {words[0].casefold()}",))
        is_wrong_value = self.pending is not None and self.pending.kind != "choice" and text.isalpha()
        is_answer = self.pending is not None and re.search("[A-Za-z]", text) and not is_wrong_value
        is_letter = len(words[0]) == 1 and words[0].islower()
        if has_unknown_beginning and not is_letter and (is_answer or len(words) > _MIN_SENTENCE_WORDS):
            return LineMeaning(error=InputError("this is not understood", hint=self._hint_now()))
        return LineMeaning()

    def _is_spoken(self, words: Sequence[str]) -> bool:
        """Return whether words may be spoken: they are more than hexes, numbers, units, commands and questions.

        If the open ask is a choice, several words may be, and so may a number that is none of its options.
        """
        known = Abbreviations(self.table.position)
        names = {*COMMANDS, *questions_of(self.game)}
        ask = self.pending
        if ask and ask.kind == "choice" and len(words) > 1:
            return True
        if ask and ask.kind == "choice" and words[0].replace(".", "").isdecimal():
            is_number = words[0].isdecimal() and len(words[0]) <= _MAX_OPTION_DIGITS
            return not (is_number and 1 <= int(words[0]) <= len(ask.options))
        # a question's name and two more words, which may be its parameters in spoken form
        if words[0] in names and len(words) == _MIN_SENTENCE_WORDS:
            return True
        bare = [word.strip(",.:;!?()") for word in words]
        if bare[-1] in _PREPOSITIONS:
            return False
        if any(_SPOKEN.search(word) and word not in names and not known.unit(word) for word in bare):
            return True
        return any(word.endswith(";") for word in words)

    def _begins_as_line(self, words: Sequence[str]) -> bool:
        """Return whether a text begins like a line, so that the error of that line explains the refusal."""
        known = Abbreviations(self.table.position)
        if len(words) <= _MIN_SENTENCE_WORDS and not (self.pending and len(words) == 1):
            is_choice = self.pending is not None and self.pending.kind == "choice"
            if words[0] in COMMANDS or words[0] in self.game.tracks:
                return True
            if not is_choice and words[0] in questions_of(self.game):
                return True
        hex_number = re.match(r"[0-9.]*[0-9](?=[a-z]*$)", words[0])
        place = hex_number[0] if hex_number else words[0]
        try:
            return bool(known.place(place) or known.unit(words[0]))
        except InputError:
            return True

    def _is_whole_command(self, line: str) -> bool:
        first, _, rest = line.partition(" ")
        if first in ("why", "done") and not self.shown:
            return False
        return first in COMMANDS and bool(self._find_command(first, rest))

    def _hint_now(self) -> str:
        if ask := self.pending:
            asked = format_ask_title(ask)
            if ask.options:
                asked += f", {' or '.join(ask.options)}"
            elif ask.dice:
                asked += f", the roll of {ask.dice} in figures"
            return f"asked for now: {asked}; `why` shows the working, `undo` goes back, `help` the rest"
        fights = ", a combat HEX < HEX" if self.game.file.prompt.ask else ""
        return f"type HEX UNIT, UNIT FACT{fights}, or a question; `help` shows each, `help WORD` what a word means"

    def _respond_to_all(self, lines: Sequence[str]) -> Iterator[str]:
        for line in lines:
            yield from self._respond(line)

    def _find_fault(self, line: str) -> InputError | None:
        try:
            if self._is_whole_command(line):
                return None
            if (ask := self.pending) and "<" not in line and read_answer(self.table, ask, line):
                return None
            table = read_line(self.table, line).table
        except InputError as error:
            return error
        try:
            evaluate_if_ready(table)
        except InputError as error:
            return None if self._closes_question(table) else error
        return None

    def _closes_question(self, table: TableState) -> bool:
        """Return whether a new table has the same question with other units.

        Such a question is closed if it has no answer.
        """
        before = self.table
        return table.asked == before.asked and table.position.state.units != before.position.state.units

    def save_state(self) -> SessionState:
        return SessionState(tuple(self.tables), self.shown, tuple(self.queue), tuple(self.passed), self.unfinished)

    def restore_state(self, before: SessionState, error: InputError) -> list[str]:
        """Restore the table before a line that failed because of memory or a disk; return the error as lines."""
        changed = self.table is not before.tables[-1]
        self.tables[:] = before.tables
        self.shown = before.shown
        self.queue = [*before.queue]
        self.passed = [*before.passed]
        self.unfinished = before.unfinished
        self.held = None
        self.refused = self.typed
        self.fault = error
        lines = self.keep_table() if changed else ()
        return [*self._format_refusal(error), *wrap_lines(map(printable, lines), self.width)]

    def _is_yes_or_no(self, pending: Confirmation | None) -> bool:
        """Return whether yes or no may answer `pending` or, if that is None, the open ask."""
        ask = self.pending
        if pending:
            return True
        if ask is None or ask.kind != "fact":
            return False
        if ask.key:
            return self.game.tracks[str(ask.key[0])].kind == "flag"
        return not ask.line

    def _format_refusal(self, error: InputError) -> list[str]:
        return answer_text.format_refusal(error, self.width)

    def _respond(self, text: str, *, no_command: bool = False) -> Iterator[str]:
        """Carry out a typed text and yield the response.

        `no_command`: whether the text is a yes or no that may answer a question, and so abbreviates no command.
        """
        first, _, rest = text.partition(" ")
        if "\0" in text or len(text.splitlines()) > 1:  # no line of a file can have these characters
            raise InputError("this is not a line of text", hint="it contains a control character: type it again")
        if self.gathered or self._is_table_begun(text):
            yield from self._gather_line(text)
        elif not text:
            self.queue = []
        elif text == "?" and self.pending:
            yield from format_ask(self.table, self.pending, self.width)
        elif text.startswith("?") and text != "?":
            assumption = pick_assumption(self.shown.assumed if self.shown else (), first[1:])
            table = choose_assumption(self.table, assumption, rest.strip())
            read = format_assumption(table, assumption.key, table.chosen[assumption.key])
            if assumption.key[0]:
                read += ", assumed"
            yield from self.lay(table, read=read)
        elif not no_command and (command := self._find_command(first, rest)):
            yield from command.run(self, rest.strip())
        elif self.passed and text.casefold() == BACK_LINE:
            yield from self._return_to_row()
        elif (ask := self.pending) and ask.kind == "cell" and (cells := self._read_cells(ask, text)):
            yield from self._keep_cells(ask, cells)
        elif ask and "<" not in text and (after := read_answer(self.table, ask, text)):
            yield from self._lay_answer(ask, after)
        elif no_command:
            hints = []
            if self.pending and self.pending.how and not self.pending.key:
                hints.append(self.pending.how)
            if begun := [name for name in COMMANDS if name.startswith(text.casefold())]:
                hints.append(f"`{begun[0]}` must be typed in full")
            raise InputError(f"{text!r} does not answer anything now", hint="; ".join(hints))
        else:
            yield from self._respond_to_line(text)

    def _lay_answer(self, ask: Ask, after: TableState) -> Iterator[str]:
        """Put a table with an answer on the others, after a confirmation if it has a new name, such as of an army."""
        position = self.table.position
        if doubts := "; ".join(find_text_doubts(position, after.position.state.facts_since(position.state))):
            yield from self.ask_first(doubts, lambda: self._place_answer(ask, after))
        else:
            yield from self._place_answer(ask, after)

    def _place_answer(self, ask: Ask, after: TableState) -> Iterator[str]:
        """Put a table with an answer on the others; a parameter that the answer makes impossible is dropped."""
        read = format_answers(self.table, after)
        try:
            yield from self.lay(after, answered=ask, read=read)
        except InputError as error:
            wrong = parameter_at_fault(after, ask, error)
            if not (wrong and after.asked):
                raise
            value = after.asked.parameters[wrong]
            try:
                asked = without_parameter(after.asked, wrong)
                yield from self.lay(after.with_question(asked), answered=ask, read=read)
            except InputError:
                raise error from None
            dropped = InputError(f"{wrong}={value} is dropped: {error.what.partition(': ')[2]}", hint=error.hint)
            yield from self._format_refusal(dropped)

    def _respond_to_line(self, text: str) -> Iterator[str]:
        if self.unfinished:
            text = complete_question(self.game, self.unfinished, text) or text
        try:
            read = read_line(self.table, text)
        except InputError as error:
            raise self._find_likely_error(text, error) from None
        if read.meant:
            question = f"{read.why}; did you mean `{read.meant}` (n: as typed)"
            yield from self.ask_first(
                question, lambda: self._respond_to_line(read.meant), lambda: self._place_reading(text, read)
            )
        else:
            yield from self._place_reading(text, read)

    def _place_reading(self, text: str, read: LineReading) -> Iterator[str]:
        if question := "; ".join([*read.doubts, *self._format_departures(read)]):
            yield from self.ask_first(question, lambda: self._place_or_close(read.table, read.words))
        elif read.table == self.table:
            yield "nothing has changed"
            target = self.game.file.prompt.target
            if text.split()[0] == "trust" and not self.table.position.state.board:
                maps = [name for name in self.game.board_names if self.game.board(name).is_map]
                if maps:
                    yield f"  no map is in use: `board {maps[0]}` reads one"
            if target and Abbreviations(self.table.position).place(text.split()[0]):
                yield f"  a new combat has < between its hexes: {COMBAT_FORM}"
        else:
            yield from self._place_or_close(read.table, read.words)

    def _format_departures(self, read: LineReading) -> Iterator[str]:
        """Yield the units that a line takes off the map without naming them, and then its new units.

        Yields no lines without such units.
        """
        if read.leaving:
            leaving = ", ".join(f"{unit} from {place}" for unit, place in read.leaving.items())
            first, *_ = read.leaving.values()
            yield f"take off the map: {leaving} (`{first} +UNIT` adds a unit instead)"
            yield from line_effects.format_new_units(self.game, self.table.position.state, read.table.position.state)

    def _place_or_close(self, table: TableState, read: str) -> Iterator[str]:
        """Put a new table on the others, and close its question if only moved units leave it without an answer."""
        before = self.table
        try:
            yield from self.lay(table, asks_new_question=table.number != before.number, read=read)
        except InputError as error:
            if table.asked != before.asked and table.asked and is_about_missing(self.game, table.asked, error):
                self.unfinished = table.asked
                hint = f"type only that, as NAME=VALUE, and `{table.asked.question}` is asked again with it"
                raise InputError(error.what, hint="; ".join(filter(None, [plain(error.hint), hint]))) from None
            if not self._closes_question(table):
                raise self._explain_reading(error, read) from None
            closed = self.shown.report.title if self.shown else ""
            yield from self.lay(table.with_question(None).with_answers({}), read=read)
            yield from wrap_text(f"closed: {closed} ({error.what})", self.width)

    def _explain_reading(self, error: InputError, read: str) -> InputError:
        """Return the error of a combat line, with a hint that gives the abbreviated words in full.

        `read`: the line as it was understood.
        """
        words = [word for word in re.findall(r"[a-z][a-z-]{3,}", read) if word not in self.typed.casefold()]
        if not words or "<" not in self.typed:
            return error
        hint = f"read as: {', '.join(dict.fromkeys(words))}"
        return InputError(error.what, where=error.where, hint="; ".join(filter(None, [plain(error.hint), hint])))

    def _find_likely_error(self, text: str, error: InputError) -> InputError:
        """Return a more helpful error for a refused line, such as a misspelt command or a roll in letters."""
        first, _, rest = text.partition(" ")
        if first == "$":
            hint = "what follows a $ is typed in the terminal, without the $: `quit` goes back to it"
            return InputError("this line is not for the table", hint=hint)
        if rest and first.casefold() in COMMANDS and isinstance(error, NoLine):
            return InputError(
                f"`{first.casefold()}` takes nothing after it", hint=_REMARKS_ON_MORE.get(first.casefold(), "")
            )
        is_own = isinstance(error, NoLine) and first not in self.game.tracks and _OWN_WORDS.fullmatch(text)
        if is_own and (named := explain_own_words(self.game, text)):
            return named
        if text.isalpha() and (near := similar(text.casefold(), COMMANDS, 0.7, 1)):
            return InputError(f"{text!r} is not understood", hint=f"nearest command: {near[0]}")
        ask = self.pending
        if ask and ask.kind == "roll" and text.isalpha():
            is_fact = any(text.casefold() in self.game.vocabulary.whole(on) for on in ("unit", "hex", "hexside"))
            is_name = text.casefold() in self.game.tracks
            if is_name or (isinstance(error, NoLine) and not is_fact):
                hint = f"type the roll of {ask.dice} in figures: the total, or the dice joined by +"
                return InputError(f"{text!r} is not a roll", hint=hint)
        if THROWN.fullmatch(text):
            return InputError(f"no dice are asked for now: {text!r}", hint=self._hint_first())
        return error

    def _explain_name(self, text: str, error: InputError) -> InputError:
        """Return a better error for part of a unit's name, or for hexes alone after a >, or else the same error."""
        known = Abbreviations(self.table.position)
        if self.is_after_prompt_sign and self.game.file.prompt.march:
            with suppress(InputError):
                if all(known.place(word) for word in text.split()):
                    return InputError(f"no unit before the > of {text}", hint=f"a move is {MARCH_FORM}")
        return error_of_name(text, error, known) or error

    def _hint_first(self) -> str:
        asked = self.table.asked
        prompt = self.game.file.prompt
        if self.pending:
            return f"answer this first: {format_ask_title(self.pending)}"
        if asked and asked.question in prompt.also:
            return f"`{prompt.ask}` goes back to the combat"
        if self.shown:
            return f"the answer stands: {self.shown.report.headline}"
        return "type a combat first" if prompt.ask else "type a question first"

    def _read_cells(self, ask: Ask, text: str) -> dict[Keys, str]:
        """Return the texts of the chart cells of the ask by key, or none for a line of another kind."""
        row = self.row or [ask]
        chart = self.game.chart(str(ask.key[0]))
        try:
            return known_cells(cells_of(chart, [cell.key[1:] for cell in row], text))
        except InputError as bad_cell:
            if self._is_line(text):
                return {}
            try:
                read_line(self.table, text)
            except InputError:
                raise bad_cell from None
            return {}

    def _is_line(self, text: str) -> bool:
        """Return whether a text is a line, even if an ask is open.

        It has the sign of a combat or a move, or begins with a hex, or with a unit and a further word.
        """
        if "<" in text or (self.game.file.prompt.march and ">" in text):
            return True
        first, *more = text.split()
        known = Abbreviations(self.table.position)
        number = re.match(r"[0-9.]*[0-9](?=[A-Za-z]+$)", first)
        place = number[0] if number else first
        with suppress(InputError):
            return bool(known.place(place) or (more and known.unit(first)))
        return False

    def _is_table_begun(self, text: str) -> bool:
        ask = self.pending
        if ask is None or ask.kind != "cell" or not text or self._is_line(text):
            return False
        return begins_table(self.game.chart(str(ask.key[0])), text)

    def _gather_line(self, text: str) -> Iterator[str]:
        """Read a line of a table of a chart; an empty line ends the table, and a dot drops it."""
        ask = self.pending
        if text == _DROP_TABLE or ask is None:
            self.gathered = []
            yield "nothing has changed"
        elif text:
            self.gathered.append(text)
            if sum(map(len, self.gathered)) > Limit.DATA.most:
                self.gathered = []
                raise Limit.DATA.error("the table has")
        else:
            whole = "\n".join(self.gathered)
            self.gathered = []
            chart = self.game.chart(str(ask.key[0]))
            stated = [keys for name, keys in self.table.position.state.cells if name == chart.name]
            entered = pack_of(self.game).charts.cells(chart.name)
            try:
                readings = read_tables(chart, whole, chart.ends((*entered, *stated)))
            except InputError as error:
                yield from self._format_refusal(error)
            else:
                yield from self._offer_table(ask, readings, 0)

    def _offer_table(self, ask: Ask, readings: Sequence[TableReading], number: int) -> Iterator[str]:
        """Show a reading of a table of a chart and ask whether to save its cells; `n` shows the next reading.

        `number`: the index of the reading.
        """
        if number == len(readings):
            yield "nothing has changed"
            return
        reading = readings[number]
        yield from format_table(self.game.chart(str(ask.key[0])), reading, self.width)
        for line in format_reading(reading):
            yield from wrap_text(line, self.width)
        yield from self.ask_first(
            format_save_question(reading, number + 1, len(readings)),
            lambda: self._keep_cells(ask, reading.cells),
            lambda: self._offer_table(ask, readings, number + 1),
        )

    def _find_command(self, word: str, rest: str) -> Command | None:
        """Return the command that a word abbreviates, or None.

        A word that also abbreviates a possible answer must be typed in full. A command without arguments must stand
        alone.

        Raises InputError for a command that writes data which the user may not write.
        """
        typed = word.casefold()
        if not word or word in self.game.roster:
            return None
        names = ["help"] if word == "?" else [name for name in COMMANDS if name.startswith(typed)]
        if not names or (rest and not COMMANDS[names[0]].takes):
            return None
        answers = list_answers(self.table, self.pending) if self.pending else ()
        if typed not in names and words_begun(typed, answers):
            return None
        command = COMMANDS[names[0]]
        if command.writes and command.writes not in self.writes:
            what = "a file" if command.writes == "file" else "the owner's pack"
            raise InputError(f"`{names[0]}` writes {what}, which cannot be done from here")
        return command

    def _return_to_row(self) -> Iterator[str]:
        last = self.passed[-1].key[:-1]
        row = [ask for ask in self.passed if ask.key[:-1] == last]
        self.passed = self.passed[: -len(row)]
        self.queue = [*row, *self.queue]
        yield f"back to {row[0].title}"

    def _keep_cells(self, ask: Ask, texts: Mapping[Keys, str]) -> Iterator[str]:
        name = str(ask.key[0])
        position = self.table.position
        chart = self.game.chart(name)
        cells = {(name, key): chart.cell(text) for key, text in texts.items()}
        state = msgspec.structs.replace(position.state, cells=MappingProxyType({**position.state.cells, **cells}))
        # if the cells make the question impossible, this raises InputError before any of them is saved
        evaluate_table(msgspec.structs.replace(self.table, position=position.with_state(state)))
        with self.packing():
            doubts = pack_of(self.game).charts.enter_cells(name, texts)
        if len(texts) <= _MAX_CELLS_NAMED:
            saved = "; ".join(f"{' '.join(map(str, key))} {text}" for key, text in texts.items())
        else:
            saved = format_count(len(texts), "cell")
        yield from wrap_text(f"saved in your pack: {chart.title}, {saved}", self.width, typed=True)
        for doubt in doubts:
            contradiction = f"doubtful: one reading of rule {doubt.rule} contradicts it: {doubt.text}"
            yield from wrap_text(contradiction, self.width, "! ")
        answered = [queued for queued in self.queue if queued.key[0] == name and queued.key[1:] in texts]
        passed = [*self.passed, *answered]  # before `lay` empties both lists
        yield from self.lay(self.table)
        if answered:  # other cells may be needed now that these are known
            self.passed = passed
            self.queue = cells_needed(self)


Works = Callable[[str], bool]
"""A function that returns whether the prompt would understand a line."""
_MEANT = late_pattern(r"did you mean (.+?)\?(?= |$)")
_NEW = late_pattern(r'(?:; | )?put a new unit in quotes: ("[^"]*")')
_WRITE_HINT = late_pattern(r"(?:; |^)write: (.+?)(?=; |$)")
"""The part of a hint with a line to type: `write: HEX UNIT`."""
_PLACEHOLDER = late_pattern(r"[.]{3}|\b[A-Z]{3,}\b|\bN\b|<[a-z ]+>")
"""A placeholder in a form to be filled in: `...`, `HEX`, `N`, `<name>`."""
_REMARK = late_pattern(r" \([^()]*\)$")
"""A remark in brackets after a suggestion."""
_ELSEWHERE = "(about "
"""The beginning of the remark on a fact about another subject, which must be stated in another line."""
_QUOTED_WORD = late_pattern("'([^']+)'")
"""A word that an error quotes."""


def keep_what_works(error: InputError, line: str, works: Works) -> None:
    """Remove from the hint of an error the suggestions that the prompt would refuse too.

    If the prompt would refuse all words that may be meant, the hint lists them as `nearest known`.

    `line`: the refused line.
    """
    hint = str(error.hint)

    def keep_meant(meant: re.Match[str]) -> str:
        if _ELSEWHERE in meant[1]:
            return meant[0]
        options = meant[1].split(" or ")
        if kept := [typed for option in options if (typed := _find_typed(option, line, error.what, works))]:
            return f"did you mean {' or '.join(kept)}?"
        names = [_REMARK.sub("", option).strip("`") for option in options]
        return f"nearest known: {', '.join(names)}{';' if meant.end() < len(hint) else ''}"

    def keep_other(suggested: re.Match[str]) -> str:
        return suggested[0] if _find_typed(suggested[1], line, error.what, works) else ""

    hint = _WRITE_HINT.sub(keep_other, _NEW.sub(keep_other, _MEANT.sub(keep_meant, hint)))
    error.hint = hint.strip("; ")


def _find_typed(option: str, line: str, fault: str, works: Works) -> str:
    """Return a suggestion in a form that the prompt understands, in quotes if needed, or "" if there is none.

    A form to be filled in is returned unchanged.
    """
    if _PLACEHOLDER.search(option):
        return option
    bare = _REMARK.sub("", option).strip("`")
    for typed in dict.fromkeys((bare, quoted(bare))):
        if any(map(works, _fill_in(typed, line, fault))):
            return option.replace(bare, typed)
    return ""


def _fill_in(typed: str, line: str, fault: str) -> Iterator[str]:
    """Yield a suggestion as a line, then the refused line with it in place of each word that the error names."""
    yield typed
    parts = [part for part in _QUOTED_WORD.findall(fault) if part in line] or [fault.partition(" is not ")[0]]
    for part in parts:
        for match in re.finditer(re.escape(part), line):
            start, end = match.span()
            yield line[:start] + typed + line[end:]
            while start and not line[start - 1].isspace():
                start -= 1
            while end < len(line) and not line[end].isspace():
                end += 1
            yield line[:start] + typed + line[end:]


def find_quoted_line(line: str, known: Abbreviations) -> str:
    """Return a refused line with quotes around units' names that contain a space, or "" if it has no such name."""
    words = line.split()
    meant = list[str]()
    while words:
        for end in range(min(known.longest, len(words)), 1, -1):
            name = " ".join(words[:end])
            before, bare, behind = _split_name(name)
            unit = known.unit(bare)
            if '"' not in name and unit and " " in bare:
                meant.append(f'{before}"{unit}"{behind}')
                words = words[end:]
                break
        else:
            meant.append(words.pop(0))
    text = " ".join(meant)
    return text if text.count('"') > line.count('"') else ""


def _split_name(text: str) -> tuple[str, str, str]:
    """Return the prefix of a name, such as `unit=` or a sign, the name itself, and the punctuation after it."""
    parts = re.fullmatch(r"((?:[a-z-]+=(?:\S+,)?|[+-])?)(.*?)([,;]?)", text, re.IGNORECASE)
    assert parts, "type any text on one line"
    return parts[1], parts[2], parts[3]

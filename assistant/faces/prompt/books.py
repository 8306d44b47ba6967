"""The table prompt at a journal.

A line about an event is an entry. A line of notation states facts, and is an entry too. A question is about the current
state of the journal, and `done` enters its answer. The lines of the table prompt are also understood. All entries stay
in the journal: `undo` strikes them, however old they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from ...asking.parameters import list_parameter_words
from ...asking.question import find_viewpoint, viewpoint_title
from ...asking.report import Report, format_viewpoint, to_text
from ...asking.view import View
from ...asking.wrapping import wrap_lines, wrap_text
from ...formats.positions import Asked, Position
from ...game.typed_events import find_holder, holder_names, leading_name, shorts
from ...installed.registry import questions_of
from ...records.journal.accounts import format_accounts, open_accounts
from ...records.journal.entries import (
    ANSWER,
    CORE,
    FACT,
    FORCE,
    KEEP,
    LATE_SIGN,
    TURN,
    Answer,
    Strike,
    questions_among,
    write_open,
)
from ...records.journal.findings import CHECK_SECONDS, format_unchecked, list_findings, list_unchecked
from ...records.journal.journal import Journal, JournalMoment
from ...records.journal.journal_file import Added, JournalFile
from ...records.journal.journal_text import (
    format_added,
    format_consequences,
    format_entry,
    format_last_entries,
    list_entry_rows,
)
from ...records.journal.open_question import (
    find_entries_to,
    open_question,
    write_posed_answer,
    write_posed_question,
)
from ...records.journal.recomputed import (
    Recomputed,
    compare_with_today,
    format_comparison,
    write_choice,
)
from ...records.journal.typed_lines import read_due, read_period, read_signs
from ...state.words import SPACED, find_words, name_and_value
from ...util.background import NotYet, Work, is_shared, work_out
from ...util.errors import InputError, MachineError, format_with_file, nearest_names, plain, printable
from ...util.limits import Limit
from ...util.texts import natural, words_begun
from ...util.work_time import WorkTime
from .answer_text import format_refusal
from .answers import THROWN, read_answer
from .combats import leaves_moment
from .commands import describe_undo
from .desk import WRITES, Confirmation, Writes, shorten_line
from .examples import format_ask
from .help_text import QUESTION_LIST_LINES, QUESTIONS, Topic, format_topic, list_questions, list_topics
from .help_words import explain_word
from .journal_table import EnteredTable, find_asking, resume_table, table_of
from .session import Session
from .table import TableState, evaluate_if_ready, evaluate_table, report_on_table

TABLE_COMMANDS = ("done", "undo", "before", "position", "picture", "keep", "charts", "save")
"""The commands of the table prompt that are passed to the table of a journal."""
JOURNAL_COMMANDS: Mapping[str, tuple[str, str]] = {
    "turn": ("turn next", "begin the next turn, with what is due; `turn TURN` begins that one"),
    "amend": (
        "amend N WORDS",
        "correct entry N: its amount, or all of it; `amend N again` asks its question again",
    ),
    "strike": ("strike N", "strike out entry N"),
    "undo": ("undo", "strike what the last line has entered"),
    "late": ("late TURN WORDS", "enter something for an earlier turn, or a question with its dice"),
    "force": ("force WORDS", "take more than is left, as the players agree"),
    "keep": ("keep N", "keep an answer although its facts have changed since"),
    "asked": ("asked", "close the open question; `asked QUESTION | DICE` opens one"),
}
"""The entries that correct others or begin a turn: a pattern and a meaning for `help`, by the first word."""
_QUESTION_LINES: Sequence[tuple[str, str]] = (
    ("NAME VALUE ...", "ask a question"),
    ("a line of notation", "a fact"),
    ("2   die=2", "the dice or the choice that a question asks for"),
    ("done", "enter the answer that is shown"),
)
"""The lines that ask and answer at a journal without a table, each with its meaning for `help`."""
_DUE_COMMAND = "due"
"""The command, and the question, that lists the events that are due, if the game has a schedule."""
_SYNONYMS = {"?": "help", "exit": "quit"}
"""The commands by their synonyms."""
RECORDED = "recorded"
"""The command that lets answers stand that come out differently now."""
RECOMPUTED = "recomputed"
"""The command that amends answers that come out differently now."""
_MAX_ENTRIES_LISTED = 20
"""The maximum number of entries that `list` shows."""


class JournalCommand(NamedTuple):
    """A command at a journal."""

    run: Callable[[JournalSession, str], Iterator[str]]
    """The function that carries the command out, given the text typed after the command."""
    meaning: str
    """The effect of the command, for `help`."""


class JournalSession:
    """A session of the table prompt at a journal.

    `file`: the journal.
    `width`: the columns of the screen.
    `writes`: the kinds of data that the user may write besides the journal.
    """

    def __init__(self, file: JournalFile, width: int, *, writes: Collection[Writes] = WRITES) -> None:
        self.file = file
        self.width = width
        self.writes = writes
        self.is_over = False
        self.recomputed: Sequence[Recomputed] = ()
        """The entries that come out differently by the rules of today, until the player has chosen."""
        self._begin()

    def _begin(self) -> None:
        self.journal: Journal = self.file.read()
        self.asked: tuple[TableState, Report[Any]] | None = None
        """The last question, with its dice, and its answer; only used without a table."""
        self._unanswered: TableState | None = None
        """A later question that still waits for its answer; only used without a table."""
        self._fault: InputError | None = None
        """The error for which this session refused the last line; `session` has its own."""
        self._turn_refused = False
        """Whether `turn` was refused because the answer to the last question was not entered."""
        self.table: EnteredTable | None = None
        """The table of the journal with its open question, or None for a game that only keeps accounts."""
        self.session: Session | None = None
        """The session at the journal's table, or None without one."""
        if self.journal.game.file.prompt.ask or not self.journal.rules.events.event:
            entered = table_of(self.journal)
            table, shown = resume_table(entered)
            self.table = EnteredTable(self.file, table, entered)
            self.session = Session(table, self.width, self.table, writes=self.writes)
            self.session.shown = shown
        else:
            self._open_question()

    def save_state(self) -> int:
        return self.file.count_added

    def restore_state(self, added: int, error: InputError) -> list[str]:
        """Read the journal again after a line that failed for lack of memory or because of a disk.

        `added`: the number of entries added before the line.

        Returns the error as lines, and whether the line was entered nevertheless.

        Raises InputError if the journal cannot be read.
        """
        entered = self.file.count_added - added
        self._begin()
        self._fault = error
        what = f"entered: {self.journal.last}; but" if entered else "nothing is entered:"
        return [
            *wrap_text(f"{what} {plain(format_with_file(error))}", self.width, "! ", typed=True),
            *wrap_text(plain(error.hint), self.width, "  ", typed=True),
        ]

    @property
    def held(self) -> Confirmation | None:
        return self.session.held if self.session else None

    @property
    def gathered(self) -> list[str]:
        return self.session.gathered if self.session else []

    @property
    def fault(self) -> InputError | None:
        return self._fault or (self.session.fault if self.session else None)

    @property
    def returned(self) -> tuple[str, int]:
        return self.session.returned if self.session and self._fault is None else ("", 0)

    @property
    def open_table(self) -> TableState | None:
        if self.session:
            return self.session.table if self.session.table.asked else None
        return self._unanswered or (self.asked[0] if self.asked else None)

    def resume(self, table: TableState | None) -> None:
        """Read the journal again and continue with the open question of a table.

        If the question has no answer there, its dice are dropped, the last first, and then the question.
        """
        self.journal = self.file.read()
        for posed in list_resumable(table, self.journal.position()):
            try:
                self._place_table(posed)
            except MachineError:
                raise
            except InputError:
                continue
            return

    def list_questions_to(self, table: TableState | None, journal: Journal) -> list[str]:
        """Return the entries that open the question with which `resume` would continue at a journal."""
        if self.session is None:
            return []
        prompt = journal.game.file.prompt
        for posed in list_resumable(table, journal.position()):
            try:
                evaluate_if_ready(posed)
                entries = find_entries_to(journal.asking, find_asking(posed), prompt)
            except MachineError:
                raise
            except InputError:
                continue
            return [write_open(question, journal.game) for question in entries]
        return []

    def _place_table(self, table: TableState) -> None:
        if self.session is None or self.table is None:
            if self._take_question(table if table.asked else None):
                for _ in self._keep_open(table, self.asked[1] if self.asked else None):
                    pass  # a failure to save is reported after the next line
            return
        table = msgspec.structs.replace(table, line="")
        self.session.shown = evaluate_if_ready(table)
        self.session.tables[:] = [table]
        self.session.queue = []
        self.session.passed = []
        self.table.begin(table, table_of(self.journal))
        self._keep_table(self.session, self.table)

    def _take_question(self, table: TableState | None) -> bool:
        """Open the question of a table, or none if `table` is None; return whether its answer is computed."""
        try:
            asked = (table, report_on_table(table)) if table else None
            unanswered = None
        except NotYet:
            asked = None
            unanswered = table
        self.asked = asked
        self._unanswered = unanswered
        return unanswered is None

    def catch_up(self) -> Work | None:
        """Show the answer to the open question once it is computed, or close a question that has no answer.

        Returns the work that must be done elsewhere first, or None.
        """
        session = self.session
        try:
            if self._unanswered:
                report_on_table(self._unanswered)
                self._place_table(self._unanswered)
            elif session and session.shown is None:
                session.shown = evaluate_table(session.of_this_game(session.table))
        except NotYet as answer:
            return answer.work
        except InputError:
            if session and self.table:
                for _ in session.lay(session.table.with_question(None).with_answers({})):
                    pass
                self._note_entered(self.table)
            else:
                self._place_table(TableState(self.journal.position()))
        return None

    @property
    def prompt(self) -> str:
        if self.session and (self.session.pending or self.session.held or self.session.gathered):
            return self.session.prompt
        return f"{self.journal.label(self.journal.turn)}> "

    @property
    def undone(self) -> str:
        """The last line of the session, or else the last entries, as removed by `undo`, or "" if there are none."""
        if self.session and (line := describe_undo(self.session)):
            return line
        with suppress(InputError):
            return shorten_line("; ".join(format_entry(self.journal, entry) for entry in self.journal.last_entered()))
        return ""

    def begin(self) -> list[str]:
        """Return the first lines: the game, the file, the viewpoint, mistakes found, and the open question."""
        remarks = [
            f"{self.journal.game.title}: {self.file.file}, entry {self.journal.last}; `help` lists what can be typed."
        ]
        view = View(self.journal.game, self.journal.position().state)
        seen = format_viewpoint(find_viewpoint(view), viewpoint_title(view), self.journal.game.id)
        if seen:
            remarks.append(seen)
        found = (*list_findings(self.journal), *self._compare_rules())
        lines = wrap_lines([*remarks, *(f"! {line}" for line in found)], self.width)
        if self.session:
            return [*lines, *wrap_lines(map(printable, self.session.show(None)), self.width)]
        if self.asked:
            table, report = self.asked
            return [*lines, *self._format_answer(table, report)]
        return [*lines]

    def _compare_rules(self) -> Iterator[str]:
        """Yield the entries that come out differently if the rules have changed, and ask which shall stand."""
        if is_shared() or not self.journal.rules_have_changed:
            return
        comparison = compare_with_today(self.journal, WorkTime(CHECK_SECONDS))
        self.recomputed = comparison.differences
        yield from format_comparison(self.journal, comparison)
        if any(found.is_answer for found in self.recomputed):
            yield f"which answers shall stand? `{RECORDED}`: as they were entered; `{RECOMPUTED}`: as they come out now"

    def enter(self, line: str, tap: str = "") -> list[str]:
        """Return the response to a typed line: the entry and its changes, an answer, or an error.

        `tap`: the tap on the page that types the line, or "". A repeated tap adds no entry.
        """
        self._fault = None
        if self.session:
            self.session.fault = None
            self.session.typed = line.strip()
        if tap and (number := self.file.entered_by(tap)):
            return [f"entered already: {number}"]
        try:
            Limit.LINE.check(len(line), "the line holds")
            with self.file.for_tap(tap):
                return list(wrap_lines(map(printable, self._respond(line.strip())), self.width))
        except InputError as error:
            self._fault = error
            return format_refusal(error, self.width)

    def _respond(self, text: str) -> Iterator[str]:
        if not text or text.startswith("#"):
            return
        if text == "?" and self.asked:
            table, report = self.asked
            if report.asks:
                yield from format_ask(table, report.asks[0], self.width)
                return
        first, _, rest = text.partition(" ")
        if first in _SYNONYMS:
            first = _SYNONYMS[first]
            text = f"{first} {rest}".strip()
        first = first.casefold()
        if late := self._write_late_question(text):
            yield from self._add_entry(late)
        elif self.session and self._goes_to_table(self.session, text):
            yield from self._enter_at_table(self.session, text)
        elif first in COMMANDS:
            yield from COMMANDS[first].run(self, rest.strip())
        elif self._is_entry(text):
            yield from self._add_entry(text)
        elif first in questions_of(self.journal.game):
            yield from self._show_answer(self._read_question(first, rest))
        elif answered := self._read_answer(text):
            yield from self._show_answer(answered)
        else:
            try:
                yield from self._add_entry(f"{FACT} {text}")
            except MachineError:
                raise
            except InputError as error:
                if THROWN.fullmatch(text):
                    raise InputError(f"no dice are asked for now: {text!r}", hint="ask the question first") from None
                raise InputError(error.what, hint=self._find_hint(first) or error.hint) from None

    def _find_hint(self, first: str) -> str:
        game = self.journal.game
        events = self.journal.rules.events
        if len(first) > 2 and words_begun(first, holder_names(game, events)):
            try:
                find_holder(game, events, first)
            except InputError as error:
                return error.hint
        known = dict.fromkeys((*COMMANDS, *CORE, *events.short, *questions_of(game)))
        if words_begun(first[:2], known) and (near := nearest_names(first, known)):
            return f"nearest known: {', '.join(near)}"
        return "`help` lists what can be typed" if first.isalpha() else ""

    def _write_late_question(self, text: str) -> str:
        """Return the entry for a question asked and answered in an earlier turn, or "" for any other line.

        Such a line is `late TURN QUESTION die=1`.
        """
        signs, label, typed = read_signs(self.journal, text)
        question, _, rest = typed.partition(" ")
        if LATE_SIGN not in signs or question.casefold() not in questions_of(self.journal.game):
            return ""
        if not label:
            posed = self._read_question(question.casefold(), rest)
            return " ".join((*signs, ANSWER, write_posed_answer(posed.position)))
        posed = self._read_question(question.casefold(), rest, self.journal.position(JournalMoment(label)))
        return " ".join((*signs, label, ANSWER, write_posed_answer(posed.position)))

    def _goes_to_table(self, session: Session, text: str) -> bool:
        """Return whether a line is for the table, as all are except entries and commands of the journal."""
        first, _, rest = text.casefold().partition(" ")
        if session.held or session.gathered:
            return True
        if first == "help" and (rest in COMMANDS or rest in JOURNAL_COMMANDS or rest in _list_topics(self)):
            return rest in (*TABLE_COMMANDS, QUESTIONS)
        if first in (*TABLE_COMMANDS, "help") and not (first == KEEP and natural(rest) is not None):
            return first != "undo" or len(session.tables) > 1
        if first == "new":
            raise InputError("a journal is never emptied", hint="`undo` strikes what the last line has entered")
        return (first not in COMMANDS and not self._is_entry(text)) or (first == "why" and not rest)

    def _enter_at_table(self, session: Session, text: str) -> Iterator[str]:
        assert self.table
        session.width = self.width
        yield from session.enter(text)
        self.is_over = session.is_over
        if text.casefold() == "help":
            yield from ("", "in the journal:", *_show_help(self, ""))
        for added in self.table.unsaid():
            self.journal = added.journal
            question_numbers = questions_among(added.entries, self.journal.entries)
            named = [entry for entry in added.entries if entry.number not in question_numbers]
            if named:
                first = named[0]
                last = named[-1]
                to = f" to {last.number}" if last is not first else ""
                strikes = f", which strikes {first.what.target}" if isinstance(first.what, Strike) else ""
                yield f"entered: {first.number}{to}{strikes}"
            yield from format_consequences(added, self.width)

    def _is_entry(self, text: str) -> bool:
        """Return whether a line is an entry.

        An entry begins with a nation, a word of the journal, `late` or `force`, or an event; `TURN/` may precede it.
        """
        words = text.casefold().split()
        game = self.journal.game
        events = self.journal.rules.events
        if words[0] == TURN and TURN in questions_of(game) and all("=" in word for word in words[1:]):
            return False  # `turn next` begins the next turn, `turn whole=yes` asks the question `turn`
        if words[0] in (LATE_SIGN, FORCE):
            return True
        if "/" in words[0]:
            words = words[1:]
        head = words[0] if words else ""
        if (len(words) > 1 and words[1] in events.event) or head in (*CORE, "undo"):
            return True  # the nation may be misspelt
        if not events.event or head in questions_of(game):
            return False
        if head in events.event:
            return True  # the nation may be missing
        nation, _ = leading_name(game, events, " ".join(words))
        return bool(nation)

    def _add_entry(self, text: str) -> Iterator[str]:
        unentered = self._find_unentered()
        if self._turn_refused and self._begins_turn(text):
            unentered = ""  # the first refusal has already named the answer that is not entered
        elif unentered and self._begins_turn(text):
            self._turn_refused = True
            raise InputError(
                f"not entered: {unentered}", hint="`done` enters it; the turn typed again begins without it"
            )
        added = self.file.add(text)
        lines = [*self._go_on_after(added)]  # called before the remark below, because it changes the open question
        strikes = added.entries and isinstance(added.entries[0].what, Strike)
        if unentered != self._find_unentered() and not (strikes or self._unanswered):
            yield from _format_unentered(unentered)
        yield from lines

    def _begins_turn(self, text: str) -> bool:
        return read_signs(self.journal, text)[2].partition(" ")[0].casefold() == TURN

    def _find_unentered(self) -> str:
        """Return the question whose answer `done` would enter, as it is typed, or "" if there is none."""
        if self.asked is None:
            return ""
        table, report = self.asked
        is_settled = not report.asks and bool(report.changes or table.position.answers)
        if not is_settled or self._is_answer_undone():
            return ""
        return write_posed_question(table.position)

    def _is_answer_undone(self) -> bool:
        entries = self.journal.entries
        struck = entries[-1].what.target if entries and isinstance(entries[-1].what, Strike) else 0
        return any(entry.number == struck and isinstance(entry.what, Answer) for entry in entries)

    def _go_on_after(self, added: Added) -> Iterator[str]:
        self.journal = added.journal
        self._turn_refused = False
        if not added.entries:  # an earlier request of the same tap has added the entries since the journal was read
            self.resume(None)
            return
        yield from format_added(added, self.width)
        if self.session and self.table:
            yield from self._place_after(self.session, self.table, added)
        else:
            self._open_question()

    def _place_after(self, session: Session, entered: EnteredTable, added: Added) -> Iterator[str]:
        """Put the table after new entries on the others; yield the effects of the entries on the open question.

        An entry of `undo` replaces the first table of a session: otherwise the next `undo` would remove that entry.
        """
        old = session.table
        shown = session.shown
        entered_table = table_of(self.journal, old)
        table, session.shown = resume_table(entered_table, old)
        session.queue = []
        session.passed = []
        replaces_first = len(session.tables) == 1 and isinstance(added.entries[0].what, Strike)
        session.put(table)
        if replaces_first:
            del session.tables[0]
            entered.begin(session.table, entered_table)
        else:
            entered.note(session.table, added.entries, entered_table)
        self._keep_table(session, entered)
        if leaves_moment(old.position, table.position, stated=False):
            yield from session.format_owed(shown, old)
        elif shown and table.asked is None and entered_table.asked:
            yield from wrap_text(f"closed: {shown.report.title}: it can no longer be answered", self.width)
        elif entered_table.position.answers and not table.position.answers:
            yield "the units in this combat have changed: its dice no longer count"
        yield from session.show(shown)

    def _keep_table(self, session: Session, entered: EnteredTable) -> None:
        for _ in session.keep_table():
            pass  # a failure to save is reported after the next line
        self._note_entered(entered)

    def _note_entered(self, entered: EnteredTable) -> None:
        for added in entered.unsaid():
            self.journal = added.journal

    def _open_question(self) -> None:
        self.asked = self._unanswered = None
        table = table_of(self.journal) if self.journal.asking.question.question else None
        if table and table.asked:
            with suppress(InputError):  # later entries may have left the question without an answer
                self._take_question(table)

    def _read_question(self, question: str, text: str, position: Position | None = None) -> TableState:
        """Return a table with a typed question.

        `text`: `name=value` for parameters and dice, and values of the other parameters in order.
        `position`: the position of the question, or None for the current one of the journal.
        """
        definition = questions_of(self.journal.game)[question]
        names = list(list_parameter_words(definition))
        parameters = dict[str, str]()
        answers = dict[str, str]()
        for word in find_words(text, 1, SPACED):
            named = name_and_value(word)
            if named is None:
                free_names = [name for name in names if name not in parameters]
                if not free_names:
                    raise InputError(
                        f"`{question}` takes nothing more: {word.text!r}", hint="put a name with spaces in quotes"
                    )
                named = free_names[0], word.text
            name, value = named
            if name not in names and definition.waits_for(name):
                answers[name] = value
            else:
                parameters[name] = value
        table = TableState(position or self.journal.position())
        return table.with_question(Asked(question, parameters)).with_answers(answers)

    def _read_answer(self, text: str) -> TableState | None:
        """Return the last question with the dice or choices of a line, or None for any other line.

        Such lines are `2`, `die=2`, and `answers 2 die=3`.
        """
        if self.asked is None:
            return None
        table: TableState | None = self.asked[0]
        first, _, rest = text.partition(" ")
        words = rest.split() if first.casefold() == "answers" else [text]
        for word in words:
            if table is None:
                return None
            asks = report_on_table(table).asks
            if not asks or asks[0].kind not in ("roll", "choice"):
                return None
            table = read_answer(table, asks[0], word)
        return table

    def _show_answer(self, table: TableState) -> Iterator[str]:
        report = report_on_table(table)
        unentered = self._find_unentered()
        self.asked = (table, report)
        self._unanswered = None
        self._turn_refused = False
        if unentered != self._find_unentered():
            yield from _format_unentered(unentered)
        yield from self._format_answer(table, report)
        yield from self._keep_open(table, report)

    def _format_answer(self, table: TableState, report: Report[Any]) -> Iterator[str]:
        yield from _format_report(report, self.width)
        if not report.asks and (report.changes or table.position.answers):
            yield "  `done` enters it"

    def _keep_open(self, table: TableState, report: Report[Any] | None) -> Iterator[str]:
        """Enter a question as the open one if it has asks or its answer can be entered, or else that none is open.

        Yields a remark if that fails.
        """
        matters = report and (report.asks or report.changes or table.position.answers)
        posed = table if matters else table.with_question(None).with_answers({})
        try:
            question = open_question(posed.position, {}, ())
            if question != self.journal.asking.question:
                self.journal = self.file.add(write_open(question, self.journal.game)).journal
        except InputError as error:
            yield f"! not saved for the next session: {plain(format_with_file(error))}"


def list_resumable(table: TableState | None, position: Position) -> Iterator[TableState]:
    """Yield a table at another position with its question and all dice, then with fewer dice, then without a question.

    `table`: the table, or None for one without a question.
    `position`: the other position.
    """
    asks = table.position.asks if table else ()
    dice = [*table.position.answers.items()] if table else []
    for count in range(len(dice), -1, -1):
        posed = msgspec.structs.replace(position, asks=asks, answers=dict(dice[:count]))
        yield msgspec.structs.replace(table or TableState(position), position=posed)
    yield TableState(position)


def _format_unentered(answer: str) -> Iterator[str]:
    if answer:
        yield f"! not entered: {answer}; asked so again, `done` enters it"


def _enter_answer(books: JournalSession, _: str) -> Iterator[str]:
    nothing = InputError("there is nothing to enter", hint="ask something that is rolled for or changes the game")
    if books.asked is None:
        raise nothing
    table, report = books.asked
    if not (report.changes or table.position.answers):
        raise nothing
    now = books.journal.position()
    asked = msgspec.structs.replace(now, asks=table.position.asks, answers=table.position.answers)
    yield from books._go_on_after(books.file.enter_answer(asked, report.changes))


def _format_report(report: Report[Any], width: int) -> list[str]:
    return to_text(msgspec.structs.replace(report, viewpoint=""), width).splitlines()


def _show_account(books: JournalSession, text: str) -> Iterator[str]:
    words = text.split()
    account = words[0] if words else ""
    who, first, last = read_period(words[1:])
    yield from format_accounts(open_accounts(books.journal, account, who, first, last))


def _show_due(books: JournalSession, text: str) -> Iterator[str]:
    asked = read_due(books.journal, text.split())
    report = report_on_table(TableState(books.journal.position()).with_question(asked))
    yield from _format_report(report, books.width)


def _list_entries(books: JournalSession, text: str) -> Iterator[str]:
    who, first, last = read_period(text.split())
    if text:
        for row in list_entry_rows(books.journal, first, last, who):
            yield row.text
    else:
        yield from format_last_entries(books.journal, _MAX_ENTRIES_LISTED)


def _show_faults(books: JournalSession, _: str) -> Iterator[str]:
    """Yield the mistakes in the journal: answers based on facts changed since, and overspent or owed amounts."""
    time = WorkTime(CHECK_SECONDS)
    journal = books.journal if is_shared() else books.file.read_again(time)
    lines = list(list_findings(journal, time))
    if unchecked := list_unchecked(journal):
        lines.append(f"{format_unchecked(unchecked)}: `assistant journal check --seconds 600` does")
    for line in lines:
        yield f"! {line}"
    if not lines:
        yield "no mistakes found"


def _list_topics(books: JournalSession) -> dict[str, Topic]:
    events = books.journal.rules.events
    title_of = books.journal.game.file.title_of
    short = shorts(events)
    event_line = (f"{next(iter(short), 'game')} WORD AMOUNT KIND NOTE", f"what happened: {', '.join(events.event)}")
    nations = ("nations and sides", ", ".join(f"{name} {title_of(who)}" for name, who in short.items()))
    left_out = {QUESTIONS}
    if books.session:  # the help of the table explains these commands
        left_out |= {*TABLE_COMMANDS, "help", "quit"}
    if _DUE_COMMAND not in questions_of(books.journal.game):
        left_out.add(_DUE_COMMAND)
    commands = {name: command.meaning for name, command in COMMANDS.items() if name not in left_out}
    pages = {
        "events": Topic("events, in the game's words", [event_line, nations] if events.event else []),
        "entries": Topic("begin a turn, correct what was entered", [*JOURNAL_COMMANDS.values()]),
        QUESTIONS: Topic(
            "ask a question, answer with dice", [] if books.session else [*QUESTION_LIST_LINES, *_QUESTION_LINES]
        ),
        "books": Topic("open an account, list, check", [*commands.items()]),
    }
    return {name: topic for name, topic in pages.items() if topic.entries}


def _show_help(books: JournalSession, word: str) -> Iterator[str]:
    topics = _list_topics(books)
    if word in topics:
        yield from format_topic(topics[word], books.width)
    elif word:
        meanings = {name: command.meaning for name, command in COMMANDS.items()}
        if _DUE_COMMAND not in questions_of(books.journal.game):
            del meanings[_DUE_COMMAND]
        meanings |= {name: meaning for name, (_, meaning) in JOURNAL_COMMANDS.items()}
        yield from work_out(True, explain_word, books.journal.position(), word.strip('"'), meanings)
    else:
        yield from list_topics(topics, books.width)


def _show_questions(books: JournalSession, name: str) -> Iterator[str]:
    left_out = () if books.session else (*COMMANDS, *JOURNAL_COMMANDS)
    yield from list_questions(books.journal.position(), name, books.width, left_out)


def _choose_answers(books: JournalSession, *, recorded: bool) -> Iterator[str]:
    lines = write_choice(books.recomputed, recorded=recorded)
    if not lines:
        hint = "the first lines of a session name them, if the rules have changed"
        raise InputError("no answer comes out differently now", hint=hint)
    added = books.file.add(*lines)
    books.recomputed = ()
    yield from books._go_on_after(added)


def _end_session(books: JournalSession, _: str) -> Iterator[str]:
    books.is_over = True
    yield from ()


COMMANDS: Mapping[str, JournalCommand] = {
    "why": JournalCommand(_show_account, "open an account: `why ACCOUNT WHO from=TURN`"),
    _DUE_COMMAND: JournalCommand(_show_due, "what is due now, for a nation, or until a turn: `due WHO until=TURN`"),
    "list": JournalCommand(_list_entries, "the last entries, or those of a nation: `list WHO`"),
    "check": JournalCommand(_show_faults, "find mistakes: overspent, owed, changed later"),
    RECORDED: JournalCommand(
        lambda books, _: _choose_answers(books, recorded=True), "keep the answers that other rules gave"
    ),
    RECOMPUTED: JournalCommand(
        lambda books, _: _choose_answers(books, recorded=False), "amend them to what the rules of today give"
    ),
    "done": JournalCommand(_enter_answer, "enter the answer that is shown"),
    QUESTIONS: JournalCommand(_show_questions, "the questions, or what one of them takes"),
    "help": JournalCommand(
        _show_help, "what can be typed, or what a word means: an event, an account, a question, a command"
    ),
    "quit": JournalCommand(_end_session, "end the session"),
}
"""The commands at a journal by name."""

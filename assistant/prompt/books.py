"""The table prompt on a journal: what happened, line by line, and what it comes to.

Each line that says what happened is an entry; facts are lines of notation; a question is asked about the journal as it
stands, and `done` enters its answer. In a game with combats on one line all that the table prompt reads is read here too.
Nothing is ever lost: `undo` strikes, however far back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ..formats.positions import Asked, Position
from ..journal.accounts import open_account, word_account
from ..journal.entries import CORE, FACT, FORCE, KEEP, LATE, Strike
from ..journal.journal import Journal
from ..journal.keeping import Added, JournalFile
from ..journal.showing import added_in_words, asked_due, consequences, findings, listed, period_of
from ..plugins.registry import questions_of
from ..questions.parameters import words_of_parameters
from ..questions.report import to_text
from ..questions.wording import fit_lines, wrap_text
from ..service import ask
from ..state.words import SPACED, name_and_value, words_of
from ..util.errors import InputError, plain, printable, suggested
from ..util.texts import natural, words_begun
from .entering import EnteredTable, table_of
from .session import Session

OF_TABLE = ("done", "undo", "before", "position", "picture", "keep", "charts", "save")
"""The commands of the table with its combats that a journal has too."""
_LISTED = 20
"""How many entries `list` shows."""


class Books:
    """A session at a journal. file: the journal; width: columns of the screen."""

    def __init__(self, file: JournalFile, width: int) -> None:
        self.file, self.width = file, width
        self.journal: Journal = file.read()
        self.over = False
        self.asked: Position | None = None  # with the question whose answer is shown and may be entered
        self.table: EnteredTable | None = None
        self.session: Session | None = None
        if self.journal.game.file.prompt.ask:
            table = table_of(self.journal)
            self.table = EnteredTable(file, table)
            self.session = Session(table, width, self.table)

    @property
    def prompt(self) -> str:
        """The prompt: the turn in which the journal stands, or what is asked for."""
        if self.session and (self.session.pending or self.session.held):
            return self.session.prompt
        return f"{self.journal.label(self.journal.turn)}> "

    def begin(self) -> list[str]:
        """What is said first: whose journal it is, and what is at fault in it."""
        said = [
            f"{self.journal.game.title}: {self.file.file}, entry {self.journal.last}; `help` lists what can be typed."
        ]
        return list(fit_lines([*said, *(f"! {line}" for line in findings(self.journal))], self.width))

    def enter(self, line: str) -> list[str]:
        """The response to a typed line: what was entered and what it changes, an answer, or the fault and the remedy."""
        try:
            return list(fit_lines(map(printable, self._respond(line.strip())), self.width))
        except InputError as error:
            return [*wrap_text(plain(error.what), self.width, "! "), *wrap_text(plain(error.hint), self.width, "  ")]

    def _respond(self, text: str) -> Iterator[str]:
        first, _, rest = text.partition(" ")
        if not text:
            return
        if self.session and self._is_of_table(self.session, text):
            yield from self._at_table(self.session, text)
        elif first.casefold() in COMMANDS:
            yield from COMMANDS[first.casefold()](self, rest.strip())
        elif self._says_what_happened(text):
            yield from self._add(text)
        elif first.casefold() in (questions := questions_of(self.journal.game)):
            yield from self._ask(first.casefold(), rest)
        else:
            try:
                yield from self._add(f"{FACT} {text}")
            except InputError as error:
                known = (*COMMANDS, *CORE, *self.journal.rules.events.short, *questions)
                near = suggested(first.casefold(), known) if words_begun(first[:2], known) else ""
                raise InputError(error.what, hint=near or error.hint) from None

    def _is_of_table(self, session: Session, text: str) -> bool:
        """Whether a line is for the table with its combats: all but entries and the commands of a journal."""
        first, _, rest = text.casefold().partition(" ")
        if session.held:
            return True
        if first in (*OF_TABLE, "help") and not (first == KEEP and natural(rest) is not None):
            return first != "undo" or len(session.tables) > 1
        if first == "new":
            raise InputError("a journal is never emptied", hint="`undo` strikes the last entry")
        return (first not in COMMANDS and not self._says_what_happened(text)) or (first == "why" and not rest)

    def _at_table(self, session: Session, text: str) -> Iterator[str]:
        """What the table says to a line, and what of it is entered."""
        assert self.table
        session.width = self.width
        yield from session.enter(text)
        self.over = session.over
        if text.casefold() == "help":
            yield from ("", "in the journal:", *_help(self, ""))
        for added in self.table.unsaid():
            self.journal = added.journal
            first, last = added.entries[0], added.entries[-1]
            to = f" to {last.number}" if last is not first else ""
            struck = f", which strikes {first.what.target}" if isinstance(first.what, Strike) else ""
            yield f"entered: {first.number}{to}{struck}"
            yield from consequences(added)

    def _says_what_happened(self, text: str) -> bool:
        """Whether a line is an entry: it begins with whom it concerns, a word of the journal, a sign, or its turn."""
        words = text.casefold().split()
        journal = self.journal
        if words[0] in (LATE, FORCE):
            return True
        if "/" in words[0]:
            words = words[1:]
        head, word = [*words, "", ""][:2]
        events = journal.rules.events
        if word in events.event or (head in events.event and head not in questions_of(journal.game)):
            return True  # the nation may be misspelt or missing
        return head in (*CORE, "undo") or (bool(events.event) and (head in events.short or head in journal.people))

    def _add(self, text: str) -> Iterator[str]:
        before = self.journal.turn
        added = self.file.add(text)
        yield from self._taken(added)
        if self.journal.turn > before and "due" in questions_of(self.journal.game):
            yield from to_text(ask(self.journal.position(), "due"), self.width).splitlines()

    def _taken(self, added: Added) -> Iterator[str]:
        self.journal, self.asked = added.journal, None
        yield from added_in_words(added)
        if self.session and self.table:
            table = msgspec.structs.replace(table_of(self.journal), done=self.session.table.done)
            self.table.note(table, added)
            self.table.added.clear()
            self.session.tables.append(table)
            self.session.shown = None

    def _ask(self, question: str, text: str) -> Iterator[str]:
        """A question; words without a name are its parameters in their order, those that it waits for are dice."""
        definition = questions_of(self.journal.game)[question]
        names = list(words_of_parameters(definition))
        given, answers = dict[str, str](), dict[str, str]()
        for word in words_of(text, 1, SPACED):
            named = name_and_value(word)
            if named is None:
                free = [name for name in names if name not in given]
                if not free:
                    raise InputError(f"`{question}` takes nothing more: {word.text!r}")
                named = free[0], word.text
            (answers if named[0] not in names and definition.waits_for(named[0]) else given)[named[0]] = named[1]
        position, asked = self.journal.position(), Asked(question, given)
        report = ask(position, asked, answers)
        self.asked = msgspec.structs.replace(position, asks=(asked,), answers=answers) if report.changes else None
        yield from to_text(report, self.width).splitlines()
        if report.changes and not report.asks:
            yield "  `done` enters it"


def _done(books: Books, _: str) -> Iterator[str]:
    """Enter the answer that is shown."""
    if books.asked is None:
        raise InputError("there is nothing to enter", hint="ask something whose answer changes the game")
    yield from books._taken(books.file.enter_answer(books.asked))


def _why(books: Books, text: str) -> Iterator[str]:
    """Open an account: `why dm ah from=mar16/1`."""
    account, *words = text.split() or [""]
    yield from word_account(open_account(books.journal, account, *period_of(words)))


def _due(books: Books, text: str) -> Iterator[str]:
    """What is due now, for a nation, or until a turn: `due ah until=may16/7`."""
    yield from to_text(ask(books.journal.position(), asked_due(text.split())), books.width).splitlines()


def _list(books: Books, text: str) -> Iterator[str]:
    """The last entries, or those of a nation: `list ah`."""
    who, first, last = period_of(text.split())
    rows = listed(books.journal, first, last, who)
    yield from (row.text for row in (rows if text else rows[-_LISTED:]))


def _check(books: Books, _: str) -> Iterator[str]:
    """What is at fault, given from what has changed, short or owed."""
    lines = list(findings(books.journal))
    yield from (f"! {line}" for line in lines)
    if not lines:
        yield "nothing is at fault"


def _help(books: Books, _: str) -> Iterator[str]:
    """What can be typed."""
    events, short = books.journal.rules.events, books.journal.rules.events.short
    who = next(iter(short), "game")
    if events.event:
        yield f"{who} WORD AMOUNT NOTE  what happened: {', '.join(events.event)}"
    yield "turn next           the next turn begins, with what is due"
    yield "amend N ..., strike N, undo, late TURN ..., force ..., keep N   corrections (docs/journal.md)"
    if not books.session:
        yield "a line of notation  a fact"
        yield f"a question          {', '.join(questions_of(books.journal.game))}"
    for name, command in COMMANDS.items():
        if not (books.session and name in (*OF_TABLE, "help", "quit")):
            yield f"{name:19} {(command.__doc__ or '').splitlines()[0]}"


def _quit(books: Books, _: str) -> Iterator[str]:
    """End the session."""
    books.over = True
    yield from ()


COMMANDS: Mapping[str, Callable[[Books, str], Iterator[str]]] = {
    "why": _why,
    "due": _due,
    "list": _list,
    "check": _check,
    "done": _done,
    "help": _help,
    "quit": _quit,
}
"""The commands at a journal by name."""

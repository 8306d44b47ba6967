"""A session at the table: each typed line makes a new table of the last one, says what is new, and can be taken back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..formats import writing
from ..formats.positions import Position
from ..plugins.registry import pack_of, question_of, reloaded
from ..questions.question import ask as ask_question
from ..questions.question import read_parameters
from ..questions.report import Ask, MissingFacts, Report, change_text, working, wrapped
from ..questions.view import View, ask_for_cell
from ..service import write
from ..state.hidden import UNSEEN
from ..state.sources import Source
from ..state.state import GameState
from ..util.errors import InputError, plain
from .keeping import keep_fact, keep_table
from .table import Shown, Table, answered, carried_out, choose, look, pick, typed, words_to_answer

HELP = """\
  4119 1/1 12-16-7-11 < 4020 25/3 10--5-10 27/3 = 4019 29/20    a combat: hex and units, <, each hex that attacks
      letters behind the first hex are its terrain (4119c), behind the others their hexside (4020mi);
      = repeats the ratings of the unit before; units are named alone once they are known
  29/20 -4    4119 rough    turn=5    4218 25/3                 further facts: the same question, but with these
  -27/3   +27/3   < 4120 25/3   ap=3,20                         the same but without a unit, with it, with more
  off 25/3                                                      a unit leaves the map
  retreat at=4119 hexes=1 cause=check                           any other question by its name
  7   2+5   3 4                                                 dice as they are asked for; a choice by its number
  ?2    ?2 rough                                                another value of an assumption: the next, or this one
  undo  why  done  position  journal  keep  charts  save FILE  new  quit           the first letter is enough"""


class Session:
    """What has been typed so far.

    width: columns of the screen; bars: whether it can show them; file: where the table is kept after each line, None for nowhere.
    """

    def __init__(self, table: Table, width: int, file: Path | None = None, *, bars: bool = True) -> None:
        self.tables, self.width, self.file, self.bars = [table], width, file, bars
        self.game = table.position.game  # with the owner's pack as it is now; a table further back may know less
        self.shown: Shown | None = None
        self.queue: list[Ask] = []
        self.over = self.unkept = False
        self.commands: Mapping[str, Callable[[str], Iterator[str]]] = {
            "undo": self.undo,
            "why": self.why,
            "done": self.done,
            "position": self.position,
            "journal": self.journal,
            "keep": self.keep,
            "charts": self.charts,
            "save": self.save,
            "new": self.new,
            "help": self.help,
            "quit": self.quit,
        }

    @property
    def table(self) -> Table:
        """The table as it lies now."""
        return self.tables[-1]

    @property
    def pending(self) -> Ask | None:
        """What is asked for next."""
        asks = self.queue or (self.shown.report.asks if self.shown else ())
        return asks[0] if asks else None

    @property
    def prompt(self) -> str:
        """What stands before the cursor: what is asked for."""
        ask = self.pending
        if ask is None:
            return "> "
        takes = ask.dice or (ask.takes if ask.kind == "fact" else "")
        fields = self.table.position.game.chart(str(ask.key[0])).fields if ask.kind == "cell" else ()
        words = words_to_answer(self.table, ask) if ask.kind == "fact" else tuple(field.name for field in fields)
        takes = takes or " / ".join(words)
        return f"{ask.title}{f' ({takes})' if takes else ''}> "

    def begin(self) -> list[str]:
        """The answer to what is asked already, as after a pause."""
        try:
            self.shown = look(self.table)
            return list(self._show(None))
        except InputError as error:
            return self._refused(error)

    def enter(self, line: str) -> list[str]:
        """What a typed line says back. Nothing has changed if it cannot be understood: then the fault and the remedy."""
        try:
            return list(self._entered(line.strip()))
        except InputError as error:
            return self._refused(error)

    def _refused(self, error: InputError) -> list[str]:
        return [*wrapped(plain(error.what), self.width, "! "), *wrapped(plain(error.hint), self.width, "  ")]

    def _entered(self, text: str) -> Iterator[str]:
        first, _, rest = text.partition(" ")
        if not text:
            self.queue = []
        elif text.startswith("?") and text != "?":
            assumption = pick(self.shown.assumed if self.shown else (), first[1:])
            yield from self._lay(choose(self.table, assumption, rest.strip()))
        elif command := self._command(first, rest):
            yield from self.commands[command](rest.strip())
        elif (ask := self.pending) and ask.kind == "cell" and self._is_cell(ask, text):
            yield from self._cell(ask, text)
        elif ask and "<" not in text and (table := answered(self.table, ask, text)):
            yield from self._kept_answer(ask, table)
            yield from self._lay(table)
        else:
            table = typed(self.table, text)
            yield from self._lay(table, anew=table.number != self.table.number)

    def _is_cell(self, ask: Ask, text: str) -> bool:
        """Whether a text is a cell of the chart that is asked for, not a line. Raises InputError if it is neither."""
        chart = self.table.position.game.chart(str(ask.key[0]))
        try:
            chart.cell(text)
        except InputError as no_cell:
            try:
                typed(self.table, text)
            except InputError as no_line:
                hint = f"{no_cell.hint}; as a line: {no_line.what}"
                raise InputError(no_cell.what, hint=hint) from None
            return False
        return True

    def _command(self, word: str, rest: str) -> str:
        """The command that a word begins, "" if it is none; only `save` takes more.

        What begins an answer to what is asked for is no command, unless it is one in full.
        """
        if (rest and not word.startswith("s")) or word in self.game.roster:
            return ""
        found = [name for name in self.commands if word and name.startswith(word.casefold())]
        answers = words_to_answer(self.table, self.pending) if self.pending else ()
        if word not in found and any(answer.casefold().startswith(word.casefold()) for answer in answers):
            return ""
        return "help" if word == "?" else found[0] if found else ""

    def _lay(self, table: Table, *, anew: bool = False, queue: Sequence[Ask] = ()) -> Iterator[str]:
        """Lay a new table, and say what is new of its answer. queue: what is asked for next besides what the answer needs."""
        table = table._replace(position=table.position._replace(game=self.game))
        laid, shown = self.shown, look(table)
        before = None if anew else laid
        was = self.table.position.state
        self.tables.append(table)
        self.shown, self.queue = shown, list(queue)
        yield from self._keep_table()
        if anew:
            yield from self._left_open(laid)
        for line in self._moved(was, table.position.state):
            yield from wrapped(line, self.width)
        yield from self._show(before)

    def _left_open(self, shown: Shown | None) -> Iterator[str]:
        """That an answer with dice, or one that would change the table, was left without carrying it out."""
        if shown and (shown.position.answers or shown.report.changes):
            yield from wrapped(f"not carried out: {shown.report.title}; `undo` goes back to it", self.width)

    def _moved(self, was: GameState, now: GameState) -> Iterator[str]:
        """What else a line did than what it says: who is new, who has left the map, what is over."""
        for unit in now.units.values():
            before = was.units.get(unit.id)
            if unit.place is None and before and before.place:
                yield f"off the map: {unit.id}, which stood in {before.place}"
            elif before is None and unit.type not in self.game.roster:
                words = (now.value(name, unit.id) for name in self.game.file.notation.identity)
                yield f"a unit that no roster knows: {unit.id}, {' '.join(str(word) for word in words if word)}"
        for name, about in was.facts:
            if name == UNSEEN and (name, about) not in now.facts:
                yield f"no longer reckoned with: what else stood unseen in {about}"
        tracks = self.game.tracks
        over = [(name, about) for name, about in was.facts if tracks[name].ends_with and (name, about) not in now.facts]
        if over:
            yield f"over: {', '.join(f'{name} of {about}' for name, about in over)}"

    def _keep_table(self) -> Iterator[str]:
        """Keep the table for the next session; where that fails this one goes on, and it is said once."""
        if self.file:
            try:
                keep_table(self.file, self.table)
                self.unkept = False
            except InputError as error:
                if not self.unkept:
                    yield f"! not kept for the next time: {error.where}: {error.what}"
                self.unkept = True

    # --- answers ---

    def _show(self, before: Shown | None) -> Iterator[str]:
        """What is new of the answer since the one before: its working, the verdict, what is assumed, what is asked for."""
        if not self.shown:
            return
        report = self.shown.report
        if before is None or before.report.title != report.title:
            yield from wrapped(report.title, self.width)
        yield from working(self._news(before.report if before else None), self.width, bars=self.bars)
        yield from wrapped(self.shown.verdict, self.width, "= ")
        if self.shown.assumed and (before is None or before.assumed != self.shown.assumed):
            said = (f"?{n} {one.words}{'*' * one.turns}" for n, one in enumerate(self.shown.assumed, 1))
            star = "   (* the answer turns on it)" if any(one.turns for one in self.shown.assumed) else ""
            yield from wrapped(f"assumed: {', '.join(said)}{star}", self.width)
        yield from self._wanted()
        if report.changes and not report.asks:
            yield from (f"- {change_text(change)}" for change in report.changes)
            yield "`done` carries it out"

    def _news(self, before: Report[Any] | None) -> Report[Any]:
        """The report without what the one before said, and without the cautions that the line of assumptions says."""
        report = self.shown.report if self.shown else None
        assert report
        old = {(step.rule, step.text) for part in before.parts for step in part.steps} if before else set()
        parts = []
        for part in report.parts:
            steps = tuple(step for step in part.steps if (step.rule, step.text) not in old)
            parts += [msgspec.structs.replace(part, steps=steps)] if steps else []
        assumed = {one.key for one in self.shown.assumed} if self.shown else set()
        tracks = self.table.position.game.tracks
        told = {f"{tracks[name].title} of {subject}" for name, subject in assumed if name}
        told |= {caution.text for caution in before.cautions} if before else set()
        cautions = (one for one in report.cautions if one.figures.get("fact") not in told and one.text not in told)
        return msgspec.structs.replace(report, parts=tuple(parts), cautions=tuple(cautions))

    def _wanted(self) -> Iterator[str]:
        """What is asked for, but for what the prompt itself says."""
        ask = self.pending
        asks = self.shown.report.asks if self.shown else ()
        if len(asks) > 1 and ask in asks:
            yield from wrapped("then: " + "; ".join(one.title for one in asks[1:]), self.width)
        if ask:
            if ask.kind == "parameter" or (ask.kind == "fact" and not ask.key):
                yield from wrapped(ask.how, self.width, "  ")
            for label, modifiers in ask.modifiers.items():
                said = ", ".join(f"{one.amount:+} {one.why} [{one.rule}]" for one in modifiers)
                yield from wrapped(f"{label}: {said}", self.width, "  ")
            for number, option in enumerate(ask.options, 1):
                yield from wrapped(f"{number} {option}", self.width, "  ")

    def _kept_answer(self, ask: Ask, table: Table) -> Iterator[str]:
        """Keep what was asked for and is printed on a counter or on the map in the owner's pack.

        table: on which it is answered.
        """
        if ask.kind != "fact":
            return
        name, subject = str(ask.key[0]), str(ask.key[1])
        track, value = self.game.tracks[name], table.position.state.facts[name, subject].value
        if keep_fact(table.position, name, subject, track.write(value)):
            self.game = reloaded(self.game)
            yield f"kept in your pack: {track.how_to_state(subject, value)}"

    def _cell(self, ask: Ask, text: str) -> Iterator[str]:
        """Keep a chart cell that was asked for, and go on with it."""
        doubts = pack_of(self.game).enter_cell(str(ask.key[0]), tuple(ask.key[1:]), text)
        yield from wrapped(f"kept in your pack: {ask.title} {text}", self.width)
        for doubt in doubts:
            yield from wrapped(f"by a reading of rule {doubt.rule} it should not be: {doubt.text}", self.width, "! ")
        self.game = reloaded(self.game)
        yield from self._lay(self.table, queue=self.queue[1:])

    # --- commands ---

    def undo(self, _: str) -> Iterator[str]:
        """Take the last line back."""
        if len(self.tables) == 1:
            raise InputError("there is nothing to take back")
        taken = self.tables.pop()
        self.shown, before = look(self.table), self.shown
        self.queue = []
        yield from self._keep_table()
        packed = taken.position.game is not self.table.position.game
        yield "taken back" + ("; what was kept stays in your pack until you type it anew" if packed else "")
        yield from self._show(before or self.shown)

    def why(self, _: str) -> Iterator[str]:
        """The whole working."""
        if not self.shown:
            raise InputError("nothing is asked yet", hint="type a combat, or `help`")
        yield from self._show(None)

    def done(self, _: str) -> Iterator[str]:
        """Carry the answer out on the table, and write it into the journal."""
        table = carried_out(self.table)
        why = table.journal.entries[-1].why
        yield from wrapped(f"carried out, and written into the journal: {why}", self.width)
        yield from self._lay(table)

    def position(self, _: str) -> Iterator[str]:
        """The position as notation."""
        yield from writing.write(self.table.position).splitlines()

    def journal(self, _: str) -> Iterator[str]:
        """What was carried out."""
        if not self.table.journal.entries:
            yield "nothing was carried out yet"
        for number, entry in self.table.journal.in_force():
            yield from wrapped(f"{number}. {entry.why}", self.width)
            yield from (f"   - {change_text(change)}" for change in entry.changes)

    def keep(self, _: str) -> Iterator[str]:
        """Keep the counters and the ground that were stated in the owner's pack."""
        count = 0
        for (name, subject), fact in self.table.position.state.facts.items():
            if fact.source is Source.STATED and not fact.assumed:
                text = self.table.position.game.tracks[name].write(fact.value)
                count += keep_fact(self.table.position, name, subject, text)
        yield f"{count} facts kept in your pack"
        self.game = reloaded(self.game)
        self.tables[-1] = self.table._replace(position=self.table.position._replace(game=self.game))

    def charts(self, _: str) -> Iterator[str]:
        """Ask for the chart cells that the chances need, one after the other; an empty line ends it."""
        if not self.shown:
            raise InputError("nothing is asked yet", hint="type a combat first")
        position, asked = self.shown.position, self.shown.asked
        view = View(position.game, position.state)
        question = question_of(position.game, asked.question)
        try:
            parameters = read_parameters(question, view, asked.parameters)
        except MissingFacts as missing:
            raise InputError("nothing is looked up yet", hint=f"first: {missing.asks[0].title}") from None
        ask_question(question, view, parameters, position.answers)
        self.queue = [ask_for_cell(position.game, chart, *key) for chart, key in view.cells_missed]
        yield f"{len(self.queue)} chart cells to type; an empty line ends it" if self.queue else "no cell is missing"

    def save(self, name: str) -> Iterator[str]:
        """Write the position into a file, as notation or as JSON."""
        file = os.path.expanduser(name.strip('"'))
        if not file:
            raise InputError("a file needs a name", hint="save NAME.pos")
        if os.path.exists(file):
            raise InputError("the file exists already", hint="save it under another name")
        write(self.table.position, file)
        yield f"written: {file}"

    def new(self, _: str) -> Iterator[str]:
        """An empty table."""
        empty = msgspec.structs.replace(self.game.state(), seen_by=self.table.position.state.seen_by)
        yield from self._left_open(self.shown)
        self.tables.append(Table(Position(self.game, empty)))
        self.shown, self.queue = None, []
        yield from self._keep_table()
        yield "an empty table; `undo` brings the old one back"

    def help(self, _: str) -> Iterator[str]:
        """What can be typed."""
        yield from HELP.splitlines()

    def quit(self, _: str) -> Iterator[str]:
        """Leave."""
        self.over = True
        yield from ()

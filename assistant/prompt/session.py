"""A session at the table: each typed line turns the last table into a new one, reports what is new, and can be undone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from ..formats import writing
from ..formats.positions import Position
from ..plugins.registry import pack_of, question_of, reloaded
from ..questions.parameters import read_parameters
from ..questions.question import ask as ask_question
from ..questions.report import Ask, MissingFacts, Report, working
from ..questions.view import View, ask_for_cell
from ..questions.wording import change_text, fact_text, modifiers_text, wrapped
from ..service import write
from ..state.hidden import UNSEEN
from ..state.lines import all_stated
from ..state.sources import Source
from ..state.state import GameState
from ..util.errors import InputError, plain, similar
from .helping import COMMANDS, help_lines
from .keeping import TableFile, keep_facts
from .table import Shown, Table, answered, carried_out, choose, look, pick, typed, words_to_answer


class Session:
    """A session: the tables so far, the answer shown, and what is asked for.

    width: columns of the screen; bars: whether it can show bars; file: keeps the table after each line, None for none.
    """

    def __init__(self, table: Table, width: int, file: TableFile | None = None, *, bars: bool = True) -> None:
        self.tables, self.width, self.file, self.bars = [table], width, file, bars
        self.game = table.position.game  # with the owner's pack as it is now; earlier tables may lack entries
        self.shown: Shown | None = None
        self.queue: list[Ask] = []
        self.over = self.unkept = False
        words = ("help", *(typed.split()[0] for typed in COMMANDS))
        self.commands: Mapping[str, Callable[[str], Iterator[str]]] = {word: getattr(self, word) for word in words}

    @property
    def table(self) -> Table:
        """The current table."""
        return self.tables[-1]

    @property
    def pending(self) -> Ask | None:
        """The next thing asked for."""
        asks = self.queue or (self.shown.report.asks if self.shown else ())
        return asks[0] if asks else None

    @property
    def prompt(self) -> str:
        """The prompt: what is asked for."""
        ask = self.pending
        if ask is None:
            return "> "
        takes = ask.dice or (ask.takes if ask.kind == "fact" else "")
        fields = self.table.position.game.chart(str(ask.key[0])).fields if ask.kind == "cell" else ()
        words = words_to_answer(self.table, ask) if ask.kind == "fact" else tuple(field.name for field in fields)
        takes = takes or " / ".join(words)
        return f"{ask.title}{f' ({takes})' if takes else ''}> "

    def begin(self) -> list[str]:
        """The answer to the question on a kept table."""
        try:
            self.shown = look(self.table)
            return list(self._show(None))
        except InputError as error:
            return self._refused(error)

    def enter(self, line: str) -> list[str]:
        """The response to a typed line: what is new, or the fault and the remedy, and then nothing has changed."""
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
            yield from self._lay(table, answered=ask)
        else:
            try:
                table = typed(self.table, text)
            except InputError as error:
                raise self._as_meant(text, error) from None
            if self.shown and table == self.table:
                yield "nothing has changed"
                if usual := self.game.file.table:
                    yield f"  a new combat has < between its hexes: {usual.target.upper()} UNIT ... < HEX UNIT ..."
            else:
                yield from self._lay_or_close(table)

    def _lay_or_close(self, table: Table) -> Iterator[str]:
        """Lay a new table; where units have moved so that the question has no answer any more, close the question."""
        before = self.table
        try:
            yield from self._lay(table, anew=table.number != before.number)
        except InputError as error:
            if table.asked != before.asked or table.position.state.units == before.position.state.units:
                raise
            closed = self.shown.report.title if self.shown else ""
            yield from self._lay(table.asking(None).answering({}))
            yield from wrapped(f"closed: {closed} ({error.what})", self.width)

    def _as_meant(self, text: str, error: InputError) -> InputError:
        """The error of a line that is not understood: a single word may be a misspelt command, or a roll in letters."""
        if text.isalpha() and (near := similar(text.casefold(), self.commands, 0.7, 1)):
            return InputError(f"{text!r} is not understood", hint=f"nearest command: {near[0]}")
        if text.isalpha() and (ask := self.pending) and ask.kind == "roll":
            hint = f"type the {ask.dice} in figures: their total, or each die joined by +"
            return InputError(f"{text!r} is not a roll", hint=hint)
        return error

    def _is_cell(self, ask: Ask, text: str) -> bool:
        """Whether a text is a cell of the chart asked for rather than a line. Raises InputError if it is neither."""
        chart = self.table.position.game.chart(str(ask.key[0]))
        try:
            chart.cell(text)
        except InputError as bad_cell:
            try:
                typed(self.table, text)
            except InputError as bad_line:
                hint = f"{bad_cell.hint}; as a line: {bad_line.what}"
                raise InputError(bad_cell.what, hint=hint) from None
            return False
        return True

    def _command(self, word: str, rest: str) -> str:
        """The command that a word abbreviates, "" if none; only `save` takes an argument.

        A word that abbreviates a possible answer is not a command unless typed in full.
        """
        typed = word.casefold()
        found = [name for name in self.commands if word and name.startswith(typed)]
        if (rest and found[:1] != ["save"]) or word in self.game.roster:
            return ""
        answers = words_to_answer(self.table, self.pending) if self.pending else ()
        if typed not in found and any(answer.casefold().startswith(typed) for answer in answers):
            return ""
        return "help" if word == "?" else found[0] if found else ""

    def _lay(
        self, table: Table, *, anew: bool = False, queue: Sequence[Ask] = (), answered: Ask | None = None
    ) -> Iterator[str]:
        """Lay a new table and report what is new in its answer. queue: what to ask for before what the answer needs; answered:
        what the table answers, which goes into the owner's pack if it is printed.

        Raises InputError for a table without an answer; then nothing has changed, in the pack neither.
        """
        laid, shown = self.shown, look(self._of_this_game(table))
        if answered:
            yield from self._keep_answer(answered, table)
        table = self._of_this_game(table)
        before = None if anew else laid
        was = self.table.position.state
        self.tables.append(table)
        self.shown, self.queue = shown, list(queue)
        yield from self._keep_table()
        if anew:
            yield from self._not_carried_out(laid)
        elif table.asked and self.tables[-2].position.answers and not table.position.answers:
            yield from wrapped("the units in this combat have changed: its dice no longer count", self.width)
        for line in self._side_effects(was, table.position.state):
            yield from wrapped(line, self.width)
        yield from self._show(before)

    def _of_this_game(self, table: Table) -> Table:
        """A table with the owner's pack as it is now."""
        return msgspec.structs.replace(table, position=msgspec.structs.replace(table.position, game=self.game))

    def _not_carried_out(self, shown: Shown | None) -> Iterator[str]:
        """A remark if an answer with dice or changes was left without carrying it out."""
        if shown and (shown.report.changes or (shown.position.answers and shown.report.asks)):
            yield from wrapped(f"not carried out: {shown.report.title}; `undo` goes back to it", self.width)

    def _side_effects(self, was: GameState, now: GameState) -> Iterator[str]:
        """The side effects of a line: new units, units that left the map, facts that lapsed."""
        for unit in now.units.values():
            before = was.units.get(unit.id)
            if unit.place is None and before and before.place:
                yield f"off the map: {unit.id}, from {before.place}"
            elif before is None and unit.type not in self.game.roster:
                words = (now.value(name, unit.id) for name in self.game.file.notation.identity)
                yield f"new unit, not in the roster: {unit.id}, {' '.join(str(word) for word in words if word)}"
        for name, about in was.facts:
            if name == UNSEEN and (name, about) not in now.facts:
                yield f"no longer assumed: unseen units in {about}"
        tracks = self.game.tracks
        over = [(name, about) for name, about in was.facts if tracks[name].ends_with and (name, about) not in now.facts]
        if over:
            yield f"no longer in force: {', '.join(f'{name} of {about}' for name, about in over)}"

    def _keep_table(self) -> Iterator[str]:
        """Keep the table for the next session. If that fails, say so once and go on."""
        if self.file:
            try:
                moved = self.file.keep(self.table)
                self.unkept = False
                if moved:
                    yield f"! another prompt has changed the kept table; from now on this one is kept as {moved}"
            except InputError as error:
                if not self.unkept:
                    yield f"! table not kept: {error.where}: {error.what}"
                self.unkept = True

    # --- answers ---

    def _show(self, before: Shown | None) -> Iterator[str]:
        """What is new in the answer since the last one: its working, the verdict, the assumptions, what is asked for."""
        if not self.shown:
            return
        report = self.shown.report
        if before is None or before.report.title != report.title:
            yield from wrapped(report.title, self.width)
        yield from working(self._news(before.report if before else None), self.width, bars=self.bars)
        yield from wrapped(self.shown.verdict, self.width, "= ")
        if self.shown.assumed and (before is None or before.assumed != self.shown.assumed):
            assumed = (f"?{n} {one.words}{'*' * one.decisive}" for n, one in enumerate(self.shown.assumed, 1))
            star = "   (* the answer depends on it)" if any(one.decisive for one in self.shown.assumed) else ""
            yield from wrapped(f"assumed: {', '.join(assumed)}{star}", self.width)
        yield from self._wanted()
        if report.changes and not report.asks:
            yield from (f"- {change_text(change)}" for change in report.changes)
            yield "`done` carries it out"

    def _news(self, before: Report[Any] | None) -> Report[Any]:
        """The report without what the last one already showed and without cautions about the assumptions listed below it."""
        report = self.shown.report if self.shown else None
        assert report
        old = {(step.rule, step.text) for part in before.parts for step in part.steps} if before else set()
        parts = []
        for part in report.parts:
            steps = tuple(step for step in part.steps if (step.rule, step.text) not in old)
            parts += [msgspec.structs.replace(part, steps=steps)] if steps else []
        assumed = {one.key for one in self.shown.assumed} if self.shown else set()
        tracks = self.table.position.game.tracks
        told = {fact_text(tracks[name].title, subject) for name, subject in assumed if name}
        told |= {caution.text for caution in before.cautions} if before else set()
        cautions = (one for one in report.cautions if one.figures.get("fact") not in told and one.text not in told)
        return msgspec.structs.replace(report, parts=tuple(parts), cautions=tuple(cautions))

    def _wanted(self) -> Iterator[str]:
        """What is asked for, beyond what the prompt itself shows."""
        ask = self.pending
        asks = self.shown.report.asks if self.shown else ()
        if len(asks) > 1 and ask in asks:
            yield from wrapped("then: " + "; ".join(one.title for one in asks[1:]), self.width)
        if ask:
            if ask.kind == "parameter" or (ask.kind == "fact" and not ask.key):
                yield from wrapped(ask.how, self.width, "  ")
            for label, modifiers in ask.modifiers.items():
                yield from wrapped(f"{label}: {modifiers_text(modifiers)}", self.width, "  ")
            for number, option in enumerate(ask.options, 1):
                yield from wrapped(f"{number} {option}", self.width, "  ")

    def _keep_answer(self, ask: Ask, table: Table) -> Iterator[str]:
        """Keep an answer in the owner's pack if it is printed on a counter or on the map.

        table: the table with the answer.
        """
        if ask.kind != "fact":
            return
        name, subject = str(ask.key[0]), str(ask.key[1])
        track, value = self.game.tracks[name], table.position.state.facts[name, subject].value
        if keep_facts(table.position, {(name, subject): track.write(value)}):
            self.game = reloaded(self.game)
            yield f"kept in your pack: {track.how_to_state(subject, value)}"

    def _cell(self, ask: Ask, text: str) -> Iterator[str]:
        """Keep a chart cell that was asked for, and go on."""
        name, key = str(ask.key[0]), tuple(ask.key[1:])
        position = self.table.position
        cells = MappingProxyType({**position.state.cells, (name, key): self.game.chart(name).cell(text)})
        state = msgspec.structs.replace(position.state, cells=cells)
        look(msgspec.structs.replace(self.table, position=position.with_state(state)))  # before anything is kept
        doubts = pack_of(self.game).enter_cell(name, key, text)
        yield from wrapped(f"kept in your pack: {ask.title} {text}", self.width)
        for doubt in doubts:
            yield from wrapped(
                f"doubtful: one reading of rule {doubt.rule} contradicts it: {doubt.text}", self.width, "! "
            )
        self.game = reloaded(self.game)
        yield from self._lay(self.table, queue=self.queue[1:])

    # --- commands ---

    def undo(self, _: str) -> Iterator[str]:
        """Undo the last line."""
        if len(self.tables) == 1:
            raise InputError("there is nothing to undo")
        shown, before = look(self.tables[-2]), self.shown
        taken = self.tables.pop()
        self.shown, self.queue = shown, []
        yield from self._keep_table()
        packed = taken.position.game is not self.table.position.game
        yield "undone" + ("; what was kept stays in your pack until you type it anew" if packed else "")
        yield from self._show(before or self.shown)

    def why(self, _: str) -> Iterator[str]:
        """Show the whole working."""
        if not self.shown:
            raise InputError("no question has been asked yet", hint="type a combat, or `help`")
        yield from self._show(None)

    def done(self, _: str) -> Iterator[str]:
        """Carry out the answer on the table, and write it into the journal."""
        table = carried_out(self.table)
        why = table.journal.entries[-1].why
        yield from wrapped(f"carried out and written into the journal: {why}", self.width)
        yield from self._lay(table)

    def position(self, _: str) -> Iterator[str]:
        """Show the position as notation."""
        yield from writing.write(self.table.position).splitlines()

    def journal(self, _: str) -> Iterator[str]:
        """Show what was carried out."""
        if not self.table.journal.entries:
            yield "nothing has been carried out yet"
        for number, entry in self.table.journal.in_force():
            yield from wrapped(f"{number}. {entry.why}", self.width)
            yield from (f"   - {change_text(change)}" for change in entry.changes)

    def keep(self, _: str) -> Iterator[str]:
        """Keep all stated facts of counters and of the map in the owner's pack."""
        tracks = self.table.position.game.tracks
        certain = {
            key: tracks[key[0]].write(fact.value)
            for key, fact in all_stated(self.table.position.state, tracks).items()
            if fact.source is Source.STATED and not fact.assumed
        }
        yield f"{keep_facts(self.table.position, certain)} facts kept in your pack"
        self.game = reloaded(self.game)
        self.tables[-1] = self._of_this_game(self.table)

    def charts(self, _: str) -> Iterator[str]:
        """Ask for the chart cells that the chances need, one by one; an empty line ends it."""
        if not self.shown:
            raise InputError("no question has been asked yet", hint="type a combat first")
        position, asked = self.shown.position, self.shown.asked
        view = View(position.game, position.state)
        question = question_of(position.game, asked.question)
        try:
            parameters = read_parameters(question, view, asked.parameters)
        except MissingFacts as missing:
            raise InputError("no chart has been read yet", hint=f"answer this first: {missing.asks[0].title}") from None
        ask_question(question, view, parameters, position.answers)
        self.queue = [ask_for_cell(position.game, chart, *key) for chart, key in view.cells_missed]
        yield f"{len(self.queue)} chart cells to type; an empty line ends it" if self.queue else "no cells are missing"

    def save(self, name: str) -> Iterator[str]:
        """Write the position to a file, as notation or JSON."""
        file = os.path.expanduser(name.strip('"'))
        if not file:
            raise InputError("a file needs a name", hint="save NAME.pos")
        if os.path.exists(file):
            raise InputError("the file already exists", hint="save it under another name")
        write(self.table.position, file)
        yield f"written: {file}"

    def new(self, _: str) -> Iterator[str]:
        """Start an empty table."""
        empty = msgspec.structs.replace(self.game.state(), seen_by=self.table.position.state.seen_by)
        yield from self._not_carried_out(self.shown)
        self.tables.append(Table(Position(self.game, empty)))
        self.shown, self.queue = None, []
        yield from self._keep_table()
        yield "an empty table; `undo` brings back the old one"

    def help(self, _: str) -> Iterator[str]:
        """Show what can be typed."""
        yield from help_lines(self.table.position)

    def quit(self, _: str) -> Iterator[str]:
        """End the session."""
        self.over = True
        yield from ()

"""The desk of a session: its tables, the shown answer, the asks, and the picture that is redrawn.

Each line or command that changes the state puts a new table on the earlier ones; `undo` removes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten
from typing import Literal, NamedTuple, Protocol

import msgspec

from ...asking.asks import Ask
from ...asking.report import Step
from ...asking.sketch import Sketch, Spot
from ...asking.view import View
from ...asking.wrapping import wrap_text
from ...drawing import WRITERS
from ...drawing.sketch.scene import sketch_scene
from ...formats.positions import Asked
from ...installed.registry import pack_of, question_of, reload_pack
from ...rules.sketches import attack_arrows, side_at
from ...service import picture
from ...state.trust import name_stand_ins
from ...util.background import waits
from ...util.errors import InputError
from ...util.limits import last_within
from ...util.writing import Unsettled, write_whole
from . import answer_text, line_effects
from .answers import sort_by_stack
from .combats import OpenCombat, format_units_dropped, leaves_moment, list_named, same_target
from .files import OwnFiles, is_printed
from .table import ShownAnswer, TableState, evaluate_if_ready, evaluate_table, is_owed, number_assumptions

_MAX_FACTS_HELD = 100_000
"""The maximum number of facts and units in all earlier tables together; beyond it the oldest tables are dropped."""
_MAX_LINE_CHARS = 60
"""The maximum length of a line in a remark that quotes it; a longer one is cut."""


def shorten_line(line: str) -> str:
    """Return a line cut after a word to the maximum length of a quoted one."""
    return shorten(line, _MAX_LINE_CHARS, placeholder=" ...")


class Confirmation(msgspec.Struct, frozen=True):
    """A question that waits for yes or no, with the effects of both."""

    line: str
    """The typed line that requires the confirmation."""
    question: str
    on_yes: Callable[[], Iterator[str]]
    """The function that `y` calls."""
    on_no: Callable[[], Iterator[str]] | None = None
    """The function that `n` calls, or None for no effect."""


class LineMeaning(NamedTuple):
    """The likely meaning of a text: lines to be entered in turn, or an error to show."""

    lines: tuple[str, ...] = ()
    error: InputError | None = None
    is_certain: bool = False
    """Whether to show `error` in any case, not only if the text has unknown words."""
    why: str = ""
    """The reason for that meaning, shown before the lines are quoted."""


def _count_facts(table: TableState) -> int:
    state = table.position.state
    return 100 + len(state.facts) + len(state.units)


class Keeper(Protocol):
    """A store that saves a table after each line."""

    picture: tuple[str, str] | None
    """The picture file that is redrawn after every line, with the digest of its contents, or None."""
    saved: dict[str, str]
    """The digests of saved positions by their files."""

    def keep(self, table: TableState, before: Sequence[TableState] = ()) -> Path | None:
        """Save a table, and return the new file if the table is saved in another one from now on, or else None.

        `before`: the earlier tables, for `undo` in the next session.
        """


Writes = Literal["file", "pack"]
"""The kinds of data besides the table that a line may write: a named file, or the owner's pack."""
WRITES: tuple[Writes, ...] = ("file", "pack")
"""All kinds of data that a line may write if none is forbidden."""


class PromptDesk:
    """The tables so far, the shown answer, and the asks.

    `width`: the columns of the screen.
    `file`: the store that saves the table after each line, or None if it is not saved.
    `bars`: whether the screen can show bars.
    `before`: the tables of the last session, for `undo`.
    `writes`: the kinds of data that the user may write besides the table.
    """

    def __init__(
        self,
        table: TableState,
        width: int,
        file: Keeper | None = None,
        *,
        bars: bool = True,
        before: Sequence[TableState] = (),
        writes: Collection[Writes] = WRITES,
    ) -> None:
        self.tables = [*before, table]
        self.width = width
        self.file = file
        self.bars = bars
        self.writes = writes
        self.game = table.position.game  # with the owner's current pack; the games of earlier tables may lack entries
        self.shown: ShownAnswer | None = None
        """The answer to the question of the current table, or None if the table asks none or waits for its answer."""
        self.queue: list[Ask] = []
        """The next asks if they differ from those of the answer, or else an empty list."""
        self.passed: list[Ask] = []
        """The chart cells that were answered from the queue, to which the player may return row by row."""
        self.picture = TablePicture(file.picture if file else None)
        self.saved = OwnFiles(file.saved if file else None)
        self.unfinished: Asked | None = None
        """A question that was refused because a parameter is missing."""
        self.held: Confirmation | None = None
        """The question that the next line answers with yes or no."""
        self.gathered: list[str] = []
        """The lines so far of a chart's table that is being pasted or typed."""
        self.packed: dict[int, tuple[dict[Path, bytes], dict[Path, bytes]]] = {}
        """The files of the owner's pack before and after an entry, by the index of the entry's table in `tables`."""
        self.typed = ""
        """The line that is being answered."""
        self.refused = ""
        """The last line if it was refused and had no effect, or ""."""
        self.fault: InputError | None = None
        """The error for which the last line was refused, or None."""
        self.is_over = False
        """Whether the session is over."""
        self.is_unsaved = False
        """Whether the table could not be saved."""
        self.was_asked_yes_or_no = False
        """Whether the last line was typed in answer to a question for yes or no."""
        self.has_named_pack = False
        """Whether the remark that chart cells typed at the table are saved in the owner's pack was shown."""
        self.has_named_why = False
        """Whether the remark that `why` shows the working was shown."""
        self.is_after_prompt_sign = False
        """Whether the line that is being answered was typed after a >, which may come from a copied prompt."""

    @property
    def table(self) -> TableState:
        return self.tables[-1]

    @property
    def returned(self) -> tuple[str, int]:
        """The refused line of several words that is returned to the prompt, and the position of the cursor in it.

        The cursor is after the first word that the error names, or at the end. The value is ("", 0) if no line is
        returned.
        """
        if self.fault is None or len(self.refused.split()) < 2:
            return "", 0
        for word in re.finditer(r"[^\s,;<>]+", self.refused):
            name = re.escape(word[0])
            if re.search(rf"^{name}\b|'{name}'", self.fault.what):
                return self.refused, word.end()
        return self.refused, len(self.refused)

    @property
    def row(self) -> list[Ask]:
        return [ask for ask in self.queue if ask.key[:-1] == self.queue[0].key[:-1]]

    @property
    def pending(self) -> Ask | None:
        """The next ask, or None; if it is a choice between units, they are in the order of their stacks."""
        asks = self.queue or (self.shown.report.asks if self.shown else ())
        return sort_by_stack(self.table.position.state, asks[0]) if asks else None

    def lay(
        self,
        table: TableState,
        *,
        asks_new_question: bool = False,
        answered: Ask | None = None,
        read: str = "",
    ) -> Iterator[str]:
        """Make a table the current one and yield the news of its answer.

        `asks_new_question`: whether the line asks a new question.
        `answered`: the ask that the line answered, or None; the owner's pack may save a printed fact.
        `read`: the line as it was understood, or "" if it is not shown.

        Raises InputError for a table without an answer, and NotYet for a new question that waits for its answer. The
        desk has not changed then.
        """
        last_shown = self.shown
        asks_anew = (table.asked, table.position.answers) != (self.table.asked, self.table.position.answers)
        table_now = self.of_this_game(table)
        shown = evaluate_table(table_now) if asks_anew and waits() else evaluate_if_ready(table_now)
        offer = self._format_offer(answered, table) if answered else ""
        table = table_now
        self.unfinished = None
        if shown:
            numbered = number_assumptions(table, (assumption.key for assumption in shown.assumed))
            table = msgspec.structs.replace(table, numbered=numbered)
        before = None if asks_new_question else last_shown
        old = self.table
        self.put(table, read if len(read) <= _MAX_LINE_CHARS else "", passes=self._only_asks(table, shown))
        self.shown = shown
        self.queue = []
        self.passed = []
        effects = [*self._format_effects(old, table, asks_new_question=asks_new_question, read=bool(read))]
        text = "; ".join(filter(None, [*effects, read]))
        yield from wrap_text(text + offer, self.width, "read: " if read else "", typed=bool(read))
        yield from self.keep_table()
        if asks_new_question:
            yield from self.format_left_behind(last_shown, old.combat, table)
        elif answered is None and leaves_moment(old.position, table.position, stated=False):
            is_carried_out = table.done != old.done  # the answer shown has itself led to the other moment
            yield from self.format_owed(None if is_carried_out else last_shown, old)
        cautions_shown: Sequence[Step] = ()
        if last_shown and shown and same_target(last_shown.position, last_shown.asked, shown.asked):
            cautions_shown = last_shown.report.cautions
        yield from self.show(before, cautions_shown=cautions_shown)

    def _format_effects(
        self, old: TableState, table: TableState, *, asks_new_question: bool, read: bool
    ) -> Iterator[str]:
        """Yield the effects of a line besides the stated ones.

        `read`: whether to yield also details of how the line was understood.
        """
        was = old.position
        now = table.position
        stated_facts, dropped_facts, _ = now.state.compare_facts(was.state)
        yield from line_effects.format_side_effects(self.game, was.state, now.state, dropped_facts)
        if read:
            yield from line_effects.format_moved_units(was.state, now.state)
            yield from line_effects.format_replaced_facts(self.game, was.state, now.state, stated_facts)
        if read and not asks_new_question and old.combat and table.combat:
            yield from format_units_dropped(was, now, table.combat.asked)
        dice_before = was.answers
        if asks_new_question:  # a new question has no dice, unless it resumes the open combat
            resumed = old.combat if old.combat and table.number == old.combat.number else None
            dice_before = resumed.answers if resumed else {}
        if table.asked and dice_before and not (now.answers or leaves_moment(was, now, stated=False)):
            yield "the units in this combat have changed: its dice no longer count"

    def _only_asks(self, table: TableState, shown: ShownAnswer | None) -> bool:
        """Return whether a new table only asks a question, so that `undo` removes it with the step before.

        Then neither it nor the current table has a combat, dice or changes, and both state the same facts.
        """
        old = self.table
        before = self.shown
        if shown is None or shown.report.asks or shown.report.changes or table.combat or old.combat:
            return False
        if (before and before.report.changes) or table.position.answers or old.position.answers:
            return False
        stated = (table.position.state, table.done, table.chosen)
        return stated == (old.position.state, old.done, old.chosen)

    def put(self, table: TableState, read: str = "", *, passes: bool = False) -> None:
        """Put a table on the others, with the line that led to it.

        `read`: the line as it was understood, or "" to name the table by the line as typed.
        `passes`: whether the table is no step of its own for `undo`.
        """
        line = read or shorten_line(self.typed)
        self.tables.append(msgspec.structs.replace(table, line=line, passes=passes))
        before = self.tables[:-1]
        if dropped := len(before) - len(last_within(_MAX_FACTS_HELD, before, _count_facts)):
            del self.tables[:dropped]
            self.packed = {index - dropped: files for index, files in self.packed.items() if index >= dropped}

    def format_left_behind(
        self, shown: ShownAnswer | None, combat: OpenCombat | None, table: TableState
    ) -> Iterator[str]:
        """Yield remarks on the answers that a new question leaves unfinished, and how to return to each."""
        was_combat = shown and shown.asked.question == self.game.file.prompt.ask
        if shown and was_combat and table.aside:
            back = f"`{self.game.file.prompt.ask}` goes back to it"
            yield from self.format_not_carried_out(shown, back)
            if shown.report.asks and shown.report.asks[0].kind in ("fact", "parameter"):
                yield from wrap_text(f"set aside: {shown.report.title}; {back}", self.width)
            return
        yield from self.format_not_carried_out(shown)
        is_open = table.combat and combat and table.combat.number == combat.number
        if combat and combat.answers and not is_open and not was_combat:
            yield from wrap_text(f"not carried out: {combat.words}; `undo` brings it back", self.width)

    def format_owed(self, shown: ShownAnswer | None, old: TableState) -> Iterator[str]:
        """Yield the combats left unfinished when the phase or turn changed: open, set aside or replaced by others.

        `shown`: the answer shown last, or None.
        `old`: the last table of that phase or turn.
        """
        how = "it is still owed; `undo` goes back to it"
        if old.aside is None:
            yield from self.format_not_carried_out(shown, how)
        elif old.aside.answers:
            yield from wrap_text(f"not carried out: {old.aside.words}; {how}", self.width)
        for combat in self.find_half_fought(old):
            yield from wrap_text(f"not carried out: {combat.words}; {how}", self.width)

    def find_half_fought(self, now: TableState) -> Iterator[OpenCombat]:
        """Yield the unfinished combats with dice that others replaced in the same phase and turn.

        A hex that was attacked again later is left out, as is the open combat.

        `now`: the last table of that phase and turn.
        """
        numbers_seen = set[int]()
        hexes_settled = set[str]()
        later = now
        for table in reversed(self.tables[:-1]):
            if leaves_moment(table.position, now.position, stated=False) or not table.position.state.units:
                return
            combat = table.combat
            is_carried_out = table.done != later.done  # the table after this one carried its combat out
            later = table
            if combat is None:
                continue
            target = str(combat.asked.parameters[self.game.file.prompt.target])
            ended_with_dice = combat.number not in numbers_seen and bool(combat.answers)
            is_unfinished = ended_with_dice and target not in hexes_settled and not is_carried_out
            numbers_seen.add(combat.number)
            if is_carried_out or ended_with_dice:
                hexes_settled.add(target)
            is_open = now.combat is not None and combat.number == now.combat.number
            if is_unfinished and not is_open and is_owed(self.of_this_game(table)):
                yield combat

    def ask_first(
        self, question: str, on_yes: Callable[[], Iterator[str]], on_no: Callable[[], Iterator[str]] | None = None
    ) -> Iterator[str]:
        """Ask for a confirmation before data are lost or saved; the next line answers.

        `question`: the question, without its question mark.
        `on_yes`: the effect of `y`.
        `on_no`: the effect of `n`, or None for no effect.
        """
        self.held = Confirmation(self.typed, question, on_yes, on_no)
        yield from wrap_text(f"{question}? (y or n)", self.width, "? ")

    def of_this_game(self, table: TableState) -> TableState:
        return msgspec.structs.replace(table, position=msgspec.structs.replace(table.position, game=self.game))

    def renew_pack(self) -> None:
        self.game = reload_pack(self.game)
        self.shown = evaluate_if_ready(self.of_this_game(self.table)) if self.shown else None
        self.queue = []
        self.passed = []

    def format_not_carried_out(
        self, shown: ShownAnswer | None, remedy: str = "`undo` goes back to it"
    ) -> Iterator[str]:
        """Yield a remark if the previous answer has changes, or has dice and is unfinished or a combat.

        `shown`: the previous answer, or None.
        """
        if shown is None:
            return
        is_waiting = shown.report.asks or shown.asked.question == self.game.file.prompt.ask
        if shown.report.changes or (shown.position.answers and is_waiting):
            yield from wrap_text(f"not carried out: {shown.report.title}; {remedy}", self.width)

    def keep_table(self) -> Iterator[str]:
        """Save the table for the next session and redraw its picture; yield a remark on any failure."""
        yield from self.picture.renew(self.table, self.shown)
        if self.file:
            self.file.picture = self.picture.kept
            self.file.saved = self.saved.digests
            try:
                moved = self.file.keep(self.table, self.tables[:-1])
                self.is_unsaved = False
                if moved:
                    yield f"! another prompt has changed the saved table; from now on this one is saved as {moved}"
            except Unsettled as error:
                self.is_unsaved = False
                yield f"! table saved at {error.where}: {error.what}"
            except InputError as error:
                self.is_unsaved = True
                yield f"! table not saved: {error.where}: {error.what}"

    def show(
        self, before: ShownAnswer | None, *, whole: bool = False, cautions_shown: Sequence[Step] = ()
    ) -> Iterator[str]:
        """Yield the news of the answer, the asks, and the changes that `done` makes.

        `before`: the answer shown last, or None to show everything.
        `whole`: whether to show all steps, as for `why`.
        `cautions_shown`: the cautions already shown for this battle.
        """
        if self.shown:
            yield from answer_text.format_answer(
                self.shown, before, self.game, self.width, bars=self.bars, whole=whole, cautions_shown=cautions_shown
            )
            if self.shown.report.sentences and not (whole or self.has_named_why):
                self.has_named_why = True
                yield "  (`why` shows the working, each step with its rule)"
            yield from answer_text.format_asks(self.shown, self.pending, self.width, whole=whole)
            if self.pending and self.pending.kind == "cell" and not self.has_named_pack:
                self.has_named_pack = True
                text = "a cell typed here goes into your pack; `undo` takes it out again"
                if charts := name_stand_ins("charts", self.game.chart(str(self.pending.key[0])).sources):
                    text += f"; `trust charts` takes {charts}"
                yield from wrap_text(text, self.width, "  ")
            yield from answer_text.format_changes(self.shown, self.width, whole=whole)

    def _format_offer(self, ask: Ask, table: TableState) -> str:
        """Return the remark that `keep` saves a fact in the owner's pack, or "" if no component has it printed.

        Raises InputError for a value that contradicts the rulebook.
        """
        if ask.kind != "fact" or not ask.key:
            return ""
        key = (str(ask.key[0]), str(ask.key[1]))
        text = self.game.tracks[key[0]].write(table.position.state.facts[key].value)
        return " (`keep` puts it in your pack)" if is_printed(table.position, key, text) else ""

    @contextmanager
    def packing(self) -> Iterator[None]:
        """Note the changes of the owner's pack in the block, so that `undo` of the next table reverts them.

        Raises InputError if the user may not write the pack.
        """
        if "pack" not in self.writes:
            raise InputError("the pack is its owner's, and cannot be written from here", hint="state it at the table")
        pack = pack_of(self.game)
        before = pack.files.contents()
        yield
        self.packed[len(self.tables)] = before, pack.files.contents()
        self.game = reload_pack(self.game)

    def unpack(self) -> str:
        """Revert the changes of the owner's pack by the undone table; return a remark, or ""."""
        before, after = self.packed.pop(len(self.tables), ({}, {}))
        if before == after:
            return ""
        if not pack_of(self.game).files.put_back(before, after):
            return "; what was saved stays in your pack, which has changed since"
        self.game = reload_pack(self.game)
        return ", in your pack too"


_ALWAYS = "always"
"""The word after a file name that requests redrawing after every line."""
_PICTURE_OFF = "off"
"""The word in place of a file name that ends the redrawing."""


class TablePicture:
    """The picture of the table in files, one of which is redrawn after every line if the player wishes.

    `kept`: the file that the last session redrew, with the digest of its last picture, or None.
    """

    def __init__(self, kept: tuple[str, str] | None = None) -> None:
        self.live = Path(kept[0]) if kept else None
        """The file that is redrawn after every line, or None."""
        self._own = OwnFiles(dict([kept]) if kept else None)

    @property
    def kept(self) -> tuple[str, str] | None:
        return (str(self.live), self._own.digests[str(self.live)]) if self.live else None

    def draw_as_asked(self, rest: str, table: TableState, shown: ShownAnswer | None) -> Iterator[str]:
        """Carry out the command `picture`, and yield what it did.

        Raises InputError for a file of another kind or one that was not drawn here, and if there is no picture.
        """
        if rest.casefold() == _PICTURE_OFF:
            yield "the picture is no longer kept up to date" if self.live else "no picture is kept up to date"
            self.live = None
            return
        words = rest.rsplit(" ", 1)
        always = len(words) == 2 and len(words[1]) > 1 and _ALWAYS.startswith(words[1].casefold())
        name = words[0] if always else rest
        if not name:
            raise InputError(
                "a picture needs a file", hint=f"picture NAME.svg, .pdf or .png; {_ALWAYS} after it keeps it up to date"
            )
        typed = Path(name.strip('"')).expanduser()
        file = typed.absolute()
        if file.suffix.lower() not in WRITERS:
            raise InputError(f"{typed} is not a picture file", hint=f"name it NAME{' or NAME'.join(WRITERS)}")
        if not self._own.may_write(file):
            raise InputError("the file already exists", hint="give the picture another name")
        self._draw_file(file, table, shown)
        if always:
            self.live = file
            yield f"drawn: {typed}, and again after every line"
        else:
            yield f"drawn: {typed}"

    def renew(self, table: TableState, shown: ShownAnswer | None) -> Iterator[str]:
        """Redraw the file after a line; yield a remark if that fails.

        A file that another program has changed is no longer redrawn.
        """
        if self.live and not self._own.may_write(self.live):
            yield f"! {self.live} has been changed by something else and is no longer kept up to date"
            self.live = None
        if self.live:
            try:
                self._draw_file(self.live, table, shown)
            except InputError as error:
                yield f"! picture not drawn: {error.what}"

    def _draw_file(self, file: Path, table: TableState, shown: ShownAnswer | None) -> None:
        write_whole(file, _draw_table(table, shown, file.suffix.lower()), force=True)
        self._own.note_written(file)


def _has_own_picture(shown: ShownAnswer) -> bool:
    drawn_as = question_of(shown.position.game, shown.asked.question).drawn_as
    return shown.report.drawable is not None and "picture" in drawn_as


def _draw_table(table: TableState, shown: ShownAnswer | None, ending: str) -> bytes:
    """Return the picture of a table: of its combat, or of the answer, or else of all units."""
    position = table.position
    prompt = table.position.game.file.prompt
    targets = list[str]()
    attackers = list[str]()
    if shown and shown.asked.question == prompt.ask:
        targets = list_named(shown.asked, prompt.target)
        attackers = list_named(shown.asked, prompt.attackers)
    elif shown and _has_own_picture(shown):
        return picture(shown.position, shown.report, ending)
    places = [unit.place for unit in position.state.units.values() if unit.place]
    focus = [*targets, *attackers] if targets else list(dict.fromkeys(places))
    if not focus:
        raise InputError("no unit is on the map", hint="type a hex and its units first")
    view = View(position.game, position.state)
    side = side_at(view, *attackers)
    sketch = Sketch(
        title=shown.report.title if shown else position.game.title,
        answer=shown.report.headline if shown else "",
        side=side,
        spots=tuple(Spot(hex=target, role="target") for target in targets),
        arrows=attack_arrows(attackers, targets, side),
        focus=tuple(focus),
    )
    return WRITERS[ending](sketch_scene(view, sketch))

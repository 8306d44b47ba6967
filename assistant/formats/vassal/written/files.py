"""The file in which an answer is carried out: a new save, or a log that goes on from a save or a log, with notes of
what counters cannot show; checked before it gets its name. In a save's file only the commands that are concerned are
written anew, and all others stay as they are, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

import msgspec

from ....game.games import Chosen, Game
from ....state.state import INVISIBLE, MASKED, FactKey, GameState
from ....state.tracks import Fact
from ....util.errors import InputError, plain
from ...positions import Position
from ...writing import remarks
from .. import LOG
from ..adopted.legend import AdoptedLegend
from ..containers import (
    COMMANDS,
    ESCAPE,
    LOGGED,
    Archive,
    commands_of,
    disguise_like,
    is_bare,
    read_stream,
    write_container,
)
from ..legends import HEADING, BuiltLegend, Legend
from ..pieces import ADD, NOWHERE, Piece, basic_state, definition, stack_definition
from ..positions import legend_of, part_notes, position_of, read
from ..recorded import CHAT
from ..replaying import UNDO, replay
from ..saves import (
    END,
    NOTES,
    PROPERTY,
    PUBLIC,
    TURN,
    Save,
    mark_private,
    read_commands,
    read_save,
    turn_command,
    write_lines,
)
from ..sequence import bare, fold, join, split, unfold
from .laying import AdoptedPen, BuiltPen, Hand, Layout, Palette, Palettes, Pen


def edit_stream(stream: bytes, edits: Mapping[int, Sequence[str]], more: Sequence[str] = ()) -> bytes:
    """A stream in UTF-8 with some of its commands changed.

    edits: by the number of a command, counted from 0 as `commands_of` yields them, the commands that stand there
    instead; more: commands at the end, such as steps of a log.

    Raises ValueError for a command that could not be read back, IndexError for a number that the stream does not have.
    """
    text = stream.decode("latin-1")  # one letter a byte, as it is split
    if edits:
        editor = _Editor(edits)
        text = editor.sequence(text)
        if editor.left:
            raise IndexError(f"the stream has no command {min(editor.left)}")
    if more and text.endswith("\\"):
        raise ValueError("the last command ends in a backslash, and so none can follow it")
    return ESCAPE.join([text, *map(_token, more)]).encode("latin-1")


def _token(command: str) -> str:
    """A command as a token of a stream, with one letter a byte."""
    return _write(command.encode("utf-8").decode("latin-1"))


def _write(command: str) -> str:
    return join((command, ""), ESCAPE)[: -len(ESCAPE)]


class _Editor:
    """Goes through a stream as `commands_of` does, and keeps what it does not change as it stands, with its escapes.

    left: the numbers of those to be changed that are still to come.
    """

    def __init__(self, edits: Mapping[int, Sequence[str]]) -> None:
        self.edits, self.left = edits, set(edits)
        self.number = 0

    def sequence(self, text: str) -> str:
        """A sequence of commands, with its edits."""
        commands: list[str] = []
        changed = False
        for token in _tokens(text):
            new = self.token(token)
            changed = changed or new != [token]
            commands += new
        return ESCAPE.join(commands) if changed else text

    def token(self, token: str) -> list[str]:
        """The tokens that one becomes."""
        (inner,) = split(token, ESCAPE)
        if ESCAPE in inner:
            within = self.sequence(inner)
            return [token] if within == inner else [_write(within)]
        if not bare(inner):
            return [token]
        number, self.number = self.number, self.number + 1
        if number not in self.edits:
            return [token]
        self.left.remove(number)
        return [_token(command) for command in self.edits[number]]


def _tokens(text: str) -> list[str]:
    """The tokens of a sequence of commands as they stand, with their escapes and apostrophes."""
    tokens: list[str] = []
    held: list[str] = []
    *parts, last = text.split(ESCAPE)
    for part in parts:
        held.append(part)
        if not part.endswith("\\"):
            tokens.append(ESCAPE.join(held))
            held = []
    return [*tokens, ESCAPE.join([*held, last])]


def rewrite_save(data: bytes, after: Save) -> bytes:
    """The file of a save in which pieces, stacks, notes, properties and turns are those of another one.

    data: the bytes of the file; after: what `read_save` reads from it, with changes.

    Raises InputError if the file is not a save; ValueError for changes of anything else.
    """
    stream, _ = read_stream(data)
    commands = list(commands_of(stream))
    before = read_commands(commands)
    changes = _Changes(commands, before, after)
    return replace_stream(data, edit_stream(stream, changes.edits, changes.more))


def replace_stream(data: bytes, stream: bytes) -> bytes:
    """The file of a save with other commands; what else it holds stays."""
    if is_bare(data):
        return disguise_like(data, stream)
    with closing(Archive(data)) as archive:
        files = {name: archive.read(name) for name in archive.names}
    files[COMMANDS] = disguise_like(files[COMMANDS], stream)
    return write_container(files)


class _Key(NamedTuple):
    """What a command states: a piece or a stack (+), a property of a holder, the state of a turn tracker, notes, or the
    end of the game.
    """

    kind: str
    name: str = ""
    holder: str = ""


def _key_of(command: str) -> _Key | None:
    """What a command states; None if it is nothing that can be changed."""
    head, tab, rest = command.partition("\t")
    if command.startswith(ADD):
        return _Key(ADD, split(command[len(ADD) :], "/")[0])
    if command.startswith(PROPERTY):
        _, name, _, holder, *_ = [*split(rest, ";"), "", "", ""]
        return _Key(PROPERTY, name, holder)
    if command.startswith((NOTES, PUBLIC)):
        return _Key(f"{head}\t")
    if head.startswith(TURN) and tab:
        return _Key(TURN, head.removeprefix(TURN))
    return _Key(END) if command == END else None


class _Changes:
    """What has to be written anew.

    places: the numbers of the commands that state something; edits: by number, the commands that stand there instead;
    more: those for the end of a stream without an end mark.

    Raises ValueError for changes that are not made in a file.
    """

    def __init__(self, commands: Sequence[str], before: Save, after: Save) -> None:
        kept = {name: getattr(before, name) for name in ("about", "boards", "players", "steps", "unread", "complete")}
        if msgspec.structs.replace(after, **kept | {"about": after.about}) != after or before.steps:
            raise ValueError(
                "only pieces, stacks, notes, properties and turns can be changed, and only in a save without logged steps"
            )
        for save in (before, after):
            if both := save.pieces.keys() & save.stacks.keys():
                raise ValueError(f"{min(both)} is the id of both a piece and a stack")
        self.commands, self.before, self.after = commands, before, after
        self.places: dict[_Key, list[int]] = {}
        for number, command in enumerate(commands):
            if (key := _key_of(command)) is not None:
                self.places.setdefault(key, []).append(number)
        self.edits: dict[int, list[str]] = {}
        self.more: list[str] = []
        put_in: dict[int, list[str]] = {}
        for key, stays in self.changed():
            self.change(key, stays, put_in)
        for number, new in put_in.items():
            self.edits[number] = [*new, *self.edits.get(number, [commands[number]])]

    def changed(self) -> Iterator[tuple[_Key, bool]]:
        """What differs, and whether it is still there."""
        was, now = _collect_statements(self.before), _collect_statements(self.after)
        for key in dict.fromkeys((*now, *was)):
            if was.get(key) != now.get(key):
                yield key, key in now

    def change(self, key: _Key, stays: bool, put_in: dict[int, list[str]]) -> None:
        """Write anew what one thing is, add it, or remove it. Of doubled commands the last one counts.

        put_in: by number, the commands to be put before one.
        """
        numbers = self.places.get(key, [])
        if not stays:
            self.edits |= {number: [] for number in numbers}
        elif numbers:
            self.edits[numbers[-1]] = [self.written(key, self.commands[numbers[-1]])]
        if not numbers and key.name in (self.before.pieces.keys() | self.before.stacks.keys()) and key.kind == ADD:
            raise ValueError(f"{key.name} has no id in the file")
        if stays and not numbers:
            where = self.place_of_new(key)
            (self.more if where is None else put_in.setdefault(where, [])).append(self.written(key, ""))

    def place_of_new(self, key: _Key) -> int | None:
        """Before which command to add one: a piece before all stacks, which may name it, anything else at the end of
        the game.
        """
        if key.kind == ADD and key.name in self.after.pieces:
            stacks = [self.places[place][0] for id in self.before.stacks if (place := _Key(ADD, id)) in self.places]
            if stacks:
                return min(stacks)
        return min(self.places.get(_Key(END), []), default=None)

    def written(self, key: _Key, command: str) -> str:
        """A command anew. command: as it was, "" if it is added."""
        after = self.after
        if key.kind == PROPERTY:
            tokens = split(command.partition("\t")[2], ";") if command else ["", key.name, "", key.holder]
            tokens[2] = after.properties[key.holder, key.name]
            return PROPERTY + join(tokens, ";")
        if key.kind == TURN:
            return turn_command(key.name, after.turns[key.name])
        if key.kind != ADD:
            return key.kind + write_lines(after.notes if key.kind == NOTES else after.public_notes)
        if key.name in after.stacks:
            return stack_definition(after.stacks[key.name])
        piece = after.pieces[key.name]
        return _piece(command, self.before.pieces[key.name], piece) if command else definition(piece)


def _collect_statements(save: Save) -> dict[_Key, object]:
    """All that a save states and that can be changed, by its key."""
    stated: dict[_Key, object] = {_Key(ADD, id): added for id, added in {**save.pieces, **save.stacks}.items()}
    stated |= {_Key(TURN, tracker): state for tracker, state in save.turns.items()}
    stated |= {_Key(PROPERTY, name, holder): value for (holder, name), value in save.properties.items()}
    return stated | {_Key(NOTES): save.notes, _Key(PUBLIC): save.public_notes}


def _piece(command: str, before: Piece, after: Piece) -> str:
    """The command that adds a piece, with only that written anew in which the piece differs."""
    id, type, state = split(command[len(ADD) :], "/")
    if [trait.type for trait in before.traits] != [trait.type for trait in after.traits]:
        return definition(after)
    *states, basic = unfold(state, len(before.traits))
    place = split(basic, ";")
    if (before.map, before.at) != (after.map, after.at):
        place[:3] = [after.map or NOWHERE, *map(str, after.at)]
    if (before.slot, before.properties) != (after.slot, after.properties):
        place[3:] = split(basic_state(after), ";")[3:]
    states = [
        new.state if old.state != new.state else state
        for old, new, state in zip(before.traits, after.traits, states, strict=False)
    ]
    return ADD + join((id, type, fold([*states, join(place, ";")])), "/")


# --- what the counters show, and what the notes have to say -----------------------------------------------------------


def goes_without_saying(game: Game, key: FactKey, fact: Fact) -> bool:
    """Whether counters and markers state a fact by showing nothing."""
    track = game.tracks[key[0]]
    return track.module is not None and not fact.assumed and fact.value == track.absent


def find_contradictions(shown: Position, target: Position) -> Iterator[str]:
    """What the counters and markers of a save show otherwise than a position says, in words: what no note can put
    right.
    """
    yield from _elsewhere(shown, target)
    for key, fact in _facts(target.game, shown.state).items():
        wanted = target.state.facts.get(key)
        if wanted is None or wanted.value != fact.value:
            yield _otherwise(target.game, key, fact, wanted)


def revealing(known: Mapping[FactKey, Fact], target: Position) -> Iterator[str]:
    """What only the public notes could state, although not everybody may read it, in words: facts of hidden units, and
    of tracks that the game hides. known: what the counters show, and what the notes have stated before.
    """
    for key, fact in target.state.facts.items():
        if _is_told(target, key, fact, known):
            title = target.game.tracks[key[0]].title
            yield f"{_fact_name(key)}, {title}: its counter does not show it, and all sides can read the notes"


def _is_told(target: Position, key: FactKey, fact: Fact, known: Mapping[FactKey, Fact]) -> bool:
    """Whether the public notes would tell a fact that not everybody may read."""
    game, track = target.game, target.game.tracks[key[0]]
    hidden = any((name, key[1]) in target.state.facts for name in (MASKED, INVISIBLE))
    secret = (track.on == "unit" and hidden) or (track.hidden and game.file.intelligence is not None)
    return secret and known.get(key) != fact and not goes_without_saying(game, key, fact)


def with_printed(target: Position, shown: Position, before: GameState) -> Position:
    """A position with what is printed on the counters of units that have come into play, as those of a published module
    state it.
    """
    tracks, new = target.game.tracks, target.state.units.keys() - before.units.keys()
    facts = shown.state.facts.items()
    printed = {key: fact for key, fact in facts if key[1] in new and tracks[key[0]].printed == "counter"}
    return target.with_state(msgspec.structs.replace(target.state, facts={**printed, **target.state.facts}))


def reconcile(target: Position, shown: Position, known: Mapping[FactKey, Fact]) -> Position:
    """A position as far as a save can state it: where its counters show something else, as they show it, and without
    what nobody may read in its notes. shown: what its counters state; known: as for `revealing`.
    """
    facts = {**target.state.facts, **_facts(target.game, shown.state)}
    facts = {key: fact for key, fact in facts.items() if not _is_told(target, key, fact, known)}
    state = msgspec.structs.replace(target.state, facts=facts)
    if [*_elsewhere(shown, target)]:
        state = msgspec.structs.replace(state, units=shown.state.units)
    tracks = target.game.tracks
    known_units = {key: fact for key, fact in facts.items() if tracks[key[0]].on != "unit" or key[1] in state.units}
    return target.with_state(msgspec.structs.replace(state, facts=known_units))


def lacking(written: Position, target: Position) -> Iterator[str]:
    """What a position says otherwise than another one, in words. Questions, answers and units that are nowhere count
    for nothing.
    """
    was, wanted = written.state, target.state
    yield from _elsewhere(written, target)
    facts = [_facts(target.game, state) for state in (was, wanted)]
    for key in dict.fromkeys((*facts[0], *facts[1])):
        fact, other = (some.get(key) for some in facts)
        if fact != other:
            yield _otherwise(target.game, key, fact, other)
    for name in ("board", "cells", "rulings", "lines", "line_facts", "accepts"):
        if getattr(was, name) != getattr(wanted, name):
            yield f"what is stated about {name.replace('_', ' ')}"


def _elsewhere(written: Position, target: Position) -> Iterator[str]:
    """The places at which other units stand, or the same in another order."""
    states = written.state, target.state
    for place in dict.fromkeys(unit.place for state in states for unit in state.units.values() if unit.place):
        here, there = ([unit.id for unit in state.stack(place)] for state in states)
        if here != there:
            yield f"{place}: {_unit_list(there)} from the top, instead of {_unit_list(here)}"


def _otherwise(game: Game, key: FactKey, said: Fact | None, meant: Fact | None) -> str:
    track, facts = game.tracks[key[0]], (meant, said)
    words = ["nothing" if fact is None else track.write(fact.value) + "?" * fact.assumed for fact in facts]
    return f"{_fact_name(key)}, {track.title}: {words[0]}, instead of {words[1]}"


def _fact_name(key: FactKey) -> str:
    return key[1] or "the game"


def _facts(game: Game, state: GameState) -> dict[FactKey, Fact]:
    return {key: fact for key, fact in state.facts.items() if not goes_without_saying(game, key, fact)}


def _unit_list(units: list[str]) -> str:
    return ", ".join(units) or "nothing"


Read = Callable[[Save], Position]
"""Reads what a save holds, with its notes."""
_OF_QUESTIONS = ("ask", "answers")
"""The first words of lines that are about the position before, and not about the next."""


def notes_for(save: Save, target: Position, read: Read) -> str:
    """The public notes that state of a position what the counters of a save do not show.

    The lines that players have written stay as they are, but for questions and answers, if what they state still holds;
    if not, what has to be stated is written anew, and only the comments among them stay.

    Raises InputError for what notation cannot state.
    """
    above, below = part_notes(save.public_notes)
    kept = [line for line in below if line.split()[:1] not in [[word] for word in _OF_QUESTIONS]]

    def text(lines: Sequence[str]) -> str:
        if not above and not lines:
            return save.public_notes
        begun = above or [*save.public_notes.split("\n"), HEADING] if save.public_notes else [HEADING]
        return "\n".join([*begun, *lines])

    def stated(lines: Sequence[str]) -> Position:
        return read(msgspec.structs.replace(save, public_notes=text(lines)))

    more = _more(kept, target, stated)
    if more is not None:
        return text([*kept, *more])
    shown = stated([]).state.facts
    comments = [line for line in below if line.lstrip().startswith("#")]
    facts = target.state.facts
    said = {key for key in facts if shown.get(key) == facts[key] or goes_without_saying(target.game, key, facts[key])}
    return text([*comments, *remarks(target, said)])


def _more(kept: Sequence[str], target: Position, stated: Callable[[Sequence[str]], Position]) -> list[str] | None:
    """The lines by which notes that stay come to state the rest of a position; None if something in them does not hold."""
    try:
        known, state = stated(kept).state, target.state
        rest = msgspec.structs.replace(
            state,
            facts={
                key: fact
                for key, fact in state.facts.items()
                if known.facts.get(key) != fact and not goes_without_saying(target.game, key, fact)
            },
            cells={key: cell for key, cell in state.cells.items() if known.cells.get(key) != cell},
            rulings={name: reading for name, reading in state.rulings.items() if known.rulings.get(name) != reading},
            accepts=state.accepts if state.accepts != known.accepts else frozenset(),
            lines={},
            line_facts={},
        )
        more = remarks(target.with_state(rest), ())
        return None if [*lacking(stated([*kept, *more]), target)] else more
    except InputError:
        return None


class CarriedGame(NamedTuple):
    """A game carried on. data: the bytes of its file; left: what a published module's counters do not show, for players
    to set, in words.
    """

    data: bytes
    left: tuple[str, ...] = ()


def carried_out(
    source: bytes, target: Position, ending: str, said: str, palettes: Palettes = lambda: None
) -> CarriedGame:
    """A save or a log in which the game of another one stands as in a position.

    source: the bytes of the save or log before; ending: .vsav for a new save, in which every command stays as it was
    but those of what differs; .vlog for a log that begins with all of the source, and goes on with new steps. said: the
    lines that the log's chat gets. palettes: gives the module from whose palettes units and markers come into play, if
    it is the one of the source.

    Raises InputError if the source was not finished, or belongs to a module that cannot be written; NotWritten for what
    the new game cannot show; of a published module only if it would show nothing of what changes.
    """
    try:
        return _carry_out(source, target, ending, said, palettes)
    except InputError:
        raise
    except ValueError as error:  # a text that VASSAL's files have no way to hold, or a piece without an id
        raise InputError(f"VASSAL cannot hold it: {error}", hint="follow the steps listed under: In VASSAL") from None


def _carry_out(source: bytes, target: Position, ending: str, said: str, palettes: Palettes) -> CarriedGame:
    with mark_private():
        before = read_save(source)
        _check_whole(before)
        hand = Hand(replay(before))
    now, game = hand.begun_with, target.game
    its_game = Chosen(game.id, lambda _: game)

    def meant(save: Save) -> Legend:
        return legend_of(save, its_game)

    def stated(save: Save) -> Position:
        return position_of(save, meant(save), "the new save")

    legend = meant(now)
    layout = Layout(hand, game, legend, _pen(legend), Palette(now, meant, palettes))
    for line in said.splitlines():
        hand.do(f"{CHAT}{line}")
    before_it = stated(now).state
    layout.lay_out(before_it, target.state)
    shown = stated(msgspec.structs.replace(hand.save(), public_notes=""))
    target = with_printed(target, shown, before_it)
    known = {**before_it.facts, **shown.state.facts}
    reasons = (layout.refused, [*find_contradictions(shown, target)], [*revealing(known, target)])
    left = [reason for some in reasons for reason in some]
    if left and isinstance(legend, BuiltLegend):
        raise NotWritten(next(filter(None, reasons)))
    if left:
        target = reconcile(target, shown, known)
    if (notes := notes_for(hand.save(), target, stated)) != now.public_notes:
        hand.do(PUBLIC + write_lines(notes))
    data = _as_log(source, hand.steps) if ending == LOG else _as_save(source, before, hand.save())
    lacks = [*lacking(read(data, "the new file", its_game), target)]
    shows_any = (before_it.units, before_it.facts) != (target.state.units, target.state.facts)
    if lacks or (left and not shows_any):
        raise NotWritten([*left, *lacks])
    return CarriedGame(data, tuple(dict.fromkeys(left)))


def _pen(legend: Legend) -> Pen:
    """The pen for what a legend reads. Raises InputError if there is none."""
    if isinstance(legend, BuiltLegend):
        return BuiltPen(legend)
    if isinstance(legend, AdoptedLegend):
        return AdoptedPen(legend)
    raise InputError("a save of this module cannot be written", hint="follow the steps listed under: In VASSAL")


class NotWritten(InputError):
    """What cannot be written, a line for each reason. Nothing has been written."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("nothing is written, because the new game would not show:")
        self.reasons = reasons

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"- {plain(reason)}" for reason in self.reasons)])


def _check_whole(save: Save) -> None:
    """Raise InputError for a save or a log that VASSAL did not finish writing."""
    if not save.complete:
        raise InputError("the end of the save is missing", hint="save it again")
    undone = sum(step.startswith(UNDO) for step in save.steps)
    if undone % 2:
        raise InputError("the log ends in the middle of an undone step", hint="end the log in VASSAL again")


def _as_log(source: bytes, steps: Sequence[Sequence[str]]) -> bytes:
    """A log that begins with a save or a log and goes on with steps."""
    stream, _ = read_stream(source)
    more = [join([f"{LOGGED}{command}" for command in step], ESCAPE) for step in steps]
    return replace_stream(source, edit_stream(stream, {}, more))


def _as_save(source: bytes, before: Save, after: Save) -> bytes:
    """The save, or the save that a log begins with, with the pieces and the rest of a later one."""
    if before.steps:
        stream, _ = read_stream(source)
        steps = {number: () for number, command in enumerate(commands_of(stream)) if command.startswith(LOGGED)}
        source = replace_stream(source, edit_stream(stream, steps))
    kept = msgspec.structs.replace(after, unread=before.unread, players=before.players, boards=before.boards)
    if kept != after:
        raise InputError("the log has steps that a save cannot hold", hint=f"write a log: NAME{LOG}")
    return rewrite_save(source, after)

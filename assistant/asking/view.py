"""The view: what a question may read of a state, its board, its roster and its charts, and a record of what it read.

A question gathers all it needs into plain values inside `with view.gather() as facts:`. A fact that is not stated
reads as empty there, and leaving the block raises one `MissingFacts` with everything that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints
from weakref import WeakSet

import msgspec

from ..game.boards import Board
from ..game.rulings import Ruling
from ..game.states import check_below
from ..state.changes import PLACED, AnyChange, Change, apply
from ..state.differences import Divergence, find_divergence
from ..state.state import (
    HIDDEN,
    UNSEEN,
    Cell,
    End,
    FactKey,
    Fields,
    GameState,
    Unit,
    all_stated,
    stand_in,
    suppose_value,
)
from ..state.tracks import CERTAIN, Fact, Reader, Source, Track, Value
from ..state.trust import PLACEHOLDERS, describe_making, placeholder_kind
from ..util.console import Watch, unwatched
from ..util.errors import Certain, CodeError, InputError, PluginError, nearest
from ..util.memo import Memo
from .asks import Ask, ask_for_cell, ask_for_fact, ask_for_unseen
from .premises import Premises
from .report import MissingFacts

if TYPE_CHECKING:
    from ..game.charts import Ends, Keys
    from ..game.games import Game
    from ..game.history import Past

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
_Memos = dict[tuple[Memo[Any, Any], Hashable], Any]
"""What was worked out, by what it is and its key."""
_SUBJECTS = {"hex": "hexes", "hexside": "hexsides", "unit": "units"}
"""The name of the figure that lists the subjects of facts, by what their track sits on."""
_ENDS: Memo[str, tuple[Ends, ...]] = Memo()
"""Where the keys of each chart end."""


class View(Reader):
    """A state as one question sees it, with a record of what it read.

    stated: all facts of the state, with those of its lines; end: how hidden facts are supposed; premises: what was
    read, here and in the states after some changes; unseen: hexes with unseen units, each with a unit in their place.
    """

    def __init__(
        self,
        game: Game,
        state: GameState,
        end: End = "weakest",
        watch: Watch = unwatched,
        past: Past | None = None,
    ) -> None:
        self.game, self.state, self.end, self._watch, self.past = game, state, end, watch, past
        self.board: Board = game.board_of(state)
        self.stated = all_stated(state, game.tracks)
        self.premises = Premises()
        self._found, self._unknown = dict[FactKey, Fact](), set[FactKey]()
        self._hiding = {*state.subjects_of(HIDDEN)}
        self.unseen = {place: Unit(stand_in(place), "", place, len(state.units)) for place in state.subjects_of(UNSEEN)}
        self._stand_ins = {unit.id: unit for unit in self.unseen.values()}
        self._memos, self._known = _Memos(), _Memos()
        self._made = WeakSet[View]()  # the views that were made of this one
        self._known_facts, self._apart = dict[FactKey, Fact](), Divergence()
        self._backs = game.backs

    def supposing(self, others: Mapping[FactKey, Value]) -> View:
        """Return a fresh view of the same state with some facts changed. Raises InputError for values that contradict
        others.
        """
        facts = {**self.stated, **{key: Fact(value) for key, value in others.items()}}
        for track, subject in others:
            check_below(self.game, self.game.track(track), subject, facts[track, subject], facts)
        state = msgspec.structs.replace(self.state, facts=MappingProxyType(facts), line_facts=MappingProxyType({}))
        return self.view_of(state)

    def view_of(self, state: GameState, changes: Sequence[AnyChange] | None = None) -> View:
        """Return a fresh view of another state of the game. What is made by a `memo` here and is the same there is not
        worked out again.

        changes: those that lead from this state to the other one, if they are known.
        """
        other = self._make_view(state, self.end)
        stated = self.stated, other.stated
        apart = find_divergence(self.state, state, stated, self.game.tracks, self.board.is_hex, changes)
        if apart:
            other._known, other._known_facts, other._apart = self._memos, self._found, apart
        return other

    def _make_view(self, state: GameState, end: End) -> View:
        """Return a fresh view of a state of the game."""
        other = View(self.game, state, end, self._watch, self.past)
        self._made.add(other)
        return other

    def memo(self, memo: Memo[K, T], key: K, work: Callable[[T | None, Divergence], T]) -> T:
        """Return what is worked out once for a view and a key, such as a compiled map, from facts that the view reads.

        work: makes it, out of None, or out of what another view has made, from which `view_of` made this one, and in what the
        two lie apart.
        """
        if (memo, key) not in self._memos:
            self._memos[memo, key] = work(self._known.get((memo, key)), self._apart)
        made: T = self._memos[memo, key]
        return made

    def forget(self) -> None:
        """Let go of what is kept, here and in the views that were made of this one, once nothing more is asked of them:
        it takes much room, and mostly refers to its view, so that Python would find it only by a search for garbage.
        """
        for view in [*self._made]:
            view.forget()
        self._memos.clear()
        self._known = {}
        self.premises.plays.clear()

    def at_its(self, end: End) -> View:
        """Return a fresh view of the same state with everything hidden at its weakest, at its strongest, or as seen."""
        other = self._make_view(self.state, end)
        other.premises.missed_cells = self.premises.missed_cells  # a cell is missing whichever end needs it
        return other

    def after(self, changes: Iterable[AnyChange]) -> View:
        """Return a view of the state after some changes; what is read in it counts as read here too."""
        made = tuple(changes)
        other = self.view_of(apply(self.state, made, self.game.tracks), made)
        other.premises = self.premises
        return other

    def quiet_view(self) -> View:
        """Return a fresh view of the same state: what is read in it does not count as read here, but for what a `memo`
        made here reads when it is used.
        """
        other = self._make_view(self.state, self.end)
        other._memos.update(self._memos)
        other._known_facts = self._found
        return other

    def each(self, items: Sequence[T], what: str) -> Iterable[T]:
        """Return the items one by one, with progress shown. what: a word for them."""
        return self._watch(items, what)

    @property
    def read_unseen_alone(self) -> bool:
        """Whether it read of a place where units stand and none of them is seen."""
        return any(not self.state.stack(place) for place in self.premises.unseen)

    def unit(self, name: str) -> Unit:
        """Return a unit of the state, or one that stands for unseen units. Raises InputError for an unknown unit."""
        return self._stand_ins.get(name) or self.game.unit(self.state, name)

    def units(self) -> Iterable[Unit]:
        """Return the units of the state that count, and those that stand for unseen units; decoys that count for
        nothing only by their names.
        """
        real: Iterable[Unit] = self.state.units.values()
        if self.decoys:
            real = [unit for unit in real if unit.id not in self.decoys]
        return (*real, *(unit for place in self.unseen for unit in self._unseen_at(place)))

    def stack(self, place: str) -> tuple[Unit, ...]:
        """Return the units at a place that count, the top one first; then the stand-in for unseen units."""
        return (*self.seen_stack(place), *self._unseen_at(place))

    def seen_stack(self, place: str) -> tuple[Unit, ...]:
        """Return the units at a place that are seen and count, the top one first."""
        stack = self.state.stack(place)
        return tuple(unit for unit in stack if unit.id not in self.decoys) if self.decoys else stack

    @cached_property
    def decoys(self) -> frozenset[str]:
        """The units of the state that are decoys and count for nothing in any rule."""
        return self.game.hiding.decoys(self.state)

    def _unseen_at(self, place: str) -> tuple[Unit, ...]:
        """Return the unit that stands for unseen ones at a place; only at the strongest is there one below a unit that
        is seen, and where nobody is seen and what lies there may be decoys alone.
        """
        if place not in self.unseen:
            return ()
        self.premises.unseen[place] = None
        may_be_nobody = bool(self.seen_stack(place)) or self._may_be_decoys
        return () if may_be_nobody and self.end != "strongest" else (self.unseen[place],)

    @cached_property
    def _may_be_decoys(self) -> bool:
        """Whether unseen units may be decoys that count for nothing."""
        return self.game.hiding.may_have_decoys(self.stated)

    def is_hidden(self, track: str, unit: str) -> bool:
        """Return whether a fact of a unit is kept from this viewpoint."""
        if unit not in self._hiding:
            return False
        words = self.state.value(HIDDEN, unit)
        return isinstance(words, tuple) and track in words and (track, unit) not in self.state.facts

    def fact(self, track: str, subject: str = "") -> Fact | None:
        """Return a fact from the first source that knows it: the state, the counter (the side that is up), the map, and
        last what silence means.

        None where it is unknown, or known only from a source that the player does not trust. What is hidden is
        supposed. Raises CodeError for an unknown track, and a subject where none belongs.
        """
        if track in self._backs:
            track = self.side_up(track, subject)
        return self._fact(track, subject)

    def _fact(self, track: str, subject: str) -> Fact | None:
        """Return a fact as `fact` gives it, whichever side of a counter is up."""
        key = (track, subject)
        if (known := self._found.get(key)) is not None:  # both sides of a hexside ask for what lies on it
            return known
        if key in self._unknown:
            return None
        declared = self.declared(track)
        if subject and declared.on == "game":
            raise CodeError(f"{track!r} is a fact of the game, not of {subject!r}", "leave its subject out")
        if subject in self._stand_ins:
            return self._of_unseen(declared, self._stand_ins[subject])
        if declared.on == "unit" and self.is_hidden(track, subject):
            return self._suppose_fact(declared, subject)
        fact = self._seek_fact(declared, key)
        if fact is None:
            self._unknown.add(key)
            return None
        self._found[key] = self.premises.facts[key] = fact
        return fact

    @cached_property
    def stated_about(self) -> Mapping[str, list[str]]:
        """The subjects of the facts that are stated, by track."""
        subjects: dict[str, list[str]] = {}
        for track, subject in self.stated:
            subjects.setdefault(track, []).append(subject)
        return subjects

    def facts_of(self, track: str) -> Callable[[str], Fact | None]:
        """Return a function that gives the fact of one track for a hex or hexside, as `fact` does; for readers of many
        of them.
        """
        return self.board.facts_of(
            self.declared(track), self.stated, self._accepts_source, (self._found, self.premises.facts)
        )

    def _seek_fact(self, track: Track, key: FactKey) -> Fact | None:
        """Return the fact from the first source that knows it."""
        if (known := self._known_facts.get(key)) and key not in self._apart.facts and key[1] not in self._apart.units:
            return known
        if (stated := self.stated.get(key)) is not None and self._accepts_source(stated):
            return stated
        if (
            track.on != "unit"
            and self.board.states_anything
            and (on_map := self.board.fact(*key)) is not None
            and self._accepts_source(on_map)
        ):
            return on_map
        if track.printed == "counter" and key[1] in self.state.units:
            printed = self.game.roster.get(self.state.units[key[1]].type, {}).get(track.name, ())
            if fact := next(filter(self._accepts_source, printed), None):
                return fact
        return None if track.absent is None else Fact(track.absent)

    def is_elsewhere(self, key: FactKey, fact: Fact) -> bool:
        """Return whether a fact that was read is what the state says of all hexes or hexsides not otherwise known."""
        said = self.state.elsewhere
        return bool(said) and key not in self.stated and fact == said.get(key[0])

    def value(self, track: str, subject: str = "") -> Value | None:
        """Return the value of a fact, or what silence means; None while it is unknown."""
        return fact.value if (fact := self.fact(track, subject)) else None

    def side_of(self, unit: str) -> str:
        """Return the side that a unit fights on by its nation; "" while that is unknown, and in a game without sides."""
        nation = self.word(self.game.file.picture.nation, unit)
        return self.game.side_of(nation) if nation and self.game.file.sides else ""

    def title_of(self, who: str) -> str:
        """Return what a side or a nation is called in texts; "" for nobody."""
        return self.game.file.title_of(who)

    def granted(self, track: str, subject: str, usual: Value, rule: str = "", text: str = "") -> Value:
        """Return a fact, or its usual value if it is unknown, which the report then lists under "Assumed".

        Call it only where a result rests on the fact. text: the words of the report, with the subjects as "{hexes}",
        "{hexsides}" or "{units}" after what the track sits on; rule: the rule behind it.
        """
        if fact := self.fact(track, subject):
            return fact.value
        declared = self.declared(track)
        listed = _SUBJECTS.get(declared.on, "subjects")
        text = text or f"{{{listed}}}, {declared.title}: {declared.write(usual)}"
        self.premises.assume_of(subject, rule or declared.rule, text, listed)
        return usual

    def _of_unseen(self, track: Track, unit: Unit) -> Fact | None:
        """Return what a unit that stands for others is supposed to be; its nation is that of a unit seen there, or any
        of its side.
        """
        limits = self.game.file.intelligence
        if limits:
            words = limits.weakest if self.end == "weakest" else limits.strongest
            if track.name in words:
                return Fact(track.parse(words[track.name]))
        if track.name == self.game.file.picture.nation:
            place = unit.place or ""
            above = [fact for seen in self.state.stack(place) if (fact := self.fact(track.name, seen.id))]
            side = str(self.state.value(UNSEEN, place))
            nations = self.game.file.sides.get(side)
            if above:
                return above[0]
            return Fact(nations[0]) if nations else None
        return None if track.absent is None else Fact(track.absent)

    def _suppose_fact(self, track: Track, unit: str) -> Fact | None:
        """Return what a hidden fact is supposed to be."""
        if track.module and track.module.flips and not self._has_back(track, unit):
            return None if track.absent is None else Fact(track.absent)
        room = self._find_room(track, unit)
        weakest = suppose_value(track, "weakest", room)
        strongest = suppose_value(track, "strongest", room)
        limits = self.game.file.intelligence
        if limits and track.name in limits.weakest:  # a marker may weaken a unit only where another one is not
            weakest = track.parse(limits.weakest[track.name])
        value = weakest if self.end == "weakest" else strongest
        if value is None:
            return None
        if weakest != strongest or track.kind in ("text", "choices"):  # a text can only be supposed to be absent
            self.premises.supposed[track.name, unit] = value
        return Fact(value)

    def _has_back(self, flips: Track, unit: str) -> bool:
        """Return whether a unit is known to have a reduced side."""
        return bool(flips.module and flips.module.needs and self.flag(flips.module.needs, unit))

    def _find_room(self, track: Track, unit: str) -> int | None:
        """Return the bound of a hidden number on the side that is up, None if unknown."""
        bound = self.value(track.below, unit) if track.below else None
        return bound if isinstance(bound, int) else None

    def side_up(self, track: str, unit: str) -> str:
        """Return the track that has a rating of the side of a unit's counter that is up: `track` itself, or its `back`
        if the counter is flipped. A player who states one value of a flipped counter states that of the side that he
        sees.
        """
        behind = self._backs.get(track, "")
        if not behind or not self.is_flipped(unit):
            return track
        return track if (track, unit) in self.stated and (behind, unit) not in self.stated else behind

    def is_flipped(self, unit: str) -> bool:
        """Return whether the back of a unit's counter is up."""
        return any(self.flag(flips, unit) for flips in self.game.flips)

    def on_front(self, track: str, unit: str) -> int | None:
        """Return a number as the front of a unit's counter has it, whichever side is up; None while it is unknown."""
        fact = self._fact(track, unit)
        return fact.value if fact and isinstance(fact.value, int) else None

    def declared(self, track: str) -> Track:
        """Return a track that code names. Raises CodeError with the nearest one if the game does not have it."""
        return _look_up_name(self.game.tracks, track, "track")

    def unaccepted(self, track: str, subject: str) -> Source | None:
        """Return the source from which the board knows a fact that the player does not trust; None if there is none."""
        fact = self.board.fact(track, subject)
        return fact.source if fact is not None and not self._accepts_source(fact) else None

    def drawn(self, track: str, subject: str) -> Fact | None:
        """Return what a drawn map has that the player does not trust: a hint at what his own may show."""
        fact = None if Source.DRAWN in self.state.accepts else self.game.board(self.state.board).fact(track, subject)
        return fact if fact and fact.source is Source.DRAWN else None

    def _accepts_source(self, known: Fact | Cell | None) -> bool:
        """Return whether an answer may rest on a fact or cell: it is certain, its source is trusted, or all charts
        are.
        """
        if known is None:
            return False
        accepts = self.state.accepts
        if known.source in CERTAIN or known.source in accepts:
            return True
        return isinstance(known, Cell) and PLACEHOLDERS["charts"] in accepts

    def cell(self, chart: str, *key: int | str) -> Cell | None:
        """Return a chart cell, as stated or from the game's own files; None where it is unknown or not trusted.

        Raises InputError for a key that is off the chart, CodeError for a chart that the game does not have and for too
        few or too many keys.
        """
        declared = _look_up_name(self.game.charts, chart, "chart")
        regular = self.cell_key(chart, *key)
        for cell in (self.state.cells.get((chart, regular)), declared.cells.get(regular)):
            if cell is not None and self._accepts_source(cell):
                self.premises.cells[chart, regular] = cell
                return cell
        self.premises.missed_cells[chart, regular] = None
        return None

    def cell_key(self, chart: str, *key: int | str) -> Keys:
        """Return the regular key of the cell that is read: beyond an end that the owner has told, that of the end.

        Raises InputError for a key that is off the chart, and where its known cells contradict each other.
        """
        declared = _look_up_name(self.game.charts, chart, "chart")
        if len(key) != len(declared.keys):
            names = ", ".join(heading.name for heading in declared.keys)
            raise CodeError(f"the chart {chart} has other keys than {', '.join(map(repr, key))}", f"they are: {names}")
        regular = declared.key(*key)
        return declared.key_within(regular, self.ends(chart)) if declared.has_owner_ends else regular

    def ends(self, chart: str) -> tuple[Ends, ...]:
        """Return where each key of a chart ends, as its known cells tell it, those stated or printed before others
        that are trusted. Raises InputError where they contradict each other.
        """
        return self.memo(_ENDS, chart, lambda known, apart: self._ends_of(chart))

    def _ends_of(self, chart: str) -> tuple[Ends, ...]:
        """Return where each key of a chart ends, as `ends` tells it."""
        declared = self.game.chart(chart)
        sure: list[Keys] = [keys for name, keys in self.state.cells if name == chart]
        others: list[Keys] = []
        for keys, cell in declared.cells.items():
            if self._accepts_source(cell):
                (sure if cell.source in CERTAIN else others).append(keys)
        return tuple(
            type(told)(told.first or other.first, told.last or other.last)
            for told, other in zip(declared.ends(sure), declared.ends(others), strict=True)
        )

    def ruling(self, name: str, matters: bool = True) -> str:
        """Return the reading of a doubtful rule that holds in this state.

        matters: whether it makes a difference here; if not, it is the usual one, and the report does not name the
        ruling.
        """
        ruling: Ruling = _look_up_name(self.game.rulings, name, "ruling")
        if not matters:
            return ruling.default
        self.premises.rulings[name] = reading = self.state.rulings.get(name, ruling.default)
        return reading

    def gather(self) -> Gather:
        """Return a block that collects what a question needs."""
        return Gather(self)


class Gather(Reader):
    """Reads facts as plain values, and collects those that are missing."""

    def __init__(self, view: View) -> None:
        #: The view that the facts are read from.
        self.view = view
        self._asks: dict[str, Ask] = {}
        self._closed = False

    def __enter__(self) -> Gather:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self._closed = True
        if isinstance(error, MissingFacts):  # of a block within this one
            self._asks |= {ask.name: ask for ask in error.asks}
        if (
            self._asks
            and not isinstance(error, Certain | PluginError)
            and isinstance(error, (InputError, MissingFacts, type(None)))
        ):
            raise MissingFacts(tuple(self._asks.values()), getattr(error, "parts", ())) from None

    def value(self, track: str, subject: str = "") -> Value | None:
        """Return the value of a fact; None while it is missing, and then it is asked for."""
        if (fact := self.view.fact(track, subject)) is None:
            self.ask(self._ask_for(self.view.side_up(track, subject), subject))
        return fact.value if fact else None

    def on_front(self, track: str, unit: str) -> int | None:
        """Return a number as the front of a unit's counter has it, whichever side is up; None while it is missing, and
        then it is asked for.
        """
        if (value := self.view.on_front(track, unit)) is None:
            self.ask(self._ask_for(track, unit))
        return value

    def word_among(self, track: str, possible: Sequence[str], subject: str = "") -> str:
        """Return a word, as `word` reads it; only the possible ones are offered while it is missing."""
        if self.view.fact(track, subject) is None:
            ask = self._ask_for(track, subject)
            if ask.key:
                how = ask.how.replace("|".join(self.view.declared(track).values), "|".join(possible))
                ask = msgspec.structs.replace(ask, name=how, how=how, options=tuple(possible))
            self.ask(ask)
            return ""
        return self.word(track, subject)

    def _ask_for(self, name: str, subject: str) -> Ask:
        """Return what to ask for if a fact is not known: the fact, its source that is not trusted yet, or who stands
        unseen. Raises CodeError for a fact of something without its name.
        """
        track = self.view.declared(name)
        if not subject and track.on != "game":
            raise CodeError(f"{name!r} is a fact of a {track.on}, which is not named", "give its name as the subject")
        if source := self.view.unaccepted(name, subject):
            title = f"{self.view.board.title}: {describe_making(source)}, not from the printed map"
            how = f"trust {placeholder_kind(source)}"
            return Ask(kind="fact", name=how, rule="", title=title, how=how)
        if track.on == "unit" and subject not in self.view.state.units:
            return ask_for_unseen(self.view.game, self.view.unit(subject))
        drawn = self.view.drawn(name, subject) if track.on in ("hex", "hexside") else None
        return ask_for_fact(track, subject, track.write(drawn.value) if drawn else "")

    def record(self, kind: type[T], subject: str, **given: Any) -> T:
        """Return a struct about a subject: a field that is not given is read from the track of its name, hyphens for
        underscores.

        kind: its fields are annotated as int, bool, str or frozenset[str], read as `integer`, `flag`, `word` and
        `words` do.
        """
        readers = {int: self.integer, bool: self.flag, str: self.word, frozenset[str]: self.words}
        hints = {name: hint for name, hint in _types_of(kind).items() if name not in given}  # type: ignore[arg-type]  # mypy: a type is hashable
        return kind(**given, **{name: readers[hint](name.replace("_", "-"), subject) for name, hint in hints.items()})

    def cell(self, chart: str, *key: int | str) -> Cell:
        """Return a chart cell; one whose fields are all 0 while it is missing."""
        if (cell := self.view.cell(chart, *key)) is None:
            self.ask(ask_for_cell(self.view.game, chart, *self.view.cell_key(chart, *key)))
            return Cell(Fields.fromkeys((field.name for field in self.view.game.chart(chart).fields), 0))
        return cell

    def ask(self, ask: Ask) -> None:
        """Record that something is missing. Raises MissingFacts at once after the block has been left."""
        self._asks[ask.name] = ask
        if self._closed:
            raise MissingFacts([ask])


_types_of = cache(get_type_hints)  # the types of a struct's fields by name


def _look_up_name(known: Mapping[str, T], name: str, what: str) -> T:
    """Return what code names. Raises CodeError with the nearest name if the game does not have it."""
    if name in known:
        return known[name]
    raise CodeError(f"unknown {what} {name!r}", nearest(name, known))


def moment(view: View) -> tuple[str, str]:
    """Return the phase and the phasing side, by the tracks `phase` and `phasing`; "" for what is not stated, and in a
    game that has no such track.
    """
    tracks = view.game.tracks
    return view.word("phase") if "phase" in tracks else "", view.word("phasing") if "phasing" in tracks else ""


def changed(view: View, track: str, subject: str, after: Value | None, rule: str) -> Change:
    """Return the change that sets a fact of a subject, or a unit's place or order, from its present value.

    after: None removes it; rule: the rule that sets it. Raises InputError for the place of an unknown unit, CodeError
    for a track that the game does not have, and for a value that it does not allow.
    """
    if track not in PLACED and after is not None:
        try:
            after = view.declared(track).check(after)
        except InputError as error:
            raise CodeError(error.what, error.hint) from None
    if track in PLACED:
        return Change(track, subject, getattr(view.unit(subject), track), after, rule)
    fact = view.state.facts.get((track, subject))
    return Change(track, subject, fact.value if fact else None, after, rule)


def turned_over(view: View, flips: str, unit: str, back: bool, rule: str) -> Iterator[Change]:
    """Yield the changes that turn a unit's counter over. A rating of which the position states one value no longer
    holds: that was the one of the side that was up.

    flips: the flag that says which side is up; back: whether that is the back.
    """
    yield changed(view, flips, unit, back, rule)
    stated = view.state.facts
    for front, behind in view.game.backs.items():
        if (front, unit) in stated and (behind, unit) not in stated:
            yield changed(view, front, unit, None, rule)

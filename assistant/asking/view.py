"""The view through which a question reads a state, its board, its roster and its charts, with a record of it.

A question gathers all it needs into plain values inside `with view.gather() as facts:`. A fact that is missing reads as
empty there, and leaving the block raises one `MissingFacts` with everything that is missing.
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
from ..state.changes import BUILT_IN_TRACKS, AnyChange, Change, apply
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
from .parts import Parts
from .premises import Premises
from .report import MissingFacts

if TYPE_CHECKING:
    from ..game.charts import Ends, Keys
    from ..game.games import Game
    from ..game.history import Past

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
_Memos = dict[tuple[Memo[Any, Any], Hashable], Any]
"""Results of `memo`, by memo and key."""
_SUBJECTS = {"hex": "hexes", "hexside": "hexsides", "unit": "units"}
"""The figure that lists the subjects of facts, by what their track is on."""
_CHART_ENDS: Memo[str, tuple[Ends, ...]] = Memo()
"""The ends of each key of a chart."""


class View(Reader):
    """A state as one question sees it, with a record of what it read.

    `stated`: all facts of the state, with those of its lines.
    `end`: whether hidden facts are supposed at their weakest, at their strongest or as seen.
    `premises`: the record of what was read, here and in views of the states after changes.
    `unseen`: the places with unseen units, each with a unit that stands for them.
    `parts`: the parts of answers that other questions of the table have worked out, or None.
    """

    def __init__(
        self,
        game: Game,
        state: GameState,
        end: End = "weakest",
        watch: Watch = unwatched,
        past: Past | None = None,
        parts: Parts | None = None,
    ) -> None:
        self.game, self.state, self.end, self._watch, self.past = game, state, end, watch, past
        self._parts = Parts() if parts is None else parts
        self.board: Board = game.board_of(state)
        self.stated = all_stated(state, game.tracks)
        self.premises = Premises()
        self._found, self._unknown = dict[FactKey, Fact](), set[FactKey]()
        self._hiding = {*state.subjects_of(HIDDEN)}
        self.unseen = {place: Unit(stand_in(place), "", place, len(state.units)) for place in state.subjects_of(UNSEEN)}
        self._stand_ins = {unit.id: unit for unit in self.unseen.values()}
        # `_other_memos`: the memos of the view from which `view_of` made this one
        self._memos, self._other_memos = _Memos(), _Memos()
        self._derived_views = WeakSet[View]()  # views made from this view, which `forget` empties too
        self._other_facts, self._divergence = dict[FactKey, Fact](), Divergence()
        self._backs = game.backs

    def supposing(self, others: Mapping[FactKey, Value]) -> View:
        """Return a fresh view of the same state with other values for some facts.

        Raises InputError if these facts contradict others.
        """
        facts = {**self.stated, **{key: Fact(value) for key, value in others.items()}}
        for track, subject in others:
            check_below(self.game, self.game.track(track), subject, facts[track, subject], facts)
        state = msgspec.structs.replace(self.state, facts=MappingProxyType(facts), line_facts=MappingProxyType({}))
        return self.view_of(state)

    def view_of(self, state: GameState, changes: Sequence[AnyChange] | None = None) -> View:
        """Return a fresh view of another state of the game, which reuses results of this view that still hold.

        `changes`: the changes that lead from this state to the other one, or None if unknown.
        """
        other = self._make_view(state, self.end)
        stated = self.stated, other.stated
        divergence = find_divergence(self.state, state, stated, self.game.tracks, self.board.is_hex, changes)
        if divergence:
            other._other_memos, other._other_facts, other._divergence = self._memos, self._found, divergence
        return other

    def _make_view(self, state: GameState, end: End) -> View:
        other = View(self.game, state, end, self._watch, self.past, self._parts)
        self._derived_views.add(other)
        return other

    def memo(self, memo: Memo[K, T], key: K, work: Callable[[T | None, Divergence], T]) -> T:
        """Return a result that is worked out once for a view and a key, such as a compiled map.

        `work`: makes the result. It takes the result of the view from which `view_of` made this one, or None, and the
        divergence of the two views.
        """
        if (memo, key) not in self._memos:
            self._memos[memo, key] = work(self._other_memos.get((memo, key)), self._divergence)
        result: T = self._memos[memo, key]
        return result

    def part(self, key: Hashable, work_out: Callable[[View], T]) -> T:
        """Return a part of an answer that questions about the same state share, and note what it rests on.

        `key`: the subject of the part.
        `work_out`: makes the part from a view of this state alone. It takes no rolls or choices. What is read later in
        that view is not noted.
        """

        def work_out_apart(premises: Premises) -> T:
            other = self._make_view(self.state, self.end)
            other.premises = premises
            try:
                return work_out(other)
            finally:
                other.premises = Premises()  # what is read later in this view belongs to nothing that is kept

        return self._parts.recall(self.state, self.end, key, self.premises, work_out_apart)

    def forget(self) -> None:
        """Free the results kept here and in views made from this one, once they are no longer read.

        Results refer to their view, so that otherwise only the garbage collector would free them.
        """
        for view in [*self._derived_views]:
            view.forget()
        self._memos.clear()
        self._other_memos = {}
        self.premises.plays.clear()

    def at_its(self, end: End) -> View:
        """Return a fresh view of the same state with hidden facts supposed at one end, or as seen."""
        other = self._make_view(self.state, end)
        other.premises.missed_cells = self.premises.missed_cells  # a cell is missing whichever end needs it
        return other

    def after(self, changes: Iterable[AnyChange]) -> View:
        """Return a view of the state after some changes. Facts read in it count as read here too."""
        all_changes = tuple(changes)
        other = self.view_of(apply(self.state, all_changes, self.game.tracks), all_changes)
        other.premises = self.premises
        return other

    def quiet_view(self) -> View:
        """Return a fresh view of the same state. Facts read in it do not count as read here.

        It shares the results of `memo` made here; facts that such a result reads while it is used do count.
        """
        other = self._make_view(self.state, self.end)
        other._memos.update(self._memos)
        other._other_facts = self._found
        return other

    def each(self, items: Sequence[T], what: str) -> Iterable[T]:
        """Return the items one by one, with progress shown. `what`: a word for them."""
        return self._watch(items, what)

    @property
    def read_unseen_alone(self) -> bool:
        """Whether the question read a place where all units are unseen."""
        return any(not self.state.stack(place) for place in self.premises.unseen)

    def unit(self, name: str) -> Unit:
        """Return a unit of the state, or one that stands for unseen units. Raises InputError if there is none."""
        return self._stand_ins.get(name) or self.game.unit(self.state, name)

    def units(self) -> Iterable[Unit]:
        """Return the units of the state, without decoys, and the units that stand for unseen units.

        Decoys are only found by name, with `unit`.
        """
        real: Iterable[Unit] = self.state.units.values()
        if self.decoys:
            real = [unit for unit in real if unit.id not in self.decoys]
        return (*real, *(unit for place in self.unseen for unit in self._unseen_at(place)))

    def stack(self, place: str) -> tuple[Unit, ...]:
        """Return the units at a place without decoys, the top one first, and then the stand-in for unseen units."""
        return (*self.seen_stack(place), *self._unseen_at(place))

    def seen_stack(self, place: str) -> tuple[Unit, ...]:
        """Return the seen units at a place without decoys, the top one first."""
        stack = self.state.stack(place)
        return tuple(unit for unit in stack if unit.id not in self.decoys) if self.decoys else stack

    @cached_property
    def decoys(self) -> frozenset[str]:
        """The decoys of the state, which count for nothing in any rule."""
        return self.game.hiding.decoys(self.state)

    def _unseen_at(self, place: str) -> tuple[Unit, ...]:
        """Return the stand-in for unseen units at a place, or () if there are none.

        Only the strongest end supposes units that may not exist: units below a seen one, or possible decoys.
        """
        if place not in self.unseen:
            return ()
        self.premises.unseen[place] = None
        may_be_none = bool(self.seen_stack(place)) or self._may_be_decoys
        return () if may_be_none and self.end != "strongest" else (self.unseen[place],)

    @cached_property
    def _may_be_decoys(self) -> bool:
        return self.game.hiding.may_have_decoys(self.stated)

    def is_hidden(self, track: str, unit: str) -> bool:
        """Return whether a fact of a unit is hidden from this viewpoint."""
        if unit not in self._hiding:
            return False
        words = self.state.value(HIDDEN, unit)
        return isinstance(words, tuple) and track in words and (track, unit) not in self.state.facts

    def fact(self, track: str, subject: str = "") -> Fact | None:
        """Return a fact from the first source with it: the state, the map, the counter's face-up side, or the default.

        Returns None if the fact is unknown, or known only from a source that the player does not trust. A hidden fact
        is supposed.

        Raises CodeError if the track is unknown, or a fact of the game has a subject.
        """
        if track in self._backs:
            track = self.side_up(track, subject)
        return self._fact(track, subject)

    def _fact(self, track: str, subject: str) -> Fact | None:
        key = (track, subject)
        if (cached_fact := self._found.get(key)) is not None:  # frequent: both hexes of a hexside read its facts
            return cached_fact
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
        """The subjects of the stated facts, by track."""
        subjects: dict[str, list[str]] = {}
        for track, subject in self.stated:
            subjects.setdefault(track, []).append(subject)
        return subjects

    def facts_of(self, track: str) -> Callable[[str], Fact | None]:
        """Return a function for the facts of one track by hex or hexside, which does the same as `fact`, but faster."""
        return self.board.facts_of(
            self.declared(track), self.stated, self._accepts_source, (self._found, self.premises.facts)
        )

    def _seek_fact(self, track: Track, key: FactKey) -> Fact | None:
        divergence = self._divergence
        if (
            (other_fact := self._other_facts.get(key))
            and key not in divergence.facts
            and key[1] not in divergence.units
        ):
            return other_fact
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
        """Return whether a fact comes from a statement about all hexes or hexsides not known otherwise."""
        stated_for_all = self.state.elsewhere
        return bool(stated_for_all) and key not in self.stated and fact == stated_for_all.get(key[0])

    def value(self, track: str, subject: str = "") -> Value | None:
        """Return the value of a fact, or None if it is unknown and the track has no default."""
        return fact.value if (fact := self.fact(track, subject)) else None

    def side_of(self, unit: str) -> str:
        """Return the side of a unit's nation, or "" if the nation is unknown or the game has no sides."""
        nation = self.word(self.game.file.picture.nation, unit)
        return self.game.side_of(nation) if nation and self.game.file.sides else ""

    def title_of(self, who: str) -> str:
        """Return the name of a side or nation in texts, or "" for ""."""
        return self.game.file.title_of(who)

    def granted(self, track: str, subject: str, usual: Value, rule: str = "", text: str = "") -> Value:
        """Return a fact's value, or its usual value if unknown; the report then lists the fact under "Assumed".

        Call it only if a result depends on the fact.

        `rule`: the rule behind the usual value; by default the track's.
        `text`: the words of the report, with "{hexes}", "{hexsides}" or "{units}" for the subjects.
        """
        if fact := self.fact(track, subject):
            return fact.value
        declared = self.declared(track)
        listed = _SUBJECTS.get(declared.on, "subjects")
        text = text or f"{{{listed}}}, {declared.title}: {declared.write(usual)}"
        self.premises.assume_of(subject, rule or declared.rule, text, listed)
        return usual

    def _of_unseen(self, track: Track, unit: Unit) -> Fact | None:
        """Return the supposed fact of a stand-in for unseen units, or None if the track has no default.

        Its nation is that of the top unit seen there, or else the first of its side.
        """
        limits = self.game.file.intelligence
        if limits:
            words = limits.weakest if self.end == "weakest" else limits.strongest
            if track.name in words:
                return Fact(track.parse(words[track.name]))
        if track.name == self.game.file.picture.nation:
            place = unit.place or ""
            nations_seen = [fact for seen in self.state.stack(place) if (fact := self.fact(track.name, seen.id))]
            side = str(self.state.value(UNSEEN, place))
            nations = self.game.file.sides.get(side)
            if nations_seen:
                return nations_seen[0]
            return Fact(nations[0]) if nations else None
        return None if track.absent is None else Fact(track.absent)

    def _suppose_fact(self, track: Track, unit: str) -> Fact | None:
        if track.module and track.module.flips and not self._has_back(track, unit):
            return None if track.absent is None else Fact(track.absent)
        bound = self._find_bound(track, unit)
        weakest = suppose_value(track, "weakest", bound)
        strongest = suppose_value(track, "strongest", bound)
        limits = self.game.file.intelligence
        if limits and track.name in limits.weakest:  # a marker may weaken a unit only if another marker is absent
            weakest = track.parse(limits.weakest[track.name])
        value = weakest if self.end == "weakest" else strongest
        if value is None:
            return None
        if weakest != strongest or track.kind in ("text", "choices"):  # a text can only be supposed to be absent
            self.premises.supposed[track.name, unit] = value
        return Fact(value)

    def _has_back(self, flips: Track, unit: str) -> bool:
        return bool(flips.module and flips.module.needs and self.flag(flips.module.needs, unit))

    def _find_bound(self, track: Track, unit: str) -> int | None:
        bound = self.value(track.below, unit) if track.below else None
        return bound if isinstance(bound, int) else None

    def side_up(self, track: str, unit: str) -> str:
        """Return the track of a rating on the side of a counter that is up: `track`, or its `back` if flipped.

        If only `track` is stated, it counts for a flipped counter too: a player states the side that he sees.
        """
        back = self._backs.get(track, "")
        if not back or not self.is_flipped(unit):
            return track
        return track if (track, unit) in self.stated and (back, unit) not in self.stated else back

    def is_flipped(self, unit: str) -> bool:
        """Return whether the back of a unit's counter is up."""
        return any(self.flag(flips, unit) for flips in self.game.flips)

    def on_front(self, track: str, unit: str) -> int | None:
        """Return a number on the front of a unit's counter, whichever side is up, or None if it is unknown."""
        fact = self._fact(track, unit)
        return fact.value if fact and isinstance(fact.value, int) else None

    def declared(self, track: str) -> Track:
        """Return the track of a name in code. Raises CodeError, with a suggestion, if the game does not have it."""
        return _look_up_name(self.game.tracks, track, "track")

    def unaccepted(self, track: str, subject: str) -> Source | None:
        """Return the source of the board's fact if the player does not trust it, otherwise None."""
        fact = self.board.fact(track, subject)
        return fact.source if fact is not None and not self._accepts_source(fact) else None

    def drawn(self, track: str, subject: str) -> Fact | None:
        """Return the fact of a drawn map that the player does not trust, or None if there is none.

        It is a hint at what the printed map may show.
        """
        fact = None if Source.DRAWN in self.state.accepts else self.game.board(self.state.board).fact(track, subject)
        return fact if fact and fact.source is Source.DRAWN else None

    def _accepts_source(self, known: Fact | Cell | None) -> bool:
        """Return whether an answer may rest on a fact or cell: it is certain, or its source is trusted.

        If charts are trusted, cells from every source are trusted.
        """
        if known is None:
            return False
        accepts = self.state.accepts
        if known.source in CERTAIN or known.source in accepts:
            return True
        return isinstance(known, Cell) and PLACEHOLDERS["charts"] in accepts

    def cell(self, chart: str, *key: int | str) -> Cell | None:
        """Return a chart cell as stated or from the game's own files, or None if it is unknown or not trusted.

        Raises InputError if a key is off the chart, CodeError for an unknown chart or a wrong number of keys.
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
        """Return the regular keys of a cell. A key beyond an end of the chart, by its known cells, becomes the end.

        Raises InputError if a key is off the chart, or its known cells contradict each other.
        """
        declared = _look_up_name(self.game.charts, chart, "chart")
        if len(key) != len(declared.keys):
            names = ", ".join(heading.name for heading in declared.keys)
            raise CodeError(f"the chart {chart} has other keys than {', '.join(map(repr, key))}", f"they are: {names}")
        regular = declared.key(*key)
        return declared.key_within(regular, self.ends(chart)) if declared.has_owner_ends else regular

    def ends(self, chart: str) -> tuple[Ends, ...]:
        """Return the ends of each key of a chart by its known cells.

        Stated and printed cells count before other trusted ones.

        Raises InputError if the cells contradict each other.
        """
        return self.memo(_CHART_ENDS, chart, lambda known, apart: self._ends_of(chart))

    def _ends_of(self, chart: str) -> tuple[Ends, ...]:
        declared = self.game.chart(chart)
        certain: list[Keys] = [keys for name, keys in self.state.cells if name == chart]
        others: list[Keys] = []
        for keys, cell in declared.cells.items():
            if self._accepts_source(cell):
                (certain if cell.source in CERTAIN else others).append(keys)
        return tuple(
            type(ends)(ends.first or other_ends.first, ends.last or other_ends.last)
            for ends, other_ends in zip(declared.ends(certain), declared.ends(others), strict=True)
        )

    def ruling(self, name: str, matters: bool = True) -> str:
        """Return the reading of a doubtful rule in this state.

        `matters`: whether the ruling makes a difference here. If not, the default is returned and the report does not
        name the ruling.
        """
        ruling: Ruling = _look_up_name(self.game.rulings, name, "ruling")
        if not matters:
            return ruling.default
        self.premises.rulings[name] = reading = self.state.rulings.get(name, ruling.default)
        return reading

    def gather(self) -> Gather:
        """Return a context manager that collects missing facts."""
        return Gather(self)


class Gather(Reader):
    """A reader of facts as plain values that collects missing facts until the block is left."""

    def __init__(self, view: View) -> None:
        #: The view that the facts are read from.
        self.view = view
        self._asks: dict[str, Ask] = {}
        self._closed = False

    def __enter__(self) -> Gather:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self._closed = True
        if isinstance(error, MissingFacts):  # raised by a nested block
            self._asks |= {ask.name: ask for ask in error.asks}
        # Missing facts read as empty, which may cause any error except `Certain` and a fault of the game's code.
        if (
            self._asks
            and not isinstance(error, Certain | PluginError)
            and isinstance(error, (InputError, MissingFacts, type(None)))
        ):
            raise MissingFacts(tuple(self._asks.values()), getattr(error, "parts", ())) from None

    def value(self, track: str, subject: str = "") -> Value | None:
        """Return the value of a fact, or None if it is missing, and ask for it."""
        if (fact := self.view.fact(track, subject)) is None:
            self.ask(self._ask_for(self.view.side_up(track, subject), subject))
        return fact.value if fact else None

    def on_front(self, track: str, unit: str) -> int | None:
        """Return a number on the front of a unit's counter, whichever side is up.

        If the number is missing, ask for it and return None.
        """
        if (value := self.view.on_front(track, unit)) is None:
            self.ask(self._ask_for(track, unit))
        return value

    def word_among(self, track: str, possible: Sequence[str], subject: str = "") -> str:
        """Return a word as `word` does. If it is missing, offer only the possible words."""
        if self.view.fact(track, subject) is None:
            ask = self._ask_for(track, subject)
            if ask.key:
                how = ask.how.replace("|".join(self.view.declared(track).values), "|".join(possible))
                ask = msgspec.structs.replace(ask, name=how, how=how, options=tuple(possible))
            self.ask(ask)
            return ""
        return self.word(track, subject)

    def _ask_for(self, name: str, subject: str) -> Ask:
        """Return the ask if a fact is unknown: for the fact, for trust in its source, or for the unseen units.

        Raises CodeError if the subject is "" and the track is not about the game.
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
        """Return a struct about a subject. Fields not given are read from the tracks of their names, with hyphens.

        Fields of type int, bool, str or frozenset[str] are read with `integer`, `flag`, `word` or `words`.
        """
        readers = {int: self.integer, bool: self.flag, str: self.word, frozenset[str]: self.words}
        hints = {name: hint for name, hint in _types_of(kind).items() if name not in given}  # type: ignore[arg-type]  # mypy: a type is hashable
        return kind(**given, **{name: readers[hint](name.replace("_", "-"), subject) for name, hint in hints.items()})

    def cell(self, chart: str, *key: int | str) -> Cell:
        """Return a chart cell, or a cell of zeros if it is missing, and ask for it."""
        if (cell := self.view.cell(chart, *key)) is None:
            self.ask(ask_for_cell(self.view.game, chart, *self.view.cell_key(chart, *key)))
            return Cell(Fields.fromkeys((field.name for field in self.view.game.chart(chart).fields), 0))
        return cell

    def ask(self, ask: Ask) -> None:
        """Record that something is missing. Raises MissingFacts if the block has been left."""
        self._asks[ask.name] = ask
        if self._closed:
            raise MissingFacts([ask])


_types_of = cache(get_type_hints)  # the types of a struct's fields by name


def _look_up_name(known: Mapping[str, T], name: str, what: str) -> T:
    if name in known:
        return known[name]
    raise CodeError(f"unknown {what} {name!r}", nearest(name, known))


def moment(view: View) -> tuple[str, str]:
    """Return the phase and the phasing side, each "" if it is not stated or the game lacks its track.

    The tracks are `phase` and `phasing`.
    """
    tracks = view.game.tracks
    return view.word("phase") if "phase" in tracks else "", view.word("phasing") if "phasing" in tracks else ""


def changed(view: View, track: str, subject: str, after: Value | None, rule: str) -> Change:
    """Return the change of a fact of a subject, or of a unit's place or order, from its present value.

    `after`: the new value, or None to clear the fact.

    Raises InputError if the unit of a place or order is unknown, CodeError if the game does not have the track or the
    track does not allow the value.
    """
    if track not in BUILT_IN_TRACKS and after is not None:
        try:
            after = view.declared(track).check(after)
        except InputError as error:
            raise CodeError(error.what, error.hint) from None
    if track in BUILT_IN_TRACKS:
        return Change(track, subject, getattr(view.unit(subject), track), after, rule)
    fact = view.state.facts.get((track, subject))
    return Change(track, subject, fact.value if fact else None, after, rule)


def turned_over(view: View, flips: str, unit: str, back: bool, rule: str) -> Iterator[Change]:
    """Yield the changes that turn a unit's counter over.

    They clear a rating with only one stated value, because it was the rating of the face-up side.

    `flips`: the flag for the face-up side.
    `back`: whether the back is up afterwards.
    """
    yield changed(view, flips, unit, back, rule)
    stated = view.state.facts
    for front_track, back_track in view.game.backs.items():
        if (front_track, unit) in stated and (back_track, unit) not in stated:
            yield changed(view, front_track, unit, None, rule)

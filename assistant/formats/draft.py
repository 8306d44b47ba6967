"""A position while it is read: facts, lines and units, each checked against earlier statements."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from functools import cached_property

import msgspec

from ..game.games import Game
from ..game.names import regular_value
from ..game.states import Stated, build_state, check_army, check_below, check_company, check_identity
from ..state.changes import PlacedUnits
from ..state.state import Cell, CellKey, FactKey, GameState, Unit, copy_of
from ..state.tracks import Fact, Source, Track, Value, flip_tracks
from ..util.errors import InputError
from ..util.limits import Limit


class PositionDraft:
    """A position while it is read."""

    def __init__(
        self,
        game: Game,
        before: GameState | None = None,
        shows: Callable[[FactKey], bool] = lambda key: False,
        *,
        restates: bool = False,
    ) -> None:
        nothing = GameState(game=game.id)
        state = before or nothing
        self.game = game
        self.vocabulary = game.vocabulary
        self.before = before
        """The state to which statements are added, or None for a new position."""
        self.on_a_map = before is not None
        self.shows = shows
        """A function that returns whether a counter on the map shows a fact."""
        self.restates = restates
        """Whether statements replace earlier ones, as at the prompt; otherwise they must not contradict them."""
        self.board = state.board
        self.accepts = set[Source](state.accepts)
        self.standing = PlacedUnits(state.units, state.unread)
        self.facts = copy_of(state.facts)
        base = state if restates else nothing
        self.cells: dict[CellKey, Cell] = dict(base.cells)
        self.rulings: dict[str, str] = dict(base.rulings)
        self.lines: dict[str, tuple[str, ...]] = dict(base.lines)
        self.line_facts: dict[str, dict[FactKey, Fact]] = {name: dict(facts) for name, facts in base.line_facts.items()}
        self.elsewhere: dict[str, Fact] = dict(base.elsewhere)
        # By fact, the names of the lines that state it, even if it has been restated since.
        self._stating: dict[FactKey, dict[str, None]] = {}
        for name, facts in self.line_facts.items():
            for key in facts:
                self._stating.setdefault(key, {})[name] = None
        # The value that lines state for a fact, unless it is nothing.
        self._by_lines: dict[FactKey, Fact] = {}
        self.stated: set[FactKey] = set()
        self.named_places: set[str] = set()
        # For tracks with a text such as an army: its spelling on counters or when first stated, by folded text.
        self._spelled: dict[str, dict[str, str]] = {}
        self._flips = flip_tracks(game.tracks)
        # Units that a line added without a place.
        self._waiting: set[str] = set()

    def begin_line(self) -> None:
        """Begin another line, which may replace statements of earlier lines."""
        self.stated.clear()
        self.named_places.clear()
        self._waiting.clear()

    @property
    def units(self) -> Mapping[str, Unit]:
        """The units by id."""
        return self.standing.units

    @cached_property
    def _ids(self) -> dict[str, str]:
        """The ids of units by their lower-case forms."""
        return {unit.casefold(): unit for unit in self.units}

    def _find_id(self, name: str) -> str:
        """Return the id of a unit from its name in any capitals, or "" if the position lacks the unit."""
        known = name if name in self.units else self._ids.get(name.casefold(), "")
        return known if known in self.units else ""

    def state(self, before: GameState | None = None) -> GameState:
        """Return the whole state.

        `before`: as in `build_state`.

        Raises InputError if the statements do not fit together.
        """
        state = build_state(
            self.game,
            Stated(
                board=self.board,
                units=self.units.values(),
                facts=self.facts,
                cells=self.cells,
                rulings=self.rulings,
                lines=self.lines,
                line_facts={
                    name: own
                    for name, stated in self.line_facts.items()
                    if (own := {key: fact for key, fact in stated.items() if self.facts.get(key) != fact})
                },
                elsewhere=self.elsewhere,
                accepts=self.accepts,
            ),
            before,
        )
        if self.on_a_map and not self.restates:  # `join` has not checked units placed before this draft
            check_company(self.game, state.units.values(), state.facts)
        return state

    def check_new(self, holder: Container[Hashable], key: Hashable, what: str, hint: str = "") -> None:
        """Raise InputError with a message if a key is stated a second time.

        `holder`: the keys stated before.
        `what`: the message.
        """
        if key in holder and not self.restates:
            raise InputError(what, hint=hint)

    def take_board(self, name: str) -> None:
        """Change to a board of the game.

        After units or terrain, the new board must show the same map with all places named so far.

        Raises InputError if the board is unknown or does not fit.
        """
        board = self.game.board(name)
        ground = (subject for track, subject in self.facts if self.game.track(track).on in ("hex", "hexside", "box"))
        places = {unit.place for unit in self.units.values() if unit.place}.union(*(side.split("|") for side in ground))
        if places and not (
            self.game.has_printed_numbers(board) and self.game.has_printed_numbers(self.game.board(self.board))
        ):
            raise InputError("the board must be named before units and terrain", hint="move this line up")
        if missing := [place for place in sorted(places) if not board.has(place)]:
            raise InputError(f"{missing[0]} is not on the board {board.name}", hint="name a board that has it, or none")
        self.board = board.name

    # --- facts ---

    def subject(self, track: Track, text: str) -> str:
        return self.game.subject(track, text, GameState(game=self.game.id, board=self.board, units=self.units))

    def place(self, text: str) -> str:
        return self.game.board(self.board).place(text)

    def put(self, track: Track, subject: str, fact: Fact, line: str = "") -> None:
        """Add a fact.

        `line`: the supply line for which alone the fact is stated, or "".

        Raises InputError if the fact contradicts an earlier one.
        """
        if track.on == "unit" and track.kind == "text":
            fact = self._spell_as_known(track, fact)
        if track.names:
            fact = msgspec.structs.replace(fact, value=regular_value(track, fact.value, self.game.board(self.board)))
        key = (track.name, subject)
        own = self.line_facts[line] if line else self.facts
        replaces = self.restates and key not in self.stated and key not in self._by_lines
        if replaces:  # checked first, so that a refused fact changes nothing
            check_below(self.game, track, subject, fact, self.facts)
        if self.restates and track in self._flips and fact.value != self._read_value(key, track):
            self._turn_over(subject)
        if self.restates and key not in self.stated:
            for facts in (self.facts, *(self.line_facts[name] for name in self._stating.pop(key, ()))):
                facts.pop(key, None)
        self.stated.add(key)
        if fact.assumed and fact.value != self._read_value(key, track) and self.shows(key):
            return  # the counter is certain, the text only assumes
        if track.kind == "choices":  # words add up; the words of lines are added when the state is read
            if (known := own.get(key)) and isinstance(known.value, tuple) and isinstance(fact.value, tuple):
                # if all words are restated, they are as certain as this statement
                words = track.check((*known.value, *fact.value))
                fact = Fact(words, assumed=fact.assumed or (known.assumed and words != fact.value))
        else:
            for known in (self.facts.get(key), self._by_lines.get(key)):
                if known and known.value != fact.value:
                    values = f"{track.write(known.value)} and {track.write(fact.value)}"
                    raise InputError(f"{track.title} is stated twice: {values}", hint="leave out one of the two")
            if line and fact.value != track.nothing:
                self._by_lines.setdefault(key, fact)
        self._record(key, fact, line)
        if not replaces:
            check_below(self.game, track, subject, fact, self.facts)

    def put_elsewhere(self, track: Track, fact: Fact) -> None:
        """Add a fact about all hexes or hexsides that are not stated singly.

        Raises InputError if it contradicts an earlier one.
        """
        known = self.elsewhere.get(track.name)
        if known and known.value != fact.value and not self.restates:
            values = f"{track.write(known.value)} and {track.write(fact.value)}"
            raise InputError(
                f"{track.title} of all other hexes is stated twice: {values}", hint="leave out one of the two"
            )
        self.elsewhere[track.name] = fact

    def _read_value(self, key: FactKey, track: Track) -> Value | None:
        """Return the stated value of a fact, or the value it has if unstated."""
        return self.facts[key].value if key in self.facts else track.absent

    def _turn_over(self, unit: str) -> None:
        """Remove facts about the other side of a turned counter: its ratings, and values counted down from ratings.

        Values stated together with the turn stay.
        """
        tracks = self.game.tracks
        backs = self.game.backs
        ratings = [name for name in self.game.file.notation.brackets if name in backs]
        counted = [name for name, track in tracks.items() if track.below in ratings and track.on == "unit"]
        of_one_side = [name for name in ratings if (backs[name], unit) not in self.facts]
        for name in (*of_one_side, *counted):
            if (name, unit) not in self.stated:
                self.facts.pop((name, unit), None)

    def _spell_as_known(self, track: Track, fact: Fact) -> Fact:
        """Return a text about a unit spelled as on counters, or as first stated, whatever its capitals."""
        if (spelled := self._spelled.get(track.name)) is None:
            spelled = self._spelled[track.name] = {}
            printed = (fact for facts in self.game.roster.values() for fact in facts.get(track.name, ()))
            stated = (fact for (name, _), fact in self.facts.items() if name == track.name)
            for known in (*printed, *stated):
                spelled.setdefault(str(known.value).casefold(), str(known.value))
        value = spelled.setdefault(str(fact.value).casefold(), str(fact.value))
        return fact if value == fact.value else Fact(value, assumed=fact.assumed)

    def take_as_absent(self, track: Track, subject: str, line: str) -> None:
        """State that a feature is absent on a supply line, unless a line, the position or the board states the fact."""
        key = (track.name, subject)
        if (
            key not in self.facts
            and key not in self.line_facts[line]
            and self.game.board(self.board).fact(*key) is None
        ):
            self._record(key, Fact(track.nothing), line)

    def _record(self, key: FactKey, fact: Fact, line: str) -> None:
        if line:
            self.line_facts[line][key] = fact
            self._stating.setdefault(key, {})[line] = None
        else:
            self.facts[key] = fact

    def drop_line(self, name: str) -> None:
        """Remove a faulty supply line and the facts it has stated so far."""
        for key in self.line_facts.pop(name):
            others = self._stating[key]
            others.pop(name, None)
            if self._by_lines.pop(key, None):
                nothing = self.game.tracks[key[0]].nothing
                facts = (self.line_facts[other].get(key) for other in others)
                fact = next((fact for fact in facts if fact is not None and fact.value != nothing), None)
                if fact is not None:
                    self._by_lines[key] = fact

    # --- units ---

    def bring_in(self, name: str) -> str:
        """Return the id of a unit on or off the map, or "" if the name is unknown.

        If the units of a map are already placed, a missing unit of the roster is added off the map.
        """
        known = self._find_id(name)
        return self.wait(name) if self.on_a_map and name in self.game.roster and not known else known

    def note_name(self, id: str) -> None:
        self._ids[id.casefold()] = id

    def wait(self, name: str) -> str:
        """Add a unit off the map, which may be placed later, and return its id."""
        self.note_name(name)
        self._waiting.add(name)
        self.standing.put(Unit(name, self.game.type_of(name), None))
        Limit.UNITS.check(len(self.units), "it holds")
        return name

    def drop_unit(self, id: str) -> None:
        """Remove a unit added off the map, with its facts, because the rest of its line was not understood."""
        self.standing.remove(id)
        self._waiting.discard(id)
        self._ids.pop(id.casefold(), None)
        for key in [(name, subject) for name, subject in self.facts if subject == id]:
            if self.game.tracks[key[0]].on == "unit":
                del self.facts[key]

    def stack(self, place: str) -> list[str]:
        """Return the ids of the units at a place, from the top down."""
        return [unit.id for unit in self.standing.at(place)]

    def open_stack(self, place: str) -> int:
        """Begin a statement about the stack at a place, and return the number of units there before it.

        If the statement replaces them, they leave the map and the number is 0.
        """
        if self.restates and place not in self.named_places:
            for unit in self.standing.at(place):
                self._take_off_map(unit)
            self.named_places.add(place)
        return len(self.standing.at(place))

    def _take_off_map(self, unit: Unit) -> None:
        self.standing.put(msgspec.structs.replace(unit, place=None))

    def enter(
        self, name: str, place: str | None, order: int, identity: Sequence[tuple[Track, Fact]], *, quoted: bool = False
    ) -> str:
        """Place a unit with its identifying facts, and return its id. Call `join` after it.

        `place`: the place, or None off the map.
        `quoted`: whether the name was in quotes, and is therefore complete.

        Raises InputError if the unit is already placed, or is neither in the roster nor described.
        """
        known = self.units.get(self._ids.get(name.casefold(), ""))
        is_waiting = known is not None and known.id in self._waiting
        if known:
            if not (self.restates or is_waiting) or known.place in self.named_places:
                raise InputError(f"unit {name} is placed twice", hint="leave out one of the two")
            name = known.id
            self._take_off_map(known)
        type = self.game.type_of(name)
        described = {(track.name, name): fact for track, fact in identity}
        try:
            facts = ChainMap(described, self.facts) if self.restates or is_waiting else described
            check_identity(self.game, Unit(name, type, place), facts)
        except InputError as error:
            beginning = f"{name} ".casefold()
            suggestion = next((unit for unit in self.game.roster if unit.casefold().startswith(beginning)), "")
            if suggestion and not quoted:
                error.hint = f'put a name with a space in quotes: "{suggestion}"'
            raise
        self.note_name(name)
        self._waiting.discard(name)
        self.standing.put(Unit(name, type, place, order))
        if known is None:
            Limit.UNITS.check(len(self.units), "it holds")
        for track, fact in identity:
            self.put(track, name, fact)
        return name

    def join(self, id: str, place: str | None) -> None:
        """Check a unit with all its facts against the others in its place.

        Raises InputError if they may not share the place, or if its side lacks its army.
        """
        check_army(self.game, self.units[id], self.facts)
        if place is not None:
            check_company(self.game, (self.standing.at(place)[0], self.units[id]), self.facts)

"""The sentences about a stretch of a game: moves, entries, combats, decisions by dice, and postings.

Every sentence names only what the record shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from ...asking.changes import format_number
from ...asking.report import Report
from ...asking.view import View
from ...asking.wording import format_list, pluralize_predicate, sentence_case
from ...drawing.situation import named_places
from ...formats.positions import Position
from ...game.course import clock_tracks
from ...game.events import is_account, read_events
from ...game.games import Game
from ...game.typed_events import leading_name, read_event
from ...state.changes import Change
from ...state.differences import Arrival, Departure, FactChange, Move, find_differences
from ...state.state import UNSEEN, is_limited
from ...util.console import format_amount
from ...util.errors import InputError, plain, printable
from ...util.texts import natural
from ..explaining.played import Passage, PlayedQuestion
from .chapters import StoryStretch, attacked_from, attacked_hex, withheld_from


class Names:
    """The names of places, sides and units in one position."""

    def __init__(self, position: Position) -> None:
        self.game = position.game
        self.state = position.state
        self.view = View(position.game, position.state)

    @cached_property
    def towns(self) -> dict[str, str]:
        return {place.hex: plain(place.name) for place in named_places(self.view)}

    def place(self, hex: str) -> str:
        """Return the name of a box, or of a hex with a town in or beside it: `Goldap (44.23)`, `44.24 near Goldap`."""
        if town := self.towns.get(hex):
            return f"{town} ({hex})"
        if self.view.board.is_hex(hex):
            near = [self.towns[beyond] for beyond in self.view.board.neighbours(hex) if beyond in self.towns]
            if len(near) == 1:
                return f"{hex} near {near[0]}"
        return plain(hex)

    def side(self, unit: str) -> str:
        there = self.state.units.get(unit)
        nation = self.game.nation_of_unit(there, self.state.facts) if there else ""
        return self.game.side_of(nation) if nation in self.game.file.nations else ""

    def is_certain(self, unit: str) -> bool:
        """Return whether a unit has certainly entered or left.

        A unit of another side may only have changed its visibility.
        """
        seen_by = self.state.seen_by
        return not is_limited(seen_by) or self.side(unit) == seen_by

    def group(self, unit: str) -> tuple[str, str]:
        track = self.game.tracks.get("army")
        fact = self.view.fact("army", unit) if track is not None and track.on == "unit" else None
        return self.side(unit), plain(str(fact.value)) if fact is not None and fact.value else ""

    def group_title(self, group: tuple[str, str]) -> str:
        side, army = group
        title = self.game.file.title_of(side) if side else "Side not known"
        if not army:
            return title
        return f"{title}, {army}" if "army" in army.casefold() else f"{title}, {army} Army"


def format_units(units: Sequence[str]) -> str:
    """Return the names of units as a list in words."""
    return format_list(plain(unit) for unit in units)


Kind = Literal["fought", "decided", "moved", "entered", "left", "came to", "books"]
"""The kind of a sentence.

`decided` is a decision by dice outside combats, `came to` a new state, `books` a posting.
"""


class Sentence(NamedTuple):
    """A sentence of the story."""

    kind: Kind
    text: str
    """The text after the head."""
    number: int
    """The step of the log or the entry of the journal where the event of the sentence begins."""
    head: str = ""
    """The emphasized beginning, such as an army."""
    moved: tuple[Move, ...] = ()
    """The moves described by the sentence."""


def tell_stretch(stretch: StoryStretch) -> list[Sentence]:
    """Return the sentences of a stretch, or none if it shows nothing worth telling."""
    teller = _Teller(stretch)
    return list(teller.tell_combat() if stretch.combat else teller.tell_all())


class _Teller:
    def __init__(self, stretch: StoryStretch) -> None:
        self.stretch = stretch
        self.changed = stretch.changed
        self.game: Game = stretch.before.game
        self.number = stretch.passages[0].number

    @cached_property
    def before(self) -> Names:
        return Names(self.stretch.before)

    @cached_property
    def after(self) -> Names:
        return Names(self.stretch.after)

    def make_sentence(self, kind: Kind, text: str, head: str = "", moved: Iterable[Move] = ()) -> Sentence:
        return Sentence(kind, text, self.number, head, tuple(moved))

    def tell_all(self) -> Iterator[Sentence]:
        yield from self.tell_decisions()
        yield from self.tell_moves(self.changed.moved)
        yield from self.tell_arrivals(self.changed.came)
        yield from self.tell_departures(self.changed.gone)
        yield from self.tell_states(self.changed.facts)
        yield from self.tell_accounts()

    def tell_decisions(self) -> Iterator[Sentence]:
        for passage in self.stretch.passages:
            if passage.question is None or not passage.has_answers:
                continue
            report = passage.question.report
            if report is not None and _has_dice(passage) and not _moves_units(passage):
                yield Sentence(
                    "decided", f"{sentence_case(_format_verdict(report))}.", passage.number, plain(report.title)
                )

    def tell_moves(self, moved: Sequence[Move]) -> Iterator[Sentence]:
        groups: dict[tuple[str, str], list[Move]] = {}
        for move in moved:
            groups.setdefault(self.after.group(move.unit), []).append(move)
        for group, moves in sorted(groups.items()):
            ways: dict[tuple[str, str], list[str]] = {}
            for move in moves:
                ways.setdefault((move.before, move.after), []).append(move.unit)
            parts = [
                f"{format_units(units)} from {self.before.place(start)} to {self.after.place(end)}"
                for (start, end), units in ways.items()
            ]
            yield self.make_sentence("moved", f"{'; '.join(parts)}.", self.after.group_title(group), moves)

    def tell_arrivals(self, arrivals: Sequence[Arrival]) -> Iterator[Sentence]:
        for certain, verb, more in ((True, "enter", "play"), (False, "come", "into sight")):
            places: dict[str, list[str]] = {}
            for unit in arrivals:
                if self.after.is_certain(unit.unit) == certain:
                    places.setdefault(unit.place, []).append(unit.unit)
            if places:
                parts = (f"{format_units(units)} in {self.after.place(place)}" for place, units in places.items())
                yield self.make_sentence("entered", f"{'; '.join(parts)}.", _conjugate_verb(verb, more, places))

    def tell_departures(self, departures: Sequence[Departure]) -> Iterator[Sentence]:
        for certain, verb, more in ((True, "leave", "play"), (False, "drop", "out of sight")):
            places: dict[str, list[str]] = {}
            for unit in departures:
                if self.before.is_certain(unit.unit) == certain:
                    places.setdefault(unit.place, []).append(unit.unit)
            if places:
                parts = (
                    f"{format_units(units)}, last in {self.before.place(place)}" for place, units in places.items()
                )
                yield self.make_sentence("left", f"{'; '.join(parts)}.", _conjugate_verb(verb, more, places))

    def tell_states(self, facts: Sequence[FactChange]) -> Iterator[Sentence]:
        alike: dict[tuple[str, str], list[str]] = {}
        for fact in facts:
            if words := self.format_state(fact):
                alike.setdefault((fact.track, words), []).append(fact.subject)
        parts = list[str]()
        for (name, words), subjects in alike.items():
            track = self.game.tracks[name]
            if track.on == "game":
                parts.append(words)
                continue
            named = [plain(subject) if track.on == "unit" else self.after.place(subject) for subject in subjects]
            parts.append(f"{format_list(named)} {pluralize_predicate(words, len(named))}")
        if parts:
            yield self.make_sentence("came to", f"{sentence_case('; '.join(parts))}.")

    def format_state(self, fact: FactChange) -> str:
        """Return the new state of a fact, or "" for phase markers, accounts, and facts that counters do not show."""
        track = self.game.tracks[fact.track]
        told_otherwise = fact.track in (self.game.file.picture.control, UNSEEN) or is_account(track)
        if track.is_passing or told_otherwise or fact.track in self.clock or fact.track in self.decided:
            return ""
        if track.on == "game":
            if fact.after in (None, track.nothing) or track.names == "turn" or track.kind == "text":
                return ""
            shown = track.write(fact.after)
            return f"{track.title}: {plain(shown)}" if shown else ""
        if track.module is None or track.on not in ("unit", "hex", "hexside"):
            return ""
        after = track.nothing if fact.after is None else fact.after
        return plain(track.said(track.write(after)).replace("{}", track.write(after)))

    @cached_property
    def clock(self) -> frozenset[str]:
        return frozenset(clock_tracks(self.game))

    @cached_property
    def decided(self) -> frozenset[str]:
        """The game's own tracks set by an answer with dice, whose sentence states the result."""
        games = {name for name, track in self.game.tracks.items() if track.on == "game"}
        passages = (passage for passage in self.stretch.passages if passage.has_answers)
        changes = (change for passage in passages for change in passage.changes)
        return frozenset(games.intersection(getattr(change, "track", "") for change in changes))

    def tell_accounts(self) -> Iterator[Sentence]:
        """Yield a sentence on the accounts of each nation or side: changes, reasons, new totals, levels reached."""
        notes: dict[tuple[str, str], list[tuple[int, str]]] = {}
        first: dict[tuple[str, str], int] = {}
        last: dict[tuple[str, str], int] = {}
        reached: dict[str, list[str]] = {}
        levels = {(level.since, level.who): level for level in read_events(self.game).level}
        for passage in self.stretch.passages:
            note = _find_note(self.game, passage) if passage.kind == "event" else ""
            for fact in _list_facts(self.stretch, passage):
                track = self.game.tracks[fact.track]
                key = (fact.subject, fact.track)
                if is_account(track) and fact.track not in self.clock:
                    first.setdefault(key, _read_number(fact.before))
                    last[key] = _read_number(fact.after)
                    notes.setdefault(key, []).append((_read_number(fact.after) - _read_number(fact.before), note))
                elif (level := levels.get((fact.track, fact.subject))) is not None:
                    verb = "reaches" if fact.after else "is no longer at"
                    reached.setdefault(fact.subject, []).append(f"{verb} {level.title} ({level.at})")
        for who in dict.fromkeys([*(who for who, _ in first), *reached]):
            parts = []
            for (whose, name), held in first.items():
                now = last[whose, name]
                if whose == who and now != held:
                    title = self.game.tracks[name].title
                    parts.append(_format_account(title, now - held, now, notes[who, name]))
            if parts or who in reached:
                title = self.game.file.title_of(who) if who else "The game"
                yield self.make_sentence("books", f"{'; '.join([*parts, *reached.get(who, ())])}.", title)

    def tell_combat(self) -> Iterator[Sentence]:
        passage = self.stretch.passages[0]
        question = passage.question
        at = attacked_hex(passage)
        head = self.format_attack(passage, at)
        text = _format_result(question) if question is not None else ""
        involved = self.find_involved(passage, at)
        fought = [move for move in self.changed.moved if move.unit in involved or (at and move.after == at)]
        outcome = [*self.format_losses(), *self.format_ways(at, fought)]
        yield self.make_sentence("fought", " ".join(filter(None, (text, *outcome))), head, fought)
        less = self.game.file.picture.less
        facts = [fact for fact in self.changed.facts if fact.track != less and not self.is_cleared(fact)]
        yield from self.tell_departures(self.changed.gone)
        yield from self.tell_states(facts)
        yield from self.tell_accounts()
        yield from self.tell_moves([move for move in self.changed.moved if move not in fought])
        yield from self.tell_arrivals(self.changed.came)

    def is_cleared(self, fact: FactChange) -> bool:
        """Return whether a fact has its usual value again: markers removed in a combat are not mentioned."""
        track = self.game.tracks[fact.track]
        return fact.after in (None, track.absent, track.nothing)

    def format_attack(self, passage: Passage, at: str) -> str:
        question = passage.question
        if question is None or not at:
            return plain(passage.asked)
        names = self.before
        places = attacked_from(passage)
        absent = withheld_from(passage)
        defenders = [unit.id for unit in names.state.stack(at) if unit.id not in absent]
        side = names.side(defenders[0]) if defenders else ""
        units = (unit.id for place in places for unit in names.state.stack(place) if unit.id not in absent)
        attackers = [unit for unit in units if names.side(unit) != side]
        head = f"Attack on {names.place(at)}"
        if places:
            head += f" from {format_list(names.place(place) for place in places)}"
        # the sentences of an answer already name the attackers and the defenders
        has_sentences = question.report is not None and bool(question.report.sentences)
        if attackers and defenders and not has_sentences:
            head += f": {format_units(attackers)} against {format_units(defenders)}"
        return head

    def format_losses(self) -> Iterator[str]:
        less = self.game.file.picture.less
        facts = [fact for fact in self.changed.facts if fact.track == less and fact.after]
        if facts:
            marked = (f"{plain(fact.subject)} {fact.after}" for fact in facts)
            yield f"{sentence_case(self.game.tracks[less].title)} now: {format_list(marked)}."

    def find_involved(self, passage: Passage, at: str) -> frozenset[str]:
        """Return the units in the attacked hex and in the attacking hexes.

        A log may move other units in the same stretch.
        """
        places = attacked_from(passage)
        if at:
            places.append(at)
        return frozenset(unit.id for place in places for unit in self.before.state.stack(place))

    def format_ways(self, at: str, moved: Sequence[Move]) -> Iterator[str]:
        ways: dict[tuple[str, str], list[str]] = {}
        for move in moved:
            ways.setdefault(("" if move.after == at else move.before, move.after), []).append(move.unit)
        for (start, end), units in ways.items():
            named = format_units(units)
            to = self.after.place(end)
            if not start:
                yield f"{named} {'advance' if len(units) > 1 else 'advances'} into {to}."
            else:
                verb = "go" if len(units) > 1 else "goes"
                yield f"{named} {verb} back from {self.before.place(start)} to {to}."


def _format_result(question: PlayedQuestion) -> str:
    if question.report is None:
        why_not = plain(question.why_not)
        return f"The record does not say how it went ({why_not})." if why_not else ""
    if question.report.verdict.kind == "undecided":
        return "Too little is known to say how it went."
    return f"{sentence_case(_format_verdict(question.report))}."


def _has_dice(passage: Passage) -> bool:
    """Return whether dice, and not only choices, decided an answer.

    An answer counts as dice if it consists of numbers of at most two digits, joined by plus signs or slashes.
    """
    question = passage.question
    if question is None:
        return False
    return bool(question.throws) or any(_is_throw(answer) for answer in question.answers.values())


def _moves_units(passage: Passage) -> bool:
    return any(isinstance(change, Change) and change.track == "place" for change in passage.changes)


def _is_throw(answer: str) -> bool:
    parts = answer.replace("/", "+").split("+")
    return all(natural(part) is not None and len(part) < 3 for part in parts)


def _list_facts(stretch: StoryStretch, passage: Passage) -> Iterator[FactChange]:
    if len(stretch.passages) == 1:
        yield from stretch.changed.facts
    else:
        yield from find_differences(passage.before.state, passage.after.state, passage.before.game.tracks).facts


def _find_note(game: Game, passage: Passage) -> str:
    events = read_events(game)
    who, rest = leading_name(game, events, passage.text)
    try:
        event = read_event(game, events, who, rest)
    except InputError:
        return ""
    return plain(" ".join(filter(None, (event.kind, event.unit, event.note))))


def _format_account(title: str, by: int, now: int, notes: Sequence[tuple[int, str]]) -> str:
    """Return a text with the change of an account, its reasons, and the new total.

    `notes`: each part of the change with its note or "". If a part has no note, the other notes include their amounts.
    """
    noted = [(part, note) for part, note in notes if note]
    if len(noted) < len(notes):
        words = [f"{note} {format_amount(part)}" for part, note in noted]
    else:
        words = [*dict.fromkeys(note for _, note in noted)]
    why = f" ({', '.join(words)})" if words else ""
    return f"{title}: {format_amount(by)}{why}, now {format_number(now)}"


def _read_number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _conjugate_verb(verb: str, more: str, places: Mapping[str, Sequence[str]]) -> str:
    several = sum(map(len, places.values())) > 1
    return sentence_case(f"{verb}{'' if several else 's'} {more}")


def _format_verdict(report: Report[object]) -> str:
    return printable("; ".join(report.answers_on(()))).rstrip(".")

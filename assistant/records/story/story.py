"""The whole story of a game: its turns in words, a tally for each side, and the moments shown on maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

from ...asking.placeholders import Placeholder, format_placeholder_mark, merge_placeholders
from ...asking.view import View
from ...asking.wording import format_list, pluralize_predicate, sentence_case
from ...drawing.front.strip import Shot, Strip, make_strip
from ...drawing.front.territory import stated_holders
from ...game.games import Game
from ...util.console import format_count
from ..explaining.played import PlayedMoment, PlayedRecord
from .chapters import StoryStretch, StoryTurn, attacked_from, attacked_hex, bookmarks, story_turns
from .sentences import Names, Sentence, tell_stretch


class ToldPhase(NamedTuple):
    """A phase as sentences."""

    title: str
    """The phase and the side whose player turn it is, or "" if the record names neither."""
    sentences: Sequence[Sentence]


class Telling(NamedTuple):
    """A turn as sentences, or several successive turns without any."""

    chapters: Sequence[StoryTurn]
    phases: Sequence[ToldPhase]
    """The phases of the turn, or none if there is nothing to tell."""

    @property
    def title(self) -> str:
        titles = [chapter.title or "Before the first turn" for chapter in self.chapters]
        return titles[0] if len(titles) == 1 else f"{titles[0]} to {titles[-1]}"

    @property
    def anchor(self) -> str:
        label = self.chapters[0].label or "start"
        return "turn-" + "".join(sign if sign.isalnum() else "-" for sign in label)

    @property
    def date(self) -> str:
        dates = list(dict.fromkeys(chapter.date for chapter in self.chapters if chapter.date))
        if len(dates) > 1:
            return f"{dates[0]} to {dates[-1]}"
        return dates[0] if dates else ""

    @property
    def sentences(self) -> Iterator[Sentence]:
        return (sentence for phase in self.phases for sentence in phase.sentences)


class Story:
    """The story of a record of play.

    `chosen`: the labels of the turns that are told, by default all.

    Raises InputError if a position of the record cannot be read.
    """

    def __init__(self, record: PlayedRecord, chosen: Collection[str] = ()) -> None:
        self.record = record
        self.game = record.game
        self.chapters = story_turns(record, chosen)
        self.bookmarks: Mapping[str, int] = {} if record.by_turns else bookmarks(record)

    @cached_property
    def tellings(self) -> Sequence[Telling]:
        """The turns as sentences, with successive turns without any joined."""
        tellings = list[Telling]()
        for chapter in self.chapters:
            phases = [*_tell_phases(self, chapter)]
            if not phases and tellings and not tellings[-1].phases:
                tellings[-1] = Telling([*tellings[-1].chapters, chapter], ())
            else:
                tellings.append(Telling([chapter], phases))
        return tellings

    @property
    def title(self) -> str:
        return self.game.title

    @property
    def file(self) -> str:
        return PurePath(self.record.file).name

    @cached_property
    def span(self) -> str:
        known = [chapter for chapter in self.chapters if chapter.title]
        if not known:
            return ""
        words = [", ".join(filter(None, (chapter.title, chapter.date))) for chapter in (known[0], known[-1])]
        return words[0] if len(known) == 1 else f"{words[0]}{',' if known[0].date else ''} to {words[1]}"

    @cached_property
    def rests_on(self) -> str:
        """A sentence that names the placeholders for maps, charts and counters in use, or "" if there are none."""
        rests_on: tuple[Placeholder, ...] = ()
        for stretch in self.stretches:
            for passage in stretch.passages:
                report = passage.question.report if passage.question and passage.has_answers else None
                if report is not None:
                    rests_on = merge_placeholders(rests_on, report.rests_on)
        mark = format_placeholder_mark(rests_on)
        return f"Its verdicts hold {mark[1:-1]}." if mark else ""

    @cached_property
    def tallies(self) -> Mapping[str, Tally]:
        return tally_sides(self.game, self.stretches)

    @property
    def stretches(self) -> Iterator[StoryStretch]:
        return (stretch for chapter in self.chapters for stretch in chapter.stretches)

    @property
    def unit(self) -> str:
        """The word for what the record numbers: step, throw or line (in a log seen by a side), or entry."""
        if not self.record.is_log:
            return "entry"
        return "throw or line" if self.record.by_lines else "step"

    @cached_property
    def shots(self) -> list[Shot]:
        if not self.chapters:
            return [Shot("", "", View(self.game, self.record.start.state))]
        first = self.chapters[0]
        shots = [Shot("At the start", first.date or first.title, View(self.game, first.before.state))]
        for chapter in self.chapters:
            title = chapter.title or "The game"
            shots.append(Shot(title, chapter.date, View(self.game, chapter.after.state), chapter.attacked))
        return shots

    def strip(self, width: float, max_maps: int) -> Strip:
        """Return the maps of the story.

        `width`: width of a map, in mm.
        `max_maps`: maximum number of maps.

        Raises InputError if there is nothing to draw.
        """
        return make_strip(self.shots, width, max_maps)


def _tell_phases(story: Story, chapter: StoryTurn) -> Iterator[ToldPhase]:
    for phase in chapter.phases:
        sentences = [sentence for stretch in phase.stretches for sentence in tell_stretch(stretch)]
        if sentences:
            yield ToldPhase(_format_phase(story, phase.when), sentences)
    if ground := [*tell_ground(chapter)]:
        yield ToldPhase("At the end of the turn" if chapter.label else "At the end", ground)


def _format_phase(story: Story, when: PlayedMoment) -> str:
    if story.record.by_turns:
        return ""
    if not when.phasing:
        return when.phase
    player_turn = f"{story.game.file.title_of(when.phasing)} player turn"
    return f"{when.phase}, in the {player_turn}" if when.phase else player_turn


def tell_ground(chapter: StoryTurn) -> Iterator[Sentence]:
    """Yield sentences on the hexes taken in a turn, and the towns that a side has entered."""
    names = Names(chapter.before)
    after = Names(chapter.after)
    was = stated_holders(names.view)
    holder = stated_holders(after.view)
    texts = list[str]()
    for side in names.game.file.sides:
        hexes_taken = [place for place, whose in holder.items() if whose == side and was.get(place, side) != side]
        towns = [place for place in after.towns if holder.get(place) == side and was.get(place) != side]
        parts = []
        if hexes_taken:
            parts.append(f"takes {format_count(len(hexes_taken), 'hex', 'hexes')} that another side held")
        if towns:
            parts.append(f"comes into {format_list(after.place(place) for place in towns)}")
        if parts:
            taker = sentence_case(names.game.file.the_side(side))
            several = 2 if taker.endswith("s") else 1
            texts.append(f"{taker} {' and '.join(pluralize_predicate(part, several) for part in parts)}.")
    if texts:
        yield Sentence("came to", " ".join(texts), chapter.begins, "Ground")


class Tally(NamedTuple):
    """The numbers of a side's actions."""

    attacks: int
    """The number of combats in which the side attacked."""
    moved: int
    """The number of moves, counting a unit once in each stretch."""
    entered: int
    """The number of units that entered play."""
    left: int
    """The number of units that left play."""


def tally_sides(game: Game, stretches: Iterable[StoryStretch]) -> Mapping[str, Tally]:
    """Return the tally of each side of a game."""
    attacks = Counter[str]()
    moved = Counter[str]()
    entered = Counter[str]()
    left = Counter[str]()
    for stretch in stretches:
        before = Names(stretch.before)
        after = Names(stretch.after)
        moved.update(after.side(move.unit) for move in stretch.changed.moved)
        entered.update(after.side(unit.unit) for unit in stretch.changed.came if after.is_certain(unit.unit))
        left.update(before.side(unit.unit) for unit in stretch.changed.gone if before.is_certain(unit.unit))
        if stretch.combat and (attacker := _find_attacker(stretch, before)):
            attacks[attacker] += 1
    return {side: Tally(attacks[side], moved[side], entered[side], left[side]) for side in game.file.sides}


def _find_attacker(stretch: StoryStretch, before: Names) -> str:
    passage = stretch.passages[0]
    at = attacked_hex(passage)
    defenders = {before.side(unit.id) for unit in before.state.stack(at)} if at else set[str]()
    for place in attacked_from(passage):
        for unit in before.state.stack(place):
            side = before.side(unit.id)
            if side and side not in defenders:
                return side
    return ""


def format_tally(tally: Tally) -> str:
    """Return a tally in words, or "" if it is empty."""
    counts = (
        (tally.attacks, "attack", ""),
        (tally.moved, "move", ""),
        (tally.entered, "unit", " entered play"),
        (tally.left, "unit", " left play"),
    )
    return ", ".join(f"{format_count(number, noun)}{more}" for number, noun, more in counts if number)

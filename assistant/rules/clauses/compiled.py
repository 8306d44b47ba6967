"""The clauses of a game's `rules.toml`, compiled once for a game: each condition is a test of a subject's facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from ...asking.view import Gather, View
from ...game.games import Game
from ...game.rule_file import (
    Battle,
    Clause,
    Facts,
    Movement,
    RetreatRules,
    RuleFile,
    Stacking,
    SupplyLines,
    Wanted,
    Zones,
    read_ranges,
    read_rule_file,
    words_of,
)
from ...state.state import hexside
from ...state.tracks import Reader, Track
from ...util.memo import Memo
from ..field import HexBar
from .overrides import FactsOf, read_overrides

C = TypeVar("C", bound=Clause)
Test = Callable[[Reader, str], bool]
"""A function that returns whether a subject is as a condition wants it. A Gather asks for a missing fact."""
SIDE = "side"
NAME = "name"
"""The words by which a condition names a unit's side and the unit itself, besides tracks."""


def view_of(reader: Reader) -> View:
    """Return the view of a reader."""
    view = reader.view if isinstance(reader, Gather) else reader
    assert isinstance(view, View)
    return view


def compile_facts(game: Game, facts: Facts) -> Test:
    """Return the test of all facts that a condition wants.

    Raises CodeError if the game does not have a track.
    """
    tests = [_compile_fact(game, track, wanted) for track, wanted in facts.items()]
    return lambda reader, subject: all(test(reader, subject) for test in tests)


def _compile_fact(game: Game, name: str, wanted: Wanted) -> Test:
    words = frozenset(words_of(wanted))
    if name == SIDE:
        return lambda reader, unit: view_of(reader).side_of(unit) in words
    if name == NAME:
        return lambda reader, unit: unit in words
    track = game.track(name)
    if isinstance(wanted, bool):
        return partial(_is_flagged, track, wanted)
    if track.kind == "integer":
        return partial(_is_within, name, read_ranges(wanted))
    if track.kind == "choices":
        return lambda reader, subject: not reader.words(name, subject).isdisjoint(words)
    return lambda reader, subject: reader.word(name, subject) in words


def _is_flagged(track: Track, wanted: bool, reader: Reader, subject: str) -> bool:
    return is_something(reader, track, subject) == wanted


def is_something(reader: Reader, track: Track, subject: str) -> bool:
    """Return whether a flag is set, or whether another fact is known to be anything but nothing."""
    value = reader.value(track.name, subject)
    return value is not None and value != track.nothing


def _is_within(name: str, ranges: Sequence[tuple[int, int | None]], reader: Reader, subject: str) -> bool:
    number = reader.integer(name, subject)
    return any(least <= number and (most is None or number <= most) for least, most in ranges)


class Compiled(Generic[C]):
    """A clause with its conditions as tests."""

    def __init__(self, game: Game, place: str, rule: str, clause: C, met: set[str]) -> None:
        """Compile a clause.

        `rule`: the rule of the section, for a clause that names none.
        `met`: gets the place of each clause that holds somewhere.
        """
        self.place = place
        self.clause = clause
        self.rule = clause.rule or rule
        self._met = met
        self._unit = compile_facts(game, clause.unit)
        self._but = compile_facts(game, clause.but) if clause.but else None
        self._into = compile_facts(game, clause.into)
        self._over = compile_facts(game, clause.over) if clause.over else None
        against: Facts = getattr(clause, "against", {})
        self._against = compile_facts(game, against) if against else None
        self._when = compile_facts(game, clause.when)
        self._options = frozenset(clause.option.split())
        self._unless = frozenset(clause.unless.split())
        self._ruling, _, self._reading = clause.ruling.partition("=")

    def is_in_force(self, reader: Reader) -> bool:
        """Return whether the options and the facts of the game let the clause hold."""
        if self._options or self._unless:
            options = view_of(reader).words("options")
            if not self._options <= options or not self._unless.isdisjoint(options):
                return False
        return self._when(reader, "")

    def is_for(self, reader: Reader, unit: str) -> bool:
        """Return whether the clause is for a unit."""
        return self._unit(reader, unit) and not (self._but and self._but(reader, unit))

    def is_against(self, reader: Reader, unit: str) -> bool:
        """Return whether a shift does not count against a defender."""
        return self._against is not None and self._against(reader, unit)

    def is_into(self, reader: Reader, hex: str) -> bool:
        """Return whether the hex entered or attacked is as the clause wants it."""
        return self._into(reader, hex)

    def is_over(self, reader: Reader, here: str, there: str) -> bool:
        """Return whether the hexside crossed is as the clause wants it; off the map there is none."""
        return self._over is None or bool(here and self._over(reader, hexside(here, there)))

    def is_chosen(self, reader: Reader) -> bool:
        """Return whether the clause holds by its ruling, and note that the clause is met.

        Called last, because an answer rests on a ruling only where all else lets the clause hold.
        """
        holds = not self._ruling or view_of(reader).ruling(self._ruling) == self._reading
        if holds:
            self._met.add(self.place)
        return holds

    def holds_for(self, reader: Reader, unit: str, supplied: Callable[[], bool] | None = None) -> bool:
        """Return whether the clause holds of a unit, wherever it is.

        `supplied`: returns whether the unit is in supply; called only where that decides.
        """
        wanted = getattr(self.clause, "supplied", None)
        return (
            self.is_in_force(reader)
            and self.is_for(reader, unit)
            and (wanted is None or supplied is None or supplied() == wanted)
            and self.is_chosen(reader)
        )

    def holds_for_step(self, reader: Reader, unit: str, here: str, there: str) -> bool:
        """Return whether the clause holds of a unit's step from a hex into the next.

        `here`: the hex left, or "" if the unit enters the map.
        """
        return (
            self.is_in_force(reader)
            and self.is_for(reader, unit)
            and self.is_over(reader, here, there)
            and self.is_into(reader, there)
            and self.is_chosen(reader)
        )

    def bar(self, **figures: Any) -> HexBar:
        """Return the clause as a bar to a hex."""
        return HexBar(self.rule, self.clause.says.format(**figures))


class Rules:
    """The rules of a game as its `rules.toml` states them, with compiled clauses and the game's overrides."""

    def __init__(self, game: Game) -> None:
        file = read_rule_file(game)
        self.file: RuleFile = file
        self.game = game
        self.met = set[str]()
        """The places of the clauses and rows of terrain that have held in some answer."""
        self.zones = file.zones or Zones()
        self.stacking = file.stacking or Stacking()
        self.movement = file.movement or Movement()
        self.supply = file.supply or SupplyLines()
        self.retreat = file.retreat or RetreatRules()
        self.overrides = read_overrides(game)
        self.no_zone = self._compile("zones.none", self.zones.rule, self.zones.none)
        self.zone_bars = self._compile("zones.barred", self.zones.rule, self.zones.barred)
        self.limits = self._compile("stacking.limit", self.stacking.rule, self.stacking.limit)
        self.points = self._compile("movement.points", self.movement.rule, self.movement.points)
        self.unable = self._compile("movement.unable", self.movement.rule, self.movement.unable)
        self.step_bars = self._compile("movement.barred", self.movement.rule, self.movement.barred)
        self.extras = self._compile("movement.extra", self.movement.rule, self.movement.extra)
        self.sources = self._compile("supply.source", self.supply.rule, self.supply.source)
        self.lengths = self._compile("supply.length", self.supply.rule, self.supply.length)
        self.ends = self._compile("supply.end", self.supply.rule, self.supply.end)
        self.retreat_bars = self._compile("retreat.barred", self.retreat.rule, self.retreat.barred)
        battle, advance = file.battle, file.advance
        self.idle = self._compile("battle.idle", battle.rule, battle.idle) if battle else ()
        self.strengths = self._compile("battle.strength", battle.rule, battle.strength) if battle else ()
        self.shifts = self._compile("battle.shift", battle.rule, battle.shift) if battle else ()
        self.no_advance = self._compile("advance.unable", advance.rule, advance.unable) if advance else ()
        self.advance_bars = self._compile("advance.barred", advance.rule, advance.barred) if advance else ()

    @property
    def battle(self) -> Battle:
        """The section `battle`, for the questions that only a game with it has."""
        assert self.file.battle is not None
        return self.file.battle

    def _compile(self, place: str, rule: str, clauses: Iterable[C]) -> tuple[Compiled[C], ...]:
        return tuple(
            Compiled(self.game, f"{place} {number}", rule, clause, self.met) for number, clause in enumerate(clauses, 1)
        )


_RULES: Memo[None, Rules] = Memo()
"""The compiled rules of a game."""


def rules_of(game: Game) -> Rules:
    """Return the compiled rules of a game.

    Raises InputError for a fault in `rules.toml`.
    """
    return game.memo(_RULES, None, lambda: Rules(game))


def facts_of(facts: Gather, subject: str, on: str) -> FactsOf:
    """Return the facts of a subject for an override; missing ones are asked for.

    `on`: the kind of subject.
    """
    names = [name for name, track in facts.view.game.tracks.items() if track.on == on]
    return FactsOf(lambda track: facts.value(track, subject), lambda: iter(names))

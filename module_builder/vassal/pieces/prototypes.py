"""Prototypes: what counters of one kind have in common, written once in the module's file.

The prototype of a kind gathers others, the outermost first, as VASSAL advises: reports of changes in the chat, hiding,
leaving the map, signs of movement, statuses, constant properties. The slot has the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from assistant.formats.vassal.legends import property_of
from assistant.formats.vassal.traits import Trait, marker_trait
from assistant.game.games import Game
from assistant.state.tracks import Track, Value

from ...counters.columns import word_of
from ..sheets import OUT_WINDOW, SHEET, dead_pile
from .statuses import Status, Statuses, Text, is_owners, label, needed_fact, strokes_of
from .traits import (
    MARK_MOVED,
    OUT_OF_PLAY,
    RETURN,
    SIDE,
    TRAIL,
    PrototypeTrait,
    bar_others,
    bound_level,
    computed,
    cover_traits,
    is_seen,
    mark_moved,
    nation_behind,
    report,
    send,
    shows_crests,
    side_of,
    submenu,
    trail,
    write_worded,
)

MOVED_IMAGE = "moved.png"
"""The picture on a counter that has moved."""
MAX_REPORT_CHARS = 2**15
"""The maximum letters of a report that all counters share, or all markers: each one of a set-up repeats it."""
COUNTER = "Counter"
MOVEMENT = "Movement"
_UNIT_NAME = '({0}.equals("offboard") ? "" : {0}+": ")'
_PLACE = _UNIT_NAME.format("LocationName")
"""The place of a piece, unless it is on a sheet without places.

VASSAL reads a property as a number if it can, 44.20 as 44.2, but not one that is used as a text.
"""
_UNIT = f'{_PLACE}+newPieceName+" "'
_HEX = 'LocationName.trim()+" "'


class CounterKind(NamedTuple):
    """What counters of one kind share."""

    prototype: str
    parts: tuple[PrototypeTrait, ...]
    """All traits of the prototype, with those of the prototypes that it gathers."""
    layers: tuple[Status, ...]
    """The statuses."""
    flip: Status | None
    """The status that the other side shows, or None."""
    texts: tuple[Track, ...]
    """The tracks that are texts."""
    side: str
    """The side of the counter."""


class Prototypes:
    """The prototypes of a game's counters, made as units need them.

    `side`: the side of a counter, in pixels.
    """

    def __init__(self, game: Game, side: int) -> None:
        self.game, self.side = game, side
        self.statuses = Statuses(game)
        self.named: dict[str, tuple[Trait, ...]] = {}
        """By name, as the module's file holds them."""
        self._parts: dict[str, tuple[PrototypeTrait, ...]] = {}
        self._kinds: dict[tuple[object, ...], CounterKind] = {}
        self._firsts: dict[str, list[str]] = {}
        self._away = dead_pile(game, side).middles
        self._sorts = [track for track in (game.file.picture.nation, game.file.picture.symbol) if track in game.tracks]
        reported = report_changes(self.statuses.layers, self.statuses.texts)
        self._reports_apart = len(reported.type) > MAX_REPORT_CHARS
        """Whether changes of what only some counters show are reported by the prototypes of these statuses alone."""
        if self._reports_apart:
            reported = report_changes(
                [status for status in self.statuses.layers if status.shown.flips or not status.shown.needs],
                [text for text in self.statuses.texts if not needed_fact(text.track)],
            )
        self._add_prototype(COUNTER, [PrototypeTrait.fixed(trait) for trait in (*_list_leaving_traits(), reported)])
        self._add_prototype(MOVEMENT, [PrototypeTrait.fixed(trait) for trait in _list_movement_traits(side)])

    def kind(self, unit: str, *, turns: bool = True) -> CounterKind:
        """Return the kind of a unit's counter.

        `turns`: whether it can show its other side.
        """
        layers, texts = self.statuses.shown(unit)
        layers = tuple(status for status in layers if turns or not status.shown.flips)
        words = tuple(word_of(self.game, unit, track) for track in self._sorts)
        about = (words, tuple(status.track.name for status in layers), tuple(track.name for track in texts))
        if about not in self._kinds:
            self._kinds[about] = self._make_kind(unit, words, layers, texts)
        return self._kinds[about]

    @property
    def kinds(self) -> Iterable[CounterKind]:
        """The kinds of the units so far."""
        return self._kinds.values()

    def _make_kind(
        self, unit: str, words: tuple[str, ...], layers: tuple[Status, ...], texts: tuple[Track, ...]
    ) -> CounterKind:
        """Return a new kind, with its prototype and those that it gathers.

        `words`: the words of its nation and symbol.
        """
        side = side_of(self.game, unit)
        flip = next((status for status in layers if status.shown.flips), None)
        shown = [status for status in layers if status is not flip]
        gathered = [COUNTER]
        away = PrototypeTrait.fixed(send(OUT_WINDOW, SHEET, self._away.get(side) or next(iter(self._away.values()))))
        if side:
            crest = nation_behind(self.game, unit)
            named = f"{SIDE}: {side}" + (f", {crest}" if crest not in ("", side) else "")
            gathered.append(self._add_prototype(named, cover_traits(side, crest, keeping=shows_crests(self.game))))
        menus = [PrototypeTrait.fixed(submenu(*menu)) for menu in _list_menus(layers, texts)]
        groups = [self._add_group(needs, *group) for needs, group in _group_by_need(shown, texts).items()]
        name = self._find_free(self._title_kind(words, layers, texts))
        outer = [PrototypeTrait.fixed(Trait(f"prototype;{name}")) for name in gathered]
        inner = [PrototypeTrait.fixed(Trait(f"prototype;{name}")) for name in (MOVEMENT, *groups)]
        parts = [*outer, *menus, away, *inner]
        if self._sorts:
            parts.append(PrototypeTrait.fixed(marker_trait(dict(zip(self._sorts, words, strict=True)))))
        self._add_prototype(name, parts)
        return CounterKind(name, tuple(self._expand_prototypes(name)), layers, flip, texts, side)

    def _add_group(self, needs: str, layers: list[Status], texts: list[Track]) -> str:
        """Return the name of the prototype of the statuses that need the same fact."""
        made = (*map(self._make_text, texts), *map(self._make_layer, layers))
        parts = chain.from_iterable(made)
        return self._add_prototype(f"Status: {needs or 'all'}", chain(self._report_apart(needs, layers, texts), parts))

    def _report_apart(self, needs: str, layers: list[Status], texts: list[Track]) -> Iterator[PrototypeTrait]:
        """Yield the report of changes of statuses that need a fact, unless the report of all counters includes it."""
        if needs and self._reports_apart:
            own = [status for status in layers if not status.shown.flips]
            told = [Text(track, is_owners(self.game, track)) for track in texts]
            if own or told:
                yield PrototypeTrait.fixed(report_changes(own, told))

    def _make_layer(self, status: Status) -> Iterator[PrototypeTrait]:
        """Yield the layer of a status. If only owners see it, a second layer above shows it to them."""
        if status.track.below:
            yield PrototypeTrait.fixed(
                bound_level(status.track.name, property_of(status.track.below), status.next_stroke)
            )
        if status.owners:
            yield PrototypeTrait.fixed(bar_others(status.track))
            name = f"{status.track.name}_Seen"
            yield PrototypeTrait.status(status, status.seen(self.side, name))
            yield PrototypeTrait.fixed(computed(name, is_seen(f'GetProperty("{status.track.name}_Level")', "1")))
        yield PrototypeTrait.status(status, status.type(self.side))

    def _make_text(self, track: Track) -> Iterator[PrototypeTrait]:
        """Yield the label of a text. If only owners see it, or it is worded, a second label above shows it."""
        owners, tag = is_owners(self.game, track), track.module.tag if track.module else "{}"
        if owners:
            yield PrototypeTrait.fixed(bar_others(track))
        if owners or tag != "{}":
            name, shown = f"{property_of(track.name)}_Seen", write_worded(track.name, tag)
            yield PrototypeTrait.fixed(Trait(label(track, seen=True).type, f"${name}$"))
            yield PrototypeTrait.fixed(computed(name, is_seen(shown, '""') if owners else shown))
            yield PrototypeTrait.text(track, owners=True)
        else:
            yield PrototypeTrait.text(track)

    def _add_prototype(self, name: str, parts: Iterable[PrototypeTrait]) -> str:
        """Add a prototype unless it exists; `parts` is used only then."""
        if name not in self._parts:
            self._parts[name] = tuple(parts)
            self.named[name] = tuple(Trait(part.type, part.state({})) for part in self._parts[name])
        return name

    def _title_kind(self, words: Iterable[str], layers: Iterable[Status], texts: Iterable[Track]) -> str:
        """Return the title of a kind: its words, and its differences from the first kind with these words."""
        title = " ".join(filter(None, words)) or "unit"
        has = [track.name for track in (*(status.track for status in layers), *texts)]
        first = self._firsts.setdefault(title, has)
        less, more = [word for word in first if word not in has], [word for word in has if word not in first]
        differences = [f"{word} {', '.join(names)}" for word, names in (("without", less), ("with", more)) if names]
        return ", ".join([title, *differences])

    def _find_free(self, name: str) -> str:
        """Return a free name for a prototype, with a number if need be."""
        number = 2
        free = name
        while free in self._parts:
            free, number = f"{name} ({number})", number + 1
        return free

    def _expand_prototypes(self, name: str) -> Iterator[PrototypeTrait]:
        for part in self._parts[name]:
            inner = part.type.removeprefix("prototype;")
            if inner == part.type:
                yield part
            else:
                yield from self._expand_prototypes(inner)


def _list_leaving_traits() -> Iterator[Trait]:
    """Yield the reports to all players that a counter was taken off the map, or put back."""
    yield report_if_moved(OUT_OF_PLAY.stroke, "is out of play", 'GetProperty("oldLocationName")')
    yield report_if_moved(RETURN.stroke, "is back where it stood", "LocationName")


def _list_movement_traits(side: int) -> Iterator[Trait]:
    """Yield the signs that a counter has moved, and which way."""
    yield trail()
    yield mark_moved(MOVED_IMAGE, (round(0.45 * side), -round(0.405 * side)))  # at the right edge, above the tags there


def _group_by_need(layers: Iterable[Status], texts: Iterable[Track]) -> dict[str, tuple[list[Status], list[Track]]]:
    """Return statuses and texts by the fact that they need."""
    groups: dict[str, tuple[list[Status], list[Track]]] = {}
    for status in layers:
        groups.setdefault(status.shown.needs, ([], []))[0].append(status)
    for track in texts:
        groups.setdefault(needed_fact(track), ([], []))[1].append(track)
    return groups


def _list_menus(layers: Iterable[Status], texts: Iterable[Track]) -> Iterator[tuple[str, list[str]]]:
    """Yield the groups of a counter's menu with their lines. A single line is in the menu itself."""
    menus: dict[str, list[str]] = {}
    for track in (*(status.track for status in layers), *texts):
        if track.module is not None and track.module.group:
            menus.setdefault(track.module.group, []).extend(track.module.menu)
    yield from ((name, lines) for name, lines in menus.items() if len(lines) > 1)
    yield MOVEMENT, [MARK_MOVED.menu, TRAIL.menu]


def report_changes(statuses: Sequence[Status], texts: Sequence[Text] = ()) -> Trait:
    """Return the report of all changes of statuses and texts, of counters or of the markers of hexes.

    If only the owners of a counter see a status, the others learn that it changed, but not the unit.
    """
    cases = [_write_case(_write_changed(f"{status.track.name}_Level"), _write_status(status)) for status in statuses]
    cases += [_write_case(_write_changed(text.track.name), _write_text(text)) for text in texts]
    tracks = [*(status.track for status in statuses), *(text.track for text in texts)]
    return report(strokes_of(tracks), f"{{{''.join(cases)}{_quote_text('')}}}")


def report_if_moved(stroke: str, predicate: str, place: str) -> Trait:
    """Return the report of a keystroke that moves a counter; nothing is reported if it stayed.

    `place`: an expression of VASSAL with the hex that begins the sentence, left or reached.
    """
    # The counter has its old name in the report, as a counter face down has no new one.
    sentence = f"{_UNIT_NAME.format(place)}+oldPieceName+{_quote_text(f' {predicate}')}"
    return report([stroke], f"{{{_write_changed('CurrentMap')} ? {sentence} : {_quote_text('')}}}")


def _write_case(changed: str, sentence: str) -> str:
    return f"{changed} ? {sentence} : "


def _write_changed(name: str) -> str:
    """Return an expression for whether a property differs from its value before the key."""
    return f"{_write_property(f'old{name}')}!={_write_property(name)}"


def _write_property(name: str) -> str:
    return f'GetProperty("{name}")'


def _write_status(status: Status) -> str:
    """Return the sentence on a status, by the level that shows."""
    if status.owners:
        return _write_secret(status.track)
    level, values = _write_property(f"{status.track.name}_Level"), status.values
    begins = _HEX if status.track.on == "hex" else _UNIT
    sentences = [_write_predicate(status.track, value) for value in values]
    chosen = "".join(f"{level}=={number} ? {sentence} : " for number, sentence in enumerate(sentences[:-1], 1))
    return f"{begins}+({chosen}{sentences[-1]})"


def _write_predicate(track: Track, value: Value | None) -> str:
    """Return the predicate on a value, which may be unknown."""
    if value is None:
        return _quote_text(f"has no {track.title} stated")
    written = track.write(value)
    return _quote_text(track.said(written).replace("{}", written))


def _write_text(shown: Text) -> str:
    """Return the sentence on a text in a property."""
    track = shown.track
    if shown.owners:
        return _write_secret(track)
    before, mark, after = track.said("*").partition("{}")
    text = f"{track.name}.trim()" if track.name.isidentifier() else _write_property(track.name)
    typed = f"{_quote_text(before)}+{text}+{_quote_text(after)}" if mark else _quote_text(before)
    nothing = _quote_text(track.said("none").replace("{}", "nothing"))
    return f"{_UNIT}+({_write_property(track.name)}=={_quote_text('')} ? {nothing} : {typed})"


def _write_secret(track: Track) -> str:
    return f"{_PLACE}+{_quote_text(f'the {track.title} of a unit changed')}"


def _quote_text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

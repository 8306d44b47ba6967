"""Counters as forms that look like them: what is printed on one is typed where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

import msgspec

from ...asking.view import View
from ...drawing.counters import draw_stack, face_of_unit
from ...drawing.geometry import PageBox
from ...drawing.map.survey import SurveyReader
from ...drawing.scene import Layer, Scene
from ...drawing.style import COUNTER
from ...drawing.svg import to_svg
from ...drawing.symbols import Symbols
from ...formats.positions import Position
from ...game.games import Game
from ...game.packs import Pack
from ...game.printed_counters import CounterRow, counters_with_gaps, printed_counters
from ...game.states import Stated, build_state
from ...installed.registry import pack_of
from ...state.state import Unit
from ...state.tracks import CERTAIN, Fact
from ...util.errors import InputError, format_suggestion
from ...util.typesetting import sentence
from .messages.entry import At, CounterListed, CounterShown, CountersShown, FormationShown, ValueShown

_EMPTY = " "
"""Stands in place of a figure: the foot of the counter is drawn, without figures."""
_SHADOW = 0.6


def list_forms(game: Game) -> CountersShown:
    """Return the counters of a game and those that its owner added, formation by formation."""
    formations = list[FormationShown]()
    for title, rows in groupby(counters_with_gaps(pack_of(game)), key=lambda entry: entry[0].formation):
        units = tuple(CounterListed(unit=row.unit, missing=len(missing)) for row, missing in rows)
        formations.append(FormationShown(title=title, units=units))
    return CountersShown(formations=tuple(formations))


def show_form(position: Position, unit: str) -> CounterShown:
    """Return a counter of the game as a form. position: the one in which the counter is drawn. Raises InputError for an
    unknown one.
    """
    pack = pack_of(position.game)
    counters = {row.unit: (row, missing) for row, missing in counters_with_gaps(pack)}
    if unit not in counters:
        raise InputError(f"there is no counter {unit[:40]!r} in the roster", hint=format_suggestion(unit, counters))
    row, _ = counters[unit]
    order = [*counters]
    later = (*order[order.index(unit) + 1 :], *order[: order.index(unit)])
    return CounterShown(
        unit=unit,
        formation=row.formation,
        face=_draw_face(position, unit),
        values=tuple(_find_values(position.game, pack, row)),
        next=next((name for name in later if counters[name][1]), ""),
    )


def keep_counter(game: Game, unit: str, values: Mapping[str, str]) -> None:
    """Keep what is printed on a counter in the owner's pack. Raises InputError as `Pack.enter_all` does."""
    pack_of(game).enter_all({(unit, game.track(name).name): text for name, text in values.items() if text.strip()})


def _find_values(game: Game, pack: Pack, row: CounterRow) -> Iterator[ValueShown]:
    """Yield the values of a counter, those on its foot first and those of its back last."""
    printed = printed_counters(pack).get(row.unit, {})
    entered = pack.values().get(row.unit, {})
    backs = {track.back: track.name for track in game.tracks.values() if track.back}
    figures = game.file.picture.figures

    def at(name: str) -> At:
        on_foot = backs.get(name, name) in figures
        if name in backs:
            return "back-foot" if on_foot else "back"
        return "front-foot" if on_foot else "front"

    def order(name: str) -> tuple[bool, int]:
        front = backs.get(name, name)
        return name in backs, figures.index(front) if front in figures else len(figures)

    for name in sorted(row.columns, key=order):
        track = game.tracks[name]
        known = next((fact for fact in printed.get(name, ()) if fact.source in CERTAIN), None)
        own = name in entered
        value = ""
        source = ""
        if own:
            value = entered[name]
            source = "printed"
        elif known:
            value = track.write(known.value)
            source = known.source.value
        yield ValueShown(
            name=name,
            title=sentence(track.title),
            at=at(name),
            takes=track.takes,
            words=track.values,
            value=value,
            source=source,
            own=own,
        )


def _draw_face(position: Position, unit: str) -> str:
    """Return a counter as its picture shows it, without figures."""
    game = position.game
    counter = Unit(unit, game.type_of(unit), None)
    state = build_state(game, Stated(units=[counter], facts=_find_identity(game, unit)))
    face = face_of_unit(counter, SurveyReader(View(game, state)))
    bare = msgspec.structs.replace(face, figures=(_EMPTY,))
    shapes, _ = draw_stack([bare], PageBox(0, 0, COUNTER, COUNTER), Symbols(game))
    side = COUNTER + _SHADOW
    return to_svg(Scene(width=side, height=side, title=bare.title, layers=(Layer("counter", tuple(shapes)),)))


def _find_identity(game: Game, unit: str) -> Mapping[tuple[str, str], Fact]:
    """Return what a unit is, stated: a picture shows it whatever its source."""
    picture = game.file.picture
    names = dict.fromkeys((picture.nation, picture.symbol, picture.size, *game.file.notation.identity))
    printed = game.roster.get(unit, {})
    return {(name, unit): Fact(printed[name][0].value) for name in names if printed.get(name)}

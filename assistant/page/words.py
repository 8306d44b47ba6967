"""What a game calls its facts, questions, units and charts, and which colours its sides have: what the page draws its buttons
and forms from.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..game.games import Game
from ..game.hexes import Hex
from ..pictures.style import palette_of
from ..plugins.registry import questions_of
from ..questions.parameters import form_of
from ..state.tracks import CERTAIN, Track
from .messages import (
    ChartListed,
    NationListed,
    Parameter,
    QuestionListed,
    SideListed,
    TrackListed,
    UnitListed,
    WordsListed,
)

_MOST = 40
"""The most numbers that are listed for a track."""


def words_of_game(game: Game) -> WordsListed:
    """The words of a game."""
    prompt, picture, palette = game.file.prompt, game.file.picture, palette_of(game)

    def listed(nation: str) -> NationListed:
        inks = palette.inks(nation)
        return NationListed(id=nation, title=game.file.title_of(nation), tint=inks.ground, ink=inks.ink)

    sides = tuple(
        SideListed(
            id=side,
            title=game.file.title_of(side),
            tint=palette.side(side).ground,
            strong=palette.side(side).strong,
            nations=tuple(map(listed, nations)),
        )
        for side, nations in game.file.sides.items()
    )
    digits, longer = _typed_hexes(game)
    usual = {name: (value,) if isinstance(value, str) else value for name, value in prompt.usual.items()}
    return WordsListed(
        game=game.id,
        title=game.title,
        sides=sides,
        brackets=game.file.notation.brackets,
        identity=game.file.notation.identity,
        less=picture.less,
        nation=picture.nation,
        terrain=picture.terrain,
        barrier=picture.barrier,
        tracks=tuple(_listed(track) for track in game.tracks.values()),
        usual=usual,
        combat=prompt.ask,
        also=tuple(prompt.also),
        along=prompt.along,
        when=prompt.when,
        short=prompt.short,
        questions=tuple(_questions(game)),
        units=tuple(_units(game)),
        charts=tuple(ChartListed(name=name, title=chart.title) for name, chart in game.charts.items()),
        digits=digits,
        longer=longer,
    )


def _listed(track: Track) -> TrackListed:
    values = track.in_turn() or track.values
    if track.kind == "integer" and len(values) > _MOST:
        values = ()
    return TrackListed(
        name=track.name,
        title=track.title,
        note=track.note,
        rule=track.rule,
        on=track.on,
        kind=track.kind,
        values=tuple((track.write(value), track.word(value)) for value in values),
        silent="" if track.absent is None else track.write(track.absent),
        printed=track.printed or "",
        least=track.least,
        most=track.most,
        below=track.below,
        arms=track.kinds,
        names=track.names or "",
    )


def _questions(game: Game) -> Iterator[QuestionListed]:
    for name, question in questions_of(game).items():
        fields = form_of(question, game)
        parameters = tuple(
            Parameter(
                name=field.name,
                meaning=field.meaning,
                takes=field.takes,
                many=field.many,
                needed=field.needed,
                words=field.words,
            )
            for field in fields
        )
        yield QuestionListed(
            name=name, title=question.title, parameters=parameters, drawn=tuple(sorted(question.drawn_as))
        )


def _units(game: Game) -> Iterator[UnitListed]:
    """The units of the roster in its order. Of figures only those that every answer may rest on."""
    notation, picture = game.file.notation, game.file.picture
    sorts = game.file.module.palettes if game.file.module else ()
    kept = (picture.nation, picture.symbol, picture.size)
    for unit, facts in game.roster.items():
        known = {name: game.tracks[name].write(some[0].value) for name, some in facts.items() if some}
        sure = {name: known[name] for name, some in facts.items() if some and some[0].source in CERTAIN}
        nation = known.get(picture.nation, "")
        yield UnitListed(
            id=unit,
            side=game.side_of(nation) if nation and game.file.sides else "",
            nation=nation,
            arm=known.get(picture.symbol, ""),
            size=known.get(picture.size, ""),
            groups=tuple(known.get(name, "") for name in sorts if name not in kept),
            figures=tuple(sure.get(name, "") for name in notation.brackets),
        )


def _typed_hexes(game: Game) -> tuple[int, tuple[str, ...]]:
    """How many digits the shortest number of a hex has, and those that longer ones begin with; 0 for numbers with letters."""
    grid = game.file.grid
    (first, last), (top, bottom) = grid.columns, grid.rows
    ends = {grid.bare(grid.name(Hex(column, row))) for column in (first, last) for row in (top, bottom)}
    if not all(name.isdigit() for name in ends):
        return 0, ()
    least = min(map(len, ends))
    if max(map(len, ends)) == least:
        return least, ()
    hexes = (
        grid.bare(grid.name(Hex(column, row))) for column in range(first, last + 1) for row in range(top, bottom + 1)
    )
    return least, tuple(sorted({name[:least] for name in hexes if len(name) > least}))

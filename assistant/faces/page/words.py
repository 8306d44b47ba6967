"""The words of a game, from which the page draws its buttons and forms, and the meaning of a word."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import blake2b

import msgspec

from ...asking.parameters import list_form_fields
from ...drawing.style import palette_of
from ...formats.positions import Position
from ...game.course import COURSE, course_file
from ...game.games import POSITION_SUFFIX, SETUPS, Game, pack_folder
from ...game.hexes import Hex
from ...game.printed_charts import code_meanings
from ...game.turn_record import read_calendar
from ...installed.registry import questions_of
from ...state.tracks import CERTAIN, Track
from ...state.trust import name_stand_ins
from ...util.datafiles import read_text
from ...util.errors import InputError
from ...util.files import stamps
from ...util.texts import natural
from ...util.typesetting import sentence, with_spaces
from ..layers import list_layers
from ..prompt.help_words import explain_word
from ..prompt.rule_lines import list_rules, rules_under
from ..prompt.search import find_hits
from .books import list_books
from .messages.requests import MeaningRequest
from .messages.words import (
    ChartListed,
    CourseListed,
    HitShown,
    HitsShown,
    LayerListed,
    MeaningShown,
    NationListed,
    Parameter,
    PhaseListed,
    QuestionListed,
    RuleShown,
    SameWords,
    SetupListed,
    SideListed,
    TrackListed,
    UnitListed,
    WordsListed,
)
from .pack import show_field

_MAX_NUMBERS_LISTED = 40
"""The maximum count of numbers that are listed for a track."""


PAGE_VERSION = "FIELD_STAFF_PAGE_VERSION"
"""The environment variable with the version of a page that runs in a browser, with all its games."""


def words_of_game(game: Game, known: str = "") -> WordsListed | SameWords:
    """Return the words of a game, or `SameWords` if these are the words that the page has kept.

    In a browser the mark is a digest of what the words are made from, so that unchanged words are not listed.
    Elsewhere it is a digest of the words: otherwise players could see from it that the owner has changed the pack.
    """
    if version := os.environ.get(PAGE_VERSION):
        mark = _digest(repr((version, game.id, sorted(stamps(pack_folder(game.id)).items()))).encode())
        return SameWords(game=game.id) if mark == known else msgspec.structs.replace(_list_words(game), mark=mark)
    words = _list_words(game)
    mark = _digest(msgspec.json.encode(words))
    return SameWords(game=game.id) if mark == known else msgspec.structs.replace(words, mark=mark)


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=9).hexdigest()


def _list_words(game: Game) -> WordsListed:
    prompt = game.file.prompt
    picture = game.file.picture
    palette = palette_of(game)

    def show_nation(nation: str) -> NationListed:
        inks = palette.inks(nation)
        return NationListed(id=nation, title=game.file.title_of(nation), tint=inks.ground, ink=inks.ink)

    sides = tuple(
        SideListed(
            id=side,
            title=game.file.title_of(side),
            tint=palette.side(side).ground,
            strong=palette.side(side).strong,
            nations=tuple(map(show_nation, nations)),
        )
        for side, nations in game.file.sides.items()
    )
    digits, longer = _list_typed_hexes(game)
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
        ground=tuple(name for name in (picture.terrain, *prompt.ground) if name),
        tracks=tuple(_show_track(track) for track in game.tracks.values()),
        usual=usual,
        combat=prompt.ask,
        also=tuple(prompt.also),
        along=prompt.along,
        march=prompt.march,
        layers=tuple(_list_layers(game)),
        when=prompt.when,
        short=prompt.short,
        called=prompt.called,
        questions=tuple(_list_questions(game)),
        units=tuple(_list_units(game)),
        charts=tuple(
            ChartListed(
                name=name,
                title=sentence(chart.title),
                rule=chart.rule,
                fields=tuple(map(show_field, chart.fields)),
                codes=dict(code_meanings(chart.fields)),
                stand_ins=name_stand_ins("charts", chart.sources),
            )
            for name, chart in game.charts.items()
        ),
        groups=_list_groups(game),
        course=_list_course(game),
        books=list_books(game),
        boards=game.board_names,
        setups=tuple(_list_setups(game)),
        digits=digits,
        longer=longer,
    )


def _show_track(track: Track) -> TrackListed:
    values = track.in_turn() or track.values
    if track.kind == "integer" and len(values) > _MAX_NUMBERS_LISTED:
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


def _list_questions(game: Game) -> Iterator[QuestionListed]:
    for name, question in questions_of(game).items():
        parameters = tuple(Parameter.of(field) for field in list_form_fields(question, game))
        yield QuestionListed(
            name=name,
            title=question.title,
            parameters=parameters,
            drawn=tuple(sorted(question.drawn_as)),
            rolls=question.answers is None or bool(question.answers),
        )


def _list_layers(game: Game) -> Iterator[LayerListed]:
    for layer in list_layers(game):
        yield LayerListed(
            title=layer.title,
            question=layer.question,
            parameter=layer.field.name,
            takes="hex" if layer.field.takes == "hex" else "unit",
            many=layer.field.many,
            marches=layer.title == "Reach",
        )


def _list_groups(game: Game) -> tuple[str, ...]:
    """Return the facts by which the counters of a nation are sorted."""
    picture = game.file.picture
    sorts = game.file.module.palettes if game.file.module else ()
    return tuple(name for name in sorts if name not in (picture.nation, picture.symbol, picture.size))


def _list_units(game: Game) -> Iterator[UnitListed]:
    """Yield the units of the roster in its order, with only the figures on which every answer may rest."""
    notation = game.file.notation
    picture = game.file.picture
    sorts = _list_groups(game)
    for unit, facts in game.roster.items():
        known = {name: game.tracks[name].write(first[0].value) for name, first in facts.items() if first}
        sure = {name: known[name] for name, first in facts.items() if first and first[0].source in CERTAIN}
        nation = known.get(picture.nation, "")
        assumed = [name for name in notation.identity if name in known and name not in sure]
        yield UnitListed(
            id=unit,
            side=game.side_of(nation) if nation and game.file.sides else "",
            nation=nation,
            arm=known.get(picture.symbol, ""),
            size=known.get(picture.size, ""),
            groups=tuple(known.get(name, "") for name in sorts),
            figures=tuple(sure.get(name, "") for name in notation.brackets),
            states=" ".join(game.tracks[name].word(facts[name][0].value) for name in assumed),
        )


def _list_course(game: Game) -> CourseListed | None:
    if not game.has_file(COURSE):
        return None
    course = course_file(game)
    try:
        calendar = read_calendar(game, course)
        turns = tuple(calendar.label(number) for number in range(calendar.first, calendar.last + 1))
    except InputError:  # the course has no turns to count
        turns = ()
    phases = (
        PhaseListed(
            title=phase.title,
            word=phase.word,
            part=phase.part,
            active=phase.active,
            who=phase.who,
            rule=phase.rule,
        )
        for phase in course.phase
    )
    return CourseListed(
        track=course.turns.track if course.turns.track in game.tracks else "",
        turns=turns,
        order=course.turns.order or tuple(game.file.sides),
        phases=tuple(phases),
    )


def _list_setups(game: Game) -> Iterator[SetupListed]:
    for name in game.setups:
        file, called, _ = game.set_up(name)
        yield SetupListed(name=name, title=title_of_setup(game, name), text=read_text(file, called))


def title_of_setup(game: Game, name: str) -> str:
    """Return the title of a set-up: as in the game's module, or else made of its name."""
    titles = dict(game.file.module.setups) if game.file.module else {}
    return titles.get(f"{SETUPS}/{name}{POSITION_SUFFIX}") or sentence(with_spaces(name))


def _list_typed_hexes(game: Game) -> tuple[int, tuple[str, ...]]:
    """Return the length of the shortest hex number, and the beginnings of that length of longer numbers.

    The length is 0 if the numbers have letters.
    """
    grid = game.file.grid
    first, last = grid.columns
    top, bottom = grid.rows
    ends = {grid.bare(grid.name(Hex(column, row))) for column in (first, last) for row in (top, bottom)}
    if any(natural(name) is None for name in ends):
        return 0, ()
    least = min(map(len, ends))
    if max(map(len, ends)) == least:
        return least, ()
    hexes = (
        grid.bare(grid.name(Hex(column, row))) for column in range(first, last + 1) for row in range(top, bottom + 1)
    )
    return least, tuple(sorted({name[:least] for name in hexes if len(name) > least}))


def search_words(game: Game, typed: str) -> HitsShown:
    """Return the questions, rules and words that fit what a player typed."""
    hits = find_hits(game, typed)
    return HitsShown(hits=tuple(HitShown(kind=hit.kind, name=hit.name, title=hit.title) for hit in hits))


def word_meaning(position: Position, request: MeaningRequest) -> MeaningShown:
    """Return the meaning of a word: the rules under a number, or else the lines of `help WORD`.

    Raises InputError, with the nearest words, if the word means nothing.
    """
    word = request.word.strip().strip('"')
    titles = rules_under(position.game, word)
    rules = []
    if request.computed:
        for row, names in list_rules(position.game, titles):
            left = "" if names and not row.is_reminder else row.left
            rules.append(RuleShown(rule=row.rule, title=row.title, asked=names, left=left))
    else:
        for rule, title in titles.items():
            rules.append(RuleShown(rule=rule, title=title))
    return MeaningShown(word=word, lines=() if rules else tuple(explain_word(position, word, {})), rules=tuple(rules))

"""The cards of a set of player aids, by name, and as files: a PDF with bookmarks, a folder of SVG pages, a picture of
the first page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from assistant.drawing.lettering import missing_letters
from assistant.drawing.pdf import Imprint, Page, PlacedScene, pages_to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.scene import Scene, Shape, Text
from assistant.game.course import Army, Organisation
from assistant.game.events import read_events
from assistant.game.games import Game
from assistant.state.tracks import CERTAIN
from assistant.util.errors import InputError, Where, nearest_names

from ..sheets.sizes import INCH, die_in_words
from .answer_card import answer_card
from .calendar_track import calendar_track, lies_on_its_side
from .displays import ArmyDisplay, army_pages, record_tracks
from .listings import listing_piece
from .page import GAP, AidSet, page, pieces_on_pages, short_of
from .sequence import checklist, sequence_track
from .tables import BETWEEN, Coverage, chart_sheet
from .terrain_key import terrain_key
from .turn_track import turn_track

FOR_COUNTERS = frozenset({"turn-track", "sequence", "armies", "records"})
"""The cards on which counters lie."""
SHEET = "turn-sheet"
_PAGE = 'see "The files of a game" in the handbook'
"""Where an author reads of the files that cards are made of."""
_PREVIEW = 110 / INCH
"""Pixels per millimetre."""


class Card(NamedTuple):
    """A card. name: by which it is asked for; title: of its bookmark; pages: one or more."""

    name: str
    title: str
    pages: tuple[Scene, ...]


def _card(
    aids: AidSet,
    name: str,
    title: str,
    pages: Sequence[Sequence[Shape]],
    *,
    note: str = "",
    landscape: bool | Sequence[bool] = False,
    who: str = "",
) -> Card:
    """A card of pages with their heads. landscape: whether they lie on their sides, or which do; who: the side whose card
    it is.
    """
    who = who or aids.nation or aids.side
    full = f"{title}: {aids.game.file.title_of(who)}" if aids.game.file.title_of(who) else title
    aside = f"Print at 100 %: boxes for counters of {die_in_words(aids.look.die)}" if name in FOR_COUNTERS else ""
    heads = [f"{full}, {number} of {len(pages)}" if len(pages) > 1 else full for number in range(1, len(pages) + 1)]
    sides = [landscape] * len(pages) if isinstance(landscape, bool) else landscape
    scenes = tuple(
        page(
            aids.look,
            head,
            aids.game.title,
            shapes,
            note=note,
            aside=aside,
            accent=aids.accent(who),
            landscape=turned,
        )
        for head, shapes, turned in zip(heads, pages, sides, strict=True)
    )
    return Card(name, full, scenes)


def _turn_track(aids: AidSet) -> list[Card]:
    calendar = aids.course.calendar
    if not aids.turns and calendar:
        turned = lies_on_its_side(aids.look, calendar, aids.area())
        pages = calendar_track(aids, calendar, aids.area(landscape=turned))
        return [_card(aids, "turn-track", "Turn track", pages, landscape=turned)]
    if not aids.turns:
        return []
    whom = {event.who for turn in aids.turns for event in turn.events if event.who in aids.people}
    whom |= {figure.who for figure in aids.course.turns.figures if figure.who in aids.people}
    sides = aids.game.file.sides.items()
    named = [who for side, nations in sides for who in dict.fromkeys((side, *nations)) if who in whom]
    shorts = ", ".join(f"{short_of(aids.game, who)} {aids.game.file.title_of(who)}" for who in named)
    inferred = any(turn.date and turn.date.source not in CERTAIN for turn in aids.turns)
    note = "; ".join(filter(None, [shorts, "dates with “about” are inferred from the rulebook" if inferred else ""]))
    pages = turn_track(aids, aids.area(landscape=True))
    return [_card(aids, "turn-track", "Turn track", pages, note=note, landscape=True)]


def _sequence(aids: AidSet) -> list[Card]:
    if not aids.course.phase:
        return []
    return [_card(aids, "sequence", "Sequence of play", sequence_track(aids, aids.area()))]


def _checklists(aids: AidSet) -> list[Card]:
    if not any(phase.steps for phase in aids.course.phase):
        return []
    asked = any("(ask " in step.do for phase in aids.course.phase for step in phase.steps)
    note = "What stands after “ask” in brackets is a question that the assistant answers." if asked else ""
    sides = [side for side in aids.sides if side in aids.people or not side]
    return [
        _card(aids, "checklist", "Checklist", checklist(aids, side, aids.area()), note=note, who=side) for side in sides
    ]


def _charts(aids: AidSet) -> list[Card]:
    """The charts, those that need a page turned on its side on pages of their own, and the tables of the game."""
    upright, turned = aids.area(), aids.area(landscape=True)
    shown = [chart for name, chart in aids.game.charts.items() if name not in aids.course.costs]
    sheets = [chart_sheet(Coverage(chart, aids.made_up), aids.look, upright, turned) for chart in shown]
    listings = [
        listing_piece(aids.game, listing, aids.look, upright.width, upright.height) for listing in aids.course.table
    ]
    pages, sides = list[Sequence[Shape]](), list[bool]()
    for landscape in dict.fromkeys((*(sheet.landscape for sheet in sheets), False)):
        some = [sheet.piece for sheet in sheets if sheet.landscape is landscape]
        some += [] if landscape else listings
        placed = pieces_on_pages(some, turned if landscape else upright, BETWEEN)
        pages += placed
        sides += [landscape] * len(placed)
    return [_card(aids, "charts", "Charts", pages, landscape=sides)] if pages else []


def _terrain_key(aids: AidSet) -> list[Card]:
    area = aids.area()
    charts = [Coverage(aids.game.chart(name), aids.made_up) for name in aids.course.costs]
    pages = terrain_key(aids.game, charts, aids.look, area)
    return [_card(aids, "terrain-key", "Terrain key", pages)] if any(pages) else []


def _armies(aids: AidSet) -> list[Card]:
    """The displays of the armies, with a note where the limit of one is not known."""
    area = aids.area(landscape=True)
    organisation = aids.course.organisation
    displays, unknown = list[ArmyDisplay](), False
    for army in aids.course.army:
        if army.nation in aids.people:
            name = (army.title or organisation.title).replace("{}", army.name)
            title = f"{aids.game.file.title_of(army.nation)} {name}"
            accent = aids.accent(army.nation)
            limit, cavalry = _read_stated(aids.game, army, organisation)
            displays.append(ArmyDisplay(army, title, limit, cavalry, accent))
            unknown = unknown or limit is None
    if not displays:
        return []
    note = "Where the Attachment Limit is blank, write it in from your own copy and strike out the tracks beyond it."
    pages = army_pages(displays, organisation, aids.look, area)
    return [_card(aids, "armies", "Army displays", pages, note=note if unknown else "", landscape=True)]


def _read_stated(game: Game, army: Army, organisation: Organisation) -> tuple[int | None, bool]:
    """How many corps an army takes, None if nobody has said, and whether it has a further track for cavalry."""
    name = f"{game.side_of(army.nation)} {army.name}"
    limit = game.overlay.armies.get((organisation.limit, name))
    cavalry = game.overlay.armies.get((organisation.cavalry, name))
    return army.limit if limit is None else int(str(limit.value)), bool(cavalry and cavalry.value)


def _records(aids: AidSet) -> list[Card]:
    area = aids.area()
    pieces = record_tracks(aids, area.width)
    return [_card(aids, "records", "Record tracks", pieces_on_pages(pieces, area, GAP))] if pieces else []


def _answers(aids: AidSet) -> list[Card]:
    card = aids.game.file.card
    if card is None:
        return []
    note = "Type at the prompt of assistant table; the first letters of a word are enough. Capitals and dots may be left out."
    pages = answer_card(aids, card, aids.area())
    return [_card(aids, "answers", "Reading an answer", pages, note=note)]


def _turn_sheets(aids: AidSet) -> list[Card]:
    journal = aids.journal
    if journal is None:
        return []
    from .turn_sheet import turn_sheet

    title = f"Turn {journal.label(journal.turn)}"
    sides = [side for side in aids.sides if side in aids.people or not side]
    note = "Figures as the journal stands, with what is counted; boxes for what they become."
    pages = {side: turn_sheet(aids, journal, side, aids.area()) for side in sides}
    return [_card(aids, SHEET, title, pages[side], note=note, who=side) for side in sides if any(pages[side])]


CARDS: Mapping[str, Callable[[AidSet], list[Card]]] = {
    "turn-track": _turn_track,
    "sequence": _sequence,
    "checklist": _checklists,
    "charts": _charts,
    "terrain-key": _terrain_key,
    "armies": _armies,
    "records": _records,
    "answers": _answers,
    SHEET: _turn_sheets,
}
"""The makers of cards, by the name by which they are asked for."""


def choose_cards(aids: AidSet, names: Sequence[str]) -> list[Card]:
    """The cards that are asked for, all that the game has if none is.

    Raises InputError for an unknown name, and for a card that the game's files do not make.
    """
    for name in names:
        if name not in CARDS:
            near = nearest_names(name, CARDS)
            known = ", ".join(CARDS)
            hint = f"nearest known: {', '.join(near)}; all: {known}" if near else f"known: {known}"
            raise InputError(f"unknown card {name!r}", where=Where("--only"), hint=hint)
    if SHEET in names and not read_events(aids.game).event:
        what = f"{aids.game.title} keeps no books: it has no events"
        raise InputError(what, where=Where("--only"), hint=f"a turn sheet needs an events.toml: {_PAGE}")
    if SHEET in names and aids.journal is None:
        raise InputError("a turn sheet is of a journal", where=Where("--only"), hint="add --journal FILE.journal")
    chosen = dict.fromkeys(names or CARDS)
    made = {name: CARDS[name](aids) for name in CARDS if name in chosen}
    if names and (empty := [name for name in chosen if not made[name]]):
        files = f"course.toml, turns.csv and charts.toml: {_PAGE}"
        what = f"{aids.game.title} has nothing for {' and '.join(empty)}"
        raise InputError(what, where=Where("--only"), hint=f"it is made from {files}")
    cards = [card for name in made for card in made[name]]
    if not cards:
        what = f"{aids.game.title} has no player aids"
        raise InputError(what, hint=f"they are made from its course.toml, turns.csv and charts.toml: {_PAGE}")
    return cards


def pdf(title: str, cards: Sequence[Card], imprint: Imprint = Imprint()) -> bytes:
    """The pages of all cards, with a bookmark for each card. title: of the game."""
    pages = [_page(scene, "" if number else card.title) for card in cards for number, scene in enumerate(card.pages)]
    return pages_to_pdf(pages, title=f"{title}: player aids", imprint=imprint)


def svg_pages(cards: Sequence[Card]) -> dict[str, bytes]:
    """Each page as an SVG document, by its file name."""
    from assistant.drawing.svg import to_svg  # only here: a module shows cards, and has no SVG

    pages = [(card.name, scene) for card in cards for scene in card.pages]
    return {f"page-{n:02}-{name}.svg": to_svg(scene).encode() for n, (name, scene) in enumerate(pages, 1)}


def preview_of(cards: Sequence[Card]) -> bytes:
    """The first page as a PNG of 110 pixels to the inch."""
    return to_png([cards[0].pages[0]], _PREVIEW)[0]


def troubles(cards: Sequence[Card], most: int = 10) -> Iterator[str]:
    """What of the words could not be printed as it is meant, in at most so many lines: what found no room, and which
    letters the face lacks.
    """
    lines = list(dict.fromkeys(line for card in cards for line in _card_troubles(card)))
    yield from lines[:most]
    if len(lines) > most:
        yield f"and {len(lines) - most} more of this kind"


def _card_troubles(card: Card) -> Iterator[str]:
    for text in (shape for scene in card.pages for shape in _texts(scene)):
        if text.text.endswith("…"):
            yield f"{card.name}: {text.text!r} does not fit; shorten it"
        if letters := missing_letters(text.text):
            yield f"{card.name}: {text.text!r} has characters that the typeface lacks: {letters}"


def _texts(scene: Scene) -> Iterator[Text]:
    return (shape for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text))


def _page(scene: Scene, bookmark: str) -> Page:
    placed = PlacedScene(scene, 0.0, 0.0, scene.width, scene.height)
    return Page(scene.width, scene.height, (placed,), bookmark=bookmark)

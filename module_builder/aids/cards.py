"""The cards of a set of player aids by name, and the pages that they share.

The pages become files: a PDF with bookmarks, a folder of SVG pages, or a picture of the first page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from assistant.drawing.lettering import missing_letters
from assistant.drawing.pdf import Imprint, PdfPage, PlacedScene, pages_to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.scene import Scene, Shape, Text
from assistant.drawing.svg import to_svg
from assistant.game.course import Army, Organisation
from assistant.game.events import read_events
from assistant.game.games import Game
from assistant.state.tracks import CERTAIN
from assistant.util.errors import InputError, Where, nearest_names

from ..sheets.sizes import INCH_MM, Box, format_die
from .aid_set import AidSet, initials_of
from .answer_card import answer_card
from .displays import ArmyDisplay, army_pieces, record_tracks
from .flow import COLUMN_GAP_MM, Piece, half_of, set_line
from .listings import listing_pieces
from .page import EASY_SIZE_MM, HEADING_SIZE_MM, LETTER_SIZES_MM, aid_page, thin_line, title_of_several
from .page_layout import PackedPage, PackedPiece, Sizes, share_pages
from .sequence import checklist, sequence_track
from .tables import Coverage, chart_pieces
from .terrain_key import terrain_key
from .turn_sheet import turn_sheet
from .turn_track import calendar_track, lies_on_its_side, turn_track

FOR_COUNTERS = frozenset({"turn-track", "sequence", "armies", "records"})
"""The cards on which counters lie."""
SHEET = "turn-sheet"
_HANDBOOK = 'see "The files of a game" in the handbook'
"""The hint where an author reads of the files that cards are made of."""
_PREVIEW_PIXELS_PER_MM = 110 / INCH_MM
_CARD_HEAD_MM = 8.0
"""The height of the name of a card on a page that it shares."""


class Card(NamedTuple):
    """A player aid, as pieces for pages that it may share."""

    aids: AidSet
    name: str
    """The name by which the card is asked for."""
    title: str
    """The title of the bookmark."""
    layouts: Sequence[Sequence[Piece]]
    """The pieces of each layout, the roomiest first."""
    who: str = ""
    """The nation or side of the card, or "" for all."""
    note: str = ""
    """The note at the foot of its pages."""
    titled: bool = False
    """Whether its pieces have their own headings."""

    @property
    def pages(self) -> tuple[Scene, ...]:
        """The pages, if no other card shares them."""
        return tuple(page.scene for page in pack_cards([self]))


def _make_card(
    aids: AidSet, name: str, title: str, *layouts: Sequence[Piece], note: str = "", who: str = "", titled: bool = False
) -> Card:
    """Return a card under its full name.

    `who`: the side of the card.
    """
    who = who or aids.nation or aids.side
    full = f"{title}: {aids.game.file.title_of(who)}" if aids.game.file.title_of(who) else title
    return Card(aids, name, full, layouts, who, note, titled)


def _make_turn_track(aids: AidSet) -> list[Card]:
    calendar = aids.course.calendar
    if not aids.turns and calendar:
        turned = lies_on_its_side(aids.look, calendar, aids.area())
        blocks = calendar_track(aids, calendar, aids.area(landscape=turned))
        return [_make_card(aids, "turn-track", "Turn track", [Piece(block, landscape=turned) for block in blocks])]
    if not aids.turns:
        return []
    whom = {event.who for turn in aids.turns for event in turn.events if event.who in aids.people}
    whom |= {figure.who for figure in aids.course.turns.figures if figure.who in aids.people}
    sides = aids.game.file.sides.items()
    named = [who for side, nations in sides for who in dict.fromkeys((side, *nations)) if who in whom]
    shorts = ", ".join(f"{initials_of(aids.game, who)} {aids.game.file.title_of(who)}" for who in named)
    inferred = any(turn.date and turn.date.source not in CERTAIN for turn in aids.turns)
    note = "; ".join(filter(None, [shorts, "dates with “about” are inferred from the rulebook" if inferred else ""]))
    filling = [Piece(block, landscape=True) for block in turn_track(aids, aids.area(landscape=True))]
    low = [[Piece(block) for block in turn_track(aids, aids.area(), low=True)]] if len(filling) == 1 else []
    return [_make_card(aids, "turn-track", "Turn track", filling, *low, note=note)]


def _make_sequence(aids: AidSet) -> list[Card]:
    if not aids.course.phase:
        return []
    return [_make_card(aids, "sequence", "Sequence of play", *sequence_track(aids, aids.area()))]


def _make_checklists(aids: AidSet) -> list[Card]:
    if not any(phase.steps for phase in aids.course.phase):
        return []
    asked = any("(ask " in step.do for phase in aids.course.phase for step in phase.steps)
    note = "What stands after “ask” in brackets is a question that the assistant answers." if asked else ""
    sides = [side for side in aids.sides if side in aids.people or not side]
    return [
        _make_card(
            aids, "checklist", "Checklist", *checklist(aids, side, aids.area(), _CARD_HEAD_MM), note=note, who=side
        )
        for side in sides
    ]


def _make_charts(aids: AidSet) -> list[Card]:
    upright, turned = aids.area(), aids.area(landscape=True)
    shown = [Coverage(chart, aids.made_up) for name, chart in aids.game.charts.items() if name not in aids.course.costs]

    def pieces(max_size: float) -> Iterator[Piece]:
        for chart in shown:
            yield from chart_pieces(chart, aids.look, upright, turned, max_size)
        for listing in aids.course.table:
            yield from listing_pieces(aids.game, listing, aids.look, upright, max_size)

    layouts = [[*pieces(most)] for most in (LETTER_SIZES_MM[0], EASY_SIZE_MM)]
    return [_make_card(aids, "charts", "Charts", *layouts, titled=True)] if layouts[0] else []


def _make_terrain_key(aids: AidSet) -> list[Card]:
    area = aids.area()
    charts = [Coverage(aids.game.chart(name), aids.made_up) for name in aids.course.costs]
    layouts = terrain_key(aids.game, charts, aids.look, area)
    return [_make_card(aids, "terrain-key", "Terrain key", *layouts)] if layouts[0][0].size.height else []


def _make_armies(aids: AidSet) -> list[Card]:
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
    pieces = army_pieces(displays, organisation, aids.look, area)
    return [_make_card(aids, "armies", "Army displays", pieces, note=note if unknown else "", titled=True)]


def _read_stated(game: Game, army: Army, organisation: Organisation) -> tuple[int | None, bool]:
    """Return the stated number of an army's corps, or None, and whether it has a track for cavalry too."""
    name = f"{game.side_of(army.nation)} {army.name}"
    limit = game.overlay.armies.get((organisation.limit, name))
    cavalry = game.overlay.armies.get((organisation.cavalry, name))
    return army.limit if limit is None else int(str(limit.value)), bool(cavalry and cavalry.value)


def _make_records(aids: AidSet) -> list[Card]:
    layouts = [record_tracks(aids, aids.area(), rows) for rows in (1, 2)]
    return [_make_card(aids, "records", "Record tracks", *layouts, titled=True)] if layouts[0] else []


def _make_answers(aids: AidSet) -> list[Card]:
    card = aids.game.file.card
    if card is None:
        return []
    note = (
        "Type at the prompt of assistant table; the first letters of a word are enough. Capitals and dots "
        "may be left out."
    )
    return [_make_card(aids, "answers", "Reading an answer", *answer_card(aids, card, aids.area()), note=note)]


def _make_turn_sheets(aids: AidSet) -> list[Card]:
    journal = aids.journal
    if journal is None:
        return []
    title = f"Turn {journal.label(journal.turn)}"
    sides = [side for side in aids.sides if side in aids.people or not side]
    note = "Figures as the journal stands, with what is counted; boxes for what they become."
    made = {side: turn_sheet(aids, journal, side, aids.area()) for side in sides}
    return [
        _make_card(aids, SHEET, title, pieces, note=note, who=side)
        for side, pieces in made.items()
        if pieces[0].size.height
    ]


CARDS: Mapping[str, Callable[[AidSet], list[Card]]] = {
    "turn-track": _make_turn_track,
    "sequence": _make_sequence,
    "checklist": _make_checklists,
    "charts": _make_charts,
    "terrain-key": _make_terrain_key,
    "armies": _make_armies,
    "records": _make_records,
    "answers": _make_answers,
    SHEET: _make_turn_sheets,
}
"""The makers of cards, by the name by which they are asked for."""


def choose_cards(aids: AidSet, names: Sequence[str]) -> list[Card]:
    """Return the cards with these names, or by default all that the game has.

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
        raise InputError(what, where=Where("--only"), hint=f"a turn sheet needs an events.toml: {_HANDBOOK}")
    if SHEET in names and aids.journal is None:
        raise InputError("a turn sheet is of a journal", where=Where("--only"), hint="add --journal FILE.journal")
    chosen = dict.fromkeys(names or CARDS)
    made = {name: CARDS[name](aids) for name in CARDS if name in chosen}
    if names and (empty := [name for name in chosen if not made[name]]):
        files = f"course.toml, turns.csv and charts.toml: {_HANDBOOK}"
        what = f"{aids.game.title} has nothing for {' and '.join(empty)}"
        raise InputError(what, where=Where("--only"), hint=f"it is made from {files}")
    cards = [card for name in made for card in made[name]]
    if not cards:
        what = f"{aids.game.title} has no player aids"
        raise InputError(what, hint=f"they are made from its course.toml, turns.csv and charts.toml: {_HANDBOOK}")
    return cards


# --- cards on pages ---------------------------------------------------------------------------------------------------


class CardPage(NamedTuple):
    """A page of cards."""

    scene: Scene
    cards: Sequence[Card]
    """The cards on the page."""
    begins: Sequence[str]
    """The titles of cards that begin on the page."""
    sheet: PackedPage
    """The places of the pieces."""


def pack_cards(cards: Sequence[Card]) -> list[CardPage]:
    """Return cards on the fewest pages, small ones together."""
    area = {turned: cards[0].aids.area(landscape=turned) for turned in (False, True)}
    sizes = [
        Sizes([[piece.size for piece in layout] for layout in card.layouts], 0.0 if card.titled else _CARD_HEAD_MM)
        for card in cards
    ]
    packed = share_pages(sizes, {turned: room.height for turned, room in area.items()}, COLUMN_GAP_MM)
    pieces = [card.layouts[layout] for card, layout in zip(cards, packed.layouts, strict=True)]
    numbers = [list(dict.fromkeys(spot.card for spot in sheet.spots)) for sheet in packed.sheets]
    made, begun = list[CardPage](), list[int]()
    for sheet, here in zip(packed.sheets, numbers, strict=True):
        shapes = [
            shape
            for spot in sheet.spots
            for shape in _draw_piece(cards[spot.card], pieces[spot.card], spot, area[sheet.landscape])
        ]
        on_it = [cards[number] for number in sorted(here)]
        titles: list[str] = []
        for number in sorted(here):
            count = sum(number in some for some in numbers)
            part = f", {begun.count(number) + 1} of {count}" if count > 1 else ""
            titles.append(f"{cards[number].title}{part}")
        begins = [cards[number].title for number in sorted(here) if number not in begun]
        begun += here
        made.append(CardPage(_draw_page(on_it, titles, shapes, landscape=sheet.landscape), on_it, begins, sheet))
    return made


def _draw_piece(card: Card, pieces: Sequence[Piece], spot: PackedPiece, area: Box) -> Iterator[Shape]:
    """Yield a piece of a card in its place, below the name of the card if it shares its page."""
    piece = pieces[spot.piece]
    room = half_of(area) if piece.half else area
    x, y = area.left + spot.column * (room.width + COLUMN_GAP_MM), area.top + spot.top
    if spot.headed:
        line = y + _CARD_HEAD_MM - 2.6
        yield set_line(x, y + HEADING_SIZE_MM, card.title, HEADING_SIZE_MM, room.width, bold=True)
        yield thin_line(x, line, x + room.width, line, stroke=card.aids.accent(card.who), width=0.5)
        y += _CARD_HEAD_MM
    yield from piece.block.draw(x, y)


def _draw_page(cards: Sequence[Card], titles: Sequence[str], shapes: Sequence[Shape], *, landscape: bool) -> Scene:
    aids, owners = cards[0].aids, {card.who for card in cards}
    names = {card.name for card in cards}
    aside = f"Print at 100 %: boxes for counters of {format_die(aids.look.die)}" if names & FOR_COUNTERS else ""
    return aid_page(
        aids.look,
        titles[0] if len(titles) == 1 else title_of_several(titles, aids.area(landscape=landscape)),
        aids.game.title,
        shapes,
        note=" ".join(dict.fromkeys(filter(None, (card.note for card in cards)))),
        foot_text=aside,
        accent=aids.accent(owners.pop() if len(owners) == 1 else ""),
        landscape=landscape,
    )


def aids_pdf(title: str, pages: Sequence[CardPage], imprint: Imprint = Imprint()) -> bytes:
    """Return the pages of all cards, with a bookmark for each card.

    `title`: the title of the game.
    """
    return pages_to_pdf([*map(_make_pdf_page, pages)], title=f"{title}: player aids", imprint=imprint)


def aids_svg(pages: Sequence[CardPage]) -> dict[str, bytes]:
    """Return each page as an SVG document, by its file name."""
    return {f"page-{n:02}-{page.cards[0].name}.svg": to_svg(page.scene).encode() for n, page in enumerate(pages, 1)}


def aids_preview(pages: Sequence[CardPage]) -> bytes:
    """Return the first page as a PNG of 110 pixels to the inch."""
    return to_png([pages[0].scene], _PREVIEW_PIXELS_PER_MM)[0]


def troubles(pages: Sequence[CardPage], max_lines: int = 10) -> Iterator[str]:
    """Yield lines about words that found no room, and letters that the typeface lacks."""
    lines = list(dict.fromkeys(line for page in pages for line in _list_troubles(page)))
    yield from lines[:max_lines]
    if len(lines) > max_lines:
        yield f"and {len(lines) - max_lines} more of this kind"


def _list_troubles(page: CardPage) -> Iterator[str]:
    names = ", ".join(dict.fromkeys(card.name for card in page.cards))
    for text in _list_texts(page.scene):
        if text.text.endswith("…"):
            yield f"{names}: {text.text!r} does not fit; shorten it"
        if letters := missing_letters(text.text):
            yield f"{names}: {text.text!r} has characters that the typeface lacks: {letters}"


def _list_texts(scene: Scene) -> Iterator[Text]:
    return (shape for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text))


def _make_pdf_page(page: CardPage) -> PdfPage:
    scene = page.scene
    placed = PlacedScene(scene, 0.0, 0.0, scene.width, scene.height)
    return PdfPage(scene.width, scene.height, (placed,), bookmarks=tuple(page.begins))

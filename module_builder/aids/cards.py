"""The cards of a set of player aids, by name, and as files: a PDF with bookmarks, a folder of SVG pages, a picture of
the first page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from assistant.drawing.lettering import missing_letters
from assistant.drawing.pdf import Page, PlacedScene, pages_to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.scene import Scene, Shape, Text
from assistant.drawing.svg import to_svg
from assistant.game.course import Army, Organisation
from assistant.game.games import Game
from assistant.state.tracks import CERTAIN
from assistant.util.errors import InputError, Where, suggested

from ..sheets.layout import INCH, die_in_words
from .page import GAP, AidSet, Block, flow, page, short_of
from .tables import Coverage, chart_blocks, terrain_key
from .tracks import ArmyDisplay, army_displays, checklist, record_tracks, sequence_track, turn_track

_BETWEEN_LINES = 0.4
FOR_COUNTERS = frozenset({"turn-track", "sequence", "armies", "records"})
"""The cards on which counters lie."""
_PREVIEW = 110 / INCH
"""Pixels per millimetre."""


class Card(NamedTuple):
    """A card. name: by which it is asked for; title: of its bookmark; pages: one or more."""

    name: str
    title: str
    pages: tuple[Scene, ...]


def _card(
    of: AidSet,
    name: str,
    title: str,
    pages: Sequence[Sequence[Shape]],
    *,
    note: str = "",
    landscape: bool = False,
    who: str = "",
) -> Card:
    """A card of pages with their heads. who: the side whose card it is."""
    who = who or of.nation or of.side
    full = f"{title}: {of.game.file.title_of(who)}" if of.game.file.title_of(who) else title
    aside = f"Print at 100 %: boxes for counters of {die_in_words(of.look.die)}" if name in FOR_COUNTERS else ""
    heads = [f"{full}, {number} of {len(pages)}" if len(pages) > 1 else full for number in range(1, len(pages) + 1)]
    scenes = tuple(
        page(of.look, head, of.game.title, shapes, note=note, aside=aside, accent=of.accent(who), landscape=landscape)
        for head, shapes in zip(heads, pages, strict=True)
    )
    return Card(name, full, scenes)


def _turn_track(of: AidSet) -> list[Card]:
    if not of.turns:
        return []
    whom = {event.who for turn in of.turns for event in turn.events if event.who in of.people}
    whom |= {figure.who for figure in of.course.turns.figures if figure.who in of.people}
    sides = of.game.file.sides.items()
    named = [who for side, nations in sides for who in dict.fromkeys((side, *nations)) if who in whom]
    shorts = ", ".join(f"{short_of(of.game, who)} {of.game.file.title_of(who)}" for who in named)
    inferred = any(turn.date and turn.date.source not in CERTAIN for turn in of.turns)
    note = "; ".join(filter(None, [shorts, "dates with “about” are inferred from the rulebook" if inferred else ""]))
    pages = turn_track(of, of.area(landscape=True))
    return [_card(of, "turn-track", "Turn track", pages, note=note, landscape=True)]


def _sequence(of: AidSet) -> list[Card]:
    if not of.course.phase:
        return []
    return [_card(of, "sequence", "Sequence of play", sequence_track(of, of.area()))]


def _checklists(of: AidSet) -> list[Card]:
    if not any(phase.steps for phase in of.course.phase):
        return []
    sides = [side for side in of.sides if side in of.people or not side]
    return [_card(of, "checklist", "Checklist", checklist(of, side, of.area()), who=side) for side in sides]


def _charts(of: AidSet) -> list[Card]:
    area = of.area()
    shown = [chart for name, chart in of.game.charts.items() if name not in of.course.costs]
    blocks: list[Block] = []
    for chart in shown:
        blocks += chart_blocks(Coverage(chart, of.made_up), of.look, area)
    return [_card(of, "charts", "Charts", flow(blocks, area, above=_BETWEEN_LINES))] if blocks else []


def _terrain_key(of: AidSet) -> list[Card]:
    area = of.area()
    charts = [Coverage(of.game.chart(name), of.made_up) for name in of.course.costs]
    pages = terrain_key(of.game, charts, of.look, area)
    return [_card(of, "terrain-key", "Terrain key", pages)] if any(pages) else []


def _armies(of: AidSet) -> list[Card]:
    area = of.area(landscape=True)
    organisation = of.course.organisation
    displays, unknown = list[Block](), False
    for army in of.course.army:
        if army.nation in of.people:
            name = (army.title or organisation.title).replace("{}", army.name)
            title = f"{of.game.file.title_of(army.nation)} {name}"
            accent = of.accent(army.nation)
            limit, cavalry = _read_stated(of.game, army, organisation)
            shown = ArmyDisplay(army, title, limit, cavalry, accent)
            unknown = unknown or limit is None
            displays += army_displays(shown, organisation, of.look, area.width, area.height)
    if not displays:
        return []
    note = "Where the Attachment Limit is blank, write it in from your own copy and strike out the tracks beyond it."
    pages = flow(displays, area, above=2 * GAP)
    return [_card(of, "armies", "Army displays", pages, note=note if unknown else "", landscape=True)]


def _read_stated(game: Game, army: Army, organisation: Organisation) -> tuple[int | None, bool]:
    """How many corps an army takes, None if nobody has said, and whether it has a further track for cavalry."""
    name = f"{game.side_of(army.nation)} {army.name}"
    limit = game.overlay.armies.get((organisation.limit, name))
    cavalry = game.overlay.armies.get((organisation.cavalry, name))
    return army.limit if limit is None else int(str(limit.value)), bool(cavalry and cavalry.value)


def _records(of: AidSet) -> list[Card]:
    area = of.area()
    blocks = record_tracks(of, area.width)
    return [_card(of, "records", "Record tracks", flow(blocks, area, above=2 * GAP))] if blocks else []


CARDS: Mapping[str, Callable[[AidSet], list[Card]]] = {
    "turn-track": _turn_track,
    "sequence": _sequence,
    "checklist": _checklists,
    "charts": _charts,
    "terrain-key": _terrain_key,
    "armies": _armies,
    "records": _records,
}
"""The makers of cards, by the name by which they are asked for."""


def choose_cards(of: AidSet, names: Sequence[str]) -> list[Card]:
    """The cards that are asked for, all that the game has if none is.

    Raises InputError for an unknown name, and for a card that the game's files do not make.
    """
    for name in names:
        if name not in CARDS:
            near = suggested(name, CARDS)()
            hint = (
                f"known: {', '.join(CARDS)}" if not near.startswith("nearest") else f"{near}; all: {', '.join(CARDS)}"
            )
            raise InputError(f"unknown card {name!r}", where=Where("--only"), hint=hint)
    chosen = dict.fromkeys(names or CARDS)
    made = {name: CARDS[name](of) for name in CARDS if name in chosen}
    if names and (empty := [name for name in chosen if not made[name]]):
        files = "course.toml, turns.csv and charts.toml, docs/game-files.md"
        what = f"{of.game.title} has nothing for {' and '.join(empty)}"
        raise InputError(what, where=Where("--only"), hint=f"it is made from {files}")
    cards = [card for name in made for card in made[name]]
    if not cards:
        what = f"{of.game.title} has no player aids"
        raise InputError(what, hint="they are made from its course.toml, turns.csv and charts.toml: docs/game-files.md")
    return cards


def pdf(title: str, cards: Sequence[Card]) -> bytes:
    """The pages of all cards, with a bookmark for each card. title: of the game."""
    pages = [_page(scene, "" if number else card.title) for card in cards for number, scene in enumerate(card.pages)]
    return pages_to_pdf(pages, title=f"{title}: player aids")


def svg_pages(cards: Sequence[Card]) -> dict[str, bytes]:
    """Each page as an SVG document, by its file name."""
    pages = [(card.name, scene) for card in cards for scene in card.pages]
    return {f"page-{n:02}-{name}.svg": to_svg(scene).encode() for n, (name, scene) in enumerate(pages, 1)}


def preview_of(cards: Sequence[Card]) -> bytes:
    """The first page as a PNG of 110 pixels to the inch."""
    return to_png([cards[0].pages[0]], _PREVIEW)[0]


def troubles(cards: Sequence[Card], most: int = 10) -> Iterator[str]:
    """What of the words could not be printed as it is meant, in at most so many lines: what found no room, and which
    letters the face lacks.
    """
    lines = list(dict.fromkeys(line for card in cards for line in _of_card(card)))
    yield from lines[:most]
    if len(lines) > most:
        yield f"and {len(lines) - most} more of this kind"


def _of_card(card: Card) -> Iterator[str]:
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

"""The lines that VASSAL and the assistant exchange through a pipe, and the replies to what VASSAL's plugin asks.

A request is a line of fields, separated by tabs, and the bytes of the game. A reply is some lines, each a word and what
it needs, and an empty line. Offered are the questions that fit what is selected in VASSAL, by the types of their parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, BinaryIO, Literal, NamedTuple

from msgspec.structs import replace

from ...asking.asks import Ask, format_ask_title
from ...asking.clicks import format_all_clicks
from ...asking.line_sketch import LineSketch, Marked, Status, find_worst_status
from ...asking.parameters import FormField, list_form_fields
from ...asking.recent_answers import RecentAnswers, keeping_answers
from ...asking.report import Report
from ...asking.sketch import Drawable, Role, Sketch
from ...formats.positions import Position, Throw
from ...formats.vassal.adoption.legend import AdoptedLegend
from ...formats.vassal.containers import ModuleData
from ...formats.vassal.grids import Pixel
from ...formats.vassal.legends import Legend
from ...formats.vassal.logs import CHAT, read_chat_line
from ...formats.vassal.positions import RunningGame, read_running
from ...formats.vassal.written.files import choose_pen
from ...game.games import Game
from ...installed.registry import questions_of
from ...service import ask, check_size, drawable, parse
from ...state.state import is_limited
from ...util.errors import InputError, MachineError, plain, quoted
from ...util.limits import Limit
from ...util.typesetting import set_in_type
from ..layers import list_layers
from ..prompt.surroundings import describe_hex

_COLOURS: Mapping[Role, str] = MappingProxyType(
    {
        "start": "501f77b4",
        "target": "60d62728",
        "passed": "301f77b4",
        "end": "602ca02c",
        "open": "502ca02c",
        "reached": "502ca02c",
        "beyond": "40e0a000",
        "barred": "50505050",
        "unknown": "40a0a0a0",
        "shaded": "40ff7f0e",
        "weakest": "70d62728",
        "cut": "70d62728",
    }
)
"""The colours of hexes by their role in the answer: opacity, red, green and blue in hexadecimal digits."""
_STATUS_COLOURS: Mapping[Status, str] = MappingProxyType(
    {"full": "501f77b4", "low": "60e0a000", "none": "70d62728", "cut-off": "90d62728", "unknown": "40a0a0a0"}
)
"""The colours of the hexes of units by their supply."""
_LINE_COLOUR = "c0d02040"
_LOW_LINE_COLOUR = "c0e0a000"
_BROKEN_LINE_COLOUR = "c0505050"
_ARROW_COLOUR = "c01f77b4"


class _Shape(NamedTuple):
    """A shape on the map."""

    kind: Literal["hex", "line"]
    colour: str
    """Opacity, red, green and blue, two hexadecimal digits each."""
    hexes: tuple[str, ...]
    """The hex that is shaded, or the hexes that the line joins."""
    label: str = ""
    """A few characters in the hex, such as its cost."""


def list_shapes(drawn: Drawable) -> Iterator[_Shape]:
    """Yield the shapes of the drawing of an answer, but none of a chart."""
    if isinstance(drawn, Sketch):
        for spot in drawn.spots:
            yield _Shape("hex", _COLOURS[spot.role], (spot.hex,), spot.label)
        for arrow in drawn.arrows:
            yield _Shape("line", _ARROW_COLOUR, arrow.hexes)
    if isinstance(drawn, LineSketch):
        for place, units in _group_by_place(drawn).items():
            colour = _STATUS_COLOURS[find_worst_status([unit.status for unit in units])]
            yield _Shape("hex", colour, (place,), units[0].more if len(drawn.units) == 1 else "")
        for strand in drawn.strands:
            yield _Shape("line", _LINE_COLOUR if strand.full else _LOW_LINE_COLOUR, strand.hexes)
        for failing in drawn.failing:
            yield _Shape("line", _BROKEN_LINE_COLOUR, failing.hexes_to_break)


def _group_by_place(drawn: LineSketch) -> dict[str, list[Marked]]:
    places: dict[str, list[Marked]] = {}
    for unit in drawn.units:
        places.setdefault(unit.place, []).append(unit)
    return places


OFFER = "offer"
ASK = "ask"
CHAT_LINE = "chat"
CARD = "hex"
"""The word before the hex whose ground and units are asked for, in place of a question."""
_DICE = "dice"
"""The line of a reply that waits for dice: the next lines of the chat are sent."""
_ANSWER = "{}"
"""The place in a question for what the player chooses or types."""
_FIELDS = 7
"""The number of fields in the line of a request."""
_BETWEEN_PIECES = "\x1f"
"""The separator of the ids of pieces in their field."""
_MAX_LINE_BYTES = 2**20
"""The maximum length of the line of a request, which names all selected pieces."""


class Request(NamedTuple):
    """A request of the plugin."""

    action: str
    """`offer` for the questions that fit the selection, `ask` for the answer to one of them, `chat` for the dice thrown."""
    asked: str
    """For `ask` the question, as in notation; for `chat` a line of the chat."""
    side: str
    """The module's name of the player's side, or "" for a player without a side."""
    module: ModuleData
    pieces: tuple[str, ...]
    """The ids of the selected pieces."""
    state: bytes
    """The commands of the game, as in a save."""


class _Offer(NamedTuple):
    """A question that fits the selection."""

    asked: str
    """The question with its parameters, as in notation."""
    title: str
    is_first: bool
    """Whether the question is shown directly, instead of under further questions."""


def read_request(stream: BinaryIO) -> Request | None:
    """Return the next request, or None after the last one.

    Raises InputError if a request is damaged or too large; nothing can be read after it.
    """
    line = stream.readline(_MAX_LINE_BYTES)
    if not line:
        return None
    fields = line.decode("utf-8", "replace").rstrip("\n").split("\t")
    if not line.endswith(b"\n") or len(fields) != _FIELDS or not fields[-1].isdecimal():
        raise InputError("the request of VASSAL's plugin cannot be read", hint="`assistant vassal install` renews it")
    action, asked, side, module, version, pieces, length = fields
    Limit.TEXT.check(int(length), "the game has")
    state = stream.read(int(length))
    if len(state) < int(length):
        return None
    ids = tuple(id for id in pieces.split(_BETWEEN_PIECES) if id)
    return Request(action, asked, side, ModuleData(module, version), ids, state)


def _write_text(text: str) -> str:
    """Return the line of a reply that is shown in the player's chat."""
    said = plain(text, _MAX_TEXT)
    return f"say {'Field Staff: ' if said.startswith(_STYLES) else ''}{said}"


_STYLES = ("|", "!", "?", "~", "`")
"""The letters at the beginning of a line that VASSAL's chat takes for a colour."""
_MAX_TEXT = 2000
"""The maximum length of a text in the chat, in letters."""


def _write_offer(offer: _Offer) -> str:
    """Return the line of a reply that offers a question."""
    return f"{'offer' if offer.is_first else 'more'} {offer.asked}\t{offer.title}"


def _write_wish(asked: str, wanted: Ask) -> str:
    """Return the line of a reply that has the player choose or type something.

    `asked`: the question to ask then, with `_ANSWER` in the place of it.
    """
    title = wanted.title if wanted.options else f"{wanted.title}: {wanted.how}"
    return "\t".join((f"wish {asked}", plain(title, _MAX_TEXT), *wanted.options))


def _write_shape(shape: _Shape, pixels: Iterable[Pixel]) -> str:
    """Return the line of a reply that draws a shape on the map, its points in pixels of the map."""
    points = " ".join(f"{x},{y}" for x, y in pixels)
    return f"{shape.kind} {shape.colour} {points}" + (f"\t{shape.label}" if shape.label else "")


_MAX_OFFERS_SHOWN = 6
"""The maximum number of questions that are shown directly; the others are under further questions."""


class Selection(NamedTuple):
    """What is selected and seen by the player."""

    units: tuple[str, ...]
    place: str
    """The hex or box of the first unit, or ""."""

    def typed(self, field: FormField) -> str:
        """Return the value of a parameter for this selection, as in notation, or "" if it takes none."""
        if field.takes == "hex":
            return quoted(self.place)
        if field.takes != "unit" or not self.units:
            return ""
        units = self.units if field.many else self.units[:1]
        return ",".join(map(quoted, units))


def list_offers(position: Position, selection: Selection) -> Iterator[_Offer]:
    """Yield the questions that fit a selection: the usual ones first, then the others in the game's order.

    Without a selection these are the questions that need no parameter; of a side, they are about this side.
    """
    found = dict[str, str]()
    for asked in (*_list_usual(position, selection), *_list_others(position, selection)):
        found.setdefault(asked.partition(" ")[0], asked)
    questions = questions_of(position.game)
    for number, (name, asked) in enumerate(found.items()):
        if number == _MAX_OFFERS_SHOWN and selection.place:
            yield _Offer(f"{CARD} {quoted(selection.place)}", "its ground, and its units with their figures", True)
        yield _Offer(asked, questions[name].title, number < _MAX_OFFERS_SHOWN)


def _list_usual(position: Position, selection: Selection) -> Iterator[str]:
    """Yield the questions of the map's layers, and about a combat; without a selection those about the turn."""
    game = position.game
    if not selection.units:
        for name in ("turn", "next", "due"):
            if name in questions_of(game):
                yield name
    for layer in list_layers(game):
        fields = list_form_fields(questions_of(game)[layer.question], game)
        if asked := _fill(layer.question, fields, layer.field, position, selection):
            yield asked
    if game.file.prompt.ask and (asked := _ask_about(game.file.prompt.ask, position, selection)):
        yield asked


def _list_others(position: Position, selection: Selection) -> Iterator[str]:
    for name in questions_of(position.game):
        if asked := _ask_about(name, position, selection):
            yield asked


def _ask_about(name: str, position: Position, selection: Selection) -> str:
    """Return a question about the selection, or "" if it needs more than the selection or takes nothing of it."""
    fields = list_form_fields(questions_of(position.game)[name], position.game)
    needed = [field for field in fields if field.needed]
    if len(needed) > 1:
        return ""
    return _fill(name, fields, needed[0] if needed else next(iter(fields), None), position, selection)


def _fill(
    name: str, fields: Sequence[FormField], subject: FormField | None, position: Position, selection: Selection
) -> str:
    """Return a question with its parameter `subject` taken from the selection, or "" if that does not fit.

    Without a selection, a question that takes a side is about the side that sees the position.
    """
    if selection.units:
        value = selection.typed(subject) if subject else ""
        return f"{name} {subject.name}={value}" if subject and value else ""
    if any(field.needed and field.takes != "side" for field in fields):
        return ""
    side = next((field for field in fields if field.takes == "side"), None)
    if side and is_limited(position.state.seen_by):
        return f"{name} {side.name}={quoted(position.state.seen_by)}"
    return "" if side and side.needed else name


_NOTHING_SEEN = "Select a counter that you can see."
_NO_QUESTION = "This game has no question about that."
_BAR = " | "
"""The separator of a question and its answers."""
_MAX_CLICKS = 20
"""The maximum number of changes of an answer that are listed."""


class Pending(NamedTuple):
    """A question that waits for a roll of dice."""

    typed: str
    """The question and its answers so far, as in notation."""
    roll: Ask


class Conversation:
    """The requests of one running VASSAL, one after the other.

    After an answer that waits for dice, the dice that are thrown in the module go on with it.
    """

    def __init__(self, load_game: Callable[[str], Game]) -> None:
        self._load_game = load_game
        self._pending: Pending | None = None

    def answer(self, request: Request) -> Iterator[str]:
        """Yield the lines of the reply. A mistake in the game is a line in the player's chat."""
        try:
            yield from self._answer(request)
        except MachineError:
            raise
        except InputError as error:
            hint = "" if "--" in error.hint else error.hint  # an option of the command line is no help here
            yield _write_text(f"{error.what}{f': {hint}' if hint else ''}")

    def _answer(self, request: Request) -> Iterator[str]:
        pending = self._pending
        if request.action == CHAT_LINE and pending is None:
            return
        running = read_running(request.state, request.module, request.side, self._load_game)
        check_size(running.position, "game.vsav")
        if request.action == CHAT_LINE:
            if pending and (thrown := _read_dice(running.legend, request.asked, pending.roll)):
                yield from self._ask(running, _add_answer(pending.typed, pending.roll.name, thrown))
            return
        self._pending = None
        selection = _find_selection(running, request)
        if request.pieces and not selection.units:
            yield _write_text(_NOTHING_SEEN)
        elif request.action == OFFER:
            yield from list(map(_write_offer, list_offers(running.position, selection))) or [_write_text(_NO_QUESTION)]
        elif request.action == ASK and request.asked.startswith(f"{CARD} "):
            yield from map(_write_text, describe_hex(running.position, selection.place))
        elif request.action == ASK:
            yield from self._ask(running, request.asked)

    def _ask(self, running: RunningGame, typed: str) -> Iterator[str]:
        """Yield the answer to a question, the first thing that it waits for, and its shapes on the map.

        `typed`: the question and its answers so far, as in notation with a bar between them.
        """
        position = _pose(running.position, typed)
        report = ask(position)
        yield _write_text(set_in_type(report.headline, curly=False))
        self._pending = None
        for wanted in report.asks[:1]:
            yield _write_text(_format_ask(wanted))
            if wanted.kind == "roll":
                self._pending = Pending(typed, wanted)
                yield _DICE
            elif wanted.kind == "parameter":
                yield _write_wish(_add_parameter(typed, wanted.name, _ANSWER), wanted)
            elif wanted.kind == "choice":
                yield _write_wish(_add_answer(typed, wanted.name, _ANSWER), wanted)
        yield from _list_clicks(running, report)
        drawn = drawable(position, report)
        if drawn is not None:
            yield from _write_shapes(running.legend, list_shapes(drawn))


def answer_requests(requests: BinaryIO, replies: BinaryIO, load_game: Callable[[str], Game]) -> None:
    """Answer the requests of a running VASSAL until it closes the pipe.

    Raises InputError if a request is damaged.
    """
    conversation = Conversation(load_game)
    recent = RecentAnswers()
    while (request := read_request(requests)) is not None:
        with keeping_answers(recent):
            lines = [*conversation.answer(request), ""]
        replies.write("".join(f"{line}\n" for line in lines).encode())
        replies.flush()


def _find_selection(running: RunningGame, request: Request) -> Selection:
    """Return the selected units that the player sees. Their names are looked up in what the player may know."""
    pieces = running.save.pieces
    named = [running.legend.unit(pieces[id]) for id in request.pieces if id in pieces]
    seen = running.position.state.units
    units = tuple(dict.fromkeys(unit for unit in named if unit in seen and seen[unit].place))
    return Selection(units, (seen[units[0]].place or "") if units else "")


def _pose(position: Position, typed: str) -> Position:
    """Return the position with a question and its answers.

    Parameters that the position's notes state for the same question about the same subject are kept.
    """
    question, bar, answers = typed.partition(_BAR)
    posed = parse(f"ask {question}\n" + (f"answers {answers}\n" if bar else ""), position)
    asked = posed.asks[0]
    for noted in position.asks:
        if (
            noted.question == asked.question
            and list(noted.parameters.items())[:1] == list(asked.parameters.items())[:1]
        ):
            asked = replace(asked, parameters={**noted.parameters, **asked.parameters})
            break
    return replace(posed, asks=(asked,))


def _add_parameter(typed: str, name: str, value: str) -> str:
    question, bar, answers = typed.partition(_BAR)
    return f"{question} {quoted(name)}={value}{bar}{answers}"


def _add_answer(typed: str, name: str, value: str) -> str:
    return f"{typed}{' ' if _BAR in typed else _BAR}{quoted(name)}={value}"


def _format_ask(wanted: Ask) -> str:
    """Return what an answer waits for, and how the player gives it."""
    title = format_ask_title(wanted)
    if wanted.kind == "roll":
        return f"Wanted: {title}: roll {wanted.dice} with the module's button"
    if wanted.kind in ("fact", "cell"):
        return f'Wanted: {title}: type into the public notes, below a line "Field Staff": {wanted.how}'
    return f"Wanted: {title}"


def _read_dice(legend: Legend, line: str, roll: Ask) -> str:
    """Return the dice of a line of the chat as typed for a roll, or "" if the line is no such throw."""
    shown = read_chat_line(CHAT + line, buttons=legend.dice)
    if shown is None or shown.undone or not isinstance(shown.event, Throw):
        return ""
    throw = shown.event
    if shown.roll and shown.roll != roll.name:
        return ""
    return "+".join(map(str, throw.faces)) if throw.dice == roll.dice else ""


def _list_clicks(running: RunningGame, report: Report[Any]) -> Iterator[str]:
    """Yield what the player does with the counters to carry the answer out."""
    changes = report.changes if not report.asks else ()
    clicks = format_all_clicks(changes, running.position.game, adopted=isinstance(running.legend, AdoptedLegend))
    for line in clicks[:_MAX_CLICKS]:
        yield _write_text(f"   {line}")
    if len(clicks) > _MAX_CLICKS:
        yield _write_text(f"   … and {len(clicks) - _MAX_CLICKS} more")


def _write_shapes(legend: Legend, shapes: Iterable[_Shape]) -> Iterator[str]:
    """Yield the lines that draw shapes on the first map with hexes of them, without the hexes that this map lacks."""
    pen = choose_pen(legend)
    map = ""
    for shape in shapes:
        spots = [spot for hex in shape.hexes if (spot := pen.spot(hex)) is not None]
        if spots and not map:
            map = spots[0].map
            yield f"map {map}"
        if pixels := [spot.at for spot in spots if spot.map == map]:
            yield _write_shape(shape, pixels)

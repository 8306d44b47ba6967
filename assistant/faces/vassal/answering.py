"""The replies to what VASSAL's plugin asks."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from msgspec.structs import replace

from ...asking.asks import Ask, format_ask_title
from ...asking.clicks import format_all_clicks
from ...asking.recent_answers import RecentAnswers, keeping_answers
from ...asking.report import Report
from ...formats.positions import Position, Throw
from ...formats.vassal.adoption.legend import AdoptedLegend
from ...formats.vassal.legends import Legend
from ...formats.vassal.logs import CHAT, read_chat_line
from ...formats.vassal.positions import RunningGame, read_running
from ...formats.vassal.written.files import choose_pen
from ...game.games import Game
from ...service import ask, check_size, drawable, parse
from ...util.errors import InputError, MachineError, quoted
from ...util.typesetting import set_in_type
from ..prompt.surroundings import describe_hex
from .offers import Selection, list_offers
from .requests import (
    ASK,
    CARD,
    CHAT_LINE,
    DICE,
    GAP,
    GIVE,
    OFFER,
    Offer,
    Request,
    fill_blank,
    read_request,
    write_offer,
    write_shape,
    write_text,
    write_wish,
)
from .shapes import Shape, list_shapes

_NOTHING_SEEN = "Select a counter that you can see."
_NO_QUESTION = "This game has no question about that."
_GO_ON = "go on with the dice that were thrown"
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
        self._interrupted = ""
        """The question, with the dice thrown for it, whose answer waits for a fact or a figure of a chart, or ""."""

    def answer(self, request: Request) -> Iterator[str]:
        """Yield the lines of the reply. A mistake in the game is a line in the player's chat."""
        try:
            yield from self._answer(request)
        except MachineError:
            raise
        except InputError as error:
            yield write_error(error)

    def _answer(self, request: Request) -> Iterator[str]:
        pending = self._pending
        if request.action == CHAT_LINE and pending is None:
            return
        running = read_running(request.state, request.module, request.side, self._load_game)
        check_size(running.position, "game.vsav")
        if request.action == CHAT_LINE:
            if pending and (thrown := _read_dice(running.legend, request, pending.roll)):
                yield from self._ask(running, _add_answer(pending.typed, pending.roll.name, thrown))
            return
        self._pending = None
        selection = _find_selection(running, request)
        if request.pieces and not selection.units:
            yield write_text(_NOTHING_SEEN)
        elif request.action == OFFER:
            begun = [Offer(self._interrupted, _GO_ON, True)] if self._interrupted else []
            offers = [*begun, *list_offers(running.position, selection)]
            yield from list(map(write_offer, offers)) or [write_text(_NO_QUESTION)]
        elif request.action == GIVE:
            yield from self._ask(running, fill_blank(request.asked))
        elif request.action == ASK and request.asked.startswith(f"{CARD} "):
            hex = request.asked.removeprefix(f"{CARD} ")
            described = [*map(write_text, describe_hex(running.position, hex))]
            yield from described or [write_text(f"Nothing is known about {hex}.")]
        elif request.action == ASK:
            yield from self._ask(running, request.asked)

    def _ask(self, running: RunningGame, typed: str) -> Iterator[str]:
        """Yield the answer to a question, the first thing that it waits for, and its shapes on the map.

        `typed`: the question and its answers so far, as in notation with a bar between them.
        """
        position = _pose(running.position, typed)
        report = ask(position)
        yield write_text(set_in_type(report.headline, curly=False))
        self._pending = None
        self._interrupted = ""
        for wanted in sorted(report.asks, key=_is_answered_at_the_table)[:1]:
            yield write_text(_format_ask(wanted))
            if wanted.kind == "roll":
                self._pending = Pending(typed, wanted)
                yield DICE
            elif wanted.kind == "parameter":
                yield write_wish(_add_parameter(typed, wanted.name, GAP), wanted)
            elif wanted.kind == "choice":
                yield write_wish(_add_answer(typed, wanted.name, GAP), wanted)
            elif _BAR in typed:
                self._interrupted = typed
        yield from _list_clicks(running, report)
        drawn = drawable(position, report)
        if drawn is not None:
            yield from _write_shapes(running.legend, list_shapes(drawn))


def answer_requests(requests: BinaryIO, replies: BinaryIO, load_game: Callable[[str], Game]) -> None:
    """Answer the requests of a running VASSAL until it closes the pipe.

    Raises InputError if a request is damaged or too large, and MachineError if the machine fails, after a reply that says so.
    """
    conversation = Conversation(load_game)
    recent = RecentAnswers()

    def reply(lines: Iterable[str]) -> None:
        replies.write("".join(f"{line}\n" for line in (*lines, "")).encode())
        replies.flush()

    try:
        while (request := read_request(requests)) is not None:
            with keeping_answers(recent):
                reply(list(conversation.answer(request)))
    except (InputError, MachineError) as error:
        reply([write_error(error)])
        raise


def write_error(error: InputError) -> str:
    """Return the line of a reply with a mistake and its remedy."""
    is_whole_command = "`assistant " in error.hint
    hint = error.hint if is_whole_command or "--" not in error.hint else ""  # an option alone is no help here
    return write_text(f"{error.what}{f': {hint}' if hint else ''}")


def _is_answered_at_the_table(wanted: Ask) -> bool:
    """Return whether an answer comes from dice or a player, who should not give it before all facts are known."""
    return wanted.kind not in ("fact", "cell")


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


def _read_dice(legend: Legend, request: Request, roll: Ask) -> str:
    """Return the dice of a line of the chat as typed for a roll, or "" if the line is no such throw of the player.

    A module that was not made by the builder may write more than the player's name.
    """
    shown = read_chat_line(CHAT + request.asked, buttons=legend.dice)
    if shown is None or shown.undone or not isinstance(shown.event, Throw):
        return ""
    throw = shown.event
    if throw.player and request.player not in html.unescape(throw.player):
        return ""
    if shown.roll and shown.roll != roll.name:
        return ""
    return "+".join(map(str, throw.faces)) if throw.dice == roll.dice else ""


def _list_clicks(running: RunningGame, report: Report[Any]) -> Iterator[str]:
    """Yield what the player does with the counters to carry the answer out."""
    changes = report.changes if not report.asks else ()
    clicks = format_all_clicks(changes, running.position.game, adopted=isinstance(running.legend, AdoptedLegend))
    for line in clicks[:_MAX_CLICKS]:
        yield write_text(f"   {line}")
    if len(clicks) > _MAX_CLICKS:
        yield write_text(f"   … and {len(clicks) - _MAX_CLICKS} more")


def _write_shapes(legend: Legend, shapes: Iterable[Shape]) -> Iterator[str]:
    """Yield the lines that draw shapes on the first map that has hexes of them; hexes that it lacks are left out."""
    pen = choose_pen(legend)
    map = ""
    for shape in shapes:
        spots = [spot for hex in shape.hexes if (spot := pen.spot(hex)) is not None]
        if spots and not map:
            map = spots[0].map
            yield f"map {map}"
        if pixels := [spot.at for spot in spots if spot.map == map]:
            yield write_shape(shape, pixels)

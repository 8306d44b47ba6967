"""The contents of `events.toml`: the events that a journal records, their effects, and mistakes in the file.

An account is a track of whole numbers of a nation, a side or the game, such as victory points. A level is a number of
an account. Another track takes the turn in which the account reaches the level.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Literal

import msgspec

from ..state.tracks import Track
from ..util.datafiles import find_toml_line, format_path, read_text, read_toml, resolve_within
from ..util.errors import InputError, KeyPath, OnFault, Where, format_suggestion, ignore, nearest, stop
from ..util.memo import Memo
from ..util.misfits import Misfit
from ..util.notes import note
from .calendar import format_turn
from .course import GAME, course_file
from .games import Game
from .schedule_dates import Dates
from .turn_record import list_people, read_calendar

EVENTS = "events.toml"
THIS_TURN = "turn"
"""The word in `sets` for the turn of the event."""
AMOUNT = "amount"
"""The word in `sets` for the amount of the event. Any word except these two is the value itself."""
Amount = Annotated[int, msgspec.Meta(ge=0, le=99_999)]
Each = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class Kind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The changes that an event makes, or one of its kinds."""

    title: Annotated[str, note("in words")] = ""
    posts: Annotated[
        dict[str, Each], note("what one of its amount adds to an account: `sp`, `british.sp` or `game.vp`")
    ] = {}
    raises: dict[str, Amount] = {}
    """The accounts that are raised to a number if they are below it, by path as in `posts`."""
    sets: Annotated[
        dict[str, str],
        note("tracks that it sets, or `unit.lost` of the unit that it names, to `turn`, `amount` or a word"),
    ] = {}
    only: Annotated[tuple[str, ...], note("the nations or sides to which it may happen")] = ()
    rule: str = ""


class EventWord(Kind, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event, with the changes that it makes if no kind is typed."""

    on: Literal["nation", "side", "game"] = "nation"
    """The kind of subject to which the event happens."""
    least: Amount | None = None
    """The smallest amount, or None if the event takes no amount."""
    most: Amount = 9999
    """The largest amount."""
    usual: Amount | None = None
    """The amount if none is typed."""
    unit: bool = False
    """Whether the event names a unit."""
    kinds: dict[str, Kind] = {}
    """The changes made instead, by the word typed after the amount."""


class AccountLevel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number that an account may reach, with a track for the turn in which the account reaches it."""

    account: str
    who: str = ""
    """The nation or side, or "" if the game."""
    at: int
    """The number to reach."""
    since: str
    """The track that takes the turn in which the account reaches it."""
    title: str
    rule: str = ""


class DebtRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A duty to repay each amount that `account` gains: `by` has to gain as much within some turns."""

    account: str
    by: str
    """The account that has to gain the same amount."""
    within: Annotated[int, msgspec.Meta(ge=0)]
    """The number of turns allowed, or 0 if only the same turn."""
    title: str
    rule: str = ""


class EventBar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A period in which some events do not happen to a nation or side, unless the players agree to them."""

    who: tuple[str, ...]
    """The nations or sides."""
    events: tuple[str, ...]
    """The words of the events."""
    from_: str = ""
    """The first turn, written as in a row of a schedule."""
    until: str = ""
    """The last turn, written as in a row of a schedule."""
    title: str
    """The reason."""
    rule: str = ""


class Ceiling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The maximum of an account at the beginning of a certain turn: the account loses any excess."""

    account: str
    who: str = ""
    """The nation or side, or "" if the game."""
    at: str
    """The turn that begins."""
    most: Annotated[int, msgspec.Meta(ge=0)]
    title: str
    """The reason."""
    rule: str = ""


class SheetPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of an answer that is printed on the sheet of a turn.

    A verdict of no is reported at the beginning of a turn, and by `check`.
    """

    question: str
    """The name of a question that can be asked without parameters."""
    part: str
    """The title of the part."""


class Events(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of a game's `events.toml`."""

    short: dict[str, str] = {}
    """Nations and sides by short name."""
    event: dict[str, EventWord] = {}
    level: tuple[AccountLevel, ...] = ()
    debt: tuple[DebtRow, ...] = ()
    barred: tuple[EventBar, ...] = ()
    ceiling: tuple[Ceiling, ...] = ()
    sheet: tuple[SheetPart, ...] = ()


class Event(msgspec.Struct, frozen=True):
    """An event that happened."""

    who: str
    """The nation or side to which it happened, or the game."""
    word: str
    """The event's name in `events.toml`."""
    amount: int | None = None
    kind: str = ""
    unit: str = ""
    note: str = ""


_EVENTS: Memo[None, Events] = Memo()


def read_events(game: Game, on_fault: OnFault = stop) -> Events:
    """Return the contents of a game's `events.toml`, or empty `Events` if it has none.

    `on_fault`: receives each fault; without it, the first one is raised as InputError.
    """

    def read() -> Events:
        file = resolve_within(game.folder, EVENTS)
        if not file.is_file():
            return Events()
        events = read_toml(file, Events, on_fault)
        for fault in _find_event_faults(game, events):
            where = Where(EVENTS, find_toml_line(read_text(file), fault.path))
            on_fault(fault.told_as(f"{format_path(fault.path)}: {fault.what}", where))
        return events

    return game.memo(_EVENTS, None, read) if on_fault is stop else read()


def _find_event_faults(game: Game, events: Events) -> Iterator[Misfit]:
    """Yield unknown names, and rows that can never take effect."""
    people = list_people(game)
    for short, who in events.short.items():
        yield from _find_unknown(("short", short), who, (GAME, *people))
    for word, event in events.event.items():
        yield from _find_word_faults(game, ("event", word), event)
    yield from _find_level_faults(game, events.level)
    for number, debt in enumerate(events.debt):
        for key, account in (("account", debt.account), ("by", debt.by)):
            subject = game.tracks[account].on if account in game.tracks else ""
            yield from _find_account_faults(game, ("debt", number, key), account, subject)
    for number, ceiling in enumerate(events.ceiling):
        yield from _find_ceiling_faults(game, ("ceiling", number), ceiling)
    for number, barred in enumerate(events.barred):
        yield from _find_bar_faults(game, events, ("barred", number), barred)


def _find_word_faults(game: Game, path: KeyPath, event: EventWord) -> Iterator[Misfit]:
    people = list_people(game)
    usual = event.least if event.usual is None else event.usual
    if event.least is not None and usual is not None and not event.least <= usual <= event.most:
        yield Misfit(
            (*path, "least"), "no amount lies between `least` and `most`", "put least, usual and most in order"
        )
    if not (event.posts or event.raises or event.sets or event.kinds):
        yield Misfit(path, "the event changes nothing", "write posts, raises, sets or kinds")
    kinds = [(path, event), *(((*path, "kinds", name), kind) for name, kind in event.kinds.items())]
    for kind_path, kind in kinds:
        for number, who in enumerate(kind.only):
            yield from _find_unknown((*kind_path, "only", number), who, people)
        for key, changes in (("posts", kind.posts), ("raises", kind.raises), ("sets", kind.sets)):
            for name, value in changes.items():
                yield from _find_change_faults(game, (*kind_path, key, name), event, value)


def _find_level_faults(game: Game, levels: Sequence[AccountLevel]) -> Iterator[Misfit]:
    """Yield unknown names in levels, and levels of an account that do not rise."""
    highest: dict[tuple[str, str], AccountLevel] = {}
    for number, level in enumerate(levels):
        path: KeyPath = ("level", number)
        subject = find_subject(game, level.who)
        yield from _find_unknown((*path, "who"), level.who or GAME, (GAME, *list_people(game)))
        yield from _find_account_faults(game, (*path, "account"), level.account, subject)
        since = game.tracks.get(level.since)
        if since is None or not _names_turn(since):
            turn_tracks = [track.name for track in game.tracks.values() if _names_turn(track)]
            hint = format_suggestion(level.since, turn_tracks)
            yield Misfit((*path, "since"), f"{level.since!r} is not a track of turns", hint)
        elif since.on != subject:
            yield Misfit((*path, "since"), f"{level.since!r} is about the {since.on}", "name the nation, or the game")
        below = highest.get((level.account, level.who))
        if below and (level.at <= below.at or level.since == below.since):
            key = "since" if level.since == below.since else "at"
            what = f"{level.title!r} does not come after {below.title!r}"
            yield Misfit((*path, key), what, "the lowest level first, each with its track")
        highest[level.account, level.who] = level


def _find_ceiling_faults(game: Game, path: KeyPath, ceiling: Ceiling) -> Iterator[Misfit]:
    yield from _find_unknown((*path, "who"), ceiling.who or GAME, (GAME, *list_people(game)))
    yield from _find_account_faults(game, (*path, "account"), ceiling.account, find_subject(game, ceiling.who))
    try:
        read_calendar(game).number(ceiling.at)
    except InputError as error:
        yield Misfit((*path, "at"), error.what, error.hint)


def _find_bar_faults(game: Game, events: Events, path: KeyPath, barred: EventBar) -> Iterator[Misfit]:
    """Yield unknown names in a bar, events that never happen to its nations, and an empty period."""
    people = list_people(game)
    for number, who in enumerate(barred.who):
        yield from _find_unknown((*path, "who", number), who, people)
    for number, word in enumerate(barred.events):
        if word not in events.event:
            yield Misfit((*path, "events", number), f"{word!r} is not an event", format_suggestion(word, events.event))
    for key, names in (("who", barred.who), ("events", barred.events)):
        if not names:
            yield Misfit((*path, key), "it bars nothing", "name one at least")
    known_words = [word for word in barred.events if word in events.event]
    concerned = [who for who in barred.who if any(happens_to(game, events.event[word], who) for word in known_words)]
    for number, who in enumerate(barred.who):
        if who in people and known_words and who not in concerned:
            what = f"none of the events happens to {who!r}, a {find_subject(game, who)}"
            hint = _hint_concerned(known_words[0], events.event[known_words[0]])
            yield Misfit((*path, "who", number), what, hint)
    for number, word in enumerate(barred.events):
        if word not in known_words or not concerned:
            continue
        if not any(happens_to(game, events.event[word], who) for who in concerned):
            what = f"{word!r} happens to none of `who`"
            yield Misfit((*path, "events", number), what, _hint_concerned(word, events.event[word]))
    yield from _find_period_faults(game, path, barred)


def _find_period_faults(game: Game, path: KeyPath, barred: EventBar) -> Iterator[Misfit]:
    who = (*barred.who, "")[0]
    is_readable = True
    for key, text in (("from", barred.from_), ("until", barred.until)):
        try:
            Dates(game, read_calendar(game), lambda *_: None).is_within(0, text, "", who)
        except InputError as error:
            is_readable = False
            yield Misfit((*path, key), error.what, error.hint)
    if is_readable and Dates(game, read_calendar(game), lambda *_: None).is_empty(barred.from_, barred.until, who):
        yield Misfit((*path, "until"), "the bar ends before it begins", "correct `from` or `until`")


def _hint_concerned(word: str, event: EventWord) -> str:
    if event.only:
        return f"`{word}` happens only to {', '.join(event.only)}"
    return f"`{word}` is an event of a {event.on}"


def happens_to(game: Game, event: EventWord, who: str) -> bool:
    """Return whether an event may happen to a nation, a side or the game."""
    return event.on == find_subject(game, who) and (not event.only or who in event.only)


def _find_unknown(path: KeyPath, who: str, known: Collection[str]) -> Iterator[Misfit]:
    if who not in known:
        yield Misfit(path, f"{who!r} is neither a side nor a nation", format_suggestion(who, known))


def find_subject(game: Game, who: str) -> str:
    """Return "game", "side" or "nation", whichever `who` names; "" is the game."""
    if who in ("", GAME):
        return "game"
    return "side" if who in game.file.sides else "nation"


def _find_change_faults(game: Game, path: KeyPath, event: EventWord, value: str | int) -> Iterator[Misfit]:
    """Yield the faults of one change.

    `path`: ends with the changed track, such as `sp`, `british.sp`, `game.vp` or `unit.lost`.

    `value`: a number for an account (`posts`, `raises`), a word for another track (`sets`).
    """
    who, dot, name = str(path[-1]).rpartition(".")
    known = [GAME, *list_people(game)]
    if event.unit:
        known.append("unit")
    if dot and who not in known:
        yield from _find_unknown(path, who, known)
        return
    if not dot:
        subject: str = event.on
    elif who == "unit":
        subject = who
    else:
        subject = find_subject(game, who)
    if isinstance(value, int):
        yield from _find_account_faults(game, path, name, subject)
    elif name not in game.tracks:
        yield Misfit(path, f"unknown track {name!r}", format_suggestion(name, game.tracks))
    elif game.tracks[name].on != subject:
        yield Misfit(path, f"{name!r} is about the {game.tracks[name].on}", "name the nation, or the game")
    else:
        yield from _find_value_faults(game, path, game.tracks[name], value)


def _find_value_faults(game: Game, path: KeyPath, track: Track, value: str) -> Iterator[Misfit]:
    """Yield a fault if `sets` cannot set a track to a value.

    A track of numbers takes `amount`, and `turn` if turns are numbers; a track of turns takes `turn`. In a free text
    both are ordinary words.
    """
    placeholders: list[str] = []
    if track.kind == "integer":
        placeholders = [AMOUNT, THIS_TURN] if _numbers_turns(game) else [AMOUNT]
    elif _names_turn(track):
        placeholders = [THIS_TURN]
    is_free_text = track.kind == "text" and not track.names
    if value in (THIS_TURN, AMOUNT) and value not in placeholders and not is_free_text:
        yield Misfit(
            path,
            f"{track.name!r} cannot be set to the {value}",
            f"write: {' or '.join(placeholders)}" if placeholders else "write one of its words",
        )
    elif value not in placeholders:
        try:
            format_turn(value) if _names_turn(track) else track.parse(value)
        except InputError as error:
            yield Misfit(path, error.what, nearest(value, placeholders) if placeholders else error.hint)


def _names_turn(track: Track) -> bool:
    return track.kind == "text" and track.names == "turn"


def _numbers_turns(game: Game) -> bool:
    """Return whether the current turn is a number, not a name such as `oct15/2`."""
    turn_track = game.tracks.get(course_file(game, ignore).turns.track)
    return turn_track is not None and turn_track.kind == "integer"


def _find_account_faults(game: Game, path: KeyPath, account: str, subject: str) -> Iterator[Misfit]:
    accounts = {name for name, track in game.tracks.items() if is_account(track)}
    if account not in accounts:
        yield Misfit(path, f"{account!r} is not an account", format_suggestion(account, accounts))
    elif game.tracks[account].on != subject:
        yield Misfit(path, f"{account!r} is about the {game.tracks[account].on}", "name the nation, or the game")


def is_account(track: Track) -> bool:
    """Return whether a track is an account of a nation, a side or the game.

    Its values are numbers, but not turns.
    """
    return track.kind == "integer" and track.names != "turn" and track.on in ("nation", "side", "game")

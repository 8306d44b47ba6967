"""What may happen in a game, as its journal records it: the rows of `events.toml`, the levels of accounts, and the
short names of nations.

An account is a track of whole numbers of a nation, a side or the game. A level names the track with the turn since when
its account has reached a number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
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
"""What sets a track to the turn of the event."""
AMOUNT = "amount"
"""What sets a track to the amount of the event; any other word is the value itself."""
Amount = Annotated[int, msgspec.Meta(ge=0, le=99_999)]
Each = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class Kind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an event means, or one kind of it."""

    title: Annotated[str, note("in words")] = ""
    posts: Annotated[
        dict[str, Each], note("what one of its amount adds to an account: `sp`, `british.sp` or `game.vp`")
    ] = {}
    raises: dict[str, Amount] = {}
    sets: Annotated[
        dict[str, str],
        note("tracks that it sets, or `unit.lost` of the unit that it names, to `turn`, `amount` or a word"),
    ] = {}
    only: Annotated[tuple[str, ...], note("the nations or sides to which it may happen")] = ()
    rule: str = ""


class EventWord(Kind, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A word for what may happen."""

    on: Literal["nation", "side", "game"] = "nation"
    """Whom it concerns."""
    least: Amount | None = None
    most: Amount = 9999
    """Its amount is from `least` to this; None for both if it takes none."""
    usual: Amount | None = None
    """The amount if none is typed."""
    unit: bool = False
    kinds: dict[str, Kind] = {}
    """What its kinds mean, by the word behind the amount."""


class AccountLevel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A level of an account."""

    account: str
    who: str = ""
    """The nation or side, "" for the game."""
    at: int
    """The number with which it begins."""
    since: str
    """The track with the turn in which it was reached."""
    title: str
    rule: str = ""


class DebtRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What has to be made good: each amount that `account` gains, by as much that `by` gains in the same turn or
    `within` so many turns of it.
    """

    account: str
    by: str
    within: Annotated[int, msgspec.Meta(ge=0)]
    title: str
    rule: str = ""


class EventBar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """What does not happen to a nation for a time, unless the players agree to it."""

    who: tuple[str, ...]
    """The nations or sides."""
    events: tuple[str, ...]
    """Their words."""
    from_: str = ""
    until: str = ""
    """With `from_` the turns, as a row of a schedule has them."""
    title: str
    """Why not."""
    rule: str = ""


class Ceiling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an account keeps at most as a turn begins: what it holds beyond that is no longer in it."""

    account: str
    who: str = ""
    """The nation or side, "" for the game."""
    at: str
    """The turn that begins."""
    most: Annotated[int, msgspec.Meta(ge=0)]
    title: str
    """Why it keeps no more."""
    rule: str = ""


class SheetPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What else stands on the sheet of a turn: a part of the answer to a question that takes no parameters.

    A verdict of no is told when a turn begins, and by `check`.
    """

    question: str
    part: str


class Events(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `events.toml` says."""

    short: dict[str, str] = {}
    """Nations and sides by their short names."""
    event: dict[str, EventWord] = {}
    level: tuple[AccountLevel, ...] = ()
    debt: tuple[DebtRow, ...] = ()
    """What has to be made good."""
    barred: tuple[EventBar, ...] = ()
    """What does not happen for a time."""
    ceiling: tuple[Ceiling, ...] = ()
    """What accounts keep at most as a turn begins."""
    sheet: tuple[SheetPart, ...] = ()
    """What else stands on the sheet of a turn."""


class Event(msgspec.Struct, frozen=True):
    """Something that happened: to whom, the word, its amount, its kind, the unit that it names, and a note."""

    who: str
    word: str
    amount: int | None = None
    kind: str = ""
    unit: str = ""
    note: str = ""


_EVENTS: Memo[None, Events] = Memo()
"""What the game's `events.toml` says."""


def read_events(game: Game, on_fault: OnFault = stop) -> Events:
    """Return the events and levels of a game, none if it has no `events.toml`. Raises InputError for a fault in it, or
    gives each to `on_fault`.
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
    """Yield what in `events.toml` names a nation, an account or a track that the game does not have, or can never be."""
    known = list_people(game)
    for short, who in events.short.items():
        yield from _find_unknown(("short", short), who, (GAME, *known))
    for word, event in events.event.items():
        here: KeyPath = ("event", word)
        if (
            event.least is not None
            and not event.least <= (event.least if event.usual is None else event.usual) <= event.most
        ):
            yield Misfit(
                (*here, "least"), "no amount lies between `least` and `most`", "put least, usual and most in order"
            )
        if not (event.posts or event.raises or event.sets or event.kinds):
            yield Misfit(here, "the event changes nothing", "write posts, raises, sets or kinds")
        for path, kind in ((here, event), *(((*here, "kinds", name), kind) for name, kind in event.kinds.items())):
            for number, who in enumerate(kind.only):
                yield from _find_unknown((*path, "only", number), who, known)
            for key, named in (("posts", kind.posts), ("raises", kind.raises), ("sets", kind.sets)):
                for name, value in named.items():
                    yield from _find_path_faults(game, (*path, key, name), event, value)
    highest: dict[tuple[str, str], AccountLevel] = {}
    for number, level in enumerate(events.level):
        here = ("level", number)
        yield from _find_unknown((*here, "who"), level.who or GAME, (GAME, *known))
        yield from _find_account_faults(game, (*here, "account"), level.account, find_subject(game, level.who))
        since = game.tracks.get(level.since)
        if since is None or not _names_turn(since):
            turns = [track.name for track in game.tracks.values() if _names_turn(track)]
            yield Misfit(
                (*here, "since"), f"{level.since!r} is not a track of turns", format_suggestion(level.since, turns)
            )
        elif since.on != find_subject(game, level.who):
            yield Misfit((*here, "since"), f"{level.since!r} is about the {since.on}", "name the nation, or the game")
        below = highest.setdefault((level.account, level.who), level)
        if below is not level and (level.at <= below.at or level.since == below.since):
            key = "since" if level.since == below.since else "at"
            hint = "the lowest level first, each with its track"
            yield Misfit((*here, key), f"{level.title!r} does not come after {below.title!r}", hint)
        highest[level.account, level.who] = level
    for number, debt in enumerate(events.debt):
        for key, account in (("account", debt.account), ("by", debt.by)):
            of = game.tracks[account].on if account in game.tracks else ""
            yield from _find_account_faults(game, ("debt", number, key), account, of)
    for number, ceiling in enumerate(events.ceiling):
        yield from _find_ceiling_faults(game, ("ceiling", number), ceiling)
    for number, barred in enumerate(events.barred):
        yield from _find_bar_faults(game, events, ("barred", number), barred)


def _find_ceiling_faults(game: Game, path: KeyPath, ceiling: Ceiling) -> Iterator[Misfit]:
    """Yield what a ceiling names that the game does not have."""
    yield from _find_unknown((*path, "who"), ceiling.who or GAME, (GAME, *list_people(game)))
    yield from _find_account_faults(game, (*path, "account"), ceiling.account, find_subject(game, ceiling.who))
    try:
        read_calendar(game).number(ceiling.at)
    except InputError as error:
        yield Misfit((*path, "at"), error.what, error.hint)


def _find_bar_faults(game: Game, events: Events, path: KeyPath, barred: EventBar) -> Iterator[Misfit]:
    """Yield what a bar names that the game does not have, and what keeps it from ever barring."""
    known = list_people(game)
    for at, who in enumerate(barred.who):
        yield from _find_unknown((*path, "who", at), who, known)
    for at, word in enumerate(barred.events):
        if word not in events.event:
            yield Misfit((*path, "events", at), f"{word!r} is not an event", format_suggestion(word, events.event))
    for key, named in (("who", barred.who), ("events", barred.events)):
        if not named:
            yield Misfit((*path, key), "it bars nothing", "name one at least")
    words = [word for word in barred.events if word in events.event]
    concerned = [who for who in barred.who if any(happens_to(game, events.event[word], who) for word in words)]
    for at, who in enumerate(barred.who):
        if who in known and words and who not in concerned:
            what = f"none of the events happens to {who!r}, a {find_subject(game, who)}"
            yield Misfit((*path, "who", at), what, _format_concerned(words[0], events.event[words[0]]))
    for at, word in enumerate(barred.events):
        if word in words and concerned and not any(happens_to(game, events.event[word], who) for who in concerned):
            what = f"{word!r} happens to none of `who`"
            yield Misfit((*path, "events", at), what, _format_concerned(word, events.event[word]))
    who = (*barred.who, "")[0]
    sound = True
    for key, text in (("from", barred.from_), ("until", barred.until)):
        try:
            Dates(game, read_calendar(game), lambda *_: None).is_within(0, text, "", who)
        except InputError as error:
            sound = False
            yield Misfit((*path, key), error.what, error.hint)
    if sound and Dates(game, read_calendar(game), lambda *_: None).is_empty(barred.from_, barred.until, who):
        yield Misfit((*path, "until"), "the bar ends before it begins", "correct `from` or `until`")


def _format_concerned(word: str, event: EventWord) -> str:
    """Return the hint of an event that does not happen to somebody."""
    return (
        f"`{word}` happens only to {', '.join(event.only)}" if event.only else f"`{word}` is an event of a {event.on}"
    )


def happens_to(game: Game, event: EventWord, who: str) -> bool:
    """Return whether an event may happen to a nation, a side or the game."""
    return event.on == find_subject(game, who) and (not event.only or who in event.only)


def _find_unknown(path: KeyPath, who: str, known: Collection[str]) -> Iterator[Misfit]:
    if who not in known:
        yield Misfit(path, f"{who!r} is neither a side nor a nation", format_suggestion(who, known))


def find_subject(game: Game, who: str) -> str:
    """Return what a nation, a side or the game is: a subject of tracks, and what an event is on."""
    if who in ("", GAME):
        return "game"
    return "side" if who in game.file.sides else "nation"


def _find_path_faults(game: Game, path: KeyPath, event: EventWord, value: str | int) -> Iterator[Misfit]:
    """Yield what is wrong with a path of `posts`, `raises` and `sets`. value: to which it is set, a number where it is
    added.
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
    """Yield what keeps a track from being set to the turn, the amount or a word. A whole number is set to the turn
    where turns are counted through.
    """
    wanted: list[str] = []
    if track.kind == "integer":
        wanted = [AMOUNT, THIS_TURN] if _counts_turns(game) else [AMOUNT]
    elif _names_turn(track):
        wanted = [THIS_TURN]
    if value in (THIS_TURN, AMOUNT) and value not in wanted and not (track.kind == "text" and not track.names):
        yield Misfit(
            path,
            f"{track.name!r} cannot be set to the {value}",
            f"write: {' or '.join(wanted)}" if wanted else "write one of its words",
        )
    elif value not in wanted:
        try:
            format_turn(value) if _names_turn(track) else track.parse(value)
        except InputError as error:
            yield Misfit(path, error.what, nearest(value, wanted) if wanted else error.hint)


def _names_turn(track: Track) -> bool:
    """Return whether a track is a text that names a turn."""
    return track.kind == "text" and track.names == "turn"


def _counts_turns(game: Game) -> bool:
    """Return whether the track of the current turn is a whole number."""
    moment = game.tracks.get(course_file(game, ignore).turns.track)
    return moment is not None and moment.kind == "integer"


def _find_account_faults(game: Game, path: KeyPath, account: str, subject: str) -> Iterator[Misfit]:
    """Yield what keeps a track from being an account of a nation, a side or the game."""
    accounts = {name for name, track in game.tracks.items() if is_account(track)}
    if account not in accounts:
        yield Misfit(path, f"{account!r} is not an account", format_suggestion(account, accounts))
    elif game.tracks[account].on != subject:
        yield Misfit(path, f"{account!r} is about the {game.tracks[account].on}", "name the nation, or the game")


def is_account(track: Track) -> bool:
    """Return whether a track can be an account: a whole number of a nation, a side or the game that is not the number
    of a turn.
    """
    return track.kind == "integer" and track.names != "turn" and track.on in ("nation", "side", "game")

"""What may happen in a game, as its journal records it: the rows of `events.toml`, the levels of accounts, and the
short names of nations.

An account is a track of whole numbers of a nation, a side or the game. A level names the track with the turn since when
its account has reached a number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Literal

import msgspec

from ..state.tracks import Track
from ..util.datafiles import KeyPath, Misfit, find_toml_line, format_path, read_text, read_toml, resolve_within
from ..util.errors import InputError, OnFault, UnknownWord, Where, format_suggestion, ignore, nearest, quoted, stop
from ..util.memo import Memo
from ..util.notes import note
from ..util.texts import folded, natural
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
    """A word for what may happen. on: whom it concerns; least, most: its amount, None if it takes none; usual: the
    amount if none is typed; unit: whether it names a unit; kinds: what its kinds mean, by the word behind the amount.
    """

    on: Literal["nation", "side", "game"] = "nation"
    least: Amount | None = None
    most: Amount = 9999
    usual: Amount | None = None
    unit: bool = False
    kinds: dict[str, Kind] = {}


class AccountLevel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A level of an account. who: the nation or side, "" for the game; at: the number with which it begins; since: the
    track with the turn in which it was reached; title: its name; rule: its rule.
    """

    account: str
    who: str = ""
    at: int
    since: str
    title: str
    rule: str = ""


class DebtRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What has to be made good: each amount that `account` gains, by as much that `by` gains in the same turn or `within`
    so many turns of it.
    """

    account: str
    by: str
    within: Annotated[int, msgspec.Meta(ge=0)]
    title: str
    rule: str = ""


class EventBar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """What does not happen to a nation for a time, unless the players agree to it. who: the nations or sides; events: the
    words; from, until: the turns, as a row of a schedule has them; title: why not; rule: its rule.
    """

    who: tuple[str, ...]
    events: tuple[str, ...]
    from_: str = ""
    until: str = ""
    title: str
    rule: str = ""


class SheetPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What else stands on the sheet of a turn: a part of the answer to a question that takes no parameters. part: its title. A
    verdict of no is told when a turn begins, and by `check`.
    """

    question: str
    part: str


class Events(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `events.toml` says. short: nations and sides by their short names; event: the words; level: the levels;
    debt: what has to be made good; barred: what does not happen for a time; sheet: what else stands on the sheet of a turn.
    """

    short: dict[str, str] = {}
    event: dict[str, EventWord] = {}
    level: tuple[AccountLevel, ...] = ()
    debt: tuple[DebtRow, ...] = ()
    barred: tuple[EventBar, ...] = ()
    sheet: tuple[SheetPart, ...] = ()


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
        yield from _find_account_faults(game, (*here, "account"), level.account, _find_subject(game, level.who))
        since = game.tracks.get(level.since)
        if since is None or not _names_turn(since):
            turns = [track.name for track in game.tracks.values() if _names_turn(track)]
            yield Misfit(
                (*here, "since"), f"{level.since!r} is not a track of turns", format_suggestion(level.since, turns)
            )
        elif since.on != _find_subject(game, level.who):
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
    for number, barred in enumerate(events.barred):
        yield from _find_bar_faults(game, events, ("barred", number), barred)


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
    concerned = [who for who in barred.who if any(_happens_to(game, events.event[word], who) for word in words)]
    for at, who in enumerate(barred.who):
        if who in known and words and who not in concerned:
            what = f"none of the events happens to {who!r}, a {_find_subject(game, who)}"
            yield Misfit((*path, "who", at), what, _format_concerned(words[0], events.event[words[0]]))
    for at, word in enumerate(barred.events):
        if word in words and concerned and not any(_happens_to(game, events.event[word], who) for who in concerned):
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


def _happens_to(game: Game, event: EventWord, who: str) -> bool:
    """Return whether an event may happen to a nation, a side or the game."""
    return event.on == _find_subject(game, who) and (not event.only or who in event.only)


def _find_unknown(path: KeyPath, who: str, known: Collection[str]) -> Iterator[Misfit]:
    if who not in known:
        yield Misfit(path, f"{who!r} is neither a side nor a nation", format_suggestion(who, known))


def _find_subject(game: Game, who: str) -> str:
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
        subject = _find_subject(game, who)
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


# --- events as they are typed -----------------------------------------------------------------------------------------


_NAMES: Memo[None, Mapping[str, str]] = Memo()
"""The nations, the sides and the game by what they may be called."""


def holder_names(game: Game, events: Events) -> Mapping[str, str]:
    """Return the nations, the sides and the game by what they may be called: their short names, their names and titles,
    in small letters without accents, parts joined by hyphens.
    """

    def read() -> Mapping[str, str]:
        titles = {game.file.title_of(who): who for who in list_people(game)}
        named = {**titles, **{who: who for who in (*list_people(game), GAME)}, **events.short}
        return {_write_name(name): who for name, who in named.items()}

    return game.memo(_NAMES, None, read)


def _write_name(text: str) -> str:
    return "-".join(folded(text).split())


def find_short_name(events: Events, who: str) -> str:
    """Return how a nation, a side or the game is written: its first short name, or its name."""
    return next((short for short, name in events.short.items() if name == who), who)


def shorts(events: Events) -> dict[str, str]:
    """Return the first short name of each nation or side that has one, with what it stands for."""
    return {find_short_name(events, who): who for who in events.short.values()}


def leading_name(game: Game, events: Events, text: str) -> tuple[str, str]:
    """Return the nation, side or game that a text begins with, as it is written, and what follows it; "" if it begins
    with none.
    """
    words = text.split()
    names = holder_names(game, events)
    longest = max((name.count("-") + 1 for name in names), default=0)
    for count in range(min(len(words), longest), 0, -1):
        if who := names.get(_write_name(" ".join(words[:count]).strip('"'))):
            return find_short_name(events, who), " ".join(words[count:])
    return "", text


def find_named(game: Game, text: str) -> str:
    """Return the nation or side that a text names as `whom` reads it, "" for any other text."""
    return holder_names(game, read_events(game)).get(_write_name(text), "")


def find_holder(game: Game, events: Events, text: str) -> str:
    """Return the nation or side that a text names, by its short name, its name or its title; "game" for the game.
    Raises InputError with the nearest one.
    """
    names = holder_names(game, events)
    name = _write_name(text)
    if who := names.get(name):
        return who

    def hint() -> str:
        begun = dict.fromkeys(
            find_short_name(events, who) for known, who in names.items() if name and known.startswith(name)
        )
        return (
            f"write: {' or '.join(begun)}"
            if begun
            else nearest(name, names) or f"known: {', '.join(shorts(events) or names)}"
        )

    raise UnknownWord(f"{text[:40]!r} is neither a nation nor a side", hint=hint)


def read_event(game: Game, events: Events, who: str, text: str) -> Event:
    """Return an event: `dm 22 Sabac`, behind the nation or side to which it happened: WORD [AMOUNT] [KIND] [NOTE].

    Raises InputError for an unknown word or kind, a nation to which it cannot happen, and an amount that it does not
    take.
    """
    word, _, rest = text.strip().partition(" ")
    event = events.event.get(word.casefold())
    if event is None:
        raise _event_error(game, events, who, word, rest)
    word = word.casefold()
    if event.on != _find_subject(game, who):
        raise InputError(f"`{word}` is an event of a {event.on}", hint=f"write: {write_example(events, word)}")
    _check_happens(who, word, event.only)
    first, _, more = rest.strip().partition(" ")
    amount = _read_amount(word, event, first)
    rest = rest.strip()
    if amount is not None:
        rest = more.strip()
    elif event.least is not None:
        if event.usual is None:
            raise InputError(f"`{word}` needs an amount", hint=f"write: {write_example(events, word, who)}")
        amount = event.usual
    kind, rest = _read_kind(word, who, event, rest)
    unit = ""
    if event.unit:
        unit, rest = _read_unit(game, word, rest, find_short_name(events, who))
    if kind:
        _check_happens(who, f"{word} {kind}", event.kinds[kind].only)
    return Event(who, word, amount, kind, unit, rest)


def _check_happens(who: str, what: str, only: tuple[str, ...]) -> None:
    if only and who not in only:
        raise InputError(f"`{what}` does not happen to {who}", hint=f"only to {', '.join(only)}")


def _event_error(game: Game, events: Events, who: str, word: str, rest: str) -> InputError:
    """Return the error of a word that is no event: those that are near and happen to a nation, or how one is written."""
    own = [name for name, event in events.event.items() if _happens_to(game, event, who)]
    short = find_short_name(events, who)
    second = rest.strip().partition(" ")[0].casefold()
    if natural(word) is not None and second in events.event and events.event[second].least is not None:
        return InputError("the amount stands after the event", hint=f"write: {short} {second} {word}")
    if not word:
        example = f"write: {write_example(events, own[0], who)}; " if own else ""
        return InputError(f"what happened to {who} is missing", hint=f"{example}events: {', '.join(own)}")
    return InputError(f"{word[:20]!r} is not an event", hint=format_suggestion(word.casefold(), own, _MOST_KINDS))


_MOST_KINDS = 30
"""How many events or kinds are listed where none is near."""


def _read_amount(word: str, event: EventWord, text: str) -> int | None:
    """Return the amount that a text is, None for another text. Raises InputError for one that the event does not take."""
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if event.least is None or natural(unsigned[:1]) is None:
        return None
    number = natural(text)
    if number is None or not event.least <= number <= event.most:
        raise InputError(
            f"`{word}` takes no amount of {text[:20]}", hint=f"a whole number from {event.least} to {event.most}"
        )
    return number


def _read_kind(word: str, who: str, event: EventWord, text: str) -> tuple[str, str]:
    """Return the kind of an event, "" if it has none, and what follows it: its name, be its two words typed apart and
    the other way round, or what of its name follows that of the nation, as `mountain` for `italian-mountain`. Raises
    InputError for one that is missing.
    """
    words = [part.casefold() for part in text.split()[:2]]
    apart = ["-".join(words), "-".join(reversed(words))] if len(words) == 2 else []
    for name in (*apart, *(f"{who}-{first}" for first in words[:1]), *words[:1]):
        if name in event.kinds:
            count = 2 if name in apart else 1
            return name, "".join(text.split(None, count)[count:])
    if event.kinds and not (event.posts or event.sets):
        first = text.partition(" ")[0]
        what = f"`{word}` of what kind: {first[:20]!r} is not one" if first else f"`{word}` needs its kind"
        own = [name for name, kind in event.kinds.items() if who in (kind.only or (who,))]
        raise InputError(what, hint=format_suggestion(first.casefold(), own, _MOST_KINDS))
    return "", text


def _read_unit(game: Game, word: str, text: str, short: str) -> tuple[str, str]:
    """Return the unit that an event names, by the longest name of the roster, and what follows it. short: the nation's
    short name, with which its units are likely to begin. Raises InputError for none.
    """
    words = text.split(" ")
    names = {name.casefold(): name for name in game.roster}
    for count in range(len(words), 0, -1):
        if (name := " ".join(words[:count]).strip('"').casefold()) in names:
            return names[name], " ".join(words[count:])

    def hint() -> str:
        parts = {*text.replace('"', "").casefold().split()}
        alike = [name for name in game.roster if parts and parts <= {*name.casefold().split()}]
        own = [name for name in alike or game.roster if name.casefold().startswith(f"{short} ")]
        near = "" if alike else nearest(text, game.roster)
        return near or f"write: {' or '.join(map(quoted, (own or alike)[:3]))}" if own or alike else near

    raise InputError(f"`{word}` names no unit that is known: {text[:40]!r}", hint=hint)


def write_example(events: Events, word: str, who: str = "") -> str:
    """Return how an event is written. who: the nation to which it happens, if it is known."""
    event = events.event[word]
    likely = who or (GAME if event.on == GAME else next(iter(event.only or events.short.values()), event.on))
    kind = next((name for name, kind in event.kinds.items() if likely in (kind.only or (likely,))), "")
    amount = "" if event.least is None else str(max(event.least, min(3, event.most)))
    return " ".join(filter(None, (find_short_name(events, likely), word, amount, kind, "UNIT" if event.unit else "")))


def write_event(events: Events, event: Event) -> str:
    """Return an event as `read_event` reads it, behind its nation by the short name."""
    unit = f'"{event.unit}"' if " " in event.unit else event.unit
    amount = "" if event.amount is None else str(event.amount)
    return " ".join(
        filter(None, (find_short_name(events, event.who), event.word, amount, event.kind, unit, event.note))
    )


def event_meaning(events: Events, event: Event) -> Kind:
    """Return what an event means: its kind, or its word."""
    word = events.event[event.word]
    return word.kinds[event.kind] if event.kind else word


def subject_of(path: str, who: str, unit: str = "") -> tuple[str, str]:
    """Return the track and its subject that `posts` and `sets` name. who: to whom the event happened; unit: that it
    names.
    """
    whose, _, name = path.rpartition(".")
    if whose == "unit":
        return name, unit
    subject = whose or who
    return name, "" if subject == GAME else subject


def levels_by_account(events: Events) -> Mapping[tuple[str, str], tuple[AccountLevel, ...]]:
    """Return the levels of each account of each nation, by account and nation, from the lowest up."""
    levels: dict[tuple[str, str], list[AccountLevel]] = {}
    for level in events.level:
        levels.setdefault((level.account, level.who), []).append(level)
    return {key: tuple(sorted(some, key=lambda level: level.at)) for key, some in levels.items()}

"""What may happen in a game, as its journal records it: the rows of `events.toml`, each a word with the accounts that it
adds to; the levels of accounts; and the short names of nations.

An account is a whole number of a nation, a side or the game: a track of that kind. A level is reached when its account
comes to a number; the track that it names is the turn since when.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec

from ..state.tracks import Track
from ..util.datafiles import inner, read_toml
from ..util.errors import InputError, OnFault, Where, nearest, quoted, stop, suggested
from ..util.texts import folded, natural
from .course import people
from .games import Game

EVENTS = "events.toml"
GAME = "game"
"""Who an event of the game itself concerns."""
THIS_TURN, AMOUNT = "turn", "amount"
"""What a track is set to: the turn of the event, or its amount; any other word is the value itself."""
Amount = Annotated[int, msgspec.Meta(ge=0, le=99_999)]
Each = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class Kind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an event means, or one kind of it. title: in words; posts: what one of its amount adds to which account, of
    the nation itself (`sp`), of another (`british.sp`) or the game (`game.vp`); sets: tracks that it sets, named
    likewise, or `unit.lost` of the unit that it names, to `turn`, `amount` or a word; only: the nations or sides to which
    it may happen; rule: its rule.
    """

    title: str = ""
    posts: dict[str, Each] = {}
    raises: dict[str, Amount] = {}
    sets: dict[str, str] = {}
    only: tuple[str, ...] = ()
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


class Level(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
    within: int
    title: str
    rule: str = ""


class SheetPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What else stands on the sheet of a turn: a part of the answer to a question that takes no parameters. part: its title."""

    question: str
    part: str


class Events(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `events.toml` says. short: nations and sides by their short names; event: the words; level: the levels;
    debt: what has to be made good; sheet: what else stands on the sheet of a turn.
    """

    short: dict[str, str] = {}
    event: dict[str, EventWord] = {}
    level: tuple[Level, ...] = ()
    debt: tuple[DebtRow, ...] = ()
    sheet: tuple[SheetPart, ...] = ()


class Event(msgspec.Struct, frozen=True):
    """Something that happened: to whom, the word, its amount, its kind, the unit that it names, and a note."""

    who: str
    word: str
    amount: int | None = None
    kind: str = ""
    unit: str = ""
    note: str = ""


def read_events(game: Game, on_fault: OnFault = stop) -> Events:
    """The events and levels of a game, none if it has no `events.toml`. Raises InputError for a fault in it, or gives
    each to `on_fault`.
    """

    def read() -> Events:
        file = inner(game.folder, EVENTS)
        events = read_toml(file, Events, on_fault) if file.is_file() else Events()
        for error in event_faults(game, events):
            on_fault(error.at(Where(EVENTS)))
        return events

    return game.kept(EVENTS, read) if on_fault is stop else read()


def event_faults(game: Game, events: Events) -> Iterator[InputError]:
    """What in `events.toml` names a nation, an account or a track that the game does not have."""
    known, words = people(game), (GAME, *people(game))
    for short, who in events.short.items():
        if who not in words:
            yield InputError(f"[short] {short}: {who!r} is neither a side nor a nation", hint=suggested(who, words))
    for word, event in events.event.items():
        for name, kind in ((word, event), *((f"{word} {name}", kind) for name, kind in event.kinds.items())):
            for who in kind.only:
                if who not in known:
                    yield InputError(
                        f"[event.{name}] {who!r} is neither a side nor a nation", hint=suggested(who, known)
                    )
            for path in (*kind.posts, *kind.raises):
                yield from _path_faults(game, f"[event.{name}] posts", path, event, counted=True)
            for path in kind.sets:
                yield from _path_faults(game, f"[event.{name}] sets", path, event, counted=False)
    for level in events.level:
        here = f"[[level]] {level.title}"
        yield from _account_faults(game, here, level.account, level.who)
        since = game.tracks.get(level.since)
        if since is None or since.names != "turn":
            turns = [track.name for track in game.tracks.values() if track.names == "turn"]
            yield InputError(f"{here}: {level.since!r} is not a track of turns", hint=suggested(level.since, turns))
        if level.who and level.who not in known:
            yield InputError(f"{here}: {level.who!r} is neither a side nor a nation", hint=suggested(level.who, known))


def _path_faults(game: Game, here: str, path: str, event: EventWord, *, counted: bool) -> Iterator[InputError]:
    who, dot, name = path.rpartition(".")
    if who not in ("", "unit", GAME, *people(game)):
        yield InputError(f"{here}: {who!r} is neither a side nor a nation", hint=suggested(who, people(game)))
    elif counted:
        yield from _account_faults(game, here, name, "" if who == GAME or (not dot and event.on == GAME) else "nation")
    elif name not in game.tracks:
        yield InputError(f"{here}: unknown track {name!r}", hint=suggested(name, game.tracks))


def _account_faults(game: Game, here: str, account: str, who: str) -> Iterator[InputError]:
    """What keeps a track from being an account. who: "" for one of the game."""
    accounts = {name for name, track in game.tracks.items() if is_account(track)}
    if account not in accounts:
        yield InputError(f"{here}: {account!r} is not an account", hint=suggested(account, accounts))
    elif (game.tracks[account].on == "game") != (not who):
        yield InputError(
            f"{here}: {account!r} is about the {game.tracks[account].on}", hint="name the nation, or the game"
        )


def is_account(track: Track) -> bool:
    """Whether a track can be an account: a whole number of a nation, a side or the game."""
    return track.kind == "integer" and track.on in ("nation", "side", "game")


# --- events as they are typed -----------------------------------------------------------------------------------------


def names_of(game: Game, events: Events) -> Mapping[str, str]:
    """The nations, the sides and the game by what they may be called: their short names, their names and titles, in small
    letters without accents, parts joined by hyphens.
    """

    def read() -> Mapping[str, str]:
        titles = {game.file.title_of(who): who for who in people(game)}
        named = {**titles, **{who: who for who in (*people(game), GAME)}, **events.short}
        return {_as_name(name): who for name, who in named.items()}

    return game.kept("names of nations", read)


def _as_name(text: str) -> str:
    return "-".join(folded(text).split())


def short_of(events: Events, who: str) -> str:
    """How a nation, a side or the game is written: its first short name, or its name."""
    return next((short for short, name in events.short.items() if name == who), who)


def shorts(events: Events) -> dict[str, str]:
    """The first short name of each nation or side that has one, with what it stands for."""
    return {short_of(events, who): who for who in events.short.values()}


def leading_name(game: Game, events: Events, text: str) -> tuple[str, str]:
    """The nation, side or game that a text begins with, as it is written, and what follows it; "" if it begins with none."""
    words, names = text.split(), names_of(game, events)
    for count in range(min(len(words), 3), 0, -1):
        if who := names.get(_as_name(" ".join(words[:count]).strip('"'))):
            return short_of(events, who), " ".join(words[count:])
    return "", text


def named(game: Game, text: str) -> str:
    """The nation or side that a text names as `whom` reads it, "" for any other text."""
    return names_of(game, read_events(game)).get(_as_name(text), "")


def whom(game: Game, events: Events, text: str) -> str:
    """The nation or side that a text names, by its short name, its name or its title; "game" for the game. Raises InputError
    with the nearest one.
    """
    names, name = names_of(game, events), _as_name(text)
    if who := names.get(name):
        return who

    def hint() -> str:
        begun = dict.fromkeys(short_of(events, who) for known, who in names.items() if name and known.startswith(name))
        return (
            f"write: {' or '.join(begun)}"
            if begun
            else nearest(name, names) or f"known: {', '.join(shorts(events) or names)}"
        )

    raise InputError(f"{text[:40]!r} is neither a nation nor a side", hint=hint)


def read_event(game: Game, events: Events, who: str, text: str) -> Event:
    """An event: `dm 22 Sabac`, behind the nation or side to which it happened: WORD [AMOUNT] [KIND] [NOTE].

    Raises InputError for an unknown word or kind, a nation to which it cannot happen, and an amount that it does not
    take.
    """
    word, _, rest = text.strip().partition(" ")
    event = events.event.get(word.casefold())
    if event is None:
        raise _no_event(game, events, who, word, rest)
    word = word.casefold()
    subject = _kind_of(game, who)
    if event.on != subject:
        raise InputError(f"`{word}` is an event of a {event.on}", hint=f"write: {example_of(events, word)}")
    _check_happens(who, word, event.only)
    first, _, more = rest.strip().partition(" ")
    amount, rest = _amount(word, event, first), rest.strip()
    if amount is not None:
        rest = more.strip()
    elif event.least is not None:
        if event.usual is None:
            raise InputError(f"`{word}` needs an amount", hint=f"write: {example_of(events, word, who)}")
        amount = event.usual
    kind, rest = _kind(word, event, rest, who)
    unit = ""
    if event.unit:
        unit, rest = _unit(game, word, rest, short_of(events, who))
    if kind:
        _check_happens(who, f"{word} {kind}", event.kinds[kind].only)
    return Event(who, word, amount, kind, unit, rest)


def _kind_of(game: Game, who: str) -> str:
    """What an event that concerns somebody is on: the game, a side or a nation."""
    return GAME if who == GAME else "side" if who in game.file.sides else "nation"


def _check_happens(who: str, what: str, only: tuple[str, ...]) -> None:
    if only and who not in only:
        raise InputError(f"`{what}` does not happen to {who}", hint=f"only to {', '.join(only)}")


def _no_event(game: Game, events: Events, who: str, word: str, rest: str) -> InputError:
    """The error of a word that is no event: those that are near and happen to a nation, or how one is written."""
    own = [name for name, row in events.event.items() if row.on == _kind_of(game, who) and who in (row.only or (who,))]
    short, second = short_of(events, who), rest.strip().partition(" ")[0].casefold()
    if natural(word) is not None and second in events.event:
        return InputError("the amount stands behind the event", hint=f"write: {short} {second} {word}")
    if not word:
        example = f"write: {short} {own[0]} 3; " if own else ""
        return InputError(f"what happened to {who} is missing", hint=f"{example}events: {', '.join(own)}")
    return InputError(f"{word[:20]!r} is not an event", hint=suggested(word.casefold(), own, _MOST_KINDS))


_MOST_KINDS = 30
"""How many events or kinds are listed where none is near."""


def _amount(word: str, event: EventWord, text: str) -> int | None:
    """The amount that a text is, None for another text. Raises InputError for one that the event does not take."""
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if event.least is None or natural(unsigned[:1]) is None:
        return None
    number = natural(text)
    if number is None or not event.least <= number <= event.most:
        raise InputError(
            f"`{word}` takes no amount of {text[:20]}", hint=f"a whole number from {event.least} to {event.most}"
        )
    return number


def _kind(word: str, event: EventWord, text: str, who: str) -> tuple[str, str]:
    """The kind of an event, "" if it has none, and what follows it. Raises InputError for one that is missing."""
    first, _, more = text.partition(" ")
    if first.casefold() in event.kinds:
        return first.casefold(), more.strip()
    if event.kinds and not (event.posts or event.sets):
        what = f"`{word}` of what kind: {first[:20]!r} is not one" if first else f"`{word}` needs its kind"
        own = [name for name, kind in event.kinds.items() if who in (kind.only or (who,))]
        raise InputError(what, hint=suggested(first.casefold(), own, _MOST_KINDS))
    return "", text


def _unit(game: Game, word: str, text: str, short: str) -> tuple[str, str]:
    """The unit that an event names, by the longest name of the roster, and what follows it. short: the nation's short name,
    with which its units are likely to begin. Raises InputError for none.
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


def example_of(events: Events, word: str, who: str = "") -> str:
    """How an event is written. who: the nation to which it happens, if it is known."""
    event = events.event[word]
    short = short_of(events, who) if who else who_of(events, word)
    meant = events.short.get(short, short)
    kind = next((name for name, kind in event.kinds.items() if meant in (kind.only or (meant,))), "")
    amount = "" if event.least is None else str(max(event.least, min(3, event.most)))
    return " ".join(filter(None, (short, word, amount, kind, "UNIT" if event.unit else "")))


def who_of(events: Events, word: str) -> str:
    """Whom an event may concern, as it is written: the game, the first of those to which it may happen, or some nation."""
    event = events.event[word]
    return (
        GAME
        if event.on == GAME
        else short_of(events, next(iter(event.only), next(iter(events.short.values()), event.on)))
    )


def word_event(events: Events, event: Event) -> str:
    """An event as `read_event` reads it, behind its nation by the short name."""
    unit = f'"{event.unit}"' if " " in event.unit else event.unit
    amount = "" if event.amount is None else str(event.amount)
    return " ".join(filter(None, (short_of(events, event.who), event.word, amount, event.kind, unit, event.note)))


def meaning_of(events: Events, event: Event) -> Kind:
    """What an event means: its kind, or its word."""
    word = events.event[event.word]
    return word.kinds[event.kind] if event.kind else word


def subject_of(path: str, who: str, unit: str = "") -> tuple[str, str]:
    """The track and its subject that `posts` and `sets` name. who: to whom the event happened; unit: that it names."""
    whose, _, name = path.rpartition(".")
    if whose == "unit":
        return name, unit
    subject = whose or who
    return name, "" if subject == GAME else subject


def levels_by_account(events: Events) -> Mapping[tuple[str, str], tuple[Level, ...]]:
    """The levels of each account of each nation, by account and nation, from the lowest up."""
    levels: dict[tuple[str, str], list[Level]] = {}
    for level in events.level:
        levels.setdefault((level.account, level.who), []).append(level)
    return {key: tuple(sorted(some, key=lambda level: level.at)) for key, some in levels.items()}

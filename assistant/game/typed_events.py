"""Events as players type them and as journals write them."""

from __future__ import annotations

from collections.abc import Mapping

from ..util.errors import InputError, UnknownWord, format_suggestion, nearest, quoted
from ..util.memo import Memo
from ..util.texts import folded, natural
from .course import GAME
from .events import AccountLevel, Event, Events, EventWord, Kind, find_subject, happens_to, read_events
from .games import Game
from .turn_record import list_people

_NAMES: Memo[None, Mapping[str, str]] = Memo()
"""The cached names of nations, sides and the game."""


def holder_names(game: Game, events: Events) -> Mapping[str, str]:
    """Return the nations, the sides and the game by short name, name and title.

    Names are in small letters without accents, with hyphens between words.
    """

    def read() -> Mapping[str, str]:
        titles = {game.file.title_of(who): who for who in list_people(game)}
        named = {**titles, **{who: who for who in (*list_people(game), GAME)}, **events.short}
        return {_write_name(name): who for name, who in named.items()}

    return game.memo(_NAMES, None, read)


def _write_name(text: str) -> str:
    return "-".join(folded(text).split())


def find_short_name(events: Events, who: str) -> str:
    """Return the first short name of a nation, a side or the game, or its name if it has none."""
    return next((short for short, name in events.short.items() if name == who), who)


def shorts(events: Events) -> dict[str, str]:
    """Return the nations and sides by their first short name."""
    return {find_short_name(events, who): who for who in events.short.values()}


def leading_name(game: Game, events: Events, text: str) -> tuple[str, str]:
    """Return the short name of the nation, side or game at the beginning of a text, or "", and the rest."""
    words = text.split()
    names = holder_names(game, events)
    longest = max((name.count("-") + 1 for name in names), default=0)
    for count in range(min(len(words), longest), 0, -1):
        if who := names.get(_write_name(" ".join(words[:count]).strip('"'))):
            return find_short_name(events, who), " ".join(words[count:])
    return "", text


def find_named(game: Game, text: str) -> str:
    """Return the nation or side that a text names, or "" if it names none."""
    return holder_names(game, read_events(game)).get(_write_name(text), "")


def find_holder(game: Game, events: Events, text: str) -> str:
    """Return the nation or side with a short name, name or title, or "game" for the game.

    Raises UnknownWord with the nearest names if there is none.
    """
    names = holder_names(game, events)
    name = _write_name(text)
    if who := names.get(name):
        return who

    def hint() -> str:
        short_names = dict.fromkeys(
            find_short_name(events, who) for known, who in names.items() if name and known.startswith(name)
        )
        return (
            f"write: {' or '.join(short_names)}"
            if short_names
            else nearest(name, names) or f"known: {', '.join(shorts(events) or names)}"
        )

    raise UnknownWord(f"{text[:40]!r} is neither a nation nor a side", hint=hint)


def read_event(game: Game, events: Events, who: str, text: str) -> Event:
    """Parse an event after its nation or side, `dm 22 Sabac`: WORD [AMOUNT] [KIND] [NOTE].

    Raises InputError if the word, amount or kind is wrong, or if the event cannot happen to the nation.
    """
    word, _, rest = text.strip().partition(" ")
    event = events.event.get(word.casefold())
    if event is None:
        raise _event_error(game, events, who, word, rest)
    word = word.casefold()
    if event.on != find_subject(game, who):
        raise InputError(f"`{word}` is an event of a {event.on}", hint=f"write: {write_example(events, word)}")
    _check_happens(who, word, event.only)
    first, _, after_amount = rest.strip().partition(" ")
    amount = _read_amount(word, event, first)
    rest = rest.strip()
    if amount is not None:
        rest = after_amount.strip()
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
    return Event(who, word, amount=amount, kind=kind, unit=unit, note=rest)


def _check_happens(who: str, what: str, only: tuple[str, ...]) -> None:
    if only and who not in only:
        raise InputError(f"`{what}` does not happen to {who}", hint=f"only to {', '.join(only)}")


def _event_error(game: Game, events: Events, who: str, word: str, rest: str) -> InputError:
    """Return the error of an unknown event, with the nearest events of the nation, or with an example."""
    own_events = [name for name, event in events.event.items() if happens_to(game, event, who)]
    short = find_short_name(events, who)
    second = rest.strip().partition(" ")[0].casefold()
    if natural(word) is not None and second in events.event and events.event[second].least is not None:
        return InputError("the amount stands after the event", hint=f"write: {short} {second} {word}")
    if not word:
        example = f"write: {write_example(events, own_events[0], who)}; " if own_events else ""
        return InputError(f"what happened to {who} is missing", hint=f"{example}events: {', '.join(own_events)}")
    return InputError(
        f"{word[:20]!r} is not an event", hint=format_suggestion(word.casefold(), own_events, _MAX_LISTED)
    )


_MAX_LISTED = 30
"""The maximum number of events or kinds listed if none is near."""


def _read_amount(word: str, event: EventWord, text: str) -> int | None:
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
    """Return the kind of an event, or "" if it has none, and the rest of the text.

    A kind may be typed as two words in either order, or without the nation: `mountain` for `italian-mountain`.
    """
    words = [part.casefold() for part in text.split()[:2]]
    joined_words = ["-".join(words), "-".join(reversed(words))] if len(words) == 2 else []
    for name in (*joined_words, *(f"{who}-{first}" for first in words[:1]), *words[:1]):
        if name in event.kinds:
            count = 2 if name in joined_words else 1
            return name, "".join(text.split(None, count)[count:])
    if event.kinds and not (event.posts or event.sets):
        first = text.partition(" ")[0]
        what = f"`{word}` of what kind: {first[:20]!r} is not one" if first else f"`{word}` needs its kind"
        own_kinds = [name for name, kind in event.kinds.items() if who in (kind.only or (who,))]
        raise InputError(what, hint=format_suggestion(first.casefold(), own_kinds, _MAX_LISTED))
    return "", text


def _read_unit(game: Game, word: str, text: str, short: str) -> tuple[str, str]:
    """Return the unit with the longest name at the beginning of a text, and the rest of the text."""
    words = text.split(" ")
    names = {name.casefold(): name for name in game.roster}
    for count in range(len(words), 0, -1):
        if (name := " ".join(words[:count]).strip('"').casefold()) in names:
            return names[name], " ".join(words[count:])

    def hint() -> str:
        parts = {*text.replace('"', "").casefold().split()}
        matches = [name for name in game.roster if parts and parts <= {*name.casefold().split()}]
        own = [name for name in matches or game.roster if name.casefold().startswith(f"{short} ")]
        nearest_hint = "" if matches else nearest(text, game.roster)
        return (
            nearest_hint or f"write: {' or '.join(map(quoted, (own or matches)[:3]))}"
            if own or matches
            else nearest_hint
        )

    raise InputError(f"`{word}` names no unit that is known: {text[:40]!r}", hint=hint)


def write_example(events: Events, word: str, who: str = "") -> str:
    """Return an example of an event.

    `who`: the nation to which the event happens, or "" if the nation is not known.
    """
    event = events.event[word]
    likely = who or (GAME if event.on == GAME else next(iter(event.only or events.short.values()), event.on))
    kind = next((name for name, kind in event.kinds.items() if likely in (kind.only or (likely,))), "")
    amount = "" if event.least is None else str(max(event.least, min(3, event.most)))
    return " ".join(filter(None, (find_short_name(events, likely), word, amount, kind, "UNIT" if event.unit else "")))


def write_event(events: Events, event: Event) -> str:
    """Return an event as it is typed, with the short name of its nation."""
    unit = f'"{event.unit}"' if " " in event.unit else event.unit
    amount = "" if event.amount is None else str(event.amount)
    return " ".join(
        filter(None, (find_short_name(events, event.who), event.word, amount, event.kind, unit, event.note))
    )


def event_meaning(events: Events, event: Event) -> Kind:
    """Return the changes of an event: those of its kind, or of its word."""
    word = events.event[event.word]
    return word.kinds[event.kind] if event.kind else word


def subject_of(path: str, who: str, unit: str = "") -> tuple[str, str]:
    """Return the track and the subject of a path in `posts` and `sets`."""
    whose, _, name = path.rpartition(".")
    if whose == "unit":
        return name, unit
    subject = whose or who
    return name, "" if subject == GAME else subject


def levels_by_account(events: Events) -> Mapping[tuple[str, str], tuple[AccountLevel, ...]]:
    """Return the levels of each account from the lowest up, by account and nation."""
    levels: dict[tuple[str, str], list[AccountLevel]] = {}
    for level in events.level:
        levels.setdefault((level.account, level.who), []).append(level)
    return {key: tuple(sorted(account_levels, key=lambda level: level.at)) for key, account_levels in levels.items()}

"""Typed lines: one or more entries, checked for likely mistakes, and periods of a journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from ...formats.positions import Asked
from ...game.calendar import parse_date
from ...game.events import Event
from ...game.games import Game
from ...game.typed_events import leading_name, write_example
from ...state.words import SPACED, find_words, name_and_value
from ...util.errors import InputError, similar
from ...util.patterns import late_pattern
from ...util.texts import natural
from .entries import (
    AMEND,
    CORE,
    FACT,
    FORCE,
    KEEP,
    LATE_SIGN,
    STRIKE,
    Amend,
    EntryReader,
    JournalEntry,
    Strike,
    TurnBegins,
)
from .journal import Journal
from .lines import JournalLine

_COMMA = late_pattern(r",(?:\s+|$)")
"""A comma that may separate two entries in a line."""


def read_typed(
    journal: Journal, *texts: str | JournalLine, late: bool = False, force: bool = False
) -> list[JournalEntry]:
    """Return the entries of typed lines, such as `ah dm 22 Sabac`, `turn next`, `amend 212 18`, `undo`.

    Commas separate several entries in a line. Each entry gets the number that it will have. If it names no turn, it
    gets that of a late entry before it, or else the journal's turn after the strikes before it.

    Entries of a line are marked as one line, so that one `undo` strikes them all. A JournalLine keeps its signs.

    Raises InputError if a text has no meaning, or if its turn is an earlier one.
    """
    reader = EntryReader(journal.game, journal.rules.calendar, journal.rules.events, journal.entries)
    typed: list[JournalEntry] = []
    turns = _TurnsLeft(journal)
    turn = journal_turn = journal.turn
    parts = list[tuple[str | JournalLine, bool]]()  # each part with whether it is the first in its line
    for text in texts:
        pieces: Sequence[str | JournalLine] = [text] if isinstance(text, JournalLine) else _split_entries(journal, text)
        parts += [(part, at == 0) for at, part in enumerate(pieces)]
    before: JournalLine | None = None  # the previous part of the same line
    for part, is_first in parts:
        number = journal.last + len(typed) + 1
        if isinstance(part, JournalLine):
            line = msgspec.structs.replace(part, number=number)
        else:
            line = before = _read_line(journal, part, number, turn, None if is_first else before, late=late)
        flags = [*line.flags]
        if late:
            flags.append(LATE_SIGN)
        if force:
            flags.append(FORCE)
        entry = reader.read(msgspec.structs.replace(line, flags=tuple(flags)))
        _check_turn(journal, entry, journal_turn, turn, typed=isinstance(part, str))
        if not isinstance(part, JournalLine):
            _check_note(journal, entry.what.what if isinstance(entry.what, Amend) else entry.what)
        if not entry.late:
            turn = entry.turn
        typed.append(entry)
        if isinstance(entry.what, Strike) and len(typed) < len(parts):  # the strike may undo the beginning of a turn
            turn = journal_turn = turns.find_turn(typed)
    goes_on = (isinstance(part, str) for part, _ in parts[:-1])
    return [
        msgspec.structs.replace(entry, more=entry.more or more)
        for entry, more in zip(typed, (*goes_on, False), strict=True)
    ]


class _TurnsLeft:
    """The turn of a journal after typed strikes.

    As long as only entries that count are struck, the journal is not read anew for each strike.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._entries = journal.counting.entries
        self._count = len(self._entries)  # number of entries without struck ones at the end
        self._struck = set[int]()

    def find_turn(self, typed: Sequence[JournalEntry]) -> int:
        """Return the turn after typed entries, of which the last is a new strike."""
        targets = [getattr(entry.what, "target", 0) for entry in typed[len(self._struck) :]]
        if len(targets) != 1 or targets[0] not in self._numbers:
            return self._journal.with_entries(typed).turn
        self._struck.update(targets)
        while self._count and self._entries[self._count - 1].number in self._struck:
            self._count -= 1
        start = self._journal.start_turn
        return max(self._entries[self._count - 1].turn, start) if self._count else start

    @cached_property
    def _numbers(self) -> frozenset[int]:
        return frozenset(entry.number for entry in self._entries)


def _check_turn(journal: Journal, entry: JournalEntry, now: int, turn: int, *, typed: bool) -> None:
    """Raise InputError if the turn of an entry is over, or if a typed entry is too early or needlessly late.

    `now`: the turn of the journal.
    `turn`: the turn of the previous entry.
    """
    label = journal.label(entry.turn)
    hint = f"the journal stands in {journal.label(turn)}"
    if entry.turn < now and not entry.late:
        raise InputError(f"{label} is over", hint=f"{hint}; begin with `late` for an entry of an earlier turn")
    if typed and entry.late and entry.turn > now:
        raise InputError(f"{label} has not begun", hint=f"{hint}; begin the turn first, without `late`: turn {label}")
    if typed and entry.late and entry.turn == now:
        raise InputError(f"{label} is not over", hint=f"{hint}; leave out `late`")
    if typed and entry.turn > turn + 1 and not isinstance(entry.what, TurnBegins):
        raise InputError(hint, hint=f"begin the turn first: turn {label}")


def _check_note(journal: Journal, what: object) -> None:
    """Raise InputError if a note seems to begin with an amount or a kind, or to contain another event."""
    if not isinstance(what, Event) or not what.note:
        return
    words = what.note.split()
    first = words[0].casefold()
    kinds = _list_other_kinds(journal, what)
    if what.amount is not None and natural(first) is not None:
        hint = f"`{what.word}` has one amount; begin the note otherwise"
        raise InputError(f"{what.amount} and {first[:20]} are two amounts", hint=hint)
    meant_kinds = [kind for kind in kinds if len(first) > 2 and kind.startswith(first)]
    meant_kinds += [kind for kind in kinds if first in ("on", "for") and words[1:2] == [kind]]
    if near := meant_kinds or similar(first, kinds, 0.8, max_words=1):
        what_is_wrong = f"{words[0][:20]!r} is not a kind of `{what.word}`"
        if what.kind:
            what_is_wrong = f"{words[0][:20]!r} may be meant as another kind than {what.kind}"
        raise InputError(what_is_wrong, hint=f"{kinds[near[0]]}, or a note that begins otherwise")
    for start in range(len(words)):
        rest = " ".join(words[start:])
        if _is_event(journal, rest):
            raise InputError(f"{rest[:40]!r} is another event", hint="put a comma before it")


def _list_other_kinds(journal: Journal, event: Event) -> Mapping[str, str]:
    """Return the kinds that words in a note may mean, by the word.

    If the event has no kind, these are all kinds. Otherwise they are the other kinds of its nation, and the ends of
    names that begin with its kind, such as `artillery` of `czech-artillery`.
    """
    kinds = journal.rules.events.event[event.word].kinds
    if not event.kind:
        return {name: name for name in kinds}
    own_kinds = [
        name for name, kind in kinds.items() if event.who in (kind.only or (event.who,)) and name != event.kind
    ]
    prefix = f"{event.kind}-"
    return {name: name for name in own_kinds} | {
        name.removeprefix(prefix): name for name in own_kinds if name.startswith(prefix)
    }


def _split_entries(journal: Journal, text: str) -> list[str]:
    """Split a typed line into entries, at a comma after an amount or before a nation and an event.

    `undo` is split into the strikes of the last line's entries.
    """
    parts = [text.strip()]
    if (undo := read_signs(journal, parts[0])[2]).casefold() == "undo":
        signs = parts[0].removesuffix(undo)
        return [f"{signs}{STRIKE} {entry.number}" for entry in reversed(journal.last_entered())]
    while journal.rules.events.event:
        last = parts.pop()
        halves = _split_at_comma(journal, last)
        if halves is None:
            parts.append(last)
            break
        parts += halves
    if len(parts) > 1 and not all(parts):
        raise InputError("there is nothing beside a comma", hint="write an entry there, or leave out the comma")
    return parts


def _split_at_comma(journal: Journal, text: str) -> tuple[str, str] | None:
    for comma in _COMMA.finditer(text):
        before = text[: comma.start()]
        after = text[comma.end() :]
        if _ends_with_amount(journal, before) or _is_event(journal, after):
            return before, after
    return None


def _ends_with_amount(journal: Journal, text: str) -> bool:
    words = text.split()
    if len(words) < 2:
        return False
    return words[-2].casefold() in journal.rules.events.event and natural(words[-1]) is not None


def _is_event(journal: Journal, text: str) -> bool:
    who, rest = leading_name(journal.game, journal.rules.events, text)
    return bool(who) and rest.partition(" ")[0].casefold() in journal.rules.events.event


def _read_line(
    journal: Journal, text: str, number: int, turn: int, before: JournalLine | None, *, late: bool
) -> JournalLine:
    """Return a typed entry as a line.

    `number`: its future number.
    `turn`: the turn of the entry unless it names another.
    `before`: the previous entry in the same line, or None.
    """
    flags, label, text = read_signs(journal, text)
    who, what = leading_name(journal.game, journal.rules.events, text)
    head, _, rest = f"{who} {what}".strip().partition(" ")
    head = head.casefold()
    rest = rest.strip()
    if not head:
        raise InputError("the entry is missing", hint=_format_example(journal, "".join(f"{flag} " for flag in flags)))
    if before and before.head == AMEND:
        raise InputError("an amendment stands alone in its line", hint=f"type the other in a separate line: {text}")
    complete = head
    surplus = rest if head == "undo" else ""
    if head in (STRIKE, KEEP):
        target, _, surplus = rest.partition(" ")
        complete = f"{head} {target}"
    if surplus := surplus.strip():
        raise InputError(f"{surplus[:20]!r} is one word too many", hint=f"write: {complete}; one on a line")
    if head == "turn":
        label = _read_next_turn(journal, rest or label)
        rest = ""
    if not label and before and LATE_SIGN in before.flags:
        label = before.turn
        flags = [*flags, LATE_SIGN]
    if (late or LATE_SIGN in flags) and not label:
        if _is_turn(journal, [text, ""]) and " " not in text:
            raise InputError("the entry is missing", hint=_format_example(journal, f"{LATE_SIGN} {text} "))
        raise InputError("the turn of a late entry is missing", hint=f"write: late TURN {text}")
    return JournalLine(number, label or journal.label(turn), tuple(flags), head, rest)


def _format_example(journal: Journal, before: str = "") -> str:
    """Return a hint with an example of a typed entry.

    `before`: the text before the entry.
    """
    events = journal.rules.events
    if not events.event:
        return f"write: {before}{FACT} LINE, a line of position notation"
    return f"write: {before}WHO WHAT AMOUNT NOTE, such as {before}{write_example(events, next(iter(events.event)))}"


def read_signs(journal: Journal, text: str) -> tuple[list[str], str, str]:
    """Return the words `late` and `force` before a typed entry, its turn or "", and the rest of the text."""
    words = text.split(" ")
    flags = list[str]()
    label = ""
    while words and (words[0].casefold() in (LATE_SIGN, FORCE) or (not label and _is_turn(journal, words))):
        word = words.pop(0)
        if word.casefold() in (LATE_SIGN, FORCE):
            flags.append(word.casefold())
        else:
            label = word
    return flags, label, " ".join(words).strip()


def _is_turn(journal: Journal, words: Sequence[str]) -> bool:
    if len(words) < 2 or words[0].casefold() in (*CORE, *journal.rules.events.short):
        return False
    return natural(words[0][:1]) is not None or ("/" in words[0] and words[0][:1].isalpha())


def _read_next_turn(journal: Journal, text: str) -> str:
    """Return the label of the turn that begins: the next, or the named one."""
    turn = journal.turn + 1 if text.casefold() in ("", "next") else journal.rules.calendar.number(text)
    if turn > journal.rules.calendar.last:
        raise InputError(
            "the last turn is over", hint=f"the game ends with {journal.label(journal.rules.calendar.last)}"
        )
    if turn <= journal.turn and journal.counting.entries:
        raise InputError(
            f"{journal.label(turn)} has begun already", hint=f"the journal stands in {journal.label(journal.turn)}"
        )
    return journal.label(turn)


def read_period(words: Sequence[str]) -> tuple[str, str, str]:
    """Return the nation, first and last turn in words such as `ah from=mar16/1 to=may16/7`, each "" if missing."""
    plain = [word for word in words if "=" not in word]
    named = _read_named_words([word for word in words if "=" in word], ("from", "to", "who"))
    return named.get("who", " ".join(plain)), named.get("from", ""), named.get("to", "")


def read_due(journal: Journal, words: Sequence[str]) -> Asked:
    """Return the question `due`, from words such as `ah it until=may16/7` or `ah oct14/3`.

    Words without a name are nations, the first turn, or the last turn.

    Raises InputError for a third turn.
    """
    _check_schedule(journal.game)
    given = _read_named_words([word for word in words if "=" in word])
    game = journal.game
    events = journal.rules.events
    turns = list[str]()
    holders = list[str]()
    text = " ".join(word for word in words if "=" not in word)
    while text:
        who, rest = leading_name(game, events, text)
        first, _, more = text.partition(" ")
        if not who and (parse_date(first) or natural(first) is not None):
            turns.append(first)
        else:
            holders.append(who or first)
        text = rest if who else more
    if len(turns) > 2:
        calendar = journal.rules.calendar
        example = f"due turn={journal.label(journal.turn)} until={calendar.label(calendar.last)}"
        raise InputError(f"{turns[2]} is one turn too many", hint=f"write: {example}")
    parameters = dict(zip(("turn", "until"), turns, strict=False))
    if holders:
        parameters["who"] = ",".join(holders)
    return Asked("due", parameters | given)


def _check_schedule(game: Game) -> None:
    from ...installed.registry import questions_of  # imported late, as most uses of a journal need no question

    questions = questions_of(game)
    if "due" not in questions:
        hint = "`turn` lists what is done in the turn" if "turn" in questions else ""
        raise InputError(f"{game.title} has no schedule of what is due", hint=hint)


def _read_named_words(words: Sequence[str], allowed: Sequence[str] = ()) -> dict[str, str]:
    named = {}
    for word in find_words(" ".join(words), 1, SPACED):
        pair = name_and_value(word)
        if pair is None or (allowed and pair[0] not in allowed):
            hint = f"known: {', '.join(f'{name}=' for name in allowed)}" if allowed else ""
            raise InputError(f"{word.text!r} is not of the form name=value", hint=hint)
        named[pair[0]] = pair[1]
    return named

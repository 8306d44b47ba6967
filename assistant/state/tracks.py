"""Facts and tracks. A fact is a value with its source; a track is a kind of fact, declared in the game's `tracks.toml`.

A track declares its subject (a unit, a hex, the whole game ...), its values, its default, its token in position
notation and its rule. Printed facts have tracks too; a state may override them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec

from ..util.errors import CodeError, InputError, format_suggestion, quoted
from ..util.notes import note as meaning
from ..util.patterns import late_pattern
from ..util.texts import DIRECTION, whole
from .points import format_amounts, format_points, read_amounts, read_points

Value = bool | int | str | tuple[str, ...]
"""The value of a fact: a flag, a whole number, a word or text, or several words."""


class Source(StrEnum):
    """The source of a fact."""

    RULEBOOK = "rulebook"
    PRINTED = "printed"  # the owner's chart, counter or map, from the pack
    STATED = "stated"  # the player, in the position
    DRAWN = "drawn"  # a board drawn from real geography
    RECONSTRUCTION = "reconstruction"  # inferred from what the rulebook says
    MADE_UP = "made-up"  # a chart cell that only fits what the rulebook says of its chart
    ILLUSTRATIVE = "illustrative"  # invented, to show how things work


def read_source(word: str) -> Source:
    """Return the source that a word in a file names. Raises InputError, with a suggestion, if there is none."""
    try:
        return Source(word)
    except ValueError:
        raise InputError(f"{word!r} is not a source", hint=format_suggestion(word, list(Source))) from None


CERTAIN = frozenset({Source.RULEBOOK, Source.PRINTED, Source.STATED})
"""The sources that every answer may rest on; the others count only if the player trusts them."""

SOURCE_RANKS = {
    Source.RULEBOOK: 0,
    Source.PRINTED: 1,
    Source.STATED: 1,
    Source.DRAWN: 2,
    Source.RECONSTRUCTION: 3,
    Source.MADE_UP: 4,
    Source.ILLUSTRATIVE: 4,
}
"""A rank for each source. If two sources contradict each other, the one with the smaller number counts."""


class Fact(msgspec.Struct, frozen=True):
    """A value and its source.

    `assumed`: whether the player is unsure of the value.
    """

    value: Value
    source: Source = Source.STATED
    assumed: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether an answer that depends on this fact must say so."""
        return self.assumed or self.source not in CERTAIN


class Reader:
    """A reader of facts as plain values: a `View`, or a `Gather`, which also asks for missing facts."""

    def value(self, track: str, subject: str = "") -> Value | None:
        """Return the value of a fact, or None if it is unknown.

        For a rating printed on both sides of a counter, the face-up side counts.
        """
        raise NotImplementedError

    def on_front(self, track: str, unit: str) -> int | None:
        """Return a number on the front of a unit's counter, whichever side is up, or None if it is unknown."""
        raise NotImplementedError

    def integer(self, track: str, subject: str = "") -> int:
        """Return a whole number, or 0 if it is unknown. Raises CodeError if the track has words."""
        value = self.value(track, subject)
        if isinstance(value, str | tuple):
            raise CodeError(f"{track!r} is a track of words, not an integer", "read it with `word` or `words`")
        return int(value) if value is not None else 0

    def flag(self, track: str, subject: str = "") -> bool:
        """Return a flag, or False if it is unknown."""
        return bool(self.value(track, subject))

    def word(self, track: str, subject: str = "") -> str:
        """Return a word or a text, or "" if it is unknown."""
        return str(self.value(track, subject) or "")

    def words(self, track: str, subject: str = "") -> frozenset[str]:
        """Return several words, or an empty set if they are unknown.

        Raises CodeError if the track is of another kind.
        """
        value = self.value(track, subject)
        if value is not None and not isinstance(value, tuple):
            raise CodeError(f"{track!r} is not a track of several words", "read it with `word`, `integer` or `flag`")
        return frozenset(value or ())

    def points(self, track: str, subject: str = "") -> Fraction:
        """Return a number of points, whole or not, or 0 if it is unknown."""
        value = self.value(track, subject)
        if isinstance(value, int):
            return Fraction(value)
        return read_points(str(value)) if value else Fraction(0)

    def amounts(self, track: str, subject: str = "") -> dict[str, Fraction]:
        """Return points by the word for their use, or {} if they are unknown."""
        return read_amounts(self.word(track, subject))


# --- tracks ---


Subject = Literal["unit", "hex", "hexside", "box", "army", "nation", "side", "game"]
Kind = Literal["flag", "integer", "choice", "choices", "text"]
Named = Literal["hex", "hexes", "stretches", "unit", "turn", "points", "amounts"]
"""The things that a text may name.

`stretches`: hexes, and stretches down a column by their two ends.
`unit`: a unit of the roster or the position.
`points`: a number, whole or not.
`amounts`: words, each with points.
"""
Number = Annotated[int, msgspec.Meta(ge=-999_999_999, le=999_999_999)]
"""A number that a file may declare, with no more digits than a typed one."""
_EXAMPLE_OF_AMOUNTS = "march:4.5+position:2"
_TAKES: Mapping[Named | None, str] = {
    None: "text",
    "hex": "a hex, or none",
    "hexes": "hexes with spaces between, or none",
    "stretches": "hexes and stretches down a column, such as 44.18-44.22 45.19, or none",
    "unit": "a unit by its id, or none",
    "turn": "a turn such as mar16/5, or its number where turns are numbered, or none",
    "points": "a number such as 4, 4.5 or 51/14, or none",
    "amounts": f"words with their points, such as {_EXAMPLE_OF_AMOUNTS}, or none",
}
_AMOUNTS = late_pattern(r"[\w.-]+:[0-9]+(?:\+[\w.-]+:[0-9]+)*")
"""Words with their points, as in the example in a track's note."""
_MAX_NUMBERS_LISTED = 1001
"""The maximum number of numbers listed."""
ENEMY = "enemy."
"""The prefix in `adds_to` for the sum of the other sides."""
NONE = "none"
"""The notation of an empty text and of an empty list of words."""


class InModule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The way in which a VASSAL module's counters show and change a fact."""

    menu: Annotated[tuple[str, ...], meaning("commands for the next and the previous value, or to type a text")]
    keys: Annotated[tuple[str, ...], meaning("letters that do the same with Ctrl, or `Shift+L` with both")] = ()
    at: Annotated[
        tuple[float, float], meaning("where the tag is: right and down from the middle, in sides of the counter")
    ] = (0.0, 0.0)
    tag: Annotated[str, meaning("the text, `{}` standing for the value")] = "{}"
    words: Annotated[dict[str, str], meaning("by value, its short form on the tag")] = {}
    says: Annotated[
        dict[str, str], meaning("by value, what the chat says of the unit or hex; `*` for all others, `{}` their value")
    ] = {}
    adds: Annotated[
        str,
        meaning("what answers say of a number that has grown: `{more}` stands for the difference, `{total}` for all"),
    ] = ""
    colour: Annotated[str, meaning("colour of the tag, as #rrggbb")] = "#8c1f28"
    needs: Annotated[str, meaning("a track printed on counters that a counter must have for this one")] = ""
    flips: Annotated[bool, meaning("shown by the counter's other side")] = False
    group: Annotated[str, meaning("the submenu that holds its commands")] = ""
    covers: Annotated[
        bool, meaning("the marker lies on a stack and keeps it out of the other sides' sight; one for each nation")
    ] = False


class Owed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that players must still do, or may do at once, while a fact is stated."""

    text: Annotated[
        str,
        meaning(
            "in words; figures: the subject by its kind, such as {unit}, the {place} of a unit, the {value}, and tracks of "
            "the subject"
        ),
    ]
    ask: Annotated[str, meaning("the question to ask, with its parameters: displace unit={unit}")] = ""
    until: Annotated[tuple[str, ...], meaning("tracks of the same subject: nothing is owed once one is stated")] = ()
    hex: Annotated[
        Literal["empty", "occupied"] | None,
        meaning("of a hex: nothing is owed while the hex is not so, None if that does not matter"),
    ] = None
    needs: Annotated[str, meaning("a track of the same subject: nothing is owed while it is not stated")] = ""

    @property
    def question(self) -> str:
        """The name of the question to ask, or "" if there is none."""
        return self.ask.partition(" ")[0]


class Track(msgspec.Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """One kind of fact."""

    name: Annotated[str, meaning("the name in files and JSON")]
    title: Annotated[str, meaning("the name in messages, in the game's terms")]
    note: Annotated[str, meaning("a further explanation")] = ""
    on: Annotated[
        Subject,
        meaning('what the facts are about, such as a unit or a hex; rivers, roads and railways are about a "hexside"'),
    ]
    kind: Annotated[Kind, meaning("a flag, an integer, a word of `values`, several of them, or any text")]
    rule: Annotated[str, meaning("the rule that defines the track, if the game names one")] = ""
    values: tuple[str, ...] = ()
    instead: Annotated[str, meaning("what to state in place of a word that is not among `values`")] = ""
    names: Annotated[
        Named | None,
        meaning(
            "what a text names, None for any text; `regular_text` checks and spells it; `turn` of an integer that numbers a turn"
        ),
    ] = None
    least: Annotated[Number | None, meaning("of an integer, None if unlimited")] = None
    most: Number | None = None
    below: Annotated[str, meaning("a track of the same subject that the number stays below, as lost steps do")] = ""
    back: Annotated[str, meaning("a printed track that takes the place of this one on the back of a counter")] = ""
    absent: Annotated[Value | None, meaning("the default; None if unknown: a rule then asks for it")] = None
    printed: Annotated[Literal["counter", "map"] | None, meaning("where it is printed, None if it varies")] = None
    kinds: Annotated[tuple[str, ...], meaning("words of the unit symbols that always have it; rare on others")] = ()
    hidden: Annotated[bool, meaning("never shown to another side, where intelligence is limited")] = False
    adds_to: Annotated[
        str, meaning("the sum to which an account adds, as `vp` of the same side, or `enemy.vp` of the other ones")
    ] = ""
    public: Annotated[bool, meaning("known to every side that sees the unit, as it came about openly")] = False
    ends_with: Annotated[tuple[str, ...], meaning("tracks of the game whose change ends it; x=y: to y")] = ()
    ended_by: Annotated[tuple[str, ...], meaning("steps of `course.toml` that take it off, or state it again")] = ()
    ends_on_leaving: Annotated[
        bool, meaning("of a unit: ends as well once the unit has left its hex, unless that is stated with it")
    ] = False
    lasts: Annotated[bool, meaning("holds until a rule or a player changes it, however many turns pass")] = False
    unless: Annotated[
        dict[str, str],
        meaning(
            "of a turn that may lie ahead, by nation or side: the fact that, once it has happened, keeps it from coming"
        ),
    ] = {}
    owed: Annotated[
        Owed | None, meaning("what is still to be done while it is stated, None if it asks for nothing")
    ] = None
    token: Annotated[str, meaning('in notation, `{}` for the value: "cel={}", "-{}"; "{}" for the bare word')] = ""
    module: Annotated[InModule | None, meaning("how a module's counters show it; None if they do not")] = None

    @property
    def written(self) -> str:
        """The token in position notation, with `{}` for the value."""
        return self.token or (self.name if self.kind == "flag" else f"{self.name}={{}}")

    @property
    def sum_of(self) -> tuple[str, bool]:
        """The track of the sum to which this track adds, or "", and whether it is the sum of the other sides."""
        name = self.adds_to.removeprefix(ENEMY)
        return name, name != self.adds_to

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, whole or not."""
        return self.kind == "integer" or self.names == "points"

    @property
    def is_marker(self) -> bool:
        """Whether the fact is a marker on the map, not printed there. Such a track declares the end of its facts."""
        return self.printed is None and self.on in ("unit", "hex", "hexside", "box")

    @property
    def may_hold_elsewhere(self) -> bool:
        """Whether a player may state one value for all hexes or hexsides that are not known otherwise.

        Printed ground and tracks without a default allow it, such as control of a hex. Hidden tracks do not, because
        such a statement is not cut from the view of a side.
        """
        has_words = self.kind in ("flag", "choice", "choices")
        is_on_hexes = self.on in ("hex", "hexside")
        return has_words and is_on_hexes and not self.hidden and (self.printed == "map" or self.absent is None)

    def check_elsewhere(self, value: Any) -> Value:
        """Return a value in its regular form that holds for all hexes or hexsides not known otherwise.

        Raises InputError as `check` does, and if the track allows no such statement.
        """
        if not self.may_hold_elsewhere:
            hint = "state it for each place"
            raise InputError(f"{self.title} cannot be stated for all other hexes or hexsides", hint=hint)
        return self.check(value)

    @property
    def nothing(self) -> Value:
        """The value that stands for nothing: False, 0, the first word of a choice, no words or no text."""
        match self.kind:
            case "flag":
                return False
            case "integer":
                return 0
            case "choice":
                return (self.values or ("",))[0]
            case "choices":
                return ()
            case _:
                return ""

    @property
    def is_passing(self) -> bool:
        """Whether the fact ends with every phase, player turn or turn, not only with a certain one."""
        return any("=" not in end for end in self.ends_with)

    def ends_as(self, became: Mapping[str, Value | None]) -> bool:
        """Return whether changes to facts of the game end this fact.

        `became`: the new values, by track.
        """
        ends = (end.partition("=") for end in self.ends_with)
        return any(name in became and value in ("", str(became[name])) for name, _, value in ends)

    def parse(self, text: str) -> Value:
        """Return the value in a text. Raises InputError, with the allowed values, if the text is not a value."""
        if self.kind == "flag":
            if text.casefold() in ("yes", "no", "true", "false"):
                return text.casefold() in ("yes", "true")
        elif self.kind == "integer":
            if text.startswith("+") and self.least is not None and self.least >= 0:
                hint = f"a + adds nothing here; write the resulting number, as in {self._with_a_number}"
                raise InputError(f"{self.title}: {text!r} is not allowed", hint=hint)
            if (number := whole(text)) is not None:
                return self.check(number)
        elif self.kind == "choices":
            return self.check(tuple(word for word in text.split("+") if word != NONE))
        else:
            return self.check(text)
        raise InputError(f"{self.title}: {text!r} is not allowed", hint=lambda: f"allowed: {self.takes}")

    @property
    def _with_a_number(self) -> str:
        return self.written.replace("{}", str(max(self.least or 0, min(7, 7 if self.most is None else self.most))))

    def check(self, value: Any) -> Value:
        """Return the value in its regular form, with words sorted. Raises InputError if the track does not allow it."""
        match self.kind, value:
            case "choices", list() | tuple():
                words = {self._check_word(word) for word in value}
                return tuple(sorted(words, key=self._order.__getitem__))
            case "choice", str():
                return self._check_word(value)
            case "flag", bool():
                return value
            case "text", str():
                return "" if value.casefold() in ("", NONE) else self._spell(value)
            case "text", int() if self.names == "points" and not isinstance(value, bool):
                return self._spell(str(value))
            case "integer", int() if not isinstance(value, bool) and self._is_allowed(value):
                return value
        raise InputError(f"{self.title}: {value!r} is not allowed", hint=lambda: f"allowed: {self.takes}")

    def _spell(self, text: str) -> str:
        if DIRECTION.search(text):
            raise InputError(f"{self.title}: {text!a} has a mark of writing direction", hint="leave it out")
        try:
            match self.names:
                case "points":
                    return format_points(read_points(text))
                case "amounts":
                    return format_amounts(read_amounts(text))
        except InputError as error:
            raise InputError(f"{self.title}: {error.what}", hint=error.hint) from None
        return text

    @cached_property
    def _by_folded_word(self) -> dict[str, str]:
        return {value.casefold(): value for value in reversed(self.values)}

    @cached_property
    def _order(self) -> dict[str, int]:
        return {value: number for number, value in enumerate(self.values)}

    def _check_word(self, word: str) -> str:
        value = self._by_folded_word.get(str(word).casefold())
        if value is not None:
            return value
        suggestion = format_suggestion(str(word), self.values)
        hint = (lambda: f"{suggestion()}; {self.instead}") if self.instead else suggestion
        raise InputError(f"{self.title}: {word!r} is not allowed", hint=hint)

    @property
    def takes(self) -> str:
        """The allowed values in words."""
        match self.kind:
            case "flag":
                return "yes or no"
            case "integer" if self.least is not None and self.most is not None:
                return f"a whole number from {self.least} to {self.most}"
            case "integer" if self.least is not None:
                return f"a whole number of at least {self.least}"
            case "integer":
                return "a whole number" if self.most is None else f"a whole number of at most {self.most}"
            case "choice":
                return "one of " + ", ".join(self.values)
            case "choices":
                return "none or several of " + ", ".join(self.values)
            case _:
                takes = _TAKES[self.names]
                own_example = _AMOUNTS.search(self.note) if self.names == "amounts" else None
                return takes.replace(_EXAMPLE_OF_AMOUNTS, own_example[0]) if own_example else takes

    def write(self, value: Value) -> str:
        """Return the value as it stands in its token in position notation."""
        if isinstance(value, tuple):
            return "+".join(value) or NONE
        if isinstance(value, bool):
            return "yes" if value else "no"
        return NONE if value == "" else str(value)

    def tag(self, value: Value) -> str:
        """Return the text of the tag that a module's counter shows for a value."""
        written = self.write(value)
        in_module = self.module or InModule(menu=())
        return in_module.tag.replace("{}", in_module.words.get(written, written))

    def said(self, written: str) -> str:
        """Return the words of a module's chat for a new value: `is in Low Supply`, with `{}` for the value.

        `written`: the value in notation.
        """
        says = self.module.says if self.module else {}
        of_flag = {"yes": f"now: {self.title}", "no": f"no longer: {self.title}"} if self.kind == "flag" else {}
        return says.get(written) or says.get("*") or of_flag.get(written) or f"now has {self.title} {{}}"

    def word(self, value: Value) -> str:
        """Return the token or tokens that state a value in position notation."""
        if self.kind == "flag":
            return self.written if value and "{}" not in self.written else f"{self.name}={self.write(value)}"
        if self.written == "{}" and not value:
            return f"{self.name}={self.write(value)}"
        if self.written == "{}" and isinstance(value, tuple):
            return " ".join(value)
        if self.kind == "text":
            return f"{self.name}={quoted(self.write(value))}"
        return self.written.replace("{}", self.write(value))

    def how_to_state(self, subject: str, value: Value | None = None) -> str:
        """Return the line that states this fact about a subject; without a value, it shows the allowed values."""
        word = self.written.replace("{}", self._placeholder) if value is None else self.word(value)
        return self.before(subject) + word

    def before(self, subject: str) -> str:
        """Return the beginning of a line about a subject, before its facts, such as `army 9th`."""
        match self.on:
            case "game":
                return ""
            case "side" | "nation" | "army":
                return f"{self.on} {quoted(subject)} "
            case "hexside":
                return f"{subject} "
            case _:
                return f"{quoted(subject)} "

    @property
    def _placeholder(self) -> str:
        if self.kind in ("choice", "choices"):
            return "|".join(self.values)
        return "N" if self.kind == "integer" else "..."

    def alternatives(self, value: Value) -> tuple[Value, ...]:
        """Return other values of an assumed fact.

        They are other words, none or one of several words, or a number lower or higher by 1.
        """
        if isinstance(value, bool):
            return (not value,)
        if isinstance(value, int):
            return tuple(number for number in (value - 1, value + 1) if self._is_allowed(number))
        if self.kind == "choice":
            return tuple(word for word in self.values if word != value)
        if isinstance(value, tuple):
            return tuple(words for words in ((), *((word,) for word in self.values)) if words != value)
        return ()

    def in_turn(self, max_number: int | None = None) -> tuple[Value, ...]:
        """Return all values, the default first, then the numbers nearest to it, or () if they are too many to list."""
        if self.kind == "flag":
            return (self.absent is True, self.absent is not True)
        if self.kind == "choice":
            return tuple(sorted(self.values, key=lambda word: word != self.absent))
        highest = self._find_highest(max_number)
        if self.kind != "integer" or self.least is None or highest is None:
            return ()
        if highest - self.least >= _MAX_NUMBERS_LISTED:
            return ()
        default = self.absent if isinstance(self.absent, int) else self.least
        return tuple(sorted(range(self.least, highest + 1), key=lambda number: (abs(number - default), number)))

    def farthest(self, max_number: int | None = None) -> Value | None:
        """Return the number farthest from the default, or the default, perhaps None, if the numbers are unlimited."""
        highest = self._find_highest(max_number)
        if self.least is None or highest is None or highest < self.least:
            return self.absent
        default = self.absent if isinstance(self.absent, int) else self.least
        return highest if highest - default >= default - self.least else self.least

    def _find_highest(self, max_number: int | None) -> int | None:
        limits = [limit for limit in (self.most, max_number) if limit is not None]
        return min(limits, default=None)

    def _is_allowed(self, number: int) -> bool:
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)

    def schema(self) -> dict[str, Any]:
        """Return the track's values as JSON Schema."""
        form: dict[str, Any] = {"description": self.title + (f" (rule {self.rule})" if self.rule else "")}
        match self.kind:
            case "flag":
                form["type"] = "boolean"
            case "integer":
                form["type"] = "integer"
                if self.least is not None:
                    form["minimum"] = self.least
                if self.most is not None:
                    form["maximum"] = self.most
            case "choice":
                form["enum"] = list(self.values)
            case "choices":
                form |= {"type": "array", "items": {"enum": list(self.values)}}
            case _:
                form["type"] = "string"
        return form


def flip_tracks(tracks: Mapping[str, Track]) -> tuple[Track, ...]:
    """Return the tracks that a module shows by turning a counter over, or () if no counter has two sides."""
    return tuple(track for track in tracks.values() if track.module and track.module.flips)


def find_left_behind(
    tracks: Mapping[str, Track], facts: Container[tuple[str, str]], units: Iterable[str]
) -> set[tuple[str, str]]:
    """Return the keys of the stated facts that end because units leave their hexes."""
    leaving = [*units]
    ending = [name for name, track in tracks.items() if track.ends_on_leaving] if leaving else []
    return {(name, unit) for name in ending for unit in leaving if (name, unit) in facts}


def check_bound(subject: str, track: Track, fact: Fact, bound: Track, bound_fact: Fact) -> None:
    """Raise InputError if a number is not below its bound, as the lost steps of a unit are below all its steps.

    `bound`, `bound_fact`: the track and the fact that bound the number. A bound of 0 does not count.
    """
    if isinstance(bound_fact.value, int) and isinstance(fact.value, int) and 0 < bound_fact.value <= fact.value:
        raise InputError(
            f"{subject}: {track.title} ({fact.value}) must be below {bound.title} ({bound_fact.value})",
            hint="correct one of the two, or state that it is out of play",
        )

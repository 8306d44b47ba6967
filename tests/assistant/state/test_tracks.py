"""Tracks: the values that each kind takes, how they are written, the words of typed lines, and points that are counted exactly."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from assistant.formats.notation import read_notation
from assistant.game.games import Game, read_game
from assistant.state.points import MAX_DENOMINATOR, MAX_POINTS, format_amounts, format_points, read_amounts, read_points
from assistant.state.tracks import Fact, Reader, Track, Value
from assistant.state.words import Vocabulary, Word, check_signs
from assistant.util.errors import CodeError, InputError, Where

from ...cases import examples


def track(kind: str, **more: Any) -> Track:
    return Track(**{"name": "status", "title": "status", "on": "unit", "kind": kind, "rule": "7.1"} | more)


FLAG = track("flag")
TEXT = track("text")
LEVEL = track("integer", least=-4, most=0)
SUPPLY = track("choice", values=("in", "low", "out"))
GUNS = track("choices", values=("heavy", "High-Trajectory", "field"))

WORDS = ["in", "low", "out", "heavy", "field", "siege"]
numbers = st.none() | st.integers(-20, 20)


@st.composite
def integer_tracks(draw: st.DrawFn) -> Track:
    least, most = draw(numbers), draw(numbers)
    if least is not None and most is not None:
        least, most = min(least, most), max(least, most)
    return track("integer", least=least, most=most)


def worded(kind: str) -> st.SearchStrategy[Track]:
    chosen = st.lists(st.sampled_from(WORDS), min_size=1, unique=True).map(tuple)
    return chosen.map(lambda values: track(kind, values=values))


tracks = st.just(FLAG) | st.just(TEXT) | integer_tracks() | worded("choice") | worded("choices")


def values_of(of: Track) -> st.SearchStrategy[Value]:
    """Values that a track takes, made regular."""
    match of.kind:
        case "flag":
            return st.booleans()
        case "integer":
            return st.integers(-99 if of.least is None else of.least, 99 if of.most is None else of.most)
        case "choice":
            return st.sampled_from(of.values)
        case "choices":
            return st.sets(st.sampled_from(of.values)).map(lambda chosen: tuple(w for w in of.values if w in chosen))
        case _:
            return st.text().filter(lambda text: text.casefold() != "none")


tracks_and_values = tracks.flatmap(lambda of: st.tuples(st.just(of), values_of(of)))
anything = (
    st.booleans()
    | st.integers(-30, 30)
    | st.sampled_from(WORDS)
    | st.text(max_size=3)
    | st.none()
    | st.lists(st.sampled_from(WORDS) | st.integers(-3, 3) | st.text(max_size=3), max_size=4)
)


def takes(of: Track, value: Any) -> bool:
    try:
        of.check(value)
    except InputError:
        return False
    return True


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "text", "value"),
    [
        (FLAG, "yes", True),
        (FLAG, "True", True),
        (FLAG, "NO", False),
        (FLAG, "false", False),
        (LEVEL, "-4", -4),
        (LEVEL, "0", 0),
        (LEVEL, "+0", 0),
        (track("integer"), "+12", 12),
        (track("integer"), "007", 7),
        (SUPPLY, "Low", "low"),
        (GUNS, "field+heavy", ("heavy", "field")),
        (GUNS, "heavy+heavy", ("heavy",)),
        (GUNS, "Heavy+high-trajectory", ("heavy", "High-Trajectory")),
        (GUNS, "none", ()),
        (TEXT, "41.19", "41.19"),
        (TEXT, "", ""),
    ],
)
def test_what_a_text_stands_for(of: Track, text: str, value: Value) -> None:
    parsed = of.parse(text)
    assert (parsed, type(parsed)) == (value, type(value))


@pytest.mark.parametrize(
    ("of", "text", "what", "hint"),
    [
        (FLAG, "maybe", "status: 'maybe' is not allowed", "allowed: yes or no"),
        (FLAG, "", "status: '' is not allowed", "allowed: yes or no"),
        (LEVEL, "1", "status: 1 is not allowed", "allowed: a whole number from -4 to 0"),
        (LEVEL, "-5", "status: -5 is not allowed", "allowed: a whole number from -4 to 0"),
        (LEVEL, "-1.5", "status: '-1.5' is not allowed", "allowed: a whole number from -4 to 0"),
        (LEVEL, "", "status: '' is not allowed", "allowed: a whole number from -4 to 0"),
        (track("integer", least=0), "-1", "status: -1 is not allowed", "allowed: a whole number of at least 0"),
        (track("integer"), "1234567890", "status: '1234567890' is not allowed", "allowed: a whole number"),
        (SUPPLY, "lo", "status: 'lo' is not allowed", "nearest known: low"),
        (SUPPLY, "abundant", "status: 'abundant' is not allowed", "known: in, low, out"),
        (GUNS, "heavy+siege", "status: 'siege' is not allowed", "known: High-Trajectory, field, heavy"),
        (GUNS, "", "status: '' is not allowed", "known: High-Trajectory, field, heavy"),
    ],
)
def test_what_stands_for_nothing(of: Track, text: str, what: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        of.parse(text)
    assert (caught.value.what, caught.value.hint) == (what, hint)


@pytest.mark.parametrize(
    ("of", "value"),
    [
        (FLAG, 1),
        (FLAG, "yes"),
        (LEVEL, True),
        (LEVEL, False),
        (LEVEL, -1.0),
        (LEVEL, "-1"),
        (SUPPLY, ("in",)),
        (SUPPLY, 1),
        (GUNS, "heavy"),
        (GUNS, ["heavy", "siege"]),
        (GUNS, None),
        (TEXT, 41),
        (TEXT, None),
    ],
)
def test_a_value_of_another_kind_is_refused(of: Track, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        of.check(value)
    assert caught.value.hint


@given(tracks_and_values)
def test_what_a_track_takes_is_left_as_it_is_and_reads_back(case: tuple[Track, Value]) -> None:
    of, value = case
    checked = of.check(value)
    assert (checked, type(checked)) == (value, type(value))
    assert of.parse(of.write(value)) == value, "as it is written too"
    if isinstance(value, tuple):
        assert of.check([*reversed(value), *value]) == value, "several words stand in the order of the game"


@given(tracks, st.text(max_size=8) | st.sampled_from([*WORDS, "none", "in+low", "-3", "yes"]))
def test_any_text_is_a_value_of_the_track_or_an_input_error(of: Track, text: str) -> None:
    try:
        value = of.parse(text)
    except InputError:
        return
    assert of.check(value) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "yes"), (False, "no"), (-3, "-3"), (0, "0"), ("low", "low"), (("heavy", "field"), "heavy+field"), ((), "none")],
)  # fmt: skip
def test_values_as_they_are_written(value: Value, text: str) -> None:
    assert TEXT.write(value) == text


# --- what a track says of itself --------------------------------------------------------------------------------------


def test_the_value_that_says_that_nothing_is_there() -> None:
    every = [FLAG, track("integer"), SUPPLY, GUNS, TEXT]
    assert [of.nothing for of in every] == [False, 0, "in", (), ""]


# --- alternatives -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "value", "others"),
    [
        (FLAG, True, {False}),
        (FLAG, False, {True}),
        (LEVEL, -2, {-3, -1}),
        (LEVEL, 0, {-1}),
        (LEVEL, -4, {-3}),
        (track("integer", least=3, most=3), 3, set()),
        (SUPPLY, "low", {"in", "out"}),
        (GUNS, (), {("heavy",), ("High-Trajectory",), ("field",)}),
        (GUNS, ("heavy",), {(), ("High-Trajectory",), ("field",)}),
        (GUNS, ("heavy", "field"), {(), ("heavy",), ("High-Trajectory",), ("field",)}),
        (TEXT, "anything", set()),
    ],
)
def test_other_values_that_a_doubtful_fact_might_have(of: Track, value: Value, others: set[Value]) -> None:
    assert set(of.alternatives(value)) == others


@given(tracks_and_values.filter(lambda case: case[1] != ()))
def test_alternatives_are_others_and_the_track_takes_them(case: tuple[Track, Value]) -> None:
    of, value = case
    others = of.alternatives(value)
    assert value not in others and len(set(others)) == len(others)
    assert [of.check(other) for other in others] == list(others)


# --- JSON Schema ------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(400), deadline=None)
@given(tracks, anything)
def test_the_schema_takes_exactly_what_check_takes(of: Track, value: Any) -> None:
    assert Draft202012Validator(of.schema()).is_valid(value) == takes(of, value)


@given(tracks_and_values)
def test_the_schema_takes_every_value_of_the_track(case: tuple[Track, Value]) -> None:
    of, value = case
    Draft202012Validator.check_schema(of.schema())
    Draft202012Validator(of.schema()).validate(list(value) if isinstance(value, tuple) else value)


@given(integer_tracks(), st.integers(-22, 22))
def test_the_schema_has_the_bounds_of_the_track(of: Track, number: int) -> None:
    within = (of.least is None or of.least <= number) and (of.most is None or number <= of.most)
    assert (Draft202012Validator(of.schema()).is_valid(number), takes(of, number)) == (within, within)


def test_the_schema_describes_the_track_and_publishes_regular_words_only() -> None:
    assert SUPPLY.schema() == {"description": "status (rule 7.1)", "enum": ["in", "low", "out"]}
    assert (takes(SUPPLY, "LOW"), Draft202012Validator(SUPPLY.schema()).is_valid("LOW")) == (True, False)


# --- what to type -----------------------------------------------------------------------------------------------------

GAME = """
title = "Drill"
about = "Made up for the tests."
[grid]
[notation]
identity = []
[sides]
blue = ["bavarian"]
"""

#: name: on, kind, and whatever else is declared
DECLARED = {
    "reduced": 'on = "unit"\nkind = "flag"',
    "turned": 'on = "unit"\nkind = "flag"\ntoken = "flipped"',
    "lost": 'on = "unit"\nkind = "integer"\ntoken = "-{}"',
    "level": 'on = "unit"\nkind = "integer"\nleast = -4\nmost = 4',
    "supply": 'on = "unit"\nkind = "choice"\nvalues = ["in", "low"]',
    "arm": 'on = "unit"\nkind = "choice"\nvalues = ["foot", "horse"]\ntoken = "{}"',
    "guns": 'on = "unit"\nkind = "choices"\nvalues = ["heavy", "field"]',
    "corps": 'on = "unit"\nkind = "text"',
    "terrain": 'on = "hex"\nkind = "choice"\nvalues = ["clear", "wood"]\ntoken = "{}"',
    "fort": 'on = "hex"\nkind = "flag"',
    "barrier": 'on = "hexside"\nkind = "choices"\nvalues = ["river", "ridge"]\ntoken = "{}"',
    "turn": 'on = "game"\nkind = "integer"',
    "storm": 'on = "game"\nkind = "flag"',
    "morale": 'on = "side"\nkind = "integer"',
}


@pytest.fixture
def drill(tmp_path: Path) -> Game:
    tables = (f'[{name}]\ntitle = "{name}"\nrule = "1"\n{said}\n' for name, said in DECLARED.items())
    (tmp_path / "game.toml").write_text(GAME, "utf-8")
    (tmp_path / "tracks.toml").write_text("\n".join(tables), "utf-8")
    return read_game("drill", tmp_path)


def stated(game: Game, line: str, unit: str = "1 H") -> dict[tuple[str, str], Fact]:
    """The facts that a line states about a position with two units."""
    text = f'game drill\n0101: 2/7, "{unit}"\n{line}\n'
    return dict(read_notation(text.encode(), "x.pos", lambda name: game).state.facts)


@pytest.mark.parametrize(
    ("name", "subject", "how"),
    [
        ("reduced", "2/7", "2/7 reduced"),
        ("lost", "2/7", "2/7 -N"),
        ("level", "2/7", "2/7 level=N"),
        ("supply", "2/7", "2/7 supply=in|low"),
        ("supply", "1 H", '"1 H" supply=in|low'),
        ("arm", "2/7", "2/7 foot|horse"),
        ("guns", "2/7", "2/7 guns=heavy|field"),
        ("corps", "2/7", "2/7 corps=..."),
        ("terrain", "0101", "0101 clear|wood"),
        ("terrain", "Dead Pile", '"Dead Pile" clear|wood'),
        ("barrier", "0101|0102", "0101|0102 river|ridge"),
        ("turn", "", "turn=N"),
        ("storm", "", "storm"),
    ],
)
def test_what_to_type_shows_the_allowed_values(name: str, subject: str, how: str, drill: Game) -> None:
    assert drill.track(name).how_to_state(subject) == how


@pytest.mark.parametrize(
    ("name", "subject", "value"),
    [
        ("reduced", "2/7", True),
        ("reduced", "2/7", False),
        ("turned", "2/7", True),
        ("turned", "2/7", False),
        ("lost", "2/7", 3),
        ("lost", "2/7", 0),
        ("level", "2/7", -4),
        ("level", "2/7", 4),
        ("supply", "2/7", "low"),
        ("supply", "1 H", "low"),
        ("arm", "2/7", "horse"),
        ("guns", "2/7", ("heavy", "field")),
        ("guns", "2/7", ()),
        ("corps", "2/7", "XX"),
        ("corps", "2/7", "XX R"),
        ("terrain", "0101", "wood"),
        ("fort", "0101", False),
        ("barrier", "0101|0102", ("ridge",)),
        ("barrier", "0101|0102", ("river", "ridge")),
        ("barrier", "0101|0102", ()),
        ("turn", "", 12),
        ("storm", "", True),
        ("storm", "", False),
        ("morale", "blue", 7),
    ],
)
def test_what_to_type_reads_back_through_the_notation(name: str, subject: str, value: Value, drill: Game) -> None:
    line = drill.track(name).how_to_state(subject, value)
    assert stated(drill, line) == {(name, subject): Fact(value)}


@pytest.mark.parametrize(("name", "subject"), [("reduced", "2/7"), ("turned", "2/7"), ("fort", "0101"), ("storm", "")])
def test_a_flag_that_is_asked_for_can_be_typed_as_shown(name: str, subject: str, drill: Game) -> None:
    assert stated(drill, drill.track(name).how_to_state(subject)) == {(name, subject): Fact(True)}


def test_no_text_is_written_and_read_as_none() -> None:
    assert (TEXT.parse("none"), TEXT.check("None"), TEXT.parse("")) == ("", "", "")
    assert (TEXT.write(""), TEXT.word(""), TEXT.word("XX R")) == ("none", "status=none", 'status="XX R"')


class Known(Reader):
    """Reads one fact."""

    def __init__(self, known: Value | None) -> None:
        self.known = known

    def value(self, track: str, subject: str = "") -> Value | None:
        return self.known if (track, subject) == ("status", "1/1") else None


@pytest.mark.parametrize(
    ("known", "integer", "flag", "word", "words"),
    [
        (3, 3, True, "3", CodeError),
        (0, 0, False, "", CodeError),
        (True, 1, True, "True", CodeError),
        (False, 0, False, "", CodeError),
        ("low", CodeError, True, "low", CodeError),
        (("a", "b"), CodeError, True, "('a', 'b')", {"a", "b"}),
        (None, 0, False, "", set()),
    ],
)
def test_a_fact_is_read_as_the_plain_value_that_is_wanted_and_as_no_other_kind(
    known: Value | None, integer: object, flag: bool, word: str, words: object
) -> None:
    def read(name: str) -> object:
        try:
            return getattr(Known(known), name)("status", "1/1")
        except CodeError as error:
            assert "'status' is" in error.what
            assert error.hint.startswith("read it with ")
            return CodeError

    assert tuple(map(read, ("integer", "flag", "word", "words"))) == (integer, flag, word, words)
    reader = Known(known)
    assert (reader.integer("status"), reader.flag("status"), reader.word("status")) == (0, False, "")


def test_the_example_of_amounts_is_that_of_the_track() -> None:
    plain = Track(name="spent", title="spent", on="unit", kind="text", names="amounts")
    assert plain.takes == "words with their points, such as march:4.5+position:2, or none"
    own = msgspec.structs.replace(plain, note="by leader; as brusilov:1+francois:1")
    assert own.takes == "words with their points, such as brusilov:1+francois:1, or none"
    place = msgspec.structs.replace(plain, note="as 88.68:12, those of single track counted twice")
    assert place.takes == "words with their points, such as 88.68:12, or none"


# --- the words of typed lines -----------------------------------------------------------------------------------------

RAIL = Track(name="rail", title="railway", on="hexside", kind="choice", rule="", values=("none", "single"), token="{}")
RIVER = Track(name="river", title="river", on="hexside", kind="choice", rule="", values=("none", "minor"), token="{}")
VOCABULARY = Vocabulary({"rail": RAIL, "river": RIVER})


def test_a_word_of_two_tracks_has_to_say_which_is_meant() -> None:
    with pytest.raises(InputError) as caught:
        VOCABULARY.read("hexside", Word("None", 1))
    assert (caught.value.what, caught.value.hint) == (
        "'None' can be a fact of rail or river",
        "write rail=None or river=None",
    )
    assert VOCABULARY.read("hexside", Word("river=None", 1)) == (RIVER, Fact("none"))
    assert VOCABULARY.read("hexside", Word("minor", 1)) == (RIVER, Fact("minor"))


def test_a_track_without_its_value_is_told_what_it_takes() -> None:
    assert VOCABULARY.suggest("hexside", "Rail") == "state its value: one of none, single"


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("0101 \u201cMill\u201d", 6),
        ("0101 \u2013 0102", 6),
        ("0101 a; 0102", 7),
        ("0101 a\u202eb", 7),
        ('0101 "a" "b', 10),
    ],
)
def test_a_sign_of_word_processors_is_told_with_its_column(line: str, column: int) -> None:
    with pytest.raises(InputError) as caught:
        check_signs(line, lambda found: Where("typed", 1, found))
    assert str(caught.value.where) == f"typed:1:{column}"


# --- points -----------------------------------------------------------------------------------------------------------

POINTS = st.fractions(0, MAX_POINTS, max_denominator=MAX_DENOMINATOR)


@pytest.mark.parametrize(
    ("written", "meant", "spelled"),
    [
        ("4", Fraction(4), "4"),
        ("4.5", Fraction(9, 2), "4.5"),
        ("4-1/2", Fraction(9, 2), "4.5"),
        ("51/14", Fraction(51, 14), "51/14"),
        ("0.25", Fraction(1, 4), "1/4"),
    ],
)
def test_numbers_are_written_as_on_the_counter_or_as_a_sum_gives_them(
    written: str, meant: Fraction, spelled: str
) -> None:
    assert read_points(written) == meant
    assert format_points(meant) == spelled


@pytest.mark.parametrize("wrong", ["", "x", "-3", "1000", "1/0", "1/100", "1e9", "4.333", "4 1/2"])
def test_anything_else_is_refused(wrong: str) -> None:
    with pytest.raises(InputError):
        read_points(wrong)


@given(POINTS)
def test_the_regular_spelling_means_the_same(points: Fraction) -> None:
    assert read_points(format_points(points)) == points


@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}(-[a-z]{1,4})?", fullmatch=True), POINTS.filter(bool), max_size=4))
def test_what_they_were_spent_on_comes_back(amounts: dict[str, Fraction]) -> None:
    assert read_amounts(format_amounts(amounts)) == amounts


def test_the_same_twice_is_added_up_and_nothing_is_left_out() -> None:
    assert format_amounts(read_amounts("march:4+position:2+march:1/2+rail:0")) == "march:4.5+position:2"


@pytest.mark.parametrize("sum", ["march:999+march:1", "march:1/97+march:1/89"])
def test_a_sum_that_no_fact_may_state_is_refused(sum: str) -> None:
    with pytest.raises(InputError, match="is not a possible number of points"):
        read_amounts(sum)
    assert read_amounts("march:998+march:1/2+march:1/2") == {"march": Fraction(999)}

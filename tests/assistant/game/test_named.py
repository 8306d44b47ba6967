"""A hex is a hex however it is typed, and so is a unit: in every fact that names one and in every parameter of every question."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from assistant.asking.parameters import ParameterError, read_parameters
from assistant.asking.question import Question
from assistant.asking.report import MissingFacts
from assistant.asking.view import View
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game, questions_of
from assistant.state.tracks import Track
from assistant.testing import typed
from assistant.util.errors import InputError

from ...cases import few

GAMES = [load_game(name) for name in installed_games()]
NAMING = [(game, track) for game in GAMES for track in game.tracks.values() if track.names and track.names != "turn"]
SPELLED = {
    "hex": {"4119": "41.19", "41.19": "41.19"},
    "hexes": {'"4119 41.20"': "41.19 41.20", '"41.19, 4120"': "41.19 41.20"},
    "stretches": {'"4119-4122 43.19"': "41.19-41.22 43.19", "4119": "41.19"},
    "points": {"4": "4", "4-1/2": "4.5", "51/14": "51/14", "0.25": "1/4"},
    "amounts": {"march:4.5+position:2": "march:4.5+position:2", "march:4+march:1/2": "march:4.5"},
    "unit": {"u": "U", "U": "U", '"3 TRAIN"': "3 Train"},
}
WRONG = {
    "hex": ["foo", "99.99", '"41.19 41.20"', "41"],
    "hexes": ["foo", '"41.19 foo"', '"41.19 99.99"'],
    "stretches": ["foo", "41.19-42.19", "41.22-41.19", "41.19-41.20-41.21"],
    "points": ["foo", "1/0", "1000", "1/100", '"4 1/2"'],
    "amounts": ["foo", "4.5", "march:", "march:1000000000"],
    "unit": [],  # it may name one that is gone
}
UNITS = '40.20: german infantry XX U\n41.30: russian corps-train - "3 Train"'
OTHERS = {
    "kaisers-war-in-the-east": '4020: german infantry XXX U\n4125: russian infantry XXX "3 Train"',
    "der-weltkrieg": '4020: german infantry U\n4125: russian infantry "3 Train"',
    "world-undone-east-prussia-1914": '4020: german infantry 8th U\n4130: russian infantry first "3 Train"',
}
"""The units of games whose counters say something else."""
FREE = {
    "column of a chart": {"need": {"column"}},
    "position notation": {"lifelines": {"if"}},
    "a set-up, by the name of its file": {"setup": {"scenario"}, "scenario": {"scenario"}},
    "units with a hex each, which the question checks": {"move": {"drop", "pick"}, "threat": {"if"}},
    "a number of points, which the question checks": {
        "rail-points": {"german", "austro-hungarian", "russian", "european", "warsaw"}
    },
    "a new unit, which its owner names": {"conceal": {"dummy"}},
    "units of the position or off it, which the question checks": {"substitute": {"exchanged", "destroyed"}},
    "steps of the phase that the question checks": {"next": {"leave"}},
    "words of a table that the question checks": {"rebuild": {"kind"}, "spend": {"unit"}, "tank-attack": {"terrain"}},
    "an army or a corps, which the position names": {
        "attachment": {"army"},
        "arrive": {"army", "corps"},
        "attach": {"army", "corps"},
        "control": {"armies"},
        "reach": {"corps"},
        "plans": {"army"},
        "abandon": {"army"},
    },
}
"""The parameters that take any text, by what it is."""


def numbered(game: Game, text: str) -> str:
    """A text as a game numbers its hexes: with a dot or without."""
    return text if "." in game.file.grid.format else text.replace(".", "")


def name_subject(game: Game, track: Track) -> str:
    """Return how a line of notation begins that states a fact of a track, for a position with the unit U."""
    return {
        "game": "",
        "unit": "U",
        "hex": numbered(game, "44.24"),
        "army": 'army "russian Second"',
        "side": f"side {game.side_of('russian')}",
        "nation": "nation russian",
        "hexside": numbered(game, "44.24") + "|" + numbered(game, "44.25"),
    }[track.on]


def stated(game: Game, track: Track, text: str) -> object:
    """The value of a fact about whatever the track is about."""
    line = f"{name_subject(game, track)} {track.name}={numbered(game, text)}"
    position = typed(f"{OTHERS.get(game.id, UNITS)}\n{line}", game)
    (fact,) = (fact for (name, _), fact in position.state.facts.items() if name == track.name)
    return fact.value


@pytest.mark.parametrize(("game", "track"), NAMING, ids=[track.name for _, track in NAMING])
def test_a_fact_that_names_a_hex_or_a_unit_has_one_spelling(game: Game, track: Track) -> None:
    spelled = SPELLED[str(track.names)]
    assert {text: stated(game, track, text) for text in spelled} == {
        text: numbered(game, one) for text, one in spelled.items()
    }
    assert stated(game, track, "none") == ""


@pytest.mark.parametrize(("game", "track"), NAMING, ids=[track.name for _, track in NAMING])
def test_a_fact_that_names_anything_else_is_refused_where_it_stands(game: Game, track: Track) -> None:
    for text in WRONG[str(track.names)]:
        with pytest.raises(InputError) as raised:
            stated(game, track, text)
        assert raised.value.what.startswith(track.title), text
        assert raised.value.where and raised.value.where.line == 4, text
        assert raised.value.hint, text


TURNS = [
    (game, track)
    for game in GAMES
    for track in game.tracks.values()
    if (track.names, track.kind) == ("turn", "text") and track.on != "unit"
]


@pytest.mark.parametrize(("game", "track"), TURNS, ids=[f"{game.id} {track.name}" for game, track in TURNS])
def test_a_turn_has_one_spelling(game: Game, track: Track) -> None:
    about = {"game": "", "nation": "nation german "}[track.on]
    for text in ("mar16/5", "Mar-16/5", '"5 Mar 1916"'):
        state = typed(f"{about}{track.name}={text}", game).state
        assert [fact.value for fact in state.facts.values()] == ["mar16/5"], text
    for text in ("mar16", "soon", "mar16/"):
        with pytest.raises(InputError, match="is not a turn"):
            typed(f"{about}{track.name}={text}", game)


def test_a_unit_may_be_named_before_its_line() -> None:
    position = typed(
        "40.20 clear: german artillery - G asset with=u\n40.21: german infantry XX U", load_game("twilight-in-the-east")
    )
    assert position.state.facts["with", "G"].value == "U"


def test_every_text_about_a_hex_or_a_unit_says_so() -> None:
    """The tracks left are names that a player makes up or reads off a counter, of a corps, an army, a town, the units that
    another one replaces, and moments of play that the game itself spells.
    """
    free = {name for game in GAMES for name, track in game.tracks.items() if track.kind == "text" and not track.names}
    assert free <= {
        "corps",
        "army",
        "complex",
        "named",
        "sad-army",
        "other-clock",
        "line-lost",
        "substitute-for",
        "scenario",
    }


PARAMETERS = [
    (game, question, field.encode_name, get_type_hints(question.parameters, include_extras=True)[field.name])
    for game in GAMES
    for question in questions_of(game).values()
    for field in msgspec.structs.fields(question.parameters)
]


def kinds(annotation: Any) -> set[str]:
    """What a parameter holds: "place", "unit", "side", "nation", "name"; "text" for any text, "" for other values."""
    if get_origin(annotation) is Literal:
        return {""}
    extras = [part.extra for part in get_args(annotation) if isinstance(part, msgspec.Meta) and part.extra]
    marks = {extra["is"] for extra in extras if "is" in extra}
    inner = [kinds(part) for part in get_args(annotation) if not isinstance(part, msgspec.Meta)]
    return marks or set().union(*inner) or {"text" if annotation is str else ""}


def test_every_text_that_a_question_takes_is_a_kind_of_name() -> None:
    free: dict[str, set[str]] = {}
    for _, question, name, annotation in PARAMETERS:
        if "text" in kinds(annotation):
            free.setdefault(question.name, set()).add(name)
    listed = {question: names for of_it in FREE.values() for question, names in of_it.items()}
    assert {(one, name) for one, names in free.items() for name in names - listed.get(one, set())} == set()


def value(game: Game, question: Question[Any, Any], name: str, text: str) -> Any:
    """The value of a parameter that is typed. Raises ParameterError if it is refused."""
    hexes = [game.board("").grid.name(game.board("").grid.middle)]
    usual = UNITS if game.id == "twilight-in-the-east" else f"{hexes[0]}: german infantry XXX U"
    position = typed(OTHERS.get(game.id, usual), game)
    try:
        found = read_parameters(question, View(game, position.state), {name: text})
    except MissingFacts:
        return None  # of another parameter
    at = {field.encode_name: field.name for field in msgspec.structs.fields(question.parameters)}[name]
    read = getattr(found, at)
    return read[0] if isinstance(read, tuple) else read


TYPED = [one for one in PARAMETERS if kinds(one[3]) & {"place", "unit", "side", "nation"}]


@few(60)
@pytest.mark.parametrize(
    ("game", "question", "name", "annotation"),
    TYPED,
    ids=[f"{game.id} {one.name} {name}" for game, one, name, _ in TYPED],
)
def test_a_parameter_takes_a_name_in_any_spelling_and_nothing_else(
    game: Game, question: Question[Any, Any], name: str, annotation: Any
) -> None:
    grid = game.board("").grid
    usual = grid.name(grid.middle)
    spellings = {
        "place": {usual: usual, "".join(filter(str.isalnum, usual)): usual},
        "unit": {"U": "U", "u": "U"},
        "side": {"russian": game.side_of("russian"), "ru": game.side_of("russian"), "a-h": "central-powers"},
        "nation": {"russian": "russian", "ru": "russian", "ah": "austro-hungarian", "a-h": "austro-hungarian"},
    }
    (kind,) = kinds(annotation) & set(spellings)
    if "central-powers" not in game.file.sides:
        del spellings["side"]["a-h"]
    for text, expected in spellings[kind].items():
        assert value(game, question, name, text) in (expected, None), text
    for text in ("foo", "9999.9"):
        with pytest.raises(ParameterError):
            value(game, question, name, text)

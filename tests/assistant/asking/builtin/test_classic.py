"""The combat of a game of data alone, its columns being bands of percentages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.builtin.classic import QUESTION
from assistant.asking.parameters import read_parameters
from assistant.asking.question import answer_question
from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.game.games import Game, read_game
from assistant.game.lint.faults import format_fault
from assistant.game.lint.files import faults
from assistant.game.states import Stated, build_state
from assistant.state.state import Unit
from assistant.state.tracks import Fact
from assistant.util.errors import InputError
from tests.growth import grows_evenly

FILES = {
    "game.toml": """
title = "Fen"
about = "A game of data alone."

[grid]
columns = [1, 9]
rows = [1, 9]

[[roster]]
file = "roster.csv"
source = "printed"

[combat]
attack = "attack"
defence = "defence"
rounding = "bands"
bounds = [0, 50, 75, 100, 150]
chart = "combat"
dice = [1, 6]
rule = "7.2"
""",
    "tracks.toml": "\n".join(
        f'[{track}]\ntitle = "{track}"\non = "unit"\nkind = "integer"\nleast = 0\nprinted = "counter"\nrule = "2"\n'
        for track in ("attack", "defence")
    ),
    "charts.toml": """
[combat]
title = "Combat Table"
rule = "7.3"
file = "combat.csv"
keys = [
    { name = "percent", values = ["under 50", "50", "75", "100", "150"] },
    { name = "roll", least = 1, most = 6, open = true },
]
fields = [{ name = "result", values = ["hold", "back", "gone"] }]
""",
    "roster.csv": "unit,attack,defence\nA,3,2\nB,4,4\nC,5,9\nD,0,0\nE,3,2\nF,4,4\n",
    "combat.csv": "percent,roll,result,source\n"
    + "".join(
        f"{column},{roll},{'gone' if roll + number > 8 else 'back' if roll + number > 5 else 'hold'},rulebook\n"
        for number, column in enumerate(["under 50", "50", "75", "100", "150"])
        for roll in range(1, 7)
    ),
}


def written(folder: Path, **changes: tuple[str, str]) -> Path:
    for name, text in FILES.items():
        old, new = changes.get(name.partition(".")[0], ("", ""))
        (folder / name).write_text(text.replace(old, new) if old else text, "utf-8")
    return folder


@pytest.fixture
def fen(tmp_path: Path) -> Game:
    return read_game("fen", written(tmp_path))


def asked(game: Game, attackers: str, defenders: str, **given: Any) -> Report[Any]:
    answers = {"roll": given.pop("roll")} if "roll" in given else {}
    view = View(game, build_state(game, Stated(units=[Unit(name, name, "0101") for name in "ABCDEF"])))
    parameters = read_parameters(QUESTION, view, {"attackers": attackers, "defenders": defenders, **given})
    return answer_question(QUESTION, view, parameters, answers)


@pytest.mark.parametrize(
    ("attackers", "defenders", "column"),
    [
        ("A", "C", "under 50"),  # 33
        ("D", "C", "under 50"),  # nothing at all
        ("A", "B,E", "50"),  # 50
        ("A", "B", "75"),  # 75 sharp
        ("B", "F", "100"),
        ("A,B", "F", "150"),  # 175
        ("B,C,E", "A", "150"),  # far beyond
    ],
)
def test_the_column_is_the_band_that_holds_the_percentage(
    fen: Game, attackers: str, defenders: str, column: str
) -> None:
    assert asked(fen, attackers, defenders).result.column == column


@pytest.mark.parametrize(("shift", "column"), [(1, "100"), (-1, "50"), (9, "150"), (-9, "under 50")])
def test_shifts_go_from_band_to_band_and_end_at_the_ends(fen: Game, shift: int, column: str) -> None:
    result = asked(fen, "A", "B", shift=shift).result
    assert (result.initial, result.final, result.column) == ("75", column, column)


def test_the_working_names_the_percentage_and_the_roll_is_read_in_the_band_after_a_shift(fen: Game) -> None:
    report = asked(fen, "C", "A,B", roll="4")
    assert [step.text for step in report.parts[0].steps] == [
        "5 against 6 is 83 percent: 75",
        "4 +0 = 4: back",
    ]
    assert sum(one.chance for one in asked(fen, "C", "A,B").result.outcomes) == 1
    shifted = asked(fen, "C", "A,B", shift="1", roll="4").parts[0].steps
    assert [step.text for step in shifted][1].startswith("shifted by +1 to ")
    with pytest.raises(InputError, match="4 against 0 has no odds"):
        asked(fen, "B", "D")


@pytest.mark.parametrize(
    ("attackers", "defenders", "shift", "initial", "column", "said"),
    [
        ("A,C", "B", 0, "2:1", "1:1", "column 1:1, the next lower of the chart"),
        ("A,C", "B", 1, "2:1", "3:1", ""),
        ("A,C", "B", 9, "2:1", "5:1", "column 5:1, the last of the chart"),
        ("A", "B,E", 0, "1:2", "1:1", "column 1:1, the first of the chart"),
    ],
)
def test_odds_that_the_chart_skips_are_read_in_the_next_lower_column(
    tmp_path: Path, attackers: str, defenders: str, shift: int, initial: str, column: str, said: str
) -> None:
    folder = written(tmp_path, game=('"bands"\nbounds = [0, 50, 75, 100, 150]', '"down"'))
    for name in ("charts.toml", "combat.csv"):
        text = (folder / name).read_text("utf-8")
        for percent, odds in (("under 50", "1:1"), ("50", "3:1"), ("75", "4:1"), ("100", "5:1")):
            text = text.replace(f'"{percent}"', f'"{odds}"').replace(f"\n{percent},", f"\n{odds},")
        (folder / name).write_text(text.replace(', "150"', ""), "utf-8")
    rows = (folder / "combat.csv").read_text("utf-8").splitlines(keepends=True)
    (folder / "combat.csv").write_text("".join(row for row in rows if not row.startswith("150,")), "utf-8")
    report = asked(read_game("fen", folder), attackers, defenders, shift=shift)
    assert (report.result.initial, report.result.column) == (initial, column)
    assert [step.text for step in report.parts[0].steps if "of the chart" in step.text] == ([said] if said else [])


def test_odds_beyond_the_ends_that_the_cells_of_a_chart_tell_are_read_there(tmp_path: Path) -> None:
    folder = written(tmp_path, game=('"bands"\nbounds = [0, 50, 75, 100, 150]', '"down"'))
    (folder / "charts.toml").write_text(
        '[combat]\ntitle = "Combat"\nkeys = [{ name = "percent", odds = true }, { name = "roll", least = 1, most = 6 }]\n'
        'fields = [{ name = "result" , values = ["hold", "gone"] }]\nfile = "combat.csv"\n'
    )
    rows = [f"{odds},{roll},hold,rulebook" for odds in ("1:1-", "2:1+") for roll in range(1, 7)]
    (folder / "combat.csv").write_text("\n".join(["percent,roll,result,source", *rows, ""]))
    report = asked(read_game("fen", folder), "A,C", "B", shift=9)
    assert report.result.column == "2:1"
    assert "column 2:1, the last of the chart" in [step.text for step in report.parts[0].steps]


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        (("[0, 50, 75, 100, 150]", "[10, 50, 75, 100, 150]"), "0 is below the first column, 10"),
        (("[0, 50, 75, 100, 150]", "[0, 50]"), "[combat] has 2 bounds for the 5 columns of combat"),
    ],
)
def test_bands_that_do_not_fit_are_told_when_a_combat_is_asked(
    tmp_path: Path, changed: tuple[str, str], what: str
) -> None:
    with pytest.raises(InputError) as caught:
        asked(read_game("fen", written(tmp_path, game=changed)), "D", "C")
    assert what in caught.value.what


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (("[0, 50, 75, 100, 150]", "[0, 50]"), "game.toml: [combat] has 2 bounds for the 5 columns of combat"),
        (("[0, 50, 75", "[0, 75, 50"), "game.toml: [combat] bounds must rise from column to column"),
        (('"bands"', '"down"'), 'game.toml: [combat] bounds belong to rounding = "bands", not to "down"'),
        (("[0, 50, 75", "[0, 50, 75"), ""),
    ],
)
def test_the_check_names_bands_that_do_not_fit(tmp_path: Path, changed: tuple[str, str], fault: str) -> None:
    lines = map(format_fault, faults(read_game("fen", written(tmp_path, game=changed))))
    found = [line for line in lines if "[combat]" in line]
    assert found == ([fault] if fault else [])


def test_a_hex_attacks_only_adjacent_ones_unless_units_are_named(fen: Game) -> None:
    places = {"A": "0101", "B": "0102", "C": "0503"}
    view = View(fen, build_state(fen, Stated(units=[Unit(name, name, place) for name, place in places.items()])))

    def odds(**given: str) -> Report[Any]:
        return answer_question(QUESTION, view, read_parameters(QUESTION, view, given), {})

    with pytest.raises(InputError, match="from: 0101 is not adjacent to 0503\n  name units .*attackers=UNIT,UNIT"):
        odds(**{"at": "0503", "from": "0101"})
    assert odds(**{"at": "0102", "from": "0101"}).title == "Combat: A against B"
    assert odds(at="0503", attackers="A").title == "Combat: A against C"
    with pytest.raises(InputError, match="attackers: C is not in 0101\n  add its hex, or leave out from"):
        odds(**{"at": "0102", "from": "0101", "attackers": "C"})
    with pytest.raises(InputError, match="defenders: C is not in 0102"):
        odds(at="0102", defenders="C", attackers="A")


def test_a_unit_fights_once_and_on_one_side(fen: Game) -> None:
    with pytest.raises(InputError, match="attackers: A is named twice"):
        asked(fen, "A,A", "B")
    with pytest.raises(InputError, match="A is on both sides"):
        asked(fen, "A", "B,A")


def test_many_units_take_as_much_more_work_as_they_are(tmp_path: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        names = [f"U{number}" for number in range(4 * many)]
        roster = "unit,attack,defence\n" + "".join(f"{name},3,2\n" for name in names)
        (tmp_path / str(many)).mkdir(exist_ok=True)
        game = read_game("fen", written(tmp_path / str(many), roster=(FILES["roster.csv"], roster)))
        view = View(game, build_state(game, Stated(units=[Unit(name, name, "0101") for name in names])))
        sides = {"attackers": ",".join(names[::2]), "defenders": ",".join(names[1::2])}
        return lambda: answer_question(QUESTION, view, read_parameters(QUESTION, view, sides), {})

    assert grows_evenly(make)


REDUCED = """
[reduced]
title = "reduced side up"
on = "unit"
kind = "flag"
absent = false
rule = "2"

[reduced.module]
menu = ["Reduced"]
flips = true

[reduced-attack]
title = "attack of the reduced side"
on = "unit"
kind = "integer"
least = 0
printed = "counter"
rule = "2"
"""


def test_a_unit_fights_with_the_side_of_its_counter_that_is_up(tmp_path: Path) -> None:
    back = ('[attack]\ntitle = "attack"', '[attack]\nback = "reduced-attack"\ntitle = "attack"')
    roster = ("unit,attack,defence\nA,3,2\nB,4,4", "unit,attack,defence,reduced-attack\nA,3,2,1\nB,4,4,2")
    folder = written(tmp_path, tracks=back, roster=roster)
    rows = (folder / "roster.csv").read_text("utf-8").splitlines()
    (folder / "roster.csv").write_text("\n".join(row + "," * (3 - row.count(",")) for row in rows), "utf-8")
    (folder / "tracks.toml").write_text((folder / "tracks.toml").read_text("utf-8") + REDUCED, "utf-8")
    game = read_game("fen", folder)
    assert asked(game, "A", "B").result.attack == 3
    flipped = build_state(
        game, Stated(units=[Unit(name, name, "0101") for name in "AB"], facts={("reduced", "A"): Fact(True)})
    )
    view = View(game, flipped)
    report = answer_question(QUESTION, view, read_parameters(QUESTION, view, {"attackers": "A", "defenders": "B"}), {})
    assert (report.result.attack, report.result.defence) == (1, 4)
    assert "using the other side of the counter: A" in [step.text for part in report.parts for step in part.steps]

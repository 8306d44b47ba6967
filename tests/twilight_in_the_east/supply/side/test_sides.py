"""The supply of a whole side: against the question about each unit, against a slow search, and by example."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.game.states import apply_changes
from assistant.rules.field.allocation import ALWAYS
from assistant.state.changes import Change
from assistant.util.errors import InputError
from twilight_in_the_east.supply.clients import AskedAlone
from twilight_in_the_east.supply.side.states import side_states

from ....cases import few, seeds
from ....conftest import answered, told, typed, viewed
from ....supplies.naive import FAR, Ground, exits
from ....supplies.worlds import of_view

HEAD = "board sample\ntrust counters\nturn=5\n"
HEXES = [f"{column}.{row}" for column in range(62, 73) for row in range(31, 42)]


def position(seed: int, enemies: int = 6) -> list[str]:
    """A made-up position, one unit a line: a Russian army with two corps, its cavalry and a depot, and Germans among them."""
    drawn = random.Random(seed)
    rail = ["65.37", "66.37", "64.38", "64.39", "63.39", "63.40"]
    own = {
        '"1 Train"': 'russian corps-train - "1 Train" corps=1 army=Second range={} extended-range={}',
        '"2 Train"': 'russian corps-train - "2 Train" corps=2 army=Second range={} extended-range={}',
        "Depot": "russian major-depot - Depot army=Second range={} extended-range={}",
    }
    lines = []
    for name, text in own.items():
        near = drawn.randint(1, 3)
        at = drawn.choice(["65.37", "63.39", *rail] if name == "Depot" else HEXES)
        lines.append(f"{at}: " + text.format(near, near + drawn.randint(1, 2)) + drawn.choice(("", "", " extended")))
    for corps in (1, 2):
        for number in (1, 2):
            lines.append(f"{drawn.choice(HEXES)}: russian infantry XX {number}/{corps} army=Second")
    for name in "ABC":
        lines.append(f"{drawn.choice(HEXES)}: russian cavalry XX {name} army=Second")
    lines.append(f"{drawn.choice(HEXES)}: russian artillery III g corps=1 army=Second asset")
    taken = {line.partition(":")[0] for line in lines}
    free = [hex for hex in HEXES if hex not in taken]
    for number, at in enumerate(drawn.sample(free, enemies)):
        lines.append(f"{at}: german infantry XX g{number}/9 army=Eighth")
    return lines


def whole(lines: list[str] | str, **more: Any) -> Report[Any]:
    text = lines if isinstance(lines, str) else "\n".join(lines) + "\n"
    return answered(typed(HEAD + text), "supply", side="russian", **more)


def units(report: Report[Any]) -> dict[str, Any]:
    return {one.unit: one for side in report.result.sides for one in side.units}


@few(1)
@pytest.mark.parametrize("seed", seeds(25))
def test_each_unit_alone_has_what_the_question_about_it_says(seed: int) -> None:
    lines = position(seed)
    for name, row in units(whole(lines)).items():
        one = answered(typed(HEAD + "\n".join(lines) + "\n"), "supply", unit=name)
        if one.result is None or row.could.state is None:  # something has to be stated: which train serves it, say
            continue
        assert row.alone == one.result.state, name
        if row.alone == "out":
            assert row.isolated == one.result.isolated, name
            assert row.could.state == "out"


@few(3)
@pytest.mark.parametrize("seed", seeds(25))
def test_lines_back_from_units_make_the_offers_that_lines_from_sources_make(seed: int) -> None:
    text = HEAD + "\n".join(position(seed)) + "\n"
    from_sources, back = (side_states(viewed(text), "russian", asked) for asked in (None, AskedAlone()))
    assert from_sources.side.lines.offered == back.side.lines.offered


@few(3)
@pytest.mark.parametrize("seed", seeds(25))
def test_what_nobody_can_take_from_a_unit_it_has_in_every_plan(seed: int) -> None:
    """Therefore the question about it does not look at its side."""
    states = side_states(viewed(HEAD + "\n".join(position(seed)) + "\n"), "russian")
    for name, offered in states.side.lines.offered.items():
        sure = [offer.gives for offer in offered.offers if offer.mode == ALWAYS and not offer.group]
        if sure:
            assert min(plan.serves[name].gives for plan in (states.best, states.stands)) >= max(sure), name


# --- a slow search ----------------------------------------------------------------------------------------------------


def searched(view: View, side: str = "russian") -> Ground:
    """The ground as a naive solver prices it."""
    world = of_view(view, side)
    return Ground(world, {hex for group in exits(world)[0] for hex in group})


@few(3)
@pytest.mark.parametrize("seed", seeds(25))
def test_every_line_is_legal_and_the_cheapest(seed: int) -> None:
    lines = position(seed)
    place = typed(HEAD + "\n".join(lines) + "\n")
    view = View(place.game, place.state)
    ground = searched(view)
    for name, row in units(whole(lines)).items():
        for served in (row.stands, row.could):
            if not served.line:
                continue
            source = served.source.removeprefix("the RR line at ")
            start = source if source in view.board.hexes else str(view.unit(source).place)
            hexes = [start, *(one.hex for one in served.line)]
            steps = [Fraction(ground.cost(here, there) or 0, 4) for here, there in pairwise(hexes)]
            assert [one.cost for one in served.line] == steps, name
            assert not ground.closed & set(hexes[1:]), name
            assert served.cost == sum(steps) == Fraction(ground.lines(start, [start])[hexes[-1]], 4)


@few(1)
@pytest.mark.parametrize("seed", seeds(25))
def test_no_line_is_overlooked(seed: int) -> None:
    """What a unit lacks, no source that may serve it could give: each is searched from anew (14.2.2, 14.2.3)."""
    place = typed(HEAD + "\n".join(position(seed)) + "\n")
    view = View(place.game, place.state)
    ground, found = searched(view), units(whole(position(seed)))
    serving = {name: ground.lines(name, [found[name].place]) for name in ("1 Train", "2 Train", "Depot")}
    for name, row in found.items():
        if name in serving or row.alone not in ("low", "out") or row.through:
            continue
        corps = name.partition("/")[2] or ("1" if name == "g" else "")
        able = [one for one in serving if one == "Depot" or not corps or one.startswith(corps)]
        for source in able:
            near, far = (int(str(view.value(track, source))) for track in ("range", "extended-range"))
            if found[source].alone == "in":
                reach = far if row.alone == "out" or source == "Depot" else near
                assert serving[source].get(row.place, FAR) > 4 * reach, (name, source)
        assert ground.from_railway(row.place) > 4 * (6 if row.alone == "out" else 3), name


# --- causes -----------------------------------------------------------------------------------------------------------


def opened(lines: list[str], hexes: list[str]) -> list[str]:
    """The position with a Russian unit in each hex that an EZOC closes, and without the enemies in any."""
    stays = [line for line in lines if line.partition(":")[0] not in hexes or "german" not in line]
    return [*stays, *(f"{hex}: russian infantry II x{hex} army=Second" for hex in hexes)]


def broken_by_enemies(report: Report[Any]) -> Iterator[tuple[str, Any]]:
    for name, row in units(report).items():
        if row.cause and not row.through and {one.kind for one in row.cause.hindrances} <= {"ezoc", "enemy"}:
            yield name, row.cause


@few(4)
@pytest.mark.parametrize("seed", seeds(40))
def test_the_whole_cause_restores_a_unit_and_no_part_of_it_does(seed: int) -> None:
    lines = position(seed, enemies=8)
    for name, cause in broken_by_enemies(whole(lines)):
        hexes = [one.where for one in cause.hindrances]
        after = units(whole(opened(lines, hexes)))[name]
        assert after.alone in (cause.gives, "in"), (name, cause)
        if all(one.kind == "ezoc" for one in cause.hindrances):
            for left in hexes:
                part = units(whole(opened(lines, [hex for hex in hexes if hex != left])))[name]
                assert ("out", "low", "in").index(part.alone) < ("out", "low", "in").index(cause.gives), (name, cause)


# --- by example -------------------------------------------------------------------------------------------------------

TRAIN = '65.37: russian corps-train - "1 Train" corps=1 army=Second range=3 extended-range=4\n'


def state(row: Any) -> tuple[str | None, str | None, bool]:
    """As it stands, with the best modes, and whether that takes Extended Mode."""
    return row.stands.state, row.could.state, row.could.extended


@pytest.mark.rule("14.2b")
def test_a_train_is_extended_where_it_serves_more_and_else_flipped_back() -> None:
    near, far = "67.35: russian infantry XX 1/1 army=Second\n", "65.33: russian infantry XX 2/1 army=Second\n"
    found = whole(TRAIN + near + far.replace("65.33", "68.34"))
    rows = units(found)
    assert state(rows["1/1"])[0] == "in"
    assert [change.after for change in found.changes] == ([True] if rows["2/1"].could.extended else [])
    found = whole(TRAIN.replace("range=4\n", "range=4 extended\n") + "66.36: russian infantry XX 1/1 army=Second\n")
    assert [(change.track, change.subject, change.after) for change in found.changes] == [("extended", "1 Train", None)]


@pytest.mark.rule("14.3.1")
def test_the_third_guest_names_the_two_before_it() -> None:
    riders = "".join(f"66.33: russian cavalry XX {name} army=Second\n" for name in "ABC")
    rows = units(whole(TRAIN.replace("range=3", "range=6") + riders))
    states = [rows[name].could.state for name in "ABC"]
    assert sorted(map(str, states)) == ["in", "in", "low"]
    (left,) = (rows[name] for name in "ABC" if rows[name].could.state == "low")
    assert [one.kind for one in left.cause.hindrances] == ["capacity"]
    assert "no more than two from outside its corps (14.3.1)" in left.cause.text


def test_the_example_of_isolation_names_what_would_restore_the_division() -> None:
    lines = ['65.37: "Russian 1 Train"', "68.35: 22/1", "68.36: 41/20", "66.35: 37/20", "68.33: 35/17", "70.35: 36/17"]
    row = units(whole(lines))["22/1"]
    assert (row.could.state, row.isolated, row.cause.source) == ("out", True, "the RR line at 66.37")
    assert {one.kind for one in row.cause.hindrances} == {"ezoc"}


BUKOWINA = """game twilight-in-the-east
board east
trust counters
turn=5
17.113: austro-hungarian infantry XX A/1 army=Third, austro-hungarian infantry XX B/1 army=Third, austro-hungarian infantry XX C/1 army=Third, austro-hungarian infantry XX D/1 army=Third
16.113: austro-hungarian infantry X Fischer army=Third
"Bukowina Holding Box": austro-hungarian infantry X E army=Third
"""


@pytest.mark.rule("14.7")
def test_three_units_and_all_of_fischer_draw_on_the_bukowina() -> None:
    rows = units(answered(typed(BUKOWINA), "supply", side="central-powers"))
    served = [name for name, row in rows.items() if "Bukowina" in row.could.source]
    assert len([name for name in served if name not in ("Fischer", "E")]) == 3
    assert {"Fischer", "E"} <= {*served}
    (left,) = {*rows} - {*served}
    assert rows[left].cause.hindrances[0].kind == "capacity"


# --- slips ------------------------------------------------------------------------------------------------------------


def test_a_unit_off_the_map_or_of_the_other_side_is_refused() -> None:
    position = typed(HEAD + TRAIN + "67.35: russian infantry XX 1/1 army=Second\n")
    off = Change("place", "1/1", "67.35", None, "")
    position = msgspec.structs.replace(position, state=apply_changes(position.game, position.state, [off]))
    with pytest.raises(InputError, match="1/1 is not on the map"):
        answered(position, "supply", unit=["1/1", "1 Train"])
    with pytest.raises(InputError, match="1/1 is not a unit of the Central Powers"):
        answered(
            typed(HEAD + TRAIN + "67.35: russian infantry XX 1/1 army=Second\n"),
            "supply",
            unit=["1/1"],
            side="central-powers",
        )


def test_what_is_not_stated_makes_a_unit_doubtful_and_no_other() -> None:
    lines = [
        '66.37: russian corps-train - "9 Train" corps=9 army=Second',
        "72.41: russian infantry XX 1/9",
        TRAIN.strip(),
    ]
    found = whole([*lines, "66.36: russian infantry XX 1/1 army=Second"])
    rows = units(found)
    assert {name: row.could.state for name, row in rows.items()} == {
        "1/1": "in",
        "1 Train": "in",
        "9 Train": "in",
        "1/9": None,
    }
    assert found.verdict.kind == "undecided"
    assert rows["1/9"].missing == ('"9 Train" range=N', '"9 Train" extended-range=N')


def test_whose_supply_is_told_if_no_side_is_named() -> None:
    lines = TRAIN + "70.35: german infantry XX g/9 army=Eighth\n"
    sides = [
        [side.side for side in answered(typed(HEAD + stated + lines), "supply").result.sides]
        for stated in ("", "phasing=central-powers\n")
    ]
    assert sides == [["central-powers", "russian"], ["central-powers"]]


def test_flips_belong_to_the_supply_phase() -> None:
    lines = "phase=attack\nphasing=russian\n" + TRAIN.replace("range=4\n", "range=4 extended\n")
    said = told(whole(lines), "Assumed")
    assert said == ["supply units are flipped for supply only in the Supply Phase, and this is attack"]


def test_a_bound_on_the_choice_of_modes_is_said_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    far = "67.31: russian infantry XX 1/1 army=Second\n"
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PLANS", "0")
    found = whole(TRAIN.replace("range=4", "range=9") + far)
    assert not found.result.sides[0].exact
    assert "not every choice of modes was tried" in found.cautions[0].text


@pytest.mark.rule("14.4.1")
@pytest.mark.parametrize(("ruling", "isolated"), [("", False), ("ruling isolation-railway-hex=counted", True)])
def test_whether_the_railway_hex_is_one_of_the_six(ruling: str, isolated: bool) -> None:
    """All hexes are the enemy's, and the nearest RR hex is the seventh."""
    board = viewed(HEAD).board
    railway = ("66.37", "65.37", "64.38", "64.39", "63.39", "63.40", "63.41")
    seventh = [hex for hex in HEXES if min(board.distance(hex, rail) for rail in railway) == 7 and hex[-2:] > "33"]
    held = "".join(f"{hex} control=central-powers\n" for hex in HEXES)
    held += "".join(f"{hex} operational=russian\n" for hex in railway)
    row = units(whole(f"{held}{ruling}\n{seventh[-1]}: russian infantry XX 1/1 army=Second\n"))["1/1"]
    assert (row.could.state, row.isolated) == ("out", isolated)


@pytest.mark.rule("14.4.1")
@pytest.mark.parametrize(
    ("more", "isolated"),
    [
        ("", False),
        ("ruling isolation-railway-hex=counted\n", True),
        ("66.36: german artillery - gun\n", True),
        ("66.36 operational=none\n", True),
    ],
)
def test_whether_an_enemy_zone_closes_the_railway_hex_itself(more: str, isolated: bool) -> None:
    """The ring of the example of 14.4.1, and a RR line that comes to its edge, into a hex where only enemies have a ZOC."""
    ring = "".join(f"{hex}: german infantry XX g{hex} army=Eighth\n" for hex in ("68.36", "66.35", "68.33", "70.35"))
    line = "65.37|66.37 rail1\n66.37|66.36 rail1\n66.37 operational=russian\n"
    line += "" if "none" in more else "66.36 operational=russian\n"
    row = units(whole(f"{ring}{line}{more}68.35: russian infantry XX 1/1 army=Second\n"))["1/1"]
    assert (row.could.state, row.isolated) == ("out", isolated)


@pytest.mark.rule("24.4")
def test_a_cut_loc_high_mountain_and_the_turn_are_told_as_causes() -> None:
    depot = "63.39: russian major-depot - D army=Second range=4 extended-range=6\n"
    row = units(whole(f"{depot}62.40: german infantry XX G army=Eighth\n"))["D"]
    assert (row.could.state, row.cause.source) == ("out", "LOC")
    assert row.cause.text.startswith("its LOC is cut: 63.4"), row.cause.text
    assert row.cause.text.endswith("is in the EZOC of G"), row.cause.text
    row = units(whole("66.40: russian infantry XX 1/1 army=Second\n"))["1/1"]
    assert row.cause.text == "66.40 is a High Mountain hex, which no line enters (14.1.1)"
    row = units(whole("66.36: 2/23\n"))["2/23"]
    assert (row.could.state, [one.kind for one in row.cause.hindrances]) == ("low", ["turn"])

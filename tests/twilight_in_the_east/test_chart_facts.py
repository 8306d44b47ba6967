"""What is known of the printed charts: the stand-ins satisfy all of it, and a chart that breaks one of them is told."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from assistant.game.games import Game
from assistant.game.pack_charts import ChartFact, list_keys
from assistant.installed.registry import load_game
from assistant.state.state import Cell
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from twilight_in_the_east.chart_facts import ROADS, facts

from ..cases import few
from ..conftest import GAME

ALL = list(facts(load_game(GAME)))
FACTS = [fact for fact in ALL if not fact.chart.startswith("terrain-")]
OF_COSTS = [fact for fact in ALL if fact.chart == "terrain-cost"]
OF_SHIFTS = [fact for fact in ALL if fact.chart == "terrain-shift"]


def cells(game: Game, chart: str) -> dict[tuple[int | str, ...], Cell]:
    return dict(game.chart(chart).cells)


def told(fact: ChartFact) -> str:
    return f"{fact.chart} {fact.rule} {fact.text}"


@pytest.mark.parametrize("fact", ALL, ids=told)
def test_the_made_up_charts_satisfy_every_fact(twilight: Game, fact: ChartFact) -> None:
    assert not fact.contradicted(cells(twilight, fact.chart))


@pytest.mark.parametrize("chart", ["crt", "slrt", "forced-march", "terrain-shift", "terrain-cost"])
def test_the_made_up_charts_are_whole(twilight: Game, chart: str) -> None:
    assert set(twilight.chart(chart).cells) == set(list_keys(twilight.chart(chart)))


@pytest.mark.parametrize(
    ("chart", "stated"), [("crt", 1), ("slrt", 1), ("forced-march", 1), ("terrain-shift", 1), ("terrain-cost", 3)]
)
def test_all_cells_but_those_that_the_rulebook_states_are_made_up(twilight: Game, chart: str, stated: int) -> None:
    sources = Counter(cell.source for cell in cells(twilight, chart).values())
    assert sources == {Source.RULEBOOK: stated, Source.MADE_UP: sources.total() - stated}


@pytest.mark.rule("8.1.1")
def test_the_rulebook_states_three_movement_costs(twilight: Game) -> None:
    stated = {
        key: cell.values["cost"]
        for key, cell in twilight.chart("terrain-cost").cells.items()
        if cell.source is Source.RULEBOOK
    }
    assert stated == {("summer", "clear"): "2", ("summer", "primary-road"): "1.5", ("freeze", "minor-river"): "0"}


@few(20)
@pytest.mark.parametrize("fact", ALL, ids=told)
def test_no_fact_is_contradicted_by_an_empty_chart(fact: ChartFact) -> None:
    assert not fact.contradicted({})


def changed(chart: dict[tuple[int | str, ...], Cell], **values: int | str) -> dict[tuple[int | str, ...], Cell]:
    """The chart with the same values in every cell."""
    return {
        key: msgspec.structs.replace(
            cell, values={**cell.values, **{n: v for n, v in values.items() if n in cell.values}}
        )
        for key, cell in chart.items()
    }


#: A chart for each fact that it cannot be, by the fact's first words.
IMPOSSIBLE: dict[str, dict[str, int | str]] = {
    "the modifiers": {"attacker": "+4"},
    "a dash": {"attacker": "- *"},
    "at 4:1 a roll": {"defender": "-1"},
    "a defender may have to retreat three": {"defender": "W2"},
    "in summer a defender may": {"defender": "W1"},
    "a defender may have to retreat one": {"defender": "W3"},
    "black retreats": {"attacker": "W1"},
    "attackers may": {"attacker": "B1"},
    "an asterisk": {"attacker": "+1"},
    "in summer the column": {},
    "in autumn the column": {},
    "autumn has fewer": {"attacker": "W1"},
    "an X": {"attacker": "X W1"},
    "the retreat at 4:1": {"defender": "W1"},
    "at least one result is two steps": {"steps": 1},
    "some results cost no": {"steps": 1},
    "no autumn result": {},
    "a higher roll": {},
    "infantry loses": {},
    "cavalry has": {"marker": "yes"},
    "some results of infantry": {"steps": 0},
}


@pytest.mark.parametrize("fact", FACTS, ids=told)
def test_every_fact_can_be_contradicted(twilight: Game, fact: ChartFact) -> None:
    (values,) = (values for words, values in IMPOSSIBLE.items() if fact.text.startswith(words))
    chart = cells(twilight, fact.chart)
    worse = [changed(chart, **values)] if values else [
        changed(chart, defender="-"),
        changed(chart, defender="W1"),
        changed(chart, marker="yes"),
        changed(chart, marker="no"),
        {key: msgspec.structs.replace(cell, values={"steps": 0, "ec": 0} if key[0] == "summer" else {"steps": 3, "ec": 0}) for key, cell in chart.items()},
        {key: msgspec.structs.replace(cell, values={"steps": 14 - int(key[-1]), "ec": 0}) for key, cell in chart.items() if fact.chart == "slrt"},
    ]  # fmt: skip
    assert any(_contradicted(fact, one) for one in worse)


def _contradicted(fact: ChartFact, chart: dict[tuple[int | str, ...], Cell]) -> bool:
    try:
        return fact.contradicted(chart)
    except KeyError:  # a chart of another shape
        return False


@few(20)
@pytest.mark.parametrize("fact", OF_COSTS, ids=told)
def test_a_fact_of_movement_costs_fits_not_every_table(twilight: Game, fact: ChartFact) -> None:
    sound = cells(twilight, "terrain-cost")
    spoilt = [{**sound, key: Cell({"cost": cost})} for key in sound for cost in ("0", "9.5", "prohibited")]
    spoilt += [
        {**sound, ("summer", road): Cell({"cost": "2"}), ("autumn", road): Cell({"cost": "2"})} for road in ROADS
    ]
    spoilt += [dict.fromkeys(sound, Cell({"cost": "3"}))]
    assert any(map(fact.contradicted, spoilt))


@pytest.mark.parametrize("fact", OF_SHIFTS, ids=told)
def test_a_fact_of_shifts_fits_not_every_chart(twilight: Game, fact: ChartFact) -> None:
    sound = cells(twilight, "terrain-shift")
    assert any(fact.contradicted(dict.fromkeys(sound, Cell({"shift": shift}))) for shift in (0, -1))


@pytest.mark.rule("10.8a")
@pytest.mark.parametrize(("shift", "possible"), [("-4", True), ("-1", True), ("0", True), ("1", False), ("7", False)])
def test_terrain_shifts_only_to_the_left(shift: str, possible: bool) -> None:
    chart = load_game(GAME).chart("terrain-shift")
    if possible:
        assert chart.cell(shift).values["shift"] == int(shift)
    else:
        with pytest.raises(InputError, match="is not allowed"):
            chart.cell(shift)


@pytest.mark.parametrize("game", [GAME, "kaisers-war-in-the-east"])
def test_every_number_of_a_chart_has_its_ends(game: str) -> None:
    numbers = [
        (chart.name, field.name, field.least, field.most)
        for chart in load_game(game).charts.values()
        for field in chart.fields
        if not field.values or (field.least, field.most) != (None, None)
    ]
    assert [entry for entry in numbers if None in entry] == []

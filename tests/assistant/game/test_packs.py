"""What an owner enters is kept, counts as printed, and is refused where the rulebook knows better."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.pack_charts import ChartFact, Doubt, list_keys
from assistant.game.packs import Pack, overlay_pack
from assistant.installed.registry import pack_of
from assistant.state.tracks import Source
from assistant.util.errors import InputError

from ...conftest import typed

SEVEN = ("summer", "1:1", 7)


@pytest.fixture
def pack(twilight: Game, tmp_path: Path) -> Pack:
    return Pack(twilight, tmp_path / "pack")


def known(pack: Pack) -> Game:
    return overlay_pack(pack.game, pack.folder)


def test_cells_are_kept_at_once_in_the_order_of_the_chart_and_count_as_printed(pack: Pack) -> None:
    assert known(pack) is pack.game
    assert pack.files.list_existing() == []
    assert pack.charts.enter_cells("crt", {("summer", "1:1", 2): "+2 / -"}) == []
    cell = known(pack).chart("crt").cells["summer", "1:1", 2]
    assert (cell.values, cell.source) == ({"attacker": "+2", "defender": "-"}, Source.PRINTED)
    assert pack.game.chart("crt").cells["summer", "1:1", 2].source is Source.MADE_UP
    assert ("summer", "1:1", 2) not in pack.charts.missing("crt")
    assert (pack.folder / "charts" / "crt.csv").read_text() == "season,odds,roll,attacker,defender\nsummer,1:1,2,+2,-\n"


def test_cells_lie_in_the_order_of_the_chart_whatever_the_order_of_typing(pack: Pack) -> None:
    for key in (("autumn", "1:4", 3), ("summer", "6:1", 12), ("summer", "1:4", 10)):
        pack.charts.enter_cells("crt", {key: "- / -"})
    lines = (pack.folder / "charts" / "crt.csv").read_text().splitlines()[1:]
    assert lines == ["summer,1:4,10,-,-", "summer,6:1,12,-,-", "autumn,1:4,3,-,-"]


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        (SEVEN, "+2 / -", "chart crt summer 1:1 7 = +1 / -"),
        (("summer", "1:1", 2), "W9 / -", "W1 to W3"),
        (("summer", "1:1", 13), "- / -", "from 2 to 12"),
        (("summer", "1:1", 2), "-", "attacker / defender"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_kept(
    pack: Pack, key: tuple[int | str, ...], text: str, said: str
) -> None:
    with pytest.raises(InputError) as refused:
        pack.charts.enter_cells("crt", {key: text})
    assert said in str(refused.value)
    assert pack.files.list_existing() == []


def test_a_firm_fact_refuses_and_a_reading_only_warns(twilight: Game, tmp_path: Path) -> None:
    firm = ChartFact("crt", "10.9", "no cell is -1 / -1", True, lambda cells: ("summer", "1:4", 2) in cells)
    reading = msgspec.structs.replace(firm, firm=False, contradicted=lambda cells: ("summer", "1:4", 3) in cells)
    pack = Pack(twilight, tmp_path, (firm, reading))
    assert pack.charts.enter_cells("crt", {("summer", "1:4", 3): "- / -"}) == [Doubt("10.9", "no cell is -1 / -1")]
    with pytest.raises(InputError, match="contradicts what the rulebook says") as refused:
        pack.charts.enter_cells("crt", {("summer", "1:4", 2): "- / -"})
    assert refused.value.hint == "rule 10.9: no cell is -1 / -1"
    assert list(pack.charts.cells("crt")) == [("summer", "1:4", 3)]


def test_what_a_killed_run_left_beside_the_files_of_a_pack_goes_with_the_next_entry(pack: Pack) -> None:
    left = [pack.folder / name / ".field-staff-dead.part" for name in ("", "charts", "boards", "setups", "schedules")]
    for part in left:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(b"half a f")
    pack.enter_all({("25/3", "defence"): "12"})
    assert [part for part in left if part.exists()] == []


def test_counters_and_rulings_are_entered_as_the_rulebook_allows(pack: Pack) -> None:
    pack.enter_all({("25/3", "defence"): "12"})
    pack.enter_all({("25/3", "movement"): "7"})
    facts = known(pack).roster["25/3"]
    assert (facts["defence"][0].value, facts["defence"][0].source) == (12, Source.PRINTED)
    assert known(pack).roster["25/3"]["effectiveness"][0].source is Source.RULEBOOK
    with pytest.raises(InputError, match="contradicts the rulebook"):
        pack.enter_all({("25/3", "effectiveness"): "11"})
    with pytest.raises(InputError) as refused:
        pack.enter_all({("2/23", "corps"): "none"})
    in_a_scenario = "what differs in a scenario is stated in its set-up: 2/23 corps=none"
    assert refused.value.hint == f"the rulebook requires: 23; {in_a_scenario}"
    with pytest.raises(InputError, match="unknown unit"):
        pack.enter_all({("25/4", "defence"): "12"})
    with pytest.raises(InputError, match="not printed on counters"):
        pack.enter_all({("25/3", "lost"): "1"})
    pack.enter_ruling("flip-point", "half-down")
    assert known(pack).rulings["flip-point"].default == "half-down"
    with pytest.raises(InputError, match="unknown ruling"):
        pack.enter_ruling("flip-pint", "half-down")
    with pytest.raises(InputError, match="unknown reading"):
        pack.enter_ruling("flip-point", "thirds")


def test_the_ground(pack: Pack) -> None:
    pack.enter_all(ground={("", "41.19", "terrain"): "clear"})
    pack.enter_all(ground={("", "40.20|41.19", "barrier"): "minor-river"})
    position = typed("40.20: 25/3")
    view = View(known(pack), position.state)
    ground, river = view.fact("terrain", "41.19"), view.fact("barrier", "40.20|41.19")
    assert ground is not None
    assert river is not None
    assert (ground.value, ground.source) == ("clear", Source.PRINTED)
    assert river.value == ("minor-river",)
    for where, track, said in (
        ("41.19", "barrier", "is not a hexside"),
        ("41.19|43.19", "barrier", "not adjacent"),
        ("99.99", "terrain", "off the map"),
        ("41.19", "ip", "no map prints this"),
    ):
        with pytest.raises(InputError, match=said):
            pack.enter_all(ground={("", where, track): "clear"})


def test_an_entry_that_goes_on_in_the_next_line_is_not_torn_apart(pack: Pack) -> None:
    """What its owner wrote on two lines stays, and a value that contradicts it is refused."""
    written = "40.19 terrain=mountain\n41.19 terrain=clear\n  [rulebook 3.1]\n"
    pack.folder.mkdir()
    (pack.folder / "map.lines").write_text(written)
    with pytest.raises(InputError, match="another entry contradicts this for 41.19"):
        pack.enter_all(ground={("", "41.19", "terrain"): "mountain"})
    assert (pack.folder / "map.lines").read_text() == written
    pack.enter_all(ground={("", "40.19", "terrain"): "clear"})
    assert (pack.folder / "map.lines").read_text() == "41.19 terrain=clear\n  [rulebook 3.1]\n40.19 clear\n"


@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("counters.csv", "unit,defence,steps\n25/3,12,\n25/3,,2\n", ":3", "25/3 is listed twice"),
        (
            "rulings.csv",
            "ruling,reading\nflip-point,half-down\nflip-point,half-up\n",
            ":3",
            "flip-point is listed twice",
        ),
        ("turns.csv", "turn,date\n1,1 August\n1,2 August\n", ":3", "1 is listed twice"),
        ("armies.csv", "army,track,value\nFirst,corps,1\nFirst,corps,2\n", ":3", "First corps is listed twice"),
        ("counters.csv", "unit,defence\n25/3,many\n", "", "25/3: defence strength printed: 'many' is not allowed"),
        ("turns.csv", "turn,date\n999,1 August\n", "", "there is no turn 999"),
        ("turns.csv", "turn,date\nfirst,1 August\n", "", "the turn 'first' is not a number"),
        ("armies.csv", "army,track,value\nFoo,corps,1\n", "", "unknown army 'Foo'"),
        ("rulings.csv", "ruling,reading\nflip-pint,half-down\n", "", "unknown ruling 'flip-pint'"),
    ],
)
def test_a_fault_is_told_with_its_file_before_an_entry_is_lost(
    pack: Pack, name: str, text: str, line: str, said: str
) -> None:
    pack.folder.mkdir()
    (pack.folder / name).write_text(text)
    with pytest.raises(InputError) as error:
        known(pack)
    assert (str(error.value.where), error.value.what) == (f"{pack.folder / name}{line}", said)


def test_a_cell_is_foretold_where_all_else_is_ruled_out_and_never_against_what_is_known(
    twilight: Game, tmp_path: Path
) -> None:
    """Every cell that is foretold, at any stage of typing a chart, is the only one that could be kept without a doubt."""
    for name in ("terrain-cost", "forced-march", "slrt", "terrain-shift"):
        chart = twilight.chart(name)
        pack = Pack(twilight, tmp_path / name, pack_of(twilight).charts.facts)
        keys = list_keys(chart)
        for count in (0, len(keys) // 4, len(keys) // 2):
            known = {key: chart.write_cell(chart.cells[key]) for key in keys[:count] if key in chart.cells}
            for key, foretold in pack.charts.foretell(name, keys[count : count + 17], known).items():
                assert key not in known and foretold.rules
                assert not pack.charts.try_cells(name, known | {key: foretold.text})
                stated = chart.cells.get(key)
                if stated is not None and stated.source is Source.RULEBOOK:
                    assert foretold.text == chart.write_cell(stated)


def test_nothing_is_foretold_of_cells_with_several_words_or_too_many_choices(twilight: Game, tmp_path: Path) -> None:
    crt = twilight.chart("crt")
    pack = Pack(twilight, tmp_path, (ChartFact("crt", "1.1", "never", True, lambda cells: len(cells) > 1),))
    assert [*pack.charts.foretell("crt", list_keys(crt))] == [("summer", "1:1", 7)]

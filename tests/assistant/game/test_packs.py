"""What an owner enters is kept, counts as printed, is one file elsewhere, and is refused where the rulebook knows better."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import msgspec
import pytest

from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.pack_archive import pack_archive, take_archive
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


def test_an_entry_is_not_torn_apart_and_what_a_killed_run_left_goes(pack: Pack) -> None:
    left = [pack.folder / name / ".field-staff-dead.part" for name in ("", "charts", "boards", "setups", "schedules")]
    for part in left:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(b"half a f")
    pack.enter_all({("25/3", "defence"): "12"})
    assert [part for part in left if part.exists()] == []
    written = "40.19 terrain=mountain\n41.19 terrain=clear\n  [rulebook 3.1]\n"
    (pack.folder / "map.lines").write_text(written)
    with pytest.raises(InputError, match="another entry contradicts this for 41.19"):
        pack.enter_all(ground={("", "41.19", "terrain"): "mountain"})
    assert (pack.folder / "map.lines").read_text() == written
    pack.enter_all(ground={("", "40.19", "terrain"): "clear"})
    assert (pack.folder / "map.lines").read_text() == "41.19 terrain=clear\n  [rulebook 3.1]\n40.19 clear\n"


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


CELL = {("summer", "1:1", 2): "+2 / -"}


@pytest.fixture
def filled(twilight: Game, tmp_path: Path) -> Pack:
    filled = Pack(twilight, tmp_path / "pack")
    filled.charts.enter_cells("crt", CELL)
    filled.enter_all({("25/3", "steps"): "10"}, {("", "41.19", "terrain"): "clear"})
    filled.enter_ruling("flip-point", "half-down")
    return filled


def test_a_pack_is_the_same_elsewhere_where_other_files_stay(filled: Pack, twilight: Game, tmp_path: Path) -> None:
    data = pack_archive(filled)
    assert pack_archive(filled) == data
    there = Pack(twilight, tmp_path / "there")
    assert take_archive(there, data, "mine.zip") == []
    assert {file.name: file.read_bytes() for file in there.files.list_existing()} == {
        file.name: file.read_bytes() for file in filled.files.list_existing()
    }
    there = Pack(twilight, tmp_path / "2" / "there")
    there.charts.enter_cells("crt", {("summer", "1:1", 3): "- / -"})
    there.charts.enter_cells("slrt", {("summer", "Small", 1): "1 / 0"})
    take_archive(there, pack_archive(filled), "mine.zip")
    assert [*there.charts.cells("crt")] == [*CELL]
    assert there.charts.cells("slrt")


def test_doubts_are_told_and_what_contradicts_the_rulebook_is_refused_whole(
    filled: Pack, twilight: Game, tmp_path: Path
) -> None:
    fact = ChartFact("crt", "10.9", "nobody loses", firm=True, contradicted=lambda cells: True)
    there = Pack(twilight, tmp_path / "there", (fact,))
    with pytest.raises(InputError, match="contradicts what the rulebook says") as refused:
        take_archive(there, pack_archive(filled), "mine.zip")
    assert str(refused.value.where) == "mine.zip"
    assert there.files.list_existing() == []
    fact = ChartFact("crt", "10.9", "nobody loses", firm=False, contradicted=lambda cells: True)
    there = Pack(twilight, tmp_path / "there", (fact,))
    assert take_archive(there, pack_archive(filled), "mine.zip") == [Doubt("10.9", "nobody loses")]


@pytest.mark.parametrize("names", [("counters.csv", "strange.csv"), ("counters.csv", "counters.csv")])
def test_a_strange_or_second_file_is_refused_before_anything_is_unpacked(
    names: tuple[str, ...], twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as container, pytest.MonkeyPatch.context() as quiet:
        quiet.setattr("warnings.warn", lambda *_, **__: None)
        for name in names:
            container.writestr(name, "id\n")
    monkeypatch.setattr("zipfile.ZipFile.open", None)
    with pytest.raises(InputError, match="is not a file of a pack"):
        take_archive(Pack(twilight, tmp_path / "there"), made.getvalue(), "mine.zip")


def test_all_files_together_unpack_to_no_more_than_a_file_may_have(
    twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as container:
        for name in ("counters.csv", "charts/crt.csv"):
            container.writestr(name, "x" * 3000)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_FILE", "4K")
    with pytest.raises(InputError, match="mine.zip unpacks to more than 4 KiB"):
        take_archive(Pack(twilight, tmp_path / "there"), made.getvalue(), "mine.zip")


def test_a_fault_in_a_file_is_told_without_the_folder_of_the_trial(
    twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "linked"))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as container:
        container.writestr("charts/crt.csv", "season\n")
    with pytest.raises(InputError) as refused:
        take_archive(Pack(twilight, tmp_path / "there"), made.getvalue(), "mine.zip")
    assert str(tmp_path) not in str(refused.value)

"""The owner's pack goes out of the page and in again as one file, whole or not at all."""

from __future__ import annotations

import io
import zipfile
from base64 import b64encode
from pathlib import Path

import pytest

from .pages import AtTable

GAME = "twilight-in-the-east"


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))


def zipped(files: dict[str, str]) -> str:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        for name, text in files.items():
            container.writestr(name, text)
    return b64encode(out.getvalue()).decode()


def test_a_pack_goes_to_another_machine_and_is_the_same_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = AtTable(tmp_path / "here", GAME)
    page.send("cells", chart="crt", cells={"summer,1:1,2": "+2 / -"})
    page.send("printed", unit="25/3", values={"steps": "10"})
    pack = page.send("pack")
    assert pack["files"] == ["charts/crt.csv", "counters.csv"]
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "another"))
    there = AtTable(tmp_path / "there", GAME)
    assert there.send("chart", chart="crt")["missing"] == 197
    assert there.send("take-pack", data=pack["data"])["files"] == pack["files"]
    assert there.send("pack") == pack
    assert there.send("chart", chart="crt")["missing"] == 196


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"../counters.csv": "unit,steps\n25/3,9\n"}, "'../counters.csv' is not a file of a pack"),
        ({"/etc/counters.csv": "x"}, "is not a file of a pack"),
        ({"charts/crtt.csv": "x"}, "'charts/crtt.csv' is not a file of a pack"),
        ({"counters.csv": "unit,steps\n25/3,ten\n"}, "'ten' is not allowed"),
        ({"counters.csv": "unit,steps\n99/99,9\n"}, "unknown unit"),
        ({"counters.csv": "unit,effectiveness\n25/3,3\n"}, "contradicts the rulebook"),
        ({"charts/crt.csv": "season,odds,roll,attacker,defender\nsummer,1:1,7,-,-\n"}, "contradicts the rulebook"),
        ({"map.lines": "41.19 clera\n"}, "map.lines:1"),
        ({"charts/slrt.csv": "x" * 600_000}, "unpacks to"),
        ({f"{number}.csv": "" for number in range(1200)}, "is not a file of a pack"),
        ({}, "not a readable zip file"),
    ],
)
def test_a_file_that_is_no_sound_pack_changes_nothing(tmp_path: Path, files: dict[str, str], said: str) -> None:
    page = AtTable(tmp_path / "tables", GAME)
    page.send("printed", unit="25/3", values={"steps": "10"})
    before = page.send("pack")
    refused = page.send(
        "take-pack", data=zipped({"rulings.csv": "ruling,reading\nflip-point,half-down\n", **files} if files else {})
    )
    assert said in refused["what"]
    assert page.send("pack") == before


@pytest.mark.parametrize("data", ["AAAA", "no base64", ""])
def test_what_is_no_zip_file_is_refused(tmp_path: Path, data: str) -> None:
    assert AtTable(tmp_path, GAME).send("take-pack", data=data)["is"] == "refused"

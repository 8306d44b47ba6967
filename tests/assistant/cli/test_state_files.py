"""Examples have names, so that a new player has a position at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.cli.state_files import file_of
from assistant.util.errors import InputError


def test_an_example_is_named_without_its_path() -> None:
    assert Path(file_of("example:battle")).read_text().startswith("game twilight-in-the-east\n")
    assert file_of("example:twilight/supply-line").endswith("supply-line.pos")
    assert file_of("example:comprehensive-example.vsav").endswith(".vsav")
    assert "kaisers-war-in-the-east" in Path(file_of("example:kai/battle")).read_text()


def test_a_path_and_standard_input_stay_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "x.pos"
    file.write_text("")
    assert (file_of(str(file)), file_of("-")) == (str(file), "-")


@pytest.mark.parametrize(
    ("name", "what", "hint"),
    [
        ("no.pos", "no.pos: No such file or directory", "check the path, or try an example: example:battle-before"),
        ("example:batle", "there is no example:batle", "nearest known: example:battle"),
        ("example:nothing/battle", "unknown game 'nothing'", ""),
        (
            "example:kai/battl",
            "there is no example:kai/battl",
            "nearest known: example:kai/battle, example:kai/battle-after",
        ),
    ],
)
def test_what_is_not_there(name: str, what: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        file_of(name)
    assert what in str(caught.value)
    assert hint in str(caught.value)

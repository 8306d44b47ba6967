"""The owner's photo of his map goes nowhere: it is in no pack that is exported, no link, mail, position, report, picture, page or module."""

from __future__ import annotations

import zipfile
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli as assistant
from assistant.game.photos import Photos
from assistant.installed.registry import pack_of
from module_builder.cli import cli as builder

from ....cases import few, thorough
from ....module_builder.page.parts import write_parts
from .map_sheets import GAME, ID, SECRET, fit_photo, jpeg
from .pages import TABLE, AtTable

EXAMPLE = "plugins/twilight_in_the_east/examples/retreat.pos"


@pytest.fixture
def page(tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch) -> AtTable:
    """A table at which a photo is fitted, and something painted from it."""
    monkeypatch.setattr("shutil.which", lambda name: None)  # nothing is compiled for a browser
    page = AtTable(tmp_path / "tables", GAME)
    page.enter("board east")
    assert fit_photo(page)["kept"]
    page.send("paint", brush="word", track="terrain", value="rough", subjects=["41.19"])
    page.enter("41.19: 1/1 (1-16-7-11)")
    page.enter("40.20: 25/3 (10-1-5-10)")
    return page


def run(command: Any, *words: str) -> str:
    result = CliRunner().invoke(command, words)
    assert result.exit_code in (0, 4), result.output
    return result.output


def everything_in(folder: Path) -> Iterator[bytes]:
    """All that lies in a folder, also within zip files."""
    for file in folder.rglob("*"):
        if file.is_file():
            yield file.name.encode()
            yield (data := file.read_bytes())
            if zipfile.is_zipfile(file):
                with zipfile.ZipFile(file) as container:
                    for entry in container.infolist():
                        yield entry.filename.encode()
                        yield container.read(entry)
            assert data is not None


def has_photo(data: bytes) -> bool:
    """Whether something holds the photo, or names it."""
    return SECRET in data or jpeg()[100:140] in data or ID.encode() in data or b"sheet A" in data


def test_the_photo_would_be_found(page: AtTable, tmp_path: Path) -> None:
    """What the other tests look for is there: beside the pack, and nowhere in it."""
    assert any(map(has_photo, everything_in(tmp_path / "data" / "photos")))
    assert not any(map(has_photo, everything_in(tmp_path / "data" / "packs")))
    assert not any(map(has_photo, everything_in(tmp_path / "tables")))
    assert any(has_photo(data) for data in everything_in(exported(tmp_path, "--photos").parent))


def exported(folder: Path, *options: str) -> Path:
    file = folder / "out" / "pack.zip"
    file.parent.mkdir()
    run(assistant, "pack", "export", "twilight", str(file), *options)
    return file


def position(page: AtTable, folder: Path) -> Path:
    """The position on the table, as it would be sent."""
    page.enter(f"save {folder / 'sent.pos'}")
    (folder / "sent.pos").write_text(
        f"game {GAME}\nboard east\n41.19: 1/1 (1-16-7-11)\n40.20: 25/3 (10-1-5-10)\nask battle at=41.19 from=40.20\n"
    )
    return folder / "sent.pos"


def by_export(page: AtTable, out: Path) -> None:
    run(assistant, "pack", "export", "twilight", str(out / "pack.zip"))


def by_the_page(page: AtTable, out: Path) -> None:
    (out / "pack.zip").write_bytes(b64decode(page.send("pack")["data"]))
    for request in ("look", "games", "words", "ground", "board", "counters"):
        asked = page.send(request, **({"game": GAME} if request == "words" else {}))
        (out / f"{request}.json").write_text(str(asked))


def by_link(page: AtTable, out: Path) -> None:
    (out / "link").write_text(str(page.send("share", page="https://example.org/table/")))
    (out / "link2").write_text(run(assistant, "link", str(position(page, out))))


def by_answers(page: AtTable, out: Path) -> None:
    file = str(position(page, out))
    (out / "battle.txt").write_text(run(assistant, "battle", file))
    (out / "retreat.txt").write_text(
        run(assistant, "ask", "retreat", EXAMPLE, "--umpire", "--picture", str(out / "retreat.svg"))
    )
    (out / "battle.json").write_text(run(assistant, "ask", "battle", file, "--json"))
    (out / "picture.json").write_text(str(page.send("tile", level=0, column=0, row=0)))


def by_mail(page: AtTable, out: Path) -> None:
    journal = next((out.parent / "tables").glob("*.journal"))
    (out / "list").write_text(run(assistant, "journal", "list", str(journal)))
    (out / "sent.journal").write_bytes(journal.read_bytes())


def by_module(page: AtTable, out: Path) -> None:
    run(builder, "module", GAME, "-o", str(out / "game.vmod"))


def by_sheets(page: AtTable, out: Path) -> None:
    run(builder, "board", GAME, "-o", str(out / "board.svg"), "--area", "42.18-40.20")


def by_page_folder(page: AtTable, out: Path) -> None:
    write_parts(out.parent / "parts")
    run(builder, "page", "-o", str(out / "table"), "--parts", str(out.parent / "parts"), "--game", GAME)


WAYS = [
    by_export,
    by_the_page,
    by_link,
    by_answers,
    by_mail,
    pytest.param(by_module, marks=thorough),
    by_sheets,
    pytest.param(by_page_folder, marks=thorough),
]


@few(3)
@pytest.mark.parametrize("leave", WAYS, ids=lambda way: way.__name__.removeprefix("by_"))
def test_no_way_out_takes_the_photo_along(
    leave: Callable[[AtTable, Path], None], page: AtTable, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    leave(page, out)
    assert any(out.iterdir())
    assert not any(map(has_photo, everything_in(out)))


def test_it_goes_to_another_machine_only_where_that_is_asked(
    page: AtTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = exported(tmp_path, "--photos")
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "another"))
    run(assistant, "pack", "import", "twilight", str(file))
    photos = Photos(GAME)
    assert photos.picture(ID) == jpeg()
    assert photos.read(ID).places
    assert [path.name for path in pack_of(page.game).files.list_existing()] == ["map.lines"]


def test_the_command_says_what_it_left_out(page: AtTable, tmp_path: Path) -> None:
    file = tmp_path / "pack.zip"
    assert "1 photo of your map left out: --photos adds photos" in run(
        assistant, "pack", "export", "twilight", str(file)
    )
    assert "1 photo of your map added" in run(assistant, "pack", "export", "twilight", str(file), "--photos", "--force")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({f"photos/{ID}.jpg": b"GIF89a"}, "does not describe a photo"),
        ({f"photos/{ID}.json": b"{}", f"photos/{ID}.jpg": jpeg()}, "does not describe a photo"),
        ({f"photos/{ID}.json": b'{"title":"x","width":9,"height":9}', f"photos/{ID}.jpg": jpeg()}, "did not arrive whole"),
        ({"photos/../evil.jpg": jpeg()}, "is not a file of a pack"),
        ({"photos/x.jpg": jpeg()}, "is not a file of a pack"),
    ],
)  # fmt: skip
def test_a_spoiled_photo_is_refused_and_nothing_is_kept(
    files: dict[str, bytes], said: str, tmp_path: Path, own_data: None
) -> None:
    with zipfile.ZipFile(tmp_path / "pack.zip", "w") as container:
        for name, data in {**files, "map.lines": b"41.19 rough\n"}.items():
            container.writestr(name, data)
    result = CliRunner().invoke(assistant, ["pack", "import", "twilight", str(tmp_path / "pack.zip")])
    assert result.exit_code != 0 and said in str(result.output) + str(result.exception)
    assert not [*(tmp_path / "data").rglob("*.jpg")] and not [*(tmp_path / "data").rglob("map.lines")]


def test_deleting_it_leaves_what_was_painted(page: AtTable, tmp_path: Path) -> None:
    page.send("delete-photo", photo=ID)
    assert not [*(tmp_path / "data").rglob("*.jpg")]
    assert page.send("ground")["layers"] == [{"track": "terrain", "value": "rough", "subjects": "41.19"}]
    assert TABLE

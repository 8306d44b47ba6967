"""Photos of the map and what is painted from them are the owner's: only the laptop's own link is answered, on the laptop itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.faces.page.messages import requests
from assistant.faces.page.server.room import _OWNER_REQUESTS
from assistant.faces.page.server.serving import Serving
from assistant.game.hexes import Hex
from assistant.game.photos import Photo, Photos, Tap

from .....cases import few
from ..map_sheets import ID, jpeg
from .served import GAME, OPEN_GAME, player, serving_of

PHOTO: dict[str, Any] = {"photo": ID}
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("photos", {}),
    ("measure", {"head": "", "size": 1}),
    ("put-photo", {**PHOTO, "title": "x", "width": 1600, "height": 1200, "part": 0, "parts": 1, "data": ""}),
    ("photo", PHOTO),
    ("delete-photo", PHOTO),
    ("fit", {**PHOTO, "taps": []}),
    ("ground", {}),
    ("paint", {"brush": "word", "track": "terrain", "value": "rough", "subjects": ["41.19"]}),
    ("restore", {"changes": [["terrain", "41.19", None, "rough"]]}),
]


@pytest.fixture(params=[GAME, OPEN_GAME])
def serving(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    photos = Photos(request.param)
    photos.take_part(ID, Photo(title="sheet A.jpg", width=1600, height=1200), 0, 1, jpeg())
    serving = serving_of(tmp_path, game=request.param)
    yield serving
    serving.opened.close()
    serving.room.close()


def test_no_other_link_is_answered(serving: Serving, tmp_path: Path) -> None:
    before = {file: file.read_bytes() for file in (tmp_path / "photos").rglob("*.j*")}
    for path in serving.seats.by_path.keys() - {"0"}:
        guest = player(serving, path)
        for do, more in ASKED:
            answer = guest.send(do, table=serving.room.table, **more)
            assert (answer["is"], answer["what"]) == ("refused", "this is done at the laptop"), do
    assert {file: file.read_bytes() for file in (tmp_path / "photos").rglob("*.j*")} == before
    assert not (tmp_path / "packs").exists()


@few(1)
def test_a_board_shows_no_other_link_where_a_photo_lies(serving: Serving) -> None:
    """Where no board is drawn, its hexes would be."""
    table, game = serving.room.table, serving.room.tables["0"].desk(serving.room.table).game
    board = game.board("")
    column, row = board.grid.middle
    names = [board.grid.name(Hex(column + x, row + y)) for x, y in ((-2, -2), (2, -2), (2, 2), (-2, 2))]
    (left, top), *_ = map(board.centre, names)
    taps = tuple(
        Tap(name, 800 + 60 * (x - left), 600 + 60 * (y - top)) for name in names for x, y in [board.centre(name)]
    )
    Photos(game.id).keep_fit(ID, "", taps, taps[:3])
    shown = {
        path: [len(player(serving, path).send("board", table=table, **more)["hexes"]) for more in ({}, PHOTO)]
        for path in ("0", "1")
    }
    assert shown["0"][0] < shown["0"][1]
    assert shown["1"][0] == shown["1"][1]


def test_the_laptop_itself_is_answered(serving: Serving) -> None:
    umpire = player(serving, "0")
    (photo,) = umpire.send("photos", table=serving.room.table)["photos"]
    assert photo["id"] == ID
    assert umpire.send("ground", table=serving.room.table)["is"] == "ground"


def test_every_request_about_photos_and_painting_is_among_them() -> None:
    """One that is added later is not forgotten: all of these modules are the owner's."""
    named = {kind.__struct_config__.tag for kind in _OWNER_REQUESTS}
    assert named >= {do for do, _ in ASKED}
    assert {
        kind
        for kind in vars(requests).values()
        if isinstance(kind, type) and "Photo" in kind.__name__ and kind.__module__ == requests.__name__
    } <= {*_OWNER_REQUESTS}

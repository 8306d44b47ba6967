"""A photo of the owner's map: the grid is fitted by four taps, refined by more, and checked at places that the rules name."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.faces.page.tiles import TiledHexes

from .map_sheets import BOARD, CORNERS, GAME, HEIGHT, ID, SIZE, WIDTH, board, fit_photo, jpeg, put_photo, shows, tap
from .pages import AtTable


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AtTable]:
    """A table for all of them: a photo that is chosen again has no fit."""
    folder = tmp_path_factory.mktemp("photos")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", str(folder / "data"))
        page = AtTable(folder / "tables", GAME)
        page.enter(f"board {BOARD}")
        yield page


def fit(page: AtTable, taps: list[dict[str, Any]], **more: Any) -> Any:
    return page.send("fit", photo=ID, taps=taps, **more)


FOUR = [tap(name) for name in CORNERS]


def on_board(matrix: list[float], x: float, y: float) -> tuple[float, float]:
    """The point of the board's picture that a pixel of the photo shows."""
    a, b, c, d, e, f, g, h, i = matrix
    depth = g * x + h * y + i
    return (a * x + b * y + c) / depth, (d * x + e * y + f) / depth


def test_four_taps_lay_every_hex_of_the_photo_where_the_board_has_it(page: AtTable) -> None:
    put_photo(page)
    shown = fit(page, FOUR)
    assert shown["says"].startswith("Four taps always fit exactly")
    field = TiledHexes("", board(), ())
    for name in ("44.20", "40.15", "50.25", *CORNERS):
        assert math.dist(on_board(shown["matrix"], *shows(name)), field.centre(name)) < 1e-6


def test_hexes_may_be_named_as_they_are_typed(page: AtTable) -> None:
    put_photo(page)
    typed = [{**one, "hex": one["hex"].replace(".", "")} for one in FOUR]
    assert [one["hex"] for one in fit(page, typed)["taps"]] == list(CORNERS)


def test_more_taps_refine_it_and_say_how_far_each_is_off(page: AtTable) -> None:
    put_photo(page)
    careless = [tap(name, right) for name, right in zip(CORNERS, (9, -7, 8, -9), strict=True)]
    more = [tap(name) for name in ("44.20", "48.16", "40.16", "48.24", "40.24")]
    off = [
        max(
            math.dist(on_board(shown["matrix"], *shows(name)), TiledHexes("", board(), ()).centre(name))
            for name in ("46.18", "42.22")
        )
        for shown in (fit(page, careless), fit(page, careless + more))
    ]
    assert off[1] < off[0]
    shown = fit(page, [*FOUR, *more[:3], tap("40.24", 66)])
    worst = max(shown["taps"], key=lambda one: one["off"])
    assert worst["hex"] == "40.24" and worst["off"] > 0.3
    assert shown["says"].startswith("8 hexes fit to 0.") and "the worst, 40.24, to 0." in shown["says"]


def test_it_is_checked_at_places_that_the_rules_name_far_from_the_taps(page: AtTable) -> None:
    put_photo(page)
    places = fit(page, FOUR)["places"]
    named = {place.hex: place.name for place in board().places if place.basis.source.value == "rulebook"}
    assert [place["name"] for place in places[:3]] == [named[place["hex"]] for place in places[:3]]
    assert len(places) == 4 and len({place["hex"] for place in places}) == 4
    for place in places:
        assert math.dist((place["x"], place["y"]), shows(place["hex"])) < 0.1
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in place["outline"])
        assert min(board().distance(place["hex"], name) for name in CORNERS) > 3
        middle = [sum(values) / 6 for values in zip(*place["outline"], strict=True)]
        assert math.dist(middle, (place["x"], place["y"])) < 1


def test_a_place_that_cannot_be_found_gives_way_to_another(page: AtTable) -> None:
    put_photo(page)
    first = [place["hex"] for place in fit(page, FOUR)["places"]]
    others = [place["hex"] for place in fit(page, FOUR, skip=first[:2])["places"]]
    assert not {*others} & {*first[:2]} and len(others) == 4


def test_a_fit_is_kept_once_it_is_found_right(page: AtTable) -> None:
    assert fit_photo(page)["kept"]
    (photo,) = page.send("photos")["photos"]
    assert photo == {"id": ID, "title": "sheet A.jpg", "width": WIDTH, "height": HEIGHT, "fitted": True, "here": True}
    shown = page.send("photo", photo=ID)
    assert b64decode(shown["data"]) == jpeg()
    assert [one["hex"] for one in shown["taps"]] == list(CORNERS)
    assert (
        math.dist(on_board(shown["fit"]["matrix"], *shows("44.20")), TiledHexes("", board(), ()).centre("44.20")) < 0.1
    )


def test_a_place_that_is_put_right_counts_and_one_that_is_far_off_is_refused_with_what_to_do(page: AtTable) -> None:
    put_photo(page)
    places = [tap(place["hex"]) for place in fit(page, FOUR)["places"]]
    nearly = [{**places[0], "x": places[0]["x"] + 20}, *places[1:]]
    refused = fit(page, FOUR, places=[{**places[0], "x": places[0]["x"] + 60}])
    assert refused["is"] == "refused"
    assert refused["what"].startswith(f"{places[0]['hex']} lies 0.") or refused["what"].startswith(
        f"{places[0]['hex']} lies 1."
    )
    assert refused["what"].endswith("hexes from where the fit puts it")
    assert f"tap {places[0]['hex']} too" in refused["hint"]
    assert page.send("photos")["photos"][0]["fitted"] is False
    kept = fit(page, FOUR, places=nearly, keep=True)
    assert kept["kept"] and max(one["off"] for one in kept["taps"]) > 0.01


def test_too_few_places_keep_no_fit(page: AtTable) -> None:
    put_photo(page)
    places = [tap(place["hex"]) for place in fit(page, FOUR)["places"]]
    for some in ([], places[:2], [places[0]] * 4):
        assert fit(page, FOUR, places=some, keep=True)["what"] == "the fit is to be found right at 3 hexes"
    assert page.send("photos")["photos"][0]["fitted"] is False


def swapped(one: int, other: int) -> list[dict[str, Any]]:
    """The four taps, two of them with each other's number."""
    names = list(CORNERS)
    names[one], names[other] = names[other], names[one]
    return [{**at, "hex": name} for at, name in zip(FOUR, names, strict=True)]


@pytest.mark.parametrize(
    ("taps", "what", "hint"),
    [
        (FOUR[:1], "3 more hexes to tap", "far apart"),
        (FOUR[:3], "1 more hex to tap", "far apart"),
        ([*FOUR[:3], {**FOUR[0], "x": 900.0}], "52.12 is tapped twice", "name another hex"),
        ([*FOUR[:3], {**FOUR[0], "hex": "40.20"}], "52.12 and 40.20 are tapped in the same place", "tap its hex again"),
        ([tap("44.14"), tap("44.18"), tap("44.22"), tap("48.20")], "44.14 and 44.18 and 44.22 lie in one line", "far beside that line"),
        ([{**at, "x": WIDTH - at["x"]} for at in FOUR], "the numbers run the wrong way round, as in a mirror", "each other's number"),
        (swapped(0, 1), "no camera sees these hexes in these places", "take them out, and tap them again"),
        ([*FOUR[:3], {**FOUR[3], "hex": "99.99"}], "hex 99.99 is off the map", "columns run from"),
        ([*FOUR, {**FOUR[3], "hex": "44.20"}], "51.27 and 44.20 are tapped in the same place", "take one of them out"),
        ([tap("44.20", n) for n in range(41)], "more than 40 taps", "take some out"),
    ],
)  # fmt: skip
def test_taps_that_settle_no_fit_are_told(page: AtTable, taps: list[dict[str, Any]], what: str, hint: str) -> None:
    put_photo(page)
    refused = fit(page, taps)
    assert (refused["is"], refused["what"]) == ("refused", what)
    assert hint in refused["hint"]


def test_numbers_in_the_wrong_corners_are_found_out_at_the_places(page: AtTable) -> None:
    """Turned by one corner, four taps still fit exactly."""
    put_photo(page)
    turned = [{**at, "hex": name} for at, name in zip(FOUR, (*CORNERS[1:], CORNERS[0]), strict=True)]
    shown = fit(page, turned)
    refused = fit(page, turned, places=[tap(shown["places"][0]["hex"])])
    assert refused["what"].endswith("from where the fit puts it")


def test_a_tap_that_lies_far_off_keeps_no_fit(page: AtTable) -> None:
    put_photo(page)
    taps = [*FOUR, tap("44.20"), tap("40.16", 200)]
    places = fit(page, taps)["places"]
    refused = fit(page, taps, places=[{name: place[name] for name in ("hex", "x", "y")} for place in places], keep=True)
    assert refused["what"].startswith("the tap of 40.16 lies ") and "take it out" in refused["hint"]


def test_a_photo_of_another_map_is_not_laid_under_this_one(tmp_path: Path, own_data: None) -> None:
    page = AtTable(tmp_path, "der-weltkrieg")
    page.enter("board map-5-5")
    put_photo(page)
    taps = [
        {"hex": name, "x": x, "y": y}
        for name, x, y in (("1011", 100, 100), ("2011", 1100, 150), ("2015", 1000, 900), ("1015", 150, 1000))
    ]
    places = [{name: place[name] for name in ("hex", "x", "y")} for place in fit(page, taps)["places"]]
    assert fit(page, taps, places=places, keep=True)["kept"]
    assert page.send("photo", photo=ID)["fit"]
    page.enter("board map-4-5")
    assert page.send("photos")["photos"][0]["here"] is False
    assert page.send("photo", photo=ID)["fit"] is None


def test_the_hexes_of_a_photo_are_shown_where_no_board_is_drawn(tmp_path: Path, own_data: None) -> None:
    page = AtTable(tmp_path, GAME)
    fit_photo(page)
    before, after = page.send("board"), page.send("board", photo=ID)
    assert {name for name, *_ in after["hexes"]} >= {"44.20", *CORNERS}
    assert len(before["hexes"]) < 30 < len(after["hexes"]) < 900
    level = after["levels"][0]
    column, row, key = level["tiles"][0]
    assert page.send("tile", level=0, column=column, row=row, photo=ID)["key"] == key
    page.send("delete-photo", photo=ID)
    assert page.send("board", photo=ID)["hexes"] == before["hexes"]
    assert page.send("photos")["photos"] == []


def test_a_file_is_measured_before_it_is_decoded_and_refused_unless_it_is_whole(
    page: AtTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(data: bytes, size: int = 1000) -> Any:
        return page.send("measure", head=b64encode(data).decode(), size=size)

    assert measure(jpeg()[:2000]) == {"is": "picture", "kind": "jpeg", "width": SIZE[0], "height": SIZE[1]}
    assert measure(b"GIF89a")["hint"] == "choose a photo or a scan as JPEG, PNG or WebP"
    assert measure(jpeg(), 2**40)["what"] == "the file has more than 64 MiB"
    assert page.send("measure", head="?", size=1)["what"] == "the file did not arrive whole"
    part = page.send("put-photo", photo=ID, title="x", width=1, height=1, part=0, parts=1, data="é")
    assert part["what"] == "the file did not arrive whole"
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PHOTO_PIXELS", "1M")
    assert measure(jpeg())["what"].startswith("the picture has more than")


def test_the_name_of_a_file_is_a_title_and_no_path(tmp_path: Path, own_data: None) -> None:
    page = AtTable(tmp_path / "tables", GAME)
    put_photo(page, title="../../etc/\x1b[31mpass\nwd\u202egpj.exe")
    (photo,) = page.send("photos")["photos"]
    assert photo["title"] == "../../etc/[31mpasswdgpj.exe"
    kept = {file.name for file in (tmp_path / "data/photos" / GAME).iterdir() if not file.name.startswith(".")}
    assert kept == {f"{ID}.jpg", f"{ID}.json"}
    assert not (tmp_path / "etc").exists()


def test_a_fit_by_hexes_that_the_board_no_longer_has_can_be_made_again(tmp_path: Path, own_data: None) -> None:
    page = AtTable(tmp_path / "tables", GAME)
    page.enter(f"board {BOARD}")
    fit_photo(page)
    file = tmp_path / "data/photos" / GAME / f"{ID}.json"
    file.write_text(file.read_text().replace("52.12", "99.99"))
    shown = page.send("photo", photo=ID)
    assert (shown["is"], shown["fit"]) == ("photo", None)
    assert fit_photo(page)["kept"]

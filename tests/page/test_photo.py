"""A photo of the printed map on the page: chosen, fitted by taps, checked at named places, and painted over into the owner's pack."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from assistant.faces.page.tables import Tables
from assistant.game.photos import Photos
from assistant.installed.registry import named_game, pack_of

from .browser import SCREENS, Visit, opened
from .conftest import Laptop, Serve
from .looking import barriers, cut_off, scrolls_sideways, small_targets
from .map_painting import POSITION, RIVER, MapPainter, forty_hexes
from .map_photo import GAME, photograph
from .test_board import drawn, go_to
from .test_frame import KAISER, go_on

At = Callable[..., MapPainter]
PAPER = f"game {GAME}\nturn=1\n41.19 clear: 1/1\n40.20: 25/3, 27/3\n"


@pytest.fixture
def at_photo(serve: Serve, visit: Visit) -> At:
    """Opens the board of a position, for a player with a photo."""

    def show(
        screen: str = "desktop", position: str = POSITION, laptop: Laptop | None = None, **options: Any
    ) -> MapPainter:
        page = visit.page((laptop or serve(position=position)).link(), screen, **options)
        return MapPainter(at_board(page), photograph())

    return show


def at_board(page: Page) -> Page:
    page.get_by_role("button", name="Map", exact=True).click()
    return drawn(page)


def count(page: Page) -> str:
    return page.locator(".printed-count").inner_text()


def in_pack() -> dict[tuple[str, str], object]:
    """What the pack has of the map, by track and place."""
    pack = pack_of(named_game(GAME))
    return {(track, subject): fact.value for (_, subject, track), fact in pack.ground().items()}


def fault(page: Page) -> Any:
    return page.locator(".photo-fault")


def test_forty_hexes_and_ten_hexsides_in_far_fewer_than_eighty_taps(at_photo: At) -> None:
    player = at_photo()
    player.choose()
    player.fit()
    before = player.gestures
    player.paint_forty()
    assert player.gestures - before <= 40
    assert player.gestures <= 80
    expect(player.page.locator(".printed-count")).to_have_text("41 of 9,442 hexes printed")  # one by the rulebook
    known = in_pack()
    assert {subject for track, subject in known if track == "terrain"} == {*forty_hexes()}
    assert {subject for track, subject in known if track == "barrier"} == {*RIVER.split()}
    player.page.get_by_role("button", name="End painting").click()
    card = go_to(player.page, "45.17")
    expect(card.get_by_role("button", name="rough terrain, printed in your copy")).to_be_visible()


def test_a_photo_at_an_angle_lies_under_its_hexes(at_photo: At) -> None:
    """Where the photo is laid under the board, each of its pixels is in the hex that it shows."""
    player = at_photo()
    player.choose()
    player.fit()
    laid = player.page.locator(".board-photo img").evaluate(
        "(image) => { const at = new DOMMatrix(getComputedStyle(image).transform);"
        " return (x, y) => [x, y], [...at.toFloat64Array()]; }"
    )
    size = player.page.evaluate("document.querySelector('.board-marks').getAttribute('width') / 1000")
    for name in player.photo.shows_whole():
        x, y = player.photo.shows(name)
        depth = laid[3] * x + laid[7] * y + laid[15]
        at = (
            (laid[0] * x + laid[4] * y + laid[12]) / depth / size,
            (laid[1] * x + laid[5] * y + laid[13]) / depth / size,
        )
        place = player._place(name)
        assert abs(at[0] - place[0]) < 5 and abs(at[1] - place[1]) < 5, (
            name
        )  # of 34 for a hex: the taps are whole pixels


def test_two_numbers_that_change_places_are_told_and_corrected(at_photo: At) -> None:
    player = at_photo()
    player.choose()
    one, two, three, four = player.corners()
    for name, at in ((one, one), (two, three), (three, two), (four, four)):
        player.name_hex(name, seen=player.photo.shows(at))
    expect(fault(player.page)).to_contain_text("each other\u2019s number")
    for name in (two, three):
        player.page.get_by_role("button", name=f"Remove {name}").click()
    for name in (two, three):
        player.name_hex(name)
    expect(fault(player.page)).to_have_count(0)
    player.confirm()
    expect(player.page.locator(".board-photo img")).to_have_count(1)


def test_a_wrong_number_is_found_out_where_the_fit_is_checked(at_photo: At) -> None:
    player = at_photo()
    player.choose()
    one, two, three, four = player.corners()
    wrong = f"{three[:3]}{int(three[3:]) - 2}"  # two hexes too far up
    for name, at in ((one, one), (two, two), (wrong, three), (four, four)):
        player.name_hex(name, seen=player.photo.shows(at))
    question = player.page.locator(".photo-panel .photo-next")
    for _ in range(3):
        expect(question).to_contain_text("the outlined hex?")
        place = question.inner_text().split(" ")
        hex = next(word.strip(",?") for word in place if word.strip(",?").replace(".", "").isdigit())
        player.page.get_by_role("button", name="Not quite").click()
        player.click(player.in_photo(player.photo.shows(hex)))
        player.settle()
        if fault(player.page).count():
            break
    expect(fault(player.page)).to_contain_text("from where the fit puts it")
    expect(fault(player.page)).to_contain_text("so that the fit counts with it")
    player.page.get_by_role("button", name=f"Count {hex} as a tap").click()
    expect(player.page.get_by_role("button", name=f"Remove {hex}")).to_be_visible()
    player.page.get_by_role("button", name=f"Remove {wrong}").click()
    player.page.get_by_role("button", name="Whole photo").click()
    player.name_hex(three)
    player.confirm()
    expect(player.page.locator(".board-photo img")).to_have_count(1)


def test_a_cross_is_dragged_to_where_its_hex_is(at_photo: At) -> None:
    player = at_photo()
    player.choose()
    names = player.corners()
    x, y = player.photo.shows(names[0])
    player.name_hex(names[0], seen=(x + 40, y + 30))
    for name in names[1:]:
        player.name_hex(name)
    player.page.get_by_role("button", name="Whole photo").click()
    player.page.mouse.move(*player.in_photo((x + 40, y + 30)))
    player.page.mouse.down()
    player.page.mouse.move(*player.in_photo((x, y)), steps=4)
    player.page.mouse.up()
    player.settle()
    player.confirm()
    (id,) = Photos(GAME).ids()
    tap = next(tap for tap in Photos(GAME).read(id).taps if tap.hex == names[0])
    assert abs(tap.x - x) < 4 and abs(tap.y - y) < 4


def test_a_hex_is_named_and_painted_by_keys_alone(at_photo: At) -> None:
    player = at_photo()
    player.choose()
    player.begin_fit()
    player.page.locator(".photo-stage").focus()
    for key in ("+", "ArrowLeft", "ArrowUp", "Shift+ArrowUp", "Enter"):
        player.press(key)
    expect(player.page.get_by_label("Its printed number", exact=False)).to_be_focused()
    player.type("4420")
    player.press("Enter")
    expect(player.page.get_by_role("button", name="Remove 44.20")).to_be_visible()
    expect(player.page.locator(".photo-stage")).to_be_focused()
    player.press("Escape")
    expect(player.page.locator(".board-fit")).to_be_hidden()
    board = player.page.locator(".board-stage")
    expect(board).to_be_focused()
    player.press("ArrowUp")
    player.press("]")
    player.press("[")
    player.press("2")
    player.press("Enter")
    expect(player.page.locator(".printed-count")).to_have_text("2 of 9,442 hexes printed")
    assert [*in_pack().values()] == ["rough"]


def test_a_fit_is_made_again_from_its_taps_or_left_as_it_was(at_photo: At) -> None:
    player = at_photo()
    player.choose()
    player.fit()
    (id,) = Photos(GAME).ids()
    before = Photos(GAME).read(id)
    player.page.get_by_role("button", name="Fit again").click()
    expect(player.page.locator(".photo-panel .photo-next")).to_contain_text("the outlined hex?")
    player.page.locator(".photo-panel").get_by_role("button", name="Close").click()
    expect(player.page.locator(".board-photo img")).to_have_count(1)
    assert Photos(GAME).read(id) == before
    player.page.get_by_role("button", name="Fit again").click()
    expect(player.page.locator(".photo-panel .photo-next")).to_contain_text("the outlined hex?")
    player.confirm()
    expect(player.page.locator(".board-photo img")).to_have_count(1)
    assert Photos(GAME).read(id).taps == before.taps


def painting(player: MapPainter) -> MapPainter:
    """The player at his brushes, without a photo."""
    player.tap(player.page.get_by_role("button", name="Your printed map"))
    player.page.locator(".board-stage").press("0")
    go = player.page.get_by_label("Go to a hex or a place")
    go.fill("44.18")
    go.press("Enter")
    player.page.locator(".board-card").get_by_role("button", name="Close").click()
    player.settle()
    return player


def test_strokes_are_taken_back_and_done_again_by_keys(at_photo: At) -> None:
    player = painting(at_photo())
    player.brush("rough")
    player.paint("44.18 43.17 42.18")
    player.page.locator(".board-stage").focus()
    player.press("4")
    player.paint("44.19")
    assert in_pack()["terrain", "44.19"] == "mountain"
    for key, left in (("z", 3), ("z", 0), ("y", 3), ("y", 4), ("Control+z", 3), ("Control+Shift+z", 4)):
        player.press(key)
        expect(player.page.locator(".printed-count")).to_have_text(f"{left + 1} of 9,442 hexes printed")
        player.settle()
        assert len(in_pack()) == left, key


def test_railways_lead_from_hex_to_hex_and_rivers_lie_on_hexsides(at_photo: At) -> None:
    player = painting(at_photo())
    player.brush("RR line")
    player.brush("rail2")
    player.paint("45.19 44.19 43.18 42.19")
    player.paint("42.19|42.20")
    player.brush("rivers and ridges")
    player.brush("minor river")
    player.paint("44.18|44.19")
    player.brush("ridge")
    player.brush("Add to what is there")
    player.paint("44.18|44.19")
    assert in_pack() == {
        **{("rail", side): "rail2" for side in ("44.19|45.19", "43.18|44.19", "42.19|43.18", "42.19|42.20")},
        ("barrier", "44.18|44.19"): ("minor-river", "ridge"),
    }
    player.paint("44.18")
    expect(player.page.locator("#quiet")).to_contain_text("Tap nearer to the side")


def test_as_drawn_confirms_whole_hexes(at_photo: At) -> None:
    player = painting(at_photo())
    player.brush("As drawn")
    player.paint("44.18 43.17 42.18")
    known = in_pack()
    assert {subject for track, subject in known if track == "terrain"} == {"44.18", "43.17", "42.18"}
    assert len([1 for track, _ in known if track == "barrier"]) == 16  # of eighteen sides two are common to two hexes
    player.brush("Take out")
    player.paint("43.17")
    assert ("terrain", "43.17") not in in_pack()


def test_two_pages_paint_at_once(at_photo: At, serve: Serve) -> None:
    laptop = serve(position=POSITION)
    one, other = painting(at_photo(laptop=laptop)), painting(at_photo(laptop=laptop))
    one.brush("rough")
    one.paint("44.18 43.17")
    other.brush("sea")
    other.paint("43.17 42.18")
    expect(other.page.locator(".printed-count")).to_have_text("4 of 9,442 hexes printed")
    one.page.locator(".board-stage").focus()
    one.press("z")
    expect(one.page.get_by_role("button", name="Paint it again")).to_be_enabled()  # its count was three before too
    expect(one.page.locator(".printed-count")).to_have_text("3 of 9,442 hexes printed")
    assert in_pack() == {("terrain", "43.17"): "sea", ("terrain", "42.18"): "sea"}


def touch(page: Page, points: list[tuple[float, float]], *, end: bool = True) -> None:
    """A finger that is drawn over points of the screen."""
    session = page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(points):
        kind = "touchMove" if number else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": 0}]})
    if end:
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_paints_and_two_fingers_do_not(at_photo: At) -> None:
    player = painting(at_photo("phone"))
    player.brush("wetlands")
    touch(player.page, [player.on_board(name) for name in ("44.18", "44.19", "43.18")])
    player.settle()
    assert {subject for _, subject in in_pack()} == {"44.18", "44.19", "43.18"}
    session = player.page.context.new_cdp_session(player.page)
    (x, y), (right, down) = player.on_board("43.19"), player.on_board("44.20")
    for kind, spread in (("touchStart", 0), ("touchMove", 30), ("touchMove", 60)):
        points = [{"x": x + spread, "y": y, "id": 0}, {"x": right - spread, "y": down, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    player.settle()
    assert len(in_pack()) == 3


def picture(kind: str, size: tuple[int, int] = (900, 600), **options: Any) -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(out, kind, **options)
    return out.getvalue()


@pytest.mark.parametrize(("kind", "type_"), [("PNG", "image/png"), ("WEBP", "image/webp"), ("JPEG", "image/jpeg")])
def test_pictures_of_three_kinds_are_kept_as_a_jpeg_of_their_pixels_alone(at_photo: At, kind: str, type_: str) -> None:
    """A camera writes where it was, and stores a picture on its side: neither outlives its choice."""
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif.get_ifd(0x8825)[1] = "N"  # where it was taken
    exif[0x010E] = "at home in Mill Lane"
    data = picture(kind, exif=exif.tobytes())
    assert b"Mill Lane" in data
    player = at_photo()
    player.choose(data, f"sheet.{kind.casefold()}", type_)
    expect(player.page.locator(".photo-stage img")).to_be_visible()
    (id,) = Photos(GAME).ids()
    kept = Photos(GAME).picture(id)
    with Image.open(io.BytesIO(kept)) as image:
        assert image.format == "JPEG" and image.size in ((600, 900), (900, 600)) and not image.getexif()
        assert kind != "JPEG" or image.size == (600, 900)
    assert b"Mill Lane" not in kept and Photos(GAME).read(id).title == f"sheet.{kind.casefold()}"


def test_a_large_picture_is_made_smaller(at_photo: At) -> None:
    player = at_photo()
    player.choose(picture("JPEG", (8000, 5000), quality=30))
    expect(player.page.locator(".photo-stage img")).to_be_visible()
    (id,) = Photos(GAME).ids()
    kept = Photos(GAME).read(id)
    assert 18_000_000 < kept.width * kept.height <= 20_100_000
    assert abs(kept.width / kept.height - 1.6) < 0.01


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"GIF89a" + b"\0" * 40, "this is not a picture that the page can read"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\1\0\0\0\1\0\0\x08\x02\0\0\0", "more than 100M pixels"),
        (picture("PNG")[:300], "cannot be read by this browser"),
    ],
)
def test_what_is_no_photo_is_refused(at_photo: At, data: bytes, said: str) -> None:
    player = at_photo()
    player.choose(data)
    expect(player.page.locator("#quiet")).to_contain_text(said)
    assert Photos(GAME).ids() == []


def test_a_photo_is_there_again_and_may_be_deleted(at_photo: At) -> None:
    player = at_photo()
    player.choose()
    player.fit()
    player.page.reload()
    player.page.wait_for_selector("body[data-ready=yes]")
    player.page.get_by_role("button", name="Your printed map").click()
    expect(player.page.locator(".board-photo img")).to_have_count(1)
    player.page.get_by_role("button", name="Delete photo").click()
    player.page.get_by_role("dialog").get_by_role("button", name="Yes").click()
    expect(player.page.locator(".board-photo img")).to_have_count(0)
    assert Photos(GAME).ids() == []


def test_a_photo_lies_under_the_hexes_of_a_table_without_a_board(at_photo: At) -> None:
    player = at_photo(position=PAPER)
    player.choose()
    player.fit()
    player.brush("rough")
    player.paint("45.17 44.17 43.16")
    assert {subject for _, subject in in_pack()} == {"45.17", "44.17", "43.16"}


def test_a_guest_is_told_where_that_is_done(serve: Serve, visit: Visit) -> None:
    page = at_board(visit.page(serve(position=POSITION).link("1")))
    page.get_by_role("button", name="Your printed map").click()
    expect(page.locator("#quiet")).to_contain_text("this is done at the laptop")
    expect(page.locator(".board-printed")).to_be_hidden()


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_nothing_bars_anybody(at_photo: At, screen: str, colours: str) -> None:
    player = at_photo(screen, color_scheme=colours)
    player.choose()
    expect(player.page.locator(".photo-stage img")).to_be_visible()

    def look() -> None:
        assert barriers(player.page, ".board") == []
        assert small_targets(player.page) == []
        assert cut_off(player.page) == []
        assert not scrolls_sideways(player.page)

    look()
    one, *others = player.corners()
    player.click(player.in_photo(player.photo.shows(one)))
    look()
    player.type(one)
    player.press("Enter")
    player.settle()
    for name in others:
        player.name_hex(name)
    expect(player.page.locator(".photo-panel .photo-next")).to_contain_text("the outlined hex?")
    look()
    player.confirm()
    expect(player.page.locator(".board-photo img")).to_have_count(1)
    look()
    player.brush("rivers and ridges")
    look()
    player.brush("As drawn")
    look()


def test_a_page_without_a_host_keeps_a_photo_in_the_browser(visit: Visit, folder: str) -> None:
    page = visit.page(folder)
    page.get_by_role("button", name="Other games and tables").click()
    page.locator("main").get_by_role("button", name="1914, Twilight in the East", exact=True).last.click()
    page.get_by_role("button", name="An empty table").click()
    page.wait_for_selector(
        "body:not([data-panel=tables])"
    )  # the tabs that stand there are still those of the first table
    player = MapPainter(at_board(page), photograph())
    page.get_by_role("button", name="Show the Eastern Front").click()
    drawn(page)
    player.tap(page.get_by_role("button", name="Your printed map"))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a photo").click()
    chooser.value.set_files({"name": "sheet.jpg", "mimeType": "image/jpeg", "buffer": player.photo.jpeg})  # type: ignore[arg-type]
    expect(page.locator(".photo-stage img")).to_be_visible()
    for name in player.corners():
        player.click(player.in_photo(player.photo.shows(name)))
        player.type(name)
        player.press("Enter")
        expect(page.get_by_role("button", name=f"Remove {name}")).to_be_visible()
    player.confirm()
    expect(page.locator(".board-photo img")).to_have_count(1)
    player.brush("rough")
    player.paint("45.17 44.17")
    expect(page.locator(".printed-count")).to_have_text("3 of 9,442 hexes printed")
    opened(page, folder)
    page.get_by_role("button", name="Map", exact=True).click()
    page.get_by_role("button", name="Your printed map").click()
    expect(page.locator(".board-photo img")).to_have_count(1)
    expect(page.locator(".printed-count")).to_have_text("3 of 9,442 hexes printed")


COUNTED = """() => {
  const [make, drop] = [URL.createObjectURL, URL.revokeObjectURL];
  window.pictures = new Set();
  URL.createObjectURL = (what) => { const made = make.call(URL, what); pictures.add(made); return made; };
  URL.revokeObjectURL = (made) => { pictures.delete(made); drop.call(URL, made); };
}"""
"""Counts the pictures that the browser keeps in its memory for the page."""


def test_a_table_that_goes_leaves_neither_photo_nor_board_in_memory(visit: Visit, address: str, tables: Tables) -> None:
    tables.begin("first", GAME, POSITION)
    page = visit.page(address)
    tables.begin("second", KAISER)
    page.evaluate(COUNTED)
    player = MapPainter(at_board(page), photograph())
    player.choose()
    player.fit()
    assert page.evaluate("(window.before = [...pictures]).length") > 1
    go_on(page, "second")
    page.wait_for_function("!before.some((picture) => pictures.has(picture))")


def test_a_photo_that_is_fitted_again_takes_the_place_of_the_one_before(at_photo: At) -> None:
    player = at_photo()
    player.page.evaluate(COUNTED)
    player.choose()
    player.fit()
    player.settle()
    kept = player.page.evaluate("pictures.size")
    for _ in range(3):
        player.tap(player.page.get_by_role("button", name="Fit again"))
        expect(player.page.locator(".photo-stage img")).to_be_visible()
        player.tap(player.page.get_by_role("button", name="Close", exact=True))
        expect(player.page.locator(".board-photo img")).to_have_count(1)
        player.settle()
    assert player.page.evaluate("pictures.size") == kept


def test_photos_that_cannot_be_asked_for_are_told(at_photo: At, visit: Visit) -> None:
    visit.expected.append("Failed to load resource")
    page = at_photo().page
    page.route("**/respond", lambda route: route.fulfill(status=500, body="no"))
    page.get_by_role("button", name="Your printed map").click()
    expect(page.locator("#quiet")).to_contain_text("the table cannot be reached now")
    page.unroute("**/respond")
    page.get_by_role("button", name="Your printed map").click()
    expect(page.locator(".printed-count")).to_be_visible()

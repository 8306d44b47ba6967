"""Pictures in few colours keep those that matter."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from assistant.drawing.fewer_colours import reduce_colours


def picture() -> Image.Image:
    """A picture of many greys with one red point."""
    grey = Image.linear_gradient("L").convert("RGB")
    grey.putpixel((10, 10), (196, 40, 28))
    return grey


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def encoded(image: Image.Image) -> bytes:
    written = BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def test_a_colour_of_one_point_stays_whole_if_it_has_to() -> None:
    few = opened(reduce_colours(encoded(picture()), 8, ["#c4281c"]))
    assert few.getpixel((10, 10)) == (196, 40, 28)
    lost = opened(reduce_colours(encoded(picture()), 8))
    assert lost.getpixel((10, 10)) != (196, 40, 28)


def test_there_are_no_more_colours_than_asked_for() -> None:
    colours = opened(reduce_colours(encoded(picture()), 16)).getcolors()
    assert colours is not None and len(colours) <= 16

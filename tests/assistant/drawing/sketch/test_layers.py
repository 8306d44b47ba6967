"""The layers of a sketch: outlines, arrows, and where labels find room."""

from __future__ import annotations

from assistant.asking.sketch import Role
from assistant.drawing.geometry import hexagon
from assistant.drawing.lettering import text_width
from assistant.drawing.scene import Circle, Path, Shape, Text
from assistant.drawing.sketch.layers import frame_shapes
from assistant.drawing.sketch.marks import LARGE, LEAST, LETTERS, make_tag, tag_shapes

HEX = hexagon((50.0, 40.0), 19.6, flat=True)


WITHIN: tuple[Role, ...] = ("reached", "beyond")


def widths(role: Role) -> list[tuple[float, int, bool]]:
    """How the lines of an outline look in grey: how wide, how many, and whether they are dashed."""
    drawn: list[Shape] = frame_shapes(role, HEX, "#123456")
    paths = [path for path in drawn if isinstance(path, Path) and path.stroke == "#123456"]
    return [(path.width, len(path.lines), bool(path.dash)) for path in paths]


def test_outlines_and_labels_of_different_parts_differ_in_form() -> None:
    roles: tuple[Role, ...] = ("start", "target", "end", "open", "reached", "beyond")
    looks = [tuple(widths(role)) for role in roles]
    assert len(set(looks)) == len(roles)
    assert widths("barred") == widths("passed") == []
    edges = {role: tag_shapes(role, make_tag(role, "4"), 0.0, 0.0) for role in WITHIN}
    dashed = {
        role: [shape for shape in shapes if isinstance(shape, Path) and shape.dash] for role, shapes in edges.items()
    }
    assert (len(dashed["reached"]), len(dashed["beyond"])) == (0, 1)


def test_a_label_grows_with_its_text_and_a_figure_alone_is_large() -> None:
    assert make_tag("reached", "4").size == LARGE
    assert make_tag("open", "4").size == LETTERS
    long = make_tag("open", "2 levels, 1 step, guns a")
    assert len(long.lines) == 2
    assert long.size >= LEAST


def test_the_letter_of_a_reason_stands_in_a_disc_apart_from_the_cost() -> None:
    tag = make_tag("open", "1 level", letter="a")
    assert tag.lines == ("1 level",)
    assert tag.width > make_tag("open", "1 level").width
    drawn = tag_shapes("open", tag, 0.0, 0.0)
    (disc,) = (shape for shape in drawn if isinstance(shape, Circle))
    letter, text = (shape for shape in drawn if isinstance(shape, Text))
    assert (letter.text, letter.x) == ("a", disc.x)
    assert text.x + text_width(text.text, text.size, bold=True) / 2 < disc.x - disc.radius
    assert disc.x + disc.radius < tag.width / 2

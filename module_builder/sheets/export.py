"""Sheets in other formats: SVG with named layers for Inkscape, and pictures with bleed for print services."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import groupby
from typing import NamedTuple

from lxml import etree

from assistant.drawing.colours import WHITE
from assistant.drawing.pdf import PdfPage, PlacedScene
from assistant.drawing.png import page_to_png, to_png, with_resolution
from assistant.drawing.scene import Layer, Rectangle, Scene, Shape
from assistant.drawing.svg import NAMESPACE, elements_of, svg_length
from assistant.util.errors import InputError, Where

from ..counters.picture_names import face_picture, picture_words
from ..counters.pieces import Counter
from .pages import PrintedPage, Sheets, back_of, sort_counters
from .sizes import INCH_MM, Box

_SVG = f"{{{NAMESPACE}}}"
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
_XLINK = "http://www.w3.org/1999/xlink"
_LABELS = {
    "marks": "Crop marks",
    "registration": "Registration",
    "fold": "Fold",
    "words": "Words",
    "rows": "Rows",
    "plan": "Plan",
}
_MAX_SLUG_SIDE = 40


def sheets_svg(sheets: Sheets) -> dict[str, bytes]:
    """Return each page as an SVG document, by its file name."""
    names = [f"page-{n:02}-{page.side}.svg" for n, page in enumerate(sheets.pages, 1)]
    return {name: _write_page(page) for name, page in zip(names, sheets.pages, strict=True)}


def _write_page(page: PrintedPage) -> bytes:
    scene = page.around
    width, height = svg_length(scene.width), svg_length(scene.height)
    root = etree.Element(_SVG + "svg", nsmap={None: NAMESPACE, "inkscape": _INKSCAPE, "xlink": _XLINK})
    for name, value in {
        "width": f"{width}mm",
        "height": f"{height}mm",
        "viewBox": f"0 0 {width} {height}",
    }.items():
        root.set(name, value)
    etree.SubElement(root, _SVG + "title").text = scene.title
    known = _define_faces(root, page)
    sides = {"Fronts": page.fronts, "Backs": page.backs}
    placed = 0
    for label, faces in sides.items():
        if faces:
            layer = _add_layer(root, label)
            for face in faces:
                placed += 1
                _place_face(layer, face, known[id(face.scene)], placed)
    for name, drawn in groupby(scene.layers, key=lambda layer: layer.name):
        layer = _add_layer(root, _LABELS.get(name, name))
        for part in drawn:
            _add_shapes(layer, part.shapes)
    etree.indent(root, " ")
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _define_faces(root: etree._Element, page: PrintedPage) -> dict[int, str]:
    """Add each distinct face to the definitions, and return its id by scene."""
    definitions = etree.SubElement(root, _SVG + "defs")
    known: dict[int, str] = {}
    for placed in (*page.fronts, *page.backs):
        scene: Scene = placed.scene
        if id(scene) not in known:
            known[id(scene)] = f"face-{len(known) + 1}"
            group = etree.SubElement(definitions, _SVG + "g", id=known[id(scene)])
            etree.SubElement(group, _SVG + "title").text = scene.title
            for layer in scene.layers:
                _add_shapes(group, layer.shapes)
    return known


def _add_shapes(parent: etree._Element, shapes: Sequence[Shape]) -> None:
    marks = 1 + len(parent.getroottree().findall(f".//{_SVG}g[@id]"))
    drawn = f'<g xmlns="{NAMESPACE}">{"".join(elements_of(shapes, marks))}</g>'
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    parent.extend(list(etree.fromstring(drawn, parser)))
    etree.cleanup_namespaces(parent)


def _place_face(layer: etree._Element, placed: PlacedScene, face: str, count: int) -> None:
    """Put a face into a layer, clipped to its visible part.

    `face`: the id of the face.
    `count`: the number of the face on the page.
    """
    clip = etree.SubElement(layer, _SVG + "clipPath", id=f"seen-{count}")
    left, top, width, height = placed.clip or (placed.left, placed.top, placed.width, placed.height)
    sizes = {"x": left, "y": top, "width": width, "height": height}
    etree.SubElement(clip, _SVG + "rect", {name: f"{length:.3f}" for name, length in sizes.items()})
    seen = etree.SubElement(layer, _SVG + "g", {"clip-path": f"url(#seen-{count})"})
    x, y = placed.left, placed.top
    at = f"translate({x:.3f} {y:.3f})"
    if placed.turned:
        at = f"translate({x + placed.width:.3f} {y + placed.height:.3f}) rotate(180)"
    etree.SubElement(seen, _SVG + "use", {f"{{{_XLINK}}}href": f"#{face}", "transform": at})


def _add_layer(root: etree._Element, label: str) -> etree._Element:
    return etree.SubElement(
        root,
        _SVG + "g",
        {
            f"{{{_INKSCAPE}}}groupmode": "layer",
            f"{{{_INKSCAPE}}}label": label,
            "id": label.casefold().replace(" ", "-"),
        },
    )


class Slug(NamedTuple):
    """The grid of counters on a picture."""

    columns: int
    rows: int


def parse_slug(text: str) -> Slug:
    """Parse `12x7` as 12 columns and 7 rows.

    Raises InputError if the text has another form, or a number is not 1 to 40.
    """
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", text.strip().casefold())
    if not match or not all(1 <= int(many) <= _MAX_SLUG_SIDE for many in match.groups()):
        hint = f"columns and rows, at most {_MAX_SLUG_SIDE}: 12x7"
        raise InputError(f"{text!r} is not a slug", where=Where("--slug"), hint=hint)
    return Slug(int(match[1]), int(match[2]))


def single_pictures(counters: Sequence[Counter], dpi: int) -> dict[str, bytes]:
    """Return a PNG for each side of each counter, by its file name: trim and bleed, with the resolution in the file.

    The name includes the number of copies if it is more than one.
    """
    faces: dict[str, Scene] = {}
    words = picture_words(counter.unit for counter in counters)
    for counter in counters:
        for side, face in (("front", counter.front), ("back", back_of(counter))):
            name = face_picture(words[counter.unit], side)
            faces[f"{counter.count}x-{name}" if counter.count > 1 else name] = face
    drawn = to_png(list(faces.values()), dpi / INCH_MM)
    return {name: with_resolution(data, dpi / INCH_MM) for name, data in zip(faces, drawn, strict=True)}


def slug_pictures(counters: Sequence[Counter], slug: Slug, dpi: int) -> dict[str, bytes]:
    """Return a PNG of the fronts and one of the backs of each slug, by its file name, with all copies of each counter.

    Backs are mirrored left to right to match the fronts. Bleed surrounds the whole slug.
    """
    in_order = sort_counters(counters)
    files = {}
    per_slug = slug.columns * slug.rows
    for sheet, first in enumerate(range(0, len(in_order), per_slug), 1):
        on_slug = in_order[first : first + per_slug]
        files[f"slug-{sheet:02}-front.png"] = _draw_slug(on_slug, slug, dpi, mirrored=False)
        files[f"slug-{sheet:02}-back.png"] = _draw_slug(on_slug, slug, dpi, mirrored=True)
    return files


def _draw_slug(counters: Sequence[Counter], slug: Slug, dpi: int, *, mirrored: bool) -> bytes:
    """Return a PNG of counters in a grid; of backs, from right to left, if it is `mirrored`."""
    side, bleed = counters[0].side, counters[0].bleed
    width, height = slug.columns * side + 2 * bleed, slug.rows * side + 2 * bleed
    paper = Rectangle(x=0, y=0, width=width, height=height, fill=WHITE)
    ground = Scene(width=width, height=height, title="", layers=(Layer("paper", (paper,)),))
    faces = [PlacedScene(ground, 0, 0, width, height)]
    cells = [divmod(place, slug.columns) for place in range(len(counters))]
    taken = {(row, slug.columns - 1 - column if mirrored else column) for row, column in cells}
    for counter, (row, place) in zip(counters, cells, strict=True):
        face = back_of(counter) if mirrored else counter.front
        column = slug.columns - 1 - place if mirrored else place
        trim = Box(bleed + column * side, bleed + row * side, side, side)
        whole = trim.grown(bleed)
        faces.append(PlacedScene(face, *whole, clip=_find_seen(trim, bleed, row, column, taken)))
    return with_resolution(page_to_png(PdfPage(width, height, tuple(faces)), dpi / INCH_MM), dpi / INCH_MM)


def _find_seen(trim: Box, bleed: float, row: int, column: int, taken: Set[tuple[int, int]]) -> Box:
    """Return the visible part of a face on a slug: its trim, and its bleed on sides without a neighbour."""
    left = trim.left - (0 if (row, column - 1) in taken else bleed)
    top = trim.top - (0 if (row - 1, column) in taken else bleed)
    right = trim.right + (0 if (row, column + 1) in taken else bleed)
    bottom = trim.bottom + (0 if (row + 1, column) in taken else bleed)
    return Box(left, top, right - left, bottom - top)

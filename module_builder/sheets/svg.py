"""Sheets as SVG, a file a page, in layers that Inkscape shows by name."""

from __future__ import annotations

from itertools import groupby

from lxml import etree

from assistant.drawing.pdf import PlacedScene
from assistant.drawing.scene import Scene
from assistant.drawing.svg import NAMESPACE, number, shapes_into

from .pages import Drawn, Sheets

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


def svg_pages(made: Sheets) -> dict[str, bytes]:
    """Each page as an SVG document, by its file name."""
    names = [f"page-{n:02}-{page.side}.svg" for n, page in enumerate(made.pages, 1)]
    return {name: _document(page) for name, page in zip(names, made.pages, strict=True)}


def _document(page: Drawn) -> bytes:
    scene = page.around
    width, height = number(scene.width), number(scene.height)
    root = etree.Element(_SVG + "svg", nsmap={None: NAMESPACE, "inkscape": _INKSCAPE, "xlink": _XLINK})
    for name, value in {
        "width": f"{width}mm",
        "height": f"{height}mm",
        "viewBox": f"0 0 {width} {height}",
    }.items():
        root.set(name, value)
    etree.SubElement(root, _SVG + "title").text = scene.title
    known = _definitions(root, page)
    sides = {"Fronts": page.fronts, "Backs": page.backs}
    placed = 0
    for label, faces in sides.items():
        if faces:
            layer = _layer(root, label)
            for face in faces:
                placed += 1
                _place(layer, face, known[id(face.scene)], placed)
    for name, drawn in groupby(scene.layers, key=lambda layer: layer.name):
        layer = _layer(root, _LABELS.get(name, name))
        for part in drawn:
            shapes_into(layer, part.shapes)
    etree.indent(root, " ")
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _definitions(root: etree._Element, page: Drawn) -> dict[int, str]:
    """Each different face once, and the names of them."""
    definitions = etree.SubElement(root, _SVG + "defs")
    known: dict[int, str] = {}
    for placed in (*page.fronts, *page.backs):
        scene: Scene = placed.scene
        if id(scene) not in known:
            known[id(scene)] = f"face-{len(known) + 1}"
            group = etree.SubElement(definitions, _SVG + "g", id=known[id(scene)])
            etree.SubElement(group, _SVG + "title").text = scene.title
            for layer in scene.layers:
                shapes_into(group, layer.shapes)
    return known


def _place(layer: etree._Element, placed: PlacedScene, face: str, count: int) -> None:
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


def _layer(root: etree._Element, label: str) -> etree._Element:
    return etree.SubElement(
        root,
        _SVG + "g",
        {
            f"{{{_INKSCAPE}}}groupmode": "layer",
            f"{{{_INKSCAPE}}}label": label,
            "id": label.casefold().replace(" ", "-"),
        },
    )

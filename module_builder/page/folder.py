"""The files of the page for a static host."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from assistant.drawing.png import reduce_colours, to_png
from assistant.drawing.scene import Layer, Rectangle, Scene
from assistant.drawing.svg_reader import read_drawing
from assistant.faces.page import shell_files

from .bytecode import compile_modules, library_sources, pack_library, pack_tar
from .licences import licences
from .parts import PageParts
from .still import Still

_PROGRAM = "program"
"""Where the program lies in the browser."""
_LIBRARY = "python_stdlib.zip"
"""The standard library, among Pyodide's files."""
_STILL = "still.png"
"""The picture that is shown until the page has begun."""
_LAPTOP = ("host/http_host.js",)
"""What only a page needs that a laptop serves."""
_ICON_SIZES = (192, 512)
"""The sides of the icon as it is installed, in pixels."""
_ICON_SIDE = 64.0  # mm of the scene, the side of the icon
_ICON_REACH = 48.0  # mm, the drawing within it: a system may cut a circle out of the icon
_ICON_COLOURS = 16
_ICON_GROUND = "#9a2c17"
_HOST = """// The host of this page: a worker of the reader's own browser.

import {{ connectToWorker }} from "./host/worker_host.js";

export const connect = () => connectToWorker({});
"""
_COUNTED = ("library.zip.gz", "program.tar.gz", "pyodide.asm.wasm")
"""The files of the program whose coming is shown: nearly all that a first visit fetches."""
_HEAD = """<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-192.png">
</head>"""


class Page(NamedTuple):
    """The page."""

    files: Mapping[str, bytes]
    """By their paths."""
    is_compiled: bool
    """Whether a browser need not compile the modules at each start."""


def make_page(program: Mapping[str, bytes], parts: PageParts, still: Still | None = None) -> Page:
    """Return the page. program: its files by their paths; still: the picture that is shown until it has begun. Raises
    InputError if Pyodide does not run.
    """
    files = {path: data for path, data in shell_files().items() if path not in _LAPTOP}
    files["index.html"] = _add_head(files["index.html"])
    files |= _draw_icons(files["icon.svg"])
    files["manifest.webmanifest"] = _write_json(_make_manifest())
    files["licences.txt"] = licences(parts)
    sources = {f"{_PROGRAM}/{path}": data for path, data in program.items() if path.endswith(".py")}
    compiled = compile_modules({**library_sources(parts.interpreter[_LIBRARY]), **sources}, parts.interpreter)
    files |= {f"program/{name}": data for name, data in _pack_program(program, parts, compiled).items()}
    if still:
        files[_STILL] = still.png
    files["host.js"] = _write_host(files, still)
    files["service-worker.js"] = _write_service_worker(files)
    return Page(dict(sorted(files.items())), bool(compiled))


def _pack_program(program: Mapping[str, bytes], parts: PageParts, compiled: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the folder `program`: Python's library and the program, an archive each, and Pyodide's other files."""
    made = {path: compiled.get(f"{_PROGRAM}/{path}") for path in program}
    lean = {path if made[path] is None else f"{path}c": made[path] or data for path, data in program.items()}
    return {
        **{name: data for name, data in parts.interpreter.items() if name != _LIBRARY},
        "pyodide-lock.json": _drop_packages(parts.interpreter["pyodide-lock.json"]),
        "program.tar.gz": gzip.compress(pack_tar(lean), 9, mtime=0),
        "library.zip.gz": gzip.compress(pack_library(parts.interpreter[_LIBRARY], compiled), 9, mtime=0),
    }


def _write_host(files: Mapping[str, bytes], still: Still | None) -> bytes:
    """Return the host of the page, with what it shows until the page has begun: how large the files are, and as hosts
    compress them.
    """
    sizes = {}
    for name in _COUNTED:
        data = files[f"program/{name}"]
        sizes[name] = len(data), len(data if name.endswith(".gz") else gzip.compress(data, 6))
    picture = (
        {"file": _STILL, **{key: value for key, value in still._asdict().items() if key != "png"}} if still else None
    )
    return _HOST.format(json.dumps({"files": sizes, "still": picture})).encode()


def _add_head(index: bytes) -> bytes:
    """Return the page, with what makes it one that can be installed."""
    assert index.count(b"</head>") == 1
    return index.replace(b"</head>", _HEAD.encode())


def _draw_icons(drawing: bytes) -> dict[str, bytes]:
    """Return the icon as PNG by the names of its files. drawing: its SVG."""
    symbol = read_drawing(drawing, "the icon", coloured=True)
    edge = (_ICON_SIDE - _ICON_REACH) / 2
    placed = msgspec.structs.replace(symbol, x=edge, y=edge, width=_ICON_REACH, height=_ICON_REACH)
    ground = Rectangle(x=0, y=0, width=_ICON_SIDE, height=_ICON_SIDE, fill=_ICON_GROUND)
    scene = Scene(width=_ICON_SIDE, height=_ICON_SIDE, title="Field Staff", layers=(Layer("icon", (ground, placed)),))
    drawn = {f"icon-{size}.png": to_png([scene], size / _ICON_SIDE)[0] for size in _ICON_SIZES}
    return {name: reduce_colours(png, _ICON_COLOURS, [_ICON_GROUND]) for name, png in drawn.items()}


def _make_manifest() -> Mapping[str, object]:
    """Return what a browser needs to know to install the page."""
    sizes = [{"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in _ICON_SIZES]
    whole = {"src": "icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"}
    return {
        "name": "Field Staff",
        "short_name": "Field Staff",
        "description": "Rules of hex wargames, worked out at the table",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f3eddd",
        "theme_color": "#f3eddd",
        "icons": [*sizes, whole],
    }


def _drop_packages(lock: bytes) -> bytes:
    """Return Pyodide's list of packages without them: the program brings its own, and nothing is fetched from
    elsewhere.
    """
    return _write_json({**json.loads(lock), "packages": {}})


def _write_service_worker(files: Mapping[str, bytes]) -> bytes:
    """Return the service worker, with what it keeps: this version, and its files with the sums of their contents."""
    sums = {
        path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items()) if path != "service-worker.js"
    }
    version = hashlib.sha256(json.dumps(sums).encode() + files["service-worker.js"]).hexdigest()[:16]
    constants = f'const VERSION = "{version}";\nconst FILES = {json.dumps(sums, indent=1)};\n\n'
    return constants.encode() + files["service-worker.js"]


def _write_json(value: object) -> bytes:
    return json.dumps(value, indent=1).encode() + b"\n"

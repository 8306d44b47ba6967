"""The files of the page for a static host."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from importlib.resources.abc import Traversable

from assistant.util.files import package_folder

from .icons import icons
from .parts import Parts

SHELL = "assistant.page"
_LAPTOP = ("http_host.js",)
"""What only a page needs that a laptop serves."""
_HOST = """// The host of this page: a worker of the reader's own browser.

export { connectToWorker as connect } from "./worker_host.js";
"""
_HEAD = """<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-192.png">
</head>"""


def page_files(program: bytes, parts: Parts) -> dict[str, bytes]:
    """All files of the folder by their paths. program: the archive."""
    files = {path: data for path, data in _shell().items() if path not in _LAPTOP}
    files["host.js"] = _HOST.encode()
    files["index.html"] = _with_head(files["index.html"])
    files |= icons(files["icon.svg"])
    files["manifest.webmanifest"] = _json(_manifest())
    files["program/program.tar.gz"] = program
    files |= {f"program/{name}": data for name, data in parts.interpreter.items()}
    files["program/pyodide-lock.json"] = _without_packages(parts.interpreter["pyodide-lock.json"])
    files["service-worker.js"] = _service_worker(files)
    return dict(sorted(files.items()))


def _shell() -> dict[str, bytes]:
    """The files of the page itself."""

    def walk(folder: Traversable, path: str) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for entry in folder.iterdir():
            if entry.is_dir():
                found |= walk(entry, f"{path}{entry.name}/")
            elif not entry.name.startswith("."):
                found[path + entry.name] = entry.read_bytes()
        return found

    return walk(package_folder(SHELL).joinpath("shell"), "")


def _with_head(index: bytes) -> bytes:
    """The page, which can be installed."""
    assert index.count(b"</head>") == 1
    return index.replace(b"</head>", _HEAD.encode())


def _manifest() -> Mapping[str, object]:
    """What a browser needs to know to install the page."""
    sizes = [{"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in (192, 512)]
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


def _without_packages(lock: bytes) -> bytes:
    """Pyodide's list of packages without them: the program brings its own, and nothing is fetched from elsewhere."""
    return _json({**json.loads(lock), "packages": {}})


def _service_worker(files: Mapping[str, bytes]) -> bytes:
    """The service worker, with what it keeps: this version, and its files with the sums of their contents."""
    sums = {
        path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items()) if path != "service-worker.js"
    }
    version = hashlib.sha256(json.dumps(sums).encode() + files["service-worker.js"]).hexdigest()[:16]
    kept = f'const VERSION = "{version}";\nconst FILES = {json.dumps(sums, indent=1)};\n\n'
    return kept.encode() + files["service-worker.js"]


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1).encode() + b"\n"

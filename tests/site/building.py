"""The handbook as a site, as `make site` builds it: built once for all tests of a run, and read back page by page."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from filelock import FileLock
from lxml import html

from assistant.util.errors import InputError

ROOT = Path(__file__).parents[2]
SECONDS = 300
"""How long the site may take to be built, while other tests run."""
NEEDED = ("sphinx", "furo", "myst_parser", "sphinx_click")


@functools.cache
def why_not() -> str:
    """What is missing to build the site and how to get it, in one line; empty if it can be built."""
    lacking = [name for name in NEEDED if not find_spec(name)]
    return f"the site's tests lack {', '.join(lacking)}: make .venv/documented" if lacking else ""


def command(source: Path, out: Path, *more: str) -> list[str]:
    """The command by which a site is built. more: further words."""
    strict = ["--quiet", "--nitpicky", "--fail-on-warning", "--keep-going"]
    return [sys.executable, "-m", "sphinx", *strict, *more, str(source), str(out)]


def find_site(shared: Path) -> Path:
    """The folder of the site, built by the first process that asks for it; another one if FIELD_STAFF_SITE names it. The
    warnings of the build lie beside it.

    Raises InputError if the other one holds no site.
    """
    if written := os.environ.get("FIELD_STAFF_SITE"):
        if not Path(written, "index.html").is_file():
            raise InputError(f"FIELD_STAFF_SITE: no site in {written}", hint="make site")
        return Path(written)
    folder, warnings = shared / "site", shared / "site.txt"
    with FileLock(f"{folder}.lock"):
        if not warnings.exists():
            words = ["--conf-dir", str(ROOT / "docs"), "--doctree-dir", str(shared / "doctrees")]
            ended = subprocess.run(
                command(ROOT, folder, *words), check=False, timeout=SECONDS, capture_output=True, text=True
            )
            warnings.write_text(ended.stdout + ended.stderr, "utf-8")
    return folder


def warnings_of(folder: Path) -> str | None:
    """What the build of a site printed: nothing, if it has no fault; None for a site that was built elsewhere."""
    warnings = folder.with_suffix(".txt")
    return warnings.read_text("utf-8") if warnings.exists() else None


@functools.cache
def page_in(file: Path) -> html.HtmlElement:
    """A page of a site, read."""
    return html.parse(str(file), html.HTMLParser(encoding="utf-8")).getroot()


def pages_of(folder: Path) -> list[Path]:
    """The pages of a site."""
    return sorted(folder.rglob("*.html"))


def targets(file: Path) -> Iterator[tuple[str, Path | None, str]]:
    """What a page has links to, and what it shows or runs: as it is written, the file, None for one elsewhere, and the anchor in it."""
    for element in page_in(file).iter():
        for name in ("href", "src", "data", "poster", "action"):
            if isinstance(element.tag, str) and (written := element.get(name)) is not None:
                parts = urlsplit(written)
                if parts.scheme in ("data", "mailto"):
                    continue
                elsewhere = parts.scheme or parts.netloc
                own = (file.parent / unquote(parts.path)).resolve() if parts.path else file
                yield written, None if elsewhere else own, unquote(parts.fragment)


@functools.cache
def anchors_in(file: Path) -> frozenset[str]:
    """The anchors of a page."""
    return frozenset(str(name) for name in page_in(file).xpath("//@id | //a/@name"))

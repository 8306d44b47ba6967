"""The head of an HTML page in a single file, which needs and may load no network, script or font."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape

from ..util.errors import printable


def write_page_head(title: str, style: str) -> list[str]:
    """Return the lines of an HTML page up to the end of its head, with its style sheet and its security policy."""
    return [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_write_policy(style)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(printable(title))}</title>",
        f"<style>{style}</style>",
        "</head>",
    ]


def _write_policy(style: str) -> str:
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"

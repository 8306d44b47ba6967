"""Tracks of made-up games, as `tracks.toml` states them."""

from __future__ import annotations

import json


def format_track(name: str, on: str, kind: str, title: str = "", **more: object) -> str:
    """Return the table of a track, whose title is its name unless it has one. `more`: its other keys, as in JSON."""
    said = {"title": title or name, "on": on, "kind": kind, **more}
    return "".join([f"[{name}]\n", *(f"{key} = {json.dumps(value)}\n" for key, value in said.items())])

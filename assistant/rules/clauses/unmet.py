"""The clauses of a game's `rules.toml` that none of its answers has met."""

from __future__ import annotations

from ...game.games import CLAUSES, Game
from ...util.datafiles import find_toml_line, read_text, resolve_within
from .compiled import rules_of


def list_unmet(game: Game) -> list[str]:
    """Return the places of the clauses and rows of terrain that have held in no answer so far, with their lines."""
    if not game.has_file(CLAUSES):
        return []
    rules = rules_of(game)
    text = read_text(resolve_within(game.folder, CLAUSES))
    places = [*(f"terrain.{word}" for word in rules.file.terrain), *(place for place, _ in rules.file.clauses())]
    return [f"{place} (line {find_toml_line(text, _split_place(place))})" for place in places if place not in rules.met]


def unmet_remarks(game: Game) -> list[str]:
    """Return a remark on the clauses that no example or set-up meets, or []."""
    unmet = list_unmet(game)
    return [f"{CLAUSES}: no example or set-up meets {', '.join(unmet)}"] if unmet else []


def _split_place(place: str) -> tuple[str | int, ...]:
    """Return the path of a place: `zones.barred 1` is ("zones", "barred", 0)."""
    name, _, number = place.partition(" ")
    section, _, key = name.partition(".")
    return (section, key, int(number) - 1) if number else (section, key)

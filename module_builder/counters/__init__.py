"""Counters: faces composed from the slots of `counters.toml`, markers, tags over them, and what can be wrong with them."""

from .design import nation_palette
from .expressions import print_of, word_of
from .layout import SIDE
from .marking import MARKER, badge, face_down, marker, marker_colour
from .pieces import Counter, Variant, choose_counters, counters, markers, overview, pictures, sides, trouble_lines

__all__ = [
    "MARKER",
    "SIDE",
    "Counter",
    "Variant",
    "badge",
    "choose_counters",
    "counters",
    "face_down",
    "marker",
    "marker_colour",
    "markers",
    "nation_palette",
    "overview",
    "pictures",
    "print_of",
    "sides",
    "trouble_lines",
    "word_of",
]

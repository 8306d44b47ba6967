"""Counters: faces composed from the slots of `counters.toml`, markers, tags over them, and what can be wrong with them."""

from .colours import nation_palette
from .drawing import overview, pictures, sides
from .expressions import print_of, word_of
from .layout import SIDE
from .marking import MARKER, badge, face_down, marker, marker_colour
from .pieces import Counter, Variant, chosen, counters, markers, told

__all__ = [
    "MARKER",
    "SIDE",
    "Counter",
    "Variant",
    "badge",
    "chosen",
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
    "told",
    "word_of",
]

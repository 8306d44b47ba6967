"""What a verdict turns on: the assumed facts, and those of a drawn map, of which another value would change it."""

from .weighed import Candidates, Group, Holds, Together, Turn, Weighed, ask_for_drawn, is_kept
from .weighing import weigh

__all__ = ["Candidates", "Group", "Holds", "Together", "Turn", "Weighed", "ask_for_drawn", "is_kept", "weigh"]

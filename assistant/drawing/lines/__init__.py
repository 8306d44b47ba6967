"""Pictures of many lines at once: sources with their reach, the units that they supply, and breaks in lines."""

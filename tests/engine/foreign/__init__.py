"""Modules that others could have made, opened in the real engine: it and the assistant read them alike."""
